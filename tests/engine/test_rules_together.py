"""Guarded actions together with messages, timers, faults and users."""

from __future__ import annotations

from typing import Any

import pytest

from lydian.engine.simulator import Simulator
from lydian.engine.wire import Pending
from lydian.engine.wire import Stop as End
from lydian.model.delays import parse
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Stop
from lydian.model.interventions import Intervention as Do
from lydian.model.network import Link, Network
from tests.engine.rulebook import COLOURING, K_STATE_RING, resolved, simulator
from tests.engine.test_feedback import Talk

COPIES = '''
"""Copies: everybody shows the largest number it sees; messages and timers change it."""
from lydian import INIT, Message, Process, Timer, on, states, when

IDLE, BUSY = states("idle", "busy")


class More(Message):
    by: int = 1


class Tick(Timer):
    pass


class Copies(Process):
    state = IDLE
    shown: int = 0
    log: list = []

    def behind(self):
        return any(self.see(q).shown > self.shown for q in self.neighbours)

    @on(IDLE, INIT)
    def start(self):
        self.state = BUSY
        self.shown = 1
        self.set_timer(Tick(), after=10.0)

    @on(BUSY, Tick)
    def tick(self):
        self.state = IDLE
        self.send(More(5), to=self.neighbours[0])

    @on((IDLE, BUSY), More)
    def grow(self, m):
        self.shown += m.by

    @when(behind)
    def take_over(self):
        """It takes over the largest number that it sees."""
        self.shown = max(self.see(q).shown for q in self.neighbours)
        self.log.append(self.shown)
        if self.shown == 6:
            self.note("six")
'''


def told(run: Simulator) -> list[tuple[Any, ...]]:
    return [(e.time, e.kind, e.process, e.label, e.cause, e.lamport, e.chain) for e in run.trace.events()]


def test_messages_timers_and_rules_work_together() -> None:
    run = simulator(COPIES, line(3), daemon=Daemon("round-robin"))
    assert run.run().stopped == "quiescent"
    assert told(run) == [
        (0.0, "init", "0", None, None, 1, 0),
        (0.0, "timer_set", "0", "Tick", 0, 1, 0),
        (1.0, "rule", "1", "take_over", 0, 2, 0),
        (2.0, "rule", "2", "take_over", 2, 3, 0),
        (10.0, "timer", "0", "Tick", 0, 2, 0),
        (10.0, "send", "0", "More", 4, 3, 0),
        (11.0, "receive", "1", "More", 5, 4, 1),
        (12.0, "rule", "0", "take_over", 6, 5, 1),
        (12.0, "note", "0", None, 7, 6, 1),
        (13.0, "rule", "2", "take_over", 6, 5, 1),
        (13.0, "note", "2", None, 9, 6, 1),
    ]
    assert [p.log for p in run.processes] == [[6], [1], [1, 6]]


def line(n: int) -> Network:
    links = tuple(Link(str(i), str(i + 1)) for i in range(n - 1))
    return Network("line", tuple(map(str, range(n))), links, ("0",), delay=parse("constant(1)"))


def test_a_simultaneous_step_reads_the_old_lists() -> None:
    source = """
from lydian import Process, when


class Lists(Process):
    seen: list = []

    @when(lambda self: len(self.seen) < 3)
    def grow(self):
        self.seen.append(sum(len(self.see(q).seen) for q in self.neighbours))
        self.see(self.neighbours[0]).seen.append(99)
"""
    run = simulator(source, line(3), daemon=Daemon("synchronous"))
    result = run.run()
    assert result.error is None
    assert [p.seen for p in run.processes] == [[0, 1, 2], [0, 2, 4], [0, 1, 2]]


def test_a_crashed_process_never_moves_but_stays_visible() -> None:
    run = simulator(COPIES, line(3), faults=(Do(0.5, "crash", "0"), Do(1.5, "crash", "1"), Do(5.0, "recover", "1")))
    run.run()
    moved = [(e.time, e.process) for e in run.trace.events() if e.kind == "rule"]
    assert moved == [(1.0, "1"), (2.0, "2")]
    early = simulator(COPIES, line(3), faults=(Do(0.5, "crash", "1"), Do(5.0, "recover", "1")))
    early.run()
    assert [(e.time, e.process) for e in early.trace.events() if e.kind == "rule"][:2] == [(6.0, "1"), (7.0, "2")]


