"""What keys do to whole lines of the code: in, out, up, down, twice, comment or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor

from lydian.authoring import codetyping as typing

if TYPE_CHECKING:
    from lydian.app.protocol.codetext import CodeText

__all__ = ["LineKeys"]


class LineKeys(QObject):
    """The keys of one editor that change lines; each is one step back."""

    def __init__(self, edit: CodeText) -> None:
        super().__init__(edit)
        self.edit = edit

    def _rows(self) -> tuple[int, int]:
        """The first and last line (from 0) that the selection touches."""
        cursor, text = self.edit.textCursor(), self.edit.document()
        first, last = text.findBlock(cursor.selectionStart()), text.findBlock(cursor.selectionEnd())
        back = last != first and cursor.selectionEnd() == last.position()
        return first.blockNumber(), last.blockNumber() - back

    def _put(self, first: int, last: int, lines: Sequence[str], chosen: tuple[int, int] | None = None) -> None:
        """Lines in place of lines; select those at ``chosen``, or keep the selection as well as can be."""
        self.edit.own()
        edit, text = self.edit, self.edit.document()
        (anchor_line, anchor), (line, column) = self._anchor(), edit.place()
        olds = [text.findBlockByNumber(number).text() for number in range(first, last + 1)]
        cursor = QTextCursor(text)
        cursor.beginEditBlock()
        if len(olds) == len(lines):
            for number, (old, new) in enumerate(zip(olds, lines, strict=True), first):
                if old != new:  # only what differs is touched, so that marks stay
                    self._put_line(cursor, number, old, new)
        else:
            cursor.setPosition(text.findBlockByNumber(first).position())
            end = text.findBlockByNumber(last)
            cursor.setPosition(end.position() + end.length() - 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText("\n".join(lines))
        cursor.endEditBlock()
        shift = 0 if chosen is None else chosen[0]
        now = edit.textCursor()
        if chosen is None:
            grown = {n: len(new) - len(old) for n, (old, new) in enumerate(zip(olds, lines, strict=False), first)}
            anchor, column = (max(0, c + grown.get(n - 1, 0)) for n, c in ((anchor_line, anchor), (line, column)))
        now.setPosition(edit.position(anchor_line + shift, anchor))
        now.setPosition(edit.position(line + shift, column), QTextCursor.MoveMode.KeepAnchor)
        edit.setTextCursor(now)
        edit.ensureCursorVisible()

    def _put_line(self, cursor: QTextCursor, number: int, old: str, new: str) -> None:
        cursor.setPosition(self.edit.document().findBlockByNumber(number).position())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(new)

    def _anchor(self) -> tuple[int, int]:
        cursor = self.edit.textCursor()
        cursor.setPosition(cursor.anchor())
        return self.edit.place(cursor)

    def _lines(self, first: int, last: int) -> list[str]:
        return [self.edit.code.line(number) for number in range(first, last + 1)]

    def indent(self) -> None:
        if self.edit.tabChangesFocus():  # Qt went to the next widget before, unless there is none
            return
        first, last = self._rows()
        cursor = self.edit.textCursor()
        if first != last or (cursor.hasSelection() and cursor.selectedText() == cursor.block().text()):
            self._put(first, last, typing.indented(self._lines(first, last)))
        else:
            self.edit.own()
            cursor = self.edit.textCursor()
            cursor.removeSelectedText()
            _, column = self.edit.place(cursor)
            cursor.insertText(typing.to_tab(cursor.block().text()[:column]))
            self.edit.setTextCursor(cursor)

    def outdent(self) -> None:
        if not self.edit.tabChangesFocus():
            first, last = self._rows()
            self._put(first, last, typing.outdented(self._lines(first, last)))

    def comment(self) -> None:
        first, last = self._rows()
        self._put(first, last, typing.toggled(self._lines(first, last)))

    def duplicate(self) -> None:
        first, last = self._rows()
        lines = self._lines(first, last)
        self._put(first, last, [*lines, *lines], (last - first + 1, 0))

    def move_up(self) -> None:
        self._move(-1)

    def move_down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        first, last = self._rows()
        low, high = min(first, first + by), max(last, last + by)
        if low < 0 or high >= self.edit.blockCount():
            return
        new = typing.moved(self._lines(low, high), first - low, last - low, by)
        assert new is not None
        self._put(low, high, new, (by, 0))

    def home(self) -> None:
        self._home(QTextCursor.MoveMode.MoveAnchor)

    def home_more(self) -> None:
        self._home(QTextCursor.MoveMode.KeepAnchor)

    def _home(self, mode: QTextCursor.MoveMode) -> None:
        cursor = self.edit.textCursor()
        line, column = self.edit.place(cursor)
        cursor.setPosition(self.edit.position(line, typing.first_column(cursor.block().text(), column)), mode)
        self.edit.setTextCursor(cursor)
        self.edit.completer_.close()
