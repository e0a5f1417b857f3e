"""Data of the network view, computed once for an execution: the network, lookup tables, what occurs in the run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput
from lydian.model.experiment.mobility import Mobility, Paths
from lydian.model.network import Link, Network
from lydian.model.network.netfile import from_dict
from lydian.pieces.animation import Animation
from lydian.pieces.derived import with_derived
from lydian.pieces.piece import every
from lydian.trace.events import NO_STATE, Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.discs import LARGE, Discs, between, discs_of, unfolded
from lydian.views.time.axis import remember

__all__ = ["Scene", "network_of", "scene_for"]

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
T = TypeVar("T")

#: With more processes than this, the process that handles an event is not marked.
BUSY_SHOWN = 1_000


@dataclass(frozen=True, eq=False)
class Scene:
    """The network of an execution, ready to be drawn; the same object for all its moments.

    Args:
        network: what is drawn.
        timeline: the execution, or None for a network at rest.
        animation: slots, kinds and pointers.
    """

    network: Network
    timeline: Timeline | None
    animation: Animation

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.network.processes

    @cached_property
    def positions(self) -> Floats:
        """The positions of the processes, (n, 2), in coordinates of the network."""
        return np.asarray(self.network.coordinates, dtype=np.float64).reshape(-1, 2)

    @cached_property
    def discs(self) -> Discs | None:
        """The clusters of a large network in their places; None where each process keeps a place with a meaning."""
        if self.network.n <= LARGE or self.animation.places is not None or self.paths is not None:
            return None
        return discs_of(self.network, self.positions)

    def opened(self, process: int, share: float) -> Discs | None:
        """Return the clusters with that of a process unfolded, or on the way there (a share below 1)."""
        discs = self.discs
        if discs is None or not 0 <= process < self.network.n or share <= 0:
            return discs
        cluster = int(discs.clusters.of[process])
        if self._opened is None or self._opened.unfolded != cluster:
            self.__dict__["_opened"] = unfolded(discs, cluster)
        whole: Discs = self.__dict__["_opened"]
        return whole if share >= 1 else between(discs, whole, share)

    @cached_property
    def _opened(self) -> Discs | None:
        """The arrangement with the cluster that was unfolded last."""
        return None

    @cached_property
    def ends(self) -> Ints:
        """The two processes of each link, (m, 2)."""
        return self.network.ends

    @cached_property
    def directed(self) -> Bools:
        links = self.network.links
        return _of_network(self.network, "directed", lambda: np.array([link.directed for link in links], dtype=bool))

    @cached_property
    def initiators(self) -> Bools:
        marked = np.zeros(self.network.n, dtype=bool)
        marked[[self.network.index[name] for name in self.network.initiators]] = True
        return marked

    @cached_property
    def factors(self) -> Floats:
        """Mean delay of each link as a multiple of the network's, (m,); 1 where the link has none of its own."""
        mean = float(self.network.delay.mean)
        if mean <= 0 or not np.isfinite(mean):
            return np.ones(self.network.m)
        factors = self.link_means / mean
        return np.where(np.isfinite(factors), factors, 1.0)

    @cached_property
    def weights(self) -> tuple[str, ...]:
        """The weight of each link as text, "" for a link without one; empty if no link has one."""
        links = self.network.links

        def texts() -> tuple[str, ...]:
            found = tuple("" if link.weight is None else f"{link.weight:g}" for link in links)
            return found if any(found) else ()

        return _of_network(self.network, "weights", texts)

    @cached_property
    def link_means(self) -> Floats:
        """Mean delay of each link."""
        network = self.network

        def means() -> Floats:
            usual, plain = float(network.delay.mean), not network.classes
            return np.array(
                [
                    usual if plain and link.delay is None else float(network.delay_of(link).mean)
                    for link in network.links
                ],
                dtype=np.float64,
            )

        return _of_network(network, "means", means)

    @cached_property
    def link_index(self) -> dict[tuple[int, int], int]:
        """The number of each link by its ends (i, j), i < j."""
        ends = self.ends
        return _of_network(
            self.network, "index",
            lambda: {(min(a, b), max(a, b)): number for number, (a, b) in enumerate(ends.tolist())},
        )  # fmt: skip

    def link_between(self, a: int, b: int) -> Link | None:
        number = self.link_index.get((min(a, b), max(a, b)))
        return None if number is None else self.network.links[number]

    @cached_property
    def paths(self) -> Paths | None:
        """The paths of the processes of the run, by their numbers there; None without mobility."""
        experiment = {} if self.timeline is None else self.timeline.trace.experiment
        if not experiment.get("mobility"):
            return None
        try:
            return Mobility.from_dict(experiment["mobility"]).paths(network_of(self.run), experiment.get("seed", 0))
        except BadInput:  # An imported log may contain anything.
            return None

    # ------------------------------------------------------------------ the run

    @cached_property
    def run(self) -> Timeline:
        """The execution, with the variables that the animation derives."""
        if self.timeline is None:
            raise BadInput("a network at rest has no execution")
        return with_derived(self.timeline, self.animation.derived)

    @cached_property
    def renumber(self) -> Ints | None:
        """Number in the network of each process of the trace, -1 if it is not there; None if they are the same."""
        if self.timeline is None or self.timeline.processes == self.names:
            return None
        return np.array([self.network.index.get(name, -1) for name in self.timeline.processes], dtype=np.int32)

    @cached_property
    def slots(self) -> NDArray[np.int16]:
        """The slot of each state code, (256,); 7 (grey) for none."""
        table = np.full(NO_STATE + 1, 7, dtype=np.int16)
        for code, name in enumerate(self.run.states):
            table[code] = self.animation.slot(name)
        return table

    @cached_property
    def animation_needs_variables(self) -> bool:
        """True if the animation draws any variable; if not, the details of the trace need not be read for it."""
        drawn = self.animation
        return bool(drawn.watch or drawn.badge) or any(each.channels for each, _, _ in every(drawn.pieces))

    @cached_property
    def ports(self) -> dict[int, list[int]]:
        """In an anonymous network, the neighbours of each process by port; else empty."""
        if not self.network.anonymous:
            return {}
        index = self.network.index
        return {p: [index[q] for q in self.network.neighbours(name)] for name, p in index.items()}

    @cached_property
    def seen_states(self) -> tuple[int, ...]:
        """Codes of the states that occur in the run, in order of declaration."""
        seen = set(np.flatnonzero(np.bincount(self.run.state, minlength=256)[:NO_STATE]).tolist())
        if self.run.n:
            seen.update(self.run.start_states.tolist())
        return tuple(sorted(code for code in seen if code < len(self.run.states)))

    @cached_property
    def seen_labels(self) -> tuple[int, ...]:
        """Codes of the labels of the messages of the run, in order of declaration."""
        labels = self.run.message_label
        return tuple(np.unique(labels[labels >= 0]).tolist())

    @cached_property
    def ever_crashed(self) -> bool:
        return bool((self.run.kind == Kind.CRASH).any())

    @cached_property
    def crashing(self) -> Bools:
        """Which processes of the network crash at some time in the run, (n,)."""
        rows = np.flatnonzero((self.run.kind == Kind.CRASH) & (self.run.process >= 0))
        who = self.run.process[rows] if self.renumber is None else self.renumber[self.run.process[rows]]
        found = np.zeros(self.network.n, dtype=bool)
        found[who[who >= 0]] = True
        return found

    @cached_property
    def drops(self) -> NDArray[np.int64]:
        """The events in which a message is lost."""
        return np.flatnonzero((self.run.kind == Kind.DROP) & (self.run.message >= 0))

    @cached_property
    def steps(self) -> tuple[Floats, Floats, Ints, float]:
        """The steps that take time: starts (ascending), ends, processes, and the length of the longest."""
        shown = min(self.run.n, BUSY_SHOWN) if self.run.steps_take_time else 0
        parts = [self.run.busy(process) for process in range(shown)]
        if not parts:
            return np.empty(0), np.empty(0), np.empty(0, dtype=np.int32), 0.0
        start, end = np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])
        process = np.repeat(np.arange(len(parts), dtype=np.int32), [len(a) for a, _ in parts])
        order = np.argsort(start, kind="stable")
        order = order[(end > start)[order]]
        longest = float((end - start).max(initial=0.0))
        return start[order], end[order], process[order], longest

    def mean_between(self, source: Ints, target: Ints) -> Floats:
        """Return the mean delay from each source to its target; that of the network where no link joins them."""
        place, linked = self._link_places(source, target)
        _, means = self._means
        usual = float(self.network.delay.mean)
        return np.where(linked, means[place], usual) if len(means) else np.full(len(source), usual)

    @cached_property
    def loops(self) -> bool:
        """True if any process sends a message to itself."""
        run = self.timeline
        return run is not None and bool(((run.message_source == run.message_target) & (run.message_source >= 0)).any())

    def unlinked(self, source: Ints, target: Ints) -> Bools:
        """Return which pairs of processes have no link; overlay messages pass between them nevertheless."""
        return ~self._link_places(source, target)[1]

    def _link_places(self, source: Ints, target: Ints) -> tuple[NDArray[np.int64], Bools]:
        """Return, for pairs of processes, the indices of their links among the sorted ones, and whether one exists."""
        keys, _ = self._means
        wanted = np.minimum(source, target).astype(np.int64) * self.network.n + np.maximum(source, target)
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        return place, keys[place] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)

    @cached_property
    def _means(self) -> tuple[NDArray[np.int64], Floats]:
        def sort() -> tuple[NDArray[np.int64], Floats]:
            low, high = self.ends.min(axis=1, initial=2**31 - 1), self.ends.max(axis=1, initial=-1)
            keys = low.astype(np.int64) * self.network.n + high
            order = np.argsort(keys, kind="stable")
            return keys[order], self.link_means[order]

        return _of_network(self.network, "sorted", sort)

    @cached_property
    def cut_short(self) -> dict[int, bool]:
        """The answers of :meth:`was_cut_short` so far, by message."""
        return {}

    def was_cut_short(self, message: int) -> bool:
        """Return True if a lost message was lost before it could have arrived (link cut, or removed by the user)."""
        if message not in self.cut_short:
            reason = (self.run.trace.detail(int(self.run.receives[message])) or {}).get("reason")
            self.cut_short[message] = reason in ("link down", "dropped")
        return self.cut_short[message]


