"""Histograms of how often each number occurs: the changes of a run as rows, sorted into classes once and extended as it
grows.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.lang.expression import expression
from lydian.pieces.chart import CHARTS
from lydian.pieces.checks import expression_is_right, one_of, share_is_right, slot_is_right
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Floats, Scene
from lydian.views.time.axis import nice_step
from lydian.views.words.expressions import History, grown, number, problem_of

__all__ = ["BarsFrame", "Classes", "Histogram", "bars_at", "classes_of"]

#: Whole numbers have a bar each if that makes at most the first number of bars; otherwise there are about as many
#: classes as the second number.
EACH, CLASSES = 24, 20
#: Classes are no narrower than this, nor than this share of their numbers, as floats cannot resolve less.
LEAST = 1e-9
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Histogram:
    """A histogram of how often each number occurs at the moment, below or beside the network, declared among the
    charts.

    Whole numbers have a bar each unless there are too many of them; other numbers are sorted into about twenty classes.
    The scales are those of the whole run, so that bars do not jump. A finished run without anything to count has no
    panel.

    Args:
        expression: over the variables of a process, its parameters, ``state`` and ``me``, as in a :class:`Line`; with
            another ``of`` than ``"process"`` the name of a variable.
        of: what is counted: ``"process"``: every process that has a number, unless it is crashed, by this number;
            ``"counts"``: the tables of all processes together, from numbers to how often they were, or lists of
            numbers; ``"largest"``: the keys of the tables of all processes, each by the largest number that it
            has had in any of them.
        less: with ``"largest"``, a variable with tables of the same keys, such as when each began: the number that a
            key has there, anywhere, is taken off.
        title: the text above it.
        axis: what is counted, at its side.
        word: what the numbers are, under the bars.
        side, share: as in a :class:`Chart`.
        slot: the state whose colour the bars have.
    """

    expression: str
    of: str = "process"
    less: str = ""
    title: str = ""
    axis: str = ""
    word: str = ""
    side: str = "below"
    share: float = 0.27
    slot: int = 2

    def __post_init__(self) -> None:
        one_of("a histogram", "of", self.of, ("process", "counts", "largest"))
        one_of("a histogram", "side", self.side, ("below", "beside"))
        expression_is_right("a histogram's expression", self.expression)
        if self.less and self.of != "largest":
            raise BadInput(f'less requires of="largest", not of={shown(self.of)}')
        for name in (self.expression, *([self.less] if self.less else [])) if self.of != "process" else ():
            if not isinstance(name, str) or not all(part.isidentifier() for part in name.split(".")):
                raise BadInput(f"of={shown(self.of)} requires the name of a variable, not {shown(name)}")
        share_is_right("share", self.share, 0.1, 0.6)
        slot_is_right("a histogram", self.slot)


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of numbers of a whole run.

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
        """The largest number that any class ever reaches."""
        return max((float(each.max()) for each in self.counts if len(each)), default=0.0)

    def at(self, k: int) -> tuple[float, ...]:
        """Return the number in each class after ``k`` events."""
        found = []
        for seqs, counts in zip(self.seqs, self.counts, strict=True):
            last = int(np.searchsorted(seqs, k)) - 1
            found.append(float(counts[last]) if last >= 0 else 0.0)
        return tuple(found)

    def words(self, place: int) -> str:
        """Return the numbers of a class in words."""
        start = self.low + place * self.step
        return f"{start:,.6g}" if self.single else tr("{low:,.4g} to {high:,.4g}", low=start, high=start + self.step)


@dataclass(frozen=True, eq=False)
class BarsFrame:
    """A histogram at a moment.

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
    """Return the bars after ``k`` events, or None if the run is over and there was never anything to count."""
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
    """Return the classes of a whole run."""
    return _rows_of(run, declared).classes


def _rows_of(run: Timeline, declared: Histogram) -> _Rows:
    key = ("bars", declared.expression, declared.of, declared.less)
    rows = grown(run, key, lambda: _KINDS[declared.of](run, declared))
    rows.grow(run)
    return rows


