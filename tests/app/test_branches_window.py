"""Branches in the real window with a real simulator: saved in the file and compared side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lydian.app.window.mainwindow import MainWindow
from lydian.cli.entry import main
from lydian.model.experiment.experiment import read
from tests.app.conftest import Open, heard

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
LONG = 20_000


def whole(qtbot: QtBot, window: MainWindow, branch: int) -> None:
    """Wait until the record of a run is shown."""
    session = window.session
    qtbot.waitUntil(
        lambda: (
            session.shown is not None
            and session.shown.branch == branch
            and session.shown.result.get("events") is not None
            and window.playhead.timeline is not None
            and window.playhead.timeline.trace is session.shown.trace
        ),
        timeout=LONG,
    )


def crash(qtbot: QtBot, window: MainWindow, t: float, process: str) -> int:
    """Crash a process at a given time, and return the resulting branch."""
    window.playhead.pause()
    window.playhead.seek(t)
    live = window.session.live
    with heard(qtbot, live.acted) as acted:
        live.act({"do": "crash", "process": process})
    assert acted.args is not None
    assert acted.args[0].accepted, acted.args[0].reason
    return live.branch


def ready(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: window.history.comparing.ready, timeout=LONG)


@pytest.mark.slow
def test_a_branch_is_the_same_after_saving_and_reopening(open_window: Open, qtbot: QtBot, tmp_path: Path, capsys):
    window = open_window("two-wings")
    whole(qtbot, window, 0)
    branch = crash(qtbot, window, 6.0, "9")
    history = window.history
    assert history.panel.tree.tree.line(branch).name == "9 crashed at 6.0"
    assert history.panel.tree.tree.line(branch).growing
    history.rename(branch, "nine is gone")
    history.note(branch, "who waits?")
    window.session.live.go(branch)
    whole(qtbot, window, branch)
    before = window.session.shown.trace.fingerprint()
    file = tmp_path / "mine.toml"
    assert window.documents.save_to(file)
    assert not window.session.modified
    history.copy_command(branch)

    again = open_window(file)
    whole(qtbot, again, 0)
    assert again.session.live.tree.name(branch) == "nine is gone"
    assert again.session.live.tree[branch].notes == "who waits?"
    again.history.panel.tree.wanted.emit(branch)
    whole(qtbot, again, branch)
    assert again.session.shown.trace.fingerprint() == before
    assert again.bottom.scrubber.forks[0].branch == 0

    assert read(file).branches[0].name == "nine is gone"
    assert main(["run", str(file), "--branch", "nine is gone", "--json"]) in (0, 1)
    assert before in capsys.readouterr().out


def test_names_and_notes_can_be_undone(open_window: Open, qtbot: QtBot):
    window = open_window("two-wings")
    whole(qtbot, window, 0)
    for name in ("view_branches", "compare_trace", "compare_first", "compare_next", "compare_swap", "compare_end"):
        assert window.actions_by_name[name].isEnabled() == (name in ("view_branches", "compare_trace"))
    branch = crash(qtbot, window, 5.0, "3")
    live = window.session.live
    window.history.rename(branch, "x")
    assert window.session.undo.undo_text == "rename 3 crashed at 5.0"
    window.session.undo.undo()
    assert live.tree.name(branch) == "3 crashed at 5.0"
    window.session.undo.redo()
    assert live.tree.name(branch) == "x"
    window.history.note(branch, "hm")
    window.session.undo.undo()
    assert live.tree[branch].notes == ""


@pytest.mark.slow
def test_two_runs_are_compared_side_by_side(open_window: Open, qtbot: QtBot, tmp_path: Path, capsys):
    window = open_window("two-wings", (1700, 1000), "study")
    whole(qtbot, window, 0)
    stage, comparing = window.stage, window.history.comparing
    docks = [name for name, dock in stage.docks.items() if not dock.isHidden()]
    branch = crash(qtbot, window, 6.0, "9")
    window.session.live.go(0, 8.0)
    whole(qtbot, window, 0)

    comparing.compare_branch(branch)  # the branch has no trace yet, so it is run in the background
    assert window.session.shown.branch == 0
    ready(qtbot, window)
    assert window.session.shown.branch == 0
    assert comparing.panel.sentence.text().startswith("The same until 6.0; then there process 9 crashes. There: ")
    assert {"basic", "causality", "compared"} <= {name for name, dock in stage.docks.items() if not dock.isHidden()}

    # both networks share one clock and show marks
    window.playhead.seek(7.0)
    assert comparing.head.t == 7.0
    apart = comparing.apart()
    assert apart.names == ("9",)
    assert comparing.panel.now.whole == "At 7.0, one process is in another state: 9."
    window.playhead.seek(3.0)
    assert comparing.apart().names == ()

    # the buttons step through the differences in all views of both runs
    comparing.panel.first.click()
    assert window.playhead.t == comparing.head.t == 6.0
    assert window.playhead.selection.event == comparing.difference.seq == comparing.head.selection.event
    there = comparing.head.timeline
    assert there.processes[there.process[comparing.head.selection.event]] == "9"
    comparing.panel.next.click()
    assert window.playhead.t > 6.0
    comparing.panel.previous.click()
    assert window.playhead.t == 6.0
    window.grab()

    # the command line gives the same result
    ours, theirs = tmp_path / "a.parquet", tmp_path / "b.parquet"
    from lydian.trace.parquet.file import save

    save(window.playhead.timeline.trace, ours)
    save(there.trace, theirs)
    assert main(["trace", "diff", str(ours), str(theirs)]) == 1
    said = capsys.readouterr().out
    assert f"The first {comparing.difference.seq} events are the same" in said
    numbers = comparing.difference.numbers["messages"]
    assert f"messages {int(numbers[0]):>10} {int(numbers[1]):>9}".split() == next(
        line.split() for line in said.splitlines() if line.split()[:1] == ["messages"]
    )

    # the runs can be swapped
    comparing.panel.swap.click()
    whole(qtbot, window, branch)
    ready(qtbot, window)
    assert comparing.other.branch == 0
    assert comparing.panel.sentence.text().startswith("The same until 6.0; then here process 9 crashes.")

    comparing.panel.end.click()
    assert not comparing.on
    assert [name for name, dock in stage.docks.items() if not dock.isHidden()] == docks
    assert comparing.head.timeline is None


def test_listed_runs_and_files_can_be_compared(open_window: Open, qtbot: QtBot, tmp_path: Path):
    from lydian.trace.parquet.file import save

    window = open_window("two-wings")
    whole(qtbot, window, 0)
    file = tmp_path / "first.parquet"
    save(window.session.shown.trace, file)
    first = window.session.shown
    window.panel.set_seed(7)
    qtbot.waitUntil(lambda: len(window.session.runs) == 2, timeout=LONG)
    comparing = window.history.comparing
    window.panel.runs.compare_wanted.emit(first)
    ready(qtbot, window)
    assert comparing.other.name.endswith("seed 291")
    one = comparing.panel.sentence.text()
    comparing.compare_file(file)
    assert not comparing.panel.swap.isEnabled()
    ready(qtbot, window)
    assert comparing.panel.sentence.text() == one
    comparing.compare_file(tmp_path / "none.parquet")
    qtbot.waitUntil(lambda: "none.parquet" in comparing.panel.sentence.text(), timeout=LONG)
    assert not comparing.panel.first.isEnabled()


def test_a_fork_opens_its_run_and_live_continues_there(open_window: Open, qtbot: QtBot):
    window = open_window("two-wings")
    whole(qtbot, window, 0)
    branch = crash(qtbot, window, 6.0, "9")
    history, live = window.history, window.session.live
    live.go(0, 8.0)
    whole(qtbot, window, 0)
    assert [(mark.time, mark.branch) for mark in window.bottom.scrubber.forks] == [(6.0, branch)]
    # after the runs diverge, the other one is shown at the fork
    history.offer_forks([branch], window.mapToGlobal(window.rect().center()))
    assert [action.text() for action in history.menu.actions()] == [
        "Show 9 crashed at 6.0", "Compare with 9 crashed at 6.0",
    ]  # fmt: skip
    history.menu.actions()[0].trigger()
    history.menu.close()
    whole(qtbot, window, branch)
    qtbot.waitUntil(lambda: window.playhead.t == 6.0, timeout=LONG)
    # a fork of the run shown is visited in that run
    window.playhead.seek(2.0)
    history.show_fork(branch)
    assert window.playhead.t == 6.0
    window.playhead.seek(9.0)
    history.go_live(branch)
    qtbot.waitUntil(lambda: live.on and live.alive and live.time >= 9.0, timeout=LONG)
    assert live.branch == branch
    assert history.panel.tree.tree.line(branch).growing


def test_choosing_a_layout_ends_the_comparison(open_window: Open, qtbot: QtBot):
    window = open_window("two-wings", (1280, 720), "study")
    whole(qtbot, window, 0)
    branch = crash(qtbot, window, 6.0, "9")
    window.session.live.go(0, 2.0)
    whole(qtbot, window, 0)
    comparing = window.history.comparing
    comparing.compare_branch(branch)
    window.looks.arrange("debug")
    qtbot.waitUntil(lambda: not comparing.on, timeout=LONG)
    assert window.stage.docks["compared"].isHidden()
    assert not window.stage.docks["trace"].isHidden()
