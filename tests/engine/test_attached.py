"""Rows that belong to an event: timers set and cancelled, and the output of a protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lydian.engine import console
from lydian.engine.simulator import Simulator
from lydian.model.delays import Constant
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.pieces.animation import animation_for
from lydian.trace.causality import happened_before, past, predecessors
from lydian.trace.events import ATTACHED, Kind, Trace
from lydian.trace.measures import measures
from lydian.trace.timeline import Timeline
from lydian.views.network.played import taken_at
from lydian.views.words.sentence import explain, line

HEAD = """
from lydian import *
IDLE, DONE = states("idle", "done")
class Ping(Message):
    pass
class Retry(Timer):
    round: int = 0
class P(Process):
    state = IDLE
    seen: int = 0
"""
START = """
    @on(IDLE, INIT)
    def start(self):
        self.set_timer(Retry(1), after=2.0)
        self.set_timer(Retry(2), after=3.0)
        self.send(Ping(), to="1")
    @on(IDLE, Ping)
    def got(self, m, q):
        self.seen += 1
    @on(IDLE, Retry)
    def rang(self, t):
        self.cancel_timer(Retry)
        self.set_timer(Retry(3), after=5.0)
        self.state = DONE
    @on(DONE, Retry)
    def late(self, t):
        pass
"""
PRINTS = """
    @on(IDLE, INIT)
    def start(self):
        print("starting", self.me)
        self.send(Ping(), to="1")
        print("two", end=" ")
        print("words\\nand a line")
    @on(IDLE, Ping)
    def got(self, m, q):
        {}
