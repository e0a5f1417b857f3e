"""Byzantine generals: each player knows only their own role, and chooses what to pass on and what to do.

The traitors are drawn from the seed of the run, which is a new one for each class. A traitor with a player is silent in
the simulator, and what the player says is sent in its name; a traitor without one tells two stories. A loyal general
who passes on something else than it heard has its messages changed on the way.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from lydian.classroom.games.game import Act, Choice, Game, Happened, Moment, Move, Offer, View
from lydian.classroom.games.parts import arrived, chosen, corrupt, curve, hurry, listed, size
from lydian.language import tr
from lydian.model.names import natural

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Generals", "traitors"]

_TWO = "class-generals-two"
_ORDERS = ("attack", "retreat")


class Generals(Game):
    """Players pass on orders, truly or not, and decide."""

    name = "generals"
    title = tr("Byzantine generals")
    about = tr("Generals tell each other what the commander has ordered; nobody knows who is a traitor.")
    experiment = "class-generals"
    secret = True
    page = "class-generals"
    figure = curve(
        tr("Different decisions of loyal generals"), tr("decisions"), 1, tr("all loyal generals do the same"),
    )  # fmt: skip
    acts = (
        Act(
            tr("One traitor"),
            tr("One general is a traitor. The commander gives an order, everybody passes on what they heard, and then"
               " all decide."),
            "class-generals",
            ask={
                "text": tr("Will all loyal generals do the same?"), "form": "choice", "choices": [tr("yes"), tr("no")],
            },
        ),
        Act(
            tr("Two traitors"),
            tr("Two generals are traitors now, and the commander is one of them. The rule is the same."),
            _TWO,
            ask={
                "text": tr("Will all loyal generals do the same?"), "form": "choice", "choices": [tr("yes"), tr("no")],
            },
        ),
    )  # fmt: skip

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        seed = secrets.randbelow(2**31)
        order = Random(f"order {seed}").choice(_ORDERS)
        n = size(players, 7 if experiment.name == _TWO else 4, 10)
        return experiment.with_(
            network=f"complete:{n}", seed=seed, parameters={**experiment.parameters, "order": order}
        )

    def view(self, now: Moment, process: str) -> View:
        traitor = process in traitors(now)
        role = tr("You are a traitor") if traitor else tr("You are loyal")
        commander = _commander(now)
        leads = process == commander
        values = []
        if leads:
            values.append((tr("The order of the king"), _order(now)))
        else:
            for path, order in sorted(_said(now, process).items()):
                who = tr("{sender}, the commander", sender=path[0]) if len(path) == 1 else path[-1]
                values.append((tr("{who} says", who=who), _word(order)))
        text = tr("You are a general; the commander is {commander}.", commander=commander)
        if _over(now):
            text = tr("All have decided. Traitors: {names}.", names=listed(sorted(traitors(now), key=natural)))
        rule = tr("Pass on what the commander told you. Then count: the order that you heard from the commander,"
                  " and what each other general says; do what most of them say, and retreat if there is a"
                  " tie.")  # fmt: skip
        if leads:
            text = tr("You are the commander.") if not _over(now) else text
            rule = tr("Give everybody the order of the king.")
        if traitor:
            rule = tr("You may say whatever you like. You win if two loyal generals do different things.")
        offers = self._offers(now, process)
        return View(
            tr("You are general {process}", process=process), text, tuple(values),
            {"kind": "secret", "text": role}, "" if _over(now) else rule, offers,
            "" if _over(now) else tr("What do you do?") if offers else tr("Nothing has arrived; wait."), True,
        )  # fmt: skip

    def _offers(self, now: Moment, process: str) -> tuple[Offer, ...]:
        if now.states[process] not in ("idle", "waiting") or process in now.crashed:
            return ()
        saying = False
        if process == _commander(now):
            saying = bool(arrived(now, process, "INIT"))
            titles = (tr("Order everybody to attack"), tr("Order everybody to retreat"))
        else:
            saying = bool(_unheard(now, process))
            titles = (tr("Tell everybody: attack"), tr("Tell everybody: retreat"))
        if saying:
            return (
                Offer("attack", titles[0], head="Order"), Offer("retreat", titles[1], head="Order"),
                Offer("both", tr("Tell two stories"), tr("attack to some, retreat to the others"), "Order"),
                Offer("rest", tr("Wait")),
            )  # fmt: skip
        if now.states[process] == "waiting" and (_said(now, process) or arrived(now, process, "AllSaid")):
            return (
                Offer("do attack", tr("I attack")), Offer("do retreat", tr("I retreat")),
                Offer("rest", tr("Wait"), tr("for more reports")),
            )  # fmt: skip
        return ()

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        found: list[Move] = []
        bad, commander = traitors(now), _commander(now)
        if now.time == 0:
            for p in sorted(bad, key=natural):
                how = "mute" if p in now.played else "two-faced"
                found.append(Move("", {"do": "byzantine", "process": p, "how": how}))
        for p in now.processes:
            if p != commander:
                found += [hurry(p, "INIT") for _ in arrived(now, p, "INIT")]
            found += [Move(p, each["choose"]) for each in _reports(now, p)]
        for process, choice in chosen(now, choices):
            act = choice.offer.id
            if act.startswith("do "):
                found += self._decide(now, process, act[3:])
            elif act in (*_ORDERS, "both"):
                found += self._say(now, process, act)
        return found

    def _say(self, now: Moment, process: str, act: str) -> list[Move]:
        """Return the moves with which a general says something to all to whom its protocol would say something."""
        commander = _commander(now)
        if process == commander:
            found, path, true = [hurry(process, "INIT")], [process], _plain_order(now)
        else:
            event = _unheard(now, process)[0]
            found, path = [Move(process, event["choose"])], [commander, process]
            true = str(event["fields"]["order"])
        others = [str(q) for q in now.network.neighbours(process) if str(q) not in path]
        told = {q: _ORDERS[k % 2] if act == "both" else act for k, q in enumerate(others)}
        for q, order in told.items():
            if process in traitors(now):
                fields = {"order": order, "path": path}
                found.append(Move(process, {"do": "inject", "link": [process, q], "label": "Order", "fields": fields}))
            elif order != true:
                what = {"do": "edit", "link": [process, q], "label": "Order", "fields": {"order": order}}
                found.append(Move(process, what))
        return found

    def _decide(self, now: Moment, process: str, order: str) -> list[Move]:
        found = [hurry(process, "AllSaid")]
        if order != _most(now, process):
            found += [
                corrupt(process, "state", "attacking" if order == "attack" else "retreating"),
                corrupt(process, "decision", order),
            ]
        return found

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        if refused:
            return Happened(tr("Your move was not made: {reason}.", reason=refused))
        act = "" if choice is None else choice.offer.id
        traitor = process in traitors(before)
        if act.startswith("do "):
            order, right = act[3:], _most(before, process)
            if order == right:
                return Happened(tr("You decided to {order}, as most of what you heard said.", order=_word(order)), True)
            return Happened(tr("You decided to {order}, though most of what you heard said {right}.",
                               order=_word(order), right=_word(right)), None if traitor else False)  # fmt: skip
        if act in (*_ORDERS, "both"):
            leads = process == _commander(before)
            true = _plain_order(before) if leads else str(_unheard(before, process)[0]["fields"]["order"])
            if act == true:
                return Happened(tr("You told the truth: {order}.", order=_word(true)), True)
            if traitor:
                return Happened(tr("You lied, as traitors may; the truth was {order}.", order=_word(true)), None)
            return Happened(tr("You are loyal, and yet you did not tell the truth, which was {order}.",
                               order=_word(true)), False)  # fmt: skip
        return Happened(tr("You waited."))

    def over(self, now: Moment) -> bool:
        return _over(now)

    def measure(self, now: Moment) -> float | None:
        bad = traitors(now)
        return len({now.states[p] for p in now.processes if p not in bad} & {"attacking", "retreating"})


def traitors(now: Moment) -> frozenset[str]:
    """Return the traitors of a run."""
    drawn = Random(f"traitors {now.experiment.seed}")
    commander = _commander(now)
    if now.experiment.name == _TWO:
        return frozenset((commander, drawn.choice([p for p in now.processes if p != commander])))
    return frozenset((drawn.choice(now.processes),))


def _commander(now: Moment) -> str:
    return min(now.processes, key=natural)


def _plain_order(now: Moment) -> str:
    return str(now.experiment.parameters.get("order", "attack"))


def _order(now: Moment) -> str:
    return _word(_plain_order(now))


def _word(order: str) -> str:
    return tr("attack") if order == "attack" else tr("retreat")


def _over(now: Moment) -> bool:
    return all(now.states[p] in ("attacking", "retreating") or p in now.crashed for p in now.processes)


def _path(event: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the generals who have said an order one after the other, according to its message."""
    return _names(event["fields"].get("path", ()))


