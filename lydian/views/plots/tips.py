"""The thing below the pointer in a plot, in exact figures; the places of the strangest runs; the plot as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.language import tr, trc
from lydian.views.plots.boxes import Box
from lydian.views.plots.layout import Layout
from lydian.views.plots.options import DISTRIBUTIONS
from lydian.views.plots.plots import Plot
from lydian.views.plots.published import beside
from lydian.views.plots.scale import number_text
from lydian.views.plots.trails import Frame, Trail
from lydian.views.words.words import plural

__all__ = ["Badge", "Found", "badges", "figures", "nearest", "places", "table_of"]


@dataclass(frozen=True)
class Found:
    """Something in a plot: where it is, what it says, the run it is or -1."""

    x: float
    y: float
    lines: tuple[str, ...]
    run: int = -1


@dataclass(frozen=True)
class Badge:
    """A run with a number: the place of the run, and that of its number."""

    number: int
    run: int
    x: float
    y: float
    at_x: float
    at_y: float


def nearest(layout: Layout, x: float, y: float, reach: float = 14.0) -> Found | None:
    """Return the point or the single run nearest to a place; a run counts as a little nearer, since it is smaller."""
    best: tuple[float, Frame, Trail, int, bool] | None = None
    for frame in layout.frames:
        box = frame.box
        if not (box.x - reach <= x <= box.right + reach and box.y - reach <= y <= box.bottom + reach):
            continue
        for trail in frame.trails:
            for single, xs, ys in ((False, trail.x, trail.value), (True, trail.dots_x, trail.dots_y)):
                if not len(xs) or (single and layout.plot.wish.kind in DISTRIBUTIONS):
                    continue
                far = np.hypot(xs - x, ys - y) if not _bars(layout.plot) else _over_bar(trail, x, y)
                if single:
                    far = np.where(trail.series.outside, far * 0.7, math.inf)
                at = int(np.argmin(far))
                if far[at] <= reach and (best is None or far[at] < best[0]):
                    best = (float(far[at]), frame, trail, at, single)
    sign = _sign_near(layout, x, y, min(reach, best[0] - 0.5) if best is not None else reach)
    if sign is not None:
        return sign
    if best is None:
        return None
    _, frame, trail, at, single = best
    return _of_run(layout, frame, trail, at) if single else _of_point(layout, frame, trail, at)


def _sign_near(layout: Layout, x: float, y: float, reach: float) -> Found | None:
    """Return the published number nearest to a place."""
    best: tuple[float, Found] | None = None
    across = layout.plot.wish.kind in DISTRIBUTIONS
    for frame in layout.frames:
        box = frame.box
        if not (box.x <= x <= box.right and box.y <= y <= box.bottom):
            continue
        for sign in frame.signs:
            for end in sign.ends:
                at = (end, y) if across else (x if sign.x is None else sign.x, end)
                far = math.hypot(at[0] - x, at[1] - y)
                if far <= reach and (best is None or far < best[0]):
                    words = layout.plot.results.variable(layout.plot.wish.y).words
                    best = (far, Found(*at, beside(sign.said, words)))
    return None if best is None else best[1]


def _bars(plot: Plot) -> bool:
    return plot.wish.kind == "histogram"


def _over_bar(trail: Trail, x: float, y: float) -> Any:
    """0 for the bin of a histogram under a place."""
    far = np.full(len(trail.value), math.inf)
    at = int(np.searchsorted(trail.x, x, "right")) - 1
    if 0 <= at < len(far) and y >= trail.value[at] - 6:
        far[at] = 0.0
    return far


def places(layout: Layout) -> list[Found]:
    """Return all points of all series, for going through them with keys."""
    return [
        _of_point(layout, frame, trail, at)
        for frame in layout.frames
        for trail in frame.trails
        for at in range(len(trail.series.points))
    ]


def _where(frame: Frame, trail: Trail) -> list[str]:
    return [text for text in (frame.panel.name, trail.series.name) if text]


def _of_point(layout: Layout, frame: Frame, trail: Trail, at: int) -> Found:
    plot, series = layout.plot, trail.series
    head = _where(frame, trail)
    if series.points:
        point, s = series.points[at], series.points[at].summary
        what = plot.results.variable(plot.wish.x).with_value(point.name) if not plot.x.names else point.name
        lines = [", ".join([*head, what]), plural(s.count, "run")]
        lines += figures(s)
        if series.fit is not None:
            fit = series.fit
            lines.append(
                tr(
                    "power law: exponent {exponent:.3f} ± {half:.3f} (95 %), R² {r2:.3f}",
                    exponent=fit.exponent,
                    half=fit.half,
                    r2=fit.r2,
                )
            )
        return Found(float(trail.x[at]), float(trail.value[at]), tuple(lines))
    assert series.curve_x is not None and series.curve_y is not None
    value = series.curve_x[min(at, len(series.curve_x) - 1)]
    height = float(series.curve_y[at])
    words = plot.results.variable(plot.wish.y).words
    if plot.wish.kind == "histogram":
        stop = series.curve_x[at + 1]
        said = tr(
            "{measure} {low} to {high}: {runs}",
            measure=words,
            low=_figure(float(value)),
            high=_figure(float(stop)),
            runs=plural(int(height), "run"),
        )
        if plot.x.whole and stop - value == 1:
            said = f"{words} {_figure(math.ceil(value))}: {plural(int(height), 'run')}"
        x = float(trail.x[at] + trail.x[at + 1]) / 2
        return Found(x, float(trail.value[at]), (", ".join(head) or plot.title, said))
    share = tr(
        "{share:.3g} % of {runs} up to {number}",
        share=100 * height,
        runs=plural(len(series.rows), "run"),
        number=_figure(float(value)),
    )
    said = (
        share
        if plot.wish.kind == "ecdf"
        else tr("density {density:.3g} at {number}", density=height, number=_figure(float(value)))
    )
    return Found(float(trail.x[at]), float(trail.value[at]), (", ".join(head) or plot.title, said))


def figures(s: Any) -> list[str]:
    """Return the exact figures of a group, line by line."""
    if s.least == s.most:
        return [tr("always {number}", number=_figure(s.least))]
    lines = [
        tr(
            "mean {mean} ({low} to {high}, 95 %)",
            mean=_figure(s.mean),
            low=_figure(s.low),
            high=_figure(s.high),
        ),
        tr("median {number}", number=_figure(s.median)),
    ]
    lines.append(tr("middle 95 %: {low} to {high}", low=_figure(s.q025), high=_figure(s.q975)))
    lines.append(tr("all: {low} to {high}", low=_figure(s.least), high=_figure(s.most)))
    return lines


def _of_run(layout: Layout, frame: Frame, trail: Trail, at: int) -> Found:
    return Found(float(trail.dots_x[at]), float(trail.dots_y[at]), told_of(layout.plot, int(trail.series.rows[at])),
                 int(layout.plot.results.run[trail.series.rows[at]]))  # fmt: skip


def told_of(plot: Plot, row: int) -> tuple[str, ...]:
    """Return a run in words: its number and seed, the measure, what is varied."""
    results = plot.results
    lines = [tr("Run {run:,}, seed {seed}", run=int(results.run[row]), seed=int(results.seed[row]))]
    for name in dict.fromkeys([plot.wish.y, plot.wish.x] if plot.wish.x else [plot.wish.y]):
        value = results.told(name, row)
        lines.append(results.variable(name).with_value(_figure(value) if not isinstance(value, str) else value))
    told = [each.with_value(str(results.told(each.name, row))) for each in results.varied if each.name != plot.wish.x]
    return (*lines, ", ".join(told)) if told else tuple(lines)


def _figure(value: Any) -> str:
    return trc("number", "none") if value is None else number_text(float(value))


def badges(layout: Layout, numbered: Mapping[int, int], radius: float = 8.0) -> list[Badge]:
    """Return the places of the numbers of runs (run -> number): at the run, or beside it if another number is there."""
    found: list[Badge] = []
    taken: list[Box] = []
    rows = {layout.plot.results.row(run): (number, run) for run, number in numbered.items()}
    here: list[tuple[int, int, float, float, Box]] = []
    for frame in layout.frames:
        for trail in frame.trails:
            for at in np.flatnonzero(np.isin(trail.series.rows, list(rows))).tolist():
                number, run = rows[int(trail.series.rows[at])]
                here.append((number, run, float(trail.dots_x[at]), float(trail.dots_y[at]), frame.box))
    for number, run, x, y, box in sorted(here):
        for dx, dy in _ways(radius):
            px = min(max(x + dx, box.x + radius), box.right - radius)
            py = min(max(y + dy, box.y + radius), box.bottom - radius)
            mine = Box(px - radius, py - radius, 2 * radius, 2 * radius)
            if not any(mine.meets(other, 1.0) for other in taken):
                break
        taken.append(mine)
        found.append(Badge(number, run, x, y, px, py))
    return found


def _ways(radius: float) -> Iterable[tuple[float, float]]:
    """Return the places for a number, the nearest first."""
    yield 0.0, 0.0
    for ring in range(1, 7):
        far = radius * 2.3 * ring
        for turn in range(8):
            angle = -math.pi / 2 + turn * math.pi / 4
            yield far * math.cos(angle), far * math.sin(angle)


def table_of(plot: Plot) -> tuple[list[str], list[list[Any]]]:
    """Return a plot as a table: names of its columns, and its rows."""
    head = [name for name in (plot.wish.over, plot.wish.by) if name]
    rows: list[list[Any]] = []

    def lead(panel: str, series: str) -> list[Any]:
        return [text for name, text in ((plot.wish.over, panel), (plot.wish.by, series)) if name]

    if plot.wish.kind in DISTRIBUTIONS:
        columns = [*head, *(("from", "to", "runs") if plot.wish.kind == "histogram" else (plot.wish.y, plot.y.words))]
        for panel in plot.panels:
            for series in panel.series:
                x, y = series.curve_x, series.curve_y
                assert x is not None and y is not None
                if plot.wish.kind == "histogram":
                    parts: Sequence[Sequence[Any]] = list(zip(x[:-1], x[1:], y.astype(int), strict=True))
                else:
                    parts = list(zip(x, y, strict=True))
                rows += [[*lead(panel.name, series.name), *map(_plain, part)] for part in parts]
        return columns, rows
    if any(series.points for panel in plot.panels for series in panel.series):
        names = ("count", "mean", "low", "high", "least", "q025", "q25", "median", "q75", "q975", "most")
        for panel in plot.panels:
            for series in panel.series:
                for point in series.points:
                    x_value = point.name if plot.x.names else _plain(point.x)
                    told = [_plain(getattr(point.summary, name)) for name in names]
                    rows.append([*lead(panel.name, series.name), x_value, *told])
        return [*head, plot.wish.x, *names], rows
    for panel in plot.panels:
        for series in panel.series:
            for row, x_value, y_value in zip(series.rows, series.x, series.y, strict=True):
                run = int(plot.results.run[row])
                rows.append([*lead(panel.name, series.name), run, _plain(x_value), _plain(y_value)])
    return [*head, "run", plot.wish.x, plot.wish.y], rows


def _plain(value: Any) -> Any:
    """Return a number without numpy, whole where it is whole."""
    if isinstance(value, int | np.integer):
        return int(value)
    number = float(value)
    return int(number) if number.is_integer() else number
