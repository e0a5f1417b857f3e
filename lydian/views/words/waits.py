"""Sentences about processes that still wait when a run has come to rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from lydian.language import tr, trc, trn
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.phrases import chained, clauses, joined

__all__ = ["chain", "named", "reached", "waits"]

#: The largest number of processes that are named.
MOST = 6


def waits(timeline: Timeline) -> str:
    """Return which processes wait and why: ``processes 0 to 4 wait for 5, which has crashed``; "" if none waits.

    A process waits for a crashed neighbour that owes it an answer, and for a lost message if no other has arrived from
    that neighbour since. If a neighbour that owes it an answer waits itself, it waits for the same causes.
    """
    rest = timeline.trace.summary.get("rest")
    names = list(rest.get("waiting", ())) if isinstance(rest, Mapping) else []
    index = {name: i for i, name in enumerate(timeline.processes)}
    waiting = [index[name] for name in names if name in index]
    if not waiting:
        return ""
    known = _Known(timeline, waiting)
    groups: dict[tuple[Any, ...], list[int]] = {}
    roots = {p: known.roots(p) for p in waiting}
    all_ = tuple(tuple(sorted({each for found in roots.values() for each in found[kind]})) for kind in (0, 1))
    for p in waiting:  # a process without a reason of its own waits for the same reasons as the others
        groups.setdefault(roots[p] if any(roots[p]) else all_, []).append(p)
    return clauses(*(_told(timeline, known, group, *roots) for roots, group in groups.items()))


def chain(timeline: Timeline) -> tuple[int, ...]:
    """Return the longest chain of waiting processes: each waits for the next, and the last one for a crashed process or
    a lost message. The crashed process or the sender of the lost message is at the end; empty if no process waits so.
    """
    rest = timeline.trace.summary.get("rest")
    names = set(rest.get("waiting", ())) if isinstance(rest, Mapping) else set()
    waiting = [i for i, name in enumerate(timeline.processes) if name in names]
    known = _Known(timeline, waiting)
    return max((known.way(p) for p in waiting), key=len, default=())


def reached(timeline: Timeline) -> str:
    """Return which bounds were reached: ``processes 0 and 3 have reached beats = 25``; "" if none was."""
    summary = timeline.trace.summary
    rest = summary.get("rest")
    found = rest.get("reached") if isinstance(rest, Mapping) else None
    told = []
    for parameter, names in found.items() if isinstance(found, Mapping) else ():
        value = (summary.get("parameters") or {}).get(parameter)
        value = f"{value:g}" if isinstance(value, float) else value
        if len(names) == len(timeline.processes) > 1:
            told.append(tr("every process has reached {parameter} = {value}", parameter=parameter, value=value))
            continue
        who = _subject(timeline.processes, names)
        told.append(
            trn(
                "{processes} has reached {parameter} = {value}", "{processes} have reached {parameter} = {value}",
                len(names), processes=who, parameter=parameter, value=value,
            )
        )  # fmt: skip
    return chained(told) if told else ""


def named(processes: Sequence[str], names: Iterable[str]) -> str:
    """Return processes in the order of the network: ``0 to 4``, ``0, 2 and 3``, ``ann and bob``, ``7 processes``."""
    places = _places(processes, names)
    parts = _parts(processes, places)
    return joined(parts) if len(parts) <= MOST else trn("{count} process", "{count} processes", len(places))


def _places(processes: Sequence[str], names: Iterable[str]) -> list[int]:
    index = {name: i for i, name in enumerate(processes)}
    return sorted(index[name] for name in names if name in index)


def _parts(processes: Sequence[str], places: Sequence[int]) -> list[str]:
    """Return the names at some places, successive numbers together: ``0 to 4``."""
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    parts: list[str] = []
    for run in runs:
        own = [processes[place] for place in run]
        numbers = [int(name) for name in own if name.isdecimal()]
        if len(run) > 2 and numbers == list(range(numbers[0], numbers[0] + len(run)) if numbers else ()):
            parts.append(trc("range of processes", "{first} to {last}", first=own[0], last=own[-1]))
        else:
            parts += own
    return parts


def _subject(processes: Sequence[str], names: Sequence[str]) -> str:
    """Return processes as the subject of a sentence: ``process 0``, ``processes 0 to 4``, ``7 processes``."""
    text = named(processes, names)
    if len(_parts(processes, _places(processes, names))) > MOST:
        return text
    return trn("process {processes}", "processes {processes}", len(names), processes=text)


class _Known:
    """The last messages between any two processes, and which of them have not been answered."""

    def __init__(self, timeline: Timeline, waiting: Sequence[int]) -> None:
        self.waiting = set(waiting)
        self.timeline = timeline
        self._n = n = len(timeline.processes)
        kind, process, peer = timeline.kind, timeline.process, timeline.peer
        self._sent = self._last(np.flatnonzero((kind == Kind.SEND) & (peer >= 0)), process, peer)
        self._got = self._last(np.flatnonzero((kind == Kind.RECEIVE) & (peer >= 0)), peer, process)
        self._lost = self._last(np.flatnonzero((kind == Kind.DROP) & (peer >= 0)), peer, process)
        self.mishaps = sorted(self._lost.values())
        self.crashed: set[int] = set()
        for seq in np.flatnonzero((kind == Kind.CRASH) | (kind == Kind.RECOVER)).tolist():
            (self.crashed.add if kind[seq] == Kind.CRASH else self.crashed.discard)(int(process[seq]))
        self._beside: dict[int, set[int]] = {p: set() for p in range(n)}
        for code in (*self._sent, *self._got, *self._lost):
            self._join(*divmod(code, n))
        index = {name: i for i, name in enumerate(timeline.processes)}
        for link in timeline.trace.network.get("links", timeline.trace.network.get("edges", ())):
            ends = index.get(str(link.get("source"))), index.get(str(link.get("target")))
            if None not in ends:
                self._join(ends[0], ends[1])  # type: ignore[arg-type]

    def _join(self, a: int, b: int) -> None:
        self._beside[a].add(b)
        self._beside[b].add(a)

    def _last(self, seqs: Any, source: Any, target: Any) -> dict[int, int]:
        """Return the last of the rows ``seqs`` for each pair of a sender and a receiver."""
        codes = source[seqs].astype(np.int64) * self._n + target[seqs]
        found, places = np.unique(codes[::-1], return_index=True)
        return dict(zip(found.tolist(), seqs[::-1][places].tolist(), strict=True))

    def _owes(self, q: int, p: int) -> bool:
        """Return True if q has sent p nothing since it last received a message from p, or nothing at all."""
        said = self._sent.get(q * self._n + p)
        return said is None or said < self._got.get(p * self._n + q, -1)

    def _gone(self, p: int, q: int) -> int | None:
        """Return the last lost message between p and q, if p has received nothing from q since."""
        n = self._n
        lost = [seq for code in (q * n + p, p * n + q) if (seq := self._lost.get(code)) is not None]
        got = self._got.get(q * n + p, -1)
        return max((seq for seq in lost if seq > got), default=None)

    def roots(self, p: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the crashed processes and the lost messages for which a process ultimately waits."""
        crashed: set[int] = set()
        lost: set[int] = set()
        met, edge = {p}, [p]
        while edge:
            at = edge.pop()
            for q in sorted(self._beside[at]):
                gone = None if q in self.crashed else self._gone(at, q)
                if q in self.crashed:
                    if self._owes(q, at) or at * self._n + q in self._lost:
                        crashed.add(q)
                elif gone is not None:
                    lost.add(gone)
                elif q in self.waiting and q not in met and self._owes(q, at):
                    met.add(q)
                    edge.append(q)
        return tuple(sorted(crashed)), tuple(sorted(lost))

    def way(self, p: int) -> tuple[int, ...]:
        """Return the shortest chain from a waiting process to a crashed one or to the sender of a lost message."""
        before: dict[int, int] = {p: -1}
        edge = [p]
        while edge:
            at = edge.pop(0)
            for q in sorted(self._beside[at]):
                crashed = q in self.crashed and (self._owes(q, at) or at * self._n + q in self._lost)
                end = crashed or (q not in self.crashed and q not in before and self._gone(at, q) is not None)
                if end:
                    found = [q]
                    while at >= 0:
                        found.append(at)
                        at = before[at]
                    return tuple(reversed(found))
                if q in self.waiting and q not in before and q not in self.crashed and self._owes(q, at):
                    before[q] = at
                    edge.append(q)
        return ()

    def circle(self, group: Sequence[int]) -> bool:
        """Return True if each process of a group waits for another one of the group."""
        return len(group) > 1 and all(any(q != p and self._owes(q, p) for q in group) for p in group)


