"""What surrounds a network in space: the air behind it, the grid of the floor, and the map from above."""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPolygonF, QRadialGradient

from lydian.app.look.fragments import Atlas, draw_lines
from lydian.app.look.shapes import draw_process, draw_text
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.world.lines import draw_foggy, with_alpha
from lydian.language import tr
from lydian.views.world.camera import Eye, Floats
from lydian.views.world.world import WorldFrame

__all__ = ["EDGE", "MapPainter", "draw_air", "draw_floor", "map_box", "on_map"]

#: The number of lines of the floor each way, and the distance between them.
LINES, GAP = 17, 0.3
#: The size of the map, its distance from the edges, and the size of a view below which there is none.
MAP, EDGE, SMALLEST = (176.0, 142.0), 12.0, (520.0, 380.0)
#: The number of processes above which the map shows them as dots, and of links above which it shows none.
SHAPED, LINKED = 60, 600
#: How many pixels beside a process a click on the map still means it.
NEAR = 6.0
#: The room on the map around the network, where the viewer usually is.
AROUND = 1.45


def draw_air(p: QPainter, theme: Theme, rect: QRectF, depth: float) -> None:
    """Fill the view: a little lighter in the middle, like air in a large room."""
    canvas = theme.color("surface.canvas")
    if depth <= 0:
        p.fillRect(rect, canvas)
        return
    far = mixed(canvas, theme.color("surface.panel" if theme.dark else "surface.window"), 0.75 * depth)
    air = QRadialGradient(rect.center(), 0.62 * max(rect.width(), rect.height()))
    middle, edge = (far, canvas) if theme.dark else (canvas, far)
    air.setColorAt(0.0, middle)
    air.setColorAt(1.0, edge)
    p.fillRect(rect, QBrush(air))


def draw_floor(p: QPainter, theme: Theme, eye: Eye, bottom: float) -> None:
    """Draw the faint grid of the floor, fading with the distance from the middle."""
    half = GAP * (LINES - 1) / 2
    steps = np.linspace(-half, half, LINES)
    pieces = np.linspace(-half, half, LINES)
    one, two = np.meshgrid(steps, pieces[:-1], indexing="ij")
    length = pieces[1] - pieces[0]
    fixed, along = one.ravel(), two.ravel()
    level = np.full(len(fixed), bottom)
    a = np.vstack((np.column_stack((fixed, level, along)), np.column_stack((along, level, fixed))))
    b = np.vstack((np.column_stack((fixed, level, along + length)), np.column_stack((along + length, level, fixed))))
    away = np.linalg.norm(((a + b) / 2)[:, [0, 2]], axis=1) / half
    start, stop, _, which = eye.segments(a, b)
    fade = np.clip(0.35 + 0.65 * away[which], 0.0, 1.0)
    visible = fade < 0.99
    color = mixed(theme.color("surface.canvas"), theme.color("border.subtle"), 0.85 * eye.depth)
    draw_foggy(p, theme, color, start[visible], stop[visible], fade[visible], 1.0)


def map_box(theme: Theme, rect: QRectF) -> QRectF:
    """Return the card of the map, in the lower left corner; empty if there is no room for it."""
    if rect.width() < SMALLEST[0] or rect.height() < SMALLEST[1]:
        return QRectF()
    k = theme.px("small") / 12
    wide, tall = MAP[0] * k, MAP[1] * k
    return QRectF(rect.left() + EDGE, rect.bottom() - EDGE - tall, wide, tall)


def _drawn(theme: Theme, box: QRectF, frame: WorldFrame) -> tuple[QRectF, Floats, float]:
    """Return the part of the card in which the network is drawn, the point of its middle, and pixels for a unit."""
    k = theme.px("small") / 12
    inside = box.adjusted(12 * k, 30 * k, -12 * k, -10 * k)
    reach = max(float(np.abs(frame.deep[:, [0, 2]]).max(initial=0.0)), 0.5) * AROUND
    scale = min(inside.width(), inside.height()) / 2 / reach
    return inside, np.array([inside.center().x(), inside.center().y()]), scale


