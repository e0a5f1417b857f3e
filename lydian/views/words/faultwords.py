"""Interventions in words: ``Process 9 crashed``, ``Ack from 3 to 5 dropped``, ``4 links cut``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lydian.model.interventions import KINDS, Intervention
from lydian.model.interventions.kind import words_of
from lydian.model.interventions.words import gesture_words
from lydian.trace.timeline import Timeline
from lydian.views.words.words import Words, joined, number

__all__ = ["gesture", "message_name", "told"]

Done = Intervention | Mapping[str, Any]

#: The largest number of processes or links that are named.
_NAMED = 4


def message_name(timeline: Timeline | None, message: int, words: Words | None = None) -> str:
    """Return a message in words: ``Ack from 3 to 5``, or ``message 7`` if the trace does not show it."""
    if timeline is None or not 0 <= message < timeline.m_messages:
        return f"message {message}"
    label, a, b = (int(c[message]) for c in (timeline.message_label, timeline.message_source, timeline.message_target))
    if label < 0 or a < 0 or b < 0:
        return f"message {message}"
    text = timeline.trace.labels[label]
    names = timeline.processes
    return f"{text if words is None else words.label(text)} from {names[a]} to {names[b]}"


def told(what: Done | Sequence[Done], timeline: Timeline | None = None, words: Words | None = None) -> str:
    """Return what happened, as a sentence without its full stop."""
    some = _plain(what)
    if not some:
        return ""
    do = str(some[0].get("do"))
    if any(each.get("do") != do for each in some):
        return "; ".join(dict.fromkeys(told([each], timeline, words) for each in some[:_NAMED]))
    if len(some) == 1:
        return _upper(_one(some[0], timeline, words))
    if do not in KINDS:
        return f"{len(some)} times: {do}"
    aim = KINDS[do].aim
    names = [str(each.get("process")) if aim == "process" else words_of(each)["link"] for each in some]
    things = "Processes" if aim == "process" else "Links"
    who = f"{things} {joined(names)}" if len(names) <= _NAMED else f"{len(names)} {things.lower()}"
    return KINDS[do].told_many(who, len(some)) or f"{len(some)} times: {_one(some[0], timeline, words)}"


def gesture(what: Sequence[Mapping[str, Any]], timeline: Timeline | None = None, words: Words | None = None) -> str:
    """Return an intervention as a command of the Edit menu, with messages by their names: ``drop Ack from 3 to 5``."""
    text = gesture_words(what)
    message = what[0].get("message") if len(what) == 1 else None
    if message is None:
        return text
    kind = KINDS[what[0]["do"]]
    text = text.replace(kind.order[0], kind.verb(what[0]), 1)
    numbered = f"{what[0].get('label') or 'message'} {message}"
    return text.replace(numbered, message_name(timeline, message, words))


def _one(each: Mapping[str, Any], timeline: Timeline | None, words: Words | None) -> str:
    kind = KINDS.get(str(each.get("do")))
    if kind is None:
        return str(each.get("do"))
    later, by, until = (number(abs(_number(each.get(key)))) for key in ("delay", "by", "until"))
    numbers = {"later": later, "by": by, "until": until}
    return kind.told(each, words_of(each) | numbers | {"aim": _aim(each, timeline, words)})


def _aim(each: Mapping[str, Any], timeline: Timeline | None, words: Words | None) -> str:
    message = each.get("message")
    if message is not None:
        return message_name(timeline, int(message), words)
    label = each.get("label") or "message"
    if each.get("link"):
        parts = words_of(each)
        return f"the next {label} from {parts['a']} to {parts['b']}"
    return f"the next {label}"


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _plain(what: Done | Sequence[Done]) -> list[Mapping[str, Any]]:
    several = [what] if isinstance(what, Intervention | Mapping) else list(what)
    return [each.to_dict() if isinstance(each, Intervention) else each for each in several]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
