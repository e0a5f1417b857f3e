"""What is kept of a class: the interventions that were made, and the class's file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lydian.classroom.games.game import Choice
from lydian.classroom.hosting.state import ClassState
from lydian.engine import wire
from lydian.language import tr
from lydian.model.experiment.branches import Branches
from lydian.model.experiment.experiment import Experiment
from lydian.model.interventions import Intervention

__all__ = ["Keeping", "as_saved"]


class Keeping(ClassState):
    """A class that remembers what is done in it."""

    async def start(self) -> None:
        """Start the simulator, which waits before the first event.

        Raises:
            LydianError: the run cannot be started.
        """
        await self._run_to(tuple(self._done))
        self.save()

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
                "sealed": [as_saved(person, choice) for person, choice in self._sealed.items()],
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


def as_saved(person: int, choice: Choice | None) -> tuple[int, tuple[str, int | str | None]]:
    """Return a choice as it is saved."""
    return person, ("", None) if choice is None else (choice.offer.id, choice.value)
