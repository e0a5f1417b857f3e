"""Self-stabilisation: some players spoil a system, the others heal it by single moves, and then it heals by itself.

The protocols are those of the archive with guarded actions. A process is at an illegal place if it has an enabled rule;
in a token ring, one such process is legal, because it has the token. The number of illegal places is the distance from
a legitimate configuration: it is 0 exactly in such a configuration.

Everybody sees all processes, as the daemon of the theory does. In each round, first the moves of the healers are made
in the order of the processes, then the faults of the spoilers; the program causes those of a spoiler without a player.
Once the spoilers have to stop, the processes that people play also act by themselves, never two neighbours at the same
moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from lydian.classroom.games.game import Act, Choice, Game, Happened, Moment, Move, Offer, View, words
from lydian.classroom.games.parts import chosen, curve, size
from lydian.language import tr, trn

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["EVERY", "LAST", "Stabilise", "illegal", "spoilers"]

#: A spoiler may cause one fault in this many units of time, and none from the time ``LAST`` on.
EVERY, LAST = 2, 12
#: Every so many processes have a player who spoils, beginning with the second.
BETWEEN = 4


@dataclass(frozen=True)
class _System:
    """What differs between the systems: the variable that all see, the rule, the tokens of a legal state."""

    variable: str
    rule: str
    tokens: int = 0


_SYSTEMS = {
    "dijkstra-k-state": _System(
        "x",
        tr("The leader may move if its counter equals that of its left neighbour, and then adds one; every other"
           " process may move if the two differ, and copies its left neighbour. Legal: exactly one may move."), 1,
    ),
    "stabilising-colouring": _System(
        "colour",
        tr("A process may move if a neighbour has its colour, and then takes the least free one. Legal: no two"
           " neighbours have the same colour."),
    ),
    "stabilising-tree": _System(
        "dist",
        tr("The root has the distance 0; every other process has one more than its nearest neighbour, which is its"
           " parent. A process for which this is wrong may move, and then it is right. Legal: nobody may move."),
    ),
}  # fmt: skip


class Stabilise(Game):
    """Some spoil, the others heal."""

    name = "stabilise"
    title = tr("Spoil and heal")
    about = tr("Spoilers change values, healers make single moves at illegal places, and the system becomes legal.")
    experiment = "class-stabilise"
    seconds = 30.0
    overview = True
    page = "class-stabilise"
    figure = curve(tr("Distance from a legitimate configuration"), tr("illegal places"), 0, tr("legal again"))
    acts = (
        Act(
            tr("A token ring"),
            tr("Dijkstra's ring is legal if exactly one process has the token. Every fourth player spoils it."),
            "class-stabilise",
            ask={
                "text": tr("The spoilers stop after six faults each. Will there be one token again, without anybody's"
                           " help?"),
                "form": "choice", "choices": [tr("yes"), tr("no")],
            },
        ),
        Act(
            tr("Colours"),
            tr("Neighbours must have different colours. One fault now has only a small effect."),
            "class-stabilise-colours",
        ),
        Act(
            tr("A tree"),
            tr("Everybody knows its distance from the root. A distance that is too small spreads before it heals."),
            "class-stabilise-tree",
        ),
    )  # fmt: skip

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        n = size(players, 5, 16)
        if experiment.protocol == "dijkstra-k-state":
            return experiment.with_(network=f"ring:{n}", parameters={**experiment.parameters, "k": n + 1})
        return experiment.with_(network=f"smallworld:{n},4,0")

    def view(self, now: Moment, process: str) -> View:
        system, spoils = _system(now), process in spoilers(now)
        values = tuple((_named(now, p), words(now.variables[p].get(system.variable))) for p in now.processes)
        title = tr("You spoil: process {process}", process=process) if spoils else (
            tr("You heal: process {process}", process=process)
        )  # fmt: skip
        offers = _spoiling(now) if spoils else _healing(now)
        heading = tr("What do you do?") if offers else _quiet(now)
        return View(title, _distance(now), values, rule=system.rule, offers=offers, heading=heading)

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        found, spoiling = [], []
        for process, choice in chosen(now, choices):
            target = str(choice.value)
            if choice.offer.id == "heal" and (rule := _rule(now, target)) is not None:
                found.append(Move(process, rule["choose"]))
            elif choice.offer.id == "spoil" and _may_spoil(now) and target not in now.crashed:
                spoiling.append(_fault(now, process, target))
        return [*found, *spoiling]

    def own(self, now: Moment) -> list[Move]:
        """Return the faults of the spoilers without a player, so that one person alone can heal."""
        if not _may_spoil(now):
            return []
        random = Random(f"{now.experiment.seed} {int(now.time + 1e-9)}")
        alive = [p for p in now.processes if p not in now.crashed]
        idle = [p for p in spoilers(now) if p not in now.played and p not in now.crashed]
        return [_fault(now, p, random.choice(alive)) for p in idle]

    def settle(self, now: Moment) -> list[Move]:
        """Return the moves of the processes that people play, once the spoilers have stopped."""
        if now.time < LAST:
            return []
        found: list[Move] = []
        near: set[str] = set()
        for process in illegal(now):
            rule = _rule(now, process)
            if process in now.played and process not in near and rule is not None:
                found.append(Move(process, rule["choose"]))
                near |= {process, *map(str, now.network.neighbours(process))}
        return found

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        was, now = distance(before), distance(after)
        change = tr("The distance was {before} and is now {after}.", before=was, after=now)
        if refused:
            return Happened(tr("Your move was not made: {reason}.", reason=refused), next=change)
        act = "" if choice is None else choice.offer.id
        if act not in ("heal", "spoil"):
            return Happened(tr("You did nothing."), next=change)
        assert choice is not None
        target = str(choice.value)
        if act == "spoil":
            return Happened(tr("You spoiled process {process}.", process=target), next=change)
        if _rule(before, target) is None:
            return Happened(tr("Process {process} could not move: its place is legal.", process=target), False,
                            next=change)  # fmt: skip
        return Happened(tr("You made the move of process {process}.", process=target), True, next=change)

    def stage(self, now: Moment) -> Mapping[str, Any]:
        names = now.processes
        return {"kind": "illegal", "illegal": [names.index(p) for p in illegal(now)], "words": _distance(now)}

    def measure(self, now: Moment) -> float | None:
        return distance(now)


def illegal(now: Moment) -> tuple[str, ...]:
    """Return the processes that may move, unless they are as many as in a legitimate configuration."""
    found = tuple(p for p in now.processes if _rule(now, p) is not None)
    return () if len(found) == _system(now).tokens else found


def distance(now: Moment) -> int:
    """Return the number of processes that may move beyond those of a legitimate configuration."""
    return max(0, sum(_rule(now, p) is not None for p in now.processes) - _system(now).tokens)


def spoilers(now: Moment) -> tuple[str, ...]:
    """Return the processes whose players spoil."""
    return now.processes[1::BETWEEN]


def _system(now: Moment) -> _System:
    return _SYSTEMS[now.protocol.name]


def _rule(now: Moment, process: str) -> Mapping[str, Any] | None:
    """Return the enabled rule of a process."""
    found = now.enabled.get(process, ())
    return next((each for each in found if each["kind"] == "rule" and each["choose"] is not None), None)


def _fault(now: Moment, process: str, target: str) -> Move:
    """Return the fault that a spoiler causes at a process: all its values become random."""
    seed = 100 * int(now.time + 1e-9) + now.processes.index(process)
    return Move(process, {"do": "scramble", "process": target, "seed": seed})


def _may_spoil(now: Moment) -> bool:
    beat = int(now.time + 1e-9)
    return beat < LAST and beat % EVERY == 0


def _named(now: Moment, process: str) -> str:
    name = now.called.get(process)
    return f"{process} ({name})" if name else process


def _targets(now: Moment) -> Mapping[str, Any]:
    return {"choices": [[p, _named(now, p)] for p in now.processes if p not in now.crashed]}


def _healing(now: Moment) -> tuple[Offer, ...]:
    move = Offer("heal", tr("I make the move of"), tr("it has an effect only at an illegal place"),
                 value=_targets(now))  # fmt: skip
    return (move, Offer("rest", tr("Wait")))


def _spoiling(now: Moment) -> tuple[Offer, ...]:
    if not _may_spoil(now):
        return ()
    left = (LAST - int(now.time + 1e-9) + EVERY - 1) // EVERY
    text = trn("its values become random; {count} fault is left", "its values become random; {count} faults are left",
               left)  # fmt: skip
    return (Offer("spoil", tr("I spoil"), text, value=_targets(now)), Offer("rest", tr("Wait")))


def _quiet(now: Moment) -> str:
    if now.time >= LAST:
        return tr("Your faults are used up; watch the system heal.")
    return tr("You may cause the next fault in the next round.")


def _distance(now: Moment) -> str:
    count = distance(now)
    if not count:
        return tr("The configuration is legitimate.")
    return tr("The distance from a legitimate configuration is {count}.", count=count)
