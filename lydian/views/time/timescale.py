"""The place of a moment on the horizontal axis, and the moment at a place.

A *place* is a number that grows to the right; the painters turn it into pixels. On every scale but ``time``,
places and times differ. All that is on the axis - events, play head, ruler, window, what is pointed at - asks the same
:class:`Scale`, so they always agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Window, nice_step, remember, tick_text, ticks

__all__ = ["SCALES", "Scale", "follow", "scale_of"]

Floats = NDArray[np.float64]

#: The scales there are, and what they are called.
SCALES = {
    "time": tr("Real time"),
    "events": tr("One step per event"),
    "squashed": tr("Idle time compressed"),
    "lamport": tr("Lamport time"),
}

#: Between these fractions of the window the play head stays while it is followed.
FOLLOW = (0.2, 0.8)
#: Gaps without an event that are longer than this number of usual ones are squashed.
LONG = 6.0
#: Squashed to less than this share of their length they are marked.
MARKED = 0.5


@dataclass(frozen=True, eq=False)
class Scale:
    """One way to lay out the time of one execution.

    ``name`` is one of :data:`SCALES`. ``squashed`` are the stretches, (k, 2) times, that are shown less than half
    as long as they were. ``straight``: a place is a time. ``by_time``: events are in the order in which they
    happened (on all but the Lamport scale).
    """

    name: str
    squashed: Floats
    _place: Callable[[Floats], Floats]
    _time: Callable[[Floats], Floats]
    _before: Callable[[float], float]
    _events: Callable[[NDArray[Any]], Floats]

    @property
    def straight(self) -> bool:
        return self.name == "time"

    @property
    def by_time(self) -> bool:
        return self.name != "lamport"

    @overload
    def place(self, t: float) -> float: ...
    @overload
    def place(self, t: Floats) -> Floats: ...
    def place(self, t: Any) -> Any:
        """Return the place of a time, or of an array of times; it never falls.

        On the scale of events it is after the last event at or before that time; on the Lamport scale, at the
        greatest Lamport time so far. An infinite time is at infinity.
        """
        if self.straight:
            return t
        times = np.asarray(t, dtype=np.float64)
        known = np.isfinite(times)
        found = np.where(known, self._place(np.where(known, times, 0.0)), times)
        return found if isinstance(t, np.ndarray) else float(found)

    @overload
    def time(self, place: float) -> float: ...
    @overload
    def time(self, place: Floats) -> Floats: ...
    def time(self, place: Any) -> Any:
        """Return the time at a place, or at an array of places; it never falls."""
        if self.straight:
            return place
        found = self._time(np.asarray(place, dtype=np.float64))
        return found if isinstance(place, np.ndarray) else float(found)

    def events(self, seqs: NDArray[Any]) -> Floats:
        """Return the places of events; -1, which is not an event, is at infinity."""
        missing = np.asarray(seqs) < 0
        if missing.all():
            return np.full(len(seqs), np.inf)
        found = self._events(np.maximum(seqs, 0))
        return np.where(missing, np.inf, found) if missing.any() else found

    def span(self, window: Window) -> tuple[float, float]:
        """Return the first and the last place of a window, including all events of its first and last moments."""
        if self.straight:
            return window
        start, stop = self._before(window[0]), self.place(window[1])
        return start, max(stop, start + 1e-9 * max(1.0, abs(start)))

    def window(self, span: tuple[float, float]) -> Window:
        """Return the window that goes from place to place."""
        return self.time(span[0]), self.time(span[1])

    def move(self, window: Window, by: float) -> Window:
        """Return the window moved by a part of its length; its length stays the same in places."""
        start, stop = self.span(window)
        return self.window((start + by * (stop - start), stop + by * (stop - start)))

    def zoom(self, window: Window, factor: float, at: float) -> Window:
        """Return the window with ``factor`` times as much detail, time ``at`` staying where it is."""
        start, stop = self.span(window)
        here = self.place(at)
        return self.window((here - (here - start) / factor, here + (stop - here) / factor))

    def ruler(self, span: tuple[float, float], count: int) -> list[tuple[float, str]]:
        """Return the places to mark and what to write there, at most about ``count``: real times, or Lamport times.

        Where the scale is not straight every mark is the roundest time near to its exact place.
        """
        if self.straight or self.name == "lamport":
            found, step = ticks(span, count if self.straight else min(count, max(1, int(span[1] - span[0]))))
            return [(place, tick_text(place, step)) for place in found.tolist()]
        targets = np.linspace(*span, max(2, count) + 1)
        times = self.time(targets)
        marks: list[tuple[float, str]] = []
        nearest = (span[1] - span[0]) / max(1, count) * 0.75
        for i in range(1, len(targets) - 1):
            near = min(times[i + 1] - times[i], times[i] - times[i - 1])
            step = nice_step(max(2 * near, 1e-12 * max(1.0, abs(times[i]))), 4)
            time = round(times[i] / step) * step
            place = self.place(time)
            inside = span[0] <= place <= span[1]
            if inside and (not marks or place - marks[-1][0] >= nearest):
                text = tick_text(time, step)
                marks.append((place, text.rstrip("0").rstrip(".") if "." in text else text))
        return marks


def scale_of(timeline: Timeline, name: str = "time") -> Scale:
    """Return the scale of that name for an execution, made once.

    Raises:
        BadInput: for an unknown name.
    """
    if name not in SCALES:
        raise BadInput(f"unknown axis '{name}'{did_you_mean(name, SCALES)}; choose from {', '.join(SCALES)}")
    makers = {"time": _straight, "events": _by_events, "squashed": _squashed, "lamport": _lamport}
    return remember(timeline, ("scale", name), lambda: makers[name](timeline))


def follow(window: Window, t: float, scale: Scale | None = None) -> Window:
    """Return the window moved just far enough for ``t`` to be between 20 % and 80 % of it; never before time 0.

    With a ``scale`` the window keeps its length in places, so that what is drawn only moves.
    """
    start, stop = window if scale is None else scale.span(window)
    here = t if scale is None else scale.place(t)
    length = stop - start
    low, high = start + FOLLOW[0] * length, start + FOLLOW[1] * length
    shift = here - high if here > high else here - low if here < low else 0.0
    if scale is not None and shift == 0.0:
        return window
    start = max(0.0, start + shift)
    return (start, start + length) if scale is None else scale.window((start, start + length))


def _straight(timeline: Timeline) -> Scale:
    time = timeline.time
    return Scale("time", np.zeros((0, 2)), lambda t: t, lambda u: u, lambda t: t, lambda seqs: time[seqs])


def _by_events(timeline: Timeline) -> Scale:
    """Event number s is at s + 1, whatever the gaps."""
    time, n = timeline.time, timeline.length
    if not n:
        return _renamed(_straight(timeline), "events")
    usual = (float(time[-1] - time[0]) / n) or 1.0

    def place(t: Floats) -> Floats:
        k = np.searchsorted(time, t, side="right")
        low, high = time[np.maximum(k - 1, 0)], time[np.minimum(k, n - 1)]
        gap = np.where(high > low, high - low, 1.0)
        inside = k + np.clip((t - low) / gap, 0.0, np.nextafter(1.0, 0.0))
        outside = np.where(k == 0, 1.0 + (t - time[0]) / usual, n + (t - time[-1]) / usual)
        return np.where((k == 0) | (k == n), outside, inside)

    def back(u: Floats) -> Floats:
        k = np.clip(np.floor(u), 1, max(n - 1, 1)).astype(np.int64)
        low, high = time[k - 1], time[np.minimum(k, n - 1)]
        inside = low + (u - k) * (high - low)
        after: Floats = np.where(u >= n, time[-1] + (u - n) * usual, inside)
        return np.where(u < 1, time[0] + (u - 1) * usual, after)

    def before(t: float) -> float:
        k = int(np.searchsorted(time, t))
        return float(k) if k < n and time[k] == t else float(place(np.asarray(t)))

    return Scale("events", np.zeros((0, 2)), place, back, before, lambda seqs: np.asarray(seqs) + 1.0)


def _squashed(timeline: Timeline) -> Scale:
    """Return a scale on which a gap much longer than the usual one grows only by its logarithm."""
    time = timeline.time
    gaps = np.diff(time)
    usual = float(np.median(gaps[gaps > 0])) if bool((gaps > 0).any()) else 0.0
    limit = LONG * usual
    long = np.flatnonzero(gaps > limit) if limit > 0 else np.zeros(0, np.int64)
    if not len(long):
        return _renamed(_straight(timeline), "squashed")
    lengths = gaps[long]
    shown = limit * (1.0 + np.log(lengths / limit))
    knots = np.empty(2 * len(long))
    knots[::2], knots[1::2] = time[long], time[long + 1]
    lost = np.concatenate(([0.0], np.cumsum(lengths - shown)))
    places = knots.copy()
    places[::2] -= lost[:-1]
    places[1::2] -= lost[1:]

    def through(x: Floats, a: Floats, b: Floats) -> Floats:
        """Piecewise linear through the points (a, b), with slope 1 outside."""
        inside = np.interp(x, a, b)
        return np.where(x < a[0], b[0] + (x - a[0]), np.where(x > a[-1], b[-1] + (x - a[-1]), inside))

    def place(t: Floats) -> Floats:
        return through(t, knots, places)

    much = shown < MARKED * lengths
    return Scale(
        "squashed",
        np.stack((time[long][much], time[long + 1][much]), axis=1),
        place,
        lambda u: through(u, places, knots),
        lambda t: float(place(np.asarray(t))),
        lambda seqs: place(time[seqs]),
    )


def _lamport(timeline: Timeline) -> Scale:
    """Events are at their Lamport times, and a moment at the greatest one so far."""
    time, lamport, n = timeline.time, timeline.lamport, timeline.length
    if not n or int(lamport.max(initial=0)) <= 0:
        return _renamed(_straight(timeline), "lamport")
    highest = np.maximum.accumulate(lamport)
    rises = np.flatnonzero(np.diff(highest, prepend=0) > 0)
    rises = rises[np.append(time[rises][1:] != time[rises][:-1], True)]  # of one moment the last
    at, value = time[rises], highest[rises].astype(np.float64)
    usual = (float(at[-1] - at[0]) / float(value[-1])) or 1.0

    def place(t: Floats) -> Floats:
        inside = np.interp(t, at, value)
        below, above = value[0] + (t - at[0]) / usual, value[-1] + (t - at[-1]) / usual
        found: Floats = np.where(t < at[0], np.maximum(below, t - at[0]), np.where(t > at[-1], above, inside))
        return found

    def back(u: Floats) -> Floats:
        inside = np.interp(u, value, at)
        below, above = at[0] + (u - value[0]) * usual, at[-1] + (u - value[-1]) * usual
        found: Floats = np.where(u < value[0], below, np.where(u > value[-1], above, inside))
        return found

    def before(t: float) -> float:
        if t <= time[0]:
            return 0.0
        k = int(np.searchsorted(at, t))
        same = k < len(at) and at[k] == t
        return float(value[k - 1]) if same and k else float(place(np.asarray(t)))

    return Scale("lamport", np.zeros((0, 2)), place, back, before, lambda seqs: lamport[seqs].astype(np.float64))


def _renamed(scale: Scale, name: str) -> Scale:
    """Return the straight scale under another name, for executions in which the two are the same."""
    return Scale(name, scale.squashed, scale._place, scale._time, scale._before, scale._events)
