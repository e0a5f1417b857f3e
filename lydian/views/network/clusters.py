"""Clusters of nearby processes in a very large network, and bundles of links between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline

__all__ = ["Clusters", "clusters_of", "traffic_of"]

Floats = NDArray[np.float64]

#: The number of messages that are looked up at once.
BLOCK = 1 << 16
#: Up to this number of pairs of clusters, bundles are found in a table, which is faster than searching.
TABLE = 1_000_000


@dataclass(frozen=True, eq=False)
class Clusters:
    """The processes of a network in clusters.

    Args:
        of: the cluster of each process, (n,).
        count: how many processes each has, (c,).
        middle: where they stand on average, in coordinates of the network, (c, 2).
        pairs: the two clusters of each bundle, first < second, (b, 2); ``bundle_of`` finds a bundle by its pair.
        links: how many links each bundle has.
        link_bundle: the bundle of each link, -1 within a cluster.
    """

    of: NDArray[np.int64]
    count: NDArray[np.int64]
    middle: Floats
    pairs: NDArray[np.int64]
    links: NDArray[np.int64]
    link_bundle: NDArray[np.int64]

    def bundle_of(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bundle between two clusters, or -1."""
        keys = self.pairs[:, 0] * len(self.count) + self.pairs[:, 1]
        wanted = np.minimum(a, b) * len(self.count) + np.maximum(a, b)
        if not len(keys):
            return np.full(len(wanted), -1, dtype=np.int64)
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, place, -1)


def clusters_of(positions: Floats, ends: NDArray[np.int32], cell: float) -> Clusters:
    """Return the clusters for a given cell width, in coordinates of the network."""
    grid = np.floor(positions / cell).astype(np.int64)
    grid -= grid.min(axis=0, initial=0)
    wide = int(grid[:, 0].max(initial=0)) + 1
    _, of, count = np.unique(grid[:, 1] * wide + grid[:, 0], return_inverse=True, return_counts=True)
    of = of.reshape(-1)
    middle = np.column_stack([np.bincount(of, weights=positions[:, i]) for i in (0, 1)]) / count[:, None]
    a, b = of[ends[:, 0]], of[ends[:, 1]]
    keys = np.minimum(a, b) * len(count) + np.maximum(a, b)
    found, bundle, links = np.unique(keys[a != b], return_inverse=True, return_counts=True)
    link_bundle = np.full(len(ends), -1, dtype=np.int64)
    link_bundle[a != b] = bundle.reshape(-1)
    pairs = np.column_stack((found // len(count), found % len(count)))
    return Clusters(of, count, middle, pairs, links, link_bundle)


def traffic_of(
    run: Timeline, clusters: Clusters, steps: int, renumber: NDArray[np.int32] | None = None
) -> NDArray[np.int32]:
    """Return the number of messages sent along each bundle before each part of a run, (steps + 1, b).

    Row i counts the messages sent before event ``i * length // steps``; the last row is the whole run. One pass, a
    block of messages at a time: nothing is kept for a single message.

    Args:
        renumber: the number in the network of each process of the run, -1 for none; the same if ``None``.
    """
    bundles, count = len(clusters.pairs), len(clusters.count)
    sent = np.zeros((steps + 1, bundles), dtype=np.int32)
    if not bundles:
        return sent
    bounds = np.arange(1, steps + 1, dtype=np.int64) * run.length // steps
    table = _table(clusters) if count * count <= TABLE else None
    for start in range(0, run.m_messages, BLOCK):
        part = slice(start, min(start + BLOCK, run.m_messages))
        source, target, sends = run.message_source[part], run.message_target[part], run.sends[part]
        known = (source >= 0) & (target >= 0)
        if renumber is not None:
            source, target = renumber[source], renumber[target]
            known &= (source >= 0) & (target >= 0)
        a, b = clusters.of[source[known]], clusters.of[target[known]]
        bundle = clusters.bundle_of(a, b) if table is None else table[a * count + b]
        step = np.searchsorted(bounds, sends[known], side="right") + 1
        here = (bundle >= 0) & (step <= steps)
        low = int(step[here].min(initial=steps))
        cells = (step[here] - low) * bundles + bundle[here]
        found = np.bincount(cells)  # Messages of a block are sent at about the same time, so they concern few rows.
        rows = -(-len(found) // bundles)
        sent[low : low + rows].reshape(-1)[: len(found)] += found.astype(np.int32)
    return np.cumsum(sent, axis=0, dtype=np.int32)


def _table(clusters: Clusters) -> NDArray[np.int32]:
    """Return the bundle between any two clusters, or -1, (c * c,)."""
    count = len(clusters.count)
    table = np.full(count * count, -1, dtype=np.int32)
    first, second = clusters.pairs.T
    table[first * count + second] = table[second * count + first] = np.arange(len(clusters.pairs), dtype=np.int32)
    return table
