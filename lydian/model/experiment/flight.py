"""Guided flights: the stops at which the camera of the view World passes through a run.

In the file of an experiment, or in the block ``experiment`` of a lesson, a flight is a list of tables::

    [[flight]]
    time = 0.0                 # the time of the run at this stop
    at = "home"                # or "tower", "process 5", "message 12"; or eye, yaw, pitch and reach of a camera
    seconds = 4.0              # until the next stop; after the last one, the length of the stay
    say = "One sentence."

    [[flight]]
    time = 3.5
    at = "process 5"
    yaw = 40.0                 # the direction of view in degrees, if it is not the usual one
    zoom = 1.5                 # how much nearer than usual

``layout`` places the processes from this stop on, and ``depth``, from 0 to 1, is that of the drawing; by default both
are those of the stop before. ``"home"`` shows everything, ``"tower"`` the tower, and ``"message 12"`` rides on a
message while it is in transit. A flight does not influence the run.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.reading import Table
from lydian.model.viewnames import SPACES

__all__ = ["FlightStop", "check_flight", "read_flight"]

Eye = tuple[float, float, float]

_KEYS = ("time", "at", "eye", "yaw", "pitch", "reach", "zoom", "layout", "depth", "seconds", "say")
#: The shortest and the longest way to the next stop in seconds.
SHORTEST, LONGEST = 0.1, 600.0
#: The steepest view in degrees, and the limits of the zoom.
STEEPEST, ZOOMS = 85.0, (0.1, 20.0)
_WRITE = 'write "home", "tower", "process 5" or "message 12"'


@dataclass(frozen=True)
class FlightStop:
    """One stop of a guided flight.

    Attributes:
        time: the time of the run when the camera is there.
        at: what the camera looks at: ``home``, ``tower``, ``process NAME`` or ``message NUMBER``; empty for a camera
            with a place of its own.
        eye: the position of that camera, in units of the radius of the network.
        yaw, pitch: its direction of view in degrees; ``None`` for the usual one.
        reach: the distance of the point around which it turns.
        zoom: how many times nearer than usual the camera is to what it looks at.
        layout: one of :data:`lydian.model.viewnames.SPACES`, or empty for that of the stop before.
        depth: from 0, the flat drawing, to 1; ``None`` for that of the stop before.
        seconds: the duration of the way to the next stop, or of the stay at the last one.
        say: the sentence that is shown on the way.
    """

    time: float
    at: str = "home"
    eye: Eye | None = None
    yaw: float | None = None
    pitch: float | None = None
    reach: float = 3.0
    zoom: float = 1.0
    layout: str = ""
    depth: float | None = None
    seconds: float = 5.0
    say: str = ""

    @property
    def process(self) -> str:
        """The name of the process that the camera looks at, or empty."""
        return self.at.removeprefix("process ") if self.at.startswith("process ") else ""

    @property
    def message(self) -> int:
        """The number of the message on which the camera rides, or -1."""
        return int(self.at.removeprefix("message ")) if self.at.startswith("message ") else -1

    def to_dict(self) -> dict[str, Any]:
        """Return plain data in the layout of the file, without default values."""
        found: dict[str, Any] = {"time": self.time}
        if self.eye is None:
            found["at"] = self.at
        else:
            found |= {"eye": list(self.eye), "reach": self.reach}
        for key in ("yaw", "pitch", "zoom", "layout", "depth", "say"):
            if getattr(self, key) != getattr(FlightStop, key):
                found[key] = getattr(self, key)
        return found | {"seconds": self.seconds}

    @classmethod
    def from_dict(cls, data: Any, file: Any = None, place: str = "") -> FlightStop:
        """Read one table.

        Raises:
            BadInput: names the file and the place in it.
        """
        table = Table(data, _KEYS, file=file, place=place)
        table.need("time", float, "time = 3.5")
        eye = _eye(table)
        at = table.get("at", str, "home")
        if eye is not None and "at" in table:
            raise table.bad("at", "a stop with an eye has a place of its own; leave out one of the two")
        if eye is None and "reach" in table:
            raise table.bad("reach", "belongs to a camera with an eye; write zoom = 1.5 to come nearer")
        kind, _, name = at.partition(" ")
        if (kind in ("home", "tower")) is bool(name) or kind not in ("home", "tower", "process", "message"):
            raise table.bad("at", f"unknown place {shown(at)}{did_you_mean(at, ('home', 'tower'))}; {_WRITE}")
        if kind == "message" and not name.isdecimal():
            raise table.bad("at", f'a message is given by its number, as in "message 12", not {shown(at)}')
        layout = table.get("layout", str, "")
        if layout and layout not in SPACES:
            hint = did_you_mean(layout, SPACES) or f"; choose from {', '.join(SPACES)}"
            raise table.bad("layout", f"unknown layout {shown(layout)}{hint}")
        if layout and at == "tower" and layout != "tower":
            raise table.bad("layout", "the place is the tower, which is a layout itself; leave out one of the two")
        return cls(
            time=table.number("time"),
            at="" if eye is not None else at,
            eye=eye,
            yaw=_within(table, "yaw", None, -math.inf, math.inf, "a finite number of degrees"),
            pitch=_within(table, "pitch", None, -STEEPEST, STEEPEST, "from -85 to 85 degrees"),
            reach=_within(table, "reach", cls.reach, 0.08, 40.0, "a distance from 0.08 to 40") or cls.reach,
            zoom=_within(table, "zoom", cls.zoom, *ZOOMS, "a number from 0.1 to 20") or cls.zoom,
            layout=layout,
            depth=_within(table, "depth", None, 0.0, 1.0, "a number from 0 to 1"),
            seconds=_within(table, "seconds", cls.seconds, SHORTEST, LONGEST, "from 0.1 to 600 seconds") or cls.seconds,
            say=table.get("say", str, ""),
        )


def _eye(table: Table) -> Eye | None:
    """Read the position of a camera."""
    given = table.get("eye", list)
    if given is None:
        return None
    numbers = [each for each in given if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(given) != 3 or len(numbers) != 3 or not all(math.isfinite(each) for each in numbers):
        raise table.bad("eye", f"must be three numbers such as [0.5, 0.2, 3.0], not {shown(given)}")
    x, y, z = (float(each) for each in numbers)
    return x, y, z


def _within(table: Table, key: str, default: float | None, low: float, high: float, what: str) -> float | None:
    """Read a number between two limits."""
    value: float | None = table.get(key, float, default)
    if value is not None and not (math.isfinite(value) and low <= value <= high):
        raise table.bad(key, f"must be {what}, not {table.data[key]}")
    return value


def read_flight(tables: Iterable[tuple[str, Any]], file: Any = None) -> tuple[FlightStop, ...]:
    """Read the stops of a flight.

    Args:
        tables: the place of each table in the file, and its content.

    Raises:
        BadInput: names the file and the place in it.
    """
    return tuple(FlightStop.from_dict(data, file, place) for place, data in tables)


def check_flight(stops: Iterable[FlightStop], processes: Collection[str], file: Any = None) -> None:
    """Refuse a flight to a process that is none of the given ones.

    Raises:
        BadInput: names the file and the place in it.
    """
    for number, stop in enumerate(stops):
        if stop.process and stop.process not in processes:
            what = unknown_process(stop.process, processes)
            raise BadInput(what, file=file, place=f"flight[{number}].at")
