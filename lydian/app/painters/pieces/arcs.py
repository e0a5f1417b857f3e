"""Lines that are not links of the network (arcs, rings), heads on links, areas around groups, and small pictures."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker, QPen, QPolygonF

from lydian.app.look.theme import Theme, parsed, tokens
from lydian.pieces.glyphs import strokes

__all__ = ["arc_pen", "draw_arc", "draw_glyph", "draw_hull", "draw_middle_head", "draw_sign", "hull", "ring_pen"]

Point = tuple[float, float]
#: A corner that protrudes by less than this (twice the area, in square pixels) is due to rounding and is on the line.
FLAT = 1e-3


def arc_pen(theme: Theme, level: int = 0, levels: bool = False) -> QPen:
    """Return the pen of arcs; with levels, each has its own colour and dash (tokens: reach)."""
    if not levels:
        return QPen(theme.color("border.strong"), theme.line("treeEdge") * 0.6)
    kinds: Any = tokens()["reach"]
    looks = kinds.get(theme.name) or kinds["dark" if theme.dark else "light"]
    look = looks[level % len(looks)]
    width = float(look["width"]) * theme.line("link") / theme.size("line.link") * 0.75
    pen = QPen(parsed(look["color"]), width)
    if look["dash"] != "solid":
        pen.setDashPattern([max(float(part) / width, 0.1) for part in look["dash"].split()])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def ring_pen(theme: Theme) -> QPen:
    """Return the pen of the links of a ring."""
    return QPen(theme.color("chain.future"), theme.line("treeEdge"))


def draw_arc(p: QPainter, pen: QPen, a: Point, b: Point, inset: float, bend: float = 0.2) -> None:
    """Draw a bent line from a to b with a head at b, ending ``inset`` pixels before either; it bends to the right."""
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    if length <= 2 * inset + 4:
        return
    u, v = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    sag = length * bend * 2
    middle = ((a[0] + b[0]) / 2 - v * sag, (a[1] + b[1]) / 2 + u * sag)
    start, stop = _towards(a, middle, inset), _towards(b, middle, inset)
    size = 3.0 * pen.widthF() + 2.5
    neck = _towards(stop, middle, size * 0.9)
    path = QPainterPath(QPointF(*start))
    path.quadTo(QPointF(*middle), QPointF(*neck))
    p.strokePath(path, pen)
    _head(p, pen.color(), neck, stop, size)


def _towards(a: Point, b: Point, far: float) -> Point:
    length = max(math.hypot(b[0] - a[0], b[1] - a[1]), 1e-9)
    return a[0] + (b[0] - a[0]) * far / length, a[1] + (b[1] - a[1]) * far / length


def _head(p: QPainter, color: QColor, neck: Point, tip: Point, size: float) -> None:
    length = max(math.hypot(tip[0] - neck[0], tip[1] - neck[1]), 1e-9)
    u, v = (tip[0] - neck[0]) / length, (tip[1] - neck[1]) / length
    path = QPainterPath(QPointF(*tip))
    path.lineTo(tip[0] - u * size - v * size * 0.5, tip[1] - v * size + u * size * 0.5)
    path.lineTo(tip[0] - u * size + v * size * 0.5, tip[1] - v * size - u * size * 0.5)
    path.closeSubpath()
    p.fillPath(path, color)


def draw_middle_head(p: QPainter, color: QColor, ground: QColor, a: Point, b: Point, size: float) -> None:
    """Draw a head on the line from a to b, a little beyond its middle, with an edge in the colour of the background."""
    length = math.hypot(b[0] - a[0], b[1] - a[1])
    if length < size * 1.5:
        return
    u, v = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    x, y = (a[0] + b[0]) / 2 + u * size * 0.75, (a[1] + b[1]) / 2 + v * size * 0.75
    corners = [(x, y), (x - u * size - v * size * 0.6, y - v * size + u * size * 0.6),
               (x - u * size * 0.7, y - v * size * 0.7),
               (x - u * size + v * size * 0.6, y - v * size - u * size * 0.6)]  # fmt: skip
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    path.closeSubpath()
    p.strokePath(path, QPen(ground, 2.0))
    p.fillPath(path, color)


def draw_hull(p: QPainter, points: NDArray[np.float64], air: float, color: QColor) -> None:
    """Draw a rounded area around points, with a margin of ``air`` pixels."""
    path = QPainterPath()
    corners = hull(points)
    path.addPolygon(QPolygonF([QPointF(*corner) for corner in [*corners, corners[0]]]))
    if len(corners) == 1:
        path = QPainterPath(QPointF(*corners[0]))
        path.lineTo(corners[0][0] + 0.01, corners[0][1])
    stroker = QPainterPathStroker()
    stroker.setWidth(2 * air)
    stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    area = stroker.createStroke(path)
    if len(corners) > 2:
        area = area.united(path)
    soft = QColor(color)
    soft.setAlphaF(0.14)
    p.fillPath(area, soft)
    edge = QColor(color)
    edge.setAlphaF(0.75)
    p.strokePath(area.simplified(), QPen(edge, 1.4))


def hull(points: NDArray[np.float64]) -> list[Point]:
    """Return the corners of the convex hull (Andrew's monotone chain); for points on one line, its two ends."""
    ordered: list[Point] = sorted({(float(x), float(y)) for x, y in points.tolist()})
    if len(ordered) < 3:
        return ordered

    def half(rows: list[Point]) -> list[Point]:
        chain: list[Point] = []
        for x, y in rows:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > FLAT:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return half(ordered) + half(ordered[::-1])


@functools.lru_cache(maxsize=256)
def _paths(drawing: str, size: float) -> tuple[tuple[QPainterPath, bool], ...]:
    found = []
    for points, closed in strokes(drawing):
        path = QPainterPath(QPointF(points[0][0] * size, points[0][1] * size))
        for x, y in points[1:]:
            path.lineTo(x * size, y * size)
        if closed:
            path.closeSubpath()
        found.append((path, closed))
    return tuple(found)


def draw_glyph(p: QPainter, theme: Theme, x: float, y: float, half: float, drawing: str, ink: QColor) -> None:
    """Draw the picture of a process, ``half`` pixels to every side of (x, y)."""
    if len(drawing) <= 2:
        draw_sign(p, theme, QRectF(x - half, y - half, 2 * half, 2 * half), drawing, ink)
        return
    p.save()
    p.translate(x, y)
    for path, closed in _paths(drawing, round(half, 2)):
        if closed:
            p.fillPath(path, ink)
        else:
            pen = QPen(ink, max(1.2, half * 0.22))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            p.strokePath(path, pen)
    p.restore()


def draw_sign(p: QPainter, theme: Theme, box: QRectF, text: str, ink: QColor) -> None:
    """Draw one or two characters, as high as the box."""
    font = theme.font("caption", semibold=True)
    font.setPixelSize(max(5, round(box.height() * (0.9 if len(text) < 2 else 0.7))))
    p.setFont(font)
    p.setPen(ink)
    p.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
