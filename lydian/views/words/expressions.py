"""Histories of expressions over the variables of a process, computed once for a run and extended as it grows."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import did_you_mean, shown
from lydian.model.lang.expression import Expression, expression
from lydian.trace.events import NO_STATE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.source import read

__all__ = [
    "History", "grown", "links_of", "missing_in", "number", "parameters_of", "problem_of", "truth",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
T = TypeVar("T")

#: The largest number of values that are kept with their results.
DIFFERENT = 50_000
#: Codes: a value that must be looked up, the value before the first event, and a value that does not change.
UNKNOWN, SAME, START = -1, -2, -3


def missing_in(timeline: Timeline, wanted: Expression) -> str:
    """Return a sentence about a name in the expression that does not exist in a run, or "" if all exist."""
    known = (*timeline.variable_names, *parameters_of(timeline), "state", "me", "n", "m")
    for name in sorted(wanted.names):
        if name not in known:
            hint = did_you_mean(name, known)
            return tr("no process has a variable {variable}{hint}", variable=shown(name), hint=hint)
    return ""


def problem_of(timeline: Timeline, *wanted: str) -> str:
    """Return a full sentence about a name in some expressions that does not exist in a run, or "" if all exist.

    It is "" for a run that has not begun, as its variables are not yet known.
    """
    for text in wanted if timeline.variable_names else ():
        why = missing_in(timeline, expression(text))
        if why:
            return f"{why[:1].upper()}{why[1:]}."
    return ""


def parameters_of(timeline: Timeline) -> Mapping[str, Any]:
    """Return the parameters of the protocol in a run."""
    given = timeline.trace.summary.get("parameters") or timeline.trace.experiment.get("parameters")
    return given if isinstance(given, Mapping) else {}


def links_of(network: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Return the links of a network in node-link form, or ``None`` if it has no list of links."""
    links = network.get("links", network.get("edges")) if network else None
    return list(links) if isinstance(links, list | tuple) else None


def _fixed_of(timeline: Timeline, names: Collection[str]) -> Mapping[str, Any]:
    """Return the constants that an expression uses: the numbers of processes and links, and the parameters."""
    sizes = {"n": lambda: timeline.n, "m": lambda: len(links_of(timeline.trace.network) or ())}
    given = parameters_of(timeline)
    return {name: given[name] if name in given else sizes[name]() for name in names if name in given or name in sizes}


def number(value: Any) -> float:
    """Return a value as a number: 0 or 1 for a truth value, the size of a set or a list, NaN for anything else."""
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e300 else float("nan")
    return float(len(value)) if isinstance(value, list | tuple | dict | set | frozenset) else float("nan")


def truth(value: Any) -> float:
    """Return the truth of a value as 0 or 1."""
    return 1.0 if value else 0.0


_kept: weakref.WeakKeyDictionary[object, dict[Any, Any]] = weakref.WeakKeyDictionary()


def grown(timeline: Timeline, key: Any, make: Callable[[], T]) -> T:
    """Return the result of ``make()``, computed once for a run even if it grows; the result must extend itself."""
    kept = _kept.setdefault(timeline.details.kin, {})
    if key not in kept or kept[key].length > timeline.length:
        kept[key] = make()
    return kept[key]  # type: ignore[no-any-return]


