"""The sweep being edited: its form with a history of every edit, its file, and a copy that survives a crash."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from lydian.app.sweep.form.form import Form, from_plain, to_plain
from lydian.desk.kept.folder import KeptFolder
from lydian.desk.undo import Step, Undo
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.reading import write_text

__all__ = ["FILE", "SweepDocument"]

#: The name of the copy beside the settings.
FILE = "sweep.json"
#: Milliseconds after an edit at which the copy is written.
LATER = 800


class SweepDocument(QObject):
    """A form with its file and its history.

    Attributes:
        form: the current form.
        path: its file, if it has one.
        undo: its history.
        default_name: the name of a sweep without a name of its own.
    """

    #: Emitted when the form has changed.
    changed = Signal()
    #: Emitted when the name, the file, or the modified state has changed.
    moved = Signal()
    #: Emitted with a sentence if the copy cannot be written.
    failed = Signal(str)

    def __init__(self, kept: KeptFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.form = Form()
        self.path: Path | None = None
        self.undo = Undo()
        self.undo.clean_changed.connect(lambda _clean: self.moved.emit())
        self.default_name = "sweep"
        self._kept = kept
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(LATER)
        self._later.timeout.connect(self.keep)

    @property
    def name(self) -> str:
        """The name of the sweep."""
        return self.form.name.strip() or self.default_name

    @property
    def modified(self) -> bool:
        """Whether the form differs from its file."""
        return not self.undo.clean

    def change(self, text: str, form: Form | None = None, *, key: str = "", **parts: Any) -> None:
        """Make an edit.

        Args:
            text: its name for undo.
            form: the new form; or ``parts`` of it.
            key: consecutive edits with the same key are one step.
        """
        new = replace(self.form if form is None else form, **parts)
        if new != self.form:
            self.undo.push(Step(text, self._take, self.form, new, key))

    def seal(self) -> None:
        """Begin a new step of undo with the next edit."""
        self.undo.seal()

    def load(self, form: Form, path: Path | None = None, *, modified: bool = False) -> None:
        """Load another sweep with a new history."""
        self.path = path
        self.undo.clear()
        self._take(form)
        if modified:
            self.undo.set_clean(False)
        self.moved.emit()

    def saved(self, path: Path) -> None:
        """Record that the file contains the current form."""
        self.path = path
        self.undo.set_clean()
        self.moved.emit()
        self.keep()

    def _take(self, form: Form) -> None:
        renamed = form.name != self.form.name
        self.form = form
        self._later.start()
        self.changed.emit()
        if renamed:
            self.moved.emit()

    # ------------------------------------------------------------------ the copy

    def keep(self) -> None:
        """Write the copy, from which the next start continues."""
        self._later.stop()
        path = None if self.path is None else str(self.path.absolute())
        told = {"version": 1, "file": path, "modified": self.modified, "form": to_plain(self.form)}
        try:
            write_text(self._kept.place(FILE), json.dumps(told, default=str))
        except (LydianError, OSError) as error:
            self.failed.emit(tr("The sweep cannot be saved for the next start: {error}", error=error))

    def recall(self) -> bool:
        """Continue with the copy; return False if there is none that can be used."""
        return any(self._recall(file) for file in self._kept.left(FILE))

    def _recall(self, file: Path) -> bool:
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            form, path = from_plain(told["form"]), told["file"]
            texts = [form.name, form.seeds, *(row.values for row in form.rows), *(each.count for each in form.drawn)]
            if not all(isinstance(text, str) for text in texts):
                return False
            self.load(form, None if path is None else Path(path), modified=bool(told["modified"]))
            self._kept.take(file)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return False
        return True

    def close(self) -> None:
        """Write the copy and stop the timer."""
        self.undo.close()
        if self._later.isActive():
            self.keep()
