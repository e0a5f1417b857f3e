"""Choosing, sending to several, and deferring: in a run, in a search, and in the schedule that a search finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.explorer.search import Explorer
from lydian.engine.simulator import Simulator
from lydian.model.archive.given import Given
from lydian.model.experiment.experiment import Resolved, from_dict
from lydian.model.protocol.protocol import protocol_from_source
from lydian.trace.events import Kind

COIN = '''
"""Coin: each process tosses a coin and tells its neighbours."""
from lydian import INIT, Message, Process, always, at_end, eventually, on, states

IDLE, DONE = states("idle", "done")

class Say(Message):
    coin: int

class Coin(Process):
    state = IDLE
    coin: int = -1
    heard: list[int] = []

    @on(IDLE, INIT)
    def toss(self):
        self.coin = self.choose([0, 1, 2])
        self.state = DONE
        self.send(Say(self.coin), to=self.neighbours)

    @on(IDLE, Say)
    def wait(self, m, q):
        self.defer()

    @on(DONE, Say)
    def hear(self, m, q):
        self.heard.append(m.coin)

@always("the coins differ from 2, 2")
def rare(c):
    return sum(p.coin for p in c.processes) < 4

@at_end("every process hears all its neighbours")
def all_heard(c):
    return all(len(p.heard) == len(p.neighbours) for p in c.processes) and not c.in_transit
'''


def resolved(source: str, network: str = "line:2", **keys: Any) -> Resolved:
    protocol = protocol_from_source(source, name="own")
    plan = {"name": "own", "protocol": "own", "network": network, "initiators": "all", **keys}
    return from_dict(plan).resolve(Given(protocol))


def ran(source: str, network: str = "line:2", **keys: Any) -> Simulator:
    simulator = Simulator(resolved(source, network, **keys), variables=True, check=True)
    simulator.run()
    return simulator


def notes(simulator: Simulator) -> list[Any]:
    return [event.detail for event in simulator.trace.events() if event.kind == "note"]


def test_a_run_records_what_a_process_chooses() -> None:
    simulator = ran(COIN)
    chosen = [detail["chosen"] for detail in notes(simulator) if "chosen" in detail]
    assert chosen == [p.coin for p in simulator.processes]
    assert notes(simulator)[0]["text"] == f"chooses {chosen[0]} from [0, 1, 2]"
    kinds = simulator.trace.column("kind")
    assert kinds[1] == Kind.NOTE and simulator.trace.column("cause")[1] == 0


def test_the_choice_depends_only_on_the_seed_and_the_process() -> None:
    def coins(**keys: Any) -> list[int]:
        return [p.coin for p in ran(COIN, "complete:5", **keys).processes]

    assert coins(seed=4) == coins(seed=4, timing={"delay": "uniform(1, 9)"})
    assert len({tuple(coins(seed=seed)) for seed in range(6)}) > 1


def test_the_search_tries_every_choice() -> None:
    explorer = Explorer(resolved(COIN))
    found = {each.name: each for each in explorer.run().findings}
    coins = {tuple(p.coin for p in views(explorer, key)) for key in explorer.keys}
    assert {pair for pair in coins if -1 not in pair} == {(a, b) for a in range(3) for b in range(3)}
    assert found["every process hears all its neighbours"].holds
    assert found["the coins differ from 2, 2"].holds is False


def views(explorer: Explorer, key: Any) -> Any:
    return [each.views[at] for each, at in zip(explorer.situations, key, strict=False)]


def test_the_schedule_that_a_search_finds_prescribes_the_choices() -> None:
    found = next(each for each in Explorer(resolved(COIN)).run().findings if each.name == "the coins differ from 2, 2")
    schedule = found.counterexample
    assert schedule.steps == ("process 0 starts and chooses 2", "process 1 starts and chooses 2")
    assert schedule.replayed
    assert [each.choices for each in schedule.experiment.interventions if each.do == "hurry"] == [(2,), (2,)]


def test_choices_need_not_be_fair() -> None:
    again = '''
"""Again: toss until it shows 1."""
from lydian import INIT, Message, Process, eventually, on, states

TOSSING, DONE = states("tossing", "done")

class Next(Message):
    pass

class Again(Process):
    state = TOSSING

    @on(TOSSING, INIT)
    def begin(self):
        self.toss()

    @on(TOSSING, Next)
    def toss(self):
        if self.choose([0, 1]):
            self.state = DONE
        else:
            self.send(Next(), to=self.me)

@eventually("it ends")
def ends(c):
    return all(p.state == DONE for p in c.processes)
'''
    (found,) = Explorer(resolved(again)).run().findings
    assert found.holds is False
    assert found.counterexample.loop is not None


DEFER = '''
"""Defer: messages wait until the user opens the process."""
from lydian import INIT, Command, Message, Process, on, states

SHUT, OPEN = states("shut", "open")

class Say(Message):
    number: int

class Open(Command):
    pass

class Defer(Process):
    state = SHUT
    heard: list[int] = []

    @on(SHUT, INIT)
    def begin(self):
        if self.me == "0":
            self.send(Say(1), to={"1"})
            self.send(Say(2), to=("1", "1"))

    @on(SHUT, Say)
    def wait(self, m, q):
        self.defer()

    @on(SHUT, Open)
    def open(self):
        self.state = OPEN

    @on(OPEN, Say)
    def hear(self, m, q):
        self.heard.append(m.number)
'''
OPENS = [{"time": 9.0, "do": "command", "process": "1", "label": "Open"}]


def test_a_deferred_message_waits_until_the_state_changes() -> None:
    simulator = ran(DEFER, workload=OPENS, timing={"order": "fifo"})
    assert simulator.processes[1].heard == [1, 2, 2]
    told = [(event.kind, event.time, event.label) for event in simulator.trace.events() if event.process == "1"]
    assert [kind for kind, _, _ in told] == ["init", "note", "note", "note", "command", "receive", "receive", "receive"]
    assert notes(simulator)[0]["text"] == "defers Say(number=1) from 0"
    received = [event for event in simulator.trace.events() if event.kind == "receive"]
    assert all(event.time == 9.0 and event.detail["waited"] > 0 for event in received)


def test_a_deferred_message_is_in_transit() -> None:
    simulator = ran(DEFER)
    assert [each.message.number for each in simulator.configuration.in_transit] == [1, 2, 2]
    assert simulator.processes[1].heard == []


def test_a_crash_loses_deferred_messages() -> None:
    simulator = ran(DEFER, faults=[{"time": 9.0, "do": "crash", "process": "1"}])
    assert simulator.configuration.in_transit == []
    assert [event.kind for event in simulator.trace.events()].count("drop") == 3


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_every_run_is_one_of_the_schedules_of_the_search(seed: int) -> None:
    explorer = Explorer(resolved(COIN, "line:3"))
    explorer.run()
    simulator = ran(COIN, "line:3", seed=seed)
    last = explorer.visible(simulator.processes, simulator.configuration.in_transit)
    ends = [explorer.keys[number] for number in explorer.graph.ends]
    shown = []
    for key in ends:
        explorer.seen.show(key)
        shown.append(explorer.visible(explorer.seen.processes, explorer.seen.in_transit))
    assert last in shown


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("3", "choose needs a list of options such as [0, 1], not 3"),
        ("'ab'", "choose needs a list of options such as [0, 1], not 'ab'"),
        ("[]", "choose needs at least one option, and the list is empty"),
        ("{1, 2}", "the order of a set is not fixed: write self.choose(sorted(...))"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options: str, why: str) -> None:
    simulator = ran(COIN.replace("[0, 1, 2]", options))
    assert why in (simulator.error or "")


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("self.defer()\n        self.heard.append(3)", "an action that defers its message must do nothing else"),
        ("self.defer()\n        self.state = OPEN", "an action that defers its message must do nothing else"),
        ("self.defer()\n        self.send(m, to=q)", "an action that defers its message must do nothing else"),
    ],
)
def test_an_action_that_defers_does_nothing_else(action: str, why: str) -> None:
    assert why in (ran(DEFER.replace("self.defer()", action)).error or "")


def test_only_an_action_on_a_message_can_defer() -> None:
    source = DEFER.replace("self.state = OPEN", "self.defer()")
    assert "it defers the command Open, and only an action on a message can defer" in (
        ran(source, workload=OPENS).error or ""
    )


def test_a_prescribed_option_must_exist() -> None:
    steps = [
        {"time": 0.0, "do": "take_over", "process": "0"},
        {"time": 1.0, "do": "hurry", "process": "0", "label": "INIT", "choices": [7]},
    ]
    simulator = ran(COIN, interventions=steps)
    assert "option 7 is prescribed (counted from 0), but it chooses from 3" in (simulator.error or "")