class _Rows:
    """Changes of how often each number occurs (event, number, difference) in a run that may continue."""

    def __init__(self, run: Timeline, declared: Histogram) -> None:
        self.length = 0
        self.classes = NONE
        self._fresh: list[tuple[Ints, Floats, Floats]] = []
        self._seq, self._value, self._more = np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)
        self._sums = np.zeros((0, 2))
        self._begin(run, declared)
        self._sort()

    def _begin(self, run: Timeline, declared: Histogram) -> None:
        """Count the values before the first event."""
        raise NotImplementedError

    def _changes(self, run: Timeline) -> None:
        """Read the events since the last call."""
        raise NotImplementedError

    def _add(self, seq: Any, value: Any, more: Any) -> None:
        seqs, values, changes = np.asarray(seq, np.int64), np.asarray(value, np.float64), np.asarray(more, np.float64)
        good = np.isfinite(values) & (changes != 0)
        self._fresh.append((seqs[good], values[good], changes[good]))

    def grow(self, run: Timeline) -> None:
        """Read the events since the last call."""
        if self.length == run.length:
            return
        self._changes(run)
        self.length = run.length
        self._sort()

    def sums(self, k: int) -> tuple[float, float]:
        """Return how many numbers there are after ``k`` events, and their sum."""
        last = int(np.searchsorted(self._seq, k)) - 1
        return (float(self._sums[last, 0]), float(self._sums[last, 1])) if last >= 0 else (0.0, 0.0)

    def _sort(self) -> None:
        """Append the new rows to the old ones and sort them into classes, which change only if numbers do not fit."""
        seq, value, more = (np.concatenate(parts) for parts in zip(*self._fresh, strict=True))
        self._fresh = []
        if not len(seq):
            return
        order = np.lexsort((more, seq))  # Removals come first.
        seq, value, more = seq[order], value[order], more[order]
        before = self._sums[-1] if len(self._sums) else np.zeros(2)
        sums = np.column_stack((np.cumsum(more), np.cumsum(more * value))) + before
        self._seq, self._value = np.concatenate((self._seq, seq)), np.concatenate((self._value, value))
        self._more, self._sums = np.concatenate((self._more, more)), np.concatenate((self._sums, sums))
        low, step, single, count = _bounds(self._value)
        old = self.classes
        if old is not NONE and (old.low, old.step, old.single, len(old.seqs)) == (low, step, single, count):
            fresh = _classed(seq, value, more, low, step, single, count)
            start = [float(counts[-1]) if len(counts) else 0.0 for counts in old.counts]
            self.classes = Classes(
                low, step, single, tuple(np.concatenate(both) for both in zip(old.seqs, fresh.seqs, strict=True)),
                tuple(np.concatenate((one, other + base))
                      for one, other, base in zip(old.counts, fresh.counts, start, strict=True)),
            )  # fmt: skip
        else:
            self.classes = _classed(self._seq, self._value, self._more, low, step, single, count)


def _bounds(value: Floats) -> tuple[float, float, bool, int]:
    """Return where the classes of some numbers begin, their width, whether each is a single number, and how many there
    are.
    """
    low, high = float(value.min()), float(value.max())
    whole = bool((value == np.round(value)).all())
    if whole and high - low < EACH:
        return low, 1.0, True, int(high - low) + 1
    step = nice_step(max(high - low, LEAST, LEAST * max(-low, high)), CLASSES - 1)
    step = max(step, 1.0) if whole else step
    start = math.floor(low / step + 1e-9) * step
    return start, step, whole and step == 1.0, max(math.floor((high - start) / step + 1e-9), 0) + 1


def _classed(seq: Ints, value: Floats, more: Floats, low: float, step: float, single: bool, count: int) -> Classes:
    places = np.clip(np.floor((value - low) / step + 1e-9), 0, count - 1).astype(np.int64)
    order = np.argsort(places, kind="stable")
    bounds = np.searchsorted(places[order], np.arange(count + 1))
    seqs, counts = [], []
    for first, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        mine = order[first:stop]
        at, sums = seq[mine], np.cumsum(more[mine])
        last = np.append(at[1:] != at[:-1], True) if len(at) else np.zeros(0, dtype=bool)
        seqs.append(at[last])
        counts.append(sums[last])
    return Classes(low, step, single, tuple(seqs), tuple(counts))


class _Processes(_Rows):
    """Each process, counted by its number."""

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
        self._last[process] = value  # Of several changes in one event the last counts.
        other = old != new
        self._add(at[other], old[other], np.full(int(other.sum()), -1.0))
        self._add(at[other], new[other], np.ones(int(other.sum())))


def _tables(run: Timeline, name: str, start: int, last: dict[int, Any]) -> Iterator[tuple[int, Any, Any]]:
    """Yield the changes of a variable: event, value before and value after; ``last`` is updated."""
    at, codes = run.details.history(name, start)
    process = run.process[at]
    for seq, p, code in zip(at.tolist(), process.tolist(), codes.tolist(), strict=True):
        if p >= 0:
            value = run.details.value(name, code, seq)
            yield seq, last[p], value
            last[p] = value


