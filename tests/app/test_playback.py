"""Playback in the window: bookmarks, Go to, Run until, breakpoints, and the time line with the mouse."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTreeWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.panels.timeline import scrubmarks
from lydian.app.panels.timeline.scrubber import Scrubber
from lydian.app.panels.timeline.scrubmarks import HALF, HANDLE, Mark
from lydian.app.panels.timeline.transport import speed_of, speed_text
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.playhead import SPEEDS
from lydian.model.errors import BadInput
from lydian.trace.timeline import Timeline
from lydian.views.playback.bookmarks import Bookmarks
from lydian.views.playback.until import Breakpoint
from lydian.views.selection import NOTHING

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

Key, Mod, LEFT = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton.LeftButton
NO_BUTTON = Qt.MouseButton.NoButton
NONE, CTRL, SHIFT = Mod.NoModifier, Mod.ControlModifier, Mod.ShiftModifier


@pytest.fixture(scope="module")
def shared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window of 1280 x 720 for the whole file, with a run in which process 9 crashes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDIAN_HOME", str(tmp_path_factory.mktemp("home")))
        made = make_window("echo-crash")
        made.resize(1280, 720)
        made.show()
        while made.session.shown is None:
            qapp.processEvents()
        yield made
        made.close()
        made.deleteLater()
        qapp.processEvents()


@pytest.fixture
def window(qtbot: QtBot, shared: MainWindow) -> Iterator[MainWindow]:
    """Provide the shared window without bookmarks and breakpoints."""
    head, playback = shared.playhead, shared.commands.playback
    shared.player.step_seconds = 0.0
    shared.activateWindow()
    playback.waypoints._put((Bookmarks(), ()))
    playback.waypoints.undo.clear()
    head.pause()
    head.set_loop(False)
    head.set_loop_from(None)
    head.set_loop_to(None)
    head.set_pace("time")
    head.set_speed(1.0)
    head.select(NOTHING)
    head.seek(head.start)
    shared.camera.fit()
    shared.desk.notices.show("")
    shared.stage.big_play.hide()
    shared.bottom.condition.leave()
    shared.bottom.transport.ask.close_field()
    shared.bottom.scrubber.chosen = ""
    shared.stage.canvases["basic"].setFocus()
    qtbot.waitUntil(shared.stage.canvases["basic"].hasFocus)
    yield shared
    head.pause()


def press(window: MainWindow, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(window.stage.canvases["basic"], key, held)


def drag(line: QWidget, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(line, LEFT, NONE, start)
    for part in (0.3, 0.7, 1.0):
        QTest.mouseMove(line, start + (end - start) * part)
    QTest.mouseRelease(line, LEFT, NONE, end)


def at(line: Scrubber, t: float, y: int = 30) -> QPoint:
    return QPoint(round(line.place(t)), y)


def rows(window: MainWindow) -> dict[str, QTreeWidgetItem]:
    marks = window.commands.playback.marks
    assert marks is not None
    return {item.text(0): item for item in marks.items() if item.data(0, Qt.ItemDataRole.UserRole) is not None}


def write(field: QLineEdit, text: str) -> None:
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Key.Key_Return)


# ---------------------------------------------------------------------- bookmarks


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_play_is_the_filled_button_of_its_row(window: MainWindow, theme: str) -> None:
    window.looks.choose(theme)
    play = window.findChild(QWidget, "playButton")
    assert play.isVisible()
    picture = play.grab().toImage()
    assert picture.pixelColor(6, picture.height() // 2) == window.theme.color("accent.base")
    window.looks.choose("system")


def test_ctrl_b_asks_for_a_name_and_refuses_a_duplicate(window: MainWindow) -> None:
    head, ask = window.playhead, window.bottom.transport.ask
    head.seek(3.0)
    press(window, Key.Key_B, CTRL)
    assert ask.isVisible() and ask.field.hasFocus() and not window.bottom.transport.clock.isVisible()
    write(ask.field, "the turn")
    assert not ask.isVisible() and window.bottom.transport.clock.isVisible()
    assert [(mark.name, mark.time) for mark in head.bookmarks.marks] == [("the turn", 3.0)]
    assert window.stage.canvases["basic"].hasFocus()  # the focus returns
    head.seek(5.0)
    press(window, Key.Key_B, CTRL)
    write(ask.field, "the turn")
    assert ask.isVisible() and "Two bookmarks have the name 'the turn'" in ask.problem and len(head.bookmarks) == 1
    QTest.keyClick(ask.field, Key.Key_Escape)
    assert not ask.isVisible() and len(head.bookmarks) == 1


def test_the_list_goes_to_renames_deletes_and_restores_bookmarks(qtbot: QtBot, window: MainWindow) -> None:
    head, marks = window.playhead, window.commands.playback.marks
    assert marks is not None
    for t in (2.0, 6.0):
        head.seek(t)
        press(window, Key.Key_B)
    window.actions_by_name["view_bookmarks"].trigger()
    qtbot.waitUntil(marks.isVisible)
    tree = marks.tree
    crash = next(mark for mark in head.marks if mark.kind == "fault")
    assert {"Bookmark 1", "Bookmark 2", "process 9 crashes"} < set(rows(window))  # violations are listed
    for name, t in (("Bookmark 1", 2.0), ("process 9 crashes", crash.time)):
        box = tree.visualItemRect(rows(window)[name])
        QTest.mouseClick(tree.viewport(), LEFT, NONE, box.center())
        assert head.t == t
    tree.setCurrentItem(rows(window)["Bookmark 2"])
    QTest.keyClick(tree, Key.Key_F2)
    editor = tree.findChild(QLineEdit)
    assert editor is not None
    write(editor, "the end")
    qtbot.waitUntil(lambda: "the end" in head.bookmarks)
    assert [mark.name for mark in head.bookmarks.marks] == ["Bookmark 1", "the end"]
    tree.setCurrentItem(rows(window)["the end"])
    QTest.keyClick(tree, Key.Key_Delete)
    assert "the end" not in head.bookmarks and "the end" in window.notice.text
    window.notice.button.click()
    assert "the end" in head.bookmarks
    QTest.keyClick(tree, Key.Key_Z, CTRL)  # undoes the renaming, as the deletion is already undone
    assert "Bookmark 2" in head.bookmarks
    window.stage.show_view("bookmarks", False)


def test_a_bookmark_can_be_dragged_renamed_and_deleted_on_the_time_line(window: MainWindow) -> None:
    head, line = window.playhead, window.bottom.scrubber
    head.seek(3.0)
    press(window, Key.Key_B)
    head.seek(8.0)
    line.grab()
    drag(line, at(line, 3.0, 6), at(line, 5.0, 6))
    assert head.bookmarks.get("Bookmark 1").time == pytest.approx(5.0, abs=0.1)
    assert head.t == 8.0  # the play head was not dragged
    moved = head.bookmarks.get("Bookmark 1").time
    QTest.mouseClick(line, LEFT, NONE, at(line, moved, 6))
    assert head.t == moved
    QTest.mouseDClick(line, LEFT, NONE, at(line, moved, 6))
    ask = window.bottom.transport.ask
    assert ask.field.text() == "Bookmark 1"
    write(ask.field, "here")
    assert [mark.name for mark in head.bookmarks.marks] == ["here"]
    QTest.mouseClick(line, LEFT, NONE, at(line, moved, 6))
    QTest.keyClick(line, Key.Key_Delete)
    assert not len(head.bookmarks)
    QTest.keyClick(line, Key.Key_Z, CTRL)
    assert "here" in head.bookmarks


def test_bookmarks_and_breakpoints_are_kept_between_sessions(window: MainWindow, qtbot: QtBot) -> None:
    waypoints = window.commands.playback.waypoints
    waypoints.add(2.5, "again")
    waypoints.add(900.0, "later")
    waypoints.add_break(Breakpoint("state", "acked", process="99"))
    waypoints.add_break(Breakpoint("message", "Ack", kind="receive", on=False))
    kept = json.loads(waypoints.file.read_text(encoding="utf-8"))["kept"]
    assert any(len(entry["breakpoints"]) == 2 for entry in kept.values())
    other = make_window("echo-crash")
    qtbot.addWidget(other)
    qtbot.waitUntil(lambda: other.session.shown is not None, timeout=20_000)
    again = other.commands.playback.waypoints
    assert again.head.bookmarks == waypoints.head.bookmarks and again.breakpoints == waypoints.breakpoints
    # an entry that does not apply to this run stays in the list with an explanation
    assert "no process '99'" in again.problem(0) and not again.problem(1)
    assert "later" not in [mark.name for mark in other.playhead.marks]
    other.documents.session.start(other.shelf.archive.experiment("two-wings"))
    assert not len(other.playhead.bookmarks) and not again.breakpoints
    other.close()


def test_a_damaged_file_of_marks_is_ignored(window: MainWindow) -> None:
    waypoints = window.commands.playback.waypoints
    waypoints.file.write_text('{"kept": [1', encoding="utf-8")
    assert waypoints._read() == {}


# ---------------------------------------------------------------------- go to


@pytest.mark.parametrize(("text", "where"), [("7.5", 7.5), ("t = 2", 2.0), ("HERE", 4.25), ("9 cra", None)])
def test_g_goes_to_the_typed_target(window: MainWindow, text: str, where: float | None) -> None:
    head, ask = window.playhead, window.bottom.transport.ask
    window.commands.playback.waypoints.add(4.25, "here")
    press(window, Key.Key_G)
    write(ask.field, text)
    assert not ask.isVisible()
    assert head.t == (next(m.time for m in head.marks if m.kind == "fault") if where is None else where)


def test_g_goes_to_an_event_and_to_a_condition(window: MainWindow) -> None:
    head, ask = window.playhead, window.bottom.transport.ask
    assert head.timeline is not None
    press(window, Key.Key_G)
    write(ask.field, "#20")
    assert head.t == float(head.timeline.time[20])
    press(window, Key.Key_G)
    write(ask.field, "9 is waiting")
    assert head.timeline.states[head.timeline.states_at(head.position)[head.timeline.processes.index("9")]] == "waiting"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("900", "The run ends at"),
        ("#9999", "This run has no event 9999"),
        ("nowhere", 'There is no bookmark named "nowhere"'),
        ("99 is waiting", "This run has no process '99'"),
        ("-4", "A time must be a finite number"),
    ],
)
def test_g_explains_invalid_input_in_place(window: MainWindow, text: str, said: str) -> None:
    ask = window.bottom.transport.ask
    window.playhead.seek(2.0)
    press(window, Key.Key_G)
    write(ask.field, text)
    assert ask.isVisible() and said in ask.problem and window.playhead.t == 2.0
    QTest.keyClicks(ask.field, "1")
    assert not ask.problem
    QTest.keyClick(ask.field, Key.Key_Escape)
    assert not ask.isVisible()


# ---------------------------------------------------------------------- run until, breakpoints


def choose(window: MainWindow, **values: str | None) -> None:
    """Set the fields of the bar through their lists, as a user does."""
    bar = window.bottom.condition
    for name, value in values.items():
        combo = getattr(bar, name)
        row = next(i for i in range(combo.count()) if combo.itemData(i) == value)
        combo.setCurrentIndex(row)
        combo.activated.emit(row)


def test_run_until_plays_to_the_condition_and_reports_the_stop(window: MainWindow) -> None:
    head, bar = window.playhead, window.bottom.condition
    before = window.bottom.height()
    press(window, Key.Key_J, CTRL)
    assert bar.isVisible() and window.bottom.height() > before
    choose(window, what="state", process="9", state="waiting")
    QTest.mouseClick(bar.run, LEFT)
    assert head.playing and "Running until" in bar.note.text()
    for _ in range(400):
        window.player.tick(0.25)
    found = Breakpoint("state", "waiting", "9").hit(head.timeline, 0, head.events)  # type: ignore[arg-type]
    assert found is not None and not head.playing
    assert head.t == float(head.timeline.time[found])  # type: ignore[union-attr]
    assert f"event #{found}" in bar.note.text()
    assert not window.player.timer.isActive()
    QTest.mouseClick(bar.run, LEFT)
    assert not head.playing and "Never after this moment" in bar.note.text()
    QTest.mouseClick(bar.close_button, LEFT)
    assert not bar.isVisible() and window.bottom.height() == before


def test_a_condition_that_never_holds_is_reported_and_nothing_moves(window: MainWindow) -> None:
    head, bar = window.playhead, window.bottom.condition
    head.seek(1.0)
    for what, text, said in (
        ("time", "999", "This run ends at"),
        ("event", "9999", "This run has no event 9999"),
        ("predicate", "nothing == 1", "no process has a variable 'nothing'"),
        ("time", "soon", 'the time is "soon"; it must be a number such as 7.5'),
    ):
        window.actions_by_name["run_until"].trigger()
        choose(window, what=what)
        write(bar.text, text)
        assert said.lower() in bar.note.text().lower() and not head.playing and head.t == 1.0
    choose(window, what="violation")
    QTest.mouseClick(bar.jump, LEFT)
    assert bar.note.text() and (head.t > 1.0) == bool([m for m in head.marks if m.kind == "violation"])


def test_escape_cancels_run_until_and_then_closes_the_bar(window: MainWindow) -> None:
    head, bar = window.playhead, window.bottom.condition
    window.actions_by_name["run_until"].trigger()
    choose(window, what="time")
    write(bar.text, str(head.end))
    assert head.playing
    window.player.tick(0.1)
    press(window, Key.Key_Escape)
    assert not head.playing and bar.isVisible() and "Stopped before" in bar.note.text()
    press(window, Key.Key_Escape)
    assert not bar.isVisible()


def test_a_jump_is_immediate_and_can_be_reversed(window: MainWindow) -> None:
    head, bar = window.playhead, window.bottom.condition
    assert head.timeline is not None
    window.actions_by_name["run_until"].trigger()
    choose(window, what="message", kind="receive", label="Ack", process=None, peer=None)
    hits = Breakpoint("message", "Ack", kind="receive").hits(head.timeline)
    QTest.mouseClick(bar.jump, LEFT)
    assert head.t == float(head.timeline.time[hits[0]])
    QTest.mouseClick(bar.jump, LEFT)
    assert head.t == float(head.timeline.time[hits[1]])
    QTest.mouseClick(bar.back, LEFT)
    assert head.t == float(head.timeline.time[hits[0]])


def test_f9_adds_a_breakpoint_with_a_checkbox(qtbot: QtBot, window: MainWindow) -> None:
    head, bar, playback = window.playhead, window.bottom.condition, window.commands.playback
    press(window, Key.Key_F9)
    choose(window, what="state", process="9", state="waiting")
    QTest.mouseClick(bar.keep, LEFT)
    wanted = Breakpoint("state", "waiting", "9")
    assert playback.waypoints.breakpoints == (wanted,)
    assert [mark.sign for mark in window.bottom.scrubber.marks].count("stop") == len(wanted.hits(head.timeline))  # type: ignore[arg-type]
    window.stage.show_view("bookmarks", True)
    item = rows(window)[str(wanted)]
    tree = playback.marks.tree  # type: ignore[union-attr]
    qtbot.waitUntil(tree.isVisible)
    tree.setCurrentItem(item)
    QTest.keyClick(tree, Key.Key_Space, CTRL)
    qtbot.waitUntil(lambda: not playback.waypoints.breakpoints[0].on)
    assert not head.stops[0].enabled
    press(window, Key.Key_F9, CTRL)
    assert playback.waypoints.breakpoints[0].on
    head.seek(head.start)
    head.set_speed(1000.0)
    head.play()
    window.player.tick(0.25)
    hit = wanted.hits(head.timeline)[0]  # type: ignore[arg-type]
    assert not head.playing and head.t == float(head.timeline.time[hit])  # type: ignore[union-attr]
    assert "process 9 enters the state waiting" in window.status.label.text()
    tree.setCurrentItem(rows(window)[str(wanted)])
    QTest.keyClick(tree, Key.Key_Delete)
    assert not playback.waypoints.breakpoints and not head.stops
    window.stage.show_view("bookmarks", False)


def test_a_breakpoint_at_a_time_stops_exactly_in_both_directions(window: MainWindow) -> None:
    head = window.playhead
    head.seek(3.3)
    press(window, Key.Key_F9, SHIFT)
    for start, way in ((head.start, 1), (head.end, -1)):
        for speed in (1.0, 1000.0):
            head.set_speed(speed)
            head.seek(start)
            head.play(way)
            for _ in range(400):
                head.advance(0.2)
            assert head.t == 3.3 and not head.playing
            assert head.stopped is not None and "time 3.3" in head.stopped.words
    head.seek(3.3)
    press(window, Key.Key_F9, SHIFT)
    assert not head.stops


# ---------------------------------------------------------------------- the time line


def test_the_ends_of_the_loop_can_be_dragged(window: MainWindow) -> None:
    head, line = window.playhead, window.bottom.scrubber
    head.set_loop_from(2.0)
    head.set_loop_to(6.0)
    head.set_loop(True)
    head.seek(4.0)
    drag(line, at(line, 2.0), at(line, 3.0))
    drag(line, at(line, 6.0), at(line, 9.0))
    assert head.span == pytest.approx((3.0, 9.0), abs=0.1) and head.t == 4.0
    drag(line, at(line, 3.0), at(line, 11.0))  # never past the other end
    low, high = head.span
    assert low < high == pytest.approx(9.0, abs=0.1)


def test_the_bracket_of_the_visible_interval_can_be_dragged(window: MainWindow) -> None:
    head, line, camera = window.playhead, window.bottom.scrubber, window.camera
    low = camera.whole[0]
    assert camera.fits and line.bracket().isEmpty()  # the run is short
    camera.show(low, 8.0)
    drag(line, at(line, 8.0), at(line, 6.0))
    assert camera.window == pytest.approx((low, 6.0), abs=0.1)
    drag(line, at(line, low), at(line, 2.0))
    assert camera.window == pytest.approx((2.0, 6.0), abs=0.1)
    drag(line, at(line, 4.0), at(line, 5.0))
    assert camera.window == pytest.approx((3.0, 7.0), abs=0.15)
    assert head.at_start and not camera.following
    QTest.mouseClick(line, LEFT, NONE, at(line, 5.0))
    assert head.t == pytest.approx(5.0, abs=0.1) and camera.window == pytest.approx((3.0, 7.0), abs=0.15)
    QTest.mouseClick(line, LEFT, NONE, at(line, 6.0))  # as before each double click
    QTest.mouseDClick(line, LEFT, NONE, at(line, 6.0))
    assert camera.fits and head.t == pytest.approx(5.0, abs=0.1)


def test_the_handles_of_a_narrow_bracket_are_outside_it(window: MainWindow) -> None:
    line, camera = window.bottom.scrubber, window.camera
    camera.show(5.0, 5.01)
    box, (left, right) = line.bracket(), line.grips()
    assert box.width() == 6 and left.right() <= box.left() and right.left() >= box.right()
    middle = round(box.center().y())
    drag(line, QPoint(round(right.center().x()), middle), QPoint(round(right.center().x()) + 60, middle))
    start, stop = camera.window
    assert start == pytest.approx(5.0) and stop > 5.3
    box, (left, right) = line.bracket(), line.grips()
    assert box.width() > 40 and left.left() < box.left() < left.right() and right.left() < box.right() < right.right()


def test_hovering_describes_what_is_under_the_pointer(window: MainWindow, qapp: QApplication) -> None:
    head, line = window.playhead, window.bottom.scrubber
    window.commands.playback.waypoints.add(3.0, "here")
    head.set_loop_from(5.0)
    window.camera.show(6.0, 8.0)
    for place, words, shape in (
        (at(line, 3.0, 6), "Bookmark 'here' at 3.00", Qt.CursorShape.SizeHorCursor),
        (at(line, 5.0), "loop begins at 5.00", Qt.CursorShape.SizeHorCursor),
        (at(line, 8.0), "In view", Qt.CursorShape.SizeHorCursor),
        (at(line, 7.0), "In view: 6.00 to 8.00", Qt.CursorShape.SizeHorCursor),
        (at(line, 4.1), "", Qt.CursorShape.PointingHandCursor),
    ):
        over = QPointF(place)
        moved = QMouseEvent(QEvent.Type.MouseMove, over, line.mapToGlobal(over), NO_BUTTON, NO_BUTTON, NONE)
        qapp.sendEvent(line, moved)
        assert words in line.toolTip() and bool(line.toolTip()) == bool(words) and line.cursor().shape() == shape


MARKS = st.lists(
    st.builds(Mark, st.floats(0, 100), st.sampled_from(tuple(scrubmarks.ORDER)), st.text("abc ", max_size=30)),
    max_size=14,
)


@given(MARKS, st.floats(0, 800), st.sampled_from((200.0, 800.0, 1900.0)))
def test_labels_of_marks_overlap_nothing(marks: list[Mark], handle: float, width: float) -> None:
    def place(t: float) -> float:
        return 14 + t / 100 * (width - 28)

    found = scrubmarks.labels(marks, place, width, lambda text: 7.0 * len(text), handle)
    boxes = [(left, left + room) for _index, left, room in found]
    others = [(x - HALF, x + HALF) for x in scrubmarks.places(marks, place)]
    for number, (low, high) in enumerate(boxes):
        assert low >= 0 and high <= width and low < high
        for low_, high_ in [*boxes[:number], *others, (handle - HANDLE, handle + HANDLE)]:
            assert high <= low_ or low >= high_
    assert len({index for index, _, _ in found}) == len(found)


# ---------------------------------------------------------------------- speed, room


def test_a_click_on_the_speed_allows_typing_it(window: MainWindow) -> None:
    head, bar = window.playhead, window.bottom.transport
    QTest.mouseClick(bar.speed, LEFT)
    write(bar.speed, "3/8")
    assert head.speed == 0.375 and bar.speed.text() == "0.375×" and not bar.speed.hasFocus()
    QTest.mouseClick(bar.speed, LEFT)
    write(bar.speed, "5000")
    assert "from 1/16 to 1000" in bar.trouble.text() and bar.trouble.isVisible() and head.speed == 0.375
    QTest.keyClick(bar.speed, Key.Key_Escape)
    assert bar.trouble.isHidden() and bar.speed.text() == "0.375×"
    press(window, Key.Key_E)
    QTest.mouseClick(bar.speed, LEFT)
    write(bar.speed, "250/s")
    assert head.rate == 250.0 and bar.speed.text() == "250/s"


@given(st.sampled_from(SPEEDS))
def test_every_speed_is_parsed_as_written(speed: float) -> None:
    assert speed_of(speed_text(speed)) == speed


@pytest.mark.parametrize("text", ["", "fast", "1/0", "0", "-2", "nan", "1001", "inf"])
def test_an_invalid_speed_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="the speed is"):
        speed_of(text)


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("width", [1024, 1100, 1280, 1920])
def test_the_transport_never_overlaps_itself(window: MainWindow, projector: bool, width: int) -> None:
    window.looks.project(projector)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(width, 720)
    window.playhead.seek(window.playhead.end)
    bar = window.bottom.transport
    for asking in (False, True):
        if asking:
            window.actions_by_name["go_to"].trigger()
        window.grab()
        parts = [w for w in bar.findChildren(QWidget) if w.isVisible() and w.parentWidget() is bar]
        for number, one in enumerate(parts):
            assert bar.rect().contains(one.geometry()), one.objectName()
            assert not any(one.geometry().intersects(other.geometry()) for other in parts[:number])
    bar.ask.close_field()
    window.looks.project(False)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1280, 720)


# ---------------------------------------------------------------------- exact pictures, and rest


class Paints(QObject):
    """An event filter that counts paint events in the whole program."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Paint, QEvent.Type.UpdateRequest):
            self.seen.append(watched.metaObject().className())
        return False


