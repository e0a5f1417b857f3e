"""The Protocol workspace in the real window: failed runs and their explanation, kept runs, other editors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.protocol.workspace import ProtocolWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.app.window.workspaces.protocol import breakpoint_of
from lydian.authoring.failing import Failure
from lydian.model.archive.archive import archive
from lydian.model.protocol.folder import file_lines
from tests.app.conftest import one_window, rest, whole
from tests.protocolfolder import made

Open = Callable[..., MainWindow]

#: The shared window keeps its simulators between tests; :func:`one` checks that they end with it.
pytestmark = [
    pytest.mark.leaves_behind,
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
]

ECHO = archive().find("protocols", "echo").read_text(encoding="utf-8")
#: ECHO with a typical mistake of students: a copy of the news counts as an answer, and so does the answer.
FAULTY = (
    ECHO.replace(
        "        if q in self.pending:\n            self.pending.remove(q)\n            self.close()\n"
        "        else:\n            self.unexpected(m, q)\n",
        "        self.pending.remove(q)\n        self.close()\n",
    )
    .replace(
        '        """\n        self.send(Ack(), to=q)\n',
        '        """\n        self.pending.discard(q)\n        self.send(Ack(), to=q)\n',
    )
    .replace("class Echo(", "class Mine(")
)
#: The same protocol with a missing cell.
OPEN_CELL = ECHO.replace("@on((WAITING, ACKED, INITIATING, FINISHED), Broadcast)", "@on(INITIATING, Broadcast)")
LEFT = Qt.MouseButton.LeftButton


def line_of(text: str, source: str = FAULTY) -> int:
    (found,) = [number for number, line in enumerate(source.splitlines(), 1) if line.strip() == text]
    return found


