"""What the colours and shades of the space-time diagram stand for, in a corner of it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.axis import Geometry, alpha
from lydian.views.spacetime import HUES

__all__ = ["depth_key", "draw_key", "shade_key"]


def draw_key(p: QPainter, theme: Theme, g: Geometry, swatches: list[QColor], before: str, after: str) -> None:
    """A row of colours between two texts, at the bottom right of the plot."""
    font = theme.font("caption")
    metrics = QFontMetricsF(font)
    side = metrics.capHeight() + 2
    widths = metrics.horizontalAdvance(before), len(swatches) * side, metrics.horizontalAdvance(after)
    box = QRectF(0, 0, sum(widths) + 24, metrics.height() + 6)
    box.moveBottomRight(QPointF(g.rect.right() - 6, g.rect.bottom() - 4))
    if box.left() < g.left:
        return
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(theme.color("surface.overlay"))
    p.drawRoundedRect(box, 4, 4)
    base = box.center().y() + metrics.capHeight() / 2
    x = box.left() + 6
    p.setFont(font)
    p.setPen(theme.color("text.secondary"))
    p.drawText(QPointF(x, base), before)
    x += widths[0] + 6
    for color in swatches:
        p.fillRect(QRectF(x, base - side + 1, side, side), color)
        x += side
    p.drawText(QPointF(x + 6, base), after)


def depth_key(p: QPainter, theme: Theme, g: Geometry, colors: list[QColor], deepest: int) -> None:
    """The key to causal depths."""
    shown = colors[: min(deepest + 1, HUES)]
    after = str(deepest) if deepest < HUES else f"{HUES - 1}, then again up to {deepest:,}"
    draw_key(p, theme, g, shown, "causal depth 0", after)


def shade_key(p: QPainter, theme: Theme, g: Geometry, darkest: int) -> None:
    """The key to shades: from one event to as many as the darkest may stand for."""
    ink = theme.color("text.secondary")
    draw_key(p, theme, g, [alpha(ink, 0.16 + 0.12 * i) for i in range(8)], "1 event", f"{darkest:,}")
