"""The mouse and the keys in the view World: turning, walking, riding on a message, and guided flight."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent

from lydian.app.canvas.cameras import SpaceCamera
from lydian.model.experiment.flight import FlightStop
from lydian.views.selection import Hit
from lydian.views.world.camera import Camera, between, eased, flight
from lydian.views.world.flights import Flight, Pose, stop_here
from lydian.views.world.world import WorldFrame, close_to, home, riding

if TYPE_CHECKING:
    from lydian.app.canvas.movable import MovablePicture

__all__ = ["MODES", "Pilot"]

#: The ways of moving.
MODES = ("orbit", "walk", "ride", "flight")
#: Radians for a pixel of a drag: around the pivot, and of the head.
TURN, LOOK = 0.0062, 0.0042
#: Units of space for a second of walking, how many times faster it is with Shift, and for a step without motion.
SPEED, FASTER, STEP = 0.75, 3.0, 0.18
#: The seconds of a glide, and from one position of a guided flight to the next.
GLIDE, LEG = 0.8, 4.5
#: The seconds in which the processes move to another layout.
MORPH = 1.2

_Key = Qt.Key
#: Key -> steps to the right, up and ahead.
_WAYS = {
    _Key.Key_W: (0, 0, 1), _Key.Key_S: (0, 0, -1), _Key.Key_A: (-1, 0, 0), _Key.Key_D: (1, 0, 0),
    _Key.Key_E: (0, 1, 0), _Key.Key_Q: (0, -1, 0),
}  # fmt: skip
_ARROWS = {
    _Key.Key_Up: (0, 0, 1), _Key.Key_Down: (0, 0, -1), _Key.Key_Left: (-1, 0, 0), _Key.Key_Right: (1, 0, 0),
}  # fmt: skip
_COMMANDS = (_Key.Key_N, _Key.Key_H, _Key.Key_Home, _Key.Key_K)


class Pilot:
    """The movement of the camera of one canvas.

    Time passes only in :meth:`advance`, which the one timer of the program calls while :attr:`moving`.

    Attributes:
        mode: one of :data:`MODES`.
        flight: the guided flight of the experiment; without one, the camera flies around the network.
        message: the number of the message on which the camera rides; -1 for the next one.
        wake: called when something begins to move.
        told: called when the mode or the stop of a flight has changed.
        recorded: called with the stop that the user wants to add to the flight.
        placed: called with the layout and the depth at which a flight was left.
    """

    def __init__(self, canvas: MovablePicture, camera: SpaceCamera) -> None:
        self.canvas, self.camera = canvas, camera
        self.mode = "orbit"
        self.flight: Flight | None = None
        self.message = -1
        self.wake: Callable[[], None] = lambda: None
        self.told: Callable[[], None] = lambda: None
        self.recorded: Callable[[FlightStop], object] = lambda _stop: None
        self.placed: Callable[[str, float], object] = lambda _layout, _depth: None
        self._held: dict[int, tuple[int, int, int]] = {}
        self._fast = False
        self._glide: tuple[Camera, Camera, float, bool] | None = None
        self._flown = 0.0
        self._stop = -1
        self._over = False  # whether the end of the flight has been shown
        self._moved: float | None = None  # the part of the way to another layout that has passed
        self._tour: tuple[Camera, ...] = ()

    # ------------------------------------------------------------------ the camera

    @property
    def frame(self) -> WorldFrame | None:
        """The frame that is shown, if there is one."""
        frame = self.canvas.frame
        return frame if isinstance(frame, WorldFrame) and self.canvas.trouble is None else None

    @property
    def view(self) -> Camera | None:
        """Where the viewer is: the camera, or the first view."""
        frame = self.frame
        if self.camera.view is not None or frame is None:
            return self.camera.view
        return home(frame, *self._size)

    def _move(self, how: Callable[[Camera], Camera]) -> None:
        """Move the camera by a function; what moved it before ends."""
        view = self.view
        if view is None:
            return
        self._glide = None
        if self.mode in ("ride", "flight"):
            self._choose("orbit")
        self.camera.view = how(view)
        self.canvas.refresh()

    def dragged(self, x: float, y: float, *, sideways: bool) -> None:
        """Turn around the pivot, or turn the head while walking; ``sideways`` moves the picture with the pointer."""
        if sideways:
            view = self.view
            focal = 0.0 if view is None else self.canvas.painter.eye(QRectF(self.canvas.rect()), self.frame).focal
            self._move(lambda camera: camera.slide(-x * camera.reach / focal, y * camera.reach / focal))
        elif self.mode == "walk":
            self._move(lambda camera: camera.look(LOOK * x, -LOOK * y))
        else:
            self._move(lambda camera: camera.orbit(TURN * x, -TURN * y))

    def nearer(self, factor: float) -> None:
        """Go nearer by a factor, or straight ahead while walking."""
        if self.mode == "walk":
            self._move(lambda camera: camera.walk(0, 0, 0.6 * math.log(factor)))
        else:
            self._move(lambda camera: camera.nearer(factor))

    # ------------------------------------------------------------------ modes

    def choose(self, mode: str) -> None:
        """Move in another way from now on."""
        frame, view = self.frame, self.view
        if frame is None or view is None:
            return
        self._glide = None
        self.camera.view = None if self.mode == "orbit" == mode else self.camera.view
        if mode == "ride":
            self.message = self._boarding(frame)
            if self.message >= 0:
                self.canvas.playhead.pick(Hit("message", self.message))
        elif mode == "walk":
            self.camera.view = view
        self._choose(mode)
        if mode == "flight":
            self._take_off(view)
        self.canvas.refresh()
        self.wake()

    def _choose(self, mode: str) -> None:
        before, self.mode = self.mode, mode
        if before == "flight" != mode:
            self._land()
        if mode != before:
            self.told()

    # ------------------------------------------------------------------ guided flight

    @property
    def aloft(self) -> bool:
        """Whether a guided flight of the experiment leads the camera and the play head, playing or not."""
        return self.mode == "flight" and self.flight is not None and self.canvas.playhead.leader == self._lead

    @property
    def stop(self) -> int:
        """The number of the stop that was passed last on a guided flight, or -1."""
        return self.flight.stop_at(self._flown) if self.aloft and self.flight is not None else -1

    def _take_off(self, view: Camera) -> None:
        """Begin the guided flight from its first stop, or a flight around the network."""
        self._flown, self._stop, self._over = 0.0, -1, False
        self._tour = _around(view)
        if self.flight is None:
            return
        head = self.canvas.playhead
        self.flight = replace(self.flight, still=self.canvas.theme.still)
        head.lead(self._lead)
        self._pass()
        head.play()

    def _lead(self, seconds: float) -> float | None:
        """Return the time of the run after more seconds of the flight; None at its end, from which it begins again."""
        if self.flight is None:
            return None
        if self._flown >= self.flight.length:
            self._over = not self._over
            if self._over:
                return None
            self._flown = seconds = 0.0
        self._over = False
        self._flown = min(self._flown + seconds, self.flight.length)
        return self.flight.time_at(self._flown)

    def _pass(self) -> None:
        """Show the moment of the flight: its options, its time, and what it looks at."""
        flight, head = self.flight, self.canvas.playhead
        if flight is None:
            return
        pose = flight.pose(self._flown)
        self.canvas.passing = pose.options
        if pose.stop != self._stop:
            self._stop = pose.stop
            self._mark(pose)
            self.told()
        head.led_to(pose.time)
        frame = self.frame
        if frame is not None:
            self.camera.view = flight.camera(self._flown, frame, *self._size)

    def _mark(self, pose: Pose) -> None:
        """Select the process that the flight looks at, or the message on which it rides."""
        head, timeline = self.canvas.playhead, self.canvas.playhead.timeline
        if timeline is not None and pose.process in timeline.processes:
            head.pick(Hit("process", timeline.processes.index(pose.process)))
        elif pose.message >= 0:
            head.pick(Hit("message", pose.message))
        else:
            head.pick(None)

    @property
    def _size(self) -> tuple[float, float]:
        """The size of the picture for one eye."""
        eyes = 1 if self.frame is None else len(self.frame.sides)
        return self.canvas.width() / eyes, float(self.canvas.height())

    def fly_to(self, stop: int) -> None:
        """Go to a stop of the guided flight; the flight goes on from there if it is playing."""
        if self.flight is None or not 0 <= stop < len(self.flight.stops):
            return
        if not self.aloft:
            self._glide = None
            self._choose("flight")
            self._stop = -1
            self.canvas.playhead.pause()
            self.canvas.playhead.lead(self._lead)
        self._flown = self.flight.begins[stop]
        self._pass()
        self.canvas.refresh()
        self.wake()

    def fly_on(self, by: int) -> None:
        """Go to the next or the previous stop of the guided flight."""
        if self.flight is not None:
            here = self.stop if self.aloft else -1
            self.fly_to(min(max(here + by, 0), len(self.flight.stops) - 1))

    def toggle_flight(self) -> None:
        """Pause the guided flight, or continue it; at its end, and without one, begin."""
        flight = self.flight
        if flight is None or not self.aloft or self._flown >= flight.length:
            self.choose("flight")
            return
        self.canvas.playhead.toggle()
        self.wake()

    def set_flight(self, flight: Flight | None) -> None:
        """Replace the guided flight; one that is under way stays at the same second."""
        self.flight = flight
        if self.mode != "flight" or self.canvas.playhead.leader != self._lead:
            return
        if flight is None:
            self._choose("orbit")
            return
        self._flown = min(self._flown, flight.length)
        self._stop = -1
        self._pass()
        self.canvas.refresh()

    def _land(self) -> None:
        """End a flight; the viewer stays where he is, in the layout and at the depth of that moment."""
        passing, self.canvas.passing = self.canvas.passing, {}
        head = self.canvas.playhead
        if head.leader == self._lead:
            head.pause()
            head.lead(None)
        if "layout" not in passing:
            return
        self.placed(str(passing["layout"]), float(passing["depth"]))
        self._moved, self.canvas.passing = None, {}
        if passing["before"] and not self.canvas.theme.still:
            self.canvas.passing = {"before": passing["before"], "share": passing["share"]}
            shares = [number / 50 for number in range(51)]
            self._moved = float(np.interp(float(passing["share"]), [eased(each) for each in shares], shares))
        self.wake()

    # ------------------------------------------------------------------ another layout

    def rearrange(self, before: str) -> None:
        """Let the processes move from a layout to the one that has just been chosen."""
        if self.canvas.theme.still or self.frame is None or self.mode == "flight":
            return
        self._moved = 0.0
        self.canvas.passing = {"before": before, "share": 0.0}
        self.wake()

    def _move_on(self, seconds: float) -> None:
        """Move the processes on their way to another layout."""
        assert self._moved is not None
        self._moved = min(self._moved + seconds / MORPH, 1.0)
        if self._moved >= 1:
            self._moved, self.canvas.passing = None, {}
        else:
            self.canvas.passing = {**self.canvas.passing, "share": eased(self._moved)}

    def _boarding(self, frame: WorldFrame) -> int:
        """Return the message to ride on: the selected one, else the one that was sent last, else -1."""
        flights = frame.flat.flights
        chosen = flights.id[np.isin(flights.id, sorted(frame.flat.selection.messages)) & ~flights.waiting]
        if len(chosen):
            return int(chosen[0])
        moving = np.flatnonzero(~flights.waiting)
        return int(flights.id[moving[np.argmin(flights.fraction[moving])]]) if len(moving) else -1

    def follow(self, frame: WorldFrame) -> None:
        """Move the camera to the message on which it rides, or on a flight, for a frame that is about to be drawn."""
        if self.aloft and self.flight is not None:
            self.camera.view = self.flight.camera(self._flown, frame, *self._size)
        elif self.mode == "flight" and self.flight is not None:
            self._choose("orbit")  # the play head was moved by hand
        if self.mode != "ride":
            return
        if self.message < 0:
            self.message = self._boarding(frame)
        camera = riding(frame, self.message) if self.message >= 0 else None
        if camera is not None:
            self.camera.view = camera
        elif self.message >= 0:
            self._choose("orbit")  # it has arrived, and the viewer stays at its receiver

    def glide_to(self, target: Camera, *, home: bool = False) -> None:
        """Glide to another position, or jump if motion is reduced; ``home`` means the first view."""
        view = self.view
        if view is None:
            return
        if self.mode in ("ride", "flight"):
            self._choose("orbit")
        if self.canvas.theme.still:
            self.camera.view = None if home else target
            self.canvas.refresh()
            return
        self._glide = view, target, 0.0, home
        self.wake()

    def go_home(self) -> None:
        """Glide back to the first view."""
        if self.frame is not None:
            self.glide_to(home(self.frame, *self._size), home=True)

    def visit(self, process: int) -> None:
        """Glide to a process of the network."""
        frame, view = self.frame, self.view
        if frame is not None and view is not None and 0 <= process < len(frame.places):
            self.glide_to(close_to(frame, process, view.yaw, view.pitch))

    def on_map(self, pos: QPointF) -> bool:
        """Return whether a point is on the map."""
        frame, painter = self.frame, self.canvas.painter
        return frame is not None and painter is not None and painter.map_at(pos, QRectF(self.canvas.rect()), frame)[0]

    def follow_map(self, pos: QPointF) -> bool:
        """Glide to the place that a point of the map means; return False if the map is not there."""
        frame, view = self.frame, self.view
        if frame is None or view is None:
            return False
        if not self.on_map(pos):
            return False
        _, meant = self.canvas.painter.map_at(pos, QRectF(self.canvas.rect()), frame)
        if meant is None:
            self.go_home()
        elif isinstance(meant, int):
            self.visit(meant)
        else:
            point = np.array([meant[0], view.pivot[1], meant[1]])
            self.glide_to(view.shown(point, view.reach))
        return True

    def visit_next(self, by: int) -> None:
        """Select the next or the previous process, and glide to it."""
        frame, timeline = self.frame, self.canvas.playhead.timeline
        if frame is None or timeline is None or not timeline.n:
            return
        chosen = sorted(self.canvas.playhead.selection.processes)
        process = (chosen[0] + by) % timeline.n if chosen else 0
        self.canvas.playhead.pick(Hit("process", process))
        renumber = frame.flat.scene.renumber
        self.visit(process if renumber is None else int(renumber[process]))

    def here(self) -> FlightStop | None:
        """Return where the viewer is now as a stop of a guided flight; None if nothing is shown."""
        if self.frame is None:
            return None
        frame: WorldFrame = self.canvas.compute()  # the last one drawn may be older
        ride = self.message if self.mode == "ride" else -1
        return replace(stop_here(frame, self.camera.view, ride), time=round(max(self.canvas.playhead.t, 0.0), 4))

    def record(self) -> None:
        """Tell where the viewer is now, as a stop to be added to the guided flight."""
        stop = self.here()
        if stop is not None:
            self.recorded(stop)

    # ------------------------------------------------------------------ time

    @property
    def moving(self) -> bool:
        """Whether :meth:`advance` would change anything."""
        if not self.canvas.isVisible():
            return False
        around = self.mode == "flight" and self.flight is None
        return self._glide is not None or bool(self._held) or self._moved is not None or around

    def advance(self, seconds: float) -> None:
        """Move by this much real time."""
        if self.aloft and self.canvas.isVisible():
            self._pass()
            return
        if not self.moving:
            return
        if self._moved is not None:
            self._move_on(seconds)
        if self._glide is not None:
            start, stop, done, to_home = self._glide
            done += seconds / GLIDE
            self.camera.view = between(start, stop, eased(done))
            self._glide = (start, stop, done, to_home)
            if done >= 1:
                self.camera.view = None if to_home else stop
                self._glide = None
        elif self._held:
            right, up, ahead = np.sum(list(self._held.values()), axis=0).tolist()
            by = seconds * SPEED * (FASTER if self._fast else 1.0)
            self._move(lambda camera: camera.walk(right * by, up * by, ahead * by))
        elif self.mode == "flight" and self.flight is None:
            self._flown += seconds / LEG
            at = math.floor(self._flown) if self.canvas.theme.still else self._flown
            self.camera.view = flight(self._tour, at)
        self.canvas.refresh()

    def rest(self) -> None:
        """Release all keys, because the view no longer hears when they are released."""
        self._held.clear()

    # ------------------------------------------------------------------ keys

    def _way(self, event: QKeyEvent) -> tuple[int, int, int] | None:
        others = (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
        )
        if event.modifiers() & others:
            return None
        key = Qt.Key(event.key())
        return _WAYS.get(key) or (_ARROWS.get(key) if self.mode == "walk" else None)

    def wants(self, event: QKeyEvent) -> bool:
        """Return whether a key that may also be one of the window is for this view at the moment."""
        others = (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
        )
        if self.frame is None or event.modifiers() & others:
            return False
        if event.key() == _Key.Key_Escape:
            return self.mode in ("ride", "flight")
        if event.key() in (_Key.Key_Comma, _Key.Key_Period):
            return self.aloft
        return self._way(event) is not None or event.key() in _COMMANDS

    def key(self, event: QKeyEvent) -> bool:
        """Handle the press of a key; return False if it is not for this view."""
        if not self.wants(event):
            return False
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        way = self._way(event)
        if way is not None:
            self._fast = shift
            self._press(event.key(), way)
        elif event.key() == _Key.Key_Escape:
            self._choose("orbit")
        elif event.key() in (_Key.Key_Comma, _Key.Key_Period):
            self.fly_on(-1 if event.key() == _Key.Key_Comma else 1)
        elif event.key() == _Key.Key_N:
            self.visit_next(-1 if shift else 1)
        elif event.key() == _Key.Key_K:
            self.record()
        else:
            self.go_home()
        return True

    def _press(self, key: int, way: tuple[int, int, int]) -> None:
        """Begin to walk; make one step if motion is reduced."""
        if self.canvas.theme.still:
            by = STEP * (FASTER if self._fast else 1.0)
            self._move(lambda camera: camera.walk(*(by * each for each in way)))
            return
        self._held[key] = way
        self.wake()

    def released(self, event: QKeyEvent) -> bool:
        """Handle the release of a key; return False if it was not held for this view."""
        if event.isAutoRepeat():
            return event.key() in self._held
        return self._held.pop(event.key(), None) is not None

    def clicked_twice(self, hit: Hit | None) -> None:
        """Glide to the process at a point, or back to the first view if nothing is there."""
        if hit is None:
            self.go_home()
        elif hit.kind == "process":
            self.visit(int(hit.id))  # type: ignore[arg-type]
        elif hit.kind == "message":
            self.canvas.playhead.pick(hit)
            self.choose("ride")


def _around(view: Camera) -> tuple[Camera, ...]:
    """Return the positions of a flight around the pivot: from all sides, once from above and once from nearby."""
    turns = ((0.0, 0.0, 1.0), (0.25, -0.12, 0.85), (0.5, -0.42, 1.0), (0.75, 0.02, 0.62))
    return tuple(
        view.around(view.pivot, view.yaw + 2 * math.pi * turn, view.pitch + rise, view.reach * reach)
        for turn, rise, reach in turns
    )
