"""The graph of all configurations: its cycles, and the cheapest and dearest ways through it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

__all__ = ["Extremes", "Graph"]


@dataclass
class Graph:
    """Configurations 0, 1, 2 ... and moves between them, in the order of their sources.

    Attributes:
        starts: configuration -> its first edge; those of configuration i are ``starts[i]`` to ``starts[i + 1]``.
        targets, labels, sent: for each edge where it leads (beyond ``expanded`` if that is not known), which move it
            is, how many messages it sends.
        firsts: how many configurations a run may start in, the first ones.
        ends: configurations in which nothing is left to do.
        free: labels of moves that need not happen (crashes, losses).
    """

    starts: array[int] = field(default_factory=lambda: array("q", [0]))
    targets: array[int] = field(default_factory=lambda: array("i"))
    labels: array[int] = field(default_factory=lambda: array("i"))
    sent: array[int] = field(default_factory=lambda: array("i"))
    firsts: int = 1
    ends: list[int] = field(default_factory=list)
    free: set[int] = field(default_factory=set)

    @property
    def expanded(self) -> int:
        """Number of configurations whose moves are known."""
        return len(self.starts) - 1

    def edges(self, number: int) -> range:
        """The edges that leave a configuration; none if its moves are not known."""
        return range(self.starts[number], self.starts[number + 1]) if number < self.expanded else range(0)

    def source(self, edge: int) -> int:
        """The configuration that an edge leaves."""
        return bisect_right(self.starts, edge) - 1

    def components(self) -> list[list[int]]:
        """The strongly connected components (Tarjan), those that are reached last first."""
        size = self.expanded
        order = array("i", bytes(4 * size))  # 0: not met; else when, from 1 on
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
        """Whether one can go round in a component."""
        return len(component) > 1 or any(self.targets[edge] == component[0] for edge in self.edges(component[0]))

    def way(self, start: int, there: Callable[[int], bool], within: set[int]) -> list[int]:
        """The edges of a shortest way from a configuration along at least one edge, the last of which is wanted."""
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

    def fair_round(self, component: Sequence[int], start: int) -> list[int] | None:
        """The edges of a round through ``start`` that leaves out nothing which could be done all the time.

        What can be done in every configuration of the round is done in it, so that it is no matter of a message that
        takes for ever. ``None`` if a component has no such round.
        """
        within = set(component)
        enabled = {n: {self.labels[edge] for edge in self.edges(n)} - self.free for n in component}
        done = {
            self.labels[edge] for number in component for edge in self.edges(number) if self.targets[edge] in within
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
                return self.labels[edge] == wanted or wanted not in enabled[self.targets[edge]]

            for edge in self.way(at, meets, within):
                round_.append(edge)
                at = self.targets[edge]
                missing &= enabled[at]
                missing.discard(self.labels[edge])
        if at != start or not round_:
            round_ += self.way(at, lambda edge: self.targets[edge] == start, within)
        return round_


@dataclass(frozen=True)
class Extremes:
    """The smallest and the largest number of messages on the way to an end.

    Attributes:
        least, most: the numbers; ``most`` is ``None`` if there is no largest one.
        least_way, most_way: the edges of such a way; empty for ``most`` if there are cycles.
    """

    least: int
    most: int | None
    least_way: list[int]
    most_way: list[int]


def extremes(graph: Graph, components: Iterable[Sequence[int]]) -> Extremes | None:
    """Over all ways from a first configuration to an end; ``None`` if there is no end."""
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
    """The largest number if no cycle sends anything."""
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
    """Dijkstra."""
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
