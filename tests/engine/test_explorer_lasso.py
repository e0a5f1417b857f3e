"""Runs that go on for ever without what a property demands: found, played, and absent from correct protocols."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lydian.engine.explorer.graph import Graph
from lydian.engine.explorer.replay import ROUNDS
from lydian.engine.explorer.result import Exploration, Finding
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.experiment.daemon import Start
from lydian.model.experiment.experiment import Experiment
from lydian.model.network import Network
from tests.engine.test_explorer import network

#: Two processes meet in a corridor; each steps aside as soon as the other stands on the same side.
POLITE = """
from lydian import *
MEETING, PASSED = states("meeting", "passed")
class Stands(Message):
    left: bool
class Polite(Process):
    state = MEETING
    left: bool = True
    @on(MEETING, INIT)
    def begin(self):
        self.say()
    @on(MEETING, Stands)
    def see(self, m, q):
        if m.left == self.left:
            self.left = not self.left
            self.say()
        else:
            self.state = PASSED
    @on(PASSED, Stands)
    def gone(self, m, q):
        pass
    def say(self):
        for q in self.neighbours:
            self.send(Stands(self.left), to=q)
@PROPERTY("both pass")
def both(c):
    return all(p.state == PASSED for p in c.processes)
"""

#: A token goes round a ring; whoever skips nobody serves the process that has it.
TOKEN = """
from lydian import *
IDLE, = states("idle")
class Token(Message):
    pass
class Ring(Process):
    state = IDLE
    served: bool = False
    here: bool = False
    @on(IDLE, INIT)
    def begin(self):
        self.served = True
        self.send(Token(), to=self.next())
    @on(IDLE, Token)
    def take(self, m, q):
        self.served = SERVES
        self.send(Token(), to=self.next())
    def next(self):
        return sorted(self.neighbours)[-1] if self.me == "0" else "0" if self.me == "2" else str(int(self.me) + 1)
@eventually("every process is served")
def every(c):
    return all(p.served for p in c.processes)
"""


def searched(tmp_path: Path, source: str, net: Network, **more: Any) -> Exploration:
    path = tmp_path / "mine.py"
    path.write_text(source, encoding="utf-8")
    return Explorer(Experiment("t", protocol=str(path), network=net), **more).run()


def plays(finding: Finding) -> list[list[Any]]:
    """Run the schedule of a finding up to the beginning of each round, and return the values of the processes there."""
    shown = finding.counterexample
    assert shown is not None and shown.loop is not None
    size, found = len(shown.steps) - shown.loop, []
    taken_over = sum(each.do == "take_over" for each in shown.experiment.interventions if each.time == 0.0)
    for rounds in range(ROUNDS + 1):
        steps = shown.loop + rounds * size
        stop = replace(shown.experiment.stop, until=max(0.0, steps - 0.5))
        some = shown.experiment.with_(interventions=shown.experiment.interventions[: taken_over + steps], stop=stop)
        simulator = Simulator(some)
        simulator.run()
        flying = sorted((t.sender._name, t.receiver._name, str(t.message)) for t in simulator.configuration.in_transit)
        found.append([flying, *({k: getattr(p, k) for k in simulator.protocol.variables} for p in simulator.processes)])
    return found


@pytest.mark.parametrize("reduced", [False, True])
def test_a_violation_at_an_end_is_shown_rather_than_a_cycle(tmp_path: Path, reduced: bool) -> None:
    both = network("0-1", initiators=("0", "1"))
    result = searched(tmp_path, POLITE.replace("PROPERTY", "eventually"), both, reduced=reduced)
    shown = result.finding("both pass").counterexample
    assert result.rounds and result.ends
    assert shown is not None and (shown.loop, len(shown.steps), shown.replayed) == (None, 5, True)


#: The same, but each goes to where it sees the other go away from, so that they never pass.
ALWAYS_POLITE = POLITE.replace("if m.left == self.left:", "if True:").replace("not self.left", "not m.left")


@pytest.mark.parametrize("kind", ["eventually", "at_end"])
def test_a_livelock_without_any_end_violates_liveness_and_what_should_hold_at_the_end(
    tmp_path: Path, kind: str
) -> None:
    both = network("0-1", initiators=("0",))
    result = searched(tmp_path, ALWAYS_POLITE.replace("PROPERTY", kind), both)
    finding = result.finding("both pass")
    assert (result.complete, result.ends, finding.holds, result.exit_code) == (True, 0, False, 1)
    shown = finding.counterexample
    assert shown is not None and shown.replayed and shown.loop is not None
    before = "no schedule comes to an end: " if kind == "at_end" else ""
    size = len(shown.steps) - shown.loop
    assert finding.why == (
        f"{before}after {shown.loop} event{'s'[: shown.loop != 1]} a cycle of {size} events repeats for ever; in it "
        "the property never holds"
    )
    assert len(shown.experiment.interventions) == 2 + shown.loop + ROUNDS * size  # two processes are taken over
    assert len({str(each) for each in plays(finding)}) == 1


def test_a_token_that_skips_a_process_never_serves_it(tmp_path: Path) -> None:
    ring = network("0-1", "1-2", "2-0", "2-3", initiators=("0",))
    source = TOKEN.replace("sorted(self.neighbours)[-1] if", '"1" if').replace("SERVES", "True")
    finding = searched(tmp_path, source, ring).finding("every process is served")
    shown = finding.counterexample
    assert finding.holds is False and shown is not None and shown.replayed and shown.loop is not None
    assert finding.why.endswith("a cycle of 3 events repeats for ever; in it the property never holds")
    assert [step.split()[1] for step in shown.steps[shown.loop :]].count("3") == 0
    assert len({str(each) for each in plays(finding)}) == 1


def test_a_property_that_is_lost_again_in_each_round_is_reported_as_such(tmp_path: Path) -> None:
    ring = network("0-1", "1-2", "2-0", initiators=("0",))
    source = TOKEN.replace("sorted(self.neighbours)[-1] if", '"1" if').replace("SERVES", "not self.served")
    source = source.replace("every process is served", "the last one is served")
    source = source.replace("all(p.served for p in c.processes)", 'c.process("2").served')
    finding = searched(tmp_path, source, ring).finding("the last one is served")
    assert finding.holds is False and finding.counterexample is not None and finding.counterexample.replayed
    assert finding.why.endswith("repeats for ever; in each round the property fails again")


#: A process counts modulo two for ever, until a message arrives from its neighbour.
WAITS = """
from lydian import *
A, = states("a")
class M(Message):
    pass