def test_nothing_runs_and_nothing_is_painted_while_paused(qtbot: QtBot, window: MainWindow, qapp: QApplication) -> None:
    head = window.playhead
    head.play()
    for _ in range(4):
        window.player.tick(0.2)
    press(window, Key.Key_Space)
    assert not head.playing
    window.stage.big_play.hide()
    for _ in range(20):
        qapp.processEvents()
    qtbot.wait(250)  # everything begun during playback has ended
    paints = Paints()
    qapp.installEventFilter(paints)
    try:
        qtbot.wait(250)
    finally:
        qapp.removeEventFilter(paints)
    assert paints.seen == []
    running = [timer for timer in window.findChildren(QTimer) if timer.isActive() and not timer.isSingleShot()]
    assert running == [] and not window.player.timer.isActive()


WAYS = st.lists(
    st.one_of(
        st.tuples(st.just("seek"), st.floats(-1, 20)),
        st.tuples(st.just("play"), st.sampled_from((1.0, -1.0))),
        st.tuples(st.just("advance"), st.floats(0.001, 3)),
        st.tuples(st.just("speed"), st.sampled_from(SPEEDS)),
        st.tuples(st.just("pace"), st.sampled_from((0.0, 1.0))),
        st.tuples(st.just("jump"), st.sampled_from((1.0, -1.0))),
    ),
    max_size=10,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WAYS)
