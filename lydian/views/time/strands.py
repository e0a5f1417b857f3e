"""Ways from event to event: by which an event came to know of another, and the strands that colours follow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.time.cones import arrows, cones_of

__all__ = ["strands", "way_between"]


def way_between(timeline: Timeline, first: int, last: int) -> NDArray[np.int64] | None:
    """Return the way by which ``last`` came to know of ``first``, as events in order with both at its ends.

    At each process it goes through the first event there that knows of ``first``, so no news was faster; from there
    along the line of the process. ``None`` if ``first`` did not happen before ``last``.
    """
    cones = cones_of(timeline, first)
    if first == last or not cones.future(timeline, np.array([last], dtype=np.int64))[0]:
        return None
    way, now = [last], last
    if int(timeline.kind[last]) == Kind.DROP:  # it stands on no line: what led to it is its sending
        now = int(timeline.cause[last])
        way.append(now)
    source, target = arrows(timeline)
    while timeline.process[now] != timeline.process[first]:
        here = int(cones.since[timeline.process[now]])
        low, high = np.searchsorted(target, (here, here + 1))
        tails = source[low:high]
        tail = int(tails[tails >= cones.since[timeline.process[tails]]][0])
        way += [tail] if here == now else [here, tail]
        now = tail
    return np.array(sorted({*way, first}), dtype=np.int64)


def strands(timeline: Timeline) -> NDArray[np.int32]:
    """Return the strand of causally consecutive events that each event lies on, numbered from 0 by their beginnings.

    A message continues the strand of the event that sent it if it is the first that this event sent; each further
    one begins a new strand. A receive, and whatever an action brings about, stays on the strand of its cause.
    """
    return remember(timeline, "strands", lambda: _strands(timeline))


def _strands(timeline: Timeline) -> NDArray[np.int32]:
    seqs = np.arange(timeline.length, dtype=np.int32)
    cause = np.asarray(timeline.cause)
    root = np.where((cause >= 0) & (cause < seqs), cause, seqs).astype(np.int32)
    sends = np.flatnonzero((np.asarray(timeline.kind) == Kind.SEND) & (root != seqs))
    goes_on = np.zeros(len(sends), dtype=bool)
    goes_on[np.unique(root[sends], return_index=True)[1]] = True
    root[sends[~goes_on]] = sends[~goes_on]
    while True:  # to the beginning in steps that double
        further = root[root]
        if np.array_equal(further, root):
            break
        root = further
    begins = root == seqs
    return (np.cumsum(begins, dtype=np.int32) - 1)[root]
