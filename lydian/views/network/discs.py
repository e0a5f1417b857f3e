"""The positions of the clusters of a large network: discs that do not overlap, each with its processes.

The processes of a large network are drawn at places of their own in all views of the network, from afar as pies and
from close up one by one, so that zooming in never moves anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lydian.model.network import Network
from lydian.views.network.clusters import Clusters, bundled

__all__ = ["LARGE", "Discs", "between", "discs_of", "unfolded"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Networks with more processes than this are drawn in clusters.
LARGE = 250
#: The maximum number of clusters.
MOST = 30
#: The number of links up to which clusters are found by links; in larger networks this would take seconds.
LINKS = 40_000
#: The clusters that are smaller than this share of the average join one of their neighbours.
SMALL = 0.2
#: The width and height of the area, the share of it that discs cover, and the gap between two of them.
WIDE, TALL, COVERED, GAP = 1080.0, 560.0, 0.22, 18.0
#: The radius of a cluster that is unfolded.
OPEN = 240.0
#: The share of the radius of a disc within which its processes are placed.
INNER = 0.88
#: The number of members up to which they are arranged by their links.
SPECTRAL = 160


@dataclass(frozen=True, eq=False)
class Discs:
    """The clusters of a network in their places.

    Args:
        clusters: the processes of each cluster, and the bundles of links between clusters.
        centre: their positions, (c, 2), in the coordinates of the arrangement, not those of the network.
        radius: the radius of each disc, (c,).
        places: the positions of the processes, (n, 2).
        unfolded: the cluster that the user has unfolded, -1 for none.
        share: how far it has been unfolded, from 0 to 1.
    """

    clusters: Clusters
    centre: Floats
    radius: Floats
    places: Floats
    unfolded: int = -1
    share: float = 0.0

    @cached_property
    def spacing(self) -> Floats:
        """The distance between neighbouring processes in each disc, (c,)."""
        return self.radius * INNER * np.sqrt(np.pi / np.maximum(self.clusters.count, 1)) * 0.95

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Return the bounds of all discs: left, top, right, bottom."""
        low, high = self.centre - self.radius[:, None], self.centre + self.radius[:, None]
        return (*low.min(axis=0).tolist(), *high.max(axis=0).tolist())


#: The arrangements made last, with what they were made from; a run that is started again has a network of its own.
_made: list[tuple[Ints, Floats, Discs]] = []


def discs_of(network: Network, positions: Floats) -> Discs:
    """Return the clusters of a network in their places; the same network always gives the same object."""
    ends = network.ends.astype(np.int64)
    for known, stood, discs in _made:
        if np.array_equal(known, ends) and np.array_equal(stood, positions):
            return discs
    discs = _arranged(network, positions)
    _made[:] = [*_made[-3:], (ends, positions, discs)]
    return discs


def _arranged(network: Network, positions: Floats) -> Discs:
    ends = network.ends.astype(np.int64)
    of = _communities(network.n, ends) if 0 < len(ends) <= LINKS else np.zeros(network.n, dtype=np.int64)
    if of.max(initial=0) == 0:  # no links say what belongs together
        of = _sectors(positions)
    clusters = bundled(of, positions, ends)
    k = np.sqrt(COVERED * WIDE * TALL / (np.pi * network.n))
    radius = np.maximum(k * np.sqrt(clusters.count), 14.0)
    centre = _apart(_starts(clusters, positions), radius, np.zeros(len(radius), dtype=bool))
    inside = _inside(clusters, positions, ends)
    return Discs(clusters, centre, radius, centre[of] + inside * radius[of][:, None])


def unfolded(discs: Discs, cluster: int) -> Discs:
    """Return the arrangement with one cluster unfolded at the side, and the others pushed away from it."""
    of, radius = discs.clusters.of, discs.radius.copy()
    radius[cluster] = max(OPEN, radius[cluster])
    wide = WIDE * 1.3  # of the whole arrangement, which grows by the disc
    right = discs.centre[cluster, 0] >= WIDE / 2
    start = discs.centre.copy()
    start[:, 0] = start[:, 0] * 0.8 + (0.0 if right else wide - 0.8 * WIDE)
    start[cluster] = (wide - radius[cluster] if right else radius[cluster], TALL / 2)
    fixed = np.zeros(len(radius), dtype=bool)
    fixed[cluster] = True
    centre = _apart(start, radius, fixed, wide)
    inside = (discs.places - discs.centre[of]) / discs.radius[of][:, None]
    return Discs(discs.clusters, centre, radius, centre[of] + inside * radius[of][:, None], cluster, 1.0)


