"""Reasons and effects of events: the parts from which an explanation is composed."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.pieces.derived import with_derived
from lydian.pieces.watch import filled
from lydian.trace.events import EFFECTS, Kind
from lydian.views.words.contents import contents, falsehood
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import Words, joined, named, state_before

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline

__all__ = [
    "ACTED", "action_of", "because", "effects", "moment", "names_in", "ring_time", "steps", "what_it_did", "why",
]  # fmt: skip

_KINDS = {"sends": Kind.SEND, "decides": Kind.DECIDE, "delivers": Kind.DELIVER, "notes": Kind.NOTE}


def outcome_of(
    outcomes: Iterable[tuple[str, str]], timeline: Timeline, seq: int, before: str | None, effects: Iterable[int]
) -> str:
    """Return the sentence of the first outcome that is true of event ``seq``, or "" if none is known to be true.

    Args:
        outcomes: conditions with their sentences, as :func:`lydian.views.words.source.read` finds them.
        before: the state in which the event found its process.
        effects: the events that its action caused.
    """
    event = _Event(timeline, seq, before, list(effects))
    for condition, sentence in outcomes:
        true: bool | None = True
        for clause in condition.split(" and "):
            this = event.fits(*_parts(clause))
            true = None if this is None or true is None else true and this
            if this is False:
                true = False
                break
        if true is None:  # the trace does not record what decides it, so a later outcome could be false
            return ""
        if true:
            return sentence
    return ""


def names_in(condition: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the verbs of a condition with their names: ``sends Reply or Ack`` is ("sends", ("Reply", "Ack"))."""
    return [_parts(clause) for clause in condition.split(" and ")]


def _parts(clause: str) -> tuple[str, tuple[str, ...]]:
    verb, _, rest = clause.strip().partition(" ")
    return verb, tuple(name.strip() for name in rest.replace(",", " or ").split(" or ") if name.strip())


class _Event:
    """An event and its effects."""

    def __init__(self, timeline: Timeline, seq: int, before: str | None, effects: list[int]) -> None:
        self.timeline, self.seq, self.effects, self.before = timeline, seq, effects, before
        code = int(timeline.state[seq])
        states = timeline.trace.states
        self.after = states[code] if 0 <= code < len(states) else before
        changed = (timeline.trace.detail(seq) or {}).get("changed")
        self.changed = set(changed) if isinstance(changed, dict) else set()
        self.told = bool(timeline.variable_names)

    def fits(self, verb: str, names: tuple[str, ...]) -> bool | None:
        """Return True if a condition holds; ``None`` if the trace does not record it."""
        if verb in _KINDS:
            return self._did(_KINDS[verb], names)
        test: dict[str, Callable[[], bool | None]] = {
            "always": lambda: True,
            "otherwise": lambda: True,
            "while": lambda: self.before in names,
            "becomes": lambda: self.after != self.before and (not names or self.after in names),
            "stays": lambda: self.after == self.before,
            "changes": lambda: self._changes(names),
            "sets": lambda: self._sets(names),
            "says": lambda: any(self._says(self.seq, name) for name in names),
            "nothing": self._nothing,
        }
        return test[verb]() if verb in test else None

    def _did(self, kind: int, names: tuple[str, ...]) -> bool:
        rows = [row for row in self.effects if int(self.timeline.kind[row]) == kind]
        if names == ("nothing",):
            return not rows
        return bool(rows) if not names else any(self._is(row, name) for row in rows for name in names)

    def _is(self, row: int, name: str) -> bool:
        """Return True if a message is of a class and has the field value given in brackets after its name."""
        label, _, said = name.partition("(")
        return self._label(row) == label and (not said or self._says(row, said.rstrip(")")))

    def _says(self, row: int, said: str) -> bool:
        field, _, value = said.partition("=")
        return value_text(contents(self.timeline, row).get(field.strip())) == value.strip()

    def _label(self, row: int) -> str:
        code = int(self.timeline.label[row])
        return self.timeline.labels[code] if code >= 0 else ""

    def _changes(self, names: tuple[str, ...]) -> bool | None:
        if not self.told:
            return None
        return bool(self.changed) if not names else not self.changed.isdisjoint(names)

    def _sets(self, names: tuple[str, ...]) -> bool | None:
        """Return True if the action sets one of these timers; ``None`` for an old trace that records no timers."""
        if not (np.asarray(self.timeline.kind) == Kind.TIMER_SET).any():
            return None
        return self._did(Kind.TIMER_SET, names)

    def _nothing(self) -> bool | None:
        if self.effects or self.after != self.before:
            return False
        return self._changes(()) is False if self.told else None


