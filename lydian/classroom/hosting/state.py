"""The run, the people and the round of a class, as they are now."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lydian.classroom import frames
from lydian.classroom.asking import Asked
from lydian.classroom.classfile import ClassFile
from lydian.classroom.games import GAMES
from lydian.classroom.games.game import Choice, Game, Moment, View
from lydian.classroom.hosting.listener import Listener
from lydian.classroom.log import Log
from lydian.classroom.looks import animation_of, drawn_as
from lydian.classroom.people import People, Person
from lydian.classroom.run import Running
from lydian.engine import wire
from lydian.engine.wire import Refused
from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.branches import Branches
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.interventions import Intervention

__all__ = ["STRIDE", "ClassState", "Turn"]

#: The least seconds between moves in turns; those that are chosen in between are made together.
STRIDE = 0.05
#: The most that is kept of the class's events in words.
LOG = 40
#: A move that is to be made in turns: whose it is, what was chosen, and who waits for the answer.
Turn = tuple[Person, Choice, "asyncio.Future[wire.Answered]"]


class ClassState:
    """What is known of one class now.

    Args:
        experiment: the run.
        game: its game, or the name of one.
        code: with which people join.
        clock: returns seconds that never decrease.
        file: where the class is saved after each round, or ``None``.

    Attributes:
        over: set when the class is not to go on here.
        ended: whether the host has ended it; one that is saved and not ended is interrupted.
    """

    def __init__(
        self,
        experiment: Experiment,
        game: Game | str = "",
        code: str = "class-0000",
        *,
        clock: Callable[[], float],
        file: Path | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else _game(game)
        self.code = code
        self.file = file
        self._file = None if file is None else ClassFile(file)
        self._noted: dict[int, dict[str, Any]] = {}  # the people as they are in the file
        self.address, self.qr = "", ""
        self.clock = clock
        self.people = People()
        self.listeners: list[Listener] = []
        self._connected: dict[int, list[Listener]] = {}  # by person
        self.log = Log()
        self.phase, self.round, self.mode = "door", 0, self.game.mode
        self.seconds = self.game.seconds
        self.pace, self.tick = 1.0, 0.25
        self.paused = False
        self.door = True
        self.shown = not self.game.secret
        self.act = 0 if self.game.acts else -1
        self.words: list[str] = []
        self.points: list[list[float]] = []
        self.over = asyncio.Event()
        self.ended = False
        self.branches: Branches | None = None
        self._due: float | None = None
        self._left: float | None = None  # what was left when the class was paused
        self._sealed: dict[int, Choice] = {}
        self._turns: list[Turn] = []
        self._unseated: list[tuple[Person, str | None]] = []  # who waits for a process, and which one they would like
        self._playable: tuple[object, tuple[str, ...]] | None = None  # the processes that people can play, and when
        self._turned_at = -STRIDE
        self._views: dict[int, View] = {}
        self._shown_at: dict[int, object] = {}
        self._stories: dict[int, deque[frames.Story]] = {}
        self._questions: list[Asked] = []
        self._busy = asyncio.Lock()
        self._dirty = True
        self._told_at = self._listed_at = -1.0
        self._unlisted = False  # whether the people have changed since they were last listed
        self._running: Running | None = None
        self._done: list[Intervention] = []
        self._rounds: list[tuple[int, int, float, int]] = []  # before each round: events, moves, time, log position
        self._stays = 0  # events of the run that stay when it is repeated
        self._trimming = False
        self._tasks: set[asyncio.Task[Any]] = set()
        self._staged: tuple[Any, dict[str, Any]] | None = None
        self._before: dict[str, Any] = {}  # what differed in the picture before the last round
        self._use(experiment)

    def _use(self, experiment: Experiment) -> None:
        stop = replace(experiment.stop, until=None)
        self.experiment = experiment.with_(stop=stop, interventions=(), branches=())
        self._done = list(experiment.interventions)
        self.resolved: Resolved = self.experiment.resolve()
        self.animation = animation_of(self.resolved)
        self._drawn: dict[str, dict[str, Any]] = {}
        self._pictured: tuple[list[str], Any, Any, Any] | None = None
        self.branches = Branches.of(self.experiment)

    @property
    def running(self) -> Running:
        """The simulator of the run."""
        assert self._running is not None, "the class has not begun"
        return self._running

    async def _run_to(self, done: tuple[Intervention, ...], time: float | None = None, steps: int = 0) -> None:
        """Start a simulator, and execute the run with these interventions up to a moment if one is given."""
        if self._running is not None:
            await self._running.close()
        self._running = Running(self._hear)
        experiment = self.experiment.with_(interventions=done)
        folder = None if experiment.path is None else str(experiment.path.absolute().parent)
        if time is None:
            await self._running.start(experiment.to_dict(), folder=folder)
        else:
            await self._running.start(experiment.to_dict(), folder=folder, until=time, steps=steps)
            if self._running.present.time < time:
                await self._running.advance(time)  # nothing happened by itself before the end of the round

    async def close(self) -> None:
        """End the simulator, and everything that is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._running is not None:
            await self._running.close()
        self.log.close()
        if self._file is not None:
            self._file.close()

    def _hear(self, frame: wire.Frame) -> None:
        """Add a frame of the simulator to what the class can see."""
        if isinstance(frame, wire.Begun):
            if self._trimming:
                return
            summary = {**frame.summary, "drawn": drawn_as(self.experiment)}
            frame = replace(frame, source="", summary=summary)  # the protocol's text stays here
        elif isinstance(frame, wire.Round):
            frame = replace(frame, checks=None, rest=None)
            if self._trimming:
                if frame.first + frame.count <= self._stays:
                    return
                if frame.first < self._stays:
                    frame = _without(frame, self._stays - frame.first)
        self.log.add(wire.encode(frame))
        for each in self.listeners:
            if each.whole:
                each.wake.set()

    def moment(self) -> Moment:
        """Return what is known of the run now."""
        present, names = self.running.present, self.resolved.network.processes
        states = present.states_now()
        players = {each.process: each.name for each in self.people if each.process is not None}
        return Moment(
            self.round, present.time, self.experiment, self.resolved.network, self.resolved.protocol, names,
            {name: states.get(name, "") for name in names}, present.variables_now(), self.running.pending,
            present.crashed, frozenset(players), {} if self.people.hidden else players, present.been_down,
            dict(present.last),
        )  # fmt: skip

    def free(self) -> tuple[str, ...]:
        """Return the processes without a player that people can play."""
        taken = {each.process for each in self.people}
        return tuple(name for name in self.playable if name not in taken)

    @property
    def playable(self) -> tuple[str, ...]:
        """The processes that people can play now, with a player or without."""
        if self._running is None or self._running.present.begun is None:
            return self.resolved.network.processes
        when = (id(self._running), self._running.present.count, self.round, self.act)
        if self._playable is None or self._playable[0] != when:
            self._playable = when, self.game.processes(self.moment())
        return self._playable[1]

    @property
    def seats(self) -> int:
        """How many processes people can play."""
        return len(self.free()) + self._seated

    @property
    def _seated(self) -> int:
        return sum(1 for each in self.people if each.process is not None)

    @property
    def question(self) -> Asked | None:
        """The last question."""
        return self._questions[-1] if self._questions else None

    def _person(self, number: Any) -> Person:
        found = next((each for each in self.people.class_ if each.number == number), None)
        if found is None:
            raise Refused(tr("there is no person {number}", number=shown(number)))
        return found

    def _asked(self, number: Any) -> Asked:
        found = next((each for each in self._questions if each.number == number), None)
        if found is None:
            raise Refused(tr("there is no such question"))
        return found

    def say(self, sentence: str) -> None:
        """Note what has happened, for the host and the screen."""
        self.words = [*self.words[-LOG + 1 :], sentence]
        self._dirty = True

    def _task(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _without(frame: wire.Round, count: int) -> wire.Round:
    """Return a round without its first events."""
    rows = frame.events()[count:]
    first = frame.first + count
    details = [pair for pair in frame.details if pair[0] >= first]
    return replace(frame, first=first, count=len(rows), rows=wire.packed(rows), details=details)


def _game(name: str) -> Game:
    if name not in GAMES:
        known = ", ".join(each for each in GAMES if each)
        raise BadInput(f"unknown game {shown(name)}; choose from {known}")
    return GAMES[name]
