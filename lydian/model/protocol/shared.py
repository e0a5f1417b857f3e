"""Objects that all processes of a protocol share, and checks whether an execution has changed them.

Processes share no memory, but a list in the protocol's file, a class variable or the default of an argument is a single
object for all of them. A :class:`Common` takes a snapshot of all these objects and later finds what has changed.
"""

from __future__ import annotations

import operator
import random
import types
from collections import deque
from collections.abc import Iterator
from typing import Any

from lydian.model.protocol.message import Record
from lydian.model.protocol.process import Process

__all__ = ["Common"]

#: The largest number of parts in the snapshot of one name; larger values are identified by their length and identity.
_MOST = 20_000
_ATOMS = (bool, int, float, complex, str, bytes, type(None))
_FUNCTIONS = (types.FunctionType, staticmethod, classmethod, property)
#: The types whose values can change without being assigned anew.
_CHANGEABLE = (list, dict, set, deque, bytearray, random.Random, types.GeneratorType)
#: Attributes of functions and classes that are not set by the protocol.
_OURS = frozenset({"__lydian_rules__", "__lydian_property__", "__wrapped__"})
#: Represents a variable of an outer function that has no value yet.
_NOTHING = object()


class Common:
    """The names of a protocol that all its processes share, with their current values.

    Args:
        cls: the class of the protocol.
        scope: the names of its module.

    Attributes:
        names: the watched names in words: ``SEEN``, ``the class variable P.total``, ``the default of acc in forward``.
    """

    def __init__(self, cls: type[Process], scope: dict[str, Any]) -> None:
        self._cls = cls
        self._scope = scope
        named = dict(self._named())
        self._picture = {name: _picture(value) for name, value in named.items()}
        self.names = tuple(self._picture)
        self._spaces = [scope, *(vars(each) for each in _own_classes(scope, cls.__module__))]
        self._functions = [each for space in self._spaces for each in _own_functions(space, cls.__module__)]
        self._objects = self._reached()
        self._unsettled = [
            (value, self._picture[name]) for name, value in named.items() if not _settled(value, self._picture[name])
        ]
        self._bound = self._values()
        self._changeable = [(each, _picture(each)) for each in self._changeable_values()]

    @property
    def size(self) -> int:
        """The approximate number of values to check."""
        return sum(_length(each) for each in self._picture.values())

    @property
    def weight(self) -> int:
        """The approximate number of values that :meth:`suspicious` checks in addition to the names."""
        return sum(_length(before) for _, before in self._changeable)

    def suspicious(self) -> bool:
        """Return True if a name was assigned anew, or a collection has changed, since the last call.

        This takes a fraction of the time of :meth:`changed`, which determines the name.
        """
        try:
            bound = self._values()
            same = bound == self._bound  # an identical object is equal without a comparison
            self._bound = bound
            return not same or any(_picture(value) != before for value, before in self._changeable)
        except Exception:  # noqa: BLE001 - foreign objects may compare in any way
            return True

    def _values(self) -> list[list[Any]]:
        return [list(space.values()) for space in self._spaces]

    def _changeable_values(self) -> Iterator[Any]:
        found = [value for name, value in self._scope.items() if not name.startswith("__")]
        for space in self._spaces[1:]:
            found += [value for name, value in space.items() if not name.startswith("_")]
        for value in list(found):
            function = _function(value)
            if function is not None and function.__module__ == self._cls.__module__:
                found += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
                found += [value for word, value in vars(function).items() if word not in _OURS]
        for value in found:
            kind = type(value)
            own = kind.__module__.startswith("lydian_protocol_") and not isinstance(value, Record)
            if own or isinstance(value, _CHANGEABLE) or kind.__module__ == "itertools":
                yield value

    def changed(self) -> str | None:
        """Return the first name whose value has changed, or ``None``."""
        if self._same():
            return None
        now = {name: _picture(value) for name, value in self._named()}
        for name, before in self._picture.items():
            if name not in now or now[name] != before:
                return name
        return next((name for name in now if name not in self._picture), None)

    def _same(self) -> bool:
        """Return True if all names still refer to the same objects, and the changeable ones among these have not
        changed.

        If so, all snapshots are still valid; this takes a tenth of the time of taking them again.
        """
        now = self._reached()
        return (
            len(now) == len(self._objects)
            and all(map(operator.is_, now, self._objects))
            and all(_picture(value) == before for value, before in self._unsettled)
        )

    def _reached(self) -> list[object]:
        """Return every object that a name, a default or a variable of a function refers to, and the names."""
        found: list[object] = []
        for space in self._spaces:
            found += space
            found += space.values()
        for function in self._functions:
            found += function.__code__, function.__defaults__
            for inside in (function.__kwdefaults__, function.__dict__):
                if inside:
                    found += inside
                    found += inside.values()
            if function.__closure__:
                found += map(_inside, function.__closure__)
        return found

    def _named(self) -> Iterator[tuple[str, Any]]:
        module = self._cls.__module__
        for name, value in list(self._scope.items()):
            if name.startswith("__"):
                continue
            if isinstance(value, type):
                if value.__module__ == module:
                    yield from self._of_class(value)
            elif isinstance(value, types.FunctionType):
                if value.__module__ == module:
                    yield from _of_function(value, name)
            elif not isinstance(value, types.ModuleType):
                yield name, value

    def _of_class(self, cls: type) -> Iterator[tuple[str, Any]]:
        for name, value in list(vars(cls).items()):
            function = _function(value)
            if function is not None:
                if function.__module__ == cls.__module__:
                    yield from _of_function(function, f"{cls.__name__}.{name}")
            elif not (name.startswith("_") or isinstance(value, types.MemberDescriptorType)):
                yield f"the class variable {cls.__name__}.{name}", value


