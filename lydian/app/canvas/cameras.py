"""The visible part of a picture: a stretch of time shared by the views along time, or a zoom of the network."""

from __future__ import annotations

from lydian.app.canvas.rows import RowCamera
from lydian.trace.timeline import Timeline
from lydian.views.time import axis
from lydian.views.time.timescale import Scale, follow, scale_of

__all__ = ["NetworkCamera", "TimeCamera"]


class TimeCamera(RowCamera):
    """The stretch of time that Causality and Occupation show; the same for both.

    It follows the play head while ``following``; moving it by hand stops that until the next Play. Zooming and moving
    keep to the scale of the ``axis`` (one of :data:`~lydian.views.time.timescale.SCALES`), so that the picture only
    grows or slides. ``margin`` is the room in pixels that all of these views keep free on the right.
    """

    def __init__(self) -> None:
        super().__init__()
        self.window: axis.Window = (0.0, 1.0)
        self.whole: axis.Window = (0.0, 1.0)
        self.following = True
        self.axis = "time"
        self.margin = 0.0
        self._timeline: Timeline | None = None

    @property
    def fits(self) -> bool:
        """Whether the whole run is in view."""
        return self.window == self.whole

    @property
    def scale(self) -> Scale | None:
        """The scale of the axis, ``None`` where places are times."""
        if self._timeline is None or self.axis == "time":
            return None
        return scale_of(self._timeline, self.axis)

    def load(self, timeline: Timeline) -> None:
        """Show the whole of another run."""
        self.forget_rows(self._timeline, timeline)
        self._timeline = timeline
        self.whole = axis.fit(timeline)
        self.following = True
        if not self._set(self.whole):
            self._tell()

    def grow(self, timeline: Timeline) -> None:
        """Keep showing the whole run, or the present stretch, after the run has become longer."""
        whole = self.fits
        self._timeline = timeline
        self.whole = axis.fit(timeline)
        self._set(self.whole if whole else self._inside(self.window))

    def set_axis(self, name: str) -> None:
        """Lay out time along another scale, keeping the visible stretch."""
        if name != self.axis:
            self.axis = name
            self._tell()

    def set_margin(self, margin: float) -> None:
        """Keep the given number of pixels free on the right."""
        if margin != self.margin:
            self.margin = margin
            self._tell()

    def fit(self) -> None:
        """Show the whole run, and all its rows."""
        self.following = True
        rows, self.rows = self.rows, None
        if not self._set(self.whole) and rows is not None:
            self._tell()

    def follow(self, t: float) -> None:
        """Keep the play head in view, if it is followed and the window does not show the whole run."""
        if self.following and not self.fits:
            self._set(follow(self.window, t, self.scale))

    def zoom(self, factor: float, at: float) -> None:
        """Show ``factor`` times as much detail (2: half the stretch), keeping time ``at`` in place."""
        (start, stop), (low, high) = self._span(self.window), self._span(self.whole)
        factor = max(factor, (stop - start) / (high - low))
        if (stop - start) / factor < (high - low) * 1e-7:
            return
        scale, length = self.scale, (stop - start) / factor
        here = at if scale is None else scale.place(at)
        start = here - (here - start) / factor
        self._show_span(start, start + length)

    def move(self, part: float) -> None:
        """Move the stretch by a share of its own length, and stop following."""
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
        start, stop = self._span(self.window)
        self._show_span(start + by, stop + by)

    def show(self, start: float, stop: float) -> None:
        """Show from time ``start`` to time ``stop``."""
        if stop > start:
            self._set(self._inside((start, stop)))

    def _span(self, window: axis.Window) -> tuple[float, float]:
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

    def _inside(self, window: axis.Window) -> axis.Window:
        """Return the window, moved so that it is within the run."""
        low, high = self.whole
        length = window[1] - window[0]
        if length >= (high - low) * 0.9999:
            return self.whole
        start = min(max(window[0], low), high - length)
        return (start, start + length)

    def _set(self, window: axis.Window) -> bool:
        """Set the window; return True if it has changed."""
        if window == self.window or window[1] <= window[0]:
            return False
        self.window = window
        self._tell()
        return True


class NetworkCamera:
    """The zoom of the network: (x, y) is drawn at ``x*scale + dx``, ``y*scale*aspect + dy``; a scale of ``None`` fits
    everything.

    ``folded`` says whether the legend is folded; ``None`` leaves that to its painter.
    """

    def __init__(self) -> None:
        self.scale: float | None = None
        self.dx = 0.0
        self.dy = 0.0
        self.aspect = 1.0
        self.folded: bool | None = None

    @property
    def key(self) -> tuple[float | None, float, float, float]:
        return self.scale, self.dx, self.dy, self.aspect

    def fit(self) -> None:
        self.scale, self.dx, self.dy, self.aspect = None, 0.0, 0.0, 1.0

    def set(self, scale: float, dx: float, dy: float, aspect: float | None = None) -> None:
        """Set the zoom; the ratio of the axes stays unless it is given."""
        self.scale, self.dx, self.dy = scale, dx, dy
        self.aspect = self.aspect if aspect is None else aspect

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Enlarge around a point of the widget; the camera must have a scale."""
        if self.scale is None:
            return
        factor = min(max(self.scale * factor, 1e-3), 1e4) / self.scale
        self.set(self.scale * factor, x + (self.dx - x) * factor, y + (self.dy - y) * factor)

    def pan(self, dx: float, dy: float) -> None:
        if self.scale is not None:
            self.set(self.scale, self.dx + dx, self.dy + dy)
