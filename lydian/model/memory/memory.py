"""The shared memory of an execution: the values of all shared objects, and the operations in progress.

A read of a regular register returns the value before it or that of a write that overlaps it; a read of a safe register
that overlaps a write returns any value of its domain. The memory lets the process choose among these, as
``self.choose`` does: at random in a run, and each in turn in a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import ProtocolError, shown
from lydian.model.lang.formula import Formula
from lydian.model.memory.objects import REGULAR, Access, Shared
from lydian.model.protocol.guards import refuse
from lydian.model.protocol.message import plain_copy

__all__ = ["MOST_OBJECTS", "Done", "Lasting", "Memory"]

#: The largest number of objects in one array.
MOST_OBJECTS = 100_000


@dataclass(frozen=True)
class Lasting:
    """The content of a regular or a safe register.

    Attributes:
        value: the last value whose write has ended.
        writing: the process that writes, and its value; empty if none does.
        reading: the processes that read, and the values that each may return.
    """

    value: Any
    writing: tuple[tuple[int, Any], ...] = ()
    reading: tuple[tuple[int, tuple[Any, ...]], ...] = ()


@dataclass(frozen=True)
class Done:
    """An access that a process has made, for the trace.

    Attributes:
        object: the name of the object: ``turn``, ``wants[2]``.
        do, given: the operation and its arguments.
        phase: ``begins`` or ``ends`` for an operation that lasts; otherwise "".
        result: what the operation returns; ``None`` while it has not ended.
        value: the value of the object after the access.
        cell: the number of the object.
        written: whether later accesses depend on this one.
    """

    object: str
    do: str
    given: tuple[Any, ...]
    phase: str
    result: Any
    value: Any
    cell: int
    written: bool

    def told(self) -> dict[str, Any]:
        """Return the access as it is in a trace."""
        told: dict[str, Any] = {"object": self.object, "do": self.do}
        if self.given:
            told["given"] = list(self.given)
        if self.phase:
            told["phase"] = self.phase
        if self.phase != "begins" and self.do not in ("write", "reset"):
            told["result"] = self.result
        told["value"] = self.value
        return told


class Memory:
    """The shared objects of one execution.

    Args:
        objects: the declarations.
        order: the names of all processes in natural order, which are the indices of an array with ``each``.
        numbers: the values of n, m and the parameters, for sizes.
        file: the protocol's file, for errors.

    Attributes:
        names: the name of each object.
        contents: the content of each object: its value, or a :class:`Lasting`.
        done: the last access; the engine takes it after each step.
    """

    def __init__(
        self, objects: Sequence[Shared], order: Sequence[str], numbers: Mapping[str, Any], file: str | None = None
    ) -> None:
        self.names: list[str] = []
        self.contents: list[Any] = []
        self.done: Done | None = None
        self._cells: dict[tuple[str, Any], int] = {}
        self._indices: dict[str, tuple[Any, ...]] = {}
        for each in objects:
            indices: tuple[Any, ...] = (None,)
            if each.array:
                indices = tuple(order) if each.each else tuple(range(_size(each, numbers, file)))
                self._indices[each.name] = indices
            for index in indices:
                self._cells[each.name, index] = len(self.names)
                self.names.append(each.name if index is None else f"{each.name}[{index}]")
                initial = plain_copy(each.initial)
                self.contents.append(Lasting(initial) if each.kind.lasting else initial)

    def indices(self, declared: Shared) -> tuple[Any, ...]:
        """Return the indices of an array."""
        return self._indices[declared.name]

    def value(self, cell: int) -> Any:
        """Return the value of an object: for a register with operations in progress, that of the last write that has
        ended."""
        content = self.contents[cell]
        return content.value if isinstance(content, Lasting) else content

    def values(self) -> Iterator[tuple[str, Any]]:
        """Yield the names and values of all objects."""
        for cell, name in enumerate(self.names):
            yield name, self.value(cell)

    def cell(self, name: str, index: Any = None) -> int:
        """Return the number of an object."""
        return self._cells[name, index]

    def forget(self, i: int) -> None:
        """Detach the operations in progress from a process that crashes; they never end."""
        for cell, content in enumerate(self.contents):
            if isinstance(content, Lasting) and any(who == i for who, _ in (*content.writing, *content.reading)):
                writing = tuple((-1 - i if who == i else who, new) for who, new in content.writing)
                reading = tuple(each for each in content.reading if each[0] != i)
                self.contents[cell] = Lasting(content.value, writing, reading)

    def access(self, p: Any, access: Any) -> Any:
        """Execute an access of a process and return its result; ``...`` if the operation has only begun."""
        if not isinstance(access, Access):
            raise refuse(
                f"yield needs an access to a shared object, such as self.turn.read(), or wait(...), not {shown(access)}"
            )
        cell = self._cells[access.object.name, access.index]
        if access.object.kind.lasting:
            return self._lasting(p, access, cell)
        old = self.contents[cell]
        given = tuple(map(plain_copy, access.given))
        new, result, writes = _STEPS[access.do](old, *given)
        self.contents[cell] = new
        self.done = Done(self.names[cell], access.do, given, "", result, new, cell, writes)
        return plain_copy(result)

    def _lasting(self, p: Any, access: Access, cell: int) -> Any:
        content: Lasting = self.contents[cell]
        i = p._i
        if any(who == i for who, _ in (*content.writing, *content.reading)):
            return self._ends(p, access, cell, content)
        if access.do == "read":
            candidates = (content.value, *(new for _, new in content.writing))
            if content.writing and access.object.kind is not REGULAR:
                candidates = access.object.values
            self.contents[cell] = Lasting(content.value, content.writing, (*content.reading, (i, candidates)))
            self.done = Done(self.names[cell], "read", (), "begins", None, content.value, cell, False)
            return ...
        new = plain_copy(access.given[0])
        if content.writing:
            raise refuse(
                f"it writes {self.names[cell]} while another write is in progress; {access.object.kind.name} has one "
                "writer at a time"
            )
        if access.object.values and new not in access.object.values:
            raise refuse(f"it writes {shown(new)} to {self.names[cell]}, whose values are {list(access.object.values)}")
        if access.object.kind is REGULAR:
            reading = tuple((who, (*some, new)) for who, some in content.reading)
        else:
            reading = tuple((who, access.object.values) for who, _ in content.reading)
        self.contents[cell] = Lasting(content.value, ((i, new),), reading)
        self.done = Done(self.names[cell], "write", (new,), "begins", None, content.value, cell, True)
        return ...

    def _ends(self, p: Any, access: Access, cell: int, content: Lasting) -> Any:
        i = p._i
        if access.do == "write":
            new = content.writing[0][1]
            self.contents[cell] = Lasting(new, (), content.reading)
            self.done = Done(self.names[cell], "write", (new,), "ends", None, new, cell, True)
            return None
        some = next(some for who, some in content.reading if who == i)
        different = [each for at, each in enumerate(some) if not any(_same(each, other) for other in some[:at])]
        result = different[0] if len(different) == 1 else p.choose(different)
        reading = tuple(each for each in content.reading if each[0] != i)
        self.contents[cell] = Lasting(content.value, content.writing, reading)
        self.done = Done(self.names[cell], "read", (), "ends", result, content.value, cell, False)
        return plain_copy(result)


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _size(each: Shared, numbers: Mapping[str, Any], file: str | None) -> int:
    if isinstance(each.size, int):
        return each.size
    size = int(Formula(str(each.size)).value(numbers))
    if not 1 <= size <= MOST_OBJECTS:
        what = (
            f"the array '{each.name}' would have {size} objects; there must be at least 1 and at most {MOST_OBJECTS:,}"
        )
        raise ProtocolError(what, file=file)
    return size


def _compare_and_swap(value: Any, old: Any, new: Any) -> tuple[Any, Any, bool]:
    return (new, value, True) if _same(value, old) else (value, value, False)


#: Operation of an atomic object -> its value and its arguments -> its new value, the result, and whether it writes.
_STEPS: Mapping[str, Any] = {
    "read": lambda value: (value, value, False),
    "write": lambda value, new: (new, None, True),
    "test_and_set": lambda value: (True, value, True),
    "reset": lambda value: (False, None, True),
    "compare_and_swap": _compare_and_swap,
}
