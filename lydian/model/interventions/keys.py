"""The keys of interventions in a file: their names, their values, and how they are read and written."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.model.reading import Table

__all__ = [
    "AIM", "BY", "CHOICES", "DELAY", "DISTRIBUTION", "FIELDS", "GROUPS", "HOW", "KEEP", "KEYS", "LABEL", "LINK",
    "MESSAGE", "ONE_WAY", "PROCESS", "SEED", "UNTIL", "VALUE", "VARIABLE", "Key", "ends_of", "link_text", "plain",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Key:
    """A key that interventions may have in addition to ``time``, ``do`` and ``after``.

    Attributes:
        name: the name of the key in a file and of the attribute of an intervention.
        type: the type of its value in a file.
        empty: its default value, which is not written.
        example: an example in the syntax of a file, for the error that reports that the key is missing.
        sample: a valid value to use while the actual one is not known yet.
        title: the label of its line in a form.
        plain: a function from a value in Python to the value that is kept; raises BadInput for a value that a file
            cannot contain.
        read: a function from the table that contains the key to its value; ``None``: read it according to ``type``.
        write: a function from its value to the value in a file.
        check: a function from its value to a description of what is wrong with it; "" if nothing is wrong.
    """

    name: str
    type: type = str
    empty: Any = None
    example: str = ""
    sample: Any = None
    title: str = ""
    plain: Callable[[Any], Any] = lambda value: value
    read: Callable[[Table], Any] | None = None
    write: Callable[[Any], Any] = lambda value: value
    check: Callable[[Any], str] = lambda _value: ""

    def read_from(self, table: Table) -> Any:
        """Return the value of this key in a table, or ``empty`` if the table does not have the key."""
        if self.name not in table:
            return self.empty
        return table.get(self.name, self.type) if self.read is None else self.read(table)


def plain(value: Any, place: str) -> Any:
    """Return a value in a form that a file can contain: sets become sorted lists, and tuples become lists.

    Raises:
        BadInput: the value is not text, a number, a truth value, or a list or table of these; or it is NaN.
    """
    if isinstance(value, set | frozenset):
        value = sorted(value, key=lambda item: (str(type(item)), item))
    if isinstance(value, list | tuple):
        return [plain(item, place) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, float) and math.isnan(value):
        raise BadInput("must be a number, not nan", place=place)
    if value is not None and not isinstance(value, str | int | float | bool):
        raise BadInput(f"must be text, a number, true, false, a list or a table, not {shown(value)}", place=place)
    return value


def ends_of(value: Any) -> tuple[str, str] | None:
    """Return the two ends in ``"3-5"`` or ``["3", "5"]``, or ``None`` for any other value."""
    ends = value.split("-") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    ends = [str(end) if isinstance(end, int) and not isinstance(end, bool) else end for end in ends]
    return (ends[0], ends[1]) if len(ends) == 2 and all(isinstance(end, str) and end for end in ends) else None


def link_text(link: tuple[str, str]) -> str | list[str]:
    """Return a link in the form that :func:`ends_of` reads: a list if a name contains a hyphen, otherwise text."""
    return "-".join(link) if all(end and "-" not in end for end in link) else list(link)


def _link(table: Table) -> tuple[str, str]:
    ends = ends_of(table.data["link"])
    if ends is None:
        what = f'must be the two ends of a link, "3-5" or ["3", "5"], not {shown(table.data["link"])}'
        raise table.bad("link", what)
    return ends


def _by(table: Table) -> Any:
    """Return the number to be added to a variable; an integer stays an integer."""
    return table.data["by"] if isinstance(table.data["by"], int) else table.get("by", float)


def _groups(table: Table) -> tuple[tuple[str, ...], ...]:
    value = table.data["groups"]
    good = isinstance(value, list | tuple) and all(
        isinstance(group, list | tuple)
        and all(isinstance(name, str | int) and not isinstance(name, bool) for name in group)
        for group in value
    )
    if not good:
        raise table.bad("groups", f"must be lists of processes such as [[0, 1], [2, 3, 4]], not {shown(value)}")
    return _named(value)


def _named(groups: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(str(name) for name in group) for group in groups)


def _choices(table: Table) -> tuple[int, ...]:
    value = table.data["choices"]
    if not isinstance(value, list) or not all(type(each) is int and each >= 0 for each in value):
        raise table.bad("choices", f"must be a list of positions such as [0, 2], not {shown(value)}")
    return tuple(value)


def _finite(value: Any) -> str:
    good = math.isfinite(value) and not isinstance(value, bool)
    return "" if good else f"must be a finite number, not {shown(value)}"


def _numbered(value: int) -> str:
    return "" if value >= 0 else f"must be the number of a message such as 0, not {value}"


#: The name of the process.
PROCESS = Key("process", example='process = "3"', sample="0", read=lambda table: table.name("process"))
#: The names of the two ends of the link; for a message, its sender and its receiver.
LINK = Key("link", list, example='link = "3-5"', sample=("0", "1"), read=_link, write=link_text)
#: The number of the message in transit.
MESSAGE = Key("message", int, sample=0, check=_numbered)
#: The class of the message, command or timer, ``INIT``, or the name of the guarded action.
LABEL = Key("label", example='label = "Ack"', sample="Ack")
#: The name of the variable, or ``"state"``.
VARIABLE = Key("variable", example='variable = "parent"', sample="state")
#: The new value of the variable. Sets are given as lists; ``None`` (in a file: no ``value``) is Python's ``None``.
VALUE = Key("value", plain=lambda value: plain(value, "value"), read=lambda table: table.data["value"])
#: The number to be added to the value that the variable has at that moment.
BY = Key("by", float, sample=1, read=_by, check=_finite)
#: The additional delay of a message; if negative, it arrives earlier, but not before the intervention.
DELAY = Key("delay", float, example="delay = 2.0", sample=1.0, check=_finite)
#: The fields of a message or command that differ from their defaults, or the fields to be changed.
FIELDS = Key(
    "fields", dict, {}, "fields = {clock = 3}", {}, plain=lambda value: plain(dict(value), "fields"), write=dict
)
#: Whether a process keeps its variables when it recovers.
KEEP = Key("keep", bool, True, sample=True)
#: The seed for random choices, used in addition to the seed of the experiment.
SEED = Key("seed", int, 0, sample=0)
#: The new distribution of the delay of a link, or of the time that a process takes for a step.
DISTRIBUTION = Key("distribution", example='distribution = "uniform(2, 4)"', sample="constant(1)")
#: The behaviour of a Byzantine process; ``None`` is the default behaviour.
HOW = Key("how", sample="lie")
#: The names of the processes in each group.
GROUPS = Key(
    "groups", list, (), "groups = [[0, 1], [2, 3, 4]]", (("0",),), plain=_named, read=_groups,
    write=lambda groups: [list(group) for group in groups],
)  # fmt: skip
#: The time when the intervention ends by itself; ``None``: it lasts until it is undone.
UNTIL = Key("until", float)
#: The positions, counted from 0, of the options that the action of an event chooses (``self.choose``), in order.
CHOICES = Key("choices", list, (), "choices = [1]", (0,), plain=tuple, read=_choices, write=list)
#: Whether only the direction from the first end of the link to the second is affected.
ONE_WAY = Key("one_way", bool, False, sample=False)
#: The keys that name the target of an intervention; a file lists them first.
AIM = (PROCESS, LINK, MESSAGE, LABEL)
#: The keys of all kinds of intervention, by name.
KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        *AIM, VARIABLE, VALUE, BY, DELAY, FIELDS, KEEP, SEED, DISTRIBUTION, HOW, GROUPS, UNTIL, ONE_WAY, CHOICES
    )
}  # fmt: skip
