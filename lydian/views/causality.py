"""Causality: a space-time diagram.  A row a process, time to the right, a line a message.

What does not depend on the play head - lines, dots, marks - is a :class:`~lydian.views.spacetime.Scene`, made once
for a window and kept; a frame adds the moment: what is in flight, and the states beside the rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, did_you_mean
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.animation import Animation, animation_for
from lydian.views.axis import AXES, Rows, Window, checked, fit, remember, rows_of, slots_of, spans_of_crashes
from lydian.views.frame import NOTHING, Hit, Selection
from lydian.views.highlight import FUTURE, PAST, Highlight, chains, marks_for
from lydian.views.spacetime import LIMIT, Scene, messages_of, scene
from lydian.views.words import plural

__all__ = ["CausalityFrame", "fractions", "frame"]


@dataclass(frozen=True, eq=False)
class CausalityFrame:
    """One moment of a :class:`Scene`.

    ``slots`` (n,) and ``crashed`` (n,) tell how each process stands at ``t``.  ``flying`` (f,) are the arrows of
    the scene in flight and ``fraction`` (f,) how far each is on its way, 0 to 1.  ``selected`` are processes.
    ``future`` tells whether what is still to come is shown, pale.
    """

    scene: Scene
    timeline: Timeline
    t: float
    title: str
    slots: NDArray[np.int16]
    crashed: NDArray[np.bool_]
    flying: NDArray[np.int64]
    fraction: NDArray[np.float64]
    selected: tuple[int, ...]
    selected_event: int | None
    hover: Hit | None
    future: bool


def frame(
    timeline: Timeline,
    t: float,
    selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    window: Window | None = None,
    rows: Rows | Iterable[int] | None = None,
    highlighted: str | None = "past",
    axis: str = "time",
    future: bool = True,
    hover: Hit | None = None,
    bins: int = 600,
    limit: int = LIMIT,
) -> CausalityFrame:
    """The space-time diagram at time ``t``.

    Args:
        t: the moment, in simulated time; every event up to and at ``t`` has happened.
        selection: selected processes, messages and event.
        animation: colours and words; the protocol's own by default.
        window: from and to, the whole execution by default.
        rows: processes from top to bottom, all in their order by default.
        highlighted: ``"past"`` or ``"future"`` of the selected event, ``"both"``, ``"longest"`` chain so far, or
            ``None``.
        axis: ``"time"``.
        future: show what is still to come, pale.
        hover: what the pointer is over.
        bins: pieces of the window for the density picture.
        limit: more messages than this in the window become a density picture.

    Raises:
        BadInput: for an empty window, an unknown axis or mode, rows that are not different processes.
    """
    if axis not in AXES:
        raise BadInput(f"there is no axis '{axis}'{did_you_mean(axis, AXES)}; there is: {', '.join(AXES)}")
    animation = animation or animation_for(timeline.trace)
    window = fit(timeline) if window is None else checked(window)
    rows = rows if isinstance(rows, Rows) else rows_of(timeline, rows)
    k = int(timeline.count(t))
    marks = marks_for(timeline, selection.event, highlighted, k)
    static = scene(timeline, window, selection, animation=animation, rows=rows, marks=marks, bins=bins, limit=limit)
    flying = np.flatnonzero((static.sent <= t) & (static.arrived > t))
    return CausalityFrame(
        scene=static,
        timeline=timeline,
        t=t,
        title=_title(timeline, t, k, marks),
        slots=slots_of(timeline, animation)[timeline.states_at(k)],
        crashed=np.asarray(timeline.crashed_at(k)),
        flying=flying,
        fraction=fractions(static.sent[flying], static.arrived[flying], t, messages_of(timeline).usual),
        selected=tuple(sorted(selection.processes)),
        selected_event=selection.event,
        hover=hover,
        future=future,
    )


def fractions(sent: NDArray[np.float64], arrived: NDArray[np.float64], t: float, usual: float) -> NDArray[np.float64]:
    """How far messages in flight are at ``t``: the exact part of their delay.

    One that has no arrival, because the recording ended before, comes nearer and nearer to its target without
    reaching it: half of the way after the ``usual`` delay.
    """
    gone = t - sent
    delay = arrived - sent
    part = np.divide(gone, delay, out=np.ones_like(gone), where=np.isfinite(delay) & (delay > 0))
    return np.where(np.isfinite(delay), np.clip(part, 0.0, 1.0), gone / (gone + (usual if usual > 0 else 1.0)))


def _title(timeline: Timeline, t: float, k: int, marks: Highlight | None) -> str:
    """The moment in one line of numbers."""
    longest = f"longest chain so far {int(chains(timeline)[k - 1]) if k else 0:,}"
    parts = []
    if marks is not None and marks.wanted & PAST:
        parts.append(f"{plural(marks.led, 'event')} led to the selected one")
    if marks is not None and marks.wanted & FUTURE:
        parts.append(f"{plural(marks.came, 'event')} came of {'it' if parts else 'the selected one'}")
    if parts:
        return " · ".join([*parts, longest])
    table = messages_of(timeline)
    sent = int(np.searchsorted(table.sent, t, side="right"))
    flying = sent - int(np.searchsorted(table.arrivals, t, side="right"))
    parts = [plural(sent, "message") + (f", {flying:,} on the way" if flying else "")]
    lost = _lost(timeline, t)
    return " · ".join([lost, *parts, longest] if lost else [*parts, longest])


def _lost(timeline: Timeline, t: float) -> str:
    """``1 message lost at 9`` if 9 crashed, else ``on the way to 9``; nothing if none is lost yet."""
    drops = remember(timeline, "drops", lambda: np.flatnonzero(np.asarray(timeline.kind) == Kind.DROP))
    gone = drops[: np.searchsorted(timeline.time[drops], t, side="right")]
    if not len(gone):
        return ""
    where = np.unique(np.asarray(timeline.process)[gone])
    place = ""
    if len(where) == 1 and where[0] >= 0:
        crashed = int(where[0]) in spans_of_crashes(timeline)[0]
        place = f" {'at' if crashed else 'on the way to'} {timeline.processes[int(where[0])]}"
    return f"{plural(len(gone), 'message')} lost{place}"
