"""The still part of the space-time diagram: everything in a window that does not depend on the moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.pieces.animation import Animation
from lydian.pieces.carries import Sign, signs_of
from lydian.pieces.messagelooks import kinds_of_messages
from lydian.trace.events import Kind
from lydian.trace.timeline import STEPS, Timeline
from lydian.views.selection import NOTHING, Selection
from lydian.views.time.alongtime import TimeScene
from lydian.views.time.axis import Rows, Window, goes_on, remember, slots_of, spans_of_crashes
from lydian.views.time.density import Density, density, order_of
from lydian.views.time.highlight import Highlight
from lydian.views.time.indirect import indirect, looks
from lydian.views.time.operations import NO_BARS, Bars, bars
from lydian.views.time.parts import CRASHED, WHOLE, parts, parts_in, places
from lydian.views.time.strands import strands
from lydian.views.time.timescale import Scale, scale_of
from lydian.views.time.traffic import arrows_between, arrows_in, count_in, messages_of

__all__ = ["COLORS", "CRASH", "FAULT", "FULL", "HOLLOW", "HUES", "LIMIT", "LOST", "ArrowScene", "scene"]

_NONE = np.zeros(0, dtype=np.int64)


def tails(timeline: Timeline, scale: Scale, messages: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return where arrows begin: at their sends, or at their ends if the trace has none."""
    sends = timeline.sends[messages]
    return scale.events(np.where(sends >= 0, sends, timeline.receives[messages]))


def crisp(
    timeline: Timeline,
    scale: Scale,
    span: tuple[float, float],
    window: Window,
    selection: Selection,
    marks: Highlight | None,
    limit: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the few messages and events that are drawn over a density picture: selected ones, the longest chain."""
    message_parts = [np.array(sorted(selection.messages), dtype=np.int64)]
    event_parts = [_NONE]
    if marks is not None:
        message_parts.append(marks.messages)
        event_parts += [marks.chain, np.array([marks.event], dtype=np.int64)]
    else:
        for process in sorted(selection.processes):
            seqs = timeline.events_of(process)
            if scale.by_time:
                seqs = seqs[np.searchsorted(timeline.time[seqs], window[0]) :]
                seqs = seqs[: np.searchsorted(timeline.time[seqs], window[1], side="right")]
            seqs = seqs[-4 * limit :] if limit > 0 else seqs[:0]
            event_parts.append(seqs.astype(np.int64))
            carried = timeline.message[seqs]
            message_parts.append(carried[carried >= 0].astype(np.int64))
    if selection.event is not None:
        event_parts.append(np.array([selection.event], dtype=np.int64))
    messages = np.unique(np.concatenate(message_parts))
    begin, finish = tails(timeline, scale, messages), scale.events(timeline.receives[messages])
    messages = messages[(begin <= span[1]) & (finish >= span[0])]
    events = np.unique(np.concatenate(event_parts))
    place = scale.events(events)
    return messages[-limit:], events[(place >= span[0]) & (place <= span[1])][-4 * limit :]


def cuts(timeline: Timeline, scale: Scale, rows: Rows, marks: Highlight | None) -> NDArray[np.float64] | None:
    """Return, for each row, the place at which the past ends and that at which the future begins."""
    if marks is None or marks.cones is None:
        return None
    until, since = marks.cones.until[rows.processes], marks.cones.since[rows.processes]
    past, future = scale.events(until), scale.events(np.where(since < timeline.length, since, -1))
    past[until < 0] = -np.inf
    if not marks.wanted & 1:
        past[:] = -np.inf
    if not marks.wanted & 2:
        future[:] = np.inf
    return np.stack((past, future), axis=1)


def spans(
    timeline: Timeline, marks: Highlight | None, rows: Rows, scale: Scale, span: tuple[float, float]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Return the pieces of process lines under a mark that touch the window: row, first and last event, mark."""
    if marks is None:
        return np.zeros(0, np.int32), _NONE, _NONE, np.zeros(0, np.uint8)
    row = rows.row[marks.span_process]
    begin, end = scale.events(marks.span_first), scale.events(marks.span_last)
    seen = (row >= 0) & (begin <= span[1]) & (end >= span[0])
    return row[seen], marks.span_first[seen], marks.span_last[seen], marks.span_bit[seen]


NO_TINTS = np.zeros(0, np.int32), np.zeros(0), np.zeros(0), np.zeros(0, np.int16)


def tints(
    timeline: Timeline, animation: Animation, rows: Rows, scale: Scale, span: tuple[float, float]
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.float64], NDArray[np.int16]]:
    """Return the pieces of process lines in a state other than that of the start: row, begin, end, slot.

    There are none if there are too many in view to be told apart, if the rows would be narrower than a pixel, or if
    finding them would take long: in extremely long executions, and in very long ones that are still growing, for each
    of their beginnings.
    """
    known = len(rows) <= TINTED_ROWS and timeline.length <= (WHOLE if goes_on(timeline) else ENDLESS)
    seen = parts_in(timeline, scale, span, TINTED) if known else None
    if seen is None:
        return NO_TINTS
    table = parts(timeline)
    state = table.state[seen]
    process = table.process[seen]
    seen = seen[(rows.row[process] >= 0) & (state != timeline.start_states[process]) & (state != CRASHED)]
    begin, end = places(timeline, scale)
    return rows.row[table.process[seen]], begin[seen], end[seen], slots_of(timeline, animation)[table.state[seen]]


