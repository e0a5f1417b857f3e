"""Opening, importing, saving and exporting networks; a bad file is reported in a sentence and nothing is lost."""

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
from lydian.formats.networks import FORMATS, BadLines, Reading, read, save, title_of
from lydian.language import tr, trn
from lydian.model.errors import BadInput, LydianError
from lydian.model.layouts import placed
from lydian.model.network import Network
from lydian.views.words.words import plural

__all__ = ["DRAWINGS", "Files", "reading_of"]

#: The suffixes of the picture files to which a network can be exported.
DRAWINGS = (".svg", ".pdf", ".png")
#: Files of up to this many bytes are read at once, larger ones in a thread.
SMALL = 400_000


def reading_of(path: Path, report: Callable[[float], None] | None = None, *, skip: bool = False) -> Reading:
    """Read the network in a file, and place every process.

    Raises:
        BadLines: some lines cannot be used, and ``skip`` is not set.
        BadInput: the file cannot be used.
    """
    reading = read(path, skip=skip, watch=None if report is None else lambda share: report(share * 0.8))
    return Reading(placed(reading.network), reading.notes, reading.problems)


class Files(QObject):
    """The files of the drawn network; only the native file dialog waits for an answer."""

    #: Emitted with a sentence, whether it is a problem, the label of a button and its action (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Emitted with a description of the work in progress and the share that is done; a share of 1 ends it.
    working = Signal(str, float)
    #: Emitted when another network is about to replace the drawing.
    leaving = Signal()
    #: Emitted with the result of :attr:`prepare` for the network that is about to be opened.
    ready = Signal(object)

    def __init__(self, board: Board, shelf: ArchiveList, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self.board, self.shelf, self.settings, self.window = board, shelf, settings, window
        self._words, self._add, self._path = "", False, Path()
        #: A function that is called with a large network and the report, in the thread that reads the network.
        self.prepare: Callable[[Network, Report], Any] = lambda _network, _report: None
        self.background = Background(self)
        self.background.progress.connect(lambda share: self.working.emit(self._words, share))
        self.background.ended.connect(lambda: self.working.emit("", 1.0))
        self.background.failed.connect(lambda why: self.said.emit(why, True, "", None))
        self.background.done.connect(self._read)

    # ------------------------------------------------------------------ reading

    def choose(self, *, add: bool = False) -> None:
        """Ask for a file and open it, or, with ``add``, add its network beside the drawing."""
        ends = " ".join(f"*{end}" for each in FORMATS.values() if each.readable for end in each.suffixes)
        kinds = tr("Networks ({patterns});;All files (*)", patterns=ends)
        title = tr("Import a network") if add else tr("Open a network")
        name, _kind = QFileDialog.getOpenFileName(self.window, title, self.settings.folder, kinds)
        if name:
            self.settings.folder = str(Path(name).parent)
            self.open(Path(name), add=add)

    def open(self, path: Path, *, add: bool = False, skip: bool = False) -> None:
        """Open a network file of any format; report lines that cannot be used, with a button that leaves them out."""
        self._words, self._add, self._path = tr("Reading {file}", file=path.name), add, path

        def work(report: Report) -> tuple[Reading | BadLines, Any]:
            try:
                reading = reading_of(path, report, skip=skip)
            except BadLines as bad:
                return bad, None
            return reading, None if small or add else self.prepare(reading.network, report)

        try:
            small = path.stat().st_size <= SMALL
        except OSError:
            small = True  # reading the file reports the error
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
            button = tr("Use the other lines") if many > 1 else tr("Leave that line out")
            self.said.emit(str(found), True, button, lambda: self.open(path, add=add, skip=True))
            return
        network = found.network
        if add:
            self.board.put(network, tr("Import {file}", file=path.name), None, 0.0)
        else:
            own = path if path.suffix.lower() == ".json" else None  # the other formats cannot hold everything
            self.leaving.emit()
            self.ready.emit(prepared)
            self.board.open(network, own, tr("Open {file}", file=path.name))
        size = tr(
            "{processes} and {links} from {file}",
            processes=plural(network.n, "process"),
            links=plural(network.m, "link"),
            file=path.name,
        )
        left = len(found.problems)
        skipped = [trn("{count:,} line left out", "{count:,} lines left out", left)] if left else []
        words = "; ".join([size, *skipped, *found.notes])
        self.said.emit(f"{words}.", False, "", None)

    # ------------------------------------------------------------------ writing

    def save(self) -> bool:
        """Save the network to its file, or ask for a file if it has none or its file came with LYDIAN."""
        path = self.board.document.path
        if path is None or self.shelf.archive.installed(path):
            return self.save_as()
        return self.save_to(path)

    def save_as(self) -> bool:
        """Ask for a file and save the network to it in LYDIAN's format."""
        folder = self.shelf.archive.user
        offered = Path(self.settings.folder)
        if folder is not None and self.board.document.path is None:
            offered = folder / "networks"
            try:
                offered.mkdir(parents=True, exist_ok=True)
            except OSError:
                offered = Path(self.settings.folder)
        start = str(offered / f"{self.board.network.name or 'network'}.json")
        name, _kind = QFileDialog.getSaveFileName(self.window, tr("Save the network"), start, tr("Networks (*.json)"))
        if not name:
            return False
        path = Path(name)
        return self.save_to(path if path.suffix.lower() == ".json" else path.with_name(path.name + ".json"))

    def save_to(self, path: Path) -> bool:
        """Save the network in LYDIAN's format, completely or not at all; a new file gives the network its name."""
        name = self.board.network.name if path == self.board.document.path else path.stem
        network = self.board.network.replace(name=name)

        def write() -> None:
            if not network.n:
                raise BadInput(tr("there is no process to save; draw one first"))
            save(network, path, "json")
            if network.name != self.board.network.name:
                self.board.do(
                    tr("Rename the network to {network}", network=name), lambda drawn: drawn.replace(name=name)
                )
            self.board.document.saved(path)

        return self._written(write, path)

    def export(self) -> bool:
        """Ask for a file and write the network to it, for another program or as a picture."""
        start = str(Path(self.settings.folder) / f"{self.board.network.name or 'network'}.graphml")
        kinds = [f"{title_of(each)} (*{each.suffixes[0]})" for each in FORMATS.values() if each.name != "json"]
        kinds += [tr("Vector picture (*.svg)"), tr("Page for printing (*.pdf)"), tr("Picture (*.png)")]
        name, kind = QFileDialog.getSaveFileName(self.window, tr("Export the network"), start, ";;".join(kinds))
        if not name:
            return False
        path = Path(name)
        ends = {end for each in FORMATS.values() for end in each.suffixes} | set(DRAWINGS)
        if path.suffix.lower() not in ends:
            path = path.with_name(path.name + kind.rpartition("*")[2].rstrip(")"))
        return self.export_to(path)

    def export_to(self, path: Path) -> bool:
        """Write the network for another program or as a picture, depending on the suffix."""
        network = self.board.network

        def write() -> None:
            if not network.n:
                raise BadInput(tr("there is no process to export; draw one first"))
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
        self.said.emit(tr("Saved as {file}.", file=path), False, "", None)
        return True
