"""Turns an experiment into a trace, round by round; accepts interventions between rounds."""

from __future__ import annotations

import contextlib
import math
import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from lydian.engine import outcome
from lydian.engine.again import line_of_effect
from lydian.engine.beginning import begin
from lydian.engine.channel import Channel
from lydian.engine.checks import Judgement, Judges
from lydian.engine.configuration import Configuration
from lydian.engine.execution import Execution
from lydian.engine.faults import Answer, Faults, merged
from lydian.engine.kernel import StopRun
from lydian.engine.noise import make_noise
from lydian.engine.overlay import overlay_of
from lydian.engine.queue import END, INTERVENTION
from lydian.engine.result import Result, plain
from lydian.engine.rounds import rounds_of
from lydian.engine.rules import Rules
from lydian.engine.setup import make_channels, make_processes, own_channel, stream
from lydian.engine.sharing import Sharing
from lydian.model.errors import ActionError, PropertyError
from lydian.model.experiment import Experiment, Resolved
from lydian.model.interventions import Intervention
from lydian.model.limits import OutOfTime, Watch
from lydian.model.process import Process
from lydian.model.streams import stream_key
from lydian.trace.events import Trace
from lydian.trace.recorder import Recorder

__all__ = ["ACTION_SECONDS", "MOST_EFFECTS", "Simulator"]

#: An action that runs longer than this ends the run.
ACTION_SECONDS = 2.0
#: An action that sends more than this ends the run.
MOST_EFFECTS = 1_000_000


