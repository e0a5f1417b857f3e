"""Runs that go on for ever without what a property demands: a path to a fair cycle, which together form a lasso.

A run that does not end repeats some cycle of configurations for ever, if there are finitely many of them. It violates
an ``eventually`` property if the property does not hold somewhere on the cycle, since then it never holds for good.
Only weakly fair cycles count: an event that stays enabled all around the cycle is taken on it, so no message stays in
transit for ever. Under weak fairness it suffices to look at the strongly connected components: if an event is enabled
in all configurations of a component and taken on none of its edges, the same is true of each cycle in it, and otherwise
a cycle through all configurations of the component is fair.

Sources: E. M. Clarke, O. Grumberg, D. Kroening, D. Peled and H. Veith, Model Checking, second edition, MIT Press, 2018,
chapter 4.3; C. Baier and J.-P. Katoen, Principles of Model Checking, MIT Press, 2008, chapter 6.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lydian.engine.explorer.graph import Graph

__all__ = ["Lasso", "find_lasso"]


@dataclass(frozen=True)
class Lasso:
    """A path to a cycle that can be repeated for ever.

    Attributes:
        first: the configuration in which the path begins.
        way: the edges of the path, a shortest one to the first configuration of the cycle.
        cycle: the edges of the cycle.
        never: whether the property holds in no configuration of the cycle.
    """

    first: int
    way: list[int]
    cycle: list[int]
    never: bool

    def __str__(self) -> str:
        """Return what happens, as a clause that does not name the property."""
        holds = "in it the property never holds" if self.never else "in each round the property fails again"
        return f"{_after(len(self.way))} a cycle of {_events(len(self.cycle))} repeats for ever; {holds}"


def _events(count: int) -> str:
    return f"{count} event{'' if count == 1 else 's'}"


def _after(count: int) -> str:
    return f"after {_events(count)}" if count else "from the beginning"


def find_lasso(
    graph: Graph,
    parts: Sequence[Sequence[int]],
    fails: Callable[[int], bool],
    way: Callable[[int], tuple[int, list[int]]],
    events: Callable[[int], set[int]] | None = None,
) -> Lasso | None:
    """Return a lasso with a fair cycle on which a property does not hold, or ``None`` if there is none.

    A cycle on which it never holds is preferred to one on which it holds now and then, and then one that begins early.

    Args:
        graph: the graph of configurations.
        parts: its strongly connected components.
        fails: returns whether the property does not hold in a configuration.
        way: returns the first configuration and the edges of a shortest path to a configuration.
        events: returns the events enabled in a configuration; by default those of its edges.
    """
    loops = [part for part in parts if graph.cyclic(part)]
    bad = set(filter(fails, sorted(number for part in loops for number in part)))
    if not bad:
        return None
    outer = [number for number in range(graph.expanded) if number not in bad]
    wholly = [part for part in graph.components(outer) if graph.cyclic(part)]
    for never, found in ((True, wholly), (False, loops)):
        for start, part in _begun(found, bad):
            cycle = graph.fair_round(part, start, events)
            if cycle is not None:
                return Lasso(*way(start), cycle, never)
    return None


def _begun(parts: Sequence[Sequence[int]], bad: set[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield components in the order of their first bad configurations, each with this configuration."""
    yield from sorted((min(some), part) for part in parts if (some := bad.intersection(part)))
