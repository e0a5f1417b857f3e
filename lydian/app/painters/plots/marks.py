"""The marks of plots: thousands of dots, whiskers and boxes, ribbons, steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from lydian.views.plots.trails import thinned

__all__ = ["bars", "beams", "dots", "line_through", "ribbon"]

Floats = NDArray[np.float64]


def _points(x: Floats, y: Floats) -> QPolygonF:
    return QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])


def dots(p: QPainter, x: Floats, y: Floats, color: QColor, size: float) -> None:
    """Draw round dots, one for each group that falls on the same pixels."""
    some = thinned(x, y)
    if not len(some):
        return
    pen = QPen(color, size)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    p.setPen(pen)
    p.drawPoints(_points(x[some], y[some]))


def line_through(p: QPainter, x: Floats, y: Floats, pen: QPen, under: tuple[float, QColor] | None) -> None:
    """Draw a curve through points; ``under`` fills it in a colour down to a height."""
    if under is not None and len(x):
        floor, pale = under
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(pale)
        p.drawPolygon(_points(np.concatenate([x[:1], x, x[-1:]]), np.concatenate([[floor], y, [floor]])))
    p.setPen(pen)
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawPolyline(_points(x, y))


def ribbon(p: QPainter, x: Floats, low: Floats, high: Floats, color: QColor) -> None:
    """Draw a band between two curves, or a bar if there is only one point."""
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(color)
    if len(x) == 1:
        p.drawRect(QRectF(QPointF(float(x[0]) - 7, float(high[0])), QPointF(float(x[0]) + 7, float(low[0]))))
        return
    p.drawPolygon(_points(np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])))


def beams(
    p: QPainter, x: Floats, low: Floats, high: Floats, first: Floats | None, third: Floats | None, color: QColor,
    pale: QColor, width: float,
) -> None:  # fmt: skip
    """Draw vertical lines from low to high with short end bars, and boxes from the first to the third quartile."""
    columns = [each.tolist() for each in (x, low, high)]
    if first is not None and third is not None:
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(pale)
        for a, b, c in zip(columns[0], first.tolist(), third.tolist(), strict=True):
            p.drawRect(QRectF(a - width / 2, min(b, c), width, max(abs(b - c), 1.0)))
    end = max(min(width / 2, 4.0), 1.5)
    lines: list[Any] = []
    for a, b, c in zip(*columns, strict=True):
        if abs(b - c) >= 1.0:
            lines += [QLineF(a, b, a, c), QLineF(a - end, b, a + end, b), QLineF(a - end, c, a + end, c)]
    p.setPen(QPen(color, 1.3))
    p.drawLines(lines)


def bars(p: QPainter, edges: Floats, tops: Floats, floor: float, pen: QPen, pale: QColor) -> None:
    """Draw a histogram, filled and outlined."""
    x = np.repeat(edges, 2)
    y = np.concatenate([[floor], np.repeat(tops, 2), [floor]])
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(pale)
    p.drawPolygon(_points(x, y))
    p.setPen(pen)
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.drawPolyline(_points(x, y))
