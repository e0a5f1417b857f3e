"""Targets of playback: the next event that a filter selects, violations, breakpoints, and their words.

All are pure functions; those of a timeline return the ``seq`` of an event, or ``None``. The texts are read by
:mod:`lydian.views.words.asked`.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc, trn
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.lang.expression import parse as parse_expression
from lydian.trace.events import KINDS, NO_STATE
from lydian.trace.timeline import Timeline
from lydian.views.playback.stops import StopCondition
from lydian.views.time.axis import remember
from lydian.views.words import predicate
from lydian.views.words.conditions import Filter, codes_of, quoted
from lydian.views.words.filter import parse
from lydian.views.words.words import Words

__all__ = [
    "VERBS",
    "VERB_WORDS",
    "WHAT",
    "Breakpoint",
    "Watch",
    "first_violation",
    "moment",
    "next_match",
    "states_before",
    "stop_of",
    "violations",
    "why_never",
]

#: The events for which a breakpoint can wait.
WHAT = ("time", "event", "state", "message", "predicate", "violation", "filter")
#: The verbs for events of messages, and the preposition before the other process, as users write them in conditions.
VERBS = {"send": ("sends", "to"), "receive": ("receives", "from"), "drop": ("loses", "to")}
#: Their words in a form: the verb, and the preposition.
VERB_WORDS = {
    "send": (trc("a process … a message", "sends"), trc("sends a message …", "to")),
    "receive": (trc("a process … a message", "receives"), trc("receives a message …", "from")),
    "drop": (trc("a process … a message", "loses"), trc("loses a message …", "to")),
}
#: The number of events in the first search; each further search reads four times as many.
FIRST = 4_096

_before: weakref.WeakKeyDictionary[Timeline, NDArray[np.uint8]] = weakref.WeakKeyDictionary()


def next_match(
    timeline: Timeline, wanted: Filter, k: int, direction: int = 1, animation: Words | None = None
) -> int | None:
    """Return the nearest event that a filter means: at or after position ``k``, or before it if ``direction`` is
    negative.

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
    """Return the violated properties, each with the event of the violation, in order of these events."""
    found: list[tuple[int, str]] = []
    for check in timeline.trace.summary.get("checks") or ():
        if isinstance(check, Mapping) and check.get("holds") is False:
            at = check.get("at")
            seq = at if isinstance(at, int) and not isinstance(at, bool) else timeline.length
            found.append((max(0, min(seq, timeline.length - 1)), str(check.get("name", ""))))
    return tuple(sorted(found)) if timeline.length else ()


def first_violation(timeline: Timeline) -> int | None:
    """Return the event at which the first property was violated; ``None`` if all are satisfied or none was checked."""
    found = violations(timeline)
    return found[0][0] if found else None


def states_before(timeline: Timeline) -> NDArray[np.uint8]:
    """Return the state (code) of the process before each event, 255 for an event of no process, (length,)."""
    found = _before.get(timeline)
    if found is None:
        found = _before[timeline] = _states_before(timeline)
    return found


def _states_before(timeline: Timeline) -> NDArray[np.uint8]:
    before = np.full(timeline.length, NO_STATE, dtype=np.uint8)
    has = timeline.process >= 0
    before[has] = timeline.start_states[timeline.process[has]]
    order = np.argsort(timeline.process, kind="stable")
    order = order[has[order]]
    if not len(order):
        return before
    process, state = timeline.process[order], timeline.state[order]
    # The place of the last row with a state is shifted by one.
    known = np.maximum.accumulate(np.where(state != NO_STATE, np.arange(len(order)), -1))
    last = np.concatenate(([-1], known[:-1]))
    good = (last >= 0) & (process[last] == process)
    before[order[good]] = state[last[good]]
    return before


