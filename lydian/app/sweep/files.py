"""The file of a sweep: opened, saved, and the experiment that it varies."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.sweep.document import SweepDocument
from lydian.app.sweep.form.check import check
from lydian.app.sweep.form.form import Form, from_data, settled, to_data
from lydian.desk.archivelist import ArchiveList
from lydian.desk.runs.session import Session
from lydian.desk.settings import Settings
from lydian.language import tr
from lydian.model.archive.shelves import looks_like_path
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.experiment import Experiment
from lydian.model.reading import parse_toml, read_text, without_none, write_text

__all__ = ["SweepFiles"]

KINDS = tr("Sweeps (*.toml);;All files (*)")


class SweepFiles(QObject):
    """The controller that opens and saves the form."""

    #: Emitted with a sentence and whether it is a problem.
    said = Signal(str, bool)
    #: Emitted when another sweep has been opened.
    opened = Signal()

    def __init__(
        self, document: SweepDocument, session: Session, shelf: ArchiveList, settings: Settings, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.document, self.session, self.shelf, self.settings, self.window = document, session, shelf, settings, parent
        self._known: tuple[Any, Path | None, Experiment] | None = None
        self._settled: tuple[Experiment, dict[str, Any]] | None = None

    # ------------------------------------------------------------------ the experiment

    def experiment(self) -> Experiment:
        """Return the experiment that is varied.

        Raises:
            LydianError: there is none, or it cannot be read.
        """
        base = self.document.form.base
        if base is None:
            at_hand = self.session.experiment
            if at_hand is None:
                raise BadInput(tr("no experiment is open, only a recorded run; choose another base experiment"))
            return at_hand if at_hand.path is not None else at_hand.with_(path=self.session.path)
        if self._known is None or self._known[0] is not base or self._known[1] != self.document.path:
            self._known = (base, self.document.path, self._read(base))
        return self._known[2]

    def _read(self, base: str | Mapping[str, Any]) -> Experiment:
        if isinstance(base, str):
            located = looks_like_path(base, "experiments")
            if located is not None and self.document.path is not None:
                located = self.document.path.parent / located
            return self.shelf.archive.experiment(base if located is None else located)
        from lydian.model.experiment.experiment import from_dict

        return from_dict(dict(base)).with_(path=self.document.path)

    def request(self) -> dict[str, Any]:
        """Return the sweep in the form that the process expects which executes its runs.

        Raises:
            LydianError: a part of the form cannot be used.
        """
        form, experiment = self.document.form, self.experiment()
        if self._settled is None or self._settled[0] is not experiment:
            self._settled = (experiment, settled(experiment))
        return {"sweep": to_data(form, self._settled[1], self.document.name), "file": None}

    # ------------------------------------------------------------------ opening

    def new(self) -> None:
        """Replace the form with an empty one for the current experiment; undo restores the old one."""
        self.document.change(tr("new sweep"), Form())
        if self.document.path is not None:
            self.document.path = None
            self.document.undo.set_clean(False)
            self.document.moved.emit()

    def choose(self) -> None:
        """Ask for a sweep, and open it."""
        name, _kind = QFileDialog.getOpenFileName(self.window, tr("Open a sweep"), self.settings.folder, KINDS)
        if name:
            self.settings.folder = str(Path(name).parent)
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a sweep; return False, with a notice, if it cannot be used."""
        from lydian.batch.sweep.file import from_dict

        path = path.absolute()
        try:
            data = parse_toml(read_text(path, "a sweep in TOML"), path)
            from_dict(data, path)
            form = from_data(data)
            found = check(form)
            if not found.good:
                raise BadInput(next(iter(found.problems.values())), file=path, place=next(iter(found.problems)) or None)
        except (LydianError, OSError) as error:
            self.said.emit(str(error), True)
            return False
        self.document.load(form, path)
        self.opened.emit()
        return True

    # ------------------------------------------------------------------ saving

    def save(self) -> bool:
        """Save the sweep in its file, or ask for one if it has none of the user's."""
        path = self.document.path
        if path is None or self.shelf.archive.installed(path):
            return self.save_as()
        return self.save_to(path)

    def save_as(self) -> bool:
        """Ask for a file, and save the sweep there."""
        offered = str(Path(self.settings.folder) / f"{self.document.name}.toml")
        name, _kind = QFileDialog.getSaveFileName(self.window, tr("Save the sweep"), offered, KINDS)
        if not name:
            return False
        path = Path(name)
        return self.save_to(path if path.suffix.lower() == ".toml" else path.with_name(path.name + ".toml"))

    def save_to(self, path: Path) -> bool:
        """Save the sweep in a file, whole or not at all."""
        import tomli_w

        path = path.absolute()
        try:
            base = self._base_for(path)
            form = self.document.form
            problems = check(form).problems
            if problems:
                raise LydianError(
                    tr(
                        "The sweep is not saved, but a copy is kept for the next start. {problem}",
                        problem=next(iter(problems.values())),
                    )
                )
            write_text(path, tomli_w.dumps(without_none(to_data(form, base, self.document.name))))
        except (LydianError, OSError) as error:
            self.said.emit(str(error), True)
            return False
        except (TypeError, ValueError) as error:
            self.said.emit(
                tr("The sweep contains a value that a TOML file cannot contain: {error}.", error=error), True
            )
            return False
        self.settings.folder = str(path.parent)
        if isinstance(self.document.form.base, str) and isinstance(base, str):
            self.document.form = replace(self.document.form, base=base)
        self.document.saved(path)
        self.said.emit(tr("Saved as {file}.", file=path), False)
        return True

    def _base_for(self, path: Path) -> str | dict[str, Any]:
        """Return how a file there refers to the experiment, or all of the experiment if no file has it unchanged."""
        base = self.document.form.base
        if isinstance(base, str):
            located = looks_like_path(base, "experiments")
            if located is None or self.document.path is None:
                return base
            return _from(path, self.document.path.parent / located)
        experiment = self.experiment()
        if base is None and not self.session.modified and experiment.path is not None:
            if experiment.path.stem in self.shelf.archive.names("experiments") and (
                self.shelf.archive.find("experiments", experiment.path.stem).resolve() == experiment.path.resolve()
            ):
                return experiment.path.stem
            if experiment.path.is_file():
                return _from(path, experiment.path)
        return settled(experiment)


def _from(file: Path, target: Path) -> str:
    """Return a path as written in a file."""
    try:
        relative = Path(os.path.relpath(target, file.parent)).as_posix()
    except ValueError:  # The paths are on different drives.
        return target.absolute().as_posix()
    return relative if "/" in relative else f"./{relative}"
