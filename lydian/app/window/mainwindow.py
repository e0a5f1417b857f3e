"""The main window: it puts the parts together and says what each command does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QRadioButton,
    QSlider,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from lydian.app.canvas.cameras import TimeCamera
from lydian.app.commands.actions import KEPT, ON_PROCESSES, RECENT, build_actions, fill_menus
from lydian.app.lessons.desk import Lessons
from lydian.app.live.goingback import GoingBack
from lydian.app.live.interference import Interference
from lydian.app.live.turns import Turns
from lydian.app.look.theme import Theme
from lydian.app.panels import arrangement
from lydian.app.panels.bottom import BottomBar
from lydian.app.panels.experiment import ExperimentPanel
from lydian.app.panels.notice import Notice
from lydian.app.panels.start import StartRow
from lydian.app.panels.statusline import StatusLine
from lydian.app.window.access import Access
from lydian.app.window.bounds import Bounds
from lydian.app.window.commands import Commands
from lydian.app.window.documents import DEFAULT, Documents
from lydian.app.window.exports import Exports
from lydian.app.window.helping import Helping
from lydian.app.window.importing import Importing
from lydian.app.window.looks import Looks
from lydian.app.window.offers import Offers
from lydian.app.window.onprocesses import OnProcesses
from lydian.app.window.recent import Recent
from lydian.app.window.showing import Showing
from lydian.app.window.stage import Stage
from lydian.app.window.toolbar import ToolBar
from lydian.app.window.workspaces import Workspaces
from lydian.app.work.loop import Loop
from lydian.app.work.player import STEP, Player
from lydian.app.work.settings import Settings
from lydian.desk.memory import Last, Memory
from lydian.desk.playhead import Playhead
from lydian.desk.records import names_of, resting
from lydian.desk.refusal import help_for
from lydian.desk.session import SILENT, Session, automatic_name
from lydian.desk.shelf import Shelf
from lydian.desk.trust import Trust
from lydian.model.assumptions import BY_FAULTS, ON_PURPOSE
from lydian.trace.timeline import Timeline

if TYPE_CHECKING:
    from lydian.model.experiment import Experiment
    from lydian.trace.events import Trace

__all__ = ["MainWindow"]

MINIMUM = (1024, 640)
#: What needs arrows and Enter for itself, and what needs Enter alone.
_LISTS = (QAbstractItemView, QComboBox, QSlider, QRadioButton)
_ENTERED = (QAbstractButton, QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class MainWindow(QMainWindow):
    """Everything one sees; one playhead and one session rule it."""

    def __init__(self, settings: Settings | None = None, shelf: Shelf | None = None) -> None:
        super().__init__()
        self.settings = Settings() if settings is None else settings
        self.session = Session(Loop(self))
        self.session.worker.prepare()
        self.shelf = Shelf() if shelf is None else shelf
        self.session.trust = Trust(self.settings, self.shelf.archive)
        self._withdraw_held: Callable[[], None] = lambda: None
        self.playhead = Playhead()
        self.session.live.follow(self.playhead)
        self.player = Player(self.playhead, self)
        self.player.step_seconds = STEP if self.settings.motion else 0.0
        self.camera = TimeCamera()
        self.looks = Looks(self)
        self._said_by_session = False
        self._steps, self._undone = 0, ""  # how many changes are in force, and what was said of the last step back
        self._pressed_in: QWidget | None = None  # had the focus when the key went down that is handled now
        self._arranged = False
        self.setObjectName("main")
        self.setMinimumSize(*MINIMUM)
        self.setAcceptDrops(True)
        self.documents = Documents(self.session, self.shelf, self.settings, self)
        self.access = Access(self)
        self.bounds = Bounds(self)
        self.offers, self.helping = Offers(self), Helping(self)
        self.workspaces = Workspaces(self)
        self.lessons = Lessons(self)
        self.turns = Turns(self)
        self.interference = Interference(self)
        self.commands = Commands(self)
        self.actions_by_name = build_actions(self, self.commands.handlers())
        self._groups()
        menus = fill_menus(self, self.actions_by_name)
        self.recent = Recent(menus[RECENT], self.settings, self.shelf.archive.ours, self.documents.open)
        self.documents.used.connect(self.recent.remember)
        self.on_processes = OnProcesses(
            self.playhead, self.settings, menus[ON_PROCESSES], lambda: [each.update() for each in self.stage.pictures()]
        )
        self._build()
        self.showing = Showing(self)
        self.exports = Exports(self)
        self.importing = Importing(self)
        self.session.leaving.connect(self._forget_problem)  # before what the memory has to say of leaving
        self.memory = Memory(self.session, self.settings.kept)
        self._connect()
        self.access.begin()
        self.workspaces.commands.refresh()
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
        self.commands.playback.connect()
        self.turns.begin()
        self.history = GoingBack(self)
        run, self._column = _column()
        self._column.addWidget(self.stage, 1)
        self.start = StartRow(self.theme, actions)
        self._column.addWidget(self.start)
        self._column.addWidget(self.bottom)
        shell, column = _column()
        shell.setObjectName("shell")
        column.setContentsMargins(5, 5, 5, 5)
        self.workspaces.hold(run)
        column.addWidget(self.notice)
        column.addWidget(self.workspaces.stack, 1)
        self._columns = (column, self.workspaces.stack.layout(), self._column)
        self.setCentralWidget(shell)
        self.status = StatusLine(self.session, self.playhead, self.theme)
        self.setStatusBar(self.status)
        self.helping.begin()
        self.interference.connect_window()

    def _groups(self) -> None:
        for prefix in (
            "layout_watch layout_study layout_debug",
            "theme_system theme_light theme_dark theme_contrast",
            "mode_replay mode_live",
        ):
            group = QActionGroup(self)
            for name in prefix.split():
                group.addAction(self.actions_by_name[name])
        self.actions_by_name[f"theme_{self.settings.theme}"].setChecked(True)
        self.actions_by_name["motion"].setChecked(self.settings.motion)
        self.actions_by_name["mode_replay"].setChecked(True)

    def _connect(self) -> None:
        session, undo = self.session, self.session.undo
        session.experiment_changed.connect(self._experiment_changed)
        session.live.resuming.connect(self._resume)
        session.live.ended.connect(self._live_ended)
        session.live.changed.connect(self._live_changed)
        session.run_started.connect(lambda: self.let_stop(True))
        session.said.connect(self._session_said)
        session.opened.connect(self._opened)
        session.held.connect(self._held)
        session.experiment_changed.connect(lambda: self._withdraw_held())
        session.reading.progress.connect(self._reading)
        session.reading.failed.connect(self._unread)
        session.reading.cancelled.connect(self._show_anything)
        self.status.cancelled.connect(session.reading.cancel)
        self.documents.said.connect(self.say)
        self.documents.offered.connect(lambda words, button, act: self.notice.say(words, button=button, act=act))
        self.documents.lesson_found.connect(self.open_lesson)
        self.documents.log_found.connect(lambda path: self.importing.open(path))
        self.documents.progress.connect(self._reading)
        self.status.cancelled.connect(self.documents.cancel)
        self.memory.set_aside.connect(self._set_aside)
        self.memory.stranded.connect(self._stranded)
        self.memory.recovered.connect(self._recovered)
        self.memory.failed.connect(self.say)
        self.bottom.scrubber.sought.connect(self.commands.scrub)
        self.bottom.transport.speed_wanted.connect(self.commands.playback.quicken)
        undo.moved.connect(lambda _index: self.workspaces.say_undo())
        undo.moved.connect(self._stepped)
        for name, action in self.actions_by_name.items():
            action.triggered.connect(partial(self._commanded, name))
        undo.clean_changed.connect(lambda _clean: self.workspaces.say_title())
        self.workspaces.changed.connect(self.lessons.came_to)
        self.workspaces.say_undo()
        self.let_stop(False)

    # ------------------------------------------------------------------ opening

    def open_experiment(self, experiment: Experiment, path: Path | None = None) -> None:
        """Show an experiment: its network at rest at once, its run as soon as it is there."""
        self.session.start(experiment, path if path is not None else experiment.path)

    def open_trace(self, trace: Trace, path: Path) -> None:
        """Show a recorded run."""
        self.session.show_trace(trace, path)

    def open_lesson(self, ref: str | Path) -> bool:
        """Follow a lesson, by its name or its file; false, and a sentence, if it cannot be read."""
        return self.lessons.open(ref)

    def open_last(self, last: Last) -> bool:
        """Go on where the program was left, paused; false if the trace that was looked at cannot be read."""
        moment = self.settings.moment
        if last.experiment is not None:
            self.showing.resume = moment if moment > 0 else None
            self.session.start(last.experiment, last.file, modified=last.modified, branch=last.branch)
            return True
        self.showing.resume = moment if moment > 0 else None
        if last.file is None or not self.documents.open(last.file):
            self.showing.resume = None
            return False
        return True

    def _reading(self, words: str, share: float) -> None:
        self.status.work(words, share, "Stop reading; what is on the screen stays")

    def _unread(self, sentence: str) -> None:
        self._show_anything()
        self.say(sentence)

    def _show_anything(self) -> None:
        """A trace was not read: if it was to be the first thing to be seen, the example takes its place."""
        if self.session.shown is None and self.session.experiment is None:
            self.open_example()

    def open_example(self) -> None:
        """Show the experiment that opens first."""
        self.showing.resume = None
        self.open_experiment(self.shelf.archive.experiment(DEFAULT))

    def _set_aside(self, name: str, file: Path) -> None:
        sentence = f"{name} had unsaved changes; they are kept in {file}."
        self.notice.say(sentence, problem=False, button="Go back", act=lambda: self.documents.open(file))

    def _stranded(self, last: Last, why: str) -> None:
        """An experiment that no file could take is kept by the button that leads back to it."""
        experiment = last.experiment
        assert experiment is not None
        name = experiment.name or experiment.protocol

        def back() -> None:
            self.session.start(experiment, last.file, modified=True)

        words = f"{name} has unsaved changes that could not be kept in a file ({why}); go back to it and save it."
        self.notice.offer(words, "Go back", back, front=True)

    def _recovered(self, name: str, file: Path) -> None:
        words = f"{name} had unsaved changes when its window was closed; they are kept in {file}."
        self.notice.offer(words, "Go back", lambda: self.documents.open(file))

    def _held(self, strange: list[Path]) -> None:
        """The experiment names code that nobody has accepted: its network is shown at rest, and it is asked."""
        session = self.session
        if session.experiment is not None:
            self.show_resting(session.experiment)
        self.workspaces.say_title()

        def run() -> None:
            assert session.trust is not None
            session.trust.accept(strange)
            session.run()

        names = " and ".join(path.name for path in strange)
        words = f"This experiment runs code from {names}, in {strange[0].parent}."
        self._withdraw_held()
        self._withdraw_held = self.notice.offer(
            words, "Run", run, look=lambda: self.workspaces.look_at(strange[0]), front=True
        )

    def _forget_problem(self) -> None:
        """Another experiment takes the place of the one at hand: what went wrong with that one is over."""
        if self.session.experiment is not None or self.session.shown is not None:
            self.notice.forget_problem()

    def _opened(self) -> None:
        """Another experiment is at hand: its network is there at once, whatever its run does."""
        experiment = self.session.experiment
        if experiment is not None:  # a lesson that asks says what its run is about itself, and no more than it may
            self.show_resting(experiment.with_(about="") if self.session.withholding else experiment)

    def show_resting(self, experiment: Experiment) -> None:
        """The network of an experiment with nothing going on and nothing judged, if it can be read."""
        self.stage.checks.load([])
        network = self.shelf.known_network(experiment.network, experiment.path)
        if network is not None:
            source = self.shelf.source(experiment.protocol, experiment.path)
            self.showing.load(Timeline(resting(network, experiment, source)))

    # ------------------------------------------------------------------ what changed

    def _experiment_changed(self) -> None:
        self.workspaces.say_title()

    def run_title(self) -> str:
        """What the title says while the run is in front: its parts, and the experiment's name if that says more.

        A lesson whose runs are only seen as they are played says no more than it must.
        """
        experiment = self.session.experiment
        if experiment is None:
            return "A recorded run — LYDIAN"
        protocol, where = names_of(experiment)
        told = {"", protocol, where, automatic_name(experiment)}
        name = "" if experiment.name in told or self.session.withholding else f" — {experiment.name}"
        return f"{protocol.capitalize()} on {where}, seed {experiment.seed}{name} — LYDIAN"

    def _resume(self, t: float) -> None:
        """The run that comes next is shown at this time."""
        self.showing.resume = t

    def _live_changed(self) -> None:
        live = self.session.live
        self.actions_by_name["mode_live" if live.on else "mode_replay"].setChecked(True)
        self.let_stop(live.alive or self.session.worker.busy)

    def _stepped(self, index: int) -> None:
        """After a step back the status line says what was undone, not what was done; a step on ends that."""
        undo, before, self._steps = self.session.undo, self._steps, index
        if index < before and undo.count:
            self._undone = f"Undone: {undo.text(index)}"
            self.status.say(self._undone)
        elif index > before and self.status.label.text() == self._undone:
            self.status.say(f"Done: {undo.text(index - 1)}")

    def _commanded(self, name: str, _checked: bool = False) -> None:
        self.let_go_of_undone(name)

    def let_go_of_undone(self, command: str = "") -> None:
        """Something else is done: what was undone is no longer the last thing."""
        steps = command in ("undo", "redo") and self.workspaces.current == "run"
        if self._undone and not steps and self.status.label.text() == self._undone:
            self.status.say_state()

    def let_stop(self, on: bool) -> None:
        """Whether there is something that can be stopped."""
        self.actions_by_name["stop"].hinder("nothing", "" if on else "Nothing is running")

    def _live_ended(self, sentence: str) -> None:
        if sentence:
            self.notice.say(sentence, button="Start again", act=self.session.live.again)
            if (experiment := self.session.experiment) is not None:
                self._offer_help(sentence, experiment)

    def _session_said(self, sentence: str, problem: bool) -> None:
        if sentence or self._said_by_session:
            self.say(sentence, problem)
            if sentence == SILENT:
                self.notice.say(sentence, button="Stop it", act=self.session.stop)
            elif problem and (experiment := self.session.experiment) is not None:
                self._offer_help(sentence, experiment)
        self._said_by_session = bool(sentence)

    def _offer_help(self, sentence: str, experiment: Experiment) -> None:
        """A run that was refused because of its network comes with a button that mends the experiment."""
        names = self.panel.assumptions_broken()
        found = None if names and names[0] in BY_FAULTS else help_for(experiment, self.shelf)
        why, asked, _how = sentence.partition(f"; {ON_PURPOSE}")  # how: in a file and on the command line
        if found is not None:
            mend = partial(self._mend, found.text[:1].lower() + found.text[1:], **found.parts)
            self.notice.say(f"{why}." if asked else sentence, button=found.text, act=mend)
        elif names:
            mend = partial(self._mend, "break assumptions", breaks=(*experiment.breaks, *names))
            words = f"{why}, or break it on purpose." if asked else sentence
            self.notice.say(words, button="Break it on purpose", act=mend)

    def _mend(self, text: str, **parts: Any) -> None:
        """Change a refused experiment so that it runs, and go on as if it had not been refused."""
        self.session.change(text, **parts)
        self.workspaces.protocols.run_goes_on()

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

    def event(self, event: QEvent) -> bool:
        """A list, a drop-down or a text field under focus keeps the plain keys it needs, a button keeps Enter.

        Space is no such key: it plays and pauses wherever nobody types.
        """
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:  # to ask for types is slow
            focus = QApplication.focusWidget()
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            self._pressed_in = focus
            plain = not event.modifiers() & _HELD
            kept = event.key() in KEPT and isinstance(focus, _LISTS)
            if self.access.keeps(event) or (plain and (kept or (enter and isinstance(focus, _ENTERED)))):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button under focus and opens the drop-down, as Space is for playing."""
        focus = QApplication.focusWidget()
        here = focus is self._pressed_in  # a field that took the Enter may have passed the focus on
        if here and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & _HELD:
            if isinstance(focus, QAbstractButton):
                focus.click()
                return
            if isinstance(focus, QComboBox):
                focus.showPopup()
                return
        super().keyPressEvent(event)

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
        self.exports.close()
        self.importing.close()
        self.documents.close()
        self.showing.close()
        self.player.stop()
        self.commands.playback.waypoints.close()
        self.workspaces.close()
        self.lessons.close()
        self.session.close()
        self.settings.kept.close()
        event.accept()


def _column() -> tuple[QWidget, QVBoxLayout]:
    """A widget whose parts stand below each other, five pixels apart."""
    widget = QWidget()
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(5)
    return widget, column
