"""Plots of a sweep's results: which measure against what, in which series and small multiples, as lines or curves.

A :class:`~lydian.views.plots.options.Wish` says what is asked for; :func:`plot_of` makes the data of the picture; where
things are on paper is worked out in :mod:`lydian.views.plots.layout`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lydian.batch.stats import Fit, Summary, density, ecdf, edges_for, fit_power, summary
from lydian.language import tr, trn
from lydian.views.plots.data import PROCESSES, Results
from lydian.views.plots.options import DISTRIBUTIONS, MOST_PANELS, MOST_PLACES, MOST_SERIES, Wish, checked
from lydian.views.plots.published import Beside, Said, said_in
from lydian.views.plots.scale import Axis, axis_of, number_text, places_axis

__all__ = ["Panel", "Plot", "Point", "Series", "plot_of"]

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

#: From this many runs in a group on, only those outside the middle 95 % are drawn one by one.
MANY = 40


@dataclass(frozen=True)
class Point:
    """The runs of a series with the same x."""

    x: float
    name: str
    summary: Summary


@dataclass(frozen=True, eq=False)
class Series:
    """A curve of a plot.

    Args:
        name: in words; empty if there is only one.
        look: number of its colour, dash and head.
        points: by rising x; none in distributions.
        rows: (k,) rows of the results that belong to it, ``x`` and ``y`` (k,) their places.
        outside: (k,) which of them are drawn one by one.
        fit: the power law through them.
        curve_x, curve_y: the curve of a distribution.
    """

    name: str
    look: int
    points: tuple[Point, ...]
    rows: Rows
    x: Floats
    y: Floats
    outside: NDArray[np.bool_]
    fit: Fit | None = None
    curve_x: Floats | None = None
    curve_y: Floats | None = None


@dataclass(frozen=True, eq=False)
class Panel:
    """One of a plot's small multiples.

    Args:
        bounds: the lines of the formula, each (look or -1 for all, x, y).
        said: the published numbers.
    """

    name: str
    series: tuple[Series, ...]
    bounds: tuple[tuple[int, Floats, Floats], ...] = ()
    said: tuple[Said, ...] = ()


@dataclass(frozen=True, eq=False)
class Plot:
    """A whole plot.

    Args:
        wish: what was asked for, with its axes decided.
        title, note: what it shows, and how.
        x, y: the axes that all panels share.
        series: names of the series with their looks, as the legend tells them.
        formula: the formula that is drawn in, as the protocol gives it; empty if none is.
        failed, missing: runs of the results without a result, and without a number here.
        empty: why there is nothing to see; empty if there is something.
    """

    wish: Wish
    title: str
    note: str
    x: Axis
    y: Axis
    panels: tuple[Panel, ...]
    series: tuple[tuple[str, int], ...]
    results: Results
    formula: str = ""
    failed: int = 0
    missing: int = 0
    empty: str = ""


def plot_of(results: Results, wish: Wish) -> Plot:
    """Return the plot of some results.

    Raises:
        BadInput: as :func:`checked`.
    """
    checked(results, wish)
    spread_out = wish.kind in DISTRIBUTIONS
    if spread_out:
        wish = replace(wish, x="", fit=False)
    y = results.numbers[wish.y]
    good = np.isfinite(y) & ~results.failed
    names_x, x = _places(results, wish, good)
    if not spread_out:
        good = good & np.isfinite(x)
    by_names, by = _split(results, wish.by)
    over_names, over = _split(results, wish.over)
    shown_panels, shown_series = range(min(len(over_names), MOST_PANELS)), range(min(len(by_names), MOST_SERIES))
    kept = good & (over >= 0) & (over < MOST_PANELS) & (by >= 0) & (by < MOST_SERIES)
    wish = replace(wish, log_x=_log_x(wish, (y if spread_out else x)[kept], names_x), log_y=_log_y(wish, y[kept]))
    if wish.kind in ("spread", "mean") and len(np.unique(x[kept])) > MOST_PLACES:
        wish = replace(wish, kind="runs")
    now = Beside(wish, kept, x, names_x, by, over)
    said = [said_in(results, now, p) for p in shown_panels]
    ends, far = _ends_of(said, bool(wish.log_x if spread_out else wish.log_y)), _far_of(said, bool(wish.log_x))
    if spread_out:
        wish = replace(wish, log_y=False, log_x=bool(wish.log_x))
        every = np.concatenate([y[kept], ends])
        x_axis = axis_of(_axis_words(results, wish.y), every, log=bool(wish.log_x), air=0.02)
    elif names_x:
        x_axis = places_axis(_axis_words(results, wish.x), names_x)
    else:
        marks = np.unique(x[kept])
        few = marks.tolist() if len(marks) <= 12 and not results.variable(wish.x).drawn else []
        every = np.concatenate([x[kept], far])
        x_axis = axis_of(_axis_words(results, wish.x), every, log=bool(wish.log_x), marks=few)
    joined = wish.x not in results.measures and len(np.unique(x[kept])) <= MOST_PLACES
    panels = []
    for p in shown_panels:
        series = []
        for s in shown_series:
            rows = np.flatnonzero(kept & (over == p) & (by == s))
            if len(rows):
                series.append(_series(by_names[s], s, rows, x[rows], y[rows], wish, x_axis, names_x, joined=joined))
        panels.append(Panel(over_names[p], tuple(series), _bounds(results, wish, over == p, kept, by, x), said[p]))
    y_axis = _y_axis(results, wish, panels, np.concatenate([y[kept], ends]))
    seen = sorted({each.look for panel in panels for each in panel.series})
    missing = int(np.count_nonzero(~good & ~results.failed))
    note = _note(results, wish, len(by_names), len(over_names), missing)
    formula = results.formula or tr("the formula") if any(panel.bounds for panel in panels) else ""
    return Plot(
        wish, _title(results, wish), note, x_axis, y_axis, tuple(panels),
        tuple((by_names[s], s) for s in seen if by_names[s]), results, formula,
        int(results.failed.sum()), missing, _why_empty(results, wish, kept),
    )  # fmt: skip


def _places(results: Results, wish: Wish, good: NDArray[np.bool_]) -> tuple[tuple[str, ...], Floats]:
    """Return the position of each row along x, and the names of the positions if x is a text."""
    if not wish.x:
        return (), np.zeros(len(results))
    if results.variable(wish.x).numeric:
        return (), results.numbers[wish.x]
    values, codes = results.levels(wish.x)
    return tuple(map(str, values)), np.where(codes >= 0, codes, np.nan).astype(np.float64)


def _split(results: Results, name: str) -> tuple[tuple[str, ...], Rows]:
    """Return the names of the groups that a column forms, and the group of each row."""
    if not name:
        return ("",), np.zeros(len(results), dtype=np.int64)
    values, codes = results.levels(name)
    variable = results.variable(name)
    if variable.numeric:
        return tuple(f"{number_text(float(v))} {variable.words}" if variable.words == PROCESSES else
                     variable.with_value(number_text(float(v))) for v in values), codes  # fmt: skip
    return tuple(map(str, values)), codes


def _series(
    name: str, look: int, rows: Rows, x: Floats, y: Floats, wish: Wish, axis: Axis, names: Sequence[str],
    *, joined: bool,
) -> Series:  # fmt: skip
    """Return one series: its points and single runs, or its curve; the points of dots only if they are ``joined``."""
    if wish.kind in DISTRIBUTIONS:
        curve_x, curve_y = _curve(wish, axis, y)
        return Series(name, look, (), rows, y, np.zeros(len(y)), np.zeros(len(y), dtype=np.bool_),
                      None, curve_x, curve_y)  # fmt: skip
    points: list[Point] = []
    outside = np.ones(len(rows), dtype=np.bool_)
    if wish.kind != "runs" or joined:
        values, inverse = np.unique(x, return_inverse=True)
        for i, value in enumerate(values.tolist()):
            mine = inverse == i
            found = summary(y[mine])
            assert found is not None
            points.append(Point(value, names[round(value)] if names else number_text(value), found))
            if wish.kind == "spread" and found.count >= MANY:
                outside[mine] = (y[mine] < found.q025) | (y[mine] > found.q975)
    fit = fit_power(x, y) if wish.fit and not names else None
    return Series(name, look, tuple(points), rows, x, y, outside, fit)


def _curve(wish: Wish, axis: Axis, y: Floats) -> tuple[Floats, Floats]:
    if wish.kind == "ecdf":
        x, share = ecdf(y)
        return np.concatenate([[axis.low], x, [axis.high]]), np.concatenate([[0.0], share, [1.0]])
    if wish.kind == "density":
        if axis.log:
            x, height = density(np.log(y), math.log(axis.low), math.log(axis.high))
            return np.exp(x), height
        return density(y, axis.low, axis.high)
    if axis.log:
        edges = np.exp(edges_for(np.log(y) + 1e-12, math.log(axis.low), math.log(axis.high)))
    else:
        edges = edges_for(y, float(np.floor(axis.low)) if axis.whole else axis.low, axis.high)
    counts, edges = np.histogram(y, bins=edges)
    return np.clip(edges, axis.low, axis.high), counts.astype(np.float64)


def _bounds(
    results: Results, wish: Wish, here: NDArray[np.bool_], kept: NDArray[np.bool_], by: Rows, x: Floats
) -> tuple[tuple[int, Floats, Floats], ...]:
    """Return the expected number of messages along x; one line if all series expect the same."""
    if not wish.formula or wish.y != "messages" or not wish.x or "expected" not in results.measures:
        return ()
    expected = results.numbers["expected"]
    rows = np.flatnonzero(here & kept & np.isfinite(expected))
    lines = []
    for look in np.unique(by[rows]).tolist():
        mine = rows[by[rows] == look]
        values, inverse = np.unique(x[mine], return_inverse=True)
        if len(values) <= MOST_PLACES:
            lines.append((look, values, np.bincount(inverse, expected[mine]) / np.bincount(inverse)))
    if not lines:
        return ()
    longest = max(lines, key=lambda line: len(line[1]))
    alike = all(np.allclose(line[2], np.interp(line[1], longest[1], longest[2])) for line in lines)
    return ((-1, longest[1], longest[2]),) if alike else tuple(lines)


def _y_axis(results: Results, wish: Wish, panels: Sequence[Panel], y: Floats) -> Axis:
    if wish.kind in DISTRIBUTIONS:
        tops = [float(each.curve_y.max()) for panel in panels for each in panel.series if each.curve_y is not None]
        top = max(tops, default=1.0) or 1.0
        words = {"histogram": tr("runs"), "density": tr("density"), "ecdf": tr("share of runs")}[wish.kind]
        return Axis(words, 0.0, 1.0 if wish.kind == "ecdf" else top * 1.06, whole=wish.kind == "histogram")
    values = [y, *(line[2] for panel in panels for line in panel.bounds)]
    every = np.concatenate(values)
    near = bool(len(every)) and float(np.min(every)) >= 0 and float(np.min(every)) < 0.5 * float(np.max(every))
    return axis_of(_axis_words(results, wish.y), every, log=bool(wish.log_y), zero=near)


def _log_x(wish: Wish, x: Floats, names: Sequence[str]) -> bool:
    if wish.kind in DISTRIBUTIONS:
        if not len(x):
            return False
        return _log_y(replace(wish, log_y=wish.log_x), x)
    if names or not len(x) or float(x.min()) <= 0:
        return False
    if wish.log_x is not None:
        return wish.log_x
    values = np.unique(x)
    steps = np.diff(np.log(values))
    return bool(len(values) >= 3 and values[-1] / values[0] >= 4 and steps.max() < 2.5 * steps.min())


def _log_y(wish: Wish, y: Floats) -> bool:
    if not len(y) or float(y.min()) <= 1e-200:
        return False
    if wish.log_y is not None:
        return wish.log_y
    return bool(float(y.max()) / float(y.min()) >= 50)


def _ends_of(said: Sequence[Sequence[Said]], log: bool) -> Floats:
    """Return the published numbers that an axis must include."""
    ends = [end for panel in said for each in panel for end in each.mark.ends]
    return np.array([end for end in ends if end > 0 or not log])


def _far_of(said: Sequence[Sequence[Said]], log: bool) -> Floats:
    """Return the positions of published numbers along x."""
    places = [each.x for panel in said for each in panel if each.x is not None]
    return np.array([place for place in places if place > 0 or not log])


def _axis_words(results: Results, name: str) -> str:
    return results.variable(name).title


def _title(results: Results, wish: Wish) -> str:
    words = results.variable(wish.y).words
    return words[:1].upper() + words[1:]


def _note(results: Results, wish: Wish, series: int, panels: int, missing: int) -> str:
    """Return a line about how the plot is drawn."""
    said = {
        "spread": tr("median, middle half, 95 %, and each run outside"),
        "mean": tr("mean with its 95 % interval, and the middle 95 % of the runs"),
        "runs": tr("each run as a dot"),
        "histogram": tr("number of runs"),
        "density": tr("density of the runs"),
        "ecdf": tr("share of the runs up to a number"),
    }
    parts = [said[wish.kind]]
    if wish.log_y or (wish.kind in DISTRIBUTIONS and wish.log_x):
        parts.append(tr("logarithmic"))
    if series > MOST_SERIES:
        parts.append(tr("the first {most} of {count} series", most=MOST_SERIES, count=series))
    if panels > MOST_PANELS:
        parts.append(tr("the first {most} of {count} panels", most=MOST_PANELS, count=panels))
    if missing:
        parts.append(trn("{count:,} run without this number", "{count:,} runs without this number", missing))
    return "; ".join(parts)


def _why_empty(results: Results, wish: Wish, kept: NDArray[np.bool_]) -> str:
    if kept.any():
        return ""
    if not len(results):
        return tr("No run has finished yet.")
    if bool(results.failed.all()):
        return trn("The run failed; see why below.", "All {count:,} runs failed; see why below.", len(results))
    return tr("No run has a number for {measure}.", measure=results.variable(wish.y).words)
