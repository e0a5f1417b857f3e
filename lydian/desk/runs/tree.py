"""Where one stands in the tree of runs."""

from __future__ import annotations

import math
from typing import Any, Protocol

from lydian.desk.runs.run import Run
from lydian.model.experiment.branches import ROOT, Branches, follow
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention

__all__ = ["AtHand", "History"]


class AtHand(Protocol):
    """The experiment at hand, and which of its runs is on the screen."""

    experiment: Experiment | None
    shown: Run | None

    def keep(self, experiment: Experiment) -> None:
        """The experiment has other branches now; its runs stay what they are."""


class History:
    """Where one stands in the tree of runs.

    Attributes:
        branch: the run; the one it came from, as long as it has no place of its own.
        done: what was done to it, what is planned for later included.
    """

    def __init__(self, session: AtHand) -> None:
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
