"""The causal cluster: entries that are granted and returned, crashes, false suspicions, and cores that are split."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from tests.archive.ran import once

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = Archive(None, ROOT)
FEW = settings(max_examples=5, deadline=None)
OWNERS = ("coordinator", "excluding", "temporary")
TWO_OWNERS, TWICE, NOBODY = "no entry has two live owners", "no entry is administered twice", "some process can change"


def run(spec: str = "isolated:12", seed: int = 0, acts: Any = (), faults: Any = (), **parameters: Any) -> Any:
    network = from_spec(spec)
    network = network.replace(initiators=network.processes)
    experiment = Experiment(
        "t", protocol="causal-cluster", network=network, seed=seed, parameters=parameters,
        workload=tuple(sorted(acts, key=lambda each: each.time)), faults=tuple(sorted(faults, key=lambda f: f.time)),
    )  # fmt: skip
    simulator, result = once(experiment)
    assert result.error is None
    return simulator, result


def ran(name: str, protocol: str | None = None, seed: int | None = None, **parameters: Any) -> Any:
    experiment = ARCHIVE.experiment(name)
    experiment = experiment.with_(
        protocol=protocol or experiment.protocol, seed=experiment.seed if seed is None else seed,
        parameters={**experiment.parameters, **parameters},
    )  # fmt: skip
    simulator, result = once(experiment)
    assert result.error is None
    return simulator, result


def command(time: float, process: int, label: str) -> Intervention:
    return Intervention(time, "command", process=str(process), label=label)


def crash(time: float, process: int) -> Intervention:
    return Intervention(time, "crash", process=str(process))


def failed(result: Result) -> set[str]:
    return {NOBODY if c.name.startswith(NOBODY) else c.name for c in result.checks if c.holds is False}


def owners(simulator: Any) -> list[Any]:
    """Return the live owners of entries, in the order of their entries."""
    return sorted((p for p in simulator.processes if p.state in OWNERS and not p._crashed), key=lambda p: p.entry)


def is_a_ring(simulator: Any, k: int) -> bool:
    """Return whether successors, predecessors, next entries and L of the owners agree and are right."""
    ring = owners(simulator)
    for at, p in enumerate(ring):
        behind, before = ring[(at + 1) % len(ring)], ring[at - 1]
        others = [ring[(at - d) % len(ring)]._name for d in range(1, len(ring))]
        if (p.succ, p.next, p.pred) != (behind._name, behind.entry, before._name) or others[: 2 * k + 1] != p.L:
            return False
    return True


# ---------------------------------------------------------------------- without failures


@FEW
@given(st.integers(1, 8), st.integers(1, 3), st.booleans())
def test_the_initial_core_is_a_ring_and_remains_one(core: int, k: int, packed: bool) -> None:
    simulator, result = run(core=core, k=k, packed=packed, rounds=4)
    assert failed(result) == set() and is_a_ring(simulator, k)
    assert len(owners(simulator)) == core
    a_round = core * min(2 * k + 1, core - 1) + 2 * core * (core > 1)
    assert result.messages == 4 * a_round


@FEW
@given(
    st.integers(1, 5), st.integers(1, 2), st.integers(0, 1000),
    st.lists(st.tuples(st.floats(0, 90), st.integers(0, 11), st.sampled_from(("Join", "Join", "Leave"))), max_size=14),
)  # fmt: skip
def test_under_churn_each_entry_has_one_owner_and_no_process_gives_up(
    core: int, k: int, seed: int, wishes: list[tuple[float, int, str]]
) -> None:
    acts = [command(*wish) for wish in wishes]
    simulator, result = run(seed=seed, acts=acts, core=core, k=k, rounds=11, fanout=4, hops=6, step=1.6)
    assert result.measures["own"]["gave up"] == 0
    assert failed(result) <= {NOBODY} and is_a_ring(simulator, k)  # all may have left
    for p in owners(simulator):
        assert {i: q for i, q in p.view.items() if q != p._name} == {
            q.entry: q._name for q in owners(simulator) if q is not p
        }


def test_a_lone_process_grants_the_whole_ring() -> None:
    acts = [command(3.0, p, "Join") for p in range(1, 7)]
    simulator, result = run("isolated:8", 1, acts, core=1, entries=5, rounds=9)
    assert failed(result) == set() and is_a_ring(simulator, 1)
    assert sorted(p.entry for p in owners(simulator)) == list(range(5))
    assert sum(p.state == "joining" for p in simulator.processes) == 2
    assert result.measures["by_kind"]["Reject"]["sent"] >= 2


def test_a_new_owner_continues_the_count_of_the_old_one() -> None:
    acts = [command(2.0 + t, 1, "Change") for t in range(3)]
    acts += [command(6.0, 1, "Leave"), command(30.0, 5, "Join"), command(45.0, 5, "Change"), command(46.0, 5, "Change")]
    simulator, result = run("isolated:8", 2, acts, core=2, entries=2, rounds=6)
    assert failed(result) == set()
    assert simulator.processes[5].entry == 1 and simulator.processes[5].seq == 5
    for p in simulator.processes:
        assert p.got == ["1.1", "1.2", "1.3", "1.4", "1.5"]


def test_a_join_takes_one_grant_and_one_message_to_the_old_successor() -> None:
    quiet = run("isolated:6", 0, core=2, entries=2, rounds=3)[1].measures["by_kind"]
    joined = run("isolated:6", 0, [command(1.0, 4, "Join")], core=2, entries=3, rounds=3)[1].measures["by_kind"]
    assert all(quiet[kind]["sent"] == 0 for kind in ("Cjoin", "AckCjoin", "SuccChanged") if kind in quiet)
    assert joined["Cjoin"]["sent"] in (1, 2)
    assert joined["AckCjoin"]["sent"] == joined["SuccChanged"]["sent"] == 1


# ---------------------------------------------------------------------- crashes


@pytest.mark.parametrize("k", [1, 2, 3])
def test_k_neighbours_may_crash_but_not_one_more(k: int) -> None:
    core = 2 * k + 4
    for dead in (k, k + 1):
        faults = [crash(30.0, 1 + i) for i in range(dead)]
        acts = [command(128.0, 13, "Join")] if dead == k else []
        simulator, result = run(
            "isolated:14", k, acts, faults, core=core, k=k, entries=core, rounds=14, p_exclude=1.0
        )  # fmt: skip
        own = result.measures["own"]
        if dead == k:
            assert failed(result) == set() and is_a_ring(simulator, k)
            assert (own["gave up"], own["excluded"], own["coordinators"]) == (0, k, core - k + 1)
            assert simulator.processes[13].entry in range(1, k + 1)  # that of a crashed process
        else:
            assert failed(result) == {NOBODY} and own["gave up"] == core - dead


def test_of_two_processes_the_other_gives_up_too() -> None:
    _, result = run(faults=[crash(20.0, 1)], core=2, rounds=6)
    assert failed(result) == {NOBODY} and result.measures["own"]["gave up"] == 1
    simulator, result = run(faults=[crash(20.0, 1)], core=3, rounds=8, p_exclude=1.0)
    assert failed(result) == set() and [p._name for p in owners(simulator)] == ["0", "2"]


def test_losing_one_live_process_ends_the_printed_core_and_not_the_corrected_one() -> None:
    assert failed(ran("causal-cluster-strict")[1]) == {NOBODY}
    _, result = ran("causal-cluster-strict", threshold="k+1")
    assert failed(result) == set() and result.measures["own"]["gave up"] == 0


# ---------------------------------------------------------------------- false suspicions and partitions


def left_and_granted(result: Result, excluded: str) -> tuple[float, float, float]:
    """Return the times at which the exclusion was agreed, the excluded process left, and its entry had a new owner."""
    timeline, labels = Timeline(result.trace), result.trace.labels
    agreed = left = granted = 0.0
    for k in range(timeline.length):
        who, time = timeline.processes[timeline.process[k]], float(timeline.time[k])
        label = labels[timeline.label[k]] if timeline.label[k] >= 0 else ""
        if timeline.kind[k] == Kind.TIMER and label == "Count" and not agreed:
            agreed = time
        if who == excluded and timeline.kind[k] == Kind.NOTE and not left:  # "it hears from too few, and leaves"
            left = time
        if timeline.kind[k] == Kind.RECEIVE and label == "AckCjoin":
            granted = time
    return agreed, left, granted


@pytest.mark.parametrize("seed", [0, 1])
def test_a_process_excluded_alive_leaves_before_its_entry_is_granted(seed: int) -> None:
    simulator, result = ran("causal-cluster-cut", seed=seed)
    assert failed(result) == set()
    agreed, left, granted = left_and_granted(result, "2")
    assert 0 < agreed < left <= agreed + 2 * 12.0  # one full round after that of the agreement
    assert left < granted
    assert simulator.processes[9].entry == 2 and simulator.processes[2].state == "member"


def test_the_second_of_two_live_processes_leaves_within_a_round_of_the_first() -> None:
    cuts = [Intervention(20.0, "link_down", link=("1", q)) for q in ("2", "3")]
    simulator, result = run("complete:9", 1, (), cuts, core=7, k=2, entries=7, rounds=12, p_exclude=1.0)
    assert failed(result) == set() and is_a_ring(simulator, 2)
    assert [p._name for p in owners(simulator)] == ["0", "1", "4", "5", "6"]
    agreed, first, _ = left_and_granted(result, "2")
    _, second, _ = left_and_granted(result, "3")
    assert agreed < first <= second <= agreed + 3 * 12.0  # two full rounds after that of the agreement


def test_with_one_round_less_an_entry_has_two_owners() -> None:
    _, result = ran("causal-cluster-early")
    assert failed(result) >= {TWO_OWNERS, TWICE}
    _, result = ran("causal-cluster-early", temp_rounds="dist")
    assert failed(result) == set()


def test_at_most_one_side_of_a_split_core_continues() -> None:
    simulator, result = ran("causal-cluster-split")
    assert failed(result) == set() and is_a_ring(simulator, 1)
    assert [p._name for p in owners(simulator)] == ["0", "1", "2", "3", "5"]
    simulator, result = ran("causal-cluster-halves")
    assert failed(result) == {NOBODY} and owners(simulator) == []


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10_000), st.data())
def test_no_failure_gives_an_entry_two_owners(seed: int, data: Any) -> None:
    moments, people = st.floats(5, 70), st.integers(0, 9)
    cuts = data.draw(st.lists(st.tuples(moments, people, people, st.floats(5, 40)), max_size=5))
    acts = [command(data.draw(moments), p, data.draw(st.sampled_from(("Join", "Leave")))) for p in range(10)]
    faults = [crash(data.draw(moments), p) for p in data.draw(st.lists(people, max_size=2, unique=True))]
    for time, a, b, lasts in cuts:
        if a != b:
            faults.append(Intervention(time, "link_down", link=(str(a), str(b))))
            faults.append(Intervention(time + lasts, "link_up", link=(str(a), str(b))))
    _, result = run("complete:10", seed, acts, faults, core=5, entries=8, rounds=9, p_exclude=1.0)
    assert failed(result).isdisjoint({TWO_OWNERS, TWICE})
    assert not [name for name in failed(result) if "delivers" in name or "falls back" in name]


# ---------------------------------------------------------------------- planted bugs

BUGS = {
    "T becomes the timestamp": (
        'self.T = list(t) if self.clock_rule == "printed" else', "self.T = list(t) if True else", "causal-cluster"
    ),
    "a new owner counts from 1": (
        "self.last = maximum(self.last, m.last)", "self.last = [0] * self.entries", "test_a_new_owner",
    ),
    "it grants what it has excluded at once": (
        "self.temp = len(self.between) + (", "self.temp = 0 * (", "causal-cluster-early"
    ),
    "whoever agrees goes on sending ALIVE": (
        "            self.blocked[i] = self.now + len(between) + 1\n            self.owned(i, None, self.clock)\n",
        "            self.blocked[i] = self.now + len(between) + 1\n", "causal-cluster-cut",
    ),
    "who is excluded does not mind that nobody is there": (
        "else (len(some) + 1) // 2", "else 0", "causal-cluster-cut"
    ),
    "the successor forgets its new predecessor": (
        "old, self.pred, self.L = self.pred, q, self.cut(m.R)", "old, self.L = self.pred, self.cut(m.R)",
        "causal-cluster-grows",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong, name = BUGS[bug]
    source = ARCHIVE.protocol("causal-cluster").source
    assert source.count(right) == 1
    path = tmp_path / "causal-cluster.py"
    path.write_text(source.replace(right, wrong))
    if name == "test_a_new_owner":
        acts = [command(2.0, 1, "Change"), command(3.0, 1, "Change"), command(6.0, 1, "Leave")]
        acts += [command(30.0, 5, "Join"), command(45.0, 5, "Change")]
        experiment = Experiment(
            "t", protocol=str(path), network="cluster-14", workload=tuple(acts),
            parameters={"core": 2, "entries": 2, "rounds": 5},
        )  # fmt: skip
        result = Simulator(experiment.resolve(ARCHIVE)).run()
        assert result.violated
    else:
        more: dict[str, Any] = {"temp_rounds": "dist"} if name == "causal-cluster-early" else {}
        before = failed(ran(name, **more)[1])
        assert any(failed(ran(name, str(path), seed, **more)[1]) - before for seed in (1, 2))


def test_a_process_that_forgets_everything_continues_as_a_member() -> None:
    faults = (crash(20.0, 5), Intervention(24.0, "recover", process="5", keep=False))
    simulator, result = run(faults=faults)
    assert result.error is None
    assert simulator.processes[5].state == "member" and len(simulator.processes[5].T) == simulator.processes[5].entries
