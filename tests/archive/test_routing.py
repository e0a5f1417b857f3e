"""Routing and trees: cheapest paths, tables, minimum spanning trees and reversed links, checked independently."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.daemon import Daemon
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from tests.strategies import connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
FEW = settings(max_examples=20, deadline=None)
REVERSALS = ("link-reversal", "link-reversal-partial")


def run(protocol: str, network: Network, seed: int = 0, **more: object) -> tuple[Simulator, Result]:
    experiment = Experiment("t", protocol=protocol, network=network, seed=seed, **more)  # type: ignore[arg-type]
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def ran(name: str) -> tuple[Simulator, Result]:
    simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    return simulator, simulator.run()


def failed(result: Result) -> list[str]:
    return [check.name for check in result.checks if check.holds is False]


def of(simulator: Simulator, variable: str) -> dict[str, object]:
    return {p._name: getattr(p, variable) for p in simulator.processes}


@st.composite
def weighted(draw: st.DrawFn, least: int = 0, most: int = 8, equal: bool = True) -> Network:
    """Generate networks with random weights; with ``equal``, several links may have the same weight."""
    network = draw(connected_networks(most=most))
    numbers = st.integers(least, 6) if equal else st.integers(least, 10_000)
    weights = draw(st.lists(numbers, min_size=network.m, max_size=network.m, unique=not equal))
    links = tuple(replace(link, weight=weight) for link, weight in zip(network.links, weights, strict=True))
    return network.replace(links=links, loss=0.0)


def graph_of(network: Network, without: tuple[tuple[str, str], ...] = ()) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(network.processes)
    for link in network.links:
        if (link.a, link.b) not in without:
            graph.add_edge(link.a, link.b, weight=1 if link.weight is None else link.weight)
    return graph


def cut(network: Network, pairs: tuple[tuple[str, str], ...], time: float) -> dict[str, tuple[Intervention, ...]]:
    """Generate links that fail, and the notifications to their ends."""
    down = tuple(Intervention(time=time, do="link_down", link=pair) for pair in pairs)
    told = tuple(
        Intervention(time=time, do="command", process=p, label="LinkDown", fields={"neighbour": q})
        for a, b in pairs
        for p, q in ((a, b), (b, a))
    )
    return {"faults": down, "workload": told}


# ---------------------------------------------------------------------- weights


def test_a_process_knows_the_weights_of_its_own_links() -> None:
    network = ARCHIVE.network("weighted-9")
    simulator, _ = run("bellman-ford", network)
    first = simulator.processes[0]
    assert [first.weight(q) for q in first.neighbours] == [4, 8]
    with pytest.raises(ValueError, match="only links to neighbours have a weight, and '8' is not a neighbour"):
        first.weight("8")
    nameless, _ = run("bellman-ford", network.replace(anonymous=True))
    assert [nameless.processes[0].weight(port) for port in (0, 1)] == [4, 8]
    unweighted, _ = run("bellman-ford", from_spec("ring:3"))
    assert unweighted.processes[0].weight("1") == 1


# ---------------------------------------------------------------------- Bellman-Ford


@FEW
@given(weighted(), st.integers(0, 1000))
def test_each_process_finds_the_cheapest_path_and_the_initiator_learns_this(network: Network, seed: int) -> None:
    simulator, result = run("bellman-ford", network, seed)
    assert failed(result) == [] and result.stopped == "quiescent"
    assert of(simulator, "dist") == nx.single_source_dijkstra_path_length(graph_of(network), network.initiators[0])
    assert len(result.decided) == 1


@FEW
@given(weighted(least=1))
def test_without_corrections_if_delays_equal_weights(network: Network) -> None:
    links = tuple(replace(link, delay=parse(f"constant({link.weight})")) for link in network.links)
    simulator, result = run("bellman-ford", network.replace(links=links, step=None))
    assert set(of(simulator, "corrections").values()) == {0}
    assert result.messages == 2 * (2 * network.m - network.n + 1)


def test_each_triangle_doubles_the_corrections() -> None:
    simulator, _ = ran("bellman-ford-triangles")
    corrections = of(simulator, "corrections")
    assert [corrections[str(2 * i)] for i in range(6)] == [0, 1, 3, 7, 15, 31]


def test_a_lost_acknowledgement_keeps_the_initiator_waiting() -> None:
    _, result = ran("bellman-ford-lost")
    assert failed(result) == ["the initiator learns that all distances are right"]


def test_a_negative_weight_is_refused() -> None:
    network = from_spec("ring:3")
    links = (replace(network.links[0], weight=-2), *network.links[1:])
    needs = ARCHIVE.protocol("bellman-ford").missing(network.replace(links=links))
    assert "weight -2" in str(needs)


# ---------------------------------------------------------------------- Merlin-Segall


@FEW
@given(weighted(), st.integers(0, 1000))
def test_rounds_find_the_cheapest_paths_without_loops(network: Network, seed: int) -> None:
    simulator, result = run("merlin-segall", network, seed, parameters={"size": network.n})
    assert failed(result) == [] and result.stopped == "quiescent"
    assert of(simulator, "dist") == nx.single_source_dijkstra_path_length(graph_of(network), network.initiators[0])
    assert result.messages == 2 * network.m * (network.n - 1)


@FEW
@given(weighted(least=1), st.integers(1, 4), st.integers(0, 1000))
def test_a_number_of_rounds_finds_all_paths_of_that_number_of_links(network: Network, rounds: int, seed: int) -> None:
    simulator, _ = run("merlin-segall", network, seed, parameters={"size": rounds + 1})
    costs = {network.initiators[0]: 0.0}
    for _ in range(rounds):  # Bellman-Ford's recursion: cheapest paths of at most this number of links
        found = {q: costs[p] + graph_of(network)[p][q]["weight"] for p in costs for q in graph_of(network)[p]}
        for p in costs:
            for q, link in graph_of(network)[p].items():
                found[q] = min(found[q], costs[p] + link["weight"])
        costs = {p: min(costs.get(p, cost), cost) for p, cost in {**costs, **found}.items()}
    dist = of(simulator, "dist")
    assert all(dist[p] <= cost for p, cost in costs.items())  # type: ignore[operator]


def test_every_schedule_of_rounds_is_free_of_loops() -> None:
    links = tuple(Link(a, b, weight=w) for a, b, w in (("0", "1", 1), ("0", "2", 5), ("1", "2", 1), ("2", "3", 1)))
    network = Network("net", ("0", "1", "2", "3"), links, ("0",))
    result = Explorer(Experiment("t", protocol="merlin-segall", network=network, parameters={"size": 4})).run()
    assert result.complete and result.messages == (24, 24)
    assert [each.name for each in result.findings if each.holds is not True] == []


def test_too_few_rounds_leave_distances_too_high() -> None:
    simulator, result = ran("merlin-segall-few")
    right = nx.single_source_dijkstra_path_length(graph_of(ARCHIVE.network("weighted-24")), "0")
    assert any(p.dist > right[p._name] for p in simulator.processes)  # type: ignore[attr-defined]
    assert "the distances are right, and each father is on a cheapest path" in failed(result)


# ---------------------------------------------------------------------- distance vector


@FEW
@given(weighted(least=1), st.booleans(), st.integers(0, 1000))
def test_tables_become_right_and_never_contain_a_cycle(network: Network, poisoned: bool, seed: int) -> None:
    parameters = {"poisoned_reverse": poisoned, "infinity": 100}
    simulator, result = run("distance-vector", network.replace(order="fifo"), seed, parameters=parameters)
    assert failed(result) == [] and result.stopped == "quiescent"
    assert of(simulator, "dist") == dict(nx.all_pairs_dijkstra_path_length(graph_of(network)))


@FEW
@given(weighted(least=1), st.booleans(), st.data())
def test_after_a_cut_tables_are_right_again(network: Network, poisoned: bool, data: st.DataObject) -> None:
    if not network.m:
        return
    gone = data.draw(st.sampled_from([(link.a, link.b) for link in network.links]))
    parameters = {"poisoned_reverse": poisoned, "infinity": 40}
    simulator, result = run(
        "distance-vector", network.replace(order="fifo"), parameters=parameters, **cut(network, (gone,), 200.0)
    )
    assert result.stopped == "quiescent"
    true = dict(nx.all_pairs_dijkstra_path_length(graph_of(network, (gone,))))
    expected = {p: {d: true[p].get(d, 40) for d in network.processes} for p in network.processes}
    assert of(simulator, "dist") == expected
    assert set(failed(result)) <= {"following the tables never leads back to the same process"}


def metrics(name: str, process: str) -> list[float]:
    """Return the successive distances to process 0 in a process's table."""
    _, result = ran(name)
    timeline = Timeline(result.trace)
    row = timeline.processes.index(process)
    found = []
    for k in range(timeline.length + 1):
        value = timeline.variable_at("dist", k)[row].get("0")
        if value is not None and found[-1:] != [value]:
            found.append(value)
    return found


