"""Byzantine processes: their messages differ from the truth in every protocol, and no other process is affected."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydian.batch.replay import judge_trace
from lydian.batch.sweep.drawn import DrawnFaults
from lydian.engine.explorer.search import Explorer
from lydian.engine.faults.lies import Lies, groups_of
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import Archive
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.interventions import HOWS, Intervention
from lydian.model.protocol.message import accepted_types
from lydian.model.protocol.protocol import Protocol, protocol_from_source
from lydian.model.source.problems import problems
from lydian.trace.events import Event
from tests.archive.ran import of_each_protocol

ROOT = Path(__file__).resolve().parents[3]
ARCHIVE = Archive(None, ROOT)
WAYS = tuple(HOWS)

TALK = '''"""Talk: everybody tells everybody something of every type, three times."""
from lydian import INIT, Message, Process, always, at_end, on, parameter, states

TALKING, = states("talking")
YES, NO = "yes", "no"

class Say(Message):
    who: str
    number: int
    share: float
    sure: bool
    word: str
    best: str | None = None
    path: tuple[str, ...] = ()
    pair: tuple[int, str] = (0, "0")
    table: dict = {}
    left: int = 3

class Bye(Message):
    """Says nothing more."""

class Talk(Process):
    state = TALKING
    heard: int = 0

    def tell(self, left):
        for q in self.neighbours:
            self.send(Say(self.me, int(self.me), 0.5, True, YES, None, (self.me,), (1, self.me), {"0": 1}, left), to=q)

    @on(TALKING, INIT)
    def start(self):
        self.tell(3)

    @on(TALKING, Say)
    def hear(self, m, q):
        self.heard += 1
        if m.left == 3 and q == "0" and m.sure:
            self.tell(1)
        else:
            self.send(Bye(), to=q)

    @on(TALKING, Bye)
    def end(self):
        pass

@always("the faulty are known")
def known(c):
    return all(p.faulty == (p not in c.correct) for p in c.processes)

@at_end("there are three correct ones, and 2 is not one of them")
def correct(c):
    return [p.me for p in c.correct] == ["0", "1", "3"] and c.process("2").faulty
'''


def talk() -> Protocol:
    return protocol_from_source(TALK, name="talk", path=None)


def run(how: str | None, *more: Intervention, seed: int = 1, source: str = TALK) -> tuple[Simulator, list[Event]]:
    """Run four processes that exchange messages, of which 2 is Byzantine."""
    faults = () if how is None else (Intervention(0.0, "byzantine", process="2", how=how),)
    everything = (*faults, *more)
    resolved = Experiment(
        "t", protocol="echo", network="complete:4", seed=seed, faults=everything, breaks=("all",)
    ).resolve()
    protocol = protocol_from_source(source, name="talk", path=None)
    simulator = Simulator(replace(resolved, protocol=protocol, parameters={}))
    simulator.run()
    return simulator, list(simulator.trace.events())


def detail(event: Event) -> dict[str, Any]:
    return event.detail or {}


@pytest.mark.parametrize("how", WAYS)
def test_the_same_seed_gives_the_same_lies_and_only_the_liar_lies(how: str) -> None:
    simulator, events = run(how)
    again, _ = run(how)
    other, _ = run(how, seed=2)
    assert simulator.error is None
    assert simulator.trace.fingerprint() == again.trace.fingerprint() != other.trace.fingerprint()
    assert [detail(e) for e in events] == [detail(e) for e in again.trace.events()]
    at_work = [e for e in events if detail(e).keys() & {"byzantine", "lied", "babbled", "mute"}]
    assert {e.process for e in at_work} == {"2"}
    first = events[0]
    assert (first.kind, first.process, detail(first)["byzantine"]) == ("corrupt", "2", how)
    sent = [e for e in events if e.kind == "send" and e.process == "2"]
    if how == "mute":
        assert not sent
        assert sum("mute" in detail(e) for e in events) >= 3
    else:
        assert any("lied" in detail(e) for e in sent)
    assert any("babbled" in detail(e) for e in sent) is (how == "babble")


def test_lies_have_the_declared_types_and_the_truth_is_recorded_too() -> None:
    _, events = run("lie")
    _, honest = run(None)
    truth = {e.peer: detail(e)["fields"] for e in honest if e.kind == "send" and e.process == "2" and e.label == "Say"}
    cls: Any = talk().event_class("Say")
    first = [e for e in events if e.kind == "send" and e.process == "2" and e.label == "Say"]
    assert first
    stories = {str(detail(e)["fields"]) for e in first if e.time == first[0].time}
    assert len(stories) == 1  # one lie for all receivers of the same message
    for e in first:
        said, lied = detail(e)["fields"], detail(e)["lied"]
        assert lied
        message = cls._from_file(said)
        for name in cls._fields:
            kinds = accepted_types(cls._types[name])
            assert kinds is None or isinstance(getattr(message, name), kinds)
        assert all(said.get(name) != value for name, value in lied.items())
        if e.time == first[0].time:
            assert {**said, **lied}.items() >= truth[e.peer].items()
    words = {detail(e)["fields"]["word"] for e in first} | {detail(e)["fields"]["who"] for e in first}
    assert words <= {"yes", "no", "0", "1", "2", "3"}


def test_different_receivers_get_consistent_lies() -> None:
    _, events = run("two-faced")
    lied = {e.peer for e in events if e.kind == "send" and e.process == "2" and "lied" in detail(e)}
    told = {e.peer for e in events if e.kind == "send" and e.process == "2" and e.label == "Say"}
    assert lied
    assert told - lied
    for e in events:
        if e.kind == "send" and e.process == "2" and e.label == "Say":
            assert ("lied" in detail(e)) is (e.peer in lied)


def test_the_draws_of_other_processes_are_unchanged() -> None:
    """The delays of every link between honest processes equal those of the honest run."""
    silent, events = run("mute")
    _, honest = run(None)

    def delays(some: list[Event]) -> dict[tuple[str | None, str | None], list[float]]:
        sent = {e.message: e.time for e in some if e.kind == "send"}
        found: dict[tuple[str | None, str | None], list[float]] = {}
        for e in sorted((e for e in some if e.kind == "receive" and e.message in sent), key=lambda e: e.message or 0):
            found.setdefault((e.peer, e.process), []).append(e.time - sent[e.message])
        return found

    before, now = delays(honest), delays(events)
    shared = [pair for pair in now if pair in before and "2" not in pair]
    assert shared
    for pair in shared:
        few = min(len(before[pair]), len(now[pair]))
        assert now[pair][:few] == pytest.approx(before[pair][:few])
    assert silent.error is None


def test_a_liar_can_become_honest_again() -> None:
    simulator, events = run("lie", Intervention(0.5, "honest", process="2"))
    end = next(e.seq for e in events if "byzantine" in detail(e) and detail(e)["byzantine"] is None)
    assert not any("lied" in detail(e) for e in events[end:])
    assert any(e.kind == "send" and e.process == "2" for e in events[end:])
    assert {check.name: check.holds for check in simulator.checks()} == {
        "the faulty are known": True, "there are three correct ones, and 2 is not one of them": True,
    }  # fmt: skip


def test_properties_see_faulty_processes_also_in_a_replayed_trace() -> None:
    simulator, _ = run("lie")
    assert all(check.holds for check in simulator.checks())
    assert all(check["holds"] for check in judge_trace(simulator.trace))
    crashed, _ = run(None, Intervention(0.1, "crash", process="2"), Intervention(0.2, "recover", process="2"))
    assert all(check.holds for check in crashed.checks())
    honest, _ = run(None)
    assert [check.holds for check in honest.checks()] == [True, False]


def test_a_protocol_cannot_see_who_is_faulty() -> None:
    simulator, _ = run("lie", source=TALK.replace("self.heard += 1", "self.heard += self.faulty"))
    assert simulator.error is not None
    assert "faulty is for properties; no process can know which processes are faulty" in simulator.error


def test_lying_survives_a_crash_and_slow_steps() -> None:
    simulator, events = run(
        "lie", Intervention(0.2, "crash", process="2"), Intervention(0.4, "recover", process="2"),
        Intervention(0.0, "retime", process="2", distribution="constant(0.3)"),
    )  # fmt: skip
    assert simulator.error is None
    recovered = next(e.seq for e in events if e.kind == "recover")
    assert any("lied" in detail(e) for e in events[recovered:])


# ---------------------------------------------------------------------- guarded actions

MAXIMUM = '''"""Maximum: everybody takes the largest number it sees."""
from lydian import Process, at_end, variable, when

class Maximum(Process):
    x: int = variable(0, minimum=0, maximum=9)

    def smaller(self):
        return any(self.see(q).x > self.x for q in self.neighbours)

    @when(smaller)
    def grow(self):
        self.x = max(self.see(q).x for q in self.neighbours)

@at_end("nobody but 1 had a number of its own")
def agreed(c):
    return len({p.x for p in c.correct}) == 1
'''


@pytest.mark.parametrize("how", WAYS)
def test_neighbours_see_the_values_that_a_liar_shows(how: str, tmp_path: Path) -> None:
    faults = (
        Intervention(0.0, "byzantine", process="2", how=how),
        Intervention(3.0, "link_down", link=("2", "3")),
        Intervention(30.0, "corrupt", process="2", variable="x", value=9),
        Intervention(60.0, "honest", process="2"),
        Intervention(61.0, "link_up", link=("2", "3")),
    )
    (tmp_path / "maximum.py").write_text(MAXIMUM)
    protocol = str(tmp_path / "maximum.py")
    simulator = Simulator(Experiment("t", protocol=protocol, network="ring:5", seed=2, faults=faults))
    result = simulator.run()
    events = list(simulator.trace.events())
    found: list[Any] = list(simulator.processes)
    assert (result.stopped, result.error) == ("quiescent", None)
    shown = [detail(e) for e in events if "shown" in detail(e)]
    assert bool(shown) is (how != "mute")
    assert all(0 <= each["shown"].get("x", 0) <= 9 for each in shown)
    if how == "mute":  # they see the old value until it is honest
        moved = [e for e in events if e.kind == "rule"]
        assert moved
        assert min(e.time for e in moved) > 60.0
    assert {p.x for p in found} == {9}  # finally it is honest, and its number is the largest


# ---------------------------------------------------------------------- every protocol of the archive


@cache
def resolved_experiment(name: str) -> Resolved:
    return ARCHIVE.experiment(name).resolve(ARCHIVE)


@pytest.mark.parametrize("shown", of_each_protocol().values())
@settings(max_examples=3, deadline=None)
@given(how=st.sampled_from(WAYS), which=st.integers(0, 50), seed=st.integers(0, 999))
def test_any_protocol_may_contain_a_liar(shown: str, how: str, which: int, seed: int) -> None:
    """It fails as any protocol does, in an action or a property, and never in the engine."""
    resolved = resolved_experiment(shown)
    experiment = resolved.experiment
    names = resolved.network.processes
    fault = Intervention(0.0, "byzantine", process=names[which % len(names)], how=how)
    experiment = experiment.with_(faults=(*experiment.faults, fault), seed=seed, branches=())
    resolved = replace(resolved, experiment=experiment)
    simulator = Simulator(resolved, limit=600)
    result = simulator.run()
    assert result.stopped in ("quiescent", "limit", "until", "error", "violation")
    if result.error is not None:
        assert str(resolved.protocol.file) in result.error


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from([
    (7, "int"), (0.5, "float"), (True, "bool"), ("2", "str"), ("yes", "str"), (None, "str | None"),
    (("1", "2"), "tuple[str, ...]"), ({1, 2}, "set[int]"), ([1, [2]], "list"), ({"0": 1}, "dict[str, int]"),
    ((1, "0"), "tuple[int, str]"), (b"x", "bytes"),
]))  # fmt: skip
def test_a_lie_keeps_its_type(seed: int, kind: tuple[Any, str]) -> None:
    import random

    value, text = kind
    protocol = talk()
    names = ("0", "1", "2", "3")
    lies = Lies(random.Random(seed), groups_of(protocol, names), names, 4)
    cls: Any = protocol.event_class("Say")
    for _ in range(5):
        other = lies.other(value, text, (cls, "word"))
        kinds = accepted_types(text)
        assert kinds is not None
        assert isinstance(other, kinds)
        assert type(other) is type(value) or value is None
        if text in ("int", "bool", "str"):
            assert other != value


# ---------------------------------------------------------------------- errors and refusals


def test_an_unknown_way_of_lying_is_an_error() -> None:
    with pytest.raises(BadInput, match="unknown Byzantine behaviour 'lies' \\(did you mean 'lie'\\?\\)"):
        Intervention.from_dict({"time": 0.0, "do": "byzantine", "process": "3", "how": "lies"})
    with pytest.raises(BadInput, match="byzantine needs process"):
        Intervention.from_dict({"time": 0.0, "do": "byzantine"})
    with pytest.raises(BadInput, match="how: unknown key how of crash"):
        Intervention.from_dict({"time": 0.0, "do": "crash", "process": "3", "how": "lie"})
    both = Intervention.from_dict({"time": 0.0, "do": "byzantine", "process": "3", "how": "mute"})
    assert Intervention.from_dict(both.to_dict()) == both


def test_the_explorer_refuses_liars() -> None:
    fault = Intervention(0.0, "byzantine", process="1")
    with pytest.raises(BadInput, match="the explorer cannot search the messages that a Byzantine process may send"):
        Explorer(Experiment("t", protocol="echo", network="line:2", faults=(fault,)))


def test_a_live_lie_is_accepted_once_and_recorded() -> None:
    experiment = Experiment("t", protocol="lamport-clocks", network="complete:4", seed=3)
    simulator = Simulator(experiment, round_length=0.5)
    said: list[Any] = []
    simulator.round()
    begin = Intervention(0.0, "byzantine", process="1", how="lie")
    simulator.interact(begin, 1, said.append)
    simulator.round()
    simulator.interact(begin, 2, said.append)
    simulator.interact(Intervention(0.0, "honest", process="0"), 2, said.append)
    while simulator.round():
        pass
    assert [each.accepted for each in said] == [True, False, False]
    assert said[1].reason == "process 1 already behaves like this"
    assert said[2].reason == "process 0 is not Byzantine"
    again = Simulator(simulator.recorded, round_length=0.5)
    again.run()
    assert [(e.kind, e.process, e.time, e.detail) for e in again.trace.events()] == [
        (e.kind, e.process, e.time, e.detail) for e in simulator.trace.events()
    ]


def test_errors_of_the_protocol_are_reported_unchanged() -> None:
    """A correct process that cannot handle a message fails where it receives it."""
    source = TALK.replace("        self.heard += 1\n", "        self.heard += {'yes': 1}[m.word]\n")
    simulator, _ = run("lie", source=source)
    honest, _ = run(None, source=source)
    assert honest.error is None
    error = simulator.error or ""
    assert "KeyError: 'no'" in error
    assert "from 2" in error


def test_the_editor_reports_errors_before_the_run() -> None:
    found = problems(TALK.replace("self.heard += 1", "self.heard += self.faulty"))
    assert "faulty is for properties; no process can know which processes are faulty" in [
        each.sentence for each in found
    ]
    assert not [each for each in problems(TALK) if "faulty" in each.sentence]


def test_a_variable_may_be_named_faulty() -> None:
    source = (
        TALK.replace("heard", "faulty")
        .replace("p.faulty ==", "(p not in c.correct) ==")
        .replace(' and c.process("2").faulty', "")
    )
    simulator, _ = run("lie", source=source)
    assert simulator.error is None


def test_a_sweep_draws_the_liars_and_when_they_stop() -> None:
    drawn = DrawnFaults.from_dict({"do": "byzantine", "count": 2, "how": "{how}", "time": 1.0, "lasts": 2.0})
    network = ARCHIVE.network("ring:8")
    found = drawn.drawn(0, network, 7, {"how": "two-faced", "n": 8, "m": 8})
    assert [(each.do, each.how, each.time) for each in found] == [
        ("byzantine", "two-faced", 1.0), ("honest", None, 3.0),
    ] * 2  # fmt: skip
    assert len({each.process for each in found}) == 2
    more = drawn.drawn(0, network, 8, {"how": "mute", "n": 8, "m": 8})
    assert {each.process for each in more} != {each.process for each in found} or more[0].how == "mute"