#: From this number of messages in view on, their density is shown instead.
LIMIT = 3000
#: From this number of states in view on, or of rows, process lines have no tints.
TINTED, TINTED_ROWS = 1500, 800
#: In longer executions process lines have no tints either.
ENDLESS = 2_000_000
#: What the colour of an arrow may tell, and how many colours there are for depths, chains and senders.
COLORS = {
    "kind": tr("Kind of message"), "depth": tr("Causal depth"), "chain": tr("Chain of causes"), "sender": tr("Sender"),
}  # fmt: skip
HUES = 12

#: How an event is drawn: hollow dot, full dot, cross where a message was lost, cross of a crash, other faults.
HOLLOW, FULL, LOST, CRASH, FAULT, NOT_DRAWN = 0, 1, 2, 3, 4, 5
_GLYPHS = np.full(256, NOT_DRAWN, dtype=np.uint8)
_GLYPHS[[Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE, Kind.DELIVER, Kind.DECIDE, Kind.NOTE]] = FULL
_GLYPHS[Kind.SEND] = HOLLOW
_GLYPHS[Kind.DROP] = LOST
_GLYPHS[Kind.CRASH] = CRASH
_GLYPHS[[Kind.RECOVER, Kind.CORRUPT, Kind.INJECT, Kind.ERROR]] = FAULT
_STEP = np.isin(np.arange(256), STEPS)


