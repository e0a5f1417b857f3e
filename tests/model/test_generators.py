"""Generated networks: the right processes and links, connected, the same for the same seed."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lydian.model.delays import Exponential, parse
from lydian.model.errors import BadInput
from lydian.model.generators import KINDS, from_spec, generate
from lydian.model.generators.chance import gnm, random_tree
from lydian.model.network import Network

seeds = st.integers(-(10**6), 10**6)


def graph(network: Network) -> nx.Graph:
    return nx.relabel_nodes(network.graph(), int)


def same(network: Network, expected: nx.Graph) -> bool:
    """Return whether the links are the same, with processes numbered in the order of the other graph's nodes."""
    numbers = {node: i for i, node in enumerate(expected)}
    links = {frozenset((numbers[a], numbers[b])) for a, b in expected.edges}
    return {frozenset((int(e.a), int(e.b))) for e in network.links} == links and network.n == len(numbers)


def test_regular_kinds_match_networkx() -> None:
    assert same(generate("line", 7), nx.path_graph(7))
    assert same(generate("ring", 7), nx.cycle_graph(7))
    assert same(generate("star", 7), nx.star_graph(6))
    assert same(generate("complete", 7), nx.complete_graph(7))
    assert same(generate("grid", 3, 4), nx.grid_2d_graph(3, 4))
    assert same(generate("torus", 3, 4), nx.grid_2d_graph(3, 4, periodic=True))
    assert same(generate("tree", 15), nx.balanced_tree(2, 3))
    assert nx.is_isomorphic(graph(generate("hypercube", 4)), nx.hypercube_graph(4))


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_and_examples(kind: str) -> None:
    network = generate(kind)
    assert network == from_spec(kind) == from_spec(f"{kind}:") == from_spec(KINDS[kind].example)
    check(network)
    assert network.about.endswith(".")
    assert "{" not in network.about
    assert KINDS[kind].words


