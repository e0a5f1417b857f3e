"""Networks: processes and the links between them, with all settings that determine the delay of messages.

A network is immutable; derived data (neighbours, channels, whether it is a ring) are computed on first use and kept. A
*channel* is one direction of a link: an undirected link has two.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.delays import Distribution, Uniform
from lydian.model.errors import BadInput, did_you_mean, shown, unknown_process
from lydian.model.names import natural
from lydian.model.network import shape
from lydian.model.network.links import (
    ORDERS,
    RATES,
    Channels,
    Link,
    Timing,
    need_distribution,
    need_drift,
    need_order,
    need_share,
)
from lydian.model.network.stabilisation import Stabilisation, need_bound

if TYPE_CHECKING:
    from networkx import DiGraph, Graph

__all__ = ["LONGEST_NAME", "ORDERS", "RATES", "Channels", "Link", "Network", "Timing"]

LONGEST_NAME = 100  # the largest length of the name of a process


@dataclass(frozen=True)
class Network:
    """A network of processes and links, with its timing.

    Args:
        name: the name of the network.
        processes: their names, all different; number i is ``processes[i]``. There may be none yet: such a network can
            be edited, but not run.
        links: at most one channel from one process to another.
        initiators: the processes that start by themselves.
        positions: where the processes are drawn, x to the right and y downwards; positions may be missing.
        delay, order, loss, duplication, corruption: the values for links without their own.
        classes: the delay of each class of links.
        step: how long a process takes for a step; None: no time at all.
        steps: the same for single processes.
        drifts: the rates of the clocks of single processes: 1 is exact, 1.05 gains 5 % (0.1 to 10).
        roles: the roles of processes, for protocols that have several; a process without one gets that of the protocol.
        anonymous: whether processes do not know their own names, and identify their neighbours by port numbers.
        about: one sentence.
        gst: the global stabilisation time, before which messages have other delays; its ``after`` is ``None``, as
            this is the ``delay``.

    Raises:
        BadInput: for example, two processes have the same name, or a link joins a process that does not exist.
    """

    name: str
    processes: tuple[str, ...]
    links: tuple[Link, ...]
    initiators: tuple[str, ...] = ()
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    delay: Distribution = Uniform(0.5, 1.5)  # noqa: RUF009  # frozen, so it may be shared
    order: str = "unordered"
    loss: float = 0.0
    classes: Mapping[str, Distribution] = field(default_factory=dict)
    step: Distribution | None = None
    steps: Mapping[str, Distribution] = field(default_factory=dict)
    drifts: Mapping[str, float] = field(default_factory=dict)
    anonymous: bool = False
    about: str = ""
    duplication: float = 0.0
    corruption: float = 0.0
    gst: Stabilisation | None = None
    roles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("processes", "links", "initiators"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in ("positions", "classes", "steps", "drifts", "roles"):
            object.__setattr__(self, name, dict(getattr(self, name)))
        self._check_processes()
        self._check_positions()
        self._check_links()
        self._check_timing()

    def __hash__(self) -> int:
        return hash((self.name, self.processes, self.links))

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # without derived data

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # ------------------------------------------------------------------ checks

    def _check_processes(self) -> None:
        if not isinstance(self.name, str) or not isinstance(self.about, str):
            raise BadInput(f"name and about of a network must be text, not {shown((self.name, self.about))}")
        seen: set[str] = set()
        for name in self.processes:
            if not isinstance(name, str) or not name or not name.isprintable() or len(name) > LONGEST_NAME:
                what = f"the name of a process must be text of 1 to {LONGEST_NAME} characters, not {shown(name)}"
                raise BadInput(what)
            if name in seen:
                raise BadInput(f"two processes have the name {shown(name)}; each must have its own")
            seen.add(name)
        for name in self.initiators:
            self._known(name, "initiators")
        for name, role in self.roles.items():
            self._known(name, "roles")
            if not isinstance(role, str) or not role:
                raise BadInput(f"the role of process {name} must be a word such as server, not {shown(role)}")
        if len(set(self.initiators)) < len(self.initiators):
            raise BadInput(f"a process appears twice among the initiators {shown(self.initiators)}")

    def _check_positions(self) -> None:
        for name, point in self.positions.items():
            self._known(name, "positions")
            self.positions[name] = _point(name, point)  # type: ignore[index]  # our own copy

    def _check_links(self) -> None:
        index, n = self.index, self.n
        seen: set[int] = set()
        for link in self.links:
            i, j = index.get(link.a), index.get(link.b)
            if i is None or j is None:
                self._known(link.a if i is None else link.b, f"link {link}: its ends")
                continue
            if i * n + j in seen or (not link.directed and j * n + i in seen):
                raise BadInput(f"two links lead from {link.a} to {link.b}; remove one of them")
            seen.add(i * n + j)
            if not link.directed:
                seen.add(j * n + i)

    def _check_timing(self) -> None:
        need_distribution(self.delay, "the delay of a network")
        need_order(self.order, "the order of a network")
        for rate in RATES:
            need_share(getattr(self, rate), f"the {rate} of a network")
        for name, delay in self.classes.items():
            need_distribution(delay, f"the delay of the class of links {shown(name)}")
        if self.step is not None:
            need_distribution(self.step, "the length of a step")
        for name, step in self.steps.items():
            self._known(name, "lengths of steps")
            need_distribution(step, f"the length of a step of process {name}")
        for name, drift in self.drifts.items():
            self._known(name, "drifts of clocks")
            need_drift(drift, f"the drift of the clock of process {name}")
        if self.gst is not None:
            need_bound(self.delay, "delay")
            for delay in (*self.classes.values(), *(link.delay for link in self.links if link.delay is not None)):
                need_bound(delay, "delay")

    def _known(self, name: object, what: str) -> None:
        if name not in self.index:
            raise BadInput(f"{what} name the {unknown_process(name, self.processes)}")

    # ------------------------------------------------------------------ size and look-up

    @property
    def n(self) -> int:
        """The number of processes."""
        return len(self.processes)

    @property
    def m(self) -> int:
        """The number of links."""
        return len(self.links)

    @cached_property
    def index(self) -> dict[str, int]:
        """Name of a process -> its number."""
        return {name: i for i, name in enumerate(self.processes)}

    @cached_property
    def ends(self) -> NDArray[np.int32]:
        """The numbers of the processes that each link joins: int32 (m, 2)."""
        index = self.index
        flat = [index[name] for link in self.links for name in (link.a, link.b)]
        return np.array(flat, dtype=np.int32).reshape(-1, 2)

    @cached_property
    def directed(self) -> bool:
        """Whether any link is directed."""
        return any(link.directed for link in self.links)

    @cached_property
    def coordinates(self) -> NDArray[np.float64]:
        """The positions of all processes, float64 (n, 2); those without one are on a circle of radius 250."""
        angle = 2 * np.pi * np.arange(self.n) / max(self.n, 1)
        points = np.column_stack((500 + 250 * np.sin(angle), 300 - 250 * np.cos(angle)))
        for name, point in self.positions.items():
            points[self.index[name]] = point
        return points

    def neighbours(self, name: str) -> tuple[str, ...]:
        """Return the processes to which ``name`` can send, in natural order ("2" before "10")."""
        return self._adjacency[self.number(name)]

    def number(self, name: str) -> int:
        """Return the number of a process; raise BadInput if there is no process of that name."""
        try:
            return self.index[name]
        except (KeyError, TypeError):
            raise BadInput(unknown_process(name, self.processes)) from None

    def link_between(self, a: str, b: str) -> Link | None:
        """Return the link that carries messages from a to b, or None."""
        number = self._carrier.get((self.index.get(a, -1), self.index.get(b, -1)))
        return None if number is None else self.links[number]

    def parse_link(self, text: str) -> tuple[str, str]:
        """Return the two processes in ``"3-7"`` (or ``"3->7"``); raise BadInput if no link joins them."""
        pairs = [(text[:i], text[i + 1 :]) for i, mark in enumerate(text) if mark == "-"]
        pairs += [(a, b[1:]) for a, b in pairs if b.startswith(">")]
        pairs = [(a.strip(), b.strip()) for a, b in pairs]
        for a, b in pairs:
            if self.link_between(a, b) is not None:
                return a, b
        for a, b in pairs:
            if self.link_between(b, a) is not None:
                raise BadInput(f"link {shown(text)} is directed the other way: {b}->{a}")
        for a, b in pairs:
            if a in self.index and b in self.index:
                others = ", ".join(self.neighbours(a)) or "no process"
                raise BadInput(f"no link joins {a} and {b}; {a} has links to {others}")
        if pairs:
            missing = next((name for name in pairs[0] if name not in self.index), text)
            hint = did_you_mean(missing, self.processes)
            raise BadInput(f"link {shown(text)} names the unknown process {shown(missing)}{hint}")
        raise BadInput(f"a link must be written with its two processes, as in '3-7', not {shown(text)}")

    # ------------------------------------------------------------------ channels

    def channels(self) -> Channels:
        """Return the channels as arrays, for the engine; every call returns the same object."""
        return self._channels

    @cached_property
    def _channels(self) -> Channels:
        both = np.array([1 if link.directed else 2 for link in self.links], dtype=np.int64)
        number = np.repeat(np.arange(self.m), both)
        start = np.cumsum(both) - both
        back = np.arange(number.size) - start[number]  # 1 for the second channel of a link
        source = self.ends[number, back]
        target = self.ends[number, 1 - back]
        fifo = np.full(number.size, self.order == "fifo")
        rates = {rate: np.full(number.size, float(getattr(self, rate))) for rate in RATES}
        groups: dict[Distribution, list[int]] = {}
        own: set[int] = set()
        for i, link in enumerate(self.links):
            if link.plain:
                continue
            first, last = int(start[i]), int(start[i] + both[i])
            if link.order is not None:
                fifo[first:last] = link.order == "fifo"
            for rate, shares in rates.items():
                if getattr(link, rate) is not None:
                    shares[first:last] = getattr(link, rate)
            delay = self.delay_of(link)
            if delay != self.delay:
                groups.setdefault(delay, []).extend(range(first, last))
                own.update(range(first, last))
        rest = np.ones(number.size, dtype=np.bool_)
        rest[list(own)] = False
        delays = [(self.delay, np.flatnonzero(rest))] if rest.any() else []
        delays += [(delay, np.array(members, dtype=np.int64)) for delay, members in groups.items()]
        return Channels(source, target, number.astype(np.int32), fifo, delays=tuple(delays), **rates)

    def delay_of(self, link: Link) -> Distribution:
        """Return the delay of a link: its own, or that of its class, or that of the network."""
        return link.delay or (self.classes.get(link.klass) if link.klass else None) or self.delay

    def rate_of(self, link: Link, rate: str) -> float:
        """Return one of :data:`RATES` for a link, the share of messages affected: its own, or that of the network."""
        own: float | None = getattr(link, rate)
        return float(getattr(self, rate)) if own is None else own

    @cached_property
    def weights(self) -> dict[tuple[str, str], float]:
        """The costs of messages from one process to a neighbour, for links that have a weight; 1 for all others."""
        weighted = [link for link in self.links if link.weight is not None]
        found = {(link.a, link.b): link.weight for link in weighted}
        found.update({(link.b, link.a): link.weight for link in weighted if not link.directed})
        return found  # type: ignore[return-value]

    @cached_property
    def unbounded(self) -> Distribution | None:
        """The first delay of its links that has no upper bound, not even from some time on."""
        laws = dict.fromkeys(map(self.delay_of, self.links)) or (self.delay,)
        return next((law for law in laws if law.maximum == float("inf")), None)

    def step_of(self, name: str) -> Distribution | None:
        """Return how long a process takes for a step; None: no time."""
        return self.steps.get(name, self.step)

    @cached_property
    def _carrier(self) -> dict[tuple[int, int], int]:
        link = self._channels.link.tolist()
        return {pair: link[number] for pair, number in self._channels.numbers.items()}

    @cached_property
    def _adjacency(self) -> tuple[tuple[str, ...], ...]:
        order = sorted(range(self.n), key=lambda i: natural(self.processes[i]))
        rank = np.empty(self.n, dtype=np.int64)
        rank[order] = np.arange(self.n)
        channels = self._channels
        sorted_ = np.lexsort((rank[channels.target], channels.source))
        names = [self.processes[i] for i in channels.target[sorted_].tolist()]
        stops = np.searchsorted(channels.source[sorted_], np.arange(self.n + 1)).tolist()
        return tuple(tuple(names[stops[i] : stops[i + 1]]) for i in range(self.n))

    # ------------------------------------------------------------------ changes

    def replace(self, **changes: Any) -> Network:
        """Return the same network with some of its fields changed; it is checked again."""
        known = [f.name for f in dataclasses.fields(self)]
        for name in changes:
            if name not in known:
                raise BadInput(f"unknown field {shown(name)} of a network{did_you_mean(name, known)}")
        return dataclasses.replace(self, **changes)

    def moved(self, positions: Mapping[str, tuple[float, float]]) -> Network:
        """Return the same network with other positions; links are not checked again and derived data are kept, so it is
        fast.

        Args:
            positions: the positions of any of the processes; all others lose theirs.

        Raises:
            BadInput: a process does not exist, or a position is not a pair of numbers.
        """
        made: Network = object.__new__(Network)
        made.__dict__.update(self.__dict__)
        made.__dict__.pop("coordinates", None)
        made.__dict__["positions"] = dict(positions)
        made._check_positions()
        return made

    def with_timing(self, timing: Timing) -> Network:
        """Return the same network with an experiment's overrides.

        Raises:
            BadInput: the timing names a link, a class or a process that the network does not have.
        """
        if timing.gst is not None and timing.gst.after is not None and timing.delay is not None:
            raise BadInput("the delay is given twice, as delay and as gst.after; remove one of them", place="delay")
        changes: dict[str, Any] = {
            name: value for name in ("delay", "order", *RATES, "step") if (value := getattr(timing, name)) is not None
        }
        if (starting := timing.starting(self.processes)) is not None:
            changes["initiators"] = starting
        if timing.gst is not None:
            changes["gst"] = dataclasses.replace(timing.gst, after=None)
            if timing.gst.after is not None:
                changes["delay"] = timing.gst.after
        classes = {link.klass for link in self.links if link.klass is not None} | set(self.classes)
        for name in timing.classes:
            if name not in classes:
                there = f"choose from {', '.join(sorted(classes))}" if classes else "the network has none"
                raise BadInput(f"unknown class of links {shown(name)}{did_you_mean(name, classes)}; {there}")
        for name in (*timing.steps, *timing.drifts):
            self.number(name)
        if timing.classes:
            changes["classes"] = {**self.classes, **timing.classes}
        if timing.steps:
            changes["steps"] = {**self.steps, **timing.steps}
        if timing.drifts:
            changes["drifts"] = {**self.drifts, **timing.drifts}
        if timing.links:
            links = list(self.links)
            for text, delay in timing.links.items():
                a, b = self.parse_link(text)
                number = self._carrier[self.index[a], self.index[b]]
                links[number] = dataclasses.replace(links[number], delay=delay)
            changes["links"] = tuple(links)
        return dataclasses.replace(self, **changes) if changes else self

    def graph(self) -> Graph | DiGraph:
        """Return a graph of networkx, directed if any link is; nodes are the names, and edges have their Link as
        "link"."""
        import networkx as nx

        graph = nx.DiGraph(name=self.name) if self.directed else nx.Graph(name=self.name)
        graph.add_nodes_from(self.processes)
        for link in self.links:
            graph.add_edge(link.a, link.b, link=link)
            if self.directed and not link.directed:
                graph.add_edge(link.b, link.a, link=link)
        return graph

    # ------------------------------------------------------------------ shape

    @cached_property
    def connected(self) -> bool:
        """Whether every process can reach every other one (in the direction of directed links)."""
        if not self.n or (self._away(0) < 0).any():
            return False
        channels = self._channels  # if there are directed links, all processes must also reach process 0
        return not self.directed or not (shape.levels(channels.target, channels.source, self.n, 0) < 0).any()

    @cached_property
    def is_ring(self) -> bool:
        """Whether the links form one cycle through all processes, at least 3, with all links directed or none."""
        if self.n < 3 or self.m != self.n or len({link.directed for link in self.links}) != 1:
            return False
        out = np.bincount(self._channels.source, minlength=self.n)
        return bool((out == (1 if self.directed else 2)).all()) and self.connected

    @cached_property
    def is_tree(self) -> bool:
        """Whether it is connected, undirected and without a cycle."""
        return self.m == self.n - 1 and not self.directed and self.connected

    @cached_property
    def is_complete(self) -> bool:
        """Whether every process can send to every other one directly."""
        return len(self._channels) == self.n * (self.n - 1)

    @cached_property
    def diameter(self) -> int:
        """The largest distance between two processes, in links; BadInput if the network is not connected."""
        if not self.connected:
            raise BadInput("the network is not connected, so it has no diameter")
        return shape.diameter(self._channels, self.n)

    def eccentricity(self, name: str) -> int:
        """Return the distance from a process to the farthest one, in links; raise BadInput if one cannot be reached."""
        away = self.distances(name)
        if (away < 0).any():
            there = self.processes[int(np.argmin(away))]
            raise BadInput(f"process {there} cannot be reached from {name}, so there is no largest distance")
        return int(away.max())

    def distances(self, name: str) -> NDArray[np.int32]:
        """Return the distance from a process to each process, in links; -1 where there is no path: int32 (n,)."""
        return self._away(self.number(name))

    def _away(self, number: int) -> NDArray[np.int32]:
        return shape.levels(self._channels.source, self._channels.target, self.n, number)


def _point(name: str, point: object) -> tuple[float, float]:
    try:
        x, y = (float(number) for number in point)  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"the position of process {name} must be two numbers, not {shown(point)}") from None
    if not (abs(x) <= 1e9 and abs(y) <= 1e9):  # the comparison is also false for NaN
        raise BadInput(f"the position of process {name} must be two numbers up to 1e9, not {shown((x, y))}")
    return x, y
