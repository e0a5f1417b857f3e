"""The check of a form: one sentence for each part that is wrong, and the number of runs.

These checks are fast and run while the user types; whether an experiment accepts the values is tried in the background.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from lydian.app.sweep.form.form import Drawn, Form, Row, axis_name, drawn_table, row_table, to_data, together
from lydian.batch.sweep.axes import Axis
from lydian.batch.sweep.drawn import DrawnFaults
from lydian.batch.sweep.measure import Measure
from lydian.batch.sweep.sweep import Sweep, side_grouped
from lydian.language import tr, trn
from lydian.model.errors import BadInput
from lydian.model.experiment.experiment import Experiment
from lydian.model.reading import Table

__all__ = ["Checked", "Shape", "check", "place_of", "shape_of"]


@dataclass(frozen=True)
class Shape:
    """The groups of a sweep as a table: group = row * columns + column.

    Attributes:
        columns: a name for each column; the values of the last side.
        rows: a name for each row: the values of all other sides together.
        names: the names of the columns' side and of the rows' sides.
        each: runs of a group.
    """

    columns: tuple[str, ...] = ("",)
    rows: tuple[str, ...] = ("",)
    names: tuple[str, str] = ("", "")
    each: int = 1


@dataclass(frozen=True)
class Checked:
    """The result of a check.

    Attributes:
        problems: place -> a sentence. ``vary[2]``, ``faults[0]``, ``seeds``, ``measure``, ``limits.seconds`` ...
        axes: the axes of the correct rows; ``None`` for the others.
        runs, groups: their numbers; 0 while something is wrong.
        words: the product, ``4 × 3 × 20 = 240 runs``.
        shape: the groups as a table.
    """

    problems: Mapping[str, str] = field(default_factory=dict)
    axes: tuple[Axis | None, ...] = ()
    runs: int = 0
    groups: int = 0
    words: str = ""
    shape: Shape = field(default_factory=Shape)

    @property
    def good(self) -> bool:
        """Whether no problem is known."""
        return not self.problems


@lru_cache(maxsize=256)
def _axis(row: Row) -> Axis:
    return Axis.from_dict(row_table(row))


def _drawn(each: Drawn) -> DrawnFaults:
    return DrawnFaults.from_dict(drawn_table(each))


def check(form: Form) -> Checked:
    """Check a form."""
    problems: dict[str, str] = {}
    axes: list[Axis | None] = []
    for number, row in enumerate(form.rows):
        try:
            axes.append(replace(_axis(row), place=f"vary[{number}]"))
        except BadInput as error:
            axes.append(None)
            problems[f"vary[{number}]"] = _sentence(error)
    faults: list[DrawnFaults] = []
    for number, each in enumerate(form.drawn):
        try:
            faults.append(_drawn(each))
        except BadInput as error:
            problems[f"faults[{number}]"] = _sentence(error)
    for text in form.measures:
        try:
            Measure.parse(text)
        except BadInput as error:
            problems["measure"] = _sentence(error)
    sweep = None
    if not problems:
        sweep = _swept(form, [axis for axis in axes if axis is not None], faults, problems)
    if sweep is None:
        return Checked(problems, tuple(axes))
    factors = [f"{len(side[0]):,}" for side in sweep._sides if len(side[0]) > 1]
    factors += [f"{len(sweep.seeds):,}"] if len(sweep.seeds) > 1 or not factors else []
    total = trn("{count:,} run", "{count:,} runs", sweep.count)
    words = f"{' × '.join(factors)} = {total}" if len(factors) > 1 else total
    return Checked(problems, tuple(axes), sweep.count, sweep.groups, words, shape_of(sweep))


def _swept(form: Form, axes: Sequence[Axis], faults: Sequence[DrawnFaults], problems: dict[str, str]) -> Sweep | None:
    """Return the sweep without its experiment."""
    from lydian.batch.sweep.file import _seeds

    try:
        data = to_data(form, "x")
        seeds = _seeds(Table(data, tuple(data)))
        if data["limits"]["seconds"] <= 0:
            raise BadInput(tr("the time limit of a run must be more than 0 seconds"), place="limits.seconds")
        if data["limits"]["memory"] < 64:
            raise BadInput(tr("the memory limit of a run must be at least 64 MB"), place="limits.memory")
        if data["limits"].get("events", 1) < 1:
            raise BadInput(tr("the event limit of a run must be at least 1"), place="limits.events")
        zipped = tuple(tuple(names) for names in together(form.rows))
        return Sweep(
            "x", Experiment("x"), vary=tuple(axes), zipped=zipped, seeds=seeds, faults=tuple(faults)
        )  # fmt: skip
    except BadInput as error:
        problems[place_of(error.place, form)] = _sentence(error)
        return None


def place_of(place: str | None, form: Form) -> str:
    """Return the part of the form that a place in the sweep's file belongs to; ``""`` for the whole."""
    if place is None:
        return ""
    if match := re.match(r"(vary|faults)\[\d+\]", place):
        return match[0]
    if match := re.match(r"zip\[(\d+)\]", place):
        names = together(form.rows)[int(match[1])]
        return next((f"vary[{i}]" for i, row in enumerate(form.rows) if axis_name(row) in names[1:]), "")
    return "measure" if place.startswith("measure") else place


def _sentence(error: BadInput) -> str:
    what = error.what
    inner = re.sub(r"^(vary|faults)\[\d+\]\.?", "", error.place or "")
    named = bool(inner) and not inner.startswith(("zip", "limits", "measure"))
    if named and what.startswith(("must", "is ", "has ", "gives")):
        what = tr("the list of values {problem}", problem=what) if inner == "values" else f"{inner} {what}"
    return f"{what[:1].upper()}{what[1:]}{'' if what.endswith('.') else '.'}"


def shape_of(sweep: Sweep) -> Shape:
    """Return the groups of a sweep as a table; its columns are the last side of the grid."""
    sides = [side for side in sweep._sides if side_grouped(side)]
    if not sides:
        return Shape(each=sweep.repetitions)
    texts = [tuple(_text(side, number) for number in range(len(side[0]))) for side in sides]
    names = [" and ".join(axis.name for axis in side) for side in sides]
    if len(sides) == 1:
        return Shape(("",), texts[0], ("", names[0]), sweep.repetitions)
    rows = [""]
    for side in texts[:-1]:
        if len(rows) * len(side) > 100_000:
            return Shape(texts[-1], tuple(map(str, range(math.prod(map(len, texts[:-1]))))), (names[-1], "group"),
                         sweep.repetitions)  # fmt: skip
        rows = [f"{row}, {word}" if row else word for row in rows for word in side]
    return Shape(texts[-1], tuple(rows), (names[-1], ", ".join(names[:-1])), sweep.repetitions)


def _text(side: Sequence[Axis], number: int) -> str:
    shown = [axis.shown(number, 0) for axis in side]
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in shown]
    alone = len(side) == 1 and isinstance(shown[0], int | float)
    return f"{side[0].name} {texts[0]}" if alone else ", ".join(texts)
