"""Broadcast with Byzantine processes: random liars within the bound, counts, schedules with a traitor, planted bugs."""

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
from tests.archive.agreeing import ARCHIVE, broken, everybody, mutant

Liars = dict[str, str]
PROTOCOLS = ("bracha-broadcast", "consistent-broadcast")


def run(protocol: str | Path, n: int, liars: Liars, delay: str = "uniform(0.5, 1.5)", **words: Any) -> Result:
    network = everybody(n).replace(initiators=("0",), delay=parse(delay))
    faults = tuple(Intervention(0.0, "byzantine", process=p, how=how) for p, how in liars.items())
    experiment = Experiment("t", protocol=str(protocol), network=network, faults=faults, **words)
    return Simulator(experiment.resolve(ARCHIVE)).run()


def failing(result: Result) -> set[str]:
    return {each.partition(":")[0] for each in broken(result)}


@pytest.mark.parametrize("name", PROTOCOLS)
@settings(max_examples=20, deadline=None)
@given(st.data())
def test_fewer_than_a_third_may_lie(name: str, data: st.DataObject) -> None:
    f = data.draw(st.integers(0, 2))
    n = data.draw(st.integers(max(4, 3 * f + 1), 8))
    who = data.draw(st.lists(st.sampled_from([str(p) for p in range(n)]), unique=True, max_size=f))
    liars = {p: data.draw(st.sampled_from(list(HOWS))) for p in who}
    delay = data.draw(st.sampled_from(["constant(1)", "exponential(mean=1)", "uniform(0.1, 3)"]))
    words = {
        "parameters": {"f": f, "x": data.draw(st.sampled_from(["yes", "no"]))},
        "seed": data.draw(st.integers(0, 99)),
    }
    result = run(name, n, liars, delay, **words)
    assert result.stopped == "quiescent"
    assert [check.name for check in result.checks if check.holds is False] == []


@pytest.mark.parametrize("n", [4, 5, 8])
def test_counts_of_the_book(n: int) -> None:
    assert run("consistent-broadcast", n, {}).messages == n - 1 + n * (n - 1)
    assert run("bracha-broadcast", n, {}).messages == n - 1 + 2 * n * (n - 1)


@pytest.mark.parametrize(("name", "states"), [("consistent-broadcast", None), ("bracha-broadcast", 20_000)])
@pytest.mark.parametrize("traitor", ["0", "3"])
def test_no_schedule_with_one_traitor_breaks_a_promise(name: str, states: int | None, traitor: str) -> None:
    network = everybody(4).replace(initiators=("0",), order="unordered")
    experiment = Experiment("t", protocol=name, network=network)
    lies = {"x": ["yes", "no"]}
    result = Explorer(experiment.resolve(ARCHIVE), traitors=(traitor,), lies=lies, states=states or 20_000).run()
    assert [each.name for each in result.findings if each.holds is False] == []


#: experiment -> the names of the properties that it violates.
FAILS = {
    "consistent-broadcast": [],
    "consistent-broadcast-correct": [],
    "consistent-broadcast-two": ["consistency"],
    "bracha-broadcast": [],
    "bracha-broadcast-correct": [],
    "bracha-broadcast-two": ["agreement", "no two correct processes are ready for different values"],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert [each.partition(":")[0] for each in broken(result)] == FAILS[name]
    if "messages" in (about := ARCHIVE.experiment(name).about):
        assert f"{result.messages} messages" in about


def test_the_same_lies_leave_one_process_without_a_value_only_in_consistent_broadcast() -> None:
    values = {}
    for name in PROTOCOLS:
        simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
        simulator.run()
        values[name] = sorted(str(p.value) for p in simulator.processes if p._name != "0")  # type: ignore[attr-defined]
    assert values == {"bracha-broadcast": ["no"] * 3, "consistent-broadcast": ["None", "no", "no"]}


#: description -> protocol, the right text, the wrong one, the property that notices, n, f, liars.
BUGS: dict[str, tuple[str, str, str, str, int, int, Liars]] = {
    "half of the processes are enough": (
        "consistent-broadcast", "2 * echoes > len(self.neighbours) + 1 + self.f",
        "2 * echoes >= len(self.neighbours) + 1", "consistency", 4, 1, {"0": "two-faced"},
    ),
    "it believes the sender": (
        "consistent-broadcast", "self.weigh(x)\n\n    def weigh",
        "self.value = x\n        self.deliver(x)\n\n    def weigh", "consistency", 4, 1, {"0": "two-faced"},
    ),
    "any process may be the sender": (
        "consistent-broadcast", "if q == min((self.me, *self.neighbours), key=natural) and not", "if not",
        "validity", 4, 1, {"3": "babble"},
    ),
    "each echo of a process counts twice if it is new": (
        "consistent-broadcast", "self.echoes.setdefault(q, m.x)",
        "self.echoes[q] = m.x\n        self.echoes[q + m.x] = m.x", "consistency", 4, 1, {"0": "two-faced"},
    ),
    "only the sender joins those that are ready": (
        "bracha-broadcast", "or readies > self.f)", "or (readies > self.f and self.sent))",
        "totality", 4, 1, {"0": "two-faced"},
    ),
    "one ready process is enough to join": (
        "bracha-broadcast", "or readies > self.f)", "or readies >= self.f)",
        "no two correct processes are ready for different values", 4, 1, {"3": "lie"},
    ),
    "one ready process is enough to deliver": (
        "bracha-broadcast", "if readies > 2 * self.f and", "if readies >= self.f and", "integrity", 4, 1, {"3": "lie"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, noticed, n, f, liars = BUGS[bug]
    path = mutant(name, right, wrong, tmp_path)
    seen: set[str] = set()
    for seed in range(60):
        words: dict[str, Any] = {"parameters": {"f": f}, "seed": seed}
        seen |= failing(run(path, n, liars, "exponential(mean=1)", **words))
        assert failing(run(name, n, liars, "exponential(mean=1)", **words)) == set()
        if noticed in seen:
            return
    raise AssertionError(seen)
