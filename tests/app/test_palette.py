"""Ctrl+K: everything with a name can be found and used by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.panels.palette import Palette, pages
from lydian.app.window.mainwindow import MainWindow

Open = Callable[..., MainWindow]
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
CTRL = Qt.KeyboardModifier.ControlModifier


def asked(qtbot: QtBot, window: MainWindow, text: str) -> Palette:
    """Open the palette with Ctrl+K, type a text, and return the palette."""
    qtbot.keyClick(window.stage.canvases["basic"], Qt.Key.Key_K, CTRL)
    palette = window.finder.palette
    assert palette.isVisible()
    qtbot.keyClicks(palette.field, text)
    return palette


def test_every_command_can_be_found_by_keys_alone(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1280, 720))
    head = window.playhead
    timeline = head.timeline
    assert timeline is not None

    palette = asked(qtbot, window, "5")
    assert palette.texts[0] == "Process 5"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible() and head.selection.processes == {5}

    palette = asked(qtbot, window, "#40")
    assert len(palette.texts) == 1
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert head.selection.event == 40 and head.t == float(timeline.time[40])

    palette = asked(qtbot, window, "7 receives broadcast")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    event = head.selection.event
    assert event is not None and timeline.processes[timeline.process[event]] == "7"
    assert timeline.labels[timeline.label[event]] == "Broadcast"

    palette = asked(qtbot, window, "pending of 3")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert head.selection.processes == {3} and not window.stage.docks["step"].isHidden()

    before = window.actions_by_name["loop"].isChecked()
    palette = asked(qtbot, window, ">loop")
    assert palette.texts[0] == "Loop"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.actions_by_name["loop"].isChecked() != before
    palette = asked(qtbot, window, "")
    assert palette.texts[0] == "Loop"  # the most recently used command is first
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_arrows_walk_the_list_and_disabled_entries_explain_why(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1024, 640))
    palette = asked(qtbot, window, "undo")
    assert palette.texts[0] == "Undo" and palette.entries("undo")[0].why == "no change to undo"
    assert palette.entries("undo")[0].remark == "No change to undo"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()  # the disabled entry does nothing
    palette.field.clear()
    qtbot.keyClicks(palette.field, "xyzzyx")
    assert palette.texts == ["No results for “xyzzyx”"]
    palette.field.clear()
    last = palette.list.count() - 1
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentRow() == last > 5
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentRow() == 1
    entry = palette.entries("save")[0]
    assert (entry.text, entry.remark) == ("Save", "Ctrl+S")
    palette.close()


def test_the_tool_bar_field_opens_the_palette_and_shrinks_with_the_window(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1440, 900))
    field = window.toolbar.find_field
    wide = field.width()
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    palette = window.finder.palette
    assert palette.isVisible() and palette.width() >= wide
    palette.close()
    window.resize(1024, 640)
    qtbot.waitUntil(lambda: field.width() < wide and field.isVisible())
    assert field.mapTo(window, field.rect().topRight()).x() < window.width()


def test_a_section_of_the_guide_can_be_opened(qtbot: QtBot, open_window: Open) -> None:
    window = open_window(size=(1280, 720))
    palette = asked(qtbot, window, "?look")
    assert palette.texts and all(palette.entries("?look")[i].kind == "page" for i in range(len(palette.texts)))
    palette.page_wanted.disconnect()
    with qtbot.waitSignal(palette.page_wanted) as told:
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert "look" in told.args[0].title.lower()


def test_headings_are_listed_and_code_is_not(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n```\n# no heading\n```\n## Two `x`\n", encoding="utf-8")
    (tmp_path / "b.md").write_bytes(b"\xff\xff")
    assert [(page.title, page.section) for page in pages(tmp_path)] == [("One", ""), ("One: Two x", "Two x")]
