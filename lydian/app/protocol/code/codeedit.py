"""The code editor for a protocol: the text with its margin, the find bar, and marks from the latest run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from lydian.app.kit.layout import down
from lydian.app.kit.theming import mark, set_up
from lydian.app.look.theme import Theme
from lydian.app.protocol.code.band import Band
from lydian.app.protocol.code.codetext import CodeText
from lydian.app.protocol.code.findbar import FindBar
from lydian.language import tr
from lydian.model.source.text import Problem

if TYPE_CHECKING:
    from lydian.app.protocol.document import ProtocolDocument

__all__ = ["CodeEditor"]


class CodeEditor(QWidget):
    """The editor of the code of a document.

    Attributes:
        text: the text edit itself.
        bar: the bar to find, replace, and go to a line.
        keys: the commands by name, for menus: ``editor.keys.comment()``; see ``codekeys.KEYS``.
    """

    #: Emitted on F1 with a word that can be explained.
    help_wanted = Signal(str)
    #: Emitted with a line (from 1) whose breakpoint should be set or cleared.
    break_wanted = Signal(int)
    #: Emitted before the first change of a library's document; the change goes into the document that is shown when
    #: the handlers have returned.
    copy_wanted = Signal()
    #: Emitted when text should be larger (1) or smaller (-1) in the whole program.
    zoom_wanted = Signal(int)
    #: Emitted with an event of the latest run whose moment the views should show.
    moment_wanted = Signal(int)
    #: Emitted with the line and column of the cursor, both from 1.
    placed = Signal(int, int)

    def __init__(self, document: ProtocolDocument, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.theme = theme
        self.text = CodeText(document, theme)
        self.keys = self.text.keys
        self.bar = self.keys.bar = FindBar(self.text)
        down(self.bar, (self.text, 1), on=self, spacing=0)
        self.setFocusProxy(self.text)
        self._failure: list[QWidget] = []
        for name in ("help_wanted", "break_wanted", "copy_wanted", "zoom_wanted"):
            getattr(self.text, name).connect(getattr(self, name))
        self.keys.find_wanted.connect(self.bar.open)
        self.keys.step_wanted.connect(self.bar.step)
        self.keys.line_wanted.connect(self.bar.open_line)
        self.keys.escaped.connect(lambda: self.bar.close_bar() if self.bar.isVisible() else None)
        self.text.cursorPositionChanged.connect(self._placed)
        self._connect()
        self.set_theme(theme)
        self._ran()

    def _connect(self) -> None:
        self.document.ran.connect(self._ran)
        self.document.edited.connect(self._edited)

    def set_document(self, document: ProtocolDocument) -> None:
        """Show another document."""
        if document is self.document:
            return
        self.document.ran.disconnect(self._ran)
        self.document.edited.disconnect(self._edited)
        self.document = document
        self._clear_failure()
        self.text.set_document(document)
        self._connect()
        self._ran()
        if self.bar.finding:
            self.bar.look()

    def set_theme(self, theme: Theme) -> None:
        self._ran()

    def set_looks(self, states: Mapping[str, int], messages: Mapping[str, int]) -> None:
        """Draw states and messages in the given slots and not in the order of declaration."""
        self.text.looks = (states, messages)
        self.text._read()

    # ------------------------------------------------------------------ places

    @property
    def line(self) -> int:
        """The line of the cursor, from 1."""
        return self.text.place()[0]

    def go_to_line(self, line: int, column: int | None = None, *, flash: bool = True) -> None:
        """Put the cursor into a line (from 1), at its first letter or a column (from 0); the line glows briefly."""
        self.text.go(line, column)
        if flash:
            self.text.glow(line)
        self.text.setFocus()

    def go_to_problem(self, problem: Problem) -> None:
        """Put the cursor at a problem and show the problem below its line."""
        self.text.go(problem.line, problem.column)
        self.text.glow(problem.line)
        self.text.setFocus()
        self.text.problems.show_band(asked=True)

    def set_breaks(self, lines: Collection[int]) -> None:
        """Show breakpoints at lines (from 1); they move with their lines."""
        self.text.marks.breaks = {line - 1: True for line in lines}
        self.text.gutter.update()

    @property
    def breaks(self) -> tuple[int, ...]:
        """The present lines of the breakpoints."""
        return tuple(sorted(line + 1 for line in self.text.marks.breaks))

    def put_below(self, line: int, widget: QWidget) -> None:
        """Put a widget below a line (from 1) and push the rest down; the widget moves with its line."""
        self.text.rooms.put(line, widget)

    def take_below(self, widget: QWidget) -> None:
        """Remove a widget below a line; it is hidden and still belongs to the caller."""
        self.text.rooms.take(widget)

    def _placed(self) -> None:
        line, column = self.text.place()
        self.placed.emit(line, column + 1)

    # ------------------------------------------------------------------ results of a run

    def _edited(self) -> None:
        if self.bar.finding:
            self.bar.look()

    def _ran(self) -> None:
        """Show how often each function ran, and the line at which the run stopped."""
        marks, document = self.text.marks, self.document
        marks.counts = {self._def_line(line - 1): count for line, count in (document.lines or {}).items()}
        self._clear_failure()
        failure = document.failure
        marks.failing, marks.earlier = {}, {}
        if failure is not None and failure.line is not None:
            marks.failing = {failure.line - 1: True}
            marks.earlier = {each.line - 1: each.sentence for each in failure.earlier if each.line != failure.line}
            self._show_failure()
        self.text.problems.close()
        if self.bar.finding:  # another text may have been loaded
            self.bar.look()
        self.text.viewport().update()
        self.text.gutter.update()

    def _def_line(self, number: int) -> int:
        """Return the line of the ``def`` after decorators (both from 0)."""
        while number + 1 < self.text.blockCount() and self.text.code.line(number).lstrip().startswith("@"):
            number += 1
        return number

    def _clear_failure(self) -> None:
        for widget in self._failure:
            self.text.rooms.take(widget)
            widget.setParent(None)
            widget.deleteLater()
        self._failure = []

    def _show_failure(self) -> None:
        failure, theme = self.document.failure, self.theme
        assert failure is not None and failure.line is not None
        for each in failure.earlier:
            if each.line != failure.line:
                note = set_up(QLabel(each.sentence), look="codeNote", wraps=True)
                self._failure.append(note)
                self.text.rooms.put(each.line, note)
        band = Band(theme)
        band.setAccessibleName(tr("Why the run stopped"))
        band.setAccessibleDescription(failure.sentence)
        mark(band, kind="error")
        band.sentence(failure.sentence, "failing")
        show = QPushButton(tr("Show this moment"))
        show.clicked.connect(lambda _on=False: self.moment_wanted.emit(failure.seq))
        buttons = [show]
        if failure.earlier and failure.earlier[-1].line != failure.line:
            line = failure.earlier[-1].line
            there = QPushButton(tr("Go to line {line}", line=line))
            there.clicked.connect(lambda _on=False: self.go_to_line(line))
            buttons.append(there)
        if failure.message and failure.message != failure.sentence:
            python = QPushButton(tr("Python's message"))
            python.setCheckable(True)
            python.toggled.connect(lambda on: self._python(band, failure.message, on))
            buttons.append(python)
        band.row_of(buttons)
        self._failure.append(band)
        self.text.rooms.put(failure.line, band)

    def _python(self, band: Band, message: str, on: bool) -> None:
        """Show or hide Python's message."""
        if on:
            band.sentence(message)
            self._failure[-1].updateGeometry()
        elif len(band.labels) > 1:
            label = band.labels.pop()
            item = band.column.takeAt(band.column.count() - 1)
            label.hide()
            label.deleteLater()
            del item
        self.text.rooms.refresh()
