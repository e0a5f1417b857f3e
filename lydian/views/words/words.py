"""Short texts that sentences and views share: an event in brief, a value, a plural."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from lydian.model.interventions import KINDS as FAULTS
from lydian.pieces.messagelooks import word_of
from lydian.trace.events import KINDS, NO_STATE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.liars import falsely
from lydian.views.words.contents import contents, edited, falsehood, truth_in, with_contents
from lydian.views.words.source import read
from lydian.views.words.values import value_text

__all__ = [
    "Words", "brief", "called", "duration", "joined", "named", "now", "number", "plural", "reads", "size",
    "state_before", "still", "value_text",
]  # fmt: skip


#: Kinds of event whose message is named without its fields.
_UNSAID = (Kind.CORRUPT, Kind.NOTE, Kind.RULE, Kind.INIT)


class Words(Protocol):
    """The words that sentences take from an animation, for states and messages."""

    def word(self, state: str) -> str:
        """Return the word for a state in sentences and legends."""

    def label(self, label: str) -> str:
        """Return the word for a class of messages."""


def called(timeline: Timeline, seq: int, animation: Words) -> str:
    """Return the word for the message, timer or command of an event, or "" if it has none."""
    if getattr(animation, "dresses", ()) and timeline.message[seq] >= 0:
        word = word_of(timeline, int(timeline.message[seq]), animation)  # type: ignore[arg-type]
        if word:
            return word
    return animation.label(timeline.labels[timeline.label[seq]]) if timeline.label[seq] >= 0 else ""


def named(timeline: Timeline, seq: int, animation: Words) -> str:
    """Return the message, timer or command of an event with its fields, ``Echo(value=retreat)``, or ""."""
    return with_contents(called(timeline, seq, animation), contents(timeline, seq))


def brief(timeline: Timeline, seq: int, animation: Words | None = None) -> str:
    """Return an event in a few words without its process: ``receives Echo(value=retreat) from 3 → waiting``."""
    trace = timeline.trace
    kind = int(timeline.kind[seq])
    label = trace.labels[timeline.label[seq]] if timeline.label[seq] >= 0 else ""
    label = label if animation is None or not label else called(timeline, seq, animation)
    bare, label = label, with_contents(label, contents(timeline, seq)) if kind not in _UNSAID else label
    peer = trace.processes[timeline.peer[seq]] if timeline.peer[seq] >= 0 else ""
    false = falsely(timeline, seq) if kind in (Kind.SEND, Kind.NOTE, Kind.CORRUPT) else {}
    if kind == Kind.SEND:
        lie = "babbles: " if "babbled" in false else "lies: " if false else ""
        truth = truth_in(timeline, seq, false) if lie else ""
        return f"{lie}sends {label} to {peer}{f' instead of {truth}' if truth else ''}"
    if false:
        return str(false.get("text", "")).partition(":" if "byzantine" in false else "\0")[0]
    if kind == Kind.DROP:
        return f"misses {label} from {peer}{_false(timeline, seq)}"
    if kind == Kind.INJECT:
        return f"seems to send {label} to {peer}"
    if kind in (Kind.LINK_DOWN, Kind.LINK_UP):
        way = ", in this direction only" if (trace.detail(seq) or {}).get("one_way") else ""
        return f"link to {peer} {'goes down' if kind == Kind.LINK_DOWN else 'comes up'}{way}"
    if kind == Kind.CORRUPT and label:
        told = edited(trace.detail(seq) or {})
        return f"{bare} to {peer} is changed" + (f": {told}" if told else "")
    if kind == Kind.INTERVENE:
        return _intervened(trace.detail(seq) or {}, label, peer)
    if kind in (Kind.TIMER_SET, Kind.TIMER_CANCEL):
        rings = (trace.detail(seq) or {}).get("rings")
        does, expires = ("sets", "expires") if kind == Kind.TIMER_SET else ("cancels", "due")
        return f"{does} timer {label}" + ("" if rings is None else f" ({expires} at {value_text(rings)})")
    if kind in (Kind.DELIVER, Kind.DECIDE, Kind.NOTE, Kind.PRINT, Kind.ERROR):
        detail = trace.detail(seq) or {}
        if kind == Kind.NOTE and "later" in detail:
            by = float(detail["later"])
            return f"{label} to {peer} is {'delayed' if by >= 0 else 'hurried'} by {value_text(abs(by))}"
        if kind == Kind.NOTE and detail.get("outside"):  # A user's intervention wrote this note.
            return str(detail.get("text", ""))
        said = detail.get("text") if kind in (Kind.NOTE, Kind.PRINT, Kind.ERROR) else detail.get("value")
        word = {
            Kind.DELIVER: "delivers", Kind.DECIDE: "decides", Kind.NOTE: "notes", Kind.PRINT: "prints",
            Kind.ERROR: "fails:",
        }[kind]  # fmt: skip
        if said is None:
            return word
        return f"{word} an empty text" if said == "" else f"{word} {value_text(said)}"
    text = {
        Kind.INIT: "starts",
        Kind.RECEIVE: f"receives {label} from {peer}{_false(timeline, seq) if kind == Kind.RECEIVE else ''}",
        Kind.TIMER: f"timer {label}",
        Kind.COMMAND: f"command {label}",
        Kind.RULE: f"executes {label}{_values(trace.detail(seq))}" if kind == Kind.RULE else "",
        Kind.CRASH: "crashes",
        Kind.RECOVER: "recovers",
        Kind.CORRUPT: _corrupted(trace.detail(seq)) if kind == Kind.CORRUPT else "",
    }.get(kind, KINDS[kind])
    code = int(timeline.state[seq])
    if code == NO_STATE or kind == Kind.CRASH:
        return text
    before = state_before(timeline, seq)
    if before == trace.states[code]:
        return text
    return f"{text} → {trace.states[code] if animation is None else animation.word(trace.states[code])}"


def _false(timeline: Timeline, seq: int) -> str:
    told = falsehood(timeline, seq)
    return f" ({told})" if told else ""


def _intervened(record: Mapping[str, Any], label: str, peer: str) -> str:
    """Return what an intervention does to a process or a message, from its record."""
    if "later" in record:
        by = float(record["later"])
        return f"{label} to {peer} is {'delayed' if by >= 0 else 'hurried'} by {value_text(abs(by))}"
    kind = FAULTS.get(str(record.get("do")))
    return str(record.get("do")) if kind is None else kind.row_of(record, label, peer)


def _values(detail: Mapping[str, Any] | None) -> str:
    """Return the variables that changed, after a colon: ``: count 5``."""
    changed = (detail or {}).get("changed")
    if not isinstance(changed, Mapping) or not changed:
        return ""
    parts = [f"{name} {value_text(value)}" for name, value in list(changed.items())[:3]]
    return ": " + ", ".join(parts) + (", …" if len(changed) > 3 else "")


def _corrupted(detail: Mapping[str, Any] | None) -> str:
    return f"starts{_values(detail)}" if detail and detail.get("start") else "is corrupted"


def state_before(timeline: Timeline, seq: int) -> str | None:
    """Return the state of the process before event ``seq``; ``None`` for an event of no process."""
    process = int(timeline.process[seq])
    if process < 0:
        return None
    last = int(timeline.last_event(process, seq))
    code = int(timeline.state[last]) if last >= 0 else NO_STATE
    if code == NO_STATE:
        code = int(timeline.states_at(seq)[process])
    states = timeline.trace.states
    return states[code] if 0 <= code < len(states) else None


def reads(timeline: Timeline, state: str) -> str:
    """Return the predicate of a state, to follow "it": "is waiting", "wants the resource"."""
    return read(timeline.trace.source).predicate(state)


def now(predicate: str) -> str:
    """Return a predicate that has just become true: "is now waiting", "now wants the resource"."""
    return _adverb(predicate, "now")


def still(predicate: str) -> str:
    """Return a predicate that stays true: "is still waiting", "still wants the resource", "has already voted"."""
    return _adverb(predicate, "already" if _is_perfect(predicate) else "still")


#: Participles after "has" that do not end in "ed".
_DONE = ("been", "begun", "drawn", "found", "heard", "held", "left", "lost", "put", "sent", "taken", "told", "won")


def _adverb(predicate: str, adverb: str) -> str:
    verb, _, rest = predicate.partition(" ")
    inside = rest and (verb in ("is", "can", "may", "must", "will") or _has_participle(predicate))
    return f"{verb} {adverb} {rest}" if inside else f"{adverb} {predicate}"


def _is_perfect(predicate: str) -> bool:
    """Return True for "has voted", but not for "has a table", "has not voted" or "has heard nothing"."""
    return _has_participle(predicate) and not {"no", "nothing", "only"} & set(predicate.split()[2:])


def _has_participle(predicate: str) -> bool:
    """Return True for "has voted" and "has heard nothing", but not for "has a table" or "has not voted"."""
    verb, second, *_ = [*predicate.split(" "), ""]
    return verb == "has" and (second in _DONE or (second.endswith("ed") and len(second) > 3))


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """Return a number with its noun: ``1 message``, ``46 messages``, ``1,000 processes``."""
    many = nouns if nouns is not None else noun + ("es" if noun.endswith(("s", "sh", "ch", "x")) else "s")
    return f"{count:,} {noun if count == 1 else many}"


def number(value: float) -> str:
    """Return a time for a sentence: with one decimal, or three significant digits below 1."""
    return f"{value:,.1f}" if value >= 1 or value == 0 else f"{value:.3g}"


def joined(parts: Sequence[str]) -> str:
    """Return a list in words: ``a``, ``a and b``, ``a, b and c``."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else ""


def duration(seconds: float) -> str:
    """Return a duration in words: ``40 s``, ``3 min``, ``2.5 h``."""
    if seconds < 9.95:
        return f"{max(seconds, 0.1):.1g} s" if seconds < 0.95 else f"{seconds:.0f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def size(count: float) -> str:
    """Return a size in bytes: ``40 kB``, ``3.1 MB``."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} B"
