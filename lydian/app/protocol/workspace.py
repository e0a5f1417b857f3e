"""The workspace Protocol: steps, diagram and reference at the left, code over table, the moment at the right."""

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
    QSizePolicy,
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
from lydian.app.panels.help.guidetext import Place
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
from lydian.desk.runs.session import Session
from lydian.desk.settings import Settings
from lydian.model.errors import LydianError
from lydian.model.protocol.folder import file_lines, is_folder, read_source
from lydian.model.source.text import Problem
from lydian.pieces.animation import animation_for
from lydian.views.time.axis import remember
from lydian.views.words.words import joined, plural

if TYPE_CHECKING:
    from lydian.app.protocol.table.newpage import NewProtocolPage

__all__ = ["ProtocolWorkspace"]

#: So many cells that never ran are named.
NAMED = 3
#: Width in pixels from which on a page of the guide can be read.
READABLE = 380


#: Widths of the three columns at first, and heights in the left and the middle one.
COLUMNS = (290, 740, 345)
LEFT_ROWS, MIDDLE_ROWS = (330, 260), (400, 250)


class Titled(QFrame):
    """Sign, name and a note above a widget."""

    def __init__(self, theme: Theme, sign: str, name: str, note: str, widget: QWidget) -> None:
        super().__init__()
        self.sign, self.name, self.note = QLabel(), QLabel(name), QLabel(note)
        set_look(self.sign, theme, icon=sign, ink="text.secondary")
        set_look(self.note, theme, font="small")
        self.name.setObjectName("dockName")
        self.note.setObjectName("dockNote")
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.note.setToolTip(note)
        head = QFrame()
        head.setObjectName("dockTitle")
        across(self.sign, self.name, (self.note, 1), on=head, margins=(12, 4, 8, 4), spacing=8)
        body = QFrame()
        body.setObjectName("dockBody")
        down(widget, on=body, margins=(1, 0, 1, 1), spacing=0)
        down(head, (body, 1), on=self, spacing=0)


