"""Rows of the time views with mouse and keys: dragging, scrolling, hiding, folding and comparing two events."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.canvas.canvas import Canvas
from lydian.app.canvas.timemenu import add_causes, add_rows
from lydian.app.canvas.titlelink import TitleLink
from lydian.app.look.theme import Theme
from lydian.app.window.timecommands import next_mode
from lydian.desk.playhead import Playhead
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.registry import views
from lydian.views.selection import NOTHING, Hit, Selection
from tests.views.book import echo

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
SPECS = {spec.name: spec for spec in views()}


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline(echo())


@pytest.fixture
def views(qtbot: QtBot, timeline: Timeline) -> SimpleNamespace:
    """Provide Causality, Occupation and Communication with one play head, the first two with one camera."""
    head, camera = Playhead(), TimeCamera()
    head.load(timeline, t=6.0)
    camera.load(timeline)
    made = SimpleNamespace(head=head, camera=camera)
    for name in ("causality", "occupation", "communication"):
        canvas = Canvas(SPECS[name], head, Theme("light"), camera)
        qtbot.addWidget(canvas)
        canvas.resize(579, 385)
        canvas.asked.connect(lambda choice, value, canvas=canvas: canvas.set_option(choice.name, value))
        head.changed.connect(lambda _what, canvas=canvas: canvas.refresh())
        canvas.show()
        qtbot.waitExposed(canvas)
        canvas.repaint()
        setattr(made, name, canvas)
    return made


def drawn(canvas: Canvas) -> Any:
    """Return the geometry of the current drawing."""
    canvas.repaint()
    assert canvas.trouble is None, canvas.trouble
    return canvas.painter.geometry(QRectF(canvas.rect()), canvas.frame, canvas.camera)


def head_of(canvas: Canvas, row: int) -> QPoint:
    return QPoint(16, round(drawn(canvas).y(row)))


def event_at(canvas: Canvas, seq: int) -> QPoint:
    g, scene = drawn(canvas), canvas.frame.scene
    place = int(np.searchsorted(scene.event, seq))
    return QPoint(round(g.at(scene.place[place])), round(g.y(scene.row[place])))


def order_of(canvas: Canvas) -> list[int]:
    drawn(canvas)
    return canvas.frame.scene.rows.processes.tolist()


def drag(qtbot: QtBot, canvas: Canvas, start: QPoint, end: QPoint, release: bool = True) -> None:
    qtbot.mousePress(canvas, LEFT, pos=start)
    for part in (0.4, 0.8, 1.0):
        qtbot.mouseMove(canvas, QPoint(start.x(), round(start.y() + part * (end.y() - start.y()))))
    if release:
        qtbot.mouseRelease(canvas, LEFT, pos=end)


def wheel(canvas: Canvas, at: QPoint, turned: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    event = QWheelEvent(
        QPointF(at), QPointF(canvas.mapToGlobal(at)), QPoint(), QPoint(0, turned), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas, event)


def entry(menu: QMenu, words: str) -> Any:
    return next(a for a in menu.actions() if a.text().replace("&", "").startswith(words))


def test_a_row_is_dragged_by_its_header_and_ctrl_z_undoes_it(qtbot: QtBot, views: SimpleNamespace) -> None:
    n = views.head.timeline.n
    before = views.head.t
    drag(qtbot, views.causality, head_of(views.causality, 1), head_of(views.causality, 4) + QPoint(0, 8))
    expected = [0, 2, 3, 4, 1, *range(5, n)]
    assert order_of(views.causality) == expected == order_of(views.occupation)
    assert views.head.t == before and views.camera.lifted is None  # the drag did not scrub
    drag(qtbot, views.occupation, head_of(views.occupation, 4), head_of(views.occupation, 0) - QPoint(0, 8))
    assert order_of(views.causality)[:3] == [1, 0, 2]
    views.occupation.setFocus()
    qtbot.keyClick(views.occupation, Qt.Key.Key_Z, CONTROL)
    assert order_of(views.occupation) == expected
    qtbot.keyClick(views.occupation, Qt.Key.Key_Z, CONTROL)
    assert order_of(views.causality) == list(range(n))
    assert not views.camera.can_take_back


def test_escape_returns_a_dragged_row(qtbot: QtBot, views: SimpleNamespace) -> None:
    canvas = views.causality
    drag(qtbot, canvas, head_of(canvas, 1), head_of(canvas, 5), release=False)
    assert views.camera.lifted is not None and views.camera.lifted[0] == 1
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert views.camera.lifted is None
    qtbot.mouseRelease(canvas, LEFT, pos=head_of(canvas, 5))
    assert order_of(canvas) == list(range(views.head.timeline.n))


def test_an_order_from_the_menu_replaces_the_dragged_one(qtbot: QtBot, views: SimpleNamespace) -> None:
    drag(qtbot, views.causality, head_of(views.causality, 1), head_of(views.causality, 4))
    views.causality.set_option("sort", "events")
    assert views.camera.order is None
    assert "order" not in views.occupation.options


def test_rows_grow_under_the_pointer_and_then_scroll(views: SimpleNamespace) -> None:
    canvas, n = views.causality, views.head.timeline.n
    at = head_of(canvas, 7)
    wheel(canvas, at, 120, CONTROL | SHIFT)
    wheel(canvas, at, 120, CONTROL | SHIFT)
    g = drawn(canvas)
    assert g.scrolled and g.pitch > 1.4 * (g.bottom - g.top) / n
    assert g.row(at.y()) == 7
    assert drawn(views.occupation).first == g.first
    before = canvas.camera.window
    wheel(canvas, at, -120)
    assert drawn(canvas).first > g.first
    assert canvas.camera.window == before
    for _ in range(40):
        wheel(canvas, at, 120)
    assert drawn(canvas).first == 0
    wheel(canvas, at, 120, CONTROL)
    assert canvas.camera.window != before  # the wheel zooms in time, as without scrolled rows
    canvas.fit()
    assert canvas.camera.rows is None and not drawn(canvas).scrolled


def test_keys_move_the_row_of_the_selected_process(views: SimpleNamespace) -> None:
    hand = views.causality.hand
    assert not hand.shift(1)
    views.head.pick(Hit("process", 2))
    assert hand.shift(1) and order_of(views.causality)[:4] == [0, 1, 3, 2]
    assert hand.shift(-1) and hand.shift(-1) and order_of(views.causality)[:3] == [0, 2, 1]
    for _ in range(5):
        hand.shift(-1)
    assert order_of(views.causality)[0] == 2


def test_hidden_rows_fold_and_a_click_on_the_fold_shows_all(qtbot: QtBot, views: SimpleNamespace) -> None:
    canvas, n = views.causality, views.head.timeline.n
    menu = QMenu(canvas)
    add_rows(menu, canvas, 5)
    entry(menu, "Hide 5").trigger()
    assert 5 not in order_of(canvas) and 5 not in order_of(views.occupation)
    assert "1 process hidden" in canvas.frame.title and "1 process hidden" in views.occupation.frame.title
    assert canvas.options["hidden"] == (5,) == views.occupation.options["hidden"]
    menu.clear()
    add_rows(menu, canvas, 3)
    entry(menu, "Show only 3 and its neighbours").trigger()
    assert 3 in order_of(canvas) and len(order_of(canvas)) < n - 1
    assert len(canvas.frame.scene.through) > 0  # causality continues through hidden rows
    fold = canvas.painter.fold(drawn(canvas), canvas.frame).center().toPoint()
    qtbot.mouseClick(canvas, LEFT, pos=fold)
    assert len(order_of(canvas)) == n == len(order_of(views.occupation))
    assert "hidden" not in canvas.options


def test_several_rows_can_be_hidden_and_the_last_cannot(views: SimpleNamespace) -> None:
    canvas, n = views.occupation, views.head.timeline.n
    views.head.select(Selection(processes=frozenset({1, 2, 4})))
    drawn(canvas)
    menu = QMenu(canvas)
    add_rows(menu, canvas, 2)
    entry(menu, "Hide the 3 selected").trigger()
    assert order_of(canvas) == [p for p in range(n) if p not in (1, 2, 4)]
    views.camera.show_only({0}, n)
    drawn(canvas)
    menu.clear()
    add_rows(menu, canvas, 0)
    assert not entry(menu, "Hide 0").isEnabled()
    views.camera.hide([0], n)
    assert order_of(canvas) == [0]


def test_a_fold_around_the_selection_can_be_opened(qtbot: QtBot, views: SimpleNamespace) -> None:
    canvas = views.causality
    views.head.pick(Hit("process", 3))
    canvas.set_option("sort", "near")
    assert len(order_of(canvas)) < views.head.timeline.n
    qtbot.mouseClick(canvas, LEFT, pos=canvas.painter.fold(drawn(canvas), canvas.frame).center().toPoint())
    assert canvas.options["sort"] == "id" and len(order_of(canvas)) == views.head.timeline.n


def test_ctrl_click_compares_a_second_event(qtbot: QtBot, views: SimpleNamespace) -> None:
    canvas, timeline = views.causality, views.head.timeline
    receives = np.flatnonzero((timeline.kind == Kind.RECEIVE) & (timeline.time < 6.0)).tolist()
    a, b = receives[0], receives[-1]
    qtbot.mouseClick(canvas, LEFT, pos=event_at(canvas, a))
    assert views.head.selection.event == a
    qtbot.mouseClick(canvas, LEFT, CONTROL, event_at(canvas, b))
    drawn(canvas)
    assert views.head.selection.event == a and canvas.frame.other == b
    assert any(word in canvas.frame.title for word in (" after ", " before ", " concurrent with "))
    assert int(timeline.process[b]) in views.head.selection.processes
    qtbot.mouseClick(canvas, LEFT, CONTROL, event_at(canvas, b))
    drawn(canvas)
    assert canvas.frame.other is None
    qtbot.mouseClick(canvas, LEFT, CONTROL, event_at(canvas, b))
    qtbot.mouseClick(canvas, LEFT, pos=event_at(canvas, b))  # a plain click starts again
    drawn(canvas)
    assert views.head.selection.event == b and canvas.frame.other is None


def test_the_menu_of_an_event_shows_its_causes(views: SimpleNamespace) -> None:
    canvas, timeline = views.causality, views.head.timeline
    event = int(timeline.receives[20])
    menu = QMenu(canvas)
    add_causes(menu, canvas, event)
    entry(menu, "Causal past").trigger()
    drawn(canvas)
    assert views.head.selection.event == event and canvas.options["highlighted"] == "past"
    assert "in the causal past of the selected one" in canvas.frame.title and "came of" not in canvas.frame.title
    other = QMenu(views.occupation)
    add_causes(other, views.occupation, event)
    assert not other.actions()


def test_h_cycles_through_the_highlights() -> None:
    mode: str | None = "both"
    seen = []
    for _ in range(4):
        mode = next_mode(mode, 3)
        seen.append(mode)
    assert seen == ["past", "future", "longest", "both"]
    assert next_mode("both", None) == "longest" and next_mode("longest", None) == "both"


def test_the_title_links_to_the_longest_chain(qtbot: QtBot) -> None:
    label, clicks = QLabel("46 messages · longest chain so far 7 · 1 process hidden"), []
    qtbot.addWidget(label)
    label.resize(600, 24)
    link = TitleLink(label, "longest chain", lambda: clicks.append(1), "Show this chain")
    label.show()
    place = link.place()
    assert place.left() >= label.fontMetrics().horizontalAdvance("46 messages ·")
    qtbot.mouseClick(label, LEFT, pos=place.center().toPoint())
    assert clicks == [1]
    qtbot.mouseClick(label, LEFT, pos=QPoint(4, 12))
    qtbot.mouseClick(label, LEFT, pos=QPoint(round(place.right()) + 12, 12))
    assert clicks == [1]
    qtbot.mouseMove(label, place.center().toPoint())
    assert label.cursor().shape() == Qt.CursorShape.PointingHandCursor
    label.setText("46 messages")
    assert link.place().isEmpty()


def test_a_drag_across_the_columns_selects_their_processes(qtbot: QtBot, views: SimpleNamespace) -> None:
    canvas = views.communication
    canvas.repaint()
    plot = canvas.painter._plot(QRectF(canvas.rect()), canvas.frame)
    start, end = (QPoint(round(plot.x(c)), 200) for c in (2, 5))
    qtbot.mousePress(canvas, LEFT, pos=start)
    for x in (start.x() + 8, end.x()):
        qtbot.mouseMove(canvas, QPoint(x, 210))
    qtbot.mouseRelease(canvas, LEFT, pos=end)
    assert views.head.selection.processes == {2, 3, 4, 5}
    far = QPoint(round(plot.x(8)), 200)
    qtbot.mousePress(canvas, LEFT, CONTROL, far)
    qtbot.mouseMove(canvas, far + QPoint(9, 0))
    qtbot.mouseRelease(canvas, LEFT, CONTROL, far + QPoint(9, 0))
    assert views.head.selection.processes == {2, 3, 4, 5, 8}
    views.head.select(NOTHING)


def test_another_run_of_the_same_processes_keeps_the_rows(views: SimpleNamespace, timeline: Timeline) -> None:
    camera = views.camera
    camera.hide([3], timeline.n)
    camera.load(Timeline(echo()))
    assert camera.hidden == {3}
    other = SimpleNamespace(processes=("x", "y"), time=timeline.time, length=timeline.length, trace=timeline.trace)
    camera.forget_rows(timeline, other)  # type: ignore[arg-type]
    assert not camera.hidden and not camera.can_take_back


def test_the_commands_of_the_window_act_on_rows(qtbot: QtBot, open_window: Any) -> None:
    window = open_window(None, (1920, 1080), "study")
    canvas, n = window.stage.canvases["causality"], window.playhead.timeline.n
    canvas.setFocus()
    window.playhead.seek(7.0)
    canvas.repaint()
    qtbot.keyClick(canvas, Qt.Key.Key_H)
    assert canvas.options["highlighted"] == "longest"
    canvas.repaint()
    assert canvas.frame.longest > 0
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.options["highlighted"] == "both"
    qtbot.mouseClick(canvas, LEFT, pos=head_of(canvas, 1))
    assert window.playhead.selection.processes == {1}
    qtbot.keyClick(canvas, Qt.Key.Key_Down, CONTROL | SHIFT)
    assert order_of(canvas)[:3] == [0, 2, 1] == order_of(window.stage.canvases["occupation"])[:3]
    qtbot.keyClick(canvas, Qt.Key.Key_H, CONTROL)
    assert len(order_of(canvas)) == n - 1
    qtbot.keyClick(canvas, Qt.Key.Key_Z, CONTROL)
    assert len(order_of(canvas)) == n
    window.actions_by_name["rows_reset"].trigger()
    assert order_of(canvas) == list(range(n))
    event = int(window.playhead.timeline.receives[3])
    window.playhead.pick(Hit("event", event))
    qtbot.keyClick(canvas, Qt.Key.Key_C)
    canvas.repaint()
    assert canvas.frame.other not in (None, event)
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    canvas.repaint()
    assert canvas.frame.other is None and not window.playhead.selection
    note = window.stage.docks["causality"].note
    link = next(child for child in note.children() if isinstance(child, TitleLink))
    qtbot.mouseClick(note, LEFT, pos=link.place().center().toPoint())
    assert canvas.options["highlighted"] == "longest"


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_right_click_offers_rows_and_causes(qtbot: QtBot, open_window: Any) -> None:
    window = open_window(None, (1600, 900), "study")
    canvas, event = window.stage.canvases["causality"], int(window.playhead.timeline.receives[3])
    window.playhead.seek(7.0)
    drawn(canvas)
    for place, words in ((head_of(canvas, 2), "Hide 2"), (event_at(canvas, event), "Causal future")):
        pressed = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, canvas.mapToGlobal(place))
        QApplication.sendEvent(canvas, pressed)
        menus = [menu for menu in canvas.findChildren(QMenu) if menu.isVisible()]
        assert len(menus) == 1
        entry(menus[0], words).trigger()
        menus[0].close()
        qtbot.waitUntil(lambda: not any(menu.isVisible() for menu in canvas.findChildren(QMenu)))
    assert 2 not in order_of(canvas)
    assert window.playhead.selection.event == event and canvas.options["highlighted"] == "future"
