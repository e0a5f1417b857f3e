"""The network editor: its build panel, drawing and properties, and the exchange of networks with the experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.toast import Toast
from lydian.app.look.theme import Theme
from lydian.app.network.board.board import Board
from lydian.app.network.board.boardview import BoardView
from lydian.app.network.board.canvas import EditorCanvas
from lydian.app.network.board.toolrow import TopRow
from lydian.app.network.board.tools import HINT, Desk, hint_of
from lydian.app.network.build import BuildPanel
from lydian.app.network.chip import Chip
from lydian.app.network.files import Files
from lydian.app.network.panes.properties import PropertiesPanel
from lydian.app.painters.drawing.board import scene_of
from lydian.app.painters.drawing.links import DrawnNetwork
from lydian.app.work.background import Background, Report
from lydian.desk.archivelist import ArchiveList
from lydian.desk.kept import drawing as keptdrawing
from lydian.desk.runs.session import Session
from lydian.desk.settings import Settings
from lydian.language import tr, trn
from lydian.model.archive.shelves import located
from lydian.model.editing.readiness import needs_of, readiness
from lydian.model.errors import LydianError
from lydian.model.experiment.assumptions import ALL
from lydian.model.experiment.traffic import Churn, Traffic
from lydian.model.layouts import placed
from lydian.model.network import Network, Timing, netfile

__all__ = ["HINT", "EditorWorkspace"]

#: How many milliseconds after an edit the drawing is kept.
KEEP = 1000
#: The initial widths of the three columns.
COLUMNS = (240, 945, 385)
#: A network without positions and with more processes than this is put on a circle instead of being laid out.
MOST_PLACED = 5_000
#: With more processes and links than this, the drawing is kept in a thread.
LARGE = 20_000


class _Deleted(Toast):
    """A message such as "Deleted link 4-9" at the foot of the drawing, until the next edit, Undo or a time limit."""

    def __init__(self, board: Board, theme: Theme, over: BoardView) -> None:
        super().__init__(
            theme, over, lambda: over.free().bottom(), tr("What was deleted"), tip=tr("Restore it (Ctrl+Z)")
        )
        self.board = board
        self._seen: tuple[object, int] = (board.document, board.document.at)
        board.changed.connect(self._changed)
        self.pressed.connect(lambda: self.board.document.undo())

    def _changed(self) -> None:
        document = self.board.document
        before, self._seen = self._seen, (document, document.at)
        told = self.board.announced.get(document.undo_text, "")
        if told and before[0] is document and document.at > before[1] and not document.redo_text:
            self.say(told)
        else:
            self.put_away()


class EditorWorkspace(QWidget):
    """The workspace in which the network of the session's experiment is drawn.

    The drawing becomes part of the experiment with :meth:`commit`. Until then it is kept beside the settings, so that
    a crash loses at most the last two seconds of work.
    """

    #: Emitted with a sentence, whether it is a problem, the label of a button and its action (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Emitted with a description of long work and the share that is done; a share of 1 ends it.
    working = Signal(str, float)
    #: Emitted when the drawn network should be run and shown.
    run_wanted = Signal()

    def __init__(
        self, session: Session, shelf: ArchiveList, settings: Settings, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("editor")
        self.setAcceptDrops(True)
        self.session, self.shelf, self.settings = session, shelf, settings
        self.board = Board(parent=self)
        self.files = Files(self.board, shelf, settings, self)
        self.canvas = EditorCanvas(self.board, theme)
        self.desk = Desk(self.board, self.canvas, theme)
        self.build = BuildPanel(self.board, theme, shelf=shelf)
        self.properties = PropertiesPanel(self.board, theme)
        self.chip = Chip(self.board, theme)
        self.top = TopRow(self.board, self.canvas, self.chip, theme)
        self._base = self.board.network
        self._seen: tuple[object, ...] = ()
        self._written: Network | None = None  # the drawing that the file holds, or will hold soon
        self._keeper = Background(self)
        self._keeper.failed.connect(self._not_kept)
        self._keeper.ended.connect(self._kept)
        self._keep = QTimer(self)
        self._keep.setSingleShot(True)
        self._keep.setInterval(KEEP)
        self._keep.timeout.connect(self.keep)
        self.toast = _Deleted(self.board, theme, self.canvas)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(5)
        for part in (self.build, self.desk, self.properties):
            frame = QFrame()
            frame.setObjectName("dockBody")
            down(part, on=frame, margins=1)
            self.splitter.addWidget(frame)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes(list(COLUMNS))
        down(across(self.top), (self.splitter, 1), on=self, spacing=5)

    def _connect(self) -> None:
        board, files = self.board, self.files
        board.said.connect(lambda sentence, problem: self.said.emit(sentence, problem, "", None))
        board.changed.connect(self._changed)
        files.said.connect(self.said)
        files.working.connect(self.working)
        files.leaving.connect(self._put_aside)
        files.prepare = self._prepare
        files.ready.connect(self._prepared)
        self.session.leaving.connect(self._put_aside)
        self.top.run_wanted.connect(self.run_wanted)
        self.build.import_wanted.connect(lambda: files.choose(add=True))
        self.build.export_wanted.connect(files.export)
        self.build.opened_wanted.connect(self.open)
        self.build.arranged.connect(self.canvas.animate_to)
        self.build.fit_wanted.connect(self.canvas.fit)
        self.build.snap_changed.connect(lambda on: setattr(self.canvas, "snap_grid", on))
        self.build.guides_changed.connect(lambda on: setattr(self.canvas, "snap_guides", on))
        self.canvas.failure_wanted.connect(lambda _what: self.properties.setFocus())
        self.canvas.opened.connect(lambda _what: self.properties.setFocus())
        self.properties.send_wanted.connect(self.canvas.send)

    # ------------------------------------------------------------------ the drawing and the experiment

    @property
    def changed(self) -> bool:
        """Whether the drawing differs from the experiment's network."""
        return self.board.network is not self._base and self.board.network != self._base

    @property
    def keep_file(self) -> Path:
        """The file in which an unfinished drawing is kept."""
        return self.settings.kept.place(keptdrawing.FILE)

    def sync(self) -> None:
        """Put the network of the session's experiment on the board unless it is there already."""
        experiment = self.session.experiment
        if experiment is None:
            self.chip.set_needs(())
            self._sync_trace()
            return
        place = experiment.path if experiment.path is not None else self.session.path
        needs = needs_of(self.shelf.source(experiment.protocol, place))
        meant = experiment.breaks
        self.chip.set_needs(each for each in needs if each.name not in meant and ALL not in meant)
        seen = self._seen_of(experiment.network, experiment.timing, place)
        if seen == self._seen:
            return
        try:
            network = self.shelf.network(experiment.network, place).with_timing(experiment.timing)
        except LydianError as error:
            self.said.emit(tr("The network of this experiment cannot be drawn: {reason}", reason=error), True, "", None)
            return
        file = self._file_of(experiment.network, place)
        self.load(network, file)
        self._seen = seen

    @staticmethod
    def _seen_of(network: object, timing: Timing, place: Path | None) -> tuple[object, ...]:
        """Return a key for the experiment's network; a name may mean another network in another folder."""
        return network, timing, place.parent if place is not None and isinstance(network, str) else None

    def _sync_trace(self) -> None:
        shown = self.session.shown
        if shown is None or not shown.trace.network or self._seen == (id(shown.trace),):
            return
        try:
            self.load(netfile.from_dict(dict(shown.trace.network)), None)
        except LydianError as error:
            self.said.emit(tr("The network of this run cannot be drawn: {reason}", reason=error), True, "", None)
        self._seen = (id(shown.trace),)

    def _file_of(self, ref: object, place: Path | None) -> Path | None:
        """Return the file of a network that is given by name, or ``None`` if there is none that can be saved to."""
        if not isinstance(ref, str) or ":" in ref:
            return None
        try:
            path = self.shelf.archive.find("networks", located(ref, "networks", place))
        except LydianError:
            return None
        return path if path.suffix == ".json" and path.is_file() else None

    def load(self, network: Network, path: Path | None) -> None:
        """Put a network on the board as the network of the experiment."""
        if network.n <= MOST_PLACED:
            network = placed(network)
        self.board.open(network, path, tr("Open {network}", network=network.name).strip())
        self._base = self.board.network
        self.canvas.fit()
        self._forget()

    def open(self, network: Network, path: Path | None = None) -> None:
        """Open another network in the editor; it becomes the experiment's network when it is run."""
        self._put_aside()
        text = tr("Open {network}", network=network.name)
        self.board.open(placed(network) if network.n <= MOST_PLACED else network, path, text)
        self.canvas.fit()

    def new(self) -> None:
        """Empty the board; Undo restores the old drawing."""
        empty = Network("Untitled", (), (), delay=self.board.network.delay)
        self.board.do(tr("New network"), lambda _network: empty)

    def commit(self) -> bool:
        """Make the drawing the network of the experiment; return False if it has no process."""
        self.board.show_ghost(None)
        if not self.changed:
            return True
        network = self.board.network
        if not network.n:
            self.said.emit(tr("There are no processes yet: double-click the board to add one."), True, "", None)
            return False
        text = tr("network {network}", network=network.name)
        self._base = network
        self._seen = self._seen_of(network, Timing(), None)
        self._forget()
        if self.session.experiment is None:
            experiment = self.shelf.archive.experiment("two-wings").with_(name=network.name, about="", path=None)
            bare = experiment.with_(timing=Timing(), faults=(), interventions=(), branches=())
            self.session.start(bare.with_(network=network))
        else:
            self.session.change(text, network=network, timing=Timing(), **self._still_there(network))
        return True

    def _still_there(self, network: Network) -> dict[str, Any]:
        """Return the changed parts of the experiment, without faults and commands that no longer fit; report those."""
        experiment = self.session.experiment
        assert experiment is not None
        parts: dict[str, Any] = {"branches": ()} if experiment.branches else {}
        gone = 0
        for name in ("faults", "workload", "interventions", "traffic", "churn"):
            old = getattr(experiment, name)
            left = tuple(each for each in old if _fits(each, network))
            if len(left) < len(old):
                parts[name], gone = left, gone + len(old) - len(left)
        if gone:
            sentence = trn(
                "Removed {count:,} fault or command for processes or links that no longer exist; "
                "Undo restores everything.",
                "Removed {count:,} faults or commands for processes or links that no longer exist; "
                "Undo restores everything.",
                gone,
            )
            self.said.emit(sentence, False, tr("Undo"), self.session.undo.undo)
        return parts

    # ------------------------------------------------------------------ keeping an unfinished drawing

    def _changed(self) -> None:
        if not self._keep.isActive():  # the drawing is kept even if edits follow each other without a pause
            self._keep.start()

    def keep(self, *, wait: bool = False) -> None:
        """Write the drawing to a file, so that a crash does not lose it; a large one in a thread unless ``wait``."""
        self._keep.stop()
        if self._keeper.busy:
            return  # `_kept` checks the drawing again afterwards
        if not self.changed or not self.board.network.n:
            self._forget()
            return
        network, path, file = self.board.network, self.board.document.path, self.keep_file
        if network is self._written:
            return
        self._written = network
        if network.n + network.m > LARGE and not wait:
            self._keeper.start(lambda report: keptdrawing.write(file, network, path, report))
            return
        try:
            keptdrawing.write(file, network, path)
        except (LydianError, OSError) as error:
            self._not_kept(str(error))

    def _kept(self) -> None:
        """Keep the drawing again if it was edited meanwhile, or became the network of the experiment."""
        if self.board.network is not self._written or not self.changed:
            self.keep()

    def _not_kept(self, why: str) -> None:
        self.said.emit(
            tr("The drawing cannot be kept for the next start of LYDIAN: {reason}", reason=why), True, "", None
        )

    def _forget(self) -> None:
        self._keep.stop()
        self._written = None
        try:
            self.keep_file.unlink(missing_ok=True)
        except OSError:
            pass

    def _put_aside(self) -> None:
        """Set the drawing aside, before another one replaces it, if it is in no experiment and no file."""
        network, path = self.board.network, self.board.document.path
        if not self.changed or not network.n or not self.board.document.modified:
            return
        try:
            file = keptdrawing.put_aside(network, self.settings.file.parent / "unsaved")
            words = tr("The drawing of {network} was not saved; it is kept in {file}.", network=network.name, file=file)
            problem = False
        except (LydianError, OSError) as error:
            words = tr(
                "The drawing of {network} was not saved and cannot be kept: {reason}",
                network=network.name,
                reason=error,
            )
            problem = True
        self.said.emit(words, problem, tr("Reopen"), lambda: self.go_on(network, path))

    def go_on(self, network: Network, path: Path | None, file: Path | None = None) -> None:
        """Resume an unfinished drawing, as a step in the history of the board.

        Args:
            network: the drawing.
            path: the file that the drawing came from, if any.
            file: the file in which another window kept the drawing; from now on it belongs to this window.
        """
        if file is not None:
            try:
                self.settings.kept.take(file)
            except OSError as error:
                self._not_kept(str(error))
        self.board.do(tr("Resume drawing {network}", network=network.name), lambda _network: network)
        self.board.document.path = path
        self.canvas.fit()

    # ------------------------------------------------------------------ large networks

    def _prepare(self, network: Network, report: Report) -> DrawnNetwork:
        """Compute in a thread what showing a network needs; the network caches most of it."""
        readiness(network, self.chip.needs)
        report(0.97)
        return scene_of(network, self.canvas.show_mode, diameter=self.canvas.theme.diameter)

    def _prepared(self, scene: DrawnNetwork) -> None:
        self.canvas.prepared = scene

    def close_all(self) -> None:
        """Keep the drawing and end every thread and timer."""
        self._keeper.close()
        self._written = None
        self.keep(wait=True)
        self._keep.stop()
        self.toast.put_away()
        self.files.close()
        for part in (self.canvas, self.build, self.properties):
            close = getattr(part, "close_all", None)
            if close is not None:
                close()

    # ------------------------------------------------------------------ looks and drops

    @property
    def hint(self) -> str:
        """A sentence about the current tool."""
        return hint_of(self.board.tool)

    @property
    def panes(self) -> list[QWidget]:
        """The parts from left to right."""
        return [self.top, self.build, self.canvas, self.properties]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls():
            if url.isLocalFile():
                event.acceptProposedAction()
                self.files.open(Path(url.toLocalFile()))
                break


def _fits(intervention: Any, network: Network) -> bool:
    """Return True if the network has the processes and the link named by an intervention, traffic or churn."""
    if isinstance(intervention, Traffic | Churn):
        some = intervention.processes
        return isinstance(some, str) or all(name in network.index for name in some)
    if intervention.process is not None and intervention.process not in network.index:
        return False
    link = intervention.link
    return link is None or network.link_between(*link) is not None or network.link_between(*reversed(link)) is not None
