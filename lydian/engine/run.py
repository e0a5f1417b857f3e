"""One run: its parts, its progress and its outcome."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.checks import Judges
from lydian.engine.execution import Execution
from lydian.engine.kernel import StopRun
from lydian.engine.observers import Feed, rows_fed
from lydian.engine.overlay import Overlay
from lydian.engine.rounds import Rounds
from lydian.engine.rules import Rules
from lydian.engine.setup import make_channels, make_memory, make_processes, own_channel, stream
from lydian.engine.state.configuration import Configuration
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.interventions import Intervention
from lydian.model.protocol.guards import refuse
from lydian.model.protocol.observer import observers_of
from lydian.model.protocol.process import Process
from lydian.model.streams import stream_key
from lydian.trace.parquet.recorder import Recorder, plain

__all__ = ["Run"]


def _merged(known: Iterable[Intervention], done: Iterable[Intervention]) -> tuple[Intervention, ...]:
    """Merge the planned interventions of an experiment with those made during its run, in the order of execution.

    Interventions between two rounds precede those planned for the same time.
    """
    known, done = tuple(known), tuple(done)
    timed = sorted((each for each in (*done, *known) if each.after is None), key=lambda each: each.time)
    numbered = sorted((each for each in (*known, *done) if each.after is not None), key=lambda each: each.after or 0)
    return (*timed, *numbered)


class Run:
    """One run of an experiment.

    Attributes:
        steps: the number of steps taken, which is counted in rounds of events, and while interventions wait for their
            step.
        processes, channels: the processes and channels of the run.
        execution: the processes with everything pending for them; ``kernel``: the SimPy environment that it uses.
        overlay, rounds, rules: sending without links, synchronous rounds, guarded actions; ``None`` if not used.
        configuration: the configuration that properties see.
        judging: whether properties are judged.
        first: process -> the initial values that it computed, or all initial values if there are several roles.
        accepted: the interventions accepted between rounds, in order.
        prescribed: the positions of the options that the next action has to choose; empty: it draws them.
        disturbed: whether there has been any intervention or fault.
        stopped: how the run ended, ``None`` while it is in progress.
        error: the failure, as a sentence.
        rest: the outcome if no further event could happen; see :func:`lydian.engine.end.rest.rest`.
        only: the processes that this run simulates, if others are simulated elsewhere; ``None`` for all.
    """

    def __init__(
        self,
        resolved: Resolved,
        *,
        variables: bool | None,
        check: bool | None,
        limit: int | None,
        round_length: float,
        judged_after: int | None,
        round_events: int | None,
        only: frozenset[str] | None = None,
    ) -> None:
        self.only = only
        self.experiment: Experiment = resolved.experiment
        self._drawn = resolved.drawn
        self.protocol = protocol = resolved.protocol
        self.network = network = resolved.network
        self.parameters = protocol.configure(self.experiment.parameters, file=self.experiment.file)
        self.seed = self.experiment.seed
        self.round_length = round_length
        self.round_events = round_events
        self.steps = 0
        self.accepted: list[Intervention] = []
        self.prescribed: list[int] = []
        self.disturbed = False
        self.stopped: str | None = None
        self.error: str | None = None
        self.rest: dict[str, Any] = {}
        self.recorder = Recorder(round_length)
        recording = self.experiment.variables if variables is None else variables
        self.judging = judging = self.experiment.check if check is None else check
        self.memory = make_memory(protocol, network, self.parameters)
        self.shared = {name: plain(value) for name, value in self.memory.values()}
        self.processes = make_processes(protocol, network, self.parameters, self)
        worked_out = [v.name for v in protocol.variables.values() if v.first is not None]
        self.first = {
            p._name: {
                name: plain(getattr(p, name)) for name in (p._declared.variables if protocol.roles else worked_out)
            }
            for p in self.processes
        } if worked_out or protocol.roles else {}  # fmt: skip
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
        self.channels = make_channels(network, self.processes, self.seed, lambda: self.now)
        self.execution.own = self.own
        self.overlay: Overlay | None = None
        if protocol.overlay:
            self.overlay = Overlay(self.processes, network, self.seed, lambda: self.now)
            self.execution.unknown = self.overlay.unknown
        self.rounds = Rounds(self.execution, self.channels, self.overlay) if protocol.rounds else None
        self.rules = (
            Rules(self.execution, network, self.experiment.daemon, self.seed, self.memory) if protocol.rules else None
        )
        self.configuration.attach(self.kernel, self.rules, self.memory)
        self.configuration.heeds(self.execution.decided, self.execution.delivered, self.execution.history)
        self.judges.heard = self._heard
        self._observe()
        if only is not None:
            self._send_away()

    def _observe(self) -> None:
        """Let the observers of the protocol be told what happens, before a property reads them."""
        judged = (*(self.protocol.properties if self.judging else ()), *self.protocol.measures)
        feed = Feed(observers_of(judged), self.protocol.file, self.protocol.source, self.protocol)
        if feed:
            self.configuration.observed_by(feed)
            self.judges.told = rows_fed(feed, self.execution, self.recorder)
            self.judges.remembered = feed.values

    def _send_away(self) -> None:
        """Let messages leave this run if their receivers are simulated elsewhere."""
        for channel in self.channels:
            if not self.plays(channel.target._name):
                channel.away = True
                channel.look_closer()
        if self.overlay is not None:
            self.overlay.away.update(p._i for p in self.processes if not self.plays(p._name))

    def plays(self, process: str) -> bool:
        """Return True if this run simulates a process, and not another one elsewhere."""
        return self.only is None or process in self.only

    def concerns(self, what: Intervention) -> bool:
        """Return True if an intervention has to be carried out here: at a process, or at an end of a link."""
        if self.only is None or (what.process is None and what.link is None):
            return True
        return any(map(self.plays, (what.process,) if what.link is None else what.link))

    def own(self, p: Process) -> Channel:
        """Return the channel from a process to itself; create it when it is first needed."""
        found: Channel | None = p._links.get(p._name)
        if found is None:
            found = own_channel(p, self.network, self.seed, lambda: self.now)
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

    def _size(self) -> int:
        """Return the number of processes and messages, on which the cost of judging a property depends."""
        return self.network.n + len(self.kernel.queue)

    def _heard(self) -> None:
        """Record the lines that a property or a measure has printed."""
        if self.kernel.effects:
            self.execution.printed()

    def _violated(self, name: str) -> None:
        raise StopRun("violation")

    @property
    def now(self) -> float:
        """The simulated time; a process reads it from its local clock, which may drift."""
        return float(self.kernel.now)

    def random_of(self, p: Process) -> random.Random:
        """Return the random number generator of a process, seeded from its own stream."""
        return random.Random(stream_key(self.seed, "random", p._name))

    def choose(self, p: Process, options: Sequence[Any]) -> int:
        """Return the position of the option that a process chooses: the prescribed one, or one drawn at random."""
        if not self.prescribed:
            return int(p.random.randrange(len(options)))
        number = self.prescribed.pop(0)
        if number >= len(options):
            raise refuse(f"option {number} is prescribed (counted from 0), but it chooses from {len(options)}")
        return number

    @property
    def recorded(self) -> Experiment:
        """The experiment with all interventions so far, which reproduces the execution."""
        done = self.accepted
        if not done:
            return self.experiment
        return self.experiment.with_(interventions=_merged(self.experiment.interventions, done))

    def numbers(self) -> dict[str, Any]:
        """Return the names that a formula may use, with their values: n, m and the parameters."""
        return {"n": self.network.n, "m": self.network.m, **self.parameters}
