"""The placement of Lamport times in the space-time diagram, so that they hide neither marks nor each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from lydian.app.look.theme import Theme
from lydian.app.painters.time.axis import Geometry
from lydian.views.time.eventlabels import SIDES, candidates, chosen
from lydian.views.time.spacetime import ArrowScene

__all__ = ["GAP", "ClockLabel", "ClockLabels"]

#: The gap between a dot and its label, in pixels.
GAP = 2.5
#: The cost of each place of a label (see :data:`lydian.views.time.eventlabels.SIDES`), and of being on the side from
#: which a message arrives.
COSTS, ARRIVAL = np.array([0.0, 0.4, 0.5, 0.1, 0.45, 0.55]), 0.2

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClockLabel:
    """A text above or below its dot, with its first and last pixel on the axis."""

    text: str
    left: float
    right: float
    below: bool


class ClockLabels:
    """The labels of one painter.

    A label hides no dot, head or other text and is crossed by no arrow; it prefers the side from which no message
    comes. While only the window moves, the labels in view stay, and others join them if there is room.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.high = 0.0
        self._labels: dict[int, ClockLabel] = {}
        self._rows: dict[int, float] = {}
        self._key: tuple[Any, ...] | None = None
        self._reached: tuple[int, int] = (0, -1)

    @property
    def shown(self) -> dict[int, ClockLabel]:
        """Return the labels that have room, as placed last."""
        return self._labels

    def place(
        self, g: Geometry, scene: ArrowScene, radius: float, head: float, taken: list[QRectF]
    ) -> dict[int, ClockLabel]:
        """Return the labels that have room, by their events.

        Args:
            radius: of the dots, in pixels.
            head: the size of the heads of arrows, in pixels.
            taken: where other texts are, in the coordinates of ``g``.
        """
        metrics = QFontMetricsF(self.theme.font("caption", semibold=True))
        self.high = metrics.capHeight()
        key = (scene.look, g.unit, g.pitch, self.theme.name, self.theme.projector)
        seqs = scene.event
        low, high = (int(seqs[0]), int(seqs[-1])) if len(seqs) else (0, -1)
        apart = low > self._reached[1] or high < self._reached[0]
        if key != self._key or apart or not scene.scale.by_time or len(self._labels) > 5000:
            self._key, self._labels, self._rows, self._reached = key, {}, {}, (low, low - 1)
        if g.pitch < self.high + 2 * radius + 2 * GAP or not len(seqs):
            return self._labels
        full = scene.step & (scene.event_bits > 0) if scene.dimmed else scene.step
        later = np.flatnonzero(full & (seqs > self._reached[1]))
        earlier = np.flatnonzero(full & (seqs < self._reached[0]))[::-1]
        fresh = np.concatenate((later, earlier))
        if len(fresh):
            self._add(g, scene, fresh, metrics, radius, head, taken)
        self._reached = min(low, self._reached[0]), max(high, self._reached[1])
        return self._labels

    def boxes(self, g: Geometry, scene: ArrowScene, radius: float) -> list[QRectF]:
        """Return where the labels of the scene are drawn."""
        found = []
        for seq, row in zip(scene.event.tolist(), scene.row.tolist(), strict=True):
            label = self._labels.get(seq)
            if label is not None:
                y = g.y(row) + (radius + GAP if label.below else -radius - GAP - self.high)
                found.append(QRectF(g.left + label.left - g.offset, y, label.right - label.left, self.high))
        return found

    def _add(
        self,
        g: Geometry,
        scene: ArrowScene,
        fresh: NDArray[np.int64],
        metrics: QFontMetricsF,
        radius: float,
        head: float,
        taken: list[QRectF],
    ) -> None:
        """Label the events that have room, in their order; positions are pixels from the beginning of the axis."""
        texts = [str(number) for number in scene.lamport[fresh].tolist()]
        wide = np.array([metrics.horizontalAdvance(text) for text in texts])
        x, y = scene.place[fresh] * g.unit, scene.row[fresh] * g.pitch
        boxes = candidates(x, y, wide, self.high, radius + GAP)
        cost = np.tile(COSTS, (len(fresh), 1))
        above, below = _arrivals(scene, scene.place[fresh], scene.row[fresh])
        cost += ARRIVAL * np.where([side for _, side in SIDES], below[:, None], above[:, None])
        last = g.rows - 1
        if g.pitch / 2 + 4 < self.high + GAP + 3:  # there is no room below the last row
            cost[np.ix_(scene.row[fresh] == last, [side for _, side in SIDES])] = np.inf
        edge = g.offset - 3.0
        shift = QRectF(g.offset - g.left, (g.first - 0.5) * g.pitch - g.top, 0, 0).topLeft()
        others = [box.translated(shift) for box in taken]
        kept = [self._box(seq, label, g, radius) for seq, label in self._labels.items()]
        kept += [(box.left(), box.top(), box.right(), box.bottom()) for box in others]
        segments, heads = _arrows(g, scene, radius, head)
        x, y = scene.place * g.unit, scene.row * g.pitch
        dots = np.stack((x - radius, y - radius, x + radius, y + radius), axis=1)
        places = chosen(
            boxes, cost, (edge, g.offset + g.right - g.left + 3.0), np.vstack((dots, heads)), segments,
            np.array(kept, dtype=np.float64).reshape(-1, 4),
        )  # fmt: skip
        for number in np.flatnonzero(places >= 0).tolist():
            left, _, right, _ = boxes[number, places[number]].tolist()
            seq = int(scene.event[fresh[number]])
            self._labels[seq] = ClockLabel(texts[number], left, right, SIDES[places[number]][1])
            self._rows[seq] = float(scene.row[fresh[number]])

    def _box(self, seq: int, label: ClockLabel, g: Geometry, radius: float) -> tuple[float, float, float, float]:
        """Return where a label is, in pixels from the beginning of the axis and from the middle of the first row."""
        y = self._rows[seq] * g.pitch + (radius + GAP if label.below else -radius - GAP - self.high)
        return label.left, y, label.right, y + self.high


def _arrivals(scene: ArrowScene, place: Floats, row: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return at which events a message arrives from above, and at which from below."""
    arrows = np.flatnonzero(np.isfinite(scene.finish) & ~scene.lost)
    down = scene.source_row[arrows] < scene.end_row[arrows]
    ends = np.stack((scene.finish[arrows], scene.end_row[arrows].astype(np.float64)), axis=1)
    known = [set(map(tuple, ends[some].tolist())) for some in (down, ~down)]
    events = list(zip(place.tolist(), row.tolist(), strict=True))
    above, below = (np.array([event in some for event in events], dtype=bool) for some in known)
    return above, below


def _arrows(g: Geometry, scene: ArrowScene, radius: float, head: float) -> tuple[Floats, Floats]:
    """Return the arrows as segments, and the boxes of their heads."""
    known = np.isfinite(scene.finish)
    x0, y0 = scene.begin[known] * g.unit, scene.source_row[known] * g.pitch
    x1, y1 = scene.finish[known] * g.unit, scene.end_row[known] * g.pitch
    segments = np.stack((x0, y0, x1, y1), axis=1)
    if len(scene.through):
        segments = np.vstack((segments, scene.through * np.array([g.unit, g.pitch, g.unit, g.pitch])))
    whole = ~scene.lost[known]
    angle = np.arctan2(y1 - y0, x1 - x0)[whole]
    back, half = radius + head * 0.45, head * 0.6
    x, y = x1[whole] - np.cos(angle) * back, y1[whole] - np.sin(angle) * back
    return segments, np.stack((x - half, y - half, x + half, y + half), axis=1)
