"""The variables of the observers in a search, which are part of its configurations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lydian.engine.explorer.numbers import Numbers, frozen
from lydian.engine.observers import failure
from lydian.model.errors import PropertyError
from lydian.model.limits import pressed
from lydian.model.protocol.observer import Observation, Observer, Timeless, unknown_observer

__all__ = ["Watched"]


class Watched:
    """The numbered variables of the observers in a search; 0 are the initial ones.

    Args:
        classes: the observers.
        file: the file in which they are declared, for error messages; ``source`` its text.
    """

    def __init__(self, classes: Sequence[type[Observer]], file: str, source: str) -> None:
        self._each = {cls: cls() for cls in classes}
        self._file, self._source = file, source
        self._events = Numbers()
        self._states = Numbers()
        self._after: dict[tuple[int, tuple[int, ...]], int] = {}
        self._store([each._values() for each in self._each.values()])

    def _store(self, values: Iterable[Any]) -> int:
        """Return the number of the variables of all observers; a text is the failure of one."""
        found = tuple(values)
        return self._states.of(tuple(v if isinstance(v, (str, type)) else frozen(v) for v in found), found)

    def event(self, event: Observation) -> int:
        """Return the number of an event."""
        key = (
            event.kind, event.process, event.peer, event.label, frozen(dict(event.fields)), frozen(event.value),
            event.state,
        )  # fmt: skip
        return self._events.of(key, event)

    def after(self, number: int, events: tuple[int, ...]) -> int:
        """Return the number of the variables after these events."""
        found = self._after.get((number, events))
        if found is None:
            values = list(self._states.things[number])
            for event in events:
                values = [self._told(cls, v, event) for cls, v in zip(self._each, values, strict=True)]
            found = self._after[number, events] = self._store(values)
        return found

    def _told(self, cls: type[Observer], values: Any, event: int) -> Any:
        """Return the variables of an observer after an event, or why there are none: it fails, or reads the time."""
        if not isinstance(values, dict):
            return values
        each = self._each[cls]
        each._put(values)
        try:
            each.observe(self._events.things[event])
            found = each._values()
            frozen(found)  # which refuses what is not plain data
        except Timeless:
            return Timeless
        except BaseException as error:
            if pressed(error):
                raise
            return failure(cls, error, self._file, self._source)
        return found

    def shown(self, number: int, cls: Any) -> Observer:
        """Return an observer with the variables of this number.

        Raises:
            Timeless: it has read the time.
            PropertyError: it has failed.
        """
        if cls not in self._each:
            raise ValueError(unknown_observer(cls, self._each))
        values = dict(zip(self._each, self._states.things[number], strict=True))[cls]
        if values is Timeless:
            raise Timeless
        if isinstance(values, str):
            raise PropertyError(values)
        self._each[cls]._put(values)
        return self._each[cls]
