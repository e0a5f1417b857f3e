"""Conditions as users write them, and expressions over variables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.desk.motion import SPEEDS
from lydian.desk.playhead import Playhead
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.errors import BadInput
from lydian.model.lang import expression
from lydian.trace.timeline import Timeline
from lydian.views.playback.until import Breakpoint, moment, stop_of, why_never
from lydian.views.words import predicate
from lydian.views.words.asked import read
from tests.desk.test_playhead import echo_run
from tests.views.book import echo

TEXTS = {
    "5": Breakpoint("time", 5.0),
    "t = 2.5": Breakpoint("time", 2.5),
    "#57": Breakpoint("event", 57),
    "event 57": Breakpoint("event", 57),
    "violated": Breakpoint("violation", ""),
    '"one leader" is violated': Breakpoint("violation", "one leader"),
    "5 is waiting": Breakpoint("state", "waiting", "5"),
    "process 5 becomes waiting": Breakpoint("state", "waiting", "5"),
    "process 5 enters the state waiting": Breakpoint("state", "waiting", "5"),
    "somebody is waiting": Breakpoint("state", "waiting"),
    "3 receives Ack from 5": Breakpoint("message", "Ack", "3", "receive", peer="5"),
    "3 gets Ack": Breakpoint("message", "Ack", "3", "receive"),
    "sends any message to 4": Breakpoint("message", "", None, "send", peer="4"),
    "a process has an event with Ack": Breakpoint("message", "Ack"),
    "pending == set()": Breakpoint("predicate", "pending == set()"),
    "chord.succ == 3": Breakpoint("predicate", "chord.succ == 3"),
    "Echo.round = 3": Breakpoint("filter", "Echo.round = 3"),
    "5: len(pending) > 2": Breakpoint("predicate", "len(pending) > 2", "5"),
    "p=5 and message=Ack": Breakpoint("filter", "p=5 and message=Ack"),
}


@pytest.mark.parametrize(("text", "wanted"), TEXTS.items())
def test_conditions_are_read(text: str, wanted: Breakpoint) -> None:
    assert read(text) == wanted


KINDS = st.sampled_from((None, "send", "receive", "drop", "timer"))
NAMES = st.sampled_from(("0", "5", "p10", "a", "the root", 'so "called"', "x:y"))
WORDS = st.sampled_from(("waiting", "acked", "not yet", "Ack", "Broadcast"))


@given(
    st.one_of(
        st.builds(Breakpoint, st.just("time"), st.floats(0, 1e9)),
        st.builds(Breakpoint, st.just("event"), st.integers(0, 10**9)),
        st.builds(Breakpoint, st.just("state"), WORDS, st.none() | NAMES),
        st.builds(Breakpoint, st.just("message"), WORDS, st.none() | NAMES, KINDS, peer=st.none() | NAMES),
        st.builds(Breakpoint, st.just("message"), st.just(""), NAMES, st.just("send"), peer=st.none() | NAMES),
        st.builds(Breakpoint, st.just("predicate"), st.just("missing == 0"), st.none() | NAMES),
        st.builds(Breakpoint, st.just("violation"), WORDS | st.just("")),
    )
)  # fmt: skip
def test_every_condition_can_be_parsed_from_its_text(wanted: Breakpoint) -> None:
    assert read(str(wanted)) == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write a time such as"),
        ("nan", "'nan' is not a condition"),
        ("abc", "'abc' is not a condition"),
        ("-1", "a time must be a finite number from 0"),
        ("1e999", "a time must be a finite number"),
        ("x.y.z == 1", "may only compare and count"),
        ("open('x') == 1", "may call only abs, all, any"),
        ("[x for x in y] == []", "may only compare"),
        ("(x ==", "cannot be read"),
        ("().__class__ == 1", "may only compare"),
        ("5: (", "cannot be read"),
    ],
)
def test_invalid_conditions_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(text)
    assert said in str(caught.value)


# ---------------------------------------------------------------------- expressions over variables


def real_run() -> Timeline:
    simulator = Simulator(archive().experiment("two-wings"))
    simulator.run()
    return Timeline(simulator.trace)


RUN = real_run()


@pytest.mark.parametrize(
    "text", ["pending == set()", 'len(pending) > 2 and state == "waiting"', "parent == '0'", "time > 4"]
)
def test_an_expression_matches_where_it_becomes_true(text: str) -> None:
    sets = {"pending"}
    code, _names = expression.parse(text)

    def holds(process: int, k: int, time: float) -> bool:
        values = {n: v for n, (v, _) in RUN.variables(process, k).items()}
        own = {n: frozenset(v) if n in sets else v for n, v in values.items()}
        own |= {"state": RUN.states[RUN.states_at(k)[process]], "me": RUN.processes[process], "time": time}
        return bool(eval(code, dict(expression.FUNCTIONS), own))

    wanted = []
    last = [holds(p, 0, 0.0) for p in range(RUN.n)]
    for seq in range(RUN.length):
        process = int(RUN.process[seq])
        now = holds(process, seq + 1, float(RUN.time[seq]))
        if now and not last[process]:
            wanted.append(seq)
        last[process] = now
    assert predicate.becomes_true(RUN, text).tolist() == wanted
    assert wanted, "it happens in this run"


def test_an_expression_that_fails_is_false() -> None:
    assert len(predicate.becomes_true(RUN, "parent < 3")) == 0
    with pytest.raises(BadInput, match=r"no process has a variable 'parnet' \(did you mean 'parent'\?\)"):
        predicate.becomes_true(RUN, "parnet == 3")


# ---------------------------------------------------------------------- matching events


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (Breakpoint("time", 1e6), "This run ends at"),
        (Breakpoint("event", 10**6), "This run has no event 1000000"),
        (Breakpoint("state", "waitng"), "This run has no state 'waitng' (did you mean 'waiting'?)"),
        (Breakpoint("state", "waiting", "99"), "This run has no process '99'"),
        (Breakpoint("message", "Nack"), "This run has no message 'Nack'"),
        (Breakpoint("violation", ""), "No property is violated"),
        (Breakpoint("predicate", "len(pending) > 99"), "This never happens in this run: len(pending) > 99"),
        (Breakpoint("predicate", "nothing == 1"), "No process has a variable 'nothing'"),
    ],
)
def test_reasons_why_a_condition_is_never_met(wanted: Breakpoint, why: str) -> None:
    said = why_never(wanted, RUN)
    assert said is not None and why in said and said.endswith(".")
    assert moment(wanted, RUN, -1.0) is None if "variable" not in why else True


BREAKS = st.sampled_from((
    Breakpoint("time", 4.0), Breakpoint("time", 3.217), Breakpoint("event", 30), Breakpoint("state", "waiting"),
    Breakpoint("state", "acked", "5"), Breakpoint("message", "Ack", kind="receive"),
    Breakpoint("message", "", "3", "send"),
    Breakpoint("filter", "p=3 and lamport>9"),
))  # fmt: skip


@given(
    st.lists(BREAKS, min_size=1, max_size=3, unique=True),
    st.floats(0, 14),
    st.sampled_from((1, -1)),
    st.sampled_from(SPEEDS),
    st.sampled_from(("time", "events")),
    st.lists(st.floats(0.001, 2), min_size=1, max_size=4),
)
def test_playing_stops_exactly_at_the_first_breakpoint(
    breaks: list[Breakpoint], t: float, way: int, speed: float, pace: str, ticks: list[float]
) -> None:
    run = echo_run()
    head = Playhead(run)
    head.set_stops(tuple(stop_of(each) for each in breaks))
    head.set_speed(speed)
    head.set_pace(pace, speed)
    head.seek(t)
    start = head.t
    if (way > 0 and head.at_end) or (way < 0 and head.at_start):
        return
    times = [float(run.time[seq]) for each in breaks if each.what != "time" for seq in each.hits(run)]
    times += [float(each.value) for each in breaks if each.what == "time"]
    ahead = [time for time in times if (time - start) * way > 0 and head.start <= time <= head.end]
    head.play(way)
    for _ in range(20_000):
        for tick in ticks:
            head.advance(tick)
        if not head.playing:
            break
        head.set_speed(1000.0)  # reach the end from any position
        head.set_pace(pace, 1000.0)
    assert not head.playing
    if ahead:
        assert head.t == (min(ahead) if way > 0 else max(ahead)) and head.stopped is not None
    else:
        assert head.t == (head.end if way > 0 else head.start) and head.stopped is None


def test_a_disabled_breakpoint_never_stops() -> None:
    head = Playhead(Timeline(echo()))
    head.set_stops((stop_of(replace(Breakpoint("time", 4.0), on=False)),))
    head.play()
    head.advance(1000.0)
    assert head.at_end


def test_all_matches_equal_successive_searches() -> None:
    for each in TEXTS.values():
        if each.what in ("time", "violation") or why_never(each, RUN) is not None:
            continue
        found, k = [], 0
        while (seq := each.hit(RUN, k, RUN.length)) is not None:
            found.append(seq)
            k = seq + 1
        assert np.array_equal(each.hits(RUN), found)
