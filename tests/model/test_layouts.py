"""Layouts: everybody has a place of their own, always the same one, and in a sensible picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.model.generators import generate
from lydian.model.layouts import APART, KINDS, layout, placed
from lydian.model.network import Link, Network


def net(n: int, pairs: list[tuple[int, int]], initiators: tuple[str, ...] = ("0",)) -> Network:
    links = tuple(Link(str(i), str(j)) for i, j in pairs)
    return Network("x", tuple(str(i) for i in range(n)), links, initiators)


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Any networks, also those in several parts and those without links."""
    n = draw(st.integers(1, 25))
    numbers = st.integers(0, n - 1)
    pairs = {(min(p), max(p)) for p in draw(st.sets(st.tuples(numbers, numbers), max_size=40)) if p[0] != p[1]}
    return net(n, sorted(pairs), tuple(map(str, draw(st.lists(numbers, unique=True, max_size=3)))))


def apart(network: Network) -> np.ndarray:
    found = np.linalg.norm(network.coordinates[:, None] - network.coordinates[None], axis=2)
    np.fill_diagonal(found, np.inf)
    return found


@given(networks(), st.sampled_from(list(KINDS)))
def test_nobody_overlaps(network: Network, kind: str) -> None:
    drawn = layout(network, kind)
    assert len(drawn.positions) == network.n
    assert np.isfinite(drawn.coordinates).all()
    assert apart(drawn).min() >= APART - 0.2
    assert drawn.replace(positions={}) == network
    assert layout(network, kind) == drawn


@pytest.mark.parametrize("kind", KINDS)
def test_one_and_two_processes(kind: str) -> None:
    assert layout(net(1, []), kind).positions == {"0": (500.0, 300.0)}
    two = layout(net(2, [(0, 1)]), kind).coordinates
    assert 100 <= np.linalg.norm(two[0] - two[1]) <= 600
    assert (two >= 0).all()
    assert (two <= [1000, 600]).all()


@pytest.mark.parametrize("kind", ["circle", "grid", "spring", "stress", "disc"])
def test_small_networks_fill_the_box(kind: str) -> None:
    points = layout(generate("gnm", 20, 40, seed=3), kind).coordinates
    assert (points >= 0).all()
    assert (points <= [1000, 600]).all()
    assert np.ptp(points, axis=0).max() > 400


def test_circle_and_grid_keep_the_order() -> None:
    points = layout(net(8, []), "circle").coordinates - [500, 300]
    assert np.allclose(np.hypot(*points.T), 250, atol=0.2)
    angles = np.arctan2(points[:, 0], -points[:, 1]) % (2 * np.pi)
    assert (np.diff(angles) > 0).all()
    assert angles[0] == 0
    rows = layout(net(12, []), "grid").coordinates
    assert [tuple(p) for p in rows] == sorted((tuple(p) for p in rows), key=lambda p: (p[1], p[0]))


def test_layers_are_distances_from_the_initiator() -> None:
    network = layout(generate("gnm", 30, 45, seed=2).replace(initiators=("7",)), "layers")
    distance = network.distances("7")
    y = network.coordinates[:, 1]
    for d in range(distance.max() + 1):
        assert len(set(y[distance == d])) == 1
    assert (np.diff([y[distance == d][0] for d in range(distance.max() + 1)]) > 0).all()


def test_layers_of_a_tree_have_no_crossings() -> None:
    network = layout(generate("randomtree", 30, seed=4), "layers")
    x, y = network.coordinates.T
    ends = [sorted(e, key=lambda i: y[i]) for e in network.ends.tolist()]
    crossings = [
        (a, b) for a in ends for b in ends
        if y[a[0]] == y[b[0]] and x[a[0]] < x[b[0]] and x[a[1]] > x[b[1]]
    ]  # fmt: skip
    assert crossings == []


def test_radial_rings_are_distances_from_the_initiator() -> None:
    network = layout(generate("tree", 31), "radial")
    distance = network.distances("0")
    radius = np.linalg.norm(network.coordinates - [500, 300], axis=1)
    for d in range(5):
        assert np.ptp(radius[distance == d]) < 0.2
    assert (np.diff([radius[distance == d][0] for d in range(5)]) > 50).all()


def test_stress_shows_distances() -> None:
    network = layout(generate("grid", 4, 5), "stress")
    far = np.array([network.distances(name) for name in network.processes])
    upper = np.triu_indices(20, 1)
    assert np.corrcoef(far[upper], apart(network)[upper])[0, 1] > 0.9
    line = layout(generate("line", 9), "stress").coordinates
    assert (np.diff(line[:, 0]) > 0).all()
    assert np.ptp(line[:, 1]) < 30


def test_spring_keeps_neighbours_near() -> None:
    network = layout(generate("grid", 4, 5), "spring")
    linked = np.zeros((20, 20), dtype=bool)
    linked[network.ends[:, 0], network.ends[:, 1]] = True
    linked |= linked.T
    distances = apart(network)
    assert distances[linked].mean() < 0.6 * distances[~linked & np.isfinite(distances)].mean()


def test_crowded_networks_grow() -> None:
    points = layout(generate("complete", 120), "stress").coordinates
    assert np.ptp(points, axis=0).max() > 600


def test_placed_only_where_needed() -> None:
    there = generate("ring", 5)
    assert placed(there) is there
    bare = there.replace(positions={"0": (1.0, 1.0)})
    assert len(placed(bare).positions) == 5


def test_unknown_layout() -> None:
    with pytest.raises(BadInput, match=r"unknown layout 'cirlce' \(did you mean 'circle'\?\); there are circle, grid"):
        layout(net(1, []), "cirlce")
