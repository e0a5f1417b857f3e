"""The causal past and future of an event, all other events, and the longest chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, did_you_mean
from lydian.trace import causality
from lydian.trace.events import OFF_LINE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.time.cones import Cones, cones_of
from lydian.views.time.strands import way_between

__all__ = ["FUTURE", "LONGEST", "MODES", "PAST", "Highlight", "chain_between", "chain_end", "chains", "marks_for"]

#: Bits of a mark.
PAST, FUTURE, LONGEST = 1, 2, 4
#: What may be asked for, and its bits.
MODES: dict[str | None, int] = {None: 0, "past": PAST, "future": FUTURE, "both": PAST | FUTURE, "longest": LONGEST}
_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Highlight:
    """Marks on one execution; asking for those in a window costs only as much as the window contains.

    ``event`` is the selected one, or the end of a chain: the longest, or one between two events. ``cones`` are its
    past and future, ``None`` for a chain, whose events and messages are ``chain`` and ``messages``, rising. The pieces
    of process lines between marked events go from ``span_first`` to ``span_last`` (events) of ``span_process``, under
    ``span_bit``. ``led`` events led to the selected one, ``came`` came of it, ``apart`` neither; the event itself is
    in none of the three. ``wanted`` are the bits that were asked for.
    """

    event: int
    wanted: int
    cones: Cones | None
    chain: NDArray[np.int64]
    messages: NDArray[np.int64]
    span_process: NDArray[np.int32]
    span_first: NDArray[np.int64]
    span_last: NDArray[np.int64]
    span_bit: NDArray[np.uint8]
    led: int
    came: int
    apart: int

    def of_events(self, timeline: Timeline, seqs: NDArray[Any]) -> NDArray[np.uint8]:
        """Return the marks of some events."""
        if self.cones is None:
            return np.isin(seqs, self.chain).astype(np.uint8) * np.uint8(LONGEST)
        bits = np.zeros(len(seqs), dtype=np.uint8)
        own = seqs == self.event
        if self.wanted & PAST:
            bits[self.cones.past(timeline, seqs) | own] |= PAST
        if self.wanted & FUTURE:
            bits[self.cones.future(timeline, seqs) | own] |= FUTURE
        return bits

    def of_messages(self, timeline: Timeline, messages: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the marks of some messages: those that both their ends share, if they arrived."""
        if self.cones is None:
            return np.isin(messages, self.messages).astype(np.uint8) * np.uint8(LONGEST)
        bits = np.zeros(len(messages), dtype=np.uint8)
        ends = timeline.receives[messages], timeline.sends[messages]
        whole = np.flatnonzero((ends[0] >= 0) & (ends[1] >= 0) & ~timeline.lost[messages])
        bits[whole] = self.of_events(timeline, ends[0][whole]) & self.of_events(timeline, ends[1][whole])
        return bits


