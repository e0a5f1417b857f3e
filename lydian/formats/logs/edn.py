"""EDN, the notation of Clojure in which Jepsen and Maelstrom write their files.

Keywords and symbols become texts without the colon, lists, vectors and sets become lists, and tagged values become the
values without their tags. The notation is specified at https://github.com/edn-format/edn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

__all__ = ["NotEDN", "values"]

_TOKEN = re.compile(
    r"""[\s,]+|;[^\n]*"""  # between values
    r"""|(?P<open>\#\{|[(\[{])|(?P<close>[)\]}])|(?P<skip>\#_)|(?P<tag>\#[A-Za-z][\w.*+!?$%&=<>/-]*)"""
    r"""|(?P<text>"(?:[^"\\]|\\.)*")|(?P<char>\\(?:newline|space|tab|return|u[0-9a-fA-F]{4}|.))"""
    r"""|(?P<word>[^\s,;()\[\]{}"\\]+)""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CHARACTERS = {"newline": "\n", "space": " ", "tab": "\t", "return": "\r"}
_WORDS = {"nil": None, "true": True, "false": False}
_CLOSES = {"(": ")", "[": "]", "{": "}", "#{": "}"}
#: The deepest nesting that is read.
DEEPEST = 200


class NotEDN(ValueError):
    """The text is not EDN; ``line`` is the place, from 1."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


class _Mark:
    """A tag, or the sign that skips the next value."""

    def __init__(self, skip: bool) -> None:
        self.skip = skip


def values(text: str) -> Iterator[tuple[int, Any]]:
    """Yield each value of a text with the number of its line; the elements of one outermost vector count as values.

    Raises:
        NotEDN: the text is not EDN.
    """
    stack: list[tuple[str, list[Any], int]] = []
    at, line, first = 0, 1, True
    outer = False  # inside an outermost vector or list
    marks: list[Any] = []
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise NotEDN("a text without its closing quote", line)
        at = found.end()
        kind, word = found.lastgroup, found[0]
        if kind == "open" and word in "([" and first:
            outer, first = True, False
        elif kind == "open":
            if len(stack) >= DEEPEST:
                raise NotEDN(f"nested more than {DEEPEST} levels deep", line)
            stack.append((word, [], line))
        elif kind == "close" and not stack and outer:
            outer = False
        elif kind in ("skip", "tag"):
            (stack[-1][1] if stack else marks).append(_Mark(kind == "skip"))
        elif kind is not None:
            value, start = _atom(kind, word, line) if kind != "close" else None, line
            if kind == "close":
                if not stack or _CLOSES[stack[-1][0]] != word:
                    raise NotEDN(f"{word} without its opening bracket", line)
                opened, items, start = stack.pop()
                value = _collection(opened, items, start)
            place = stack[-1][1] if stack else marks
            skipped = _unmarked(place)
            if stack:
                if not skipped:
                    place.append(value)
            elif not skipped:
                first = False
                yield start, value
        line += word.count("\n")
    if stack:
        raise NotEDN(f"{stack[-1][0]} is never closed", stack[-1][2])


def _unmarked(place: list[Any]) -> bool:
    """Remove the marks before a value; return True if one of them skips it."""
    skipped = False
    while place and isinstance(place[-1], _Mark):
        skipped = place.pop().skip or skipped
    return skipped


def _atom(kind: str, word: str, line: int) -> Any:
    if kind == "text":
        return _ESCAPED.sub(_character, word[1:-1])
    if kind == "char":
        return _CHARACTERS.get(word[1:]) or (chr(int(word[2:], 16)) if len(word) == 6 else word[1:])
    if word in _WORDS:
        return _WORDS[word]
    if word[0] == ":":
        return word[1:]
    if word[0].isdigit() or (word[0] in "+-." and word[1:2].isdigit()):
        digits = word.rstrip("NM")
        try:
            if "/" in digits:
                above, _, below = digits.partition("/")
                return int(above) / int(below)
            return int(digits, 10) if re.fullmatch(r"[+-]?\d+", digits) else float(digits)
        except (ValueError, ArithmeticError):
            raise NotEDN(f"{word[:40]} is not a number", line) from None
    return word


def _character(found: re.Match[str]) -> str:
    code = found[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)


def _collection(opened: str, items: list[Any], line: int) -> Any:
    if opened != "{":
        return items
    if len(items) % 2:
        raise NotEDN("a map with a key but no value", line)
    return {str(key): value for key, value in zip(items[::2], items[1::2], strict=True)}
