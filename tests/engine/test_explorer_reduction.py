"""Partial-order reduction: fewer configurations, the same verdicts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.reduction import Reduction
from lydian.engine.explorer.search import Explorer
from lydian.engine.explorer.sends import Sends
from lydian.engine.witness.networks import small
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.experiment.idleruns import first_commands
from lydian.model.protocol.process import Process
from tests.engine.test_explorer import network, written

ARCHIVE = Archive(None, Path(__file__).parents[2])
SAMPLE = (
    "echo", "flooding", "tree", "chang-roberts", "lamport-mutex", "ricart-agrawala", "two-phase-commit", "safra",
    "echo-election", "dijkstra-scholten", "chandy-lamport", "raymond", "total-order-sequencer", "lai-yang",
)  # fmt: skip


def told(explorer: Explorer) -> dict[str, Any]:
    """Search, and return all that the reduction must preserve."""
    result = explorer.run()
    assert result.complete
    ends = set()
    for number in explorer.graph.ends:
        explorer.seen.show(explorer.keys[number])
        ends.add(explorer.visible(explorer.seen.processes, ()))
    return {
        "verdicts": [(each.name, each.kind, each.holds) for each in result.findings],
        "ends": ends,
        "messages": result.messages,
        "chain": result.chain,
        "rounds": result.rounds,
        "cells": result.reachable,
        "outcomes": sorted((sorted(states.items()), count) for states, count in result.outcomes),
        "replayed": all(each.counterexample is None or each.counterexample.replayed for each in result.findings),
        "steps": [None if each.counterexample is None else len(each.counterexample.steps) for each in result.findings],
    }


def agree(experiment: Experiment | Resolved, **more: Any) -> tuple[int, int]:
    """Require equal verdicts with and without the reduction; return the numbers of configurations."""
    full, fewer = Explorer(experiment, **more), Explorer(experiment, reduced=True, **more)
    expected, got = told(full), told(fewer)
    assert got == expected
    assert len(fewer.keys) <= len(full.keys)
    return len(fewer.keys), len(full.keys)


def test_flooding_on_a_star_takes_one_configuration_a_delivery() -> None:
    for n in (5, 10, 15):
        explorer = Explorer(Experiment("t", protocol="flooding", network=f"star:{n}"), reduced=True)
        result = explorer.run()
        assert result.complete and result.configurations == n + 1 and result.partial == n - 2
        assert result.messages == (n - 1, n - 1) and all(each.holds for each in result.findings)
        assert any("reduced: in" in note and "--all-orders" in note for note in result.notes)
    assert agree(Experiment("t", protocol="flooding", network="star:10")) == (11, 2**9 + 1)


def test_a_message_still_to_come_is_waited_for(tmp_path: Path) -> None:
    """Process 0 must not handle the message of 1 first only because 2 has not yet sent its own."""
    body = """
    first: str = ""
    @on(A, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(M(), to=q)
    @on(A, M)
    def got(self, m, q):
        if self.me == "0":
            self.first = self.first or q
        elif self.me == "2":
            self.send(M(), to="0")
@at_end("1 is first")
def one(c): return c.process("0").first == "1"
"""
    net = network("0-1", "0-2", "2-3", initiators=("1", "3"))
    result = Explorer(Experiment("t", protocol=written(tmp_path, body), network=net), reduced=True).run()
    assert result.finding("1 is first").holds is False and result.ends == 2


def test_every_event_of_a_cycle_is_tried(tmp_path: Path) -> None:
    """Processes 0 and 1 exchange messages for ever; the message from 2 to 3 must not be postponed for ever."""
    body = """
    @on(A, INIT)
    def start(self):
        self.send(M(), to=self.neighbours[0])
    @on(A, M)
    def got(self, m, q):
        if self.me in ("0", "1"):
            self.send(M(), to=q)
        else:
            self.state = B
@always("3 waits")
def waits(c): return c.process("3").state == A
"""
    net = network("0-1", "2-3", initiators=("0", "2"))
    result = Explorer(Experiment("t", protocol=written(tmp_path, body), network=net), reduced=True).run()
    assert result.complete and result.rounds and result.finding("3 waits").holds is False


def test_visible_events_are_not_reordered(tmp_path: Path) -> None:
    """Each process changes its own variable only; that 1 is ahead of 0 is seen in one order of the two events."""
    body = """
    n: int = 0
    @on(A, INIT)
    def start(self): self.n = 1
@always("0 leads")
def leads(c): return c.process("0").n >= c.process("1").n
@always("1 leads")
def follows(c): return c.process("0").n <= c.process("1").n
"""
    net = network("0-1", initiators=("0", "1"))
    result = Explorer(Experiment("t", protocol=written(tmp_path, body), network=net), reduced=True).run()
    assert [each.holds for each in result.findings] == [False, False]
    assert [len(each.counterexample.steps) for each in result.findings if each.counterexample is not None] == [1, 1]


def test_counterexamples_are_still_shortest(tmp_path: Path) -> None:
    body = """
    n: int = 0
    @on(A, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(M(), to=q)
    @on(A, M)
    def got(self, m, q):
        self.n += 1
        if self.me == "9":
            raise ValueError
@always("few")
def few(c): return c.process("8").n < 1
"""
    links = [f"0-{i}" for i in range(1, 10)]
    result = Explorer(Experiment("t", protocol=written(tmp_path, body), network=network(*links)), reduced=True).run()
    few, error = result.failed
    assert few.counterexample is not None and len(few.counterexample.steps) == 2
    assert error.counterexample is not None and len(error.counterexample.steps) == 2
    assert not any("shorter" in note for note in result.notes)


def test_a_schedule_that_may_not_be_shortest_is_declared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.engine.explorer.search._SHORTER_STATES", 2)
    body = """
    n: int = 0
    @on(A, INIT)
    def start(self):
        for q in self.neighbours:
            self.send(M(), to=q)
    @on(A, M)
    def got(self, m, q): self.n += 1
@always("few")
def few(c): return sum(p.n for p in c.processes) < 2
"""
    result = Explorer(
        Experiment("t", protocol=written(tmp_path, body), network=network("0-1", "0-2")), reduced=True
    ).run()
    assert result.finding("few").holds is False
    assert any("a violation may have a shorter schedule" in note for note in result.notes)


#: A protocol that does what a table says: value and kind of a message -> new value, and the messages sent, each to the
#: neighbour of that number.
RANDOM = """
    value: int = 0
    left: int = {left}
    @on(A, INIT)
    def start(self):
        self.act(0)
    @on(A, M)
    def got(self, m, q):
        self.act(m.k)
    @on(A, T)
    def late(self):
        self.act(3)
    def act(self, k):
        new, sends, timer = TABLE[int(self.me) % 2][(self.value, k)]
        self.value = new
        if self.left:
            self.left -= {spent}
            for to, kind in sends:
                self.send(M(kind), to=self.neighbours[to % len(self.neighbours)])
            if timer:
                self.set_timer(T(), after=1.0)
TABLE = {table}
@always("never")
def never(c): return not (c.process("0").value == {a} and c.process("1").value == {b})
@always("few in transit" if {flights} else "small")
def flights(c): return len(c.in_transit) <= 4 if {flights} else c.process("1").value < 2
@at_end("at the end")
def last(c): return c.process("1").value != {b}
@eventually("settled")
def settled(c): return c.process("0").value != {a}
"""
entries = st.tuples(
    st.integers(0, 2), st.lists(st.tuples(st.integers(0, 2), st.integers(1, 2)), max_size=2), st.integers(0, 9)
)
tables = st.fixed_dictionaries(
    {(value, k): entries.map(lambda e: (e[0], e[1], e[2] == 0)) for value in range(3) for k in range(4)}
)


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_random_protocols_have_the_same_verdicts(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    shapes = [("0-1", "1-2"), ("0-1", "1-2", "0-2"), ("0-1", "0-2", "0-3")]
    net = network(
        *data.draw(st.sampled_from(shapes)),
        initiators=data.draw(st.sampled_from([("0",), ("1", "2"), ("0", "1", "2")])),
        order=data.draw(st.sampled_from(["fifo", "unordered"])),
    )
    spent = data.draw(st.sampled_from([1, 1, 1, 0]))
    body = RANDOM.format(
        left=data.draw(st.integers(1, 2)) if spent else 1,
        spent=spent,
        table=[data.draw(tables), data.draw(tables)],
        a=data.draw(st.integers(0, 2)),
        b=data.draw(st.integers(0, 2)),
        flights=data.draw(st.sampled_from([False, False, True])),
    )
    more = data.draw(
        st.sampled_from([{}, {}, {}, {"patient": True}, {"late_starts": True}, {"crashes": 1}, {"losses": 1}])
    )
    experiment = Experiment("t", protocol=written(tmp_path_factory.mktemp("random"), body), network=net)
    if not Explorer(experiment, states=600, **more).run().complete:
        return
    agree(experiment, **more)


def experiments(name: str, sizes: tuple[int, ...]) -> list[Resolved]:
    """Return experiments of an archive protocol on small networks, without commands and with one each."""
    protocol = ARCHIVE.protocol(name)
    if protocol.overlay or protocol.rounds:
        return []
    found = []
    for net in small(protocol.needs, sizes):
        for work in ((), first_commands(protocol, net)) if protocol.commands else ((),):
            with contextlib.suppress(BadInput):  # a parameter must be chosen
                found.append(Experiment("t", protocol=name, network=net, workload=work).resolve(ARCHIVE))
    return found


def compared(name: str, sizes: tuple[int, ...], most: int) -> Iterator[tuple[int, int]]:
    for resolved in experiments(name, sizes):
        for more in ({}, {"patient": True}) if resolved.protocol.timers else ({},):
            try:
                if Explorer(resolved, states=most, **more).run().complete:
                    yield agree(resolved, **more)
            except BadInput:  # it reads the clock
                return


@pytest.mark.parametrize("name", SAMPLE)
def test_archive_protocols_have_the_same_verdicts(name: str) -> None:
    assert list(compared(name, (2, 3), 300))


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in ARCHIVE.names("protocols") if each not in SAMPLE])
def test_all_archive_protocols_have_the_same_verdicts(name: str) -> None:
    list(compared(name, (2, 3, 4), 5000))


def test_what_a_process_may_send_is_propagated_backwards() -> None:
    sends = Sends(2)
    sends.learn(0, 1, 2, 0)
    sends.learn(0, 2, 3, 0b10)
    assert sends.may[0] == {1: 0b10, 2: 0b10} and sends.version == 1
    sends.learn(0, 3, 1, 0b01)
    assert sends.may[0] == {1: 0b11, 2: 0b11, 3: 0b11}
    sends.learn(0, 0, 0, 0)
    assert 0 not in sends.may[0] and sends.may[1] == {}


def test_what_properties_read_is_recorded(tmp_path: Path) -> None:
    body = """
    n: int = 0
    k: int = 0
    @on(A, INIT)
    def start(self): self.n = self.k = 1
    def big(self): return self.n > 5
@always("small")
def small(c): return not c.process("0").big() and not c.crashed(c.process("1"))
"""
    explorer = Explorer(Experiment("t", protocol=written(tmp_path, body), network=network("0-1")), reduced=True)
    explorer.run()
    observed = explorer.observed
    assert observed is not None and "__getattribute__" not in vars(Process)
    assert observed._reads == [{"n"}, {"_crashed"}] and not observed.flights
    assert observed.visible(0, 0, 1) and not observed.visible(1, 0, 0)


def test_a_choice_made_in_ignorance_is_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the random runs, nothing is known at first about what processes send."""
    monkeypatch.setattr(Reduction, "explore", lambda *_: None)
    for name in ("flooding", "dijkstra-scholten", "echo-election"):
        assert list(compared(name, (3,), 300))
