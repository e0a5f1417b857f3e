"""The current place in the tree of runs."""

from __future__ import annotations

import math
from typing import Protocol

from lydian.desk.runs.run import Run
from lydian.model.experiment.branches import ROOT, Branches, follow
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention

__all__ = ["AtHand", "History"]


class AtHand(Protocol):
    """An object that has the current experiment and the run that is shown."""

    experiment: Experiment | None
    shown: Run | None

    def keep(self, experiment: Experiment) -> None:
        """Replace the experiment by one with other branches; the runs stay as they are."""


class History:
    """The current place in the tree of runs.

    Attributes:
        branch: the current run, or the run from which it departed while it is not in the tree yet.
        done: the interventions in the run, including those planned for later.
    """

    def __init__(self, session: AtHand) -> None:
        self._session = session
        self.branch = ROOT
        self.done: tuple[Intervention, ...] = ()
        self._goes_on = False  # whether the branch has been current since it began
        self._tree: tuple[Experiment, Branches] | None = None  # with its experiment, so that it is computed once

    @property
    def tree(self) -> Branches:
        """All runs of the current experiment."""
        experiment = self._session.experiment
        assert experiment is not None
        if self._tree is None or self._tree[0] is not experiment:
            self._tree = experiment, Branches.of(experiment)
        return self._tree[1]

    def stand(self, branch: int, done: tuple[Intervention, ...] | None = None) -> None:
        """Make a run current, or a new run that begins like it."""
        self.branch = branch if branch in self.tree else ROOT
        self.done = self.tree.interventions(self.branch) if done is None else done
        self._goes_on = False

    def add(self, done: tuple[Intervention, ...]) -> None:
        """Append interventions at the end of the run, and give the run a place in the tree."""
        self.done = (*self.done, *done)
        self.place()
        self._goes_on = True

    def place(self) -> int:
        """Give the run a place in the tree if it has none, and keep the experiment with the new tree."""
        before = self.tree
        tree, self.branch = follow(before, self.branch, self.done, goes_on=self._goes_on)
        if tree != before:
            self._session.keep(tree.experiment)
        return self.branch

    def until(self, time: float = math.inf) -> tuple[Intervention, ...]:
        """Return the interventions up to a time."""
        return tuple(each for each in self.done if each.time <= time)

    def taken(self, time: float) -> frozenset[str]:
        """Return the processes whose actions the user decides at a given time."""
        found: set[str] = set()
        for each in self.until(time):
            if each.process is not None and each.do == "take_over":
                found.add(each.process)
            elif each.process is not None and each.do == "release":
                found.discard(each.process)
        return frozenset(found)

    def experiment(self, done: tuple[Intervention, ...]) -> Experiment:
        """Return the current experiment with exactly these interventions."""
        assert self._session.experiment is not None
        return self._session.experiment.with_(branches=(), interventions=done)

    def on_screen(self) -> bool:
        """Return True if a run of the current experiment is shown, regardless of its interventions."""
        shown, experiment = self._session.shown, self._session.experiment
        if shown is None or shown.experiment is None or experiment is None or not len(shown.trace):
            return False
        return shown.experiment.alone.with_(interventions=()) == experiment.alone.with_(interventions=())

    def before_end(self, time: float) -> float:
        """Return the time, or, if the run ended by then, a time just before that, because it would end there again."""
        shown, experiment = self._session.shown, self._session.experiment
        stopped = None if shown is None else shown.result.get("stopped", shown.trace.summary.get("stopped"))
        if shown is None or stopped in (None, "quiescent", "cancelled") or not len(shown.trace):
            return time
        stop = None if experiment is None else experiment.stop.until
        end = stop if stopped == "until" and stop is not None else float(shown.trace.column("time")[-1])
        return time if time < end else max(0.0, math.nextafter(end, -math.inf))
