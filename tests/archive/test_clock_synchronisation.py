"""Physical clocks: bounds by round trips, averages, and convergence in spite of liars and drift."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network
from tests.archive.ran import once
from tests.strategies import DELAYS

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=12, deadline=None)


def run(name: str, network: Network, **words: Any) -> tuple[Simulator, Result]:
    simulator = Simulator(Experiment("t", protocol=name, network=network, **words).resolve(ARCHIVE))
    return simulator, simulator.run()


def all_start(spec: str, **changes: Any) -> Network:
    network = from_spec(spec)
    return network.replace(initiators=network.processes, **changes)


def clocks(simulator: Simulator) -> list[float]:
    return [p.clock + p.correction for p in simulator.processes]  # type: ignore[attr-defined]


@FEW
@given(st.integers(2, 8), st.sampled_from(DELAYS), st.integers(0, 99), st.floats(0.97, 1.03))
def test_a_client_is_as_exact_as_its_round_trip_allows(n: int, delay: str, seed: int, rate: float) -> None:
    network = all_start(f"complete:{n}", delay=parse(delay), drifts={"1": rate})
    simulator, result = run("cristian", network, seed=seed, parameters={"rho": 0.03, "accuracy": 1000.0})
    assert result.exit_code == 0 and result.messages == 2 * 2 * (n - 1)
    assert all(p.bound == p.trip / 2 for p in simulator.processes[1:])  # type: ignore[attr-defined]


def test_equal_delays_in_both_directions_leave_no_error() -> None:
    simulator, result = run("cristian", all_start("complete:5", delay=parse("constant(3)")))
    assert result.exit_code == 0
    assert clocks(simulator) == pytest.approx([clocks(simulator)[0]] * 5)


def test_a_client_asks_until_the_round_trip_is_short() -> None:
    """The first two round trips are too long; the third takes 2."""
    slow = tuple(Intervention(0.0, "delay", link=("0", "1"), label="Time", delay=5.0) for _ in range(2))
    parameters = {"accuracy": 1.0, "syncs": 1, "tries": 3}
    for tries, state, messages in ((3, "set", 6), (2, "gave up", 4)):
        words: dict[str, Any] = {"faults": slow, "parameters": {**parameters, "tries": tries}}
        simulator, result = run("cristian", all_start("line:2", delay=parse("constant(1)")), **words)
        assert (simulator.processes[1].state, result.messages, result.exit_code) == (state, messages, 0)


@FEW
@given(st.integers(4, 9), st.integers(0, 99), st.sampled_from([0.0, 60.0, 400.0]), st.integers(1, 3))
def test_a_wrong_clock_does_not_move_the_others(n: int, seed: int, outlier: float, polls: int) -> None:
    network = from_spec(f"complete:{n}")
    simulator, result = run("berkeley", network, seed=seed, parameters={"outlier": outlier, "polls": polls})
    assert result.exit_code == 0 and result.messages == 3 * (n - 1) * polls
    assert max(abs(each - result.time) for each in clocks(simulator)) < 5 + 1.5 * (polls + 1)


def test_berkeley_averages_the_clocks() -> None:
    """With equal delays the estimates are exact: all clocks show the mean of the initial ones."""
    network = from_spec("complete:5").replace(delay=parse("constant(1)"))
    simulator = Simulator(Experiment("t", protocol="berkeley", network=network, seed=3).resolve(ARCHIVE))
    begun = [p.correction for p in simulator.processes]  # type: ignore[attr-defined]
    assert len(set(begun)) == 5
    assert simulator.run().exit_code == 0
    assert [p.correction for p in simulator.processes] == pytest.approx([sum(begun) / 5] * 5)  # type: ignore[attr-defined]


@FEW
@given(
    st.integers(4, 8), st.integers(0, 99), st.sampled_from(["lie", "two-faced", "mute"]),
    st.lists(st.floats(0.99, 1.01), min_size=8, max_size=8),
)  # fmt: skip
def test_clocks_come_together_in_spite_of_liars_and_drift(n: int, seed: int, how: str, rates: list[float]) -> None:
    network = all_start(f"complete:{n}", drifts={str(i): rates[i] for i in range(n)})
    f = (n - 1) // 3
    liars = tuple(Intervention(0.0, "byzantine", process=str(n - 1 - i), how=how) for i in range(f))
    _, result = run("averaging", network, seed=seed, parameters={"f": f, "rho": 0.01}, faults=liars)
    assert result.exit_code == 0


def test_without_uncertainty_one_period_is_enough_without_faults() -> None:
    network = all_start("complete:5", delay=parse("constant(1)"))
    simulator, result = run("averaging", network, seed=4, parameters={"turns": 1, "epsilon": 0.1})
    assert result.exit_code == 0
    assert clocks(simulator) == pytest.approx([clocks(simulator)[0]] * 5)


#: Experiment -> a sentence that is violated.
BROKEN = {
    "cristian-fast": "a clock that was set differs",
    "cristian-drift": "a clock that was set differs",
    "berkeley-gamma": "a clock that was set is as right",
    "berkeley-crash": "each clock was set in each poll",
    "averaging-trusting": "agreement",
    "averaging-slow": "convergence",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    assert result.exit_code == 1
    assert any(BROKEN[name] in check.name for check in result.violated)


#: Description -> the protocol, the right text, the wrong text.
BUGS = {
    "the whole round trip is added": ("cristian", "m.time + trip / 2 - self.clock", "m.time + trip - self.clock"),
    "the answer counts as new": ("cristian", "m.time + trip / 2 - self.clock", "m.time - self.clock"),
    "the master keeps its clock": ("berkeley", "        self.correction += mean\n", ""),
    "the sign of a change is wrong": ("berkeley", "mean - difference, self", "difference - mean, self"),
    "the answer is not aged": ("berkeley", "m.time + self.trips[q] / 2 - (", "m.time + 0.1 - ("),
    "the delay is forgotten": ("averaging", "m.time + self.delta - (", "m.time - ("),
    "extremes are kept": ("averaging", "self.f, len(known) - 1 - max(self.f - missing, 0)", "0, len(known) - 1"),
    "a change is made twice": ("averaging", "self.correction += self.change", "self.correction += 2 * self.change"),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    name, right, wrong = BUGS[bug]
    source = ARCHIVE.protocol(name).source
    assert source.count(right) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(source.replace(right, wrong))
    network = from_spec("complete:5") if name == "berkeley" else all_start("complete:5")
    liar = Intervention(0.0, "byzantine", process="4", how="two-faced")
    more: dict[str, Any] = {"parameters": {"f": 1}, "faults": (liar,)} if name == "averaging" else {}
    results = (run(str(path), network, seed=seed, **more)[1] for seed in range(20))
    assert any(result.exit_code != 0 for result in results)


@FEW
@given(
    st.sampled_from(["star:5", "line:4", "ring:6", "complete:5"]), st.sampled_from(DELAYS), st.integers(0, 99),
    st.sampled_from(["least", "latest"]), st.lists(st.floats(0.98, 1.02), min_size=6, max_size=6),
)  # fmt: skip
def test_a_clock_of_ntp_is_as_right_as_its_distance_says(
    spec: str, delay: str, seed: int, choice: str, rates: list[float]
) -> None:
    network = all_start(spec, delay=parse(delay))
    network = network.replace(drifts=dict(zip(network.processes, rates, strict=False)))
    _, result = run("ntp", network, seed=seed, parameters={"rho": 0.02, "choice": choice})
    assert result.exit_code == 0


def test_the_time_at_the_server_does_no_harm_to_ntp() -> None:
    """With equal delays both ways, the offset is exact, however long a question waits."""
    parameters = {"busy": 50.0, "polls": 1}
    simulator, result = run("ntp", all_start("star:5", delay=parse("constant(2)")), parameters=parameters)
    assert result.exit_code == 0
    assert clocks(simulator) == pytest.approx([clocks(simulator)[0]] * 5)
    assert [p.bound for p in simulator.processes[1:]] == pytest.approx([2.0] * 4)  # type: ignore[attr-defined]


def test_the_least_distance_of_ntp_never_grows_without_drift() -> None:
    simulator, _ = run("ntp", all_start("star:8", delay=parse("uniform(0.1, 6)")), parameters={"polls": 8})
    found: dict[str, list[float]] = {}
    for event in simulator.trace.events():
        bound = (event.detail or {}).get("changed", {}).get("bound")
        if bound is not None and event.process is not None:
            found.setdefault(event.process, []).append(bound)
    assert len(found) == 7 and all(each == sorted(each, reverse=True) for each in found.values())


def test_distances_of_ntp_add_up_along_a_line() -> None:
    simulator, result = run("ntp", all_start("line:4", delay=parse("constant(1)")))
    assert result.exit_code == 0
    assert [p.bound for p in simulator.processes[1:]] == pytest.approx([1.0, 2.0, 3.0])  # type: ignore[attr-defined]
