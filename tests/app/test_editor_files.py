"""Files of the drawn network in the window: every kind, bad lines, large files, saving and exporting."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian.app.main import make_window
from lydian.app.network.files import reading_of
from lydian.app.network.workspace import EditorWorkspace
from lydian.app.window.mainwindow import MainWindow
from lydian.formats.networks import FORMATS, read, save
from lydian.model.generators import from_spec
from lydian.model.layouts import placed
from lydian.model.network import Link, Network
from tests.app.conftest import whole

#: Warnings of the offscreen platform.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture(scope="module")
def shared(qapp: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """Provide one window for most of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LYDIAN_HOME", str(tmp_path_factory.mktemp("home")))
        made = make_window("two-wings")
        made.resize(1280, 720)
        made.show()
        for _ in range(1000):
            if whole(made):
                break
            QTest.qWait(20)
        QTest.qWait(300)  # the simulator of the next run starts
        yield made
        made.close()
        made.deleteLater()


@pytest.fixture
def window(shared: MainWindow) -> Iterator[MainWindow]:
    """Provide the shared window in its initial state with the drawing in front."""
    shared.desk.notices.show("")
    editor, network = drawing(shared), placed(shared.shelf.network("two-wings", None))
    editor.load(network, None)
    yield shared
    editor.files.background.cancel()
    editor.load(network, None)


READ = [each for each in FORMATS.values() if each.name != "tikz"]


def drawing(window: MainWindow) -> EditorWorkspace:
    """Bring the drawing to the front and return its editor."""
    window.actions_by_name["workspace_network"].trigger()
    assert window.workspaces.editor is not None
    return window.workspaces.editor


def answer(monkeypatch: pytest.MonkeyPatch, path: Path | str, kind: str = "") -> None:
    """Set the answer of the file choosers."""
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_words: (str(path), kind))


def pairs(network: Network) -> set[frozenset[str]]:
    """Return the pairs of linked processes."""
    return {frozenset((link.a, link.b)) for link in network.links}


@pytest.mark.slow
def test_every_kind_of_file_opens_and_can_be_undone(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = drawing(window)
    whole = placed(from_spec("complete:6"))
    for each in READ:
        path = tmp_path / f"whole{each.suffixes[0]}"
        save(whole, path, each.name)
        answer(monkeypatch, path)
        window.actions_by_name["open"].trigger()
        shown = editor.board.network
        assert shown.n == 6 and pairs(shown) == pairs(read(path).network), each.name
        assert len(shown.positions) == 6, each.name  # processes without a position were given one
        assert f"from {path.name}" in window.status.label.text() and not window.notice.text.startswith("whole")
        assert editor.board.document.path == (path if each.name == "json" else None)
        assert not window.isWindowModified()
        editor.canvas.grab()


def test_a_file_is_added_beside_the_drawing(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = drawing(window)
    before = editor.board.network
    save(from_spec("ring:3"), tmp_path / "three.dot")
    answer(monkeypatch, tmp_path / "three.dot")
    window.actions_by_name["network_import"].trigger()
    assert editor.board.network.n == before.n + 3 and len(editor.board.chosen.processes) == 3
    assert window.actions_by_name["undo"].text().endswith("Import three.dot")
    window.actions_by_name["undo"].trigger()
    assert editor.board.network == before


def test_bad_lines_are_reported_with_a_remedy(window: MainWindow, tmp_path: Path) -> None:
    editor = drawing(window)
    before = editor.board.network
    path = tmp_path / "bad.edges"
    path.write_text("0 1\n1 2\n2 2 x y z\n2 0\n")
    editor.files.open(path)
    assert editor.board.network is before
    assert "bad.edges" in window.notice.text and "line 3" in window.notice.text
    assert window.notice.button.text() == "Leave that line out" and window.notice.button.isVisible()
    window.notice.button.click()
    assert editor.board.network.n == 3 and editor.board.network.m == 3
    assert "1 line left out" in window.status.label.text()


def test_an_unusable_file_is_reported_and_the_drawing_kept(window: MainWindow, tmp_path: Path) -> None:
    editor = drawing(window)
    before = editor.board.network
    for name, text in {
        "no.json": None,
        "bad.json": "{",
        "list.json": "[]",
        "empty.graphml": "",
        "bomb.graphml": '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><graphml>&b;</graphml>',
        "bad.g6": "ä",
        "what.bin": "\0\1",
        "bad.csv": "0,1\n1",
    }.items():
        if text is not None:
            (tmp_path / name).write_text(text, encoding="utf-8")
        window.desk.notices.show("")
        editor.files.open(tmp_path / name)
        assert editor.board.network is before
        said = window.notice.text
        assert name in said and "inside LYDIAN" not in said and "\n" not in said, (name, said)


def test_a_dropped_file_is_opened(window: MainWindow, tmp_path: Path) -> None:
    editor = drawing(window)
    save(from_spec("ring:5"), tmp_path / "five.gml")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "five.gml"))])
    event = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    editor.dropEvent(event)
    assert event.isAccepted() and editor.board.network.n == 5


