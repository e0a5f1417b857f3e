"""Layouts by forces and by distances: spring and stress."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.extras import extra
from lydian.model.layouts.large import large_spring, large_stress, separated
from lydian.model.layouts.shapes import APART, CENTRE, HEIGHT, WIDTH, Points, Report, quiet
from lydian.model.streams import stream_key, uniforms

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["MANY", "spring", "stress"]

#: From the first number of processes on, distances are found by searches; beyond the second, pivots represent all
#: processes.
FEW, MANY = 150, 1000


def spring(network: Network, report: Report = quiet) -> Points:
    """Place processes by attraction of links and repulsion of processes (Fruchterman and Reingold, 1991)."""
    n = network.n
    if n > MANY:
        return _spaced(large_spring(network, _from(report, 0.0, 0.8)), _from(report, 0.8, 1.0))
    points = uniforms([stream_key(0, "spring", "x"), stream_key(0, "spring", "y")], 0, n).T - 0.5
    joined = _joined(network)
    ideal = 1 / math.sqrt(n)
    heats = np.linspace(0.1, 0.001, 150 if n <= 300 else 60)
    for number, heat in enumerate(heats):
        report(0.8 * number / len(heats))
        length = np.maximum(_lengths(points), 0.01 * ideal)
        force = ideal * ideal / length**2 - joined * length / ideal
        move = points * force.sum(axis=1)[:, None] - _times(force, points) - 0.3 * points * ideal
        size = np.maximum(np.sqrt((move**2).sum(axis=1)), 1e-9)
        points = points + move * (np.minimum(size, heat) / size)[:, None]
    return _fitted(points)


def stress(network: Network, report: Report = quiet) -> Points:
    """Make distances in the picture similar to distances in links (Gansner, Koren and North, 2004)."""
    n = network.n
    if n > MANY:
        return _spaced(large_stress(network, _from(report, 0.0, 0.6)), _from(report, 0.6, 1.0))
    if n == 1:
        return np.array([CENTRE])
    far = _distances(network) if n <= FEW else _found(network)
    report(0.1)
    points = _scaled(far)
    weight = far**-2.0
    np.fill_diagonal(weight, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.inv(laplacian + 1.0 / n)
    last = math.inf
    for turn in range(200):
        report(0.2 + 0.6 * turn / 200)
        length = _lengths(points)
        now = float((weight * (length - far) ** 2).sum())
        if last - now < 1e-4 * now:
            break
        last = now
        pull = weight * far / np.maximum(length, 1e-9)
        np.fill_diagonal(pull, 0.0)
        points = _times(inverse, points * pull.sum(axis=1)[:, None] - _times(pull, points))
    return _fitted(points)


# ---------------------------------------------------------------------- helpers


def _joined(network: Network) -> NDArray[np.float64]:
    joined = np.zeros((network.n, network.n))
    joined[network.ends[:, 0], network.ends[:, 1]] = joined[network.ends[:, 1], network.ends[:, 0]] = 1.0
    return joined


def _distances(network: Network) -> NDArray[np.float64]:
    """Return the distances in links, ignoring directions; without a path, one more than the largest distance."""
    n = network.n
    joined = _joined(network) > 0
    far = np.full((n, n), np.inf)
    np.fill_diagonal(far, 0.0)
    reached = np.eye(n, dtype=np.float32)
    links = joined.astype(np.float32)
    for distance in range(1, n):
        fresh = ((reached @ links) > 0) & np.isinf(far)
        if not fresh.any():
            break
        far[fresh] = distance
        reached = fresh.astype(np.float32)
    known = far[np.isfinite(far)].max()
    far[np.isinf(far)] = known + 1
    np.fill_diagonal(far, 1.0)  # not used as a distance, but its power is computed
    return far


def _found(network: Network) -> NDArray[np.float64]:
    """Return the same as :func:`_distances` by searches from each process, which is faster for many processes."""
    with extra("layouts", f"the layout of more than {FEW} processes by distances needs SciPy"):
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

    i, j = network.ends[:, 0], network.ends[:, 1]
    joined = csr_array((np.ones(len(i)), (i, j)), shape=(network.n, network.n))
    far = np.asarray(dijkstra(joined, directed=False, unweighted=True))
    far[np.isinf(far)] = far[np.isfinite(far)].max() + 1
    np.fill_diagonal(far, 1.0)
    return far


def _scaled(far: NDArray[np.float64]) -> Points:
    """Apply classical multidimensional scaling, which approximates the distances in a plane: a start for
    :func:`stress`."""
    n = len(far)
    square = far**2
    np.fill_diagonal(square, 0.0)
    centred = -0.5 * (square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean())
    values, vectors = np.linalg.eigh(centred)
    points = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.0)) if n > 2 else np.array([[0.0, 0.0], [1.0, 0.0]])
    noise = uniforms([stream_key(0, "stress", "x"), stream_key(0, "stress", "y")], 0, n).T - 0.5
    return np.asarray(points + 0.05 * noise)


def _fitted(points: Points) -> Points:
    """Turn points so that they are wider than high, scale them into the box, and separate them where they are too
    dense."""
    n = len(points)
    points = points - points.mean(axis=0)
    if n > 1:
        axes = np.linalg.eigh(points.T @ points)[1][:, ::-1]
        axes = axes * np.where(axes[np.argmax(np.abs(axes), axis=0), [0, 1]] < 0, -1.0, 1.0)
        points = points @ axes
        points *= np.where(points[0] > 0, -1.0, 1.0)  # the first process is at the top left
    extent = np.maximum(np.ptp(points, axis=0), 1e-9)
    room = math.sqrt(max(1.0, n * (1.6 * APART) ** 2 / (WIDTH * HEIGHT)))  # the box grows with the network
    scale = np.minimum([WIDTH, HEIGHT] / extent, 200.0 * math.sqrt(n) / extent[0])
    points = points * np.minimum(scale, 1.4 * scale.min()) * room  # stretched a little to fill the box
    points = _separated(points)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    return np.asarray(points - middle + np.array(CENTRE))


def _spaced(points: Points, report: Report) -> Points:
    """Turn a large drawing so that it is wide, and make room for all processes; a link is about 70 long."""
    points = points - points.mean(axis=0)
    axes = np.linalg.eigh(points.T @ points)[1][:, ::-1]
    points = separated(70.0 * points @ axes, 1.02 * APART, report)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    return np.asarray(points - middle + np.array(CENTRE))


def _from(report: Report, low: float, high: float) -> Report:
    """Return a report for one part of the work."""
    return lambda share: report(low + (high - low) * share)


def _separated(points: Points) -> Points:
    """Push pairs closer than :data:`APART` away from each other until there are none; a round takes n * n steps.

    If there is not enough room, all distances regularly grow by a tenth, so that the function terminates.
    """
    least = 1.02 * APART
    for round_ in itertools.count(1):
        length = _lengths(points)
        np.fill_diagonal(length, np.inf)
        close = length < least
        if not close.any():
            break
        if (length < 1e-3).any():
            points = points + uniforms([stream_key(round_, "apart", axis) for axis in "xy"], 0, len(points)).T
            continue
        push = np.where(close, 0.55 * (least / np.minimum(length, least) - 1.0), 0.0)
        points = points + points * push.sum(axis=1)[:, None] - _times(push, points)
        if round_ % 10 == 0:
            points = points * 1.1
    return points


def _times(matrix: NDArray[np.floating[Any]], points: Points) -> Points:
    """Multiply matrices in this thread: for these sizes, BLAS spends its time on waking other threads."""
    return np.asarray(np.einsum("ij,jk->ik", matrix, points))


def _lengths(points: Points) -> NDArray[np.float64]:
    """Return the distances between all points: float64 (n, n)."""
    x, y = points[:, 0], points[:, 1]
    dx, dy = x[:, None] - x[None, :], y[:, None] - y[None, :]
    return np.asarray(np.sqrt(dx * dx + dy * dy))
