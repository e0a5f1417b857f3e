"""The knowledge view: which processes have heard of which, growing along the causal past.

The cell in row i, column j is filled once an event of j is in the causal past of i, by the vector clocks of
:mod:`lydian.views.others.clocks`. Its shade shows how recent that knowledge is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput, did_you_mean
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.future import TO_COME
from lydian.views.network.liars import liars_at
from lydian.views.others.clocks import NEVER, Clocks, clocks_of
from lydian.views.registry import Choice, View
from lydian.views.selection import NOTHING, Hit, Selection
from lydian.views.time.axis import remember, slots_of
from lydian.views.words.words import joined

__all__ = ["LIMIT", "SHADES", "SORTS", "VIEW", "KnowledgeFrame", "PairHit", "explain", "frame", "summary"]

#: With more processes there is no matrix, as its tables would grow quadratically.
LIMIT = 2_000
#: The orders of rows and columns and the shades of cells, with their words.
SORTS = {"id": tr("By name"), "knows": tr("Earliest to hear first"), "known": tr("Earliest heard of first")}
SHADES = {"recent": tr("How recent"), "lamport": tr("Lamport time"), "first": tr("First heard")}
#: In matrices up to this size, messages in transit fill their cells gradually.
DETAILED = 120

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class PairHit(Hit):
    """A cell: what process ``id`` knows of process ``of``. For other views it is the process ``id``."""

    of: int = -1


@dataclass(frozen=True, eq=False)
class KnowledgeFrame:
    """The matrix at a moment; row and column r belong to process ``processes[r]``."""

    title: str
    about: str
    t: float
    shade: str
    #: process of each row, int32 (n,)
    processes: NDArray[np.int32]
    names: tuple[str, ...]
    #: look of each row's process, int16 (n,), and whether it has crashed
    slots: NDArray[np.int16]
    crashed: NDArray[np.bool_]
    #: who knows of whom, (n, n); the diagonal is always true
    known: NDArray[np.bool_]
    #: how strong a known cell is, 0..1, (n, n); of no meaning elsewhere
    strength: Floats
    #: how new a cell is, (n, n): 1 at the event that filled it, falling to 0; ``None`` if nothing is new
    fresh: Floats | None
    #: how much of its way the message has gone that will fill a cell, (n, n); ``None`` if there is none
    coming: Floats | None
    #: cells that the selected event filled, (n, n); ``None`` if there are none
    taught: NDArray[np.bool_] | None
    #: of how many processes each one knows, itself included, now and at the end of the execution, (n,)
    counts: NDArray[np.int64]
    finally_: NDArray[np.int64] | None
    #: event of the column's process up to which the row's process knows it, -1 for none, (n, n); its Lamport time
    latest: NDArray[np.int32]
    lamport: NDArray[np.int32]
    #: simulated time of every event
    times: NDArray[np.float64]
    #: when everybody knew of everybody, ``None`` if not yet
    everybody: float | None
    selected: NDArray[np.bool_]
    clocks: Clocks
    #: row and column under the pointer, -1 if none
    hover: tuple[int, int] = (-1, -1)
    #: rows of Byzantine processes
    liars: frozenset[int] = frozenset()
    #: instead of a matrix: why there is none
    missing: str = ""


def frame(
    timeline: Timeline,
    t: float,
    selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    hover: Hit | None = None,
    sort: str = "id",
    shade: str = "recent",
    future: bool = True,
) -> KnowledgeFrame:
    """Return the matrix at time ``t``.

    Args:
        t: the moment, in simulated time; every event up to and at ``t`` has happened.
        selection: rows and columns of selected processes are tinted, cells that the selected event filled are ringed.
        animation: colours and words; the protocol's own by default.
        hover: what the pointer is over in any view.
        sort: order of rows and columns: ``"id"``, ``"knows"`` (who hears early of many comes first) or ``"known"``
            (of whom many hear early). It does not change while time goes on.
        shade: a cell is the stronger the later the event up to which the column's process is known
            (``"recent"``), the greater that event's Lamport time (``"lamport"``), or the later the row's process
            first heard of it (``"first"``). From 0 to the greatest so far.
        future: show what is on its way and what is still to come, if the execution is complete.

    Raises:
        BadInput: another word for ``sort`` or ``shade``.
    """
    for word, words, name in ((sort, SORTS, "sort"), (shade, SHADES, "shade")):
        if word not in words:
            raise BadInput(f"unknown {name} '{word}'{did_you_mean(word, words)}; choose from {', '.join(words)}")
    animation = animation_for(timeline.trace) if animation is None else animation
    if timeline.n > LIMIT:
        return _none(timeline, t, shade)
    n, k = timeline.n, timeline.count(t)
    clocks = clocks_of(timeline)
    order = _order(timeline, clocks, sort)
    first = _arranged(clocks.first, order)
    known = first < k
    latest = clocks.latest(k)
    np.fill_diagonal(latest, timeline.last_events(k))
    latest = _arranged(latest, order)
    complete = timeline.trace.summary.get("stopped") is not None
    lamport = _at(timeline.lamport, latest)
    strength = _strength(timeline, t, shade, first, latest, lamport, known)
    counts = np.count_nonzero(known, axis=1)
    last = int(first.max(initial=-1))
    everybody = None if last >= k else float(timeline.time[last]) if last >= 0 else 0.0
    processes = order if order is not None else np.arange(n, dtype=np.int32)
    names = tuple(timeline.processes[p] for p in processes.tolist())
    chosen = np.zeros(n, dtype=bool)
    chosen[[p for p in selection.processes if 0 <= p < n]] = True
    taught = first == selection.event if selection.event is not None and selection.event >= 0 else None
    return KnowledgeFrame(
        title=summary(names, counts, everybody),
        about=_about(n),
        t=t,
        shade=shade,
        processes=processes,
        names=names,
        slots=slots_of(timeline, animation)[timeline.states_at(k)][processes],
        crashed=timeline.crashed_at(k)[processes],
        liars=frozenset(np.flatnonzero(np.isin(processes, list(liars_at(timeline, k)))).tolist()),
        known=known,
        strength=strength,
        fresh=_fresh(timeline, clocks, t, first, known),
        coming=_coming(timeline, clocks, t, k, first) if future and complete and n <= DETAILED else None,
        taught=None if taught is None or not taught.any() else taught,
        counts=counts,
        finally_=np.count_nonzero(first != NEVER, axis=1) if future and complete else None,
        latest=latest,
        lamport=lamport,
        times=timeline.time,
        everybody=everybody,
        selected=chosen[processes],
        clocks=clocks,
        hover=_pointed(processes, hover),
    )


def summary(names: tuple[str, ...], counts: NDArray[np.int64], everybody: float | None) -> str:
    """Return the matrix in one line; ``counts`` are in the order of ``names``."""
    n = len(names)
    if not n:
        return tr("no processes")
    pairs = tr("{count:,} of {all:,} pairs", count=int(counts.sum()), all=n * n)
    most = int(counts.max())
    best = [names[i] for i in np.flatnonzero(counts == most).tolist()]
    if everybody is not None:
        if n == 1:
            return tr("{pairs}: every process knows of every other", pairs=pairs)
        return tr("{pairs}: every process knows of every other since {time:.2f}", pairs=pairs, time=everybody)
    if most == 1:
        return tr("{pairs}: no process has heard of another yet", pairs=pairs)
    if len(best) > 3:
        return trn("{pairs}: {count:,} process knows of the most processes ({most:,})",
                   "{pairs}: {count:,} processes know of the most processes ({most:,} each)",
                   len(best), pairs=pairs, most=most)  # fmt: skip
    if len(best) == 1:
        return tr("{pairs}: {process} knows of the most processes ({count:,})",
                  pairs=pairs, process=best[0], count=most)  # fmt: skip
    return tr("{pairs}: {processes} know of the most processes ({count:,} each)",
              pairs=pairs, processes=joined(best), count=most)  # fmt: skip


def explain(frame: KnowledgeFrame, row: int, column: int) -> list[str]:
    """Return a cell in sentences: its processes, the last known event, since when, and through which processes."""
    i, j = int(frame.processes[row]), int(frame.processes[column])
    me, other = frame.names[row], frame.names[column]
    if row == column:
        count = int(frame.counts[row])
        others = int(np.count_nonzero(frame.known[:, row])) - 1
        return [
            trn("{process} knows of {known:,} of {count:,} process, itself included",
                "{process} knows of {known:,} of {count:,} processes, itself included",
                len(frame.names), process=me, known=count),
            trn("{count:,} other has heard of it", "{count:,} others have heard of it", others),
        ]  # fmt: skip
    first = int(frame.clocks.first[i, j])
    if not frame.known[row, column]:
        lines = [tr("{process} has not heard of {other} yet", process=me, other=other)]
        if frame.coming is not None and frame.coming[row, column] > 0:
            lines.append(tr("a message that could inform it is in transit"))
        elif frame.finally_ is not None and first == NEVER:
            lines = [tr("{process} never hears of {other} in this execution", process=me, other=other)]
        return lines
    names = {int(p): name for p, name in zip(frame.processes, frame.names, strict=True)}
    way = [names[p] for p in frame.clocks.way(i, j)]
    since, until = float(frame.times[first]), float(frame.times[int(frame.latest[row, column])])
    if len(way) > 2:
        shown = way if len(way) <= 9 else [*way[:4], "…", *way[-4:]]
        lines = [
            tr("{process} knows of {other} since {time:.2f}, through {neighbour}",
               process=me, other=other, time=since, neighbour=way[-2]),
            tr("the path was {path}", path=" → ".join(shown)),
        ]  # fmt: skip
    else:
        lines = [tr("{process} knows of {other} since {time:.2f}, directly", process=me, other=other, time=since)]
    clock = int(frame.lamport[row, column])
    lines.append(
        tr("it knows what {other} did up to {time:.2f} (Lamport time {lamport})",
           other=other, time=until, lamport=clock)
    )  # fmt: skip
    return lines


def _about(n: int) -> str:
    return tr(
        "Row by row, what each process can know: a cell is filled once an event of the column's "
        "process is in the causal past of the row's. Stronger cells are more up to date; full bars "
        "on the right are processes that know of all {count:,}.",
        count=n,
    )


def _none(timeline: Timeline, t: float, shade: str) -> KnowledgeFrame:
    """Return a frame that explains why there is no matrix."""
    why = trn("This view is shown for up to {count:,} process; this execution has {here:,}.",
              "This view is shown for up to {count:,} processes; this execution has {here:,}.",
              LIMIT, here=timeline.n)  # fmt: skip
    square = np.empty((0, 0))
    return KnowledgeFrame(
        title=why.rstrip("."),
        about=why,
        t=t,
        shade=shade,
        processes=np.empty(0, dtype=np.int32),
        names=(),
        slots=np.empty(0, dtype=np.int16),
        crashed=np.empty(0, dtype=bool),
        known=square.astype(bool),
        strength=square.astype(np.float32),
        fresh=None,
        coming=None,
        taught=None,
        counts=np.empty(0, dtype=np.int64),
        finally_=None,
        latest=square.astype(np.int32),
        lamport=square.astype(np.int32),
        times=timeline.time,
        everybody=None,
        selected=np.empty(0, dtype=bool),
        clocks=remember(timeline, "no clocks", lambda: Clocks(timeline)),
        missing=why,
    )


def _arranged(matrix: NDArray[np.int32], order: NDArray[np.int32] | None) -> NDArray[np.int32]:
    return matrix if order is None else matrix[np.ix_(order, order)]


def _order(timeline: Timeline, clocks: Clocks, sort: str) -> NDArray[np.int32] | None:
    """Return the processes from the first row to the last, or ``None`` for the network's order."""
    if sort == "id":
        return None

    def make() -> NDArray[np.int32]:
        ranks = np.minimum(clocks.first, timeline.length).astype(np.int64)
        return np.argsort(ranks.sum(axis=1 if sort == "knows" else 0), kind="stable").astype(np.int32)

    return remember(timeline, ("knowledge", sort), make)