def test_the_saved_file_equals_the_drawing(window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    editor = drawing(window)
    assert window.windowTitle().startswith("two-wings — Network") and not window.isWindowModified()
    editor.board.choose_processes(["4"])
    editor.board.delete_chosen()
    assert window.isWindowModified() and editor.top.title.text().endswith("•")
    answer(monkeypatch, "")
    window.actions_by_name["save"].trigger()  # the file chooser was cancelled
    assert window.isWindowModified()
    answer(monkeypatch, tmp_path / "mine")
    window.actions_by_name["save"].trigger()
    assert read(tmp_path / "mine.json").network == editor.board.network
    assert not window.isWindowModified() and "mine.json" in window.status.label.text()
    answer(monkeypatch, "/nowhere/at/all.json")
    editor.board.choose_processes(["5"])
    editor.board.delete_chosen()
    window.actions_by_name["save"].trigger()  # the network has a file, so no chooser opens
    assert read(tmp_path / "mine.json").network == editor.board.network
    window.actions_by_name["undo"].trigger()
    assert window.isWindowModified()
    window.actions_by_name["save_as"].trigger()
    assert "/nowhere/at" in window.notice.text and window.isWindowModified()


def test_the_drawing_is_exported_for_other_programs_and_as_a_picture(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = drawing(window)
    for name, start in {
        "a.svg": b"<?xml", "a.pdf": b"%PDF-", "a.png": b"\x89PNG", "a.tex": b"", "a.graphml": b"<?xml", "a.g6": b"",
    }.items():  # fmt: skip
        answer(monkeypatch, tmp_path / name)
        window.actions_by_name["network_export"].trigger()
        assert (tmp_path / name).read_bytes().startswith(start) and name in window.status.label.text()
    answer(monkeypatch, tmp_path / "named", "GraphML (*.graphml)")
    window.actions_by_name["network_export"].trigger()
    assert pairs(read(tmp_path / "named.graphml").network) == pairs(editor.board.network)


def test_an_empty_drawing_is_not_saved(window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    editor = drawing(window)
    window.actions_by_name["new"].trigger()
    assert not editor.board.network.n
    answer(monkeypatch, tmp_path / "empty.json")
    window.actions_by_name["save"].trigger()
    assert "no process to save" in window.notice.text and not (tmp_path / "empty.json").exists()
    assert not window.actions_by_name["network_export"].isEnabled()
    assert "no process" in window.actions_by_name["network_export"].toolTip()


def test_opening_another_network_sets_the_drawing_aside(window: MainWindow, tmp_path: Path) -> None:
    editor = drawing(window)
    editor.board.choose_processes(["4"])
    editor.board.delete_chosen()
    mine = editor.board.network
    save(from_spec("ring:5"), tmp_path / "five.json")
    editor.files.open(tmp_path / "five.json")
    assert editor.board.network.n == 5
    (kept,) = (window.settings.file.parent / "unsaved").glob("*.json")
    assert read(kept).network == mine and str(kept) in window.notice.text
    window.notice.button.click()
    assert editor.board.network == mine
    window.actions_by_name["undo"].trigger()
    assert editor.board.network.n == 5


def many(path: Path, links: int, processes: int) -> None:
    """Provide an edge list that links each process to those a few numbers further on."""
    each = links // processes
    path.write_text("\n".join(f"{i} {(i + k * k) % processes}" for k in range(1, each + 1) for i in range(processes)))


@pytest.mark.slow
def test_a_large_file_opens_in_the_background_and_is_simplified_with_a_notice(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    editor = drawing(window)
    path = tmp_path / "large.edges"
    many(path, 100_000, 10_000)
    begun = time.thread_time()
    reading_of(path)
    whole = time.thread_time() - begun
    blank = editor.canvas.grab().toImage()
    works: list[float] = []
    last = [time.thread_time()]

    def tick() -> None:  # measure CPU time, so that the load of the machine does not matter
        now = time.thread_time()
        works.append(now - last[0])
        last[0] = now

    timer = QTimer()
    timer.timeout.connect(tick)
    timer.start(5)
    try:
        editor.files.open(path)
        qtbot.waitUntil(lambda: window.status.bar.value() > 5, timeout=20_000)
        assert window.status.cancel.isVisible() and "large.edges" in window.status.working.text()
        qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
        assert not editor.files.background.busy and not window.status.cancel.isVisible()
        assert editor.board.network.n == 12
        editor.files.open(path)
        qtbot.waitUntil(lambda: editor.board.network.n == 10_000, timeout=30_000)
        qtbot.waitUntil(lambda: not editor._keep.isActive() and not editor._keeper.busy, timeout=30_000)
    finally:
        timer.stop()
    assert editor.board.network.m == 100_000 and not window.status.bar.isVisible()
    assert max(works) < whole / 4, (max(works), whole)  # the window is never busy for more than a part of the work
    picture = editor.canvas.grab().toImage()
    assert picture != blank and not editor.canvas._easel.drawing.each
    below = editor.desk.strip.geometry().bottom()
    ratio = picture.devicePixelRatio()
    soft = window.theme.color("check.warnSoft").rgb()
    x = round(picture.width() / 2)
    rows = [y for y in range(picture.height() // 4) if picture.pixel(x - round(100 * ratio), y) == soft]
    assert rows and min(rows) / ratio > below  # the tools do not cover the banner


def test_saving_keeps_directed_and_undirected_links(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor = drawing(window)
    mixed = Network("mixed", ("a", "b", "ü"), (Link("a", "b", directed=True), Link("b", "ü")), initiators=("ü",))
    editor.open(mixed)
    answer(monkeypatch, tmp_path / "mixed.json")
    window.actions_by_name["network_save"].trigger()
    assert read(tmp_path / "mixed.json").network == editor.board.network
