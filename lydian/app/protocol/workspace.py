"""The workspace Protocol: steps, diagram and reference at the left, code over table, the moment at the right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTabWidget, QWidget

from lydian.app.kit.bar import OfferBar
from lydian.app.kit.theming import set_theme_of
from lydian.app.look.theme import Theme
from lydian.app.panels.guidetext import Place
from lydian.app.panels.help import HelpPanel
from lydian.app.protocol.cells import CellTable
from lydian.app.protocol.codeedit import CodeEditor
from lydian.app.protocol.columns import Titled, connect, put_together
from lydian.app.protocol.compare import CompareView
from lydian.app.protocol.diagrampane import DiagramPane
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.failing import MomentPane
from lydian.app.protocol.files import ProtocolFiles
from lydian.app.protocol.keeptest import KeptPane
from lydian.app.protocol.offers import Offering
from lydian.app.protocol.printed import PrintedPane
from lydian.app.protocol.propertypanel import PropertyPanel
from lydian.app.protocol.running import ProtocolRuns
from lydian.app.protocol.severalruns import ResultStrip
from lydian.app.protocol.side import ReferencePane, StepsRow, steps_done
from lydian.app.protocol.strip import BottomStrip
from lydian.app.protocol.toprow import ProtocolRow
from lydian.app.protocol.widerchecks import Further
from lydian.desk.archivelist import ArchiveList
from lydian.desk.session import Session
from lydian.desk.settings import Settings
from lydian.model.authoring import Problem
from lydian.model.authoring.cannot import open_cells
from lydian.model.protocolfolder import is_folder
from lydian.views.words.words import plural

if TYPE_CHECKING:
    from lydian.app.protocol.newpage import NewProtocolPage

__all__ = ["ProtocolWorkspace"]

#: Width in pixels from which on a page of the guide can be read.
READABLE = 380


class ProtocolWorkspace(QWidget):
    """Writes a protocol, runs it, and shows where it failed.

    Attributes:
        document: the text on the desk.
        files, runs: its file, and what runs of it did.
        code, table, diagram: three views of the text.
        moment, kept, printed: at the right, what is known of a failed run, the runs that were kept, and what the
            latest run printed.
    """

    pages: QStackedWidget
    tabs: QTabWidget
    right: QTabWidget
    splitter: QSplitter
    left: QSplitter
    middle: QSplitter
    table_dock: Titled
    diagram_dock: Titled

    #: A sentence, whether it is a problem, what a button says, and what it does (``None``: no button).
    said = Signal(str, bool, str, object)
    #: The latest run is to be watched in the Run workspace.
    watch_wanted = Signal()
    #: Something about a failure: one of :data:`lydian.app.protocol.failing.BUTTONS` that the window does.
    deed_wanted = Signal(str)
    #: This event of the latest run is to be shown in the Run workspace.
    event_wanted = Signal(int)
    #: The network that the experiment is to run on, by name.
    network_wanted = Signal(str)
    #: Another experiment is to be run and watched.
    experiment_wanted = Signal(object)
    #: The guide's page on this word.
    help_wanted = Signal(str)
    #: A breakpoint at this line.
    break_wanted = Signal(int)
    #: Larger (1) or smaller (-1) text in the whole program.
    zoom_wanted = Signal(int)

    def __init__(
        self, session: Session, shelf: ArchiveList, settings: Settings, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("protocol")
        self.setAcceptDrops(True)
        self.session, self.shelf, self.settings, self.theme = session, shelf, settings, theme
        self.document = ProtocolDocument(parent=self)
        self.files = ProtocolFiles(self.document, shelf, settings, self)
        self.runs = ProtocolRuns(self.document, self.files, session, shelf, self)
        self._seen: Path | None = None  # the experiment's protocol when it was last looked at
        self._ran_well = False
        self.page: NewProtocolPage | None = None
        self.help: HelpPanel | None = None
        self._make()
        self.offering = Offering(self)
        put_together(self)
        connect(self)
        self.follow_text()

    def _make(self) -> None:
        document, theme = self.document, self.theme
        self.top = ProtocolRow(document, theme)
        self.steps = StepsRow(theme)
        self.diagram = DiagramPane(document, theme)
        self.reference = ReferencePane(self.shelf, theme)
        self.code = CodeEditor(document, theme)
        self.table = CellTable(document, theme)
        self.properties = PropertyPanel(document, theme)
        self.results = ResultStrip(theme)
        self.further = Further(self)
        self.strip = BottomStrip(theme)
        self.moment = MomentPane(theme)
        self.kept = KeptPane(theme)
        self.printed = PrintedPane(theme)
        self.compare = CompareView(theme)
        self.bar = OfferBar("What can be done about the text", theme)
        self.failed_bar = OfferBar("Why the run failed", theme)

    # ------------------------------------------------------------------ what is on the desk

    def sync(self) -> None:
        """Put the experiment's protocol on the desk, unless something unsaved lies there or another one was chosen."""
        path = self.runs.path_of(self.session.experiment)
        empty = self.document.path is None and not self.document.source.strip()
        if path is not None and (empty or (path != self._seen and not self.document.modified)):
            self.files.open(path)
            shown = self.session.shown
            if shown is not None and self.runs.run is None:
                self.runs.look(shown)
        self._seen = path
        self.show_experiment()

    def show_experiment(self) -> None:
        """Say which network it runs on."""
        experiment = self.session.experiment
        if experiment is None:
            self.top.show_network("two-wings", 0, self._networks)
            return
        network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
        self.top.show_network(network or "as drawn", experiment.seed, self._networks)

    def _networks(self) -> list[str]:
        return [name for name, _about in self.shelf.networks()]

    def opened(self) -> None:
        """Another text: nothing is known of its runs."""
        self.forget_run()
        self.bar.hide()
        self.drop_compare()
        self.pages.setCurrentIndex(0)
        self.kept.load(self.document.path)
        self.offering.greet()
        self.follow_text()
        self.code.go_to_line(1, flash=False)

    def forget_run(self) -> None:
        """Nothing is known of runs of this text."""
        self.runs.forget()
        self._ran_well = False
        self.moment.show_none()
        self.show_printed()
        self.failed_bar.hide()
        self.top.show_chip("failure", "")

    def follow_text(self) -> None:
        """The text was read again."""
        self.strip.show_problems(self.document.problems)
        self.steps.show_done(steps_done(self.document, self._ran_well))
        self.show_file()

    def show_file(self) -> None:
        """Say which file it is, and whether it holds the text."""
        document = self.document
        self.tabs.setTabText(0, document.name)
        self.strip.show_state(not document.modified, document.read_only, document.path is not None)

    def show_open(self, count: int) -> None:
        """Say how many cells are open."""
        words = f"{plural(count, 'cell')} open" if count else ""
        self.top.show_chip("open", words, "Nothing was chosen for them yet; the run stops there if it comes to that")

    def insert(self, text: str) -> None:
        """Write something where the cursor is; ``|`` is where it goes then."""
        before, _bar, after = text.partition("|")
        cursor = self.code.text.textCursor()
        cursor.beginEditBlock()
        cursor.insertText(before + after)
        cursor.endEditBlock()
        cursor.movePosition(cursor.MoveOperation.Left, cursor.MoveMode.MoveAnchor, len(after))
        self.code.text.setTextCursor(cursor)
        self.code.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------------ a new one

    def new(self) -> None:
        """Ask three questions on a page; what was answered there stays."""
        if self.page is None:
            from lydian.app.protocol.newpage import NewProtocolPage

            self.page = NewProtocolPage(self.theme, taken=lambda: self.shelf.archive.names("protocols"))
            self.page.created.connect(self._created)
            self.page.cancelled.connect(self._leave_page)
            self.pages.addWidget(self.page)
        self.pages.setCurrentWidget(self.page)
        self.page.begin()

    def _created(self, source: str, name: str) -> None:
        good = self.files.new(source, f"{name.lower()}.py")
        if not good and self.document.source != source:
            return  # what is on the desk cannot go: what was chosen stays, too
        if self.page is not None:
            self.page.reset()
        if good:
            self.bar.say(
                f"{self.document.name} is yours and runs already. Every cell of the table is a function of the text: "
                "change either, and press F5.",
                ("Run", self.run),
            )
        self._leave_page()

    def _leave_page(self) -> None:
        self.pages.setCurrentIndex(0)
        self.code.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_to(self, line: int) -> None:
        """Show a line of the code, and put the cursor there."""
        self.pages.setCurrentIndex(0)
        self.tabs.setCurrentIndex(0)
        self.code.go_to_line(line)

    def show_problem(self, problem: Problem) -> None:
        """Go to something that is wrong with the text."""
        self.pages.setCurrentIndex(0)
        self.tabs.setCurrentIndex(0)
        self.code.go_to_problem(problem)

    def next_problem(self) -> None:
        """To the next thing that is wrong below the cursor, then again from the top."""
        problems = self.document.problems
        if not problems:
            self.say("Nothing is wrong with the text.")
            return
        line = self.code.line
        self.show_problem(next((each for each in problems if each.line > line), problems[0]))

    # ------------------------------------------------------------------ running

    def run(self) -> bool:
        """Save, check, run and play; where it fails, that is shown here."""
        self.failed_bar.hide()
        self.bar.done("Run")
        if self.runs.start():
            return True
        if not self.runs.is_of_this_text:  # what is said of it is no answer to what stands there now
            self.forget_run()
            self.follow_text()
        return False

    def run_three(self) -> None:
        """Run on three networks that differ."""
        attempts = self.runs.three()
        if attempts:
            self.results.start(attempts)

    def three_over(self) -> None:
        """The runs on three networks are over."""
        attempts = self.results.runs.attempts
        self._ran_well = bool(attempts) and all(each.good for each in attempts)
        self.runs.take_several(attempts)
        self.follow_text()

    def show_printed(self) -> None:
        """Show what the latest run has printed, and how much in the title of the tab."""
        self.printed.show_run(self.runs.timeline)
        lines = len(self.printed.lines)
        self.right.setTabText(self.right.indexOf(self.printed), f"Printed ({lines:,})" if lines else "Printed")

    def run_is_over(self, failed: bool) -> None:
        """A run of the text is over."""
        self.show_printed()
        self.offering.run_is_over(failed)
        self.follow_text()

    # ------------------------------------------------------------------ what can be done

    def deed(self, name: str) -> None:
        """A button beside the moment was pressed."""
        if name == "message":
            self.moment.toggle_python()
        elif name == "again":
            self.run()
        elif name == "keep":
            self.keep()
        else:
            self.deed_wanted.emit(name)

    def keep(self) -> None:
        """Write the latest run down as a test."""
        if self.runs.keep() is not None:
            self.kept.load(self.document.path)
            self.right.setCurrentWidget(self.kept)

    def run_kept(self) -> None:
        """Run all kept runs."""
        if self.document.modified and not self.files.save():
            return
        self.kept.load(self.document.path)
        self.right.setCurrentWidget(self.kept)
        self.kept.run()

    def chip(self, name: str) -> None:
        """A chip was pressed: go to what it tells."""
        if name == "failure" and self.runs.failure is not None:
            self.offering.show_failure(self.runs.failure)
        elif name == "open":
            self.go_to_open()

    def go_to_open(self) -> None:
        """To the first cell for which nothing was chosen yet."""
        look, still = self.table.look, open_cells(self.document.draft)
        for state in look.states:
            for event in look.events:
                if (state.name, event.name) in still:
                    self.table.select(state.name, event.name)
                    self.table.grid.setFocus(Qt.FocusReason.OtherFocusReason)
                    return

    def step(self, name: str) -> None:
        """A step was clicked: go to where it is done."""
        outline = self.document.outline
        if name == "runs":
            self.run_three()
        elif name == "table":
            self.table.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        elif name == "code":
            self.go_to(min((c.line for c in outline.cells.values() if c.line), default=outline.line or 1))
        else:
            things = outline.states if name == "states" else (*outline.messages, *outline.timers)
            self.go_to(min((each.line for each in things if each.line), default=1))

    # ------------------------------------------------------------------ comparing

    def show_compare(self, old: str, new: str, old_name: str, new_name: str) -> None:
        """Show what became of a text, in a tab beside the code."""
        set_theme_of(self.compare, self.theme)
        self.compare.show_texts(old, new, old_name, new_name)
        if self.tabs.indexOf(self.compare) < 0:
            self.tabs.addTab(self.compare, "Comparison")
        self.tabs.setCurrentWidget(self.compare)

    def drop_compare(self) -> None:
        """The comparison is over."""
        at = self.tabs.indexOf(self.compare)
        if at >= 0:
            self.tabs.removeTab(at)

    # ------------------------------------------------------------------ help

    def show_help(self, place: Place, follow: Callable[[str, str], object]) -> None:
        """A page of the guide beside the code; ``follow`` does what its links say."""
        if self.help is None:
            self.help = HelpPanel(self.theme)
            self.help.page.asked.connect(follow)
            self.right.addTab(self.help, "Help")
        self.right.setCurrentWidget(self.help)
        left, centre, right = self.splitter.sizes()
        if right < READABLE:
            self.splitter.setSizes([left, centre + right - READABLE, READABLE])
        self.help.open(place)

    # ------------------------------------------------------------------ looks, drops, the end

    @property
    def panes(self) -> list[QWidget]:
        """The parts that F6 goes through."""
        if self.page is not None and self.pages.currentWidget() is self.page:
            return [self.page]
        return [self.top, self.diagram, self.reference, self.code, self.table, self.right]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if any(file.endswith(".py") or is_folder(Path(file)) for file in files):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls():
            if url.isLocalFile():
                event.acceptProposedAction()
                self.files.open(Path(url.toLocalFile()))
                break

    def say(self, sentence: str, problem: bool = False) -> None:
        """Say something."""
        self.said.emit(sentence, problem, "", None)

    def close_all(self) -> None:
        """Keep what is typed; leave no simulator, timer or listener."""
        self.files.close()
        self.document.close()
        for part in (self.results, self.kept, self.moment, self.further, self.code, self.table, self.diagram):
            close = getattr(part, "close_all", None)
            if close is not None:
                close()
