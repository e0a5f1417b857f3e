"""The drawing and the run in one window: switching, separate histories, keys and recovery."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from lydian.app.network.board.board import Chosen
from lydian.app.network.workspace import EditorWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.desk.kept import drawing as keptdrawing
from lydian.formats.networks import read
from lydian.model.archive.archive import archive
from lydian.model.childprocess import environment
from lydian.model.delays import parse
from lydian.model.editing.processes import delete, move
from lydian.model.experiment.experiment import read as read_experiment
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing, netfile
from tests.app.conftest import rest, whole

#: Opens a window of a given size and layout with its first run complete.
Open = Callable[..., MainWindow]
Key, Mouse = Qt.Key, Qt.MouseButton
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier,
)  # fmt: skip
NONE = Qt.KeyboardModifier.NoModifier

#: Warnings of the offscreen platform.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def drawing(window: MainWindow) -> EditorWorkspace:
    """Bring the drawing to the front and return its editor."""
    window.actions_by_name["workspace_network"].trigger()
    assert window.workspaces.editor is not None and window.workspaces.current == "network"
    return window.workspaces.editor


def pixel(editor: EditorWorkspace, at: str | tuple[float, float], dy: int = 0) -> QPoint:
    """Return the position of a process, or of a point of the drawing, in the canvas."""
    x, y = editor.board.network.positions[at] if isinstance(at, str) else at
    sx, sy = editor.canvas.view.pixel(x, y)
    return QPoint(round(sx), round(sy) + dy)


def drag(editor: EditorWorkspace, *way: QPoint) -> None:
    """Press, move and release the left button."""
    canvas = editor.canvas
    QTest.mousePress(canvas, Mouse.LeftButton, NONE, way[0])
    for at in way[1:]:
        place = QPointF(at)
        moved = QMouseEvent(
            QEvent.Type.MouseMove, place, canvas.mapToGlobal(place), Mouse.NoButton, Mouse.LeftButton, NONE
        )
        QApplication.sendEvent(canvas, moved)
    QTest.mouseRelease(canvas, Mouse.LeftButton, NONE, way[-1])


def free(editor: EditorWorkspace) -> QPoint:
    """Return a pixel of the canvas away from every item."""
    area = editor.canvas.free().toRect().adjusted(40, 40, -40, -40)
    points = editor.canvas.plan().points
    for x in range(area.left(), area.right(), 23):
        for y in range(area.top(), area.bottom(), 23):
            at = QPoint(x, y)
            if all(abs(px - x) + abs(py - y) > 120 for px, py in points.tolist()) and editor.canvas.hit(x, y) is None:
                return at
    raise AssertionError("there is no room")


def put(editor: EditorWorkspace) -> str:
    """Add a process with a double click, and keep its default name."""
    before = set(editor.board.network.processes)
    QTest.mouseDClick(editor.canvas, Mouse.LeftButton, NONE, free(editor))
    if editor.canvas.name_edit is not None:
        QTest.keyClick(editor.canvas.name_edit, Key.Key_Return)
    (name,) = set(editor.board.network.processes) - before
    return name


def ran(qtbot: QtBot, window: MainWindow, runs: int) -> None:
    """Wait until a given number of runs have ended."""
    qtbot.waitUntil(lambda: len(window.session.runs) >= runs and whole(window), timeout=20_000)


def press_in_run(qtbot: QtBot, window: MainWindow, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
    """Send a key to the network view of the run, in the active window, as its commands require."""
    canvas = window.stage.canvases["basic"]
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    canvas.setFocus()
    qtbot.keyClick(canvas, key, held)


def fingerprint(window: MainWindow) -> str:
    assert window.session.shown is not None
    return window.session.shown.trace.fingerprint()


# ---------------------------------------------------------------------- switching


@pytest.mark.slow
def test_the_drawing_can_be_entered_and_left_in_four_ways(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    spaces, tabs = window.workspaces, window.workspaces.tabs
    seen: list[str] = []
    window.desk.workspaces.changed.connect(seen.append)
    qtbot.keyClick(window.stage.canvases["basic"], Key.Key_Tab, CTRL)
    assert spaces.current == "network" and spaces.editor is not None and spaces.editor.canvas.hasFocus()
    assert tabs.currentIndex() == 1 and spaces.editor.isVisible() and not window.stage.isVisible()
    assert window.windowTitle().startswith("two-wings — Network") and not window.isWindowModified()
    qtbot.keyClick(spaces.editor.canvas, Key.Key_Tab, CTRL)
    assert spaces.current == "protocol" and tabs.currentIndex() == 2 and spaces.protocols.workspace is not None
    qtbot.keyClick(spaces.protocols.workspace.code.text, Key.Key_Tab, CTRL)
    assert spaces.current == "sweep" and tabs.currentIndex() == 3
    window.actions_by_name["workspace_next"].trigger()
    assert spaces.current == "archive" and tabs.currentIndex() == 4
    window.actions_by_name["workspace_next"].trigger()
    assert spaces.current == "run" and window.stage.isVisible() and tabs.currentIndex() == 0
    assert window.windowTitle().startswith("Echo on")
    qtbot.mouseClick(tabs, Mouse.LeftButton, pos=tabs.tabRect(1).center())
    assert spaces.current == "network" and spaces.network.hint.isVisible()
    assert spaces.network.hint.text() == "Double-click to add a process; drag from one process to another to add a link"
    qtbot.keyClick(spaces.editor.canvas, Key.Key_1, CTRL | ALT)
    assert spaces.current == "run" and not spaces.network.hint.isVisible()
    qtbot.keyClick(window.stage.canvases["basic"], Key.Key_2, CTRL | ALT)
    assert spaces.current == "network"
    assert seen == ["network", "protocol", "sweep", "archive", "run", "network", "run", "network"]
    assert not window.session.undo.can_undo and len(window.session.runs) == 1  # viewing changes nothing


#: A window in which a user draws without a pause for saving until its process is killed.
DRAWING = """\
import json, os, signal, sys, time
from PySide6.QtCore import QEventLoop
from lydian.app.main import application, make_window
made = application([])
window = make_window('two-wings')
window.show()
early = [name for name in sys.modules if name.startswith('lydian.app.editor')]
window.actions_by_name['workspace_network'].trigger()
from lydian.model.editing.processes import add_process
editor = window.workspaces.editor
longest = editor._keep.interval()
editor._keep.setInterval(200)
begin, number, long_ago = time.monotonic(), 0, 0
while time.monotonic() - begin < 0.8:
    number += 1
    editor.board.do('Add', lambda n: add_process(n, (10.0 * number, 0.0), f'p{number}')[0])
    if time.monotonic() - begin < 0.3: long_ago = number
    made.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    time.sleep(0.02)
