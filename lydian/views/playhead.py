"""The one "now" that all views share: a time, a selection, what the pointer is over, and how time moves.

It knows no clock: whoever has one hands seconds in (:meth:`Playhead.advance`).  So playing, playing backwards and
jumping are the same thing to every view, and tests need no sleeping.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from lydian.views.frame import NOTHING, Hit, Selection

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline
    from lydian.views.animation import Animation

__all__ = ["SPEEDS", "Playhead"]

Thing = TypeVar("Thing")

#: Speeds on offer, in time units a second; 1 is at :data:`NORMAL`.
SPEEDS: tuple[float, ...] = (*(2.0**k for k in range(-4, 10)), 1000.0)
NORMAL = SPEEDS.index(1.0)

#: What a listener is told: which part of the playhead changed.
CHANGES = ("timeline", "time", "playing", "speed", "selection", "hover", "loop")


class Playhead:
    """A moment of a timeline, and how it moves.

    ``t`` lies between :attr:`start` and :attr:`end`.  The start is the moment before the first event: if that
    happens at time 0, the start is the largest number below 0, so that the network is still at rest there.

    Attributes:
        timeline: what is played, or ``None`` while there is nothing.
        animation: how the protocol wants to be drawn; handed on to the views.
        t: the moment.
        playing: whether :meth:`advance` moves time.
        direction: 1 forwards, -1 backwards.
        speed: time units a second, one of :data:`SPEEDS` or any number between the first and the last.
        loop: whether playing goes on at the other end instead of stopping.
        selection: what is selected in all views.
        hover: what the pointer is over, in all views.
    """

    def __init__(self, timeline: Timeline | None = None, animation: Animation | None = None) -> None:
        self.timeline = timeline
        self.animation = animation
        self.playing = False
        self.direction = 1
        self.speed = 1.0
        self.loop = False
        self.selection = NOTHING
        self.hover: Hit | None = None
        self._glide: tuple[float, float, float, float] | None = None  # from, to, seconds it takes, seconds gone
        self._listeners: list[Callable[[str], None]] = []
        self.t = self.start

    # ------------------------------------------------------------------ listeners

    def listen(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Call ``callback(what)`` at every change, ``what`` being one of :data:`CHANGES`; returns how to stop it."""
        self._listeners.append(callback)

        def unsubscribe() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return unsubscribe

    def _tell(self, what: str) -> None:
        for callback in tuple(self._listeners):
            callback(what)

    # ------------------------------------------------------------------ what is played

    def load(self, timeline: Timeline | None, animation: Animation | None = None, *, t: float | None = None) -> None:
        """Play something else, from ``t`` (its start if not given); the selection goes, as it named other things."""
        self.timeline, self.animation = timeline, animation
        self._glide = None
        self.playing = False
        self.direction = 1
        self.selection, self.hover = NOTHING, None
        self.t = self._clamped(self.start if t is None else t)
        for what in ("timeline", "playing", "selection", "hover", "time"):
            self._tell(what)

    @property
    def start(self) -> float:
        """The moment before the first event, at most 0."""
        if self.timeline is None or not len(self.timeline.time):
            return 0.0
        first = float(self.timeline.time[0])
        return 0.0 if first > 0 else math.nextafter(first, -math.inf)

    @property
    def end(self) -> float:
        """The time of the last event, and never before :attr:`start`."""
        return self.start if self.timeline is None else max(self.start, float(self.timeline.end))

    @property
    def position(self) -> int:
        """How many events have happened: events 0 .. position-1."""
        return 0 if self.timeline is None else int(self.timeline.count(self.t))

    @property
    def events(self) -> int:
        """How many events there are in all."""
        return 0 if self.timeline is None else len(self.timeline.time)

    @property
    def at_start(self) -> bool:
        return self.t <= self.start

    @property
    def at_end(self) -> bool:
        return self.t >= self.end

    @property
    def moving(self) -> bool:
        """Whether :meth:`advance` would change anything: playing, or on the way of a step."""
        return self.playing or self._glide is not None

    # ------------------------------------------------------------------ moving

    def _clamped(self, t: float) -> float:
        if math.isnan(t):
            return self.t
        return min(max(t, self.start), self.end)

    def _move(self, t: float) -> None:
        t = self._clamped(t)
        if t != self.t:
            self.t = t
            self._tell("time")

    def seek(self, t: float) -> None:
        """Go to a time at once; outside the run means its nearer end, NaN means nowhere."""
        self._glide = None
        self._move(t)

    def glide(self, t: float, seconds: float) -> None:
        """Go to a time smoothly within ``seconds`` of :meth:`advance`; at once if that is 0."""
        t = self._clamped(t)
        if seconds <= 0 or t == self.t:
            self.seek(t)
        else:
            self._glide = (self.t, t, seconds, 0.0)
            self._tell("time")

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` of real time pass."""
        if not (seconds > 0 and self.moving):
            return
        if self._glide is not None:
            self._advance_glide(seconds)
            return
        t = self.t + seconds * self.speed * self.direction
        beyond = t >= self.end if self.direction > 0 else t <= self.start
        if beyond and self.loop and self.end > self.start:
            self._move(self.start if self.direction > 0 else self.end)
        else:
            self._move(t)
            if beyond:
                self.pause()

    def _advance_glide(self, seconds: float) -> None:
        assert self._glide is not None
        first, last, whole, gone = self._glide
        gone += seconds
        if gone >= whole:
            self._glide = None
            self._move(last)
            self._tell("playing")  # nothing moves any more
        else:
            self._glide = (first, last, whole, gone)
            self._move(first + (last - first) * (0.5 - 0.5 * math.cos(math.pi * gone / whole)))

    def play(self, direction: int = 1) -> None:
        """Let time run.  At the far end already: from the other end, so that Play always moves something."""
        self._glide = None
        self.direction = 1 if direction >= 0 else -1
        if self.direction > 0 and self.at_end:
            self._move(self.start)
        elif self.direction < 0 and self.at_start:
            self._move(self.end)
        playing = self.end > self.start
        if playing != self.playing or playing:
            self.playing = playing
            self._tell("playing")

    def pause(self) -> None:
        """Stop where it is."""
        if self.moving:
            self.playing, self._glide = False, None
            self._tell("playing")

    def toggle(self) -> None:
        """Play if paused, pause if playing."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def shuttle(self, direction: int) -> None:
        """As J and L on a video desk: play that way; already on that way: twice as fast."""
        if self.playing and self.direction == (1 if direction >= 0 else -1):
            self.faster()
        else:
            self.play(direction)

    # ------------------------------------------------------------------ stepping

    def step(self, direction: int, *, process: int | None = None, seconds: float = 0.0) -> None:
        """Pause, and go to the next (1) or the previous (-1) moment at which something happens.

        Events of one time happen together.  From between two events a step back goes to the earlier one.  With
        ``process``, only that process's events count.  With ``seconds``, the way takes that much of :meth:`advance`.
        """
        if self._glide is not None:
            self._move(self._glide[1])
        self.pause()
        self.glide(self.neighbour(direction, process), seconds)

    def neighbour(self, direction: int, process: int | None = None) -> float:
        """The time a step would go to; the end or the start of the run if nothing lies on that side."""
        if self.timeline is None:
            return self.t
        times = self.timeline.time if process is None else self.timeline.time[self.timeline.events_of(process)]
        if direction > 0:
            at = int(np.searchsorted(times, self.t, side="right"))
            return float(times[at]) if at < len(times) else self.end
        at = int(np.searchsorted(times, self.t, side="left"))
        return float(times[at - 1]) if at > 0 else self.start

    def leap(self, direction: int, unit: float = 1.0) -> None:
        """Pause, and go to the next or previous whole multiple of ``unit``."""
        self.pause()
        at = self.t / unit
        near = round(at)
        here = near if abs(at - near) < 1e-9 else (math.floor(at) if direction > 0 else math.ceil(at))
        self.seek((here + (1 if direction > 0 else -1)) * unit)

    # ------------------------------------------------------------------ speed

    def set_speed(self, speed: float) -> None:
        """Time units a second, kept between the slowest and the fastest of :data:`SPEEDS`."""
        if math.isnan(speed):
            return
        speed = min(max(speed, SPEEDS[0]), SPEEDS[-1])
        if speed != self.speed:
            self.speed = speed
            self._tell("speed")

    def faster(self) -> None:
        """The next speed above, if there is one."""
        self.set_speed(next((s for s in SPEEDS if s > self.speed), SPEEDS[-1]))

    def slower(self) -> None:
        """The next speed below, if there is one."""
        self.set_speed(next((s for s in reversed(SPEEDS) if s < self.speed), SPEEDS[0]))

    def set_loop(self, loop: bool) -> None:
        if loop != self.loop:
            self.loop = loop
            self._tell("loop")

    # ------------------------------------------------------------------ selecting

    def select(self, selection: Selection) -> None:
        """Select exactly this, in all views."""
        if selection != self.selection:
            self.selection = selection
            self._tell("selection")

    def pick(self, hit: Hit | None, *, add: bool = False) -> None:
        """Select what was clicked.  ``add`` adds to the selection, or takes away what was in it already.

        An event brings its process and its message along; nothing hit clears, unless adding.
        """
        if hit is None:
            if not add:
                self.select(NOTHING)
            return
        wanted = self._selection_of(hit)
        if not add:
            self.select(wanted)
            return
        now = self.selection
        self.select(
            replace(
                now,
                processes=_toggled(now.processes, wanted.processes),
                links=_toggled(now.links, wanted.links),
                messages=_toggled(now.messages, wanted.messages),
                event=None if wanted.event == now.event else (now.event if wanted.event is None else wanted.event),
            )
        )

    def _selection_of(self, hit: Hit) -> Selection:
        if hit.kind == "process":
            return Selection(processes=frozenset((int(hit.id),)))  # type: ignore[arg-type]
        if hit.kind == "link":
            a, b = hit.id  # type: ignore[misc]
            return Selection(links=frozenset(((min(a, b), max(a, b)),)))
        if hit.kind == "message":
            return Selection(messages=frozenset((int(hit.id),)))  # type: ignore[arg-type]
        seq = int(hit.id)  # type: ignore[arg-type]
        if self.timeline is None or not 0 <= seq < self.events:
            return NOTHING
        process, message = int(self.timeline.process[seq]), int(self.timeline.message[seq])
        return Selection(
            processes=frozenset((process,)) if process >= 0 else frozenset(),
            messages=frozenset((message,)) if message >= 0 else frozenset(),
            event=seq,
        )

    def point_at(self, hit: Hit | None) -> None:
        """The pointer is over this now, or over nothing."""
        if hit != self.hover:
            self.hover = hit
            self._tell("hover")


def _toggled(now: frozenset[Thing], clicked: frozenset[Thing]) -> frozenset[Thing]:
    return now - clicked if clicked and clicked <= now else now | clicked
