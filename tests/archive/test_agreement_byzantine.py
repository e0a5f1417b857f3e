"""The King algorithm and the Byzantine generals: random liars within the bound, message counts, and runs that fail."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.interventions import HOWS, Intervention
from tests.archive.agreeing import ARCHIVE, broken, mutant, simulated

Liars = dict[str, str]


@st.composite
def liars(draw: st.DrawFn, n: int, most: int) -> Liars:
    """Generate Byzantine processes, at most the tolerated number of n, and their behaviour."""
    names = draw(st.lists(st.sampled_from([str(p) for p in range(n)]), unique=True, max_size=most))
    return {p: draw(st.sampled_from(list(HOWS))) for p in names}


def faults_of(liars: Liars) -> list[Intervention]:
    return [Intervention(0.0, "byzantine", process=p, how=how) for p, how in liars.items()]


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_the_king_algorithm_tolerates_fewer_than_a_third_of_liars(data: st.DataObject) -> None:
    f = data.draw(st.integers(0, 2))
    n = data.draw(st.integers(max(2, 3 * f + 1), 8))
    who = data.draw(liars(n, f))
    inputs = data.draw(st.one_of(st.text("01", min_size=n, max_size=n), st.sampled_from(["0" * n, "1" * n])))
    simulator, result = simulated(
        "king", n, parameters={"f": f, "inputs": inputs}, faults=faults_of(who), seed=data.draw(st.integers(0, 999))
    )
    assert broken(result) == []
    honest = [p for p in simulator.processes if p._name not in who]
    assert len({p.decision for p in honest}) == 1  # type: ignore[attr-defined]
    begun = {inputs[int(p._name)] for p in honest}
    if len(begun) == 1:
        assert honest[0].decision is (begun == {"1"})  # type: ignore[attr-defined]
    assert {p.phase for p in honest} == {f + 1}  # type: ignore[attr-defined]


@pytest.mark.parametrize(("n", "f"), [(2, 0), (4, 1), (7, 2)])
def test_the_king_algorithm_costs_most_with_equal_inputs(n: int, f: int) -> None:
    most = (f + 1) * (2 * n * (n - 1) + n - 1)
    for inputs, exact in (("1" * n, True), ("10" * n, False)):
        _, result = simulated("king", n, parameters={"f": f, "inputs": inputs})
        assert result.exit_code == 0
        assert result.messages == most if exact else result.messages <= most


def paths(n: int, depth: int) -> int:
    """Yield every path of an order: through up to ``depth`` lieutenants who pass it on, to one who receives it."""
    return sum(1 for k in range(depth + 1) for _ in itertools.permutations(range(1, n), k + 1))


@pytest.mark.parametrize(("n", "depth"), [*itertools.product(range(2, 6), range(4)), (7, 1), (7, 2), (6, 3)])
def test_the_generals_send_one_message_per_path(n: int, depth: int) -> None:
    _, result = simulated("byzantine-generals", n, parameters={"depth": depth, "order": "retreat"})
    assert result.exit_code == 0
    assert result.messages == paths(n, depth)
    assert set(result.decided.values()) == {"retreat"}


def om(names: list[str], told: dict[str, str], path: tuple[str, ...], said: Any, depth: int) -> dict[str, str]:
    """Compute OM(depth) as in the paper: the conclusion of each lieutenant in ``names`` from its commander's order.

    Args:
        told: lieutenant -> the order it received from the last in the path.
        said: (path, lieutenant) -> what reached it along that path.
    """
    if depth == 0:
        return told
    votes: dict[str, list[str]] = {p: [told[p]] for p in names}
    for q in names:
        others = [p for p in names if p != q]
        passed = {p: said.get(((*path, q), p), "retreat") for p in others}
        for p, order in om(others, passed, (*path, q), said, depth - 1).items():
            votes[p].append(order)
    return {p: "attack" if 2 * each.count("attack") > len(each) else "retreat" for p, each in votes.items()}


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_loyal_generals_behave_as_in_the_paper(data: st.DataObject) -> None:
    """The result equals the paper's recursion, applied to the messages actually sent, including those of traitors."""
    depth = data.draw(st.integers(0, 2))
    n = data.draw(st.integers(3, 7))
    who = data.draw(liars(n, 3))
    order = data.draw(st.sampled_from(["attack", "retreat"]))
    simulator, result = simulated(
        "byzantine-generals", n, parameters={"depth": depth, "order": order}, faults=faults_of(who),
        seed=data.draw(st.integers(0, 999)), breaks=("few liars",),
    )  # fmt: skip
    assert result.error is None
    lieutenants = [str(p) for p in range(1, n)]
    said: dict[tuple[tuple[str, ...], str], str] = {}
    for event in simulator.trace.events():
        if event.kind == "send":
            fields = (event.detail or {})["fields"]
            path = tuple(fields["path"])
            if path[-1:] == (event.process,) and path[:1] == ("0",):
                said.setdefault((path, str(event.peer)), fields["order"])
    told = {p: said.get((("0",), p), "retreat") for p in lieutenants}
    expected = om(lieutenants, told, ("0",), said, depth)
    if "babble" not in who.values():  # it may send two values along one path, and the links decide which arrives first
        for p in simulator.processes:
            if p._name in lieutenants and p._name not in who:
                assert p.decision == expected[p._name]  # type: ignore[attr-defined]
    if len(who) <= depth and n > 3 * depth:
        assert broken(result) == []


