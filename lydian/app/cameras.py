"""Which part of a picture is seen: a stretch of time shared by the views along time, a zoom of the network."""

from __future__ import annotations

from collections.abc import Callable

from lydian.trace.timeline import Timeline
from lydian.views import axis

__all__ = ["NetworkCamera", "TimeCamera"]


class TimeCamera:
    """The stretch of time that Causality and Occupation show; the same for both.

    It follows the play head while ``following``; moving it by hand stops that until the next Play.
    """

    def __init__(self) -> None:
        self.window: axis.Window = (0.0, 1.0)
        self.whole: axis.Window = (0.0, 1.0)
        self.following = True
        self._listeners: list[Callable[[], None]] = []

    def listen(self, callback: Callable[[], None]) -> None:
        """Call this at each change."""
        self._listeners.append(callback)

    @property
    def fits(self) -> bool:
        """Whether the whole run is in view."""
        return self.window == self.whole

    def load(self, timeline: Timeline) -> None:
        """Show the whole of another run."""
        self.whole = axis.fit(timeline)
        self.following = True
        self._set(self.whole)

    def grow(self, timeline: Timeline) -> None:
        """The run became longer: go on showing the whole of it, or the stretch that is looked at."""
        whole = self.fits
        self.whole = axis.fit(timeline)
        self._set(self.whole if whole else self._inside(self.window))

    def fit(self) -> None:
        self.following = True
        self._set(self.whole)

    def follow(self, t: float) -> None:
        """Keep the play head in view, if it is followed and not everything is in view anyway."""
        if self.following and not self.fits:
            self._set(axis.follow(self.window, t))

    def zoom(self, factor: float, at: float) -> None:
        """Show ``factor`` times as much detail (2: half the stretch), with time ``at`` staying where it is."""
        start, stop = self.window
        factor = max(factor, (stop - start) / (self.whole[1] - self.whole[0]))
        shown = (stop - start) / factor
        if shown < (self.whole[1] - self.whole[0]) * 1e-7:
            return
        start = at - (at - start) / factor
        self._set(self._inside((start, start + shown)))

    def pan(self, by: float) -> None:
        """Move the stretch by a time; stops following."""
        self.following = False
        self._set(self._inside((self.window[0] + by, self.window[1] + by)))

    def show(self, start: float, stop: float) -> None:
        """Show from ``start`` to ``stop``."""
        if stop > start:
            self._set(self._inside((start, stop)))

    def _inside(self, window: axis.Window) -> axis.Window:
        low, high = self.whole
        length = window[1] - window[0]
        if length >= (high - low) * 0.9999:
            return self.whole
        start = min(max(window[0], low), high - length)
        return (start, start + length)

    def _set(self, window: axis.Window) -> None:
        if window != self.window and window[1] > window[0]:
            self.window = window
            for callback in self._listeners:
                callback()


class NetworkCamera:
    """Zoom of the network: a point (x, y) of it lies at ``x*scale + dx``, ``y*scale + dy``; ``None`` fits it."""

    def __init__(self) -> None:
        self.scale: float | None = None
        self.dx = 0.0
        self.dy = 0.0

    @property
    def key(self) -> tuple[float | None, float, float]:
        return self.scale, self.dx, self.dy

    def fit(self) -> None:
        self.scale, self.dx, self.dy = None, 0.0, 0.0

    def set(self, scale: float, dx: float, dy: float) -> None:
        self.scale, self.dx, self.dy = scale, dx, dy

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Enlarge around a point of the widget; needs a scale."""
        if self.scale is None:
            return
        factor = min(max(self.scale * factor, 1e-3), 1e4) / self.scale
        self.set(self.scale * factor, x + (self.dx - x) * factor, y + (self.dy - y) * factor)

    def pan(self, dx: float, dy: float) -> None:
        if self.scale is not None:
            self.set(self.scale, self.dx + dx, self.dy + dy)