@dataclass(frozen=True, eq=False, kw_only=True)
class ArrowScene(TimeScene):
    """The arrows and events of a window.

    ``color`` is one of :data:`COLORS`.
    Arrows (a,), in order of sending: ``message`` (its number), ``sent``, ``arrived`` (infinite: not before the
    recording ended), ``begin`` and ``finish`` (the same in places), ``source_row``, ``target_row``, ``end_row``
    (where the line ends: the row of the target, or between the rows if the message was lost on its way), ``kind``,
    ``hue`` (its colour, -1 for that of the kind), ``sign`` (what it carries, as an index of ``signs``, or -1),
    ``lost``, ``bits`` (marks of :mod:`lydian.views.time.highlight`), ``chosen`` (selected).
    Events (e,), in order: ``event`` (its seq), ``time``, ``place``, ``row``, ``glyph``, ``lamport``, ``step``
    (whether it begins a step of its process), ``event_bits``, ``event_hue``.
    Arrows without a message (i,), to guarded actions from what they saw, and through hidden processes:
    ``through_from``, ``through_to`` (events), ``through`` (i, 4): begin, row, finish, row; ``through_bits``;
    ``through_known`` is false if they were too many to follow.
    Pieces of process lines under a mark: ``span_row``, ``span_from``, ``span_to`` (times), ``span_begin``,
    ``span_end`` (places), ``span_bit``.
    Crashed: ``crash_row``, ``crash_from``, ``crash_to`` (times), ``crash_begin``, ``crash_end`` (places).
    States of processes other than that of the start: ``tint_row``, ``tint_begin``, ``tint_end`` (places),
    ``tint_slot``. ``bars``: the operations on shared registers that last.
    ``numbered``: the events have their Lamport times where there is room.
    ``dimmed``: whatever has no mark is pale. ``density`` is ``None``, or (rows, pieces) events per piece of the
    axis, ``grid`` tells where the pieces lie; then arrows and events hold only what is marked or selected, and
    ``cuts`` (rows, 2) are the places up to which the past and from which on the future of the selected event goes.
    ``in_view`` is the number of messages in the window, drawn or not, and ``passing`` the number of those that are not
    drawn because they were sent before the window and arrive after it, if they are too many. ``chain`` is the event at
    the end of the chain that is lit, else -1; ``deepest`` is the greatest number that a hue stands for.
    """

    marks: Highlight | None
    color: str
    message: NDArray[np.int64]
    sent: NDArray[np.float64]
    arrived: NDArray[np.float64]
    begin: NDArray[np.float64]
    finish: NDArray[np.float64]
    source_row: NDArray[np.int32]
    target_row: NDArray[np.int32]
    end_row: NDArray[np.float64]
    kind: NDArray[np.int16]
    hue: NDArray[np.int16]
    sign: NDArray[np.int32]
    signs: list[Sign]
    lost: NDArray[np.bool_]
    bits: NDArray[np.uint8]
    chosen: NDArray[np.bool_]
    event: NDArray[np.int64]
    time: NDArray[np.float64]
    place: NDArray[np.float64]
    row: NDArray[np.float64]
    glyph: NDArray[np.uint8]
    lamport: NDArray[np.int32]
    step: NDArray[np.bool_]
    event_bits: NDArray[np.uint8]
    event_hue: NDArray[np.int16]
    through_from: NDArray[np.int64]
    through_to: NDArray[np.int64]
    through: NDArray[np.float64]
    through_bits: NDArray[np.uint8]
    through_known: bool
    span_row: NDArray[np.int32]
    span_from: NDArray[np.float64]
    span_to: NDArray[np.float64]
    span_begin: NDArray[np.float64]
    span_end: NDArray[np.float64]
    span_bit: NDArray[np.uint8]
    crash_row: NDArray[np.int32]
    crash_from: NDArray[np.float64]
    crash_to: NDArray[np.float64]
    crash_begin: NDArray[np.float64]
    crash_end: NDArray[np.float64]
    tint_row: NDArray[np.int32]
    tint_begin: NDArray[np.float64]
    tint_end: NDArray[np.float64]
    tint_slot: NDArray[np.int16]
    bars: Bars
    numbered: bool
    dimmed: bool
    density: NDArray[np.int32] | None
    grid: Density | None
    cuts: NDArray[np.float64] | None
    in_view: int
    passing: int
    chain: int
    deepest: int


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
    axis: str = "time",
    color: str = "kind",
    dim: bool = True,
    numbers: int | None = None,
) -> ArrowScene:
    """Return everything in the window that does not depend on the moment; made once and kept.

    Args:
        window: from and to, in simulated time.
        marks: what is highlighted, from :func:`lydian.views.time.highlight.marks_for`.
        bins: pieces of the window for the density picture, about half its width in pixels.
        limit: more messages than this in the window become a density picture.
        axis: one of :data:`lydian.views.time.timescale.SCALES`.
        color: one of :data:`COLORS`.
        dim: make pale what is not marked.
        numbers: more events than this in the window have no Lamport times; ``None`` for no limit.

    Raises:
        BadInput: for an unknown axis or colour.
    """
    if color not in COLORS:
        raise BadInput(f"unknown colouring '{color}'{did_you_mean(color, COLORS)}; choose from {', '.join(COLORS)}")
    look = (rows, marks, selection, id(animation), bins, limit, axis, color, dim, numbers)

    def make() -> ArrowScene:
        return _scene(timeline, window, selection, animation, rows, marks, bins, limit, axis, color, dim, numbers, look)

    return remember(timeline, ("causality", window, *look), make, of_kind=6)


