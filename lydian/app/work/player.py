"""The only timer of the program, which first moves the play head, then redraws the visible views.

The timer runs only while something moves; other changes of the time and new events are then shown by its next frame.
While nothing moves, a change reaches the views at once and nothing else is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from lydian.desk.playhead import Playhead

__all__ = ["FRAME", "STEP", "Picture", "Player"]

#: The number of milliseconds between two frames.
FRAME = 16
#: The number of seconds that a single step takes on the screen (the message travels, then the process changes).
STEP = 0.32
#: The maximum time of one frame in seconds, so that the picture does not jump after the computer has paused.
LONGEST = 0.25


class Picture(Protocol):
    """Something that shows the play head's moment."""

    def refresh(self) -> None:
        """Redraw if the contents have changed."""


class Moving(Protocol):
    """Something else that moves by itself: a window that glides."""

    @property
    def moving(self) -> bool:
        """Whether :meth:`advance` would change anything."""

    def advance(self, seconds: float) -> None:
        """Move by this much real time."""


class Player(QObject):
    """The driver of the play head and of the pictures that show its moment."""

    #: Emitted after each change of the play head, with the kind of change.
    changed = Signal(str)

    def __init__(self, playhead: Playhead, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.playhead = playhead
        self.step_seconds = STEP
        self.others: Callable[[], Iterable[Moving]] = list  # what moves besides the play head
        self._pictures: list[Picture] = []
        self._since = QElapsedTimer()
        self._ticking = False
        self.timer = QTimer(self)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.setInterval(FRAME)
        self.timer.timeout.connect(self.tick)
        self._unsubscribe = playhead.changed.connect(self._heard)

    def show_on(self, picture: Picture) -> None:
        """Keep a picture up to date from now on."""
        self._pictures.append(picture)

    def tick(self, seconds: float | None = None) -> None:
        """Move the play head by the elapsed time (or by ``seconds``), then draw one frame."""
        gone = self._since.restart() / 1000 if seconds is None and self._since.isValid() else (seconds or 0.0)
        self._ticking = True
        try:
            self.playhead.advance(min(gone, LONGEST))
            for other in self.others():
                other.advance(min(gone, LONGEST))
        finally:
            self._ticking = False
        self._draw()
        self._watch()

    def step(self, direction: int, process: int | None = None) -> None:
        """Go forward or back one event, gliding."""
        self.playhead.step(direction, process=process, seconds=self.step_seconds)

    def wake(self) -> None:
        """Start the timer if something moves that is not the play head."""
        if not self._ticking:
            self._watch()

    def stop(self) -> None:
        """Stop the timer and disconnect all listeners."""
        self.timer.stop()
        self._unsubscribe()
        self._pictures.clear()
        self.others = list

    def _heard(self, what: str) -> None:
        self.changed.emit(what)
        if not self._ticking:
            self._watch()
            if what not in ("time", "timeline") or not self.timer.isActive():  # otherwise, the next frame shows it
                self._draw()

    def _draw(self) -> None:
        for picture in self._pictures:
            picture.refresh()

    def _watch(self) -> None:
        moving = self.playhead.moving or any(other.moving for other in self.others())
        if moving and not self.timer.isActive():
            self._since.start()
            self.timer.start()
        elif not moving and self.timer.isActive():
            self.timer.stop()
            self._since.invalidate()
