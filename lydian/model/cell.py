"""Cells of CSV files that a spreadsheet displays but does not evaluate as formulas."""

from __future__ import annotations

from typing import Any

__all__ = ["as_text", "plain"]

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_text(value: Any) -> Any:
    """Return the value for a cell: text that a spreadsheet would read as a formula is preceded by an apostrophe.

    A spreadsheet displays such a cell without the apostrophe. Numbers, including those given as text (``-1.5``), are
    unchanged.
    """
    if not isinstance(value, str) or not value.lstrip("'").startswith(_STARTS):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def plain(cell: str) -> str:
    """Return the text of a cell as it was before :func:`as_text`."""
    return cell[1:] if cell[:1] == "'" and as_text(cell[1:]) == cell else cell
