"""Small networks on which the assumptions of a protocol are tried, and the smallest changes that violate one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lydian.model.errors import BadInput
from lydian.model.generators import from_spec
from lydian.model.network import Network
from lydian.model.protocol.breaches import fewer_initiators
from lydian.model.protocol.properties import Need

__all__ = ["missing", "small", "violating"]

#: The kinds of small networks, those with the fewest links first.
_KINDS = ("line", "onewayring", "star", "ring", "complete")


def small(needs: Sequence[Need], sizes: Sequence[int]) -> Iterator[Network]:
    """Yield networks of these sizes that meet all the given needs, the smallest first.

    Two processes start if that is permitted, since one alone has no rival; then all, then one.
    """
    for n in sizes:
        seen: list[object] = []
        for kind in _KINDS:
            try:
                made = from_spec(f"{kind}:{n}")
            except BadInput:  # there is no such network of this size
                continue
            for initiators in _starting(made):
                found = next((each for each in _settings(made, initiators) if not missing(needs, each)), None)
                shape = {frozenset((link.a, link.b)) for link in made.links}, made.directed, initiators
                if found is not None and shape not in seen:
                    seen.append(shape)
                    yield found


def missing(needs: Sequence[Need], network: Network) -> list[Need]:
    """Return the needs that a network does not meet."""
    return [each for each in needs if each.missing(network) is not None]


def violating(need: Need, needs: Sequence[Need], network: Network) -> list[tuple[Network, tuple[str, ...]]]:
    """Return networks that violate a need and differ little from one that meets all of them.

    Each comes with the names of all needs that it violates; only those that violate the fewest are returned.
    """
    if need.breach is None:
        changes = _unusual(network)
    elif need.breach.networks is None:
        return []
    else:
        changes = need.breach.networks(network)
    found = []
    for each in changes:
        broken = [other.name for other in missing(needs, each)]
        if need.name in broken:
            found.append((each, tuple(broken)))
    fewest = min((len(broken) for _, broken in found), default=0)
    return [(each, broken) for each, broken in found if len(broken) == fewest]


def _starting(network: Network) -> list[tuple[str, ...]]:
    """Return the sets of initiators to be tried: two, all, one, the leaves, the centre."""
    names = network.processes
    degree = {name: len(network.neighbours(name)) for name in names}
    leaves = tuple(name for name in names if degree[name] <= 1)
    return list(dict.fromkeys((names[:2], names, names[:1], leaves, (max(names, key=lambda name: degree[name]),))))


def _settings(network: Network, initiators: tuple[str, ...]) -> Iterator[Network]:
    """Yield a network with these initiators, the weakest assumptions first."""
    for anonymous in (False, True):
        for order in ("unordered", "fifo"):
            yield network.replace(initiators=initiators, order=order, anonymous=anonymous)


def _unusual(network: Network) -> Iterator[Network]:
    """Yield networks of the same shape and of a smaller one, with other initiators, names or weights."""
    yield from fewer_initiators(network)
    letters = dict(zip(network.processes, "abcdefghijklmnopqrstuvwxyz", strict=False))
    renamed = tuple(replace(link, a=letters[link.a], b=letters[link.b]) for link in network.links)
    yield Network(
        network.name, tuple(letters.values()), renamed, tuple(letters[name] for name in network.initiators),
        order=network.order,
    )  # fmt: skip
    for weight in (-2.0, 0.0):
        for at, link in enumerate(network.links):
            changed = replace(link, weight=weight)
            yield network.replace(links=(*network.links[:at], changed, *network.links[at + 1 :]))
    for name in reversed(network.processes):
        if network.n > 2:
            yield network.replace(
                processes=tuple(each for each in network.processes if each != name),
                links=tuple(link for link in network.links if name not in (link.a, link.b)),
                initiators=tuple(each for each in network.initiators if each != name), positions={},
            )  # fmt: skip
