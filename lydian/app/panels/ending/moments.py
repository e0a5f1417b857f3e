"""The list of moments that lead to the end of a run."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lydian.app.look.icons import pixmap
from lydian.app.look.theme import Theme
from lydian.authoring.ending import Moment

__all__ = ["MomentLines"]


class MomentLines(QStyledItemDelegate):
    """A delegate that draws a moment: its time, its sign, what happens, and its function or the kind of fault."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(120, QFontMetrics(self.theme.font("small")).height() + 9)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        data = index.data(Qt.ItemDataRole.UserRole)
        if not isinstance(data, tuple):
            return
        p.save()
        try:
            self._paint(p, QRect(option.rect), option.state, *data)
        finally:
            p.restore()

    def _paint(self, p: QPainter, box: QRect, state: QStyle.StateFlag, moment: Moment, time: str) -> None:
        theme = self.theme
        grounds = {"fault": "fault.soft", "end": "check.violatedSoft"}
        if moment.role in grounds:
            p.fillRect(box, theme.color(grounds[moment.role]))
        if state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver):
            p.fillRect(box, theme.color("accent.soft"))
        inner = box.adjusted(14, 0, -12, 0)
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        p.setFont(theme.font("small", mono=True))
        p.setPen(theme.color("text.secondary"))
        p.drawText(QRect(inner.left(), inner.top(), theme.stretched(46), inner.height()), middle, time)
        left = inner.left() + theme.stretched(50)
        signs = {"fault": ("bolt", "fault.base"), "end": ("stop", "check.violated")}
        sign, ink = signs.get(moment.role, ("chevron-right", "text.hint"))
        side = theme.stretched(13)
        p.drawPixmap(QRect(left, box.center().y() - side // 2, side, side), pixmap(sign, theme.color(ink), side, 2.0))
        left += side + 8
        p.setFont(theme.font("small"))
        p.setPen(theme.color("text.hint"))
        metrics = p.fontMetrics()
        tag = metrics.elidedText(moment.tag, Qt.TextElideMode.ElideRight, inner.width() // 3)
        p.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), tag)
        room = inner.right() - left - metrics.horizontalAdvance(tag) - (12 if tag else 0)
        p.setPen(theme.color("fault.base" if moment.role == "fault" else "text.primary"))
        shown = metrics.elidedText(moment.text, Qt.TextElideMode.ElideRight, room)
        p.drawText(QRect(left, inner.top(), room, inner.height()), middle, shown)
