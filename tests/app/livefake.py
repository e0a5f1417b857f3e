"""A live run without a child process: the real simulator behind the interface of a live run, one step at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lydian.desk.playhead import Playhead
from lydian.desk.signal import Signal
from lydian.engine.faults.interventions import Answer
from lydian.engine.pending import pending
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention
from lydian.pieces.animation import animation_for
from lydian.trace.timeline import Timeline

__all__ = ["FakeActed", "FakeLive"]


@dataclass(frozen=True)
class FakeActed:
    what: Any
    text: str
    accepted: bool
    reason: str


class FakeLive:
    """The interface of :class:`lydian.desk.live.live.Live` to a panel, answered at once.

    At most ``most`` enabled events are listed; ``told`` contains the requests with their descriptions.
    """

    def __init__(self, experiment: Experiment, playhead: Playhead, *, on: bool = True, most: int = 200) -> None:
        self.changed, self.acted, self.ended = Signal(), Signal(), Signal()
        self.simulator = Simulator(experiment, round_events=1)
        self.simulator.lingers = True
        self.playhead = playhead
        self.most = most
        self.on, self.waiting, self.alive = on, True, True
        self.told: list[tuple[Any, str]] = []
        self.steps = 0
        playhead.load(self.timeline(), animation_for(self.simulator.trace))
        self.follow()

    def timeline(self) -> Timeline:
        return Timeline(self.simulator.trace)

    @property
    def taken(self) -> frozenset[str]:
        names = self.simulator.network.processes
        return frozenset(names[i] for i in self.simulator.execution.taken)

    def follow(self) -> None:
        """Update the state from the simulator."""
        found, self.pending_total = pending(self.simulator, self.most)
        self.pending: tuple[Mapping[str, Any], ...] = tuple(found)
        self.time = self.simulator.now
        self.playhead.extend(self.timeline())
        self.playhead.seek(self.playhead.end)
        self.changed.emit()

    def switch(self, on: bool) -> None:
        self.on = on
        self.changed.emit()

    def step(self) -> None:
        self.steps += 1
        self.simulator.round()
        self.follow()

    def act(self, what: dict[str, Any], text: str = "") -> None:
        self.told.append((what, text))
        answers: list[Answer] = []
        self.simulator.interact(Intervention(time=0.0, **what), self.simulator.faults.round, answers.append)
        self.simulator.take_in()
        self.follow()
        self.acted.emit(FakeActed((what,), text, answers[0].accepted, answers[0].reason))
