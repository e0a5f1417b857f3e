"""Optimistic causal delivery over gossip: order, recovery, hops and history of gossip, and the errors of the paper."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.experiment.traffic import Traffic
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.pieces.animation import animation_for
from lydian.pieces.derived import with_derived
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
FEW = settings(max_examples=6, deadline=None)
WORK = (Traffic("Work", parse("constant(0.000001)"), "each", count=1),)
ORDER, NEVER_BACK, EVERYTHING = "no process delivers an event that precedes", "no entry of T", "every process delivers"


def run(n: int, seed: int = 0, loss: float = 0.0, protocol: str = "causal-delivery", **parameters: Any) -> Any:
    network = from_spec(f"isolated:{n}").replace(loss=loss)
    experiment = Experiment("t", protocol=protocol, network=network, seed=seed, parameters=parameters, traffic=WORK)
    simulator = Simulator(experiment.resolve(ARCHIVE))
    result = simulator.run()
    assert result.error is None
    return simulator, result


def ran(name: str, **changes: Any) -> Any:
    simulator = Simulator(ARCHIVE.experiment(name).with_(**changes).resolve(ARCHIVE))
    result = simulator.run()
    assert result.error is None
    return simulator, result


def failed(result: Result) -> set[str]:
    said = [check.name for check in result.checks if check.holds is False]
    return {next((s for s in (ORDER, NEVER_BACK, EVERYTHING) if name.startswith(s)), name) for name in said}


def delivered(result: Result) -> dict[str, list[tuple[float, str]]]:
    """Map each process to its deliveries with their times, in order, as recorded in the trace."""
    timeline, found = Timeline(result.trace), defaultdict(list)
    for k in range(timeline.length):
        if timeline.kind[k] == Kind.DELIVER:
            value = (result.trace.detail(k) or {})["value"]
            found[timeline.processes[timeline.process[k]]].append((float(timeline.time[k]), value))
    return found


def against_the_order(result: Result) -> int:
    """Count the deliveries of events that a process already had, or that precede such events, from the deliveries
    alone.
    """
    logs = {p: [id for _, id in log] for p, log in delivered(result).items()}
    precede: dict[str, set[str]] = {}
    for p, log in logs.items():
        for at, id in enumerate(log):
            if id.split(".")[0] == p and id not in precede:  # its creator delivers it first
                precede[id] = set(log[:at])
    for id in sorted(precede, key=lambda id: len(precede[id])):
        for before in sorted(precede[id]):
            precede[id] |= precede.get(before, set())
    wrong = 0
    for log in logs.values():
        had: set[str] = set()
        over: set[str] = set()
        for id in log:
            wrong += id in had or id in over
            had.add(id)
            over |= precede.get(id, set())
    return wrong


# ---------------------------------------------------------------------- order


@FEW
@given(st.integers(2, 9), st.integers(1, 5), st.sampled_from((0.0, 0.3)), st.booleans(), st.integers(0, 1000))
def test_no_delivery_violates_causal_order(n: int, updaters: int, loss: float, recovery: bool, seed: int) -> None:
    _, result = run(
        n, seed, loss, updaters=updaters, recovery=recovery, fanout=2, hops=3, events=2.0, rounds=6, commands=100
    )
    assert failed(result) <= {EVERYTHING}
    assert against_the_order(result) == 0


@FEW
@given(st.integers(2, 12), st.integers(1, 4), st.integers(0, 1000))
def test_without_loss_and_with_enough_gossip_all_processes_deliver_everything(n: int, updaters: int, seed: int) -> None:
    simulator, result = run(n, seed, updaters=updaters, fanout=5, hops=6, events=2.0, rounds=5)
    assert failed(result) == set() and result.measures["informed_all"] == 1.0
    assert len({tuple(p.T) for p in simulator.processes}) == 1


def test_only_several_updaters_need_a_maximum() -> None:
    fine: dict[tuple[int, bool], set[str]] = {}
    for updaters in (1, 3):
        for recovery in (False, True):
            _, result = run(12, 1, updaters=updaters, recovery=recovery, clock_rule="printed", events=2.0, rounds=6)
            fine[updaters, recovery] = failed(result)
            assert against_the_order(result) > 0 or ORDER not in failed(result)
    assert fine[1, False] == fine[1, True] == set()
    assert NEVER_BACK in fine[3, False]
    assert {NEVER_BACK, ORDER} <= fine[3, True]


# ---------------------------------------------------------------------- recovery


def test_a_returning_process_requests_one_event_and_delivers_it_first() -> None:
    simulator, result = ran("causal-delivery-away")
    seven = simulator.processes[7]
    assert seven.got == ["0.1", "1.1", "2.1", "0.2", "1.2"] and seven.saved == 1 and seven.skipped == []
    sent = result.measures["by_kind"]
    assert sent["Recover"]["sent"] == sent["AckRecover"]["sent"] == 1
    simulator, result = ran("causal-delivery-skipped")
    seven = simulator.processes[7]
    assert seven.got == ["0.1", "2.1", "0.2", "1.2"] and seven.skipped == ["1.1"]
    assert failed(result) == {EVERYTHING}


def test_missing_predecessors_of_waiting_events_are_drawn() -> None:
    _, result = ran("causal-delivery-away")
    timeline = with_derived(Timeline(result.trace), animation_for("causal-delivery").derived)

    def at_7(name: str, t: float) -> list[str]:
        return list(timeline.variable_at(name, timeline.count(t))[7])

    assert [at_7("lacks", t) for t in (26.0, 34.0, 47.4)] == [[], ["1.1"], []]
    assert at_7("H", 34.0) == ["2.1"]


def test_recovery_loses_less_without_delaying_the_median() -> None:
    loss, middle = {}, {}
    for recovery in (False, True):
        _, result = run(30, 3, fanout=3, hops=4, updaters=5, events=3.0, rounds=12, recovery=recovery)
        loss[recovery] = result.measures["own"]["loss"]
        log = delivered(result)
        born = {id: time for p in log for time, id in log[p] if id.split(".")[0] == p}
        middle[recovery] = median(time - born[id] for p in log for time, id in log[p] if id.split(".")[0] != p)
        assert loss[recovery] <= result.measures["own"]["gossip loss"] + 0.02
    assert loss[True] < loss[False] / 2
    assert middle[True] == pytest.approx(middle[False], rel=0.05)


def test_with_the_printed_limit_events_are_gone_when_requested() -> None:
    loss = {}
    for memory in (1.0, 3.0):
        _, result = run(24, 1, fanout=3, hops=3, updaters=4, events=1.0, rounds=15, memory=memory)
        loss[memory] = result.measures["own"]["loss"]
        asked = result.measures["by_kind"]["Recover"]["sent"]
        answered = result.measures["by_kind"].get("AckRecover", {}).get("sent", 0)
        assert asked > 20
        assert answered < asked / 3 if memory == 1.0 else answered > 0.9 * asked
    assert loss[3.0] < loss[1.0] / 2


def test_a_process_requests_an_event_at_most_once() -> None:
    _, result = run(20, 2, 0.1, fanout=2, hops=3, updaters=4, events=2.0, rounds=10)
    timeline, asked = Timeline(result.trace), []
    label = result.trace.labels.index("Recover")
    for k in range(timeline.length):
        if timeline.kind[k] == Kind.SEND and timeline.label[k] == label:
            fields = (result.trace.detail(k) or {})["fields"]
            asked.append((int(timeline.process[k]), fields["j"], fields["s"]))
    assert len(asked) == len(set(asked)) > 10


# ---------------------------------------------------------------------- gossip


@FEW
@given(st.integers(2, 10), st.integers(1, 4), st.integers(1, 4), st.integers(0, 1000))
def test_each_copy_makes_at_most_r_hops_and_messages_stay_short(n: int, fanout: int, hops: int, seed: int) -> None:
    _, result = run(n, seed, fanout=fanout, hops=hops, most=3, events=3.0, rounds=4, recovery=False)
    timeline = Timeline(result.trace)
    for k in range(timeline.length):
        if timeline.kind[k] == Kind.SEND:
            copies = (result.trace.detail(k) or {})["fields"]["events"]
            assert 1 <= len(copies) <= 3
            assert all(1 <= made <= hops for _, made in copies)
    assert result.messages % fanout == 0


def test_a_history_of_twice_the_events_in_transit_forgets_nothing_too_early() -> None:
    safe, short = 2 * 6 * 5, 8
    again = {
        b: sum(p.again for p in run(15, 1, hops=5, events=6.0, rounds=8, remember=b)[0].processes)
        for b in (safe, short)
    }
    assert again[safe] == 0 < again[short]


def test_vectors_grow_with_the_updaters_and_not_with_the_group() -> None:
    size = {
        (n, u): run(n, 1, updaters=u, events=2.0, rounds=3, rate=1e6)[1].measures["own"]["message size"]
        for n, u in ((10, 5), (30, 5), (30, 30))
    }
    assert size[30, 5] < 1.4 * size[10, 5]
    assert size[30, 30] > 2.5 * size[30, 5]


def test_a_slow_connection_lengthens_rounds_and_lowers_throughput() -> None:
    fast, slow = (run(12, 1, updaters=0, events=3.0, rounds=5, rate=rate)[1].measures["own"] for rate in (1e7, 8e3))
    assert slow["throughput"] < 0.8 * fast["throughput"]
    assert slow["latency"] > 1.2 * fast["latency"]


def test_processes_that_are_not_updaters_change_nothing() -> None:
    commands = tuple(Intervention(1.0, "command", process=p, label="Update") for p in ("0", "1", "4"))
    simulator, _ = ran("causal-delivery", workload=commands, parameters={"updaters": 2, "rounds": 0})
    assert [p.seq for p in simulator.processes] == [1, 1, *[0] * 10]


# ---------------------------------------------------------------------- planted bugs

BUGS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "T becomes the timestamp": (
        '''self.T = list(t) if self.clock_rule == "printed" else''', "self.T = list(t) if True else", {"events": 2.0}
    ),
    "it counts one more itself": (
        "t[j] == self.T[j] + 1 and all(", "t[j] == self.T[j] + 1 or all(", {"events": 3.0, "updaters": 5}
    ),
    "it does not wait for others": (
        "all(t[i] <= self.T[i] for i in range(len(t)) if i != j)", "True", {"events": 4.0, "updaters": 5}
    ),
    "what is given up comes in any order": (
        "key=lambda f: sum(f[1])):\n            if not self.obsolete(f):",
        "key=lambda f: -sum(f[1])):\n            if True:",
        {"events": 3.0, "fanout": 2, "recovery": False},
    ),
    "nobody answers": ("if kept is not None and", "if kept is None and", {"fanout": 2, "hops": 4, "rounds": 16}),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong, parameters = BUGS[bug]
    source = ARCHIVE.protocol("causal-delivery").source
    assert source.count(right) == 1
    path = tmp_path / "causal-delivery.py"
    path.write_text(source.replace(right, wrong))
    caught: set[str] = set()
    for seed in range(2):
        _, correct = run(12, seed, **parameters)
        _, result = run(12, seed, protocol=str(path), **parameters)
        caught |= failed(result) - failed(correct)
        if against_the_order(result) or result.measures["own"]["loss"] > 2 * correct.measures["own"]["loss"] + 0.01:
            caught.add("seen from outside")
        assert against_the_order(correct) == 0
    assert caught
