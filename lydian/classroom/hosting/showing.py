"""What the people of a class may see: the room, the run, their process, and what has happened to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from lydian.classroom import frames
from lydian.classroom.asking import Asked
from lydian.classroom.games.game import Happened, Moment, Offer, View
from lydian.classroom.hosting.keeping import Keeping
from lydian.classroom.hosting.listener import Listener
from lydian.classroom.looks import look, looks, places
from lydian.classroom.people import Person
from lydian.engine import wire

__all__ = ["CALM_LIST", "GRACE", "STORIES", "Showing"]

#: The seconds for which a process waits for a player who has lost the connection; then the program plays it.
GRACE = 20.0
#: The seconds between two lists of the people that are not urgent: the list is long, and a page draws it anew.
CALM_LIST = 1.0
#: The most that is kept of a player's story.
STORIES = 50


class Showing(Keeping):
    """A class that tells its people what they may see."""

    def _sees(self, person: Person) -> bool:
        return self.shown or person.role == "host"

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

    def _players(self) -> Iterator[Person]:
        """Yield the players who can choose now: they are here, or expected back."""
        return (
            each for each in self.people
            if each.process is not None and (view := self._views.get(each.number)) is not None and view.offers
        )  # fmt: skip

    def _offered(self, person: Person) -> bool:
        """Return whether a player could have chosen something."""
        view = self._views.get(person.number)
        return view is not None and bool(view.offers)

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
            self.log.name,
        )  # fmt: skip

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


def _links(network: Any) -> Iterator[tuple[str, str]]:
    for u in network.processes:
        for v in network.neighbours(u):
            yield u, v


def _told(offer: Offer) -> dict[str, Any]:
    return {
        "id": offer.id, "title": offer.title, "text": offer.text, "head": offer.head,
        "value": None if offer.value is None else dict(offer.value),
    }  # fmt: skip
