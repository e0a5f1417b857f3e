"""The effects of keys in a code editor: indenting, commenting, and closing brackets automatically.

Lines are counted from 0 and have no line ends; columns count letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lydian.model.source.lex import Code, Span, code_of_line, kind_at, lex

__all__ = [
    "WIDTH",
    "after_enter",
    "brackets",
    "first_column",
    "guides",
    "indent_of",
    "indented",
    "moved",
    "outdented",
    "partner",
    "shifted",
    "to_remove",
    "to_tab",
    "toggled",
    "typed_pair",
    "units",
    "without_units",
]

#: The number of spaces of one level of indentation.
WIDTH = 4
_OPEN, _CLOSE = "([{", ")]}"
_ENDS = frozenset(("return", "pass", "break", "continue", "raise"))
#: The largest distance at which the partner of a bracket is looked for.
_FAR = 3000


def indent_of(line: str) -> str:
    """Return the spaces at the beginning of a line."""
    return line[: len(line) - len(line.lstrip())]


def first_column(line: str, column: int) -> int:
    """Return the column to which Home moves: that of the first letter, and from there 0."""
    first = len(indent_of(line))
    return 0 if column == first else first


# ---------------------------------------------------------------------- whole lines


def indented(lines: Sequence[str]) -> list[str]:
    """Return the lines indented by one level, except empty ones."""
    return [" " * WIDTH + line if line.strip() else line for line in lines]


def outdented(lines: Sequence[str]) -> list[str]:
    """Return the lines with one level of indentation removed, as far as possible."""
    return [line[1:] if line.startswith("\t") else line[min(WIDTH, _blanks(line)) :] for line in lines]


def _blanks(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def toggled(lines: Sequence[str]) -> list[str]:
    """Return the lines commented out, or, if all of them are comments, uncommented."""
    full = [line for line in lines if line.strip()]
    if full and all(line.lstrip().startswith("#") for line in full):
        return [re.sub(r"^(\s*)# ?", r"\1", line) if line.strip() else line for line in lines]
    edge = min((len(indent_of(line)) for line in full), default=0)
    while any(line[:edge] != full[0][:edge] for line in full):  # tabs and spaces
        edge -= 1
    return [f"{line[:edge]}# {line[edge:]}" if line.strip() else line for line in lines]


def moved(lines: Sequence[str], first: int, last: int, by: int) -> list[str] | None:
    """Return the lines with ``first`` to ``last`` (inclusive) moved up (-1) or down (1); ``None`` at the edge."""
    if first + by < 0 or last + by >= len(lines):
        return None
    rest = [*lines[:first], *lines[last + 1 :]]
    return [*rest[: first + by], *lines[first : last + 1], *rest[first + by :]]


def guides(lines: Sequence[str]) -> list[int]:
    """Return the level of indentation of each line; an empty line has the lesser of its neighbours' levels."""
    levels: list[int | None] = [
        len(indent_of(line).expandtabs(WIDTH)) // WIDTH if line.strip() else None for line in lines
    ]
    above: list[int] = []
    for level in levels:
        above.append(level if level is not None else (above[-1] if above else 0))
    below = 0
    found = []
    for number in range(len(levels) - 1, -1, -1):
        level = levels[number]
        below = level if level is not None else below
        found.append(below if level is not None else min(above[number], below))
    return found[::-1]


# ---------------------------------------------------------------------- brackets


def brackets(line: str, spans: Sequence[Span]) -> list[tuple[int, str]]:
    """Return the brackets in the code of a line: column, letter."""
    return [(span.start, line[span.start]) for span in spans if span.kind == "bracket"]


def partner(code: Code, line: int, column: int) -> tuple[int, int] | None:
    """Return the line and column of the partner of the bracket at a place, or ``None`` if there is none."""
    here = dict(brackets(code.line(line), code.spans(line))).get(column)
    if here is None:
        return None
    forwards = here in _OPEN
    depth = 0
    for number, at, letter in _walk(code, line, column, 1 if forwards else -1):
        depth += 1 if (letter in _OPEN) == forwards else -1
        if depth == 0:
            fits = (here, letter) if forwards else (letter, here)
            return (number, at) if _OPEN.find(fits[0]) == _CLOSE.find(fits[1]) else None
    return None


def _walk(code: Code, line: int, column: int, step: int) -> Iterator[tuple[int, int, str]]:
    """Yield the brackets from a place on, including the one there, forwards (1) or backwards (-1)."""
    end = min(code.count(), line + _FAR) if step > 0 else max(-1, line - _FAR)
    for number in range(line, end, step):
        found = brackets(code.line(number), code.spans(number))
        for at, letter in found if step > 0 else reversed(found):
            if number != line or (at - column) * step >= 0:
                yield number, at, letter


def _opened(code: Code, line: int, column: int) -> tuple[int, int] | None:
    """Return the innermost bracket that is open at a place."""
    depth = 0
    for number, at, letter in _walk(code, line, column - 1, -1):
        depth += 1 if letter in _CLOSE else -1
        if depth < 0:
            return number, at
        if number < line and depth == 0 and not indent_of(code.line(number)) and at == 0:
            return None
    return None


