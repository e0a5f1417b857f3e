"""The results that a book or a paper predicts: numbers shown beside the results of a sweep for comparison.

::

    [[published]]
    measure = "own.informed"                     # one of the sweep's measures
    at = {algorithm = "FIFO", b = [8, 10]}       # where it applies: values of varied settings; others do not matter
    value = [72, 80]                             # a number, or one for each entry of the only list in at
    source = "Figure 4"

    [[published]]
    measure = "messages"
    value = "{2 * n * log2(n)}"                  # a formula over varied settings
    low = 10                                     # instead of value: at least; high = at most; both: from ... to

Values of ``at`` need not occur in the sweep, so that a curve can be finer than the runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.batch.sweep.fields import FORMULA_WORDS, filled, spoken
from lydian.batch.sweep.measure import USUAL, Measure
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.reading import Table

if TYPE_CHECKING:
    from lydian.batch.sweep.axes import Axis

__all__ = ["Mark", "Published", "by_labels", "check", "fitting", "marks_of", "published_from"]

_KEYS = ("measure", "at", "value", "low", "high", "source")
_NUMBERS = ("value", "low", "high")
Runs = Callable[[bool], Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]]]


@dataclass(frozen=True)
class Published:
    """Numbers from a source for one measure.

    Args:
        measure: the measure as written in the file.
        at: name of an axis -> its value or label, or for one of them a list; where the number applies.
        value, low, high: the published number, or its lower and upper bounds; a formula in braces; or lists of the same
            length as the one in ``at``.
        source: the reference: a figure, a table, a theorem.
    """

    measure: str
    at: Mapping[str, Any] = field(default_factory=dict)
    value: Any = None
    low: Any = None
    high: Any = None
    source: str = ""
    place: str = field(default="", compare=False)

    @property
    def column(self) -> str:
        """The column of the results to which it refers."""
        return Measure.parse(self.measure).name

    def to_dict(self) -> dict[str, Any]:
        """Return the table of the file."""
        told = {"measure": self.measure, "at": dict(self.at)} if self.at else {"measure": self.measure}
        numbers = {key: getattr(self, key) for key in _NUMBERS if getattr(self, key) is not None}
        return {**told, **numbers, **({"source": self.source} if self.source else {})}


@dataclass(frozen=True)
class Mark:
    """One published number.

    Args:
        measure: the column.
        at: name of an axis -> the value in its column for which the number applies.
        low, high: the least and greatest published values; ``-inf`` or ``inf`` without a bound; equal for one number.
        source: the reference.
        entry: the number of the entry to which it belongs.
        curve: whether it is one of the points of a formula.
    """

    measure: str
    at: Mapping[str, Any]
    low: float
    high: float
    source: str = ""
    entry: int = 0
    curve: bool = False

    @property
    def ends(self) -> tuple[float, ...]:
        """The finite numbers: one, or the two ends of a range."""
        known = [end for end in (self.low, self.high) if math.isfinite(end)]
        return tuple(dict.fromkeys(known))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "measure": self.measure, "at": dict(self.at), "low": self.low if math.isfinite(self.low) else None,
            "high": self.high if math.isfinite(self.high) else None, "source": self.source,
        }  # fmt: skip


def published_from(data: Any, file: Path | str | None, place: str) -> Published:
    """Read one table of a sweep's file.

    Raises:
        BadInput: with the file and the place.
    """
    table = Table(data, _KEYS, file=file, place=place)
    measure = table.need("measure", str, 'measure = "messages"')
    at = table.get("at", dict, {})
    numbers = {key: table.data[key] for key in _NUMBERS if key in table}
    if not numbers:
        raise table.bad("value", "must be given, or low or high or both instead")
    if "value" in numbers and len(numbers) > 1:
        raise table.bad("value", "must be one number; a range is given by low and high alone")
    lists = {key: value for key, value in [*at.items(), *numbers.items()] if isinstance(value, list)}
    if sum(isinstance(value, list) for value in at.values()) > 1:
        raise table.bad("at", "must have only one list; write the others as separate entries")
    if len({len(value) for value in lists.values()}) > 1 or (lists and not any(key in at for key in lists)):
        told = ", ".join(f"{key} has {len(value)}" for key, value in lists.items())
        raise table.bad("at", f"must be lists as long as the published values; {told}")
    for key, value in numbers.items():
        for each in value if isinstance(value, list) else [value]:
            formula = isinstance(each, str) and spoken(each)
            if not formula and not _finite(each):
                example = 'must be a number or a formula in braces such as "{2 * n}"'
                raise table.bad(key, f"{example}, not {shown(each)}")
    try:
        Measure.parse(measure)
    except BadInput as error:
        raise table.bad("measure", error.what) from None
    return Published(measure, dict(at), **numbers, source=table.get("source", str, ""), place=place)


def check(published: Sequence[Published], vary: Sequence[Axis], measure: Sequence[Measure]) -> None:
    """Check that a sweep measures and varies everything to which its published numbers refer.

    Raises:
        BadInput: something is not measured or not varied; with the place.
    """
    axes = {axis.name: axis for axis in vary}
    measured = {*USUAL, *(each.name for each in measure)}
    for number, each in enumerate(published):
        _check(each, axes, measured, each.place or f"published[{number}]")


def fitting(tables: Sequence[Mapping[str, Any]], measures: Sequence[str], axes: Sequence[Axis]) -> list[dict[str, Any]]:
    """Return the tables of a file whose measures and values occur in the sweep."""
    known, measured = {axis.name: axis for axis in axes}, {*USUAL, *(Measure.parse(text).name for text in measures)}
    found = []
    for table in tables:
        try:
            _check(published_from(table, None, "published"), known, measured, "published")
        except BadInput:
            continue
        found.append(dict(table))
    return found


def _check(each: Published, axes: Mapping[str, Axis], measured: Collection[str], place: str) -> None:
    if each.column not in measured:
        raise BadInput(f"{each.measure} is not measured; add it to measure", place=f"{place}.measure")
    for name, value in each.at.items():
        if name not in axes:
            hint = did_you_mean(name, axes) or f"; there are {', '.join(axes) or 'none'}"
            raise BadInput(f"{shown(name)} is not varied{hint}", place=f"{place}.at")
        for one in value if isinstance(value, list) else [value]:
            _toldof(axes[name], one, f"{place}.at")
    for key in _NUMBERS:
        for word in sorted(spoken(getattr(each, key)) - set(axes) - FORMULA_WORDS):
            hint = did_you_mean(word, axes) or f"; there are {', '.join(axes) or 'none'}"
            raise BadInput(f"{{{word}}} is not varied{hint}", place=f"{place}.{key}")


def by_labels(published: Sequence[Published], vary: Sequence[Axis]) -> tuple[Published, ...]:
    """Return the same with every value in ``at`` as shown in its column, so that axes may receive other values."""
    axes = {axis.name: axis for axis in vary}

    def told(name: str, value: Any) -> Any:
        return [told(name, one) for one in value] if isinstance(value, list) else _toldof(axes[name], value, name)

    return tuple(replace(each, at={name: told(name, value) for name, value in each.at.items()})
                 for each in published)  # fmt: skip


def marks_of(published: Sequence[Published], vary: Sequence[Axis], runs: Runs) -> tuple[Mark, ...]:
    """Return all published numbers of a sweep, one by one.

    Args:
        runs: returns runs of the sweep with their columns and values: one run of each group or, on request, all runs,
            if each draws its own values.

    Raises:
        BadInput: a formula has no value; with the place.
    """
    axes = {axis.name: axis for axis in vary}
    return tuple(mark for number, each in enumerate(published) for mark in _marks(axes, runs, number, each))


def _marks(axes: Mapping[str, Axis], runs: Runs, entry: int, each: Published) -> Iterator[Mark]:
    place = each.place or f"published[{entry}]"
    size = next((len(value) for value in each.at.values() if isinstance(value, list)), 1)
    for i in range(size):
        raw = {name: value[i] if isinstance(value, list) else value for name, value in each.at.items()}
        at = {name: _toldof(axes[name], value, f"{place}.at") for name, value in raw.items()}
        numbers = [getattr(each, key)[i] if isinstance(getattr(each, key), list) else getattr(each, key)
                   for key in _NUMBERS]  # fmt: skip
        words = spoken(numbers) & set(axes)
        if not spoken(numbers):
            yield _mark(each, entry, at, numbers, {}, place)
        elif words <= set(raw):
            yield _mark(each, entry, at, numbers, _inside(axes, raw), place)
        else:
            drawn = any(axes[name].sample is not None for name in words)
            yield from _along(runs(drawn), each, entry, at, numbers, words, place)


def _along(
    runs: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]], each: Published, entry: int, at: Mapping[str, Any],
    numbers: list[Any], words: set[str], place: str,
) -> Iterator[Mark]:  # fmt: skip
    """Evaluate the formula for all runs to which ``at`` applies."""
    known = set()
    for told, values in runs:
        if any(told[name] != value for name, value in at.items()):
            continue
        here = {**at, **{name: told[name] for name in sorted(words)}}
        key = tuple(here.values())
        if key not in known:
            known.add(key)
            yield _mark(each, entry, here, numbers, values, place)


def _mark(
    each: Published, entry: int, at: Mapping[str, Any], numbers: list[Any], names: Mapping[str, Any], place: str
) -> Mark:
    value, low, high = (_number(number, names, f"{place}.{key}") for key, number in zip(_NUMBERS, numbers, strict=True))
    if value is not None:
        low = high = value
    least, most = -math.inf if low is None else low, math.inf if high is None else high
    if least > most:
        raise BadInput(f"low = {least:g} must not be above high = {most:g}", place=place)
    return Mark(each.column, at, least, most, each.source, entry, curve=bool(names))


def _number(number: Any, names: Mapping[str, Any], place: str) -> float | None:
    if number is None or not isinstance(number, str):
        return None if number is None else float(number)
    try:
        found = filled(number, names)
    except BadInput as error:
        raise BadInput(error.what, place=place) from None
    if not _finite(found):
        raise BadInput(f"must have a number as its value, not {shown(found)}", place=place)
    return float(found)


def _finite(value: Any) -> bool:
    """Return whether this is a number that a plot can show."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _inside(axes: Mapping[str, Axis], raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that labels represent."""
    found = {}
    for name, value in raw.items():
        axis = axes[name]
        found[name] = axis.values[axis.labels.index(value)] if value in axis.labels else value
    return found


def _toldof(axis: Axis, value: Any, place: str) -> Any:
    """Return a value as shown in the column of its axis; a number that does not occur there is unchanged."""
    if value in axis.labels:
        return value
    values = axis.values if axis.sample is None else axis.sample.choices
    for i in range(len(values)):
        if values[i] == value and isinstance(values[i], bool) == isinstance(value, bool):
            return value if axis.sample is not None else axis.shown(i, 0)
    if axis.type in ("int", "float") and _finite(value):
        return value
    known = list(axis.labels or map(str, values))
    hint = did_you_mean(str(value), known) or f"; choose from {', '.join(known[:12])}"
    if isinstance(value, str) and value in known:
        hint = "; write it without quotation marks"
    raise BadInput(f"{axis.name} is never {shown(value)}{hint}", place=place)
