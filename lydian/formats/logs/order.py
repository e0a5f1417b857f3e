"""The order of the events of a log, and the messages between them, derived from its records.

Vector clocks (Mattern, Fidge 1988) determine which events precede others: event i of host a precedes event e if and
only if the clock of e counts at least i events at a. An event whose clock counts more events of another host than the
previous event at its own host has received a message, and the sender is the host whose event covers all the new events;
if no single one does, several messages were received. Senders and receivers that the log names take precedence.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from lydian.formats.logs.lines import Record
from lydian.model.reading import Problem

__all__ = ["Order", "Ordered", "order"]


@dataclass(frozen=True)
class Ordered:
    """The events in an order in which each follows all those on which it depends.

    ``events`` are indices of records in that order; ``messages`` are pairs of records, sent and received (``None`` if
    it was never received), in order of sending; ``depth[i]`` is the number of events on the longest causal path to
    record i.
    """

    events: tuple[int, ...]
    messages: tuple[tuple[int, int | None], ...]
    depth: tuple[int, ...]
    problems: tuple[Problem, ...]


def order(records: list[Record]) -> Ordered:
    """Return the order of a log's events, its messages, and the contradictions in it."""
    return Order(records).made()


class Order:
    """The order of a log while it is made.

    Attributes:
        lines: host -> its records in order; ``at``: host and own count -> record.
        before: record -> the record before it at its host, -1 for none; ``out``: record -> those that receive from it.
        depth: record -> the number of events on the longest causal path to it, when all are in order.
    """

    def __init__(self, records: list[Record]) -> None:
        self.records = records
        self.problems: list[Problem] = []
        self.lines: dict[str, list[int]] = defaultdict(list)  # host -> its records in order
        self.at: dict[tuple[str, int], int] = {}  # (host, own count) -> record
        self.out: dict[int, list[int]] = defaultdict(list)  # send -> its receives
        self.before: list[int] = [-1] * len(records)
        self.depth: list[int] = []

    def bad(self, record: int, why: str) -> None:
        self.problems.append(Problem(self.records[record].line, why))

    def made(self) -> Ordered:
        for i, record in enumerate(self.records):
            self.lines[record.host].append(i)
        for host, line in self.lines.items():
            self.process_line(host, line)
        explicit = any(r.sender is not None or r.receiver is not None for r in self.records)
        ours = any(r.kind is not None for r in self.records)
        if ours:
            self.by_words()
        elif explicit:
            self.by_names()
        else:
            self.by_clocks()
        events, depth = self.sorted_()
        self.depth = depth
        place = {record: k for k, record in enumerate(events)}
        pairs: list[tuple[int, int | None]] = []
        for i in events:
            heard = [r for r in self.out.get(i, ()) if r in place]
            pairs += [(i, r) for r in heard]
            if not heard and (self.records[i].kind in ("send", "inject") or self.never_heard(i, ours)):
                pairs.append((i, None))
        return Ordered(tuple(events), tuple(pairs), tuple(depth), tuple(sorted(self.problems, key=lambda p: p.line)))

    def never_heard(self, i: int, ours: bool) -> bool:
        record = self.records[i]
        return not ours and record.receiver is not None and record.sender in (None, record.host)

    # process lines

    def process_line(self, host: str, line: list[int]) -> None:
        """Sort the records of a host by its own count, and report where they do not follow one another."""
        if not self.records[line[0]].clock:
            for a, b in pairwise(line):
                self.before[b] = a
            return
        line.sort(key=lambda i: self.records[i].clock[host])
        last, kept = -1, []
        for i in line:
            record = self.records[i]
            count = record.clock[host]
            if self.contradicts(i, last):
                continue
            expected = self.records[last].clock[host] + 1 if last >= 0 else 1
            if count > expected:
                missing = f"event {expected} is" if count == expected + 1 else f"events {expected} to {count - 1} are"
                self.bad(i, f"this is event {count} of host {host}, but its {missing} missing from the log")
            self.at[host, count] = i
            self.before[i] = last
            kept.append(i)
            last = i
        self.lines[host] = kept

    def contradicts(self, i: int, last: int) -> bool:
        """Return whether a record cannot follow the last one of its host, and report why."""
        record = self.records[i]
        host, count = record.host, record.clock[record.host]
        if (host, count) in self.at:
            other = self.records[self.at[host, count]].line
            self.bad(i, f"host {host} already has its event {count} in line {other}; each event must have its own")
            return True
        back = self.goes_back(last, record.clock)
        if back is not None:
            self.bad(i, f"the clock of host {host} goes back: an earlier line knew of more events at {back}")
        return back is not None

    def goes_back(self, last: int, clock: Mapping[str, int]) -> str | None:
        """Return the host whose count is lower in a clock than in the previous one."""
        if last < 0:
            return None
        return next((g for g, count in self.records[last].clock.items() if clock.get(g, 0) < count), None)

    # messages

    def news(self, i: int) -> list[str]:
        """Return the other hosts whose counts are higher in a record's clock than in the previous one."""
        record, last = self.records[i], self.before[i]
        known: Mapping[str, int] = self.records[last].clock if last >= 0 else {}
        return [g for g, count in record.clock.items() if g != record.host and count > known.get(g, 0)]

    def by_clocks(self) -> None:
        for i in self.kept():
            self.by_clock(i)

    def by_clock(self, i: int) -> list[int]:
        """Find the events whose messages a record has received by its clock, and return them."""
        clock, rest = self.records[i].clock, self.news(i)
        sources: list[int] = []
        while rest:
            found = [g for g in rest if (g, clock[g]) in self.at]
            if not found:
                names = ", ".join(f"{clock[g]} of {g}" for g in rest[:3])
                self.bad(i, f"the clock knows of event {names}, which is missing from the log")
                break
            sender = found[0]
            for g in found[1:]:
                if self.count_of(g, clock[g], sender) >= clock[sender]:
                    sender = g
            source = self.at[sender, clock[sender]]
            known = self.records[source].clock
            more = next((g for g in known if known[g] > clock.get(g, 0)), None)
            if more is not None:
                line = self.records[source].line
                self.bad(i, f"the clock knows of line {line}, but of fewer events at {more} than that line does")
                break
            self.out[source].append(i)
            sources.append(source)
            rest = [g for g in rest if known.get(g, 0) < clock[g]]
        return sources

    def count_of(self, host: str, count: int, at: str) -> int:
        return self.records[self.at[host, count]].clock.get(at, 0)

    def kept(self) -> Iterable[int]:
        return sorted(i for line in self.lines.values() for i in line)

    def by_words(self) -> None:
        """Match messages of a log exported by LYDIAN: a receive names its sender, and a higher count identifies the
        sender's event."""
        sent: dict[tuple[str, str, str | None], list[int]] = defaultdict(list)
        late: dict[int, None] = {}
        for i in self.kept():
            record = self.records[i]
            if record.kind in ("send", "inject") and record.receiver is not None:
                sent[record.host, record.receiver, record.label].append(i)
            elif record.kind in ("receive", "drop"):
                late[i] = None
        for i in list(late):
            record = self.records[i]
            if record.kind == "receive" and record.sender in self.news(i):
                source = self.at.get((record.sender, record.clock[record.sender]))
                key = (record.sender, record.host, record.label)
                if source is not None and source in sent[key]:
                    sent[key].remove(source)
                    self.out[source].append(i)
                    del late[i]
        for i in late:
            record = self.records[i]
            sender, receiver = (record.host, record.receiver) if record.kind == "drop" else (record.sender, record.host)
            waiting = sent.get((sender or "", receiver or "", record.label))
            if not waiting:
                self.bad(i, f"no line sends this {record.label or 'message'} from {sender} to {receiver}")
            else:
                self.out[waiting.pop(0)].append(i)

    def by_names(self) -> None:
        """Match messages whose ends are named by the log: by number, otherwise first in, first out between two
        hosts."""
        sent: dict[tuple[str, str, str | None], list[int]] = defaultdict(list)
        for i in self.kept():
            record = self.records[i]
            if record.receiver is not None and record.sender in (None, record.host):
                sent[record.host, record.receiver, record.message].append(i)
        for line in sent.values():
            line.reverse()
        for i in self.kept():
            record = self.records[i]
            if record.sender is None or (record.sender == record.host and record.receiver != record.host):
                continue
            waiting = sent.get((record.sender, record.host, record.message))
            if waiting:
                self.out[waiting.pop()].append(i)
            else:
                what = "a message" if record.message is None else f"message {record.message}"
                self.bad(i, f"no line sends {what} from {record.sender} to {record.host}")

    # one order

    def sorted_(self) -> tuple[list[int], list[int]]:
        """Return the records by time, or by causal depth, and then by line, but each after all those on which it
        depends."""
        kept = list(self.kept())
        waits = {i: int(self.before[i] >= 0) for i in kept}
        after: dict[int, list[int]] = defaultdict(list)
        for i in kept:
            if self.before[i] >= 0:
                after[self.before[i]].append(i)
        for source, heard in self.out.items():
            for i in heard:
                after[source].append(i)
                waits[i] += 1
        depth = [0] * len(self.records)
        timed = all(self.records[i].time is not None for i in kept)
        ready = [(self.key(i, timed, 0), i) for i in kept if not waits[i]]
        heapq.heapify(ready)
        found: list[int] = []
        while ready:
            _, i = heapq.heappop(ready)
            found.append(i)
            for j in after[i]:
                depth[j] = max(depth[j], depth[i] + 1)
                waits[j] -= 1
                if not waits[j]:
                    heapq.heappush(ready, (self.key(j, timed, depth[j]), j))
        for i in (i for i in kept if waits[i] > 0):
            self.bad(i, "it precedes itself in causal order: the messages of this log form a cycle")
        return found, depth

    def key(self, i: int, timed: bool, depth: int) -> tuple[float, int]:
        time = self.records[i].time
        return (time if timed and time is not None else depth, self.records[i].line)
