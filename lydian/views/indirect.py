"""Causality through processes that are not shown: arrows from row to row for chains of messages between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.axis import Rows, remember
from lydian.views.cones import arrows

__all__ = ["Indirect", "indirect"]

#: Of more arrows that touch hidden processes the chains are not followed.
MOST = 400_000


@dataclass(frozen=True, eq=False)
class Indirect:
    """Arrows (i,) from one event, ``source``, to another, ``target``, at processes with rows, by rising target.

    Between the two lies a chain of messages whose inner processes all have no row; of the events at one process
    that reach a target by such chains only the last has an arrow, and only if that is news there.  ``known`` is
    false if there was too much to follow.
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    known: bool


def indirect(timeline: Timeline, rows: Rows) -> Indirect:
    """The arrows through all processes that have no row; none if every process has one.

    With them, and the messages between rows, exactly what happened before what is the same as in the whole
    execution (as far as the events at rows go).
    """
    return remember(timeline, ("indirect", id(rows)), lambda: (rows, _indirect(timeline, rows)))[1]


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
    # What a hidden process knows: of each shown process the last event it heard of by hidden ways alone.  What is
    # known never changes in place, so that a message may carry it.
    known: dict[int, dict[int, int]] = {}
    carried: dict[int, dict[int, int]] = {}
    heard: dict[tuple[int, int], int] = {}  # (shown process, by whom) -> the last event it heard of
    found: list[tuple[int, int]] = []
    process, dark = timeline.process, hidden.tolist()
    tails = [(int(seq), 0, int(seq)) for seq in source.tolist()]
    heads = [(b, 1, a) for a, b in zip(source.tolist(), target.tolist(), strict=True)]
    for seq, is_head, tail in sorted([*tails, *heads]):
        p = int(process[seq])
        if not is_head:
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
