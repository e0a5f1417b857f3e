"""Python's parser for files that may be incomplete: errors in plain words, and the part that can be read."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from lydian.model.source.syntax import tree_of
from lydian.model.source.text import Edit, Fix, Problem, Text

__all__ = ["Parsed", "parse"]

_TRIES = 12
#: the beginning of Python's message -> ours; {0} is the quoted part of it
_WORDS = (
    (r"expected ':'", "a ':' is missing at the end of this line"),
    (r"'([(\[{])' was never closed", "this '{0}' is not closed; add the closing bracket"),
    (r"unmatched '(.)'", "this '{0}' has no opening bracket; remove it or add the opening one"),
    (r"closing parenthesis '(.)' does not match.*", "'{0}' does not fit the bracket that is open here"),
    (r"unterminated triple-quoted.*", 'a text that begins with three quotes has no end; write """ after it'),
    (r"unterminated (?:f-)?string.*", "a text has no closing quote; add it"),
    (r"unexpected indent", "this line is indented further than the one above; move it back"),
    (r"unindent does not match.*", "this line is between two levels of indentation; align it with its block"),
    (r"expected an indented block after (.*) on line (\d+)", "{0} in line {1} has no body; write it indented, or pass"),
    (r"inconsistent use of tabs.*", "tabs and spaces are mixed at the start of this line; use spaces"),
    (r"invalid syntax\. Maybe you meant '==' or ':=' instead of '='\?", "= sets a value; to compare write =="),
    (r"cannot assign to (.*?)(?: here\..*)?", "nothing can be assigned to {0}; to compare write =="),
    (r"invalid syntax\. Perhaps you forgot a comma\?", "Python cannot read this; is a comma missing?"),
    (r"'return' outside function", "return is outside a function; indent it below its def"),
    (r"unexpected EOF.*", "the file ends too early; something is not closed"),
    (r"positional argument follows keyword argument.*", "arguments without a name must come before those with one"),
    (r"invalid character '(.)'.*", "'{0}' is not a valid character in Python; write its plain form"),
    (r"invalid syntax", "Python cannot read this line from here on"),
)


@dataclass(frozen=True)
class Parsed:
    """A syntax tree, and how it was obtained.

    Attributes:
        text: the source.
        readable: the source with unreadable lines neutralised; its line numbers are the same.
        tree: the tree of ``readable``.
        problems: the first error of Python and its warnings.
        whole: whether nothing had to be removed.
    """

    text: Text
    readable: Text
    tree: ast.Module
    problems: tuple[Problem, ...]
    whole: bool


def parse(source: str) -> Parsed:
    """Parse a source; statements that cannot be parsed are removed until the rest can."""
    text = Text(source)
    problems: list[Problem] = []
    tree, error = _compiled(source, text, problems)
    if tree is not None and error is None:
        return Parsed(text, text, tree, tuple(problems), True)
    if error is not None:
        problems.insert(0, _in_words(text, error))
    if tree is not None:  # the syntax is correct, but a word is in the wrong place
        return Parsed(text, text, tree, tuple(problems), False)
    lines = list(text.lines)
    tried: dict[int, int] = {}
    for _ in range(_TRIES):
        if error is None:
            break
        line = max(1, min(error.lineno or 1, len(lines)))
        tried[line] = tried.get(line, 0) + 1
        _cut(lines, line - 1, tried[line], str(error.msg))
        tree, error = _parsed("".join(lines))
        if tree is not None:
            return Parsed(text, Text("".join(lines)), tree, tuple(problems), False)
    for last in _tops(text.lines):  # first the end is removed, then more
        short = "".join(text.lines[:last])
        tree, error = _parsed(short)
        if tree is not None:
            return Parsed(text, Text(short), tree, tuple(problems), False)
    return Parsed(text, Text(""), ast.Module([], []), tuple(problems), False)


def _parsed(source: str) -> tuple[ast.Module | None, SyntaxError | None]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tree_of(source), None
    except SyntaxError as error:
        return None, error
    except (ValueError, RecursionError, MemoryError) as error:
        return None, SyntaxError(str(error) or "it is nested too deeply")


