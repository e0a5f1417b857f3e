"""Judge by properties: the run on screen gets the results of a file, and the first violation is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.formats.logs.importer import import_log
from lydian.trace.parquet.file import save
from tests.app.conftest import Open, rest
from tests.formats.test_structured import HISTORY, written

LONG = 30_000
SPEC = """\
from lydian import always

@always("nothing is read before it is written")
def read(c):
    return all(each.result is None for each in c.history if each.name == "read")
"""


def trace_file(folder: Path) -> Path:
    (found,) = import_log(written(folder, HISTORY, "history.edn"))
    path = folder / "history.parquet"
    save(found.trace, path)
    return path


def test_the_first_violation_is_shown(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(trace_file(tmp_path))
    rest(window, qtbot)
    spec = written(tmp_path, SPEC, "spec.py")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_words: (str(spec), ""))
    window.actions_by_name["run_judge"].trigger()
    assert window.judging.busy
    qtbot.waitUntil(lambda: not window.judging.busy, timeout=LONG)
    assert window.playhead.selection.event == 3 and window.playhead.t == pytest.approx(0.004)
    (check,) = window.session.shown.result["checks"]
    assert (check["holds"], check["at"]) == (False, 3)
    assert "“nothing is read before it is written” is violated by event 3" in window.notice.text


def test_a_mistake_in_the_file_is_said(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(trace_file(tmp_path))
    rest(window, qtbot)
    window.judging.judge(written(tmp_path, "x = 1\n", "spec.py"))
    qtbot.waitUntil(lambda: not window.judging.busy, timeout=LONG)
    assert "this file declares no property" in window.notice.text


def test_a_window_opens_at_an_event(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    window = make_window(trace_file(tmp_path), 4)
    try:
        assert window.playhead.selection.event == 4 and window.playhead.t == pytest.approx(0.005)
    finally:
        window.close()
