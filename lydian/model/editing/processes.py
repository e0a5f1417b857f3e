"""Edits of processes: put one down, move, rename, delete, say who starts and how fast a process is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from lydian.model.delays import Distribution
from lydian.model.errors import BadInput, shown
from lydian.model.network import Network

__all__ = ["KEEP", "add_process", "delete", "fresh_name", "move", "rename", "set_initiators", "set_process"]

Point = tuple[float, float]


class _Keep:
    def __repr__(self) -> str:
        return "KEEP"


#: An argument that leaves things as they are; ``None`` means "as the network has it".
KEEP: Final[Any] = _Keep()


def fresh_name(taken: Container[str], like: str = "") -> str:
    """A name that is not taken: the smallest free number, or ``like`` without its number and the smallest free one."""
    stem = re.sub(r"\d+$", "", like)
    return next(name for name in (f"{stem}{number}" for number in itertools.count()) if name not in taken)


def add_process(network: Network, at: Point, name: str | None = None) -> tuple[Network, str]:
    """Put a process down.

    Args:
        at: where.
        name: its name; a free number if none is given.

    Returns:
        the network, and the name of the process.

    Raises:
        BadInput: the name is taken or cannot be one.
    """
    name = fresh_name(network.index) if name is None else name
    made = network.replace(
        processes=(*network.processes, name), positions={**_all_positions(network), name: (float(at[0]), float(at[1]))}
    )
    return made, name


def move(network: Network, positions: Mapping[str, Point]) -> Network:
    """The same network with some processes elsewhere; nothing that was derived from it is lost.

    Raises:
        BadInput: a process is not there, or a position is no pair of numbers.
    """
    return network.moved({**_all_positions(network), **positions})


def delete(network: Network, processes: Iterable[str] = (), links: Iterable[tuple[str, str]] = ()) -> Network:
    """Take processes away, with their links, and further links.

    Raises:
        BadInput: one of them is not there.
    """
    gone = set(processes)
    cut = set(links)
    for name in gone:
        network.number(name)
    there = {(link.a, link.b) for link in network.links}
    for pair in cut - there:
        raise BadInput(f"unknown link {pair[0]}-{pair[1]}")
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
    )


def rename(network: Network, old: str, new: str) -> Network:
    """Give a process another name, wherever it is named.

    Raises:
        BadInput: there is no such process; the name is taken or cannot be one.
    """
    network.number(old)
    if old == new:
        return network
    if new in network.index:
        raise BadInput(f"the name {shown(new)} already belongs to another process")

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
    )


def set_initiators(network: Network, names: Iterable[str]) -> Network:
    """Exactly these processes start, in the order of the network.

    Raises:
        BadInput: one of them is not there.
    """
    wanted = set(names)
    for name in wanted:
        network.number(name)
    return network.replace(initiators=tuple(name for name in network.processes if name in wanted))


def set_process(
    network: Network, names: Iterable[str], *, step: Distribution | None = KEEP, drift: float | None = KEEP
) -> Network:
    """Say how long processes take for a step and how fast their clocks run.

    Args:
        names: the processes.
        step: the time for a step; ``None``: as the network has it.
        drift: how fast the clock runs, 1 is right; ``None``: right.

    Raises:
        BadInput: a process is not there, or a value is not allowed.
    """
    names = tuple(names)
    for name in names:
        network.number(name)
    changes: dict[str, Any] = {}
    for field, value in (("steps", step), ("drifts", None if drift == 1.0 else drift)):
        if value is not KEEP:
            table = {name: old for name, old in getattr(network, field).items() if name not in names}
            changes[field] = table if value is None else {**table, **dict.fromkeys(names, value)}
    return network.replace(**changes) if changes else network


def _all_positions(network: Network) -> dict[str, Point]:
    """Where all processes are drawn, those without a position of their own included: an edit moves nobody else."""
    if len(network.positions) == network.n:
        return dict(network.positions)
    return dict(zip(network.processes, map(tuple, network.coordinates.tolist()), strict=True))
