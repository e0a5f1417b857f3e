"""The tables below the plots: the strangest runs, the groups in figures, the failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from lydian.app.kit.layout import across
from lydian.app.look.icons import icon
from lydian.app.look.shapes import head_icon
from lydian.app.look.theme import MESSAGE_KINDS, Theme
from lydian.batch.spark.surprise import Strange
from lydian.batch.stats import Summary, summary
from lydian.language import tr
from lydian.views.plots.data import Results
from lydian.views.plots.plots import Plot
from lydian.views.plots.published import HEAD, NUMERIC, table_of_published
from lydian.views.plots.scale import number_text

__all__ = ["FailedTable", "GroupsTable", "PublishedTable", "StrangeTable"]

#: The number of measures beside the reason in the table of the strangest runs.
_BESIDE = ("time", "messages", "chain")
_ROW = int(Qt.ItemDataRole.UserRole)


class _Table(QTableWidget):
    """A read-only table."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._wide = -1
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setIconSize(QSize(14, 14))

    def fill(self, head: Sequence[str], rows: Sequence[Sequence[Any]], numeric: Sequence[bool]) -> None:
        """Show rows of texts, with numbers right-aligned in their columns."""
        self.clear()
        self.setColumnCount(len(head))
        self.setRowCount(len(rows))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column, words in enumerate(head):
            item = QTableWidgetItem(words)
            if numeric[column]:
                item.setTextAlignment(right)
            self.setHorizontalHeaderItem(column, item)
        mono = self.theme.font("body", mono=True)
        for at, row in enumerate(rows):
            for column, value in enumerate(row):
                text = _text(value)
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if numeric[column]:
                    item.setTextAlignment(right)
                    item.setFont(mono)
                self.setItem(at, column, item)
        self.verticalHeader().setDefaultSectionSize(int(self.theme.size("space.rowHeight")) + 8)
        self.resizeColumnsToContents()
        for column in range(len(head)):
            self.setColumnWidth(column, min(self.columnWidth(column) + 16, 420))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentRow() >= 0:
            self.itemActivated.emit(self.item(self.currentRow(), 0))
        else:
            super().keyPressEvent(event)

    def cell(self, row: int, column: int) -> QTableWidgetItem:
        """Return the text of a cell."""
        found = self.item(row, column)
        assert found is not None
        return found

    def stretch(self, column: int) -> None:
        """Let a column take the remaining width, but never less than a sentence needs."""
        self._wide = column
        others = sum(self.columnWidth(i) for i in range(self.columnCount()) if i != column)
        least = self.fontMetrics().averageCharWidth() * 34
        self.setColumnWidth(column, max(self.viewport().width() - others, least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if 0 <= self._wide < self.columnCount():
            self.stretch(self._wide)


class StrangeTable(_Table):
    """The strangest runs: reason, varied values, figures, and a button that opens the run.

    Attributes:
        shown: the runs in their rows.
    """

    #: Emitted with the run under the pointer or selected by keys; -1 if there is none.
    run_hovered = Signal(int)
    #: Emitted with the run to open.
    run_opened = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Strangest runs"), theme, parent)
        self.shown: list[Strange] = []
        self.cellEntered.connect(lambda row, _column: self._told(row))
        self.currentCellChanged.connect(lambda row, *_: self._told(row))
        self.cellDoubleClicked.connect(lambda row, _column: self._open(row))
        self.itemActivated.connect(lambda item: self._open(item.row()))

    def show_runs(self, found: Sequence[Strange], results: Results, looks: tuple[str, Mapping[str, int]]) -> None:
        """Show the runs; ``looks`` has the column that forms the series in the plot, and the look of each value."""
        current = self.run_at(self.currentRow())
        self.shown = list(found)
        varied = results.varied
        beside = [name for name in _BESIDE if name in results.measures]
        head = ["", tr("Reason"), *(each.head for each in varied), tr("Seed"),
                *(results.variables[name].head for name in beside), ""]  # fmt: skip
        numeric = [True, False, *(each.numeric for each in varied), True, *(True for _ in beside), False]
        rows = []
        for each in found:
            at = results.row(each.run)
            figures = [results.told(name, at) if at >= 0 else None for name in beside]
            rows.append([each.rank, each.why, *(each.values.get(v.name) for v in varied), each.seed, *figures, ""])
        self.blockSignals(True)
        self.fill(head, rows, numeric)
        series, look = looks
        for row, each in enumerate(found):
            self.cell(row, 0).setFont(self.theme.font("body", semibold=True))
            self._button(row, each, len(head) - 1)
            for column, variable in enumerate(varied, 2):
                if variable.name == series and (number := look.get(str(each.values.get(variable.name)))) is not None:
                    self.cell(row, column).setIcon(head_icon(self.theme, number % MESSAGE_KINDS, 14))
        self.stretch(1)
        runs = [each.run for each in found]
        if current in runs:
            self.setCurrentCell(runs.index(current), 1)
        self.blockSignals(False)

    def _button(self, row: int, each: Strange, column: int) -> None:
        button = QPushButton(tr("Open run"))
        button.setObjectName("small")
        button.setIcon(icon("play", self.theme))
        button.setAccessibleName(tr("Open run {run}", run=each.run))
        button.setToolTip(tr("Repeat this run, and show it where it departs from its group"))
        button.clicked.connect(lambda _on=False, run=each.run: self.run_opened.emit(run))
        _place(self, row, column, button)

    def run_at(self, row: int) -> int:
        """Return the run in a row, -1 for none."""
        return self.shown[row].run if 0 <= row < len(self.shown) else -1

    def pick(self, run: int) -> None:
        """Select the row of a run."""
        for row, each in enumerate(self.shown):
            if each.run == run:
                self.setCurrentCell(row, 1)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._told(self.currentRow())

    def _told(self, row: int) -> None:
        self.run_hovered.emit(self.run_at(row))

    def _open(self, row: int) -> None:
        if self.run_at(row) >= 0:
            self.run_opened.emit(self.run_at(row))


class GroupsTable(_Table):
    """The contents of a plot in figures."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Groups of the first plot in figures"), theme, parent)

    def show_plot(self, plot: Plot) -> None:
        """Show the groups of a plot."""
        results, wish = plot.results, plot.wish
        lead = [name for name in (wish.over, wish.by) if name]
        points = bool(plot.wish.x) and any(s.points for panel in plot.panels for s in panel.series)
        head = [*(results.variables[name].head for name in lead)]
        head += [results.variables[wish.x].head] if points else []
        numeric = [*(False for _ in lead), *([not plot.x.names] if points else [])]
        head += [
            tr("Runs"),
            tr("Mean"),
            tr("95 % interval"),
            tr("Median"),
            tr("25 to 75 %"),
            tr("2.5 to 97.5 %"),
            tr("Minimum"),
            tr("Maximum"),
        ]
        numeric += [True] * 8
        rows: list[list[Any]] = []
        for panel in plot.panels:
            for series in panel.series:
                names = [text for name, text in ((wish.over, panel.name), (wish.by, series.name)) if name]
                if points:
                    rows += [[*names, point.name, *_figures(point.summary)] for point in series.points]
                elif (found := summary(series.y if wish.x else series.x)) is not None:
                    rows.append([*names, *_figures(found)])
        self.fill(head, rows, numeric)


class PublishedTable(_Table):
    """The published numbers of a source beside the results of the runs."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Published numbers beside those of the runs"), theme, parent)

    def show_results(self, results: Results) -> None:
        """Show all published numbers of a sweep."""
        self.fill(list(HEAD), table_of_published(results), list(NUMERIC))


