"""The painter of the cards of queues beside processes, including items that arrive or fall out."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen

from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.network.tags import CARD_GAP, card_of, draw_leader, room_of
from lydian.app.painters.pieces.piece import Drawing, PiecePainter
from lydian.pieces.piece import LegendItem
from lydian.pieces.queues import Cards, Queue, widest_items

__all__ = ["QueuePainter"]

#: The distance that a card falls before it disappears.
FALL = 5.0


class QueuePainter(PiecePainter):
    """The painter of a frame's queues at the places of their labels."""

    def over(self, d: Drawing) -> None:
        """Draw all cards, except those of processes without room for them."""
        p, m, frame = d.p, d.m, d.frame
        if not frame.queues or m.level != "full":
            return
        places, rooms, texts = d.labels, room_of(self.theme, frame), widest_items(frame.scene)
        tied: set[int] = set()
        for number, queue in enumerate(frame.queues):
            card = card_of(self.theme, texts[number])
            if card is None:
                continue
            above = sum(tall for _, tall in rooms[:number])
            for process, cards in queue.cards.items():
                box = places.get(("queue", process))
                if box is not None and m.visible[process]:
                    part = QRectF(box.left(), box.top() + above, box.width(), rooms[number][1])
                    left_of = box.center().x() < m.points[process, 0] - m.half
                    if cards.items and process not in tied:
                        tied.add(process)
                        first = card_at(part, queue.declared, card, left_of, 0)
                        draw_leader(p, self.theme, m, process, first)
                    self._cards(p, part, queue.declared, cards, card, left_of)

    def sign(self, p: QPainter, box: QRectF, item: LegendItem, declared: Queue, k: float) -> None:
        """Draw two empty cards."""
        for place in (0, 1):
            card = QRectF(box.left() + place * 13.5 * k, box.center().y() - 5.5 * k, 11.5 * k, 11 * k)
            draw_card(p, self.theme, card, "", declared.slot)

    def _cards(
        self, p: QPainter, box: QRectF, queue: Queue, cards: Cards, size: tuple[float, float], left_of: bool
    ) -> None:
        """Draw the cards of one process, the first of them nearest to it."""
        stack = queue.style == "stack"
        turn = -1.0 if left_of and not stack else 1.0
        tall = size[1]

        def at(place: int) -> QRectF:
            return card_at(box, queue, size, left_of, place)

        for place, item in enumerate(cards.items):
            fresh = place < len(cards.fresh) and cards.fresh[place]
            draw_card(p, self.theme, at(place), item, queue.slot, fresh=1.0 - cards.share if fresh else 0.0)
        if cards.more:
            rest = at(len(cards.items))
            p.setFont(self.theme.font("caption", semibold=True))
            p.setPen(self.theme.color("text.secondary"))
            side = Qt.AlignmentFlag.AlignRight if turn < 0 else Qt.AlignmentFlag.AlignLeft
            p.drawText(rest, int(Qt.AlignmentFlag.AlignVCenter | side), f"+{cards.more}")
        if cards.share < 1.0:
            p.save()
            p.setOpacity(p.opacity() * (1.0 - cards.share))
            for place, item in enumerate(cards.fallen):
                gone = at(place).translated(2 * FALL if stack else 0.0, tall * 0.85 + FALL * cards.share)
                kept = place < len(cards.kept) and cards.kept[place]
                draw_card(p, self.theme, gone, item, queue.into_slot if kept else 7, gone=not kept, fresh=1.0 * kept)
            p.restore()


def card_at(box: QRectF, queue: Queue, size: tuple[float, float], left_of: bool, place: int) -> QRectF:
    """Return the place of a card of a queue, counted from the one nearest to its process.

    Args:
        size: the width and height of a card.
        left_of: whether the queue is on the left of its process.
    """
    wide, tall = size
    if queue.style == "stack":
        return QRectF(box.left(), box.top() + place * (tall + CARD_GAP), wide, tall)
    x = box.right() - wide if left_of else box.left()
    return QRectF(x + (-1.0 if left_of else 1.0) * place * (wide + CARD_GAP), box.top(), wide, tall)


def draw_card(
    p: QPainter, theme: Theme, box: QRectF, text: str, slot: int, *, fresh: float = 0.0, gone: bool = False
) -> None:
    """Draw a card with its text; ``fresh`` from 0 to 1 emphasises its edge, and a removed card is struck out."""
    style, ground = theme.state(slot), theme.color("surface.canvas")
    p.setPen(QPen(mixed(style.outline, theme.color("text.primary"), fresh), 1.0 + 1.4 * fresh))
    p.setBrush(ground if gone else style.fill)
    p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5)
    font = theme.font("caption")
    inner = box.adjusted(2, 0, -2, 0)
    words = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, inner.width() + 1)
    p.setFont(font)
    p.setPen(theme.color("text.primary") if gone else style.label)
    p.drawText(inner, int(Qt.AlignmentFlag.AlignCenter), words)
    if gone:
        p.setPen(QPen(theme.color("fault.base"), 1.4))
        y = box.center().y()
        p.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
