"""Snapshots of a process's variables, used to detect later changes.

A long list, tuple, set or dictionary is recorded as its difference from the previous value (see
:mod:`lydian.trace.differences`), so that the trace of a history that grows by one item per event is proportional to
the history, not to its square.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from operator import attrgetter, is_
from typing import Any

from lydian.model.protocol.process import Process
from lydian.trace.parquet.recorder import to_json

__all__ = ["GROWING", "Recorded", "difference", "kept_as", "reader"]

#: The types whose values may be recorded as differences.
GROWING = frozenset({list, tuple, set, dict})
#: A value shorter than this is recorded completely.
LEAST = 32


def reader(variables: tuple[str, ...], *, mixed: bool = False) -> Callable[[Process], tuple[Any, ...]]:
    """Return a function that returns the values of some variables of a process.

    Args:
        mixed: whether processes of several classes are read; a variable of another class has the value ``None``.
    """
    if not variables:
        return lambda p: ()
    if mixed:
        return lambda p: tuple(getattr(p, name, None) for name in variables)
    get = attrgetter(*variables)
    return get if len(variables) > 1 else lambda p: (get(p),)


_UNCHANGEABLE = frozenset({str, int, float, bool, type(None), bytes})


def kept_as(value: Any) -> tuple[Any, str]:
    """Return a copy of a value for later comparison, which does not change with the variable, and its JSON."""
    kind = type(value)
    if kind in _UNCHANGEABLE:
        return value, to_json(value)
    if kind in (set, list, dict):
        kept = value.copy()
        if kind is set or all(type(item) in _UNCHANGEABLE for item in (kept if kind is list else kept.values())):
            return kept, to_json(kept)
    return _deep(value), to_json(value)


def _deep(value: Any) -> Any:
    kind = type(value)
    if kind is list:
        return [_deep(item) for item in value]
    if kind is tuple:
        copied = tuple(map(_deep, value))
        return value if all(map(is_, copied, value)) else copied
    if kind is dict:
        return {key: _deep(item) for key, item in value.items()}
    if kind is set:
        return value.copy()
    return value


class Recorded:
    """The record of a variable in the trace: the event of its last change, and the differences since its full record.

    Attributes:
        where: a list with the ``seq`` of the event of the last change.
        since: the number of items recorded as differences since the complete value was recorded.
        same: whether the snapshot is the value itself, a tuple that cannot change.
    """

    __slots__ = ("same", "since", "where")

    def __init__(self, where: list[int], same: bool = False) -> None:
        self.where, self.since, self.same = where, 0, same


def difference(kept: Any, now: Any, recorded: Recorded) -> tuple[Any, str] | None:
    """Return a value for later comparison and the changes in a long value as JSON.

    If ``kept`` is mutable, it is updated. Return ``None``, and leave ``kept`` as it was, if the complete value is to be
    recorded because it is short, because too much of it has changed, or because so many differences have been recorded
    that a reader needs a complete value again.
    """
    find = _FINDERS.get(type(now))
    if find is None or type(now) is not type(kept):
        return None
    if len(kept) < LEAST or recorded.since > max(LEAST, len(now) // 2):
        return None
    found = find(kept, now, len(now) // 4)
    if found is None:
        return None
    size, text = found
    recorded.since += size
    if type(now) is tuple:
        tail = now[-size:]
        copied = _deep(tail)
        recorded.same = recorded.same and copied is tail
        kept = now if recorded.same else kept + copied
    return kept, f'{{"since":{recorded.where[0]},{text}}}'


def _list_difference(kept: list[Any], now: list[Any], most: int) -> tuple[int, str] | None:
    """Return the number of items appended to a list, and the items as JSON."""
    n = len(kept)
    if not 0 < len(now) - n <= most:
        return None
    tail = now[n:]
    del now[n:]  # so that the rest is compared without copying it
    try:
        same = now == kept
    finally:
        now.extend(tail)
    if not same:
        return None
    kept.extend(map(_deep, tail))
    return len(tail), f'"append":{to_json(tail)}'


def _tuple_difference(kept: tuple[Any, ...], now: tuple[Any, ...], most: int) -> tuple[int, str] | None:
    """Return the number of items appended to a tuple, and the items as JSON."""
    n = len(kept)
    if not 0 < len(now) - n <= most or now[:n] != kept:
        return None
    return len(now) - n, f'"append":{to_json(now[n:])}'


def _set_difference(kept: set[Any], now: set[Any], most: int) -> tuple[int, str] | None:
    """Return the number of members added to and removed from a set, and these as JSON."""
    if abs(len(now) - len(kept)) > most:
        return None
    added = now - kept
    removed = kept - now if len(now) - len(kept) != len(added) else set()
    if len(added) + len(removed) > most:
        return None
    kept |= added
    kept -= removed
    parts = ((name, some) for name, some in (("add", added), ("remove", removed)) if some)
    return len(added) + len(removed), ",".join(f'"{name}":{to_json(some)}' for name, some in parts)


def _dict_difference(kept: dict[Any, Any], now: dict[Any, Any], most: int) -> tuple[int, str] | None:
    """Return the number of keys added to the end of a dictionary or changed in it, and these as JSON."""
    fresh = len(now) - len(kept)
    if not 0 <= fresh <= most:
        return None
    names = list(islice(reversed(now), fresh))[::-1]
    if any(name in kept for name in names):  # a key was removed and added again, so the order has changed
        return None
    if fresh:
        values = {name: now.pop(name) for name in names}
        try:
            same = now == kept
        finally:
            now.update(values)
    else:
        same = False
    if not same:
        missing = object()
        changed = [name for name, value in now.items() if kept.get(name, missing) != value]
        if len(changed) > most or list(kept) != list(islice(now, len(kept))):
            return None
        names = changed
    put = {name: now[name] for name in names}
    kept.update((name, _deep(value)) for name, value in put.items())
    return len(put), f'"set":{to_json(put)}'


_FINDERS: dict[type, Callable[[Any, Any, int], tuple[int, str] | None]] = {
    list: _list_difference, tuple: _tuple_difference, set: _set_difference, dict: _dict_difference,
}  # fmt: skip
