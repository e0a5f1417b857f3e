"""Linearizability of a history of operations: the search of Wing and Gong with Lowe's memory.

A history is linearizable if each operation can be given a point between its call and its return such that the results
are those of the operations executed one after the other at these points. The search chooses the next operation among
those that no unchosen operation precedes, and goes back when none fits. It never visits a configuration (the set of
chosen operations and the state of the object) twice. Keys are independent of each other, so each key has a search of
its own, which Herlihy and Wing prove to be sufficient.

J. M. Wing and C. Gong, "Testing and verifying concurrent objects", J. Parallel and Distributed Computing 17, 1993;
G. Lowe, "Testing for linearizability", Concurrency and Computation 29, 2017; M. Herlihy and J. M. Wing,
"Linearizability: a correctness condition for concurrent objects", TOPLAS 12(3), 1990.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["ABSENT", "Access", "Call", "Verdict", "check_keys", "check_register", "order", "same"]

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
#: The state of a register that was never written.
ABSENT = "absent"
#: The number of steps between two looks at the clock.
_TURN = 2048
#: The largest number of configurations that the search of one key remembers.
MOST_CONFIGURATIONS = 2_000_000


class Call(Protocol):
    """What the search needs of an operation: the times of its call and its return, and whether it has returned."""

    @property
    def start(self) -> float: ...

    @property
    def end(self) -> float: ...

    @property
    def known(self) -> bool: ...


@dataclass(frozen=True)
class Access:
    """One operation on a register.

    Args:
        do: ``read``, ``write`` or ``cas`` (write ``new`` if the register contains ``old``).
        start, end: the times of its call and its return; an end of infinity means that its outcome is unknown: it
            may take effect at any later time, or never.
        value: the value that was read or written, or the new value of a ``cas``; as :func:`same` returns it.
        old: the value that a ``cas`` expects.
        at: an event by which the user recognises it.
    """

    do: str
    start: float
    end: float
    value: str
    old: str = ABSENT
    at: int = -1

    @property
    def known(self) -> bool:
        """Whether it has returned."""
        return self.end < math.inf


@dataclass(frozen=True)
class Verdict:
    """The result of a search: ``holds`` is ``None`` if it was too long.

    ``stuck`` is the operation that had to be ordered when the longest possible order ended.
    """

    holds: bool | None
    stuck: Any = None
    key: str = ""


def same(value: Any) -> str:
    """Return a text that is the same for equal JSON values."""
    return repr(value) if type(value) is int else _encode(value)


def check_keys(accesses: Mapping[str, Sequence[Access]], seconds: float) -> Verdict:
    """Check each key's operations; return the first violation, or ``None`` for any key whose search took too long.

    Args:
        seconds: the time limit for all keys.
    """
    ends = time.monotonic() + seconds
    undecided: Verdict | None = None
    for key, each in accesses.items():
        found = check_register(each, max(ends - time.monotonic(), 0.0))
        if found.holds is False:
            return Verdict(False, found.stuck, key)
        if found.holds is None:
            undecided = undecided or Verdict(None, found.stuck, key)
    return undecided or Verdict(True)


class _Entry:
    """A call or a return in the list of those that are not yet ordered."""

    __slots__ = ("access", "after", "before", "bit", "place", "returns")

    def __init__(self, access: Any, bit: int, place: int) -> None:
        self.access, self.bit, self.place = access, bit, place
        self.before: _Entry | None = None
        self.after: _Entry | None = None
        self.returns: _Entry | None = None  # of a call: its return

    def lift(self) -> None:
        """Remove a call and its return."""
        for each in (self, self.returns):
            if each is not None:
                each.before.after = each.after  # type: ignore[union-attr]  # the list begins with a sentinel
                if each.after is not None:
                    each.after.before = each.before

    def put_back(self) -> None:
        """Undo :meth:`lift`."""
        for each in (self.returns, self):
            if each is not None:
                each.before.after = each  # type: ignore[union-attr]
                if each.after is not None:
                    each.after.before = each


def check_register(accesses: Iterable[Access], seconds: float, initial: str = ABSENT) -> Verdict:
    """Search for an order of the operations on one register that explains all results.

    Args:
        seconds: the time limit of the search.
        initial: the value of the register at the beginning.
    """
    return order([each for each in accesses if each.known or each.do != "read"], _step, initial, seconds)


def order(
    calls: Sequence[Call], step: Callable[[Any, Any], Hashable | None], initial: Hashable, seconds: float
) -> Verdict:
    """Search for an order of the calls in real time that explains all results.

    Args:
        calls: the operations; those that have not returned may take effect or not.
        step: returns the state after an operation, or ``None`` if its result is impossible in this state.
        initial: the initial state, which is not ``None``.
        seconds: the time limit of the search.
    """
    head, must = _listed(calls)
    ends = time.monotonic() + seconds
    state, ordered = initial, 0
    seen: set[tuple[int, Hashable]] = set()
    path: list[tuple[_Entry, Hashable]] = []
    entry, furthest = head.after, head
    steps = 0
    while ordered & must != must:
        steps += 1
        if steps % _TURN == 0 and (time.monotonic() > ends or len(seen) > MOST_CONFIGURATIONS):
            return Verdict(None, furthest.access)
        if entry is not None and entry.bit:
            new = step(state, entry.access)
            configuration = (ordered | entry.bit, new)
            if new is not None and configuration not in seen:
                seen.add(configuration)
                path.append((entry, state))
                state, ordered = new, configuration[0]
                entry.lift()
                entry = head.after
            else:
                entry = entry.after
            continue
        if entry is not None and entry.place > furthest.place:
            furthest = entry
        if not path:
            return Verdict(False, furthest.access)
        chosen, state = path.pop()
        ordered &= ~chosen.bit
        chosen.put_back()
        entry = chosen.after
    return Verdict(True)


def _step(state: str, access: Access) -> str | None:
    """Return the state after an operation, or ``None`` if its result is impossible in this state."""
    if access.do == "write":
        return access.value
    if access.do == "read":
        return state if access.value == state else None
    if state == access.old:
        return access.value
    return None if access.known else state


def _listed(accesses: Sequence[Call]) -> tuple[_Entry, int]:
    """Return the sentinel of the list of calls and returns by time, and the bits of the operations with a return.

    A call and a return at the same time are concurrent.
    """
    must = 0
    marks: list[tuple[float, int, _Entry]] = []
    for number, access in enumerate(accesses):
        call = _Entry(access, 1 << number, 0)
        marks.append((access.start, 0, call))
        if access.known:
            must |= call.bit
            call.returns = _Entry(access, 0, 0)
            marks.append((access.end, 1, call.returns))
    marks.sort(key=lambda mark: mark[:2])
    head = last = _Entry(None, 0, -1)
    for place, (_, _, entry) in enumerate(marks):
        entry.place, entry.before, last.after = place, last, entry
        last = entry
    return head, must
