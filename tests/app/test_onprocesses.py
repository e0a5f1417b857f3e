"""View > Show on processes: a variable below each process without writing an animation."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.app.conftest import Open, rest


def test_a_variable_shown_on_each_process_is_remembered(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    shown = window.on_processes
    shown.menu.aboutToShow.emit()
    entries = {action.text(): action for action in shown.menu.actions() if action.text()}
    assert list(entries)[:2] == ["As the &animation declares", "parent"]
    assert [text for text, action in entries.items() if action.isChecked()] == ["As the &animation declares"]
    declared = window.playhead.animation
    entries["parent"].trigger()
    assert [value.variable for value in window.playhead.animation.values] == ["parent"]
    window.session.run()
    rest(window, qtbot)
    assert [value.variable for value in window.playhead.animation.values] == ["parent"]
    shown.fill()
    assert [action.text() for action in shown.menu.actions() if action.isChecked()] == ["parent"]
    shown.choose("")
    assert window.playhead.animation == declared
