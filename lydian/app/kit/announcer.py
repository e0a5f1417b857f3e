"""What a screen reader says by itself: politely what happens, at once what goes wrong.

Without a screen reader nothing is done at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

__all__ = ["Announcer"]

#: While time runs, seconds between what is said politely.
PAUSE = 2.0


class Announcer:
    """Speaks for a widget.

    Args:
        widget: in whose name it speaks.
        clock: seconds that pass, to keep it from saying too much.
    """

    def __init__(self, widget: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        self.widget, self.clock = widget, clock
        self._last: float | None = None

    @property
    def active(self) -> bool:
        """Whether anybody listens."""
        return bool(QAccessible.isActive())

    def polite(self, text: str, *, playing: bool = False) -> bool:
        """Say something when the reader has time for it; while playing at most once in two seconds.

        Returns:
            Whether it was said.
        """
        if not text or not self.active:
            return False
        now = self.clock()
        if playing and self._last is not None and now - self._last < PAUSE:
            return False
        self._last = now
        self._say(text, QAccessible.AnnouncementPoliteness.Polite)
        return True

    def assertive(self, text: str) -> bool:
        """Say at once that something went wrong; whether it was said."""
        if not text or not self.active:
            return False
        self._say(text, QAccessible.AnnouncementPoliteness.Assertive)
        return True

    def _say(self, text: str, politeness: QAccessible.AnnouncementPoliteness) -> None:
        event = QAccessibleAnnouncementEvent(self.widget, text)
        event.setPoliteness(politeness)
        QAccessible.updateAccessibility(event)
