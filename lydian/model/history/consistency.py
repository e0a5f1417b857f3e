"""Properties of histories: linearizability, sequential consistency, causal consistency.

M. Herlihy and J. M. Wing, "Linearizability: a correctness condition for concurrent objects", TOPLAS 12(3), 1990;
L. Lamport, "How to make a multiprocessor computer that correctly executes multiprocess programs", IEEE Transactions on
Computers 28(9), 1979; M. Ahamad, G. Neiger, J. Burns, P. Kohli and P. Hutto, "Causal memory: definitions,
implementation, and programming", Distributed Computing 9, 1995.
"""

from __future__ import annotations

import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import shown
from lydian.model.history.linearizable import order
from lydian.model.history.operations import History, Operation
from lydian.model.history.specs import Spec, same
from lydian.model.protocol.properties import Property

__all__ = ["SECONDS", "Violated", "causally_consistent", "linearizable", "sequentially_consistent"]

#: The time limit of the search for one history.
SECONDS = 4.0
#: The number of steps between two looks at the clock.
_TURN = 2048


class Violated:
    """The result of a check that fails: it is false, and says why.

    Attributes:
        why: a sentence.
        operations: the operations that no order explains.
    """

    def __init__(self, why: str, operations: Sequence[Operation]) -> None:
        self.why, self.operations = why, tuple(operations)

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return self.why


@dataclass(frozen=True)
class _Call:
    """An operation as the search of :mod:`~lydian.model.history.linearizable` wants it."""

    operation: Operation

    @property
    def start(self) -> float:
        return self.operation.invoked

    @property
    def end(self) -> float:
        known = self.operation.outcome == "ok" and self.operation.completed is not None
        return float(self.operation.completed or 0.0) if known else math.inf

    @property
    def known(self) -> bool:
        return self.operation.outcome == "ok"


def linearizable(spec: Spec, name: str = "the operations are linearizable") -> Callable[[Any], Any]:
    """Declare that the operations so far can be ordered in real time so that the object ``spec`` explains all
    results."""
    return _property("linearizable", "always", name, spec, _linear)


def sequentially_consistent(
    spec: Spec, name: str = "the operations are sequentially consistent"
) -> Callable[[Any], Any]:
    """Declare that at the end the operations can be ordered, those of one process in their order, so that the object
    ``spec`` explains all results."""
    return _property("sequentially_consistent", "at_end", name, spec, _sequential)


def causally_consistent(spec: Spec, name: str = "the operations are causally consistent") -> Callable[[Any], Any]:
    """Declare that at the end, for each process, its reads and all writes can be ordered in accordance with causality
    so that the object ``spec`` (a register or a key-value store) explains its reads; no value is written twice."""
    if isinstance(spec, Spec) and not spec.stored:
        raise TypeError(f"causally_consistent is for registers and key-value stores, not {spec.name}")
    return _property("causally_consistent", "at_end", name, spec, _causal)


def _property(
    word: str, kind: str, name: str, spec: Spec, judge: Callable[[Sequence[Operation], Spec], Any]
) -> Callable[[Any], Any]:
    if not isinstance(spec, Spec):
        raise TypeError(f"{word} needs an object such as register(), not {shown(spec)}")

    def check(c: Any) -> Any:
        history: History = c.history
        known = history.known.get(check)
        if known is None or known[0] != history.changes:
            mine = [
                each for each in history
                if each.name.lower() in spec.operations and each.outcome != "fail"
                and (each.outcome == "ok" or each.name.lower() not in spec.reads)
            ]  # fmt: skip
            known = history.known[check] = (history.changes, judge(mine, spec))
        return known[1]

    check.__dict__["__lydian_property__"] = Property(name, kind, check, sys._getframe(2).f_lineno)
    return check


def _too_long(n: int) -> TimeoutError:
    return TimeoutError(f"the search for an order of {n} operations was stopped after {SECONDS:g} s")


def _linear(operations: Sequence[Operation], spec: Spec) -> Any:
    parts: dict[Hashable, list[Operation]] = defaultdict(list)
    for each in operations:
        parts[spec.part(each)].append(each)
    for some in parts.values():
        calls = [_Call(each) for each in some]
        found = order(calls, lambda state, call: spec.step(state, call.operation), spec.initial, SECONDS)
        if found.holds is None:
            raise _too_long(len(some))
        if not found.holds:
            stuck: Operation = found.stuck.operation
            near = [each for each in some if each is not stuck and not each.before(stuck) and not stuck.before(each)]
            last = max((each for each in some if each.before(stuck)), key=lambda each: each.invoked, default=None)
            around = [*([last] if last is not None else []), *near]
            why = f"no order in real time explains {stuck}"
            if around:
                why += f", after or during {' and '.join(map(str, around[-3:]))}"
            return Violated(why, [stuck, *around])
    return True


