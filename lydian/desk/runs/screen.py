"""Runs on the screen: which one the play head moves in, and what follows from a run that grows or ends."""

from __future__ import annotations

from collections.abc import Callable

from lydian.desk.archivelist import ArchiveList
from lydian.desk.playhead import Playhead
from lydian.desk.runs.records import resting
from lydian.desk.runs.run import Run
from lydian.desk.runs.session import Session
from lydian.desk.signal import Signal
from lydian.model.experiment.experiment import Experiment
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.beginning import Beginning
from lydian.trace.timeline import Timeline
from lydian.views.selection import Selection
from lydian.views.time.axis import remember

__all__ = ["Screen"]


class Screen:
    """Puts the runs of a session before the play head.

    Attributes:
        resume: the moment at which the next run is shown, paused; ``None`` for its start.
        drawn: gives how a run is drawn.
        busy: whether another run is being put before the play head just now.
        loading: tells the run that was there before and the one that comes, before the play head has it.
        loaded: tells the run that the play head has now, with how it is drawn.
        grown: tells the run that has become longer, or of which more may be seen; and whether it has more events.
        judged: tells what became of the properties.
        growing: tells whether the run on the screen goes on beyond what is there of it.
        ended: tells whether playing has come to the end of a run that is whole.
        waiting: tells that a run is there for the first time, and nobody plays it.
    """

    def __init__(self, session: Session, playhead: Playhead, shelf: ArchiveList) -> None:
        self.session, self.head, self.shelf = session, playhead, shelf
        self.resume: float | None = None
        self.drawn: Callable[[Timeline], Animation] = _drawn
        self.busy = False
        self.loading, self.loaded, self.grown, self.judged = Signal(), Signal(), Signal(), Signal()
        self.growing, self.ended, self.waiting = Signal(), Signal(), Signal()
        self._was_playing = False
        self._hungry = False  # it played to the end of what there is of a run that goes on
        session.run_ready.connect(self.show)
        session.run_grown.connect(self.show_part)
        session.live.resuming.connect(self._resume)
        session.opened.connect(self._opened)
        session.held.connect(self._held)
        playhead.changed.connect(self._changed)

    # ------------------------------------------------------------------ runs

    def show(self, run: Run | None, play: bool = False) -> None:
        """A run is over: show it from its start, or go on where its beginning is being looked at."""
        self.growing.emit(False)
        if run is None:
            self._leave_another()
            return
        timeline = run.timeline or Timeline(run.trace)
        if run.continues:
            self._extend(timeline)
        else:
            play = play or self.head.playing
            self.load(timeline)
        self.judged.emit([dict(c) for c in run.result.get("checks") or run.trace.summary.get("checks") or ()])
        if not run.continues:
            self._begin(play)

    def show_part(self, run: Run, first: bool, play: bool = False) -> None:
        """A run goes on: show what there is of it, from the start at first, then where it is looked at."""
        timeline = run.timeline or Timeline(run.trace)
        checks = [dict(check) for check in run.result.get("checks") or ()]
        if first:
            play = play or self.head.playing
            self.load(timeline, run.beginning)
            self.judged.emit(checks)
            self.growing.emit(not self.session.live.on and run.beginning is None)
            self._begin(play)
        else:
            self._extend(timeline)
            if checks or self.session.live.on:
                self.judged.emit(checks)

    def rest(self, experiment: Experiment) -> None:
        """Show the network of an experiment with nothing going on and nothing judged, if it can be read."""
        self.judged.emit([])
        network = self.shelf.known_network(experiment.network, experiment.path)
        if network is not None:
            source = self.shelf.source(experiment.protocol, experiment.path)
            self.load(Timeline(resting(network, experiment, source)))

    def load(self, timeline: Timeline, beginning: Beginning | None = None) -> None:
        """Show another run from its start; what was selected stays selected if it has the same processes.

        With the ``beginning`` of a run, only what was played is seen of it.
        """
        head, chosen, before = self.head, self.head.selection, self.head.timeline
        animation = self.drawn(timeline)
        self.loading.emit(before, timeline)
        self._hungry, self.busy = False, True
        self.growing.emit(False)
        self.ended.emit(False)
        head.load(timeline, animation, beginning=beginning)
        if before is not None and before.processes == timeline.processes and chosen.processes:
            head.select(Selection(processes=chosen.processes, links=chosen.links))
        self.busy = False
        self.loaded.emit(timeline, animation)

    def _leave_another(self) -> None:
        """There is no run: what is on the screen goes if it is of another protocol or network than the experiment."""
        experiment, shown = self.session.experiment, self.session.shown
        if experiment is None or shown is None or shown.experiment is None or self.session.worker.busy:
            return
        before = shown.experiment
        if (before.protocol, before.network) != (experiment.protocol, experiment.network):
            self.rest(experiment)

    def _opened(self) -> None:
        """Another experiment is at hand: its network is there at once, whatever its run does."""
        experiment = self.session.experiment
        if experiment is not None:  # a lesson that asks says what its run is about itself, and no more than it may
            self.rest(experiment.with_(about="") if self.session.withholding else experiment)

    def _held(self, _strange: object) -> None:
        """The experiment names code that nobody has accepted: its network is shown at rest."""
        if self.session.experiment is not None:
            self.rest(self.session.experiment)

    def _resume(self, t: float) -> None:
        """The run that comes next is shown at this time."""
        self.resume = t

    def _begin(self, play: bool) -> None:
        """A run is on the screen for the first time: play it, or offer to."""
        resume, self.resume = self.resume, None
        if play:
            self.head.play()
        elif resume is not None:
            self.head.seek(resume)
        else:
            self.waiting.emit()

    def _extend(self, timeline: Timeline) -> None:
        """The run on the screen has become longer; who waited at its end plays on."""
        hungry, self._hungry = self._hungry, False
        self.head.extend(timeline)
        self.grown.emit(timeline, True)
        if hungry and not self.head.at_end:
            self.head.play()
        elif hungry:
            self._hungry = self.session.growth.going_on
            self.ended.emit(not self._hungry)

    # ------------------------------------------------------------------ time

    def _changed(self, what: str) -> None:
        head = self.head
        if what == "timeline" and head.beginning is not None and head.timeline is not None and not self.busy:
            self._uncovered(head.timeline)
        elif what == "time":
            if not head.at_end:
                self._hungry = False
                self.ended.emit(False)
            elif head.beginning is not None:
                self.session.reveal()
        elif what == "playing":
            if not head.playing and self._was_playing and head.at_end and head.timeline is not None:
                self._came_to_the_end()
            self._was_playing = head.playing

    def _came_to_the_end(self) -> None:
        session = self.session
        if not session.live.alive:
            self._hungry = session.growth.going_on and session.growth.shown
            self.ended.emit(not self._hungry)

    def _uncovered(self, timeline: Timeline) -> None:
        """More of a run was played of which only that may be seen."""
        before = self.session.shown
        grew = before is None or len(before.trace) != timeline.length
        self.session.uncovered(timeline)
        self.grown.emit(timeline, grew)


def _drawn(timeline: Timeline) -> Animation:
    """How the protocol wants its run to be drawn."""
    return remember(timeline, "animation", lambda: animation_for(timeline.trace))
