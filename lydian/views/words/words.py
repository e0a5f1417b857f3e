"""Short texts that sentences and views share: an event in brief, a value, a plural."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from lydian.language import tr, translated, trn
from lydian.model.interventions import KINDS as FAULTS
from lydian.model.protocol.program import NEXT, condition_of, inner
from lydian.pieces.messagelooks import word_of
from lydian.trace.accesses import access_of
from lydian.trace.events import KINDS, NO_STATE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.liars import falsely
from lydian.views.words.accesses import accessed
from lydian.views.words.contents import cited, contents, edited, falsehood, shows, truth_in
from lydian.views.words.phrases import joined
from lydian.views.words.source import read
from lydian.views.words.values import value_text

__all__ = [
    "Words", "awaited", "begins_program", "brief", "called", "duration", "forms", "grouped", "is_perfect", "joined",
    "named", "now", "number", "plural", "reads", "size", "state_before", "still", "value_text",
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
    """Return the message, timer or command of an event with its fields, ``Echo(value=retreat)``, to be part of a
    sentence; or "".
    """
    return cited(called(timeline, seq, animation), contents(timeline, seq))


def brief(timeline: Timeline, seq: int, animation: Words | None = None) -> str:
    """Return an event in a few words without its process: ``receives Echo(value=retreat) from 3 → waiting``."""
    trace = timeline.trace
    kind = int(timeline.kind[seq])
    label = trace.labels[timeline.label[seq]] if timeline.label[seq] >= 0 else ""
    label = label if animation is None or not label else called(timeline, seq, animation)
    bare, label = cited(label, {}), cited(label, contents(timeline, seq) if kind not in _UNSAID else {})
    peer = trace.processes[timeline.peer[seq]] if timeline.peer[seq] >= 0 else ""
    false = falsely(timeline, seq) if kind in (Kind.SEND, Kind.NOTE, Kind.CORRUPT) else {}
    if kind == Kind.SEND:
        return _sent(label, peer, false, truth_in(timeline, seq, false) if false else "")
    if "mute" in false:
        return tr("is silent: {message} to {receiver} is not sent", message=bare, receiver=peer)
    if "shown" in false:
        return shows(false)
    if false:
        return translated(str(false.get("text", ""))).partition(":" if "byzantine" in false else "\0")[0].rstrip()
    if kind == Kind.DROP:
        return tr("misses {message} from {sender}", message=label, sender=peer) + _false(timeline, seq)
    if kind == Kind.INJECT:
        return tr("seems to send {message} to {receiver}", message=label, receiver=peer)
    if kind in (Kind.LINK_DOWN, Kind.LINK_UP):
        return _link(kind, peer, one_way=bool((trace.detail(seq) or {}).get("one_way")))
    if kind == Kind.CORRUPT and label:
        told = edited(trace.detail(seq) or {})
        if not told:
            return tr("{message} to {receiver} is changed", message=bare, receiver=peer)
        return tr("{message} to {receiver} is changed: {changes}", message=bare, receiver=peer, changes=told)
    if kind == Kind.INTERVENE:
        return _intervened(trace.detail(seq) or {}, label, peer)
    if kind in (Kind.TIMER_SET, Kind.TIMER_CANCEL):
        return _timer(kind, label, (trace.detail(seq) or {}).get("rings"))
    if kind in (Kind.DELIVER, Kind.DECIDE, Kind.NOTE, Kind.PRINT, Kind.ERROR):
        return _said(kind, trace.detail(seq) or {}, label, peer)
    text = _responds(timeline, seq, kind, label, peer)
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


def _sent(message: str, receiver: str, false: Mapping[str, Any], truth: str) -> str:
    text = tr("sends {message} to {receiver}", message=message, receiver=receiver)
    if truth:
        text = tr("{sends} instead of {truth}", sends=text, truth=truth)
    if "babbled" in false:
        return tr("babbles: {sends}", sends=text)
    return tr("lies: {sends}", sends=text) if false else text


def _link(kind: int, peer: str, *, one_way: bool) -> str:
    if kind == Kind.LINK_DOWN:
        if one_way:
            return tr("link to {receiver} goes down, in this direction only", receiver=peer)
        return tr("link to {receiver} goes down", receiver=peer)
    if one_way:
        return tr("link to {receiver} comes up, in this direction only", receiver=peer)
    return tr("link to {receiver} comes up", receiver=peer)


def _timer(kind: int, timer: str, rings: Any) -> str:
    if kind == Kind.TIMER_SET:
        if rings is None:
            return tr("sets timer {timer}", timer=timer)
        return tr("sets timer {timer} (expires at {time})", timer=timer, time=value_text(rings))
    if rings is None:
        return tr("cancels timer {timer}", timer=timer)
    return tr("cancels timer {timer} (due at {time})", timer=timer, time=value_text(rings))


def _said(kind: int, detail: Mapping[str, Any], label: str, peer: str) -> str:
    """Return what a process delivers, decides, notes or prints, or why it fails."""
    if kind == Kind.NOTE and "later" in detail:
        return _delayed(label, peer, float(detail["later"]))
    if kind == Kind.NOTE and detail.get("outside"):  # A user's intervention wrote this note.
        return str(detail.get("text", ""))
    said = detail.get("text") if kind in (Kind.NOTE, Kind.PRINT, Kind.ERROR) else detail.get("value")
    alone, whole = {
        Kind.DELIVER: (tr("delivers"), tr("delivers {value}")),
        Kind.DECIDE: (tr("decides"), tr("decides {value}")),
        Kind.NOTE: (tr("notes"), tr("notes {value}")),
        Kind.PRINT: (tr("prints"), tr("prints {value}")),
        Kind.ERROR: (tr("fails:"), tr("fails: {value}")),
    }[kind]
    return alone if said is None else whole.format(value=tr("an empty text") if said == "" else value_text(said))


def begins_program(timeline: Timeline, seq: int) -> bool:
    """Return True if an event is the first step of a process's program."""
    initial, label = timeline.trace.summary.get("initial"), int(timeline.label[seq])
    if not isinstance(initial, Mapping) or label < 0 or int(timeline.kind[seq]) != Kind.RULE:
        return False
    return initial.get(NEXT) == timeline.trace.labels[label]


