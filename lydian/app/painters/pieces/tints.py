"""Tints: pairs of a soft ground and a strong ink for whole numbers, such as terms, ballots and rounds."""

from __future__ import annotations

from PySide6.QtGui import QColor

from lydian.app.look.theme import Theme

__all__ = ["TINTS", "tint_of"]

#: So many tints there are; further numbers use them again from the first on.
TINTS = 6


def tint_of(theme: Theme, number: int | None) -> tuple[QColor, QColor]:
    """Return the ground and the ink for a number; neighbouring numbers differ. None and 0 have no tint."""
    if not number:
        return theme.color("surface.panelAlt"), theme.color("text.secondary")
    which = (number - 1) % TINTS
    return theme.color(f"tint.{which}.soft"), theme.color(f"tint.{which}.ink")
