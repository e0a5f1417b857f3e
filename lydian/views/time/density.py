"""The number of events of each process in each piece of the axis, counted exactly, whatever the window.

Counts come from two tables. One holds, every few hundred events, how many each process has had so far; the number
between any two events is the difference of two of its lines, corrected by the events in between. The other keeps
pieces of the picture that were counted: the pieces form a grid that does not move with the window, so that while the
window scrolls only what comes into view is counted, and nothing flickers.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.time.axis import Rows, remember
from lydian.views.time.timescale import Scale

__all__ = ["Counter", "Density", "Order", "density", "order_of"]

#: Cells of the table of counts so far, at most; and the fewest events between two of its lines.
CELLS, FEWEST = 1 << 23, 256
#: Pieces of the axis in one kept part, and bytes of all parts kept.
PART, KEPT = 128, 24_000_000


class Counter:
    """Counts events by process between any two places of their order.

    Args:
        process: the process of each event in some order; negative ones count nowhere.
        n: number of processes.
    """

    def __init__(self, process: NDArray[np.int32], n: int) -> None:
        self._process, self._n = process, n
        self._every = max(FEWEST, 1 << math.ceil(math.log2(max(1, len(process) * max(n, 1) // CELLS))))
        lines = len(process) // self._every + 1
        self._so_far = np.zeros((lines, n), dtype=np.int32)
        block = max(1, (1 << 20) // max(1, n)) * self._every
        for start in range(0, (lines - 1) * self._every, block):
            first, last = start // self._every, min((start + block) // self._every, lines - 1)
            table = self._cells(start, last * self._every, self._every, last - first)
            np.cumsum(table, axis=0, out=self._so_far[first + 1 : last + 1])
            self._so_far[first + 1 : last + 1] += self._so_far[first]

    def _cells(self, start: int, stop: int, every: int, lines: int) -> NDArray[np.int64]:
        """Events by line of ``every`` and process, (lines, n)."""
        process = self._process[start:stop]
        cells = np.arange(stop - start) // every * self._n + process
        cells = cells[process >= 0]
        return np.bincount(cells, minlength=lines * self._n).reshape(lines, self._n)

    @property
    def nbytes(self) -> int:
        return self._so_far.nbytes

    def between(self, bounds: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return how many events of each process lie between consecutive bounds, (n, len(bounds) - 1).

        Bounds are rising places in the order, from 0 to its length; the event at a bound belongs to the right.
        """
        pieces = len(bounds) - 1
        total = int(bounds[-1] - bounds[0])
        loose = bounds % self._every
        if total <= int(np.minimum(loose, total).sum()):
            process = self._process[bounds[0] : bounds[-1]]
            cells = np.repeat(np.arange(pieces), np.diff(bounds)) * self._n + process
            counts = np.bincount(cells[process >= 0], minlength=pieces * self._n).reshape(pieces, self._n)
        else:
            # what each bound has behind the last line of the table before it
            numbers = np.arange(int(loose.sum())) - np.repeat(np.cumsum(loose) - loose, loose)
            process = self._process[np.repeat(bounds - loose, loose) + numbers]
            cells = np.repeat(np.arange(len(bounds)), loose) * self._n + process
            behind = np.bincount(cells[process >= 0], minlength=len(bounds) * self._n)
            counts = np.diff(self._so_far[bounds // self._every] + behind.reshape(len(bounds), self._n), axis=0)
        return np.ascontiguousarray(counts.T, dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Order:
    """The events in their order on a scale from left to right.

    ``seqs`` are their numbers, ``None`` if that is the order in which they happened; ``places`` are their places
    on the Lamport scale. ``counter`` counts them.
    """

    seqs: NDArray[np.int32] | None
    places: NDArray[np.int32] | None
    parts: OrderedDict[tuple[int, int], NDArray[np.int32]]
    time: NDArray[np.float64]
    counter: Counter

    def bounds(self, scale: Scale, edges: NDArray[Any], side: Literal["left", "right"] = "left") -> NDArray[np.int64]:
        """Return the number of events before each place (``side="right"``: or at it)."""
        if self.places is not None:
            whole = np.ceil(edges) if side == "left" else np.floor(edges)  # compared as what they are, not as floats
            low = np.clip(whole, 0, 2**31 - 1).astype(np.int32)
            return np.asarray(np.searchsorted(self.places, low, side=side), dtype=np.int64)
        if scale.name == "events":
            found = np.ceil(edges) - 1 if side == "left" else np.floor(edges)  # event s stands at s + 1
            return np.asarray(np.clip(found, 0, len(self.time)), dtype=np.int64)
        return np.asarray(np.searchsorted(self.time, scale.time(edges), side=side), dtype=np.int64)


def _handed_on(timeline: Timeline, scale: Scale) -> OrderedDict[tuple[int, int], NDArray[np.int32]]:
    """Return the parts that were counted when the trace was shorter and that nothing was added to."""
    parts: OrderedDict[tuple[int, int], NDArray[np.int32]] = OrderedDict()
    if scale.name not in ("time", "events") or not timeline.length:
        return parts
    counted, settled, n = timeline.handed_on.get(("density", scale.name), (parts, 0.0, timeline.n))
    for (exponent, part), counts in counted.items() if n == timeline.n else ():
        if (part + 1) * PART * 2.0**exponent <= settled:
            parts[exponent, part] = counts
    settled = float(timeline.time[-1]) if scale.name == "time" else timeline.length + 1.0
    timeline.handed_on["density", scale.name] = parts, settled, timeline.n
    return parts


def order_of(timeline: Timeline, scale: Scale) -> Order:
    """Return the events in the order of a scale with their counts, made once."""

    def make() -> Order:
        if scale.by_time or not timeline.length:
            by_time = remember(timeline, "counter", lambda: Counter(timeline.process, timeline.n))
            return Order(None, None, _handed_on(timeline, scale), timeline.time, by_time)
        seqs = np.argsort(timeline.lamport, kind="stable").astype(np.int32)
        counter = Counter(timeline.process[seqs], timeline.n)
        return Order(seqs, timeline.lamport[seqs], OrderedDict(), timeline.time, counter)

    return remember(timeline, ("order", scale.name), make)


@dataclass(frozen=True, eq=False)
class Density:
    """Events per row and piece of the axis.

    ``counts`` (rows, pieces): piece j goes from place ``start + j * width`` on. The first and the last piece count
    only what is in the window, so all counts together are the events in the window at processes that have a row.
    ``full`` is the count that is drawn darkest, a power of two that no count exceeds.
    """

    counts: NDArray[np.int32]
    start: float
    width: float
    full: int


def density(timeline: Timeline, scale: Scale, rows: Rows, span: tuple[float, float], bins: int) -> Density:
    """Return the events between two places, both included, in ``bins`` to twice as many pieces (and one more)."""
    order = order_of(timeline, scale)
    length = max(span[1] - span[0], 1e-300)
    exponent = math.floor(math.log2(length / max(bins, 1)))
    width = 2.0**exponent
    first = math.floor(span[0] / width)
    last = max(first, math.ceil(span[1] / width) - 1)
    inside = order.bounds(scale, np.array([span[0]]))[0], order.bounds(scale, np.array([span[1]]), "right")[0]

    def counted(a: int, b: int) -> NDArray[np.int32]:
        """Return pieces a to b - 1, cut at the ends of the window."""
        bounds = order.bounds(scale, np.arange(a, b + 1) * width)
        if a == first:
            bounds[0] = inside[0]
        if b == last + 1:
            bounds[-1] = inside[1]
        return order.counter.between(np.clip(bounds, *inside))

    columns = [counted(first, first + 1)]
    column = first + 1
    while column < last:
        part = column // PART
        whole = _part(order, scale, exponent, part)
        stop = min(last, (part + 1) * PART)
        columns.append(whole[:, column - part * PART : stop - part * PART])
        column = stop
    if last > first:
        columns.append(counted(last, last + 1))
    counts = np.concatenate(columns, axis=1)
    if len(rows) != timeline.n or bool((rows.processes[1:] < rows.processes[:-1]).any()):
        counts = counts[rows.processes]
    full = 1 << max(0, int(counts.max(initial=1)) - 1).bit_length()
    return Density(counts, first * width, width, full)


def _part(order: Order, scale: Scale, exponent: int, part: int) -> NDArray[np.int32]:
    """Return the counts of one part of the grid, kept."""
    key = (exponent, part)
    if key in order.parts:
        order.parts.move_to_end(key)
        return order.parts[key]
    edges = np.arange(part * PART, (part + 1) * PART + 1) * 2.0**exponent
    found = order.counter.between(order.bounds(scale, edges))
    order.parts[key] = found
    while len(order.parts) > 1 and len(order.parts) * found.nbytes > KEPT:
        order.parts.popitem(last=False)
    return found
