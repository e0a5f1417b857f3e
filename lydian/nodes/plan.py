"""What to run: a command, a network, a workload with its clients, faults and limits."""

from __future__ import annotations

import dataclasses
import math
import os
import re
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.interventions.kind import Intervention
from lydian.model.names import natural
from lydian.model.network import Network
from lydian.model.network.links import Link
from lydian.model.network.netfile import from_dict, to_dict
from lydian.nodes import faults
from lydian.nodes.workloads import WORKLOADS, Workload

__all__ = ["MOST_PROGRAMS", "Plan", "command_of", "renamed", "with_others"]

#: The largest number of programs in one run.
MOST_PROGRAMS = 200


@dataclass(frozen=True)
class Plan:
    """One run of programs; all times are in milliseconds.

    Args:
        command: the program and its arguments; every process runs it.
        network: the network; its processes are called n0, n1 ...
        workload: the name of the workload.
        seed: the seed of all that is drawn: delays, losses, requests. (The programs themselves are not repeatable.)
        duration: how long the clients make requests.
        rate: the requests of all clients in a second.
        clients: the number of clients, ``None`` for one at each process.
        timeout: how long a client waits for a reply.
        settle: how long the programs are left alone before the last requests.
        startup: how long a program may take to answer ``init``.
        faults: the interventions, in the order of their times.
        memory: the bytes of data that each program may use (Linux).
        events: the largest number of events.
        drawn: whether clients are processes of the trace; otherwise requests and replies are events of the programs.
    """

    command: tuple[str, ...]
    network: Network
    workload: str
    seed: int = 1
    duration: float = 5000.0
    rate: float = 20.0
    clients: int | None = None
    timeout: float = 2000.0
    settle: float = 1000.0
    startup: float = 15_000.0
    faults: tuple[Intervention, ...] = ()
    memory: int = 2_000_000_000
    events: int = 2_000_000
    drawn: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "faults", tuple(sorted(self.faults, key=lambda each: each.time)))
        if self.workload not in WORKLOADS:
            hint = did_you_mean(self.workload, WORKLOADS) or f"; choose from {', '.join(WORKLOADS)}"
            raise BadInput(f"unknown workload {shown(self.workload)}{hint}", place="workload")
        if not 1 <= self.network.n <= MOST_PROGRAMS:
            count = f"{self.network.n:,} processes" if self.network.n else "no process"
            what = f"network {self.network.name} has {count}; a run of programs must have 1 to {MOST_PROGRAMS}"
            raise BadInput(what, place="network")
        for rate in ("duplication", "corruption"):
            links = any(getattr(each, rate) for each in self.network.links)
            if getattr(self.network, rate) or links:
                what = f"messages between programs cannot have {rate}; they may be delayed, lost and out of order"
                raise BadInput(what, place="network")
        for name in ("duration", "timeout", "settle", "startup"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise BadInput(f"must be a number of milliseconds, not {shown(value)}", place=name)
        if not (math.isfinite(self.rate) and 0 < self.rate <= 1e6):
            raise BadInput(f"must be a number of requests in a second above 0, not {shown(self.rate)}", place="rate")
        if self.clients is not None and not 1 <= self.clients <= 1000:
            raise BadInput(f"must be a number from 1 to 1000, not {shown(self.clients)}", place="clients")
        faults.check(self.faults, self.network)

    @property
    def kind(self) -> type[Workload]:
        """The class of the workload."""
        return WORKLOADS[self.workload]

    @property
    def client_names(self) -> tuple[str, ...]:
        """The names of the clients."""
        return tuple(f"c{i}" for i in range(self.network.n if self.clients is None else self.clients))

    @property
    def title(self) -> str:
        """The name of the program, for the user: its file without folders."""
        words = [each for each in self.command if not each.startswith("-")]
        named = [each for each in words if Path(each).suffix] or words
        return Path(named[0]).name

    def to_dict(self) -> dict[str, Any]:
        """Return the plan for a trace or another process."""
        data = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        told = {"network": to_dict(self.network), "faults": [each.to_dict() for each in self.faults]}
        return data | told | {"command": list(self.command)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Plan:
        """Return the plan that :meth:`to_dict` described."""
        given = dict(data)
        given["network"] = from_dict(given["network"])
        given["faults"] = tuple(Intervention.from_dict(each) for each in given.get("faults", ()))
        return cls(**given | {"command": tuple(given["command"])})


def command_of(text: str, place: str = "--nodes") -> tuple[str, ...]:
    """Return the words of a command, of which the first is a program that can be started.

    Raises:
        BadInput: it is not; the error says what would be right.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInput(f"a quotation mark is missing in {shown(text)} ({str(error).lower()})", place=place) from None
    if not words:
        raise BadInput('the command is empty; write a program and its arguments, such as "./broadcast"', place=place)
    if shutil.which(words[0]) is not None:
        return tuple(words)
    path = Path(words[0])
    if path.is_dir():
        raise BadInput(f"{words[0]} is a folder; name the program in it", place=place)
    if path.is_file():
        interpreter = {".py": "python3", ".js": "node", ".rb": "ruby"}.get(path.suffix)
        other = f' or write "{interpreter} {words[0]}"' if interpreter else ""
        if os.sep not in words[0] and os.access(path, os.X_OK):
            return (f".{os.sep}{words[0]}", *words[1:])
        raise BadInput(f'{words[0]} is not executable; allow it with "chmod +x {words[0]}"{other}', place=place)
    where = "there is no such file" if os.sep in words[0] else "no program of this name was found"
    raise BadInput(f"{shown(words[0])} cannot be started: {where}", place=place)


def renamed(network: Network) -> Network:
    """Return a network whose processes are called n0, n1 ..., as programs expect it, unless they already are."""
    if network.n and all(re.fullmatch(r"n\d+", name) for name in network.processes):
        return network
    order = sorted(network.processes, key=natural)
    new = {name: f"n{i}" for i, name in enumerate(order)}
    links = tuple(dataclasses.replace(link, a=new[link.a], b=new[link.b]) for link in network.links)
    return network.replace(
        processes=tuple(new[name] for name in order),
        links=links,
        initiators=tuple(new[name] for name in network.initiators),
        positions={new[name]: place for name, place in network.positions.items()},
        steps={new[name]: step for name, step in network.steps.items()},
        drifts={new[name]: drift for name, drift in network.drifts.items()},
        roles={new[name]: role for name, role in network.roles.items()},
    )


def with_others(network: Network, clients: Mapping[str, str], services: Mapping[str, set[str]]) -> Network:
    """Return the network with each client beside the process that it asks, and the services above all.

    Args:
        clients: client -> the process that it asks.
        services: service -> the processes that ask it.
    """
    points = network.coordinates
    places: dict[str, tuple[float, float]] = dict(zip(network.processes, points.tolist(), strict=True))
    (left, top), (right, _) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    gap = 0.42 * _nearest(points)
    asked: dict[str, int] = {}
    for client, process in clients.items():
        x, y = places[process]
        away = points.mean(axis=0) - (x, y)
        turn = math.atan2(-away[1], -away[0]) + 0.4 + 0.6 * asked.get(process, 0)  # outwards, beside links
        asked[process] = asked.get(process, 0) + 1
        places[client] = (x + gap * math.cos(turn), y + gap * math.sin(turn))
    for i, name in enumerate(services):
        places[name] = (left + (right - left) * (i + 0.5) / len(services), top - 2.5 * gap)
    links = [*network.links, *(Link(client, process, klass="client") for client, process in clients.items())]
    for name, some in services.items():
        links += [Link(each, name, klass="service") for each in sorted(some, key=natural)]
    everybody = (*network.processes, *clients, *services)
    return network.replace(processes=everybody, links=tuple(links), positions=places, initiators=network.processes)


def _nearest(points: NDArray[np.float64]) -> float:
    """Return the smallest distance of two points, and some distance if there is only one."""
    if len(points) < 2:
        return 150.0
    apart = np.hypot(*(points[:, None, :] - points[None, :, :]).transpose(2, 0, 1))
    return max(float(apart[np.triu_indices(len(points), 1)].min()), 60.0)
