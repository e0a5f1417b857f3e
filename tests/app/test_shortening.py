"""Shorten this run: the run on screen becomes the shortest one that fails in the same way, and undo brings it back."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from lydian.app.panels.shortened import milestones
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
    strip = window.shortened
    assert strip.isVisible()
    assert (strip.before.text(), strip.after.text()) == (
        "found: 5 processes, 142 events", "shortened: 3 processes, 8 events",
    )  # fmt: skip
    assert (strip.before.isChecked(), strip.after.isChecked()) == (False, True)
    sentence = "The run fails in the same way after 8 of 142 events, with 3 of 5 processes."
    assert strip.accessibleDescription() == sentence
    strip.before.click()
    rest(window, qtbot)
    assert window.session.experiment == before
    assert (strip.before.isChecked(), strip.after.isChecked()) == (True, False)
    window.actions_by_name["redo"].trigger()
    rest(window, qtbot)
    assert len(window.playhead.timeline.processes) == 3
    assert strip.after.isChecked()
    strip.both.click()
    qtbot.waitUntil(lambda: window.history.comparing.ready, timeout=LONG)
    assert window.history.comparing.head.timeline.n == 5
    window.session.change("seed 5", seed=5)
    assert not strip.isVisible()
    rest(window, qtbot)


@pytest.mark.parametrize(
    ("sizes", "listed"),
    [
        ([], []),
        ([142], [142]),
        ([1038, 1000, 212, 200, 40, 6], [1038, 212, 40, 6]),
        ([100, 90], [100, 90]),
        ([100, 50, 45], [100, 45]),
        ([6400, 3200, 1600, 800, 400, 200, 100, 50], [6400, 800, 400, 200, 100, 50]),
    ],
)
def test_the_sizes_on_the_way_are_few(sizes: list[int], listed: list[int]) -> None:
    assert milestones(sizes) == listed


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
