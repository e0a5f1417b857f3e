"""Synchronisers and Awerbuch's results: counts, times, equality with a synchronous network, every schedule."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.batch.sweep.file import load
from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.network import Network
from tests.strategies import connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
ALPHA, BETA, GAMMA = NAMES = ("synchroniser-alpha", "synchroniser-beta", "synchroniser-gamma")
FEW = settings(max_examples=20, deadline=None)
EQUAL = parse("constant(1)")


def run(protocol: str, network: Network, seed: int = 0, **parameters: int) -> tuple[Simulator, Result]:
    experiment = Experiment("t", protocol=protocol, network=network, parameters=parameters, seed=seed)
    simulator = Simulator(experiment.resolve(ARCHIVE))
    return simulator, simulator.run()


def violated(result: Result) -> set[str]:
    return {check.name for check in result.checks if check.holds is not True}


def synchronous(network: Network, pulses: int) -> dict[str, str]:
    """Return each process's knowledge after a number of synchronous pulses: the highest name in range."""
    graph = network.graph()
    reach = {p: nx.single_source_shortest_path_length(graph, p, cutoff=pulses) for p in network.processes}
    return {p: max(reach[p], key=int) for p in network.processes}


# -------------------------------------------------------------------------------------------------- results


@FEW
@given(st.sampled_from(NAMES), connected_networks(most=9), st.integers(1, 5), st.integers(0, 3), st.integers(0, 99))
def test_the_result_equals_that_of_a_synchronous_network(
    name: str, network: Network, pulses: int, radius: int, seed: int
) -> None:
    parameters = {"pulses": pulses} | ({"radius": radius} if name == GAMMA else {})
    _, result = run(name, network, seed, **parameters)
    assert (result.stopped, violated(result)) == ("quiescent", set())
    assert dict(result.decided) == synchronous(network, pulses)
    assert not [e for e in result.trace.events() if e.kind == "note"]


@FEW
@given(st.sampled_from((ALPHA, GAMMA)), connected_networks(most=8), st.data())
def test_any_processes_may_begin(name: str, network: Network, data: st.DataObject) -> None:
    starters = data.draw(st.lists(st.sampled_from(network.processes), min_size=1, unique=True))
    _, result = run(name, network.replace(initiators=tuple(starters)), pulses=3)
    assert violated(result) == set()
    assert dict(result.decided) == synchronous(network, 3)


# ---------------------------------------------------------------------------------------------------- costs


@FEW
@given(connected_networks(most=9), st.integers(1, 4), st.integers(0, 3), st.integers(0, 99))
def test_the_cost_of_gamma_depends_on_its_clusters(network: Network, pulses: int, radius: int, seed: int) -> None:
    simulator, result = run(GAMMA, network, seed, pulses=pulses, radius=radius)
    clusters: dict[str, set[str]] = {}
    for p in simulator.processes:
        clusters.setdefault(p.cluster, set()).add(p.me)
    across = {frozenset((p.cluster, q)) for p in simulator.processes for q in p.clusters.values() if q != p.cluster}
    n, m, trees, preferred = network.n, network.m, network.n - len(clusters), len(across)
    setup = 2 * m + 2 * trees
    assert result.messages == setup + pulses * (4 * m + 4 * trees + 2 * preferred)
    for leader, members in clusters.items():
        near = nx.single_source_shortest_path_length(network.graph().subgraph(members), leader)
        assert set(near) == members
        assert max(near.values()) <= radius
    if radius == 0:
        assert (len(clusters), preferred) == (n, m)


def test_a_large_radius_gives_one_cluster() -> None:
    simulator, _ = run(GAMMA, from_spec("grid:4x4"), radius=15)
    assert {p.cluster for p in simulator.processes} == {"0"}


def pulse_time(name: str, network: Network, **parameters: int) -> float:
    """Return the duration of a pulse if every message takes one unit, after all processes have begun."""
    few, many = (run(name, network.replace(delay=EQUAL, step=None), pulses=p, **parameters)[1].time for p in (5, 15))
    return (many - few) / 10


@pytest.mark.parametrize("spec", ["ring:8", "complete:5", "star:6", "grid:3x4"])
def test_a_pulse_of_alpha_takes_three_delays(spec: str) -> None:
    assert pulse_time(ALPHA, from_spec(spec)) == pytest.approx(3)


@pytest.mark.parametrize("spec", ["line:6", "star:6", "ring:8", "complete:5", "grid:3x4"])
def test_a_pulse_of_beta_takes_two_delays_and_twice_the_height(spec: str) -> None:
    network = from_spec(spec)
    height = nx.eccentricity(network.graph(), network.initiators[0])  # with equal delays the tree is breadth-first
    assert pulse_time(BETA, network) == pytest.approx(2 * height + 2)


@pytest.mark.parametrize("radius", [0, 1, 2, 3])
def test_a_pulse_of_gamma_depends_on_the_radius_and_not_on_the_size(radius: int) -> None:
    times = [pulse_time(GAMMA, from_spec(spec), radius=radius) for spec in ("line:12", "line:24")]
    assert times == [pytest.approx(4 * radius + (2 if radius else 3))] * 2  # on a path two waves overlap by one delay


@pytest.mark.slow
def test_all_three_on_a_network_with_many_links() -> None:
    results = {name: run(name, from_spec("gnm:20,100,seed=1"), pulses=5)[1] for name in NAMES}
    messages, times = ([getattr(results[n], what) for n in NAMES] for what in ("messages", "time"))
    assert messages[1] < messages[2] < messages[0]
    assert times[0] < times[1]


