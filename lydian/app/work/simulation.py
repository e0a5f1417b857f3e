"""A conversation with a simulator in a process of its own, in the frames of :mod:`lydian.engine.wire`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, Signal
from shiboken6 import isValid

from lydian.app.work.child import Child
from lydian.engine import wire

__all__ = ["Simulation"]


class Simulation(QObject):
    """One run, from its request on.  Once :meth:`drop` was called nothing is told any more."""

    #: A frame.
    heard = Signal(object)
    #: The process is gone without having said good-bye; a sentence.
    gone = Signal(str)

    def __init__(self, child: Child, experiment: dict[str, Any], folder: Path | None, parent: QObject, **wanted: Any):
        """Talk to a child that waits.

        Args:
            experiment: as in its file.
            folder: where the files are that it names.
            wanted: the other fields of :class:`~lydian.engine.wire.Request`.
        """
        super().__init__(parent)
        self.child = child
        self._over = False
        child.setParent(self)
        child.readyReadStandardOutput.connect(self._read)
        child.finished.connect(self._ended)
        child.errorOccurred.connect(self._failed)
        self.tell(wire.Hello(wire.VERSION, "window"))
        self.tell(wire.Request(experiment, None if folder is None else str(folder), **wanted))

    def tell(self, frame: wire.Frame) -> None:
        """Say something."""
        if not self._over:
            self.child.write(wire.encode(frame))

    def listen(self, seconds: float) -> bool:
        """Wait for what it says next, at most so long; whether it said something."""
        return not self._over and self.child.waitForReadyRead(max(1, round(1000 * seconds)))

    def drop(self) -> None:
        """End it at once."""
        self._over = True
        for signal in (self.child.readyReadStandardOutput, self.child.finished, self.child.errorOccurred):
            signal.disconnect()
        self.child.kill()
        self.child.waitForFinished(1000)
        self.deleteLater()

    def _read(self) -> None:
        for line in self.child.lines():
            if self._over:
                return
            try:
                frame = wire.decode(line)
            except wire.Refused:
                continue  # a protocol found a way to print here
            self.heard.emit(frame)

    def _failed(self, error: QProcess.ProcessError) -> None:
        """One that cannot be started ends without having begun; one that no longer listens may still have to say."""
        if error == QProcess.ProcessError.FailedToStart:
            self._ended()

    def _ended(self, *_how: object) -> None:
        if self._over or not isValid(self.child):
            return
        self._read()
        if not self._over:
            self.gone.emit(self.child.last_words())
