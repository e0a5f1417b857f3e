"""Edits of parts of networks: copy, paste, place beside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lydian.model.editing.processes import fresh_name
from lydian.model.network import Network

__all__ = ["beside", "part", "paste"]


def part(network: Network, processes: Iterable[str]) -> Network:
    """Return some processes with the links between them and all their settings.

    Raises:
        BadInput: one of the processes does not exist.
    """
    wanted = set(processes)
    for name in wanted:
        network.number(name)
    points = network.coordinates.tolist()
    links = tuple(link for link in network.links if link.a in wanted and link.b in wanted)
    used = {link.klass for link in links}
    return network.replace(
        processes=tuple(name for name in network.processes if name in wanted),
        links=links,
        initiators=tuple(name for name in network.initiators if name in wanted),
        positions={name: tuple(points[i]) for i, name in enumerate(network.processes) if name in wanted},
        steps={name: value for name, value in network.steps.items() if name in wanted},
        drifts={name: value for name, value in network.drifts.items() if name in wanted},
        roles={name: value for name, value in network.roles.items() if name in wanted},
        classes={name: delay for name, delay in network.classes.items() if name in used},
    )


def paste(network: Network, pasted: Network, offset: tuple[float, float] = (0.0, 0.0)) -> tuple[Network, list[str]]:
    """Add the processes and links of another network; processes whose names are in use get new names.

    Their own timing is copied, and so are classes that do not exist yet; settings of the other network as a whole are
    not.

    Args:
        network: the network that is extended.
        pasted: the network that is added.
        offset: the distance by which the pasted processes are moved.

    Returns:
        the network, and the new names of the pasted processes, in their order.
    """
    taken = set(network.index)
    names: dict[str, str] = {}
    for name in pasted.processes:
        names[name] = fresh_name(taken | set(pasted.index), name) if name in taken else name
        taken.add(names[name])
    new = [names[name] for name in pasted.processes]
    points = {name: tuple(point) for name, point in zip(network.processes, network.coordinates.tolist(), strict=True)}
    for name, (x, y) in zip(new, pasted.coordinates.tolist(), strict=True):
        points[name] = (x + offset[0], y + offset[1])
    grown = network.replace(
        processes=(*network.processes, *new),
        links=(*network.links, *(replace(link, a=names[link.a], b=names[link.b]) for link in pasted.links)),
        initiators=(*network.initiators, *(names[name] for name in pasted.initiators)),
        positions=points,
        steps={**network.steps, **{names[name]: value for name, value in pasted.steps.items()}},
        drifts={**network.drifts, **{names[name]: value for name, value in pasted.drifts.items()}},
        roles={**network.roles, **{names[name]: value for name, value in pasted.roles.items()}},
        classes={**pasted.classes, **network.classes},
    )
    return grown, new


def beside(network: Network, other: Network, gap: float = 90.0) -> tuple[Network, list[str]]:
    """Add another network to the right of this one, at a distance of ``gap`` and vertically centred."""
    if not network.n:
        return paste(network, other)
    here, there = network.coordinates, other.coordinates
    if not other.n:
        return network, []
    right = float(here[:, 0].max() - there[:, 0].min()) + gap
    down = float((here[:, 1].min() + here[:, 1].max()) - (there[:, 1].min() + there[:, 1].max())) / 2
    return paste(network, other, (right, down))
