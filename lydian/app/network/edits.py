"""The edits of the property panels, as functions from a network to the new one. This module does not use Qt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from lydian.language import tr, trc
from lydian.model.delays import Distribution
from lydian.model.editing.links import Pair
from lydian.model.errors import BadInput, shown
from lydian.model.network import RATES, Link, Network
from lydian.model.streams import stream_key, uniforms
from lydian.views.words.words import plural

__all__ = [
    "NETWORK", "Outages", "both_ways", "brushed", "chance_outages", "each_link", "joined", "one_way", "rename_class",
    "span_text", "spans_from", "who_links", "who_processes",
]  # fmt: skip

#: The intervals of time during which a link is down.
Outages = tuple[tuple[float, float], ...]
#: The source of what a link or process inherits, if it is not a class of links.
NETWORK = trc("where a link inherits its delay from", "network")
#: The largest number of random outages of one link.
MOST = 1000


def each_link(network: Network, pairs: Collection[Pair], change: Callable[[Link], Link]) -> Network:
    """Apply a change to each of the given links."""
    wanted = set(pairs)
    return network.replace(links=tuple(change(link) if (link.a, link.b) in wanted else link for link in network.links))


def joined(outages: Iterable[tuple[float, float]]) -> Outages:
    """Return the outages in order, with those that touch or overlap merged."""
    made: list[tuple[float, float]] = []
    for start, end in sorted(outages):
        if made and start <= made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]))
        else:
            made.append((start, end))
    return tuple(made)


def both_ways(network: Network) -> Network:
    """Make all links two-way; a pair of opposite directed links becomes one link with the timing of the first."""
    links: list[Link] = []
    there: set[frozenset[str]] = set()
    for link in network.links:
        ends = frozenset((link.a, link.b))
        if ends not in there:
            there.add(ends)
            links.append(replace(link, directed=False) if link.directed else link)
    return network.replace(links=tuple(links))


def one_way(network: Network) -> Network:
    """Make all links one-way, from their first process to their second."""
    return network.replace(
        links=tuple(link if link.directed else replace(link, directed=True) for link in network.links)
    )


def rename_class(network: Network, old: str, new: str) -> Network:
    """Rename a class of links.

    Raises:
        BadInput: the new name is empty or taken.
    """
    if old == new:
        return network
    check_class(network, new)
    return network.replace(
        classes={new if name == old else name: delay for name, delay in network.classes.items()},
        links=tuple(replace(link, klass=new) if link.klass == old else link for link in network.links),
    )


def check_class(network: Network, name: str) -> str:
    """Return the name for a new class of links without surrounding spaces.

    Raises:
        BadInput: the name is empty or taken.
    """
    name = name.strip()
    if not name:
        raise BadInput(tr("the name of a class of links must not be empty; write, for example, 'long-haul'"))
    if name in network.classes or any(link.klass == name for link in network.links):
        raise BadInput(tr("a class named {name} already exists", name=shown(name)))
    return name


def brushed(like: Link) -> Callable[[Network, Iterable[Pair]], Network]:
    """Return a brush that gives links the settings of this one: its own delay, class, order and rates of faults."""

    def brush(network: Network, pairs: Iterable[Pair]) -> Network:
        rates: dict[str, Any] = {rate: getattr(like, rate) for rate in RATES}
        klass = like.klass if like.klass in network.classes else None  # the class may have been deleted meanwhile
        return each_link(
            network,
            list(pairs),
            lambda link: replace(link, delay=like.delay, klass=klass, order=like.order, **rates),
        )

    return brush


def chance_outages(name: str, probability: float, length: float, until: float, seed: int = 0) -> Outages:
    """Return random outages: at each whole unit of time, a link that is up goes down with the given probability.

    Args:
        name: the name of the link; each link has its own random stream.
        probability: the probability of an outage at each unit of time, from 0 to 1.
        length: the length of an outage.
        until: no outage begins at this time or later.
        seed: different seeds give different outages.

    Raises:
        BadInput: a number is out of range, or there would be more than :data:`MOST` outages.
    """
    if not 0 <= probability <= 1:
        raise BadInput(tr("a probability must be from 0 to 1 (0 to 100 %)"))
    if not length > 0:
        raise BadInput(tr("the length of an outage must be more than 0"))
    if not 0 < until <= 1e6:
        raise BadInput(tr("the time before which outages begin must be more than 0 and at most 1,000,000"))
    trials = int(np.ceil(until))
    values = uniforms([stream_key(seed, "outages", name)], 0, trials)[0]
    found: list[tuple[float, float]] = []
    for at in np.flatnonzero(values < probability).tolist():
        if at < until and (not found or at >= found[-1][1]):
            found.append((float(at), float(at) + length))
            if len(found) > MOST:
                raise BadInput(
                    tr(
                        "there would be more than {most:,} outages; choose a lower probability, longer outages or an "
                        "earlier end",
                        most=MOST,
                    )
                )
    return joined(found)


def spans_from(text: str) -> Outages:
    """Return the outages in a text such as "5-8, 12-14"; an empty text has none.

    Raises:
        BadInput: a part of the text is not a pair of times.
    """
    found: list[tuple[float, float]] = []
    for part in text.replace(";", ",").split(","):
        words = part.replace("–", "-").replace(" to ", "-").split("-")
        if not part.strip():
            continue
        try:
            start, end = (float(word) for word in words)
        except ValueError:
            raise BadInput(
                tr("an outage must be two times separated by a hyphen, as in 5-8, not {text!r}", text=part.strip())
            ) from None
        if not 0 <= start < end < 1e12:
            raise BadInput(tr("an outage must end after it begins, as in 5-8, not {text!r}", text=part.strip()))
        found.append((start, end))
    return joined(found)


def span_text(outages: Iterable[tuple[float, float]]) -> str:
    """Return outages as a user types them: "5-8, 12-14"."""
    return ", ".join(f"{start:.6g}–{end:.6g}" for start, end in outages)


def who_links(pairs: Collection[Pair]) -> str:
    """Return links in the words of a step's name: "8–10", "3 links"."""
    if len(pairs) == 1:
        a, b = next(iter(pairs))
        return f"{a}–{b}"
    return plural(len(pairs), "link")


def who_processes(names: Collection[str]) -> str:
    """Return processes in the words of a step's name: "process 4", "3 processes"."""
    return tr("process {process}", process=next(iter(names))) if len(names) == 1 else plural(len(names), "process")


def inherited_of(network: Network, link: Link) -> tuple[Distribution, str]:
    """Return the delay that a link inherits if it has none of its own, and the class or network it comes from."""
    if link.klass is not None and link.klass in network.classes:
        return network.classes[link.klass], link.klass
    return network.delay, NETWORK


def plain(value: Any) -> Any:
    """Return a share as a percentage: 0.05 -> 5."""
    return round(value * 100, 9)
