"""Occupation: when each process was in which state, and when it was at work.

A bar runs from the first event of a process to its last one, or to the end of the recording if it is in the midst
of something then, filled by its states.  Drops of messages and links that
go down or come up happen to a process without its doing; they neither begin nor end a bar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import NO_STATE, Kind
from lydian.trace.timeline import STEPS, Timeline
from lydian.views.animation import Animation, animation_for
from lydian.views.axis import Rows, Window, checked, fit, remember, rows_of, slots_of
from lydian.views.frame import NOTHING, Hit, Selection

__all__ = [
    "CRASHED",
    "EMPTY",
    "OccupationFrame",
    "Parts",
    "Scene",
    "busy_until",
    "frame",
    "parts",
    "scene",
    "time_in_states",
]

#: Codes in the place of a state: the process is down; nothing (before the first event, after the last).
CRASHED, EMPTY = 254, NO_STATE

#: More rows or more parts in view than these become an image.
MOST_ROWS, MOST_PARTS = 250, 6000
#: The lengths of steps are read for the whole execution up to so many events, above only where they are in view.
WHOLE = 300_000


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts that processes play in one execution, sorted by process and time.

    ``process``, ``start``, ``stop``, ``state`` (s,): a constant state, or :data:`CRASHED`; ``first`` (n + 1,)
    is where each process begins.  ``done_process``, ``done_time``, ``done_state``: a process reached a last state,
    one that nobody left in this execution and everybody starts outside.  The part in a last state, and in the
    state of the start, ends with the process's last event or step; in any other state the process is still at the
    end of the recording, waiting for what did not come.
    """

    process: NDArray[np.int32]
    start: NDArray[np.float64]
    stop: NDArray[np.float64]
    state: NDArray[np.uint8]
    first: NDArray[np.int64]
    done_process: NDArray[np.int32]
    done_time: NDArray[np.float64]
    done_state: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Scene:
    """What stands in a window, whatever the moment; times are simulated time, rows count from 0 at the top.

    Parts: ``row``, ``start``, ``stop``, ``state`` (code or :data:`CRASHED`), ``slot`` (of its look).
    Steps: ``step_row``, ``step_from``, ``step_to``.  Last states: ``done_row``, ``done_time``, ``done_slot``.
    ``image`` is ``None``, or (rows, bins) codes of states, :data:`CRASHED` or :data:`EMPTY`; then parts and steps
    are empty.  ``state_slots`` (states,) is the look of each state by its code.
    """

    animation: Animation
    window: Window
    rows: Rows
    row: NDArray[np.int32]
    start: NDArray[np.float64]
    stop: NDArray[np.float64]
    state: NDArray[np.uint8]
    slot: NDArray[np.int16]
    step_row: NDArray[np.int32]
    step_from: NDArray[np.float64]
    step_to: NDArray[np.float64]
    done_row: NDArray[np.int32]
    done_time: NDArray[np.float64]
    done_slot: NDArray[np.int16]
    image: NDArray[np.uint8] | None
    state_slots: NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class OccupationFrame:
    """One moment of a :class:`Scene`.

    ``slots`` (n,) and ``crashed`` (n,) tell how each process stands at ``t``; ``words`` are the states in words,
    by code.  ``totals`` is (n, states) the time each process has spent in each
    state up to ``t``, counted from its first event, or ``None`` if nobody asked and it would take long; ``busy``
    (n,) is the time spent on steps, or ``None``.  ``column`` asks for the shares beside the bars.
    """

    scene: Scene
    timeline: Timeline
    t: float
    title: str
    slots: NDArray[np.int16]
    crashed: NDArray[np.bool_]
    words: tuple[str, ...]
    totals: NDArray[np.float64] | None
    busy: NDArray[np.float64] | None
    column: bool
    selected: tuple[int, ...]
    hover: Hit | None
    future: bool


def parts(timeline: Timeline) -> Parts:
    """The parts of all processes, made once."""
    return remember(timeline, "parts", lambda: _parts(timeline))


def _parts(timeline: Timeline) -> Parts:
    kind = np.asarray(timeline.kind)
    acts = (timeline.process >= 0) & (timeline.state != NO_STATE)
    acts &= (kind != Kind.DROP) & (kind != Kind.LINK_DOWN) & (kind != Kind.LINK_UP)
    rows = np.flatnonzero(acts)
    rows = rows[np.argsort(timeline.process[rows], kind="stable")]
    process, time = timeline.process[rows], timeline.time[rows]
    state = np.where(kind[rows] == Kind.CRASH, CRASHED, timeline.state[rows]).astype(np.uint8)
    fresh = np.ones(len(rows), dtype=bool)
    fresh[1:] = process[1:] != process[:-1]
    change = fresh.copy()
    change[1:] |= state[1:] != state[:-1]
    begin = np.flatnonzero(change)
    own, start, code = process[begin], time[begin], state[begin]
    last = np.ones(len(begin), dtype=bool)
    last[:-1] = own[1:] != own[:-1]
    final = last & np.isin(code, _last_states(timeline, code, kind[rows[begin]], last))
    stop = np.full(len(begin), timeline.end)
    stop[:-1][~last[:-1]] = start[1:][~last[:-1]]
    rests = last & (final | (code == timeline.start_state))
    ends = time[np.append(np.flatnonzero(fresh)[1:], len(rows)) - 1] if len(rows) else time
    stop[rests] = _ends(timeline, own[last], ends)[rests[last]]
    return Parts(
        process=own,
        start=start,
        stop=stop,
        state=code,
        first=np.searchsorted(own, np.arange(timeline.n + 1)),
        done_process=own[final],
        done_time=start[final],
        done_state=code[final],
    )


