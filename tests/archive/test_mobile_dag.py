"""Publish/subscribe on a mobile DAG: turns, publications, joins that close cycles and joins that do not."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.experiment.traffic import Traffic
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from tests.archive.ran import once
from tests.strategies import connected_networks

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
FEW = settings(max_examples=6, deadline=None)
#: Processes that join, leave and publish, and links that appear and disappear.
RESTLESS = tuple(
    Traffic(label, parse(f"exponential(mean={mean})"), until=80.0)
    for label, mean in {"Publish": 8, "Join": 6, "Leave": 20, "Lost": 15, "Meet": 10}.items()
)


def run(network: Network, seed: int = 0, protocol: str = "mobile-dag", **more: object) -> tuple[Any, Result]:
    experiment = Experiment("t", protocol=protocol, network=network, seed=seed, **more)  # type: ignore[arg-type]
    simulator = Simulator(experiment.resolve(ARCHIVE))
    result = simulator.run()
    assert result.error is None
    return simulator, result


def ran(name: str, **changes: object) -> tuple[Any, Result]:
    simulator, result = once(ARCHIVE.experiment(name).with_(**changes))
    assert result.error is None
    return simulator, result


def failed(result: Result) -> set[str]:
    return {check.name.split(":")[0].split(",")[0] for check in result.checks if check.holds is False}


def of(simulator: Any, variable: str) -> dict[str, Any]:
    return {p._name: getattr(p, variable) for p in simulator.processes}


def who_gives_way(result: Result) -> list[str]:
    timeline = Timeline(result.trace)
    label = result.trace.labels.index("Hold")
    rows = [k for k in range(timeline.length) if timeline.kind[k] == Kind.TIMER and timeline.label[k] == label]
    return [timeline.processes[timeline.process[k]] for k in rows]


CIRCLE, WINDING = "the links never form a directed cycle", "val rises as often as it falls around any cycle"
TURNS, STARVES = "as long as their links remain", "no process starves"


# ---------------------------------------------------------------------- a static layer


@FEW
@given(connected_networks(most=6), st.integers(0, 1000), st.sampled_from(("safe", "heights")))
def test_all_processes_get_equal_turns_and_every_item_crosses_each_link_twice(
    network: Network, seed: int, mode: str
) -> None:
    network = network.replace(loss=0.0, order="unordered", initiators=network.processes[:1])
    duty = network.n + 4
    publish = [Intervention(float(k), "command", process=p, label="Publish") for k, p in enumerate(network.processes)]
    parameters = {"duty": duty, "mode": mode}
    simulator, result = run(network, seed, parameters=parameters, workload=(*publish[:3],))
    assert failed(result) == set() and result.stopped == "quiescent"
    assert set(of(simulator, "turns").values()) == ({duty} if network.n > 1 else {0})
    assert result.messages == 2 * network.m * (duty + 1)
    items = sum(len(p.mine) for p in simulator.processes)
    assert sum(p.copies for p in simulator.processes) == 2 * network.m * items
    assert result.measures["informed_all"] == 1.0 and result.measures["duplicates"] == 0


@pytest.mark.parametrize("seed", range(3))
def test_in_a_complete_graph_turns_follow_a_fixed_cycle(seed: int) -> None:
    _, result = run(from_spec("complete:5"), seed, parameters={"duty": 6})
    order = who_gives_way(result)
    assert len(set(order[:5])) == 5
    assert order == order[:5] * 6


def test_rising_identifiers_on_a_ring_give_one_sink_and_alternating_ones_half() -> None:
    most = {}
    for name in ("rising", "alternating"):
        _, result = ran(f"mobile-dag-{name}")
        timeline = Timeline(result.trace)
        sink = result.trace.states.index("sink")
        most[name] = max(int((timeline.states_at(k) == sink).sum()) for k in range(timeline.length))
        assert failed(result) == set()
    assert most["alternating"] == 6
    assert most["rising"] <= 2


def test_a_sink_answers_after_its_turn_and_an_outsider_refuses() -> None:
    cells = ARCHIVE.protocol("mobile-dag").table.cells
    assert {state: cell.action for (state, event), cell in cells.items() if event == "LinkReq"} == {
        "member": "agree", "sink": "defer", "outside": "refuse", "joining": "refuse", "leaving": "refuse",
    }  # fmt: skip


@pytest.mark.parametrize("n", [2, 3, 4])
def test_on_small_graphs_every_order_of_turns_is_acyclic_and_fair(n: int) -> None:
    """All connected graphs of n processes with all orders of identifiers (the graphs are labelled)."""
    cls: Any = ARCHIVE.protocol("mobile-dag").cls
    rule = SimpleNamespace(mode="safe", counters=3)
    pairs = list(combinations(range(n), 2))
    graphs = [[pair for k, pair in enumerate(pairs) if bits >> k & 1] for bits in range(1, 2 ** len(pairs))]
    for links in graphs:
        near = {i: [b if a == i else a for a, b in links if i in (a, b)] for i in range(n)}
        if not connected(near):
            continue
        known, todo = {(0,) * n}, [(0,) * n]
        while todo:
            turns = todo.pop()
            val = [t % 3 for t in turns]
            out = {
                i: [j for j in near[i] if cls.below(rule, val[j], val[i]) or (val[j] == val[i] and j < i)] for i in near
            }
            sinks = [i for i in near if not out[i]]
            assert sinks and all(j not in sinks for i in sinks for j in near[i])
            assert all(abs(turns[a] - turns[b]) <= 1 for a, b in links)
            assert all((b in out[a]) != (a in out[b]) for a, b in links)  # every link has one direction
            rest = dict(out)
            while rest:
                last = [i for i in rest if not any(j in rest for j in rest[i])]
                assert last, "the links lead in a circle"
                for i in last:
                    del rest[i]
            for i in sinks:
                after = tuple(t + (k == i) for k, t in enumerate(turns))
                after = tuple(t - 3 * (min(after) // 3) for t in after)  # full rounds change nothing
                if after not in known:
                    known.add(after)
                    todo.append(after)


def connected(near: dict[int, list[int]]) -> bool:
    found, todo = {0}, [0]
    while todo:
        fresh = [j for j in near[todo.pop()] if j not in found]
        found.update(fresh)
        todo += fresh
    return len(found) == len(near)


# ---------------------------------------------------------------------- claims of the paper and their truth


def values(name: str) -> list[tuple[int, ...]]:
    """Return the values of the processes in successive configurations, while they change."""
    timeline = Timeline(ran(name)[1].trace)
    found: list[tuple[int, ...]] = []
    for k in range(timeline.length + 1):
        now = tuple(timeline.variable_at("val", k))
        if found[-1:] != [now]:
            found.append(now)
    return found


def test_two_values_starve_one_of_two() -> None:
    assert values("mobile-dag-two-values")[-4:] in (
        [(0, 1), (1, 1), (0, 1), (1, 1)],
        [(1, 1), (0, 1), (1, 1), (0, 1)],
    )
    simulator, result = ran("mobile-dag-two-values")
    assert STARVES in failed(result) and of(simulator, "turns") == {"0": 12, "1": 1}


def test_the_common_order_starves_one_of_two_and_the_cyclic_order_none() -> None:
    simulator, result = ran("mobile-dag-starving")
    assert STARVES in failed(result) and of(simulator, "turns") == {"0": 12, "1": 2}
    assert values("mobile-dag-starving")[-3:] in ([(2, 2), (0, 2), (2, 2)], [(0, 2), (2, 2), (0, 2)])
    experiment = ARCHIVE.experiment("mobile-dag-starving")
    simulator, result = ran("mobile-dag-starving", parameters={**experiment.parameters, "mode": "safe"})
    assert failed(result) == set() and of(simulator, "turns") == {"0": 12, "1": 12}


def test_the_smallest_join_that_closes_a_cycle() -> None:
    simulator, result = ran("mobile-dag-join-paper")
    assert {CIRCLE, WINDING, STARVES} <= failed(result) and result.stopped == "quiescent"
    assert of(simulator, "val") == {"1": 2, "3": 1, "5": 0, "9": 0}
    assert of(simulator, "lid") == {"1": 1, "3": 3, "5": 5, "9": 2}
    simulator, result = ran("mobile-dag-join-safe")
    assert failed(result) == set()
    assert len(of(simulator, "N")["9"]) == 1 and len(of(simulator, "forming")["9"]) == 1
    simulator, result = ran("mobile-dag-join-heights")
    assert failed(result) == set() and of(simulator, "N")["9"] == {"1", "5"}


def test_both_parts_of_a_cut_take_turns_and_healing_needs_care() -> None:
    simulator, result = ran("mobile-dag-heal-safe")
    assert failed(result) == set()
    assert min(of(simulator, "turns").values()) > 10
    assert {CIRCLE, WINDING, STARVES} <= failed(ran("mobile-dag-heal-paper")[1])


def test_a_value_set_by_hand_may_be_harmless_or_stop_everything() -> None:
    simulator, result = ran("mobile-dag-corrupt-luck")
    assert WINDING not in failed(result) and min(of(simulator, "turns").values()) >= 39
    simulator, result = ran("mobile-dag-corrupt-doom")
    assert failed(result) == {WINDING, STARVES} and set(of(simulator, "turns").values()) == {2}


def test_without_memory_items_multiply() -> None:
    simulator, result = ran("mobile-dag-forgetful")
    assert failed(result) == {"no process delivers an item twice"}
    assert sum(p.copies for p in simulator.processes) > 10 * 2 * 6


# ---------------------------------------------------------------------- joining and leaving


@pytest.mark.parametrize("mode", ["safe", "heights"])
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_under_churn_the_links_stay_acyclic(mode: str, seed: int) -> None:
    network = from_spec(f"gnm:12,20,seed={seed}").with_timing(
        Timing(order="fifo", initiators=("0", "1", "2", "3"), delay=parse("uniform(0.2, 1.8)"))
    )
    parameters = {"mode": mode, "duty": 0, "members": "initiators", "retry": 3.0}
    simulator, result = run(network, seed, parameters=parameters, traffic=RESTLESS, stop=Stop(until=110.0))
    assert failed(result) == set()
    assert any(p.since > 0 for p in simulator.processes)
    inside = [p for p in simulator.processes if p.state in ("member", "sink")]
    assert all(p._name in simulator.processes[network.index[q]].N for p in inside for q in p.N if q not in p.frozen)


def test_joins_as_printed_in_the_paper_sometimes_close_cycles() -> None:
    network = from_spec("gnm:12,20").with_timing(
        Timing(order="fifo", initiators=("0", "1", "2", "3"), delay=parse("uniform(0.2, 1.8)"))
    )
    joins = tuple(each for each in RESTLESS if each.label in ("Publish", "Join"))
    broken = {}
    for mode in ("paper", "safe", "heights"):
        parameters = {"mode": mode, "duty": 0, "members": "initiators", "retry": 3.0}
        broken[mode] = failed(run(network, parameters=parameters, traffic=joins, stop=Stop(until=110.0))[1])
    assert {CIRCLE, WINDING, STARVES} <= broken["paper"]
    assert broken["safe"] == broken["heights"] == set()


def test_a_leaving_process_first_passes_on_its_knowledge() -> None:
    network = from_spec("line:4").with_timing(Timing(order="fifo"))
    workload = (
        Intervention(10.0, "command", process="1", label="Publish", fields={"content": "late"}),
        Intervention(10.0, "command", process="1", label="Leave"),
    )
    simulator, result = run(network, parameters={"duty": 0}, workload=workload, stop=Stop(until=80.0))
    assert failed(result) == set()
    assert of(simulator, "state")["1"] == "outside"
    item = set(simulator.processes[1].mine)
    assert item and all(item <= p.seen for p in simulator.processes)
    assert of(simulator, "N") == {"0": set(), "1": set(), "2": {"3"}, "3": {"2"}}


def test_under_mobility_only_the_rule_of_the_paper_closes_cycles() -> None:
    _, paper = ran("mobile-dag-walk-paper", stop=Stop(until=45.0))
    assert {CIRCLE, WINDING} <= failed(paper)
    simulator, safe = ran("mobile-dag-walk", stop=Stop(until=45.0))
    assert failed(safe) == set()
    here = {(min(a, b), max(a, b)) for a, near in of(simulator, "N").items() for b in near}
    up = {(c.source._name, c.target._name) for c in simulator.channels if not c.down}
    assert here and all(pair in up for pair in here)  # no process takes an out-of-range link for a working one
    experiment = ARCHIVE.experiment("mobile-dag-walk")
    parameters = {**experiment.parameters, "mode": "heights"}
    _, heights = ran("mobile-dag-walk", parameters=parameters, stop=Stop(until=45.0))
    assert failed(heights) == set()
    assert heights.measures["by_kind"]["LinkReq"]["sent"] < safe.measures["by_kind"]["LinkReq"]["sent"] / 3
    assert heights.measures["reliability"] > safe.measures["reliability"]


def test_a_process_joining_a_mobile_network_asks_those_in_range() -> None:
    experiment = ARCHIVE.experiment("mobile-dag-walk")
    joins = Traffic("Join", parse("exponential(mean=3)"), until=60.0)
    timing = Timing(order="fifo", initiators=("0", "1", "2", "5", "6"))
    parameters = {**experiment.parameters, "members": "initiators"}
    simulator, result = ran(
        "mobile-dag-walk", parameters=parameters, timing=timing, traffic=(*experiment.traffic, joins),
        stop=Stop(until=80.0),
    )  # fmt: skip
    assert failed(result) == set()
    assert sum(p.since > 0 for p in simulator.processes) > 1
    assert all(q not in p.away for p in simulator.processes for q in p.N)


# ---------------------------------------------------------------------- many topics


@FEW
@given(connected_networks(most=6), st.integers(0, 1000), st.sampled_from((0.5, 1.0)))
def test_each_layer_takes_turns_and_spreads_its_items(network: Network, seed: int, interest: float) -> None:
    network = network.replace(loss=0.0, order="unordered", initiators=network.processes[:1])
    parameters = {"duty": network.n + 3, "interest": interest, "topics": 2}
    _, result = run(network, seed, "mobile-dag-topics", parameters=parameters)
    assert failed(result) == set() and result.stopped == "quiescent"
    if interest == 1.0:
        assert result.messages == 2 * network.m * 2 * (network.n + 4)


def layer_turns(result: Result, topic: int) -> list[tuple[float, str]]:
    """Return the turns in the layer of a topic: time and process."""
    timeline, found = Timeline(result.trace), []
    last = dict.fromkeys(timeline.processes, 0)
    for k in range(timeline.length):
        who = timeline.processes[timeline.process[k]]
        turns = ((result.trace.detail(k) or {}).get("changed", {}).get("turns") or {}).get(str(topic), last[who])
        if turns > last[who]:
            last[who] = turns
            found.append((float(timeline.time[k]), who))
    return found


def test_a_fault_in_one_layer_does_not_affect_another() -> None:
    _, whole = ran("mobile-dag-topics-lost", faults=())
    simulator, lost = ran("mobile-dag-topics-lost")
    assert failed(whole) == set() and failed(lost) == {STARVES}
    halted = [t for t in (1, 2, 3) if any(p.turns[t] < p.duty for p in simulator.processes)]
    assert len(halted) == 1
    for t in (1, 2, 3):
        turns = layer_turns(whole, t)
        assert len(turns) == 6 * 12
        assert (layer_turns(lost, t) == turns) is (t not in halted)


# ---------------------------------------------------------------------- planted bugs

BUGS = {
    "R2 takes the greatest number": (
        "            self.val = (self.val + 1) % self.counters\n        batch",
        "            self.val = max(near) if near != {self.val} else (self.val + 1) % self.counters\n        batch",
        "mobile-dag",
    ),
    "it does not keep its val for who asks": (
        "waits = self.unknown or self.asked or self.frozen",
        "waits = self.unknown or self.asked",
        "mobile-dag-joins",
    ),
    "any link is safe": ('if self.mode != "safe":', "if True:", "mobile-dag-join-safe"),
    "it keeps the first item to itself": (
        "batch = tuple(self.input + self.local)",
        "batch = tuple((self.input + self.local)[1:])",
        "mobile-dag",
    ),
    "it forgets a neighbour": ("for q in self.N[t]:", "for q in self.N[t][1:]:", "mobile-dag-topics"),
    "items go to all layers": ("self.input[t].append(item)", "self.input[1].append(item)", "mobile-dag-topics"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong, name = BUGS[bug]
    experiment = ARCHIVE.experiment(name)
    source = ARCHIVE.protocol(experiment.protocol).source
    assert right in source
    path = tmp_path / f"{experiment.protocol}.py"
    path.write_text(source.replace(right, wrong))
    seeds = (experiment.with_(protocol=str(path), seed=seed).resolve(ARCHIVE) for seed in range(2))
    assert any(Simulator(each).run().violated for each in seeds)


def test_a_process_that_loses_its_only_contact_while_joining_can_join_again() -> None:
    def tell(time: float, label: str, **fields: object) -> Intervention:
        return Intervention(time, "command", process="2", label=label, fields=fields)

    network = from_spec("line:3").with_timing(Timing(order="fifo", delay=parse("constant(1)"), initiators=("0", "1")))
    told = (tell(5.0, "Join"), tell(5.5, "Lost", neighbour="1"), tell(20.0, "Meet", neighbour="1"), tell(25.0, "Join"))
    simulator, _ = run(
        network, 1, parameters={"members": "initiators", "duty": 0}, workload=told, stop=Stop(until=60.0)
    )
    assert [p.state for p in simulator.processes][2] in ("member", "sink")
    assert {"1"} == simulator.processes[2].N