def _told(timeline: Timeline, known: _Known, group: Sequence[int], crashed: Sequence[int], lost: Sequence[int]) -> str:
    names, count = timeline.processes, len(group)
    who = _subject(names, [names[p] for p in group])
    if crashed:
        whom = named(names, [names[p] for p in crashed])
        if len(crashed) == 1:
            return trn(
                "{processes} waits for {crashed}, which has crashed",
                "{processes} wait for {crashed}, which has crashed",
                count, processes=who, crashed=whom,
            )  # fmt: skip
        return trn(
            "{processes} waits for {crashed}, which have crashed",
            "{processes} wait for {crashed}, which have crashed",
            count, processes=who, crashed=whom,
        )  # fmt: skip
    if lost or known.mishaps:
        reason = _lost(timeline, lost or known.mishaps)
        return trn(
            "{processes} waits because {reason}", "{processes} wait because {reason}", count,
            processes=who, reason=reason,
        )  # fmt: skip
    if known.circle(group):
        if count == 2:
            return tr("{processes} wait for each other", processes=who)
        return tr("{processes} wait for one another", processes=who)
    return trn("{processes} still waits", "{processes} still wait", count, processes=who)


def _lost(timeline: Timeline, lost: Sequence[int]) -> str:
    first, more, names = lost[0], len(lost) - 1, timeline.processes
    what = trc(
        "after “because”", "{message} from {sender} to {receiver} was lost",
        message=timeline.labels[int(timeline.label[first])],
        sender=names[int(timeline.peer[first])], receiver=names[int(timeline.process[first])],
    )  # fmt: skip
    if not more:
        return what
    return trn(
        "{lost}, and {count} more message was lost", "{lost}, and {count} more messages were lost", more, lost=what
    )