@dataclass(frozen=True)
class Breakpoint:
    """A condition at which playback stops.

    Args:
        what: one of :data:`WHAT`.
        value: the time; the number of the event; the state that a process enters; the message, timer, command or
            rule (for ``message``; with a ``kind`` it may be empty for any); an expression over a process's variables
            that becomes true; the property that is violated, empty for any; the text of a filter.
        process: only at this process (for ``state``, ``message`` and ``predicate``).
        kind: only events of this kind (for ``message``), by default any: ``send``, ``receive``, ``drop`` ...
        on: whether it is in force.
        peer: only with this process at the other end (for ``message``).
    """

    what: str
    value: float | int | str
    process: str | None = None
    kind: str | None = None
    on: bool = True
    peer: str | None = None

    def __post_init__(self) -> None:
        if self.what not in WHAT:
            hint = did_you_mean(self.what, WHAT) or f"; choose from {', '.join(WHAT)}"
            raise BadInput(f"a breakpoint cannot wait for {shown(self.what)}{hint}")
        if self.kind is not None and self.kind not in KINDS:
            raise BadInput(f"unknown kind of event {shown(self.kind)}{did_you_mean(self.kind, KINDS)}")
        value: Any = self.value
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if self.what == "time" and not (number and math.isfinite(value) and value >= 0):
            raise BadInput(tr("a breakpoint's time must be a finite number from 0, not {value}", value=shown(value)))
        if self.what == "event" and not (number and isinstance(value, int) and value >= 0):
            raise BadInput(
                tr("a breakpoint's event must be a whole number of at least 0, not {value}", value=shown(value))
            )
        if self.what not in ("time", "event") and not isinstance(value, str):
            raise BadInput(_no_text(self.what, value))
        empty = self.what == "violation" or (self.what == "message" and self.kind is not None)
        if isinstance(value, str) and not value.strip() and not empty:
            raise BadInput(_no_text(self.what, value))
        if self.what == "filter":
            parse(str(value))
        elif self.what == "predicate":
            parse_expression(str(value))

    def __str__(self) -> str:
        """Return its words; the English ones are what :func:`lydian.views.words.asked.read` reads."""
        who = tr("process {process}", process=_name(self.process)) if self.process is not None else tr("a process")
        if self.what == "time":
            time = repr(self.value) if isinstance(self.value, int) else _short(float(self.value))
            return tr("time {time}", time=time)
        if self.what == "event":
            return tr("event {event}", event=self.value)
        if self.what == "state":
            return tr("{process} enters the state {state}", process=who, state=quoted(str(self.value)))
        if self.what == "violation":
            if not self.value:
                return tr("a property is violated")
            return tr("{property} is violated", property=quoted(str(self.value)))
        if self.what == "predicate":
            return f"{who}: {self.value}" if self.process is not None else str(self.value)
        if self.what == "message":
            return self._about_message(who)
        return str(self.value)

    def _about_message(self, who: str) -> str:
        message = quoted(str(self.value)) if self.value else tr("a message")
        if self.peer is None:
            text = {
                "send": tr("{process} sends {message}"), "receive": tr("{process} receives {message}"),
                "drop": tr("{process} loses {message}"), None: tr("{process} has an event with {message}"),
            }.get(self.kind, tr("{process} has {kind} {message}"))  # fmt: skip
            return text.format(process=who, message=message, kind=self.kind)
        text = {
            "send": tr("{process} sends {message} to {peer}"),
            "receive": tr("{process} receives {message} from {peer}"),
            "drop": tr("{process} loses {message} to {peer}"),
            None: tr("{process} has an event with {message} with {peer}"),
        }.get(self.kind, tr("{process} has {kind} {message} with {peer}"))
        return text.format(process=who, message=message, kind=self.kind, peer=_name(self.peer))

    def hit(self, timeline: Timeline, k0: int, k1: int, animation: Words | None = None) -> int | None:
        """Return the first event among those from position ``k0`` up to ``k1`` at which to stop.

        Played backwards, with ``k1 < k0``, it is the last of the events k1 .. k0-1. The time T is hit by the first
        event at T or later, if the one before it is earlier; so playback never stops twice at the same time.
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
        if self.what in ("predicate", "violation"):
            every = self.hits(timeline)
            wanted = every[np.searchsorted(every, low) : np.searchsorted(every, high)]
            return None if not len(wanted) else int(wanted[-1 if backwards else 0])
        inside = np.flatnonzero(self._mask(timeline, slice(low, high), animation))
        return None if not len(inside) else low + int(inside[-1 if backwards else 0])

    def hits(self, timeline: Timeline, animation: Words | None = None) -> NDArray[np.int64]:
        """Return all events at which it stops, ascending."""
        if self.what == "predicate":
            found = predicate.becomes_true(timeline, str(self.value))
            return found[self._here(timeline, found)]
        if self.what == "violation":
            seqs = {seq for seq, name in violations(timeline) if self.value in ("", name)}
            return np.array(sorted(seqs), dtype=np.int64)
        if self.what in ("time", "event"):
            seq = self.hit(timeline, 0, timeline.length)
            return np.array([] if seq is None else [seq], dtype=np.int64)
        key = ("hits", self, id(animation))

        def make() -> tuple[NDArray[np.int64], Words | None]:
            if self.what == "filter":
                return np.flatnonzero(parse(str(self.value)).select(timeline, animation)), animation
            return np.flatnonzero(self._mask(timeline, slice(0, timeline.length), animation)), animation

        return remember(timeline, key, make, of_kind=16)[0]

    def _here(self, timeline: Timeline, rows: Any) -> NDArray[np.bool_]:
        """Return which of these events are at the breakpoint's process."""
        process = timeline.process[rows]
        if self.process is None:
            return np.ones(len(process), dtype=bool)
        return np.isin(process, np.array(codes_of(timeline.processes, self.process), dtype=np.int32))

    def _mask(self, timeline: Timeline, rows: slice, animation: Words | None) -> NDArray[np.bool_]:
        if self.what == "state":
            codes = codes_of(timeline.states, str(self.value), animation)
            state = timeline.state[rows]
            found: NDArray[np.bool_] = np.isin(state, np.array(codes, dtype=state.dtype)) & (
                state != states_before(timeline)[rows]
            )
        else:
            if self.value:
                codes = codes_of(timeline.labels, str(self.value))
                found = np.isin(timeline.label[rows], np.array(codes, dtype=timeline.label.dtype))
            else:
                found = timeline.message[rows] >= 0
            if self.kind is not None:
                found &= timeline.kind[rows] == KINDS.index(self.kind)
            if self.peer is not None:
                codes = codes_of(timeline.processes, self.peer)
                found &= np.isin(timeline.peer[rows], np.array(codes, dtype=np.int32))
        return found & self._here(timeline, rows)


