"""Properties of the shape of a network: its components and its diameter."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lydian.model.network.links import Channels

__all__ = ["diameter", "joined", "levels"]


def joined(n: int, pairs: Iterable[tuple[int, int]]) -> tuple[list[list[int]], list[int]]:
    """Join pairs of numbers below n one after the other, ignoring their direction.

    Returns:
        the components, each in rising order, the one with number 0 first; the numbers of the pairs that close a cycle.
    """
    root = list(range(n))

    def top(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    closing = []
    for number, (i, j) in enumerate(pairs):
        a, b = top(i), top(j)
        if a == b:
            closing.append(number)
        root[max(a, b)] = min(a, b)
    parts: dict[int, list[int]] = {}
    for i in range(n):
        parts.setdefault(top(i), []).append(i)
    return list(parts.values()), closing


def diameter(channels: Channels, n: int) -> int:
    """Return the largest distance between two of n processes that can all reach one another.

    All processes are handled at once: row i of a table of bits contains the processes known to reach i, and each round
    adds the rows of the neighbours. The work is diameter * channels * n / 8 bytes.
    """
    if n == 1:
        return 0
    order = np.argsort(channels.target, kind="stable")
    source, target = channels.source[order], channels.target[order]
    starts = np.searchsorted(target, np.arange(n))
    reached = np.packbits(np.eye(n, dtype=np.bool_), axis=1)
    everybody = np.packbits(np.ones((1, n), dtype=np.bool_), axis=1)
    rounds = 0
    while not (reached == everybody).all():
        reached = reached | np.bitwise_or.reduceat(reached[source], starts, axis=0)
        rounds += 1
    return rounds


def levels(source: NDArray[np.int32], target: NDArray[np.int32], n: int, start: int) -> NDArray[np.int32]:
    """Return breadth-first distances from one process over the channels source -> target; -1 where there is no path."""
    order = np.argsort(source, kind="stable")
    targets = target[order].tolist()
    stops = np.searchsorted(source[order], np.arange(n + 1)).tolist()
    level = [-1] * n
    level[start] = 0
    queue = [start]
    for i in queue:
        for j in targets[stops[i] : stops[i + 1]]:
            if level[j] < 0:
                level[j] = level[i] + 1
                queue.append(j)
    return np.array(level, dtype=np.int32)
