"""Planted bugs are found by a shortest schedule, and the simulator reproduces the violation from its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.end.result import Result
from lydian.engine.explorer.graph import Graph, extremes
from lydian.engine.explorer.result import Counterexample, Exploration, Finding
from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Resolved, Stop, read, save
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.model.protocol.properties import Property
from lydian.model.protocol.protocol import protocol_from_source
from tests.engine.test_explorer import network, written

#: the text changed in ECHO -> its replacement, the violated property, the network, and the length of the shortest
#: schedule
BUGS: dict[str, tuple[str, str, str, str, Network, int]] = {
    "does not wait for anybody": (
        "        if not self.pending:\n            if self.state == INITIATING",
        "        if True:\n            if self.state == INITIATING",
        "the initiator finishes last", "always", network("0-1", "1-2"), 1,
    ),
    "acknowledges too early": (
        "            if self.state == INITIATING:\n                self.decide",
        "            pass\n        if len(self.pending) <= 1:\n            if self.state == INITIATING:\n"
        "                self.decide",
        "the initiator finishes last", "always", network("0-1", "0-2", "1-2"), 3,
    ),
    "forgets to acknowledge copies": (
        "        self.send(Ack(), to=q)\n\n    @on((WAITING, INITIATING), Ack)",
        "        pass\n\n    @on((WAITING, INITIATING), Ack)",
        "the initiator learns that every process has the news", "eventually", network("0-1", "0-2", "1-2"), 5,
    ),
    "has no action for a copy at the end": (
        "@on((WAITING, ACKED, INITIATING, FINISHED), Broadcast)",
        "@on((WAITING, INITIATING), Broadcast)",
        "nothing fails when a process is acked and gets Broadcast", "error", network("0-1", "0-2", "1-2"), 6,
    ),
    "divides by zero when it adopts a second parent": (
        "        self.send(Ack(), to=q)\n\n    @on((WAITING, INITIATING), Ack)",
        "        if len(self.pending) == 1:\n            1 // 0\n        self.send(Ack(), to=q)\n\n"
        "    @on((WAITING, INITIATING), Ack)",
        "nothing fails when a process is waiting and gets Broadcast", "error", network("0-1", "0-2", "1-2"), 4,
    ),
    "takes the last sender as its parent": (
        "        self.send(Ack(), to=q)\n\n    @on((WAITING, INITIATING), Ack)",
        "        self.parent = q\n        self.send(Ack(), to=q)\n\n    @on((WAITING, INITIATING), Ack)",
        "parents form a forest", "always", network("0-1", "0-2", "1-2"), 4,
    ),
    "counts its messages wrongly": (
        "4*m - 2*n + 2\"", "4*m - 2*n + 1\"",
        "messages = 4*m - 2*n + 1", "messages", network("0-1", "1-2"), 5,
    ),
}  # fmt: skip


def run_from_file(shown: Counterexample, tmp_path: Path) -> Result:
    """Save, load and run an experiment, as ``lydian run`` and the window do."""
    save(shown.experiment, tmp_path / "shown.toml")
    return Simulator(read(tmp_path / "shown.toml")).run()


def agrees(finding: Finding, result: Result) -> bool:
    if finding.kind == "error":
        return result.error is not None and finding.why == result.error
    if finding.kind == "messages":
        return finding.why == f"{result.messages} messages are possible"
    return any((c.name, c.kind, c.holds) == (finding.name, finding.kind, False) for c in result.checks)


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_found_by_a_shortest_replayable_schedule(bug: str, tmp_path: Path) -> None:
    old, new, name, kind, net, steps = BUGS[bug]
    source = archive().protocol("echo").source
    assert source.count(old) == 1
    path = tmp_path / "echo.py"
    path.write_text(source.replace(old, new), encoding="utf-8")
    experiment = Experiment("t", protocol=str(path), network=net)
    result = Explorer(experiment).run()
    finding = result.finding(name)
    assert (finding.kind, finding.holds, result.exit_code) == (kind, False, 1)
    shown = finding.counterexample
    assert shown is not None and shown.replayed and len(shown.steps) == steps
    again = run_from_file(shown, tmp_path)
    assert agrees(finding, again)
    if kind == "always":
        assert again.stopped in ("until", "quiescent")
        found = next(check for check in again.checks if check.name == name)
        assert again.trace.event(found.at or 0).time == steps - 1  # the last step causes it
    if kind in ("always", "error"):  # no shorter schedule shows it
        shorter = Explorer(experiment, depth=steps - 1).run()
        assert [each.name for each in shorter.failed if each.name == name] == []


def explored(tmp_path: Path, body: str, net: Network, **more: Any) -> Exploration:
    workload = more.pop("workload", ())
    return Explorer(Experiment("t", protocol=written(tmp_path, body), network=net, workload=workload), **more).run()


RETRIES = """
    heard: bool = False
    @on(A, INIT)
    def start(self):
        self.again()
    @on(A, T)
    def again(self):
        if self.waits():
            self.send(M(), to=self.neighbours[0])
            self.set_timer(T(), after=2.0)
    @on(A, M)
    def got(self, m, q):
        self.heard = True
        if self.answers():
            self.send(M(1), to=q)
    def waits(self): return not self.heard
    def answers(self): return self.me == "1" and not self.sent()
    def sent(self): return False
