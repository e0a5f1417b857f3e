"""Where the parts of the picture of one process stand."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF

__all__ = ["Places"]


@dataclass(frozen=True)
class Places:
    """Where the parts stand; the first variable, line and event shown are at the top of their boxes."""

    k: float
    head: QRectF
    variables: QRectF
    lasts: QRectF
    code: QRectF
    code_lines: int
    title: QRectF
    events: QRectF
    line: float
    row: float
    shown_variables: int
    more_above: bool
    first: int
    shown_events: int
    side: bool

    def event_box(self, place: int) -> QRectF:
        return QRectF(
            self.events.left(), self.events.top() + (place - self.first) * self.row, self.events.width(), self.row
        )

    def button(self, following: bool) -> QRectF:
        """The small buttons for the previous and the next event."""
        size = 24 * self.k
        left = self.title.right() - (34 if following else 62) * self.k
        return QRectF(left, self.title.center().y() - size / 2, size, size)
