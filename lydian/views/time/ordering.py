"""The order of the rows: by name, by what happened first, linked ones together, a selection and its neighbours."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Rows, remember, rows_of

__all__ = ["SORTS", "arranged", "moved", "near", "neighbours_of", "reordered", "rows_seen"]

#: The orders there are, and what they are called.
SORTS = {
    "id": tr("As in the network"),
    "first": tr("By first event"),
    "last": tr("By last event, latest first"),
    "events": tr("Most events first"),
    "cluster": tr("Neighbours beside each other"),
    "near": tr("Only the selection and its neighbours"),
}


def arranged(
    timeline: Timeline,
    sort: str = "id",
    *,
    selected: Collection[int] = (),
    hidden: Iterable[int] = (),
    order: Iterable[int] | None = None,
) -> Rows:
    """The order of the processes: which one is in which row.

    Args:
        sort: one of :data:`SORTS`; ``"near"`` without a selection shows all.
        selected: processes, for ``"near"``.
        hidden: processes without a row.
        order: processes from top to bottom, instead of ``sort``; what it leaves out has no row.

    Raises:
        BadInput: for an unknown order, or processes that are not there.
    """
    if sort not in SORTS:
        raise BadInput(f"unknown order '{sort}'{did_you_mean(sort, SORTS)}; choose from {', '.join(SORTS)}")
    away = frozenset(int(p) for p in hidden)
    if order is not None:
        chosen = tuple(int(p) for p in order)
    elif sort == "near" and selected:
        chosen = tuple(range(timeline.n))
    else:
        chosen = remember(timeline, ("sorted", sort), lambda: _sorted(timeline, sort))
    if sort == "near" and selected:
        kept = near(timeline, selected)
        chosen = tuple(p for p in chosen if p in kept)
    if away:
        chosen = tuple(p for p in chosen if p not in away)
    return rows_of(timeline, None if chosen == tuple(range(timeline.n)) else chosen)


def _sorted(timeline: Timeline, sort: str) -> tuple[int, ...]:
    n = timeline.n
    if sort == "cluster":
        return _breadth_first(neighbours_of(timeline))
    if sort not in ("first", "last", "events"):
        return tuple(range(n))
    at = timeline.process >= 0
    process = timeline.process[at]
    if sort == "events":
        key = -np.bincount(process, minlength=n)
    else:
        seqs = np.flatnonzero(at)
        key = np.full(n, timeline.length if sort == "first" else -1, dtype=np.int64)
        if sort == "first":
            key[process[::-1]] = seqs[::-1]
        else:
            key[process] = seqs
            key = -key
    return tuple(np.argsort(key, kind="stable").tolist())


def neighbours_of(timeline: Timeline) -> list[tuple[int, ...]]:
    """Return the neighbours of every process: by the links of the network, or by the messages if the trace has none."""

    def make() -> list[tuple[int, ...]]:
        index = {name: i for i, name in enumerate(timeline.processes)}
        found: list[set[int]] = [set() for _ in range(timeline.n)]
        links = timeline.trace.network.get("links") or ()
        ends = [(index.get(str(link["source"])), index.get(str(link["target"]))) for link in links]
        if not ends:
            ends = [(low, high) for low, high in timeline.pairs.tolist()]
        for a, b in ends:
            if a is not None and b is not None and a != b:
                found[a].add(b)
                found[b].add(a)
        return [tuple(sorted(near)) for near in found]

    return remember(timeline, "neighbours", make)


def near(timeline: Timeline, processes: Iterable[int]) -> set[int]:
    """Return some processes and their neighbours."""
    found = {p for p in processes if 0 <= p < timeline.n}
    return found.union(*(neighbours_of(timeline)[p] for p in found))


def _breadth_first(neighbours: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the processes in breadth-first order from one with few links.

    Neighbours with few links come first (Cuthill and McKee 1969).
    """
    degree = [len(near) for near in neighbours]
    order: list[int] = []
    seen: set[int] = set()
    for root in sorted(range(len(neighbours)), key=lambda p: (degree[p], p)):
        if root in seen:
            continue
        seen.add(root)
        queue = deque([root])
        while queue:
            process = queue.popleft()
            order.append(process)
            fresh = sorted((q for q in neighbours[process] if q not in seen), key=lambda q: (degree[q], q))
            seen.update(fresh)
            queue.extend(fresh)
    return tuple(order)


def moved(rows: Rows, process: int, row: int) -> tuple[int, ...]:
    """Return the order after a process was dragged to another row; for the option ``order``."""
    rest = [int(p) for p in rows.processes if p != process]
    row = min(max(row, 0), len(rest))
    return (*rest[:row], process, *rest[row:])


def reordered(order: Sequence[int], rows: Rows, process: int, row: int) -> tuple[int, ...]:
    """Return the order of all processes after one of those with rows was moved to another row.

    Processes without a row stay where they are in ``order``.
    """
    fresh = iter(moved(rows, process, row))
    return tuple(next(fresh) if rows.row[p] >= 0 else p for p in order)


def rows_seen(
    seen: tuple[float, float] | None, total: int, *, by: float = 0.0, factor: float = 1.0
) -> tuple[float, float]:
    """Return the rows in view, from and to, after scrolling by rows and showing ``factor`` times as many.

    Never fewer than two, never beyond the first and the last.
    """
    first, last = seen or (0.0, float(total))
    count = min(max((last - first) * factor, min(2.0, total)), float(total))
    middle = (first + last) / 2 + by
    first = min(max(middle - count / 2, 0.0), total - count)
    return first, first + count
