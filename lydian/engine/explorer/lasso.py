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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydian.engine.explorer.search import Explorer
    from lydian.engine.explorer.seen import Judge
    from lydian.model.protocol.properties import Property

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


def find_lasso(explorer: Explorer, judge: Judge, prop: Property, parts: Sequence[Sequence[int]]) -> Lasso | None:
    """Return a lasso with a fair cycle on which a property does not hold, or ``None`` if there is none.

    A cycle on which it never holds is preferred to one on which it holds now and then, and then one that begins early.

    Args:
        explorer: the search.
        judge: the judge of its properties.
        prop: the property.
        parts: the strongly connected components of the graph.
    """
    graph = explorer.graph
    loops = [part for part in parts if graph.cyclic(part)]
    inner = {number for part in loops for number in part}
    bad = {number for number in sorted(inner) if judge.failing([prop], explorer.keys[number])}
    if not bad:
        return None
    outer = [number for number in range(graph.expanded) if number not in bad]
    wholly = [part for part in graph.components(outer) if graph.cyclic(part)]
    for never, found in ((True, wholly), (False, loops)):
        for start, part in _begun(found, bad):
            cycle = graph.fair_round(part, start, _enabled(explorer))
            if cycle is not None:
                first, way = explorer.way(start)
                return Lasso(first, way, cycle, never)
    return None


def _begun(parts: Sequence[Sequence[int]], bad: set[int]) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield components in the order of their first bad configurations, each with this configuration."""
    yield from sorted((min(some), part) for part in parts if (some := bad.intersection(part)))


def _enabled(explorer: Explorer) -> Callable[[int], set[int]] | None:
    """Return a function for the events enabled in a configuration; ``None`` if the graph shows them all.

    It does not if orders that make no difference were left out, or if an action fails, which no edge shows.
    """
    if not explorer.partial and not explorer.failures:
        return None

    def enabled(number: int) -> set[int]:
        return {explorer.events.get(label, label) for label, _, _ in explorer.moves(explorer.keys[number])}

    return enabled
