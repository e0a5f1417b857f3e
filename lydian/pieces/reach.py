"""The links of an overlay counted by reach: how many of each level should be there, and how many are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.pieces.checks import one_of, share_is_right
from lydian.pieces.piece import Moment, Piece, Teller, register
from lydian.views.network.scene import Scene
from lydian.views.time.axis import remember

__all__ = ["Level", "Reach", "ReachFrame", "levels_of", "reach_at"]


@dataclass(frozen=True)
class Reach:
    """A panel beside the network with the links of an overlay by reach: how many are there, of how many that should be.

    A link is written ``"1>2"``: process 1 should hold, or holds, process 2. It is there if each end that should hold
    the other does.

    Args:
        planned: a variable of one process with the links that should be there: a table from each level to its links.
        held: a variable of each process with the links that it holds.
        levels: how the levels are called, in the order of the rows. A level that is the variable of ``marks`` has
            their colour.
        extra: what links that are held but not planned are called; they are not counted without a word.
        title: the text above it.
        side: ``"below"`` or ``"beside"``.
        share: how much of the view's height (below) or width (beside) it has.
    """

    planned: str
    held: str
    levels: Mapping[str, str] = field(default_factory=dict)
    extra: str = ""
    title: str = ""
    side: str = "below"
    share: float = 0.27

    def __post_init__(self) -> None:
        if not isinstance(self.levels, Mapping) or not self.levels:
            raise BadInput(f"levels must be a table from levels to words, not {shown(self.levels)}")
        one_of("a reach", "side", self.side, ("below", "beside"))
        share_is_right("share", self.share, 0.1, 0.6)

    def __hash__(self) -> int:
        return hash((self.planned, self.held, tuple(self.levels.items()), self.extra, self.title))


@dataclass(frozen=True)
class Level:
    """A row: its word, the slot of the marks whose colour it has, -1 for none, and how many links are there of how
    many that should be; of links that should not be there ``of`` is 0.
    """

    word: str
    slot: int
    there: int
    of: int


@dataclass(frozen=True, eq=False)
class ReachFrame:
    """The links by reach at a moment: what is declared, a row for each level, and why there is nothing to be seen."""

    declared: Reach
    levels: tuple[Level, ...]
    problem: str = ""


def reach_at(now: Moment, declared: Reach) -> ReachFrame:
    """Return the links by reach at a moment, computed once until another moment is requested."""
    scene, k = now.scene, now.k
    last: list[tuple[int, ReachFrame]] = remember(scene.run, ("reach", declared, id(scene)), lambda: ([], scene))[0]
    if not last or last[0][0] != k:
        last[:] = [(k, _reach(scene, declared, k))]
    return last[0][1]


def _reach(scene: Scene, declared: Reach, k: int) -> ReachFrame:
    run = scene.run
    for name in (declared.planned, declared.held):
        if name not in run.variable_names:
            hint = did_you_mean(name, run.variable_names)
            what = tr("No process has a variable {variable}{hint}.", variable=shown(name), hint=hint)
            return ReachFrame(declared, (), what if run.variable_names else "")
    plan = next((value for value in run.variable_at(declared.planned, k) if isinstance(value, dict) and value), {})
    owners = {p for p, value in enumerate(run.variable_at(declared.planned, k)) if value}
    held = {link for p, value in enumerate(run.variable_at(declared.held, k)) if p not in owners
            for link in value or ()}  # fmt: skip
    return ReachFrame(declared, levels_of(declared, plan, held, _slots(scene, declared)))


def _slots(scene: Scene, declared: Reach) -> dict[str, int]:
    """Return the slot of each level that is drawn by marks."""
    return {marks.variable: marks.slot for marks in scene.animation.marks if marks.variable in declared.levels}


def levels_of(
    declared: Reach, plan: Mapping[str, Iterable[str]], held: set[str], slots: Mapping[str, int]
) -> tuple[Level, ...]:
    """Return a row for each level, and one for the links that should not be there."""
    found, known = [], set[str]()
    for level, word in declared.levels.items():
        links = set(plan.get(level, ()))
        known |= links
        pairs: dict[frozenset[str], bool] = {}
        for link in links:
            pair = frozenset(link.split(">"))
            pairs[pair] = pairs.get(pair, True) and link in held
        found.append(Level(word, slots.get(level, -1), sum(pairs.values()), len(pairs)))
    if declared.extra:
        found.append(Level(declared.extra, -1, len({frozenset(link.split(">")) for link in held - known}), 0))
    return tuple(found)


def page(tell: Teller, declared: Reach) -> dict[str, Any] | None:
    """Return the changes of both variables."""
    scene, run = tell.scene, tell.scene.run
    if any(name not in run.variable_names for name in (declared.planned, declared.held)):
        return None
    rows: list[tuple[int, int, int, int]] = []
    for which, name in enumerate((declared.planned, declared.held)):
        at, codes = run.details.history(name)
        changes = [(-1, p, value) for p, value in enumerate(run.variable_at(name, 0))]
        changes += [(seq, int(run.process[seq]), run.details.value(name, code, seq))
                    for seq, code in zip(at.tolist(), codes.tolist(), strict=True)]  # fmt: skip
        rows += [(seq, p, which, tell.text(json.dumps(value))) for seq, p, value in changes if value or seq >= 0]
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 4)
    slots = _slots(scene, declared)
    return {
        "title": declared.title, "side": declared.side, "share": declared.share, "extra": declared.extra,
        "levels": [[level, word, slots.get(level, -1)] for level, word in declared.levels.items()],
        **{name: tell.column(table[:, i]) for i, name in enumerate(("at", "process", "which", "text"))},
    }  # fmt: skip


register(Piece("reach", Reach, at=reach_at, panel="low", page=page, order=75,
               painter="lydian.app.painters.pieces.reach.ReachPainter", script="player.reach.js"))  # fmt: skip
