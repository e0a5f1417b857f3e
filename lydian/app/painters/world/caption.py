"""The sentence of a guided flight, on a card at the bottom of the view."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.ink import MIDDLE, Ink

__all__ = ["caption_box", "draw_caption"]

#: The distance from the edge of the view and from the map, the room around the words, and the widest card in units of
#: the size of type.
EDGE, PAD, WIDEST = 12.0, 12.0, 46.0
#: The narrowest room beside the map in which the card still fits; else it is above the map.
ROOM = 260.0
NONE = QRectF()


def _lines(ink: Ink, say: str, room: float) -> list[str]:
    """Break a sentence into lines of a width."""
    lines = [""]
    for word in say.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and ink.width(longer, "title") > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _balanced(ink: Ink, say: str, room: float) -> list[str]:
    """Break a sentence into as few lines as a width allows, of about the same length."""
    lines = _lines(ink, say, room)
    for share in range(10, 20):
        narrow = _lines(ink, say, room * share / 20)
        if len(narrow) == len(lines):
            return narrow
    return lines


def caption_box(
    theme: Theme, ink: Ink, rect: QRectF, say: str, card: QRectF, other: QRectF = NONE
) -> tuple[QRectF, list[str]]:
    """Return the card of a sentence and its lines; it is in the middle, and does not cover the map.

    Args:
        card: the card of the map in the lower left corner, perhaps empty.
        other: a card in the lower right corner, perhaps empty.
    """
    if not say:
        return QRectF(), []
    size = theme.px("title")
    left = card.right() + EDGE if not card.isEmpty() else rect.left() + EDGE
    right = other.left() - EDGE if not other.isEmpty() else rect.right() - EDGE
    # in the middle of the view, as long as the cards leave room for it
    beside = 2 * min(rect.center().x() - left, right - rect.center().x())
    above = not card.isEmpty() and beside < ROOM
    room = min(rect.width() - 2 * EDGE if above else beside, WIDEST * size)
    lines = _balanced(ink, say, room - 2 * PAD)
    wide = min(max(ink.width(line, "title") for line in lines) + 2 * PAD, room)
    tall = 1.35 * size * len(lines) + PAD
    bottom = card.top() - EDGE if above else rect.bottom() - EDGE
    return QRectF(rect.center().x() - wide / 2, bottom - tall, wide, tall), lines


def draw_caption(p: QPainter, theme: Theme, ink: Ink, box: QRectF, lines: list[str]) -> None:
    """Draw the card with its lines."""
    if box.isEmpty():
        return
    radius, tall = theme.size("radius.card"), 1.35 * theme.px("title")
    p.setPen(QPen(theme.color("border.subtle"), 1))
    p.setBrush(theme.color("surface.overlay"))
    p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    for number, line in enumerate(lines):
        row = QRectF(box.left() + PAD, box.top() + PAD / 2 + number * tall, box.width() - 2 * PAD, tall)
        ink.text(p, row, line, "title", "text.primary", MIDDLE)
