"""A plain text edit that speaks of lines from 1 and columns in letters, where Qt counts places of UTF-16."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from lydian.authoring.codetyping import units, without_units

__all__ = ["PlacedText"]


class PlacedText(QPlainTextEdit):
    """Where the cursor is, and how it is put somewhere."""

    def place(self, cursor: QTextCursor | None = None) -> tuple[int, int]:
        """Line (from 1) and column (letters) of a cursor."""
        cursor = cursor or self.textCursor()
        block = cursor.block()
        return block.blockNumber() + 1, without_units(block.text(), cursor.position() - block.position())

    def position(self, line: int, column: int = 0) -> int:
        """Qt's place of a line (from 1) and column."""
        block = self.document().findBlockByNumber(max(0, min(line - 1, self.blockCount() - 1)))
        text = block.text()
        return block.position() + units(text, min(column, len(text)))

    def go(self, line: int, column: int | None = None, *, end: int | None = None) -> None:
        """Put the cursor to a line (from 1), in the middle of the view if it was not seen."""
        text = self.document().findBlockByNumber(max(0, line - 1)).text()
        start = len(text) - len(text.lstrip()) if column is None else column
        cursor = self.textCursor()
        cursor.setPosition(self.position(line, start if end is None else end))
        if end is not None:
            cursor.setPosition(self.position(line, start))
            cursor.setPosition(self.position(line, end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        rect = self.cursorRect()
        if rect.top() < 0 or rect.bottom() > self.viewport().height() - 2 * rect.height():
            self.centerCursor()

    def choose_line(self, line: int, *, more: bool = False) -> None:
        """Select a whole line (from 0), or up to it."""
        if line < 0:
            return
        cursor = self.textCursor()
        block = self.document().findBlockByNumber(line)
        if more:
            cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        else:
            cursor.setPosition(block.position())
            cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.MouseFocusReason)
