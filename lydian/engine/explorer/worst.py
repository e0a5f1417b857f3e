"""The longest execution that a daemon can force before the task of the guarded actions is done."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lydian.engine.explorer.graph import Graph

__all__ = ["Worst", "worst"]


@dataclass(frozen=True)
class Worst:
    """The largest number of moves before the task of the guarded actions is done.

    Attributes:
        moves: the number of moves of processes; ``None`` if a daemon can prevent the end of the task for ever.
        steps: the number of the daemon's steps in an execution with the most; several processes may move in one step.
        until: the end of the task, in words.
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
    """Return the worst case over all executions from the initial configurations.

    Args:
        graph: the graph, in which the moves of all configurations must be known.
        parts: its strongly connected components, in reverse topological order.
        moves: a function that returns the number of processes that move along an edge, by its label.
        open_: a function that returns whether a configuration is unfinished. The task is done in a configuration from
            which no unfinished one can be reached. ``None``: the task is done when no rule is enabled.
        until: the end of the task, in words.
    """
    most, longest = array("q", [0]) * graph.expanded, array("q", [0]) * graph.expanded
    pending = bytearray(graph.expanded)  # 1 if an unfinished configuration can still be reached
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
