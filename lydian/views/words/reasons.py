"""Reasons and effects of events: the parts from which an explanation is composed."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr, trc, trn
from lydian.pieces.derived import with_derived
from lydian.pieces.watch import filled
from lydian.trace.events import EFFECTS, Kind
from lydian.views.words.contents import contents, falsehood
from lydian.views.words.phrases import clauses, joined, listed, quotation
from lydian.views.words.source import read
from lydian.views.words.values import typed, value_text
from lydian.views.words.words import Words, begins_program, named, state_before

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
    """Return True if causes are merely preceding events: a log, or a run of programs, records order, not reasons."""
    if "programs" in timeline.trace.summary:
        return True
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
    label, time = named(timeline, seq, animation), moment(float(timeline.time[seq]))
    kind, peer = int(timeline.kind[seq]), int(timeline.peer[seq])
    if kind == Kind.INIT:
        return trc("after “because”", "at time {time} it starts", time=time)
    if kind == Kind.RECEIVE:
        sender = timeline.processes[peer] if peer >= 0 else tr("an unknown process")
        return trc(
            "after “because”", "at time {time} it receives {message} from {sender}",
            time=time, message=label, sender=sender,
        )  # fmt: skip
    if kind == Kind.TIMER:
        return trc("after “because”", "at time {time} its timer {timer} expires", time=time, timer=label)
    if kind == Kind.COMMAND:
        return trc("after “because”", "at time {time} it receives the command {command}", time=time, command=label)
    if begins_program(timeline, seq):
        return trc("after “because”", "at time {time} it begins its program", time=time)
    if kind == Kind.RULE:
        return trc("after “because”", "at time {time} it executes {rule}", time=time, rule=label)
    return trc("after “because”", "at time {time} something happens", time=time)


def what_it_did(timeline: Timeline, seq: int, animation: Words) -> str:
    """Return the effects of an action, or "": ``at 1.243 it delivers news and sends Broadcast to 1, 5 and 6``."""
    told: list[str] = []
    rows = effects(timeline, seq)
    for t in np.unique(timeline.time[rows]).tolist():
        deeds: dict[tuple[int, str], list[str]] = {}
        for row in rows[timeline.time[rows] == t].tolist():
            kind, what, whom = _effect(timeline, row, animation)
            deeds.setdefault((kind, what), []).extend(whom)
        said = listed([_deed(kind, what, names) for (kind, what), names in deeds.items()])
        now = t == float(timeline.time[seq])
        told.append(tr("it {does}", does=said) if now else tr("at time {time} it {does}", time=moment(t), does=said))
    return clauses(*told)


def _deed(kind: int, what: str, names: list[str]) -> str:
    """Return an effect on several receivers or timers: ``sets the timers Retry and Give up to expire at 7.3``."""
    if kind in (Kind.TIMER_SET, Kind.TIMER_CANCEL):
        return _timers(kind, what, list(dict.fromkeys(names)))
    if kind == Kind.SEND:
        return _send(what, names)
    if kind == Kind.NOTE:
        return tr("notes {text}", text=what)
    if kind == Kind.PRINT:
        return tr("prints {text}", text=what)
    if kind == Kind.DELIVER:
        return tr("delivers {value}", value=what)
    return tr("decides {value}", value=what) if what else tr("decides")


def _send(message: str, receivers: list[str]) -> str:
    if not receivers:
        return tr("sends {message}", message=message)
    if len(receivers) <= MOST_NAMED:
        return tr("sends {message} to {receivers}", message=message, receivers=joined(receivers))
    return trn(
        "sends {message} to {count} process", "sends {message} to {count} processes", len(receivers), message=message
    )


def _timers(kind: int, time: str, timers: list[str]) -> str:
    """Return the setting or the cancelling of timers that expire, or would have expired, at a time."""
    count, some = len(timers), joined(timers)
    if kind == Kind.TIMER_SET:
        if count > MOST_NAMED:
            text = trn("sets {count} timer", "sets {count} timers", count)
        else:
            text = trn("sets the timer {timers}", "sets the timers {timers}", count, timers=some)
        return tr("{sets_the_timer} to expire at time {time}", sets_the_timer=text, time=time) if time else text
    if count > MOST_NAMED:
        text = trn("cancels {count} timer", "cancels {count} timers", count)
    else:
        text = trn("cancels the timer {timers}", "cancels the timers {timers}", count, timers=some)
    return tr("{cancels_the_timer} (due at time {time})", cancels_the_timer=text, time=time) if time else text


def ring_time(timeline: Timeline, row: int) -> float | None:
    """Return the time at which a timer expires, or would have expired if it is cancelled; ``None`` if unknown."""
    rings = (timeline.trace.detail(row) or {}).get("rings")
    return float(rings) if isinstance(rings, (int, float)) else None


def _effect(timeline: Timeline, row: int, animation: Words) -> tuple[int, str, list[str]]:
    """Return one effect as its kind, its object and its receiver, if there is one; for a timer, its time and name."""
    kind = int(timeline.kind[row])
    if kind == Kind.SEND:
        peer, false = int(timeline.peer[row]), falsehood(timeline, row)
        what = named(timeline, row, animation) + (f" ({false})" if false else "")
        return kind, what, [timeline.processes[peer]] if peer >= 0 else []
    if kind in (Kind.TIMER_SET, Kind.TIMER_CANCEL):
        rings = ring_time(timeline, row)
        return kind, "" if rings is None else moment(rings), [named(timeline, row, animation)]
    detail = timeline.trace.detail(row) or {}
    if kind in (Kind.NOTE, Kind.PRINT):
        return kind, quotation(detail.get("text", "")), []
    value = detail.get("value")
    text = "" if value is None else value_text(value)
    text = quotation(text) if isinstance(value, str) and " " in text else text
    return kind, text or (tr("something") if kind == Kind.DELIVER else ""), []
