"""Occupation: when each process was in which state, and when it was at work, blocked, idle or crashed.

The bars are those of :mod:`lydian.views.time.parts`.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trn
from lydian.model.errors import BadInput, did_you_mean
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views.future import TO_COME
from lydian.views.registry import Choice, View
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.time.alongtime import AXIS, ROWS, TimeFrame, TimeScene, placed, standing
from lydian.views.time.axis import Rows, Window, remember, slots_of
from lydian.views.time.parts import (
    CRASHED,
    EMPTY,
    WHOLE,
    Parts,
    busy_until,
    parts,
    parts_in,
    places,
    steps_in,
    time_in_states,
)
from lydian.views.time.timescale import Scale, scale_of

__all__ = [
    "CRASHED",
    "EMPTY",
    "SHOWN",
    "VIEW",
    "BarScene",
    "OccupationFrame",
    "Parts",
    "Share",
    "busy_until",
    "codes_of",
    "frame",
    "image_of",
    "parts",
    "scene",
    "time_in_states",
]  # fmt: skip

#: Pieces in one kept part of the image, and how many bytes of them are kept.
PART, KEPT = 128, 16_000_000
#: Up to this number of parts in view, the image is made at once, without keeping pieces of it.
DIRECT = 20_000


def image_of(
    timeline: Timeline, scale: Scale, rows: Rows, span: tuple[float, float], bins: int
) -> tuple[NDArray[np.uint8], float, float]:
    """Return the state of every row in every piece of the axis, (rows, pieces), where the first begins, and their
    width.

    The pieces are on a grid that does not move with the window; those that were seen are kept.
    """
    exponent = math.floor(math.log2(max(span[1] - span[0], 1e-300) / max(bins, 1)))
    width = 2.0**exponent
    first = math.floor(span[0] / width)
    last = max(first + 1, math.ceil(span[1] / width))
    span = first * width, last * width
    few = parts_in(timeline, scale, span, DIRECT)
    if few is not None:
        codes = codes_of(timeline, scale, few, first, last - first, width)
    else:
        codes = np.concatenate(_kept_codes(timeline, scale, first, last, exponent), axis=1)
    if len(rows) != timeline.n or bool((rows.processes[1:] < rows.processes[:-1]).any()):
        codes = codes[rows.processes]
    return codes, first * width, width


def _kept_codes(timeline: Timeline, scale: Scale, first: int, last: int, exponent: int) -> list[NDArray[np.uint8]]:
    """Return the pieces ``first`` to ``last`` - 1 of the grid, side by side, from kept parts."""
    empty: OrderedDict[tuple[int, int], NDArray[np.uint8]] = OrderedDict()
    kept = remember(timeline, ("images", scale.name), lambda: empty)
    columns, width = [], 2.0**exponent
    while first < last:
        part = first // PART
        key = (exponent, part)
        if key not in kept:
            numbers = parts_in(timeline, scale, (part * PART * width, (part + 1) * PART * width), timeline.length)
            assert numbers is not None
            kept[key] = codes_of(timeline, scale, numbers, part * PART, PART, width)
            while len(kept) > 1 and len(kept) * kept[key].nbytes > KEPT:
                kept.popitem(last=False)
        kept.move_to_end(key)
        stop = min(last, (part + 1) * PART)
        columns.append(kept[key][:, first - part * PART : stop - part * PART])
        first = stop
    return columns


def codes_of(
    timeline: Timeline, scale: Scale, numbers: NDArray[np.int64], first: int, pieces: int, width: float
) -> NDArray[np.uint8]:
    """Return the state of every process in pieces of the axis: the one that begins last in it, (n, pieces).

    ``numbers`` are the parts that touch the pieces. A row is a run of nothing, then for each of its parts a run of
    its state and one of nothing, up to where the next begins.
    """
    table = parts(timeline)
    begin, end = (side[numbers] for side in places(timeline, scale))
    inside = begin < (first + pieces) * width
    if not inside.all():
        numbers, begin, end = numbers[inside], begin[inside], end[inside]
    process = table.process[numbers]
    start = np.floor(begin / width) - first
    stop = np.maximum(np.ceil(end / width) - first, start + 1)
    start = np.clip(start, 0, pieces).astype(np.int64)
    following = np.full(len(numbers), pieces, dtype=np.int64)
    same = process[1:] == process[:-1]
    following[:-1][same] = start[1:][same]
    stop = np.minimum(np.maximum(stop, start), following).astype(np.int64)
    runs = np.zeros(2 * len(numbers) + timeline.n, dtype=np.int64)
    codes = np.full(len(runs), EMPTY, dtype=np.uint8)
    at = 2 * np.arange(len(numbers)) + process + 1
    runs[at], runs[at + 1] = stop - start, following - stop
    codes[at] = table.state[numbers]
    counts = np.bincount(process, minlength=timeline.n)
    lead = 2 * (np.cumsum(counts) - counts) + np.arange(timeline.n)
    runs[lead] = pieces
    some = np.flatnonzero(counts)
    runs[lead[some]] = start[(np.cumsum(counts) - counts)[some]]
    return np.repeat(codes, runs).reshape(timeline.n, pieces)


#: What the bars may tell.
SHOWN = {"states": tr("States"), "activity": tr("Working, blocked, idle, crashed")}
#: More rows or more parts in view than these become an image.
MOST_ROWS, MOST_PARTS = 250, 6000


@dataclass(frozen=True, eq=False, kw_only=True)
class BarScene(TimeScene):
    """The bars of a window.

    Parts: ``row``, ``start``, ``stop``, ``begin``, ``end`` (places),
    ``state`` (code or :data:`CRASHED`), ``slot`` (of its look), ``part`` (its number).
    Steps: ``step_row``, ``step_from``, ``step_to``, ``step_begin``, ``step_end`` (places).
    Last states: ``done_row``, ``done_time``, ``done_place``, ``done_slot``.
    ``image`` is ``None``, or (rows, pieces) codes of states, :data:`CRASHED` or :data:`EMPTY`, the first piece from
    place ``image_start`` on, each ``image_width`` wide; then parts and steps are empty. ``state_slots`` (states,)
    is the look of each state by its code, ``blocked`` (256,) tells in which a process waits for others.
    """

    show: str
    row: NDArray[np.int32]
    start: NDArray[np.float64]
    stop: NDArray[np.float64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]
    state: NDArray[np.uint8]
    slot: NDArray[np.int16]
    part: NDArray[np.int64]
    step_row: NDArray[np.int32]
    step_from: NDArray[np.float64]
    step_to: NDArray[np.float64]
    step_begin: NDArray[np.float64]
    step_end: NDArray[np.float64]
    done_row: NDArray[np.int32]
    done_time: NDArray[np.float64]
    done_place: NDArray[np.float64]
    done_slot: NDArray[np.int16]
    image: NDArray[np.uint8] | None
    image_start: float
    image_width: float
    state_slots: NDArray[np.int16]
    blocked: NDArray[np.bool_]


@dataclass(frozen=True)
class Share:
    """The time of all processes together in a state: its word, the time, and its share of the time lived."""

    word: str
    total: float
    share: float


@dataclass(frozen=True, eq=False, kw_only=True)
class OccupationFrame(TimeFrame):
    """One moment of a :class:`BarScene`.

    ``words`` are the states in words, by code. ``totals`` is (n, states) the time each process has spent in each
    state up to ``t``, counted from its first event, or ``None`` if it was not requested and would take long; ``busy``
    (n,) is the time spent on steps, or ``None``. ``column`` says whether to show the shares beside the bars,
    ``shares`` are those of all processes together, largest first, empty if they were not requested.
    """

    scene: BarScene
    words: tuple[str, ...]
    totals: NDArray[np.float64] | None
    busy: NDArray[np.float64] | None
    column: bool
    shares: tuple[Share, ...]


def scene(
    timeline: Timeline,
    window: Window,
    *,
    animation: Animation,
    rows: Rows,
    bins: int = 600,
    axis: str = "time",
    show: str = "states",
) -> BarScene:
    """Return everything in the window that does not depend on the moment; made once and kept.

    ``bins`` is the width of the image for many processes, about that of the window in pixels.

    Raises:
        BadInput: for an unknown axis, or something unknown to show.
    """
    if show not in SHOWN:
        raise BadInput(f"bars cannot show '{show}'{did_you_mean(show, SHOWN)}; choose from {', '.join(SHOWN)}")
    look = (rows, id(animation), bins, axis, show)
    make = lambda: _scene(timeline, window, animation, rows, bins, axis, show, look)  # noqa: E731  one use
    return remember(timeline, ("occupation", window, *look), make, of_kind=6)


def _scene(
    timeline: Timeline,
    window: Window,
    animation: Animation,
    rows: Rows,
    bins: int,
    axis: str,
    show: str,
    look: tuple[object, ...],
) -> BarScene:
    table = parts(timeline)
    scale = scale_of(timeline, axis)
    span = scale.span(window)
    seen = None if len(rows) > MOST_ROWS else parts_in(timeline, scale, span, MOST_PARTS)
    image, start, width = None, 0.0, 1.0
    most = MOST_PARTS
    if seen is None:
        image, start, width = image_of(timeline, scale, rows, span, bins)
        seen, most = np.zeros(0, dtype=np.int64), -1
    else:
        seen = seen[rows.row[table.process[seen]] >= 0]
    begin, end = places(timeline, scale)
    work = steps_in(timeline, window, most)
    kept = rows.row[work.process] >= 0
    slots = slots_of(timeline, animation)
    done_row = rows.row[table.done_process]
    done = (done_row >= 0) & (table.done_time >= window[0]) & (table.done_time <= window[1]) & (image is None)
    return BarScene(
        animation=animation,
        window=window,
        scale=scale,
        span=span,
        rows=rows,
        show=show,
        row=rows.row[table.process[seen]],
        start=table.start[seen],
        stop=table.stop[seen],
        begin=begin[seen],
        end=end[seen],
        state=table.state[seen],
        slot=slots[table.state[seen]],
        part=seen,
        step_row=rows.row[work.process][kept],
        step_from=work.start[kept],
        step_to=work.stop[kept],
        step_begin=scale.events(work.event[kept]),
        step_end=np.asarray(scale.place(work.stop[kept])),
        done_row=done_row[done],
        done_time=table.done_time[done],
        done_place=np.asarray(scale.place(table.done_time[done])),
        done_slot=slots[table.done_state[done]],
        image=image,
        image_start=start,
        image_width=width,
        state_slots=slots[: len(timeline.states)],
        blocked=_blocked(timeline, animation),
        look=(*look, image is None, width),
    )


def _blocked(timeline: Timeline, animation: Animation) -> NDArray[np.bool_]:
    """In which states a process waits for others: those in which the animation draws a chain of waiting; if it
    draws none, every state but that of the start and the last ones.
    """
    waits = {name for pointer in animation.pointers if pointer.style == "waiting" for name in pointer.while_states}
    found = np.zeros(256, dtype=bool)
    rests = {timeline.start_state, *np.unique(parts(timeline).done_state).tolist()}
    for code, name in enumerate(timeline.states):
        found[code] = name in waits if waits else code not in rests
    return found


def frame(
    timeline: Timeline,
    t: float,
    selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    window: Window | None = None,
    rows: Rows | Iterable[int] | None = None,
    axis: str = "time",
    show: str = "states",
    sort: str = "id",
    hidden: Iterable[int] = (),
    order: Iterable[int] | None = None,
    column: bool = False,
    future: bool = True,
    hover: Hit | None = None,
    bins: int = 600,
) -> OccupationFrame:
    """Return the bars at time ``t``.

    Args:
        t: the moment, in simulated time.
        selection: selected processes are tinted.
        animation: colours and words; the protocol's own by default.
        window: from and to, the whole execution by default.
        rows: processes from top to bottom, in place of ``sort``, ``hidden`` and ``order``.
        axis: one of :data:`lydian.views.time.timescale.SCALES`.
        show: one of :data:`SHOWN`.
        sort: order of the rows, one of :data:`lydian.views.time.ordering.SORTS`.
        hidden: processes without a row.
        order: processes from top to bottom as the user arranged them.
        column: ask for the shares beside the bars.
        future: show what is still to come, pale.
        hover: what the pointer is over.
        bins: width of the image that stands for many processes.

    Raises:
        BadInput: for an empty window, an unknown axis or order, or rows that are not different processes.
    """
    animation, window, rows = placed(
        timeline, selection, animation=animation, window=window, rows=rows, sort=sort, hidden=hidden, order=order
    )
    table = parts(timeline)
    short = len(table.start) <= MOST_PARTS
    static = scene(timeline, window, animation=animation, rows=rows, bins=bins, axis=axis, show=show)
    now = standing(timeline, static, timeline.count(t))
    words = tuple(animation.word(name) for name in timeline.states)
    totals = time_in_states(timeline, t) if column or short else None
    shares = _shares(words, totals) if column and totals is not None else ()
    title = _title(table, timeline.n, t, int(np.count_nonzero(now.crashed)), timeline.n - len(rows))
    return OccupationFrame(
        scene=static,
        timeline=timeline,
        t=t,
        title=" · ".join([title, *(f"{share.word} {100 * share.share:.0f} %" for share in shares[:3])]),
        slots=now.slots,
        crashed=now.crashed,
        words=words,
        totals=totals,
        busy=busy_until(timeline, t) if timeline.length <= (WHOLE if column else MOST_PARTS) else None,
        column=column,
        shares=shares,
        front=now.front,
        selected=tuple(sorted(selection.processes)),
        hover=hover,
        future=future,
    )


def _shares(words: tuple[str, ...], totals: NDArray[np.float64]) -> tuple[Share, ...]:
    """Return the states by the time all processes together have spent in them, largest first."""
    spent = totals.sum(axis=0)
    whole = float(spent.sum())
    found = [Share(word, total, total / whole) for word, total in zip(words, spent.tolist(), strict=True) if total > 0]
    return tuple(sorted(found, key=lambda share: -share.total))


def _title(table: Parts, n: int, t: float, crashed: int, hidden: int) -> str:
    """Return the moment in one line of numbers."""
    there = np.flatnonzero(np.diff(table.first))
    begun = int(np.count_nonzero(table.start[table.first[there]] <= t))
    words = [tr("{begun:,} of {count:,} have begun", begun=begun, count=n)]
    if len(table.done_time):
        done = int(np.count_nonzero(table.done_time <= t))
        words.append(trn("{count:,} in its last state", "{count:,} in their last state", done))
    if crashed:
        words.append(trn("{count:,} crashed", "{count:,} crashed", crashed))
    if hidden:
        words.append(trn("{count:,} process hidden", "{count:,} processes hidden", hidden))
    return " · ".join(words)


VIEW = View(
    name="occupation",
    entry=tr("&Occupation"),
    icon="occupation",
    frame=frame,
    painter="lydian.app.painters.time.occupation.OccupationPainter",
    mouse="time",
    about=tr("One bar for each process, coloured by its state; black ticks where it handles an event."),
    empty=tr("Run to see how long each process waits"),
    shows=tr("what each process was busy with"),
    another=tr("Another occupation view, with its own time interval"),
    keys="Ctrl+5",
    choices=(
        Choice("show", tr("Bars show"), SHOWN),
        Choice("column", tr("Shares beside the bars"), {False: tr("Hide them"), True: tr("Show them")}),
        AXIS,
        ROWS,
        TO_COME,
    ),
    usual=True,
    beside="causality",
    how="below",
    layouts=("study",),
)
