"""The painter of tokens, at processes and on messages."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from lydian.app.look.theme import Theme
from lydian.app.painters.network.tags import token_size
from lydian.app.painters.pieces.arcs import draw_sign
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.piece import LegendItem
from lydian.pieces.tokens import Token

__all__ = ["TokenPainter"]


class TokenPainter(PiecePainter):
    """The painter of tokens."""

    def above(self, d: Drawing) -> None:
        """Draw tokens at processes, then those on messages."""
        p, m, frame = d.p, d.m, d.frame
        places = d.labels if m.level in ("full", "medium") else {}
        if m.level == "dense":
            return
        size = token_size(m)
        taken: dict[int, int] = {}
        for spots in frame.tokens:
            token = spots.declared
            for process in spots.holder.tolist():
                if not m.visible[process]:
                    continue
                box = places.get(("token", process))
                place = taken.get(process, 0)
                taken[process] = place + 1
                x, y = m.points[process].tolist()
                if box is None:  # no room beside it, so on its edge
                    x, y = x - m.d * 0.5 + place * size, y - m.d * 0.5
                else:
                    x, y = box.left() + (place + 0.5) * size, box.center().y()
                draw_token(p, self.theme, x, y, size, token.slot, token.letter)
        flights = frame.flights
        for spots in frame.tokens:
            token, riders = spots.declared, spots.riders
            if not len(riders):
                continue
            at, _, _ = m.heads(
                flights.source[riders], flights.target[riders], flights.fraction[riders], flights.place[riders]
            )
            for x, y in at.tolist():
                draw_token(p, self.theme, x, y, max(size, m.head * 1.3), token.slot, token.letter)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Token, k: float) -> None:
        """Draw a token."""
        draw_token(p, self.theme, box.center().x(), box.center().y(), 13 * k, declared.slot, declared.letter)


def draw_token(p: QPainter, theme: Theme, x: float, y: float, size: float, slot: int, letter: str = "") -> None:
    """Draw a coin with an edge in the colour of the background."""
    style = theme.state(slot)
    p.setPen(QPen(theme.color("surface.canvas"), max(1.2, size * 0.1)))
    p.setBrush(style.fill)
    p.drawEllipse(QPointF(x, y), size / 2, size / 2)
    p.setBrush(Qt.BrushStyle.NoBrush)
    p.setPen(QPen(style.label, max(0.8, size * 0.06)))
    p.drawEllipse(QPointF(x, y), size * 0.36, size * 0.36)
    if letter and size >= 9:
        half = size * 0.34
        draw_sign(p, theme, QRectF(x - half, y - half, 2 * half, 2 * half), letter, style.label)
