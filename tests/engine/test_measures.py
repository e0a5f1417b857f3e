"""Measures defined by a protocol: ``@measure`` beside its properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lydian.batch.rows import row_of
from lydian.batch.sweep.measure import Measure, measures_from
from lydian.engine.simulator import Simulator
from lydian.model.errors import ProtocolError
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.protocol.protocol import load_protocol
from lydian.trace.measures import measures
from lydian.trace.parquet.file import load, save

PROTOCOL = '''"""Sums: everybody adds up what it hears."""
from lydian import ANY, INIT, Message, Process, measure, on, variable


class Number(Message):
    value: int


class Sums(Process):
    total: int = 0

    @on(ANY, INIT)
    def begin(self):
        for q in self.neighbours:
            self.send(Number(5), to=q)

    @on(ANY, Number)
    def hear(self, m, q):
        self.total += m.value


@measure("largest sum")
def largest(c):
    return max(p.total for p in c.processes)


@measure("crashed share")
def crashed(c):
    return sum(p.faulty for p in c.processes) / c.n


@measure("nothing")
def nothing(c):
    return None
'''


def run(folder: Path, source: str = PROTOCOL, **more: Any) -> Any:
    path = folder / "sums.py"
    path.write_text(source)
    return Simulator(Experiment(name="test", protocol=str(path), network="ring:4", **more)).run()


def test_the_last_configuration_is_measured(tmp_path: Path) -> None:
    crash = Intervention(time=0.0, do="crash", process="3")
    result = run(tmp_path, faults=(crash,))
    assert result.measures["own"] == {"largest sum": 5, "crashed share": 0.25, "nothing": None}
    assert result.to_dict()["measures"]["own"]["largest sum"] == 5
    assert [each.name for each in load_protocol(tmp_path / "sums.py").measures] == [
        "largest sum", "crashed share", "nothing",
    ]  # fmt: skip


def test_stopped_runs_and_runs_without_checks_are_measured(tmp_path: Path) -> None:
    result = run(tmp_path, stop=Stop(until=0.1), check=False)
    assert (result.stopped, result.measures["own"]["largest sum"]) == ("until", 0)


def test_a_kept_trace_contains_the_measures(tmp_path: Path) -> None:
    save(run(tmp_path).trace, tmp_path / "kept.parquet")
    assert measures(load(tmp_path / "kept.parquet"))["own"]["largest sum"] == 5


def test_a_sweep_selects_measures_by_name(tmp_path: Path) -> None:
    asked = Measure.parse("own.largest sum")
    assert (asked.name, asked.of(run(tmp_path).measures)) == ("own_largest_sum", 5.0)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("return None", 'return "many"', "the measure \"nothing\" returns 'many'; a measure must"),
        ("return None", 'return float("inf")', 'the measure "nothing" returns inf'),
        ("return None", "return c.nowhere", 'line 34: the measure "nothing" cannot be computed: a configuration has'),
        ("return None", "c.processes[0].total = 1 / 0", 'the measure "nothing" cannot be computed'),
    ],
)
def test_a_value_that_is_not_a_number_is_reported_with_its_line(tmp_path: Path, old: str, new: str, text: str) -> None:
    result = run(tmp_path, PROTOCOL.replace(old, new))
    assert result.stopped == "error"
    assert text in str(result.error)


def test_a_failed_run_is_not_measured(tmp_path: Path) -> None:
    result = run(tmp_path, PROTOCOL.replace("self.total += m.value", "self.total /= 0"))
    assert result.stopped == "error"
    assert "own" not in result.measures


def test_a_measure_needs_its_name(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match='@measure needs its name: @measure\\("longest queue"\\)'):
        run(tmp_path, PROTOCOL.replace('@measure("nothing")', "@measure"))


def test_protocols_without_measures_have_none() -> None:
    result = Simulator(Experiment(name="test", protocol="echo", network="ring:4")).run()
    assert "own" not in result.measures


def test_a_row_of_a_sweep_contains_the_measures(tmp_path: Path) -> None:
    path = tmp_path / "sums.py"
    path.write_text(PROTOCOL.replace("self.total += m.value", "self.total += m.value\n        self.deliver(m.value)"))
    simulator = Simulator(Experiment(name="test", protocol=str(path), network="ring:4"))
    simulator.run()
    row = row_of(0, simulator, measures_from(["own.largest sum", "own.nothing", "reliability", "latency_max"]))
    assert (row["own_largest_sum"], row["own_nothing"], row["reliability"]) == (5.0, None, 0.5)
    assert 0.5 < row["latency_max"] < 1.5
