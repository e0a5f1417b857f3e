"""The kernel is an ordinary SimPy environment with deliveries as additional events."""

from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import simpy

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.network import Link, Network
from lydian.trace.parquet.recorder import ROW_BYTES


def test_simpy_keeps_the_names_used_by_the_kernel() -> None:
    environment = simpy.Environment()
    assert environment._queue == []
    assert environment._now == 0
    environment.timeout(3)
    time, _priority, number, event = environment._queue[0]
    assert (time, isinstance(number, int), type(event)) == (3, True, simpy.Timeout)
    assert next(environment._eid) > number


def test_simpy_processes_timeouts_and_deliveries_interleave_in_time_order() -> None:
    network = Network("pair", ("0", "1"), (Link("0", "1"),), ("0",), delay=parse("constant(1)"))
    simulator = Simulator(Experiment(name="t", protocol="echo", network=network))
    seen: list[Any] = []

    def visitor(env: simpy.Environment) -> Generator[simpy.Event, Any, None]:
        for _ in range(4):
            value = yield env.timeout(0.6, value="tick")
            seen.append((round(env.now, 1), value, [p.state for p in simulator.processes]))

    simulator.kernel.process(visitor(simulator.kernel))
    simulator.kernel.run(until=1.5)
    assert simulator.kernel.now == 1.5
    simulator.run()
    assert seen == [
        (0.6, "tick", ["initiating", "sleeping"]),
        (1.2, "tick", ["initiating", "acked"]),
        (1.8, "tick", ["initiating", "acked"]),
        (2.4, "tick", ["finished", "acked"]),
    ]
    assert simulator.stopped == "quiescent"


PING_PONG = """
from lydian import INIT, ANY, Message, Process, on

class Ping(Message):
    pass

class PingPong(Process):
    @on(ANY, INIT)
    def start(self):
        self.send(Ping(), to=self.neighbours[0])

    @on(ANY, Ping)
    def back(self, m, q):
        self.send(m, to=q)
"""


@pytest.mark.slow
def test_recording_creates_no_objects_for_the_garbage_collector(tmp_path: Path) -> None:
    """Memory grows only by the rows."""
    (tmp_path / "p.py").write_text(PING_PONG)
    network = Network("pair", ("0", "1"), (Link("0", "1"),), ("0",))
    experiment = Experiment(name="t", protocol=str(tmp_path / "p.py"), network=network, stop=Stop(events=20_000))
    simulator = Simulator(experiment)
    gc.collect()
    before = len(gc.get_objects())
    simulator._advance(None)
    gc.collect()
    after = len(gc.get_objects())
    events, messages, _ = simulator.kernel.counts()
    assert (events, messages) == (20_000, 10_000)
    assert after - before < 200
    assert simulator.recorder.bytes <= 2 * ROW_BYTES * 20_000 < 180 * messages


IMPATIENT = """
from lydian import ANY, INIT, Message, Process, Timer, on

class Work(Message):
    pass

class Late(Timer):
    pass

class Impatient(Process):
    @on(ANY, INIT)
    def start(self):
        if self.me == "0":
            self.send(Work(), to="1")
        else:
            self.set_timer(Late(), after=2.0)

    @on(ANY, Work)
    def work(self, m, q):
        {answer}

    @on(ANY, Late)
    def late(self):
        self.note("late")
"""


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        ("self.note('working')", [("timer", 4.0)]),
        ("self.cancel_timer(Late)", [("timer_cancel", 4.0)]),
        ("self.set_timer(Late(), after=3.0)", [("timer_set", 4.0), ("timer", 7.0)]),
    ],
)
def test_a_timer_that_expires_during_a_step_that_cancels_it_never_reaches_an_action(
    tmp_path: Path, answer: str, after: list[tuple[str, float]]
) -> None:
    """Each step takes 1.5; process 1 works from 2.5 to 4, its timer expires at 3.5."""
    path = tmp_path / "impatient.py"
    path.write_text(IMPATIENT.format(answer=answer))
    network = Network(
        "pair", ("0", "1"), (Link("0", "1"),), ("0", "1"), delay=parse("constant(1)"), step=parse("constant(1.5)")
    )
    simulator = Simulator(Experiment(name="t", protocol=path, network=network))
    simulator.run()
    rows = [simulator.trace.event(seq) for seq in range(len(simulator.trace))]
    assert [(row.kind, row.time) for row in rows if row.label == "Late" and row.time > 2] == after
