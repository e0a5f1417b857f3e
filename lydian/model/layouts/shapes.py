"""Geometric layouts: circle, grid, disc, layers, radial."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = [
    "APART", "CENTRE", "HEIGHT", "WIDTH", "Points", "Report", "circle", "disc", "grid", "lattice", "layers", "quiet",
    "radial",
]  # fmt: skip

Points = NDArray[np.float64]
#: A function that is called with the progress, 0 to 1; it may raise an exception to cancel the work.
Report = Callable[[float], None]

CENTRE = (500.0, 300.0)
WIDTH, HEIGHT = 900.0, 500.0  # the size of the box that a small network fills, around the centre
APART = 40.0  # the smallest distance between two processes


def quiet(share: float) -> None:
    """Ignore a report of progress."""


def circle(network: Network, report: Report = quiet) -> Points:
    """Place all processes on a circle, in order, the first one at the top."""
    n = network.n
    radius = 0.0 if n == 1 else max(HEIGHT / 2, 1.02 * APART / (2 * math.sin(math.pi / n)))
    return _polar(2 * np.pi * np.arange(n) / n, np.full(n, radius))


def grid(network: Network, report: Report = quiet) -> Points:
    """Place processes in rows and columns, in order, about 1.8 times as wide as high."""
    n = network.n
    columns = min(n, max(1, math.ceil(math.sqrt(n * WIDTH / HEIGHT))))
    return lattice(math.ceil(n / columns), columns)[:n]


def lattice(rows: int, columns: int) -> Points:
    """Return the points of a grid row by row: float64 (rows * columns, 2)."""
    steps = [extent / max(count - 1, 1) for extent, count in ((WIDTH, columns), (HEIGHT, rows))]
    step = min(max(min(steps), 1.5 * APART), 150.0)
    x = CENTRE[0] + step * (np.arange(columns) - (columns - 1) / 2)
    y = CENTRE[1] + step * (np.arange(rows) - (rows - 1) / 2)
    return np.column_stack((np.tile(x, rows), np.repeat(y, columns)))


def disc(network: Network, report: Report = quiet) -> Points:
    """Place many processes like the seeds of a sunflower, the initiator in the centre and its neighbours next to it."""
    n = network.n
    place = np.empty(n)
    place[_breadth_first(network)[0]] = np.arange(n)
    step = max(0.7 * APART, 0.9 * HEIGHT / 2 / math.sqrt(n))  # seeds are at least 1.5 steps apart
    return _polar(place * math.pi * (3 - math.sqrt(5)), step * np.sqrt(place + (0.5 if n > 1 else 0.0)))


def layers(network: Network, report: Report = quiet) -> Points:
    """Place processes in rows by their distance from the initiators, each below those from which it is reached."""
    order, _, depth = _breadth_first(network)
    rows: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for i in order:
        rows[depth[i]].append(i)
    neighbours = _neighbours(network)
    x = np.zeros(network.n)
    widest = max(len(row) for row in rows)
    step = max(1.5 * APART, WIDTH / max(widest - 1, 1)) if widest > 1 else 0.0
    for sweep in range(6):  # down and up: each row in the order of the mean positions of its neighbours (stable sorts)
        report(sweep / 6)
        levels = range(len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1)
        for level in levels:
            towards = level - 1 if sweep % 2 == 0 else level + 1
            near = {i: [x[j] for j in neighbours[i] if depth[j] == towards] or [x[i]] for i in rows[level]}
            if sweep or level:
                rows[level].sort(key=lambda i: sum(near[i]) / len(near[i]))
            for place, i in enumerate(rows[level]):
                x[i] = step * (place - (len(rows[level]) - 1) / 2)
    drop = max(1.5 * APART, min(150.0, HEIGHT / max(len(rows) - 1, 1)))
    y = drop * (np.array(depth) - (len(rows) - 1) / 2)
    return np.column_stack((CENTRE[0] + x, CENTRE[1] + y))


def radial(network: Network, report: Report = quiet) -> Points:
    """Place processes on rings by their distance from the initiators, each in the sector of its predecessor."""
    order, parent, depth = _breadth_first(network)
    n = network.n
    leaves = np.zeros(n)
    for i in reversed(order):
        leaves[i] = max(leaves[i], 1.0)
        if parent[i] >= 0:
            leaves[parent[i]] += leaves[i]
    roots = [i for i in order if parent[i] < 0]
    total = sum(leaves[i] for i in roots)
    used = np.zeros(n)  # the width of each sector, in leaves
    start, angle = np.zeros(n), np.zeros(n)
    before = 0.0
    for i in order:
        if parent[i] < 0:
            start[i], before = before, before + leaves[i]
        else:
            p = parent[i]
            start[i], used[p] = start[p] + used[p], used[p] + leaves[i]
        angle[i] = 2 * np.pi * (start[i] + leaves[i] / 2) / total
    level = np.array(depth) + (0 if len(roots) == 1 else 1)  # several roots share the first ring
    step = max(1.5 * APART, HEIGHT / 2 / max(int(level.max()), 1))
    radii = [0.0]
    for ring in range(1, int(level.max()) + 1):
        angles = np.sort(angle[level == ring])
        gap = float(np.min(np.diff(np.append(angles, angles[0] + 2 * np.pi)))) if len(angles) > 1 else np.pi
        radii.append(max(radii[-1] + step, 1.02 * APART / (2 * math.sin(min(gap, np.pi) / 2))))
    return _polar(angle, np.array(radii)[level])


# ---------------------------------------------------------------------- helpers


def _polar(angle: NDArray[np.float64], radius: NDArray[np.float64]) -> Points:
    """Convert polar coordinates to points, clockwise from the top."""
    return np.column_stack((CENTRE[0] + radius * np.sin(angle), CENTRE[1] - radius * np.cos(angle)))


def _neighbours(network: Network) -> list[list[int]]:
    """Return the neighbours of each process, ignoring directions."""
    found: list[list[int]] = [[] for _ in range(network.n)]
    for i, j in network.ends.tolist():
        found[i].append(j)
        found[j].append(i)
    for row in found:
        row.sort()
    return found


def _breadth_first(network: Network) -> tuple[list[int], list[int], list[int]]:
    """Return processes by distance from the initiators, the predecessor of each (-1: none), and the distances.

    Components that cannot be reached are attached one level below the first, starting from their first process.
    """
    neighbours = _neighbours(network)
    parent, depth = [-1] * network.n, [-1] * network.n
    order: list[int] = []
    starts = [network.index[name] for name in network.initiators] or [0]
    first = 0  # the first process that has not been reached yet
    while len(order) < network.n:
        fresh = len(order)
        for i in starts:
            depth[i] = 0 if not fresh else 1
        order += starts
        at = fresh
        while at < len(order):
            i = order[at]
            at += 1
            for j in neighbours[i]:
                if depth[j] < 0:
                    parent[j], depth[j] = i, depth[i] + 1
                    order.append(j)
        while first < network.n and depth[first] >= 0:
            first += 1
        starts = [first]
    root = order[0]
    for i in order:
        if parent[i] < 0 and depth[i] == 1:
            parent[i] = root
    order.sort(key=lambda i: depth[i])  # a stable sort keeps each process after its predecessor
    return order, parent, depth
