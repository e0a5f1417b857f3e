"""The part of the status line about the protocol: whether it is saved, the cursor, and the problems with their list."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QToolButton, QWidget

from lydian.app.kit.layout import across
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.language import tr
from lydian.model.source.text import Problem
from lydian.views.words.words import plural

__all__ = ["BottomStrip"]

#: The largest number of visible rows of the list; more scroll.
ROWS = 5


class BottomStrip(QFrame):
    """The strip with problems, line and column, and saved state; the list of problems is placed elsewhere."""

    #: Emitted with a problem to go to.
    wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bottomStrip")
        self.theme = theme
        self.problems: tuple[Problem, ...] = ()
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Problems of the protocol"))
        self.list.hide()
        self.saved, self.place = QLabel(), QLabel()
        for label in (self.saved, self.place):
            label.setObjectName("hint")
        self.count = set_up(QToolButton(), name=tr("Problems"), checkable=True)
        self.count.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.count.toggled.connect(lambda on: self.list.setVisible(on and bool(self.problems)))
        self.list.itemActivated.connect(self._go)
        self.list.itemClicked.connect(self._go)
        across(self.count, self.place, self.saved, on=self, spacing=10)
        for part in (self.list, self.saved, self.place, self.count):
            set_look(part, theme, font="small")
        self.set_theme(theme)

    def show_state(self, saved: bool, read_only: bool, has_file: bool) -> None:
        """Show whether the text is saved."""
        words = tr("From the library") if read_only else tr("Saved") if saved and has_file else tr("Not saved")
        self.saved.setText(words)

    def show_place(self, line: int, column: int) -> None:
        """Show the line and column of the cursor, both counted from 1."""
        self.place.setText(tr("Line {line}, column {column}", line=line, column=column))

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """List the problems."""
        self.problems = tuple(problems)
        row = self.list.currentRow()
        self.list.clear()
        for problem in self.problems:
            item = QListWidgetItem(tr("Line {line}: {problem}", line=problem.line, problem=problem.sentence))
            item.setToolTip(problem.sentence)
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, len(self.problems) - 1))
        self._dress()
        self.list.setVisible(self.count.isChecked() and bool(self.problems))

    @property
    def words(self) -> str:
        """The number of problems in words."""
        errors = sum(each.kind == "error" for each in self.problems)
        told = [plural(errors, "error")] if errors else []
        if len(self.problems) > errors:
            told.append(plural(len(self.problems) - errors, "warning"))
        return ", ".join(told) or tr("No problems")

    def _dress(self) -> None:
        errors = any(each.kind == "error" for each in self.problems)
        name, color = ("cross", "check.violated") if errors else ("warning", "check.warn")
        if not self.problems:
            name, color = "tick", "check.holds"
        self.count.setText(self.words)
        self.count.setToolTip(tr("Show or hide the list") if self.problems else tr("The text has no problems"))
        self.count.setIcon(icon(name, self.theme, color))
        for row, problem in enumerate(self.problems):
            sign = ("cross", "check.violated") if problem.kind == "error" else ("warning", "check.warn")
            self.list.item(row).setIcon(icon(sign[0], self.theme, sign[1]))
        step = self.list.sizeHintForRow(0) if self.problems else 0
        self.list.setFixedHeight(min(len(self.problems), ROWS) * step + 4)

    def _go(self, item: QListWidgetItem) -> None:
        row = self.list.row(item)
        if 0 <= row < len(self.problems):
            self.wanted.emit(self.problems[row])

    def set_theme(self, theme: Theme) -> None:
        self._dress()
