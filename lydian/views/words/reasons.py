"""Why an event happened and what came of it: the parts from which an explanation is put together."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.declared import filled
from lydian.trace.events import EFFECTS, Kind
from lydian.views.words.outcomes import outcome_of
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import Words, joined, named, state_before

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = ["ACTED", "action_of", "because", "effects", "moment", "ring_time", "steps", "what_it_did", "why"]

#: Kinds of event that an action of the protocol answers.
ACTED = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)
#: Receivers of one message that are named; of more only the number is told.
MOST_NAMED = 8

_Index = tuple[NDArray[np.int64], NDArray[np.int64]]
_known: weakref.WeakKeyDictionary[Timeline, _Index] = weakref.WeakKeyDictionary()


def moment(t: float) -> str:
    """A time in a sentence that must be told from other times: four significant digits."""
    return f"{t:.1f}" if t >= 10_000 else f"{t:.4g}"


def action_of(timeline: Timeline, seq: int) -> int:
    """The event whose action brought forth event ``seq``, or -1 if it is no effect of an action."""
    cause = int(timeline.cause[seq])
    if int(timeline.kind[seq]) not in EFFECTS or not 0 <= cause < seq or _guessed(timeline):
        return -1
    return cause if timeline.process[cause] == timeline.process[seq] else -1


def effects(timeline: Timeline, seq: int) -> NDArray[np.int64]:
    """What the action of event ``seq`` sent, delivered, decided and noted, in order."""
    index = _known.get(timeline)
    if index is None:
        index = _known[timeline] = _index(timeline)
    causes, rows = index
    return rows[np.searchsorted(causes, seq) : np.searchsorted(causes, seq, side="right")]


def _index(timeline: Timeline) -> _Index:
    """All effects sorted by the event that caused them, with those events."""
    rows = np.flatnonzero(_told(timeline))
    causes = timeline.cause[rows].astype(np.int64)
    order = np.argsort(causes, kind="stable")
    return causes[order], rows[order]


def steps(timeline: Timeline) -> NDArray[np.int64]:
    """The events that an account of the run tells one by one; the others are effects, told with what caused them."""
    return np.flatnonzero(~_told(timeline))


def _told(timeline: Timeline) -> NDArray[np.bool_]:
    cause = timeline.cause
    if _guessed(timeline):
        return np.zeros(timeline.length, dtype=bool)
    inside = (cause >= 0) & (cause < np.arange(timeline.length))
    told: NDArray[np.bool_] = inside & np.isin(timeline.kind, EFFECTS)
    told[told] = timeline.process[cause[told]] == timeline.process[told]
    return told


def _guessed(timeline: Timeline) -> bool:
    """Whether causes are only what came before: the log of another system tells order, not reasons."""
    log = timeline.trace.summary.get("imported")
    return isinstance(log, Mapping) and not log.get("ours")


def why(timeline: Timeline, seq: int, animation: Words) -> str:
    """What the event meant to its process; empty if nothing is known to be true of it.

    That is the docstring's sentence for what came of it, else the animation's phrase, else the first sentence of the
    docstring, unless the action goes different ways and it need not be true of this one.
    """
    if int(timeline.kind[seq]) not in ACTED:
        return ""
    before, label = state_before(timeline, seq), _event_name(timeline, seq)
    action = read(timeline.trace.source).action(before, label)
    outcomes = () if action is None else action.outcomes
    found = outcome_of(outcomes, timeline, seq, before, effects(timeline, seq).tolist()) if outcomes else ""
    if found:
        return filled(found, _values(timeline, seq), "none")
    phrase = getattr(animation, "phrase", None)
    if phrase is not None and before is not None and (before, label) in getattr(animation, "phrases", ()):
        return str(phrase(before, label, _values(timeline, seq)))
    return action.doc if action is not None and not (action.branches or action.outcomes) else ""


def _values(timeline: Timeline, seq: int) -> dict[str, Any]:
    """What the holes of a sentence stand for: the other process, and the variables after the event."""
    process, peer = int(timeline.process[seq]), int(timeline.peer[seq])
    types = read(timeline.trace.source).types
    known = timeline.variables(process, seq + 1).items()
    values: dict[str, Any] = {name: typed(value, types.get(name, "")) for name, (value, _) in known}
    values["peer"] = timeline.processes[peer] if peer >= 0 else "nobody"
    return values


def _event_name(timeline: Timeline, seq: int) -> str:
    if int(timeline.kind[seq]) == Kind.INIT:
        return "INIT"
    code = int(timeline.label[seq])
    return timeline.labels[code] if code >= 0 else ""


def because(timeline: Timeline, seq: int, animation: Words) -> str:
    """An action's event as a reason: ``at 5.402 it receives Ack from 3``."""
    label = named(timeline, seq, animation)
    peer = int(timeline.peer[seq])
    kind, when = int(timeline.kind[seq]), moment(float(timeline.time[seq]))
    what = {
        Kind.INIT: "it starts",
        Kind.RECEIVE: f"it receives {label} from {timeline.processes[peer] if peer >= 0 else 'nobody'}",
        Kind.TIMER: f"its timer {label} rings",
        Kind.COMMAND: f"it gets the command {label}",
        Kind.RULE: f"it executes {label}",
    }.get(kind, "something happens")
    return f"at {when} {what}"


