"""Which stretch of a run the views along time show: some tens of events around the play head, followed in steps.

A stretch is measured in events, so that it is readable in a busy and in a quiet part of a run. All functions are pure;
:class:`~lydian.desk.timewindow.TimeWindow` keeps the stretch that is shown.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Window, fit, goes_on, remember
from lydian.views.time.timescale import FOLLOW, Scale

__all__ = [
    "FEWEST",
    "MIDDLE",
    "MOST",
    "around",
    "between",
    "eased",
    "events_in",
    "following_count",
    "place_in",
    "stepped",
    "usual",
]

#: The number of events in the usual window, from a narrow view to a wide one; a run of at most MOST is shown whole.
FEWEST, MOST = 60, 120
#: The number of pixels for one event on average.
PITCH = 9.0
#: A window contains events of at least this number of different moments, if the run has them.
MOMENTS = 4
#: The part of the window that stays free after the last event of the run.
AIR = 0.03
#: Where the play head is placed in the window: after a step forwards, after a step backwards, after a jump.
BEHIND, AHEAD, MIDDLE = FOLLOW[0], FOLLOW[1], 0.5
#: Where the play head is placed at the end of a run that goes on, whose future is unknown.
FRONT = 0.75


def usual(width: float) -> int:
    """Return the number of events in the usual window of a plot with this number of pixels."""
    return int(min(max(width // PITCH, FEWEST), MOST))


def events_in(timeline: Timeline, scale: Scale, window: Window) -> int:
    """Return the number of events in a window, including those at its ends."""
    first, last = _bounds(timeline, scale, *scale.span(window))
    return last - first


def between(timeline: Timeline, window: Window) -> tuple[int, int]:
    """Return the numbers of the first event in a window of times and of the first one after it."""
    first, last = np.searchsorted(timeline.time, window[0]), np.searchsorted(timeline.time, window[1], side="right")
    return int(first), int(last)


def around(timeline: Timeline, scale: Scale, t: float, count: int, share: float = MIDDLE) -> Window:
    """Return the shortest window with ``count`` events in which ``t`` is at a share of the width, 0 to 1.

    At both ends of the run the window stays within it, and ``t`` is nearer to the edge. The window contains more events
    if many happen at the same moment, and it is the whole run if that has too few.
    """
    whole = fit(timeline)
    if timeline.length <= count:
        return whole
    first, last = scale.span(whole)
    end = min(float(scale.place(float(timeline.end))), last)
    here = min(max(float(scale.place(t)), first), end)
    edge, air = (last, 0.0) if goes_on(timeline) else (end, AIR)

    def at(length: float) -> tuple[float, float]:
        start = max(first, min(here - share * length, edge - (1 - air) * length))
        return start, start + length

    def enough(length: float) -> bool:
        low, high = _bounds(timeline, scale, *at(length))
        return high - low >= count and _moments(timeline, scale, low, high) >= MOMENTS

    short, long = 0.0, last - first
    if not enough(long):
        return whole
    while long - short > 1e-6 * long:
        middle = (short + long) / 2
        short, long = (short, middle) if enough(middle) else (middle, long)
    if long >= 0.9999 * (last - first):
        return whole
    start, stop = at(long)
    window = scale.window((start, stop))
    return (whole[0] if start <= first else max(window[0], whole[0]), whole[1] if stop >= last else window[1])


def stepped(timeline: Timeline, scale: Scale, window: Window, t: float, count: int, *, forwards: bool) -> Window:
    """Return the window after the play head has moved to ``t``: the same one unless ``t`` has come near its edge.

    Beyond 80 % of the width, a head that moves forwards is placed at 20 % of the next window, and one that moves
    backwards at 80 % once it is below 20 %. A head outside the window is placed in the middle. If a run continues and
    almost nothing is known after the head, the head may move up to the right edge, and is then placed at 75 %.
    """
    part = place_in(scale, window, t)
    if forwards and goes_on(timeline) and timeline.length - timeline.count(t) < (1 - FRONT) * count:
        if 0 <= part <= 1:
            return window
        share = FRONT
    elif not 0 <= part <= 1:
        share = MIDDLE
    elif forwards and part > FOLLOW[1]:
        share = BEHIND
    elif not forwards and part < FOLLOW[0]:
        share = AHEAD
    else:
        return window
    return around(timeline, scale, t, count, share)


def place_in(scale: Scale, window: Window, t: float) -> float:
    """Return the part of the window's width at which a time is, 0 at the left edge and 1 at the right one."""
    start, stop = scale.span(window)
    return (float(scale.place(t)) - start) / (stop - start)


def following_count(count: int, direction: int) -> int:
    """Return the next round number of events above or below a number: 1, 1.5, 2, 3, 4, 6 or 8 times a power of ten."""
    rounds = [int(step * 10**power) for power in range(1, 10) for step in (1, 1.5, 2, 3, 4, 6, 8)]
    if direction > 0:
        return next((each for each in rounds if each > count), rounds[-1])
    return next((each for each in reversed(rounds) if each < count), rounds[0])


def eased(scale: Scale, before: Window, after: Window, part: float) -> Window:
    """Return a window on the way from one to another, fast at first (OutCubic); ``part`` of the time has passed."""
    if part >= 1:
        return after
    done = 1 - (1 - max(part, 0.0)) ** 3
    (a, b), (c, d) = scale.span(before), scale.span(after)
    return scale.window((a + (c - a) * done, b + (d - b) * done))


def _bounds(timeline: Timeline, scale: Scale, start: float, stop: float) -> tuple[int, int]:
    """Return the places of the ordered events between which those of a stretch of the axis are."""
    if scale.by_time:
        return between(timeline, (scale.time(start), scale.time(stop)))
    values = _sorted_places(timeline, scale)
    return int(np.searchsorted(values, start)), int(np.searchsorted(values, stop, side="right"))


def _moments(timeline: Timeline, scale: Scale, first: int, last: int) -> int:
    """Return the number of different moments among some of the ordered events, counting up to :data:`MOMENTS`."""
    values = timeline.time if scale.by_time else _sorted_places(timeline, scale)
    found = 0
    while first < last and found < MOMENTS:
        first = int(np.searchsorted(values, values[first], side="right"))
        found += 1
    return found


def _sorted_places(timeline: Timeline, scale: Scale) -> NDArray[np.float64]:
    """Return the places of all events on a scale on which they are not in the order in which they happened."""
    return remember(timeline, ("sorted places", scale.name), lambda: np.sort(scale.events(np.arange(timeline.length))))
