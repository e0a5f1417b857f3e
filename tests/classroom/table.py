"""A game in a test: its moves are made in a real simulator in a thread of this process, as a host makes them."""

from __future__ import annotations

import io
import itertools
import os
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lydian.classroom.games.game import Choice, Game, Happened, Moment, Offer
from lydian.classroom.host import UNIT
from lydian.classroom.present import Present
from lydian.engine import serve, wire
from lydian.engine.simulator import Simulator
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention

__all__ = ["Played", "Table", "table"]


class _Out(io.RawIOBase):
    """Where the simulator writes its frames."""

    def __init__(self, lines: queue.SimpleQueue[bytes | None]) -> None:
        super().__init__()
        self._lines, self._rest = lines, b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        *whole, self._rest = (self._rest + bytes(data)).split(b"\n")
        for each in whole:
            self._lines.put(each)
        return len(data)


@dataclass
class Played:
    """A round that was played: what each player saw, chose, and was told, and which moves were refused."""

    before: Moment
    after: Moment
    choices: dict[str, Choice]
    told: dict[str, Happened]
    refused: list[tuple[Mapping[str, Any], str]] = field(default_factory=list)


class Table:
    """A run of a game; use :func:`table`."""

    def __init__(self, game: Game, experiment: Experiment, played: frozenset[str] | None) -> None:
        self.game, self.experiment = game, experiment.with_()
        self.resolved = experiment.resolve()
        self.present = Present()
        self.pending: tuple[dict[str, Any], ...] = ()
        self.result: dict[str, Any] | None = None
        self._seen = 0
        self.round = 0
        self.done: list[Intervention] = []
        self.names = self.resolved.network.processes
        self.played = frozenset(self.names) if played is None else played & frozenset(self.names)
        self._numbers = itertools.count(1)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        source, target = os.pipe()
        self._source, self._target = os.fdopen(source, "rb"), os.fdopen(target, "wb", 0)
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        folder = None if experiment.path is None else str(experiment.path.absolute().parent)
        self._send(wire.Hello(wire.VERSION, "test"))
        self._send(
            wire.Request(experiment.to_dict(), folder=folder, round_events=1, to=None, steps=0, linger=True,
                         pending=5000)
        )  # fmt: skip
        self._until_still()
        for process in self.names:
            if process in self.played:
                assert not self.make({"do": "take_over", "process": process})

    def _work(self) -> None:
        try:
            serve.main(self._source, _Out(self._lines))  # type: ignore[arg-type]
        finally:
            self._lines.put(None)

    def _send(self, frame: wire.Frame) -> None:
        self._target.write(wire.encode(frame))

    def _next(self) -> wire.Frame:
        line = self._lines.get(timeout=20)
        assert line is not None, "the simulator has ended"
        frame = wire.decode(line)
        if isinstance(frame, wire.Begun):
            self.present.start(frame)
        elif isinstance(frame, wire.Round):
            self.present.take(frame)
            self._seen = frame.round
        elif isinstance(frame, wire.Pending):
            self.pending = tuple(frame.events)
        elif isinstance(frame, wire.Result):
            self.result = frame.result
        assert not isinstance(frame, wire.Error), frame
        return frame

    def _until_still(self) -> None:
        while not isinstance(self._next(), wire.Pending):
            pass

    def make(self, what: Mapping[str, Any]) -> str:
        """Make an intervention; return the reason why not, "" if it was made."""
        self._send(wire.Interact(next(self._numbers), self._seen, dict(what)))
        while not isinstance(answer := self._next(), wire.Answered):
            pass
        if answer.accepted:
            assert answer.intervention is not None
            self.done.append(Intervention.from_dict(answer.intervention))
            self._until_still()
        return answer.reason

    def moment(self) -> Moment:
        states = self.present.states_now()
        return Moment(
            self.round, self.present.time, self.experiment, self.resolved.network, self.resolved.protocol, self.names,
            {name: states.get(name, "") for name in self.names}, self.present.variables_now(), self.pending,
            self.present.crashed, self.played, {}, self.present.been_down, dict(self.present.last),
        )  # fmt: skip

    def play(self, choose: Callable[[Moment, str, tuple[Offer, ...]], Choice | None]) -> Played:
        """Play a sealed round: ``choose`` returns the choice of a player among their offers."""
        self.round += 1
        before = self.moment()
        choices: dict[str, Choice] = {}
        asked = set()
        for process in self.names:
            if process in self.played and (offers := self.game.view(before, process).offers):
                asked.add(process)
                if (choice := choose(before, process, offers)) is not None:
                    choices[process] = choice
        refused: dict[str, str] = {}
        found: list[tuple[Mapping[str, Any], str]] = []
        for move in self.game.round(before, choices):
            if reason := self.make(move.what):
                refused.setdefault(move.process, reason)
                found.append((move.what, reason))
        self._send(wire.Pace(until=self.present.time + UNIT))
        self._until_still()
        for move in self.game.settle(self.moment()):
            assert not self.make(move.what)
        after = self.moment()
        told = {
            p: self.game.happened(before, after, p, choices.get(p), refused.get(p, ""))
            for p in self.names if p in asked
        }  # fmt: skip
        return Played(before, after, choices, told, found)

    def end(self) -> dict[str, Any]:
        """End the run; return its result, after checking that the record repeats it."""
        self._send(wire.Stop())
        while self.result is None:
            self._next()
        stop = self.experiment.stop.__class__(until=self.present.time)
        again = Simulator(self.experiment.with_(interventions=tuple(self.done), stop=stop)).run()
        assert again.fingerprint == self.result["fingerprint"]
        return self.result

    def close(self) -> None:
        self._target.close()
        self._thread.join(10)
        self._source.close()


@contextmanager
def table(game: Game, experiment: Experiment, played: frozenset[str] | None = None) -> Iterator[Table]:
    """Open a run of a game in which people play these processes, all by default."""
    found = Table(game, experiment.with_(stop=experiment.stop.__class__()), played)
    try:
        yield found
    finally:
        found.close()
