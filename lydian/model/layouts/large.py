"""Layouts of large networks, from a thousand processes on, in which some pivots represent all processes.

Pivot multidimensional scaling (Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling of large
data", 2006) of the distances from about fifty processes gives the shape; a few sweeps of sparse stress (Ortmann,
Klimenta and Brandes, "A sparse stress model", 2016) smooth it; forces from the nearest processes and from the cells of
a grid (Fruchterman and Reingold's own method for large networks) turn it into a spring layout. The work grows like
links + 50 n.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lydian.model.layouts.shapes import Points, Report
from lydian.model.streams import stream_key, uniforms

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from lydian.model.network import Network

__all__ = ["large_spring", "large_stress", "separated"]

PIVOTS = 50
#: The number of rounds: of sparse stress, of separation (approximately, for the report), of the spring layout.
SWEEPS, PUSHES, STEPS = 40, 60, 60
#: The number of cells on each side of the grid that represents distant processes.
CELLS = 16


def large_stress(network: Network, report: Report) -> Points:
    """Make distances in the picture similar to distances in links, as far as pivots show them; one link has length
    1."""
    return _by_parts(network, report, _stressed)


def large_spring(network: Network, report: Report) -> Points:
    """Place processes by attraction of links and repulsion of processes; a link has a length of about 1."""
    return _by_parts(network, report, _sprung)


def _by_parts(network: Network, report: Report, draw: Callable[[csr_array, Report], Points]) -> Points:
    """Lay out each connected component separately, the largest first, and place them side by side in rows."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n = network.n
    i, j = network.ends[:, 0], network.ends[:, 1]
    graph = csr_array((np.ones(2 * len(i), dtype=np.float64), (np.r_[i, j], np.r_[j, i])), shape=(n, n))
    graph.data[:] = 1.0
    count, part = connected_components(graph, directed=False)
    if count == 1:
        return draw(graph, report)
    members = np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part))[:-1])
    members.sort(key=lambda some: (-len(some), some[0]))
    points, done, boxes = np.zeros((n, 2)), 0, []
    for some in members:
        before, share = done / n, len(some) / n
        if len(some) > 2:
            own = draw(graph[some][:, some], _within(report, before, share))
        else:
            own = np.column_stack((np.arange(len(some), dtype=np.float64), np.zeros(len(some))))
        points[some] = own - own.min(axis=0)
        boxes.append(np.ptp(own, axis=0) + 1.5)
        done += len(some)
    wide = max(float(np.sqrt(1.6 * sum(w * h for w, h in boxes))), max(w for w, _ in boxes))
    x = y = row = 0.0
    for some, (w, h) in zip(members, boxes, strict=True):
        if x and x + w > wide:
            x, y, row = 0.0, y + row, 0.0
        points[some] += (x, y)
        x, row = x + w, max(row, h)
    return points


def _within(report: Report, before: float, share: float) -> Report:
    return lambda done: report(before + share * done)


