"""The placement of the labels of the network, each where it hides least, or nowhere.

One step places all labels, important ones first, so that none overlaps another. Places depend only on the network, the
run and the size of the view, so that labels do not jump as time moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from lydian.app.painters.network.netmap import Map

__all__ = ["Key", "Wanted", "around_process", "beside_link", "corner_of", "crossing", "place"]

Floats = NDArray[np.float64]
#: The kind of label, and the number of the process or link to which it belongs.
Key = tuple[str, int]

#: The costs of hiding a process or another label, of leaving the picture, and of crossing a link.
HIDES, OUTSIDE, CROSSES = 10.0, 30.0, 1.8
#: The minimum cost at which a label hides something and is left out.
TOO_MUCH = HIDES * 0.4
#: The minimum distance from the edge of the view.
RIM = 3.0
#: Directions around a process for its text, as unit vectors, and the cost of each: below is best.
_ANGLES = np.arange(16) * np.pi / 8 + np.pi / 2
_ROUND = np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))
_BIAS = 0.55 * (1 - _ROUND[:, 1]) + 0.25 * np.abs(_ROUND[:, 0])


@dataclass(frozen=True, eq=False)
class Wanted:
    """A label to be placed.

    Args:
        key: the label.
        boxes: its possible places, rows left, top, right, bottom.
        bias: the cost of each of these.
        link: the link to which it belongs and which it may cross; -1 for none.
        free: whether it may cross any links (a thing at its process).
        own: the process that it may touch, -1 for none.
    """

    key: Key
    boxes: Floats
    bias: Floats
    link: int = -1
    free: bool = False
    own: int = -1


def place(m: Map, segments: Floats, wanted: Sequence[Wanted], taken: Sequence[QRectF] = ()) -> dict[Key, QRectF]:
    """Return a box for each label in turn; labels that would hide something in every place are left out.

    No two boxes overlap, and none overlaps a process in view or one of the boxes in ``taken``. Of several entries
    with the same key, the first that finds room counts.
    """
    room = _Room(m, segments, taken)
    found: dict[Key, QRectF] = {}
    for want in wanted:
        if want.key in found or not len(want.boxes):
            continue
        boxes = room.inside(want.boxes)
        moved = np.abs(boxes - want.boxes)[:, :2].sum(axis=1) / (boxes[:, 2:] - boxes[:, :2]).sum(axis=1)
        hidden = room.hidden(boxes, want.own)
        crossed = 0.0 if want.free else room.crossed(boxes, want.link)
        cost = hidden + crossed + want.bias + moved
        best = int(np.argmin(np.where(hidden < TOO_MUCH, cost, np.inf)))
        if hidden[best] < TOO_MUCH:
            found[want.key] = _rect(boxes[best])
            room.take(boxes[best])
    return found


class _Room:
    """The obstacles. Boxes are rows left, top, right, bottom."""

    def __init__(self, m: Map, segments: Floats, taken: Sequence[QRectF]) -> None:
        self.rect = m.rect
        half = m.half
        seen = m.points[m.visible]
        self._row = {int(process): row for row, process in enumerate(np.flatnonzero(m.visible))}
        own = np.column_stack((seen - half, seen + half)) if len(seen) else np.empty((0, 4))
        others = np.array([(b.left(), b.top(), b.right(), b.bottom()) for b in taken]).reshape(-1, 4)
        self.boxes: Floats = np.vstack((own, others))
        self.segments = segments
        self.clear = max(3.0, m.d / 6)  # a link may be drawn as a band, and messages travel beside it

    def take(self, box: Floats) -> None:
        """Add a box that is now occupied."""
        self.boxes = np.vstack((self.boxes, box))

    def inside(self, boxes: Floats) -> Floats:
        """Return the boxes, moved into the view if they extend beyond its edge."""
        left, top = self.rect.left() + RIM, self.rect.top() + RIM
        right, bottom = self.rect.right() - RIM, self.rect.bottom() - RIM
        dx = np.clip(left - boxes[:, 0], 0, None) - np.clip(boxes[:, 2] - right, 0, None)
        dy = np.clip(top - boxes[:, 1], 0, None) - np.clip(boxes[:, 3] - bottom, 0, None)
        moved: Floats = boxes + np.column_stack((dx, dy, dx, dy))
        return moved

    def hidden(self, boxes: Floats, process: int = -1) -> Floats:
        """Return the cost of what each box hides, except ``process``."""
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        low = np.maximum(boxes[:, None, :2], self.boxes[None, :, :2])
        high = np.minimum(boxes[:, None, 2:], self.boxes[None, :, 2:])
        common = np.prod(np.clip(high - low, 0, None), axis=2)
        if process in self._row:
            common[:, self._row[process]] = 0
        hidden = (HIDES * ((common > 0) * 0.4 + common / area[:, None])).sum(axis=1)
        rim = np.array([self.rect.left(), self.rect.top(), self.rect.right(), self.rect.bottom()])
        wide, tall = (
            np.clip(np.minimum(boxes[:, i + 2], rim[i + 2]) - np.maximum(boxes[:, i], rim[i]), 0, None) for i in (0, 1)
        )
        found: Floats = hidden + OUTSIDE * (1 - wide * tall / area)
        return found

    def crossed(self, boxes: Floats, own: int = -1) -> Floats:
        """Return the cost of the links that each box crosses, except ``own``."""
        crossed = _crossed(boxes + np.array([-2, -self.clear, 2, self.clear]), self.segments)
        if own >= 0:
            crossed[:, own] = False
        found: Floats = CROSSES * crossed.sum(axis=1)
        return found


def _crossed(boxes: Floats, segments: Floats) -> NDArray[np.bool_]:
    """Return which segments, rows x1 y1 x2 y2, cross which box, (boxes, segments) (Liang and Barsky's clipping)."""
    if not len(segments):
        return np.zeros((len(boxes), 0), dtype=bool)
    start, way = segments[None, :, :2], segments[None, :, 2:] - segments[None, :, :2]
    low, high = boxes[:, None, :2] - start, boxes[:, None, 2:] - start
    with np.errstate(divide="ignore", invalid="ignore"):
        t1, t2 = low / way, high / way
    still = np.broadcast_to(way == 0, t1.shape)
    t1 = np.where(still, np.where(low <= 0, -np.inf, np.inf), t1)
    t2 = np.where(still, np.where(high >= 0, np.inf, -np.inf), t2)
    enter = np.minimum(t1, t2).max(axis=2)
    leave = np.maximum(t1, t2).min(axis=2)
    found: NDArray[np.bool_] = (enter <= leave) & (leave >= 0) & (enter <= 1)
    return found


def crossing(m: Map, segments: Floats, boxes: dict[int, QRectF]) -> dict[int, frozenset[int]]:
    """Return which links cross the box of each process, drawn as wide as a band may be."""
    if not boxes:
        return {}
    wide = max(3.0, m.d / 6)
    rows = np.array([(b.left(), b.top() - wide, b.right(), b.bottom() + wide) for b in boxes.values()])
    found = _crossed(rows, segments)
    return {process: frozenset(np.flatnonzero(row).tolist()) for process, row in zip(boxes, found, strict=True)}


def _around(centres: Floats, width: float, height: float) -> Floats:
    half = np.array([width / 2, height / 2])
    return np.hstack((centres - half, centres + half))


def _rect(box: Floats) -> QRectF:
    left, top, right, bottom = box.tolist()
    return QRectF(left, top, right - left, bottom - top)


def around_process(m: Map, process: int, width: float, height: float, key: Key) -> Wanted:
    """Return the places of a text of the given size beside a process, below it if possible."""
    away = m.half + 3
    reach = np.array([away + width / 2, away + height / 2])
    # First close, then a little farther, and diagonally so that the text begins or ends at the process.
    slant = np.array([(x, y) for x in (-0.42, -0.21, 0.21, 0.42) for y in (1, -1)]) * (width, reach[1])
    beside = np.array([(x, y) for y in (-1.0, -0.5, 0.5, 1.0) for x in (1, -1)]) * reach
    offsets = np.vstack((_ROUND * reach, _ROUND * (reach + height * 0.6), slant, beside))
    slant_bias = np.array([0.3 + (0.9 if y == -1 else 0) for _x in range(4) for y in (1, -1)])
    bias = np.concatenate((_BIAS, _BIAS + 0.5, slant_bias, np.full(8, 0.95)))
    return Wanted(key, _around(m.points[process] + offsets, width, height), bias)


def corner_of(m: Map, process: int, width: float, height: float, key: Key, first: int = 0, rim: float = 0.46) -> Wanted:
    """Return the places of a small thing at a process, at its upper right if possible; ``first`` turns that by eighths.

    ``rim`` is the distance of the thing from the process's centre, as a share of the diameter.
    """
    turn = -np.pi / 4 + (np.arange(16) // 2 * np.where(np.arange(16) % 2, 1, -1) + 2 * first) * np.pi / 8
    reach = np.array([m.d * rim + width / 2, m.d * rim + height / 2])
    square = np.column_stack((np.cos(turn), np.sin(turn)))
    square = square / np.abs(square).max(axis=1, keepdims=True)  # on the edge of a box, not of a circle
    bias: Floats = np.arange(16, dtype=np.float64) * 0.05
    return Wanted(key, _around(m.points[process] + square * reach, width, height), bias, -1, True, process)


def beside_link(m: Map, segment: Floats, width: float, height: float, link: int, key: Key) -> Wanted:
    """Return the places of a label beside the middle of a link."""
    x1, y1, x2, y2 = segment.tolist()
    length = max(float(np.hypot(x2 - x1, y2 - y1)), 1.0)
    nx, ny = -(y2 - y1) / length, (x2 - x1) / length
    # The sideways distance at which the box clears the link and the messages on it.
    clear = abs(nx) * width / 2 + abs(ny) * height / 2 + m.lane + m.head * 0.5 + 2
    along = np.array([0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8])
    centres, bias = [], []
    for far, more in ((1.0, 0.0), (1.5, 0.5)):
        for side in (1, -1):
            middle = np.column_stack((x1 + (x2 - x1) * along, y1 + (y2 - y1) * along))
            centres.append(middle + np.array([nx, ny]) * side * clear * far)
            bias.append(np.abs(along - 0.5) * 3 + more + 0.1 * (centres[-1][:, 1] > (y1 + y2) / 2))
    return Wanted(key, _around(np.vstack(centres), width, height), np.concatenate(bias), link)
