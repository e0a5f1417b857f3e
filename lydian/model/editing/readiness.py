"""Checks whether a protocol can run on a drawn network: the obstacles, the processes and links at fault, and a
remedy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from lydian.language import tr, trn
from lydian.model.editing.links import Pair, direct
from lydian.model.editing.processes import set_initiators
from lydian.model.extras import extra
from lydian.model.network import RATES, Link, Network, shape
from lydian.model.protocol import properties
from lydian.model.protocol.properties import Need, missing_between
from lydian.model.protocol.roles import role_name
from lydian.model.source.draft import read, role_views
from lydian.model.source.outline import outline

__all__ = ["Obstacle", "Readiness", "Remedy", "needs_of", "parts", "readiness", "roles_in"]


@dataclass(frozen=True)
class Remedy:
    """An edit that removes an obstacle: the label of its button, and the edit."""

    text: str
    edit: Callable[[Network], Network]


@dataclass(frozen=True)
class Obstacle:
    """An obstacle to a run.

    Attributes:
        short: a few words for a chip: "2 parts".
        sentence: the obstacle and what would remove it.
        processes, links: the processes and links at fault, to be selected.
        remedy: an edit that helps, if there is an obvious one.
    """

    short: str
    sentence: str
    processes: frozenset[str] = frozenset()
    links: frozenset[Pair] = frozenset()
    remedy: Remedy | None = None


@dataclass(frozen=True)
class Readiness:
    """Whether a protocol can run on a network: ``words`` for a chip ("Connected, 1 initiator"), and the obstacles."""

    words: str
    obstacles: tuple[Obstacle, ...] = ()

    @property
    def ready(self) -> bool:
        return not self.obstacles


def readiness(network: Network, needs: Iterable[Need] = ()) -> Readiness:
    """Check a network against the needs of a protocol.

    A network without processes is an obstacle for every protocol; a network without an initiator is one only if a need
    requires an initiator.
    """
    if not network.n:
        return Readiness(
            tr("No processes yet"), (Obstacle(tr("No processes yet"), tr("double-click the board to draw one")),)
        )
    needs = tuple(needs)
    obstacles = tuple(
        _obstacle(each, sentence, network) for each in needs if (sentence := each.missing(network)) is not None
    )
    obstacles += tuple(Obstacle(tr("Overlay messages"), text) for text in missing_between(needs, network))
    if obstacles:
        words = obstacles[0].short
        if len(obstacles) > 1:
            words = tr("{obstacle} and {count} more", obstacle=words, count=len(obstacles) - 1)
        return Readiness(words, obstacles)
    return Readiness(f"{_parts_words(network)}, {_starts(network)}")


@functools.lru_cache(maxsize=32)
def needs_of(source: str) -> tuple[Need, ...]:
    """Return LYDIAN's own needs that a protocol's text names; the text is read but not run."""
    known = {need.name: need for need in vars(properties).values() if isinstance(need, Need)}
    found = (each.need or known.get(each.name) for each in outline(source).needs)
    return tuple(dict.fromkeys(each for each in found if each is not None))


@functools.lru_cache(maxsize=32)
def roles_in(source: str) -> tuple[str, ...]:
    """Return the roles of a protocol's text, none if it has only one class; the text is read but not run."""
    views = role_views(read(source))
    found = (role_name(view.process.name) for view in views if view.process is not None)
    return tuple(found) if len(views) > 1 else ()


def parts(network: Network) -> list[list[str]]:
    """Return the connected components of a network, ignoring directions: the largest first, names in order."""
    found, _ = shape.joined(network.n, network.ends.tolist())
    return sorted(([network.processes[i] for i in part] for part in found), key=len, reverse=True)


def _parts_words(network: Network) -> str:
    if network.connected:
        return tr("Connected")
    count = len(parts(network))
    return trn("{count} part", "{count} parts", count) if count > 1 else tr("Not strongly connected")


def _starts(network: Network) -> str:
    count = len(network.initiators)
    return trn("{count:,} initiator", "{count:,} initiators", count) if count else tr("no initiator")


def _obstacle(need: Need, sentence: str, network: Network) -> Obstacle:
    finder = _FINDERS.get(need.name)
    return finder(network, sentence) if finder else Obstacle(need.sentence, sentence)