def test_corruption_is_detected() -> None:
    faults = (Do(5.5, "corrupt", "2", variable="shown", value=4), Do(20.0, "scramble", "0", seed=3))
    run = simulator(COPIES, line(3), faults=faults)
    run.run()
    events = list(run.trace.events())
    struck = next(e for e in events if e.kind == "corrupt")
    after = next(e for e in events if e.kind == "rule" and e.seq > struck.seq)
    assert (after.process, after.cause) == ("1", struck.seq)
    assert not run.configuration.enabled


def test_across_a_broken_link_the_last_value_remains_visible() -> None:
    faults = (Do(1.5, "link_down", link=("1", "2")), Do(30.0, "link_up", link=("1", "2")))
    run = simulator(COPIES, line(3), faults=faults)
    run.run()
    seen = [(e.time, e.process) for e in run.trace.events() if e.kind == "rule"]
    assert seen[:2] == [(1.0, "1"), (2.0, "2")], "it goes on with what it saw: 1"
    assert [p.shown for p in run.processes] == [6, 6, 6]
    assert seen[-1] == (31.0, "2"), "the six is seen when the link is back"


def test_the_daemon_does_not_move_a_controlled_process() -> None:
    done = (Do(0.5, "take_over", "1"), Do(6.0, "release", "1"))
    run = simulator(COPIES, line(3), interventions=done)
    run.run()
    assert [(e.time, e.process) for e in run.trace.events() if e.kind == "rule"][:2] == [(7.0, "1"), (8.0, "2")]


def test_the_experiment_can_fire_a_rule() -> None:
    fired = (Do(3.0, "fire", "0", label="step"), Do(4.0, "fire", "1", label="copy"), Do(5.0, "fire", "3", label="copy"))
    run = simulator(K_STATE_RING, "ring:4", daemon=Daemon("user"), interventions=fired)
    result = run.run()
    assert [(e.time, e.process, e.label, e.cause) for e in run.trace.events()] == [
        (3.0, "0", "step", None), (4.0, "1", "copy", 0),
    ], "the last one was not enabled"  # fmt: skip
    assert result.stopped == "until"


def live(turn: Any, daemon: str = "user", **wanted: Any) -> Talk:
    from lydian.model.network.netfile import to_dict

    made = resolved(K_STATE_RING, "ring:4", daemon=Daemon(daemon), start=Start(any=True), seed=5)
    network = made.network
    experiment = made.experiment.with_(protocol=str(LIVE), network=network)
    assert to_dict(network)
    return Talk(experiment, turn, round_events=1, pending=50, **wanted)


@pytest.fixture(autouse=True)
def _file(tmp_path_factory: pytest.TempPathFactory) -> None:
    global LIVE
    LIVE = tmp_path_factory.mktemp("rules") / "rules.py"
    LIVE.write_text(K_STATE_RING)


LIVE: Any = None


def test_enabled_rules_are_pending_and_fired_rules_replay() -> None:
    cards: list[list[dict[str, Any]]] = []

    def turn(talk: Talk, pending: Pending) -> list[Any]:
        cards.append(list(pending.events))
        if len(cards) > 12:
            return [End()]
        return [talk.do(pending, **pending.events[-1]["choose"])]

    talk = live(turn)
    assert talk.code == 0
    assert all(answer.accepted for answer in talk.answers), talk.answers
    first = cards[0]
    assert {each["kind"] for each in first} == {"rule"}
    assert first[0]["choose"] == {"do": "fire", "process": first[0]["process"], "label": first[0]["label"]}
    result = next(frame for frame in talk.said if type(frame).__name__ == "Result")
    assert len(result.experiment["interventions"]) == 12

    from lydian.model.experiment.experiment import from_dict

    again = Simulator(from_dict(result.experiment)).run()
    assert again.fingerprint == result.result["fingerprint"]
    assert again.events == 16 and again.stopped == "until"  # four at the start, twelve by the user


