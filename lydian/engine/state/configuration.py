"""The configuration that properties refer to: all processes and the messages in transit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from lydian.model.errors import did_you_mean, shown, unknown_process
from lydian.model.history.operations import History
from lydian.model.protocol.message import Message
from lydian.model.protocol.observer import Observer, unknown_observer
from lydian.model.protocol.process import Process

if TYPE_CHECKING:
    from lydian.engine.kernel import Kernel
    from lydian.engine.observers import Feed
    from lydian.engine.rules import Rules
    from lydian.model.memory.memory import Memory
    from lydian.model.network import Network

__all__ = ["Configuration", "Observed", "Said", "Transit"]

Observed = TypeVar("Observed", bound=Observer)


@dataclass(frozen=True)
class Transit:
    """A message in transit.

    Attributes:
        message: the message.
        sender, receiver: the processes at the ends.
        name: the receiver's name for the sender.
        id: the number of the message, as in the trace.
        arrives: when it will arrive without interventions; in the past if it waits for a busy process.
    """

    message: Message
    sender: Process
    receiver: Process
    name: Any
    id: int
    arrives: float


class Said(Mapping[Process, Any]):
    """The decisions or deliveries of processes, by process or by its name, in the order of the network.

    Args:
        processes: the processes that have a value.
        value: returns the value for the name of a process.
    """

    def __init__(self, processes: Sequence[Process], value: Callable[[str], Any]) -> None:
        self._by_name = {p._name: p for p in processes}
        self._value = value

    def __getitem__(self, process: Process | str) -> Any:
        name = process if isinstance(process, str) else process._name
        if name not in self._by_name:
            raise KeyError(name)
        return self._value(name)

    def __iter__(self) -> Iterator[Process]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return repr({name: self._value(name) for name in self._by_name})


class Configuration:
    """A configuration; ``c`` in a property.

    Attributes:
        processes: all processes in the order of the network, including crashed ones (``c.crashed(p)``).
        network: the network of the processes.
    """

    def __init__(self, processes: Sequence[Process], network: Network) -> None:
        self.processes = processes
        self.network = network
        self._rules: Rules | None = None
        self._decisions: Mapping[str, Any] = {}
        self._deliveries: Mapping[str, Sequence[Any]] = {}
        self._history = History()
        self._memory: Memory | None = None
        self._feed: Feed | None = None

    def heeds(self, decisions: Mapping[str, Any], deliveries: Mapping[str, Sequence[Any]], history: History) -> None:
        """Set the mappings that contain decisions and deliveries by the name of the process, and the history."""
        self._decisions, self._deliveries, self._history = decisions, deliveries, history

    def attach(self, kernel: Kernel, rules: Rules | None = None, memory: Memory | None = None) -> None:
        """Set the kernel, which contains the messages, the guarded actions, and the shared objects."""
        self._kernel = kernel
        self._rules = rules
        self._memory = memory

    def observed_by(self, feed: Feed) -> None:
        """Set the observers."""
        self._feed = feed

    def observer(self, cls: type[Observed]) -> Observed:
        """Return the observer of this class, with what the events so far have made of its variables."""
        if self._feed is None:
            raise ValueError(unknown_observer(cls, ()))
        found: Observed = self._feed[cls]  # type: ignore[assignment]
        return found

    def role(self, name: str) -> list[Process]:
        """Return the processes that play a role, in the order of the network, including crashed ones."""
        known = dict.fromkeys(p._role for p in self.processes if p._role)
        if name not in known:
            there = did_you_mean(name, known) or "; choose from " + ", ".join(known)
            raise ValueError(f"unknown role {shown(name)}" + (there if known else "; the protocol has no roles"))
        return [p for p in self.processes if p._role == name]

    @property
    def time(self) -> float:
        """The simulated time."""
        return float(self._kernel.now)

    @property
    def n(self) -> int:
        """The number of processes."""
        return len(self.processes)

    @property
    def in_transit(self) -> list[Transit]:
        """The messages that have been sent and neither received nor lost, in the order of sending."""
        return [
            Transit(each.message, each.channel.source, each.channel.target, each.channel.name, each.id, each.time)
            for each in self._kernel.queue.in_transit()
        ]

    @property
    def enabled(self) -> list[tuple[Process, str]]:
        """The enabled guarded actions: pairs of a process and the name of a rule, in the order of the network."""
        if self._rules is not None and self._rules.begun:
            return self._rules.enabled()
        return [(p, rule) for p in self.processes for rule in p.enabled]

    @property
    def correct(self) -> list[Process]:
        """The correct processes, which have never crashed and never been Byzantine."""
        return [p for p in self.processes if not (p._faulty or p._crashed)]

    @property
    def honest(self) -> list[Process]:
        """The processes that have never been Byzantine, including those that have crashed."""
        return [p for p in self.processes if not p._lied]

    @property
    def decided(self) -> Said:
        """The last decision of each process that has decided, including processes that crashed afterwards."""
        return Said([p for p in self.processes if p._name in self._decisions], self._decisions.__getitem__)

    @property
    def delivered(self) -> Said:
        """The values that each process has delivered, in order, as a tuple; empty if there are none yet."""
        return Said(self.processes, lambda name: tuple(self._deliveries.get(name, ())))

    @property
    def shared(self) -> Mapping[str, Any]:
        """The values of the shared objects by name: ``c.shared["turn"]``, ``c.shared["wants[2]"]``.

        The value of a register with a write in progress is the one before it.
        """
        return {} if self._memory is None else dict(self._memory.values())

    @property
    def history(self) -> History:
        """The operations so far, in the order of their invocations: the commands of users, with the responses."""
        return self._history

    def process(self, name: str) -> Process:
        """Return the process of this name."""
        if name not in self.network.index:
            raise ValueError(unknown_process(name, self.network.processes))
        return self.processes[self.network.index[name]]

    def across(self, process: Process, neighbour: Any) -> Process:
        """Return the process that ``process`` calls ``neighbour`` (a name, or a port in an anonymous network)."""
        try:  # in an overlay, every process can be reached
            target: Process = process._links[neighbour].target
        except KeyError:
            raise ValueError(f"process {process._name} has no neighbour {shown(neighbour)}") from None
        return target

    def crashed(self, process: Process) -> bool:
        """Return True if ``process`` has crashed and not recovered."""
        return process._crashed

    def name(self, process: Process) -> str:
        """Return the name that the observer uses for ``process``, even in an anonymous network."""
        return process._name
