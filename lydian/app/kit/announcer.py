"""Announcements of a screen reader: events politely, errors at once.

Without a screen reader this module does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

__all__ = ["Announcer"]

#: During playback, the least number of seconds between two polite announcements.
PAUSE = 2.0


class Announcer:
    """The announcer of a widget.

    Args:
        widget: the widget that the announcements belong to.
        clock: returns seconds; it limits the number of announcements.
    """

    def __init__(self, widget: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        self.widget, self.clock = widget, clock
        self._last: float | None = None

    @property
    def active(self) -> bool:
        """Whether a screen reader is listening."""
        return bool(QAccessible.isActive())

    def polite(self, text: str, *, playing: bool = False) -> bool:
        """Announce a sentence when the reader has time for it; during playback at most once in two seconds.

        Returns:
            True if the sentence was announced.
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
        """Announce an error at once; return True if it was announced."""
        if not text or not self.active:
            return False
        self._say(text, QAccessible.AnnouncementPoliteness.Assertive)
        return True

    def _say(self, text: str, politeness: QAccessible.AnnouncementPoliteness) -> None:
        event = QAccessibleAnnouncementEvent(self.widget, text)
        event.setPoliteness(politeness)
        QAccessible.updateAccessibility(event)
