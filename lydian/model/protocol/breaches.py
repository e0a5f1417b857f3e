"""The smallest violation of each assumption about a network, to find out why a protocol makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = [
    "Breach", "chorded", "cut_off", "fewer_initiators", "named_again", "nameless", "no_initiator", "one_way", "opened",
    "overtaking", "rival", "unlinked",
]  # fmt: skip

Change = Callable[["Network"], Iterator["Network"]]


@dataclass(frozen=True)
class Breach:
    """The smallest violations of an assumption: other networks, or faults.

    Attributes:
        networks: yields networks that violate it and differ little from one that does not, the likeliest to do harm
            first; ``None`` if networks do not matter.
        crashes, losses: the number of processes that crash, and of messages that are lost, at any moment.
        deeds: kinds of intervention in one message, at any moment.
        hurried: whether timers expire while messages are in transit that would have arrived before.
        without: what may then happen, as a clause: "messages may overtake each other".
        order: the order of messages that an experiment has to set to violate it.
    """

    without: str
    networks: Change | None = None
    crashes: int = 0
    losses: int = 0
    deeds: tuple[str, ...] = ()
    hurried: bool = False
    order: str | None = None


def overtaking(network: Network) -> Iterator[Network]:
    """Let messages overtake each other on every link."""
    links = tuple(replace(link, order=None) for link in network.links)
    yield network.replace(links=links, order="unordered")


def cut_off(network: Network) -> Iterator[Network]:
    """Remove the links of one process, the last one first."""
    for name in reversed(network.processes):
        yield network.replace(links=tuple(link for link in network.links if name not in (link.a, link.b)))


def unlinked(network: Network) -> Iterator[Network]:
    """Remove one link, the last one first, if the network stays connected."""
    for gone in reversed(network.links):
        less = network.replace(links=tuple(link for link in network.links if link is not gone))
        if less.connected:
            yield less


def opened(network: Network) -> Iterator[Network]:
    """Turn a ring into a line; a one-way ring into a two-way one, or into one with a chord."""
    if any(link.directed for link in network.links):
        yield network.replace(links=tuple(replace(link, directed=False) for link in network.links))
        yield from chorded(network)
    else:
        yield from unlinked(network)
        yield from chorded(network)


def chorded(network: Network) -> Iterator[Network]:
    """Add a link between two processes that have none."""
    there = {frozenset((link.a, link.b)) for link in network.links}
    directed = bool(network.links) and all(link.directed for link in network.links)
    for at, a in enumerate(network.processes):
        for b in network.processes[at + 1 :]:
            if network.links and frozenset((a, b)) not in there:
                yield network.replace(links=(*network.links, type(network.links[0])(a, b, directed)))


def one_way(network: Network) -> Iterator[Network]:
    """Let one link carry messages one way only, preferably towards an initiator."""
    for at, link in enumerate(network.links):
        for a, b in ((link.b, link.a), (link.a, link.b)):
            if not link.directed:
                changed = replace(link, a=a, b=b, directed=True)
                yield network.replace(links=(*network.links[:at], changed, *network.links[at + 1 :]))


def rival(network: Network) -> Iterator[Network]:
    """Let another process start as well."""
    for name in network.processes:
        if name not in network.initiators:
            yield network.replace(initiators=(*network.initiators, name))


def no_initiator(network: Network) -> Iterator[Network]:
    """Let no process start."""
    yield network.replace(initiators=())


def fewer_initiators(network: Network) -> Iterator[Network]:
    """Let one process fewer start, the last one first."""
    for name in reversed(network.initiators):
        yield network.replace(initiators=tuple(each for each in network.initiators if each != name))


def nameless(network: Network) -> Iterator[Network]:
    """Take the names from the processes."""
    yield network.replace(anonymous=True)


def named_again(network: Network) -> Iterator[Network]:
    """Give the processes names."""
    yield network.replace(anonymous=False)
