"""Find places: the panel lists them, and a click goes to the moment."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.app.conftest import Open, rest

LONG = 30_000


def test_a_place_is_one_click_away(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    window.actions_by_name["run_find"].trigger()
    panel = window.findings.panel
    qtbot.waitUntil(lambda: panel.places.topLevelItemCount() > 0, timeout=LONG)
    item = panel.places.topLevelItem(0)
    assert item is not None and item.text(2) == "0 asks 3 (Broadcast) and gets the reply after 16.08"
    panel.places.itemClicked.emit(item, 0)
    assert window.playhead.selection.event == 3
    assert window.playhead.t == window.playhead.timeline.time[3]
    panel.shape.setCurrentIndex(panel.shape.findData("concurrent-writes"))
    window.findings.look()
    qtbot.waitUntil(lambda: not window.findings.background.busy, timeout=LONG)
    assert panel.places.topLevelItemCount() == 0 and panel.note.text() == "This run contains no such place."
