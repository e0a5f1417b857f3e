"""Baskets between the neighbours of a ring, with their contents and the processes that may speak.

Dijkstra's token is not a variable of any process: it follows from two counters. An animation declares the counter and
how two of them are compared; this module derives the contents at a moment, and how many processes may speak over the
time of a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.protocol.registers import sides
from lydian.pieces.channels import Channel, Known, Lookup, measure
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.trace.events import Kind
from lydian.views.network.scene import Bools, Floats, Scene
from lydian.views.time.axis import remember

__all__ = ["SPEAKING", "Baskets", "Filled", "Round", "places", "round_of", "speaking", "told_over_time"]

Ints = NDArray[np.int64]

#: The slot in which a process that may speak is drawn: that of a process with a token.
SPEAKING = 6
#: The position of baskets, as a share of the way from the middle of the ring to the processes, or nearer the middle.
INSIDE = 0.58

#: How the left and the right basket are compared: they are equal, they differ, or the left one is not empty.
RULES = ("", "equal", "differ", "some")


@dataclass(frozen=True)
class Baskets:
    """A number of each process of a ring, drawn as a basket of apples between the process and a neighbour.

    Args:
        variable: its name.
        side: the side of its process on which a basket is drawn, ``"right"`` or ``"left"``.
        leader, others: when the initiator, and when everybody else may speak: ``"equal"`` or ``"differ"`` compare the
            baskets left and right of it, ``"some"`` looks into the left one; ``""``: nothing is said of it.
        says: the text in the bubble of the process that may speak.
        style: ``"apples"``, or ``"number"`` for the number alone.
        hat: whether the initiator wears a crown.
        pile: whether there is a pile in the middle, from which all take.
        step: what a click puts into a basket (and with Shift takes out); 0: a click does nothing.
        word: how the legend calls what is in the baskets.
    """

    variable: str
    side: str = "right"
    leader: str = ""
    others: str = ""
    says: str = tr("may speak")
    style: str = "apples"
    hat: bool = False
    pile: bool = False
    step: int = 1
    word: str = ""

    def __post_init__(self) -> None:
        for name, allowed in (("side", ("right", "left")), ("style", ("apples", "number")), ("leader", RULES),
                              ("others", RULES)):  # fmt: skip
            given = getattr(self, name)
            if given not in allowed:
                known = ", ".join(repr(each) for each in allowed)
                hint = did_you_mean(str(given), allowed)
                raise BadInput(f"unknown {name} {shown(given)} of baskets{hint}; choose from {known}")
        if isinstance(self.step, bool) or not isinstance(self.step, int) or self.step < 0:
            raise BadInput(f"step must be a whole number of at least 0, not {shown(self.step)}")


@dataclass(frozen=True, eq=False)
class Filled:
    """The contents of the basket of each process (NaN if unknown) and the processes that may speak; empty without
    baskets.
    """

    value: Floats = field(default_factory=lambda: np.zeros(0))
    speaking: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))


def channels(known: Known, number: int, declared: Baskets) -> Iterator[Channel]:
    """Yield the channel of the contents of each process's basket."""
    yield Channel("number", "baskets", 0, (declared.variable,), _inside)


def _inside(look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> float:
    return measure(values[0])


def at(now: Moment, declared: Baskets) -> Filled:
    """Return the baskets at a moment."""

    def found() -> Filled:
        value: Floats = now.asked.numbers("baskets")
        return Filled(value, speaking(declared, round_of(now.scene), value, now.crashed))

    filled: Filled = now.asked.kept("baskets", found)
    return filled


@dataclass(frozen=True, eq=False)
class Round:
    """The ring of a network: the left and right neighbour of each process, and the leader; empty if not a ring."""

    left: Ints
    right: Ints
    leads: Bools

    def __bool__(self) -> bool:
        return len(self.left) > 0


_NO_RING = Round(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=bool))


def round_of(scene: Scene) -> Round:
    """Return the ring of the processes of a run, computed once; None for a network without a run."""
    if scene.timeline is None:
        return _NO_RING
    return remember(scene.run, ("ring of baskets", id(scene)), lambda: (_round(scene), scene))[0]


def _round(scene: Scene) -> Round:
    network = scene.network
    found = sides(network.replace(anonymous=False)) if network.n > 1 else None
    if found is None:
        return _NO_RING
    index = network.index
    left, right = (np.array([index[pair[which]] for pair in found], dtype=np.int64) for which in (0, 1))
    return Round(left, right, np.asarray(scene.initiators, dtype=bool))


