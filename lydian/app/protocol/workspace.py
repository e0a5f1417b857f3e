"""The Protocol workspace: steps, diagram and reference on the left, code above the table, the failure on the right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMenu,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)

from lydian.app.kit.bar import OfferBar
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_theme_of
from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.panels.experiment.card import Parts
from lydian.app.panels.help.help import HelpPanel
from lydian.app.protocol.checking.failing import MomentPane
from lydian.app.protocol.checking.keeptest import KeptPane
from lydian.app.protocol.checking.printed import PrintedPane
from lydian.app.protocol.checking.propertypanel import PropertyPanel
from lydian.app.protocol.checking.running import ProtocolRuns
from lydian.app.protocol.checking.severalruns import ResultStrip
from lydian.app.protocol.checking.widerchecks import Further
from lydian.app.protocol.code.codeedit import CodeEditor
from lydian.app.protocol.compare import CompareView
from lydian.app.protocol.document import ProtocolDocument
from lydian.app.protocol.files import ProtocolFiles
from lydian.app.protocol.side import ReferencePane, StepsRow, steps_done
from lydian.app.protocol.strip import BottomStrip
from lydian.app.protocol.table.cells import CellTable
from lydian.app.protocol.table.diagrampane import DiagramPane
from lydian.app.protocol.toprow import ProtocolRow, shorter
from lydian.authoring.cannot import choose_cell, open_cells
from lydian.authoring.cellcounts import never_ran
from lydian.authoring.failing import Failure
from lydian.desk.archivelist import ArchiveList
from lydian.desk.guide.pages import Place
from lydian.desk.runs.session import Session
from lydian.desk.settings import Settings
from lydian.language import tr, trc, trn
from lydian.model.errors import LydianError
from lydian.model.protocol.folder import file_lines, is_folder, read_source
from lydian.model.source.text import Problem
from lydian.pieces.animation import animation_for
from lydian.views.time.axis import remember
from lydian.views.words.words import joined

if TYPE_CHECKING:
    from lydian.app.protocol.table.newpage import NewProtocolPage

__all__ = ["ProtocolWorkspace"]

#: The largest number of cells that never ran and are listed by name.
NAMED = 3
#: The least width in pixels at which a page of the guide can be read.
READABLE = 380


#: The initial widths of the three columns, and the heights in the left and the middle one.
COLUMNS = (290, 740, 345)
LEFT_ROWS, MIDDLE_ROWS = (330, 260), (400, 250)


class Titled(QFrame):
    """A widget with an icon, a title and a note above it."""

    def __init__(self, theme: Theme, sign: str, name: str, note: str, widget: QWidget) -> None:
        super().__init__()
        self.sign, self.name, self.note = QLabel(), QLabel(name), Parts(note)
        set_look(self.sign, theme, icon=sign, ink="text.secondary")
        set_look(self.note, theme, font="small")
        self.name.setObjectName("dockName")
        self.note.setObjectName("dockNote")
        head = QFrame()
        head.setObjectName("dockTitle")
        across(self.sign, self.name, (self.note, 1), on=head, margins=(12, 4, 8, 4), spacing=8)
        body = QFrame()
        body.setObjectName("dockBody")
        down(widget, on=body, margins=(1, 0, 1, 1), spacing=0)
        down(head, (body, 1), on=self, spacing=0)


class ProtocolWorkspace(QWidget):
    """The workspace in which a protocol is written and run, and its failures are shown.

    Attributes:
        document: the open text.
        files, runs: its file, and its runs.
        code, table, diagram: three views of the text.
        moment, kept, printed: the panes on the right with the failure of a run, the kept runs, and the output of the
            latest run.
    """

    #: Emitted with a sentence, whether it is a problem, the label of a button and its action (``None``: no button).
    said = Signal(str, bool, str, object)
    #: Emitted when the latest run should be shown in the Run workspace.
    watch_wanted = Signal()
    #: Emitted with one of :data:`lydian.app.protocol.checking.failing.BUTTONS` that the window handles.
    deed_wanted = Signal(str)
    #: Emitted with an event of the latest run that should be shown in the Run workspace.
    event_wanted = Signal(int)
    #: Emitted with the name of the network on which the experiment should run.
    network_wanted = Signal(str)
    #: Emitted with another experiment that should be run and shown.
    experiment_wanted = Signal(object)
    #: Emitted with a word whose page in the guide should be shown.
    help_wanted = Signal(str)
    #: Emitted with a line for a breakpoint.
    break_wanted = Signal(int)
    #: Emitted when text should be larger (1) or smaller (-1) in the whole program.
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
        self._seen: Path | None = None  # the experiment's protocol at the last check
        self._ran_well = False
        self.page: NewProtocolPage | None = None
        self.help: HelpPanel | None = None
        self.file_actions: list[QAction] = []  # the menu of the name in the row at the top
        self._make()
        self._put_together()
        self._connect()
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
        self.further = Further(document, self.runs, self.session, self.shelf, theme, self)
        self.strip = BottomStrip(theme)
        self.moment = MomentPane(theme)
        self.kept = KeptPane(theme)
        self.printed = PrintedPane(theme)
        self.compare = CompareView(theme)
        self.bar = OfferBar(tr("Choices for the text"), theme)
        self.failed_bar = OfferBar(tr("Why the run failed"), theme)

    def _put_together(self) -> None:
        """Lay out the parts of the workspace."""
        upper = self._middle()
        left, right = self._left(), self._right()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        centre = QWidget()
        down((upper, 1), self.results, self.further.strip, on=centre, spacing=5)
        for part in (left, centre, right):
            self.splitter.addWidget(part)
        for each in (self.splitter, self.left, self.middle):
            each.setChildrenCollapsible(False)
            each.setHandleWidth(5)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes(list(COLUMNS))
        desk = QWidget()
        down(self.top, (self.splitter, 1), self.strip.list, on=desk, spacing=5)
        self.pages = QStackedWidget()
        self.pages.addWidget(desk)
        down(self.pages, on=self, spacing=0)

    def _middle(self) -> QWidget:
        self.tabs = _tabs(tr("Texts"))
        self.tabs.setObjectName("codeTabs")
        self.tabs.addTab(self.code, self.document.name)
        self.tabs.tabBar().setAutoHide(True)
        self.table_dock = Titled(
            self.theme, "table", tr("Transition table"), tr("state × event, with the number of executions"), self.table
        )
        self.middle = QSplitter(Qt.Orientation.Vertical)
        self.middle.addWidget(_framed(self.bar, self.failed_bar, self.tabs))
        self.middle.addWidget(self.table_dock)
        self.middle.setStretchFactor(0, 1)
        self.middle.setSizes(list(MIDDLE_ROWS))
        return self.middle

    def _left(self) -> QWidget:
        self.diagram_dock = Titled(self.theme, "branch", tr("States"), tr("drawn from the text"), self.diagram)
        self.left = QSplitter(Qt.Orientation.Vertical)
        self.left.addWidget(self.diagram_dock)
        self.left.addWidget(_framed(self.reference))
        self.left.setSizes(list(LEFT_ROWS))
        left = QWidget()
        down(self.steps, (self.left, 1), on=left, spacing=5)
        return left

    def _right(self) -> QWidget:
        self.right = _tabs(tr("The failure, properties, kept runs and output"))
        self.right.setObjectName("besideCode")
        self.right.addTab(self.moment, tr("Failure"))
        self.right.addTab(self.properties, tr("Properties"))
        self.right.addTab(self.kept, tr("Kept runs"))
        self.right.addTab(self.printed, tr("Output"))
        return _framed(self.right)

    def _connect(self) -> None:
        """Connect the signals of the parts of the workspace."""
        document, files, runs = self.document, self.files, self.runs
        for signal in (self.further.experiment_wanted, self.kept.wanted):
            signal.connect(self.experiment_wanted)
        self.further.said.connect(self.say)
        self.further.kept.connect(self._show_kept)
        document.read.connect(self.follow_text)
        document.moved.connect(self.show_file)
        document.said.connect(self.say)
        files.said.connect(self.said)
        files.opened.connect(self.opened)
        files.copied.connect(self._copied)
        files.conflict.connect(self._conflict)
        files.reloaded.connect(self._reloaded)
        files.written.connect(lambda: self.kept.load(document.path))
        runs.said.connect(self.say)
        runs.over.connect(self.run_is_over)
        runs.watch_wanted.connect(self.watch_wanted)
        runs.hindered.connect(self.show_problem)
        self.top.run_wanted.connect(self.run)
        self.top.three_wanted.connect(self.run_three)
        self.top.network_wanted.connect(self.network_wanted)
        self.top.menu_of = self._fill_menu
        self.top.chip_wanted.connect(self.chip)
        self.top.renamed.connect(files.rename)
        self.steps.wanted.connect(self.step)
        self.reference.insert_wanted.connect(self.insert)
        self.reference.open_wanted.connect(files.open)
        self.results.wanted.connect(lambda attempt: self.experiment_wanted.emit(attempt.experiment))
        self.results.runs.ended.connect(self.three_over)
        self.strip.wanted.connect(self.show_problem)
        self.moment.line_wanted.connect(self.go_to)
        self.moment.wanted.connect(self.deed)
        self.kept.said.connect(self.say)
        self.printed.event_wanted.connect(self.event_wanted)
        self.table.jump_wanted.connect(self.go_to)
        self.table.cell_hovered.connect(self.diagram.highlight)
        self.diagram.cell_hovered.connect(self.table.highlight)
        self.diagram.cell_picked.connect(self.table.select)
        self.properties.jump_wanted.connect(self.go_to)
        self.table.open_changed.connect(self.show_open)
        self.diagram.jump_wanted.connect(self.go_to)
        self.session.experiment_changed.connect(self.show_experiment)
        self.code.placed.connect(self.strip.show_place)
        self.code.copy_wanted.connect(files.make_copy)
        self.code.help_wanted.connect(self.help_wanted)
        self.code.break_wanted.connect(self.break_wanted)
        self.code.zoom_wanted.connect(self.zoom_wanted)
        self.code.moment_wanted.connect(lambda _seq: self.deed_wanted.emit("show"))

    # ------------------------------------------------------------------ the open protocol

    def sync(self) -> None:
        """Open the experiment's protocol, unless the current text is unsaved or another protocol was chosen."""
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
        """Show the network on which the experiment runs."""
        experiment = self.session.experiment
        if experiment is None:
            self.top.show_network("two-wings", 0, self._networks)
            return
        network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
        self.top.show_network(network or tr("as drawn"), experiment.seed, self._networks)

    def _networks(self) -> list[str]:
        return [name for name, _about in self.shelf.networks()]

    def opened(self) -> None:
        """Reset the workspace for another text, without results of runs."""
        self.forget_run()
        self.bar.hide()
        self.drop_compare()
        self.further.strip.leave()
        self.leave_schedules()
        self.pages.setCurrentIndex(0)
        self.kept.load(self.document.path)
        self.greet()
        self.follow_text()
        self.code.go_to_line(1, flash=False)

    def forget_run(self) -> None:
        """Discard the results of runs of this text."""
        self.runs.forget()
        self._ran_well = False
        self.moment.show_none()
        self.show_printed()
        self.failed_bar.hide()
        self.top.show_chip("failure", "")

    def follow_text(self) -> None:
        """Update the workspace after the text was read again."""
        self.strip.show_problems(self.document.problems)
        self.steps.show_done(steps_done(self.document, self._ran_well))
        self.show_file()

    def show_file(self) -> None:
        """Show the name of the file and whether the text is saved."""
        document = self.document
        self.tabs.setTabText(0, document.name)
        self.strip.show_state(not document.modified, document.read_only, document.path is not None)

    def show_open(self, count: int) -> None:
        """Show how many cells are open."""
        words = trn("{count:,} cell open", "{count:,} cells open", count) if count else ""
        self.top.show_chip("open", words, tr("These cells have no action yet; a run that needs one stops there"))

    def insert(self, text: str) -> None:
        """Insert a text at the cursor; ``|`` marks the new place of the cursor."""
        before, _bar, after = text.partition("|")
        cursor = self.code.text.textCursor()
        cursor.beginEditBlock()
        cursor.insertText(before + after)
        cursor.endEditBlock()
        cursor.movePosition(cursor.MoveOperation.Left, cursor.MoveMode.MoveAnchor, len(after))
        self.code.text.setTextCursor(cursor)
        self.code.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------------ files that change

    def greet(self) -> None:
        """Show a notice if the protocol belongs to the library."""
        if self.document.read_only:
            words = tr(
                "{file} belongs to the library. If you change it, LYDIAN makes a copy for you.", file=self.document.name
            )
            self.bar.say(words, (tr("Make a copy"), self.files.make_copy))
        elif self.files.original is None and self.bar.text:
            self.bar.say("")

    def _copied(self, original: Path) -> None:
        where = self.document.path.parent if self.document.path is not None else ""
        self.bar.say(
            tr(
                "This is your copy, {file} in {folder}; the library's protocol is unchanged.",
                file=self.document.name,
                folder=where,
            ),
            (tr("Compare"), self.compare_original),
            (tr("Open the original"), lambda: self.files.open(original)),
        )

    def compare_original(self) -> None:
        """Compare a copy with its original, or the text with its saved file."""
        document, original = self.document, self.files.original
        path = original if original is not None else document.path
        if path is None:
            self.say(tr("There is nothing to compare the text with: it has no file yet."))
            return
        try:
            before = read_source(path)
        except LydianError as error:
            self.say(str(error), True)
            return
        name = (
            tr("the library's {file}", file=path.name)
            if original is not None
            else tr("{file} as it was saved", file=path.name)
        )
        self.show_compare(before, document.source, name, trc("the text of the user in a comparison", "yours"))

    def _conflict(self, theirs: str) -> None:
        name = self.document.name

        whose = (
            trc("the text of another program in a comparison", "theirs"),
            trc("the text of the user in a comparison", "mine"),
        )

        def mine() -> None:
            self.bar.hide()
            self.drop_compare()
            if self.files.keep_mine(theirs):
                self.say(tr("Your text is saved; the other one is kept in the folder “unsaved” beside the settings."))

        def take() -> None:
            self.bar.hide()
            self.drop_compare()
            self.files.take(theirs)

        self.bar.say(
            tr(
                "{file} was also changed by another program. Neither text will be lost: Undo restores yours.", file=name
            ),
            (tr("Keep mine"), mine),
            (tr("Use the file"), take),
            (tr("Compare"), lambda: self.show_compare(theirs, self.document.source, *whose)),
            problem=True,
            closes=False,
        )

    def _reloaded(self) -> None:
        self.bar.hide()
        self.say(tr("{file} was changed by another program and has been read again.", file=self.document.name))
        if self.run_when_saved:
            self.run()

    @property
    def run_when_saved(self) -> bool:
        """Whether the protocol is run whenever another editor saves it."""
        return bool(self.settings.record("protocol").get("run_when_saved", False))

    def set_run_when_saved(self, on: bool) -> None:
        """Set whether the protocol is run whenever another editor saves it."""
        settings = self.settings
        settings.set_record("protocol", {**settings.record("protocol"), "run_when_saved": on})

    def _fill_menu(self, menu: QMenu) -> None:
        for action in self.file_actions:
            menu.addAction(action)
        files = file_lines(self.document.source)
        if files:
            menu.addSection(tr("Files of this protocol"))
        for name, line in files.items():
            action = menu.addAction(name)
            action.triggered.connect(lambda _on=False, line=line: self.code.go_to_line(line))
        recent = [path for path in self.files.recent() if path != self.document.path]
        if recent:
            menu.addSection(tr("Recent"))
        for path in recent:
            action = menu.addAction(shorter(path))
            action.setToolTip(str(path))
            action.triggered.connect(lambda _on=False, path=path: self.files.open(path))

    # ------------------------------------------------------------------ a new protocol

    def new(self) -> None:
        """Open the page with three questions; earlier answers are kept."""
        if self.page is None:
            from lydian.app.protocol.table.newpage import NewProtocolPage

            self.page = NewProtocolPage(self.theme, taken=lambda: self.shelf.archive.names("protocols"))
            self.page.created.connect(self._created)
            self.page.cancelled.connect(self._leave_page)
            self.pages.addWidget(self.page)
        self.pages.setCurrentWidget(self.page)
        self.page.begin()

    def _created(self, source: str, name: str) -> None:
        good = self.files.new(source, f"{name.lower()}.py")
        if not good and self.document.source != source:
            return  # the open text could not be set aside, so the answers are kept
        if self.page is not None:
            self.page.reset()
        if good:
            self.bar.say(
                tr(
                    "{file} is ready to run. Every cell of the table is a function in the text: change either "
                    "and press F5.",
                    file=self.document.name,
                ),
                (trc("button", "Run"), self.run),
            )
        self._leave_page()

    def _leave_page(self) -> None:
        self.pages.setCurrentIndex(0)
        self.code.setFocus(Qt.FocusReason.OtherFocusReason)

    def go_to(self, line: int) -> None:
        """Show a line of the code and put the cursor there."""
        self.pages.setCurrentIndex(0)
        self.tabs.setCurrentIndex(0)
        self.code.go_to_line(line)

    def show_problem(self, problem: Problem) -> None:
        """Go to a problem of the text."""
        self.pages.setCurrentIndex(0)
        self.tabs.setCurrentIndex(0)
        self.code.go_to_problem(problem)

    def next_problem(self) -> None:
        """Go to the next problem below the cursor, or else to the first."""
        problems = self.document.problems
        if not problems:
            self.say(tr("The text has no problems."))
            return
        line = self.code.line
        self.show_problem(next((each for each in problems if each.line > line), problems[0]))

    # ------------------------------------------------------------------ running

    def run(self) -> bool:
        """Save, check, run and play the protocol; show where it fails."""
        self.failed_bar.hide()
        self.bar.done(trc("button", "Run"))
        if self.runs.start():
            return True
        if not self.runs.is_of_this_text:  # results of an earlier text do not apply to this one
            self.forget_run()
            self.follow_text()
        return False

    def run_three(self) -> None:
        """Run the protocol on three different networks."""
        attempts = self.runs.three()
        if attempts:
            self.results.start(attempts)

    def three_over(self) -> None:
        """Update the workspace after the runs on three networks."""
        attempts = self.results.runs.attempts
        self._ran_well = bool(attempts) and all(each.good for each in attempts)
        self.runs.take_several(attempts)
        self.follow_text()

    def show_printed(self) -> None:
        """Show the output of the latest run, with its number of lines in the title of the tab."""
        self.printed.show_run(self.runs.timeline)
        lines = len(self.printed.lines)
        self.right.setTabText(
            self.right.indexOf(self.printed), tr("Output ({count:,})", count=lines) if lines else tr("Output")
        )

    def run_is_over(self, failed: bool) -> None:
        """Update the workspace after a run of the text."""
        self.show_printed()
        if failed and self.runs.failure is not None:
            self.show_failure(self.runs.failure)
        else:
            self.top.show_chip("failure", "")
            self.failed_bar.hide()
            self._offer_others()
            self.say_never_ran()
        self.follow_text()

    def say_never_ran(self) -> None:
        """List the cells that never ran."""
        counts, run = self.document.counts, self.runs.run
        missing = never_ran(self.document.outline, counts) if counts else ()
        if not missing or run is None:
            self.moment.show_none(
                tr("Every cell of the table ran.")
                if counts
                else tr("When a run fails, the network at that moment is shown here.")
            )
            return
        parts = [tr("{event} in {state}", event=event, state=state) for state, event in missing[:NAMED]]
        named, more = joined(parts), len(missing) - NAMED
        if more > 0:
            named = tr("{cells} and {count} more", cells=named, count=more)
        self.moment.show_none(
            trn("{count:,} cell never ran: {cells}.", "{count:,} cells never ran: {cells}.", len(missing), cells=named)
            + "\n\n"
            + tr("Try another network: press Three networks above, or choose one in the list beside Run.")
        )

    def show_failure(self, failure: Failure) -> None:
        """Show where and how a run failed: the line, the network at that moment, and the events before."""
        runs = self.runs
        timeline, run = runs.timeline, runs.run
        if timeline is None or run is None:
            return
        animation = remember(timeline, "animation", lambda: animation_for(timeline.trace))
        experiment = run.experiment
        where = ""
        if experiment is not None:
            network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
            where = tr("seed {seed}, {network}", seed=experiment.seed, network=network)
        self.right.setCurrentWidget(self.moment)
        self.moment.show_failure(timeline, animation, failure, where, run.problem or "")
        self.top.show_chip("failure", tr("Error at time {time:.2f}", time=failure.time), failure.sentence)
        if failure.open:
            self._offer_cell(failure)
            self.table.select(*failure.cell)
        else:
            self.failed_bar.hide()
        if failure.line:
            self.go_to(failure.line)

    def _offer_cell(self, failure: Failure) -> None:
        """Offer to fill the open cell at which the run failed."""
        state, event = failure.cell

        def fill(kind: str) -> None:
            self.fill_cell(state, event, kind)

        self.failed_bar.say(
            failure.sentence,
            (tr("Write an action"), lambda: fill("action")),
            (tr("Ignore it"), lambda: fill("ignore")),
            problem=True,
        )

    def fill_cell(self, state: str, event: str, kind: str) -> None:
        """Fill the cell of a state and an event, in one step of the history."""
        try:
            new = choose_cell(self.document.source, state, event, kind)
        except LydianError as error:
            self.say(str(error), True)
            return
        self.document.replace(
            new,
            tr("{event} in the state {state} is now ignored", event=event, state=state)
            if kind == "ignore"
            else tr("{event} in the state {state} is now handled", event=event, state=state),
        )
        line = self.document.outline.cell(state, event).line
        if line:
            self.go_to(line)

    def _offer_others(self) -> None:
        """Name the properties that the latest run violated, and offer runs with other seeds."""
        run = self.runs.run
        checks = () if run is None else run.result.get("checks") or ()
        broken = [f"'{check.get('name')}'" for check in checks if check.get("holds") is False]
        if broken:
            words = trn(
                "In the latest run, {properties} does not hold.",
                "In the latest run, {properties} do not hold.",
                len(broken),
                properties=joined(broken),
            )
            self.failed_bar.say(words, (tr("Did other runs break too?"), self.further.others), problem=True)

    # ------------------------------------------------------------------ every schedule

    def explore(self) -> None:
        """Bring the tab "Every schedule" to the front, with the networks that suit the protocol."""
        panel = self.further.made()
        self.pages.setCurrentIndex(0)
        if self.tabs.indexOf(panel) < 0:
            at = self.tabs.addTab(panel, tr("Every schedule"))
            self.tabs.tabBar().setTabButton(at, QTabBar.ButtonPosition.RightSide, self._cross())
        self.further.offer_networks()
        self.tabs.setCurrentWidget(panel)
        panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _cross(self) -> QToolButton:
        cross = QToolButton()
        cross.setIcon(icon("close", self.theme, "text.secondary"))
        cross.setAccessibleName(tr("Close “Every schedule”"))
        cross.setToolTip(tr("Close the tab and end a search in progress"))
        cross.setFixedSize(22, 22)
        cross.clicked.connect(lambda _on=False: self.leave_schedules())
        return cross

    def leave_schedules(self) -> None:
        """Close the tab "Every schedule" and end a search in progress; the settings are kept."""
        panel = self.further.panel
        if panel is not None:
            panel.forget()
            at = self.tabs.indexOf(panel)
            if at >= 0:
                self.tabs.removeTab(at)

    def _show_kept(self, path: Path) -> None:
        """Show the kept runs after a schedule was added to their file."""
        self.kept.load(path)
        self.right.setCurrentWidget(self.kept)

    # ------------------------------------------------------------------ buttons

    def deed(self, name: str) -> None:
        """Carry out the command of a button beside the failure."""
        if name == "message":
            self.moment.toggle_python()
        elif name == "again":
            self.run()
        elif name == "keep":
            self.keep()
        elif name == "others":
            self.further.others()
        else:
            self.deed_wanted.emit(name)

    def keep(self) -> None:
        """Keep the latest run as a test."""
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
        """Go to the failure or the open cell that a chip reports."""
        if name == "failure" and self.runs.failure is not None:
            self.show_failure(self.runs.failure)
        elif name == "open":
            self.go_to_open()

    def go_to_open(self) -> None:
        """Go to the first open cell."""
        look, still = self.table.look, open_cells(self.document.draft)
        for state in look.states:
            for event in look.events:
                if (state.name, event.name) in still:
                    self.table.select(state.name, event.name)
                    self.table.grid.setFocus(Qt.FocusReason.OtherFocusReason)
                    return

    def step(self, name: str) -> None:
        """Go to the place where a step is done."""
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
        """Show the comparison of two texts in a tab beside the code."""
        set_theme_of(self.compare, self.theme)
        self.compare.show_texts(old, new, old_name, new_name)
        if self.tabs.indexOf(self.compare) < 0:
            self.tabs.addTab(self.compare, tr("Comparison"))
        self.tabs.setCurrentWidget(self.compare)

    def drop_compare(self) -> None:
        """Close the comparison."""
        at = self.tabs.indexOf(self.compare)
        if at >= 0:
            self.tabs.removeTab(at)

    # ------------------------------------------------------------------ help

    def show_help(self, place: Place, follow: Callable[[str, str], object]) -> None:
        """Show a page of the guide beside the code; ``follow`` handles its links."""
        if self.help is None:
            self.help = HelpPanel(self.theme)
            self.help.page.asked.connect(follow)
            self.right.addTab(self.help, tr("Help"))
        self.right.setCurrentWidget(self.help)
        left, centre, right = self.splitter.sizes()
        if right < READABLE:
            self.splitter.setSizes([left, centre + right - READABLE, READABLE])
        self.help.open(place)

    # ------------------------------------------------------------------ appearance, drops, closing

    @property
    def panes(self) -> list[QWidget]:
        """The parts through which F6 moves the focus."""
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
        """Emit a sentence for the user."""
        self.said.emit(sentence, problem, "", None)

    def close_all(self) -> None:
        """Keep unsaved text and end every simulator, timer and listener."""
        self.files.close()
        self.document.close()
        for part in (self.results, self.kept, self.moment, self.further, self.code, self.table, self.diagram):
            close = getattr(part, "close_all", None)
            if close is not None:
                close()


def _framed(*widgets: QWidget) -> QFrame:
    """Stack widgets in a frame; the last one takes the remaining space."""
    frame = QFrame()
    frame.setObjectName("dockBody")
    down(*widgets[:-1], (widgets[-1], 1), on=frame, margins=1, spacing=0)
    return frame


def _tabs(name: str) -> QTabWidget:
    tabs = QTabWidget()
    tabs.setAccessibleName(name)
    tabs.setDocumentMode(True)
    tabs.tabBar().setDrawBase(False)
    tabs.setUsesScrollButtons(False)
    return tabs
