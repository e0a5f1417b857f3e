"""Conditions at which playback stops, and the first or last event that meets them.

A *condition* is a function ``condition(timeline, k0, k1)`` that returns the first matching event of k0 .. k1-1, or
``None``. The breakpoints of :mod:`lydian.views.playback.until` are conditions (by their ``hit``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from lydian.language import tr

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = [
    "Condition",
    "StopCondition",
    "Stopped",
    "each",
    "find",
    "first_of",
    "last_of",
    "on_the_way",
    "time_ahead",
    "time_words",
    "words_at",
]

Condition = Callable[["Timeline", int, int], "int | None"]


@dataclass(frozen=True)
class StopCondition:
    """A condition that stops playback, and its name.

    Args:
        condition: what is waited for.
        words: how lists and messages call it.
        enabled: whether it stops anything now.
        error: what went wrong when it was asked; then it is no longer enabled.
        time: a time at which it stops, whether anything happens then or not.
    """

    condition: Condition
    words: str = ""
    enabled: bool = True
    error: str = ""
    time: float | None = None


@dataclass(frozen=True)
class Stopped:
    """Why playback stopped: at which event (``None`` for a time), and the stop's words."""

    event: int | None
    words: str


def each(test: Callable[[Timeline, int], bool]) -> Condition:
    """Return a condition from a test of a single event: ``test(timeline, seq)``."""

    def condition(timeline: Timeline, k0: int, k1: int) -> int | None:
        return next((seq for seq in range(k0, k1) if test(timeline, seq)), None)

    return condition


def first_of(condition: Condition, timeline: Timeline, k0: int, k1: int) -> int | None:
    """Return the first event of k0 .. k1-1 that meets a condition.

    Raises:
        ValueError: if it names an event outside.
    """
    if k0 >= k1:
        return None
    found = condition(timeline, k0, k1)
    if found is None:
        return None
    if not k0 <= found < k1:
        raise ValueError(f"asked for an event from {k0} to {k1 - 1}, the condition named {found}")
    return int(found)


def last_of(condition: Condition, timeline: Timeline, k0: int, k1: int) -> int | None:
    """Return the last event of k0 .. k1-1 that meets a condition, in at most about 2 log2(k1 - k0) calls."""
    found = first_of(condition, timeline, k0, k1)
    while found is not None:
        k0 = found + 1
        middle = (k0 + k1) // 2
        later = first_of(condition, timeline, middle, k1)
        if later is None:
            k1 = middle
            later = first_of(condition, timeline, k0, k1)
        if later is None:
            return found
        found = later
    return None


def find(condition: Condition, timeline: Timeline, t: float, direction: int) -> int | None:
    """Return the next event that meets a condition after time t, or the previous one before it."""
    if direction > 0:
        return first_of(condition, timeline, timeline.count(t), timeline.length)
    return last_of(condition, timeline, 0, int(np.searchsorted(timeline.time, t, side="left")))


def on_the_way(
    stops: tuple[StopCondition, ...], timeline: Timeline, t0: float, t1: float, *, landing: bool = False
) -> tuple[int | None, tuple[StopCondition, ...]]:
    """Return the event at which playing from time t0 to t1 first stops, ``None`` if there is none; and the updated
    stops.

    Events at t0 itself do not stop playback, as they have been shown. ``landing`` checks the events at t1 alone. A stop
    whose condition raises an error is disabled and reports it.
    """
    if landing:
        k0, k1 = (int(np.searchsorted(timeline.time, t1, side=side)) for side in ("left", "right"))
        forwards = True
    else:
        forwards = t1 >= t0
        side = "right" if forwards else "left"
        k0, k1 = sorted(int(np.searchsorted(timeline.time, t, side=side)) for t in (t0, t1))  # type: ignore[call-overload]
    best: int | None = None
    asked = list(stops)
    for number, stop in enumerate(stops):
        if not stop.enabled:
            continue
        try:
            if forwards:
                found = first_of(stop.condition, timeline, k0, k1 if best is None else best)
            else:
                found = last_of(stop.condition, timeline, k0 if best is None else best + 1, k1)
        except Exception as error:  # noqa: BLE001  a condition may be anybody's code; playing goes on without it
            asked[number] = replace(stop, enabled=False, error=f"{type(error).__name__}: {error}")
            continue
        if found is not None:
            best = found
    return best, tuple(asked)


def time_ahead(stops: tuple[StopCondition, ...], t: float, direction: int) -> tuple[float, str] | None:
    """Return the nearest time after t, or before it, of an enabled stop, and its words."""
    ahead = [
        (stop.time, stop.words)
        for stop in stops
        if stop.enabled and stop.time is not None and (stop.time - t) * direction > 0
    ]
    return None if not ahead else (min if direction > 0 else max)(ahead, key=lambda each: each[0])


def words_at(stops: tuple[StopCondition, ...], timeline: Timeline, event: int) -> str:
    """Return the words of the first enabled stop that an event meets."""
    for stop in stops:
        if stop.enabled and first_of(stop.condition, timeline, event, event + 1) is not None:
            return stop.words
    return ""


def time_words(t: float) -> str:
    """Return the words for a time at which playback stops."""
    return tr("time {time:g}", time=t) if math.isfinite(t) else tr("the end")
