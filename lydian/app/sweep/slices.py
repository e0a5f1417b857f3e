"""Work in the window's thread in small pieces, one for each turn of its loop, so that input is not delayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

__all__ = ["Slices"]


class Slices(QObject):
    """A worker for one list of pieces at a time; a new list replaces the one in progress."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._left: list[Callable[[], object]] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    @property
    def busy(self) -> bool:
        """Whether pieces are left to do."""
        return bool(self._left)

    def start(self, pieces: Sequence[Callable[[], object]]) -> None:
        """Do these pieces one after the other, from the next turn on."""
        self._left = list(pieces)
        self._timer.start()

    def cancel(self) -> None:
        """Drop the remaining pieces."""
        self._left.clear()
        self._timer.stop()

    def _next(self) -> None:
        if self._left:
            piece = self._left.pop(0)
            if self._left:
                self._timer.start()
            piece()
