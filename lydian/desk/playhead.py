"""The one "now" that all views share: a time, a selection, what the pointer is over, and how time moves.

It knows no clock: whoever has one hands seconds in (:meth:`Playhead.advance`).  So playing, playing backwards and
jumping are the same thing to every view, and tests need no sleeping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lydian.desk.motion import PACES, SPEEDS, Motion
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.network import picking
from lydian.views.playback import steps, stops
from lydian.views.playback.bookmarks import Bookmark, Bookmarks, marks_of, nearest
from lydian.views.playback.stops import Condition
from lydian.views.selection import NOTHING, Hit, Selection

if TYPE_CHECKING:
    from lydian.trace.beginning import Beginning

__all__ = ["CHANGES", "PACES", "SPEEDS", "Playhead"]

#: What :attr:`Motion.changed` tells: which part of the play head changed.
CHANGES = ("timeline", "time", "playing", "speed", "selection", "hover", "loop", "stops", "stopped", "bookmarks")


class Playhead(Motion):
    """A moment of a timeline, how it moves (:class:`lydian.desk.motion.Motion`), and what is selected there.

    Attributes:
        animation: how the protocol wants to be drawn; handed on to the views.
        selection: what is selected in all views.
        hover: what the pointer is over, in all views.
        bookmarks: the user's own; :attr:`marks` has faults and violations too.
    """

    def __init__(self, timeline: Timeline | None = None, animation: Animation | None = None) -> None:
        super().__init__(timeline)
        self.animation = animation
        self.selection = NOTHING
        self.hover: Hit | None = None
        self.bookmarks = Bookmarks()

    # ------------------------------------------------------------------ what is played

    def load(
        self,
        timeline: Timeline | None,
        animation: Animation | None = None,
        *,
        t: float | None = None,
        beginning: Beginning | None = None,
    ) -> None:
        """Play something else, from ``t`` (its start if not given).

        With the ``beginning`` of a run, only what time has passed may be seen of it; ``timeline`` is its first part.
        Selection and the span of the loop go, as they named other things.  Bookmarks and breakpoints stay, until
        whoever keeps them says that the other thing has others.
        """
        self.timeline, self.animation, self.beginning = timeline, animation, beginning
        self._glide = self._until = self.stopped = None
        self.playing = False
        self.direction = 1
        self.selection, self.hover = NOTHING, None
        self.t = self._clamped(self.start if t is None else t)
        for what in ("timeline", "playing", "selection", "hover", "time"):
            self.changed.emit(what)
        self._set_span(None, None)

    def extend(self, timeline: Timeline) -> None:
        """Go on with a longer record of the same run: the moment, the selection and whether it plays stay."""
        self.timeline, self.beginning = timeline, None
        self.changed.emit("timeline")
        self._move(self.t)

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
        return self.t if self.path is None else steps.moment(self.path, self.t, direction, process)

    def leap(self, direction: int, unit: float = 1.0) -> None:
        """Pause, and go to the next or previous whole multiple of ``unit``."""
        self.pause()
        self.seek(steps.unit(self.t, direction, unit))

    def step_round(self, direction: int) -> None:
        """Pause, and go to where the next round in which something happens ends, or the previous one."""
        self.pause()
        if self.path is not None:
            self.seek(steps.round_end(self.path, self.t, direction))

    def step_cause(self, direction: int) -> bool:
        """Pause, and go to the first effect of the current event (1) or to its cause (-1), and select it.

        The current event is the selected one, else the last that happened, at the selected processes if there are
        any.  Returns whether there was such an event; if not, nothing moves.
        """
        self.pause()
        if self.timeline is None:
            return False
        now = self.selection.event
        now = steps.current(self.timeline, self.t, self.selection.processes) if now is None else now
        if now is None:
            return False
        return self._go_to(steps.effect_of(self.timeline, now) if direction > 0 else steps.cause_of(self.timeline, now))

    def step_longest(self, direction: int) -> bool:
        """Pause, and go to the next or previous event of the run's longest chain, and select it; whether there is."""
        self.pause()
        if self.timeline is None:
            return False
        chain = steps.longest(self.timeline)
        return self._go_to(steps.along(self.timeline, chain, self.t, self.selection.event, direction))

    def _go_to(self, event: int | None) -> bool:
        if event is None or self.timeline is None:
            return False
        self.seek(float(self.timeline.time[event]))
        self.pick(Hit("event", event))
        return True

    # ------------------------------------------------------------------ bookmarks and stops

    def set_bookmarks(self, bookmarks: Bookmarks) -> None:
        """Have these bookmarks."""
        if bookmarks != self.bookmarks:
            self.bookmarks = bookmarks
            self.changed.emit("bookmarks")

    @property
    def marks(self) -> tuple[Bookmark, ...]:
        """Bookmarks within the run, faults and violated properties, by rising time."""
        found = () if self.timeline is None else marks_of(self.timeline, self.animation)
        own = (mark for mark in self.bookmarks.marks if mark.time <= self.end)
        return tuple(sorted((*own, *found)))

    def step_mark(self, direction: int) -> Bookmark | None:
        """Pause, and go to the next or the previous mark; ``None`` if there is none."""
        self.pause()
        mark = nearest(self.marks, self.t, direction)
        if mark is not None:
            self.seek(mark.time)
        return mark

    def jump_until(self, goal: Condition, direction: int = 1) -> int | None:
        """Go at once to the next or the previous event that a condition means, and name it; ``None``: there is none."""
        self.pause()
        event = None if self.path is None else stops.find(goal, self.path, self.t, direction)
        if event is not None and self.path is not None:
            self.seek(float(self.path.time[event]))
        return event

    # ------------------------------------------------------------------ selecting

    def select(self, selection: Selection) -> None:
        """Select exactly this, in all views."""
        if selection != self.selection:
            self.selection = selection
            self.changed.emit("selection")

    def pick(self, hit: Hit | None, *, add: bool = False) -> None:
        """Select what was clicked.  ``add`` adds to the selection, or takes away what was in it already.

        An event brings its process and its message along; nothing hit clears, unless adding.
        """
        self.select(picking.picked(self.timeline, self.selection, hit, add=add))

    def point_at(self, hit: Hit | None) -> None:
        """The pointer is over this now, or over nothing."""
        if hit != self.hover:
            self.hover = hit
            self.changed.emit("hover")
