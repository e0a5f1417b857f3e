"""The run in words in the window: sentences, the text trace, executed code, checks and a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian.app.kit import announcer
from lydian.app.window.mainwindow import MainWindow
from lydian.trace.events import Kind
from lydian.views.words.sentence import explain, line, narrate

Open = Callable[..., MainWindow]
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


def middle(window: MainWindow, row: int, x: int) -> QPoint:
    """Return a point in a row of the text trace."""
    listing = window.stage.trace
    listing.scrollTo(listing.rows.index(row, 0))
    return QPoint(x, listing.visualRect(listing.rows.index(row, 0)).center().y())


def test_the_sentence_gives_the_reason_and_its_tooltip_the_rest(open_window: Open) -> None:
    window = open_window(size=(1280, 720))
    head, narration = window.playhead, window.bottom.narration
    timeline = head.timeline
    assert timeline is not None
    event = next(s for s in range(5, timeline.length) if int(timeline.kind[s]) == Kind.RECEIVE)
    head.seek(float(timeline.time[event]))
    event = head.position - 1
    assert narration.text == narrate(timeline, event, head.animation, rich=True)
    assert narration.explanation == explain(timeline, event, head.animation, rich=True)
    assert len(narration.explanation) > len(narration.text)
    asked = QHelpEvent(QHelpEvent.Type.ToolTip, QPoint(3, 3), QPoint(3, 3))
    QCoreApplication.sendEvent(narration.label, asked)
    assert narration.label.toolTip() == narration.explanation
    head.seek(head.end)
    assert "46 messages" in narration.plain and narration.explanation == narration.text


def test_suggested_names_are_accepted_with_keys(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1600, 900))
    window.commands.find()
    field, pane = window.stage.pane.field, window.stage.pane
    qtbot.keyClicks(field, "mess")
    assert field.popup.isVisible() and field.popup.model().index(0, 0).data().startswith("message=")
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert field.text() == "message=" and field.popup.isVisible()
    qtbot.keyClicks(field, "A")
    qtbot.keyClick(field.popup, Qt.Key.Key_Down)
    qtbot.keyClick(field.popup, Qt.Key.Key_Return)
    assert field.text() == "message=Ack" and not field.popup.isVisible()
    assert pane.matches is not None and len(pane.matches) == 46
    qtbot.keyClicks(field, " and state=ack")
    field.popup.hide()
    assert "there is no state" in pane.sentence.text().lower() and pane.sentence.objectName() == "problem"


def test_matches_are_counted_and_visited_with_the_mouse(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1600, 900))
    window.commands.find()
    pane = window.stage.pane
    assert not pane.on.isVisible()
    pane.field.setText("kind=receive and p=3")
    count = len(pane.matches) if pane.matches is not None else 0
    assert pane.place.text() == f"{count} matches"
    for number in (1, 2):
        qtbot.mouseClick(pane.on, LEFT)
        assert pane.place.text() == f"{number} of {count}"
    qtbot.mouseClick(pane.back, LEFT)
    assert pane.place.text() == f"1 of {count}"
    pane.field.setText("t>100000")
    assert not pane.on.isEnabled() and pane.sentence.objectName() == "explained"


def test_a_click_selects_and_a_click_on_the_time_or_return_goes_there(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1600, 900))
    window.commands.find()
    head, listing = window.playhead, window.stage.trace
    timeline = head.timeline
    assert timeline is not None
    qtbot.mouseClick(listing.viewport(), LEFT, pos=middle(window, 6, 150))
    assert head.selection.event == 6 and head.t < float(timeline.time[6])
    qtbot.mouseClick(listing.viewport(), LEFT, pos=middle(window, 7, 20))
    assert head.selection.event == 7 and head.t == float(timeline.time[7])
    listing.setFocus()
    qtbot.keyClick(listing, Qt.Key.Key_Down)
    chosen = head.selection.event
    assert chosen is not None and chosen > 7
    qtbot.keyClick(listing, Qt.Key.Key_Return)
    assert head.t == float(timeline.time[chosen])


def test_selected_or_all_listed_lines_are_copied_and_saved(
    qtbot: QtBot, open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(size=(1600, 900))
    window.commands.find()
    pane, listing, timeline = window.stage.pane, window.stage.trace, window.playhead.timeline
    assert timeline is not None
    qtbot.mouseClick(listing.viewport(), LEFT, pos=middle(window, 2, 150))
    qtbot.mouseClick(listing.viewport(), LEFT, SHIFT, pos=middle(window, 4, 150))
    qtbot.keyClick(listing, Qt.Key.Key_C, CTRL)
    lines = [line(timeline, seq) for seq in range(timeline.length)]
    assert QGuiApplication.clipboard().text().splitlines() == lines[2:5]
    pane.field.setText("p=5")
    matches = pane.matches
    assert matches is not None
    assert listing.copy(everything=True) == len(matches)
    wanted = [lines[seq] for seq in matches]
    assert QGuiApplication.clipboard().text().splitlines() == wanted
    where = tmp_path / "five.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(where), "Text (*.txt)"))
    pane.save_wanted.emit()
    assert where.read_text(encoding="utf-8").splitlines() == wanted
    shown = listing.viewport().grab().toImage()
    pane.clocks["lamport"].trigger()
    assert listing.clock == "lamport" and listing.viewport().grab().toImage() != shown


def test_a_line_can_filter_for_similar_lines(open_window: Open) -> None:
    window = open_window(size=(1600, 900))
    pane, timeline = window.stage.pane, window.playhead.timeline
    assert timeline is not None
    event = next(s for s in range(timeline.length) if int(timeline.kind[s]) == Kind.RECEIVE)
    for _words, text in pane.filters_of(event):
        pane.field.setText(text)
        assert pane.matches is not None and event in pane.matches and 1 <= len(pane.matches) < timeline.length, text


def test_the_process_view_shows_the_executed_line(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="study")
    head, canvas = window.playhead, window.stage.canvases["step"]
    timeline = head.timeline
    assert timeline is not None
    event = next(s for s in range(timeline.length) if int(timeline.kind[s]) == Kind.SEND and int(timeline.cause[s]) > 0)
    window.stage.maximise("step")
    head.seek(float(timeline.time[event]))
    canvas.grab()
    code = canvas.frame.code
    assert code is not None and canvas.frame.acted >= 0
    places = canvas.painter._places(QRectF(canvas.rect()), canvas.frame)
    assert places.code_lines >= 2 and places.shown_events >= 2
    qtbot.mouseClick(canvas, LEFT, pos=QPointF(places.code.center()).toPoint())
    qtbot.waitUntil(lambda: window.workspaces.current == "protocol")  # the line opens in its file
    written = window.workspaces.protocols.workspace
    assert written is not None
    assert abs(written.code.text.textCursor().blockNumber() + 1 - code.current) <= places.code_lines


def test_a_click_on_a_violated_check_goes_to_the_violation(qtbot: QtBot, open_window: Open) -> None:
    window = open_window("echo-corrupt-parent", size=(1920, 1080), layout="study")
    head, checks = window.playhead, window.stage.checks
    timeline = head.timeline
    assert timeline is not None
    row = next(i for i, check in enumerate(checks.checks) if check["holds"] is False and check["kind"] == "always")
    at = checks.checks[row]["at"]
    checks.scrollToItem(checks.item(row))
    qtbot.mouseClick(checks.viewport(), LEFT, pos=checks.visualItemRect(checks.item(row)).center())
    assert head.t == float(timeline.time[at]) and head.selection.event == at
    assert int(timeline.process[at]) in head.selection.processes and checks.states()[row] is False


def test_a_screen_reader_announces_steps_politely_and_errors_at_once(
    open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("echo-corrupt-parent", size=(1280, 720))
    head, narration, checks = window.playhead, window.bottom.narration, window.stage.checks
    said: list[tuple[str, bool]] = []

    def hear(event: object) -> None:
        if hasattr(event, "politeness"):
            said.append((event.message(), event.politeness() == QAccessible.AnnouncementPoliteness.Assertive))

    monkeypatch.setattr(announcer.QAccessible, "updateAccessibility", hear)
    head.seek(1.0)
    window.desk.notices.say("Something is wrong.", True)
    assert said == []  # no screen reader is active
    monkeypatch.setattr(announcer.QAccessible, "isActive", lambda: True)
    head.step(1)
    assert said == [(narration.plain, False)]
    seconds = [0.0]
    narration.announcer.clock = lambda: seconds[0]
    narration.announcer.polite("now", playing=False)
    said.clear()
    for now, heard in ((1.0, False), (1.9, False), (2.1, True), (3.0, False), (4.2, True)):
        seconds[0] = now
        assert narration.announcer.polite(f"at {now}", playing=True) is heard
    assert [words for words, _ in said] == ["at 2.1", "at 4.2"]
    said.clear()
    window.desk.notices.say("Something is wrong.", True)
    assert said == [("Something is wrong.", True)]
    said.clear()
    head.seek(head.end)
    assert checks.states().count(False) > 0
    assert any(loud and words.startswith("Violated: ") for words, loud in said)
