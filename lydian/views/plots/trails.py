"""The places of the marks of a plot in its frames: points with their spread, single runs, curves, lines of formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.batch.stats import MOST
from lydian.views.plots.boxes import Box
from lydian.views.plots.options import DISTRIBUTIONS
from lydian.views.plots.plots import Panel, Plot, Series
from lydian.views.plots.published import Said

__all__ = ["Cross", "Frame", "Sign", "Trail", "frame_of", "thinned"]

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

#: The widest step between the series at one place, in pixels.
STEP = 26.0


@dataclass(frozen=True, eq=False)
class Trail:
    """A series in a frame.

    Args:
        series: which it is.
        x: (p,) the points of the series, in pixels; in distributions the corners of the curve.
        value: (p,) median, mean or curve, in pixels.
        low, high, first, third: (p,) the ends of the whisker and of the box, in pixels.
        dots_x, dots_y: (k,) the place of each run.
        law: pixels of the line of the power law, x and y; ``None`` if none is asked for.
        step: the room there is for it beside the other series.
    """

    series: Series
    x: Floats
    value: Floats
    low: Floats
    high: Floats
    first: Floats
    third: Floats
    dots_x: Floats
    dots_y: Floats
    law: tuple[Floats, Floats] | None
    step: float


@dataclass(frozen=True, eq=False)
class Sign:
    """A published number in a frame.

    Args:
        said: which it is.
        x: where it stands, in pixels; ``None`` for a line across the frame. In distributions nothing stands across.
        low, high: its ends in pixels, up (in distributions to the right); ``None`` for one that is open.
    """

    said: Said
    x: float | None
    low: float | None
    high: float | None

    @property
    def ends(self) -> tuple[float, ...]:
        """The ends that there are, each once."""
        return tuple(dict.fromkeys(end for end in (self.low, self.high) if end is not None))


@dataclass(frozen=True, eq=False)
class Frame:
    """A panel: where it is, its series, its grid lines across and up, the formula's lines with their looks, and what
    was published."""

    box: Box
    panel: Panel
    trails: tuple[Trail, ...]
    across: tuple[float, ...]
    up: tuple[float, ...]
    bounds: tuple[tuple[int, Floats, Floats], ...]
    signs: tuple[Sign, ...] = ()


@dataclass(frozen=True, eq=False)
class Cross:
    """The places of numbers across a frame: the series of one place beside each other, and room for them at the ends.

    Args:
        looks: of all series, in order.
        pad: room at both ends.
        step: from one series to the next.
        narrow: pixels between the places that are nearest to each other.
    """

    plot: Plot
    box: Box
    looks: tuple[int, ...]
    pad: float
    step: float
    narrow: float

    @classmethod
    def of(cls, plot: Plot, box: Box) -> Cross:
        """For a frame."""
        series = [each for panel in plot.panels for each in panel.series]
        looks = tuple(sorted({each.look for each in series}))
        places = np.unique(np.concatenate([each.x for each in series])) if series else np.zeros(0)
        gaps = np.diff(np.asarray(plot.x.share(places)) * box.w)
        narrow = float(gaps.min()) if len(gaps) else box.w * 0.6
        step = min(STEP, 0.72 * narrow / max(len(looks), 1)) if plot.wish.kind == "spread" else 0.0
        pad = 0.0 if plot.x.names else len(looks) * step / 2
        return cls(plot, box, looks, min(pad, box.w * 0.2), step, narrow)

    def __call__(self, values: Floats | float) -> Floats:
        """Pixels from the left."""
        inside = np.clip(np.asarray(self.plot.x.share(values)), 0.0, 1.0)
        found: Floats = self.box.x + self.pad + inside * (self.box.w - 2 * self.pad)
        return found

    def shift(self, look: int) -> float:
        """Return the distance of a series from the middle of a place."""
        return (self.looks.index(look) - (len(self.looks) - 1) / 2) * self.step


def frame_of(plot: Plot, panel: Panel, cross: Cross, across: tuple[float, ...], up: tuple[float, ...]) -> Frame:
    trails = tuple(_trail(plot, each, cross) for each in panel.series)
    bounds = tuple((look, cross(x), _height(plot, cross.box, y)) for look, x, y in panel.bounds)
    signs = tuple(sign for said in panel.said if (sign := _sign(plot, said, cross)) is not None)
    return Frame(cross.box, panel, trails, across, up, bounds, signs)


def _sign(plot: Plot, said: Said, cross: Cross) -> Sign | None:
    """Return the place of a published number; ``None`` if it has no place on a logarithmic axis."""
    spread_out = plot.wish.kind in DISTRIBUTIONS
    axis, mark = plot.x if spread_out else plot.y, said.mark
    if axis.log and any(end <= 0 for end in mark.ends):
        return None
    if plot.x.log and not spread_out and said.x is not None and said.x <= 0:
        return None

    def end(value: float) -> float | None:
        if not math.isfinite(value):
            return None
        return float(cross(value)) if spread_out else float(_height(plot, cross.box, np.array([value]))[0])

    x = None
    if said.x is not None:
        shift = cross.shift(said.look) if said.look in cross.looks else 0.0
        x = float(np.clip(cross(said.x) + shift, cross.box.x, cross.box.right))
    return Sign(said, x, end(mark.low), end(mark.high))


def _height(plot: Plot, box: Box, y: Floats) -> Floats:
    found: Floats = box.bottom - np.clip(np.asarray(plot.y.share(y)), 0.0, 1.0) * box.h
    return found


def _trail(plot: Plot, series: Series, across: Cross) -> Trail:
    box, shift, step = across.box, across.shift(series.look), across.step
    none = np.zeros(0)
    if plot.wish.kind in DISTRIBUTIONS:
        assert series.curve_x is not None and series.curve_y is not None
        y = _height(plot, box, series.curve_y)
        here = across(series.x)
        return Trail(series, across(series.curve_x), y, none, none, none, none, here,
                     _on_curve(plot, series, box), None, step)  # fmt: skip
    sums = [point.summary for point in series.points]
    x = np.clip(across(np.array([point.x for point in series.points])) + shift, box.x, box.right)
    mean = plot.wish.kind != "spread"

    def of(name: str) -> Floats:
        return _height(plot, box, np.array([getattr(each, name) for each in sums]))

    law = None
    if series.fit is not None:
        xs = np.exp(np.linspace(math.log(float(series.x[series.x > 0].min())), math.log(float(series.x.max())), 60))
        ys = np.exp(np.minimum(math.log(series.fit.factor) + series.fit.exponent * np.log(xs), MOST))
        inside = (ys >= plot.y.low) & (ys <= plot.y.high)
        law = (across(xs[inside]) + shift, _height(plot, box, ys[inside]))
    jitter = (series.rows * 0.6180339887498949) % 1.0 - 0.5
    room = step * 0.55 if plot.wish.kind == "spread" else min(10.0, across.narrow * 0.4)
    if plot.wish.kind == "runs" and len(series.points) == 0:
        room = 0.0
    dots = np.clip(across(series.x) + shift + jitter * room, box.x, box.right)
    return Trail(
        series, x, of("mean" if mean else "median"), of("q025"), of("q975"),
        of("low" if mean else "q25"), of("high" if mean else "q75"), dots, _height(plot, box, series.y), law, step,
    )  # fmt: skip


def _on_curve(plot: Plot, series: Series, box: Box) -> Floats:
    """Return the height of each run on the curve of its distribution."""
    assert series.curve_x is not None and series.curve_y is not None
    if plot.wish.kind == "histogram":
        bins = np.clip(np.searchsorted(series.curve_x, series.x, "right") - 1, 0, len(series.curve_y) - 1)
        return _height(plot, box, series.curve_y[bins])
    if plot.wish.kind == "ecdf":
        order = np.argsort(series.x, kind="stable")
        share = np.empty(len(series.x))
        share[order] = (np.arange(len(order)) + 0.5) / max(len(order), 1)
        return _height(plot, box, share)
    return _height(plot, box, np.interp(series.x, series.curve_x, series.curve_y))


def thinned(x: Floats, y: Floats, cell: float = 2.0) -> Rows:
    """Return the dots that are worth drawing: one of those that fall on the same few pixels."""
    if len(x) < 3000:
        return np.arange(len(x), dtype=np.int64)
    keys = np.floor(x / cell).astype(np.int64) * (1 << 24) + np.floor(y / cell).astype(np.int64)
    found: Rows = np.unique(keys, return_index=True)[1].astype(np.int64)
    return found
