"""The main window, which puts the parts together."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.classroom.components.room import ComponentsRoom
from lydian.app.classroom.room import ClassRoom
from lydian.app.commands.table import ON_PROCESSES, READY, RECENT, build_actions, check_known
from lydian.app.kit.layout import across, down, held
from lydian.app.lessons.following import Lessons
from lydian.app.live.choosing.scheduling import Scheduling
from lydian.app.live.programs.running import RunningPrograms
from lydian.app.live.runs.goingback import GoingBack
from lydian.app.live.runs.receiving import Receiving
from lydian.app.live.tools.interference import Interference
from lydian.app.look.theme import Theme
from lydian.app.panels.ending.ending import EndingPanel, SeenRow
from lydian.app.panels.experiment.experiment import ExperimentPanel
from lydian.app.panels.notice import Notice
from lydian.app.panels.quiz import QuizPanel
from lydian.app.panels.shortened import ShortenedStrip
from lydian.app.panels.start import StartRow
from lydian.app.panels.statusline import StatusLine
from lydian.app.panels.timeline.bottom import BottomBar
from lydian.app.play.room import Room
from lydian.app.stage.stage import Stage
from lydian.app.window.access import Access
from lydian.app.window.bounds import Bounds
from lydian.app.window.commands import Commands
from lydian.app.window.endings import Endings
from lydian.app.window.exports import Exports
from lydian.app.window.finder import Finder
from lydian.app.window.findings import Findings
from lydian.app.window.flights import Flights
from lydian.app.window.helping import Helping, missing_pages
from lydian.app.window.importing import Importing
from lydian.app.window.judging import Judging
from lydian.app.window.looks import Looks, use_font
from lydian.app.window.menus import Menus
from lydian.app.window.offers import Offers
from lydian.app.window.onprocesses import OnProcesses
from lydian.app.window.panes import Panes
from lydian.app.window.playback import Playback
from lydian.app.window.quizzing import Quizzing
from lydian.app.window.readymenu import ReadyAssignments
from lydian.app.window.recent import Recent
from lydian.app.window.relying import Relying
from lydian.app.window.shortening import Shortening
from lydian.app.window.showing import Showing
from lydian.app.window.sounds import Sounds
from lydian.app.window.toolbar import ToolBar
from lydian.app.window.watching import Watcher
from lydian.app.window.workspaces.place import Front, RunPlace
from lydian.app.window.workspaces.workspaces import Workspaces
from lydian.app.work.documents import Documents, files_in
from lydian.app.work.loop import Loop
from lydian.app.work.player import STEP, Player
from lydian.app.work.settings import Settings
from lydian.desk.archivelist import ArchiveList
from lydian.desk.desk import Desk
from lydian.desk.runs.telling import Telling

__all__ = ["MainWindow"]


class MainWindow(QMainWindow):
    """The main window; the user's work is on the desk."""

    def __init__(self, settings: Settings | None = None, shelf: ArchiveList | None = None) -> None:
        use_font(Theme())
        super().__init__()
        self.settings = Settings() if settings is None else settings
        self.shelf = ArchiveList() if shelf is None else shelf
        self.desk = desk = Desk(Loop(self), self.settings, self.shelf)
        self.session, self.playhead = desk.session, desk.playhead
        self.session.worker.prepare()
        self.player = Player(self.playhead, self)
        self.player.step_seconds = STEP if self.settings.motion else 0.0
        self.camera = TimeCamera()
        self.looks = Looks(desk, self.settings, self)
        self.setObjectName("main")
        self.setAcceptDrops(True)
        self.documents = Documents(desk, self)
        self.actions_by_name = build_actions(self, desk.commands, without=missing_pages())
        self._build()
        self._command()
        self._connect()
        self.looks.dress(self.stage, self.actions_by_name, self._columns)

    @property
    def theme(self) -> Theme:
        """The theme of all parts."""
        return self.looks.theme

    # ------------------------------------------------------------------ building

    def _build(self) -> None:
        """Make the parts, from the outside in."""
        desk, actions, theme = self.desk, self.actions_by_name, self.theme
        self.toolbar = ToolBar(actions, theme, self)
        self.addToolBar(self.toolbar)
        self.notice = Notice(desk.notices, theme)
        self.panel = ExperimentPanel(self.session, self.shelf, theme)
        self.stage = Stage(self.player, theme, self.camera, self.panel, self.documents, actions)
        self.bottom = BottomBar(self.playhead, theme, self.camera, actions)
        self.player.show_on(self.bottom)
        self.start = StartRow(theme, actions)
        self.status = StatusLine(desk, theme)
        self.setStatusBar(self.status)
        menus = self.toolbar.menu_bar.menus
        self.recent = Recent(menus[RECENT], self.settings, self.shelf.archive.ours, self.documents.open)
        self.on_processes = OnProcesses(
            self.playhead, self.settings, menus[ON_PROCESSES], lambda: [each.update() for each in self.stage.pictures()]
        )
        self.ending, self.seen = EndingPanel(theme), SeenRow(theme)
        self.quiz = QuizPanel(theme)
        self.room = Room(desk, self.stage, self)
        self.classroom = ClassRoom(desk, self.stage, self)
        self.components = ComponentsRoom(desk, self.stage, self)
        self.shortened = ShortenedStrip(theme)
        middle = down(self.classroom.bar, (self.classroom.cover, 1), (self.stage, 1), spacing=5)
        views = held(across(
            self.room.column, self.classroom.left, (middle, 1), self.classroom.right, self.components.column,
            self.ending, self.quiz, spacing=5,
        ))  # fmt: skip
        run, inner = _column(self.shortened, views, self.start, self.seen, self.bottom, self.room.strip)
        self.room.usual = (self.start, self.seen, self.bottom)
        self.classroom.usual = (self.start, self.seen)
        self.classroom.views = (self.stage, self.bottom)
        self.classroom.before = self.components.before = self.room.leave
        self.front = Front(desk, self.stage, self.status, self)
        self.run = RunPlace(self.front, run, self.documents)
        shell, outer = _column(self.notice, self.front.stack)
        inner.setStretch(1, 1)
        outer.setStretch(1, 1)
        outer.setContentsMargins(5, 5, 5, 5)
        shell.setObjectName("shell")
        self.setCentralWidget(shell)
        self._columns = (outer, self.front.stack.layout(), inner)

    def _command(self) -> None:
        """Make the objects that carry out the commands."""
        desk, stage, bottom, actions = self.desk, self.stage, self.bottom, self.actions_by_name
        playback = Playback(desk, stage, bottom)
        self.turns = Scheduling(desk, stage, bottom.narration.hint, self)
        self.turns.elsewhere = lambda: self.room.on
        self.history = GoingBack(desk, stage, bottom.scrubber, self.panel.runs, self)
        self.interference = Interference(
            desk, stage, lambda acted: self.room.on or self.turns.tray.chooser.mine(acted), self
        )
        self.receiving = Receiving(desk, stage, self.interference, self.history.comparing, self)
        self.toolbar.hold_faults(self.interference.make_bar(actions, self.theme))
        self.offers = Offers(desk, self.panel, self.start)
        self.workspaces = Workspaces(
            self.front, self.run, self.toolbar.menu_bar, actions, self.offers, playback, self.panel.set_network,
            lambda verb, what: self.helping.do(verb, what), lambda place: self.helping.show(place),
        )  # fmt: skip
        self.toolbar.hold_tabs(self.workspaces.tabs)
        self.helping = Helping(
            desk, stage, bottom, self.start, self.workspaces, self.offers, actions,
            lambda what: self.lessons.open(what), self.room.open,
        )  # fmt: skip
        self.lessons = Lessons(
            desk, stage, actions, self,
            hold=lambda dock: self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock),
            arrange=self.looks.suggest, asked=self.helping.do, begun=self.start.dismiss,
            fly=lambda on: self.flights.fly_when_ready() if on else self.flights.end(),
            quiz=lambda drawn, told, left: self.quizzing.ask_one(drawn.kind, drawn.seed, told, left),
        )  # fmt: skip
        self.showing = Showing(desk, stage, self.panel, bottom.narration, self.on_processes, actions["play"], self)
        self.endings = Endings(
            desk, stage, self.ending, self.seen, bottom.scrubber, self.panel, self.offers, lambda: self.lessons.mine,
            self.workspaces.protocols.open_line, self,
        )  # fmt: skip
        self.exports = Exports(desk, stage, self.documents, self)
        self.importing = Importing(desk, stage, self.documents.open_example, self)
        self.programs = RunningPrograms(desk, stage, self)
        self.shortening = Shortening(desk, self.shortened, self.history.comparing, self)
        self.findings = Findings(desk, stage, self)
        self.watcher = Watcher(desk, stage, self)
        self.judging = Judging(desk, stage, self)
        self.quizzing = Quizzing(desk, stage, self.quiz, self)
        self.relying = Relying(desk, stage, self.shelf, self)
        self.room.told = self.relying.play
        self.bounds = Bounds(desk, self.toolbar)
        self.sounds = Sounds(desk, stage, self.toolbar)
        self.flights = Flights(desk, stage)
        self.finder = Finder(
            desk, stage, actions, self.workspaces, self.offers, self.helping, self.lessons.open, self.room.open, self
        )  # fmt: skip
        self.commands = Commands(
            desk, stage, self.panel, self.documents, self.looks, playback, self.turns, self.interference,
            (self.workspaces.sweeps, self.workspaces.assignment),
        )  # fmt: skip
        panes = Panes(
            stage, (self.notice, self.toolbar, self.classroom.left, self.classroom.bar),
            (
                self.classroom.right, self.components.column, self.ending, self.quiz, self.seen, bottom.scrubber,
                bottom.transport,
            ),
            lambda: self.workspaces.panes,
            lambda: self.lessons.dock,
        )  # fmt: skip
        menus = Menus(desk, stage, playback, self.interference, actions)
        self.access = Access(desk, stage, self.looks, panes, menus, actions, self)
        for part in (
            self.programs,
            self.commands, self.looks, self.workspaces, self.access, self.offers, self.helping, self.lessons,
            self.history, self.turns, self.interference, self.receiving, self.exports, self.importing, self.shortening,
            self.judging, self.watcher, self.findings, self.quizzing, self.bounds, self.sounds, self.finder,
            self.flights, self.endings, self.room, self.classroom,
            self.components,
        ):  # fmt: skip
            desk.commands.add(part.handlers())
        space = self.classroom.instead(self.turns.instead(self.playhead.toggle))
        desk.commands.add({"quit": self.close, "play": space})
        check_known(desk.commands)
        self.workspaces.network.refresh()  # the tips of its commands contain more than the keys

    def _connect(self) -> None:
        desk, documents = self.desk, self.documents
        self.telling = Telling(
            desk, documents.open, self.workspaces.look_at, self.panel.assumptions_broken,
            self.workspaces.protocols.run_goes_on,
        )  # fmt: skip
        documents.used.connect(self.recent.remember)
        documents.record_found.connect(self.components.open_record)
        documents.lesson_found.connect(self.lessons.open)
        documents.log_found.connect(self.importing.open)
        documents.sweep_found.connect(self.workspaces.sweeps.open_file)
        documents.assignment_found.connect(self.workspaces.assignment.open)
        self.ready = ReadyAssignments(self.toolbar.menu_bar.menus[READY], self.workspaces.assignment.open_copy)
        documents.progress.connect(self.status.read)
        self.panel.sweep_wanted.connect(self.workspaces.sweeps.begin_with)
        self.toolbar.theme_button.clicked.connect(self.looks.toggle)
        desk.workspaces.changed.connect(self.toolbar.set_workspace)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(files_in(event.mimeData())):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.documents.drop(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.classroom.may_close():
            event.ignore()
            return
        self.history.close()
        self.looks.close()
        self.desk.keep()
        for part in (
            self.exports, self.importing, self.shortening, self.judging, self.watcher, self.findings, self.relying,
            self.documents, self.showing, self.endings,
            self.finder, self.room, self.classroom, self.components, self.sounds,
        ):  # fmt: skip
            part.close()
        self.player.stop()
        for other in (self.workspaces, self.lessons, self.desk):
            other.close()
        event.accept()


def _column(*parts: QWidget) -> tuple[QWidget, QVBoxLayout]:
    """Return a widget with the parts in a column, five pixels apart."""
    widget = QWidget()
    column = down(*parts, on=widget, spacing=5)
    return widget, column