def _counted(value: Any) -> dict[float, float]:
    """Return numbers with their frequencies; keys of tables are texts in a trace."""
    found: dict[float, float] = {}
    items = value if isinstance(value, list | tuple) else ()
    for key, often in value.items() if isinstance(value, dict) else ((item, 1) for item in items):
        try:
            at, many = float(key), number(often)
        except (TypeError, ValueError, OverflowError):
            continue
        if math.isfinite(at) and math.isfinite(many):
            found[at] = found.get(at, 0.0) + many
    return found


class _Counts(_Rows):
    """The tables of all processes together, from numbers to their frequencies."""

    def _begin(self, run: Timeline, declared: Histogram) -> None:
        self._name = declared.expression
        self._last = dict(enumerate(run.variable_at(self._name, 0)))
        self._take((-1, None, value) for value in self._last.values())

    def _changes(self, run: Timeline) -> None:
        self._take(_tables(run, self._name, self.length, self._last))

    def _take(self, changes: Iterable[tuple[int, Any, Any]]) -> None:
        rows = []
        for seq, old, new in changes:
            before, after = _counted(old), _counted(new)
            rows += [(seq, key, after.get(key, 0.0) - before.get(key, 0.0)) for key in {**before, **after}]
        table = np.array(rows, dtype=np.float64).reshape(-1, 3)
        self._add(table[:, 0], table[:, 1], table[:, 2])


class _Largest(_Rows):
    """The keys of the tables of all processes, each counted by its largest number in any of them."""

    def _begin(self, run: Timeline, declared: Histogram) -> None:
        self._names = [name for name in (declared.less, declared.expression) if name]
        self._most: dict[str, float] = {}
        self._base: dict[str, float] = {}
        self._now: dict[str, float] = {}
        self._take([(-1, name, value) for name in self._names for value in run.variable_at(name, 0)])

    def _changes(self, run: Timeline) -> None:
        parts = [self._named(run, name) for name in self._names]
        # Within one event, the start of a key comes first.
        self._take(heapq.merge(*parts, key=lambda change: change[0]))

    def _named(self, run: Timeline, name: str) -> Iterator[tuple[int, str, Any]]:
        """Yield what changed in a table: event, table, entries; entries that stay the same have no effect."""
        at, codes = run.details.history(name, self.length)
        for seq, p, code in zip(at.tolist(), run.process[at].tolist(), codes.tolist(), strict=True):
            if p >= 0:
                told, grown = run.details.step(name, code, seq)
                yield seq, name, told.get("set") if grown else told

    def _take(self, changes: Iterable[tuple[int, str, Any]]) -> None:
        rows: list[tuple[float, float, float]] = []
        table = self._names[-1]
        for seq, name, entries in changes:
            for key, told in entries.items() if isinstance(entries, dict) else ():
                value = number(told)
                if not math.isfinite(value):
                    continue
                if name == table:
                    self._most[key] = max(value, self._most.get(key, value))
                else:
                    self._base.setdefault(key, value)
                if key not in self._most or (len(self._names) > 1 and key not in self._base):
                    continue
                then, now = self._now.get(key), self._most[key] - self._base.get(key, 0.0)
                if now != then:
                    self._now[key] = now
                    rows += [(seq, now, 1.0)] if then is None else [(seq, now, 1.0), (seq, then, -1.0)]
        found = np.array(rows, dtype=np.float64).reshape(-1, 3)
        self._add(found[:, 0], found[:, 1], found[:, 2])


_KINDS: dict[str, type[_Rows]] = {"process": _Processes, "counts": _Counts, "largest": _Largest}


def page(tell: Teller, declared: Histogram) -> dict[str, Any] | None:
    """Return the classes with the events at which their numbers change; the page computes the mean itself."""
    bars, column = bars_at(tell.scene, declared, 0), tell.column
    if bars is None or bars.problem:
        return None
    classes, d = bars.classes, declared
    return {
        "title": d.title, "axis": d.axis, "word": d.word, "side": d.side, "share": d.share, "slot": d.slot,
        "low": classes.low, "step": classes.step, "single": classes.single, "most": max(classes.most, 1.0),
        "bars": [
            {"at": column(seqs), "counts": column(counts)}
            for seqs, counts in zip(classes.seqs, classes.counts, strict=True)
        ],
    }  # fmt: skip


def _at(now: Moment, declared: Histogram) -> BarsFrame | None:
    return bars_at(now.scene, declared, now.k)


register(Piece("bars", Histogram, "chart", CHARTS, at=_at, panel="low", page=page, order=82,
               painter="lydian.app.painters.pieces.bars.BarsPainter", script="player.bars.js"))  # fmt: skip
