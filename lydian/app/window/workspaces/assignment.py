"""The Assignment workspace: its commands, and its connections to the rest of the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from lydian.app.panels.help.helptry import kind_of
from lydian.app.panels.help.helpwords import place_of_word
from lydian.app.window.workspaces.grading import GradingWork
from lydian.app.window.workspaces.place import Front, QtWorkspace, Typing
from lydian.app.work.loop import Loop
from lydian.assignment.assignment import is_assignment
from lydian.assignment.ready import copy_of
from lydian.desk.solving import Solving
from lydian.language import tr, trc
from lydian.model.errors import LydianError

if TYPE_CHECKING:
    from lydian.app.assignment.workspace import AssignmentWorkspace
    from lydian.desk.guide.pages import Place as GuidePlace
    from lydian.desk.workspaces import Steps

__all__ = ["AssignmentPlace"]

#: The commands for an assignment, and those that need the lecturer's files.
STUDENTS = ("assignment_check", "assignment_hand_in", "assignment_compare", "assignment_start_over")
LECTURERS = ("assignment_trial", "assignment_grade")
#: The record of the settings with the student's name and the assignment that was open.
RECORD = "assignment"


class AssignmentPlace(QtWorkspace):
    """The workspace of an assignment, with its commands.

    Attributes:
        solving: the assignment that is open.

    Args:
        front: the part of the window that shows it.
        asked: follows a ``lydian:`` link.
        help: shows a page of the guide.
    """

    name, word, about = "assignment", trc("workspace", "Assignment"), tr("Solve an assignment (Ctrl+Tab)")
    workspace: AssignmentWorkspace | None

    def __init__(self, front: Front, asked: Callable[[str, str], object], help: Callable[[GuidePlace], object]) -> None:
        super().__init__(front)
        self._asked, self._show_help = asked, help
        self.solving = Solving(Loop(self))
        self._was = ""  # the workspace that was in front before
        self.solving.changed.connect(self._say)
        for name in (*STUDENTS, *LECTURERS):
            self.desk.commands.hinder(name, "assignment", tr("No assignment is open"))
        self._grading = GradingWork(self.desk, self)
        self.desk.workspaces.changed.connect(self._moved)
        self.desk.session.run_ready.connect(lambda _run, _play: self._say())  # a run behind it says nothing here

    def made(self) -> AssignmentWorkspace:
        """Return the workspace; make it at the first call."""
        if self.workspace is None:
            from lydian.app.assignment.workspace import AssignmentWorkspace

            w = self.workspace = AssignmentWorkspace(self.solving, self.desk.settings, self.stage.theme)
            self.front.stack.addWidget(w)
            w.said.connect(self.front.say)
            w.run_wanted.connect(self.open_run)
            w.help_wanted.connect(self._help)
            w.asked.connect(lambda verb, what: self._asked(verb, what))
            w.moved.connect(self.front.say_title)
            w.moved.connect(self.front.say_undo)
        return self.workspace

    @property
    def title(self) -> str:
        return self.word if self.workspace is None else self.workspace.title

    @property
    def used(self) -> bool:
        return self.solving.assignment is not None

    @property
    def steps(self) -> Steps | None:
        text = None if self.workspace is None else self.workspace.text_in_front
        return None if text is None else Typing(text)

    def acts(self) -> dict[str, Callable[[], object]]:
        if self.workspace is None:
            return {}
        return {"save": self.workspace.save, "run": partial(self.solving.check, all=True)}

    def come(self) -> None:
        w = self.made()
        self.bring(w, w.tabs.currentWidget())

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {
            "workspace_assignment": lambda: self.desk.workspaces.show("assignment"),
            "assignment_open": self.choose,
            "assignment_check": lambda: self.solving.check(all=True),
            "assignment_hand_in": lambda: self._do(lambda w: w.hand_in()),
            "assignment_compare": lambda: self._do(lambda w: w.comparing.toggle()),
            "assignment_start_over": lambda: self._do(lambda w: w.start_over()),
            "assignment_trial": lambda: self._do(lambda w: self._grading.check(self._saved(w))),
            "assignment_grade": lambda: self._do(lambda w: self._grading.choose(self._saved(w), w)),
        }

    def _do(self, what: Callable[[AssignmentWorkspace], object]) -> None:
        if self.solving.assignment is not None and self.desk.workspaces.show("assignment"):
            what(self.made())

    def choose(self) -> None:
        """Ask for the folder of an assignment, and open it."""
        folder = QFileDialog.getExistingDirectory(self.made(), tr("Open an assignment"), self.desk.settings.folder)
        if folder:
            self.open(Path(folder))

    def open(self, folder: Path) -> None:
        """Open an assignment, and bring it to the front."""
        if self.made().open(folder):
            for name in STUDENTS:
                self.desk.commands.hinder(name, "assignment", "")
            why = "" if self.made().texts else tr("This is a student's package; it has no solution")
            for name in LECTURERS:
                self.desk.commands.hinder(name, "assignment", why)
            self.desk.workspaces.show("assignment")
            self.front.say_title()

    def open_copy(self, folder: Path) -> None:
        """Open the user's copy of a ready assignment, which is made the first time."""
        try:
            copy = copy_of(folder)
        except LydianError as error:
            self.desk.notices.say(str(error))
            return
        self.open(copy)

    def resume(self) -> None:
        """Open the assignment that was open when the program was closed; do nothing if it cannot be used any more."""
        folder = self.desk.settings.record(RECORD).get("open")
        if isinstance(folder, str) and folder and is_assignment(folder):
            self.open(Path(folder))

    def _saved(self, w: AssignmentWorkspace) -> Path:
        """Write the texts, and return the folder of the assignment."""
        w.save()
        assert self.solving.assignment is not None
        return self.solving.assignment.folder.absolute()

    def _help(self, word: str) -> None:
        """Show the page of the guide about a word of the text in front."""
        document = None if self.workspace is None else self.workspace.document
        if document is not None:
            self._show_help(place_of_word(word, kind_of(word, document.source, 1)))

    def open_run(self, path: Path) -> None:
        """Show a failing run in the Run workspace."""
        if self.desk.workspaces.show("run"):
            self.desk.session.open_hand_in(path)

    def _say(self) -> None:
        if self.desk.workspaces.current == self.name and self.workspace is not None:
            self.desk.say_what_stops(self.solving.busy)
            made = self.solving.results.values()
            bad = bool(self.solving.problem) or any(each["state"] not in ("full", "open") for each in made)
            (self.front.status.refuse if bad else self.front.status.say)(self.workspace.points_in_words())

    def _moved(self, name: str) -> None:
        """Say in the status line what concerns the workspace in front: the checks, or else the run."""
        if name == self.name:
            self._say()
        elif self._was == self.name:
            self.front.status.say_state()
        self._was = name

    def stops(self) -> bool:
        """Stop the checks if they are in front and running; return True if they were stopped."""
        if self.desk.workspaces.current != self.name or not self.solving.busy:
            return False
        self.solving.stop()
        return True

    def close(self) -> None:
        self._grading.close()
        assignment, front = self.solving.assignment, self.desk.workspaces.current == self.name
        record = {**self.desk.settings.record(RECORD)}
        record["open"] = str(assignment.folder.absolute()) if assignment is not None and front else ""
        self.desk.settings.set_record(RECORD, record)
        if self.workspace is not None:
            self.workspace.close_all()
        else:
            self.solving.close()
