"""The window as a whole: effects of clicks and keys, and a clean exit."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.window.mainwindow import MainWindow
from lydian.views.selection import Hit

#: Warnings of the offscreen platform.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    made = opened(qtbot)
    yield made
    made.close()


def opened(qtbot: QtBot, what: object = None) -> MainWindow:
    """Provide a window of 1600 x 900 in the Study layout with its first run."""
    made = make_window(what)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.player.step_seconds = 0.0
    made.resize(1600, 900)
    with qtbot.waitExposed(made):
        made.show()
    made.looks.arrange("study")
    qtbot.waitUntil(lambda: made.session.shown is not None, timeout=20_000)
    return made


def key(qtbot: QtBot, window: MainWindow, which: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    held = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        held |= modifier
    qtbot.keyClick(window.stage.canvases["basic"], which, held)


def middle_of(window: MainWindow, process: int) -> QPoint:
    """Return the position of a process in the network view."""
    canvas = window.stage.canvases["basic"]
    canvas.repaint()
    seen = canvas._painter.map(canvas.rect().toRectF(), canvas.frame, canvas.camera)
    return QPointF(*seen.points[process]).toPoint()


def test_the_first_window_shows_the_example_at_rest_with_a_large_play_button(window: MainWindow) -> None:
    assert window.session.experiment is not None and window.session.experiment.protocol == "echo"
    assert window.playhead.position == 0 and not window.playhead.playing
    assert window.stage.big_play.isVisible()
    assert not window.player.timer.isActive()
    assert "seed 291" in window.windowTitle()
    for canvas in window.stage.canvases.values():
        canvas.repaint()
        assert canvas.trouble is None
    button, network = window.stage.big_play, window.stage.canvases["basic"]
    boxes, soft, links = network.occupied()
    assert len(boxes) >= 12 and len(links) == 17
    disc, half = QPointF(button.pos()) + button._middle, button.SIZE / 2
    hidden = [  # the disc may touch the rim of a process in a small view, but leaves its name free
        box for box in boxes[: len(boxes) - soft]
        if math.hypot(*(box.center() - disc).toTuple()) < half + box.width() / 4
    ]  # fmt: skip
    assert hidden == []


def test_play_moves_time_and_pause_stops_the_timer(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.mouseClick(window.stage.big_play, Qt.MouseButton.LeftButton)
    assert window.playhead.playing and window.player.timer.isActive()
    qtbot.waitUntil(lambda: window.playhead.t > 0.05)
    qtbot.waitUntil(lambda: not window.stage.big_play.isVisible())
    key(qtbot, window, Qt.Key.Key_Space)
    assert not window.playhead.playing and not window.player.timer.isActive()


def test_a_tick_moves_the_playhead_and_then_draws_every_visible_view(window: MainWindow) -> None:
    window.playhead.play()
    before = {name: canvas.painted for name, canvas in window.stage.canvases.items()}
    window.player.tick(0.25)
    assert window.playhead.t == pytest.approx(0.25)
    for name, canvas in window.stage.canvases.items():
        canvas.repaint()
        assert canvas.painted > before[name] or (name in ("knowledge", "world") and not canvas.isVisible())


def test_nothing_is_redrawn_without_a_change(qtbot: QtBot, window: MainWindow) -> None:
    window.playhead.seek(3.0)
    qtbot.waitUntil(lambda: not window.stage.big_play.isVisible())
    qtbot.wait(50)
    before = {name: canvas.painted for name, canvas in window.stage.canvases.items()}
    window.playhead.seek(3.0)
    window.playhead.pause()
    for canvas in window.stage.canvases.values():
        canvas.refresh()
    qtbot.wait(50)
    assert {name: canvas.painted for name, canvas in window.stage.canvases.items()} == before


def test_the_end_of_a_run_is_reported_with_next_steps(window: MainWindow) -> None:
    window.playhead.seek(window.playhead.end - 0.1)
    window.playhead.play()
    window.player.tick(0.2)
    assert window.playhead.at_end and not window.playhead.playing
    offered = [button for button in window.bottom.narration.buttons if button.isVisible()]
    assert len(offered) == 6  # not "Make something happen", which is for runs without events
    assert "46 messages" in window.bottom.narration.plain
    window.playhead.step(-1)
    assert not any(button.isVisible() for button in window.bottom.narration.buttons)


def test_a_click_on_a_process_selects_it_in_every_view(qtbot: QtBot, window: MainWindow) -> None:
    window.playhead.seek(4.0)
    qtbot.mouseClick(window.stage.canvases["basic"], Qt.MouseButton.LeftButton, pos=middle_of(window, 5))
    assert window.playhead.selection.processes == {5}
    assert "Process 5 selected" in window.status.selected.text()
    for canvas in window.stage.canvases.values():
        canvas.repaint()
    assert window.stage.canvases["step"].frame.process == 5
    assert window.stage.canvases["communication"].frame.selected[5]
    qtbot.mouseClick(
        window.stage.canvases["basic"],
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.ControlModifier,
        pos=middle_of(window, 8),
    )
    assert window.playhead.selection.processes == {5, 8}
    key(qtbot, window, Qt.Key.Key_Escape)
    assert not window.playhead.selection


def test_hovering_highlights_an_item_everywhere_and_explains_it(qtbot: QtBot, window: MainWindow) -> None:
    canvas = window.stage.canvases["basic"]
    window.playhead.seek(4.0)
    place, none = QPointF(middle_of(window, 5)), Qt.MouseButton.NoButton
    moved = QMouseEvent(
        QEvent.Type.MouseMove, place, canvas.mapToGlobal(place), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(canvas, moved)
    assert window.playhead.hover == Hit("process", 5)
    assert canvas._painter.tooltip(window.playhead.hover, canvas.frame)


def test_step_keys_move_between_events(qtbot: QtBot, window: MainWindow) -> None:
    times = sorted(set(window.playhead.timeline.time.tolist()))
    seen = []
    for _ in range(4):
        key(qtbot, window, Qt.Key.Key_Right)
        seen.append(window.playhead.t)
    assert seen == times[:4]
    key(qtbot, window, Qt.Key.Key_Left)
    assert window.playhead.t == times[2]
    key(qtbot, window, Qt.Key.Key_End)
    assert window.playhead.at_end
    key(qtbot, window, Qt.Key.Key_Home)
    assert window.playhead.position == 0


def test_shift_steps_through_the_events_of_the_selected_process(qtbot: QtBot, window: MainWindow) -> None:
    window.playhead.pick(Hit("process", 7))
    key(qtbot, window, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    own = window.playhead.timeline.events_of(7)
    assert window.playhead.t == float(window.playhead.timeline.time[own[0]])


def test_a_step_glides_and_the_timer_stops_after_it(qtbot: QtBot, window: MainWindow) -> None:
    window.player.step_seconds = 0.1
    goal = window.playhead.neighbour(1)
    key(qtbot, window, Qt.Key.Key_Right)
    assert window.player.timer.isActive()
    qtbot.waitUntil(lambda: not window.player.timer.isActive())
    assert window.playhead.t == goal


def test_j_k_and_l_play_as_in_video_editors(qtbot: QtBot, window: MainWindow) -> None:
    key(qtbot, window, Qt.Key.Key_L)
    key(qtbot, window, Qt.Key.Key_L)
    assert (window.playhead.playing, window.playhead.direction, window.playhead.speed) == (True, 1, 2.0)
    key(qtbot, window, Qt.Key.Key_J)
    assert window.playhead.direction == -1
    key(qtbot, window, Qt.Key.Key_K)
    assert not window.playhead.playing
    key(qtbot, window, Qt.Key.Key_BracketLeft)
    assert window.playhead.speed == 1.0


def test_the_time_line_scrubs(qtbot: QtBot, window: MainWindow) -> None:
    line = window.bottom.scrubber
    qtbot.mousePress(line, Qt.MouseButton.LeftButton, pos=QPoint(round(line.place(5.0)), 30))
    assert window.playhead.t == pytest.approx(5.0, abs=0.05)
    qtbot.mouseMove(line, QPoint(round(line.place(7.0)), 30))
    qtbot.mouseRelease(line, Qt.MouseButton.LeftButton, pos=QPoint(round(line.place(7.0)), 30))
    window.bottom.refresh()
    assert f"{window.playhead.position}" in window.bottom.transport.count.text()


def test_dragging_in_a_time_view_scrubs_and_a_click_does_not(qtbot: QtBot, window: MainWindow) -> None:
    canvas = window.stage.canvases["causality"]
    canvas.repaint()
    window.playhead.play()
    start = QPoint(canvas.width() // 2, canvas.height() // 2)
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=start)
    assert window.playhead.playing
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(canvas, start + QPoint(60, 0))
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(60, 0))
    assert not window.playhead.playing
    assert window.playhead.t == pytest.approx(canvas.time_at(start.x() + 60), abs=0.05)


def test_the_wheel_zooms_the_network_at_the_pointer_and_fit_all_undoes_it(window: MainWindow) -> None:
    canvas = window.stage.canvases["basic"]
    here = middle_of(window, 4)
    canvas.zoom(2.0, QPointF(here))
    assert (middle_of(window, 4) - here).manhattanLength() <= 2
    assert canvas.camera.scale is not None
    window.actions_by_name["fit_all"].trigger()
    assert canvas.camera.scale is None


def test_both_time_views_show_the_same_interval(window: MainWindow) -> None:
    canvas = window.stage.canvases["occupation"]
    canvas.repaint()
    canvas.zoom(4.0)
    assert window.stage.canvases["causality"].camera.window == canvas.camera.window != canvas.camera.whole


@pytest.mark.slow
def test_the_theme_changes_everywhere_at_once(window: MainWindow) -> None:
    window.looks.choose("light")
    light = QColor(window.grab().toImage().pixel(5, 5)).lightness()
    window.toolbar.theme_button.click()
    assert window.theme.dark and window.settings.theme == "dark"
    assert QColor(window.grab().toImage().pixel(5, 5)).lightness() < light
    assert all(canvas.theme.dark for canvas in window.stage.canvases.values())


def test_the_layouts_show_their_views(window: MainWindow) -> None:
    def seen() -> set[str]:
        return {name for name, dock in window.stage.docks.items() if dock.isVisible()}

    assert seen() == {"experiment", "basic", "communication", "causality", "step", "occupation", "checks"}
    window.resize(1280, 720)
    window.actions_by_name["layout_watch"].trigger()
    assert seen() == {"basic"}
    window.actions_by_name["view_causality"].trigger()
    assert seen() == {"basic", "causality"}
    window.actions_by_name["projector"].trigger()
    assert window.theme.projector and seen() == {"basic", "causality"}
    window.actions_by_name["projector"].trigger()
    assert not window.theme.projector and window.toolbar.menu_bar.button.isVisible()


def test_the_bottom_bar_is_complete_at_every_size(window: MainWindow) -> None:
    for size, layout in product([(1024, 640), (1280, 720), (1920, 1080)], ("watch", "study")):
        window.resize(*size)
        window.looks.arrange(layout)
        window.grab()
        assert (window.width(), window.height()) == size
        bottom = window.bottom
        for part in (
            bottom.scrubber,
            *bottom.transport.buttons.values(),
            bottom.transport.slider,
            bottom.transport.count,
        ):
            corner = part.mapTo(window, part.rect().bottomRight())
            assert part.isVisible() and corner.x() <= size[0] and corner.y() <= size[1]
        assert bottom.transport.count.width() >= bottom.transport.count.sizeHint().width()


def test_every_command_is_in_a_menu_and_no_two_share_a_key(window: MainWindow) -> None:
    in_menus = {action for menu in window.toolbar.menu_bar.actions() for action in all_actions(menu.menu())}
    keys: dict[str, str] = {}
    for name, action in window.actions_by_name.items():
        assert action in in_menus, name
        assert action.statusTip()
        for sequence in action.shortcuts():
            assert sequence.toString() not in keys, (name, keys)
            keys[sequence.toString()] = name


def all_actions(menu: object) -> list[object]:
    found = []
    for action in menu.actions():  # type: ignore[attr-defined]
        found += all_actions(action.menu()) if action.menu() is not None else [action]
    return found


def test_every_control_has_a_name(window: MainWindow) -> None:
    for kind in (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit):
        for widget in window.findChildren(kind):
            inner = isinstance(widget.parent(), QAbstractSpinBox | QComboBox | QLineEdit)
            private = widget.objectName().startswith("qt_") or widget.parent().objectName().startswith("qt_")
            if not inner and not private:
                said = widget.accessibleName() or widget.text() if hasattr(widget, "text") else widget.accessibleName()
                assert said, (type(widget).__name__, widget.parent())
    for canvas in window.stage.canvases.values():
        assert canvas.accessibleName() and canvas.accessibleDescription()


def test_space_plays_and_enter_presses_the_focused_button(qtbot: QtBot, window: MainWindow) -> None:
    dice = window.panel.seed.dice
    dice.setFocus()
    before = window.session.experiment.seed
    qtbot.keyClick(dice, Qt.Key.Key_Space)
    assert window.playhead.playing and window.session.experiment.seed == before
    qtbot.keyClick(dice, Qt.Key.Key_Space)
    qtbot.keyClick(dice, Qt.Key.Key_Return)
    assert not window.playhead.playing
    assert window.session.experiment.seed != before


def test_letters_go_to_the_focused_field(qtbot: QtBot, window: MainWindow) -> None:
    window.panel.networks.open(window.panel.network, "two-wings")
    qtbot.keyClicks(window.panel.networks.field, "jkl")
    assert window.panel.networks.field.text() == "jkl"
    assert not window.playhead.playing
    window.panel.networks.close()


def test_a_view_that_fails_reports_it_and_the_others_continue(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = window.stage.canvases["communication"]

    def fails(*args: object) -> None:
        raise ZeroDivisionError("no columns")

    monkeypatch.setattr(canvas._painter, "paint", fails)
    window.playhead.seek(2.0)
    canvas.repaint()
    assert "no columns" in canvas.trouble and "The other views still work" in canvas.accessibleDescription()
    window.stage.canvases["causality"].repaint()
    assert window.stage.canvases["causality"].trouble is None
    monkeypatch.undo()
    window.session.show(window.session.runs[0])
    canvas.repaint()
    assert canvas.trouble is None


def test_a_dock_can_float_and_return(window: MainWindow) -> None:
    dock = window.stage.docks["causality"]
    dock._float.click()
    assert dock.isFloating()
    dock.content.repaint()
    dock._float.click()
    assert not dock.isFloating()


def test_the_shortcut_sheet_lists_every_key(window: MainWindow) -> None:
    window.actions_by_name["keys"].trigger()
    assert window.access.sheet is not None and not window.access.sheet.isModal()
    from lydian.app.panels.help.keysheet import sheet

    text = sheet(set(window.actions_by_name), window.theme)
    for action in window.actions_by_name.values():
        for sequence in action.shortcuts():
            assert sequence.toString().split("+")[-1].replace("<", "&lt;") in text
    window.access.sheet.close()


def test_closing_leaves_no_child_process_timer_or_file(qtbot: QtBot) -> None:
    made = opened(qtbot)
    made.playhead.play()
    folder = made.session.worker.folder
    assert folder.is_dir() and list(folder.iterdir())
    made.close()
    assert not made.player.timer.isActive()
    assert not folder.exists()
    assert made.session.worker.conversation._spare is None and not made.session.worker.busy


@pytest.mark.slow
def test_geometry_and_theme_are_remembered(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "h"))
    first = opened(qtbot)
    first.looks.choose("dark")
    first.close()
    second = opened(qtbot)
    assert second.theme.dark and second.settings.layout == "study"
    second.close()
    shutil.rmtree(tmp_path / "h")


def test_the_text_trace_follows_and_its_lines_can_be_clicked(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_name["view_trace"].trigger()
    listing: QWidget = window.stage.trace
    assert listing.isVisible() and listing.model().rowCount() == window.playhead.events
    window.playhead.seek(5.0)
    assert listing.currentIndex().row() == window.playhead.position - 1
    listing.clicked.emit(listing.model().index(3, 0))
    assert window.playhead.selection.event == 3


def test_checks_are_open_until_the_event_that_decides_them(window: MainWindow) -> None:
    checks = window.stage.checks
    assert checks.checks
    window.playhead.seek(window.playhead.end / 2)
    assert None in checks.states() and False not in checks.states()
    window.playhead.seek(window.playhead.end)
    assert set(checks.states()) == {True}
