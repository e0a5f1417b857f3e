"""The lies of a Byzantine process: other values of the same types in place of the true ones.

A name becomes another name in the network. A number becomes one close to it, one far from it, or one that was seen in
the same field before. A Boolean value becomes its opposite. A text becomes another text of its group (states, constants
of the protocol file, choices of a parameter) or one that was seen in the same field; if there is none, it is negated:
``not news``. A message without fields cannot be changed in this way and stays as it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from lydian.model.protocol.message import Record, accepted_types, annotation_text, plain_copy, split_union

__all__ = ["Lies", "groups_of"]

Place = tuple[type, str]
#: The maximum number of values that are remembered for one field.
_MOST = 64
_COLLECTIONS = (tuple, list, set, frozenset)


class _Unknown(Exception):
    """An exception raised when no value can be invented for a type."""


def groups_of(protocol: Any, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return groups of interchangeable texts: names of processes, states, constants, choices of parameters."""
    own = (each.__globals__ for each in vars(protocol.cls).values() if hasattr(each, "__globals__"))
    scope: dict[str, Any] = next(own, {})
    constants = [value for word, value in scope.items() if word.isupper() and type(value) is str]
    choices = [each.choices for each in protocol.parameters.values() if each.choices]
    groups = [tuple(names), tuple(map(str, protocol.states)), tuple(dict.fromkeys(constants))]
    groups += [tuple(value for value in some if isinstance(value, str)) for some in choices]
    return tuple(group for group in groups if len(group) > 1)