def test_the_picture_does_not_depend_on_the_way_to_a_moment(shared: MainWindow, ways: list[tuple[str, float]]) -> None:
    head = shared.playhead
    assert head.timeline is not None
    acks = Breakpoint("message", "Ack", kind="receive")
    for what, value in ways:
        if what == "seek":
            head.seek(value)
        elif what == "play":
            head.play(int(value))
        elif what == "advance":
            shared.player.tick(value)
        elif what == "speed":
            head.set_speed(value)
        elif what == "pace":
            head.set_pace("events" if value else "time")
        else:
            shared.commands.playback.jump_until(acks, int(value))
    head.pause()
    shared.stage.big_play.hide()
    timeline, seen = head.timeline, 0
    for name in ("basic", "causality", "communication"):
        canvas = shared.stage.canvases[name]
        if not canvas.isVisible():
            continue
        canvas.repaint()
        assert canvas.trouble is None and canvas.frame is not None
        head.timeline = Timeline(timeline.trace)  # a new timeline without caches
        try:
            afresh = canvas.compute()
        finally:
            head.timeline = timeline
        differs = difference(canvas.frame, afresh)
        assert not differs, (name, differs)
        seen += 1
    assert seen


def difference(one: Any, two: Any, where: str = "frame") -> str:
    """Return where two frames differ, or an empty text."""
    if isinstance(one, Timeline):
        return ""
    if type(one) is not type(two):
        return where
    if isinstance(one, np.ndarray):
        alike = one.shape == two.shape and np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
        return "" if alike else where
    if dataclasses.is_dataclass(one):
        parts = [(field.name, getattr(one, field.name), getattr(two, field.name)) for field in dataclasses.fields(one)]
    elif isinstance(one, tuple | list):
        if len(one) != len(two):
            return where
        parts = [(str(i), a, b) for i, (a, b) in enumerate(zip(one, two, strict=True))]
    elif isinstance(one, dict):
        if one.keys() != two.keys():
            return where
        parts = [(str(key), one[key], two[key]) for key in one]
    else:
        return "" if one == two or one is two or one != one else where
    return next((found for name, a, b in parts if (found := difference(a, b, f"{where}.{name}"))), "")


