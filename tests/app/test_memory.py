"""The next start continues where the last one ended, even after a crash, and no unsaved change is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lydian.app.window.mainwindow import MainWindow
from lydian.app.work.locks import take
from lydian.app.work.loop import Loop
from lydian.desk.kept.folder import KeptFolder
from lydian.desk.kept.memory import FILE, Last, Memory
from lydian.desk.runs.session import Session
from lydian.model.archive.archive import archive
from lydian.model.experiment.branches import Branches, note
from lydian.model.experiment.branches import add as add_branch
from lydian.model.experiment.experiment import Experiment, read, save
from lydian.model.generators import from_spec
from lydian.model.interventions import Intervention
from lydian.trace.parquet.file import load
from tests.app.conftest import whole

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def ran(qtbot: QtBot, window: MainWindow, count: int) -> None:
    qtbot.waitUntil(lambda: len(window.session.runs) >= count and whole(window), timeout=20_000)


def test_the_second_start_restores_the_last_experiment_and_moment(qtbot: QtBot, open_window) -> None:
    first = open_window("flooding-grid")
    first.playhead.play()
    first.player.tick(0.1)
    first.playhead.seek(2.5)
    first.close()
    second = open_window()
    assert second.session.experiment.name == "flooding-grid"
    assert second.playhead.t == 2.5 and not second.playhead.playing
    assert not second.isWindowModified() and not second.notice.text
    qtbot.waitUntil(lambda: not second.stage.big_play.isVisible())
    assert second.session.path == archive().find("experiments", "flooding-grid")


def test_the_first_start_shows_the_example(open_window, home: Path) -> None:
    assert open_window().session.experiment.name == "two-wings"
    assert len(list(home.glob("kept/*/last.json"))) == 1


def test_a_start_with_a_file_shows_that_file_at_its_start(qtbot: QtBot, open_window) -> None:
    first = open_window()
    first.playhead.seek(5.0)
    first.close()
    second = open_window("echo-complete")
    assert second.session.experiment.name == "echo-complete" and second.playhead.position == 0


@pytest.mark.slow
def test_unsaved_changes_are_restored(qtbot: QtBot, open_window, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    save(archive().experiment("two-wings").with_(seed=5, network=from_spec("ring:5")), mine)
    before = mine.read_bytes()
    first = open_window(mine)
    first.panel.set_seed(77)
    ran(qtbot, first, 2)
    first.close()
    second = open_window()
    assert second.session.experiment.seed == 77 and second.session.experiment.network.n == 5
    assert second.session.path == mine and second.isWindowModified()
    assert mine.read_bytes() == before
    assert second.documents.save()
    assert read(mine).seed == 77 and not second.isWindowModified()
    second.close()
    assert not open_window().isWindowModified()


@pytest.mark.slow
def test_unsaved_changes_survive_a_kill(python_env: dict[str, str], qtbot: QtBot, open_window, tmp_path: Path) -> None:
    code = (
        "import os, signal\n"
        "from PySide6.QtCore import QTimer\n"
        "from lydian.app.main import application, make_window\n"
        "made = application([])\n"
        "window = make_window('two-wings')\n"
        "window.show()\n"
        "window.panel.set_seed(4711)\n"
        "window.session.worker.close()\n"
        "print('changed', flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = {**python_env, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.strip() == "changed", done.stderr
    if os.name == "posix":
        assert done.returncode == -signal.SIGKILL
    window = open_window()
    assert window.session.experiment.seed == 4711 and window.isWindowModified()
    ran(qtbot, window, 1)


@pytest.mark.slow
def test_opening_something_else_sets_changes_aside_for_one_click_to_restore(
    qtbot: QtBot, open_window, home: Path, tmp_path: Path
) -> None:
    window = open_window()
    window.panel.set_seed(99)
    ran(qtbot, window, 2)
    assert window.documents.open(archive().find("experiments", "echo-complete"))
    assert "unsaved changes" in window.notice.text
    kept = home / "unsaved" / "two-wings.toml"
    assert read(kept).seed == 99
    ran(qtbot, window, 1)
    assert window.session.experiment.name == "echo-complete" and not window.isWindowModified()
    window.notice.button.click()
    ran(qtbot, window, 1)
    assert window.session.experiment.seed == 99 and window.session.path == kept


@pytest.mark.slow
def test_changes_that_cannot_be_saved_are_one_click_away(qtbot: QtBot, open_window, home: Path) -> None:
    window = open_window()
    (home / "unsaved").write_text("in the way", encoding="utf-8")
    for seed in (99, 98):  # this works every time, not only the first
        window.panel.set_seed(seed)
        ran(qtbot, window, 2)
        assert window.documents.open(archive().find("experiments", "echo-complete"))
        why = f"{home / 'unsaved'}: File exists"
        assert f"two-wings has unsaved changes that could not be kept in a file ({why})" in window.notice.text
        ran(qtbot, window, 1)
        window.notice.button.click()
        ran(qtbot, window, 1)
        assert window.session.experiment.seed == seed and window.session.modified and window.notice.text == ""


def test_a_start_with_a_file_sets_unsaved_changes_aside(qtbot: QtBot, open_window, home: Path) -> None:
    first = open_window()
    first.panel.set_seed(98)
    first.close()
    open_window("echo-complete")
    assert read(home / "unsaved" / "two-wings.toml").seed == 98


@pytest.mark.slow
def test_an_undone_branch_is_restored(qtbot: QtBot, open_window, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    save(archive().experiment("two-wings"), mine)
    first = open_window(mine)
    session = first.session
    first.playhead.seek(3.0)
    session.live.act({"do": "crash", "process": "4"}, "crash of 4")
    qtbot.waitUntil(lambda: bool(session.experiment.branches) and session.live.waiting, timeout=20_000)
    session.undo.undo()
    qtbot.waitUntil(lambda: session.live.waiting, timeout=20_000)
    assert session.undo.clean and session.modified and first.isWindowModified()
    branches = session.experiment.branches
    first.close()
    second = open_window()
    assert second.session.experiment.branches == branches and second.isWindowModified()
    assert second.documents.save() and not second.isWindowModified()
    assert read(mine).branches == branches


@pytest.mark.slow
@pytest.mark.parametrize("saved", [True, False])
def test_the_branch_last_shown_is_restored(qtbot: QtBot, open_window, tmp_path: Path, saved: bool) -> None:
    crash = Intervention(time=3.0, do="crash", process="9")
    tree, branch = add_branch(Branches.of(archive().experiment("two-wings")), 0, (crash,), 3.0)
    mine = tmp_path / "mine.toml"
    save(tree.experiment, mine)
    first = open_window(mine)
    if not saved:
        first.session.keep(note(first.session.live.tree, branch, "All wait.").experiment)
    first.session.live.go(branch)
    ran(qtbot, first, 2)
    fingerprint = first.session.shown.trace.fingerprint()
    first.close()
    second = open_window()
    ran(qtbot, second, 1)
    assert second.session.live.branch == second.session.shown.branch == branch
    assert second.session.shown.trace.fingerprint() == fingerprint and second.isWindowModified() is not saved


def test_notes_on_a_branch_count_as_a_change(qtbot: QtBot, open_window, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    first = Intervention(time=3.0, do="crash", process="4")
    tree, branch = add_branch(Branches.of(archive().experiment("two-wings")), 0, (first,), 3.0)
    save(tree.experiment, mine)
    window = open_window(mine)
    assert not window.isWindowModified()
    window.session.keep(note(window.session.live.tree, branch, "All wait.").experiment)
    assert window.isWindowModified()


@pytest.mark.slow
def test_two_windows_keep_each_others_unsaved_changes(qtbot: QtBot, open_window, home: Path) -> None:
    first, second = open_window("two-wings"), open_window("echo-complete")
    first.panel.set_seed(97)
    second.panel.set_seed(96)
    ran(qtbot, second, 2)
    first.close()
    second.desk.memory.write()
    second.close()
    third = open_window()
    assert third.session.experiment.seed == 96 and third.isWindowModified()
    assert "two-wings had unsaved changes" in third.notice.text
    assert read(home / "unsaved" / "two-wings.toml").seed == 97
    assert len(list(home.glob("kept/*/last.json"))) == 1


@pytest.mark.slow
def test_the_trace_last_shown_is_restored(qtbot: QtBot, open_window, tmp_path: Path) -> None:
    first = open_window()
    ran(qtbot, first, 1)
    first.session.save_trace(tmp_path / "run.parquet")
    first.documents.open(tmp_path / "run.parquet")
    first.playhead.seek(3.25)
    first.close()
    second = open_window()
    assert second.session.shown.file == tmp_path / "run.parquet" and second.playhead.t == 3.25
    second.close()
    (tmp_path / "run.parquet").unlink()
    assert open_window().session.experiment.name == "two-wings"


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"experiment": 3}', '{"version": 1, "experiment": {}}', "\0"])
def test_a_damaged_memory_is_ignored(qapp: object, tmp_path: Path, text: str) -> None:
    session = Session(Loop())
    memory = Memory(session, KeptFolder(tmp_path, take))
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert memory.recall() is None
    session.close()


def test_an_experiment_whose_file_is_gone_is_restored(qapp: object, tmp_path: Path) -> None:
    session = Session(Loop())
    kept = KeptFolder(tmp_path / "home", take)
    memory = Memory(session, kept)
    mine = Experiment("mine", protocol="echo", network="ring:5", path=tmp_path / "mine.toml")
    session.experiment, session.path = mine, tmp_path / "mine.toml"
    memory.write()
    kept.close()
    last = Memory(session, KeptFolder(tmp_path / "home", take)).recall()
    assert last == Last(mine, tmp_path / "mine.toml", modified=True) and last.experiment.path == mine.path
    session.close()


def test_an_unwritable_folder_is_reported_once(qapp: object, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    session = Session(Loop())
    memory = Memory(session, KeptFolder(tmp_path / "file" / "home", take))
    told: list[str] = []
    memory.failed.connect(told.append)
    session.experiment = Experiment("mine", protocol="echo", network="ring:5")
    memory.write()
    memory.write()
    assert memory.put_aside(Last(session.experiment, None, True)) is None
    assert len(told) == 1 and "file" in told[0]
    session.close()


def test_setting_aside_never_overwrites_and_deletes_the_oldest(
    qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lydian.desk.kept.memory.MOST_ASIDE", 3)
    session = Session(Loop())
    memory = Memory(session, KeptFolder(tmp_path, take))
    for seed in range(5):
        experiment = Experiment("a/b: c", protocol="echo", network="ring:5", seed=seed)
        file = memory.put_aside(Last(experiment, None, True))
        assert read(file).seed == seed
        os.utime(file, (seed, seed))
    assert {read(file).seed for file in (tmp_path / "unsaved").iterdir()} == {2, 3, 4}
    assert memory.put_aside(Last(experiment, None, False)) is None
    session.close()


@pytest.mark.slow
def test_the_experiment_kept_is_the_one_that_ran(qtbot: QtBot, open_window, tmp_path: Path) -> None:
    window = open_window("echo-slow-link")
    ran(qtbot, window, 1)
    first = window.session.shown.trace.fingerprint()
    window.session.save_trace(tmp_path / "a.parquet")
    window.close()
    again = open_window()
    ran(qtbot, again, 1)
    assert again.session.shown.trace.fingerprint() == first == load(tmp_path / "a.parquet").fingerprint()
