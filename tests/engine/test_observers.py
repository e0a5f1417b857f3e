"""Observers: what they are told in a run, in a recorded trace and in a search, and the refusals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lydian.batch.replay import judge_trace
from lydian.engine.explorer.result import Exploration
from lydian.engine.explorer.search import Explorer
from lydian.engine.observing import judged, read_spec
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.archive.given import Given
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Resolved, from_dict
from lydian.model.interventions import Intervention
from lydian.model.protocol.protocol import protocol_from_source

QUEUE = '''
"""Desk: the centre of a star serves the others in the order in which it hears from them."""
from lydian import Command, Message, Observer, Process, always, at_end, on, states

IDLE, ASKING, SERVED = states("idle", "asking", "served")

class Want(Command):
    what: str = "tea"

class Ask(Message):
    what: str
    hops: tuple[int, ...] = (0,)

class Serve(Message):
    pass

class Desk(Process):
    state = IDLE

    @on(IDLE, Want)
    def want(self, m):
        self.state = ASKING
        self.send(Ask(m.what), to=self.neighbours)

    @on(IDLE, Ask)
    def serve(self, m, q):
        self.send(Serve(), to=q)

    @on(ASKING, Serve)
    def served(self, m, q):
        self.state = SERVED
        self.note("thanks")
        self.deliver(("served", self.me))

class Order(Observer):
    """The order of requests and of services."""
    asked: list[str] = []
    served: list[str] = []

    def observe(self, event):
        if event.kind == "command":
            self.asked.append(event.process)
        elif event.kind == "deliver":
            self.served.append(event.process)

class All(Observer):
    events: list = []

    def observe(self, event):
        fields = tuple(event.fields.items())
        self.events.append((event.kind, event.process, event.peer, event.label, fields, event.value, event.state))

@always("first come, first served")
def in_order(c):
    order = c.observer(Order)
    return order.served == order.asked[: len(order.served)]

@at_end("all are served")
def all_served(c):
    return len(c.observer(Order).served) == len(c.observer(Order).asked)
'''
NAME = "first come, first served"
WANT = [{"time": t, "do": "command", "process": p, "label": "Want"} for t, p in ((1.0, "1"), (4.0, "2"))]
FAR = {"links": {"0-1": "constant(9)"}}


def resolved(source: str = QUEUE, **keys: Any) -> Resolved:
    plan = {"name": "own", "protocol": "own", "network": "star:3", "workload": WANT, **keys}
    return from_dict(plan).resolve(Given(protocol_from_source(source, name="own")))


def ran(source: str = QUEUE, **keys: Any) -> Simulator:
    simulator = Simulator(resolved(source, **keys), check=True)
    simulator.run()
    return simulator


def explored(source: str = QUEUE, crashes: int = 0, losses: int = 0, **keys: Any) -> Exploration:
    return Explorer(resolved(source, **keys), crashes=crashes, losses=losses).run()


def holds(simulator: Simulator) -> dict[str, bool | None]:
    return {check.name: check.holds for check in simulator.checks()}


def without_all(source: str = QUEUE) -> str:
    """Return the text without the observer that remembers everything, so that the search is small."""
    head, rest = source.split("class All(Observer)")
    return head + "@always" + rest.split("@always", 1)[1]


def test_an_observer_is_told_each_event_with_all_fields() -> None:
    simulator = ran(workload=WANT[:1])
    everything = simulator.configuration.observer(_class(simulator, "All")).events
    ask = (("what", "tea"), ("hops", (0,)))
    assert everything == [
        ("command", "1", None, "Want", (("what", "tea"),), None, "asking"),
        ("send", "1", "0", "Ask", ask, None, "asking"),
        ("receive", "0", "1", "Ask", ask, None, "idle"),
        ("send", "0", "1", "Serve", (), None, "idle"),
        ("receive", "1", "0", "Serve", (), None, "served"),
        ("note", "1", None, None, (), "thanks", "served"),
        ("deliver", "1", None, None, (), ["served", "1"], "served"),
    ]


def _class(simulator: Simulator, name: str) -> Any:
    return next(each for each in simulator.protocol.properties[0].observers if each.__name__ == name)


def test_a_property_speaks_of_the_order_of_events() -> None:
    assert holds(ran()) == {NAME: True, "all are served": True}
    simulator = ran(timing=FAR)
    assert holds(simulator) == {NAME: False, "all are served": True}
    (broken,) = [check for check in simulator.checks() if check.holds is False]
    row = simulator.trace.event(broken.at or 0)
    assert (row.kind, row.process, row.label) == ("receive", "2", "Serve")


def test_a_recorded_trace_is_judged_like_its_run() -> None:
    for simulator in (ran(), ran(timing=FAR)):
        there = [each.to_dict() for each in simulator.checks()]
        assert judge_trace(simulator.trace, simulator.protocol) == there


def test_a_file_of_properties_has_observers(tmp_path: Path) -> None:
    text = """
from lydian import Observer, always
class Last(Observer):
    times: list = []
    def observe(self, event):
        if event.kind == "command":
            self.times.append(event.time)
@always("commands are at least five seconds apart")
def apart(c):
    times = c.observer(Last).times
    return all(b - a >= 5 for a, b in zip(times, times[1:]))
