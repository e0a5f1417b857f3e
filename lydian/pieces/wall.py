"""A wall between the two sides of a partition, from the links that are cut until they carry messages again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lydian.language import tr
from lydian.model.network.shape import joined
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.trace.events import Kind
from lydian.views.network.scene import Bools, Floats, Scene
from lydian.views.time.axis import remember

__all__ = ["Wall", "WallFrame", "separating", "wall_at"]

#: With more processes than this, no wall is drawn.
MOST = 60
#: So far from a right angle, as the part of a margin, a wall that is upright or level is preferred.
NEARLY = 0.8


@dataclass(frozen=True)
class Wall:
    """A wall through the network where a partition divides it into two sides.

    There is one if the links that are cut leave exactly two parts, and a straight line passes between them.

    Args:
        word: what the legend calls it.
    """

    word: str = ""


@dataclass(frozen=True, eq=False)
class WallFrame:
    """A partition at a moment: which processes are on the other side, since when, and until when as far as known."""

    declared: Wall
    other: Bools
    since: float
    until: float

    @property
    def words(self) -> str:
        """The text at the wall."""
        if math.isfinite(self.until):
            return tr("cut from {since:g} to {until:g}", since=round(self.since, 2), until=round(self.until, 2))
        return tr("cut since {since:g}", since=round(self.since, 2))


def wall_at(now: Moment, declared: Wall) -> WallFrame | None:
    """Return the partition at a moment, or None if the links that are not cut do not leave exactly two parts."""
    scene = now.scene
    if not now.cut.any() or scene.network.n > MOST:
        return None
    last: list[tuple[bytes, float, WallFrame | None]] = remember(scene.run, ("wall", id(scene)), lambda: ([], scene))[0]
    times = _changes(scene)
    place = int(np.searchsorted(times, now.t, side="right"))
    since = float(times[place - 1]) if place else 0.0
    key = now.cut.tobytes()
    if not last or last[0][:2] != (key, since):
        until = float(times[place]) if place < len(times) else math.inf
        last[:] = [(key, since, _frame(scene, declared, now.cut, since, until))]
    return last[0][2]


def _changes(scene: Scene) -> Floats:
    """Return when links go down or come up, ascending."""
    run = scene.run
    return remember(
        run, "times of cuts", lambda: np.unique(run.time[np.isin(run.kind, (Kind.LINK_DOWN, Kind.LINK_UP))])
    )


def _frame(scene: Scene, declared: Wall, cut: Bools, since: float, until: float) -> WallFrame | None:
    parts = joined(scene.network.n, map(tuple, scene.ends[~cut].tolist()))[0]
    if len(parts) != 2:
        return None
    other = np.zeros(scene.network.n, dtype=bool)
    other[parts[1]] = True
    return WallFrame(declared, other, since, until)


def separating(here: Floats, there: Floats) -> tuple[Floats, Floats, float] | None:
    """Return the widest straight gap between two sets of points: a point in its middle, the unit normal from the first
    set to the second, and its width; None if no line passes between them.
    """
    ways = [(there[None, :, :] - here[:, None, :]).reshape(-1, 2)]
    for points in (here, there):
        along = (points[None, :, :] - points[:, None, :]).reshape(-1, 2)
        ways.append(np.column_stack([-along[:, 1], along[:, 0]]))
    normals = np.concatenate(ways)
    length = np.hypot(normals[:, 0], normals[:, 1])
    normals = normals[length > 1e-9] / length[length > 1e-9, None]
    if not len(normals):
        return None
    near, far = (here @ normals.T).max(axis=0), (there @ normals.T).min(axis=0)
    best = int(np.argmax(far - near))
    for axis in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):  # a wall that is upright or level is easier to see
        for normal in (axis, -axis):
            gap = float((there @ normal).min() - (here @ normal).max())
            if gap > NEARLY * float(far[best] - near[best]) > 0:
                return normal * (float((there @ normal).min() + (here @ normal).max()) / 2), normal, gap
    width = float(far[best] - near[best])
    if width <= 1e-6:
        return None
    normal = normals[best]
    return normal * float(far[best] + near[best]) / 2, normal, width


def legend(seen: Occurring, number: int, declared: Wall) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if declared.word and len(_changes(seen.scene)):
        yield LegendItem.plain("wall", number, declared.word)


def page(tell: Teller, declared: Wall) -> dict[str, str]:
    """Return the page's data; the page knows which links are cut."""
    return {"word": declared.word}


register(Piece("wall", Wall, at=wall_at, legend=legend, page=page, order=5,
               painter="lydian.app.painters.pieces.walls.WallPainter", script="player.wall.js"))  # fmt: skip
