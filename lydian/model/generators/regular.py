"""The kinds of network without randomness: their links, and the positions of their processes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput

__all__ = ["Plan", "complete", "grid", "hypercube", "isolated", "line", "one_way_ring", "ring", "star", "torus", "tree"]


@dataclass(frozen=True)
class Plan:
    """A network before it has names.

    Args:
        n: the number of processes.
        pairs: the links, as pairs of numbers of processes.
        points: the positions of the processes, float64 (n, 2), or None: a layout determines them.
        directed: whether a link carries messages only from the first process of its pair to the second.
    """

    n: int
    pairs: list[tuple[int, int]]
    points: NDArray[np.float64] | None = None
    directed: bool = False


def line(n: int) -> Plan:
    """Make a line: 0 - 1 - 2 - ..."""
    return Plan(n, [(i, i + 1) for i in range(n - 1)], _row(n))


def ring(n: int) -> Plan:
    """Make a ring, drawn on a circle."""
    return Plan(n, [(i, (i + 1) % n) for i in range(n)], circle_points(n))


def one_way_ring(n: int) -> Plan:
    """Make a ring with links from each process to the next only, and from the last to process 0."""
    return replace(ring(n), directed=True)


def isolated(n: int) -> Plan:
    """Make a network without links, drawn on a circle."""
    return Plan(n, [], circle_points(n))


def star(n: int) -> Plan:
    """Make a star with process 0 in the centre, linked to all others."""
    points = np.vstack(([[500.0, 300.0]], circle_points(n - 1)))
    return Plan(n, [(0, i) for i in range(1, n)], points)


def complete(n: int) -> Plan:
    """Make a network in which every process is linked to every other one."""
    return Plan(n, [(i, j) for i in range(n) for j in range(i + 1, n)], circle_points(n))


def grid(rows: int, columns: int) -> Plan:
    """Make a grid of rows and columns; processes are numbered row by row."""
    if rows * columns < 2:
        raise BadInput("a grid must have at least 2 processes, not 1")
    from lydian.model.layouts import lattice

    number = np.arange(rows * columns).reshape(rows, columns)
    across = np.column_stack((number[:, :-1].ravel(), number[:, 1:].ravel()))
    down = np.column_stack((number[:-1].ravel(), number[1:].ravel()))
    pairs = sorted((int(i), int(j)) for i, j in np.vstack((across, down)))
    return Plan(rows * columns, pairs, lattice(rows, columns))


def torus(rows: int, columns: int) -> Plan:
    """Make a grid whose last row is linked to its first, and its last column to its first."""
    flat = grid(rows, columns)
    around = [(r * columns, r * columns + columns - 1) for r in range(rows)]
    around += [(c, (rows - 1) * columns + c) for c in range(columns)]
    points = flat.points
    assert points is not None
    # Closing links would pass behind the others, so rows and columns are bent a little to make them visible.
    middle = points.mean(axis=0)
    half = np.maximum((points.max(axis=0) - points.min(axis=0)) / 2, 1.0)
    bend = ((points - middle) / half) ** 2
    step = half[0] * 2 / max(columns - 1, 1)
    points = points + 0.35 * step * np.column_stack((bend[:, 1], bend[:, 0]))
    return Plan(rows * columns, sorted(set(flat.pairs) | set(around)), points)


def tree(n: int) -> Plan:
    """Make a binary tree, filled level by level: the children of i are 2i + 1 and 2i + 2; the root is at the top."""
    depth = n.bit_length() - 1
    level = np.array([(i + 1).bit_length() - 1 for i in range(n)])
    place = np.arange(n) + 1 - 2**level  # 0 .. 2**level - 1 within the level
    width = max(900.0, 44.0 * 2**depth)
    drop = min(130.0, 500.0 / max(depth, 1)) if depth < 6 else 100.0
    x = 500.0 + width * ((place + 0.5) / 2**level - 0.5)
    y = 300.0 + drop * (level - depth / 2)
    return Plan(n, [((i - 1) // 2, i) for i in range(1, n)], np.column_stack((x, y)))


def hypercube(dimensions: int) -> Plan:
    """Link processes whose numbers differ in one binary digit; each digit has its own direction in the drawing."""
    n = 2**dimensions
    pairs = [(i, i | 1 << d) for i in range(n) for d in range(dimensions) if not i >> d & 1]
    ratio, turn = (0.55, 25.0) if dimensions <= 4 else (0.43, 35.0)  # keeps processes off the links between others
    moves = []
    for d in range(dimensions):  # each pair of digits has smaller distances than the next, and is turned
        pair = (dimensions - 1 - d) // 2
        angle = math.radians((90.0 if d % 2 else 0.0) + turn * pair)
        moves.append((ratio**pair * math.cos(angle), ratio**pair * math.sin(angle)))
    digits = np.arange(n)[:, None] >> np.arange(dimensions)[None, :] & 1
    points = digits @ np.array(moves)
    points -= (points.max(axis=0) + points.min(axis=0)) / 2
    extent = np.maximum(np.ptp(points, axis=0), 1e-9)
    points *= np.minimum([820.0, 500.0] / extent, 500.0)
    if n > 2:
        sample = points if n <= 4096 else points[:: n // 4096]
        order = np.lexsort((sample[:, 1], sample[:, 0]))
        near = min(_nearest(sample[order], shift) for shift in range(1, min(len(sample), 24)))
        points *= max(1.0, 44.0 / near)
    return Plan(n, pairs, points + np.array([500.0, 300.0]))


def _nearest(points: NDArray[np.float64], shift: int) -> float:
    """Return the smallest distance between two points that are ``shift`` places apart in this order."""
    return float(np.sqrt(((points[shift:] - points[:-shift]) ** 2).sum(axis=1)).min())


def _row(n: int) -> NDArray[np.float64]:
    step = max(44.0, min(150.0, 900.0 / max(n - 1, 1)))
    return np.column_stack((500.0 + step * (np.arange(n) - (n - 1) / 2), np.full(n, 300.0)))


def circle_points(n: int) -> NDArray[np.float64]:
    """Return points on a circle, clockwise from the top."""
    radius = max(250.0, 44.0 / (2 * math.sin(math.pi / max(n, 2))))
    angle = 2 * np.pi * np.arange(n) / max(n, 1)
    return np.column_stack((500.0 + radius * np.sin(angle), 300.0 - radius * np.cos(angle)))
