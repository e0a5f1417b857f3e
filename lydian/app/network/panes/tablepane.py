"""The Table tab: the network as tables of processes and links, for editing by typing."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QStackedWidget, QWidget

from lydian.app.kit.fields import Segment
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_up
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.panes.tableview import Table
from lydian.language import tr, trc, trn
from lydian.model.editing.links import add_link
from lydian.model.editing.pasting import copied, paste_rows
from lydian.model.editing.processes import add_process
from lydian.model.editing.rows import Kind
from lydian.model.errors import LydianError
from lydian.model.network import Network

__all__ = ["TablePane"]

#: The largest number of bad cells that are reported one by one.
MOST_BAD = 6


class TablePane(QWidget):
    """The pane with the two tables, one at a time, a filter, a line to add a row, and copy and paste."""

    def __init__(self, board: Board, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.board = board
        self.which = Segment(trc("of a network", "Table"), (("processes", tr("Processes")), ("links", tr("Links"))))
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(tr("Filter"))
        self.filter.setAccessibleName(tr("Filter the rows"))
        self.filter.setToolTip(tr("Show only rows that contain these words: a name, a class, one way"))
        self.filter.setClearButtonEnabled(True)
        self.tables: dict[Kind, Table] = {kind: Table(board, kind, theme) for kind in ("processes", "links")}
        self.stack = QStackedWidget()
        self.problem = set_up(QLabel(), look="problem", wraps=True, plain=True)
        self.anyway, self.dismiss = QPushButton(tr("Paste without these cells")), QPushButton(tr("Cancel"))
        self._waiting = ""
        self.name, self.a, self.b = QLineEdit(), QLineEdit(), QLineEdit()
        self.add = QPushButton(tr("Add"))
        self.delete = QPushButton(tr("Delete"))
        self.copy_button, self.paste_button = QPushButton(tr("Copy")), QPushButton(tr("Paste"))
        self._lay_out()
        for table in self.tables.values():
            self.stack.addWidget(table)
            table.rows.complained.connect(self._complain)
            table.copy_wanted.connect(self.copy)
            table.paste_wanted.connect(self.paste)
            table.rows.modelReset.connect(self._fill)
        self.which.chosen.connect(lambda kind: self.show_table(kind))
        self.filter.textChanged.connect(self._search)
        self.add.clicked.connect(self.add_row)
        for line in (self.name, self.a, self.b):
            line.returnPressed.connect(self.add_row)
        self.delete.clicked.connect(board.delete_chosen)
        self.copy_button.clicked.connect(self.copy)
        self.paste_button.clicked.connect(self.paste)
        self.anyway.clicked.connect(lambda: self._paste(self._waiting, anyway=True))
        self.dismiss.clicked.connect(lambda: self._complain(""))
        board.changed.connect(self._fill)
        board.chosen_changed.connect(self._fill)
        self.show_table("processes")
        self._complain("")

    def _lay_out(self) -> None:
        for line, placeholder, name in (
            (self.name, tr("Name (or a number)"), tr("Name of a new process")),
            (self.a, trc("first process of a link", "From"), tr("First process of a new link")),
            (self.b, trc("second process of a link", "To"), tr("Second process of a new link")),
        ):
            line.setPlaceholderText(placeholder)
            line.setAccessibleName(name)
            line.setMinimumWidth(40)
        for button, tip in (
            (self.delete, tr("Delete the selected rows (Delete)")),
            (self.copy_button, tr("Copy the selected rows, or all rows, for a spreadsheet (Ctrl+C)")),
            (self.paste_button, tr("Paste rows from a spreadsheet; links add missing processes (Ctrl+V)")),
        ):
            button.setObjectName("compact")
            button.setToolTip(tip)
            button.setMinimumWidth(40)
        self.add.setObjectName("compact")
        for button in (self.anyway, self.dismiss):
            button.setObjectName("offer")
        down(
            self.which, self.filter, (self.stack, 1), self.problem,
            across(self.anyway, self.dismiss, ..., spacing=5),
            across((self.name, 1), (self.a, 1), (self.b, 1), self.add, spacing=5),
            across((self.delete, 1), (self.copy_button, 1), (self.paste_button, 1), spacing=5),
            on=self, margins=10, spacing=7,
        )  # fmt: skip

    @property
    def kind(self) -> Kind:
        """The table that is shown."""
        return "links" if self.stack.currentIndex() else "processes"

    @property
    def table(self) -> Table:
        return self.tables[self.kind]

    def show_table(self, kind: str) -> None:
        """Show the processes or the links."""
        self.stack.setCurrentWidget(self.tables["links" if kind == "links" else "processes"])
        self.which.say(self.kind)
        self._search()
        self.table.follow()
        self._complain("")
        self._fill()

    def _search(self) -> None:
        self.table.rows.search(self.filter.text())
        self._fill()

    # ------------------------------------------------------------------ rows

    def add_row(self) -> None:
        """Add the process, or the link between two existing processes, that is typed below the table."""
        board = self.board
        if self.kind == "processes":
            name = self.name.text().strip() or None
            try:
                network, made = add_process(board.network, _free_place(board.network), name)
            except LydianError as error:
                self._complain(str(error))
                return
            board.do(
                tr("Add process {process}", process=made), lambda _network: network, choose=Chosen(frozenset({made}))
            )
            self.name.clear()
            self._complain("")
            return
        a, b = self.a.text().strip(), self.b.text().strip()
        if not a or not b:
            self._complain(tr("a link must have two processes: fill in From and To"))
            (self.b if a else self.a).setFocus(Qt.FocusReason.OtherFocusReason)
            return
        try:
            network = add_link(board.network, a, b)
        except LydianError as error:
            self._complain(str(error))
            return
        if network is board.network:
            self._complain(tr("link {process}-{neighbour} already exists", process=a, neighbour=b))
        else:
            self._complain("")
            link = network.links[-1]
            board.do(
                tr("Add link {link}", link=f"{a}-{b}"),
                lambda _network: network,
                choose=Chosen(links=frozenset({(link.a, link.b)})),
            )
            self.a.clear()
            self.b.clear()
        self.a.setFocus(Qt.FocusReason.OtherFocusReason)

    def copy(self) -> None:
        """Copy the selected rows, or all rows that are listed, to the clipboard."""
        rows = self.table.rows
        marked = rows.chosen_rows() or list(range(rows.rowCount()))
        if marked:
            text = copied(self.board.network, self.kind, rows.order[marked].tolist())
            QGuiApplication.clipboard().setText(text)
            said = (
                trn("Copied {count:,} process.", "Copied {count:,} processes.", len(marked))
                if self.kind == "processes"
                else trn("Copied {count:,} link.", "Copied {count:,} links.", len(marked))
            )
            self.board.said.emit(said, False)

    def paste(self) -> None:
        """Paste rows from a spreadsheet; if there are bad cells, report them and ask first."""
        self._paste(QGuiApplication.clipboard().text(), anyway=False)

    def _paste(self, text: str, *, anyway: bool) -> None:
        try:
            pasted = paste_rows(self.board.network, self.kind, text)
        except LydianError as error:
            self._complain(str(error))
            return
        if pasted.bad and not anyway:
            more = len(pasted.bad) - MOST_BAD
            lines = [str(bad) for bad in pasted.bad[:MOST_BAD]] + (
                [tr("And {count:,} more.", count=more)] if more > 0 else []
            )
            self._complain("\n".join([tr("Nothing was pasted yet."), *lines]))
            self._waiting = text
            for button in (self.anyway, self.dismiss):
                button.show()
            return
        self._complain("")
        if self.kind == "processes":
            words = trn("Paste {count:,} process", "Paste {count:,} processes", len(pasted.processes))
            chosen = Chosen(frozenset(pasted.processes))
        else:
            words = trn("Paste {count:,} link", "Paste {count:,} links", len(pasted.links))
            chosen = Chosen(links=frozenset(pasted.links))
        if not self.board.do(words, lambda _network: pasted.network, choose=chosen):
            self.board.said.emit(tr("The pasted rows are the same as the current ones."), False)

    # ------------------------------------------------------------------ in words

    def _complain(self, sentence: str) -> None:
        self._waiting = ""
        for button in (self.anyway, self.dismiss):
            button.hide()
        text = sentence[:1].upper() + sentence[1:]
        self.problem.setText(text if text.endswith(".") or not text else f"{text}.")
        self.problem.setVisible(bool(text))

    def _fill(self) -> None:
        network, rows = self.board.network, self.table.rows
        for kind, title, total in (("processes", tr("Processes"), network.n), ("links", tr("Links"), network.m)):
            self.which.word(kind, tr("{title} {count:,}", title=title, count=total))
        processes = self.kind == "processes"
        self.name.setVisible(processes)
        self.a.setVisible(not processes)
        self.b.setVisible(not processes)
        self.add.setAccessibleName(tr("Add process") if processes else tr("Add link"))
        chosen = self.board.chosen
        self.delete.setEnabled(bool(chosen.processes if processes else chosen.links))
        self.copy_button.setEnabled(rows.rowCount() > 0)


def _free_place(network: Network) -> tuple[float, float]:
    """Return a place for a typed process: below the drawing, to the right of those added before."""
    if not network.n:
        return 500.0, 300.0
    points = network.coordinates
    low, high = points.min(axis=0), points.max(axis=0)
    last = points[-1]
    row = last[1] >= high[1] - 1e-6 and network.n > 1 and last[0] + 72.0 <= max(high[0], low[0] + 600.0)
    return (float(last[0]) + 72.0, float(last[1])) if row else (float(low[0]), float(high[1]) + 72.0)