def chains(timeline: Timeline) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the events that end a longer chain than all before them, and its length in messages; both rise.

    A message that was lost lengthens no chain.
    """

    def make() -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        counts = (timeline.kind != Kind.DROP) & (timeline.process >= 0)
        running = np.maximum.accumulate(np.where(counts, timeline.chain, 0).astype(np.int32))
        rises = np.flatnonzero(np.concatenate((running[:1] > 0, running[1:] > running[:-1])))
        return rises, running[rises]

    return remember(timeline, "chains", make)


def longest_at(timeline: Timeline, k: int) -> int:
    """Length of the longest chain among the first ``k`` events."""
    rises, lengths = chains(timeline)
    place = int(np.searchsorted(rises, k))
    return int(lengths[place - 1]) if place else 0


def chain_end(timeline: Timeline, k: int) -> int:
    """Return the event with which the longest chain of the first ``k`` events ends (the first such event), -1 for
    none.
    """
    rises, _ = chains(timeline)
    place = int(np.searchsorted(rises, k))
    return int(rises[place - 1]) if place else -1


def marks_for(timeline: Timeline, event: int | None, mode: str | None, k: int) -> Highlight | None:
    """Return the marks for a mode of :data:`MODES`, ``None`` if nothing is to be marked.

    ``event`` is the selected one; ``"longest"`` needs none, it takes the longest chain of the first ``k`` events.

    Raises:
        BadInput: for an unknown mode, or an event that is not there.
    """
    if mode not in MODES:
        known = [m for m in MODES if m]
        raise BadInput(f"unknown highlight '{mode}'{did_you_mean(mode, known)}; choose from {', '.join(known)}")
    wanted = MODES[mode]
    if wanted == LONGEST:
        event = chain_end(timeline, k)
        if event < 0:
            return None
    if not wanted or event is None:
        return None
    if not 0 <= event < len(timeline.time):
        raise BadInput(f"there is no event {event}; this execution has events 0 to {len(timeline.time) - 1}")
    last = event
    if wanted == LONGEST:
        return remember(timeline, ("highlight", wanted, last), lambda: _chain(timeline, last))
    return remember(timeline, ("highlight", wanted, last), lambda: _cones(timeline, last, wanted))


def chain_between(timeline: Timeline, first: int, last: int) -> Highlight | None:
    """Return the way by which one event came to know of another, ``None`` if neither is in the past of the other."""
    if first > last:
        first, last = last, first

    def make() -> Highlight | None:
        way = way_between(timeline, first, last)
        return None if way is None else _lit(timeline, last, way)

    return remember(timeline, ("between", first, last), make)


def _chain(timeline: Timeline, event: int) -> Highlight:
    """Return the longest chain that ends with an event."""
    return _lit(timeline, event, np.asarray(causality.longest_chain(timeline, event + 1), dtype=np.int64))


def _lit(timeline: Timeline, event: int, chain: NDArray[np.int64]) -> Highlight:
    """Return a chain of events, each in the past of the next, that ends with an event."""
    a, b = chain[:-1], chain[1:]
    travels = (timeline.message[a] >= 0) & (timeline.message[a] == timeline.message[b])
    stays = ~travels & (timeline.process[a] == timeline.process[b])
    return Highlight(
        event=event,
        wanted=LONGEST,
        cones=None,
        chain=chain,
        messages=np.unique(timeline.message[a[travels]]).astype(np.int64),
        span_process=timeline.process[a[stays]],
        span_first=a[stays],
        span_last=b[stays],
        span_bit=np.full(int(np.count_nonzero(stays)), LONGEST, dtype=np.uint8),
        led=0,
        came=0,
        apart=0,
    )


def _cones(timeline: Timeline, event: int, wanted: int) -> Highlight:
    """Past, future or both of an event."""
    cones = cones_of(timeline, event)
    first, last = _ends(timeline)
    parts: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]] = []
    if wanted & PAST:
        there = np.flatnonzero((cones.until[:-1] >= 0) & (first >= 0))
        parts.append((there, first[there], cones.until[there], PAST))
    if wanted & FUTURE:
        there = np.flatnonzero((cones.since[:-1] < timeline.length) & (last >= 0))
        parts.append((there, cones.since[there], last[there], FUTURE))
    led, came = _counts(timeline, cones)
    return Highlight(
        event=event,
        wanted=wanted,
        cones=cones,
        chain=_NONE,
        messages=_NONE,
        span_process=np.concatenate([p[0] for p in parts]).astype(np.int32),
        span_first=np.concatenate([p[1] for p in parts]),
        span_last=np.concatenate([p[2] for p in parts]),
        span_bit=np.concatenate([np.full(len(p[0]), p[3], dtype=np.uint8) for p in parts]),
        led=led,
        came=came,
        apart=timeline.length - 1 - led - came,
    )


def _counts(timeline: Timeline, cones: Cones) -> tuple[int, int]:
    """Return how many events lie in the past and in the future, block by block so that little memory is needed."""
    led = came = 0
    for start in range(0, timeline.length, 1 << 20):
        seqs = np.arange(start, min(start + (1 << 20), timeline.length))
        if start <= cones.event:
            led += int(np.count_nonzero(cones.past(timeline, seqs)))
        if seqs[-1] > cones.event:
            came += int(np.count_nonzero(cones.future(timeline, seqs)))
    return led, came


def _ends(timeline: Timeline) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first and the last event on the line of each process, -1 where there is none."""

    def make() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        on = np.flatnonzero((timeline.process >= 0) & ~np.isin(timeline.kind, OFF_LINE))
        first, last = np.full(timeline.n, -1, dtype=np.int64), np.full(timeline.n, -1, dtype=np.int64)
        last[timeline.process[on]] = on
        first[timeline.process[on[::-1]]] = on[::-1]
        return first, last

    return remember(timeline, "ends of lines", make)
