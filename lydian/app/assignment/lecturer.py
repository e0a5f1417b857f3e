"""The lecturer's files of an assignment: its own file, its text, the properties and the reference, each in a tab."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.assignment.assignment import FILE, MOST_BYTES, Assignment
from lydian.model.reading import read_text, write_text

__all__ = ["LecturersText", "lecturers_files"]


def lecturers_files(assignment: Assignment) -> tuple[str, ...]:
    """Return the files that the lecturer edits, relative to the folder; none in a student's package."""
    if not any(name.startswith("lecturer/") for name in assignment.files):
        return ()
    reference = [f"lecturer/reference/{name}" for name in assignment.reference]
    wanted = (FILE, "text.md", "lecturer/properties.py", *reference, "lecturer/rubric.md")
    return tuple(name for name in wanted if name == FILE or name in assignment.files)


class LecturersText(QPlainTextEdit):
    """A text of the lecturer that is not a program; it is written as it is typed."""

    #: The file has been written.
    written = Signal()

    def __init__(self, path: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path, self.theme = path, theme
        self.setObjectName("lecturersText")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(False)
        set_up(self, name=path.name)
        set_look(self, theme, font="body mono")
        self.setPlainText(read_text(path, "a file of an assignment", MOST_BYTES))
        self.document().setModified(False)
        self.setLineWrapMode(
            QPlainTextEdit.LineWrapMode.WidgetWidth if path.suffix == ".md" else QPlainTextEdit.LineWrapMode.NoWrap
        )

    @property
    def text(self) -> QTextDocument:
        """The document, with its history."""
        return self.document()

    def save(self) -> bool:
        """Write the text if it has been changed; return True if it was written.

        Raises:
            BadInput: it cannot be written.
        """
        if not self.document().isModified():
            return False
        write_text(self.path, self.toPlainText())
        self.document().setModified(False)
        return True