class FailedTable(_Table):
    """Runs without a result, by kind of failure."""

    run_opened = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr("Failed runs"), theme, parent)
        self._first: list[int] = []
        self.cellDoubleClicked.connect(lambda row, _column: self._open(row))
        self.itemActivated.connect(lambda item: self._open(item.row()))

    def show_failures(self, results: Results) -> None:
        """Show the failures, the most frequent first."""
        self._first = [each.run for each in results.failures]
        rows = [[each.count, each.words, each.error, each.run, ""] for each in results.failures]
        self.fill(
            [tr("Runs"), tr("Failure"), tr("Reason"), tr("First run"), ""], rows, [True, False, False, True, False]
        )
        for row, each in enumerate(results.failures):
            button = QPushButton(tr("Open run"))
            button.setObjectName("small")
            button.setIcon(icon("play", self.theme))
            button.setAccessibleName(tr("Open run {run}", run=each.run))
            button.clicked.connect(lambda _on=False, run=each.run: self.run_opened.emit(run))
            _place(self, row, 4, button)
        self.stretch(2)

    def _open(self, row: int) -> None:
        if 0 <= row < len(self._first):
            self.run_opened.emit(self._first[row])


def _place(table: QTableWidget, row: int, column: int, button: QPushButton) -> None:
    """Put a button with a margin into a cell."""
    cell = QWidget()
    across(button, on=cell, margins=(4, 2, 8, 2))
    table.setCellWidget(row, column, cell)
    room = button.fontMetrics().horizontalAdvance(button.text()) + button.iconSize().width() + 56
    table.setColumnWidth(column, max(cell.sizeHint().width(), room))


def _figures(s: Summary) -> list[str]:
    of = number_text
    return [
        str(s.count),
        of(_short(s.mean)),
        tr("{low} to {high}", low=of(_short(s.low)), high=of(_short(s.high))),
        of(_short(s.median)),
        tr("{low} to {high}", low=of(_short(s.q25)), high=of(_short(s.q75))),
        tr("{low} to {high}", low=of(_short(s.q025)), high=of(_short(s.q975))),
        of(_short(s.least)),
        of(_short(s.most)),
    ]


def _short(value: float) -> float:
    """Return a number with at most two decimals from 10 on, for better legibility."""
    return round(value, 2) if abs(value) >= 10 else value


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return number_text(_short(value))
    return f"{value:,}" if isinstance(value, int) else str(value)
