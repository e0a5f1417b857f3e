"""The grid of states and events, with mouse and keyboard; a backend carries out its edits."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from lydian.app.kit.theming import set_look
from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import head_icon, state_icon
from lydian.app.look.theme import Theme, mixed
from lydian.app.painters.ink import LEFT, Ink
from lydian.app.protocol.table.cellmenu import CellChooser, Choice, NameField
from lydian.authoring.celltable import CellLook, EventLook, StateLook, TableLook
from lydian.language import tr, trn

__all__ = ["Backend", "CellGrid"]

Role = Qt.ItemDataRole
#: The side of a glyph at the usual size of text.
ICON = 18


class CellModel(QAbstractTableModel):
    """The model of the table for Qt and for screen readers."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.look = TableLook()
        self.theme = theme

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self.look.states)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.look.events)

    def cell(self, index: Index) -> CellLook:
        return self.look.cells[self.look.states[index.row()].name, self.look.events[index.column()].name]

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        cell = self.cell(index)
        if role == Role.DisplayRole:
            return cell.words
        if role == Role.ToolTipRole:
            return cell.tip
        if role == Role.AccessibleTextRole:
            ran = _ran(cell)
            failing = tr(", the run stopped here") if cell.failing else ""
            state, event = self.look.states[index.row()].name, self.look.events[index.column()].title
            return f"{state}, {event}: {cell.words}{ran}{failing}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation == Qt.Orientation.Horizontal:
            if not 0 <= section < len(self.look.events):
                return None
            event = self.look.events[section]
            if role == Role.DisplayRole:
                return event.title
            if role == Role.DecorationRole:
                return self._glyph(event)
            if role == Role.ToolTipRole:
                kind = _KINDS.get(event.kind, "{event}").format(event=event.name)
                fields = f" ({event.fields})" if event.fields else ""
                return f"{kind}{fields}: {event.doc}" if event.doc else f"{kind}{fields}"
            return None
        if not 0 <= section < len(self.look.states):
            return None
        state = self.look.states[section]
        if role == Role.DisplayRole:
            return state.name
        if role == Role.DecorationRole:
            return state_icon(self.theme, state.slot, round(ICON * max(1.0, self.theme.px("small") / 12) + 4))
        if role == Role.ToolTipRole:
            return _state_tip(state)
        if role == Role.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _glyph(self, event: EventLook) -> object:
        size = round(ICON * max(1.0, self.theme.px("small") / 12) * 0.85)
        if event.kind == "message":
            return head_icon(self.theme, event.number, size)
        name = _GLYPHS[event.kind]
        return pixmap(name, self.theme.color("text.secondary"), size, 2.0)


_GLYPHS = {
    "init": "play", "timer": "clock", "command": "hand", "rule": "turns", "request": "chevron-down",
    "indication": "chevron-up",
}  # fmt: skip

_KINDS = {
    "init": "INIT", "message": tr("message {event}"), "timer": tr("timer {event}"), "command": tr("command {event}"),
    "rule": tr("rule {event}"), "request": tr("request {event}"), "indication": tr("indication {event}"),
}  # fmt: skip


def _ran(cell: CellLook) -> str:
    if cell.count is None or cell.kind != "action":
        return ""
    return trn(", ran {count} time", ", ran {count} times", cell.count)


def _state_tip(state: StateLook) -> str:
    if state.start:
        return tr("{state}: the initial state. Double-click to rename.", state=state.name)
    if not state.reachable:
        return tr("{state}: no action leads here yet. Double-click to rename.", state=state.name)
    return tr("{state}. Double-click to rename.", state=state.name)


