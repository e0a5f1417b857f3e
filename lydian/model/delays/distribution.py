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
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lydian.model.errors import BadInput, shown
from lydian.model.streams import uniforms_at
from lydian.plugins import Registry

__all__ = [
    "FAMILIES",
    "MEAN",
    "TIME",
    "Argument",
    "Distribution",
    "Floats",
    "Keys",
    "as_array",
    "number",
    "tidy",
    "value_at",
]

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

LARGEST, SMALLEST = 1e12, 1e-12  # of a parameter that is not 0, so that no draw overflows
_STRIDE = np.uint64(64)  # draw j of a stream uses its values 64 j .. 64 j + 63


#: The unit of what is a length of time.
TIME = "time units"


@dataclass(frozen=True)
class Argument:
    """One number of a family, as it is written and as an editor asks for it.

    Attributes:
        name: as it is written: ``"mean"``.
        label: for people: "Mean".
        default: its value where nobody says another one.
        least: the smallest number allowed, itself included unless ``open``.
        open: whether the smallest number itself is not allowed.
        unit: what it is counted in: :data:`TIME`, or empty for a plain number.
        help: what it does.
    """

    name: str
    label: str
    default: float
    least: float = 0.0
    open: bool = False
    unit: str = TIME
    help: str = ""

    @property
    def allowed(self) -> str:
        """What may stand in its field, in words: "a number greater than 0"."""
        return f"a number greater than {number(self.least)}" if self.open else f"a number from {number(self.least)}"

    def checked(self, value: float) -> float:
        """The number if it is allowed.

        Raises:
            BadInput: it is not; the sentence says what is.
        """
        below = value <= self.least if self.open else value < self.least
        if math.isnan(value) or below or value > LARGEST or 0 < value < SMALLEST:
            raise BadInput(f"{self.label} must be {self.allowed}, not {number(value)}")
        return value


MEAN = Argument("mean", "Mean", 1.0, open=True, help="how long it takes on average")


@dataclass(frozen=True)
class Distribution(ABC):
    """Non-negative random numbers; each family is a class of its own.

    ``str(d)`` is the text that :func:`lydian.model.delays.parse` turns into an equal distribution.  The fields of a
    family's dataclass are its arguments, in the same order.

    Attributes:
        kind: how it is written: ``"lognormal"``.
        title: its name for people: "Log-normal".
        sentence: what it is good for, in a few words without a full stop.
        look: the distribution whose curve stands for the family, as it is written.
        arguments: its numbers in the order in which they are written; empty if it has a writing of its own.
        asked: the numbers that an editor asks for, if they are others.
        named: whether the arguments are written with their names.
        example: how it is written, with the defaults.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""
    sentence: ClassVar[str] = ""
    look: ClassVar[str] = ""
    arguments: ClassVar[tuple[Argument, ...]] = ()
    asked: ClassVar[tuple[Argument, ...]] = ()
    named: ClassVar[bool] = True
    example: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        cls.title = cls.title or cls.kind.capitalize()
        cls.asked = cls.asked or cls.arguments
        if cls.arguments:
            defaults = {each.name: each.default for each in cls.arguments}
            cls.example = f"{cls.kind}({_listed(defaults, cls.named)})"

    def __post_init__(self) -> None:
        for each, name in zip(self.arguments, self._fields, strict=True):
            self._need(name, each)

    @property
    def _fields(self) -> tuple[str, ...]:
        """The names of the fields that hold the arguments."""
        return tuple(f.name for f in fields(self) if f.compare)

    @property
    def parameters(self) -> dict[str, Any]:
        """Names and values of the arguments, in the order they are written."""
        names = [each.name for each in self.arguments] or self._fields
        return {name: getattr(self, own) for name, own in zip(names, self._fields, strict=True)}

    @property
    def answers(self) -> dict[str, float]:
        """The numbers that an editor shows, by the names of :attr:`asked`."""
        return self.parameters if self.arguments else {}

    @classmethod
    def answered(cls, numbers: Mapping[str, float]) -> Distribution:
        """The distribution that an editor's numbers mean; each is allowed.

        Raises:
            BadInput: they do not fit together.
        """
        return cls(*(numbers[each.name] for each in cls.asked))

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        """The one of this family with this mean (above 0) and, if possible, this deviation as a share of the mean."""
        return cls(*(each.default for each in cls.arguments)).with_mean(mean)

    def with_mean(self, mean: float) -> Distribution:
        """The same shape with another mean: every length of time is stretched; the mean now is not 0."""
        by = mean / float(self.mean)
        made = {}
        for each, name in zip(self.arguments, self._fields, strict=True):
            value = getattr(self, name)
            made[name] = mean if name == "mean" else tidy(value * by) if each.unit == TIME else value
        return replace(self, **made)

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

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        """Like :meth:`draws_at` before rounding, a new array; by way of the quantiles if a family has no better way."""
        return np.array(self.quantile(value_at(keys, numbers)), dtype=np.float64)

    @property
    def short(self) -> str:
        """The text for a narrow place: long lists of numbers are only counted."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.kind}({_listed(self.parameters, self.named)})"

    def _need(self, name: str, argument: Argument) -> None:
        """Refuses a parameter that is no finite number, out of its range, or too large or small to compute with."""
        value, word = getattr(self, name), argument.name
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise BadInput(f"{word} of {self.kind} must be a number, not {shown(value)}")
        if value != value or value < argument.least or (argument.open and value == argument.least):
            range_ = f"{'>' if argument.open else '>='} {number(argument.least)}"
            raise BadInput(f"{word} of {self.kind} must be {range_}, not {number(value)}")
        if abs(value) > LARGEST or 0 < abs(value) < SMALLEST:
            raise BadInput(f"{word} of {self.kind} must be between 1e-12 and 1e12, not {number(value)}")
        object.__setattr__(self, name, float(value))


def _listed(arguments: Mapping[str, float], named: bool) -> str:
    return ", ".join(f"{name}={number(value)}" if named else number(value) for name, value in arguments.items())


def number(value: float) -> str:
    """A number as it is written in a file: no ".0", otherwise every digit that counts."""
    try:
        text = repr(float(value))
    except OverflowError:  # a whole number of more than 300 digits
        return "inf"
    return text[:-2] if text.endswith(".0") else text


def tidy(value: float, digits: int = 6) -> float:
    """A number with that many digits that count."""
    return float(f"{value:.{digits}g}")


def value_at(keys: Keys, numbers: Keys, which: int = 0) -> Floats:
    """Uniform value number ``which`` (0..63) of each draw."""
    return uniforms_at(keys, numbers * _STRIDE + np.uint64(which))


def as_array(x: ArrayLike) -> Floats:
    return np.asarray(x, dtype=np.float64)


#: The families by name, in the order in which they are offered.
FAMILIES: Registry[type[Distribution]] = Registry("lydian.distributions", Distribution, key="kind")
