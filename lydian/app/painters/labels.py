"""Where texts beside processes and chips beside links find room: the place that hides least, or none at all.

Places depend on the network and the size of the view alone, so that nothing jumps about while time moves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from lydian.app.painters.netmap import Map

__all__ = ["crossing", "place_chips", "place_texts"]

Floats = NDArray[np.float64]

#: What hiding costs: a process or another text, leaving the picture, crossing a link.
HIDES, OUTSIDE, CROSSES = 10.0, 30.0, 1.8
#: From this cost on something is hidden, and whatever should stand there is left out.
TOO_MUCH = HIDES * 0.4
#: Nothing stands nearer to the rim of the view than this.
RIM = 3.0
#: Directions round a process in which its text may stand, as unit vectors; and how unwelcome each is: below is best.
_ANGLES = np.arange(16) * np.pi / 8 + np.pi / 2
_ROUND = np.column_stack((np.cos(_ANGLES), np.sin(_ANGLES)))
_BIAS = 0.55 * (1 - _ROUND[:, 1]) + 0.25 * np.abs(_ROUND[:, 0])


class _Room:
    """What is in the way.  Boxes are rows left, top, right, bottom."""

    def __init__(self, m: Map, segments: Floats, taken: list[QRectF]) -> None:
        self.rect = m.rect
        half = m.d * 0.56 + 2
        seen = m.points[m.visible]
        own = np.column_stack((seen - half, seen + half)) if len(seen) else np.empty((0, 4))
        others = np.array([(b.left(), b.top(), b.right(), b.bottom()) for b in taken]).reshape(-1, 4)
        self.boxes: Floats = np.vstack((own, others))
        self.segments = segments
        self.clear = max(3.0, m.d / 6)  # a link may be drawn as a band, and messages fly beside it

    def take(self, box: Floats) -> None:
        """Something stands there now."""
        self.boxes = np.vstack((self.boxes, box))

    def inside(self, boxes: Floats) -> Floats:
        """The boxes moved into the view where they reach beyond its rim."""
        left, top = self.rect.left() + RIM, self.rect.top() + RIM
        right, bottom = self.rect.right() - RIM, self.rect.bottom() - RIM
        dx = np.clip(left - boxes[:, 0], 0, None) - np.clip(boxes[:, 2] - right, 0, None)
        dy = np.clip(top - boxes[:, 1], 0, None) - np.clip(boxes[:, 3] - bottom, 0, None)
        moved: Floats = boxes + np.column_stack((dx, dy, dx, dy))
        return moved

    def costs(self, boxes: Floats, own: int = -1) -> tuple[Floats, Floats]:
        """What each of the boxes hides, and with the links it crosses (but for the one of number ``own``) added."""
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        low = np.maximum(boxes[:, None, :2], self.boxes[None, :, :2])
        high = np.minimum(boxes[:, None, 2:], self.boxes[None, :, 2:])
        common = np.prod(np.clip(high - low, 0, None), axis=2)
        hidden = (HIDES * ((common > 0) * 0.4 + common / area[:, None])).sum(axis=1)
        rim = np.array([self.rect.left(), self.rect.top(), self.rect.right(), self.rect.bottom()])
        wide, tall = (
            np.clip(np.minimum(boxes[:, i + 2], rim[i + 2]) - np.maximum(boxes[:, i], rim[i]), 0, None) for i in (0, 1)
        )
        hidden = hidden + OUTSIDE * (1 - wide * tall / area)
        crossed = _crossed(boxes + np.array([-2, -self.clear, 2, self.clear]), self.segments)
        if own >= 0:
            crossed[:, own] = False
        return hidden, hidden + CROSSES * crossed.sum(axis=1)


def _crossed(boxes: Floats, segments: Floats) -> NDArray[np.bool_]:
    """Which segments, rows x1 y1 x2 y2, run through which box, (boxes, segments) (Liang and Barsky's clipping)."""
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
    """Which links run through the box of each process, drawn as wide as a band may be."""
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


def place_texts(
    m: Map, segments: Floats, processes: list[int], width: float, height: float, taken: list[QRectF]
) -> dict[int, QRectF]:
    """A box of that size beside each of the processes, below it if possible.

    A process is left out if a text would hide something wherever it stood.
    """
    room = _Room(m, segments, taken)
    found = {}
    away = m.d / 2 + 5
    reach = np.array([away + width / 2, away + height / 2])
    # Nearest, a little farther, and aslant below and above so that the text begins or ends at the process.
    slant = np.array([(x, y) for x in (-0.42, -0.21, 0.21, 0.42) for y in (1, -1)]) * (width, reach[1])
    offsets = np.vstack((_ROUND * reach, _ROUND * (reach + height * 0.6), slant))
    slant_bias = np.array([0.3 + (0.9 if y == -1 else 0) for _x in range(4) for y in (1, -1)])
    bias = np.concatenate((_BIAS, _BIAS + 0.5, slant_bias))
    for process in processes:
        boxes = room.inside(_around(m.points[process] + offsets, width, height))
        moved = np.abs(boxes[:, :2] + (width / 2, height / 2) - m.points[process] - offsets).sum(axis=1)
        hidden, cost = room.costs(boxes)
        best = int(np.argmin(cost + bias + moved / (width + height)))
        if hidden[best] < TOO_MUCH:
            found[process] = _rect(boxes[best])
            room.take(boxes[best])
    return found


def place_chips(m: Map, segments: Floats, links: list[int], widths: list[float], height: float) -> dict[int, QRectF]:
    """A box beside the middle of each of the links, of the given widths.

    A link is left out if its chip would hide a process or another chip wherever it stood.
    """
    room = _Room(m, segments, [])
    found = {}
    for link, width in zip(links, widths, strict=True):
        x1, y1, x2, y2 = segments[link].tolist()
        length = max(float(np.hypot(x2 - x1, y2 - y1)), 1.0)
        nx, ny = -(y2 - y1) / length, (x2 - x1) / length
        # How far the box must move sideways to clear the link and the messages on it.
        clear = abs(nx) * width / 2 + abs(ny) * height / 2 + m.lane + m.head * 0.5 + 2
        along = np.array([0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8])
        centres, bias = [], []
        for far, more in ((1.0, 0.0), (1.5, 0.5)):
            for side in (1, -1):
                middle = np.column_stack((x1 + (x2 - x1) * along, y1 + (y2 - y1) * along))
                centres.append(middle + np.array([nx, ny]) * side * clear * far)
                bias.append(np.abs(along - 0.5) * 3 + more + 0.1 * (centres[-1][:, 1] > (y1 + y2) / 2))
        boxes = room.inside(_around(np.vstack(centres), width, height))
        hidden, cost = room.costs(boxes, link)
        best = int(np.argmin(cost + np.concatenate(bias)))
        if hidden[best] < TOO_MUCH:
            found[link] = _rect(boxes[best])
            room.take(boxes[best])
    return found
