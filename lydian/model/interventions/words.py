"""Texts for interventions: for the Edit menu (``crash 3``) and for names of branches (``3 crashed``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lydian.language import tr
from lydian.model.interventions.kind import KINDS, Intervention, Kind, words_of

__all__ = ["done_words", "gesture_words", "moment"]


def gesture_words(what: Sequence[Mapping[str, Any]], message: str = "") -> str:
    """Return the text of one gesture for the Edit menu.

    Args:
        what: its interventions as in a file, with or without times.
        message: the message concerned, if it is described better than by its number.
    """
    if not what:
        return tr("interfere")
    first = what[0]
    kind = KINDS.get(str(first.get("do"))) or Kind()
    alike = [each for each in what if each.get("do") == first.get("do")]
    if len(alike) > 1:
        return kind.order[1].format(n=len(alike))
    words = words_of(first)
    return kind.ordered(first).format_map(words | {"which": message or words["which"]}).strip()


def done_words(what: Sequence[Intervention]) -> str:
    """Return the text for simultaneous interventions of one kind, in English: ``9 crashed``, ``3 links cut``."""
    first = what[0]
    link = " {} to {}".format(*first.link) if first.link else ""
    message = f"message {first.message}" if first.message is not None else f"{first.label or 'message'}{link}"
    words = words_of(first.to_dict()) | {"n": str(len(what)), "message": message, "delay": moment(first.delay or 0.0)}
    return first.kind.branch[len(what) > 1].format_map(words)


def moment(value: float) -> str:
    """Format a time with at least one and at most three decimals: ``6.0``, ``4.25``."""
    text = f"{value:.3f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
