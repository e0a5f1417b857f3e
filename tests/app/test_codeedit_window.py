"""The code editor in the window: from a library protocol to a problem and its fix."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lydian.app.protocol.code.codeedit import CodeEditor
from tests.app.conftest import Open

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def test_the_first_key_in_a_library_protocol_edits_a_copy(open_window: Open, qtbot: QtBot) -> None:
    window = open_window()
    window.workspaces.show("protocol")
    editor = window.findChildren(CodeEditor)[0]
    document, text = editor.document, editor.text
    assert document.read_only and document.path is not None and document.path.name == "echo.py"
    library = document.path.read_text(encoding="utf-8")
    line = next(n for n, each in enumerate(document.source.split("\n"), 1) if "self.parent = q" in each)
    text.go(line, len("        self.paren"))
    text.setFocus()
    qtbot.waitUntil(text.hasFocus)
    qtbot.keyClicks(text, "x")
    assert not document.read_only and document.path.read_text(encoding="utf-8") != "" and editor.line == line
    assert document.source == library.replace("self.parent = q", "self.parenxt = q", 1)
    qtbot.waitUntil(lambda: bool(document.problems))
    qtbot.keyClick(text, Qt.Key.Key_F8)
    qtbot.keyClick(text, Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    assert document.source == library and document.problems == ()
    qtbot.keyClick(text, Qt.Key.Key_Left)  # outside the editor this key moves the play head
    assert editor.line == line
    size = text.fontMetrics().height()
    window.actions_by_name["text_larger"].trigger()
    assert text.fontMetrics().height() > size, "the code grows with all other text"