"""
    path = tmp_path / "spec.py"
    path.write_text(text)
    trace = ran().trace
    (check,) = judged(trace, read_spec(path))[0].summary["checks"]
    at = next(each.seq for each in trace.events() if each.kind == "command" and each.process == "2")
    assert (check["holds"], check["at"]) == (False, at)


def test_the_search_distinguishes_configurations_by_the_order_of_events() -> None:
    result = explored(without_all())
    found = {each.name: each for each in result.findings}
    assert found["all are served"].holds
    broken = found[NAME]
    assert broken.holds is False and broken.counterexample is not None and broken.counterexample.replayed
    assert broken.counterexample.steps == (
        "process 1 receives the command Want",
        "process 2 receives the command Want",
        "process 0 receives Ask(what='tea') from 2",
        "process 2 receives Serve from 0",
    )


def test_the_search_proves_that_no_process_is_served_unasked() -> None:
    source = without_all().replace(
        "order.served == order.asked[: len(order.served)]", "set(order.served) <= set(order.asked)"
    )
    assert all(each.holds for each in explored(source).findings)
    wrong = source.replace("self.deliver", "self.deliver(1); self.deliver").replace("<= set(order.asked)", "and 0")
    assert not all(each.holds for each in explored(wrong).findings)


@pytest.mark.parametrize(("crashes", "losses", "kind"), [(1, 0, "crash"), (1, 0, "drop"), (0, 1, "drop")])
def test_the_search_tells_crashes_and_losses(crashes: int, losses: int, kind: str) -> None:
    source = without_all().replace('event.kind == "deliver"', f'event.kind == "{kind}"')
    source = source.replace("order.served == order.asked[: len(order.served)]", "not order.served")
    (found,) = [each for each in explored(source, crashes, losses).findings if each.name == NAME]
    assert found.holds is False and found.counterexample is not None and found.counterexample.replayed


def test_programs_and_rules_tell_their_steps() -> None:
    simulator = Simulator(archive().experiment("bakery"), check=True)
    simulator.run()
    assert holds(simulator)["first come, first served: no process enters before one that had its number when it began "
                            "to choose"]  # fmt: skip
    source = simulator.protocol.source.replace("(self.mine, natural(self.me))", "(0, '')")
    protocol = protocol_from_source(source, name="bakery")
    plan = {"name": "b", "protocol": "bakery", "network": "complete:2", "breaks": "all"}
    findings = Explorer(from_dict(plan).resolve(Given(protocol))).run().findings
    assert [each.holds for each in findings if each.name.startswith("first come")] == [False]


def test_a_run_that_is_repeated_up_to_a_moment_has_the_same_observers_there() -> None:
    """Going back and trying otherwise: the observers have seen only what the branch contains."""
    simulator = Simulator(resolved(timing=FAR), check=True)
    simulator.begin()
    simulator.run()
    branch = simulator.experiment.with_(interventions=(Intervention(4.5, "crash", process="2"),))
    again = Simulator(branch.resolve(Given(simulator.protocol)), check=True)
    again.run()
    order = again.configuration.observer(_class(again, "Order"))
    assert (order.asked, order.served) == (["1", "2"], ["1"])
    assert holds(again)[NAME] and not holds(simulator)[NAME]


def changed(old: str, new: str) -> str:
    assert old in QUEUE
    return QUEUE.replace(old, new)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (changed("self.served.append", "self.serve.append"), r"line 44: the observer Order fails at an event: the "
         r"observer Order has no variable 'serve' \(did you mean 'served'\?\)"),
        (changed("append(event.process)\n        elif", "append(event.proces)\n        elif"),
         r"an event has no 'proces' \(did you mean 'process'\?\); it has kind, process, peer, label"),
        (changed("self.asked.append(event.process)", "self.aske = 1"), "has no variable 'aske'"),
        (changed("self.asked.append(event.process)", "self.asked = (p for p in 'a')"), "must contain plain data"),
        (changed("order = c.observer(Order)", "order = c.observer('Order')"), r"\(Order\), without quotation"),
        (changed("order = c.observer(Order)", "order = c.observer(Desk)"), "'Desk' is not an observer"),
        (changed("return order.served", "order.served.append(1)\n    return order.served"), "changes a variable of an"),
    ],
)  # fmt: skip
def test_mistakes_in_a_run(source: str, sentence: str) -> None:
    simulator = ran(source)
    assert simulator.error is not None and re.search(sentence, simulator.error)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (changed("asked: list[str] = []", "asked: list[str]"), "the variable 'asked' of an observer needs its initial"),
        (changed("def observe(self, event):\n        if", "def see(self, event):\n        if"), "needs a method"),
        (changed("asked: list[str] = []", "asked = range(3)"), "must be a number, a text"),
        (changed("asked: list[str] = []", "_asked: list[str] = []"), "cannot be called '_asked'"),
    ],
)  # fmt: skip
def test_mistakes_in_the_file(source: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        protocol_from_source(source)


def test_a_search_has_no_time() -> None:
    source = without_all().replace("self.asked.append(event.process)", "self.asked.append(event.time)")
    source = source.replace("self.served.append(event.process)", "self.served.append(event.time)")
    for each in explored(source).findings:
        assert each.holds is None and "time" in each.why
    assert holds(ran(source))["all are served"]


def test_an_observer_that_fails_leaves_its_properties_open_in_a_search() -> None:
    (first, *_) = explored(without_all().replace("self.served.append", "self.serve.append")).findings
    assert first.holds is None
    assert "the observer Order has no variable 'serve' (did you mean 'served'?)" in first.why