def _not_connected(network: Network, sentence: str) -> Obstacle:
    groups = parts(network)
    if len(groups) > 1:
        small = frozenset(name for group in groups[1:] for name in group)
        remedy = Remedy(tr("Join the parts"), _joined)
        return Obstacle(trn("{count} part", "{count} parts", len(groups)), sentence, processes=small, remedy=remedy)
    away = network.distances(network.processes[0])
    cut = frozenset(network.processes[i] for i in np.flatnonzero(away < 0))
    what = tr("links that carry messages one way cut some processes off; make them two-way")
    return Obstacle(tr("One-way links cut off processes"), what, processes=cut, remedy=_two_way_remedy(network))


def _joined(network: Network) -> Network:
    """Join each component to the largest one by the shortest possible link."""
    with extra("layouts", "joining the parts of a network needs SciPy"):
        from scipy.spatial import cKDTree

    points, names = network.coordinates, network.processes
    groups = [[network.index[name] for name in group] for group in parts(network)]
    largest = cKDTree(points[groups[0]])
    links = list(network.links)
    for group in groups[1:]:
        away, nearest = largest.query(points[group])
        closest = int(np.argmin(away))
        links.append(Link(names[groups[0][int(nearest[closest])]], names[group[closest]]))
    return network.replace(links=tuple(links))


def _wrong_start(network: Network, sentence: str) -> Obstacle:
    names = network.initiators
    first = (names or network.processes)[0]
    if not names:
        remedy = Remedy(tr("Make {process} the initiator", process=first), lambda drawn: set_initiators(drawn, [first]))
        return Obstacle(tr("No initiator"), sentence, remedy=remedy)
    remedy = Remedy(
        tr("Make {process} the only initiator", process=first), lambda drawn: set_initiators(drawn, [first])
    )
    return Obstacle(_starts(network), sentence, processes=frozenset(names), remedy=remedy)


def _not_all_start(network: Network, sentence: str) -> Obstacle:
    lazy = frozenset(network.processes) - frozenset(network.initiators)
    remedy = Remedy(tr("Make every process an initiator"), lambda drawn: set_initiators(drawn, drawn.processes))
    title = tr("{count} of {total} do not start", count=len(lazy), total=network.n)
    return Obstacle(title, sentence, processes=lazy, remedy=remedy)


def _leaves(network: Network) -> list[str]:
    return [name for name in network.processes if len(network.neighbours(name)) <= 1]


def _leaves_wait(network: Network, sentence: str) -> Obstacle:
    lazy = frozenset(_leaves(network)) - frozenset(network.initiators)
    remedy = Remedy(
        tr("Make every leaf an initiator"), lambda drawn: set_initiators(drawn, {*drawn.initiators, *_leaves(drawn)})
    )
    title = trn("{count} leaf does not start", "{count} leaves do not start", len(lazy))
    return Obstacle(title, sentence, processes=lazy, remedy=remedy)


def _centre_waits(network: Network, sentence: str) -> Obstacle:
    wrong = frozenset(name for name in network.initiators if len(network.neighbours(name)) < network.n - 1)
    centre = next((name for name in network.processes if len(network.neighbours(name)) == network.n - 1), None)
    remedy = None
    if centre is not None:
        remedy = Remedy(
            tr("Make {process} the only initiator", process=centre), lambda drawn: set_initiators(drawn, [centre])
        )
    return Obstacle(tr("The centre does not start"), sentence, processes=wrong, remedy=remedy)


def _reordering(network: Network, sentence: str) -> Obstacle:
    wrong = _pairs(network, lambda link: (link.order or network.order) != "fifo")
    remedy = Remedy(
        tr("Make all links FIFO"),
        lambda drawn: drawn.replace(order="fifo", links=tuple(replace(link, order=None) for link in drawn.links)),
    )
    return Obstacle(tr("Messages may overtake each other"), sentence, links=wrong, remedy=remedy)


#: Kind of fault of messages -> the title of the obstacle, and the label of the remedy.
_WRONG = {
    "loss": (tr("Messages are lost"), tr("Prevent loss")),
    "duplication": (tr("Messages are duplicated"), tr("Prevent duplication")),
    "corruption": (tr("Messages are corrupted"), tr("Prevent corruption")),
}