def test_a_daemon_and_a_user_together_replay() -> None:
    turns = 0

    def turn(talk: Talk, pending: Pending) -> list[Any]:
        nonlocal turns
        turns += 1
        from lydian.engine.wire import Pace

        if turns > 8:
            return [End()]
        rules = [each for each in pending.events if each["kind"] == "rule"]
        return [talk.do(pending, **rules[0]["choose"]), Pace(pending.round + 1)]

    talk = live(turn, "distributed", to=0, linger=True)
    result = next(frame for frame in talk.said if type(frame).__name__ == "Result")
    from lydian.model.experiment.experiment import from_dict

    experiment = from_dict(result.experiment)
    again = Simulator(experiment.with_(stop=Stop(events=result.result["events"])))
    again.run()
    events = result.result["events"]
    assert told(again)[:events] == told(talk.feedback.simulator)[:events] and events > 12


def test_the_reason_why_a_rule_cannot_be_fired() -> None:
    asked: list[Any] = []

    def turn(talk: Talk, pending: Pending) -> list[Any]:
        if asked:
            return [End()]
        asked.append(pending)
        some = pending.events[0]["choose"]
        return [
            talk.do(pending, do="fire", process="2", label="step"),
            talk.do(pending, do="fire", process="1", label="jump"),
            talk.do(pending, do="fire", process="1"),
            talk.do(pending, **some),
            talk.do(pending, **some),
        ]

    reasons = [answer.reason for answer in live(turn).answers]
    assert reasons[0] == 'what: fire needs label; write, for example, label = "move"'
    assert reasons[1] == "the rule step of process 2 is not enabled"
    assert (
        "unknown rule 'jump'" in reasons[2]
        and reasons[3] == ""
        and reasons[4] == "another interaction in this round came first: fire"
    )


def test_arbitrary_initial_configurations_work_for_messages_too() -> None:
    source = """
from lydian import ANY, INIT, Message, Process, on, states, variable

A, B = states("a", "b")


class Hello(Message):
    pass


class Hi(Process):
    state = A
    colour: str = variable("red", choices=("red", "green"))
    level: float = variable(0.5, minimum=0, maximum="n / 2")
    parent: str | None = None

    @on(ANY, INIT)
    def start(self):
        self.send(Hello(), to=self.neighbours[0])

    @on(ANY, Hello)
    def hear(self):
        self.state = B
"""
    start = Start(any=True, processes={"1": {"state": "b", "colour": "green"}})
    run = simulator(source, line(4), start=start)
    result = run.run()
    first = [e for e in run.trace.events() if e.kind == "corrupt"]
    assert [e.process for e in first] == ["0", "1", "2", "3"] and {e.time for e in first} == {0.0}
    assert all(e.detail and e.detail["start"] for e in first)
    assert first[1].state == "b" and result.error is None
    for p in run.processes:
        assert p.colour in ("red", "green") and 0 <= p.level <= 2
    assert run.processes[1].colour == "green"
    values = {simulator(source, line(4), start=start, seed=s).run().fingerprint for s in range(4)}
    assert len(values) > 1


def test_a_formula_is_not_judged_from_a_different_start() -> None:
    run = simulator(COLOURING, "ring:4", start=Start(processes={"0": {"colour": 3}}))
    result = run.run()
    assert [check.kind for check in result.checks] == ["at_end"] and result.checks[0].holds


def test_traces_of_simultaneous_steps_keep_their_verdicts() -> None:
    from lydian.batch.replay import judge_trace

    source = (
        COLOURING
        + """

from lydian import always


@always("both of two move alike")
def alike(c):
    return len({p.moves for p in c.processes}) == 1
"""
    )
    run = simulator(source, line(2), daemon=Daemon("synchronous"), stop=Stop(until=5.0))
    result = run.run()
    assert {check.name: check.holds for check in result.checks}["both of two move alike"] is True
    assert [each["holds"] for each in judge_trace(result.trace, run.protocol)] == [c.holds for c in result.checks]
