"""The numbering of plain data, by which a search recognises what it has met before."""

from __future__ import annotations

from typing import Any

from lydian.model.protocol.message import Message, Record

__all__ = ["Numbers", "frozen"]

_ATOMS = frozenset({str, int, type(None), bytes})


def frozen(value: Any) -> Any:
    """Return plain data in hashable form; two results are equal if and only if the values and their types are equal.

    Raises:
        TypeError: the value is not plain data.
    """
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is bool or kind is float:
        return (kind, value if value == value else "nan")
    if kind is tuple or kind is list:
        return (kind, *map(frozen, value))
    if kind is set or kind is frozenset:
        return (kind, frozenset(map(frozen, value)))
    if kind is dict:
        return (kind, *((frozen(key), frozen(item)) for key, item in value.items()))
    if isinstance(value, Record):
        return (kind, *map(frozen, kind._values(value)))
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (int, float)):
        return (kind, value)
    raise TypeError(f"{kind.__name__} is not plain data")


class Numbers:
    """A numbering of things, 0, 1, 2 ... in order of first appearance, in which equal things have the same number.

    Attributes:
        things: number -> thing.
    """

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._known: dict[Any, int] = {}

    def of(self, key: Any, thing: Any = None) -> int:
        """Return the number of a key; store ``thing`` for a new key (or the key itself if ``thing`` is ``None``)."""
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.things)
            self.things.append(key if thing is None else thing)
        return number

    def message(self, m: Message) -> int:
        """Return the number of a message."""
        return self.of(frozen(m), m)
