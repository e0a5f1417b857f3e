"""The messages of an execution in order of sending, and which of them are under way in a window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Window, remember
from lydian.views.time.timescale import Scale

__all__ = ["Messages", "arrows_between", "arrows_in", "count_in", "ended_before", "messages_of", "sent_before"]

Side = Literal["left", "right"]


#: Messages or events of which one number is kept.
BLOCK = 1024


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of an execution in order of sending (``order`` is ``None`` if their numbers are in that order).

    ``sent`` and ``arrived`` are times in that order; ``by_event`` says whether the events that sent them are in
    ascending order as well. ``reach[i]`` is the latest arrival before place ``(i + 1) * BLOCK``, ``ended[i]`` the
    number of messages that ended before event ``i * BLOCK``; ``endless`` are the places in ``sent`` of those that never
    arrived; ``longest`` and ``usual`` are delays.
    """

    order: NDArray[np.int64] | None
    sent: NDArray[np.float64]
    arrived: NDArray[np.float64]
    by_event: bool
    reach: NDArray[np.float64]
    ended: NDArray[np.int64]
    endless: NDArray[np.int64]
    longest: float
    usual: float


def messages_of(timeline: Timeline) -> Messages:
    """Return the table of messages, made once."""
    return remember(timeline, "messages", lambda: _messages(timeline))


def _messages(timeline: Timeline) -> Messages:
    sent, arrived, lost, order = timeline.message_sent, timeline.message_arrived, timeline.lost, None
    sends = timeline.sends
    by_event = bool((sends[:1] >= 0).all()) and bool((sends[1:] > sends[:-1]).all())
    if not by_event:
        sent, arrived = np.asarray(sent), np.asarray(arrived)
        if bool((sent[1:] < sent[:-1]).any()):
            order = np.argsort(sent, kind="stable")
            sent, arrived, lost = sent[order], arrived[order], lost[order]
    longest = total = 0.0
    whole = 0
    reach = np.empty(-(-len(sent) // BLOCK))
    endless = [np.zeros(0, dtype=np.int64)]
    for first in range(0, len(sent), 64 * BLOCK):  # all at once would take much memory
        until = arrived[first : first + 64 * BLOCK]
        there = np.isfinite(until)
        delays = (until - sent[first : first + 64 * BLOCK])[there]
        longest = max(longest, float(delays.max(initial=0.0)))
        came = delays[~lost[first : first + 64 * BLOCK][there]]
        total, whole = total + float(came.sum()), whole + len(came)
        endless.append(first + np.flatnonzero(~there))
        known = np.where(there, until, -np.inf)
        starts = np.arange(0, len(known), BLOCK)
        reach[first // BLOCK : first // BLOCK + len(starts)] = np.maximum.reduceat(known, starts)
    ends = timeline.receives[timeline.receives >= 0] // BLOCK
    return Messages(
        order=order,
        sent=sent,
        arrived=arrived,
        by_event=by_event,
        reach=np.maximum.accumulate(reach),
        ended=np.concatenate(([0], np.cumsum(np.bincount(ends, minlength=timeline.length // BLOCK + 1)))),
        endless=np.concatenate(endless),
        longest=longest,
        usual=total / whole if whole else 1.0,
    )


def sent_before(timeline: Timeline, t: float, side: Side = "left") -> int:
    """Return how many messages were sent before time ``t`` (``side="right"``: or at it)."""
    table = messages_of(timeline)
    if not table.by_event:
        return int(np.searchsorted(table.sent, t, side=side))
    return int(np.searchsorted(timeline.sends, np.int32(np.searchsorted(timeline.time, t, side=side))))


def ended_before(timeline: Timeline, t: float, side: Side = "left") -> int:
    """Return how many messages arrived or were lost before time ``t`` (``side="right"``: or at it)."""
    k = int(np.searchsorted(timeline.time, t, side=side))
    rows = np.arange(k // BLOCK * BLOCK, k)
    message = timeline.message[rows]
    carries = message >= 0
    behind = int(np.count_nonzero(timeline.receives[message[carries]] == rows[carries]))
    return int(messages_of(timeline).ended[k // BLOCK]) + behind


def arrows_in(timeline: Timeline, window: Window) -> tuple[NDArray[np.int64], int]:
    """Return the messages under way at any time of the window, in order of sending, and their number.

    A message that never arrived is under way from its sending on.
    """
    table = messages_of(timeline)
    first, last = reach_of(timeline, window)
    chosen = first + np.flatnonzero(table.arrived[first:last] >= window[0])
    earlier = table.endless[: np.searchsorted(table.endless, first)]
    places = np.concatenate((earlier, chosen))
    messages = places if table.order is None else table.order[places]
    return messages, len(messages)


def reach_of(timeline: Timeline, window: Window) -> tuple[int, int]:
    """Return the places in the order of sending between which all arriving messages of the window are.

    Nothing sent longer ago than the longest delay is still under way; nor is what comes before the first places
    up to which any arrival reaches into the window.
    """
    t0, t1 = window
    table = messages_of(timeline)
    last = sent_before(timeline, t1, "right")
    by_delay = sent_before(timeline, t0 - table.longest * (1 + 1e-9) - 1e-12)
    by_reach = int(np.searchsorted(table.reach, t0)) * BLOCK
    return min(max(by_delay, by_reach), last), last


def count_in(timeline: Timeline, window: Window) -> int:
    """Return how many messages :func:`arrows_in` would give, by counting alone."""
    return sent_before(timeline, window[1], "right") - ended_before(timeline, window[0])


def arrows_between(
    timeline: Timeline, scale: Scale, span: tuple[float, float], limit: int
) -> tuple[NDArray[np.int64] | None, int]:
    """Return the messages whose arrows touch a stretch of the Lamport scale, and their number.

    There the arrows are not in order of sending, so each is examined. ``None`` if there are more than ``limit``.
    """

    def make() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        tails = scale.events(np.where(timeline.sends >= 0, timeline.sends, timeline.receives))
        return tails.astype(np.float32), scale.events(timeline.receives).astype(np.float32)

    tail, head = remember(timeline, "lamport arrows", make)
    touching = (tail <= np.float32(span[1])) & (head >= np.float32(span[0]))
    count = int(np.count_nonzero(touching))
    return (None if count > limit else np.flatnonzero(touching)), count
