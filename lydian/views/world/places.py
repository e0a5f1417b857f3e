"""The places of processes in space: layouts that use depth.

Each layout is a function of the network alone and gives the same places every time. Places are rows x, y, z around the
origin, and the farthest process is at a distance of 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc
from lydian.model.generators import regular
from lydian.model.layouts import KINDS as FLAT_KINDS
from lydian.model.layouts.shapes import quiet
from lydian.model.network import Network
from lydian.model.network.shape import joined
from lydian.model.streams import stream_key, uniforms
from lydian.views.world.camera import Floats

__all__ = [
    "HELIX",
    "LAYOUTS",
    "TOWER",
    "flattened",
    "helix",
    "layers",
    "nearest",
    "places_of",
    "shape",
    "shape_of",
    "sphere",
    "spring",
]

#: The largest number of processes whose forces on each other are all computed, and which are assigned to the points of
#: a sphere as their neighbours suggest.
FORCED, ASSIGNED = 300, 400
#: The number of processes whose distances place all others in a larger network.
PIVOTS = 40
#: Places whose third direction is below this share of their second one are almost in a plane, and what it becomes.
PLANE, DEEP = 0.3, 0.6
#: The least depth of the floor of a tower as a share of its width, and how much it may be stretched for it.
SQUARE, STRETCH = 0.75, 1.7
#: How much smaller the cube is to which the fourth direction of a hypercube leads, and the cubes of a larger one.
INNER, NESTED = 0.46, 0.3
#: The radii of a torus: of its circle, and of its tube.
TORUS = (1.0, 0.46)
#: The share of the radius within which processes are nearer to half the height of a helix; half its height.
HUB, TALL = 0.35, 1.25


def flattened(points: Floats, like: Floats | None = None) -> Floats:
    """Return positions of the flat network, (n, 2) with y downwards, as places in the plane z = 0.

    Args:
        like: the positions at rest, which decide on the middle and the scale; by default the points themselves.
    """
    if not len(points):
        return np.zeros((0, 3))
    like = points if like is None else like
    middle = (like.min(axis=0) + like.max(axis=0)) / 2
    far = float(np.linalg.norm(like - middle, axis=1).max()) or 1.0
    return np.column_stack(((points - middle) / far, np.zeros(len(points)))) * (1.0, -1.0, 1.0)


def _ball(points: Floats) -> Floats:
    """Scale points into the ball of radius 1 around the origin, with the middle of their box there."""
    points = points - (points.min(axis=0) + points.max(axis=0)) / 2
    far = float(np.linalg.norm(points, axis=1).max(initial=0.0))
    return points / far if far > 0 else points


def nearest(points: Floats) -> float:
    """Return the typical distance of a process from its nearest neighbour; 1 if there is only one."""
    if len(points) < 2:
        return 1.0
    some = points[:: max(1, len(points) // 64)]
    square = ((some[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    square[square < 1e-12] = np.inf
    gap = float(np.sqrt(np.quantile(square.min(axis=1), 0.25)))
    return gap if math.isfinite(gap) else 1.0


# ------------------------------------------------------------------ general layouts


def spring(network: Network) -> Floats:
    """Place processes by attraction of links and repulsion of processes in three dimensions.

    The forces are those of Fruchterman and Reingold (1991); larger networks are placed by the distances from some
    pivots (Brandes and Pich, 2006).
    """
    if network.n > FORCED:
        return _aligned(_ball(_by_pivots(network)), network)
    n = network.n
    points = uniforms([stream_key(0, "world", axis) for axis in "xyz"], 0, n).T - 0.5
    linked = np.zeros((n, n))
    if network.m:
        linked[network.ends[:, 0], network.ends[:, 1]] = linked[network.ends[:, 1], network.ends[:, 0]] = 1.0
    ideal = 1 / max(n, 1) ** (1 / 3)
    for heat in np.linspace(0.12, 0.002, 140):
        way = points[:, None, :] - points[None, :, :]
        length = np.maximum(np.sqrt((way**2).sum(axis=2)), 0.01 * ideal)
        force = ideal * ideal / length**2 - linked * length / ideal
        move = (way * force[:, :, None]).sum(axis=1) - 0.3 * points * ideal
        size = np.maximum(np.linalg.norm(move, axis=1), 1e-9)
        points = points + move * (np.minimum(size, heat) / size)[:, None]
    return _aligned(_ball(_deepened(points, network)), network)


def _by_pivots(network: Network) -> Floats:
    """Place processes so that distances are similar to those in links from some processes far apart."""
    n = network.n
    far = np.full(n, n, dtype=np.int64)
    rows, pivot = [], 0
    for _ in range(min(PIVOTS, n)):
        away = _distances(network, [pivot])
        rows.append(away)
        far = np.minimum(far, away)
        pivot = int(np.argmax(far))
    square = np.array(rows, dtype=np.float64).T ** 2
    centred = square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean()
    axes = np.linalg.svd(centred.T @ centred)[0]
    axes = np.pad(axes, ((0, 0), (0, max(3 - len(axes), 0))))[:, :3]
    axes = axes * np.where(axes[np.argmax(np.abs(axes), axis=0), range(3)] < 0, -1.0, 1.0)
    points = centred @ axes
    points = points / np.maximum(points.std(axis=0), 1e-9) * np.array([1.0, 0.8, 0.7])
    jitter = uniforms([stream_key(0, "world apart", axis) for axis in "xyz"], 0, n).T - 0.5
    return _filled(points + 0.18 * jitter)  # processes with the same distances are not at the same place


def _filled(points: Floats) -> Floats:
    """Move places nearer to the middle or away from it, so that they fill a ball more evenly."""
    points = points - np.median(points, axis=0)
    away = np.maximum(np.linalg.norm(points, axis=1), 1e-9)
    rank = np.empty(len(points))
    rank[np.argsort(away, kind="stable")] = (np.arange(len(points)) + 0.5) / len(points)
    even, own = np.cbrt(rank), away / (away + np.median(away))
    return np.asarray(points / away[:, None] * (0.65 * even + 0.35 * own)[:, None])


def _deepened(points: Floats, network: Network) -> Floats:
    """Give depth to places that are almost in one plane: by the third direction of the distances in links."""
    points = points - points.mean(axis=0)
    _, size, axes = np.linalg.svd(points, full_matrices=False)
    if len(points) < 4 or size[2] >= PLANE * size[1]:
        return points
    third = _by_pivots(network)[:, 2]
    third = third - third.mean()
    wide = float(np.linalg.norm(third))
    return np.asarray(points + np.outer(third / max(wide, 1e-9) * DEEP * size[1], axes[2]))


def _aligned(points: Floats, network: Network) -> Floats:
    """Turn places so that they are as close as possible to the flat drawing (Kabsch, 1976)."""
    flat = flattened(np.asarray(network.coordinates, dtype=np.float64).reshape(-1, 2))
    if len(flat) != len(points) or len(points) < 3:
        return points
    left, _, right = np.linalg.svd(points.T @ flat)
    left[:, -1] *= np.sign(np.linalg.det(left @ right)) or 1.0  # a rotation, no mirror image
    return np.asarray(points @ left @ right)


def sphere(network: Network) -> Floats:
    """Place processes evenly on a sphere; neighbours are close to each other where this is possible."""
    n = network.n
    if n == 1:
        return np.zeros((1, 3))
    number = np.arange(n)
    height = 1 - (2 * number + 1) / n
    angle = number * math.pi * (3 - math.sqrt(5))
    ring = np.sqrt(1 - height**2)
    points = np.column_stack((ring * np.cos(angle), height, ring * np.sin(angle)))
    if n > ASSIGNED:
        order = np.argsort(-_by_pivots(network)[:, 1], kind="stable")
        placed = np.empty_like(points)
        placed[order] = points
        return placed
    wanted = spring(network)
    wanted = wanted / np.maximum(np.linalg.norm(wanted, axis=1, keepdims=True), 1e-9)
    nearness = np.round(wanted @ points.T, 9)
    chosen, free = np.full(n, -1), np.ones(n, dtype=bool)
    for pair in np.argsort(-nearness, axis=None, kind="stable").tolist():
        process, place = divmod(pair, n)
        if chosen[process] < 0 and free[place]:
            chosen[process], free[place] = place, False
    return np.asarray(points[chosen])


def _distances(network: Network, starts: list[int]) -> NDArray[np.int64]:
    """Return the distance of each process from the nearest of some in links; the largest plus one if unreachable."""
    found = np.full(network.n, -1, dtype=np.int64)
    found[starts] = 0
    ends = np.vstack((network.ends, network.ends[:, ::-1]))
    for level in range(network.n):
        reached = ends[found[ends[:, 0]] == level, 1]
        fresh = reached[found[reached] < 0]
        if not len(fresh):
            break
        found[fresh] = level + 1
    found[found < 0] = found.max() + 1
    return found


def levels(network: Network) -> NDArray[np.int64]:
    """Return the distance of each process from the nearest initiator in links; the largest plus one if unreachable."""
    return _distances(network, [network.index[name] for name in network.initiators] or [0])


def layers(network: Network) -> Floats:
    """Place processes in layers by their distance from the initiators, which are at the top."""
    level = levels(network)
    rings = FLAT_KINDS["radial"](network, quiet)
    rings = rings - rings[level == 0].mean(axis=0)
    wide = max(float(np.abs(rings).max(initial=0.0)), 1e-9)
    steps = max(int(level.max()), 1)
    return _ball(np.column_stack((rings[:, 0] / wide, -1.5 * level / steps, rings[:, 1] / wide)))


# ------------------------------------------------------------------ networks as what they are


def _pairs(network: Network) -> set[tuple[int, int]]:
    return {(min(a, b), max(a, b)) for a, b in network.ends.tolist()}


def _dimensions(network: Network) -> int:
    """Return the dimensions of a hypercube, or 0 for another network."""
    n = network.n
    d = n.bit_length() - 1
    if n != 2**d or d < 3 or network.m != d * n // 2:
        return 0
    a, b = network.ends[:, 0].astype(np.int64), network.ends[:, 1].astype(np.int64)
    differs = a ^ b
    return d if bool((differs & (differs - 1) == 0).all()) else 0


def _torus(network: Network) -> tuple[int, int] | None:
    """Return the rows and columns of a torus, or None for another network."""
    n = network.n
    if n < 9 or network.m != 2 * n:
        return None
    pairs = _pairs(network)
    for rows in range(3, n // 3 + 1):
        columns, rest = divmod(n, rows)
        if rest == 0 and columns >= 3:
            plan = regular.torus(rows, columns)
            if {(min(a, b), max(a, b)) for a, b in plan.pairs} == pairs:
                return rows, columns
    return None


def hypercube(d: int) -> Floats:
    """Place the 2**d processes of a hypercube: three directions are those of space.

    With four dimensions the fourth direction leads inwards, to a smaller cube; with more, each corner of the large cube
    is a cube again.
    """
    digits = np.arange(2**d)[:, None] >> np.arange(d)[None, :] & 1
    corner = (1.0 - 2.0 * digits) * np.where(np.arange(d) % 3 == 0, -1.0, 1.0)  # process 0: left, top, front
    if d == 4:
        return _ball(np.asarray(corner[:, [0, 1, 2]] * np.where(digits[:, 3:] == 1, INNER, 1.0), dtype=np.float64))
    points, size = np.zeros((2**d, 3)), 1.0
    for first in range((d - 1) // 3 * 3, -1, -3):
        part = corner[:, first : first + 3]
        points[:, : part.shape[1]] += size * part
        size *= NESTED
    return _ball(points)


def torus(rows: int, columns: int) -> Floats:
    """Place processes on a torus; the longer side of the grid runs around its circle."""
    row, column = (each.ravel() for each in np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij"))
    around, tube = (column / columns, row / rows) if columns >= rows else (row / rows, column / columns)
    around, tube = 2 * math.pi * around, 2 * math.pi * tube
    wide = TORUS[0] + TORUS[1] * np.cos(tube)
    points = np.column_stack((wide * np.cos(around), TORUS[1] * np.sin(tube), wide * np.sin(around)))
    return points / sum(TORUS)


def _circle(network: Network) -> Floats:
    """Place a ring on a circle that lies in space, in the order of its links."""
    near: dict[int, list[int]] = {}
    for a, b in network.ends.tolist():
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    order, before = [0], -1
    while len(order) < network.n:
        after = [each for each in near[order[-1]] if each != before]
        before = order[-1]
        order.append(after[0])
    angle = np.empty(network.n)
    angle[order] = 2 * math.pi * np.arange(network.n) / network.n
    return np.column_stack((np.sin(angle), np.zeros(network.n), np.cos(angle)))


def shape_of(network: Network) -> str:
    """Return what a network is: hypercube, torus, ring, star, complete, tree, or nothing in particular."""
    n, m = network.n, network.m
    degrees = np.bincount(network.ends.ravel(), minlength=n) if n else np.zeros(0, dtype=np.int64)
    whole = n > 0 and _joined(network)
    if _dimensions(network):
        return "hypercube"
    if _torus(network) is not None:
        return "torus"
    if whole and n >= 3 and m == n and bool((degrees == 2).all()):
        return "ring"
    if n >= 4 and m == n * (n - 1) // 2:
        return "complete"
    if whole and m == n - 1 and n >= 4:
        return "star" if degrees.max() == n - 1 else "tree"
    return ""


def _joined(network: Network) -> bool:
    """Return whether every process is linked to every other one, directly or not."""
    return len(joined(network.n, network.ends.tolist())[0]) == 1


def shape(network: Network) -> Floats:
    """Place a network as what it is; by forces if it is nothing in particular."""
    kind = shape_of(network)
    sides = _torus(network)
    if kind == "hypercube":
        return hypercube(_dimensions(network))
    if kind == "torus" and sides is not None:
        return torus(*sides)
    if kind == "ring":
        return _circle(network)
    if kind == "tree":
        return layers(network)
    if kind == "complete":
        return sphere(network)
    if kind == "star":
        middle = int(np.argmax(np.bincount(network.ends.ravel(), minlength=network.n)))
        places = np.zeros((network.n, 3))
        others = np.delete(np.arange(network.n), middle)
        height = 1 - (2 * np.arange(len(others)) + 1) / len(others)
        angle = np.arange(len(others)) * math.pi * (3 - math.sqrt(5))
        ring = np.sqrt(1 - height**2)
        places[others] = np.column_stack((ring * np.cos(angle), height, ring * np.sin(angle)))
        return places
    return spring(network)


def helix(level: Floats) -> Floats:
    """Wind the circle of a flat drawing up a helix, so that shortcuts across the circle lead straight up.

    The number of turns is a power of 2: the points at a half, a quarter ... of the circle are above one another. A
    process in the middle of the circle is on the axis, at half its height.

    Args:
        level: the places in the flat drawing, (n, 3), with z = 0.
    """
    n = len(level)
    if not n:
        return np.zeros((0, 3))
    away = np.hypot(level[:, 0], level[:, 1])
    far = max(float(away.max()), 1e-9)
    around = np.arctan2(level[:, 0], level[:, 1]) % (2 * math.pi)  # clockwise from the top
    around = np.where(around > 2 * math.pi - 1e-6, 0.0, around)
    turns = max(2 ** round(math.log2(max(n, 2)) / 2), 2)
    out = away / far
    height = (around / math.pi - 1.0) * TALL * np.minimum(out / HUB, 1.0)
    points = np.column_stack((out * np.sin(turns * around), height, out * np.cos(turns * around)))
    return np.asarray(points / math.hypot(1.0, TALL))


#: The names of the layouts in which time is the third axis, and which is wound from the flat drawing.
TOWER, HELIX = "tower", "helix"
#: Name -> function from a network to places, (n, 3).
_KINDS: dict[str, Callable[[Network], Floats]] = {
    "shape": shape, "spring": spring, "sphere": sphere, "layers": layers,
}  # fmt: skip
#: The layouts and their words.
LAYOUTS = {
    "shape": tr("By the shape of the network"),
    "spring": tr("By the links"),
    "sphere": trc("layout of processes", "On a sphere"),
    "layers": tr("In layers by the distance from the initiators"),
    HELIX: tr("As a helix: the circle wound upwards"),
    TOWER: tr("As a tower: time upwards"),
}


def places_of(network: Network, layout: str) -> Floats:
    """Return the places of all processes in a layout, (n, 3); for a tower, those on its floor."""
    if not network.n:
        return np.zeros((0, 3))
    if layout == HELIX:
        return helix(flattened(np.asarray(network.coordinates, dtype=np.float64).reshape(-1, 2)))
    if layout == TOWER:
        flat = flattened(np.asarray(network.coordinates, dtype=np.float64).reshape(-1, 2))
        wide, deep = np.maximum(np.ptp(flat[:, :2], axis=0), 1e-9).tolist()
        stretch = min(max(SQUARE * wide / deep, 1.0), STRETCH)
        return np.column_stack((flat[:, 0], np.zeros(len(flat)), -stretch * flat[:, 1]))
    return _KINDS[layout](network)
