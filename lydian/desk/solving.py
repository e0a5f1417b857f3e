"""An assignment that a student works on: the files, the answers, and the results of the public checks."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from lydian.assignment.assignment import ANSWERS, MOST_BYTES, Assignment, Check, read
from lydian.assignment.handin import answers_from, receipt, write_hand_in
from lydian.assignment.marking import fingerprint
from lydian.assignment.serve import ENTRY
from lydian.desk.conversation import Conversation
from lydian.desk.loop import Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.language import tr, trn
from lydian.model.errors import BadInput
from lydian.model.reading import read_text, write_text

__all__ = ["PAUSE", "WORK", "Solving", "time_left"]

#: The folder in that of the assignment that contains the student's files.
WORK = "work"
#: Milliseconds after the last change before the checks run.
PAUSE = 800


class Solving:
    """An assignment with the student's work on it.

    Attributes:
        assignment: the assignment that is open, ``None`` if none is.
        work: the folder with the student's files.
        results: check -> its latest result.
        fresh: the checks whose results belong to the current text.
        problem: why the checks could not be made, "" if they could.
        handed: when and where the latest hand-in was written, ``None`` if there is none.
        opened: emitted when another assignment is open.
        reread: emitted when the files of the assignment itself have changed.
        changed: emitted when the results or their state have changed.
    """

    def __init__(self, loop: Loop) -> None:
        self.opened, self.reread, self.changed = Signal(), Signal(), Signal()
        self.assignment: Assignment | None = None
        self.work = Path()
        self.results: dict[str, dict[str, Any]] = {}
        self.fresh: set[str] = set()
        self.answers: dict[str, Any] = {}
        self.problem = ""
        self.handed: tuple[datetime, Path] | None = None
        self.now: tuple[str, int, int] = ("", 0, 0)  # the check that is being made, its runs so far, and all of them
        self._texts: dict[str, str] = {}
        self._runs: tempfile.TemporaryDirectory[str] | None = None
        self._conversation = Conversation(loop, ENTRY)
        self._conversation.heard.connect(self._heard)
        self._conversation.gone.connect(self._gone)
        self._timer = loop.timer(self.check)
        self._again = loop.timer(self.read_again)

    # ------------------------------------------------------------------ the files

    def open(self, folder: Path | str) -> None:
        """Open an assignment; files that the student does not have yet are copied from the skeleton.

        Raises:
            BadInput: it cannot be used, or nothing can be written beside it.
        """
        assignment = read(folder)
        work = assignment.folder.absolute() / WORK
        try:
            work.mkdir(exist_ok=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise BadInput(f"cannot be created ({why}); copy the assignment to a folder of yours", file=work) from None
        for name in assignment.hand_in:
            if not (work / name).exists():
                write_text(work / name, assignment.skeleton.get(name, ""))
        self.stop()
        self.assignment, self.work, self.problem, self.handed = assignment, work, "", None
        self.results, self.fresh, self._texts, self.answers = {}, set(), {}, {}
        if (work / ANSWERS).is_file():
            try:
                self.answers = answers_from((work / ANSWERS).read_text(encoding="utf-8-sig"), str(work / ANSWERS))
            except (BadInput, OSError, UnicodeDecodeError) as error:
                self.problem = str(error)
        self.opened.emit()

    def read_soon(self) -> None:
        """The lecturer has changed a file of the assignment: it is read again after a pause."""
        self._again.start(PAUSE)

    def read_again(self) -> None:
        """Read the assignment again and make all checks; while it cannot be used, say why and keep everything."""
        self._again.stop()
        if self.assignment is None:
            return
        try:
            self.assignment = read(self.assignment.folder)
        except BadInput as error:
            self.stop()
            self.problem = str(error)
            self.changed.emit()
            return
        self.results, self.problem = {}, ""
        self.reread.emit()
        self.check(all=True)

    @property
    def paths(self) -> dict[str, Path]:
        """The student's files: name -> path."""
        return {} if self.assignment is None else {name: self.work / name for name in self.assignment.hand_in}

    def text(self, name: str) -> str:
        """Return the text of a file as it was last edited."""
        if name not in self._texts:
            path = self.work / name
            self._texts[name] = read_text(path, "a file of the hand-in", MOST_BYTES) if _written(path) else ""
        return self._texts[name]

    def skeleton(self, name: str) -> str:
        """Return the text from which a file began."""
        return "" if self.assignment is None else self.assignment.skeleton.get(name, "")

    # ------------------------------------------------------------------ the checks

    def edited(self, name: str, text: str) -> None:
        """A file has another text: its results no longer belong to it, and the checks run soon."""
        if self.assignment is None or self._texts.get(name) == text:
            return
        self._texts[name] = text
        self._outdated({each.id for each in self.assignment.public if each.kind.name not in ("question", "written")})

    def answer(self, check: str, value: Any) -> None:
        """Keep an answer; ``None`` removes it.

        Raises:
            BadInput: the file of the answers cannot be written.
        """
        import tomli_w

        if self.answers.get(check) == value or (value is None and check not in self.answers):
            return
        self.answers = {**self.answers, check: value}
        if value is None:
            del self.answers[check]
        write_text(self.work / ANSWERS, tomli_w.dumps(self.answers))
        self._outdated({check})

    def _outdated(self, checks: set[str]) -> None:
        self.fresh -= checks
        self._conversation.drop()
        self.now = ("", 0, 0)
        self._timer.start(PAUSE)
        self.changed.emit()

    @property
    def busy(self) -> bool:
        """Whether checks are being made or will be soon."""
        return self._conversation.alive or self._timer.active

    def check(self, *, all: bool = False) -> None:
        """Run the public checks whose results do not belong to the current text, or all of them."""
        if self.assignment is None:
            return
        if all:
            self.fresh.clear()
        self._timer.stop()
        wanted = [each.id for each in self.assignment.public if each.id not in self.fresh]
        if not wanted:
            return
        if self._runs is None:
            self._runs = tempfile.TemporaryDirectory(prefix="lydian-checks-")
        self.problem = ""
        files = {name: self.text(name) for name in self.assignment.hand_in}
        self._conversation.start(
            wire.Mark(str(self.assignment.folder), files, dict(self.answers), checks=wanted, runs=self._runs.name)
        )
        self.changed.emit()

    def stop(self) -> None:
        """Run no more checks until something changes."""
        self._timer.stop()
        self._again.stop()
        self._conversation.drop()
        self.now = ("", 0, 0)
        self.changed.emit()

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            self.now = str(said.done.get("check", "")), int(said.done.get("runs", 0)), int(said.done.get("of", 0))
        elif isinstance(said, wire.Partial):
            result = said.found["check"]
            failure = result.get("failure")
            if failure and failure.get("run") and self._runs is not None:
                failure["run"] = str(Path(self._runs.name) / Path(failure["run"]).name)
            self.results[result["id"]] = result
            self.fresh.add(result["id"])
        elif isinstance(said, wire.Error):
            self.problem = said.text
            self._conversation.drop()
        elif isinstance(said, wire.Result):
            self._conversation.drop()
        if isinstance(said, wire.Error | wire.Result):
            self.now = ("", 0, 0)
        self.changed.emit()

    def _gone(self, why: str) -> None:
        self.now = ("", 0, 0)
        self.problem = why
        self.changed.emit()

    # ------------------------------------------------------------------ the results

    def of(self, check: Check) -> dict[str, Any] | None:
        """Return the latest result of a check."""
        return self.results.get(check.id)

    @property
    def points(self) -> tuple[float, float]:
        """The points of the public checks so far, and the most."""
        public = () if self.assignment is None else self.assignment.public
        got = sum(float(self.results[each.id]["points"]) for each in public if each.id in self.results)
        return round(got, 1), round(sum(each.points for each in public), 1)

    @property
    def failing(self) -> list[dict[str, Any]]:
        """The results with a run that fails, the costliest first."""
        found = [each for each in self.results.values() if each.get("failure")]
        return sorted(found, key=lambda each: each["points"] - each["most"])

    # ------------------------------------------------------------------ handing in

    def hand_in(self, path: Path, student: str, made: datetime) -> str:
        """Write the hand-in, and return its receipt.

        Raises:
            BadInput: it cannot be written.
        """
        assert self.assignment is not None
        results = [self.results[each.id] for each in self.assignment.public if each.id in self.results]
        points, _ = self.points
        public: Mapping[str, Any] = {"points": points, "fingerprint": fingerprint(results)}
        files = {name: self.text(name) for name in self.assignment.hand_in}
        write_hand_in(path, self.assignment, student, files, self.answers, made, public)
        self.handed = made, path
        self.changed.emit()
        return receipt(files, self.answers)

    def lateness(self, now: datetime) -> str:
        """Return what a hand-in would lose now because it is late, "" if nothing."""
        due = None if self.assignment is None else self.assignment.due
        if self.assignment is None or due is None or now <= due:
            return ""
        late = self.assignment.late
        lost = late.lost(self.assignment.most, now - due)
        if lost >= self.assignment.most:
            return tr("too late for any points")
        return trn("late: {n} point less", "late: {n} points less", round(lost) if lost == round(lost) else 2,
                   n=f"{lost:g}") if lost else tr("late")  # fmt: skip

    def close(self) -> None:
        """End the checks, and remove their runs."""
        self._timer.stop()
        self._again.stop()
        self._conversation.close()
        if self._runs is not None:
            shutil.rmtree(self._runs.name, ignore_errors=True)
            self._runs.cleanup()
            self._runs = None


def _written(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def time_left(due: datetime, now: datetime) -> str:
    """Return how long it is until a deadline, in days, hours or minutes."""
    left = due - now
    if left <= timedelta():
        return tr("the deadline has passed")
    if left >= timedelta(days=1):
        days = left // timedelta(days=1)
        return trn("{n} day left", "{n} days left", days, n=days)
    if left >= timedelta(hours=1):
        hours = left // timedelta(hours=1)
        return trn("{n} hour left", "{n} hours left", hours, n=hours)
    minutes = max(1, left // timedelta(minutes=1))
    return trn("{n} minute left", "{n} minutes left", minutes, n=minutes)
