"""The preview of a log of a real system: its lines, how they are read, the events found, and unusable lines."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, QTimerEvent, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, stretched
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided, scrolled
from lydian.app.work.background import Background, Report
from lydian.formats.logs import FORMATS as LOG_FORMATS
from lydian.formats.logs import title_of
from lydian.formats.logs.preview import Preview, around, preview, suited
from lydian.language import tr, trc, trn
from lydian.model.errors import LydianError
from lydian.views.words.words import joined, plural

__all__ = ["ImportPanel", "Wanted"]

#: The number of hosts that are named.
NAMED = 8
#: The descriptions of the kinds of log.
FORMATS = {
    "ours": tr("A log that LYDIAN wrote: times, states and variables are restored."),
    "clocks": tr("Host and vector clock, then the event, as written by ShiViz and GoVector."),
    "regex": tr("Read with the regular expression above."),
    "form": tr("Read as the format above."),
    "": tr("Not the documented format: choose a common kind of log, or type a regular expression."),
}


def look(
    path: Path, form: str | None, regex: str | None, delimiter: str | None, auto: bool, report: Report
) -> tuple[Preview, str]:
    """Return a preview of a log, and the key of a preset that reads it better than the documented format, or ""."""
    found = preview(path, form=form, regex=regex, delimiter=delimiter, watch=report)
    if auto and found.kind in LOG_FORMATS:
        return found, found.kind
    if auto and regex is None and (found.problems or not found.events):
        key = suited(path, report)
        if key:
            try:
                better = preview(path, regex=LOG_FORMATS[key].regex, delimiter=delimiter, watch=report)
            except LydianError:
                return found, ""
            if better.events and len(better.problems) < len(found.problems) and better.messages >= found.messages:
                return better, key
    return found, ""


def numbers(found: Preview) -> str:
    """Return the numbers of hosts, events and messages in words."""
    parts = [plural(len(found.hosts), "host"), plural(found.events, "event"), plural(found.messages, "message")]
    if found.executions > 1:
        parts.append(plural(found.executions, "execution"))
    return ", ".join(parts)


def summary(found: Preview) -> str:
    """Return a summary of what was understood, as rich text."""
    if not found.events:
        return ""
    first = trn("In the first {count:,} line:", "In the first {count:,} lines:", len(found.lines))
    start = "" if found.whole else f"{first} "
    hosts = list(found.hosts[:NAMED]) + (["…"] if len(found.hosts) > NAMED else [])
    names = joined(hosts) if len(found.hosts) <= NAMED else ", ".join(hosts)
    notes = "".join(f" {note[:1].upper()}{note[1:]}." for note in found.notes)
    warn = "" if found.messages or len(found.hosts) < 2 else f" {tr('No messages were recognised between them.')}"
    return f"{start}<b>{numbers(found)}</b> ({html.escape(names)}).{warn}{html.escape(notes)}"


def table(titles: tuple[str, ...], name: str) -> QTreeWidget:
    """Return an empty table whose last column takes the remaining width."""
    table = QTreeWidget()
    table.setHeaderLabels(list(titles))
    table.setAccessibleName(name)
    table.setRootIsDecorated(False)
    table.setIndentation(0)
    table.setUniformRowHeights(True)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    header = table.header()
    header.setMinimumSectionSize(44)
    for column in range(len(titles) - 1):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(len(titles) - 1, QHeaderView.ResizeMode.Stretch)
    return table


#: The length of the longest line that is shown whole.
LONGEST = 2_000


class LogLines(QPlainTextEdit):
    """A read-only view of the lines of a file, numbered from 1."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.first, self.count, self.marked = 1, 0, 0
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setObjectName("logLines")
        set_look(self, theme, font="small mono")

    def set_theme(self, theme: Theme) -> None:
        self.mark(self.marked)

    def show_lines(self, first: int, lines: Sequence[str], *, more: bool = False) -> None:
        """Show lines, the first of which has the given number; ``more`` means that the file continues."""
        if lines and not lines[-1]:
            lines = lines[:-1]  # after the end of the last line
        self.first, self.count, self.marked = first, len(lines), 0
        wide = len(f"{first + len(lines):,}")
        text = "\n".join(f"{number:>{wide},}  {line[:LONGEST]}" for number, line in enumerate(lines, first))
        self.setPlainText(f"{text}\n{'…':>{wide}}" if more else text)
        self.setExtraSelections([])

    def mark(self, line: int) -> bool:
        """Mark a line and scroll to it; 0 marks none. Return False if it is not among the lines shown."""
        self.marked = line if self.first <= line < self.first + self.count else 0
        if not self.marked:
            self.setExtraSelections([])
            return line == 0
        cursor = QTextCursor(self.document().findBlockByNumber(line - self.first))
        look = QTextCharFormat()
        look.setBackground(self.theme.color("check.warnSoft"))
        look.setForeground(self.theme.color("text.primary"))
        look.setProperty(QTextFormat.Property.FullWidthSelection, True)
        selection = QTextEdit.ExtraSelection()
        selection.cursor, selection.format = cursor, look
        self.setExtraSelections([selection])
        self.setTextCursor(cursor)
        self.centerCursor()
        return True


