"""The contents of the form of a sweep: texts as they were typed, so that unfinished input can be undone and saved too.

:func:`to_data` converts it to the contents of a sweep's file, :func:`from_data` converts it back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.app.sweep.form.values import number_of, seeds_of, split, text_of, texts_of, value_of, values_of, words_of
from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.assumptions import broken_by

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Drawn", "Form", "Row", "axis_name", "drawn_table", "from_data", "from_plain", "row_table", "settled",
           "to_data", "to_plain"]  # fmt: skip

LAWS = ("uniform", "log-uniform", "choice")


@dataclass(frozen=True)
class Row:
    """A row: a value that is varied.

    Attributes:
        field: the field of the experiment, ``timing.delay``; empty for a value that only other rows refer to.
        name: its name; empty for the last word of the field.
        how: ``list``, ``range`` or ``drawn``.
        values, labels: of a list (the values also of a choice that is drawn).
        first, last, step, count, log: of a range; ``count`` if there is no ``step``.
        law, low, high, draws, whole, seed: of a drawn value; without ``draws`` each run draws its own.
        along: the name of the row that it advances together with; empty if it is crossed with all.
        label, unit: the words and the unit on an axis; empty for the name and for no unit.
    """

    field: str = ""
    name: str = ""
    how: str = "list"
    values: str = ""
    labels: str = ""
    first: str = ""
    last: str = ""
    step: str = ""
    count: str = ""
    log: bool = False
    law: str = "uniform"
    low: str = ""
    high: str = ""
    draws: str = ""
    whole: bool = False
    seed: int = 0
    grouped: bool | None = None
    along: str = ""
    label: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Drawn:
    """Faults that are drawn anew for each run."""

    do: str = "crash"
    count: str = "1"
    fraction: str = ""
    among: str = "all"
    time: str = "0"
    lasts: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Form:
    """The whole form.

    Attributes:
        name, about: of the sweep.
        base: the experiment that is varied: its name or path, or its file's contents; ``None`` for the current one.
        rows, drawn: the values that are varied, and the faults that are drawn.
        seeds: as typed.
        measures: the measures that are shown.
        traces: whether the traces are kept.
        events, seconds, memory: the limits of a run.
        published: the results that a source reports, as in the file.
        breaks: assumptions of the protocol that the runs violate on purpose; those that drawn faults violate are added
            automatically, because the user has asked for the faults.
    """

    name: str = ""
    about: str = ""
    base: str | Mapping[str, Any] | None = None
    rows: tuple[Row, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    seeds: str = "20"
    measures: tuple[str, ...] = ("messages", "time", "chain")
    traces: bool = False
    events: str = ""
    seconds: str = "60"
    memory: str = "1024"
    published: tuple[Mapping[str, Any], ...] = ()
    breaks: tuple[str, ...] = ()

    def with_row(self, number: int, row: Row) -> Form:
        """Return the form with another row in place of one; rows that go along with it adopt its new name."""
        old, new = axis_name(self.rows[number]), axis_name(row)
        rows = [replace(each, along=new) if each.along == old and old != new else each for each in self.rows]
        rows[number] = replace(row, along="" if row.along == new else row.along)
        return replace(self, rows=tuple(rows))

    def without_row(self, number: int) -> Form:
        """Return the form without a row."""
        gone = axis_name(self.rows[number])
        rows = [replace(each, along="") if each.along == gone else each for each in self.rows]
        return replace(self, rows=tuple(rows[:number] + rows[number + 1 :]))

    def moved(self, number: int, by: int) -> Form:
        """Return the form with a row moved up or down."""
        rows = list(self.rows)
        other = min(max(number + by, 0), len(rows) - 1)
        rows.insert(other, rows.pop(number))
        return replace(self, rows=tuple(rows))


def axis_name(row: Row) -> str:
    """Return the name of a row: its own, or the last word of its field."""
    if row.name.strip():
        return row.name.strip()
    from lydian.batch.sweep.axes import RESERVED

    word = row.field.split(".")[-1].split("[")[0].strip()
    word = "".join(mark if mark.isalnum() else "_" for mark in word).strip("_") or "value"
    word = word if word.isidentifier() else f"of_{word}"
    return f"{word}_" if word.lower() in RESERVED else word


# ------------------------------------------------------------------ to the contents of a file


def row_table(row: Row) -> dict[str, Any]:
    """Return the table of a sweep's file for a row.

    Raises:
        BadInput: a number cannot be read.
    """
    table: dict[str, Any] = {"name": axis_name(row)}
    if row.field.strip():
        table["field"] = row.field.strip()
    if row.how == "range":
        table |= {
            "from": number_of(row.first, tr("the start of the range")),
            "to": number_of(row.last, tr("the end of the range")),
        }
        if row.count.strip():
            table["count"] = _whole(row.count, tr("the number of values"))
        else:
            table["step"] = number_of(row.step, tr("the step"))
        table |= {"scale": "log"} if row.log else {}
    elif row.how == "drawn":
        table |= {"sample": row.law, "seed": row.seed}
        if row.law == "choice":
            table["values"] = values_of(row.values)
        else:
            table |= {
                "low": float(number_of(row.low, tr("the lowest value"))),
                "high": float(number_of(row.high, tr("the highest value"))),
            }
            table |= {"whole": True} if row.whole else {}
        if row.draws.strip():
            table["count"] = _whole(row.draws, tr("the number of draws"))
    else:
        table["values"] = values_of(row.values)
    if row.labels.strip() and not (row.how == "drawn" and not row.draws.strip()):
        table["labels"] = [str(label) for label in split(row.labels)]
    if row.grouped is not None:
        table["grouped"] = row.grouped
    return table | {key: text.strip() for key, text in (("label", row.label), ("unit", row.unit)) if text.strip()}


def _whole(text: str, what: str) -> int:
    value = number_of(text, what)
    if not isinstance(value, int):
        raise BadInput(tr("{what} must be a whole number, not {value}", what=what, value=shown(text)))
    return value


def drawn_table(each: Drawn) -> dict[str, Any]:
    """Return the table of a sweep's file for faults that are drawn."""
    table: dict[str, Any] = {"do": each.do, "among": each.among, "time": value_of(each.time or "0"), **each.extra}
    if each.fraction.strip():
        table["fraction"] = value_of(each.fraction)
    else:
        table["count"] = value_of(each.count or "1")
    if each.lasts.strip():
        table["lasts"] = value_of(each.lasts)
    return table


