"""Edits of links: join two processes, change the direction of a link, set its delay, loss, order, outages or class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Literal

from lydian.language import tr
from lydian.model.delays import Distribution
from lydian.model.editing.processes import KEEP
from lydian.model.errors import BadInput, shown
from lydian.model.network import Link, Network

__all__ = ["Pair", "Way", "add_link", "direct", "drop_class", "set_class", "set_link", "set_network"]

#: A link, as the pair of its processes in the order of the link.
Pair = tuple[str, str]
#: ``forward``: from a to b only; ``backward``: from b to a only; ``both``: in both directions.
Way = Literal["both", "forward", "backward"]


def add_link(network: Network, a: str, b: str, directed: bool = False) -> Network:
    """Join two processes.

    An existing link is kept. A one-way link in the opposite direction, or a new link in both directions over an
    existing one, becomes one two-way link that keeps the existing timing.

    Raises:
        BadInput: a process does not exist, or both are the same.
    """
    network.number(a)
    network.number(b)
    if a == b:
        raise BadInput(tr("a link must join two different processes, not {process} with itself", process=shown(a)))
    mine = [link for link in network.links if {link.a, link.b} == {a, b}]
    if not mine:
        return network.replace(links=(*network.links, Link(a, b, directed=directed)))
    if any(not link.directed or (directed and link.a == a) for link in mine):
        return network
    if len(mine) == 1 or not directed:  # the opposite link, or two one-way links that become one two-way link
        links = [link for link in network.links if link is mine[0] or link not in mine]
        return network.replace(
            links=tuple(replace(link, directed=False) if link is mine[0] else link for link in links)
        )
    return network


def direct(network: Network, links: Iterable[Pair], way: Way) -> Network:
    """Set the direction in which links carry messages.

    Raises:
        BadInput: a link does not exist, or there would be two links from one process to another.
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
    """Set the timing of links; ``None`` inherits a value from their class or the network.

    Outages are sorted, and adjacent ones are joined.

    Raises:
        BadInput: a link does not exist, or a value is not permitted.
    """
    given: dict[str, Any] = {"delay": delay, "klass": klass, "order": order, "loss": loss}
    given |= {"duplication": duplication, "corruption": corruption}
    changes = {name: value for name, value in given.items() if value is not KEEP}
    if outages is not KEEP:
        changes["outages"] = _joined(outages)
    if klass is not KEEP and klass is not None and delay is KEEP:
        changes["delay"] = None  # a link that is added to a class uses the delay of the class
    return _changed(network, links, lambda link: replace(link, **changes))


def set_class(network: Network, name: str, delay: Distribution, links: Iterable[Pair] = ()) -> Network:
    """Create a class of links, or change its delay, and add the given links to it.

    Raises:
        BadInput: the name is empty, a link does not exist, or the delay is not a distribution.
    """
    if not name.strip():
        raise BadInput(tr("a class of links must have a name such as long-haul"))
    made = network.replace(classes={**network.classes, name: delay})
    links = tuple(links)
    return set_link(made, links, klass=name) if links else made


def drop_class(network: Network, name: str) -> Network:
    """Delete a class; its links use the delay of the network.

    Raises:
        BadInput: there is no such class.
    """
    if name not in network.classes and all(link.klass != name for link in network.links):
        raise BadInput(tr("unknown class of links {link_class}", link_class=shown(name)))
    return network.replace(
        classes={other: delay for other, delay in network.classes.items() if other != name},
        links=tuple(replace(link, klass=None) if link.klass == name else link for link in network.links),
    )


def set_network(network: Network, **changes: Any) -> Network:
    """Change settings of the whole network: name, about, delay, order, loss, step, anonymous.

    Raises:
        BadInput: there is no such field, or a value is not permitted.
    """
    return network.replace(**changes)


def _changed(network: Network, links: Iterable[Pair], change: Callable[[Link], Link]) -> Network:
    wanted = set(links)
    there = {(link.a, link.b) for link in network.links}
    for a, b in wanted - there:
        raise BadInput(tr("unknown link {process}-{neighbour}", process=a, neighbour=b))
    if not wanted:
        return network
    return network.replace(links=tuple(change(link) if (link.a, link.b) in wanted else link for link in network.links))


def _joined(outages: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return outages in order, with adjacent ones joined."""
    joined: list[tuple[float, float]] = []
    for start, end in sorted(outages):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
