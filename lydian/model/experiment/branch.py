"""One branch of an experiment: its record, its table in a file, and its name.

The meaning of branches, and their tree, are described in :mod:`lydian.model.experiment.branches`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.model.interventions import Intervention
from lydian.model.interventions.words import done_words, moment
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


@dataclass(frozen=True)
class Branch:
    """A run that departs from another run.

    Args:
        id: its number, from 1; it never changes.
        name: its name for users, unique in the tree.
        parent: the run from which it departs, :data:`ROOT` for the experiment's own run.
        at: the simulated time at which it departs; finite, not negative.
        interventions: the interventions that make it different, none of them before ``at``, in order of time.
        notes: any notes of the user about it.

    Raises:
        BadInput: a value is not permitted.
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
                what = f"{each.time} is too early; it must be at least {last}, the time of "
                what += "the branch itself" if last == self.at else "the previous intervention"
                raise BadInput(what, place=f"interventions[{i}].time")
            last = each.time

    def to_dict(self) -> dict[str, Any]:
        """Return the branch as it is written in a file, without default values."""
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
    """Read the branches in the tables of a file, each with its place there.

    Keys of a table: ``id`` (by default its position in the list, from 1), ``name`` (by default derived from the
    interventions), ``parent`` (the id of the run from which it departs, by default the experiment's own), ``at``,
    ``interventions`` and ``notes``.

    Raises:
        BadInput: names the file and the place.
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
    """Return branches in the form that :func:`read_branches` reads."""
    return [each.to_dict() for each in branches]


def checked(branches: Iterable[Branch]) -> tuple[Branch, ...]:
    """Return the same branches after checking that they form a tree.

    Raises:
        BadInput: they do not form a tree.
    """
    branches = tuple(branches)
    begins: dict[int, float] = {ROOT: 0.0}
    names: set[str] = set()
    for i, each in enumerate(branches):
        place = f"branches[{i}]"
        if each.id in begins:
            raise BadInput(f"another branch already has the id {each.id}; each must have its own", place=f"{place}.id")
        if each.name in names:
            raise BadInput(f"another branch is already called {shown(each.name)}", place=f"{place}.name")
        if each.parent not in begins:
            what = f"branch {each.parent} is missing before this one; a parent must come before its children"
            raise BadInput(what, place=f"{place}.parent")
        if each.at < begins[each.parent]:
            what = f"{each.at} is before its parent begins, at {begins[each.parent]}; it must be later"
            raise BadInput(what, place=f"{place}.at")
        begins[each.id] = each.at
        names.add(each.name)
    return branches


def automatic_name(interventions: Sequence[Intervention], at: float) -> str:
    """Derive a name from the interventions: ``9 crashed at 6.0``, ``3 links cut at 4.25``, ``undisturbed from 6.0``."""
    if not interventions:
        return f"undisturbed from {moment(at)}"
    first = interventions[0]
    together = [each for each in interventions if each.do == first.do and each.time == first.time]
    rest = len(interventions) - len(together)
    return " ".join(f"{done_words(together)} at {moment(first.time)}{f' and {rest} more' if rest else ''}".split())


def leaving_time(seen: float, following: float | None = None) -> float:
    """Return a time to depart from a run between the events at ``seen`` and ``following``, as round as possible.

    An intervention precedes all events of the same time, so a branch made after an event must depart slightly later
    than that event. Without a later event (``None``, or one at the same time) only the time itself is possible.
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
    """Return the name, or the name with the smallest number in brackets that no other branch has."""
    taken = {each.name for each in branches}
    names = (name if i == 1 else f"{name} ({i})" for i in range(1, len(taken) + 2))
    return next(each for each in names if each not in taken)
