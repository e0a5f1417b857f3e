"""A failure detector by broken connections: each watching process is notified once, after the latency, and never
wrongly.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lydian.engine.end.result import Result
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention

WATCH = '''"""Watch: everybody watches everybody."""
from lydian import ANY, INIT, Command, Process, Timer, detector, on, overlay


class Gone(Timer):
    q: str


class Look(Command):
    q: str


class Away(Command):
    q: str


class Watch(Process):
    needs = overlay, detector
    heard: list[tuple] = []

    @on(ANY, INIT)
    def start(self):
        for q in self.everybody:
            if q != self.me:
                self.watch(q, Gone(q), after=2.0)

    @on(ANY, Gone)
    def gone(self, m):
        self.heard.append((m.q, self.clock))

    @on(ANY, Look)
    def look(self, m):
        self.watch(m.q, Gone(m.q), after=2.0)

    @on(ANY, Away)
    def away(self, m):
        self.cancel_timer(Gone(m.q))
'''


def run(tmp_path: Path, *done: Intervention, source: str = WATCH) -> tuple[Any, Result]:
    path = tmp_path / "watch.py"
    path.write_text(source)
    network = from_spec("isolated:3,starts=all")
    simulator = Simulator(Experiment("t", protocol=str(path), network=network, faults=done))
    return simulator, simulator.run()


def command(time: float, process: str, label: str, q: str) -> Intervention:
    return Intervention(time=time, do="command", process=process, label=label, fields={"q": q})


def crash(time: float, process: str) -> Intervention:
    return Intervention(time=time, do="crash", process=process)


def heard(simulator: Any) -> list[list[tuple[str, float]]]:
    return [p.heard for p in simulator.processes]


def test_each_live_process_is_notified_after_the_latency(tmp_path: Path) -> None:
    simulator, result = run(tmp_path, crash(5.0, "1"))
    assert heard(simulator) == [[("1", 7.0)], [], [("1", 7.0)]]
    rows = [event for event in result.trace.events() if event.kind in ("crash", "timer")]
    assert [row.cause for row in rows[1:]] == [rows[0].seq] * 2


def test_a_process_is_notified_once_and_not_after_its_crash(tmp_path: Path) -> None:
    recovers = Intervention(time=6.0, do="recover", process="1", keep=True)
    simulator, _ = run(tmp_path, crash(5.0, "1"), recovers, crash(9.0, "1"), crash(9.5, "2"))
    assert heard(simulator) == [[("1", 7.0), ("2", 11.5)], [], [("1", 7.0)]]


def test_a_process_that_starts_to_watch_a_crashed_one_is_notified(tmp_path: Path) -> None:
    simulator, _ = run(tmp_path, crash(5.0, "1"), command(20.0, "0", "Look", "1"))
    assert heard(simulator)[0] == [("1", 7.0), ("1", 22.0)]


@pytest.mark.parametrize("time", [1.0, 6.0])
def test_a_process_that_stops_watching_is_not_notified(time: float, tmp_path: Path) -> None:
    simulator, _ = run(tmp_path, command(time, "0", "Away", "1"), crash(5.0, "1"))
    assert heard(simulator) == [[], [], [("1", 7.0)]]


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("overlay, detector", "overlay", "it watches a process, which requires a failure detector: write needs ="),
        ("if q != self.me", "if True", "it watches itself; watch another process by its name"),
        ("self.watch(q, Gone", "self.watch(q + '0', Gone", "it watches '10', which is not a process"),
        ("self.watch(q, Gone(q)", "self.watch(q, Look(q)", "watch needs a timer such as Crashed(q), not Look"),
        ("after=2.0", "after=-2.0", "the time until a crash is noticed must be at least 0, not -2.0"),
    ],
)
def test_errors_are_reported(right: str, wrong: str, sentence: str, tmp_path: Path) -> None:
    assert right in WATCH
    assert sentence in str(run(tmp_path, source=WATCH.replace(right, wrong))[1].error)
