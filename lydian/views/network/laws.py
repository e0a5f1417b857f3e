"""The families of distributions as somebody edits them: what each is called, its numbers, and what they may be.

The language of :mod:`lydian.model.delays` writes ``lognormal(mean=3.5, sd=2.1)``; an editor asks for a mean of 3.5
and a spread of 0.6 of it, so that another mean keeps the shape.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from lydian.model.delays import (
    FAMILIES,
    Constant,
    Distribution,
    Empirical,
    Exponential,
    Gamma,
    LogNormal,
    Mixture,
    Normal,
    Pareto,
    Uniform,
    Weibull,
    number,
)
from lydian.model.errors import BadInput
from lydian.views.network.curves import sample

__all__ = ["TITLES", "Slot", "built", "in_family", "number_in", "shown_number", "slots", "tidy", "values", "with_mean"]

#: Family -> its name for people, in the order in which they are offered.
TITLES = {
    "constant": "Constant",
    "uniform": "Uniform",
    "exponential": "Exponential",
    "normal": "Normal",
    "lognormal": "Log-normal",
    "gamma": "Gamma",
    "pareto": "Pareto",
    "weibull": "Weibull",
    "empirical": "Measured",
    "mix": "Mixture",
}
#: The largest parameter, as in the model.
LARGEST = 1e12
#: The spread of a distribution whose family has none to take over, as a share of the mean.
SPREAD = 0.6


@dataclass(frozen=True)
class Slot:
    """One number of a family.

    Args:
        name: in the dictionaries of :func:`values` and :func:`built`.
        label: for people.
        unit: what it is counted in; empty for a plain number.
        least: the smallest number allowed, itself included unless ``open``.
        open: whether the smallest number itself is not allowed.
        largest: the largest number allowed.
        help: what it does.
    """

    name: str
    label: str
    unit: str = ""
    least: float = 0.0
    open: bool = False
    largest: float = LARGEST
    help: str = ""

    @property
    def allowed(self) -> str:
        """What may stand in the field, in words: "a number above 0"."""
        words = f"a number above {number(self.least)}" if self.open else f"a number from {number(self.least)} up"
        return words if self.largest == LARGEST else f"{words}, at most {number(self.largest)}"

    def checked(self, value: float) -> float:
        """The number if it is allowed.

        Raises:
            BadInput: it is not; the sentence says what is.
        """
        below = value <= self.least if self.open else value < self.least
        if math.isnan(value) or below or value > self.largest or 0 < value < 1e-12:
            raise BadInput(f"{self.label} is {self.allowed}, not {number(value)}")
        return value


TIME = "time units"
_MEAN = Slot("mean", "Mean", TIME, open=True, help="how long it takes on average")
_SLOTS: dict[str, tuple[Slot, ...]] = {
    "constant": (Slot("value", "Always", TIME, help="every message takes exactly so long"),),
    "uniform": (Slot("low", "Shortest", TIME), Slot("high", "Longest", TIME)),
    "exponential": (_MEAN,),
    "normal": (
        Slot("mean", "Mean", TIME, help="the middle of the bell, which is cut at 0"),
        Slot("sd", "Deviation", TIME, help="how wide the bell is"),
    ),
    "lognormal": (
        _MEAN,
        Slot("spread", "Spread (deviation ÷ mean)", help="0: always the mean; 1: as wide as the mean"),
    ),
    "gamma": (_MEAN, Slot("k", "Shape (1: exponential)", least=0.05, help="the larger, the closer to the mean")),
    "pareto": (
        _MEAN,
        Slot("a", "Tail (2: very heavy)", least=1.0, open=True, help="the closer to 1, the longer the longest"),
    ),
    "weibull": (_MEAN, Slot("k", "Shape (1: exponential)", least=0.05, help="below 1: a heavy tail")),
}


def slots(kind: str) -> tuple[Slot, ...]:
    """The numbers of a family, the mean first where it has one; none for measured ones and mixtures."""
    return _SLOTS.get(kind, ())


def values(law: Distribution) -> dict[str, float]:
    """The numbers of a distribution by the names of its slots."""
    found = {name: value for name, value in law.parameters.items() if isinstance(value, (int, float))}
    if isinstance(law, LogNormal):
        return {"mean": law.mean, "spread": tidy(law.sd / law.mean, 6)}
    return {slot.name: float(found[slot.name]) for slot in slots(law.kind)}


def built(kind: str, numbers: Mapping[str, float]) -> Distribution:
    """The distribution of a family with these numbers.

    Raises:
        BadInput: one is not allowed; the sentence says what is.
    """
    for slot in slots(kind):
        slot.checked(numbers[slot.name])
    if kind == "lognormal":
        return LogNormal(numbers["mean"], tidy(numbers["mean"] * numbers["spread"], 12))
    if kind == "uniform" and numbers["high"] < numbers["low"]:
        low, high = number(numbers["low"]), number(numbers["high"])
        raise BadInput(f"the shortest is at most the longest: {low} and {high} are the wrong way round")
    return FAMILIES[kind](*(numbers[slot.name] for slot in slots(kind)))


def with_mean(law: Distribution, mean: float) -> Distribution:
    """The same shape with another mean: all of it is stretched.

    Raises:
        BadInput: the family allows no such mean.
    """
    old = float(law.mean)
    if isinstance(law, Constant):
        return Constant(mean)
    if old <= 0:  # nothing but zeros: there is no shape to stretch
        return Uniform(mean, mean) if isinstance(law, Uniform) else Constant(mean)
    by = mean / old
    if isinstance(law, Exponential):
        return Exponential(mean)
    if isinstance(law, Uniform):
        return Uniform(tidy(law.low * by), tidy(law.high * by))
    if isinstance(law, Normal):
        return Normal(tidy(law.mu * by), tidy(law.sigma * by))
    if isinstance(law, LogNormal):
        return LogNormal(mean, tidy(law.sd * by))
    if isinstance(law, Gamma):
        return Gamma(mean, law.k)
    if isinstance(law, Pareto):
        return Pareto(mean, law.a)
    if isinstance(law, Weibull):
        return Weibull(mean, law.k)
    if isinstance(law, Empirical):
        return Empirical(tuple(tidy(value * by) for value in law.values))
    if isinstance(law, Mixture):
        return Mixture(tuple((weight, with_mean(part, part.mean * by)) for weight, part in law.parts))
    raise BadInput(f"the mean of {law.short} cannot be changed")


def in_family(law: Distribution, kind: str, spread: float = SPREAD) -> Distribution:
    """A distribution of another family as alike as it can be: the same mean, and the same deviation if possible.

    Args:
        law: the one to take over from.
        kind: the family.
        spread: deviation over mean where the law has none (constant) or no finite one.
    """
    if law.kind == kind:
        return law
    mean = tidy(max(float(law.mean), 0.0), 6)
    if kind == "constant":
        return Constant(mean)
    mean = mean or 1.0
    sd = float(law.sd)
    cv = min(max(sd / mean if 0 < sd < math.inf else spread, 1e-3), 20.0)
    if kind == "uniform":
        half = min(math.sqrt(3) * cv, 1.0) * mean
        return Uniform(tidy(mean - half, 4), tidy(mean + half, 4))
    if kind == "exponential":
        return Exponential(mean)
    if kind == "normal":
        return Normal(mean, tidy(cv * mean, 4))
    if kind == "lognormal":
        return LogNormal(mean, tidy(cv * mean, 4))
    if kind == "gamma":
        return Gamma(mean, max(tidy(1 / cv**2, 4), 0.05))
    if kind == "pareto":
        return Pareto(mean, tidy(1 + math.sqrt(1 + 1 / cv**2), 4))
    if kind == "weibull":
        return Weibull(mean, tidy(_weibull_shape(cv), 4))
    if kind == "empirical":
        return Empirical(tuple(tidy(value, 3) for value in sorted(sample(law, count=20).tolist())))
    if kind == "mix":
        return Mixture(((0.9, law), (0.1, Constant(tidy(5 * mean, 3)))))
    raise KeyError(kind)


def number_in(text: str) -> float:
    """The number that somebody typed; a comma may stand for the point.

    Raises:
        BadInput: it is none.
    """
    word = text.strip().replace("−", "-")
    if word.count(",") == 1 and "." not in word:
        word = word.replace(",", ".")
    try:
        value = float(word)
    except ValueError:
        raise BadInput(f"a number is needed, such as 1.5, not {word!r}" if word else "a number is needed") from None
    if not math.isfinite(value):
        raise BadInput(f"a finite number is needed, not {word!r}")
    return value


def tidy(value: float, digits: int = 6) -> float:
    """A number with that many digits that count."""
    return float(f"{value:.{digits}g}")


def shown_number(value: float) -> str:
    """A number for people: three digits after the point, none that say nothing, very large and small ones short."""
    if value == 0:
        return "0"
    if not 1e-3 <= abs(value) < 1e6:
        return f"{value:.3g}"
    places = 2 if abs(value) < 100 else 1
    return f"{value:.3g}" if abs(value) < 0.1 else f"{value:,.{places}f}"


def _weibull_shape(cv: float) -> float:
    """The shape of the Weibull distribution with that deviation over mean; found by halving."""
    low, high = 0.1, 100.0
    for _ in range(60):
        k = math.sqrt(low * high)
        log_ratio = math.lgamma(1 + 2 / k) - 2 * math.lgamma(1 + 1 / k)
        if math.expm1(min(log_ratio, 700.0)) > cv * cv:
            low = k
        else:
            high = k
    return high
