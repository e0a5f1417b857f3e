"""Shorten this run: the run on screen becomes the shortest one that fails in the same way, and undo brings it back."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.app.conftest import Open, rest

LONG = 30_000


def test_the_shortest_run_replaces_the_failing_one_and_undo_brings_it_back(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("mutex-ring-two-tokens")
    rest(window, qtbot)
    before = window.session.experiment
    window.actions_by_name["run_shorten"].trigger()
    assert window.shortening.busy
    qtbot.waitUntil(lambda: not window.shortening.busy, timeout=LONG)
    rest(window, qtbot)
    result = window.session.shown.result
    assert [each["name"] for each in result["checks"] if each["holds"] is False] == ["there is at most one token"]
    assert len(window.playhead.timeline.processes) == 3
    notice = window.desk.notices.shown
    assert notice.sentence == "The run fails in the same way after 8 of 142 events, with 3 of 5 processes."
    notice.act()
    rest(window, qtbot)
    assert window.session.experiment == before
    window.actions_by_name["redo"].trigger()
    rest(window, qtbot)
    assert len(window.playhead.timeline.processes) == 3


def test_a_run_that_does_not_fail_is_left_alone(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    told: list[str] = []
    window.desk.notices.told.connect(told.append)
    window.actions_by_name["run_shorten"].trigger()
    assert not window.shortening.busy
    assert told == ["This run does not fail, so there is nothing to shorten."]


def test_another_experiment_ends_the_shortening(open_window: Open, qtbot: QtBot) -> None:
    window = open_window("raft-amnesia")
    rest(window, qtbot)
    window.actions_by_name["run_shorten"].trigger()
    assert window.shortening.busy
    window.offers.example("two-wings", play=False)
    assert not window.shortening.busy
    rest(window, qtbot)
    assert window.session.experiment.name == "two-wings"
