"""The event at which an unusual run departs from its group: where its number passes the group's median.

A number that grows with the run (time, messages, the longest chain ...) passes the median at one event; that is the
moment to look at. A run with less than the others departs by ending, so its last event is shown. A violated property
has its own event; for a deep tree it is the one that makes a branch longer than it had to be, for an unusual order the
decision that comes out of place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.batch.spark.surprise import Strange
from lydian.language import tr
from lydian.trace.details import changes_in, detail_texts
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

__all__ = ["OddMoment", "odd_moment"]


@dataclass(frozen=True)
class OddMoment:
    """The event to look at: its ``seq`` and time, and its words for a bookmark."""

    seq: int
    time: float
    words: str


def odd_moment(timeline: Timeline, strange: Strange) -> OddMoment | None:
    """Return where an unusual run departs from its group; ``None`` for a run without events."""
    if not timeline.length:
        return None
    last = timeline.length - 1
    if not strange.measure:
        seq, words = _wrong(timeline, strange, last)
    elif strange.measure == "excess depth":
        seq, words = _deep(timeline, strange, last)
    elif strange.measure == "order of decisions":
        seq, words = _ordered(timeline, strange, last)
    else:
        seq, words = _passing(timeline, strange, last)
    return OddMoment(seq, float(timeline.time[seq]), words)


def _wrong(timeline: Timeline, strange: Strange, last: int) -> tuple[int, str]:
    """Return the event of a violated property, else the last one."""
    for check in timeline.trace.summary.get("checks") or ():
        if isinstance(check, Mapping) and check.get("holds") is False and f'"{check.get("name")}"' in strange.why:
            at = check.get("at")
            inside = isinstance(at, int) and 0 <= at <= last
            return (int(at) if inside else last), strange.why  # type: ignore[arg-type]
    return last, strange.why


def _passing(timeline: Timeline, strange: Strange, last: int) -> tuple[int, str]:
    """Return the first event at which the number is beyond the median of the group."""
    median, value = strange.median, strange.value
    words = tr("{reason} — here it passes the median", reason=strange.why)
    if median is None or value is None:
        return last, strange.why
    if value < median:
        return last, tr("{reason} — here it ends", reason=strange.why)
    find = _GROWING.get(strange.measure)
    running = find(timeline) if find is not None else None
    if running is None:
        return last, strange.why
    beyond = np.flatnonzero(running > median + 1e-9)
    return (int(beyond[0]), words) if len(beyond) else (last, strange.why)


def _count(*kinds: int) -> Callable[[Timeline], Any]:
    return lambda timeline: np.cumsum(np.isin(timeline.kind, kinds))


def _busiest(timeline: Timeline) -> Any:
    """Return the largest number of messages that a process has sent and received so far."""
    most = np.zeros(timeline.length)
    counts = np.zeros(timeline.n, dtype=np.int64)
    best = 0
    handled = np.isin(timeline.kind, (Kind.SEND, Kind.RECEIVE))
    for seq in np.flatnonzero(handled & (timeline.process >= 0)).tolist():
        process = int(timeline.process[seq])
        counts[process] += 1
        best = max(best, int(counts[process]))
        most[seq] = best
    return np.maximum.accumulate(most)


def _longest_delay(timeline: Timeline) -> Any:
    """Return the longest delay of a message that has arrived so far."""
    found = np.zeros(timeline.length)
    sends, receives = np.asarray(timeline.sends), np.asarray(timeline.receives)
    there = np.flatnonzero((sends >= 0) & (receives >= 0))
    found[receives[there]] = timeline.time[receives[there]] - timeline.time[sends[there]]
    return np.maximum.accumulate(found)


def _time(timeline: Timeline) -> Any:
    return np.asarray(timeline.time)


#: Measures that grow along a run, with functions of their values after each event.
_GROWING: dict[str, Callable[[Timeline], Any]] = {
    "time": _time, "last_decision": _time, "stabilised": _time, "first_decision": _time,
    "messages": _count(Kind.SEND, Kind.INJECT), "dropped": _count(Kind.DROP),
    "events": lambda timeline: np.arange(1, timeline.length + 1),
    "chain": lambda timeline: np.maximum.accumulate(np.asarray(timeline.chain)),
    "busiest": _busiest, "delay_longest": _longest_delay, "decided": _count(Kind.DECIDE),
}  # fmt: skip


def _deep(timeline: Timeline, strange: Strange, last: int) -> tuple[int, str]:
    """Return the event that makes a branch of the tree of parents longer than the least depth that was possible."""
    told = re.search(r"where (\d+) would do", strange.why)
    if told is None:
        return last, strange.why
    least = int(told[1])
    index = {name: i for i, name in enumerate(timeline.processes)}
    above: dict[int, int | None] = {}
    for seq, text in detail_texts(timeline.trace):
        changed = changes_in(timeline.trace, seq, text)
        if not isinstance(changed, Mapping) or "parent" not in changed or timeline.process[seq] < 0:
            continue
        parent = changed["parent"]
        above[int(timeline.process[seq])] = None if parent is None else index.get(str(parent))
        if _height(above) > least:
            return seq, tr("{reason} — from here on", reason=strange.why)
    return last, strange.why


def _height(above: Mapping[int, int | None]) -> int:
    """Return the depth of the tree, or 0 if parents form a cycle."""
    best = 0
    for start in above:
        steps, at = 0, above.get(start)
        while at is not None and steps <= len(above) + 1:
            steps, at = steps + 1, above.get(at)
        best = max(best, steps if steps <= len(above) + 1 else 0)
    return best


def _ordered(timeline: Timeline, strange: Strange, last: int) -> tuple[int, str]:
    """Return the first decision (or delivery) of the process that decides out of order."""
    told = re.match(r"process (.+) is \S+ to decide", strange.why)
    if told is None or told[1] not in timeline.processes:
        return last, strange.why
    mine = np.asarray(timeline.process) == timeline.processes.index(told[1])
    for kind in (Kind.DECIDE, Kind.DELIVER):
        rows = np.flatnonzero(mine & (np.asarray(timeline.kind) == kind))
        if len(rows):
            return int(rows[0]), strange.why
    return last, strange.why
