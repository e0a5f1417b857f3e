"""What the panels of properties do to a network, as functions from a network to the new one.  No Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from lydian.model.delays import Distribution
from lydian.model.editing.links import Pair
from lydian.model.errors import BadInput, shown
from lydian.model.network import RATES, Link, Network
from lydian.model.streams import stream_key, uniforms
from lydian.views.words.words import plural

__all__ = [
    "Outages", "both_ways", "brushed", "chance_outages", "each_link", "joined", "one_way", "rename_class", "span_text",
    "spans_from", "who_links", "who_processes",
]  # fmt: skip

#: Times between which a link is down.
Outages = tuple[tuple[float, float], ...]
#: The most outages that chance may draw for a link.
MOST = 1000


def each_link(network: Network, pairs: Collection[Pair], change: Callable[[Link], Link]) -> Network:
    """Change each of these links in its own way."""
    wanted = set(pairs)
    return network.replace(links=tuple(change(link) if (link.a, link.b) in wanted else link for link in network.links))


def joined(outages: Iterable[tuple[float, float]]) -> Outages:
    """Sorted, and those that touch as one."""
    made: list[tuple[float, float]] = []
    for start, end in sorted(outages):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return tuple(made)


def both_ways(network: Network) -> Network:
    """All links carry messages both ways; two directed ones against each other become one, with the first's timing."""
    links: list[Link] = []
    there: set[frozenset[str]] = set()
    for link in network.links:
        ends = frozenset((link.a, link.b))
        if ends not in there:
            there.add(ends)
            links.append(replace(link, directed=False) if link.directed else link)
    return network.replace(links=tuple(links))


def one_way(network: Network) -> Network:
    """All links carry messages from their first process to their second one only."""
    return network.replace(
        links=tuple(link if link.directed else replace(link, directed=True) for link in network.links)
    )


def rename_class(network: Network, old: str, new: str) -> Network:
    """Give a class of links another name.

    Raises:
        BadInput: the new one is empty or taken.
    """
    if old == new:
        return network
    check_class(network, new)
    return network.replace(
        classes={new if name == old else name: delay for name, delay in network.classes.items()},
        links=tuple(replace(link, klass=new) if link.klass == old else link for link in network.links),
    )


def check_class(network: Network, name: str) -> str:
    """The name for a new class of links.

    Raises:
        BadInput: it is empty or taken.
    """
    name = name.strip()
    if not name:
        raise BadInput("a class of links needs a name, such as long-haul")
    if name in network.classes or any(link.klass == name for link in network.links):
        raise BadInput(f"there is already a class {shown(name)}")
    return name


def brushed(like: Link) -> Callable[[Network, Iterable[Pair]], Network]:
    """What a brush does: links get what this one has of its own, its delay, class, order and shares that go wrong."""

    def brush(network: Network, pairs: Iterable[Pair]) -> Network:
        rates: dict[str, Any] = {rate: getattr(like, rate) for rate in RATES}
        klass = like.klass if like.klass in network.classes else None  # the class may be gone meanwhile
        return each_link(
            network,
            list(pairs),
            lambda link: replace(link, delay=like.delay, klass=klass, order=like.order, **rates),
        )

    return brush


def chance_outages(name: str, probability: float, length: float, until: float, seed: int = 0) -> Outages:
    """Outages drawn by chance: at every whole unit of time a link that is up goes down with some probability.

    Args:
        name: of the link; every link has a stream of its own.
        probability: 0 to 1, each unit of time.
        length: how long it stays down.
        until: no outage begins at this time or later.
        seed: another one gives others.

    Raises:
        BadInput: a number is not allowed, or there would be more than a thousand outages.
    """
    if not 0 <= probability <= 1:
        raise BadInput("a probability is a number from 0 to 1 (0 to 100 %)")
    if not length > 0:
        raise BadInput("an outage lasts longer than 0")
    if not 0 < until <= 1e6:
        raise BadInput("the outages end before a time above 0 and up to 1,000,000")
    trials = int(np.ceil(until))
    values = uniforms([stream_key(seed, "outages", name)], 0, trials)[0]
    found: list[tuple[float, float]] = []
    for at in np.flatnonzero(values < probability).tolist():
        if at < until and (not found or at >= found[-1][1]):
            found.append((float(at), float(at) + length))
            if len(found) > MOST:
                raise BadInput(
                    f"that would be more than {MOST:,} outages: draw fewer, longer ones or up to an earlier time"
                )
    return joined(found)


def spans_from(text: str) -> Outages:
    """The outages in a text such as "5-8, 12-14"; empty for none.

    Raises:
        BadInput: a part of it is no pair of times.
    """
    found: list[tuple[float, float]] = []
    for part in text.replace(";", ",").split(","):
        words = part.replace("–", "-").replace(" to ", "-").split("-")
        if not part.strip():
            continue
        try:
            start, end = (float(word) for word in words)
        except ValueError:
            raise BadInput(f"an outage is written from-to, as in 5-8, not {part.strip()!r}") from None
        if not 0 <= start < end < 1e12:
            raise BadInput(f"an outage ends after it begins, as in 5-8, not {part.strip()!r}")
        found.append((start, end))
    return joined(found)


def span_text(outages: Iterable[tuple[float, float]]) -> str:
    """Outages as somebody types them: "5-8, 12-14"."""
    return ", ".join(f"{start:.6g}–{end:.6g}" for start, end in outages)


def who_links(pairs: Collection[Pair]) -> str:
    """Links for the name of a step: "8–10", "3 links"."""
    if len(pairs) == 1:
        a, b = next(iter(pairs))
        return f"{a}–{b}"
    return plural(len(pairs), "link")


def who_processes(names: Collection[str]) -> str:
    """Processes for the name of a step: "process 4", "3 processes"."""
    return f"process {next(iter(names))}" if len(names) == 1 else plural(len(names), "process")


def inherited_of(network: Network, link: Link) -> tuple[Distribution, str]:
    """What a link takes without a delay of its own, and where that comes from."""
    if link.klass is not None and link.klass in network.classes:
        return network.classes[link.klass], link.klass
    return network.delay, "network"


def plain(value: Any) -> Any:
    """A number in hundredths for people: 0.05 -> 5."""
    return round(value * 100, 9)
