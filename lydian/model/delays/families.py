"""Families of distributions that are drawn by turning their distribution function round.

Each family is given by its mean where that is possible, so that families can be exchanged without changing how
long things take on average.  More families are in :mod:`lydian.model.delays.bells` and
:mod:`lydian.model.delays.mixtures`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from lydian.model.delays.distribution import Distribution, Floats, Keys, as_array, number, value_at
from lydian.model.delays.exactmath import log, power
from lydian.model.errors import BadInput

__all__ = ["Constant", "Exponential", "Pareto", "Uniform", "Weibull"]


@dataclass(frozen=True)
class Constant(Distribution):
    """Always the same: ``constant(1)``, or just ``1``."""

    kind = "constant"
    example = "constant(1)"
    named = False
    value: float

    def __post_init__(self) -> None:
        self._need("value", least=0)

    @property
    def mean(self) -> float:
        return self.value

    @property
    def sd(self) -> float:
        return 0.0

    @property
    def minimum(self) -> float:
        return self.value

    def density(self, x: ArrayLike) -> Floats:
        return np.where(as_array(x) == self.value, np.inf, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.where(as_array(x) >= self.value, 1.0, 0.0)

    def quantile(self, q: ArrayLike) -> Floats:
        return np.full(np.shape(q), self.value)

    def _scale(self) -> float:
        return 0.0

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        return np.full(keys.shape, self.value)


@dataclass(frozen=True)
class Uniform(Distribution):
    """Evenly between two numbers: ``uniform(0.5, 1.5)``."""

    kind = "uniform"
    example = "uniform(0.5, 1.5)"
    named = False
    low: float
    high: float

    def __post_init__(self) -> None:
        self._need("low", least=0)
        self._need("high", least=0)
        if self.high < self.low:
            raise BadInput(f"uniform needs low <= high, not uniform({number(self.low)}, {number(self.high)})")

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def sd(self) -> float:
        return (self.high - self.low) / math.sqrt(12)

    @property
    def minimum(self) -> float:
        return self.low

    def density(self, x: ArrayLike) -> Floats:
        width = self.high - self.low
        inside = (as_array(x) >= self.low) & (as_array(x) <= self.high)
        return np.where(inside, 1 / width if width else np.inf, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        width = self.high - self.low
        if not width:
            return np.where(as_array(x) >= self.low, 1.0, 0.0)
        return np.clip((as_array(x) - self.low) / width, 0.0, 1.0)

    def quantile(self, q: ArrayLike) -> Floats:
        return self.low + as_array(q) * (self.high - self.low)

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        return self.low + value_at(keys, numbers) * (self.high - self.low)


@dataclass(frozen=True)
class Exponential(Distribution):
    """Without memory: ``exponential(mean=1)``."""

    kind = "exponential"
    example = "exponential(mean=1)"
    mean: float

    def __post_init__(self) -> None:
        self._need("mean", above=0)

    @property
    def sd(self) -> float:
        return self.mean

    def density(self, x: ArrayLike) -> Floats:
        return np.where(as_array(x) >= 0, np.exp(-np.maximum(as_array(x), 0) / self.mean) / self.mean, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        return -np.expm1(-np.maximum(as_array(x), 0.0) / self.mean)

    def quantile(self, q: ArrayLike) -> Floats:
        return -self.mean * np.log1p(-as_array(q))

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        return log(value_at(keys, numbers)) * -self.mean


@dataclass(frozen=True)
class Pareto(Distribution):
    """``pareto(mean=1, a=2.5)``: a heavy tail, P(X > x) = (minimum / x)^a; a > 1, else there is no mean."""

    kind = "pareto"
    example = "pareto(mean=1, a=2.5)"
    mean: float
    a: float

    def __post_init__(self) -> None:
        self._need("mean", above=0)
        self._need("a", above=1)

    @property
    def sd(self) -> float:
        return math.inf if self.a <= 2 else self.minimum * math.sqrt(self.a / (self.a - 2)) / (self.a - 1)

    @property
    def minimum(self) -> float:
        return self.mean * (self.a - 1) / self.a

    def density(self, x: ArrayLike) -> Floats:
        y = np.maximum(as_array(x), self.minimum)
        return np.where(as_array(x) >= self.minimum, self.a / y * (self.minimum / y) ** self.a, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        return -np.expm1(self.a * np.log(self.minimum / np.maximum(as_array(x), self.minimum)))

    def quantile(self, q: ArrayLike) -> Floats:
        return self.minimum * (1 - as_array(q)) ** (-1 / self.a)

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        return self.minimum * power(value_at(keys, numbers), -1.0 / self.a)


@dataclass(frozen=True)
class Weibull(Distribution):
    """``weibull(mean=1, k=1.5)``: k is the shape; k < 1 has a heavy tail, k = 1 is exponential."""

    kind = "weibull"
    example = "weibull(mean=1, k=1.5)"
    mean: float
    k: float

    def __post_init__(self) -> None:
        self._need("mean", above=0)
        self._need("k", least=0.05)

    @cached_property
    def _stretch(self) -> float:
        return self.mean / math.gamma(1 + 1 / self.k)

    @property
    def sd(self) -> float:
        return self._stretch * math.sqrt(max(0.0, math.gamma(1 + 2 / self.k) - math.gamma(1 + 1 / self.k) ** 2))

    def density(self, x: ArrayLike) -> Floats:
        y = np.log(np.maximum(as_array(x) / self._stretch, 1e-300))  # a power of a far x would overflow
        height = self.k / self._stretch * np.exp((self.k - 1) * y - np.exp(np.minimum(self.k * y, 700.0)))
        return np.where(as_array(x) > 0, height, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        y = np.log(np.maximum(as_array(x) / self._stretch, 1e-300))
        return np.where(as_array(x) > 0, -np.expm1(-np.exp(np.minimum(self.k * y, 700.0))), 0.0)

    def quantile(self, q: ArrayLike) -> Floats:
        return self._stretch * (-np.log1p(-as_array(q))) ** (1 / self.k)

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        return self._stretch * power(-log(value_at(keys, numbers)), 1.0 / self.k)