window.session.worker.close()
print(json.dumps([early, 'lydian.app.network.workspace' in sys.modules, longest, long_ago]), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list]:
    """Kill a window while a user draws; return its home folder and its output."""
    home = tmp_path_factory.mktemp("killed")
    env = {**environment(), "LYDIAN_HOME": str(home), "PYTHONWARNINGS": "default"}
    done = subprocess.run(
        [sys.executable, "-c", DRAWING], env=env, cwd=home, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.startswith("["), done.stderr
    if os.name == "posix":
        assert done.returncode == -signal.SIGKILL
    return home, json.loads(done.stdout)


@pytest.mark.slow
def test_the_editor_is_built_on_first_use(killed: tuple[Path, list]) -> None:
    too_early, made, *_ = killed[1]
    assert too_early == [] and made


@pytest.mark.slow
def test_running_a_drawing_plays_it_and_is_one_undo_step(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    first = fingerprint(window)
    before = window.session.experiment
    editor = drawing(window)
    name = put(editor)
    drag(editor, pixel(editor, "10", 21), pixel(editor, name, -60), pixel(editor, name))
    assert editor.board.network.link_between("10", name) is not None
    assert window.session.experiment is before and len(window.session.runs) == 1  # the run has not begun
    qtbot.keyClick(editor.canvas, Key.Key_F5)
    assert window.workspaces.current == "run" and window.stage.canvases["basic"].hasFocus()
    ran(qtbot, window, 2)
    assert window.session.shown is not None
    assert name in window.session.shown.trace.processes and len(window.session.shown.trace.processes) == 13
    qtbot.waitUntil(lambda: window.playhead.playing or window.playhead.t > 0)
    assert window.session.undo.undo_text == "network two-wings" and window.session.undo.count == 1
    press_in_run(qtbot, window, Key.Key_Z, CTRL)
    assert window.session.experiment is not None and before is not None
    assert window.session.experiment.network == before.network and window.session.experiment.timing == before.timing
    ran(qtbot, window, 3)
    assert fingerprint(window) == first
    editor = drawing(window)
    assert editor.board.network.n == 12 and name not in editor.board.network.index
    assert not editor.board.document.undo_text
    window.actions_by_name["workspace_run"].trigger()
    press_in_run(qtbot, window, Key.Key_Z, CTRL | SHIFT)
    ran(qtbot, window, 4)
    assert drawing(window).board.network.n == 13


def test_undo_in_the_drawing_reverts_named_single_edits(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    undo, redo = window.actions_by_name["undo"], window.actions_by_name["redo"]
    editor = drawing(window)
    first = editor.board.network
    assert not undo.isEnabled() and not redo.isEnabled()
    name = put(editor)
    editor.board.choose_processes(["10"])
    qtbot.keyClick(editor.canvas, Key.Key_Delete)
    assert undo.text() == "&Undo: Delete process 10" and undo.isEnabled()
    qtbot.keyClick(editor.canvas, Key.Key_Z, CTRL)
    assert "10" in editor.board.network.index and redo.text() == "&Redo: Delete process 10"
    assert name in undo.text()
    undo.trigger()
    assert editor.board.network == first and not undo.isEnabled() and undo.text() == "&Undo"
    redo.trigger()
    assert name in editor.board.network.index
    undo.trigger()
    window.actions_by_name["workspace_run"].trigger()
    assert window.session.undo.count == 0 and not undo.isEnabled()  # changing back is not a change


def test_a_deletion_is_reported_with_undo(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    editor = drawing(window)
    before = editor.board.network
    assert not editor.toast.isVisible()
    editor.board.choose_processes(["4"])
    qtbot.keyClick(editor.canvas, Key.Key_Delete)
    assert editor.toast.isVisible() and editor.toast.label.text() == "Deleted process 4"
    assert editor.canvas.rect().contains(editor.toast.geometry())
    qtbot.mouseClick(editor.toast.button, Mouse.LeftButton)
    assert editor.board.network == before and not editor.toast.isVisible() and editor.canvas.hasFocus()
    window.actions_by_name["redo"].trigger()
    assert editor.toast.isVisible()
    put(editor)
    assert not editor.toast.isVisible()  # the next edit hides it


# ---------------------------------------------------------------------- keys


def test_letters_act_on_the_workspace_in_front(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    editor = drawing(window)
    head = window.playhead
    seed, marks, loop = window.session.experiment.seed, head.bookmarks.marks, head.loop_from
    for key, tool in (("P", "process"), ("L", "link"), ("H", "pan"), ("I", "initiator"), ("X", "failure"),
                      ("V", "select")):  # fmt: skip
        qtbot.keyClick(editor.canvas, getattr(Key, f"Key_{key}"))
        assert editor.board.tool == tool
        assert window.workspaces.network.hint.text() == editor.hint
    for key in "BJKEGOCF":
        qtbot.keyClick(editor.canvas, getattr(Key, f"Key_{key}"))
    for key, held in ((Key.Key_R, CTRL), (Key.Key_L, CTRL), (Key.Key_Right, NONE), (Key.Key_Home, NONE),
                      (Key.Key_Space, NONE), (Key.Key_F9, NONE), (Key.Key_2, CTRL)):  # fmt: skip
        qtbot.keyClick(editor.canvas, key, held)
        window.workspaces.tabs.setFocus()
        qtbot.keyClick(window.workspaces.tabs, key, held)
        if window.workspaces.current == "run":  # the arrows move along the tabs
            window.actions_by_name["workspace_network"].trigger()
    assert head.t <= 0 and not head.playing and head.speed == 1.0 and head.pace == "time"
    assert head.bookmarks.marks == marks and head.loop_from == loop and not head.loop
    assert window.session.experiment.seed == seed and len(window.session.runs) == 1
    window.actions_by_name["workspace_run"].trigger()
    canvas = window.stage.canvases["basic"]
    before = editor.board.tool
    qtbot.keyClick(canvas, Key.Key_B)
    assert len(head.bookmarks.marks) == 1
    qtbot.keyClick(canvas, Key.Key_I)
    assert head.loop_from is not None and loop is None and editor.board.tool == before
    qtbot.keyClick(canvas, Key.Key_Space)
    assert head.playing
    drawing(window)
    assert not head.playing  # the run is hidden


def test_space_pans_the_drawing(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    editor = drawing(window)
    canvas, at = editor.canvas, free(editor)
    before = canvas.view.pixel(0, 0)
    network = editor.board.network
    qtbot.keyPress(canvas, Key.Key_Space)
    assert canvas.panning
    drag(editor, at, at + QPoint(20, 10), at + QPoint(40, 20))
    qtbot.keyRelease(canvas, Key.Key_Space)
    after = canvas.view.pixel(0, 0)
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((40, 20))
    assert not canvas.panning and not window.playhead.playing and editor.board.network is network


def test_a_field_of_the_editor_receives_its_letters(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    editor = drawing(window)
    field = next(f for f in editor.properties.findChildren(QLineEdit) if f.isVisible() and f.text() == "two-wings")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "vplib 2")
    assert field.text() == "vplib 2" and editor.board.tool == "select"
    qtbot.keyClick(field, Key.Key_Return)
    assert editor.board.network.name == "vplib 2" and window.windowTitle().startswith("vplib 2 — Network")


def test_f6_cycles_through_the_parts_of_the_editor(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    editor = drawing(window)
    seen = set()
    for _ in range(8):
        qtbot.keyClick(QApplication.focusWidget(), Key.Key_F6)
        focus = QApplication.focusWidget()
        assert focus is not None
        seen |= {part.objectName() for part in editor.panes if part is focus or part.isAncestorOf(focus)}
    assert len(seen) == 4 and editor.canvas.objectName() in seen


# ---------------------------------------------------------------------- the menu


def test_the_network_menu_edits_the_drawing_or_explains_why_not(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    actions = window.actions_by_name
    assert not actions["align_left"].isEnabled() and "in the drawing first" in actions["align_left"].toolTip()
    actions["arrange_circle"].trigger()  # the command brings the drawing to the front
    editor = window.workspaces.editor
    assert editor is not None and window.workspaces.current == "network"
    assert actions["undo"].text() == "&Undo: Arrange: circle"
    assert actions["align_left"].toolTip() == "Not now: select at least two processes first"
    editor.board.choose_processes(["1", "4"])
    assert actions["align_left"].isEnabled() and not actions["spread_down"].isEnabled()
    actions["align_left"].trigger()
    places = editor.board.network.positions
    assert places["1"][0] == places["4"][0]
    editor.board.choose_processes(["1", "4", "7"])
    actions["spread_across"].trigger()
    xs = sorted(editor.board.network.positions[name][0] for name in ("1", "4", "7"))
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1])
    actions["draw_all"].trigger()
    assert len(editor.board.chosen.processes) == 12 and len(editor.board.chosen.links) == 17
    editor.board.choose_processes(["0"])
    actions["draw_like"].trigger()
    assert editor.board.chosen.processes == {"0"}  # the only initiator
    actions["draw_copy"].trigger()
    actions["draw_paste"].trigger()
    assert editor.board.network.n == 13
    actions["draw_delete"].trigger()
    assert editor.board.network.n == 12
    actions["draw_fit"].trigger()
    actions["new"].trigger()
    assert not editor.board.network.n and window.workspaces.current == "network"
    for name in ("arrange_grid", "draw_all", "draw_fit", "network_save", "draw_delete"):
        assert not actions[name].isEnabled() and actions[name].toolTip().startswith("Not now: "), name
        assert actions[name].statusTip() == actions[name].toolTip()
    assert actions["draw_paste"].isEnabled()
    menu = next(a.menu() for a in window.toolbar.menu_bar.actions() if a.text() == "&Network")
    assert isinstance(menu, QMenu) and menu.toolTipsVisible()


# ---------------------------------------------------------------------- networks that cannot be run, and their faults


def test_an_empty_drawing_is_not_run(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    editor = drawing(window)
    window.actions_by_name["network_new"].trigger()
    qtbot.keyClick(editor.canvas, Key.Key_F5)
    assert window.workspaces.current == "network" and window.workspaces.tabs.currentIndex() == 1
    assert window.notice.text == "There are no processes yet: double-click the board to add one."
    tabs = window.workspaces.tabs
    qtbot.mouseClick(tabs, Mouse.LeftButton, pos=tabs.tabRect(0).center())
    assert window.workspaces.current == "network" and tabs.currentIndex() == 1
    assert not editor.top.run.isEnabled() and len(window.session.runs) == 1
    qtbot.keyClick(editor.canvas, Key.Key_Z, CTRL)
    qtbot.mouseClick(tabs, Mouse.LeftButton, pos=tabs.tabRect(0).center())
    assert window.workspaces.current == "run"


@pytest.mark.slow
def test_unmet_requirements_are_explained_shown_and_fixed(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    editor = drawing(window)
    assert editor.chip.text() == "Connected, 1 initiator"
    name = put(editor)
    assert "2 parts" in editor.chip.text() and editor.chip.property("ready") is False
    editor.chip.menu().aboutToShow.emit()
    entries = {action.text(): action for action in editor.chip.menu().actions()}
    entries["Select them"].trigger()
    assert editor.board.chosen.processes == {name}
    qtbot.keyClick(editor.canvas, Key.Key_F5)  # trying to run is allowed
    qtbot.waitUntil(lambda: bool(window.notice.text), timeout=20_000)
    assert "is not connected" in window.notice.text and "\n" not in window.notice.text
    rest(window, qtbot)
    editor = drawing(window)
    editor.chip.menu().aboutToShow.emit()
    (remedy,) = [a for a in editor.chip.menu().actions() if a.isEnabled() and a.text() not in ("Select them", "")]
    remedy.trigger()
    assert editor.board.network.connected and editor.chip.property("ready") is True
    assert window.actions_by_name["undo"].text() == f"&Undo: {remedy.text()}"
    qtbot.mouseClick(editor.top.run, Mouse.LeftButton)
    qtbot.waitUntil(lambda: window.session.shown is not None and name in window.session.shown.trace.processes,
                    timeout=20_000)  # fmt: skip
    assert not window.notice.text


@pytest.mark.slow
def test_faults_of_a_deleted_process_are_removed_and_restored_with_it(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    faults = (Intervention(2.0, "crash", process="10"), Intervention(3.0, "link_down", link=("0", "1")))
    window.session.change("faults", faults=faults, breaks=("all",))
    ran(qtbot, window, 2)
    editor = drawing(window)
    editor.board.choose_processes(["10"])
    qtbot.keyClick(editor.canvas, Key.Key_Delete)
    window.actions_by_name["workspace_run"].trigger()
    assert window.session.experiment.faults == faults[1:]
    assert "Removed 1 fault or command for processes or links" in window.notice.text
    ran(qtbot, window, 3)
    assert "no longer exist" in window.notice.text  # the run did not remove the notice
    window.notice.button.click()
    assert window.session.experiment.faults == faults and isinstance(window.session.experiment.network, str)
    ran(qtbot, window, 4)


# ---------------------------------------------------------------------- timing


def test_adopting_a_drawing_does_not_change_the_run(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    timing = Timing(
        delay=parse("exponential(mean=2)"), order="fifo", loss=0.0, step=parse("constant(value=0.25)"),
        links={"0-1": parse("constant(value=3)")}, steps={"4": parse("uniform(low=0.5, high=1)")},
        drifts={"3": 1.01}, initiators=("3",),
    )  # fmt: skip
    window.session.change("timing", timing=timing)
    ran(qtbot, window, 2)
    first = fingerprint(window)
    editor = drawing(window)
    network = editor.board.network
    assert network.delay == timing.delay and network.order == "fifo" and network.initiators == ("3",)
    link = network.link_between("0", "1")
    assert link is not None and network.delay_of(link) == parse("constant(value=3)")
    assert "1 initiator" in editor.chip.text()
    at = pixel(editor, "10")
    drag(editor, at, at + QPoint(10, 10), at + QPoint(30, 30))
    assert editor.board.network.positions["10"] != network.positions["10"] and editor.changed
    qtbot.keyClick(editor.canvas, Key.Key_F5)
    ran(qtbot, window, 3)
    assert isinstance(window.session.experiment.network, Network) and window.session.experiment.timing == Timing()
    assert fingerprint(window) == first
    assert not window.session.shown.problem


@pytest.mark.parametrize("name", ["two-wings", "echo-crash", "echo-complete"])
def test_archive_experiments_run_the_same_with_a_drawn_network(qtbot: QtBot, open_window: Open, name: str) -> None:
    window = open_window(name)
    ran(qtbot, window, 1)
    first = fingerprint(window)
    runs = len(window.session.runs)
    editor = drawing(window)
    one = editor.board.network.processes[0]
    x, y = editor.board.network.positions[one]
    editor.board.do("Move", lambda network: move(network, {one: (x + 24, y)}))
    window.actions_by_name["run"].trigger()
    ran(qtbot, window, runs + 1)
    assert fingerprint(window) == first


# ---------------------------------------------------------------------- other experiments, traces


def test_opening_another_experiment_draws_its_network_and_loses_nothing(
    qtbot: QtBot, open_window: Open, home: Path
) -> None:
    window = open_window()
    editor = drawing(window)
    name = put(editor)
    mine = editor.board.network
    assert window.documents.open(archive().find("experiments", "echo-complete"))
    assert window.workspaces.current == "network"
    experiment = window.session.experiment
    assert experiment.name == "echo-complete" and editor.board.network.is_complete
    assert editor.board.network.n == window.shelf.network(experiment.network, experiment.path).n
    assert not editor.changed and name not in editor.board.network.index
    (kept,) = (home / "unsaved").glob("*.json")
    assert read(kept).network == mine and str(kept) in window.notice.text
    assert editor.board.network.name in window.windowTitle()
    window.notice.button.click()
    assert editor.board.network == mine and window.actions_by_name["undo"].text() == "&Undo: Resume drawing two-wings"
    ran(qtbot, window, 1)


def test_the_network_of_a_trace_without_experiment_can_be_run(qtbot: QtBot, open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    trace = window.session.shown.trace
    bare = type(trace)(**{**{f: getattr(trace, f) for f in trace.__dataclass_fields__}, "experiment": {}})
    editor = drawing(window)
    window.session.show_trace(bare, tmp_path / "bare.parquet")
    assert window.session.experiment is None and window.workspaces.current == "network"
    assert editor.board.network == netfile.from_dict(dict(trace.network)) and not editor.changed
    window.actions_by_name["workspace_run"].trigger()
    assert window.session.experiment is None and window.session.shown.trace is bare
    editor = drawing(window)
    name = put(editor)
    drag(editor, pixel(editor, "10", 21), pixel(editor, name, -60), pixel(editor, name))
    qtbot.keyClick(editor.canvas, Key.Key_F5)
    assert window.session.experiment is not None and window.session.experiment.network.n == 13
    qtbot.waitUntil(lambda: window.session.shown is not None and name in window.session.shown.trace.processes,
                    timeout=20_000)  # fmt: skip


@pytest.mark.slow
def test_a_missing_network_is_reported_in_one_sentence(qtbot: QtBot, open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    experiment = window.session.experiment.with_(network="no-such-network")
    window.session.start(experiment)
    window.actions_by_name["workspace_network"].trigger()
    assert "cannot be drawn" in window.notice.text and "no-such-network" in window.notice.text
    qtbot.waitUntil(lambda: not window.session.worker.busy, timeout=20_000)  # no run is shown, so none is complete


@pytest.mark.slow
def test_the_drawing_is_saved_with_the_experiment(qtbot: QtBot, open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    editor = drawing(window)
    name = put(editor)
    drag(editor, pixel(editor, "10", 21), pixel(editor, name, -60), pixel(editor, name))
    window.actions_by_name["run"].trigger()
    ran(qtbot, window, 2)
    assert window.documents.save_to(tmp_path / "mine.toml")
    assert read_experiment(tmp_path / "mine.toml").network == editor.board.network


# ---------------------------------------------------------------------- recovery


def kept_drawings(home: Path) -> list[keptdrawing.Kept]:
    """Return the kept drawings of all windows."""
    found = (keptdrawing.read(file) for file in home.glob(f"kept/*/{keptdrawing.FILE}"))
    return [each for each in found if each is not None]


def test_a_kill_while_drawing_loses_at_most_two_seconds(
    killed: tuple[Path, list], qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, (*_, longest, long_ago) = killed
    assert longest <= 1_000 and long_ago  # writing takes at most as long again
    monkeypatch.setenv("LYDIAN_HOME", str(home))
    window = open_window()
    qtbot.waitUntil(lambda: bool(window.notice.text), timeout=10_000)
    assert window.notice.text == "An unfinished drawing of two-wings has been kept."
    assert window.notice.button.text() == "Continue drawing"
    assert window.workspaces.editor is None  # the start does not wait for it
    window.notice.button.click()
    editor = window.workspaces.editor
    assert editor is not None and window.workspaces.current == "network"
    assert f"p{long_ago}" in editor.board.network.index and "0" in editor.board.network.index
    assert editor.changed
    window.actions_by_name["undo"].trigger()
    assert editor.board.network.n == 12


@pytest.mark.slow
def test_closing_keeps_a_drawing_unless_it_was_run(qtbot: QtBot, open_window: Open, home: Path) -> None:
    first = open_window()
    editor = drawing(first)
    editor.board.choose_processes(["10"])
    editor.board.delete_chosen()
    mine = editor.board.network
    first.close()
    assert [each.network for each in kept_drawings(home)] == [mine]
    second = open_window()
    qtbot.waitUntil(lambda: "unfinished drawing" in second.notice.text, timeout=10_000)
    editor = drawing(second)  # the offer is not answered, and another network is drawn
    put(editor)
    editor.keep()
    assert len(kept_drawings(home)) == 2 and mine in [each.network for each in kept_drawings(home)]
    editor.board.do("Connect", lambda network: delete(network, set(network.processes) - {"0", "1", "2"}))
    second.actions_by_name["run"].trigger()
    assert [each.network for each in kept_drawings(home)] == [mine]
    ran(qtbot, second, 2)
    second.close()
    third = open_window()
    qtbot.waitUntil(lambda: "unfinished drawing" in third.notice.text, timeout=10_000)
    third.notice.refusal.click()
    assert kept_drawings(home) == [] and not third.notice.text


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", '{"network": 3}', '{"network": {"nodes": [{"id": 1}]}}', '{"network": {"nodes": 5}}', "\0",
     '{"network": {"nodes": [], "links": []}}', "[" * 100_000],
)  # fmt: skip
def test_a_damaged_kept_drawing_is_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "drawing.json").write_text(text, encoding="utf-8")
    kept = keptdrawing.read(tmp_path / "drawing.json")
    assert kept is None or kept.network.n == 1
    assert keptdrawing.read(tmp_path / "not-there.json") is None


def test_a_damaged_kept_drawing_never_prevents_a_start(qtbot: QtBot, open_window: Open, home: Path) -> None:
    home.mkdir()
    (home / "drawing.json").write_bytes(b"\xff\xfe{")
    window = open_window()
    qtbot.waitUntil(lambda: not window.workspaces.network.background.busy, timeout=10_000)
    assert not window.notice.text and window.session.experiment is not None
    editor = drawing(window)
    put(editor)
    editor.keep()
    assert len(kept_drawings(home)) == 1


def test_every_part_of_a_drawing_is_kept(tmp_path: Path) -> None:
    network = from_spec("ring:1300").with_timing(Timing(drifts={"7": 1.5}))
    shares: list[float] = []
    file = tmp_path / "deep" / "drawing.json"
    keptdrawing.write(file, network, tmp_path / "a.json", shares.append)
    assert len(shares) > 5 and shares == sorted(shares) and shares[-1] < 1
    kept = keptdrawing.read(file)
    assert kept is not None and kept.network == network and kept.path == tmp_path / "a.json"


def test_an_unwritable_folder_is_reported_in_one_sentence(open_window: Open, home: Path) -> None:
    window = open_window()
    editor = drawing(window)
    editor.keep_file.mkdir()
    (editor.keep_file / "full").touch()
    editor.board.choose(Chosen(frozenset({"10"})))
    editor.board.delete_chosen()
    editor.keep()
    assert "cannot be kept for the next start" in window.notice.text and "drawing.json" in window.notice.text
    assert keptdrawing.read(editor.keep_file) is None
