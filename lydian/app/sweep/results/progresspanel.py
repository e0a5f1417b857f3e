"""The progress of a sweep: number of runs, bar, speed, remaining time, a cell for each combination, failures."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import grown, mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.sweep.form.check import Checked
from lydian.app.sweep.form.estimating import roughly
from lydian.app.sweep.results.cellgrid import CellGrid
from lydian.app.sweep.running import Failed, SweepRun
from lydian.language import tr, trn
from lydian.views.words.words import plural

__all__ = ["ProgressPanel"]

#: The names of the kinds of failure.
KINDS = {
    "input": tr("invalid input"),
    "time": tr("took too long"),
    "memory": tr("took too much memory"),
    "crash": tr("ended by the system"),
    "protocol": tr("error in the protocol"),
    "lydian": tr("error inside LYDIAN"),
}


class ProgressPanel(QFrame):
    """The figures and buttons on the left, and the cells on the right."""

    #: Emitted with the number of a failed run to show.
    run_wanted = Signal(int)
    #: Emitted with the height in pixels that is needed beyond the default.
    wants_room = Signal(int)
    #: Emitted when the panel is folded or unfolded.
    folded = Signal(int)
    #: Emitted when the remaining runs are to be executed.
    resume_wanted = Signal()

    def __init__(self, run: SweepRun, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweepPage")
        self.setAccessibleName(tr("Progress of the sweep"))
        self.run, self.theme = run, theme
        self._preview = Checked()
        self._low = self.compact = False
        self.count, self.of, self.rate = QLabel(), Elided(), Elided()
        self.count.setObjectName("runCount")
        self.count.setAccessibleName(tr("Finished runs"))
        self.of.setObjectName("runState")
        self.rate.setObjectName("runRate")
        self.rate.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.bar = set_up(QProgressBar(), look="sweepBar", name=tr("Progress of the sweep"))
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(12)
        self.stop = QPushButton(tr("Stop and keep results"))
        self.stop.clicked.connect(run.stop)
        self.resume = QPushButton(tr("Resume"))
        self.resume.setToolTip(tr("Execute the remaining runs; finished runs are not repeated"))
        self.resume.clicked.connect(self.resume_wanted)
        self.chip = set_up(QPushButton(), look="failedChip", checkable=True)
        self.chip.toggled.connect(self._show_failures)
        self.note = set_up(QLabel(), look="runNote", wraps=True)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.cells = QPushButton(tr("Cells"))
        self.cells.setObjectName("small")
        self.cells.setCheckable(True)
        self.cells.setToolTip(tr("Show the bar and the cells of the finished sweep"))
        self.cells.toggled.connect(lambda _on: self._fold())
        self.grid = CellGrid(theme)
        self.failures = set_up(
            QListWidget(), name=tr("Failed runs"), tip=tr("Double-click a run to open it"), wraps=True
        )
        self.failures.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.failures.itemActivated.connect(self._picked)
        self.failures.hide()
        self._place()
        run.changed.connect(self.refresh)
        run.filled.connect(lambda: self.grid.show_shape(run.shape, run.groups))
        run.failing.connect(self._failing)
        set_look(self.stop, theme, icon="stop")
        set_look(self.resume, theme, icon="play")
        set_look(self.failures, theme, max_height=grown(150))
        self.refresh()

    def _place(self) -> None:
        head, deeds = self._head, self._deeds = QHBoxLayout(), QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.count)
        head.addWidget(self.of, 2)
        head.addWidget(self.rate, 5)
        deeds.addWidget(self.stop)
        deeds.addWidget(self.resume)
        deeds.addStretch(1)
        deeds.addWidget(self.chip)
        head.addWidget(self.cells)
        left = QWidget()
        self._left = down(head, self.bar, deeds, self.note, ..., on=left, spacing=6)
        self._whole = down(
            across((left, 3), (self.grid, 2), spacing=18),
            (self.failures, 1), on=self, margins=(14, 10, 14, 10), spacing=8,
        )  # fmt: skip

    # ------------------------------------------------------------------ showing

    def preview(self, checked: Checked) -> None:
        """Show the cells of a sweep that has not run, as long as no other is shown."""
        self._preview = checked
        if not self.run.state:
            self.grid.show_shape(checked.shape, np.zeros(max(checked.groups, 1), np.int32))
            self.refresh()

    @property
    def _combinations(self) -> int:
        """How many combinations of values there are; with one, its cell would repeat the number of runs."""
        return len(self.run.groups) if self.run.state else self._preview.groups

    def refresh(self) -> None:
        """Show the current progress."""
        run = self.run
        shown = run.done + run.under_way
        self.count.setText(f"{shown:,}")
        total = run.total or self._preview.runs
        self.of.say(trn("of {count:,} run", "of {count:,} runs", total) if total else tr("runs"))
        self.grid.setVisible(total > 0 and self._combinations > 1)
        self.bar.setRange(0, max(run.total, 1) if run.state not in ("beginning", "trying", "starting") else 0)
        self.bar.setValue(shown)
        mark(self.bar, over=run.state == "done")
        self.stop.setVisible(run.busy)
        self.stop.setEnabled(run.state != "stopping")
        self.resume.setVisible(run.unfinished and run.state != "")
        over = bool(run.total)
        self.chip.setVisible(over and (run.done > 0 or run.bad > 0))
        self.chip.setText(
            trn("{count:,} run failed", "{count:,} runs failed", run.bad) if run.bad else tr("No run failed")
        )
        self.chip.setAccessibleName(self.chip.text())
        self.chip.setEnabled(run.bad > 0)
        if not run.bad:
            self.chip.setChecked(False)
        mark(self.chip, bad=run.bad > 0)
        self.note.setText(self._note())
        self._fold()

    def set_low(self, low: bool) -> None:
        """Set whether the window is so low that plots need the room of a finished sweep."""
        self._low = low
        self._fold()

    def _fold(self) -> None:
        """Fold the panel of a finished sweep into one line where room is short."""
        run = self.run
        over = self._low and not run.busy and run.state in ("done", "cancelled") and not self.chip.isChecked()
        compact = over and not self.cells.isChecked()
        self.cells.setVisible(over)
        self.grid.setVisible(not compact and bool(run.total or self._preview.runs) and self._combinations > 1)
        self.bar.setVisible(not compact)
        self.note.setVisible(not compact)
        words = self._note() if compact else self._rate_words()
        self.rate.say(words)
        self.rate.setVisible(bool(words))
        if compact == self.compact:
            return
        self.compact = compact
        row = self._head if compact else self._deeds
        for widget in (self.resume, self.chip):
            self._head.removeWidget(widget)
            self._deeds.removeWidget(widget)
        row.insertWidget(row.indexOf(self.cells) if compact else 1, self.resume)
        row.insertWidget(row.indexOf(self.cells) if compact else row.count(), self.chip)
        self._whole.setContentsMargins(14, *((4, 14, 4) if compact else (10, 14, 10)))
        self._left.setSpacing(0 if compact else 6)
        # Apply this at once, since the layout outside asks for the new minimum height.
        for each in (self._left, self._whole):
            each.invalidate()
            each.activate()
        self.updateGeometry()
        self.folded.emit(0)

    def _rate_words(self) -> str:
        run = self.run
        if run.state != "running":
            return ""
        parts = (
            [
                tr("{rate:,.0f} runs a second", rate=run.rate)
                if run.rate >= 10
                else tr("{rate:.2g} runs a second", rate=run.rate)
            ]
            if run.rate
            else []
        )
        parts += [tr("about {time} left", time=roughly(run.left))] if run.left is not None else []
        return ", ".join(parts)

    def _note(self) -> str:
        run = self.run
        if not run.total:
            return tr(
                "Choose the values to vary on the left and press Start. Each run has a seed, so you can watch it later."
            )
        if run.state == "failed":
            return run.problem
        if run.busy:
            words = f"{run.words} " if run.state != "running" else ""
            words = words or (
                tr("The first runs take longest, because each core starts its own Python. ") if not run.done else ""
            )
            return tr(
                "{note}You can continue to work in the other workspaces. Closing the window stops the sweep.",
                note=words,
            )
        told = [f"{run.words}."] + (
            [trn("{count:,} run violated a property.", "{count:,} runs violated a property.", run.violated)]
            if run.violated
            else []
        )
        return " ".join([*told, tr("Results in {folder}.", folder=run.folder)])

    def _failing(self) -> None:
        run = self.run
        self.grid.show_failed(Counter(each.group for each in run.failures))
        self.failures.clear()
        kinds = Counter(each.failure for each in run.failures)
        for kind, number in kinds.most_common():
            title = QListWidgetItem(f"{plural(number, 'run')}: {KINDS.get(kind, kind.replace('_', ' '))}")
            title.setFlags(Qt.ItemFlag.NoItemFlags)
            title.setFont(self.theme.font("body", semibold=True))
            title.setForeground(self.theme.color("text.primary"))
            self.failures.addItem(title)
            for each in (each for each in run.failures if each.failure == kind):
                self.failures.addItem(self._failed(each))
        if run.more:
            rest = QListWidgetItem(tr("and {count:,} more, listed in the results", count=run.more))
            rest.setFlags(Qt.ItemFlag.NoItemFlags)
            self.failures.addItem(rest)

    def _failed(self, each: Failed) -> QListWidgetItem:
        row, column = divmod(each.group, max(len(self.run.shape.columns), 1))
        rows, columns = self.run.shape.rows, self.run.shape.columns
        where = ", ".join(part for part in (rows[row] if row < len(rows) else "", columns[column]) if part)
        item = QListWidgetItem(
            tr(
                "Run {run}{where}: {error}",
                run=each.run,
                where=tr(" ({values}, seed {seed})", values=where, seed=each.seed) if where else "",
                error=each.error,
            )
        )
        item.setData(Qt.ItemDataRole.UserRole, each.run)
        return item

    def _show_failures(self, on: bool) -> None:
        self.failures.setVisible(on)
        self.wants_room.emit(self.failures.maximumHeight() + 8 if on else 0)

    def _picked(self, item: QListWidgetItem) -> None:
        number = item.data(Qt.ItemDataRole.UserRole)
        if number is not None:
            self.run_wanted.emit(int(number))

    def sizeHint(self) -> QSize:
        return QSize(700, 170)

    def set_theme(self, theme: Theme) -> None:
        if self.failures.count():
            self._failing()
