"""The table of states and events for Qt and for screen readers."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from lydian.app.look.icons import pixmap
from lydian.app.look.shapes import head_icon, state_icon
from lydian.app.look.theme import Theme
from lydian.authoring.celltable import CellLook, EventLook, StateLook, TableLook

__all__ = ["ICON", "CellModel"]

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
#: Side of a glyph at the usual size of text.
ICON = 18


class CellModel(QAbstractTableModel):
    """The table for Qt and for screen readers."""

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
            ran = "" if cell.count is None or cell.kind != "action" else f", ran {cell.count} times"
            failing = ", the run stopped here" if cell.failing else ""
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
                kind = {"init": "INIT"}.get(event.kind, f"{event.kind} {event.name}")
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


def _state_tip(state: StateLook) -> str:
    words = "the start state" if state.start else "" if state.reachable else "no action leads here yet"
    return f"{state.name}: {words}. Double-click to rename." if words else f"{state.name}. Double-click to rename."
