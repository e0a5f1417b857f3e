"""The view World under mouse and keys, in a real window."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.pilot import Pilot
from lydian.app.look.theme import Theme
from lydian.app.painters.world.ground import _drawn, map_box
from lydian.app.pictures.render import encoded
from lydian.app.stage.shots import shot_of
from lydian.app.window.mainwindow import MainWindow
from lydian.model.viewnames import SPACES
from lydian.views.selection import NOTHING, Hit
from tests.app.conftest import one_window, whole

#: Warnings of the offscreen platform.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
Key, Button = Qt.Key, Qt.MouseButton


@pytest.fixture(scope="module")
def made(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """One window for all tests here, with the view World alone in it."""
    with one_window(tmp_path_factory.mktemp("home")) as made:
        while not whole(made):
            qapp.processEvents()
        yield made


@pytest.fixture
def window(made: MainWindow, qtbot: QtBot) -> Iterator[MainWindow]:
    made.activateWindow()
    stage = made.stage
    if not stage.canvases["world"].isVisible():
        assert stage.docks["world"].isHidden()  # no layout shows it by itself
        made.actions_by_name["view_world"].trigger()
        stage.maximise("world")
    made.playhead.pause()
    made.playhead.seek(8.2)
    made.playhead.select(NOTHING)
    canvas = stage.canvases["world"]
    canvas.set_option("layout", "shape")
    assert canvas.pilot is not None
    finish(made, canvas.pilot)
    canvas.bar.slider.setValue(100)
    canvas.pilot.rest()
    canvas.pilot.choose("orbit")
    canvas.fit()
    canvas.repaint()
    canvas.setFocus()
    yield made
    assert canvas.trouble is None, canvas.trouble
    assert not made.player.timer.isActive() or made.playhead.playing


@pytest.fixture
def canvas(window: MainWindow) -> Canvas:
    return window.stage.canvases["world"]


@pytest.fixture
def pilot(canvas: Canvas) -> Pilot:
    assert canvas.pilot is not None
    return canvas.pilot


def place(canvas: Canvas, process: int) -> QPoint:
    canvas.repaint()
    found = canvas.process_rect(process)
    assert found is not None
    return found.center().toPoint()


def finish(window: MainWindow, pilot: Pilot) -> None:
    """Let time pass until nothing moves."""
    for _ in range(200):
        if not pilot.moving:
            break
        window.player.tick(0.05)
    window.player.tick(0.0)
    assert not pilot.moving and not window.player.timer.isActive()


def drag(qtbot: QtBot, canvas: Canvas, by: QPoint, button: Qt.MouseButton = Button.LeftButton) -> None:
    start = QPoint(500, 60)
    qtbot.mousePress(canvas, button, pos=start)
    for share in (0.3, 0.6, 1.0):
        at = QPointF(start) + QPointF(by) * share
        move(canvas, at, button)
    qtbot.mouseRelease(canvas, button, pos=start + by)


def move(canvas: Canvas, at: QPointF, button: Qt.MouseButton) -> None:
    none = Qt.KeyboardModifier.NoModifier
    canvas.mouseMoveEvent(QMouseEvent(QEvent.Type.MouseMove, at, canvas.mapToGlobal(at), Button.NoButton, button, none))


# ---------------------------------------------------------------------- the same selection as everywhere


def test_a_click_selects_a_process_in_all_views(qtbot, window, canvas):
    qtbot.mouseClick(canvas, Button.LeftButton, pos=place(canvas, 8))
    assert window.playhead.selection.processes == {8}
    move(canvas, QPointF(place(canvas, 10)), Button.NoButton)
    assert window.playhead.hover == Hit("process", 10)
    assert "10" in canvas.painter.tooltip(window.playhead.hover, canvas.frame)
    qtbot.mouseClick(canvas, Button.LeftButton, pos=QPoint(8, canvas.height() // 2))
    assert window.playhead.selection == NOTHING


def test_the_menu_of_a_thing_opens(qtbot, window, canvas):
    asked = []
    canvas.menu_wanted.connect(lambda hit, _at: asked.append(hit))
    window.playhead.pick(Hit("process", 4))
    canvas.ask_for_menu()
    assert asked == [Hit("process", 4)]
    for menu in window.findChildren(type(window.stage.docks["world"].menu)):
        menu.close()


# ---------------------------------------------------------------------- moving


def test_dragging_turns_the_wheel_comes_nearer_and_home_returns(qtbot, window, canvas, pilot):
    first = pilot.view
    drag(qtbot, canvas, QPoint(120, 40))
    turned = canvas.camera.view
    assert turned.yaw > first.yaw and turned.pitch < first.pitch
    assert math.isclose(turned.reach, first.reach) and np.allclose(turned.pivot, first.pivot)
    drag(qtbot, canvas, QPoint(60, 0), Button.MiddleButton)
    assert not np.allclose(canvas.camera.view.pivot, turned.pivot)
    canvas.zoom(2.0)
    assert math.isclose(canvas.camera.view.reach, turned.reach / 2)
    qtbot.keyClick(canvas, Key.Key_H)
    assert pilot.moving and window.player.timer.isActive()
    finish(window, pilot)
    assert canvas.camera.view is None


def test_a_double_click_glides_to_a_process_and_n_to_the_next_one(qtbot, window, canvas, pilot):
    qtbot.mouseDClick(canvas, Button.LeftButton, pos=place(canvas, 8))
    finish(window, pilot)
    assert np.allclose(canvas.camera.view.pivot, canvas.frame.places[8])
    middle = QPointF(canvas.width() / 2, canvas.height() / 2)
    assert (QPointF(place(canvas, 8)) - middle).manhattanLength() < 4
    window.playhead.pick(Hit("process", 8))
    qtbot.keyClick(canvas, Key.Key_N)
    finish(window, pilot)
    assert window.playhead.selection.processes == {9}
    assert np.allclose(canvas.camera.view.pivot, canvas.frame.places[9])
    qtbot.mouseDClick(canvas, Button.LeftButton, pos=QPoint(8, canvas.height() // 2))
    finish(window, pilot)
    assert canvas.camera.view is None


def test_keys_walk_while_they_are_held(qtbot, window, canvas, pilot):
    canvas.bar.modes.buttons["walk"].click()
    start = canvas.camera.view
    for key in (Key.Key_W, Key.Key_Up):
        before = np.array(canvas.camera.view.eye)
        qtbot.keyPress(canvas, key)
        window.player.tick(0.5)
        after = np.array(canvas.camera.view.eye)
        assert np.dot(after - before, canvas.camera.view.axes[2]) > 0.15
        qtbot.keyRelease(canvas, key)
        finish(window, pilot)
    drag(qtbot, canvas, QPoint(80, 0))
    assert canvas.camera.view.yaw > start.yaw
    qtbot.keyPress(canvas, Key.Key_A)
    canvas.focusOutEvent(QFocusEvent(QEvent.Type.FocusOut))  # no release will be heard
    finish(window, pilot)


def test_arrows_step_through_the_run_unless_one_walks(qtbot, window, canvas, pilot):
    event_key = Key.Key_Right
    t = window.playhead.t
    qtbot.keyClick(canvas, event_key)
    assert window.playhead.t > t
    canvas.bar.modes.buttons["walk"].click()
    t = window.playhead.t
    qtbot.keyClick(canvas, event_key)
    finish(window, pilot)
    assert window.playhead.t == t


def test_the_camera_rides_on_a_message_to_its_receiver(qtbot, window, canvas, pilot):
    canvas.bar.modes.buttons["ride"].click()
    message = pilot.message
    assert window.playhead.selection.messages == {message}
    eyes = []
    arrived = float(window.playhead.timeline.message_reached[message])
    for t in np.linspace(8.2, arrived - 0.01, 5):
        window.playhead.seek(float(t))
        canvas.repaint()
        eyes.append(canvas.camera.view.eye)
        assert pilot.mode == "ride"
    receiver = canvas.frame.places[window.playhead.timeline.message_target[message]]
    away = np.linalg.norm(np.array(eyes) - receiver, axis=1)
    assert np.all(np.diff(away) < 0)
    window.playhead.seek(arrived + 0.01)
    canvas.repaint()
    assert pilot.mode == "orbit" and canvas.bar.modes.key == "orbit"


def test_without_stops_a_guided_flight_leads_around(qtbot, window, canvas, pilot):
    window.session.set_flight("none", ())
    canvas.bar.modes.buttons["flight"].click()
    assert window.player.timer.isActive() and not pilot.aloft
    yaws = []
    for _ in range(40):
        window.player.tick(0.2)
        yaws.append(canvas.camera.view.yaw)
    assert np.ptp(np.unwrap(yaws)) > 2.0
    assert window.flights.cards[canvas].isVisible()  # which says how to record a stop
    qtbot.keyClick(canvas, Key.Key_Escape)
    assert pilot.mode == "orbit"
    window.flights.cards[canvas].hide()
    finish(window, pilot)


def test_nothing_glides_with_reduced_motion(qtbot, window, canvas, pilot):
    usual = canvas.theme
    canvas.theme = Theme(usual.name, still=True)
    try:
        pilot.visit(3)
        assert not pilot.moving and np.allclose(canvas.camera.view.pivot, canvas.frame.places[3])
        before = np.array(canvas.camera.view.eye)
        qtbot.keyClick(canvas, Key.Key_W)
        assert not pilot.moving and not np.allclose(canvas.camera.view.eye, before)
        qtbot.keyClick(canvas, Key.Key_Home)
        assert canvas.camera.view is None and not window.player.timer.isActive()
        canvas.retry()
        canvas.repaint()
        fractions = canvas.frame.flat.flights.fraction * 3
        assert np.allclose(fractions, np.round(fractions))
    finally:
        canvas.theme = usual
        canvas.retry()


# ---------------------------------------------------------------------- depth, layouts, labels, pictures


def test_the_slider_makes_the_drawing_flat_and_deep(window, canvas):
    canvas.bar.slider.setValue(0)
    canvas.repaint()
    flat = window.stage.canvases["basic"].frame or canvas.frame.flat
    assert canvas.frame.depth == 0
    places = np.array([[place(canvas, p).x(), place(canvas, p).y()] for p in range(12)], dtype=float)
    scale = np.ptp(places[:, 0]) / np.ptp(flat.positions[:, 0])
    assert np.abs(places - places[0] - scale * (flat.positions - flat.positions[0])).max() < 2
    canvas.bar.slider.setValue(50)
    canvas.repaint()
    assert canvas.frame.depth == 0.5


@pytest.mark.parametrize("layout", SPACES)
def test_every_layout_is_drawn_with_labels_that_do_not_overlap(window, canvas, pilot, layout):
    canvas.set_option("layout", layout)
    finish(window, pilot)
    canvas.repaint()
    rect = QRectF(canvas.rect())
    labels = canvas.painter.labels(rect, canvas.frame, canvas.camera)
    assert len(labels) >= 8
    for number, (_, box) in enumerate(labels):
        assert not any(box.intersects(other) for _, other in labels[:number])


def test_the_picture_of_the_view_is_what_the_window_shows(window, canvas, pilot):
    canvas.camera.view = pilot.view.orbit(0.7, -0.1)
    shot = shot_of(canvas)
    assert shot.view == "world" and shot.camera == canvas.camera.view
    timeline = window.playhead.timeline
    for ending, start in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        data = encoded(timeline, None, [shot], 8.2, ending, size=(320, 240))
        assert data.startswith(start)


def test_two_eyes_have_two_pictures_side_by_side(qtbot, window, canvas, pilot):
    choice = next(each for each in canvas.spec.choices if each.name == "stereo")
    window.stage.options.choose("world", choice, True)
    canvas.repaint()
    rect = QRectF(canvas.rect())
    (left, one), (right, two) = canvas.painter.halves(rect, canvas.frame)
    assert left.width() == right.width() == rect.width() / 2 and one == -two < 0
    at = place(canvas, 8)
    assert left.contains(QPointF(at))
    qtbot.mouseClick(canvas, Button.LeftButton, pos=at)
    assert window.playhead.selection.processes == {8}
    window.playhead.select(NOTHING)
    qtbot.mouseClick(canvas, Button.LeftButton, pos=at + QPoint(round(right.left()), 0))
    assert window.playhead.selection.processes == {8}
    pilot.visit(8)
    finish(window, pilot)
    middle = QPointF(left.width() / 2, left.height() / 2)
    assert (QPointF(place(canvas, 8)) - middle).manhattanLength() < 4
    window.stage.options.choose("world", choice, False)


def test_a_click_on_the_map_glides_there(qtbot, window, canvas, pilot):
    box = map_box(canvas.theme, QRectF(canvas.rect()))
    _, middle, scale = _drawn(canvas.theme, box, canvas.frame)
    process = middle + canvas.frame.places[10, [0, 2]] * scale
    qtbot.mouseClick(canvas, Button.LeftButton, pos=QPointF(*process).toPoint())
    finish(window, pilot)
    assert np.allclose(canvas.camera.view.pivot, canvas.frame.places[10])
    before = canvas.camera.view
    free = QPoint(round(box.left() + 20), round(box.bottom() - 20))
    qtbot.mouseClick(canvas, Button.LeftButton, pos=free)
    finish(window, pilot)
    after = canvas.camera.view
    wanted = (np.array([free.x(), free.y()]) - middle) / scale
    assert np.allclose(after.pivot[[0, 2]], wanted, atol=1e-6) and math.isclose(after.pivot[1], before.pivot[1])
    assert math.isclose(after.reach, before.reach) and math.isclose(after.yaw, before.yaw)
    assert canvas._cursor_at(QPointF(free), None) == Qt.CursorShape.PointingHandCursor
    assert window.playhead.selection == NOTHING
    qtbot.mouseClick(canvas, Button.LeftButton, pos=QPoint(round(box.right() - 20), round(box.top() + 14)))
    finish(window, pilot)
    assert canvas.camera.view is None  # Home is written there


def test_the_legend_folds_and_the_map_explains_itself(qtbot, window, canvas):
    rect = QRectF(canvas.rect())
    at = QPointF(30, canvas.height() - 40)
    assert "above" in canvas.painter.note_at(at, rect, canvas.frame, canvas.camera)
    qtbot.mouseClick(canvas, Button.LeftButton, pos=QPoint(40, 30))
    assert canvas.camera.folded is True
    canvas.camera.folded = None


def test_another_layout_is_reached_in_one_continuous_motion(window, canvas, pilot):
    window.stage.options.choose("world", next(c for c in canvas.spec.choices if c.name == "layout"), "sphere")
    steps, eyes = [], []
    while pilot.moving:
        window.player.tick(0.03)
        canvas.repaint()
        steps.append(canvas.frame.places)
        eyes.append(canvas.painter.eye(QRectF(canvas.rect()), canvas.frame, canvas.camera).camera.eye)
    assert len(steps) > 30 and canvas.passing == {} and canvas.frame.before == ""
    assert np.linalg.norm(np.diff(steps, axis=0), axis=2).max() < 0.1
    assert np.linalg.norm(np.diff(eyes, axis=0), axis=1).max() < 0.1
    assert np.linalg.norm(steps[-1] - steps[0], axis=1).max() > 0.2


def test_a_second_view_has_its_own_camera(window, canvas, pilot):
    canvas.camera.view = pilot.view.orbit(0.3, 0.0)
    name = window.stage.copies.open("world", "world")
    other = window.stage.copies.canvases[name]
    assert other.camera is not canvas.camera and other.camera.view == canvas.camera.view
    other.pilot.nearer(2.0)
    window.stage.copies.close(name)
    window.stage.maximise("world")


@pytest.mark.leaves_behind("the simulator of the live run")
def test_a_fault_tool_crashes_the_process_that_is_clicked(qtbot, window, canvas):
    aim = window.interference.aim
    aim.arm("crash")
    move(canvas, QPointF(place(canvas, 8)), Button.NoButton)
    assert window.playhead.hover == Hit("process", 8) and "8" in QToolTip.text()
    qtbot.mouseClick(canvas, Button.LeftButton, pos=QPoint(8, canvas.height() // 2))
    assert aim.tool == "crash" and not window.session.live.done  # there is no process
    qtbot.mouseClick(canvas, Button.LeftButton, pos=place(canvas, 8))
    qtbot.waitUntil(lambda: bool(window.session.live.done), timeout=20_000)
    assert window.session.live.done[0].kind.name == "crash" and aim.tool == ""
    window.playhead.pause()
