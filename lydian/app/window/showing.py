"""Keeping the views in step with the run on the screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from lydian.app.look.icons import icon
from lydian.app.work.background import Background
from lydian.pieces.animation import Animation, animation_for, generic, unread
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import network_of
from lydian.views.time.axis import remember

if TYPE_CHECKING:
    from lydian.app.panels.experiment.experiment import ExperimentPanel
    from lydian.app.panels.narration import Narration
    from lydian.app.stage.stage import Stage
    from lydian.app.window.onprocesses import OnProcesses
    from lydian.desk.desk import Desk

__all__ = ["Showing"]


class Showing(QObject):
    """The link that passes the run on the screen and the moment of the play head to the views."""

    def __init__(
        self, desk: Desk, stage: Stage, panel: ExperimentPanel, narration: Narration, on_processes: OnProcesses,
        play: QAction, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.desk, self.stage, self.panel, self.narration = desk, stage, panel, narration
        self._on_processes, self._play = on_processes, play
        self._first_play = True
        self._was_playing = False
        self._reader, self._reads = Background(self), Path()  # of animations by other people
        self._reader.done.connect(lambda _animation: self._declared())
        self._reader.failed.connect(desk.notices.say)
        screen = desk.screen
        screen.drawn = self.drawn
        screen.loading.connect(self._loading)
        screen.loaded.connect(self._loaded)
        screen.grown.connect(self._grown)
        screen.judged.connect(self._judged)
        screen.growing.connect(narration.set_growing)
        screen.ended.connect(narration.offer)
        screen.waiting.connect(self._waiting)
        desk.session.leaving.connect(stage.reset_zoom)
        stage.player.changed.connect(self._changed)

    # ------------------------------------------------------------------ runs

    def _loading(self, before: Timeline | None, timeline: Timeline) -> None:
        for canvas in self.stage.pictures():
            canvas.retry()
        self.stage.copies.load(timeline)
        if not _same_drawing(before, timeline):
            self.stage.fit_drawings()
        for camera in self.stage.cameras():
            camera.load(timeline)

    def _loaded(self, _timeline: Timeline, animation: Animation) -> None:
        self._load_panes()
        self.stage.selected(bool(self.desk.playhead.selection.processes))
        self._complain(animation)

    def _grown(self, timeline: Timeline, events: bool) -> None:
        for camera in self.stage.cameras():
            camera.grow(timeline)
        if events:
            self._load_panes()

    def _load_panes(self) -> None:
        for pane in self.stage.panes():
            pane.load()

    def _judged(self, checks: Sequence[Mapping[str, Any]]) -> None:
        self.stage.checks.load([dict(check) for check in checks])

    def _waiting(self) -> None:
        if self._first_play:
            self.stage.big_play.offer()

    # ------------------------------------------------------------------ animations

    def drawn(self, timeline: Timeline) -> Animation:
        """Return the animation of a run, with the variable that the user chose for its processes."""
        return self._on_processes.drawn(self._animation(timeline), timeline)

    def _animation(self, timeline: Timeline) -> Animation:
        """Return the animation of a run, or a default one while a separate process reads the declared one."""
        trace = timeline.trace
        file = unread(trace)
        if file is None:
            return remember(timeline, "animation", lambda: animation_for(trace))
        if not self._reader.busy or self._reads != file:
            self._reads = file
            self._reader.start(lambda _report: animation_for(trace))
        return generic(trace.states, trace.labels)

    def _declared(self) -> None:
        """Use the declared animation of the run on the screen, which has been read."""
        head = self.desk.playhead
        if head.timeline is None:
            return
        head.animation = self.drawn(head.timeline)
        for canvas in self.stage.pictures():
            canvas.retry()
            canvas.update()
        self._load_panes()
        self.narration.refresh()
        self._complain(head.animation)

    def _complain(self, animation: Animation) -> None:
        if animation.problem:
            self.desk.notices.say(animation.problem)

    def close(self) -> None:
        """End the thread."""
        self._reader.close()

    # ------------------------------------------------------------------ time

    def _changed(self, what: str) -> None:
        head, commands = self.desk.playhead, self.desk.commands
        if what == "time":
            self.panel.now = max(head.t, 0.0)
            theme = self.stage.theme
            for camera in self.stage.cameras():
                camera.follow(head.t, 0.0 if theme.still else theme.size("motion.zoomFit.ms") / 1000)
            if not head.at_start:
                self._let_go_of_play()
        elif what == "playing":
            self._playing_changed()
        elif what == "selection" and not self.desk.screen.busy:
            self.stage.selected(bool(head.selection.processes))
        elif what == "loop":
            commands.check("loop", head.loop)
        elif what == "speed":
            commands.check("pace_events", head.pace == "events")

    def _playing_changed(self) -> None:
        head = self.desk.playhead
        self._play.setIcon(icon("pause" if head.playing else "play", self.stage.theme, "text.onAccent"))
        if head.playing:
            self._let_go_of_play()
            for camera in self.stage.cameras():
                camera.following = True
        elif self._was_playing:
            self.desk.settings.moment = head.t
        self._was_playing = head.playing

    def _let_go_of_play(self) -> None:
        self._first_play = False
        self.stage.big_play.fade()


def _same_drawing(before: Timeline | None, now: Timeline) -> bool:
    """Return whether two runs have their processes at the same positions, so that a zoom fits both."""
    if before is None or before.processes != now.processes:
        return False
    return np.array_equal(network_of(before).coordinates, network_of(now).coordinates)
