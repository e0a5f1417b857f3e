"""What could have led to what: Lamport's happened-before relation on the events of an execution.

Every event at a process follows the earlier ones there, and an event follows the one at another process that its
``cause`` names: a receive its send, a guarded action the change it saw.  (Lamport 1978; Tel, *Introduction to
Distributed Algorithms*, section 2.3.)

Some rows lie beside the process lines.  A ``drop`` stands at the receiver's name but happens on the way: it follows its
send, and nothing follows it.  A row that belongs to an event (``timer_set``, ``print`` and the like) follows that
event, and nothing follows it either.  ``link_down`` and ``link_up`` follow nothing and lead to nothing.

The sets are boolean arrays with one entry per event and never hold the event itself.  They take one pass over the
messages (:mod:`lydian.trace.cones`): half a second in a trace of ten million events.
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

#: Events that are asked together.
BLOCK = 1 << 18


def past(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """The events that happened before an event: all that could have had a part in it."""
    _check(timeline, seq)
    cones = frontiers(timeline, seq)
    return _all(timeline, cones.past)


def future(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """The events that happened after an event: all that it could have had a part in."""
    _check(timeline, seq)
    cones = frontiers(timeline, seq)
    return _all(timeline, cones.future)


def _all(timeline: Timeline, which: Callable[[Timeline, NDArray[np.int32]], NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """The answer for every event, block by block."""
    found = np.zeros(timeline.length, dtype=bool)
    for start in range(0, timeline.length, BLOCK):
        stop = min(start + BLOCK, timeline.length)
        found[start:stop] = which(timeline, np.arange(start, stop, dtype=np.int32))
    return found


def concurrent(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """The events that neither happened before an event nor after it."""
    found = ~(past(timeline, seq) | future(timeline, seq))
    found[seq] = False
    return found


def happened_before(timeline: Timeline, a: int, b: int) -> bool:
    """Whether event a happened before event b; no event happened before itself."""
    _check(timeline, a)
    _check(timeline, b)
    if a >= b:
        return False
    return bool(frontiers(timeline, b).past(timeline, np.array([a]))[0])


def predecessors(timeline: Timeline, seq: int) -> tuple[int, ...]:
    """The events an event follows directly, ascending: the previous one at its process and its cause."""
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
    """The longest causal chain, in messages, among the first k events (all by default): its events, ascending.

    It ends at the first event with the greatest ``chain``, which is the number of its messages.  Of the events at
    a process it holds those that matter: the receive that lengthened the chain, and the event whose action sent
    the next message.  Empty if nothing has happened.
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
    """For every event the one before it at its process, -1 for the first there and for rows beside the lines."""
    before = np.full(timeline.length, -1, dtype=np.int64)
    order = _lines(timeline)
    same = timeline.process[order[1:]] == timeline.process[order[:-1]]
    before[order[1:][same]] = order[:-1][same]
    return before


def _rises(timeline: Timeline) -> NDArray[np.int32]:
    """For every event that begins a step, the first one at its process from which on ``chain`` has its value.

    Rows that actions produced have none (-1).
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
    """The events on process lines, line by line."""
    order, starts = timeline.by_process
    order = order[starts[0] :]
    return order[on_line(timeline, order)]


def _check(timeline: Timeline, seq: int) -> None:
    if not 0 <= seq < timeline.length:
        raise IndexError(f"unknown event {seq} in a trace of {timeline.length} events")
