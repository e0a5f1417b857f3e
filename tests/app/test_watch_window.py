"""A watched system in the window: the views follow, a violation is said, and at the end there is a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian.engine.wire import Watch
from tests.app.conftest import Open, rest
from tests.formats.test_structured import HISTORY, written
from tests.watching.test_watching import CLOCKS, appended

LONG = 30_000
SPEC = """\
from lydian import always

@always("nothing is read before it is written")
def read(c):
    return all(each.result is None for each in c.history if each.name == "read")
"""


def test_the_views_follow_a_growing_log(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    path = written(tmp_path, CLOCKS[:30], "servers.log")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_words: (str(path), ""))
    window.actions_by_name["watch_log"].trigger()
    watching = window.watcher.watching
    qtbot.waitUntil(lambda: window.playhead.timeline.processes == ("web",), timeout=LONG)
    appended(path, CLOCKS[30:])
    qtbot.waitUntil(lambda: window.playhead.timeline.length == 3, timeout=LONG)
    assert window.playhead.timeline.m_messages == 1 and window.playhead.at_end
    assert watching.on
    window.actions_by_name["watch_log"].trigger()
    qtbot.waitUntil(lambda: not watching.on, timeout=LONG)
    assert window.session.shown is window.session.runs[0] and len(window.session.shown.trace) == 3


def test_a_violation_is_said_and_listed(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    spec = written(tmp_path, SPEC, "spec.py")
    window.watcher.start(Watch(str(written(tmp_path, HISTORY, "history.edn")), check=str(spec)))
    qtbot.waitUntil(lambda: "is violated by event 3" in window.notice.text, timeout=LONG)
    window.watcher.watching.stop()
    qtbot.waitUntil(lambda: not window.watcher.watching.on, timeout=LONG)
    (check,) = window.session.shown.result["checks"]
    assert (check["holds"], check["at"]) == (False, 3)


def test_a_source_that_cannot_be_used_is_said(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window("two-wings")
    rest(window, qtbot)
    window.watcher.start(Watch(str(tmp_path / "none.log")))
    qtbot.waitUntil(lambda: "there is no such file" in window.notice.text, timeout=LONG)
