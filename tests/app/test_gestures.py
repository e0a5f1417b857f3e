"""Mouse gestures end when their button is released, even if another widget receives the release."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.canvas.canvas import Canvas
from lydian.app.look.theme import Theme
from lydian.app.network.delays.curve import CurveView
from lydian.app.network.delays.outagebar import OutageBar
from lydian.app.protocol.table.diagrampane import DiagramPane
from lydian.app.window.mainwindow import MainWindow
from lydian.model.delays import Exponential
from lydian.views.selection import NOTHING
from tests.app.conftest import heard, one_window, rest

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
    pytest.mark.leaves_behind,  # the ready simulator belongs to the shared window, which ends it
]
Mouse = Qt.MouseButton
NONE = Qt.KeyboardModifier.NoModifier
VIEWS = ("basic", "causality", "occupation", "communication", "step", "knowledge", "world")


@pytest.fixture(scope="module")
def shared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    with one_window(tmp_path_factory.mktemp("home")) as window:
        yield window


@pytest.fixture
def window(qtbot: QtBot, shared: MainWindow) -> Iterator[MainWindow]:
    """Provide the window in the middle of a run."""
    rest(shared, qtbot)
    shared.workspaces.show("run")
    shared.looks.arrange("study")
    shared.activateWindow()
    shared.playhead.pause()
    shared.playhead.select(NOTHING)
    shared.playhead.seek(5.3)
    shared.stage.fit_all()
    shared.stage.canvases["basic"].setFocus()
    qtbot.waitUntil(lambda: shared.stage.canvases["basic"].frame is not None)
    yield shared
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    shared.interference.let_go()


def press(widget: QWidget, at: QPoint, button: Qt.MouseButton = Mouse.LeftButton) -> None:
    """Press a button whose release another widget will receive."""
    here, there = QPointF(at), widget.mapToGlobal(QPointF(at))
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseButtonPress, here, there, button, button, NONE))


def move(widget: QWidget, at: QPoint, held: Qt.MouseButton = Mouse.NoButton) -> None:
    here, there = QPointF(at), widget.mapToGlobal(QPointF(at))
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, here, there, Mouse.NoButton, held, NONE))


def right_click(widget: QWidget, at: QPoint) -> None:
    """Send the events of a window system: a press, a request for a menu, and no release."""
    press(widget, at, Mouse.RightButton)
    wish = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    QApplication.sendEvent(widget, wish)


def state(canvas: Canvas) -> object:
    """Return everything that a drag in a view could change."""
    head, camera = canvas.playhead, canvas.camera
    where = getattr(camera, "window", None) or getattr(camera, "key", None)
    return head.t, head.selection, where, getattr(camera, "lifted", None), getattr(camera, "order", None)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("on", ["process", "ground"])
@pytest.mark.parametrize("leaving", ["escape", "elsewhere"])
def test_a_menu_leaves_no_drag_behind(window: MainWindow, view: str, on: str, leaving: str) -> None:
    window.stage.show_view(view, True)
    canvas = window.stage.canvases[view]
    QApplication.processEvents()
    at = QPoint(12, canvas.height() // 2)
    place = canvas.process_rect(3)
    if on == "process" and place is not None:
        at = place.center().toPoint()
    right_click(canvas, at)
    before = state(canvas)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    if leaving == "escape":
        QTest.keyClick(menu, Qt.Key.Key_Escape)
    else:
        menu.close()
    for step in range(1, 6):
        move(canvas, at + QPoint(14 * step, 9 * step))
    assert state(canvas) == before


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("button", [Mouse.LeftButton, Mouse.MiddleButton])
def test_a_drag_whose_release_is_lost_ends_with_the_next_movement(
    window: MainWindow, view: str, button: Qt.MouseButton
) -> None:
    window.stage.show_view(view, True)
    canvas = window.stage.canvases[view]
    QApplication.processEvents()
    at = canvas.rect().center()
    press(canvas, at, button)
    move(canvas, at + QPoint(20, 5), button)
    before = state(canvas)
    for step in range(1, 6):
        move(canvas, at + QPoint(20 + 14 * step, 9 * step))
    assert state(canvas) == before
    QTest.mouseRelease(canvas, button, NONE, at)  # a late release is not a click
    assert state(canvas) == before


def test_holding_the_right_button_drags_nothing(window: MainWindow) -> None:
    for view in ("basic", "causality"):
        canvas = window.stage.canvases[view]
        at, before = canvas.rect().center(), state(canvas)
        press(canvas, at, Mouse.RightButton)
        for step in range(1, 6):
            move(canvas, at + QPoint(14 * step, 9 * step), Mouse.RightButton)
        QTest.mouseRelease(canvas, Mouse.RightButton, NONE, at)
        assert state(canvas) == before


def test_a_line_whose_release_is_lost_cuts_nothing(window: MainWindow) -> None:
    canvas = window.stage.canvases["basic"]
    window.interference.aim.arm("partition")
    press(canvas, QPoint(20, 20))
    for step in range(1, 8):
        move(canvas, QPoint(20 + 40 * step, 20 + 25 * step), Mouse.LeftButton)
    sight = window.interference.aim.hands[0].overlay.sight
    assert sight is not None and len(sight.line) > 3
    move(canvas, QPoint(300, 200))
    QTest.mouseRelease(canvas, Mouse.LeftButton, NONE, QPoint(300, 200))
    sight = window.interference.aim.hands[0].overlay.sight
    assert sight is not None and not sight.line
    assert not window.session.live.on and window.interference.aim.tool == "partition"


def test_a_bookmark_whose_release_is_lost_does_not_move(window: MainWindow) -> None:
    line, head = window.bottom.scrubber, window.playhead
    window.commands.playback.waypoints.add(4.0, "here")
    press(line, QPoint(round(line.place(4.0)) + 2, 6))
    move(line, QPoint(round(line.place(6.0)), 6), Mouse.LeftButton)
    move(line, QPoint(round(line.place(7.0)), 6))
    QTest.mouseRelease(line, Mouse.LeftButton, NONE, QPoint(round(line.place(7.0)), 6))
    assert head.bookmarks.get("here").time == 4.0
    window.commands.playback.waypoints.undo.undo()


@pytest.mark.parametrize("tool", ["select", "link", "brush", "pan"])
def test_lost_releases_leave_no_drag_in_the_drawing(window: MainWindow, tool: str) -> None:
    window.workspaces.show("network")
    editor = window.workspaces.editor
    assert editor is not None
    canvas, board = editor.canvas, editor.board
    board.take(tool)
    before = board.network, canvas.view.scale, canvas.view.pixel(0, 0)
    at = canvas.pixel_of("3").toPoint()
    press(canvas, at)
    move(canvas, at + QPoint(30, 10), Mouse.LeftButton)
    after = canvas.view.pixel(0, 0)
    for step in range(1, 5):
        move(canvas, at + QPoint(30 + 14 * step, 10 + 9 * step))
    assert canvas.gesture is None and not canvas.pressed
    assert (board.network, canvas.view.scale) == before[:2] and canvas.view.pixel(0, 0) == after
    right_click(canvas, at)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    menu.close()
    move(canvas, at + QPoint(90, 40))
    assert board.network is before[0] and canvas.view.pixel(0, 0) == after
    board.take("select")
    window.workspaces.show("run")


def test_an_outage_and_a_mean_keep_their_dragged_values(qtbot: QtBot) -> None:
    bar = OutageBar(Theme("light"))
    qtbot.addWidget(bar)
    bar.resize(300, 40)
    told: list[object] = []
    bar.edited.connect(lambda before, now: told.append(now))
    with qtbot.waitSignal(bar.settled):
        press(bar, QPoint(50, 20))
        move(bar, QPoint(100, 20), Mouse.LeftButton)
        move(bar, QPoint(200, 20))
    assert len(told) == 1
    curve = CurveView(Theme("light"))
    qtbot.addWidget(curve)
    curve.resize(300, 160)
    curve.show_law(Exponential(1.0), None, "", None, "")
    means: list[float] = []
    curve.mean_moved.connect(means.append)
    point = curve.mean_point()
    assert point is not None
    at = point.toPoint()
    with qtbot.waitSignal(curve.settled):
        press(curve, at)
        move(curve, at + QPoint(30, 0), Mouse.LeftButton)
        move(curve, at + QPoint(60, 0))
    assert len(means) == 1


def test_a_lost_release_ends_panning_the_state_diagram(window: MainWindow, qtbot: QtBot) -> None:
    window.workspaces.show("protocol")
    writing = window.workspaces.protocols.workspace
    assert writing is not None
    pane = writing.findChild(DiagramPane)
    assert pane is not None
    press(pane, QPoint(3, 3), Mouse.MiddleButton)
    move(pane, QPoint(30, 20), Mouse.MiddleButton)
    before = QPointF(pane._centre)
    move(pane, QPoint(90, 60))
    assert pane._centre == before
    pane.fit()
    window.workspaces.show("run")


# ---------------------------------------------------------------------- fitting the drawing again


def test_another_experiment_fits_the_view_and_another_seed_does_not(qtbot: QtBot, window: MainWindow) -> None:
    canvas = window.stage.canvases["basic"]
    canvas.zoom(3.0)
    zoomed = canvas.camera.key
    window.commands.new_seed()
    with heard(qtbot, window.session.run_ready):
        window.session.run()
    assert canvas.camera.key == zoomed
    window.panel.set_network("ring:12")
    window.session.run()
    qtbot.waitUntil(lambda: canvas.camera.scale is None, timeout=20_000)
    rest(window, qtbot)
    qtbot.waitUntil(lambda: canvas.frame is not None)
    canvas.zoom(3.0)
    window.documents.open_example()
    assert canvas.camera.scale is None
    rest(window, qtbot)


def test_the_next_step_of_a_lesson_fits_the_view(qtbot: QtBot, window: MainWindow) -> None:
    assert window.lessons.open("echo")
    rest(window, qtbot)
    canvas = window.stage.canvases["basic"]
    qtbot.waitUntil(lambda: canvas.frame is not None)
    canvas.zoom(3.0)
    assert canvas.camera.scale is not None
    window.actions_by_name["lesson_next"].trigger()
    assert canvas.camera.scale is None
    rest(window, qtbot)
    window.lessons.show_list()
    window.actions_by_name["lesson"].trigger()
    window.documents.open_example()
    rest(window, qtbot)
