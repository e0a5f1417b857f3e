"""The main window: it puts the parts together and says what each command does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QMainWindow,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.look.theme import Theme
from lydian.app.panels.bottom import BottomBar
from lydian.app.panels.experiment import ExperimentPanel
from lydian.app.panels.notice import Notice
from lydian.app.panels.statusline import StatusLine
from lydian.app.window import arrangement
from lydian.app.window.actions import KEPT, build_actions, fill_menus
from lydian.app.window.commands import Commands
from lydian.app.window.documents import Documents
from lydian.app.window.exports import Exports
from lydian.app.window.looks import Looks
from lydian.app.window.player import STEP, Player
from lydian.app.window.settings import Settings
from lydian.app.window.showing import Showing
from lydian.app.window.stage import Stage
from lydian.app.window.toolbar import ToolBar
from lydian.app.work.memory import Last, Memory
from lydian.app.work.session import SILENT, Session, resting
from lydian.app.work.shelf import Shelf
from lydian.trace.timeline import Timeline
from lydian.views.playhead import Playhead

if TYPE_CHECKING:
    from lydian.model.experiment import Experiment
    from lydian.trace.events import Trace

__all__ = ["MainWindow"]

MINIMUM = (1024, 640)


class MainWindow(QMainWindow):
    """Everything one sees; one playhead and one session rule it."""

    def __init__(self, settings: Settings | None = None, shelf: Shelf | None = None) -> None:
        super().__init__()
        self.settings = Settings() if settings is None else settings
        self.session = Session(self)
        self.session.worker.prepare()
        self.shelf = Shelf() if shelf is None else shelf
        self.playhead = Playhead()
        self.player = Player(self.playhead, self)
        self.player.step_seconds = STEP if self.settings.motion else 0.0
        self.camera = TimeCamera()
        self.looks = Looks(self)
        self._said_by_session = False
        self._arranged = False
        self.setObjectName("main")
        self.setMinimumSize(*MINIMUM)
        self.setAcceptDrops(True)
        self.documents = Documents(self.session, self.shelf, self.settings, self)
        self.commands = Commands(self)
        self.actions_by_name = build_actions(self, self.commands.handlers())
        self._groups()
        fill_menus(self, self.actions_by_name)
        self._build()
        self.showing = Showing(self)
        self.exports = Exports(self)
        self.memory = Memory(self.session, self.settings.file.parent, self)
        self._connect()
        self.looks.apply(self.theme)
        self._restore()

    @property
    def theme(self) -> Theme:
        """How everything looks."""
        return self.looks.theme

    # ------------------------------------------------------------------ building

    def _build(self) -> None:
        actions = self.actions_by_name
        self.toolbar = ToolBar(actions, self.theme)
        self.addToolBar(self.toolbar)
        self.toolbar.theme_button.clicked.connect(self.commands.toggle_theme)
        self.notice = Notice(self.theme)
        self.panel = ExperimentPanel(self.session, self.shelf, self.theme)
        self.stage = Stage(self.player, self.theme, self.camera, self.panel, self.documents, actions)
        self.bottom = BottomBar(self.playhead, self.theme, self.camera, actions)
        self.player.show_on(self.bottom)
        shell = QWidget()
        shell.setObjectName("shell")
        column = self._column = QVBoxLayout(shell)
        column.setContentsMargins(5, 5, 5, 5)
        column.setSpacing(5)
        column.addWidget(self.notice)
        column.addWidget(self.stage, 1)
        column.addWidget(self.bottom)
        self.setCentralWidget(shell)
        self.status = StatusLine(self.session, self.playhead, self.theme)
        self.setStatusBar(self.status)

    def _groups(self) -> None:
        for prefix in ("layout_watch layout_study", "theme_system theme_light theme_dark"):
            group = QActionGroup(self)
            for name in prefix.split():
                group.addAction(self.actions_by_name[name])
        self.actions_by_name[f"theme_{self.settings.theme}"].setChecked(True)
        self.actions_by_name["motion"].setChecked(self.settings.motion)

    def _connect(self) -> None:
        session, undo = self.session, self.session.undo
        session.experiment_changed.connect(self._experiment_changed)
        session.run_started.connect(lambda: self.actions_by_name["stop"].setEnabled(True))
        session.said.connect(self._session_said)
        self.documents.said.connect(self.say)
        self.memory.set_aside.connect(self._set_aside)
        self.memory.failed.connect(self.say)
        self.bottom.scrubber.sought.connect(self.commands.scrub)
        self.bottom.transport.speed_wanted.connect(self.commands.playback.quicken)
        undo.canUndoChanged.connect(lambda _on: self._undo_texts())
        undo.undoTextChanged.connect(lambda _text: self._undo_texts())
        undo.redoTextChanged.connect(lambda _text: self._undo_texts())
        undo.cleanChanged.connect(lambda clean: self.setWindowModified(not clean))
        self._undo_texts()
        self.actions_by_name["stop"].setEnabled(False)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self.looks.system_changed)

    def _undo_texts(self) -> None:
        undo = self.session.undo
        for name, word, text, able in (
            ("undo", "&Undo", undo.undoText(), undo.canUndo()),
            ("redo", "&Redo", undo.redoText(), undo.canRedo()),
        ):
            action = self.actions_by_name[name]
            action.setText(f"{word}: {text}" if text else word)
            action.setEnabled(able)

    # ------------------------------------------------------------------ opening

    def open_experiment(self, experiment: Experiment, path: Path | None = None) -> None:
        """Show an experiment: its network at rest at once, its run as soon as it is there."""
        self.show_resting(experiment)
        self.session.start(experiment, path if path is not None else experiment.path)

    def open_trace(self, trace: Trace, path: Path) -> None:
        """Show a recorded run."""
        self.session.show_trace(trace, path)

    def open_last(self, last: Last) -> bool:
        """Go on where the program was left, paused; false if the trace that was looked at cannot be read."""
        moment = self.settings.moment
        if last.experiment is not None:
            self.show_resting(last.experiment)
            self.showing.resume = moment if moment > 0 else None
            self.session.start(last.experiment, last.file, modified=last.modified)
            return True
        if last.file is None or not self.documents.open(last.file):
            return False
        self.playhead.seek(moment)
        return True

    def _set_aside(self, name: str, file: Path) -> None:
        sentence = f"{name} had unsaved changes; they are kept in {file}."
        self.notice.say(sentence, problem=False, button="Go back", act=lambda: self.documents.open(file))

    def show_resting(self, experiment: Experiment) -> None:
        """The network of an experiment with nothing going on, if it can be read."""
        network = self.shelf.known_network(experiment.network, experiment.path)
        if network is not None:
            self.showing.load(Timeline(resting(network, experiment)))

    # ------------------------------------------------------------------ what changed

    def _experiment_changed(self) -> None:
        self.setWindowTitle(f"{self._title()}[*]")

    def _title(self) -> str:
        experiment = self.session.experiment
        if experiment is None:
            return "A recorded run — LYDIAN"
        where = experiment.network if isinstance(experiment.network, str) else experiment.network.name
        return f"{experiment.protocol.capitalize()} on {where}, seed {experiment.seed} — LYDIAN"

    def _session_said(self, sentence: str, problem: bool) -> None:
        if sentence or self._said_by_session:
            self.say(sentence, problem)
            if sentence == SILENT:
                self.notice.say(sentence, button="Stop it", act=self.session.stop)
        self._said_by_session = bool(sentence)

    def say(self, sentence: str, problem: bool = True) -> None:
        """Say something: a problem in the bar at the top, good news in the status line."""
        self._said_by_session = False
        if problem or not sentence:
            self.notice.say(sentence, problem=problem)
        else:
            self.status.say(sentence)

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
            self._column.activate()
            self.stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)
            self.looks.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._arranged and self.looks.layout != "projector" and self.bottom.isVisible():
            wide = event.size().width() >= arrangement.WIDE
            if wide != (event.oldSize().width() >= arrangement.WIDE):
                self.looks.arrange(self.looks.layout)

    def event(self, event: QEvent) -> bool:
        """A button, a list or a drop-down under focus keeps the plain keys it needs for itself."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            focus = QApplication.focusWidget()
            space = event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return)
            lists = isinstance(focus, QAbstractItemView | QComboBox | QSlider)
            plain = not event.modifiers() & Qt.KeyboardModifier.ControlModifier
            if plain and event.key() in KEPT and (lists or (space and isinstance(focus, QAbstractButton))):
                event.accept()
                return True
        return super().event(event)

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
        self.looks.remember()
        self.settings.moment = max(self.playhead.t, 0.0)
        self.memory.write()
        self.settings.sync()
        self.exports.cancel()
        self.player.stop()
        self.session.close()
        event.accept()
