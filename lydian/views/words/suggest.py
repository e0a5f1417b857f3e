"""Suggestions for the next part of a filter: keys, names of this execution, words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lydian.language import tr, trc
from lydian.trace.events import KINDS
from lydian.trace.timeline import Timeline
from lydian.views.words.conditions import NAMES, NUMBERS, codes_of, names_of, quoted
from lydian.views.words.source import read
from lydian.views.words.words import Words

__all__ = ["Suggestion", "suggestions"]

#: The keys that are suggested, each with its meaning; other keys are synonyms of these.
KEYS = {
    "p": tr("process"), "peer": tr("the other process"), "kind": tr("kind of event"),
    "message": tr("message, timer or command"), "state": tr("state after the event"), "t": tr("time"),
    "lamport": tr("Lamport time"), "seq": tr("number of the event"), "chain": tr("messages on the longest chain"),
    "round": trc("noun", "round"), "bits": tr("size of the message"),
}  # fmt: skip
JOINTS = {"and": tr("both"), "or": tr("either of them"), "not": tr("negation")}
_TERM = re.compile(r'(?P<key>[A-Za-z]+)\s*(?P<sign>!=|==|=)\s*(?P<value>"[^"]*|[^\s()"=<>!]*)$')
_WORD = re.compile(r'[^\s()"=<>!]*$')


@dataclass(frozen=True)
class Suggestion:
    """A text that may replace characters ``start`` to ``end``; ``about`` describes it."""

    text: str
    start: int
    end: int
    about: str = ""

    def into(self, text: str) -> str:
        """Return the whole filter with the suggestion inserted."""
        return text[: self.start] + self.text + text[self.end :]


def suggestions(
    text: str, cursor: int, timeline: Timeline, animation: Words | None = None, most: int = 12
) -> list[Suggestion]:
    """Return suggestions for the text at the cursor; none if that text is complete.

    Args:
        cursor: the number of characters before it.
        animation: its words for states are offered with them.
    """
    before = text[:cursor]
    if before.count('"') % 2 and not _TERM.search(before):
        return []
    term = _TERM.search(before)
    if term is not None and term["key"].lower() in NAMES:
        typed, start = term["value"].lstrip('"'), term.start("value")
        found = [(quoted(name), about) for name, about in _names(timeline, NAMES[term["key"].lower()], animation)]
    else:
        word = _WORD.search(before)
        typed, start = ("", cursor) if word is None else (word.group(), word.start())
        if not typed or before[:start].rstrip().endswith(("=", "<", ">")):
            return []
        found = [(f"{key}=" if key in NAMES else f"{key}>", about) for key, about in KEYS.items()]
        found += _as_terms(timeline, animation)
        fields = read(timeline.trace.source).fields
        said = dict.fromkeys(name for kind in timeline.labels for name in fields.get(kind, ()))
        plain = [name if name.lower() not in (*NAMES, *NUMBERS) else f"message.{name}" for name in said]
        found += [(f"{name}=", tr("field of a message")) for name in plain]
        if before[:start].strip():
            found += [(f"{joint} ", about) for joint, about in JOINTS.items()]
    fits = [pair for pair in found if _begins(pair, typed) and pair[0].strip() != typed]
    inside = [pair for pair in found if pair not in fits and len(typed) > 1 and typed.casefold() in pair[0].casefold()]
    return [Suggestion(text, start, cursor, about) for text, about in [*fits, *inside][:most]]


def _begins(pair: tuple[str, str], typed: str) -> bool:
    """Return True if a suggestion, its name or a synonym begins with the typed text."""
    small = typed.casefold()
    text = pair[0].casefold().lstrip('"')
    value = text.partition("=")[2].lstrip('"')
    return text.startswith(small) or bool(small and value.startswith(small)) or pair[1].casefold() == small


def _names(timeline: Timeline, column: str, animation: Words | None) -> list[tuple[str, str]]:
    """Return the names that occur in a column, with their synonyms."""
    if column == "kind":
        return [(KINDS[code], "") for code in sorted(set(timeline.kind[:100_000].tolist()))]
    names = [name for name in names_of(timeline, column) if name]
    if column != "state" or animation is None:
        return [(name, "") for name in names]
    pairs = [(name, animation.word(name)) for name in names]
    return [(name, word if word != name and codes_of((name,), word, animation) else "") for name, word in pairs]


def _as_terms(timeline: Timeline, animation: Words | None) -> list[tuple[str, str]]:
    """Return messages, states and kinds as complete terms: ``message=Ack``."""
    found = []
    for key in ("message", "state", "kind"):
        for name, about in _names(timeline, NAMES[key], animation):
            found.append((f"{key}={quoted(name)}", about))
    return found


assert set(KEYS) <= {*NAMES, *NUMBERS}, "a suggested key can be read"
