"""Where texts beside processes and chips beside links find room: the place that hides least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from lydian.app.painters.netmap import Map

__all__ = ["place_chips", "place_texts"]

Floats = NDArray[np.float64]

#: What hiding costs: a process or another text, leaving the picture, crossing a link.
HIDES, OUTSIDE, CROSSES = 10.0, 30.0, 1.8


class _Room:
    """What is in the way."""

    def __init__(self, m: Map, segments: Floats, taken: list[QRectF]) -> None:
        self.rect = m.rect
        half = m.d * 0.56 + 2
        self.boxes = [QRectF(x - half, y - half, 2 * half, 2 * half) for x, y in m.points[m.visible].tolist()]
        self.boxes += taken
        self.segments = segments
        self.clear = max(3.0, m.d / 6)  # a link may be drawn as a band, and messages fly beside it

    def cost(self, box: QRectF, own: NDArray[np.bool_] | None = None) -> float:
        cost = 0.0
        for other in self.boxes:
            common = box & other
            if common.width() > 0 and common.height() > 0:
                cost += HIDES * (0.4 + common.width() * common.height() / (box.width() * box.height()))
        inside = box & self.rect
        cost += OUTSIDE * (1 - max(inside.width(), 0) * max(inside.height(), 0) / (box.width() * box.height()))
        crossed = _crossed(box.adjusted(-2, -self.clear, 2, self.clear), self.segments)
        if own is not None:
            crossed &= ~own
        return cost + CROSSES * float(crossed.sum())


def _crossed(box: QRectF, segments: Floats) -> NDArray[np.bool_]:
    """Which segments, rows x1 y1 x2 y2, run through a box (Liang and Barsky's clipping)."""
    if not len(segments):
        return np.zeros(0, dtype=bool)
    start, way = segments[:, :2], segments[:, 2:] - segments[:, :2]
    low = np.array([box.left(), box.top()]) - start
    high = np.array([box.right(), box.bottom()]) - start
    with np.errstate(divide="ignore", invalid="ignore"):
        t1, t2 = low / way, high / way
    still = way == 0
    t1 = np.where(still, np.where(low <= 0, -np.inf, np.inf), t1)
    t2 = np.where(still, np.where(high >= 0, np.inf, -np.inf), t2)
    enter = np.minimum(t1, t2).max(axis=1)
    leave = np.maximum(t1, t2).min(axis=1)
    found: NDArray[np.bool_] = (enter <= leave) & (leave >= 0) & (enter <= 1)
    return found


def place_texts(
    m: Map, segments: Floats, processes: list[int], width: float, height: float, taken: list[QRectF]
) -> dict[int, QRectF]:
    """A box of that size beside each of the processes, never over it: below, above, right or left."""
    room = _Room(m, segments, taken)
    found = {}
    away = m.d / 2 + 5
    for process in processes:
        x, y = m.points[process].tolist()
        below, above = y + away + height / 2, y - away - height / 2
        right, left = x + away + width / 2, x - away - width / 2
        best = None
        for bias, cx, cy in (
            (0.0, x, below), (0.9, x, above), (1.3, right, y), (1.4, left, y),
            (0.5, x, below + height * 0.6), (1.2, x, above - height * 0.6),
            (0.7, x + width * 0.42, below), (0.7, x - width * 0.42, below),
            (1.6, x + width * 0.42, above), (1.6, x - width * 0.42, above),
        ):  # fmt: skip
            box = QRectF(cx - width / 2, cy - height / 2, width, height)
            cost = bias + room.cost(box)
            if best is None or cost < best[0]:
                best = (cost, box)
        assert best is not None
        found[process] = best[1]
        room.boxes.append(best[1])
    return found


def place_chips(m: Map, segments: Floats, links: list[int], widths: list[float], height: float) -> dict[int, QRectF]:
    """A box beside the middle of each of the links, of the given widths."""
    room = _Room(m, segments, [])
    found = {}
    for link, width in zip(links, widths, strict=True):
        x1, y1, x2, y2 = segments[link].tolist()
        length = max(float(np.hypot(x2 - x1, y2 - y1)), 1.0)
        nx, ny = -(y2 - y1) / length, (x2 - x1) / length
        # How far the box must move sideways to clear the link and the messages on it.
        clear = abs(nx) * width / 2 + abs(ny) * height / 2 + m.lane + m.head * 0.5 + 2
        own = np.zeros(len(segments), dtype=bool)
        own[link] = True
        best = None
        for bias, along in ((0.0, 0.5), (0.3, 0.4), (0.3, 0.6), (0.6, 0.3), (0.6, 0.7)):
            for side in (1, -1):
                cx = x1 + (x2 - x1) * along + side * nx * clear
                cy = y1 + (y2 - y1) * along + side * ny * clear
                box = QRectF(cx - width / 2, cy - height / 2, width, height)
                cost = bias + room.cost(box, own) + (0.1 if cy > (y1 + y2) / 2 else 0)
                if best is None or cost < best[0]:
                    best = (cost, box)
        assert best is not None
        found[link] = best[1]
        room.boxes.append(best[1])
    return found
