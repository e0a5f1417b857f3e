"""The graph of all configurations: its cycles, and its paths with the fewest and the most messages."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np

from lydian.engine.explorer.kept import UNKNOWN

__all__ = ["Extremes", "Graph"]


@dataclass
class Graph:
    """The configurations 0, 1, 2 ... and the moves between them (edges), in the order of their sources.

    Attributes:
        starts: configuration -> its first edge; the edges of configuration i are ``starts[i]`` to ``starts[i + 1]``,
            the latter excluded.
        targets, labels, sent: for each edge, the configuration to which it leads (``expanded`` or more if its moves
            are unknown), its move, and the number of messages that it sends.
        firsts: the number of initial configurations, which come first.
        ends: the configurations in which no event is enabled.
        free: the labels of moves that need not happen (crashes, losses).
        events: the label of a move whose action chooses -> the label of its event, whatever the action chooses.
    """

    starts: array[int] = field(default_factory=lambda: array("q", [0]))
    targets: array[int] = field(default_factory=lambda: array("i"))
    labels: array[int] = field(default_factory=lambda: array("i"))
    sent: array[int] = field(default_factory=lambda: array("i"))
    firsts: int = 1
    ends: list[int] = field(default_factory=list)
    free: set[int] = field(default_factory=set)
    events: dict[int, int] = field(default_factory=dict)

    @property
    def expanded(self) -> int:
        """The number of configurations whose moves are known."""
        return len(self.starts) - 1

    def edges(self, number: int) -> range:
        """Return the edges that leave a configuration; none if its moves are unknown."""
        return range(self.starts[number], self.starts[number + 1]) if number < self.expanded else range(0)

    def source(self, edge: int) -> int:
        """Return the configuration that an edge leaves."""
        return bisect_right(self.starts, edge) - 1

    def extend(self, edges: Sequence[tuple[int, int, int, int]]) -> None:
        """Add edges to configurations whose moves are known: source, target, label and number of messages."""
        sources = np.repeat(np.arange(self.expanded), np.diff(np.frombuffer(self.starts, "q")))
        new = np.array(edges, "q").T
        order = np.argsort(np.concatenate([sources, new[0]]), kind="stable")
        for name, more in zip(("targets", "labels", "sent"), new[1:], strict=True):
            old: array[int] = getattr(self, name)
            kind = old.typecode
            column = np.concatenate([np.frombuffer(old, kind), more.astype(kind)])[order]
            setattr(self, name, array(kind, column.tobytes()))
        counts = np.bincount(np.concatenate([sources, new[0]]), minlength=self.expanded)
        self.starts = array("q", np.concatenate([[0], np.cumsum(counts)]).astype("q").tobytes())

    def tree(self) -> tuple[array[int], int]:
        """Return the last edge of a shortest path to each configuration (-1 if it is an initial one), and the length
        of the longest of these paths.
        """
        size = max(self.expanded, 1 + max((each for each in self.targets if each != UNKNOWN), default=0))
        born = array("i", [-2]) * size
        level, depth = list(range(self.firsts)), 0
        for number in level:
            born[number] = -1
        while level:
            found = []
            for number in level:
                for edge in self.edges(number):
                    target = self.targets[edge]
                    if target != UNKNOWN and born[target] == -2:
                        born[target] = edge
                        found.append(target)
            depth, level = depth + bool(found), found
        return born, depth

    def components(self, without: Iterable[int] = ()) -> list[list[int]]:
        """Return the strongly connected components (Tarjan's algorithm), in reverse topological order.

        Args:
            without: configurations to be left out.
        """
        size = self.expanded
        order = array("i", bytes(4 * size))  # 0 if not visited, otherwise the order of the visit, from 1 on
        for number in without:
            order[number] = -1
        low = array("i", bytes(4 * size))
        inside = bytearray(size)
        stack: list[int] = []
        found: list[list[int]] = []
        met = 0
        for root in range(size):
            if order[root]:
                continue
            met += 1
            order[root] = low[root] = met
            stack.append(root)
            inside[root] = 1
            work = [(root, iter(self.edges(root)))]
            while work:
                number, edges = work[-1]
                for edge in edges:
                    target = self.targets[edge]
                    if target >= size:
                        continue
                    if not order[target]:
                        met += 1
                        order[target] = low[target] = met
                        stack.append(target)
                        inside[target] = 1
                        work.append((target, iter(self.edges(target))))
                        break
                    if inside[target] and order[target] < low[number]:
                        low[number] = order[target]
                else:
                    work.pop()
                    if work and low[number] < low[work[-1][0]]:
                        low[work[-1][0]] = low[number]
                    if low[number] == order[number]:
                        component: list[int] = []
                        while not component or component[-1] != number:
                            component.append(stack.pop())
                            inside[component[-1]] = 0
                        found.append(component)
        return found

    def cyclic(self, component: Sequence[int]) -> bool:
        """Return True if a component contains a cycle."""
        return len(component) > 1 or any(self.targets[edge] == component[0] for edge in self.edges(component[0]))

    def way(self, start: int, there: Callable[[int], bool], within: set[int]) -> list[int]:
        """Return the edges of a shortest path from a configuration to a wanted edge, including that edge."""
        before: dict[int, int] = {}
        queue = deque([start])
        while queue:
            number = queue.popleft()
            for edge in self.edges(number):
                target = self.targets[edge]
                if target not in within:
                    continue
                if there(edge):
                    way = [edge]
                    while number != start:
                        way.append(before[number])
                        number = self.source(before[number])
                    return way[::-1]
                if target != start and target not in before:
                    before[target] = edge
                    queue.append(target)
        return []

    def _event(self, edge: int) -> int:
        """Return the label of an edge's event, the same whatever its action chooses; choices need not be fair."""
        label = self.labels[edge]
        return self.events.get(label, label)

    def _events(self, number: int) -> set[int]:
        return {self._event(edge) for edge in self.edges(number)}

    def fair_round(
        self, component: Sequence[int], start: int, events: Callable[[int], set[int]] | None = None
    ) -> list[int] | None:
        """Return the edges of a fair cycle through ``start``, or ``None`` if the component contains none.

        In a fair cycle, every move that is enabled in all of its configurations happens, so the cycle does not depend
        on a message that never arrives.

        Args:
            component: configurations that are strongly connected by edges among themselves, with at least one edge.
            start: one of them.
            events: returns the events that are enabled in a configuration; by default, those of its edges.
        """
        within = set(component)
        events = self._events if events is None else events
        enabled = {number: events(number) - self.free for number in component}
        done = {
            self._event(edge) for number in component for edge in self.edges(number) if self.targets[edge] in within
        }
        always = set.intersection(*enabled.values())
        if always - done:
            return None
        round_: list[int] = []
        at = start
        missing = set(enabled[start])
        while missing:
            wanted = min(missing)

            def meets(edge: int, wanted: int = wanted) -> bool:
                return self._event(edge) == wanted or wanted not in enabled[self.targets[edge]]

            for edge in self.way(at, meets, within):
                round_.append(edge)
                at = self.targets[edge]
                missing &= enabled[at]
                missing.discard(self._event(edge))
        if at != start or not round_:
            round_ += self.way(at, lambda edge: self.targets[edge] == start, within)
        return round_


@dataclass(frozen=True)
class Extremes:
    """The smallest and the largest number of messages of a run that ends.

    Attributes:
        least, most: the numbers; ``most`` is ``None`` if there is no largest number.
        least_way, most_way: the edges of a path with this number; ``most_way`` is empty if there are cycles.
    """

    least: int
    most: int | None
    least_way: list[int]
    most_way: list[int]


def extremes(graph: Graph, components: Iterable[Sequence[int]]) -> Extremes | None:
    """Return the extremes over all paths from an initial configuration to an end; ``None`` if there is no end."""
    if not graph.ends:
        return None
    components = list(components)
    least, way = _least(graph)
    if any(graph.cyclic(component) for component in components):
        within: dict[int, int] = {number: i for i, part in enumerate(components) for number in part}
        dear = any(
            graph.sent[edge] and within[graph.targets[edge]] == within[number]
            for number in range(graph.expanded)
            for edge in graph.edges(number)
        )
        return Extremes(least, None if dear else _most_by_part(graph, components, within), way, [])
    most = [-1] * graph.expanded
    before = array("q", [-1]) * graph.expanded
    most[: graph.firsts] = [0] * graph.firsts
    for (number,) in reversed(components):
        for edge in graph.edges(number):
            target, sum_ = graph.targets[edge], most[number] + graph.sent[edge]
            if sum_ > most[target]:
                most[target], before[target] = sum_, edge
    dearest = max(graph.ends, key=lambda number: most[number])
    return Extremes(least, most[dearest], way, _back(graph, before, dearest))


def _most_by_part(graph: Graph, components: Sequence[Sequence[int]], within: dict[int, int]) -> int:
    """Return the largest number of messages if no message is sent on any cycle."""
    most = [-1] * len(components)
    for number in range(graph.firsts):
        most[within[number]] = 0
    for i in range(len(components) - 1, -1, -1):
        for number in components[i]:
            for edge in graph.edges(number):
                to = within[graph.targets[edge]]
                most[to] = max(most[to], most[i] + graph.sent[edge])
    return max(most[within[number]] for number in graph.ends)


def _least(graph: Graph) -> tuple[int, list[int]]:
    """Return the smallest number of messages and the edges of a path with it (Dijkstra's algorithm)."""
    size = graph.expanded
    least = array("q", [2**62]) * size
    before = array("q", [-1]) * size
    for number in range(graph.firsts):
        least[number] = 0
    ends = set(graph.ends)
    heap = [(0, number) for number in range(graph.firsts)]
    while heap:
        sum_, number = heappop(heap)
        if sum_ > least[number]:
            continue
        if number in ends:
            return sum_, _back(graph, before, number)
        for edge in graph.edges(number):
            target, more = graph.targets[edge], sum_ + graph.sent[edge]
            if more < least[target]:
                least[target], before[target] = more, edge
                heappush(heap, (more, target))
    raise AssertionError("every end is reached")


def _back(graph: Graph, before: Sequence[int], number: int) -> list[int]:
    way = []
    while before[number] >= 0:
        way.append(before[number])
        number = graph.source(before[number])
    return way[::-1]