def _function(value: Any) -> types.FunctionType | None:
    """Return the function that a value of a class is or contains: a function, a method of the class or a property."""
    found = getattr(value, "__func__", getattr(value, "fget", value))
    return found if isinstance(found, types.FunctionType) else None


def _own_functions(space: Any, module: str) -> list[types.FunctionType]:
    found = map(_function, space.values())
    return [each for each in found if each is not None and each.__module__ == module]


def _own_classes(scope: dict[str, Any], module: str) -> list[type]:
    return [value for value in scope.values() if isinstance(value, type) and value.__module__ == module]


def _of_function(function: types.FunctionType, name: str) -> Iterator[tuple[str, Any]]:
    code = function.__code__
    if function.__defaults__:
        words = code.co_varnames[: code.co_argcount][-len(function.__defaults__) :]
        for word, value in zip(words, function.__defaults__, strict=True):
            yield f"the default of {word} in {name}", value
    for word, value in (function.__kwdefaults__ or {}).items():
        yield f"the default of {word} in {name}", value
    for word, value in vars(function).items():
        if word not in _OURS:
            yield f"{name}.{word}", value
    for word, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        if word != "__class__":
            yield f"{word} around {name}", _inside(cell)


def _inside(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the variable has no value yet
        return _NOTHING


def _length(picture: Any) -> int:
    return sum(_length(each) for each in picture) + 1 if isinstance(picture, tuple) else 1


def _settled(value: Any, picture: Any) -> bool:
    """Return True if an object always has the same snapshot."""
    if isinstance(value, tuple):
        return all(_settled(each, _picture(each)) for each in value)
    return isinstance(value, (*_ATOMS, frozenset)) or bool(picture == (type(value), id(value)))


def _picture(value: Any) -> Any:
    """Return a value that later equals a new snapshot if and only if the object is unchanged; it shares nothing
    changeable."""
    if isinstance(value, _ATOMS):
        return type(value), value
    return _deep(value, [_MOST], {})


def _deep(value: Any, left: list[int], seen: dict[int, int]) -> Any:
    left[0] -= 1
    kind = type(value)
    if isinstance(value, _ATOMS):
        return kind, value
    if id(value) in seen:
        return "again", seen[id(value)]
    seen[id(value)] = len(seen)
    if left[0] < 0:
        return kind, id(value), len(value) if hasattr(kind, "__len__") else 0
    if isinstance(value, (list, tuple, deque)):
        return kind, *(_deep(each, left, seen) for each in value)
    if isinstance(value, dict):
        return kind, *((_deep(key, left, seen), _deep(each, left, seen)) for key, each in value.items())
    if isinstance(value, (set, frozenset)):
        return kind, frozenset(value)
    if isinstance(value, bytearray):
        return kind, bytes(value)
    if isinstance(value, random.Random):
        return kind, value.getstate()
    if isinstance(value, types.GeneratorType):
        return kind, id(value), None if value.gi_frame is None else value.gi_frame.f_lasti
    if isinstance(value, Process):
        return kind, id(value)
    if isinstance(value, Record):
        return kind, *(_deep(each, left, seen) for _, each in value._items())
    if kind.__module__ == "itertools":
        return kind, repr(value)
    if isinstance(value, (type, *_FUNCTIONS, types.ModuleType)):
        return kind, id(value)
    if kind.__module__.startswith("lydian_protocol_"):
        slots = [name for each in kind.__mro__ for name in getattr(each, "__slots__", ())]
        inside = {**getattr(value, "__dict__", {}), **{n: getattr(value, n) for n in slots if hasattr(value, n)}}
        return kind, id(value), *((name, _deep(each, left, seen)) for name, each in inside.items())
    return kind, id(value)
