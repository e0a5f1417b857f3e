"""The common base of all distributions, of delays and of times for a step.

A distribution is a value: frozen, hashable, and equal to any other with the same parameters. It has no state; draw
number j of a stream depends only on the stream's key and on j (:mod:`lydian.model.streams`), so draws may be requested
in any order and in blocks of any size. The families are in :mod:`lydian.model.delays.families`, and their notation is
in :mod:`lydian.model.delays`.

Durations are in units of simulated time.
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

from lydian.language import tr
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

LARGEST, SMALLEST = 1e12, 1e-12  # the range of a parameter other than 0, so that no draw overflows
_STRIDE = np.uint64(64)  # draw j of a stream uses its values 64 j .. 64 j + 63


#: The unit of durations.
TIME = tr("time units")


@dataclass(frozen=True)
class Argument:
    """One parameter of a family, as it is written and as an editor asks for it.

    Attributes:
        name: its name in the notation: ``"mean"``.
        label: its label in forms: "Mean".
        default: its default value.
        least: the smallest permitted number, or the bound above which it must be if ``open``.
        open: whether ``least`` itself is excluded.
        unit: its unit: :data:`TIME`, or empty for a number without a unit.
        help: an explanation for the user.
    """

    name: str
    label: str
    default: float
    least: float = 0.0
    open: bool = False
    unit: str = TIME
    help: str = ""

    def checked(self, value: float) -> float:
        """Return the number if it is permitted.

        Raises:
            BadInput: it is not; the error says which numbers are.
        """
        below = value <= self.least if self.open else value < self.least
        if math.isnan(value) or below or value > LARGEST or 0 < value < SMALLEST:
            text = (
                tr("{label} must be a number greater than {least}, not {number}")
                if self.open
                else tr("{label} must be a number from {least}, not {number}")
            )
            raise BadInput(text.format(label=self.label, least=number(self.least), number=number(value)))
        return value


MEAN = Argument("mean", tr("Mean"), 1.0, open=True, help=tr("the average time"))


@dataclass(frozen=True)
class Distribution(ABC):
    """A distribution of non-negative random numbers; each family is a class of its own.

    ``str(d)`` is the text that :func:`lydian.model.delays.parse` converts to an equal distribution. The fields of a
    family's dataclass are its parameters, in the same order.

    Attributes:
        kind: its name in the notation: ``"lognormal"``.
        title: its name for users: "Log-normal".
        sentence: a short description without a full stop.
        look: the distribution whose curve represents the family, in the notation.
        arguments: its parameters in the order in which they are written; empty if it has a special notation.
        asked: the numbers that an editor asks for, if they differ from ``arguments``.
        named: whether the parameters are written with their names.
        example: the distribution with default values, in the notation.
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
        """The names of the fields that contain the parameters."""
        return tuple(f.name for f in fields(self) if f.compare)

    @property
    def parameters(self) -> dict[str, Any]:
        """The names and values of the parameters, in the order in which they are written."""
        names = [each.name for each in self.arguments] or self._fields
        return {name: getattr(self, own) for name, own in zip(names, self._fields, strict=True)}

    @property
    def answers(self) -> dict[str, float]:
        """The numbers that an editor shows, by the names in :attr:`asked`."""
        return self.parameters if self.arguments else {}

    @classmethod
    def answered(cls, numbers: Mapping[str, float]) -> Distribution:
        """Return the distribution for an editor's numbers, each of which is permitted.

        Raises:
            BadInput: the numbers contradict each other.
        """
        return cls(*(numbers[each.name] for each in cls.asked))

    @classmethod
    def like(cls, mean: float, spread: float) -> Distribution:
        """Return the distribution of this family with this mean (above 0) and, if possible, this ratio of deviation to
        mean."""
        return cls(*(each.default for each in cls.arguments)).with_mean(mean)

    def with_mean(self, mean: float) -> Distribution:
        """Return the distribution of the same shape with another mean: all durations are scaled. The mean must not be
        0."""
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
        """The largest lower bound of all draws."""
        return 0.0

    @property
    def maximum(self) -> float:
        """The smallest upper bound of all draws; infinite if there is none."""
        return math.inf

    @abstractmethod
    def density(self, x: ArrayLike) -> Floats:
        """Return the probability density at x (any shape); it is infinite at values of positive probability."""

    @abstractmethod
    def cdf(self, x: ArrayLike) -> Floats:
        """Return the probability that a draw is at most x (any shape)."""

    def quantile(self, q: ArrayLike) -> Floats:
        """Return the q-quantile of the draws, 0 < q < 1 (any shape); it is found by bisection."""
        share = np.atleast_1d(np.asarray(q, dtype=np.float64))
        low, high = np.full(share.shape, 0.0), np.full(share.shape, max(self.mean, SMALLEST))
        while (short := self.cdf(high) < share).any() and high.max() < 1e300:
            high = np.where(short, high * 2.0, high)
        for _ in range(1200):  # from the largest number to the smallest, and then all digits
            middle = 0.5 * (low + high)
            below = self.cdf(middle) < share
            low, high = np.where(below, middle, low), np.where(below, high, middle)
            if np.all(high - low <= 1e-15 * high):
                break
        return np.where(self.cdf(0.0) >= share, 0.0, high).reshape(np.shape(q))

    def draws(self, keys: ArrayLike, first: int, count: int) -> Floats:
        """Return draws ``first .. first + count - 1`` of each stream.

        Args:
            keys: the keys of the streams, uint64 (k,).
            first: the number of the first draw, from 0.
            count: the number of draws of each stream.

        Returns:
            float64 (k, count): finite, at least 0, multiples of :attr:`quantum`.
        """
        key = np.atleast_1d(np.asarray(keys, dtype=np.uint64))
        numbers = np.uint64(first % 2**64) + np.arange(count, dtype=np.uint64)
        shape = (key.size, count)
        spread = np.broadcast_to(key[:, None], shape).ravel()
        return self.draws_at(spread, np.broadcast_to(numbers[None, :], shape).ravel()).reshape(shape)

    def draws_at(self, keys: Keys, numbers: Keys) -> Floats:
        """Return draw number ``numbers[i]`` of stream ``keys[i]`` (both uint64 (k,)) as float64 (k,)."""
        values = self._sample(keys, numbers)
        quantum = self.quantum
        if quantum:
            values /= quantum
            np.rint(values, out=values)
            values *= quantum
        return values

    @cached_property
    def quantum(self) -> float:
        """The unit to which draws are rounded: 2**-30 times the largest power of two that is not above the mean.

        Rounding prevents a last bit that differs between two machines from influencing an execution. 0: draws are not
        rounded (constant, empirical, and mixtures, whose parts are rounded separately).
        """
        scale = self._scale()
        return math.ldexp(1.0, math.frexp(scale)[1] - 1 - 30) if scale else 0.0

    def _scale(self) -> float:
        return self.mean

    def _sample(self, keys: Keys, numbers: Keys) -> Floats:
        """Return the draws of :meth:`draws_at` before rounding, as a new array; by default, they are quantiles."""
        return np.array(self.quantile(value_at(keys, numbers)), dtype=np.float64)

    @property
    def short(self) -> str:
        """A short text, in which a long list of numbers is replaced by its length."""
        return str(self)

    def __str__(self) -> str:
        return f"{self.kind}({_listed(self.parameters, self.named)})"

    def _need(self, name: str, argument: Argument) -> None:
        """Refuse a parameter that is not a finite number, is out of range, or is too large or small for computing."""
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
    """Format a number for a file: with all significant digits, but without ".0"."""
    try:
        text = repr(float(value))
    except OverflowError:  # an integer of more than 300 digits
        return "inf"
    return text[:-2] if text.endswith(".0") else text


def tidy(value: float, digits: int = 6) -> float:
    """Round a number to this number of significant digits."""
    return float(f"{value:.{digits}g}")


def value_at(keys: Keys, numbers: Keys, which: int = 0) -> Floats:
    """Return uniform value number ``which`` (0..63) of each draw."""
    return uniforms_at(keys, numbers * _STRIDE + np.uint64(which))


def as_array(x: ArrayLike) -> Floats:
    return np.asarray(x, dtype=np.float64)


#: The families by name, in the order in which they are offered.
FAMILIES: Registry[type[Distribution]] = Registry("lydian.distributions", Distribution, key="kind")
