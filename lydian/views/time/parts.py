"""The parts that processes play: from when to when each was in which state, crashed, or at work on a step.

A bar runs from the first event of a process to its last one, or to the end of the recording if it is in the midst
of something then. Drops of messages and links that go down or come up happen to a process without its doing; they
neither begin nor end a bar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import NO_STATE, OFF_LINE, Kind
from lydian.trace.store import Picked
from lydian.trace.timeline import STEPS, Timeline
from lydian.views.time.axis import Window, remember
from lydian.views.time.timescale import Scale

__all__ = [
    "CRASHED",
    "EMPTY",
    "WHOLE",
    "Parts",
    "Steps",
    "busy_until",
    "part_at",
    "parts",
    "parts_in",
    "places",
    "steps",
    "steps_in",
    "time_in_states",
]

#: Codes in the place of a state: the process is down; nothing (before the first event, after the last).
CRASHED, EMPTY = 254, NO_STATE

#: Up to this number of events, the lengths of steps are read for the whole execution, beyond it only in view.
WHOLE = 300_000


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts that processes play in one execution, sorted by process and time.

    ``process``, ``start``, ``stop``, ``state`` (s,): a constant state, or :data:`CRASHED`; ``event`` is the one it
    begins with; ``first`` (n + 1,) is where each process begins. ``done_process``, ``done_time``, ``done_state``:
    a process reached a last state, which no process left in this execution and in which none starts. The part
    in a last state, and in the state of the start, ends with the process's last event or step; in any other state
    the process still is at the end of the recording, waiting for something that did not come.
    """

    process: NDArray[np.integer[Any]]
    start: NDArray[np.float64]
    stop: NDArray[np.float64]
    state: NDArray[np.uint8]
    event: NDArray[np.int32]
    first: NDArray[np.int64]
    done_process: NDArray[np.int32]
    done_time: NDArray[np.float64]
    done_state: NDArray[np.uint8]


def parts(timeline: Timeline) -> Parts:
    """Return the parts of all processes, made once."""
    return remember(timeline, "parts", lambda: _parts(timeline))


def _parts(timeline: Timeline) -> Parts:
    kind = np.asarray(timeline.kind)
    acts = (timeline.process >= 0) & (timeline.state != NO_STATE)
    acts &= ~np.isin(kind, OFF_LINE)
    rows = np.flatnonzero(acts).astype(np.int32)
    keys = timeline.process[rows]
    keys = keys.astype(np.int16) if timeline.n < 2**15 else keys  # 16-bit keys are sorted ten times faster
    rows = rows[np.argsort(keys, kind="stable")]
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
    begun = rows[begin].astype(np.int32)
    return Parts(
        process=own.astype(keys.dtype),
        start=start_of(timeline, begun),
        stop=stop,
        state=code,
        event=begun,
        first=np.searchsorted(own, np.arange(timeline.n + 1)),
        done_process=own[final],
        done_time=start[final],
        done_state=code[final],
    )


def start_of(timeline: Timeline, event: NDArray[np.int32]) -> Any:
    """Return the times of events, looked up when they are asked for: there may be millions."""
    return Picked(timeline.time, event, np.inf)


def _last_states(
    timeline: Timeline, code: NDArray[np.uint8], kind: NDArray[np.uint8], last: NDArray[np.bool_]
) -> list[int]:
    """Return the final states: every process starts in another, none has left them, and not only INIT leads
    there.
    """
    if timeline.trace.summary and not timeline.trace.summary.get("stopped"):
        return []
    reached = set(np.unique(code[kind != Kind.INIT]).tolist())
    return sorted(reached - set(np.unique(code[~last]).tolist()) - {timeline.start_state, CRASHED})


