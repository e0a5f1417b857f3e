"""Distances to a goal in the graph of configurations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lydian.engine.explorer.graph import Graph

__all__ = ["FAR", "Ahead", "Distances"]

#: The distance of a configuration from which no explored path leads to the goal.
FAR = 2**31 - 1


@dataclass(frozen=True)
class Ahead:
    """The configurations ahead of one.

    Attributes:
        all: the number of configurations that can be reached within the given number of steps.
        leading: those of them that are on a path to the goal within these steps.
    """

    all: int
    leading: int


class Distances:
    """The least number of steps from each configuration to the goal.

    Args:
        graph: the explored graph.
        size: the number of configurations, including those whose moves are unknown.
        goals: the configurations in which the goal is reached.

    Attributes:
        steps: configuration -> number of steps; FAR if no path is known.
    """

    def __init__(self, graph: Graph, size: int, goals: Iterable[int]) -> None:
        self._starts = np.frombuffer(graph.starts, np.int64)
        self._targets = np.frombuffer(graph.targets, np.int32) if len(graph.targets) else np.zeros(0, np.int32)
        self._size = size
        self.steps = self._backward(np.fromiter(goals, np.int64))

    def _backward(self, goals: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the distances, found by a breadth-first search along the reversed edges."""
        known = np.flatnonzero(self._targets < self._size)
        targets = self._targets[known]
        order = np.argsort(targets, kind="stable")
        sources = np.searchsorted(self._starts, known[order], side="right") - 1
        first = np.searchsorted(targets[order], np.arange(self._size + 1))
        steps = np.full(self._size, FAR, np.int32)
        front, distance = np.unique(goals), 0
        while front.size:
            steps[front] = distance
            before = np.unique(sources[_ranges(first[front], first[front + 1])])
            front, distance = before[steps[before] == FAR], distance + 1
        return steps

    def ahead(self, number: int, most: int | None) -> Ahead:
        """Return what is ahead of a configuration within ``most`` steps; ``None`` for no bound."""
        seen = np.zeros(self._size, bool)
        front, depth, all_, leading = np.array([number]), 0, 0, 0
        seen[number] = True
        expanded = self._starts.size - 1
        while front.size and (most is None or depth <= most):
            all_ += front.size
            left = FAR - 1 if most is None else most - depth
            leading += int(np.count_nonzero(self.steps[front] <= left))
            front = front[front < expanded]
            after = self._targets[_ranges(self._starts[front], self._starts[front + 1])]
            after = np.unique(after[after < self._size])
            front, depth = after[~seen[after]], depth + 1
            seen[front] = True
        return Ahead(all_, leading)


def _ranges(first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of all ranges ``first[i]`` to ``last[i]``, the latter excluded, one after the other."""
    sizes = last - first
    ends = np.cumsum(sizes)
    found: NDArray[np.int64] = np.arange(int(ends[-1]) if sizes.size else 0) + np.repeat(first - (ends - sizes), sizes)
    return found
