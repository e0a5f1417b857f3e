"""Replicated services: random crashes or liars, delays and seeds, counts, searches of small cases, planted bugs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import HOWS, Intervention
from tests.archive.agreeing import ARCHIVE, broken, broken_off, everybody, mutant

DELAYS = st.sampled_from(["uniform(0.5, 1.5)", "uniform(0.1, 3)", "constant(1)"])


def run(protocol: str | Path, n: int, delay: str = "uniform(0.5, 1.5)", **words: Any) -> Result:
    network = everybody(n).replace(delay=parse(delay), order="fifo")
    return Simulator(Experiment("t", protocol=str(protocol), network=network, **words).resolve(ARCHIVE)).run()


def failing(result: Result) -> set[str]:
    return {each.partition(":")[0] for each in broken(result)}


# ----------------------------------------------------------------------------------------- Viewstamped Replication

VIEWS = "viewstamped-replication"


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_fewer_than_half_of_the_replicas_may_crash(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 6))
    names = everybody(n).processes
    faults: list[Intervention] = []
    for p in data.draw(st.lists(st.sampled_from(names), unique=True, max_size=(n - 1) // 2)):
        reached = data.draw(st.sets(st.sampled_from([q for q in names if q != p])))
        faults += broken_off(p, reached, n, data.draw(st.floats(0, 30)))
    result = run(VIEWS, n, data.draw(DELAYS), faults=tuple(faults), seed=data.draw(st.integers(0, 99)),
                 parameters={"requests": data.draw(st.integers(1, 4)), "views": 30})  # fmt: skip
    assert (result.stopped, broken(result)) == ("quiescent", [])


@pytest.mark.parametrize("n", [2, 3, 6])
def test_a_request_costs_three_messages_for_each_backup(n: int) -> None:
    for requests in (1, 4):
        assert run(VIEWS, n, parameters={"requests": requests}).messages == 3 * requests * (n - 1)


def test_short_timeouts_replace_live_primaries_but_lose_nothing() -> None:
    for seed in range(10):
        result = run(VIEWS, 5, "uniform(0.1, 3)", seed=seed, parameters={"timeout": 1.0, "views": 40})
        assert failing(result) <= {"messages"}


def test_no_schedule_loses_a_request() -> None:
    network = everybody(3).replace(order="fifo")
    experiment = Experiment("t", protocol=VIEWS, network=network, parameters={"requests": 1, "views": 2})
    result = Explorer(experiment.resolve(ARCHIVE), crashes=1, sudden=True, states=15_000).run()
    assert {each.name.partition(":")[0] for each in result.findings if each.holds is False} <= {"progress"}


# ------------------------------------------------------------------------------------------------- Byzantine replicas


def lying(liars: dict[str, str]) -> tuple[Intervention, ...]:
    return tuple(Intervention(0.0, "byzantine", process=p, how=how) for p, how in liars.items())


BYZANTINE = ("pbft", "hotstuff")


@pytest.mark.parametrize("name", BYZANTINE)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_fewer_than_a_third_of_the_replicas_may_lie(name: str, data: st.DataObject) -> None:
    f = data.draw(st.integers(0, 2))
    n = data.draw(st.integers(max(4, 3 * f + 1), 7))
    who = data.draw(st.lists(st.sampled_from(everybody(n).processes), unique=True, max_size=f))
    faults: list[Intervention] = []
    for p in who:
        how = data.draw(st.sampled_from([*HOWS, "crash"]))
        faults += broken_off(p, "1", n, data.draw(st.floats(0, 20))) if how == "crash" else lying({p: how})
    result = run(name, n, data.draw(DELAYS), faults=tuple(faults), seed=data.draw(st.integers(0, 99)),
                 parameters={"f": f, "requests": data.draw(st.integers(1, 3)), "views": 200})  # fmt: skip
    assert (result.stopped, broken(result)) == ("quiescent", [])


@pytest.mark.parametrize("n", [4, 7])
def test_a_request_of_pbft_costs_three_waves(n: int) -> None:
    for requests in (1, 3):
        result = run("pbft", n, parameters={"requests": requests})
        assert result.messages == requests * (n - 1) * (1 + n - 1 + n)


@pytest.mark.parametrize("n", [4, 7])
@pytest.mark.parametrize("turn", [1, 4])
def test_a_view_of_hotstuff_costs_a_proposal_and_a_vote_for_each_replica(n: int, turn: int) -> None:
    for requests in (1, 4):
        result = run("hotstuff", n, parameters={"requests": requests, "turn": turn})
        assert result.messages == (requests + 3) * (n - 1) + (requests + 2) * (n - 1)
        assert broken(result) == []


@pytest.mark.parametrize(("n", "turn", "done"), [(4, 1, False), (4, 4, True), (7, 1, True)])
def test_a_block_needs_four_correct_leaders_in_succession(n: int, turn: int, done: bool) -> None:
    words = {"turn": turn, "views": 60}
    result = run("hotstuff", n, parameters=words, faults=lying({"3": "mute"}))
    assert failing(result) == (set() if done else {"progress"})


@pytest.mark.parametrize("name", BYZANTINE)
def test_impatience_replaces_correct_primaries_but_divides_no_replicas(name: str) -> None:
    for seed in range(6):
        words = {"timeout": 1.0, "views": 200}
        result = run(name, 4, "uniform(0.1, 3)", seed=seed, parameters=words, faults=lying({"2": "lie"}))
        assert failing(result) == set()


@pytest.mark.parametrize("name", BYZANTINE)
def test_no_schedule_with_a_traitor_divides_the_replicas(name: str) -> None:
    network = everybody(4).replace(order="fifo")
    experiment = Experiment("t", protocol=name, network=network, parameters={"views": 1})
    lies = {"x": ["r1", "r2"]}
    result = Explorer(experiment.resolve(ARCHIVE), traitors=("0",), lies=lies, states=4_000).run()
    assert {each.name.partition(":")[0] for each in result.findings if each.holds is False} <= {"progress"}


# --------------------------------------------------------------------------------------------------- experiments, bugs

#: experiment -> the names of the properties that it violates.
FAILS: dict[str, list[str]] = {
    "viewstamped-replication": [],
    "viewstamped-replication-crash": [],
    "viewstamped-replication-two": [],
    "viewstamped-replication-half": ["progress"],
    "pbft": [],
    "pbft-liar": [],
    "pbft-crash": [],
    "pbft-silent": [],
    "pbft-too-many": ["order", "certificates", "progress"],
    "hotstuff": [],
    "hotstuff-liar": [],
    "hotstuff-crash": [],
    "hotstuff-one-view": ["progress"],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert [each.partition(":")[0] for each in broken(result)] == FAILS[name]
    if "messages" in (about := ARCHIVE.experiment(name).about):
        assert f"{result.messages} messages" in about


#: description -> protocol, the right text, the wrong one, n, parameters, faults by their seed.
BUGS: dict[str, tuple[str, str, str, int, dict[str, Any], Any]] = {
    "the new primary keeps its own log": (
        VIEWS, "            self.log = list(log)\n            self.enter(self.v)\n            commit = max",
        "            self.enter(self.v)\n            commit = max", 5, {"timeout": 1.5, "views": 40}, lambda seed: (),
    ),
    "the new primary asks no majority": (
        VIEWS, "self.me in known and self.majority(known)", "self.me in known", 5, {"timeout": 1.5, "views": 40},
        lambda seed: (),
    ),
    "one confirmation is enough": (
        VIEWS, "most[(len(self.neighbours) + 1) // 2]", "most[1]", 5, {},
        lambda seed: (*broken_off("0", "1", 5, 0.0)[:-1], Intervention(3.0, "crash", process="0")),
    ),
    "the oldest log wins": (
        VIEWS, "_, _, log = max(", "_, _, log = min(", 5, {"timeout": 1.5, "views": 40}, lambda seed: (),
    ),
    "half of the replicas are a quorum": (
        "pbft", "2 * len(some) > len(self.neighbours) + 1 + self.f", "2 * len(some) >= len(self.neighbours) + 1", 4, {},
        lambda seed: lying({"0": "two-faced"}),
    ),
    "a liar may waste numbers": (
        "pbft", " and 1 <= m.number <= 2 * len(self.pool)", "", 4, {"views": 5}, lambda seed: lying({"0": "babble"}),
    ),
    "it trusts the primary": (
        "pbft", "            self.accepted[self.v, number] = x\n", "            self.accepted[self.v, number] = x\n"
        "            self.run(x)\n", 4, {}, lambda seed: lying({"0": "two-faced"}),
    ),
    "it never gives the primary up": (
        "pbft", "        self.change(self.v + 1)", "        pass", 4, {}, lambda seed: lying({"0": "mute"}),
    ),
    "a block is final without certificates": (
        "hotstuff",
        "(len(chain) - 3):\n            if chain[k].view + 2 == chain[k + 1].view + 1 == chain[k + 2].view:",
        "(len(chain)):\n            if chain:", 4, {}, lambda seed: lying({"0": "two-faced"}),
    ),
    "it never gives a leader up": (
        "hotstuff", "            self.flee((self.v - 1)", "            len((self.v - 1,)) or self.flee((self.v - 1)", 4,
        {"views": 20}, lambda seed: lying({"0": "mute"}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, n, parameters, faults = BUGS[bug]
    path = mutant(name, right, wrong, tmp_path)
    for seed in range(30):
        words: dict[str, Any] = {"parameters": parameters, "faults": faults(seed), "seed": seed}
        assert broken(run(name, n, "uniform(0.1, 3)", **words)) == []
        result = run(path, n, "uniform(0.1, 3)", **words)
        if broken(result) or result.error:
            return
    raise AssertionError("nobody noticed")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_pbft_makes_progress_once_the_delays_are_bounded(seed: int) -> None:
    """Before the global stabilisation time primaries are deposed without need; the formula does not count such runs."""
    simulator = Simulator(ARCHIVE.experiment("pbft-gst").with_(seed=seed).resolve(ARCHIVE))
    result = simulator.run()
    gst = simulator.network.gst
    assert gst is not None
    assert all(check.holds for check in result.checks)
    assert {check.kind for check in result.checks} == {"always", "at_end"}
    assert min(p.v for p in simulator.processes) > 0  # type: ignore[attr-defined]
    done = [each.time for each in simulator.trace.events() if each.kind == "deliver"]
    assert len(done) == 8 and gst.at < max(done) < gst.at + 10
