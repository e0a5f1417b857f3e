"""What a process sees of its neighbours in guarded actions: their registers, which can only be read.

The registers of a process are its state and its variables.  A process sees those of the processes from which a link
leads to it, at once and whatever the delays of the links; of a process that has crashed it sees what it left, and
across a link that is down what it saw last.
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

#: Types whose values nobody can change.
_SOLID = frozenset({bool, int, float, str, bytes, type(None)})


class Register:
    """A look at another process: its ``state`` and its declared variables."""

    __slots__ = ("_of",)

    #: Names that can be read, for sentences.
    _names: tuple[str, ...] = ("state",)

    def __init__(self, of: Any) -> None:
        object.__setattr__(self, "_of", of)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        near = did_you_mean(name, self._names)
        raise refuse(f"a neighbour has no variable '{name}'{near}; one can see {', '.join(self._names)}")

    def __setattr__(self, name: str, value: Any) -> None:
        raise refuse(
            f"it changes '{name}' of process {self._of._name}; "
            "a process looks at its neighbours and changes only itself"
        )

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __repr__(self) -> str:
        return f"<what is seen of {self._of._name}>"


def register_type(variables: Sequence[Variable]) -> type[Register]:
    """The class of looks at processes with these variables."""
    body: dict[str, Any] = {"__slots__": (), "_names": ("state", *(each.name for each in variables))}
    body["state"] = property(attrgetter("_of.state"))
    for each in variables:
        kinds = accepted_types(each.type)
        plain = kinds is not None and _SOLID.issuperset(kinds)
        body[each.name] = property(attrgetter(f"_of.{each.name}") if plain else _copied(each.name))
    return type("Register", (Register,), body)


def _copied(name: str) -> Any:
    """Reads a variable that may hold a list: whoever looks gets a copy."""
    get = attrgetter(f"_of.{name}")

    def read(look: Register) -> Any:
        value = get(look)
        return value if type(value) in _SOLID else plain_copy(value)

    return read


def join_registers(processes: Sequence[Process], network: Network, variables: Sequence[Variable]) -> None:
    """Let every process see those from which a link leads to it, under the names that it calls them."""
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
            name = ports[b].get(name, _BACK)  # nobody can send against the arrow of a one-way link
        seen[b][name] = looks[a]
    for p, row in zip(processes, seen, strict=True):
        p._seen = row


#: What a process of an anonymous one-way ring calls the neighbour to whom it cannot send.
_BACK = -1


class _Left:
    """What a process was like when a link to it was cut."""

    def __init__(self, of: Process, names: Sequence[str]) -> None:
        self._name, self._i = of._name, -1
        self.neighbours: tuple[Any, ...] = ()
        self.state = of.state
        for name in names:
            setattr(self, name, plain_copy(getattr(of, name)))


def image(p: Process, names: Sequence[str]) -> Any:
    """What a process looks like now, to be changed at will and shown in its place.

    Args:
        names: of its variables.
    """
    found = _Left(p, names)
    found._i, found.neighbours = p._i, p.neighbours
    return found


def freeze(look: Register) -> Register:
    """The same look, at what is to be seen now, for ever."""
    names = look._names[1:]
    return type(look)(_Left(look._of, names))


def sides(network: Network) -> list[tuple[Any, Any]] | None:
    """What each process calls its left and its right neighbour in a ring, ``None`` if the network is none.

    All go round in the same sense: along the links of a one-way ring; else from the first process to that of its two
    neighbours which stands first in the network, and on.
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
