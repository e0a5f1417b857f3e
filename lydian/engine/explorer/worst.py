"""The longest execution that a daemon can force before guarded actions have done their work."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lydian.engine.explorer.graph import Graph

__all__ = ["Worst", "worst"]


@dataclass(frozen=True)
class Worst:
    """The largest number of moves before the work of guarded actions is done.

    Attributes:
        moves: of single processes; ``None`` if a daemon can keep it from being done for ever.
        steps: of the daemon, of the execution with the most of them; several processes may move in one.
        until: what is reached then, in words.
    """

    moves: int | None
    steps: int | None
    until: str

    def to_dict(self) -> dict[str, Any]:
        return {"moves": self.moves, "steps": self.steps, "until": self.until}


def worst(
    graph: Graph,
    parts: Sequence[Sequence[int]],
    moves: Callable[[int], int],
    open_: Callable[[int], bool] | None,
    until: str,
) -> Worst:
    """The worst case over all executions from the first configurations.

    Args:
        graph: with all of its configurations expanded.
        parts: its strongly connected components, those that are reached last first.
        moves: how many processes move along an edge, by its label.
        open_: whether something is still to be done in a configuration; the work is done in those from which none of
            these can be reached. ``None``: until nothing is left to do.
        until: what is reached when the work is done.
    """
    most, longest = array("q", [0]) * graph.expanded, array("q", [0]) * graph.expanded
    pending = bytearray(graph.expanded)  # the work is not done: such a configuration may still be reached
    endless = bytearray(graph.expanded)
    for part in parts:
        cyclic = graph.cyclic(part)
        inside = set(part)
        after = [edge for number in part for edge in graph.edges(number) if graph.targets[edge] not in inside]
        left = any(open_(number) for number in part) if open_ is not None else cyclic or bool(after)
        left = left or any(pending[graph.targets[edge]] for edge in after)
        for number in part:
            pending[number] = left
            endless[number] = left and (cyclic or any(endless[graph.targets[edge]] for edge in graph.edges(number)))
        if left and not cyclic:
            (number,) = part
            for edge in graph.edges(number):
                target = graph.targets[edge]
                most[number] = max(most[number], moves(graph.labels[edge]) + most[target])
                longest[number] = max(longest[number], 1 + longest[target])
    firsts = range(min(graph.firsts, graph.expanded))
    if any(endless[number] for number in firsts):
        return Worst(None, None, until)
    return Worst(max(most[number] for number in firsts), max(longest[number] for number in firsts), until)
