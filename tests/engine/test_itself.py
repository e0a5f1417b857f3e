"""A process may send to itself: an ordinary message with the network's delay that uses no link."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.network import Timing
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network import basic

PROTOCOL = '''"""Each process greets itself and its neighbours, and itself once more."""
from lydian import INIT, Message, Process, at_end, on, states

CALM, = states("calm")


class Hello(Message):
    """A greeting."""


class Greeter(Process):
    NEEDS
    state = CALM
    heard: list[str] = []

    @on(CALM, INIT)
    def start(self):
        for q in (self.me, *self.neighbours):
            self.send(Hello(), to=q)

    @on(CALM, Hello)
    def hear(self, m, q):
        again = q == self.me and q not in self.heard
        self.heard = [*self.heard, q]
        if again:
            self.send(Hello(), to=q)


@at_end("each process hears itself twice")
def heard(c):
    return all(p.heard.count(p.me) == 2 for p in c.processes)
'''


@pytest.fixture(params=["", "from lydian import overlay; needs = overlay"], ids=["links", "overlay"])
def greeter(request: pytest.FixtureRequest, tmp_path: Path) -> Experiment:
    path = tmp_path / "greeter.py"
    path.write_text(PROTOCOL.replace("NEEDS", request.param), encoding="utf-8")
    return Experiment("test", protocol=str(path), network="ring:3", timing=Timing(initiators="all"))


def test_each_process_receives_its_own_messages(greeter: Experiment) -> None:
    result = Simulator(greeter).run()
    assert (result.error, result.exit_code, result.messages) == (None, 0, 12)
    rows = result.trace.rows
    own = rows[(rows["kind"] == Kind.RECEIVE) & (rows["process"] == rows["peer"])]
    assert np.bincount(own["process"]).tolist() == [2, 2, 2]
    assert (own["time"] > 0).all()


@pytest.mark.parametrize("greeter", [""], ids=["links"], indirect=True)
def test_a_search_of_all_schedules_includes_them(greeter: Experiment) -> None:
    found = Explorer(greeter.with_(network="line:2").resolve()).run()
    assert {each.name: each.holds for each in found.findings}["each process hears itself twice"] is True


def test_such_messages_can_be_lost_on_purpose(greeter: Experiment) -> None:
    drop = Intervention(0.0, "drop", link=("1", "1"))
    result = Simulator(greeter.with_(faults=(drop,))).run()
    assert (result.messages, [check.holds for check in result.checks]) == (11, [False])


def test_such_messages_are_drawn_beside_their_process(greeter: Experiment) -> None:
    timeline = Timeline(Simulator(greeter).run().trace)
    first = timeline.message_arrived.min() / 2
    frame = basic.frame(timeline, first)
    assert frame.scene.loops
    assert int((frame.flights.source == frame.flights.target).sum()) == 3
