"""What is known of the run that can be interfered with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lydian.desk.conversation import Conversation
from lydian.desk.signal import Signal
from lydian.model.branches import ROOT, Branches, follow

if TYPE_CHECKING:
    from lydian.desk.session import Session
    from lydian.model.branches import Branches
    from lydian.model.experiment import Experiment
    from lydian.model.interventions import Intervention

__all__ = ["LiveState"]


class History:
    """Where one stands in the tree of runs.

    Attributes:
        branch: the run; the one it came from, as long as it has no place of its own.
        done: what was done to it, what is planned for later included.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.branch = ROOT
        self.done: tuple[Intervention, ...] = ()
        self._goes_on = False  # the branch is a run that nobody has left since it began
        self._tree: tuple[Experiment, Branches] | None = None  # of which experiment, so that it is made once

    @property
    def tree(self) -> Branches:
        """All runs of the experiment at hand."""
        experiment = self._session.experiment
        assert experiment is not None
        if self._tree is None or self._tree[0] is not experiment:
            self._tree = experiment, Branches.of(experiment)
        return self._tree[1]

    def stand(self, branch: int, done: tuple[Intervention, ...] | None = None) -> None:
        """Look at a run, or at something that was begun like it."""
        self.branch = branch if branch in self.tree else ROOT
        self.done = self.tree.interventions(self.branch) if done is None else done
        self._goes_on = False

    def add(self, done: tuple[Intervention, ...]) -> None:
        """More was done at the end of the run; it has a place in the tree from now on."""
        self.done = (*self.done, *done)
        self.place()
        self._goes_on = True

    def place(self) -> int:
        """Give the run a place in the tree, if it has none; the experiment is kept with it."""
        before = self.tree
        tree, self.branch = follow(before, self.branch, self.done, goes_on=self._goes_on)
        if tree != before:
            self._session.keep(tree.experiment)
        return self.branch

    def until(self, time: float = math.inf) -> tuple[Intervention, ...]:
        """What was done up to a time."""
        return tuple(each for each in self.done if each.time <= time)

    def taken(self, time: float) -> frozenset[str]:
        """The processes that somebody decides for at a time."""
        found: set[str] = set()
        for each in self.until(time):
            if each.process is not None and each.do == "take_over":
                found.add(each.process)
            elif each.process is not None and each.do == "release":
                found.discard(each.process)
        return frozenset(found)

    def experiment(self, done: tuple[Intervention, ...]) -> Experiment:
        """The experiment at hand with just this done to it."""
        assert self._session.experiment is not None
        return self._session.experiment.with_(branches=(), interventions=done)

    def on_screen(self) -> bool:
        """Whether a run of the experiment at hand is on the screen, whatever was done to it."""
        shown, experiment = self._session.shown, self._session.experiment
        if shown is None or shown.experiment is None or experiment is None or not len(shown.trace):
            return False
        plain: Any = {"branches": (), "interventions": ()}
        return shown.experiment.with_(**plain) == experiment.with_(**plain)

    def before_end(self, time: float) -> float:
        """The time, or one before what ended the run on the screen: the same would end it again."""
        shown, experiment = self._session.shown, self._session.experiment
        stopped = None if shown is None else shown.result.get("stopped", shown.trace.summary.get("stopped"))
        if shown is None or stopped in (None, "quiescent", "cancelled") or not len(shown.trace):
            return time
        stop = None if experiment is None else experiment.stop.until
        end = stop if stopped == "until" and stop is not None else float(shown.trace.column("time")[-1])
        return time if time < end else max(0.0, math.nextafter(end, -math.inf))


class LiveState:
    """The run on the screen, whether it is live, and what may happen in it.

    Attributes:
        on: whether what is on the screen is a live run rather than a record.
        waiting: whether the simulator waits for us.
        quiet: it waits, and nothing is left to happen by itself.
        time, round: simulated time reached, and rounds done.
        pending, pending_total: the enabled events as :mod:`lydian.engine.pending` gives them, and how many there are.
        history: the run on the screen and its place among all others.
        checks: what became of the properties so far, as in ``lydian run --json``.
        changed: tells that any of these changed.
        acted: tells what became of a gesture (:class:`lydian.desk.live.Acted`).
        ended: tells that the simulator is gone: a sentence, empty if the run has come to its end.
        resuming: tells the time at which the recorded run that follows is to be shown.
    """

    def __init__(self, session: Session) -> None:
        self.changed, self.acted, self.ended, self.resuming = Signal(), Signal(), Signal(), Signal()
        self.session = session
        self.on = self.waiting = self.quiet = False
        self.time, self.round = 0.0, 0
        self.pending: tuple[dict[str, Any], ...] = ()
        self.pending_total = 0
        self.history = History(session)
        self.checks: tuple[dict[str, Any], ...] = ()
        self.conversation = Conversation(session.loop)

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
