"""Gossip: whoever hears the rumour chooses two others to tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.classroom.games.game import Act, Choice, Game, Happened, Moment, Move, Offer, View
from lydian.classroom.games.parts import arrived, beginnings, chosen, command, curve, listed, size
from lydian.language import tr

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["TellTwo"]


class TellTwo(Game):
    """Players choose whom they tell, one in each round."""

    name = "gossip"
    title = tr("Tell two others")
    about = tr("A rumour spreads: each player who hears it chooses two others to tell, and does not know who knows it.")
    experiment = "class-gossip"
    secret = True
    page = "class-gossip"
    figure = curve(tr("How many know the rumour"), tr("players"), None, tr("how far the rumour has spread"))
    acts = (
        Act(
            tr("Tell two others"),
            tr("One player knows a rumour. Each player who hears it tells two others, one in each round."),
            "class-gossip",
            ask={"text": tr("How many will know the rumour in the end?"), "form": "number"},
        ),
    )

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        return experiment.with_(network=f"complete:{size(players, 4, 60)}")

    def view(self, now: Moment, process: str) -> View:
        told = list(now.variables[process].get("told") or [])
        values = ((tr("You have told"), listed(told)),) if told else ()
        title = tr("You are number {process}", process=process)
        rule = tr("If you hear the rumour, tell two others, one in each round. You do not know who knows it already.")
        if not _knows(now, process):
            return View(title, tr("You have heard nothing."), rule=rule, heading=tr("Nothing has arrived; wait."),
                        secret=True)  # fmt: skip
        if now.states[process] == "silent":
            return View(title, tr("You know the rumour and have told two others."), values, rule=rule, secret=True)
        others = [[str(q), _called(now, str(q))] for q in now.network.neighbours(process) if str(q) not in told]
        offers = (Offer("tell", tr("I tell"), head="Rumour", value={"choices": others}), Offer("rest", tr("Wait")))
        text = tr("You know the rumour.")
        return View(title, text, values, rule=rule, offers=offers, heading=tr("Whom do you tell?"), secret=True)

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        found = beginnings(now)
        found += [Move(p, each["choose"]) for p in now.processes for each in arrived(now, p, "Rumour")]
        for process, choice in chosen(now, choices):
            if choice.offer.id == "tell":
                found += command(process, "Tell", to=str(choice.value))
        return found

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        if refused:
            return Happened(tr("Your move was not made: {reason}.", reason=refused))
        if choice is None or choice.offer.id != "tell":
            return Happened(tr("You told nobody in this round."))
        who = _called(before, str(choice.value))
        if _knows(before, str(choice.value)):
            return Happened(tr("You told {who}, who knew the rumour already: the call was wasted.", who=who))
        twice = sum(_names(after, q).count(str(choice.value)) - _names(before, q).count(str(choice.value))
                    for q in after.processes)  # fmt: skip
        if twice > 1:
            return Happened(tr("You told {who}, and so did somebody else in the same round.", who=who))
        return Happened(tr("You told {who}, who had not heard the rumour yet.", who=who), True)

    def measure(self, now: Moment) -> float | None:
        return sum(_knows(now, p) for p in now.processes)


def _names(now: Moment, process: str) -> list[Any]:
    return list(now.variables[process].get("told") or [])


def _knows(now: Moment, process: str) -> bool:
    return now.states[process] != "ignorant" or bool(arrived(now, process, "INIT", "Rumour"))


def _called(now: Moment, process: str) -> str:
    name = now.called.get(process)
    return f"{process} ({name})" if name else process
