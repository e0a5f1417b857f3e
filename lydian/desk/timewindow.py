"""The stretch of time that Causality, Occupation and the bracket on the time line show: one state for all of them.

It has no clock of its own: the caller passes in the elapsed seconds (:meth:`TimeWindow.advance`).
"""

from __future__ import annotations

from lydian.desk.signal import Announcer
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Window, fit
from lydian.views.time.timescale import Scale, scale_of
from lydian.views.time.timewindow import (
    MIDDLE,
    MOST,
    around,
    eased,
    events_in,
    following_count,
    place_in,
    stepped,
    usual,
)

__all__ = ["TimeWindow"]

#: The minimum number of seconds between two steps of the window: pictures that change more often flicker.
REST = 0.34


class TimeWindow(Announcer):
    """The visible stretch of time, in simulated time.

    A run of more than 120 events is shown as some tens of events around the play head. The window follows the head in
    steps while ``following``; moving it by hand stops that until the next Play. Zooming and moving keep to the scale of
    the ``axis`` (one of :data:`~lydian.views.time.timescale.SCALES`), so that the picture only grows or slides.

    Attributes:
        window: the stretch in view.
        whole: the stretch of the whole run, with a small margin.
        count: the number of events that the user chose, ``None`` for the usual number.
    """

    def __init__(self) -> None:
        super().__init__()
        self.window: Window = (0.0, 1.0)
        self.whole: Window = (0.0, 1.0)
        self.following = True
        self.axis = "time"
        self.count: int | None = None
        self._everything = False  # the user wants to see the whole run
        self._timeline: Timeline | None = None
        self._t = 0.0
        self._rooms: dict[str, float] = {}
        self._glide: tuple[Window, Window, float, float] | None = None  # from, to, duration and elapsed seconds
        self._rest = 0.0
        self._behind: tuple[bool, float] | None = None  # a step that has to wait: forwards, and its duration

    # ------------------------------------------------------------------ what is in view

    @property
    def fits(self) -> bool:
        """Whether the whole run is in view."""
        return self.window == self.whole

    @property
    def short(self) -> bool:
        """Whether the run is so short that the whole of it is shown from the start."""
        return self._timeline is None or self._timeline.length <= MOST

    @property
    def scale(self) -> Scale | None:
        """The scale of the axis, ``None`` where places are times."""
        return None if self._timeline is None or self.axis == "time" else scale_of(self._timeline, self.axis)

    @property
    def events(self) -> int:
        """The number of events in view."""
        if self._timeline is None:
            return 0
        return self._timeline.length if self.fits else events_in(self._timeline, self._straight, self._aim)

    @property
    def wanted(self) -> int:
        """The number of events that a step of the window shows."""
        return usual(min(self._rooms.values(), default=720.0)) if self.count is None else self.count

    @property
    def chosen(self) -> bool:
        """Whether the user has zoomed or moved the window, so that it is not the usual one."""
        return self.count is not None or self._everything or not self.following

    @property
    def _straight(self) -> Scale:
        assert self._timeline is not None
        return scale_of(self._timeline, self.axis)

    @property
    def _aim(self) -> Window:
        """The window, or the one to which it is gliding."""
        return self.window if self._glide is None else self._glide[1]

    # ------------------------------------------------------------------ runs

    def load(self, timeline: Timeline) -> None:
        """Show the usual part of another run."""
        self._timeline, self._t = timeline, 0.0
        self.count, self._everything, self.following = None, False, True
        self._still()
        self.whole = fit(timeline)
        if not self._set(self._usual(MIDDLE)):
            self._tell()

    def grow(self, timeline: Timeline) -> None:
        """Keep the current stretch after the run has become longer, or the whole run while it is short."""
        whole, self._timeline = self.fits, timeline
        self.whole = fit(timeline)
        window = self._usual(MIDDLE) if whole else self._inside(self.window)
        if self._glide is not None or not self._set(window):
            self._tell()

    def _usual(self, share: float) -> Window:
        """Return the window of the wanted number of events around the play head."""
        if self._timeline is None or self._everything or (self.short and self.count is None):
            return self.whole
        return self._within(around(self._timeline, self._straight, self._t, self.wanted, share))

    def set_axis(self, name: str) -> None:
        """Lay out time along another scale, keeping the visible stretch."""
        if name != self.axis:
            self.axis = name
            self._still()
            self._tell()

    def set_room(self, name: str, width: float) -> None:
        """Set the width in pixels of a visible view; 0 if it is hidden. The narrowest one decides."""
        before = self.wanted
        if width > 0:
            self._rooms[name] = width
        else:
            self._rooms.pop(name, None)
        if self.wanted != before and self._timeline is not None and self.following and not self.fits:
            self._resize()

    # ------------------------------------------------------------------ the play head

    @property
    def moving(self) -> bool:
        """Whether :meth:`advance` would change anything."""
        return self._glide is not None or self._rest > 0

    def follow(self, t: float, seconds: float = 0.0) -> None:
        """Move with the play head if it is followed: in steps that take the given time, not more than three a second.

        The window jumps if the head has left it.
        """
        forwards, self._t = t >= self._t, t
        self._step(forwards, seconds)

    def _step(self, forwards: bool, seconds: float) -> None:
        self._behind = None
        if not self.following or self.fits or self._timeline is None:
            return
        aim, t = self._aim, self._t
        target = self._within(stepped(self._timeline, self._straight, aim, t, self.wanted, forwards=forwards))
        if target == aim:
            return
        if self._rest > 0:
            self._behind = forwards, seconds
            return
        self._rest = REST
        if seconds > 0 and self.window[0] <= t <= self.window[1]:
            self._glide = (self.window, target, seconds, 0.0)
            self._tell()
        else:
            self._glide = None
            self._set(target)

    def advance(self, seconds: float) -> None:
        """Continue a step by ``seconds`` of real time."""
        self._rest = max(0.0, self._rest - seconds)
        if self._glide is not None:
            before, after, whole, gone = self._glide
            gone += seconds
            self._glide = None if gone >= whole else (before, after, whole, gone)
            self._set(eased(self._straight, before, after, gone / whole))
        if self._behind is not None and self._rest == 0:
            self._step(*self._behind)

    def _still(self) -> None:
        """End a step at once."""
        self._glide, self._behind, self._rest = None, None, 0.0

    # ------------------------------------------------------------------ zooming

    def fit(self) -> None:
        """Show the whole run."""
        self.following = self._everything = True
        self._still()
        self._set(self.whole)

    def narrow(self) -> None:
        """Show the wanted number of events around the play head."""
        self.following, self._everything = True, False
        self._still()
        self._set(self._usual(MIDDLE))

    def reset(self) -> None:
        """Show the usual number of events around the play head."""
        self.count = None
        self.narrow()

    def toggle(self) -> None:
        """Show the whole run, or return from it to the events around the play head."""
        if self.fits:
            self.narrow()
        else:
            self.fit()

    def more(self, direction: int) -> None:
        """Show the next round number of events, more (1) or fewer (-1); the play head stays at its place."""
        if self._timeline is None or (self.fits and direction > 0):
            return
        count = following_count(self._timeline.length if self.fits else self.wanted, direction)
        if count >= self._timeline.length:
            self.fit()
            return
        self.count, self._everything = count, False
        self._resize()

    def _resize(self) -> None:
        """Show the wanted number of events with the play head where it is in the window, or in the middle."""
        self._still()
        part = place_in(self._straight, self.window, self._t)
        self._set(self._usual(part if 0 <= part <= 1 and not self.fits else MIDDLE))

    def zoom(self, factor: float, at: float) -> None:
        """Show ``factor`` times as much detail (2: half the stretch), keeping time ``at`` in place."""
        self._still()
        (start, stop), (low, high) = self._span(self.window), self._span(self.whole)
        factor = max(factor, (stop - start) / (high - low))
        if (stop - start) / factor < (high - low) * 1e-9:
            return
        scale, length = self.scale, (stop - start) / factor
        here = at if scale is None else scale.place(at)
        start = here - (here - start) / factor
        self._show_span(start, start + length)
        self._chose()

    def move(self, part: float) -> None:
        """Move the stretch by a fraction of its own length, and stop following."""
        start, stop = self._span(self.window)
        self._slide(part * (stop - start))

    def pan(self, by: float) -> None:
        """Move the stretch so that its first time grows by ``by``, and stop following."""
        self.drag(self.window[0] + by, self.window[0])

    def drag(self, grabbed: float, here: float) -> None:
        """Move the stretch so that the time ``grabbed`` comes to where the time ``here`` is, and stop following."""
        scale = self.scale
        self._slide(grabbed - here if scale is None else scale.place(grabbed) - scale.place(here))

    def _slide(self, by: float) -> None:
        self.following = False
        self._still()
        start, stop = self._span(self.window)
        self._show_span(start + by, stop + by)

    def show(self, start: float, stop: float) -> None:
        """Show from time ``start`` to time ``stop``."""
        if stop > start:
            self._still()
            self._set(self._inside((start, stop)))
            self._chose()

    def _chose(self) -> None:
        """Keep the number of events that the user chose by zooming."""
        self._everything = self.fits
        if self._timeline is not None and not self.fits:
            self.count = max(self.events, 1)

    # ------------------------------------------------------------------ limits

    def _span(self, window: Window) -> Window:
        """Return the first and last place of a window."""
        scale = self.scale
        return window if scale is None else scale.span(window)

    def _show_span(self, start: float, stop: float) -> None:
        """Show the given places, limited to the run."""
        low, high = self._span(self.whole)
        length = stop - start
        if length >= (high - low) * 0.9999:
            self._set(self.whole)
            return
        start = min(max(start, low), high - length)
        scale = self.scale
        self._set((start, start + length) if scale is None else scale.window((start, start + length)))

    def _within(self, window: Window) -> Window:
        """Return the window, or the whole run if the window contains all of it."""
        return self.whole if window[0] <= self.whole[0] and window[1] >= self.whole[1] else window

    def _inside(self, window: Window) -> Window:
        """Return the window, moved so that it is within the run."""
        low, high = self.whole
        length = window[1] - window[0]
        if length >= (high - low) * 0.9999:
            return self.whole
        start = min(max(window[0], low), high - length)
        return (start, start + length)

    def _set(self, window: Window) -> bool:
        """Set the window; return True if it has changed."""
        if window == self.window or window[1] <= window[0]:
            return False
        self.window = window
        self._tell()
        return True
