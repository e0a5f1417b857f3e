"""The effects of the commands on the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
from lydian.app.commands.table import commands
from lydian.app.panels.experiment.experiment import ExperimentPanel, other_seed
from lydian.app.panels.timeline.scrubber import Scrubber
from lydian.app.window.doubleclick import offer as offer_double_click
from lydian.app.window.timecommands import TimeCommands
from lydian.language import tr
from lydian.views.selection import NOTHING

if TYPE_CHECKING:
    from lydian.app.live.choosing.scheduling import Scheduling
    from lydian.app.live.tools.interference import Interference
    from lydian.app.stage.stage import Stage
    from lydian.app.window.looks import Looks
    from lydian.app.window.playback import Playback
    from lydian.app.window.workspaces.assignment import AssignmentPlace
    from lydian.app.window.workspaces.sweep import SweepPlace
    from lydian.app.work.documents import Documents
    from lydian.desk.desk import Desk

__all__ = ["Commands"]


class Commands:
    """The functions of the commands, as methods or single expressions."""

    def __init__(
        self, desk: Desk, stage: Stage, panel: ExperimentPanel, documents: Documents, looks: Looks, playback: Playback,
        turns: Scheduling, interference: Interference, stoppable: Sequence[SweepPlace | AssignmentPlace],
    ) -> None:  # fmt: skip
        self.desk, self.stage, self.panel, self.documents, self.looks = desk, stage, panel, documents, looks
        self.playback, self.times = playback, TimeCommands(desk, stage)
        self._turns, self._interference, self._stoppable = turns, interference, stoppable
        desk.commands.check("mode_replay", True)
        desk.session.live.changed.connect(self._say_mode)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        head, stage, panel, session = self.desk.playhead, self.stage, self.panel, self.desk.session
        table: dict[str, Callable[..., object]] = {
            "save_trace": self.documents.save_trace,
            "picture": lambda: stage.save_picture(stage.focused),
            "copy_picture": lambda: stage.options.copy_picture(stage.focused),
            "copy_svg": lambda: stage.options.copy_svg(stage.focused),
            "clear_selection": self.clear,
            "find": self.find,
            "find_next": lambda: self.find_next(1),
            "find_previous": lambda: self.find_next(-1),
            "maximise": lambda on: stage.maximise(),
            "fit": self.fit,
            "fit_all": stage.fit_all,
            "whole_run": lambda: self._along().toggle(),
            "window_earlier": lambda: self._along().move(-0.5),
            "window_later": lambda: self._along().move(0.5),
            "zoom_in": lambda: self.zoom(1.25),
            "zoom_out": lambda: self.zoom(0.8),
            "run_live": session.live.run,
            "mode_replay": lambda on: session.live.switch(False),
            "mode_live": lambda on: session.live.switch(True),
            "stop": self.stop,
            "new_seed": self.new_seed,
            "other_delays": panel.other_delays,
            "other_network": panel.next_network,
            "play": self._turns.instead(head.toggle),
            "step_back": lambda: stage.player.step(-1),
            "step_forward": self._turns.instead(self.step_forward),
            "process_back": lambda: self.process_step(-1),
            "process_forward": lambda: self.process_step(1),
            "unit_back": lambda: head.leap(-1),
            "unit_forward": lambda: head.leap(1),
            "to_start": lambda: self.desk.jump(head.start),
            "to_end": lambda: self.desk.jump(head.end),
            "play_back": lambda: head.shuttle(-1),
            "pause": head.pause,
            "play_forward": lambda: head.shuttle(1),
            "loop": head.set_loop,
            "slower": head.slower,
            "faster": head.faster,
            "go_event": self.go_event,
            "double_click": lambda: offer_double_click(self.desk.notices),
            "about": self.about,
        }
        for name in (command.name for command in commands()):
            if name.startswith("view_"):
                table[name] = lambda on, name=name[5:]: stage.show_view(name, on)
            elif name.startswith("new_view_"):
                table[name] = lambda kind=name[9:]: stage.copies.open(kind)
        return table | self.playback.handlers() | self.times.handlers()

    def _say_mode(self) -> None:
        self.desk.commands.check("mode_live" if self.desk.session.live.on else "mode_replay", True)

    # ------------------------------------------------------------------ time

    def step_forward(self) -> None:
        """Go forward one event; at the front of a live run, let the next event happen."""
        live = self.desk.session.live
        if live.alive and live.pacing.at_the_front:
            self.desk.playhead.pause()
            live.step()
        else:
            self.stage.player.step(1)

    def stop(self) -> None:
        """Stop the simulator and keep the run so far."""
        session = self.desk.session
        if any(place.stops() for place in self._stoppable):
            return
        if self.desk.programs.on:
            self.desk.programs.stop()
        elif session.live.on:
            session.live.stop()
        else:
            session.stop()

    def process_step(self, direction: int) -> None:
        """Go to the next or previous event of the selected process, or of any process if none is selected."""
        chosen = sorted(self.desk.playhead.selection.processes)
        self.stage.player.step(direction, chosen[0] if chosen else None)

    def go_event(self) -> None:
        head = self.desk.playhead
        if head.timeline is not None and head.selection.event is not None:
            self.desk.jump(float(head.timeline.time[head.selection.event]))

    def find(self) -> None:
        """Focus the field above the text trace."""
        stage = self.stage
        stage.show_view("trace", True)
        stage.pane.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        stage.pane.field.selectAll()

    def find_next(self, direction: int) -> None:
        """Go to the next or previous event that matches the filter; without a filter, focus its field."""
        if self.stage.pane.matches is None:
            self.find()
            return
        sentence = self.stage.pane.step(direction)
        if sentence:
            self.desk.notices.say(sentence, False)

    # ------------------------------------------------------------------ what is shown

    def clear(self) -> None:
        """Clear the selection; if there is none, restore the maximised view, else leave projector mode."""
        if self._interference.let_go() or self.playback.cancel():
            return
        head = self.desk.playhead
        if self.times.end() and not head.selection:
            return
        if not head.selection and not self.stage.put_back() and self.looks.theme.projector:
            self.looks.project(False)
        head.select(NOTHING)

    def fit(self) -> None:
        """Zoom the view that has the focus to the selection, or to everything if nothing is selected."""
        canvas, head = self.stage.focused, self.desk.playhead
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

    def zoom(self, factor: float) -> None:
        """Zoom the view that has the focus, or the time window if the time line has it."""
        focused = QApplication.focusWidget()
        if isinstance(focused, Scrubber):
            focused.zoom(factor)
        else:
            self.stage.focused.zoom(factor)

    def _along(self) -> TimeCamera:
        """Return the time window of the view that has the focus, or the common one."""
        camera = self.stage.focused.camera
        return camera if isinstance(camera, TimeCamera) else self.stage.camera

    # ------------------------------------------------------------------ the rest

    def new_seed(self) -> None:
        experiment = self.desk.session.experiment
        if experiment is not None:
            self.panel.set_seed(other_seed(experiment.seed))

    def about(self) -> None:
        import lydian

        version = getattr(lydian, "__version__", "")
        self.desk.notices.show(
            tr("LYDIAN {version}: a laboratory for distributed algorithms. MIT licence.", version=version),
            problem=False,
        )
