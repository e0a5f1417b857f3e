"""Causal order: Lamport's happened-before relation on the events of an execution.

Each event at a process follows the earlier events there, and it follows the event at another process that its ``cause``
names: a receive follows its send, and a guarded action follows the change that enabled it. (Lamport 1978; Tel,
*Introduction to Distributed Algorithms*, section 2.3.)

Some rows are not on any process line. A ``drop`` has the receiver's name but happens on the way: it follows its send,
and nothing follows it. A row that belongs to an event (``timer_set``, ``print`` and the like) follows that event, and
nothing follows it either. ``link_down`` and ``link_up`` are unrelated to all other events.

The sets are boolean arrays with one entry per event and never contain the event itself. Computing one takes a single
pass over the messages (:mod:`lydian.trace.cones`): half a second in a trace of ten million events.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lydian.trace.cones import frontiers, on_line
from lydian.trace.events import EFFECTS
from lydian.trace.timeline import Timeline

__all__ = [
    "concurrent",
    "future",
    "happened_before",
    "longest_chain",
    "past",
    "predecessors",
    "previous_on_line",
]

#: The number of events in a block.
BLOCK = 1 << 18


def past(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """Return the causal past of an event: all events that could have influenced it."""
    _check(timeline, seq)
    cones = frontiers(timeline, seq)
    return _all(timeline, cones.past)


def future(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """Return the causal future of an event: all events that it could have influenced."""
    _check(timeline, seq)
    cones = frontiers(timeline, seq)
    return _all(timeline, cones.future)


def _all(timeline: Timeline, which: Callable[[Timeline, NDArray[np.int32]], NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Apply ``which`` to all events, block by block, and return its answers in one array."""
    found = np.zeros(timeline.length, dtype=bool)
    for start in range(0, timeline.length, BLOCK):
        stop = min(start + BLOCK, timeline.length)
        found[start:stop] = which(timeline, np.arange(start, stop, dtype=np.int32))
    return found


def concurrent(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """Return the events that are concurrent with an event: those in neither its causal past nor its causal future."""
    found = ~(past(timeline, seq) | future(timeline, seq))
    found[seq] = False
    return found


def happened_before(timeline: Timeline, a: int, b: int) -> bool:
    """Return whether event a happened before event b; no event happened before itself."""
    _check(timeline, a)
    _check(timeline, b)
    if a >= b:
        return False
    return bool(frontiers(timeline, b).past(timeline, np.array([a]))[0])


def predecessors(timeline: Timeline, seq: int) -> tuple[int, ...]:
    """Return the direct predecessors of an event, ascending: the previous event at its process, and its cause."""
    _check(timeline, seq)
    cause = int(timeline.cause[seq])
    found = {cause} if 0 <= cause < seq else set()
    if on_line(timeline, np.array([seq]))[0]:
        events = timeline.events_of(int(timeline.process[seq]))
        events = events[on_line(timeline, events)]
        before = int(np.searchsorted(events, np.int32(seq)))
        if before:
            found.add(int(events[before - 1]))
    return tuple(sorted(found))


def longest_chain(timeline: Timeline, k: int | None = None) -> NDArray[np.int64]:
    """Return the events of a longest causal chain among the first k events (all by default), ascending.

    Its length is counted in messages. The chain ends at the first event with the greatest ``chain``, which is the
    number of its messages. Of the events at a process it contains only those that matter: the receive that lengthened
    the chain, and the event whose action sent the next message. The array is empty if no event has happened.
    """
    k = timeline.length if k is None else min(max(k, 0), timeline.length)
    chain = np.where(on_line(timeline, slice(0, k)), timeline.chain[:k], -1)
    if not len(chain) or chain.max() < 0:
        return np.empty(0, dtype=np.int64)
    rises = _rises(timeline)
    seq = int(np.argmax(chain))
    found = [seq]
    while True:
        kind, cause = int(timeline.kind[seq]), int(timeline.cause[seq])
        if kind in EFFECTS and 0 <= cause < seq:
            seq = cause
        elif 0 <= rises[seq] < seq:
            seq = int(rises[seq])
        elif 0 <= cause < seq:
            seq = cause
        else:
            break
        found.append(seq)
    return np.array(found[::-1], dtype=np.int64)


def previous_on_line(timeline: Timeline) -> NDArray[np.int64]:
    """Return, for each event, the previous event at its process; -1 for the first, and for rows that are on no line."""
    before = np.full(timeline.length, -1, dtype=np.int64)
    order = _lines(timeline)
    same = timeline.process[order[1:]] == timeline.process[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    return before


def _rises(timeline: Timeline) -> NDArray[np.int32]:
    """Return, for each event that begins a step, the first event at its process since which ``chain`` is unchanged.

    The entry is -1 for rows that actions produced.
    """
    order = _lines(timeline)
    order = order[~np.isin(timeline.kind[order], EFFECTS)]
    process, chain = timeline.process[order], timeline.chain[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (process[1:] != process[:-1]) | (chain[1:] != chain[:-1])
    rises = np.full(timeline.length, -1, dtype=np.int32)
    first = np.flatnonzero(fresh)
    rises[order] = np.repeat(order[first], np.diff(first, append=len(order)))
    return rises


def _lines(timeline: Timeline) -> NDArray[np.int32]:
    """Return the events on process lines, line by line."""
    order, starts = timeline.by_process
    order = order[starts[0] :]
    return order[on_line(timeline, order)]


def _check(timeline: Timeline, seq: int) -> None:
    if not 0 <= seq < timeline.length:
        raise IndexError(f"unknown event {seq} in a trace of {timeline.length} events")
