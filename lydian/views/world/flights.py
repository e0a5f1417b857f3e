"""Guided flights as functions of time: what is shown, and where the camera is, so many seconds after the start.

Between two stops the time of the run passes evenly and the camera follows a curve without corners: the monotone cubic
interpolation of Fritsch and Carlson (1980), with the slopes of Fritsch and Butland (1984), of its pivot, angles and
distance. It neither overshoots a stop nor moves between two stops at the same place.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from lydian.model.experiment.flight import FlightStop
from lydian.views.world.camera import Camera, Floats, eased
from lydian.views.world.places import TOWER
from lydian.views.world.world import PITCH, YAW, WorldFrame, close_to, home, riding_at

__all__ = ["Aloft", "Flight", "Pose", "resolved", "shortened", "stop_here"]

#: The part of the way to the next stop for which the camera stays with a message.
RIDE = 0.72
#: The part of the way to the next stop after which the processes begin to move to another layout.
MOVE = 0.35
#: The distance of the pivot from a process up to which the camera looks at that process.
ON = 1e-3


@dataclass(frozen=True)
class Pose:
    """What a flight shows at a moment.

    Attributes:
        stop: the number of the stop that was passed last.
        time: the time of the run.
        layout, before, share, depth, say: the options of :func:`lydian.views.world.world.frame`.
        process: the process that the camera looks at, or empty; ``message``: the message on which it rides, or -1.
    """

    stop: int
    time: float
    layout: str
    before: str
    share: float
    depth: float
    say: str
    process: str = ""
    message: int = -1

    @property
    def options(self) -> dict[str, Any]:
        """The options of the view."""
        return {key: getattr(self, key) for key in ("layout", "before", "share", "depth", "say")}


@dataclass(frozen=True)
class Flight:
    """A guided flight.

    Attributes:
        stops: at least one stop.
        usual: the layout of the stops before the first that names one.
        still: whether the camera jumps from stop to stop, for people who do not want motion.
    """

    stops: tuple[FlightStop, ...]
    usual: str = "shape"
    still: bool = False

    @cached_property
    def begins(self) -> tuple[float, ...]:
        """The second at which each stop is passed."""
        return tuple(accumulate((stop.seconds for stop in self.stops[:-1]), initial=0.0))

    @property
    def length(self) -> float:
        """The duration in seconds."""
        return self.begins[-1] + self.stops[-1].seconds

    @cached_property
    def _layouts(self) -> tuple[str, ...]:
        return tuple(TOWER if stop.at == TOWER else stop.layout for stop in resolved(self.stops, self.usual))

    @cached_property
    def _depths(self) -> tuple[float, ...]:
        return tuple(stop.depth or 0.0 for stop in resolved(self.stops, self.usual))

    def stop_at(self, seconds: float) -> int:
        """Return the number of the stop that was passed last."""
        return max(bisect_right(self.begins, seconds + 1e-9) - 1, 0)

    def time_at(self, seconds: float) -> float:
        """Return the time of the run."""
        return float(np.interp(seconds, self.begins, [stop.time for stop in self.stops]))

    def pose(self, seconds: float) -> Pose:
        """Return what is shown after so many seconds."""
        here = self.stop_at(seconds)
        after = min(here + 1, len(self.stops) - 1)
        stop, layouts, depths = self.stops[here], self._layouts, self._depths
        gone = min(max((seconds - self.begins[here]) / stop.seconds, 0.0), 1.0)
        share = 0.0 if self.still else eased((gone - MOVE) / (1 - MOVE))
        moves = layouts[here] != layouts[after] and share > 0
        return Pose(
            stop=here,
            time=self.time_at(seconds),
            layout=layouts[after] if moves else layouts[here],
            before=layouts[here] if moves else "",
            share=share if moves else 1.0,
            depth=depths[here] + share * (depths[after] - depths[here]),
            say=stop.say,
            process=stop.process,
            message=stop.message,
        )

    def camera(self, seconds: float, frame: WorldFrame, width: float, height: float) -> Camera:
        """Return the camera after so many seconds.

        Args:
            frame: what is shown then.
            width, height: the size of the view, on which it depends what fits into it.
        """
        knots = self._knots
        here = max(bisect_right([second for second, _ in knots], seconds + 1e-9) - 1, 0)
        if self.still or here == len(knots) - 1:
            return self._placed(knots[here][1], frame, width, height)
        near = range(max(here - 1, 0), min(here + 3, len(knots)))
        cameras = {number: self._placed(number, frame, width, height) for number in {knots[k][1] for k in near}}
        rows: list[tuple[float, ...]] = []
        yaw = cameras[knots[near[0]][1]].yaw
        for knot in near:
            one = cameras[knots[knot][1]]
            yaw += (one.yaw - yaw + math.pi) % (2 * math.pi) - math.pi
            rows.append((*one.pivot.tolist(), yaw, one.pitch, math.log(one.reach)))
        times = [knots[k][0] for k in near]
        x, y, z, turn, pitch, reach = _between(times, np.array(rows), here - near[0], seconds).tolist()
        return cameras[knots[here][1]].around(np.array([x, y, z]), turn, pitch, math.exp(reach))

    @cached_property
    def _knots(self) -> tuple[tuple[float, int], ...]:
        """The seconds of the knots of the curve, and the numbers of their stops; a ride has two."""
        found = []
        for number, (stop, begin) in enumerate(zip(self.stops, self.begins, strict=True)):
            found.append((begin, number))
            if stop.message >= 0:
                found.append((begin + RIDE * stop.seconds, number))
        return tuple(found)

    def _placed(self, number: int, frame: WorldFrame, width: float, height: float) -> Camera:
        """Return the camera of a stop, as the processes and messages are in a frame."""
        stop = self.stops[number]
        yaw = None if stop.yaw is None else math.radians(stop.yaw)
        pitch = None if stop.pitch is None else math.radians(stop.pitch)
        if stop.eye is not None:
            return Camera(stop.eye, yaw or 0.0, pitch or 0.0, stop.reach)
        if stop.process in frame.names:
            usual = (YAW if yaw is None else yaw, PITCH if pitch is None else pitch)
            return close_to(frame, frame.names.index(stop.process), *usual, stop.zoom)
        ride = riding_at(frame, stop.message) if stop.message >= 0 else None
        if ride is not None:
            return ride
        whole = home(frame, width, height, self._layouts[number], yaw, pitch)
        return whole.nearer(stop.zoom)

    def stretches(self) -> list[tuple[float, float, float, float]]:
        """Return the stretches in which the run goes on: the seconds and the times of the run at their ends."""
        times = [stop.time for stop in self.stops]
        ends = zip(self.begins[:-1], self.begins[1:], times[:-1], times[1:], strict=True)
        return [(begin, end, low, high) for begin, end, low, high in ends if high > low]


@dataclass(frozen=True)
class Aloft:
    """The camera of a flight so many seconds after its start."""

    flight: Flight
    seconds: float

    def camera(self, frame: WorldFrame, width: float, height: float) -> Camera:
        """Return where the viewer is, in a view of a size."""
        return self.flight.camera(self.seconds, frame, width, height)


def _between(times: Sequence[float], rows: Floats, first: int, at: float) -> Floats:
    """Return the values of a monotone cubic curve between the knots ``first`` and ``first + 1``.

    Args:
        times: the times of the knots, in ascending order.
        rows: their values, one row for each.
    """
    step = times[first + 1] - times[first]
    u = min(max((at - times[first]) / step, 0.0), 1.0)
    a, b = rows[first], rows[first + 1]
    low, high = (_slope(times, rows, knot) * step for knot in (first, first + 1))
    return np.asarray(
        (1 + 2 * u) * (1 - u) ** 2 * a + u * (1 - u) ** 2 * low + u * u * (3 - 2 * u) * b + u * u * (u - 1) * high
    )


def _slope(times: Sequence[float], rows: Floats, knot: int) -> Floats:
    """Return the slope of a monotone curve at a knot: 0 at its ends and where the direction changes."""
    if not 0 < knot < len(times) - 1:
        return np.zeros(rows.shape[1])
    one, two = times[knot] - times[knot - 1], times[knot + 1] - times[knot]
    before, after = (rows[knot] - rows[knot - 1]) / one, (rows[knot + 1] - rows[knot]) / two
    same = before * after > 0
    first, second = np.where(same, before, 1.0), np.where(same, after, 1.0)
    weight, other = 2 * two + one, two + 2 * one
    return np.where(same, (weight + other) / (weight / first + other / second), 0.0)


def stop_here(frame: WorldFrame, camera: Camera | None, message: int = -1) -> FlightStop:
    """Return the stop at which everything is as it is now; it names its layout and depth.

    Args:
        frame: what is shown.
        camera: where the viewer is; ``None`` for the first view.
        message: the number of the message on which the viewer rides, or -1.
    """
    moment = round(max(frame.flat.t, 0.0), 4)
    stop = FlightStop(moment, layout=frame.layout, depth=round(frame.depth, 3))
    if message >= 0:
        return replace(stop, at=f"message {message}")
    if camera is None:
        return replace(stop, at=TOWER, layout="") if frame.layout == TOWER else stop
    yaw = round((math.degrees(camera.yaw) + 180.0) % 360.0 - 180.0, 2)
    stop = replace(stop, yaw=yaw, pitch=round(math.degrees(camera.pitch), 2))
    away = np.linalg.norm(frame.places - camera.pivot, axis=1)
    if len(away) and away.min() < ON:
        process = int(np.argmin(away))
        zoom = close_to(frame, process, camera.yaw, camera.pitch).reach / camera.reach
        if 0.1 <= zoom <= 20:
            return replace(stop, at=f"process {frame.names[process]}", zoom=round(zoom, 3))
    x, y, z = (round(each, 4) for each in camera.eye)
    return replace(stop, at="", eye=(x, y, z), reach=round(camera.reach, 4))


def resolved(stops: Sequence[FlightStop], usual: str = "shape") -> tuple[FlightStop, ...]:
    """Return stops that all name their layout and depth, except that the place ``tower`` is a layout itself."""
    found, layout, depth = list[FlightStop](), usual, 1.0
    for stop in stops:
        layout = TOWER if stop.at == TOWER else stop.layout or layout
        depth = depth if stop.depth is None else stop.depth
        found.append(replace(stop, layout="" if stop.at == TOWER else layout, depth=depth))
    return tuple(found)


def shortened(stops: Sequence[FlightStop], usual: str = "shape") -> tuple[FlightStop, ...]:
    """Return resolved stops that name their layout and depth only where these differ from those of the stop before."""
    found, layout, depth = list[FlightStop](), usual, 1.0
    for stop in stops:
        here = TOWER if stop.at == TOWER else stop.layout
        same = here == layout or stop.at == TOWER
        found.append(replace(stop, layout="" if same else here, depth=None if stop.depth == depth else stop.depth))
        layout, depth = here, stop.depth or 0.0
    return tuple(found)