def test_two_processes_count_to_infinity_and_poison_stops_them() -> None:
    assert metrics("distance-vector-count", "1") == [1, 3, 5, 7, 9, 11, 13, 15, 16]
    assert metrics("distance-vector-poisoned", "1") == [1, 16]
    assert failed(ran("distance-vector-poisoned")[1]) == []


def test_three_processes_in_a_cycle_count_despite_poison() -> None:
    believed = metrics("distance-vector-circle", "2")
    assert [value for value in believed if value < 16] == [2, 3, 6, 9, 12, 15]
    assert failed(ran("distance-vector-circle")[1]) == ["following the tables never leads back to the same process"]


def test_a_restored_link_is_used_again() -> None:
    network = from_spec("ring:5").replace(order="fifo")
    gone = cut(network, (("0", "1"),), 20.0)
    back = [Intervention(time=60.0, do="link_up", link=("0", "1"))]
    told = [
        Intervention(time=60.0, do="command", process=p, label="LinkUp", fields={"neighbour": q})
        for p, q in (("0", "1"), ("1", "0"))
    ]
    faults, workload = (*gone["faults"], *back), (*gone["workload"], *told)
    before, _ = run("distance-vector", network, **gone)
    assert of(before, "dist") == dict(nx.all_pairs_shortest_path_length(graph_of(network, (("0", "1"),))))
    after, _ = run("distance-vector", network, faults=faults, workload=workload)
    assert of(after, "dist") == dict(nx.all_pairs_shortest_path_length(graph_of(network)))


