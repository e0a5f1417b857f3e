"""The global state that properties speak about: all processes and the messages in transit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lydian.model.message import Message
from lydian.model.process import Process

if TYPE_CHECKING:
    from lydian.engine.kernel import Kernel
    from lydian.engine.rules import Rules
    from lydian.model.network import Network

__all__ = ["Configuration", "Transit"]


@dataclass(frozen=True)
class Transit:
    """A message on its way.

    Attributes:
        message: what was sent.
        sender, receiver: the processes at the ends.
        name: what the receiver calls the sender.
        id: number of the message, as in the trace.
        arrives: when it will arrive, if nothing happens to it; in the past if it waits at a busy process's door.
    """

    message: Message
    sender: Process
    receiver: Process
    name: Any
    id: int
    arrives: float


class Configuration:
    """One global state; ``c`` in a property.

    Attributes:
        processes: all processes in the order of the network; crashed ones too (``c.crashed(p)``).
        network: the network they live in.
    """

    def __init__(self, processes: Sequence[Process], network: Network) -> None:
        self.processes = processes
        self.network = network
        self._rules: Rules | None = None

    def attach(self, kernel: Kernel, doors: Mapping[int, Any], losing: Any, rules: Rules | None = None) -> None:
        """Say where the messages are: in the kernel's queue, some of them (``losing``) to be lost at the end of their
        way, and at the doors of busy processes."""
        self._kernel = kernel
        self._doors = doors
        self._losing = losing
        self._rules = rules

    @property
    def time(self) -> float:
        """Simulated time."""
        return float(self._kernel.now)

    @property
    def n(self) -> int:
        """Number of processes."""
        return len(self.processes)

    @property
    def in_transit(self) -> list[Transit]:
        """The messages sent and neither received nor lost, in the order of sending."""
        queue: list[Any] = self._kernel._queue
        found = [_transit(entry) for entry in queue if len(entry) == 12]
        found += [_transit(entry[4][0]) for entry in queue if entry[3] is self._losing]
        found += [_transit(entry) for door in self._doors.values() for entry, *_ in door if len(entry) == 12]
        found.sort(key=lambda each: each.id)
        return found

    @property
    def enabled(self) -> list[tuple[Process, str]]:
        """Who may execute which guarded action: pairs of a process and the name of a rule, in the network's order."""
        if self._rules is not None and self._rules.begun:
            return self._rules.enabled()
        return [(p, rule) for p in self.processes for rule in p.enabled]

    @property
    def correct(self) -> list[Process]:
        """The processes that are not faulty: that have never crashed and never been Byzantine."""
        return [p for p in self.processes if not (p._faulty or p._crashed)]

    def process(self, name: str) -> Process:
        """The process of this name."""
        return self.processes[self.network.index[name]]

    def across(self, process: Process, neighbour: Any) -> Process:
        """The process that ``process`` calls ``neighbour`` (a name, or a port number in an anonymous network)."""
        target: Process = process._links[neighbour].target
        return target

    def crashed(self, process: Process) -> bool:
        """Whether ``process`` has crashed and not recovered."""
        return process._crashed

    def name(self, process: Process) -> str:
        """The name of ``process`` for the observer, in an anonymous network too."""
        return process._name


def _transit(entry: Any) -> Transit:
    channel = entry[4]
    return Transit(entry[5], channel.source, channel.target, channel.name, entry[6], entry[0])
