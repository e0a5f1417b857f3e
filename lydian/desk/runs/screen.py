"""The run on the screen: loading runs into the play head, and responding when a run grows or ends."""

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
    """A controller that loads the runs of a session into the play head.

    Attributes:
        resume: the moment at which the next run is shown, paused; ``None`` for its start.
        drawn: a function that returns the animation for a run.
        busy: whether another run is being loaded into the play head.
        loading: emitted with the previous run and the next one, before the play head loads the latter.
        loaded: emitted with the run that the play head has loaded, and its animation.
        grown: emitted with a run that has grown or of which more may be seen, and whether it has more events.
        judged: emitted with the results for the properties.
        growing: emitted with whether the run on the screen continues beyond the part that is loaded.
        ended: emitted with whether playing has reached the end of a complete run.
        waiting: emitted when a run is shown for the first time and is not being played.
    """

    def __init__(self, session: Session, playhead: Playhead, shelf: ArchiveList) -> None:
        self.session, self.head, self.shelf = session, playhead, shelf
        self.resume: float | None = None
        self.drawn: Callable[[Timeline], Animation] = _drawn
        self.busy = False
        self.loading, self.loaded, self.grown, self.judged = Signal(), Signal(), Signal(), Signal()
        self.growing, self.ended, self.waiting = Signal(), Signal(), Signal()
        self._was_playing = False
        self._hungry = False  # whether playing waits at the end of the loaded part of a run in progress
        session.run_ready.connect(self.show)
        session.run_grown.connect(self.show_part)
        session.live.resuming.connect(self._resume)
        session.opened.connect(self._opened)
        session.held.connect(self._held)
        playhead.changed.connect(self._changed)

    # ------------------------------------------------------------------ runs

    def show(self, run: Run | None, play: bool = False) -> None:
        """Show a run that is over, from its start or, if its beginning is already shown, from the current moment."""
        self.growing.emit(False)
        if run is None:
            self._leave_another()
            return
        timeline = run.timeline or Timeline(run.trace)
        if run.continues:
            self._extend(timeline)
            resume, self.resume = self.resume, None
            if resume is not None:
                self.head.seek(resume)
        else:
            play = play or self.head.playing
            self.load(timeline)
        self.judged.emit([dict(c) for c in run.result.get("checks") or run.trace.summary.get("checks") or ()])
        if not run.continues:
            self._begin(play)

    def show_part(self, run: Run, first: bool, play: bool = False) -> None:
        """Show the part that exists of a run in progress: at first from its start, later from the current moment."""
        timeline = run.timeline or Timeline(run.trace)
        checks = [dict(check) for check in run.result.get("checks") or ()]
        if first:
            play = play or self.head.playing
            self.load(timeline, run.beginning)
            self.judged.emit(checks)
            self.growing.emit(not self.session.live.on and run.beginning is None and not self.session.hiding)
            self._begin(play)
        else:
            self._extend(timeline)
            if checks or self.session.live.on:
                self.judged.emit(checks)

    def rest(self, experiment: Experiment) -> None:
        """Show the network of an experiment without events or results, if the network can be read."""
        self.judged.emit([])
        network = self.shelf.known_network(experiment.network, experiment.path)
        if network is not None:
            source = self.shelf.source(experiment.protocol, experiment.path)
            self.load(Timeline(resting(network, experiment, source)))

    def load(self, timeline: Timeline, beginning: Beginning | None = None) -> None:
        """Show another run from its start; the selection is kept if the run has the same processes.

        With the ``beginning`` of a run, only the part already played is visible.
        """
        head, chosen, before = self.head, self.head.selection, self.head.timeline
        animation = self.drawn(timeline)
        if head.speed == _usual_speed(before):  # the user has not chosen another
            head.set_speed(_usual_speed(timeline))
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
        """Replace the run on the screen by the network at rest if the experiment has another protocol or network."""
        experiment, shown = self.session.experiment, self.session.shown
        if experiment is None or shown is None or shown.experiment is None or self.session.worker.busy:
            return
        before = shown.experiment
        if (before.protocol, before.network) != (experiment.protocol, experiment.network):
            self.rest(experiment)

    def _opened(self) -> None:
        """Show the network of a newly opened experiment at once, before its run is ready."""
        experiment = self.session.experiment
        if experiment is not None:  # a lesson that withholds the run describes it itself
            self.rest(experiment.with_(about="") if self.session.withholding else experiment)

    def _held(self, _strange: object) -> None:
        """Show the network at rest, as the experiment names code that the user has not accepted."""
        if self.session.experiment is not None:
            self.rest(self.session.experiment)

    def _resume(self, t: float) -> None:
        """Set the time at which the next run is shown."""
        self.resume = t

    def _begin(self, play: bool) -> None:
        """Play a run that is shown for the first time, go to the moment to resume, or announce that it waits."""
        resume, self.resume = self.resume, None
        if play:
            self.head.play()
        elif resume is not None:
            self.head.seek(resume)
            if self.session.goes_on and self.head.t < resume:  # that moment is in the part still to come
                self.resume = resume
        else:
            self.waiting.emit()

    def _extend(self, timeline: Timeline) -> None:
        """Load the longer record of the run on the screen; if playing waited at its end, continue."""
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
            self._hungry = session.goes_on and (session.growth.shown or not session.growth.going_on)
            self.ended.emit(not self._hungry)

    def _uncovered(self, timeline: Timeline) -> None:
        """Show the newly played part of a run of which only the part already played may be seen."""
        before = self.session.shown
        grew = before is None or len(before.trace) != timeline.length
        self.session.uncovered(timeline)
        self.grown.emit(timeline, grew)


def _usual_speed(timeline: Timeline | None) -> float:
    """Return the speed at which a run plays at first; the times of programs are milliseconds."""
    return 1.0 if timeline is None or "programs" not in timeline.trace.summary else 64.0


def _drawn(timeline: Timeline) -> Animation:
    """Return the animation of a run."""
    return remember(timeline, "animation", lambda: animation_for(timeline.trace))
