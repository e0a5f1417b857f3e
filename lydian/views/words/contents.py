"""The contents of messages: the fields of a message, timer or command as its receiver gets them, and what is false in
them.

The fields are in the detail of the event that sent the message. Fields with default values are left out there; the
defaults are read from the protocol's text. A fault may have changed a field in transit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.time.axis import remember
from lydian.views.words.phrases import chained, joined, quotation
from lydian.views.words.source import defaults_of, read
from lydian.views.words.values import typed, value_text

__all__ = ["cited", "contents", "edited", "falsehood", "shows", "truth_in", "with_contents"]

#: The largest number of fields that are shown, and the longest text for one of them; the rest is "…".
MOST, LONGEST = 4, 32
_TIMERS = (Kind.TIMER, Kind.TIMER_SET, Kind.TIMER_CANCEL)
_OWN = (Kind.COMMAND, *_TIMERS)


def contents(timeline: Timeline, seq: int) -> Mapping[str, Any]:
    """Return the fields of the message, timer or command of event ``seq``, as they are at this event, or nothing.

    Fields whose default is None or empty are left out.
    """
    code = int(timeline.label[seq])
    if code < 0:
        return {}
    label, kind = timeline.labels[code], int(timeline.kind[seq])
    detail = _detail(timeline, seq, kind)
    if detail is None:
        return {}
    source = timeline.trace.source
    types = read(source).fields.get(label, {})
    recorded = detail.get("fields")
    recorded = recorded if isinstance(recorded, Mapping) else {}
    defaults = defaults_of(source).get(label, {}) if label in read(source).fields else {}
    if kind in _TIMERS and not recorded:  # A trace may leave out the fields of a timer.
        return {}
    found = {name: recorded.get(name, value) for name, value in defaults.items() if name in recorded or _says(value)}
    found.update(recorded)
    return {name: typed(value, types.get(name, "")) for name, value in found.items()}


def _says(default: Any) -> bool:
    """Return True if a default is worth showing: it is neither None nor empty."""
    return default is not None and default not in ("", [], (), {}, set())


def _detail(timeline: Timeline, seq: int, kind: int) -> Mapping[str, Any] | None:
    """Return the detail with the fields that are valid at an event: that of the sending, or of the last fault that
    changed them.
    """
    message = int(timeline.message[seq])
    log = timeline.trace.summary.get("imported")
    foreign = isinstance(log, Mapping) and not log.get("ours")  # In an imported log each event has a text of its own.
    if kind == Kind.CORRUPT or (foreign and kind == Kind.RECEIVE):
        return timeline.trace.detail(seq) or {}
    if message < 0:
        return (timeline.trace.detail(seq) or {}) if kind in _OWN else None
    sent = int(timeline.sends[message]) if message < timeline.m_messages else -1
    last = sent if kind in (Kind.SEND, Kind.INJECT) or sent < 0 else _changed(timeline, message, seq, sent)
    return None if last < 0 else timeline.trace.detail(last) or {}


def _changed(timeline: Timeline, message: int, seq: int, sent: int) -> int:
    """Return the last event before ``seq`` that determines the contents of a message: a fault that changed it, or its
    sending.
    """
    found: dict[int, list[int]] = _changes(timeline)
    return max((each for each in found.get(message, ()) if each < seq), default=sent)


def _changes(timeline: Timeline) -> dict[int, list[int]]:
    """Return, for each message, the events at which a fault changed it."""

    def make() -> dict[int, list[int]]:
        told: dict[int, list[int]] = {}
        rows = np.flatnonzero((np.asarray(timeline.kind) == Kind.CORRUPT) & (np.asarray(timeline.label) >= 0))
        for row in rows.tolist():
            message = (timeline.trace.detail(row) or {}).get("message", int(timeline.message[row]))
            if isinstance(message, int):
                told.setdefault(message, []).append(row)
        return told

    changes: dict[int, list[int]] = remember(timeline, "changed messages", make)
    return changes


def with_contents(word: str, fields: Mapping[str, Any]) -> str:
    """Return a word with its fields, ``Echo(value=retreat)``, or the word alone if there are none."""
    if not fields or not word:
        return word
    return word + _in_brackets(fields)


def cited(word: str, fields: Mapping[str, Any]) -> str:
    """Return a name with its fields as a part of a sentence; a name of several words is in quotation marks, because it
    may be a clause itself: ``“Link is up” (again=yes)``.
    """
    if word.isidentifier() or not re.search(r"[\s?!,.:;]", word):
        return with_contents(word, fields)
    return quotation(word) + (f" {_in_brackets(fields)}" if fields else "")


def _in_brackets(fields: Mapping[str, Any]) -> str:
    told = [f"{name}={_written(value)}" for name, value in list(fields.items())[:MOST]]
    return f"({', '.join(told)}{', …' if len(fields) > MOST else ''})"


def _written(value: Any) -> str:
    text = value_text(value, limit=LONGEST)
    return f"“{text}”" if isinstance(value, str) and (" " in text or "," in text) else text


def falsehood(timeline: Timeline, seq: int) -> str:
    """Return what is false in the message of event ``seq``, and the truth, to follow its name; or "".

    ``a lie: the truth is value=attack``, ``changed on its way: hops 2 → 7``.
    """
    message, kind = int(timeline.message[seq]), int(timeline.kind[seq])
    if kind not in (Kind.SEND, Kind.RECEIVE, Kind.DROP) or not 0 <= message < timeline.m_messages:
        return ""
    sent = int(timeline.sends[message])
    if sent < 0:
        return ""
    last = sent if kind == Kind.SEND else _changed(timeline, message, seq, sent)
    detail = timeline.trace.detail(last) or {}
    if last != sent:
        told = edited(detail)
        return tr("changed on its way: {changes}", changes=told) if told else ""
    if detail.get("babbled"):
        return tr("babble: no protocol asks for it")
    truth = truth_in(timeline, sent, detail)
    return tr("a lie: the truth is {truth}", truth=truth) if truth else ""


def shows(detail: Mapping[str, Any]) -> str:
    """Return what a Byzantine process shows to its neighbours in place of its variables, and to which of them."""
    lies = detail.get("shown") or {}
    values = chained(f"{name} = {value_text(value)}" for name, value in lies.items()) if lies else ""
    receivers = str(detail.get("text", "")).rpartition(" to ")[2]  # a trace records them only in its text
    if receivers == "its neighbours":
        return tr("shows {values} to its neighbours", values=values) if values else tr("shows its neighbours the truth")
    if not values:
        return tr("shows the truth to {receivers}", receivers=joined(receivers.split(" and ")))
    return tr("shows {values} to {receivers}", values=values, receivers=joined(receivers.split(" and ")))


def edited(detail: Mapping[str, Any], arrow: str = " → ") -> str:
    """Return how the fields of a message were changed in transit: ``hops 2 → 7``.

    Args:
        detail: of the event; without ``was`` all fields are told as they are now.
    """
    fields, was = detail.get("fields"), detail.get("was")
    if not isinstance(fields, Mapping):
        return ""
    before: Mapping[str, Any] = was if isinstance(was, Mapping) else {}
    names = [name for name in fields if name in before] if isinstance(was, Mapping) else list(fields)
    parts = [
        f"{name} {value_text(before[name])}{arrow}{value_text(fields[name])}"
        if name in before
        else f"{name} {value_text(fields[name])}"
        for name in names
    ]
    return ", ".join(parts[:3]) + (", …" if len(parts) > 3 else "")


def truth_in(timeline: Timeline, sent: int, detail: Mapping[str, Any]) -> str:
    """Return the true contents of a message that lies, ``value=attack``, or "" if it does not lie."""
    lied = detail.get("lied")
    if not isinstance(lied, Mapping) or not lied:
        return ""
    code = int(timeline.label[sent])
    types = read(timeline.trace.source).fields.get(timeline.labels[code], {}) if code >= 0 else {}
    told = [f"{name}={_written(typed(value, types.get(name, '')))}" for name, value in lied.items()]
    return chained(told)
