"""A run with a client in the same process, so that the order of messages between them is certain."""

from __future__ import annotations

import queue
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.engine.feedback import Feedback
from lydian.engine.simulator import Simulator
from lydian.engine.wire import Answered, Frame, Interact, Pace, Pending, Request, Result, Round, Stop
from lydian.model.delays import parse
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.trace.events import ROW, Trace
from tests.strategies import connected_networks, faults

LINE = Network(
    "line", ("0", "1", "2", "3"), (Link("0", "1"), Link("1", "2"), Link("2", "3")), ("0",), delay=parse("constant(1)")
)


class Inbox(queue.Queue[Any]):
    """An inbox that fails where a session would wait for ever."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        return super().get(block=False)


class Talk:
    """A session; ``turn`` returns what to send whenever the simulator waits with a list of pending events."""

    def __init__(self, experiment: Experiment, turn: Callable[[Talk, Pending], list[Frame]], **wanted: Any) -> None:
        self.inbox = Inbox()
        self.said: list[Frame] = []
        self.turn = turn
        self.numbers = iter(range(1, 10_000))
        self.feedback = Feedback(Request(experiment.to_dict(), **wanted), self.inbox, self.hear)
        self.code = self.feedback.run()

    def hear(self, frame: Frame) -> None:
        self.said.append(frame)
        if isinstance(frame, Pending):
            for each in self.turn(self, frame):
                self.inbox.put(each)

    def do(self, pending: Pending, seen: int | None = None, **what: Any) -> Interact:
        return Interact(next(self.numbers), pending.round if seen is None else seen, what)

    @property
    def answers(self) -> list[Answered]:
        return [each for each in self.said if isinstance(each, Answered)]

    @property
    def result(self) -> Result:
        return next(each for each in self.said if isinstance(each, Result))

    def trace(self) -> Trace:
        rounds = [each for each in self.said if isinstance(each, Round)]
        firsts = [each.first for each in rounds if each.count]
        assert firsts == np.cumsum([0, *(each.count for each in rounds if each.count)])[:-1].tolist()
        details = {seq: text for each in rounds for seq, text in each.details}
        rows = np.concatenate([np.zeros(0, dtype=ROW), *(each.events() for each in rounds)])
        last: dict[str, Any] = {}
        for each in rounds:
            for key in ("processes", "labels", "states"):
                last[key] = getattr(each, key) or last.get(key, ())
        return Trace(rows, tuple(last["processes"]), tuple(last["labels"]), tuple(last["states"]), details.get)

    def replays(self) -> bool:
        again = Simulator(from_dict(self.result.experiment)).run()
        assert again.stopped in (self.result.result["stopped"], "quiescent")
        return again.fingerprint == self.result.result["fingerprint"] == self.trace().fingerprint()


def echo(network: Network = LINE, protocol: str = "echo", **more: Any) -> Experiment:
    return Experiment(name="t", protocol=protocol, network=network, breaks=("all",), **more)


def once(*turns: Callable[[Talk, Pending], list[Frame]]) -> Callable[[Talk, Pending], list[Frame]]:
    """Return a function that takes one turn after another and then lets the run continue."""
    left = list(turns)
    return lambda talk, pending: left.pop(0)(talk, pending) if left else [Pace(None, linger=False)]


@settings(max_examples=25)
@given(st.data())
def test_a_passive_observer_sees_the_offline_execution(data: st.DataObject) -> None:
    network = data.draw(connected_networks(most=8, losses=(0.0, 0.2)))
    experiment = echo(network, "flooding", seed=data.draw(st.integers(0, 99))).with_(
        faults=data.draw(faults(network, ("Broadcast",)))
    )
    here = Simulator(experiment).run()
    wanted = data.draw(
        st.fixed_dictionaries(
            {"to": st.sampled_from([None, 0, 3]), "linger": st.booleans(), "pending": st.sampled_from([1, 200])},
            optional={"round_time": st.sampled_from([0.1, 1.0, 7.3]), "round_events": st.integers(1, 20)},
        )
    )
    step = data.draw(st.integers(1, 4))

    def turn(talk: Talk, pending: Pending) -> list[Frame]:
        return [Pace(pending.round + step, linger=False)]

    talk = Talk(experiment, turn, **wanted)
    assert talk.result.result["fingerprint"] == here.fingerprint == talk.trace().fingerprint()
    assert talk.result.experiment == experiment.to_dict()
    trace = talk.trace()
    assert [trace.detail_of(i) for i in range(len(trace))] == [here.trace.detail_of(i) for i in range(len(trace))]


@settings(max_examples=25)
@given(st.data())
def test_any_interaction_replays(data: st.DataObject) -> None:
    """Make random choices, faults and edits, in rounds of time and of events: an experiment with the same interventions
    gives the same execution.
    """
    network = data.draw(connected_networks(most=6, losses=(0.0, 0.2)))
    events = data.draw(st.sampled_from([None, 1, 3]))
    chance = random.Random(data.draw(st.integers(0, 2**32)))
    planned = data.draw(faults(network, ("Broadcast",)))
    experiment = echo(network, "flooding", faults=planned, seed=data.draw(st.integers(0, 99)))
    turns = [0]

    def turn(talk: Talk, pending: Pending) -> list[Frame]:
        turns[0] += 1
        if turns[0] > 12:
            return [Stop()]
        said: list[Frame] = [
            talk.do(pending, **whatever(chance, network, pending)) for _ in range(chance.randint(0, 2))
        ]
        return [*said, Pace(pending.round + chance.randint(0, 1) or None, linger=True)]

    talk = Talk(experiment, turn, round_events=events, round_time=chance.choice([0.5, 1.0]), linger=True)
    stopped = talk.result.result["stopped"]
    if stopped != "cancelled":
        assert talk.replays()
    else:
        again = Simulator(from_dict(talk.result.experiment)).run()
        size = len(talk.trace())
        assert (again.trace.rows[:size] == fitting(talk.trace().rows, again.trace.rows[:size])).all()


def fitting(rows: Any, like: Any) -> Any:
    rows = rows.copy()
    rows["round"] = like["round"]
    return rows


def whatever(chance: random.Random, network: Network, pending: Pending) -> dict[str, Any]:
    choices = [each["choose"] for each in pending.events if each["choose"]]
    mids = [each["message"] for each in pending.events if each["message"] is not None]
    name = chance.choice(network.processes)
    some: list[dict[str, Any]] = [
        {"do": "crash", "process": name},
        {"do": "recover", "process": name, "keep": chance.random() < 0.5},
        {"do": "take_over", "process": name},
        {"do": "release", "process": name},
        {"do": "scramble", "process": name, "seed": chance.randint(0, 9)},
        {"do": "retime", "process": name, "distribution": chance.choice(["constant(0)", "uniform(0.1, 0.4)"])},
    ]
    some += [choice for choice in choices for _ in range(2)]
    for mid in mids:
        some += [{"do": do, "message": mid} for do in ("drop", "duplicate")]
        some.append({"do": "delay", "message": mid, "delay": chance.choice([0.5, 3.0])})
    for link in network.links:
        ends = [link.a, link.b]
        some += [{"do": "link_down", "link": ends}, {"do": "link_up", "link": ends}]
        some += [{"do": "inject", "link": ends, "label": "Broadcast"}, {"do": "drop", "link": ends}]
        some.append({"do": "retime", "link": ends, "distribution": "uniform(1, 2)"})
    return chance.choice(some)


def test_the_user_chooses_what_happens_next(tmp_path: Any) -> None:
    """Three processes are woken at the same time; in rounds of one event the user determines their order."""
    network = LINE.replace(initiators=("0", "2", "3"))

    def last(talk: Talk, pending: Pending) -> list[Frame]:
        ready = [each for each in pending.events if each["kind"] == "init"]
        return [talk.do(pending, **ready[-1]["choose"])] if ready else [Pace(None)]

    (tmp_path / "values.py").write_text(FIELDS)
    talk = Talk(echo(network, str(tmp_path / "values.py")), last, round_events=1)
    events = list(talk.trace().events())
    assert [e.process for e in events if e.kind == "init"] == ["3", "2", "0"]
    assert [answer.accepted for answer in talk.answers] == [True] * 3
    assert talk.replays()


def test_a_message_is_delivered_now_and_not_edited_into_another() -> None:
    talk = Talk(
        echo(),
        once(
            lambda t, p: [Pace(1)],
            lambda t, p: [
                t.do(p, do="edit", message=0, label="Ack", fields={"x": 1}),
                t.do(p, do="deliver", message=0),
            ],
        ),
    )
    assert [answer.accepted for answer in talk.answers] == [False, True]
    assert "'x'" in talk.answers[0].reason
    receive = next(e for e in talk.trace().events() if e.kind == "receive")
    assert (receive.time, receive.message) == (1.0, 0)
    assert talk.replays()


FIELDS = """
from lydian import ANY, INIT, Message, Process, Timer, on

