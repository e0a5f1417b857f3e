"""The list of the kept runs of a protocol, which can all be run again, with their results."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.protocol.checking.severalruns import Attempt, Attempts, without_file
from lydian.language import tr
from lydian.model.archive.kepttests import KeptTest, Verdict, file_of_tests, judged, read_tests, write_tests
from lydian.model.errors import LydianError
from lydian.views.words.words import plural

__all__ = ["KeptPane"]


class KeptPane(QWidget):
    """The pane with the kept runs of the open protocol."""

    #: Emitted with a sentence for the user and whether it is a problem.
    said = Signal(str, bool)
    #: Emitted with an experiment to show in the Run workspace.
    wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("keptPane")
        self.setAccessibleName(tr("Kept runs"))
        self.theme = theme
        self.protocol: Path | None = None
        self.tests: tuple[KeptTest, ...] = ()
        self.verdicts: dict[int, Verdict] = {}
        self.runs = Attempts(self)
        self.runs.told.connect(self._told)
        self.runs.ended.connect(self._say)
        self.words = set_up(QLabel(), look="hint", wraps=True)
        self.list = set_up(QListWidget(), name=tr("Kept runs of this protocol"), wraps=True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(lambda item: self.wanted.emit(self.tests[self.list.row(item)].experiment))
        self.run_button = set_up(
            QPushButton(tr("Run all")), look="offer", name=tr("Run all kept runs"), clicked=self.run
        )
        self.drop = set_up(
            QPushButton(tr("Delete")), look="offer", name=tr("Delete the selected run"), clicked=self.forget
        )
        self.drop.setEnabled(False)
        self.list.currentRowChanged.connect(lambda row: self.drop.setEnabled(row >= 0))
        down(
            self.words, (self.list, 1), across(self.run_button, self.drop, ...),
            on=self, margins=(12, 8, 12, 8), spacing=6,
        )  # fmt: skip
        set_look(self.list, theme, font="small")
        set_look(self.run_button, theme, icon="play")

    def load(self, protocol: Path | None) -> None:
        """Show the kept runs of a protocol."""
        if protocol != self.protocol:
            self.runs.close()
            self.verdicts = {}
        self.protocol = protocol
        before = self.tests
        try:
            self.tests = () if protocol is None else read_tests(protocol)
        except LydianError as error:
            self.tests = ()
            self.said.emit(str(error), True)
        if [each.name for each in before] != [each.name for each in self.tests]:
            self.verdicts = {}
        self._fill()

    def run(self) -> None:
        """Run all kept runs."""
        if not self.tests:
            self.said.emit(tr("No run of this protocol has been kept yet."), False)
            return
        self.verdicts = {}
        self.runs.start([Attempt(test.name, test.experiment) for test in self.tests])
        self._fill()

    def forget(self) -> None:
        """Delete the selected run from the file."""
        row = self.list.currentRow()
        if self.protocol is None or not 0 <= row < len(self.tests):
            return
        gone = self.tests[row]
        left = [test for test in self.tests if test is not gone]
        try:
            write_tests(self.protocol, left)
        except LydianError as error:
            self.said.emit(str(error), True)
            return
        self.load(self.protocol)
        self.said.emit(tr("Deleted the kept run {run}.", run=gone.name), False)

    @property
    def all_good(self) -> bool | None:
        """Whether all runs gave the expected results; ``None`` if they have not all been run."""
        if len(self.verdicts) < len(self.tests) or not self.tests:
            return None
        return all(verdict.good for verdict in self.verdicts.values())

    def _told(self, number: int) -> None:
        if number >= len(self.tests):
            return
        outcome = self.runs.attempts[number].outcome
        if outcome is not None:
            self.verdicts[number] = judged(self.tests[number], outcome.result, outcome.problem)
            self._dress(number)
        self._say()

    def _fill(self) -> None:
        self.list.clear()
        for number in range(len(self.tests)):
            self.list.addItem(QListWidgetItem())
            self._dress(number)
        self.run_button.setEnabled(bool(self.tests))
        self._say()

    def _dress(self, number: int) -> None:
        test, verdict = self.tests[number], self.verdicts.get(number)
        item = self.list.item(number)
        if item is None:
            return
        name, color = ("clock", "text.hint") if verdict is None else (
            ("tick", "check.holds") if verdict.good else ("cross", "check.violated")
        )  # fmt: skip
        item.setIcon(icon(name, self.theme, color))
        told = test.about if verdict is None else without_file(verdict.sentence)
        item.setText(f"{test.name}\n{told}" if told else test.name)
        item.setToolTip(f"{test.about}\n{tr('Press Enter or double-click to show this run')}".strip())

    def _say(self) -> None:
        if self.protocol is None or not self.tests:
            self.words.setText(tr("No run has been kept yet. Keep a failed run as a test that it does not fail again."))
            return
        file = file_of_tests(self.protocol).name
        good = sum(verdict.good for verdict in self.verdicts.values())
        if self.runs.busy:
            told = tr("{count} of {total} done", count=len(self.verdicts), total=len(self.tests))
        elif self.verdicts:
            told = tr("{count} of {total} as expected", count=good, total=len(self.verdicts))
        else:
            told = plural(len(self.tests), "kept run")
        self.words.setText(f"{told} · {file}")

    def set_theme(self, theme: Theme) -> None:
        for number in range(self.list.count()):
            self._dress(number)

    def close_all(self) -> None:
        """End the simulators."""
        self.runs.blockSignals(True)
        self.runs.close()
