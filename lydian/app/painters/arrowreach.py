"""What is near a point of the space-time diagram: dots before lines."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF

from lydian.app.painters.axis import Geometry
from lydian.views.frame import Hit
from lydian.views.time.causality import CausalityFrame

__all__ = ["arrow_end", "thing_at"]

_REACH_EVENT, _REACH_ARROW = 9.0, 5.0


def thing_at(g: Geometry, frame: CausalityFrame, x: float, y: float) -> Hit | None:
    """The event or the message at a point, if one is near enough."""
    scene = frame.scene
    events = np.ones(len(scene.event), bool) if frame.future else scene.event < frame.happened
    arrows = np.isfinite(scene.arrived) | (scene.sent <= frame.t)
    if not frame.future:
        arrows &= scene.sent <= frame.t
    gap = np.hypot(g.at(scene.place) - x, g.y(scene.row) - y)
    gap[~events] = np.inf
    near = int(np.argmin(gap)) if len(gap) else -1
    if near >= 0 and gap[near] <= min(_REACH_EVENT, max(4.0, g.pitch * 0.6)):
        # Events of one moment lie on each other: the last of them is on top.
        return Hit("event", int(scene.event[len(gap) - 1 - int(np.argmin(gap[::-1]))]))
    distance = _distances(g, frame, x, y)
    distance[~arrows] = np.inf
    near = int(np.argmin(distance)) if len(distance) else -1
    return Hit("message", int(scene.message[near])) if near >= 0 and distance[near] <= _REACH_ARROW else None


def arrow_end(g: Geometry, frame: CausalityFrame, place: int) -> QPointF:
    """Where an arrow ends: at its arrival, or where the message is if it has none."""
    scene = frame.scene
    finish = float(scene.finish[place])
    if math.isfinite(finish):
        return QPointF(g.at(finish), g.y(scene.end_row[place]))
    part = frame.fraction[frame.flying == place]
    y0, y1 = g.y(scene.source_row[place]), g.y(scene.end_row[place])
    return QPointF(g.x(frame.t), y0 + (y1 - y0) * (float(part[0]) if len(part) else 0.0))


def _distances(g: Geometry, frame: CausalityFrame, x: float, y: float) -> NDArray[np.float64]:
    """How far a point is from each arrow, in pixels."""
    scene = frame.scene
    x0, y0 = g.at(scene.begin), g.y(scene.source_row)
    known = np.isfinite(scene.finish)
    x1 = np.where(known, g.at(np.where(known, scene.finish, 0.0)), x0)
    y1 = np.where(known, g.y(scene.end_row), y0)
    for place in np.flatnonzero(~known & (scene.sent <= frame.t)).tolist():
        end = arrow_end(g, frame, place)
        x1[place], y1[place] = end.x(), end.y()
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    along = np.divide((x - x0) * dx + (y - y0) * dy, length, out=np.zeros_like(length), where=length > 0)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(x0 + along * dx - x, y0 + along * dy - y)
