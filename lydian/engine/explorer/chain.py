"""The longest causal chain of all schedules, worked out on the graph of configurations.

A causal chain is followed like a token: it lies at a process or travels with a message.  When the process sends, the
token may go along (one message more) or stay; when its message arrives, it lies at the receiver.  For each
configuration the largest count is kept for each place where the token may be, so no chain is followed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydian.engine.explorer.search import Explorer

__all__ = ["longest_chain"]

#: A process by its number; a message under way by its channel and its place in it (FIFO) or its number.
Place = int | tuple[int, int]


def longest_chain(explorer: Explorer, order: Sequence[int]) -> int:
    """Messages on the longest causal chain.

    Args:
        explorer: whose graph has no cycle.
        order: all configurations, each before those to which its moves lead.
    """
    graph, n = explorer.graph, len(explorer.situations)
    counts: dict[int, dict[Place, int]] = {number: dict.fromkeys(range(n), 0) for number in range(graph.firsts)}
    longest = 0
    for number in order:
        here = counts.pop(number)
        longest = max(longest, max(here[i] for i in range(n)))
        key = explorer.keys[number]
        steps = [*explorer.moves(key), *explorer.harms(key)]
        edges = graph.edges(number)
        for edge, (label, _, outcome) in zip(edges, (step for step in steps if step[1] is not None), strict=True):
            there = counts.setdefault(graph.targets[edge], {})
            for place, count in _moved(explorer, key, label, outcome.sends, here):
                if count > there.get(place, -1):
                    there[place] = count
    return longest


def _moved(
    explorer: Explorer, key: tuple[int, ...], label: int, sends: Sequence[tuple[int, int]], here: dict[Place, int]
) -> list[tuple[Place, int]]:
    """Where the token may be after a move, and its counts."""
    kind, number, what = explorer.labels.things[label]
    if kind == "rules":
        return list(here.items())
    n = len(explorer.situations)
    found: list[tuple[Place, int]] = []
    at = -1 if kind == "loss" else number
    if kind in ("deliver", "loss"):
        contents = explorer.contents[number]
        word = contents.words[key[n + number]]
        if kind == "deliver":
            at = explorer.channels[number].target._i
        first = word.index(what)
        own: Place = (number, first if contents.fifo else what)
        best = here[at] if at >= 0 else -1
        for place, count in here.items():
            if isinstance(place, int) or place[0] != number:
                if place != at:
                    found.append((place, count))
            elif place == own:
                best = max(best, count)
                if not contents.fifo and word.count(what) > 1:
                    found.append((place, count))
            else:
                found.append(((number, place[1] - 1) if contents.fifo and place[1] > first else place, count))
        if at >= 0:
            if explorer.situations[at].views[key[at]]._crashed:
                best = here[at]
            found.append((at, best))
    else:
        best = here[at]
        found += here.items()
    lengths: dict[int, int] = {}
    for channel, m in sends:
        if explorer.contents[channel].fifo:
            end = lengths.setdefault(channel, len(explorer.contents[channel].words[key[n + channel]]))
            lengths[channel] += 1
            found.append(((channel, end), best + 1))
        else:
            found.append(((channel, m), best + 1))
    return found
