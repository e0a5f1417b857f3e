"""The common parts of the two views along time: their options, their scene and their frame."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.registry import Choice
from lydian.views.selection import Hit, Selection
from lydian.views.time.axis import Rows, Window, checked, fit, rows_of, slots_of
from lydian.views.time.ordering import SORTS, arranged
from lydian.views.time.timescale import SCALES, Scale

__all__ = ["AXIS", "ROWS", "Standing", "TimeFrame", "TimeScene", "placed", "standing"]

#: The options of each view along time.
AXIS = Choice("axis", tr("Horizontal axis"), SCALES, shared=True)
ROWS = Choice("sort", tr("Order of the rows"), SORTS, shared=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class TimeScene:
    """The contents of a window, independent of the moment; times are simulated time, rows count from 0 at the top.

    ``scale`` gives the places of times, ``span`` is the window in places of it. ``look`` is the same for scenes that
    differ only in their windows.
    """

    animation: Animation
    window: Window
    scale: Scale
    span: tuple[float, float]
    rows: Rows
    look: tuple[object, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class TimeFrame:
    """A moment of a :class:`TimeScene`.

    ``slots`` (n,) and ``crashed`` (n,) are the state of each process at ``t``. ``front`` (rows,) is, on the Lamport
    scale, the place up to which each row has come; ``None`` on the others, where that is the play head.
    ``selected`` are processes. ``future`` tells whether what is still to come is shown, pale.
    """

    scene: TimeScene
    timeline: Timeline
    t: float
    title: str
    slots: NDArray[np.int16]
    crashed: NDArray[np.bool_]
    front: NDArray[np.float64] | None
    selected: tuple[int, ...]
    hover: Hit | None
    future: bool

    @property
    def hidden(self) -> tuple[int, ...]:
        """The numbers of the processes without a row."""
        return tuple(np.flatnonzero(self.scene.rows.row < 0).tolist())


@dataclass(frozen=True)
class Standing:
    """The condition of the processes after ``happened`` events; the fields are those of :class:`TimeFrame`."""

    happened: int
    slots: NDArray[np.int16]
    crashed: NDArray[np.bool_]
    front: NDArray[np.float64] | None


def placed(
    timeline: Timeline,
    selection: Selection,
    *,
    animation: Animation | None,
    window: Window | None,
    rows: Rows | Iterable[int] | None,
    sort: str,
    hidden: Iterable[int],
    order: Iterable[int] | None,
) -> tuple[Animation, Window, Rows]:
    """Return the options that both views share, with defaults for those not given.

    Raises:
        BadInput: for an empty window, an unknown order, or rows that are not different processes.
    """
    animation = animation or animation_for(timeline.trace)
    window = fit(timeline) if window is None else checked(window)
    if rows is None:
        rows = arranged(timeline, sort, selected=selection.processes, hidden=hidden, order=order)
    elif not isinstance(rows, Rows):
        rows = rows_of(timeline, rows)
    return animation, window, rows


def standing(timeline: Timeline, scene: TimeScene, k: int) -> Standing:
    """Return the condition of the processes after the first ``k`` events."""
    front = None
    if not scene.scale.by_time:
        last = timeline.last_events(k)[scene.rows.processes]
        front = np.where(last >= 0, scene.scale.events(last), 0.0)
    return Standing(
        happened=k,
        slots=slots_of(timeline, scene.animation)[timeline.states_at(k)],
        crashed=np.asarray(timeline.crashed_at(k)),
        front=front,
    )
