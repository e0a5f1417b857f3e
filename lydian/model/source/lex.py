"""A lexer that divides lines of Python into spans, line by line and without failing on unfinished text.

A line is read with the state at the end of the line above, so that an editor reads only the lines that changed. Each
letter of a line belongs to exactly one span.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

__all__ = ["KINDS", "Code", "LexedText", "Span", "code_of_line", "kind_at", "lex", "words"]

#: The kinds of spans. ``called`` is a name before a bracket, ``defined`` a name after ``def`` or ``class``.
KINDS = (
    "blank", "keyword", "constant", "self", "defined", "called", "name", "decorator", "number", "string", "comment",
    "bracket", "operator",
)  # fmt: skip

_QUOTES = ("", "'''", '"""', "'", '"')
_F = 8
_CONSTANTS = frozenset(("True", "False", "None"))
_KEYWORDS = frozenset(keyword.kwlist) - _CONSTANTS
_TOKEN = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<comment>\#.*)"
    r"|(?P<prefix>[rRbBfFuU]{0,2})(?P<quote>'''|\"\"\"|'|\")"
    r"|(?P<number>0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?[jJ]?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<bracket>[()\[\]{}])"
    r"|(?P<operator>.)",
    re.DOTALL,
)
_DECORATOR = re.compile(r"\s*(@\s*(?:[^\W\d]\w*(?:\.[^\W\d]\w*)*)?)")


@dataclass(frozen=True, slots=True)
class Span:
    """The letters ``start`` to ``end`` (exclusive) of a line, and their kind."""

    start: int
    end: int
    kind: str


def lex(line: str, state: int = 0) -> tuple[tuple[Span, ...], int]:
    """Return the spans of a line, and the state at its end.

    Args:
        line: the line without its line end.
        state: the state at the end of the line above: 0, or inside a string of several lines.
    """
    if state == 0:
        return _plain(line)
    return _lexed(line, state)


@lru_cache(maxsize=4096)
def _plain(line: str) -> tuple[tuple[Span, ...], int]:
    return _lexed(line, 0)


def _lexed(line: str, state: int) -> tuple[tuple[Span, ...], int]:
    spans: list[Span] = []
    at = 0
    if state:
        at, state = _text(line, 0, state, spans, 0)
    else:
        decorator = _DECORATOR.match(line)
        if decorator:
            at = decorator.start(1)
            if at:
                spans.append(Span(0, at, "blank"))
            at = decorator.end(1)
            spans.append(Span(decorator.start(1), at, "decorator"))
    while at < len(line):
        match = _TOKEN.match(line, at)
        assert match is not None
        if match["quote"]:
            state = _QUOTES.index(match["quote"]) | (_F if "f" in match["prefix"].lower() else 0)
            at, state = _text(line, match.end(), state, spans, match.start())
            continue
        spans.append(Span(at, match.end(), _kind(line, match, spans)))
        at = match.end()
    return tuple(spans), state


def _kind(line: str, match: re.Match[str], spans: list[Span]) -> str:
    kind = match.lastgroup or "operator"
    if kind != "name":
        return kind
    word = match["name"]
    attribute = bool(spans) and line[spans[-1].start : spans[-1].end] == "."
    if not attribute:
        if word in _CONSTANTS:
            return "constant"
        if word in _KEYWORDS or (word in ("match", "case") and _soft(line, match)):
            return "keyword"
        if word in ("self", "cls"):
            return "self"
        if len(spans) > 1 and line[spans[-2].start : spans[-2].end] in ("def", "class"):
            return "defined"
    return "called" if line[match.end() :].lstrip().startswith("(") else "name"


def _soft(line: str, match: re.Match[str]) -> bool:
    """Return True if ``match`` or ``case`` is a keyword: it is first in its line, which ends with a colon."""
    first = not line[: match.start()].strip()
    behind = line[match.end() :].strip()
    return first and behind.endswith(":") and behind[:1] not in ("=", ".", ":", ",", ")")


def _text(line: str, at: int, state: int, spans: list[Span], start: int) -> tuple[int, int]:
    """Read a string from ``at`` on, whose span began at ``start``; return its end and the state after it."""
    quote, formatted = _QUOTES[state & 7], bool(state & _F)
    while at < len(line):
        if line.startswith(quote, at):
            spans.append(Span(start, at + len(quote), "string"))
            return at + len(quote), 0
        letter = line[at]
        if letter == "\\":
            at += 2
        elif formatted and letter == "{" and not line.startswith("{{", at):
            end = _hole(line, at, quote)
            if end:
                if start < at:
                    spans.append(Span(start, at, "string"))
                _inside(line, at, end, spans)
                start = at = end
            else:
                at += 1
        else:
            at += 2 if formatted and line.startswith(("{{", "}}"), at) else 1
    if start < len(line):
        spans.append(Span(start, len(line), "string"))
    longer = len(quote) == 3 or at > len(line)  # the last letter was a backslash
    return len(line), state if longer else 0


def _hole(line: str, at: int, quote: str) -> int:
    """Return the end of the part in braces that begins at ``at``, or 0 if it does not end in this line."""
    depth = 0
    for place in range(at, len(line)):
        if line.startswith(quote, place):
            return 0
        depth += (line[place] in "{[(") - (line[place] in "}])")
        if depth == 0:
            return place + 1
    return 0


def _inside(line: str, start: int, end: int, spans: list[Span]) -> None:
    at = start
    while at < end:
        match = _TOKEN.match(line, at, end)
        assert match is not None
        if match["quote"]:  # a string inside the braces
            close = line.find(match["quote"], match.end(), end)
            last = end if close < 0 else close + len(match["quote"])
            spans.append(Span(at, last, "string"))
            at = last
            continue
        kind = "operator" if match.lastgroup == "comment" else _kind(line, match, spans)
        spans.append(Span(at, match.end(), kind))
        at = match.end()


# ---------------------------------------------------------------------- questions


class Code(Protocol):
    """The interface to a text as lines, counted from 0, with their spans."""

    def count(self) -> int: ...

    def line(self, number: int) -> str: ...

    def spans(self, number: int) -> Sequence[Span]: ...


class LexedText:
    """A whole text with its spans."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")
        self._spans: list[tuple[Span, ...]] = []
        state = 0
        for line in self.lines:
            spans, state = lex(line, state)
            self._spans.append(spans)

    def count(self) -> int:
        return len(self.lines)

    def line(self, number: int) -> str:
        return self.lines[number]

    def spans(self, number: int) -> Sequence[Span]:
        return self._spans[number]


def kind_at(spans: Sequence[Span], column: int) -> str:
    """Return the kind of the letter before a column, or "" at the beginning of a line."""
    return next((span.kind for span in spans if span.start < column <= span.end), "")


def code_of_line(line: str, spans: Sequence[Span]) -> str:
    """Return a line without its comment and the spaces at its end."""
    end = next((span.start for span in spans if span.kind == "comment"), len(line))
    return line[:end].rstrip()


def words(line: str, spans: Sequence[Span]) -> Iterator[tuple[str, int, int, str]]:
    """Return the names in the code of a line: word, start, end, kind."""
    for span in spans:
        if span.kind in ("name", "called", "defined", "self"):
            yield line[span.start : span.end], span.start, span.end, span.kind
        elif span.kind == "decorator":
            for match in re.finditer(r"[^\W\d]\w*", line[span.start : span.end]):
                yield match[0], span.start + match.start(), span.start + match.end(), "name"
