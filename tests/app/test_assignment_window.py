"""The Assignment workspace: a student solves and hands in, a lecturer edits, checks and grades."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot

from lydian.app.assignment.workspace import AssignmentWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.assignment.assignment import Assignment, read
from lydian.assignment.handin import read_hand_in, receipt
from lydian.assignment.package import student_files
from lydian.desk import solving as solvings
from lydian.desk import things
from tests.app.conftest import Open, rest
from tests.assignment.conftest import assignment, folder  # noqa: F401

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
LONG = 60_000


@pytest.fixture(autouse=True)
def checks_begin_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less after a key than for users."""
    monkeypatch.setattr(solvings, "PAUSE", 20)


NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture
def given(assignment: Assignment, tmp_path: Path) -> Path:  # noqa: F811
    """The package of a student, due in three days, with a question and hidden checks."""
    target = tmp_path / "given"
    for name, text in student_files(assignment).items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text, encoding="utf-8")
    file = target / "assignment.toml"
    file.write_text(f"due = {(NOW + timedelta(days=3)).isoformat()}\n{file.read_text()}", encoding="utf-8")
    return target


def opened(
    open_window: Open, qtbot: QtBot, path: Path, size: tuple[int, int]
) -> tuple[MainWindow, AssignmentWorkspace]:
    """Open an assignment, and wait until its checks are made."""
    window = open_window("two-wings", size)
    rest(window, qtbot)
    assert window.documents.open(path)
    workspace = window.workspaces.assignment.workspace
    assert workspace is not None
    workspace.now = lambda: NOW
    settled(qtbot, workspace)
    return window, workspace


def settled(qtbot: QtBot, workspace: AssignmentWorkspace) -> None:
    """Wait until all checks are of the present text."""
    qtbot.waitUntil(lambda: not workspace.solving.busy, timeout=LONG)


def states(workspace: AssignmentWorkspace) -> dict[str, str]:
    return {id: result["state"] for id, result in workspace.solving.results.items()}


