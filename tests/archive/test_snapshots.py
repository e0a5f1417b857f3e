"""Snapshots, termination and deadlocks: every detection is right, also in every schedule of small cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
SLOW = parse("exponential(mean=1)")


def simulated(name: str, network: Network, **words: Any) -> Simulator:
    return Simulator(Experiment("t", protocol=name, network=network, **words).resolve(ARCHIVE))


def anywhere(seed: int, order: str = "unordered") -> Network:
    return from_spec(f"gnm:7,11,seed={seed}").replace(delay=SLOW, order=order)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 99), hops=st.integers(0, 5), begin=st.sampled_from([0.0, 0.7, 2.0, 5.0]))
@pytest.mark.parametrize("name", ["chandy-lamport", "lai-yang"])
def test_a_snapshot_contains_all_the_money(name: str, seed: int, hops: int, begin: float) -> None:
    network = anywhere(seed, "fifo" if name == "chandy-lamport" else "unordered")
    simulator = simulated(name, network, seed=seed, parameters={"hops": hops, "begin": begin})
    result = simulator.run()
    found: list[Any] = list(simulator.processes)
    assert result.exit_code == 0
    assert result.messages == 2 * 11 * (hops + 1) + 2 * 11
    assert sum(p.recorded + sum(map(sum, p.channels.values())) for p in found) == 700


def test_a_snapshot_need_not_equal_any_configuration_of_the_run() -> None:
    """The channels of the snapshot contain money, and not everything was recorded at once."""
    for name in ("chandy-lamport", "lai-yang"):
        simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
        assert simulator.run().exit_code == 0
        found: list[Any] = list(simulator.processes)
        assert sum(sum(map(sum, p.channels.values())) for p in found) > 0


def test_markers_without_fifo_links_are_refused() -> None:
    with pytest.raises(BadInput, match='set order = "fifo"'):
        simulated("chandy-lamport", anywhere(1))


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 99), hops=st.integers(0, 4), duration=st.sampled_from([0.0, 0.5, 3.0]))
def test_each_activity_is_signalled_once(seed: int, hops: int, duration: float) -> None:
    parameters = {"hops": hops, "duration": duration}
    simulator = simulated("dijkstra-scholten", anywhere(seed), seed=seed, parameters=parameters)
    result = simulator.run()
    assert (result.exit_code, result.messages) == (0, 2 * 2 * 11 * (hops + 1))
    sent = [event.label for event in simulator.trace.events() if event.kind == "send"]
    assert sent.count("Work") == sent.count("Signal")


@settings(max_examples=8, deadline=None)
@given(n=st.integers(2, 6), seed=st.integers(0, 99), hops=st.integers(0, 4))
def test_the_token_makes_whole_rounds_and_at_most_two_after_the_end(n: int, seed: int, hops: int) -> None:
    network = from_spec(f"complete:{n}").replace(delay=SLOW)
    simulator = simulated("safra", network, seed=seed, parameters={"hops": hops})
    result = simulator.run()
    assert result.exit_code == 0
    events = list(simulator.trace.events())
    tokens = [e.seq for e in events if e.kind == "send" and e.label == "Token"]
    last = max(e.seq for e in events if e.kind in ("receive", "timer") and e.label in ("Work", "Done"))
    assert len(tokens) % n == 0
    assert result.messages == n * (n - 1) * (hops + 1) + len(tokens)
    assert sum(seq > last for seq in tokens) <= 3 * n - 1  # the rest of a round, one for the black processes, the last


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 999), begin=st.sets(st.sampled_from("0123456"), min_size=1), asks=st.integers(1, 2))
def test_a_deadlock_is_detected_where_there_is_one(seed: int, begin: set[str], asks: int) -> None:
    network = anywhere(seed, "fifo").replace(initiators=tuple(sorted(begin)))
    simulator = simulated("chandy-misra-haas", network, seed=seed, parameters={"asks": asks})
    assert simulator.run().exit_code == 0
    found: list[Any] = list(simulator.processes)
    graph = nx.DiGraph([(p.me, q) for p in found for q in p.waits_for])
    circles = [part for part in nx.strongly_connected_components(graph) if len(part) > 1]
    knows = {p.me for p in found if p.state == "deadlocked"}
    assert all(part & knows for part in circles)
    assert knows <= set().union(*circles)


@pytest.mark.parametrize(
    ("name", "spec", "begin", "parameters"),
    [("chandy-lamport", "line:3", "0", {"hops": 0}), ("chandy-lamport", "line:2", "0", {"hops": 2}),
     ("lai-yang", "line:3", "1", {"hops": 0}), ("lai-yang", "line:2", "0", {"hops": 1}),
     ("dijkstra-scholten", "line:3", "0", {"hops": 0}), ("dijkstra-scholten", "ring:3", "0", {"hops": 0}),
     ("safra", "complete:2", "0", {"hops": 1}), ("safra", "complete:3", "0", {"hops": 0}),
     ("chandy-misra-haas", "ring:3", "012", {"asks": 1}), ("chandy-misra-haas", "line:3", "012", {"asks": 2}),
     ("chandy-misra-haas", "line:3", "01", {"asks": 1})],
)  # fmt: skip
def test_properties_hold_in_every_schedule(name: str, spec: str, begin: str, parameters: dict[str, int]) -> None:
    order = "fifo" if name.startswith("chandy") else "unordered"
    network = from_spec(spec).replace(initiators=tuple(begin), order=order)
    experiment = Experiment("t", protocol=name, network=network, parameters=parameters)
    result = Explorer(experiment, states=40_000).run()
    assert [each for each in result.findings if each.holds is False] == []
    assert result.complete
    assert all(each.holds is True for each in result.findings)


#: experiment -> a sentence that is violated because of its broken assumption.
BROKEN = {
    "lamport-clocks-reset": "an event has a larger time than the event before it",
    "vector-clocks-rumour": "no clock counts more events of a process than have happened there",
    "causal-broadcast-none": "a process delivers a post only after",
    "causal-broadcast-lost": "each process has delivered every post",
    "total-order-sequencer-crash": "each process has delivered every post",
    "total-order-isis-lost": "each process has delivered every post",
    "chandy-lamport-forged": "a closed channel contains each payment that was sent before the cut",
    "chandy-lamport-lost": "the snapshot is complete",
    "lai-yang-white": "the cut is consistent",
    "lai-yang-lost": "the snapshot is complete",
    "dijkstra-scholten-lost": "the initiator learns that all work is done",
    "dijkstra-scholten-forged": "termination is announced only when",
    "safra-duplicate": "all work in transit is counted",
    "safra-forged": "termination is announced only when",
    "chandy-misra-haas-lost": "in each cycle of waiting some process knows of the deadlock",
    "chandy-misra-haas-phantom": "a process that declares a deadlock waits for itself",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert result.exit_code == 1
    assert any(BROKEN[name] in check.name for check in result.violated)


BUGS = {
    "it does not record channels": ("chandy-lamport", "self.channels[q].append(m.amount)", "pass"),
    "it records after the marker, too": ("chandy-lamport", "if q in self.pending:", "if True:"),
    "it sends no marker to the first": (
        "chandy-lamport",
        "pending = set(self.neighbours)\n        self.state = RECORDING\n        for r in self.neighbours:",
        "pending = set(self.neighbours)\n        self.state = RECORDING\n        for r in self.neighbours[1:]:",
    ),
    "red money does not make red": ("lai-yang", "if m.red and self.state == WHITE:", "if False:"),
    "all money is white": ("lai-yang", "Payment(amount, hops, self.state != WHITE)", "Payment(amount, hops, False)"),
    "it signals before it is done": (
        "dijkstra-scholten",
        "if self.state == PASSIVE and self.deficit == 0:",
        "if self.deficit == 0 and self.state in (ACTIVE, PASSIVE):",
    ),
    "more work is not signalled": ("dijkstra-scholten", "        self.send(Signal(), to=q)\n", ""),
    "who gets work stays white": ("safra", "        self.black = True\n", ""),
    "the sum is not looked at": (
        "safra",
        "self.vain or self.black or self.sum + self.count != 0",
        "self.vain or self.black",
    ),
    "the token does not wait": (
        "safra",
        "        if self.state == PASSIVE:\n            self.pass_on()\n\n    def",
        "        self.pass_on()\n\n    def",
    ),
    "the sum is not passed on": ("safra", "self.leave(self.sum + self.count,", "self.leave(self.count,"),
    "the count is not passed on": ("safra", "self.leave(self.sum + self.count,", "self.leave(self.sum,"),
    "a probe comes to somebody who runs": ("chandy-misra-haas", "        if m.i == self.me:", "        if True:"),
    "a probe stops after one step": ("chandy-misra-haas", "            else:\n                self.probe(m.i)\n", ""),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) >= 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong, 1))
    if name == "safra":  # needs a schedule that random runs seldom find
        case = ("complete:3", 0) if "passed on" in bug else ("complete:2", 2)
        experiment = Experiment("t", protocol=str(path), network=from_spec(case[0]), parameters={"hops": case[1]})
        assert Explorer(experiment, states=40_000).run().findings[0].holds is False
        return
    network = from_spec("gnm:7,11,seed=3").replace(
        delay=SLOW, order="fifo" if name.startswith("chandy") else "unordered"
    )
    if name == "chandy-misra-haas":
        network = network.replace(initiators=network.processes[:5])
    results = (simulated(str(path), network, seed=seed).run() for seed in range(40))
    assert any(result.exit_code == 1 for result in results)


def test_a_token_left_white_by_a_black_process_announces_too_early(tmp_path: Path) -> None:
    """Process 1 gets its first work behind the token and creates work for 2, ahead of it, and for 0, which is slow."""
    late = (
        (0.5, ("0", "1"), "Work", 38.0), (0.5, ("2", "1"), "Work", 36.2), (30.0, ("1", "2"), "Token", 20.0),
        (35.0, ("1", "0"), "Work", 100.0), (42.5, ("2", "0"), "Work", 100.0),
    )  # fmt: skip
    faults = tuple(Intervention(time, "delay", link=link, label=label, delay=by) for time, link, label, by in late)
    network = from_spec("complete:3").replace(delay=parse("constant(1)"))
    experiment = Experiment(
        "t", protocol="safra", network=network, seed=21, parameters={"hops": 1}, faults=faults, breaks=("all",)
    )
    assert Simulator(experiment.resolve(ARCHIVE)).run().exit_code == 0
    source = ARCHIVE.protocol("safra").source
    assert source.count("self.vain or self.black)") == 1
    path = tmp_path / "safra.py"
    path.write_text(source.replace("self.vain or self.black)", "self.vain)"))
    result = Simulator(experiment.with_(protocol=str(path)).resolve(ARCHIVE)).run()
    assert {check.name.split(",")[0] for check in result.violated} == {
        "termination is announced only when no process is working and no work is in transit",
        "the sum of a white token is correct and all behind it are idle",
    }
