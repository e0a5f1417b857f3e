"""The still part of the space-time diagram: everything of a window that does not depend on the moment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Kind
from lydian.trace.timeline import STEPS, Timeline
from lydian.views.animation import Animation
from lydian.views.axis import Rows, Window, kinds_of, remember, spans_of_crashes
from lydian.views.frame import NOTHING, Selection
from lydian.views.highlight import Highlight

__all__ = [
    "CRASH",
    "FAULT",
    "FULL",
    "HOLLOW",
    "LIMIT",
    "LOST",
    "Messages",
    "Scene",
    "arrows_in",
    "messages_of",
    "scene",
]

#: From so many messages in view on their density is shown instead.
LIMIT = 6000

#: How an event is drawn: hollow dot, full dot, cross where a message was lost, cross of a crash, other faults.
HOLLOW, FULL, LOST, CRASH, FAULT, NOT_DRAWN = 0, 1, 2, 3, 4, 5
_GLYPHS = np.full(256, NOT_DRAWN, dtype=np.uint8)
_GLYPHS[[Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE, Kind.DELIVER, Kind.DECIDE, Kind.NOTE]] = FULL
_GLYPHS[Kind.SEND] = HOLLOW
_GLYPHS[Kind.DROP] = LOST
_GLYPHS[Kind.CRASH] = CRASH
_GLYPHS[[Kind.RECOVER, Kind.CORRUPT, Kind.INJECT, Kind.ERROR]] = FAULT


@dataclass(frozen=True, eq=False)
class Scene:
    """What stands in a window, whatever the moment.  Times are simulated time, rows count from 0 at the top.

    Arrows (a,), in order of sending: ``message`` (its number), ``sent``, ``arrived`` (infinite: not before the
    recording ended), ``source_row``, ``target_row``, ``end_row`` (where the line ends: the row of the
    target, or between the rows if the message was lost on its way), ``kind``, ``lost``, ``bits`` (marks of
    :mod:`lydian.views.highlight`), ``chosen`` (selected).
    Events (e,), in order: ``event`` (its seq), ``time``, ``row``, ``glyph``, ``lamport``, ``step`` (whether it
    begins a step of its process), ``event_bits``.
    Pieces of process lines under a mark: ``span_row``, ``span_from``, ``span_to``, ``span_bit``.
    Crashed: ``crash_row``, ``crash_from``, ``crash_to``.
    ``dimmed``: whatever has no mark is pale.  ``density`` is ``None``, or (rows, bins) events per piece of the
    window; then arrows and events hold only what is marked or selected.
    ``in_view`` is the number of messages in the window, drawn or not.
    """

    animation: Animation
    window: Window
    rows: Rows
    marks: Highlight | None
    message: NDArray[np.int64]
    sent: NDArray[np.float64]
    arrived: NDArray[np.float64]
    source_row: NDArray[np.int32]
    target_row: NDArray[np.int32]
    end_row: NDArray[np.float64]
    kind: NDArray[np.int16]
    lost: NDArray[np.bool_]
    bits: NDArray[np.uint8]
    chosen: NDArray[np.bool_]
    event: NDArray[np.int64]
    time: NDArray[np.float64]
    row: NDArray[np.float64]
    glyph: NDArray[np.uint8]
    lamport: NDArray[np.int32]
    step: NDArray[np.bool_]
    event_bits: NDArray[np.uint8]
    span_row: NDArray[np.int32]
    span_from: NDArray[np.float64]
    span_to: NDArray[np.float64]
    span_bit: NDArray[np.uint8]
    crash_row: NDArray[np.int32]
    crash_from: NDArray[np.float64]
    crash_to: NDArray[np.float64]
    dimmed: bool
    density: NDArray[np.int32] | None
    in_view: int


@dataclass(frozen=True, eq=False)
class Messages:
    """The messages of an execution in order of sending (``order`` is ``None`` if their numbers are in that order).

    ``reach[i]`` is the latest arrival among the first i + 1; ``arrivals`` are all arrivals in rising order;
    ``endless`` are the places in ``sent`` of those that never arrived; ``longest`` and ``usual`` are delays.
    """

    order: NDArray[np.int64] | None
    sent: NDArray[np.float64]
    arrived: NDArray[np.float64]
    reach: NDArray[np.float64]
    arrivals: NDArray[np.float64]
    endless: NDArray[np.int64]
    longest: float
    usual: float


def messages_of(timeline: Timeline) -> Messages:
    """The table of messages, made once."""

    def make() -> Messages:
        sent = np.asarray(timeline.message_sent, dtype=np.float64)
        arrived = np.asarray(timeline.message_arrived, dtype=np.float64)
        order = None
        if len(sent) and bool((sent[1:] < sent[:-1]).any()):
            order = np.argsort(sent, kind="stable")
            sent, arrived = sent[order], arrived[order]
        there = np.isfinite(arrived)
        known = np.where(there, arrived, -np.inf)
        delays = (arrived - sent)[there]
        lost = timeline.lost if order is None else timeline.lost[order]
        whole = delays[~lost[there]]
        endless = np.flatnonzero(~there)
        return Messages(
            order=order,
            sent=sent,
            arrived=arrived,
            reach=np.maximum.accumulate(known),
            arrivals=np.sort(arrived[there]),
            endless=endless,
            longest=float(delays.max(initial=0.0)),
            usual=float(whole.mean()) if len(whole) else 1.0,
        )

    return remember(timeline, "messages", make)


def arrows_in(timeline: Timeline, window: Window) -> tuple[NDArray[np.int64], int]:
    """The messages under way at any time of the window, in order of sending, and their number.

    A message that never arrived is under way from its sending on.
    """
    table = messages_of(timeline)
    first, last = _slice(table, window)
    chosen = first + np.flatnonzero(table.arrived[first:last] >= window[0])
    earlier = table.endless[: np.searchsorted(table.endless, first)]
    places = np.concatenate((earlier, chosen))
    messages = places if table.order is None else table.order[places]
    return messages, len(messages)


def _slice(table: Messages, window: Window) -> tuple[int, int]:
    """Places in order of sending between which all arriving messages of the window lie.

    Nothing sent longer ago than the longest delay is still under way; nor is what comes before the first place
    up to which any arrival reaches into the window.
    """
    t0, t1 = window
    last = int(np.searchsorted(table.sent, t1, side="right"))
    by_delay = int(np.searchsorted(table.sent, t0 - table.longest * (1 + 1e-9) - 1e-12))
    by_reach = int(np.searchsorted(table.reach, t0))
    return min(max(by_delay, by_reach), last), last


def _count_in(timeline: Timeline, window: Window) -> int:
    """How many messages :func:`arrows_in` would give, by counting alone."""
    table = messages_of(timeline)
    begun = int(np.searchsorted(table.sent, window[1], side="right"))
    return begun - int(np.searchsorted(table.arrivals, window[0], side="left"))


def scene(
    timeline: Timeline,
    window: Window,
    selection: Selection = NOTHING,
    *,
    animation: Animation,
    rows: Rows,
    marks: Highlight | None = None,
    bins: int = 600,
    limit: int = LIMIT,
) -> Scene:
    """Everything of the window that does not depend on the moment; made once and remembered.

    Args:
        window: from and to, in simulated time.
        marks: what is highlighted, from :func:`lydian.views.highlight.highlight`.
        bins: pieces of the window for the density picture, about its width in pixels.
        limit: more messages than this in the window become a density picture.
    """
    key = ("causality", window, id(rows), id(marks), selection, id(animation), bins, limit)
    return remember(timeline, key, lambda: _scene(timeline, window, selection, animation, rows, marks, bins, limit))


def _scene(
    timeline: Timeline,
    window: Window,
    selection: Selection,
    animation: Animation,
    rows: Rows,
    marks: Highlight | None,
    bins: int,
    limit: int,
) -> Scene:
    first = int(np.searchsorted(timeline.time, window[0], side="left"))
    last = int(np.searchsorted(timeline.time, window[1], side="right"))
    in_view = _count_in(timeline, window)
    dense = in_view > limit or last - first > 4 * limit
    if dense:
        messages, events = _crisp(timeline, window, selection, marks, first, last, limit)
    else:
        messages, _ = arrows_in(timeline, window)
        events = np.arange(first, last)
    source = rows.row[timeline.message_source[messages]]
    target = rows.row[timeline.message_target[messages]]
    shown = (source >= 0) & (target >= 0)
    messages, source, target = messages[shown], source[shown], target[shown]
    process = np.asarray(timeline.process)[events]
    row = np.where(process >= 0, rows.row[process], -1)
    glyph = _GLYPHS[timeline.kind[events]]
    drawn = (row >= 0) & (glyph != NOT_DRAWN)
    events, row, glyph = events[drawn], row[drawn].astype(np.float64), glyph[drawn]
    drops = np.flatnonzero((glyph == LOST) & (timeline.message[events] >= 0))
    gone = timeline.message[events[drops]].astype(np.int64)
    begin, end = rows.row[timeline.message_source[gone]], rows.row[timeline.message_target[gone]]
    row[drops] = np.where(begin >= 0, _end_rows(timeline, gone, begin, end), row[drops])
    kinds = kinds_of(timeline, animation)
    crash_process, crash_from, crash_to = spans_of_crashes(timeline)
    crash_row = rows.row[crash_process]
    crashed = (crash_row >= 0) & (crash_from <= window[1]) & (crash_to >= window[0])
    span_row, span_from, span_to, span_bit = _spans(marks, rows, window)
    return Scene(
        animation=animation,
        window=window,
        rows=rows,
        marks=marks,
        message=messages,
        sent=timeline.message_sent[messages],
        arrived=timeline.message_arrived[messages],
        source_row=source,
        target_row=target,
        end_row=_end_rows(timeline, messages, source, target),
        kind=kinds[timeline.message_label[messages]],
        lost=timeline.lost[messages],
        bits=_bits_of(marks, messages),
        chosen=np.isin(messages, np.fromiter(selection.messages, dtype=np.int64, count=len(selection.messages))),
        event=events,
        time=timeline.time[events],
        row=row,
        glyph=glyph,
        lamport=timeline.lamport[events],
        step=np.isin(timeline.kind[events], STEPS),
        event_bits=np.zeros(len(events), dtype=np.uint8) if marks is None else marks.bits[events],
        span_row=span_row,
        span_from=span_from,
        span_to=span_to,
        span_bit=span_bit,
        crash_row=crash_row[crashed],
        crash_from=crash_from[crashed],
        crash_to=crash_to[crashed],
        dimmed=marks is not None,
        density=_density(timeline, window, rows, first, last, bins) if dense else None,
        in_view=in_view,
    )


def _end_rows(
    timeline: Timeline, messages: NDArray[np.int64], source: NDArray[np.int32], target: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Where the lines of messages end.

    A message that found its process crashed is lost at the end of its way.  Of one that was lost before, the trace
    tells when, but not where: it ends as far as it would have come at the usual pace, 30 % to 90 %.
    """
    end = target.astype(np.float64)
    usual = messages_of(timeline).usual
    for place in np.flatnonzero(timeline.lost[messages]).tolist():
        message = int(messages[place])
        detail = timeline.trace.detail(int(timeline.receives[message])) or {}
        if detail.get("reason") != "crash":
            gone = float(timeline.message_arrived[message] - timeline.message_sent[message])
            share = min(max(gone / usual if usual > 0 else 0.0, 0.3), 0.9)
            end[place] = source[place] + share * (target[place] - source[place])
    return end


