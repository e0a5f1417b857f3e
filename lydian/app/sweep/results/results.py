"""The results of a sweep: plots, the strangest runs, tables of groups and failures; they fill while the sweep runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.sweep.results.plotcard import PlotCard
from lydian.app.sweep.results.resulttables import FailedTable, GroupsTable, PublishedTable, StrangeTable
from lydian.app.sweep.slices import Slices
from lydian.app.work.background import Background, Report
from lydian.batch.oddest import oddest
from lydian.batch.spark.surprise import Strange, remember
from lydian.batch.stats import summary
from lydian.language import tr, trn
from lydian.model.errors import LydianError
from lydian.views.plots.batchreport import verdict
from lydian.views.plots.data import Results
from lydian.views.plots.read import Reader
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.batch.folder import Folder
    from lydian.batch.spark.surprise import Strange
    from lydian.views.plots.data import Results
    from lydian.views.plots.plots import Plot

__all__ = ["ResultsPanel"]


class Reporting(QObject):
    """A writer of one report at a time, in the background."""

    #: Emitted with a sentence and whether it is a problem.
    said = Signal(str, bool)
    #: Emitted with the file of a finished report.
    written = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.window = window
        self.turns = Slices(self)

    def ask(self, folder: Folder, results: Results, strange: tuple[Strange, ...]) -> None:
        """Ask for a file, and write the report there."""
        offered = str(folder.path.parent / f"{results.name}.html")
        name, _kind = QFileDialog.getSaveFileName(self.window, tr("Save a report"), offered, tr("Pages (*.html)"))
        if name:
            path = Path(name) if name.lower().endswith((".html", ".htm")) else Path(f"{name}.html")
            self.begin(path, folder, results, strange)

    def begin(self, path: Path, folder: Folder, results: Results, strange: tuple[Strange, ...]) -> None:
        """Write the report; :attr:`written` follows, or a sentence on the problem."""
        pictures: list[tuple[str, str, bytes]] = []
        self.said.emit(tr("Writing the report…"), False)

        def draw(plot: Plot) -> None:
            from lydian.app.pictures.batchreport import picture_of

            pictures.append(picture_of(plot, strange))

        def plan() -> None:
            from lydian.views.plots.batchreport import report_plots

            self.turns.start([*(partial(draw, plot) for plot in report_plots(results)), write])

        def write() -> None:
            from lydian.app.pictures.batchreport import save_report

            try:
                save_report(path, folder, results, strange, pictures)
            except LydianError as error:
                self.said.emit(str(error), True)
                return
            self.said.emit(tr("Saved as {file}; any browser shows and prints it.", file=path), False)
            self.written.emit(path)

        self.turns.start([plan])


#: The number of the strangest runs that are found.
MOST = 20


@dataclass(frozen=True, eq=False)
class Answers:
    """The result of reading a folder."""

    reader: Reader
    results: Results
    strange: tuple[Strange, ...]


def look(folder: Path, reader: Reader | None) -> Callable[[Report], Any]:
    """Return a function that reads a folder and ranks its runs, for a thread."""

    def work(report: Report) -> Answers:
        mine = Reader(folder) if reader is None else reader
        report(0.1)
        read = mine.read()
        report(0.6)
        # The first ranking imports SciPy, which is slow and must not happen in the window's thread.
        summary(np.zeros(2))
        report(0.7)
        strange = tuple(oddest(mine.folder, read.table, MOST))
        try:
            if strange:
                remember(mine.folder, strange)  # so that DIR#3 is number 3 here
        except LydianError:
            pass  # a folder can be read even if it is read-only
        return Answers(mine, read.results, strange)

    return work


#: The number of the strangest runs that are numbered in the plots.
NUMBERED = 8
#: The minimum width at which two plots are shown at first.
WIDE = 1150
#: Below this height, plots and tables are not stacked.
LOW = 560
_NOTHING = tr("Run a sweep, or open the folder of an earlier one, to see its results here.")


class ResultsPanel(QWidget):
    """The panel of the results in the folder of a batch; it does not need Spark.

    Attributes:
        folder: the folder; ``None`` if none is open.
        results: the results read from it.
        strange: the strangest runs, the strangest first.
    """

    #: Emitted to open run ``number`` of the batch in ``folder`` (a :class:`~pathlib.Path`) in the workspace Run.
    run_wanted = Signal(object, int)
    #: Emitted with a sentence and whether it is a problem.
    said = Signal(str, bool)
    #: Emitted when the results have been read and are on the screen.
    filled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("results")
        self.setAccessibleName(tr("Results of the sweep"))
        self.theme = theme
        self.folder: Path | None = None
        self.results: Results | None = None
        self.strange: tuple[Strange, ...] = ()
        self._reader: Reader | None = None
        self._again = False
        self._sized = False
        self.background = Background(self)
        self.turns = Slices(self)
        self.reporting = Reporting(self)
        self.reporting.said.connect(self.said)
        self.background.done.connect(self._read)
        self.background.failed.connect(self._failed)
        self._build()
        for button, name in ((self.csv, "save"), (self.report, "book"), (self.two, "layout")):
            set_look(button, theme, icon=name)
        self.set_theme(theme)
        self._blank(_NOTHING)

    # ------------------------------------------------------------------ building

    def _build(self) -> None:
        self.numbers = Elided()
        self.chip = set_up(QLabel(), look="verdict", plain=True)
        self.numbers.setObjectName("dockNote")
        self.two = set_up(QPushButton(tr("Two plots")), tip=tr("Show a second plot beside the first"), checkable=True)
        self.two.toggled.connect(lambda on: self.cards[1].setVisible(on))
        self.report = QPushButton(tr("Report…"))
        self.report.setToolTip(tr("Write figures, plots, the strangest runs and the settings as one page"))
        self.report.clicked.connect(self.save_report)
        self.csv = QPushButton(tr("All runs as CSV…"))
        self.csv.setToolTip(tr("Write one line for each run, with all columns"))
        self.csv.clicked.connect(self._save_csv)
        for button in (self.two, self.report, self.csv):
            button.setObjectName("small")
            button.setAccessibleName(button.text().rstrip(". "))
        self.top = QFrame()
        self.top.setObjectName("resultsTop")
        across(
            (self.numbers, 1), self.chip, self.two, self.report, self.csv, on=self.top, margins=(12, 4, 6, 4), spacing=8
        )
        self.cards: tuple[PlotCard, PlotCard] = (PlotCard(self.theme, 0), PlotCard(self.theme, 1))
        self.plots = QSplitter(Qt.Orientation.Horizontal)
        self.plots.setChildrenCollapsible(False)
        for card in self.cards:
            self.plots.addWidget(card)
            card.said.connect(self.said)
            card.canvas.run_hovered.connect(self._hovered)
            card.canvas.run_picked.connect(self._picked)
            card.canvas.run_opened.connect(self.open_run)
            card.changed.connect(self._plot_changed)
        self.cards[1].hide()
        self.runs = StrangeTable(self.theme)
        self.groups = GroupsTable(self.theme)
        self.published = PublishedTable(self.theme)
        self.failed = FailedTable(self.theme)
        self.runs.run_hovered.connect(self._hovered)
        self.runs.run_opened.connect(self.open_run)
        self.failed.run_opened.connect(self.open_run)
        self.nobody = QLabel(tr("No run stands out from its group."))
        self.nobody.setObjectName("explained")
        self.nobody.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.first = QStackedWidget()
        self.first.addWidget(self.runs)
        self.first.addWidget(self.nobody)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("sweepTabs")
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.first, tr("Strangest runs"))
        self.tabs.addTab(self.groups, tr("Groups"))
        self.tabs.addTab(self.published, tr("Published"))
        self.tabs.addTab(self.failed, tr("Failed runs"))
        below = QFrame()
        below.setObjectName("plotCard")
        down(self.tabs, on=below, margins=1)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.plots)
        self.split.addWidget(below)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)
        filled = QWidget()
        down(self.top, (self.split, 1), on=filled, spacing=5)
        self.stack = QStackedWidget()
        self.stack.addWidget(self._empty_page())
        self.stack.addWidget(filled)
        down(self.stack, on=self)

    def _empty_page(self) -> QWidget:
        page = QFrame()
        page.setObjectName("plotCard")
        self.sentence = set_up(QLabel(), look="explained", wraps=True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.open_button = set_up(QPushButton(tr("Open results…")), name=tr("Open results"), clicked=self.choose)
        down(..., self.sentence, (self.open_button, Qt.AlignmentFlag.AlignHCenter), ..., on=page, margins=None)
        return page

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(event.size().height() < LOW)

    def _arrange(self, low: bool) -> None:
        """Put the plots above the tables; where there is no room for that, on a tab of their own."""
        if low == (self.tabs.indexOf(self.plots) >= 0):
            return
        if low:
            self.tabs.insertTab(0, self.plots, tr("Plots"))
            self.tabs.setCurrentIndex(0)
        else:
            self.tabs.removeTab(0)
            self.split.insertWidget(0, self.plots)
            self.split.setSizes([round(self.height() * 0.64), round(self.height() * 0.36)])
        self.plots.show()

    def set_theme(self, theme: Theme) -> None:
        if self.results is not None:
            self._show_tables()

    # ------------------------------------------------------------------ reading

    def choose(self) -> None:
        """Ask for a folder and open it."""
        name = QFileDialog.getExistingDirectory(self, tr("Open the results of a sweep"))
        if name:
            self.open_folder(Path(name))

    def open_folder(self, path: Path | str) -> None:
        """Show the results in the folder of a batch; they are read in the background."""
        self.folder, self.results, self.strange, self._reader = Path(path), None, (), None
        self._again = False
        self.turns.cancel()
        self._blank(tr("Reading the results…"), button=False)
        self.background.start(look(self.folder, None))

    def refresh(self) -> None:
        """Read the folder again, as there may be more results."""
        if self.folder is None:
            return
        if self.background.busy:
            self._again = True
        else:
            self.background.start(look(self.folder, self._reader))

    def close_folder(self) -> None:
        """Show no results."""
        self.background.cancel()
        self.turns.cancel()
        self.folder, self.results, self.strange, self._reader = None, None, (), None
        self._blank(_NOTHING)

    def close_all(self) -> None:
        """Stop all threads and timers."""
        self.turns.cancel()
        self.reporting.turns.cancel()
        self.background.close()

    def strange_of(self, run: int) -> Strange | None:
        """Return the entry of a run among the strangest ones shown, if it is there."""
        return next((each for each in self.strange if each.run == run), None)

    def _read(self, found: Answers) -> None:
        same = self.results is not None and len(self.results) == len(found.results)
        self._reader, self.results, self.strange = found.reader, found.results, found.strange
        if same and not self.turns.busy:
            self._shown()
        else:
            self.turns.start([self._show, *self._pieces(), self._show_tables, self._shown])

    def _shown(self) -> None:
        """Finish the display of the results read."""
        self.filled.emit()
        if self._again:
            self._again = False
            self.refresh()

    def _failed(self, sentence: str) -> None:
        if self.results is None:
            self._blank(sentence)
        self.said.emit(sentence, True)

    def _blank(self, sentence: str, *, button: bool = True) -> None:
        self.sentence.setText(sentence)
        self.open_button.setVisible(button)
        self.stack.setCurrentIndex(0)

    # ------------------------------------------------------------------ showing

    def _show(self) -> None:
        results = self.results
        assert results is not None
        if not self._sized:
            self._sized = True
            self.two.setChecked(self.width() >= WIDE)
            self.split.setSizes([round(self.height() * 0.64), round(self.height() * 0.36)])
        self.stack.setCurrentIndex(1)
        self._say_numbers(results)

    def _pieces(self) -> list[Callable[[], object]]:
        """Return the pieces of work, one for each plot."""
        assert self.results is not None
        numbered = {each.run: each.rank for each in self.strange[:NUMBERED]}
        return [partial(card.show_results, self.results, numbered) for card in self.cards]

    def _show_tables(self) -> None:
        results = self.results
        assert results is not None
        self.first.setCurrentIndex(0 if self.strange else 1)
        self.nobody.setText(tr("No run stands out from its group.") if len(results) else tr("No run has finished yet."))
        self.runs.show_runs(self.strange, results, self._looks())
        self.published.show_results(results)
        self.tabs.setTabVisible(self.tabs.indexOf(self.published), bool(results.published))
        self.failed.show_failures(results)
        count = int(results.failed.sum())
        at = self.tabs.indexOf(self.failed)
        self.tabs.setTabText(at, tr("Failed runs ({count:,})", count=count) if count else tr("Failed runs"))
        self.tabs.setTabEnabled(at, bool(count))
        self._plot_changed()

    def _looks(self) -> tuple[str, dict[str, int]]:
        """Return the column that forms the series of the first plot, and the look of each value."""
        plot = self.cards[0].plot
        return ("", {}) if plot is None else (plot.wish.by, dict(plot.series))

    def _say_numbers(self, results: Results) -> None:
        done, failed = len(results), int(results.failed.sum())
        runs = (
            plural(done, "run")
            if done == results.total
            else trn("{done:,} of {count:,} run", "{done:,} of {count:,} runs", results.total, done=done)
        )
        parts = [results.name, runs]
        parts += [tr("{count:,} failed", count=failed)] if failed else []
        self.numbers.say("  ·  ".join(parts))
        self.numbers.setToolTip("\n".join(part for part in ("  ·  ".join(parts), results.about) if part))
        words, good = verdict(results)
        self.chip.setText(words)
        self.chip.setVisible(bool(words))
        mark(self.chip, bad=not good)

    def _plot_changed(self) -> None:
        plot = self.cards[0].plot
        if plot is not None:
            self.groups.show_plot(plot)
            if self.results is not None and self.sender() is self.cards[0]:
                self.runs.show_runs(self.strange, self.results, self._looks())

    # ------------------------------------------------------------------ runs

    def _hovered(self, run: int) -> None:
        for card in self.cards:
            card.canvas.mark(run)

    def _picked(self, run: int) -> None:
        if self.strange_of(run) is not None:
            self.tabs.setCurrentWidget(self.first)
            self.runs.pick(run)
        else:
            self._hovered(run)
            self.said.emit(tr("Run {run:,}: double-click its dot to open it.", run=run), False)

    def open_run(self, run: int) -> None:
        """Ask for a run to be opened in the workspace Run."""
        if self.folder is not None:
            self.run_wanted.emit(self.folder, run)

    def save_report(self) -> None:
        """Ask for a file, and write a report of the results shown there."""
        if self._reader is not None and self.results is not None and len(self.results):
            self.reporting.ask(self._reader.folder, self.results, self.strange)
        else:
            self.said.emit(tr("There are no results to report yet."), True)

    def _save_csv(self) -> None:
        """Ask for a file, and write all runs there."""
        if self._reader is None or self.results is None or self.folder is None:
            return
        from lydian.batch.spark.summary import export_csv

        offered = str(self.folder.parent / f"{self.results.name}.csv")
        name, _kind = QFileDialog.getSaveFileName(self, tr("Save all runs"), offered, tr("Tables (*.csv)"))
        if not name:
            return
        path = Path(name) if name.lower().endswith(".csv") else Path(f"{name}.csv")
        try:
            rows = export_csv(self._reader.folder, path)
        except LydianError as error:
            self.said.emit(str(error), True)
            return
        self.said.emit(trn("{count:,} run saved as {file}.", "{count:,} runs saved as {file}.", rows, file=path), False)