class CellPaint(QStyledItemDelegate):
    """The painter of a cell."""

    def __init__(self, grid: Any) -> None:
        super().__init__(grid)
        self.grid = grid

    def paint(self, p: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        grid, theme = self.grid, self.grid.theme
        cell = grid.rows.cell(index)
        box = QRectF(option.rect)
        state: QStyle.StateFlag = option.state
        key = grid.key(index)
        p.save()
        try:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setClipRect(box)
            if cell.failing:
                p.fillRect(box, mixed(theme.color("surface.panel"), theme.color("fault.base"), 0.28))
            elif cell.kind == "open":
                p.fillRect(box, theme.color("check.warnSoft"))
            elif cell.kind == "impossible":
                _hatched(p, box, theme)
            if key == grid.hot:
                p.fillRect(box, _pale(theme.color("accent.base"), 0.13))
            self._words(p, box, cell)
            p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            p.setPen(QPen(theme.color("border.subtle"), 1))
            rim = box.adjusted(0, 0, -1, -1)
            p.drawLine(rim.bottomLeft(), rim.bottomRight())
            p.drawLine(rim.topRight(), rim.bottomRight())
            if cell.failing:
                p.setPen(QPen(theme.color("fault.base"), 2))
                p.drawRect(box.adjusted(1, 1, -2, -2))
            if state & QStyle.StateFlag.State_HasFocus or (index == grid.currentIndex() and grid.marked):
                strong = grid.hasFocus()
                p.setPen(QPen(theme.color("accent.ring" if strong else "border.control"), 2))
                p.drawRect(box.adjusted(1, 1, -2, -2))
        finally:
            p.restore()

    def _words(self, p: QPainter, box: QRectF, cell: CellLook) -> None:
        theme = self.grid.theme
        ink = Ink(theme)
        inside = box.adjusted(9, 0, -8, 0)
        if cell.kind in ("action", "ignore") and cell.count is not None:
            said = f"{cell.count:,}×"
            role = "check.warn" if cell.unused else "text.hint"
            wide = ink.width(said, "caption")
            ink.text(p, QRectF(inside.right() - wide, box.top(), wide, box.height()), said, "caption", role)
            inside.setRight(inside.right() - wide - 6)
        role = "text.primary"
        if cell.failing:
            role = "text.primary"
        elif cell.kind == "open":
            role = "check.warn"
        elif cell.kind in ("impossible", "ignore") or cell.inherited:
            role = "text.hint"
        p.save()
        if not self.grid.isEnabled():
            p.setOpacity(0.6)
        ink.text(p, inside, cell.words, "small", role, LEFT, mono=cell.kind == "action", semibold=cell.failing)
        p.restore()


def _pale(color: QColor, share: float) -> QColor:
    color.setAlphaF(share)
    return color


def _hatched(p: QPainter, box: QRectF, theme: Theme) -> None:
    p.setPen(QPen(_pale(theme.color("text.hint"), 0.16), 1))
    step, high = 7.0, box.height()
    # the stripes of adjacent cells continue each other
    x = box.left() - high - ((box.left() - high + box.bottom()) % step)
    while x < box.right():
        p.drawLine(QPointF(x, box.bottom()), QPointF(x + high, box.top()))
        x += step


Index = QModelIndex | QPersistentModelIndex
#: The least width of a column, and the largest where space is short.
NARROW, WIDE = 92, 190


class Backend(Protocol):
    """The interface to what the grid shows and edits; an edit returns "" or the reason why it is not possible."""

    @property
    def look(self) -> TableLook: ...

    def choose(self, state: str, event: str, kind: str, function: str) -> str: ...

    def rename_function(self, old: str, new: str) -> str: ...

    def rename_state(self, old: str, new: str) -> str: ...


class CellGrid(QTableView):
    """The view of the table. Click or Enter opens a cell, typing names its function, Del empties it; F2 renames.

    Shift+F2 or a double-click on a state renames the state; a double-click on a cell, or Ctrl+Enter, shows its code.
    """

    #: Emitted with the (state, event) whose code should be shown.
    jump_wanted = Signal(str, str)
    #: Emitted with the (state, event) under the pointer, or ``None``.
    hovered = Signal(object)
    #: Emitted with the current (state, event).
    current_changed = Signal(str, str)
    #: Emitted with the reason why an edit was not possible, or "" if it was.
    complained = Signal(str)
    #: Emitted after an edit.
    changed = Signal()

    def __init__(self, backend: Backend, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.backend, self.theme = backend, theme
        self.rows = CellModel(theme, self)
        self.hot: tuple[str, str] | None = None
        self.marked = False  # whether to show the current cell without the focus
        self._chooser: CellChooser | None = None
        self.setObjectName("cellGrid")
        self.setModel(self.rows)
        self.setItemDelegate(CellPaint(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(tr("Transition table: states and events"))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setHighlightSections(False)
            header.setSectionsClickable(True)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().sectionDoubleClicked.connect(self.rename_state_at)
        self.entered.connect(lambda index: self._hover(self.key(index)))
        self.viewportEntered.connect(lambda: self._hover(None))
        for header in (self.horizontalHeader(), self.verticalHeader()):
            set_look(header, theme, font="small semibold")
        self.set_theme(theme)
        self.follow()

    def set_theme(self, theme: Theme) -> None:
        high = theme.grown(28)
        self.verticalHeader().setDefaultSectionSize(high)
        self.verticalHeader().setMinimumSectionSize(high)
        self.horizontalHeader().setFixedHeight(high)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            glyph = round((ICON + 4) * max(1.0, theme.px("small") / 12))
            header.setIconSize(QSize(glyph, glyph))
        self._widths()
        self.viewport().update()

    # ------------------------------------------------------------------ display

    def follow(self) -> None:
        """Show the current table of the backend; the current pair of state and event stays current."""
        look, old = self.backend.look, self.rows.look
        if look is old or look == old:
            self.rows.look = look
            return
        current = self.key(self.currentIndex())
        names = ([s.name for s in look.states], [e.name for e in look.events])
        if names == ([s.name for s in old.states], [e.name for e in old.events]):
            self.rows.look = look
            if look.states:
                self.rows.dataChanged.emit(
                    self.rows.index(0, 0), self.rows.index(len(look.states) - 1, len(look.events) - 1)
                )
            self.rows.headerDataChanged.emit(Qt.Orientation.Vertical, 0, max(len(look.states) - 1, 0))
            self.rows.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(len(look.events) - 1, 0))
        else:
            row, column = self.currentIndex().row(), self.currentIndex().column()
            self.rows.beginResetModel()
            self.rows.look = look
            self.rows.endResetModel()
            if current is not None and look.states:
                at = self.index_of(current)
                if not at.isValid():
                    at = self.rows.index(min(row, len(look.states) - 1), min(column, len(look.events) - 1))
                self.setCurrentIndex(at)
        self._widths()
        self.viewport().update()

    def key(self, index: Index) -> tuple[str, str] | None:
        """Return the (state, event) of a place in the table."""
        if not index.isValid():
            return None
        return self.rows.look.states[index.row()].name, self.rows.look.events[index.column()].name

    def index_of(self, cell: tuple[str, str]) -> QModelIndex:
        """Return the place of a (state, event), which is invalid if there is none."""
        look = self.rows.look
        rows = [at for at, state in enumerate(look.states) if state.name == cell[0]]
        columns = [at for at, event in enumerate(look.events) if event.name == cell[1]]
        return self.rows.index(rows[0], columns[0]) if rows and columns else QModelIndex()

    def select(self, cell: tuple[str, str]) -> None:
        """Make a cell current and scroll to it."""
        index = self.index_of(cell)
        if index.isValid():
            self.marked = True
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self.viewport().update()

    def highlight(self, cell: tuple[str, str] | None) -> None:
        """Highlight a cell without making it current."""
        if cell != self.hot:
            self.hot = cell
            self.viewport().update()

    def _hover(self, cell: tuple[str, str] | None) -> None:
        if cell != self.hot:
            self.highlight(cell)
            self.hovered.emit(cell)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def currentChanged(self, now: Index, before: Index) -> None:
        super().currentChanged(now, before)
        key = self.key(now)
        if key is not None:
            self.current_changed.emit(*key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._widths()
        if self._chooser is not None:
            self._chooser.put_away()

    def _widths(self) -> None:
        """Set the widths of the columns: as wide as the words need, and wider where there is space."""
        look = self.rows.look
        bold = QFontMetricsF(self.theme.font("small", semibold=True))
        mono = QFontMetricsF(self.theme.font("small", mono=True))
        plain = QFontMetricsF(self.theme.font("small"))
        icon = ICON * max(1.0, self.theme.px("small") / 12) + 16
        wanted = []
        for event in look.events:
            least = max(NARROW * max(1.0, self.theme.px("small") / 12), bold.horizontalAdvance(event.title) + icon + 14)
            for state in look.states:
                cell = look.cells[state.name, event.name]
                metrics = mono if cell.kind == "action" else plain
                count = 0.0 if cell.count is None else plain.horizontalAdvance(f"{cell.count:,}×") + 8
                least = max(least, metrics.horizontalAdvance(cell.words) + count + 22)
            wanted.append(min(least, WIDE * max(1.0, self.theme.px("small") / 12)))
        rim = max((bold.horizontalAdvance(s.name) for s in look.states), default=60.0) + icon + 24
        self.verticalHeader().setFixedWidth(round(min(rim, max(self.width() * 0.4, 90))))
        spare = self.width() - self.verticalHeader().width() - 2 - sum(wanted)
        more = max(spare, 0.0) / max(len(wanted), 1)
        for at, width in enumerate(wanted):
            self.setColumnWidth(at, int(width + min(more, 90)))
        bar = self.horizontalScrollBar().sizeHint().height() if spare < 0 else 0
        self.setMaximumHeight(max(self.wanted_height + bar, 60))

    @property
    def wanted_height(self) -> int:
        """Return the height that shows all rows."""
        rows = len(self.rows.look.states)
        return self.horizontalHeader().height() + rows * self.verticalHeader().defaultSectionSize() + 3

    # ------------------------------------------------------------------ mouse and keys

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and index == self.currentIndex():
            if self._jumping:
                self._jumping = False
            else:
                self.open_chooser()

    _jumping = False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self._jumping = True
            self._jump(index)
        else:
            super().mouseDoubleClickEvent(event)

    def _jump(self, index: Index) -> None:
        if self._chooser is not None:
            self._chooser.put_away()
        key = self.key(index)
        if key is not None:
            self.jump_wanted.emit(*key)

    def event(self, event: QEvent) -> bool:
        """Keep letters, Del and F2 from triggering shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
            own = event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_F2, Qt.Key.Key_Return)
            if plain and (own or event.text()[:1].isidentifier()):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, key = self.currentIndex(), event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if not index.isValid():
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if control:
                self._jump(index)
            else:
                self.open_chooser()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._choose("open", "", False)
        elif key == Qt.Key.Key_F2:
            if shift or not self.rows.cell(index).function:
                self.rename_state_at(index.row())
            else:
                self.rename_function()
        elif event.text()[:1].isidentifier() and not control and not alt:
            self.open_chooser(event.text())
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ changes

    def open_chooser(self, typed: str = "") -> None:
        """Open the chooser for the current cell, in place."""
        index = self.currentIndex()
        key = self.key(index)
        if key is None:
            return
        self.scrollTo(index)
        if self._chooser is None:
            self._chooser = CellChooser(self.theme, self.window())
            self._chooser.chosen.connect(self._choose)
            self._chooser.closed.connect(self.viewport().update)
            self._chooser.jump_wanted.connect(lambda: self._jump(self.currentIndex()))
        elif self._chooser.parentWidget() is not self.window():
            self._chooser.setParent(self.window())
        cell = self.rows.cell(index)
        place = self.visualRect(index)
        over = QRect(self.viewport().mapTo(self.window(), place.topLeft()), place.size())
        look = self.rows.look
        idle = {c.function for c in look.cells.values() if c.kind == "ignore"}
        functions = [name for name in look.functions if name not in idle]
        self.complained.emit("")
        self._chooser.open(over, *key, functions, Choice(cell.kind, cell.function, ""), typed, look.helpers)

    @property
    def chooser(self) -> CellChooser | None:
        """The open chooser, if any."""
        return self._chooser if self._chooser is not None and not self._chooser.isHidden() else None

    def _choose(self, kind: str, function: str, onwards: bool) -> None:
        key = self.key(self.currentIndex())
        if key is None:
            return
        sentence = self.backend.choose(*key, kind, function)
        self.complained.emit(sentence)
        if sentence:
            return
        if self._chooser is not None and not self._chooser.isHidden():
            self._chooser.put_away()
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()
        if onwards:
            index = self.currentIndex()
            column = index.column() + 1
            row = index.row() + column // max(len(self.rows.look.events), 1)
            if row < len(self.rows.look.states):
                self.setCurrentIndex(self.rows.index(row, column % len(self.rows.look.events)))

    def rename_function(self) -> None:
        """Open a field to rename the function of the current cell in place."""
        index = self.currentIndex()
        function = self.rows.cell(index).function if index.isValid() else ""
        if function:
            field = NameField(
                function, self.visualRect(index), tr("Name of {function}", function=function), self.viewport()
            )
            field.named.connect(lambda new: self._renamed(self.backend.rename_function(function, new), new, function))
            field.gone.connect(lambda: self.setFocus(Qt.FocusReason.OtherFocusReason))

    def rename_state_at(self, row: int) -> None:
        """Open a field to rename the state of a row in place."""
        if not 0 <= row < len(self.rows.look.states):
            return
        name = self.rows.look.states[row].name
        header = self.verticalHeader()
        over = QRect(0, header.sectionViewportPosition(row), header.width(), header.sectionSize(row))
        field = NameField(name, over, tr("Name of the state {state}", state=name), header.viewport())
        field.named.connect(lambda new: self._renamed(self.backend.rename_state(name, new), new, name))
        field.gone.connect(lambda: self.setFocus(Qt.FocusReason.OtherFocusReason))

    def _renamed(self, sentence: str, new: str, old: str) -> None:
        if new != old:
            self.complained.emit(sentence)
            if not sentence:
                self.changed.emit()