"""


def ran(folder: Path, body: str, **more: Any) -> Simulator:
    file = folder / "mine.py"
    file.write_text(HEAD + body)
    network = Network("pair", ("0", "1"), (Link("0", "1"),), delay=Constant(1.0), initiators=("0",))
    simulator = Simulator(Experiment(name="test", protocol=str(file), network=network, **more))
    simulator.run()
    return simulator


def attached(trace: Trace, *kinds: int) -> list[tuple[str, str | None, float, int | None, Any]]:
    """Return kind, process, time, cause and detail of the rows of some kinds."""
    rows = [trace.event(seq) for seq in np.flatnonzero(np.isin(trace.column("kind"), kinds)).tolist()]
    return [(row.kind, row.process, row.time, row.cause, row.detail) for row in rows]


def texts(trace: Trace) -> list[str]:
    return [str(detail["text"]) for *_, detail in attached(trace, Kind.PRINT)]


def test_timer_rows_contain_the_time_of_expiry(tmp_path: Path) -> None:
    simulator = ran(tmp_path, START)
    trace = simulator.trace
    rang = int(np.flatnonzero(trace.column("kind") == Kind.TIMER)[0])
    assert attached(trace, Kind.TIMER_SET, Kind.TIMER_CANCEL) == [
        ("timer_set", "0", 0.0, 0, {"rings": 2.0, "fields": {"round": 1}}),
        ("timer_set", "0", 0.0, 0, {"rings": 3.0, "fields": {"round": 2}}),
        ("timer_cancel", "0", 2.0, rang, {"rings": 3.0, "fields": {"round": 2}}),
        ("timer_set", "0", 2.0, rang, {"rings": 7.0, "fields": {"round": 3}}),
    ]
    assert trace.event(rang + 1).label == "Retry"


def test_attached_rows_advance_no_clock_and_are_not_counted(tmp_path: Path) -> None:
    simulator = ran(tmp_path, START)
    trace, result = simulator.trace, simulator.result()
    rows = [trace.event(seq) for seq in range(len(trace))]
    events = [row for row in rows if row.kind not in ("timer_set", "timer_cancel")]
    assert [row.kind for row in events] == ["init", "send", "receive", "timer", "timer"]
    assert [row.lamport for row in events if row.process == "0"] == [1, 2, 3, 4]
    assert [row.lamport for row in rows if row not in events] == [1, 1, 3, 3]
    numbers = measures(trace)
    assert (result.events, numbers["events"], Timeline(trace).events, len(rows)) == (5, 5, 5, 9)
    assert numbers["per_process"]["0"]["events"] == 4
    assert ran(tmp_path, START, stop=Stop(events=3)).result().events == 3


def test_a_process_that_recovers_with_nothing_cancels_its_timers(tmp_path: Path) -> None:
    crash = Intervention(time=1.5, do="crash", process="0")
    anew = Intervention(time=1.75, do="recover", process="0", keep=False)
    trace = ran(tmp_path, START, faults=(crash, anew)).trace
    back = int(np.flatnonzero(trace.column("kind") == Kind.RECOVER)[0])
    cancelled = attached(trace, Kind.TIMER_CANCEL)
    assert [(when, cause, detail["rings"]) for _, _, when, cause, detail in cancelled] == [
        (1.75, back, 2.0), (1.75, back, 3.0),
    ]  # fmt: skip
    kept = ran(tmp_path, START, faults=(crash, Intervention(time=1.75, do="recover", process="0"))).trace
    assert [cause for _, _, _, cause, _ in attached(kept, Kind.TIMER_CANCEL)] == [
        int(np.flatnonzero(kept.column("kind") == Kind.TIMER)[0])
    ]


def test_attached_rows_have_no_successors(tmp_path: Path) -> None:
    timeline = Timeline(ran(tmp_path, START).trace)
    kinds = timeline.kind.tolist()
    first = kinds.index(Kind.TIMER_SET)
    send = kinds.index(Kind.SEND)
    assert predecessors(timeline, first) == (0,)
    assert predecessors(timeline, send) == (0,)
    assert happened_before(timeline, 0, first)
    assert not happened_before(timeline, first, send)
    assert not past(timeline, timeline.length - 1)[np.isin(timeline.kind, ATTACHED)].any()


def test_the_description_of_an_event_names_the_timers_it_sets(tmp_path: Path) -> None:
    trace = ran(tmp_path, START).trace
    timeline, animation = Timeline(trace), animation_for(trace)
    assert "sets the timer Retry(round=1) to expire at time 2" in explain(timeline, 0, animation)
    assert "Nothing changes" not in explain(timeline, 0, animation)
    assert "sets timer Retry(round=1) (expires at 2)" in line(timeline, 1)


def test_output_of_an_action_is_recorded_where_it_was_printed(tmp_path: Path) -> None:
    simulator = ran(tmp_path, PRINTS.format("print(q)"))
    trace = simulator.trace
    assert [trace.event(seq).kind for seq in range(len(trace))] == [
        "init", "print", "send", "print", "print", "receive", "print",
    ]  # fmt: skip
    assert texts(trace) == ["starting 0", "two words", "and a line", "0"]
    assert [(process, cause) for _, process, _, cause, _ in attached(trace, Kind.PRINT)] == [
        ("0", 0), ("0", 0), ("0", 0), ("1", 5),
    ]  # fmt: skip


def test_output_before_a_failure_is_recorded(tmp_path: Path) -> None:
    for body in ("print('before'); 1 / 0", "print('before'); self.send(Ping(), to='9')"):
        simulator = ran(tmp_path, PRINTS.format(body))
        assert simulator.stopped == "error"
        assert texts(simulator.trace)[-1] == "before"


def test_output_of_guards_and_properties_belongs_to_the_previous_event(tmp_path: Path) -> None:
    tail = '@always("well")\ndef well(c):\n    print("looking")\n    return True\n'
    simulator = ran(tmp_path, PRINTS.format("pass") + tail)
    assert simulator.error is None
    looking = [row for row in attached(simulator.trace, Kind.PRINT) if row[4] == {"text": "looking"}]
    assert [(process, when) for _, process, when, _, _ in looking] == [(None, 0.0), (None, 1.0), (None, 1.0)]


@pytest.mark.slow
def test_endless_output_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "LINES_OF_EVENT", 5)
    monkeypatch.setattr(console, "LINES_OF_RUN", 7)
    simulator = ran(tmp_path, PRINTS.format("[print('x' * 5000) for _ in range(1000)]"))
    said = texts(simulator.trace)
    assert len(said) == 8
    assert said[3] == "x" * 2000 + " ..."
    assert said[-1] == "(nothing more is recorded: a run may print at most 7 lines)"
    monkeypatch.setattr(console, "LINES_OF_RUN", 100)
    said = texts(ran(tmp_path, PRINTS.format("while True: print('y', end='')")).trace)
    assert said[3:] == ["y" * 2000 + " ..."]
    said = texts(ran(tmp_path, PRINTS.format("[print('z') for _ in range(9)]")).trace)
    assert said[-2:] == ["z", "(nothing more of this event is recorded: it may print at most 5 lines)"]


def test_an_intervention_without_an_event_is_recorded_completely(tmp_path: Path) -> None:
    what = (
        Intervention(time=0.5, do="take_over", process="1"),
        Intervention(time=0.5, do="delay", link=("0", "1"), delay=4.0),
        Intervention(time=1.5, do="release", process="1"),
    )
    simulator = ran(tmp_path, START, faults=what)
    records = attached(simulator.trace, Kind.INTERVENE)
    assert [detail for *_, detail in records] == [
        what[0].to_dict(), {**what[1].to_dict(), "message": 0, "later": 4.0}, what[2].to_dict(),
    ]  # fmt: skip
    timeline = Timeline(simulator.trace)
    rows = np.flatnonzero(timeline.kind == Kind.INTERVENE)
    assert [taken_at(timeline, int(k)) for k in (rows[0], rows[0] + 1, rows[2], rows[2] + 1)] == [
        frozenset(), {1}, {1}, frozenset(),
    ]  # fmt: skip
