"""What led to an event, what came of it, and the longest chain: events, messages and pieces of process lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, did_you_mean
from lydian.trace import causality
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.axis import remember

__all__ = ["FUTURE", "LONGEST", "MODES", "PAST", "Highlight", "chain_end", "chains", "marks_for"]

#: Bits of a mark.
PAST, FUTURE, LONGEST = 1, 2, 4
#: What may be asked for, and its bits.
MODES: dict[str | None, int] = {None: 0, "past": PAST, "future": FUTURE, "both": PAST | FUTURE, "longest": LONGEST}


@dataclass(frozen=True, eq=False)
class Highlight:
    """Marks on one execution.

    ``bits`` (events,) uint8 marks events.  ``messages`` (k,) are the marked messages in rising order and
    ``message_bits`` (k,) their marks.  The pieces of process lines between marked events are ``span_process``,
    ``span_from``, ``span_to`` (times) and ``span_bit``.  ``led`` events led to the selected one, ``came`` came of
    it; the event itself is counted in neither, but marked.  ``wanted`` are the bits that were asked for.
    """

    bits: NDArray[np.uint8]
    messages: NDArray[np.int64]
    message_bits: NDArray[np.uint8]
    span_process: NDArray[np.int32]
    span_from: NDArray[np.float64]
    span_to: NDArray[np.float64]
    span_bit: NDArray[np.uint8]
    led: int
    came: int
    wanted: int


def chains(timeline: Timeline) -> NDArray[np.int32]:
    """Length of the longest chain among the first k + 1 events, for every k; in messages.

    A message that was lost lengthens no chain.
    """

    def make() -> NDArray[np.int32]:
        counts = (timeline.kind != Kind.DROP) & (timeline.process >= 0)
        return np.maximum.accumulate(np.where(counts, timeline.chain, 0).astype(np.int32))

    return remember(timeline, "chains", make)


def chain_end(timeline: Timeline, k: int) -> int:
    """The event with which the longest chain of the first ``k`` events ends (the first such event), -1 for none."""
    running = chains(timeline)
    return -1 if k <= 0 or running[k - 1] <= 0 else int(np.searchsorted(running, running[k - 1]))


def marks_for(timeline: Timeline, event: int | None, mode: str | None, k: int) -> Highlight | None:
    """The marks for a mode of :data:`MODES`, ``None`` if nothing is to be marked.

    ``event`` is the selected one; ``"longest"`` needs none, it takes the longest chain of the first ``k`` events.

    Raises:
        BadInput: for an unknown mode, or an event that is not there.
    """
    if mode not in MODES:
        known = [m for m in MODES if m]
        raise BadInput(f"nothing is highlighted as '{mode}'{did_you_mean(mode, known)}; there is: {', '.join(known)}")
    wanted = MODES[mode]
    if wanted == LONGEST:
        event = chain_end(timeline, k)
        if event < 0:
            return None
    if not wanted or event is None:
        return None
    if not 0 <= event < len(timeline.time):
        raise BadInput(f"there is no event {event}: this execution has {len(timeline.time)}, counted from 0")
    last = event
    return remember(timeline, ("highlight", wanted, last), lambda: _make(timeline, last, wanted))


def _make(timeline: Timeline, event: int, wanted: int) -> Highlight:
    n = len(timeline.time)
    bits = np.zeros(n, dtype=np.uint8)
    spans: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any], int]] = []
    messages = np.zeros(0, dtype=np.int64)
    message_bits = np.zeros(0, dtype=np.uint8)
    if wanted == LONGEST:
        chain = np.asarray(causality.longest_chain(timeline, event + 1), dtype=np.int64)
        bits[chain] = LONGEST
        messages, pieces = _steps(timeline, chain)
        message_bits = np.full(len(messages), LONGEST, dtype=np.uint8)
        spans.append((*pieces, LONGEST))
    for bit, closure in ((PAST, causality.past), (FUTURE, causality.future)):
        if wanted & bit:
            marked = closure(timeline, event)
            marked[event] = True
            bits[marked] |= bit
            spans.append((*_stretches(timeline, np.flatnonzero(marked)), bit))
    if wanted & (PAST | FUTURE):
        messages, message_bits = _joined(timeline, bits)
    own = bits[event]
    return Highlight(
        bits=bits,
        messages=messages,
        message_bits=message_bits,
        span_process=np.concatenate([s[0] for s in spans]).astype(np.int32),
        span_from=np.concatenate([timeline.time[s[1]] for s in spans]),
        span_to=np.concatenate([timeline.time[s[2]] for s in spans]),
        span_bit=np.concatenate([np.full(len(s[0]), s[3], dtype=np.uint8) for s in spans]),
        led=int(np.count_nonzero(bits & PAST)) - bool(own & PAST),
        came=int(np.count_nonzero(bits & FUTURE)) - bool(own & FUTURE),
        wanted=wanted,
    )


def _stretches(timeline: Timeline, events: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Process, first and last of the events on every process that has any; ``events`` rise."""
    process = np.asarray(timeline.process)[events]
    here = (process >= 0) & ~np.isin(timeline.kind[events], (Kind.DROP, Kind.LINK_DOWN, Kind.LINK_UP))
    events, process = events[here], process[here]
    found, first = np.unique(process, return_index=True)
    _, last = np.unique(process[::-1], return_index=True)
    return found, events[first], events[len(events) - 1 - last]


def _joined(timeline: Timeline, bits: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Messages of which both ends are marked, and the marks they share."""
    arrived = np.flatnonzero((timeline.receives >= 0) & ~np.asarray(timeline.lost) & (timeline.sends >= 0))
    shared = bits[timeline.receives[arrived]] & bits[timeline.sends[arrived]]
    marked = shared > 0
    return arrived[marked], shared[marked]


def _steps(
    timeline: Timeline, chain: NDArray[np.int64]
) -> tuple[NDArray[np.int64], tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
    """The messages of a chain of events, and its stretches on process lines: process, from event, to event."""
    a, b = chain[:-1], chain[1:]
    message = np.asarray(timeline.message)
    travels = (message[a] >= 0) & (message[a] == message[b])
    process = np.asarray(timeline.process)
    stays = ~travels & (process[a] == process[b])
    return np.unique(message[a[travels]]).astype(np.int64), (process[a[stays]], a[stays], b[stays])