def what_it_did(timeline: Timeline, seq: int, animation: Words) -> str:
    """The effects of an action: ``at 1.243 it delivers news and sends Broadcast to 1, 5 and 6``; empty if none."""
    told: list[str] = []
    rows = effects(timeline, seq)
    for t in np.unique(timeline.time[rows]).tolist():
        verbs: dict[tuple[str, str], list[str]] = {}
        for row in rows[timeline.time[rows] == t].tolist():
            verb, rest, whom = _effect(timeline, row, animation)
            verbs.setdefault((verb, rest), []).extend(whom)
        said = [f"{verb} {rest}".strip() + _to(whom) for (verb, rest), whom in verbs.items()]
        now = t == float(timeline.time[seq])
        told.append(f"{'it' if now else f'at {moment(t)} it'} {joined(said)}")
    return "; ".join(told)


def _to(whom: list[str]) -> str:
    if not whom:
        return ""
    return f" to {joined(whom)}" if len(whom) <= MOST_NAMED else f" to {len(whom)} processes"


def _timer_effect(timeline: Timeline, row: int, animation: Words) -> tuple[str, str, list[str]]:
    """A timer that was set or cancelled, with its time: ``sets the timer Retry to ring at 7.3``."""
    name, rings = named(timeline, row, animation), ring_time(timeline, row)
    if int(timeline.kind[row]) == Kind.TIMER_SET:
        return "sets", f"the timer {name}" + ("" if rings is None else f" to ring at {moment(rings)}"), []
    return "cancels", f"the timer {name}" + ("" if rings is None else f", due at {moment(rings)}"), []


def ring_time(timeline: Timeline, row: int) -> float | None:
    """Return the time at which a timer rings (``timer_set``) or would have rung (``timer_cancel``), if it is known."""
    rings = (timeline.trace.detail(row) or {}).get("rings")
    return float(rings) if isinstance(rings, (int, float)) else None


def _effect(timeline: Timeline, row: int, animation: Words) -> tuple[str, str, list[str]]:
    """One effect as a verb, its object and the receiver, if there is one."""
    kind = int(timeline.kind[row])
    if kind == Kind.SEND:
        peer = int(timeline.peer[row])
        return "sends", named(timeline, row, animation), [timeline.processes[peer]] if peer >= 0 else []
    detail = timeline.trace.detail(row) or {}
    if kind in (Kind.NOTE, Kind.PRINT):
        return "notes" if kind == Kind.NOTE else "prints", f"“{detail.get('text', '')}”", []
    if kind in (Kind.TIMER_SET, Kind.TIMER_CANCEL):
        return _timer_effect(timeline, row, animation)
    value = detail.get("value")
    text = "" if value is None else value_text(value)
    text = f"“{text}”" if isinstance(value, str) and " " in text else text
    return ("delivers", text or "something", []) if kind == Kind.DELIVER else ("decides", text, [])
