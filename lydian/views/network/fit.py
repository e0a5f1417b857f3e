"""The place of a network in its view: the scale that fills it, the size of processes, and what is still empty.

All of it is arithmetic on arrays in pixels. Boxes are rows left, top, right, bottom, and segments rows x1, y1, x2, y2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["STRETCH", "Fit", "crossed", "fit_of", "free_corner", "nearest", "open_point", "overlapped"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Box = tuple[float, float, float, float]

#: The maximum ratio between the scales of the two axes.
STRETCH = 1.8
#: The distance between two points that are tried for something in an empty place.
STEP = 8.0
#: The number of segments above which no empty place is looked for, and the number of places that are compared closely.
MANY = 400
#: The number of pairs of a box and a segment up to which all are compared at once.
FEW = 1500
#: The number of pixels by which a box may seem to be missed only because numbers are rounded.
SLACK = 1e-3


@dataclass(frozen=True)
class Fit:
    """The transformation of a network: a point (x, y) is drawn at (x*scale + dx, y*scale*aspect + dy)."""

    scale: float = 1.0
    dx: float = 0.0
    dy: float = 0.0
    aspect: float = 1.0

    def place(self, points: Floats) -> Floats:
        """Return where points of the network, (n, 2), are drawn."""
        placed: Floats = points * (self.scale, self.scale * self.aspect) + (self.dx, self.dy)
        return placed

    def moved(self, by: float) -> Fit:
        """Return the transformation that draws everything farther to the right."""
        return replace(self, dx=self.dx + by)


def fit_of(points: Floats, room: Box, stretch: float = STRETCH, longest: float = np.inf, typical: float = 0.0) -> Fit:
    """Return the transformation with which points fill a room, with the same middle.

    Args:
        points: the processes, (n, 2), at least one.
        room: where their centres may be.
        stretch: the maximum ratio between the scales of the axes.
        longest: the maximum length in pixels of a distance of length ``typical`` in the network (0: no limit).
    """
    low, high = points.min(axis=0), points.max(axis=0)
    wide, tall = (high - low).tolist()
    across = (room[2] - room[0]) / wide if wide > 0 else np.inf
    down = (room[3] - room[1]) / tall if tall > 0 else np.inf
    if not np.isfinite(across) or not np.isfinite(down):
        across = down = min(across, down)
    across, down = min(across, stretch * down), min(down, stretch * across)
    if not np.isfinite(across):
        across = down = 1.0
    if typical > 0:
        across, down = min(across, longest / typical), min(down, longest / typical)
    middle = (low + high) / 2
    return Fit(
        float(across),
        float((room[0] + room[2]) / 2 - middle[0] * across),
        float((room[1] + room[3]) / 2 - middle[1] * down),
        float(down / across),
    )


def nearest(points: Floats) -> float:
    """Return the distance between the two points that are nearest to each other; infinite for fewer than two."""
    if len(points) < 2:
        return float("inf")
    square = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(square, np.inf)
    return float(np.sqrt(square.min()))


# ------------------------------------------------------------------ what is empty


def overlapped(boxes: Floats, others: Floats) -> Bools:
    """Return which boxes overlap which others, (boxes, others)."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    found: Bools = np.all(high > low, axis=2)
    return found


def crossed(boxes: Floats, segments: Floats) -> Bools:
    """Return which boxes are crossed by which segments, (boxes, segments) (Liang and Barsky's clipping)."""
    found = np.zeros((len(boxes), len(segments)), dtype=np.bool_)
    if not found.size:
        return found
    near: NDArray[np.int64] | slice = slice(None)
    if found.size > FEW:
        near = _near(boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0), segments)
    with np.errstate(divide="ignore", invalid="ignore"):
        (enter_x, leave_x), (enter_y, leave_y) = (
            _within(boxes[:, i, None], boxes[:, i + 2, None], segments[near, i], segments[near, i + 2]) for i in (0, 1)
        )
    enter, leave = np.maximum(enter_x, enter_y), np.minimum(leave_x, leave_y)
    found[:, near] = (enter <= leave) & (leave >= 0) & (enter <= 1)
    return found


def _near(low: Floats, high: Floats, segments: Floats) -> NDArray[np.int64]:
    """Return the segments that may cross anything in a box: no edge or line along a segment separates them."""
    middle, half = (low + high) / 2, (high - low) / 2 + SLACK
    start, way = segments[:, :2] - middle, segments[:, 2:] - segments[:, :2]
    x, y, wide, tall = start[:, 0], start[:, 1], way[:, 0], way[:, 1]
    apart = (np.minimum(x, x + wide) > half[0]) | (np.maximum(x, x + wide) < -half[0])
    apart |= (np.minimum(y, y + tall) > half[1]) | (np.maximum(y, y + tall) < -half[1])
    apart |= np.abs(wide * y - tall * x) > np.abs(wide) * half[1] + np.abs(tall) * half[0]
    return np.flatnonzero(~apart)


