"""The lecturer's work on an assignment in the background: checking it, and grading the hand-ins of a class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.work.loop import Loop
from lydian.assignment.lecturing import ENTRY
from lydian.desk.conversation import Conversation
from lydian.desk.desk import Desk
from lydian.engine import wire
from lydian.language import tr, trn

__all__ = ["GradingWork"]


class GradingWork(QObject):
    """The commands *Check the assignment* and *Grade hand-ins*, in a process of their own.

    A grading that is stopped or fails keeps what it has marked, and continues from there when it is started again.
    """

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self.desk = desk
        self._grades = False  # whether hand-ins are graded, and not the assignment checked
        self._done, self._of, self._wrong = 0, 0, [""]
        self.conversation = Conversation(Loop(self), ENTRY)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._over)
        desk.notices.cancelled.connect(self.conversation.stop)

    @property
    def busy(self) -> bool:
        """Whether hand-ins are being graded or an assignment is being checked."""
        return self.conversation.alive

    def check(self, folder: Path) -> None:
        """Mark the reference, the mutants and the skeleton of an assignment."""
        self._start(wire.Grade(str(folder)), grades=False)

    def choose(self, folder: Path, parent: QWidget) -> None:
        """Ask for the hand-ins and for a folder for the grades, and grade."""
        settings = self.desk.settings
        sent = QFileDialog.getExistingDirectory(parent, tr("The folder with the hand-ins"), settings.folder)
        if not sent:
            return
        title = tr("The folder for the grades and the feedback")
        into = QFileDialog.getExistingDirectory(parent, title, str(Path(sent).parent))
        if into:
            self.grade(folder, Path(sent), Path(into))

    def grade(self, folder: Path, submissions: Path, into: Path) -> None:
        """Grade the hand-ins in a folder."""
        self._start(wire.Grade(str(folder), str(submissions), str(into)), grades=True)

    def close(self) -> None:
        """End the work."""
        self.conversation.close()

    def _start(self, wanted: wire.Grade, *, grades: bool) -> None:
        if self.busy:
            self.desk.notices.say(tr("Marking is under way; wait for its end, or cancel it."))
            return
        self._grades, self._done, self._of, self._wrong = grades, 0, 0, []
        self.conversation.start(wanted)
        self._say()

    def _say(self) -> None:
        share = self._done / self._of if self._of else -1.0
        if not self._of:
            words = tr("Reading the hand-ins") if self._grades else tr("Checking the assignment")
        elif self._grades:
            words = tr("Graded: {done} of {of}", done=self._done, of=self._of)
        else:
            words = tr("Tried: {done} of {of}", done=self._done, of=self._of)
        self.desk.notices.work(words, share, tr("Stop, and keep what has been marked"))

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            self._done, self._of = int(said.done.get("hand_ins", 0)), int(said.done.get("of", 0))
            self._say()
        elif isinstance(said, wire.Partial):
            trial = said.found["trial"]
            self._done += 1
            if not trial["good"]:
                self._wrong.append(f"{trial['name']}: {trial['words']}")
            self._say()
        elif isinstance(said, wire.Error):
            self.conversation.drop()
            self._over(said.text)
        elif isinstance(said, wire.Result):
            self.conversation.drop()
            self._over("")
            (self._graded if self._grades else self._checked)(said.result)

    def _over(self, why: str) -> None:
        self.desk.notices.work("", 1.0)
        if why:
            self.desk.notices.say(why)

    def _checked(self, found: dict[str, Any]) -> None:
        """Report the results of the trials."""
        notices, count, of = self.desk.notices, int(found["count"]), int(found["of"])
        if self._wrong:
            first = self._wrong[0]
            more = len(self._wrong) - 1
            rest = trn("{count} more is not as it should be", "{count} more are not as they should be", more)
            notices.say(f"{first}." + (f" {rest}." if more else ""))
        elif count < of:
            notices.say(tr("Stopped after {count} of {of} trials; all of them were as they should be.",
                           count=count, of=of), False)  # fmt: skip
        else:
            notices.say(tr("The assignment is sound: the solution has all points, each planted mistake loses some, "
                           "and the skeleton loads."), False)  # fmt: skip

    def _graded(self, found: dict[str, Any]) -> None:
        """Show the page for the lecturer, and offer it."""
        count, page = int(found["count"]), Path(str(found["page"]))
        if found["complete"]:
            words = trn("{count} hand-in is graded, {mean:.1f} points on average; {idle} did not run.",
                        "{count} hand-ins are graded, {mean:.1f} points on average; {idle} did not run.",
                        count, mean=found["mean"], idle=found["idle"])  # fmt: skip
        else:
            words = tr("Stopped after {count} of {of} hand-ins. These are kept; grading again continues from there.",
                       count=count, of=self._of)  # fmt: skip

        def show() -> None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(page.absolute())))

        if found["complete"]:
            show()
        self.desk.notices.show(words, problem=False, button=tr("Show the grades"), act=show)
