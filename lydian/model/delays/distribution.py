"""What all distributions of delays and of the time for a step have in common.

A distribution is a value: frozen, hashable, equal to another one with the same parameters.  It has no state; draw
number j of a stream depends on the stream's key and on j only (:mod:`lydian.model.streams`), so draws may be asked
for in any order and in blocks of any size.  The families are in :mod:`lydian.model.delays.families`, how they are
written in :mod:`lydian.model.delays`.

Lengths of time have no unit: they are in units of simulated time.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydian.model.errors import BadInput, shown
from lydian.model.streams import uniforms_at

__all__ = ["Distribution", "Floats", "Keys", "as_array", "number", "value_at"]

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

LARGEST, SMALLEST = 1e12, 1e-12  # of a parameter that is not 0, so that no draw overflows
_STRIDE = np.uint64(64)  # draw j of a stream uses its values 64 j .. 64 j + 63


@dataclass(frozen=True)
class Distribution(ABC):
    """Non-negative random numbers; each family has its own parameters.

    ``str(d)`` is the text that :func:`lydian.model.delays.parse` turns into an equal distribution.
    """

    kind: ClassVar[str] = ""
    example: ClassVar[str] = ""
    named: ClassVar[bool] = True  # written with the names of the parameters

    @property
    def parameters(self) -> dict[str, Any]:
        """Names and values of the parameters, in the order they are written."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.compare}

    if TYPE_CHECKING:  # a property here would become the default of the parameter ``mean`` of some families

        @property
        def mean(self) -> float:
            """The expected value."""

        @property
        def sd(self) -> float:
            """The standard deviation; infinite for pareto with a <= 2."""

    @property
    def minimum(self) -> float:
        """The largest number below which no draw lies."""
        return 0.0

    @abstractmethod
    def density(self, x: ArrayLike) -> Floats:
        """The probability density at x (any shape); infinite at values of positive probability."""

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Floats:
        """The probability that a draw is at most x (any shape)."""

    def quantile(self, q: ArrayLike) -> Floats:
        """The x below which a share q of the draws lies, 0 < q < 1 (any shape); found by halving."""
        share = np.atleast_1d(np.asarray(q, dtype=np.float64))
        low, high = np.full(share.shape, 0.0), np.full(share.shape, max(self.mean, SMALLEST))
        while (short := self.cdf(high) < share).any() and high.max() < 1e300:
            high = np.where(short, high * 2.0, high)
        for _ in range(1200):  # from the largest number to the smallest, and then all its digits
            middle = 0.5 * (low + high)
            below = self.cdf(middle) < share
            low, high = np.where(below, middle, low), np.where(below, high, middle)
            if np.all(high - low <= 1e-15 * high):
                break
        return np.where(self.cdf(0.0) >= share, 0.0, high).reshape(np.shape(q))

    def draws(self, keys: ArrayLike, first: int, count: int) -> Floats:
        """Draws ``first .. first + count - 1`` of each stream.

        Args:
            keys: of the streams, uint64 (k,).
            first: number of the first draw, from 0.
            count: how many of each stream.

        Returns:
            float64 (k, count): finite, at least 0, multiples of :attr:`quantum`.
        """
        key = np.atleast_1d(np.asarray(keys, dtype=np.uint64))
        numbers = np.uint64(first % 2**64) + np.arange(count, dtype=np.uint64)
        shape = (key.size, count)
        spread = np.broadcast_to(key[:, None], shape).ravel()
        return self.draws_at(spread, np.broadcast_to(numbers[None, :], shape).ravel()).reshape(shape)

    def draws_at(self, keys: Keys, numbers: Keys) -> Floats:
        """Draw number ``numbers[i]`` of stream ``keys[i]``; both uint64 (k,).  Returns float64 (k,)."""
        values = self._sample(keys, numbers)
        quantum = self.quantum
        if quantum:
            values /= quantum
            np.rint(values, out=values)
            values *= quantum
        return values

    @cached_property
    def quantum(self) -> float:
        """Draws are rounded to multiples of this: 2**-30 of the power of two at or below the mean.

        It keeps a last bit that differs between two machines out of an execution.  0: not rounded (constant,
        empirical and mixtures, whose parts are rounded by themselves).
        """
        scale = self._scale()
        return math.ldexp(1.0, math.frexp(scale)[1] - 1 - 30) if scale else 0.0

    def _scale(self) -> float:
        return self.mean

    @abstractmethod
    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        """Like :meth:`draws_at` before rounding; a new array."""

    @property
    def short(self) -> str:
        """The text for a narrow place: long lists of numbers are only counted."""
        return str(self)

    def __str__(self) -> str:
        pairs = self.parameters.items()
        inner = ", ".join(f"{name}={number(value)}" if self.named else number(value) for name, value in pairs)
        return f"{self.kind}({inner})"

    def _need(
        self, name: str, *, above: float | None = None, least: float | None = None, word: str | None = None
    ) -> None:
        """Refuses a parameter that is no finite number, out of its range, or too large or small to compute with."""
        value = getattr(self, name)
        word = word or name
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise BadInput(f"{self.kind} needs a number for {word}, not {shown(value)}")
        range_ = f"> {number(above)}" if above is not None else f">= {number(least or 0)}"
        if value != value or (above is not None and value <= above) or (least is not None and value < least):
            raise BadInput(f"{self.kind} needs {word} {range_}, not {number(value)}")
        if abs(value) > LARGEST or 0 < abs(value) < SMALLEST:
            raise BadInput(f"{self.kind} needs {word} between 1e-12 and 1e12, not {number(value)}")
        object.__setattr__(self, name, float(value))


def number(value: float) -> str:
    """A number as it is written in a file: no ".0", otherwise every digit that counts."""
    try:
        text = repr(float(value))
    except OverflowError:  # a whole number of more than 300 digits
        return "inf"
    return text[:-2] if text.endswith(".0") else text


def value_at(keys: Keys, numbers: Keys, which: int = 0) -> Floats:
    """Uniform value number ``which`` (0..63) of each draw."""
    return uniforms_at(keys, numbers * _STRIDE + np.uint64(which))


def as_array(x: ArrayLike) -> Floats:
    return np.asarray(x, dtype=np.float64)