def test_a_student_solves_an_assignment_and_hands_it_in(
    open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch,
    assignment: Assignment, given: Path, tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    window, w = opened(open_window, qtbot, given, (1600, 900))
    solving, status = w.solving, window.status.label
    assert window.workspaces.current == "assignment" and window.workspaces.tabs.isTabVisible(5)
    assert window.windowTitle().startswith("Assignment: Broadcast — broadcast.py")
    assert [w.tabs.tabText(i) for i in range(w.tabs.count())] == ["broadcast.py", "my_properties.py", "Answers 0 of 1"]
    assert states(w) == {"runs": "full", "everybody": "failed", "messages": "failed", "question-1": "open"}
    assert status.text() == "1 of 3 checks hold"
    assert w.checks.lock.text() == "2 hidden checks with 2 points: you see them with your feedback."
    assert "3 days left" in w.due.text() and w.hand.text() == "Hand in…"
    assert w.facts.whole.startswith("10 points · about 1 hour")

    # a mistake: the run that shows it, and what it looks like to play it
    wrong = assignment.files["lecturer/mutants/silent.py"]
    document = w.documents["broadcast.py"]
    before = document.source
    document.replace(wrong, "typed")
    assert solving.fresh == {"question-1"} and solving.busy and states(w)["everybody"] == "failed"  # still shown, pale
    settled(qtbot, w)
    assert solving.fresh == {"runs", "everybody", "messages", "question-1"}
    assert w.shortest.failure is not None and w.shortest.failure["after"]["processes"] <= 3
    assert w.shortest.sentence.text() and w.shortest.body.isVisible()
    timeline = w.shortest.playhead.timeline
    assert timeline is not None and w.shortest.playhead.t == w.shortest.playhead.end
    assert w.shortest.camera.fits and w.shortest.at.text().startswith(f"{w.shortest.failure['after']['events']} of")
    w.shortest.to_start()
    w.shortest.forward.click()
    assert w.shortest.playhead.t >= w.shortest.playhead.start

    # an action that fails: its line is marked, and the run can be kept as a test
    document.replace(wrong.replace("self.state = INFORMED", "self.state = INFORMED\n        1 / 0", 1), "typed")
    settled(qtbot, w)
    failure = document.failure
    assert failure is not None and failure.line == w.shortest.failure["line"]
    assert "1 / 0" in document.source.splitlines()[failure.line - 1]
    w.shortest.line.click()
    assert w.editors["broadcast.py"].line == failure.line
    w.shortest.keep.click()
    assert (given / "work" / "broadcast.tests.toml").is_file() and "Kept as the test" in status.text()

    # undo, and a text that is no program
    assert window.actions_by_name["undo"].isEnabled()
    window.actions_by_name["undo"].trigger()
    assert document.source == wrong
    window.actions_by_name["assignment_start_over"].trigger()
    assert document.source == before
    document.replace("def (", "typed")
    settled(qtbot, w)
    assert set(states(w).values()) == {"failed", "open"}
    assert "line 1" in w.shortest.empty.text() and w.shortest.failure is None

    # all hold
    document.replace(assignment.reference["broadcast.py"], "typed")
    w.documents["my_properties.py"].replace(assignment.reference["my_properties.py"], "typed")
    answer = w.answers.fields["question-1"]
    w.tabs.setCurrentWidget(w.answers)
    qtbot.keyClicks(answer, "56")
    assert solving.answers == {"question-1": 56} and w.answers.title == "Answers 1 of 1"
    settled(qtbot, w)
    assert set(states(w).values()) <= {"full", "open"} and solving.points[0] >= 7
    assert w.shortest.failure is None and "All public checks hold" in w.shortest.empty.text()

    # handing in, before and after the deadline
    path = tmp_path / "sent" / "ines.lydian"
    path.parent.mkdir()
    monkeypatch.setattr(QInputDialog, "getText", lambda *_a, **_k: ("Ines Okafor", True))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(path), ""))
    window.actions_by_name["assignment_hand_in"].trigger()
    handed = read_hand_in(path)
    assert (handed.student, handed.answers, handed.made) == ("Ines Okafor", {"question-1": 56}, NOW)
    assert handed.files == {name: each.source for name, each in w.documents.items()}
    assert receipt(handed.files, handed.answers) in status.text() and "ines.lydian" in w.state.text()
    w.now = lambda: NOW + timedelta(days=3, hours=2)
    w.refresh()
    assert w.hand.text() == "Hand in (late: 1 point less)…" and "the deadline has passed" in w.due.text()

    # a narrow window has the text as a tab; the work is there again at the next start
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: w.tabs.tabText(0) == "Text")
    window.close()
    again = open_window(None)
    w = again.workspaces.assignment.workspace
    assert w is not None and again.workspaces.current == "assignment"
    assert w.documents["broadcast.py"].source == assignment.reference["broadcast.py"]
    assert w.answers.title == "Answers 1 of 1" and given in again.recent.files()
    again.actions_by_name["stop"].trigger()
    assert not w.solving.busy


