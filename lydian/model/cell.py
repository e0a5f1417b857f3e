"""A cell of a CSV file that a spreadsheet shows and does not calculate."""

from __future__ import annotations

from typing import Any

__all__ = ["as_text", "plain"]

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_text(value: Any) -> Any:
    """The value of a cell: a text that a spreadsheet would take for a formula gets an apostrophe before it.

    A spreadsheet shows such a cell without it.  Numbers, also those written as texts (``-1.5``), stay as they are.
    """
    if not isinstance(value, str) or not value.lstrip("'").startswith(_STARTS):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def plain(cell: str) -> str:
    """The text of a cell as it was before :func:`as_text`."""
    return cell[1:] if cell[:1] == "'" and as_text(cell[1:]) == cell else cell
