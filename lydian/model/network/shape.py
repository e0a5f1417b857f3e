"""Questions about the shape of a network: is it connected, a ring, a tree; how far is it across."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["connected", "diameter", "distances", "eccentricity", "is_ring", "is_tree", "joined"]


def joined(n: int, pairs: Iterable[tuple[int, int]]) -> tuple[list[list[int]], list[int]]:
    """What pairs of numbers below n join, one after the other, whatever their direction.

    Returns:
        the parts, each in rising order, the one with number 0 first; the numbers of the pairs that close a cycle.
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


def connected(network: Network) -> bool:
    """Whether every process can reach every other one; not so where there is none."""
    if not network.n:
        return False
    channels = network.channels()
    if (_levels(channels.source, channels.target, network.n, 0) < 0).any():
        return False
    return not network.directed or not (_levels(channels.target, channels.source, network.n, 0) < 0).any()


def is_ring(network: Network) -> bool:
    """Whether the links form one cycle through all processes."""
    kinds = {link.directed for link in network.links}
    if network.n < 3 or network.m != network.n or len(kinds) != 1:
        return False
    degree = 1 if network.directed else 2
    channels = network.channels()
    out = np.bincount(channels.source, minlength=network.n)
    return bool((out == degree).all()) and network.connected


def is_tree(network: Network) -> bool:
    """Whether it is connected, undirected and without a cycle."""
    return network.m == network.n - 1 and not network.directed and network.connected


def distances(network: Network, name: str) -> NDArray[np.int32]:
    """Links on the shortest way from one process to each: int32 (n,), -1 where there is none."""
    channels = network.channels()
    return _levels(channels.source, channels.target, network.n, network.number(name))


def eccentricity(network: Network, name: str) -> int:
    """The largest of the distances from one process."""
    away = distances(network, name)
    if (away < 0).any():
        there = network.processes[int(np.argmin(away))]
        raise BadInput(f"process {there} cannot be reached from {name}, so there is no largest distance")
    return int(away.max())


def diameter(network: Network) -> int:
    """The largest distance between two processes.

    All processes at once: row i of a table of bits says who is known to reach i; a round joins the rows of the
    neighbours.  It takes diameter * channels * n / 8 bytes of work.
    """
    if not network.connected:
        raise BadInput("the network is not connected, so it has no diameter")
    n = network.n
    channels = network.channels()
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


def _levels(source: NDArray[np.int32], target: NDArray[np.int32], n: int, start: int) -> NDArray[np.int32]:
    """Breadth-first distances from one process over the channels source -> target."""
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
