"""Indexes that make a seek in a long trace cheap: a picture now and then, and the rows since the last one.

A *position* k means "events 0..k-1 have happened".  Every index here is built by whole-array operations, a block
of rows at a time, and answers a position by copying its nearest earlier picture and adding at most one block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Counts", "InTransit", "LastRows", "first_in", "group", "last_in"]

ROWS = 16_384
MESSAGES = 8_192
#: Pictures of one :class:`Counts` together stay below this many bytes; with more cells they lie further apart.
COUNTS_BYTES = 48_000_000


class LastRows:
    """The last row of each process at any position.

    Args:
        process: the process of each row; negative ones belong to nobody.
        n: how many processes there are.
        chosen: take only these rows (boolean), all by default.
    """

    def __init__(self, process: NDArray[np.int32], n: int, chosen: NDArray[np.bool_] | None = None) -> None:
        # One cell more than processes takes the rows that do not count, so no row need be filtered out.
        counts = process >= 0 if chosen is None else chosen & (process >= 0)
        self._where = process if bool(counts.all()) else np.where(counts, process, np.int32(n))
        frames = len(process) // ROWS + 1
        self._frames = np.empty((frames, n + 1), dtype=np.int32)
        last = np.full(n + 1, -1, dtype=np.int32)
        for frame in range(frames):
            self._frames[frame] = last
            start, stop = frame * ROWS, min((frame + 1) * ROWS, len(process))
            last[self._where[start:stop]] = np.arange(start, stop, dtype=np.int32)

    def at(self, k: int) -> NDArray[np.int32]:
        """Row number of each process's last row before position k, -1 if there is none; a fresh array."""
        frame = k // ROWS
        last: NDArray[np.int32] = self._frames[frame].copy()
        start = frame * ROWS
        last[self._where[start:k]] = np.arange(start, k, dtype=np.int32)
        return last[:-1]


class Counts:
    """How many of some rows have happened at any position, per cell (process x label).

    Args:
        rows: the rows that count, ascending.
        cells: the cell of each of them, same length.
        size: number of cells.
    """

    def __init__(self, rows: NDArray[np.int64], cells: NDArray[np.int64], size: int) -> None:
        self._rows, self._cells, self._size = rows, cells, size
        self._step = max(ROWS, len(rows) * size * 4 // COUNTS_BYTES)
        frames = len(rows) // self._step + 1
        self._frames = np.zeros((frames, size), dtype=np.int32)
        for frame in range(1, frames):
            block = cells[(frame - 1) * self._step : frame * self._step]
            self._frames[frame] = self._frames[frame - 1] + np.bincount(block, minlength=size)

    def at(self, k: int) -> NDArray[np.int32]:
        """The counts at position k; a fresh array of shape (size,)."""
        done = int(np.searchsorted(self._rows, k))
        frame = done // self._step
        counts: NDArray[np.int32] = self._frames[frame].copy()
        counts += np.bincount(self._cells[frame * self._step : done], minlength=self._size).astype(np.int32)
        return counts


class InTransit:
    """Which messages are under way at any position.

    Args:
        sends: row of each message's send, -1 if it has none.
        ends: row where it ends (receive or drop), -1 if it was still under way at the end of the trace.

    The lists lie at least ``MESSAGES`` messages apart, and further where they are longer than that, so that all
    lists together are never longer than the number of messages.
    """

    def __init__(self, sends: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        known = np.flatnonzero(sends >= 0)
        if len(known) == len(sends) and bool((sends[1:] >= sends[:-1]).all()):
            self._ids = known
        else:
            self._ids = known[np.argsort(sends[known], kind="stable")]
        self._sends = sends[self._ids]
        self._ends = np.where(ends < 0, np.iinfo(np.int64).max, ends)
        starts, lists = [0], [np.empty(0, dtype=np.int64)]
        while True:
            stop = starts[-1] + max(MESSAGES, len(lists[-1]))
            if stop >= len(self._ids):
                break
            lists.append(self._alive(starts[-1], stop, lists[-1], int(self._sends[stop - 1]) + 1))
            starts.append(stop)
        self._starts, self._lists = np.array(starts, dtype=np.int64), lists

    def _alive(self, start: int, stop: int, before: NDArray[np.int64], k: int) -> NDArray[np.int64]:
        ids = np.concatenate((before, self._ids[start:stop]))
        return ids[self._ends[ids] >= k]

    def at(self, k: int) -> NDArray[np.int64]:
        """Numbers of the messages sent before position k and neither received nor dropped before it."""
        sent = int(np.searchsorted(self._sends, k))
        frame = int(np.searchsorted(self._starts, sent, side="right")) - 1
        return self._alive(int(self._starts[frame]), sent, self._lists[frame], k)


def group(values: NDArray[np.int32], n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row numbers sorted by value, rows of one value ascending, and where each value's part begins.

    Negative values are left out.  The part of value v is ``order[starts[v]:starts[v + 1]]``.
    """
    keys = values.astype(np.int16) if n < 2**15 else values  # 16-bit keys are sorted by radix, ten times faster
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], np.arange(n + 1, dtype=np.int64))
    return order, starts


def last_in(rows: NDArray[np.int64], codes: NDArray[np.uint8], wanted: NDArray[np.bool_]) -> int:
    """The last of the rows whose code is wanted (``wanted`` is indexed by code), or -1; looks from the end."""
    stop, width = len(rows), 64
    while stop > 0:
        start = max(0, stop - width)
        found = np.flatnonzero(wanted[codes[rows[start:stop]]])
        if len(found):
            return int(rows[start + found[-1]])
        stop, width = start, width * 4
    return -1


def first_in(rows: NDArray[np.int64], codes: NDArray[np.uint8], wanted: NDArray[np.bool_]) -> int:
    """The first of the rows whose code is wanted, or -1; looks from the beginning."""
    start, width = 0, 64
    while start < len(rows):
        found = np.flatnonzero(wanted[codes[rows[start : start + width]]])
        if len(found):
            return int(rows[start + found[0]])
        start, width = start + width, width * 4
    return -1
