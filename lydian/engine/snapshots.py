"""The values of a process's variables, kept so that a change is noticed later."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from lydian.model.process import Process
from lydian.trace.recorder import to_json

__all__ = ["kept_as", "reader"]


def reader(variables: tuple[str, ...]) -> Callable[[Process], tuple[Any, ...]]:
    """Gives the values of some variables of a process."""
    if not variables:
        return lambda p: ()
    get = attrgetter(*variables)
    return get if len(variables) > 1 else lambda p: (get(p),)


_UNCHANGEABLE = frozenset({str, int, float, bool, type(None), bytes})


def kept_as(value: Any) -> tuple[Any, str]:
    """A value to compare with later, which does not change with the variable, and its JSON."""
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
    if kind in (list, tuple):
        return kind(_deep(item) for item in value)
    if kind is dict:
        return {key: _deep(item) for key, item in value.items()}
    if kind is set:
        return value.copy()
    return value
