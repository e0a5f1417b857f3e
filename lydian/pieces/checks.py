"""Checks shared by pieces on their declarations: choices, scales, slots, shares, expressions and names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.lang.expression import expression

__all__ = ["expression_is_right", "names_of", "one_of", "scale_goes_up", "share_is_right", "slot_is_right"]


def one_of(what: str, field: str, value: object, allowed: tuple[str, ...]) -> None:
    """Check that a field has one of the allowed values."""
    if value not in allowed:
        hint = did_you_mean(str(value), allowed)
        has = "have" if what == "places" else "has"
        raise BadInput(f"{what} {has} no {field} {shown(value)}{hint}; choose from {', '.join(allowed)}")


def scale_goes_up(low: object, high: object) -> None:
    """Check that the ends of a scale, where given, are numbers in ascending order."""
    for name, end in (("low", low), ("high", high)):
        if end is not None and (isinstance(end, bool) or not isinstance(end, int | float)):
            raise BadInput(f"{name} must be a number, not {shown(end)}")
    if isinstance(low, int | float) and isinstance(high, int | float) and not low < high:
        raise BadInput(f"low must be less than high, not low = {low:g} and high = {high:g}")


def slot_is_right(what: str, slot: object) -> None:
    """Check that a slot is one of the sixteen colours and shapes."""
    if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < 16:
        raise BadInput(f"the slot of {what} must be a number from 0 to 15, not {shown(slot)}")


def share_is_right(name: str, value: object, low: float, high: float) -> None:
    """Check that a number is between two others."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise BadInput(f"{name} must be a number from {low:g} to {high:g}, not {shown(value)}")


def expression_is_right(what: str, text: object) -> None:
    """Check that an expression can be evaluated from variables alone."""
    if not isinstance(text, str):
        raise BadInput(f"{what} must be an expression in quotation marks, such as 'len(buffer)', not {shown(text)}")
    expression(text)


def names_of(value: Any, what: str) -> tuple[str, ...]:
    """Return names as a tuple; a single name may be given alone.

    Raises:
        BadInput: it is something else.
    """
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, Sequence | set | frozenset) or any(not isinstance(name, str) for name in names):
        raise BadInput(f"{what} must be a list of names, not {shown(value)}")
    return tuple(names)
