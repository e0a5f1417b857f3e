"""The Protocol workspace: the commands of its menu, and its connections to the rest of the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import set_look, set_up
from lydian.app.panels.help.helptry import kind_of, trial
from lydian.app.panels.help.helpwords import example, place_of_word
from lydian.app.window.workspaces.place import Front, QtWorkspace, Typing
from lydian.authoring.failing import Failure, failure_of
from lydian.desk.kept import text as kepttext
from lydian.desk.runs.run import Run
from lydian.language import tr, trc
from lydian.model.errors import LydianError
from lydian.trace.timeline import Timeline
from lydian.views.playback.until import Breakpoint
from lydian.views.selection import Selection

if TYPE_CHECKING:
    from lydian.app.panels.help.helpwords import Example
    from lydian.app.protocol.checking.otherruns import OtherRuns
    from lydian.app.protocol.workspace import ProtocolWorkspace
    from lydian.app.window.playback import Playback
    from lydian.desk.guide.pages import Place as GuidePlace
    from lydian.desk.workspaces import Steps
    from lydian.model.experiment.experiment import Experiment

__all__ = ["ProtocolPlace"]

WORDS = tr("Did other runs break too?")


class OtherCommands(QObject):
    """The question whether other runs break too, with its answer below the checks or below the code.

    Attributes:
        foot: the part below the checks, or ``None`` until a run has broken a check or the question was asked.
        button: the question in it.
        strip: the answer in it, or ``None`` until the question was asked.
    """

    def __init__(self, commands: ProtocolPlace) -> None:
        super().__init__(commands)
        self.commands, self.desk, self.stage = commands, commands.desk, commands.stage
        self.foot: QFrame | None = None
        self.button: QPushButton
        self.strip: OtherRuns | None = None
        self._broken = False  # whether the current run failed or broke a check
        self.desk.session.run_ready.connect(self._ready)
        self.desk.session.experiment_changed.connect(self._changed)

    def ask(self) -> None:
        """Run the current experiment with other seeds, and show how many of them break."""
        desk = self.desk
        if desk.workspaces.current == "protocol" and self.commands.workspace is not None:
            self.commands.workspace.further.others()
            return
        experiment = desk.session.experiment
        if experiment is None:
            desk.notices.say(tr("This run has no experiment and cannot be repeated with other seeds."), False)
            return
        if not desk.workspaces.show("run"):
            return
        path = experiment.path if experiment.path is not None else desk.session.path
        strip = self._strip()
        self.stage.show_view("checks", True)
        strip.ask(experiment.with_(path=path))
        self._show()

    def _ready(self, run: Run | None, _play: bool) -> None:
        """Show the question below the checks if the finished run broke one of them, or failed."""
        self._broken = False
        if run is not None and run.experiment is not None:
            checks = run.result.get("checks") or ()
            self._broken = run.problem is not None or any(check.get("holds") is False for check in checks)
        self._show()

    def _changed(self) -> None:
        """Discard the answer when the experiment has changed in more than its seed."""
        from lydian.app.protocol.checking.otherruns import same_but_seed

        if self.strip is not None and not same_but_seed(self.strip.asked, self.desk.session.experiment):
            self.strip.leave()

    def _show(self) -> None:
        shown = self.strip is not None and not self.strip.isHidden()
        if self._broken or shown:
            self._foot().show()
            self.button.setVisible(not shown)
        elif self.foot is not None:
            self.foot.hide()

    def _foot(self) -> QFrame:
        if self.foot is None:
            self.foot = QFrame()
            self.button = set_up(QPushButton(WORDS), look="offer", name=WORDS, clicked=lambda _on=False: self.ask())
            keys = self.commands.actions["protocol_others"].shortcut().toString()
            self.button.setToolTip(tr("Run the same experiment with twenty other seeds ({keys})", keys=keys))
            down(across(self.button, margins=(8, 2, 8, 4)), on=self.foot, margins=(0, 2, 0, 2))
            body = self.stage.docks["checks"].widget().layout()
            assert isinstance(body, QBoxLayout)
            body.addWidget(self.foot)
            set_look(self.button, self.stage.theme, icon="dice")
        return self.foot

    def _strip(self) -> OtherRuns:
        if self.strip is None:
            from lydian.app.protocol.checking.otherruns import OtherRuns

            self.strip = OtherRuns(self.stage.theme)
            self.strip.wanted.connect(lambda attempt: self.commands.watch(attempt.experiment))
            self.strip.closed.connect(self._show)
            column = self._foot().layout()
            assert column is not None
            column.addWidget(self.strip)
        return self.strip

    def close(self) -> None:
        """End all simulators."""
        if self.strip is not None:
            self.strip.close_all()


class ProtocolPlace(QtWorkspace):
    """The workspace of a protocol's text, with its commands.

    Args:
        front: the part of the window that shows it.
        actions: the actions of the menus.
        playback: sets breakpoints.
        network: runs the experiment on a network.
        help: shows a page of the guide.
    """

    name, word, about = "protocol", trc("workspace", "Protocol"), tr("Write a protocol of your own (Ctrl+Tab)")
    workspace: ProtocolWorkspace | None

    def __init__(
        self, front: Front, actions: Mapping[str, QAction], playback: Playback,
        network: Callable[[str], object], help: Callable[[GuidePlace], object],
    ) -> None:  # fmt: skip
        super().__init__(front)
        self.actions, self._playback, self._network, self._show_help = actions, playback, network, help
        self._pressed: tuple[float, float] | None = None
        self._breaks: dict[Breakpoint, int] = {}  # breakpoints that were set at a line
        self.desk.session.run_ready.connect(self._ready)
        self.others = OtherCommands(self)
        self.stage.canvases["step"].installEventFilter(self)  # a click on its code goes to the text
        on = bool(self.desk.settings.record("protocol").get("run_when_saved", False))
        self.desk.commands.check("protocol_watch_file", on)

    def made(self) -> ProtocolWorkspace:
        """Return the workspace; make it at the first call."""
        if self.workspace is None:
            from lydian.app.protocol.workspace import ProtocolWorkspace

            desk = self.desk
            w = self.workspace = ProtocolWorkspace(desk.session, desk.shelf, desk.settings, self.stage.theme)
            self.front.stack.addWidget(w)
            w.said.connect(self.front.say)
            w.watch_wanted.connect(lambda: desk.workspaces.show("run"))
            w.runs.over.connect(self._over)
            w.runs.outdated.connect(self._outdated)
            w.runs.hindered.connect(
                lambda bad: self.front.status.refuse(tr("Not run: line {line} contains an error", line=bad.line))
            )
            w.deed_wanted.connect(self._deed)
            w.event_wanted.connect(self.show_event)
            w.network_wanted.connect(lambda name: self._network(name))
            w.experiment_wanted.connect(self.watch)
            w.help_wanted.connect(self._help)
            w.break_wanted.connect(self.break_at_line)
            w.zoom_wanted.connect(self._zoom)
            for signal in (w.document.moved, w.document.edited, w.files.opened):
                signal.connect(self.front.say_title)
            w.document.text.undoAvailable.connect(lambda _on: self.front.say_undo())
            w.document.text.redoAvailable.connect(lambda _on: self.front.say_undo())
            w.file_actions = [
                self.actions[name]
                for name in ("protocol_new", "protocol_open", "protocol_save_as", "protocol_rename",
                             "protocol_compare", "protocol_watch_file")
            ]  # fmt: skip
            desk.session.experiment_changed.connect(self._experiment_changed)
            desk.waypoints.changed.connect(self.show_breaks)
        return self.workspace

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        table: dict[str, Callable[[ProtocolWorkspace], object]] = {
            "begin_write": lambda w: w.new(),
            "protocol_new": lambda w: w.new(),
            "protocol_open": lambda w: w.files.choose(),
            "protocol_save": lambda w: w.files.save(),
            "protocol_save_as": lambda w: w.files.save_as(),
            "protocol_rename": lambda w: w.top.begin_rename(),
            "protocol_compare": lambda w: w.compare_original(),
            "protocol_three": lambda w: w.run_three(),
            "protocol_keep": lambda w: w.keep(),
            "protocol_check": lambda w: w.run_kept(),
            "protocol_problem": lambda w: w.next_problem(),
            "protocol_failure": self.show_failure,
            "protocol_open_cell": lambda w: w.go_to_open(),
            "protocol_explore": lambda w: w.explore(),
        }
        return {
            **{name: partial(self.written, what) for name, what in table.items()},
            "workspace_protocol": lambda: self.desk.workspaces.show("protocol"),
            "protocol_watch_file": self._run_when_saved,
            "protocol_others": self.others.ask,
        }

    def written(self, what: Callable[[ProtocolWorkspace], object]) -> None:
        """Bring the protocol to the front and call a function with its workspace."""
        if self.desk.workspaces.show("protocol") and self.workspace is not None:
            what(self.workspace)

    def _run_when_saved(self, on: bool) -> None:
        self.made().set_run_when_saved(on)
        self.desk.notices.say(
            tr("The protocol now runs when another editor saves it.")
            if on
            else tr("The protocol no longer runs when another editor saves it."),
            False,
        )

    def show_strip(self, on: bool) -> None:
        """Show or hide problems, line and column in the status line."""
        if self.workspace is None:
            return
        strip = self.workspace.strip
        if strip.parent() is None:
            self.front.status.addPermanentWidget(strip)
        strip.setVisible(on)

    def run_goes_on(self) -> None:
        """Play the run under way if it is a run of the protocol in front, as F5 requests."""
        if self.desk.workspaces.current == "protocol" and self.workspace is not None and self.workspace.runs.is_run:
            self.workspace.runs.asked = True
            self.desk.session.play_when_ready()

    # ------------------------------------------------------------------ runs that failed

    def _ready(self, run: Run | None, _play: bool) -> None:
        """Offer to show the line at which a watched run failed."""
        if run is None or run.problem is None:
            return
        if self.desk.workspaces.current == "protocol":
            return
        timeline = run.timeline if run.timeline is not None else Timeline(run.trace)
        failure = failure_of(timeline)
        if failure is not None and self._path(run.experiment) is not None:
            self.desk.notices.show(run.problem, button=tr("Show the line"), act=lambda: self.to_failure(run, timeline))

    def _over(self, failed: bool) -> None:
        """Pause after a failed run of the protocol and clear the notice, since the error is shown beside its line."""
        if failed and self.desk.workspaces.current == "protocol":
            self.desk.playhead.pause()
            self.desk.notices.show("")

    def _outdated(self, sentence: str) -> None:
        """Clear a notice about the text that is no longer true."""
        if self.desk.notices.text == sentence:
            self.desk.notices.show("")

    def _path(self, experiment: Experiment | None) -> Path | None:
        if experiment is None:
            return None
        place = experiment if experiment.path is not None else experiment.with_(path=self.desk.session.path)
        try:
            return self.desk.shelf.archive.find("protocols", place.protocol_ref).absolute()
        except LydianError:
            return None

    def to_failure(self, run: Run, timeline: Timeline) -> None:
        """Bring the protocol of a failed run to the front, at the line where it failed."""
        path = self._path(run.experiment)
        w = self.made()
        if path is None or not (path == w.document.path or w.files.open(path)):
            return
        if not self.desk.workspaces.show("protocol"):
            return
        if run.trace.source.replace("\r\n", "\n") == w.document.source:
            w.runs.take(run, timeline)
            w.run_is_over(True)
        else:
            failure = failure_of(timeline)
            self.desk.notices.say(tr("The text has changed since that run; press F5 to run the current text."), False)
            if failure is not None and failure.line:
                w.go_to(failure.line)

    def open_line(self, line: int) -> None:
        """Bring the protocol of the run on the screen to the front, at a line."""
        run = self.desk.session.shown
        path = None if run is None else self._path(run.experiment)
        w = self.made()
        opened = path is not None and (path == w.document.path or w.files.open(path))
        if opened and self.desk.workspaces.show("protocol"):
            w.go_to(line)

    def show_failure(self, w: ProtocolWorkspace) -> None:
        """Go to the line at which the latest run failed."""
        if w.runs.failure is None:
            self.desk.notices.say(tr("The latest run of this text did not fail."), False)
        else:
            w.show_failure(w.runs.failure)

    def _deed(self, name: str) -> None:
        w = self.workspace
        if w is None or w.runs.failure is None:
            return
        if name == "show":
            self.show_moment(w.runs.failure)
        elif name == "stop":
            self.stop_next_time(w.runs.failure)

    def show_moment(self, failure: Failure) -> None:
        """Show all views of the run at the moment of the failure, with the process selected."""
        self.show_event(failure.seq)

    def show_event(self, seq: int) -> None:
        """Show all views of the latest run of the text at an event, with the event and its process selected."""
        w, head = self.made(), self.desk.playhead
        run = w.runs.run
        if run is not None and self.desk.session.shown is not run:
            self.desk.session.show(run)
        if not self.desk.workspaces.show("run"):
            return
        head.pause()
        timeline = head.timeline
        if timeline is None or not 0 <= seq < timeline.length:
            return
        head.seek(float(timeline.time[seq]))
        process = int(timeline.process[seq])
        head.select(Selection(processes=frozenset({process} if process >= 0 else ()), event=seq))

    def stop_next_time(self, failure: Failure) -> None:
        """Add a breakpoint at the kind of event at which the process failed."""
        self._playback.add_break(breakpoint_of(failure))

    def break_at_line(self, line: int) -> None:
        """Add or remove a breakpoint at the event that the function in a line handles."""
        w, waypoints = self.made(), self.desk.waypoints
        outline = w.document.outline
        event = next(
            (event for (_state, event), cell in outline.cells.items()
             if cell.kind != "impossible" and cell.line - 3 <= line <= cell.end_line), ""
        )  # fmt: skip
        if not event:
            self.desk.notices.say(
                tr("Set breakpoints in functions of the table: playing stops when their events occur."), False
            )
            return
        is_message = event in [each.name for each in outline.messages]
        wanted = Breakpoint("message", event, kind="receive" if is_message else None)
        if event == "INIT":
            wanted = Breakpoint("filter", "kind=init")
        if wanted in waypoints.breakpoints:
            waypoints.delete_break(waypoints.breakpoints.index(wanted))
        else:
            self._breaks[wanted] = line
            self._playback.add_break(wanted)
        self.show_breaks()

    def show_breaks(self) -> None:
        """Mark the lines of the breakpoints that still exist."""
        if self.workspace is None:
            return
        there = self.desk.waypoints.breakpoints
        self._breaks = {each: line for each, line in self._breaks.items() if each in there}
        self.workspace.code.set_breaks(sorted(self._breaks.values()))

    # ------------------------------------------------------------------ from the run to the code

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go to a line of the protocol that is clicked in the process view."""
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            place = event.position().toTuple()
            if event.type() == QEvent.Type.MouseButtonPress:
                self._pressed = place
            elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
                near = abs(self._pressed[0] - place[0]) + abs(self._pressed[1] - place[1]) <= 4
                line = self.line_in_step(event.position()) if near else 0
                if line:
                    self.to_line(line)
                    return True
        return super().eventFilter(watched, event)

    def line_in_step(self, place: QPointF | QPoint) -> int:
        """Return the line of the protocol at a point of the process view, or 0 if there is none."""
        canvas = self.stage.canvases["step"]
        if canvas.painter is None or canvas.frame is None or canvas.trouble is not None:
            return 0
        return int(canvas.painter.code_line_at(QPointF(place), QRectF(canvas.rect()), canvas.frame))

    def to_line(self, line: int) -> None:
        """Show the protocol of the current run at a line."""
        session = self.desk.session
        path = self._path(session.experiment)
        if path is None:
            self.desk.notices.say(tr("The protocol of this run is not available: only its trace was opened."), False)
            return
        w = self.made()
        if (path == w.document.path or w.files.open(path)) and self.desk.workspaces.show("protocol"):
            w.go_to(line)

    def watch(self, experiment: Experiment) -> None:
        """Run and watch another experiment of this protocol, as one step of undo."""
        session = self.desk.session
        if not self.desk.workspaces.show("run"):
            return
        if session.experiment is None:
            session.start(experiment, play=True)
            return
        network = experiment.network if isinstance(experiment.network, str) else experiment.network.name
        protocol = experiment.protocol
        if experiment.path is not None and session.path != experiment.path:
            protocol = str(self._path(experiment) or protocol)
        before = session.experiment
        session.change(
            tr("run on {network}", network=network),
            protocol=protocol, network=experiment.network, parameters=experiment.parameters, seed=experiment.seed,
            timing=experiment.timing, stop=experiment.stop, workload=experiment.workload, faults=experiment.faults,
            interventions=experiment.interventions, traffic=experiment.traffic, churn=experiment.churn,
            mobility=experiment.mobility,
            daemon=experiment.daemon, start=experiment.start, branches=(), animation=None,
        )  # fmt: skip
        if session.experiment is before:
            session.run(play=True)
        else:
            session.play_when_ready()

    # ------------------------------------------------------------------ the rest

    def _help(self, word: str) -> None:
        w = self.made()
        self._show_help(place_of_word(word, kind_of(word, w.document.source, w.code.line)))

    def try_example(self, what: str) -> None:
        """Open an example of the guide as a protocol of the user's own, with the network that the guide uses."""
        found = example(what)
        if found is None:
            self.desk.notices.say(tr("The guide has no example named {example}.", example=what))
            return
        self.written(lambda w: self._try(w, found))

    def _try(self, w: ProtocolWorkspace, found: Example) -> None:
        if not w.files.new(found.source, found.name) or w.document.path is None:
            return
        session, now = self.desk.session, w.runs.experiment()
        parts = trial(found, now, str(w.document.path))
        if session.experiment is None:
            session.start(now.with_(**parts))
        else:
            session.change(tr("{example} of the guide", example=found.name), anew=True, **parts)
        w.show_experiment()
        sentence = tr("{protocol} is yours: change it as you like, and press F5.", protocol=w.document.name)
        w.bar.say(sentence, (trc("command", "Run"), w.run))

    def _zoom(self, direction: int) -> None:
        self.desk.commands.do("text_larger" if direction > 0 else "text_smaller")

    def _experiment_changed(self) -> None:
        if self.desk.workspaces.current == "protocol" and self.workspace is not None:
            self.workspace.show_experiment()

    def offer_kept(self) -> None:
        """Offer to continue editing a text that was not saved before the program ended."""
        folder = self.desk.settings.kept
        for file in folder.left(kepttext.FILE):
            kept = kepttext.read(file)
            if kept is not None:
                self.desk.notices.offer(
                    tr("Unsaved changes to {protocol} have been kept.", protocol=kept.name),
                    tr("Continue writing"),
                    partial(self.go_on, kept, file),
                    partial(folder.forget, file),
                )

    def go_on(self, kept: kepttext.KeptText, file: Path) -> None:
        """Open a kept text; from then on, it is the current text."""
        self.written(lambda w: w.files.go_on(kept, file))

    # ------------------------------------------------------------------ as a workspace

    @property
    def title(self) -> str:
        return tr("{protocol} — Protocol — LYDIAN", protocol=self.made().document.name)

    @property
    def modified(self) -> bool:
        return self.made().document.modified

    @property
    def steps(self) -> Steps:
        return Typing(self.made().document.text)

    def acts(self) -> dict[str, Callable[[], object]]:
        w = self.made()
        return {"new": w.new, "open": w.files.choose, "save": w.files.save, "save_as": w.files.save_as, "run": w.run}

    def come(self) -> None:
        w = self.made()
        w.sync()
        self.bring(w, w.code)

    def close(self) -> None:
        """Keep the text for the next start, and end all work."""
        self.others.close()
        super().close()


def breakpoint_of(failure: Failure) -> Breakpoint:
    """Return the breakpoint that stops at the kind of event at which a process failed."""
    if failure.kind == "message":
        return Breakpoint(
            "message", failure.event, process=failure.process, kind="receive", peer=failure.sender or None
        )  # fmt: skip
    if failure.event and failure.kind != "init":
        return Breakpoint("message", failure.event, process=failure.process)
    return Breakpoint("time", failure.time)
