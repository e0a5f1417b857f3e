"""Conditions in the form in which users write them: ``5``, ``#57``, ``5 is waiting``, ``receives Ack from 3``,
``missing == 0``.

``read(str(b)) == b`` holds for every breakpoint b that is in force.
"""

from __future__ import annotations

import math
import re

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.trace.events import KINDS
from lydian.trace.timeline import Timeline
from lydian.views.playback.until import VERBS, Breakpoint, moment, why_never
from lydian.views.words import filter as filters
from lydian.views.words.conditions import All, Any_, Filter, Not, Word

__all__ = ["EXAMPLES", "first_time", "read"]

#: Examples of conditions, for error messages.
EXAMPLES = tr(
    'a time such as {time}, {event}, "{state}", "{message}", "{expression}", or "{violation}"',
    time=3.5, event="#57", state="5 is waiting", message="3 receives Ack from 5", expression="missing == 0",
    violation="violated",
)  # fmt: skip

_NAME = r'(?:"(?:[^"\\]|\\.)*"|[^\s":]+)'
_WHO = rf"(?:(?:process\s+)?(?P<who>{_NAME})\s+)"
_ANYBODY = re.compile(r"(?:(?:a|any|some)\s+process|anybody|somebody|any|one)\s+", re.IGNORECASE)
_TIME = re.compile(r"(?:time|t)?\s*=?\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)", re.IGNORECASE)
#: A variable of a layer before an operator, ``chord.succ ==``; a message's field begins with its class, hence a
#: capital.
_DOTTED = re.compile(r"(?<![\w.\"])(?!message\.)[a-z_]\w*\.[\w.]+\s*[!<>=]")
_EVENT = re.compile(r"(?:#|event\s+#?)\s*(\d{1,15})", re.IGNORECASE)
_VIOLATED = re.compile(rf"(?:(?P<what>a property|{_NAME}|.+?)\s+is\s+violated|violat(?:ed|ion))", re.IGNORECASE)
_STATE = re.compile(rf"{_WHO}?(?:is|becomes|enters)\s+(?:the\s+state\s+)?(?P<state>\S.*)", re.IGNORECASE)
_KINDS = "|".join(KINDS)
_MESSAGE = re.compile(
    rf"{_WHO}?(?P<verb>sends|receives|gets|loses|has an event with|has (?:{_KINDS}))\s+"
    rf"(?P<label>(?:a|any) message|{_NAME})(?:\s+(?:from|to|with)\s+(?:process\s+)?(?P<peer>{_NAME}))?",
    re.IGNORECASE,
)
_AT = re.compile(rf"(?:process\s+)?(?P<who>{_NAME})\s*:(?!=)\s*(?P<rest>\S.*)", re.IGNORECASE)


def read(text: str) -> Breakpoint:
    """Return the condition that a text means.

    Raises:
        BadInput: it is not a condition.
    """
    text = text.strip()
    if not text:
        raise BadInput(tr("write {examples}", examples=EXAMPLES))
    if found := _TIME.fullmatch(text):
        time = float(found[1])
        if not math.isfinite(time) or time < 0:
            raise BadInput(tr("a time must be a finite number from 0, not {value}", value=shown(text)))
        return Breakpoint("time", time)
    if found := _EVENT.fullmatch(text):
        return Breakpoint("event", int(found[1]))
    if found := _VIOLATED.fullmatch(text):
        what = found["what"] or ""
        return Breakpoint("violation", "" if what.lower() in ("", "a property") else _plain(what))
    anybody = _ANYBODY.match(text)
    rest = text[anybody.end() :] if anybody else text
    if found := _MESSAGE.fullmatch(rest):
        return _message(found)
    if found := _STATE.fullmatch(rest):
        return Breakpoint("state", _plain(found["state"]), process=_name(found["who"]))
    if found := _AT.fullmatch(text):
        return Breakpoint("predicate", found["rest"], process=_name(found["who"]))
    return _condition(text)


def _message(found: re.Match[str]) -> Breakpoint:
    verb, label = found["verb"].lower(), found["label"]
    kind = next((kind for kind, (word, _) in VERBS.items() if word == verb), None)
    if verb == "gets":
        kind = "receive"
    elif kind is None and verb != "has an event with":
        kind = verb.removeprefix("has ")
    value = "" if label.lower() in ("a message", "any message") else _plain(label)
    return Breakpoint("message", value, process=_name(found["who"]), kind=kind, peer=_name(found["peer"]))


def _condition(text: str) -> Breakpoint:
    """Return a filter such as ``p=5 and message=Ack``, or else an expression over variables."""
    try:
        meant = None if _DOTTED.search(text) else filters.parse(text)
    except BadInput:
        meant = None
    if meant is not None and not _only_words(meant):
        return Breakpoint("filter", text)
    if meant is not None and not re.search(r"[(\[]|\bnot\b|\bor\b|\band\b", text):
        raise BadInput(tr("{text} is not a condition; write {examples}", text=shown(text), examples=EXAMPLES))
    try:
        return Breakpoint("predicate", text)
    except BadInput as error:
        raise BadInput(tr("{error}; or write {examples}", error=error, examples=EXAMPLES)) from None


def _only_words(meant: Filter) -> bool:
    if isinstance(meant, Not):
        return _only_words(meant.inner)
    if isinstance(meant, All | Any_):
        return all(_only_words(part) for part in meant.parts)
    return isinstance(meant, Word)


def _plain(text: str) -> str:
    """Return a name without its quotes."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _name(text: str | None) -> str | None:
    return None if text is None else _plain(text)


def first_time(text: str, timeline: Timeline | None) -> float:
    """Return the time at which a condition is first met.

    Args:
        text: the condition.
        timeline: the execution; without one, the condition is only read, and the result is 0.

    Raises:
        BadInput: the condition cannot be read, or it is never met.
    """
    wanted = read(text)
    if timeline is None:
        return 0.0
    why = why_never(wanted, timeline)
    found = moment(wanted, timeline, -1.0) if why is None else None
    if found is None:
        why = why or f"this never happens: {wanted}"
        raise BadInput(f"{why[:1].lower()}{why[1:].rstrip('.')}")
    return found[0]
