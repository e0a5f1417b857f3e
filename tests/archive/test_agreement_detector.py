"""Consensus with coordinators and with weighted votes: random crashes and delays, searches, failures, planted bugs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from tests.archive.agreeing import ARCHIVE, broken, broken_off, everybody, mutant, simulated

#: protocol -> how many of n processes may crash, and its parameters for f crashes.
CRASHING: dict[str, Any] = {
    "rotating-coordinator": (lambda n: n - 1, lambda f: {}),
    "chandra-toueg": (lambda n: (n - 1) // 2, lambda f: {"most": 60}),
    "bracha-toueg-consensus": (lambda n: (n - 1) // 2, lambda f: {"f": f}),
}


@pytest.mark.parametrize("name", CRASHING)
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_all_correct_processes_decide_the_same(name: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(3, 6))
    most, parameters = CRASHING[name]
    f = most(n)
    names = everybody(n).processes
    faults: list[Intervention] = []
    for p in data.draw(st.lists(st.sampled_from(names), unique=True, max_size=f)):
        reached = data.draw(st.sets(st.sampled_from([q for q in names if q != p])))
        faults += broken_off(p, reached, n, data.draw(st.floats(0, 8)))
    inputs = data.draw(st.text("01", min_size=n, max_size=n))
    network = everybody(n).replace(
        delay=parse(data.draw(st.sampled_from(["uniform(0.1, 3)", "uniform(0.5, 1.5)", "uniform(0, 8)"])))
    )
    experiment = Experiment(
        "t", protocol=name, network=network, parameters={"inputs": inputs, **parameters(f)}, faults=tuple(faults),
        seed=data.draw(st.integers(0, 99)),
    )  # fmt: skip
    result = Simulator(experiment.resolve(ARCHIVE)).run()
    assert (result.stopped, broken(result)) == ("quiescent", [])
    assert {str(int(x)) for x in result.decided.values()} <= set(inputs)


@pytest.mark.parametrize("n", [2, 3, 6])
def test_counts(n: int) -> None:
    assert simulated("rotating-coordinator", n)[1].messages == n * (n - 1)
    constant = everybody(n).replace(delay=parse("constant(1)"))
    experiment = Experiment("t", protocol="chandra-toueg", network=constant, parameters={"most": 1})
    assert Simulator(experiment.resolve(ARCHIVE)).run().messages == 3 * (n - 1) + n * (n - 1)


def test_equal_votes_need_three_rounds_of_messages() -> None:
    simulator, result = simulated("bracha-toueg-consensus", 5, parameters={"f": 2, "inputs": "11111"})
    assert {p.r for p in simulator.processes} == {2}  # type: ignore[attr-defined]
    assert result.messages == 4 * 5 * 4  # two rounds, and the votes of the next two


SEARCHED: list[tuple[str, dict[str, Any], dict[str, Any], bool]] = [
    ("chandra-toueg", {"most": 1, "inputs": "011"}, {"patient": True}, True),
    ("chandra-toueg", {"most": 3, "inputs": "011"}, {"crashes": 1, "sudden": True}, False),
    ("bracha-toueg-consensus", {"f": 1, "inputs": "011"}, {"crashes": 1, "sudden": True}, False),
]


@pytest.mark.parametrize(("name", "parameters", "options", "all_of_them"), SEARCHED)
def test_no_schedule_breaks_agreement(
    name: str, parameters: dict[str, Any], options: dict[str, Any], all_of_them: bool
) -> None:
    experiment = Experiment("t", protocol=name, network=everybody(3).replace(order="unordered"), parameters=parameters)
    result = Explorer(experiment.resolve(ARCHIVE), states=15_000, **options).run()
    assert result.complete is all_of_them
    found = [each.name for each in result.findings if each.holds is False]
    assert [each for each in found if not each.startswith("termination")] == []


#: experiment -> the names of the properties that it violates.
FAILS = {
    "rotating-coordinator": [],
    "rotating-coordinator-crash": [],
    "rotating-coordinator-lost": ["termination"],
    "chandra-toueg": [],
    "chandra-toueg-crash": [],
    "chandra-toueg-gst": [],
    "chandra-toueg-half": ["termination"],
    "chandra-toueg-impatient": ["termination"],
    "bracha-toueg-consensus": [],
    "bracha-toueg-consensus-crash": [],
    "bracha-toueg-consensus-too-many": ["termination"],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert [each.partition(":")[0] for each in broken(result)] == FAILS[name]


def test_a_wrong_suspicion_costs_rounds_but_not_agreement() -> None:
    simulator = Simulator(ARCHIVE.experiment("chandra-toueg-gst").resolve(ARCHIVE))
    result = simulator.run()
    assert min(p.r for p in simulator.processes) > 3 and result.time > 30  # type: ignore[attr-defined]


#: description -> protocol, the right text, the wrong one, parameters, the crashed coordinator.
BUGS: dict[str, tuple[str, str, str, dict[str, Any], bool]] = {
    "it decides before the last phase": (
        "rotating-coordinator", "while self.phase <= len(everybody):", "while self.phase <= 1:", {"inputs": "1000"},
        True,
    ),
    "it keeps its own value": (
        "rotating-coordinator", "                self.x = self.heard[self.phase]\n", "                pass\n",
        {"inputs": "1000"}, False,
    ),
    "it waits for the dead": (
        "rotating-coordinator", "elif self.coordinator not in self.suspected:", "else:", {"inputs": "1000"}, True,
    ),
    "the coordinator prefers its own estimate": (
        "chandra-toueg", "self.x = max(self.estimates[self.r].values())[1]", "pass", {"inputs": "10100", "first": 1.5},
        False,
    ),
    "the oldest estimate wins": (
        "chandra-toueg", "max(self.estimates[self.r].values())", "min(self.estimates[self.r].values())",
        {"inputs": "10100", "first": 1.5}, False,
    ),
    "its own acknowledgement is enough": (
        "chandra-toueg", "            if self.majority(acks):", "            if acks:",
        {"inputs": "10100", "first": 1.5}, False,
    ),
    "one witness is enough": (
        "bracha-toueg-consensus", "if witnesses.count(self.x) > self.f:", "if witnesses:", {"f": 1, "inputs": "1010"},
        False,
    ),
    "every vote is a witness": (
        "bracha-toueg-consensus", "if 2 * weight > n]", "if weight]", {"f": 1, "inputs": "1010"}, False,
    ),
    "half of the votes make a witness": (
        "bracha-toueg-consensus", "if 2 * weight > n]", "if 2 * weight >= n]", {"f": 1, "inputs": "1010"}, False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, parameters, crash = BUGS[bug]
    path = mutant(name, right, wrong, tmp_path)
    n = len(parameters["inputs"])
    network = everybody(n).replace(delay=parse("uniform(0, 6)"))
    for seed in range(120):
        faults = tuple(broken_off("0", "1", n, 0.0)) if crash else ()
        words: dict[str, Any] = {"network": network, "parameters": parameters, "seed": seed, "faults": faults}
        results = [
            Simulator(Experiment("t", protocol=str(each), **words).resolve(ARCHIVE), limit=5000).run()
            for each in (path, name)
        ]
        assert broken(results[1]) == []
        if broken(results[0]):
            return
    raise AssertionError("nobody noticed")
