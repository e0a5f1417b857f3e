"""The next matching event, the first violation, breakpoints."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.model.errors import BadInput
from lydian.trace.timeline import Timeline
from lydian.views.playback import until
from lydian.views.playback.until import (
    Breakpoint,
    first_violation,
    next_match,
    states_before,
    violations,
)
from lydian.views.words.filter import parse
from lydian.views.words.words import state_before
from tests.views.book import Book, echo
from tests.views.words.test_sentence import every_kind

TIMELINE = Timeline(echo())


@given(st.sampled_from(("p=5", "message=Ack and t>4", "kind=decide", "p=99", "acked")), st.integers(-2, 96))
def test_the_next_match_is_the_nearest(text: str, k: int) -> None:
    wanted = parse(text)
    all_ = np.flatnonzero(wanted.select(TIMELINE))
    after, before = all_[all_ >= k], all_[all_ < k]
    assert next_match(TIMELINE, wanted, k) == (int(after[0]) if len(after) else None)
    assert next_match(TIMELINE, wanted, k, -1) == (int(before[-1]) if len(before) else None)


def test_distant_matches_are_found_in_several_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(until, "FIRST", 2)
    assert next_match(TIMELINE, parse("kind=decide"), 0) == int(np.flatnonzero(TIMELINE.kind == 8)[0])
    assert next_match(TIMELINE, parse("kind=init"), 94, -1) == 0


def test_violations() -> None:
    b = every_kind()
    checks = [
        {"name": "late", "holds": False, "at": 9},
        {"name": "early", "holds": False, "at": 4},
        {"name": "fine", "holds": True, "at": 2},
        {"name": "at the end", "holds": False, "at": 99},
    ]
    timeline = Timeline(b.trace(checks=checks))
    assert violations(timeline) == ((4, "early"), (9, "late"), (20, "at the end"))
    assert first_violation(timeline) == 4
    assert first_violation(TIMELINE) is None
    assert first_violation(Timeline(Book(("0",), links=[]).trace(checks=checks))) is None


@pytest.mark.parametrize("trace", [echo(), every_kind().trace()])
def test_states_before_all_events(trace: Any) -> None:
    timeline = Timeline(trace)
    found = [None if code == 255 else timeline.states[code] for code in states_before(timeline).tolist()]
    assert found == [state_before(timeline, seq) for seq in range(timeline.length)]


BREAKS = (
    Breakpoint("time", 4.0),
    Breakpoint("event", 30),
    Breakpoint("state", "waiting"),
    Breakpoint("state", "acked", process="5"),
    Breakpoint("message", "Ack", kind="receive"),
    Breakpoint("message", "Broadcast", process="7"),
    Breakpoint("filter", "p=3 and lamport>9"),
)


def stops(b: Breakpoint) -> list[int]:
    """Return all events at which a breakpoint stops, tested one by one."""
    found = []
    for event in TIMELINE.trace.events():
        seq = event.seq
        here = {
            "time": event.time >= 4.0 and (seq == 0 or TIMELINE.time[seq - 1] < 4.0),
            "event": seq == 30,
            "state": event.state == b.value != state_before(TIMELINE, seq),
            "message": event.label == b.value and b.kind in (None, event.kind),
            "filter": event.process == "3" and event.lamport > 9,
        }[b.what]
        if here and b.process in (None, event.process):
            found.append(seq)
    return found


@given(st.sampled_from(BREAKS), st.integers(0, 94), st.integers(0, 94))
def test_a_breakpoint_is_hit_where_it_is_first_satisfied(b: Breakpoint, k0: int, k1: int) -> None:
    low, high = sorted((k0, k1))
    inside = [seq for seq in stops(b) if low <= seq < high]
    assert b.hit(TIMELINE, k0, k1) == (None if not inside else inside[-1] if k1 < k0 else inside[0])


def test_every_breakpoint_is_satisfied_somewhere() -> None:
    assert all(stops(b) for b in BREAKS)


def test_a_disabled_breakpoint_is_never_hit() -> None:
    assert Breakpoint("time", 4.0, on=False).hit(TIMELINE, 0, 94) is None


def test_breakpoints_in_words() -> None:
    assert [str(b) for b in BREAKS] == [
        "time 4", "event 30", "a process enters the state waiting", "process 5 enters the state acked",
        "a process receives Ack", "process 7 has an event with Broadcast", "p=3 and lamport>9",
    ]  # fmt: skip


def test_breakpoints_can_be_saved_in_a_file() -> None:
    assert [Breakpoint(**json.loads(json.dumps(asdict(b)))) for b in BREAKS] == list(BREAKS)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("tiem", 4), r"cannot wait for 'tiem' \(did you mean 'time'\?\)"),
        (("time", float("nan")), "time must be a finite number from 0, not nan"),
        (("time", -1), "time must be a finite number"),
        (("event", 1.5), "event must be a whole number"),
        (("event", True), "event must be a whole number"),
        (("state", ""), "state must be a text"),
        (("filter", "p="), "a value is missing after p="),
        (("message", "Ack", None, "recv"), "unknown kind of event 'recv'"),
    ],
)
def test_invalid_breakpoints(arguments: tuple[Any, ...], what: str) -> None:
    with pytest.raises(BadInput, match=what):
        Breakpoint(*arguments)
