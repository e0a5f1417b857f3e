"""Workloads and random crashes: their descriptions, and the lines of their forms.

This module does not use a window. :func:`read` turns a completed form into a
:class:`~lydian.model.experiment.traffic.Traffic` or a :class:`~lydian.model.experiment.traffic.Churn`, and names the
line in which something is wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lydian.model.delays import Distribution, parse
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.experiment.traffic import Churn, Traffic, check_field
from lydian.views.playback.faultforms import Entry
from lydian.views.words.typedvalues import read_value, text_of_source, wanted, write_value
from lydian.views.words.words import joined, plural

if TYPE_CHECKING:
    from lydian.model.source.outline import EventOutline

__all__ = [
    "BACK", "DRAWS", "LAWS", "ByItself", "about", "brief", "card_text", "entries", "first_churn", "first_traffic",
    "read", "texts",
]  # fmt: skip

ByItself = Traffic | Churn

#: Suggested distributions of the time between two commands; the field accepts any other.
LAWS = (
    "exponential(mean=10)",
    "constant(10)",
    "uniform(5, 15)",
    "lognormal(mean=10, sd=6)",
    "pareto(mean=10, a=2.5)",
)
#: Values of a field that are drawn anew for each command.
DRAWS = "zipf(20, 1.0), uniform(1, 6), choice(red, green), process or number"
_DRAWN = re.compile(r"process|number|=.*|(zipf|uniform|choice)\(.*\)", re.DOTALL)
#: Up to this number processes are named; beyond it only their number is shown.
_NAMED = 3
_ANY, _EACH, _ALL = "any", "each", "all"


# ---------------------------------------------------------------------- words


def brief(one: ByItself, n: int = 0) -> str:
    """Return one entry in a few words: ``about 20 Publish commands until 200``.

    Args:
        one: the entry.
        n: number of processes of the network; 0 if it is not known.
    """
    if isinstance(one, Traffic):
        many = _many(one)
        commands = "command" if many.split()[-1] in ("1", "one") else "commands"
        return f"{many} {one.label} {commands}{_each(one, n)}{_when(one)}"
    return f"{_lives(one, n)}{_when(one)}"


def _lives(one: Churn, n: int) -> str:
    who, several = _who(one, n)
    crash, come, go = ("crash", "come", "go") if several else ("crashes", "comes", "goes")
    return f"{who} {crash} for good" if one.downtime is None else f"{who} {come} and {go}"


def about(one: ByItself, n: int = 0) -> str:
    """Return the meaning of an entry in two or three sentences."""
    if isinstance(one, Traffic):
        gap = f"One arrives every {one.arrivals.mean:.3g} time units"
        gap += "" if _exact(one.arrivals) else " on average"
        who = {
            _ANY: "and goes to a random process",
            _EACH: "to each process, at times of its own",
        }.get(one.processes if isinstance(one.processes, str) else "", f"and goes to one of {_names(one.processes)}")
        return f"{_upper(brief(one, n))}. {gap} {who}."
    crashes = f"A process crashes after {one.lifetime.mean:.3g} time units" + _average(one.lifetime)
    if one.downtime is None:
        return f"{_upper(brief(one, n))}. {crashes}."
    back = f"recovers {one.downtime.mean:.3g} later" + _average(one.downtime)
    knows = "with its variables kept" if one.keep else "in its initial state"
    cycles = (one.until - one.begin) / (one.lifetime.mean + one.downtime.mean)
    times = f" That is about {_round(cycles)} times each." if cycles >= 1.5 else ""
    return f"{_upper(brief(one, n))}. {crashes}, and {back}, {knows}.{times}"


def card_text(coming: Sequence[ByItself], commands: Sequence[str], n: int = 0) -> tuple[str, str]:
    """Return the value and the remark of the card, for a protocol with these commands."""
    if coming:
        first, *others = coming
        title = f"{_many(first)} {first.label}" if isinstance(first, Traffic) else _lives(first, n)
        rest = _each(first, n) if isinstance(first, Traffic) else ""
        said = [(rest + _when(first)).strip(), *(brief(one, n) for one in others)]
        return _upper(title), "; ".join(filter(None, said)) or "click to change"
    if commands:
        return "None", f"{joined(commands[:_NAMED])}{' …' if len(commands) > _NAMED else ''}, or crashes: click to add"
    return "None", "processes that crash and recover: click to add"


def _many(one: Traffic) -> str:
    """Return how many commands are given, to each process if each has its own: ``about 20``, ``20``, ``at most 50``."""
    if math.isinf(one.until):
        return f"{one.count:,}"
    span, mean = one.until - one.begin, one.arrivals.mean
    if _exact(one.arrivals):
        comes = max(math.ceil(span / mean - 1e-9) - 1, 0)
        return f"{min(comes, one.count or comes):,}"
    expected = span / mean
    if one.count is not None and one.count <= expected / 2:  # This number is almost certain.
        return f"{one.count:,}"
    if one.count is not None and one.count < 2 * expected:
        return f"at most {one.count:,}"
    return f"about {_round(expected)}" if expected >= 0.75 else "at most one"


def _each(one: Traffic, n: int) -> str:
    if one.processes == _EACH:
        return f" for each of {n:,} processes" if n else " for each process"
    return "" if isinstance(one.processes, str) else f" to {_names(one.processes)}"


def _who(one: Churn, n: int) -> tuple[str, bool]:
    """Return which processes crash, and whether they are several."""
    if one.processes == _ALL:
        return (f"all {n:,} processes" if n else "all processes"), True
    return _names(one.processes), len(one.processes) > 1


def _names(names: Sequence[str]) -> str:
    return joined(tuple(names)) if len(names) <= _NAMED else plural(len(names), "process", "processes")


def _when(one: ByItself) -> str:
    begin, until = one.begin, one.until
    first = f" from {begin:g} on" if begin and math.isinf(until) else f" from {begin:g}" if begin else ""
    word = "before" if isinstance(one, Churn) and one.downtime is None and not begin else "until"
    return first + (f" {word} {until:g}" if math.isfinite(until) else "")


def _exact(law: Distribution) -> bool:
    return law.kind == "constant"


def _average(law: Distribution) -> str:
    return "" if _exact(law) else " on average"


def _round(count: float) -> str:
    """Return an expected number rounded to at most two digits."""
    if count < 10:
        return f"{count:.0f}"
    digits = 10 ** (math.floor(math.log10(count)) - 1)
    return f"{round(count / digits) * digits:,}"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------------- forms


def first_traffic(commands: Sequence[EventOutline], until: float | None) -> Traffic:
    """Return the first suggested workload: one command every ten time units, with random fields."""
    (command, *_) = commands
    fields = {field.name: _first_value(field.type) for field in command.fields if field.default is None}
    return Traffic(command.name, _law("exponential(mean=10)"), until=until or 200.0, fields=fields)


def first_churn(until: float | None) -> Churn:
    """Return the first suggested crashes and recoveries."""
    return Churn(_law("exponential(mean=50)"), _law("exponential(mean=10)"), until=until or 200.0)


def entries(one: ByItself, commands: Sequence[EventOutline]) -> list[Entry]:
    """Return the lines of the form of an entry, with its values."""
    begin = Entry("from", "From", f"{one.begin:g}" if one.begin else "", about="the start")
    until = Entry("until", "Until", f"{one.until:g}" if math.isfinite(one.until) else "", about="the end")
    if isinstance(one, Churn):
        away = "" if one.downtime is None else str(one.downtime)
        return [
            Entry("processes", "Who", _written(one.processes), about="all, or names such as 3, 4"),
            Entry("lifetime", "Crashes after", str(one.lifetime)),
            Entry("downtime", "Recovers after", away, about="never"),
            begin, until,
            Entry("keep", "Recovers", BACK[one.keep], BACK),
        ]  # fmt: skip
    names = tuple(command.name for command in commands)
    if one.label not in names:
        names = (one.label, *names)
    command = next((each for each in commands if each.name == one.label), None)
    declared = {} if command is None else {field.name: field for field in command.fields}
    lines = [
        Entry("label", "Command", one.label, names, about="" if command is None else command.doc.partition("\n")[0]),
        Entry("processes", "Sent to", _written(one.processes), about="any, each, or names such as 3, 4"),
        Entry("arrivals", "One every", str(one.arrivals)),
        begin, until,
        Entry("count", "At most", "" if one.count is None else str(one.count), about="unlimited"),
    ]  # fmt: skip
    for name in dict.fromkeys((*declared, *one.fields)):
        field = declared.get(name)
        usual = text_of_source(field.default, field.type) if field is not None else None
        value = write_value(one.fields[name], field.type if field else "") if name in one.fields else ""
        lines.append(Entry(f"field:{name}", name, value, about=usual if usual is not None else "is required"))
    return lines


#: How a process recovers, by whether it keeps its variables.
BACK = ("in its initial state", "with its variables kept")


def texts(lines: Sequence[Entry]) -> dict[str, str]:
    """Return the initial texts of the lines of a form."""
    return {line.key: line.value for line in lines}


def read(values: Mapping[str, str], commands: Sequence[EventOutline], names: Sequence[str] = ()) -> ByItself:
    """Return the entry that a form's lines mean.

    Args:
        values: text by the key of its line; a form with a line ``lifetime`` is one of churn.
        commands: of the protocol.
        names: of the processes; empty if they are not known.

    Raises:
        BadInput: whose place is the key of the line that is wrong.
    """
    table: dict[str, Any] = {}
    for key in ("label", "arrivals", "lifetime", "downtime"):
        if values.get(key, "").strip():
            table[key] = values[key].strip()
    table["processes"] = _processes(values.get("processes", ""), names, "lifetime" in values)
    for key in ("from", "until"):
        if values.get(key, "").strip():
            table[key] = _number(values[key], key)
    if values.get("count", "").strip():
        table["count"] = _whole(values["count"])
    if "lifetime" in values:
        return _built(Churn, {**table, "keep": values.get("keep") == BACK[True]})
    command = next((each for each in commands if each.name == table.get("label")), None)
    types = {} if command is None else {field.name: field.type for field in command.fields}
    given = {key[6:]: text.strip() for key, text in values.items() if key.startswith("field:") and text.strip()}
    fields = {name: _field(text, types.get(name, ""), f"field:{name}") for name, text in given.items()}
    for field in () if command is None else command.fields:
        if field.default is None and field.name not in fields:
            raise BadInput(f"is required: {wanted(field.type)}, or {DRAWS}", place=f"field:{field.name}")
    return _built(Traffic, {**table, "fields": fields})


def _built(kind: type[ByItself], table: Mapping[str, Any]) -> ByItself:
    try:
        return kind.from_dict(table)
    except BadInput as error:
        raise BadInput(error.what, place=(error.place or "").lstrip(".")) from None


def _processes(text: str, names: Sequence[str], churn: bool) -> str | list[str]:
    words = (_ALL,) if churn else (_ANY, _EACH)
    bare = text.strip()
    if not bare or bare.lower() in words:
        return bare.lower() or words[0]
    found = [part.strip() for part in bare.split(",") if part.strip()]
    for name in found:
        if names and name not in names:
            what = f"there is no process {shown(name)}{did_you_mean(name, names)}; write {' or '.join(words)}, or names"
            raise BadInput(what, place="processes")
    return found


def _number(text: str, key: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise BadInput(f"must be a number such as 200, not {shown(text.strip())}", place=key)
    return found


def _whole(text: str) -> int:
    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise BadInput(f"must be a whole number such as 50, not {shown(text.strip())}", place="count") from None


def _field(text: str, type_text: str, place: str) -> Any:
    """Return the meaning of a field's line: a distribution, or a plain value of the declared type."""
    try:
        if _DRAWN.fullmatch(text):
            check_field(text)
            return text
        return read_value(text, type_text)
    except BadInput as error:
        raise BadInput(f"{error.what}; or {DRAWS}" if "drawn" not in error.what else error.what, place=place) from None


def _first_value(type_text: str) -> str:
    """Return the distribution of a field without a default."""
    return "uniform(0, 1)" if type_text.strip() == "float" else "number"


def _written(processes: str | Sequence[str]) -> str:
    return processes if isinstance(processes, str) else ", ".join(processes)


def _law(text: str) -> Distribution:
    return parse(text)
