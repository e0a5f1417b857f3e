"""The other people in the world: shoulders, a head, a beam in the direction in which they look, and their name."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF, QRadialGradient

from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.ink import MIDDLE, Ink
from lydian.app.painters.world.bodies import bright_and_dark, draw_glow
from lydian.app.painters.world.lines import with_alpha
from lydian.views.world.camera import NEAR, Eye
from lydian.views.world.figures import SIZE, Figure

__all__ = ["draw_figures"]

#: The largest size of a figure in pixels; somebody who stands before one's eyes must not hide everything.
MOST = 140.0


def draw_figures(p: QPainter, theme: Theme, ink: Ink, eye: Eye, figures: Sequence[Figure]) -> None:
    """Draw people, the farthest first."""
    if not figures:
        return
    at, weight = eye.project(np.array([each.at for each in figures]))
    for one in np.argsort(-weight).tolist():
        if weight[one] > 4 * NEAR:
            d = min(float(eye.size(SIZE, weight[one : one + 1])[0]), MOST)
            x, y = at[one].tolist()
            p.save()
            p.translate(x, y)
            fog = float(eye.fog(weight[one : one + 1])[0])
            _draw(p, theme, d, theme.color(f"tint.{figures[one].tint}.ink"), fog, figures[one].yaw - eye.camera.yaw)
            _name(p, theme, ink, d, figures[one], fog)
            p.restore()


def _draw(p: QPainter, theme: Theme, d: float, color: QColor, fog: float, turn: float) -> None:
    """Draw a person of a size around (0, 0); a turn of 0 looks away from the viewer."""
    ground = theme.color("surface.canvas")
    light, shadow = bright_and_dark(theme)
    color = mixed(color, ground, fog)
    draw_glow(p, color, d, 0.4 if theme.dark else 0.28)
    if math.cos(turn) > 0:
        _beam(p, color, d, turn)
    shoulders = QPainterPath(QPointF(-0.3 * d, 0.5 * d))
    shoulders.cubicTo(-0.3 * d, 0.06 * d, 0.3 * d, 0.06 * d, 0.3 * d, 0.5 * d)
    shoulders.closeSubpath()
    p.setPen(QPen(ground, max(0.8, 0.03 * d)))
    p.setBrush(mixed(color, shadow, 0.26))
    p.drawPath(shoulders)
    r = 0.2 * d
    shade = QRadialGradient(QPointF(-0.3 * r, -0.26 * d - 0.4 * r), 1.6 * r)
    for place, tint in ((0.0, mixed(color, light, 0.38)), (0.4, color), (1.0, mixed(color, shadow, 0.5))):
        shade.setColorAt(place, tint)
    p.setBrush(QBrush(shade))
    p.drawEllipse(QPointF(0, -0.26 * d), r, r)
    if math.cos(turn) <= 0:
        _beam(p, color, d, turn)


def _beam(p: QPainter, color: QColor, d: float, turn: float) -> None:
    x, y = math.sin(turn), -0.35 * math.cos(turn)
    corners = (
        (0.0, -0.26),
        (0.66 * x - 0.2 * y, -0.26 + 0.66 * y - 0.1 * x),
        (0.66 * x + 0.2 * y, -0.26 + 0.66 * y + 0.1 * x),
    )
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(with_alpha(color, 0.55))
    p.drawPolygon(QPolygonF([QPointF(a * d, b * d) for a, b in corners]))


def _name(p: QPainter, theme: Theme, ink: Ink, d: float, figure: Figure, fog: float) -> None:
    if d < 9:
        return
    role = "body" if d > 34 else "small"
    wide, tall = ink.width(figure.name, role, semibold=True) + 14, 1.4 * theme.px(role)
    pill = QRectF(-wide / 2, -0.62 * d - tall, wide, tall)
    p.setOpacity(1.0 - 0.75 * fog)
    p.setPen(QPen(theme.color(f"tint.{figure.tint}.ink"), 1.5))
    p.setBrush(with_alpha(theme.color("surface.window"), 0.82))
    p.drawRoundedRect(pill, tall / 2, tall / 2)
    ink.text(p, pill, figure.name, role, "text.primary", MIDDLE, semibold=True)
    p.setOpacity(1.0)
