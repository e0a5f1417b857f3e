"""The clusters of a large network: who belongs together, discs that do not overlap, one of them unfolded."""

from __future__ import annotations

import numpy as np
import pytest

from lydian.model.generators import from_spec
from lydian.model.network import Link, Network
from lydian.views.network.discs import MOST, Discs, between, discs_of, unfolded

SPECS = ("gnm:300,900,seed=1", "grid:18,18", "ring:400", "complete:260", "scalefree:500,2,seed=3")


def arranged(network: Network) -> Discs:
    return discs_of(network, np.asarray(network.coordinates, dtype=np.float64).reshape(-1, 2))


def check(discs: Discs) -> None:
    """Check that discs do not overlap, and that every process is in its disc and at a place of its own."""
    of = discs.clusters.of
    away = np.hypot(*(discs.centre[:, None] - discs.centre[None]).transpose(2, 0, 1)) + np.eye(len(discs.radius)) * 1e9
    assert (away >= discs.radius[:, None] + discs.radius[None] - 1.0).all()
    assert (np.hypot(*(discs.places - discs.centre[of]).T) <= discs.radius[of] + 1e-6).all()
    assert len(np.unique(np.round(discs.places, 3), axis=0)) == len(of)


@pytest.mark.parametrize("spec", SPECS)
def test_discs_do_not_overlap_and_contain_their_processes(spec: str) -> None:
    discs = arranged(from_spec(spec))
    assert 2 <= len(discs.radius) <= MOST
    assert discs.clusters.count.sum() == len(discs.places)
    big = discs.clusters.count > discs.clusters.count.max() / 3
    share = discs.radius[big] / np.sqrt(discs.clusters.count[big])
    assert share == pytest.approx(np.full(len(share), share[0]))  # the area tells how many there are
    check(discs)
    for cluster in (0, len(discs.radius) - 1):
        opened = unfolded(discs, cluster)
        assert opened.unfolded == cluster and opened.radius[cluster] == opened.radius.max()
        check(opened)


def test_processes_with_many_links_between_them_are_one_cluster() -> None:
    """Six groups of fifty processes, each with a few links to the next group only."""
    chance = np.random.default_rng(4)
    links = {(50 * g + i, 50 * g + int(j)) for g in range(6) for i in range(50) for j in chance.integers(0, 50, 6)}
    links |= {(50 * g + i, (50 * g + 50 + i) % 300) for g in range(6) for i in range(3)}
    pairs = sorted({(min(a, b), max(a, b)) for a, b in links if a != b})
    names = tuple(map(str, range(300)))
    places = {name: (float(x), float(y)) for name, (x, y) in zip(names, chance.uniform(0, 500, (300, 2)), strict=True)}
    network = Network("groups", names, tuple(Link(names[a], names[b]) for a, b in pairs), positions=places)
    of = arranged(network).clusters.of.reshape(6, 50)
    assert (of == of[:, :1]).all()
    assert len(set(of[:, 0].tolist())) == 6


def test_the_same_network_has_the_same_places() -> None:
    one, other = from_spec("gnm:300,900,seed=1"), from_spec("gnm:300,900,seed=1")
    assert arranged(one) is arranged(other)


def test_unfolding_is_a_way_between_two_arrangements() -> None:
    folded = arranged(from_spec("grid:18,18"))
    opened = unfolded(folded, 2)
    half = between(folded, opened, 0.5)
    assert half.share == 0.5 and half.unfolded == 2
    assert half.radius == pytest.approx((folded.radius + opened.radius) / 2)
    assert half.places == pytest.approx((folded.places + opened.places) / 2)
