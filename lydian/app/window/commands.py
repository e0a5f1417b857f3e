"""What each command of the table does to the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
from lydian.app.commands.actions import commands
from lydian.app.live import goingback
from lydian.app.panels.experiment import other_seed
from lydian.app.window.doubleclick import offer as offer_double_click
from lydian.app.window.finder import finder
from lydian.app.window.playback import Playback
from lydian.app.window.timecommands import TimeCommands
from lydian.formats.traces import FORMATS as TRACE_FORMATS
from lydian.views.frame import NOTHING

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["Commands"]


class Commands:
    """One method or one line for every command."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.playback = Playback(window)
        self.times = TimeCommands(window)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does."""
        w, head, player = self.window, self.window.playhead, self.window.player
        session, documents = w.session, w.documents
        table: dict[str, Callable[..., object]] = {
            "open": documents.choose,
            "save": documents.save,
            "save_as": documents.save_as,
            "save_trace": documents.save_trace,
            "picture": lambda: w.stage.save_picture(w.stage.focused),
            "pictures": lambda: w.exports.pictures(),
            "copy_picture": lambda: w.stage.options.copy_picture(w.stage.focused),
            "copy_svg": lambda: w.stage.options.copy_svg(w.stage.focused),
            "import_log": lambda: w.importing.choose(),
            "export_page": lambda: w.exports.page(),
            "hand_in": lambda: w.exports.hand_in(),
            "export_movie": lambda: w.exports.movie(),
            "quit": w.close,
            "undo": session.undo.undo,
            "redo": session.undo.redo,
            "clear_selection": self.clear,
            "find": self.find,
            "find_next": lambda: self.find_next(1),
            "find_previous": lambda: self.find_next(-1),
            "palette": lambda: finder(w).open(),
            "bounds": w.bounds.show,
            "layout_watch": lambda on: w.looks.arrange("watch"),
            "layout_study": lambda on: w.looks.arrange("study"),
            "layout_debug": lambda on: w.looks.arrange("debug"),
            "maximise": lambda on: w.stage.maximise(),
            "layout_reset": self.reset_layout,
            "projector": lambda on: w.looks.project(on),
            "fit": self.fit,
            "fit_all": lambda: w.stage.fit_all(),
            "zoom_in": lambda: w.stage.focused.zoom(1.25),
            "zoom_out": lambda: w.stage.focused.zoom(0.8),
            "run": lambda: session.run(play=True),
            "run_live": session.live.run,
            "mode_replay": lambda on: session.live.switch(False),
            "mode_live": lambda on: session.live.switch(True),
            "stop": self.stop,
            "new_seed": self.new_seed,
            "other_delays": lambda: w.panel.other_delays(),
            "other_network": lambda: w.panel.next_network(),
            "play": head.toggle,
            "step_back": lambda: player.step(-1),
            "step_forward": self.step_forward,
            "process_back": lambda: self.process_step(-1),
            "process_forward": lambda: self.process_step(1),
            "unit_back": lambda: head.leap(-1),
            "unit_forward": lambda: head.leap(1),
            "to_start": lambda: self.jump(head.start),
            "to_end": lambda: self.jump(head.end),
            "play_back": lambda: head.shuttle(-1),
            "pause": head.pause,
            "play_forward": lambda: head.shuttle(1),
            "loop": head.set_loop,
            "slower": head.slower,
            "faster": head.faster,
            "go_event": self.go_event,
            "double_click": lambda: offer_double_click(w.notice),
            "about": self.about,
        }
        for name in (command.name for command in commands()):
            if name.startswith("view_"):
                table[name] = lambda on, name=name[5:]: w.stage.show_view(name, on)
            elif name.startswith("new_view_"):
                table[name] = lambda kind=name[9:]: w.stage.copies.open(kind)
        table |= self.playback.handlers()
        table |= self.times.handlers()
        for name in TRACE_FORMATS:
            table[f"export_{name}"] = lambda name=name: w.exports.trace(name)
        table |= w.workspaces.handlers()
        table |= w.access.handlers()
        table |= w.offers.handlers()
        table |= w.helping.handlers()
        table |= w.lessons.handlers()
        table |= goingback.handlers(w)
        table |= w.turns.handlers()
        table |= w.interference.handlers()
        for name in ("play", "step_forward"):
            table[name] = w.turns.instead(table[name])
        begin = table["new"]
        table["new"] = lambda: w.workspaces.either(
            begin, lambda editor: editor.new(), lambda text: text.new(), lambda sweep: sweep.files.new()
        )
        for name in ("system", "light", "dark"):
            table[f"theme_{name}"] = lambda on, name=name: w.looks.choose(name)
        return table

    # ------------------------------------------------------------------ time

    def jump(self, t: float) -> None:
        self.window.playhead.pause()
        self.window.playhead.seek(t)

    def step_forward(self) -> None:
        """One event on; at the front of a live run that is one that has yet to happen."""
        live = self.window.session.live
        if live.alive and live.pacing.at_the_front:
            self.window.playhead.pause()
            live.step()
        else:
            self.window.player.step(1)

    def stop(self) -> None:
        """Stop the simulator; what happened so far stays."""
        session = self.window.session
        if self.window.workspaces.sweeps.stops():
            return
        if session.live.on:
            session.live.stop()
        else:
            session.stop()

    def scrub(self, t: float) -> None:
        """The time line is held: time stops and follows the pointer."""
        self.jump(t)

    def process_step(self, direction: int) -> None:
        """The next or previous event of the selected process; of any process if none is selected."""
        chosen = sorted(self.window.playhead.selection.processes)
        self.window.player.step(direction, chosen[0] if chosen else None)

    def go_event(self) -> None:
        head = self.window.playhead
        if head.timeline is not None and head.selection.event is not None:
            self.jump(float(head.timeline.time[head.selection.event]))

    def find(self) -> None:
        """To the field above the text trace."""
        stage = self.window.stage
        stage.show_view("trace", True)
        stage.pane.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        stage.pane.field.selectAll()

    def find_next(self, direction: int) -> None:
        """The next or previous event that the filter means; without a filter, to where one is written."""
        if self.window.stage.pane.matches is None:
            self.find()
            return
        sentence = self.window.stage.pane.step(direction)
        if sentence:
            self.window.say(sentence, False)

    # ------------------------------------------------------------------ what is shown

    def clear(self) -> None:
        """Esc lets go of the selection; with nothing selected, of the view that is maximised, then of the projector."""
        if self.window.interference.let_go() or self.playback.cancel():
            return
        head = self.window.playhead
        if self.times.end() and not head.selection:
            return
        if not head.selection and not self.window.stage.put_back() and self.window.theme.projector:
            self.window.looks.project(False)
        head.select(NOTHING)

    def fit(self) -> None:
        """The selection as large as fits in the view under focus; everything if nothing is selected."""
        canvas, head = self.window.stage.focused, self.window.playhead
        timeline, chosen = head.timeline, head.selection
        if timeline is None or not chosen:
            canvas.fit()
        elif isinstance(canvas.camera, TimeCamera):
            messages = sorted(chosen.messages)
            times = [float(timeline.message_sent[m]) for m in messages]
            times += [float(t) for t in timeline.message_arrived[messages] if np.isfinite(t)]
            times += [float(timeline.time[chosen.event])] if chosen.event is not None else []
            for process in chosen.processes if not times else ():
                events = timeline.events_of(process)
                times += [float(timeline.time[events[0]]), float(timeline.time[events[-1]])] if len(events) else []
            if times:
                air = max((max(times) - min(times)) * 0.15, (canvas.camera.whole[1]) * 0.02)
                canvas.camera.following = False
                canvas.camera.show(min(times) - air, max(times) + air)
        elif isinstance(canvas.camera, NetworkCamera):
            canvas.fit_processes(sorted(chosen.processes | {end for link in chosen.links for end in link}))

    def toggle_theme(self) -> None:
        """Light if it is dark, dark if it is light."""
        self.window.looks.choose("light" if self.window.theme.dark else "dark")

    def reset_layout(self) -> None:
        self.window.stage.fit_all()
        self.window.looks.reset()

    # ------------------------------------------------------------------ the rest

    def new_seed(self) -> None:
        experiment = self.window.session.experiment
        if experiment is not None:
            self.window.panel.set_seed(other_seed(experiment.seed))

    def about(self) -> None:
        import lydian

        version = getattr(lydian, "__version__", "")
        self.window.notice.say(
            f"LYDIAN {version}: a laboratory for distributed algorithms. MIT licence.", problem=False
        )
