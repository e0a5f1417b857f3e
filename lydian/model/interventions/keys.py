"""The keys of interventions in a file: what each is called, what it may hold, how it is read and written."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.model.reading import Table

__all__ = [
    "AIM", "BY", "DELAY", "DISTRIBUTION", "FIELDS", "GROUPS", "HOW", "KEEP", "KEYS", "LABEL", "LINK", "MESSAGE",
    "ONE_WAY", "PROCESS", "SEED", "UNTIL", "VALUE", "VARIABLE", "Key", "ends_of", "link_text", "plain",
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Key:
    """A key that interventions may have beside ``time``, ``do`` and ``after``.

    Attributes:
        name: what it is called in a file and as an attribute of an intervention.
        type: what it holds in a file.
        empty: its value where nothing is said, which is not written.
        example: how it is written, for the sentence that says that it is missing.
        sample: some value that fits, where the real one is not known yet.
        title: what stands before its line in a form.
        plain: given a value from Python -> the value that is kept; raises BadInput for one that a file cannot hold.
        read: given the table in which it stands -> its value; ``None``: as its type says.
        write: given its value -> what stands in a file.
        check: given its value -> what is wrong with it; "" if nothing is.
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
        """The value in a table; ``empty`` if it has none."""
        if self.name not in table:
            return self.empty
        return table.get(self.name, self.type) if self.read is None else self.read(table)


def plain(value: Any, place: str) -> Any:
    """A value as a file can hold it: sets become sorted lists and tuples lists.

    Raises:
        BadInput: a value that is no text, number, truth value, list or table of such, or is not a number (NaN).
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
    """The two ends in ``"3-5"`` or ``["3", "5"]``; ``None`` for anything else."""
    ends = value.split("-") if isinstance(value, str) else list(value) if isinstance(value, list | tuple) else []
    ends = [str(end) if isinstance(end, int) and not isinstance(end, bool) else end for end in ends]
    return (ends[0], ends[1]) if len(ends) == 2 and all(isinstance(end, str) and end for end in ends) else None


def link_text(link: tuple[str, str]) -> str | list[str]:
    """What :func:`ends_of` reads; the list is needed where a name contains a hyphen."""
    return "-".join(link) if all(end and "-" not in end for end in link) else list(link)


def _link(table: Table) -> tuple[str, str]:
    ends = ends_of(table.data["link"])
    if ends is None:
        what = f'must be the two ends of a link, "3-5" or ["3", "5"], not {shown(table.data["link"])}'
        raise table.bad("link", what)
    return ends


def _by(table: Table) -> Any:
    """A number by which another one grows; a whole one stays whole."""
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


def _finite(value: Any) -> str:
    good = math.isfinite(value) and not isinstance(value, bool)
    return "" if good else f"must be a finite number, not {shown(value)}"


def _numbered(value: int) -> str:
    return "" if value >= 0 else f"must be the number of a message such as 0, not {value}"


#: Name of the process.
PROCESS = Key("process", example='process = "3"', sample="0", read=lambda table: table.name("process"))
#: Names of the two ends of the link; for a message its sender and its receiver.
LINK = Key("link", list, example='link = "3-5"', sample=("0", "1"), read=_link, write=link_text)
#: Number of the message in transit.
MESSAGE = Key("message", int, sample=0, check=_numbered)
#: Class of the message, command or timer, ``INIT``, or name of the guarded action.
LABEL = Key("label", example='label = "Ack"', sample="Ack")
#: Name of the variable, or ``"state"``.
VARIABLE = Key("variable", example='variable = "parent"', sample="state")
#: Its new value; sets are given as lists; ``None`` (in a file: no ``value``) is Python's ``None``.
VALUE = Key("value", plain=lambda value: plain(value, "value"), read=lambda table: table.data["value"])
#: By how much a number grows, whatever it is by then.
BY = Key("by", float, sample=1, read=_by, check=_finite)
#: By how much a message arrives later; negative: earlier, but not before the intervention.
DELAY = Key("delay", float, example="delay = 2.0", sample=1.0, check=_finite)
#: Fields of a message or command that differ from their defaults; those that change.
FIELDS = Key(
    "fields", dict, {}, "fields = {clock = 3}", {}, plain=lambda value: plain(dict(value), "fields"), write=dict
)
#: Whether a process recovers with the variables that it had.
KEEP = Key("keep", bool, True, sample=True)
#: What is drawn from, beside the experiment's own seed.
SEED = Key("seed", int, 0, sample=0)
#: What the delay of a link, or the time of a step of a process, is from now on.
DISTRIBUTION = Key("distribution", example='distribution = "uniform(2, 4)"', sample="constant(1)")
#: How a Byzantine process behaves; ``None`` is the usual way.
HOW = Key("how", sample="lie")
#: Names of the processes of each group.
GROUPS = Key(
    "groups", list, (), "groups = [[0, 1], [2, 3, 4]]", (("0",),), plain=_named, read=_groups,
    write=lambda groups: [list(group) for group in groups],
)  # fmt: skip
#: When it is over by itself; ``None``: when it is undone.
UNTIL = Key("until", float)
#: Whether a link is meant from its first to its second end only.
ONE_WAY = Key("one_way", bool, False, sample=False)
#: What an intervention is done to, which stands first in a file.
AIM = (PROCESS, LINK, MESSAGE, LABEL)
#: The keys of all kinds, by their names.
KEYS: dict[str, Key] = {
    key.name: key
    for key in (
        *AIM, VARIABLE, VALUE, BY, DELAY, FIELDS, KEEP, SEED, DISTRIBUTION, HOW, GROUPS, UNTIL, ONE_WAY
    )
}  # fmt: skip