def _last_states(
    timeline: Timeline, code: NDArray[np.uint8], kind: NDArray[np.uint8], last: NDArray[np.bool_]
) -> list[int]:
    """The states that are the end: everybody starts in another, nobody left them, and not only INIT leads there."""
    if timeline.trace.summary and not timeline.trace.summary.get("stopped"):
        return []
    reached = set(np.unique(code[kind != Kind.INIT]).tolist())
    return sorted(reached - set(np.unique(code[~last]).tolist()) - {timeline.start_state, CRASHED})


def _ends(timeline: Timeline, processes: NDArray[np.int32], last: NDArray[np.float64]) -> NDArray[np.float64]:
    """When the bars end: at the last event, or with the step it began, if that takes longer."""
    if timeline.length > WHOLE:
        return last
    process, _, to = _steps(timeline)
    ends = np.full(timeline.n, -np.inf)
    np.maximum.at(ends, process, to)
    stop: NDArray[np.float64] = np.minimum(np.maximum(last, ends[processes]), timeline.end)
    return stop


def _steps(timeline: Timeline) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """All steps in order of process and time: process, from, to.  For executions that are not long."""

    def make() -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
        spans = [timeline.busy(process) for process in range(timeline.n)]
        if not spans:
            return np.zeros(0, np.int32), np.zeros(0), np.zeros(0)
        process = np.repeat(np.arange(timeline.n, dtype=np.int32), [len(start) for start, _ in spans])
        return process, np.concatenate([a for a, _ in spans]), np.concatenate([b for _, b in spans])

    return remember(timeline, "steps", make)


def _steps_in(timeline: Timeline, window: Window) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]:
    """The steps in a window: process, from, to; none if there are too many to be seen apart."""
    if timeline.length <= WHOLE:
        process, start, stop = _steps(timeline)
    else:
        first = int(np.searchsorted(timeline.time, window[0]))
        rows = np.arange(first, timeline.count(window[1]))
        rows = rows[np.isin(timeline.kind[rows], STEPS)] if len(rows) <= 4 * MOST_PARTS else rows[:0]
        details = (timeline.trace.detail(int(row)) or {} for row in rows)
        length = np.fromiter((float(d.get("busy") or 0.0) for d in details), dtype=np.float64, count=len(rows))
        process, start, stop = timeline.process[rows], timeline.time[rows], timeline.time[rows] + length
    seen = (start <= window[1]) & (stop >= window[0])
    if np.count_nonzero(seen) > MOST_PARTS:
        seen[:] = False
    return process[seen], start[seen], stop[seen]


def scene(
    timeline: Timeline,
    window: Window,
    *,
    animation: Animation,
    rows: Rows,
    bins: int = 600,
) -> Scene:
    """Everything of the window that does not depend on the moment; made once and remembered.

    ``bins`` is the width of the image for many processes, about that of the window in pixels.
    """
    key = ("occupation", window, id(rows), id(animation), bins)
    return remember(timeline, key, lambda: _scene(timeline, window, animation, rows, bins))


def _scene(timeline: Timeline, window: Window, animation: Animation, rows: Rows, bins: int) -> Scene:
    table = parts(timeline)
    seen = (table.start <= window[1]) & (table.stop >= window[0])
    image = None
    if len(rows) > MOST_ROWS or np.count_nonzero(seen) > MOST_PARTS:
        image = _image(table, window, rows, seen, bins)
        seen = np.zeros_like(seen)
        step_process, step_from, step_to = np.zeros(0, np.int32), np.zeros(0), np.zeros(0)
    else:
        seen &= rows.row[table.process] >= 0
        step_process, step_from, step_to = _steps_in(timeline, window)
    slots = slots_of(timeline, animation)
    step_row = rows.row[step_process]
    done_row = rows.row[table.done_process]
    done = (done_row >= 0) & (table.done_time >= window[0]) & (table.done_time <= window[1]) & (image is None)
    return Scene(
        animation=animation,
        window=window,
        rows=rows,
        row=rows.row[table.process[seen]],
        start=table.start[seen],
        stop=table.stop[seen],
        state=table.state[seen],
        slot=slots[table.state[seen]],
        step_row=step_row[step_row >= 0],
        step_from=step_from[step_row >= 0],
        step_to=step_to[step_row >= 0],
        done_row=done_row[done],
        done_time=table.done_time[done],
        done_slot=slots[table.done_state[done]],
        image=image,
        state_slots=slots[: len(timeline.states)],
    )


