"""The people in the world of a class: where each stands in the network in space, and where they look.

Only the last place of each person is kept, and all places are told together, a few times a second, to those who are in
the world themselves. While names are hidden, nobody is shown.
"""

from __future__ import annotations

from lydian.classroom import frames
from lydian.classroom.people import People, Person

__all__ = ["CALM", "MOST", "World"]

#: The least seconds between two reports of the places.
CALM = 0.25
#: The most people whose places are told.
MOST = 100


class World:
    """The places of the people who are in the world."""

    def __init__(self) -> None:
        self._places: dict[int, frames.Stand] = {}
        self._changed = False
        self._told_at = -CALM

    def stand(self, person: Person, frame: frames.Stand) -> None:
        """Note where somebody stands now, or that they have left the world."""
        if not frame.at:
            self.leave(person)
        elif self._places.get(person.number) != frame and (person.number in self._places or len(self._places) < MOST):
            self._places[person.number] = frame
            self._changed = True

    def leave(self, person: Person) -> None:
        """Note that somebody is no longer in the world."""
        self._changed = self._places.pop(person.number, None) is not None or self._changed

    def renew(self) -> None:
        """Tell the places again, because names have changed."""
        self._changed = True

    def due(self, now: float) -> bool:
        """Return whether the places have to be told."""
        return self._changed and now - self._told_at >= CALM

    def told(self, people: People, now: float) -> frames.Figures:
        """Return the places of all, for everybody in the world."""
        self._changed, self._told_at = False, now
        if people.hidden:
            return frames.Figures([])
        there = ((people[number], frame) for number, frame in self._places.items())
        return frames.Figures(
            [
                {
                    "person": person.number, "name": people.called(person), "process": person.process,
                    "at": frame.at, "look": frame.look,
                }
                for person, frame in there
            ]
        )  # fmt: skip
