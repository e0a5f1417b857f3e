"""Where to go and where to stop: the next event a filter means, the first violation, bookmarks, breakpoints.

All are plain questions; those to a timeline are answered with the ``seq`` of an event, or ``None``.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.trace.events import KINDS, NO_STATE
from lydian.views.conditions import Filter, codes_of
from lydian.views.filter import parse
from lydian.views.words import Words

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = [
    "WHAT",
    "Bookmark",
    "Breakpoint",
    "first_violation",
    "next_bookmark",
    "next_match",
    "states_before",
    "violations",
]

#: What a breakpoint may wait for.
WHAT = ("time", "event", "state", "message", "filter")
#: Events looked at in the first go; each further go looks at four times as many.
FIRST = 4_096

_before: weakref.WeakKeyDictionary[Timeline, NDArray[np.uint8]] = weakref.WeakKeyDictionary()


def next_match(
    timeline: Timeline, wanted: Filter, k: int, direction: int = 1, animation: Words | None = None
) -> int | None:
    """The nearest event that a filter means: at or after position ``k``, or before it if ``direction`` is negative.

    With position k = number of events that have happened, the answer forwards is the first match still to come, and
    going to it means going to the position after it; backwards, the last match that has happened.
    """
    k = min(max(k, 0), timeline.length)
    size = FIRST
    while (k < timeline.length) if direction >= 0 else k > 0:
        start, stop = (k, min(k + size, timeline.length)) if direction >= 0 else (max(k - size, 0), k)
        found = np.flatnonzero(wanted.among(timeline, slice(start, stop), animation))
        if len(found):
            return start + int(found[0 if direction >= 0 else -1])
        k, size = (stop if direction >= 0 else start), size * 4
    return None


def violations(timeline: Timeline) -> tuple[tuple[int, str], ...]:
    """The properties that do not hold, each with the event at which that was seen, in order of these events."""
    found: list[tuple[int, str]] = []
    for check in timeline.trace.summary.get("checks") or ():
        if isinstance(check, Mapping) and check.get("holds") is False:
            at = check.get("at")
            seq = at if isinstance(at, int) and not isinstance(at, bool) else timeline.length
            found.append((max(0, min(seq, timeline.length - 1)), str(check.get("name", ""))))
    return tuple(sorted(found)) if timeline.length else ()


def first_violation(timeline: Timeline) -> int | None:
    """The event at which the first property was violated; ``None`` if all hold, or none was judged."""
    found = violations(timeline)
    return found[0][0] if found else None


def states_before(timeline: Timeline) -> NDArray[np.uint8]:
    """The state (code) in which each event found its process, 255 for an event of no process, (length,)."""
    found = _before.get(timeline)
    if found is None:
        found = _before[timeline] = _states_before(timeline)
    return found


def _states_before(timeline: Timeline) -> NDArray[np.uint8]:
    before = np.full(timeline.length, NO_STATE, dtype=np.uint8)
    has = timeline.process >= 0
    before[has] = timeline.start_state
    order = np.argsort(timeline.process, kind="stable")
    order = order[has[order]]
    if not len(order):
        return before
    process, state = timeline.process[order], timeline.state[order]
    # place of the last row with a state at or before each place, then one place later
    known = np.maximum.accumulate(np.where(state != NO_STATE, np.arange(len(order)), -1))
    last = np.concatenate(([-1], known[:-1]))
    good = (last >= 0) & (process[last] == process)
    before[order[good]] = state[last[good]]
    return before


@dataclass(frozen=True, order=True)
class Bookmark:
    """A moment that somebody wants to come back to, with a name, possibly empty; sorted by time."""

    time: float
    name: str = ""

    def __post_init__(self) -> None:
        number = isinstance(self.time, int | float) and not isinstance(self.time, bool)
        if not (number and math.isfinite(self.time) and self.time >= 0):
            raise BadInput(f"a bookmark's time is a finite number that is not negative, not {shown(self.time)}")

    def __str__(self) -> str:
        return self.name or f"time {self.time:.4g}"


def next_bookmark(bookmarks: Iterable[Bookmark], t: float, direction: int = 1) -> Bookmark | None:
    """The nearest bookmark after time t, or before it if ``direction`` is negative; one at t itself does not count."""
    if direction >= 0:
        return min((mark for mark in bookmarks if mark.time > t), default=None)
    return max((mark for mark in bookmarks if mark.time < t), default=None)


@dataclass(frozen=True)
class Breakpoint:
    """Where playing shall stop.

    Args:
        what: one of :data:`WHAT`.
        value: the time; the number of the event; the state that a process enters; the message, timer, command or
            rule; the text of a filter.
        process: only at this process (for ``state`` and ``message``).
        kind: only events of this kind (for ``message``), by default any: ``send``, ``receive``, ``drop`` ...
        on: whether it is in force.
    """

    what: str
    value: float | int | str
    process: str | None = None
    kind: str | None = None
    on: bool = True

    def __post_init__(self) -> None:
        if self.what not in WHAT:
            hint = did_you_mean(self.what, WHAT) or f"; there are {', '.join(WHAT)}"
            raise BadInput(f"a breakpoint waits for no {shown(self.what)}{hint}")
        if self.kind is not None and self.kind not in KINDS:
            raise BadInput(f"there is no kind of event {shown(self.kind)}{did_you_mean(self.kind, KINDS)}")
        value: Any = self.value
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if self.what == "time" and not (number and math.isfinite(value) and value >= 0):
            raise BadInput(f"a breakpoint's time is a finite number that is not negative, not {shown(value)}")
        if self.what == "event" and not (number and isinstance(value, int) and value >= 0):
            raise BadInput(f"a breakpoint's event is its number, 0, 1, 2 ..., not {shown(value)}")
        if self.what in ("state", "message", "filter") and not (isinstance(value, str) and value.strip()):
            raise BadInput(f"a breakpoint's {self.what} is a text, not {shown(value)}")
        if self.what == "filter":
            parse(str(value))

    def __str__(self) -> str:
        who = f"process {self.process}" if self.process is not None else "a process"
        if self.what == "time":
            return f"time {self.value:g}"
        if self.what == "event":
            return f"event {self.value}"
        if self.what == "state":
            return f"{who} becomes {self.value}"
        if self.what == "message":
            return f"{self.kind or 'any event with'} {self.value}" + (f" at {who}" if self.process is not None else "")
        return str(self.value)

    def hit(self, timeline: Timeline, k0: int, k1: int, animation: Words | None = None) -> int | None:
        """The first event among those from position ``k0`` up to ``k1`` at which to stop.

        Played backwards, with ``k1 < k0``, it is the last of the events k1 .. k0-1.  The time T is hit by the first
        event at T or later, if the one before it is earlier; so nobody stops twice at the same time.
        """
        backwards = k1 < k0
        low, high = max(min(k0, k1), 0), min(max(k0, k1), timeline.length)
        if not self.on or low >= high:
            return None
        if self.what in ("time", "event"):
            seq = int(np.searchsorted(timeline.time, self.value)) if self.what == "time" else int(self.value)
            return seq if low <= seq < high else None
        if self.what == "filter":
            found = next_match(timeline, parse(str(self.value)), high if backwards else low, -1 if backwards else 1,
                               animation)  # fmt: skip
            return found if found is not None and low <= found < high else None
        wanted = np.flatnonzero(self._mask(timeline, slice(low, high), animation))
        return None if not len(wanted) else low + int(wanted[-1 if backwards else 0])

    def _mask(self, timeline: Timeline, rows: slice, animation: Words | None) -> NDArray[np.bool_]:
        if self.what == "state":
            codes = codes_of(timeline.states, str(self.value), animation)
            state = timeline.state[rows]
            found: NDArray[np.bool_] = np.isin(state, np.array(codes, dtype=state.dtype)) & (
                state != states_before(timeline)[rows]
            )
        else:
            codes = codes_of(timeline.labels, str(self.value))
            found = np.isin(timeline.label[rows], np.array(codes, dtype=timeline.label.dtype))
            if self.kind is not None:
                found &= timeline.kind[rows] == KINDS.index(self.kind)
        if self.process is not None:
            codes = codes_of(timeline.processes, self.process)
            found &= np.isin(timeline.process[rows], np.array(codes, dtype=np.int32))
        return found