@dataclass(frozen=True)
class Watch:
    """A breakpoint as a condition on events (:mod:`lydian.views.playback.stops`), with its words."""

    breakpoint: Breakpoint
    animation: Words | None = None

    def __call__(self, timeline: Timeline, k0: int, k1: int) -> int | None:
        if self.breakpoint.what == "time":
            return None  # A time stops playback whether or not an event happens then.
        return self.breakpoint.hit(timeline, k0, k1, self.animation)


def stop_of(breakpoint: Breakpoint, animation: Words | None = None) -> StopCondition:
    """Return the stop that the playhead needs for a breakpoint."""
    time = float(breakpoint.value) if breakpoint.what == "time" else None
    return StopCondition(Watch(breakpoint, animation), str(breakpoint), enabled=breakpoint.on, time=time)


def moment(
    breakpoint: Breakpoint, timeline: Timeline, t: float, direction: int = 1, animation: Words | None = None
) -> tuple[float, int | None] | None:
    """Return the next time after t (or the last before it) at which a condition is met, and the event that meets it.

    A time has no event, and lies within the run. The result is ``None`` if the condition is never met.
    """
    if breakpoint.what == "time":
        goal = float(breakpoint.value)
        ahead = t < goal <= timeline.end if direction > 0 else goal < t
        return (goal, None) if ahead else None
    if direction > 0:
        seq = breakpoint.hit(timeline, timeline.count(t), timeline.length, animation)
    else:
        seq = breakpoint.hit(timeline, int(np.searchsorted(timeline.time, t, side="left")), 0, animation)
    return None if seq is None else (float(timeline.time[seq]), seq)


def why_never(breakpoint: Breakpoint, timeline: Timeline, animation: Words | None = None) -> str | None:
    """Return a sentence that explains why a condition is never met in a run; ``None`` if it is met."""
    value, labels = breakpoint.value, timeline.labels
    for name in (breakpoint.process, breakpoint.peer):
        if name is not None and not codes_of(timeline.processes, name):
            hint = did_you_mean(name, timeline.processes)
            return tr("This run has no process {process}{hint}.", process=shown(name), hint=hint)
    if breakpoint.what == "time":
        if float(value) <= timeline.end:
            return None
        return tr("This run ends at {end:.4g}, before time {time:g}.", end=timeline.end, time=value)
    if breakpoint.what == "event":
        n = timeline.length
        if int(value) < n:
            return None
        return trn("This run has no event {event}: its only event is 0.",
                   "This run has no event {event}: its {count:,} events are 0 to {last:,}.",
                   n, event=value, last=max(n - 1, 0))  # fmt: skip
    if breakpoint.what == "state" and not codes_of(timeline.states, str(value), animation):
        hint = did_you_mean(value, timeline.states)
        return tr("This run has no state {state}{hint}.", state=shown(value), hint=hint)
    if breakpoint.what == "message" and value and not codes_of(labels, str(value)):
        return tr("This run has no message {message}{hint}.", message=shown(value), hint=did_you_mean(value, labels))
    try:
        if len(breakpoint.hits(timeline, animation)):
            return None
    except BadInput as error:
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
    if breakpoint.what == "violation":
        if not value:
            return tr("No property is violated in this run.")
        return tr("{property} is not violated in this run.", property=value)
    return tr("This never happens in this run: {condition}.", condition=breakpoint)


def _no_text(what: str, value: Any) -> str:
    return {
        "state": tr("a breakpoint's state must be a text, not {value}"),
        "message": tr("a breakpoint's message must be a text, not {value}"),
        "predicate": tr("a breakpoint's predicate must be a text, not {value}"),
        "violation": tr("a breakpoint's violation must be a text, not {value}"),
        "filter": tr("a breakpoint's filter must be a text, not {value}"),
    }[what].format(value=shown(value))


def _name(process: str) -> str:
    """Return a process's name as conditions write it, where a colon has a meaning."""
    text = quoted(process)
    return f'"{text}"' if ":" in text and not text.startswith('"') else text


def _short(number: float) -> str:
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)
