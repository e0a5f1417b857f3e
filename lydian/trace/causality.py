"""What could have led to what: Lamport's happened-before relation on the events of an execution.

Every event at a process follows the earlier ones there, and an event follows the one at another process that its
``cause`` names: a receive its send, a guarded action the change it saw.  (Lamport 1978; Tel, *Introduction to
Distributed Algorithms*, section 2.3.)

Three kinds of row lie beside the process lines.  A ``drop`` stands at the receiver's name but happens on the way:
it follows its send, and nothing follows it.  ``link_down`` and ``link_up`` follow nothing and lead to nothing.

The sets are boolean arrays with one entry per event and never hold the event itself.  They take one pass over the
messages: 0.2 s in a trace of a million events.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Kind
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

#: Rows that an action produced: they follow the event whose action it was.
_PRODUCED = (Kind.SEND, Kind.DELIVER, Kind.DECIDE, Kind.NOTE)
_OFF_LINE = (Kind.DROP, Kind.LINK_DOWN, Kind.LINK_UP)


def past(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """The events that happened before an event: all that could have had a part in it."""
    found = np.zeros(timeline.length, dtype=bool)
    _check(timeline, seq)
    source, target = _arrows(timeline)
    start = seq
    if not _on_line(timeline)[seq]:
        start = int(timeline.cause[seq])
        if not 0 <= start < seq or not _on_line(timeline)[start]:
            return found
        found[start] = True
    # until[p]: the last event of process p known to lie in the past; scanned from the end, each arrow once
    until = [-1] * timeline.n
    until[timeline.process[start]] = start
    stop = int(np.searchsorted(target, start, side="right"))
    source, target = source[:stop][::-1], target[:stop][::-1]
    at, to = timeline.process[source].tolist(), timeline.process[target].tolist()
    for a, b, p, q in zip(source.tolist(), target.tolist(), at, to, strict=True):
        if b <= until[q] and a > until[p]:
            until[p] = a
    rows = np.flatnonzero(_on_line(timeline)[: start + 1])
    found[rows] |= rows <= np.array(until, dtype=np.int64)[timeline.process[rows]]
    found[seq] = False
    return found


def future(timeline: Timeline, seq: int) -> NDArray[np.bool_]:
    """The events that happened after an event: all that it could have had a part in."""
    found = np.zeros(timeline.length, dtype=bool)
    _check(timeline, seq)
    if not _on_line(timeline)[seq]:
        return found
    source, target = _arrows(timeline)
    since = [timeline.length] * timeline.n
    since[timeline.process[seq]] = seq
    first = int(np.searchsorted(target, seq))
    source, target = source[first:], target[first:]
    at, to = timeline.process[source].tolist(), timeline.process[target].tolist()
    for a, b, p, q in zip(source.tolist(), target.tolist(), at, to, strict=True):
        if a >= since[p] and b < since[q]:
            since[q] = b
    rows = np.flatnonzero(_on_line(timeline)[seq:]) + seq
    found[rows] = rows >= np.array(since, dtype=np.int64)[timeline.process[rows]]
    drops = np.flatnonzero((timeline.kind == Kind.DROP) & _caused(timeline))
    found[drops] = found[timeline.cause[drops]] | (timeline.cause[drops] == seq)
    found[seq] = False
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
    on = _on_line(timeline)
    if a >= b or not on[a]:
        return False
    if on[b] and timeline.process[a] == timeline.process[b]:
        return True
    return bool(past(timeline, b)[a])


def predecessors(timeline: Timeline, seq: int) -> tuple[int, ...]:
    """The events an event follows directly, ascending: the previous one at its process and its cause."""
    _check(timeline, seq)
    found = {int(timeline.cause[seq])} if _caused(timeline)[seq] else set()
    if _on_line(timeline)[seq]:
        events = timeline.events_of(int(timeline.process[seq]))
        events = events[_on_line(timeline)[events]]
        before = int(np.searchsorted(events, seq))
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
    chain = np.where(_on_line(timeline)[:k], timeline.chain[:k], -1)
    if not len(chain) or chain.max() < 0:
        return np.empty(0, dtype=np.int64)
    rises = _rises(timeline)
    seq = int(np.argmax(chain))
    found = [seq]
    while True:
        kind, cause = int(timeline.kind[seq]), int(timeline.cause[seq])
        if kind in _PRODUCED and 0 <= cause < seq:
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


def _rises(timeline: Timeline) -> NDArray[np.int64]:
    """For every event that begins a step, the first one at its process from which on ``chain`` has its value.

    Rows that actions produced have none (-1).
    """
    order = _lines(timeline)
    order = order[~np.isin(timeline.kind[order], _PRODUCED)]
    process, chain = timeline.process[order], timeline.chain[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = (process[1:] != process[:-1]) | (chain[1:] != chain[:-1])
    rises = np.full(timeline.length, -1, dtype=np.int64)
    rises[order] = order[np.flatnonzero(fresh)][np.cumsum(fresh) - 1] if len(order) else order
    return rises


def _lines(timeline: Timeline) -> NDArray[np.int64]:
    """The events on process lines, line by line."""
    order = np.argsort(timeline.process, kind="stable")
    return order[_on_line(timeline)[order]]


def _on_line(timeline: Timeline) -> NDArray[np.bool_]:
    on: NDArray[np.bool_] = (timeline.process >= 0) & ~np.isin(timeline.kind, _OFF_LINE)
    return on


def _caused(timeline: Timeline) -> NDArray[np.bool_]:
    caused: NDArray[np.bool_] = (timeline.cause >= 0) & (timeline.cause < np.arange(timeline.length))
    return caused


def _arrows(timeline: Timeline) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The arrows between process lines: the events at their tails and at their heads, by rising head."""
    on = _on_line(timeline)
    target = np.flatnonzero(on & _caused(timeline))
    source = timeline.cause[target].astype(np.int64)
    keep = on[source] & (timeline.process[source] != timeline.process[target])
    return source[keep], target[keep]


def _check(timeline: Timeline, seq: int) -> None:
    if not 0 <= seq < timeline.length:
        raise IndexError(f"there is no event {seq} in a trace of {timeline.length}")