def _possible(now: Moment, event: Mapping[str, Any]) -> bool:
    """Return False if the path of an order cannot be, as in the lies of a traitor without a player."""
    path = _path(event)
    return bool(path) and (path[0], path[-1]) == (_commander(now), str(event["from"]))


def _unheard(now: Moment, process: str) -> list[Mapping[str, Any]]:
    """Return the orders of the commander that wait at a general."""
    return [each for each in arrived(now, process, "Order") if len(_path(each)) == 1 and _possible(now, each)]


def _reports(now: Moment, process: str) -> list[Mapping[str, Any]]:
    """Return what other generals have said and a general has not recorded yet."""
    return [each for each in arrived(now, process, "Order") if len(_path(each)) != 1 or not _possible(now, each)]


def _said(now: Moment, process: str) -> dict[tuple[str, ...], str]:
    """Return what a general has heard: path -> order."""
    found = {_names(path): str(order) for path, order in dict(now.variables[process].get("said") or {}).items()}
    for each in (*_unheard(now, process), *_reports(now, process)):
        if _possible(now, each):
            found.setdefault(_path(each), str(each["fields"]["order"]))
    return found


def _names(path: Any) -> tuple[str, ...]:
    """Return a path from the form in which a trace contains it."""
    if isinstance(path, str):
        return tuple(each for each in path.replace("'", "").replace('"', "").strip("()[]").replace(" ", "").split(",")
                     if each)  # fmt: skip
    return tuple(str(each) for each in path)


def _most(now: Moment, process: str) -> str:
    """Return what a general has to do by the rule, from what it has heard."""
    said, commander = _said(now, process), _commander(now)
    paths = [(commander,), *((commander, q) for q in now.processes if q not in (commander, process))]
    votes = [said.get(path, "retreat") for path in paths]
    return "attack" if 2 * votes.count("attack") > len(votes) else "retreat"
