"""Views that are maximised, restored and detached into windows, and docks added by plug-ins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from lydian.app.panels.arrangement import shown_in
from lydian.app.panels.dock import Dock
from lydian.app.window.mainwindow import MainWindow
from lydian.views.selection import Hit

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

Open = Callable[..., MainWindow]
WIDE = (1600, 900)
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def seen(window: MainWindow) -> set[str]:
    """Return the docks that are open and in front."""
    return {
        name for name, dock in window.stage.docks.items() if dock.isVisible() and not dock.visibleRegion().isEmpty()
    }


def places(window: MainWindow) -> dict[str, tuple[int, ...]]:
    """Return the position of each open dock."""
    return {name: dock.geometry().getRect() for name, dock in window.stage.docks.items() if dock.isVisible()}


def double_click(qtbot: QtBot, dock: Dock) -> None:
    """Double-click the title bar beside its text."""
    title = dock.bar.findChild(QLabel, "dockName")
    qtbot.mouseDClick(title, Qt.MouseButton.LeftButton, pos=title.rect().center())


def button(dock: Dock, name: str) -> QToolButton:
    (found,) = [one for one in dock.bar.findChildren(QToolButton) if one.accessibleName().startswith(name)]
    return found


def menu_action(dock: Dock, words: str) -> QAction:
    (found,) = [action for action in dock.menu.actions() if action.text() == words]
    return found


# ---------------------------------------------------------------------- maximised


@pytest.mark.parametrize("size", [(1280, 720), WIDE])
def test_a_double_click_on_the_title_maximises_and_restores_a_view(
    qtbot: QtBot, open_window: Open, size: tuple[int, int]
) -> None:
    window = open_window(size=size, layout="study")
    before, shown = places(window), seen(window)
    dock = window.stage.docks["causality"]
    double_click(qtbot, dock)
    assert seen(window) == {"causality"} and not dock.isFloating()
    assert dock.width() >= window.stage.width() - 4 and dock.height() >= window.stage.height() - 4
    assert window.actions_by_name["maximise"].isChecked()
    double_click(qtbot, dock)
    qtbot.waitUntil(lambda: seen(window) == shown)
    assert places(window) == before
    assert not window.actions_by_name["maximise"].isChecked()


def test_button_menu_and_key_maximise_and_escape_restores(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    before, stage = places(window), window.stage
    dock, canvas = stage.docks["occupation"], stage.canvases["occupation"]
    qtbot.mouseClick(button(dock, "Maximise"), Qt.MouseButton.LeftButton)
    assert seen(window) == {"occupation"}
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert places(window) == before
    menu_action(dock, "Maximise").trigger()
    assert seen(window) == {"occupation"}
    menu_action(dock, "Restore").trigger()
    assert places(window) == before
    window.activateWindow()
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    qtbot.keyClick(canvas, Qt.Key.Key_M, CTRL | SHIFT)
    assert seen(window) == {"occupation"} and canvas.hasFocus()
    window.playhead.pick(Hit("process", 5))
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)  # Escape clears the selection first
    assert not window.playhead.selection and seen(window) == {"occupation"}
    qtbot.keyClick(canvas, Qt.Key.Key_F10)
    assert places(window) == before


def test_restoring_a_maximised_view_keeps_tabs_and_hidden_views(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1280, 720), layout="study")
    window.actions_by_name["view_occupation"].trigger()
    qtbot.waitUntil(lambda: seen(window) == {"basic", "occupation"})
    before = places(window)
    window.stage.maximise("basic")
    assert seen(window) == {"basic"}
    window.stage.maximise("basic")
    qtbot.waitUntil(lambda: seen(window) == {"basic", "occupation"})
    assert places(window) == before


def test_another_view_or_layout_restores_a_maximised_view(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    window.stage.maximise("causality")
    window.actions_by_name["view_trace"].trigger()
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, "study")) | {"trace"})
    window.actions_by_name["view_trace"].trigger()
    window.stage.maximise("step")
    assert seen(window) == {"step"}
    window.actions_by_name["layout_watch"].trigger()
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, "watch-wide")))
    window.actions_by_name["layout_study"].trigger()
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, "study")))


def test_closing_a_maximised_view_closes_only_that_one(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    window.stage.maximise("checks")
    qtbot.mouseClick(button(window.stage.docks["checks"], "Close"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, "study")) - {"checks"})
    assert not window.actions_by_name["view_checks"].isChecked()


@pytest.mark.slow
def test_a_view_left_maximised_starts_in_its_normal_size(qtbot: QtBot, open_window: Open) -> None:
    first = open_window(size=WIDE, layout="study")
    first.stage.maximise("causality")
    first.close()
    second = open_window(size=WIDE)
    qtbot.waitUntil(lambda: seen(second) == set(shown_in(second.stage.docks, "study")))


# ---------------------------------------------------------------------- detached views


def test_keys_work_in_the_window_of_a_detached_view(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    head, dock = window.playhead, window.stage.docks["causality"]
    canvas = window.stage.canvases["causality"]
    qtbot.mouseClick(button(dock, "Move to"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dock.windowFlags() & Qt.WindowType.WindowType_Mask == Qt.WindowType.Window)
    assert dock.isFloating() and dock.isVisible() and dock.window() is dock
    assert not dock.windowFlags() & Qt.WindowType.FramelessWindowHint
    assert dock.windowTitle().startswith("Causality")
    dock.activateWindow()
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert head.t == float(head.timeline.time[0])
    qtbot.keyClick(canvas, Qt.Key.Key_End)
    assert head.at_end
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert not head.at_end
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert head.playing
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert not head.playing
    close = button(dock, "Close")
    close.setFocus()
    qtbot.keyClick(close, Qt.Key.Key_Right)
    at = head.t
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_F11)
    assert window.theme.projector and head.t == at
    window.looks.project(False)


def test_in_a_detached_view_enter_presses_a_button_and_space_plays(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    dock = window.stage.docks["checks"]
    dock.tear_off()
    dock.activateWindow()
    close = button(dock, "Close")
    close.setFocus()
    qtbot.waitUntil(close.hasFocus)
    qtbot.keyClick(close, Qt.Key.Key_Space)
    assert window.playhead.playing and not dock.isHidden()
    qtbot.keyClick(close, Qt.Key.Key_Space)
    qtbot.keyClick(close, Qt.Key.Key_Return)
    assert not window.playhead.playing and dock.isHidden()


def test_a_detached_view_can_be_maximised_and_restored(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    dock = window.stage.docks["causality"]
    before = places(window)
    dock.tear_off()
    assert len(seen(window)) == len(shown_in(window.stage.docks, "study"))
    double_click(qtbot, dock)
    assert dock.isMaximized() and dock.isFloating()
    double_click(qtbot, dock)
    assert not dock.isMaximized()
    dock.tear_off()
    assert not dock.isFloating()
    qtbot.waitUntil(lambda: places(window) == before)
    assert not set(window.actions_by_name.values()) & set(dock.actions())


def test_a_view_dragged_out_becomes_a_window_when_released(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    dock = window.stage.docks["causality"]
    title = dock.bar.findChild(QLabel, "dockName")
    start = title.mapTo(dock, title.rect().center())
    qtbot.mousePress(dock, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 12):
        qtbot.mouseMove(dock, start + QPoint(0, 60 * step))
    qtbot.waitUntil(dock.isFloating)
    qtbot.mouseRelease(dock, Qt.MouseButton.LeftButton, pos=start)
    if dock.isFloating():  # the platform released it outside
        qtbot.waitUntil(lambda: dock.windowFlags() & Qt.WindowType.WindowType_Mask == Qt.WindowType.Window)
        assert dock.isVisible()


def test_a_detached_view_is_never_left_off_screen(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    dock = window.stage.docks["occupation"]
    dock.setFloating(True)
    dock.move(40_000, 40_000)
    qtbot.waitUntil(lambda: window.screen().availableGeometry().contains(dock.geometry().center()))
    assert dock.isVisible()


@pytest.mark.slow
def test_detached_views_close_and_reopen_with_the_window(qtbot: QtBot, open_window: Open) -> None:
    first = open_window(size=WIDE, layout="study")
    first.stage.docks["causality"].tear_off()
    first.close()
    assert not first.stage.docks["causality"].isVisible()
    second = open_window(size=WIDE)
    qtbot.waitUntil(second.stage.docks["causality"].isFloating)
    assert second.stage.docks["causality"].isVisible()
    second.actions_by_name["layout_reset"].trigger()
    assert not second.stage.docks["causality"].isFloating()


# ---------------------------------------------------------------------- extra docks


class Panel(QWidget):
    """A panel from another package."""

    def __init__(self) -> None:
        super().__init__()
        self.themes: list[object] = []

    def set_theme(self, theme: object) -> None:
        self.themes.append(theme)


def test_an_extra_dock_has_a_position_a_theme_and_memory(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    panel = Panel()
    dock = window.stage.add_dock(
        "extra", "Extra", "flag", panel, "Something more.", beside="checks", layouts=("study", "debug-wide")
    )
    assert dock.isVisible() and window.stage.tabifiedDockWidgets(window.stage.docks["checks"]) == [dock]
    window.actions_by_name["layout_watch"].trigger()
    assert not dock.isVisible()
    window.actions_by_name["layout_debug"].trigger()
    assert not dock.isHidden()
    window.looks.choose("dark")
    assert panel.themes and panel.themes[-1] is window.theme
    window.stage.show_view("extra", True)
    dock.unavailable("Nothing is recorded of this.")
    assert not panel.isVisible() and dock.accessibleDescription() == dock.obstacle == "Nothing is recorded of this."
    dock.unavailable("")
    assert panel.isVisible()
    with pytest.raises(ValueError, match="extra"):
        window.stage.add_dock("extra", "Extra", "flag", Panel())


@pytest.mark.parametrize("how", ["above", "below", "left", "right"])
def test_an_extra_dock_is_placed_as_requested(qtbot: QtBot, open_window: Open, how: str) -> None:
    window = open_window(size=(1920, 1080), layout="watch")
    dock = window.stage.add_dock("extra", "Extra", "flag", Panel(), beside="causality", how=how)
    assert not dock.isVisible()
    window.stage.show_view("extra", True)
    other = window.stage.docks["causality"]
    window.grab()
    assert dock.isVisible() and other.isVisible() and not dock.geometry().intersects(other.geometry())
    before = (dock.y() < other.y()) if how in ("above", "below") else (dock.x() < other.x())
    assert before == (how in ("above", "left"))


def test_closing_all_views_explains_how_to_reopen_them(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1280, 720), layout="watch")
    plain = window.stage.grab().toImage()
    button(window.stage.docks["basic"], "Close").click()
    assert window.stage.empty and window.stage.grab().toImage() != plain
    key = window.actions_by_name["layout_reset"].shortcut()
    assert key.toString() == "Alt+0"
    window.close()
    again = open_window(size=(1280, 720))
    assert seen(again) == {"basic"}
