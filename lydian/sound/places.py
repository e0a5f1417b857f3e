"""The places of events: where their processes are in the picture of the network."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.animation import Animation
from lydian.pieces.places import standing_at
from lydian.sound.space import Listener, Point
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import scene_for
from lydian.views.network.walking import walking_at

__all__ = ["Places"]

Floats = NDArray[np.float64]


class Places:
    """The positions of the processes of a run, which may move."""

    def __init__(self, timeline: Timeline, animation: Animation) -> None:
        self.timeline = timeline
        self.scene = scene_for(timeline, None, animation)

    def at(self, t: float) -> Floats:
        """Return the positions of the processes of the trace at a time, (n, 2)."""
        scene, timeline = self.scene, self.timeline
        standing = standing_at(scene, timeline.count(t), t) or walking_at(scene, t)
        points = scene.positions if standing is None else standing.points
        if scene.renumber is None:
            return points
        found = np.tile(points.mean(axis=0), (timeline.n, 1)) if len(points) else np.zeros((timeline.n, 2))
        known = scene.renumber >= 0
        found[known] = points[scene.renumber[known]]
        return found

    def of(self, row: int) -> Point | None:
        """Return the place of an event; ``None`` if it is at no process."""
        process = int(self.timeline.process[row])
        if process < 0:
            return None
        x, y = self._points(row)[process].tolist()
        return x, y, 0.0

    def middle(self, rows: NDArray[np.int64]) -> Point | None:
        """Return the middle of the places of some events."""
        processes = self.timeline.process[rows]
        processes = processes[processes >= 0]
        if not len(processes):
            return None
        x, y = self._points(int(rows[0]))[processes].mean(axis=0).tolist()
        return x, y, 0.0

    def _points(self, row: int) -> Floats:
        return self.at(float(self.timeline.time[row])) if self._moving else self._still

    @cached_property
    def _moving(self) -> bool:
        scene, k = self.scene, self.timeline.length
        return standing_at(scene, k, self.timeline.end) is not None or scene.paths is not None

    @cached_property
    def _still(self) -> Floats:
        return self.at(0.0)

    def within(self, process: int, t: float) -> Listener:
        """Return a listener at the place of a process, to whom a neighbour at the usual distance is half as loud."""
        x, y = self.at(t)[process].tolist()
        return Listener.within(x, y, self.measure)

    @cached_property
    def measure(self) -> float:
        """The median length of a link; without links, a fifth of the width of the network."""
        points, ends = self.scene.positions, self.scene.ends
        if len(ends):
            return max(float(np.median(np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1))), 1.0)
        return max(float(np.ptp(points, axis=0).max()) / 5 if len(points) else 1.0, 1.0)

    @property
    def listener(self) -> Listener:
        """A listener in front of the whole network."""
        points = self.at(0.0)
        if not len(points):
            return Listener.before(0.0, 0.0, 1.0, 1.0)
        (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        wide, high = max(right - left, 1.0), max(bottom - top, 1.0)
        return Listener.before(left, top, wide, high)
