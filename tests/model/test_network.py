"""Networks: refusals, neighbours, channels, timing, shape."""

from __future__ import annotations

import dataclasses
import math
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.delays import Constant, Exponential, Uniform, parse
from lydian.model.errors import BadInput, unknown_process
from lydian.model.experiment.experiment import Experiment
from lydian.model.layouts import KINDS, layout
from lydian.model.names import natural
from lydian.model.network import Link, Network, Timing

ROOT = Path(__file__).parents[2]


def net(n: int, pairs: Any = (), **changes: Any) -> Network:
    links = tuple(p if isinstance(p, Link) else Link(str(p[0]), str(p[1])) for p in pairs)
    return Network("test", tuple(str(i) for i in range(n)), links, **changes)


def ring(n: int, directed: bool = False) -> Network:
    return net(n, [Link(str(i), str((i + 1) % n), directed=directed) for i in range(n)])


@st.composite
def networks(draw: st.DrawFn, most: int = 12) -> Network:
    """Generate any network, connected or not, with some directed links."""
    n = draw(st.integers(1, most))
    pairs = draw(st.sets(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=25))
    links, taken = [], set()
    for i, j in sorted(pairs):
        directed = draw(st.booleans())
        channels = {(i, j)} if directed else {(i, j), (j, i)}
        if i != j and not channels & taken:
            links.append(Link(str(i), str(j), directed=directed))
            taken |= channels
    return net(n, links)


# ---------------------------------------------------------------------- refusals

WRONG: list[tuple[Any, str]] = [
    (lambda: Network("x", ("a", "b", "a"), ()), "two processes have the name 'a'"),
    (lambda: Network("x", ("a", ""), ()), "the name of a process must be text of 1 to 100 characters, not ''"),
    (lambda: Network("x", ("a\n",), ()), "name of a process"),
    (lambda: Network("x", ("a" * 101,), ()), "name of a process"),
    (lambda: Network("x", (1,), ()), "name of a process"),
    (lambda: Network(7, ("a",), ()), "name and about of a network must be text, not (7, '')"),
    (lambda: Link("a", "a"), "a link must join two different processes, not 'a' with itself"),
    (
        lambda: Network("x", ("one", "two"), (Link("one", "twoo"),)),
        "link one-twoo: its ends name the unknown process 'twoo' (did you mean 'two'?)",
    ),
    (lambda: net(2, [(0, 1), (0, 1)]), "two links lead from 0 to 1"),
    (lambda: net(2, [(0, 1), (1, 0)]), "two links lead from 1 to 0"),
    (lambda: net(2, [(0, 1), Link("1", "0", directed=True)]), "two links lead from 1 to 0"),
    (lambda: net(2, [Link("1", "0", directed=True), (0, 1)]), "two links lead from 0 to 1"),
    (lambda: net(2, initiators=("5",)), "initiators name the unknown process '5'"),
    (lambda: net(2, initiators=("0", "0")), "a process appears twice among the initiators ('0', '0')"),
    (lambda: net(2, positions={"5": (0, 0)}), "positions name the unknown process '5'"),
    (lambda: net(2, positions={"0": (math.nan, 0)}), "the position of process 0 must be two numbers up to 1e9"),
    (lambda: net(2, positions={"0": (0, math.inf)}), "position of process 0"),
    (lambda: net(2, positions={"0": (1,)}), "the position of process 0 must be two numbers, not (1,)"),
    (lambda: net(2, positions={"0": "ab"}), "position of process 0"),
    (lambda: net(2, delay=1.0), "the delay of a network must be a distribution such as uniform(0.5, 1.5), not 1.0"),
    (lambda: net(2, order="fifi"), "the order of a network must be 'fifo' or 'unordered', not 'fifi' (did you mean"),
    (lambda: net(2, loss=-0.1), "the loss of a network must be a probability from 0 to 1, not -0.1"),
    (lambda: net(2, loss=math.nan), "probability from 0 to 1"),
    (lambda: net(2, loss=True), "probability from 0 to 1"),
    (lambda: net(2, steps={"9": Constant(1)}), "lengths of steps name the unknown process '9'"),
    (lambda: net(2, steps={"1": 1}), "the length of a step of process 1 must be a distribution"),
    (lambda: net(2, step="1"), "the length of a step must be a distribution"),
    (lambda: net(2, classes={"slow": "1"}), "the delay of the class of links 'slow' must be a distribution"),
    (lambda: Link("0", "1", delay="1"), "the delay of link 0-1 must be a distribution"),
    (lambda: Link("0", "1", order="x"), "the order of link 0-1"),
    (lambda: Link("0", "1", loss=2), "the loss of link 0-1 must be a probability from 0 to 1, not 2"),
    (lambda: Link("0", "1", outages=((2, 1),)), "an outage of link 0-1 must satisfy 0 <= from < to, not (2.0, 1.0)"),
    (lambda: Link("0", "1", outages=((-1, 1),)), "an outage of link 0-1 must satisfy 0 <= from < to"),
    (lambda: Link("0", "1", outages=((0, math.inf),)), "an outage of link 0-1 must satisfy 0 <= from < to"),
    (lambda: Link("0", "1", outages=((0, math.nan),)), "an outage of link 0-1 must satisfy 0 <= from < to"),
    (lambda: Link("0", "1", outages=(3,)), "an outage of link 0-1 must be a pair of times, not 3"),
    (lambda: net(2).replace(procesess=()), "unknown field 'procesess' of a network (did you mean 'processes'?)"),
    (lambda: net(2).replace(loss=7), "probability from 0 to 1, not 7"),
]


