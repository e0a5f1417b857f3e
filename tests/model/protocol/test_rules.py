"""Guarded actions in a protocol file: notation, derived data, refusals."""

from __future__ import annotations

from typing import Any

import pytest

import lydian
from lydian.authoring.complete import complete
from lydian.engine.setup import make_processes
from lydian.engine.simulator import Simulator
from lydian.model.delays import parse
from lydian.model.errors import BadInput, ProtocolError
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import loads
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network
from lydian.model.protocol.protocol import Protocol, protocol_from_source
from lydian.model.source.outline import outline
from lydian.model.source.problems import problems
from tests.engine.rulebook import COLOURING, K_STATE_RING, simulator

TWO_STATES = '''
"""Rest: with states."""
from lydian import Process, states, when

IDLE, WILD = states("idle", "wild")


class Rest(Process):
    state = IDLE
    heat: int = 3

    @when(lambda self: self.heat > 0, state=IDLE)
    def wake(self):
        """It gets up."""
        self.state = WILD

    @when(lambda self: True, state=WILD)
    def cool(self):
        self.heat -= 1
        self.state = IDLE
'''


def loaded(source: str) -> Protocol:
    return protocol_from_source(source, name="mine")


def changed(old: str, new: str, source: str = K_STATE_RING) -> str:
    assert old in source
    return source.replace(old, new)


def test_rules_are_columns_of_the_derived_table() -> None:
    protocol = loaded(TWO_STATES)
    assert protocol.table.events == protocol.table.rules == ("when wake", "when cool")
    assert protocol.table.kind("when wake") == "rule" and protocol.table.kind("INIT") == "event"
    assert list(protocol.table.edges()) == [("idle", "wild", "when wake"), ("wild", "idle", "when cool")]
    assert protocol.table.get("wild", "when wake") is None
    assert protocol.labels == ("wake", "cool") and [rule.name for rule in protocol.rules] == ["wake", "cool"]


def test_rules_of_states_run() -> None:
    run = simulator(TWO_STATES, "line:2")
    assert run.run().stopped == "quiescent"
    assert [e.state for e in run.trace.events() if e.process == "0"] == ["wild", "idle"] * 3


def test_a_guard_of_a_base_class_may_be_overridden() -> None:
    source = K_STATE_RING.replace("class Ring(", "class Base(").replace(
        '@always("somebody', 'class Ring(Base):\n    def follows(self):\n        return False\n\n\n@always("somebody'
    )
    run = simulator(source, "ring:4", text="[stop]\nevents = 9")
    assert {e.label for e in (run.run().trace or run.trace).events()} == {"step"}


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (changed("return not self.initiator", "self.count = 2\n        return not self.initiator"),
         "a guard must only read, but this changes self.count"),
        (changed("return not self.initiator", "return self.random.random() < 1"), "this uses random choices"),
        (changed("return self.initiator and", "return self.clock > 3 and"), "this reads the clock, which advances"),
        (changed("return self.initiator and", "self.note('x')\n        return self.initiator and"), "this notes"),
        (changed("@when(leads)", "@when(leads, state='gone')\n    @when(lambda self: self.helper())").replace(
            "    @when(follows)", "    def helper(self):\n        self.count += 1\n\n    @when(follows)"),
         "this changes"),
        (changed("@when(leads)", "@when(3)"), "@when needs a guard"),
        (changed("@when(leads)", "@when"), "@when needs a guard"),
        (changed("def leads(self)", "def leads(self, q)"), "must take (self)"),
        (changed("def step(self)", "def step(self, m)"), "must take (self)"),
        (changed("def copy(self)", "def step(self)"), "two actions are called 'step'"),
        (changed('maximum="k - 1"', 'maximum="z - 1"'), "uses 'z'"),
        (changed("variable(0, minimum=0", "variable(0, minimum=3"), "the initial value must be at least 3, not 0"),
        (TWO_STATES.replace("state=WILD)", "state='mild')"), "unknown state 'mild' (did you mean 'wild'?)"),
    ],
)  # fmt: skip
def test_impossible_rules_are_refused_and_reported_during_typing(source: str, sentence: str) -> None:
    with pytest.raises(ProtocolError) as error:
        loaded(source)
    assert sentence in str(error.value)
    said = [each.sentence for each in problems(source) if each.kind == "error"]
    assert any(sentence in each for each in said), said


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (changed("self.see(self.left).count\n\n\n@always", "self.see(self.left).cuont\n\n\n@always"),
         "a neighbour has no variable 'cuont' (did you mean 'count'?); the visible ones are state, count"),
        (changed("self.count = (self.count + 1) % self.k", "self.see(self.left).count = 1"),
         "a process may read its neighbours but change only itself"),
        (changed("self.see(self.left).count\n\n    def follows", 'self.see("7").count\n\n    def follows'),
         "it looks at '7', which is not a neighbour; it can read 1, 3"),
        (changed("self.see(self.left).count\n\n    def follows", "1 // 0\n\n    def follows"), "ZeroDivisionError"),
        (changed("return not self.initiator", "while True: pass\n        return not self.initiator"), "endless loop"),
        (changed("self.count = (self.count + 1) % self.k", "self.send(3, to=self.left)"), "send needs a message"),
        (K_STATE_RING.replace("count: int = variable(", "log: list = []\n    count: int = variable(").replace(
            "return self.initiator and", "self.log.append(1)\n        return self.initiator and"),
         "a guard must only read, but this one changes something"),
        (COLOURING.replace("self.moves += 1", "self.state = 'gone'"), "unknown state 'gone'"),
    ],
)  # fmt: skip
def test_failures_at_run_time_are_contained_and_reported(source: str, sentence: str) -> None:
    made = simulator(source, "ring:4", text="[stop]\nuntil = 20.0")
    made._action_seconds = 0.3
    result = made.run()
    assert result.stopped == "error" and result.error is not None
    assert sentence in result.error and ("rule" in result.error), result.error
    last = list(made.trace.events())[-1]
    assert last.kind == "error" and (last.detail or {})["line"] is not None


