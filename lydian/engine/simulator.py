"""The simulator, which turns an experiment into a trace, round by round, and accepts interventions between rounds."""

from __future__ import annotations

import contextlib
import math
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from lydian.engine.checks import Judgement
from lydian.engine.end import outcome
from lydian.engine.end.result import Result
from lydian.engine.faults.interventions import Answer, Faults
from lydian.engine.faults.noise import make_noise
from lydian.engine.kernel import StopRun
from lydian.engine.queue import END, INTERVENTION
from lydian.engine.run import Run
from lydian.engine.state.beginning import begin
from lydian.engine.state.sharing import MOST_AGAIN, Sharing
from lydian.model.errors import ActionError, LydianError, PropertyError
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.interventions import Intervention
from lydian.model.limits import OutOfTime, Watch, memory_limit
from lydian.model.protocol.protocol import protocol_from_source
from lydian.trace.events import Trace, counted

__all__ = ["ACTION_SECONDS", "MOST_EFFECTS", "Simulator", "run_bounded"]

#: The seconds after which an action that is still running ends the run.
ACTION_SECONDS = 2.0
#: The number of messages beyond which an action that sends more ends the run.
MOST_EFFECTS = 1_000_000

T = TypeVar("T")


class Simulator(Run):
    """The simulator of one experiment.

    Args:
        experiment: an experiment, or one that has already been resolved.
        variables: whether changes of variables are recorded; ``None`` for the experiment's own setting.
        check: whether properties are judged during the run; ``None`` for the experiment's own setting.
        limit: the largest number of events; ``None`` for the experiment's own limit.
        round_length: the simulated time of a round.
        judged_after: judge properties after every event later than this one, whatever the size of the network.
        round_events: the steps of a round, each an event with its action; ``None`` for rounds of simulated time.
        action_seconds: the longest time that an action may take; ``None`` for :data:`ACTION_SECONDS`.
        only: the processes that it simulates, if others are simulated elsewhere; messages to those collect in
            ``kernel.queue.away``.

    Attributes:
        lingers: whether the run stays open when no event is left, so that the user can still intervene.
        excused: whether the lack of progress is justified at present, as the simulator waits for a client or a file.
    """

    def __init__(
        self,
        experiment: Experiment | Resolved,
        *,
        variables: bool | None = None,
        check: bool | None = None,
        limit: int | None = None,
        round_length: float = 1.0,
        judged_after: int | None = None,
        round_events: int | None = None,
        action_seconds: float | None = None,
        only: frozenset[str] | None = None,
    ) -> None:
        resolved = experiment if isinstance(experiment, Resolved) else experiment.resolve()
        super().__init__(
            resolved, variables=variables, check=check, limit=limit, round_length=round_length,
            judged_after=judged_after, round_events=round_events, only=only,
        )  # fmt: skip
        self.lingers = self.excused = self._begun = False
        self._action_seconds = ACTION_SECONDS if action_seconds is None else action_seconds
        self.execution.line_of_effect = self._line_of_effect
        self.faults = Faults(self)
        make_noise(self.faults)
        self.sharing = Sharing(self.execution, self.recorder, self._shared_again)
        self.judges.innocent = self.sharing.wrong
        self._schedule()

    # ------------------------------------------------------------------ set-up

    def _schedule(self) -> None:
        kernel, experiment = self.kernel, self.experiment
        # Interventions made between two rounds precede everything else at their time.
        timed = (each for each in experiment.interventions if each.after is None)
        for each in (*timed, *experiment.faults, *experiment.workload, *self._drawn):
            if self.concerns(each):
                kernel.at(each.time, self.faults.apply, each, INTERVENTION)
        self.faults.schedule_outages()
        for name in self.network.initiators if "INIT" in self.protocol.table.events else ():
            if self.plays(name):
                kernel.at(0.0, self.execution.wake, self.processes[self.network.index[name]])
        if experiment.stop.until is not None:
            kernel.at(experiment.stop.until, self._time_is_up, None, END)

    def _time_is_up(self, _: None) -> None:
        raise StopRun("until" if len(self.kernel.queue) > self.kernel.queue.void else self._rest())

    def _rest(self) -> str:
        """Return how a run without further events ends: at rest, or waiting for the user to choose a rule."""
        rules = self.rules
        return "quiescent" if rules is None or not rules.pairs else "until"

    def begin(self) -> None:
        """Set up the initial configuration of the experiment and evaluate the guards, before the first step."""
        if not self._begun:
            self._begun = True
            begin(self, self.faults.row)
            if self.rules is not None:
                self.rules.begin()

    def prepare(self) -> None:
        """Begin without taking a step, so that the enabled events are determined."""
        if self.stopped is None and not self._begun:
            self._carry_out(lambda: None)

    # ------------------------------------------------------------------ running

    def run(self) -> Result:
        """Run to the end and return the result.

        If the protocol fails, the run ends as ``error`` and no exception is raised. ``KeyboardInterrupt`` ends it as
        ``cancelled`` and is raised again; the trace can still be read.
        """
        self._advance(None)
        return self.result()

    def interact(self, what: Intervention, seen_round: int, answer: Callable[[Answer], None]) -> None:
        """Offer an interaction between rounds; ``answer`` is called when the next round begins.

        Args:
            what: the intervention; its time is replaced by that of the round.
            seen_round: the number of rounds that its sender had seen.
        """
        self.faults.offer(what, seen_round, answer)

    def round(self) -> bool:
        """Run one round: decide on the offered interactions, then execute the next slice of simulated time.

        Return True if the run has not ended.
        """
        self.take_in()
        self.faults.begin_round()
        if self.round_events is None:
            self._advance((self.faults.round + 1) * self.round_length)
        else:
            self._advance(None, self.round_events)
        if self.stopped is None:
            self.faults.end_round()
        return self.stopped is None

    def round_until(self, time: float | None, steps: int | None, most: int) -> bool:
        """Run one round of events: all events up to and including a time, within a total number of steps.

        Afterwards the clock shows ``time``, if later events are left, so that the next intervention happens then.
        Only for rounds of events.

        Args:
            time: the last time to execute; ``None`` for no bound.
            steps: the largest number of steps of the whole execution; ``None`` for no bound.
            most: the largest number of steps of this round.
        """
        self.take_in()
        self.faults.begin_round()

        def work() -> None:
            kernel = self.kernel
            end = None if time is None else math.nextafter(time, math.inf)
            self._closely_first(end, most, steps)
            if time is not None and self.reached(time, steps) and kernel.queue:
                kernel._now = max(float(kernel.now), min(time, kernel.queue.next))

        if self.stopped is None:
            self._carry_out(work)
        if self.stopped is None:
            self.faults.end_round()
        return self.stopped is None

    def pass_time(self, time: float) -> bool:
        """Advance the clock to a time if nothing is left to do before; return True if it was advanced.

        Only for a simulator that waits for interactions: the next one is then made at this time.
        """
        kernel = self.kernel
        if not self.lingers or kernel.queue or time <= kernel.now or self.stopped is not None:
            return False
        kernel._now = time
        return True

    def reached(self, time: float | None, steps: int | None) -> bool:
        """Return True if all events up to a time have happened, all ``steps`` are taken, or no event is left."""
        queue = self.kernel.queue
        there = time is not None and queue.next > time
        return there or (steps is not None and self.steps >= steps) or not queue

    def take_in(self) -> None:
        """Decide on the interactions offered since the last call, and carry out those that are accepted."""
        if self.stopped is not None or not self.faults.offered:
            self.faults.take_in()
        else:
            self._carry_out(self.faults.take_in)

    def cancel(self) -> None:
        """End the run here; the trace so far can be read."""
        if self.stopped is None:
            self._finish("cancelled")

    def _advance(self, end: float | None, most: int | None = None) -> None:
        """Execute events, all or those before ``end``, in at most ``most`` steps; record how the run stopped."""
        if self.stopped is None:
            self._carry_out(lambda: self._looked_after(end, most))

    def _looked_after(self, end: float | None, most: int | None) -> None:
        """Execute events; between two rounds, check whether processes share memory."""
        self._closely_first(end, most)
        if end is not None or most is not None:
            self.sharing.look(self.lingers)

    def _closely_first(self, end: float | None, most: int | None, upto: int | None = None) -> None:
        """Execute events within the limits of :meth:`_steps`; check for shared memory after each of the first."""
        while self.sharing.close and most != 0:
            done, before = self.steps, self.kernel.counts()[0]
            self._steps(end, 1, upto)
            if self.steps == done:
                break
            if most is not None and self.kernel.counts()[0] > before:
                most -= 1
            self.sharing.look_closely()
        self._steps(end, most, upto)

    def _steps(self, end: float | None, most: int | None, upto: int | None = None) -> None:
        """Execute events before ``end``, at most ``most`` steps, up to step ``upto`` of the whole execution."""
        kernel, queue = self.kernel, self.kernel.queue
        if most is not None or self.faults.due:
            last = math.inf if end is None else end
            left = math.inf if most is None else most
            highest = math.inf if upto is None else upto
            self.faults.apply_due(last)
            while queue.next < last and left > 0 and (self.faults.due or most is not None):
                if self.steps >= highest:
                    break
                if self._only_void():
                    self.faults.apply_due(last)
                    continue
                before = kernel.counts()[0]
                kernel.step()
                self.steps += 1
                left -= kernel.counts()[0] > before  # steps that record no row do not count in a round
                self.faults.apply_due(last)
            if most is not None:
                return
        kernel.advance(end)

    def _only_void(self) -> bool:
        """Return True if only cancelled timers are left; remove them without advancing simulated time.

        While recorded interventions are to be repeated, the end of the run at a stated time does not count: the run
        in which they were made may have had no such end, and each removed timer counts as a step.
        """
        queue = self.kernel.queue
        if self.faults.due and queue.void and len(queue) == queue.void + 1:
            ends = [each for each in queue.entries() if each.priority == END]
            if ends:
                self.steps += queue.void
                queue[:] = ends
                queue.void = 0
                return True
        if not queue.only_void:
            return False
        self.steps += len(queue)
        queue.clear()
        return True

    def _carry_out(self, work: Callable[[], None]) -> None:
        """Carry out work on the execution; if this stops the run, record how."""
        try:
            with self.guard():
                self.begin()
                work()
        except StopRun as stop:
            ended = stop.reason
        except (ActionError, PropertyError) as error:
            self.error = str(error)
            ended = "error"
        except OutOfTime:
            self.error = f"{self.protocol.file}: the run made no progress for {self._action_seconds:g} s"
            ended = "error"
        except KeyboardInterrupt:
            self._finish("cancelled")
            raise
        else:
            self._only_void()
            ended = "" if self.kernel.queue or self.lingers else self._rest()
        if ended:  # only now, when the memory of a failed action has been released
            self._finish(ended)

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Return a context in which the protocol's code runs: endless actions are interrupted, and output is recorded.

        Each run or round enters it by itself; a caller that runs many rounds enters it once around them.
        """
        if self.execution.watch is not None:
            yield
            return
        kernel = self.kernel

        def progress() -> object:
            return object() if self.excused else (kernel.counts(), kernel.now)

        watch = Watch(self._action_seconds, progress, self._excess, self.protocol.file)
        try:
            with contextlib.redirect_stdout(self.execution.console), watch:
                self.execution.watch = watch
                yield
        finally:
            self.execution.watch = None

    def _excess(self) -> str | None:
        sent = len(self.kernel.effects)
        return f"it sent {sent} messages in one step" if sent > MOST_EFFECTS else None

    def _finish(self, stopped: str) -> None:
        if stopped not in ("error", "cancelled"):
            try:
                self.sharing.judge()
            except (ActionError, PropertyError) as error:
                self.error, stopped = str(error), "error"
        self.stopped = stopped
        try:
            watch = Watch(ACTION_SECONDS, lambda: len(self.judges.own), file=self.protocol.file)
            with contextlib.redirect_stdout(self.execution.console), watch:
                outcome.judged(self)
        except (PropertyError, OutOfTime) as error:
            self.error = self.error or str(error) or "a property did not finish"
            self.stopped = "error"
        else:
            self._pinpoint()

    def out_of_memory(self, error: MemoryError) -> None:
        """End a run whose action used all available memory, after releasing that memory."""
        held: BaseException | None = error
        while held is not None:  # the frames of the first error hold the memory
            traceback.clear_frames(held.__traceback__)
            held = held.__context__
        self.error = f"{self.protocol.file}: the run requires more memory than it may use"
        self._finish("error")

    # ------------------------------------------------------------------ repeating the run

    def _pinpoint(self) -> None:
        """Determine the exact events of violations that were detected late, by repeating the run up to there."""
        late = [found for found in self.judges.judgements if found.kind == "always" and found.holds is False]
        if self.judges.every == 1 or not late:
            return
        until, first = max(found.at or 0 for found in late), min(found.good for found in late)
        same = Resolved(self.recorded, self.protocol, self.network, self.parameters)
        limit = counted(self.recorder.rows(self.kernel.counts()[2])["kind"][: until + 1])
        again = Simulator(same, variables=False, check=True, limit=limit, judged_after=first)
        again._advance(None)
        exact = {found.name: found.at for found in again.judges.judgements if found.holds is False}
        for found in late:
            found.at = exact.get(found.name, found.at)

    def _again(self, most: int, look: Callable[[Simulator, int, int], T | None]) -> T | None:
        """Repeat the run from the beginning, with all shared objects as they were when the file was read.

        Args:
            most: the largest number of steps.
            look: called with the new run, the number of each step and the number of events before it, initially with
                0 and 0; a result other than ``None`` ends the new run and is returned.
        """
        if self.only is not None:  # what others sent to it cannot be repeated here
            return None
        old, excused = self.protocol, self.excused
        module = old.cls.__module__
        kept = sys.modules.get(module)
        self.excused = True
        try:
            try:
                protocol = protocol_from_source(old.source, name=old.name, path=old.path)
            finally:
                if kept is not None:
                    sys.modules[module] = kept
            same = Resolved(self.recorded, protocol, self.network, self.parameters)
            again = Simulator(same, variables=True, check=False, action_seconds=self._action_seconds)
            again.execution.line_of_effect = lambda cause, number: None
            look(again, 0, 0)
            queue = again.kernel.queue
            with contextlib.suppress(LydianError, StopRun, OutOfTime), again.guard():
                again.begin()
                again.faults.apply_due(math.inf)
                while queue and again.steps < most:
                    before = again.kernel.counts()[0]
                    again.kernel.step()
                    again.steps += 1
                    again.faults.apply_due(math.inf)
                    found = look(again, again.steps, before)
                    if found is not None:
                        return found
            return None
        finally:
            self.excused = excused

    def _shared_again(self, most: int, look: Callable[[Sharing, int, int], T | None]) -> T | None:
        return self._again(most, lambda again, step, before: look(again.sharing, step, before))

    def _line_of_effect(self, cause: int, number: int) -> int | None:
        """Return the line of the ``send`` call that requested an effect of an action, or ``None`` if it is not found.

        Args:
            cause: the event of the action; the run is at its effects.
            number: the number of the effect, from 0.
        """
        lines: dict[int, int] = {}

        def look(again: Simulator, step: int, _before: int) -> dict[int, int] | None:
            if step == 0:
                for cls in (*again.protocol.classes, *getattr(again.protocol.cls, "_layers", ())):
                    cls.send = _telling(cls.send, again.protocol.file, lines)
            return dict(lines) if again.kernel.counts()[0] > cause else None

        found = self._again(MOST_AGAIN, look)
        return (lines if found is None else found).get(number)

    # ------------------------------------------------------------------ reading

    @property
    def trace(self) -> Trace:
        """The trace so far; may be read between rounds."""
        return outcome.trace(self)

    def checks(self) -> list[Judgement]:
        """Return the judgements of the properties and, after an undisturbed run, of the number of messages."""
        return outcome.checks(self)

    def result(self) -> Result:
        """Return the result of the run so far."""
        return outcome.result(self)


def _telling(send: Callable[..., None], file: str, lines: dict[int, int]) -> Callable[..., None]:
    """Return a ``send`` that records, for each effect of an action, the line of the protocol that calls it."""

    def sending(self: Any, message: Any, to: Any) -> None:
        if not self._effects:
            lines.clear()
        send(self, message, to)
        frame = sys._getframe(1)
        while frame.f_code.co_filename != file and frame.f_back is not None:
            frame = frame.f_back
        lines[len(self._effects) - 1] = frame.f_lineno

    return sending


def run_bounded(simulator: Simulator, memory: int) -> Result:
    """Run within the memory given, in bytes; a run that needs more ends with an error, and its trace is kept."""
    spare = [bytearray(8_000_000)]
    with memory_limit(memory):
        try:
            return simulator.run()
        except MemoryError as error:
            spare.clear()
            simulator.out_of_memory(error)
    return simulator.result()
