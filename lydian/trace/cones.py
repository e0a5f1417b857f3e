"""The causal past and future of an event as one frontier: up to which event of each process, from which on.

What leads from one process line to another is an arrow.  Every arrow is looked at once, from the event on, block by
block with whole-array operations, and in a block again as long as that moves the frontier.  The sets themselves are
those of :mod:`lydian.trace.causality`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import ATTACHED, OFF_LINE, Kind
from lydian.trace.timeline import Timeline

__all__ = ["Cones", "arrows", "frontiers", "on_line"]

_OFF = np.isin(np.arange(256), OFF_LINE)
#: Rows that follow their cause, and that nothing follows.
_FOLLOWS = np.isin(np.arange(256), (Kind.DROP, *ATTACHED))
BLOCK = 4096
#: Events that are looked at together while arrows are sought.
MANY = 1 << 18


@dataclass(frozen=True, eq=False)
class Cones:
    """The frontiers of one event.

    ``until`` (n + 1,) is the last event of each process in the past, -1 for none, the event itself included;
    ``since`` (n + 1,) the first one in the future, the length of the trace for none; the last place of both is that
    of events at no process.  ``on_line`` tells whether the event stands on a process line; of a lost message only the
    past counts.
    """

    event: int
    on_line: bool
    until: NDArray[np.int64]
    since: NDArray[np.int64]

    def past(self, timeline: Timeline, seqs: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Which of some events led to it."""
        process = timeline.process[seqs]
        past: NDArray[np.bool_] = on_line(timeline, seqs) & (seqs <= self.until[process]) & (seqs != self.event)
        return past

    def future(self, timeline: Timeline, seqs: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Which of some events came of it."""
        if not self.on_line:
            return np.zeros(len(seqs), dtype=bool)
        follows = _FOLLOWS[timeline.kind[seqs]]
        # a lost message came of it if its sending did
        cause = np.where(follows, timeline.cause[seqs], seqs)
        process = np.where(cause >= 0, timeline.process[cause], -1)
        came = (cause >= self.since[process]) & (seqs != self.event) | follows & (cause == self.event)
        future: NDArray[np.bool_] = (process >= 0) & ~_OFF[timeline.kind[cause]] & came
        return future


def on_line(timeline: Timeline, seqs: NDArray[np.integer] | slice) -> NDArray[np.bool_]:
    """Which of some events stand on process lines."""
    on: NDArray[np.bool_] = (timeline.process[seqs] >= 0) & ~_OFF[timeline.kind[seqs]]
    return on


def arrows(timeline: Timeline) -> NDArray[np.int32]:
    """The events at the heads of the arrows between process lines, ascending; at each tail stands its ``cause``."""
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
    """The frontiers of an event; ``heads`` are :func:`arrows`, if somebody has them already."""
    n, length = timeline.n, timeline.length
    heads = arrows(timeline) if heads is None else heads
    stands = bool(on_line(timeline, np.array([event]))[0])
    # one place more than processes, for events at none
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