#: The number of milliseconds between the last key press in a field and the preview.
PAUSE = 200
#: The maximum number of unusable lines that are listed.
MOST = 500


@dataclass(frozen=True)
class Wanted:
    """The file to import and how to read it: the arguments of ``import_log``."""

    path: Path
    form: str | None
    regex: str | None
    delimiter: str | None
    skip: bool


class ImportPanel(QWidget):
    """The panel that shows a log and the result of importing it."""

    #: The log is to be imported as in this :class:`Wanted`.
    wanted = Signal(object)
    #: Another file is to be chosen.
    choosing = Signal()
    #: The import under way is to be cancelled.
    cancelled = Signal()
    titled = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.theme = theme
        self.path: Path | None = None
        self.found: Preview | None = None
        self.working = False
        self._auto = True  # the format has not been determined yet
        self._timer = 0
        self._elsewhere = False  # lines around a problem further down are shown
        self.background = Background(self)
        self.background.done.connect(self._looked)
        self.background.failed.connect(self._unreadable)
        self._make()
        self._lay_out()
        set_look(self.regex, theme, font="body mono")
        set_look(self, theme, min_width=stretched(400))
        set_look(self.events, theme, height=lambda theme: 6 * (theme.px("small") + 12))
        for part in (self.lines, self.problems):
            set_look(part, theme, height=lambda theme: 5 * (theme.px("small") + 12))
        self.go.setProperty("primary", True)
        self._show(None)

    # ------------------------------------------------------------------ building

    def _make(self) -> None:
        self.name = Elided()
        self.name.setObjectName("cardValue")
        self.other = QPushButton(tr("Choose a log…"))
        self.other.clicked.connect(self.choosing)
        self.lines = LogLines(self.theme)
        self.format = QComboBox()
        self.format.addItem(tr("Host and vector clock"), "")
        for key, form in LOG_FORMATS.items():
            self.format.addItem(title_of(form), key)
            self.format.setItemData(self.format.count() - 1, form.example, Qt.ItemDataRole.ToolTipRole)
        self.format.addItem(tr("My own regular expression"), "own")
        self.format.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.format.setMinimumContentsLength(18)
        self.format.activated.connect(lambda _index: self._format_chosen())
        self.regex, self.delimiter = QLineEdit(), QLineEdit()
        self.regex.setPlaceholderText("(?<time>\\S+) (?<host>\\w+) (?<clock>{.*?}) (?<event>.*)")
        self.delimiter.setPlaceholderText(tr("none: the log is one execution"))
        self.regex.textEdited.connect(lambda _text: self._regex_edited())
        self.delimiter.textEdited.connect(lambda _text: self._soon())
        self.regex.setToolTip(
            tr(
                "Use named groups: host always; clock, or from and to; optionally event, time, message, label, "
                "state. Other groups are kept as fields. Write \\n where a record continues on the next line."
            )
        )
        self.delimiter.setToolTip(tr("Lines that begin with this text, or match this expression, separate executions"))
        self.kind, self.summary, self.trouble, self.bad = QLabel(), QLabel(), QLabel(), QLabel()
        for label, name in ((self.kind, "explained"), (self.summary, ""), (self.trouble, "problem"), (self.bad, "")):
            label.setObjectName(name)
            label.setWordWrap(True)
        self.events = table((tr("Time"), tr("Host"), trc("column", "What"), tr("In the log")), tr("The first events"))
        self.problems = table((tr("Line"), tr("Reason")), tr("Lines that cannot be used"))
        self.problems.currentItemChanged.connect(lambda item, _before: self._mark(item))
        self.problems.itemClicked.connect(lambda item, _column: self._mark(item))
        self.skip = QCheckBox()
        self.skip.toggled.connect(lambda _on: self._judge())
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(8)
        self.cancel, self.go = QPushButton(tr("Cancel")), QPushButton(tr("Import"))
        self.go.setDefault(True)
        self.cancel.clicked.connect(self.cancelled)
        self.go.clicked.connect(self._go)
        named: tuple[tuple[QWidget, str], ...] = (
            (self.other, tr("Choose a log")), (self.lines, tr("The first lines")),
            (self.format, tr("Format of the lines")), (self.regex, tr("Regular expression")),
            (self.delimiter, tr("Delimiter of executions")),
            (self.skip, tr("Skip unusable lines")), (self.bar, tr("Progress of the import")),
            (self.cancel, tr("Cancel the import")), (self.go, tr("Import")),
        )  # fmt: skip
        for widget, name in named:
            widget.setAccessibleName(name)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(12)
        for words, field in (
            (tr("Lines are"), self.format),
            (tr("Expression"), self.regex),
            (tr("Delimiter"), self.delimiter),
        ):
            form.addRow(words, field)
        inside = QWidget()
        inside.setObjectName("panel")
        down(
            across((self.name, 1), self.other), self.lines, form,
            self.kind, self.trouble, self.summary, self.events, self.bad, self.problems, ...,
            on=inside, margins=(12, 10, 12, 6), spacing=8,
        )  # fmt: skip
        self.area = scrolled(inside)
        foot = across(self.skip, (self.bar, 1), (..., 0), self.cancel, self.go, margins=(12, 6, 12, 8))
        down((self.area, 1), foot, on=self, spacing=0)

    # ------------------------------------------------------------------ the file and its format

    def open(self, path: Path) -> None:
        """Show a log and determine its format."""
        self.path, self.found, self._auto, self._elsewhere = path, None, True, False
        self.name.say(path.name)
        self.name.setToolTip(str(path))
        self.other.setText(tr("Another log…"))
        self.skip.setChecked(False)
        self.regex.clear()
        self.delimiter.clear()
        self.format.setCurrentIndex(0)
        self.lines.clear()
        self.look()

    @property
    def form(self) -> str | None:
        """The format that is read without an expression, or ``None``."""
        key = self.format.currentData()
        return key if key in LOG_FORMATS and LOG_FORMATS[key].reads is not None else None

    @property
    def expression(self) -> str | None:
        """The regular expression, or ``None`` for a format that needs none."""
        return None if self.format.currentData() == "" or self.form is not None else self.regex.text()

    @property
    def wish(self) -> Wanted:
        """Return the import that the current settings describe."""
        assert self.path is not None
        return Wanted(self.path, self.form, self.expression, self.delimiter.text() or None, self.skip.isChecked())

    def _format_chosen(self) -> None:
        self._auto = False
        key = self.format.currentData()
        if key == "own":
            self.regex.setFocus()
        else:
            self._write(LOG_FORMATS[key].regex if key else "")
        self.look()

    def _write(self, regex: str) -> None:
        self.regex.setText(regex)
        self.regex.setCursorPosition(0)
        self.regex.setEnabled(self.form is None)

    def _regex_edited(self) -> None:
        self._auto = False
        self.format.setCurrentIndex(self.format.findData("own"))
        self._soon()

    def _soon(self) -> None:
        if self._timer:
            self.killTimer(self._timer)
        self._timer = self.startTimer(PAUSE)

    def timerEvent(self, event: QTimerEvent) -> None:
        if event.timerId() == self._timer:
            self.look()

    def look(self) -> None:
        """Read the beginning of the log with the current settings; :meth:`_looked` shows the result."""
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        if self.path is None:
            return
        if self.expression == "" and not self._auto:
            self._show(None, tr("Type a regular expression, or choose a common kind of log above."))
            return
        path, delimiter, auto = self.path, self.delimiter.text() or None, self._auto
        form, regex = (None, None) if auto else (self.form, self.expression)
        self.background.start(lambda report: look(path, form, regex, delimiter, auto, report))

    def _looked(self, answer: tuple[Preview, str]) -> None:
        found, key = answer
        if self._auto:
            self.format.setCurrentIndex(self.format.findData(key))
            self._write(LOG_FORMATS[key].regex if key else "")
        if self.found is None or self.found.lines != found.lines or self._elsewhere or not self.lines.toPlainText():
            self.lines.show_lines(1, found.lines, more=not found.whole)
            self._elsewhere = False
        self._show(found)

    def _unreadable(self, why: str) -> None:
        self._show(None, why)

    # ------------------------------------------------------------------ the preview

    def _show(self, found: Preview | None, why: str = "") -> None:
        """Show what was understood, or why nothing was."""
        self.found = found
        self.events.clear()
        self.lines.mark(0)
        if found is None:
            empty = "" if self.path is not None else tr("Choose the log of a real system, or drop one onto the window.")
            self._list_problems(())
            self._say(empty, why, "")
            self._judge()
            return
        for row in found.rows:
            item = QTreeWidgetItem([f"{row.time:.6g}", row.host, row.what, row.text])
            item.setToolTip(3, row.text)
            self.events.addTopLevelItem(item)
        self._list_problems(tuple((problem.line, problem.why) for problem in found.problems))
        self._say(FORMATS.get(found.kind, FORMATS["form"]), found.why, summary(found))
        self._judge()

    def _say(self, kind: str, trouble: str, summary: str) -> None:
        for label, text in ((self.kind, kind), (self.trouble, trouble), (self.summary, summary)):
            label.setText(text)
            label.setVisible(bool(text))
        self.events.setVisible(self.events.topLevelItemCount() > 0)
        found = self.found
        self.titled.emit("" if found is None or not found.events else numbers(found))

    def _list_problems(self, problems: tuple[tuple[int, str], ...]) -> None:
        self.problems.clear()
        for line, why in problems[:MOST]:
            item = QTreeWidgetItem([f"{line:,}", f"{why[:1].upper()}{why[1:]}"])
            item.setTextAlignment(0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setData(0, Qt.ItemDataRole.UserRole, line)
            item.setToolTip(1, item.text(1))
            self.problems.addTopLevelItem(item)
        count = len(problems)
        more = trn(" (the first {count} is listed)", " (the first {count} are listed)", MOST) if count > MOST else ""
        bad = trn("{count:,} line cannot be used", "{count:,} lines cannot be used", count)
        self.bad.setText(f"<b>{bad}</b>{more}" if problems else "")
        self.bad.setVisible(bool(problems))
        self.problems.setVisible(bool(problems))
        self.skip.setText(trn("Skip this line", "Skip these {count:,} lines", count))
        self.skip.setVisible(bool(problems))

    def refuse(self, problems: tuple[tuple[int, str], ...]) -> None:
        """List the unusable lines of the whole log in place of those of its beginning."""
        self.set_working(False)
        self._list_problems(problems)
        self._judge()
        first = self.problems.topLevelItem(0)
        if first is not None:
            self.problems.setCurrentItem(first)
        self.area.ensureWidgetVisible(self.problems)
        self.skip.setFocus()

    def _mark(self, item: QTreeWidgetItem | None) -> None:
        """Mark and show the line of a problem."""
        if item is None or self.path is None:
            return
        line = int(item.data(0, Qt.ItemDataRole.UserRole))
        if not self.lines.mark(line):
            try:
                first, lines = around(self.path, line)
            except OSError:
                return
            self._elsewhere = True
            self.lines.show_lines(first, lines, more=True)
            self.lines.mark(line)
        self.area.ensureWidgetVisible(self.lines)

    def _judge(self) -> None:
        """Enable the button if the log can be imported with the current settings."""
        found, bad = self.found, self.problems.topLevelItemCount()
        good = found is not None and found.events > 0 and not found.why and (not bad or self.skip.isChecked())
        self.go.setEnabled(good and not self.working)
        reason = "" if good or not bad else tr("Some lines cannot be used: skip them, or change how the lines are read")
        self.go.setToolTip(reason or tr("Open the log in all views (Ctrl+Z undoes this)"))
        self.cancel.setVisible(self.working)
        self.bar.setVisible(self.working)

    # ------------------------------------------------------------------ importing

    def _go(self) -> None:
        self.wanted.emit(self.wish)

    def set_working(self, on: bool, share: float = 0.0) -> None:
        """Show that an import is under way and the share done, or that none is."""
        self.working = on
        self.bar.setValue(round(100 * share))
        self.skip.setEnabled(not on)
        self._judge()

    def close_work(self) -> None:
        """End the thread."""
        if self._timer:
            self.killTimer(self._timer)
            self._timer = 0
        self.background.close()
