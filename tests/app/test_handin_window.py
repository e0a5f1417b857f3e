"""File > Hand in, and reopening the file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian import cli
from lydian.app import main
from lydian.desk import doubleclick
from lydian.model.experiment.experiment import Experiment
from lydian.model.generators import from_spec
from lydian.trace.parquet.file import load
from tests.app.conftest import Open, rest, whole

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.mark.slow
def test_a_hand_in_of_a_branch_contains_its_tree_and_opens_as_a_record(
    open_window: Open, qtbot: QtBot, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = open_window()
    mine = tmp_path / "mine.py"
    shelf = first.shelf.archive
    mine.write_text(shelf.find("protocols", "echo").read_text(encoding="utf-8"), encoding="utf-8")
    first.session.start(Experiment("mine", protocol=str(mine), network=from_spec("ring:5"), seed=4))
    rest(first, qtbot)
    live = first.session.live
    first.playhead.seek(1.0)
    live.act({"do": "crash", "process": "4"}, "crash of 4")
    qtbot.waitUntil(lambda: bool(first.session.experiment.branches) and live.waiting, timeout=20_000)
    (branch,) = first.session.experiment.branches
    path = tmp_path / "mine.lydian"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (str(path.with_suffix("")), ""))
    first.actions_by_name["hand_in"].trigger()
    assert first.notice.text == "The run has not finished; stop it, then hand it in." and not path.exists()
    first.desk.notices.say("")
    live.go(branch.id)
    qtbot.waitUntil(lambda: not live.on and whole(first), timeout=20_000)
    first.actions_by_name["hand_in"].trigger()
    assert path.is_file() and not first.notice.text
    shown = first.session.shown
    first.close()
    mine.unlink()
    second = open_window(path)
    session = second.session
    assert session.shown.trace.fingerprint() == shown.trace.fingerprint() == load(path).fingerprint()
    assert session.experiment.branches == (branch,) and session.live.branch == branch.id
    assert not session.worker.busy and not session.modified  # none of it has been run
    assert session.experiment.protocol == "./mine.py" and session.path.parent.parent == home / "hand-ins"
    session.run()
    rest(second, qtbot)
    assert session.shown.problem is None and session.shown.trace.fingerprint() == shown.trace.fingerprint()
    second.close()
    third = open_window()
    assert third.session.trace_file == path


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="freedesktop.org is for Linux")
def test_a_double_click_opens_hand_ins_if_enabled(
    open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    window = open_window()
    command = window.actions_by_name["double_click"]
    command.trigger()
    assert doubleclick.installed() and window.notice.button.text() == "Undo"
    assert window.notice.text == "From now on, a double click on a .lydian file opens it in LYDIAN."
    window.notice.button.click()
    assert not doubleclick.installed() and window.notice.text == "A double click does not open .lydian files in LYDIAN."
    command.trigger()
    command.trigger()
    assert window.notice.text == "A double click on a .lydian file opens it in LYDIAN."
    window.notice.button.click()
    assert not doubleclick.installed()
    (tmp_path / "share" / "mime" / "packages").rmdir()
    (tmp_path / "share" / "mime" / "packages").write_text("a file is in the way")
    command.trigger()
    assert "this folder cannot be created" in window.notice.text


def test_a_hand_in_that_cannot_be_opened_is_reported(
    open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[object] = []
    monkeypatch.setattr(main, "open_window", lambda what=None, event=None: opened.append(what) or 0)
    broken = tmp_path / "broken.lydian"
    broken.write_bytes(b"no archive")
    assert cli.main(["open", "--in-window", str(broken)]) == 0
    assert cli.main(["open", "--in-window"]) == 0  # as from the desktop's menu
    assert opened == [broken, None]
    window = open_window(broken)
    assert "broken.lydian" in window.notice.text
