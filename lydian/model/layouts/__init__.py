"""Layouts: the positions at which the processes of a network are drawn.

Positions are in units of about one pixel at natural size: the distance between processes is at least :data:`APART`, and
a small network fills about 1000 x 600, with x to the right and y downwards. Every layout is a function of the network
alone: the same network always has the same positions. :func:`rearranged` takes existing positions into account.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import numpy as np

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.layouts.alignment import Turn, aligned
from lydian.model.layouts.forces import MANY, spring, stress
from lydian.model.layouts.shapes import APART, Points, Report, circle, disc, grid, lattice, layers, quiet, radial

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["APART", "KINDS", "MANY", "aligned", "lattice", "layout", "placed", "rearranged"]

#: Name -> function from a network, and a report of progress, to points, float64 (n, 2).
KINDS: dict[str, Callable[[Network, Report], Points]] = {
    "circle": circle,
    "grid": grid,
    "spring": spring,
    "layers": layers,
    "radial": radial,
    "stress": stress,
    "disc": disc,
}
#: How a new layout may be turned to be close to the old one; layouts not listed may be turned in any way.
_TURNS: dict[str, Turn] = {"grid": "shift", "layers": "mirror"}


def layout(network: Network, kind: str = "stress", report: Report = quiet) -> Network:
    """Return the same network with positions for all processes.

    Args:
        network: any network, connected or not.
        kind: one of :data:`KINDS`.
        report: a function that is called regularly with the progress; it may raise an exception to cancel the work.

    Raises:
        BadInput: there is no such layout.
    """
    if kind not in KINDS:
        raise BadInput(f"unknown layout {shown(kind)}{did_you_mean(kind, KINDS)}; choose from {', '.join(KINDS)}")
    if not network.n:
        return network
    points = np.round(KINDS[kind](network, report), 1) + 0.0  # avoids -0.0
    return network.replace(positions=dict(zip(network.processes, map(tuple, points.tolist()), strict=True)))


def placed(network: Network) -> Network:
    """Return the network itself if all its processes have positions; otherwise apply a layout that suits its size."""
    if len(network.positions) == network.n:
        return network
    return layout(network, "stress" if network.n <= 150 else "disc")


def rearranged(
    network: Network, kind: str, only: Collection[str] = (), report: Report = quiet
) -> dict[str, tuple[float, float]]:
    """Return the positions of a layout, turned and shifted to be as close as possible to the current positions.

    Layouts in which rows or layers are horizontal are only shifted and mirrored.

    Args:
        network: the network with its positions.
        kind: one of :data:`KINDS`.
        only: the processes to be rearranged, with the links between them; all if there are fewer than two. They fill
            about the same area as before.
        report: as for :func:`layout`.

    Raises:
        BadInput: there is no such layout or process.
    """
    from lydian.model.editing.parts import part

    some = part(network, only) if 1 < len(only) < network.n else network
    old = some.coordinates
    new = layout(some, kind, report).coordinates
    if some is not network:
        new = _as_wide(new, old)
    points = np.round(aligned(new, old, _TURNS.get(kind, "any")), 1) + 0.0
    return dict(zip(some.processes, map(tuple, points.tolist()), strict=True))


def _as_wide(new: Points, old: Points) -> Points:
    """Scale points down to the old extent, but not so far that processes overlap."""
    wide, was = (float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum())) for points in (new, old))
    least = APART / 1.02 if len(new) > MANY else _least(new)
    factor = min(1.0, max(was / max(wide, 1e-9), 1.3 * APART / max(least, 1e-9)))
    return new * factor


def _least(points: Points) -> float:
    """Return the smallest distance between two points."""
    gaps = points[:, None] - points[None, :]
    distance = np.hypot(gaps[..., 0], gaps[..., 1])
    np.fill_diagonal(distance, np.inf)
    return float(distance.min())