def _at(column: NDArray[np.int32], rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return ``column[rows]``, with -1 where there is no row."""
    if not len(column):
        return np.full(rows.shape, -1, dtype=np.int32)
    return np.where(rows >= 0, column[rows], -1).astype(np.int32)


def _strength(
    timeline: Timeline,
    t: float,
    shade: str,
    first: NDArray[np.int32],
    latest: NDArray[np.int32],
    lamport: NDArray[np.int32],
    known: NDArray[np.bool_],
) -> Floats:
    if not timeline.length or not known.size:
        return np.zeros(known.shape, dtype=np.float32)
    if shade == "lamport":
        values, top = lamport.astype(np.float32), float(lamport.max(initial=1))
    else:
        events = latest if shade == "recent" else np.where(known, first, 0)
        times = _times(timeline)
        values, top = times[np.maximum(events, 0)], min(float(t), timeline.end)
    strength: Floats = np.clip(values / np.float32(max(top, 1e-9)), 0.0, 1.0).astype(np.float32)
    return strength


def _times(timeline: Timeline) -> Floats:
    """Return times in single precision: shades need no more digits, and a picture looks up a million of them."""
    return remember(timeline, "times as shades", lambda: timeline.time.astype(np.float32))


def _typical(timeline: Timeline, clocks: Clocks) -> float:
    """Return the typical transit time of knowledge: the median of the first arrows."""

    def make() -> float:
        some = slice(0, 10_000)
        gone = timeline.time[clocks.target[some]] - timeline.time[clocks.source[some]]
        return float(np.median(gone)) if len(gone) else 0.0

    return remember(timeline, "knowledge delay", make)


def _fresh(
    timeline: Timeline, clocks: Clocks, t: float, first: NDArray[np.int32], known: NDArray[np.bool_]
) -> Floats | None:
    """Return what was heard recently."""
    since = 0.6 * _typical(timeline, clocks)
    if not since > 0 or not math.isfinite(t):
        return None
    start = int(np.searchsorted(timeline.time, t - since, side="right"))
    new = known & (first >= start)
    np.fill_diagonal(new, False)
    if not new.any():
        return None
    fresh = np.zeros(first.shape, dtype=np.float32)
    fresh[new] = 1.0 - (t - timeline.time[first[new]]) / since
    return fresh


def _coming(timeline: Timeline, clocks: Clocks, t: float, k: int, first: NDArray[np.int32]) -> Floats | None:
    """Return the progress of messages that will fill a cell."""
    later = (first >= k) & (first != NEVER)
    event = first[later]
    source = clocks.source[np.searchsorted(clocks.target, event)]
    sent = source < k
    if not sent.any():
        return None
    begin, end = timeline.time[source], timeline.time[event]
    share = np.where(sent & (end > begin), (t - begin) / np.maximum(end - begin, 1e-300), 0.0)
    coming = np.zeros(first.shape, dtype=np.float32)
    coming[later] = np.clip(share, 0.0, 1.0)
    return coming


def _pointed(processes: NDArray[np.int32], hover: Hit | None) -> tuple[int, int]:
    """Return row and column under the pointer."""
    if hover is None or hover.kind != "process":
        return -1, -1
    row = np.flatnonzero(processes == hover.id)
    column = np.flatnonzero(processes == hover.of) if isinstance(hover, PairHit) else row
    return (int(row[0]) if len(row) else -1, int(column[0]) if len(column) else -1)


VIEW = View(
    name="knowledge",
    entry=tr("&Knowledge"),
    icon="knowledge",
    frame=frame,
    painter="lydian.app.painters.others.knowledge.KnowledgePainter",
    mouse="still",
    about=tr(
        "Row by row, what each process can know: a cell is filled once an event of the column's process is in its"
        " causal past."
    ),
    empty=tr("Run to see which processes have heard of which"),
    shows=tr("which processes have heard of which"),
    keys="Ctrl+8",
    choices=(Choice("sort", trc("of rows and columns", "Order"), SORTS), Choice("shade", tr("Shade"), SHADES), TO_COME),
    beside="communication",
    narrow="causality",
)
