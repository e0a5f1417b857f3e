"""Logs of real systems and networks of other programs, opened in the real window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.panels.trace.importlog import ImportPanel
from lydian.app.window.mainwindow import MainWindow
from lydian.formats.logs import FORMATS
from tests.app.conftest import rest
from tests.formats.test_preview import CALLS, SHOP

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
Open = Callable[..., MainWindow]


@pytest.fixture
def window(open_window: Open) -> MainWindow:
    return open_window()


def written(folder: Path, text: str, name: str = "servers.log") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def shown(qtbot: QtBot, window: MainWindow, path: Path) -> ImportPanel:
    """Open a log and return the panel."""
    panel = window.importing.panel
    window.documents.open(path)
    qtbot.waitUntil(lambda: panel.found is not None and not panel.background.busy, timeout=6_000)
    assert panel.isVisible()
    return panel


def drop(window: MainWindow, path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(300, 300), Qt.DropAction.CopyAction, mime, left, none))


def imported(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.mouseClick(window.importing.panel.go, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=6_000)


# ---------------------------------------------------------------------- logs


def test_the_menu_opens_a_log_and_shows_its_interpretation(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, SHOP)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_words: (str(path), ""))
    window.actions_by_name["import_log"].trigger()
    panel = window.importing.panel
    qtbot.waitUntil(lambda: panel.found is not None, timeout=6_000)
    assert panel.name.text() == "servers.log" and "web {" in panel.lines.toPlainText()
    assert "2 hosts, 2 events, 1 message" in panel.summary.text() and "ShiViz" in panel.kind.text()
    rows = [panel.events.topLevelItem(i) for i in range(panel.events.topLevelItemCount())]
    assert [[row.text(c) for c in range(4)] for row in rows if row] == [
        ["0", "web", "sends message to cart", "ask"], ["1", "cart", "receives message from web", "asked"]
    ]  # fmt: skip
    assert panel.go.isEnabled() and not panel.skip.isVisible()


def test_an_import_fills_all_views_and_can_be_undone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    before, run = window.session.experiment, window.session.shown
    drop(window, written(tmp_path, SHOP))
    panel = window.importing.panel
    qtbot.waitUntil(lambda: panel.found is not None, timeout=6_000)
    assert not window.notice.text
    imported(qtbot, window)
    head = window.playhead
    assert head.timeline is not None and head.timeline.processes == ("cart", "web")
    assert window.session.experiment is None and not panel.isVisible()
    assert "2 events, 1 message" in window.status.label.text()
    for canvas in window.stage.canvases.values():
        canvas.resize(400, 300)
        canvas.grab()
        assert canvas.trouble is None
    assert window.actions_by_name["undo"].text() == "&Undo: import of servers.log"
    window.actions_by_name["undo"].trigger()
    assert window.session.experiment is before and window.session.shown is not None and run is not None
    assert window.session.shown.trace is run.trace and head.timeline.n == 12
    window.actions_by_name["redo"].trigger()
    assert head.timeline.processes == ("cart", "web")


def test_a_change_before_an_import_can_be_undone(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    old = window.session.experiment
    assert old is not None
    window.session.change("seed", seed=old.seed + 1)
    shown(qtbot, window, written(tmp_path, SHOP))
    imported(qtbot, window)
    window.session.undo.undo()
    window.session.undo.undo()
    assert window.session.experiment is not None and window.session.experiment.seed == old.seed


def test_bad_lines_are_listed_marked_and_skipped(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    panel = shown(qtbot, window, written(tmp_path, CALLS))
    assert panel.format.currentData() == "numbered" and panel.regex.text() == FORMATS["numbered"].regex
    item = panel.problems.topLevelItem(0)
    assert item is not None and (item.text(0), item.text(1)) == ("3", "The expression does not match here")
    assert not panel.go.isEnabled() and panel.skip.text() == "Skip this line"
    panel.area.ensureWidgetVisible(panel.problems)
    place = panel.problems.visualItemRect(item).center()
    qtbot.mouseClick(panel.problems.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.lines.marked == 3
    (mark,) = panel.lines.extraSelections()
    assert mark.cursor.block().text().endswith("oops")
    qtbot.mouseClick(panel.skip, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.skip.height() // 2))
    assert panel.go.isEnabled()
    imported(qtbot, window)
    assert window.playhead.timeline is not None and window.playhead.timeline.length == 3
    assert "1 line left out" in window.status.label.text()


def test_choosing_a_problem_scrolls_to_its_line(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    """The beginning of the log is valid, and the error comes later."""
    text = "".join(f'a {{"a": {i}}} x\n' for i in range(1, 6_000)) + "nonsense\n"
    panel = shown(qtbot, window, written(tmp_path, text))
    assert panel.found is not None and not panel.found.whole and panel.go.isEnabled()
    before = window.session.shown
    imported(qtbot, window)
    assert window.session.shown is before and "1 line cannot be read" in window.notice.text
    assert panel.lines.marked == 6_000 and "nonsense" in panel.lines.toPlainText()
    panel.skip.setChecked(True)
    imported(qtbot, window)
    assert window.playhead.timeline is not None and window.playhead.timeline.length == 5_999


@pytest.mark.slow
def test_a_custom_expression_is_tried_while_typing(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    panel = shown(qtbot, window, written(tmp_path, "a>b 7\nb<a 7\n"))
    assert not panel.go.isEnabled() and panel.trouble.text()
    panel.regex.setFocus()
    panel.regex.clear()
    wanted = r"(?<host>\w)(>(?<to>\w)|<(?<from>\w)) (?<message>\d+)"
    qtbot.keyClicks(panel.regex, wanted[:12])
    assert panel.format.currentData() == "own"
    qtbot.waitUntil(lambda: "regular expression" in panel.trouble.text(), timeout=6_000)
    qtbot.keyClicks(panel.regex, wanted[12:])
    qtbot.waitUntil(lambda: panel.found is not None and panel.found.messages == 1, timeout=6_000)
    assert panel.go.isEnabled() and not panel.trouble.isVisible()


@pytest.mark.slow
def test_executions_become_runs(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    panel = shown(qtbot, window, written(tmp_path, f"=== 1\n{SHOP}=== 2\n{SHOP}"))
    qtbot.keyClicks(panel.delimiter, "===")
    qtbot.waitUntil(lambda: panel.found is not None and panel.found.executions == 2, timeout=6_000)
    imported(qtbot, window)
    assert len(window.session.runs) == 2 and "2 executions" in window.status.label.text()
    runs, comparing = window.panel.runs, window.history.comparing
    names = [runs.topLevelItem(i).text(0) for i in range(2)]
    assert [name.split()[-1] for name in names] == ["1", "2"] and runs.isEnabled()
    assert window.panel.seed.field.text() == "Not known" and not window.panel.seed.isEnabled()
    menu = runs.menu_for(runs.topLevelItem(1))
    (compare,) = [action for action in menu.actions() if "Compare" in action.text()]
    assert compare.isEnabled()
    compare.trigger()
    qtbot.waitUntil(lambda: comparing.ready, timeout=6_000)
    assert comparing.other is not None and comparing.other.name == names[1] and comparing.difference is None
    comparing.swap()
    qtbot.waitUntil(lambda: window.session.shown is window.session.runs[1] and comparing.ready, timeout=6_000)
    comparing.end()


def test_a_long_import_can_be_cancelled(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = shown(qtbot, window, written(tmp_path, "".join(f'a {{"a": {i}}} x\n' for i in range(1, 60_000))))
    before = window.session.shown
    qtbot.mouseClick(panel.go, Qt.MouseButton.LeftButton)
    assert panel.cancel.isVisible() and window.status.cancel.isVisible() and not panel.go.isEnabled()
    qtbot.waitUntil(lambda: panel.bar.value() > 0, timeout=6_000)
    qtbot.mouseClick(panel.cancel, Qt.MouseButton.LeftButton)
    assert not window.importing.busy and window.session.shown is before and not panel.cancel.isVisible()
    assert "cancelled" in window.status.label.text() and panel.go.isEnabled()


def test_opening_a_log_first_shows_the_example_beside_it(qtbot: QtBot, home: Path, tmp_path: Path) -> None:
    window = make_window(written(tmp_path, SHOP))
    try:
        with qtbot.waitExposed(window):
            window.show()
        qtbot.waitUntil(lambda: window.importing.panel.found is not None, timeout=6_000)
        qtbot.waitUntil(lambda: window.session.shown is not None, timeout=6_000)
    finally:
        window.close()
        window.deleteLater()


def test_a_missing_log_is_reported_in_one_sentence(window: MainWindow, tmp_path: Path) -> None:
    window.documents.open(tmp_path / "missing.log")
    assert "there is no such file" in window.notice.text and not window.importing.panel.isVisible()


# ---------------------------------------------------------------------- networks of other programs

GML = 'graph [ node [ id 1 label "a" ] node [ id 2 label "b" ] edge [ source 1 target 2 ] ]'
FILES = {
    "pair.gml": GML,
    "pair.dot": "graph { a -- b; a -- a }",
    "pair.gv": "graph { a -- b }",
    "pair.edges": "a b\n",
    "pair.csv": "0,1\n1,0\n",
    "pair.g6": "A_\n",
    "pair.graphml": '<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph '
    'edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>',
    "drawing": "graph { a -- b }",
}


def test_the_experiment_runs_on_each_imported_network(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    for name, text in FILES.items():
        path = written(tmp_path, text, name)
        assert window.documents.open(path)
        assert window.session.experiment is not None
        network = window.session.experiment.network
        assert network == str(path) or (name == "drawing" and not isinstance(network, str))
        said = window.status.label.text()
        assert f"Network {name}: 2 processes, 1 link." in said
        assert ("itself" in said) == (name == "pair.dot")
        qtbot.waitUntil(lambda: window.playhead.timeline is not None and window.playhead.timeline.n == 2, timeout=6_000)
        rest(window, qtbot)
        assert not window.notice.text
        window.actions_by_name["undo"].trigger()
        assert window.session.experiment.network == "two-wings"
        qtbot.waitUntil(lambda: window.playhead.timeline is not None and window.playhead.timeline.n > 2, timeout=6_000)
        rest(window, qtbot)


def test_skipping_bad_lines_is_offered(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    before = window.session.experiment
    path = written(tmp_path, 'a b\nb c\nc "d\nc d\n', "some.edges")
    assert not window.documents.open(path)
    assert window.session.experiment is before
    assert "line 3" in window.notice.text and window.notice.button.text() == "Use the other 3 lines"
    qtbot.mouseClick(window.notice.button, Qt.MouseButton.LeftButton)
    now = window.session.experiment
    assert now is not None and not isinstance(now.network, str) and (now.network.n, now.network.m) == (4, 3)
    assert "1 line left out" in window.status.label.text()
    qtbot.waitUntil(lambda: window.playhead.timeline is not None and window.playhead.timeline.n == 4, timeout=6_000)


def test_a_large_network_is_read_in_the_background(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    text = "".join(f"process{i:05} process{i + 1:05}\n" for i in range(6_000))
    path = written(tmp_path, text, "long.edges")
    assert window.documents.open(path)
    assert window.documents.background.busy and window.status.cancel.isVisible()
    window.documents.cancel()
    assert not window.documents.background.busy and not window.status.cancel.isVisible()
    window.documents.open(path)
    qtbot.waitUntil(lambda: not window.documents.background.busy, timeout=6_000)
    assert window.session.experiment is not None and window.session.experiment.network == str(path)
    window.session.worker.drop()


def test_the_open_dialog_lists_importable_files(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: asked.append(args[-1]) or ("", ""))
    window.actions_by_name["open"].trigger()
    for ending in (".toml", ".json", ".parquet", ".py", ".graphml", ".gml", ".dot", ".gv", ".edges", ".csv", ".g6"):
        assert f"*{ending}" in asked[0].split(";;")[0]
    assert "GraphML (*.graphml *.xml)" in asked[0]
