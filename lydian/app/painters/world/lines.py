"""Lines in space: links, trails and paths, drawn many at once, paler the farther they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from lydian.app.look.fragments import draw_lines
from lydian.app.look.theme import Theme, mixed
from lydian.views.world.camera import Floats

__all__ = ["draw_foggy", "draw_path", "with_alpha"]

#: The number of degrees of fog in which lines are drawn.
DEGREES = 6


def with_alpha(color: QColor, alpha: float) -> QColor:
    """Return a colour with an opacity."""
    found = QColor(color)
    found.setAlphaF(min(max(alpha * color.alphaF(), 0.0), 1.0))
    return found


def draw_foggy(
    p: QPainter, theme: Theme, color: QColor, a: Floats, b: Floats, fog: Floats, width: float,
    dash: list[float] | None = None,
) -> None:  # fmt: skip
    """Draw lines, those in the thickest fog first, each degree of fog by one call."""
    if not len(a):
        return
    ground = theme.color("surface.canvas")
    degree = np.minimum((fog * DEGREES).astype(np.int64), DEGREES - 1)
    for each in np.unique(degree)[::-1].tolist():
        share = (each + 0.5) / DEGREES
        # A width of 0 means one pixel, which Qt draws ten times as fast as a width of 1.
        wide = max(width * (1.15 - 0.7 * share), 0.6) if width else 0.0
        pen = QPen(mixed(color, ground, share), wide)
        if dash:
            pen.setDashPattern([max(part / max(width, 1.0), 0.5) for part in dash])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        p.setPen(pen)
        some = degree == each
        draw_lines(p, a[some], b[some])


def draw_path(
    p: QPainter, theme: Theme, color: QColor, a: Floats, b: Floats, width: NDArray[np.float64], fog: Floats, *,
    arrows: bool,
) -> None:  # fmt: skip
    """Draw glowing lines, one by one; with ``arrows`` chevrons point to their ends."""
    ground = theme.color("surface.canvas")
    for one, two, wide, haze in zip(a.tolist(), b.tolist(), width.tolist(), fog.tolist(), strict=True):
        start, stop = QPointF(*one), QPointF(*two)
        tint = mixed(color, ground, 0.8 * haze)
        for share, alpha in ((3.6, 0.10), (2.3, 0.16), (1.0, 1.0)):
            pen = QPen(with_alpha(tint, alpha), wide * share)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            p.setPen(pen)
            p.drawLine(start, stop)
        if arrows and wide >= 2.0:
            _chevrons(p, mixed(ground, tint, 0.12), start, stop, wide)


def _chevrons(p: QPainter, color: QColor, start: QPointF, stop: QPointF, width: float) -> None:
    """Draw small arrows in the middle of a line, towards its end."""
    way = stop - start
    length = (way.x() ** 2 + way.y() ** 2) ** 0.5
    if length < 8 * width:
        return
    u, v = way.x() / length, way.y() / length
    size, pitch = 0.8 * width + 1.5, 3.2 * width + 3
    middle = (start + stop) / 2
    path = QPainterPath()
    for step in (-1, 0, 1):
        x, y = middle.x() + u * pitch * step, middle.y() + v * pitch * step
        path.moveTo(x - u * size - v * size, y - v * size + u * size)
        path.lineTo(x, y)
        path.lineTo(x - u * size + v * size, y - v * size - u * size)
    pen = QPen(color, max(1.3, 0.42 * width))
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    p.strokePath(path, pen)
