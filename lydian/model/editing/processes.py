"""Edits of processes: add, move, rename, delete, set which processes start and how fast they are."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from lydian.language import tr
from lydian.model.delays import Distribution
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network

__all__ = ["KEEP", "add_process", "delete", "fresh_name", "move", "rename", "set_initiators", "set_process"]

Point = tuple[float, float]


class _Keep:
    def __repr__(self) -> str:
        return "KEEP"


#: An argument that leaves a value unchanged; ``None`` means the value of the network.
KEEP: Final[Any] = _Keep()


def fresh_name(taken: Container[str], like: str = "") -> str:
    """Return an unused name: the smallest free number, or ``like`` with its number replaced by the smallest free
    one."""
    stem = re.sub(r"\d+$", "", like)
    return next(name for name in (f"{stem}{number}" for number in itertools.count()) if name not in taken)


def add_process(network: Network, at: Point, name: str | None = None) -> tuple[Network, str]:
    """Add a process.

    Args:
        at: its position.
        name: its name; by default, a free number.

    Returns:
        the network, and the name of the process.

    Raises:
        BadInput: the name is in use or invalid.
    """
    name = fresh_name(network.index) if name is None else name
    made = network.replace(
        processes=(*network.processes, name), positions={**_all_positions(network), name: (float(at[0]), float(at[1]))}
    )
    return made, name


def move(network: Network, positions: Mapping[str, Point]) -> Network:
    """Return the same network with some processes moved; data derived from it are kept.

    Raises:
        BadInput: a process does not exist, or a position is not a pair of numbers.
    """
    return network.moved({**_all_positions(network), **positions})


def delete(network: Network, processes: Iterable[str] = (), links: Iterable[tuple[str, str]] = ()) -> Network:
    """Delete processes with their links, and other links.

    Raises:
        BadInput: one of them does not exist.
    """
    gone = set(processes)
    cut = set(links)
    for name in gone:
        network.number(name)
    there = {(link.a, link.b) for link in network.links}
    for pair in cut - there:
        raise BadInput(tr("unknown link {process}-{neighbour}", process=pair[0], neighbour=pair[1]))
    if not gone and not cut:
        return network

    def kept(old: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in old.items() if name not in gone}

    return network.replace(
        processes=tuple(name for name in network.processes if name not in gone),
        links=tuple(
            link for link in network.links if link.a not in gone and link.b not in gone and (link.a, link.b) not in cut
        ),
        initiators=tuple(name for name in network.initiators if name not in gone),
        positions=kept(_all_positions(network)),
        steps=kept(network.steps),
        drifts=kept(network.drifts),
        roles=kept(network.roles),
    )


def rename(network: Network, old: str, new: str) -> Network:
    """Rename a process, wherever its name is used.

    Raises:
        BadInput: there is no such process, or the name is in use or invalid.
    """
    network.number(old)
    if old == new:
        return network
    if new in network.index:
        raise BadInput(tr("the name {name} already belongs to another process", name=shown(new)))

    def named(name: str) -> str:
        return new if name == old else name

    def keyed(table: Mapping[str, Any]) -> dict[str, Any]:
        return {named(name): value for name, value in table.items()}

    return network.replace(
        processes=tuple(map(named, network.processes)),
        links=tuple(
            replace(link, a=named(link.a), b=named(link.b)) if old in (link.a, link.b) else link
            for link in network.links
        ),
        initiators=tuple(map(named, network.initiators)),
        positions=keyed(network.positions),
        steps=keyed(network.steps),
        drifts=keyed(network.drifts),
        roles=keyed(network.roles),
    )


def set_initiators(network: Network, names: Iterable[str]) -> Network:
    """Make exactly these processes initiators, in the order of the network.

    Raises:
        BadInput: one of them does not exist.
    """
    wanted = set(names)
    for name in wanted:
        network.number(name)
    return network.replace(initiators=tuple(name for name in network.processes if name in wanted))


def set_process(
    network: Network, names: Iterable[str], *, step: Distribution | None = KEEP, drift: float | None = KEEP,
    role: str | None = KEEP,
) -> Network:  # fmt: skip
    """Set how long processes take for a step, how fast their clocks run, and which role they play.

    Args:
        names: the processes.
        step: the time for a step; ``None``: the value of the network.
        drift: the rate of the clock, where 1 is exact; ``None``: exact.
        role: the role, if a protocol has several; ``None``: the protocol chooses.

    Raises:
        BadInput: a process does not exist, or a value is not permitted.
    """
    names = tuple(names)
    for name in names:
        network.number(name)
    changes: dict[str, Any] = {}
    for field, value in (("steps", step), ("drifts", None if drift == 1.0 else drift), ("roles", role)):
        if value is not KEEP:
            table = {name: old for name, old in getattr(network, field).items() if name not in names}
            changes[field] = table if value is None else {**table, **dict.fromkeys(names, value)}
    return network.replace(**changes) if changes else network


def _all_positions(network: Network) -> dict[str, Point]:
    """Return the positions of all processes, including those without a fixed one, so that an edit moves no other
    process."""
    if len(network.positions) == network.n:
        return dict(network.positions)
    return dict(zip(network.processes, map(tuple, network.coordinates.tolist()), strict=True))
