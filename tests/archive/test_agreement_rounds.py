"""Agreement in rounds: Dolev-Strong, EIG, FloodMin and approximate agreement with random liars or crashes, and bugs."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.simulator import Simulator
from lydian.model.interventions import HOWS, Intervention
from tests.archive.agreeing import ARCHIVE, broken, broken_off, mutant, simulated

Liars = dict[str, str]
EIG = "exponential-information-gathering"
FEW = settings(max_examples=20, deadline=None)


def lying(liars: Liars) -> list[Intervention]:
    return [Intervention(0.0, "byzantine", process=p, how=how) for p, how in liars.items()]


@st.composite
def liars(draw: st.DrawFn, n: int, most: int) -> Liars:
    names = draw(st.lists(st.sampled_from([str(p) for p in range(n)]), unique=True, max_size=most))
    return {p: draw(st.sampled_from(list(HOWS))) for p in names}


@FEW
@given(st.data())
def test_signatures_tolerate_any_number_of_liars(data: st.DataObject) -> None:
    n, f = data.draw(st.integers(2, 6)), data.draw(st.integers(0, 4))
    who = data.draw(liars(n, min(f, n)))
    parameters = {"f": f, "x": data.draw(st.sampled_from(["yes", "no"]))}
    simulator, result = simulated(
        "dolev-strong", n, parameters=parameters, faults=lying(who), seed=data.draw(st.integers(0, 99))
    )
    assert broken(result) == []
    honest = {result.decided[p._name] for p in simulator.processes if p._name not in who}
    assert honest == {parameters["x"]} if "0" not in who else len(honest) <= 1


@FEW
@given(st.data())
def test_a_tree_tolerates_fewer_than_a_third_of_liars(data: st.DataObject) -> None:
    f = data.draw(st.integers(0, 2))
    n = data.draw(st.integers(max(2, 3 * f + 1), 7))
    who = data.draw(liars(n, f))
    inputs = data.draw(st.one_of(st.text("01", min_size=n, max_size=n), st.sampled_from(["0" * n, "1" * n])))
    _, result = simulated(
        EIG, n, parameters={"f": f, "inputs": inputs}, faults=lying(who), seed=data.draw(st.integers(0, 99))
    )
    assert broken(result) == []


@FEW
@given(st.data())
def test_numbers_stay_in_their_range_and_halve_it_in_each_round(data: st.DataObject) -> None:
    f = data.draw(st.integers(0, 2))
    n = data.draw(st.integers(max(4, 3 * f + 1), 8))
    numbers = data.draw(st.lists(st.integers(-50, 50), min_size=n, max_size=n))
    who = data.draw(liars(n, f))
    turns = data.draw(st.integers(1, 6))
    words = {"f": f, "turns": turns, "inputs": " ".join(map(str, numbers))}
    _, result = simulated(
        "approximate-agreement", n, parameters=words, faults=lying(who), seed=data.draw(st.integers(0, 99))
    )
    assert broken(result) == []
    left = [float(x) for p, x in result.decided.items() if p not in who]
    begun = [x for p, x in enumerate(numbers) if str(p) not in who]
    assert max(left) - min(left) <= (max(begun) - min(begun)) / 2**turns + 1e-6


@FEW
@given(st.data())
def test_at_most_k_values_are_decided_whichever_processes_crash(data: st.DataObject) -> None:
    n, k = data.draw(st.integers(2, 6)), data.draw(st.integers(1, 3))
    f = data.draw(st.integers(0, n - 1))
    names = [str(p) for p in range(n)]
    faults: list[Intervention] = []
    for p in data.draw(st.lists(st.sampled_from(names), unique=True, max_size=f)):
        reached = data.draw(st.sets(st.sampled_from([q for q in names if q != p])))
        faults += broken_off(p, reached, n, float(data.draw(st.integers(0, f // k + 1))))
    inputs = data.draw(st.text("0123456789", min_size=n, max_size=n))
    _, result = simulated("k-set-agreement", n, parameters={"f": f, "k": k, "inputs": inputs}, faults=faults)
    assert broken(result) == []


@pytest.mark.parametrize(("n", "f"), [(2, 0), (4, 1), (7, 2), (5, 3)])
def test_counts_of_the_books(n: int, f: int) -> None:
    assert simulated("dolev-strong", n, parameters={"f": f})[1].messages == (n - 1) * (n - 1 if f else 1)
    assert simulated(EIG, n, parameters={"f": f})[1].messages == (f + 1) * n * (n - 1)
    simulator, _ = simulated(EIG, n, parameters={"f": f})
    places = sum(len(list(itertools.permutations(range(n), k))) for k in range(f + 2))
    assert {len(p.tree) for p in simulator.processes} == {places}  # type: ignore[attr-defined]
    for k in (1, 2, 3):
        assert simulated("k-set-agreement", n, parameters={"f": f, "k": k})[1].messages == (f // k + 1) * n * (n - 1)


#: experiment -> the names of the properties that it violates.
FAILS = {
    "dolev-strong": [],
    "dolev-strong-correct": [],
    "dolev-strong-one-round": ["agreement"],
    EIG: [],
    f"{EIG}-equal": [],
    f"{EIG}-third": ["agreement", "validity", "common places"],
    "k-set-agreement": [],
    "k-set-agreement-late": [],
    "k-set-agreement-too-many": ["agreement"],
    "approximate-agreement": [],
    "approximate-agreement-correct": [],
    "approximate-agreement-two": ["convergence"],
}


@pytest.mark.parametrize("name", FAILS)
def test_the_experiments_match_their_descriptions(name: str) -> None:
    result = Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run()
    assert [each.partition(":")[0] for each in broken(result)] == FAILS[name]
    if "messages in" in (about := ARCHIVE.experiment(name).about):
        assert f"{result.messages} messages" in about


def test_the_decisions_that_the_descriptions_name() -> None:
    decided = {name: Simulator(ARCHIVE.experiment(name).resolve(ARCHIVE)).run().decided for name in FAILS}
    assert {decided["dolev-strong"][p] for p in "12"} == {"no"}
    assert set(decided["k-set-agreement"].values()) == {0}
    assert set(decided["k-set-agreement-late"].values()) == {0, 1, 2}
    assert len({decided[EIG][p] for p in "12456"}) == 1


#: description -> protocol, the right text, the wrong one, the property that notices, n, parameters, liars.
BUGS: dict[str, tuple[str, str, str, str, int, dict[str, Any], Liars]] = {
    "the seal is not verified": (
        "dolev-strong", "(not m.chain or m.seal == seal(m.x, m.chain))", "True",
        "if the sender is correct, no correct process accepts a value that it has not signed", 4, {"f": 2},
        {"3": "lie"},
    ),
    "no process passes a value on": (
        "dolev-strong", "if self.round <= self.f else ()", "if self.round < self.f else ()", "agreement", 4, {"f": 1},
        {"0": "two-faced"},
    ),
    "it keeps the first value": (
        "dolev-strong", "and len(self.accepted) < 2", "and len(self.accepted) < 1", "agreement", 4, {"f": 1},
        {"0": "two-faced"},
    ),
    "one round too few": (
        EIG, "if len(path) == self.f + 1:", "if len(path) == 1:", "agreement", 4, {"f": 1, "inputs": "0110"},
        {"0": "two-faced"},
    ),
    "it does not vote itself": (
        EIG, "for q in (self.me, *self.neighbours) if q not in path]", "for q in self.neighbours if q not in path]",
        "common places", 4, {"f": 1, "inputs": "0110"}, {"0": "two-faced"},
    ),
    "it keeps the extremes": (
        "approximate-agreement", "numbers[self.f : len(numbers) - self.f]", "numbers[:]", "validity", 4,
        {"f": 1, "inputs": "5 6 7 8"}, {"3": "mute"},
    ),
    "it drops only the largest": (
        "approximate-agreement", "numbers[self.f : len(numbers) - self.f]", "numbers[: len(numbers) - self.f]",
        "validity", 4, {"f": 1, "inputs": "5 6 7 8"}, {"3": "mute"},
    ),
    "it keeps its own number": (
        "approximate-agreement", "self.x = sum(rest) / len(rest)", "self.x = self.value", "convergence", 4, {"f": 1},
        {},
    ),
    "it forgets its own least value": (
        "k-set-agreement", "min([self.least, *(m.x for m, _ in received)])", "min([m.x for m, _ in received])",
        "agreement", 4, {"f": 0, "k": 1}, {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Any) -> None:
    name, right, wrong, noticed, n, parameters, who = BUGS[bug]
    path = mutant(name, right, wrong, tmp_path)
    seen: set[str] = set()
    for seed in range(40):
        words: dict[str, Any] = {"parameters": parameters, "faults": lying(who), "seed": seed}
        seen |= {each.partition(":")[0] for each in broken(simulated(path, n, **words)[1])}
        assert broken(simulated(name, n, **words)[1]) == []
        if noticed in seen:
            return
    raise AssertionError(seen)
