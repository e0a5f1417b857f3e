"""Where the processes of a network are drawn.

Positions are in units of about one pixel at natural size: processes stand at least :data:`APART` from each other,
and a small network fills about 1000 x 600, x to the right and y downwards.  Every layout is a function of the network
alone: the same network gets the same positions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.streams import stream_key, uniforms

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["APART", "KINDS", "layout", "placed"]

Points = NDArray[np.float64]

CENTRE = (500.0, 300.0)
WIDTH, HEIGHT = 900.0, 500.0  # of the box that a small network fills, around the centre
APART = 40.0  # the least distance of two processes


def layout(network: Network, kind: str = "stress") -> Network:
    """The same network with positions for all processes.

    Args:
        network: any network, connected or not.
        kind: one of :data:`KINDS`.

    Raises:
        BadInput: there is no such layout.
    """
    if kind not in KINDS:
        raise BadInput(f"unknown layout {shown(kind)}{did_you_mean(kind, KINDS)}; there are {', '.join(KINDS)}")
    if not network.n:
        return network
    points = np.round(KINDS[kind](network), 1) + 0.0  # no -0.0
    return network.replace(positions=dict(zip(network.processes, map(tuple, points.tolist()), strict=True)))


def placed(network: Network) -> Network:
    """The network itself if all its processes have positions, else with a layout that suits its size."""
    if len(network.positions) == network.n:
        return network
    return layout(network, "stress" if network.n <= 150 else "disc")


def circle(network: Network) -> Points:
    """All on one circle, in order, the first one on top."""
    n = network.n
    radius = 0.0 if n == 1 else max(HEIGHT / 2, 1.02 * APART / (2 * math.sin(math.pi / n)))
    return _polar(2 * np.pi * np.arange(n) / n, np.full(n, radius))


def grid(network: Network) -> Points:
    """In rows and columns, in order, about as wide as three fifths more than high."""
    n = network.n
    columns = min(n, max(1, math.ceil(math.sqrt(n * WIDTH / HEIGHT))))
    return lattice(math.ceil(n / columns), columns)[:n]


def lattice(rows: int, columns: int) -> Points:
    """Points of a grid row by row: float64 (rows * columns, 2)."""
    steps = [extent / max(count - 1, 1) for extent, count in ((WIDTH, columns), (HEIGHT, rows))]
    step = min(max(min(steps), 1.5 * APART), 150.0)
    x = CENTRE[0] + step * (np.arange(columns) - (columns - 1) / 2)
    y = CENTRE[1] + step * (np.arange(rows) - (rows - 1) / 2)
    return np.column_stack((np.tile(x, rows), np.repeat(y, columns)))


def disc(network: Network) -> Points:
    """Like the seeds of a sunflower, the initiator in the middle and its neighbours next to it; for many processes."""
    n = network.n
    place = np.empty(n)
    place[_breadth_first(network)[0]] = np.arange(n)
    step = max(0.7 * APART, 0.9 * HEIGHT / 2 / math.sqrt(n))  # seeds are 1.5 steps apart or more
    return _polar(place * math.pi * (3 - math.sqrt(5)), step * np.sqrt(place + (0.5 if n > 1 else 0.0)))


def layers(network: Network) -> Points:
    """In rows by the distance from the initiators, each below the ones it is reached from."""
    order, _, depth = _breadth_first(network)
    rows = [[i for i in order if depth[i] == level] for level in range(max(depth) + 1)]
    neighbours = _neighbours(network)
    x = np.zeros(network.n)
    widest = max(len(row) for row in rows)
    step = max(1.5 * APART, WIDTH / max(widest - 1, 1)) if widest > 1 else 0.0
    for sweep in range(6):  # down and up: each row in the order of the middles of its neighbours (stable sorts)
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


def radial(network: Network) -> Points:
    """On rings by the distance from the initiators, each in the sector of the one it is reached from."""
    order, parent, depth = _breadth_first(network)
    n = network.n
    leaves = np.zeros(n)
    for i in reversed(order):
        leaves[i] = max(leaves[i], 1.0)
        if parent[i] >= 0:
            leaves[parent[i]] += leaves[i]
    roots = [i for i in order if parent[i] < 0]
    total = sum(leaves[i] for i in roots)
    used = np.zeros(n)  # of each sector, in leaves
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


def spring(network: Network) -> Points:
    """Links pull, processes push (Fruchterman and Reingold, 1991); even, but slow beyond a thousand processes."""
    n = network.n
    points = uniforms([stream_key(0, "spring", "x"), stream_key(0, "spring", "y")], 0, n).T - 0.5
    joined = _joined(network)
    ideal = 1 / math.sqrt(n)
    for heat in np.linspace(0.1, 0.001, 150 if n <= 300 else 60):
        length = np.maximum(_lengths(points), 0.01 * ideal)
        force = ideal * ideal / length**2 - joined * length / ideal
        move = points * force.sum(axis=1)[:, None] - _times(force, points) - 0.3 * points * ideal
        size = np.maximum(np.sqrt((move**2).sum(axis=1)), 1e-9)
        points = points + move * (np.minimum(size, heat) / size)[:, None]
    return _fitted(points)


def stress(network: Network) -> Points:
    """Distances in the picture like distances in links (Gansner, Koren and North, 2004); the clearest, for hundreds."""
    n = network.n
    if n == 1:
        return np.array([CENTRE])
    far = _distances(network)
    points = _scaled(far)
    weight = far**-2.0
    np.fill_diagonal(weight, 0.0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.inv(laplacian + 1.0 / n)
    last = math.inf
    for _ in range(200):
        length = _lengths(points)
        now = float((weight * (length - far) ** 2).sum())
        if last - now < 1e-4 * now:
            break
        last = now
        pull = weight * far / np.maximum(length, 1e-9)
        np.fill_diagonal(pull, 0.0)
        points = _times(inverse, points * pull.sum(axis=1)[:, None] - _times(pull, points))
    return _fitted(points)


#: Name -> function from a network to points, float64 (n, 2).
KINDS: dict[str, Callable[[Network], Points]] = {
    "circle": circle,
    "grid": grid,
    "spring": spring,
    "layers": layers,
    "radial": radial,
    "stress": stress,
    "disc": disc,
}


# ---------------------------------------------------------------------- helpers


def _polar(angle: NDArray[np.float64], radius: NDArray[np.float64]) -> Points:
    """Clockwise from the top."""
    return np.column_stack((CENTRE[0] + radius * np.sin(angle), CENTRE[1] - radius * np.cos(angle)))


def _neighbours(network: Network) -> list[list[int]]:
    """Of each process, those it shares a link with, whatever the direction."""
    found: list[list[int]] = [[] for _ in range(network.n)]
    for i, j in network.ends.tolist():
        found[i].append(j)
        found[j].append(i)
    for row in found:
        row.sort()
    return found


def _joined(network: Network) -> NDArray[np.float64]:
    joined = np.zeros((network.n, network.n))
    joined[network.ends[:, 0], network.ends[:, 1]] = joined[network.ends[:, 1], network.ends[:, 0]] = 1.0
    return joined


def _breadth_first(network: Network) -> tuple[list[int], list[int], list[int]]:
    """Processes in order of their distance from the initiators, the one each is reached from (-1: none), distances.

    Parts that cannot be reached hang one level below the first, from their first process.
    """
    neighbours = _neighbours(network)
    parent, depth = [-1] * network.n, [-1] * network.n
    order: list[int] = []
    starts = [network.index[name] for name in network.initiators] or [0]
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
        starts = [next((i for i in range(network.n) if depth[i] < 0), 0)]
    root = order[0]
    for i in order:
        if parent[i] < 0 and depth[i] == 1:
            parent[i] = root
    order.sort(key=lambda i: depth[i])  # stable: still each after the one it is reached from
    return order, parent, depth


def _distances(network: Network) -> NDArray[np.float64]:
    """Links between each two processes, whatever the direction; one more than the largest where there is no way."""
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
    np.fill_diagonal(far, 1.0)  # never used, but a power of it is taken
    return far


def _scaled(far: NDArray[np.float64]) -> Points:
    """Classical multidimensional scaling: the plane in which the distances are met best, a start for :func:`stress`."""
    n = len(far)
    square = far**2
    np.fill_diagonal(square, 0.0)
    centred = -0.5 * (square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean())
    values, vectors = np.linalg.eigh(centred)
    points = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.0)) if n > 2 else np.array([[0.0, 0.0], [1.0, 0.0]])
    noise = uniforms([stream_key(0, "stress", "x"), stream_key(0, "stress", "y")], 0, n).T - 0.5
    return np.asarray(points + 0.05 * noise)


def _fitted(points: Points) -> Points:
    """Turned so that it is wide rather than high, scaled into the box, and pushed apart where it is too dense."""
    n = len(points)
    points = points - points.mean(axis=0)
    if n > 1:
        axes = np.linalg.eigh(points.T @ points)[1][:, ::-1]
        axes = axes * np.where(axes[np.argmax(np.abs(axes), axis=0), [0, 1]] < 0, -1.0, 1.0)
        points = points @ axes
        points *= np.where(points[0] > 0, -1.0, 1.0)  # the first process to the left and above
    extent = np.maximum(np.ptp(points, axis=0), 1e-9)
    room = math.sqrt(max(1.0, n * (1.6 * APART) ** 2 / (WIDTH * HEIGHT)))  # the box grows with the network
    scale = np.minimum([WIDTH, HEIGHT] / extent, 200.0 * math.sqrt(n) / extent[0])
    points = points * np.minimum(scale, 1.4 * scale.min()) * room  # stretched a little to fill the box
    points = _separated(points)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    return np.asarray(points - middle + np.array(CENTRE))


def _separated(points: Points) -> Points:
    """Pairs closer than :data:`APART` push each other away until there are none; n * n work a round.

    Where there is no room all distances grow by a tenth from time to time, so it ends.
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
    """The product, in this thread: for these sizes BLAS spends its time on waking others."""
    return np.asarray(np.einsum("ij,jk->ik", matrix, points))


def _lengths(points: Points) -> NDArray[np.float64]:
    """Distances between all points: float64 (n, n)."""
    x, y = points[:, 0], points[:, 1]
    dx, dy = x[:, None] - x[None, :], y[:, None] - y[None, :]
    return np.asarray(np.sqrt(dx * dx + dy * dy))
