"""The history of an execution: its operations, each with its invocation and its response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

__all__ = ["History", "Operation", "argument_of"]


@dataclass(frozen=True)
class Operation:
    """An operation in the history: a command, and its result.

    Attributes:
        process: the name of the process.
        name: the name of the operation, which is that of the command.
        value: its argument: the field ``value`` of the command, or all its fields, or ``None`` if it has none.
        invoked: the time of the command; ``completed``: that of the result, or ``None``. In a search, which has no
            time, these numbers give only the order: operations that overlap are not ordered.
        outcome: ``"ok"``, ``"fail"``, ``"info"`` if it is unknown, or ``None`` while it lasts.
        result: the value of the response.
        seq: the event that is the command; ``end``: the event that is the result, or ``None``.
        fields: all fields of the command.
    """

    process: str
    name: str
    value: Any
    invoked: float
    seq: int
    completed: float | None = None
    outcome: str | None = None
    result: Any = None
    end: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def before(self, other: Operation) -> bool:
        """Return True if this operation was complete before the other one began."""
        return self.completed is not None and self.completed < other.invoked

    def __str__(self) -> str:
        shown = self.fields or ({} if self.value is None else {"value": self.value})
        called = f"{self.name}({', '.join(repr(each) for each in shown.values())}) by process {self.process}"
        if self.outcome is None:
            return f"{called}, which has no response"
        return called if self.result is None else f"{called} = {self.result!r}"


def argument_of(fields: Any) -> Any:
    """Return the argument of an operation: the field ``value`` of its command, or all fields, or ``None``."""
    if not isinstance(fields, Mapping) or not fields:
        return None
    return fields.get("value", dict(fields))


class History(list[Operation]):
    """The operations so far, in the order of their invocations.

    Attributes:
        changes: the number of invocations and responses, by which a check knows whether it has seen them.
        known: what checks have found out about this history, with the number of changes at that moment.
    """

    def __init__(self) -> None:
        super().__init__()
        self.changes = 0
        self.known: dict[Any, tuple[int, Any]] = {}
        self._open: dict[str, int] = {}

    def invoke(
        self, process: str, name: str, fields: Mapping[str, Any] | None, time: float, seq: int, value: Any = None
    ) -> None:
        """Begin an operation of a process; one that it has not completed remains without a result."""
        given = argument_of(fields) if value is None else value
        self._open[process] = len(self)
        self.changes += 1
        self.append(Operation(process, name, given, time, seq, fields=dict(fields or {})))

    def respond(self, process: str, result: Any, time: float, seq: int, outcome: str = "ok") -> bool:
        """Complete the operation of a process; return False if it has none."""
        at = self._open.pop(process, None)
        if at is None:
            return False
        self.changes += 1
        shown = result if outcome == "ok" else None
        self[at] = replace(self[at], completed=time, outcome=outcome, end=seq, result=shown)
        return True
