"""The legend of a drawing: its title, and a sample of each look of links with its meaning, in one row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.shapes import draw_text
from lydian.app.look.theme import Theme
from lydian.app.painters.drawing.links import link_color
from lydian.language import trn
from lydian.views.network.drawing import LinkLook

__all__ = ["draw_legend", "legend_width"]

#: The length of a sample of a link, the space after it, and the space between two entries.
PIECE, AFTER, BETWEEN = 34.0, 7.0, 20.0


def legend_width(theme: Theme, title: str, entries: Sequence[LinkLook]) -> float:
    """Return the width of a legend in one row."""
    bold, plain = QFontMetricsF(theme.font("small", semibold=True)), QFontMetricsF(theme.font("small"))
    each = PIECE + AFTER + BETWEEN
    return bold.horizontalAdvance(title) + sum(each + plain.horizontalAdvance(entry.text) for entry in entries)


def draw_legend(p: QPainter, theme: Theme, box: QRectF, title: str, entries: Sequence[LinkLook]) -> None:
    """Draw a legend on the left of a box; entries without room are left out and counted."""
    x, y = box.left(), box.center().y()
    x = draw_text(p, theme, x, y, title, "small", "text.primary", semibold=True).right() + BETWEEN
    metrics = QFontMetricsF(theme.font("small"))
    for i, entry in enumerate(entries):
        wide = PIECE + AFTER + metrics.horizontalAdvance(entry.text)
        if x + wide > box.right():
            rest = trn("and {count} more", "and {count} more", len(entries) - i)
            draw_text(p, theme, x, y, rest, "small", "text.secondary")
            return
        pen = QPen(link_color(theme, entry), entry.width)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if entry.dash:
            pen.setDashPattern([part / entry.width for part in entry.dash])
        p.setPen(pen)
        p.drawLine(QPointF(x, y), QPointF(x + PIECE, y))
        draw_text(p, theme, x + PIECE + AFTER, y, entry.text, "small", "text.secondary")
        x += wide + BETWEEN
