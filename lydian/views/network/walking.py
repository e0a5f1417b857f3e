"""The positions of moving processes (the experiment's mobility): a function of time, whatever the run's events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydian.pieces.places import Standing, Track
from lydian.views.network.scene import Scene

__all__ = ["Walking", "walking_at"]


@dataclass(frozen=True, eq=False)
class Walking(Standing):
    """The positions of the processes; ``rest`` contains their first positions, which fix the sides of their labels."""

    @property
    def arrived(self) -> Walking:
        """The same positions, as no process is gliding to a place."""
        return self


def walking_at(scene: Scene, t: float) -> Walking | None:
    """Return the positions of the processes at a time, or None if the experiment has no mobility."""
    paths = scene.paths
    if paths is None:
        return None
    renumber = scene.renumber
    known = slice(None) if renumber is None else renumber >= 0
    place = slice(None) if renumber is None else renumber[renumber >= 0]
    home, points = scene.positions, scene.positions.copy()
    points[place] = paths.at(t)[known]
    ends = paths.points.reshape(-1, 2)
    extent = np.vstack((np.minimum(ends.min(axis=0), home.min(axis=0)), np.maximum(ends.max(axis=0), home.max(axis=0))))
    (x, y), (wide, tall) = extent.mean(axis=0).tolist(), np.maximum(np.ptp(extent, axis=0), 1.0).tolist()
    # This is the largest distance that is possible.
    room = Track("line", x, y, float(np.sqrt(wide * tall * len(home))) / 4, tall / 2)
    settled = ("walking", id(paths))
    return Walking(
        points=points, rest=home, extent=extent, gliding=(points != home).any(axis=1), key=(*settled, t),
        settled=settled, track=room, at=np.full(len(home), np.nan),
    )  # fmt: skip
