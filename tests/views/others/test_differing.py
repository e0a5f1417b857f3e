"""The point at which two executions diverge, in words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from lydian.pieces.animation import generic
from lydian.trace.difference import difference
from lydian.trace.events import Kind, Trace
from lydian.trace.timeline import Timeline
from lydian.views.others.differing import headline, link_lines, process_lines, verdict
from tests.trace.sample import LABELS, STATES, WAITING, Rows


def run(value: int = 3) -> Trace:
    out = Rows(2)
    first = out.add(0.0, Kind.INIT, 0, WAITING)
    out.send(0.0, 0, 1, 0, WAITING, first)
    out.details[1] = json.dumps({"fields": {"value": value}})
    out.receive(1.0, 0, WAITING)
    return out.trace(2)


def changed(seq: int, **columns: Any) -> Trace:
    rows = np.array(RUN.rows)
    for name, new in columns.items():
        rows[name][seq] = new
    return replace(RUN, rows=rows)


RUN = run()


def told(other: Trace) -> str:
    found = difference(RUN, other)
    assert found is not None
    return headline(found, Timeline(RUN), Timeline(other), generic(STATES, LABELS), ("before", "after"))


def test_the_length_of_the_common_part():
    timeline = Timeline(RUN)
    assert verdict(None, timeline) == "A and B are the same: 3 events."
    assert verdict(difference(RUN, run(4)), timeline) == "The first event is the same, up to time 0."
    assert verdict(difference(RUN, changed(2, bits=1)), timeline) == "The first 2 events are the same, up to time 0."
    assert verdict(difference(RUN, changed(0, bits=1)), timeline) == "A and B differ from the first event on."


def test_the_earlier_event_is_described_first():
    text = told(changed(2, kind=Kind.TIMER, time=0.5, peer=-1, message=-1))
    assert text.startswith("Then, in after at 0.5: Process 1 responds to its timer")
    assert "In before at 1: Process 1 receives Broadcast(value=3) from 0" in text


def test_the_same_event_at_another_time():
    assert told(changed(2, time=1.00001)).startswith(
        "Then the same happens at 1 in before and at 1.00001 in after: Process 1 receives Broadcast(value=3) from 0"
    )


def test_a_different_state():
    assert told(changed(2, state=4)) == (
        "Then, at 1, process 1 receives Broadcast(value=3) from 0 in both: it is waiting in before, "
        "and it is finished in after."
    )


def test_different_contents():
    assert told(run(4)).startswith(
        "Then, at 0, the same happens with value 3 in before and 4 in after. "
        "before: Process 0 sends Broadcast(value=3) to 1"
    )
    assert told(changed(2, lamport=9)).startswith("Then, at 1, the same happens with another Lamport time. Process 1")


def test_one_run_ends_first():
    assert told(replace(RUN, rows=np.array(RUN.rows)[:2])).startswith(
        "Then after ends, and before continues at 1: Process 1 receives Broadcast(value=3) from 0"
    )


def test_lines_name_both_sides():
    other = replace(RUN, rows=np.array(RUN.rows)[:2])
    found = difference(RUN, other)
    assert found is not None
    both = Timeline(RUN), Timeline(other), generic(STATES, LABELS)
    assert process_lines(found, *both) == [("1", "1 receives Broadcast(value=3) from 0 → waiting", "nothing more")]
    assert link_lines(found, *both) == [("0-1", "1 1 receives Broadcast(value=3) from 0 → waiting", "nothing more")]
