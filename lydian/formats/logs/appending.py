"""A log to which records are appended: only what they change is ordered and written again.

The events that are there stay in their order, because none of them depends on a later line, and the order of two events
does not depend on a third. New events are placed between them. From the first place where something has changed (a new
event, or an event whose message has only now been received), the rows are written again; the rows before it stay.

Lines that arrive out of order, come from a new host, or change what earlier lines mean cannot be appended; the log must
then be read anew.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lydian.formats.logs.importer import Clock, Rows, made_trace
from lydian.formats.logs.lines import Record
from lydian.formats.logs.order import Order
from lydian.trace.events import ROW, Trace

__all__ = ["Appending"]

#: The number of events after which the state of the writing is noted, so that rows can be written again from there.
STEP = 500
#: Who sends a message, who receives it, and its number, if the log names them.
_Names = tuple[str, str, str | None]


@dataclass(frozen=True)
class _Mark:
    """The state of the writing before an event.

    Attributes:
        event: the place of the event in the order.
        rows, messages, labels, states: the numbers of what was there.
        latest: the Lamport clocks, the chains, the last actions and the states of all processes.
        clock: the time of the event before, and the events that were moved.
    """

    event: int
    rows: int
    messages: int
    labels: int
    states: int
    latest: tuple[list[int], ...]
    clock: Clock


class _Rewritten(Rows):
    """The rows of a log, which can be written again from an event on.

    Attributes:
        array: the rows as an array.
    """

    def __init__(self, order: Order, events: list[int], depth: list[int]) -> None:
        super().__init__(order.records, depth)
        self.order, self.events = order, events
        self.array: NDArray[np.void] = np.zeros(0, dtype=ROW)
        self.timed = all(record.time is not None for record in order.records)
        self.shift = self.shift_of(self.times(), events)
        self._marks: list[_Mark] = []

    def rewrite(self, first: int) -> None:
        """Write the rows from an event on, in place of those that were there."""
        begin = self._back_to(first)
        kept = len(self.rows)
        for place in range(begin, len(self.events)):
            if not place % STEP:
                self._mark(place)
            i = self.events[place]
            self._number(i)
            time = self.records[i].time if self.timed else None
            shown = self.clock.shown((float(self.depth[i]) if time is None else time) - self.shift)
            self.foreign(i, shown, place)
        self.notes = self.clock.notes(self.shift)
        self.array = np.concatenate([self.array[:kept], np.array(self.rows[kept:], dtype=ROW)])

    def _number(self, i: int) -> None:
        """Give numbers to the messages that a record sends."""
        targets: list[int | None] = [*self.order.out.get(i, ())]
        if not targets and self.order.never_heard(i, False):
            targets = [None]
        for target in targets:
            self.sends.setdefault(i, []).append(len(self.messages))
            if target is not None:
                self.hears.setdefault(target, []).append(len(self.messages))
            self.messages.append((i, target))

    def _mark(self, place: int) -> None:
        latest = tuple(each.copy() for each in (self.lamport, self.chain, self.acted, self.state))
        self._marks.append(_Mark(
            place, len(self.rows), len(self.messages), len(self.labels), len(self.states), latest, replace(self.clock)
        ))  # fmt: skip

    def _back_to(self, first: int) -> int:
        """Take back what was written from the last mark before an event on; return the place of that mark."""
        while self._marks and self._marks[-1].event > first:
            self._marks.pop()
        if not self._marks:
            return 0
        at = self._marks.pop()
        for source, target in self.messages[at.messages :]:
            self.sends.pop(source, None)
            if target is not None and target in self.hears:
                self.hears[target] = [number for number in self.hears[target] if number < at.messages]
        del self.messages[at.messages :]
        del self.rows[at.rows :]
        while self.details and next(reversed(self.details)) >= at.rows:
            self.details.popitem()
        for table, count in ((self.labels, at.labels), (self.states, at.states)):
            while len(table) > count:
                table.popitem()
        self.lamport, self.chain, self.acted, self.state = (each.copy() for each in at.latest)
        self.clock = replace(at.clock)
        return at.event


class Appending:
    """The records of a log so far, in order and written as rows.

    Args:
        records: the records; LYDIAN must not have exported them (their kinds would decide on the messages).
    """

    def __init__(self, records: list[Record]) -> None:
        self.order = Order(records)
        ordered = self.order.made()
        self.events, self.depth = list(ordered.events), list(ordered.depth)
        self._place = [-1] * len(records)
        for place, i in enumerate(self.events):
            self._place[i] = place
        self.named = any(record.sender is not None or record.receiver is not None for record in records)
        self._sent: dict[_Names, list[int]] = defaultdict(list)
        self._heard: dict[_Names, int] = defaultdict(int)
        self._awaited: set[tuple[str, int]] = set()  # the events that a clock knows of and that are missing
        for i in self.order.kept():
            self._note(i)
        self._timed = all(records[i].time is not None for i in self.order.kept())
        self._rows = _Rewritten(self.order, self.events, self.depth)
        self._rows.rewrite(0)

    def trace(self, path: Path) -> Trace:
        """Return the events so far as a trace; ``path`` is the name of the log."""
        made = made_trace(self._rows, self._rows.array, len(self.events), path)
        return replace(made, detail_of=dict(self._rows.details).get)

    def append(self, records: Sequence[Record]) -> bool:
        """Append records; return False if that is impossible, and then this object must not be used any more."""
        if not self._fit(records):
            return False
        order, first = self.order, len(self.order.records)
        order.records += records
        order.before += [-1] * len(records)
        self.depth += [0] * len(records)
        self._place += [-1] * len(records)
        kept = []
        for i in range(first, first + len(records)):
            follows = self._follows(i)
            if follows is None:
                return False
            if follows:
                kept.append(i)
        sources = self._sources(kept)
        if sources is None:
            return False
        changed = self._merge(kept, sources)
        if changed is None:
            return False
        if changed < len(self.events):
            self._rows.rewrite(changed)
        return True

    # ------------------------------------------------------------------ what can be appended

    def _fit(self, records: Sequence[Record]) -> bool:
        """Return whether records are like those that are there: the same hosts, the same columns, no earlier times."""
        rows = self._rows
        known, shift = rows.code, rows.shift
        for record in records:
            names = (record.host, record.sender, record.receiver)
            if any(name is not None and name not in known for name in names) or record.kind is not None:
                return False
            named = record.sender is not None or record.receiver is not None
            if (named and not self.named) or (record.time is not None) != rows.timed:
                return False
            if record.time is not None and (record.time < shift or record.time < 0 or (record.dated and not shift)):
                return False
        return True

    def _follows(self, i: int) -> bool | None:
        """Put a record after the last one of its host; False if its clock contradicts that, ``None`` if it is late."""
        order, record = self.order, self.order.records[i]
        line = order.lines[record.host]
        last = line[-1] if line else -1
        clocked = bool(order.records[line[0]].clock) if line else bool(record.clock)
        if not line or clocked != bool(record.clock):
            return None
        if clocked:
            count = record.clock[record.host]
            known = (record.host, count) in order.at
            late = count < order.records[last].clock[record.host] or (record.host, count) in self._awaited
            if late and not known:
                return None
            if order.contradicts(i, last):
                return False
            order.at[record.host, count] = i
        order.before[i] = last
        line.append(i)
        return True

    def _sources(self, kept: list[int]) -> dict[int, list[int]] | None:
        """Find the messages that records have received: record -> their senders; ``None`` if one came before its
        sender."""
        if not self.named:
            for i in kept:
                self._note(i)
            return {i: self.order.by_clock(i) for i in kept}
        found: dict[int, list[int]] = {i: [] for i in kept}
        for i in kept:
            key = self._sends(i)
            if key is not None:
                if self._heard[key] > len(self._sent[key]):
                    return None
                self._sent[key].append(i)
        for i in kept:
            key = self._hears(i)
            if key is not None:
                number, self._heard[key] = self._heard[key], self._heard[key] + 1
                if number < len(self._sent[key]):
                    source = self._sent[key][number]
                    self.order.out[source].append(i)
                    found[i].append(source)
        return found

    def _note(self, i: int) -> None:
        """Note what a record sends and receives by its names, or which events its clock misses."""
        record = self.order.records[i]
        if not self.named:
            at = self.order.at
            self._awaited.update((g, record.clock[g]) for g in self.order.news(i) if (g, record.clock[g]) not in at)
            return
        sent, heard = self._sends(i), self._hears(i)
        if sent is not None:
            self._sent[sent].append(i)
        if heard is not None:
            self._heard[heard] += 1

    def _sends(self, i: int) -> _Names | None:
        record = self.order.records[i]
        if record.receiver is None or record.sender not in (None, record.host):
            return None
        return record.host, record.receiver, record.message

    def _hears(self, i: int) -> _Names | None:
        record = self.order.records[i]
        if record.sender is None or (record.sender == record.host and record.receiver != record.host):
            return None
        return record.sender, record.host, record.message

    # ------------------------------------------------------------------ the order

    def _merge(self, kept: list[int], sources: dict[int, list[int]]) -> int | None:
        """Place new records between the events; return the first place that has changed.

        ``None`` if a record cannot be placed, because the messages form a cycle.
        """
        place, order = self._place, self.order
        new = set(kept)
        waits: dict[int, int] = dict.fromkeys(kept, 0)
        after: dict[int, list[int]] = defaultdict(list)
        least: dict[int, int] = dict.fromkeys(kept, 0)  # the first place that a record can have
        changed = len(self.events)
        for i in kept:
            causes = [*sources[i], *([order.before[i]] if order.before[i] >= 0 else [])]
            for cause in causes:
                if cause in new:
                    waits[i] += 1
                    after[cause].append(i)
                elif place[cause] < 0:
                    return None
                else:
                    least[i] = max(least[i], place[cause] + 1)
                    self.depth[i] = max(self.depth[i], self.depth[cause] + 1)
            changed = min([changed, *(place[source] for source in sources[i] if source not in new)])
        later = [(least[i], i) for i in kept if not waits[i]]
        heapq.heapify(later)
        start = at = later[0][0] if later else len(self.events)
        ready: list[tuple[tuple[float, int], int]] = []
        merged: list[int] = []
        left = len(kept)
        while left:
            while later and (later[0][0] <= at or at == len(self.events)):
                i = heapq.heappop(later)[1]
                heapq.heappush(ready, (self._key(i), i))
            if at < len(self.events):
                old = self.events[at]
                if not ready or (self._key(old), old) < ready[0]:
                    merged.append(old)
                    at += 1
                    continue
            elif not ready:
                return None
            i = heapq.heappop(ready)[1]
            changed = min(changed, start + len(merged))
            merged.append(i)
            left -= 1
            for j in after[i]:
                self.depth[j] = max(self.depth[j], self.depth[i] + 1)
                waits[j] -= 1
                if not waits[j]:
                    heapq.heappush(later, (least[j], j))
        merged += self.events[at:]
        self.events[start:] = merged
        for number in range(min(start, changed), len(self.events)):
            place[self.events[number]] = number
        return changed

    def _key(self, i: int) -> tuple[float, int]:
        return self.order.key(i, self._timed, self.depth[i])
