"""Edits of links: join two processes, turn a link round, give it a delay, loss, order, outages or a class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Literal

from lydian.model.delays import Distribution
from lydian.model.editing.processes import KEEP
from lydian.model.errors import BadInput, shown
from lydian.model.network import Link, Network

__all__ = ["Pair", "Way", "add_link", "direct", "drop_class", "set_class", "set_link", "set_network"]

#: A link, by its processes as it has them.
Pair = tuple[str, str]
#: ``forward``: from a to b only; ``backward``: from b to a only; ``both``: both ways.
Way = Literal["both", "forward", "backward"]


def add_link(network: Network, a: str, b: str, directed: bool = False) -> Network:
    """Join two processes.

    A link that is there already stays; a directed one against the new direction, or under a link both ways, becomes
    one link both ways and keeps its timing.

    Raises:
        BadInput: a process is not there, or both are the same.
    """
    network.number(a)
    network.number(b)
    if a == b:
        raise BadInput(f"a link must join two different processes, not {shown(a)} with itself")
    mine = [link for link in network.links if {link.a, link.b} == {a, b}]
    if not mine:
        return network.replace(links=(*network.links, Link(a, b, directed=directed)))
    if any(not link.directed or (directed and link.a == a) for link in mine):
        return network
    if len(mine) == 1 or not directed:  # one against the new one, or two directed links that become one both ways
        links = [link for link in network.links if link is mine[0] or link not in mine]
        return network.replace(
            links=tuple(replace(link, directed=False) if link is mine[0] else link for link in links)
        )
    return network


def direct(network: Network, links: Iterable[Pair], way: Way) -> Network:
    """Say which way links carry messages.

    Raises:
        BadInput: a link is not there, or there would be two from one process to another.
    """

    def turned(link: Link) -> Link:
        if way == "backward":
            return replace(link, a=link.b, b=link.a, directed=True)
        return replace(link, directed=way == "forward")

    return _changed(network, links, turned)


def set_link(
    network: Network,
    links: Iterable[Pair],
    *,
    delay: Distribution | None = KEEP,
    klass: str | None = KEEP,
    order: str | None = KEEP,
    loss: float | None = KEEP,
    outages: tuple[tuple[float, float], ...] = KEEP,
    duplication: float | None = KEEP,
    corruption: float | None = KEEP,
) -> Network:
    """Give links a timing of their own; ``None`` inherits from their class or the network.

    Outages are sorted, and those that touch are joined.

    Raises:
        BadInput: a link is not there, or a value is not allowed.
    """
    given: dict[str, Any] = {"delay": delay, "klass": klass, "order": order, "loss": loss}
    given |= {"duplication": duplication, "corruption": corruption}
    changes = {name: value for name, value in given.items() if value is not KEEP}
    if outages is not KEEP:
        changes["outages"] = _joined(outages)
    if klass is not KEEP and klass is not None and delay is KEEP:
        changes["delay"] = None  # a link that gets a class takes the delay of the class
    return _changed(network, links, lambda link: replace(link, **changes))


def set_class(network: Network, name: str, delay: Distribution, links: Iterable[Pair] = ()) -> Network:
    """Make a class of links, or give it another delay; the links given belong to it from now on.

    Raises:
        BadInput: the name is empty, a link is not there, or the delay is no distribution.
    """
    if not name.strip():
        raise BadInput("a class of links must have a name such as long-haul")
    made = network.replace(classes={**network.classes, name: delay})
    links = tuple(links)
    return set_link(made, links, klass=name) if links else made


def drop_class(network: Network, name: str) -> Network:
    """Forget a class; its links take the network's delay.

    Raises:
        BadInput: there is no such class.
    """
    if name not in network.classes and all(link.klass != name for link in network.links):
        raise BadInput(f"unknown class of links {shown(name)}")
    return network.replace(
        classes={other: delay for other, delay in network.classes.items() if other != name},
        links=tuple(replace(link, klass=None) if link.klass == name else link for link in network.links),
    )


def set_network(network: Network, **changes: Any) -> Network:
    """Change what holds for the whole network: name, about, delay, order, loss, step, anonymous.

    Raises:
        BadInput: there is no such field, or a value is not allowed.
    """
    return network.replace(**changes)


def _changed(network: Network, links: Iterable[Pair], change: Callable[[Link], Link]) -> Network:
    wanted = set(links)
    there = {(link.a, link.b) for link in network.links}
    for a, b in wanted - there:
        raise BadInput(f"unknown link {a}-{b}")
    if not wanted:
        return network
    return network.replace(links=tuple(change(link) if (link.a, link.b) in wanted else link for link in network.links))


def _joined(outages: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Sorted, and those that touch as one."""
    joined: list[tuple[float, float]] = []
    for start, end in sorted(outages):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
