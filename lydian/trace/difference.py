"""The difference between two executions: its first event, the divergence of each process and link, and the totals.

Two traces are the same as long as their events agree in their details and in every column but ``round``. Names are
compared, not codes, so the traces may have any origin: two runs, a run and its branch, or two files. If only one of the
traces recorded its variables, changes of variables are not compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.names import natural
from lydian.trace.details import as_object, detail_texts
from lydian.trace.events import OFF_LINE, Event, Kind, Trace, counted

__all__ = ["Difference", "LinkParting", "Parting", "difference", "numbers"]

#: The columns in which events of two executions are compared.
COLUMNS = ("time", "kind", "process", "peer", "message", "label", "state", "lamport", "chain", "cause", "bits")
#: The columns of its own events that a process can observe, and those of messages that can be observed on a link.
#: The numbers of events and messages and the logical clocks are left out: they change as soon as any process diverges.
_AT_PROCESS = ("time", "kind", "peer", "label", "state", "bits")
_ON_LINK = ("time", "kind", "process", "label", "bits")
_SENT = (Kind.SEND, Kind.INJECT, Kind.DROP)
#: The number of events that are compared at once.
BLOCK = 1 << 18
#: The number of events in which the divergence of processes and links is sought first.
FIRST = 1 << 16
_TABLES = {"process": "processes", "peer": "processes", "label": "labels", "state": "states"}

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Parting:
    """The first event in which a process diverges.

    Args:
        process: its name.
        time: the time of the earlier of the two events.
        a, b: the ``seq`` of its event in each trace; ``None`` in a trace where it has no more events.
    """

    process: str
    time: float
    a: int | None
    b: int | None


@dataclass(frozen=True)
class LinkParting:
    """The first event in which the messages between two processes diverge; see :class:`Parting`."""

    link: tuple[str, str]
    time: float
    a: int | None
    b: int | None


@dataclass(frozen=True)
class Difference:
    """The difference between two traces, ``a`` and ``b``.

    Args:
        seq: the number of the first event that differs, which is also the number of events in common.
        time: the time of the earlier of the two events; the traces agree before it.
        kind: ``event`` (a different event), ``time`` (the same event, earlier or later), ``state`` (the same event, but
            a different state), ``fields`` (the same event with different contents or numbers) or ``ended`` (one trace
            has no more events).
        columns: the columns that differ there, including ``detail``; empty if one trace has ended.
        a, b: the two events; ``None`` for the trace that has ended.
        processes: the processes that diverge from there on, in the order in which they do.
        links: the links whose messages diverge.
        numbers: ``events``, ``messages``, ``lost``, ``time`` and ``chain`` -> the numbers in ``a`` and in ``b``.
    """

    seq: int
    time: float
    kind: str
    columns: tuple[str, ...]
    a: Event | None
    b: Event | None
    processes: tuple[Parting, ...]
    links: tuple[LinkParting, ...]
    numbers: Mapping[str, tuple[float, float]]

    def swapped(self) -> Difference:
        """Return the difference with the traces exchanged: ``difference(b, a)``."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            processes=tuple(replace(each, a=each.b, b=each.a) for each in self.processes),
            links=tuple(replace(each, a=each.b, b=each.a) for each in self.links),
            numbers={name: (b, a) for name, (a, b) in self.numbers.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain data for JSON."""
        return asdict(self)


def difference(a: Trace, b: Trace) -> Difference | None:
    """Return the difference between two traces, or ``None`` if they are the same."""
    pair = _Pair(a, b)
    details = _details(a), _details(b)
    if details[0][1] != details[1][1]:  # only one trace recorded its variables
        details = _details(a, variables=False), _details(b, variables=False)
    pair.details = details[0][0], details[1][0]
    seq = pair.common()
    if seq == len(a) == len(b):
        return None
    first = a.event(seq) if seq < len(a) else None
    second = b.event(seq) if seq < len(b) else None
    columns: tuple[str, ...] = pair.differing(seq) if first is not None and second is not None else ()
    theirs = numbers(b)
    return Difference(
        seq=seq,
        time=min(each.time for each in (first, second) if each is not None),
        kind=_kind(first, second),
        columns=columns,
        a=first,
        b=second,
        processes=pair.processes(seq),
        links=pair.links(seq),
        numbers={name: (value, theirs[name]) for name, value in numbers(a).items()},
    )


def numbers(trace: Trace) -> dict[str, float]:
    """Return the totals that are compared: events, messages sent, messages lost, time of the end, longest chain."""
    kinds = np.bincount(trace.column("kind"), minlength=max(_SENT) + 1)
    return {
        "events": counted(trace.column("kind")),
        "messages": int(kinds[Kind.SEND] + kinds[Kind.INJECT]),
        "lost": int(kinds[Kind.DROP]),
        "time": float(trace.column("time")[-1]) if len(trace) else 0.0,
        "chain": int(trace.column("chain").max(initial=0)),
    }


def _kind(a: Event | None, b: Event | None) -> str:
    if a is None or b is None:
        return "ended"
    if (a.kind, a.process, a.peer, a.label) != (b.kind, b.process, b.peer, b.label):
        return "event"
    return "time" if a.time != b.time else "state" if a.state != b.state else "fields"


class _Pair:
    """Two traces whose columns can be compared."""

    def __init__(self, a: Trace, b: Trace) -> None:
        self.a, self.b = a, b
        self._codes = {name: _translation(getattr(a, table), getattr(b, table)) for name, table in _TABLES.items()}
        self.names = (*a.processes, *(name for name in b.processes if name not in set(a.processes)))
        self.details: tuple[Rows | None, Rows | None] = (None, None)

    def columns(self, name: str, rows: Any, of_b: bool) -> NDArray[Any]:
        """Return some entries of a column, in codes that have the same meaning in both traces."""
        if name == "detail":
            hashes = self.details[of_b]
            return np.zeros(1, dtype=np.int64) if hashes is None else hashes[rows]
        column: NDArray[Any] = (self.b if of_b else self.a).column(name)[rows]
        codes = self._codes.get(name) if of_b else None
        return column if codes is None else codes[column]

    def differing(self, seq: int) -> tuple[str, ...]:
        """Return the columns in which the two events with this number differ."""
        here = slice(seq, seq + 1)
        return tuple(
            name
            for name in (*COLUMNS, "detail")
            if bool((self.columns(name, here, False) != self.columns(name, here, True)).any())
        )

    def common(self) -> int:
        """Return the number of events, from the beginning, that the traces have in common."""
        length = min(len(self.a), len(self.b))
        names = COLUMNS if all(each is None for each in self.details) else (*COLUMNS, "detail")
        for start in range(0, length, BLOCK):
            stop = found = min(start + BLOCK, length)
            for name in names:
                here = slice(start, found)
                differs = self.columns(name, here, False) != self.columns(name, here, True)
                if differs.any():
                    found = start + int(differs.argmax())
            if found < stop:
                return found
        return length

    def processes(self, start: int) -> tuple[Parting, ...]:
        """Return the processes that diverge from an event on."""
        rows, groups = [], []
        for of_b in (False, True):
            process, kind = (self.columns(name, slice(start, None), of_b) for name in ("process", "kind"))
            on_line = ~np.isin(np.arange(256), OFF_LINE)[kind] & (process >= 0)
            rows.append(start + np.flatnonzero(on_line))
            groups.append(process[on_line])
        found = self._partings(rows, groups, len(self.names), (*_AT_PROCESS, "detail"))
        partings = [Parting(self.names[group], time, a, b) for group, time, a, b in found]
        return tuple(sorted(partings, key=lambda each: (each.time, natural(each.process))))

    def links(self, start: int) -> tuple[LinkParting, ...]:
        """Return the links whose messages diverge from an event on."""
        width = len(self.names)
        rows, pairs = [], []
        for of_b in (False, True):
            p, q = (self.columns(name, slice(start, None), of_b).astype(np.int64) for name in ("process", "peer"))
            between = (p >= 0) & (q >= 0)
            p, q = p[between], q[between]
            rows.append(start + np.flatnonzero(between))
            pairs.append(np.minimum(p, q) * width + np.maximum(p, q))
        keys, groups = _numbered(pairs, width * width)
        partings = []
        for group, time, a, b in self._partings(rows, groups, len(keys), (*_ON_LINK, "sent")):
            ends = divmod(int(keys[group]), width)
            one, other = sorted((self.names[end] for end in ends), key=natural)
            partings.append(LinkParting((one, other), time, a, b))
        return tuple(sorted(partings, key=lambda each: (each.time, *map(natural, each.link))))

    def _partings(
        self, rows: list[Rows], groups: list[NDArray[Any]], count: int, names: Sequence[str]
    ) -> list[tuple[int, float, int | None, int | None]]:
        """Return the first row that differs for each group of rows: group, time, and ``seq`` in each trace.

        Most groups diverge early, so only a few rows are compared at first, then more rows of the remaining groups.
        """
        found: list[tuple[int, float, int | None, int | None]] = []
        parted = np.zeros(count, dtype=bool)
        size, length = FIRST, max(map(len, rows))
        while True:
            open_ = [~parted[group[:size]] for group in groups]
            some = [each[:size][mask] for each, mask in zip(rows, open_, strict=True)]
            places = [group[:size][mask] for group, mask in zip(groups, open_, strict=True)]
            now = self._first_ones(some, places, count, names, whole=size >= length)
            found += now
            parted[[group for group, *_ in now]] = True
            if size >= length:
                return found
            size *= 8

    def _first_ones(
        self, rows: list[Rows], groups: list[NDArray[Any]], count: int, names: Sequence[str], *, whole: bool
    ) -> list[tuple[int, float, int | None, int | None]]:
        """Return the first row that differs for each group that diverges here; ``whole`` if these are all its rows."""
        small = np.uint16 if count < 1 << 16 else np.int64  # numpy sorts 16-bit integers much faster
        rows = [each[np.argsort(group.astype(small), kind="stable")] for each, group in zip(rows, groups, strict=True)]
        counts = [np.bincount(group, minlength=count) for group in groups]
        starts = [np.cumsum(each) - each for each in counts]
        both = np.minimum(*counts)
        number = np.arange(both.sum()) - np.repeat(np.cumsum(both) - both, both)
        pairs = [each[np.repeat(start, both) + number] for each, start in zip(rows, starts, strict=True)]
        differs = np.zeros(len(number), dtype=bool)
        for name in names:
            differs |= self._seen(name, pairs[0], False) != self._seen(name, pairs[1], True)
        where = np.flatnonzero(differs)
        which, first = np.unique(np.repeat(np.arange(count), both)[where], return_index=True)
        parted = np.where((counts[0] != counts[1]) & whole, both, -1)
        parted[which] = number[where[first]]
        found = []
        for group in np.flatnonzero(parted >= 0).tolist():
            at = int(parted[group])
            a, b = (
                int(each[start[group] + at]) if at < counted[group] else None
                for each, start, counted in zip(rows, starts, counts, strict=True)
            )
            times = [t.column("time")[s] for t, s in ((self.a, a), (self.b, b)) if s is not None]
            found.append((group, float(min(times)), a, b))
        return found

    def _seen(self, name: str, rows: Rows, of_b: bool) -> NDArray[Any]:
        if name != "sent":
            return self.columns(name, rows, of_b)
        # The receiver's action is not observable on the link, so only the details of messages sent are compared.
        sent = np.isin(self.columns("kind", rows, of_b), _SENT)
        return np.where(sent, self.columns("detail", rows, of_b), 0)


def _translation(a: Sequence[str], b: Sequence[str]) -> Rows | None:
    """Return the code in ``a`` for each code in ``b``, new codes for names that only ``b`` has.

    The result is ``None`` if the codes agree already. The last entry is for -1 (null); 255, the null of states, is
    mapped to itself.
    """
    if all(p == q for p, q in zip(a, b, strict=False)):
        return None
    known = {name: code for code, name in enumerate(a)}
    for name in b:
        known.setdefault(name, len(known))
    codes = np.arange(max(len(b), 256) + 1, dtype=np.int64)
    codes[: len(b)] = [known[name] for name in b]
    codes[-1] = -1
    return codes


def _numbered(values: list[Rows], most: int) -> tuple[Rows, list[NDArray[Any]]]:
    """Return the distinct values in some arrays, all below ``most``, and the arrays with their indices instead."""
    if most > 1 << 25:
        keys = np.unique(np.concatenate([np.unique(each) for each in values]))
        return keys, [np.searchsorted(keys, each) for each in values]
    there = np.zeros(most, dtype=bool)
    for each in values:
        there[each] = True
    keys = np.flatnonzero(there)
    numbers_of = np.zeros(most, dtype=np.int32)
    numbers_of[keys] = np.arange(len(keys), dtype=np.int32)
    return keys, [numbers_of[each] for each in values]


def _details(trace: Trace, *, variables: bool = True) -> tuple[Rows | None, bool]:
    """Return the details of all events as numbers, 0 for none, and whether variables were recorded.

    The numbers are ``None`` if no event has a detail. Every trace records corrupted variables, so they are always kept.
    """
    found: Rows | None = None
    recorded = False
    kind = trace.column("kind")
    for seq, text in detail_texts(trace):
        if found is None:
            found = np.zeros(len(trace), dtype=np.int64)
        if ('"changed"' in text or '"grown"' in text) and kind[seq] not in (Kind.CORRUPT, Kind.RECOVER):
            recorded = True
            if not variables:
                rest = {name: value for name, value in as_object(text).items() if name not in ("changed", "grown")}
                text = repr(rest) if rest else ""
            elif '"grown"' in text:  # equal values may be recorded as differences from different events
                text = repr(trace.detail(seq))
        elif not variables:
            text = repr(as_object(text))
        found[seq] = hash(text)
    return found, recorded
