"""Targets of a step: the next event, round, time unit, cause or effect, or event of the longest chain.

These are pure functions of a timeline. A *moment* is a time at which something happens; events of equal time happen
together.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace import causality
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember

__all__ = ["along", "cause_of", "current", "effect_of", "longest", "moment", "round_end", "start_of", "unit"]


def start_of(timeline: Timeline | None) -> float:
    """Return the moment before the first event, at most 0: the largest number below the first time if that is 0 or
    less.
    """
    if timeline is None or not len(timeline.time):
        return 0.0
    first = float(timeline.time[0])
    return 0.0 if first > 0 else math.nextafter(first, -math.inf)


def moment(timeline: Timeline, t: float, direction: int, process: int | None = None) -> float:
    """Return the nearest moment after t (1) or before it (-1), of one process if given.

    Without one on that side, it is the end or the start of the run.
    """
    times = timeline.time if process is None else timeline.time[timeline.events_of(process)]
    return _nearest(times, t, direction, timeline)


def round_end(timeline: Timeline, t: float, direction: int) -> float:
    """Return the nearest end of a round after t or before it: the time of the last event of that round.

    Rounds in which nothing happens have none. For a record of a single round it is the end or the start.
    """

    def make() -> NDArray[Any]:
        last = np.flatnonzero(timeline.round[1:] != timeline.round[:-1])
        return np.append(timeline.time[last], timeline.time[-1:])

    return _nearest(remember(timeline, "ends of rounds", make), t, direction, timeline)


def unit(t: float, direction: int, length: float = 1.0) -> float:
    """Return the next or the previous whole multiple of a length of time."""
    at = t / length
    near = round(at)
    here = near if abs(at - near) < 1e-9 else (math.floor(at) if direction > 0 else math.ceil(at))
    return (here + (1 if direction > 0 else -1)) * length


def current(timeline: Timeline, t: float, processes: frozenset[int] = frozenset()) -> int | None:
    """Return the last event that has happened by t, at one of the processes if any are given; ``None`` before the
    first.
    """
    k = timeline.count(t)
    seq = max((timeline.last_event(p, k) for p in processes), default=k - 1)
    return seq if seq >= 0 else None


def effect_of(timeline: Timeline, seq: int) -> int | None:
    """Return the first event that an event causes: the receive (or loss) of a send, the first send of a receive."""

    def make() -> NDArray[np.int32]:
        effects = np.full(timeline.length, -1, dtype=np.int32)
        caused = np.flatnonzero((timeline.cause >= 0) & (timeline.cause < np.arange(timeline.length)))
        effects[timeline.cause[caused[::-1]]] = caused[::-1]  # In reverse order, the first of several is kept.
        return effects

    if not 0 <= seq < timeline.length:
        return None
    effect = int(remember(timeline, "first effects", make)[seq])
    return effect if effect >= 0 else None


def cause_of(timeline: Timeline, seq: int) -> int | None:
    """Return the event that caused an event; ``None`` if it has no cause."""
    if not 0 <= seq < timeline.length:
        return None
    cause = int(timeline.cause[seq])
    return cause if 0 <= cause < seq else None


def longest(timeline: Timeline) -> NDArray[np.int64]:
    """Return the events of the longest chain of the run, ascending."""
    return remember(timeline, "longest chain", lambda: causality.longest_chain(timeline))


def along(timeline: Timeline, chain: NDArray[np.int64], t: float, event: int | None, direction: int) -> int | None:
    """Return the event of a chain after or before ``event``, or if that is not on the chain, after or before time t.

    The result is ``None`` at the end of the chain.
    """
    if event is not None:
        at = int(np.searchsorted(chain, event))
        if at < len(chain) and int(chain[at]) == event:
            at += 1 if direction > 0 else -1
            return int(chain[at]) if 0 <= at < len(chain) else None
    times = timeline.time[chain]
    at = int(np.searchsorted(times, t, side="right" if direction > 0 else "left")) - (0 if direction > 0 else 1)
    return int(chain[at]) if 0 <= at < len(chain) else None


def _nearest(times: NDArray[Any], t: float, direction: int, timeline: Timeline) -> float:
    if direction > 0:
        at = int(np.searchsorted(times, t, side="right"))
        return float(times[at]) if at < len(times) else max(start_of(timeline), timeline.end)
    at = int(np.searchsorted(times, t, side="left"))
    return float(times[at - 1]) if at > 0 else start_of(timeline)
