"""What a sweep will take, from trial runs in a process of their own, a moment after the last keystroke."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from lydian.app.sweep.running import conversation
from lydian.engine import wire
from lydian.views.words.words import duration

__all__ = ["Estimating", "roughly"]

#: Milliseconds after the last edit at which runs are tried.
PAUSE = 900


class Estimating(QObject):
    """Tries a few runs of the sweep on the desk.

    Attributes:
        plan: what was found for the sweep as it stands, if it was tried: ``runs``, ``seconds``, ``bytes``, ``wall`` ...
        share: how much of the trials is done, while they go on.
    """

    #: Something new: a share, a plan, or nothing any more.
    changed = Signal()
    #: The values do not fit: the sentence and its place in the sweep's file.
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
        """Whether runs are tried, or will be in a moment."""
        return self._pause.isActive() or self.conversation.alive

    def want(self, request: Mapping[str, Any] | None) -> None:
        """Try the runs of another sweep in a moment; of none for ``None``.  What is known already is kept."""
        if request is not None and self._request == request and (self.plan is not None or self.busy):
            return
        self.cancel()
        self.plan = None
        self._request = None if request is None else dict(request)
        if request is not None:
            self._pause.start()
        self.changed.emit()

    def cancel(self) -> None:
        """Try no further."""
        self._pause.stop()
        self.share = None
        self.conversation.stop()

    def now(self) -> None:
        """Try at once."""
        if self._request is not None and not self.conversation.alive:
            self._pause.stop()
            self._begin()

    def close(self) -> None:
        """Leave no process and no timer."""
        self._pause.stop()
        self.conversation.close()

    def _begin(self) -> None:
        if self._request is not None:
            self.share = 0.0
            self.conversation.start(wire.Batch("estimate", **self._request))
            self.changed.emit()

    def _said(self, told: wire.Frame) -> None:
        if self.share is None:  # not wanted any more
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
    """``a second``, ``40 s``, ``3 min``: a time that nobody needs to know better."""
    return "a second" if seconds < 1 else duration(seconds)
