"""The run that can be interfered with: a simulator of its own beside the window, told what to do as it goes.

Simulated time runs with the play head: while it plays, the simulator is asked to run a blink ahead of it; what is done
is done at the simulator's time, and the play head jumps there.  Who interferes while looking at the past, or at a run
that is over, begins a branch: the same experiment runs again up to that moment and then waits.  All runs make up a
tree (:mod:`lydian.model.experiment.branches`), and undo is going back in it.
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
from lydian.desk.live.rows import LiveRows
from lydian.desk.loop import Loop
from lydian.desk.playhead import Playhead
from lydian.desk.runs.run import Run
from lydian.desk.runs.tree import AtHand, History
from lydian.desk.runs.worker import Worker
from lydian.desk.signal import Signal
from lydian.desk.undo import Step, Undo
from lydian.engine import wire
from lydian.model.errors import LydianError
from lydian.model.experiment.branches import ROOT, Branches, rename
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.model.interventions.words import gesture_words
from lydian.trace.timeline import Timeline

__all__ = ["Acted", "Live", "Moment"]


@dataclass(frozen=True)
class Moment:
    """A place in the tree of runs where somebody stood.

    Attributes:
        branch: the run, as far as it has a place in the tree.
        done: what had been done to it.
        time: simulated time.
        steps: steps taken, ``None`` where nobody counted.
    """

    branch: int
    done: tuple[Intervention, ...]
    time: float
    steps: int | None = None


@dataclass(frozen=True)
class Acted:
    """What became of a gesture.

    Attributes:
        what: the interventions that it asked for.
        text: what undo calls it.
        accepted: whether at least one was carried out.
        reason: why one was not, in a sentence, "" if all were.
        interventions: those that were carried out, with their times.
    """

    what: tuple[Mapping[str, Any], ...]
    text: str
    accepted: bool
    reason: str
    interventions: tuple[Intervention, ...]


@dataclass
class Gesture:
    """Something that was asked for and is not answered yet; ``before`` is where it was asked."""

    what: tuple[Mapping[str, Any], ...]
    text: str
    open: set[int] = field(default_factory=set)
    done: list[Intervention] = field(default_factory=list)
    reason: str = ""
    before: Moment | None = None

    def frames(self, numbers: Iterator[int], round_: int) -> Iterator[wire.Interact]:
        """What to send for it, to a simulator that has done so many rounds."""
        for each in self.what:
            number = next(numbers)
            self.open.add(number)
            yield wire.Interact(number, round_, dict(each))

    def heard(self, frame: wire.Answered) -> bool:
        """Take note of an answer to it; whether it was the last."""
        self.open.discard(frame.id)
        if frame.accepted and frame.intervention is not None:
            self.done.append(Intervention.from_dict(frame.intervention))
        else:
            self.reason = self.reason or frame.reason
        return not self.open


#: Enabled events that are listed at most.
PENDING = 200
#: Seconds that an answer is waited for before the window goes on with what it does meanwhile.
BLINK = 0.06


class LiveSession(AtHand, Protocol):
    """What a live run asks of the session that it belongs to."""

    loop: Loop
    undo: Undo
    worker: Worker
    said: Signal
    bounds: dict[str, Any]
    runs: list[Run]

    @property
    def folder(self) -> Path | None:
        """Where the files are that the experiment names."""

    def same(self, run: Run, branch: int) -> bool:
        """Whether a run is that of a branch of the experiment at hand, and whole."""

    def may_run(self) -> bool:
        """Whether the code that the experiment names may run."""

    def run(self) -> None:
        """Run the experiment in the background."""

    def show(self, run: Run) -> None:
        """Show a run again."""

    def settle(self) -> None:
        """Another run takes the place of the one under way, if there is one."""

    def live_grown(self, timeline: Timeline, checks: Sequence[Mapping[str, Any]], first: bool) -> None:
        """There is more of a live run."""

    def live_over(self, timeline: Timeline, result: Mapping[str, Any], first: bool) -> None:
        """A live run has come to its end."""


class Live:
    """Interferes with runs, and goes back and forth in the tree of all of them.

    Attributes:
        on: whether what is on the screen is a live run rather than a record.
        waiting: whether the simulator waits for us.
        quiet: it waits, and nothing is left to happen by itself.
        time, round: simulated time reached, and rounds done.
        pending, pending_total: the enabled events as :mod:`lydian.engine.pending` gives them, and how many there are.
        history: the run on the screen and its place among all others.
        checks: what became of the properties so far, as in ``lydian run --json``.
        changed: tells that any of these changed.
        acted: tells what became of a gesture (:class:`Acted`).
        ended: tells that the simulator is gone: a sentence, empty if the run has come to its end.
        resuming: tells the time at which the recorded run that follows is to be shown.
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
        self._there = False  # where this run was to begin to wait
        self._gestures: list[Gesture] = []
        self._numbers = itertools.count(1)
        self._play = False
        self._first = True
        self._jump: float | None = None
        self._listening = self._awaiting = self._unshown = False
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._fail)
        self.pacing = Pacing(session.loop)
        self.pacing.due.connect(self._show)

    def follow(self, playhead: Playhead) -> None:
        """Run with this play head from now on."""
        self.pacing.playhead = playhead
        playhead.changed.connect(self._moved)

    # ------------------------------------------------------------------ the run on the screen

    @property
    def tree(self) -> Branches:
        """All runs of the experiment at hand."""
        return self.history.tree

    @property
    def branch(self) -> int:
        """The run on the screen; the one it came from, as long as it has no place of its own."""
        return self.history.branch

    @property
    def done(self) -> tuple[Intervention, ...]:
        """What was done to it, what is planned for later included."""
        return self.history.done

    @property
    def alive(self) -> bool:
        """Whether there is a simulator that can be talked to."""
        return self.conversation.alive

    @property
    def taken(self) -> frozenset[str]:
        """The processes that somebody decides for."""
        return self.history.taken(self.time) if self.on else frozenset()

    def recorded(self) -> Experiment:
        """The experiment of the run on the screen, everything done to it included."""
        return self.tree.path(self.branch)

    # ------------------------------------------------------------------ on and off

    def switch(self, on: bool) -> None:
        """From watching a record to interfering, from the moment of the play head on; or back."""
        if on == self.on or self.session.experiment is None:
            return
        if on:
            self._begin(Moment(self.branch, self.done, self.pacing.now), play=self.pacing.playing)
        else:
            self.go(self.branch, self.pacing.now)

    def run(self) -> None:
        """Run live from the start, and play."""
        if self.session.experiment is not None:
            self._begin(Moment(self.branch, self.done, -1.0), play=True)

    def go(self, branch: int, time: float | None = None, live: bool = False) -> None:
        """Show another run of the tree at a time, as a record or live."""
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
        """Call a branch otherwise.

        Raises:
            BadInput: an empty name, or one that another has.
        """
        self.session.keep(rename(self.tree, branch, name).experiment)
        self.changed.emit()

    def leave(self) -> None:
        """No simulator any more; what it told stays where it is."""
        self._drop()
        self.pacing.stop()
        if self.on:
            self.on = False
            self.changed.emit()

    def forget(self) -> None:
        """Another experiment: its own run is looked at."""
        self.leave()
        self.checks = ()
        if self.session.experiment is not None:
            self.history.stand(ROOT)
        self.changed.emit()

    def look_at(self, branch: int) -> None:
        """A recorded run of the tree is on the screen."""
        if not self.on and self.session.experiment is not None:
            self.history.stand(branch)
            self.changed.emit()

    def rewind(self, moment: Moment) -> None:
        """Go to a place in the tree of runs, and wait there."""
        self._begin(moment, play=False)

    def again(self) -> None:
        """Start the simulator again, at the moment that the play head shows."""
        self._begin(Moment(self.branch, self.done, self.pacing.now), play=False)

    def stop(self) -> None:
        """End the run here: what happened becomes a record."""
        self.conversation.tell(wire.Stop())

    def close(self) -> None:
        """Leave no child and no timer; nothing is told any more."""
        self.pacing.stop()
        self._drop()
        self.conversation.close()

    # ------------------------------------------------------------------ doing something

    def act(self, what: Mapping[str, Any] | Sequence[Mapping[str, Any]], text: str = "") -> None:
        """Interfere at the moment of the play head; :attr:`acted` follows.

        Args:
            what: an intervention without its time, or several that are one gesture.
            text: what undo calls it.
        """
        if self.session.experiment is None:
            self.session.said.emit("A trace was opened without its experiment; nothing can be done to it.", True)
            return
        wanted = (what,) if isinstance(what, Mapping) else tuple(what)
        gesture = Gesture(wanted, text or gesture_words(wanted))
        self._gestures.append(gesture)
        if not self._present():
            moment = Moment(self.branch, self.history.until(self.pacing.now), self.pacing.now)
            self._begin(moment, play=self.on and self.pacing.playing, keep=True)
        elif self._there:
            self._send(gesture)

    def step(self) -> None:
        """Let the earliest enabled event happen, and no other."""
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
            self.session.loop.soon(self._listen)  # once the gesture is over, and before anything is painted

    def _listen(self) -> None:
        """Wait a blink for what becomes of the gestures: a frame of the old picture would only keep them waiting."""
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
        """A gesture was answered: note what was done, and how it is undone."""
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
        """Whether the play head stands where the simulator does, give or take what it runs ahead."""
        if not self.on or not self.alive:
            return False
        if not self._there:
            return True
        later = any(each.time > self.time for each in self.done)  # planned for a future that is to become another
        return not later and self.pacing.beside(self.time)

    # ------------------------------------------------------------------ the simulator

    def _begin(self, moment: Moment, *, play: bool, keep: bool = False) -> None:
        """Run up to a moment in a new simulator, then wait, or play on."""
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
        self._gestures = gestures
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
        """No simulator any more, and nothing that is asked of it."""
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
                self._unshown = True  # what somebody waits for comes in a moment, and is shown with it
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
        """The simulator waits: for the first time where the run was to begin, then wherever it was sent."""
        if not self._there:
            self._there = True
            for gesture in self._gestures:
                self._send(gesture)
        self.changed.emit()
        self._feed()

    def _over(self, frame: wire.Result) -> None:
        """The run has come to its end."""
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
        """The run could not be made, or broke off; what was told of it stays."""
        self._drop()
        if self._rows is not None and self._rows.count:
            self._show()
        else:
            self.on = False
        self.changed.emit()
        self.ended.emit(sentence)

    # ------------------------------------------------------------------ showing and going on

    def _show(self) -> None:
        """Hand out what there is."""
        if self._rows is None or self._rows.begun is None or (not self._there and self.alive):
            return  # on the way to where it begins
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
        """To where something was done."""
        jump, self._jump = self._jump, None
        if jump is not None and self.pacing.playhead is not None:
            self.pacing.playhead.seek(jump)

    def _open_end(self) -> None:
        if self.pacing.playhead is not None:
            self.pacing.playhead.unending = self.on and self.alive and not self.quiet

    def _moved(self, what: str) -> None:
        """The play head moved, or began to play, or stopped."""
        if what == "time":
            if self._jump == math.inf and not self.pacing.playing:
                self._jump = None  # somebody went elsewhere meanwhile
            self._feed()
        elif what == "playing" and self.on and self.alive:
            if self.pacing.playing:
                self._feed()
            elif not self._first and self.time - self.pacing.now <= 2 * self.pacing.ahead:  # not while it is loaded
                self._jump = math.inf  # to the end of what was done in the blink by which the simulator is ahead
                if self.waiting:
                    self._show()

    def _feed(self) -> None:
        """Keep the simulator a little ahead of the play head that plays."""
        if self.on and self._there and self.waiting and not self.quiet:
            wish = self.pacing.wish(self.time, self.round)
            if wish is not None:
                self._ask(wish)
