"""The reconstruction of long values of variables that are recorded as differences.

Besides ``changed`` (variable to its whole value), the detail of an event may contain ``grown``: variable to an object
with

* ``since``: the event whose detail contains the previous value, either whole or as a difference itself;
* ``append``: items appended to a list or a tuple (written as a list in JSON); or
* ``add`` and ``remove``: members of a set (written as a list in JSON); or
* ``set``: keys of an object with their new values.

From time to time the simulator writes the whole value again, so that a chain of differences is never longer than half
the value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Differences", "applied"]

#: The maximum number of values that are kept along a long chain of differences, and the maximum number of items in all
#: kept values together.
STOPS, MOST_ITEMS = 16, 2_000_000

Read = Callable[[int], Mapping[str, Any] | None]


class Differences:
    """A reader that reconstructs values; it keeps some of them, since the next request is often for a nearby event.

    Args:
        read: a function that returns the detail of an event as recorded.
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
        """Return the value of a variable after an event that changed it; ``None`` if the record does not contain it."""
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
            value = applied(value, step)
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


def applied(value: Any, step: Mapping[str, Any]) -> Any:
    """Apply one difference to a value and return it; a list or an object is changed in place."""
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
    """Return the key by which the simulator sorts the members of a set: short texts first, then alphabetically."""
    text = json.dumps(item, separators=(",", ":"))
    return len(text), text
