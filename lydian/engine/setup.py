"""The construction of processes and channels from a resolved experiment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.engine.channel import Channel
from lydian.engine.clocks import Clock
from lydian.model.delays import Distribution
from lydian.model.errors import ProtocolError
from lydian.model.memory.memory import Memory
from lydian.model.names import natural
from lydian.model.network import Network
from lydian.model.protocol.guards import NotAllowed
from lydian.model.protocol.layercells import dispatching
from lydian.model.protocol.message import Message, Record, fitted, plain_copy
from lydian.model.protocol.process import ANY, Process, Variable
from lydian.model.protocol.protocol import Protocol
from lydian.model.protocol.registers import join_registers, sides
from lydian.model.protocol.table import action_arguments, actions
from lydian.model.streams import derived, name_hashes, stream_key, stream_keys, uniforms

__all__ = [
    "Cells", "action_table", "chances", "constant_bits", "defers", "make_channels", "make_memory", "make_processes",
    "own_channel", "sends_to_itself", "steady", "stream",
]  # fmt: skip

#: State -> class of event or ``INIT`` -> function called with the process and, for messages, the message and sender.
Cells = Mapping[str, Mapping[Any, Callable[..., Any]]]

#: The number of the derived stream of delays before a global stabilisation time.
_BEFORE = 2
_FIRST_DRAWS = 4


def action_table(protocol: Protocol) -> Cells:
    """Return the protocol's actions by state and event.

    Each takes ``(process, message, sender)`` for a message, ``(process, event)`` for a timer or a command, and
    ``(process)`` for ``INIT``.
    """
    cells = _actions_of(protocol.cls, protocol.states)
    if protocol.layers:
        cells = dispatching(protocol.cls, cells, [_actions_of(each, own) for each, own in protocol.layers.items()])
    return {state: MappingProxyType(row) for state, row in cells.items()}


def _actions_of(cls: type[Any], states: Sequence[str]) -> dict[str, dict[Any, Callable[..., Any]]]:
    """Return the actions of a process itself, or of one of its layers."""
    cells: dict[str, dict[Any, Callable[..., Any]]] = {state: {} for state in states}
    for for_any in (True, False):
        for _, action, rules in actions(cls):
            for rule in rules:
                if (ANY in rule.states) is for_any:
                    for state in states if for_any else rule.states:
                        for event in rule.events:
                            cells[str(state)][event] = _fitted(action, event)
    return cells


def _fitted(action: Callable[..., Any], event: Any) -> Callable[..., Any]:
    """Return the action as a function with the number of arguments that the kernel passes."""
    takes = action_arguments(action)
    if not isinstance(event, type):
        return action
    if issubclass(event, Message):
        if takes >= 2:
            return action
        return (lambda p, m, q: action(p, m)) if takes == 1 else (lambda p, m, q: action(p))
    return action if takes >= 1 else (lambda p, m: action(p))


def make_memory(protocol: Protocol, network: Network, parameters: Mapping[str, Any]) -> Memory:
    """Create the shared objects of a protocol, with their initial values."""
    numbers = {"n": network.n, "m": network.m, **parameters}
    return Memory(protocol.shared, sorted(network.processes, key=natural), numbers, protocol.file)


def make_processes(protocol: Protocol, network: Network, parameters: Mapping[str, Any], engine: Any) -> list[Process]:
    """Create the processes in the order of the network, with their initial variables."""
    tables = {role: action_table(protocol.played(role)) for role in protocol.roles or ("",)}
    processes: list[Process] = []
    beside, initiators = sides(network), frozenset(network.initiators)
    for i, name in enumerate(network.processes):
        part = protocol.played(network.roles.get(name, ""))
        p: Process = part.cls.__new__(part.cls)
        p._i = i
        p._name = name
        p._engine = engine
        p._cells = tables[part.cls._role]
        p._links = {}
        p._crashed = p._faulty = p._lied = False
        p._slow = False
        p._clock = Clock()
        p._snapshot, p._recorded, p._where = (), {}, [-1]
        p._random = None
        p._seen = None  # type: ignore[assignment]
        p._sides = None if beside is None else beside[i]
        p._initiator = name in initiators
        p._rate = float(network.drifts.get(name, 1.0))
        p.me = None if network.anonymous else name
        neighbours = network.neighbours(name)
        p.neighbours = tuple(range(len(neighbours))) if network.anonymous else neighbours
        weights = network.weights  # empty in most networks
        p._weights = (
            {port: weights[name, q] for port, q in zip(p.neighbours, neighbours, strict=True) if (name, q) in weights}
            if weights
            else {}
        )
        restart(p, protocol, parameters)
        processes.append(p)
    if protocol.reads_neighbours:
        join_registers(processes, network, tuple(protocol.variables.values()))
    return processes


def restart(p: Process, protocol: Protocol, parameters: Mapping[str, Any]) -> None:
    """Set a process to its initial state and its initial variables."""
    part = protocol.played(p._role)
    p.state = p._declared.start
    for variable in part.variables.values():
        setattr(p, variable.name, plain_copy(variable.initial))
    for name in part.parameters:
        value = parameters[name]
        setattr(p, name, plain_copy(value) if isinstance(value, (list, set, dict)) else value)
    for variable in part.variables.values():
        if variable.first is not None:
            setattr(p, variable.name, _first(p, variable, protocol))


def _first(p: Process, variable: Variable, protocol: Protocol) -> Any:
    """Return the initial value of a variable that a process computes.

    Raises:
        ProtocolError: the value cannot be computed, or is not plain data of the declared type.
    """
    assert variable.first is not None
    try:
        return plain_copy(fitted(variable.first(p), variable.type, variable.initial))
    except (Exception, NotAllowed) as error:  # noqa: BLE001 - a student's function may fail in any way
        line = getattr(getattr(variable.first, "__code__", None), "co_firstlineno", None)
        what = f"the initial value of '{variable.name}' cannot be computed for process {p._name}: {error}"
        file, line = protocol.place(line)
        raise ProtocolError(what, file=file, place=None if line is None else f"line {line}") from None


def make_channels(
    network: Network, processes: list[Process], seed: int, clock: Callable[[], float] | None = None
) -> list[Channel]:
    """Create all channels, and register each at its sender under the sender's name for the receiver.

    Each channel draws its delays from its own stream, which depends on the seed and its two ends.

    Args:
        clock: returns the time, on which delays depend before a global stabilisation time.
    """
    known = network.channels()
    hashes = name_hashes(network.processes)
    keys = stream_keys(seed, "delay", hashes[known.source], hashes[known.target])
    draws: list[Callable[[], float]] = [_never] * len(known)
    for distribution, members in known.delays:
        for number, draw in zip(members.tolist(), streams(distribution, keys[members]), strict=True):
            draws[number] = draw
    if network.gst is not None and clock is not None:
        earlier = streams(network.gst.before, derived(keys, _BEFORE))
        draws = [before(network.gst.at, early, draw, clock) for early, draw in zip(earlier, draws, strict=True)]
    ports = _ports(network) if network.anonymous else None
    channels: list[Channel] = []
    sources, targets = known.source.tolist(), known.target.tolist()
    for number, (a, b, draw) in enumerate(zip(sources, targets, draws, strict=True)):
        source, target = processes[a], processes[b]
        channel = Channel(source, target, source._name if ports is None else ports.get((b, a)), draw)
        source._links[target._name if ports is None else ports[a, b]] = channel
        channels.append(channel)
        if known.fifo[number] or known.loss[number] > 0:
            channel.fifo = bool(known.fifo[number])
            channel.loss = float(known.loss[number])
            if channel.loss > 0:
                channel.lose = chances(stream_key(seed, "loss", source._name, target._name))
            channel.look_closer()
    return channels


def before(
    at: float, early: Callable[[], float], late: Callable[[], float], clock: Callable[[], float]
) -> Callable[[], float]:
    """Return a function that draws the next delay before and after a global stabilisation time.

    Args:
        at: that time.
        early, late: draw a delay before and after it; both are drawn before it, so that the delays after it do not
            depend on those before.
        clock: returns the time.
    """

    def draw() -> float:
        delay, now = late(), clock()
        return delay if now >= at else min(early(), at - now + delay)

    return draw


def own_channel(p: Process, network: Network, seed: int, clock: Callable[[], float] | None = None) -> Channel:
    """Create the channel from a process to itself, which has the network's delay and order and loses no message.

    It is registered at the process under its own name.
    """
    draw = steady(network, stream_key(seed, "delay", p._name, p._name), 256, clock)
    channel = Channel(p, p, p._name, draw)
    channel.fifo = network.order == "fifo"
    channel.look_closer()
    p._links[p._name] = channel  # type: ignore[index]  # a dict that only the engine writes
    return channel


def sends_to_itself(protocol: Protocol) -> bool:
    """Return True if processes might send to themselves, which has to be determined before a search begins.

    They obtain their own names from ``self.me``, directly or in a message.
    """
    return "self.me" in protocol.source


def defers(protocol: Protocol) -> bool:
    """Return True if processes might defer messages."""
    return ".defer(" in protocol.source and any(
        getattr(each, "defer", None) is Process.defer for each in protocol.classes
    )


def _ports(network: Network) -> dict[tuple[int, int], int]:
    index = network.index
    return {
        (i, index[q]): port
        for i, name in enumerate(network.processes)
        for port, q in enumerate(network.neighbours(name))
    }


def _never() -> float:
    raise AssertionError("a channel without a delay")


def streams(distribution: Distribution, keys: NDArray[np.uint64], most: int = 4096) -> Iterator[Callable[[], float]]:
    """Yield, for each key, a function that returns the next draw.

    The first draws for all keys are made together, later ones in blocks of at most ``most``.
    """
    if distribution.kind == "constant":
        yield from (repeat(distribution.mean).__next__ for _ in range(len(keys)))
        return
    first = distribution.draws(keys, 0, _FIRST_DRAWS).tolist()
    for i, block in enumerate(first):
        yield chain.from_iterable(_blocks(block, distribution, keys[i : i + 1], most)).__next__


def stream(distribution: Distribution, key: int, most: int = 4096) -> Callable[[], float]:
    """Return a function that returns the next draw of one stream; draws are made in blocks of at most ``most``."""
    return next(streams(distribution, np.array([key], dtype=np.uint64), most))


def steady(network: Network, key: int, most: int, clock: Callable[[], float] | None) -> Callable[[], float]:
    """Return a function that returns the next delay of a network, which may depend on the time."""
    draw = stream(network.delay, key, most)
    if network.gst is None or clock is None:
        return draw
    early = stream(network.gst.before, int(derived(np.uint64(key), _BEFORE)[0]), most)
    return before(network.gst.at, early, draw, clock)


def _blocks(
    first: list[float], distribution: Distribution, key: NDArray[np.uint64], most: int
) -> Iterator[list[float]]:
    yield first
    at, size = len(first), 16
    while True:
        yield distribution.draws(key, at, size)[0].tolist()
        at += size
        size = min(4 * size, most)


def chances(key: int) -> Callable[[], float]:
    """Return a function that draws uniformly distributed numbers in (0, 1); draws are made in blocks."""
    keys = np.array([key], dtype=np.uint64)

    def blocks() -> Iterator[list[float]]:
        at = 0
        while True:
            yield uniforms(keys, at, 64)[0].tolist()
            at += 64

    return chain.from_iterable(blocks()).__next__


def constant_bits(cls: type[Record]) -> int | None:
    """Return the size of every message of a class, or ``None`` if it depends on the fields."""
    return cls().bits if not cls._fields else None