def typed_pair(letter: str, before: str, after: str, spans: Sequence[Span]) -> str:
    """Return the further effect of typing a letter.

    Args:
        before, after: the parts of the line on both sides of the cursor.
        spans: the spans of the whole line.

    Returns:
        ``skip`` (step over the same letter after the cursor), the letters to insert after the cursor, or "".
    """
    kind = kind_at(spans, len(before)) if before else ""
    inside = kind == "comment" or (kind == "string" and _still_open(before, after, spans))
    if letter in _CLOSE:
        if not after.startswith(letter) or inside:
            return ""
        found = [each for _, each in brackets(before + after, spans)]
        return "skip" if found.count(letter) >= found.count(_OPEN[_CLOSE.index(letter)]) else ""
    free = not after or after[0].isspace() or after[0] in ")]},:;."
    if letter in _OPEN:
        return "" if inside or not free else _CLOSE[_OPEN.index(letter)]
    if letter not in "\"'":
        return ""
    if after.startswith(letter) and kind == "string" and kind != "comment":
        return "skip"
    if inside or not free:
        return ""
    if before.endswith(letter * 2):
        return letter * 3 if not before.endswith(letter * 3) else ""
    word = re.search(r"\w+$", before)
    if before.endswith(letter) or (word and word[0].lower() not in ("r", "b", "f", "u", "rb", "br", "rf", "fr")):
        return ""
    return letter


def _still_open(before: str, after: str, spans: Sequence[Span]) -> bool:
    """Return True if the cursor is inside a string, and not just after one."""
    at = len(before)
    for span in spans:
        if span.kind == "string" and span.start < at <= span.end:
            if at < span.end:
                return True
            line = before + after
            whole = lex(line[span.start : span.end])
            closed = span.end - span.start > 1 and line[span.end - 1] in "\"'"
            return not closed or bool(whole[1])
    return False


# ---------------------------------------------------------------------- Tab, Enter, Backspace


def to_tab(before: str) -> str:
    """Return the spaces that Tab inserts up to the next level."""
    return " " * (WIDTH - len(before.expandtabs(WIDTH)) % WIDTH)


def to_remove(before: str, after: str, pair: bool = True) -> tuple[int, int]:
    """Return the number of letters that Backspace removes before and after the cursor."""
    if before and not before.strip(" "):
        return (len(before) - 1) % WIDTH + 1, 0
    if pair and before and after and before[-1] + after[0] in ("()", "[]", "{}", '""', "''"):
        return 1, 1
    return 1, 0


def after_enter(code: Code, line: int, column: int) -> tuple[str, str]:
    """Return the texts that Enter inserts before and after the cursor.

    The new line is indented like the statement above, by one level more after a colon or an open bracket, and by one
    level less after ``return`` and similar words; a closing bracket at the cursor goes to its own line.
    """
    text = code.line(line)
    before, after = text[:column], text[column:].lstrip()
    if len(before) <= len(indent_of(text)):
        return "\n" + before, ""
    spans = tuple(
        Span(s.start, min(s.end, column), s.kind) for s in code.spans(line) if s.start < column
    )  # the text after the cursor does not count
    if kind_at(spans, column) == "string" and _still_open(before, text[column:], code.spans(line)):
        return "\n" + indent_of(text), ""
    opened = _opened(code, line, column)
    if opened is not None and opened[0] == line:
        rest = code_of_line(before, spans)[opened[1] + 1 :]
        if rest.strip():
            return "\n" + " " * (opened[1] + 1), ""
        inner = indent_of(text) + " " * WIDTH
        closes = after[:1] and after[0] in _CLOSE
        return "\n" + inner, "\n" + indent_of(text) if closes else ""
    if opened is not None:
        return "\n" + indent_of(text), ""
    base = indent_of(code.line(_statement(code, line, column)))
    done = code_of_line(before, spans)
    if done.endswith(":"):
        return "\n" + base + " " * WIDTH, ""
    first = re.match(r"\s*([a-z]+)\b", done)
    if first and first[1] in _ENDS and base:
        return "\n" + base[: max(0, len(base) - WIDTH)], ""
    return "\n" + base, ""


def _statement(code: Code, line: int, column: int) -> int:
    """Return the line where the statement before a place begins."""
    first = line
    while True:
        closing = [at for at, letter in brackets(code.line(first), code.spans(first)) if letter in _CLOSE]
        closing = [at for at in closing if first != line or at < column]
        starts = [place[0] for at in closing if (place := partner(code, first, at)) is not None]
        up = min(starts, default=first)
        if up >= first:
            return first
        first = up


# ---------------------------------------------------------------------- Qt's positions


def units(text: str, letters: int) -> int:
    """Return the number of Qt's positions that the first letters of a text occupy; an emoji occupies two."""
    return letters if text.isascii() else len(text[:letters].encode("utf-16-le", "surrogatepass")) // 2


def without_units(text: str, places: int) -> int:
    """Return the number of letters before one of Qt's positions."""
    if text.isascii():
        return min(places, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * places].decode("utf-16-le", "ignore"))


def shifted(line: int, at: int, delta: int) -> int | None:
    """Return the new number of a line after ``delta`` lines were inserted at ``at`` or removed; ``None`` if removed."""
    if line < at:
        return line
    return line + delta if line + delta >= at else None