def _scene(
    timeline: Timeline,
    window: Window,
    selection: Selection,
    animation: Animation,
    rows: Rows,
    marks: Highlight | None,
    bins: int,
    limit: int,
    axis: str,
    color: str,
    dim: bool,
    numbers: int | None,
    look: tuple[object, ...],
) -> ArrowScene:
    scale = scale_of(timeline, axis)
    span = scale.span(window)
    messages, events, in_view = _in_view(timeline, scale, span, window, limit)
    passing = 0
    if messages is not None and len(messages) < in_view:
        sharp = crisp(timeline, scale, span, window, selection, marks, limit)[0]
        messages = _by_sending(timeline, np.union1d(messages, sharp))
        passing = in_view - len(messages)
    grid = cut = None
    if messages is None or events is None:
        grid = density(timeline, scale, rows, span, bins)
        cut = cuts(timeline, scale, rows, marks)
        messages, events = crisp(timeline, scale, span, window, selection, marks, limit)
    source = rows.row[timeline.message_source[messages]]
    target = rows.row[timeline.message_target[messages]]
    shown = (source >= 0) & (target >= 0)
    if not shown.all():
        messages, source, target = messages[shown], source[shown], target[shown]
    process = timeline.process[events]
    row = np.where(process >= 0, rows.row[process], -1)
    glyph = _GLYPHS[timeline.kind[events]]
    drawn = (row >= 0) & (glyph != NOT_DRAWN)
    if not drawn.all():
        events, row, glyph = events[drawn], row[drawn], glyph[drawn]
    row = row.astype(np.float64)
    drops = np.flatnonzero((glyph == LOST) & (timeline.message[events] >= 0))
    gone = timeline.message[events[drops]].astype(np.int64)
    first, last = rows.row[timeline.message_source[gone]], rows.row[timeline.message_target[gone]]
    row[drops] = np.where(first >= 0, _end_rows(timeline, gone, first, last), row[drops])
    through, seen = indirect(timeline, rows), looks(timeline, rows)
    through_from = np.concatenate((through.source, seen.source))
    through_to = np.concatenate((through.target, seen.target))
    begin, finish = scale.events(through_from), scale.events(through_to)
    some = (begin <= span[1]) & (finish >= span[0])
    if grid is not None or np.count_nonzero(some) > limit:
        some &= False
    through_from, through_to = through_from[some], through_to[some]
    ends = rows.row[timeline.process[through_from]], rows.row[timeline.process[through_to]]
    crash_process, crash_from, crash_to = spans_of_crashes(timeline)
    crash_row = rows.row[crash_process]
    crashed = (crash_row >= 0) & (crash_from <= window[1]) & (crash_to >= window[0])
    span_row, span_first, span_last, span_bit = spans(timeline, marks, rows, scale, span)
    tinted = tints(timeline, animation, rows, scale, span) if grid is None else NO_TINTS
    tint_row, tint_begin, tint_end, tint_slot = tinted

    signs, sign = signs_of(timeline, animation, messages)
    hue = _hues(timeline, color, timeline.sends[messages])
    if color == "kind" and signs:
        hue = np.array([*(each.colour for each in signs), -1], dtype=np.int16)[sign]

    def bits(seqs: NDArray[np.int64]) -> NDArray[np.uint8]:
        return np.zeros(len(seqs), np.uint8) if marks is None else marks.of_events(timeline, seqs)

    return ArrowScene(
        animation=animation,
        window=window,
        scale=scale,
        span=span,
        rows=rows,
        marks=marks,
        color=color,
        message=messages,
        sent=timeline.message_sent[messages],
        arrived=timeline.message_arrived[messages],
        begin=tails(timeline, scale, messages),
        finish=scale.events(timeline.receives[messages]),
        source_row=source,
        target_row=target,
        end_row=_end_rows(timeline, messages, source, target),
        kind=kinds_of_messages(timeline, animation, messages),
        hue=hue,
        sign=sign,
        signs=signs,
        lost=timeline.lost[messages],
        bits=np.zeros(len(messages), np.uint8) if marks is None else marks.of_messages(timeline, messages),
        chosen=np.isin(messages, np.fromiter(selection.messages, dtype=np.int64, count=len(selection.messages))),
        event=events,
        time=timeline.time[events],
        place=scale.events(events),
        row=row,
        glyph=glyph,
        lamport=timeline.lamport[events],
        step=_STEP[timeline.kind[events]],
        event_bits=bits(events),
        event_hue=_hues(timeline, color, events),
        through_from=through_from,
        through_to=through_to,
        through=np.stack((begin[some], ends[0], finish[some], ends[1]), axis=1),
        through_bits=bits(through_from) & bits(through_to),
        through_known=through.known,
        span_row=span_row,
        span_from=timeline.time[span_first],
        span_to=timeline.time[span_last],
        span_begin=scale.events(span_first),
        span_end=scale.events(span_last),
        span_bit=span_bit,
        crash_row=crash_row[crashed],
        crash_from=crash_from[crashed],
        crash_to=crash_to[crashed],
        crash_begin=np.asarray(scale.place(crash_from[crashed])),
        crash_end=np.asarray(scale.place(crash_to[crashed])),
        tint_row=tint_row,
        tint_begin=tint_begin,
        tint_end=tint_end,
        tint_slot=tint_slot,
        bars=bars(timeline, rows, scale, span) if grid is None else NO_BARS,
        numbered=numbers is None or (grid is None and len(events) <= numbers),
        dimmed=marks is not None and dim,
        density=None if grid is None else grid.counts,
        grid=grid,
        cuts=cut,
        in_view=in_view,
        passing=passing,
        chain=marks.event if marks is not None and marks.cones is None else -1,
        deepest=_deepest(timeline, color),
        look=(*look, grid is None, 0 if grid is None else (grid.full, grid.width)),
    )


