"""Published numbers beside the results of a sweep: their positions in a plot, and the results of the runs there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.batch.stats import Summary, summary
from lydian.batch.sweep.published import Mark
from lydian.language import tr, trc
from lydian.views.plots.data import NO, YES, Results
from lydian.views.plots.options import DISTRIBUTIONS, Wish
from lydian.views.plots.scale import number_text

__all__ = [
    "HEAD", "NUMERIC", "Beside", "Compared", "Said", "beside", "compared", "said_in", "table_of_published", "told",
]  # fmt: skip

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Said:
    """A published number in a panel.

    Args:
        look: the look of the series that it is about; -1 for all.
        x: its place along x; ``None`` if it holds everywhere. In distributions it always holds everywhere.
        mark: the number.
        here: the results of the runs there; ``None`` if there are none.
    """

    look: int
    x: float | None
    mark: Mark
    here: Summary | None


@dataclass(frozen=True)
class Compared:
    """A published number and the runs for which it holds; ``here`` is ``None`` if there are none."""

    mark: Mark
    words: str
    here: Summary | None

    @property
    def apart(self) -> float | None:
        """The distance of the runs' mean from the number, or from the nearer end of the range, as a share of it."""
        return None if self.here is None else beyond(self.mark, self.here.mean)


@dataclass(frozen=True, eq=False)
class Beside:
    """The part of a plot with which a published number is compared: the wish, and the panel and the series of each row.

    Args:
        kept: (k,) which rows are drawn.
        x: (k,) their places; ``names_x`` are the names of the places if x is a text.
        by, over: (k,) number of the series and of the panel, -1 for none.
    """

    wish: Wish
    kept: Bools
    x: Floats
    names_x: Sequence[str]
    by: Rows
    over: Rows


def beyond(mark: Mark, value: float) -> float | None:
    """Return how far a value is outside the published range, as a share of the nearer end: 0 inside;
    ``None`` if that end is 0.
    """
    if mark.low <= value <= mark.high:
        return 0.0
    end = mark.low if value < mark.low else mark.high
    if math.isclose(value, end, rel_tol=1e-9):  # A mean has rounding errors.
        return 0.0
    return None if end == 0 else (value - end) / abs(end)


def told(mark: Mark) -> str:
    """Return the number in words: ``72``, ``at least 75``, ``1 to 2``."""
    if mark.low == mark.high:
        return number_text(mark.low)
    if not math.isfinite(mark.high):
        return tr("at least {number}", number=number_text(mark.low))
    if not math.isfinite(mark.low):
        return tr("at most {number}", number=number_text(mark.high))
    return tr("{low} to {high}", low=number_text(mark.low), high=number_text(mark.high))


def compared(results: Results) -> list[Compared]:
    """Return all published numbers with the runs for which they hold, in the order of the sweep."""
    return [Compared(mark, results.variable(mark.measure).words, _summed(results, mark.measure, _holds(results, mark)))
            for mark in results.published]  # fmt: skip


#: The columns of the table that compares published numbers with the runs, and which of them are numbers.
HEAD = (
    trc("noun", "Measure"),
    tr("Where"),
    tr("Published"),
    tr("Here"),
    tr("95 % interval"),
    tr("Apart"),
    tr("Source"),
)
NUMERIC = (False, False, True, True, True, True, False)


def table_of_published(results: Results) -> list[list[str]]:
    """Return published numbers and results in words, in the columns of :data:`HEAD`; an unnamed source is empty."""
    rows = []
    for each in compared(results):
        here, apart = each.here, each.apart
        rows.append(
            [
                each.words,
                _at(each.mark),
                told(each.mark),
                "" if here is None else number_text(_short(here.mean)),
                ""
                if here is None or here.low == here.high
                else tr("{low} to {high}", low=number_text(_short(here.low)), high=number_text(_short(here.high))),
                "" if apart is None else f"{100 * apart:+.3g} %" if apart else _right(each.mark),
                each.mark.source,
            ]
        )
    return rows


def said_in(results: Results, now: Beside, panel: int) -> tuple[Said, ...]:
    """Return the published numbers of a plot's measure that belong in one of its panels."""
    found = []
    for mark in results.published:
        if mark.measure == now.wish.y:
            said = _said(results, now, panel, mark)
            if said is not None:
                found.append(said)
    return tuple(found)