@eventually("the first one hears")
def hears(c): return c.process("0").heard
"""


def test_an_endless_cycle_is_reported_as_a_loop(tmp_path: Path) -> None:
    """A process asks repeatedly without an answer: there is no end, and the messages are always delivered."""
    body = RETRIES.replace("self.send(M(), to=self.neighbours[0])\n", "self.state = B\n").replace(
        "    @on(A, M)",
        "    @on(B, T)\n    def back(self):\n        self.state = A\n        self.set_timer(T(), after=1.0)\n"
        "    @on(A, M)",
    )
    result = explored(tmp_path, body, network("0-1"))
    finding = result.finding("the first one hears")
    assert finding.holds is False and result.rounds and result.ends == 0
    shown = finding.counterexample
    assert shown is not None and shown.replayed and shown.loop is not None
    assert shown.steps[shown.loop :] and all("timer" in step for step in shown.steps[shown.loop :])
    experiment = shown.experiment
    before = experiment.with_(
        interventions=experiment.interventions[: 2 + shown.loop], stop=Stop(until=max(0.0, shown.loop - 0.5))
    )
    ended = []
    for each in (before, experiment):
        simulator = Simulator(each)
        assert simulator.run().stopped == "until"
        ended.append([(p.state, p.heard) for p in simulator.processes])  # type: ignore[attr-defined]
    assert ended[0] == ended[1]  # one full cycle


def test_a_message_is_not_in_transit_for_ever(tmp_path: Path) -> None:
    """With at most one message at a time, only an unfair schedule lets timers expire for ever and delivers nothing."""
    body = RETRIES.replace(
        "            self.send(M(), to=self.neighbours[0])\n",
        "            if self.state == A and not self.asked:\n                self.asked = True\n"
        "                self.send(M(), to=self.neighbours[0])\n",
    ).replace("    heard: bool = False\n", "    heard: bool = False\n    asked: bool = False\n")
    result = explored(tmp_path, body, network("0-1"))
    assert result.complete and result.rounds
    assert result.finding("the first one hears").holds is True
    lost = explored(tmp_path, body, network("0-1"), losses=1)
    finding = lost.finding("the first one hears")
    assert finding.holds is False and finding.counterexample is not None
    assert finding.counterexample.loop is not None and "is lost" in " ".join(finding.counterexample.steps)


LOCK = """
    got: int = 0
    inside: bool = False
    @on(A, C)
    def ask(self, c):
        self.state = B
        for q in self.neighbours:
            self.send(M(c.k), to=q)
    @on(B, C)
    def wait(self, c): pass
    @on(A, M)
    def grant(self, m, q):
        if m.k: self.send(M(), to=q)
        else: self.enter()
    @on(B, M)
    def keep(self, m, q):
        if not m.k: self.enter()
    def enter(self):
        self.inside = True
