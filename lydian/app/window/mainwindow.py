"""The main window: it puts the parts together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.commands.actions import ON_PROCESSES, RECENT, build_actions, check_known, fill_menus
from lydian.app.kit.layout import down
from lydian.app.lessons.following import Lessons
from lydian.app.live.goingback import GoingBack
from lydian.app.live.interference import Interference
from lydian.app.live.scheduling import Scheduling
from lydian.app.look.theme import Theme
from lydian.app.panels import arrangement
from lydian.app.panels.bottom import BottomBar
from lydian.app.panels.experiment import ExperimentPanel
from lydian.app.panels.notice import Notice
from lydian.app.panels.start import StartRow
from lydian.app.panels.statusline import StatusLine
from lydian.app.stage.stage import Stage
from lydian.app.window.access import Access
from lydian.app.window.bounds import Bounds
from lydian.app.window.commands import Commands
from lydian.app.window.exports import Exports
from lydian.app.window.finder import Finder
from lydian.app.window.helping import Helping, missing_pages
from lydian.app.window.importing import Importing
from lydian.app.window.keys import Keys
from lydian.app.window.looks import Looks
from lydian.app.window.menus import Menus
from lydian.app.window.offers import Offers
from lydian.app.window.onprocesses import OnProcesses
from lydian.app.window.panes import Panes
from lydian.app.window.places import Front, RunPlace
from lydian.app.window.playback import Playback
from lydian.app.window.recent import Recent
from lydian.app.window.showing import Showing
from lydian.app.window.toolbar import ToolBar
from lydian.app.window.workspaces import Workspaces
from lydian.app.work.documents import DEFAULT, Documents
from lydian.app.work.loop import Loop
from lydian.app.work.player import STEP, Player
from lydian.app.work.settings import Settings
from lydian.desk.archivelist import ArchiveList
from lydian.desk.desk import Desk
from lydian.desk.memory import Last
from lydian.desk.telling import Telling

if TYPE_CHECKING:
    from lydian.model.experiment import Experiment

__all__ = ["MainWindow"]

MINIMUM = (1024, 640)
#: Commands that exclude each other.
_GROUPS = ("layout_watch layout_study layout_debug", "theme_system theme_light theme_dark theme_contrast",
           "mode_replay mode_live")  # fmt: skip


class MainWindow(QMainWindow):
    """Everything one sees; what is worked on is on the desk."""

    def __init__(self, settings: Settings | None = None, shelf: ArchiveList | None = None) -> None:
        super().__init__()
        self.settings = Settings() if settings is None else settings
        self.shelf = ArchiveList() if shelf is None else shelf
        self.desk = desk = Desk(Loop(self), self.settings, self.shelf)
        self.session, self.playhead, self.memory = desk.session, desk.playhead, desk.memory
        self.session.worker.prepare()
        self.player = Player(self.playhead, self)
        self.player.step_seconds = STEP if self.settings.motion else 0.0
        self.camera = TimeCamera()
        self.looks = Looks(desk, self.settings, self)
        self._arranged = False
        self.setObjectName("main")
        self.setMinimumSize(*MINIMUM)
        self.setAcceptDrops(True)
        self.documents = Documents(self.session, self.shelf, self.settings, self)
        self.actions_by_name = build_actions(self, desk.commands, without=missing_pages())
        for names in _GROUPS:
            group = QActionGroup(self)
            for name in names.split():
                group.addAction(self.actions_by_name[name])
        self._build()
        self._command()
        self._connect()
        self._restore()

    @property
    def theme(self) -> Theme:
        """How everything looks."""
        return self.looks.theme

    # ------------------------------------------------------------------ building

    def _build(self) -> None:
        """Make the parts, from the outside in."""
        desk, actions, theme = self.desk, self.actions_by_name, self.theme
        self.toolbar = ToolBar(actions, theme)
        self.addToolBar(self.toolbar)
        self.notice = Notice(desk.notices, theme)
        self.panel = ExperimentPanel(self.session, self.shelf, theme)
        self.stage = Stage(self.player, theme, self.camera, self.panel, self.documents, actions)
        self.bottom = BottomBar(self.playhead, theme, self.camera, actions)
        self.player.show_on(self.bottom)
        self.start = StartRow(theme, actions)
        self.status = StatusLine(desk, theme)
        self.setStatusBar(self.status)
        menus = fill_menus(self, actions)
        self.recent = Recent(menus[RECENT], self.settings, self.shelf.archive.ours, self.documents.open)
        self.on_processes = OnProcesses(
            self.playhead, self.settings, menus[ON_PROCESSES], lambda: [each.update() for each in self.stage.pictures()]
        )
        run, inner = _column(self.stage, self.start, self.bottom)
        self.front = Front(desk, self.stage, self.status, self)
        self.run = RunPlace(self.front, run, self.documents)
        shell, outer = _column(self.notice, self.front.stack)
        inner.setStretch(0, 1)
        outer.setStretch(1, 1)
        outer.setContentsMargins(5, 5, 5, 5)
        shell.setObjectName("shell")
        self.setCentralWidget(shell)
        self._columns = (outer, self.front.stack.layout(), inner)

    def _command(self) -> None:
        """Make what the commands do."""
        desk, stage, bottom, actions = self.desk, self.stage, self.bottom, self.actions_by_name
        playback = Playback(desk, stage, bottom)
        self.turns = Scheduling(desk, stage, bottom.narration.hint, self)
        self.history = GoingBack(desk, stage, bottom.scrubber, self.panel.runs, self)
        self.interference = Interference(desk, stage, self.turns.tray.chooser.mine, self)
        self.toolbar.hold_faults(self.interference.make_bar(actions, self.theme))
        self.offers = Offers(desk, self.panel, self.start)
        self.workspaces = Workspaces(
            self.front, self.run, self.menuBar(), actions, self.offers, playback, self.panel.set_network,
            lambda verb, what: self.helping.do(verb, what), lambda place: self.helping.show(place),
        )  # fmt: skip
        self.helping = Helping(
            desk, stage, bottom, self.start, self.workspaces, self.offers, actions, lambda what: self.open_lesson(what)
        )
        self.lessons = Lessons(
            desk, stage, actions, self,
            hold=lambda dock: self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock),
            arrange=self.looks.suggest, asked=self.helping.do, begun=self.start.dismiss,
        )  # fmt: skip
        self.showing = Showing(desk, stage, self.panel, bottom.narration, self.on_processes, actions["play"], self)
        self.exports = Exports(desk, stage, self.documents, self)
        self.importing = Importing(desk, stage, self.open_example, self)
        self.bounds = Bounds(desk, self.toolbar)
        self.finder = Finder(desk, stage, self.toolbar.find_field, actions, self.open_lesson, self)
        self.commands = Commands(
            desk,
            stage,
            self.panel,
            self.documents,
            self.looks,
            playback,
            self.turns,
            self.interference,
            self.workspaces.sweeps,
        )
        panes = Panes(
            stage, (self.notice, self.toolbar), (bottom.scrubber, bottom.transport), lambda: self.workspaces.panes,
            lambda: self.lessons.dock,
        )  # fmt: skip
        menus = Menus(desk, stage, playback, self.interference, actions)
        self.access = Access(desk, stage, self.looks, panes, menus, actions, self)
        for part in (
            self.commands, self.looks, self.workspaces, self.access, self.offers, self.helping, self.lessons,
            self.history, self.turns, self.interference, self.exports, self.importing, self.bounds, self.finder,
        ):  # fmt: skip
            desk.commands.add(part.handlers())
        desk.commands.add({"quit": self.close})
        check_known(desk.commands)
        self.workspaces.network.refresh()  # the tips of its commands say more than their keys

    def _connect(self) -> None:
        desk, documents, notices = self.desk, self.documents, self.desk.notices
        self.telling = Telling(
            desk, documents.open, self.workspaces.look_at, self.panel.assumptions_broken,
            self.workspaces.protocols.run_goes_on,
        )  # fmt: skip
        Keys(self, self.access.keeps)
        self.session.live.changed.connect(self._say_mode)
        self.session.reading.failed.connect(self._unread)
        self.session.reading.cancelled.connect(self._show_anything)
        documents.said.connect(notices.say)
        documents.offered.connect(lambda words, button, act: notices.show(words, button=button, act=act))
        documents.used.connect(self.recent.remember)
        documents.lesson_found.connect(self.open_lesson)
        documents.log_found.connect(self.importing.open)
        documents.sweep_found.connect(self.workspaces.sweeps.open_file)
        documents.progress.connect(self.status.read)
        notices.cancelled.connect(documents.cancel)
        self.panel.sweep_wanted.connect(self.workspaces.sweeps.begin_with)
        self.toolbar.theme_button.clicked.connect(self.looks.toggle)
        self.bottom.scrubber.sought.connect(desk.jump)
        self.bottom.transport.speed_wanted.connect(self.commands.playback.quicken)
        self.workspaces.changed.connect(self.toolbar.set_workspace)
        self.workspaces.changed.connect(self.lessons.came_to)
        desk.commands.check(f"theme_{self.settings.theme}", True)
        desk.commands.check("motion", self.settings.motion)
        desk.commands.check("mode_replay", True)
        self.looks.dress(self.stage, self.actions_by_name)

    # ------------------------------------------------------------------ opening

    def open_experiment(self, experiment: Experiment, path: Path | None = None) -> None:
        """Show an experiment: its network at rest at once, its run as soon as it is there."""
        self.session.start(experiment, path if path is not None else experiment.path)

    def open_lesson(self, ref: str | Path) -> bool:
        """Follow a lesson, by its name or its file; false, and a sentence, if it cannot be read."""
        return self.lessons.open(ref)

    def open_last(self, last: Last) -> bool:
        """Go on where the program was left, paused; false if the trace that was looked at cannot be read."""
        self.desk.go_on(last)
        if last.experiment is not None or (last.file is not None and self.documents.open(last.file)):
            return True
        self.desk.screen.resume = None
        return False

    def open_example(self) -> None:
        """Show the experiment that opens first."""
        self.desk.screen.resume = None
        self.open_experiment(self.shelf.archive.experiment(DEFAULT))

    def _unread(self, sentence: str) -> None:
        self._show_anything()
        self.desk.notices.say(sentence)

    def _show_anything(self) -> None:
        """A trace was not read: if it was to be the first thing to be seen, the example takes its place."""
        if self.session.shown is None and self.session.experiment is None:
            self.open_example()

    def _say_mode(self) -> None:
        self.desk.commands.check("mode_live" if self.session.live.on else "mode_replay", True)

    # ------------------------------------------------------------------ events of the window

    def _restore(self) -> None:
        geometry = self.settings.bytes("geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            screen = QGuiApplication.primaryScreen().availableGeometry()
            width, height = min(1920, round(screen.width() * 0.94)), min(1080, round(screen.height() * 0.92))
            self.resize(max(width, MINIMUM[0]), max(height, MINIMUM[1]))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._arranged:
            self._arranged = True
            for layout in self._columns:  # from the outside in, so that the docks know how much room there is
                if layout is not None:
                    layout.activate()
            self.stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)
            self.looks.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._arranged and self.looks.layout != "projector" and self.bottom.isVisible():
            wide = event.size().width() >= arrangement.WIDE
            if wide != (event.oldSize().width() >= arrangement.WIDE):
                self.looks.arrange(self.looks.layout)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls():
            if url.isLocalFile():
                event.acceptProposedAction()
                self.documents.open(Path(url.toLocalFile()))
                break

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.theme.projector:
            self.looks.project(False)
        self.settings.set_bytes("geometry", self.saveGeometry())
        self.history.close()
        self.looks.remember()
        self.stage.close_windows()
        self.settings.moment = max(self.playhead.t, 0.0)
        self.memory.write()
        self.settings.sync()
        for part in (self.exports, self.importing, self.documents, self.showing):
            part.close()
        self.player.stop()
        self.workspaces.close()
        self.lessons.close()
        self.desk.close()
        event.accept()


def _column(*parts: QWidget) -> tuple[QWidget, QVBoxLayout]:
    """A widget with parts below each other, five pixels apart."""
    widget = QWidget()
    column = down(*parts, on=widget, spacing=5)
    return widget, column
