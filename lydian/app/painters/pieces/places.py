"""The painter of the circle or line on which processes are placed."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen

from lydian.app.painters.pieces.piece import Drawing, PiecePainter

__all__ = ["PlacesPainter"]


class PlacesPainter(PiecePainter):
    """The painter of the track of places."""

    def under(self, d: Drawing) -> None:
        """Draw the track, with a tick where its numbers begin, if any process is ever placed on it."""
        p, m, frame, theme = d.p, d.m, d.frame, self.theme
        declared, standing = frame.animation.places, frame.standing
        if declared is None or standing is None or not (declared.track and standing.used):
            return
        track = standing.track
        x, y = track.x * m.scale + m.dx, track.y * m.scale + m.dy
        wide, tall = track.wide * m.scale, track.tall * m.scale
        width = max(1.0, theme.line("link") * 0.7)
        p.setBrush(Qt.BrushStyle.NoBrush)
        p.setPen(QPen(theme.color("link.dim"), width))
        reach = max(5.0, min(m.d * 0.32, 10.0))
        if track.shape == "line":
            p.drawLine(QPointF(x - wide, y), QPointF(x + wide, y))
            start, stop = QPointF(x - wide, y - reach), QPointF(x - wide, y + reach)
        else:
            p.drawEllipse(QPointF(x, y), wide, tall)
            start, stop = QPointF(x, y - tall - reach), QPointF(x, y - tall + reach)
        p.setPen(QPen(theme.color("link.base"), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        p.drawLine(start, stop)
