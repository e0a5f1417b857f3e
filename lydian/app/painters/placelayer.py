"""Draws the circle or the line on which processes stand whose places come from their variables."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.netmap import Map
from lydian.views.network.basic import BasicFrame

__all__ = ["paint_track"]


def paint_track(p: QPainter, theme: Theme, m: Map, frame: BasicFrame) -> None:
    """The track, with a stroke where its numbers begin, if anybody ever stands on it; under everything else."""
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