def on_map(theme: Theme, box: QRectF, frame: WorldFrame, x: float, y: float) -> tuple[float, float] | int | None:
    """Return what a point of the map means: a process of the network, else a place x, z; None for the first view."""
    inside, middle, scale = _drawn(theme, box, frame)
    if y < inside.top() - 2:
        return None
    at = middle + frame.places[:, [0, 2]] * scale
    away = np.hypot(at[:, 0] - x, at[:, 1] - y)
    if len(away) and away.min() <= NEAR * theme.px("small") / 12:
        return int(np.argmin(away))
    return (x - float(middle[0])) / scale, (y - float(middle[1])) / scale


class MapPainter:
    """The painter of the map: the network from above, the viewer, and the direction of view."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._dots: dict[float, Atlas] = {}

    def paint(self, p: QPainter, box: QRectF, frame: WorldFrame, eye: Eye) -> None:
        """Draw the map into its card."""
        if box.isEmpty():
            return
        theme, k = self.theme, self.theme.px("small") / 12
        radius = theme.size("radius.card")
        p.setPen(QPen(theme.color("border.subtle"), 1))
        p.setBrush(theme.color("surface.overlay"))
        p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        ink = theme.color("text.primary")
        draw_text(p, theme, box.left() + 10 * k, box.top() + 15 * k, tr("From above"), "small", ink, semibold=True)
        draw_text(
            p, theme, box.right() - 10 * k, box.top() + 15 * k, tr("Home (H)"), "small", "text.secondary", align="right"
        )
        inside, middle, scale = _drawn(theme, box, frame)
        viewer = np.array([eye.camera.eye[0], eye.camera.eye[2]])
        at = middle + frame.places[:, [0, 2]] * scale
        p.save()
        p.setClipRect(box.adjusted(2, 26 * k, -2, -2), Qt.ClipOperation.IntersectClip)
        ends = frame.flat.link_ends
        p.setPen(QPen(theme.color("link.dim"), 1))
        if len(ends) <= LINKED:
            draw_lines(p, at[ends[:, 0]], at[ends[:, 1]])
        _viewer(p, theme, middle + viewer * scale, inside, eye)
        self._marks(p, at, frame, k)
        p.restore()

    def _marks(self, p: QPainter, at: Floats, frame: WorldFrame, k: float) -> None:
        """Draw the processes: as shapes, or as dots if there are many."""
        flat, theme = frame.flat, self.theme
        if len(at) <= SHAPED:
            for (x, y), slot, down in zip(at.tolist(), flat.slots.tolist(), flat.crashed.tolist(), strict=True):
                draw_process(p, theme, x, y, 6.5 * k, slot, crashed=down)
            return
        ratio = p.device().devicePixelRatioF()
        if ratio not in self._dots:

            def draw(inner: QPainter, slot: Hashable) -> None:
                assert isinstance(slot, int)
                inner.setPen(Qt.PenStyle.NoPen)
                inner.setBrush(theme.state(slot).fill)
                inner.drawEllipse(QPointF(0, 0), 1.2 * k, 1.2 * k)

            self._dots = {ratio: Atlas(4 * k, ratio, draw)}
        present, which = np.unique(flat.slots, return_inverse=True)
        self._dots[ratio].paint(p, at[:, 0], at[:, 1], self._dots[ratio].prepare(present.tolist())[which])


def _viewer(p: QPainter, theme: Theme, at: Floats, inside: QRectF, eye: Eye) -> None:
    """Draw the viewer and the field of view; a viewer outside the map is shown at its edge."""
    x = min(max(float(at[0]), inside.left()), inside.right())
    y = min(max(float(at[1]), inside.top()), inside.bottom())
    heading = math.atan2(-math.cos(eye.camera.yaw), math.sin(eye.camera.yaw))
    half, length = math.atan(eye.width / 2 / eye.focal), 0.38 * inside.height()
    sides = [
        QPointF(x + length * math.cos(heading + s * half), y + length * math.sin(heading + s * half)) for s in (-1, 1)
    ]
    accent = theme.color("accent.base")
    p.setPen(Qt.PenStyle.NoPen)
    p.setBrush(with_alpha(accent, 0.28))
    p.drawPolygon(QPolygonF([QPointF(x, y), *sides]))
    p.setPen(QPen(theme.color("text.primary"), 1.4))
    p.setBrush(accent)
    p.drawEllipse(QPointF(x, y), 4.2, 4.2)
