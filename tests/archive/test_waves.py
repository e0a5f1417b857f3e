"""Waves, traversals and trees: theorems from the books, on random networks with random delays."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Link, Network
from tests.strategies import connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
DFS = ("dfs", "dfs-awerbuch", "dfs-cidon")
FEW = settings(max_examples=25, deadline=None)


def run(protocol: str, network: Network, seed: int = 0, **more: object) -> tuple[Simulator, Result]:
    experiment = Experiment("t", protocol=protocol, network=network, seed=seed, **more)  # type: ignore[arg-type]
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def fathers(simulator: Simulator, variable: str = "father") -> dict[str, str]:
    """Map each process to its parent in the tree."""
    found = {p._name: getattr(p, variable) for p in simulator.processes}
    return {name: above for name, above in found.items() if above is not None}


def first_by_name(network: Network) -> dict[str, str]:
    """Return the depth-first tree of a sequential program that always visits the first unvisited neighbour."""
    found: dict[str, str] = {}

    def visit(name: str) -> None:
        for q in network.neighbours(name):
            if q not in found and q != network.initiators[0]:
                found[q] = name
                visit(q)

    visit(network.initiators[0])
    return found


def timely(network: Network, slowest: str = "uniform(0, 1)") -> Network:
    """Return the same network with delays of at most one, and steps that take no time."""
    links = tuple(Link(link.a, link.b) for link in network.links)
    return network.replace(links=links, delay=parse(slowest), step=None)


def edges(network: Network) -> Iterator[tuple[str, str]]:
    return ((link.a, link.b) for link in network.links)


@st.composite
def trees(draw: st.DrawFn, most: int = 12) -> Network:
    """Generate trees whose leaves, and perhaps others, start."""
    drawn = draw(connected_networks(most=most))
    pairs = list(nx.bfs_edges(drawn.graph(), drawn.processes[0]))
    network = drawn.replace(links=tuple(Link(a, b) for a, b in pairs))
    leaves = [p for p in network.processes if len(network.neighbours(p)) <= 1]
    others = draw(st.lists(st.sampled_from(network.processes), unique=True))
    return network.replace(initiators=tuple(dict.fromkeys([*leaves, *others])))


# --------------------------------------------------------------------------------------------------- definition of a
# wave


@FEW
@given(st.sampled_from(["echo", *DFS, "bfs-layered", "tree", "polling"]), st.data())
def test_each_process_participates_before_any_decides(name: str, data: st.DataObject) -> None:
    """Tel's definition of a wave: in every process some event belongs to the causal past of every decision."""
    network = data.draw(trees(9) if name == "tree" else connected_networks(most=9))
    if name == "polling":
        centre, others = network.processes[0], network.processes[1:]
        network = network.replace(links=tuple(Link(centre, p) for p in others), initiators=(centre,))
    _, result = run(name, network, data.draw(st.integers(0, 99)))
    assert [check for check in result.checks if not check.holds] == []
    events = list(result.trace.events())
    past: dict[int, frozenset[str]] = {}
    heard: dict[str, frozenset[str]] = dict.fromkeys(network.processes, frozenset())
    sent: dict[int, frozenset[str]] = {}
    for e in events:
        met = sent[e.message] if e.kind == "receive" and e.message is not None else frozenset()
        heard[e.process] = past[e.seq] = heard[e.process] | met | {e.process}
        if e.kind == "send" and e.message is not None:
            sent[e.message] = past[e.seq]
    decisions = [e for e in events if e.kind == "decide"]
    assert decisions
    assert all(past[e.seq] == set(network.processes) for e in decisions)


def test_the_root_of_a_flooded_tree_may_terminate_before_others_are_reached() -> None:
    """A spanning tree is not a wave: two neighbours of the root have answered while the far end of the path sleeps."""
    line = Network("line", ("a", "b", "c", "d"), (Link("a", "b"), Link("b", "c"), Link("c", "d")), ("a",))
    _, result = run("spanning-tree", line.replace(delay=parse("constant(1)")))
    when = {e.process: e.time for e in result.trace.events() if e.kind == "decide"}
    heard = {e.process: e.time for e in result.trace.events() if e.kind == "receive" and e.label == "M"}
    assert when["a"] == 2.0 < heard["d"] == 3.0


# ------------------------------------------------------------------------------------------------ depth-first search


@FEW
@given(connected_networks(most=9), st.integers(0, 99))
def test_all_three_find_the_tree_of_a_sequential_search(network: Network, seed: int) -> None:
    expected = first_by_name(network)
    counts = {}
    for name in DFS:
        simulator, result = run(name, network, seed)
        assert [check for check in result.checks if check.holds is not True] == []
        assert fathers(simulator) == expected
        counts[name] = result.messages
    assert (counts["dfs"], counts["dfs-awerbuch"]) == (2 * network.m, 4 * network.m)
    assert 2 * (network.n - 1) <= counts["dfs-cidon"] <= 4 * network.m - network.n + 1


