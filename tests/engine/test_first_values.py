"""Initial values that each process computes from its name, its neighbours and the parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.errors import ProtocolError
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.protocol.protocol import protocol_from_source
from lydian.model.source.outline import outline
from lydian.trace.timeline import Timeline

PROTOCOL = '''"""Each process waits for a greeting of every neighbour."""
from lydian import INIT, Message, Process, at_end, on, parameter, states, variable

CALM, = states("calm")


class Hello(Message):
    """A greeting."""


class Greeter(Process):
    state = CALM
    more: int = parameter(1)
    missing: int = variable(lambda p: len(p.neighbours) * p.more, minimum=0)
    named: tuple[str, ...] = variable(lambda p: (p.me, *p.neighbours))

    @on(CALM, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(Hello(), to=q)

    @on(CALM, Hello)
    def hear(self, m, q):
        self.missing -= 1


@at_end("nothing is missing")
def heard(c):
    return all(p.missing == 0 for p in c.processes)
'''


@pytest.fixture
def greeter(tmp_path: Path) -> Experiment:
    path = tmp_path / "greeter.py"
    path.write_text(PROTOCOL, encoding="utf-8")
    return Experiment("test", protocol=str(path), network="star:4,starts=all")


def test_each_process_begins_with_its_own_value(greeter: Experiment) -> None:
    result = Simulator(greeter).run()
    assert [check.holds for check in result.checks] == [True]
    timeline = Timeline(result.trace)
    assert [timeline.variables(p, 0)["missing"][0] for p in range(4)] == [3, 1, 1, 1]
    assert timeline.variables(1, 0)["named"][0] == ["1", "0"]
    assert [timeline.variables(p, len(result.trace))["missing"][0] for p in range(4)] == [0, 0, 0, 0]


def test_parameters_are_known_when_the_value_is_computed(greeter: Experiment) -> None:
    simulator = Simulator(greeter.with_(parameters={"more": 2}))
    assert [p.missing for p in simulator.processes] == [6, 2, 2, 2]


def test_a_process_that_forgets_recomputes_its_value(greeter: Experiment) -> None:
    faults = (Intervention(5.0, "crash", process="0"), Intervention(6.0, "recover", process="0", keep=False))
    result = Simulator(greeter.with_(faults=faults)).run()
    assert Timeline(result.trace).variables(0, len(result.trace))["missing"][0] == 3


def test_a_search_of_all_schedules_begins_with_the_value(greeter: Experiment) -> None:
    found = Explorer(greeter.with_(network="line:3,starts=all").resolve()).run()
    assert {each.name: each.holds for each in found.findings}["nothing is missing"] is True


def test_a_failing_function_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(PROTOCOL.replace("len(p.neighbours) * p.more", "p.neighbors"), encoding="utf-8")
    with pytest.raises(ProtocolError, match=r"wrong\.py, line 14: the initial value of 'missing' cannot be computed"):
        Simulator(Experiment("test", protocol=str(path), network="ring:3"))


def test_the_value_needs_its_type() -> None:
    with pytest.raises(ProtocolError, match="missing needs its type, such as missing: int"):
        protocol_from_source(PROTOCOL.replace("missing: int =", "missing ="), name="greeter")


def test_the_table_of_the_protocol_shows_the_source() -> None:
    found = {each.name: (each.type, each.initial) for each in outline(PROTOCOL).variables}
    assert found["missing"] == ("int", "lambda p: len(p.neighbours) * p.more")
    assert outline(PROTOCOL).problem is None


LAYERED = '''"""A layer below the process waits for a greeting of every neighbour."""
from lydian import ANY, INIT, Indication, Layer, Message, Process, at_end, on, parameter, states, variable

CALM, GLAD = states("calm", "glad")


class Hello(Message):
    """A greeting."""


class AllHere(Indication):
    """Every neighbour has greeted."""


class Greeting(Layer):
    more: int = parameter(1)
    missing: int = variable(lambda p: len(p.neighbours) * p.more)
    named: list[str] = variable(lambda p: [p.me, *p.neighbours])

    @on(ANY, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(Hello(), to=q)

    @on(ANY, Hello)
    def hear(self, m, q):
        self.missing -= 1
        if self.missing == 0:
            self.tell(AllHere())


class Greeter(Process):
    layers = (Greeting,)
    state = CALM

    @on(CALM, AllHere)
    def be_glad(self, m):
        self.state = GLAD


@at_end("all are glad")
def glad(c):
    return all(p.state == "glad" and p.greeting.missing == 0 for p in c.processes)
'''


def test_a_layer_computes_its_own_value(tmp_path: Path) -> None:
    path = tmp_path / "layered.py"
    path.write_text(LAYERED, encoding="utf-8")
    experiment = Experiment("test", protocol=str(path), network="star:4,starts=all")
    simulator = Simulator(experiment)
    assert [p.greeting.missing for p in simulator.processes] == [3, 1, 1, 1]
    result = simulator.run()
    assert [check.holds for check in result.checks] == [True]
    timeline = Timeline(result.trace)
    assert [timeline.variables(p, 0)["greeting.missing"][0] for p in range(4)] == [3, 1, 1, 1]
    assert timeline.variables(1, 0)["greeting.named"][0] == ["1", "0"]
    more = Simulator(experiment.with_(parameters={"more": 2}))
    assert [p.greeting.missing for p in more.processes] == [6, 2, 2, 2]
    assert outline(LAYERED).problem is None
    path.write_text(LAYERED.replace("len(p.neighbours) * p.more", "p.neighbors"), encoding="utf-8")
    with pytest.raises(ProtocolError, match=r"layered\.py, line 17: the initial value of 'greeting.missing' cannot"):
        Simulator(experiment)
