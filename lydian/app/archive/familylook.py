"""The look of a family of protocols: its colour and its symbol."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme, mixed
from lydian.model.archive.families import MINE, OTHERS

__all__ = ["family_colour", "family_tile"]

#: Family -> the slot of its colour and its symbol; other families take the remaining slots in turn.
_LOOKS = {
    "waves": (2, "communication"), "election": (1, "flag"), "mutex": (4, "keys"), "clocks": (3, "clock"),
    "termination": (5, "stop"), "routing": (6, "branch"), "agreement": (7, "tick"), "synchronisers": (0, "layout"),
    "stabilisation": (2, "restore"), "faults": (1, "bolt"), "gossip": (3, "knowledge"), "data": (0, "table"),
    "broadcast": (6, "sound"), "byzantine": (1, "fault-byzantine"), "memory": (5, "lock"), MINE: (6, "hand"),
    OTHERS: (5, "code"),
}  # fmt: skip


def family_colour(theme: Theme, key: str) -> QColor:
    """Return the colour of a family, one of the colours of states, so that it fits the pictures."""
    slot, _sign = _LOOKS.get(key, (hash_of(key) % 8, ""))
    return QColor(theme.state(slot).fill)


def family_tile(p: QPainter, box: QRectF, theme: Theme, key: str, ratio: float) -> None:
    """Return the symbol of a family on a tile of its colour."""
    colour = family_colour(theme, key)
    _slot, sign = _LOOKS.get(key, (0, "code"))
    p.save()
    p.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = mixed(theme.color("surface.panel"), colour, 0.3)
    p.setPen(mixed(ground, colour, 0.6))
    p.setBrush(ground)
    p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    side = round(box.width() * 0.66)
    picture = pixmap(sign, theme.color("text.primary"), side, ratio)
    p.drawPixmap(round(box.center().x() - side / 2), round(box.center().y() - side / 2), picture)
    p.restore()


def hash_of(text: str) -> int:
    """Return a number that is the same whenever the program runs."""
    return sum(ord(letter) * (at + 1) for at, letter in enumerate(text))