@pytest.mark.parametrize(("make", "sentence"), WRONG, ids=[s[:40] for _, s in WRONG])
def test_invalid_networks_are_refused(make: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        make()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------- value semantics


def test_equal_by_value_and_usable_as_a_key() -> None:
    one, other = net(3, [(0, 1)], positions={"0": (1, 2)}), net(3, [(0, 1)], positions={"0": (1.0, 2.0)})
    assert one == other
    assert len({one, other}) == 1
    assert one != one.replace(positions={})
    assert one != one.replace(about="x")


def test_immutable_and_independent_of_its_source() -> None:
    positions = {"0": (1.0, 2.0)}
    network = Network("x", ["0", "1"], [Link("0", "1")], positions=positions)  # type: ignore[arg-type]
    positions["0"] = (5.0, 5.0)
    assert network.positions == {"0": (1.0, 2.0)}
    assert network.processes == ("0", "1")
    with pytest.raises(dataclasses.FrozenInstanceError):
        network.name = "y"  # type: ignore[misc]


@given(networks())
def test_can_be_sent_to_another_process(network: Network) -> None:
    _ = network.channels(), network.connected
    assert pickle.loads(pickle.dumps(network)) == network
    assert len(pickle.dumps(network)) <= len(pickle.dumps(network.replace())) + 10  # derived values are not copied


# ---------------------------------------------------------------------- neighbours and channels


def test_natural_order() -> None:
    assert sorted(["10", "2", "p10", "p9", "1", "02", "a"], key=natural) == ["1", "02", "2", "10", "a", "p9", "p10"]
    network = net(12, [(0, 11), (0, 2), (0, 10), (0, 1)])
    assert network.neighbours("0") == ("1", "2", "10", "11")


def test_a_name_and_the_same_name_with_a_number_can_coexist() -> None:
    network = Network("x", ("p2", "p", "q", "p10"), (Link("q", "p2"), Link("q", "p"), Link("q", "p10")), ("q",))
    assert network.neighbours("q") == ("p", "p2", "p10")


@given(st.lists(st.text(alphabet="ab01٣²9-", max_size=6)))
def test_any_names_can_be_sorted(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(backwards, key=natural) == sorted(names, key=natural)
    assert natural("9" * 5000) < natural("1" + "0" * 5000)


@given(networks())
def test_neighbours_and_links(network: Network) -> None:
    to = {name: set() for name in network.processes}
    for link in network.links:
        to[link.a].add(link.b)
        if not link.directed:
            to[link.b].add(link.a)
    for name in network.processes:
        assert network.neighbours(name) == tuple(sorted(to[name], key=natural))
        for other in network.processes:
            found = network.link_between(name, other)
            assert (found is not None) == (other in to[name])
            assert found is None or {found.a, found.b} == {name, other}


@given(networks())
def test_channels(network: Network) -> None:
    channels = network.channels()
    assert channels is network.channels()
    pairs = list(zip(channels.source.tolist(), channels.target.tolist(), strict=True))
    expected = []
    for link in network.links:
        i, j = network.index[link.a], network.index[link.b]
        expected += [(i, j)] if link.directed else [(i, j), (j, i)]
    assert pairs == expected
    assert channels.numbers == {pair: k for k, pair in enumerate(pairs)}
    assert [len(channels), channels.source.dtype, channels.link.dtype] == [len(pairs), np.int32, np.int32]
    for k, number in enumerate(channels.link.tolist()):
        assert {pairs[k][0], pairs[k][1]} == {
            network.index[e] for e in (network.links[number].a, network.links[number].b)
        }


def test_channels_know_their_timing() -> None:
    slow, own = Exponential(9), Constant(1)
    network = net(
        5,
        [(0, 1), Link("1", "2", klass="slow"), Link("2", "3", klass="slow", delay=own, order="unordered", loss=0.5),
         Link("3", "4", directed=True, klass="none"), Link("4", "0", delay=Constant(1))],
        classes={"slow": slow}, order="fifo", loss=0.1,
    )  # fmt: skip
    channels = network.channels()
    assert channels.source.tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 0]
    assert channels.target.tolist() == [1, 0, 2, 1, 3, 2, 4, 0, 4]
    assert channels.link.tolist() == [0, 0, 1, 1, 2, 2, 3, 4, 4]
    assert channels.fifo.tolist() == [True] * 4 + [False] * 2 + [True] * 3
    assert channels.loss.tolist() == [0.1] * 4 + [0.5] * 2 + [0.1] * 3
    groups = {d: members.tolist() for d, members in channels.delays}
    assert groups == {Uniform(0.5, 1.5): [0, 1, 6], slow: [2, 3], own: [4, 5, 7, 8]}


def test_every_channel_has_exactly_one_delay() -> None:
    network = net(4, [Link("0", "1", delay=Constant(1)), Link("1", "2", delay=Constant(1)), (2, 3)])
    members = np.concatenate([m for _, m in network.channels().delays])
    assert sorted(members.tolist()) == list(range(6))
    alone = net(2, [Link("0", "1", delay=Constant(1))])
    assert [d for d, _ in alone.channels().delays] == [Constant(1)]
    assert net(3).channels().delays == ()
    assert len(net(3).channels()) == 0


def test_unknown_process() -> None:
    with pytest.raises(BadInput, match="unknown process '7'"):
        net(2).neighbours("7")
    assert net(2, [(0, 1)]).link_between("0", "7") is None


def test_description_of_links() -> None:
    network = Network(
        "x", ("0", "1", "2", "a-b", "c"), (Link("0", "1"), Link("1", "2", directed=True), Link("a-b", "c"))
    )
    assert network.parse_link("0-1") == ("0", "1")
    assert network.parse_link(" 1 - 0 ") == ("1", "0")
    assert network.parse_link("1->2") == ("1", "2")
    assert network.parse_link("a-b-c") == ("a-b", "c")
    for text, sentence in [
        ("2-1", "directed the other way: 1->2"),
        ("0-2", "no link joins 0 and 2; 0 has links to 1"),
        ("0-9", "link '0-9' names the unknown process '9'"),
        ("", "a link must be written with its two processes, as in '3-7', not ''"),
        ("01", "a link must be written with its two processes"),
    ]:
        with pytest.raises(BadInput) as caught:
            network.parse_link(text)
        assert sentence in str(caught.value)


def test_coordinates() -> None:
    points = net(4, positions={"1": (7, 8)}).coordinates
    assert points.shape == (4, 2)
    assert points[1].tolist() == [7, 8]
    assert len(np.unique(points.round(6), axis=0)) == 4


# ---------------------------------------------------------------------- timing


def test_with_timing() -> None:
    network = net(4, [(0, 1), Link("1", "2", klass="far"), (2, 3)], classes={"far": Constant(5)}, initiators=("0",))
    assert network.with_timing(Timing()) is network
    timing = Timing(
        delay=Constant(1), order="fifo", loss=0.2, step=Constant(0.1), links={"1-0": Constant(2)},
        classes={"far": Constant(9)}, steps={"3": Constant(0.5)}, initiators=("2", "3"),
    )  # fmt: skip
    timed = network.with_timing(timing)
    assert [timed.delay_of(link) for link in timed.links] == [Constant(2), Constant(9), Constant(1)]
    assert (timed.order, timed.loss, timed.initiators) == ("fifo", 0.2, ("2", "3"))
    assert [timed.step_of(name) for name in timed.processes] == [Constant(0.1)] * 3 + [Constant(0.5)]
    assert network.links[0].delay is None
    assert network.step_of("0") is None


@pytest.mark.parametrize(
    ("timing", "sentence"),
    [
        (Timing(links={"0-9": Constant(1)}), "link '0-9' names the unknown process '9'"),
        (Timing(links={"0-2": Constant(1)}), "no link joins 0 and 2"),
        (
            Timing(classes={"fast": Constant(1)}),
            "unknown class of links 'fast' (did you mean 'fastest'?); choose from fastest",
        ),
        (Timing(steps={"9": Constant(1)}), "unknown process '9'"),
        (Timing(initiators=("9",)), "initiators name the unknown process '9'"),
        (Timing(loss=2), "probability from 0 to 1, not 2"),
        (Timing(order="lifo"), "did you mean 'fifo'?"),
    ],
)
def test_wrong_timing(timing: Timing, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        net(3, [Link("0", "1", klass="fastest"), (1, 2)]).with_timing(timing)
    assert sentence in str(caught.value)


# ---------------------------------------------------------------------- shape


@given(networks())
def test_shape_against_networkx(network: Network) -> None:
    graph = network.graph()
    assert graph.is_directed() == network.directed
    assert list(graph) == list(network.processes)
    connected = nx.is_strongly_connected(graph) if network.directed else nx.is_connected(graph)
    assert network.connected == connected
    assert network.is_tree == (not network.directed and nx.is_tree(graph))
    assert network.is_complete == all(graph.has_edge(a, b) for a in graph for b in graph if a != b)
    for name in network.processes:
        reach = nx.single_source_shortest_path_length(graph, name)
        assert network.distances(name).tolist() == [reach.get(other, -1) for other in network.processes]
        if len(reach) == network.n:
            assert network.eccentricity(name) == max(reach.values())
    if connected:
        assert network.diameter == nx.diameter(graph)
    else:
        with pytest.raises(BadInput, match="not connected, so it has no diameter"):
            _ = network.diameter


def test_rings() -> None:
    assert ring(3).is_ring
    assert ring(9).is_ring
    assert ring(5, directed=True).is_ring
    assert not net(2, [(0, 1)]).is_ring
    assert not net(6, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]).is_ring
    assert not net(4, [(0, 1), (1, 2), (2, 0), (2, 3)]).is_ring
    assert not net(3, [(0, 1), (1, 2), Link("2", "0", directed=True)]).is_ring
    assert not net(3, [Link(a, b, directed=True) for a, b in ("01", "12", "02")]).is_ring


def test_no_farthest_process() -> None:
    with pytest.raises(BadInput, match="process 2 cannot be reached from 0"):
        net(3, [(0, 1)]).eccentricity("0")


def test_weights_apply_in_both_directions_unless_directed() -> None:
    links = (Link("a", "b", weight=4), Link("b", "c", directed=True, weight=2.5), Link("a", "c"))
    network = Network("n", ("a", "b", "c"), links)
    assert network.weights == {("a", "b"): 4, ("b", "a"): 4, ("b", "c"): 2.5}
    assert network.replace(links=links[2:]).weights == {}
    with pytest.raises(BadInput, match=r"the weight of link a-b must be a number such as 4 or 2.5, not True"):
        Link("a", "b", weight=True)


def test_large_networks_are_built_from_arrays() -> None:
    n = 2000
    pairs = [(i, (i + d) % n) for d in range(1, 26) for i in range(n)]
    network = net(n, pairs)
    channels = network.channels()
    assert network.m == 50_000
    assert len(channels) == 100_000
    assert np.bincount(channels.source).tolist() == [50] * n
    assert network.eccentricity("7") == 40
    assert network.connected
    assert network.neighbours("3")[:4] == ("0", "1", "2", "4")


def test_import_is_light() -> None:
    code = (
        "import sys, lydian.model.network; print(sorted({'networkx', 'scipy', 'pyarrow', 'simpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_parsed_delays_are_shared_by_groups() -> None:
    links = [Link(str(i), str(i + 1), delay=parse("exponential(mean=2)")) for i in range(20)]
    assert len(net(21, links).channels().delays) == 1


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_empty_network_can_be_drawn_but_not_run(kind: str) -> None:
    empty = Network("empty", (), ())
    assert not empty.connected and not empty.is_tree and not empty.is_ring
    assert layout(empty, kind) == empty
    with pytest.raises(BadInput, match="the network has no processes yet; add one"):
        Experiment(name="test", protocol="echo", network=empty).resolve()


@pytest.mark.parametrize("drift", [0, 0.05, 11, -1, True, "fast", float("nan")])
def test_the_drift_of_a_clock_is_bounded(drift: Any) -> None:
    with pytest.raises(BadInput, match=r"the drift of the clock of process a must be a number from 0\.1 to 10"):
        Network("x", ("a",), (), drifts={"a": drift})


def test_an_unknown_process_is_answered_with_those_that_there_are() -> None:
    assert unknown_process("9", ("0", "1"), "two") == "unknown process '9' of network two; choose from 0, 1"
    assert unknown_process("tw", ("one", "two")) == "unknown process 'tw' (did you mean 'two'?)"
    many = tuple(str(i) for i in range(1_200))
    assert unknown_process("x", many) == "unknown process 'x'; choose from the 1,200 from 0 to 1199"
    assert unknown_process("x", ()) == "unknown process 'x'"
