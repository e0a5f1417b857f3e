"""The chart beside the network: numbers over the time of a run, computed once and extended as it grows.

Each line is a sum over changes, so a million events take a few operations on whole arrays.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.lang.expression import Expression, expression
from lydian.pieces.checks import expression_is_right, one_of, scale_goes_up, share_is_right
from lydian.pieces.grid import held_in
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Floats, Scene
from lydian.views.time.axis import goes_on, remember, step_above
from lydian.views.words.expressions import History, grown, missing_in, number, parameters_of, problem_of, truth

__all__ = ["CHARTS", "Chart", "ChartFrame", "Curve", "Line", "chart_at", "curve_of", "faults_of", "line_word"]

#: Kinds of event that are interventions.
FAULTS = (Kind.CRASH, Kind.RECOVER, Kind.LINK_DOWN, Kind.LINK_UP, Kind.CORRUPT, Kind.INJECT)

#: The largest number of lines in a chart, and of charts in an animation.
LINES, CHARTS = 4, 3
#: The ways in which the values at all processes are combined.
AGGREGATES = ("count", "sum", "mean", "max", "different", "alone")


@dataclass(frozen=True)
class Line:
    """A line of a chart: an expression at all processes, combined into one number at each moment.

    Processes that are crashed do not count.

    Args:
        expression: over the variables of a process, its parameters, ``state``, ``me``, and ``n`` and ``m``, the numbers
            of processes and links, such as ``len(buffer)`` or ``state == "informed"``; a set or a list alone stands for
            its size.
        of: ``"count"``: at how many processes it is true; ``"sum"``, ``"mean"`` or ``"max"`` of its numbers;
            ``"different"``: how many different things there are in its sets, lists or tables (their keys) together;
            ``"alone"``: how many of these one process alone has, such as what differs between plan and doing.
        word: what the legend calls it.
    """

    expression: str
    of: str = "count"
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a line", "of", self.of, AGGREGATES)
        expression_is_right("a line's expression", self.expression)


@dataclass(frozen=True)
class Chart:
    """One to four lines over the time of the run, below or beside the network, with a moving line at the current
    moment.

    An animation may have up to three charts and histograms. Those below the network are side by side, those beside it
    one below the other; if there is no room for all, the last ones are left out. In a wide view they all form a column
    at the right edge.

    Args:
        lines: the lines.
        title: the text above it.
        axis: what is counted, at its side.
        side: ``"below"`` or ``"beside"``.
        share: how much of the view's height (below) or width (beside) it has.
        low, high: the ends of the scale; by default 0, or less if there is less, and the largest number of the run.
        faults: whether crashes, recoveries, cuts, corruptions and forged messages are marked at the axis of time.
        bound: an expression over the parameters of the run: so long after the last of several faults there is a
            dashed line, such as a bound of stabilisation.
    """

    lines: tuple[Line, ...]
    title: str = ""
    axis: str = ""
    side: str = "below"
    share: float = 0.27
    low: float | None = None
    high: float | None = None
    faults: bool = True
    bound: str = ""

    def __post_init__(self) -> None:
        lines: Any = (self.lines,) if isinstance(self.lines, Line) else self.lines
        if not isinstance(lines, Sequence) or not lines or any(not isinstance(line, Line) for line in lines):
            raise BadInput(f"lines must be a list of Line(...), not {shown(self.lines)}")
        if len(lines) > LINES:
            raise BadInput(f"a chart must have at most {LINES} lines, not {len(lines)}")
        object.__setattr__(self, "lines", tuple(lines))
        one_of("a chart", "side", self.side, ("below", "beside"))
        share_is_right("share", self.share, 0.1, 0.6)
        scale_goes_up(self.low, self.high)
        if self.bound:
            expression_is_right("bound", self.bound)


@dataclass(frozen=True, eq=False)
class Curve:
    """A line as a step function: times, the first of them 0, and the value from each time on, NaN for none."""

    times: Floats
    values: Floats

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest value, or (0, 0) without values."""
        known = self.values[np.isfinite(self.values)]
        return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)

    @cached_property
    def whole(self) -> bool:
        """True if all values are whole numbers."""
        known = self.values[np.isfinite(self.values)]
        return bool((known == np.floor(known)).all())

    def at(self, t: float) -> float:
        """Return the value at a time."""
        return float(self.values[max(int(np.searchsorted(self.times, t, side="right")) - 1, 0)])