def check(network: Network) -> None:
    """Check the properties that all of them share."""
    assert network.processes == tuple(str(i) for i in range(network.n))
    assert network.initiators == ("0",)
    assert network.connected is (network.m > 0 or network.n == 1)
    assert len(network.positions) == network.n
    apart = np.linalg.norm(network.coordinates[:, None] - network.coordinates[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 39


@given(st.integers(1, 40), seeds)
def test_random_trees(n: int, seed: int) -> None:
    network = generate("randomtree", n, seed=seed)
    check(network)
    assert network.is_tree


@given(st.integers(2, 25), st.data(), seeds)
def test_gnm(n: int, data: st.DataObject, seed: int) -> None:
    m = data.draw(st.integers(n - 1, n * (n - 1) // 2))
    network = generate("gnm", n, m, seed=seed)
    check(network)
    assert network.m == m


@given(st.integers(2, 25), st.floats(0, 1), seeds)
def test_gnp(n: int, p: float, seed: int) -> None:
    check(generate("gnp", n, p, seed=seed))


@given(st.integers(2, 25), st.floats(0, 1.5), seeds)
def test_geometric(n: int, radius: float, seed: int) -> None:
    network = generate("geometric", n, radius, seed=seed)
    check(network)
    points = network.coordinates
    side = max(560, 80 * math.sqrt(n))
    long = [np.linalg.norm(points[i] - points[j]) > radius * side + 0.3 for i, j in network.ends]
    near = np.linalg.norm(points[:, None] - points[None], axis=2) <= radius * side - 0.3
    assert sum(long) <= n - 1  # links added to connect the parts
    assert (near.sum() - n) // 2 <= network.m


@given(st.integers(4, 25), st.integers(1, 6), st.floats(0, 1), seeds)
def test_small_worlds(n: int, half: int, p: float, seed: int) -> None:
    assume(2 * half < n)
    network = generate("smallworld", n, 2 * half, p, seed=seed)
    check(network)
    assert network.m == n * half
    if p == 0:
        assert same(network, nx.circulant_graph(n, list(range(1, half + 1))))


@given(st.integers(2, 40), st.integers(1, 5), seeds)
def test_scale_free(n: int, m: int, seed: int) -> None:
    assume(m < n)
    network = generate("scalefree", n, m, seed=seed)
    check(network)
    assert network.m == m * (n - m)


@given(st.sampled_from([kind for kind, g in KINDS.items() if g.random]), st.integers(0, 5))
def test_the_seed_determines_the_network(kind: str, seed: int) -> None:
    one, again = generate(kind, seed=seed), from_spec(f"{kind}:seed={seed}")
    assert one == again
    assert set(one.links) != set(generate(kind, seed=seed + 100).links)


def test_links_are_fixed_for_ever() -> None:
    # Recorded once: any change alters every experiment with a random network.
    found = {kind: " ".join(map(str, generate(kind, 6, seed=1).links)) for kind in ("randomtree", "gnp", "scalefree")}
    found["gnm"] = " ".join(map(str, generate("gnm", 6, 8, seed=1).links))
    found["geometric"] = " ".join(map(str, generate("geometric", 6, 0.6, seed=1).links))
    found["smallworld"] = " ".join(map(str, generate("smallworld", 6, 2, 0.5, seed=1).links))
    assert found == LINKS


LINKS = {
    "randomtree": "0-3 0-4 1-3 2-5 3-5",
    "gnp": "0-3 0-4 1-2 1-3 1-5 3-4 4-5",
    "scalefree": "0-1 0-2 0-3 0-4 2-3 2-5 3-4 3-5",
    "gnm": "0-1 1-2 1-3 2-3 2-4 3-4 3-5 4-5",
    "geometric": "0-1 0-2 0-3 0-4 1-2 1-3 1-4 2-3 2-4 3-4 3-5 4-5",
    "smallworld": "0-3 0-4 0-5 1-2 2-3 3-5",
}


def test_gnm_is_fair() -> None:
    # Each of the 10 pairs of 5 processes is linked in 7 of 10 connected networks with 7 links.
    counts = np.zeros((5, 5))
    for seed in range(1500):
        for i, j in gnm(5, 7, seed).pairs:
            counts[i, j] += 1
    shares = counts[np.triu_indices(5, 1)] / 1500
    assert shares.sum() == pytest.approx(7)
    assert np.abs(shares - 0.7).max() < 0.05


def test_random_trees_are_fair() -> None:
    # The 16 trees of 4 processes: chi-square with 15 degrees of freedom, 0.1 %.
    counts: dict[str, int] = {}
    for seed in range(1600):
        text = str(random_tree(4, seed).pairs)
        counts[text] = counts.get(text, 0) + 1
    assert len(counts) == 16
    assert sum((c - 100) ** 2 / 100 for c in counts.values()) < 37.7


def test_scale_free_has_hubs() -> None:
    degrees = sorted((d for _, d in graph(generate("scalefree", 400, 2, seed=1)).degree), reverse=True)
    assert degrees[0] > 25
    assert degrees[200] <= 3


def test_large_ones() -> None:
    network = generate("gnm", 2000, 50_000, seed=1)
    assert (network.n, network.m, network.connected) == (2000, 50_000, True)
    assert len(set(network.positions.values())) == 2000


# ---------------------------------------------------------------------- notation


@pytest.mark.parametrize(
    ("spec", "name", "n", "m"),
    [
        ("grid:5x5", "grid-5x5", 25, 40),
        ("grid:5", "grid-5x5", 25, 40),
        ("grid:2,6", "grid-2x6", 12, 16),
        (" grid : 2 x 6 ", "grid-2x6", 12, 16),
        ("grid:columns=6,rows=2", "grid-2x6", 12, 16),
        ("gnm:100,300,seed=1", "gnm-100-300-seed-1", 100, 300),
        ("gnm:m=300,n=100", "gnm-100-300", 100, 300),
        ("smallworld:20,4,0.1", "smallworld-20-4-0.1", 20, 40),
        ("hypercube:1", "hypercube-1", 2, 1),
        ("tree:1", "tree-1", 1, 0),
        ("ring:8,name=round", "round", 8, 8),
    ],
)
def test_specs(spec: str, name: str, n: int, m: int) -> None:
    network = from_spec(spec)
    assert (network.name, network.n, network.m) == (name, n, m)


def test_options() -> None:
    network = from_spec(
        "ring:4,delay=mix(1: uniform(0, 1), 1: exponential(2)),order=fifo,loss=0.1,duplication=0.2,anonymous=true"
    )
    assert network.delay == parse("mix(1: uniform(0, 1), 1: exponential(2))")
    assert (network.order, network.loss, network.anonymous) == ("fifo", 0.1, True)
    assert (network.duplication, network.corruption) == (0.2, 0.0)
    assert from_spec('ring:4,delay="exponential(mean=2)"') == generate("ring", 4, delay=Exponential(2))
    moved = from_spec("ring:6,layout=grid")
    assert moved.positions != generate("ring", 6).positions
    assert moved.replace(positions={}) == generate("ring", 6).replace(positions={})


def test_texts_as_arguments() -> None:
    # in the form passed by the command line
    assert generate("gnp", "20", "0.3", seed="4") == generate("gnp", 20, 0.3, seed=4)  # type: ignore[arg-type]
    assert generate("grid", "3", columns="4") == generate("grid", 3, 4)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("", "unknown kind of network ''; choose from ring, line"),
        ("rng:8", "unknown kind of network 'rng' in 'rng:8' (did you mean 'ring'?)"),
        ("ring:2", "a ring must have at least 3 processes, not 2"),
        ("ring:-5", "a ring must have at least 3 processes, not -5"),
        ("ring:99999999999", "a ring must have at most 20000 processes, not 99999999999"),
        ("ring:a", "n of a ring must be a whole number, not 'a'"),
        ("ring:2.5", "n of a ring must be a whole number, not '2.5'"),
        ("ring:,", "a ring takes 1 argument (n), not 2; write it like ring:8"),
        ("ring:8,9", "a ring takes 1 argument (n), not 2"),
        ("ring:8,n=8", "a ring is given n twice"),
        ("ring:n=8,n=8", "n appears twice in 'ring:n=8,n=8'"),
        ("ring:n=8,8", "'8' in 'ring:n=8,8' has no name"),
        ("ring:8,sede=1", "unknown argument 'sede' of a ring (did you mean 'seed'?)"),
        ("ring:8,seed=x", "a seed must be a whole number, not 'x'"),
        ("ring:8,delay=foo(1)", "unknown distribution 'foo'"),
        ("ring:8,delay=-1", "value of constant must be >= 0, not -1"),
        ("ring:8,loss=2", "a probability from 0 to 1, not 2.0"),
        ("ring:8,loss=x", "loss must be a probability from 0 to 1, not 'x'"),
        ("ring:8,order=lifo", "did you mean 'fifo'?"),
        ("ring:8,anonymous=maybe", "anonymous must be true or false, not 'maybe'"),
        ("ring:8,layout=sprong", "unknown layout 'sprong' (did you mean 'spring'?)"),
        ("grid:0x3", "a grid must have at least 1 row, not 0"),
        ("grid:1x1", "a grid must have at least 2 processes, not 1"),
        ("torus:2x3", "a torus must have at least 3 rows, not 2"),
        ("gnm:10,3", "the number of links of gnm with 10 processes must be from 9 (a tree) to 45 (all pairs), not 3"),
        ("gnm:10,100", "the number of links of gnm with 10 processes must be from 9 (a tree) to 45 (all pairs)"),
        ("gnp:10,nan", "gnp must have at least p = 0, not nan"),
        ("gnp:10,1.5", "gnp must have at most p = 1, not 1.5"),
        ("gnp:10,inf", "gnp must have at most p = 1, not inf"),
        ("geometric:10,-1", "a geometric network must have at least radius = 0, not -1.0"),
        ("smallworld:10,3", "k of a small world of 10 processes must be even and from 2 to 8, not 3"),
        ("smallworld:10,10", "k of a small world of 10 processes must be even and from 2 to 8, not 10"),
        ("scalefree:5,5", "m of a scale-free network of 5 processes must be from 1 to 4, not 5"),
        ("hypercube:40", "a hypercube must have at most 14 dimensions, not 40"),
        ("complete:10000", "a complete network of this size has 49995000 links; the number must"),
        ("grid:1000x1000", "a grid of this size has 1000000 processes; the number must"),
    ],
)
def test_wrong_specs(spec: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        from_spec(spec)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.sampled_from(list(KINDS)), st.text("0123456789x,=-.enpmkseed() \"'", max_size=10))
def test_any_spec_is_a_network_or_bad_input(kind: str, rest: str) -> None:
    assume(not any(len(part) > 2 for part in rest.replace("x", ",").split(",")))
    try:
        network: Any = from_spec(f"{kind}:{rest}")
    except BadInput:
        return
    assert network.connected is (kind != "isolated" or network.n == 1)


def test_every_process_may_start() -> None:
    assert from_spec("isolated:3,starts=all").initiators == ("0", "1", "2")
    assert from_spec("ring:5,starts=first").initiators == from_spec("ring:5").initiators == ("0",)
    with pytest.raises(BadInput, match="starts must be first or all, not 'some'"):
        from_spec("ring:5,starts=some")


def test_messages_travel_one_way_round_a_directed_ring():
    network = from_spec("onewayring:5")
    assert [(link.a, link.b, link.directed) for link in network.links] == [
        ("0", "1", True), ("1", "2", True), ("2", "3", True), ("3", "4", True), ("4", "0", True),
    ]  # fmt: skip
    assert all(network.neighbours(p) == (str((int(p) + 1) % 5),) for p in network.processes)
