"""Indexes that make a seek in a long trace cheap: key frames at intervals, and the rows since the last one.

A *position* k means "events 0..k-1 have happened". Every index here is built by whole-array operations, one block of
rows at a time. To answer for a position, it copies the nearest earlier key frame and adds at most one block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import KINDS

__all__ = ["Counts", "InTransit", "LastRows", "Sorts", "first_in", "group", "last_in"]

ROWS = 16_384
MESSAGES = 8_192
#: The maximum number of bytes that all key frames of one :class:`Counts` may take; with more cells there are fewer key
#: frames.
COUNTS_BYTES = 16_000_000


class LastRows:
    """The last row of each process at any position.

    Args:
        process: the process of each row; negative if the row belongs to no process.
        n: the number of processes.
        codes: the code of each row; rows with the code ``null`` do not count. By default all rows count.
        null: see ``codes``.
    """

    def __init__(
        self, process: NDArray[np.int32], n: int, codes: NDArray[np.uint8] | None = None, null: int = -1
    ) -> None:
        self._process, self._codes, self._null = process, codes, null
        self._all = codes is None and not bool((process < 0).any())
        frames = len(process) // ROWS + 1
        self._frames = np.empty((frames, n), dtype=np.int32)
        last = np.full(n, -1, dtype=np.int32)
        for frame in range(frames):
            self._frames[frame] = last
            self._put(last, frame * ROWS, min((frame + 1) * ROWS, len(process)))

    def _put(self, last: NDArray[np.int32], start: int, stop: int) -> None:
        process, rows = self._process[start:stop], np.arange(start, stop, dtype=np.int32)
        if not self._all:
            counts = process >= 0
            if self._codes is not None:
                counts &= self._codes[start:stop] != self._null
            process, rows = process[counts], rows[counts]
        last[process] = rows

    def at(self, k: int) -> NDArray[np.int32]:
        """Return the last row of each process before position k, -1 if there is none, as a new array."""
        frame = k // ROWS
        last: NDArray[np.int32] = self._frames[frame].copy()
        self._put(last, frame * ROWS, k)
        return last


class Counts:
    """The number of rows of one kind up to any position, per cell (process x label).

    Args:
        process, label, kinds: the process, label and kind of each row; rows without a process or a label do not count.
        kind: the kind that is counted.
        n, labels: the numbers of processes and of labels.
    """

    def __init__(
        self,
        process: NDArray[np.int32],
        label: NDArray[np.int16],
        kinds: NDArray[np.uint8],
        kind: int,
        n: int,
        labels: int,
    ) -> None:
        self._process, self._label, self._kinds, self._kind = process, label, kinds, kind
        self._labels, self._size = labels, n * labels
        step = max(ROWS, len(kinds) * self._size * 4 // COUNTS_BYTES)
        self._step = -(-step // ROWS) * ROWS
        frames = len(kinds) // self._step + 1
        self._frames = np.zeros((frames, self._size), dtype=np.int32)
        for frame in range(1, frames):
            self._frames[frame] = self._frames[frame - 1]
            for start in range((frame - 1) * self._step, frame * self._step, ROWS):
                self._frames[frame] += self._in(start, start + ROWS)

    def _in(self, start: int, stop: int) -> NDArray[np.int64]:
        rows = np.flatnonzero(self._kinds[start:stop] == self._kind) + start
        process, label = self._process[rows], self._label[rows]
        cells = process.astype(np.int64) * self._labels + label
        return np.bincount(cells[(process >= 0) & (label >= 0)], minlength=self._size)

    def at(self, k: int) -> NDArray[np.int32]:
        """Return the counts at position k as a new array of shape (n * labels,)."""
        frame = k // self._step
        counts: NDArray[np.int32] = self._frames[frame].copy()
        if k > frame * self._step:
            counts += self._in(frame * self._step, k).astype(np.int32)
        return counts


class Sorts:
    """The number of events of each kind and label up to any position.

    Args:
        kind, label: the kind and label of each row; -1 means no label.
        labels: the number of labels.
    """

    def __init__(self, kind: NDArray[np.uint8], label: NDArray[np.int16], labels: int) -> None:
        self._kind, self._label, self._width = kind, label, labels + 1
        self._step = max(ROWS // 4, len(kind) * self._size * 4 // COUNTS_BYTES)
        self._frames = np.zeros((len(kind) // self._step + 1, self._size), dtype=np.int32)
        for frame in range(1, len(self._frames)):
            self._frames[frame] = self._frames[frame - 1] + self._in((frame - 1) * self._step, frame * self._step)

    @property
    def _size(self) -> int:
        return len(KINDS) * self._width

    def _in(self, start: int, stop: int) -> NDArray[np.int64]:
        label = self._label[start:stop].astype(np.int64) % self._width  # -1, no label, becomes the last
        return np.bincount(self._kind[start:stop] * np.int64(self._width) + label, minlength=self._size)

    def at(self, k: int) -> NDArray[np.int64]:
        """Return the counts at position k, (kinds * (labels + 1),); the last label means no label."""
        frame = k // self._step
        counts: NDArray[np.int64] = self._frames[frame] + self._in(frame * self._step, k)
        return counts

    def between(self, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the counts between consecutive rising positions, (len(bounds) - 1, kinds * (labels + 1))."""
        first, last, pieces = int(bounds[0]), int(bounds[-1]), len(bounds) - 1
        if last - first > int((bounds % self._step).sum()):  # then fewer rows follow the key frames
            so_far = np.array([self.at(int(k)) for k in bounds], dtype=np.int64)
            return so_far[1:] - so_far[:-1]
        label = self._label[first:last].astype(np.int64) % self._width
        cells = np.repeat(np.arange(pieces) * self._size, np.diff(bounds)) + label
        cells += self._kind[first:last] * np.int64(self._width)
        return np.bincount(cells, minlength=pieces * self._size).reshape(pieces, self._size)


