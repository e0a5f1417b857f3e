"""The comparison of two texts of a protocol, line by line, with removed and added lines marked."""

from __future__ import annotations

import difflib

from PySide6.QtGui import QColor, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from lydian.app.kit.theming import set_look
from lydian.app.look.theme import Theme
from lydian.language import tr

__all__ = ["CompareView", "compared"]


def compared(old: str, new: str, old_name: str, new_name: str) -> list[str]:
    """Return the lines of a unified diff, or none if the texts are the same."""
    return [
        line.rstrip("\n")
        for line in difflib.unified_diff(old.splitlines(), new.splitlines(), old_name, new_name, lineterm="")
    ]


class CompareView(QPlainTextEdit):
    """A view of a diff in colour; signs before the lines make it readable without colour."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setObjectName("compareView")
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName(tr("Comparison of two texts"))
        self.setTabChangesFocus(True)
        self.lines: list[str] = []
        set_look(self, theme, font="body mono")
        self.set_theme(theme)

    def show_texts(self, old: str, new: str, old_name: str, new_name: str) -> None:
        """Show the changes from one text to another."""
        self.lines = compared(old, new, old_name, new_name)
        self._fill()

    def _fill(self) -> None:
        self.setPlainText("\n".join(self.lines) if self.lines else tr("The two texts are the same."))
        grounds = {"+": "check.holdsSoft", "-": "check.violatedSoft", "@": "surface.header"}
        cursor = QTextCursor(self.document())
        for line in self.lines:
            sign = "" if line.startswith(("+++", "---")) else line[:1]
            ground = QTextBlockFormat()
            if sign in grounds:
                ground.setBackground(self.theme.color(grounds[sign]))
            cursor.setBlockFormat(ground)
            cursor.select(QTextCursor.SelectionType.LineUnderCursor)
            ink = QTextCharFormat()
            color: QColor = self.theme.color("text.secondary" if sign == "@" or not sign else "text.primary")
            ink.setForeground(color)
            cursor.setCharFormat(ink)
            cursor.clearSelection()
            if not cursor.movePosition(QTextCursor.MoveOperation.NextBlock):
                break
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def set_theme(self, theme: Theme) -> None:
        self._fill()
