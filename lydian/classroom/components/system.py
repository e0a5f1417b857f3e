"""A system that is split into components: the experiment, and which component simulates which processes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lydian.classroom.components.values import made
from lydian.engine.wire import Refused
from lydian.language import tr
from lydian.model.archive.shelves import shelves
from lydian.model.errors import BadInput, shown
from lydian.model.experiment.experiment import Experiment, Resolved, from_dict
from lydian.model.names import natural
from lydian.model.network import Network
from lydian.model.protocol.message import Message
from lydian.model.protocol.protocol import Protocol, protocol_from_source
from lydian.model.protocol.watching import detector

__all__ = ["MOST_COMPONENTS", "System", "hindrance", "lettered", "split"]

#: The largest number of components of a system.
MOST_COMPONENTS = 64
#: The length of a round with a barrier if a message between components can arrive without delay.
_LEAST_ROUND = 1.0


def hindrance(experiment: Experiment, title: str, rules: bool, rounds: bool, watched: bool) -> str:
    """Return the reason why a protocol or an experiment cannot be simulated in several places; "" if it can.

    Args:
        experiment: the experiment.
        title: the title of its protocol.
        rules, rounds, watched: whether the protocol has guarded actions, acts in rounds, or needs a failure detector.
    """
    if rules:
        return tr(
            "{title} cannot be split into components: its processes read each other's variables at once, and no "
            "message carries them", title=title,
        )  # fmt: skip
    if rounds:
        return tr(
            "{title} cannot be split into components: its processes act in synchronous rounds, which need one "
            "simulator", title=title,
        )  # fmt: skip
    if watched:
        return tr(
            "{title} cannot be split into components: its failure detector reports a crash without a message",
            title=title,
        )
    for each in (*experiment.faults, *experiment.interventions):
        if each.after is not None or each.message is not None:
            return tr(
                "an intervention ({what}) names an event or a message by its number; each component has numbers of its "
                "own, so remove it or name the link", what=each.do,
            )  # fmt: skip
    return ""


class _Carried:
    """Shelves that contain one protocol, which came with the experiment."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol

    def protocol(self, ref: object) -> Protocol:
        return self._protocol