class Value(Message):
    number: int = 0
    path: tuple[str, ...] = ()

class Again(Timer):
    pass

class Values(Process):
    seen: int = -1

    @on(ANY, INIT)
    def start(self):
        self.set_timer(Again(), after=5)
        for q in self.neighbours:
            self.send(Value(7, ("a",)), to=q)

    @on(ANY, Value)
    def take(self, m, q):
        self.seen = m.number

    @on(ANY, Again)
    def again(self):
        self.seen = 100
"""


def test_fields_of_a_message_in_transit_are_changed(tmp_path: Any) -> None:
    (tmp_path / "values.py").write_text(FIELDS)
    experiment = echo(protocol=str(tmp_path / "values.py"))
    talk = Talk(
        experiment,
        once(
            lambda t, p: [Pace(1)],
            lambda t, p: [
                t.do(p, do="edit", message=0, label="Value", fields={"number": "x"}),
                t.do(p, do="edit", message=0, label="Value", fields={"number": 40}),
                t.do(p, do="edit", message=0, label="Value", fields={"number": 41}),
                t.do(p, do="hurry", process="0", label="Again"),
                t.do(p, do="hurry", process="1", label="Again"),
            ],
        ),
    )
    assert [answer.accepted for answer in talk.answers] == [False, True, False, True, False]
    assert "Value.number: it is declared as int, not 'x'" in talk.answers[0].reason
    assert talk.answers[2].reason == "another interaction in this round came first: edit"
    assert talk.answers[4].reason == "no Again is pending for process 1"
    told = [
        (e.kind, e.process, e.time, e.detail)
        for e in talk.trace().events()
        if e.kind in ("corrupt", "receive", "timer")
    ]
    assert told == [
        ("corrupt", "0", 1.0, {"message": 0, "fields": {"number": 40, "path": ["a"]}, "was": {"number": 7}}),
        ("timer", "0", 1.0, {"changed": {"seen": 100}}),
        ("receive", "1", 1.0, {"changed": {"seen": 40}}),
    ]
    assert talk.replays()


def test_a_controlled_process_waits_for_the_users_choice() -> None:
    network = Network("star", ("0", "1", "2"), (Link("0", "1"), Link("0", "2")), ("0",), delay=parse("constant(1)"))
    seen: list[list[tuple[str, bool, str | None]]] = []

    def look(talk: Talk, pending: Pending) -> list[Frame]:
        seen.append([(each["label"], each["waits"], each["action"]) for each in pending.events])
        return []

    talk = Talk(
        echo(network),
        once(
            lambda t, p: [t.do(p, do="take_over", process="0")],
            lambda t, p: [t.do(p, do="take_over", process="0"), t.do(p, **p.events[0]["choose"]), Pace(5)],
            lambda t, p: [*look(t, p), t.do(p, **p.events[1]["choose"])],
            lambda t, p: [*look(t, p), t.do(p, do="inject", link=["1", "0"], label="Broadcast"), Pace(7)],
            lambda t, p: [*look(t, p), t.do(p, do="release", process="0"), Pace(None, linger=False)],
        ),
        linger=True,
    )
    assert [answer.reason for answer in talk.answers[:3]] == ["", "process 0 is already taken over", ""]
    assert [label for label, waits, _ in seen[0] if waits] == ["Ack", "Ack"]
    received = [(e.process, e.peer) for e in talk.trace().events() if e.kind == "receive" and e.process == "0"]
    assert received[0] == ("0", "2")  # the later one first
    assert talk.replays()


def test_a_finished_round_reports_what_is_left() -> None:
    talk = Talk(
        echo(),
        once(
            lambda t, p: [t.do(p, do="crash", process="3"), Pace(20)],
            lambda t, p: [t.do(p, do="recover", process="3"), Stop()],
        ),
        linger=True,
    )
    rests = [each.rest for each in talk.said if isinstance(each, Round) and each.rest is not None]
    assert rests[0]["waiting"] == ["0", "1", "2"]
    assert {check["name"]: check["holds"] for check in rests[0]["checks"]}[
        "the initiator learns that every process has the news"
    ] is False
    first = next(each for each in talk.said if isinstance(each, Round))
    assert first.rest is None
    assert talk.replays()


def test_moves_of_a_controlled_process_are_checked_against_its_table(tmp_path: Any) -> None:
    (tmp_path / "values.py").write_text(FIELDS + "\nclass Odd(Message):\n    pass\n")
    talk = Talk(
        echo(protocol=str(tmp_path / "values.py")),
        once(
            lambda t, p: [t.do(p, do="take_over", process="3"), t.do(p, do="inject", link=["2", "3"], label="Odd")],
            lambda t, p: [Pace(1)],
            lambda t, p: [t.do(p, **next(e for e in p.events if e["label"] == "Odd")["choose"]), Stop()],
        ),
    )
    last = talk.answers[-1]
    assert not last.accepted
    assert last.reason == 'process 3 is active, and Values has no @on("active", Odd)'


@pytest.mark.parametrize(
    ("what", "seen", "reason"),
    [
        ({"do": "drop", "message": 0}, 0, "message 0 had not been sent in round 0"),
        ({"do": "drop", "message": 0}, 2, "message 0 has arrived or was lost before round 2"),
        ({"do": "drop", "message": 9}, 2, "message 9 had not been sent in round 2"),
        ({"do": "drop", "message": 1, "label": "Ack"}, 2, "message 1 is not the expected Ack"),
        ({"do": "wake", "process": "1"}, 5, "round 5 is still to come; the run is at round 2"),
        ({"do": "wake", "process": "1"}, -1, "the number of a round must be at least 0, not -1"),
        ({"do": "release", "process": "1"}, 2, "process 1 is not taken over"),
        ({"do": "retime", "process": "1", "distribution": "unifrm(1, 2)"}, 2, "uniform"),
        ({"do": "deliverr", "message": 1}, 2, "did you mean 'deliver'?"),
        ({"do": "edit", "label": "Ack", "message": 1}, 2, "edit needs fields"),
        ({"process": "1"}, 2, "do"),
    ],
)
def test_refusals_give_reasons(what: dict[str, Any], seen: int, reason: str) -> None:
    talk = Talk(echo(), once(lambda t, p: [Pace(2)], lambda t, p: [Interact(1, seen, what), Stop()]))
    assert not talk.answers[0].accepted
    assert reason in talk.answers[0].reason


def test_the_order_of_a_fifo_link_is_kept(tmp_path: Any) -> None:
    (tmp_path / "values.py").write_text(
        FIELDS.replace(
            "            self.send(Value(7", "            self.send(Value(6), to=q)\n            self.send(Value(7"
        )
    )
    talk = Talk(
        echo(LINE.replace(order="fifo"), str(tmp_path / "values.py")),
        once(lambda t, p: [Pace(1)], lambda t, p: [t.do(p, do="deliver", message=1), Stop()]),
    )
    assert talk.answers[0].reason == "link 0-1 is FIFO; message 0 must be delivered first"


def test_the_first_of_two_conflicting_interactions_wins() -> None:
    talk = Talk(
        echo(),
        once(
            lambda t, p: [
                t.do(p, do="crash", process="2"),
                t.do(p, do="corrupt", process="2", variable="parent", value="1"),
                t.do(p, do="link_down", link=["0", "1"]),
                t.do(p, do="link_up", link=["0", "1"]),
                t.do(p, do="inject", link=["0", "1"], label="Ack"),
                t.do(p, do="inject", link=["0", "1"], label="Ack"),
                Stop(),
            ]
        ),
    )
    assert [answer.accepted for answer in talk.answers] == [True, False, True, False, True, True]
    assert talk.answers[1].reason == "process 2 has crashed"
    assert talk.answers[3].reason == "another interaction in this round came first: link_down"


def test_interventions_after_an_event_are_written_and_read_back() -> None:
    done = Intervention(time=1.0, do="deliver", message=3, after=7)
    assert done.to_dict() == {"time": 1.0, "after": 7, "do": "deliver", "message": 3}
    assert Intervention.from_dict(done.to_dict()) == done
    with pytest.raises(BadInput, match="retime needs either a link or a process"):
        Intervention(time=0, do="retime", distribution="constant(1)")