def _compiled(source: str, text: Text, problems: list[Problem]) -> tuple[ast.Module | None, SyntaxError | None]:
    """Return the tree, and Python's objections; the text is compiled, but never run."""
    tree, error = _parsed(source)
    if tree is None:
        return None, error
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            compile(source, "protocol", "exec")
        except SyntaxError as late:
            error = late
        except (ValueError, RecursionError, MemoryError) as late:
            return None, SyntaxError(str(late) or "it is nested too deeply")
    for one in told:
        if issubclass(one.category, (SyntaxWarning, DeprecationWarning)):
            words = str(one.message).rstrip("?")
            problems.append(text.problem(None, f"Python warns: {words}", "warning", line=max(1, one.lineno or 1)))
    return tree, error


def _in_words(text: Text, error: SyntaxError) -> Problem:
    message = error.msg or "it is nested too deeply"
    sentence = f"Python cannot read this: {message}"
    for pattern, words in _WORDS:
        match = re.fullmatch(pattern, message)
        if match:
            sentence = words.format(*match.groups())
            break
    line = max(1, error.lineno or 1)
    content = text.line(line)
    column = min(max(0, (error.offset or 1) - 1), len(content))
    end = len(content.rstrip())
    if error.end_lineno == line and error.end_offset and error.end_offset - 1 > column:
        end = min(error.end_offset - 1, len(content))
    fix = None
    if message == "expected ':'":
        at = text.offset(line, column)
        fix = Fix("Write the ':'", (Edit(at, at, ":"),))
    elif "Maybe you meant '=='" in message:
        equals = re.compile(r"(?<![=!<>:])=(?!=)").search(content, column)
        if equals:
            at = text.offset(line, equals.start())
            fix = Fix("Compare with ==", (Edit(at, at + 1, "=="),))
    return Problem(line, column, max(end, column + 1), sentence, "error", fix)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _cut(lines: list[str], at: int, times: int, message: str) -> None:
    """Neutralise a line; if it is met again, neutralise more around it."""
    if not lines:
        return
    if "expected an indented block" in message:
        before = at
        while before > 0 and not lines[before - 1].strip():
            before -= 1
        owner = re.search(r"on line (\d+)", message)
        if times == 1 and owner:
            number = int(owner[1]) - 1
            head = lines[number].rstrip()
            if head.endswith(":"):
                lines[number] = head + " pass" + _end(lines[number])
                return
            at = number
    if times == 1:
        stripped = lines[at].strip()
        word = _head(stripped) or ("if 1:" if stripped.endswith(":") else "pass")
        lines[at] = lines[at][: _indent(lines[at])] + word + _end(lines[at])
        return
    width = _indent(lines[at]) if times == 2 else 0
    first = at
    while first > 0 and not (lines[first].strip() and _indent(lines[first]) < max(width, 1)):
        first -= 1
    last = at + 1
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) >= max(width, 1)):
        last += 1
    for number in range(first, last):
        lines[number] = _end(lines[number])
    if width:
        lines[first] = " " * _indent(lines[first]) + "pass" + _end(lines[first])


def _head(line: str) -> str:
    """Complete an incomplete def or class so that its body keeps its name."""
    function = re.match(r"(?:async )?def\s+([A-Za-z_]\w*)", line)
    if function:
        return f"def {function[1]}(self, *_):"
    base = re.match(r"class\s+([A-Za-z_]\w*)\s*(?:\(\s*([A-Za-z_]\w*))?", line)
    if base:
        return f"class {base[1]}({base[2]}):" if base[2] else f"class {base[1]}:"
    return ""


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _tops(lines: list[str]) -> list[int]:
    """Return the first twenty lines, from the end, at which a new top-level statement may begin."""
    heads = [n for n, line in enumerate(lines) if line[:1].isalpha() or line[:1] == "@"]
    return heads[::-1][:20]
