"""A time that moves: at a constant speed or event by event, forwards or backwards, in loops, or until an event.

It has no clock of its own: the caller passes in the elapsed seconds (:meth:`Motion.advance`). Playing, playing
backwards and jumping therefore look the same to every view, and tests do not have to sleep.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.desk.signal import Signal
from lydian.trace.timeline import Timeline
from lydian.views.playback import steps, stops
from lydian.views.playback.stops import Condition, StopCondition, Stopped

if TYPE_CHECKING:
    from lydian.trace.beginning import Beginning

__all__ = ["PACES", "SPEEDS", "Motion", "Place", "onwards"]


@dataclass(frozen=True)
class Place:
    """A time, and its place between two moments.

    ``gap`` is the number of the event that ends the gap, -1 if the time is itself a moment; ``share`` is the part of
    the gap that has passed, from 0 to 1. It is kept beside the time because a gap may be too short for a
    floating-point number in between.
    """

    t: float
    gap: int = -1
    share: float = 0.0


def onwards(times: NDArray[Any], start: float, place: Place, amount: float, end: float = -math.inf) -> Place:
    """Return the place that is reached after ``amount`` further moments; a negative amount goes backwards.

    Args:
        times: the times of all events, in ascending order.
        start: a time before all events, at which going backwards ends.
        end: the end of the run if it is after the last event; going forwards ends there.
    """
    if amount == 0 or not len(times):
        return place
    forwards, left = amount > 0, abs(amount)
    gap, share = _gap(times, start, place, forwards)
    while 0 <= gap < len(times):
        ends = float(times[gap])
        begin = float(times[gap - 1]) if gap else start
        need = 1.0 - share if forwards else share
        if left < need:
            share = min(max(share + left if forwards else share - left, 0.0), 1.0)
            t = begin + (ends - begin) * share
            return Place(min(max(t, begin), math.nextafter(ends, -math.inf)), gap, share)
        left -= need
        at = ends if forwards else begin
        if left <= 0:
            return Place(at)
        gap, share = _gap(times, start, Place(at), forwards)
    return Place(max(float(times[-1]), end) if forwards else start)


def _gap(times: NDArray[Any], start: float, place: Place, forwards: bool) -> tuple[int, float]:
    """Return the gap at or ahead of a place, and the share passed; without one, it is outside 0 .. len(times)-1."""
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
            # at a moment, or after the last one, the gap is the one that ends here
            return (gap, 1.0) if gap < len(times) else (len(times) - 1, 1.0)
    end, begin = float(times[gap]), float(times[gap - 1]) if gap else start
    return gap, (t - begin) / (end - begin) if end > begin else 1.0


#: The available speeds, in time units (or, by events, in moments) per second; 1 is at index :data:`NORMAL`.
SPEEDS: tuple[float, ...] = (*(2.0**k for k in range(-4, 10)), 1000.0)
NORMAL = SPEEDS.index(1.0)

#: What a second of playing covers: a stretch of simulated time, or a number of moments at which events happen.
PACES = ("time", "events")


class Motion:
    """A time within a run, and how it moves.

    ``t`` is between :attr:`start` and :attr:`end`. The start is the moment before the first event: if that
    happens at time 0, the start is the largest number below 0, so that the network is still at rest there.

    Attributes:
        changed: emitted with the part that changed, one of :data:`lydian.desk.playhead.CHANGES`.
        timeline: the visible part of the run that is played, or ``None`` while there is no run.
        beginning: provides the timeline as time moves on, if only the part already played may be seen; else ``None``.
        t: the moment.
        playing: whether :meth:`advance` moves time.
        direction: 1 forwards, -1 backwards.
        speed: time units per second, one of :data:`SPEEDS` or any number between the first and the last.
        pace: one of :data:`PACES`; with ``"events"``, ``rate`` moments pass per second instead of time units.
        rate: moments per second, within the same limits as the speed.
        loop: whether playing continues from the other end instead of stopping.
        loop_from, loop_to: the ends of the span that a loop plays; ``None`` is the start or the end of the run.
        unending: whether the run may continue, in which case playing forwards waits at the end instead of stopping.
        stops: breakpoints; playing stops at the first event that matches an enabled one, however long a frame takes.
        halting: whether the pause that is being announced is due to a stop; :attr:`stopped` is then set next.
        stopped: why playing last stopped, ``None`` if it reached its end or was stopped by hand.
        leader: decides on the time while playing instead of speed and direction, as a guided flight does: from the
            elapsed seconds to the new time, or to ``None`` at its end. Any other movement dismisses it.
    """

    def __init__(self, timeline: Timeline | None = None) -> None:
        self.timeline = timeline
        self.beginning: Beginning | None = None
        self.playing = False
        self.direction = 1
        self.speed = 1.0
        self.pace = "time"
        self.rate = 4.0
        self.loop = False
        self.loop_from: float | None = None
        self.loop_to: float | None = None
        self.unending = False
        self.stops: tuple[StopCondition, ...] = ()
        self.stopped: Stopped | None = None
        self.halting = False
        self.leader: Callable[[float], float | None] | None = None
        self._until: StopCondition | float | None = None
        self._place = Place(0.0)
        self._glide: tuple[float, float, float, float] | None = None  # from, to, duration in seconds, seconds elapsed
        self.changed = Signal()
        self.t = self.start

    # ------------------------------------------------------------------ the run

    @property
    def path(self) -> Timeline | None:
        """The timeline along which time moves: the whole run, even if only its beginning may be seen."""
        return self.timeline if self.beginning is None else self.beginning.whole

    @property
    def start(self) -> float:
        """The moment before the first event, at most 0."""
        return steps.start_of(self.path)

    @property
    def end(self) -> float:
        """The time of the last visible event, but not before :attr:`start`."""
        return self.start if self.timeline is None else max(self.start, float(self.timeline.end))

    @property
    def reach(self) -> float:
        """The latest time that can be reached: the end of the whole run, even if only its beginning may be seen."""
        return self.end if self.beginning is None else max(self.start, float(self.beginning.whole.end))

    @property
    def position(self) -> int:
        """The number of events that have happened: events 0 .. position-1."""
        return 0 if self.timeline is None else int(self.timeline.count(self.t))

    @property
    def events(self) -> int:
        """The number of visible events."""
        return 0 if self.timeline is None else len(self.timeline.time)

    @property
    def at_start(self) -> bool:
        return self.t <= self.start

    @property
    def at_end(self) -> bool:
        return self.t >= self.reach

    @property
    def moving(self) -> bool:
        """Whether :meth:`advance` would change anything: while playing, or during a smooth step."""
        return self.playing or self._glide is not None

    def fade_of(self, usual: float) -> float:
        """Return how long, in simulated time, to show an effect that takes ``usual`` at a speed of 1.

        At higher speeds it takes longer, up to four times as long. While paused it is not shown, so that the picture
        is exact.
        """
        if not self.playing:
            return 0.0
        return usual * min(self.speed if self.pace == "time" else 1.0, 4.0)

    # ------------------------------------------------------------------ moving

    def _clamped(self, t: float) -> float:
        if math.isnan(t):
            return self.t
        return min(max(t, self.start), self.reach)

    def _move(self, t: float) -> None:
        t = self._clamped(t)
        if t != self.t:
            self._uncover(t)
            self.t = t
            self.changed.emit("time")

    def _uncover(self, t: float) -> None:
        """Extend the visible part of the run up to time ``t``."""
        if self.beginning is not None and t > self.beginning.seen:
            self.timeline = self.beginning.upto(t)
            self.changed.emit("timeline")

    def lead(self, leader: Callable[[float], float | None] | None) -> None:
        """Let something else decide on the time while playing; ``None`` dismisses what does."""
        if leader != self.leader:
            self.leader = leader
            self._glide = self._until = None
            self.changed.emit("playing")

    def led_to(self, t: float) -> None:
        """Go to a time at the wish of the leader, which stays."""
        self._move(t)

    def seek(self, t: float) -> None:
        """Go to a time at once; a time outside the run means its nearer end, and NaN is ignored."""
        self.lead(None)
        self._glide = None
        self._move(t)

    def glide(self, t: float, seconds: float) -> None:
        """Go to a time smoothly within ``seconds`` of :meth:`advance`; at once if that is 0."""
        t = self._clamped(t)
        if seconds <= 0 or t == self.t:
            self.seek(t)
        else:
            self.lead(None)
            self._glide = (self.t, t, seconds, 0.0)
            self.changed.emit("time")

    def advance(self, seconds: float) -> None:
        """Advance by ``seconds`` of real time.

        Playing stops at breakpoints on the way; in a loop it never leaves the loop's span.
        """
        if not (seconds > 0 and self.moving):
            return
        if self._glide is not None:
            self._advance_glide(seconds)
            return
        if self.leader is not None:
            self._follow(self.leader(seconds))
            return
        low, high = self.span
        near, far = (low, high) if self.direction > 0 else (high, low)
        if self._loops and not low <= self.t <= high:
            self._wrap(near)
            return
        place = self._onwards(seconds)
        goal = self._goal(far)
        last = far if goal is None else goal[0]
        beyond = (place.t - last) * self.direction >= 0
        event = self._stop_before(last if beyond else place.t)
        if event is not None:
            self._stop_at(event)
        elif not beyond:
            self._place = place
            self._move(place.t)
        elif goal is not None:
            self._move(goal[0])
            self._halt(Stopped(None, goal[1]))
        elif self._loops:
            self._wrap(near)
        else:
            self._move(far)
            if not self._waits:
                self.pause()

    def _follow(self, t: float | None) -> None:
        """Go to the time that the leader has chosen, or pause at its end."""
        if t is None:
            self.pause()
        else:
            self._move(t)

    @property
    def span(self) -> tuple[float, float]:
        """The first and the last time that are played: the whole run, or the span of the loop while it is on."""
        if not self.loop or self._until is not None:
            return self.start, self.reach
        low = self.start if self.loop_from is None else self._clamped(self.loop_from)
        high = self.reach if self.loop_to is None else self._clamped(self.loop_to)
        return (low, high) if low < high else (self.start, self.reach)

    @property
    def _waits(self) -> bool:
        """Whether playing waits at the end for the run to continue."""
        return self.unending and self.direction > 0 and not self._loops

    @property
    def _loops(self) -> bool:
        return self.loop and self._until is None and self.reach > self.start

    def _onwards(self, seconds: float) -> Place:
        """Return the place that playing would reach after ``seconds`` if nothing stopped it."""
        if self.pace == "time" or self.path is None:
            return Place(self.t + seconds * self.speed * self.direction)
        here = self._place if self._place.t == self.t else Place(self.t)
        return onwards(self.path.time, self.start, here, seconds * self.rate * self.direction, self.reach)

    def _goal(self, far: float) -> tuple[float, str] | None:
        """Return the first time on the way to ``far`` that is a goal or has a breakpoint, with its description."""
        found = stops.time_ahead(self.stops, self.t, self.direction)
        if isinstance(self._until, float):
            nearer = found is None or (self._until - found[0]) * self.direction <= 0
            found = (self._until, stops.time_words(self._until)) if nearer else found
        return found if found is not None and (far - found[0]) * self.direction >= 0 else None

    def _wrap(self, near: float) -> None:
        """Continue at the near end of the loop, where an event may match a breakpoint."""
        event = self._stop_before(near, landing=True)
        self._move(near)
        if event is not None:
            self._stop_at(event)
            return
        words = next((stop.words for stop in self.stops if stop.enabled and stop.time == near), None)
        if words is not None:
            self._halt(Stopped(None, words))

    def _stop_before(self, t: float, *, landing: bool = False) -> int | None:
        """Return the event at which moving to time ``t`` stops; return ``None`` if it does not stop."""
        waiting = (self._until,) if isinstance(self._until, StopCondition) else ()
        if self.path is None or not (self.stops or waiting):
            return None
        event, asked = stops.on_the_way((*waiting, *self.stops), self.path, self.t, t, landing=landing)
        if waiting:
            self._until = asked[0]
        if asked[len(waiting) :] != self.stops:
            self.set_stops(asked[len(waiting) :])  # a breakpoint failed and has been switched off
        return event

    def _stop_at(self, event: int) -> None:
        assert self.path is not None
        waiting = (self._until,) if isinstance(self._until, StopCondition) else ()
        words = stops.words_at((*waiting, *self.stops), self.path, event)
        self._move(float(self.path.time[event]))
        self._halt(Stopped(event, words))

    def _halt(self, why: Stopped) -> None:
        self.halting = True  # a function that is called about the pause may have to know that a reason follows
        self.pause()
        self.halting = False
        self.stopped = why
        self.changed.emit("stopped")

    def _advance_glide(self, seconds: float) -> None:
        assert self._glide is not None
        first, last, whole, gone = self._glide
        gone += seconds
        if gone >= whole:
            self._glide = None
            self._move(last)
            self.changed.emit("playing")  # the glide has ended
        else:
            self._glide = (first, last, whole, gone)
            self._move(first + (last - first) * (0.5 - 0.5 * math.cos(math.pi * gone / whole)))

    def play(self, direction: int = 1) -> None:
        """Play. At the far end, begin at the other end, so that Play always has an effect."""
        self._glide, self.stopped = None, None
        self.direction = 1 if direction >= 0 else -1
        if self.direction < 0:
            self.lead(None)
        low, high = self.span
        if self._waits or self.leader is not None:
            pass  # the continuation of the run will be played
        elif self.direction > 0 and (self.t >= high or (self._loops and self.t < low)):
            self._move(low)
        elif self.direction < 0 and (self.t <= low or (self._loops and self.t > high)):
            self._move(high)
        playing = self.reach > self.start or self._waits
        if playing != self.playing or playing:
            self.playing = playing
            self.changed.emit("playing")

    def pause(self) -> None:
        """Pause at the current moment, and cancel the goal of :meth:`run_until`."""
        self._until = None
        if self.moving:
            self.playing, self._glide = False, None
            self.changed.emit("playing")

    def toggle(self) -> None:
        """Play if paused, pause if playing."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def shuttle(self, direction: int) -> None:
        """Play in a direction; if already playing in it, play twice as fast, like J and L in a video editor."""
        if self.playing and self.direction == (1 if direction >= 0 else -1):
            self.faster()
        else:
            self.play(direction)

    def set_stops(self, wanted: tuple[StopCondition, ...]) -> None:
        """Replace the breakpoints."""
        if wanted != self.stops:
            self.stops = tuple(wanted)
            self.changed.emit("stops")

    def run_until(self, goal: float | Condition, words: str = "", direction: int = 1) -> bool:
        """Play up to a time, or up to the first event that satisfies a condition.

        Anything that stops playing earlier cancels the goal. Returns True if it plays; it does not if the goal cannot
        be reached in this direction.
        """
        self.pause()
        self.lead(None)
        if isinstance(goal, int | float):
            goal = self._clamped(float(goal))
            if not (goal - self.t) * direction > 0:
                return False
            self._until = goal
        else:
            if (self.t >= self.reach) if direction > 0 else (self.t <= self.start):
                return False
            self._until = StopCondition(goal, words)
        self.play(direction)
        return self.playing

    # ------------------------------------------------------------------ speed

    def set_speed(self, speed: float) -> None:
        """Set the time units per second, limited to the slowest and the fastest of :data:`SPEEDS`."""
        if math.isnan(speed):
            return
        speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        if speed != self.speed:
            self.speed = speed
            self.changed.emit("speed")

    def set_pace(self, pace: str, rate: float | None = None) -> None:
        """Play by ``"time"`` or by ``"events"``; with events, ``rate`` moments per second, limited like speeds."""
        if pace not in PACES:
            raise ValueError(f"unknown pace {pace!r}; choose from {', '.join(PACES)}")
        rate = self.rate if rate is None or math.isnan(rate) else min(max(rate, SPEEDS[0]), SPEEDS[-1])
        if (pace, rate) != (self.pace, self.rate):
            self.pace, self.rate = pace, rate
            self.changed.emit("speed")

    def faster(self) -> None:
        """Set the next higher speed if there is one."""
        self._quicken(next((s for s in SPEEDS if s > self._quickness), SPEEDS[-1]))

    def slower(self) -> None:
        """Set the next lower speed if there is one."""
        self._quicken(next((s for s in reversed(SPEEDS) if s < self._quickness), SPEEDS[0]))

    @property
    def _quickness(self) -> float:
        return self.speed if self.pace == "time" else self.rate

    def _quicken(self, value: float) -> None:
        if self.pace == "time":
            self.set_speed(value)
        else:
            self.set_pace(self.pace, value)

    def set_loop(self, loop: bool) -> None:
        if loop != self.loop:
            self.loop = loop
            self.changed.emit("loop")

    def set_loop_from(self, t: float | None) -> None:
        """Set the beginning of the loop (``None``: the start of the run); remove an end that is not after it."""
        t = None if t is None else self._clamped(t)
        gone = t is not None and self.loop_to is not None and t >= self.loop_to
        self._set_span(t, None if gone else self.loop_to)

    def set_loop_to(self, t: float | None) -> None:
        """Set the end of the loop (``None``: the end of the run); remove a beginning that is not before it."""
        t = None if t is None else self._clamped(t)
        gone = t is not None and self.loop_from is not None and t <= self.loop_from
        self._set_span(None if gone else self.loop_from, t)

    def _set_span(self, low: float | None, high: float | None) -> None:
        if (low, high) != (self.loop_from, self.loop_to):
            self.loop_from, self.loop_to = low, high
            self.changed.emit("loop")
