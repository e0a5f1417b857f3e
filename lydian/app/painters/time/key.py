"""The key to the colours and shades of the space-time diagram, below its rows."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from lydian.app.look.theme import Theme
from lydian.app.painters.time.axis import Geometry, alpha
from lydian.language import tr
from lydian.views.time.spacetime import HUES

__all__ = ["Key", "chain_key", "depth_key", "draw_key", "key_width", "shade_key"]


@dataclass(frozen=True)
class Key:
    """A row of colours between two texts."""

    swatches: list[QColor]
    before: str
    after: str


def depth_key(colors: list[QColor], deepest: int) -> Key:
    """Return the key to causal depths."""
    after = (
        str(deepest)
        if deepest < HUES
        else tr("{number}; the colours then repeat, up to {deepest:,}", number=HUES - 1, deepest=deepest)
    )
    return Key(colors[: min(deepest + 1, HUES)], tr("causal depth 0"), after)


def chain_key(colors: list[QColor]) -> Key:
    """Return the key to causal chains."""
    return Key(colors, tr("one colour per chain"), "")


def shade_key(theme: Theme, darkest: int) -> Key:
    """Return the key to shades: from one event to the maximum for the darkest."""
    ink = theme.color("text.secondary")
    return Key([alpha(ink, 0.16 + 0.12 * i) for i in range(8)], tr("1 event"), tr("{number:,}", number=darkest))


def key_width(theme: Theme, key: Key) -> float:
    """Return the width of a key in pixels."""
    metrics = QFontMetricsF(theme.font("caption"))
    texts = metrics.horizontalAdvance(key.before) + metrics.horizontalAdvance(key.after)
    return texts + len(key.swatches) * (metrics.capHeight() + 2) + 24


def draw_key(p: QPainter, theme: Theme, g: Geometry, key: Key) -> None:
    """Draw a key at the bottom right, if there is room."""
    font = theme.font("caption")
    metrics = QFontMetricsF(font)
    side = metrics.capHeight() + 2
    box = QRectF(0, 0, key_width(theme, key), metrics.height() + 6)
    box.moveBottomRight(QPointF(g.rect.right() - 6, g.rect.bottom() - 4))
    if box.left() < g.rect.left():
        return
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(theme.color("surface.overlay"))
    p.drawRoundedRect(box, 4, 4)
    base = box.center().y() + metrics.capHeight() / 2
    x = box.left() + 6
    p.setFont(font)
    p.setPen(theme.color("text.secondary"))
    p.drawText(QPointF(x, base), key.before)
    x += metrics.horizontalAdvance(key.before) + 6
    for color in key.swatches:
        p.fillRect(QRectF(x, base - side + 1, side, side), color)
        x += side
    p.drawText(QPointF(x + 6, base), key.after)
