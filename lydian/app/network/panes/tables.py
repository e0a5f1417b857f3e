"""The models of the tables of processes and links, which show and edit the network of the board."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.language import tr, trc
from lydian.model.editing.links import Pair
from lydian.model.editing.rows import COLUMNS, Kind, edit_link, edit_process, inherited, link_cell, process_cell
from lydian.model.errors import LydianError
from lydian.model.names import natural
from lydian.model.network import RATES

__all__ = ["TITLES", "TableModel"]

Index = QModelIndex | QPersistentModelIndex
#: Column -> its title, its meaning.
TITLES = {
    "name": (tr("Name"), tr("Name of the process")),
    "starts": (trc("column of initiators", "Starts"), tr("Whether the process starts by itself")),
    "x": ("x", tr("Position in the drawing, from left to right")),
    "y": ("y", tr("Position in the drawing, from top to bottom")),
    "step": (
        trc("time for a step", "Step"),
        tr("Time per step, such as constant(0.1); empty: as in the network"),
    ),
    "clock": (tr("Clock"), tr("Rate of the clock: 1 is right, 1.05 is 5 % fast")),
    "role": (
        trc("column of a table", "Role"),
        tr("Role of the process, such as server, if the protocol has several; empty: the protocol chooses"),
    ),
    "from": (trc("first process of a link", "From"), tr("Process at which the link begins")),
    "to": (trc("second process of a link", "To"), tr("Process at which the link ends")),
    "way": (trc("direction of a link", "Way"), tr("Both ways or one way")),
    "class": (trc("class of a link", "Class"), tr("Class of links, such as long-haul")),
    "delay": (tr("Delay"), tr("Delay of a message, such as exponential(mean=2); empty: as in the class or network")),
    "loss": (
        trc("column of the share of messages", "Loss"),
        tr("Share of messages that are lost, such as 5 %; empty: as in the network"),
    ),
    "duplication": (
        trc("column of the share of messages", "Duplicated"),
        tr("Share of messages that are delivered twice, such as 5 %; empty: as in the network"),
    ),
    "corruption": (
        trc("column of the share of messages", "Corrupted"),
        tr("Share of messages corrupted in transit, such as 5 %; empty: as in the network"),
    ),
    "order": (
        trc("order of messages", "Order"),
        tr("fifo: messages do not overtake each other; empty: as in the network"),
    ),
}
#: Contents of cells -> how they are displayed; in spreadsheets they are English.
SHOWN = {"both ways": tr("both ways"), "one way": tr("one way"), "no time": tr("no time")}
#: Columns in which an empty cell inherits the value of the class or the network.
INHERITED = ("step", "clock", "delay", "order", *RATES)
Role = Qt.ItemDataRole
_TYPED = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
_TICKED = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable


class TableModel(QAbstractTableModel):
    """The model of one table; its rows are the processes or links, sorted and filtered.

    Attributes:
        order: the numbers of the processes or links that are listed, int64 (rows,).
        bad: the row, column, text and error of the last input, if it is not allowed.
    """

    #: Emitted with the error in the last input, or an empty text when there is none any more.
    complained = Signal(str)

    def __init__(self, board: Board, kind: Kind, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.board, self.kind, self.theme = board, kind, theme
        self.columns = COLUMNS[kind]
        self.network = board.network
        self.bad: tuple[int, int, str, str] | None = None
        self.wanted = ""
        self.sorted: tuple[int, bool] | None = None  # column, descending
        self.order = np.arange(self._count())
        self._row_of: dict[int, int] | None = None
        self._pairs: dict[Pair, int] | None = None
        self._starting = frozenset(self.network.initiators)
        self._lit = -1
        board.changed.connect(self._changed)
        board.hovered_changed.connect(self._hovered)

    def _count(self) -> int:
        return self.network.n if self.kind == "processes" else self.network.m

    # ------------------------------------------------------------------ methods that Qt calls

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Role.DisplayRole else None
        title, about = TITLES[self.columns[section]]
        return {Role.DisplayRole: title, Role.ToolTipRole: about}.get(Role(role))

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _TICKED if self.columns[index.column()] == "starts" else _TYPED

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.order):
            return None
        row, at = index.row(), index.column()
        number, column = int(self.order[row]), self.columns[at]
        bad = self.bad if self.bad is not None and self.bad[:2] == (row, at) else None
        if role in (Role.DisplayRole, Role.EditRole):
            return bad[2] if bad is not None else self.text(number, column, shown=role == Role.DisplayRole)
        if role == Role.CheckStateRole and column == "starts":
            starts = self.network.processes[number] in self._starting
            return Qt.CheckState.Checked if starts else Qt.CheckState.Unchecked
        if role == Role.ForegroundRole and column in INHERITED:
            return None if self._own(number, column) or bad is not None else self.theme.color("text.hint")
        if role == Role.BackgroundRole:
            color = "check.warnSoft" if bad is not None else "surface.panelAlt" if number == self._lit else ""
            return self.theme.color(color) if color else None
        if role == Role.ToolTipRole:
            return bad[3] if bad is not None else self._tip(number, column)
        if role == Role.TextAlignmentRole and column in ("x", "y", "clock", *RATES):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Role.AccessibleTextRole:
            if column == "starts":
                words = tr("yes") if self.network.processes[number] in self._starting else tr("no")
            else:
                words = self.text(number, column, shown=True) or trc("cell of a table", "empty")
            return f"{TITLES[column][0]}: {words}"
        return None

    def text(self, number: int, column: str, *, shown: bool = False) -> str:
        """Return the text of a cell; if ``shown``, as it is displayed and with inherited values."""
        own = self._own(number, column)
        if not shown:
            return own
        if column == "starts":
            return ""  # shown as a tick box
        text = own or inherited(self.network, self.kind, number, column)
        if column in ("way", "step"):
            return SHOWN.get(text, text)
        return f"{100 * float(text):g} %" if column in RATES else text

    def _own(self, number: int, column: str) -> str:
        if column == "starts":
            return "yes" if self.network.processes[number] in self._starting else ""
        cell = process_cell if self.kind == "processes" else link_cell
        return cell(self.network, number, column)

    def _tip(self, number: int, column: str) -> str:
        if column in INHERITED and not self._own(number, column):
            klass = self.network.links[number].klass if column == "delay" else None
            return (
                tr("As in the class {link_class}", link_class=klass)
                if klass in self.network.classes
                else tr("As in the network")
            )
        return self.text(number, column, shown=True)

    # ------------------------------------------------------------------ typing

    def setData(self, index: Index, value: object, role: int = Role.EditRole) -> bool:
        """Edit a cell as one step; an invalid text stays in the cell, marked, until it is corrected."""
        if not index.isValid():
            return False
        row, column = index.row(), self.columns[index.column()]
        if role == Role.CheckStateRole:
            value = "yes" if Qt.CheckState(value) == Qt.CheckState.Checked else "no"
        elif role != Role.EditRole:
            return False
        text, number, board = str(value), int(self.order[row]), self.board
        if self.bad is None and text == self._own(number, column):
            return False
        chosen: Chosen | None = None
        name = self.network.processes[number] if self.kind == "processes" else ""
        link = self.network.links[number] if self.kind == "links" else None
        try:
            if link is None:
                network, words = edit_process(self.network, name, column, text)
                if column == "name" and name in board.chosen.processes:
                    others = board.chosen.processes - {name}
                    chosen = Chosen(others | {network.processes[number]}, board.chosen.links)
            else:
                network, words, pair = edit_link(self.network, (link.a, link.b), column, text)
                if (link.a, link.b) in board.chosen.links:
                    chosen = Chosen(board.chosen.processes, board.chosen.links - {(link.a, link.b)} | {pair})
        except LydianError as error:
            who = tr("Process {process}", process=name) if link is None else tr("Link {link}", link=link)
            self._complain((row, index.column(), text, _sentence(f"{who}: {error}")))
            return False
        self._complain(None)
        return board.do(words, lambda _network: network, choose=chosen) or network == self.network

    def forget_bad(self) -> None:
        """Discard the last input if it is not allowed."""
        self._complain(None)

    def _complain(self, bad: tuple[int, int, str, str] | None) -> None:
        if bad != self.bad:
            self.bad = bad
            self._all_changed()
            self.complained.emit("" if bad is None else bad[3])

    # ------------------------------------------------------------------ the board

    def _changed(self) -> None:
        before, self.network = self._count(), self.board.network
        self._starting = frozenset(self.network.initiators)
        self._pairs = None
        self.bad, had = None, self.bad
        if had is not None:
            self.complained.emit("")
        if self._count() == before:
            self._all_changed()  # rows keep their places while cells are edited
        else:
            self._arrange()

    def _all_changed(self) -> None:
        if len(self.order):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.order) - 1, len(self.columns) - 1))

    def _hovered(self) -> None:
        what = self.board.hovered
        lit = self._number(what) if what is not None else -1
        lit, self._lit = self._lit, lit
        for number in (lit, self._lit):
            row = self.row_of(number)
            if row >= 0:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def _number(self, what: str | Pair) -> int:
        """Return the number of a process or link, or -1 if it does not belong in this table."""
        if self.kind == "processes":
            return self.network.index.get(what, -1) if isinstance(what, str) else -1
        if isinstance(what, str):
            return -1
        if self._pairs is None:
            self._pairs = {(link.a, link.b): number for number, link in enumerate(self.network.links)}
        return self._pairs.get(what, -1)

    def row_of(self, number: int) -> int:
        """Return the row of the process or link with a number, or -1 if it is not listed."""
        if self._row_of is None:
            self._row_of = dict(zip(self.order.tolist(), range(len(self.order)), strict=True))
        return self._row_of.get(number, -1)

    def chosen_rows(self) -> list[int]:
        """Return the rows of the selection on the board, in ascending order."""
        chosen = self.board.chosen.processes if self.kind == "processes" else self.board.chosen.links
        return sorted(row for what in chosen if (row := self.row_of(self._number(what))) >= 0)

    def choose(self, rows: Iterable[int]) -> None:
        """Select the processes or links of the given rows on the board."""
        numbers = self.order[list(rows)].tolist()
        if self.kind == "processes":
            self.board.choose_processes(self.network.processes[number] for number in numbers)
        else:
            links = self.network.links
            self.board.choose_links((links[number].a, links[number].b) for number in numbers)

    def hover(self, row: int) -> None:
        """Light up the process or link in a row; -1 lights up none."""
        if not 0 <= row < len(self.order):
            self.board.hover(None)
            return
        number = int(self.order[row])
        if self.kind == "processes":
            self.board.hover(self.network.processes[number])
        else:
            link = self.network.links[number]
            self.board.hover((link.a, link.b))

    # ------------------------------------------------------------------ order and filter

    def search(self, text: str) -> None:
        """List only the rows that contain all the words of a text."""
        if text != self.wanted:
            self.wanted = text
            self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 restores the order of the network."""
        self.sorted = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        words = self.wanted.lower().split()
        numbers = range(self._count())
        if words:
            found = self._haystack()
            listed = [number for number in numbers if all(word in found[number] for word in words)]
        else:
            listed = list(numbers)
        if self.sorted is not None:
            listed = self._in_order(listed, self.columns[self.sorted[0]])
            if self.sorted[1]:
                listed.reverse()
        self.order = np.array(listed, dtype=np.int64)
        self._row_of = None
        self.endResetModel()

    def _haystack(self) -> list[str]:
        """Return the text of each row that the filter searches."""
        network = self.network
        if self.kind == "processes":
            starts = self._starting
            word = trc("word that finds initiators in a table", "starts")
            return [(f"{name} {word}" if name in starts else name).lower() for name in network.processes]
        one, both = SHOWN["one way"], SHOWN["both ways"]
        return [
            f"{k.a} {k.b} {k} {one if k.directed else both} {k.klass or ''} {k.delay or ''} {k.order or ''}".lower()
            for k in network.links
        ]

    def _in_order(self, numbers: list[int], column: str) -> list[int]:
        network = self.network
        if column in ("x", "y"):
            values = network.coordinates[:, "xy".index(column)].tolist()
            return sorted(numbers, key=values.__getitem__)
        if column == "delay":
            return sorted(numbers, key=lambda number: network.delay_of(network.links[number]).mean)
        if column in RATES:
            return sorted(numbers, key=lambda number: network.rate_of(network.links[number], column))
        return sorted(numbers, key=lambda number: natural(self.text(number, column, shown=column != "starts")))

    def set_theme(self, theme: Theme) -> None:
        self._all_changed()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
