"""An estimate of the cost of a sweep, from trial runs in a separate process, a moment after the last keystroke."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from lydian.app.sweep.running import conversation
from lydian.engine import wire
from lydian.language import tr
from lydian.views.words.words import duration

__all__ = ["Estimating", "roughly"]

#: Milliseconds after the last edit at which trial runs start.
PAUSE = 900


class Estimating(QObject):
    """The runner of a few trial runs of the current sweep.

    Attributes:
        plan: the estimate for the current sweep, if it was tried: ``runs``, ``seconds``, ``bytes``, ``wall`` ...
        share: the share of the trials that is done, while they are running.
    """

    #: Emitted when there is a new share or plan, or neither any more.
    changed = Signal()
    #: Emitted if the values do not fit: with the sentence and its place in the sweep's file.
    refused = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.conversation = conversation(self)
        self.conversation.heard.connect(self._said)
        self.conversation.gone.connect(lambda _why: self.changed.emit())
        self.plan: dict[str, Any] | None = None
        self.share: float | None = None
        self._request: dict[str, Any] | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._begin)

    @property
    def busy(self) -> bool:
        """Whether trial runs are running, or will start in a moment."""
        return self._pause.isActive() or self.conversation.alive

    def want(self, request: Mapping[str, Any] | None) -> None:
        """Schedule trial runs of another sweep; of none for ``None``. A known estimate is kept."""
        if request is not None and self._request == request and (self.plan is not None or self.busy):
            return
        self.cancel()
        self.plan = None
        self._request = None if request is None else dict(request)
        if request is not None:
            self._pause.start()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop the trial runs."""
        self._pause.stop()
        self.share = None
        self.conversation.stop()

    def now(self) -> None:
        """Start the trial runs at once."""
        if self._request is not None and not self.conversation.alive:
            self._pause.stop()
            self._begin()

    def close(self) -> None:
        """Stop the process and the timer."""
        self._pause.stop()
        self.conversation.close()

    def _begin(self) -> None:
        if self._request is not None:
            self.share = 0.0
            self.conversation.start(wire.Batch("estimate", **self._request))
            self.changed.emit()

    def _said(self, told: wire.Frame) -> None:
        if self.share is None:  # cancelled meanwhile
            return
        if isinstance(told, wire.Progress):
            self.share = int(told.done["tried"]) / max(int(told.done["of"]), 1)
        elif isinstance(told, wire.Result):
            self.plan, self.share = told.result, None
        elif isinstance(told, wire.Error):
            self.share = None
            self.refused.emit(told.text, told.place or "")
        self.changed.emit()


def roughly(seconds: float) -> str:
    """Return a rough time in words: ``a second``, ``40 s``, ``3 min``."""
    return tr("a second") if seconds < 1 else duration(seconds)
