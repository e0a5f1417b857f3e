"""Text on the terminal: marks, plurals, numbers and grids."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lydian.cli.terminal import colour

if TYPE_CHECKING:
    from lydian.model.reading import Problem

__all__ = ["coloured", "grid", "listed", "mark", "number", "plural", "tell_lines", "wrapped"]

#: The maximum number of unusable lines that are reported one by one.
_MOST_LINES = 20


def mark(holds: bool | None) -> str:
    """Return ✓, ✗ or ? (or words, if the terminal cannot show them)."""
    signs = ("✓", "✗", "?") if _can_show("✓✗") else ("ok", "NO", "?")
    sign = signs[2] if holds is None else signs[0] if holds else signs[1]
    return coloured(sign, "33" if holds is None else "32" if holds else "31")


def coloured(text: str, code: str) -> str:
    """Return the text in a colour (an SGR code), if the terminal supports colours and the user allows them."""
    wanted = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return f"{colour(code)}{text}{colour('0')}" if wanted else text


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 message``, ``46 messages``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}".replace(",", " " if count >= 10_000 else "")


def number(value: float) -> str:
    """Return a number with at most four significant decimals and no unnecessary zeros."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}".rstrip("0").rstrip(".")


def listed(words: Sequence[str]) -> str:
    """Join words as in ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "none"


def wrapped(text: str, indent: int = 2, width: int = 100) -> str:
    """Break paragraphs into lines of at most ``width`` characters; indented lines are unchanged."""
    import textwrap

    space = " " * indent
    return "\n\n".join(
        textwrap.indent(paragraph, space)
        if "\n " in paragraph or paragraph.startswith(" ")
        else textwrap.fill(" ".join(paragraph.split()), width, initial_indent=space, subsequent_indent=space)
        for paragraph in text.strip().split("\n\n")
    )


def grid(rows: Sequence[Sequence[str]], indent: int = 2) -> str:
    """Return a table with its first row as the header; a cell may have several lines."""
    cells = [[cell.split("\n") for cell in row] for row in rows]
    widths = [max(len(line) for row in cells for line in row[i]) for i in range(len(rows[0]))]
    bar, cross, line = ("│", "┼", "─") if _can_show("│┼─") else ("|", "+", "-")
    lines = []
    for r, row in enumerate(cells):
        for k in range(max(len(cell) for cell in row)):
            parts = [(cell[k] if k < len(cell) else "").ljust(width) for cell, width in zip(row, widths, strict=True)]
            lines.append((" " * indent + f" {bar} ".join(parts)).rstrip())
        if r == 0:
            lines.append(" " * indent + f"{line}{cross}{line}".join(line * width for width in widths))
    return "\n".join(lines)


def _can_show(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def tell_lines(path: Path, problems: Sequence[Problem]) -> None:
    """Report on standard error which lines of a file cannot be used, and why, up to a limit."""
    for problem in problems[:_MOST_LINES]:
        print(f"lydian: {path}, {problem}", file=sys.stderr)
    if len(problems) > _MOST_LINES:
        print(f"lydian: {path}: and {plural(len(problems) - _MOST_LINES, 'more line')}", file=sys.stderr)