def beside(said: Said, words: str) -> tuple[str, ...]:
    """Return the tooltip of a published number."""
    lines = [tr("published: {number}", number=told(said.mark))]
    lines += [_at(said.mark)] if said.mark.at else []
    lines += [said.mark.source] if said.mark.source else []
    if said.here is not None:
        mean = number_text(_short(said.here.mean))
        lines.append(tr("{measure} here: {number} on average", measure=words, number=mean))
    return tuple(lines)


# ---------------------------------------------------------------------------------------------------- rows


def _holds(results: Results, mark: Mark, without: Sequence[str] = ()) -> Bools:
    """Return which rows a published number concerns; the columns in ``without`` are ignored."""
    found = ~results.failed
    for name, value in mark.at.items():
        if name not in without:
            found = found & _equal(results, name, value)
    return found


def _equal(results: Results, name: str, value: Any) -> Bools:
    variable = results.variable(name)
    if variable.numeric:
        return np.asarray(results.numbers[name] == float(value))
    text = (YES if value else NO) if isinstance(value, bool) else str(value)
    at = variable.values.index(text) if text in variable.values else -2
    return np.asarray(results.codes[name] == at)


def _summed(results: Results, measure: str, rows: Bools) -> Summary | None:
    values = results.numbers[measure][rows]
    return summary(values[np.isfinite(values)])


def _said(results: Results, now: Beside, panel: int, mark: Mark) -> Said | None:
    """Return a published number in a panel; ``None`` if it belongs elsewhere, or the plot mixes it with something
    else.
    """
    wish, at = now.wish, mark.at
    holds = _holds(results, mark) & now.kept
    over = _part(results, wish.over, at, now.over, holds)
    if over is not None and over != panel:
        return None
    look = _part(results, wish.by, at, now.by, holds)
    here = now.kept & (now.over == panel)
    if look is not None:
        here = here & (now.by == look)
    if look is not None and not here.any() and wish.by in at:
        return None  # It belongs to no curve of this series.
    x: float | None = None
    if wish.kind not in DISTRIBUTIONS:
        x = _where(results, now, at, holds)
        if x is not None and math.isnan(x):
            return None
    if x is not None and (here & (now.x == x)).any():
        here = here & (now.x == x)
        mixed = not holds[here].all()
    else:
        mixed = not _holds(results, mark, [wish.x])[here].all()
    if mixed or not here.any():
        return None
    return Said(-1 if look is None else look, x, mark, _summed(results, mark.measure, holds & here))


def _part(results: Results, name: str, at: Any, parts: Rows, holds: Bools) -> int | None:
    """Return the series or panel to which a number belongs; ``None`` for all of them, -1 for a missing one."""
    if not name:
        return None
    if name in at:
        rows = np.flatnonzero(_equal(results, name, at[name]))
        return int(parts[rows[0]]) if len(rows) else -1
    found = np.unique(parts[holds])
    return int(found[0]) if len(found) == 1 else None


def _where(results: Results, now: Beside, at: Any, holds: Bools) -> float | None:
    """Return the position of a number along x: ``None`` for everywhere, NaN for nowhere."""
    name = now.wish.x
    if name in at:
        if now.names_x:
            rows = np.flatnonzero(_equal(results, name, at[name]))
            return float(now.x[rows[0]]) if len(rows) else math.nan
        return float(at[name])
    found = np.unique(now.x[holds])
    if len(found) == 1 and name not in results.measures and len(np.unique(now.x[now.kept])) > 1:
        return float(found[0])
    if name in results.measures:
        return math.nan
    return None


def _right(mark: Mark) -> str:
    return trc("published number", "equal") if mark.low == mark.high else trc("published range", "inside")


def _at(mark: Mark) -> str:
    """Return where a number holds, in words."""
    return ", ".join(f"{name.rstrip('_').replace('_', ' ')} {_text(value)}" for name, value in mark.at.items())


def _short(value: float) -> float:
    return round(value, 2) if abs(value) >= 10 else value


def _text(value: Any) -> str:
    return number_text(float(value)) if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
