"""Registers: the state and the variables of neighbours, which guarded actions can read.

A process can read the registers of the processes from which a link leads to it, immediately and whatever the delays of
the links. For a process that has crashed it reads the last values, and across a link that is down those at the time
when the link went down.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from lydian.model.errors import did_you_mean
from lydian.model.protocol.guards import refuse
from lydian.model.protocol.message import accepted_types, plain_copy
from lydian.model.protocol.process import Process, Variable

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = ["Register", "freeze", "image", "join_registers", "register_type", "sides"]

#: Types whose values cannot be changed.
_SOLID = frozenset({bool, int, float, str, bytes, type(None)})


class Register:
    """A view of another process: its ``state`` and its declared variables."""

    __slots__ = ("_of",)

    #: The names that can be read, for errors.
    _names: tuple[str, ...] = ("state",)

    def __init__(self, of: Any) -> None:
        object.__setattr__(self, "_of", of)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        near = did_you_mean(name, self._names)
        raise refuse(f"a neighbour has no variable '{name}'{near}; the visible ones are {', '.join(self._names)}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise refuse(
            f"it changes '{name}' of process {self._of._name}; a process may read its neighbours but change only itself"
        )

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __repr__(self) -> str:
        return f"<what is seen of {self._of._name}>"


def register_type(variables: Sequence[Variable]) -> type[Register]:
    """Return the class of views of processes with these variables."""
    body: dict[str, Any] = {"__slots__": (), "_names": ("state", *(each.name for each in variables))}
    body["state"] = property(attrgetter("_of.state"))
    for each in variables:
        kinds = accepted_types(each.type)
        plain = kinds is not None and _SOLID.issuperset(kinds)
        body[each.name] = property(attrgetter(f"_of.{each.name}") if plain else _copied(each.name))
    return type("Register", (Register,), body)


def _copied(name: str) -> Any:
    """Return a function that reads a variable, and copies a value that may change, such as a list."""
    get = attrgetter(f"_of.{name}")

    def read(look: Register) -> Any:
        value = get(look)
        return value if type(value) in _SOLID else plain_copy(value)

    return read


def join_registers(processes: Sequence[Process], network: Network, variables: Sequence[Variable]) -> None:
    """Let every process read those from which a link leads to it, under the names by which it knows them."""
    kind = register_type(variables)
    looks = [kind(p) for p in processes]
    seen: list[dict[Any, Register]] = [{} for _ in processes]
    channels = network.channels()
    ports: dict[int, dict[str, int]] = {}
    if network.anonymous:
        ports = {i: {q: at for at, q in enumerate(network.neighbours(p._name))} for i, p in enumerate(processes)}
    for a, b in zip(channels.source.tolist(), channels.target.tolist(), strict=True):
        name: Any = processes[a]._name
        if network.anonymous:
            name = ports[b].get(name, _BACK)  # a process cannot send against the direction of a one-way link
        seen[b][name] = looks[a]
    for p, row in zip(processes, seen, strict=True):
        p._seen = row


#: The name of a neighbour to which a process of an anonymous one-way ring cannot send.
_BACK = -1


class _Left:
    """The last values of a process at the time when a link to it was cut."""

    def __init__(self, of: Process, names: Sequence[str]) -> None:
        self._name, self._role, self._i = of._name, of._role, -1
        self.neighbours: tuple[Any, ...] = ()
        self.state = of.state
        for name in names:
            setattr(self, name, plain_copy(getattr(of, name)))


def image(p: Process, names: Sequence[str]) -> Any:
    """Return a changeable copy of the current values of a process, to be shown in its place.

    Args:
        names: the names of its variables.
    """
    found = _Left(p, names)
    found._i, found.neighbours = p._i, p.neighbours
    return found


def freeze(look: Register) -> Register:
    """Return the same view with the current values, which no longer change."""
    names = look._names[1:]
    return type(look)(_Left(look._of, names))


def sides(network: Network) -> list[tuple[Any, Any]] | None:
    """Return each process's left and right neighbour in a ring; ``None`` if the network is not a ring.

    All processes have the same orientation: along the links of a one-way ring; otherwise from the first process to the
    one of its two neighbours that comes first in the network, and so on.
    """
    n = network.n
    pair = n == 2 and (network.m == 1 or network.directed) and network.connected
    if not pair and not network.is_ring:
        return None
    index, names = network.index, network.processes
    order = [0]
    while len(order) < n:
        back = names[order[-2]] if len(order) > 1 else None
        order.append(min(index[q] for q in network.neighbours(names[order[-1]]) if q != back))
    found: list[tuple[Any, Any]] = [(None, None)] * n
    for at, i in enumerate(order):
        left, right = names[order[at - 1]], names[order[(at + 1) % n]]
        if network.anonymous:
            ports = {q: port for port, q in enumerate(network.neighbours(names[i]))}
            found[i] = ports.get(left, _BACK), ports[right]
        else:
            found[i] = left, right
    return found
