"""Receipts moved in the window: by a drag in Causality and by commands, with both runs kept."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from pytestqt.qtbot import QtBot

from lydian.app.live.tools.receivedrag import geometry_of, spot
from lydian.app.window.mainwindow import MainWindow
from lydian.trace.events import Kind
from lydian.views.playback.receives import Receipt
from lydian.views.selection import Hit
from tests.app.conftest import Open, rest


def movable(window: MainWindow) -> Receipt:
    """Return the first receipt that can be moved earlier and later."""
    timeline = window.playhead.timeline
    assert timeline is not None
    for row in np.flatnonzero(timeline.kind == Kind.RECEIVE).tolist():
        found = window.receiving.read(row)
        if isinstance(found, Receipt) and found.earlier is not None and found.later is not None:
            return found
    raise AssertionError("no receipt can be moved both ways")


def branched(window: MainWindow, qtbot: QtBot, branch: int) -> None:
    live = window.session.live
    qtbot.waitUntil(lambda: live.branch == branch and window.session.shown is not None
                    and window.session.shown.branch == branch)  # fmt: skip
    rest(window, qtbot)


def test_a_command_moves_the_selected_receipt_and_undo_returns_to_the_old_run(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    earlier = window.actions_by_name["receive_earlier"]
    assert not earlier.isEnabled()
    assert earlier.statusTip() == "Select the receipt of a message to move it"
    found = movable(window)
    window.playhead.pick(Hit("event", found.event))
    assert earlier.isEnabled()
    earlier.trigger()
    branched(window, qtbot, 1)
    timeline = window.playhead.timeline
    assert timeline is not None
    assert found.earlier is not None
    assert float(timeline.message_arrived[found.message]) == found.earlier.time == window.playhead.t
    assert window.playhead.selection.event == int(timeline.receives[found.message])
    assert window.desk.notices.text.endswith("The old run is kept as a branch.")
    assert len(window.session.live.tree) == 2
    window.actions_by_name["undo"].trigger()
    branched(window, qtbot, 0)
    assert len(window.session.live.tree) == 2


def test_a_drag_in_causality_shows_the_places_and_moves_the_receipt(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("two-wings", layout="study")
    rest(window, qtbot)
    canvas = window.stage.canvases["causality"]
    canvas.resize(900, 500)
    canvas.refresh()
    canvas.grab()
    found, hand = movable(window), canvas.aide
    g = geometry_of(canvas)
    assert g is not None
    assert found.later is not None
    y = float(g.y(int(canvas.frame.scene.rows.row[found.process])))
    here, there = QPointF(float(g.x(found.now)), y), QPointF(spot(g, found.later) or 0.0, y)

    def press_and_move() -> None:
        qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=here.toPoint())
        for at in (here.toPoint() + QPoint(9, 0), there.toPoint()):
            qtbot.mouseMove(canvas, at)

    press_and_move()
    assert hand.layer.isVisibleTo(canvas)
    assert hand.layer.sight.place == found.later
    assert hand.layer.accessibleDescription().startswith(f"Process {found.process} receives")
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert not hand.layer.isVisibleTo(canvas)
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=there.toPoint())
    assert window.session.live.branch == 0
    press_and_move()
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=there.toPoint())
    branched(window, qtbot, 1)
    timeline = window.playhead.timeline
    assert timeline is not None
    assert float(timeline.message_arrived[found.message]) == found.later.time


def test_a_trace_without_its_experiment_cannot_be_changed(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    window.session.experiment = None
    window.session.experiment_changed.emit()
    reason = "This run was recorded without its experiment, so you cannot intervene in it"
    assert window.actions_by_name["receive_later"].statusTip() == reason
    assert window.receiving.read(10) is None
