"""The sequential objects with which histories are compared: registers, key-value stores, queues, snapshots."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from lydian.model.history.operations import Operation

__all__ = ["Spec", "keyvalue", "queue", "register", "snapshot"]


@dataclass(frozen=True)
class Spec:
    """An object that executes one operation after the other.

    Attributes:
        name: what it is called.
        operations: the names of its operations, in small letters; others are not its business.
        initial: its initial state, which is not ``None``.
        step: returns the state after an operation, or ``None`` if the result of the operation is impossible there. An
            operation without a response may have any result.
        reads: the operations that leave the state as it is.
        part: returns the part of the object that an operation concerns; parts are independent of one another.
        stored: whether reads return what writes have written, as causal consistency assumes.
    """

    name: str
    operations: frozenset[str]
    initial: Hashable
    step: Callable[[Any, Operation], Hashable | None]
    reads: frozenset[str]
    part: Callable[[Operation], Hashable] = lambda operation: ""
    stored: bool = False


def same(value: Any) -> Hashable:
    """Return a value in a form that can be compared: lists and tuples with the same elements are the same."""
    try:
        return json.dumps(value, sort_keys=True)
    except (TypeError, ValueError):
        return repr(value)


def _open(operation: Operation) -> bool:
    return operation.outcome != "ok"


def _on_register(state: Hashable, operation: Operation) -> Hashable | None:
    name = operation.name.lower()
    if name in ("write", "put"):
        return same(operation.value)
    if name in ("read", "get"):
        return state if _open(operation) or state == same(operation.result) else None
    matches = state == same(operation.fields.get("old"))
    if not _open(operation) and matches != bool(operation.result):
        return None
    return same(operation.fields.get("new")) if matches else state


def register(initial: Any = None) -> Spec:
    """Return a register with the commands ``Read``, ``Write`` (field ``value``) and ``Cas`` (fields ``old`` and
    ``new``, answered True or False)."""
    names = frozenset({"read", "write", "cas"})
    return Spec("a register", names, same(initial), _on_register, frozenset({"read"}), stored=True)


def keyvalue(initial: Any = None) -> Spec:
    """Return a store of one register for each ``key``, with the commands ``Get``, ``Put`` (field ``value``) and
    ``Cas``."""
    names = frozenset({"get", "put", "read", "write", "cas"})
    reads = frozenset({"get", "read"})

    def part(operation: Operation) -> Hashable:
        return same(operation.fields.get("key"))

    return Spec("a key-value store", names, same(initial), _on_register, reads, part, stored=True)


def _on_queue(state: tuple[Hashable, ...], operation: Operation) -> Hashable | None:
    if operation.name.lower() == "enqueue":
        return (*state, same(operation.value))
    first, rest = state[:1], state[1:]
    if not _open(operation) and first != (() if operation.result is None else (same(operation.result),)):
        return None
    return rest


def queue() -> Spec:
    """Return a queue with the commands ``Enqueue`` (field ``value``) and ``Dequeue``, answered ``None`` if it is
    empty."""
    return Spec("a queue", frozenset({"enqueue", "dequeue"}), (), _on_queue, frozenset())


def snapshot(initial: Any = None) -> Spec:
    """Return a snapshot object, in which each process has a value: with the commands ``Update`` (field ``value``),
    which changes the value of the process, and ``Scan``, answered with a table of processes and their values."""
    nothing = same(initial)

    def step(state: tuple[tuple[str, Hashable], ...], operation: Operation) -> Hashable | None:
        values = dict(state)
        if operation.name.lower() == "update":
            values[operation.process] = same(operation.value)
            return tuple(sorted((name, value) for name, value in values.items() if value != nothing))
        found = operation.result if isinstance(operation.result, dict) else {}
        seen = tuple(sorted((str(name), same(value)) for name, value in found.items() if same(value) != nothing))
        return state if _open(operation) or seen == state else None

    return Spec("a snapshot object", frozenset({"update", "scan"}), (), step, frozenset({"scan"}))
