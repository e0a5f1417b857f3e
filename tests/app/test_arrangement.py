"""Positions of docks: every layout at every size, tabs in narrow windows, and remembered positions."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from lydian.app.panels.arrangement import effective, places_for, shown_in
from lydian.app.window.mainwindow import MainWindow
from lydian.views.registry import views
from lydian.views.selection import Hit

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

SMALL = [(1024, 640), (1280, 720), (1366, 768)]


def seen(window: MainWindow) -> set[str]:
    """Return the docks that are open and in front."""
    return {
        name for name, dock in window.stage.docks.items() if dock.isVisible() and not dock.visibleRegion().isEmpty()
    }


def test_layouts_have_names() -> None:
    assert effective("study", 1599) == "study-narrow" and effective("study", 1600) == "study"
    assert effective("watch", 1599) == "watch" and effective("watch", 1600) == "watch-wide"
    assert {places_for(1600, 300), places_for(1200, 700), places_for(1200, 400)} == {"wide", "stacked", "tabbed"}
    narrow, wide = ({each.name for each in views() if name in each.layouts} for name in ("study-narrow", "study"))
    assert narrow == {"basic", "causality"} < wide


@pytest.mark.parametrize("size", SMALL)
def test_study_in_a_narrow_window_shows_network_and_causality(qtbot: QtBot, open_window, size: tuple[int, int]) -> None:
    window = open_window(size=size, layout="study")
    assert seen(window) == {"basic", "causality"}
    assert (window.width(), window.height()) == size
    for name in ("basic", "causality"):
        canvas = window.stage.canvases[name]
        assert canvas.width() >= 400 and canvas.height() >= 230, (name, canvas.size())


@pytest.mark.parametrize("size", SMALL)
def test_the_process_view_covers_causality_while_one_is_selected(
    qtbot: QtBot, open_window, size: tuple[int, int]
) -> None:
    window = open_window(size=size, layout="study")
    window.playhead.pick(Hit("process", 5))
    qtbot.waitUntil(lambda: seen(window) == {"basic", "step"})
    step, basic = window.stage.canvases["step"], window.stage.canvases["basic"]
    assert step.width() >= 300 and step.height() >= 200
    assert basic.width() >= 400
    window.playhead.pick(Hit("process", 6))
    qtbot.waitUntil(lambda: seen(window) == {"basic", "step"})
    window.actions_by_name["clear_selection"].trigger()
    qtbot.waitUntil(lambda: seen(window) == {"basic", "causality"})
    assert not window.actions_by_name["view_step"].isChecked()


def test_a_process_view_opened_by_the_user_stays(qtbot: QtBot, open_window) -> None:
    window = open_window(size=(1280, 720), layout="study")
    window.actions_by_name["view_step"].trigger()
    qtbot.waitUntil(lambda: "step" in seen(window))
    window.playhead.pick(Hit("process", 5))
    window.playhead.pick(None)
    assert "step" in seen(window)


def test_a_click_in_causality_does_not_cover_it(qtbot: QtBot, open_window) -> None:
    window = open_window(size=(1280, 720), layout="study")
    window.activateWindow()
    window.stage.canvases["causality"].setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(window.stage.canvases["causality"].hasFocus)
    window.playhead.pick(Hit("process", 5))
    assert seen(window) == {"basic", "causality"}


def test_another_run_keeps_the_process_view_open(qtbot: QtBot, open_window) -> None:
    window = open_window(size=(1280, 720), layout="study")
    window.playhead.pick(Hit("process", 5))
    qtbot.waitUntil(lambda: "step" in seen(window))
    window.panel.set_seed(3)
    qtbot.waitUntil(lambda: len(window.session.runs) == 2, timeout=20_000)
    assert window.playhead.selection.processes == {5}
    qtbot.waitUntil(lambda: seen(window) == {"basic", "step"})


@pytest.mark.parametrize("size", SMALL)
def test_all_docks_fit_a_narrow_window_without_overlap(qtbot: QtBot, open_window, size: tuple[int, int]) -> None:
    window = open_window(size=size, layout="study")
    for name in ("experiment", "communication", "occupation", "step", "checks", "trace"):
        window.actions_by_name[f"view_{name}"].trigger()
        qtbot.waitUntil(lambda name=name: name in seen(window))
        assert (window.width(), window.height()) == size
    front = [window.stage.docks[name] for name in seen(window)]
    for i, one in enumerate(front):
        assert one.width() >= 170 and one.height() >= 200, (one.name, one.size())
        assert not any(one.geometry().intersects(other.geometry()) for other in front[:i])
        title = one.titleBarWidget().findChild(QLabel, "dockName")
        assert title.width() >= title.sizeHint().width()
    for name, canvas in window.stage.canvases.items():
        window.stage.show_view(name, True)
        qtbot.waitUntil(lambda name=name: name in seen(window))
        canvas.repaint()
        assert canvas.trouble is None


def test_a_hidden_view_comes_to_the_front_before_it_closes(qtbot: QtBot, open_window) -> None:
    window = open_window(size=(1280, 720), layout="study")
    action = window.actions_by_name["view_occupation"]
    action.trigger()
    qtbot.waitUntil(lambda: seen(window) == {"basic", "occupation"})
    causality = window.actions_by_name["view_causality"]
    assert causality.isChecked()
    causality.trigger()
    qtbot.waitUntil(lambda: seen(window) == {"basic", "causality"})
    assert causality.isChecked()
    causality.trigger()
    qtbot.waitUntil(lambda: "causality" not in seen(window))
    assert not causality.isChecked()


def test_a_widened_window_shows_all_of_study_side_by_side(qtbot: QtBot, open_window) -> None:
    window = open_window(size=(1280, 720), layout="study")
    window.resize(1920, 1080)
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, "study")))
    for name in shown_in(window.stage.docks, "study"):
        assert not window.stage.tabifiedDockWidgets(window.stage.docks[name])
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: seen(window) == {"basic", "causality"})


@pytest.mark.slow
def test_dock_positions_are_kept_and_reset_restores_the_default(qtbot: QtBot, open_window) -> None:
    first = open_window(size=(1600, 900), layout="study")
    docks = first.stage.docks
    first.stage.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, docks["experiment"])
    first.stage.show_view("checks", False)
    first.stage.resizeDocks([docks["basic"]], [500], Qt.Orientation.Horizontal)
    qtbot.wait(50)
    place, wide = docks["experiment"].pos(), docks["basic"].width()
    first.close()
    second = open_window(size=(1600, 900))
    docks = second.stage.docks
    qtbot.waitUntil(lambda: docks["experiment"].pos() == place)
    assert abs(docks["basic"].width() - wide) <= 4
    assert "checks" not in seen(second) and not second.actions_by_name["view_checks"].isChecked()
    second.actions_by_name["layout_reset"].trigger()
    qtbot.waitUntil(lambda: seen(second) == set(shown_in(second.stage.docks, "study")))
    assert docks["experiment"].x() < docks["basic"].x()
    second.close()
    third = open_window(size=(1600, 900))
    assert third.stage.docks["experiment"].x() < third.stage.docks["basic"].x()


def test_damaged_dock_positions_are_ignored(qtbot: QtBot, open_window) -> None:
    first = open_window(size=(1600, 900), layout="study")
    key = first.looks._key()
    first.close()
    first.settings.set_bytes(key, QByteArray(b"nonsense"))
    first.settings.sync()
    second = open_window(size=(1600, 900))
    assert seen(second) == set(shown_in(second.stage.docks, "study"))


def test_leaving_projector_mode_restores_the_layout(qtbot: QtBot, open_window) -> None:
    window = open_window(size=(1600, 900), layout="study")
    window.stage.show_view("checks", False)
    window.stage.show_view("trace", True)
    qtbot.wait(20)
    before = seen(window)
    window.actions_by_name["projector"].trigger()
    qtbot.waitUntil(lambda: seen(window) == {"basic", "causality"})
    window.actions_by_name["projector"].trigger()
    qtbot.waitUntil(lambda: seen(window) == before)


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720), (1920, 1080)])
def test_the_transport_figures_are_never_cut_in_projector_mode(
    qtbot: QtBot, open_window, size: tuple[int, int]
) -> None:
    window = open_window(size=size)
    window.looks.project(True)
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(*size)
    window.playhead.seek(window.playhead.end)
    window.grab()
    bar = window.bottom.transport
    shown = [bar.clock, bar.count, bar.speed, bar.slider, *(b for b in bar.buttons.values() if b.isVisible())]
    shown += [label for label in (bar.slower, bar.faster) if label.isVisible()]
    for part in shown:
        wanted = part.sizeHint().width()
        if isinstance(part, QLineEdit):  # its size hint allows for any text
            wanted = part.fontMetrics().horizontalAdvance(part.text()) + 4
        assert part.width() >= wanted or part is bar.slider, (part, part.width(), wanted)
        assert part.geometry().right() <= bar.width()
    for i, one in enumerate(shown):
        assert not any(one.geometry().intersects(other.geometry()) for other in shown[:i])