class ProtocolWorkspace(QWidget):
    """Writes a protocol, runs it, and shows where it failed.

    Attributes:
        document: the text on the desk.
        files, runs: its file, and what runs of it did.
        code, table, diagram: three views of the text.
        moment, kept, printed: at the right, what is known of a failed run, the runs that were kept, and what the
            latest run printed.
    """

    #: A sentence, whether it is a problem, what a button says, and what it does (``None``: no button).
    said = Signal(str, bool, str, object)
    #: The latest run is to be watched in the Run workspace.
    watch_wanted = Signal()
    #: Something about a failure: one of :data:`lydian.app.protocol.checking.failing.BUTTONS` that the window does.
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
        self.file_actions: list[QAction] = []  # what the name in the row at the top offers
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
        self.bar = OfferBar("What can be done about the text", theme)
        self.failed_bar = OfferBar("Why the run failed", theme)

    def _put_together(self) -> None:
        """Put the parts of the workspace where they belong."""
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
        self.tabs = _tabs("Texts")
        self.tabs.setObjectName("codeTabs")
        self.tabs.addTab(self.code, self.document.name)
        self.tabs.tabBar().setAutoHide(True)
        self.table_dock = Titled(
            self.theme, "table", "What to do when", "state × event; figures: how often it ran", self.table
        )
        self.middle = QSplitter(Qt.Orientation.Vertical)
        self.middle.addWidget(_framed(self.bar, self.failed_bar, self.tabs))
        self.middle.addWidget(self.table_dock)
        self.middle.setStretchFactor(0, 1)
        self.middle.setSizes(list(MIDDLE_ROWS))
        return self.middle

    def _left(self) -> QWidget:
        self.diagram_dock = Titled(self.theme, "branch", "States", "drawn from the text", self.diagram)
        self.left = QSplitter(Qt.Orientation.Vertical)
        self.left.addWidget(self.diagram_dock)
        self.left.addWidget(_framed(self.reference))
        self.left.setSizes(list(LEFT_ROWS))
        left = QWidget()
        down(self.steps, (self.left, 1), on=left, spacing=5)
        return left

    def _right(self) -> QWidget:
        self.right = _tabs("The moment, properties, kept runs, what was printed")
        self.right.setObjectName("besideCode")
        self.right.addTab(self.moment, "The moment")
        self.right.addTab(self.properties, "Properties")
        self.right.addTab(self.kept, "Kept runs")
        self.right.addTab(self.printed, "Printed")
        return _framed(self.right)

    def _connect(self) -> None:
        """Let the parts of the workspace hear of each other."""
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
        self.further.strip.leave()
        self.leave_schedules()
        self.pages.setCurrentIndex(0)
        self.kept.load(self.document.path)
        self.greet()
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

    # ------------------------------------------------------------------ files that change

    def greet(self) -> None:
        """Say whose text it is."""
        if self.document.read_only:
            words = f"{self.document.name} belongs to the library. Change it, and you have a copy of your own."
            self.bar.say(words, ("Make my copy", self.files.make_copy))
        elif self.files.original is None and self.bar.text:
            self.bar.say("")

    def _copied(self, original: Path) -> None:
        where = self.document.path.parent if self.document.path is not None else ""
        self.bar.say(
            f"This is your copy, {self.document.name} in {where}; the library keeps its own.",
            ("Compare", self.compare_original),
            ("Back to the library's", lambda: self.files.open(original)),
        )

    def compare_original(self) -> None:
        """Show what the user changed in a copy, or in a file since it was saved."""
        document, original = self.document, self.files.original
        path = original if original is not None else document.path
        if path is None:
            self.say("There is nothing to compare it with: it has no file yet.")
            return
        try:
            before = read_source(path)
        except LydianError as error:
            self.say(str(error), True)
            return
        name = f"the library's {path.name}" if original is not None else f"{path.name} as it was saved"
        self.show_compare(before, document.source, name, "yours")

    def _conflict(self, theirs: str) -> None:
        name = self.document.name

        def mine() -> None:
            self.bar.hide()
            self.drop_compare()
            if self.files.keep_mine(theirs):
                self.say("Yours is saved; the other text is kept in the folder unsaved beside the settings.")

        def take() -> None:
            self.bar.hide()
            self.drop_compare()
            self.files.take(theirs)

        self.bar.say(
            f"{name} was changed by another program too. Nothing is lost whatever you choose; undo brings yours back.",
            ("Keep mine", mine),
            ("Take theirs", take),
            ("Compare", lambda: self.show_compare(theirs, self.document.source, "theirs", "mine")),
            problem=True,
            closes=False,
        )

    def _reloaded(self) -> None:
        self.bar.hide()
        self.say(f"{self.document.name} was changed by another program and read again.")
        if self.run_when_saved:
            self.run()

    @property
    def run_when_saved(self) -> bool:
        """Whether a text that another editor saves is run at once."""
        return bool(self.settings.record("protocol").get("run_when_saved", False))

    def set_run_when_saved(self, on: bool) -> None:
        """Run a text at once when another editor saves it, or no longer."""
        settings = self.settings
        settings.set_record("protocol", {**settings.record("protocol"), "run_when_saved": on})

    def _fill_menu(self, menu: QMenu) -> None:
        for action in self.file_actions:
            menu.addAction(action)
        files = file_lines(self.document.source)
        if files:
            menu.addSection("Files of this protocol")
        for name, line in files.items():
            action = menu.addAction(name)
            action.triggered.connect(lambda _on=False, line=line: self.code.go_to_line(line))
        recent = [path for path in self.files.recent() if path != self.document.path]
        if recent:
            menu.addSection("Recent")
        for path in recent:
            action = menu.addAction(shorter(path))
            action.setToolTip(str(path))
            action.triggered.connect(lambda _on=False, path=path: self.files.open(path))

    # ------------------------------------------------------------------ a new one

    def new(self) -> None:
        """Ask three questions on a page; what was answered there stays."""
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
        if failed and self.runs.failure is not None:
            self.show_failure(self.runs.failure)
        else:
            self.top.show_chip("failure", "")
            self.failed_bar.hide()
            self._offer_others()
            self.say_never_ran()
        self.follow_text()

    def say_never_ran(self) -> None:
        """Name the cells that no process came to."""
        counts, run = self.document.counts, self.runs.run
        missing = never_ran(self.document.outline, counts) if counts else ()
        if not missing or run is None:
            self.moment.show_none(
                "Every cell of the table ran."
                if counts
                else "When a run fails, the network at that moment stands here."
            )
            return
        named = joined([f"{event} in {state}" for state, event in missing[:NAMED]])
        more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
        self.moment.show_none(
            f"{plural(len(missing), 'cell')} never ran: {named}{more}.\n\nTry another network: "
            "the button Three networks above, or another one in the list beside Run."
        )

    def show_failure(self, failure: Failure) -> None:
        """Show where and how a run failed: the line, the moment, the way there."""
        runs = self.runs
        timeline, run = runs.timeline, runs.run
        if timeline is None or run is None:
            return
        animation = remember(timeline, "animation", lambda: animation_for(timeline.trace))
        experiment = run.experiment
        where = ""
        if experiment is not None:
            network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
            where = f"seed {experiment.seed}, {network}"
        self.right.setCurrentWidget(self.moment)
        self.moment.show_failure(timeline, animation, failure, where, run.problem or "")
        self.top.show_chip("failure", f"Stopped at {failure.time:.2f} by an error", failure.sentence)
        if failure.open:
            self._offer_cell(failure)
            self.table.select(*failure.cell)
        else:
            self.failed_bar.hide()
        if failure.line:
            self.go_to(failure.line)

    def _offer_cell(self, failure: Failure) -> None:
        """A cell that nobody had foreseen can be filled in place."""
        state, event = failure.cell

        def fill(kind: str) -> None:
            self.fill_cell(state, event, kind)

        self.failed_bar.say(
            failure.sentence,
            ("Write what happens", lambda: fill("action")),
            ("Ignore it", lambda: fill("ignore")),
            problem=True,
        )

    def fill_cell(self, state: str, event: str, kind: str) -> None:
        """Choose what happens at an event in a state, in one step of the history."""
        try:
            new = choose_cell(self.document.source, state, event, kind)
        except LydianError as error:
            self.say(str(error), True)
            return
        self.document.replace(
            new, f"{event} in the state {state} is {'ignored' if kind == 'ignore' else 'answered'} now"
        )
        line = self.document.outline.cell(state, event).line
        if line:
            self.go_to(line)

    def _offer_others(self) -> None:
        """Name the promises that the latest run broke, and offer to ask other seeds."""
        run = self.runs.run
        checks = () if run is None else run.result.get("checks") or ()
        broken = [f"'{check.get('name')}'" for check in checks if check.get("holds") is False]
        if broken:
            verb = "does" if len(broken) == 1 else "do"
            words = f"In the latest run {joined(broken)} {verb} not hold."
            self.failed_bar.say(words, ("Did other runs break too?", self.further.others), problem=True)

    # ------------------------------------------------------------------ every schedule

    def explore(self) -> None:
        """Bring the tab Every schedule to the front, with the networks that suit the text."""
        panel = self.further.made()
        self.pages.setCurrentIndex(0)
        if self.tabs.indexOf(panel) < 0:
            at = self.tabs.addTab(panel, "Every schedule")
            self.tabs.tabBar().setTabButton(at, QTabBar.ButtonPosition.RightSide, self._cross())
        self.further.offer_networks()
        self.tabs.setCurrentWidget(panel)
        panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _cross(self) -> QToolButton:
        cross = QToolButton()
        cross.setIcon(icon("close", self.theme, "text.secondary"))
        cross.setAccessibleName("Close Every schedule")
        cross.setToolTip("Close it; a search under way ends")
        cross.setFixedSize(22, 22)
        cross.clicked.connect(lambda _on=False: self.leave_schedules())
        return cross

    def leave_schedules(self) -> None:
        """Close the tab Every schedule; a search under way ends, and the questions stay as they are."""
        panel = self.further.panel
        if panel is not None:
            panel.forget()
            at = self.tabs.indexOf(panel)
            if at >= 0:
                self.tabs.removeTab(at)

    def _show_kept(self, path: Path) -> None:
        """A schedule was written down beside the protocol in a file."""
        self.kept.load(path)
        self.right.setCurrentWidget(self.kept)

    # ------------------------------------------------------------------ what can be done

    def deed(self, name: str) -> None:
        """A button beside the moment was pressed."""
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
            self.show_failure(self.runs.failure)
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


def _framed(*widgets: QWidget) -> QFrame:
    """Widgets one below the other in a frame, the last with all the room."""
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
