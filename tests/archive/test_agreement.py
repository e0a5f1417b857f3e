"""FloodSet and its early stopping: random crashes in the middle of a broadcast, compared with a table of rounds."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.interventions import Intervention
from tests.archive.agreeing import ARCHIVE, broken, broken_off, everybody, mutant, simulated

FLOODS = ("floodset", "floodset-early")
#: process -> the round in which it crashes while sending, and the processes that it still reaches.
Crashes = dict[str, tuple[int, set[str]]]


def agreed(inputs: str, f: int, crashes: Crashes, *, early: bool) -> tuple[dict[str, str], int]:
    """Return the decision of each process and the number of the last round, computed with sets of values alone."""
    names = [str(p) for p in range(len(inputs))]
    seen = {p: {inputs[int(p)]} for p in names}
    before = dict.fromkeys(names, len(names))
    alive, said, decided, rounds = set(names), set[str](), dict[str, str](), 0
    while alive - set(decided):
        rounds += 1
        senders = alive - set(decided)
        reached = {p: crashes[p][1] if p in crashes and crashes[p][0] == rounds else set(names) for p in senders}
        alive -= {p for p in senders if p in crashes and crashes[p][0] == rounds}
        last, told = {p: set(values) for p, values in seen.items()}, set(said)
        for p in senders & alive:
            heard = {q for q in senders if q == p or p in reached[q]}
            seen[p] = set().union(*(last[q] for q in heard))
            if rounds == f + 1 or p in told:
                decided[p] = min(seen[p]) if len(seen[p]) == 1 else "0"
            elif early and (len(heard) == before[p] or heard & told):
                said.add(p)
            before[p] = len(heard)
    return decided, rounds


@st.composite
def histories(draw: st.DrawFn) -> tuple[str, int, Crashes]:
    """Generate inputs, f, and at most f crashes."""
    n = draw(st.integers(2, 6))
    inputs = draw(st.text("01", min_size=n, max_size=n))
    f = draw(st.integers(0, n - 1))
    names = [str(p) for p in range(n)]
    down = draw(st.lists(st.sampled_from(names), unique=True, max_size=f))
    return inputs, f, {p: (draw(st.integers(1, f + 1)), draw(st.sets(st.sampled_from(names)))) for p in down}


def faults_of(crashes: Crashes, n: int) -> list[Intervention]:
    return [each for p, (round_, reached) in crashes.items() for each in broken_off(p, reached, n, 2.0 * (round_ - 1))]


@pytest.mark.parametrize("name", FLOODS)
@settings(max_examples=20, deadline=None)
@given(histories(), st.integers(0, 99))
def test_up_to_f_crashes_never_break_agreement(name: str, history: tuple[str, int, Crashes], seed: int) -> None:
    inputs, f, crashes = history
    # A process that crashes after its decision does not count, because its crash cannot be assigned to a round.
    decided, rounds = agreed(inputs, f, crashes, early=name == "floodset-early")
    crashes = {p: crash for p, crash in crashes.items() if p not in decided}
    faults = faults_of(crashes, len(inputs))
    _, result = simulated(
        name, len(inputs), parameters={"f": f, "inputs": inputs}, faults=faults, breaks=("all",), seed=seed
    )
    assert broken(result) == []
    assert {p: each[-1] if isinstance(each, list) else each for p, each in result.decided.items()} == decided
    assert rounds <= (min(len(crashes) + 2, f + 1) if name == "floodset-early" else f + 1)


@pytest.mark.parametrize(("name", "rounds"), [("floodset", 3), ("floodset-early", 2)])
def test_without_crashes_every_round_costs_the_same(name: str, rounds: int) -> None:
    for n in (2, 3, 5):
        simulator, result = simulated(name, n, parameters={"f": 2})
        assert result.messages == rounds * n * (n - 1)
        assert {p.rounds for p in simulator.processes} == {rounds}  # type: ignore[attr-defined]
        assert result.exit_code == 0


def test_the_chain_of_crashes_needs_every_round() -> None:
    """f processes crash, one in each round, after telling only one other: after f rounds one live process knows."""
    crashes: Crashes = {str(k): (k + 1, {str(k + 1)}) for k in range(3)}
    for f, good in ((3, True), (2, False)):
        faults = faults_of(crashes, 6)
        _, result = simulated("floodset", 6, parameters={"f": f, "inputs": "011111"}, faults=faults, breaks=("all",))
        assert (broken(result) == []) is good
        assert set(result.decided.values()) == ({"0"} if good else {"0", "1"})


#: experiment -> sentences that it violates.
FAILS = {
    "floodset": [],
    "floodset-too-few-rounds": ["no two processes decide differently"],
    "floodset-slow": ["no two processes decide differently"],
    "floodset-early": [],
    "floodset-early-none": [],
    "floodset-early-slow": [
        "no two processes decide differently",
        "no process needs more than min(f' + 2, f + 1) rounds if f' have crashed",
    ],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    simulator = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE))
    assert broken(simulator.run()) == FAILS[name]


def test_early_stopping_takes_three_rounds_of_five() -> None:
    simulator = Simulator(ARCHIVE.experiment("floodset-early").resolve(ARCHIVE))
    simulator.run()
    assert [p.rounds for p in simulator.processes] == [0, 2, 3, 3, 3, 3]  # type: ignore[attr-defined]


BUGS = {
    "one round too few": ("floodset", "self.rounds <= self.f:", "self.rounds < self.f:"),
    "it forgets what it has seen": ("floodset", "self.w |= m.w", "self.w = set(m.w)"),
    "it sends its own value only": ("floodset", "Values(self.w)", "Values({self.value})"),
    "it takes the first value": ("floodset", "min(self.w) if len(self.w) == 1 else self.v0", "self.value"),
    "it decides without a word": (
        "floodset-early",
        "                self.state = STOPPING\n",
        "                self.stop()\n                return\n",
    ),
    "it does not say that it will decide": ("floodset-early", "self.state == STOPPING), to=r", "False), to=r"),
    "it stops when it misses some": ("floodset-early", "+ 1 == self.before or", "+ 1 <= self.before or"),
    "it never stops early": ("floodset-early", "self.state = STOPPING", "self.before = 0"),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    path = mutant(name, right, wrong, tmp_path)
    chain: Crashes = {"0": (1, {"1"}), "1": (2, {"2"}), "2": (3, {"3"})}
    found = False
    # the remaining processes detect a new crash in each of the rounds 1 to 3
    fewer: Crashes = {"0": (1, {"1"}), "5": (2, {"1"})}
    for crashes in ({}, {"0": (1, {"1"})}, chain, fewer):
        faults = faults_of(crashes, 6)
        for inputs, f in itertools.product(("011111", "101010"), (3, 4)):
            _, result = simulated(path, 6, parameters={"f": f, "inputs": inputs}, faults=faults, breaks=("all",))
            found = found or bool(broken(result)) or result.error is not None
    assert found


def test_all_processes_must_start() -> None:
    network = everybody(4).replace(initiators=("0", "1"))
    missing = ARCHIVE.protocol("floodset").missing(network)
    how = 'initiators = "all", or --initiators all'
    assert missing == [f"some processes do not start (2, 3); make every process an initiator ({how})"]