def between(folded: Discs, open_: Discs, share: float) -> Discs:
    """Return the arrangement on the way from all folded to one unfolded."""
    mixed = (a + (b - a) * share for a, b in (
        (folded.centre, open_.centre), (folded.radius, open_.radius), (folded.places, open_.places),
    ))  # fmt: skip
    centre, radius, places = mixed
    return replace(open_, centre=centre, radius=radius, places=places, share=share)


# ---------------------------------------------------------------------- which processes belong together


def _communities(n: int, ends: Ints) -> Ints:
    """Return the cluster of each process by links (Louvain), at most :data:`MOST`."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(ends.tolist())
    of = np.zeros(n, dtype=np.int64)
    found = sorted((sorted(each) for each in nx.community.louvain_communities(graph, seed=1)), key=lambda c: c[0])
    for number, members in enumerate(found):
        of[members] = number
    return _merged(of, ends)


def _merged(of: Ints, ends: Ints) -> Ints:
    """Join clusters to the ones to which they have most links for their size, the smallest first."""
    count = np.bincount(of)
    c = len(count)
    links = np.zeros((c, c))
    np.add.at(links, (of[ends[:, 0]], of[ends[:, 1]]), 1.0)
    links += links.T
    np.fill_diagonal(links, 0.0)
    into, alive = np.arange(c), count > 0
    while alive.sum() > 1:
        smallest = int(np.argmin(np.where(alive, count, count.max() * 2 + 1)))
        if alive.sum() <= MOST and count[smallest] >= SMALL * count.sum() / alive.sum():
            break
        others = np.where(alive, links[smallest] / np.maximum(count, 1), -1.0)
        others[smallest] = -1.0
        best = int(np.argmax(others))
        if others[best] <= 0:  # it has no links: it joins the smallest of the others
            best = int(np.argmin(np.where(alive & (np.arange(c) != smallest), count, count.sum() + 1)))
        into[into == smallest] = best
        links[best] += links[smallest]
        links[:, best] += links[:, smallest]
        links[best, best] = 0.0
        count[best] += count[smallest]
        alive[smallest] = False
    numbers: Ints = np.unique(into[of], return_inverse=True)[1].reshape(-1)
    return numbers


def _sectors(positions: Floats) -> Ints:
    """Return clusters of equal size by angle around the middle, for networks whose links are uninformative."""
    away = positions - positions.mean(axis=0)
    order = np.argsort(np.arctan2(away[:, 1], away[:, 0]), kind="stable")
    parts = int(min(max(round(np.sqrt(len(positions)) / 1.5), 6), MOST))
    of = np.empty(len(positions), dtype=np.int64)
    of[order] = np.arange(len(positions)) * parts // len(positions)
    return of


# ---------------------------------------------------------------------- where they stand


def _starts(clusters: Clusters, positions: Floats) -> Floats:
    """Return first places of discs: as in the network if their clusters are separate there, else the largest first."""
    low, wide = positions.min(axis=0), np.maximum(np.ptp(positions, axis=0), 1e-9)
    middle = (clusters.middle - low) / wide
    if _apart_there(clusters, positions):
        spread = np.maximum(np.ptp(middle, axis=0), 1e-9)
        first: Floats = (middle - middle.min(axis=0)) / spread * (WIDE * 0.8, TALL * 0.8) + (WIDE * 0.1, TALL * 0.1)
        return first
    rank = np.empty(len(middle))
    rank[np.argsort(-clusters.count, kind="stable")] = np.arange(len(middle))
    turn, away = rank * np.pi * (3 - np.sqrt(5)), np.sqrt((rank + 0.3) / len(middle)) * 0.46
    return np.column_stack((np.cos(turn) * away * WIDE + WIDE / 2, np.sin(turn) * away * TALL + TALL / 2))


def _apart_there(clusters: Clusters, positions: Floats) -> bool:
    """Return whether the positions of the network separate the clusters."""
    within = positions - clusters.middle[clusters.of]
    return bool((within**2).sum() < 0.5 * ((positions - positions.mean(axis=0)) ** 2).sum())


def _apart(start: Floats, radius: Floats, fixed: NDArray[np.bool_], wide: float = WIDE) -> Floats:
    """Return places near the given ones at which no two discs overlap, as far as there is room."""
    at = start.astype(np.float64).copy()
    need = radius[:, None] + radius[None, :] + GAP
    low, high = radius[:, None], np.array([wide, TALL]) - radius[:, None]
    for _ in range(400):
        way = at[:, None, :] - at[None, :, :]
        away = np.hypot(way[..., 0], way[..., 1])
        np.fill_diagonal(away, np.inf)
        lack = np.clip(need - away, 0, None)
        if not (lack > 0.5).any():
            break
        # of two discs at one point, the later one moves to the right
        unit = np.where(away[..., None] > 1e-6, way / np.maximum(away, 1e-6)[..., None], np.sign(
            np.arange(len(at))[:, None, None] - np.arange(len(at))[None, :, None]) * (1.0, 0.3))  # fmt: skip
        share = np.where(fixed[None, :], 1.0, 0.5) * ~fixed[:, None]
        push = (unit * (lack * share)[..., None]).sum(axis=1)
        at = np.where(fixed[:, None], at, np.clip(at + push * 0.7, low, np.maximum(high, low)))
    return at


def _inside(clusters: Clusters, positions: Floats, ends: Ints) -> Floats:
    """Return the places of the processes in their discs, evenly spread, (n, 2), within a circle of radius 1."""
    places = np.zeros_like(positions)
    apart = _apart_there(clusters, positions)
    inner = ends[clusters.link_bundle < 0]
    order = np.argsort(clusters.of, kind="stable")
    bounds = np.searchsorted(clusters.of[order], np.arange(len(clusters.count) + 1))
    links = np.argsort(clusters.of[inner[:, 0]], kind="stable")
    cuts = np.searchsorted(clusters.of[inner[links, 0]], np.arange(len(clusters.count) + 1))
    for cluster in range(len(clusters.count)):
        members = order[bounds[cluster] : bounds[cluster + 1]]
        local = positions[members] - clusters.middle[cluster]
        if not apart and 2 < len(members) <= SPECTRAL:
            own = np.searchsorted(members, inner[links[cuts[cluster] : cuts[cluster + 1]]])
            local = _by_links(len(members), own)
        places[members] = _evenly(local) * INNER
    return places


def _by_links(n: int, ends: Ints) -> Floats:
    """Return places in which linked processes are near each other: two eigenvectors of the Laplacian."""
    laplacian = np.zeros((n, n))
    np.subtract.at(laplacian, (ends[:, 0], ends[:, 1]), 1.0)
    laplacian += laplacian.T
    degree = -laplacian.sum(axis=1)
    scale = 1.0 / np.sqrt(np.maximum(degree, 1.0))
    laplacian[np.diag_indices(n)] = degree
    vectors = np.linalg.eigh(laplacian * scale[:, None] * scale[None, :])[1][:, 1:3] * scale[:, None]
    # the sign of an eigenvector is arbitrary, so the entry of largest amount is made positive
    sign = np.sign(vectors[np.abs(vectors).argmax(axis=0), (0, 1)])
    found: Floats = np.round(vectors * np.where(sign == 0, 1.0, sign), 9)
    return found


def _evenly(local: Floats) -> Floats:
    """Return places on rings, equally far apart, in which each process keeps its direction from the middle."""
    n = len(local)
    rings = max(1, round(np.sqrt(n / 3.0))) if n > 1 else 0
    if not rings:
        return np.zeros((n, 2))
    steps = np.arange(rings) + (0.5 if n < 6 else 0.6)
    size = np.floor(np.cumsum(steps) / steps.sum() * n + 1e-9).astype(np.int64)
    size = np.diff(np.concatenate(([0], size)))
    places = np.empty((n, 2))
    by_distance = np.argsort(np.hypot(local[:, 0], local[:, 1]), kind="stable")
    first = 0
    for ring, count in enumerate(size.tolist()):
        members = by_distance[first : first + count]
        first += count
        turn = np.arctan2(local[members, 1], local[members, 0])
        order = np.argsort(turn, kind="stable")
        even = np.arange(count) * 2 * np.pi / max(count, 1)
        shift = np.angle(np.exp(1j * (turn[order] - even)).mean()) if count else 0.0
        places[members[order]] = np.column_stack((np.cos(even + shift), np.sin(even + shift))) * (
            steps[ring] / steps[-1]
        )
    return places
