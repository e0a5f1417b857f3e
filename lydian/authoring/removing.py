"""Removing a property, or the formula of messages, from a protocol file."""

from __future__ import annotations

from lydian.authoring.edits import readable
from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.model.source.draft import Draft
from lydian.model.source.text import Edit, apply_edits

__all__ = ["remove_formula", "remove_property"]


def remove_property(source: str, function: str) -> str:
    """Return the file without the property that a function defines and the empty lines before it."""
    draft = readable(source)
    found = next((symbol for _, symbol in draft.properties if symbol.name == function), None)
    if found is None:
        names = [symbol.name for _, symbol in draft.properties]
        raise BadInput(tr("unknown property '{name}'", name=function) + did_you_mean(function, names))
    return apply_edits(source, [_lines(draft, found.first_line, found.node.end_lineno or 0, blank=True)])


def remove_formula(source: str) -> str:
    """Return the file without ``messages = ...``."""
    draft = readable(source)
    place = draft.process.places.get("messages") if draft.process is not None else None
    if place is None or draft.process is None or place not in draft.process.node.body:
        raise BadInput(tr("the class has no formula of messages"))
    if len(draft.process.node.body) == 1:
        raise BadInput(tr("the class contains only the formula and cannot be left empty; edit the text"))
    return apply_edits(source, [_lines(draft, place.lineno, place.end_lineno or 0, blank=False)])


def _lines(draft: Draft, first: int, last: int, *, blank: bool) -> Edit:
    text = draft.text
    while blank and first > 1 and not text.line(first - 1).strip():
        first -= 1
    return Edit(text.offset(first), text.offset(last + 1), "")
