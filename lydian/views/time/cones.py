"""The causal past and future of events, kept for those asked for last: see :mod:`lydian.trace.cones`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.cones import Cones, frontiers, on_line
from lydian.trace.cones import arrows as trace_arrows
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember

__all__ = ["Cones", "arrows", "cones_of", "relation", "vector_clock"]


def arrows(timeline: Timeline) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The connections from one process line to another: the events at the tails and at the heads, by rising head."""
    heads = _heads(timeline)
    return timeline.cause[heads], heads


def _heads(timeline: Timeline) -> NDArray[np.int32]:
    return remember(timeline, "arrows", lambda: trace_arrows(timeline))


def cones_of(timeline: Timeline, event: int) -> Cones:
    """Return the frontiers of an event, kept for the events asked for last."""
    return remember(timeline, ("cones", event), lambda: frontiers(timeline, event, _heads(timeline)))


def vector_clock(timeline: Timeline, event: int) -> NDArray[np.int64]:
    """Return how many events of each process the event knows of, itself included, (n,); made when asked for."""

    def make() -> NDArray[np.int64]:
        until = cones_of(timeline, event).until
        last = int(until.max(initial=-1)) + 1
        process = timeline.process[:last]
        known = on_line(timeline, slice(0, last)) & (np.arange(last) <= until[process])
        return np.bincount(process[known], minlength=timeline.n)

    return remember(timeline, ("clock", event), make)


def relation(timeline: Timeline, a: int, b: int) -> str:
    """Return the relation of event b to event a: ``"before"``, ``"after"``, ``"same"`` or ``"concurrent"``."""
    if a == b:
        return "same"
    cones = cones_of(timeline, a)
    other = np.array([b], dtype=np.int64)
    if cones.past(timeline, other)[0]:
        return "before"
    return "after" if cones.future(timeline, other)[0] else "concurrent"
