"""Shared objects: what their operations return, alone and overlapping, and what is refused."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import lydian
from lydian import atomic, compare_and_swap, regular, safe
from lydian.model.memory.memory import Memory
from lydian.model.memory.objects import Handle, Shared
from lydian.model.protocol.guards import NotAllowed

NUMBERS = {"n": 3, "m": 3}


class Someone:
    """A process as the memory sees it: its number, and its choices."""

    def __init__(self, memory: Memory, i: int) -> None:
        self._i, self.chosen = i, 0
        self._engine = self
        self.memory = memory
        self.offered: list[Any] = []

    def choose(self, options: list[Any]) -> Any:
        self.offered = options
        return options[self.chosen]

    def do(self, declared: Shared, word: str, *given: Any, index: Any = None) -> Any:
        handle = Handle(self, declared)
        handle = handle if index is None else handle[index]
        return self.memory.access(self, getattr(handle, word)(*given))


def world(declared: Any, count: int = 3) -> tuple[Any, list[Someone]]:
    declared.__set_name__(object, "x")
    memory = Memory((declared,), ("0", "1", "2"), NUMBERS)
    return declared, [Someone(memory, i) for i in range(count)]


def test_atomic_registers() -> None:
    x, (p, q, _) = world(atomic(4))
    assert p.do(x, "read") == 4 and p.do(x, "write", [1]) is None
    got = q.do(x, "read")
    got.append(2)
    assert p.do(x, "read") == [1]  # nothing is shared with the register
    assert dict(p.memory.values()) == {"x": [1]}


def test_test_and_set_and_compare_and_swap() -> None:
    x, (p, q, _) = world(lydian.test_and_set())
    assert [p.do(x, "test_and_set"), q.do(x, "test_and_set"), p.do(x, "reset"), q.do(x, "test_and_set")] == [
        False, True, None, False,
    ]  # fmt: skip
    x, (p, q, _) = world(compare_and_swap(None))
    assert [p.do(x, "compare_and_swap", None, 1), q.do(x, "compare_and_swap", None, 2), q.do(x, "read")] == [None, 1, 1]
    assert p.do(x, "compare_and_swap", True, 2) == 1 and p.do(x, "read") == 1  # True is not 1


def test_arrays_have_the_names_of_the_processes_or_numbers() -> None:
    x, (p, *_) = world(atomic(0, each=True))
    assert list(Handle(p, x)) == ["0", "1", "2"] and len(Handle(p, x)) == 3 and "1" in Handle(p, x)
    p.do(x, "write", 7, index="1")
    assert dict(p.memory.values()) == {"x[0]": 0, "x[1]": 7, "x[2]": 0}
    x, (p, *_) = world(atomic(0, size="2*n - 1"))
    assert list(Handle(p, x)) == [0, 1, 2, 3, 4]


def test_a_regular_read_returns_the_old_value_or_one_that_is_being_written() -> None:
    x, (p, q, _) = world(regular(0))
    assert q.do(x, "read") is ...
    for value in (1, 2):
        assert p.do(x, "write", value) is ... and p.do(x, "write", value) is None
    q.chosen = 1
    assert q.do(x, "read") == 1 and q.offered == [0, 1, 2]
    assert q.do(x, "read") is ... and q.do(x, "read") == 2  # alone, it returns the last value
    assert p.do(x, "write", 3) is ...
    assert q.do(x, "read") is ... and p.do(x, "write", 3) is None
    q.chosen = 0
    assert q.do(x, "read") == 2 and q.offered == [2, 3]


def test_a_safe_read_that_overlaps_a_write_returns_any_value() -> None:
    x, (p, q, _) = world(safe("a", values="abc"))
    assert q.do(x, "read") is ... and q.do(x, "read") == "a"
    assert q.do(x, "read") is ... and p.do(x, "write", "a") is ...
    q.chosen = 2
    assert q.do(x, "read") == "c" and q.offered == ["a", "b", "c"]
    assert q.do(x, "read") is ...  # the write is still in progress
    assert p.do(x, "write", "a") is None
    assert q.do(x, "read") == "c"
    assert q.do(x, "read") is ... and q.do(x, "read") == "a"


def test_a_write_of_a_crashed_process_never_ends() -> None:
    x, (p, q, r) = world(regular(0))
    p.do(x, "write", 1)
    p.memory.forget(0)
    for _, last in pairwise(range(3)):
        assert q.do(x, "read") is ...
        q.chosen = last % 2
        assert q.do(x, "read") == last % 2
    with pytest.raises(NotAllowed, match="one writer at a time"):
        r.do(x, "write", 2)


#: What a process does wrong -> the object, and a part of the sentence.
WRONG = {
    "an unknown operation": (atomic(0), "swap", (1,), None, "an atomic register has no operation 'swap'"),
    "a misspelt operation": (atomic(0), "raed", (), None, "did you mean 'read'"),
    "too many values": (atomic(0), "write", (1, 2), None, r"write takes \(value\), and it gets 2 values"),
    "an array without an index": (atomic(0, each=True), "write", (1,), None, r"write self.x\[j\].write\(value\)"),
    "an unknown index": (atomic(0, each=True), "write", (1,), "9", "x has no object '9'"),
    "an index of a single object": (atomic(0), "write", (1,), "0", "x is a single object"),
    "a value outside the domain": (safe(0, values=(0, 1)), "write", (2,), None, r"whose values are \[0, 1\]"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_access_is_refused_in_a_sentence(what: str) -> None:
    declared, word, given, index, sentence = WRONG[what]
    x, (p, *_) = world(declared)
    with pytest.raises(NotAllowed, match=sentence):
        p.do(x, word, *given, index=index)


def test_objects_are_no_values() -> None:
    x, (p, *_) = world(atomic(0))
    handle = Handle(p, x)
    for wrong in (lambda: bool(handle), lambda: handle == 0, lambda: p.memory.access(p, 5)):
        with pytest.raises(NotAllowed):
            wrong()
    for wrong in (
        lambda: atomic(0, each=True, size=3), lambda: atomic(0, size=0), lambda: atomic(0, each=2),  # type: ignore[arg-type]
    ):  # fmt: skip
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="the initial value 5 is not one of the values"):
        safe(5, values=(0, 1))
