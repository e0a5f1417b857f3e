"""Processes as solid bodies, messages as lights: the pictures of the view World.

The body of a process has the shape and the colours of its state. It always turns the same side to the viewer, so that
a shape is recognised from everywhere, and many bodies can be drawn from one picture.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF, QRadialGradient

from lydian.app.look.shapes import SHAPES, draw_cross, head_path
from lydian.app.look.theme import SLOTS, Theme, mixed
from lydian.views.world.solids import solid

__all__ = ["GLOW", "HALO", "bright_and_dark", "draw_body", "draw_glow", "draw_light", "draw_ring"]

#: The diameter of the glow around a body, and around a message, as a multiple of its own.
GLOW, HALO = 2.3, 3.0


def bright_and_dark(theme: Theme) -> tuple[QColor, QColor]:
    """Return the colours of bright light and of shadow."""
    ink, ground = theme.color("text.primary"), theme.color("surface.canvas")
    return (ink, ground) if theme.dark else (ground, ink)


def _shaded(theme: Theme, color: QColor, bright: float) -> QColor:
    """Return a colour in light (above 0) or in shadow."""
    light, shadow = bright_and_dark(theme)
    if bright > 0:
        return mixed(color, light, min(0.55 * bright, 0.8))
    return mixed(color, shadow, min(-0.75 * bright, 0.8))


def draw_body(
    p: QPainter, theme: Theme, x: float, y: float, d: float, slot: int, *, fog: float = 0.0, crashed: bool = False,
    initiator: bool = False,
) -> None:  # fmt: skip
    """Draw the body of a process.

    Args:
        d: the diameter of the circle into which it fits.
        fog: the share of the colour of the ground in its colours.
        crashed: whether to draw a ruin with a cross in place of the whole body.
        initiator: whether to draw a ring around its foot.
    """
    style, ground = theme.state(slot), theme.color("surface.canvas")
    fill = mixed(style.fill, ground, fog)
    p.save()
    p.translate(x, y)
    p.save()
    if crashed:
        fill = mixed(mixed(fill, theme.color("border.control"), 0.55), ground, 0.25)
        p.setClipPath(_broken(d), Qt.ClipOperation.IntersectClip)
    elif initiator or style.double:
        _foot(p, mixed(theme.color("text.primary"), ground, fog), d, behind=True)
    edge = QPen(mixed(style.outline, ground, fog), max(0.7, d * 0.022))
    edge.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if SHAPES[slot % SLOTS] == "circle":
        _sphere(p, theme, fill, edge, d)
    else:
        for corners, bright in solid(SHAPES[slot % SLOTS]):
            shade = _shaded(theme, fill, bright)
            p.setPen(edge if not theme.dark else QPen(shade, 0.7))
            p.setBrush(shade)
            p.drawPolygon(QPolygonF([QPointF(a * d, b * d) for a, b in corners.tolist()]))
    p.restore()
    if crashed:
        _rubble(p, theme, fill, d)
        draw_cross(p, mixed(theme.color("fault.base"), ground, fog), 0, -d * 0.12, d * 0.26, max(1.4, d * 0.075))
    elif initiator or style.double:
        _foot(p, mixed(theme.color("text.primary"), ground, fog), d, behind=False)
    p.restore()


def _sphere(p: QPainter, theme: Theme, fill: QColor, edge: QPen, d: float) -> None:
    r = 0.46 * d
    shade = QRadialGradient(QPointF(-0.3 * r, -0.4 * r), 1.5 * r)
    shade.setColorAt(0.0, _shaded(theme, fill, 0.7))
    shade.setColorAt(0.35, fill)
    shade.setColorAt(1.0, _shaded(theme, fill, -0.75))
    p.setPen(edge)
    p.setBrush(QBrush(shade))
    p.drawEllipse(QPointF(0, 0), r, r)


def _broken(d: float) -> QPainterPath:
    """Return the part of a body that is left of it: its lower half, with a jagged edge."""
    path = QPainterPath(QPointF(-d, d))
    jagged = (
        (-1.0, 0.05),
        (-0.42, 0.0),
        (-0.3, 0.14),
        (-0.14, -0.14),
        (0.02, 0.1),
        (0.18, -0.04),
        (0.34, 0.16),
        (1.0, 0.06),
    )
    for a, b in jagged:
        path.lineTo(a * d, b * d)
    path.lineTo(d, d)
    path.closeSubpath()
    return path


def _rubble(p: QPainter, theme: Theme, fill: QColor, d: float) -> None:
    """Draw fallen pieces beside a ruin."""
    p.setPen(Qt.PenStyle.NoPen)
    for a, b, size, bright in ((-0.58, 0.42, 0.1, -0.2), (0.56, 0.46, 0.13, 0.1), (0.4, 0.54, 0.07, -0.4)):
        p.setBrush(_shaded(theme, fill, bright))
        r = size * d
        corners = ((a * d - r, b * d), (a * d, b * d - r), (a * d + r, b * d + 0.3 * r), (a * d, b * d + 0.8 * r))
        p.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


def _foot(p: QPainter, color: QColor, d: float, *, behind: bool) -> None:
    """Draw half of the ring around the foot of an initiator."""
    pen = QPen(color, max(1.0, d * 0.045))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    p.setPen(pen)
    p.setBrush(Qt.BrushStyle.NoBrush)
    box = QPolygonF([QPointF(-0.64 * d, 0.12 * d), QPointF(0.64 * d, 0.52 * d)]).boundingRect()
    p.drawArc(box, 0 if behind else 180 * 16, 180 * 16)


def draw_glow(p: QPainter, color: QColor, d: float, strength: float) -> None:
    """Draw the glow around (0, 0) of a body of diameter d."""
    r = GLOW * d / 2
    glow = QRadialGradient(QPointF(0, 0), r)
    for at, alpha in ((0.0, 1.0), (0.45, 0.55), (0.7, 0.18), (1.0, 0.0)):
        shade = QColor(color)
        shade.setAlphaF(strength * alpha)
        glow.setColorAt(at, shade)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(QBrush(glow))
    p.drawEllipse(QPointF(0, 0), r, r)


def draw_light(
    p: QPainter, theme: Theme, d: float, kind: int, color: QColor, fog: float, turn: float | None = None
) -> None:
    """Draw a message around (0, 0): a light in the colour of its kind, with the head of its kind inside.

    Args:
        d: its diameter without the halo.
        turn: the direction of flight in radians; None leaves the head out.
    """
    ground = theme.color("surface.canvas")
    color = mixed(color, ground, fog)
    core = mixed(color, theme.color("text.primary"), 0.62 if theme.dark else 0.0)
    r = HALO * d / 2
    halo = QRadialGradient(QPointF(0, 0), r)
    for at, share, alpha in (
        (0.0, 0.0, 0.95),
        (0.16, 0.25, 0.75),
        (0.34, 1.0, 0.42),
        (0.62, 1.0, 0.14),
        (1.0, 1.0, 0.0),
    ):
        shade = mixed(core, color, share)
        shade.setAlphaF(alpha * (1.0 if theme.dark else 0.7))
        halo.setColorAt(at, shade)
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(QBrush(halo))
    p.drawEllipse(QPointF(0, 0), r, r)
    if turn is None:
        p.setBrush(core)
        p.drawEllipse(QPointF(0, 0), 0.2 * d, 0.2 * d)
        return
    p.save()
    p.rotate(math.degrees(turn))
    head = theme.message(kind).head
    p.fillPath(head_path(head, round(0.62 * d, 1)), core)
    if head == "circle":
        p.setBrush(mixed(color, ground, 0.45 if theme.dark else 1.0))
        p.drawEllipse(QPointF(0, 0), 0.1 * d, 0.1 * d)
    p.restore()


def draw_ring(p: QPainter, theme: Theme, x: float, y: float, d: float, *, chosen: bool) -> None:
    """Draw the ring around a selected thing, or one under the pointer."""
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(theme.color("selection"), theme.line("selectionRing") if chosen else 1.3))
    p.drawEllipse(QPointF(x, y), d / 2, d / 2)
