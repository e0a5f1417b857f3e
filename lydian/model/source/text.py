"""The text of a file by line and column, and local changes of it."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Edit", "Fix", "Problem", "Text", "apply_edits", "apply_fix"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True)
class Edit:
    """A replacement of the characters ``start`` to ``end`` (offsets in the text, end excluded) by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """A change that removes a problem: the label of its button, and the edits."""

    label: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Problem:
    """A problem in a protocol file.

    Attributes:
        line: from 1.
        column, end_column: characters from 0, of the marked part of the line; the end is excluded.
        sentence: what is wrong and what would be right.
        kind: ``error`` (the file cannot be loaded, or the action fails) or ``warning``.
        fix: a change that would help, if there is an obvious one.
    """

    line: int
    column: int
    end_column: int
    sentence: str
    kind: str = "error"
    fix: Fix | None = None


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """Return the text after edits that do not overlap; edits at one place are applied in the given order."""
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        parts += [source[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, source[done:]])


def apply_fix(source: str, fix: Fix) -> str:
    """Return the text after the fix of one of its problems."""
    return apply_edits(source, fix.edits)


class Text:
    """A source with the offsets of its lines, which end where Python ends them."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines = [line for line in _LINE.findall(source) if line]
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.newline = "\r\n" if "\r\n" in source else "\n"

    def line(self, number: int) -> str:
        """Return a line without its end; "" beyond the text."""
        return self.lines[number - 1].rstrip("\r\n") if 0 < number <= len(self.lines) else ""

    def column(self, line: int, utf8: int) -> int:
        """Convert Python's column, which counts bytes, to characters."""
        text = self.line(line)
        return utf8 if text.isascii() else len(text.encode("utf-8", "replace")[:utf8].decode("utf-8", "ignore"))

    def offset(self, line: int, column: int = 0) -> int:
        """Return the offset of a line and column in characters; beyond the text, that of its end."""
        return min(self.starts[min(line - 1, len(self.lines))] + column, len(self.source))

    def start(self, node: Any) -> int:
        return self.offset(node.lineno, self.column(node.lineno, node.col_offset))

    def end(self, node: Any) -> int:
        return self.offset(node.end_lineno, self.column(node.end_lineno, node.end_col_offset))

    def of(self, node: ast.AST | None) -> str:
        """Return the text of a node."""
        return "" if node is None else self.source[self.start(node) : self.end(node)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line (from 1) and column of an offset."""
        line = min(bisect_right(self.starts, offset), max(1, len(self.lines)))
        return line, offset - self.starts[line - 1]

    def indent(self, line: int) -> str:
        text = self.line(line)
        return text[: len(text) - len(text.lstrip())]

    def problem(
        self,
        node: Any,
        sentence: str,
        kind: str = "error",
        fix: Fix | None = None,
        *,
        line: int | None = None,
    ) -> Problem:
        """Return a problem that is marked on the first line of a node, or on a whole line."""
        if line is not None and (node is None or node.lineno != line):
            text = self.line(line)
            column = len(text) - len(text.lstrip()) if text.strip() else 0
            return Problem(line, column, max(column + 1, len(text.rstrip())), sentence, kind, fix)
        column = self.column(node.lineno, node.col_offset)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            end = len(self.line(node.lineno).rstrip())
        elif node.end_lineno == node.lineno:
            end = self.column(node.lineno, node.end_col_offset)
        else:
            end = len(self.line(node.lineno).rstrip())
        return Problem(node.lineno, column, max(end, column + 1), sentence, kind, fix)
