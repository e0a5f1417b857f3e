"""Networks in and out of the editor: open, import, save, export; every bad file is a sentence and loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.network.board.board import Board
from lydian.app.work.background import Background, Report
from lydian.desk.archivelist import ArchiveList
from lydian.desk.settings import Settings
from lydian.formats.networks import FORMATS, BadLines, Reading, read, save
from lydian.model.errors import BadInput, LydianError
from lydian.model.layouts import placed
from lydian.model.network import Network
from lydian.views.words.words import plural

__all__ = ["DRAWINGS", "Files", "reading_of"]

#: Endings of pictures that a network can be drawn to.
DRAWINGS = (".svg", ".pdf", ".png")
#: Files up to this size are read at once, larger ones beside the window.
SMALL = 400_000


def reading_of(path: Path, report: Callable[[float], None] | None = None, *, skip: bool = False) -> Reading:
    """The network in a file, with a place for every process.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: the file cannot be used.
    """
    reading = read(path, skip=skip, watch=None if report is None else lambda share: report(share * 0.8))
    return Reading(placed(reading.network), reading.notes, reading.problems)


class Files(QObject):
    """Files of the network that is drawn; the native file chooser is the only thing that waits for an answer."""

    #: A sentence, whether it is a problem, what a button says, and what it does (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Words and share of what is under way; a share of 1 ends it.
    working = Signal(str, float)
    #: Another network is about to take the place of what is drawn.
    leaving = Signal()
    #: What :attr:`prepare` made of the network that is about to be opened.
    ready = Signal(object)

    def __init__(self, board: Board, shelf: ArchiveList, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self.board, self.shelf, self.settings, self.window = board, shelf, settings, window
        self._words, self._add, self._path = "", False, Path()
        #: Called in the thread that reads a large network, with it and the report.
        self.prepare: Callable[[Network, Report], Any] = lambda _network, _report: None
        self.background = Background(self)
        self.background.progress.connect(lambda share: self.working.emit(self._words, share))
        self.background.ended.connect(lambda: self.working.emit("", 1.0))
        self.background.failed.connect(lambda why: self.said.emit(why, True, "", None))
        self.background.done.connect(self._read)

    # ------------------------------------------------------------------ in

    def choose(self, *, add: bool = False) -> None:
        """Ask for a file and open it, or put its network beside what is drawn (``add``)."""
        ends = " ".join(f"*{end}" for each in FORMATS.values() if each.readable for end in each.suffixes)
        kinds = f"Networks ({ends});;All files (*)"
        title = "Import a network" if add else "Open a network"
        name, _kind = QFileDialog.getOpenFileName(self.window, title, self.settings.folder, kinds)
        if name:
            self.settings.folder = str(Path(name).parent)
            self.open(Path(name), add=add)

    def open(self, path: Path, *, add: bool = False, skip: bool = False) -> None:
        """Open a network's file of any kind; what cannot be used is said, with the way out."""
        self._words, self._add, self._path = f"Reading {path.name}", add, path

        def work(report: Report) -> tuple[Reading | BadLines, Any]:
            try:
                reading = reading_of(path, report, skip=skip)
            except BadLines as bad:
                return bad, None
            return reading, None if small or add else self.prepare(reading.network, report)

        try:
            small = path.stat().st_size <= SMALL
        except OSError:
            small = True  # reading says what is wrong
        if not small:
            self.working.emit(self._words, 0.0)
            self.background.start(work)
            return
        try:
            self._read(work(Report(lambda _share: None)))
        except (LydianError, OSError) as error:
            self.said.emit(str(error), True, "", None)

    def _read(self, answer: tuple[Reading | BadLines, Any]) -> None:
        found, prepared = answer
        path, add = self._path, self._add
        if isinstance(found, BadLines):
            many = len(found.problems)
            button = "Use the others" if many > 1 else "Leave that line out"
            self.said.emit(str(found), True, button, lambda: self.open(path, add=add, skip=True))
            return
        network = found.network
        if add:
            self.board.put(network, f"Import {path.name}", None, 0.0)
        else:
            own = path if path.suffix.lower() == ".json" else None  # others cannot hold everything we know
            self.leaving.emit()
            self.ready.emit(prepared)
            self.board.open(network, own, f"Open {path.name}")
        size = f"{plural(network.n, 'process')} and {plural(network.m, 'link')} from {path.name}"
        skipped = [f"{plural(len(found.problems), 'line')} left out"] if found.problems else []
        words = "; ".join([size, *skipped, *found.notes])
        self.said.emit(f"{words}.", False, "", None)

    # ------------------------------------------------------------------ out

    def save(self) -> bool:
        """Save the network where it came from, or ask where if that is nowhere of the user's."""
        path = self.board.document.path
        if path is None or self.shelf.archive.installed(path):
            return self.save_as()
        return self.save_to(path)

    def save_as(self) -> bool:
        """Ask where, and save the network there as one of ours."""
        folder = self.shelf.archive.user
        offered = Path(self.settings.folder)
        if folder is not None and self.board.document.path is None:
            offered = folder / "networks"
            try:
                offered.mkdir(parents=True, exist_ok=True)
            except OSError:
                offered = Path(self.settings.folder)
        start = str(offered / f"{self.board.network.name or 'network'}.json")
        name, _kind = QFileDialog.getSaveFileName(self.window, "Save the network", start, "Networks (*.json)")
        if not name:
            return False
        path = Path(name)
        return self.save_to(path if path.suffix.lower() == ".json" else path.with_name(path.name + ".json"))

    def save_to(self, path: Path) -> bool:
        """Save the network in a file of ours, whole or not at all; a new file gives it its name."""
        name = self.board.network.name if path == self.board.document.path else path.stem
        network = self.board.network.replace(name=name)

        def write() -> None:
            if not network.n:
                raise BadInput("there is no process to save yet; draw one first")
            save(network, path, "json")
            if network.name != self.board.network.name:
                self.board.do(f"Call it {name}", lambda drawn: drawn.replace(name=name))
            self.board.document.saved(path)

        return self._written(write, path)

    def export(self) -> bool:
        """Ask where, and write the network for another program or as a picture."""
        start = str(Path(self.settings.folder) / f"{self.board.network.name or 'network'}.graphml")
        kinds = [f"{each.title} (*{each.suffixes[0]})" for each in FORMATS.values() if each.name != "json"]
        kinds += ["Vector picture (*.svg)", "Page for print (*.pdf)", "Picture (*.png)"]
        name, kind = QFileDialog.getSaveFileName(self.window, "Export the network", start, ";;".join(kinds))
        if not name:
            return False
        path = Path(name)
        ends = {end for each in FORMATS.values() for end in each.suffixes} | set(DRAWINGS)
        if path.suffix.lower() not in ends:
            path = path.with_name(path.name + kind.rpartition("*")[2].rstrip(")"))
        return self.export_to(path)

    def export_to(self, path: Path) -> bool:
        """Write the network for another program or as a picture; the ending says which."""
        network = self.board.network

        def write() -> None:
            if not network.n:
                raise BadInput("there is no process to export yet; draw one first")
            if path.suffix.lower() in DRAWINGS:
                from lydian.app.network.board.picture import save_picture

                save_picture(network, path)
            else:
                save(network, path)

        return self._written(write, path)

    def close(self) -> None:
        self.background.close()

    def _written(self, write: Callable[[], object], path: Path) -> bool:
        try:
            write()
        except (LydianError, OSError) as error:
            self.said.emit(str(error), True, "", None)
            return False
        self.settings.folder = str(path.parent)
        self.said.emit(f"Saved as {path}.", False, "", None)
        return True