class Simulator:
    """Runs one experiment.

    Args:
        experiment: an experiment, or one that is resolved already.
        variables: whether changes of variables are recorded; ``None`` as the experiment says.
        check: whether properties are judged while running; ``None`` as the experiment says.
        limit: most events; ``None`` as the experiment says.
        round_length: simulated time of a round.
        judged_after: judge properties after every event later than this one, whatever the size of the network.
        round_events: steps of a round, each an event with what its action does; ``None`` for rounds of simulated time.
        action_seconds: how long an action may take; ``None`` for :data:`ACTION_SECONDS`.

    Attributes:
        lingers: whether the run stays open when nothing is left to do, so that somebody may still interfere.
        steps: how many steps were taken; counted in rounds of events, and while interventions wait for their step.
        excused: set while there is a good reason to make no progress (waiting for somebody).
        kernel: SimPy's environment underneath.
        processes, channels: what lives in it.
        configuration: what properties see.
        judging: whether properties are judged.
        stopped: how the run ended, ``None`` while it goes on.
        rest: what it ended with, if nothing more could happen; see :func:`lydian.engine.rest.rest`.
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
    ) -> None:
        resolved = experiment if isinstance(experiment, Resolved) else experiment.resolve()
        self.experiment: Experiment = resolved.experiment
        self._drawn = resolved.drawn
        self.protocol = protocol = resolved.protocol
        self.network = network = resolved.network
        self.parameters = protocol.configure(self.experiment.parameters, file=self.experiment.file)
        self.seed = self.experiment.seed
        self.round_length = round_length
        self.round_events = round_events
        self.lingers = self.excused = self._begun = False
        self.steps = 0
        self._action_seconds = ACTION_SECONDS if action_seconds is None else action_seconds
        self.stopped: str | None = None
        self.error: str | None = None
        self.rest: dict[str, Any] = {}
        self.recorder = Recorder(round_length)
        recording = self.experiment.variables if variables is None else variables
        self.judging = judging = self.experiment.check if check is None else check
        self.processes = make_processes(protocol, network, self.parameters, self)
        worked_out = [v.name for v in protocol.variables.values() if v.first is not None]
        self.first = {
            p._name: {name: plain(getattr(p, name)) for name in worked_out} for p in self.processes
        } if worked_out else {}  # fmt: skip
        self.configuration = Configuration(self.processes, network)
        self.judges = Judges(
            protocol.properties if judging else (),
            self.configuration,
            protocol.file,
            protocol.source,
            size=None if judged_after is not None else self._size,
            after=-1 if judged_after is None else judged_after,
            stop=self._violated if self.experiment.stop.violation else None,
        )
        self.execution = Execution(
            protocol,
            self.processes,
            self.recorder,
            tuple(protocol.variables) if recording else (),
            self.judges.after if self.judges.watching else None,
            self.experiment.stop.events if limit is None else limit,
            self._step_times(),
        )
        self.kernel = self.execution.kernel
        self.channels = make_channels(network, self.processes, self.seed)
        self.execution.own = self.own
        self.execution.line_of_effect = lambda cause, number: line_of_effect(self, cause, number)
        make_noise(self)
        self.overlay = overlay_of(self)
        self.rounds = rounds_of(self)
        if protocol.rules:
            self.execution.rules = Rules(self.execution, network, self.experiment.daemon, self.seed)
        self.configuration.attach(self.kernel, self.execution.rules)
        self.configuration.heeds(self.execution.decided, self.execution.delivered)
        self.faults = Faults(self)
        self.sharing = Sharing(self)
        self.judges.heard = self._heard
        self.judges.innocent = self.sharing.wrong
        self._schedule()

    # ------------------------------------------------------------------ set-up

    def own(self, p: Process) -> Channel:
        """The channel from a process to itself; made when it is first needed."""
        found: Channel | None = p._links.get(p._name)
        if found is None:
            found = own_channel(p, self.network, self.seed)
            if self.rounds is not None:
                found.draw = self.rounds.wait
            self.channels.append(found)
        return found

    def _step_times(self) -> dict[int, Callable[[], float]]:
        times: dict[int, Callable[[], float]] = {}
        for p in self.processes:
            distribution = self.network.step_of(p._name)
            if distribution is not None and distribution.mean > 0:
                times[p._i] = stream(distribution, stream_key(self.seed, "step", p._name))
        return times

    def _schedule(self) -> None:
        kernel, experiment = self.kernel, self.experiment
        # What was done between two rounds was done before anything else of its moment.
        timed = (each for each in experiment.interventions if each.after is None)
        self._due = deque(each for each in experiment.interventions if each.after is not None)
        for each in (*timed, *experiment.faults, *experiment.workload, *self._drawn):
            kernel.at(each.time, self.faults.apply, each, INTERVENTION)
        self.faults.schedule_outages()
        for name in self.network.initiators if "INIT" in self.protocol.table.events else ():
            kernel.at(0.0, self.execution.wake, self.processes[self.network.index[name]])
        if experiment.stop.until is not None:
            kernel.at(experiment.stop.until, self._time_is_up, None, END)

    def _time_is_up(self, _: None) -> None:
        raise StopRun("until" if len(self.kernel.queue) > self.kernel.queue.void else self._rest())

    def _rest(self) -> str:
        """How a run ends in which nothing more happens by itself: it rests, or a user has not chosen a rule."""
        rules = self.execution.rules
        return "quiescent" if rules is None or not rules.pairs else "until"

    def begin(self) -> None:
        """Before the first step: the start that the experiment wants, and a first look at the guards."""
        if not self._begun:
            self._begun = True
            begin(self)
            if self.execution.rules is not None:
                self.execution.rules.begin()

    def prepare(self) -> None:
        """Begin, without a step, so that it is known what is enabled."""
        if self.stopped is None and not self._begun:
            self._carry_out(lambda: None)

    def _size(self) -> int:
        """Processes and messages: what judging a property has to look at."""
        return self.network.n + len(self.kernel.queue)

    def _heard(self) -> None:
        """A property or a measure was asked; it may have printed."""
        if self.kernel.effects:
            self.execution.printed()

    def _violated(self, name: str) -> None:
        raise StopRun("violation")

    @property
    def now(self) -> float:
        """Simulated time; a process reads it as its local clock, which may drift."""
        return float(self.kernel.now)

    def random_of(self, p: Process) -> random.Random:
        """The source of chance of a process, from its own stream."""
        return random.Random(stream_key(self.seed, "random", p._name))

    # ------------------------------------------------------------------ running

    def run(self) -> Result:
        """Run to the end.

        A protocol that fails ends the run as ``error``; nothing is raised for it.  ``KeyboardInterrupt`` ends it as
        ``cancelled`` and is raised again; the trace can still be read.
        """
        self._advance(None)
        return self.result()

    def interact(self, what: Intervention, seen_round: int, answer: Callable[[Answer], None]) -> None:
        """Offer an interaction between rounds; ``answer`` is called when the next round begins.

        Args:
            what: the intervention; its time is replaced by that of the round.
            seen_round: how many rounds its sender had seen.
        """
        self.faults.offer(what, seen_round, answer)

    def round(self) -> bool:
        """Run one round: take in what was offered, then all events of the next slice of simulated time.

        Gives whether there is anything left to do.
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
        """Run one round of events: those up to a time, that included, but not beyond so many steps in all.

        When they are done the clock stands at ``time``, if anything is left to happen later: what is done next is
        done then.  Only for rounds of events.

        Args:
            time: until when; ``None`` for no bound.
            steps: how many steps the execution may have taken in all; ``None`` for no bound.
            most: how many steps this round takes at most.
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

    def reached(self, time: float | None, steps: int | None) -> bool:
        """Whether everything up to a time has happened, or so many steps were taken; true if nothing is left."""
        queue = self.kernel.queue
        there = time is not None and queue.next > time
        return there or (steps is not None and self.steps >= steps) or not queue

    def take_in(self) -> None:
        """Decide about what was offered since the last time, and carry out what is accepted."""
        if self.stopped is not None or not self.faults.offered:
            self.faults.take_in()
        else:
            self._carry_out(self.faults.take_in)

    def cancel(self) -> None:
        """End the run here; what happened so far can be read."""
        if self.stopped is None:
            self._finish("cancelled")

    def _advance(self, end: float | None, most: int | None = None) -> None:
        """Execute events, all or those before ``end``, at most ``most`` steps, and remember how it stopped."""
        if self.stopped is None:
            self._carry_out(lambda: self._looked_after(end, most))

    def _looked_after(self, end: float | None, most: int | None) -> None:
        """Execute events; between two rounds it is seen whether processes share memory."""
        self._closely_first(end, most)
        if end is not None or most is not None:
            self.sharing.look()

    def _closely_first(self, end: float | None, most: int | None, upto: int | None = None) -> None:
        """Execute events, bounded as for :meth:`_steps`; after each of the first it is seen whether processes share
        memory."""
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
        """Execute events before ``end``, at most ``most`` steps of them, and not beyond ``upto`` steps in all."""
        kernel, queue = self.kernel, self.kernel.queue
        if most is not None or self._due:
            last = math.inf if end is None else end
            left = math.inf if most is None else most
            highest = math.inf if upto is None else upto
            self.apply_due(last)
            while queue.next < last and left > 0 and (self._due or most is not None):
                if self.steps >= highest or self._only_void():
                    break
                before = kernel.counts()[0]
                kernel.step()
                self.steps += 1
                left -= kernel.counts()[0] > before  # a round does not count those that leave no row
                self.apply_due(last)
            if most is not None:
                return
        kernel.advance(end)

    def _only_void(self) -> bool:
        """Whether nothing is left but timers that were cancelled: they go, without a moment of simulated time."""
        queue = self.kernel.queue
        if not queue.only_void:
            return False
        self.steps += len(queue)
        queue.clear()
        return True

    def apply_due(self, end: float) -> None:
        """Carry out the recorded interventions whose step it is, those before a time."""
        while self._due and (self._due[0].after or 0) <= self.steps and self._due[0].time < end:
            each = self._due.popleft()
            self.kernel._now = max(float(self.kernel.now), each.time)
            self.faults.apply(each)

    def _carry_out(self, work: Callable[[], None]) -> None:
        """Do something to the execution, and remember how that stopped it, if it did."""
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
        if ended:  # only now, when what a failed action held in memory is free again
            self._finish(ended)

    @contextlib.contextmanager
    def guard(self) -> Iterator[None]:
        """Watch over the protocol's code: endless actions are interrupted, what it prints is recorded.

        Running enters it by itself; who runs many rounds enters it once around them.
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
            self.error = self.error or str(error) or "a property ran without coming to an end"
            self.stopped = "error"
        else:
            outcome.pinpoint(self)

    # ------------------------------------------------------------------ reading

    @property
    def recorded(self) -> Experiment:
        """The experiment with all that was done to it so far: run again, it gives the same execution."""
        done = self.faults.accepted
        if not done:
            return self.experiment
        return self.experiment.with_(interventions=merged(self.experiment.interventions, done))

    @property
    def trace(self) -> Trace:
        """The record so far; may be asked for between rounds."""
        return outcome.trace(self)

    def numbers(self) -> dict[str, Any]:
        """What a formula may speak of: n, m and the parameters."""
        return {"n": self.network.n, "m": self.network.m, **self.parameters}

    def checks(self) -> list[Judgement]:
        """The properties and, for a run that came to rest undisturbed, the expected number of messages."""
        return outcome.checks(self)

    def result(self) -> Result:
        """The run, summed up; also of one that has not ended."""
        return outcome.result(self)
