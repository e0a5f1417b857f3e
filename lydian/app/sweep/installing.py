"""The installation of Spark from the window: in the background, with the present step, and with a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from lydian.app.work.background import Background, Report
from lydian.batch.spark.install import Installation

__all__ = ["Installing"]


class Installing(QObject):
    """An installation of Spark into the environment of this program, at most one at a time."""

    #: Emitted with what pip does now, in a few words.
    told = Signal(str)
    #: Emitted when Spark is installed.
    done = Signal()
    #: Emitted with a sentence when it could not be installed.
    failed = Signal(str)
    _heard = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self)
        self._installation: Installation | None = None
        self._background.done.connect(lambda _result: self.done.emit())
        self._background.failed.connect(self.failed)
        self._heard.connect(self._tell)

    @property
    def busy(self) -> bool:
        return self._background.busy

    def start(self) -> None:
        """Install Spark, unless that is under way."""
        if self.busy:
            return
        installation = self._installation = Installation()

        def install(_report: Report) -> None:
            installation.run(lambda words: self._heard.emit(installation, words))

        self._background.start(install)

    def _tell(self, installation: Installation, words: str) -> None:
        if self.busy and installation is self._installation:
            self.told.emit(words)

    def cancel(self) -> None:
        """Stop the installation."""
        if self._installation is not None:
            self._installation.stop()
        self._background.cancel()

    def close(self) -> None:
        """Stop the installation, and wait for its thread."""
        self.blockSignals(True)
        self.cancel()
        self._background.close()
