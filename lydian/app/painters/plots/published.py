"""Published numbers in a plot: hollow diamonds at their places, or lines where they apply everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from lydian.views.plots.boxes import Box
from lydian.views.plots.trails import Sign

__all__ = ["curves", "diamond", "published", "upright"]

#: The distance from the centre of a diamond to its corners, and the length of the arrow of an open range.
REACH, ARROW = 7.0, 18.0


def diamond(p: QPainter, x: float, y: float, color: QColor, reach: float = REACH) -> None:
    """Draw a hollow diamond."""
    p.setPen(QPen(color, 1.6))
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawPolygon(
        QPolygonF([QPointF(x, y - reach), QPointF(x + reach, y), QPointF(x, y + reach), QPointF(x - reach, y)])
    )


def curves(p: QPainter, signs: Sequence[Sign], ink: Callable[[int], QColor]) -> None:
    """Draw dotted lines through the points of one formula."""
    lines: dict[tuple[int, int, bool], list[tuple[float, float]]] = {}
    for sign in signs:
        if sign.x is not None and sign.said.mark.curve:
            for upper, end in ((False, sign.low), (True, sign.high)):
                if end is not None and (not upper or end != sign.low):
                    key = (sign.said.mark.entry, sign.said.look, upper)
                    lines.setdefault(key, []).append((sign.x, end))
    for (_, look, _), points in lines.items():
        p.setPen(_dashed(ink(look), 0.6))
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.drawPolyline(QPolygonF([QPointF(x, y) for x, y in sorted(points)]))


def published(p: QPainter, sign: Sign, box: Box, color: QColor) -> None:
    """Draw a number at its place, with an arrow if it is only a bound, or a line across if it applies everywhere."""
    if sign.x is None:
        _across(p, sign, box, color)
        return
    if sign.low is not None and sign.high is not None:
        if sign.low != sign.high:
            p.setPen(QPen(color, 1.6))
            p.drawLine(QPointF(sign.x, sign.low - REACH), QPointF(sign.x, sign.high + REACH))
    else:
        _arrow(p, sign.x, sign.ends[0], -1.0 if sign.high is None else 1.0, color)
    for end in sign.ends:
        diamond(p, sign.x, end, color)


def upright(p: QPainter, sign: Sign, box: Box, color: QColor) -> None:
    """Draw a number in a distribution as a vertical line with a diamond at its top."""
    if len(sign.ends) == 2:
        p.fillRect(QRectF(QPointF(sign.ends[0], box.y), QPointF(sign.ends[1], box.bottom)), _pale(color))
    for end in sign.ends:
        p.setPen(_dashed(color))
        p.drawLine(QLineF(end, box.y + 2 * REACH, end, box.bottom))
        diamond(p, end, box.y + REACH, color)


def _across(p: QPainter, sign: Sign, box: Box, color: QColor) -> None:
    if len(sign.ends) == 2:
        p.fillRect(QRectF(QPointF(box.x, sign.ends[1]), QPointF(box.right, sign.ends[0])), _pale(color))
    at = box.right - 2 * REACH
    for end in sign.ends:
        p.setPen(_dashed(color))
        p.drawLines([QLineF(box.x, end, at - REACH, end), QLineF(at + REACH, end, box.right, end)])
        diamond(p, at, end, color)
    if len(sign.ends) == 1 and sign.low != sign.high:
        _arrow(p, at, sign.ends[0], -1.0 if sign.high is None else 1.0, color)


def _arrow(p: QPainter, x: float, y: float, way: float, color: QColor) -> None:
    """Draw an arrow from a diamond, up (-1) for "at least" or down (1) for "at most"."""
    p.setPen(QPen(color, 1.6))
    top = y + way * ARROW
    p.drawLines(
        [QLineF(x, y + way * REACH, x, top), *(QLineF(x, top, x + side, top - way * 4.0) for side in (-3.0, 3.0))]
    )


def _dashed(color: QColor, alpha: float = 0.9) -> QPen:
    color = QColor(color)
    color.setAlphaF(alpha)
    pen = QPen(color, 1.3)
    pen.setDashPattern([1.2, 2.6])
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


def _pale(color: QColor) -> QColor:
    color = QColor(color)
    color.setAlphaF(0.1)
    return color