@FEW
@given(connected_networks(most=9), st.integers(0, 99))
def test_the_variants_send_the_stated_messages_per_link(network: Network, seed: int) -> None:
    """Awerbuch: the token twice, Visited, Ack on the tree, both in each direction elsewhere. Cidon: at most three, and
    four.
    """
    for name in ("dfs-awerbuch", "dfs-cidon"):
        simulator, result = run(name, network, seed)
        tree = {frozenset(pair) for pair in fathers(simulator).items()}
        sent = Counter(
            (frozenset((e.process, str(e.peer))), e.label) for e in result.trace.events() if e.kind == "send"
        )
        for pair in map(frozenset, edges(network)):
            told = [sent[pair, kind] for kind in ("Token", "Visited", "Ack")]
            if name == "dfs-awerbuch":
                assert told == ([2, 1, 1] if pair in tree else [0, 2, 2])
            else:
                assert told[0] == 2 if pair in tree else told[0] <= 2
                assert told[1] <= (1 if pair in tree else 2)


@FEW
@given(connected_networks(most=9), st.integers(0, 99), st.sampled_from(["uniform(0, 1)", "constant(1)"]))
def test_the_times_are_within_the_bounds_of_the_book(network: Network, seed: int, delay: str) -> None:
    """2m for the classical algorithm (exactly, if messages take one), 4n - 2 for Awerbuch's, 2n - 2 for Cidon's."""
    network = timely(network, delay)
    bounds = {"dfs": 2 * network.m, "dfs-awerbuch": 4 * network.n - 2, "dfs-cidon": 2 * network.n - 2}
    for name, bound in bounds.items():
        _, result = run(name, network, seed)
        decided = next(e.time for e in result.trace.events() if e.kind == "decide")
        assert decided <= bound + 1e-9
        if name == "dfs" and delay == "constant(1)":
            assert decided == bound
        if name == "dfs-cidon" and delay == "constant(1)":
            assert decided == bound  # the counting token travels over every link of the tree twice


def test_cidon_corrects_a_token_sent_to_a_visited_process() -> None:
    """Triangle: the message from 0 to 2 is slow, so 2 sends the token to 0; the token moves on when the message
    arrives.
    """
    network = Network("triangle", ("0", "1", "2"), (Link("0", "1"), Link("0", "2"), Link("1", "2")), ("0",))
    links = tuple(Link(k.a, k.b, delay=parse("constant(9)")) if k.b == "2" and k.a == "0" else k for k in network.links)
    _, result = run("dfs-cidon", network.replace(links=links, delay=parse("constant(1)")))
    walk = [(e.process, str(e.peer), e.time) for e in result.trace.events() if e.kind == "send" and e.label == "Token"]
    assert walk == [("0", "1", 0.0), ("1", "2", 1.0), ("2", "0", 2.0), ("2", "1", 9.0), ("1", "0", 10.0)]
    assert result.exit_code == 0


@FEW
@given(connected_networks(most=9), st.integers(0, 99))
def test_tarrys_walk_uses_each_link_once_in_each_direction(network: Network, seed: int) -> None:
    simulator, result = run("tarry", network, seed)
    assert [check for check in result.checks if check.holds is not True] == []
    walked = Counter((e.process, str(e.peer)) for e in result.trace.events() if e.kind == "send")
    assert walked == Counter([*edges(network), *((b, a) for a, b in edges(network))])
    tree = nx.Graph([*fathers(simulator).items()])
    tree.add_nodes_from(network.processes)
    assert nx.is_tree(tree)


# ----------------------------------------------------------------------------------------------- breadth-first search


@FEW
@given(connected_networks(most=10), st.integers(0, 99))
def test_breadth_first_search_finds_the_distances(network: Network, seed: int) -> None:
    far = nx.single_source_shortest_path_length(network.graph(), network.initiators[0])
    layered, result = run("bfs-layered", network, seed)
    assert {p._name: p.level for p in layered.processes} == far  # type: ignore[attr-defined]
    graph = nx.DiGraph([(above, p) for p, above in fathers(layered).items()])
    graph.add_nodes_from(network.processes)
    below = {p: max(nx.single_source_shortest_path_length(graph, p).values()) for p in network.processes}
    asked = sum(below[p] + 1 for p in network.processes if p != network.initiators[0])
    assert result.messages == 2 * network.m + 2 * asked <= 2 * network.m + network.n * (network.n - 1)
    free, result = run("bfs-async", network, seed)
    assert {p._name: p.dist for p in free.processes} == far  # type: ignore[attr-defined]
    corrected = sum(p.corrections * (len(p.neighbours) - 1) for p in free.processes)  # type: ignore[attr-defined]
    assert result.messages == 2 * network.m - network.n + 1 + corrected
    for simulator, found in ((layered, "father"), (free, "parent")):
        assert all(far[p] == far[above] + 1 for p, above in fathers(simulator, found).items())


