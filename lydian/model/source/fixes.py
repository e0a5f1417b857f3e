"""Changes that correct a word, or declare what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lydian.model.errors import did_you_mean
from lydian.model.source.draft import Draft
from lydian.model.source.text import Edit, Fix, Text

__all__ = ["declaring", "of_each", "word_fix"]


def of_each(cls: str, name: str, me: str) -> str:
    """Return the error about a variable that is read from the class."""
    return f"{cls}.{name} is not a value; each process has its own '{name}', so write {me}.{name}"


def word_fix(text: Text, node: Any, wrong: str, known: Iterable[str]) -> tuple[str, Fix | None]:
    """Return `` (did you mean 'x'?)`` and the change that writes it; ``node`` ends with the wrong word."""
    hint = did_you_mean(wrong, known)
    if not hint:
        return "", None
    right = hint.split("'")[1]
    end = text.end(node)
    if text.source[end - len(wrong) : end] != wrong:
        return hint, None
    return hint, Fix(f"Write {right}", (Edit(end - len(wrong), end, right),))


def declaring(draft: Draft, name: str) -> Fix | None:
    """Return the change that declares a variable after the last one of the class."""
    process = draft.process
    assert process is not None
    places = [v.node for v in process.variables.values()] or ([process.start_node] if process.start_node else [])
    if not places:
        return None
    last = max(places, key=lambda each: each.end_lineno or 0)
    at = draft.text.offset((last.end_lineno or 0) + 1)
    line = f"{draft.text.indent(last.lineno)}{name}: int = 0{draft.text.newline}"
    return Fix(f"Declare {name}", (Edit(at, at, line),))