@dataclass(frozen=True, eq=False)
class ChartFrame:
    """A chart at a moment.

    Args:
        declared: what it shows.
        curves: the lines, in the order in which they were declared.
        now: the value of each at ``t``, NaN for none.
        t, end: the time, and that of the end of the axis.
        low, high: the ends of the scale.
        faults: when something was done to the run, ascending.
        bounds: the times of the dashed lines.
        problem: why there is nothing to be seen, as a sentence.
        until: the end of the run: there the lines end.
    """

    declared: Chart
    curves: tuple[Curve, ...]
    now: tuple[float, ...]
    t: float
    end: float
    low: float
    high: float
    faults: Floats = field(default_factory=lambda: np.zeros(0))
    bounds: tuple[float, ...] = ()
    problem: str = ""
    until: float = math.inf


#: The words for lines that have none of their own.
_COMBINED = {
    "count": "{expression}", "sum": tr("sum of {expression}"), "mean": tr("mean of {expression}"),
    "max": tr("max of {expression}"), "different": tr("different of {expression}"),
    "alone": tr("alone of {expression}"),
}  # fmt: skip


def line_word(line: Line) -> str:
    """Return the word for a line."""
    return line.word or _COMBINED[line.of].format(expression=line.expression)


def chart_at(scene: Scene, declared: Chart, t: float) -> ChartFrame:
    """Return what a chart shows at a time."""
    run = scene.run
    for line in declared.lines:
        if missing_in(run, expression(line.expression)):
            return ChartFrame(declared, (), (), t, run.end, 0.0, 1.0, problem=problem_of(run, line.expression))
    curves = tuple(curve_of(run, line) for line in declared.lines)
    low = min([0.0, *(curve.ends[0] for curve in curves)]) if declared.low is None else float(declared.low)
    high = max([low, *(curve.ends[1] for curve in curves)]) if declared.high is None else float(declared.high)
    high = high if high > low else low + 1.0
    faults = faults_of(run)
    end = run.end
    if goes_on(run):  # Rounded ends keep the scale from moving with each event.
        end = step_above(end)
        low = low if declared.low is not None or low >= 0 else -step_above(-low)
        high = high if declared.high is not None or high <= 0 else step_above(high)
    return ChartFrame(
        declared, curves, tuple(curve.at(t) for curve in curves), t, end, low, high,
        faults if declared.faults else faults[:0], _bounds(run, declared, faults), until=run.end,
    )  # fmt: skip


def faults_of(run: Timeline) -> Floats:
    """Return the times of interventions in a run, computed once."""
    return remember(run, "times of faults", lambda: np.unique(run.time[np.isin(run.kind, FAULTS)]))


def _bounds(run: Timeline, declared: Chart, faults: Floats) -> tuple[float, ...]:
    """Return the times at a given length after each fault without a further fault before; none if the length is
    undefined.
    """
    if not declared.bound or not len(faults):
        return ()
    length = number(expression(declared.bound).value(parameters_of(run)))
    if not length >= 0:
        return ()
    alone = np.append(faults[1:] > faults[:-1] + length, True)
    return tuple((faults[alone] + length).tolist())


def curve_of(run: Timeline, line: Line) -> Curve:
    """Return a line over the whole run; the same object until the run grows."""
    growing = grown(run, ("curve", line.expression, line.of), lambda: _Growing(run, line))
    return growing.grow(run)


