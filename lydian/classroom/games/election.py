"""Election on a ring: each player forwards or swallows the identifiers that arrive; the highest has to win.

Whether Chang and Roberts's rule forwards an identifier follows from the state of the process. A choice that follows it
delivers the message. Against the rule, an identifier is lost, or travels on in a message that the process forges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from lydian.classroom.games.game import Act, Choice, Game, Happened, Moment, Move, Offer, View
from lydian.classroom.games.parts import arrived, chosen, curve, hurry, size
from lydian.language import tr
from lydian.model.generators import generate
from lydian.model.names import natural

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment
    from lydian.model.network import Network

__all__ = ["Election"]

#: The experiments of the acts in which the numbers are in falling order, and in which the highest does not compete.
_FALLING, _WAITS = "class-election-falling", "class-election-waits"


class Election(Game):
    """Players forward or swallow identifiers."""

    name = "election"
    title = tr("Election on a ring")
    about = tr("Each player forwards or swallows the numbers that come round the ring; the highest number has to win.")
    experiment = "class-election"
    page = "class-election"
    figure = curve(tr("Who can still win"), tr("candidates"), 1, tr("one is left: the leader"))
    acts = (
        Act(
            tr("Everybody stands"),
            tr("The numbers are on the ring in no particular order. Everybody stands for election."),
            "class-election",
            ask={"text": tr("Who will win?"), "form": "process"},
        ),
        Act(
            tr("In falling order"),
            tr("Each number is followed by the next lower one. The rule is the same as before."),
            _FALLING,
            ask={"text": tr("How many messages will it take until somebody has won?"), "form": "number"},
        ),
        Act(
            tr("The highest number waits"),
            tr("Everybody stands for election except the highest number, which only forwards what comes."),
            _WAITS,
            ask={"text": tr("Who will win?"), "form": "process"},
        ),
        Act(
            tr("A player is missing"),
            tr("Player 1 has left the table, and takes and forwards nothing. Everybody else stands for election."),
            "class-election",
            mischief=({"do": "crash", "process": "1"},),
            ask={
                "text": tr("What will happen now?"), "form": "choice",
                "choices": [tr("the highest number wins"), tr("another number wins"), tr("nobody wins")],
            },
        ),
    )  # fmt: skip

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        n = size(players, 3, 12)
        names = [str(k + 1) for k in range(n)]
        ring = _ring([*reversed(names)] if experiment.name == _FALLING else _shuffled(names, experiment.seed))
        if experiment.name == _WAITS:
            ring = ring.replace(initiators=tuple(each for each in ring.processes if each != str(n)))
        return experiment.with_(network=ring, timing=replace(experiment.timing, initiators=None))

    def view(self, now: Moment, process: str) -> View:
        if process in now.crashed:
            return View(tr("You have left the table"), tr("The others play on without you."))
        offers: list[Offer] = []
        if arrived(now, process, "INIT"):
            offers.append(Offer("start", tr("I stand for election"), tr("and send my number to the next player")))
        for each in arrived(now, process, "Token"):
            number, told = each["message"], str(each["fields"]["id"])
            own = told == process
            text = tr("your own number") if own else tr("you are number {process}", process=process)
            offers.append(Offer(f"f{number}", tr("Forward {number}", number=told), text, "Token"))
            offers.append(Offer(f"s{number}", tr("Swallow {number}", number=told), text, "Token"))
            if own:
                offers.append(Offer(f"w{number}", tr("I have won"), tr("my number has come back"), "Token"))
        if offers:
            offers.append(Offer("rest", tr("Wait")))
        return View(
            tr("You are number {process}", process=process),
            _STATES.get(now.states[process], ""),
            rule=tr("Forward a number that is higher than yours, and swallow a lower one. If your own number comes"
                    " back, you have won. If you have not stood for election when the first number comes, forward"
                    " everything."),
            offers=tuple(offers),
            heading=tr("What do you do?") if offers else tr("Nothing has arrived; wait."),
        )  # fmt: skip

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        found: list[Move] = []
        for process, choice in chosen(now, choices):
            if choice.offer.id == "start":
                found.append(hurry(process, "INIT"))
            elif (event := _meant(now, process, choice)) is not None:
                act, told = choice.offer.id[0], str(event["fields"]["id"])
                if act == _rightful(now, process, told):
                    found.append(Move(process, event["choose"]))
                else:
                    found.append(Move(process, {"do": "drop", "message": event["message"]}))
                    if act == "f":
                        link = [process, _next(now, process)]
                        what = {"do": "inject", "link": link, "label": "Token", "fields": {"id": told}}
                        found.append(Move(process, what))
        return found

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        if process in after.crashed:
            return Happened(tr("You have left the table; the others play on."))
        if refused:
            return Happened(tr("Your move was not made: {reason}.", reason=refused))
        if choice is not None and choice.offer.id == "start":
            if after.states[process] == "candidate":
                return Happened(tr("You stand for election; your number is on its way."), True)
            return Happened(tr("You were too late: another number has passed you already."), None)
        event = None if choice is None else _meant(before, process, choice)
        if choice is None or event is None:
            return Happened(tr("You waited."))
        told = {"number": str(event["fields"]["id"]), "process": process}
        act, right = choice.offer.id[0], _rightful(before, process, str(event["fields"]["id"]))
        good = act == right
        return Happened(_SENTENCES[act, right].format(**told), good)

    def measure(self, now: Moment) -> float | None:
        able = ("sleeping", "candidate", "leader")
        return sum(now.states[p] in able and p not in now.crashed for p in now.processes)


_STATES = {
    "sleeping": tr("You have not stood for election yet."),
    "candidate": tr("You are a candidate."),
    "passive": tr("You do not compete."),
    "lost": tr("You have lost: a higher number has passed you."),
    "leader": tr("You are the leader."),
}

#: What was done and what the rule says: f, forward; s, swallow; w, declare oneself the leader.
_SENTENCES = {
    ("f", "f"): tr("You forwarded {number}, as the rule says."),
    ("s", "s"): tr("You swallowed {number}, which cannot win: you know of a number at least as high."),
    ("w", "w"): tr("Your number {number} has gone all the way round the ring: you are the leader."),
    ("f", "s"): tr("You forwarded {number} though it cannot win: that costs a message, and nothing is gained."),
    ("s", "f"): tr("You swallowed {number}, which you should have forwarded: if it was the highest, nobody can win"
                   " now."),
    ("f", "w"): tr("You sent your own number {number} round again, though its return meant that you had won."),
    ("s", "w"): tr("You swallowed your own number {number}, though its return meant that you had won: now nobody"
                   " will."),
    ("w", "s"): tr("Your number {number} has come back, but you had lost before."),
    ("w", "f"): tr("Your number {number} has come back, but you do not compete."),
}  # fmt: skip


def _meant(now: Moment, process: str, choice: Choice) -> Mapping[str, Any] | None:
    """Return the arrival to which a choice refers."""
    return next((each for each in arrived(now, process, "Token") if f"{each['message']}" == choice.offer.id[1:]), None)


def _rightful(now: Moment, process: str, told: str) -> str:
    """Return what the rule does with an identifier: forward it (f), swallow it (s) or win by it (w)."""
    state = now.states[process]
    if state in ("sleeping", "passive"):
        return "f"
    if state == "candidate" and told == process:
        return "w"
    return "f" if state != "leader" and natural(told) > natural(process) else "s"


def _next(now: Moment, process: str) -> str:
    return str(now.network.neighbours(process)[0])


def _shuffled(names: list[str], seed: int) -> list[str]:
    """Return names in no particular order."""
    mixed = [*names]
    Random(seed).shuffle(mixed)
    return mixed


def _ring(names: list[str]) -> Network:
    """Return a one-way ring of processes with these names, in this order, which all stand for election."""
    n = len(names)
    plain = generate("onewayring", n, starts="all")
    called = dict(zip(plain.processes, names, strict=True))
    links = tuple(replace(each, a=called[each.a], b=called[each.b]) for each in plain.links)
    places = {called[p]: place for p, place in plain.positions.items()}
    return plain.replace(
        name=f"class-ring-{n}", processes=tuple(names), links=links, positions=places, initiators=tuple(names)
    )
