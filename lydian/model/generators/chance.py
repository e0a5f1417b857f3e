"""The random kinds of network. All are connected, and the same for a seed on every machine.

If the definition of a kind does not guarantee a connected network, up to :data:`TRIES` networks are drawn and the first
connected one is used, so that it is drawn under the condition that it is connected. If none is connected, the network
is repaired as described at each function; it then no longer belongs exactly to that kind.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput
from lydian.model.generators.regular import Plan, circle_points
from lydian.model.network.shape import joined
from lydian.model.streams import stream_key, uniforms

__all__ = ["TRIES", "geometric", "gnm", "gnp", "random_tree", "scale_free", "small_world"]

TRIES = 50

Pairs = list[tuple[int, int]]


class _Dice:
    """A source of consecutive random numbers from one stream."""

    def __init__(self, seed: int, *names: str) -> None:
        self.key = stream_key(seed, "network", *names)
        self.used = 0

    def many(self, count: int) -> NDArray[np.float64]:
        """Return numbers in (0, 1): float64 (count,)."""
        first, self.used = self.used, self.used + count
        return uniforms([self.key], first, count).ravel()

    def below(self, limit: int, count: int) -> NDArray[np.int64]:
        """Return integers from 0 to limit - 1: int64 (count,)."""
        return np.minimum((self.many(count) * limit).astype(np.int64), limit - 1)

    def distinct(self, limit: int, count: int) -> NDArray[np.int64]:
        """Return different integers from 0 to limit - 1 in rising order: int64 (count,); all sets are equally
        likely."""
        if count > limit // 2:
            left_out = self.distinct(limit, limit - count)
            return np.setdiff1d(np.arange(limit), left_out, assume_unique=True)
        found = np.empty(0, dtype=np.int64)
        while len(found) < count:
            drawn = np.concatenate((found, self.below(limit, 2 * (count - len(found)) + 8)))
            _, first = np.unique(drawn, return_index=True)
            found = drawn[np.sort(first)][:count]  # the first ones that were drawn, so that none is preferred
        return np.sort(found)


def random_tree(n: int, seed: int) -> Plan:
    """Draw a random tree by its Prüfer code; each of the n^(n-2) trees is equally likely."""
    return Plan(n, _tree(n, _Dice(seed, "randomtree", str(n))))


def gnm(n: int, m: int, seed: int) -> Plan:
    """Draw m links between n processes; all sets of links are equally likely.

    If no try is connected, use a random tree and m - n + 1 further random links.
    """
    most = n * (n - 1) // 2
    if not n - 1 <= m <= most:
        needs = f"must be from {n - 1} (a tree) to {most} (all pairs)"
        raise BadInput(f"the number of links of gnm with {n} processes {needs}, not {m}")
    dice = _Dice(seed, "gnm", str(n), str(m))
    for _ in range(TRIES if 2 * m > n else 0):
        pairs = _decoded(dice.distinct(most, m), n)
        if len(joined(n, pairs)[0]) == 1:
            return Plan(n, pairs)
    tree = _tree(n, dice)
    there = np.sort([_code(i, j, n) for i, j in tree])
    free = dice.distinct(most - len(tree), m - len(tree))  # numbers among the unused codes
    for code in there:
        free = free + (free >= code)
    return Plan(n, sorted(tree + _decoded(free, n)))


def gnp(n: int, p: float, seed: int) -> Plan:
    """Draw a network in which each link exists with probability p.

    If no try is connected, its components are joined by one random link each.
    """
    most = n * (n - 1) // 2
    dice = _Dice(seed, "gnp", str(n), repr(float(p)))
    pairs: Pairs = []
    for _ in range(TRIES):
        pairs = _decoded(_successes(dice, most, p), n)
        if len(joined(n, pairs)[0]) == 1:
            return Plan(n, pairs)
    parts = joined(n, pairs)[0]
    whole = parts[0]
    for part in parts[1:]:
        i = whole[int(dice.below(len(whole), 1)[0])]
        j = part[int(dice.below(len(part), 1)[0])]
        pairs.append((min(i, j), max(i, j)))
        whole = whole + part
    return Plan(n, sorted(pairs))


def geometric(n: int, radius: float, seed: int) -> Plan:
    """Place processes at random in a unit square, and link any two whose distance is at most the radius.

    If no try is connected, the components of the last one are joined one after the other by the shortest possible link.
    Processes are numbered from left to right and keep these positions.
    """
    dice = _Dice(seed, "geometric", str(n), repr(float(radius)))
    side = max(560.0, 80.0 * float(np.sqrt(n)))
    least = 44.0 / side if n <= 2000 else 0.0
    for _ in range(TRIES):
        points = _spread(dice, n, least)
        pairs = _near(points, radius)
        parts = joined(n, pairs)[0]
        if len(parts) == 1:
            break
    whole = np.array(parts[0])
    rest = [np.array(part) for part in parts[1:]]
    while rest:
        best = min(
            (float(gap[at]), whole[at // len(part)], part[at % len(part)], which)
            for which, part in enumerate(rest)
            for gap in [((points[whole][:, None] - points[part][None, :]) ** 2).sum(axis=2).ravel()]
            for at in [int(np.argmin(gap))]
        )
        i, j = int(best[1]), int(best[2])
        pairs.append((min(i, j), max(i, j)))
        whole = np.concatenate((whole, rest.pop(best[3])))
    return Plan(n, sorted(pairs), np.array([500.0, 300.0]) + side * (points - 0.5))


def small_world(n: int, k: int, p: float, seed: int) -> Plan:
    """Make a ring in which each process is linked to its k nearest, and move each link with probability p.

    Watts and Strogatz, "Collective dynamics of 'small-world' networks", Nature 393 (1998): the far end of a moved link
    is a random process. If no try is connected, the links of the ring itself are kept and only the others are moved.
    """
    if k % 2 or k >= n:
        raise BadInput(f"k of a small world of {n} processes must be even and from 2 to {(n - 1) // 2 * 2}, not {k}")
    dice = _Dice(seed, "smallworld", str(n), str(k), repr(float(p)))
    for attempt in range(TRIES + 1):
        links = {i: {(i + d) % n for d in range(-k // 2, k // 2 + 1) if d} for i in range(n)}
        for d in range(1, k // 2 + 1):
            moved = dice.many(n) < p
            for i in np.flatnonzero(moved).tolist():
                j = (i + d) % n
                if j not in links[i] or len(links[i]) >= n - 1 or (d == 1 and attempt == TRIES):
                    continue
                other = i
                while other == i or other in links[i]:
                    other = int(dice.below(n, 1)[0])
                links[i].remove(j)
                links[j].remove(i)
                links[i].add(other)
                links[other].add(i)
        pairs = sorted((i, j) for i, row in links.items() for j in row if i < j)
        if len(joined(n, pairs)[0]) == 1:
            break
    points = circle_points(n)
    if k > 2:  # every second process is a little further in; otherwise links to the next but one would overlap others
        points[1::2] = [500.0, 300.0] + 0.8 * (points[1::2] - [500.0, 300.0])
    return Plan(n, pairs, points)


def scale_free(n: int, m: int, seed: int) -> Plan:
    """Start with a star of m + 1 processes, and link each further process to m others, preferably with many links.

    Barabási and Albert, "Emergence of scaling in random networks", Science 286 (1999). The network is always connected
    and has m (n - m) links.
    """
    if m >= n:
        raise BadInput(f"m of a scale-free network of {n} processes must be from 1 to {n - 1}, not {m}")
    dice = _Dice(seed, "scalefree", str(n), str(m))
    pairs = [(0, i) for i in range(1, m + 1)]
    ends = [end for pair in pairs for end in pair]  # contains each process once for each of its links
    for i in range(m + 1, n):
        chosen: dict[int, None] = {}
        while len(chosen) < m:
            for at in dice.below(len(ends), m - len(chosen)).tolist():
                chosen.setdefault(ends[at])
        for j in chosen:
            pairs.append((j, i))
            ends += (j, i)
    return Plan(n, sorted(pairs))


# ---------------------------------------------------------------------- helpers


def _tree(n: int, dice: _Dice) -> Pairs:
    if n < 2:
        return []
    code = dice.below(n, max(n - 2, 0)).tolist()
    degree = [1] * n
    for i in code:
        degree[i] += 1
    pairs: Pairs = []
    leaf = pointer = degree.index(1)
    for i in code:
        pairs.append((min(leaf, i), max(leaf, i)))
        degree[i] -= 1
        if degree[i] == 1 and i < pointer:
            leaf = i
        else:
            pointer += 1
            while degree[pointer] != 1:
                pointer += 1
            leaf = pointer
    pairs.append((leaf, n - 1))
    return sorted(pairs)


def _code(i: int, j: int, n: int) -> int:
    """Return the number of the pair i < j among all pairs in order (0,1), (0,2) .. (1,2) .."""
    return i * (2 * n - i - 1) // 2 + j - i - 1


def _decoded(codes: NDArray[np.int64], n: int) -> Pairs:
    starts = np.array([_code(i, i + 1, n) for i in range(n - 1)], dtype=np.int64)
    i = np.searchsorted(starts, codes, side="right") - 1
    j = codes - starts[i] + i + 1
    return list(zip(i.tolist(), j.tolist(), strict=True))


def _successes(dice: _Dice, count: int, p: float) -> NDArray[np.int64]:
    """Return the numbers of the trials of ``count`` that succeed, in blocks so that large networks need little
    memory."""
    block = 1 << 20
    found = [start + np.flatnonzero(dice.many(min(block, count - start)) < p) for start in range(0, count, block)]
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def _spread(dice: _Dice, n: int, least: float) -> NDArray[np.float64]:
    """Return random points from left to right; a point on top of another is drawn again (up to 200 times)."""
    points = np.column_stack((dice.many(n), dice.many(n)))
    for _ in range(200 if least else 0):
        points = points[np.argsort(points[:, 0], kind="stable")]
        near = [j for _, j in _near(points, least)]
        if not near:
            break
        again = np.unique(near)
        points[again] = np.column_stack((dice.many(len(again)), dice.many(len(again))))
    return points[np.argsort(points[:, 0], kind="stable")]


def _near(points: NDArray[np.float64], radius: float) -> Pairs:
    """Return the pairs of points at most this far apart; the points are sorted by x."""
    pairs: Pairs = []
    stops = np.searchsorted(points[:, 0], points[:, 0] + radius, side="right")
    for i, stop in enumerate(stops.tolist()):
        gap = points[i + 1 : stop] - points[i]
        near = np.flatnonzero((gap * gap).sum(axis=1) <= radius * radius)
        pairs += [(i, i + 1 + j) for j in near.tolist()]
    return pairs