# ---------------------------------------------------------------------- minimum spanning tree


def branches(simulator: Simulator) -> set[frozenset[str]]:
    return {frozenset((p._name, q)) for p in simulator.processes for q in p.branch}


@FEW
@given(weighted(most=10, equal=False), st.integers(0, 1000), st.data())
def test_the_branches_are_the_minimum_spanning_tree(network: Network, seed: int, data: st.DataObject) -> None:
    starts = data.draw(st.sets(st.sampled_from(network.processes), min_size=1))
    simulator, result = run("ghs", network.replace(order="fifo", initiators=tuple(sorted(starts))), seed)
    assert failed(result) == [] and result.stopped == "quiescent"
    tree = nx.minimum_spanning_edges(graph_of(network), data=False)
    assert branches(simulator) == {frozenset(pair) for pair in tree}
    assert all(not p.later for p in simulator.processes)


@FEW
@given(weighted(most=10), st.integers(0, 1000))
def test_equal_weights_are_distinguished(network: Network, seed: int) -> None:
    simulator, result = run("ghs", network.replace(order="fifo"), seed)
    assert failed(result) == [] and result.stopped == "quiescent"
    found = graph_of(network).edge_subgraph([tuple(link) for link in branches(simulator)])
    least = nx.minimum_spanning_tree(graph_of(network))
    assert found.number_of_edges() == network.n - 1
    assert found.size(weight="weight") == least.size(weight="weight")


def test_all_seven_messages_occur_and_stay_within_the_bound() -> None:
    simulator, result = ran("ghs-24")
    timeline = Timeline(result.trace)
    sent = Counter(timeline.labels[code] for code in timeline.label[timeline.kind == Kind.SEND].tolist())
    assert set(sent) == {"Connect", "Initiate", "Test", "Accept", "Reject", "Report", "ChangeRoot"}
    rejected = simulator.network.m - simulator.network.n + 1
    assert sent["Reject"] <= 2 * rejected  # two messages per rejected link: Test and Reject, or two Tests
    assert result.messages <= 5 * 24 * 4.585 + 2 * 43


# ---------------------------------------------------------------------- link reversal