def _ends(timeline: Timeline, processes: NDArray[np.int32], last: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return when the bars end: at the last event, or with the step it began, if that takes longer."""
    if timeline.length > WHOLE:
        return last
    table = steps(timeline)
    process, to = table.process, table.stop
    ends = np.full(timeline.n, -np.inf)
    np.maximum.at(ends, process, to)
    stop: NDArray[np.float64] = np.minimum(np.maximum(last, ends[processes]), timeline.end)
    return stop


@dataclass(frozen=True, eq=False)
class Steps:
    """Steps: ``process``, ``start``, ``stop``, and the ``event`` each begins with."""

    process: NDArray[np.int32]
    start: NDArray[np.float64]
    stop: NDArray[np.float64]
    event: NDArray[np.integer[Any]]


def steps(timeline: Timeline) -> Steps:
    """Return all steps in order of process and time. For executions that are not long."""

    def make() -> Steps:
        wanted = np.isin(timeline.kind, STEPS)
        order, starts = timeline.by_process
        seqs = order[starts[0] : starts[-1]]
        seqs = seqs[wanted[seqs]]
        start = timeline.time[seqs]
        length = timeline.step_lengths[seqs] if len(seqs) else start
        return Steps(timeline.process[seqs], start, start + length, seqs)

    return remember(timeline, "steps", make)


def steps_in(timeline: Timeline, window: Window, most: int) -> Steps:
    """Return the steps in a window, none if there are more than ``most``."""
    if timeline.length <= WHOLE:
        table = steps(timeline)
        process, start, stop, seqs = table.process, table.start, table.stop, table.event
    else:
        first = int(np.searchsorted(timeline.time, window[0]))
        last = timeline.count(window[1])
        seqs = np.arange(first, last if last - first <= 4 * most else first)
        seqs = seqs[np.isin(timeline.kind[seqs], STEPS)]
        details = (timeline.trace.detail(int(seq)) or {} for seq in seqs)
        length = np.fromiter((float(d.get("busy") or 0.0) for d in details), dtype=np.float64, count=len(seqs))
        process, start, stop = timeline.process[seqs], timeline.time[seqs], timeline.time[seqs] + length
    seen = (start <= window[1]) & (stop >= window[0])
    if np.count_nonzero(seen) > most:
        seen[:] = False
    return Steps(process[seen], start[seen], stop[seen], seqs[seen])


def places(timeline: Timeline, scale: Scale) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The places at which each part begins and ends; on the straight scale these are its times."""
    table = parts(timeline)
    if scale.straight:
        return table.start, table.stop

    def make() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        begin = scale.events(table.event)
        end = np.empty_like(begin)
        end[:-1] = begin[1:]  # a part ends where the next one of its process begins; the last one
        last = table.first[1:][np.diff(table.first) > 0] - 1
        end[last] = scale.place(table.stop[last])
        return begin, np.maximum(end, begin, out=end)

    return remember(timeline, ("places of parts", scale.name), make, of_kind=1)


def among(values: NDArray[np.float64], first: NDArray[np.int64], x: float, side: str) -> NDArray[np.int64]:
    """Return, for each run ``first[i]`` to ``first[i + 1]`` of ascending values, the place of x, as searchsorted."""
    low, high = first[:-1].copy(), first[1:].copy()
    last = max(len(values) - 1, 0)
    while True:
        open_ = low < high
        if not open_.any():
            return low
        middle = (low + high) // 2
        found = values[np.minimum(middle, last)]
        before = open_ & ((found <= x) if side == "right" else (found < x))
        low = np.where(before, middle + 1, low)
        high = np.where(open_ & ~before, middle, high)


def parts_in(timeline: Timeline, scale: Scale, span: tuple[float, float], most: int) -> NDArray[np.int64] | None:
    """Return the parts that touch a stretch of the axis; ``None`` if there are more than ``most``."""
    table = parts(timeline)
    begin, end = places(timeline, scale)
    low = among(end, table.first, span[0], "left")
    count = np.maximum(among(begin, table.first, span[1], "right") - low, 0)
    total = int(count.sum())
    if total > most:
        return None
    return np.repeat(low - (np.cumsum(count) - count), count) + np.arange(total)


def time_in_states(timeline: Timeline, t: float) -> NDArray[np.float64]:
    """Return how long each process has been in each state up to ``t``, from its first event on; (n, states)."""
    table = parts(timeline)
    states = len(timeline.states)
    lived = table.state < states
    spent = np.clip(np.minimum(table.stop, t) - table.start, 0.0, None)[lived]
    cells = table.process[lived].astype(np.int64) * states + table.state[lived]
    total: NDArray[Any] = np.bincount(cells, weights=spent, minlength=timeline.n * states)
    return total.astype(np.float64).reshape(timeline.n, states)


def busy_until(timeline: Timeline, t: float) -> NDArray[np.float64]:
    """Return how long each process has worked on steps up to ``t``, (n,)."""
    table = steps(timeline)
    spent = np.clip(np.minimum(table.stop, t) - table.start, 0.0, None)
    total: NDArray[Any] = np.bincount(table.process, weights=spent, minlength=timeline.n)
    return total.astype(np.float64)


def part_at(timeline: Timeline, scale: Scale, process: int, place: float) -> int:
    """Return the part that a process plays at a place of the axis, -1 for none; of several that begin there the
    last.
    """
    table = parts(timeline)
    begin, end = places(timeline, scale)
    first, stop = int(table.first[process]), int(table.first[process + 1])
    part = first + int(np.searchsorted(begin[first:stop], place, side="right")) - 1
    return part if part >= first and place <= end[part] else -1
