"""The visible part of a picture: a stretch of time shared by the views along time, a zoom of the network, or a place in
space.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from lydian.app.canvas.rows import RowCamera
from lydian.desk.timewindow import TimeWindow
from lydian.trace.timeline import Timeline
from lydian.views.world.camera import Camera
from lydian.views.world.figures import Figure

__all__ = ["NetworkCamera", "SpaceCamera", "TimeCamera"]


class TimeCamera(RowCamera, TimeWindow):
    """The stretch of time and the rows that Causality and Occupation show; the same for both.

    ``margin`` is the room in pixels that all of these views keep free on the right.
    """

    def __init__(self) -> None:
        super().__init__()
        self.margin = 0.0

    def load(self, timeline: Timeline) -> None:
        """Show the usual part of another run."""
        self.forget_rows(self._timeline, timeline)
        super().load(timeline)

    def set_margin(self, margin: float) -> None:
        """Keep the given number of pixels free on the right."""
        if margin != self.margin:
            self.margin = margin
            self._tell()

    def fit(self) -> None:
        """Show the whole run, and all its rows."""
        self.rows = None
        super().fit()
        self._tell()

    def reset(self) -> None:
        """Show the usual number of events around the play head, and all rows."""
        self.rows = None
        super().reset()
        self._tell()


class NetworkCamera:
    """The zoom of the network: (x, y) is drawn at ``x*scale + dx``, ``y*scale*aspect + dy``; a scale of ``None`` fits
    everything.

    ``folded`` says whether the legend is folded; ``None`` leaves that to its painter. ``covered`` are the boxes of what
    is laid over the view, by name, which labels leave free. ``figures`` are the other people in the world, and
    ``moved`` is called when the view has changed.
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


class SpaceCamera:
    """The camera of a view in space; a view of ``None`` is the first one, which shows everything.

    ``folded`` says whether the legend is folded; ``None`` leaves that to its painter. ``covered`` are the boxes of what
    is laid over the view, by name, which labels leave free. ``figures`` are the other people in the world, and
    ``moved`` is called when the view has changed.
    """

    def __init__(self) -> None:
        self._view: Camera | None = None
        self.folded: bool | None = None
        self.covered: dict[str, QRectF] = {}
        self.figures: tuple[Figure, ...] = ()
        self.moved: Callable[[], object] = lambda: None

    @property
    def view(self) -> Camera | None:
        """Where the viewer is."""
        return self._view

    @view.setter
    def view(self, view: Camera | None) -> None:
        if view != self._view:
            self._view = view
            self.moved()

    @property
    def key(self) -> object:
        return self.view, tuple(box.getRect() for box in self.covered.values())

    def cover(self, name: str, widget: QWidget) -> None:
        """Keep the labels away from a widget over the view as long as it is not hidden."""
        box = QRectF() if widget.isHidden() else QRectF(widget.geometry())
        self.covered[name] = box

    def fit(self) -> None:
        """Return to the first view."""
        self.view = None
