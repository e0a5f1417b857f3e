"""The rounds of a class.

**The rule of a round.** A sealed round takes one choice from each player. When it closes, the game turns the choices
into moves in an order that does not depend on who was first (by default that of the processes in the network), and
each is offered to the simulator, which refuses a move that an earlier one has made impossible. Then simulated time goes
on by one unit, in which all processes without a player act by themselves. In turns (:mod:`turns`), each choice is a
move at once.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

from lydian.classroom import frames
from lydian.classroom.games.game import Choice, Moment, Offer
from lydian.classroom.hosting.keeping import as_saved
from lydian.classroom.hosting.turns import UNIT, Turns
from lydian.classroom.people import Person
from lydian.classroom.run import Lost
from lydian.engine import wire
from lydian.engine.wire import Refused
from lydian.language import tr, trn

__all__ = ["Rounds"]


class Rounds(Turns):
    """A class whose players choose in rounds."""

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
            self._note(sealed=[as_saved(person.number, None)])
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
        self._note(sealed=[as_saved(person.number, choice)])
        self._show_seat(person, None)
        self._dirty = True
        if self._all_in():
            self._task(self._close_soon(self.round))
        return wire.Answered(frame.id, True, "", self.round)

    def _all_in(self) -> bool:
        return bool(self._sealed) and all(each.number in self._sealed for each in self._players())

    async def _close_soon(self, round_: int) -> None:
        await asyncio.sleep(0)  # the last choice is answered first
        if self.round == round_ and self._all_in():
            await self.close_round(round_)

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

    def _measured(self, now: Moment) -> None:
        value = self.game.measure(now)
        if value is not None:
            self.points = [each for each in self.points if each[0] < self.round]
            self.points.append([self.round, value])

    def _limit(self, seconds: float) -> None:
        self._due = self.clock() + seconds if seconds > 0 and self.mode == "sealed" else None
        self._left = None


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
