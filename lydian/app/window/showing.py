"""Runs on the screen: what is shown of a run that is over or goes on, and what follows when time moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from lydian.app.look.icons import icon
from lydian.app.work.background import Background
from lydian.desk.session import Run
from lydian.pieces.animation import Animation, animation_for, generic, unread
from lydian.trace.beginning import Beginning
from lydian.trace.timeline import Timeline
from lydian.views.frame import Selection
from lydian.views.network.scene import network_of
from lydian.views.time.axis import remember

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["Showing"]


class Showing(QObject):
    """Puts runs before the play head and keeps the window's parts in step with it.

    Attributes:
        resume: the moment at which the next run is shown, paused; ``None`` for its start.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.resume: float | None = None
        self._first_play = True
        self._was_playing = False
        self._loading = False  # the selection goes and comes back meanwhile
        self._hungry = False  # it played to the end of what there is of a run that goes on
        self._reader, self._reads = Background(self), Path()  # of animations of others
        self._reader.done.connect(lambda _animation: self._declared())
        self._reader.failed.connect(window.say)
        window.session.leaving.connect(window.stage.fit_all)
        window.session.run_ready.connect(self.show)
        window.session.run_grown.connect(self.show_part)
        window.player.changed.connect(self._changed)

    # ------------------------------------------------------------------ runs

    def show(self, run: Run | None, play: bool) -> None:
        """A run is over: show it from its start, or go on where its beginning is being looked at."""
        window = self.window
        window.let_stop(window.session.worker.busy)
        window.bottom.narration.set_growing(False)
        if run is None:
            self._leave_another()
            return
        timeline = run.timeline or Timeline(run.trace)
        if run.continues:
            self._extend(timeline)
        else:
            play = play or window.playhead.playing
            self.load(timeline)
        checks = [dict(c) for c in run.result.get("checks") or run.trace.summary.get("checks") or ()]
        window.stage.checks.load(checks)
        if not run.continues:
            self._begin(play)

    def _leave_another(self) -> None:
        """There is no run: what is on the screen goes if it is of another protocol or network than the experiment."""
        session = self.window.session
        experiment, shown = session.experiment, session.shown
        if experiment is None or shown is None or shown.experiment is None or session.worker.busy:
            return
        before = shown.experiment
        if (before.protocol, before.network) != (experiment.protocol, experiment.network):
            self.window.show_resting(experiment)

    def show_part(self, run: Run, first: bool, play: bool) -> None:
        """A run goes on: show what there is of it, from the start at first, then where it is looked at."""
        window, timeline = self.window, run.timeline or Timeline(run.trace)
        checks = [dict(check) for check in run.result.get("checks") or ()]
        if first:
            play = play or window.playhead.playing
            self.load(timeline, run.beginning)
            window.stage.checks.load(checks)
            window.bottom.narration.set_growing(not window.session.live.on and run.beginning is None)
            self._begin(play)
        else:
            self._extend(timeline)
            if checks or window.session.live.on:
                window.stage.checks.load(checks)

    def load(self, timeline: Timeline, beginning: Beginning | None = None) -> None:
        """Show another run from its start; what was selected stays selected if it has the same processes.

        With the ``beginning`` of a run, only what was played is seen of it.
        """
        window, chosen = self.window, self.window.playhead.selection
        before = window.playhead.timeline
        same = before is not None and before.processes == timeline.processes
        animation = window.on_processes.drawn(self._animation(timeline), timeline)
        for canvas in window.stage.pictures():
            canvas.retry()
        window.stage.copies.load(timeline)
        if not _same_drawing(before, timeline):
            window.stage.fit_drawings()
        self._hungry, self._loading = False, True
        window.bottom.narration.set_growing(False)
        window.bottom.narration.offer(False)
        for camera in window.stage.cameras():
            camera.load(timeline)
        window.playhead.load(timeline, animation, beginning=beginning)
        for pane in window.stage.panes():
            pane.load()
        if same and chosen.processes:
            window.playhead.select(Selection(processes=chosen.processes, links=chosen.links))
        self._loading = False
        window.stage.selected(bool(window.playhead.selection.processes))
        if animation.problem:
            window.say(animation.problem, True)

    def _animation(self, timeline: Timeline) -> Animation:
        """How a run is drawn: as if nothing were declared while another process reads what is."""
        trace = timeline.trace
        file = unread(trace)
        if file is None:
            return remember(timeline, "animation", lambda: animation_for(trace))
        if not self._reader.busy or self._reads != file:
            self._reads = file
            self._reader.start(lambda _report: animation_for(trace))
        return generic(trace.states, trace.labels)

    def _declared(self) -> None:
        """It is known how the run on the screen is to be drawn."""
        window, head, timeline = self.window, self.window.playhead, self.window.playhead.timeline
        if timeline is None:
            return
        head.animation = window.on_processes.drawn(self._animation(timeline), timeline)
        for canvas in window.stage.pictures():
            canvas.retry()
            canvas.update()
        for pane in window.stage.panes():
            pane.load()
        window.bottom.narration.refresh()
        if head.animation.problem:
            window.say(head.animation.problem, True)

    def close(self) -> None:
        """Leave no thread behind."""
        self._reader.close()

    def _begin(self, play: bool) -> None:
        """A run is on the screen for the first time: play it, or offer to."""
        resume, self.resume = self.resume, None
        if play:
            self.window.playhead.play()
        elif resume is not None:
            self.window.playhead.seek(resume)
        elif self._first_play:
            self.window.stage.big_play.offer()

    def _extend(self, timeline: Timeline) -> None:
        """The run on the screen has become longer; who waited at its end plays on."""
        window = self.window
        hungry, self._hungry = self._hungry, False
        window.playhead.extend(timeline)
        for camera in window.stage.cameras():
            camera.grow(timeline)
        for pane in window.stage.panes():
            pane.load()
        if hungry and not window.playhead.at_end:
            window.playhead.play()
        elif hungry:
            self._hungry = window.session.growth.going_on
            window.bottom.narration.offer(not self._hungry)

    # ------------------------------------------------------------------ time

    def _changed(self, what: str) -> None:
        window, head = self.window, self.window.playhead
        if what == "timeline" and head.beginning is not None and head.timeline is not None and not self._loading:
            self._uncovered(head.timeline)
        elif what == "time":
            window.panel.now = max(head.t, 0.0)
            for camera in window.stage.cameras():
                camera.follow(head.t)
            if not head.at_start:
                self._let_go_of_play()
            if not head.at_end:
                self._hungry = False
                window.bottom.narration.offer(False)
            elif head.beginning is not None:
                window.session.reveal()
        elif what == "playing":
            self._playing_changed()
        elif what == "selection" and not self._loading:
            window.stage.selected(bool(head.selection.processes))
        elif what == "loop":
            window.actions_by_name["loop"].setChecked(head.loop)
        elif what == "speed":
            window.actions_by_name["pace_events"].setChecked(head.pace == "events")

    def _uncovered(self, timeline: Timeline) -> None:
        """More of a run was played of which only that may be seen."""
        window, before = self.window, self.window.session.shown
        grew = before is None or len(before.trace) != timeline.length
        window.session.uncovered(timeline)
        for camera in window.stage.cameras():
            camera.grow(timeline)
        for pane in window.stage.panes() if grew else ():
            pane.load()

    def _playing_changed(self) -> None:
        window, head = self.window, self.window.playhead
        playing = head.playing
        window.actions_by_name["play"].setIcon(icon("pause" if playing else "play", window.theme, "text.onAccent"))
        if playing:
            self._let_go_of_play()
            for camera in window.stage.cameras():
                camera.following = True
        elif self._was_playing and head.at_end and head.timeline is not None and not window.session.live.alive:
            self._hungry = window.session.growth.going_on and window.session.growth.shown
            window.bottom.narration.offer(not self._hungry)
        if self._was_playing and not playing:
            window.settings.moment = head.t
        self._was_playing = playing

    def _let_go_of_play(self) -> None:
        self._first_play = False
        self.window.stage.big_play.fade()


def _same_drawing(before: Timeline | None, now: Timeline) -> bool:
    """Whether two runs have their processes in the same places, so that a zoom of one suits the other."""
    if before is None or before.processes != now.processes:
        return False
    return np.array_equal(network_of(before).coordinates, network_of(now).coordinates)
