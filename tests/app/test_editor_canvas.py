"""The drawing board by mouse and keyboard: every gesture, its result and its undo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from lydian.app.kit.theming import set_theme_of
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board, Chosen
from lydian.app.network.board.canvas import EditorCanvas
from lydian.app.network.board.picture import save_picture
from lydian.model.delays import parse
from lydian.model.editing.links import set_link
from lydian.model.editing.processes import move
from lydian.model.errors import BadInput
from lydian.model.generators import from_spec
from lydian.model.network import Link, Network

Key, Mouse = Qt.Key, Qt.MouseButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
SQUARE = Network(
    "square",
    ("0", "1", "2", "3"),
    (Link("0", "1"), Link("1", "2"), Link("2", "3")),
    positions={"0": (96.0, 96.0), "1": (384.0, 96.0), "2": (384.0, 288.0), "3": (96.0, 288.0)},
)


class Hand:
    """Mouse and keys on a canvas; points are in coordinates of the drawing."""

    def __init__(self, canvas: EditorCanvas) -> None:
        self.canvas, self.board = canvas, canvas.board

    def pixel(self, at: tuple[float, float] | str, aside: tuple[int, int] = (0, 0)) -> QPoint:
        x, y = self.board.network.positions[at] if isinstance(at, str) else at
        x, y = self.canvas.view.pixel(x, y)
        return QPoint(round(x) + aside[0], round(y) + aside[1])

    def rim(self, name: str) -> QPoint:
        return self.pixel(name, (0, 21))

    def press(self, at: QPoint, held: Qt.KeyboardModifier = NONE, button: Qt.MouseButton = Mouse.LeftButton) -> None:
        QTest.mousePress(self.canvas, button, held, at)

    def move(self, at: QPoint, held: Qt.KeyboardModifier = NONE, button: Qt.MouseButton = Mouse.LeftButton) -> None:
        place = QPointF(at)
        there = self.canvas.mapToGlobal(place)
        QApplication.sendEvent(
            self.canvas, QMouseEvent(QEvent.Type.MouseMove, place, there, Mouse.NoButton, button, held)
        )

    def release(self, at: QPoint, held: Qt.KeyboardModifier = NONE, button: Qt.MouseButton = Mouse.LeftButton) -> None:
        QTest.mouseRelease(self.canvas, button, held, at)

    def drag(self, *way: QPoint, held: Qt.KeyboardModifier = NONE, button: Qt.MouseButton = Mouse.LeftButton) -> None:
        self.press(way[0], held, button)
        for at in way[1:]:
            self.move(at, held, button)
        self.release(way[-1], held, button)

    def click(self, at: QPoint, held: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseClick(self.canvas, Mouse.LeftButton, held, at)

    def double(self, at: QPoint) -> None:
        QTest.mouseDClick(self.canvas, Mouse.LeftButton, NONE, at)

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.canvas, key, held)

    @property
    def texts(self) -> list[str]:
        return [step.text for step in self.board.document.steps[1:]]

    def undone(self) -> Network:
        self.key(Key.Key_Z, CTRL)
        return self.board.network


@pytest.fixture(scope="module")
def shared() -> Iterator[EditorCanvas]:
    app = QApplication.instance() or QApplication(["lydian"])
    board = Board(SQUARE)
    canvas = EditorCanvas(board, Theme("light", still=True))
    canvas.resize(700, 560)
    canvas.show()
    app.processEvents()
    yield canvas
    canvas.close()
    canvas.deleteLater()
    board.deleteLater()


def begun(canvas: EditorCanvas, network: Network = SQUARE) -> Hand:
    """Return the canvas with a network in its initial state, at one pixel per unit."""
    if canvas.name_edit is not None:
        canvas.name_edit.cancel()
    canvas.drop()
    canvas.board.open(network)
    canvas.board.take("select")
    canvas.board.brush = None
    canvas.snap_grid = canvas.snap_guides = True
    canvas.pointer = None
    canvas.view.scale, canvas.view.dx, canvas.view.dy = 1.0, 40.0, 40.0
    canvas.setFocus()
    return Hand(canvas)


@pytest.fixture
def hand(qtbot: QtBot, shared: EditorCanvas) -> Hand:
    return begun(shared)


# ------------------------------------------------------------------ processes


def test_a_double_click_adds_a_process_on_the_grid_and_edits_its_name(hand: Hand) -> None:
    hand.double(hand.pixel((205, 163)))
    assert hand.board.network.positions["4"] == (216.0, 168.0)
    assert hand.board.chosen.processes == {"4"}
    edit = hand.canvas.name_edit
    assert edit is not None and edit.text() == "4"
    QTest.keyClicks(edit, "hub")
    QTest.keyClick(edit, Key.Key_Return)
    assert hand.board.network.processes[-1] == "hub"
    assert hand.texts == ["Add process 4", "Rename 4 to hub"]
    assert hand.board.chosen.processes == {"hub"}
    assert hand.undone().processes[-1] == "4"
    assert hand.undone() == SQUARE


def test_an_invalid_name_is_refused_in_place_and_kept(hand: Hand) -> None:
    hand.double(hand.pixel("1"))
    edit = hand.canvas.name_edit
    assert edit is not None
    QTest.keyClicks(edit, "2")
    QTest.keyClick(edit, Key.Key_Return)
    assert not edit.trouble.isHidden()
    assert edit.trouble.text() == "The name '2' already belongs to another process. Type another name or press Esc."
    assert edit.text() == "2" and hand.board.network == SQUARE
    QTest.keyClick(edit, Key.Key_Escape)
    assert hand.canvas.name_edit is None and hand.board.network == SQUARE


def test_undo_in_an_untouched_name_removes_the_process(hand: Hand) -> None:
    hand.double(hand.pixel((200, 200)))
    QTest.keyClick(hand.canvas.name_edit, Key.Key_Z, CTRL)
    assert hand.board.network == SQUARE and hand.canvas.name_edit is None


def test_the_process_tool_adds_processes_until_escape(hand: Hand) -> None:
    hand.move(hand.pixel((10, 10)), button=Mouse.NoButton)
    hand.key(Key.Key_P)
    assert hand.board.tool == "process"
    hand.click(hand.pixel((240, 190)))
    assert hand.board.network.n == 5 and hand.board.tool == "process"
    hand.click(hand.pixel((240, 250)))
    assert hand.board.network.n == 6
    hand.key(Key.Key_Escape)
    assert hand.board.tool == "select"
    hand.undone()
    assert hand.undone() == SQUARE


def test_a_drag_moves_the_selection_and_snaps(hand: Hand) -> None:
    hand.board.choose_processes(["0", "1"])
    hand.drag(hand.pixel("0"), hand.pixel("0", (20, 0)), hand.pixel((121, 140)))
    assert hand.board.network.positions == {**SQUARE.positions, "0": (120.0, 144.0), "1": (408.0, 144.0)}
    assert hand.texts == ["Move 2 processes"]
    assert hand.undone() == SQUARE


def test_a_drag_aligns_with_processes_then_the_grid_and_alt_disables_both(hand: Hand) -> None:
    begun(hand.canvas, SQUARE.replace(positions={**SQUARE.positions, "2": (301.0, 288.0)}))
    hand.press(hand.pixel("3"))
    hand.move(hand.pixel("3", (9, 0)))
    hand.move(hand.pixel((297, 370)))
    assert hand.canvas.gesture is not None
    assert [(guide.axis, guide.value) for guide in hand.canvas.gesture.overlay.guides] == [(0, 301.0)]
    hand.move(hand.pixel((297, 371)), ALT)
    assert hand.canvas.gesture.overlay.guides == ()
    hand.release(hand.pixel((297, 371)), ALT)
    assert hand.board.network.positions["3"] == (297.0, 371.0)


def test_escape_cancels_a_drag(hand: Hand) -> None:
    hand.press(hand.pixel("0"))
    hand.move(hand.pixel((300, 200)))
    hand.key(Key.Key_Escape)
    hand.release(hand.pixel((300, 200)))
    assert hand.board.network is SQUARE and hand.texts == []
    assert hand.canvas.gesture is None


def test_arrows_move_by_the_grid_and_a_burst_is_one_step(hand: Hand) -> None:
    hand.board.choose_processes(["2"])
    hand.key(Key.Key_Right)
    hand.key(Key.Key_Right)
    hand.key(Key.Key_Down, SHIFT)
    assert hand.board.network.positions["2"] == (384.0 + 48, 289.0)
    assert hand.texts == ["Move process 2"]
    hand.canvas.keys.settle()  # as after a pause between arrow keys
    hand.key(Key.Key_Left)
    assert len(hand.texts) == 2
    hand.undone()
    assert hand.undone() == SQUARE


# ------------------------------------------------------------------ links


def test_a_drag_from_the_rim_links_and_shows_a_hint(hand: Hand) -> None:
    hand.press(hand.rim("0"))
    hand.move(hand.pixel((150, 200)))
    hand.move(hand.pixel("3", (4, 3)))
    overlay = hand.canvas.gesture.overlay  # type: ignore[union-attr]
    assert overlay.target == "3"
    assert (overlay.tip.title, overlay.tip.text) == ("New link 0–3", "release to add, Esc to cancel")
    hand.canvas.grab()
    hand.release(hand.pixel("3"))
    assert hand.board.network.links[-1] == Link("0", "3")
    assert hand.board.chosen.links == {("0", "3")}
    assert hand.texts == ["Add link 0-3"]
    assert hand.undone() == SQUARE


def test_a_link_to_empty_ground_adds_a_process_and_shift_directs_it(hand: Hand) -> None:
    hand.drag(hand.rim("3"), hand.pixel((150, 400)), hand.pixel((217, 405)), held=SHIFT)
    assert hand.board.network.positions["4"] == (216.0, 408.0)
    assert hand.board.network.links[-1] == Link("3", "4", directed=True)
    assert hand.texts == ["Add a process with a link to 3"]
    assert hand.undone() == SQUARE


def test_the_link_tool_links_by_dragging_or_by_clicks(hand: Hand) -> None:
    hand.key(Key.Key_L)
    hand.drag(hand.pixel("0"), hand.pixel((200, 200)), hand.pixel("2"))
    assert hand.board.network.links[-1] == Link("0", "2") and hand.board.tool == "link"
    hand.drag(hand.pixel("0"), hand.pixel((200, 200)), hand.pixel("3"))
    assert hand.board.network.links[-1] == Link("0", "3")
    assert hand.board.network.positions == SQUARE.positions
    hand.undone()
    hand.click(hand.pixel("1"))
    hand.move(hand.pixel("3"), button=Mouse.NoButton)
    assert hand.canvas.gesture is not None
    hand.click(hand.pixel("3"))
    assert hand.board.network.links[-1] == Link("1", "3") and hand.canvas.gesture is None
    assert hand.board.tool == "link"
    hand.key(Key.Key_Escape)
    assert hand.board.tool == "select"


def test_an_existing_link_is_not_added_again(hand: Hand) -> None:
    hand.press(hand.rim("1"))
    hand.move(hand.pixel((200, 200)))
    hand.move(hand.pixel("0"))
    assert hand.canvas.gesture.overlay.tip.title == "1 already has a link to 0"  # type: ignore[union-attr]
    hand.release(hand.pixel("0"))
    assert hand.board.network is SQUARE


def test_processes_can_be_added_and_linked_by_keys_alone(hand: Hand) -> None:
    hand.board.choose_processes(["2"])
    hand.key(Key.Key_P)
    new = hand.board.chosen_processes()
    assert new == ["4"] and hand.board.network.positions["4"][0] > 384
    hand.key(Key.Key_L)
    hand.key(Key.Key_Left, ALT)
    hand.key(Key.Key_Return)
    assert hand.board.network.links[-1] == Link("4", "2") and hand.board.tool == "link"
    assert hand.undone().m == 3
    assert hand.undone() == SQUARE


# ------------------------------------------------------------------ selecting


def test_a_click_selects_and_ctrl_adds(hand: Hand) -> None:
    hand.click(hand.pixel("0"))
    hand.click(hand.pixel((240, 96)), CTRL)
    assert hand.board.chosen == Chosen(frozenset({"0"}), frozenset({("0", "1")}))
    hand.click(hand.pixel("0"), SHIFT)
    assert hand.board.chosen == Chosen(links=frozenset({("0", "1")}))
    hand.click(hand.pixel((240, 190)))
    assert not hand.board.chosen


def test_a_rubber_band_and_a_lasso_select_the_processes_inside(hand: Hand) -> None:
    hand.drag(hand.pixel((40, 40)), hand.pixel((200, 100)), hand.pixel((450, 150)))
    assert hand.board.chosen == Chosen(frozenset({"0", "1"}), frozenset({("0", "1")}))
    corners = [(340, 240), (440, 240), (440, 340), (60, 340), (60, 330), (340, 330)]
    hand.drag(*(hand.pixel(corner) for corner in corners), held=ALT)
    assert hand.board.chosen.processes == {"2"}
    hand.drag(hand.pixel((40, 240)), hand.pixel((100, 260)), hand.pixel((160, 350)), held=SHIFT)
    assert hand.board.chosen.processes == {"2", "3"}


def test_tab_walks_through_the_processes_and_then_leaves(hand: Hand) -> None:
    seen = []
    for _ in range(4):
        hand.key(Key.Key_Tab)
        seen += hand.board.chosen_processes()
    assert seen == ["0", "1", "2", "3"]
    assert not hand.canvas.keys.walk_all(1)
    hand.key(Key.Key_Backtab, SHIFT)
    assert hand.board.chosen.processes == {"2"}
    assert "Process 2 is selected: links to 1, 3." in hand.canvas.accessibleDescription()


def test_keys_copy_paste_delete_and_select_all(hand: Hand) -> None:
    hand.key(Key.Key_A, CTRL)
    assert len(hand.board.chosen.processes) == 4 and len(hand.board.chosen.links) == 3
    hand.key(Key.Key_D, CTRL)
    assert (hand.board.network.n, hand.board.network.m) == (8, 6)
    hand.key(Key.Key_C, CTRL)
    hand.key(Key.Key_V, CTRL)
    assert hand.board.network.n == 12
    hand.key(Key.Key_X, CTRL)
    hand.key(Key.Key_A, CTRL)
    hand.key(Key.Key_Delete)
    assert hand.board.network.n == 0
    hand.canvas.grab()
    for _ in range(4):
        hand.undone()
    assert hand.board.network == SQUARE


# ------------------------------------------------------------------ further tools


def test_the_initiator_tool_toggles_initiators(hand: Hand) -> None:
    hand.key(Key.Key_I)
    hand.click(hand.pixel("2"))
    assert hand.board.network.initiators == ("2",) and hand.board.tool == "initiator"
    assert hand.undone() == SQUARE


def test_the_failure_tool_takes_a_link_down_and_asks_for_its_times(hand: Hand, qtbot: QtBot) -> None:
    hand.key(Key.Key_X)
    with qtbot.waitSignal(hand.canvas.failure_wanted) as wanted:
        hand.click(hand.pixel((384, 200)))
    assert wanted.args == [("1", "2")]
    assert hand.board.network.links[1].outages == ((2.0, 3.0),)
    hand.click(hand.pixel((384, 200)))
    assert hand.board.network.links[1].outages == ((2.0, 3.0), (5.0, 6.0))
    hand.undone()
    assert hand.undone() == SQUARE


def test_the_brush_paints_every_link_it_touches_as_one_step(hand: Hand) -> None:
    delay = parse("constant(7)")
    hand.board.take_brush("Paint links", lambda network, pairs: set_link(network, pairs, delay=delay))
    hand.drag(hand.pixel((240, 80)), hand.pixel((240, 150)), hand.pixel((240, 310)))
    assert [link.delay for link in hand.board.network.links] == [delay, None, delay]
    assert hand.texts == ["Paint links"] and hand.board.tool == "brush"
    assert hand.undone() == SQUARE


def test_the_hand_tool_space_and_the_middle_button_pan(hand: Hand) -> None:
    hand.drag(hand.pixel((240, 190)), hand.pixel((250, 190)), hand.pixel((270, 200)), button=Mouse.MiddleButton)
    assert hand.canvas.view.key == (1.0, 70.0, 50.0)
    QTest.keyPress(hand.canvas, Key.Key_Space)
    hand.drag(QPoint(200, 200), QPoint(210, 200), QPoint(170, 190))
    QTest.keyRelease(hand.canvas, Key.Key_Space)
    assert hand.canvas.view.key == (1.0, 40.0, 40.0)
    hand.key(Key.Key_H)
    hand.drag(hand.pixel("0"), QPoint(300, 300), QPoint(310, 300))
    assert hand.board.network is SQUARE and hand.canvas.view.key != (1.0, 40.0, 40.0)


def test_the_wheel_zooms_at_the_pointer_and_fit_shows_all(hand: Hand) -> None:
    at = QPointF(hand.pixel("1"))
    wheel = QWheelEvent(
        at,
        hand.canvas.mapToGlobal(at),
        QPoint(),
        QPoint(0, 240),
        Mouse.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(hand.canvas, wheel)
    assert hand.canvas.scale > 1.4
    assert (hand.canvas.pixel_of("1") - at).manhattanLength() < 1
    hand.key(Key.Key_0, CTRL)
    assert hand.canvas.plan().visible.all()
    hand.board.choose_processes(["0", "1"])
    whole = hand.canvas.scale
    hand.key(Key.Key_F)
    assert hand.canvas.scale >= whole


@pytest.mark.qt_log_ignore("does not support")  # a warning of the offscreen platform about menus
def test_the_context_menu_commands_work(hand: Hand) -> None:
    hand.board.choose_processes(["0", "2"])
    hand.canvas.open_menu(QPointF(hand.pixel("0")))
    menu = next(child for child in hand.canvas.findChildren(QMenu) if child.accessibleName())
    entries = {action.text().replace("&", "").partition("\t")[0]: action for action in menu.actions()}
    aligned = entries["Align"].menu()
    next(action for action in aligned.actions() if "Top" in action.text()).trigger()  # type: ignore[union-attr]
    assert hand.board.network.positions["2"] == (384.0, 96.0)
    assert hand.undone() == SQUARE
    entries["Make initiators"].trigger()
    assert hand.board.network.initiators == ("0", "2")
    entries["Select like this"].trigger()
    menu.close()
    hand.undone()
    hand.board.choose_links([("0", "1")])
    hand.canvas.open_menu(QPointF(hand.pixel((240, 96))))
    menu = [child for child in hand.canvas.findChildren(QMenu) if child.accessibleName()][-1]
    next(action for action in menu.actions() if "Reverse" in action.text()).trigger()
    menu.close()
    assert hand.board.network.links[0] == Link("1", "0", directed=True)
    assert hand.board.chosen.links == {("1", "0")}


def test_keys_used_here_do_not_reach_the_window(hand: Hand) -> None:
    def taken(key: Qt.Key, held: Qt.KeyboardModifier = NONE, text: str = "") -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, held, text)
        event.ignore()
        QApplication.sendEvent(hand.canvas, event)
        return event.isAccepted()

    assert taken(Key.Key_V, text="v") and taken(Key.Key_Space) and taken(Key.Key_Z, CTRL)
    assert not taken(Key.Key_F5) and not taken(Key.Key_S, CTRL) and not taken(Key.Key_Left)
    hand.board.choose_processes(["0"])
    assert taken(Key.Key_Left)


# ------------------------------------------------------------------ drawing


def test_arranged_processes_glide_or_jump_with_reduced_motion(hand: Hand) -> None:
    canvas = hand.canvas
    goal = {name: (x + 100.0, y * 0.5) for name, (x, y) in SQUARE.positions.items()}
    hand.board.do("Arrange", lambda network: move(network, goal))
    assert canvas.glide is None  # with reduced motion
    hand.undone()
    set_theme_of(canvas, Theme("dark"))
    canvas.animate_to(goal)
    hand.board.do("Arrange in a spring", lambda network: move(network, goal))
    assert canvas.glide is not None and canvas.glide.duration() == 600
    canvas.glide.setCurrentTime(300)
    middle = (SQUARE.coordinates + canvas.board.network.coordinates) / 2
    assert np.allclose(canvas.glide.points(), middle)
    canvas.grab()
    canvas.glide.setCurrentTime(600)
    assert canvas.glide is None
    assert hand.texts == ["Arrange in a spring"]
    canvas._stop_glide()
    set_theme_of(canvas, Theme("light", still=True))


def test_messages_travel_along_a_link_and_disappear(hand: Hand) -> None:
    hand.canvas.send(("0", "1"), [1.0, 2.0, 0.5])
    sending = hand.canvas.sending
    assert sending is not None
    sending.setCurrentTime(sending.duration() // 3)
    assert len(sending.shares())
    hand.canvas.grab()
    sending.setCurrentTime(sending.duration())
    assert hand.canvas.sending is None


def test_an_opened_network_is_in_view_and_fit_shows_all(hand: Hand) -> None:
    canvas = hand.canvas
    far = from_spec("ring:30")
    hand.board.open(far.replace(positions={name: (1e6 + x, y) for name, (x, y) in far.positions.items()}))
    assert canvas.plan().visible.all()
    for show in ("loss", "order", "class", "nothing", "delay"):
        canvas.set_show(show)
        canvas.grab()
    hand.board.show_ghost(from_spec("star:5"))
    canvas.show_overlay(["0"], [("0", "1")])
    assert canvas.grab().toImage() != QImage()
    hand.board.show_ghost(None)


def test_thousands_of_links_are_drawn_simplified_with_a_notice(hand: Hand) -> None:
    links = tuple(Link(str(i), str(j)) for i in range(200) for j in range(i))
    row = {str(i): (i * 40.0, (i % 2) * 40.0) for i in range(200)}
    hand.board.open(Network("crowd", tuple(map(str, range(200))), links, positions=row))
    assert hand.board.network.m == 19_900
    hand.canvas.grab()
    assert not hand.canvas._easel.drawing.each
    hand.canvas.view.zoom(20, *hand.canvas.view.pixel(0.0, 0.0))
    hand.canvas.grab()
    assert hand.canvas._easel.drawing.each


# ------------------------------------------------------------------ laws

spots = st.tuples(st.integers(0, 24), st.integers(0, 18)).map(lambda cell: (cell[0] * 26.0, cell[1] * 27.0))
processes = st.integers(0, 9)
actions = st.lists(
    st.one_of(
        st.tuples(st.just("double"), spots),
        st.tuples(st.just("move"), processes, spots),
        st.tuples(st.just("link"), processes, spots, st.booleans()),
        st.tuples(st.just("band"), spots, spots),
        st.tuples(st.just("click"), spots, st.booleans()),
        st.tuples(st.just("key"), st.sampled_from([
            (Key.Key_Delete, NONE), (Key.Key_Left, NONE), (Key.Key_Down, SHIFT), (Key.Key_D, CTRL), (Key.Key_P, NONE),
            (Key.Key_Tab, NONE), (Key.Key_A, CTRL), (Key.Key_Escape, NONE), (Key.Key_X, CTRL), (Key.Key_V, CTRL),
        ])),
        st.tuples(st.just("tool"), st.sampled_from(["initiator", "failure", "link", "process"]), spots),
    ),
    min_size=1,
    max_size=10,
)  # fmt: skip


def perform(hand: Hand, action: tuple) -> None:
    kind, *rest = action
    names = hand.board.network.processes
    if len(names) > 40:
        return
    if kind == "double":
        hand.double(hand.pixel(rest[0]))
        if hand.canvas.name_edit is not None:
            QTest.keyClick(hand.canvas.name_edit, Key.Key_Escape)
    elif kind in ("move", "link") and names:
        name = names[rest[0] % len(names)]
        begin = hand.pixel(name) if kind == "move" else hand.rim(name)
        held = SHIFT if kind == "link" and rest[2] else NONE
        hand.drag(begin, begin + QPoint(8, 0), hand.pixel(rest[1]), held=held)
    elif kind == "band":
        hand.drag(hand.pixel(rest[0]), hand.pixel(rest[0], (9, 9)), hand.pixel(rest[1]))
    elif kind == "click":
        hand.click(hand.pixel(rest[0]), CTRL if rest[1] else NONE)
    elif kind == "key":
        hand.key(*rest[0])
    elif kind == "tool":
        hand.board.take(rest[0])
        hand.click(hand.pixel(rest[1]))
        hand.key(Key.Key_Escape)


@pytest.mark.qt_log_ignore("Keyboard event not accepted")  # a key without a meaning at that moment
@given(actions)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undoing_and_redoing_all_gestures_restores_both_networks(shared: EditorCanvas, sequence: list[tuple]) -> None:
    hand = begun(shared)
    for action in sequence:
        perform(hand, action)
    if hand.canvas.name_edit is not None:
        hand.canvas.name_edit.cancel()
    hand.canvas.keys.settle()
    last, steps = hand.board.network, len(hand.board.document.steps) - 1
    for _ in range(steps):
        hand.key(Key.Key_Z, CTRL)
    assert hand.board.network == SQUARE
    for _ in range(steps):
        hand.board.document.redo()
    assert hand.board.network == last


# ------------------------------------------------------------------ pictures in files


@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_a_drawing_is_saved_to_a_file(hand: Hand, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"square.{ending}"
    save_picture(SQUARE, path, theme="dark")
    begins = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}[ending]
    assert path.read_bytes().startswith(begins)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    if ending == "svg":
        text = path.read_text()
        assert all(f">{name}</text>" in text for name in SQUARE.processes)
    if ending == "png":
        save_picture(SQUARE, path, size=(300, 200))
        assert QImage(str(path)).size().toTuple() == (600, 400)


def test_a_failed_save_leaves_no_file(hand: Hand, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"choose from \.svg, \.pdf, \.png"):
        save_picture(SQUARE, tmp_path / "square.gif")
    with pytest.raises(BadInput, match="cannot be written"):
        save_picture(SQUARE, tmp_path / "nowhere" / "square.svg")
    with pytest.raises(BadInput, match="unknown theme"):
        save_picture(SQUARE, tmp_path / "square.svg", theme="pink")
    assert list(tmp_path.iterdir()) == []
