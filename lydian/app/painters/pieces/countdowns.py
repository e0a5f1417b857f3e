"""The painter of running timers as pies at their processes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.countdowns import Countdown
from lydian.pieces.piece import LegendItem

__all__ = ["CountdownPainter"]


class CountdownPainter(PiecePainter):
    """The painter of the remaining time of timers."""

    def over(self, d: Drawing) -> None:
        """Draw the remaining time of each process's timer at its lower left corner."""
        p, m, frame, theme = d.p, d.m, d.frame, self.theme
        if not len(frame.countdown) or m.level not in ("full", "medium"):
            return
        radius = max(5.0, m.d * 0.2)
        for process in np.flatnonzero(m.visible & np.isfinite(frame.countdown) & ~frame.crashed).tolist():
            x, y = m.points[process].tolist()
            _pie(p, theme, x - m.d * 0.52, y + m.d * 0.52, radius, float(frame.countdown[process]))

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Countdown, k: float) -> None:
        """Draw a timer that has partly expired."""
        _pie(p, self.theme, box.center().x(), box.center().y(), 5.5 * k, 0.65)


def _pie(p: QPainter, theme: Theme, x: float, y: float, radius: float, share: float) -> None:
    """Draw a pie of which a share is left; it empties clockwise."""
    ink = theme.color("text.secondary")
    p.setPen(QPen(ink, 1.2))
    p.setBrush(theme.color("surface.canvas"))
    p.drawEllipse(QPointF(x, y), radius, radius)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(ink)
    inner = radius - 1.6
    p.drawPie(QRectF(x - inner, y - inner, 2 * inner, 2 * inner), 90 * 16, round(share * 360 * 16))
