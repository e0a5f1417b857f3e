"""A line of text about a process, and sentences, with placeholders that take the values of variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lydian.model.errors import BadInput, shown
from lydian.pieces.checks import names_of
from lydian.views.words.values import value_text

__all__ = ["Watch", "filled", "holes_are_right"]

_HOLE = re.compile(r"\{\s*([A-Za-z_][\w.]*)\s*(?::\s*(len|[^{}|]+\|[^{}|]+))?\s*\}")


@dataclass(frozen=True)
class Watch:
    """A line of text about a process.

    Args:
        text: placeholders ``{variable}`` take the value of a variable, ``{variable:len}`` how many are in it.
        when: the variable that must not be empty for the line to be shown; by default the first in the text.
        while_states: show it only in these states; in all if empty.
    """

    text: str
    when: str | None = None
    while_states: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rest = _HOLE.sub("", self.text)
        if "{" in rest or "}" in rest:
            raise BadInput(f"a placeholder must be {{variable}} or {{variable:len}}, not as in {shown(self.text)}")
        object.__setattr__(self, "while_states", names_of(self.while_states, "while_states"))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that the text and the condition need."""
        found = [match.group(1) for match in _HOLE.finditer(self.text)]
        return tuple(dict.fromkeys(found if self.when is None else [self.when, *found]))

    def line(self, values: Mapping[str, Any]) -> str:
        """Return the text for one process, empty if there is nothing to say."""
        decides = self.variables[:1]
        if decides and values.get(decides[0]) in (None, "", 0, False, [], {}, ()):
            return ""
        return filled(self.text, values)


def filled(text: str, values: Mapping[str, Any], nothing: str = "0") -> str:
    """Return a text with its placeholders filled; ``nothing`` is the size of an empty set: a figure, or a word in
    sentences.

    ``{pending:len}`` becomes the size of a set or list, ``{pending:answer is|answers are}`` the size with its noun: "1
    answer is", "3 answers are", "no answers are".
    """
    said = _HOLE.sub(lambda match: _value(values.get(match.group(1)), match.group(2), nothing), text)
    return said[:1].upper() + said[1:] if said.startswith(("no ", "none ")) and text.startswith("{") else said


def holes_are_right(text: object) -> bool:
    """Return whether this is a text and all braces in it are placeholders."""
    rest = _HOLE.sub("", text) if isinstance(text, str) else "{"
    return "{" not in rest and "}" not in rest


def _value(value: Any, size: str | None, nothing: str) -> str:
    if size is None:
        return value_text(value)
    sized = hasattr(value, "__len__") and not isinstance(value, str)
    if size == "len":
        return (str(len(value)) if len(value) else nothing) if hasattr(value, "__len__") else value_text(value)
    one, many = (each.strip() for each in size.split("|"))
    count = len(value) if sized else value if isinstance(value, int | float) else 0
    return f"1 {one}" if count == 1 else f"{value_text(count)} {many}" if count else f"no {many}"
