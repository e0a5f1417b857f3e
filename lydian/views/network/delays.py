"""Distributions in an editor: built from its numbers, with another mean, or in another family.

The language of :mod:`lydian.model.delays` writes ``lognormal(mean=3.5, sd=2.1)``; an editor asks for a mean of 3.5
and a spread of 0.6 of it, so that another mean keeps the shape.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from lydian.language import tr
from lydian.model.delays import FAMILIES, Constant, Distribution, Empirical, Mixture, Uniform
from lydian.model.delays.distribution import tidy
from lydian.model.errors import BadInput
from lydian.views.network.curves import sample

__all__ = ["built", "in_family", "number_in", "shown_number", "tidy", "with_mean"]

#: The spread of a distribution whose previous family has none, as a share of the mean.
SPREAD = 0.6


def built(kind: str, numbers: Mapping[str, float]) -> Distribution:
    """Return the distribution of a family with the numbers of an editor.

    Raises:
        BadInput: one is not allowed; the sentence says what is.
    """
    family = FAMILIES[kind]
    for each in family.asked:
        each.checked(numbers[each.name])
    return family.answered(numbers)


def with_mean(law: Distribution, mean: float) -> Distribution:
    """Return the same shape stretched to another mean.

    Raises:
        BadInput: the family allows no such mean.
    """
    if float(law.mean) <= 0:  # All values are zero, so there is no shape to stretch.
        return Uniform(mean, mean) if isinstance(law, Uniform) else Constant(mean)
    return law.with_mean(mean)


def in_family(law: Distribution, kind: str, spread: float = SPREAD) -> Distribution:
    """Return the most similar distribution of another family: with the same mean and, if possible, the same deviation.

    Args:
        law: the distribution to convert.
        kind: the family.
        spread: deviation over mean where the law has none (constant) or no finite one.
    """
    if law.kind == kind:
        return law
    mean = tidy(max(float(law.mean), 0.0), 6)
    if kind == "constant":
        return Constant(mean)
    if kind == "empirical":
        return Empirical(tuple(tidy(value, 3) for value in sorted(sample(law, count=20).tolist())))
    mean = mean or 1.0
    if kind == "mix":
        return Mixture(((0.9, law), (0.1, Constant(tidy(5 * mean, 3)))))
    sd = float(law.sd)
    return FAMILIES[kind].like(mean, min(max(sd / mean if 0 < sd < math.inf else spread, 1e-3), 20.0))


def number_in(text: str) -> float:
    """Return the number in a typed text; a comma may replace the decimal point.

    Raises:
        BadInput: it is none.
    """
    word = text.strip().replace("−", "-")
    if word.count(",") == 1 and "." not in word:
        word = word.replace(",", ".")
    try:
        value = float(word)
    except ValueError:
        if not word:
            raise BadInput(tr("must be a number such as 1.5")) from None
        raise BadInput(tr("must be a number such as 1.5, not {value}", value=repr(word))) from None
    if not math.isfinite(value):
        raise BadInput(tr("must be a finite number, not {value}", value=repr(word)))
    return value


def shown_number(value: float) -> str:
    """Return a number in readable form: up to three decimals without trailing zeros, large and small ones short."""
    if value == 0:
        return "0"
    if not 1e-3 <= abs(value) < 1e6:
        return f"{value:.3g}"
    places = 2 if abs(value) < 100 else 1
    return f"{value:.3g}" if abs(value) < 0.1 else f"{value:,.{places}f}"
