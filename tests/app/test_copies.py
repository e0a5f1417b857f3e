"""Several views of one kind, pinned processes, and the memory of views and layouts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.qtbot import QtBot

from lydian.app.panels.arrangement import shown_in
from lydian.app.panels.dock import Dock
from lydian.app.stage import remembered as keeping
from lydian.app.stage.stage import MOST, kinds
from lydian.app.window.mainwindow import MainWindow
from lydian.app.work.settings import Settings
from lydian.views.selection import Hit

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

Open = Callable[..., MainWindow]
WIDE = (1600, 900)
ALT = Qt.KeyboardModifier.AltModifier


def seen(window: MainWindow) -> set[str]:
    """Return the docks that are open and in front."""
    return {
        name for name, dock in window.stage.docks.items() if dock.isVisible() and not dock.visibleRegion().isEmpty()
    }


def places(window: MainWindow) -> dict[str, tuple[int, ...]]:
    """Return the position of each open dock."""
    return {name: dock.geometry().getRect() for name, dock in window.stage.docks.items() if dock.isVisible()}


def button(dock: Dock, name: str) -> QToolButton:
    (found,) = [one for one in dock.bar.findChildren(QToolButton) if one.accessibleName().startswith(name)]
    return found


def menu_action(dock: Dock, words: str) -> QAction:
    (found,) = [action for action in dock.menu.actions() if action.text() == words]
    return found


def choose(window: MainWindow, dock: str, title: str, words: str) -> None:
    (menu,) = [menu for menu in window.stage.docks[dock].menu.findChildren(QMenu) if menu.title() == title]
    (action,) = [action for action in menu.actions() if action.text() == words]
    action.trigger()


# ---------------------------------------------------------------------- several of one kind


def test_each_kind_of_view_can_be_opened_twice_from_the_menu(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="watch")
    for kind in kinds():
        window.actions_by_name[f"new_view_{kind}"].trigger()
        qtbot.waitUntil(lambda kind=kind: f"{kind}-2" in seen(window))
    window.playhead.seek(4.0)
    for canvas in window.stage.copies.canvases.values():
        canvas.repaint()
        assert canvas.trouble is None and canvas.frame is not None and canvas.accessibleName().endswith("2 view")
    assert window.stage.copies.panes["trace-2"].list.model().rowCount() == window.playhead.timeline.length
    window.stage.copies.close_all()
    assert set(window.stage.docks) >= set(kinds()) and not window.stage.copies.names


def test_a_second_causality_view_has_its_own_time_and_options(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="watch")
    stage = window.stage
    choose(window, "causality", "Colour of messages", "Sender")
    menu_action(stage.docks["causality"], "New view of this kind").trigger()
    first, second = stage.canvases["causality"], stage.copies.canvases["causality-2"]
    assert stage.docks["causality-2"].windowTitle() == "Causality 2"
    assert second.options["color"] == first.options["color"] == "sender"
    assert second.width() > 300 and first.width() > 300
    second.zoom(4.0)
    assert second.camera.window != first.camera.window == first.camera.whole
    choose(window, "causality-2", "Horizontal axis", "Lamport time")
    assert second.camera.axis == "lamport" and first.camera.axis == window.camera.axis == "time"
    assert "axis" not in first.options
    choose(window, "causality", "Horizontal axis", "One step per event")
    assert second.options["axis"] == "lamport" and stage.canvases["occupation"].options["axis"] == "events"
    window.playhead.pick(Hit("process", 4))
    for canvas in (first, second):
        canvas.repaint()
        assert canvas.trouble is None
    window.panel.set_seed(11)
    qtbot.waitUntil(lambda: len(window.session.runs) == 2, timeout=20_000)
    assert second.camera.whole == first.camera.whole == second.camera.window


def test_closing_a_view_deletes_it_and_frees_its_number(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="watch")
    copies = window.stage.copies
    assert [copies.open("causality"), copies.open("causality")] == ["causality-2", "causality-3"]
    qtbot.mouseClick(button(window.stage.docks["causality-2"], "Close"), Qt.MouseButton.LeftButton)
    assert copies.names == ["causality-3"] and "causality-2" not in window.stage.docks
    qtbot.waitUntil(lambda: "causality-2" not in seen(window))
    assert copies.open("causality", "causality-3") == "causality-2"
    for number in range(4, MOST + 1):
        assert copies.open("causality") == f"causality-{number}"
    with qtbot.waitSignal(window.documents.said) as said:
        assert copies.open("causality") == ""
    assert said.args == ["9 views of one kind are already open; close one of them to open another.", False]
    window.playhead.seek(3.0)


def test_an_extra_view_can_be_maximised_closed_and_redraws_only_on_change(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="study")
    shown = seen(window)
    name = window.stage.copies.open("occupation")
    canvas = window.stage.copies.canvases[name]
    window.playhead.seek(3.0)
    qtbot.waitUntil(lambda: canvas.frame is not None and canvas._drawn == canvas._key())
    painted = canvas.painted
    window.player.tick(0.1)  # playback is paused, so nothing has changed
    canvas.refresh()
    qtbot.wait(20)
    assert canvas.painted == painted
    window.playhead.seek(5.0)
    qtbot.waitUntil(lambda: canvas.painted > painted)
    window.stage.maximise(name)
    assert seen(window) == {name}
    qtbot.mouseClick(button(window.stage.docks[name], "Close"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: seen(window) == shown)
    assert name not in window.stage.docks and not window.stage.maximised


def test_a_second_text_trace_has_its_own_filter(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="debug")
    window.stage.pane.field.setText("p=5")
    name = window.stage.copies.open("trace")
    pane = window.stage.copies.panes[name]
    assert pane.field.text() == "p=5" and list(pane.matches) == list(window.stage.pane.matches)
    pane.field.clear()
    qtbot.keyClicks(pane.field, "p=3")
    assert list(pane.matches) != list(window.stage.pane.matches) and len(pane.matches)
    window.panel.set_seed(11)
    qtbot.waitUntil(lambda: len(window.session.runs) == 2, timeout=20_000)
    assert all(window.playhead.timeline.process[event] == 3 for event in pane.matches)


# ---------------------------------------------------------------------- pinned processes


def test_a_pinned_process_stays_when_the_selection_changes(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="debug")
    stage, head = window.stage, window.playhead
    head.pick(Hit("process", 5))
    qtbot.mouseClick(button(stage.docks["step"], "Pin this process in a new view"), Qt.MouseButton.LeftButton)
    head.pick(Hit("process", 3))
    qtbot.mouseClick(button(stage.docks["step"], "Pin this process in a new view"), Qt.MouseButton.LeftButton)
    head.pick(Hit("process", 8))
    menu_action(stage.docks["step"], "New view of this kind").trigger()
    head.pick(Hit("process", 1))
    qtbot.waitUntil(lambda: {"step", "step-2", "step-3", "step-4"} <= seen(window))
    shown = {}
    for name, canvas in [("step", stage.canvases["step"]), *stage.copies.canvases.items()]:
        canvas.repaint()
        shown[name] = canvas.frame.process
    assert shown == {"step": 1, "step-2": 5, "step-3": 3, "step-4": 8}
    docks = [stage.docks[name] for name in ("step-2", "step-3", "step-4")]
    assert len({dock.y() for dock in docks}) == 1 and len({dock.x() for dock in docks}) == 3  # side by side
    assert max(dock.width() for dock in docks) - min(dock.width() for dock in docks) <= 12
    assert stage.copies.open("step") == "" and len(stage.copies.pins) == 3
    pin = menu_action(stage.docks["step-2"], "Pinned to process 5")
    pin.trigger()
    canvas = stage.copies.canvases["step-2"]
    canvas.repaint()
    assert canvas.frame.process == 1 and not pin.isChecked() and pin.text() == "Pin"
    head.pick(Hit("process", 7))
    canvas.repaint()
    pin.trigger()
    head.pick(None)
    canvas.repaint()
    assert canvas.frame.process == 7 and stage.copies.pins["step-2"] == "7"


def test_a_pinned_process_missing_from_the_run_stays_pinned(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE, layout="study")
    window.playhead.pick(Hit("process", 11))
    name = window.stage.copies.open("step")
    dock, canvas = window.stage.docks[name], window.stage.copies.canvases[name]
    window.panel.set_network("ring:5")
    qtbot.waitUntil(lambda: "11" not in window.playhead.timeline.processes, timeout=20_000)
    assert "There is no process 11" in dock.obstacle and not canvas.isVisible() and dock.isVisible()
    window.session.undo.undo()
    qtbot.waitUntil(lambda: "11" in window.playhead.timeline.processes, timeout=20_000)
    qtbot.waitUntil(lambda: not dock.obstacle and canvas.isVisible())
    canvas.repaint()
    assert window.playhead.timeline.processes[canvas.frame.process] == "11"


def test_each_layout_has_its_own_three_pinned_processes(qtbot: QtBot, open_window: Open, tmp_path: Path) -> None:
    window = open_window(size=(1920, 1080), layout="debug")
    copies = window.stage.copies
    names = []
    for process in (2, 4, 6):
        window.playhead.pick(Hit("process", process))
        names.append(copies.open("step"))
    window.actions_by_name["layout_study"].trigger()
    assert not set(names) & seen(window)
    assert copies.open("step") == "step-5" and copies.pins["step-5"] == "6"
    file = tmp_path / "pinned.svg"
    window.stage.options.write_picture(copies.canvases[names[0]], file)
    assert ">2<" in file.read_text(encoding="utf-8")
    window.actions_by_name["layout_debug"].trigger()
    qtbot.waitUntil(lambda: set(names) < seen(window))
    assert "step-5" not in seen(window)


@pytest.mark.parametrize("floating", [False, True])
def test_extra_views_survive_resizing_the_window(qtbot: QtBot, open_window: Open, floating: bool) -> None:
    window = open_window(size=(1280, 720), layout="study")
    name = window.stage.copies.open("causality")
    dock = window.stage.docks[name]
    if floating:
        dock.tear_off()
    for size in ((1920, 1080), (1280, 720), (1920, 1080)):
        window.resize(*size)
        qtbot.waitUntil(lambda: {"basic", "causality", name} <= seen(window))
        assert dock.isFloating() == floating and (window.width(), window.height()) == size
        assert len(seen(window)) == (8 if size[0] == 1920 else 3)


# ---------------------------------------------------------------------- layouts and memory


@pytest.mark.parametrize("size", [(1024, 640), (1024, 768), (1280, 720), (1280, 1024), (1920, 1080)])
def test_the_debug_layout_shows_network_process_and_trace_without_overlap(
    qtbot: QtBot, open_window: Open, size: tuple[int, int]
) -> None:
    window = open_window(size=size)
    qtbot.keyClick(window.stage.canvases["basic"], Qt.Key.Key_3, ALT)
    layout = "debug-wide" if size[0] >= 1600 else "debug"
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, layout)))
    assert window.looks.layout == "debug" and window.actions_by_name["layout_debug"].isChecked()
    assert (window.width(), window.height()) == size
    docks = [window.stage.docks[name] for name in seen(window)]
    for i, one in enumerate(docks):
        assert one.width() >= 240 and one.height() >= 140, (one.name, one.size())
        assert not any(one.geometry().intersects(other.geometry()) for other in docks[:i])


def test_each_layout_is_restored(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1920, 1080), layout="study")
    window.stage.copies.open("causality")
    window.stage.show_view("checks", False)
    qtbot.wait(20)
    shown, before = seen(window), places(window)
    window.actions_by_name["layout_watch"].trigger()
    qtbot.waitUntil(lambda: seen(window) == {"basic", "causality"})
    window.actions_by_name["layout_debug"].trigger()
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, "debug-wide")))
    window.actions_by_name["layout_study"].trigger()
    qtbot.waitUntil(lambda: seen(window) == shown)
    assert places(window) == before
    window.actions_by_name["layout_reset"].trigger()
    qtbot.waitUntil(lambda: seen(window) == set(shown_in(window.stage.docks, "study")))
    assert window.looks.layout == "study" and not window.stage.copies.names


def test_each_screen_has_its_own_layout(qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_window(size=WIDE, layout="study")
    here = window.looks._key()
    window.stage.show_view("checks", False)
    at_home = seen(window)
    monkeypatch.setattr(type(window.looks), "_key", lambda self: "docks-elsewhere")
    window.looks.screen_changed()
    window.stage.show_view("trace", True)
    elsewhere = seen(window)
    monkeypatch.setattr(type(window.looks), "_key", lambda self: here)
    window.looks.screen_changed()
    qtbot.waitUntil(lambda: seen(window) == at_home)
    monkeypatch.setattr(type(window.looks), "_key", lambda self: "docks-elsewhere")
    window.looks.screen_changed()
    qtbot.waitUntil(lambda: seen(window) == elsewhere)


@pytest.mark.slow
def test_options_copies_pins_and_the_filter_are_restored(qtbot: QtBot, open_window: Open) -> None:
    first = open_window(size=(1920, 1080), layout="study")
    choose(first, "communication", "Count", "Messages received")
    choose(first, "occupation", "Horizontal axis", "Lamport time")
    first.playhead.pick(Hit("process", 5))
    first.stage.copies.open("step")
    first.stage.copies.open("causality")
    choose(first, "causality-2", "Horizontal axis", "Lamport time")
    choose(first, "causality-2", "For the selected event, show", "Nothing")
    qtbot.keyClicks(first.stage.pane.field, "message=Ack")
    shown, before = seen(first), places(first)
    first.close()
    second = open_window(size=(1920, 1080))
    stage = second.stage
    qtbot.waitUntil(lambda: seen(second) == shown)
    for name, (x, _, width, _) in before.items():  # without the row of cards every dock is taller
        again = places(second)[name]
        assert abs(again[0] - x) <= 4 and abs(again[2] - width) <= 4, name
    assert stage.canvases["communication"].options["what"] == "received"
    assert stage.canvases["causality"].options["axis"] == second.camera.axis == "lamport"
    other = stage.copies.canvases["causality-2"]
    assert other.options["highlighted"] is None and other.camera.axis == "lamport"
    stage.copies.canvases["step-2"].repaint()
    assert stage.copies.canvases["step-2"].frame.process == 5
    assert stage.pane.field.text() == "message=Ack" and 0 < len(stage.pane.matches) < second.playhead.timeline.length


BROKEN = [
    "{", "[]", "null", "7", '{"copies": 3}', '{"copies": [1, null, {"kind": "moon", "number": 2}]}',
    '{"copies": [{"kind": "step", "number": true}, {"kind": ["a"], "number": 2}, {"kind": "step", "number": 10000}]}',
    '{"chosen": {"causality": {"axis": "sideways", "sort": [1], "future": 1}, "moon": {}}, "filter": 5}',
    '{"chosen": {"causality": 4}, "copies": {"kind": "step"}}', "[" * 100_000,
]  # fmt: skip


def test_damaged_view_settings_never_prevent_a_start(qtbot: QtBot, open_window: Open, home) -> None:
    home.mkdir(parents=True)
    file = home / "settings.ini"

    def remember(text: str) -> None:
        file.write_text(f"[General]\nlayout=study\nviews={json.dumps(text)}\n", encoding="utf-8")

    remember(BROKEN[-1])  # one real start; the others are read and restored as at a start
    window = open_window(size=WIDE)
    for text in BROKEN:
        remember(text)
        keeping.give_back(window.stage, Settings(file).record("views"))
        assert seen(window) == set(shown_in(window.stage.docks, "study")) and not window.stage.copies.names
        assert window.stage.canvases["causality"].options.get("future") is not 1  # noqa: F632  True and 1 are equal


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
    | st.sampled_from(["causality", "step", "trace", "lamport", "axis"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["chosen", "copies", "filter", "kind", "number", "options", "pin", "causality", "axis"]),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


def test_any_remembered_state_can_be_restored(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=WIDE)
    stage = window.stage

    @settings(deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.dictionaries(st.sampled_from(["chosen", "copies", "filter"]), JSON, max_size=3))
    def law(record: dict) -> None:
        keeping.give_back(stage, record)
        described = keeping.describe(stage)
        assert json.loads(json.dumps(described)) == described
        stage.copies.close_all()
        keeping.give_back(stage, described)
        assert keeping.describe(stage) == described
        stage.copies.close_all()

    law()