def scene_for(timeline: Timeline | None, network: Network | None, animation: Animation) -> Scene:
    """Return the scene of an execution on a network; the same object for the same arguments."""
    if timeline is None:
        return _still(network if network is not None else _nobody(), animation)
    key = ("basic scene", id(network), id(animation))

    def make() -> tuple[Scene, Network | None]:  # Both are kept so that their ids remain unique.
        return Scene(network if network is not None else network_of(timeline), timeline, animation), network

    return remember(timeline, key, make)[0]


#: What follows from a network alone, for the networks drawn last; a run that grows has a scene for each part of it.
_stills: list[tuple[Network, dict[str, Any]]] = []


def _of_network(network: Network, key: str, make: Callable[[], T]) -> T:
    """Return the result of ``make()``, computed once for a network."""
    kept = next((kept for known, kept in _stills if known is network), None)
    if kept is None:
        kept = {}
        _stills[:] = [*_stills[-3:], (network, kept)]
    if key not in kept:
        kept[key] = make()
    return kept[key]  # type: ignore[no-any-return]


_resting: list[Scene] = []


@functools.cache
def _nobody() -> Network:
    """An empty network, which cannot be simulated and is refused by Network(...), but can be drawn."""
    empty = Network.__new__(Network)
    empty.__setstate__({**Network("nobody", ("0",), ()).__getstate__(), "processes": (), "name": ""})
    return empty


