"""The signs of a Byzantine process, a horned face, and of a process that the user plays, a hand."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen

from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.app.painters.network.netmap import Map
from lydian.views.network.basic import BasicFrame
from lydian.views.network.liars import liars_at
from lydian.views.network.played import taken_at

__all__ = ["draw_mask", "paint_hands", "paint_masks"]

#: The minimum size of a face with eyes.
_EYES = 9.0


def paint_masks(p: QPainter, theme: Theme, m: Map, frame: BasicFrame) -> None:
    """Draw the face at the upper left of each Byzantine process, or at the lower left if a hand is there."""
    if m.level == "dense":
        return
    size = max(12.0, m.d * 0.54)
    renumber = frame.scene.renumber
    played = taken_at(frame.timeline, frame.k)
    for process in liars_at(frame.timeline, frame.k):
        at = process if renumber is None else int(renumber[process])
        if at < len(m.points) and m.visible[at]:
            x, y = m.points[at].tolist()
            draw_mask(p, theme, x - m.d * 0.48, y + m.d * (0.42 if process in played else -0.42), size)


def draw_mask(p: QPainter, theme: Theme, x: float, y: float, size: float) -> None:
    """Draw a horned face around a point, recognisable by its shape and by the colour of faults."""
    s = size
    face = QPainterPath(QPointF(-0.34 * s, -0.2 * s))
    face.quadTo(-0.56 * s, -0.28 * s, -0.5 * s, -0.62 * s)
    face.quadTo(-0.3 * s, -0.52 * s, -0.15 * s, -0.3 * s)
    face.lineTo(0.15 * s, -0.3 * s)
    face.quadTo(0.3 * s, -0.52 * s, 0.5 * s, -0.62 * s)
    face.quadTo(0.56 * s, -0.28 * s, 0.34 * s, -0.2 * s)
    face.cubicTo(0.44 * s, 0.2 * s, 0.2 * s, 0.5 * s, 0.0, 0.56 * s)
    face.cubicTo(-0.2 * s, 0.5 * s, -0.44 * s, 0.2 * s, -0.34 * s, -0.2 * s)
    p.save()
    p.translate(x, y)
    ground = theme.color("surface.canvas")
    pen = QPen(ground, max(1.6, s * 0.2))
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    p.strokePath(face, pen)
    p.fillPath(face, theme.color("fault.base"))
    if s >= _EYES:
        eyes = QPen(ground, max(1.1, s * 0.1))
        eyes.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(eyes)
        p.drawLines([
            QLineF(-0.2 * s, -0.07 * s, -0.07 * s, 0.02 * s), QLineF(0.2 * s, -0.07 * s, 0.07 * s, 0.02 * s),
            QLineF(-0.1 * s, 0.27 * s, 0.1 * s, 0.27 * s),
        ])  # fmt: skip
    p.restore()


def paint_hands(p: QPainter, theme: Theme, m: Map, frame: BasicFrame) -> None:
    """Draw a hand at the upper left of each process that has been taken over, unless all of three or more have."""
    taken = taken_at(frame.timeline, frame.k)
    if m.level == "dense" or (len(taken) > 2 and len(taken) == len(frame.scene.names)):
        return
    size = max(11.0, m.d * 0.56)
    renumber = frame.scene.renumber
    for process in sorted(taken):
        process = process if renumber is None else int(renumber[process])
        if process < len(m.points) and m.visible[process]:
            x, y = m.points[process].tolist()
            draw_hand(p, theme, x - m.d * 0.48, y - m.d * 0.42, size)


def draw_hand(p: QPainter, theme: Theme, x: float, y: float, size: float) -> None:
    """Draw a disc with a hand in it around a point."""
    p.setPen(QPen(theme.color("surface.canvas"), max(1.2, size * 0.1)))
    p.setBrush(theme.color("accent.base"))
    p.drawEllipse(QPointF(x, y), size / 2, size / 2)
    p.setBrush(Qt.BrushStyle.NoBrush)
    side = size * 0.72
    picture = pixmap("hand", theme.color("text.onAccent"), max(round(side), 1), 3.0)
    p.drawPixmap(QRectF(x - side / 2, y - side / 2, side, side), picture, QRectF(picture.rect()))