# ---------------------------------------------------------------------- the reason for a stop; keys on the time line


@pytest.mark.parametrize("projector", [False, True])
def test_the_narration_explains_why_playback_stopped(window: MainWindow, projector: bool) -> None:
    head, narration = window.playhead, window.bottom.narration
    window.looks.project(projector)
    try:
        window.commands.playback.add_break(Breakpoint("state", "waiting", "9"))
        head.play()
        for _ in range(400):
            window.player.tick(0.25)
        assert head.stopped is not None and not head.playing
        assert narration.plain.startswith(f"Stopped: {head.stopped.words}. ") and narration.isVisible()
        assert len(narration.plain) > len(f"Stopped: {head.stopped.words}. ")  # the event there is described too
        head.step(1)
        for _ in range(40):
            window.player.tick(0.25)
        assert "Stopped" not in narration.plain
        head.seek(head.start)
        window.bottom.refresh()
        assert "Stopped" not in narration.plain
    finally:
        window.looks.project(False)


def test_tab_focuses_the_time_line_visibly(qtbot: QtBot, window: MainWindow) -> None:
    line, head = window.bottom.scrubber, window.playhead
    assert line.focusPolicy() & Qt.FocusPolicy.TabFocus
    ring = window.theme.color("accent.ring").name()

    def ringed() -> bool:
        return line.grab().toImage().pixelColor(1, line.height() // 2).name() == ring

    assert not ringed()
    line.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(line.hasFocus)
    assert ringed()
    QTest.keyClick(line, Key.Key_Right)
    for _ in range(20):
        window.player.tick(0.25)
    assert head.position == 1
    for t in (3.0, 5.0):
        window.commands.playback.waypoints.add(t)
    QTest.keyClick(line, Key.Key_Down)
    assert head.t == 3.0 and line.chosen == "Bookmark 1"
    QTest.keyClick(line, Key.Key_Down)
    assert head.t == 5.0
    QTest.keyClick(line, Key.Key_Down)
    assert head.t == 5.0 and line.chosen == "Bookmark 2"
    QTest.keyClick(line, Key.Key_Delete)
    assert [mark.name for mark in head.bookmarks.marks] == ["Bookmark 1"]
    QTest.keyClick(line, Key.Key_Up)
    assert head.t == 3.0
    window.stage.canvases["basic"].setFocus()
    qtbot.waitUntil(lambda: not line.hasFocus())
    assert not ringed()
