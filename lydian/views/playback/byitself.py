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

from lydian.language import tr, trc, trn
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
DRAWS = tr("{examples}, {process} or {number}", examples="zipf(20, 1.0), uniform(1, 6), choice(red, green)",
           process="process", number="number")  # fmt: skip
_DRAWN = re.compile(r"process|number|=.*|(zipf|uniform|choice)\(.*\)", re.DOTALL)
#: The largest number of processes that are named; beyond it, only their number is shown.
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
        return f"{_commands(one)}{_each(one, n)}{_when(one)}"
    return f"{_lives(one, n)}{_when(one)}"


def _lives(one: Churn, n: int) -> str:
    """Return which processes crash: ``all 5 processes crash and recover``, ``3 crashes for good``."""
    for_good, names = one.downtime is None, one.processes
    if names == _ALL:
        if not n:
            return tr("all processes crash for good") if for_good else tr("all processes crash and recover")
        if for_good:
            return trn("the only process crashes for good", "all {count:,} processes crash for good", n)
        return trn("the only process crashes and recovers", "all {count:,} processes crash and recover", n)
    if len(names) > _NAMED:
        if for_good:
            return trn("{count:,} process crashes for good", "{count:,} processes crash for good", len(names))
        return trn("{count:,} process crashes and recovers", "{count:,} processes crash and recover", len(names))
    if len(names) > 1:
        told = joined(tuple(names))
        if for_good:
            return tr("{processes} crash for good", processes=told)
        return tr("{processes} crash and recover", processes=told)
    if for_good:
        return tr("{process} crashes for good", process=names[0])
    return tr("{process} crashes and recovers", process=names[0])


def about(one: ByItself, n: int = 0) -> str:
    """Return the meaning of an entry in two or three sentences."""
    if isinstance(one, Traffic):
        time, average = one.arrivals.mean, _average(one.arrivals)
        if one.processes == _EACH:
            gap = tr("One arrives every {time:.3g} time units{average} to each process, at times of its own.",
                     time=time, average=average)  # fmt: skip
        elif one.processes == _ANY:
            gap = tr("One arrives every {time:.3g} time units{average} and goes to a random process.",
                     time=time, average=average)  # fmt: skip
        else:
            gap = tr("One arrives every {time:.3g} time units{average} and goes to one of {processes}.",
                     time=time, average=average, processes=_names(one.processes))  # fmt: skip
        return f"{_upper(brief(one, n))}. {gap}"
    time, average = one.lifetime.mean, _average(one.lifetime)
    if one.downtime is None:
        crashes = tr("A process crashes after {time:.3g} time units{average}.", time=time, average=average)
        return f"{_upper(brief(one, n))}. {crashes}"
    crashes = (
        tr("A process crashes after {time:.3g} time units{average}, and recovers {downtime:.3g} later{average_later}, "
           "with its variables kept.")
        if one.keep
        else tr("A process crashes after {time:.3g} time units{average}, and recovers {downtime:.3g} later"
                "{average_later}, in its initial state.")
    ).format(time=time, average=average, downtime=one.downtime.mean, average_later=_average(one.downtime))  # fmt: skip
    cycles = (one.until - one.begin) / (one.lifetime.mean + one.downtime.mean)
    times = tr(" That is about {count:,} times each.", count=_round(cycles)) if cycles >= 1.5 else ""
    return f"{_upper(brief(one, n))}. {crashes}{times}"


def card_text(coming: Sequence[ByItself], commands: Sequence[str], n: int = 0) -> tuple[str, str]:
    """Return the value and the remark of the card, for a protocol with these commands."""
    if coming:
        first, *others = coming
        title = _commands(first, bare=True) if isinstance(first, Traffic) else _lives(first, n)
        rest = _each(first, n) if isinstance(first, Traffic) else ""
        said = [(rest + _when(first)).strip(), *(brief(one, n) for one in others)]
        return _upper(title), "; ".join(filter(None, said)) or tr("click to change")
    if commands:
        some = joined(commands[:_NAMED]) + (" …" if len(commands) > _NAMED else "")
        return _none(), tr("{commands}, or crashes: click to add", commands=some)
    return _none(), tr("processes that crash and recover: click to add")


def _none() -> str:
    return trc("commands and crashes at random", "None")


def _commands(one: Traffic, *, bare: bool = False) -> str:
    """Return which commands are given, to each process if each has its own: ``about 20 Publish commands``, and
    ``about 20 Publish`` if it is bare.
    """
    how, count = _many(one)
    if bare:
        if how == "at most one":
            return tr("at most one {command}", command=one.label)
        if how == "at most":
            return tr("at most {count:,} {command}", count=count, command=one.label)
        if how == "about":
            return tr("about {count:,} {command}", count=count, command=one.label)
        return tr("{count:,} {command}", count=count, command=one.label)
    if how == "at most one":
        return tr("at most one {command} command", command=one.label)
    if how == "at most":
        return trn("at most {count:,} {command} command", "at most {count:,} {command} commands", count,
                   command=one.label)  # fmt: skip
    if how == "about":
        return trn("about {count:,} {command} command", "about {count:,} {command} commands", count, command=one.label)
    return trn("{count:,} {command} command", "{count:,} {command} commands", count, command=one.label)


