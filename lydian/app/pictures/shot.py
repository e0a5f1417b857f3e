"""One view in a picture or a movie, with its options and its visible part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QRectF

from lydian.pieces.changing import STATE_FADE
from lydian.trace.timeline import Timeline
from lydian.views.registry import View
from lydian.views.selection import Selection
from lydian.views.time.timescale import follow, scale_of
from lydian.views.world.flights import Aloft, Flight

__all__ = ["Lens", "Shot", "fading", "flown", "followed"]


@dataclass(frozen=True)
class Lens:
    """The part of a network that a view shows: a point (x, y) is drawn at ``x*scale + dx``,
    ``y*scale*aspect + dy``.

    In a picture of another size the same part is visible, with the same middle.
    """

    scale: float
    dx: float
    dy: float
    aspect: float
    size: tuple[float, float]

    def on(self, rect: QRectF) -> Any:
        """Return the camera for a painter that draws into ``rect``."""
        wide, tall = self.size
        factor = min(rect.width() / max(wide, 1.0), rect.height() / max(tall, 1.0))
        middle = rect.center()
        return SimpleNamespace(
            scale=self.scale * factor,
            dx=middle.x() + (self.dx - wide / 2) * factor,
            dy=middle.y() + (self.dy - tall / 2) * factor,
            aspect=self.aspect,
        )


@dataclass(frozen=True)
class Shot:
    """A view and how to paint it.

    Attributes:
        view: its name.
        options: the options for its ``frame``.
        camera: a :class:`Lens`, or another camera that the view's painter accepts; ``None`` shows everything.
        follow: whether in a movie the time range, the option ``window``, moves so that the play head stays in it.
    """

    view: str
    options: Mapping[str, Any] = field(default_factory=dict)
    camera: Any = None
    follow: bool = False


def fading(view: View, speed: float) -> dict[str, float]:
    """Return the option with which a view fades its changes of state in a movie of a speed, if it has one."""
    return {"fade": STATE_FADE * speed} if "fade" in view.options() else {}


def followed(shot: Shot, timeline: Timeline, t: float) -> Shot:
    """Return the shot with its time range moved to contain a moment."""
    window = shot.options.get("window")
    if not shot.follow or window is None:
        return shot
    name = str(shot.options.get("axis", "time"))
    moved = follow(window, t, None if name == "time" else scale_of(timeline, name))
    return replace(shot, options={**shot.options, "window": moved})


def flown(
    shots: Sequence[Shot], flight: Flight, seconds: float, timeline: Timeline, selection: Selection
) -> tuple[list[Shot], float, Selection]:
    """Return shots as they are on a guided flight, the time of the run, and what is selected.

    The view World has the camera and the options of the flight; all views show its moment, and the process that it
    looks at or the message on which it rides is selected.
    """
    pose = flight.pose(seconds)
    aloft = [
        replace(shot, options={**shot.options, **pose.options}, camera=Aloft(flight, seconds))
        if shot.view == "world" else shot
        for shot in shots
    ]  # fmt: skip
    if pose.process in timeline.processes:
        chosen = selection.processes | {timeline.processes.index(pose.process)}
        selection = replace(selection, processes=frozenset(chosen))
    if pose.message >= 0:
        selection = replace(selection, messages=selection.messages | {pose.message})
    return aloft, pose.time, selection