@pytest.mark.parametrize("n", [4, 5, 8])
def test_a_ring_that_loses_its_exit_shows_the_worst_case_and_the_remedy(n: int) -> None:
    network = from_spec(f"ring:{n}").replace(initiators=("0",))
    counts = []
    for protocol in REVERSALS:
        simulator, result = run(protocol, network, daemon=Daemon("synchronous"), **cut(network, (("0", "1"),), 4.0))
        assert failed(result) == [] and result.stopped == "quiescent"
        counts.append(sum(p.reversals for p in simulator.processes))
    assert counts == [(n - 1) * (n - 2) // 2, n - 2]


@pytest.mark.parametrize("protocol", REVERSALS)
@FEW
@given(connected_networks(), st.sampled_from(["central", "distributed", "synchronous", "adversarial"]), st.data())
def test_links_are_ordered_again_after_any_cut_that_leaves_the_network_connected(
    protocol: str, network: Network, daemon: str, data: st.DataObject
) -> None:
    gone: tuple[tuple[str, str], ...] = ()
    for link in network.links:
        more = (*gone, (link.a, link.b))
        if nx.is_connected(graph_of(network, more)) and data.draw(st.booleans()):
            gone = more
    simulator, result = run(protocol, network, daemon=Daemon(daemon), **cut(network, gone, 300.0))
    assert failed(result) == [] and result.stopped == "quiescent"
    heights = of(simulator, "height")
    down = nx.DiGraph()
    down.add_nodes_from(network.processes)
    down.add_edges_from((a, b) if heights[a] > heights[b] else (b, a) for a, b in graph_of(network, gone).edges)
    assert nx.is_directed_acyclic_graph(down)
    assert all(nx.has_path(down, p, network.initiators[0]) for p in network.processes)


@pytest.mark.parametrize("name", [f"{protocol}-cut" for protocol in REVERSALS])
def test_a_disconnected_part_never_comes_to_rest(name: str) -> None:
    simulator, result = ran(name)
    assert result.stopped == "until"
    assert len(failed(result)) == 1 and "reverses more than" in failed(result)[0]
    assert {p._name for p in simulator.processes if p.reversals} == {"3", "4", "5"}


# ---------------------------------------------------------------------- planted bugs

SMALL = {"distance-vector": {"infinity": 60}}
#: Description -> the protocol, the right text, the wrong text.
BUGS = {
    "it acknowledges before its own messages are": (
        "bellman-ford",
        "        if self.num == 0:\n",
        "        if self.num == 0 or self.state == ACTIVE:\n",
    ),
    "it follows a cheaper path at once": (
        "merlin-segall",
        "            self.best = q\n",
        "            self.best = self.father = q\n",
    ),
    "it never changes its father": ("merlin-segall", "            self.father = self.best\n", ""),
    "it believes what it heard first": ("bellman-ford", "if m.length < self.dist:", "if False:"),
    "it leaves the weight out": ("bellman-ford", "self.dist + self.weight(r)", "self.dist"),
    "it forgets its own last link": ("distance-vector", "self.weight(q) + table[d]", "table[d]"),
    "it never tells of a change": ("distance-vector", "!= before:", "== before:"),
    "it answers a Test from a higher level": ("ghs", "if m.level > self.level:", "if m.level > self.level + 9:"),
    "it rejects whom it should accept": ("ghs", "elif m.fragment != self.fragment:", "elif m.level != self.level:"),
    "it reports too early": ("ghs", "if self.find_count == 0 and", "if"),
    "its ends weigh a link differently": ("ghs", "*sorted((self.me, j))", "self.me, j"),
    "it rises beside its neighbours only": ("link-reversal", "self.a = 1 + max", "self.a = max"),
    "heights can be equal": ("link-reversal-partial", "self.beta, self.me)", "self.beta)"),
}


def caught(protocol: str, name: str, seeds: int) -> bool:
    """Return whether a protocol fails, or does not come to rest, on a small network (with some equal weights for the
    tree).
    """
    network = ARCHIVE.network("geometric-25" if name in REVERSALS else "weighted-9").replace(order="fifo")
    if name == "ghs":
        links = tuple(replace(link, weight=(link.weight or 0) % 4) for link in network.links)
        network = network.replace(links=links, initiators=network.processes)
    for seed in range(seeds):
        _, result = run(protocol, network, seed, parameters=SMALL.get(name, {}), stop=Stop(until=200.0))
        if result.exit_code == 1 or result.stopped == "until":
            return True
    return False


@pytest.mark.parametrize("name", sorted({bug[0] for bug in BUGS.values()}))
def test_without_a_bug_no_property_is_violated(name: str) -> None:
    assert not caught(name, name, 2)


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = (ROOT / "protocols" / f"{name}.py").read_text()
    assert right in source
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    assert caught(str(path), name, 8)
