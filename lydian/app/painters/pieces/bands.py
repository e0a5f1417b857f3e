"""Pointers drawn as bands and arrows: waiting chains with chevrons, their pale remains, and tree links."""

from __future__ import annotations

import math
from collections.abc import Iterator

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from lydian.app.look.theme import Theme
from lydian.pieces.bands import Band
from lydian.views.network.basic import BasicFrame

__all__ = ["LONGEST", "draw_arrow", "draw_band", "held_apart"]

#: The factor by which the longest waiting chain is thicker.
LONGEST = 1.5
#: The opacity of lines that a crashed process holds.
FADED = 0.3


def held_apart(p: QPainter, frame: BasicFrame, band: Band) -> Iterator[Band]:
    """Yield the lines that crashed processes hold, to be drawn pale, then the others."""
    down = frame.crashed[band.holder]
    if not down.any():
        yield band
        return
    for opacity, own in ((FADED, down), (1.0, ~down)):
        p.setOpacity(opacity)
        yield band.only(own)
    p.setOpacity(1.0)


def draw_band(
    p: QPainter,
    theme: Theme,
    style: str,
    a: tuple[float, float],
    b: tuple[float, float],
    *,
    longest: bool = False,
    short: bool = False,
    inset: float = 0.0,
) -> None:
    """Draw a pointer from a to b.

    Args:
        style: one of :data:`lydian.pieces.pointers.STYLES`.
        longest: whether it is on the longest waiting chain.
        short: whether it is a short sample for a legend.
        inset: the distance from b at which an arrow ends.
    """
    if style == "arrow":
        draw_arrow(p, theme.color("border.strong"), a, b, theme.line("treeEdge") * 0.7, inset)
        return
    if style == "waiting":
        color, width = theme.color("chain.waiting"), theme.line("waitingChain")
    else:
        color = theme.color("chain.waiting") if style == "waited" else theme.state(3).outline
        width = theme.line("treeEdge")
    if short:
        width = min(width, 6.0 if style == "waiting" else 3.0)
    elif longest:
        width *= LONGEST
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    p.setPen(pen)
    p.drawLine(QPointF(*a), QPointF(*b))
    if style == "waiting":
        _chevrons(p, theme.color("surface.canvas"), a, b, width, short)


def _chevrons(
    p: QPainter, color: QColor, a: tuple[float, float], b: tuple[float, float], width: float, short: bool
) -> None:
    """Draw three small arrows in the middle of the band, towards b."""
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    if length < 4 * width:
        return
    pitch = width * (1.15 if short else 1.7)
    size = width * 0.3
    p.save()
    p.translate((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    p.rotate(math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])))
    path = QPainterPath()
    for step in (-1, 0, 1):
        x = step * pitch + size * 0.5
        path.moveTo(x - size, -size)
        path.lineTo(x, 0)
        path.lineTo(x - size, size)
    pen = QPen(color, max(1.1, width * 0.2))
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    p.strokePath(path, pen)
    p.restore()


def draw_arrow(
    p: QPainter, color: QColor, a: tuple[float, float], b: tuple[float, float], width: float, inset: float = 0.0
) -> None:
    """Draw a line with a head that ends ``inset`` pixels before b."""
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    if length <= inset + 1:
        return
    u, v = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    x, y = b[0] - u * inset, b[1] - v * inset
    size = 3.2 * width + 2
    pen = QPen(color, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    p.setPen(pen)
    p.drawLine(QPointF(*a), QPointF(x - u * size, y - v * size))
    path = QPainterPath(QPointF(x, y))
    path.lineTo(x - u * size - v * size * 0.5, y - v * size + u * size * 0.5)
    path.lineTo(x - u * size + v * size * 0.5, y - v * size - u * size * 0.5)
    path.closeSubpath()
    p.fillPath(path, color)