def _sequential(operations: Sequence[Operation], spec: Spec) -> Any:
    before = _program_order(operations)
    must = [number for number, each in enumerate(operations) if each.outcome == "ok"]
    stuck = _ordered(range(len(operations)), before, _whole(operations, spec), (), must)
    if stuck is None:
        return True
    return Violated(f"no order that keeps the order of each process explains {operations[stuck]}", [operations[stuck]])


def _whole(operations: Sequence[Operation], spec: Spec) -> Callable[[Any, int], Any]:
    """Return the step of an object with all its parts: from its state and the number of an operation to its state."""

    def step(state: Any, number: int) -> Any:
        operation = operations[number]
        part = spec.part(operation)
        now = dict(state)
        new = spec.step(now.get(part, spec.initial), operation)
        if new is None:
            return None
        now[part] = new
        return tuple(sorted(now.items(), key=repr))

    return step


def _program_order(operations: Sequence[Operation]) -> list[int]:
    """Return, for each operation, the set of operations of the same process before it, as bits."""
    own: dict[str, int] = defaultdict(int)
    before = []
    for number, each in enumerate(operations):
        before.append(own[each.process])
        own[each.process] |= 1 << number
    return before


def _ordered(
    numbers: Sequence[int], before: Sequence[int], step: Callable[[Any, int], Any], initial: Any, must: Sequence[int]
) -> int | None:
    """Search for an order of operations; return ``None``, or an operation that none of the longest orders contains.

    Args:
        numbers: the operations.
        before: for each operation, those that precede it, as bits.
        must: the operations that the order must contain.
    """
    all_ = sum(1 << number for number in numbers)
    wanted = sum(1 << number for number in must)
    seen: set[tuple[int, Any]] = {(0, initial)}
    work: list[tuple[int, Any]] = [(0, initial)]
    longest, steps, ends = 0, 0, time.monotonic() + SECONDS
    while work:
        done, state = work.pop()
        if done & wanted == wanted:
            return None
        if (done & wanted).bit_count() >= (longest & wanted).bit_count():
            longest = done
        for number in reversed(numbers):
            steps += 1
            if steps % _TURN == 0 and time.monotonic() > ends:
                raise _too_long(len(numbers))
            bit = 1 << number
            if done & bit or before[number] & all_ & ~done:
                continue
            new = step(state, number)
            if new is not None and (done | bit, new) not in seen:
                seen.add((done | bit, new))
                work.append((done | bit, new))
    return next(number for number in must if not longest >> number & 1)


def _causal(operations: Sequence[Operation], spec: Spec) -> Any:
    writers: dict[tuple[Hashable, Hashable], int] = {}
    for number, each in enumerate(operations):
        if each.name.lower() in ("write", "put"):
            key = spec.part(each), same(each.value)
            if key in writers:
                raise ValueError(f"causally_consistent needs different values, but {each} writes one again")
            writers[key] = number
    before = _program_order(operations)
    for number, each in enumerate(operations):
        if each.name.lower() in spec.reads and each.outcome == "ok":
            writer = writers.get((spec.part(each), same(each.result)))
            if writer is not None:
                before[number] |= 1 << writer
            elif same(each.result) != spec.initial:
                return Violated(f"no operation has written the result of {each}", [each])
    _close(before)
    for number, each in enumerate(operations):
        if before[number] >> number & 1:
            return Violated(f"{each} depends on itself", [each])
    for process in dict.fromkeys(each.process for each in operations):
        mine = [
            number for number, each in enumerate(operations)
            if each.process == process or each.name.lower() not in spec.reads
        ]  # fmt: skip
        own = [number for number in mine if operations[number].process == process]
        must = [number for number in own if operations[number].outcome == "ok"]
        stuck = _ordered(mine, before, _whole(operations, spec), (), must)
        if stuck is not None:
            why = f"for process {process}, no causal order of the writes explains {operations[stuck]}"
            return Violated(why, [operations[stuck]])
    return True


def _close(before: list[int]) -> None:
    """Make the relation transitive."""
    for middle in range(len(before)):
        bit = 1 << middle
        for number in range(len(before)):
            if before[number] & bit:
                before[number] |= before[middle]
