"""The placement of the labels of the network: each at its own process or link, where it hides nothing, or nowhere.

One step places all labels, important ones first, so that none overlaps another. Places depend only on the network, the
run and the size of the view, so that labels do not jump as time moves. All of it is arithmetic on arrays in pixels:
boxes are rows left, top, right, bottom, and segments rows x1, y1, x2, y2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from lydian.views.network.fit import crossed, overlapped

__all__ = ["CLEAR", "Ground", "Key", "Wanted", "around_process", "bent", "beside_link", "corner_of", "leader", "place"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
#: The kind of label, and the number of the process or link to which it belongs.
Key = tuple[str, int]

#: The minimum distance of a label from a link, on which a band may be drawn, and from the edge of the view.
CLEAR, RIM = 4.0, 3.0
#: The cost of each link that is crossed by the line to a label or by a small thing at the corner of a process, and of
#: each whose messages pass over a label.
LINES, CORNERS, NEAR = 1.8, 0.12, 0.4
#: The distance of a label from its process, and that from which a line leads to it.
GAP, LED = 3.0, 12.0
#: The number of straight parts of a bent arrow.
PARTS = 8
#: Directions around a process for its text, as unit vectors; the first is below.
_ANGLES = np.arange(16) * np.pi / 8 + np.pi / 2
_ROUND = np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))


@dataclass(frozen=True, eq=False)
class Ground:
    """The drawing on which labels are placed.

    Attributes:
        room: the view: left, top, right, bottom.
        points: the processes, (n, 2).
        half: the reach of the largest shape of a process from its centre.
        segments: the links, (m, 4), and after them further lines that labels must not touch.
        visible: which processes are in view, (n,).
        lane: how far messages beside a link reach from it.
        ways: the ways of messages without links, which labels avoid if they can.
    """

    room: tuple[float, float, float, float]
    points: Floats
    half: float
    segments: Floats = field(default_factory=lambda: np.empty((0, 4)))
    visible: Bools | None = None
    lane: float = 0.0
    ways: Floats = field(default_factory=lambda: np.empty((0, 4)))

    @property
    def plain(self) -> list[object]:
        """Its contents, to be compared."""
        return _plain(self)


@dataclass(frozen=True, eq=False)
class Wanted:
    """A label to be placed.

    Attributes:
        key: the label.
        boxes: its possible places.
        bias: the cost of each of these.
        link: the link to which it belongs and which it may cross; -1 for none.
        own: the process to which it belongs, -1 for none; a line leads to it from a place that is farther away.
        crosses: the cost of each link that it crosses; finite for a thing that touches its process.
    """

    key: Key
    boxes: Floats
    bias: Floats
    link: int = -1
    own: int = -1
    crosses: float = np.inf

    @property
    def plain(self) -> list[object]:
        """Its contents, to be compared."""
        return _plain(self)

    @property
    def free(self) -> bool:
        """Whether it may touch its process and cross links."""
        return bool(np.isfinite(self.crosses))


def _plain(record: Ground | Wanted) -> list[object]:
    values = [getattr(record, each.name) for each in fields(record)]
    return [value.tobytes() if isinstance(value, np.ndarray) else value for value in values]


def place(ground: Ground, wanted: Sequence[Wanted], taken: Floats | None = None) -> dict[Key, Floats]:
    """Return a box for each label; labels that would hide something in every place are left out.

    No two boxes overlap, and none overlaps a process in view or one of the boxes ``taken``, or comes nearer to a link
    than :data:`CLEAR`, unless it may. Kinds of labels are placed in the given order; of one kind, those first that
    have the fewest places. Of several entries with the same key, the first that finds room counts.
    """
    room = _Room(ground, np.empty((0, 4)) if taken is None else taken)
    found: dict[Key, Floats] = {}
    for _, same in groupby(wanted, key=lambda want: want.key[0]):
        labels = list(same)
        choice: dict[Key, int] = {}
        for want in labels:
            choice.setdefault(want.key, int(np.isfinite(room.costs(want)[1]).sum()))
        for want in sorted(labels, key=lambda want: choice[want.key]):
            if want.key in found or not len(want.boxes):
                continue
            boxes, costs = room.costs(want)
            best = int(np.argmin(costs))
            if np.isfinite(costs[best]):
                found[want.key] = boxes[best]
                room.take(want, boxes[best])
    return found


class _Room:
    """The obstacles."""

    def __init__(self, ground: Ground, taken: Floats) -> None:
        self.ground = ground
        points = ground.points
        seen = points if ground.visible is None else points[ground.visible]
        self.processes = np.arange(len(points)) if ground.visible is None else np.flatnonzero(ground.visible)
        self.shapes = np.hstack((seen - ground.half, seen + ground.half))
        self.taken: Floats = taken
        self.lines = np.empty((0, 4))  # that lead to labels
        self._tried: dict[int, _Tried] = {}

    def take(self, want: Wanted, box: Floats) -> None:
        """Add a label that is now placed."""
        self.taken = np.vstack((self.taken, box))
        line = None if want.own < 0 or want.free else leader(self.ground.points[want.own], self.ground.half, box)
        if line is not None:
            self.lines = np.vstack((self.lines, line))

    def _inside(self, boxes: Floats) -> Floats:
        """Return the boxes, moved into the view if they extend beyond its edge."""
        left, top, right, bottom = self.ground.room
        dx = np.clip(left + RIM - boxes[:, 0], 0, None) - np.clip(boxes[:, 2] - right + RIM, 0, None)
        dy = np.clip(top + RIM - boxes[:, 1], 0, None) - np.clip(boxes[:, 3] - bottom + RIM, 0, None)
        moved: Floats = boxes + np.column_stack((dx, dy, dx, dy))
        return moved

    def costs(self, want: Wanted) -> tuple[Floats, Floats]:
        """Return the places of a label, and the cost of each; infinite for one that hides something.

        What does not change is computed once for a label; later calls only look at what has been placed since.
        """
        tried = self._tried.get(id(want))
        if tried is None:
            tried = self._tried[id(want)] = self._first(want)
        taken, lines = self.taken[tried.taken :], self.lines[tried.lines :]
        if len(taken):
            tried.hides |= overlapped(tried.boxes, taken).any(axis=1)
            tried.hides[tried.led] |= crossed(taken, tried.leaders).any(axis=0)
        if len(lines):
            tried.hides |= crossed(tried.boxes, lines).any(axis=1)
        tried.taken, tried.lines = len(self.taken), len(self.lines)
        return tried.boxes, np.where(tried.hides, np.inf, tried.cost)

    def _first(self, want: Wanted) -> _Tried:
        """Return the places of a label, before any of the other labels is considered."""
        boxes = self._inside(want.boxes)
        cost = want.bias + np.abs(boxes - want.boxes)[:, :2].sum(axis=1) / np.ptp(boxes.reshape(-1, 2, 2), axis=1).sum(
            axis=1
        )
        shapes = self.shapes[self.processes != want.own] if want.free else self.shapes
        hides = overlapped(boxes, shapes).any(axis=1)
        left, top, right, bottom = self.ground.room
        hides |= (boxes[:, 0] < left) | (boxes[:, 1] < top) | (boxes[:, 2] > right) | (boxes[:, 3] > bottom)
        tried = _Tried(want, boxes, cost, hides)
        if want.free:
            tried.cost = cost + want.crosses * crossed(boxes, self.ground.segments).sum(axis=1)
        else:
            hides |= self._crossed(boxes, CLEAR, want.link).any(axis=1)
            if self.ground.lane > CLEAR:
                tried.cost = cost + NEAR * self._crossed(boxes, self.ground.lane, want.link).sum(axis=1)
            tried.cost = tried.cost + NEAR * crossed(boxes, self.ground.ways).sum(axis=1)
            if want.own >= 0:
                self._lead(tried)
        return tried

    def _crossed(self, boxes: Floats, clear: float, own: int) -> Bools:
        """Return which segments come nearer to which boxes than ``clear``, except their own."""
        found = crossed(boxes + np.array([-clear, -clear, clear, clear]), self.ground.segments)
        if own >= 0:
            found[:, own] = False
        return found

    def _lead(self, tried: _Tried) -> None:
        """Add the lines that lead from a process to places farther away, and what they hide."""
        own = tried.want.own
        tried.led, tried.leaders = _leaders(self.ground.points[own], self.ground.half, tried.boxes)
        if not len(tried.led):
            return
        lines = tried.leaders
        tried.hides[tried.led] |= crossed(self.shapes[self.processes != own], lines).any(axis=0)
        thin = np.hstack((np.minimum(lines[:, :2], lines[:, 2:]), np.maximum(lines[:, :2], lines[:, 2:])))
        tried.cost[tried.led] += LINES * crossed(thin, self.ground.segments).sum(axis=1)


@dataclass(eq=False)
class _Tried:
    """What is known of the places of a label.

    Attributes:
        want: the label.
        boxes, cost: its places inside the view, and the cost of each.
        hides: which of them hide something.
        led, leaders: the places to which a line leads, and these lines.
        taken, lines: how many of the labels placed so far, and of the lines to them, have been considered.
    """

    want: Wanted
    boxes: Floats
    cost: Floats
    hides: Bools
    led: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    leaders: Floats = field(default_factory=lambda: np.empty((0, 4)))
    taken: int = 0
    lines: int = 0


def _leaders(point: Floats, half: float, boxes: Floats) -> tuple[NDArray[np.int64], Floats]:
    """Return which of the boxes a line leads to from a process, and these lines; the others are beside it."""
    near = np.clip(point, boxes[:, :2], boxes[:, 2:])
    way = near - point
    led = np.flatnonzero(np.abs(way).max(axis=1) >= half + LED)
    near, way = near[led], way[led]
    start = point + way * (half / np.hypot(way[:, 0], way[:, 1]))[:, None]
    return led, np.hstack((start, near))


def leader(point: Floats, half: float, box: Floats) -> Floats | None:
    """Return the line that leads from a process to its label, or None if the label is beside it."""
    _, lines = _leaders(point, half, box[None])
    return lines[0] if len(lines) else None


def bent(a: Floats, b: Floats, bend: Floats, inset: float) -> Floats:
    """Return bent arrows from a to b, (k, 2), as segments, (k * PARTS, 4); they bend to the right by shares of their
    length and end ``inset`` pixels before the processes.
    """
    if not len(a):
        return np.empty((0, 4))
    way = b - a
    middle = (a + b) / 2 + np.column_stack((-way[:, 1], way[:, 0])) * (2 * bend)[:, None]

    def towards(end: Floats) -> Floats:
        out = middle - end
        moved: Floats = end + out * (inset / np.maximum(np.hypot(out[:, 0], out[:, 1]), 1e-9))[:, None]
        return moved

    start, stop = towards(a), towards(b)
    share = np.linspace(0.0, 1.0, PARTS + 1)[:, None, None]
    at = (1 - share) ** 2 * start + 2 * share * (1 - share) * middle + share**2 * stop
    return np.concatenate((at[:-1], at[1:]), axis=2).reshape(-1, 4)


# ------------------------------------------------------------------ the places of each kind


def _around(centres: Floats, width: float, height: float) -> Floats:
    half = np.array([width / 2, height / 2])
    return np.hstack((centres - half, centres + half))


def around_process(ground: Ground, process: int, width: float, height: float, key: Key) -> Wanted:
    """Return the places of a text of the given size at a process: below it, above, right, left, to its sides, then
    farther away.
    """
    reach = np.array([ground.half + GAP + width / 2, ground.half + GAP + height / 2])
    cross = np.array([(0, 1), (0, -1), (1, 0), (-1, 0)]) * reach
    # Below or above, the last of them beside a vertical link; then at its sides, higher or lower.
    aside = np.array([0.2, -0.2, 0.4, -0.4, 0.5, -0.5]) * width + np.array([0, 0, 0, 0, 1, -1]) * (CLEAR + 1)
    slant = np.array([(x, y * reach[1]) for y in (1, -1) for x in aside.tolist()])
    beside = np.array([(x, y) for y in (0.5, -0.5, 1.0, -1.0) for x in (1, -1)]) * reach
    far = [_ROUND * (reach + more) for more in (height * 0.6, LED + height, LED + 3 * height)]
    offsets = np.vstack((cross, slant, beside, *far))
    bias = np.concatenate(
        ((0.0, 0.4, 0.6, 0.65), (0.3, 0.3, 0.5, 0.5, 0.55, 0.55), np.array([0.3, 0.3, 0.5, 0.5, 0.55, 0.55]) + 0.4,
         np.repeat((0.75, 0.85), 4), *(more + 0.3 * (1 - _ROUND[:, 1]) for more in (0.9, 2.2, 3.4)))
    )  # fmt: skip
    return Wanted(key, _around(ground.points[process] + offsets, width, height), bias, own=process)


def corner_of(
    point: Floats,
    process: int,
    reach: float,
    width: float,
    height: float,
    key: Key,
    first: int = 0,
    crosses: float = CORNERS,
) -> Wanted:
    """Return the places of a small thing at a process, at its upper right if possible.

    Args:
        reach: the distance of the thing from the centre of the process.
        first: turns the first place by eighths.
        crosses: the cost of each link that it crosses.
    """
    turn = -np.pi / 4 + (np.arange(16) // 2 * np.where(np.arange(16) % 2, 1, -1) + 2 * first) * np.pi / 8
    away = np.array([reach + width / 2, reach + height / 2])
    square = np.column_stack((np.cos(turn), np.sin(turn)))
    square = square / np.abs(square).max(axis=1, keepdims=True)  # on the edge of a box, not of a circle
    bias: Floats = np.arange(16, dtype=np.float64) * 0.05
    return Wanted(key, _around(point + square * away, width, height), bias, own=process, crosses=crosses)


def beside_link(segment: Floats, width: float, height: float, link: int, key: Key, lane: float) -> Wanted:
    """Return the places of a label beside the middle of a link, clear of the messages that reach ``lane`` from it."""
    x1, y1, x2, y2 = segment.tolist()
    length = max(float(np.hypot(x2 - x1, y2 - y1)), 1.0)
    nx, ny = -(y2 - y1) / length, (x2 - x1) / length
    clear = abs(nx) * width / 2 + abs(ny) * height / 2 + lane + 2
    along = np.array([0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8])
    centres, bias = [], []
    for far, more in ((1.0, 0.0), (1.5, 0.5)):
        for side in (1, -1):
            middle = np.column_stack((x1 + (x2 - x1) * along, y1 + (y2 - y1) * along))
            centres.append(middle + np.array([nx, ny]) * side * clear * far)
            bias.append(np.abs(along - 0.5) * 3 + more + 0.1 * (centres[-1][:, 1] > (y1 + y2) / 2))
    return Wanted(key, _around(np.vstack(centres), width, height), np.concatenate(bias), link)
