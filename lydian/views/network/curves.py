"""The curve of a distribution: its sampled density, its quantiles, and a sample of draws."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydian.model.delays import Constant, Distribution, Empirical, Gamma, LogNormal, Mixture, Normal, Pareto, Uniform
from lydian.model.streams import stream_key

__all__ = ["DRAWS", "SHARES", "Curve", "Numbers", "curve", "numbers", "reach", "sample", "ticks"]

Floats = NDArray[np.float64]

#: The number of draws that are shown.
DRAWS = 200
#: The shares whose quantiles are shown.
SHARES = (0.5, 0.9, 0.99)
#: The minimum number of different measured values that are shown as a histogram, not one by one.
MANY = 13
#: The largest numbers of values and bars that are shown one by one.
BARS = 24


@dataclass(frozen=True)
class Curve:
    """A density sampled for a picture.

    Args:
        x: where it is sampled, ascending, from 0 to ``upto``: float64 (k,).
        y: the density of the part without spikes: float64 (k,), finite.
        spikes: numbers of positive probability with it, ascending.
        upto: the end of the axis.
        top: the density at the top of the picture; a density that grows beyond all bounds is cut there.
        mean: the expected value.
    """

    x: Floats
    y: Floats
    spikes: tuple[tuple[float, float], ...]
    upto: float
    top: float
    mean: float

    @property
    def area(self) -> float:
        """The probability covered by the curve and its spikes: near 1, less the part beyond ``upto``."""
        shown = math.fsum(share for at, share in self.spikes if at <= self.upto)
        return float(np.sum((self.y[1:] + self.y[:-1]) * np.diff(self.x)) / 2) + shown

    def height(self, at: float) -> float:
        """Return the height of the mark at a number, as a share of the picture from 0 to 1."""
        spike = max((share for where, share in self.spikes if where == at), default=0.0)
        smooth = float(np.interp(at, self.x, self.y, right=0.0)) / self.top if self.top else 0.0
        return min(max(spike, smooth), 1.0)


@dataclass(frozen=True)
class Numbers:
    """The quantiles that are shown (half, 90 % and 99 % of the draws are below them) and the longest draw."""

    half: float
    most: float
    nearly: float
    longest: float


@dataclass(frozen=True)
class _Part:
    """A part without spikes: its weight, its density, and where it must be sampled closely."""

    weight: float
    density: Callable[[Floats], ArrayLike]
    jumps: tuple[float, ...]
    near: Floats


def curve(law: Distribution, upto: float | None = None, count: int = 240) -> Curve:
    """Return the sampled density of a distribution.

    Args:
        law: the distribution.
        upto: the end of the axis; without it one that shows nearly all of the distribution.
        count: in how many equal steps it is sampled, beside the places where it bends or jumps.
    """
    end = reach(law) if upto is None else upto
    parts, found = _taken_apart(law, 1.0)
    spikes: dict[float, float] = {}
    for at, share in found:
        spikes[at] = spikes.get(at, 0.0) + share
    points = [np.linspace(0.0, end, count + 1)]
    for part in parts:
        points.append(part.near)
        sides = np.array(part.jumps)
        points += [np.nextafter(sides, -np.inf), sides, np.nextafter(sides, np.inf)]
    x = np.unique(np.concatenate(points))
    x = x[(x >= 0.0) & (x <= end)]
    y = np.zeros(x.shape)
    for part in parts:
        y += part.weight * np.asarray(part.density(x), dtype=np.float64)
    y = np.where(np.isfinite(y), y, 0.0)
    away = y[x >= end / 50]
    highest, usual = float(y.max(initial=0.0)), float(away.max(initial=0.0))
    grows = usual > 0 and highest > 3 * usual
    return Curve(x, y, tuple(sorted(spikes.items())), end, usual * 1.15 if grows else highest, float(law.mean))


def reach(*laws: Distribution) -> float:
    """Return the end of an axis for these distributions: 0 to about where 99 % of the draws are."""
    ends = [1e-12]
    for law in laws:
        mean = float(law.mean)
        ends.append(min(max(_quantiles(law)[2] * 1.1, mean * 1.35), max(mean, 1e-12) * 8))
    end = max(ends)
    return 1.0 if end <= 1e-12 else end


def ticks(upto: float, most: int = 6) -> list[float]:
    """Return numbers from 0 to the end of an axis, in at most ``most`` (3 or more) steps of 1, 2 or 5 times a power of
    ten.
    """
    least = upto / most
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    return [number * step for number in range(int(upto / step * (1 + 1e-9)) + 1)]


def sample(law: Distribution, number: int = 0, count: int = DRAWS) -> Floats:
    """Return random numbers, float64 (count,): the same ones for the same number, others for another number."""
    found: Floats = law.draws([stream_key(number, "sample")], 0, count)[0]
    return found


def numbers(law: Distribution, draws: Floats) -> Numbers:
    """Return the quantiles of a distribution, and the longest of some draws of it."""
    return Numbers(*_quantiles(law), float(draws.max(initial=0.0)))


@functools.lru_cache(maxsize=256)
def _quantiles(law: Distribution) -> tuple[float, float, float]:
    """Return the quantiles for :data:`SHARES`. Those of gamma take 20 ms, so they are kept for each shape."""
    if isinstance(law, Gamma) and law.mean != 1.0:
        unit = _quantiles(Gamma(1.0, law.k))
        return unit[0] * law.mean, unit[1] * law.mean, unit[2] * law.mean
    half, most, nearly = np.ravel(law.quantile(np.array(SHARES))).tolist()
    return half, most, nearly


def _taken_apart(law: Distribution, weight: float) -> tuple[list[_Part], list[tuple[float, float]]]:
    """Return the parts of a distribution with a density, and its values of positive probability."""
    if isinstance(law, Mixture):
        parts: list[_Part] = []
        spikes: list[tuple[float, float]] = []
        for share, (_, inner) in zip(law.shares, law.parts, strict=True):
            more, found = _taken_apart(inner, weight * share)
            parts += more
            spikes += found
        return parts, spikes
    if isinstance(law, Empirical):
        return _measured(law, weight)
    always = (
        isinstance(law, Constant)
        or (isinstance(law, Uniform) and law.low == law.high)
        or (isinstance(law, (Normal, LogNormal)) and law.sd <= 1e-7 * law.mean)
    )
    if always:
        return [], [(float(law.mean), weight)]
    jumps = (law.low, law.high) if isinstance(law, Uniform) else (law.minimum,) if isinstance(law, Pareto) else ()
    scale = float(law.mean)
    near = np.concatenate((scale * np.geomspace(1e-9, 1.0, 120), law.minimum * np.geomspace(1.0, 3.0, 60)))
    if math.isfinite(law.sd):
        tail = np.geomspace(5.0, 50.0, 25)[1:]  # The axis of a mixture may be far too coarse for this part.
        near = np.concatenate((near, scale + law.sd * np.concatenate((np.linspace(-5.0, 5.0, 161), tail))))
    return [_Part(weight, law.density, jumps, near)], []


def _measured(law: Empirical, weight: float) -> tuple[list[_Part], list[tuple[float, float]]]:
    """Return the parts of measured values: few one by one, many as a histogram."""
    values, times = np.unique(np.array(law.values), return_counts=True)
    shares = times / len(law.values) * weight
    if values.size < MANY:
        return [], list(zip(values.tolist(), shares.tolist(), strict=True))
    bars = min(BARS, max(6, math.ceil(2 * len(law.values) ** (1 / 3))))
    low, high = float(values[0]), float(np.quantile(values, 0.995, method="higher"))
    edges = np.linspace(low, max(high, np.nextafter(low, np.inf)), bars + 1)
    counted, _ = np.histogram(values, bins=edges, weights=times)
    widths = np.diff(edges)
    if not np.all(widths > 0):  # All values are nearly equal.
        return [], [(float(law.mean), weight)]
    heights = np.concatenate(([0.0], counted / len(law.values) / widths, [0.0]))

    def density(x: Floats) -> Floats:
        found: Floats = heights[np.searchsorted(edges, x, side="right")]
        return found

    return [_Part(weight, density, tuple(edges.tolist()), np.empty(0))], []