class History:
    """The values of an expression, as a number, at the processes of a run over time.

    Attributes:
        length: the number of events that have been read.
        start: the value at each process before the first event, (n,).
    """

    def __init__(
        self, timeline: Timeline, wanted: Expression, measure: Callable[[Any], float], *, dead: bool = True
    ) -> None:
        """Begin before the first event.

        Args:
            measure: turns the value of the expression (None if it has none) into a number, NaN for none.
            dead: whether processes that are crashed keep their numbers.
        """
        self.length = 0
        self._wanted, self._measure, self._dead = wanted, measure, dead
        known = timeline.variable_names
        names = [name for name in sorted(wanted.names) if name in known]
        self._fixed = _fixed_of(timeline, wanted.names - {*names})
        self._sets = read(timeline.trace.source).sets & wanted.names
        self._initial: dict[str, list[Any]] = {}  # the different initial values of each variable
        #: What the value depends on: variables, then the state and the process itself if the expression uses them.
        self._columns = [*names, *(name for name in ("state", "me") if name in wanted.names and name not in names)]
        self._codes = np.full((timeline.n, len(self._columns)), START, dtype=np.int64)
        self._seqs = np.full((timeline.n, len(self._columns)), -1, dtype=np.int64)
        for place, name in enumerate(self._columns):
            if name in names:
                self._codes[:, place] = START - self._begun(name, timeline.variable_at(name, 0))
            else:
                self._codes[:, place] = timeline.start_states if name == "state" else np.arange(timeline.n)
        self._table: dict[tuple[int, ...], float] = {}
        self.start = self._worked(timeline, self._codes, self._seqs)
        self._raw = self.start.copy()
        self._down = np.zeros(timeline.n, dtype=bool)

    def _begun(self, name: str, values: Sequence[Any]) -> Ints:
        """Note the initial values of a variable, and return for each process which of the different ones it has."""
        different: list[Any] = []
        self._initial[name] = different
        known: dict[str, int] = {}
        for value in values:
            if repr(value) not in known:
                known[repr(value)] = len(different)
                different.append(value)
        return np.array([known[repr(value)] for value in values], dtype=np.int64)

    def more(self, timeline: Timeline) -> tuple[Ints, Ints, Floats]:
        """Return the changes since the last call: events (ascending), processes and values, each (k,)."""
        first, self.length = self.length, timeline.length
        before = self._raw.copy()
        parts = []
        for place, name in enumerate(self._columns):
            if name == "me" and name not in self._initial:
                continue
            if name in self._initial:
                where, codes = (each.astype(np.int64) for each in timeline.details.history(name, first))
            else:
                where = self._moves(timeline, first, place)
                codes = timeline.state[where].astype(np.int64)
            good = timeline.process[where] >= 0
            parts.append((where[good], np.full(int(good.sum()), place), codes[good]))
        if not parts or not any(len(part[0]) for part in parts):
            seq, process, value = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0)
        else:
            seq, which, code = (np.concatenate([part[i] for part in parts]) for i in range(3))
            seq, process, value = self._changed(timeline, seq, which, code)
            self._raw[process] = value  # Of several changes in one event the last counts.
        if self._dead:
            return seq, process, value
        return self._without_crashed(timeline, first, before, seq, process, value)

    def _moves(self, timeline: Timeline, first: int, place: int) -> Ints:
        """Return the events from ``first`` on in which the state of a process changes."""
        at = np.flatnonzero((timeline.state[first:] != NO_STATE) & (timeline.process[first:] >= 0)) + first
        process, state = timeline.process[at], timeline.state[at].astype(np.int64)
        order = np.argsort(process, kind="stable")
        who, states = process[order], state[order]
        before = np.empty(len(at), dtype=np.int64)
        before[1:] = states[:-1]
        fresh = np.ones(len(at), dtype=bool)
        fresh[1:] = who[1:] != who[:-1]
        before[fresh] = self._codes[who[fresh], place]
        return np.sort(at[order[states != before]])

    def _changed(self, timeline: Timeline, seq: Ints, which: Ints, code: Ints) -> tuple[Ints, Ints, Floats]:
        """Return the value after each event that changes something on which it depends.

        A row for each event, process by process, with the codes that it brings; what it leaves as it is comes from the
        row before, or from what was known of its process.
        """
        events, row = np.unique(seq, return_inverse=True)
        process = timeline.process[events].astype(np.int64)
        codes = np.full((len(events), len(self._columns)), SAME, dtype=np.int64)
        codes[row, which] = code
        order = np.argsort(process, kind="stable")
        who, codes = process[order], codes[order]
        seqs = np.where(codes != SAME, events[order][:, None], -1)
        fresh = np.append(True, who[1:] != who[:-1])
        start = fresh[:, None] & (codes == SAME)
        codes, seqs = np.where(start, self._codes[who], codes), np.where(start, self._seqs[who], seqs)
        last = np.maximum.accumulate(np.where(codes != SAME, np.arange(len(who))[:, None], 0), axis=0)
        codes, seqs = np.take_along_axis(codes, last, axis=0), np.take_along_axis(seqs, last, axis=0)
        final = np.append(who[1:] != who[:-1], True)
        self._codes[who[final]], self._seqs[who[final]] = codes[final], seqs[final]
        value = np.empty(len(events))
        value[order] = self._worked(timeline, codes, seqs)
        return events, process, value

    def _worked(self, timeline: Timeline, codes: Ints, seqs: Ints) -> Floats:
        """Return the value for each row of codes; each different row is evaluated once, one with unknown codes by
        itself.
        """
        if not len(codes):
            return np.empty(0)
        key = np.zeros(len(codes), dtype=np.int64)
        for column in codes.T:
            some, inverse = np.unique(column, return_inverse=True)
            _, key = np.unique(key * len(some) + inverse, return_inverse=True)
        _, where, back = np.unique(key, return_index=True, return_inverse=True)
        known = (codes != UNKNOWN).all(axis=1)
        table = np.empty(len(where))
        for i, at in enumerate(where.tolist()):
            if known[at]:
                mine = tuple(codes[at].tolist())
                if mine not in self._table:
                    if len(self._table) >= DIFFERENT:
                        self._table.clear()
                    self._table[mine] = self._one(timeline, mine, seqs[at].tolist())
                table[i] = self._table[mine]
        found = table[back]
        for at in np.flatnonzero(~known).tolist():
            found[at] = self._one(timeline, codes[at].tolist(), seqs[at].tolist())
        return np.asarray(found, dtype=np.float64)

    def _one(self, timeline: Timeline, codes: Sequence[int], seqs: Sequence[int]) -> float:
        values = dict(self._fixed)
        for name, code, seq in zip(self._columns, codes, seqs, strict=True):
            if name in self._initial:
                value = self._initial[name][START - code] if code <= START else timeline.details.value(name, code, seq)
                values[name] = self._own(name, value)
            elif name == "state":
                values[name] = timeline.states[code] if 0 <= code < len(timeline.states) else ""
            else:
                values[name] = timeline.processes[code]
        return self._measure(self._wanted.value(values))

    def _own(self, name: str, value: Any) -> Any:
        """Return a value as the protocol has it: a trace writes a set as a list."""
        try:
            return frozenset(value) if name in self._sets and isinstance(value, list) else value
        except TypeError:
            return value

    def _without_crashed(
        self, timeline: Timeline, first: int, held: Floats, seq: Ints, process: Ints, value: Floats
    ) -> tuple[Ints, Ints, Floats]:
        """Return the changes with NaN while a process is crashed, and its value again when it recovers.

        ``held`` is what each process had before these changes, crashed or not; it is changed.
        """
        kind = timeline.kind[first:]
        turns = np.flatnonzero((kind == int(Kind.CRASH)) | (kind == int(Kind.RECOVER))) + first
        turns = turns[timeline.process[turns] >= 0]
        if not len(turns) and not self._down.any():
            return seq, process, value
        falls = {at: bool(timeline.kind[at] == int(Kind.CRASH)) for at in turns.tolist()}
        given = dict(zip(seq.tolist(), zip(process.tolist(), value.tolist(), strict=True), strict=True))
        rows: list[tuple[int, int, float]] = []
        for at in sorted({*falls, *given}):
            p = given[at][0] if at in given else int(timeline.process[at])
            if at in given:
                held[p] = given[at][1]
            self._down[p] = falls.get(at, bool(self._down[p]))
            rows.append((at, p, float("nan") if self._down[p] else float(held[p])))
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        return table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]
