"""A class on one run: who is here, the rounds, the moves, and what everybody may see.

A host has no sockets: :mod:`lydian.classroom.server` connects people with it. Its clock is handed in, so that tests
need not wait.

**The rule of a round.** A sealed round takes one choice from each player. When it closes, the game turns the choices
into moves in an order that does not depend on who was first (by default that of the processes in the network), and
each is offered to the simulator, which refuses a move that an earlier one has made impossible. Then simulated time goes
on by one unit, in which all processes without a player act by themselves. In turns, each choice is a move at once, and
the first one to arrive wins.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from lydian.classroom import classfile, frames
from lydian.classroom.asking import Asked, asked
from lydian.classroom.classfile import ClassFile
from lydian.classroom.games import GAMES
from lydian.classroom.games.game import Choice, Game, Happened, Moment, Offer, View
from lydian.classroom.log import Log
from lydian.classroom.looks import animation_of, drawn_as, in_space, look, looks, places
from lydian.classroom.naming import BadName, named
from lydian.classroom.people import People, Person
from lydian.classroom.run import Lost, Running
from lydian.classroom.world import World
from lydian.engine import wire
from lydian.engine.wire import Refused
from lydian.language import tr, trn
from lydian.model.errors import BadInput, LydianError, shown
from lydian.model.experiment.branches import ROOT, Branches, follow
from lydian.model.experiment.experiment import Experiment, Resolved, from_dict, save
from lydian.model.interventions import Intervention

__all__ = ["GRACE", "HostOfClass", "Listener", "Removed"]

#: The seconds for which a process waits for a player who has lost the connection; then the program plays it.
GRACE = 20.0
#: Simulated time of a round.
UNIT = 1.0
#: The seconds between two reports of the room that are not urgent.
CALM = 0.25
#: The least seconds between two rounds in turns.
LEAST_TICK = 0.02
#: The same for the list of the people, which is long and which a page draws anew.
CALM_LIST = 1.0
#: The least seconds between moves in turns; those that are chosen in between are made together.
STRIDE = 0.05
#: The most that is kept of the class's events in words.
LOG = 40
#: The most that is kept of a player's story.
STORIES = 50
#: The interventions that a player of a process may make in turns.
OWN = ("deliver", "hurry", "fire", "command", "wake")


class Removed(Refused):
    """Somebody would like to come back, but the host has ended their participation."""


class Listener:
    """What the host needs of a connection: a place for the latest of each kind of frame, and a queue for others.

    Attributes:
        person: who is connected.
        position: how many frames of the run have been handed over.
        whole: whether the connection gets the run.
        world: whether the person is in the world on this connection, and sees the others there.
    """

    def __init__(self, person: Person, position: int = 0) -> None:
        self.person = person
        self.position = position
        self.whole = self.world = False
        self.latest: dict[str, bytes] = {}
        self._shown: dict[str, bytes] = {}
        self.queue: list[bytes] = []
        self.wake = asyncio.Event()
        self.closed = ""

    def put(self, frame: wire.Frame) -> None:
        """Send a frame after those that wait."""
        self.put_line(wire.encode(frame))

    def put_line(self, line: bytes) -> None:
        """Send an encoded frame after those that wait."""
        self.queue.append(line)
        self.wake.set()

    def show(self, kind: str, line: bytes) -> None:
        """Send a frame that makes earlier ones of its kind needless, unless it is the same as the last one."""
        if self._shown.get(kind) != line:
            self._shown[kind] = self.latest[kind] = line
            self.wake.set()

    def close(self, reason: str, removed: bool = False) -> None:
        """End the connection after what waits."""
        if not self.closed:
            self.closed = reason
            self.put(frames.Parting(reason, removed))

    def take(self, log: Log, most: int) -> bytes:
        """Return what is to be sent now, at least one frame if there is any."""
        queued, found = [*self.queue], [*self.latest.values()]
        self.queue.clear()
        self.latest.clear()
        if self.whole and self.position < len(log):
            lines, self.position = log.read(self.position, most)
            found.append(lines)
        if not (self.whole and self.position < len(log)):
            self.wake.clear()
        return b"".join([*found, *queued] if self.closed else [*queued, *found])  # the good-bye comes last


#: A move that is to be made in turns: whose it is, what was chosen, and who waits for the answer.
_Turn = tuple[Person, Choice, "asyncio.Future[wire.Answered]"]


class HostOfClass:
    """One class.

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
        self.world = World()
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
        self._turns: list[_Turn] = []
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

    # ------------------------------------------------------------------ the run

    @property
    def running(self) -> Running:
        """The simulator of the run."""
        assert self._running is not None, "the class has not begun"
        return self._running

    async def start(self) -> None:
        """Start the simulator, which waits before the first event.

        Raises:
            LydianError: the run cannot be started.
        """
        await self._run_to(tuple(self._done))
        self.save()

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

    # ------------------------------------------------------------------ people

    def join(self, frame: frames.Join, *, trusted: str = "") -> Listener:
        """Admit somebody, or recognise them.

        Args:
            trusted: ``host`` or ``screen`` for a connection that has proved to be one.

        Raises:
            Refused: with the reason.
        """
        person = None
        if frame.secret:
            person = self.people.known(frame.secret)
            if person is not None and person.removed:
                raise Removed(tr("the host has ended your participation"))
        if person is None:
            if trusted:
                person = self.people.add(tr("the host") if trusted == "host" else tr("the screen"), trusted)
            else:
                if frame.secret and not frame.code:
                    raise Refused(tr("this class does not know you; join with its code"))
                if not self.door:
                    raise Refused(tr("the door is closed; ask to be let in"))
                if frame.wish in ("host", "screen"):
                    raise Refused(tr("only the host's own program can do that"))
                role = "player" if frame.wish == "seat" else "observer"
                person = self.people.add(frame.name, role)
                person.wanted = role == "player"
                self.say(tr("{name} has joined.", name=person.name))
        person.here += 1
        person.left = None
        known = frame.run in ("", self.log.name)  # otherwise the position is one in the record of an earlier host
        listener = Listener(person, min(frame.position, len(self.log)) if known else 0)
        self.listeners.append(listener)
        self._connected.setdefault(person.number, []).append(listener)
        self._note_people()
        if person.role == "player" and person.process is None and person.wanted:
            self._task(self._seat(person, frame.process))
        self._greet(listener)
        return listener

    def doorway(self, name: str) -> frames.Doorway:
        """Return what somebody who would like this name would find."""
        here = sum(1 for each in self.people.class_ if each.here)
        title, reason = self.game.title or self.resolved.protocol.title, ""
        if name.strip():
            try:
                name = named(name, [each.name for each in self.people])
            except BadName as error:
                reason = str(error)
        about = self.game.about or self.experiment.about
        return frames.Doorway(True, title, about, here, max(0, self.seats - self._seated), self.door, name, reason)

    def _greet(self, listener: Listener) -> None:
        person = listener.person
        listener.whole = self._sees(person)
        listener.put(self._welcome(person))
        listener.show("room", wire.encode(self.room(person)))
        if person.role in ("host", "screen"):
            listener.show("people", wire.encode(self.list_people()))
        if (question := self.question) is not None:
            listener.put(question.frame(self.clock()))
            if question.shown or person.role == "host" or person.number in question.answers:
                listener.put(self._histogram(question, person))
        for story in self._stories.get(person.number, ()):
            listener.put(story)
        if person.process is not None and self._running is not None and self._running.present.begun is not None:
            self._show_seat(person, None)
        self._dirty = True

    def leave(self, listener: Listener) -> None:
        """Note that a connection has ended."""
        if listener in self.listeners:
            self.listeners.remove(listener)
            person = listener.person
            self._connected[person.number].remove(listener)
            person.here -= 1
            if person.here <= 0:
                person.here, person.left = 0, self.clock()
                self.world.leave(person)
                self._dirty = True

    def _sees(self, person: Person) -> bool:
        return self.shown or person.role == "host"

    async def _seat(self, person: Person, wanted: str | None = None) -> None:
        """Give somebody a free process, if there is one."""
        async with self._busy:
            if person.process is not None or person.removed:
                return
            free = self.free()
            process = wanted if wanted in free else next(iter(free), None)
            if process is not None:
                await self._give(person, process)

    def free(self) -> tuple[str, ...]:
        """Return the processes without a player that people can play."""
        if self._running is None or self._running.present.begun is None:
            names = self.resolved.network.processes
        else:
            names = self.game.processes(self.moment())
        taken = {each.process for each in self.people}
        return tuple(name for name in names if name not in taken)

    async def _give(self, person: Person, process: str) -> None:
        """Let a person play a process."""
        earlier = self.people.player(process)
        if earlier is person:
            return
        if earlier is not None:
            earlier.process, earlier.wanted = None, False
            self._views.pop(earlier.number, None)
            self._sealed.pop(earlier.number, None)
            self._tell_person(earlier, self._welcome(earlier))
        else:
            answer = await self._make({"do": "take_over", "process": process}, person.name)
            if not answer.accepted and "already" not in answer.reason:
                person.wanted = False
                self.say(tr("Process {process} cannot be played: {reason}.", process=process, reason=answer.reason))
                return
        if person.process is not None:
            await self._release(person)
        with suppress(Lost):
            await self.running.still()  # what the process can do now is known then
        person.process, person.wanted, person.role = process, True, "player"
        self._note_people()
        self.say(tr("{name} plays process {process}.", name=self.people.called(person), process=process))
        self._tell_person(person, self._welcome(person))
        self._refresh()

    async def _release(self, person: Person) -> None:
        """Let the program play a person's process again."""
        process, person.process = person.process, None
        self._sealed.pop(person.number, None)
        self._views.pop(person.number, None)
        if process is not None:
            self._note_people()
            await self._make({"do": "release", "process": process}, person.name)
            with suppress(Lost):
                await self.running.still()
            self._tell_person(person, self._welcome(person))
        self._refresh()

    # ------------------------------------------------------------------ what people send

    async def hear(self, listener: Listener, frame: wire.Frame) -> None:
        """Act on a frame of somebody in the class; they get the answer, or an ``error``."""
        person = listener.person
        if person.removed:
            return
        try:
            if isinstance(frame, frames.Choose):
                listener.put(await self._choose(person, frame))
            elif isinstance(frame, frames.Reply):
                self._reply(person, frame)
            elif isinstance(frame, frames.Hand):
                if person.hand != frame.up:
                    person.hand = frame.up
                    self._dirty = True
            elif isinstance(frame, frames.Stand):
                listener.world = bool(frame.at)
                self.world.stand(person, frame)
            elif isinstance(frame, wire.Interact):
                listener.put(await self._interact(person, frame))
            elif isinstance(frame, frames.Lead):
                if person.role != "host":
                    raise Refused(tr("only the host can do that"))
                listener.put(await self._lead(frame))
            elif isinstance(frame, wire.Bye):
                person.wanted = False
                if person.process is not None:
                    async with self._busy:
                        await self._release(person)
            else:
                raise Refused(tr("{kind} is not expected here", kind=frame.kind))
        except (Refused, Lost) as error:
            listener.put(wire.Error(str(error)))

    async def _choose(self, person: Person, frame: frames.Choose) -> wire.Answered:
        def no(reason: str) -> wire.Answered:
            return wire.Answered(frame.id, False, reason, self.round)

        view = self._views.get(person.number)
        if person.process is None or view is None:
            return no(tr("you play no process"))
        if self.paused:
            return no(tr("the host has paused the class"))
        if self.phase != "open":
            return no(tr("no choices are taken now"))
        if frame.round != self.round:
            return no(tr("round {round} is over", round=frame.round))
        if not frame.offer:
            self._sealed.pop(person.number, None)
            self._note(sealed=[_sealed(person.number, None)])
            self._show_seat(person, None)
            self._dirty = True
            return wire.Answered(frame.id, True, "", self.round)
        offer = next((each for each in view.offers if each.id == frame.offer), None)
        if offer is None:
            return no(tr("that is no longer offered"))
        try:
            value = _value(offer, frame.value)
        except Refused as error:
            return no(str(error))
        choice = Choice(offer, value)
        if self.mode == "turns":
            return replace(await self._in_turn(person, choice), id=frame.id)
        self._sealed[person.number] = choice
        self._note(sealed=[_sealed(person.number, choice)])
        self._show_seat(person, None)
        self._dirty = True
        if self._all_in():
            self._task(self._close_soon(self.round))
        return wire.Answered(frame.id, True, "", self.round)

    def _all_in(self) -> bool:
        return bool(self._sealed) and all(each.number in self._sealed for each in self._players())

    def _players(self) -> Iterator[Person]:
        """Yield the players who can choose now: they are here, or expected back."""
        return (
            each for each in self.people
            if each.process is not None and (view := self._views.get(each.number)) is not None and view.offers
        )  # fmt: skip

    async def _close_soon(self, round_: int) -> None:
        await asyncio.sleep(0)  # the last choice is answered first
        if self.round == round_ and self._all_in():
            await self.close_round(round_)

    async def _in_turn(self, person: Person, choice: Choice) -> wire.Answered:
        """Make a move in turns; the moves that are chosen while others are being made follow together."""
        answer: asyncio.Future[wire.Answered] = asyncio.get_running_loop().create_future()
        self._turns.append((person, choice, answer))
        if len(self._turns) == 1:
            self._task(self._make_turns())
        return await answer

    async def _make_turns(self) -> None:
        """Make the moves that have been chosen in turns, in the order in which they arrived."""
        pause = self._turned_at + STRIDE - asyncio.get_running_loop().time()
        if pause > 0:
            await asyncio.sleep(pause)
        async with self._busy:
            self._turned_at = asyncio.get_running_loop().time()
            turns, self._turns = self._turns, []
            try:
                await self._make_chosen(turns)
            finally:
                for _person, _choice, future in turns:
                    if not future.done():
                        future.set_result(wire.Answered(0, False, tr("no choices are taken now"), self.round))

    async def _make_chosen(self, turns: list[_Turn]) -> None:
        if self.phase != "open" or self.paused or self.mode != "turns":
            return
        turns = [each for each in turns if each[0].process is not None]
        before = self.moment()
        moves: list[tuple[Mapping[str, Any], str]] = []
        mine: list[list[int]] = []  # of each turn: which of the moves are those of the player's own process
        for person, choice, _ in turns:
            mine.append([])
            for move in self.game.moves(before, {str(person.process): choice}):
                own = move.process == person.process
                if own:
                    mine[-1].append(len(moves))
                moves.append((move.what, person.name if own else ""))
        answers = await self._make_all(moves)
        with suppress(Lost):
            await self.running.still()
        after = self.moment()
        for (person, choice, future), numbers in zip(turns, mine, strict=True):
            refused = next((answers[k].reason for k in numbers if answers[k].reason), "")
            process = person.process
            if process is not None:  # it may have been taken away in the meantime
                self._story(person, self.game.happened(before, after, process, choice, refused))
            if not future.done():
                future.set_result(wire.Answered(0, not refused, refused, self.round))
        self._refresh({person.number for person, _, _ in turns})

    def _reply(self, person: Person, frame: frames.Reply) -> None:
        question = next((each for each in self._questions if each.number == frame.question), None)
        if question is None:
            raise Refused(tr("there is no such question"))
        question.take(person.number, frame.value)
        self._note(answers=[[question.number, person.number, question.answers[person.number]]])
        self._tell_person(person, self._histogram(question, person))
        for each in self.listeners:
            if each.person.role == "host":
                each.show("histogram", wire.encode(self._histogram(question, each.person)))
        self._dirty = True

    async def _interact(self, person: Person, frame: wire.Interact) -> wire.Answered:
        if person.role != "host":
            reason = self._objection(person, frame.what)
            if reason:
                return wire.Answered(frame.id, False, reason, self.round)
        async with self._busy:
            answer = await self._make(frame.what, self.people.called(person) if person.role != "host" else "")
            with suppress(Lost):
                await self.running.still()
            self._refresh()
        return replace(answer, id=frame.id, round=self.round)

    def _objection(self, person: Person, what: Mapping[str, Any]) -> str:
        """Return why a player may not make an intervention; "" if they may."""
        if person.process is None:
            return tr("you play no process")
        if self.mode != "turns" or self.phase != "open" or self.paused:
            return tr("moves can only be made by choosing now")
        if what.get("do") not in OWN:
            return tr("a player can only choose what their process does next")
        if what.get("do") == "deliver":
            mine = any(
                each["process"] == person.process and each["message"] == what.get("message")
                for each in self.running.pending
            )
            return "" if mine else tr("this message is not for process {process}", process=person.process)
        if what.get("process") != person.process:
            other = shown(what.get("process"))
            return tr("you play process {process}, not {other}", process=person.process, other=other)
        return ""

    async def _make(self, what: Mapping[str, Any], author: str) -> wire.Answered:
        """Make an intervention, and remember it."""
        return (await self._make_all([(what, author)]))[0]

    async def _make_all(self, moves: list[tuple[Mapping[str, Any], str]]) -> list[wire.Answered]:
        """Make interventions one after another, each with its author, without waiting for the answers in between."""
        asked = [self.running.interact({**what, "author": author} if author else what) for what, author in moves]
        answers = [await each for each in asked]
        done = [each.intervention for each in answers if each.accepted and each.intervention is not None]
        self._done += map(Intervention.from_dict, done)
        if done and self.phase != "moving":  # the moves of a sealed round are noted when all of it has happened
            self._note(done=done, time=max(float(each["time"]) for each in done))
        return answers

    # ------------------------------------------------------------------ rounds

    async def open_round(self) -> None:
        """Open the next round."""
        if self.phase == "open":
            raise Refused(tr("round {round} is open", round=self.round))
        if self.running.result is not None:
            raise Refused(tr("the run has ended"))
        self.round += 1
        now = self.running.present
        self._rounds.append((now.count, len(self._done), now.time, now.steps))
        self.phase = "open"
        self._sealed.clear()
        self._limit(self.seconds)
        self._note(rounds=self._rounds[-1:], time=now.time, **self._present())
        self._refresh()
        self._dirty = True

    async def close_round(self, round_: int | None = None) -> None:
        """Close the round: the chosen moves happen, and then everything else for one unit of time."""
        async with self._busy:
            if self.phase != "open" or (round_ is not None and round_ != self.round):
                if round_ is not None:
                    return
                raise Refused(tr("no round is open"))
            self.phase, self._due, self._left = "moving", None, None
            self._tell_room()
            before, moves_before = self.moment(), len(self._done)
            self._before = {key: value for key, value in self._stage(before).items() if key not in ("kind", "right")}
            playing = {each.process: each for each in self.people if each.process is not None}
            chosen = {
                process: self._sealed[person.number]
                for process, person in playing.items()
                if person.number in self._sealed
            }
            refused: dict[str, str] = {}
            with suppress(Lost):
                moves = self.game.round(before, chosen)
                authors = {process: person.name for process, person in playing.items()}
                answers = await self._make_all([(each.what, authors.get(each.process, "")) for each in moves])
                for move, answer in zip(moves, answers, strict=True):
                    if not answer.accepted:
                        refused.setdefault(move.process, answer.reason)
                await self.running.still()
                await self.running.advance(self.running.present.time + UNIT)
                if moves := self.game.settle(self.moment()):
                    await self._make_all([(each.what, authors.get(each.process, "")) for each in moves])
                    await self.running.still()
            after = self.moment()
            if self.game.over(after):
                await self.running.end()
            for process, person in playing.items():
                choice = chosen.get(process)
                if choice is None and not self._offered(person):
                    continue
                told = self.game.happened(before, after, process, choice, refused.get(process, ""))
                self._story(person, told)
            self._sealed.clear()
            self._measured(after)
            self.phase = "over" if self.running.result is not None or self.running.problem else "between"
            self.say(
                trn("Round {round} is closed: {count} choice.", "Round {round} is closed: {count} choices.",
                    len(chosen), round=self.round)
            )  # fmt: skip
            done = [each.to_dict() for each in self._done[moves_before:]]
            self._note(done=done, time=self.running.present.time, **self._present())
            self._refresh()
            self._tell_room()

    def _offered(self, person: Person) -> bool:
        """Return whether a player could have chosen something."""
        view = self._views.get(person.number)
        return view is not None and bool(view.offers)

    def _measured(self, now: Moment) -> None:
        value = self.game.measure(now)
        if value is not None:
            self.points = [each for each in self.points if each[0] < self.round]
            self.points.append([self.round, value])

    def _limit(self, seconds: float) -> None:
        self._due = self.clock() + seconds if seconds > 0 and self.mode == "sealed" else None
        self._left = None

    async def beat(self) -> None:
        """Do what is due by the clock; to be called a few times a second."""
        now = self.clock()
        if self.phase == "open" and not self.paused and self._due is not None and now >= self._due:
            await self.close_round(self.round)
        for person in [*self.people]:
            if person.process is not None and person.left is not None and now - person.left >= GRACE:
                async with self._busy:
                    if person.process is not None and person.left is not None:
                        self.say(tr("The program plays process {process}.", process=person.process))
                        await self._release(person)
        question = self.question
        if question is not None and question.open and question.due is not None and now >= question.due:
            question.open = False
            self._dirty = True
        if self.world.due(now):
            self._tell_world()
        if (self._dirty and now - self._told_at >= CALM) or (self._unlisted and now - self._listed_at >= CALM_LIST):
            self._tell_room(urgent=False)

    async def turn(self) -> None:
        """Let simulated time go on in turns, for one tick."""
        if self.mode != "turns" or self.phase != "open" or self.paused:
            return
        async with self._busy:
            before = self.running.present.time
            with suppress(Lost):
                await self.running.advance(before + self.pace * self.tick)
                if int(self.running.present.time / UNIT) > int(before / UNIT):
                    for move in self.game.own(self.moment()):
                        await self._make(move.what, "")
                    await self.running.still()
            if self.running.result is not None or self.running.problem:
                self.phase = "over"
                self._tell_room()
            self._refresh()

    async def live(self) -> None:
        """Beat and turn until the class is over."""

        async def turns() -> None:
            loop = asyncio.get_running_loop()
            due = loop.time()
            while not self.over.is_set():
                due = max(due + self.tick, loop.time())
                await asyncio.sleep(due - loop.time())
                await self.turn()

        turning = asyncio.create_task(turns())
        try:
            while not self.over.is_set():
                await self.beat()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.over.wait(), 0.1)
        finally:
            turning.cancel()
            await asyncio.gather(turning, return_exceptions=True)

    # ------------------------------------------------------------------ the host

    async def _lead(self, frame: frames.Lead) -> wire.Answered:
        try:
            act = getattr(self, f"_do_{frame.do}")
            await act(**{str(name): value for name, value in frame.what.items()})
        except TypeError as error:
            reason = tr(
                "the arguments of {do} cannot be used: {error}", do=frame.do, error=str(error).split("_do_")[-1]
            )
            return wire.Answered(frame.id, False, reason, self.round)
        except (LydianError, OSError) as error:
            return wire.Answered(frame.id, False, str(error), self.round)
        self._note_people()
        self._note(**{name: value for name, value in self._present().items() if name not in ("round", "phase")})
        self._tell_room()
        return wire.Answered(frame.id, True, "", self.round)

    async def _do_begin(self) -> None:
        if self.round == 0 and self.act == 0 and self.game.acts[0].ask and not self._questions:
            await self._do_ask(**{str(name): value for name, value in self.game.acts[0].ask.items()})
            return
        async with self._busy:
            await self.open_round()

    async def _do_next(self) -> None:
        async with self._busy:
            await self.open_round()

    async def _do_close(self) -> None:
        await self.close_round()

    async def _do_more(self, seconds: float = 30.0) -> None:
        if self._left is not None:
            self._left += float(seconds)
        elif self._due is not None:
            self._due += float(seconds)
        else:
            raise Refused(tr("the round has no time limit"))

    async def _do_pause(self) -> None:
        if not self.paused:
            self.paused = True
            self._left = None if self._due is None else max(0.0, self._due - self.clock())
            self._due = None
            self.say(tr("The class is paused."))

    async def _do_resume(self) -> None:
        if self.paused:
            self.paused = False
            if self._left is not None:
                self._due, self._left = self.clock() + self._left, None
            self.say(tr("The class goes on."))

    async def _do_undo(self) -> None:
        async with self._busy:
            if self.phase == "moving":
                raise Refused(tr("the moves are being made"))
            if not self._rounds:
                raise Refused(tr("there is no round to undo"))
            events, moves, time, steps = self._rounds.pop()
            undone = self.round if self.phase != "open" else None
            if self.branches is not None and len(self._done) > moves:
                self.branches, _ = follow(self.branches, ROOT, tuple(self._done))
            kept = self._done[:moves]
            self._stays, self._trimming = events, True
            try:
                await self._run_to(tuple(kept), time, steps)
            finally:
                self._trimming = False
            self._done = kept
            self.log.add(wire.encode(frames.Dropped(events, len(self.log))))
            for each in self.listeners:
                if each.whole:
                    each.wake.set()
            self.round -= 1
            self.points = [each for each in self.points if each[0] <= self.round]
            self._stories = {
                number: deque((each for each in stories if each.round <= self.round), STORIES)
                for number, stories in self._stories.items()
            }
            self.phase = "between" if self.round else "door"
            self._due = self._left = None
            self._sealed.clear()
            if undone is not None:
                self.say(tr("Round {round} is undone; it is kept as a branch.", round=undone))
            self._refresh()
            self.save()

    async def _do_mode(self, mode: str = "sealed", seconds: float | None = None, pace: float | None = None,
                       tick: float | None = None) -> None:  # fmt: skip
        if mode not in frames.MODES:
            raise Refused(tr("mode must be one of {modes}", modes=", ".join(frames.MODES)))
        if seconds is not None:
            self.seconds = max(0.0, min(float(seconds), 3600.0))
        if pace is not None:
            self.pace = max(0.01, min(float(pace), 1000.0))
        if tick is not None:
            self.tick = max(LEAST_TICK, min(float(tick), 5.0))
        if self.mode != mode:
            self.mode = mode
            self._sealed.clear()
        if self.phase == "open":
            self._limit(self.seconds)
        self._refresh()

    async def _do_give(self, person: int, process: str) -> None:
        who = self._person(person)
        if process not in self.resolved.network.index:
            raise Refused(tr("there is no process {process}", process=shown(process)))
        async with self._busy:
            await self._give(who, process)

    async def _do_take(self, process: str) -> None:
        who = self.people.player(process)
        if who is None:
            raise Refused(tr("the program plays process {process} already", process=shown(process)))
        who.wanted = False
        async with self._busy:
            await self._release(who)

    async def _do_deal(self) -> None:
        for person in self.people.class_:
            if person.role == "player" and person.process is None and person.here:
                await self._seat(person)

    async def _do_remove(self, person: int) -> None:
        who = self._person(person)
        if who.process is not None:
            async with self._busy:
                await self._release(who)
        who.removed = True
        self.world.leave(who)
        for listener in [each for each in self.listeners if each.person is who]:
            listener.close(tr("the host has ended your participation"), removed=True)
        self.say(tr("{name} was removed.", name=who.name))

    async def _do_admit(self, person: int) -> None:
        try:
            who = self.people[person]
        except KeyError:
            raise Refused(tr("there is no person {number}", number=shown(person))) from None
        if who.removed:
            who.removed = False
            self.say(tr("{name} may come back.", name=who.name))

    async def _do_rename(self, person: int, name: str) -> None:
        who = self._person(person)
        self.people.rename(who, str(name))
        self.world.renew()
        self._tell_person(who, self._welcome(who))
        self._refresh()

    async def _do_hide(self, on: bool = True) -> None:
        self.people.hidden = bool(on)
        self.world.renew()
        self._refresh()

    async def _do_door(self, open: bool = True) -> None:
        self.door = bool(open)

    async def _do_show(self, on: bool = True) -> None:
        self.shown = bool(on)
        for each in self.listeners:
            each.whole = self._sees(each.person)
            each.wake.set()

    async def _do_act(self, act: int) -> None:
        acts = self.game.acts
        if isinstance(act, bool) or not isinstance(act, int) or not 0 <= act < len(acts):
            raise Refused(tr("there is no act {act}", act=shown(act)))
        async with self._busy:
            if self.phase == "open":
                raise Refused(tr("close the round first"))
            it = acts[act]
            if it.experiment:
                await self._begin_again(it.experiment)
            for what in it.mischief:
                answer = await self._make(what, "")
                if not answer.accepted:
                    raise Refused(answer.reason)
            await self.running.still()
            self.act = act
            self.save()
            self.say(tr("Act {number}: {title}.", number=act + 1, title=it.title))
            self._refresh()
        if it.ask:
            await self._do_ask(**{str(name): value for name, value in it.ask.items()})

    async def _begin_again(self, name: str) -> None:
        """Begin another experiment with the same people in the same places."""
        players = sum(each.role == "player" and bool(each.here) for each in self.people)
        experiment = self.game.adapted(_experiment(name), players or self.resolved.network.n)
        self._use(experiment)
        self.round, self.phase, self.points = 0, "door", []
        if self.shown and self.game.secret:
            await self._do_show(False)
        self._rounds.clear()
        self._sealed.clear()
        self._views.clear()
        await self._run_to(tuple(self._done))
        there = set(self.resolved.network.processes)
        for person in self.people:
            if person.process is not None and person.process not in there:
                person.process = None
        for person in self.people:
            if person.process is not None:
                await self._make({"do": "take_over", "process": person.process}, person.name)
        await self.running.still()
        for person in self.people:
            if person.role == "player" and person.process is None and person.wanted and self.free():
                await self._give(person, self.free()[0])
            self._tell_person(person, self._welcome(person))

    async def _do_mischief(self, what: Mapping[str, Any]) -> None:
        if not isinstance(what, dict):
            raise Refused(tr("an intervention must be an object with the field do"))
        async with self._busy:
            if self.phase == "open" and self.mode == "sealed" and self._sealed:
                raise Refused(tr("choices are sealed; close the round first"))
            answer = await self._make(what, "")
            if not answer.accepted:
                raise Refused(answer.reason)
            await self.running.still()
            self._measured(self.moment())
            self._refresh()

    async def _do_ask(self, **what: Any) -> None:
        if self.question is not None:
            self.question.open = False
        names = self.resolved.network.processes
        question = asked(len(self._questions) + 1, what, names, self.clock())
        self._questions.append(question)
        self._note(questions=[question.to_dict()])
        self._tell_all(question.frame(self.clock()))
        self.say(tr("A question: {text}", text=question.text))

    async def _do_lock(self, question: int) -> None:
        self._asked(question).open = False

    async def _do_tell(self, question: int, right: int | float | str | None = None) -> None:
        it = self._asked(question)
        it.open, it.shown = False, True
        if right is not None:
            it.right = it.proper(right)
        self._note(questions=[it.to_dict()])
        for each in self.listeners:
            each.put(self._histogram(it, each.person))

    async def _do_save(self, file: str = "") -> None:
        if file:
            save(self.recorded(), Path(file))
        elif self._file is None:
            raise Refused(tr("name the file"))
        else:
            self.save()

    async def _do_end(self) -> None:
        self.save()
        self.ended = True
        self.part()
        self.over.set()

    def part(self) -> None:
        """Say good-bye to all, unless the class is only interrupted: it is saved, and the host has not ended it."""
        if self.ended or self._file is None:
            for each in self.listeners:
                each.close(tr("the class has ended"))

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

    @property
    def question(self) -> Asked | None:
        """The last question."""
        return self._questions[-1] if self._questions else None

    # ------------------------------------------------------------------ what people see

    def say(self, sentence: str) -> None:
        """Note what has happened, for the host and the screen."""
        self.words = [*self.words[-LOG + 1 :], sentence]
        self._dirty = True

    def room(self, person: Person) -> frames.RoomNow:
        """Return the state of the class, as a person may see it."""
        players = [*self._players()]
        left = self._left if self._left is not None else None if self._due is None else self._due - self.clock()
        here = [each for each in self.people.class_ if each.here]
        question = self.question
        asking = None
        if question is not None and question.open:
            told = question.frame(self.clock()).to_dict()
            asking = {**told, "answered": len(question.answers)}
        sees = self._sees(person)
        figure = {**self.game.figure, "points": self.points} if self.game.figure else {}
        return frames.RoomNow(
            self.phase, self.round, self.mode, self.paused,
            None if left is None else round(max(0.0, left), 1), self.seconds if left is not None else None,
            sum(1 for each in players if each.number in self._sealed), len(players), len(here),
            sum(1 for each in here if each.process is None), max(0, self.seats - self._seated), self.act, self.shown,
            self.door, figure, asking, list(self._running.checks) if sees and self._running is not None else [],
            self.stage() if sees else {},
        )  # fmt: skip

    def stage(self) -> dict[str, Any]:
        """Return what the game draws with the network now."""
        if self._running is None or self._running.present.begun is None:
            return {}
        key = (self._running.present.count, self.round, self.act)
        if self._staged is None or self._staged[0] != key:
            self._staged = (key, self._stage(self.moment()))
        now = self._staged[1]
        return {**now, "before": self._before} if now and self._before and self._before["time"] < now["time"] else now

    def _stage(self, now: Moment) -> dict[str, Any]:
        found = dict(self.game.stage(now))
        return {**found, "time": now.time} if found else found

    @property
    def seats(self) -> int:
        """How many processes people can play."""
        return len(self.free()) + self._seated

    @property
    def _seated(self) -> int:
        return sum(1 for each in self.people if each.process is not None)

    def list_people(self) -> frames.People:
        """Return who is here, for the host and the screen."""
        now = self.clock()
        told = []
        for each in self.people.class_:
            status = "watching"
            if not each.here:
                status = "away"
            elif each.process is not None:
                status = "chosen" if each.number in self._sealed else "choosing"
                if self.phase != "open" or self._views.get(each.number, View("")).offers == ():
                    status = "waiting"
            told.append(
                {
                    "person": each.number, "name": self.people.called(each), "role": each.role,
                    "process": each.process, "status": status, "hand": each.hand,
                    "back": round(max(0.0, GRACE - (now - each.left)), 1) if each.left is not None else None,
                }
            )  # fmt: skip
        return frames.People(told, self.words, self.people.hidden)

    def _welcome(self, person: Person) -> frames.Welcome:
        begun = self._running.present if self._running is not None else None
        states = list(begun.states) if begun is not None and begun.states else list(self.resolved.protocol.states)
        links, where, drawn = self._picture(states)
        inner = person.role in ("host", "screen")
        about = self.game.about or self.experiment.about
        title = self.game.title or self.resolved.protocol.title
        return frames.Welcome(
            person.number, person.secret, person.name, person.role, person.process, title, about,
            self.game.name, [[each.title, each.text] for each in self.game.acts], list(self.resolved.network.processes),
            links, where, drawn,
            self.code if inner else "", self.address if inner else "", self.qr if inner else "",
            self.log.name, in_space(self.resolved.network),
        )  # fmt: skip

    def _picture(self, states: list[str]) -> tuple[Any, Any, Any]:
        """Return the links, the places and the looks of a welcome, which are the same for all."""
        if self._pictured is None or self._pictured[0] != states:
            network = self.resolved.network
            index = network.index
            links = sorted({tuple(sorted((index[u], index[v]))) for u, v in _links(network)})
            labels = [each.__name__ for each in self.resolved.protocol.messages]
            self._pictured = states, links, places(self.resolved), looks(self.animation, states, labels)
        return self._pictured[1:]

    def _histogram(self, question: Asked, person: Person) -> frames.Histogram:
        found = question.histogram(len([each for each in self.people.class_ if each.here]), person.number)
        if person.role == "host" or question.shown:
            return found
        return replace(found, bars=[], right=None)

    def _refresh(self, only: Collection[int] | None = None) -> None:
        """Show the players, or some of them, their process anew if anything has happened to it."""
        self._dirty = True
        players = [each for each in self.people if each.process is not None and (only is None or each.number in only)]
        if not players or self._running is None:
            return
        now = self.moment()
        happened = self._marks(now)
        for person in players:
            assert person.process is not None
            mark = happened(person.process)
            if self._shown_at.get(person.number) != mark or self.game.secret or self.game.overview:
                self._shown_at[person.number] = mark
                self._show_seat(person, now)

    def _marks(self, now: Moment) -> Callable[[str], object]:
        """Return a function from a process to what distinguishes moments at which its player sees different things."""
        players = {each.process: each.name for each in self.people if each.process is not None}
        waiting: dict[str, list[Any]] = {}
        for each in now.pending:
            if each["choose"] is not None and each["process"] is not None:
                waiting.setdefault(each["process"], []).append((each["message"], each["label"], each["waits"]))
        common = (self.round, self.phase, self.people.hidden, id(self.resolved), self.act)

        def mark(process: str) -> object:
            return (process, now.last.get(process, -1), waiting.get(process), players.get(process, ""), *common)

        return mark

    def _show_seat(self, person: Person, now: Moment | None) -> None:
        """Show a player their process; ``now`` is ``None`` if the run has not gone on."""
        process = person.process
        assert process is not None
        if now is not None or person.number not in self._views:
            now = self.moment() if now is None else now
            view = self.game.view(now, process)
            if self.phase != "open":
                view = replace(view, offers=())
            self._views[person.number] = view
            if person.number in self._sealed and self._sealed[person.number].offer not in view.offers:
                del self._sealed[person.number]
        view = self._views[person.number]
        choice = self._sealed.get(person.number)
        state = "" if now is None else now.states[process]
        drawn = None
        if not view.secret:
            drawn = self._look(state or self.running.present.state_of(process))
        seat = frames.Seat(
            process, self.round, view.title, view.text, drawn, [list(each) for each in view.values],
            dict(view.picture), view.rule, [_told(each) for each in view.offers],
            "" if choice is None else choice.offer.id, None if choice is None else choice.value, view.heading,
        )  # fmt: skip
        line = wire.encode(seat)
        for each in self._connected.get(person.number, ()):
            each.show("seat", line)

    def _look(self, state: str) -> dict[str, Any]:
        """Return how a process in a state is drawn."""
        if state not in self._drawn:
            self._drawn[state] = look(self.animation, state)
        return self._drawn[state]

    def _story(self, person: Person, told: Happened) -> None:
        drawn = None
        story = frames.Story(
            self.round, told.text, told.good, dict(told.before), dict(told.after), told.next, drawn
        )  # fmt: skip
        self._stories.setdefault(person.number, deque(maxlen=STORIES)).append(story)
        self._tell_person(person, story)

    def _tell_person(self, person: Person, frame: wire.Frame) -> None:
        if connected := self._connected.get(person.number):
            line = wire.encode(frame)
            for each in connected:
                each.put_line(line)

    def _tell_all(self, frame: wire.Frame) -> None:
        line = wire.encode(frame)
        for each in self.listeners:
            each.put_line(line)

    def _tell_room(self, *, urgent: bool = True) -> None:
        """Report the state of the class; unless that is urgent, the list of the people follows from time to time."""
        now = self.clock()
        self._dirty, self._told_at = False, now
        listed = urgent or now - self._listed_at >= CALM_LIST
        self._unlisted = not listed
        told: dict[bool, bytes] = {}
        people = b""
        if listed:
            self._listed_at = now
        for each in self.listeners:
            sees = self._sees(each.person)
            if sees not in told:
                told[sees] = wire.encode(self.room(each.person))
            each.show("room", told[sees])
            if listed and each.person.role in ("host", "screen"):
                people = people or wire.encode(self.list_people())
                each.show("people", people)

    def _tell_world(self) -> None:
        """Report the places of the people in the world, to those who are there."""
        line = wire.encode(self.world.told(self.people, self.clock()))
        for each in self.listeners:
            if each.world:
                each.show("figures", line)

    def _task(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------------ what is kept

    def recorded(self) -> Experiment:
        """Return the experiment with everything that the class has done; it gives the same run anywhere."""
        tree = self.branches if self.branches is not None else Branches.of(self.experiment)
        stop = self.experiment.stop
        result = None if self._running is None else self._running.result
        if self._running is not None and (result is None or result["stopped"] == "cancelled" or self.over.is_set()):
            stop = replace(stop, until=self._running.present.time)  # where the class has come to
        whole = self.experiment.with_(interventions=tuple(self._done), stop=stop)
        if not tree.branches:
            return whole
        return whole.with_(branches=tuple(tree.branches))

    def save(self) -> None:
        """Write the class's file anew, if it has one."""
        if self._file is None:
            return
        self._noted = {each.number: each.to_dict() for each in self.people.all}
        now = self._running.present if self._running is not None else None
        self._file.save(
            {
                "format": 2, "code": self.code, "game": self.game.name, "experiment": self.recorded().to_dict(),
                "folder": None if self.experiment.path is None else str(self.experiment.path.absolute().parent),
                "rounds": self._rounds, "people": self.people.to_list(),
                "sealed": [_sealed(person, choice) for person, choice in self._sealed.items()],
                "questions": [each.to_dict() for each in self._questions], **self._present(),
                "time": 0.0 if now is None else now.time,
            }
        )  # fmt: skip

    def _present(self) -> dict[str, Any]:
        """Return what is kept of the class apart from the run, the people and the questions."""
        return {
            "round": self.round, "phase": "open" if self.phase == "moving" else self.phase, "mode": self.mode,
            "seconds": self.seconds, "pace": self.pace, "tick": self.tick, "act": self.act, "shown": self.shown,
            "points": self.points, "hidden": self.people.hidden, "door": self.door, "log": self.words,
        }  # fmt: skip

    def _note(self, **changes: Any) -> None:
        """Add to the class's file what has changed, before anybody is told."""
        if self._file is None or self._trimming:
            return
        try:
            self._file.note(changes)
        except OSError as error:
            sentence = tr("The class cannot be saved: {error}.", error=error.strerror or error)
            if sentence not in self.words:
                self.say(sentence)

    def _note_people(self) -> None:
        """Add to the class's file those who have come or changed."""
        if self._file is None:
            return
        changed = []
        for each in self.people.all:
            told = each.to_dict()
            if self._noted.get(each.number) != told:
                self._noted[each.number] = told
                changed.append(told)
        if changed:
            self._note(people=changed)

    @classmethod
    async def resumed(cls, file: Path, *, clock: Callable[[], float], code: str = "") -> HostOfClass:
        """Return the class that was saved in a file, where it was. If a round was open, the class is paused.

        Raises:
            BadInput: the file cannot be read.
        """
        try:
            data = classfile.read(file)
            experiment = from_dict(data["experiment"])
            if data["folder"]:
                experiment = experiment.beside(data["folder"])
            self = cls(experiment, data["game"], code or data["code"], clock=clock, file=file)
            self._done = list(experiment.interventions)
            self.branches = Branches.of(self.experiment.with_(branches=experiment.branches))
            self.round, self.phase = data["round"], data["phase"]
            self._rounds = [tuple(each) for each in data["rounds"]]
            self.mode, self.seconds = data["mode"], data["seconds"]
            self.pace, self.tick, self.door = data["pace"], data["tick"], data["door"]
            self.act, self.shown, self.points = data["act"], data["shown"], data["points"]
            self.words = data["log"]
            self.people.hidden = data["hidden"]
            self.people.restore(data["people"])
            for each in data["questions"]:
                asked_ = Asked(each["number"], each["text"], each["form"], each["choices"], None, False,
                               each["shown"], each["right"], dict(each["answers"]))  # fmt: skip
                self._questions.append(asked_)
            time, sealed = float(data["time"]), dict(data["sealed"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            if isinstance(error, LydianError):
                raise
            raise BadInput(f"is not a saved class: {error}", file=file) from None
        for person in self.people:
            person.left = clock()
        await self._run_to(tuple(self._done), time, 10**9)
        if self.phase == "open":
            self.paused = True
            self._left = self.seconds if self.seconds > 0 and self.mode == "sealed" else None
            self._refresh()
            for person, (offer, value) in sealed.items():
                for each in self._views[person].offers if person in self._views else ():
                    if each.id == offer:
                        self._sealed[person] = Choice(each, value)
        elif self.running.result is not None:
            self.phase = "over"
        self.save()
        return self


def _sealed(person: int, choice: Choice | None) -> tuple[int, tuple[str, int | str | None]]:
    """Return a choice as it is saved."""
    return person, ("", None) if choice is None else (choice.offer.id, choice.value)


def _links(network: Any) -> Iterator[tuple[str, str]]:
    for u in network.processes:
        for v in network.neighbours(u):
            yield u, v


def _told(offer: Offer) -> dict[str, Any]:
    return {
        "id": offer.id, "title": offer.title, "text": offer.text, "head": offer.head,
        "value": None if offer.value is None else dict(offer.value),
    }  # fmt: skip


def _value(offer: Offer, value: Any) -> Any:
    """Return the value for an offer.

    Raises:
        Refused: it is missing, or none that is offered.
    """
    wanted = offer.value
    if wanted is None:
        return None
    if "choices" in wanted:
        if not any(value == each[0] and type(value) is type(each[0]) for each in wanted["choices"]):
            raise Refused(tr("choose one of the offers"))
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not wanted["least"] <= value <= wanted["most"]:
        raise Refused(tr("choose a number from {least} to {most}", least=wanted["least"], most=wanted["most"]))
    return value


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


def _experiment(name: str) -> Experiment:
    from lydian.model.archive.archive import archive

    return archive().experiment(name)
