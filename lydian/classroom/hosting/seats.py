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
                self.world.leave(person)
                self._dirty = True

    async def _seat(self, person: Person, wanted: str | None = None) -> None:
        """Give somebody a free process, if there is one."""
        async with self._busy:
            if person.process is not None or person.removed:
                return
            free = self.free()
            process = wanted if wanted in free else next(iter(free), None)
            if process is not None:
                await self._give(person, process)

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

    def part(self) -> None:
        """Say good-bye to all, unless the class is only interrupted: it is saved, and the host has not ended it."""
        if self.ended or self._file is None:
            for each in self.listeners:
                each.close(tr("the class has ended"))
