"""The frontiers of the causal past and future of an event: for each process, the last event of the past and the first
of the future.

An arrow leads from one process line to another. The search starts at the event and examines every arrow once, block by
block with whole-array operations; a block is repeated as long as that moves the frontier. The sets themselves are
computed in :mod:`lydian.trace.causality`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import ATTACHED, OFF_LINE, Kind
from lydian.trace.timeline import Timeline

__all__ = ["Cones", "arrows", "frontiers", "on_line"]

_OFF = np.isin(np.arange(256), OFF_LINE)
#: Rows that follow their cause but are followed by no other row.
_FOLLOWS = np.isin(np.arange(256), (Kind.DROP, *ATTACHED))
BLOCK = 4096
#: The number of events in a block when arrows are collected.
MANY = 1 << 18


@dataclass(frozen=True, eq=False)
class Cones:
    """The frontiers of one event.

    ``until`` (n + 1,) is the last event of each process in the past, -1 if there is none; ``since`` (n + 1,) is the
    first event of each process in the future, the length of the trace if there is none. Both include the event itself,
    and their last entries are for events at no process. ``on_line`` is true if the event is on a process line; a lost
    message has only a past.
    """

    event: int
    on_line: bool
    until: NDArray[np.int64]
    since: NDArray[np.int64]

    def past(self, timeline: Timeline, seqs: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which of the given events are in the causal past of the event."""
        process = timeline.process[seqs]
        past: NDArray[np.bool_] = on_line(timeline, seqs) & (seqs <= self.until[process]) & (seqs != self.event)
        return past

    def future(self, timeline: Timeline, seqs: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which of the given events are in the causal future of the event."""
        if not self.on_line:
            return np.zeros(len(seqs), dtype=bool)
        follows = _FOLLOWS[timeline.kind[seqs]]
        # The loss of a message is in the future of the event if the sending of the message is.
        cause = np.where(follows, timeline.cause[seqs], seqs)
        process = np.where(cause >= 0, timeline.process[cause], -1)
        came = (cause >= self.since[process]) & (seqs != self.event) | follows & (cause == self.event)
        future: NDArray[np.bool_] = (process >= 0) & ~_OFF[timeline.kind[cause]] & came
        return future


def on_line(timeline: Timeline, seqs: NDArray[np.integer] | slice) -> NDArray[np.bool_]:
    """Return which of the given events are on process lines."""
    on: NDArray[np.bool_] = (timeline.process[seqs] >= 0) & ~_OFF[timeline.kind[seqs]]
    return on


def arrows(timeline: Timeline) -> NDArray[np.int32]:
    """Return the events at the heads of the arrows between process lines, ascending; each tail is the ``cause``."""
    found = [np.zeros(0, dtype=np.int32)]
    for start in range(0, timeline.length, MANY):
        block = slice(start, min(start + MANY, timeline.length))
        cause = timeline.cause[block]
        seqs = np.arange(block.start, block.stop, dtype=np.int32)
        target = np.flatnonzero(on_line(timeline, block) & (cause >= 0) & (cause < seqs))
        source = cause[target]
        keep = on_line(timeline, source) & (timeline.process[source] != timeline.process[block][target])
        found.append(seqs[target[keep]])
    return np.concatenate(found)


def frontiers(timeline: Timeline, event: int, heads: NDArray[np.int32] | None = None) -> Cones:
    """Return the frontiers of an event; ``heads`` is the result of :func:`arrows` if it is already known."""
    n, length = timeline.n, timeline.length
    heads = arrows(timeline) if heads is None else heads
    stands = bool(on_line(timeline, np.array([event]))[0])
    # One entry more than there are processes, for events at no process.
    until, since = np.full(n + 1, -1, dtype=np.int64), np.full(n + 1, length, dtype=np.int64)
    start = event
    if stands:
        since[timeline.process[event]] = event
    else:
        start = int(timeline.cause[event])
        found = 0 <= start < event and bool(on_line(timeline, np.array([start]))[0])
        start = start if found else -1
    if start >= 0:
        until[timeline.process[start]] = start
        for stop in range(int(np.searchsorted(heads, np.int32(start), side="right")), 0, -BLOCK):
            b = heads[max(0, stop - BLOCK) : stop]
            a = timeline.cause[b]
            p, q = timeline.process[a], timeline.process[b]
            while True:
                moves = (b <= until[q]) & (a > until[p])
                if not moves.any():
                    break
                np.maximum.at(until, p[moves], a[moves])
    if stands:
        for first in range(int(np.searchsorted(heads, np.int32(event))), len(heads), BLOCK):
            b = heads[first : first + BLOCK]
            a = timeline.cause[b]
            p, q = timeline.process[a], timeline.process[b]
            while True:
                moves = (a >= since[p]) & (b < since[q])
                if not moves.any():
                    break
                np.minimum.at(since, q[moves], b[moves])
    return Cones(event, stands, until, since)
