"""Layouts: each process has its own place, always the same one, in a sensible picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.model.generators import generate
from lydian.model.layouts import APART, KINDS, MANY, aligned, layout, placed, rearranged
from lydian.model.network import Link, Network


def net(n: int, pairs: list[tuple[int, int]], initiators: tuple[str, ...] = ("0",)) -> Network:
    links = tuple(Link(str(i), str(j)) for i, j in pairs)
    return Network("x", tuple(str(i) for i in range(n)), links, initiators)


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Generate any networks, including disconnected ones and those without links."""
    n = draw(st.integers(1, 25))
    numbers = st.integers(0, n - 1)
    pairs = {(min(p), max(p)) for p in draw(st.sets(st.tuples(numbers, numbers), max_size=40)) if p[0] != p[1]}
    return net(n, sorted(pairs), tuple(map(str, draw(st.lists(numbers, unique=True, max_size=3)))))


def apart(network: Network) -> np.ndarray:
    found = np.linalg.norm(network.coordinates[:, None] - network.coordinates[None], axis=2)
    np.fill_diagonal(found, np.inf)
    return found


@given(networks(), st.sampled_from(list(KINDS)))
def test_no_processes_overlap(network: Network, kind: str) -> None:
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


def test_spring_keeps_neighbours_close() -> None:
    network = layout(generate("grid", 4, 5), "spring")
    linked = np.zeros((20, 20), dtype=bool)
    linked[network.ends[:, 0], network.ends[:, 1]] = True
    linked |= linked.T
    distances = apart(network)
    assert distances[linked].mean() < 0.6 * distances[~linked & np.isfinite(distances)].mean()


def test_crowded_networks_grow() -> None:
    points = layout(generate("complete", 120), "stress").coordinates
    assert np.ptp(points, axis=0).max() > 600


def test_positions_are_computed_only_where_needed() -> None:
    there = generate("ring", 5)
    assert placed(there) is there
    bare = there.replace(positions={"0": (1.0, 1.0)})
    assert len(placed(bare).positions) == 5


def test_unknown_layout() -> None:
    with pytest.raises(BadInput, match=r"unknown layout 'cirlce' \(did you mean 'circle'\?\); choose from circle"):
        layout(net(1, []), "cirlce")


# ---------------------------------------------------------------------- many processes


@pytest.mark.parametrize("kind", ["spring", "stress"])
def test_large_networks_show_their_shape(kind: str) -> None:
    network = layout(generate("grid", 30, 40), kind)
    assert network.n > MANY
    points = network.coordinates
    i, j = network.ends.T
    links = np.linalg.norm(points[i] - points[j], axis=1)
    pairs = np.random.default_rng(1).integers(0, network.n, (2, 4000))
    anywhere = np.linalg.norm(points[pairs[0]] - points[pairs[1]], axis=1)
    assert links.mean() < 0.15 * anywhere.mean()
    far = network.distances("0")
    assert np.corrcoef(far, np.linalg.norm(points - points[0], axis=1))[0, 1] > 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_no_processes_overlap_in_large_networks(kind: str) -> None:
    for network in (generate("scalefree", 1100, 3), net(1050, [(0, i) for i in range(1, 40)] + [(50, 51), (51, 52)])):
        drawn = layout(network, kind)
        assert apart(drawn).min() >= APART - 0.2


def test_distances_agree_with_separate_searches() -> None:
    from lydian.model.layouts.forces import _distances, _found

    for network in (generate("gnm", 40, 60, seed=1), net(9, [(0, 1), (1, 2), (4, 5)])):
        assert (_distances(network) == _found(network)).all()


def test_the_reported_progress_increases() -> None:
    for size in (60, 1100):
        told: list[float] = []
        layout(generate("gnm", size, 2 * size), "stress", told.append)
        assert len(told) > 5
        assert 0 <= min(told) <= max(told) <= 1


def test_a_layout_can_be_cancelled() -> None:
    def enough(share: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        layout(generate("gnm", 1100, 3000), "spring", enough)


# ---------------------------------------------------------------------- near the old drawing

coordinate = st.floats(-500, 500, allow_nan=False).map(lambda x: round(x, 2))
drawings = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=12).map(lambda p: np.array(p))


@given(drawings, st.floats(0, 7), st.booleans(), st.tuples(coordinate, coordinate))
def test_a_rotated_drawing_is_rotated_back(
    old: np.ndarray, angle: float, mirrored: bool, shift: tuple[float, float]
) -> None:
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    new = (old * (-1, 1) if mirrored else old) @ turn + shift
    assert np.allclose(aligned(new, old), old, atol=1e-6)


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(*[st.lists(st.tuples(coordinate, coordinate), min_size=n,
       max_size=n).map(lambda p: np.array(p))] * 2)), st.floats(0, 7), st.booleans())  # fmt: skip
def test_no_rotation_is_closer(both: tuple[np.ndarray, np.ndarray], angle: float, mirrored: bool) -> None:
    new, old = both
    found = aligned(new, old)
    gaps = [np.linalg.norm(p[:, None] - p[None], axis=2) for p in (new, found)]
    assert np.allclose(*gaps, atol=1e-6)  # no scaling or bending
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    flat = new - new.mean(axis=0)
    other = (flat * (-1, 1) if mirrored else flat) @ turn + old.mean(axis=0)
    assert ((found - old) ** 2).sum() <= ((other - old) ** 2).sum() + 1e-6
    for less in ("mirror", "shift"):
        kept = aligned(new, old, less)
        assert np.allclose(np.ptp(kept, axis=0), np.ptp(new, axis=0))
        assert ((found - old) ** 2).sum() <= ((kept - old) ** 2).sum() + 1e-6


def test_repeated_arrangement_moves_no_process_far() -> None:
    network = layout(generate("gnm", 20, 40, seed=2), "stress")
    upside_down = network.moved({name: (1000 - x, 600 - y) for name, (x, y) in network.positions.items()})
    there = rearranged(upside_down, "stress")
    assert np.allclose([there[name] for name in network.processes], upside_down.coordinates, atol=0.3)


def test_layers_stay_level_and_grids_upright() -> None:
    network = layout(generate("tree", 15), "layers")
    mirrored = network.moved({name: (-x, -y) for name, (x, y) in network.positions.items()})
    layers = np.array(list(rearranged(mirrored, "layers").values()))
    assert len(set(layers[:, 1])) == 4
    assert layers[0, 1] < layers[1, 1]  # the initiator is still on top
    assert np.allclose(layers[:, 0], mirrored.coordinates[:, 0], atol=0.3)
    rows = np.array(list(rearranged(mirrored, "grid").values()))
    assert [tuple(p) for p in rows] == sorted((tuple(p) for p in rows), key=lambda p: (p[1], p[0]))


def test_a_selection_is_arranged_in_place() -> None:
    network = layout(generate("grid", 6, 6), "stress")
    chosen = ["0", "1", "2", "6", "7", "8"]
    there = rearranged(network, "circle", chosen)
    assert list(there) == chosen
    points, old = np.array(list(there.values())), np.array([network.positions[name] for name in chosen])
    assert np.allclose(points.mean(axis=0), old.mean(axis=0), atol=0.2)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=2) + np.eye(6) * 1e9
    assert gaps.min() >= APART
    radius = np.linalg.norm(points - points.mean(axis=0), axis=1)
    assert np.ptp(radius) < 0.5
    assert radius.max() <= 2 * np.linalg.norm(old - old.mean(axis=0), axis=1).max()