class Lies:
    """The lies of one process.

    Args:
        chance: the random number generator of the process.
        groups: the result of :func:`groups_of`; the first group contains the names of processes, if they have names.
        names: the names of the processes, empty in an anonymous network.
        n: the number of processes, which determines how far apart numbers are.
    """

    def __init__(self, chance: random.Random, groups: Sequence[tuple[str, ...]], names: Sequence[str], n: int) -> None:
        self.chance = chance
        self._groups, self._names, self._n = groups, tuple(names), n
        self._seen: dict[Place, list[Any]] = {}
        self._last: dict[type, Record] = {}

    def hear(self, m: Record) -> None:
        """Remember a message that was received or would have been sent."""
        self._last[type(m)] = m
        for name, value in m._items():
            if isinstance(value, (str, int, float)):
                some = self._seen.setdefault((type(m), name), [])
                if value not in some and len(some) < _MOST:
                    some.append(value)

    def about(self, m: Record) -> Record:
        """Return the message with at least one field changed, or the message itself if no field can be changed."""
        cls = type(m)
        values = dict(m._items())
        order = list(values)
        self.chance.shuffle(order)
        changed: dict[str, Any] = {}
        for name in order:
            if changed and self.chance.random() < 0.5:
                continue
            other = self.other(values[name], annotation_text(cls._types[name]), (cls, name))
            if type(other) is not type(values[name]) or other != values[name]:
                changed[name] = other
        found: Record | None = _made(cls, {**values, **changed})
        return found or m

    def invented(self, cls: type[Record]) -> Record | None:
        """Return an invented message of a class, or ``None`` if no value can be invented for one of its fields."""
        last = self._last.get(cls)
        if last is not None:
            return self.about(last)
        try:
            values = {
                name: plain_copy(cls._defaults[name]) if name in cls._defaults
                else self._new(annotation_text(cls._types[name]), (cls, name))
                for name in cls._fields
            }  # fmt: skip
        except _Unknown:
            return None
        found: Record | None = _made(cls, values)
        return found

    # ------------------------------------------------------------------ one value

    def other(self, value: Any, text: str, place: Place) -> Any:
        """Return another value of a declared type, or the same value if there is none."""
        kinds = accepted_types(text) or (type(value),)
        if value is None:
            return self._try_new(text, place)
        if type(None) in kinds and self.chance.random() < 0.2:
            return None
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self._whole(value, place)
        if isinstance(value, float):
            return self._real(value)
        if isinstance(value, str):
            return self._text(value, place)
        if isinstance(value, Record):
            return self.about(value)
        if isinstance(value, _COLLECTIONS):
            return self._collection(value, text, place)
        if isinstance(value, dict) and value:
            key = self.chance.choice(list(value))
            return {**value, key: self.other(value[key], "", place)}
        return value

    def _whole(self, value: int, place: Place) -> int:
        seen = [each for each in self._seen.get(place, ()) if type(each) is int and each != value]
        which = self.chance.randrange(3)
        if which == 1 and seen:
            found: int = self.chance.choice(seen)
            return found
        if which == 2:
            far = self.chance.randint(0, 4 * max(self._n, 2))
            return far if far != value else far + 1
        return value + self.chance.choice((-2, -1, 1, 2))

    def _real(self, value: float) -> float:
        near = self.chance.random() < 0.5
        other = value * self.chance.uniform(0.5, 1.5) if near else self.chance.uniform(0.0, 4.0 * self._n)
        return round(other, 3) if other - other == 0.0 else 0.0

    def _text(self, value: str, place: Place) -> str:
        some = [each for group in self._groups if value in group for each in group]
        some += [each for each in self._seen.get(place, ()) if isinstance(each, str)]
        some = [each for each in dict.fromkeys(some) if each != value]
        if some:
            return _like(value, self.chance.choice(some))
        return value.removeprefix("not ") if value.startswith("not ") else f"not {value}" if value else value

    def _collection(self, value: Any, text: str, place: Place) -> Any:
        kind, inner = type(value), _inner(text)
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else list(value)
        fixed = kind is tuple and not (len(inner) == 2 and inner[1] == "...")
        ways: list[Callable[[], None]] = []

        def change() -> None:
            at = self.chance.randrange(len(items))
            items[at] = self.other(items[at], inner[at] if fixed and at < len(inner) else inner[0], place)

        def lose() -> None:
            del items[self.chance.randrange(len(items))]

        def gain() -> None:
            more = self.other(self.chance.choice(items), inner[0], place) if items else self._try_new(inner[0], place)
            if more is not None:
                items.insert(self.chance.randint(0, len(items)), more)

        ways += [change] if items else []
        ways += [] if fixed else [gain, lose] if items else [gain]
        if ways:
            self.chance.choice(ways)()
        try:
            return kind(items)
        except TypeError:
            return value

    # ------------------------------------------------------------------ invented values

    def _try_new(self, text: str, place: Place) -> Any:
        try:
            return self._new(text, place)
        except _Unknown:
            return None

    def _new(self, text: str, place: Place) -> Any:
        """Return a random value of a declared type."""
        parts = [part for part in split_union(text) if part not in ("None", "")]
        if not parts:
            raise _Unknown
        part = self.chance.choice(parts)
        kinds = accepted_types(part)
        if not kinds:
            raise _Unknown
        kind, inner = kinds[0], _inner(part)
        seen = [each for each in self._seen.get(place, ()) if type(each) is kind]
        if kind is bool:
            return self.chance.random() < 0.5
        if kind is int:
            return self.chance.choice(seen) if seen else self.chance.randint(0, self._n)
        if kind is float:
            return round(self.chance.uniform(0.0, float(self._n)), 3)
        if kind is str:
            some = seen or self._names or [each for group in self._groups for each in group]
            if not some:
                raise _Unknown
            return str(self.chance.choice(some))
        if kind is tuple and len(inner) > 0 and inner[-1] != "..." and inner[0]:
            return tuple(self._new(each, place) for each in inner)
        if kind in _COLLECTIONS:
            item = self._try_new(inner[0], place)
            return kind([] if item is None else [item])
        return kind()


def _inner(text: str) -> list[str]:
    """Return the types in the brackets of a declared collection, or ``[""]`` if there are none."""
    start = text.find("[")
    if start < 0 or not text.rstrip().endswith("]"):
        return [""]
    parts, depth, begin = [], 0, start + 1
    inside = text.rstrip()[:-1]
    for at in range(start + 1, len(inside)):
        depth += {"[": 1, "]": -1}.get(inside[at], 0)
        if inside[at] == "," and depth == 0:
            parts.append(inside[begin:at].strip())
            begin = at + 1
    return [*parts, inside[begin:].strip()]


def _like(value: str, other: str) -> str:
    """Convert a text to the class of another one, such as a state."""
    kind = type(value)
    return other if kind is str or isinstance(other, kind) else kind(other)


def _made(cls: Any, values: dict[str, Any]) -> Any:
    """Return a record, or ``None`` if its class rejects these values."""
    try:
        return cls(**values)
    except (TypeError, ValueError):
        return None
