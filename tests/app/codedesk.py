"""An editor on a small protocol, with the keys and the mouse of a user, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from lydian.app.look.theme import Theme
from lydian.app.protocol.code.codeedit import CodeEditor
from lydian.app.protocol.document import ProtocolDocument

Key, Mod = Qt.Key, Qt.KeyboardModifier
#: A small protocol with one wrong word in line 24.
SOURCE = '''"""A small protocol."""

from lydian import INIT, Message, Process, on, states

IDLE, DONE = states("idle", "done")


class News(Message):
    """What is told."""

    text: str = "news"


class Tell(Process):
    state = IDLE
    heard: set[str] = set()  # from whom

    @on(IDLE, INIT)
    def start(self):
        self.tell(News())

    @on((IDLE, DONE), News)
    def hear(self, m, q):
        self.herd.add(q)
        self.tell(m)

    def tell(self, m):
        """To all."""
        for q in self.neighbours:
            self.send(m, to=q)
        self.state = DONE
'''
WRONG = 24


class Desk:
    """An editor on a document, with the actions of a user."""

    def __init__(self, qtbot: QtBot, source: str, theme: Theme) -> None:
        self.qtbot = qtbot
        self.document = ProtocolDocument(source, None)
        self.editor = CodeEditor(self.document, theme)
        self.text = self.editor.text
        self.said: list[str] = []
        self.document.said.connect(lambda words, _bad: self.said.append(words))
        qtbot.addWidget(self.editor)
        self.editor.resize(820, 600)
        with qtbot.waitExposed(self.editor):
            self.editor.show()
        self.editor.activateWindow()
        self.editor.setFocus()
        qtbot.waitUntil(self.text.hasFocus)

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = Mod.NoModifier) -> None:
        self.qtbot.keyClick(QApplication.focusWidget() or self.text, key, held)

    def type(self, text: str) -> None:
        self.qtbot.keyClicks(self.text, text)

    def at(self, line: int, column: int | None = None) -> None:
        """Put the cursor at a column of a line, by default at the end."""
        self.text.go(line, len(self.line(line)) if column is None else column)

    def line(self, number: int) -> str:
        return self.text.code.line(number - 1)

    def put(self, text: str) -> None:
        """Replace the text, and put the cursor at the |."""
        before, _, after = text.partition("|")
        self.document.replace(before + after)
        self.text.go(before.count("\n") + 1, len(before.split("\n")[-1]))

    @property
    def got(self) -> str:
        """The text with a | at the cursor."""
        at = self.document.offset(self.text.textCursor().position())
        return self.document.source[:at] + "|" + self.document.source[at:]

    def pixel(self, line: int, column: int) -> QPoint:
        cursor = self.text.textCursor()
        cursor.setPosition(self.text.position(line, column))
        return self.text.cursorRect(cursor).center()

    def find(self, name: str) -> tuple[int, int]:
        """Return the line and the column of the first occurrence of a piece of text."""
        before = self.document.source[: self.document.source.index(name)]
        return before.count("\n") + 1, len(before.split("\n")[-1])


#: Opens an editor on a text in a theme.
Open = Callable[..., Desk]


def desks(qtbot: QtBot) -> Iterator[Open]:
    """Return a function that opens editors; close them at the end."""
    made: list[Desk] = []

    def opened(source: str = SOURCE, theme: str = "light", **look: object) -> Desk:
        made.append(Desk(qtbot, source, Theme(theme, **look)))  # type: ignore[arg-type]
        return made[-1]

    yield opened
    for each in made:
        each.editor.hide()
        each.document.close()
