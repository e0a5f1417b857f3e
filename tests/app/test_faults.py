"""Interference in the window with a real simulator: by menu, key, tool bar and dragging, and its undo.

The gestures of this file count the clicks that each action takes: a click is a press and a release of a button.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu
from pytestqt.qtbot import QtBot

from lydian.app.canvas.canvas import Canvas
from lydian.app.kit.fields import Field
from lydian.app.live.tools.form import FaultForm
from lydian.app.live.tools.interference import Interference
from lydian.app.live.tools.overlay import head_of
from lydian.app.main import make_window
from lydian.app.window.mainwindow import MainWindow
from lydian.model.interventions import KINDS, TOOLS, Intervention, Kind, Tool
from lydian.model.interventions.keys import PROCESS
from lydian.model.interventions.kind import tools_for
from lydian.views.playback.faultforms import Entry, Form, form_for
from lydian.views.playback.offerlists import menu_for
from lydian.views.selection import NOTHING, Hit, Selection
from tests.app.conftest import heard

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints"),
    pytest.mark.leaves_behind,  # the ready simulator belongs to the shared window, which ends it
]
Mouse, Mods = Qt.MouseButton, Qt.KeyboardModifier
#: The time of each interference, when ECHO on two wings has messages in transit.
T = 5.3


@pytest.fixture(scope="module")
def shared(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for all tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDIAN_HOME", str(tmp_path_factory.mktemp("home")))
        window = make_window(None)
        window.player.step_seconds = 0.0
        window.resize(1280, 720)
        window.show()
        window.looks.arrange("study")
        yield window
        window.close()
        window.deleteLater()
        QApplication.processEvents()


@pytest.fixture
def window(qtbot: QtBot, shared: MainWindow) -> MainWindow:
    """Provide the window in its initial state, paused in the middle of its run."""
    live = shared.session.live
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    shared.interference.let_go()
    if shared.interference.form is not None:
        shared.interference.form.leave()
    if live.on or live.branch or shared.session.experiment is None or shared.session.experiment.branches:
        shared.documents.open_example()
    qtbot.waitUntil(lambda: shared.session.shown is not None and len(shared.session.shown.trace) > 100, timeout=20_000)
    shared.playhead.pause()
    shared.playhead.select(NOTHING)
    shared.playhead.seek(T)
    canvas = network(shared)
    shared.activateWindow()
    QTest.mouseMove(shared, QPoint(1, 1))  # Qt reports no move to the place where an earlier test left the pointer
    canvas.setFocus()
    canvas.fit()
    qtbot.waitUntil(canvas.hasFocus)
    qtbot.waitUntil(lambda: canvas.frame is not None and canvas.frame.t == T)
    return shared


def network(window: MainWindow) -> Canvas:
    return window.stage.canvases["basic"]


def process(window: MainWindow, name: int) -> QPoint:
    place = network(window).process_rect(name)
    assert place is not None
    return place.center().toPoint()


def link(window: MainWindow, a: int, b: int) -> QPoint:
    return (process(window, a) + process(window, b)) / 2


def head(window: MainWindow, message: int) -> QPoint:
    canvas = network(window)
    found = head_of(window.interference.aim.hands[0].map, canvas.frame, message)
    assert found is not None
    return found.toPoint()


def flying(window: MainWindow, label: str = "", apart: float = 30.0) -> int:
    """Return a message in transit whose head is not near any other item."""
    canvas, timeline = network(window), window.playhead.timeline
    assert timeline is not None
    for message in canvas.frame.flights.id.tolist():
        at = QPointF(head(window, message))
        name = timeline.trace.labels[int(timeline.message_label[message])]
        if (not label or name == label) and canvas.hit(at) == Hit("message", message):
            others = [head(window, other) for other in canvas.frame.flights.id.tolist() if other != message]
            if all((QPointF(other) - at).manhattanLength() > apart for other in others):
                return int(message)
    raise AssertionError("no message stands alone")


def done(qtbot: QtBot, window: MainWindow, act: Callable[[], object]) -> tuple[Intervention, ...]:
    """Return the interventions that one gesture caused."""
    with heard(qtbot, window.session.live.acted) as caught:
        act()
    said = caught.args[0]  # type: ignore[index]
    assert said.accepted, said.reason
    found: tuple[Intervention, ...] = said.interventions
    return found


def undone(qtbot: QtBot, window: MainWindow) -> None:
    """Check that Ctrl+Z returns to the moment before."""
    live = window.session.live
    window.activateWindow()
    network(window).setFocus()
    qtbot.waitUntil(network(window).hasFocus)
    before = len(live.done)
    QTest.keyClick(network(window), Qt.Key.Key_Z, Mods.ControlModifier)
    qtbot.waitUntil(lambda: len(live.done) < before and live.waiting, timeout=20_000)
    assert live.time == pytest.approx(T)
    canvas, head = network(window), window.playhead
    qtbot.waitUntil(lambda: canvas.frame.timeline is head.timeline and canvas.frame.t == head.t)


def opened(window: MainWindow, at: QPoint) -> QMenu:
    """Open the menu of the item at a point: the first click."""
    canvas = network(window)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, canvas.mapToGlobal(at))
    QApplication.sendEvent(canvas, event)
    return next(menu for menu in canvas.findChildren(QMenu) if menu.isVisible())


def chosen(menu: QMenu, words: str) -> None:
    """Choose an entry: the second click; submenus open by hovering."""
    for action in menu.actions():
        inner = action.menu()
        if action.text() == words:
            assert action.isEnabled(), action.toolTip()
            QTest.mouseClick(menu, Mouse.LeftButton, Mods.NoModifier, menu.actionGeometry(action).center())
            return
        if isinstance(inner, QMenu) and any(each.text() == words for each in inner.actions()):
            menu.setActiveAction(action)
            inner.popup(menu.mapToGlobal(menu.actionGeometry(action).topRight()))
            each = next(each for each in inner.actions() if each.text() == words)
            QTest.mouseClick(inner, Mouse.LeftButton, Mods.NoModifier, inner.actionGeometry(each).center())
            menu.close()
            return
    raise AssertionError([action.text() for action in menu.actions()])


def form(window: MainWindow) -> FaultForm:
    found = window.interference.form
    assert found is not None
    assert found.isVisible()
    return found


def enter(window: MainWindow) -> None:
    QTest.keyClick(QApplication.focusWidget() or form(window), Qt.Key.Key_Return)


def fill(window: MainWindow, key: str, text: str) -> None:
    line = form(window).lines[key]
    if isinstance(line, QComboBox):
        line.setCurrentText(text)
    else:
        assert isinstance(line, Field)
        line.line.selectAll()
        QTest.keyClicks(line.line, text)


@pytest.mark.slow
def test_a_message_is_delayed_accelerated_or_dropped_by_its_head(qtbot: QtBot, window: MainWindow) -> None:
    canvas = network(window)
    canvas.fit()
    canvas.repaint()
    for along, aside, do in ((-0.4, 0.0, "delay"), (0.15, 0.0, "hurry"), (0.0, 60.0, "drop")):
        message = halfway(window)
        camera = (canvas.camera.scale, canvas.camera.dx, canvas.camera.dy)
        pulled(window, message, along, aside)
        sight = window.interference.aim.hands[0].overlay.sight
        assert sight is not None and sight.way is not None, (along, aside, message)
        at = sight.at
        assert at is not None
        (did,) = done(
            qtbot, window,
            lambda at=at: QTest.mouseRelease(canvas, Mouse.LeftButton, Mods.NoModifier, at.toPoint()),
        )  # fmt: skip
        assert did.message == message and did.do == ("drop" if do == "drop" else "delay")
        if did.do == "delay":
            assert did.delay is not None and (did.delay > 0) is (do == "delay")
        assert (canvas.camera.scale, canvas.camera.dx, canvas.camera.dy) == camera  # the view was not moved
        undone(qtbot, window)


# ---------------------------------------------------------------------- menus: two clicks each


@pytest.mark.parametrize(
    ("words", "do"),
    [("Crash", "crash"), ("Scramble it", "scramble"), ("Wake it", "wake"), ("Take it over", "take_over")],
)
def test_a_process_menu_injects_faults(qtbot: QtBot, window: MainWindow, words: str, do: str) -> None:
    did = done(qtbot, window, lambda: chosen(opened(window, process(window, 9)), words))
    assert [(each.do, each.process, each.time) for each in did] == [(do, "9", T)]
    assert window.session.live.on
    toast = window.interference.toast
    assert toast is not None
    qtbot.waitUntil(toast.isVisible)
    assert toast.label.text().startswith("Process 9 ") and toast.button.isVisible()
    qtbot.mouseClick(toast.button, Mouse.LeftButton)
    qtbot.waitUntil(lambda: not window.session.live.done and window.session.live.waiting, timeout=20_000)
    assert not toast.isVisible()


def test_a_link_menu_acts_in_the_chosen_direction(qtbot: QtBot, window: MainWindow) -> None:
    at = link(window, 3, 1)
    (cut,) = done(qtbot, window, lambda: chosen(opened(window, at), "Cut"))
    assert (cut.do, set(cut.link or ())) == ("link_down", {"1", "3"})
    qtbot.waitUntil(lambda: (there := window.interference.situation()) is not None and bool(there.down))
    menu = opened(window, at)
    assert "Restore" in [action.text() for action in menu.actions()]
    menu.close()
    inner = [action.menu() for action in opened(window, at).actions() if action.text() == "From 1 to 3"]
    assert isinstance(inner[0], QMenu)
    entry = next(each for each in inner[0].actions() if each.text() == "Drop the next message")
    (lose,) = done(qtbot, window, entry.trigger)
    assert (lose.do, lose.link) == ("drop", ("1", "3"))


@pytest.mark.parametrize("words", ["Drop", "Duplicate", "Deliver now"])
def test_a_message_menu_interferes_with_the_message(qtbot: QtBot, window: MainWindow, words: str) -> None:
    message = flying(window)
    did = done(qtbot, window, lambda: chosen(opened(window, head(window, message)), words))
    assert [(each.do, each.message) for each in did] == [(words.split()[0].lower(), message)]
    assert words.split()[0].lower() in window.session.undo.undo_text
    undone(qtbot, window)


def test_the_background_menu_restores_everything(qtbot: QtBot, window: MainWindow) -> None:
    ground = QPoint(network(window).width() - 12, 12)
    menu = opened(window, ground)
    grey = {action.text(): action for action in menu.actions()}
    assert not grey["Restore all links"].isEnabled() and grey["Restore all links"].toolTip() == "No link is cut"
    menu.close()
    for name in (8, 9):
        done(qtbot, window, lambda name=name: chosen(opened(window, process(window, name)), "Crash"))
    did = done(qtbot, window, lambda: chosen(opened(window, ground), "Recover all processes (2)"))
    assert [(each.do, each.process) for each in did] == [("recover", "8"), ("recover", "9")]


# ---------------------------------------------------------------------- forms


def test_a_form_beside_the_process_corrupts_a_variable(qtbot: QtBot, window: MainWindow) -> None:
    chosen(opened(window, process(window, 9)), "Corrupt a variable…")
    place = form(window).geometry()
    assert window.rect().contains(place) and not form(window).isWindow()
    assert form(window).values == {"variable": "parent", "value": "6"}
    fill(window, "variable", "pending")
    assert isinstance(form(window).lines["variable"], QComboBox)
    fill(window, "value", "7, 11")
    (did,) = done(qtbot, window, lambda: QTest.keyClick(form(window).lines["value"].line, Qt.Key.Key_Return))  # type: ignore[union-attr]
    assert (did.do, did.process, did.variable, did.value) == ("corrupt", "9", "pending", ["7", "11"])
    assert window.interference.form is None
    timeline = window.playhead.timeline
    assert timeline is not None
    qtbot.waitUntil(lambda: _variable(window, 9, "pending") == ["7", "11"], timeout=10_000)
    undone(qtbot, window)


def _variable(window: MainWindow, process: int, name: str) -> object:
    timeline = window.playhead.timeline
    assert timeline is not None
    return timeline.variables(process, timeline.count(window.playhead.t))[name][0]


def test_errors_are_shown_below_their_line_and_escape_cancels(qtbot: QtBot, window: MainWindow) -> None:
    chosen(opened(window, link(window, 3, 1)), "Slow down…")
    line = form(window).lines["distribution"]
    assert isinstance(line, Field) and line.line.hasFocus()
    first = line.line.text()
    assert first.startswith("lognormal(mean=")
    fill(window, "distribution", "unifrom(1, 2)")
    QTest.keyClick(line.line, Qt.Key.Key_Return)
    assert form(window).isVisible() and "uniform" in line.problem.text() and line.problem.isVisible()
    QTest.keyClick(line.line, Qt.Key.Key_Escape)
    assert window.interference.form is None and not window.session.live.on


def test_a_click_elsewhere_closes_the_form_and_its_letters_are_not_commands(qtbot: QtBot, window: MainWindow) -> None:
    window.playhead.select(Selection(processes=frozenset((9,))))
    network(window).setFocus()
    QTest.keyClick(network(window), Qt.Key.Key_V)
    box = form(window).lines["variable"]
    assert isinstance(box, QComboBox) and box.hasFocus()
    QTest.keyClick(box, Qt.Key.Key_X)
    assert form(window).isVisible() and not window.session.live.on
    QTest.mouseClick(window.bottom, Mouse.LeftButton, Mods.NoModifier, QPoint(4, 4))
    assert window.interference.form is None


def test_a_message_can_be_forged_and_another_changed(qtbot: QtBot, window: MainWindow) -> None:
    chosen(opened(window, process(window, 5)), "Send as 5…")
    assert form(window).values == {"to": "3", "label": "Broadcast", "field:Broadcast:payload": "news"}
    fill(window, "label", "Ack")
    assert set(form(window).values) == {"to", "label"}
    fill(window, "to", "8")
    (did,) = done(qtbot, window, form(window).accept)
    assert (did.do, did.link, did.label) == ("inject", ("5", "8"), "Ack")
    message = flying(window, "Broadcast")
    chosen(opened(window, head(window, message)), "Change its data…")
    fill(window, "field:Broadcast:payload", "lies")
    (did,) = done(qtbot, window, form(window).accept)
    assert (did.do, did.message, did.fields) == ("edit", message, {"payload": "lies"})


def test_a_message_is_delayed_by_the_typed_amount(qtbot: QtBot, window: MainWindow) -> None:
    message = flying(window)
    chosen(opened(window, head(window, message)), "Delay by…")
    fill(window, "delay", "2.5")
    (did,) = done(qtbot, window, lambda: enter(window))
    assert (did.do, did.message, did.delay) == ("delay", message, 2.5)


# ---------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("key", "chosen_things", "do"),
    [
        (Qt.Key.Key_X, Selection(processes=frozenset((9,))), ["crash"]),
        (Qt.Key.Key_X, Selection(processes=frozenset((8, 9))), ["crash", "crash"]),
        (Qt.Key.Key_U, Selection(links=frozenset(((3, 5),))), ["link_down"]),
        (Qt.Key.Key_P, Selection(processes=frozenset((10,))), ["partition"]),
        (Qt.Key.Key_R, Selection(links=frozenset(((1, 3),))), ["drop"]),
        (Qt.Key.Key_D, Selection(links=frozenset(((1, 3),))), ["delay"]),
        (Qt.Key.Key_Z, Selection(processes=frozenset((9,))), ["scramble"]),
        (Qt.Key.Key_W, Selection(processes=frozenset((9,))), ["wake"]),
    ],
)
def test_a_key_acts_on_the_selection(
    qtbot: QtBot, window: MainWindow, key: Qt.Key, chosen_things: Selection, do: list[str]
) -> None:
    window.playhead.select(chosen_things)
    did = done(qtbot, window, lambda: QTest.keyClick(network(window), key))
    assert [each.do for each in did] == do
    undone(qtbot, window)


@pytest.mark.parametrize(
    ("key", "modifier", "do"),
    [
        (Qt.Key.Key_R, Mods.NoModifier, "drop"),
        (Qt.Key.Key_D, Mods.NoModifier, "delay"),
        (Qt.Key.Key_D, Mods.ShiftModifier, "duplicate"),
        (Qt.Key.Key_A, Mods.NoModifier, "deliver"),
    ],
)
def test_a_key_acts_on_the_selected_message(
    qtbot: QtBot, window: MainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier, do: str
) -> None:
    message = flying(window)
    window.playhead.select(Selection(messages=frozenset((message,))))
    (did,) = done(qtbot, window, lambda: QTest.keyClick(network(window), key, modifier))
    assert (did.do, did.message) == (do, message)


@pytest.mark.parametrize("key", [Qt.Key.Key_V, Qt.Key.Key_S, Qt.Key.Key_Y])
def test_a_key_opens_the_form_and_enter_submits_it(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    window.playhead.select(Selection(processes=frozenset((9,))))
    QTest.keyClick(network(window), key)
    assert form(window).isVisible()
    (did,) = done(qtbot, window, lambda: enter(window))
    assert did.do == {Qt.Key.Key_V: "corrupt", Qt.Key.Key_S: "inject", Qt.Key.Key_Y: "retime"}[key]


class _Given:
    """A stub with a form that gives a process a command with a field."""

    form = Form(
        "Give a command", "Give",
        lambda _values: [Entry("label", "Command", "Publish", ("Publish",)), Entry("topic", "Topic", "news")],
        lambda values: ({"do": "command", "process": "1", "label": values["label"], "fields": {"topic": "news"}},),
    )  # fmt: skip


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_in_any_line_submits_the_form_once(window: MainWindow, key: Qt.Key) -> None:
    situation = window.interference.situation()
    assert situation is not None
    hits = (Hit("process", 9), Hit("link", (1, 3)), Hit("message", flying(window)))
    offers = [each for hit in hits for each in menu_for(situation, hit) if each.form and each.form != "line"]
    assert {each.form for each in offers} >= {"corrupt", "byzantine", "inject", "slow", "delay", "edit"}
    forms = [*(form_for(situation, each) for each in offers), _Given.form]
    for asked in forms:
        for number in range(len(asked.entries({})) + 1):
            made = FaultForm(window, asked)
            sent: list[object] = []
            made.done.connect(sent.append)
            made.open_beside(QRect(200, 200, 10, 10))
            line = [*made.lines.values(), made.button][number]
            where = line.line if isinstance(line, Field) else line
            where.setFocus()
            QTest.keyClick(where, key)
            if made.isVisible():  # the form reports an error: it is incomplete when it opens
                assert not sent, asked.title
                made.leave()
            else:
                assert len(sent) == 1, (asked.title, number, sent)
            made.accept()
            assert len(sent) <= 1


def test_keys_act_on_all_links_and_all_processes(qtbot: QtBot, window: MainWindow) -> None:
    window.playhead.select(Selection(processes=frozenset((5,))))
    cut = done(qtbot, window, lambda: QTest.keyClick(network(window), Qt.Key.Key_P))
    (parted,) = cut  # one gesture is one fault and one step
    assert (parted.do, parted.groups) == ("partition", (("5",),)) and window.session.undo.count == 1
    up = done(qtbot, window, lambda: QTest.keyClick(network(window), Qt.Key.Key_U, Mods.ShiftModifier))
    assert {each.do for each in up} == {"link_up"} and len(up) == 3
    done(qtbot, window, lambda: QTest.keyClick(network(window), Qt.Key.Key_X))
    (did,) = done(qtbot, window, lambda: QTest.keyClick(network(window), Qt.Key.Key_X, Mods.ShiftModifier))
    assert (did.do, did.process) == ("recover", "5")


# ---------------------------------------------------------------------- armed tools


def test_one_click_arms_a_tool_and_the_next_uses_it(qtbot: QtBot, window: MainWindow) -> None:
    interference, canvas = window.interference, network(window)
    bar = interference.bar
    assert bar is not None
    qtbot.mouseClick(bar.buttons["crash"], Mouse.LeftButton)
    hand = interference.aim.hands[0]
    assert interference.aim.tool == "crash" and bar.buttons["crash"].isChecked() and hand.overlay.isVisible()
    QTest.mouseMove(canvas, process(window, 9))
    assert hand.overlay.sight is not None and hand.overlay.sight.words == "Crash process 9"
    QTest.mouseMove(canvas, link(window, 1, 3))
    assert hand.overlay.sight.words == "Not for a link: click a process" and not hand.overlay.sight.can
    QTest.mouseClick(canvas, Mouse.LeftButton, Mods.NoModifier, link(window, 1, 3))
    assert interference.aim.tool == "crash"  # nothing was hit, so the tool stays armed
    (did,) = done(
        qtbot, window, lambda: QTest.mouseClick(canvas, Mouse.LeftButton, Mods.NoModifier, process(window, 9))
    )
    assert (did.do, did.process) == ("crash", "9")
    assert interference.aim.tool == "" and not hand.overlay.isVisible() and not bar.buttons["crash"].isChecked()


def test_escape_or_a_second_click_disarms_the_tool(qtbot: QtBot, window: MainWindow) -> None:
    interference = window.interference
    assert interference.bar is not None
    for name in [tool.name for tool in tools_for("bar")]:
        button = interference.bar.buttons[name]
        qtbot.mouseClick(button, Mouse.LeftButton)
        assert interference.aim.tool == name, name
        QTest.keyClick(network(window), Qt.Key.Key_Escape)
        assert interference.aim.tool == ""
        qtbot.mouseClick(button, Mouse.LeftButton)
        qtbot.mouseClick(button, Mouse.LeftButton)
        assert interference.aim.tool == ""
    assert not window.session.live.on


@pytest.mark.parametrize(
    "chosen_things", [Selection(links=frozenset(((3, 5),))), Selection(processes=frozenset((8, 9)))]
)
def test_a_button_arms_its_own_tool_whatever_is_selected(
    qtbot: QtBot, window: MainWindow, chosen_things: Selection
) -> None:
    interference = window.interference
    assert interference.bar is not None
    acted: list[object] = []
    window.session.live.acted.connect(acted.append)
    for name in [tool.name for tool in tools_for("bar")]:
        window.playhead.select(chosen_things)
        qtbot.mouseClick(interference.bar.buttons[name], Mouse.LeftButton)
        assert interference.aim.tool == name
        assert window.status.currentMessage().startswith(TOOLS[name].title)
        assert interference.form is None
    QTest.keyClick(network(window), Qt.Key.Key_Escape)
    assert not acted and not window.session.live.on
    window.session.live.acted.disconnect(acted.append)


def test_the_click_chooses_the_target_of_an_armed_tool(qtbot: QtBot, window: MainWindow) -> None:
    bar = window.interference.bar
    assert bar is not None
    message = flying(window)
    window.playhead.select(Selection(links=frozenset(((3, 5),))))
    qtbot.mouseClick(bar.buttons["drop"], Mouse.LeftButton)
    at = head(window, message)
    (did,) = done(qtbot, window, lambda: QTest.mouseClick(network(window), Mouse.LeftButton, Mods.NoModifier, at))
    assert (did.do, did.message) == ("drop", message)
    undone(qtbot, window)


def test_shift_keeps_the_tool_armed(qtbot: QtBot, window: MainWindow) -> None:
    canvas = network(window)
    QTest.keyClick(canvas, Qt.Key.Key_X)
    for name in (8, 9):
        done(
            qtbot, window,
            lambda name=name: QTest.mouseClick(canvas, Mouse.LeftButton, Mods.ShiftModifier, process(window, name)),
        )  # fmt: skip
    assert window.interference.aim.tool == "crash"
    assert [each.process for each in window.session.live.done] == ["8", "9"]


# ---------------------------------------------------------------------- dragging


def carried(window: MainWindow, tool: str, at: QPoint, *, cancel: bool = False) -> None:
    """Drag a button of the tool bar to a point of the network."""
    bar, canvas = window.interference.bar, network(window)
    assert bar is not None
    button = bar.buttons[tool]
    goal = button.mapFromGlobal(canvas.mapToGlobal(at))
    start = button.rect().center()
    QTest.mousePress(button, Mouse.LeftButton, Mods.NoModifier, start)
    for step in (0.1, 0.5, 0.9, 1.0):
        QTest.mouseMove(button, start + (goal - start) * step)
    assert window.interference.aim.tool == tool
    if cancel:
        QTest.keyClick(canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(button, Mouse.LeftButton, Mods.NoModifier, goal)


@pytest.mark.parametrize(
    ("tool", "where", "do"),
    [
        ("crash", "process", "crash"),
        ("cut", "link", "link_down"),
        ("drop", "message", "drop"),
        ("delay", "message", "delay"),
        ("duplicate", "message", "duplicate"),
        ("drop", "link", "drop"),
    ],
)
def test_a_button_can_be_dragged_onto_its_target(
    qtbot: QtBot, window: MainWindow, tool: str, where: str, do: str
) -> None:
    message = flying(window)
    places = {"process": process(window, 9), "link": link(window, 1, 3), "message": head(window, message)}
    (did,) = done(qtbot, window, lambda: carried(window, tool, places[where]))
    assert did.do == do
    assert window.interference.aim.tool == ""
    undone(qtbot, window)


def test_dragging_a_button_shows_the_effect_and_escape_cancels(window: MainWindow) -> None:
    carried(window, "crash", process(window, 9), cancel=True)
    assert window.interference.aim.tool == "" and not window.session.live.on
    carried(window, "corrupt", process(window, 9))
    assert form(window).form.title == "Corrupt process 9"
    form(window).leave()


def test_a_line_cuts_the_links_it_crosses_in_one_step(qtbot: QtBot, window: MainWindow) -> None:
    canvas = network(window)
    window.interference.use("partition")
    a, b = (process(window, 4) + process(window, 7)) / 2, (process(window, 3) + process(window, 6)) / 2
    start, end = a + (a - b) / 3, b + (b - a) / 3
    QTest.mousePress(canvas, Mouse.LeftButton, Mods.NoModifier, start)
    for step in range(1, 21):
        QTest.mouseMove(canvas, start + (end - start) * (step / 20))
    sight = window.interference.aim.hands[0].overlay.sight
    assert sight is not None and sight.words.startswith("Cut 3 links: 3-6, 3-7, 4-7"), sight
    did = done(qtbot, window, lambda: QTest.mouseRelease(canvas, Mouse.LeftButton, Mods.NoModifier, end))
    assert sorted("-".join(each.link or ()) for each in did) == ["3-6", "3-7", "4-7"]
    assert window.session.undo.count == 1 and window.session.undo.undo_text == "cut 3 links"
    undone(qtbot, window)


def test_a_process_can_be_dragged_across_a_cut(qtbot: QtBot, window: MainWindow) -> None:
    canvas, live = network(window), window.session.live
    cut = [{"do": "link_down", "link": list(pair)} for pair in (("0", "3"), ("1", "3"), ("4", "7"))]
    done(qtbot, window, lambda: live.act(cut))
    qtbot.waitUntil(lambda: (there := window.interference.situation()) is not None and len(there.down) == 3)
    start, goal = process(window, 3), process(window, 1)
    QTest.mousePress(canvas, Mouse.LeftButton, Mods.NoModifier, start)
    for step in (0.1, 0.5, 1.0):
        QTest.mouseMove(canvas, start + (goal - start) * step)
    sight = window.interference.aim.hands[0].overlay.sight
    assert sight is not None and sight.can, sight
    assert sight.words == "Move 3 to the side of 1: restore 2 links and cut 3 links" and sight.hit == Hit("process", 1)
    did = done(qtbot, window, lambda: QTest.mouseRelease(canvas, Mouse.LeftButton, Mods.NoModifier, goal))
    assert sorted((each.do, "-".join(each.link or ())) for each in did) == [
        ("link_down", "3-5"), ("link_down", "3-6"), ("link_down", "3-7"), ("link_up", "0-3"), ("link_up", "1-3"),
    ]  # fmt: skip
    undone(qtbot, window)


def halfway(window: MainWindow) -> int:
    """Return the message that is farthest from both ends of its way."""
    canvas, f, m = network(window), network(window).frame.flights, window.interference.aim.hands[0].map
    assert m is not None
    start, stop, _ = m.ways(f.source, f.target)
    room = np.hypot(*(stop - start).T) * np.minimum(f.fraction, 1.0 - f.fraction)
    order = np.argsort(-room)
    some = [int(f.id[n]) for n in order if 0.2 < float(f.fraction[n]) < 0.7]
    return next(each for each in some if canvas.hit(QPointF(head(window, each))) == Hit("message", each))


def pulled(window: MainWindow, message: int, along: float, aside: float = 0.0) -> None:
    """Drag a message by its head, along its way by a share of its length and aside by some pixels."""
    canvas, m, flights = network(window), window.interference.aim.hands[0].map, network(window).frame.flights
    assert m is not None
    entry = int(np.flatnonzero(flights.id == message)[0])
    one = slice(entry, entry + 1)
    start, stop, unit = (each[0] for each in m.ways(flights.source[one], flights.target[one]))
    at = head(window, message)
    length = float(np.hypot(*(stop - start)))
    least = 1.5 * QApplication.startDragDistance() / length  # a shorter drag is a click
    along = math.copysign(max(abs(along), least), along) if along else 0.0
    way = (stop - start) * along + np.array((-unit[1], unit[0])) * aside
    QTest.mousePress(canvas, Mouse.LeftButton, Mods.NoModifier, at)
    for step in (0.3, 0.7, 1.0):
        QTest.mouseMove(canvas, at + QPoint(round(way[0] * step), round(way[1] * step)))


def test_escape_releases_a_message_and_a_drag_with_a_key_pans(window: MainWindow) -> None:
    canvas, message = network(window), flying(window)
    pulled(window, message, -0.3)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.interference.aim.hands[0].overlay.isVisible()
    QTest.mouseRelease(canvas, Mouse.LeftButton, Mods.NoModifier, head(window, message))
    assert not window.session.live.on
    at = head(window, message)
    QTest.mousePress(canvas, Mouse.LeftButton, Mods.ShiftModifier, at)
    QTest.mouseMove(canvas, at + QPoint(40, 20))
    QTest.mouseRelease(canvas, Mouse.LeftButton, Mods.ShiftModifier, at + QPoint(40, 20))
    assert canvas.camera.scale is not None  # the view was panned
    canvas.fit()


# ---------------------------------------------------------------------- refusals and other places


def test_a_refusal_is_shown_with_its_reason(qtbot: QtBot, window: MainWindow) -> None:
    live = window.session.live
    done(qtbot, window, lambda: live.act({"do": "crash", "process": "9"}))
    with heard(qtbot, live.acted) as caught:
        live.act({"do": "crash", "process": "9"})
    assert not caught.args[0].accepted  # type: ignore[index]
    toast = window.interference.toast
    assert toast is not None and toast.isVisible()
    assert toast.label.text() == "Process 9 has crashed" and not toast.button.isVisible()


def test_causality_offers_the_same_and_goes_to_the_flight_of_a_message(qtbot: QtBot, window: MainWindow) -> None:
    canvas = window.stage.canvases["causality"]
    timeline = window.playhead.timeline
    assert timeline is not None
    menu = window.stage.window().findChildren(QMenu)  # noqa: F841  kept alive while the next one is made
    gone = next(m for m in range(timeline.m_messages) if m not in timeline.in_flight(timeline.count(T), T))
    sent = float(timeline.message_sent[gone])
    menus = window.access.menus
    made = menus.for_hit(Hit("message", gone), canvas)
    inner = next(action.menu() for action in made.actions() if action.text().startswith("Intervene at "))
    assert isinstance(inner, QMenu)
    entry = next(each for each in inner.actions() if each.text() == "Drop")
    (did,) = done(qtbot, window, entry.trigger)
    assert (did.do, did.message, did.time) == ("drop", gone, sent)
    made.close()


def test_a_trace_without_its_experiment_explains_why_it_is_read_only(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    from lydian.trace.parquet.file import save
    from tests.views import book

    b = book.Book(("a", "b"), links=[("a", "b")])
    first = b.write(0.0, "init", "a", state="initiating")
    b.send(1.0, "a", "b", "Broadcast", first)
    file = tmp_path / "bare.parquet"
    save(replace(b.trace(), experiment={}), file)
    window.session.open_trace(file)
    interference: Interference = window.interference
    action = window.actions_by_name["fault_crash"]
    assert not action.isEnabled() and "without its experiment" in action.statusTip()
    assert interference.bar is not None and not interference.bar.buttons["crash"].isEnabled()
    made = window.access.menus.for_hit(Hit("process", 0), network(window))
    assert [action.text() for action in made.actions() if not action.isEnabled()][1:2] == ["Intervene"]
    window.documents.open_example()
    qtbot.waitUntil(action.isEnabled)


def test_an_extra_network_view_is_a_target_until_closed(qtbot: QtBot, window: MainWindow) -> None:
    aim, copies = window.interference.aim, window.stage.copies
    name = copies.open("basic")
    world = window.stage.canvases["world"]
    assert [hand.canvas for hand in aim.hands] == [network(window), world, copies.canvases[name]]
    window.interference.use("crash")
    assert all(hand.overlay.isVisible() for hand in aim.hands if hand.canvas.isVisible())
    assert not world.isVisible()
    window.interference.let_go()
    window.stage.docks[name].close()
    qtbot.waitUntil(lambda: len(aim.hands) == 2)


def test_a_command_arms_a_tool_of_another_package(window: MainWindow) -> None:
    class Doze(Kind):
        name = "doze"
        needs = (PROCESS,)
        tool = Tool("doze", "Let a process doze", ("process",), "Click a process", ("process",), ("process",))

    KINDS.register(Doze)
    try:
        window.interference.handlers()["fault_doze"]()
        assert window.interference.aim.tool == "doze"
    finally:
        window.interference.let_go()
        KINDS.discard("doze")