#: Kinds of event to which an action of the protocol responds.
ACTED = (Kind.INIT, Kind.RECEIVE, Kind.TIMER, Kind.COMMAND, Kind.RULE)
#: The largest number of receivers of one message that are named; beyond it only their number is shown.
MOST_NAMED = 8

_Index = tuple[NDArray[np.int64], NDArray[np.int64]]
_known: weakref.WeakKeyDictionary[Timeline, _Index] = weakref.WeakKeyDictionary()


def moment(t: float) -> str:
    """Return a time with four significant digits, enough to distinguish it from other times in a sentence."""
    return f"{t:.1f}" if t >= 10_000 else f"{t:.4g}"


def action_of(timeline: Timeline, seq: int) -> int:
    """Return the event whose action caused event ``seq``, or -1 if it is not the effect of an action."""
    cause = int(timeline.cause[seq])
    if int(timeline.kind[seq]) not in EFFECTS or not 0 <= cause < seq or _guessed(timeline):
        return -1
    return cause if timeline.process[cause] == timeline.process[seq] else -1


def effects(timeline: Timeline, seq: int) -> NDArray[np.int64]:
    """Return the events in which the action of event ``seq`` sent, delivered, decided and noted something, in order."""
    index = _known.get(timeline)
    if index is None:
        index = _known[timeline] = _index(timeline)
    causes, rows = index
    return rows[np.searchsorted(causes, seq) : np.searchsorted(causes, seq, side="right")]


def _index(timeline: Timeline) -> _Index:
    """Return the causing events and their effects, sorted by the causing event."""
    rows = np.flatnonzero(_told(timeline))
    causes = timeline.cause[rows].astype(np.int64)
    order = np.argsort(causes, kind="stable")
    return causes[order], rows[order]


def steps(timeline: Timeline) -> NDArray[np.int64]:
    """Return the events that an account of the run lists; effects are left out, for their causes mention them."""
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
    """Return True if causes are merely preceding events: a log of another system records order, not reasons."""
    log = timeline.trace.summary.get("imported")
    return isinstance(log, Mapping) and not log.get("ours")


def why(timeline: Timeline, seq: int, animation: Words) -> str:
    """Return what the event meant to its process, or "" if no sentence is known to be true of it.

    The sentence is that of the matching outcome in the action's docstring, else the animation's phrase, else the first
    sentence of the docstring; the last is left out if the action has branches, as it need not be true of this one.
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
        return str(phrase(before, label, _values(with_derived(timeline, getattr(animation, "derived", ())), seq)))
    return action.doc if action is not None and not (action.branches or action.outcomes) else ""


def _values(timeline: Timeline, seq: int) -> dict[str, Any]:
    """Return the values of the placeholders of a sentence: the other process, and the variables after the event."""
    process, peer = int(timeline.process[seq]), int(timeline.peer[seq])
    types = read(timeline.trace.source).types
    known = timeline.variables(process, seq + 1).items()
    values: dict[str, Any] = {name: typed(value, types.get(name, "")) for name, (value, _) in known}
    values["peer"] = timeline.processes[peer] if peer >= 0 else "no process"
    return values


def _event_name(timeline: Timeline, seq: int) -> str:
    if int(timeline.kind[seq]) == Kind.INIT:
        return "INIT"
    code = int(timeline.label[seq])
    return timeline.labels[code] if code >= 0 else ""


def because(timeline: Timeline, seq: int, animation: Words) -> str:
    """Return an action's event as a reason: ``at 5.402 it receives Ack from 3``."""
    label = named(timeline, seq, animation)
    peer = int(timeline.peer[seq])
    kind, when = int(timeline.kind[seq]), moment(float(timeline.time[seq]))
    what = {
        Kind.INIT: "it starts",
        Kind.RECEIVE: f"it receives {label} from {timeline.processes[peer] if peer >= 0 else 'an unknown process'}",
        Kind.TIMER: f"its timer {label} expires",
        Kind.COMMAND: f"it receives the command {label}",
        Kind.RULE: f"it executes {label}",
    }.get(kind, "something happens")
    return f"at {when} {what}"