#: experiment -> the sentences that it violates.
FAILS = {
    "king": [],
    "king-equal": [],
    "king-third": [
        "no two correct processes decide differently",
        "no two correct processes propose different values in a phase",
    ],
    "king-too-few-phases": ["no two correct processes decide differently"],
    "byzantine-generals": [],
    "byzantine-generals-commander": [],
    "byzantine-generals-three": ["if the commander is loyal, every loyal lieutenant obeys its order"],
    "byzantine-generals-seven": [],
    "byzantine-generals-shallow": ["all loyal lieutenants obey the same order"],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert broken(result) == FAILS[name]
    if "messages" in (about := ARCHIVE.experiment(name).about):
        assert f"{result.messages} messages" in about


def test_the_two_faced_commander_tells_one_general_the_truth() -> None:
    simulator = Simulator(ARCHIVE.experiment("byzantine-generals-commander").resolve(ARCHIVE))
    simulator.run()
    orders = [p.said["0",] for p in simulator.processes if p._name != "0"]  # type: ignore[attr-defined]
    assert Counter(orders) == {"attack": 1, "retreat": 2}


#: description -> protocol, the right text, the wrong one, parameters, the liars (the process and its behaviour).
BUGS: dict[str, tuple[str, str, str, dict[str, Any], Liars]] = {
    "one phase too few": (
        "king", "if self.phase <= self.f:", "if self.phase < self.f:", {"f": 2, "inputs": "0101010"},
        {"0": "two-faced", "1": "two-faced"},
    ),
    "the king convinces those who are sure": (
        "king", "and not self.sure", "", {"f": 2, "inputs": "1111111"}, {"2": "lie"},
    ),
    "anybody may speak as the king": (
        "king", "if q == self.king and", "if", {"f": 2, "inputs": "0101010"}, {"5": "babble", "6": "babble"},
    ),
    "more than half are enough to propose": (
        "king", "if times >= len(self.neighbours) + 1 - self.f:\n            self.proposals",
        "if 2 * times > len(self.neighbours) + 1:\n            self.proposals", {"f": 2, "inputs": "0101010"},
        {"0": "two-faced", "3": "two-faced"},
    ),
    "they believe the commander": (
        "byzantine-generals", "if len(path) == self.depth + 1:", "if path:", {"depth": 1}, {"0": "two-faced"},
    ),
    "they do not count what they heard themselves": (
        "byzantine-generals", "votes = [order, *(", "votes = [*(", {"depth": 1}, {"3": "lie"},
    ),
    "one round too few": (
        "byzantine-generals", "if len(m.path) <= self.depth:", "if len(m.path) < self.depth:", {"depth": 2},
        {"3": "two-faced", "5": "lie"},
    ),
    "the sender is not looked at": (
        "byzantine-generals", "(self.commander, q)", "(self.commander, path[-1])", {"depth": 1}, {"3": "lie"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong, parameters, who = BUGS[bug]
    path = mutant(name, right, wrong, tmp_path)
    n = 4 if parameters.get("depth") == 1 else 7
    for seed in range(60):
        words: dict[str, Any] = {"parameters": parameters, "faults": faults_of(who), "seed": seed}
        if broken(simulated(path, n, **words)[1]):
            assert broken(simulated(name, n, **words)[1]) == []
            return
    raise AssertionError("nobody noticed")
