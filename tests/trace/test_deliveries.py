"""Measures of dissemination, compared with a simple count and with values computed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.batch.sweep.measure import Measure
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.trace.deliveries import WORDS, deliveries, fairness
from lydian.trace.events import ROW, Kind, Trace
from lydian.trace.measures import measures
from lydian.trace.timeline import Timeline

LINE = Network(
    "line", ("0", "1", "2", "3"), (Link("0", "1"), Link("1", "2"), Link("2", "3")), (), delay=parse("constant(1)")
)
PAPER = '''"""Paper: what is published goes down the line, and is delivered."""
from lydian import ANY, Command, Message, Process, Timer, on


class Publish(Command):
    number: int


class News(Message):
    number: int


class Late(Timer):
    number: int


class Paper(Process):
    @on(ANY, Publish)
    def publish(self, c):
        self.deliver(c.number)
        self.tell(c.number)

    @on(ANY, News)
    def hear(self, m, q):
        self.deliver(m.number)
        self.tell(m.number)

    @on(ANY, Late)
    def late(self, t):
        self.tell(t.number)

    def tell(self, number):
        for q in self.neighbours:
            if int(q) > int(self.me):
                self.send(News(number), to=q)
'''


def published(tmp_path: Path, source: str, *commands: tuple[float, str, int]) -> dict[str, Any]:
    path = tmp_path / "paper.py"
    path.write_text(source)
    told = tuple(
        Intervention(time=t, do="command", process=p, label="Publish", fields={"number": number})
        for t, p, number in commands
    )
    result = Simulator(Experiment(name="test", protocol=str(path), network=LINE, workload=told)).run()
    assert result.error is None
    return result.measures


def test_two_values_on_a_time_line(tmp_path: Path) -> None:
    found = published(tmp_path, PAPER, (1.0, "0", 7), (2.0, "2", 8), (5.5, "3", 7))
    assert {name: found[name] for name in WORDS} == {
        "delivered": 7,  # 7 at 0, 1, 2, 3 and again at 3; 8 at 2 and 3
        "distinct": 2,
        "duplicates": 1,
        "reliability": (1 + 0.5) / 2,
        "informed_all": 0.5,
        "latency_mean": (1 + 2 + 3 + 1) / 4,
        "latency_max": 3.0,
        "fairness": pytest.approx((1 + 1 + 2) ** 2 / (4 * (1 + 1 + 4))),
    }


def test_a_value_is_published_by_its_command_even_if_its_process_does_not_deliver_it(tmp_path: Path) -> None:
    found = published(tmp_path, PAPER.replace("self.deliver(c.number)", "pass"), (1.0, "0", 7))
    assert (found["latency_mean"], found["latency_max"]) == (2.0, 3.0)
    assert found["reliability"] == 0.75


def test_behind_a_timer_the_first_delivery_counts(tmp_path: Path) -> None:
    at_once = "        self.deliver(c.number)\n        self.tell(c.number)"
    source = PAPER.replace(at_once, "        self.set_timer(Late(c.number), after=10.0)")
    found = published(tmp_path, source, (1.0, "0", 7))
    assert (found["delivered"], found["latency_mean"], found["latency_max"]) == (3, 1.5, 2.0)


def test_runs_without_deliveries_have_no_such_measures() -> None:
    result = Simulator(Experiment(name="test", protocol="spanning-tree", network="ring:5")).run()
    assert not set(WORDS) & set(result.measures)


@given(st.integers(1, 5), st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["1", "[1,2]", '"a"'])), max_size=30))
def test_comparison_with_a_simple_count(n: int, told: list[tuple[int, str]]) -> None:
    told = [(p % n, value) for p, value in told]
    rows = np.zeros(len(told), dtype=ROW)
    for name in ("peer", "message", "cause", "bits", "label"):
        rows[name] = -1
    rows["kind"], rows["time"], rows["process"] = Kind.DELIVER, np.arange(len(told)), [p for p, _ in told]
    details = {i: f'{{"value":{value}}}' for i, (_, value) in enumerate(told)}
    trace = Trace(rows, tuple(map(str, range(n))), (), ("active",), details.get)
    found = deliveries(Timeline(trace))
    if not told:
        assert found == {}
        return
    values = {value for _, value in told}
    who = {value: {p for p, each in told if each == value} for value in values}
    firsts = {value: [told.index((p, value)) for p in who[value]] for value in values}
    late = [i - min(seqs) for seqs in firsts.values() for i in seqs if i != min(seqs)]
    assert found == {
        "delivered": len(told),
        "distinct": len(values),
        "duplicates": len(told) - len(set(told)),
        "reliability": pytest.approx(sum(len(each) for each in who.values()) / len(values) / n),
        "informed_all": pytest.approx(sum(len(each) == n for each in who.values()) / len(values)),
        "latency_mean": pytest.approx(sum(late) / len(late)) if late else None,
        "latency_max": max(late) if late else None,
        "fairness": None,
    }


def test_jains_index() -> None:
    def of(*sent: int) -> float | None:
        rows = np.zeros(sum(sent), dtype=ROW)
        rows["kind"], rows["process"] = Kind.SEND, [p for p, k in enumerate(sent) for _ in range(k)]
        rows["message"], rows["peer"] = np.arange(len(rows)), -1
        return fairness(Timeline(Trace(rows, tuple(map(str, range(len(sent)))), ("A",), ("active",))))

    assert of(3, 3, 3) == pytest.approx(1.0)
    assert of(0, 6, 0) == pytest.approx(1 / 3)
    assert of(0, 0) is None


def test_without_values_all_deliveries_count_as_one() -> None:
    rows = np.zeros(3, dtype=ROW)
    rows["kind"], rows["process"], rows["cause"] = Kind.DELIVER, [0, 1, 1], -1
    found = deliveries(Timeline(Trace(rows, ("0", "1"), (), ("active",))))
    assert (found["delivered"], found["distinct"], found["duplicates"]) == (3, 1, 1)


def test_a_sweep_can_measure_them() -> None:
    trace = Simulator(Experiment(name="test", protocol="flooding", network="ring:5", seed=1)).run().trace
    numbers = measures(trace)
    for name in WORDS:
        each = Measure.parse(name)
        assert (each.name, each.of(numbers)) == (name, numbers[name])
    assert Measure.parse("reliability").of({"messages": 3}) is None