def awaited(detail: Mapping[str, Any]) -> str:
    """Return the condition for which a program waits after a step that has changed what comes next, or ""."""
    changed = detail.get("changed")
    step = changed.get(NEXT) if isinstance(changed, Mapping) else None
    return condition_of(step) if isinstance(step, str) else ""


def _responds(timeline: Timeline, seq: int, kind: int, label: str, peer: str) -> str:
    """Return an event to which a process responds, or that happens to it, without its new state."""
    if kind == Kind.INIT:
        return tr("starts")
    if kind == Kind.RECEIVE:
        return tr("receives {message} from {sender}", message=label, sender=peer) + _false(timeline, seq)
    if kind == Kind.TIMER:
        return tr("timer {timer}", timer=label)
    if kind == Kind.COMMAND:
        return tr("command {command}", command=label)
    if kind == Kind.RULE:
        detail = timeline.trace.detail(seq)
        access = access_of(detail)
        if begins_program(timeline, seq):
            return tr("begins its program") + _values(detail)
        return (tr("executes {rule}", rule=label) if access is None else accessed(access)) + _values(detail)
    if kind == Kind.CRASH:
        return tr("crashes")
    if kind == Kind.RECOVER:
        return tr("recovers")
    return _corrupted(timeline.trace.detail(seq)) if kind == Kind.CORRUPT else KINDS[kind]


def _intervened(record: Mapping[str, Any], label: str, peer: str) -> str:
    """Return what an intervention does to a process or a message, from its record."""
    if "later" in record:
        return _delayed(label, peer, float(record["later"]))
    kind = FAULTS.get(str(record.get("do")))
    return str(record.get("do")) if kind is None else kind.row_of(record, label, peer)


