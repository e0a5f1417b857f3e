"""The sweep on the desk: its form with a history of every edit, its file, and a copy that survives a crash."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from lydian.app.sweep.form.form import Form, from_plain, to_plain
from lydian.desk.kept.folder import KeptFolder
from lydian.desk.undo import Step, Undo
from lydian.model.errors import LydianError
from lydian.model.reading import write_text

__all__ = ["FILE", "SweepDocument"]

#: The name of what is kept beside the settings.
FILE = "sweep.json"
#: Milliseconds after an edit at which it is kept for a next start.
LATER = 800


class SweepDocument(QObject):
    """A form, and what becomes of it.

    Attributes:
        form: as it stands.
        path: its file, if it has one.
        undo: its history.
        default_name: of a sweep without a name.
    """

    #: The form is another one.
    changed = Signal()
    #: The name, the file, or whether they are the same changed.
    moved = Signal()
    #: A sentence: what is typed cannot be kept.
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
        """What it is called."""
        return self.form.name.strip() or self.default_name

    @property
    def modified(self) -> bool:
        """Whether it differs from its file."""
        return not self.undo.clean

    def change(self, text: str, form: Form | None = None, *, key: str = "", **parts: Any) -> None:
        """An edit.

        Args:
            text: what undo calls it.
            form: what stands there then; or ``parts`` of it.
            key: edits of one key that follow each other are one step.
        """
        new = replace(self.form if form is None else form, **parts)
        if new != self.form:
            self.undo.push(Step(text, self._take, self.form, new, key))

    def seal(self) -> None:
        """What is typed from now on is a step of its own."""
        self.undo.seal()

    def load(self, form: Form, path: Path | None = None, *, modified: bool = False) -> None:
        """Another sweep; the history begins anew."""
        self.path = path
        self.undo.clear()
        self._take(form)
        if modified:
            self.undo.set_clean(False)
        self.moved.emit()

    def saved(self, path: Path) -> None:
        """The file holds what stands here."""
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

    # ------------------------------------------------------------------ nothing is lost

    def keep(self) -> None:
        """Write down what stands here, so that the next start goes on with it."""
        self._later.stop()
        path = None if self.path is None else str(self.path.absolute())
        told = {"version": 1, "file": path, "modified": self.modified, "form": to_plain(self.form)}
        try:
            write_text(self._kept.place(FILE), json.dumps(told, default=str))
        except (LydianError, OSError) as error:
            self.failed.emit(f"The sweep cannot be kept for the next start: {error}")

    def recall(self) -> bool:
        """Go on with what was kept; false if there is nothing that can be used, whatever is in the file."""
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
        """Keep it; leave no timer."""
        self.undo.close()
        if self._later.isActive():
            self.keep()
