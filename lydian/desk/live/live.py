"""The live run, in which the user can intervene: a simulator in a process of its own, controlled step by step.

Simulated time follows the play head: while it plays, the simulator runs slightly ahead of it. An intervention takes
effect at the simulator's time, and the play head jumps there. An intervention in the past, or in a run that is over,
begins a branch: the same experiment runs again up to that moment and then waits. All runs form a tree
(:mod:`lydian.model.experiment.branches`), and undo goes back in it.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from lydian.desk.conversation import Conversation
from lydian.desk.live.pacing import Pacing
from lydian.desk.loop import Loop
from lydian.desk.playhead import Playhead
from lydian.desk.runs.run import Run
from lydian.desk.runs.tree import AtHand, History
from lydian.desk.runs.worker import Worker
from lydian.desk.signal import Signal
from lydian.desk.undo import Step, Undo
from lydian.engine import wire
from lydian.engine.liverows import LiveRows
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.branch import unused_name
from lydian.model.experiment.branches import ROOT, Branches, follow, rename
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.interventions.words import gesture_words
from lydian.trace.timeline import Timeline

__all__ = ["Acted", "Live", "Moment"]


@dataclass(frozen=True)
class Moment:
    """A moment of a run in the tree of runs.

    Attributes:
        branch: the run, or the run from which it departed if it is not in the tree yet.
        done: the interventions up to then, and those planned for later.
        time: simulated time.
        steps: the number of steps taken; ``None`` if it is unknown.
    """

    branch: int
    done: tuple[Intervention, ...]
    time: float
    steps: int | None = None


@dataclass(frozen=True)
class Acted:
    """The outcome of a gesture.

    Attributes:
        what: the interventions that it requested.
        text: its description in the Edit menu.
        accepted: whether at least one intervention was carried out.
        reason: a sentence that says why one was not carried out; "" if all were.
        interventions: those that were carried out, with their times.
    """

    what: tuple[Mapping[str, Any], ...]
    text: str
    accepted: bool
    reason: str
    interventions: tuple[Intervention, ...]


@dataclass
class Gesture:
    """A request for interventions that has not been answered yet; ``before`` is the moment at which it was made."""

    what: tuple[Mapping[str, Any], ...]
    text: str
    open: set[int] = field(default_factory=set)
    done: list[Intervention] = field(default_factory=list)
    reason: str = ""
    before: Moment | None = None

    def frames(self, numbers: Iterator[int], round_: int) -> Iterator[wire.Interact]:
        """Yield the frames to send to a simulator that has completed ``round_`` rounds."""
        for each in self.what:
            number = next(numbers)
            self.open.add(number)
            yield wire.Interact(number, round_, dict(each))

    def heard(self, frame: wire.Answered) -> bool:
        """Record an answer to the gesture; return True if it is the last one."""
        self.open.discard(frame.id)
        if frame.accepted and frame.intervention is not None:
            self.done.append(Intervention.from_dict(frame.intervention))
        else:
            self.reason = self.reason or frame.reason
        return not self.open


#: The maximum number of enabled events in the list.
PENDING = 200
#: The seconds to wait for an answer before the window continues with other work.
BLINK = 0.06


class LiveSession(AtHand, Protocol):
    """The part of a session that a live run uses."""

    loop: Loop
    undo: Undo
    worker: Worker
    said: Signal
    bounds: dict[str, Any]
    runs: list[Run]

    @property
    def folder(self) -> Path | None:
        """The folder in which the files named by the experiment are looked for."""

    def same(self, run: Run, branch: int) -> bool:
        """Return True if a run is a complete run of this branch of the current experiment."""

    def may_run(self) -> bool:
        """Return True if the code that the experiment names may run."""

    def run(self) -> None:
        """Run the experiment in the background."""

    def show(self, run: Run) -> None:
        """Show a run again."""

    def settle(self) -> None:
        """Drop the run in progress, if any, as another run is about to replace it."""

    def live_grown(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]], first: bool) -> None:
        """Show the new events of a live run."""

    def live_over(self, timeline: Timeline, result: Mapping[str, Any], first: bool) -> None:
        """Record the end of a live run."""


class Live:
    """The controller of live runs, which carries out interventions and moves in the tree of all runs.

    Attributes:
        on: whether the run that is shown is live rather than recorded.
        waiting: whether the simulator waits for a request.
        quiet: whether the simulator waits and no event is left that would happen by itself.
        time, round: the simulated time reached, and the number of completed rounds.
        pending, pending_total: the enabled events as :mod:`lydian.engine.pending` lists them, and their total number.
        history: the run that is shown and its place in the tree.
        checks: the results for the properties so far, as in ``lydian run --json``.
        changed: emitted when any of these has changed.
        acted: emitted with the outcome of a gesture (:class:`Acted`).
        ended: emitted when the simulator has ended, with a sentence, which is empty if the run came to its end.
        resuming: emitted with the time at which the recorded run that follows is to be shown.
    """

    def __init__(self, session: LiveSession) -> None:
        self.changed, self.acted, self.ended, self.resuming = Signal(), Signal(), Signal(), Signal()
        self.session = session
        self.on = self.waiting = self.quiet = False
        self.time, self.round = 0.0, 0
        self.pending: tuple[dict[str, Any], ...] = ()
        self.pending_total = 0
        self.history = History(session)
        self.checks: tuple[dict[str, Any], ...] = ()
        self.conversation = Conversation(session.loop)
        self._rows: LiveRows | None = None
        self._there = False  # whether the moment at which this run was to begin waiting has been reached
        self._gestures: list[Gesture] = []
        self._numbers = itertools.count(1)
        self._play = False
        self._first = True
        self._jump: float | None = None
        self._at: float | None = None  # the time up to which the run continues before the pending gestures
        self._listening = self._awaiting = self._unshown = False
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._fail)
        self.pacing = Pacing(session.loop)
        self.pacing.due.connect(self._show)

    def follow(self, playhead: Playhead) -> None:
        """Follow this play head."""
        self.pacing.playhead = playhead
        playhead.changed.connect(self._moved)

    # ------------------------------------------------------------------ the current run

    @property
    def tree(self) -> Branches:
        """All runs of the current experiment."""
        return self.history.tree

    @property
    def branch(self) -> int:
        """The run that is shown, or the one from which it departed while it is not in the tree yet."""
        return self.history.branch

    @property
    def done(self) -> tuple[Intervention, ...]:
        """The interventions in the run that is shown, including those planned for later."""
        return self.history.done

    @property
    def alive(self) -> bool:
        """Whether there is a simulator that accepts requests."""
        return self.conversation.alive

    @property
    def taken(self) -> frozenset[str]:
        """The processes whose actions the user decides."""
        return self.history.taken(self.time) if self.on else frozenset()

    def recorded(self) -> Experiment:
        """Return the experiment of the run that is shown, including all interventions."""
        return self.tree.path(self.branch)

    # ------------------------------------------------------------------ on and off

    def switch(self, on: bool) -> None:
        """Change between a recorded run and a live run from the moment of the play head."""
        if on == self.on or self.session.experiment is None:
            return
        if on:
            self._begin(Moment(self.branch, self.done, self.pacing.now), play=self.pacing.playing)
        else:
            self.go(self.branch, self.pacing.now)

    def run(self) -> None:
        """Start a live run from the beginning and play it."""
        if self.session.experiment is not None:
            self._begin(Moment(self.branch, self.done, -1.0), play=True)

    def go(self, branch: int, time: float | None = None, live: bool = False) -> None:
        """Show another run of the tree at a given time, recorded or live."""
        if live:
            self.rewind(Moment(branch, self.tree.interventions(branch), self.pacing.now if time is None else time))
            return
        if branch == self.branch and self.on and self.done != self.tree.interventions(branch):
            branch = self.history.place()
        self.leave()
        self.history.stand(branch)
        self.changed.emit()
        self.resuming.emit(self.pacing.now if time is None else time)
        known = next((run for run in self.session.runs if self.session.same(run, branch)), None)
        if known is not None:
            self.session.show(known)
        else:
            self.session.run()

    def rename(self, branch: int, name: str) -> None:
        """Rename a branch.

        Raises:
            BadInput: the name is empty, or another branch has it.
        """
        self.session.keep(rename(self.tree, branch, name).experiment)
        self.changed.emit()

    def leave(self) -> None:
        """End the simulator; the events that it sent stay on the screen."""
        self._drop()
        self.pacing.stop()
        if self.on:
            self.on = False
            self.changed.emit()

    def forget(self) -> None:
        """End the live run and return to the root of the tree, as the experiment has changed."""
        self.leave()
        self.checks = ()
        if self.session.experiment is not None:
            self.history.stand(ROOT)
        self.changed.emit()

    def look_at(self, branch: int) -> None:
        """Record which run of the tree is shown, unless a live run is shown."""
        if not self.on and self.session.experiment is not None:
            self.history.stand(branch)
            self.changed.emit()

    def rewind(self, moment: Moment) -> None:
        """Start the simulator at a moment in the tree of runs and wait there."""
        self._begin(moment, play=False)

    def again(self) -> None:
        """Start the simulator again at the moment of the play head."""
        self._begin(Moment(self.branch, self.done, self.pacing.now), play=False)

    def stop(self) -> None:
        """End the run here; the events so far become a recorded run."""
        self.conversation.tell(wire.Stop())

    def close(self) -> None:
        """End the child process and the timers; emit no further signal."""
        self.pacing.stop()
        self._drop()
        self.conversation.close()

    # ------------------------------------------------------------------ interventions

    def rerun(self, done: Sequence[Intervention], time: float, text: str, name: str) -> bool:
        """Run the experiment with other interventions, as one undoable step; both runs stay in the tree.

        Args:
            done: all interventions in the new run.
            time: the moment to show; a live run is executed up to its current moment if that is later.
            text: the description in the Edit menu.
            name: the name of the new run, in English; if it is in use, a number is added.

        Returns:
            False if nothing ran, as exactly this run is shown.
        """
        if self.session.experiment is None:
            return False
        live = self.on and self.alive
        if self.done != self.tree.interventions(self.branch):
            self.history.place()
        known = self.tree
        tree, branch = follow(known, self.branch, done)
        if branch == self.branch:
            return False
        if branch not in known:
            tree = rename(tree, branch, unused_name(name, known.branches))
        self.session.keep(tree.experiment)
        now = self.time if live else self.pacing.now
        before = Moment(self.branch, self.done, now)
        after = Moment(branch, tree.interventions(branch), max(now, time) if live else time)
        self.session.undo.push(Step(text, self.rewind if live else self._replay, before, after))
        return True

    def _replay(self, moment: Moment) -> None:
        """Show a recorded run of the tree at a moment."""
        self.go(moment.branch, moment.time)

    def act(
        self, what: Mapping[str, Any] | Sequence[Mapping[str, Any]], text: str = "", at: float | None = None
    ) -> None:
        """Intervene at the moment of the play head; :attr:`acted` is emitted with the outcome.

        Args:
            what: an intervention without its time, or several that form one gesture.
            text: the description in the Edit menu.
            at: a later time, up to which the run continues first.
        """
        if self.session.experiment is None:
            self.session.said.emit(
                tr("This run was recorded without its experiment, so you cannot intervene in it."), True
            )
            return
        wanted = (what,) if isinstance(what, Mapping) else tuple(what)
        gesture = Gesture(wanted, text or gesture_words(wanted))
        self._gestures.append(gesture)
        if not self._present():
            now = self.pacing.now
            moment = Moment(self.branch, self.history.until(now), now if at is None else max(at, now))
            self._begin(moment, play=self.on and self.pacing.playing, keep=True)
            self._at = at
        elif self._there and (at is None or at <= self.time):
            self._send(gesture)
        else:
            self._at = at
            if self._there:
                self._there = False
                self._arrived()

    def step(self) -> None:
        """Let only the earliest enabled event happen."""
        if not self.on or not self._present():
            return
        if self._there and self.alive and not self.quiet:
            self._jump = math.inf
            self._ask(wire.Pace(self.round + 1))

    def _send(self, gesture: Gesture) -> None:
        gesture.before = Moment(self.branch, self.done, self.time, None if self._rows is None else self._rows.steps)
        for frame in gesture.frames(self._numbers, self.round):
            self.conversation.tell(frame)
        if not self._listening:
            self._listening = True
            self.session.loop.soon(self._listen)  # after the gesture, but before the next repaint

    def _listen(self) -> None:
        """Wait briefly for the answers to gestures; repainting the old picture first would only delay them."""
        self._listening = False
        until = time.monotonic() + BLINK
        self._awaiting = True
        try:
            while self.alive and (self._gestures or self._jump is not None):
                left = until - time.monotonic()
                if left <= 0 or not self.conversation.listen(left):
                    break
        finally:
            self._awaiting = False
        if self._unshown and self.alive:
            self.pacing.soon(whole=self.waiting, at_once=False)

    def _answered(self, frame: wire.Answered) -> None:
        gesture = next((each for each in self._gestures if frame.id in each.open), None)
        if gesture is not None and gesture.heard(frame):
            self._gestures.remove(gesture)
            self._done(gesture)

    def _done(self, gesture: Gesture) -> None:
        """Record the interventions of an answered gesture, and the step that undoes them."""
        done = tuple(gesture.done)
        if done and gesture.before is not None:
            self.history.add(done)
            self._jump = max(each.time for each in done)
            last = done[-1].after
            after = Moment(self.branch, self.done, self._jump, last)
            before = replace(gesture.before, time=done[0].time, steps=done[0].after)
            self.session.undo.push(Step(gesture.text, self.rewind, before, after), done=True)
        self.acted.emit(Acted(gesture.what, gesture.text, bool(done), gesture.reason, done))
        self.changed.emit()

    # ------------------------------------------------------------------ the moment

    def _present(self) -> bool:
        """Return True if the play head is at the simulator's time, allowing for the simulator's lead."""
        if not self.on or not self.alive:
            return False
        if not self._there:
            return True
        later = any(each.time > self.time for each in self.done)  # planned for a future that is about to be replaced
        return not later and self.pacing.beside(self.time)

    # ------------------------------------------------------------------ the simulator

    def _begin(self, moment: Moment, *, play: bool, keep: bool = False) -> None:
        """Run up to a moment in a new simulator, then wait or continue playing."""
        session = self.session
        assert session.experiment is not None
        if not session.may_run():
            self._gestures.clear()
            return
        try:
            experiment = self.history.experiment(moment.done).to_dict()
        except LydianError as error:
            self._gestures.clear()
            session.said.emit(str(error), True)
            return
        gestures = self._gestures if keep else []
        session.settle()
        self._drop()
        self._gestures, self._at = gestures, None
        self.history.stand(moment.branch, moment.done)
        self.on, self._there, self._play, self.round, self.time = True, False, play, 0, 0.0
        self._rows, self._first = LiveRows(experiment), not self.history.on_screen()
        self._jump = None if play and moment.time < 0 else moment.time
        until = self.history.before_end(moment.time) if moment.time >= 0 else None
        where = None if session.folder is None else str(session.folder)
        request = wire.Request(
            experiment, where, round_events=1, until=until, steps=moment.steps if until is not None else None,
            flying=True, linger=True, pending=PENDING, **session.bounds,
        )  # fmt: skip
        self.conversation.start(request, session.worker.hand_over())
        self.changed.emit()

    def _drop(self) -> None:
        """End the simulator and forget the requests to it."""
        self.conversation.drop()
        self._gestures = []
        self.waiting = self.quiet = False
        self.pending, self.pending_total = (), 0
        self._open_end()

    def _ask(self, pace: wire.Pace) -> None:
        self.waiting = False
        self.pacing.asked()
        self.conversation.tell(pace)

    def _heard(self, frame: wire.Frame) -> None:
        rows = self._rows
        assert rows is not None
        if isinstance(frame, wire.Begun):
            rows.begun = frame
        elif isinstance(frame, wire.Round):
            rows.take(frame)
            self.round, self.time, self.waiting = frame.round, frame.time, frame.waiting
            self.quiet = frame.waiting and frame.next is None
            if frame.checks is not None:
                self.checks = tuple(frame.checks)
            if frame.waiting:
                self.pacing.answered()
                self._arrived()
            here = self._jump is not None and (frame.waiting or self._jump <= frame.time)
            if self._awaiting and not here:
                self._unshown = True  # the awaited answer arrives shortly, and this is shown with it
            else:
                self.pacing.soon(whole=frame.waiting or self._first, at_once=here)
        elif isinstance(frame, wire.Pending):
            self.pending, self.pending_total = tuple(frame.events), frame.total
            self.changed.emit()
        elif isinstance(frame, wire.Answered):
            self._answered(frame)
        elif isinstance(frame, wire.Result):
            self._over(frame)
        elif isinstance(frame, wire.Error) and frame.exit_code is not None:
            self._fail(frame.text)

    def _arrived(self) -> None:
        """Send the pending gestures when the simulator first waits, at the moment where the run was to begin."""
        at, self._at = self._at, None
        if not self._there and at is not None and at > self.time:
            self._jump = at
            self._ask(wire.Pace(until=at))
            return
        if not self._there:
            self._there = True
            for gesture in self._gestures:
                self._send(gesture)
        self.changed.emit()
        self._feed()

    def _over(self, frame: wire.Result) -> None:
        """Show the complete run, because it has ended."""
        assert self._rows is not None
        self.pacing.stop()
        self._drop()
        summary = {"stopped": frame.result.get("stopped"), "error": frame.result.get("error"),
                   "checks": frame.result.get("checks", []), "decided": frame.result.get("decided", {}),
                   "rest": frame.result.get("rest", {})}  # fmt: skip
        timeline = self._rows.timeline(self._rows.trace(summary, frame.experiment))
        self.session.live_over(timeline, frame.result, self._first)
        self._first = False
        self._seek()
        self.changed.emit()
        self.ended.emit("")

    def _fail(self, sentence: str) -> None:
        """Report that the run failed or broke off; keep the events that have arrived."""
        self._drop()
        if self._rows is not None and self._rows.count:
            self._show()
        else:
            self.on = False
        self.changed.emit()
        self.ended.emit(sentence)

    # ------------------------------------------------------------------ showing and continuing

    def _show(self) -> None:
        """Show the events that have arrived."""
        if self._rows is None or self._rows.begun is None or (not self._there and self.alive):
            return  # the moment at which it is to begin has not been reached
        began = time.monotonic()
        self._unshown = False
        self._open_end()
        self.session.live_grown(self._rows.timeline(), self.checks, self._first)
        self._first = False
        self._seek()
        if self._play:
            self._play = False
            if self.pacing.playhead is not None:
                self.pacing.playhead.play()
        self.pacing.took(began)

    def _seek(self) -> None:
        """Move the play head to the latest intervention."""
        jump, self._jump = self._jump, None
        if jump is not None and self.pacing.playhead is not None:
            self.pacing.playhead.seek(jump)

    def _open_end(self) -> None:
        if self.pacing.playhead is not None:
            self.pacing.playhead.unending = self.on and self.alive and not self.quiet

    def _moved(self, what: str) -> None:
        """Respond to a play head that has moved, begun to play, or stopped."""
        if what == "time":
            if self._jump == math.inf and not self.pacing.playing:
                self._jump = None  # the user has gone elsewhere in the meantime
            self._feed()
        elif what == "playing" and self.on and self.alive:
            if self.pacing.playing:
                self._feed()
            elif not self._first and self.time - self.pacing.now <= 2 * self.pacing.ahead:  # not during loading
                self._jump = math.inf  # jump to the end of the simulator's short lead
                if self.waiting:
                    self._show()

    def _feed(self) -> None:
        """Keep the simulator slightly ahead of the playing play head."""
        if self.on and self._there and self.waiting and not self.quiet:
            wish = self.pacing.wish(self.time, self.round)
            if wish is not None:
                self._ask(wish)
