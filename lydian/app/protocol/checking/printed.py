"""The console with the output of the protocol's latest run, each line with its time and process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableView, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import grown, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.language import tr, trn
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline

__all__ = ["NOTHING", "Line", "PrintedPane", "line_of", "printed_lines"]

#: The text of the empty console.
NOTHING = tr(
    "Nothing was printed in the latest run.\n\nprint(self.me, self.state) in an action writes a line here, to the "
    "text of the trace and to the output of lydian run."
)
_HEADS = (tr("Time"), tr("Process"), tr("Text"))
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Line:
    """A printed line: its text, its time, its process ("" for a property), and the event in which it was printed."""

    seq: int
    time: float
    process: str
    text: str


def printed_lines(timeline: Timeline) -> tuple[Line, ...]:
    """Return the lines that a run has printed, in order."""
    return tuple(line_of(timeline, row) for row in np.flatnonzero(timeline.kind == Kind.PRINT).tolist())


def line_of(timeline: Timeline, row: int) -> Line:
    """Return the printed line of a row."""
    process, cause = int(timeline.process[row]), int(timeline.cause[row])
    name = timeline.processes[process] if process >= 0 else ""
    text = str((timeline.trace.detail(row) or {}).get("text", ""))
    return Line(cause if cause >= 0 else row, float(timeline.time[row]), name, text)


class _Model(QAbstractTableModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: tuple[Line, ...] = ()

    def show(self, lines: tuple[Line, ...]) -> None:
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        return 0 if parent.isValid() else len(_HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return _HEADS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.lines[index.row()]
        shown = _shown(line)
        if role == Qt.ItemDataRole.DisplayRole:
            return (f"{line.time:.2f}", line.process, shown)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{shown}\n{tr('Click to show the event of this line.')}"
        return None


def _shown(line: Line) -> str:
    """Replace every character of a text that cannot be shown in one line."""
    return "".join(c if c.isprintable() else "    " if c == "\t" else "\ufffd" for c in line.text)


class _Table(QTableView):
    """The table of the lines; Enter shows an event, and Ctrl+C copies the selection."""

    taken = Signal(int)
    copied = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.taken.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)


class PrintedPane(QWidget):
    """The console.

    Args:
        nothing: the text of the empty console.

    Attributes:
        lines: the lines that are shown.
    """

    #: Emitted with an event to show.
    event_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None, nothing: str = NOTHING) -> None:
        super().__init__(parent)
        self._nothing = nothing
        self.setObjectName("printedPane")
        self.setAccessibleName(tr("Output of the protocol"))
        self.words = set_up(QLabel(nothing), look="hint", wraps=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words.setMargin(12)
        self.table = _Table()
        self.table.setAccessibleName(tr("Printed lines"))
        self.model = _Model(self)
        self.table.setModel(self.model)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setResizeContentsPrecision(200)
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        self.table.clicked.connect(lambda index: self._take(index.row()))
        self.table.taken.connect(self._take)
        self.table.copied.connect(self.copy)
        down(self.words, (self.table, 1), on=self, spacing=0)
        self.table.hide()
        set_look(self.table, theme, font="small mono", rows=grown(24))
        set_look(self.table.horizontalHeader(), theme, font="small")

    @property
    def lines(self) -> Sequence[Line]:
        return self.model.lines

    def show_run(self, timeline: Timeline | None) -> None:
        """Show the output of a run, or none for ``None``."""
        self.show_lines(() if timeline is None else printed_lines(timeline))

    def show_lines(self, lines: tuple[Line, ...], title: str = "") -> None:
        """Show some lines under a title, by default their number."""
        self.model.show(lines)
        self.table.setVisible(bool(lines))
        counted = trn("{count:,} line in the latest run", "{count:,} lines in the latest run", len(lines))
        self.words.setText(title or (counted if lines else self._nothing))

    def copy(self) -> None:
        """Copy the selected lines: time, process and text, with tabs between them."""
        rows = sorted({index.row() for index in self.table.selectionModel().selectedRows()})
        some = [self.lines[row] for row in rows]
        QGuiApplication.clipboard().setText(
            "\n".join(f"{line.time:.4f}\t{line.process}\t{_shown(line)}" for line in some)
        )

    def _take(self, row: int) -> None:
        if 0 <= row < len(self.lines):
            self.event_wanted.emit(self.lines[row].seq)
