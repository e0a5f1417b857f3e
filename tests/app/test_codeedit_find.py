"""Finding, replacing and going to a line in the code editor with keys and mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.app.codedesk import Key, Mod, Open, desks

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Open]:
    yield from desks(qtbot)


def test_find_counts_highlights_and_wraps_around(desk: Open) -> None:
    d = desk()
    d.at(1, 0)
    d.key(Key.Key_F, Mod.ControlModifier)
    bar = d.editor.bar
    assert bar.isVisible() and bar.field.hasFocus() and not bar.by.isVisible()
    d.qtbot.keyClicks(bar.field, "tell")
    total = len(bar.found)
    first = d.text.textCursor().selectionStart()
    assert bar.count.text() == f"1 of {total}"
    assert sum(len(places) for places in d.text.finds.values()) == total
    d.key(Key.Key_F3)
    assert bar.count.text() == f"2 of {total}"
    d.key(Key.Key_F3, Mod.ShiftModifier)
    d.key(Key.Key_F3, Mod.ShiftModifier)
    assert bar.count.text() == f"{total} of {total}"
    d.key(Key.Key_F3)
    assert d.text.textCursor().selectionStart() == first
    bar.case.click()
    assert len(bar.found) < total
    bar.pattern.click()
    bar.field.setText("te(")
    assert "this pattern cannot be read" in bar.count.text()
    d.key(Key.Key_Escape)
    assert not bar.isVisible() and d.text.finds == {} and d.text.hasFocus()


def test_replacing_one_or_all_is_one_undo_step(desk: Open) -> None:
    d = desk()
    d.at(1, 0)
    d.key(Key.Key_H, Mod.ControlModifier)
    bar = d.editor.bar
    d.qtbot.keyClicks(bar.field, "News")
    bar.case.setChecked(True)
    count = len(bar.found)
    d.qtbot.keyClicks(bar.by, "Word")
    d.qtbot.mouseClick(bar.one, Qt.MouseButton.LeftButton)
    assert d.document.source.count("Word") == 1
    d.qtbot.mouseClick(bar.all, Qt.MouseButton.LeftButton)
    assert d.document.source.count("Word") == count and bar.count.text() == f"{count - 1} matches replaced"
    d.text.setFocus()
    d.key(Key.Key_Z, Mod.ControlModifier)
    assert d.document.source.count("Word") == 1


def test_a_line_can_be_reached_by_number(desk: Open) -> None:
    d = desk()
    d.key(Key.Key_G, Mod.ControlModifier)
    bar = d.editor.bar
    assert bar.line.hasFocus()
    d.qtbot.keyClicks(bar.line, "900")
    d.key(Key.Key_Return)
    assert "a line must be a number from 1 to" in bar.range.text() and bar.isVisible()
    bar.line.clear()
    d.qtbot.keyClicks(bar.line, "20:9")
    d.key(Key.Key_Return)
    assert d.text.place() == (20, 8) and not bar.isVisible() and d.text.hasFocus()