def _in_view(
    timeline: Timeline, scale: Scale, span: tuple[float, float], window: Window, limit: int
) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None, int]:
    """Messages and events in view, ``None`` if they are too many to be drawn one by one; the number of messages.

    If there are too many messages but few events, only the messages that are sent, arrive or get lost in view are
    returned: the others merely pass through, from a process that sent them before to one that receives them after.
    """
    if scale.by_time:
        first = int(np.searchsorted(timeline.time, window[0], side="left"))
        last = int(np.searchsorted(timeline.time, window[1], side="right"))
        in_view = count_in(timeline, window)
        if last - first > 4 * limit:
            return None, None, in_view
        found = arrows_in(timeline, window)[0] if in_view <= limit else None
        events = np.arange(first, last)
    else:
        limit //= 2  # here no picture can be moved when the window moves
        found, in_view = arrows_between(timeline, scale, span, limit)
        order = order_of(timeline, scale)
        low = int(order.bounds(scale, np.array([span[0]]))[0])
        high = int(order.bounds(scale, np.array([span[1]]), "right")[0])
        if high - low > 4 * limit:
            return None, None, in_view
        events = np.arange(low, high) if order.seqs is None else np.sort(order.seqs[low:high]).astype(np.int64)
    if found is None:
        carried = timeline.message[events]
        found = _by_sending(timeline, np.unique(carried[carried >= 0]))
        if len(found) > limit:
            return None, None, in_view
    return found, events, in_view


def _by_sending(timeline: Timeline, messages: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return messages in order of sending."""
    return messages[np.argsort(timeline.message_sent[messages], kind="stable")].astype(np.int64)


def _hues(timeline: Timeline, color: str, seqs: NDArray[Any]) -> NDArray[np.int16]:
    """Return the colours of events, or of messages by the events that sent them."""
    if color == "kind":
        return np.full(len(seqs), -1, dtype=np.int16)
    numbers = {"depth": timeline.chain, "sender": timeline.process}.get(color)
    numbers = (strands(timeline) if numbers is None else numbers)[seqs]
    return np.where((seqs >= 0) & (numbers >= 0), numbers % HUES, -1).astype(np.int16)


def _end_rows(
    timeline: Timeline, messages: NDArray[np.int64], source: NDArray[np.int32], target: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return where the lines of messages end.

    A message whose receiver had crashed is lost at the end of its way. For one lost earlier, the trace records
    when but not where: it ends where it would have been at the usual pace, 30 % to 90 %.
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


def _deepest(timeline: Timeline, color: str) -> int:
    """Return the greatest causal depth of the execution, or number of a process."""
    if color != "depth":
        return timeline.n - 1
    return remember(timeline, "deepest", lambda: int(timeline.chain.max(initial=0)))