def _within(low: Floats, high: Floats, first: Floats, last: Floats) -> tuple[Floats, Floats]:
    """Return the first and the last share of its way at which each segment is between two edges, along one axis.

    The caller ignores the divisions by zero of segments that do not move along it.
    """
    low, high, way = low - first, high - first, last - first
    t1, t2 = low / way, high / way
    still = way == 0
    if still.any():
        t1 = np.where(still, np.where(low <= 0, -np.inf, np.inf), t1)
        t2 = np.where(still, np.where(high >= 0, np.inf, -np.inf), t2)
    return np.minimum(t1, t2), np.maximum(t1, t2)


def free_corner(
    sizes: Sequence[tuple[float, float]], room: Box, boxes: Floats, segments: Floats, air: float = 6.0
) -> tuple[int, Box] | None:
    """Return the first of several sizes that fits into an empty corner of a room, and its box there.

    Corners are tried in the order lower left, upper left, lower right, upper right; one is empty if no box and no
    segment comes closer than ``air``.
    """
    left, top, right, bottom = room
    for number, (wide, tall) in enumerate(sizes):
        if wide > right - left or tall > bottom - top:
            continue
        xs, ys = (left, right - wide), (bottom - tall, top)
        rows = np.array([(x, y, x + wide, y + tall) for x in xs for y in ys])
        wider = rows + np.array([-air, -air, air, air])
        free = ~(overlapped(wider, boxes).any(axis=1) | crossed(wider, segments).any(axis=1))
        if free.any():
            x1, y1, x2, y2 = rows[int(np.argmax(free))].tolist()
            return number, (x1, y1, x2, y2)
    return None


def open_point(
    room: Box, body: Box, boxes: Floats, segments: Floats, least: float, beside: Box | None = None, soft: int = 0
) -> tuple[float, float] | None:
    """Return the emptiest point near the middle of a room for something that surrounds it.

    The point is the farther from boxes and segments, at least ``least``, the better, and worse the farther it is from
    the middle. Return None if there is no such point, or if there are more than :data:`MANY` segments.

    Args:
        body: what must stay inside the room, around the point.
        beside: a further part of it that may come nearer; it covers no box, and rather no segment.
        soft: how many of the last boxes may be covered if necessary.
    """
    left, top, right, bottom = room
    xs = np.arange(left - body[0], right - body[2] + 0.5, STEP)
    ys = np.arange(top - body[1], bottom - body[3] + 0.5, STEP)
    if not len(xs) or not len(ys) or len(segments) > MANY:
        return None
    tried = np.column_stack([each.ravel() for each in np.meshgrid(xs, ys)])
    boxes, labels = boxes[: len(boxes) - soft], boxes[len(boxes) - soft :]
    away = np.full(len(tried), np.inf)
    for low_x, low_y, high_x, high_y in boxes.tolist():
        aside = np.maximum(np.maximum((low_x, low_y) - tried, tried - (high_x, high_y)), 0.0)
        away = np.minimum(away, np.hypot(aside[:, 0], aside[:, 1]))
    for x1, y1, x2, y2 in segments.tolist():
        away = np.minimum(away, _distances(tried, x1, y1, x2, y2))
    middle = np.array([(left + right) / 2, (top + bottom) / 2])
    off = np.abs(tried - middle) / ((right - left) / 2, (bottom - top) / 2)
    score = np.minimum(away, 1.5 * least) - 2.5 * least * np.hypot(off[:, 0], off[:, 1])
    score[away < least] = -np.inf
    best = np.argsort(-score, kind="stable")[:MANY]
    tried, score = tried[best], score[best]
    around = np.hstack((tried, tried)) + np.array([-least, -least, least, least])
    score = score - least * overlapped(around, labels).sum(axis=1)
    if beside is not None:
        near = np.hstack((tried, tried)) + beside
        score = score - 0.2 * least * crossed(near, segments).sum(axis=1)
        score[overlapped(near, boxes).any(axis=1)] = -np.inf
    chosen = int(np.argmax(score))
    return (float(tried[chosen, 0]), float(tried[chosen, 1])) if np.isfinite(score[chosen]) else None


def _distances(points: Floats, x1: float, y1: float, x2: float, y2: float) -> Floats:
    """Return the distances of points from a segment."""
    way = np.array([x2 - x1, y2 - y1])
    share = np.clip(((points - (x1, y1)) @ way) / max(float(way @ way), 1e-12), 0.0, 1.0)
    off = points - (x1, y1) - share[:, None] * way
    found: Floats = np.hypot(off[:, 0], off[:, 1])
    return found