def test_see_is_not_available_to_message_passing_protocols() -> None:
    source = """
from lydian import INIT, Process, on


class Peeps(Process):
    @on("active", INIT)
    def start(self):
        self.note(self.see(self.neighbours[0]).state)
"""
    result = simulator(source, "ring:4").run()
    assert result.error is not None and "see is for guarded actions (@when)" in result.error
    assert any("see is for guarded actions" in each.sentence for each in problems(source))


def test_left_and_right_have_one_orientation() -> None:
    def sides(network: Network) -> list[tuple[Any, Any]]:
        made = make_processes(loaded(K_STATE_RING), network, {"k": 5}, None)
        return [(p.left, p.right) for p in made]

    assert sides(from_spec("ring:4")) == [("3", "1"), ("0", "2"), ("1", "3"), ("2", "0")]
    delay = parse("constant(1)")
    one_way = Network("r", ("a", "b", "c"), tuple(Link(a, b, directed=True) for a, b in ("ac", "cb", "ba")), ("a",),
                      delay=delay)  # fmt: skip
    assert sides(one_way) == [("b", "c"), ("c", "a"), ("a", "b")]
    run = simulator(K_STATE_RING, one_way, text="[stop]\nuntil = 9.0")
    assert run.run().error is None and {e.process for e in run.trace.events()} == {"a", "b", "c"}
    path = make_processes(loaded(K_STATE_RING), from_spec("line:3"), {"k": 5}, None)
    with pytest.raises(BaseException, match="left is for rings, and the network is not one"):
        _ = path[0].left


def test_an_anonymous_ring_names_its_neighbours_by_ports() -> None:
    from dataclasses import replace

    ring = replace(from_spec("ring:5"), anonymous=True, initiators=("0",))
    run = simulator(K_STATE_RING, ring, text='start = "any"\n[stop]\nuntil = 40.0')
    result = run.run()
    assert result.error is None and all(check.holds for check in result.checks)


def test_variables_shadow_words_of_the_language() -> None:
    source = """
from lydian import INIT, Process, on


class Tree(Process):
    left: int = 1
    enabled: bool = True

    @on("active", INIT)
    def start(self):
        self.left += 1
        self.enabled = False
"""
    run = simulator(source, "ring:4")
    assert run.run().error is None and run.processes[0].left == 2 and not problems(source)


