"""Lines of a file with their numbers; one of them can be marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from lydian.app.look.theme import Theme

__all__ = ["LogLines"]

#: Longest line that is shown whole.
LONGEST = 2_000


class LogLines(QPlainTextEdit):
    """Reads only; numbers are those of the file, from 1."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.first, self.count, self.marked = 1, 0, 0
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.setFont(theme.font("small", mono=True))
        self.setStyleSheet(
            f"QPlainTextEdit {{ background: {theme.color('surface.panelAlt').name()}; color: "
            f"{theme.color('text.primary').name()}; border: 1px solid {theme.color('border.subtle').name()}; "
            f"border-radius: {int(theme.size('radius.control'))}px; }}"
        )
        self.mark(self.marked)

    def show_lines(self, first: int, lines: Sequence[str], *, more: bool = False) -> None:
        """Show lines, the first of which has that number; ``more``: the file goes on."""
        if lines and not lines[-1]:
            lines = lines[:-1]  # behind the last line end
        self.first, self.count, self.marked = first, len(lines), 0
        wide = len(f"{first + len(lines):,}")
        text = "\n".join(f"{number:>{wide},}  {line[:LONGEST]}" for number, line in enumerate(lines, first))
        self.setPlainText(f"{text}\n{'…':>{wide}}" if more else text)
        self.setExtraSelections([])

    def mark(self, line: int) -> bool:
        """Mark a line and bring it into sight; 0 marks none.  False if it is not among those that are shown."""
        self.marked = line if self.first <= line < self.first + self.count else 0
        if not self.marked:
            self.setExtraSelections([])
            return line == 0
        cursor = QTextCursor(self.document().findBlockByNumber(line - self.first))
        look = QTextCharFormat()
        look.setBackground(self.theme.color("check.warnSoft"))
        look.setForeground(self.theme.color("text.primary"))
        look.setProperty(QTextFormat.Property.FullWidthSelection, True)
        selection = QTextEdit.ExtraSelection()
        selection.cursor, selection.format = cursor, look
        self.setExtraSelections([selection])
        self.setTextCursor(cursor)
        self.centerCursor()
        return True
