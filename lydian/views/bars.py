"""Bars of how often a number is there: the changes of a run as rows, put into classes once and grown with the run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.trace.timeline import Timeline
from lydian.views.axis import nice_step
from lydian.views.expressions import History, expression, grown, number, problem_of
from lydian.views.panellooks import Histogram
from lydian.views.scene import Floats, Scene

__all__ = ["BarsFrame", "Classes", "bars_at", "classes_of"]

#: Whole numbers have a bar each if that makes no more than the first number; else there are about so many classes.
EACH, CLASSES = 24, 20
Ints = NDArray[np.int64]
#: Event, process, the table before and after.
_Change = tuple[int, int, dict[Any, float], dict[Any, float]]


@dataclass(frozen=True, eq=False)
class Classes:
    """A whole run in classes of numbers.

    Args:
        low: where the first class begins; of whole numbers, the number itself.
        step: how wide a class is.
        single: whether every class is one whole number.
        seqs: for each class the events with which its number changes, ascending, -1 for the beginning.
        counts: the number in the class from each of them on.
    """

    low: float
    step: float
    single: bool
    seqs: tuple[Ints, ...]
    counts: tuple[Floats, ...]

    @property
    def most(self) -> float:
        """The largest number that a class ever has."""
        return max((float(each.max()) for each in self.counts if len(each)), default=0.0)

    def at(self, k: int) -> tuple[float, ...]:
        """The number in each class after ``k`` events."""
        found = []
        for seqs, counts in zip(self.seqs, self.counts, strict=True):
            last = int(np.searchsorted(seqs, k)) - 1
            found.append(float(counts[last]) if last >= 0 else 0.0)
        return tuple(found)

    def words(self, place: int) -> str:
        """Which numbers a class has."""
        start = self.low + place * self.step
        return f"{start:,.6g}" if self.single else f"{start:,.4g} to {start + self.step:,.4g}"


@dataclass(frozen=True, eq=False)
class BarsFrame:
    """The bars at a moment.

    Args:
        declared: what they show.
        classes: the run in classes, the same object as long as the run does not grow.
        now: how high each bar is.
        total: how many there are in all of them.
        mean: their mean, NaN if there are none.
        problem: why there is nothing to be seen, as a sentence.
    """

    declared: Histogram
    classes: Classes
    now: tuple[float, ...]
    total: float
    mean: float
    problem: str = ""


NONE = Classes(0.0, 1.0, True, (), ())


def bars_at(scene: Scene, declared: Histogram, k: int) -> BarsFrame | None:
    """The bars after ``k`` events; None if the run is over and there never was anything to count."""
    run = scene.run
    problem = problem_of(run, declared.expression, *([declared.less] if declared.less else []))
    if problem or not run.variable_names:
        return BarsFrame(declared, NONE, (), 0.0, math.nan, problem)
    growing = _rows_of(run, declared)
    if growing.classes is NONE and run.trace.summary.get("stopped") is not None:
        return None
    total, weighed = growing.sums(k)
    return BarsFrame(declared, growing.classes, growing.classes.at(k), total, weighed / total if total else math.nan)


def classes_of(run: Timeline, declared: Histogram) -> Classes:
    """The whole run in classes."""
    return _rows_of(run, declared).classes


def _rows_of(run: Timeline, declared: Histogram) -> _Rows:
    key = ("bars", declared.expression, declared.of, declared.less)
    rows = grown(run, key, lambda: _KINDS[declared.of](run, declared))
    rows.grow(run)
    return rows


class _Rows:
    """Changes of how often a number is there - event, number, by how much - of a run that may go on."""

    def __init__(self, run: Timeline, declared: Histogram) -> None:
        self.length = 0
        self.classes = NONE
        self._seq: list[Ints] = []
        self._value: list[Floats] = []
        self._more: list[Floats] = []
        self._sums = np.zeros((0, 2))
        self._begin(run, declared)
        self._sort()

    def _begin(self, run: Timeline, declared: Histogram) -> None:
        """Look at what is there before the first event."""
        raise NotImplementedError

    def _changes(self, run: Timeline) -> None:
        """Look at the events that came since the last time."""
        raise NotImplementedError

    def _add(self, seq: Any, value: Any, more: Any) -> None:
        seqs, values, changes = np.asarray(seq, np.int64), np.asarray(value, np.float64), np.asarray(more, np.float64)
        good = np.isfinite(values) & (changes != 0)
        self._seq.append(seqs[good])
        self._value.append(values[good])
        self._more.append(changes[good])

    def grow(self, run: Timeline) -> None:
        """Look at the events that came since the last time."""
        if self.length == run.length:
            return
        self._changes(run)
        self.length = run.length
        if sum(len(each) for each in self._seq) > len(self._sums):
            self._sort()

    def sums(self, k: int) -> tuple[float, float]:
        """How many there are after ``k`` events, and their sum."""
        last = int(np.searchsorted(self._seq[0], k)) - 1
        return (float(self._sums[last, 0]), float(self._sums[last, 1])) if last >= 0 else (0.0, 0.0)

    def _sort(self) -> None:
        """Put all rows in order, and into classes."""
        seq, value, more = np.concatenate(self._seq), np.concatenate(self._value), np.concatenate(self._more)
        order = np.lexsort((more, seq))  # what goes, goes first
        seq, value, more = seq[order], value[order], more[order]
        self._seq, self._value, self._more = [seq], [value], [more]
        self._sums = np.column_stack((np.cumsum(more), np.cumsum(more * value)))
        self.classes = _classed(seq, value, more)


def _classed(seq: Ints, value: Floats, more: Floats) -> Classes:
    if not len(value):
        return NONE
    low, high = float(value.min()), float(value.max())
    whole = bool((value == np.round(value)).all())
    if whole and high - low < EACH:
        step, start = 1.0, low
    else:
        step = nice_step(max(high - low, 1e-9), CLASSES - 1)
        step = max(step, 1.0) if whole else step
        start = math.floor(low / step + 1e-9) * step
    places = np.floor((value - start) / step + 1e-9).astype(np.int64)
    order = np.argsort(places, kind="stable")
    bounds = np.searchsorted(places[order], np.arange(int(places.max()) + 2))
    seqs, counts = [], []
    for first, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        mine = order[first:stop]
        at, sums = seq[mine], np.cumsum(more[mine])
        last = np.append(at[1:] != at[:-1], True) if len(at) else np.zeros(0, dtype=bool)
        seqs.append(at[last])
        counts.append(sums[last])
    return Classes(start, step, step == 1.0 and whole, tuple(seqs), tuple(counts))


class _Processes(_Rows):
    """Every process by its number."""

    def _begin(self, run: Timeline, declared: Histogram) -> None:
        self._history = History(run, expression(declared.expression), number, dead=False)
        self._last = self._history.start.copy()
        self._add(np.full(run.n, -1), self._last, np.ones(run.n))

    def _changes(self, run: Timeline) -> None:
        seq, process, value = self._history.more(run)
        order = np.argsort(process, kind="stable")
        at, who, new = seq[order], process[order], value[order]
        old = np.empty(len(new))
        old[1:] = new[:-1]
        fresh = np.ones(len(who), dtype=bool)
        fresh[1:] = who[1:] != who[:-1]
        old[fresh] = self._last[who[fresh]]
        self._last[process] = value  # of several the last one stays
        other = old != new
        self._add(at[other], old[other], np.full(int(other.sum()), -1.0))
        self._add(at[other], new[other], np.ones(int(other.sum())))


class _Kept:
    """The values of an expression that are no numbers, each under a number that a history can hold."""

    def __init__(self, run: Timeline, text: str, read: Callable[[Any], dict[Any, float]]) -> None:
        self._read = read
        self._tables: list[dict[Any, float]] = []
        self._history = History(run, expression(text), self._code)
        self._last = self._history.start.copy()
        self.first: list[_Change] = [(-1, p, {}, self._tables[int(code)]) for p, code in enumerate(self._last.tolist())]

    def _code(self, value: Any) -> float:
        self._tables.append(self._read(value))
        return float(len(self._tables) - 1)

    def more(self, run: Timeline) -> list[_Change]:
        """The changes since the last time: event, process, the table before and after."""
        found: list[_Change] = []
        seq, process, value = self._history.more(run)
        for at, p, code in zip(seq.tolist(), process.tolist(), value.tolist(), strict=True):
            found.append((at, p, self._tables[int(self._last[p])], self._tables[int(code)]))
            self._last[p] = code
        return found


def _counted(value: Any) -> dict[Any, float]:
    """Numbers with how often they are there; keys of tables are texts in a trace."""
    found: dict[Any, float] = {}
    for key, often in value.items() if isinstance(value, dict) else ((item, 1) for item in _listed(value)):
        try:
            at, many = float(key), number(often)
        except (TypeError, ValueError):
            continue
        if math.isfinite(at) and math.isfinite(many):
            found[at] = found.get(at, 0.0) + many
    return found


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | set | frozenset) else []


class _Counts(_Rows):
    """The tables of all processes together, from numbers to how often they were."""

    def _begin(self, run: Timeline, declared: Histogram) -> None:
        self._kept = _Kept(run, declared.expression, _counted)
        self._take(self._kept.first)

    def _changes(self, run: Timeline) -> None:
        self._take(self._kept.more(run))

    def _take(self, changes: list[_Change]) -> None:
        rows = [
            (seq, key, new.get(key, 0.0) - old.get(key, 0.0))
            for seq, _, old, new in changes
            for key in {**old, **new}
            if new.get(key, 0.0) != old.get(key, 0.0)
        ]
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        self._add(table[:, 0], table[:, 1], table[:, 2])


def _numbered(value: Any) -> dict[Any, float]:
    """The keys of a table that have numbers."""
    table = value if isinstance(value, dict) else {}
    return {str(key): float(each) for key, each in table.items() if math.isfinite(number(each))}


class _Largest(_Rows):
    """The keys of the tables of all processes, each by its largest number in any of them."""

    def _begin(self, run: Timeline, declared: Histogram) -> None:
        self._kept = _Kept(run, declared.expression, _numbered)
        self._less = _Kept(run, declared.less, _numbered) if declared.less else None
        self._most: dict[str, float] = {}
        self._base: dict[str, float] = {}
        self._now: dict[str, float] = {}
        self._take(self._kept.first, self._less.first if self._less else [])

    def _changes(self, run: Timeline) -> None:
        self._take(self._kept.more(run), self._less.more(run) if self._less else [])

    def _take(self, changes: list[Any], less: list[Any]) -> None:
        rows: list[tuple[float, float, float]] = []
        both = [(seq, 0, old, new) for seq, _, old, new in less] + [(seq, 1, old, new) for seq, _, old, new in changes]
        for seq, sort, old, new in sorted(both, key=lambda row: row[:2]):
            for key, value in new.items():
                if old.get(key) == value:
                    continue
                if sort:
                    self._most[key] = max(value, self._most.get(key, value))
                else:
                    self._base.setdefault(key, value)
                if key not in self._most or (self._less is not None and key not in self._base):
                    continue
                then, now = self._now.get(key), self._most[key] - self._base.get(key, 0.0)
                if now != then:
                    self._now[key] = now
                    rows.append((seq, now, 1.0))
                    if then is not None:
                        rows.append((seq, then, -1.0))
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        self._add(table[:, 0], table[:, 1], table[:, 2])


_KINDS: dict[str, type[_Rows]] = {"process": _Processes, "counts": _Counts, "largest": _Largest}
