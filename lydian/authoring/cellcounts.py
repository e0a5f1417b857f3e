"""The number of times that each cell of a protocol's table ran in an execution, counted from its trace alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from lydian.authoring.failing import failure_of
from lydian.model.protocol.rules import column
from lydian.trace.events import NO_STATE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.playback.until import states_before

if TYPE_CHECKING:
    from lydian.model.source.outline import Outline

__all__ = ["added", "cell_counts", "line_counts", "never_ran"]

#: The kinds of events that an action of the table handles.
ANSWERED = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)

Counts = Mapping[tuple[str, str], int]


def cell_counts(timeline: Timeline) -> dict[tuple[str, str], int]:
    """Return (state before, event) -> count; ``INIT`` is the event of a start, ``when move`` that of a rule.

    The event at which a run failed counts if there is an action for it, which then ran, though not to its end.
    """
    rows = np.flatnonzero(np.isin(timeline.kind, ANSWERED) & (timeline.process >= 0))
    before = states_before(timeline)[rows].astype(np.int64)
    label = np.where(timeline.kind[rows] == Kind.INIT, -1, timeline.label[rows]).astype(np.int64)
    rules = frozenset(timeline.label[timeline.kind == Kind.RULE].tolist())
    pairs, often = np.unique(before * (len(timeline.labels) + 1) + label + 1, return_counts=True)
    counts: dict[tuple[str, str], int] = {}
    for pair, n in zip(pairs.tolist(), often.tolist(), strict=True):
        state, event = divmod(pair, len(timeline.labels) + 1)
        if state != NO_STATE and state < len(timeline.states):
            name = timeline.labels[event - 1] if event else "INIT"
            counts[timeline.states[state], column(name) if event - 1 in rules else name] = n
    failure = failure_of(timeline)
    if failure is not None and not failure.open and failure.event and not failure.recorded:
        counts[failure.cell] = counts.get(failure.cell, 0) + 1
    return counts


def added(several: Iterable[Counts]) -> dict[tuple[str, str], int]:
    """Return the sum of the counts of several runs."""
    whole: dict[tuple[str, str], int] = {}
    for counts in several:
        for cell, n in counts.items():
            whole[cell] = whole.get(cell, 0) + n
    return whole


def line_counts(outline: Outline, counts: Counts) -> dict[int, int]:
    """Return the line of each action's ``def`` -> its count, including 0; the text must be the one that ran."""
    lines = {cell.line: 0 for cell in outline.cells.values() if cell.kind != "impossible"}
    for (state, event), n in counts.items():
        cell = outline.cell(state, event)
        if cell.line in lines:
            lines[cell.line] += n
    return lines


def never_ran(outline: Outline, counts: Counts) -> tuple[tuple[str, str], ...]:
    """Return the cells with an action that never ran, in the order of the table."""
    order = {name: i for i, name in enumerate(outline.state_names)}
    columns = {name: i for i, name in enumerate(outline.events)}
    open_cells = [
        pair
        for pair, cell in outline.cells.items()
        if cell.kind == "action" and not cell.for_any and pair not in counts and pair[0] in order
    ]
    return tuple(sorted(open_cells, key=lambda pair: (order.get(pair[0], 0), columns.get(pair[1], 0))))
