"""The shortening of a failing run to the smallest one found that fails in the same way.

First, parts of the experiment are left out: faults, interventions and commands, processes, links, initiators, different
delays. Then, if the failure is final as soon as it happens, the run becomes a schedule, and steps that are not
needed for the failure are left out: the messages that they would have delivered remain in transit. Each candidate is
executed again, so the result is a run that really fails, and it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from lydian.engine.end.result import Result
from lydian.engine.kernel import StopRun
from lydian.engine.shorten.failing import Failing, Size, failing_of, size_of
from lydian.engine.shorten.schedule import Step, in_past, played, steps_of
from lydian.engine.shorten.structure import FAITHFUL, PASSES, pinned, without_each
from lydian.engine.simulator import Simulator
from lydian.model.archive.given import Given
from lydian.model.errors import BadInput, LydianError, PropertyError
from lydian.model.experiment.experiment import Experiment, Resolved

__all__ = ["SECONDS", "Shortened", "shorten"]

#: The time after which the smallest run found so far is the result, in seconds.
SECONDS = 30.0


@dataclass(frozen=True)
class Shortened:
    """The result of shortening.

    Attributes:
        experiment: the experiment whose run fails in the same way.
        failing: the failure.
        before, after: the sizes of the two runs.
        runs: the number of runs that were executed.
        complete: whether nothing more can be left out; False if the time was over or the user stopped it.
    """

    experiment: Experiment
    failing: Failing
    before: Size
    after: Size
    runs: int
    complete: bool


class _Stop(Exception):
    """The time limit has been reached, or the user wants no more."""


def shorten(
    experiment: Experiment | Resolved,
    name: str | None = None,
    *,
    seconds: float | None = SECONDS,
    progress: Callable[[Size], object] | None = None,
    stopped: Callable[[], bool] = lambda: False,
    most: int | None = None,
    accept: Callable[[Resolved], bool] = lambda resolved: True,
    faithful: bool = False,
    hurried: bool = True,
) -> Shortened:
    """Shorten the failing run of an experiment.

    Args:
        name: the property whose violation must remain; by default a failing action, or the first violation.
        seconds: the time limit.
        progress: called with the size of each smaller run.
        stopped: returns True if the smallest run so far is enough; asked before each candidate.
        accept: returns False for a smaller experiment that must not be the result, such as one in which a correct
            protocol fails as well.
        faithful: leave out only faults, processes and steps, so that what a protocol may rely on remains: commands,
            initiators, links and timing.
        hurried: whether steps are left out although timers expire, which may then be sooner than they were set for.
        most: the largest number of runs that are tried; it does not depend on the machine, as the time does.

    Raises:
        BadInput: the run does not fail, or not in this way.
    """
    resolved = experiment if isinstance(experiment, Resolved) else experiment.resolve()
    result = Simulator(resolved, check=True).run()
    failing = failing_of(result, name)
    if failing is None:
        what = "the run does not fail" if name is None else f"the run does not violate '{name}'"
        raise BadInput(f"{what}; only a failing run can be shortened")
    return _Shortening(resolved, result, failing, seconds, progress, stopped, most, accept, faithful, hurried).done()


class _Shortening:
    """One shortening in progress: the smallest failing run so far, and the candidates for a smaller one."""

    def __init__(
        self,
        resolved: Resolved,
        result: Result,
        failing: Failing,
        seconds: float | None,
        progress: Callable[[Size], object] | None,
        stopped: Callable[[], bool],
        most: int | None,
        accept: Callable[[Resolved], bool],
        faithful: bool,
        hurried: bool,
    ) -> None:
        self.failing = failing
        self.before = self.size = size_of(resolved, result)
        self.best, self.result = resolved, result
        self.runs, self._name = 1, resolved.experiment.name
        self._archive, self._most_runs = Given(resolved.protocol), most
        self._most = 2 * len(result.trace) + 100
        self._end = None if seconds is None else monotonic() + seconds
        self._progress, self._stopped, self._accept = progress, stopped, accept
        self._passes, self._hurried = FAITHFUL if faithful else PASSES, hurried

    def done(self) -> Shortened:
        """Shorten as far as possible."""
        complete = True
        try:
            self._fail_at_once()
            before = None
            while before != self.size:
                before = self.size
                for each in self._passes:
                    each(self.best.experiment, self.fails)
            if self.failing.stops:
                self._fewer_steps()
        except _Stop:
            complete = False
        failing = self.failing
        what = "an action fails" if failing.kind == "error" else f'"{failing.name}" does not hold'
        experiment = self.best.experiment.with_(
            name=f"{self._name}-short", about=f"The shortest run found in which {what}."
        )
        return Shortened(experiment, failing, self.before, self.size, self.runs, complete)

    def _fail_at_once(self) -> None:
        """Pin everything that is drawn, and let the run end as soon as it fails."""
        experiment = pinned(self.best)
        if self.failing.stops:
            ending = experiment.with_(stop=replace(experiment.stop, violation=True))
            if self._fails_as(ending, any_=True):
                return
        self._fails_as(experiment, any_=True)

    def fails(self, experiment: Experiment) -> bool:
        """Return True if the run of a smaller experiment fails in the same way; it is then the smallest so far."""
        return self._fails_as(experiment)

    def _fails_as(self, experiment: Experiment, *, any_: bool = False) -> bool:
        """Do the same; with ``any_``, whether or not the experiment is acceptable, as it is the given one."""
        self._go_on()
        try:
            resolved = experiment.resolve(self._archive)
            result = Simulator(resolved, check=True, limit=self._most).run()
        except (LydianError, ValueError):
            return False
        self.runs += 1
        if not self.failing.in_(result) or result.stopped == "limit" or not (any_ or self._accept(resolved)):
            return False
        self._keep(resolved, result)
        return True

    def _keep(self, resolved: Resolved, result: Result) -> None:
        self.best, self.result = resolved, result
        self.size = size_of(resolved, result)
        if self._progress is not None:
            self._progress(self.size)

    def _go_on(self) -> None:
        late = self._end is not None and monotonic() > self._end
        if late or self._stopped() or (self._most_runs is not None and self.runs >= self._most_runs):
            raise _Stop

    def _fewer_steps(self) -> None:
        """Leave out steps of the schedule."""
        if self.best.protocol.rounds or self.best.experiment.daemon.kind == "synchronous":
            return
        steps = steps_of(self.best, self.result.trace)
        calm = self.best.experiment.with_(faults=(), interventions=())
        base = replace(self.best, experiment=calm, drawn=())
        found: tuple[list[Step], Experiment] | None = None
        timed = any(step.kind == "timer" for step in steps)
        if timed and not self._hurried:
            return

        def fails(kept: tuple[Step, ...]) -> bool:
            nonlocal found
            self._go_on()
            self.runs += 1
            try:
                trial = played(base, kept, self.failing, steps if timed else ())
            except (LydianError, PropertyError, ValueError, StopRun):  # it stops if it fails before the first step
                return False
            if trial is None:
                return False
            if found is None or len(trial[0]) < len(found[0]):
                found = trial
            return True

        try:
            if not fails(tuple(steps)):
                return
            assert found is not None
            fails(tuple(in_past(self.result.trace, found[0])))
            while True:
                before = len(found[0])
                without_each(tuple(reversed(found[0])), lambda kept: fails(tuple(reversed(kept))))
                if len(found[0]) == before:
                    break
        finally:
            if found is not None:
                self._keep_schedule(found[1])

    def _keep_schedule(self, experiment: Experiment) -> None:
        """Keep a schedule if the simulator confirms it and it has fewer events."""
        try:
            resolved = experiment.resolve(self._archive)
            result = Simulator(resolved, check=True).run()
        except (LydianError, ValueError):
            return
        if self.failing.in_(result) and size_of(resolved, result).events < self.size.events:
            self._keep(resolved, result)
