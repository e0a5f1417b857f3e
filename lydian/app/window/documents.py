"""Opening and saving: experiments, networks, traces, protocols, pictures.  A bad file is a sentence, never a loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.panels.declared import kept
from lydian.app.window.settings import Settings
from lydian.app.work.session import Session
from lydian.app.work.shelf import Shelf
from lydian.model.errors import LydianError

if TYPE_CHECKING:
    from lydian.model.experiment import Experiment

__all__ = ["DEFAULT", "Documents"]

#: The experiment that opens first.
DEFAULT = "two-wings"
ALL = "What LYDIAN opens (*.toml *.json *.parquet *.py);;All files (*)"


class Documents(QObject):
    """Files in and out.  The native file chooser is the only thing that waits for an answer."""

    #: A sentence about a file, and whether it is a problem.
    said = Signal(str, bool)

    def __init__(self, session: Session, shelf: Shelf, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self.session, self.shelf, self.settings, self.window = session, shelf, settings, window

    # ------------------------------------------------------------------ opening

    def choose(self) -> None:
        """Ask for a file and open it."""
        name, _kind = QFileDialog.getOpenFileName(self.window, "Open", self.settings.folder, ALL)
        if name:
            self.settings.folder = str(Path(name).parent)
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a file of any kind; if it cannot be used, say why and keep everything as it is."""
        try:
            self._open(path)
        except (LydianError, OSError) as error:
            self.said.emit(_sentence(error, path), True)
            return False
        return True

    def _open(self, path: Path) -> None:
        from lydian.model.experiment import read
        from lydian.model.filekind import kind_of

        kind = kind_of(path)
        here = str(path.absolute())
        if kind == "trace":
            from lydian.trace.file import load

            self.session.show_trace(load(path), path)
        elif kind == "experiment":
            self.session.start(read(path), path)
        elif kind == "network":
            self._open_network(here)
        else:
            self._open_protocol(here)

    def _open_network(self, here: str) -> None:
        """The experiment at hand on another network, or a new one."""
        from lydian.model.errors import BadInput

        network = self.shelf.network(here)
        if network.n == 0:
            raise BadInput("this network has no process; add one", file=here)
        now = self.session.experiment
        if now is None:
            now = self.shelf.archive.experiment(DEFAULT).with_(name=Path(here).stem, about="", path=None)
        timing = replace(now.timing, links={}, classes={}, steps={}, initiators=None)
        if not network.initiators:
            timing = replace(timing, initiators=network.processes[:1])
        self._put(now, f"network {network.name or here}", network=here, timing=timing, faults=(), interventions=())

    def _open_protocol(self, here: str) -> None:
        """The experiment at hand with another protocol."""
        now = self.session.experiment
        if now is None:
            now = self.shelf.archive.experiment(DEFAULT).with_(name=Path(here).stem, about="", path=None)
        parameters = kept(now.parameters, self.shelf.source(here))
        self._put(now, f"protocol {Path(here).stem}", protocol=here, parameters=parameters, animation=None, workload=())

    def _put(self, now: Experiment, text: str, **parts: object) -> None:
        if self.session.experiment is None:
            self.session.start(now.with_(**parts))
        else:
            self.session.change(text, **parts)

    # ------------------------------------------------------------------ saving

    def save(self) -> bool:
        """Save the experiment where it came from, or ask where if that is nowhere of the user's."""
        path = self.session.path
        ours = self.shelf.archive.ours.resolve()
        if path is None or ours in path.resolve().parents:
            return self.save_as()
        return self.save_to(path)

    def save_as(self) -> bool:
        """Ask where, and save the experiment there."""
        now = self.session.experiment
        if now is None:
            return self._nothing()
        offered = str(Path(self.settings.folder) / f"{now.name or 'experiment'}.toml")
        name, _kind = QFileDialog.getSaveFileName(self.window, "Save the experiment", offered, "Experiments (*.toml)")
        return bool(name) and self.save_to(_with_ending(name, ".toml"))

    def save_to(self, path: Path) -> bool:
        """Save the experiment in a file, whole or not at all."""
        from lydian.model.experiment import save

        now = self.session.experiment
        if now is None:
            return self._nothing()

        def write() -> None:
            moved = save(now, path)
            self.session.path = path
            self.session.experiment = moved
            self.session.undo.setClean()
            self.session.experiment_changed.emit()

        return self.written(write, path)

    def save_trace(self) -> bool:
        """Ask where, and save the run that is shown."""
        path = self.place_for_run("Save the trace", "Traces (*.parquet)", ".parquet")
        return path is not None and self.written(lambda: self.session.save_trace(path), path)

    def place_for_run(self, title: str, kinds: str, *endings: str) -> Path | None:
        """Ask where something made of the run that is shown shall go; ``None``: nowhere, or there is no run.

        Args:
            kinds: what the file chooser offers; without an ending the name gets that of the kind chosen there.
            endings: those that are kept as they were written.
        """
        run = self.session.shown
        if run is None:
            self.said.emit("There is no run to save yet.", True)
            return None
        stem = "run" if run.experiment is None else f"{run.experiment.name or 'run'}-{run.experiment.seed}"
        offered = str(Path(self.settings.folder) / f"{stem}{endings[0]}")
        name, kind = QFileDialog.getSaveFileName(self.window, title, offered, kinds)
        if not name:
            return None
        wanted = next((ending for ending in endings if f"*{ending})" in kind), endings[0])
        return _with_ending(name, wanted, *endings)

    def save_picture(self, title: str, write: Callable[[Path], object]) -> bool:
        """Ask where, and have ``write`` put a picture there."""
        offered = str(Path(self.settings.folder) / f"{title.lower()}.png")
        kinds = "Pictures (*.png);;Vector pictures (*.svg);;Pages for print (*.pdf)"
        name, kind = QFileDialog.getSaveFileName(self.window, f"Save a picture of {title}", offered, kinds)
        if not name:
            return False
        wanted = next((ending for ending in (".svg", ".pdf") if ending in kind), ".png")
        path = _with_ending(name, wanted, ".png", ".svg", ".pdf")
        return self.written(lambda: write(path), path)

    def written(self, write: Callable[[], object], path: Path) -> bool:
        """Have ``write`` write a file, and say how that went; whether it went well."""
        try:
            write()
        except (LydianError, OSError) as error:
            self.said.emit(_sentence(error, path), True)
            return False
        self.settings.folder = str(path.parent)
        self.said.emit(f"Saved as {path}.", False)
        return True

    def _nothing(self) -> bool:
        self.said.emit("There is no experiment to save: only a trace is open.", True)
        return False


def _with_ending(name: str, ending: str, *others: str) -> Path:
    path = Path(name)
    return path if path.suffix.lower() in (ending, *others) else path.with_name(path.name + ending)


def _sentence(error: Exception, path: Path) -> str:
    if isinstance(error, OSError):
        return f"{path}: {error.strerror or error}"
    return str(error)
