"""Playing by events: the same time on the screen from each moment at which something happens to the next one.

Time still flows continuously, only faster where little happens and slower where much does.  Events of one time
happen together and count once, as they do for a step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Place", "onwards"]


@dataclass(frozen=True)
class Place:
    """A time, and where it lies between two moments.

    ``gap`` is the number of the event that ends the gap, -1 if the time is a moment itself; ``share`` of the gap, 0
    to 1, has passed.  The share is kept beside the time, as a gap may be too short to hold a time of its own.
    """

    t: float
    gap: int = -1
    share: float = 0.0


def onwards(times: NDArray[Any], start: float, place: Place, amount: float) -> Place:
    """Where one is after ``amount`` further moments, negative for backwards.

    Args:
        times: times of all events, not falling.
        start: a time before all of them; going backwards ends there, going forwards with the last event.
    """
    if amount == 0 or not len(times):
        return place
    forwards, left = amount > 0, abs(amount)
    gap, share = _gap(times, start, place, forwards)
    while 0 <= gap < len(times):
        end = float(times[gap])
        begin = float(times[gap - 1]) if gap else start
        need = 1.0 - share if forwards else share
        if left < need:
            share = min(max(share + left if forwards else share - left, 0.0), 1.0)
            t = begin + (end - begin) * share
            return Place(min(max(t, begin), math.nextafter(end, -math.inf)), gap, share)
        left -= need
        at = end if forwards else begin
        if left <= 0:
            return Place(at)
        gap, share = _gap(times, start, Place(at), forwards)
    return Place(float(times[-1]) if forwards else start)


def _gap(times: NDArray[Any], start: float, place: Place, forwards: bool) -> tuple[int, float]:
    """The gap that lies ahead of a place, or that it lies in; outside 0 .. len(times)-1 if none lies ahead."""
    if 0 <= place.gap < len(times):
        return place.gap, place.share
    t = place.t
    if forwards:
        gap = int(np.searchsorted(times, t, side="right"))
        if gap == len(times):
            return gap, 0.0
    else:
        gap = int(np.searchsorted(times, t, side="left"))
        if t <= start:
            return -1, 1.0
        if gap == len(times) or float(times[gap]) == t:
            # at a moment, or after the last one: the gap is the one that ends here
            return (gap, 1.0) if gap < len(times) else (len(times) - 1, 1.0)
    end, begin = float(times[gap]), float(times[gap - 1]) if gap else start
    return gap, (t - begin) / (end - begin) if end > begin else 1.0
