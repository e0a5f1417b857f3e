"""Synchronous rounds compared with the same algorithm with a timer per round and an action per message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from tests.benchmarks.conftest import Report, interleaved

PROCESSES, FANOUT, ROUNDS = 1_000, 12, 30

HEAD = '''"""Everybody tells some chosen at random in every round."""
from lydian import ANY, INIT, ROUND, Message, Process, Timer, on, overlay, parameter, rounds


class News(Message):
    pass


class Tick(Timer):
    pass


class Tell(Process):
    needs = NEEDS
    fanout: int = parameter(12)
    last: int = parameter(30)
    heard: int = 0
    done: int = 0
    box: list[str] = []

    def tell(self):
        names, draw = self.everybody, self.random.random
        m = News()
        for _ in range(self.fanout):
            q = names[int(len(names) * draw())]
            if q != self.me:
                self.send(m, to=q)
'''
IN_ROUNDS = (
    HEAD.replace("NEEDS", "overlay, rounds")
    + """
    @on(ANY, INIT)
    def begin(self):
        self.want_round()

    @on(ANY, ROUND)
    def compute(self, received):
        self.heard += len(received)
        if self.round <= self.last:
            self.tell()
            self.want_round()
"""
)
BY_TIMERS = (
    HEAD.replace("NEEDS", "overlay")
    + """
    @on(ANY, INIT)
    def begin(self):
        self.set_timer(Tick(), after=1.0)

    @on(ANY, News)
    def take(self, m, q):
        self.box.append(q)

    @on(ANY, Tick)
    def compute(self):
        self.heard += len(self.box)
        self.box.clear()
        self.done += 1
        if self.done <= self.last:
            self.tell()
            self.set_timer(Tick(), after=1.0)
"""
)


def test_messages_in_rounds(tmp_path: Path, report: Report) -> None:
    made: dict[str, list[Simulator]] = {"rounds": [], "timers": []}

    def prepared(kind: str) -> Callable[[], Callable[[], Any]]:
        path = tmp_path / f"{kind}.py"
        path.write_text(IN_ROUNDS if kind == "rounds" else BY_TIMERS)
        network = from_spec(f"isolated:{PROCESSES}").replace(delay=parse("constant(0.5)"))
        network = network.replace(initiators=network.processes)
        values = {"fanout": FANOUT, "last": ROUNDS}

        def prepare() -> Callable[[], Any]:
            experiment = Experiment(kind, protocol=str(path), network=network, parameters=values, variables=False)
            simulator = Simulator(experiment, limit=5_000_000)
            made[kind].append(simulator)
            return simulator.run

        return prepare

    times = interleaved({kind: prepared(kind) for kind in made}, repetitions=3)
    sent = {kind: each[-1].kernel.counts()[1] for kind, each in made.items()}
    heard = {kind: sum(p.heard for p in each[-1].processes) for kind, each in made.items()}
    assert sent["rounds"] == sent["timers"] == heard["rounds"] == heard["timers"] > 0.99 * PROCESSES * FANOUT * ROUNDS
    for kind in made:
        report.add(f"gossip by {kind}", sent[kind] / times[kind], "messages/s")
    report.add("rounds to timers, time of a message", times["rounds"] / times["timers"], "", "at most 0.7")
