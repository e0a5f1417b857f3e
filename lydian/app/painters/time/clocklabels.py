"""The placement of Lamport times in the space-time diagram, so that they hide neither marks nor each other."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from lydian.app.look.theme import Theme
from lydian.app.painters.time.axis import Geometry
from lydian.views.time.spacetime import ArrowScene

__all__ = ["GAP", "ClockLabel", "ClockLabels"]

#: The gap between a dot and its label, in pixels.
GAP = 2.5


@dataclass(frozen=True)
class ClockLabel:
    """A text at the upper or lower left of its dot, with its first and last pixel on the axis."""

    text: str
    left: float
    right: float
    below: bool


class ClockLabels:
    """The labels of one painter.

    A label avoids the side from which its message comes, and the heads of other arrows. Between two rows there is one
    lane for labels, or two if the rows are far apart. While only the window moves, the labels in view stay, and others
    join them if there is room.
    """

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.high = 0.0
        self._labels: dict[int, ClockLabel] = {}
        self._key: tuple[Any, ...] | None = None
        self._reached: tuple[int, int] = (0, -1)
        self._taken: dict[int, tuple[float, float]] = {}

    @property
    def shown(self) -> dict[int, ClockLabel]:
        """Return the labels that have room, as placed last."""
        return self._labels

    def place(self, g: Geometry, scene: ArrowScene, radius: float, head: float) -> dict[int, ClockLabel]:
        """Return the labels that have room, by their events; ``radius`` of dots and size of heads are in pixels."""
        metrics = QFontMetricsF(self.theme.font("caption", semibold=True))
        self.high = metrics.capHeight()
        key = (scene.look, g.unit, g.pitch, self.theme.name, self.theme.projector)
        seqs = scene.event
        low, high = (int(seqs[0]), int(seqs[-1])) if len(seqs) else (0, -1)
        apart = low > self._reached[1] or high < self._reached[0]
        if key != self._key or apart or not scene.scale.by_time or len(self._labels) > 5000:
            self._key, self._labels, self._taken, self._reached = key, {}, {}, (low, low - 1)
        if g.pitch < self.high + 2 * radius + 2 * GAP or not len(seqs):
            return self._labels
        full = scene.step & (scene.event_bits > 0) if scene.dimmed else scene.step
        later = np.flatnonzero(full & (seqs > self._reached[1]))
        earlier = np.flatnonzero(full & (seqs < self._reached[0]))[::-1]
        if len(later) or len(earlier):
            tight = g.pitch < 2 * (self.high + radius + GAP) + 2
            above, heads = self._arrivals(g, scene, radius, head, tight)
            edge = g.offset - 3.0
            for group, forwards in ((later, True), (earlier, False)):
                for index in group.tolist():
                    self._try(g, scene, index, metrics, above, heads, tight, edge, forwards)
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

    def _try(
        self,
        g: Geometry,
        scene: ArrowScene,
        index: int,
        metrics: QFontMetricsF,
        above: set[tuple[float, float]],
        heads: dict[int, list[tuple[float, float]]],
        tight: bool,
        edge: float,
        forwards: bool,
    ) -> None:
        """Label an event if there is room."""
        text = str(scene.lamport[index])
        row, place = int(scene.row[index]), float(scene.place[index])
        below = (place, float(scene.row[index])) in above
        if below and row == g.rows - 1 and g.pitch / 2 + 4 < self.high + GAP + 3:
            return
        lane = _lane(row, below, tight)
        right = place * g.unit - 2.0
        left = right - metrics.horizontalAdvance(text)
        first, last = self._taken.get(lane, (math.inf, edge))
        room = left > last + 3.0 if forwards else (right < first - 3.0 and left > edge)
        if room and not _meets(heads.get(lane, []), left - 1.0, right + 1.0):
            self._labels[int(scene.event[index])] = ClockLabel(text, left, right, below)
            self._taken[lane] = (min(first, left), max(last, right))

    @staticmethod
    def _arrivals(
        g: Geometry, scene: ArrowScene, radius: float, head: float, tight: bool
    ) -> tuple[set[tuple[float, float]], dict[int, list[tuple[float, float]]]]:
        """Return where messages arrive from above (place, row), and the sorted spans of heads in each lane."""
        arrows = np.flatnonzero(np.isfinite(scene.finish) & ~scene.lost)
        x1, row = scene.finish[arrows] * g.unit, scene.end_row[arrows]
        down = scene.source_row[arrows] < row
        above = set(zip(scene.finish[arrows][down].tolist(), row[down].tolist(), strict=True))
        angle = np.arctan2((row - scene.source_row[arrows]) * g.pitch, x1 - scene.begin[arrows] * g.unit)
        back, half = radius + head * 0.45, head * 0.6
        steep = np.abs(np.sin(angle)) * back + half > radius + GAP
        middle = x1 - np.cos(angle) * back
        heads: dict[int, list[tuple[float, float]]] = {}
        some = np.flatnonzero(steep)[np.argsort(middle[steep], kind="stable")]
        for at, r, from_above in zip(middle[some].tolist(), row[some].tolist(), down[some].tolist(), strict=True):
            heads.setdefault(_lane(int(r), not from_above, tight), []).append((at - half, at + half))
        return above, heads


def _lane(row: int, below: bool, tight: bool) -> int:
    """Return the number of a lane: two between neighbouring rows, or one if the rows are close."""
    return row + below if tight else 2 * row + below


def _meets(spans: list[tuple[float, float]], left: float, right: float) -> bool:
    """Return whether any of the spans, sorted and of equal length, meets a stretch."""
    if not spans:
        return False
    at = bisect_left(spans, (left - (spans[0][1] - spans[0][0]),))
    return at < len(spans) and spans[at][0] < right
