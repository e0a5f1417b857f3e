"""A view that can be moved: the stretch of time or part of a network in view, and the positions of processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QCursor

from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
from lydian.app.canvas.viewpicture import ViewPicture

__all__ = ["MovablePicture"]


class MovablePicture(ViewPicture):
    """A view with its camera: zoom, fit, and the positions of things."""

    @property
    def painter(self) -> Any:
        """The painter of the view, or nothing before it was drawn."""
        return self._painter

    def time_at(self, x: float) -> float:
        """Return the simulated time at a horizontal position of a view along time."""
        painter, rect = self._painter, QRectF(self.rect())
        if painter is None or self.frame is None or not hasattr(painter, "time_at"):
            return self.playhead.t
        return float(painter.time_at(QPointF(x, rect.center().y()), rect, self.frame, self.camera))

    def _room(self) -> QRectF:
        """Return the part of the widget for the view itself, without a grid or a chart beside it."""
        room = getattr(self._painter, "room", None)
        if room is None or self.frame is None:
            return QRectF(self.rect())
        found: QRectF = room(QRectF(self.rect()), self.frame)
        return found

    def _need_scale(self) -> None:
        """Turn a camera that fits everything into one with the current scale and offsets."""
        if not isinstance(self.camera, NetworkCamera) or self.camera.scale is not None or self._painter is None:
            return
        if self.frame is not None:
            seen = self._painter.map(QRectF(self.rect()), self.frame, self.camera)
            self.camera.set(seen.scale, seen.dx, seen.dy, seen.aspect)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Enlarge around a point, by default the middle; a view along time around the pointer, or the play head."""
        if isinstance(self.camera, TimeCamera):
            self.camera.zoom(factor, self._fixed_time() if at is None else self.time_at(at.x()))
            return
        at = self._room().center() if at is None else at
        if isinstance(self.camera, NetworkCamera):
            self._need_scale()
            self.camera.zoom(factor, at.x(), at.y())
            self.refresh()

    def _fixed_time(self) -> float:
        """Return the time that zooming by keys keeps in place: under the pointer, else of the play head, if in view."""
        start, stop = self.camera.window
        if self.underMouse():
            return min(max(self.time_at(self.mapFromGlobal(QCursor.pos()).x()), start), stop)
        return self.playhead.t if start <= self.playhead.t <= stop else (start + stop) / 2

    def fit(self) -> None:
        """Zoom to everything."""
        if self.camera is not None:
            self.camera.fit()
        self.refresh()

    def centre(self, at: QPointF) -> None:
        """Centre the view on a point of the network, without zooming."""
        if isinstance(self.camera, NetworkCamera):
            self._need_scale()
            middle = self._room().center()
            self.camera.pan(middle.x() - at.x(), middle.y() - at.y())
            self.refresh()

    def fit_processes(self, processes: Sequence[int]) -> None:
        """Zoom to these processes, to at most four times the scale that shows everything."""
        if isinstance(self.camera, NetworkCamera):
            self.camera.fit()
        self._show_processes(processes, 4.0)

    def close_up(self, processes: Sequence[int]) -> None:
        """Zoom in to these processes, to at most eight times the current scale."""
        self._show_processes(processes, 8.0, least=1.4)

    def _show_processes(self, processes: Sequence[int], most: float, least: float = 0.0) -> None:
        """Zoom to processes, to between ``least`` and ``most`` times the current scale."""
        places = getattr(self.frame, "positions", None)
        if not isinstance(self.camera, NetworkCamera) or places is None or not len(processes):
            return
        self._need_scale()
        now = self.camera.scale
        if now is None:
            return
        low, high = places[list(processes)].min(axis=0), places[list(processes)].max(axis=0)
        aspect = self.camera.aspect
        wide, tall = max(float(high[0] - low[0]), 1e-9), max(float(high[1] - low[1]) * aspect, 1e-9)
        room = self._room()
        scale = max(min(0.6 * room.width() / wide, 0.6 * room.height() / tall, most * now), least * now)
        (x, y), middle = (low + high) / 2, room.center()
        self.camera.set(scale, middle.x() - float(x) * scale, middle.y() - float(y) * scale * aspect)
        self.refresh()

    def occupied(self) -> tuple[list[QRectF], int, NDArray[np.float64]]:
        """Return what something laid over a network should leave free: boxes, how many of the last may be covered if
        need be, and links as rows x1, y1, x2, y2. There is nothing in other views.
        """
        if self.frame is None or self.trouble is not None or not hasattr(self._painter, "occupied"):
            return [], 0, np.empty((0, 4))
        found: tuple[list[QRectF], int, NDArray[np.float64]] = self._painter.occupied(
            QRectF(self.rect()), self.frame, self.camera
        )
        return found

    def process_boxes(self) -> NDArray[np.float64]:
        """Return where the processes of a network are drawn, as rows left, top, right, bottom; none in other views."""
        if self.frame is None or self.trouble is not None or not hasattr(self._painter, "map"):
            return np.empty((0, 4))
        seen = self._painter.map(QRectF(self.rect()), self.frame, self.camera)
        return np.hstack((seen.points - seen.d / 2, seen.points + seen.d / 2))

    def process_rect(self, process: int) -> QRectF | None:
        """Return where a process of the run is drawn: itself, its row or its column.

        Return ``None`` if the view draws no single processes, or not this one.
        """
        timeline, frame = self.playhead.timeline, self.frame
        if timeline is None or frame is None or self._painter is None or self.trouble is not None:
            return None
        if hasattr(self._painter, "place_of"):
            place: QRectF | None = self._painter.place_of(process, QRectF(self.rect()), frame, self.camera)
            return place
        if not hasattr(self._painter, "map"):
            return None
        names = frame.names
        number = process if names == timeline.processes else names.index(timeline.processes[process])
        seen = self._painter.map(QRectF(self.rect()), frame, self.camera)
        x, y = seen.points[number]
        return QRectF(x - seen.d / 2, y - seen.d / 2, seen.d, seen.d)
