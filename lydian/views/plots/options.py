"""The options of a plot, and sensible defaults."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.views.plots.data import Results

__all__ = ["DISTRIBUTIONS", "KINDS", "MOST_PANELS", "MOST_PLACES", "MOST_SERIES", "Wish", "checked", "sensible"]

#: Kinds of plot, in words.
KINDS = {
    "spread": tr("median and spread"),
    "mean": tr("mean and 95 % interval"),
    "runs": tr("every run"),
    "histogram": tr("histogram"),
    "density": tr("density"),
    "ecdf": tr("share of runs up to"),
}
DISTRIBUTIONS = ("histogram", "density", "ecdf")
#: The largest number of series and small multiples; the note mentions further ones.
MOST_SERIES, MOST_PANELS = 12, 16
#: With this many different x, runs are not grouped.
MOST_PLACES = 40


@dataclass(frozen=True)
class Wish:
    """The options of a plot.

    Args:
        y: the measure.
        x: the quantity along x; empty in distributions.
        by, over: what makes the series, and the small multiples; empty for one.
        kind: one of :data:`KINDS`.
        log_x, log_y: whether the axes are logarithmic; ``None`` for what fits the numbers.
        formula: whether the number of messages that the protocol's formula expects is drawn in.
        fit: whether a power law is drawn in.
    """

    y: str
    x: str = ""
    by: str = ""
    over: str = ""
    kind: str = "spread"
    log_x: bool | None = None
    log_y: bool | None = None
    formula: bool = True
    fit: bool = False


def sensible(results: Results) -> Wish:
    """Return a sensible first plot: the first measure against the first varied number, the rest as series."""

    def several(name: str, most: int = 10**9) -> bool:
        return name in results.variables and 2 <= len(results.levels(name)[0]) <= most

    y = results.measures[0] if results.measures else "messages"
    varied = [each for each in results.varied if several(each.name)]
    x = next((each.name for each in varied if each.numeric), "")
    if several("corrupted") and "stabilised" in results.measures:
        y, x = "stabilised", "corrupted"
    if not x and several("processes") and len(results.levels("processes")[0]) >= 3:
        x = "processes"
    if not x:
        x = next((each.name for each in varied), "")
    rest = [each for each in varied if each.name != x and not each.drawn]
    if x in results.numbers:  # A column that determines x is not a series.
        rest = [each for each in rest if not _decides(results, each.name, x)]
    # Nor is a column that follows from x or from another: a network of n processes, or values varied together.
    told = [x]
    for each in list(rest):
        if any(_follows(results, each.name, name) for name in told if name):
            rest.remove(each)
        else:
            told.append(each.name)
    networks = [each for each in rest if each.field == "network" and several(each.name, MOST_PANELS)]
    by = next((each.name for each in reversed(rest) if several(each.name, 6) and each not in networks), "")
    if not by and networks and several(networks[0].name, 6):
        by, networks = networks[0].name, []
    left = [*networks, *(each for each in rest if each.name != by)]
    over = next((each.name for each in left if each.name != by and several(each.name, MOST_PANELS)), "")
    if not x:
        return Wish(y, "", by, over, "histogram")
    many = len(results.levels(x)[0]) > MOST_PLACES
    return Wish(y, x, by, over, "runs" if many else "mean" if _yes_or_no(results.numbers[y]) else "spread")


def _follows(results: Results, name: str, other: str) -> bool:
    """Return True if each value of another column goes with only one value of this one, as n with a network of n."""
    codes, others = results.levels(name)[1], results.levels(other)[1]
    good = (codes >= 0) & (others >= 0)
    pairs = np.unique(np.column_stack([codes[good], others[good]]), axis=0)
    return len(pairs) > 1 and len(pairs) == len(np.unique(pairs[:, 1]))


def _yes_or_no(values: Any) -> bool:
    """Return True if all numbers are 0 or 1, so that their mean is a share and their median is uninformative."""
    return set(np.unique(values[np.isfinite(values)]).tolist()) == {0.0, 1.0}


def checked(results: Results, wish: Wish) -> Wish:
    """Return the wish with the columns of its measures, which are named as in the sweep's file.

    Raises:
        BadInput: there is no such kind or column.
    """
    if wish.kind not in KINDS:
        raise BadInput(
            tr(
                "unknown kind of plot {kind}{hint}; choose from {names}",
                kind=shown(wish.kind),
                hint=did_you_mean(wish.kind, KINDS),
                names=", ".join(KINDS),
            )
        )
    named = results.columns
    wish = replace(wish, y=named.get(wish.y, wish.y), x=named.get(wish.x, wish.x))
    results.measure(wish.y)
    for name in (wish.x, wish.by, wish.over):
        if name:
            results.variable(name)
    if not wish.x and wish.kind not in DISTRIBUTIONS:
        raise BadInput(tr("a plot of kind {kind} must have an x axis", kind=wish.kind))
    return wish


def _decides(results: Results, name: str, x: str) -> bool:
    """Return whether every value of a column goes with one value of x only, as the size of a ring with its
    processes.
    """
    _values, codes = results.levels(name)
    numbers: Any = results.numbers[x]
    good = (codes >= 0) & np.isfinite(numbers)
    pairs = np.unique(np.column_stack([codes[good], numbers[good]]), axis=0)
    return len(pairs) > 1 and len(pairs) == len(np.unique(pairs[:, 0]))
