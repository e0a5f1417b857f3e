"""Clusters of nearby processes in a very large network, and bundles of links between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Clusters", "bundled", "clusters_of"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Clusters:
    """The processes of a network in clusters.

    Args:
        of: the cluster of each process, (n,).
        count: how many processes each has, (c,).
        middle: their mean position, in coordinates of the network, (c, 2).
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
    of = np.unique(grid[:, 1] * wide + grid[:, 0], return_inverse=True)[1]
    return bundled(of.reshape(-1), positions, ends)


def bundled(of: NDArray[np.int64], positions: Floats, ends: NDArray[Any]) -> Clusters:
    """Return clusters and the bundles between them, given the cluster of each process."""
    count = np.bincount(of)
    middle = np.column_stack([np.bincount(of, weights=positions[:, i]) for i in (0, 1)]) / count[:, None]
    a, b = of[ends[:, 0]], of[ends[:, 1]]
    keys = np.minimum(a, b) * len(count) + np.maximum(a, b)
    found, bundle, links = np.unique(keys[a != b], return_inverse=True, return_counts=True)
    link_bundle = np.full(len(ends), -1, dtype=np.int64)
    link_bundle[a != b] = bundle.reshape(-1)
    pairs = np.column_stack((found // len(count), found % len(count)))
    return Clusters(of, count, middle, pairs, links, link_bundle)
