"""The appearance of a card: its digit, the symbol of its event, the action of its process, and its time."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import draw_cross, head_icon, state_icon
from lydian.app.look.theme import Theme
from lydian.language import trc
from lydian.views.playback.dealing import choosable
from lydian.views.playback.enabled import Card, played

__all__ = ["CardRow"]

#: The symbol of an event that is not a message.
SIGNS = {"timer": "clock", "command": "bolt", "init": "flag", "step": "occupation", "fault": "warning"}
#: A list narrower than this omits the remark on the right of the second line.
ROOM = 210

_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight) | _MIDDLE
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)


class CardRow(QStyledItemDelegate):
    """A delegate that draws cards, in two lines each, and headings.

    Args:
        player: whether the cards are those of one process, worded for the user who plays it.
    """

    def __init__(self, view: QListView, theme: Theme, *, player: bool = False) -> None:
        super().__init__(view)
        self.view, self.theme, self.player = view, theme, player
        self._signs: dict[tuple[str, int, int, float], QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        body, small = (QFontMetrics(self.theme.font(role)).height() for role in ("body", "small"))
        if index.data(Qt.ItemDataRole.UserRole) is None:
            return QSize(120, small + 12)
        return QSize(120, body + small + 13)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        card = index.data(Qt.ItemDataRole.UserRole)
        p.save()
        try:
            if card is None:
                self._heading(p, option.rect, str(index.data() or ""))
            else:
                self._card(p, option.rect, option.state, card)
        finally:
            p.restore()

    def _heading(self, p: QPainter, box: QRect, text: str) -> None:
        p.setFont(self.theme.font("small", semibold=True))
        p.setPen(self.theme.color("text.secondary"))
        inner = box.adjusted(10, 4, -10, 0)
        p.drawText(inner, _MIDDLE, p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width()))

    def _card(self, p: QPainter, box: QRect, state: QStyle.StateFlag, card: Card) -> None:
        theme, view = self.theme, self.view
        rows = view.rows  # type: ignore[attr-defined]
        now = bool(state & QStyle.StateFlag.State_Selected)
        lit = bool(state & QStyle.StateFlag.State_MouseOver) or view.about(card)  # type: ignore[attr-defined]
        if now:
            p.fillRect(box, theme.color("accent.soft"))
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        elif lit:
            p.fillRect(box, theme.color("surface.panelAlt"))
        if now and view.hasFocus():
            p.setPen(QPen(theme.color("accent.ring"), 2))
            p.drawRect(box.adjusted(1, 1, -1, -1))
        p.setPen(theme.color("border.subtle"))
        p.drawLine(box.bottomLeft(), box.bottomRight())
        can = choosable(card)
        x = box.left() + 10
        x = self._number(p, x, box, rows.number(card))
        size = theme.stretched(18)
        p.setOpacity(1.0 if can else 0.6)
        self._sign(p, x, box, size, card)
        p.setOpacity(1.0)
        x += size + 9
        self._words(p, box, x, card, rows.refused.get(card.key, ""), first=card.key == rows.first, can=can)

    def _number(self, p: QPainter, x: int, box: QRect, number: int) -> int:
        """Draw the digit that chooses the card as a key; return the place where it ends."""
        side = QFontMetrics(self.theme.font("caption")).height() + 3
        if number:
            key = QRect(x, box.center().y() - side // 2, side, side)
            p.setPen(QPen(self.theme.color("border.control"), 1))
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.drawRoundedRect(key, 3, 3)
            p.setFont(self.theme.font("caption"))
            p.setPen(self.theme.color("text.secondary"))
            p.drawText(key, _CENTRE, str(number))
        return x + side + 8

    def _sign(self, p: QPainter, x: int, box: QRect, size: int, card: Card) -> None:
        y = box.center().y() - size // 2
        if card.kind in ("receive", "loss"):
            p.drawPixmap(x, y, head_icon(self.theme, card.look, size))
            if card.kind == "loss":
                p.setRenderHint(QPainter.RenderHint.Antialiasing)
                draw_cross(p, self.theme.color("fault.base"), x + size / 2, y + size / 2, size * 0.36, 2.2)
            return
        ink = "fault.base" if card.kind == "fault" else "text.secondary"
        color = self.theme.message(card.look).color if card.kind in ("timer", "command") else self.theme.color(ink)
        p.drawPixmap(x, y, self._pixmap(SIGNS.get(card.kind, "info"), color, size))

    def _pixmap(self, name: str, color: QColor, size: int) -> QPixmap:
        ratio = self.view.devicePixelRatioF()
        key = (name, color.rgba(), size, ratio)
        if key not in self._signs:
            self._signs[key] = pixmap(name, color, size, ratio)
        return self._signs[key]

    def _words(self, p: QPainter, box: QRect, x: int, card: Card, refused: str, *, first: bool, can: bool) -> None:
        theme = self.theme
        body, small = (QFontMetrics(theme.font(role)).height() for role in ("body", "small"))
        top, right = box.top() + 5, box.right() - 10
        one, two = QRect(x, top, right - x, body), QRect(x, top + body + 2, right - x, small)
        # First line: the event, its fields, its time.
        p.setFont(theme.font("small", mono=True))
        p.setPen(theme.color("text.hint"))
        when = card.time if box.width() < ROOM else card.when
        p.drawText(one, _RIGHT, when)
        one.setRight(one.right() - p.fontMetrics().horizontalAdvance(when) - 8)
        p.setFont(theme.font("body", semibold=can))
        p.setPen(theme.color("text.primary" if can else "text.secondary"))
        title = played(card) if self.player else card.title
        shown = p.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, one.width())
        p.drawText(one, _MIDDLE, shown)
        if card.fields and shown == title:
            one.setLeft(one.left() + p.fontMetrics().horizontalAdvance(title) + 8)
            p.setFont(theme.font("small"))
            p.setPen(theme.color("text.hint"))
            p.drawText(one, _MIDDLE, p.fontMetrics().elidedText(card.fields, Qt.TextElideMode.ElideRight, one.width()))
        # Second line: why it cannot be chosen, or what the process would do, with the state it is in.
        p.setFont(theme.font("small"))
        mark = self._remark(card, first)
        if mark and box.width() >= ROOM:
            p.setPen(theme.color("accent.base" if first else "text.hint"))
            p.drawText(two, _RIGHT, mark)
            two.setRight(two.right() - p.fontMetrics().horizontalAdvance(mark) - 8)
        problem = refused or card.reason or card.warning
        if not problem and card.place >= 0 and card.state and not self.player:
            side = small - 2
            p.drawPixmap(two.left(), two.center().y() - side // 2 + 1, state_icon(theme, card.slot, side))
            two.setLeft(two.left() + side + 5)
        serious = bool(refused or card.warning)
        p.setPen(theme.color("fault.base" if serious else "text.hint" if problem else "text.secondary"))
        text = problem or (card.meaning if self.player else self._does(card))
        p.drawText(two, _MIDDLE, p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, two.width()))

    def _does(self, card: Card) -> str:
        return f"{card.does} — {card.meaning}" if card.meaning else card.does

    def _remark(self, card: Card, first: bool) -> str:
        if self.player:
            return ""
        return trc("event", "next") if first else trc("event", "waiting") if card.waits else ""
