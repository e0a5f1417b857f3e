"""What was done to an execution, in words: ``Process 9 crashed``, ``Ack from 3 to 5 dropped``, ``4 links cut``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lydian.model.deeds import deed
from lydian.model.intervention import Intervention
from lydian.views.network.liars import way_word
from lydian.views.words.words import joined, number

if TYPE_CHECKING:
    from lydian.trace.timeline import Timeline
    from lydian.views.words.words import Words

__all__ = ["gesture", "message_name", "told"]

Done = Intervention | Mapping[str, Any]

#: ``do`` -> what happened to it; for messages: to one under way, and what will happen to the next one.
_PROCESS = {
    "crash": "crashed",
    "recover": "recovered",
    "wake": "woken",
    "scramble": "scrambled",
    "take_over": "taken over: you choose its steps",
    "release": "goes on by itself",
    "honest": "honest again",
}
_LINK = {"link_down": "cut", "link_up": "restored"}
_MESSAGE = {
    "drop": ("dropped", "will be lost"),
    "duplicate": ("duplicated", "will come twice"),
    "deliver": ("delivered", "will arrive at once"),
    "edit": ("changed", "will be changed"),
    "delay": ("delayed", "will be delayed"),
}
_NAMED = 4


def message_name(timeline: Timeline | None, message: int, words: Words | None = None) -> str:
    """``Ack from 3 to 5``; ``message 7`` where nothing is known of it."""
    if timeline is None or not 0 <= message < timeline.m_messages:
        return f"message {message}"
    label, a, b = (
        int(c[message]) for c in (timeline.message_label, timeline.message_source, timeline.message_target)
    )
    if label < 0 or a < 0 or b < 0:
        return f"message {message}"
    text = timeline.trace.labels[label]
    names = timeline.processes
    return f"{text if words is None else words.label(text)} from {names[a]} to {names[b]}"


def told(what: Done | Sequence[Done], timeline: Timeline | None = None, words: Words | None = None) -> str:
    """What happened, as a sentence without its full stop."""
    some = _plain(what)
    if not some:
        return ""
    do = str(some[0].get("do"))
    if any(each.get("do") != do for each in some):
        return "; ".join(dict.fromkeys(told([each], timeline, words) for each in some[:_NAMED]))
    if len(some) == 1:
        return _upper(_one(some[0], timeline, words))
    if do == "byzantine":
        names = [str(each.get("process")) for each in some]
        who = f"Processes {joined(names)}" if len(names) <= _NAMED else f"{len(names)} processes"
        return f"{who} are Byzantine from now on"
    if do in _PROCESS:
        names = [str(each.get("process")) for each in some]
        who = f"Processes {joined(names)}" if len(names) <= _NAMED else f"{len(names)} processes"
        verb = "go on by themselves" if do == "release" else _PROCESS[do]
        return f"{who} {verb}"
    if do in _LINK:
        ends = [_ends(each) for each in some]
        return (f"Links {joined(ends)}" if len(ends) <= _NAMED else f"{len(ends)} links") + f" {_LINK[do]}"
    if do in _MESSAGE:
        return f"{len(some)} messages {_MESSAGE[do][0]}"
    return f"{len(some)} times: {_one(some[0], timeline, words)}"


def gesture(what: Sequence[Mapping[str, Any]], timeline: Timeline | None = None, words: Words | None = None) -> str:
    """What the Edit menu says, with messages by their names: ``drop Ack from 3 to 5``."""
    text = deed(what)
    message = what[0].get("message") if len(what) == 1 else None
    if message is None:
        return text
    if what[0]["do"] == "delay" and _number(what[0].get("delay")) < 0:
        text = text.replace("delay", "hurry", 1)
    numbered = f"{what[0].get('label') or 'message'} {message}"
    return text.replace(numbered, message_name(timeline, message, words))


def _one(each: Mapping[str, Any], timeline: Timeline | None, words: Words | None) -> str:
    do, process = str(each.get("do")), each.get("process")
    if do == "byzantine":
        return f"process {process} {way_word(str(each.get('how') or 'lie'))} from now on"
    if do in _PROCESS:
        return f"process {process} {_PROCESS[do]}"
    if do in _LINK and each.get("one_way"):
        a, b = _sides(each)
        return f"link from {a} to {b} {_LINK[do]}, that way only"
    if do in _LINK:
        return f"link {_ends(each)} {_LINK[do]}"
    if do == "partition":
        until = each.get("until")
        groups = " | ".join(", ".join(map(str, group)) for group in each.get("groups") or ())
        return f"{groups} cut off" + (f" until {number(_number(until))}" if until is not None else "")
    if do == "heal":
        return "the partition is over"
    if do in _MESSAGE:
        now = each.get("message") is not None
        by = _number(each.get("delay")) if do == "delay" else 0.0
        aim = _aim(each, timeline, words)
        if do == "delay" and by < 0:
            return f"{aim} {'hurried' if now else 'will be hurried'} by {number(-by)}"
        return f"{aim} {_MESSAGE[do][0 if now else 1]}" + (f" by {number(by)}" if do == "delay" else "")
    if do == "corrupt" and each.get("by") is not None:
        more = _number(each.get("by"))
        way = "raised" if more > 0 else "lowered"
        return f"{each.get('variable')} of process {process} {way} by {number(abs(more))}"
    if do == "corrupt":
        value = each.get("value")
        shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        if each.get("variable") == "state":
            return f"process {process} is now {shown}"
        return f"{each.get('variable')} of process {process} is now {shown or 'empty'}"
    if do == "inject":
        a, b = _sides(each)
        return f"{each.get('label')} sent to {b} as if by {a}"
    if do == "command":
        return f"command {each.get('label')} given to process {process}"
    if do == "hurry":
        return f"{each.get('label')} of process {process} happened now"
    if do == "fire":
        return f"process {process} executed {each.get('label')}"
    if do == "retime":
        law = each.get("distribution")
        return f"a step of process {process} now takes {law}" if process else f"link {_ends(each)} now takes {law}"
    return do


def _aim(each: Mapping[str, Any], timeline: Timeline | None, words: Words | None) -> str:
    message = each.get("message")
    if message is not None:
        return message_name(timeline, int(message), words)
    label = each.get("label") or "message"
    if each.get("link"):
        a, b = _sides(each)
        return f"the next {label} from {a} to {b}"
    return f"the next {label}"


def _sides(each: Mapping[str, Any]) -> tuple[str, str]:
    link = each.get("link") or ("?", "?")
    a, b = link.split("-", 1) if isinstance(link, str) and "-" in link else (link[0], link[1])
    return str(a), str(b)


def _ends(each: Mapping[str, Any]) -> str:
    return "-".join(_sides(each))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _plain(what: Done | Sequence[Done]) -> list[Mapping[str, Any]]:
    several = [what] if isinstance(what, Intervention | Mapping) else list(what)
    return [each.to_dict() if isinstance(each, Intervention) else each for each in several]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]

