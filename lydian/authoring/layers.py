"""Things in layers: their order, so that few lines cross, and their places beside each other."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["Item", "crossings", "in_order", "spread"]

#: How often the order and the places are gone over.
SWEEPS, TOUCHES = 8, 10
#: Neighbours are tried the other way round up to so many things.
MOST_SWAPPED = 260


@dataclass(eq=False)
class Item:
    """Something in a layer.

    Attributes:
        before, after: room it takes to both sides of the place ``at`` where its line passes.
        depth: room it takes across the layer.
        label: whether it is the label of a line.
        above, below: what it is joined with in the layers next to its own.
    """

    before: float
    after: float
    depth: float
    label: bool = False
    at: float = 0.0
    above: list[Item] = field(default_factory=list, repr=False)
    below: list[Item] = field(default_factory=list, repr=False)


def crossings(layers: Sequence[Sequence[Item]]) -> int:
    """How many pairs of lines between neighbouring layers cross."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {id(item): at for at, item in enumerate(lower)}
        seen: list[int] = []
        for item in upper:
            ends = sorted(place[id(other)] for other in item.below if id(other) in place)
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def in_order(layers: Sequence[Sequence[Item]], hints: Mapping[int, float]) -> list[list[Item]]:
    """The layers with their things in an order of few crossings.

    Args:
        hints: ``id`` of a thing -> where it stood before; that order is left only for one of fewer crossings.
    """
    now = [list(layer) for layer in layers]
    _first_order(now, hints)
    best, least = [list(layer) for layer in now], crossings(now)
    for sweep in range(SWEEPS):
        if not least:
            break
        towards_end = sweep % 2 == 0
        for at in range(1, len(now)) if towards_end else range(len(now) - 2, -1, -1):
            other = now[at - 1] if towards_end else now[at + 1]
            place = {id(item): float(i) for i, item in enumerate(other)}
            _by_middle(now[at], _above if towards_end else _below, place)
        if sum(map(len, now)) <= MOST_SWAPPED:
            _swap(now)
        count = crossings(now)
        if count < least:
            best, least = [list(layer) for layer in now], count
    return best


def _first_order(layers: list[list[Item]], hints: Mapping[int, float]) -> None:
    """As they stood before; what is new goes to the middle of what it is joined with above."""
    place: dict[int, float] = {}
    for layer in layers:
        keys = {}
        for at, item in enumerate(layer):
            joined = [place[id(other)] for other in item.above if id(other) in place]
            joined += [hints[id(other)] for other in item.below if id(other) in hints] if hints else []
            middle = sum(joined) / len(joined) if joined else float(at)
            keys[id(item)] = hints.get(id(item), middle)
        layer.sort(key=lambda item: keys[id(item)])
        for at, item in enumerate(layer):
            place[id(item)] = keys[id(item)] if hints else float(at)


def _above(item: Item) -> list[Item]:
    return item.above


def _below(item: Item) -> list[Item]:
    return item.below


def _by_middle(layer: list[Item], joined: Callable[[Item], list[Item]], place: Mapping[int, float]) -> None:
    """Sort by the mean place of what each is joined with; what is joined with nothing keeps its place."""
    keys = {}
    for at, item in enumerate(layer):
        others = [place[id(other)] for other in joined(item) if id(other) in place]
        keys[id(item)] = sum(others) / len(others) if others else float(at)
    layer.sort(key=lambda item: keys[id(item)])


def _swap(layers: list[list[Item]]) -> None:
    """Exchange neighbours as long as that removes crossings."""
    for _ in range(4):
        better = False
        for number, layer in enumerate(layers):
            around = [layers[k] for k in (number - 1, number + 1) if 0 <= k < len(layers)]
            place = {id(item): i for other in around for i, item in enumerate(other)}
            for at in range(len(layer) - 1):
                a, b = layer[at], layer[at + 1]
                if _crossed(a, b, place) > _crossed(b, a, place):
                    layer[at], layer[at + 1] = b, a
                    better = True
        if not better:
            return


def _crossed(left: Item, right: Item, place: Mapping[int, int]) -> int:
    total = 0
    for mine, others in ((left.above, right.above), (left.below, right.below)):
        total += sum(place[id(x)] > place[id(y)] for x in mine for y in others)
    return total


def spread(layers: Sequence[Sequence[Item]], gap: float) -> None:
    """Give every thing its place: as straight lines as the order and the room allow."""
    for layer in layers:
        at = 0.0
        for item in layer:
            at += item.before
            item.at = at
            at += item.after + gap
    for touch in range(TOUCHES):
        last = touch >= TOUCHES - 2
        run = layers if touch % 2 == 0 else layers[::-1]
        for layer in run:
            wanted, weights = [], []
            for item in layer:
                joined = item.above + item.below if last else item.above if touch % 2 == 0 else item.below
                joined = joined or item.above + item.below
                pulls = [4.0 if not (other.depth or item.depth) else 1.0 for other in joined]
                total = sum(pulls)
                wanted.append(
                    sum(p * other.at for p, other in zip(pulls, joined, strict=True)) / total if total else item.at
                )
                weights.append(total or 0.1)
            for item, place in zip(layer, _apart(layer, wanted, weights, gap), strict=True):
                item.at = place


def _apart(layer: Sequence[Item], wanted: Sequence[float], weights: Sequence[float], gap: float) -> list[float]:
    """The places nearest to those wanted (least squares) at which the things do not overlap."""
    offsets = [0.0]
    for left, right in pairwise(layer):
        offsets.append(offsets[-1] + left.after + gap + right.before)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many: pool adjacent violators
    for want, weight, offset in zip(wanted, weights, offsets, strict=False):
        mean, heavy, many = want - offset, weight, 1
        while blocks and blocks[-1][0] > mean:
            other, more, number = blocks.pop()
            mean = (mean * heavy + other * more) / (heavy + more)
            heavy, many = heavy + more, many + number
        blocks.append((mean, heavy, many))
    means = [mean for mean, _, many in blocks for _ in range(many)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=False)]
