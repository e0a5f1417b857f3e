"""The language of filters, which select events of an execution.

A filter consists of terms, joined by ``and``, ``or``, ``not`` and parentheses; adjacent terms are joined by ``and``.

* A plain word, or several in double quotes, stands for the events in whose sentence it occurs, capital or small:
  ``lost``, ``"is now waiting"``.
* ``p=5`` (also ``process=5``), ``peer=3``, ``kind=receive``, ``message=Ack`` (also ``label=Ack``), ``state=waiting``:
  what the event's row contains; ``!=`` is the opposite. A row without an entry is equal to nothing and differs from
  everything. ``state`` is the state after the event.
* ``value=retreat``, ``ts>3``: a field of a message, timer or command. ``message.value=retreat`` says the same if a
  key has the name of the field, and ``Echo.value=retreat`` means the messages of one class only. Without an execution
  to look it up in a field is written with its point.
* ``t>3``, ``t<=5.5``, ``lamport>10``, ``seq=12..20`` and so on with ``time``, ``chain``, ``round``, ``bits``, ``cause``
  and ``id``, the number of a message; ``=`` and ``!=`` also take a span, both ends of it included. Times are equal
  if they are written alike with four decimals, as they are shown.

Errors give the place in the text. ``parse(str(f)) == f`` holds for every filter f.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.trace.events import KINDS
from lydian.trace.timeline import Timeline
from lydian.views.words.conditions import (
    NAMES,
    NUMBERS,
    RESERVED,
    All,
    Any_,
    Field,
    Filter,
    Is,
    Not,
    Number,
    Word,
    codes_of,
    names_of,
)
from lydian.views.words.source import read
from lydian.views.words.words import Words

__all__ = ["Filter", "FilterError", "parse"]

#: The longest text and the deepest nesting that are accepted.
LONGEST, DEEPEST = 10_000, 50
_TOKEN = re.compile(
    r'\s*(?:(?P<quote>"(?:[^"\\]|\\.)*")|(?P<open_quote>")|(?P<sign>[()])|(?P<operator>!=|<=|>=|==|[=<>])|'
    r'(?P<word>[^\s()"=<>!]+)|(?P<bad>\S))'
)
_SPAN = re.compile(r"(.+?)\.\.(.+)")


class FilterError(BadInput):
    """An error in the text of a filter, from character ``start`` to ``end`` (counted from 0)."""

    def __init__(self, what: str, start: int, end: int) -> None:
        super().__init__(what, place=tr("filter, character {number}", number=start + 1))
        self.start, self.end = start, end


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def parse(text: str, timeline: Timeline | None = None, animation: Words | None = None) -> Filter:
    """Return the filter that a text means.

    Args:
        timeline: if given, names of processes, messages and states must be those of this execution.
        animation: if given, its words for states are names too.

    Raises:
        FilterError: the text is not a filter, or names something that does not exist.
    """
    if len(text) > LONGEST:
        raise FilterError(tr("a filter has at most {number:,} characters", number=LONGEST), LONGEST, len(text))
    reader = _Reader(text, timeline, animation)
    if reader.peek.kind == "end":
        what = tr("the filter is empty; write, for example, {example}", example="p=5 and message=Ack")
        raise FilterError(what, 0, len(text))
    found = reader.either()
    token = reader.peek
    if token.kind != "end":
        raise FilterError(tr("this ) has no ( before it"), token.start, token.end)
    return found


class _Reader:
    """Recursive descent: either = both (or both)*, both = one ((and)? one)*, one = not one | ( either ) | term."""

    def __init__(self, text: str, timeline: Timeline | None, animation: Words | None) -> None:
        self.tokens = _tokens(text)
        self.place, self.depth = 0, 0
        self.timeline, self.animation = timeline, animation

    @property
    def peek(self) -> _Token:
        return self.tokens[self.place]

    def take(self) -> _Token:
        token = self.tokens[self.place]
        self.place += 1
        return token

    def is_word(self, word: str) -> bool:
        return self.peek.kind == "word" and self.peek.text.lower() == word

    def either(self) -> Filter:
        parts = [self.both()]
        while self.is_word("or"):
            self.take()
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else Any_(tuple(parts))

    def both(self) -> Filter:
        parts = [self.one()]
        while True:
            if self.is_word("and"):
                self.take()
            elif self.peek.kind == "end" or self.peek.text == ")" or self.is_word("or"):
                return parts[0] if len(parts) == 1 else All(tuple(parts))
            parts.append(self.one())

    def one(self) -> Filter:
        token = self.take()
        if token.kind == "word" and token.text.lower() == "not" and self.peek.kind != "operator":
            self.deeper(token)
            found: Filter = Not(self.one())
            self.depth -= 1
            return found
        if token.text == "(" and token.kind == "sign":
            self.deeper(token)
            found = self.either()
            if self.peek.text != ")" or self.peek.kind != "sign":
                raise FilterError(tr("this ( is never closed; add ) where the group ends"), token.start, token.end)
            self.take()
            self.depth -= 1
            return found
        if token.kind == "end":
            before = self.tokens[self.place - 2] if self.place > 1 else token
            raise FilterError(
                tr("something is missing after {text}", text=shown(before.text)), before.start, before.end
            )
        if token.kind in ("sign", "operator") or (token.kind == "word" and token.text.lower() in RESERVED):
            if token.kind == "operator":
                what = tr("a key is missing before {sign}, as in {example}", sign=token.text, example=f"p{token.text}5")
            else:
                what = tr(
                    "a term such as {example} is missing before {text}; quote it to search for the word",
                    example="p=5", text=shown(token.text),
                )  # fmt: skip
            raise FilterError(what, token.start, token.end)
        if self.peek.kind == "operator":
            return self.term(token)
        return self.word(token)

    def deeper(self, token: _Token) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            what = tr("a filter must not be nested more than {number} levels deep", number=DEEPEST)
            raise FilterError(what, token.start, token.end)

    def word(self, token: _Token) -> Filter:
        if not token.text.strip():
            raise FilterError(tr("an empty text matches every sentence; write a word"), token.start, token.end)
        return Word(token.text)

    def term(self, key: _Token) -> Filter:
        operator, value = self.take(), self.peek
        name = key.text.lower()
        sign = "=" if operator.text == "==" else operator.text
        if name not in NAMES and name not in NUMBERS:
            label, _, field = key.text.rpartition(".")
            if (label and field) or key.text in self.fields(""):
                return self.field(key, label or "message", field, sign, value)
            known = [*NAMES, *NUMBERS, *self.fields("")]
            hint = did_you_mean(name, known) or _choose(known)
            raise FilterError(tr("there is no key {key}{hint}", key=shown(key.text), hint=hint), key.start, key.end)
        if value.kind not in ("word", "quote"):
            example = "5" if name in NUMBERS or NAMES[name] in ("process", "peer") else "receive"
            example = {"label": "Ack", "state": "waiting"}.get(NAMES.get(name, ""), example)
            what = tr(
                "a value is missing after {term}; for example {example}", term=key.text + operator.text, example=example
            )
            raise FilterError(what, key.start, operator.end)
        self.take()
        return self.name(name, sign, operator, value) if name in NAMES else self.number(name, sign, value)

    def fields(self, label: str) -> tuple[str, ...]:
        """Return the fields of a class of messages of this execution, or of all classes."""
        source = None if self.timeline is None else read(self.timeline.trace.source)
        if source is None:
            return ()
        every = [fields for name, fields in source.fields.items() if label in ("", "message", name)]
        return tuple(dict.fromkeys(name for fields in every for name in fields))

    def field(self, key: _Token, label: str, field: str, sign: str, value: _Token) -> Filter:
        """Return a condition ``message.value=retreat``, or ``Echo.value=retreat`` for one class of messages."""
        if self.timeline is not None and label != "message":
            found = codes_of(self.timeline.labels, label)
            classes = read(self.timeline.trace.source).fields
            if not found and label not in classes:
                hint = did_you_mean(label, (*classes, *self.timeline.labels))
                raise FilterError(
                    tr("there is no message {message}{hint}", message=shown(label), hint=hint), key.start, key.end
                )
            label = self.timeline.labels[found[0]] if found else label
        known = self.fields(label)
        if known and field not in known:
            hint = did_you_mean(field, known) or _choose(known)
            what = tr("{message} has no field {field}{hint}", message=label, field=shown(field), hint=hint)
            raise FilterError(what, key.start, key.end)
        if value.kind not in ("word", "quote"):
            term = f"{key.text}{sign}"
            what = tr("a value is missing after {term}; write, for example, {example}", term=term, example=f"{term}3")
            raise FilterError(what, key.start, value.end)
        self.take()
        span = _SPAN.fullmatch(value.text)
        if span is not None and all(_is_number(part) for part in span.groups()) and sign in ("=", "!="):
            return Field(label, field, sign, span[1], span[2])
        if sign not in ("=", "!=") and not _is_number(value.text):
            term = f"{key.text}{sign}"
            what = tr(
                "{term} must be followed by a number, such as {example}, not by {value}",
                term=term, example=f"{term}3", value=shown(value.text),
            )  # fmt: skip
            raise FilterError(what, value.start, value.end)
        return Field(label, field, sign, value.text)

    def name(self, key: str, sign: str, operator: _Token, value: _Token) -> Filter:
        if sign not in ("=", "!="):
            what = tr(
                "{key} must be compared with a name; write {equal} or {unequal}, not {sign}",
                key=key, equal=f"{key}={value.text}", unequal=f"{key}!={value.text}", sign=operator.text,
            )  # fmt: skip
            raise FilterError(what, operator.start, operator.end)
        column = NAMES[key]
        if column == "kind" or self.timeline is not None:
            self.check(key, column, value)
        return Is(key, value.text, sign == "!=")

    def check(self, key: str, column: str, value: _Token) -> None:
        """Check that something in the execution has this name."""
        known = KINDS if self.timeline is None else names_of(self.timeline, column)
        if codes_of(known, value.text, self.animation if column == "state" else None):
            return
        hint = did_you_mean(value.text, known)
        if not hint and self.animation is not None and column == "state":
            hint = did_you_mean(value.text, [self.animation.word(state) for state in known])
        if not hint and column == "kind":
            hint = _choose(KINDS)
            labels = () if self.timeline is None else self.timeline.labels
            if codes_of(labels, value.text):
                hint = tr("; write {example}", example=f"message={labels[codes_of(labels, value.text)[0]]}")
        elif not hint:
            some = [*known[:8], "..."] if len(known) > 8 else known
            hint = _choose(some) if known else tr("; there are none")
        what = {
            "label": tr("{key}: there is no message, timer, command or rule {name}{hint}"),
            "kind": tr("{key}: unknown kind of event {name}{hint}"),
            "state": tr("{key}: there is no state {name}{hint}"),
        }.get(column, tr("{key}: there is no process {name}{hint}"))
        what = what.format(key=key, name=shown(value.text), hint=hint)
        raise FilterError(what, value.start, value.end)

    def number(self, key: str, sign: str, value: _Token) -> Filter:
        span = _SPAN.fullmatch(value.text)
        if span is None:
            return Number(key, sign, self.one_number(key, value, value.text))
        if sign not in ("=", "!="):
            what = tr(
                "a range such as {range} must follow {equals} (write {example}), not {sign}",
                range=value.text, equals="=", example=f"{key}={value.text}", sign=sign,
            )  # fmt: skip
            raise FilterError(what, value.start, value.end)
        first, last = (self.one_number(key, value, part) for part in span.groups())
        if last < first:
            right = f"{key}{sign}{span[2]}..{span[1]}"
            what = tr("the range ends before it begins; write {example}", example=right)
            raise FilterError(what, value.start, value.end)
        return Number(key, sign, first, last)

    def one_number(self, key: str, value: _Token, text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            what = tr(
                "{key} must be compared with a number, such as {example} or {range}, not with {value}",
                key=key, example=f"{key}>3", range=f"{key}=3..8", value=shown(text),
            )  # fmt: skip
            raise FilterError(what, value.start, value.end)
        return number + 0.0  # This turns -0 into 0.


def _choose(names: Iterable[str]) -> str:
    return tr("; choose from {names}", names=", ".join(names))


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    place = 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        assert match is not None and match.lastgroup is not None, "every character is at least an error"
        kind, start, end = match.lastgroup, match.start(match.lastgroup), match.end()
        said = match.group(kind)
        if kind == "open_quote":
            raise FilterError(tr("this quote is never closed"), start, len(text))
        if kind == "bad":
            what = tr(
                "{sign} has no meaning alone; write {negation}, or {unequal} between a key and a value",
                sign=said, negation="not", unequal="!=",
            )  # fmt: skip
            raise FilterError(what, start, end)
        if kind == "quote":
            said = re.sub(r"\\(.)", r"\1", said[1:-1], flags=re.DOTALL)
        found.append(_Token(kind, said, start, end))
        place = end
    return [*found, _Token("end", "", len(text), len(text))]
