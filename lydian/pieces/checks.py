"""What several pieces check in what is declared: choices, scales, slots, shares, expressions and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.lang.expression import expression

__all__ = ["expression_is_right", "names_of", "one_of", "scale_goes_up", "share_is_right", "slot_is_right"]


def one_of(what: str, field: str, value: object, allowed: tuple[str, ...]) -> None:
    """A declaration's field must have one of these values."""
    if value not in allowed:
        hint = did_you_mean(str(value), allowed)
        has = "have" if what == "places" else "has"
        raise BadInput(f"{what} {has} no {field} {shown(value)}{hint}; there are {', '.join(allowed)}")


def scale_goes_up(low: object, high: object) -> None:
    """The ends of a scale must be numbers, where they are given, and rise."""
    for name, end in (("low", low), ("high", high)):
        if end is not None and (isinstance(end, bool) or not isinstance(end, int | float)):
            raise BadInput(f"{name} is a number, not {shown(end)}")
    if isinstance(low, int | float) and isinstance(high, int | float) and not low < high:
        raise BadInput(f"a scale goes up: low = {low:g} is not below high = {high:g}")


def slot_is_right(what: str, slot: object) -> None:
    """A slot must be one of the sixteen colours and shapes."""
    if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < 16:
        raise BadInput(f"the slot of {what} is a number from 0 to 15, not {shown(slot)}")


def share_is_right(name: str, value: object, low: float, high: float) -> None:
    """A number must lie between two others."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadInput(f"{name} is a number from {low:g} to {high:g}, not {shown(value)}")


def expression_is_right(what: str, text: object) -> None:
    """An expression must be one that can be worked out from variables alone."""
    if not isinstance(text, str):
        raise BadInput(f"{what} is an expression as a text, such as 'len(buffer)', not {shown(text)}")
    expression(text)


def names_of(value: Any, what: str) -> tuple[str, ...]:
    """Names as a tuple; one name may stand alone.

    Raises:
        BadInput: it is something else.
    """
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, Sequence | set | frozenset) or any(not isinstance(name, str) for name in names):
        raise BadInput(f"{what} is a list of names, not {shown(value)}")
    return tuple(names)
