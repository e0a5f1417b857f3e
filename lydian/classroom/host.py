"""A class on one run: who is here, the rounds, the moves, and what everybody may see.

A host has no sockets: :mod:`lydian.classroom.server` connects people with it. Its clock is handed in, so that tests
need not wait. Its parts are in :mod:`lydian.classroom.hosting`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from lydian.classroom import classfile, frames
from lydian.classroom.asking import Asked
from lydian.classroom.games.game import Choice
from lydian.classroom.hosting.leading import Leading
from lydian.classroom.hosting.listener import Listener, Removed
from lydian.classroom.hosting.showing import CALM_LIST, GRACE
from lydian.classroom.hosting.turns import UNIT
from lydian.classroom.people import Person
from lydian.classroom.run import Lost
from lydian.engine import wire
from lydian.engine.wire import Refused
from lydian.language import tr
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.branches import Branches
from lydian.model.experiment.experiment import from_dict

__all__ = ["GRACE", "UNIT", "HostOfClass", "Listener", "Removed"]

#: The seconds between two reports of the room that are not urgent.
CALM = 0.25


class HostOfClass(Leading):
    """One class."""

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
