"""The people of a class in the view World of this window: they are shown there, and hear where this window looks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

from lydian.app.canvas.cameras import SpaceCamera
from lydian.classroom import frames
from lydian.desk.hosting import Attending
from lydian.views.world.camera import Camera
from lydian.views.world.figures import figures_of

if TYPE_CHECKING:
    from lydian.app.canvas.canvas import Canvas
    from lydian.desk.loop import Loop

__all__ = ["PACE", "Company", "stood"]

#: The milliseconds between two reports of the own place.
PACE = 260


def stood(camera: Camera) -> frames.Stand:
    """Return the frame that says where a camera is."""
    at = [min(max(each, -frames.FARTHEST), frames.FARTHEST) for each in camera.eye]
    yaw = math.atan2(math.sin(camera.yaw), math.cos(camera.yaw))
    return frames.Stand(at, [yaw, camera.pitch])


class Company(QObject):
    """The link between a class and the canvas of the view World.

    Args:
        canvas: the canvas, whose camera shows the figures.
        part: returns the class that goes on, or ``None``.
        loop: makes the timer that limits the reports.
    """

    def __init__(self, canvas: Canvas, part: Callable[[], Attending | None], loop: Loop) -> None:
        super().__init__(canvas)
        assert isinstance(canvas.camera, SpaceCamera)
        self.canvas, self.camera, self.part = canvas, canvas.camera, part
        self._timer = loop.timer(self.tell)
        self._told: tuple[frames.Stand, object] | None = None
        self.camera.moved = self.soon
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self.soon()
        return False

    def close(self) -> None:
        """End the timer."""
        self.camera.moved = lambda: None
        self._timer.stop()

    def soon(self) -> None:
        """Tell the class before long where this window looks, if it is in a class and the view is open or was open."""
        there = self._told is not None or self.canvas.isVisible()
        if there and self.part() is not None and not self._timer.active:
            self._timer.start(PACE)

    def refresh(self) -> None:
        """Show the people who are there now."""
        part = self.part()
        here = part is not None and part.welcome is not None and not part.elsewhere
        people = figures_of(part.figures, part.welcome.person) if here and part and part.welcome else ()
        if people != self.camera.figures:
            self.camera.figures = people
            self.canvas.update()
        if part is None:
            self._told = None
            self._timer.stop()
        self.soon()

    def tell(self) -> None:
        """Tell the class where this window looks, or that it has left the world."""
        part, pilot = self.part(), self.canvas.pilot
        if part is None or part.welcome is None or pilot is None:
            return
        there = self.canvas.isVisible() and not part.elsewhere and part.seen
        view = pilot.view if there else None
        if there and view is None:
            self.soon()  # the view has not been painted yet
        if view is None and self._told is None:
            return
        now = (frames.Stand() if view is None else stood(view), part.welcome)
        if self._told is None or self._told[0] != now[0] or self._told[1] is not now[1]:
            part.stand(now[0])
        self._told = None if view is None else now