class InTransit:
    """The messages in transit at any position.

    Args:
        sends: the row in which each message is sent, -1 if there is none.
        ends: the row in which it ends (receive or drop), -1 if it is still in transit at the end of the trace.

    A list is kept at intervals of at least ``MESSAGES`` messages, or of its own length if that is more, so that the
    total length of all lists never exceeds the number of messages.
    """

    def __init__(self, sends: NDArray[np.int32], ends: NDArray[np.int32]) -> None:
        #: The messages in order of sending; ``None`` if their numbers are in that order.
        self._ids: NDArray[np.int32] | None = None
        self._sends, self._ends = sends, ends
        if bool((sends < 0).any()) or bool((sends[1:] < sends[:-1]).any()):
            known = np.flatnonzero(sends >= 0).astype(np.int32)
            self._ids = known[np.argsort(sends[known], kind="stable")]
            self._sends = sends[self._ids]
        starts, lists = [0], [np.empty(0, dtype=np.int32)]
        while True:
            stop = starts[-1] + max(MESSAGES, len(lists[-1]))
            if stop >= len(self._sends):
                break
            lists.append(self._alive(starts[-1], stop, lists[-1], int(self._sends[stop - 1]) + 1))
            starts.append(stop)
        self._starts, self._lists = np.array(starts, dtype=np.int64), lists

    def _alive(self, start: int, stop: int, before: NDArray[np.int32], k: int) -> NDArray[np.int32]:
        fresh = np.arange(start, stop, dtype=np.int32) if self._ids is None else self._ids[start:stop]
        ids = np.concatenate((before, fresh))
        ends = self._ends[ids]
        return ids[(ends >= k) | (ends < 0)]

    def at(self, k: int) -> NDArray[np.int64]:
        """Return the numbers of the messages sent before position k and neither received nor dropped before it."""
        sent = int(np.searchsorted(self._sends, np.int32(k)))  # with another type, numpy would copy the whole array
        frame = int(np.searchsorted(self._starts, sent, side="right")) - 1
        return self._alive(int(self._starts[frame]), sent, self._lists[frame], k).astype(np.int64)


def group(values: NDArray[np.int32], n: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the row numbers sorted by value, ascending within each value, and where the part of each value begins.

    Negative values are left out. The part of value v is ``order[starts[v]:starts[v + 1]]``.
    """
    keys = values.astype(np.int16) if n < 2**15 else values  # radix sort is ten times faster
    order = np.argsort(keys, kind="stable").astype(np.int32)
    missing = int(np.count_nonzero(values < 0))
    sizes = np.bincount(values if not missing else values[values >= 0], minlength=n)
    return order, missing + np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


def last_in(rows: NDArray[np.int32] | None, stop: int, codes: NDArray[np.uint8], wanted: NDArray[np.bool_]) -> int:
    """Return the last of ``rows[:stop]`` whose code is wanted, or -1; search from the end.

    ``wanted`` is indexed by code. If ``rows`` is ``None``, all rows are searched: 0, 1, 2 ...
    """
    width = 64
    while stop > 0:
        start = max(0, stop - width)
        found = np.flatnonzero(wanted[codes[start:stop] if rows is None else codes[rows[start:stop]]])
        if len(found):
            place = start + int(found[-1])
            return place if rows is None else int(rows[place])
        stop, width = start, width * 4
    return -1


def first_in(rows: NDArray[np.int32] | None, start: int, codes: NDArray[np.uint8], wanted: NDArray[np.bool_]) -> int:
    """Return the first of ``rows[start:]`` whose code is wanted, or -1; search from the beginning."""
    length, width = len(codes if rows is None else rows), 64
    while start < length:
        stop = start + width
        found = np.flatnonzero(wanted[codes[start:stop] if rows is None else codes[rows[start:stop]]])
        if len(found):
            place = start + int(found[0])
            return place if rows is None else int(rows[place])
        start, width = stop, width * 4
    return -1
