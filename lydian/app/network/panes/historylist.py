"""The history: a list of the names of all steps; a click on a step undoes or redoes up to it."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.language import tr

__all__ = ["HistoryList"]

Index = QModelIndex | QPersistentModelIndex
#: The least and the largest number of rows that are visible without scrolling.
FEWEST, MOST = 3, 9


class _Steps(QAbstractListModel):
    def __init__(self, board: Board, parent: QWidget) -> None:
        super().__init__(parent)
        self.board = board
        self.texts = [step.text for step in board.document.steps]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.texts)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        at, row = self.board.document.at, index.row()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.texts[row]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            where = tr(", undone") if row > at else tr(", present") if row == at else ""
            return self.texts[row] + where
        return None

    def read(self) -> None:
        """Read the steps of the document; rows that remain keep their place."""
        texts = [step.text for step in self.board.document.steps]
        same = 0
        for old, new in zip(self.texts, texts, strict=False):
            if old != new:
                break
            same += 1
        if len(self.texts) > same:
            self.beginRemoveRows(QModelIndex(), same, len(self.texts) - 1)
            del self.texts[same:]
            self.endRemoveRows()
        if len(texts) > same:
            self.beginInsertRows(QModelIndex(), same, len(texts) - 1)
            self.texts = texts
            self.endInsertRows()
        if texts:
            self.dataChanged.emit(self.index(0), self.index(len(texts) - 1))


class HistoryList(QListView):
    """The list of the steps of the document, with the current one marked and undone ones pale.

    The arrow keys move up and down, Enter or Space goes to a step, and Home and End move to the first and last.
    """

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = board
        self.setAccessibleName(tr("History"))
        self.setAccessibleDescription(tr("Steps of the drawing; press Enter to go to a step"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.steps = _Steps(board, self)
        self.setModel(self.steps)
        self._line = _Line(self, theme)
        self.setItemDelegate(self._line)
        self.clicked.connect(self.go)
        board.changed.connect(self._changed)
        self._changed()

    def go(self, index: Index) -> None:
        """Restore the network as it was after a step."""
        if index.isValid():
            self.board.document.go(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.go(self.currentIndex())
            event.accept()
        else:
            super().keyPressEvent(event)

    def _changed(self) -> None:
        self.steps.read()
        present = self.steps.index(self.board.document.at)
        self.setCurrentIndex(present)
        self.scrollTo(present)
        self._fit()

    def _fit(self) -> None:
        rows = min(max(self.steps.rowCount(), FEWEST), MOST)
        self.setFixedHeight(rows * self._line.height + 2)

    def set_theme(self, theme: Theme) -> None:
        self.scheduleDelayedItemsLayout()
        self._fit()


class _Line(QStyledItemDelegate):
    def __init__(self, view: HistoryList, theme: Theme) -> None:
        super().__init__(view)
        self.view, self.theme = view, theme

    @property
    def height(self) -> int:
        return QFontMetrics(self.theme.font("small")).height() + 7

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, self.height)

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        p.save()
        try:
            self._paint(p, option.rect, option.state, index)
        finally:
            p.restore()

    def _paint(self, p: QPainter, box: QRect, state: QStyle.StateFlag, index: Index) -> None:
        theme, at, row = self.theme, self.view.board.document.at, index.row()
        focus = bool(state & QStyle.StateFlag.State_Selected) and self.view.hasFocus()
        if row == at:
            p.fillRect(box, theme.color("accent.soft"))
        elif state & QStyle.StateFlag.State_MouseOver or focus:
            p.fillRect(box, theme.color("surface.panelAlt"))
        p.fillRect(
            QRect(box.left(), box.top(), 3 if row == at else 1, box.height()),
            theme.color("accent.base" if row == at else "border.subtle"),
        )
        if focus:
            p.setPen(theme.color("accent.ring"))
            p.drawRect(box.adjusted(0, 0, -1, -1))
        p.setFont(theme.font("small", semibold=row == at))
        p.setPen(theme.color("text.primary" if row == at else "text.secondary" if row < at else "text.hint"))
        if row > at:
            p.setOpacity(0.7)
        inner = box.adjusted(9, 0, -4, 0)
        text = p.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inner.width())
        p.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