def _lossy(network: Network, sentence: str) -> Obstacle:
    wrong = _pairs(network, lambda link: any(network.rate_of(link, rate) > 0 for rate in RATES))
    found = [rate for rate in RATES if any(network.rate_of(link, rate) > 0 for link in network.links)]
    several = (tr("Links are not reliable"), tr("Make every link reliable"))
    title, help_ = _WRONG[found[0]] if len(found) == 1 else several
    remedy = Remedy(
        help_,
        lambda drawn: drawn.replace(
            **dict.fromkeys(RATES, 0.0),
            links=tuple(replace(link, loss=None, duplication=None, corruption=None) for link in drawn.links),
        ),
    )
    return Obstacle(title, sentence, links=wrong, remedy=remedy)


def _one_way(network: Network, sentence: str) -> Obstacle:
    return Obstacle(tr("One-way links"), sentence, links=_single(network), remedy=_two_way_remedy(network))


def _two_way_remedy(network: Network) -> Remedy:
    return Remedy(tr("Make all links two-way"), lambda drawn: direct(drawn, _single(drawn), "both"))


def _single(network: Network) -> frozenset[Pair]:
    """Return one-way links without a counterpart in the opposite direction."""
    directed = _pairs(network, lambda link: link.directed)
    return frozenset((a, b) for a, b in directed if (b, a) not in directed)


def _no_ring(network: Network, sentence: str) -> Obstacle:
    wrong = frozenset(name for name in network.processes if len(network.neighbours(name)) != 2)
    return Obstacle(tr("No ring"), sentence, processes=wrong)


def _no_one_way_ring(network: Network, sentence: str) -> Obstacle:
    wrong = frozenset(name for name in network.processes if len(network.neighbours(name)) != 1)
    remedy = Remedy(tr("Make the ring one-way"), _one_way_round) if network.is_ring else None
    return Obstacle(tr("No one-way ring"), sentence, processes=wrong, remedy=remedy)


def _one_way_round(ring: Network) -> Network:
    """Make each link of a ring one-way, in the direction from the first process to the neighbour that comes first."""
    before, here = "", ring.processes[0]
    following: dict[frozenset[str], tuple[str, str]] = {}
    for _ in range(ring.n):
        there = next(name for name in ring.neighbours(here) if name != before)
        following[frozenset((here, there))] = here, there
        before, here = here, there
    ends = [following[frozenset((link.a, link.b))] for link in ring.links]
    return ring.replace(
        links=tuple(replace(link, a=a, b=b, directed=True) for link, (a, b) in zip(ring.links, ends, strict=True))
    )


def _no_tree(network: Network, sentence: str) -> Obstacle:
    short = tr("No tree") if not network.connected else tr("There is a cycle")
    return Obstacle(short, sentence, links=_closing(network))


def _closing(network: Network) -> frozenset[Pair]:
    """Return the links that close a cycle when all are added in their order."""
    _, closing = shape.joined(network.n, network.ends.tolist())
    return frozenset((network.links[number].a, network.links[number].b) for number in closing)


def _not_complete(network: Network, sentence: str) -> Obstacle:
    wrong = frozenset(name for name in network.processes if len(network.neighbours(name)) < network.n - 1)
    return Obstacle(tr("Not complete"), sentence, processes=wrong)


def _pairs(network: Network, wanted: Callable[..., bool]) -> frozenset[Pair]:
    return frozenset((link.a, link.b) for link in network.links if wanted(link))


_FINDERS: dict[str, Callable[[Network, str], Obstacle]] = {
    "connected": _not_connected,
    "one initiator": _wrong_start,
    "some initiator": _wrong_start,
    "everybody starts": _not_all_start,
    "leaves start": _leaves_wait,
    "centre starts": _centre_waits,
    "fifo": _reordering,
    "reliable": _lossy,
    "two-way links": _one_way,
    "ring": _no_ring,
    "one-way ring": _no_one_way_ring,
    "tree": _no_tree,
    "complete": _not_complete,
    "named": lambda network, sentence: Obstacle(
        tr("Anonymous"),
        sentence,
        remedy=Remedy(tr("Give the processes names"), lambda drawn: drawn.replace(anonymous=False)),
    ),
    "anonymous": lambda network, sentence: Obstacle(
        tr("Processes have names"),
        sentence,
        remedy=Remedy(tr("Make the network anonymous"), lambda drawn: drawn.replace(anonymous=True)),
    ),
}
