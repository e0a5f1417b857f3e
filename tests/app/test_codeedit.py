"""Typing in the code editor with keys and mouse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.protocol.document import ProtocolDocument
from tests.app.codedesk import SOURCE, Desk, Key, Mod, Open, desks

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Open]:
    yield from desks(qtbot)


def test_enter_tab_and_backspace_respect_indentation(desk: Open) -> None:
    d = desk()
    d.put("|")
    d.type("def f(x):")
    d.key(Key.Key_Return)
    d.type("if x:")
    d.key(Key.Key_Return)
    d.type("return 1")
    d.key(Key.Key_Return)
    assert d.got == "def f(x):\n    if x:\n        return 1\n    |"
    d.key(Key.Key_Backspace)
    assert d.got.endswith("\n|")
    d.key(Key.Key_Tab)
    d.type("y")
    d.key(Key.Key_Tab)
    assert d.got.endswith("\n    y   |"), "to the next level"
    d.key(Key.Key_Backtab, Mod.ShiftModifier)
    assert d.got.endswith("\ny   |")
    for _ in range(40):
        d.key(Key.Key_Z, Mod.ControlModifier)
    assert d.document.source != "", "undo goes back over all of it"


def test_brackets_and_quotes_close_unobtrusively(desk: Open) -> None:
    d = desk()
    d.put("|")
    d.type("f(a[0]")
    assert d.got == "f(a[0]|)"
    d.type(")")
    assert d.got == "f(a[0])|"
    d.put("f|")
    d.type("(")
    d.key(Key.Key_Backspace)
    assert d.got == "f|"
    d.put("x = |")
    d.type('"don\'t"')
    assert d.got == 'x = "don\'t"|'
    d.put("|name")
    d.type("(")
    assert d.got == "(|name"
    d.put("ab|")
    d.key(Key.Key_A, Mod.ControlModifier)
    d.type('"')
    assert d.document.source == '"ab"' and d.text.textCursor().selectedText() == "ab"


def test_lines_can_be_moved_duplicated_and_commented_out(desk: Open) -> None:
    d = desk()
    d.put("one\n  t|wo\nthree\n")
    d.key(Key.Key_Up, Mod.AltModifier)
    assert d.got == "  t|wo\none\nthree\n"
    d.key(Key.Key_Up, Mod.AltModifier)
    assert d.got == "  t|wo\none\nthree\n", "not beyond the edge"
    d.key(Key.Key_Down, Mod.AltModifier)
    d.key(Key.Key_D, Mod.ControlModifier)
    assert d.got == "one\n  two\n  t|wo\nthree\n"
    d.key(Key.Key_Slash, Mod.ControlModifier)
    assert d.got == "one\n  two\n  # t|wo\nthree\n"
    d.key(Key.Key_Slash, Mod.ControlModifier)
    assert d.got == "one\n  two\n  t|wo\nthree\n"
    d.key(Key.Key_Z, Mod.ControlModifier)
    assert "# two" in d.document.source, "each is one step back"
    d.put("|a\nb\nc")
    d.key(Key.Key_Down, Mod.ShiftModifier)
    d.key(Key.Key_Down, Mod.ShiftModifier)
    d.key(Key.Key_Tab)
    assert d.document.source == "    a\n    b\nc", "the line at whose beginning the selection ends is left alone"
    d.key(Key.Key_Backtab, Mod.ShiftModifier)
    assert d.document.source == "a\nb\nc"


def test_home_goes_to_the_first_letter_then_the_margin(desk: Open) -> None:
    d = desk()
    d.put("    word|")
    d.key(Key.Key_Home)
    assert d.got == "    |word"
    d.key(Key.Key_Home)
    assert d.got == "|    word"
    d.key(Key.Key_Home, Mod.ShiftModifier)
    assert d.text.textCursor().selectedText() == "    "


def test_ctrl_m_makes_tab_move_the_focus(desk: Open) -> None:
    d = desk()
    before = d.document.source
    d.key(Key.Key_M, Mod.ControlModifier)
    assert "Tab now leaves the code" in d.said[-1]
    d.key(Key.Key_Tab)
    assert d.document.source == before
    d.text.setFocus()
    d.key(Key.Key_M, Mod.ControlModifier)
    d.key(Key.Key_Tab)
    assert d.document.source != before


def test_characters_beyond_the_first_plane_keep_positions(desk: Open) -> None:
    d = desk()
    d.put('x = "😀😀"  # 😀 y|\n')
    assert d.text.place() == (1, 15)
    d.key(Key.Key_D, Mod.ControlModifier)
    assert d.got == 'x = "😀😀"  # 😀 y\nx = "😀😀"  # 😀 y|\n'
    spans = d.text.document().firstBlock().layout().formats()
    assert [(s.start, s.length) for s in spans][:2] == [(4, 6), (12, 6)]


def test_pasted_text_has_no_tabs(desk: Open) -> None:
    d = desk()
    d.put("|")
    QApplication.clipboard().setText("if x:\r\n\ty()")
    d.key(Key.Key_V, Mod.ControlModifier)
    assert d.document.source == "if x:\n    y()"


def test_a_dropped_file_is_left_to_the_window(desk: Open) -> None:
    d = desk()
    file, words = QMimeData(), QMimeData()
    file.setUrls([QUrl.fromLocalFile("/tmp/other.py")])
    words.setText("x = 1")
    assert not d.text.canInsertFromMimeData(file) and d.text.canInsertFromMimeData(words)


def pressed_in_the_window(d: Desk, key: str) -> bool:
    """Return whether a shortcut of the window acts while the code has the focus."""
    heard: list[bool] = []
    shortcut = QShortcut(QKeySequence(key), d.editor)
    shortcut.activated.connect(lambda: heard.append(True))
    combination = QKeySequence(key)[0]
    d.key(combination.key(), combination.keyboardModifiers())
    shortcut.setEnabled(False)
    return bool(heard)


@pytest.mark.parametrize(
    "key", ["Left", "PgUp", "Home", "F8", "F9", "F2", "Ctrl+D", "Ctrl+F", "Ctrl+G", "Alt+Up", "Space"]
)
def test_keys_used_by_the_editor_do_not_reach_the_window(desk: Open, key: str) -> None:
    assert not pressed_in_the_window(desk(), key)


@pytest.mark.parametrize("key", ["F5", "Ctrl+K", "Ctrl+S", "Ctrl+J", "Ctrl+Tab", "F1"])
def test_other_keys_reach_the_window(desk: Open, key: str) -> None:
    assert pressed_in_the_window(desk(), key)


def test_escape_closes_popups_and_then_reaches_the_window(desk: Open) -> None:
    d = desk()
    d.at(25)
    d.key(Key.Key_Return)
    d.type("self.")
    assert not pressed_in_the_window(d, "Esc") and not d.text.completer_.open
    d.key(Key.Key_A, Mod.ControlModifier)
    assert not pressed_in_the_window(d, "Esc") and not d.text.textCursor().hasSelection()
    assert pressed_in_the_window(d, "Esc")


def test_the_first_key_copies_a_read_only_text(desk: Open) -> None:
    d = desk()
    d.document.move(Path("/library/tell.py"), read_only=True)
    d.editor.copy_wanted.connect(lambda: d.document.move(Path("/mine/tell.py")))
    asked: list[bool] = []
    d.editor.copy_wanted.connect(lambda: asked.append(True))
    d.at(1, 0)
    d.key(Key.Key_Right)
    d.key(Key.Key_C, Mod.ControlModifier)
    assert asked == [] and d.document.read_only
    d.type("x")
    assert asked == [True] and not d.document.read_only
    assert d.line(1) == '"x""A small protocol."""'
    d.type("y")
    d.key(Key.Key_Return)
    assert asked == [True]


def test_a_copy_may_be_another_document(desk: Open) -> None:
    d = desk()
    d.document.move(Path("/library/tell.py"), read_only=True)
    mine = ProtocolDocument(SOURCE, None)
    d.editor.copy_wanted.connect(lambda: d.editor.set_document(mine))
    d.at(2, 0)
    d.type("#")
    assert d.document.source == SOURCE
    assert mine.source.startswith('#"""A small'), "the cursor of another document begins at its start"
    mine.close()
