"""What the host of a class can do: each ``_do_`` method is a command of the host's interface."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lydian.classroom import frames
from lydian.classroom.asking import asked
from lydian.classroom.hosting.rounds import Rounds
from lydian.classroom.hosting.showing import STORIES
from lydian.engine import wire
from lydian.engine.wire import Refused
from lydian.language import tr
from lydian.model.errors import LydianError, shown
from lydian.model.experiment.branches import ROOT, follow
from lydian.model.experiment.experiment import Experiment, save

__all__ = ["Leading"]

#: The least seconds between two rounds in turns.
LEAST_TICK = 0.02


class Leading(Rounds):
    """A class that its host leads."""

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
        waiting = [each for each in self.people.class_ if each.role == "player" and each.process is None and each.here]
        self._unseated += [(each, None) for each in waiting]
        async with self._busy:
            await self._seat_waiting()

    async def _do_remove(self, person: int) -> None:
        who = self._person(person)
        if who.process is not None:
            async with self._busy:
                await self._release(who)
        who.removed = True
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
        self._tell_person(who, self._welcome(who))
        self._refresh()

    async def _do_hide(self, on: bool = True) -> None:
        self.people.hidden = bool(on)
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
        playing = [each for each in self.people if each.process is not None]
        await self._make_all([({"do": "take_over", "process": each.process}, each.name) for each in playing])
        await self.running.still()
        for person in self.people:
            if person.role == "player" and person.process is None and person.wanted:
                self._unseated.append((person, None))
            else:
                self._tell_person(person, self._welcome(person))
        await self._seat_waiting()

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


def _experiment(name: str) -> Experiment:
    from lydian.model.archive.archive import archive

    return archive().experiment(name)