@at_end("nobody waits")
def nobody(c): return all(p.inside or p.state == A for p in c.processes)
"""


def test_a_deadlock_of_commands_is_found_and_replayed(tmp_path: Path) -> None:
    asked = ((40.0, "0"), (1.0, "1"))
    work = tuple(Intervention(t, "command", process=p, label="C", fields={"k": 1}) for t, p in asked)
    result = explored(tmp_path, LOCK, network("0-1"), workload=work)
    finding = result.finding("nobody waits")
    shown = finding.counterexample
    assert shown is not None and shown.replayed
    assert shown.steps[:2] == ("process 0 receives the command C(k=1)", "process 1 receives the command C(k=1)")
    assert agrees(finding, run_from_file(shown, tmp_path))
    assert ({"b": 2}, 1) in result.outcomes or any(states == {"b": 2} for states, _ in result.outcomes)


@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_counterexamples_replay_on_networks_of_every_kind(data: st.DataObject, tmp_path_factory: Any) -> None:
    """Individual delays, classes, outages, loss, step times, anonymous processes, FIFO: none of them disturbs a
    schedule.
    """
    links = tuple(
        Link(
            a, b,
            delay=data.draw(st.sampled_from([None, parse("constant(0)"), parse("exponential(mean=3)")])),
            klass=data.draw(st.sampled_from([None, "far"])),
            loss=data.draw(st.sampled_from([None, 0.0, 0.5])),
            outages=data.draw(st.sampled_from([(), ((0.0, 5.0),)])),
        )
        for a, b in (("0", "1"), ("1", "2"))
    )  # fmt: skip
    net = Network(
        "odd", ("0", "1", "2"), links, (data.draw(st.sampled_from(["0", "1"])),),
        order=data.draw(st.sampled_from(["fifo", "unordered"])),
        loss=data.draw(st.sampled_from([0.0, 0.3])),
        step=data.draw(st.sampled_from([None, parse("constant(2)")])),
        steps=data.draw(st.sampled_from([{}, {"1": parse("uniform(1, 2)")}])),
        classes={"far": parse("constant(9)")},
        drifts=data.draw(st.sampled_from([{}, {"0": 1.5}])),
        anonymous=data.draw(st.booleans()),
    )  # fmt: skip
    stop = Stop(until=data.draw(st.sampled_from([None, 2.0])))
    experiment = Experiment("t", protocol="flooding", network=net, stop=stop, breaks=("all",))
    budgets = data.draw(st.sampled_from([{"crashes": 1}, {"losses": 1}, {"crashes": 1, "losses": 1}, {"crashes": 2}]))
    result = Explorer(experiment, **budgets).run()
    finding = result.finding("every process has received the news")
    shown = finding.counterexample
    assert shown is not None
    assert shown.replayed
    assert agrees(finding, run_from_file(shown, tmp_path_factory.mktemp("shown")))


@pytest.mark.slow
def test_any_path_through_the_graph_can_be_run_to_its_end(tmp_path: Path) -> None:
    body = """
    log: tuple[int, ...] = ()
    @on(A, INIT)
    def start(self):
        self.set_timer(T(), after=3.0)
        for q in self.neighbours:
            self.send(M(1), to=q)
            self.send(M(2), to=q)
    @on(A, M)
    def got(self, m, q):
        self.log += (m.k,)
        if m.k == 2:
            self.cancel_timer(T)
            self.send(M(1), to=q)
            self.set_timer(T(), after=0.5)
    @on(A, T)
    def ring(self): self.log += (9,)