def _image(table: Parts, window: Window, rows: Rows, seen: NDArray[np.bool_], bins: int) -> NDArray[np.uint8]:
    """The state of every row in every piece of the window: the one that begins last in it, (rows, bins)."""
    t0, t1 = window
    row = rows.row[table.process[seen]].astype(np.int64)
    shown = row >= 0
    numbers = np.flatnonzero(seen)[shown]
    row = row[shown]
    scale = bins / (t1 - t0)
    from_bin = np.clip(np.floor((table.start[numbers] - t0) * scale), 0, bins - 1).astype(np.int64)
    to_bin = np.clip(np.ceil((table.stop[numbers] - t0) * scale), from_bin + 1, bins).astype(np.int64)
    # Each bin remembers the latest part that begins in it; that is carried to the right until the part's end.
    latest = np.full((len(rows), bins), -1, dtype=np.int32)
    # The parts of a row rise in time: of several that begin in one bin the last stays.
    latest[row, from_bin] = np.arange(len(numbers), dtype=np.int32)
    np.maximum.accumulate(latest, axis=1, out=latest)
    image = np.full((len(rows), bins), EMPTY, dtype=np.uint8)
    if len(numbers):
        inside = (latest >= 0) & (np.arange(bins)[None, :] < to_bin[latest])
        image[inside] = table.state[numbers][latest[inside]]
    return image


def time_in_states(timeline: Timeline, t: float) -> NDArray[np.float64]:
    """How long each process has been in each state up to ``t``, from its first event on; (n, states)."""
    table = parts(timeline)
    states = len(timeline.states)
    lived = table.state < states
    spent = np.clip(np.minimum(table.stop, t) - table.start, 0.0, None)[lived]
    cells = table.process[lived].astype(np.int64) * states + table.state[lived]
    total: NDArray[Any] = np.bincount(cells, weights=spent, minlength=timeline.n * states)
    return total.astype(np.float64).reshape(timeline.n, states)


def busy_until(timeline: Timeline, t: float) -> NDArray[np.float64]:
    """How long each process has worked on steps up to ``t``, (n,)."""
    process, start, stop = _steps(timeline)
    spent = np.clip(np.minimum(stop, t) - start, 0.0, None)
    total: NDArray[Any] = np.bincount(process, weights=spent, minlength=timeline.n)
    return total.astype(np.float64)


def frame(
    timeline: Timeline,
    t: float,
    selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    window: Window | None = None,
    rows: Rows | Iterable[int] | None = None,
    column: bool = False,
    future: bool = True,
    hover: Hit | None = None,
    bins: int = 600,
) -> OccupationFrame:
    """The bars at time ``t``.

    Args:
        t: the moment, in simulated time.
        selection: selected processes are tinted.
        animation: colours and words; the protocol's own by default.
        window: from and to, the whole execution by default.
        rows: processes from top to bottom, all in their order by default.
        column: ask for the shares beside the bars.
        future: show what is still to come, pale.
        hover: what the pointer is over.
        bins: width of the image that stands for many processes.

    Raises:
        BadInput: for an empty window, or rows that are not different processes.
    """
    animation = animation or animation_for(timeline.trace)
    window = fit(timeline) if window is None else checked(window)
    rows = rows if isinstance(rows, Rows) else rows_of(timeline, rows)
    k = timeline.count(t)
    crashed = timeline.crashed_at(k)
    table = parts(timeline)
    slots = slots_of(timeline, animation)
    short = len(table.start) <= MOST_PARTS
    return OccupationFrame(
        scene=scene(timeline, window, animation=animation, rows=rows, bins=bins),
        timeline=timeline,
        t=t,
        title=_title(table, timeline.n, t, int(np.count_nonzero(crashed))),
        slots=slots[timeline.states_at(k)],
        crashed=crashed,
        words=tuple(animation.word(name) for name in timeline.states),
        totals=time_in_states(timeline, t) if column or short else None,
        busy=busy_until(timeline, t) if timeline.length <= (WHOLE if column else MOST_PARTS) else None,
        column=column,
        selected=tuple(sorted(selection.processes)),
        hover=hover,
        future=future,
    )


def _title(table: Parts, n: int, t: float, crashed: int) -> str:
    """The moment in one line of numbers."""
    there = np.flatnonzero(np.diff(table.first))
    begun = int(np.count_nonzero(table.start[table.first[there]] <= t))
    words = [f"{begun:,} of {n:,} have begun"]
    if len(table.done_time):
        done = int(np.count_nonzero(table.done_time <= t))
        words.append(f"{done:,} in {'its' if done == 1 else 'their'} last state")
    if crashed:
        words.append(f"{crashed:,} crashed")
    return " · ".join(words)