def what_it_did(timeline: Timeline, seq: int, animation: Words) -> str:
    """Return the effects of an action, or "": ``at 1.243 it delivers news and sends Broadcast to 1, 5 and 6``."""
    told: list[str] = []
    rows = effects(timeline, seq)
    for t in np.unique(timeline.time[rows]).tolist():
        verbs: dict[tuple[str, str], list[str]] = {}
        for row in rows[timeline.time[rows] == t].tolist():
            verb, rest, whom = _effect(timeline, row, animation)
            verbs.setdefault((verb, rest), []).extend(whom)
        said = [_deed(verb, rest, names) for (verb, rest), names in verbs.items()]
        now = t == float(timeline.time[seq])
        told.append(f"{'it' if now else f'at {moment(t)} it'} {_listed(said)}")
    return "; ".join(told)


def _listed(deeds: list[str]) -> str:
    """Return verbs with their objects as a list; a comma ends the last but one if a list of receivers is inside."""
    if any(" and " in deed for deed in deeds[:-1]):
        return f"{', '.join(deeds[:-1])}, and {deeds[-1]}"
    return joined(deeds)


def _deed(verb: str, rest: str, names: list[str]) -> str:
    """Return an effect on several receivers or timers: ``sets the timers Retry and Give up to expire at 7.3``."""
    if verb in ("sets", "cancels"):
        timers = list(dict.fromkeys(names))
        if len(timers) > MOST_NAMED:
            return f"{verb} {len(timers)} timers{rest}"
        return f"{verb} the {'timer' if len(timers) == 1 else 'timers'} {joined(timers)}{rest}"
    return f"{verb} {rest}".strip() + _to(names)


def _to(whom: list[str]) -> str:
    if not whom:
        return ""
    return f" to {joined(whom)}" if len(whom) <= MOST_NAMED else f" to {len(whom)} processes"


def _timer_effect(timeline: Timeline, row: int, animation: Words) -> tuple[str, str, list[str]]:
    """Return a timer that was set or cancelled as a verb, its time and its name: ``sets``, ``to expire at 7.3``."""
    name, rings = named(timeline, row, animation), ring_time(timeline, row)
    if int(timeline.kind[row]) == Kind.TIMER_SET:
        return "sets", "" if rings is None else f" to expire at {moment(rings)}", [name]
    return "cancels", "" if rings is None else f" (due at {moment(rings)})", [name]


def ring_time(timeline: Timeline, row: int) -> float | None:
    """Return the time at which a timer expires, or would have expired if it is cancelled; ``None`` if unknown."""
    rings = (timeline.trace.detail(row) or {}).get("rings")
    return float(rings) if isinstance(rings, (int, float)) else None


def _effect(timeline: Timeline, row: int, animation: Words) -> tuple[str, str, list[str]]:
    """Return one effect as a verb, its object and the receiver, if there is one; for a timer, its time and its name."""
    kind = int(timeline.kind[row])
    if kind == Kind.SEND:
        peer, false = int(timeline.peer[row]), falsehood(timeline, row)
        what = named(timeline, row, animation) + (f" ({false})" if false else "")
        return "sends", what, [timeline.processes[peer]] if peer >= 0 else []
    detail = timeline.trace.detail(row) or {}
    if kind in (Kind.NOTE, Kind.PRINT):
        return "notes" if kind == Kind.NOTE else "prints", f"“{detail.get('text', '')}”", []
    if kind in (Kind.TIMER_SET, Kind.TIMER_CANCEL):
        return _timer_effect(timeline, row, animation)
    value = detail.get("value")
    text = "" if value is None else value_text(value)
    text = f"“{text}”" if isinstance(value, str) and " " in text else text
    return ("delivers", text or "something", []) if kind == Kind.DELIVER else ("decides", text, [])
