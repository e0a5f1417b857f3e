"""The parts that the panels beside the network share: their ground, and the places of their legend entries."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.theme import Theme

__all__ = ["draw_ground", "draw_reason", "legend_places"]


def draw_ground(p: QPainter, theme: Theme, box: QRectF, view: QRectF) -> None:
    """Draw the background of a panel, and a line at its left and top edges where these are inside the view."""
    p.fillRect(box, theme.color("surface.panel"))
    p.setPen(QPen(theme.color("border.subtle"), 1))
    if box.left() > view.left() + 1:
        p.drawLine(QPointF(box.left() + 0.5, box.top()), QPointF(box.left() + 0.5, box.bottom()))
    if box.top() > view.top() + 1:
        p.drawLine(QPointF(box.left(), box.top() + 0.5), QPointF(box.right(), box.top() + 0.5))


def draw_reason(p: QPainter, theme: Theme, box: QRectF, reason: str) -> None:
    """Draw the reason why a panel is empty, in the middle of a box."""
    p.setFont(theme.font("small"))
    p.setPen(theme.color("text.hint"))
    p.drawText(box, int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignCenter), reason)


def legend_places(theme: Theme, room: QRectF, words: Sequence[str], sign: float = 11.0) -> tuple[list[QRectF], float]:
    """Return the places of entries, in rows from height 0 on, each with room for its sign, and their total height."""
    k = theme.px("small") / 12
    metrics, row = QFontMetricsF(theme.font("small")), 18 * k
    x, y = room.left(), 0.0
    found = []
    for word in words:
        wide = min(sign * k + 6 * k + metrics.horizontalAdvance(word) + 2, room.width())
        if x > room.left() and x + wide > room.right():
            x, y = room.left(), y + row
        found.append(QRectF(x, y, wide, row))
        x += wide + 14 * k
    return found, y + row
