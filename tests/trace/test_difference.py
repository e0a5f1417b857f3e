"""The point at which two executions diverge."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydian.trace import difference as module
from lydian.trace.difference import Difference, difference
from lydian.trace.events import Kind, Trace
from lydian.trace.parquet.file import load, save
from tests.trace.sample import ACKED, FINISHED, Rows, echo, grid, traces


def changed(trace: Trace, seq: int, **columns: Any) -> Trace:
    rows = np.array(trace.rows)
    for name, value in columns.items():
        rows[name][seq] = value
    return replace(trace, rows=rows)


def other_tables(trace: Trace) -> Trace:
    """Return the same execution with all its tables in another order."""
    rows = np.array(trace.rows)
    for names, table in (
        (("process", "peer"), trace.processes),
        (("label",), trace.labels),
        (("state",), trace.states),
    ):
        for name in names:
            there = (rows[name] != 255) if name == "state" else rows[name] >= 0
            rows[name][there] = len(table) - 1 - rows[name][there]
    return replace(
        trace, rows=rows, processes=trace.processes[::-1], labels=trace.labels[::-1], states=trace.states[::-1]
    )


def records(event: Any) -> bool:
    """Return whether an event records variables that its action has changed."""
    told = event.detail or {}
    return event.kind not in ("corrupt", "recover") and ("changed" in told or "grown" in told)


def compared(a: Trace, b: Trace) -> tuple[list[Any], list[Any]]:
    """Return the events that are compared: without their variables if only one of the traces recorded variables."""
    ours, theirs = list(a.events()), list(b.events())
    if any(map(records, ours)) == any(map(records, theirs)):
        return ours, theirs

    def bare(event: Any) -> Any:
        told = {key: value for key, value in (event.detail or {}).items() if key not in ("changed", "grown")}
        return replace(event, detail=told or None) if records(event) else event

    return list(map(bare, ours)), list(map(bare, theirs))


def slowly(a: Trace, b: Trace) -> int | None:
    """Return the number of the first event that differs, by comparing event by event."""
    ours, theirs = ([replace(event, round=0) for event in events] for events in compared(a, b))
    found = next((i for i, (p, q) in enumerate(zip(ours, theirs, strict=False)) if p != q), min(len(a), len(b)))
    return None if found == len(a) == len(b) else found


def first_others(a: Trace, b: Trace, start: int, key: Callable[[Any], Any], seen: Callable[[Any], Any]) -> dict:
    """Return the first differing events for each key, group by group."""
    groups: dict[Any, tuple[list, list]] = {}
    for side, events in enumerate(compared(a, b)):
        for event in events[start:]:
            if key(event) is not None:
                groups.setdefault(key(event), ([], []))[side].append(event)
    found = {}
    for name, (ours, theirs) in groups.items():
        length = max(len(ours), len(theirs))
        ours, theirs = ([*side, *[None] * (length - len(side))] for side in (ours, theirs))
        for p, q in zip(ours, theirs, strict=True):
            if p is None or q is None or seen(p) != seen(q):
                found[name] = (None if p is None else p.seq, None if q is None else q.seq)
                break
    return found


def of_process(event):
    return None if event.kind in ("drop", "link_down", "link_up") else event.process


def at_process(event):
    return event.time, event.kind, event.peer, event.label, event.state, event.bits, event.detail


def of_link(event):
    return None if event.peer is None else tuple(sorted((event.process, event.peer)))


def on_link(event):
    detail = event.detail if event.kind in ("send", "drop", "inject") else None
    return event.time, event.kind, event.process, event.label, event.bits, detail


@given(traces())
def test_a_trace_equals_itself(trace):
    assert difference(trace, trace) is None
    assert difference(trace, other_tables(trace)) is None


@given(traces(), traces())
def test_the_result_matches_an_event_by_event_comparison(a, b):
    found = difference(a, b)
    assert (None if found is None else found.seq) == slowly(a, b)
    if found is None:
        return
    parted = first_others(a, b, found.seq, of_process, at_process)
    assert {each.process: (each.a, each.b) for each in found.processes} == parted
    parted = first_others(a, b, found.seq, of_link, on_link)
    assert {each.link: (each.a, each.b) for each in found.links} == parted
    assert all(each.time >= found.time for each in (*found.processes, *found.links))
    assert json.loads(json.dumps(found.to_dict()))["seq"] == found.seq


@given(traces(), traces())
def test_the_comparison_is_symmetric_and_uses_names(a, b):
    found = difference(a, b)
    mirrored = difference(b, a)
    assert mirrored == (None if found is None else found.swapped())
    assert difference(other_tables(a), b) == found


@given(traces(most=40), st.integers(1, 7))
def test_blocks_and_windows_do_not_affect_the_result(trace, size):
    other = replace(trace, rows=np.array(trace.rows)[: len(trace) // 2])
    whole = difference(trace, other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", size)
        patch.setattr(module, "FIRST", size)
        assert difference(trace, other) == whole


RUN = echo(4, grid(2, 2), seed=3)


def found(a: Trace, b: Trace) -> Difference:
    there = difference(a, b)
    assert there is not None
    return there


def test_a_different_event():
    seq = int(np.flatnonzero(RUN.column("kind") == Kind.RECEIVE)[1])
    there = found(RUN, changed(RUN, seq, kind=Kind.TIMER))
    assert (there.seq, there.kind, there.columns) == (seq, "event", ("kind",))
    assert there.a == RUN.event(seq)
    assert there.b is not None
    assert there.b.kind == "timer"


def test_the_same_event_later_or_with_a_different_outcome():
    seq = int(np.flatnonzero(RUN.column("kind") == Kind.RECEIVE)[1])
    time = float(RUN.column("time")[seq])
    later = found(RUN, changed(RUN, seq, time=time + 0.01))
    assert (later.seq, later.kind, later.time, later.columns) == (seq, "time", time, ("time",))
    state = FINISHED if RUN.column("state")[seq] != FINISHED else ACKED
    assert found(RUN, changed(RUN, seq, state=state)).kind == "state"
    bits = found(RUN, changed(RUN, seq, bits=77))
    assert (bits.kind, bits.columns) == ("fields", ("bits",))
    clock = found(RUN, changed(RUN, seq, lamport=77))
    assert (clock.kind, clock.columns) == ("fields", ("lamport",))
    assert clock.processes == clock.links == ()  # no difference is found


def test_one_trace_ends_first():
    cut = replace(RUN, rows=np.array(RUN.rows)[:-1])
    there = found(RUN, cut)
    assert (there.seq, there.kind, there.columns) == (len(cut), "ended", ())
    assert there.a == RUN.event(len(cut))
    assert there.b is None
    assert there.numbers["events"] == (len(RUN), len(cut))
    nothing = replace(RUN, rows=np.array(RUN.rows)[:0])
    assert found(nothing, RUN).numbers["time"] == (0.0, float(RUN.column("time")[-1]))


def noted(value: int, changed: dict | None = None) -> Trace:
    out = Rows(2)
    first = out.add(0.0, Kind.INIT, 0, 1, detail={"changed": changed} if changed else None)
    out.send(0.0, 0, 1, 0, 1, first)
    out.details[1] = json.dumps({"fields": {"value": value}})
    out.receive(1.0, 0, 1)
    return out.trace(2)


def test_different_contents_are_a_difference():
    there = found(noted(3), noted(4))
    assert (there.seq, there.kind, there.columns) == (1, "fields", ("detail",))
    assert [each.process for each in there.processes] == ["0"]
    assert [each.link for each in there.links] == [("0", "1")]


def test_unrecorded_variables_are_not_a_difference():
    assert difference(noted(3), noted(3, {"x": 1})) is None
    assert found(noted(3, {"x": 2}), noted(3, {"x": 1})).seq == 0
    assert found(noted(3, {"x": 2}), noted(4)).seq == 1


def test_a_loaded_file_equals_the_saved_trace(tmp_path):
    save(RUN, tmp_path / "run.parquet")
    again = load(tmp_path / "run.parquet")
    assert difference(RUN, again) is None
    assert found(again, noted(1)) == found(RUN, noted(1))
