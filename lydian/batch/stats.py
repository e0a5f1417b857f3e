"""Statistics of plots, for numbers in memory; :mod:`lydian.batch.spark.summary` computes the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["Fit", "Summary", "density", "ecdf", "edges_for", "fit_power", "student", "summary"]

Floats = NDArray[np.float64]

#: Up to this many numbers, the density is computed from all of them.
_MOST = 5000
#: The number of steps in the cumulative share.
_STEPS = 2000


@dataclass(frozen=True)
class Summary:
    """A summary of some numbers.

    Args:
        count: how many.
        mean, low, high: the mean and the ends of its 95 % confidence interval (Student's t).
        least, q025, q25, median, q75, q975, most: least, quantiles, most.
    """

    count: int
    mean: float
    low: float
    high: float
    least: float
    q025: float
    q25: float
    median: float
    q75: float
    q975: float
    most: float


#: Logarithm of the largest factor of a power law: a steeper one is drawn and said as if it were this steep.
MOST = 700.0


@dataclass(frozen=True)
class Fit:
    """A power law y = factor * x ** exponent by least squares on the logarithms, with the exponent's standard error
    and half of its 95 % confidence interval."""

    exponent: float
    error: float
    half: float
    factor: float
    r2: float
    count: int


def summary(values: Floats) -> Summary | None:
    """Return the summary of finite numbers; ``None`` if there are none."""
    count = len(values)
    if not count:
        return None
    mean = float(values.mean())
    half = 0.0
    if count > 1:
        half = student(count - 1) * float(values.std(ddof=1)) / math.sqrt(count)
    least, *quantiles, most = np.quantile(values, (0, 0.025, 0.25, 0.5, 0.75, 0.975, 1)).tolist()
    q025, q25, median, q75, q975 = quantiles
    return Summary(count, mean, mean - half, mean + half, least, q025, q25, median, q75, q975, most)


def fit_power(x: Floats, y: Floats) -> Fit | None:
    """Return how y grows with x; pairs with a non-positive number are left out.

    ``None`` if fewer than three different x are left.
    """
    good = (x > 0) & (y > 0)
    lx, ly = np.log(x[good]), np.log(y[good])
    count = len(lx)
    if len(np.unique(lx)) < 3:
        return None
    dx, dy = lx - lx.mean(), ly - ly.mean()
    sxx, syy, sxy = float(dx @ dx), float(dy @ dy), float(dx @ dy)
    slope = sxy / sxx
    left = max(0.0, syy - slope * sxy)
    error = math.sqrt(left / (count - 2) / sxx)
    r2 = 1.0 if syy <= 0 else min(1.0, sxy * sxy / (sxx * syy))
    start = float(ly.mean()) - slope * float(lx.mean())
    return Fit(slope, error, student(count - 2) * error, math.exp(min(max(start, -MOST), MOST)), r2, count)


def ecdf(values: Floats) -> tuple[Floats, Floats]:
    """Return the steps of the cumulative share: x and share, both twice as long as there are different numbers.

    Of very many steps, about a thousand are returned, each of which is exact.
    """
    x, counts = np.unique(values, return_counts=True)
    share = np.cumsum(counts) / max(len(values), 1)
    if len(x) > _STEPS:
        kept = np.linspace(0, len(x) - 1, _STEPS).astype(np.int64)
        x, share = x[kept], share[kept]
    before = np.concatenate([[0.0], share[:-1]])
    return np.repeat(x, 2), np.column_stack([before, share]).ravel()


def density(values: Floats, low: float, high: float, points: int = 160) -> tuple[Floats, Floats]:
    """Return a smoothed density between two numbers: x and height.

    Normal kernels of Silverman's width (Density Estimation, 1986, equation 3.31), reflected at both ends, so that
    nothing is lost beyond them.
    """
    x = np.linspace(low, high, points)
    if len(values) > _MOST:  # Draw them evenly from the sorted numbers.
        values = np.sort(values)[np.linspace(0, len(values) - 1, _MOST).astype(np.int64)]
    q25, q75 = np.quantile(values, (0.25, 0.75))
    spread = float(values.std())
    if q75 > q25:
        spread = min(spread, float(q75 - q25) / 1.34)
    width = max(0.9 * spread * len(values) ** -0.2, (high - low) / points)
    found = np.zeros(points)
    for shifted in (values, 2 * low - values, 2 * high - values):
        near = shifted[(shifted > low - 4 * width) & (shifted < high + 4 * width)]
        found += np.exp(-0.5 * ((x[:, None] - near[None, :]) / width) ** 2).sum(axis=1)
    height: Floats = found / (len(values) * width * math.sqrt(2 * math.pi))
    return x, height


def edges_for(values: Floats, low: float, high: float) -> Floats:
    """Edges of the bins of a histogram from ``low`` to ``high``.

    Whole numbers that are few get a bin each, around them; else Freedman and Diaconis choose, 8 to 60 bins.
    """
    if not len(values) or not high > low:
        return np.array([low - 0.5, low + 0.5])
    if high - low <= 40 and bool(np.all(values == np.round(values))):
        return np.arange(math.floor(low), math.ceil(high) + 2, dtype=np.float64) - 0.5
    q25, q75 = np.quantile(values, (0.25, 0.75))
    width = 2.0 * float(q75 - q25) / len(values) ** (1 / 3)
    bins = 20 if width <= 0 else round((high - low) / width)
    edges: Floats = np.linspace(low, high, min(max(bins, 8), 60) + 1)
    return edges


@cache
def student(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Abramowitz and Stegun, 26.7.3 to 26.7.5); 0 without freedom."""
    if freedom <= 0:
        return 0.0
    if freedom > 500:
        z = NormalDist().inv_cdf(0.975)
        far = (z**3 + z) / 4 / freedom + (5 * z**5 + 16 * z**3 + 3 * z) / 96 / freedom**2
        return z + far + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / freedom**3
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom) < 0.95 else (low, angle)
    return math.sqrt(freedom) * math.tan(low)


def _within(angle: float, freedom: int) -> float:
    """Return the probability that |t| is at most sqrt(freedom) * tan(angle)."""
    odd, square = freedom % 2, math.cos(angle) ** 2
    term = total = (math.cos(angle) if odd else 1.0) if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    total *= math.sin(angle)
    return 2 / math.pi * (angle + total) if odd else total
