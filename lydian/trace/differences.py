"""Long values of variables that are recorded as differences, put together again.

The detail of an event may hold, beside ``changed`` (variable to its whole value), ``grown``: variable to an object with

* ``since``: the event in whose detail the value before stands, whole or as a difference itself;
* ``append``: items behind those of a list or a tuple (which JSON writes as a list); or
* ``add`` and ``remove``: members of a set (which JSON writes as a list); or
* ``set``: keys of an object with their new values.

From time to time the simulator writes the whole value again, so that a chain of differences is never longer than half
the value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Differences"]

#: So many values on a long way are kept, and no more items in all of those kept.
STOPS, MOST_ITEMS = 16, 2_000_000

Read = Callable[[int], Mapping[str, Any] | None]


class Differences:
    """Puts values together; some of them are kept, since the next question is often about a neighbour.

    Args:
        read: returns the detail of an event as it is recorded.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._kept: dict[tuple[str, int], Any] = {}
        self._items = 0

    def resolved(self, seq: int, detail: dict[str, Any]) -> dict[str, Any]:
        """Return a detail with all changed variables as whole values in ``changed``."""
        grown = detail.get("grown")
        if not isinstance(grown, Mapping):
            return detail
        changed = dict(detail["changed"]) if isinstance(detail.get("changed"), Mapping) else {}
        changed |= {name: self.value(name, seq) for name in grown}
        return {**{key: value for key, value in detail.items() if key != "grown"}, "changed": changed}

    def value(self, name: str, seq: int) -> Any:
        """Return the value of a variable after an event that changed it; ``None`` if the record does not tell it."""
        way: list[tuple[int, Mapping[str, Any]]] = []
        value: Any = None
        at = seq
        while True:
            if (name, at) in self._kept:
                value = self._kept[name, at]
                break
            detail = self._read(at) or {}
            changed, grown = detail.get("changed"), detail.get("grown")
            if isinstance(changed, Mapping) and name in changed:
                value = changed[name]
                break
            step = grown.get(name) if isinstance(grown, Mapping) else None
            before = step.get("since") if isinstance(step, Mapping) else None
            if not isinstance(before, int) or not 0 <= before < at:
                return None
            way.append((at, step))  # type: ignore[arg-type]
            at = before
        if not way:
            return value
        value = value.copy() if isinstance(value, (list, dict)) else value
        apart = max(32, len(way) // STOPS)
        for number, (at, step) in enumerate(reversed(way), 1):
            value = _after(value, step)
            if number % apart == 0 and number < len(way):
                self._keep(name, at, value.copy())
        self._keep(name, seq, value)
        return value

    def _keep(self, name: str, seq: int, value: Any) -> None:
        self._items += len(value)
        if self._items > MOST_ITEMS:
            self._kept.clear()
            self._items = len(value)
        self._kept[name, seq] = value


def _after(value: Any, step: Mapping[str, Any]) -> Any:
    """A value after one difference; a list or an object is changed in place."""
    if isinstance(value, dict) or "set" in step:
        value = value if isinstance(value, dict) else {}
        value.update(step.get("set") or {})
        return value
    value = value if isinstance(value, list) else []
    value.extend(step.get("append") or ())
    if "add" in step or "remove" in step:
        gone = {_text(item) for item in step.get("remove") or ()}
        value = [item for item in value if _text(item) not in gone] if gone else value
        value = sorted([*value, *(step.get("add") or ())], key=_order)
    return value


def _text(item: Any) -> str:
    return json.dumps(item, sort_keys=True)


def _order(item: Any) -> tuple[int, str]:
    """Members of a set stand as the simulator writes them: the short ones first, then by their text."""
    text = json.dumps(item, separators=(",", ":"))
    return len(text), text
