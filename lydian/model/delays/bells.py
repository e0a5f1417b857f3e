"""Families of distributions whose draws are derived from the normal distribution: normal, lognormal, gamma."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from lydian.language import tr
from lydian.model.delays.distribution import MEAN, Argument, Distribution, Floats, Keys, as_array, tidy, value_at
from lydian.model.delays.exactmath import exp, log, normal_quantile, power
from lydian.model.delays.families import Constant

__all__ = ["Gamma", "LogNormal", "Normal"]


@dataclass(frozen=True)
class Normal(Distribution):
    """``normal(1, 0.2)``: the mean and standard deviation of the whole bell, which is then cut at 0.

    A negative draw is repeated, so :attr:`mean` is above the parameter ``mu`` (and :attr:`sd` below ``sigma``),
    noticeably when much of the bell is negative: the mean of normal(1, 0.2) is 1.0000003, that of normal(1, 1) is 1.29.
    """

    kind = "normal"
    title = tr("Normal")
    sentence = tr("A bell around the mean, cut at 0")
    look = "normal(0.9, 0.25)"
    arguments = (
        Argument("mean", tr("Mean"), 1.0, help=tr("the centre of the bell, which is cut at 0")),
        Argument("sd", tr("Deviation"), 0.2, help=tr("the width of the bell")),
    )
    named = False
    mu: float
    sigma: float

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        return cls(mean, tidy(spread * mean, 4))

    @cached_property
    def _cut(self) -> tuple[float, float]:
        """The probability of the part below 0, and the ratio of the standard density at the cut to the part above."""
        if not self.sigma:
            return 0.0, 0.0
        at = -self.mu / self.sigma
        below = 0.5 * math.erfc(-at / math.sqrt(2))
        return below, math.exp(-0.5 * at * at) / math.sqrt(2 * math.pi) / (1 - below)

    @property
    def mean(self) -> float:
        return self.mu + self.sigma * self._cut[1]

    @property
    def sd(self) -> float:
        height = self._cut[1]
        at = -self.mu / self.sigma if self.sigma else 0.0
        return self.sigma * math.sqrt(max(0.0, 1 + at * height - height * height))

    def density(self, x: ArrayLike) -> Floats:
        if not self.sigma:
            return Constant(self.mu).density(x)
        z = (as_array(x) - self.mu) / self.sigma
        bell = np.exp(-0.5 * z * z) / (self.sigma * math.sqrt(2 * math.pi))
        return np.where(as_array(x) >= 0, bell / (1 - self._cut[0]), 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        if not self.sigma:
            return Constant(self.mu).cdf(x)
        below = self._cut[0]
        share = _bell_cdf((as_array(x) - self.mu) / self.sigma)
        return np.clip((share - below) / (1 - below), 0.0, 1.0)

    def _scale(self) -> float:
        return self.mu or self.sigma

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        below = self._cut[0]
        share = below + value_at(keys, numbers) * (1.0 - below)
        return np.maximum(self.mu + self.sigma * normal_quantile(np.minimum(share, 1.0 - 2.0**-53)), 0.0)


@dataclass(frozen=True)
class LogNormal(Distribution):
    """``lognormal(mean=1, sd=0.6)``, given by its own mean and standard deviation (not those of its logarithm)."""

    kind = "lognormal"
    title = tr("Log-normal")
    sentence = tr("A bell with a long tail: wide-area networks")
    look = "lognormal(mean=0.8, sd=0.45)"
    arguments = (MEAN, Argument("sd", tr("Deviation"), 0.6))
    asked = (
        MEAN,
        Argument(
            "spread",
            tr("Spread (deviation ÷ mean)"),
            0.6,
            unit="",
            help=tr("0: always the mean; 1: as wide as the mean"),
        ),
    )
    mean: float
    sd: float

    @property
    def answers(self) -> dict[str, float]:
        return {"mean": self.mean, "spread": tidy(self.sd / self.mean, 6)}

    @classmethod
    def answered(cls, numbers: Mapping[str, float]) -> Distribution:
        return cls(numbers["mean"], tidy(numbers["mean"] * numbers["spread"], 12))

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        return cls(mean, tidy(spread * mean, 4))

    @cached_property
    def _bell(self) -> tuple[float, float]:
        """The mean and standard deviation of the logarithm."""
        ratio = self.sd / self.mean
        variance = float(log(np.array([1.0 + ratio * ratio]))[0])
        return float(log(np.array([self.mean]))[0]) - variance / 2, math.sqrt(variance)

    def density(self, x: ArrayLike) -> Floats:
        mu, sigma = self._bell
        if not sigma:
            return Constant(self.mean).density(x)
        positive = np.maximum(as_array(x), 1e-300)
        z = (np.log(positive) - mu) / sigma
        return np.where(as_array(x) > 0, np.exp(-0.5 * z * z) / (positive * sigma * math.sqrt(2 * math.pi)), 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        mu, sigma = self._bell
        if not sigma:
            return Constant(self.mean).cdf(x)
        positive = np.maximum(as_array(x), 1e-300)
        return np.where(as_array(x) > 0, _bell_cdf((np.log(positive) - mu) / sigma), 0.0)

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        mu, sigma = self._bell
        if not sigma:
            return np.full(keys.shape, self.mean)
        return exp(mu + sigma * normal_quantile(value_at(keys, numbers)))


@dataclass(frozen=True)
class Gamma(Distribution):
    """``gamma(mean=1, k=4)``: k is the shape; if k is an integer, it is the sum of k exponential times.

    Draws use the rejection method of Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26
    (2000); at least 95 of 100 trials are accepted, and there are 30 trials.
    """

    kind = "gamma"
    title = tr("Gamma")
    sentence = tr("A sum of several waiting times")
    look = "gamma(mean=0.8, k=2)"
    arguments = (
        MEAN,
        Argument(
            "k", tr("Shape (1: exponential)"), 4.0, 0.05, unit="", help=tr("larger values are closer to the mean")
        ),
    )
    mean: float
    k: float

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        return cls(mean, max(tidy(1 / spread**2, 4), 0.05))

    @property
    def sd(self) -> float:
        return self.mean / math.sqrt(self.k)

    def density(self, x: ArrayLike) -> Floats:
        y = as_array(x) * (self.k / self.mean)
        positive = np.maximum(y, 1e-300)
        height = np.exp((self.k - 1) * np.log(positive) - positive - math.lgamma(self.k)) * (self.k / self.mean)
        return np.where(y > 0, height, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        share = _gamma_cdf(self.k, np.maximum(as_array(x), 0.0) * (self.k / self.mean))
        return np.where(as_array(x) > 0, share, 0.0)

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        d = (self.k if self.k >= 1 else self.k + 1) - 1.0 / 3.0
        c = 1.0 / math.sqrt(9.0 * d)
        values = np.full(keys.shape, d)
        open_ = np.arange(keys.size)
        for trial in range(30):
            x = normal_quantile(value_at(keys[open_], numbers[open_], 2 * trial))
            u = value_at(keys[open_], numbers[open_], 2 * trial + 1)
            v = 1.0 + c * x
            v = v * v * v
            possible = v > 0
            log_v = log(np.where(possible, v, 1.0))
            taken = possible & (log(u) < 0.5 * x * x + d * (1.0 - v + log_v))
            values[open_[taken]] = d * v[taken]
            open_ = open_[~taken]
            if not open_.size:
                break
        if self.k < 1:
            values *= power(value_at(keys, numbers, 63), 1.0 / self.k)
        return values * (self.mean / self.k)


def _bell_cdf(z: Floats) -> Floats:
    erfc = np.frompyfunc(math.erfc, 1, 1)
    return 0.5 * np.asarray(erfc(-z / math.sqrt(2)), dtype=np.float64)


def _gamma_cdf(k: float, x: Floats) -> Floats:
    """Compute the regularised lower incomplete gamma function: by its series below k + 1, by a continued fraction
    above."""
    x = np.asarray(x, dtype=np.float64)
    front = np.exp(k * np.log(np.maximum(x, 1e-300)) - x - math.lgamma(k))
    low = np.minimum(x, k + 1)
    term = total = np.full(x.shape, 1 / k)
    for j in range(1, 2000):
        term = term * low / (k + j)
        total = total + term
        if np.all(term <= 1e-16 * total):
            break
    high = np.maximum(x, k + 1)
    b = high + 1 - k
    c = np.full(x.shape, 1e300)
    d = 1 / b
    fraction = d
    for j in range(1, 2000):
        a = -j * (j - k)
        b = b + 2
        d = 1 / (a * d + b)
        c = b + a / c
        fraction = fraction * (c * d)
        if np.all(np.abs(c * d - 1) <= 1e-15):
            break
    return np.clip(np.where(x < k + 1, front * total, 1 - front * fraction), 0.0, 1.0)
