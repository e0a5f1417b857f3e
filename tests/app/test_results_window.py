"""An unusual run in the Run workspace: the same execution, with a bookmark where it departs from its group."""

from __future__ import annotations

import pytest

from lydian.app.window.workspaces.oddruns import OddRuns
from lydian.batch.child import Executor
from lydian.batch.oddest import oddest
from lydian.views.others.oddmoment import odd_moment
from tests.batchfolder import folder_of


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("odd") / "small")


@pytest.fixture
def odd(open_window):
    window = open_window()
    made = OddRuns(window.desk, window)
    yield made
    made.close()


@pytest.mark.slow
def test_an_unusual_run_opens_as_the_same_execution_at_its_moment(odd, qtbot, whole):
    window, table = odd.parent(), whole.table()
    strange = oddest(whole, table, 5)[0]
    with qtbot.waitSignal(odd.shown, timeout=20_000):
        odd.open(whole.path, strange.run, strange)
    shown = window.session.shown
    assert shown.experiment.name == f"small-{strange.run}"
    assert shown.result["fingerprint"] == strange.fingerprint == Executor(whole.luggage).run(strange.run)["fingerprint"]
    assert window.workspaces.current == "run"
    moment = odd_moment(window.playhead.timeline, strange)
    assert window.playhead.t == moment.time > 0
    (mark,) = [mark for mark in window.playhead.bookmarks.marks if mark.time == moment.time]
    assert mark.name.startswith(strange.why[:60])
    assert not window.playhead.playing
    with qtbot.waitSignal(odd.shown, timeout=20_000):  # any other run begins at its start
        odd.open(whole.path, 0)
    assert window.session.shown.experiment.name == "small-0"


@pytest.mark.slow
def test_a_run_that_cannot_be_opened_is_reported(odd, qtbot, whole, tmp_path):
    for folder, run, words in (
        (tmp_path / "gone", 0, "this folder does not exist"),
        (whole.path, 999, "unknown run 999"),
    ):
        before = odd.parent().session.experiment
        odd.open(folder, run)
        qtbot.waitUntil(lambda words=words: words in odd.parent().notice.text, timeout=20_000)
        assert odd.parent().session.experiment is before


def test_the_sweep_leads_to_the_run_and_its_moment(open_window, qtbot, whole):
    window = open_window()
    window.workspaces.show("sweep")
    workspace = window.workspaces.sweeps.workspace
    with qtbot.waitSignal(workspace.results.filled, timeout=20_000):
        workspace.results.open_folder(whole.path)
    strange = workspace.results.strange[0]
    with qtbot.waitSignal(window.workspaces.sweeps.odd_runs.shown, timeout=20_000):
        workspace.results.runs.run_opened.emit(strange.run)
    assert window.workspaces.current == "run"
    assert window.session.shown.result["fingerprint"] == strange.fingerprint
    assert window.playhead.t == odd_moment(window.playhead.timeline, strange).time > 0
