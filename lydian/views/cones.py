"""The causal past and future of an event as one frontier: up to which event of each process, from which on.

The sets are those of :mod:`lydian.trace.causality`, found block by block with whole-array operations: every arrow
is looked at once, from the event on, and in a block again as long as that moves the frontier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.axis import remember

__all__ = ["Cones", "arrows", "cones_of", "relation", "vector_clock"]

_OFF_LINE = (Kind.DROP, Kind.LINK_DOWN, Kind.LINK_UP)
BLOCK = 4096


@dataclass(frozen=True, eq=False)
class Cones:
    """The frontiers of one event.

    ``until`` (n,) is the last event of each process in the past, -1 for none, the event itself included;
    ``since`` (n,) the first one in the future, the length of the trace for none.  ``on_line`` tells whether the
    event stands on a process line; of a lost message only the past counts.
    """

    event: int
    on_line: bool
    until: NDArray[np.int64]
    since: NDArray[np.int64]

    def past(self, timeline: Timeline, seqs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of some events led to it."""
        process = timeline.process[seqs]
        on = (process >= 0) & ~np.isin(timeline.kind[seqs], _OFF_LINE)
        past: NDArray[np.bool_] = on & (seqs <= self.until[process]) & (seqs != self.event)
        return past

    def future(self, timeline: Timeline, seqs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of some events came of it."""
        if not self.on_line:
            return np.zeros(len(seqs), dtype=bool)
        drop = timeline.kind[seqs] == Kind.DROP
        # a lost message came of it if its sending did
        cause = np.where(drop, timeline.cause[seqs], seqs)
        process = np.where(cause >= 0, timeline.process[cause], -1)
        on = (process >= 0) & ~np.isin(timeline.kind[cause], _OFF_LINE)
        came = (cause >= self.since[process]) & (seqs != self.event) | drop & (cause == self.event)
        future: NDArray[np.bool_] = on & came
        return future


def arrows(timeline: Timeline) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """What leads from one process line to another: the events at the tails and at the heads, by rising head."""

    def make() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        on = (timeline.process >= 0) & ~np.isin(timeline.kind, _OFF_LINE)
        seqs = np.arange(timeline.length, dtype=np.int32)
        target = np.flatnonzero(on & (timeline.cause >= 0) & (timeline.cause < seqs)).astype(np.int32)
        source = timeline.cause[target]
        keep = on[source] & (timeline.process[source] != timeline.process[target])
        return source[keep], target[keep]

    return remember(timeline, "arrows", make)


def cones_of(timeline: Timeline, event: int) -> Cones:
    """The frontiers of an event, kept for the events asked for last."""

    def make() -> Cones:
        n, length = timeline.n, timeline.length
        on_line = bool(timeline.process[event] >= 0) and int(timeline.kind[event]) not in _OFF_LINE
        # one place more than processes, for events at none
        until, since = np.full(n + 1, -1, dtype=np.int64), np.full(n + 1, length, dtype=np.int64)
        start = event
        if on_line:
            since[timeline.process[event]] = event
        else:
            start = int(timeline.cause[event])
            found = 0 <= start < event and timeline.process[start] >= 0 and int(timeline.kind[start]) not in _OFF_LINE
            start = start if found else -1
        if start >= 0:
            until[timeline.process[start]] = start
        source, target = arrows(timeline)
        if start >= 0:
            for stop in range(int(np.searchsorted(target, start, side="right")), 0, -BLOCK):
                block = slice(max(0, stop - BLOCK), stop)
                a, b = source[block], target[block]
                p, q = timeline.process[a], timeline.process[b]
                while True:
                    moves = (b <= until[q]) & (a > until[p])
                    if not moves.any():
                        break
                    np.maximum.at(until, p[moves], a[moves])
        if on_line:
            for first in range(int(np.searchsorted(target, event)), len(target), BLOCK):
                block = slice(first, first + BLOCK)
                a, b = source[block], target[block]
                p, q = timeline.process[a], timeline.process[b]
                while True:
                    moves = (a >= since[p]) & (b < since[q])
                    if not moves.any():
                        break
                    np.minimum.at(since, q[moves], b[moves])
        return Cones(event, on_line, until, since)

    return remember(timeline, ("cones", event), make)


def vector_clock(timeline: Timeline, event: int) -> NDArray[np.int64]:
    """How many events of each process the event knows of, itself included, (n,); made when asked for."""

    def make() -> NDArray[np.int64]:
        until = cones_of(timeline, event).until
        last = int(until.max(initial=-1)) + 1
        process = timeline.process[:last]
        known = (process >= 0) & ~np.isin(timeline.kind[:last], _OFF_LINE) & (np.arange(last) <= until[process])
        return np.bincount(process[known], minlength=timeline.n)

    return remember(timeline, ("clock", event), make)


def relation(timeline: Timeline, a: int, b: int) -> str:
    """How event b stands to event a: ``"before"``, ``"after"``, ``"same"`` or ``"concurrent"``."""
    if a == b:
        return "same"
    cones = cones_of(timeline, a)
    other = np.array([b], dtype=np.int64)
    if cones.past(timeline, other)[0]:
        return "before"
    return "after" if cones.future(timeline, other)[0] else "concurrent"
