"""The list "What happens next?": the choices in the position, each with a digit key."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import draw_cross, head_icon
from lydian.app.look.theme import Theme
from lydian.engine.adversary.position import Choice
from lydian.language import tr, trn

__all__ = ["ChoiceList", "Row"]

#: The number of choices with a digit key.
NUMBERED = 9
#: Kind of a choice -> the icon of those that are no message.
SIGNS = {"timer": "clock", "command": "bolt", "init": "flag", "rules": "occupation", "crash": "fault-crash"}
_ROW = Qt.ItemDataRole.UserRole
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight) | _MIDDLE
_CENTRE = int(Qt.AlignmentFlag.AlignCenter)


@dataclass(frozen=True)
class Row:
    """A choice as it is listed.

    Attributes:
        title, note: what it is, and what follows from it.
        look: the kind of its message, for colour and shape.
        hint: what the hint says about it: the number of steps to go after it, -1 if there is no way after it, ``None``
            for no hint.
    """

    choice: Choice
    title: str
    note: str
    look: int
    hint: int | None = None

    @property
    def remark(self) -> str:
        """The hint in words, on at most two lines."""
        if self.hint is None:
            return ""
        if self.hint < 0:
            return tr("no way\nafter it")
        return tr("wins") if self.hint == 0 else trn("{count} to go", "{count} to go", self.hint)


class ChoiceList(QListWidget):
    """The choices; a click, Enter or the digit takes one."""

    #: Emitted with the choice that was taken.
    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("playChoices")
        self.setAccessibleName(tr("What happens next?"))
        self.setItemDelegate(_Drawn(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.itemClicked.connect(self._take)

    def show_rows(self, rows: list[Row]) -> None:
        """List these choices; the first one is current."""
        self.clear()
        for number, row in enumerate(rows, 1):
            item = QListWidgetItem(row.title, self)
            item.setData(_ROW, row)
            parts = (str(number) if number <= NUMBERED else "", row.title, row.note, row.remark.replace("\n", " "))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, parts)))
            item.setToolTip(row.note)
        if rows:
            self.setCurrentRow(0)

    def take(self, number: int) -> None:
        """Take the choice with this number, from 1 on, if there is one."""
        item = self.item(number - 1)
        if item is not None:
            self._take(item)

    def _take(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_ROW).choice)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentItem() is not None:
            self._take(self.currentItem())
        else:
            super().keyPressEvent(event)


class _Drawn(QStyledItemDelegate):
    """A delegate that draws a choice on two lines."""

    def __init__(self, view: ChoiceList) -> None:
        super().__init__(view)
        self.view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        theme = self.view.theme
        body, small = (QFontMetrics(theme.font(role)).height() for role in ("body", "small"))
        return QSize(120, body + small + 20)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        row: Row = index.data(_ROW)
        p.save()
        try:
            self._row(p, option.rect, option.state, row, index.row() + 1)
        finally:
            p.restore()

    def _row(self, p: QPainter, box: QRect, state: QStyle.StateFlag, row: Row, number: int) -> None:
        theme, view = self.view.theme, self.view
        now = bool(state & QStyle.StateFlag.State_Selected)
        if now:
            p.fillRect(box, theme.color("accent.soft"))
            p.fillRect(QRect(box.left(), box.top(), 3, box.height()), theme.color("accent.base"))
        elif state & QStyle.StateFlag.State_MouseOver:
            p.fillRect(box, theme.color("surface.panelAlt"))
        if now and view.hasFocus():
            p.setPen(QPen(theme.color("accent.ring"), 2))
            p.drawRect(box.adjusted(1, 1, -1, -1))
        p.setPen(theme.color("border.subtle"))
        p.drawLine(box.bottomLeft(), box.bottomRight())
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        x = box.left() + 13
        side = QFontMetrics(theme.font("body")).height() + 5
        if number <= NUMBERED:
            key = QRect(x, box.center().y() - side // 2, side, side)
            p.setPen(QPen(theme.color("border.control"), 1))
            p.drawRoundedRect(key, 4, 4)
            p.setFont(theme.font("small"))
            p.setPen(theme.color("text.primary"))
            p.drawText(key, _CENTRE, str(number))
        x += side + 12
        size = theme.stretched(16)
        self._sign(p, x, box.center().y() - size // 2, size, row)
        x += size + 12
        right = box.right() - 12
        remark = row.remark
        if remark:
            p.setFont(theme.font("small", semibold=True))
            ink = "check.violated" if row.hint is not None and row.hint < 0 else "check.holds"
            p.setPen(theme.color(ink))
            lines = remark.split("\n")
            wide = max(p.fontMetrics().horizontalAdvance(line) for line in lines)
            p.drawText(QRect(right - wide - 4, box.top(), wide + 4, box.height()), _RIGHT, remark)
            right -= wide + 10
            if ink == "check.violated":
                draw_cross(p, theme.color(ink), right - 3, box.center().y(), theme.stretched(4), 1.6)
                right -= 16
        body, small = (QFontMetrics(theme.font(role)).height() for role in ("body", "small"))
        top = box.top() + (box.height() - body - small - 2) // 2
        for role, strong, ink, text, y, high in (
            ("body", True, "text.primary", row.title, top, body),
            ("small", False, "text.secondary", row.note, top + body + 2, small),
        ):
            p.setFont(theme.font(role, semibold=strong))
            p.setPen(theme.color(ink))
            line = QRect(x, y, right - x, high)
            p.drawText(line, _MIDDLE, p.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, line.width()))

    def _sign(self, p: QPainter, x: int, y: int, size: int, row: Row) -> None:
        theme, choice = self.view.theme, row.choice
        if choice.kind in ("deliver", "loss", "lie", "mute"):
            p.drawPixmap(x, y, head_icon(theme, row.look, size))
            if choice.kind in ("loss", "mute"):
                draw_cross(p, theme.color("fault.base"), x + size / 2, y + size / 2, size * 0.4, 2.2)
            elif choice.kind == "lie":
                p.setPen(QPen(theme.color("fault.base"), 1.6))
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawEllipse(x - 2, y - 2, size + 4, size + 4)
            return
        ink = QColor(theme.color("fault.base" if choice.kind == "crash" else "text.secondary"))
        p.drawPixmap(x, y, pixmap(SIGNS.get(choice.kind, "info"), ink, size, self.view.devicePixelRatioF()))