@pytest.mark.slow
def test_a_lecturer_edits_checks_and_grades(
    open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    window, w = opened(open_window, qtbot, folder, (1280, 720))
    labels = [w.tabs.tabText(i) for i in range(w.tabs.count())]
    assert labels[-6:] == ["assignment.toml", "text.md", "properties.py", "reference/broadcast.py",
                           "reference/my_properties.py", "rubric.md"]  # fmt: skip
    assert not w.trouble.isVisible()

    # the assignment's own file: a problem is said in place, and what is right is used at once
    text = w.texts["assignment.toml"]
    w.tabs.setCurrentWidget(text)
    good = text.toPlainText()
    text.selectAll()
    text.insertPlainText(good.replace('kind = "runs"', 'kind = "ruins"'))
    qtbot.waitUntil(w.trouble.isVisible, timeout=LONG)
    assert "unknown kind" in w.trouble.text() and "runs" in w.trouble.text()
    text.selectAll()
    text.insertPlainText(good.replace('title = "It runs"', 'title = "It runs everywhere"'))
    qtbot.waitUntil(lambda: w.checks.list.item(0).text() == "It runs everywhere", timeout=LONG)
    assert not w.trouble.isVisible() and read(folder).checks[0].title == "It runs everywhere"
    settled(qtbot, w)
    assert window.actions_by_name["undo"].isEnabled()

    # checked beside the window
    grading = window.workspaces.assignment._grading
    window.actions_by_name["assignment_trial"].trigger()
    assert grading.busy and window.status.working.text()
    qtbot.waitUntil(lambda: not grading.busy, timeout=LONG)
    assert "The assignment is sound" in window.status.label.text() and not window.status.working.isVisible()

    # grading: a folder of hand-ins, and the page in the browser
    sent, into = tmp_path / "sent", tmp_path / "grades"
    shutil.copytree(folder / "lecturer" / "reference", sent / "ada")
    (sent / "ben").mkdir()
    (sent / "ben" / "broadcast.py").write_text("def (", encoding="utf-8")
    into.mkdir()
    chosen = iter([str(sent), str(into)])
    shown: list[QUrl] = []
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: next(chosen))
    monkeypatch.setattr(QDesktopServices, "openUrl", shown.append)
    window.actions_by_name["assignment_grade"].trigger()
    assert grading.busy
    qtbot.waitUntil(lambda: not grading.busy, timeout=LONG)
    notice = window.desk.notices.shown
    assert notice is not None and notice.act is not None
    assert notice.sentence.startswith("2 hand-ins are graded") and "1 did not run" in notice.sentence
    notice.act()
    assert [each.toLocalFile() for each in shown] == [str(into / "index.html")] * 2
    assert len(json.loads((into / "grades.json").read_text())["hand_ins"]) == 2
    again = iter([str(sent), str(folder)])
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_a: next(again))
    window.actions_by_name["assignment_grade"].trigger()
    qtbot.waitUntil(lambda: not grading.busy, timeout=LONG)
    assert "choose another folder" in window.notice.text


def test_a_ready_assignment_opens_in_a_copy_of_ones_own(
    open_window: Open, qtbot: QtBot, home: Path, folder: Path  # noqa: F811
) -> None:  # fmt: skip
    shutil.copytree(folder, home / "resources" / "assignments" / "broadcast")
    window = open_window("two-wings")
    (window.ready.menu.aboutToShow).emit()
    entry = next(each for each in window.ready.menu.actions() if each.text() == "Broadcast")
    entry.trigger()
    solving = window.workspaces.assignment.solving
    assert solving.assignment is not None and solving.assignment.folder == home / "assignments" / "broadcast"
    assert not solving.assignment.reference and window.desk.commands.why_not("assignment_grade")
    solving.stop()
    (solving.work / "broadcast.py").write_text("mine = True\n", encoding="utf-8")
    (thing,) = [each[0] for each in things._assignments() if each[0].title == "Broadcast"]
    window.finder._acts["assignment"](thing)  # as from the command box
    assert solving.text("broadcast.py") == "mine = True\n"


def test_what_cannot_be_opened_is_reported(open_window: Open, qtbot: QtBot, given: Path) -> None:
    window = open_window("two-wings")
    for name in ("assignment_check", "assignment_hand_in", "assignment_grade"):
        assert window.desk.commands.why_not(name) == "No assignment is open"
    assert not window.workspaces.tabs.isTabVisible(5)
    (given / "assignment.toml").write_text("title = 3\n", encoding="utf-8")
    window.documents.open(given)
    assert "assignment.toml" in window.notice.text and window.workspaces.current == "run"