@given(connected_networks(most=8))
@settings(max_examples=10, deadline=None)
@example(Network("line", ("0", "1", "2", "3"), (Link("0", "1"), Link("1", "2"), Link("2", "3")), ("0",)))
def test_with_equal_delays_flooding_is_breadth_first_without_corrections(network: Network) -> None:
    network = timely(network, "constant(1)")
    far = nx.single_source_shortest_path_length(network.graph(), network.initiators[0])
    simulator, result = run("bfs-async", network)
    assert result.messages == 2 * network.m - network.n + 1
    assert result.time <= max(far.values()) + 1
    simulator, result = run("spanning-tree", network)
    assert all(far[p] == far[above] + 1 for p, above in fathers(simulator, "parent").items())
    assert result.time <= max(far.values()) + 2


def test_layers_reach_their_bound_on_a_path_from_its_end() -> None:
    for n in (1, 2, 5, 8):
        names = tuple(map(str, range(n)))
        line = Network("line", names, tuple(Link(a, b) for a, b in itertools.pairwise(names)), ("0",))
        assert run("bfs-layered", line)[1].messages == 2 * (n - 1) + n * (n - 1)


def test_a_fan_with_slow_short_paths_is_corrected_repeatedly() -> None:
    network = ARCHIVE.network("fan-8")
    simulator, result = run("bfs-async", network)
    assert {p.dist for p in simulator.processes} == {0, 1}  # type: ignore[attr-defined]
    assert result.messages > 2 * (2 * network.m - network.n + 1)
    assert result.exit_code == 0


# -------------------------------------------------------------------------------------------------------------- echo


@FEW
@given(connected_networks(most=10), st.integers(0, 99))
def test_echo_counts_match_its_sheet_per_process_and_link(network: Network, seed: int) -> None:
    """With c children the initiator sends 2 deg - c and any other 2 deg - 1 - c; 2 on a tree link, 4 on another."""
    simulator, result = run("echo", network, seed)
    parents = fathers(simulator, "parent")
    tree, children = {frozenset(pair) for pair in parents.items()}, Counter(parents.values())
    sends = [e for e in result.trace.events() if e.kind == "send"]
    by_process = Counter(e.process for e in sends)
    for p in network.processes:
        own = 2 * len(network.neighbours(p)) - children[p] - (p not in network.initiators)
        assert by_process[p] == own
    by_link = Counter(frozenset((e.process, str(e.peer))) for e in sends)
    assert by_link == {pair: 2 if pair in tree else 4 for pair in map(frozenset, edges(network))}


@FEW
@given(connected_networks(most=10), st.integers(0, 99))
def test_with_equal_delays_echo_ends_at_the_time_on_its_sheet(network: Network, seed: int) -> None:
    """The maximum of 2 dist(v) + 2 if v has a link outside the tree, and 2 dist(v) if it has none."""
    network = timely(network, "constant(1)")
    simulator, result = run("echo", network, seed)
    tree = {frozenset(pair) for pair in fathers(simulator, "parent").items()}
    beside = {p for pair in edges(network) if frozenset(pair) not in tree for p in pair}
    far = nx.single_source_shortest_path_length(network.graph(), network.initiators[0])
    assert result.time == max(2 * far[p] + 2 * (p in beside) for p in network.processes)


# --------------------------------------------------------------------------------------------------- other algorithms


@FEW
@given(trees(), st.booleans(), st.integers(0, 99))
def test_in_a_tree_two_neighbours_decide_and_inform_reaches_all(tree: Network, inform: bool, seed: int) -> None:
    _, result = run("tree", tree, seed, parameters={"inform": inform})
    assert [check for check in result.checks if check.holds is not True] == []
    decided = set(result.decided)
    if inform or tree.n <= 2:
        assert decided == set(tree.processes)
    else:
        assert decided in [set(pair) for pair in edges(tree)]
    assert result.messages == (0 if tree.n == 1 else 2 * tree.n - 2 if inform else tree.n)
    sent = Counter(e.process for e in result.trace.events() if e.kind == "send")
    assert inform or tree.n == 1 or set(sent.values()) == {1}
    _, result = run("tree", timely(tree), seed)
    longest = nx.diameter(tree.graph())
    assert result.time <= (longest + 2) // 2 + 1e-9


@FEW
@given(connected_networks(most=10), st.integers(0, 99))
def test_a_flooded_tree_spans_the_network_with_the_messages_of_echo(network: Network, seed: int) -> None:
    simulator, result = run("spanning-tree", network, seed)
    assert [check for check in result.checks if check.holds is not True] == []
    tree = nx.Graph([*fathers(simulator, "parent").items()])
    tree.add_nodes_from(network.processes)
    assert nx.is_tree(tree)
    assert result.messages == run("echo", network, seed)[1].messages
    labels = Counter(e.label for e in result.trace.events() if e.kind == "send")
    assert (labels["M"], labels["Parent"]) == (2 * network.m - network.n + 1, network.n - 1)
    children = {p._name: len(p.children) for p in simulator.processes}  # type: ignore[attr-defined]
    assert result.decided == children


def test_polling_takes_the_stated_time() -> None:
    for spec, n in (("star:7", 7), ("complete:6", 6)):
        network = ARCHIVE.network(spec).replace(delay=parse("constant(1)"))
        _, result = run("polling", network)
        assert (result.messages, result.time) == (2 * n - 2, 2.0 * n - 2)