class _Growing:
    """A line over a run that may continue."""

    def __init__(self, run: Timeline, line: Line) -> None:
        wanted: Expression = expression(line.expression)
        self.of = line.of
        self._bags: dict[frozenset[Any], int] = {}
        measure = {"count": truth, "different": self._bag, "alone": self._bag}.get(line.of, number)
        self._history = History(run, wanted, measure, dead=False)
        self._last = self._history.start.copy()
        known = self._last[np.isfinite(self._last)]
        self._sum, self._count = float(known.sum()), len(known)
        self._heap = [-value for value in known.tolist()]
        heapq.heapify(self._heap)
        self._many: dict[float, int] = {}
        for value in known.tolist():
            self._many[value] = self._many.get(value, 0) + 1
        self._things: dict[Any, int] = {}  # how many have each
        self._single = 0  # how many of them only one has
        if line.of == "max":
            first: Any = [self._largest()]
        elif line.of in ("different", "alone"):
            start, self._last = self._last, np.full(run.n, np.nan)
            first = self._differing(np.arange(run.n), start)[-1:] if run.n else [0.0]
        else:
            first = self._told(np.array([self._sum]), np.array([self._count]))
        self._times, self._values = [np.zeros(1)], [np.asarray(first, dtype=np.float64)]
        self._curve = Curve(self._times[0], self._values[0])

    @property
    def length(self) -> int:
        """The number of events that have been read."""
        return self._history.length

    def grow(self, run: Timeline) -> Curve:
        """Return the line extended by the events since the last call."""
        if self.length == run.length:
            return self._curve
        seq, process, value = self._history.more(run)
        if len(seq):
            works = {"max": self._maxima, "different": self._differing, "alone": self._differing}
            values = works.get(self.of, self._sums)(process, value)
            times = run.time[seq]
            last = np.append(times[1:] != times[:-1], True)
            self._times.append(np.maximum(times[last], 0.0))
            self._values.append(values[last])
            self._curve = Curve(np.concatenate(self._times), np.concatenate(self._values))
            self._times, self._values = [self._curve.times], [self._curve.values]
        return self._curve

    def _told(self, sums: Floats, counts: NDArray[np.int64]) -> Floats:
        if self.of == "mean":
            return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return sums

    def _sums(self, process: NDArray[np.int64], value: Floats) -> Floats:
        """Return the sum, the count or the mean after each change."""
        order = np.argsort(process, kind="stable")
        who, new = process[order], value[order]
        old = np.empty(len(new))
        old[1:] = new[:-1]
        fresh = np.append(True, who[1:] != who[:-1])
        old[fresh] = self._last[who[fresh]]
        final = np.append(who[1:] != who[:-1], True)
        self._last[who[final]] = new[final]
        more, change = np.empty(len(new), dtype=np.int64), np.empty(len(new))
        more[order] = np.isfinite(new).astype(np.int64) - np.isfinite(old)
        change[order] = np.nan_to_num(new) - np.nan_to_num(old)
        sums, counts = self._sum + np.cumsum(change), self._count + np.cumsum(more)
        self._sum, self._count = float(sums[-1]), int(counts[-1])
        return self._told(sums, counts)

    def _maxima(self, process: NDArray[np.int64], value: Floats) -> Floats:
        """Return the largest number after each change."""
        found = []
        last, many, heap = self._last, self._many, self._heap
        for p, new in zip(process.tolist(), value.tolist(), strict=True):
            old = float(last[p])
            if old == old:
                many[old] -= 1
            if new == new:
                if not many.get(new, 0):
                    heapq.heappush(heap, -new)
                many[new] = many.get(new, 0) + 1
            last[p] = new
            found.append(self._largest())
        return np.array(found)

    def _bag(self, value: Any) -> float:
        """Return the codes of the items of a value; equal items have equal codes."""
        try:
            things = frozenset(held_in(list(value) if isinstance(value, set | frozenset) else value))
        except TypeError:
            return float("nan")
        return float(self._bags.setdefault(things, len(self._bags)))

    def _differing(self, process: NDArray[np.int64], value: Floats) -> Floats:
        """Return how many different items there are after each change, or how many only one process has."""
        found, alone = [], self.of == "alone"
        bags, things, last = list(self._bags), self._things, self._last
        for p, new in zip(process.tolist(), value.tolist(), strict=True):
            old = float(last[p])
            before: frozenset[Any] = bags[int(old)] if old == old else frozenset()
            after: frozenset[Any] = bags[int(new)] if new == new else frozenset()
            for thing in before - after:
                things[thing] -= 1
                self._single += (things[thing] == 1) - (things[thing] == 0)
                if not things[thing]:
                    del things[thing]
            for thing in after - before:
                things[thing] = things.get(thing, 0) + 1
                self._single += (things[thing] == 1) - (things[thing] == 2)
            last[p] = new
            found.append(float(self._single if alone else len(things)))
        return np.array(found)

    def _largest(self) -> float:
        while self._heap and not self._many.get(-self._heap[0], 0):
            self._many.pop(-heapq.heappop(self._heap), None)
        return -self._heap[0] if self._heap else float("nan")


def page(tell: Teller, declared: Chart) -> dict[str, Any] | None:
    """Return the lines over the whole run."""
    chart, column, d = chart_at(tell.scene, declared, 0.0), tell.column, declared
    if chart.problem or not chart.curves:
        return None
    return {
        "title": d.title, "axis": d.axis, "side": d.side, "share": d.share, "low": chart.low, "high": chart.high,
        "faults": column(chart.faults), "bounds": list(chart.bounds),
        "lines": [
            {"word": line_word(line), "times": column(curve.times), "values": column(curve.values)}
            for line, curve in zip(d.lines, chart.curves, strict=True)
        ],
    }  # fmt: skip


def _at(now: Moment, declared: Chart) -> ChartFrame:
    return chart_at(now.scene, declared, now.t)


register(Piece("chart", Chart, most=CHARTS, parts=(Line,), at=_at, nothing=(), panel="low", page=page, order=81,
               painter="lydian.app.painters.pieces.chart.ChartPainter", script="player.chart.js"))  # fmt: skip
