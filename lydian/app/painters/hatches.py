"""Filled rectangles in large numbers, and the hatches that distinguish states without colour."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPixmap
from shiboken6 import Shiboken

from lydian.app.look.theme import Theme
from lydian.app.painters.time.axis import alpha
from lydian.views.hatches import DOTS, LINES

__all__ = ["draw_rects", "hatch"]


def draw_rects(
    p: QPainter, x: NDArray[Any], y: NDArray[Any], width: NDArray[Any], height: NDArray[Any] | float
) -> None:
    """Draw rectangles with the painter's pen and brush in one call, as :func:`lydian.app.look.fragments.draw_lines`."""
    rows = np.empty((len(x), 4))
    rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3] = x, y, width, height
    if len(rows):
        first: Any = Shiboken.wrapInstance(rows.ctypes.data, QRectF)
        p.drawRects(first, len(rows))


_hatches: dict[tuple[Any, ...], QBrush] = {}


def hatch(theme: Theme, slot: int) -> QBrush:
    """Return the filling of a state: its colour, hatched in the colour of its label."""
    style = theme.state(slot)
    key = (style.fill.rgba(), style.label.rgba(), style.hatch)
    if key not in _hatches:
        tile = QPixmap(16, 16)
        tile.setDevicePixelRatio(2.0)
        tile.fill(style.fill)
        p = QPainter(tile)
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            ink = alpha(style.label, 0.42)
            p.setPen(QPen(ink, 1.1))
            p.setBrush(Qt.BrushStyle.NoBrush)
            for a, b, c, d in LINES.get(style.hatch, ()):
                p.drawLine(QPointF(a, b), QPointF(c, d))
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(ink)
            for a, b in DOTS.get(style.hatch, ()):
                p.drawEllipse(QPointF(a, b), 0.9, 0.9)
        finally:
            p.end()
        _hatches[key] = QBrush(tile)
    return _hatches[key]