def speaking(declared: Baskets, ring: Round, value: Floats, crashed: Bools) -> Bools:
    """Return which processes may speak, from the contents of the baskets (NaN if unknown)."""
    if not ring or not len(value):
        return np.zeros(len(value), dtype=bool)
    near, far = (value[ring.left], value) if declared.side == "right" else (value, value[ring.right])
    known = np.isfinite(near) & np.isfinite(far)
    found = {
        "": np.zeros(len(value), dtype=bool), "equal": near == far, "differ": near != far, "some": near > 0,
    }  # fmt: skip
    may: Bools = np.where(ring.leads, found[declared.leader], found[declared.others]) & known & ~crashed
    return may


def places(declared: Baskets, ring: Round, points: Floats) -> Floats:
    """Return the position of each process's basket in a picture: between it and its neighbour, a little inside."""
    other = ring.right if declared.side == "right" else ring.left
    middle = (points + points[other]) / 2
    centre = points.mean(axis=0)
    pull = max(0.0, 1.0 - INSIDE / max(math.cos(math.pi / max(len(points), 3)), 1e-9)) if len(points) > 2 else 0.0
    return np.asarray(middle + (centre - middle) * pull)


def told_over_time(scene: Scene) -> tuple[Floats, Ints]:
    """Return the times at which the number of processes that may speak changes, and the number from then on."""
    return remember(scene.run, ("speakers", id(scene)), lambda: (_over_time(scene), scene))[0]


def _over_time(scene: Scene) -> tuple[Floats, Ints]:
    declared, run, ring = scene.animation.baskets, scene.run, round_of(scene)
    if declared is None or not ring or not (declared.leader or declared.others):
        return np.empty(0), np.empty(0, dtype=np.int64)
    place: Sequence[int] = list(range(run.n)) if scene.renumber is None else scene.renumber.tolist()
    value = np.full(scene.network.n, math.nan)
    for p, first in zip(place, run.details.first, strict=True):
        if p >= 0 and first.get(declared.variable) is not None:
            value[p] = float(first[declared.variable])
    crashed = np.zeros(scene.network.n, dtype=bool)
    changes: dict[int, float] = {}
    for seq, changed in run.details.walk(only=(declared.variable,)):
        new = changed.get(declared.variable)
        if isinstance(new, int | float):
            changes[seq] = float(new)
    falls = {int(seq): True for seq in np.flatnonzero(run.kind == int(Kind.CRASH))}
    falls.update({int(seq): False for seq in np.flatnonzero(run.kind == int(Kind.RECOVER))})
    rows: dict[float, int] = {0.0: int(speaking(declared, ring, value, crashed).sum())}
    for seq in sorted({*changes, *falls}):
        p = place[int(run.process[seq])]
        if p < 0:
            continue
        if seq in changes:
            value[p] = changes[seq]
        crashed[p] = falls.get(seq, crashed[p])
        rows[float(run.time[seq])] = int(speaking(declared, ring, value, crashed).sum())
    return np.array(list(rows)), np.array(list(rows.values()), dtype=np.int64)


def legend(seen: Occurring, number: int, declared: Baskets) -> Iterator[LegendItem]:
    """Yield the legend's entries: how many processes may speak, and the contents of the baskets."""
    if declared.variable not in seen.run.variable_names:
        return
    if declared.leader or declared.others:
        speakers = int(seen.states["baskets"].speaking.sum())
        yield LegendItem("speaker", SPEAKING, declared.says, speakers, seen.run.n, declared.says)
    if declared.style == "apples":
        word = declared.word or declared.variable
        yield LegendItem.plain("basket", number, word)


def page(tell: Teller, declared: Baskets) -> dict[str, Any] | None:
    """Return the page's data of the ring, or None if the network of the run is not known to be a ring."""
    ring = round_of(tell.scene)
    if not ring or tell.scene.renumber is not None:
        return None
    return {**asdict(declared), "left": ring.left.tolist(), "right": ring.right.tolist()}


register(Piece("baskets", Baskets, channels=channels, at=at, nothing=Filled(), legend=legend,
               signs=("speaker", "basket"), page=page, order=160,
               painter="lydian.app.painters.pieces.baskets.BasketPainter", script="player.baskets.js"))  # fmt: skip