def _delayed(label: str, peer: str, by: float) -> str:
    if by >= 0:
        return tr(
            "{message} to {receiver} is delayed by {time}", message=label, receiver=peer, time=value_text(abs(by))
        )
    return tr("{message} to {receiver} is hurried by {time}", message=label, receiver=peer, time=value_text(abs(by)))


def _values(detail: Mapping[str, Any] | None) -> str:
    """Return the variables that changed, after a colon: ``: count 5``."""
    changed = (detail or {}).get("changed")
    if not isinstance(changed, Mapping) or not changed:
        return ""
    told = [(name, value) for name, value in changed.items() if not inner(name)]
    parts = [f"{name} {value_text(value)}" for name, value in told[:3]]
    return (": " if parts else "") + ", ".join(parts) + (", …" if len(told) > 3 else "")


def _corrupted(detail: Mapping[str, Any] | None) -> str:
    return tr("starts") + _values(detail) if detail and detail.get("start") else tr("is corrupted")


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
    return _adverb(predicate, "already" if is_perfect(predicate) else "still")


#: Participles after "has" that do not end in "ed".
_DONE = ("been", "begun", "drawn", "found", "heard", "held", "left", "lost", "put", "sent", "taken", "told", "won")


def _adverb(predicate: str, adverb: str) -> str:
    verb, _, rest = predicate.partition(" ")
    inside = rest and (verb in ("is", "can", "may", "must", "will") or _has_participle(predicate))
    return f"{verb} {adverb} {rest}" if inside else f"{adverb} {predicate}"


def is_perfect(predicate: str) -> bool:
    """Return True for "has voted", but not for "has a table", "has not voted" or "has heard nothing"."""
    return _has_participle(predicate) and not {"no", "nothing", "only"} & set(predicate.split()[2:])


def _has_participle(predicate: str) -> bool:
    """Return True for "has voted" and "has heard nothing", but not for "has a table" or "has not voted"."""
    verb, second, *_ = [*predicate.split(" "), ""]
    return verb == "has" and (second in _DONE or (second.endswith("ed") and len(second) > 3))


def forms(noun: str, nouns: str | None = None) -> tuple[str, str]:
    """Return the texts for one thing and for several, as :func:`trn` takes them: ``{count:,} message``."""
    many = nouns if nouns is not None else noun + ("es" if noun.endswith(("s", "sh", "ch", "x")) else "s")
    return f"{{count:,}} {noun}", f"{{count:,}} {many}"


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """Return a number with its noun: ``1 message``, ``46 messages``, ``1,000 processes``."""
    return trn(*forms(noun, nouns), count)


def number(value: float) -> str:
    """Return a time for a sentence: with one decimal, or three significant digits below 1."""
    return tr("{number:,.1f}", number=value) if value >= 1 or value == 0 else f"{value:.3g}"


def grouped(value: float) -> str:
    """Return a number with its thousands separated, with one decimal if it is not whole."""
    return tr("{number:,.0f}", number=value) if value == round(value) else tr("{number:,.1f}", number=value)


def duration(seconds: float) -> str:
    """Return a duration in words: ``40 s``, ``3 min``, ``2.5 h``."""
    if seconds < 0.95:
        return tr("{seconds:.1g} s", seconds=max(seconds, 0.1))
    if seconds < 90:
        return tr("{seconds:.0f} s", seconds=seconds)
    return (
        tr("{minutes:.0f} min", minutes=seconds / 60) if seconds < 5400 else tr("{hours:.1f} h", hours=seconds / 3600)
    )


def size(count: float) -> str:
    """Return a size in bytes: ``40 kB``, ``3.1 MB``."""
    if count >= 1e9:
        return tr("{size:.3g} GB", size=count / 1e9)
    if count >= 1e6:
        return tr("{size:.3g} MB", size=count / 1e6)
    return tr("{size:.3g} kB", size=count / 1e3) if count >= 1e3 else tr("{size:.0f} B", size=count)