class T(Timer):
    pass
class P(Process):
    state = A
    odd: bool = False
    heard: bool = False
    @on(A, INIT)
    def begin(self):
        self.set_timer(T(), after=1.0)
        for q in self.neighbours:
            self.send(M(), to=q)
    @on(A, T)
    def tick(self):
        self.odd = not self.odd
        self.set_timer(T(), after=1.0)
    @on(A, M)
    def hear(self, m, q):
        self.heard = True
@eventually("every other process hears")
def hears(c):
    return all(p.heard for p in c.processes if p.me != "0")
"""


@pytest.mark.parametrize(
    "bounds", [{}, {"reduced": True}, *({"states": s, "reduced": True} for s in range(2, 9))], ids=str
)
def test_a_cycle_that_leaves_a_message_in_transit_is_not_reported(tmp_path: Path, bounds: dict[str, Any]) -> None:
    """Not even by a search that was ended early and has tried the events of one process only."""
    result = searched(tmp_path, WAITS, network("0-1", "0-2"), **bounds)
    assert result.finding("every other process hears").holds in ((None,) if not result.complete else (True,))


def test_a_cycle_around_an_action_that_fails_is_not_fair(tmp_path: Path) -> None:
    """The message is delivered in the end, and the run fails instead of going on for ever."""
    source = WAITS.replace("self.heard = True", "1 // 0")
    result = searched(tmp_path, source, network("0-1"))
    assert [each.kind for each in result.failed] == ["error"]


def test_events_that_no_edge_shows_make_a_cycle_unfair() -> None:
    loop = Graph()
    for target in (1, 0):
        loop.targets.append(target)
        loop.labels.append(target)
        loop.sent.append(0)
        loop.starts.append(len(loop.targets))
    assert loop.fair_round([0, 1], 0) == [0, 1]
    assert loop.fair_round([0, 1], 0, lambda number: {loop.labels[number], 9}) is None


#: protocol -> network, parameters and initial configuration.
CORRECT = {
    "echo": ("ring:4", {}, Start()),
    "mutex-ring": ("onewayring:3", {}, Start()),
    "dijkstra-k-state": ("ring:3", {"k": 3}, Start(any=True)),
}


@pytest.mark.parametrize("name", CORRECT)
def test_correct_protocols_have_no_lasso(name: str) -> None:
    net, parameters, start = CORRECT[name]
    result = Explorer(Experiment("t", protocol=name, network=net, parameters=parameters, start=start)).run()
    assert result.complete and result.failed == ()
    assert result.rounds is (name != "echo")
