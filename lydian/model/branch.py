"""One branch of an experiment: its record, its table in a file, and a name for it.

What branches mean and how they make up a tree: :mod:`lydian.model.branches`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.model.intervention import Intervention
from lydian.model.reading import Table, at

__all__ = [
    "ROOT",
    "Branch",
    "automatic_name",
    "checked",
    "leaving_time",
    "read_branches",
    "unused_name",
    "write_branches",
]

#: The id of the run that the experiment itself describes.
ROOT = 0
_KEYS = ("id", "name", "parent", "at", "interventions", "notes")
#: What was done -> to one, and to several at once.
_WORDS = {
    "crash": ("{process} crashed", "{n} processes crashed"),
    "recover": ("{process} recovered", "{n} processes recovered"),
    "link_down": ("{link} cut", "{n} links cut"),
    "link_up": ("{link} restored", "{n} links restored"),
    "partition": ("{groups} cut off", "{n} partitions"),
    "heal": ("partition healed", "partition healed"),
    "drop": ("{message} dropped", "{n} messages dropped"),
    "delay": ("{message} delayed by {delay}", "{n} messages delayed"),
    "duplicate": ("{message} duplicated", "{n} messages duplicated"),
    "inject": ("{message} injected", "{n} messages injected"),
    "corrupt": ("{variable} of {process} corrupted", "{n} variables corrupted"),
    "wake": ("{process} woken", "{n} processes woken"),
    "command": ("{label} at {process}", "{n} commands"),
    "deliver": ("{message} delivered at once", "{n} messages delivered at once"),
    "hurry": ("{label} of {process} hurried", "{n} events hurried"),
    "edit": ("{message} changed", "{n} messages changed"),
    "scramble": ("{process} scrambled", "{n} processes scrambled"),
    "retime": ("{retimed} set to {distribution}", "{n} delays set"),
    "take_over": ("{process} taken over", "{n} processes taken over"),
    "release": ("{process} given back", "{n} processes given back"),
    "byzantine": ("{process} made to lie", "{n} processes made to lie"),
    "honest": ("{process} honest again", "{n} processes honest again"),
    "fire": ("{label} executed by {process}", "{n} rules executed"),
}


@dataclass(frozen=True)
class Branch:
    """One run that leaves another one.

    Args:
        id: its number, from 1; it stays the same for ever.
        name: what people call it; no other branch of the tree has the same.
        parent: the run that it leaves, :data:`ROOT` for the experiment's own.
        at: the simulated time when it leaves; finite, not negative.
        interventions: what is done differently, none of it before ``at``, in order of time.
        notes: whatever somebody wants to remember about it.

    Raises:
        BadInput: a value that is not allowed.
    """

    id: int
    name: str
    parent: int
    at: float
    interventions: tuple[Intervention, ...] = ()
    notes: str = ""

    def __post_init__(self) -> None:
        for key, least in (("id", 1), ("parent", 0)):
            value = getattr(self, key)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**63:
                raise BadInput(f"must be a whole number from {least} to 2**63 - 1, not {shown(value)}", place=key)
        if not isinstance(self.name, str) or not self.name or self.name != " ".join(self.name.split()):
            raise BadInput(f'must be one line such as "9 crashed at 6.0", not {shown(self.name)}', place="name")
        if isinstance(self.at, bool) or not isinstance(self.at, int | float) or not 0 <= self.at < math.inf:
            raise BadInput(f"must be a finite number that is not negative, not {shown(self.at)}", place="at")
        object.__setattr__(self, "at", float(self.at))
        object.__setattr__(self, "interventions", tuple(self.interventions))
        last = self.at
        for i, each in enumerate(self.interventions):
            if each.time < last:
                what = f"{each.time} is too early; nothing of it may be before {last}, when it "
                what += "leaves" if last == self.at else "did the one before"
                raise BadInput(what, place=f"interventions[{i}].time")
            last = each.time

    def to_dict(self) -> dict[str, Any]:
        """The branch as it stands in a file; what has its default value is left out."""
        result: dict[str, Any] = {"id": self.id, "name": self.name}
        if self.parent != ROOT:
            result["parent"] = self.parent
        result["at"] = self.at
        if self.notes:
            result["notes"] = self.notes
        if self.interventions:
            result["interventions"] = [each.to_dict() for each in self.interventions]
        return result


def read_branches(data: Iterable[tuple[str, Any]], file: Path | str | None = None) -> tuple[Branch, ...]:
    """The branches in the tables of a file, each with its place there.

    Keys of a table: ``id`` (its place in the list, from 1, if left out), ``name`` (from what is done if left out),
    ``parent`` (the id of the run it leaves, the experiment's own if left out), ``at``, ``interventions`` and
    ``notes``.

    Raises:
        BadInput: with file and place.
    """
    found: list[Branch] = []
    for number, (place, item) in enumerate(data, 1):
        table = Table(item, _KEYS, file=file, place=place)
        done = tuple(Intervention.from_dict(each, file, where) for where, each in table.tables("interventions"))
        time = table.number("at", done[0].time if done else None)
        if time is None:
            table.need("at", float, "at = 6.0")
        name = table.get("name", str, unused_name(automatic_name(done, time), found))
        with at(file, place):
            found.append(
                Branch(
                    table.whole("id", number, 1), name, table.whole("parent", ROOT), time, done,
                    table.get("notes", str, ""),
                )
            )  # fmt: skip
    with at(file):
        return checked(found)


def write_branches(branches: Iterable[Branch]) -> list[dict[str, Any]]:
    """What :func:`read_branches` reads."""
    return [each.to_dict() for each in branches]


def checked(branches: Iterable[Branch]) -> tuple[Branch, ...]:
    """The same branches, which make up a tree.

    Raises:
        BadInput: they do not.
    """
    branches = tuple(branches)
    begins: dict[int, float] = {ROOT: 0.0}
    names: set[str] = set()
    for i, each in enumerate(branches):
        place = f"branches[{i}]"
        if each.id in begins:
            raise BadInput(f"another branch has the id {each.id} already; give each its own", place=f"{place}.id")
        if each.name in names:
            raise BadInput(f"another branch is called {shown(each.name)} already", place=f"{place}.name")
        if each.parent not in begins:
            what = f"there is no branch {each.parent} before this one; a parent stands before its children"
            raise BadInput(what, place=f"{place}.parent")
        if each.at < begins[each.parent]:
            what = f"{each.at} is before its parent begins, at {begins[each.parent]}; it leaves the parent's parent"
            raise BadInput(what, place=f"{place}.at")
        begins[each.id] = each.at
        names.add(each.name)
    return branches


def automatic_name(interventions: Sequence[Intervention], at: float) -> str:
    """A name from what is done: ``9 crashed at 6.0``, ``3 links cut at 4.25``, ``undisturbed from 6.0``."""
    if not interventions:
        return f"undisturbed from {_time(at)}"
    first = interventions[0]
    together = [each for each in interventions if each.do == first.do and each.time == first.time]
    words = _WORDS[first.do][0 if len(together) == 1 else 1].format(
        n=len(together),
        process=first.process,
        link="-".join(first.link or ()),
        message=_message(first),
        variable=first.variable,
        label=first.label,
        delay=_time(first.delay or 0.0),
        retimed="-".join(first.link or ()) or first.process,
        distribution=first.distribution,
        groups=joined_groups(first.groups),
    )
    rest = len(interventions) - len(together)
    return " ".join(f"{words} at {_time(first.time)}{f' and {rest} more' if rest else ''}".split())


def leaving_time(seen: float, following: float | None = None) -> float:
    """A time to leave a run after the events at ``seen`` and before those at ``following``, as round as possible.

    What is done at a time comes before all events of that time, so that whoever goes back to an event he has seen
    has to leave a little later.  Without a later event (``None``, or at the same time) there is only the time itself.
    """
    if following is None or not seen < following:
        return seen
    for digits in range(13):
        time: float = math.floor(seen * 10**digits + 1) / 10**digits
        if seen < time < following:
            return time
    middle = seen + (following - seen) / 2
    return middle if seen < middle < following else following


def unused_name(name: str, branches: Iterable[Branch]) -> str:
    """The name, or with the first number in brackets that no other branch has."""
    taken = {each.name for each in branches}
    names = (name if i == 1 else f"{name} ({i})" for i in range(1, len(taken) + 2))
    return next(each for each in names if each not in taken)


def joined_groups(groups: Sequence[Sequence[str]]) -> str:
    """``0, 1 | 2, 3``: the groups of a partition."""
    return " | ".join(", ".join(map(str, group)) for group in groups)


def _message(what: Intervention) -> str:
    if what.message is not None:
        return f"message {what.message}"
    return f"{what.label or 'message'}{' {} to {}'.format(*what.link) if what.link else ''}"


def _time(value: float) -> str:
    """``6.0``, ``4.25``: at most three decimals, at least one."""
    text = f"{value:.3f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