def test_the_outline_includes_rules() -> None:
    told = outline(K_STATE_RING)
    assert told.events == ("when step", "when copy")
    assert next((rule.name, rule.guard, rule.doc) for rule in told.rules) == ("step", "leads", "The leader adds one.")
    assert told.cell("active", "when copy").function == "copy"
    assert [(v.name, v.type, v.initial) for v in told.variables] == [("count", "int", "0")]
    assert problems(K_STATE_RING) == () == problems(COLOURING) == problems(TWO_STATES)


def test_completion_suggests_visible_variables() -> None:
    lines = K_STATE_RING.split("\n")
    at = next(i for i, text in enumerate(lines) if text.endswith("self.count = self.see(self.left).count"))

    def at_end(text: str) -> list[str]:
        return [c.text for c in complete("\n".join([*lines[:at], text, *lines[at + 1 :]]), at + 1, len(text))]

    assert at_end("        self.count = self.see(self.left).") == ["state", "count"]
    assert "see" in at_end("        self.s") and {"left", "initiator"} <= set(at_end("        self."))
    assert "when" in at_end("    @")
    assert "see" not in [c.text for c in complete("class P(Process):\n  def f(self):\n    self.", 3, 9)]
    assert {"when", "variable"} <= set(lydian.__all__)


def test_reading_a_bare_name_is_explained() -> None:
    source = COLOURING.replace("{self.see(q).colour for", "{q.colour for")
    assert any("write self.see(q).colour" in each.sentence for each in problems(source))


FILE = """name = "ring"
protocol = "ring"
network = "ring:4"
{}
"""


@pytest.mark.parametrize(
    ("text", "daemon", "start"),
    [
        ("", Daemon(), Start()),
        ('daemon = "central"', Daemon(), Start()),
        ('daemon = "synchronous"\nstart = "any"', Daemon("synchronous"), Start(any=True)),
        ('[daemon]\nkind = "distributed"\np = 0.25\nstep = "uniform(1, 2)"\n[start]\nany = true\nseed = 4',
         Daemon("distributed", parse("uniform(1, 2)"), 0.25), Start(any=True, seed=4)),
        ('[start.processes.3]\ncount = 4\nstate = "active"', Daemon(),
         Start(processes={"3": {"count": 4, "state": "active"}})),
    ],
)  # fmt: skip
def test_daemon_and_start_are_read_and_written(text: str, daemon: Daemon, start: Start) -> None:
    experiment = loads(FILE.format(text))
    assert (experiment.daemon, experiment.start) == (daemon, start)
    assert loads(experiment.to_toml()) == experiment
    assert ("daemon" in experiment.to_toml()) is (daemon != Daemon())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('daemon = "centrl"', "daemon: unknown daemon 'centrl' (did you mean 'central'?)"),
        ("daemon = 3", "daemon: must be the name of a daemon"),
        ("[daemon]\np = 0.0", "daemon.p: must be a probability above 0"),
        ("[daemon]\nstep = 'constant(0)'", "daemon.step: must take some time"),
        ("[daemon]\nkid = 'central'", "daemon: unknown key 'kid' (did you mean 'kind'?)"),
        ('start = "all"', "start: must be \"any\" or a table, not 'all'"),
        ("[start.processes]\n3 = 4", "start.processes: 3 must be a table of variables"),
    ],
)
def test_invalid_daemons_and_starts(text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as error:
        loads(FILE.format(text), file="x.toml")
    assert f"x.toml, {sentence}" in str(error.value)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"9": {"count": 1}}, "unknown process '9'"),
        ({"1": {"cuont": 1}}, "Ring has no variable 'cuont' (did you mean 'count'?)"),
        ({"1": {"count": "x"}}, "it is declared as int, not 'x'"),
        ({"1": {"state": "gone"}}, "unknown state 'gone'; choose from active"),
    ],
)
def test_a_start_that_does_not_match_the_protocol(values: Any, sentence: str) -> None:
    with pytest.raises(BadInput, match=r"start\.processes") as error:
        Start(processes=values).check(from_spec("ring:4"), loaded(K_STATE_RING))
    assert sentence in str(error.value)


def test_a_daemon_needs_rules() -> None:
    with pytest.raises(BadInput, match="has no guarded actions"):
        Simulator(loads('protocol = "echo"\nnetwork = "ring:4"\ndaemon = "synchronous"'))