"""
    resolved = Experiment("t", protocol=written(tmp_path, body), network=network("0-1", "1-2")).resolve()
    explorer = Explorer(resolved, crashes=1, losses=1)
    assert explorer.run().complete
    step = max(1, len(explorer.keys) // 60)
    for number in range(0, len(explorer.keys), step):
        shown = explorer.schedule(*explorer.way(number), "always", "x")
        network_of_it = shown.experiment.resolve().network
        simulator = Simulator(replace(resolved, experiment=shown.experiment, network=network_of_it))
        simulator.run()
        explorer.seen.show(explorer.keys[number])
        here = explorer.visible(explorer.seen.processes, explorer.seen.in_transit)
        assert explorer.visible(simulator.processes, simulator.configuration.in_transit) == here, shown.steps


def graph(edges: dict[int, list[tuple[int, int, int]]], ends: list[int], size: int) -> Graph:
    """Map each source to its edges (target, label, messages)."""
    made = Graph(ends=ends)
    for number in range(size):
        for target, label, sent in edges.get(number, []):
            made.targets.append(target)
            made.labels.append(label)
            made.sent.append(sent)
        made.starts.append(len(made.targets))
    return made


def test_extremes_with_cycles() -> None:
    cheap = graph({0: [(1, 0, 5), (2, 1, 0)], 1: [(3, 0, 0)], 2: [(1, 0, 1), (0, 2, 0)]}, [3], 4)
    found = extremes(cheap, cheap.components())
    assert found is not None and (found.least, found.most) == (1, 5)  # the cycle costs nothing
    dear = graph({0: [(1, 0, 1)], 1: [(0, 1, 1), (2, 0, 0)]}, [2], 3)
    assert (found := extremes(dear, dear.components())) is not None and (found.least, found.most) == (1, None)
    assert extremes(graph({0: [(0, 0, 1)]}, [], 1), [[0]]) is None


def test_a_cycle_is_fair_if_nothing_waits_for_ever() -> None:
    waits = graph({0: [(1, 0, 0), (2, 9, 0)], 1: [(0, 1, 0), (2, 9, 0)]}, [2], 3)  # 9 could be taken at any time
    assert waits.fair_round([0, 1], 0) is None
    sometimes = graph({0: [(1, 0, 0), (2, 9, 0)], 1: [(0, 1, 0)]}, [2], 3)
    assert [sometimes.labels[edge] for edge in sometimes.fair_round([0, 1], 0) or []] == [0, 1]
    free = graph({0: [(1, 0, 0), (2, 9, 0)], 1: [(0, 1, 0), (2, 9, 0)]}, [2], 3)
    free.free = {9}  # a crash need not happen
    assert free.fair_round([0, 1], 0) is not None


# ---------------------------------------------------------------------- protocols and properties apart from a file


SAYS = """
from lydian import *
A, B = states("a", "b")
class M(Message):
    pass
class P(Process):
    state = A
    @on(A, INIT)
    def begin(self):
        self.deliver(1)
        for q in self.neighbours:
            self.send(M(), to=q)
    @on(A, M)
    def hear(self, m, q):
        self.deliver(1)
        if q == "2":
            self.no_such_method()
"""


def apart(source: str, *judged: Property) -> Resolved:
    """Return an experiment whose protocol is not in a file, with properties that are not in its text."""
    protocol = replace(protocol_from_source(source), properties=judged)
    pair = network("0-1")
    return Resolved(Experiment("apart", protocol="./missing.py", network=pair), protocol, pair, {})


def test_a_search_heeds_deliveries_that_only_a_given_property_reads():
    everywhere = Property("each process delivers", "at_end", lambda c: all(c.delivered.values()))
    nowhere = Property("no process delivers", "always", lambda c: not any(c.delivered.values()))
    found = Explorer(apart(SAYS, everywhere, nowhere)).run()
    assert [(each.name, each.holds) for each in found.findings] == [
        ("each process delivers", True), ("no process delivers", False),
    ]  # fmt: skip


def test_an_action_that_fails_is_found_in_a_protocol_without_a_file():
    found = Explorer(apart(SAYS.replace('q == "2"', 'q == "0"'))).run()
    failure = next(each for each in found.findings if each.kind == "error")
    assert "no_such_method" in failure.why
    assert failure.counterexample is not None
    assert failure.counterexample.replayed
