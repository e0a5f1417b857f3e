"""The text of a protocol that is being edited, and the outline and problems that are read from it during typing.

The editor, the table and the diagram are three views of this text and share its history: a change in any of them is
one step that Undo reverts in all.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from lydian.authoring.failing import Failure
from lydian.model.source.draft import Draft, read
from lydian.model.source.outline import Outline, outline_of
from lydian.model.source.problems import problems_of
from lydian.model.source.text import Problem

__all__ = ["PAUSE", "ProtocolDocument"]

#: How many milliseconds after the last keystroke the text is read again.
PAUSE = 120
#: The same for a text that takes a long time to read.
LONGEST_PAUSE = 1500


class ProtocolDocument(QObject):
    """The protocol file that is open in the editor.

    Attributes:
        text: the text with the history that all views share; pass it to ``QPlainTextEdit.setDocument``.
        draft, outline, problems: the results of reading the text; they may lag slightly behind the typing.
        path: the file, or ``None`` if there is none yet.
        read_only: whether the file belongs to the library. Typing must *not* be refused: on the first change (signal
            :attr:`edited`) the workspace makes a copy for the user, and ``read_only`` becomes false.
        counts: (state, event) -> how often the cell ran in the latest run; ``None`` if the text has not been run.
        lines: first line of an action (its ``def``) in the text as it was run -> how often it ran.
        failure: the reason why the latest run stopped, if it failed.
    """

    #: Emitted when the text is changed, by typing or in a table, but not when another text is loaded.
    edited = Signal()
    #: Emitted when ``draft``, ``outline`` and ``problems`` have been updated.
    read = Signal()
    #: Emitted when ``path``, ``name``, ``modified`` or ``read_only`` has changed.
    moved = Signal()
    #: Emitted when ``counts``, ``lines`` and ``failure`` have been updated.
    ran = Signal()
    #: Emitted with a sentence for the user and whether it is a problem.
    said = Signal(str, bool)

    def __init__(self, source: str = "", path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.text = QTextDocument(self)
        self.text.setDocumentLayout(QPlainTextDocumentLayout(self.text))
        self.counts: Mapping[tuple[str, str], int] | None = None
        self.lines: Mapping[int, int] | None = None
        self.failure: Failure | None = None
        self._path = path
        self._read_only = False
        self._loading = False
        self._newline = "\n"
        self._source: str | None = None
        self._draft: Draft | None = None
        self._outline: Outline | None = None
        self._problems: tuple[Problem, ...] = ()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self.reread)
        self.text.contentsChange.connect(self._changed)
        self.text.modificationChanged.connect(lambda _on: self.moved.emit())
        self.load(source, path)

    # ------------------------------------------------------------------ the text

    @property
    def source(self) -> str:
        """The text with ``\\n`` as line ends, whatever the file uses."""
        if self._source is None:  # toPlainText would replace no-break spaces, and offsets would no longer match
            self._source = self.text.toRawText().replace("\u2029", "\n")
        return self._source

    @property
    def modified(self) -> bool:
        """Whether the text differs from the file."""
        return self.text.isModified()

    def load(self, source: str, path: Path | None, *, read_only: bool = False) -> None:
        """Load another text, with a new history."""
        self._newline = "\r\n" if "\r\n" in source else "\n"
        self._path, self._read_only = path, read_only
        self.counts = self.lines = self.failure = None
        self._loading = True
        try:
            self.text.setPlainText(source)
            self.text.setModified(False)
        finally:
            self._loading = False
        self.reread()
        self.moved.emit()
        self.ran.emit()

    def for_file(self) -> str:
        """Return the text as it is written to the file, with the line ends that the file had."""
        return self.source.replace("\n", self._newline)

    def replace(self, source: str, label: str = "") -> bool:
        """Replace the text as one step of the history, changing only the span that differs.

        Cursors of editors keep their places. ``label`` describes the change for screen readers and the status line.

        Returns:
            whether anything changed.
        """
        old, new = self.source, source.replace("\r\n", "\n").replace("\r", "\n")
        if old == new:
            return False
        start = 0
        most = min(len(old), len(new))
        while start < most and old[start] == new[start]:
            start += 1
        same = 0
        while same < most - start and old[-1 - same] == new[-1 - same]:
            same += 1
        cursor = QTextCursor(self.text)
        cursor.beginEditBlock()
        cursor.setPosition(_units(old[:start]))
        cursor.setPosition(_units(old[: len(old) - same]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(new[start : len(new) - same])
        cursor.endEditBlock()
        self.reread()
        if label:
            self.say(label)
        return True

    def position(self, offset: int) -> int:
        """Return the position in :attr:`text` for an offset in :attr:`source`; Qt counts some emoji twice."""
        return _units(self.source[:offset])

    def offset(self, position: int) -> int:
        """Return the offset in :attr:`source` for a position in :attr:`text`."""
        source = self.source
        if source.isascii():
            return min(position, len(source))
        return len(source.encode("utf-16-le")[: 2 * position].decode("utf-16-le", "ignore"))

    def _changed(self, _position: int, removed: int, added: int) -> None:
        self._source = None
        if (removed or added) and not self._loading:
            self._pause.start()
            self.edited.emit()

    # ------------------------------------------------------------------ reading the text

    @property
    def draft(self) -> Draft:
        assert self._draft is not None
        return self._draft

    @property
    def outline(self) -> Outline:
        assert self._outline is not None
        return self._outline

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self._problems

    def reread(self) -> None:
        """Read the text now, without waiting for a pause in typing."""
        self._pause.stop()
        if self._draft is not None and self._draft.text.source == self.source:
            return
        began = time.monotonic()
        self._draft = read(self.source)
        self._outline = outline_of(self._draft)
        self._problems = problems_of(self._draft)
        self.read.emit()
        cost = 1000 * (time.monotonic() - began)
        self._pause.setInterval(round(min(max(PAUSE, 3 * cost), LONGEST_PAUSE)))  # a long text is read less often

    # ------------------------------------------------------------------ the file

    @property
    def path(self) -> Path | None:
        return self._path

    @property
    def read_only(self) -> bool:
        return self._read_only

    @property
    def name(self) -> str:
        """The title of the tab: the name of the file, or else of the protocol."""
        if self._path is not None:
            return self._path.name
        return f"{self.outline.name.lower()}.py" if self.outline.name else "protocol.py"

    def move(self, path: Path | None, *, read_only: bool = False) -> None:
        """Assign the text to another file."""
        if (path, read_only) != (self._path, self._read_only):
            self._path, self._read_only = path, read_only
            self.moved.emit()

    def saved(self) -> None:
        """Mark the text as saved."""
        self.text.setModified(False)
        self.moved.emit()

    # ------------------------------------------------------------------ runs and words

    def show_run(
        self,
        counts: Mapping[tuple[str, str], int] | None,
        lines: Mapping[int, int] | None = None,
        failure: Failure | None = None,
    ) -> None:
        """Set the results of the latest run of this text."""
        self.counts, self.lines, self.failure = counts, lines, failure
        self.ran.emit()

    def say(self, sentence: str, problem: bool = False) -> None:
        """Emit a sentence for the user."""
        self.said.emit(sentence, problem)

    def close(self) -> None:
        """Stop the timers."""
        self._pause.stop()


def _units(text: str) -> int:
    """Return the number of positions that a text occupies in a Qt document."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
