"""Mutual exclusion by permissions: players ask for a resource, and reply to the requests of others or defer them.

Ricart and Agrawala's rule says which of the two is right. Against it, a reply is sent that the process owes only
later, or is taken away until the player sends it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.classroom.games.game import Choice, Game, Happened, Moment, Move, Offer, View
from lydian.classroom.games.parts import arrived, beginnings, chosen, command, corrupt, curve, listed, size
from lydian.language import tr
from lydian.model.names import natural

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Resource"]


class Resource(Game):
    """Players ask, reply and defer."""

    name = "mutex"
    title = tr("One at a time")
    about = tr("Players ask each other for permission to use a resource that only one of them may have at a time.")
    experiment = "class-mutex"
    page = "class-mutex"
    figure = curve(tr("Who has the resource"), tr("players"), 1, tr("never more than one"))

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        return experiment.with_(network=f"complete:{size(players, 3, 8)}")

    def view(self, now: Moment, process: str) -> View:
        mine = now.variables[process]
        values = []
        if mine.get("ts"):
            values.append((tr("You asked at"), str(mine["ts"][0])))
        if now.states[process] == "wanted":
            missing = list(mine.get("pending") or [])
            values.append((tr("Permission is missing from"), listed(sorted(missing, key=natural)) if missing else "–"))
        if deferred := _deferred(now, process):
            values.append((tr("They wait for your reply"), listed(deferred)))
        offers = self._offers(now, process)
        return View(
            tr("You are number {process}", process=process),
            _STATES.get(now.states[process], ""),
            tuple(values),
            rule=tr("Reply to a request at once, unless you have the resource or have asked for it earlier; if both"
                    " asked at the same time, the lower number is first. Reply to the deferred ones when you leave."),
            offers=offers,
            heading=tr("What do you do?") if offers else tr("Nothing has arrived; wait."),
        )  # fmt: skip

    def _offers(self, now: Moment, process: str) -> tuple[Offer, ...]:
        state = now.states[process]
        found: list[Offer] = []
        for each in arrived(now, process, "Request"):
            sender, number = each["from"], each["message"]
            asked = tr("asked at {time}", time=each["fields"]["ts"][0])
            found.append(Offer(f"r{number}", tr("Reply to {sender}", sender=sender), asked, "Request"))
            found.append(Offer(f"d{number}", tr("Defer the reply to {sender}", sender=sender), asked, "Request"))
        if replies := arrived(now, process, "Reply"):
            senders = listed(each["from"] for each in replies)
            found.append(Offer("take", tr("Take the permission of {senders}", senders=senders), head="Reply"))
        if state == "released":
            found.append(Offer("want", tr("I want the resource"), tr("and ask everybody"), "Request"))
            found += [
                Offer(f"l{q}", tr("Reply to {sender} after all", sender=q), head="Reply")
                for q in _deferred(now, process)
            ]
        elif state == "wanted":
            found.append(Offer("enter", tr("Take the resource without waiting")))
        elif state == "held":
            found.append(Offer("leave", tr("Leave the resource"), tr("and reply to everybody who waits")))
        return (*found, Offer("rest", tr("Wait"))) if found else ()

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        found = beginnings(now)
        for process, choice in chosen(now, choices):
            found += self._moves(now, process, choice)
        return found

    def _moves(self, now: Moment, process: str, choice: Choice) -> list[Move]:
        act = choice.offer.id
        if act == "take":
            return [Move(process, each["choose"]) for each in arrived(now, process, "Reply")]
        if act == "want":
            return command(process, "Want")
        if act == "enter":
            return [corrupt(process, "state", "held")]
        if act == "leave":
            return command(process, "Leave")
        if act.startswith("l"):
            rest = [q for q in _deferred(now, process) if q != act[1:]]
            return [corrupt(process, "deferred", rest), _reply(process, act[1:])]
        event = _request(now, process, act)
        if event is None:
            return []
        sender = str(event["from"])
        found = [Move(process, event["choose"])]
        if act[0] == "r" and _first(now, process, event):
            found += [corrupt(process, "deferred", _deferred(now, process)), _reply(process, sender)]
        elif act[0] == "d" and not _first(now, process, event):
            found.append(Move(process, {"do": "drop", "link": [process, sender], "label": "Reply"}))
            found.append(corrupt(process, "deferred", [*_deferred(now, process), sender]))
        return found

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        if refused:
            return Happened(tr("Your move was not made: {reason}.", reason=refused))
        act = "" if choice is None else choice.offer.id
        if (event := _request(before, process, act)) is not None:
            return self._answered(before, process, act[0], event)
        if act == "want":
            return Happened(tr("You asked everybody for permission."), True)
        if act == "take":
            if after.states[process] == "held":
                return Happened(tr("That was the last permission: you have the resource."), True)
            return Happened(tr("You have more permissions; some are still missing."), True)
        if act == "enter":
            others = [q for q in after.processes if q != process and after.states[q] == "held"]
            if others:
                return Happened(tr("You took the resource without permission. It is also held by {who}.",
                                   who=listed(others)), False)  # fmt: skip
            return Happened(tr("You took the resource without permission; this time nobody else has it."), False)
        if act == "leave":
            return Happened(tr("You left the resource and replied to everybody who waited."), True)
        if act.startswith("l"):
            return Happened(tr("You replied to {sender} after all.", sender=act[1:]), True)
        return Happened(tr("You waited."))

    def _answered(self, before: Moment, process: str, act: str, event: Mapping[str, Any]) -> Happened:
        """Return what the reply to a request, or its deferral, means."""
        sender, state, first = event["from"], before.states[process], _first(before, process, event)
        if act == "r" and not first:
            if state == "released":
                return Happened(tr("You replied to {sender}, because you do not want the resource.", sender=sender),
                                True)  # fmt: skip
            return Happened(tr("You replied to {sender}, whose request is older than yours.", sender=sender), True)
        if act == "d" and first:
            if state == "held":
                return Happened(tr("You deferred the reply to {sender}, because you have the resource.",
                                   sender=sender), True)  # fmt: skip
            return Happened(tr("You deferred the reply to {sender}, because your own request is older.",
                               sender=sender), True)  # fmt: skip
        if act == "r":
            return Happened(tr("You replied to {sender}, though your own request goes first: now both of you may"
                               " have the resource.", sender=sender), False)  # fmt: skip
        return Happened(tr("You deferred the reply to {sender}, though it had precedence: it waits until you leave or"
                           " reply after all.", sender=sender), False)  # fmt: skip

    def measure(self, now: Moment) -> float | None:
        return sum(now.states[p] == "held" for p in now.processes)


_STATES = {
    "released": tr("You do not want the resource."),
    "wanted": tr("You want the resource."),
    "held": tr("You have the resource."),
}


def _deferred(now: Moment, process: str) -> list[str]:
    return [str(q) for q in now.variables[process].get("deferred") or []]


def _request(now: Moment, process: str, act: str) -> Mapping[str, Any] | None:
    """Return the request to which a choice refers."""
    return next((each for each in arrived(now, process, "Request") if act in _ids(each)), None)


def _ids(event: Mapping[str, Any]) -> tuple[str, str]:
    return f"r{event['message']}", f"d{event['message']}"


def _first(now: Moment, process: str, event: Mapping[str, Any]) -> bool:
    """Return whether the turn of a process comes before that of the sender of a request."""
    if now.states[process] != "wanted":
        return now.states[process] == "held"
    mine, other = now.variables[process]["ts"], event["fields"]["ts"]
    return (mine[0], natural(str(mine[1]))) < (other[0], natural(str(other[1])))


def _reply(process: str, to: str) -> Move:
    return Move(process, {"do": "inject", "link": [process, to], "label": "Reply"})
