"""Draws a timer that runs as a pie at its process."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.netmap import Map
from lydian.views.network.basic import BasicFrame

__all__ = ["draw_pie", "paint_pies"]


def paint_pies(p: QPainter, theme: Theme, m: Map, frame: BasicFrame) -> None:
    """What is left of each process' timer, at its lower left corner."""
    if not len(frame.countdown) or m.level not in ("full", "medium"):
        return
    radius = max(5.0, m.d * 0.2)
    for process in np.flatnonzero(m.visible & np.isfinite(frame.countdown) & ~frame.crashed).tolist():
        x, y = m.points[process].tolist()
        draw_pie(p, theme, x - m.d * 0.52, y + m.d * 0.52, radius, float(frame.countdown[process]))


def draw_pie(p: QPainter, theme: Theme, x: float, y: float, radius: float, share: float) -> None:
    """A pie of which a share is left; it empties as a clock goes."""
    ink = theme.color("text.secondary")
    p.setPen(QPen(ink, 1.2))
    p.setBrush(theme.color("surface.canvas"))
    p.drawEllipse(QPointF(x, y), radius, radius)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(ink)
    inner = radius - 1.6
    p.drawPie(QRectF(x - inner, y - inner, 2 * inner, 2 * inner), 90 * 16, round(share * 360 * 16))
