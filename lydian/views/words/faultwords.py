"""Interventions in words: ``Process 9 crashed``, ``Ack from 3 to 5 dropped``, ``4 links cut``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lydian.language import tr, trn
from lydian.model.interventions import KINDS, Intervention
from lydian.model.interventions.kind import words_of
from lydian.model.interventions.words import gesture_words
from lydian.trace.timeline import Timeline
from lydian.views.words.contents import cited
from lydian.views.words.phrases import clauses, joined
from lydian.views.words.words import Words, number

__all__ = ["gesture", "message_name", "told"]

Done = Intervention | Mapping[str, Any]

#: The largest number of processes or links that are named.
_NAMED = 4


def message_name(timeline: Timeline | None, message: int, words: Words | None = None) -> str:
    """Return a message in words: ``Ack from 3 to 5``, or ``message 7`` if the trace does not show it."""
    if timeline is None or not 0 <= message < timeline.m_messages:
        return tr("message {number}", number=message)
    label, a, b = (int(c[message]) for c in (timeline.message_label, timeline.message_source, timeline.message_target))
    if label < 0 or a < 0 or b < 0:
        return tr("message {number}", number=message)
    text = timeline.trace.labels[label]
    names = timeline.processes
    name = cited(text if words is None else words.label(text), {})
    return tr("{message} from {sender} to {receiver}", message=name, sender=names[a], receiver=names[b])


def told(what: Done | Sequence[Done], timeline: Timeline | None = None, words: Words | None = None) -> str:
    """Return what happened, as a sentence without its full stop."""
    some = _plain(what)
    if not some:
        return ""
    do = str(some[0].get("do"))
    if any(each.get("do") != do for each in some):
        return clauses(*dict.fromkeys(told([each], timeline, words) for each in some[:_NAMED]))
    if len(some) == 1:
        return _upper(_one(some[0], timeline, words))
    if do not in KINDS:
        return _times(len(some), do)
    aimed = KINDS[do].aim == "process"
    names = [str(each.get("process")) if aimed else words_of(each)["link"] for each in some]
    return KINDS[do].told_many(_who(names, aimed), len(some)) or _times(len(some), _one(some[0], timeline, words))


def _who(names: Sequence[str], processes: bool) -> str:
    """Return several processes or links as the beginning of a sentence: ``Processes 3 and 5``, ``12 links``."""
    if len(names) > _NAMED:
        count = len(names)
        return (
            trn("{count} process", "{count} processes", count)
            if processes
            else trn("{count} link", "{count} links", count)
        )
    some = joined(names)
    return tr("Processes {names}", names=some) if processes else tr("Links {names}", names=some)


def _times(count: int, happened: str) -> str:
    return trn("{count} time: {happened}", "{count} times: {happened}", count, happened=happened)


def gesture(what: Sequence[Mapping[str, Any]], timeline: Timeline | None = None, words: Words | None = None) -> str:
    """Return an intervention as a command of the Edit menu, with messages by their names: ``drop Ack from 3 to 5``."""
    message = what[0].get("message") if len(what) == 1 else None
    return gesture_words(what, "" if message is None else message_name(timeline, message, words))


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
    label = each.get("label") or tr("message")
    if each.get("link"):
        ends = words_of(each)
        return tr("the next {message} from {sender} to {receiver}", message=label, sender=ends["a"], receiver=ends["b"])
    return tr("the next {message}", message=label)


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _plain(what: Done | Sequence[Done]) -> list[Mapping[str, Any]]:
    several = [what] if isinstance(what, Intervention | Mapping) else list(what)
    return [each.to_dict() if isinstance(each, Intervention) else each for each in several]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
