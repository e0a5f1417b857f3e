"""The Assignment workspace: text on the left, files in the middle, checks and a failing run on the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QDate, QLocale, Qt, QTime, Signal
from PySide6.QtGui import QResizeEvent, QTextDocument
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QInputDialog,
    QLabel,
    QPushButton,
    QSplitter,
    QTabWidget,
    QWidget,
)

from lydian.app.assignment.answers import AnswersForm
from lydian.app.assignment.checks import ChecksPanel
from lydian.app.assignment.lecturer import LecturersText, lecturers_files
from lydian.app.assignment.shortest import ShortestRun
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Elided
from lydian.app.panels.help.helppage import Page
from lydian.app.protocol.code.codeedit import CodeEditor
from lydian.app.protocol.compare import CompareView
from lydian.app.protocol.document import ProtocolDocument
from lydian.assignment.assignment import ANSWERS
from lydian.authoring.failing import Failure
from lydian.desk.settings import Settings
from lydian.desk.solving import Solving, time_left
from lydian.language import ENGLISH, language, tr, trn
from lydian.model.archive.kepttests import add_test, kept
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import from_dict
from lydian.model.reading import write_text

__all__ = ["AssignmentWorkspace"]

#: The initial widths of the three columns, and the heights at the right.
COLUMNS, RIGHT_ROWS = (370, 640, 560), (330, 460)
#: Below this width the text is a tab beside the files.
NARROW = 1280


class AssignmentWorkspace(QWidget):
    """The workspace in which an assignment is solved and handed in.

    Attributes:
        solving: the assignment with the student's work.
        documents: the programs by name: the student's files, and those of the lecturer by their paths in the folder.
        texts: the lecturer's other texts.
    """

    #: Emitted with a sentence, whether it is a problem, the label of a button and its action (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Emitted with the file of a run that should be shown in the Run workspace.
    run_wanted = Signal(object)
    #: Emitted with a word whose page in the guide should be shown.
    help_wanted = Signal(str)
    #: Emitted when the title or the state of the texts has changed.
    moved = Signal()
    #: Emitted with a link of the text: its verb and its object.
    asked = Signal(str, str)

    def __init__(self, solving: Solving, settings: Settings, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("assignment")
        self.solving, self.settings, self.theme = solving, settings, theme
        self.documents: dict[str, ProtocolDocument] = {}
        self.editors: dict[str, CodeEditor] = {}
        self.texts: dict[str, LecturersText] = {}
        self.now: Callable[[], datetime] = lambda: datetime.now().astimezone()
        self._chosen = ""  # the check whose run is shown
        self.page = Page(theme)
        self.page.asked.connect(self.asked)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("codeTabs")
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(tr("Files to hand in"))
        self.answers = AnswersForm(solving, theme)
        self.answers.answered.connect(self._answered)
        self.compare = CompareView(theme)
        self.checks = ChecksPanel(solving, theme)
        self.checks.chosen.connect(self._chose)
        self.shortest = ShortestRun(theme)
        self.shortest.run_wanted.connect(self.run_wanted)
        self.shortest.line_wanted.connect(self.go_to)
        self.shortest.keep_wanted.connect(self.keep)
        self._put_together()
        solving.opened.connect(self.opened)
        solving.changed.connect(self.refresh)
        solving.reread.connect(self.reread)
        self.tabs.currentChanged.connect(self._turned)
        self.opened()

    def _put_together(self) -> None:
        self.number = set_up(QLabel(), look="dockName")
        self.facts = Elided()
        self.facts.setObjectName("dockNote")
        self.due = set_up(QLabel(), wraps=True)
        self.hand = set_up(QPushButton(tr("Hand in…")), look="primary", clicked=lambda _on=False: self.hand_in())
        self.state = set_up(QLabel(), look="hint", wraps=True)
        self.state.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        foot = down(self.due, self.hand, self.state, margins=(14, 10, 14, 12), spacing=8)
        head = across(self.number, (self.facts, 1), margins=(12, 6, 12, 6), spacing=8)
        self.text = _framed(held(head), self.page, held(foot))
        kept = set_up(QPushButton(tr("Compare with the skeleton")), look="offer", checkable=True)
        kept.toggled.connect(self._compare)
        self.comparing = kept
        self.saved = set_up(QLabel(), look="hint")
        low = across((self.saved, 1), kept, margins=(12, 6, 10, 6), spacing=8)
        self.trouble = set_up(QLabel(), look="problem", name=tr("What is wrong with the assignment"), wraps=True)
        self.trouble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.trouble.setContentsMargins(12, 6, 12, 6)
        self.trouble.hide()
        self.files = _framed(self.tabs, self.compare, self.trouble, held(low))
        self.compare.hide()
        self.right = QSplitter(Qt.Orientation.Vertical)
        self.right.addWidget(_framed(self.checks))
        self.right.addWidget(_framed(self.shortest))
        self.right.setSizes(list(RIGHT_ROWS))
        self._moved_by_hand = False
        self.right.splitterMoved.connect(self._hold)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        for part in (self.text, self.files, self.right):
            self.splitter.addWidget(part)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes(list(COLUMNS))
        for each in (self.splitter, self.right):
            each.setChildrenCollapsible(False)
            each.setHandleWidth(5)
        down(self.splitter, on=self, spacing=0)
        for label in (self.due, self.state, self.saved):
            set_look(label, self.theme, font="small")
        set_look(self.hand, self.theme, min_height=34)
        set_look(kept, self.theme, icon="compare")

    # ------------------------------------------------------------------ the assignment

    @property
    def title(self) -> str:
        """The window's title."""
        assignment = self.solving.assignment
        if assignment is None:
            return tr("Assignment")
        number, title, file = assignment.number, assignment.title, self._name
        if number is None:
            return tr("Assignment: {title} — {file}", title=title, file=file)
        return tr("Assignment {number}: {title} — {file}", number=number, title=title, file=file)

    @property
    def _name(self) -> str:
        """The name of the file in front."""
        editor = self.tabs.currentWidget()
        shown: dict[str, QWidget] = {**self.editors, **self.texts}
        return next((name for name, each in shown.items() if each is editor), ANSWERS)

    @property
    def document(self) -> ProtocolDocument | None:
        """The program in front, ``None`` for the answers and other texts."""
        return self.documents.get(self._name)

    @property
    def text_in_front(self) -> QTextDocument | None:
        """The text in front with its history, ``None`` for the answers."""
        found = self.documents.get(self._name) or self.texts.get(self._name)
        return None if found is None else found.text

    @property
    def panes(self) -> list[QWidget]:
        """The parts that F6 moves through."""
        return [self.page, self.tabs, self.checks.list, self.shortest.canvas]

    def open(self, folder: Path) -> bool:
        """Open an assignment; return False and say why if it cannot be used."""
        self.save()
        try:
            self.solving.open(folder)
        except (LydianError, OSError) as error:
            self.said.emit(str(error), True, "", None)
            return False
        return True

    def opened(self) -> None:
        """Show another assignment."""
        solving, assignment = self.solving, self.solving.assignment
        while self.tabs.count():
            self.tabs.removeTab(0)
        for editor in (*self.editors.values(), *self.texts.values()):
            editor.deleteLater()
        for document in self.documents.values():
            document.close()
            document.deleteLater()
        for shown in (self.documents, self.editors, self.texts):
            shown.clear()
        self._chosen = ""
        if assignment is not None:
            for name in assignment.hand_in:
                self._add(name)
            if self.answers.questions:
                self.tabs.addTab(self.answers, "")
            for name in lecturers_files(assignment):
                self._add_lecturers(name)
            self._show_text()
        self.answers.show_assignment()
        self.checks.show_assignment()
        self.shortest.show_result(None)
        self._lay()
        self.refresh()
        if assignment is not None:
            solving.check()
        self.moved.emit()

    def reread(self) -> None:
        """Show the assignment as it is after the lecturer has changed it; the texts stay as they are."""
        self.answers.show_assignment()
        self.checks.show_assignment()
        self._show_text()
        self.moved.emit()

    def _show_text(self) -> None:
        """Show the text for students, and what the assignment is worth."""
        assignment = self.solving.assignment
        assert assignment is not None
        number = assignment.number
        self.number.setText(tr("Assignment") if number is None else tr("Assignment {number}", number=number))
        hours, minutes = divmod(assignment.minutes or 0, 60)
        time = tr("about {n} minutes", n=assignment.minutes)
        if hours and not minutes:
            time = trn("about {n} hour", "about {n} hours", hours, n=hours)
        points = trn("{n:g} point", "{n:g} points", round(assignment.most), n=assignment.most)
        facts = (points, time if assignment.minutes else "", assignment.course)
        self.facts.say(" · ".join(filter(None, facts)))
        file = assignment.folder / "text.md"
        if file.is_file():
            self.page.show_file(file)

    def _add_lecturers(self, name: str) -> None:
        """Add a tab for a file of the lecturer."""
        assignment = self.solving.assignment
        assert assignment is not None
        path = assignment.folder.absolute() / name
        label = name.removeprefix("lecturer/")
        if name.endswith(".py"):
            self._show(name, assignment.files[name], path, label)
            return
        text = self.texts[name] = LecturersText(path, self.theme)
        text.textChanged.connect(self._lecturer_edited)
        text.document().undoAvailable.connect(lambda _on: self.moved.emit())
        text.document().redoAvailable.connect(lambda _on: self.moved.emit())
        self.tabs.addTab(text, label)

    def _lecturer_edited(self) -> None:
        self.save()
        self.solving.read_soon()

    def _add(self, name: str) -> None:
        """Add a tab for a file of the student."""
        try:
            text = self.solving.text(name)
        except LydianError as error:
            self.said.emit(str(error), True, "", None)
            text = ""
        self._show(name, text, self.solving.work / name, name)

    def _show(self, name: str, text: str, path: Path, label: str) -> None:
        """Add a tab for a program."""
        document = ProtocolDocument(text, path, self)
        editor = CodeEditor(document, self.theme)
        document.edited.connect(lambda: self._edited(name))
        document.moved.connect(self.moved)
        document.text.undoAvailable.connect(lambda _on: self.moved.emit())
        document.text.redoAvailable.connect(lambda _on: self.moved.emit())
        editor.help_wanted.connect(self.help_wanted)
        editor.moment_wanted.connect(self.shortest.go_to_event)
        self.documents[name], self.editors[name] = document, editor
        self.tabs.addTab(editor, label)

    @property
    def _own(self) -> bool:
        """Whether the file in front is one that is handed in."""
        assignment = self.solving.assignment
        return assignment is not None and self._name in assignment.hand_in

    def _edited(self, name: str) -> None:
        assignment = self.solving.assignment
        if assignment is not None and name in assignment.hand_in:
            self.solving.edited(name, self.documents[name].source)
            self.save()
        elif self.documents[name].modified:
            self._lecturer_edited()

    def save(self) -> None:
        """Write the texts that differ from their files."""
        for document in self.documents.values():
            if document.modified and document.path is not None:
                try:
                    write_text(document.path, document.for_file())
                except LydianError as error:
                    self.said.emit(str(error), True, "", None)
                    return
                document.text.setModified(False)
        for text in self.texts.values():
            try:
                text.save()
            except LydianError as error:
                self.said.emit(str(error), True, "", None)
                return

    def start_over(self) -> None:
        """Return the file in front to the skeleton, as one step of undo."""
        name, document = self._name, self.document
        if document is not None and self._own:
            document.replace(self.solving.skeleton(name), tr("Started over from the skeleton"))
            self._edited(name)

    # ------------------------------------------------------------------ what is shown

    def refresh(self) -> None:
        """Show the results as they are now."""
        solving, assignment = self.solving, self.solving.assignment
        self.checks.refresh()
        index = self.tabs.indexOf(self.answers)
        if index >= 0:
            self.tabs.setTabText(index, self.answers.title)
        if assignment is None:
            return
        self.trouble.setText(solving.problem.removeprefix(f"{assignment.folder}/") if self.texts else "")
        self.trouble.setVisible(bool(self.texts and solving.problem))
        failing = {each["id"]: each for each in solving.failing}
        if not failing and self._chosen and solving.results.get(self._chosen, {}).get("missed") is None:
            self._chosen = ""
        if self._chosen not in failing and failing and not solving.results.get(self._chosen, {}).get("missed"):
            self._chosen = next(iter(failing))
        if self._chosen:
            self.checks.choose(self._chosen)
        self._show_failure()
        self._show_due()
        self.saved.setText(tr("Saved as you type, in {folder}", folder=solving.work.name))
        self.saved.setToolTip(str(solving.work))

    def _chose(self, result: object) -> None:
        if isinstance(result, dict):
            self._chosen = str(result["id"])
            self._show_failure()

    def _show_failure(self) -> None:
        solving = self.solving
        result = solving.results.get(self._chosen)
        made = [each for each in solving.results.values() if each["state"] != "open"]
        if solving.problem:
            words = solving.problem
        elif made and not solving.busy and all(each["state"] == "full" for each in made):
            words = tr("All public checks hold. You can hand in your work, as often as you like until the deadline.")
        elif result is not None and result["state"] in ("failed", "stopped"):
            words = str(result["words"])
        else:
            words = tr("A run that fails a check is shown here, as short as possible.")
        self.shortest.show_result(result if result is not None and (result["failure"] or result["missed"]) else None,
                                  words)  # fmt: skip
        self._mark_line(None if result is None else result["failure"])

    def _mark_line(self, failure: Mapping[str, Any] | None) -> None:
        """Say below the line of the protocol that fails what is wrong with it."""
        assignment = self.solving.assignment
        document = None if assignment is None else self.documents.get(assignment.protocol)
        if document is None:
            return
        found = None
        if failure is not None and failure["line"] is not None and self._chosen in self.solving.fresh:
            words = " ".join(filter(None, (failure["sentence"], failure["why"])))
            name = failure["guilty"][0] if failure["guilty"] else ""
            found = Failure(failure["event"], 0.0, name, "", "", "", "", "", words, failure["note"], failure["line"],
                            failure["function"])  # fmt: skip
        if document.failure != found:
            document.show_run(None, None, found)

    def _show_due(self) -> None:
        assignment = self.solving.assignment
        assert assignment is not None
        now = self.now()
        if assignment.due is None:
            self.due.setText(tr("No deadline"))
        else:
            local = assignment.due.astimezone()
            day = _locale().toString(QDate(local.year, local.month, local.day), QLocale.FormatType.LongFormat)
            time = _locale().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)
            self.due.setText(tr("Due {day}, {time}: {left}", day=day, time=time, left=time_left(assignment.due, now)))
        late = self.solving.lateness(now)
        self.hand.setText(tr("Hand in ({late})…", late=late) if late else tr("Hand in…"))
        mark(self.due, bad=bool(late))
        if self.solving.handed is None:
            self.state.setText(tr("Not handed in yet. You can hand in more than once."))
        else:
            made, path = self.solving.handed
            at = _locale().toString(QTime(made.hour, made.minute), QLocale.FormatType.ShortFormat)
            self.state.setText(tr("Written at {time}: {file}", time=at, file=path.name))
            self.state.setToolTip(str(path))

    def _turned(self, _index: int) -> None:
        self.comparing.setEnabled(self._own)
        self.moved.emit()

    def _compare(self, on: bool) -> None:
        """Show how the file in front differs from the skeleton, or the file itself."""
        name, document = self._name, self.document if self._own else None
        if on and document is not None:
            self.compare.show_texts(self.solving.skeleton(name), document.source, tr("the skeleton"), name)
        self.compare.setVisible(on and document is not None)
        self.tabs.setVisible(not (on and document is not None))

    def go_to(self, line: int) -> None:
        """Show a line of the protocol."""
        assignment = self.solving.assignment
        if assignment is not None and assignment.protocol in self.editors:
            editor = self.editors[assignment.protocol]
            self.comparing.setChecked(False)
            self.tabs.setCurrentWidget(editor)
            editor.go_to_line(line)
            editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep(self) -> None:
        """Keep the failing run as a test of the protocol, which ``lydian check`` runs."""
        assignment, failure = self.solving.assignment, self.shortest.failure
        timeline = self.shortest.playhead.timeline
        if assignment is None or failure is None or timeline is None:
            return
        path = self.solving.work / assignment.protocol
        try:
            experiment = from_dict({**timeline.trace.experiment, "protocol": assignment.protocol})
            sentence = str(failure["sentence"])
            test = add_test(path, kept(experiment, path, sentence[:60].rstrip(" ."), sentence))
        except LydianError as error:
            self.said.emit(str(error), True, "", None)
            return
        words = tr("Kept as the test “{name}”; lydian check {file} runs it.", name=test.name, file=path.name)
        self.said.emit(words, False, "", None)

    def _answered(self, id: str, value: object) -> None:
        try:
            self.solving.answer(id, value)
        except LydianError as error:
            self.said.emit(str(error), True, "", None)

    # ------------------------------------------------------------------ handing in

    def hand_in(self) -> None:
        """Ask for the student's name and a file, and write the hand-in."""
        assignment = self.solving.assignment
        if assignment is None:
            return
        known = str(self.settings.record("assignment").get("student", ""))
        name, sure = QInputDialog.getText(self, tr("Hand in"), tr("Your name, as your lecturer knows it:"), text=known)
        if not sure or not name.strip():
            return
        slug = "-".join("".join(mark if mark.isalnum() else " " for mark in name.lower()).split())
        offered = self.solving.work.parent / f"{Path(assignment.protocol).stem}-{slug}.lydian"
        path, _kind = QFileDialog.getSaveFileName(self, tr("Hand in"), str(offered), tr("Hand-ins (*.lydian)"))
        if path:
            self.write_hand_in(Path(path), name.strip())

    def write_hand_in(self, path: Path, name: str) -> None:
        """Write the hand-in, and say what it contains."""
        self.settings.set_record("assignment", {**self.settings.record("assignment"), "student": name})
        self.save()
        try:
            told = self.solving.hand_in(path, name, self.now())
        except LydianError as error:
            self.said.emit(str(error), True, "", None)
            return
        points, most = self.solving.points
        self._show_due()
        words = tr(
            "{file} is written, with {points:g} of {most:g} points of the public checks (receipt {print}). "
            "Give this file to your lecturer.", file=path.name, points=points, most=most, print=told,
        )  # fmt: skip
        self.said.emit(words, False, "", None)

    # ------------------------------------------------------------------ the window

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay()

    def _lay(self) -> None:
        """Make the text a tab where there is no room for three columns."""
        narrow = self.width() < NARROW
        if narrow and self.tabs.indexOf(self.text) < 0:
            self.tabs.insertTab(0, self.text, tr("Text"))
            self.tabs.setCurrentIndex(0)
        elif not narrow and self.splitter.indexOf(self.text) < 0:
            self.tabs.removeTab(self.tabs.indexOf(self.text))
            self.splitter.insertWidget(0, self.text)
            self.splitter.setSizes(list(COLUMNS))
            self.text.show()
        self._lay_right()

    def _hold(self) -> None:
        """Keep the heights at the right as the user has chosen them."""
        self._moved_by_hand = True

    def _lay_right(self) -> None:
        """Give the list of checks the height that it needs, but at most half of the column."""
        high = self.height()  # that of the column, once it is laid out
        if not self._moved_by_hand and self.checks.list.count():
            two, one = self.checks.heights
            top = two + 2 if two <= high // 2 else max(150, min(one + 2, high // 2))
            self.right.setSizes([top, max(1, high - top)])

    def close_all(self) -> None:
        """Write the texts, and end the checks."""
        self.save()
        self.solving.close()

    def points_in_words(self) -> str:
        """Return how many public checks hold, for the status line."""
        made = [each for each in self.solving.results.values() if each["state"] != "open"]
        good = sum(each["state"] == "full" for each in made)
        if not made:
            return tr("The checks are running") if self.solving.busy else tr("No check has been made yet")
        return trn("{good} of {count} check holds", "{good} of {count} checks hold", len(made), good=good)


def _locale() -> QLocale:
    """Return the locale of the window's language, for dates; that of Qt is the one for numbers."""
    return QLocale("en_GB" if language() == ENGLISH else language())


def _framed(*parts: QWidget) -> QFrame:
    """Return a panel with parts below each other."""
    panel = QFrame()
    panel.setObjectName("panel")
    tall = Page | QTabWidget | CompareView | ChecksPanel | ShortestRun
    down(*((part, int(isinstance(part, tall))) for part in parts), on=panel, margins=1, spacing=0)
    return panel