def test_the_sweep_compares_all_three() -> None:
    sweep = load(ROOT / "resources" / "experiments" / "sweeps" / "synchronisers.toml")
    assert {each.data["protocol"] for each in sweep.runs} == set(NAMES)


# ---------------------------------------------------------------------------------------------------- every schedule

EXPLORED = [
    (ALPHA, "line:2", {"pulses": 2}),
    (ALPHA, "line:3", {"pulses": 1}),
    (BETA, "line:2", {"pulses": 2}),
    (BETA, "line:3", {"pulses": 2}),
    (GAMMA, "line:2", {"pulses": 2, "radius": 0}),
    (GAMMA, "line:2", {"pulses": 2, "radius": 1}),
]


@pytest.mark.parametrize(("name", "spec", "parameters"), EXPLORED, ids=str)
def test_properties_hold_in_every_schedule(name: str, spec: str, parameters: dict[str, int]) -> None:
    network = from_spec(spec).replace(order="unordered")
    result = Explorer(Experiment("t", protocol=name, network=network, parameters=parameters)).run()
    assert result.complete
    assert [each for each in result.findings if each.holds is not True] == []


# ------------------------------------------------------------------------------------------------- broken assumptions

TOGETHER, LATE, DONE = (
    "neighbours are at most one pulse apart",
    "no value is in transit to a process that has left its pulse",
    "each process completes all pulses",
)
RESULT = "each process knows what it would know after the same number of pulses in a synchronous network"
BROKEN = {
    "synchroniser-alpha-lost-ack": {DONE},
    "synchroniser-alpha-forged": {TOGETHER, LATE, RESULT},
    "synchroniser-beta-lost-pulse": {DONE},
    "synchroniser-gamma-lost": {DONE},
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    assert violated(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()) == BROKEN[name]


def test_a_lost_acknowledgement_forms_a_staircase() -> None:
    """A process at distance d from the one that is never safe advances at most d - 1 more pulses."""
    experiment = ARCHIVE.experiment("synchroniser-alpha-lost-ack").resolve(ARCHIVE)
    simulator = Simulator(experiment)
    simulator.run()
    pulse = {p._name: p.pulse for p in simulator.processes}
    away = nx.single_source_shortest_path_length(simulator.network.graph(), "6")
    assert all(pulse[p] < pulse["6"] + away[p] for p in pulse if p != "6")
    assert len(set(pulse.values())) == 3
    links = [(link.a, link.b) for link in simulator.network.links]
    assert all(abs(pulse[a] - pulse[b]) <= 1 for a, b in links)


BUGS = {
    "it does not wait for its neighbours": (
        ALPHA,
        "if self.state == SAFE and all(self.safe.get(r, -1) >= self.pulse for r in self.neighbours):",
        "if self.state == SAFE:",
        TOGETHER,
    ),
    "it does not wait for acknowledgements": (ALPHA, "not self.unacked", "True", LATE),
    "it forgets the values that came early": (
        ALPHA,
        "self.heard, self.early = self.early, []",
        "self.heard, self.early = [], []",
        RESULT,
    ),
    "it mixes the pulses": (
        ALPHA,
        "            self.early.append(m.best)",
        "            self.heard.append(m.best)",
        RESULT,
    ),
    "it does not wait for its children": (BETA, " and self.children <= self.safe", "", DONE),
    "it remembers last pulse's children": (BETA, "        self.safe = set()\n", "", LATE),
    "the leader does not wait for other clusters": (GAMMA, " and self.all_beyond()", "", TOGETHER),
    "a cluster tells only its own tree": (GAMMA, "self.children | self.preferred", "self.children", DONE),
    "every link is preferred": (
        GAMMA,
        "            self.border(m.cluster, tuple(",
        "            self.border(m.cluster + q, tuple(",
        "each pair of neighbouring clusters has one preferred link, which both clusters know",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, sentence = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong), encoding="utf-8")
    found: set[str] = set()
    for spec in ("gnm:12,22,seed=2", "line:12"):
        network = from_spec(spec).replace(delay=parse("exponential(mean=1)"))
        for seed in range(3):
            found |= violated(run(str(path), network, seed, pulses=4)[1])
    assert sentence in found or (sentence == TOGETHER and LATE in found)


def test_the_decisive_cells() -> None:
    for name, cells in {
        ALPHA: {("sleeping", "Value"): "wake", ("unsafe", "Ack"): "acknowledged", ("safe", "Safe"): "neighbour_safe"},
        BETA: {("unsafe", "Safe"): "child_safe", ("safe", "Pulse"): "go_on", ("safe", "Ack"): "unexpected"},
        GAMMA: {("safe", "ClusterSafe"): "cluster_safe", ("calm", "Ready"): "child_ready", ("ready", "Pulse"): "go_on"},
    }.items():
        table = ARCHIVE.protocol(name).table
        assert {key: table.cells[key].action for key in cells} == cells


def test_bars_never_jump() -> None:
    """A process goes through its pulses one by one."""
    simulator, result = run(GAMMA, from_spec("grid:3x3"), pulses=4)
    for name in simulator.network.processes:
        events = [e for e in result.trace.events() if e.process == name and e.detail]
        seen = [e.detail["changed"]["pulse"] for e in events if "pulse" in e.detail.get("changed", {})]
        assert seen == [1, 2, 3, 4]
