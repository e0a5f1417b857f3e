"""A hand at each process that somebody plays: it does nothing by itself."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.app.painters.netmap import Map
from lydian.views.network.basic import BasicFrame
from lydian.views.network.taken import taken_at

__all__ = ["draw_hand", "paint_hands"]


def paint_hands(p: QPainter, theme: Theme, m: Map, frame: BasicFrame) -> None:
    """A hand at the upper left of each process that was taken over and not given back."""
    if m.level == "dense":
        return
    size = max(11.0, m.d * 0.56)
    renumber = frame.scene.renumber
    for process in sorted(taken_at(frame.timeline, frame.k)):
        process = process if renumber is None else int(renumber[process])
        if process < len(m.points) and m.visible[process]:
            x, y = m.points[process].tolist()
            draw_hand(p, theme, x - m.d * 0.48, y - m.d * 0.42, size)


def draw_hand(p: QPainter, theme: Theme, x: float, y: float, size: float) -> None:
    """A disc with a hand in it, around a point."""
    p.setPen(QPen(theme.color("surface.canvas"), max(1.2, size * 0.1)))
    p.setBrush(theme.color("accent.base"))
    p.drawEllipse(QPointF(x, y), size / 2, size / 2)
    p.setBrush(Qt.BrushStyle.NoBrush)
    side = size * 0.72
    picture = pixmap("hand", theme.color("text.onAccent"), max(round(side), 1), 3.0)
    p.drawPixmap(QRectF(x - side / 2, y - side / 2, side, side), picture, QRectF(picture.rect()))
