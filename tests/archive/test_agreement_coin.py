"""Ben-Or: random inputs, crashes and delays; the cost of chance; failures; and every schedule of a few processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from tests.archive.agreeing import ARCHIVE, broken, everybody, mutant, simulated


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_fewer_than_half_may_crash_at_any_moment(data: st.DataObject) -> None:
    n = data.draw(st.integers(3, 7))
    f = data.draw(st.integers(0, (n - 1) // 2))
    inputs = data.draw(st.one_of(st.text("01", min_size=n, max_size=n), st.sampled_from(["0" * n, "1" * n])))
    down = data.draw(st.lists(st.sampled_from([str(p) for p in range(n)]), unique=True, max_size=f))
    faults: list[Intervention] = []
    for p in down:  # in the middle of a broadcast: some of the following messages are lost with it
        time = data.draw(st.floats(0, 8))
        lost = data.draw(st.sets(st.sampled_from([q for q in everybody(n).processes if q != p])))
        faults += [Intervention(time, "drop", link=(p, q)) for q in sorted(lost)]
        faults.append(Intervention(time, "crash", process=p))
    network = everybody(n).replace(delay=parse("exponential(mean=1)"))
    experiment = Experiment(
        "t", protocol="ben-or", network=network, parameters={"f": f, "inputs": inputs}, faults=tuple(faults),
        seed=data.draw(st.integers(0, 999)),
    )  # fmt: skip
    simulator = Simulator(experiment)
    result = simulator.run()
    assert (result.stopped, broken(result)) == ("quiescent", [])
    decisions = {p.decision for p in simulator.processes} - {None}  # type: ignore[attr-defined]
    assert len(decisions) <= 1  # including those that crashed later
    assert decisions <= {each == "1" for each in inputs}


def test_a_round_costs_two_messages_per_channel() -> None:
    for seed in range(10):
        simulator, result = simulated("ben-or", 5, parameters={"f": 2, "inputs": "01010"}, seed=seed)
        rounds = max(p.r for p in simulator.processes)  # type: ignore[attr-defined]
        assert result.exit_code == 0
        assert (rounds - 1) * 40 <= result.messages <= rounds * 40
    _, result = simulated("ben-or", 5, parameters={"f": 2, "inputs": "11111"})
    assert result.messages == 80  # one round, and the messages of the next


def test_coins_are_tossed_only_without_a_proposal() -> None:
    simulator, _ = simulated("ben-or", 6, parameters={"f": 0, "inputs": "001111"}, seed=3)
    assert sum(p.coins for p in simulator.processes) == 0  # type: ignore[attr-defined]
    simulator, _ = simulated("ben-or", 6, parameters={"f": 2, "inputs": "010101"}, seed=3)
    for p in simulator.processes:
        unsettled = [r for r, by in p.proposals.items() if not any(v is not None for v in by.values())]  # type: ignore[attr-defined]
        assert p.coins <= len(unsettled)  # type: ignore[attr-defined]


def test_two_processes_are_too_few() -> None:
    assert ARCHIVE.protocol("ben-or").missing(everybody(2))
    assert not ARCHIVE.protocol("ben-or").missing(everybody(3))
    result = simulated("ben-or", 4, parameters={"f": 2, "inputs": "1111"}, stop=Stop(events=2000))[1]
    assert "fewer than half of the processes may crash" in broken(result)


def test_the_input_of_a_process_that_crashes_later_may_be_decided() -> None:
    """Only process 0 begins with 1; it is heard and crashes, so the coins of the others may choose its value."""
    crash = (Intervention(1.0, "crash", process="0"),)
    simulator, result = simulated("ben-or", 5, parameters={"f": 2, "inputs": "10000"}, seed=3, faults=crash)
    assert {p.decision for p in simulator.processes} - {None} == {True}  # type: ignore[attr-defined]
    assert broken(result) == []


SEARCHED: list[tuple[str, int, dict[str, Any], int, bool]] = [
    ("floodset", 3, {"f": 1, "inputs": "011"}, 1, True),
    ("floodset-early", 3, {"f": 1, "inputs": "011"}, 1, True),
    ("byzantine-generals", 3, {"depth": 1}, 0, True),
    ("byzantine-generals", 4, {"depth": 1}, 0, True),
    ("ben-or", 3, {"f": 1, "inputs": "011"}, 1, False),  # too many schedules to search all of them
]


@pytest.mark.parametrize(("name", "n", "parameters", "crashes", "all_of_them"), SEARCHED)
def test_no_schedule_breaks_agreement(
    name: str, n: int, parameters: dict[str, Any], crashes: int, all_of_them: bool
) -> None:
    experiment = Experiment("t", protocol=name, network=everybody(n), parameters=parameters)
    result = Explorer(experiment, patient=True, crashes=crashes, states=20_000).run()
    assert result.complete is all_of_them
    assert [each.name for each in result.findings if each.holds is False] == []


#: experiment -> the sentences that it violates.
FAILS = {
    "ben-or": [],
    "ben-or-crash": [],
    "ben-or-equal": [],
    "ben-or-too-many": ["all correct processes have decided"],
    "ben-or-liar": [
        "no two honest processes decide differently, even if they crash later",
        "no two honest processes propose different values in a round",
        "a process decides only a value that more than f processes have proposed in its last round",
    ],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    assert broken(Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()) == FAILS[name]


BUGS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "half is a majority": ("if 2 * said.count(v) > n", "if 2 * said.count(v) >= n", {"f": 2, "inputs": "010101"}),
    "one proposal decides": ("if len(said) > self.f:", "if said:", {"f": 2, "inputs": "010101"}),
    "it forgets what was proposed": ("                self.x = said[0]\n", "                pass\n",
                                     {"f": 2, "inputs": "010111"}),
    "everybody's coin falls as it was": ("self.random.choice((False, True))", "self.x", {"f": 1, "inputs": "0011"}),
    "it is silent when it has decided": (
        "        self.r += 1\n        self.report()\n        self.propose(self.x)\n", "", {"f": 2, "inputs": "010101"},
    ),
    "it waits for everybody": (">= n - self.f:", ">= n:", {"f": 2, "inputs": "010101"}),
    "f proposals decide": ("if len(said) > self.f:", "if len(said) >= self.f:", {"f": 2, "inputs": "010101"}),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong, parameters = BUGS[bug]
    path = mutant("ben-or", right, wrong, tmp_path)
    n = len(parameters["inputs"])
    for seed in range(60):
        crash = (Intervention(0.8, "crash", process="0"),) if seed % 2 else ()
        experiment = Experiment(
            "t", protocol=str(path), network=everybody(n), parameters=parameters, seed=seed, faults=crash
        )
        result = Simulator(experiment, limit=5000).run()
        if broken(result) or result.stopped != "quiescent":
            return
    raise AssertionError("nobody noticed")
