"""Moves in turns: each choice is a move at once, and the first one to arrive wins."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from lydian.classroom.games.game import Choice
from lydian.classroom.hosting.seats import Seats
from lydian.classroom.hosting.state import STRIDE, Turn
from lydian.classroom.people import Person
from lydian.classroom.run import Lost
from lydian.engine import wire
from lydian.language import tr
from lydian.model.errors import shown

__all__ = ["UNIT", "Turns"]

#: Simulated time of a round.
UNIT = 1.0
#: The interventions that a player of a process may make in turns.
OWN = ("deliver", "hurry", "fire", "command", "wake")


class Turns(Seats):
    """A class whose players move in turns."""

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

    async def _make_chosen(self, turns: list[Turn]) -> None:
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
