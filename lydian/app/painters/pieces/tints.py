"""Tints: pairs of a soft ground and a strong ink for whole numbers, such as terms, ballots and rounds."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from lydian.app.look.theme import Theme

__all__ = ["TINTS", "draw_chip", "tint_of"]

#: So many tints there are; further numbers use them again from the first on.
TINTS = 6


def tint_of(theme: Theme, number: int | None) -> tuple[QColor, QColor]:
    """Return the ground and the ink for a number; neighbouring numbers differ. None and 0 have no tint."""
    if not number:
        return theme.color("surface.panelAlt"), theme.color("text.secondary")
    which = (number - 1) % TINTS
    return theme.color(f"tint.{which}.soft"), theme.color(f"tint.{which}.ink")


def draw_chip(p: QPainter, theme: Theme, room: QRectF, text: str, number: int) -> None:
    """Draw a text in a chip of the tint of a number, in the middle of a box."""
    k = theme.px("small") / 12
    font = theme.font("small", semibold=True)
    metrics = QFontMetricsF(font)
    soft, ink = tint_of(theme, number)
    wide = min(metrics.horizontalAdvance(text) + 14 * k, room.width())
    high = min(17 * k, room.height() - 1)
    chip = QRectF(room.center().x() - wide / 2, room.center().y() - high / 2, wide, high)
    p.setPen(QPen(ink, 1))
    p.setBrush(soft)
    p.drawRoundedRect(chip, high / 2, high / 2)
    p.setFont(font)
    text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, wide - 8 * k)
    p.drawText(chip, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine), text)
