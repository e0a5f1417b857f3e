"""The configurations that a search has found, in little memory.

A search asks of each configuration whether it is new, and reads it once more in the order of discovery. So a
configuration is recognised by a hash of 128 bits in a table with open addressing, and kept in a compressed block with
those found at about the same time, which differ in few places. This takes about 30 bytes, however many processes and
channels there are, instead of some hundreds.

Two configurations with the same hash would be taken for one. If the hashes are random, this happens among k
configurations with a probability below k²/2¹²⁹ (:func:`collision`): less than 10⁻²⁶ for a million of them.

Sources: P. Wolper and D. Leroy, Reliable hashing without collision detection, CAV 1993 (hash compaction); the mixing
function is the finaliser of SplitMix64 (G. Steele, D. Lea and C. Flood, Fast splittable pseudorandom number
generators, OOPSLA 2014).
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, overload

import numpy as np
import numpy.typing as npt

__all__ = ["UNKNOWN", "Hashes", "Keys", "collision"]

#: The number of a configuration that has not been given one.
UNKNOWN = 2**31 - 1

#: The configurations in a block, and the blocks that are kept in readable form as well.
_BLOCK, _READABLE = 1024, 4
#: The share of the table that is filled at most, and the growth of the list of hashes.
_FULL, _GROWTH = 0.6, 1.25
_Longs = npt.NDArray[np.uint64]


def collision(configurations: int) -> float:
    """Return an upper bound on the probability that two of so many configurations have the same hash."""
    return float(configurations) ** 2 / 2.0**129


class Keys(Sequence[tuple[int, ...]]):
    """A growing list of tuples of equal length, whose numbers are at least 0 and below 2**31."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._tail: npt.NDArray[np.int32] = np.zeros((_BLOCK, 0), np.int32)
        self._size = 0
        self._readable: OrderedDict[int, npt.NDArray[np.int32]] = OrderedDict()

    def append(self, key: tuple[int, ...]) -> None:
        """Add a tuple at the end."""
        self.extend(np.array([key], np.int32))

    def extend(self, rows: npt.NDArray[np.int32]) -> None:
        """Add the rows of an array at the end."""
        if not self._size:
            self._tail = np.zeros((_BLOCK, rows.shape[1]), np.int32)
        at = 0
        while at < len(rows):
            place = self._size % _BLOCK
            some = rows[at : at + _BLOCK - place]
            self._tail[place : place + len(some)] = some
            at += len(some)
            self._size += len(some)
            if place + len(some) == _BLOCK:
                self._blocks.append(zlib.compress(np.ascontiguousarray(self._tail.T).tobytes(), 1))

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[int, ...]]: ...
    def __getitem__(self, at: int | slice) -> tuple[int, ...] | list[tuple[int, ...]]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        at = at + len(self) if at < 0 else at
        if not 0 <= at < len(self):
            raise IndexError(at)
        block, place = divmod(at, _BLOCK)
        return tuple(self._block(block)[place].tolist())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        at = 0
        while at < len(self):
            stop = min(len(self), (at // _BLOCK + 1) * _BLOCK)
            yield from map(tuple, self.rows(at, stop).tolist())
            at = stop

    def rows(self, start: int, stop: int) -> npt.NDArray[np.int32]:
        """Return some tuples as the rows of an array."""
        parts = [self._tail[:0]]
        while start < stop:
            block, place = divmod(start, _BLOCK)
            parts.append(self._block(block)[place : place + stop - start])
            start += len(parts[-1])
        return np.concatenate(parts)

    def _block(self, number: int) -> npt.NDArray[np.int32]:
        if number == len(self._blocks):
            return self._tail[: self._size % _BLOCK]
        found = self._readable.get(number)
        if found is None:
            columns = np.frombuffer(zlib.decompress(self._blocks[number]), np.int32).reshape(-1, _BLOCK)
            found = self._readable[number] = np.ascontiguousarray(columns.T)
            if len(self._readable) > _READABLE:
                self._readable.popitem(last=False)
        return found


class Hashes:
    """The numbers of the configurations found, by their hashes."""

    def __init__(self) -> None:
        self._size = 0
        self._known: _Longs = np.zeros((16, 2), np.uint64)  # number -> hash
        self._slots = np.full(32, -1, np.int32)  # number, or -1 if free

    def __len__(self) -> int:
        return self._size

    @staticmethod
    def of(keys: Sequence[tuple[int, ...]]) -> _Longs:
        """Return the hashes of some configurations, an array of shape (len(keys), 2)."""
        if not keys:
            return np.zeros((0, 2), np.uint64)
        wide = len(keys[0])
        return Hashes.of_rows(np.fromiter(chain.from_iterable(keys), np.uint64, len(keys) * wide).reshape(-1, wide))

    @staticmethod
    def of_rows(rows: npt.NDArray[Any]) -> _Longs:
        """Return the hashes of the rows of an array, an array of shape (len(rows), 2)."""
        wide, values = rows.shape[1], rows.astype(np.uint64)
        places = np.arange(1, wide + 1, dtype=np.uint64)
        first = _mixed(values + (places << np.uint64(32)))
        second = _mixed(first ^ np.uint64(0xD1342543DE82EF95))
        return np.stack([first.sum(1, np.uint64), second.sum(1, np.uint64)], 1)

    def find(self, hashes: _Longs) -> npt.NDArray[np.int32]:
        """Return the number of the configuration with each hash; -1 if there is none."""
        found = np.full(len(hashes), -1, np.int32)
        mask = np.uint64(len(self._slots) - 1)
        at = (hashes[:, 0] & mask).astype(np.int64)
        todo = np.arange(len(hashes))
        while len(todo):
            numbers = self._slots[at]
            used = numbers >= 0
            same = used & (self._known[numbers] == hashes[todo]).all(1)
            found[todo[same]] = numbers[same]
            again = used & ~same
            todo, at = todo[again], (at[again] + 1) & int(mask)
        return found

    def numbered(self, hashes: _Longs, room: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], int]:
        """Return the numbers of configurations, of which new ones get the next numbers.

        Args:
            hashes: their hashes.
            room: how many of them may be new; the others get the number :data:`UNKNOWN`.

        Returns:
            their numbers, the positions at which the new ones occur first, and the first position of an unknown one,
            -1 if there is none.
        """
        numbers = self.find(hashes)
        missing = np.flatnonzero(numbers < 0)
        if not len(missing):
            return numbers, missing, -1
        some = hashes[missing]
        order = np.lexsort((some[:, 1], some[:, 0]))  # equal ones next to each other, the first of them first
        some = some[order]
        begins = np.concatenate([[True], (some[1:] != some[:-1]).any(1)])
        firsts = order[begins]
        rank = np.empty(len(firsts), np.int64)
        rank[np.argsort(firsts)] = np.arange(len(firsts))
        given = np.empty(len(order), np.int64)
        given[order] = rank[np.cumsum(begins) - 1]
        beyond = given >= room
        numbers[missing] = np.where(beyond, UNKNOWN, self._size + given)
        full = int(missing[np.argmax(beyond)]) if beyond.any() else -1
        return numbers, missing[np.sort(firsts)[: max(0, room)]], full

    def add(self, hashes: _Longs) -> None:
        """Add new and different hashes; they get the next numbers."""
        before, self._size = self._size, self._size + len(hashes)
        if self._size > len(self._known):
            known = np.zeros((max(self._size, int(len(self._known) * _GROWTH)), 2), np.uint64)
            known[:before] = self._known[:before]
            self._known = known
        self._known[before : self._size] = hashes
        if self._size > _FULL * len(self._slots):
            size = len(self._slots)
            while self._size > _FULL * size:
                size *= 2
            self._slots = np.full(size, -1, np.int32)
            before = 0
        self._place(np.arange(before, self._size, dtype=np.int32))

    def _place(self, numbers: npt.NDArray[np.int32]) -> None:
        """Put configurations into the first free slots; of several that want the same one, one gets it."""
        mask = len(self._slots) - 1
        at = (self._known[numbers, 0] & np.uint64(mask)).astype(np.int64)
        while len(numbers):
            free = self._slots[at] < 0
            self._slots[at[free]] = numbers[free]
            again = self._slots[at] != numbers
            numbers, at = numbers[again], (at[again] + 1) & mask


def _mixed(values: _Longs) -> _Longs:
    """Return numbers that look random, different ones for different values."""
    mixed: _Longs = values * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