def _pivots(graph: csr_array) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return processes far from each other, and the distances from them: float64 (number of pivots, n)."""
    from scipy.sparse.csgraph import dijkstra

    n = graph.shape[0]
    chosen = [int(np.argmax(np.diff(graph.indptr)))]
    rows = []
    nearest = np.full(n, np.inf)
    while True:
        rows.append(dijkstra(graph, indices=chosen[-1], unweighted=True))
        nearest = np.minimum(nearest, rows[-1])
        if len(chosen) == min(PIVOTS, n) or not nearest.any():
            return np.array(chosen), np.array(rows)
        chosen.append(int(np.argmax(nearest)))


def _scaled(far: NDArray[np.float64]) -> Points:
    """Apply pivot multidimensional scaling to distances (pivots, n): float64 (n, 2)."""
    square = far.T**2
    centred = -0.5 * (square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean())
    values, vectors = np.linalg.eigh(centred.T @ centred)
    points = centred @ vectors[:, -2:][:, ::-1]
    size = np.sqrt(np.maximum(values[-2:][::-1], 1e-12))
    points = points / np.sqrt(size)  # makes lengths comparable with distances
    n = len(points)
    noise = uniforms([stream_key(0, "large", "x"), stream_key(0, "large", "y")], 0, n).T - 0.5
    flat = points - points.mean(axis=0)
    span = np.sqrt((flat**2).sum(axis=1).mean()) or 1.0
    meant = float(np.sqrt((far**2).mean()))
    return np.asarray(flat * (0.7 * meant / span) + 0.4 * noise)


def _stressed(graph: csr_array, report: Report, most: int = SWEEPS) -> Points:
    pivots, far = _pivots(graph)
    report(0.25)
    points = _scaled(far)
    n = graph.shape[0]
    start = np.repeat(np.arange(n), np.diff(graph.indptr))
    end = graph.indices
    region = np.bincount(np.argmin(far, axis=0), minlength=len(pivots)).astype(np.float64)
    far = far.T  # (n, pivots)
    with np.errstate(divide="ignore"):
        weight = np.where(far > 1, region / far**2, 0.0)  # a pivot represents its region
    whole = weight.sum(axis=1) + np.diff(graph.indptr)
    for sweep in range(most):
        report(0.25 + 0.65 * sweep / most)
        gap = points[start] - points[end]
        length = np.maximum(np.hypot(gap[:, 0], gap[:, 1]), 1e-9)
        goal = points[end] + gap / length[:, None]
        moved = np.empty_like(points)
        for axis in (0, 1):
            moved[:, axis] = np.bincount(start, goal[:, axis], n)
        dx = points[:, 0, None] - points[pivots, 0]
        dy = points[:, 1, None] - points[pivots, 1]
        pull = far / np.maximum(np.sqrt(dx * dx + dy * dy), 1e-9)
        moved[:, 0] += (weight * (points[pivots, 0] + dx * pull)).sum(axis=1)
        moved[:, 1] += (weight * (points[pivots, 1] + dy * pull)).sum(axis=1)
        points = points + 0.7 * (moved / whole[:, None] - points)  # only part of the way, or neighbours would oscillate
    report(0.9)
    return points


def _sprung(graph: csr_array, report: Report) -> Points:
    from scipy.spatial import cKDTree

    points = _stressed(graph, lambda share: report(share / 2), 10)
    n = graph.shape[0]
    start = np.repeat(np.arange(n), np.diff(graph.indptr))
    end = graph.indices
    near = min(12, n - 1)
    steps = STEPS if n <= 5000 else STEPS * 2 // 3
    for number, heat in enumerate(np.geomspace(1.0, 0.05, steps)):
        report(0.5 + 0.5 * number / steps)
        move = np.zeros_like(points)
        gap = points[end] - points[start]
        length = np.hypot(gap[:, 0], gap[:, 1])
        for axis in (0, 1):
            move[:, axis] = np.bincount(start, gap[:, axis] * length, n)
        move += 0.2 * _far(points)
        distance, other = cKDTree(points).query(points, near + 1)
        gap = points[:, None] - points[other[:, 1:]]
        move += (gap / np.maximum(distance[:, 1:], 0.05)[:, :, None] ** 2).sum(axis=1)
        size = np.maximum(np.hypot(move[:, 0], move[:, 1]), 1e-9)
        points = points + move * (np.minimum(size, heat) / size)[:, None]
    return points


def _far(points: Points) -> Points:
    """Return the repulsion by all processes, each taken to be at the centre of the processes in its cell."""
    low, high = points.min(axis=0), points.max(axis=0)
    cell = np.minimum((CELLS * (points - low) / np.maximum(high - low, 1e-9)).astype(np.int64), CELLS - 1)
    cell = cell[:, 0] * CELLS + cell[:, 1]
    count = np.bincount(cell, minlength=CELLS * CELLS).astype(np.float64)
    used = np.flatnonzero(count)
    middle = np.column_stack([np.bincount(cell, points[:, axis], CELLS * CELLS)[used] / count[used] for axis in (0, 1)])
    dx, dy = points[:, 0, None] - middle[:, 0], points[:, 1, None] - middle[:, 1]
    push = count[used] / np.maximum(dx * dx + dy * dy, 4.0)
    return np.column_stack(((push * dx).sum(axis=1), (push * dy).sum(axis=1)))


def separated(points: Points, least: float, report: Report) -> Points:
    """Push points closer than ``least`` apart until there are none; where there is no room, enlarge the drawing.

    Each point is pushed by its six nearest ones, so a round takes n log n steps.
    """
    from scipy.spatial import cKDTree

    n = len(points)
    if n < 2:
        return points
    round_ = 0
    while True:
        distance, other = cKDTree(points).query(points, min(7, n))
        distance, other = distance[:, 1:], other[:, 1:]
        close = distance < least
        if not close.any():
            return points
        round_ += 1
        report(min(round_ / PUSHES, 0.99))
        same = distance[:, 0] < 1e-3 * least
        if same.any():
            shift = uniforms([stream_key(round_, "apart", axis) for axis in "xy"], 0, n).T - 0.5
            points = points + 0.2 * least * np.where(same[:, None], shift, 0.0)
            distance = np.maximum(distance, 1e-3 * least)
        push = np.where(close, 0.55 * (1.02 * least / np.minimum(distance, least) - 1.0), 0.0)
        points = points + (push[:, :, None] * (points[:, None] - points[other])).sum(axis=1)
        if round_ % 4 == 1:
            crowded = float(np.quantile(distance[:, 0], 0.1))
            points = points * min(max(1.05 + 0.002 * round_, 0.6 * least / max(crowded, 1e-9)), 1.6)
