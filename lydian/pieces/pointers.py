"""A variable that names a process, drawn as a line between the two: waiting chains, trees, rings, arrows and arcs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from lydian.pieces.bands import Band, chosen, of_selected, whose
from lydian.pieces.channels import Asked, Channel, Known, Lookup
from lydian.pieces.checks import names_of, one_of
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.views.network.scene import Bools, Ints

__all__ = ["STYLES", "Pointer", "bands_of", "height", "longest"]

#: How a pointer is drawn: a red band with chevrons towards the one waited for; the thinner red line that is left of
#: it; a tree link in the colour of finished processes; an arrow beside the link; a link of a ring with a head in its
#: middle; an arc, for processes that are no neighbours.
STYLES = ("waiting", "waited", "tree", "arrow", "ring", "arc")


@dataclass(frozen=True)
class Pointer:
    """A variable that names a process, drawn as a line from its holder to the named process.

    In an anonymous network the variable holds a port number and means the neighbour behind that port. An arrow to
    a process that is not a neighbour is drawn as an arc.

    Args:
        variable: its name.
        style: one of :data:`STYLES`.
        while_states: draw it only while the holder is in one of these states; always if empty.
        backwards: it is the named process that waits for (points at) the holder.
        word: what the legend calls it.
        selected: draw it only of processes that are selected; the legend says so.
    """

    variable: str
    style: str = "arrow"
    while_states: tuple[str, ...] = ()
    backwards: bool = False
    word: str = ""
    selected: bool = False

    def __post_init__(self) -> None:
        one_of("a pointer", "style", self.style, STYLES)
        object.__setattr__(self, "while_states", names_of(self.while_states, "while_states"))


def channels(known: Known, number: int, declared: Pointer) -> Iterator[Channel]:
    """Yield the channel of the process that each process names."""
    yield Channel("process", "pointers", number, (declared.variable,), partial(_named, declared))


def _named(pointer: Pointer, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> int:
    if pointer.while_states and state not in pointer.while_states:
        return -1
    other = look.number(p, values[0])
    return -1 if other == p else other


def bands_of(asked: Asked) -> list[Band]:
    """Return the lines of all pointers that are visible in the run, whatever is selected."""
    several = enumerate(asked.scene.animation.pointers)
    return [band for number, each in several if (band := _band(asked, number, each)) is not None]


def at(now: Moment, declared: Pointer) -> Band | None:
    """Return the lines at a moment."""
    band = _band(now.asked, now.number(declared), declared)
    return None if band is None else of_selected(band, now.selection.processes)


def _band(asked: Asked, number: int, pointer: Pointer) -> Band | None:
    channel = asked.channel("pointers", number)
    return None if channel is None else asked.kept(("pointers", number), lambda: _lines(asked, channel, pointer))


def _lines(asked: Asked, channel: Channel, pointer: Pointer) -> Band:
    pairs = [(p, q) for p, q in asked.answers(channel).items() if q >= 0]
    found = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)
    holder, other = found[:, 0], found[:, 1]
    source, target = (other, holder) if pointer.backwards else (holder, other)
    on_longest = np.zeros(len(source), dtype=bool)
    if pointer.style == "waiting":
        on_longest = longest(source, target, holder, asked.scene.network.n)
    return Band(pointer, source, target, on_longest, holder, np.zeros(len(source), dtype=np.int32))


def height(bands: list[Band], n: int) -> int | None:
    """Return the number of lines on the longest chain of these pointers together, or ``None`` if they form a cycle.

    A process may hold several pointers, one of each band.
    """
    source, target, holder = (
        np.concatenate([getattr(band, name) for band in bands]) for name in ("source", "target", "holder")
    )
    other = np.where(holder == source, target, source)
    if len(np.unique(holder)) == len(holder):
        up, jump, steps = _chains(other, holder, n)
        return None if (up[jump] != jump).any() else int(steps.max(initial=0))
    length = np.zeros(n, dtype=np.int64)  # This is the number of lines on the longest chain from each process.
    for _ in range(n + 1):
        longer = length.copy()
        np.maximum.at(longer, holder, length[other] + 1)
        if (longer == length).all():
            return int(length.max(initial=0))
        length = longer
    return None


def longest(source: Ints, target: Ints, holder: Ints, n: int) -> Bools:
    """Return which lines are on the longest chain, or on one of several equally long ones.

    Every process holds at most one pointer, so the lines form chains that join, and at most some cycles, which
    count for nothing here.

    Args:
        source, target: the ends of the lines; ``holder`` is the end that holds the pointer.
        n: number of processes.
    """
    other = np.where(holder == source, target, source)
    line = np.full(n, -1, dtype=np.int64)
    line[holder] = np.arange(len(holder))
    up, jump, length = _chains(other, holder, n)
    length[up[jump] != jump] = 0  # The end was never reached, so this is a cycle.
    chosen = np.zeros(len(holder), dtype=bool)
    if len(holder) and length.max(initial=0) > 0:
        process = int(np.argmax(length))
        while up[process] != process:
            chosen[line[process]] = True
            process = int(up[process])
    return chosen


def _chains(other: Ints, holder: Ints, n: int) -> tuple[Any, Any, Any]:
    """Return, for each process, the process to which it points (itself without a pointer), the end of its chain, and
    the lines to it.
    """
    up = np.arange(n, dtype=np.int64)
    up[holder] = other
    # With pointer doubling, each process has jumped 2**r lines after round r, or is at the end of its chain.
    jump, length = up.copy(), (up != np.arange(n)).astype(np.int64)
    for _ in range(max(n, 1).bit_length()):
        length = length + length[jump]
        jump = jump[jump]
    return up, jump, length


def legend(seen: Occurring, number: int, declared: Pointer) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    if seen.occurs(declared.variable, declared.while_states):
        yield LegendItem.plain("pointer", number, whose(declared))


def page(tell: Teller, declared: Pointer) -> dict[str, Any]:
    """Return the page's data."""
    return {"style": declared.style, "backwards": declared.backwards, **chosen(declared)}


register(Piece("pointer", Pointer, "pointers", None, channels=channels, at=at, legend=legend, page=page,
               wide=("pointer",), order=100, painter="lydian.app.painters.pieces.pointers.PointerPainter",
               script="player.pointers.js"))  # fmt: skip
