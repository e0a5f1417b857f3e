"""Who joins a class, leaves it, and plays which of its processes."""

from __future__ import annotations

from contextlib import suppress

from lydian.classroom import frames
from lydian.classroom.hosting.listener import Listener, Removed
from lydian.classroom.hosting.showing import Showing
from lydian.classroom.naming import BadName, named
from lydian.classroom.people import Person
from lydian.classroom.run import Lost
from lydian.engine.wire import Refused
from lydian.language import tr

__all__ = ["Seats"]


class Seats(Showing):
    """A class that people join, and whose processes they play."""

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

    def leave(self, listener: Listener) -> None:
        """Note that a connection has ended."""
        if listener in self.listeners:
            self.listeners.remove(listener)
            person = listener.person
            self._connected[person.number].remove(listener)
            person.here -= 1
            if person.here <= 0:
                person.here, person.left = 0, self.clock()
                self._dirty = True

    async def _seat(self, person: Person, wanted: str | None = None) -> None:
        """Give somebody a free process, if there is one; those who come while others are being seated follow together.

        A class comes all at once, and each round of the simulator goes to everybody who is here. So what three hundred
        people do one after another costs three hundred times as much as what they do together.
        """
        self._unseated.append((person, wanted))
        async with self._busy:
            await self._seat_waiting()

    async def _seat_waiting(self) -> None:
        """Give free processes to those who wait for one, in the order in which they came.

        Somebody whose process cannot be played, as it has crashed, gets the next one that is free.
        """
        waiting, self._unseated = self._unseated, []
        free = dict.fromkeys(self.free()) if waiting else {}
        while pairs := self._paired(waiting, free):
            possible = await self._take_over(pairs)
            with suppress(Lost):
                await self.running.still()  # what the processes can do now is known then
            waiting = []
            for (person, process), taken in zip(pairs, possible, strict=True):
                if taken:
                    self._let_play(person, process)
                else:
                    waiting.append((person, None))
            self._note_people()
            self._refresh()

    @staticmethod
    def _paired(waiting: list[tuple[Person, str | None]], free: dict[str, None]) -> list[tuple[Person, str]]:
        """Return who gets which of the free processes, and take these out of them."""
        chosen: dict[int, tuple[Person, str]] = {}
        for person, wanted in waiting:
            if free and person.process is None and not person.removed and person.number not in chosen:
                process = wanted if wanted in free else next(iter(free))
                del free[process]
                chosen[person.number] = person, process
        return [*chosen.values()]

    async def _take_over(self, pairs: list[tuple[Person, str]]) -> list[bool]:
        """Take processes over for people; return for each whether that was possible."""
        what = [({"do": "take_over", "process": process}, person.name) for person, process in pairs]
        answers = await self._make_all([*what])
        possible = []
        for (person, process), answer in zip(pairs, answers, strict=True):
            possible.append(answer.accepted or "already" in answer.reason)
            if not possible[-1]:
                person.wanted = False
                self.say(tr("Process {process} cannot be played: {reason}.", process=process, reason=answer.reason))
        return possible

    def _let_play(self, person: Person, process: str) -> None:
        """Let a person play a process that has been taken over for them."""
        person.process, person.wanted, person.role = process, True, "player"
        self.say(tr("{name} plays process {process}.", name=self.people.called(person), process=process))
        self._tell_person(person, self._welcome(person))

    async def _give(self, person: Person, process: str) -> None:
        """Let a person play a process, which may be somebody else's."""
        earlier = self.people.player(process)
        if earlier is person:
            return
        if earlier is not None:
            earlier.process, earlier.wanted = None, False
            self._views.pop(earlier.number, None)
            self._sealed.pop(earlier.number, None)
            self._tell_person(earlier, self._welcome(earlier))
        elif not all(await self._take_over([(person, process)])):
            return
        if person.process is not None:
            await self._release(person)
        with suppress(Lost):
            await self.running.still()  # what the process can do now is known then
        self._let_play(person, process)
        self._note_people()
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

    def part(self) -> None:
        """Say good-bye to all, unless the class is only interrupted: it is saved, and the host has not ended it."""
        if self.ended or self._file is None:
            for each in self.listeners:
                each.close(tr("the class has ended"))
