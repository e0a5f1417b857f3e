"""Where processes are that walk about (the experiment's mobility): a function of time, whatever happens in the run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lydian.pieces.places import Standing, Track
from lydian.views.network.scene import Scene

__all__ = ["Walking", "walking_at"]


@dataclass(frozen=True, eq=False)
class Walking(Standing):
    """Where the processes are; ``rest`` is where they were at first, and their labels keep the sides of then."""

    @property
    def arrived(self) -> Walking:
        """Itself: nobody is on the way to a place at which to be shown instead."""
        return self


def walking_at(scene: Scene, t: float) -> Walking | None:
    """Return where the processes are at a time; None if the experiment does not let them move."""
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
    room = Track("line", x, y, float(np.sqrt(wide * tall * len(home))) / 4, tall / 2)  # as far apart as they may stand
    settled = ("walking", id(paths))
    return Walking(
        points=points, rest=home, extent=extent, gliding=(points != home).any(axis=1), key=(*settled, t),
        settled=settled, track=room, at=np.full(len(home), np.nan),
    )  # fmt: skip
