"""Who takes part in a class: names, roles, processes, and the secrets that tell people apart."""

from __future__ import annotations

import hmac
import itertools
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lydian.classroom.naming import BadName, named
from lydian.engine.wire import Refused
from lydian.language import tr

__all__ = ["MOST_PEOPLE", "People", "Person"]

#: The most people in a class, those who have left included.
MOST_PEOPLE = 2000


@dataclass
class Person:
    """Somebody in a class.

    Attributes:
        number: of the person in this class, from 1.
        name: what they are called.
        role: one of :data:`lydian.classroom.frames.ROLES`.
        secret: what identifies them when they reconnect.
        process: the process that they play, or ``None``.
        wanted: whether they would like to play one.
        here: how many connections they have now.
        left: when the last connection ended, in seconds of the host's clock; ``None`` while they are here.
        hand: whether their hand is raised.
        removed: whether the host has ended their participation.
    """

    number: int
    name: str
    role: str
    secret: str
    process: str | None = None
    wanted: bool = False
    here: int = 0
    left: float | None = None
    hand: bool = False
    removed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return what is saved."""
        return {
            "number": self.number, "name": self.name, "role": self.role, "secret": self.secret,
            "process": self.process, "wanted": self.wanted, "removed": self.removed,
        }  # fmt: skip


@dataclass
class People:
    """The people of a class.

    Attributes:
        hidden: whether names are hidden.
    """

    hidden: bool = False
    _all: dict[int, Person] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __iter__(self) -> Iterator[Person]:
        """Yield those who have not been removed."""
        return (each for each in self._all.values() if not each.removed)

    def __getitem__(self, number: int) -> Person:
        return self._all[number]

    def add(self, name: str, role: str) -> Person:
        """Admit somebody.

        Raises:
            Refused: the name cannot be used, or the class is full.
        """
        if len(self._all) >= MOST_PEOPLE:
            raise Refused(tr("the class is full"))
        if role in ("player", "observer"):
            try:
                name = named(name, [each.name for each in self])
            except BadName as error:
                raise Refused(str(error)) from None
        number = next(self._numbers)
        self._all[number] = person = Person(number, name, role, secrets.token_urlsafe(18))
        return person

    def known(self, secret: str) -> Person | None:
        """Return whose secret this is. All are compared, so that the time taken says nothing."""
        found = None
        for each in self._all.values():
            if hmac.compare_digest(each.secret.encode(), secret.encode("utf-8", "replace")):
                found = each
        return found

    def rename(self, person: Person, name: str) -> None:
        """Call somebody differently.

        Raises:
            Refused: the name cannot be used.
        """
        try:
            person.name = named(name, [each.name for each in self if each is not person])
        except BadName as error:
            raise Refused(str(error)) from None

    def player(self, process: str) -> Person | None:
        """Return who plays a process."""
        return next((each for each in self if each.process == process), None)

    def called(self, person: Person) -> str:
        """Return what a person is called at present."""
        if not self.hidden or person.role in ("host", "screen"):
            return person.name
        if person.process is not None:
            return tr("seat {process}", process=person.process)
        return tr("person {number}", number=person.number)

    @property
    def all(self) -> list[Person]:
        """The people who are saved: all but the host and the screens, and also those who have been removed."""
        return [each for each in self._all.values() if each.role in ("player", "observer")]

    @property
    def class_(self) -> list[Person]:
        """The people other than the host and the screens."""
        return [each for each in self if each.role in ("player", "observer")]

    def to_list(self) -> list[dict[str, Any]]:
        """Return what is saved."""
        return [each.to_dict() for each in self.all]

    def restore(self, saved: list[dict[str, Any]]) -> None:
        """Admit those who were saved; nobody is here yet."""
        for each in saved:
            person = Person(**{**each, "left": 0.0})
            self._all[person.number] = person
        self._numbers = itertools.count(max(self._all, default=0) + 1)
