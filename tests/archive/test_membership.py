"""SWIM: crashes are noticed by all, no living member is declared dead, and planted bugs are caught."""

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
from tests.archive.ran import once

ARCHIVE = Archive(None, Path(__file__).resolve().parents[2])
FEW = settings(max_examples=10, deadline=None)


def run(n: int, protocol: str = "swim", **words: Any) -> tuple[Simulator, Result]:
    network = from_spec(f"complete:{n}")
    network = network.replace(initiators=network.processes, order="unordered")
    simulator = Simulator(Experiment("t", protocol=protocol, network=network, **words).resolve(ARCHIVE))
    return simulator, simulator.run()


@FEW
@given(st.integers(2, 8), st.integers(0, 99))
def test_a_period_takes_two_messages(n: int, seed: int) -> None:
    _, result = run(n, seed=seed)
    assert result.exit_code == 0 and result.messages == 2 * 12 * n


@FEW
@given(st.integers(3, 7), st.integers(0, 99), st.sets(st.integers(0, 6), max_size=2), st.floats(0, 30))
def test_all_notice_a_crash(n: int, seed: int, crashed: set[int], time: float) -> None:
    faults = tuple(Intervention(time, "crash", process=str(i % n)) for i in sorted(crashed))
    _, result = run(n, seed=seed, faults=faults, parameters={"periods": 4 * n + 6})
    assert result.exit_code == 0


def test_a_member_behind_a_bad_link_is_pinged_by_others() -> None:
    """All messages between 0 and 1 are lost: without helpers they suspect each other, with helpers they do not."""
    cut = Intervention(0.0, "link_down", link=("0", "1"))
    for helpers, suspected in ((2, False), (0, True)):
        parameters = {"helpers": helpers, "suspicion": 20.0}
        simulator, result = run(5, seed=2, parameters=parameters, faults=(cut,), breaks=("reliable",))
        assert result.exit_code == 0 or suspected
        assert any(p.incarnation for p in simulator.processes) is suspected  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["swim-hasty"])
def test_a_broken_assumption_has_an_effect(name: str) -> None:
    result = once(ARCHIVE.experiment(name))[1]
    assert [check.name for check in result.violated] == [
        "accuracy: no process declares a member dead that has not crashed"
    ]


def test_suspicions_are_refuted() -> None:
    result = once(ARCHIVE.experiment("swim-lossy"))[1]
    assert result.exit_code == 0 and result.measures["own"]["false suspicions"] > 0


#: Description -> the right text, the wrong text.
BUGS = {
    "an answer does not count": (
        "            self.answered = True\n            self.state = IDLE\n", "            self.state = IDLE\n",
    ),
    "a suspicion never ends": ("self.view[m.member] = (DEAD, m.incarnation)", "pass"),
    "a helper does not pass the answer on": ("if m.behalf != self.me:", "if False:"),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_caught(bug: str, tmp_path: Path) -> None:
    right, wrong = BUGS[bug]
    source = ARCHIVE.protocol("swim").source
    assert source.count(right) == 1
    path = tmp_path / "swim.py"
    path.write_text(source.replace(right, wrong))
    crash, cut = Intervention(12.0, "crash", process="3"), Intervention(0.0, "link_down", link=("0", "1"))
    parameters = {"periods": 8, "suspicion": 1.0}
    for seed in range(12):
        words: dict[str, Any] = {"seed": seed, "parameters": parameters, "faults": (cut, crash)}
        if run(5, str(path), breaks=("reliable",), **words)[1].exit_code != 0:
            return
    raise AssertionError("no run failed")
