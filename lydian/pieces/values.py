"""The value of a variable at each process: as text below it, as a bar beside it, as a ring in the colour of a scale or
in the tint of a number.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lydian.pieces.channels import Channel, Known, Lookup, measure
from lydian.pieces.checks import one_of, scale_goes_up
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.views.network.scene import Floats, Scene
from lydian.views.time.axis import remember

__all__ = ["VALUES", "Levels", "Value", "ends"]

#: How a value is drawn: as text below the process, as a bar beside it, as a ring in the colour of a scale, or as a ring
#: in a tint that differs for neighbouring whole numbers.
VALUES = ("text", "bar", "colour", "tint")


@dataclass(frozen=True)
class Value:
    """The value of a variable at each process.

    Args:
        variable: its name; for a bar or a colour a number, or something with a size.
        style: one of :data:`VALUES`.
        low, high: the ends of the scale; by default 0, or the smallest value of the run if that is less, and the
            largest value of the run.
        word: what the legend calls it.
    """

    variable: str
    style: str = "text"
    low: float | None = None
    high: float | None = None
    word: str = ""

    def __post_init__(self) -> None:
        one_of("a value", "style", self.style, VALUES)
        scale_goes_up(self.low, self.high)


@dataclass(frozen=True, eq=False)
class Levels:
    """A value of each process, NaN for none, and the ends of its scale."""

    declared: Value
    value: Floats
    low: float
    high: float

    @property
    def share(self) -> Floats:
        """How far up the scale each value is, 0..1, NaN for none."""
        return np.clip((self.value - self.low) / (self.high - self.low), 0.0, 1.0)


def channels(known: Known, number: int, declared: Value) -> Iterator[Channel]:
    """Yield the number of each process; a text is in the line below it."""
    if declared.style != "text":
        yield Channel("number", "values", number, (declared.variable,), _number)


def _number(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> float:
    return measure(values[0])


def at(now: Moment, declared: Value) -> Levels | None:
    """Return its values now."""
    asked, number = now.asked, now.number(declared)
    if asked.channel("values", number) is None:
        return None

    def found() -> Levels:
        return Levels(declared, asked.numbers("values", number), *ends(now.scene)[number])

    levels: Levels = asked.kept(("values", number), found)
    return levels


def ends(scene: Scene) -> tuple[tuple[float, float], ...]:
    """Return the scale of each value that is a bar or a colour, in the order of the values; found once for a run."""
    return remember(scene.run, ("scales", id(scene)), lambda: (_ranges(scene), scene))[0]


def _ranges(scene: Scene) -> tuple[tuple[float, float], ...]:
    values = scene.animation.values
    asked = {v.variable for v in values if v.style != "text" and (v.low is None or v.high is None)}
    seen: dict[str, tuple[float, float]] = dict.fromkeys(asked, (0.0, 0.0))

    def see(name: str, value: Any) -> None:
        number = measure(value)
        if math.isfinite(number):
            seen[name] = min(seen[name][0], number), max(seen[name][1], number)

    for first in scene.run.details.first if asked else ():
        for name in asked & first.keys():
            see(name, first[name])
    for _, changed in scene.run.details.walk(only=asked) if asked else ():
        for name, value in changed.items():
            if name in asked:
                see(name, value)
    ends = []
    for value in values:
        low, high = seen.get(value.variable, (0.0, 1.0))
        low, high = low if value.low is None else value.low, high if value.high is None else value.high
        ends.append((float(low), float(high) if high > low else float(low) + 1.0))
    return tuple(ends)


def legend(seen: Occurring, number: int, declared: Value) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if declared.style != "text" and declared.variable in seen.run.variable_names:
        low, high = ends(seen.scene)[number]
        yield LegendItem.plain("value", number, f"{declared.word or declared.variable} {low:g}–{high:g}")


def page(tell: Teller, declared: Value) -> dict[str, Any]:
    """Return how the page draws it, and its scale."""
    low, high = ends(tell.scene)[tell.scene.animation.values.index(declared)]
    return {"style": declared.style, "low": low, "high": high}


register(Piece("value", Value, "values", None, channels=channels, at=at, legend=legend, page=page, wide=("value",),
               order=140,
               painter="lydian.app.painters.pieces.values.ValuePainter", script="player.values.js"))  # fmt: skip
