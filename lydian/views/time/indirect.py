"""Causality without a message from row to row: what a guarded action saw, and chains through hidden processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Rows, remember
from lydian.views.time.cones import arrows

__all__ = ["Indirect", "indirect", "looks"]

#: Of more arrows that touch hidden processes the chains are not followed.
MOST = 400_000


@dataclass(frozen=True, eq=False)
class Indirect:
    """Arrows (i,) from one event, ``source``, to another, ``target``, at processes with rows, by rising target.

    The two are joined by a chain of messages whose inner processes all have no row; of the events at one process
    that reach a target by such chains only the last has an arrow, and only if that is news there. ``known`` is
    false if there was too much to follow.
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    known: bool


def indirect(timeline: Timeline, rows: Rows) -> Indirect:
    """Return the arrows through all processes that have no row; none if every process has one.

    Together with the messages between rows, they give the same order of events in rows as the whole
    execution: the same events happened before others.
    """
    return remember(timeline, ("indirect", id(rows)), lambda: (rows, _indirect(timeline, rows)))[1]


def looks(timeline: Timeline, rows: Rows) -> Indirect:
    """Return the arrows of guarded actions between processes with rows: from the change to the event that saw it."""
    source, target = remember(timeline, "looks", lambda: _looks(timeline))
    shown = (rows.row[timeline.process[source]] >= 0) & (rows.row[timeline.process[target]] >= 0)
    return Indirect(source[shown], target[shown], True)


def _looks(timeline: Timeline) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    source, target = arrows(timeline)
    seen = timeline.kind[target] == Kind.RULE
    return source[seen].astype(np.int64), target[seen].astype(np.int64)


def _indirect(timeline: Timeline, rows: Rows) -> Indirect:
    hidden = rows.row < 0
    nothing = np.zeros(0, dtype=np.int64)
    if not hidden.any():
        return Indirect(nothing, nothing, True)
    source, target = arrows(timeline)
    through = hidden[timeline.process[source]] | hidden[timeline.process[target]]
    source, target = source[through], target[through]
    if len(source) > MOST:
        return Indirect(nothing, nothing, False)
    # What a hidden process knows: of each shown process the last event it heard of by hidden ways alone. What is
    # known never changes in place, so that a message may carry it.
    known: dict[int, dict[int, int]] = {}
    carried: dict[int, dict[int, int]] = {}
    heard: dict[tuple[int, int], int] = {}  # (shown process, by whom) -> the last event it heard of
    found: list[tuple[int, int]] = []
    process, dark = timeline.process, hidden.tolist()
    # A guarded action may be both: it has seen before it is seen.
    heads = [(b, 0, a) for a, b in zip(source.tolist(), target.tolist(), strict=True)]
    tails = [(int(seq), 1, int(seq)) for seq in source.tolist()]
    for seq, is_tail, tail in sorted([*heads, *tails]):
        p = int(process[seq])
        if is_tail:
            if dark[p]:
                carried[seq] = known.get(p, {})
            continue
        q = int(process[tail])
        news = carried[tail] if dark[q] else {q: tail}
        if dark[p]:
            mine = known.get(p, {})
            more = {who: event for who, event in news.items() if mine.get(who, -1) < event}
            if more:
                known[p] = {**mine, **more}
            continue
        for who, event in news.items():
            if who != p and heard.get((p, who), -1) < event:
                heard[p, who] = event
                found.append((event, seq))
    table = np.array(found, dtype=np.int64).reshape(-1, 2)
    return Indirect(table[:, 0].copy(), table[:, 1].copy(), True)
