"""Distributions that consist of given numbers or of other distributions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from lydian.language import tr, trn
from lydian.model.delays.distribution import Distribution, Floats, Keys, as_array, number, tidy, value_at
from lydian.model.delays.families import Constant
from lydian.model.errors import BadInput, shown
from lydian.model.streams import derived

__all__ = ["MOST_NUMBERS", "Empirical", "Mixture"]

MOST_NUMBERS = 10_000  # in an empirical distribution
MOST_PARTS = 100  # in a mixture


@dataclass(frozen=True)
class Empirical(Distribution):
    """The distribution of equally likely numbers: ``empirical(1, 2, 2.5)`` or ``empirical(waits.txt)``.

    Its text lists the numbers, so that a copy does not depend on the file; ``source`` is the name of that file.
    """

    kind = "empirical"
    title = tr("Measured")
    sentence = tr("Measured times, from a file or typed in")
    look = "empirical(0.3, 0.5, 0.5, 0.6, 0.6, 0.6, 0.9, 1, 1, 1.3)"
    example = "empirical(1, 2, 2.5)"
    values: tuple[float, ...]
    source: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.values:
            raise BadInput("empirical must have at least one number, as in empirical(1, 2, 2.5)")
        if len(self.values) > MOST_NUMBERS:
            raise BadInput(f"empirical must have at most {MOST_NUMBERS} numbers, not {len(self.values)}")
        object.__setattr__(self, "values", tuple(Constant(v).value for v in self.values))

    def with_mean(self, mean: float) -> Distribution:
        by = mean / self.mean
        return Empirical(tuple(tidy(value * by) for value in self.values))

    @cached_property
    def _sorted(self) -> Floats:
        return np.sort(np.array(self.values))

    @property
    def mean(self) -> float:
        return math.fsum(self.values) / len(self.values)

    @property
    def sd(self) -> float:
        mean = self.mean
        return math.sqrt(math.fsum((v - mean) ** 2 for v in self.values) / len(self.values))

    @property
    def minimum(self) -> float:
        return min(self.values)

    @property
    def maximum(self) -> float:
        return max(self.values)

    def density(self, x: ArrayLike) -> Floats:
        return np.where(np.isin(as_array(x), self._sorted), np.inf, 0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.searchsorted(self._sorted, as_array(x), side="right") / len(self.values)

    def quantile(self, q: ArrayLike) -> Floats:
        place = np.ceil(as_array(q) * len(self.values)).astype(np.int64) - 1
        return self._sorted[np.clip(place, 0, len(self.values) - 1)]

    def _scale(self) -> float:
        return 0.0

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        place = (value_at(keys, numbers) * len(self.values)).astype(np.int64)
        return np.array(self.values)[np.minimum(place, len(self.values) - 1)]

    @property
    def short(self) -> str:
        if self.source is None and len(self.values) <= 6:
            return str(self)
        return f"empirical({self.source or trn('{count} number', '{count} numbers', len(self.values))})"

    def __str__(self) -> str:
        return f"empirical({', '.join(number(v) for v in self.values)})"


@dataclass(frozen=True)
class Mixture(Distribution):
    """A random choice between distributions: ``mix(0.9: constant(1), 0.1: exponential(mean=5))``.

    ``parts`` are pairs of a weight and a distribution; only the ratios of the weights matter, not their sum.
    """

    kind = "mix"
    title = tr("Mixture")
    sentence = tr("A weighted choice between distributions")
    look = "mix(0.55: normal(0.5, 0.13), 0.45: normal(1.25, 0.16))"
    example = "mix(0.9: constant(1), 0.1: exponential(mean=5))"
    parts: tuple[tuple[float, Distribution], ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.parts) <= MOST_PARTS:
            raise BadInput(f"mix must have 1 to {MOST_PARTS} parts, not {len(self.parts)}, as in {self.example}")
        for weight, part in self.parts:
            if not isinstance(part, Distribution):
                raise BadInput(f"the parts of mix must be distributions, not {shown(part)}")
            if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 1e-12 <= weight <= 1e12:
                raise BadInput(f"the weights of mix must be from 1e-12 to 1e12, not {shown(weight)}")
        object.__setattr__(self, "parts", tuple((float(weight), part) for weight, part in self.parts))

    def with_mean(self, mean: float) -> Distribution:
        by = mean / float(self.mean)
        return Mixture(
            tuple((weight, part.with_mean(part.mean * by) if part.mean > 0 else part) for weight, part in self.parts)
        )

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """The probability of each part."""
        total = math.fsum(weight for weight, _ in self.parts)
        return tuple(weight / total for weight, _ in self.parts)

    @property
    def mean(self) -> float:
        return math.fsum(s * part.mean for s, (_, part) in zip(self.shares, self.parts, strict=True))

    @property
    def sd(self) -> float:
        square = math.fsum(s * (p.sd**2 + p.mean**2) for s, (_, p) in zip(self.shares, self.parts, strict=True))
        return math.sqrt(max(0.0, square - self.mean**2))

    @property
    def minimum(self) -> float:
        return min(part.minimum for _, part in self.parts)

    @property
    def maximum(self) -> float:
        return max(part.maximum for _, part in self.parts)

    def density(self, x: ArrayLike) -> Floats:
        return sum((s * p.density(x) for s, (_, p) in zip(self.shares, self.parts, strict=True)), np.zeros(np.shape(x)))

    def cdf(self, x: ArrayLike) -> Floats:
        return sum((s * p.cdf(x) for s, (_, p) in zip(self.shares, self.parts, strict=True)), np.zeros(np.shape(x)))

    def _scale(self) -> float:
        return 0.0

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        limits = np.cumsum(self.shares)[:-1]
        choice = np.searchsorted(limits, value_at(derived(keys, 0), numbers), side="right")
        values = np.empty(keys.shape)
        for which, (_, part) in enumerate(self.parts):
            chosen = np.flatnonzero(choice == which)
            values[chosen] = part.draws_at(derived(keys[chosen], which + 1), numbers[chosen])
        return values

    def __str__(self) -> str:
        return f"mix({', '.join(f'{number(weight)}: {part}' for weight, part in self.parts)})"
