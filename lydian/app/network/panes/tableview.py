"""The view of a table of the network, with mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from lydian.app.kit.completions import CompletionList
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.panes.tables import SHOWN, TableModel
from lydian.language import tr
from lydian.model.editing.rows import Kind

__all__ = ["Table"]

Index = QModelIndex | QPersistentModelIndex
#: The initial widths of the columns.
WIDTHS = {"name": 62, "starts": 58, "x": 54, "y": 54, "step": 120, "clock": 54, "role": 90, "from": 58, "to": 58,
          "way": 76, "class": 84, "delay": 130, "loss": 54, "duplication": 84, "corruption": 84,
          "order": 84}  # fmt: skip
#: The values that can be chosen in a cell.
CHOICES = {"way": ("both ways", "one way"), "order": ("", "fifo", "unordered")}
#: Names are completed in networks of up to this many processes.
MOST_NAMES = 2_000


class Table(QTableView):
    """The view of one table: typing edits a cell, Delete deletes rows; copy and paste work with spreadsheets."""

    paste_wanted = Signal()
    copy_wanted = Signal()

    def __init__(self, board: Board, kind: Kind, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board, self.kind = board, kind
        self.rows = TableModel(board, kind, theme, self)
        self._busy = False
        self.setAccessibleName(tr("Table of processes") if kind == "processes" else tr("Table of links"))
        self.setModel(self.rows)
        self.setItemDelegate(_Cell(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # Without a selection model of its own the header makes Qt ask for every cell of the selection.
        header.setSelectionModel(QItemSelectionModel(self.rows, self))
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        header.setMinimumSectionSize(30)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setSortingEnabled(True)
        self.entered.connect(lambda index: self.rows.hover(index.row()))
        self.viewportEntered.connect(lambda: self.board.hover(None))
        self.selectionModel().selectionChanged.connect(lambda _new, _old: self._selected())
        self.rows.modelAboutToBeReset.connect(self._before)
        self.rows.modelReset.connect(self._after)
        board.chosen_changed.connect(self.follow)
        self._current = (0, 0)
        set_look(self, theme, font="small")
        self.set_theme(theme)

    def _selected(self) -> None:
        """Select on the board what the selected rows show."""
        if self._busy:
            return
        rows: list[int] = []
        for part in self.selectionModel().selection().toList():
            rows += range(part.top(), part.bottom() + 1)
        self._busy = True
        self.rows.choose(sorted(set(rows)))
        self._busy = False

    def follow(self) -> None:
        """Select the rows of the selection on the board, and scroll to the first."""
        if self._busy:
            return
        self._busy = True
        rows, marked = self.rows.chosen_rows(), QItemSelection()
        first = 0
        for at, row in enumerate(rows):
            if at + 1 == len(rows) or rows[at + 1] != row + 1:
                marked.select(self.rows.index(rows[first], 0), self.rows.index(row, len(self.rows.columns) - 1))
                first = at + 1
        self.selectionModel().select(marked, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if rows and not self.hasFocus():
            self.scrollTo(self.rows.index(rows[0], max(self.currentIndex().column(), 0)))
        self._busy = False

    def _before(self) -> None:
        index = self.currentIndex()
        self._current = (max(index.row(), 0), max(index.column(), 0))
        self._busy = True

    def _after(self) -> None:
        row, column = self._current
        if self.rows.rowCount():
            index = self.rows.index(min(row, self.rows.rowCount() - 1), column)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self._busy = False
        self.follow()

    def event(self, event: QEvent) -> bool:
        """Keep keys that edit the table from triggering shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            own = (QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.Paste, QKeySequence.StandardKey.SelectAll)
            plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            if any(event.matches(key) for key in own) or (plain and (event.text().isprintable() or _is_delete(event))):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.Paste):
            self.paste_wanted.emit()
        elif _is_delete(event):
            self.board.delete_chosen()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if index.isValid() and self.state() != QAbstractItemView.State.EditingState:  # the key ends editing instead
                self.edit(index)
        elif event.key() == Qt.Key.Key_Escape and self.rows.bad is not None:
            self.rows.forget_bad()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.board.hover(None)

    def set_theme(self, theme: Theme) -> None:
        high = self.fontMetrics().height() + 9
        self.verticalHeader().setMinimumSectionSize(high)
        self.verticalHeader().setDefaultSectionSize(high)
        wider = theme.px("small") / 12
        for at, column in enumerate(self.rows.columns):
            self.setColumnWidth(at, round(WIDTHS[column] * max(1.0, wider)))


def _is_delete(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Delete and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


class _Cell(QStyledItemDelegate):
    """The editor of a cell: a line with completion of names, or a list of choices."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.table = table

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        rows = self.table.rows
        column = rows.columns[index.column()]
        name = str(rows.headerData(index.column(), Qt.Orientation.Horizontal))
        if column in CHOICES:
            box = QComboBox(parent)
            for choice in CHOICES[column]:
                box.addItem(SHOWN.get(choice, choice) or tr("as in the network"), choice)
            box.setAccessibleName(name)
            box.activated.connect(lambda _at: self._done(box))
            return box
        line = set_up(QLineEdit(parent), look="cellField", name=name)
        line.setFrame(False)
        network = self.table.board.network
        names = list(network.classes) if column == "class" else []
        if column in ("from", "to") and network.n <= MOST_NAMES:
            names = list(network.processes)
        if names:
            completer = QCompleter(names, line)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setPopup(CompletionList(line))
            line.setCompleter(completer)
        return line

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(p, option, index)
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is None:
            return
        filled = QStyleOptionViewItem(option)
        QStyledItemDelegate.initStyleOption(self, filled, index)
        element = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        box = QRectF(self.table.style().subElementRect(element, filled, self.table)).adjusted(0.5, 0.5, -0.5, -0.5)
        theme, on = self.table.rows.theme, Qt.CheckState(state) == Qt.CheckState.Checked
        p.save()
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(QPen(theme.color("accent.base" if on else "border.control"), 1))
        p.setBrush(theme.color("accent.base" if on else "surface.panel"))
        p.drawRoundedRect(box, 2, 2)
        if on:
            p.setPen(QPen(theme.color("text.onAccent"), 1.6))
            x, y, w, h = box.x(), box.y(), box.width(), box.height()
            p.drawPolyline([QPointF(x + a * w, y + b * h) for a, b in ((0.22, 0.52), (0.42, 0.72), (0.78, 0.3))])
        p.restore()

    def _done(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        text = str(index.data(Qt.ItemDataRole.EditRole) or "")
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(max(editor.findData(text), 0))
        elif isinstance(editor, QLineEdit):
            editor.setText(text)
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: object, index: Index) -> None:
        if isinstance(editor, QComboBox):
            self.table.rows.setData(index, editor.currentData())
        elif isinstance(editor, QLineEdit):
            self.table.rows.setData(index, editor.text())
