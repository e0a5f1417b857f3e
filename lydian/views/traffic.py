"""The messages of an execution in order of sending, and which of them are under way in a window."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.axis import Window, remember
from lydian.views.timescale import Scale

__all__ = ["Messages", "arrows_between", "arrows_in", "count_in", "messages_of"]


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of an execution in order of sending (``order`` is ``None`` if their numbers are in that order).

    ``reach[i]`` is the latest arrival among the first i + 1; ``arrivals`` are all arrivals in rising order;
    ``endless`` are the places in ``sent`` of those that never arrived; ``longest`` and ``usual`` are delays.
    """

    order: NDArray[np.int64] | None
    sent: NDArray[np.float64]
    arrived: NDArray[np.float64]
    reach: NDArray[np.float64]
    arrivals: NDArray[np.float64]
    endless: NDArray[np.int64]
    longest: float
    usual: float


def messages_of(timeline: Timeline) -> Messages:
    """The table of messages, made once."""

    def make() -> Messages:
        sent = np.asarray(timeline.message_sent, dtype=np.float64)
        arrived = np.asarray(timeline.message_arrived, dtype=np.float64)
        order = None
        if len(sent) and bool((sent[1:] < sent[:-1]).any()):
            order = np.argsort(sent, kind="stable")
            sent, arrived = sent[order], arrived[order]
        there = np.isfinite(arrived)
        known = np.where(there, arrived, -np.inf)
        delays = (arrived - sent)[there]
        lost = timeline.lost if order is None else timeline.lost[order]
        whole = delays[~lost[there]]
        endless = np.flatnonzero(~there)
        return Messages(
            order=order,
            sent=sent,
            arrived=arrived,
            reach=np.maximum.accumulate(known),
            arrivals=np.sort(arrived[there]),
            endless=endless,
            longest=float(delays.max(initial=0.0)),
            usual=float(whole.mean()) if len(whole) else 1.0,
        )

    return remember(timeline, "messages", make)


def arrows_in(timeline: Timeline, window: Window) -> tuple[NDArray[np.int64], int]:
    """The messages under way at any time of the window, in order of sending, and their number.

    A message that never arrived is under way from its sending on.
    """
    table = messages_of(timeline)
    first, last = reach_of(table, window)
    chosen = first + np.flatnonzero(table.arrived[first:last] >= window[0])
    earlier = table.endless[: np.searchsorted(table.endless, first)]
    places = np.concatenate((earlier, chosen))
    messages = places if table.order is None else table.order[places]
    return messages, len(messages)


def reach_of(table: Messages, window: Window) -> tuple[int, int]:
    """Places in order of sending between which all arriving messages of the window lie.

    Nothing sent longer ago than the longest delay is still under way; nor is what comes before the first place
    up to which any arrival reaches into the window.
    """
    t0, t1 = window
    last = int(np.searchsorted(table.sent, t1, side="right"))
    by_delay = int(np.searchsorted(table.sent, t0 - table.longest * (1 + 1e-9) - 1e-12))
    by_reach = int(np.searchsorted(table.reach, t0))
    return min(max(by_delay, by_reach), last), last


def count_in(timeline: Timeline, window: Window) -> int:
    """How many messages :func:`arrows_in` would give, by counting alone."""
    table = messages_of(timeline)
    begun = int(np.searchsorted(table.sent, window[1], side="right"))
    return begun - int(np.searchsorted(table.arrivals, window[0], side="left"))


def arrows_between(
    timeline: Timeline, scale: Scale, span: tuple[float, float], limit: int
) -> tuple[NDArray[np.int64] | None, int]:
    """The messages whose arrows touch a stretch of the Lamport scale, and their number.

    There the arrows do not stand in order of sending, so each is asked.  ``None`` if they are more than ``limit``.
    """

    def make() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        tails = scale.events(np.where(timeline.sends >= 0, timeline.sends, timeline.receives))
        return tails.astype(np.float32), scale.events(timeline.receives).astype(np.float32)

    tail, head = remember(timeline, "lamport arrows", make)
    touching = (tail <= np.float32(span[1])) & (head >= np.float32(span[0]))
    count = int(np.count_nonzero(touching))
    return (None if count > limit else np.flatnonzero(touching)), count