def _crisp(
    timeline: Timeline,
    window: Window,
    selection: Selection,
    marks: Highlight | None,
    first: int,
    last: int,
    limit: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Messages and events that are drawn over a density picture: marked or selected ones, the latest ``limit``."""
    message_parts = [np.array(sorted(selection.messages), dtype=np.int64)]
    event_parts = [np.zeros(0, dtype=np.int64)]
    if marks is not None:
        message_parts.append(marks.messages)
        event_parts.append(first + np.flatnonzero(marks.bits[first:last]))
    elif selection.processes:
        table = messages_of(timeline)
        places = slice(*_slice(table, window))
        numbers = np.arange(places.start, places.stop) if table.order is None else table.order[places]
        mine = np.isin(timeline.message_source[numbers], list(selection.processes))
        mine |= np.isin(timeline.message_target[numbers], list(selection.processes))
        message_parts.append(numbers[mine])
        for process in sorted(selection.processes):
            seqs = np.asarray(timeline.events_of(process))
            event_parts.append(seqs[np.searchsorted(seqs, first) : np.searchsorted(seqs, last)])
    if selection.event is not None and first <= selection.event < last:
        event_parts.append(np.array([selection.event], dtype=np.int64))
    messages = np.unique(np.concatenate(message_parts))
    inside = (timeline.message_sent[messages] <= window[1]) & (timeline.message_arrived[messages] >= window[0])
    return messages[inside][-limit:], np.unique(np.concatenate(event_parts))[-limit:]


def _bits_of(marks: Highlight | None, messages: NDArray[np.int64]) -> NDArray[np.uint8]:
    bits = np.zeros(len(messages), dtype=np.uint8)
    if marks is not None and len(marks.messages):
        place = np.minimum(np.searchsorted(marks.messages, messages), len(marks.messages) - 1)
        found = marks.messages[place] == messages
        bits[found] = marks.message_bits[place[found]]
    return bits


def _spans(
    marks: Highlight | None, rows: Rows, window: Window
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8]]:
    if marks is None:
        return np.zeros(0, np.int32), np.zeros(0), np.zeros(0), np.zeros(0, np.uint8)
    row = rows.row[marks.span_process]
    seen = (row >= 0) & (marks.span_from <= window[1]) & (marks.span_to >= window[0])
    return row[seen], marks.span_from[seen], marks.span_to[seen], marks.span_bit[seen]


def _density(
    timeline: Timeline, window: Window, rows: Rows, first: int, last: int, bins: int, most: int = 2_000_000
) -> NDArray[np.int32]:
    """Events per row and piece of the window, (rows, bins).

    Of more than ``most`` events every second, third ... is counted, and the count multiplied.
    """
    stride = max(1, -(-(last - first) // most))
    time = timeline.time[first:last:stride]
    edges = np.linspace(window[0], window[1], bins + 1)[1:-1]
    ends = np.concatenate(([0], np.searchsorted(time, edges), [len(time)]))
    bin_of = np.repeat(np.arange(bins), np.diff(ends))
    process = np.asarray(timeline.process)[first:last:stride]
    row = np.where(process >= 0, rows.row[process], -1)
    place = row.astype(np.intp) * bins + bin_of
    if len(place) and int(row.min()) < 0:
        place = place[row >= 0]
    counts = np.bincount(place, minlength=len(rows) * bins).reshape(len(rows), bins) * stride
    return counts.astype(np.int32)  # several windows are kept