def to_data(form: Form, base: str | Mapping[str, Any], name: str = "sweep") -> dict[str, Any]:
    """Return the contents of the sweep's file.

    Args:
        base: the experiment, as a name, a path, or the contents of its file.
        name: for a sweep that has none.

    Raises:
        BadInput: a text is not a number; ``place`` is its place in the file.
    """
    data: dict[str, Any] = {"name": form.name.strip() or name}
    if form.about.strip():
        data["about"] = form.about.strip()
    data["experiment"] = base
    meant = [name for each in form.drawn for name in broken_by(each.do)]
    if meant or form.breaks:
        data["breaks"] = list(dict.fromkeys((*form.breaks, *meant)))
    data["seeds"] = _placed("seeds", seeds_of, form.seeds)
    data |= {"measure": list(form.measures)} if form.measures else {}
    data |= {"traces": True} if form.traces else {}
    if zipped := together(form.rows):
        data["zip"] = zipped
    if form.rows:
        data["vary"] = [_placed(f"vary[{number}]", row_table, row) for number, row in enumerate(form.rows)]
    if form.drawn:
        data["faults"] = [drawn_table(each) for each in form.drawn]
    limits: dict[str, Any] = {}
    if form.events.strip():
        limits["events"] = _placed("limits.events", lambda text: _whole(text, tr("the limit")), form.events)
    limits["seconds"] = float(_placed("limits.seconds", lambda text: number_of(text, tr("the limit")), form.seconds))
    limits["memory"] = _placed("limits.memory", lambda text: _whole(text, tr("the limit")), form.memory)
    data["limits"] = limits
    return data | published_in(form, data.get("vary", []))


