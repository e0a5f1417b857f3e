"""Axes of plots: linear, logarithmic or categorical, with round ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.views.time.axis import nice_step

__all__ = ["Axis", "axis_of", "number_text", "places_axis"]

Floats = NDArray[np.float64]

#: Numbers closer than this are equal; smaller differences are lost to rounding.
_LEAST = 1e-290


@dataclass(frozen=True)
class Axis:
    """An axis.

    Args:
        words: what is measured along it.
        low, high: its ends, low < high; of places, -0.5 and their number - 0.5.
        log: whether it is logarithmic.
        names: of places, their names.
        marks: the numbers that occur, if they are few; there are ticks at them.
        whole: whether only whole numbers occur.
    """

    words: str
    low: float
    high: float
    log: bool = False
    names: tuple[str, ...] = ()
    marks: tuple[float, ...] = ()
    whole: bool = False

    def share(self, values: Any) -> Any:
        """Return the positions of numbers between the ends: 0 to 1, or beyond."""
        if self.log:
            safe = np.maximum(np.asarray(values, dtype=np.float64), 1e-300)
            return (np.log(safe) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return (np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low)

    def value(self, share: float) -> float:
        """Return the number at a share of the axis."""
        if self.log:
            return float(math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low))))
        return self.low + share * (self.high - self.low)

    def ticks(self, count: int) -> list[tuple[float, str]]:
        """Return at most about ``count`` round numbers between the ends with their texts, or all categories' names."""
        if self.names:
            return [(float(i), name) for i, name in enumerate(self.names)]
        if self.marks and len(self.marks) <= max(count, 2) + 4:
            return [(value, number_text(value)) for value in self.marks]
        found = self._log_ticks(count) if self.log else []
        if len(found) < 2:
            found = self._linear_ticks(count)
        return [(value, number_text(value)) for value in found]

    def _linear_ticks(self, count: int) -> list[float]:
        step = nice_step(self.high - self.low, max(count, 1))
        if self.whole:
            step = max(1.0, step)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        found = [float(f"{step * i:.12g}") for i in range(first, last + 1)]
        return [value for value in found if self.low <= value <= self.high and (value > 0 or not self.log)]

    def _log_ticks(self, count: int) -> list[float]:
        low, high = math.floor(math.log10(self.low) - 1e-9), math.ceil(math.log10(self.high) + 1e-9)
        for steps, every in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 3), ((1,), 5), ((1,), 10)):
            all_of = [float(f"{s}e{power}") for power in range(low, high + 1, every) for s in steps]
            found = [value for value in all_of if self.low <= value <= self.high]
            if len(found) <= max(count, 2):
                return found
        return found[:: math.ceil(len(found) / max(count, 2))]


def axis_of(
    words: str, values: Floats, *, log: bool = False, marks: Sequence[float] = (), zero: bool = False, air: float = 0.04
) -> Axis:
    """Return the axis for some numbers with a small margin at both ends; numbers that are not finite are ignored.

    Args:
        log: logarithmic, if all numbers are positive; else it is not.
        marks: the places of ticks.
        zero: whether a linear axis begins at 0, if no number is below.
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return Axis(words, 0.0, 1.0)
    low, high = float(known.min()), float(known.max())
    whole = bool(np.all(known == np.round(known))) and high < 1e12
    if log and low > 1e-200:
        factor = (high / low) ** air if high > low else 2.0
        factor = max(factor, 1.02)
        return Axis(words, low / factor, high * factor, True, marks=tuple(marks), whole=whole)
    if high - low < _LEAST:
        room = abs(low) * 0.5 if abs(low) > _LEAST else 1.0
        low, high = (low - room, high + room) if not zero or low < 0 else (0.0, max(high * 1.5, 1.0))
        return Axis(words, low, high, marks=tuple(marks), whole=whole)
    room = (high - low) * air
    bottom = low - room
    if zero and low >= 0:
        bottom = -room if marks else 0.0
    return Axis(words, bottom, high + room, marks=tuple(marks), whole=whole)


def places_axis(words: str, names: Sequence[str]) -> Axis:
    """Return a categorical axis."""
    return Axis(words, -0.5, max(len(names), 1) - 0.5, names=tuple(names))


def number_text(value: float) -> str:
    """Return a number of an axis or a table in few letters: ``0.25``, ``12,000``, ``2.5 M``; at most four digits
    tell.
    """
    size = abs(value)
    if size == 0 or not math.isfinite(value):
        return "0" if size == 0 else str(value)
    for least, unit in ((1e15, ""), (1e9, "G"), (1e6, "M")):
        if size >= least:
            return f"{value:.3g}" if not unit else f"{value / least:.4g} {unit}"
    if size < 1e-4:
        return f"{value:.3g}"
    if float(value).is_integer():
        return f"{value:,.0f}"
    if size >= 1000:
        return f"{value:,.1f}"
    return f"{value:.4g}"
