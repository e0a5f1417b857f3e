"""Vector clocks of an execution at any moment: which processes know of which.

The *causal past* of a process is the causal past of its last event, that event included (Lamport 1978). A process
*knows of* another one if something that happened there is in its causal past; every process knows of itself.
The entry of a vector clock (Fidge 1988, Mattern 1989) is the last such event.

Two tables follow from the arrows between processes, that is from receives and from guarded actions that saw a
neighbour change:

* *first*: the event with which a process first heard of another one. One pass over the arrows with a set of
  processes (the bits of an integer) at each of them; it ends when every process knows of every other. What is known
  at a position is then one comparison, however long the execution.
* *latest*: the vector clocks. A row of integers changes with each arrow; to keep all rows would take
  processes times events. Rows are kept at key frames only, at most :data:`BUDGET` bytes of them, and the arrows
  from the nearest one on are replayed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lydian.trace.events import OFF_LINE
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember

__all__ = ["BUDGET", "NEVER", "Clocks", "clocks_of"]

Ints = NDArray[np.int32]

#: The value in the table of first hearings for "not in this execution".
NEVER = np.iinfo(np.int32).max
#: The maximum number of bytes that key frames may occupy.
BUDGET = 48 << 20
#: The number of arrows between two key frames, or more if the budget requires it.
SPACING = 1_200
#: The last few moments that were computed are kept too, so that playing backwards is cheap.
NEAR, NEAREST = 1_200, 6

#: Rows beside the lines of processes, from which nothing follows.


class Clocks:
    """The vector clocks of one execution.

    Arrow number i ends at event ``target[i]``, which rise, and begins at event ``source[i]``.

    Attributes:
        n: number of processes.
        source, target: events at the two ends of each arrow.
        teller, hearer: the processes of these events.
    """

    def __init__(self, timeline: Timeline) -> None:
        # The timeline itself is not kept, as what belongs to it must not keep it alive.
        self.n = timeline.n
        process, length = timeline.process, timeline.length
        on = (process >= 0) & ~np.isin(timeline.kind, OFF_LINE)
        cause = timeline.cause
        target = np.flatnonzero(on & (cause >= 0) & (cause < np.arange(length)))
        source = cause[target].astype(np.int64)
        keep = on[source] & (process[source] != process[target])
        self.source: Ints = source[keep].astype(np.int32)
        self.target: Ints = target[keep].astype(np.int32)
        self.teller: Ints = process[self.source]
        self.hearer: Ints = process[self.target]
        self._frames: dict[int, dict[int, Ints]] = {}
        self._near: OrderedDict[int, dict[int, Ints]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.target)

    # ------------------------------------------------------------------ versions

    @cached_property
    def _versions(self) -> tuple[Ints, Ints]:
        """Return, for each arrow, the arrow behind the previous row of its receiver, and of its sender at the time.

        Each arrow makes a new version of its receiver's row. Where a process has heard nothing yet, the version is
        -1 - its number.
        """
        count = len(self)
        order = np.argsort(self.hearer, kind="stable")
        starts = np.searchsorted(self.hearer[order], np.arange(self.n + 1))
        own = np.empty(count, dtype=np.int64)
        own[order[1:]] = order[:-1]
        firsts = order[starts[:-1][starts[:-1] < starts[1:]]]
        own[firsts] = -1 - self.hearer[firsts].astype(np.int64)
        # The key of an arrow in the order (receiver, target), and the sender's last arrow not after the source.
        scale = int(max(self.target.max(initial=0), self.source.max(initial=0))) + 2
        keys = self.hearer[order].astype(np.int64) * scale + self.target[order]
        found = np.searchsorted(keys, self.teller.astype(np.int64) * scale + self.source, side="right") - 1
        told = np.where(found >= starts[self.teller], order[np.maximum(found, 0)] if count else found, 0)
        told = np.where(found >= starts[self.teller], told, -1 - self.teller.astype(np.int64))
        return own.astype(np.int32), told.astype(np.int32)

    # ------------------------------------------------------------------ first hearings

    @cached_property
    def first(self) -> Ints:
        """``first[i, j]``: the event with which process i first heard of j, (n, n).

        -1 for i itself, :data:`NEVER` if i never hears of j in this execution.
        """
        n = self.n
        first = np.full((n, n), NEVER, dtype=np.int32)
        np.fill_diagonal(first, -1)
        own, told = self._versions
        target, hearer = self.target, self.hearer.tolist()
        known = [1 << p for p in range(n)]
        versions: list[int] = [0] * len(self)
        missing = n * n - n
        for i, (before, other) in enumerate(zip(own.tolist(), told.tolist(), strict=True)):
            mine = versions[before] if before >= 0 else known[-1 - before]
            news = (versions[other] if other >= 0 else known[-1 - other]) & ~mine
            if not news:
                versions[i] = mine  # It is the same object, as unchanged data need no memory.
                continue
            versions[i] = mine | news
            first[hearer[i], _members(news, n)] = target[i]
            missing -= news.bit_count()
            if not missing:
                break
        return first

    def known(self, k: int) -> NDArray[np.bool_]:
        """Return which process knows of which, (n, n): row i is what i knows after the first ``k`` events."""
        return self.first < k

    def arrow(self, event: int) -> int:
        """Return the arrow that ends at an event, or -1."""
        i = int(np.searchsorted(self.target, event))
        return i if i < len(self) and int(self.target[i]) == event else -1

    def way(self, i: int, j: int) -> tuple[int, ...]:
        """Return the processes through which i first heard of j: j, ..., i; empty if it never does."""
        way = [i]
        while i != j:
            arrow = self.arrow(int(self.first[i, j])) if self.first[i, j] != NEVER else -1
            if arrow < 0:
                return ()
            i = int(self.teller[arrow])
            way.append(i)
        return tuple(reversed(way))

    # ------------------------------------------------------------------ the clocks

    @cached_property
    def _last_use(self) -> Ints:
        """Return, for each version, the last arrow that needs it, or -1."""
        uses = np.full(len(self), -1, dtype=np.int32)
        for side in self._versions:
            here = np.flatnonzero(side >= 0)
            np.maximum.at(uses, side[here], here.astype(np.int32))
        return uses

    @cached_property
    def spacing(self) -> int:
        """The number of arrows between two key frames."""
        size = self.n * self.n * 4 * 2  # There are as many old rows as current ones: those that messages carry.
        return max(SPACING, -(-len(self) * size // BUDGET))

    @cached_property
    def _blank(self) -> Ints:
        return np.full(self.n, -1, dtype=np.int32)

    def latest(self, k: int) -> Ints:
        """Return the vector clocks after the first ``k`` events, (n, n): the last event of j that i knows of, or -1.

        The diagonal holds what others told a process of itself; its own last event is for the caller to fill in.
        """
        count = int(np.searchsorted(self.target, k))
        rows = self._rows(count)
        current = self._current(count)
        return np.stack([rows.get(v, self._blank) for v in current]) if self.n else np.empty((0, 0), dtype=np.int32)

    def _current(self, count: int) -> list[int]:
        """Return the version of each process's row after this number of arrows; -1 is none."""
        base = count // self.spacing * self.spacing
        current = self._bases[count // self.spacing].copy()
        current[self.hearer[base:count]] = np.arange(base, count)  # Of several the last is kept.
        return current.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _bases(self) -> list[Ints]:
        """Return the current versions at each key frame."""
        now = np.full(self.n, -1, dtype=np.int32)
        bases = [now]
        for start in range(0, len(self), self.spacing):
            now = now.copy()
            stop = min(start + self.spacing, len(self))
            now[self.hearer[start:stop]] = np.arange(start, stop)
            bases.append(now)
        return bases

    def _rows(self, count: int) -> dict[int, Ints]:
        """Return the rows needed after this number of arrows, by version."""
        near = max((c for c in self._near if c <= count), default=-1)
        kept = max((c for c in self._frames if c <= count), default=0)
        at = max(near, kept)
        rows = self._near.get(at) if near == at else self._frames.get(at)
        if at == count and rows is not None:
            if near == at:
                self._near.move_to_end(at)
            return rows
        rows = dict(rows or {})
        while at < count:
            stop = min(count, (at // NEAR + 1) * NEAR, (at // self.spacing + 1) * self.spacing)
            self._walk(rows, at, stop)
            at = stop
            if at == count or at % self.spacing == 0 or at % NEAR == 0:
                rows = self._alive(rows, at)
                if at % self.spacing == 0:
                    self._frames.setdefault(at, rows)
                if at == count or count - at <= NEAR * (NEAREST - 2):
                    self._keep(at, rows)
                rows = rows if at == count else dict(rows)
        return rows

    def _walk(self, rows: dict[int, Ints], start: int, stop: int) -> None:
        """Replay these arrows."""
        own, told = self._versions
        blank, maximum = self._blank, np.maximum
        columns = (column[start:stop].tolist() for column in (own, told, self.source, self.teller))
        for i, (before, other, event, teller) in enumerate(zip(*columns, strict=True), start):
            row = maximum(rows.get(before, blank), rows.get(other, blank))
            if row[teller] < event:
                row[teller] = event
            rows[i] = row

    def _alive(self, rows: dict[int, Ints], count: int) -> dict[int, Ints]:
        """Return the rows that are current or that a later arrow needs."""
        uses, current = self._last_use, set(self._current(count))
        return {v: row for v, row in rows.items() if uses[v] >= count or v in current}

    def _keep(self, at: int, rows: dict[int, Ints]) -> None:
        """Keep the last few moments, and between two round numbers only the last one."""
        for other in [c for c in self._near if c % NEAR]:
            del self._near[other]
        self._near[at] = rows
        while len(self._near) > NEAREST:
            self._near.popitem(last=False)

    @property
    def kept_bytes(self) -> int:
        """The bytes of all rows that are kept now."""
        return _bytes(row for rows in (*self._frames.values(), *self._near.values()) for row in rows.values())


def _bytes(rows: Iterable[Ints]) -> int:
    return sum(row.nbytes for row in {id(row): row for row in rows}.values())


def _members(bits: int, n: int) -> list[int] | NDArray[np.int64]:
    """Return the numbers of the bits that are set."""
    if bits.bit_count() > 4:
        data = np.frombuffer(bits.to_bytes((n + 7) // 8, "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(data, bitorder="little"))
    members = []
    while bits:
        low = bits & -bits
        members.append(low.bit_length() - 1)
        bits ^= low
    return members


def clocks_of(timeline: Timeline) -> Clocks:
    """Return the clocks of an execution; the same object at each call."""
    return remember(timeline, "clocks", lambda: Clocks(timeline))