def _still(network: Network, animation: Animation) -> Scene:
    for scene in _resting:
        if scene.network is network and scene.animation is animation:
            return scene
    del _resting[:-7]
    _resting.append(Scene(network, None, animation))
    return _resting[-1]


#: The networks read last, with their sources; the trace of a live run keeps its own.
_networks: list[tuple[Mapping[str, Any], Network]] = []


def network_of(timeline: Timeline) -> Network:
    """Return the network in a trace; without one, its processes and the links that its messages used."""
    data: Mapping[str, Any] = timeline.trace.network
    if data:
        for known, network in _networks:
            if known is data:
                return network
        try:
            network = from_dict(dict(data))
        except BadInput:
            pass  # This is an old or an imported trace; what its messages show is still true.
        else:
            if network.n and not network.positions:
                network = replace(network, positions=_circle(network.processes))
            _networks[:] = [*_networks[-1:], (data, network)]
            return network
    pairs, names = timeline.pairs, timeline.processes
    if not names:
        return _nobody()
    links = tuple(Link(names[a], names[b]) for a, b in pairs.tolist() if a != b)
    return Network("network", names, links, positions=_circle(names))


def _circle(names: tuple[str, ...]) -> dict[str, tuple[float, float]]:
    angle = 2 * np.pi * np.arange(len(names)) / max(len(names), 1)
    return {
        name: (500 + 250 * float(np.sin(a)), 300 - 250 * float(np.cos(a))) for name, a in zip(names, angle, strict=True)
    }
