"""Failing student code: the error names file, line, process, state and event, and the trace up to it is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.experiment.experiment import Experiment, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Link, Network
from lydian.model.protocol.message import Message
from lydian.trace.timeline import Timeline
from lydian.views.words.words import brief

PAIR = Network("pair", ("a", "b"), (Link("a", "b"),), ("a",))

HEAD = '''"""A protocol that fails."""
from lydian import INIT, ANY, Message, Process, Timer, always, at_end, on, states

IDLE, BUSY = states("idle", "busy")

class Ping(Message):
    hops: int = 0

class Load(Message):
    what: object = None

class Again(Timer):
    pass

class Late(Timer):
    at: list[int] = []

class P(Process):
    state = IDLE
    missing: int = 0
    seen: list[int] = []

    @on(IDLE, INIT)
    def start(self):
        self.send(Ping(), to=self.neighbours[0])
        self.state = BUSY

'''


def fails(tmp_path: Path, body: str, tail: str = "", **more: object) -> Simulator:
    path = tmp_path / "p.py"
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    path.write_text(HEAD + indented + tail)
    experiment = Experiment(**{"name": "t", "protocol": str(path), "network": PAIR, **more})  # type: ignore[arg-type]
    simulator = Simulator(experiment)
    simulator.run()
    return simulator


RECEIVE = "@on(IDLE, Ping)\ndef got(self, m, q):\n    "


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("self.mising -= 1", "from a: P has no variable 'mising' (did you mean 'missing'?)"),
        ("m.hop", "Ping has no field 'hop' (did you mean 'hops'?); its fields are hops"),
        ("{'m': m}['m'].hop", "Ping has no field 'hop' (did you mean 'hops'?); its fields are hops"),
        ("send(Ping(), to=q)", "'send' is not known here; write self.send"),
        ("reply = 1\n    self.missing = repli", "'repli' is not known here (did you mean 'reply'?)"),
        ("self.missing = late; late = 1", "'late' has no value yet when this line is executed"),
        ("del self.missing\n    self.missing += 1", "the variable 'missing' has no value: it was deleted"),
        ("self.seen.apend(1)", "a value of type list has no 'apend' (did you mean 'append'?)"),
        ("getattr(self, 'mising')", "P has no variable 'mising' (did you mean 'missing'?)"),
        ("x = {}['nothing']", "KeyError: 'nothing'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("self.state = 'bussy'", "it goes to the unknown state 'bussy' (did you mean 'busy'?)"),
        ("self.send(Ping(), to='c')", "is not a neighbour; its neighbours are a"),
        ("self.send(Ping, to=q)", "send needs a message: write Ping(), not Ping"),
        ("self.send(3, to=q)", "send needs a message such as Ack(), not 3"),
        ("self.send(Ping(hops='x'), to=q)", "Ping.hops is declared as int, but got 'x' (str)"),
        ("m.hops = 7", "a Ping cannot be changed"),
        ("self.set_timer(Again(), after=-1)", "the time of a timer must be at least 0, not -1"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("return self.got(m, q)", "RecursionError"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class E(Exception):\n        __str__ = None\n    raise E", "got Ping from a: E"),
        ("self.state = []", "it goes to the unknown state []; the states are idle, busy"),
        ("del self.state", "it goes to the unknown state None"),
        ("self.set_timer(Late([1]), after=1)", "Late(at=[1]) contains a list, set or dict"),
        ("self.seen = self.seen\n    self.seen.append(self.seen)", "the variable 'seen' holds [[...]], which cannot"),
        ("import numpy\n    self.seen = numpy.zeros(3)", "the variable 'seen' holds array([0., 0., 0.]), which cannot"),
        ("self.seen = 10**5000", "the variable 'seen' holds <int whose repr failed: ValueError>, which cannot"),
        ("self.decide(10**5000)", "ValueError: Exceeds the limit"),
        ("self.send(Late, to=q)", "send needs a message"),
        ("self.send(Load, to=q)", "send needs a message: write Load(...), not its class"),
        ("self.send(Load('x' * 300_000_000), to=q)", "it sends a Load of 300 MB; at most 268 can be sent"),
    ],
)
def test_an_action_that_raises(tmp_path: Path, action: str, sentence: str) -> None:
    simulator = fails(tmp_path, RECEIVE + action)
    assert simulator.stopped == "error"
    assert simulator.error is not None
    assert sentence in simulator.error
    assert str(tmp_path / "p.py") in simulator.error
    assert "process b is idle and got Ping from a: " in simulator.error
    kinds = [e.kind for e in simulator.trace.events()]
    assert kinds[:2] == ["init", "send"]
    assert kinds[-1] == "error"


@pytest.mark.parametrize("more", [{}, {"network": PAIR.replace(step=parse("constant(1)"))}], ids=["at once", "busy"])
def test_a_failed_lookup_names_the_call_and_the_state_before_it(tmp_path: Path, more: dict) -> None:
    body = "self.state = BUSY\n    self.send(Ping(), to=q)\n    self.send(Ping(), to='nobody')"
    simulator = fails(tmp_path, RECEIVE + body, **more)
    assert simulator.error is not None
    assert f"p.py, line {HEAD.count(chr(10)) + 5}: process b is idle and got Ping from a: it sends" in simulator.error


@pytest.mark.parametrize("wrong", ["Ping, to=q", "Ping(hops=8), to='nobody'", "Ping(hops=8), [self.me, 8]", "7, q"])
def test_a_message_that_cannot_be_sent_is_reported_with_its_fields(tmp_path: Path, wrong: str) -> None:
    body = f"{RECEIVE}self.send(Ping(hops=7), to=q)\n@on(BUSY, Ping)\ndef more(self, m, q):\n    self.send({wrong})"
    simulator = fails(tmp_path, body)
    assert simulator.error is not None
    assert "process a is busy and got Ping(hops=7) from b: " in simulator.error


def test_a_failed_request_for_a_timer_is_reported_as_such(tmp_path: Path) -> None:
    body = f"{RECEIVE}self.set_timer(Again(), after=1)\n@on(IDLE, Again)\ndef ring(self):\n    self.send(Ping, to='a')"
    simulator = fails(tmp_path, body)
    assert simulator.error is not None
    assert "process b is idle and got the timer Again: send needs a message: write Ping(), not Ping" in (
        simulator.error
    )


def test_a_message_changed_in_transit_is_reported_as_received(tmp_path: Path) -> None:
    change = Intervention(time=0.5, do="edit", message=0, label="Ping", fields={"hops": 9})
    slow = PAIR.replace(delay=parse("constant(1)"))
    simulator = fails(tmp_path, RECEIVE + "self.send(Ping(), to='nobody')", network=slow, faults=(change,))
    assert simulator.error is not None
    assert "process b is idle and got Ping(hops=9) from a: " in simulator.error


def test_addresses_in_memory_are_not_recorded(tmp_path: Path) -> None:
    body = RECEIVE + "self.seen = iter(())"
    details = [str(e.detail) for e in fails(tmp_path, body).trace.events() if e.kind == "receive"]
    assert details == ["{'changed': {'seen': '<tuple_iterator object>'}}"]


def test_the_local_clock(tmp_path: Path) -> None:
    simulator = fails(tmp_path, RECEIVE + "self.note(self.clock)")
    assert simulator.error is None
    receive, note = (next(e for e in simulator.trace.events() if e.kind == kind) for kind in ("receive", "note"))
    assert note.detail == {"text": str(receive.time)}


def test_a_formula_is_judged_without_properties_and_open_without_a_value(tmp_path: Path) -> None:
    for formula, holds in (("1", True), ("2", False), ("n / (m - 1)", None)):
        simulator = fails(tmp_path, RECEIVE + f"pass\nmessages = '{formula}'")
        assert [(c.kind, c.holds) for c in simulator.checks()] == [("messages", holds)]


def test_the_line_of_the_failure_is_reported(tmp_path: Path) -> None:
    simulator = fails(tmp_path, RECEIVE + "pass\n    1 / 0")
    assert simulator.error is not None
    assert f"line {HEAD.count(chr(10)) + 4}:" in simulator.error


def test_an_illegal_cell(tmp_path: Path) -> None:
    simulator = fails(tmp_path, "")
    assert simulator.error is not None
    assert "process b is idle and got Ping from a: P has no @on(IDLE, Ping)" in simulator.error


def test_a_message_that_cannot_be_copied(tmp_path: Path) -> None:
    tail = "class Odd(Message):\n    what: object = None\n"
    simulator = fails(tmp_path, RECEIVE + "self.send(Odd((x for x in 'ab')), to=q)", tail)
    assert simulator.error is not None
    assert "cannot be copied into a message" in simulator.error


def test_an_endless_loop_in_an_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.engine.simulator.ACTION_SECONDS", 0.3)
    simulator = fails(tmp_path, RECEIVE + "while True: pass")
    assert simulator.error is not None
    assert "the action was stopped: it did not finish within 0.3 s; is there an endless loop?" in simulator.error


def test_an_endless_loop_that_catches_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.engine.simulator.ACTION_SECONDS", 0.3)
    body = (
        RECEIVE
        + "while True:\n        try:\n            self.missing += 1\n        except Exception:\n            pass"
    )
    simulator = fails(tmp_path, body)
    assert simulator.error is not None
    assert "endless loop" in simulator.error


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it may occur inside a gc callback
def test_an_action_that_sends_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.engine.simulator.MOST_EFFECTS", 1000)
    monkeypatch.setattr("lydian.engine.simulator.ACTION_SECONDS", 0.3)
    simulator = fails(tmp_path, RECEIVE + "while True: self.send(Ping(), to=q)")
    assert simulator.error is not None
    assert "messages in one step" in simulator.error


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("self.me = 4", "self.me is given to a process; it cannot be changed"),
        ("self.neighbours += ('x',)", "self.neighbours is given to a process; it cannot be changed"),
        ("self.clock = 4", "self.clock is given to a process; it cannot be changed"),
        (
            "P.missing = 4",
            "it changes 'missing' of all processes at once; a process changes only its own: self.missing",
        ),
        ("vars(P)['seen'].append(4)", "P.seen is not a value; each process has its own 'seen', so write self.seen"),
    ],
)
def test_shared_arguments_and_parameters_cannot_be_changed(tmp_path: Path, does: str, why: str) -> None:
    simulator = fails(tmp_path, f"{RECEIVE}{does}")
    assert simulator.error is not None
    assert simulator.error.endswith(f"line 30: process b is idle and got Ping from a: {why}")


def test_endless_messages_stop_at_the_limit(tmp_path: Path) -> None:
    body = "@on(ANY, Ping)\ndef got(self, m, q):\n    self.send(Ping(m.hops + 1), to=q)"
    simulator = fails(tmp_path, body, stop=Stop(events=500))
    assert simulator.stopped == "limit"
    assert 500 <= len(simulator.trace) <= 502


def test_a_property_that_raises_and_one_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydian.engine.simulator.ACTION_SECONDS", 0.3)
    got = RECEIVE + "pass"
    simulator = fails(tmp_path, got, '@always("all is well")\ndef well(c):\n    return c.proceses\n')
    assert simulator.error is not None
    assert "cannot be judged: a configuration has no 'proceses' (did you mean 'processes'?)" in simulator.error
    unread = "def well(c):\n    return [getattr(p, 'sen') for p in c.processes]\n"
    simulator = fails(tmp_path, got, '@always("all is well")\n' + unread)
    assert simulator.error is not None
    assert "cannot be judged: P has no variable 'sen' (did you mean 'seen'?)" in simulator.error
    under_way = "return all(m.hops < 3 for m in c.in_transit)"
    for asks, why in (
        (under_way, "a message in transit has no 'hops' itself; write m.message.hops"),
        (under_way.replace("m.hops", "getattr(m, 'hops')"),
         "a message in transit has no 'hops' itself; write .message.hops"),
        ("return c.process('77').seen", "unknown process '77'; choose from a, b"),
        ("return c.across(c.process('a'), '77').seen", "process a has no neighbour '77'"),
    ):  # fmt: skip
        simulator = fails(tmp_path, f"{RECEIVE}pass", f"\n@always('x')\ndef x(c):\n    {asks}\n")
        assert simulator.error.endswith(f"cannot be judged: {why}")
    simulator = fails(tmp_path, got, '@always("all is well")\ndef well(c):\n    while True: pass\n')
    assert simulator.error is not None
    assert "it did not finish" in simulator.error


def test_a_violated_property_names_the_event_and_can_stop_the_run(tmp_path: Path) -> None:
    tail = '@always("nobody is busy")\ndef calm(c):\n    return all(p.state != "busy" for p in c.processes)\n'
    for stop, stopped in ((Stop(), "quiescent"), (Stop(violation=True), "violation")):
        simulator = fails(tmp_path, RECEIVE + "pass", tail, stop=stop)
        assert simulator.stopped == stopped
        assert [(c.name, c.holds, c.at) for c in simulator.checks()] == [("nobody is busy", False, 0)]


def test_print_does_not_write_to_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulator = fails(tmp_path, RECEIVE + "print('hello')")
    assert capsys.readouterr() == ("", "")
    assert "prints hello" in [brief(Timeline(simulator.trace), seq) for seq in range(len(simulator.trace))]


def test_a_sender_cannot_change_a_message_in_transit(tmp_path: Path) -> None:
    tail = "class Path(Message):\n    way: list[int] = []\n"
    body = (
        "@on(IDLE, Ping)\ndef got(self, m, q):\n    self.seen.append(1)\n    self.send(Path(self.seen), to=q)\n"
        "    self.seen.append(2)\n"
        "@on(BUSY, Path)\ndef path(self, m, q):\n    self.note(str(m.way))"
    )
    # Path is used before its definition, so it is declared first
    path = tmp_path / "p.py"
    path.write_text(
        HEAD.replace("class Again", tail + "\nclass Again") + "".join(f"    {x}\n" for x in body.splitlines())
    )
    simulator = Simulator(Experiment(name="t", protocol=str(path), network=PAIR))
    simulator.run()
    assert simulator.error is None
    notes = [e.detail for e in simulator.trace.events() if e.kind == "note"]
    assert notes == [{"text": "[1]"}]
    assert issubclass(simulator.protocol.messages[0], Message)


def test_timers_restart_cancel_and_expire(tmp_path: Path) -> None:
    body = (
        "@on(IDLE, Ping)\ndef got(self, m, q):\n    self.set_timer(Again(), after=5)\n"
        "    self.set_timer(Again(), after=2)\n"
        "@on(IDLE, Again)\ndef ring(self):\n    self.missing += 1\n    self.note(f'{self.missing}')\n"
        "    if self.missing < 3:\n        self.set_timer(Again(), after=1)\n"
        "    else:\n        self.set_timer(Again(), after=1)\n        self.cancel_timer(Again)"
    )
    simulator = fails(tmp_path, body)
    assert simulator.error is None
    timers = [(e.seq, e.cause, e.label) for e in simulator.trace.events() if e.kind == "timer"]
    assert len(timers) == 3
    assert all(label == "Again" for _, _, label in timers)
    receive = next(e for e in simulator.trace.events() if e.kind == "receive")
    assert timers[0][1] == receive.seq
    assert timers[1][1] == timers[0][0]
    assert simulator.stopped == "quiescent"


def test_a_violation_found_late_in_a_large_network_is_located_exactly(tmp_path: Path) -> None:
    source = (
        "from lydian import *\nFAR, NEAR = states('far', 'near')\nclass M(Message): pass\n"
        "class P(Process):\n    state = FAR\n"
        "    @on(FAR, INIT)\n    def start(self): self.go()\n"
        "    @on(FAR, M)\n    def got(self, m, q): self.go()\n"
        "    @on(NEAR, M)\n    def late(self, m, q): pass\n"
        "    def go(self):\n        self.state = NEAR\n        for q in self.neighbours: self.send(M(), to=q)\n"
        "@always('seventeen stays far')\ndef far(c):\n    return c.process('17').state == FAR\n"
    )
    (tmp_path / "p.py").write_text(source)
    experiment = Experiment(name="t", protocol=str(tmp_path / "p.py"), network="line:600")
    simulator = Simulator(experiment)
    result = simulator.run()
    assert result.judged_every == 60
    first = next(e.seq for e in result.trace.events() if e.process == "17" and e.state == "near")
    assert [(c.holds, c.at) for c in result.checks] == [(False, first)]


def test_eventually_is_open_until_the_run_ends(tmp_path: Path) -> None:
    prop = "def busy(c):\n    return all(p.state == BUSY for p in c.processes)\n"
    for words, until, verdict in [
        ("", 0.1, None),
        (", within=50", 0.1, None),
        (", within=0.05", 0.1, False),
        ("", None, False),
    ]:
        tail = f"@eventually('all are busy'{words})\n{prop}"
        simulator = fails(tmp_path, RECEIVE + "pass", "from lydian import eventually\n" + tail, stop=Stop(until=until))
        assert [check.holds for check in simulator.checks()] == [verdict]


def test_a_protocol_without_init_waits_for_its_users(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text(
        "from lydian import *\nclass Go(Command): pass\nclass M(Message): pass\n"
        "class P(Process):\n    @on(ANY, Go)\n    def go(self):\n        self.send(M(), to=self.neighbours[0])\n"
        "    @on(ANY, M)\n    def got(self): pass\n"
    )
    work = (Intervention(time=1.0, do="command", process="b", label="Go"),)
    result = Simulator(Experiment(name="t", protocol=str(tmp_path / "p.py"), network=PAIR, workload=work)).run()
    assert [e.kind for e in result.trace.events()] == ["command", "send", "receive"]
