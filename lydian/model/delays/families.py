"""Families of distributions that are drawn by inverting their distribution function.

Each family has its mean as a parameter where possible, so that families can be exchanged without changing the average
duration. More families are in :mod:`lydian.model.delays.bells` and :mod:`lydian.model.delays.mixtures`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from lydian.language import tr
from lydian.model.delays.distribution import (
    MEAN,
    Argument,
    Distribution,
    Floats,
    Keys,
    as_array,
    number,
    tidy,
    value_at,
)
from lydian.model.delays.exactmath import log, power
from lydian.model.errors import BadInput

__all__ = ["Constant", "Exponential", "Pareto", "Uniform", "Weibull"]


@dataclass(frozen=True)
class Constant(Distribution):
    """A constant: ``constant(1)``, or just ``1``."""

    kind = "constant"
    title = tr("Constant")
    sentence = tr("Always the same time")
    look = "constant(0.7)"
    arguments = (Argument("value", tr("Always"), 1.0, help=tr("the time of every message")),)
    named = False
    value: float

    def with_mean(self, mean: float) -> Distribution:
        return Constant(mean)

    @property
    def mean(self) -> float:
        return self.value

    @property
    def sd(self) -> float:
        return 0.0

    @property
    def minimum(self) -> float:
        return self.value

    @property
    def maximum(self) -> float:
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
    """A uniform distribution between two numbers: ``uniform(0.5, 1.5)``."""

    kind = "uniform"
    title = tr("Uniform")
    sentence = tr("All times between two limits are equally likely")
    look = "uniform(0.4, 1.4)"
    arguments = (Argument("low", tr("Shortest"), 0.5), Argument("high", tr("Longest"), 1.5))
    named = False
    low: float
    high: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.high < self.low:
            raise BadInput(f"low of uniform must be at most high, not uniform({number(self.low)}, {number(self.high)})")

    @classmethod
    def answered(cls, numbers: Mapping[str, float]) -> Distribution:
        if numbers["high"] < numbers["low"]:
            low, high = number(numbers["low"]), number(numbers["high"])
            raise BadInput(
                tr("the shortest delay must be at most the longest: {low} is more than {high}", low=low, high=high)
            )
        return super().answered(numbers)

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        half = min(math.sqrt(3) * spread, 1.0) * mean
        return cls(tidy(mean - half, 4), tidy(mean + half, 4))

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def sd(self) -> float:
        return (self.high - self.low) / math.sqrt(12)

    @property
    def minimum(self) -> float:
        return self.low

    @property
    def maximum(self) -> float:
        return self.high

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
    """An exponential distribution, which has no memory: ``exponential(mean=1)``."""

    kind = "exponential"
    title = tr("Exponential")
    sentence = tr("No memory: many short times, few long ones")
    look = "exponential(mean=0.6)"
    arguments = (MEAN,)
    mean: float

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
    """``pareto(mean=1, a=2.5)``: a heavy tail, P(X > x) = (minimum / x)^a; a > 1, or it has no mean."""

    kind = "pareto"
    title = tr("Pareto")
    sentence = tr("A heavy tail: occasionally very long times")
    look = "pareto(mean=0.55, a=2.2)"
    arguments = (
        MEAN,
        Argument(
            "a",
            tr("Tail (2: very heavy)"),
            2.5,
            1.0,
            open=True,
            unit="",
            help=tr("the closer to 1, the longer the extremes"),
        ),
    )
    mean: float
    a: float

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        return cls(mean, tidy(1 + math.sqrt(1 + 1 / spread**2), 4))

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
    title = tr("Weibull")
    sentence = tr("From a heavy tail (k below 1) to a bell")
    look = "weibull(mean=0.9, k=2.6)"
    arguments = (
        MEAN,
        Argument("k", tr("Shape (1: exponential)"), 1.5, 0.05, unit="", help=tr("below 1: a heavy tail")),
    )
    mean: float
    k: float

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        """Find the shape by bisection."""
        low, high = 0.1, 100.0
        for _ in range(60):
            k = math.sqrt(low * high)
            log_ratio = math.lgamma(1 + 2 / k) - 2 * math.lgamma(1 + 1 / k)
            if math.expm1(min(log_ratio, 700.0)) > spread * spread:
                low = k
            else:
                high = k
        return cls(mean, tidy(high, 4))

    @cached_property
    def _stretch(self) -> float:
        return self.mean / math.gamma(1 + 1 / self.k)

    @property
    def sd(self) -> float:
        return self._stretch * math.sqrt(max(0.0, math.gamma(1 + 2 / self.k) - math.gamma(1 + 1 / self.k) ** 2))

    def density(self, x: ArrayLike) -> Floats:
        y = np.log(np.maximum(as_array(x) / self._stretch, 1e-300))  # a power of a large x would overflow
        height = self.k / self._stretch * np.exp((self.k - 1) * y - np.exp(np.minimum(self.k * y, 700.0)))
        return np.where(as_array(x) > 0, height, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        y = np.log(np.maximum(as_array(x) / self._stretch, 1e-300))
        return np.where(as_array(x) > 0, -np.expm1(-np.exp(np.minimum(self.k * y, 700.0))), 0.0)

    def quantile(self, q: ArrayLike) -> Floats:
        return self._stretch * (-np.log1p(-as_array(q))) ** (1 / self.k)

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        return self._stretch * power(-log(value_at(keys, numbers)), 1.0 / self.k)
