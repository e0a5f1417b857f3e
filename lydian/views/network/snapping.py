"""Snapping of dragged objects to the grid or to the positions of others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["GRID", "Guide", "Snapped", "on_grid", "snapped"]

Floats = NDArray[np.float64]

#: The grid of a drawing, in its coordinates.
GRID = 24.0
#: Anything closer than this to a line is on it.
SAME = 1e-6


@dataclass(frozen=True)
class Guide:
    """A thin line that shows with which objects a dragged one is aligned.

    Attributes:
        axis: 0 for a vertical line at x = ``value``, 1 for a horizontal one at y = ``value``.
        start, stop: its ends along the other axis.
    """

    axis: int
    value: float
    start: float
    stop: float


@dataclass(frozen=True)
class Snapped:
    """A position after snapping, and the guides that explain it."""

    x: float
    y: float
    guides: tuple[Guide, ...] = ()


def on_grid(value: float, grid: float = GRID) -> float:
    """Return the nearest line of the grid."""
    return round(value / grid) * grid


def snapped(
    x: float, y: float, others: Floats, *, near: float, grid: float | None = GRID, guides: bool = True
) -> Snapped:
    """Return the position to which an object snaps when it is dragged to a place.

    Each axis is treated separately: the object snaps to a nearby object, else to the grid, else not at all.

    Args:
        others: the processes it may line up with, (n, 2).
        near: how far the line of another one may be.
        grid: how far the lines of the grid are apart; None for no grid.
        guides: whether it lines up with others.
    """
    place = [float(x), float(y)]
    aligned = [False, False]
    if guides and len(others):
        for axis in (0, 1):
            away = np.abs(others[:, axis] - place[axis])
            # Of equally near lines, that of the closest object wins.
            best = int(np.lexsort((np.abs(others[:, 1 - axis] - place[1 - axis]), away))[0])
            if away[best] <= near:
                place[axis], aligned[axis] = float(others[best, axis]), True
    if grid is not None:
        for axis in (0, 1):
            if not aligned[axis]:
                place[axis] = on_grid(place[axis], grid)
    if guides and len(others):
        # An object that the grid has aligned with another is shown as aligned.
        for axis in (0, 1):
            aligned[axis] = aligned[axis] or bool((np.abs(others[:, axis] - place[axis]) < SAME).any())
    lines = tuple(_guide(axis, place, others) for axis in (0, 1) if aligned[axis])
    return Snapped(place[0], place[1], lines)


def _guide(axis: int, place: list[float], others: Floats) -> Guide:
    """Return the line through a position and all objects on it."""
    along = others[np.abs(others[:, axis] - place[axis]) < SAME, 1 - axis]
    reach = [*along.tolist(), place[1 - axis]]
    return Guide(axis, place[axis], min(reach), max(reach))