@pytest.fixture(scope="module")
def one(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for the tests that restore it."""
    with one_window(tmp_path_factory.mktemp("home")) as window:
        yield window


def wait_run(window: MainWindow, qtbot: QtBot) -> None:
    rest(window, qtbot)


@pytest.fixture
def desk(one: MainWindow, qtbot: QtBot) -> ProtocolWorkspace:
    """Provide the workspace in front with a library protocol, and restore the experiment."""
    wait_run(one, qtbot)
    if one.session.undo.can_undo:
        one.session.undo.go(0)
        wait_run(one, qtbot)
    assert one.workspaces.show("protocol")
    w = one.workspaces.protocols.workspace
    assert w is not None
    w.files.open(archive().find("protocols", "echo"))
    return w


def press(window: MainWindow, keys: str) -> None:
    """Send a key to the focused widget of the window, which is the active one."""
    window.activateWindow()
    QApplication.processEvents()
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keySequence(focus, keys)


def failed(window: MainWindow, w: ProtocolWorkspace, qtbot: QtBot, source: str = FAULTY) -> Failure:
    w.files.new(source, "mine.py")
    QTest.mouseClick(w.top.run, LEFT)
    qtbot.waitUntil(lambda: w.runs.failure is not None and whole(window), timeout=20_000)
    assert w.runs.failure is not None
    return w.runs.failure


def test_the_workspace_first_shows_the_protocol_of_the_run(one: MainWindow, desk: ProtocolWorkspace) -> None:
    assert one.workspaces.tabs.tabText(2) == "Protocol" and desk.isVisible()
    assert desk.document.name == "echo.py" and desk.document.read_only and "belongs to the library" in desk.bar.text
    assert desk.top.network.currentText() == "two-wings" and desk.top.seed.text() == "seed 291"
    assert one.windowTitle() == "echo.py — Protocol — LYDIAN[*]" and not one.isWindowModified()
    assert desk.strip.isVisible() and desk.strip.saved.text() == "From the library"
    assert desk.strip.words == "No problems" and desk.steps.done == dict.fromkeys(desk.steps.done, True) | {
        "runs": False
    }


def test_a_failed_run_shows_its_line_moment_and_history(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    failure = failed(one, desk, qtbot)
    remove = line_of("self.pending.remove(q)")
    assert one.workspaces.current == "protocol" and not one.playhead.playing and one.notice.text == ""
    assert failure.line == remove and desk.code.line == remove and desk.code.text.marks.failing == {remove - 1: True}
    (before,) = failure.earlier
    assert before.line == line_of("self.pending.discard(q)") and before.line - 1 in desk.code.text.marks.earlier
    moment = desk.moment
    assert moment.isVisible() and moment.said.text() == failure.sentence
    assert moment.playhead.timeline is not None and moment.playhead.t == failure.time
    assert moment.playhead is not one.playhead and moment.canvas.accessibleName()
    assert moment.way_title.text() == f"How process {failure.process} got there"
    assert [step.role for step in moment.steps][-1] == "failed" and "earlier" in [step.role for step in moment.steps]
    assert moment.values.item(0, 0).text() == "pending"
    assert desk.top.chips["failure"].text() == f"Error at time {failure.time:.2f}"
    assert desk.document.counts is not None and desk.document.counts[failure.cell] >= 1


def test_events_of_the_history_lead_to_their_moment_and_line(
    one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot
) -> None:
    failed(one, desk, qtbot)
    (row,) = [row for row, step in enumerate(desk.moment.steps) if step.role == "earlier"]
    place = desk.moment.way.visualItemRect(desk.moment.way.item(row, 1)).center()
    QTest.mouseClick(desk.moment.way.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place)
    assert desk.code.line == line_of("self.pending.discard(q)")
    assert desk.moment.playhead.t == desk.moment.steps[row].time
    QTest.mouseClick(desk.moment.buttons["message"], LEFT)
    assert desk.moment.python.isVisible() and "KeyError" in desk.moment.python.text()


def test_show_this_moment_moves_all_views(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    failure = failed(one, desk, qtbot)
    QTest.mouseClick(desk.moment.buttons["show"], LEFT)
    assert one.workspaces.current == "run" and one.playhead.t == failure.time
    timeline = one.playhead.timeline
    assert timeline is not None
    assert one.playhead.selection.processes == {timeline.processes.index(failure.process)}
    one.actions_by_name["protocol_failure"].trigger()
    assert one.workspaces.current == "protocol" and desk.code.line == failure.line


def test_stop_here_next_time_sets_a_breakpoint_at_the_event(
    one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot
) -> None:
    failure = failed(one, desk, qtbot)
    QTest.mouseClick(desk.moment.buttons["stop"], LEFT)
    (wanted,) = one.commands.playback.waypoints.breakpoints
    assert wanted == breakpoint_of(failure)
    assert (wanted.value, wanted.process, wanted.peer) == ("Ack", failure.process, failure.sender)
    one.commands.playback.waypoints.delete_breaks()


def test_f9_in_a_function_stops_playback_at_its_event(one: MainWindow, desk: ProtocolWorkspace) -> None:
    waypoints = one.commands.playback.waypoints
    for name, words in (("again", "a process receives Broadcast"), ("start", "kind=init")):
        desk.go_to(desk.document.outline.functions[name] + 1)
        press(one, "F9")
        assert [str(each) for each in waypoints.breakpoints] == [words] and len(desk.code.breaks) == 1
        press(one, "F9")
        assert waypoints.breakpoints == () and desk.code.breaks == ()
    desk.go_to(1)
    press(one, "F9")
    assert waypoints.breakpoints == () and "functions of the table" in one.status.label.text()


def test_a_kept_run_must_pass_next_time(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    failed(one, desk, qtbot)
    QTest.mouseClick(desk.moment.buttons["keep"], LEFT)
    (test,) = desk.kept.tests
    assert desk.kept.isVisible() and "lydian check" in one.status.label.text() and "It failed" in test.about
    QTest.mouseClick(desk.kept.run_button, LEFT)
    qtbot.waitUntil(lambda: desk.kept.all_good is not None, timeout=30_000)
    assert desk.kept.all_good is False
    good = ECHO.replace("class Echo(", "class Mine(")
    desk.document.replace(good, "mended")
    one.actions_by_name["protocol_check"].trigger()
    qtbot.waitUntil(lambda: bool(desk.kept.all_good), timeout=30_000)
    desk.kept.list.setCurrentRow(0)
    QTest.mouseClick(desk.kept.drop, LEFT)
    assert desk.kept.tests == () and desk.document.path is not None
    assert not desk.document.path.with_name("mine.tests.toml").exists()


def test_a_missing_cell_can_be_filled_in_place(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    failure = failed(one, desk, qtbot, OPEN_CELL.replace("class Echo(", "class Mine("))
    assert failure.open and "no action is declared for Broadcast" in desk.failed_bar.text
    assert desk.top.chips["open"].isVisible()
    before = desk.document.source
    QTest.mouseClick(desk.failed_bar.buttons[1], LEFT)
    assert desk.document.outline.cell(*failure.cell).kind == "ignore" and not desk.failed_bar.isVisible()
    one.actions_by_name["undo"].trigger()
    assert desk.document.source == before
    desk.show_failure(failure)
    QTest.mouseClick(desk.failed_bar.buttons[0], LEFT)
    cell = desk.document.outline.cell(*failure.cell)
    assert (cell.kind, cell.function) == ("action", "broadcast_when_" + failure.state)
    assert all(each.kind != "error" for each in desk.document.problems)
    assert desk.code.line == cell.line and not desk.failed_bar.isVisible()
    one.actions_by_name["undo"].trigger()
    assert desk.document.source == before


def test_printed_output_is_shown_beside_the_code(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    assert desk.right.tabText(desk.right.indexOf(desk.printed)) == "Output" and desk.printed.table.isHidden()
    text = ECHO.replace("class Echo(", "class Mine(").replace(
        "    def start(self):\n", '    def start(self):\n        print("it is", self.me)\n        print("two")\n'
    )
    assert text.count("print(") == 2
    desk.files.new(text, "mine.py")
    QTest.mouseClick(desk.top.run, LEFT)
    qtbot.waitUntil(lambda: len(desk.printed.lines) == 2 and whole(one), timeout=20_000)
    first, second = desk.printed.lines
    (starter,) = [name for name in one.session.shown.timeline.processes if first.text == f"it is {name}"]
    assert (first.process, first.time, second.text, second.seq) == (starter, second.time, "two", first.seq)
    assert one.workspaces.show("protocol") and desk.right.tabText(desk.right.indexOf(desk.printed)) == "Output (2)"
    desk.right.setCurrentWidget(desk.printed)
    table = desk.printed.table
    row = table.visualRect(desk.printed.model.index(1, 2)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=row)
    selection = one.playhead.selection
    assert one.workspaces.current == "run" and selection.event == first.seq
    assert [one.playhead.timeline.processes[each] for each in selection.processes] == [starter]
    desk.printed.copy()
    assert QApplication.clipboard().text() == f"{second.time:.4f}\t{starter}\ttwo"
    assert one.workspaces.show("protocol")
    desk.files.open(archive().find("protocols", "flooding"))
    assert not desk.printed.lines and "Nothing was printed" in desk.printed.words.text()


def test_errors_in_the_text_are_shown_and_prevent_a_run(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    shown = one.session.shown
    desk.files.new(FAULTY.replace("self.parent = q", "self.parnt = q"), "typo.py")
    one.actions_by_name["run"].trigger()
    assert one.session.shown is shown and desk.code.line == line_of("self.parent = q")
    assert "parnt" in one.notice.text and desk.strip.words.startswith("1 error")
    desk.document.replace(FAULTY)
    assert one.notice.text == ""
    one.actions_by_name["undo"].trigger()
    one.actions_by_name["run"].trigger()
    assert "parnt" in one.notice.text
    QTest.mouseClick(desk.strip.count, LEFT)
    assert desk.strip.list.isVisible() and desk.strip.list.count() == len(desk.document.problems)
    desk.code.go_to_line(1)
    place = desk.strip.list.visualItemRect(desk.strip.list.item(0)).center()
    QTest.mouseClick(desk.strip.list.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place)
    assert desk.code.line == line_of("self.parent = q")
    QTest.mouseClick(desk.strip.count, LEFT)


def test_messages_about_a_run_disappear_with_its_text(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    desk._created(FAULTY, "gone")
    assert "is ready to run" in desk.bar.text
    one.actions_by_name["run"].trigger()
    qtbot.waitUntil(lambda: desk.runs.failure is not None, timeout=20_000)
    assert desk.bar.text == "" and desk.top.chips["failure"].text().startswith("Error at time ")
    assert desk.moment.failure is not None and desk.document.failure is not None
    desk.document.replace(FAULTY.replace("self.parent = q", "self.parnt = q"))
    assert desk.moment.failure is not None  # the failure remains readable while it is being fixed
    one.actions_by_name["run"].trigger()
    assert "parnt" in one.notice.text
    assert desk.runs.failure is desk.document.failure is desk.moment.failure is None
    assert desk.top.chips["failure"].isHidden() and not desk.failed_bar.text
    assert one.status.label.text() == f"Not run: line {line_of('self.parent = q')} contains an error"


def test_a_good_run_is_shown_and_its_cells_are_counted(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    desk.files.new(ECHO.replace("class Echo(", "class Mine("), "good.py")
    press(one, "F5")
    qtbot.waitUntil(lambda: one.workspaces.current == "run" and one.playhead.playing, timeout=20_000)
    one.playhead.pause()
    assert desk.document.counts is not None and desk.document.counts["sleeping", "Broadcast"] == 11
    assert desk.document.lines is not None and desk.document.failure is None
    assert "never ran" in desk.moment.empty.text() and "Try another network" in desk.moment.empty.text()
    one.actions_by_name["protocol_keep"].trigger()
    (test,) = desk.kept.tests
    assert test.messages == 46 and test.stopped == "quiescent" and test.name == "two-wings, seed 291"


def test_three_networks_run_at_once_and_one_is_shown(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    desk.files.new(FAULTY, "mine.py")
    one.actions_by_name["protocol_three"].trigger()
    assert desk.results.isVisible() and len(desk.results.cards) == 3
    qtbot.waitUntil(lambda: not desk.results.runs.busy, timeout=60_000)
    goods = [attempt.good for attempt in desk.results.runs.attempts]
    assert goods == [False, True, False] and not desk.steps.done["runs"]
    assert desk.results.title.text() == "On three networks: 1 of 3 succeeded"
    assert "KeyError" in desk.results.cards[0].accessibleName() and "messages" in desk.results.cards[1].accessibleName()
    assert desk.document.counts is not None and desk.document.counts["sleeping", "INIT"] == 3
    QTest.mouseClick(desk.results.cards[1], LEFT)
    wait_run(one, qtbot)
    qtbot.waitUntil(lambda: one.workspaces.current == "run" and one.playhead.playing, timeout=20_000)
    one.playhead.pause()
    assert one.session.experiment is not None and str(one.session.experiment.network).startswith("randomtree:")
    result = desk.results.runs.attempts[1].outcome
    assert result is not None and one.session.shown is not None
    assert one.session.shown.result["fingerprint"] == result.result["fingerprint"]  # it is the same execution


def test_one_click_stops_three_endless_runs(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    desk.files.new(
        FAULTY.replace("        self.pending.remove(q)\n", "        while True:\n            pass\n"), "loop.py"
    )
    desk.run_three()
    QTest.mouseClick(desk.results.stop_button, LEFT)
    qtbot.waitUntil(lambda: not desk.results.runs.busy, timeout=20_000)
    assert all(attempt.good is False for attempt in desk.results.runs.attempts)
    QTest.mouseClick(desk.results.close_button, LEFT)
    assert not desk.results.isVisible()


def test_saving_in_another_editor_runs_it_on_request(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    desk.files.new(ECHO.replace("class Echo(", "class Mine("), "mine.py")
    assert desk.document.path is not None
    desk.document.path.write_text(FAULTY, encoding="utf-8")
    qtbot.waitUntil(lambda: desk.document.source == FAULTY, timeout=5_000)
    assert desk.runs.run is None
    one.actions_by_name["protocol_watch_file"].trigger()
    assert desk.run_when_saved
    desk.document.path.write_text(FAULTY + "\n# again\n", encoding="utf-8")
    qtbot.waitUntil(lambda: desk.runs.failure is not None, timeout=20_000)
    one.actions_by_name["protocol_watch_file"].trigger()
    assert not desk.run_when_saved
    QTest.keyClicks(desk.code.text, "x")
    desk.document.path.write_text("# theirs\n", encoding="utf-8")
    qtbot.waitUntil(lambda: "another program" in desk.bar.text and len(desk.bar.buttons) == 3, timeout=5_000)
    QTest.mouseClick(desk.bar.buttons[2], LEFT)
    assert desk.tabs.currentWidget() is desk.compare and "-# theirs" in desk.compare.lines
    QTest.mouseClick(desk.bar.buttons[1], LEFT)
    assert desk.document.source == "# theirs\n" and not desk.bar.isVisible() and desk.tabs.count() == 1


def test_the_first_key_creates_a_copy_that_can_be_compared(one: MainWindow, desk: ProtocolWorkspace) -> None:
    desk.code.go_to_line(1)
    QTest.keyClicks(desk.code.text, "#")
    assert not desk.document.read_only and desk.document.name.startswith("my_echo") and "your copy" in desk.bar.text
    assert desk.document.source.startswith('#"""Echo') or desk.document.source.startswith('"#""') is False
    QTest.mouseClick(desk.bar.buttons[0], LEFT)
    assert desk.tabs.currentWidget() is desk.compare
    added = [line for line in desk.compare.lines if line.startswith("+") and not line.startswith("+++")]
    assert len(added) == 1 and "#" in added[0]
    one.actions_by_name["undo"].trigger()
    assert desk.document.source == ECHO


def test_the_code_of_a_process_leads_to_its_line(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot) -> None:
    assert one.workspaces.show("run")
    wait_run(one, qtbot)
    one.looks.arrange("study")
    one.stage.show_view("step", True)
    one.stage.docks["step"].tear_off()
    one.stage.docks["step"].resize(420, 640)
    one.playhead.seek(6.0)
    canvas = one.stage.canvases["step"]
    qtbot.waitUntil(lambda: canvas.frame is not None and canvas.frame.code is not None and canvas.isVisible())
    canvas.grab()
    spots = [(x, y) for y in range(0, canvas.height(), 4) for x in (canvas.width() // 2,)]
    found = {y: one.workspaces.protocols.line_in_step(QPoint(x, y)) for x, y in spots}
    rows = [y for y, line in found.items() if line]
    assert rows and canvas.frame.code.current in found.values()
    y = next(y for y in rows if found[y] == canvas.frame.code.current)
    QTest.mouseClick(canvas, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(canvas.width() // 2, y))
    assert one.workspaces.current == "protocol" and desk.code.line == canvas.frame.code.current
    one.stage.docks["step"].tear_off()
    one.looks.arrange("watch")


def test_keys_reach_help_panes_and_the_next_workspace(one: MainWindow, desk: ProtocolWorkspace) -> None:
    one.actions_by_name["help"].trigger()
    assert desk.help is not None and desk.right.currentWidget() is desk.help
    assert desk.help.page.file is not None and desk.help.page.file.stem == "own-protocols"
    assert [pane.objectName() for pane in one.access.panes.all() if pane in desk.panes]
    one.actions_by_name["workspace_next"].trigger()
    assert one.workspaces.current != "protocol" and not desk.strip.isVisible()


def test_changing_the_theme_reaches_every_part(one: MainWindow, desk: ProtocolWorkspace) -> None:
    before = one.theme.name
    one.looks.choose("dark")
    assert (
        desk.moment.canvas.theme.name == "dark" and desk.code.theme.name == "dark" and desk.table.theme.name == "dark"
    )
    one.looks.choose(before if before in ("light", "dark") else "light")


def test_a_run_that_fails_while_shown_leads_to_its_line(
    open_window: Open, qtbot: QtBot, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FAULTY, encoding="utf-8")
    window = open_window()
    window.documents.open(file)
    qtbot.waitUntil(
        lambda: window.session.shown is not None and window.session.shown.problem is not None, timeout=20_000
    )
    assert window.notice.button.text() == "Show the line" and "line " in window.notice.text
    QTest.mouseClick(window.notice.button, LEFT)
    w = window.workspaces.protocols.workspace
    assert w is not None and window.workspaces.current == "protocol" and w.runs.failure is not None
    assert w.code.line == line_of("self.pending.remove(q)") and w.moment.failure is w.runs.failure


def test_a_folder_is_shown_and_run(one: MainWindow, desk: ProtocolWorkspace, qtbot: QtBot, tmp_path: Path) -> None:
    folder = made(tmp_path / "rumour")
    assert desk.files.open(folder) and one.windowTitle().startswith("rumour — Protocol")
    QTest.mouseClick(desk.top.run, LEFT)
    wait_run(one, qtbot)
    qtbot.waitUntil(lambda: desk.runs.is_of_this_text, timeout=20_000)
    assert desk.runs.failure is None and desk.document.counts
    desk.top.menu.aboutToShow.emit()
    jump = {action.text(): action for action in desk.top.menu.actions()}
    jump["properties.py"].trigger()
    line = file_lines(desk.document.source)["properties.py"]
    assert desk.code.line == line and desk.document.source.splitlines()[line - 1] == '"""What holds."""'
    desk.document.replace(desk.document.source.replace("self.heard_from = q", "self.heard_from = q[9]"))
    QTest.mouseClick(desk.top.run, LEFT)
    qtbot.waitUntil(lambda: desk.runs.failure is not None and whole(one), timeout=20_000)
    assert desk.runs.failure is not None
    assert desk.runs.failure.line == line_of("self.heard_from = q[9]", desk.document.source)
    assert "q[9]" in (folder / "__init__.py").read_text(encoding="utf-8")
