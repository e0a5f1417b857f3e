"""How what fits at the cursor is listed: picture, word, kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import head_icon, state_icon
from lydian.model.authoring import Completion

if TYPE_CHECKING:
    from lydian.app.protocol.codetext import CodeText
    from lydian.app.protocol.completer import Completer

__all__ = ["ROWS", "OfferRows"]

#: So many are seen at once.
ROWS = 9
_ICONS = {
    "timer": "clock",
    "command": "flag",
    "request": "chevron-down",
    "indication": "chevron-up",
    "call": "bolt",
    "function": "code",
    "variable": "process",
    "parameter": "sliders",
    "field": "more",
    "need": "tick",
    "word": "book",
    "name": "more",
}


class OfferRows(QStyledItemDelegate):
    """A row: picture, word with what was typed in bold, kind."""

    def __init__(self, owner: Completer) -> None:
        super().__init__(owner.list)
        self.owner = owner

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(10, self.owner.list.fontMetrics().height() + 8)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        theme = self.owner.edit.theme
        each: Completion = index.data(Qt.ItemDataRole.UserRole)
        box: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        p.save()
        if chosen:
            p.fillRect(box, theme.color("accent.soft"))
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        side = min(theme.stretched(18), box.height() - 6)
        picture = picture_of(self.owner.edit, each, side)
        p.drawPixmap(QPoint(box.left() + 8, box.center().y() - side // 2), picture)
        p.setFont(self.owner.list.font())
        metrics = p.fontMetrics()
        kind = each.kind if each.kind != "name" else ""
        small = theme.font("small")
        x = box.left() + 14 + side
        begun = self.owner.begun
        strong = self.owner.list.font()
        strong.setBold(True)
        base = box.center().y() + metrics.ascent() // 2 - 1
        p.setPen(theme.color("text.primary"))
        head = each.text[: len(begun)] if each.text.lower().startswith(begun.lower()) else ""
        p.setFont(strong)
        p.drawText(QPoint(x, base), head)
        x += p.fontMetrics().horizontalAdvance(head)
        p.setFont(self.owner.list.font())
        p.drawText(QPoint(x, base), each.text[len(head) :])
        p.setFont(small)
        p.setPen(theme.color("text.secondary" if chosen else "text.hint"))
        p.drawText(
            QRectF(box.adjusted(0, 0, -10, 0)), Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, kind
        )
        p.restore()


def picture_of(edit: CodeText, each: Completion, side: int) -> QPixmap:
    """The small picture of an offer: a state's shape, a message's head, or what kind it is."""
    theme, lighter = edit.theme, edit.lighter
    if each.kind == "state":
        role = lighter.roles.get(each.text) or lighter.texts.get(each.text.strip("\"'"))
        return state_icon(theme, role.slot if role else 0, side)
    if each.kind == "message" and each.text in lighter.roles:
        return head_icon(theme, lighter.roles[each.text].slot, side)
    return pixmap(_ICONS.get(each.kind, "more"), theme.color("text.hint"), side, 2.0)
