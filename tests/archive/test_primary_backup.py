"""Primary-backup replication: crashes at every moment, every schedule without crashes, and planted bugs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Result, Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention

ROOT = Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "protocols" / "primary-backup.py").read_text(encoding="utf-8")
LINEARIZABLE, RESPONDED = "the operations are linearizable", "every operation of a client that has not crashed"


def command(time: float, process: str, label: str, **fields: Any) -> Intervention:
    return Intervention(time, "command", process=process, label=label, fields=fields)


WORK = (
    command(7.0, "3", "Write", value=5),
    command(7.5, "4", "Read"),
    command(15.0, "4", "Write", value=8),
    command(24.0, "3", "Read"),
)


def experiment(protocol: str = "primary-backup", spec: str = "complete:5", **parts: Any) -> Experiment:
    return Experiment("backup", **{"protocol": protocol, "network": from_spec(spec), "workload": WORK, **parts})


def run(**parts: Any) -> Result:
    return Simulator(experiment(**parts).resolve()).run()


def broken(result: Result) -> list[str]:
    return [each.name for each in result.checks if each.holds is False]


def crashes(*at: tuple[str, float]) -> tuple[Intervention, ...]:
    return tuple(Intervention(time, "crash", process=p) for p, time in at)


@pytest.mark.parametrize("time", [5.0, 7.3, 8.1, 8.6, 9.2, 9.8, 15.6, 16.4, 17.2, 20.0])
@pytest.mark.parametrize("server", ["1", "2"])
def test_the_crash_of_one_server_at_any_moment_loses_nothing(server: str, time: float) -> None:
    result = run(faults=crashes((server, time)))
    assert broken(result) == [] and result.stopped == "quiescent"


def test_a_spare_server_becomes_the_backup_and_then_the_primary() -> None:
    result = run(
        spec="complete:6", parameters={"replicas": 3}, faults=crashes(("1", 9.0), ("2", 19.0)),
        workload=[command(each.time, str(int(each.process or 0) + 1), each.label, **each.fields) for each in WORK],
    )  # fmt: skip
    assert broken(result) == [] and result.stopped == "quiescent"


def test_a_write_takes_four_messages_and_a_read_two() -> None:
    quiet = run(workload=()).messages
    assert run(workload=WORK[:1]).messages - quiet == 4
    assert run(workload=[command(7.0, "3", "Read")]).messages - quiet == 2


def test_no_schedule_without_crashes_breaks_it() -> None:
    one = (command(0.0, "3", "Write", value=5),)
    result = Explorer(experiment(spec="complete:4", workload=one).resolve()).run()
    assert result.complete and {each.holds for each in result.findings} == {True}


def test_no_schedule_with_a_crash_that_the_detector_reports_breaks_it_so_far() -> None:
    result = Explorer(experiment(spec="complete:4", workload=()).resolve(), crashes=1, states=5000).run()
    assert not result.failed and ("watching", "Gone") in result.reachable


BROKEN = {
    "the backup does not store the value": (
        "self.value, self.done = m.value, m.done", "self.done = m.done", LINEARIZABLE,
    ),
    "clients do not repeat their requests": (
        "if changed and self.state == WAITING:", "if False:", RESPONDED,
    ),
    "the primary waits for a backup that has crashed": (
        "if m.backup != self.partner:", "if m.backup is not None and m.backup != self.partner:", RESPONDED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_planted_bugs_are_caught(name: str, tmp_path: Path) -> None:
    right, wrong, caught = BROKEN[name]
    assert SOURCE.count(right) == 1
    (tmp_path / "bug.py").write_text(SOURCE.replace(right, wrong), encoding="utf-8")
    found = [
        each
        for server in ("1", "2")
        for time in (7.3, 8.6, 9.2, 15.6, 20.0)
        for each in broken(run(protocol=str(tmp_path / "bug.py"), faults=crashes((server, time))))
    ]
    assert any(each.startswith(caught) for each in found)
