"""The sides of a partition, and moving a process to another side."""

from __future__ import annotations

from lydian.language import tr, trn
from lydian.model.network.shape import joined
from lydian.views.playback.interfering import Offer, Situation, pairs
from lydian.views.selection import Hit
from lydian.views.words.words import joined as listed

__all__ = ["across", "sides"]


def sides(s: Situation, process: int) -> tuple[frozenset[int], ...]:
    """Return the parts of the network behind a cut around a process: it has links to each of them, all of which are
    down.

    The process itself is left out, so parts that only it connects count separately; a part that one of its links still
    reaches is its own side and is not included.
    """
    numbers = {name: number for number, name in enumerate(s.names)}
    every = [(numbers[link.a], numbers[link.b]) for link in s.network.links if {link.a, link.b} <= numbers.keys()]
    up = [(a, b) for a, b in every if (min(a, b), max(a, b)) not in s.down and process not in (a, b)]
    mine = s.links_of(process)
    there = {a + b - process for a, b in mine}
    near = {a + b - process for a, b in mine if (a, b) not in s.down}
    parts = (frozenset(part) for part in joined(len(s.names), up)[0])
    return tuple(part for part in parts if process not in part and part & there and not part & near)


def across(s: Situation, process: int, other: int) -> Offer:
    """Move a process to the side of another: its links there come up, all its other links are cut."""
    name, hit = s.names[process], Hit("process", process)
    found = next((part for part in sides(s, process) if other in part), None)
    if found is None:
        beyond = {p for part in sides(s, process) for p in part}
        if beyond:
            reason = tr("drop {process} on a process beyond the cut", process=name)
        else:
            reason = tr("no cut passes through process {process}", process=name)
        words = tr("Move {process} to the side of {other}", process=name, other=s.names[other])
        return Offer("cut", tr("Move it over"), words, reason=reason, hit=hit)
    mine = s.links_of(process)
    back = [(a, b) for a, b in mine if a + b - process in found]
    cut = [(a, b) for a, b in mine if (a, b) not in s.down]
    told = [trn("restore {count:,} link", "restore {count:,} links", len(back))]
    told += [trn("cut {count:,} link", "cut {count:,} links", len(cut))] if cut else []
    what = pairs(back, s.names, "link_up") + pairs(cut, s.names, "link_down")
    words = tr("Move {process} to the side of {other}: {changes}", process=name, other=s.names[other],
               changes=listed(told))  # fmt: skip
    return Offer("cut", tr("Move it over"), words, what, hit=hit)
