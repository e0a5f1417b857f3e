"""The causality view: a space-time diagram with a row for each process, time to the right, and a line for each message.

Everything independent of the playhead (lines, dots, marks) is in a :class:`~lydian.views.time.spacetime.ArrowScene`,
computed once for a window and kept; a frame adds the moment: the messages in transit, and the states beside the rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation
from lydian.trace.cones import on_line
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.future import TO_COME
from lydian.views.registry import Choice, View
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.time.alongtime import AXIS, ROWS, TimeFrame, placed, standing
from lydian.views.time.axis import Rows, Window, remember, spans_of_crashes
from lydian.views.time.cones import relation
from lydian.views.time.highlight import FUTURE, PAST, Highlight, chain_between, longest_at, marks_for
from lydian.views.time.spacetime import COLORS, LIMIT, ArrowScene, scene
from lydian.views.time.timewindow import between
from lydian.views.time.traffic import ended_before, messages_of, sent_before
from lydian.views.words.words import plural

__all__ = ["RELATIONS", "VIEW", "CausalityFrame", "fractions", "frame"]

#: In longer executions the longest chain is not highlighted automatically at the end, as finding it takes a while.
SHORT = 1_000_000
#: The largest distance of a cut from the last event inside it, as a part of the window.
CLOSE = 0.02

#: The relation of one selected event to the other, in words.
RELATIONS = {
    "before": tr("{other} precedes {event} in causal order and may have influenced it"),
    "after": tr("{other} follows {event} in causal order and may have been influenced by it"),
    "concurrent": tr("{other} is concurrent with {event}: neither can have influenced the other"),
    "same": tr("the same event"),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class CausalityFrame(TimeFrame):
    """A moment of an :class:`ArrowScene`.

    ``happened`` is the number of events up to ``t``. ``flying`` (f,) are the arrows of the scene in flight,
    ``fraction`` (f,) how far each is on its way, 0 to 1, and ``along`` (f,) which part of its line is drawn. ``other``
    is a second selected event and ``relation`` is its relation to the first, as text. ``longest`` is the length of
    the lit chain, in messages. ``cut`` (rows,) is the place of each row where a cut passes, ``None`` without a cut.
    """

    scene: ArrowScene
    happened: int
    flying: NDArray[np.int64]
    fraction: NDArray[np.float64]
    along: NDArray[np.float64]
    selected_event: int | None
    other: int | None
    relation: str
    longest: int
    cut: NDArray[np.float64] | None = None


def frame(
    timeline: Timeline,
    t: float,
    selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    window: Window | None = None,
    rows: Rows | Iterable[int] | None = None,
    highlighted: str | None = "both",
    axis: str = "time",
    color: str = "kind",
    sort: str = "id",
    hidden: Iterable[int] = (),
    order: Iterable[int] | None = None,
    other: int | None = None,
    chain: bool = True,
    future: bool = True,
    hover: Hit | None = None,
    bins: int = 600,
    limit: int = LIMIT,
    numbers: int | None = None,
) -> CausalityFrame:
    """Return the space-time diagram at time ``t``.

    Args:
        t: the moment, in simulated time; every event up to and at ``t`` has happened.
        selection: selected processes, messages and event.
        animation: colours and words; the protocol's own by default.
        window: from and to, the whole execution by default.
        rows: processes from top to bottom, in place of ``sort``, ``hidden`` and ``order``.
        highlighted: ``"past"`` or ``"future"`` of the selected event, ``"both"``, ``"longest"`` chain so far, or
            ``None``.
        axis: one of :data:`lydian.views.time.timescale.SCALES`.
        color: what the colour of an arrow means, one of :data:`lydian.views.time.spacetime.COLORS`.
        sort: order of the rows, one of :data:`lydian.views.time.ordering.SORTS`.
        hidden: processes without a row; dashed arrows show what went through them.
        order: processes from top to bottom as the user arranged them.
        other: a second event, to be compared with the selected one; the chain between them is lit if there is one.
        chain: light the longest chain at the end of the execution, if nothing else is.
        future: show what is still to come, pale.
        hover: what the pointer is over.
        bins: pieces of the window for the density picture.
        limit: more messages than this in the window become a density picture.
        numbers: more events than this in the window have no Lamport times; ``None`` for no limit.

    Raises:
        BadInput: for an empty window, an unknown axis, colour, order or mode, an event that is not there, rows that
            are not different processes.
    """
    animation, window, rows = placed(
        timeline, selection, animation=animation, window=window, rows=rows, sort=sort, hidden=hidden, order=order
    )
    k = timeline.count(t)
    words = _relation(timeline, selection.event, other)
    marks = None
    if selection.event is not None and other is not None:
        marks = chain_between(timeline, selection.event, other)
        words += "" if marks is None else f" · {_between(marks)}"
    marks = marks or marks_for(timeline, selection.event, highlighted, k)
    dim = marks is not None
    if marks is None and chain and highlighted is not None and _ended(timeline, k):
        marks = marks_for(timeline, None, "longest", k)
    static = scene(
        timeline, window, selection, animation=animation, rows=rows, marks=marks, bins=bins, limit=limit, axis=axis,
        color=color, dim=dim, numbers=numbers,
    )  # fmt: skip
    flying = np.flatnonzero((static.sent <= t) & (static.arrived > t))
    fraction = fractions(static.sent[flying], static.arrived[flying], t, messages_of(timeline).usual)
    now = standing(timeline, static, k)
    return CausalityFrame(
        scene=static,
        timeline=timeline,
        t=t,
        title=_title(timeline, t, k, marks if dim else None, words, static),
        happened=k,
        slots=now.slots,
        crashed=now.crashed,
        flying=flying,
        fraction=fraction,
        along=_along(static, flying, fraction, t),
        front=now.front,
        selected=tuple(sorted(selection.processes)),
        selected_event=selection.event,
        other=other,
        relation=words,
        longest=len(marks.messages) if marks is not None and static.chain >= 0 else 0,
        hover=hover,
        future=future,
        cut=_cut(timeline, static, selection.cut),
    )


def _cut(timeline: Timeline, static: ArrowScene, last: tuple[int, ...]) -> NDArray[np.float64] | None:
    """Return where a cut passes each row: shortly after its last event there, before the next one."""
    if len(last) != timeline.n:
        return None
    places = static.scale.events
    low, high = static.scale.span(static.window)
    step = (high - low) * CLOSE
    found = np.empty(len(static.rows.processes))
    for row, process in enumerate(static.rows.processes.tolist()):
        events = timeline.events_of(process)
        events = events[on_line(timeline, events)]
        at = int(np.searchsorted(events, last[process], side="right"))
        before = float(places(events[at - 1 : at])[0]) if at else -np.inf
        after = float(places(events[at : at + 1])[0]) if at < len(events) else np.inf
        middle = (before + after) / 2
        found[row] = min(middle, before + step) if at else max(low, after - step)
    return found


def _ended(timeline: Timeline, k: int) -> bool:
    """Return whether the execution is over at position k."""
    return 0 < k == timeline.length <= SHORT and bool(timeline.trace.summary.get("stopped"))


def _along(
    static: ArrowScene, flying: NDArray[np.int64], fraction: NDArray[np.float64], t: float
) -> NDArray[np.float64]:
    """Which part of the line of a message lies before the play head; its fraction if time is shown as it is."""
    if static.scale.straight or not static.scale.by_time:
        return fraction
    begin, finish = static.begin[flying], static.finish[flying]
    known = np.isfinite(finish) & (finish > begin)
    part = (static.scale.place(t) - begin) / np.where(known, finish - begin, 1.0)
    return np.where(known, np.clip(part, 0.0, 1.0), fraction)


def _relation(timeline: Timeline, event: int | None, other: int | None) -> str:
    """Return the relation of a second event to the selected one, in words; nothing if there are not two."""
    if other is not None and not 0 <= other < timeline.length:
        raise BadInput(f"there is no event {other}: this execution has {timeline.length}, counted from 0")
    if event is None or other is None:
        return ""
    where = [int(timeline.process[seq]) for seq in (event, other)]
    names = [timeline.processes[p] if p >= 0 else tr("the network") for p in where]
    first, second = (
        tr("{process} at {time:.2f}", process=name, time=float(timeline.time[seq]))
        for name, seq in zip(names, (event, other), strict=True)
    )
    return RELATIONS[relation(timeline, event, other)].format(event=first, other=second)


def fractions(sent: NDArray[np.float64], arrived: NDArray[np.float64], t: float, usual: float) -> NDArray[np.float64]:
    """Return how far messages in flight are at ``t``: the exact part of their delay.

    One that has no arrival, because the recording ended before, comes nearer and nearer to its target without
    reaching it: half of the way after the ``usual`` delay.
    """
    gone = t - sent
    delay = arrived - sent
    part = np.divide(gone, delay, out=np.ones_like(gone), where=np.isfinite(delay) & (delay > 0))
    return np.where(np.isfinite(delay), np.clip(part, 0.0, 1.0), gone / (gone + (usual if usual > 0 else 1.0)))


def _title(timeline: Timeline, t: float, k: int, marks: Highlight | None, words: str, static: ArrowScene) -> str:
    """Return the moment in one line of numbers."""
    longest = tr("longest chain so far {length:,}", length=longest_at(timeline, k))
    if words:
        return words
    parts = []
    if marks is not None and marks.wanted == PAST | FUTURE:
        parts = [
            trn("{count:,} event in its causal past", "{count:,} events in its causal past", marks.led),
            trn("{count:,} event in its causal future", "{count:,} events in its causal future", marks.came),
            trn("{count:,} concurrent", "{count:,} concurrent", marks.apart),
        ]
    elif marks is not None and marks.wanted & PAST:
        parts.append(trn("{count:,} event in the causal past of the selected one",
                         "{count:,} events in the causal past of the selected one", marks.led))  # fmt: skip
    elif marks is not None and marks.wanted & FUTURE:
        parts.append(trn("{count:,} event in the causal future of the selected one",
                         "{count:,} events in the causal future of the selected one", marks.came))  # fmt: skip
    if parts:
        return " · ".join([*parts, longest])
    first, last = between(timeline, static.window)
    sent = sent_before(timeline, t, "right")
    flying = sent - ended_before(timeline, t, "right")
    under_way = trn(", {count:,} in transit", ", {count:,} in transit", flying) if flying else ""
    parts = [plural(sent, "message") + under_way]
    if 0 < last - first < timeline.length:
        parts = [tr("events {first:,} to {last:,}", first=first + 1, last=last)]
    lost = _lost(timeline, t)
    if static.density is not None:
        longest += trn(" · too many to draw: {count:,} event in view as shades",
                       " · too many to draw: {count:,} events in view as shades",
                       int(static.density.sum()))  # fmt: skip
    if static.passing:
        longest += trn(" · {count:,} message that only passes through is not drawn",
                       " · {count:,} messages that only pass through are not drawn", static.passing)  # fmt: skip
    hidden = timeline.n - len(static.rows)
    if hidden:
        longest += trn(" · {count:,} process hidden", " · {count:,} processes hidden", hidden)
        longest += "" if static.through_known else tr(", too many messages through them to follow")
    return " · ".join([lost, *parts, longest] if lost else [*parts, longest])


def _between(marks: Highlight) -> str:
    """What leads from one of two events to the other."""
    if not len(marks.messages):
        return tr("both at one process")
    return trn("a chain of {count:,} message", "a chain of {count:,} messages", len(marks.messages))


def _lost(timeline: Timeline, t: float) -> str:
    """``1 message lost at 9`` if 9 crashed, else ``on the way to 9``; nothing if none is lost yet."""
    drops = remember(timeline, "drops", lambda: np.flatnonzero(np.asarray(timeline.kind) == Kind.DROP))
    gone = drops[: np.searchsorted(timeline.time[drops], t, side="right")]
    if not len(gone):
        return ""
    where = np.unique(np.asarray(timeline.process)[gone])
    if len(where) != 1 or where[0] < 0:
        return trn("{count:,} message lost", "{count:,} messages lost", len(gone))
    name = timeline.processes[int(where[0])]
    if int(where[0]) in spans_of_crashes(timeline)[0]:
        return trn("{count:,} message lost at {process}", "{count:,} messages lost at {process}", len(gone),
                   process=name)  # fmt: skip
    return trn("{count:,} message lost on the way to {process}", "{count:,} messages lost on the way to {process}",
               len(gone), process=name)  # fmt: skip


VIEW = View(
    name="causality",
    entry=tr("C&ausality"),
    icon="causality",
    frame=frame,
    painter="lydian.app.painters.time.causality.CausalityPainter",
    mouse="time",
    about=tr(
        "Time runs to the right, with one row for each process; a line is a message from its sending to its arrival."
    ),
    empty=tr("Run to see which messages cause which events"),
    shows=tr("which events could influence which"),
    another=tr("Another causality view, with its own time interval"),
    keys="Ctrl+3",
    choices=(
        Choice(
            "highlighted",
            tr("For the selected event, show"),
            {
                "both": tr("Its causal past and future"),
                "past": tr("Its causal past"),
                "future": tr("Its causal future"),
                "longest": tr("The longest chain so far"),
                None: trc("what is highlighted", "Nothing"),
            },
        ),
        Choice("color", tr("Colour of messages"), COLORS),
        AXIS,
        ROWS,
        TO_COME,
    ),
    usual=True,
    beside="basic",
    how="right",
    layouts=("watch-wide", "study", "study-narrow", "debug-wide", "projector"),
)
