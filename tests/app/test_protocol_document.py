"""The text of a protocol in the editor: one history, analysis after a pause, positions counted as in Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from lydian.app.protocol.document import ProtocolDocument
from lydian.authoring.celledits import set_cell
from lydian.authoring.failing import Failure

SOURCE = '''from lydian import INIT, Message, Process, on, states

IDLE, DONE = states("idle", "done")


class News(Message):
    """What is told."""


class Tell(Process):
    state = IDLE

    @on(IDLE, INIT)
    def begin(self):
        self.state = DONE
'''


@pytest.fixture
def document(qtbot: QtBot) -> Iterator[ProtocolDocument]:
    made = ProtocolDocument(SOURCE)
    yield made
    made.close()


def test_typed_text_is_analysed_after_a_pause(document: ProtocolDocument, qtbot: QtBot) -> None:
    editor = QPlainTextEdit()
    qtbot.addWidget(editor)
    editor.setDocument(document.text)
    assert [each.name for each in document.outline.messages] == ["News"] and not document.modified
    editor.moveCursor(QTextCursor.MoveOperation.End)
    told: list[str] = []
    document.edited.connect(lambda: told.append("edited"))
    with qtbot.waitSignal(document.read):
        QTest.keyClicks(editor, "x = (")
        assert told == ["edited"] * 5 and document.outline.problem is None  # not analysed yet
    assert document.modified and document.problems[0].line == 16 and document.source.endswith("x = (")


def test_another_text_replaces_only_the_difference(document: ProtocolDocument, qtbot: QtBot) -> None:
    editor = QPlainTextEdit()
    qtbot.addWidget(editor)
    editor.setDocument(document.text)
    cursor = editor.textCursor()
    cursor.setPosition(SOURCE.index("self.state"))
    editor.setTextCursor(cursor)
    changes: list[tuple[int, int, int]] = []
    document.text.contentsChange.connect(lambda *change: changes.append(change))
    assert document.replace(set_cell(document.source, "done", "News", "action", "again"), "a cell")
    assert document.outline.cell("done", "News").function == "again"
    assert editor.textCursor().block().text() == "        self.state = DONE"
    assert sum(removed for _, removed, _ in changes) < 40
    editor.undo()
    assert document.source == SOURCE and not document.modified
    assert not document.replace(SOURCE, "nothing")


def test_line_endings_and_unusual_characters_are_kept(document: ProtocolDocument) -> None:
    text = 'a = "\u00a0\U0001f600\u2028"\r\nb = 2\r\n'
    document.load(text, None)
    assert document.for_file() == text and document.source == text.replace("\r\n", "\n")
    place = document.source.index("b")
    assert document.position(place) == place + 1 and document.offset(place + 1) == place


@given(st.text(alphabet="ab\n\U0001f600é ", max_size=12), st.text(alphabet="ab\n\U0001f600é ", max_size=12))
@settings(deadline=None)
def test_replacing_changes_the_text_and_undo_restores_it(qapp: object, old: str, new: str) -> None:
    document = ProtocolDocument(old)
    document.replace(new, "")
    assert document.source == new
    if old != new:
        document.text.undo()
        assert document.source == old
    document.close()


def test_results_of_a_run_are_reported(document: ProtocolDocument, qtbot: QtBot) -> None:
    failure = Failure(3, 1.5, "1", "idle", "News", "message", "News", "2", "Tell has no @on(IDLE, News)", open=True)
    with qtbot.waitSignal(document.ran):
        document.show_run({("idle", "INIT"): 1}, {14: 1}, failure)
    assert document.failure is failure and document.failure.cell == ("idle", "News")
    document.load(SOURCE, None)
    assert document.counts is None and document.failure is None


def test_the_tab_has_a_name(document: ProtocolDocument) -> None:
    assert document.name == "tell.py"
    document.load("", None)
    assert document.name == "protocol.py"
