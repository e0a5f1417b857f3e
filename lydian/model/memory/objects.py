"""Shared objects: registers and stronger objects to which all processes have access.

::

    class Peterson(Process):
        wants = atomic(False, each=True)    # one register for each process: self.wants[j]
        turn = atomic(None)                 # a single register: self.turn

A program (:mod:`lydian.model.protocol.program`) accesses an object with ``yield``: ``yield self.turn.write(j)``,
``x = yield self.wants[j].read()``. Each access is a step of its own, and other processes may take steps between two
accesses. An access to an atomic object is one event. A read or a write of a regular or a safe register has a beginning
and an end, which are two events, so that accesses of several processes may overlap.

The objects are those of L. Lamport, "On interprocess communication", Distributed Computing 1, 1986 (safe, regular and
atomic registers), and of M. Herlihy, "Wait-free synchronization", TOPLAS 13, 1991 (test-and-set, compare-and-swap).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from lydian.model.errors import did_you_mean, shown
from lydian.model.protocol.guards import refuse

__all__ = ["Access", "Handle", "Kind", "Shared", "atomic", "compare_and_swap", "regular", "safe", "test_and_set"]


@dataclass(frozen=True)
class Kind:
    """A kind of shared object.

    Attributes:
        name: what it is called, with its article.
        operations: operation -> the names of its arguments.
        lasting: whether an operation has a beginning and an end.
    """

    name: str
    operations: Mapping[str, tuple[str, ...]]
    lasting: bool = False


_READ_WRITE: Mapping[str, tuple[str, ...]] = MappingProxyType({"read": (), "write": ("value",)})
ATOMIC = Kind("an atomic register", _READ_WRITE)
REGULAR = Kind("a regular register", _READ_WRITE, lasting=True)
SAFE = Kind("a safe register", _READ_WRITE, lasting=True)
TEST_AND_SET = Kind("a test-and-set object", MappingProxyType({"test_and_set": (), "reset": (), "read": ()}))
COMPARE_AND_SWAP = Kind(
    "a compare-and-swap object", MappingProxyType({"compare_and_swap": ("old", "new"), "read": (), "write": ("value",)})
)


@dataclass(frozen=True)
class Shared:
    """The declaration of a shared object, or of an array of them, in a class body.

    Attributes:
        kind: its kind.
        initial: its initial value.
        each: whether there is one for each process, ``self.flag[j]``.
        size: the number of objects in an array ``self.level[0]``, ``self.level[1]`` ...; a number, or a formula in n,
            m and the parameters.
        values: the values that a read of a safe register may return if a write overlaps it.
        name: its name in the class body.
    """

    kind: Kind
    initial: Any
    each: bool = False
    size: int | str | None = None
    values: tuple[Any, ...] = ()
    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)

    def __get__(self, process: Any, owner: type | None = None) -> Any:
        return self if process is None else Handle(process, self)

    def __set__(self, process: Any, value: Any) -> None:
        raise refuse(f"it assigns to the shared object '{self.name}'; write yield self.{self.name}{self._how()}")

    def _how(self) -> str:
        index = "[j]" if self.array else ""
        operation, names = next(each for each in self.kind.operations.items() if each[0] != "read")
        return f"{index}.{operation}({', '.join(names)})"

    @property
    def array(self) -> bool:
        """Whether there are several objects of this name."""
        return self.each or self.size is not None


@dataclass(frozen=True)
class Access:
    """An operation that a process wants to execute on a shared object.

    Attributes:
        object: the declaration of the object.
        index: the index in an array; ``None`` for a single object.
        do: the operation.
        given: its arguments.
    """

    object: Shared
    index: Any
    do: str
    given: tuple[Any, ...]


class Handle:
    """A shared object, or an array of them, as a process sees it: ``self.turn``, ``self.wants``, ``self.wants[j]``."""

    __slots__ = ("_index", "_object", "_process")

    def __init__(self, process: Any, object: Shared, index: Any = None) -> None:
        self._process, self._object, self._index = process, object, index

    def __getitem__(self, index: Any) -> Handle:
        name = self._object.name
        if not self._object.array or self._index is not None:
            raise refuse(f"{name} is a single object; write self.{name}{self._object._how()}")
        known = self._indices()
        if index not in known:
            there = ", ".join(map(str, known))
            raise refuse(f"{name} has no object {shown(index)}{did_you_mean(index, known)}; its indices are {there}")
        return Handle(self._process, self._object, index)

    def __iter__(self) -> Iterator[Any]:
        """Return the indices of an array: the names of all processes in natural order, or 0, 1, 2 ..."""
        return iter(self._indices())

    def __len__(self) -> int:
        return len(self._indices())

    def __contains__(self, index: Any) -> bool:
        return index in self._indices()

    def _indices(self) -> tuple[Any, ...]:
        if not self._object.array or self._index is not None:
            raise refuse(f"{self._object.name} is a single object and has no indices")
        indices: tuple[Any, ...] = self._process._engine.memory.indices(self._object)
        return indices

    def __getattr__(self, word: str) -> Any:
        if word.startswith("__"):
            raise AttributeError(word)
        declared = self._object
        names = declared.kind.operations.get(word)
        if names is None:
            known = ", ".join(declared.kind.operations)
            what = f"{declared.kind.name} has no operation '{word}'{did_you_mean(word, declared.kind.operations)}"
            raise refuse(f"{what}; choose from {known}")
        if declared.array and self._index is None:
            raise refuse(f"{declared.name} is an array; write self.{declared.name}[j].{word}({', '.join(names)})")

        def access(*given: Any) -> Access:
            if len(given) != len(names):
                raise refuse(f"{word} takes ({', '.join(names)}), and it gets {len(given)} values")
            return Access(declared, self._index, word, given)

        return access

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in Handle.__slots__:
            raise refuse(f"it assigns to '{name}' of a shared object; write yield ...write(value)")
        object.__setattr__(self, name, value)

    def __setitem__(self, index: Any, value: Any) -> None:
        raise refuse(f"it assigns to {self._object.name}[{index}]; write yield self.{self._object.name}[j].write(...)")

    def __bool__(self) -> bool:
        name = self._object.name
        raise refuse(f"it uses '{name}' as a value; read it first: x = yield self.{name}.read()")

    def __eq__(self, other: object) -> bool:
        return self.__bool__()

    __hash__ = None  # type: ignore[assignment]  # it is no value


def _checked(kind: Kind, initial: Any, each: Any, size: Any, values: tuple[Any, ...] = ()) -> Any:
    if each not in (True, False):
        raise TypeError(f"each must be True or False, not {shown(each)}")
    if size is not None:
        if each:
            raise TypeError("an array has either each=True or a size, not both")
        if isinstance(size, bool) or not isinstance(size, (int, str)) or (isinstance(size, int) and size < 1):
            raise TypeError(f"size must be a number of objects or a formula such as 'n - 1', not {shown(size)}")
    return Shared(kind, initial, bool(each), size, values)


def atomic(initial: Any = None, *, each: bool = False, size: int | str | None = None) -> Any:
    """Declare an atomic register, with ``read()`` and ``write(value)``; each access is one event.

    Args:
        initial: its initial value.
        each: whether there is one for each process: ``self.flag[j]``.
        size: the number of registers in an array; a number, or a formula in n, m and the parameters.
    """
    return _checked(ATOMIC, initial, each, size)


def regular(initial: Any = None, *, each: bool = False, size: int | str | None = None) -> Any:
    """Declare a regular register, as :func:`atomic`; a read that overlaps writes returns the value of one of them or
    the value before."""
    return _checked(REGULAR, initial, each, size)


def safe(initial: Any = None, *, values: Iterable[Any], each: bool = False, size: int | str | None = None) -> Any:
    """Declare a safe register, as :func:`atomic`; a read that overlaps a write may return any of the ``values``."""
    several = tuple(values)
    if initial not in several:
        raise ValueError(f"the initial value {shown(initial)} is not one of the values{did_you_mean(initial, several)}")
    return _checked(SAFE, initial, each, size, several)


def test_and_set(*, each: bool = False, size: int | str | None = None) -> Any:  # noqa: PT028 - it is no test
    """Declare a test-and-set object, False at first: ``test_and_set()`` returns its value and sets it to True;
    ``reset()`` sets it to False."""
    return _checked(TEST_AND_SET, False, each, size)


def compare_and_swap(initial: Any = None, *, each: bool = False, size: int | str | None = None) -> Any:
    """Declare a compare-and-swap object: ``compare_and_swap(old, new)`` returns its value, and replaces it by ``new``
    if it was ``old``."""
    return _checked(COMPARE_AND_SWAP, initial, each, size)