def _many(one: Traffic) -> tuple[str, int]:
    """Return how many commands are given, and whether this number is exact, approximate or an upper bound."""
    if one.count is not None and math.isinf(one.until):
        return "exactly", one.count
    span, mean = one.until - one.begin, one.arrivals.mean
    if _exact(one.arrivals):
        comes = max(math.ceil(span / mean - 1e-9) - 1, 0)
        return "exactly", min(comes, one.count or comes)
    expected = span / mean
    if one.count is not None and one.count <= expected / 2:  # This number is almost certain.
        return "exactly", one.count
    if one.count is not None and one.count < 2 * expected:
        return "at most", one.count
    return ("about", _round(expected)) if expected >= 0.75 else ("at most one", 1)


def _each(one: Traffic, n: int) -> str:
    if one.processes == _EACH:
        return trn(" for the only process", " for each of {count:,} processes", n) if n else tr(" for each process")
    return "" if isinstance(one.processes, str) else tr(" to {processes}", processes=_names(one.processes))


def _names(names: Sequence[str]) -> str:
    return joined(tuple(names)) if len(names) <= _NAMED else plural(len(names), "process", "processes")


def _when(one: ByItself) -> str:
    begin, until = one.begin, one.until
    if math.isinf(until):
        return tr(" from {begin:g} on", begin=begin) if begin else ""
    if begin:
        return tr(" from {begin:g} until {until:g}", begin=begin, until=until)
    if isinstance(one, Churn) and one.downtime is None:
        return tr(" before {until:g}", until=until)
    return tr(" until {until:g}", until=until)


def _exact(law: Distribution) -> bool:
    return law.kind == "constant"


def _average(law: Distribution) -> str:
    return "" if _exact(law) else tr(" on average")


def _round(count: float) -> int:
    """Return an expected number rounded to at most two digits."""
    digits = 10 ** (math.floor(math.log10(count)) - 1) if count >= 10 else 1
    return round(count / digits) * digits


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
    begin = Entry("from", trc("label of a time", "From"), f"{one.begin:g}" if one.begin else "", about=tr("the start"))
    last = f"{one.until:g}" if math.isfinite(one.until) else ""
    until = Entry("until", trc("label of a time", "Until"), last, about=tr("the end"))
    if isinstance(one, Churn):
        away = "" if one.downtime is None else str(one.downtime)
        who = tr("{all}, or names such as 3, 4", all=_ALL)
        return [
            Entry("processes", trc("label of processes", "Who"), _written(one.processes), about=who),
            Entry("lifetime", tr("Crashes after"), str(one.lifetime)),
            Entry("downtime", tr("Recovers after"), away, about=tr("never")),
            begin, until,
            Entry("keep", trc("label of how it recovers", "Recovers"), BACK[one.keep], BACK),
        ]  # fmt: skip
    names = tuple(command.name for command in commands)
    if one.label not in names:
        names = (one.label, *names)
    command = next((each for each in commands if each.name == one.label), None)
    declared = {} if command is None else {field.name: field for field in command.fields}
    told = "" if command is None else command.doc.partition("\n")[0]
    to = tr("{any}, {each}, or names such as 3, 4", any=_ANY, each=_EACH)
    lines = [
        Entry("label", trc("to a process", "Command"), one.label, names, about=told),
        Entry("processes", tr("Sent to"), _written(one.processes), about=to),
        Entry("arrivals", trc("label of a time", "One every"), str(one.arrivals)),
        begin, until,
        Entry("count", trc("label of a number", "At most"), "" if one.count is None else str(one.count),
              about=tr("unlimited")),
    ]  # fmt: skip
    for name in dict.fromkeys((*declared, *one.fields)):
        field = declared.get(name)
        usual = text_of_source(field.default, field.type) if field is not None else None
        value = write_value(one.fields[name], field.type if field else "") if name in one.fields else ""
        lines.append(Entry(f"field:{name}", name, value, about=usual if usual is not None else tr("is required")))
    return lines


#: How a process recovers, by whether it keeps its variables.
BACK = (tr("in its initial state"), tr("with its variables kept"))


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
            raise BadInput(
                tr("is required: {value}, or {random}", value=wanted(field.type), random=DRAWS),
                place=f"field:{field.name}",
            )
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
            what = (
                tr("there is no process {process}{hint}; write {all}, or names")
                if churn
                else tr("there is no process {process}{hint}; write {any} or {each}, or names")
            ).format(process=shown(name), hint=did_you_mean(name, names), all=_ALL, any=_ANY, each=_EACH)
            raise BadInput(what, place="processes")
    return found


def _number(text: str, key: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise BadInput(tr("must be a number such as 200, not {value}", value=shown(text.strip())), place=key)
    return found


def _whole(text: str) -> int:
    try:
        return int(text.replace(",", ""))
    except ValueError:
        raise BadInput(
            tr("must be a whole number such as 50, not {value}", value=shown(text.strip())), place="count"
        ) from None


def _field(text: str, type_text: str, place: str) -> Any:
    """Return the meaning of a field's line: a distribution, or a plain value of the declared type."""
    try:
        if not _DRAWN.fullmatch(text):
            return read_value(text, type_text)
    except BadInput as error:
        what = tr("{reason}; for a random value, write {random}", reason=error.what, random=DRAWS)
        raise BadInput(what, place=place) from None
    try:
        check_field(text)
    except BadInput as error:
        raise BadInput(error.what, place=place) from None
    return text


def _first_value(type_text: str) -> str:
    """Return the distribution of a field without a default."""
    return "uniform(0, 1)" if type_text.strip() == "float" else "number"


def _written(processes: str | Sequence[str]) -> str:
    return processes if isinstance(processes, str) else ", ".join(processes)


def _law(text: str) -> Distribution:
    return parse(text)
