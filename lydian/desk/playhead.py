"""The current moment that all views share: a time, how it moves, the selection, and the item under the pointer.

It has no clock of its own: the caller passes in the elapsed seconds (:meth:`Playhead.advance`). Playing, playing
backwards and jumping therefore look the same to every view, and tests do not have to sleep.
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

#: The arguments of :attr:`Motion.changed`, which name the part of the play head that changed.
CHANGES = ("timeline", "time", "playing", "speed", "selection", "hover", "loop", "stops", "stopped", "bookmarks")


class Playhead(Motion):
    """A moment of a timeline, its motion (:class:`lydian.desk.motion.Motion`), and the selection.

    Attributes:
        animation: the protocol's animation, which the views use.
        selection: the selection in all views.
        hover: the item under the pointer, in any view.
        bookmarks: the user's bookmarks; :attr:`marks` also contains faults and violations.
    """

    def __init__(self, timeline: Timeline | None = None, animation: Animation | None = None) -> None:
        super().__init__(timeline)
        self.animation = animation
        self.selection = NOTHING
        self.hover: Hit | None = None
        self.bookmarks = Bookmarks()

    # ------------------------------------------------------------------ loading

    def load(
        self,
        timeline: Timeline | None,
        animation: Animation | None = None,
        *,
        t: float | None = None,
        beginning: Beginning | None = None,
    ) -> None:
        """Load another run and go to ``t`` (by default, its start).

        With the ``beginning`` of a run, only the part that time has passed may be seen; ``timeline`` is its first part.
        The selection and the span of the loop are cleared, as they refer to the other run. Bookmarks and breakpoints
        stay until they are replaced.
        """
        self.timeline, self.animation, self.beginning = timeline, animation, beginning
        self._glide = self._until = self.stopped = self.leader = None
        self.playing = False
        self.direction = 1
        self.selection, self.hover = NOTHING, None
        self.t = self._clamped(self.start if t is None else t)
        for what in ("timeline", "playing", "selection", "hover", "time"):
            self.changed.emit(what)
        self._set_span(None, None)

    def extend(self, timeline: Timeline) -> None:
        """Load a longer record of the same run; the moment and the selection stay, and playing continues."""
        self.timeline, self.beginning = timeline, None
        self.changed.emit("timeline")
        self._move(self.t)

    # ------------------------------------------------------------------ stepping

    def step(self, direction: int, *, process: int | None = None, seconds: float = 0.0) -> None:
        """Pause, and go to the next (1) or the previous (-1) moment at which an event happens.

        Events with the same time form one moment. From a time between two events, a step back goes to the earlier one.
        With ``process``, only that process's events count. With ``seconds``, the move is smooth and takes that much
        of :meth:`advance`.
        """
        if self._glide is not None:
            self._move(self._glide[1])
        self.pause()
        self.glide(self.neighbour(direction, process), seconds)

    def neighbour(self, direction: int, process: int | None = None) -> float:
        """Return the time a step would go to; return the end or the start of the run if no event is on that side."""
        return self.t if self.path is None else steps.moment(self.path, self.t, direction, process)

    def leap(self, direction: int, unit: float = 1.0) -> None:
        """Pause, and go to the next or previous whole multiple of ``unit``."""
        self.pause()
        self.seek(steps.unit(self.t, direction, unit))

    def step_round(self, direction: int) -> None:
        """Pause, and go to the end of the next (1) or the previous (-1) round that contains an event."""
        self.pause()
        if self.path is not None:
            self.seek(steps.round_end(self.path, self.t, direction))

    def step_cause(self, direction: int) -> bool:
        """Pause, go to the first effect of the current event (1) or to its cause (-1), and select it.

        The current event is the selected one, else the last event so far (at the selected processes, if there are
        any). Returns True if there is an event to go to; otherwise, nothing moves.
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
        """Pause, and select the next or previous event of the longest causal chain; return True if there is one."""
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
        """Replace the bookmarks."""
        if bookmarks != self.bookmarks:
            self.bookmarks = bookmarks
            self.changed.emit("bookmarks")

    @property
    def marks(self) -> tuple[Bookmark, ...]:
        """The bookmarks within the run, its faults and its violated properties, by ascending time."""
        found = () if self.timeline is None else marks_of(self.timeline, self.animation)
        own = (mark for mark in self.bookmarks.marks if mark.time <= self.end)
        return tuple(sorted((*own, *found)))

    def step_mark(self, direction: int) -> Bookmark | None:
        """Pause, go to the next or the previous mark, and return it; return ``None`` if there is none."""
        self.pause()
        mark = nearest(self.marks, self.t, direction)
        if mark is not None:
            self.seek(mark.time)
        return mark

    def jump_until(self, goal: Condition, direction: int = 1) -> int | None:
        """Jump to the next or previous event that satisfies a condition, and return it; ``None`` if there is none."""
        self.pause()
        event = None if self.path is None else stops.find(goal, self.path, self.t, direction)
        if event is not None and self.path is not None:
            self.seek(float(self.path.time[event]))
        return event

    # ------------------------------------------------------------------ selecting

    def select(self, selection: Selection) -> None:
        """Replace the selection in all views."""
        if selection != self.selection:
            self.selection = selection
            self.changed.emit("selection")

    def pick(self, hit: Hit | None, *, add: bool = False) -> None:
        """Select the item that was clicked; with ``add``, add it to the selection, or remove it if it was selected.

        With an event, its process and its message are selected too. A click on nothing clears the selection, except
        with ``add``.
        """
        self.select(picking.picked(self.timeline, self.selection, hit, add=add))

    def point_at(self, hit: Hit | None) -> None:
        """Set the item under the pointer; ``None`` if there is none."""
        if hit != self.hover:
            self.hover = hit
            self.changed.emit("hover")