@dataclass(frozen=True, repr=False)
class System:
    """An experiment and its components.

    Attributes:
        resolved: the experiment with its protocol and its network.
        groups: component -> its processes, in the order of the network.
        barrier: whether the components act in rounds that begin together; otherwise each goes on alone.
        pace: the simulated time that passes in a second if each goes on alone.
    """

    resolved: Resolved
    groups: Mapping[str, tuple[str, ...]]
    barrier: bool = False
    pace: float = 5.0

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        groups: int | Sequence[Sequence[str]] | Mapping[str, Sequence[str]],
        *,
        barrier: bool = False,
        pace: float = 5.0,
    ) -> System:
        """Split an experiment into components.

        Args:
            experiment: the experiment.
            groups: the number of components, or the processes of each. Processes that are in no group belong to the
                last one.

        Raises:
            BadInput: the experiment cannot be split in this way.
        """
        network = experiment.network
        if not isinstance(network, Network):
            network = shelves().network(experiment._located(network, "networks"))
            experiment = experiment.with_(network=network)
        resolved = experiment.resolve()
        if isinstance(groups, int):
            named: Mapping[str, Sequence[str]] = lettered(split(resolved.network, groups))
        else:
            named = groups if isinstance(groups, Mapping) else lettered(groups)
        return cls(resolved, _complete(resolved.network, named), barrier, pace)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}: {' '.join(members)}" for name, members in self.groups.items())
        how = "with a barrier" if self.barrier else f"at a pace of {self.pace:g}"
        return f"<{self.protocol.name}, seed {self.experiment.seed}, {how}, {parts}>"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.pace) and self.pace > 0):
            raise BadInput(f"pace must be a positive number of time units per second, not {self.pace}")
        if len(self.groups) > 1:
            self._check()

    def _check(self) -> None:
        """Refuse what cannot be simulated in several places."""
        protocol = self.resolved.protocol
        why = hindrance(
            self.resolved.experiment, protocol.title, bool(protocol.rules), protocol.rounds, detector in protocol.needs
        )
        if why:
            raise BadInput(why)

    @property
    def experiment(self) -> Experiment:
        return self.resolved.experiment

    @property
    def network(self) -> Network:
        return self.resolved.network

    @property
    def protocol(self) -> Protocol:
        return self.resolved.protocol

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The components, in the order in which vector clocks list them."""
        return tuple(self.groups)

    @cached_property
    def number(self) -> dict[str, int]:
        """Component -> its place in :attr:`names`."""
        return {name: at for at, name in enumerate(self.names)}

    @cached_property
    def home(self) -> dict[str, str]:
        """Process -> its component."""
        return {process: name for name, members in self.groups.items() for process in members}

    @cached_property
    def classes(self) -> dict[str, Any]:
        """The messages of the protocol by name."""
        return {each.__name__: each for each in self.protocol.messages}

    @cached_property
    def between(self) -> list[tuple[str, str]]:
        """The pairs of processes of different components that a message can connect."""
        known, processes = self.network.channels(), self.network.processes
        pairs = zip(known.source.tolist(), known.target.tolist(), strict=True)
        named = ((processes[a], processes[b]) for a, b in pairs)
        return [(a, b) for a, b in named if self.home[a] != self.home[b]]

    @cached_property
    def crossings(self) -> dict[tuple[str, str], list[Any]]:
        """The links between each two components that links connect."""
        found: dict[tuple[str, str], list[Any]] = {}
        for link in self.network.links:
            a, b = self.home[link.a], self.home[link.b]
            if a != b:
                found.setdefault((a, b) if self.number[a] < self.number[b] else (b, a), []).append(link)
        return found

    def mean_delay(self, links: Iterable[Any]) -> float | None:
        """Return the mean delay of some links; ``None`` if there is none, or if a delay has no mean."""
        means = [float(self.network.delay_of(link).mean) for link in links]
        mean = sum(means) / len(means) if means else math.inf
        return mean if math.isfinite(mean) else None

    @cached_property
    def least_delay(self) -> float:
        """The least time that a message between two components takes; infinity if there can be none."""
        network = self.network
        if len(self.groups) < 2:
            return math.inf
        laws = [] if network.gst is None else [network.gst.before]
        if self.protocol.overlay:
            laws.append(network.delay)
        known = network.channels()
        numbers = {known.numbers[network.index[a], network.index[b]] for a, b in self.between}
        laws += [network.delay_of(network.links[int(known.link[number])]) for number in numbers]
        return min((law.minimum for law in laws), default=math.inf)

    @cached_property
    def round_length(self) -> float:
        """The length of a round with a barrier: the least delay between components, or 1 if that is 0."""
        least = self.least_delay
        return least if 0.0 < least < math.inf else _LEAST_ROUND

    @property
    def exact(self) -> bool:
        """Whether the rounds of the barrier are so short that the run is the same as in one simulator."""
        return self.barrier and self.least_delay >= self.round_length

    def check_letter(self, letter: Any) -> Any:
        """Return the message in an envelope.

        Raises:
            Refused: its ends do not belong to its components, no link connects them, or the message does not fit.
        """
        if self.home.get(letter.source) != letter.component:
            raise Refused(f"process {shown(letter.source)} does not belong to component {shown(letter.component)}")
        if self.home.get(letter.target) != letter.to or letter.to == letter.component:
            raise Refused(f"process {shown(letter.target)} does not belong to component {shown(letter.to)}")
        ends = (self.network.index[letter.source], self.network.index[letter.target])
        if ends not in self.network.channels().numbers and not self.protocol.overlay:
            raise Refused(f"no link leads from process {letter.source} to process {letter.target}")
        if not 0 <= letter.time <= letter.arrival:
            raise Refused("a message must arrive after it was sent")
        vector = letter.vector
        if len(vector) != len(self.names) or not all(type(each) is int and 0 <= each < 2**31 for each in vector):
            raise Refused(f"a vector clock must have {len(self.names)} whole numbers")
        low = (letter.number, letter.message, letter.sent, letter.lamport, letter.chain, letter.batch)
        if not all(0 <= each < 2**31 for each in low):
            raise Refused("the numbers of an envelope must be from 0 to 2**31 - 1")
        message = made(self.classes.get(letter.label), letter.label, letter.fields, self.classes)
        if not isinstance(message, Message):
            raise Refused(f"{letter.label} is not a message")
        return message

    def to_dict(self) -> dict[str, Any]:
        """Return plain data from which :meth:`from_dict` makes the same system on another computer."""
        return {
            "experiment": self.experiment.to_dict(),
            "protocol": {"name": self.protocol.name, "source": self.protocol.source},
            "groups": {name: list(members) for name, members in self.groups.items()},
            "barrier": self.barrier,
            "pace": self.pace,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> System:
        """Return the system in plain data; this executes the protocol's source.

        Raises:
            BadInput: it is not one.
        """
        try:
            experiment = from_dict(data["experiment"])
            protocol = protocol_from_source(str(data["protocol"]["source"]), name=str(data["protocol"]["name"]))
            groups = {str(name): [str(each) for each in members] for name, members in data["groups"].items()}
            barrier, pace = bool(data["barrier"]), float(data["pace"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"this is not a system of components: {error}") from None
        resolved = experiment.resolve(_Carried(protocol))  # type: ignore[arg-type]
        return cls(resolved, _complete(resolved.network, groups), barrier, pace)

    @cached_property
    def digest(self) -> str:
        """A hash of everything on which the runs of the components depend."""
        text = json.dumps(self.to_dict(), sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


def lettered(groups: Sequence[Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return the groups with names: A, B, C ... Z, A1, B1 ..."""
    return {chr(65 + at % 26) + (str(at // 26) if at > 25 else ""): group for at, group in enumerate(groups)}


def _complete(network: Network, groups: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Check the groups, and add the processes that are in none of them to the last one."""
    if not groups:
        raise BadInput("a system needs at least one component")
    if len(groups) > MOST_COMPONENTS:
        raise BadInput(f"a system has at most {MOST_COMPONENTS} components, not {len(groups)}")
    seen: dict[str, str] = {}
    for name, members in groups.items():
        for each in members:
            if each not in network.index:
                raise BadInput(f"component {name} contains {shown(each)}, which is not a process of the network")
            if each in seen:
                raise BadInput(f"process {each} is in component {seen[each]} and in component {name}")
            seen[each] = name
    last = list(groups)[-1]
    found = {name: tuple(p for p in network.processes if seen.get(p, last) == name) for name in groups}
    for name, members in found.items():
        if not members:
            raise BadInput(f"component {name} contains no process")
    return found


def split(network: Network, count: int) -> list[list[str]]:
    """Split the processes of a network into connected parts of about equal size, with few links between them.

    A part is split further by the bisection of Kernighan and Lin; parts that are not connected afterwards are repaired
    by moving the smaller pieces to a neighbouring part.

    Args:
        network: the network.
        count: the number of parts.

    Raises:
        BadInput: there are fewer processes than parts.
    """
    import networkx as nx

    if not 1 <= count <= min(network.n, MOST_COMPONENTS):
        most = min(network.n, MOST_COMPONENTS)
        raise BadInput(f"the number of components must be from 1 to {most}, not {count}")
    graph = nx.Graph()
    graph.add_nodes_from(sorted(network.processes, key=natural))
    graph.add_edges_from(sorted((link.a, link.b) for link in network.links if link.a != link.b))
    parts = _halved(nx, graph, count)
    _repair(nx, graph, parts)
    place = network.index
    return sorted((sorted(part, key=place.__getitem__) for part in parts), key=lambda part: place[part[0]])


def _halved(nx: Any, graph: Any, count: int) -> list[set[str]]:
    if count == 1:
        return [set(graph)]
    left = count // 2
    order = _swept(nx, graph)
    cut = max(left, min(len(order) - (count - left), round(len(order) * left / count)))
    first, second = set(order[:cut]), set(order[cut:])
    if count % 2 == 0 and abs(len(first) - len(second)) <= 1 and len(order) > 3:
        better = nx.community.kernighan_lin_bisection(graph, (first, second), seed=1)
        if all(nx.is_connected(graph.subgraph(part)) for part in better):
            first, second = map(set, better)
    return [
        *_halved(nx, graph.subgraph(first).copy(), left), *_halved(nx, graph.subgraph(second).copy(), count - left)
    ]  # fmt: skip


def _swept(nx: Any, graph: Any) -> list[str]:
    """Return the processes in the order of a breadth-first search from one at the rim, piece by piece."""
    order: list[str] = []
    for piece in sorted(nx.connected_components(graph), key=lambda piece: min(map(natural, piece))):
        inside = graph.subgraph(piece)
        lengths = nx.single_source_shortest_path_length(inside, min(piece, key=natural))
        rim = max(lengths, key=lambda name: (lengths[name], natural(name)))
        edges = nx.bfs_edges(inside, rim, sort_neighbors=lambda some: sorted(some, key=natural))
        order += [rim, *(b for _, b in edges)]
    return order


def _repair(nx: Any, graph: Any, parts: list[set[str]]) -> None:
    """Move the smaller pieces of parts that are not connected to the smallest part next to them."""
    for _ in range(len(graph)):
        for part in parts:
            pieces = sorted(nx.connected_components(graph.subgraph(part)), key=len)
            if len(pieces) < 2:
                continue
            beside = [
                other for other in parts
                if other is not part and any(b in other for a in pieces[0] for b in graph.neighbors(a))
            ]  # fmt: skip
            if beside:
                part -= pieces[0]
                min(beside, key=len).update(pieces[0])
                break
        else:
            return
