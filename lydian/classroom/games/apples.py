"""The play with apples: Dijkstra's token ring, in which each player sees only two baskets.

All moves of a round are simultaneous: each reads the baskets as they were when the round was sealed. The simulator
makes one move after the other, so the order matters. A rule reads the left basket and changes the right one; the right
neighbour therefore moves first, and so on round the ring, beginning beside somebody who follows no rule in this round.
If all follow the rule at once, the leader comes last and its basket is set to the right number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lydian.classroom.games.game import Act, Choice, Game, Happened, Moment, Move, Offer, View
from lydian.classroom.games.parts import arrived, corrupt, curve, size
from lydian.language import tr, trn

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

__all__ = ["Apples"]

#: The largest number on the stepper, unless a basket holds more.
MOST = 9


class Apples(Game):
    """Everybody decides whether to speak, and what to leave in the basket on the right."""

    name = "apples"
    title = tr("The play with apples")
    about = tr("Each player sees two baskets of apples, which say who may speak; soon only one may speak at a time.")
    experiment = "class-apples-one"
    secret = True
    page = "class-apples"
    figure = curve(tr("How many may speak"), tr("players"), 1, tr("exactly one may speak"))
    acts = (
        Act(
            tr("One apple"),
            tr("There is one apple. Whoever finds it on the left speaks, and then moves it to the right."),
            "class-apples-one",
        ),
        Act(
            tr("Mischief"),
            tr("Somebody has put a second apple into a basket. The rule is the same as before."),
            mischief=({"do": "corrupt", "process": "2", "variable": "apples", "by": 1},),
            ask={
                "text": tr("Will there be a time again when only one may speak?"), "form": "choice",
                "choices": [tr("yes"), tr("no")],
            },
        ),
        Act(
            tr("A leader, and everybody adds one"),
            tr("All baskets are empty. There is a leader now, and whoever speaks adds an apple on the right."),
            "class-apples-add",
        ),
        Act(
            tr("Make them equal"),
            tr("Somebody has filled the baskets at random. The leader adds an apple; the others make the right basket"
               " equal to the left one."),
            "class-apples",
            ask={"text": tr("How many rounds until only one may speak?"), "form": "number"},
        ),
        Act(
            tr("Mischief again"),
            tr("Somebody has added apples to two baskets. The rule is the same as before."),
            mischief=(
                {"do": "corrupt", "process": "1", "variable": "apples", "by": 3},
                {"do": "corrupt", "process": "2", "variable": "apples", "by": 1},
            ),
            ask={"text": tr("How many rounds until only one may speak?"), "form": "number"},
        ),
        Act(
            tr("Without a leader"),
            tr("The leader has left the table. The others play on by the same rule."),
            mischief=({"do": "crash", "process": "0"},),
            ask={
                "text": tr("What will happen now?"), "form": "choice",
                "choices": [tr("one speaks at a time"), tr("several speak for ever"), tr("soon nobody may speak")],
            },
        ),
    )  # fmt: skip

    def adapted(self, experiment: Experiment, players: int) -> Experiment:
        return experiment.with_(network=f"ring:{size(players, 3, 12)}")

    def view(self, now: Moment, process: str) -> View:
        if process in now.crashed:
            return View(tr("You have left the table"), tr("The others play on without you."), secret=True)
        table = _Table(now)
        left, right = table.baskets(process)
        speak = Offer(
            "speak", tr("I speak"), "" if table.one else tr("and decide how many apples are on my right"),
            value=None if table.one else {"least": 0, "most": max(MOST, left + 1, right + 1), "start": right},
        )  # fmt: skip
        title = tr("You are the leader") if table.leads(process) else tr("You are number {process}", process=process)
        return View(
            title,
            tr("You see the basket on your left and the one on your right."),
            picture={"kind": "baskets", "left": left, "right": right},
            rule=table.rule(process),
            offers=(speak, Offer("listen", tr("I listen"))),
            heading=tr("Do you speak?"),
            secret=True,
        )

    def moves(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        return self._together(now, _spoken(now, choices))

    def own(self, now: Moment) -> list[Move]:
        return self._together(now, _by_rule(now))

    def round(self, now: Moment, choices: Mapping[str, Choice]) -> list[Move]:
        return self._together(now, {**_spoken(now, choices), **_by_rule(now)})

    def settle(self, now: Moment) -> list[Move]:
        """Put the apples that have been moved into their baskets."""
        if not _Table(now).one:
            return []
        return [Move(p, each["choose"]) for p in now.processes for each in arrived(now, p, "INIT", "Apple")]

    def _together(self, now: Moment, leaves: Mapping[str, int | None]) -> list[Move]:
        """Return the moves of those who speak at the same time, with the number that each leaves on the right."""
        table = _Table(now)
        if table.one:
            return self.settle(now) + [_fire(p, "speak") if table.may(p) else _spoke(p) for p in leaves]
        ring = now.processes
        rightful = {p for p, value in leaves.items() if table.may(p) and value == table.right(p)}
        last = next((i for i, p in enumerate(ring) if p not in rightful), 0)
        if len(rightful) == len(ring):
            last = next(i for i, p in enumerate(ring) if table.leads(p))
            rightful.discard(ring[last])
        order = [ring[(last - k) % len(ring)] for k in range(1, len(ring) + 1)]
        found = [_fire(p, "lead" if table.leads(p) else "follow") for p in order if p in rightful]
        for p in (each for each in order if each in leaves and each not in rightful):
            found.append(_spoke(p))
            if leaves[p] is not None and leaves[p] != table.baskets(p)[1]:
                found.append(corrupt(p, "apples", leaves[p]))
        return found

    def happened(self, before: Moment, after: Moment, process: str, choice: Choice | None, refused: str) -> Happened:
        table, then = _Table(before), _Table(after)
        (left, right), (left_now, right_now) = table.baskets(process), then.baskets(process)
        may = table.may(process)
        if refused:
            good, text = None, tr("Your move was not made: {reason}.", reason=refused)
        elif choice is None or choice.offer.id != "speak":
            good = not may
            text = table.listened(process, left, right, may, choice is not None)
        else:
            wanted = table.right(process)
            good = may and (table.one or choice.value == wanted)
            text = table.spoke(process, left, right, may, choice.value, wanted)
        return Happened(
            text, good, _picture(left, right), _picture(left_now, right_now),
            tr("Now your left basket holds {left} and your right one {right}.", left=left_now, right=right_now),
        )  # fmt: skip

    def stage(self, now: Moment) -> Mapping[str, Any]:
        table = _Table(now)
        right = [(at + 1) % len(now.processes) for at in range(len(now.processes))]
        contents = [table.baskets(p)[1] for p in now.processes]
        told = trn("{count} apple on the table", "{count} apples on the table", sum(contents))
        return {
            "kind": "baskets", "right": right, "contents": contents, "words": told,
            "speaking": [at for at, p in enumerate(now.processes) if table.may(p)],
            "leads": [at for at, p in enumerate(now.processes) if table.leads(p) and p not in now.crashed],
        }  # fmt: skip

    def measure(self, now: Moment) -> float | None:
        table = _Table(now)
        return sum(table.may(p) for p in now.processes)


class _Table:
    """The baskets at a moment."""

    def __init__(self, now: Moment) -> None:
        self.now = now
        self.one = now.protocol.title == "The play with one apple"
        self.adds = now.experiment.parameters.get("rule") == "add"
        self._index = {p: i for i, p in enumerate(now.processes)}
        self._initiators = now.network.initiators

    def beside(self, process: str, step: int) -> str:
        ring = self.now.processes
        return ring[(self._index[process] + step) % len(ring)]

    def own(self, process: str) -> int:
        """Return the apples in the basket of a process: on its right, or on its left in the play with one apple."""
        found = int(self.now.variables[process].get("apples", 0))
        return found + len(arrived(self.now, process, "INIT", "Apple")) if self.one else found

    def baskets(self, process: str) -> tuple[int, int]:
        """Return the numbers of apples on the left and on the right of a process."""
        if self.one:
            return self.own(process), self.own(self.beside(process, 1))
        return self.own(self.beside(process, -1)), self.own(process)

    def leads(self, process: str) -> bool:
        return not self.one and process in self._initiators

    def may(self, process: str) -> bool:
        """Return whether a process may speak."""
        left, right = self.baskets(process)
        if process in self.now.crashed:
            return False
        return left > 0 if self.one else (left == right) == self.leads(process)

    def right(self, process: str) -> int | None:
        """Return what a process that speaks has to leave on its right; ``None`` if an apple is moved."""
        if self.one:
            return None
        left, right = self.baskets(process)
        return right + 1 if self.leads(process) or self.adds else left

    def rule(self, process: str) -> str:
        if self.one:
            return tr("If there is an apple in your left basket, speak. The apple then moves to your right basket.")
        if self.leads(process):
            return tr("If left and right are equal, speak; then put one more apple into the right basket.")
        if self.adds:
            return tr("If left and right differ, speak; then put one more apple into the right basket.")
        return tr("If left and right differ, speak; then make the right basket equal to the left one.")

    def listened(self, process: str, left: int, right: int, may: bool, chose: bool) -> str:
        """Return the sentence for a player who listened, with or without having chosen to."""
        if self.one:
            if may:
                return tr("You listened, though there was an apple on your left: you could have spoken.")
            return tr("You listened, because there was no apple on your left.")
        if may and left == right:
            return tr("You listened, though both baskets held {left}: you could have spoken.", left=left)
        if may:
            return tr("You listened, though your left basket held {left} and your right one {right}: you could have"
                      " spoken.", left=left, right=right)  # fmt: skip
        if left == right:
            return tr("You listened, because both baskets held {left}.", left=left)
        return tr("You listened, because your left basket held {left} and your right one {right}.",
                  left=left, right=right)  # fmt: skip

    def spoke(self, process: str, left: int, right: int, may: bool, value: Any, wanted: int | None) -> str:
        """Return the sentence for a player who spoke and left a number on the right."""
        if self.one:
            if may:
                return tr("You spoke, because there was an apple on your left; you moved it to your right.")
            return tr("You spoke though your left basket was empty, so you had no apple to move.")
        told = {"left": left, "right": right, "value": value, "wanted": wanted}
        if not may:
            if left == right:
                return tr("You spoke though both held {left}; your right basket now holds {value}.").format(**told)
            return tr("You spoke though your left basket held {left} and your right one {right}, and a leader speaks"
                      " only if they are equal; your right basket now holds {value}.").format(**told)  # fmt: skip
        if value != wanted:
            return tr("You were right to speak, but you left {value} in your right basket instead of"
                      " {wanted}.").format(**told)  # fmt: skip
        if left == right:
            return tr("You spoke, because both baskets held {left}; your right one now holds {value}.").format(**told)
        return tr("You spoke, because your left basket held {left} and your right one {right}; your right one now"
                  " holds {value}.").format(**told)  # fmt: skip


def _spoken(now: Moment, choices: Mapping[str, Choice]) -> dict[str, int | None]:
    """Return what each player who speaks leaves on the right."""
    found: dict[str, int | None] = {}
    for p, choice in choices.items():
        if choice.offer.id == "speak" and p not in now.crashed:
            found[p] = choice.value if isinstance(choice.value, int) else None
    return found


def _by_rule(now: Moment) -> dict[str, int | None]:
    """Return what each process without a player leaves on the right, if it may speak."""
    table = _Table(now)
    return {p: table.right(p) for p in now.processes if p not in now.played and table.may(p)}


def _fire(process: str, rule: str) -> Move:
    return Move(process, {"do": "fire", "process": process, "label": rule})


def _spoke(process: str) -> Move:
    return Move(process, {"do": "corrupt", "process": process, "variable": "spoken", "by": 1})


def _picture(left: int, right: int) -> dict[str, Any]:
    return {"kind": "baskets", "left": left, "right": right}