def published_in(form: Form, vary: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the published numbers that fit the current measures and varied values."""
    if not form.published:
        return {}
    from lydian.batch.sweep.axes import Axis
    from lydian.batch.sweep.published import fitting

    try:
        kept = fitting(form.published, form.measures, [Axis.from_dict(table, None, "vary") for table in vary])
    except BadInput:  # Another part is wrong, and its error is reported elsewhere.
        return {}
    return {"published": kept} if kept else {}


def together(rows: tuple[Row, ...]) -> list[list[str]]:
    """Return the names of rows that advance together."""
    leaders: dict[str, list[str]] = {}
    home: dict[str, str] = {}
    names = [axis_name(row) for row in rows]
    for row, name in zip(rows, names, strict=True):
        if row.along and row.along in names:
            leader = home.get(row.along, row.along)
            leaders.setdefault(leader, [leader]).append(name)
            home[name] = leader
    return [list(dict.fromkeys(each)) for each in leaders.values()]


def _placed(place: str, make: Any, given: Any) -> Any:
    try:
        return make(given)
    except BadInput as error:
        raise BadInput(error.what, place=place) from None


def settled(experiment: Experiment) -> dict[str, Any]:
    """Return an experiment as a table that is valid in any place: with absolute paths and without branches."""
    told = experiment.with_(branches=(), interventions=()).to_dict()
    ref = experiment.protocol_ref
    if isinstance(ref, Path):
        told["protocol"] = ref.absolute().as_posix()
    if isinstance(experiment.network, str) and experiment.network:
        network = experiment._located(experiment.network, "networks")
        told["network"] = network.absolute().as_posix() if isinstance(network, Path) else network
    return told


# ------------------------------------------------------------------ from the contents of a file


def from_data(data: Mapping[str, Any]) -> Form:
    """Return the form for a sweep's file that has been read without errors."""
    limits = data.get("limits", {})
    rows = [_row(table) for table in data.get("vary", ())]
    for names in data.get("zip", ()):
        rows = [replace(row, along=names[0]) if axis_name(row) in names[1:] else row for row in rows]
    return Form(
        name=str(data.get("name", "sweep")),
        about=str(data.get("about", "")),
        base=data.get("experiment"),
        rows=tuple(rows),
        drawn=tuple(_drawn(table) for table in data.get("faults", ())),
        seeds=words_of(data.get("seeds", 1)),
        measures=tuple(data.get("measure", ())),
        traces=bool(data.get("traces", False)),
        events="" if limits.get("events") is None else str(limits["events"]),
        seconds=f"{limits.get('seconds', 60.0):g}",
        memory=str(limits.get("memory", 1024)),
        published=tuple(data.get("published", ())),
        breaks=tuple(data.get("breaks", ())),
    )


def _row(table: Mapping[str, Any]) -> Row:
    target = str(table.get("field", ""))
    name = str(table.get("name", ""))
    row = Row(field=target, name="" if name == axis_name(Row(field=target)) and target else name)
    if "sample" in table:
        row = replace(
            row, how="drawn", law=str(table["sample"]), whole=bool(table.get("whole", False)),
            seed=int(table.get("seed", 0)), draws=_text(table, "count"), low=_text(table, "low"),
            high=_text(table, "high"),
        )  # fmt: skip
    elif "values" not in table:
        row = replace(
            row, how="range", first=_text(table, "from"), last=_text(table, "to"), step=_text(table, "step"),
            count=_text(table, "count"), log=table.get("scale") == "log",
        )  # fmt: skip
    return replace(
        row, values=texts_of(table.get("values", ())), labels=", ".join(table.get("labels", ())),
        grouped=table.get("grouped"), label=str(table.get("label", "")), unit=str(table.get("unit", "")),
    )  # fmt: skip


def _drawn(table: Mapping[str, Any]) -> Drawn:
    known = {each.name for each in fields(Drawn)} - {"extra"}
    texts = {key: text_of(value) for key, value in table.items() if key in known - {"do", "among"}}
    extra = {key: value for key, value in table.items() if key not in known}
    return Drawn(**({"do": table.get("do", "crash"), "among": table.get("among", "all")} | texts), extra=extra)


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


# ------------------------------------------------------------------ plain data for the copy


def to_plain(form: Form) -> dict[str, Any]:
    """Return the form as plain data."""
    plain = {each.name: getattr(form, each.name) for each in fields(Form)}
    return plain | {
        "rows": [vars(row) for row in form.rows],
        "drawn": [vars(each) | {"extra": dict(each.extra)} for each in form.drawn],
        "measures": list(form.measures),
        "published": [dict(each) for each in form.published],
    }


def from_plain(plain: Mapping[str, Any]) -> Form:
    """Return the form for a result of :func:`to_plain`.

    Raises:
        TypeError: the data is something else.
    """
    parts = dict(plain)
    parts["rows"] = tuple(Row(**row) for row in parts["rows"])
    parts["drawn"] = tuple(Drawn(**each) for each in parts["drawn"])
    parts["measures"] = tuple(parts["measures"])
    parts["published"] = tuple(parts.get("published", ()))
    parts["breaks"] = tuple(parts.get("breaks", ()))
    return Form(**parts)
