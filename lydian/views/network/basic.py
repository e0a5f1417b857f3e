"""The network view: the network with the states of its processes and each message at its position.

A frame is a function of the execution, a time and the selection. Positions are those of the network; the painter
decides on sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.network import Network
from lydian.pieces.animation import Animation, animation_for
from lydian.pieces.baskets import SPEAKING
from lydian.pieces.changing import STATE_FADE, before_at
from lydian.pieces.channels import asked_at
from lydian.pieces.piece import Moment, Piece, fields, piece_of, states_at
from lydian.pieces.places import Standing, standing_at
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.basicwords import LegendItem, legend_of, size_of, title_of
from lydian.views.network.discs import Discs
from lydian.views.network.flights import FADE, Flights, Losses, flights_at, losses_at, no_flights, no_losses
from lydian.views.network.scene import BUSY_SHOWN, Bools, Floats, Ints, Scene, scene_for
from lydian.views.network.walking import walking_at
from lydian.views.registry import View
from lydian.views.selection import NOTHING, Hit, Selection

__all__ = ["FADE", "STATE_FADE", "VIEW", "BasicFrame", "Flights", "LegendItem", "Losses", "frame"]

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, eq=False)
class BasicFrame:
    """The network at a time; arrays over processes have length n, those over links length m.

    ``scene`` holds what does not change with time: names, positions, ends of links, delay factors, initiators.
    ``links_down`` says which links carry nothing; ``ways_down`` is 1 where nothing passes from the first end of a link
    to its second one, -1 where nothing passes from the second to the first, and 0 for all other links.
    ``busy`` is the share of its step that a process has done, NaN if it does nothing. ``crashed_since`` is NaN for
    a process that is up. ``watch`` has a text per process, or is empty if there are none or the network is large.
    ``before`` is the slot that a process had before its last change of state, and ``changed`` how much of that change
    has been shown, 1 when it is over. ``standing`` is the positions of processes if they come from variables,
    ``discs`` their positions in a network that is drawn in clusters, and
    ``pieces`` what is seen of pieces of animation, by the field that declares them; each is an attribute as well, such
    as ``pointers`` or ``grid``.
    """

    scene: Scene
    t: float
    k: int
    title: str
    slots: NDArray[np.int16]
    crashed: Bools
    crashed_since: Floats
    busy: Floats
    started: bool
    links_down: Bools
    ways_down: NDArray[np.int8]
    flights: Flights
    losses: Losses
    watch: tuple[str, ...]
    badges: tuple[str, ...]
    legend: tuple[LegendItem, ...]
    before: NDArray[np.int16]
    changed: Floats
    standing: Standing | None = None
    discs: Discs | None = None
    pieces: Mapping[str, Any] = field(default_factory=dict)
    selection: Selection = field(default=NOTHING)
    hover: Hit | None = None

    def __getattr__(self, name: str) -> Any:
        """Return the state of a piece of animation under the name of its field, or a tuple of states."""
        known = fields().get(name) if not name.startswith("_") else None
        if known is None:
            raise AttributeError(f"the frame has no {name!r}")
        return self.pieces.get(name, known[0].nothing)

    @property
    def panels(self) -> tuple[tuple[Piece, int, Any], ...]:
        """The panels beside the network: piece, index in its field, state."""
        found = []
        for name, known in fields().items():
            states = self.pieces.get(name) if any(piece.panel for piece in known) else None
            several = states if isinstance(states, tuple) else () if states is None else (states,)
            found += [(piece_of(state.declared), number, state) for number, state in enumerate(several)]
        return tuple(found)

    @property
    def beside(self) -> bool:
        """True if there are panels beside the network."""
        return bool(self.panels)

    @property
    def names(self) -> tuple[str, ...]:
        return self.scene.names

    @property
    def positions(self) -> Floats:
        if self.discs is not None:
            return self.discs.places
        return self.scene.positions if self.standing is None else self.standing.points

    @property
    def link_ends(self) -> Ints:
        return self.scene.ends

    @property
    def initiators(self) -> Bools:
        return self.scene.initiators

    @property
    def factors(self) -> Floats:
        return self.scene.factors

    @property
    def animation(self) -> Animation:
        return self.scene.animation

    @property
    def timeline(self) -> Timeline | None:
        return self.scene.timeline

    @property
    def network(self) -> Network:
        return self.scene.network


def frame(
    timeline: Timeline | None,
    t: float,
    selection: Selection = NOTHING,
    *,
    network: Network | None = None,
    animation: Animation | None = None,
    hover: Hit | None = None,
    fade: float = 0.0,
    unfolded: tuple[int, float] = (-1, 0.0),
) -> BasicFrame:
    """Return the network at time ``t``.

    Args:
        timeline: the execution; None, or an empty one, shows the network at rest.
        t: simulated time; every event up to and at ``t`` has happened.
        selection: what is selected.
        network: the positions of the processes; by default the network that the trace carries.
        animation: slots, kinds and pointers; the protocol's own by default.
        hover: what the pointer is over.
        fade: for how long, in units of simulated time, a change of state is shown; 0 shows it at once.
        unfolded: in a network that is drawn in clusters, a process whose cluster is unfolded (-1 for none), and how
            far, from 0 to 1.
    """
    if animation is None:
        animation = animation_for(None if timeline is None else timeline.trace)
    scene = scene_for(timeline, network, animation)
    if timeline is None:
        return _at_rest(scene, t, selection, hover, unfolded)
    k = timeline.count(t)
    states = timeline.states_at(k)
    slots = scene.slots[states]
    crashed = timeline.crashed_at(k)
    asked = asked_at(scene, k, states, crashed)
    before, changed = before_at(scene, t, fade, slots)
    flights, losses = flights_at(scene, k, t), losses_at(scene, k, t)
    down = _spread(scene, crashed, False)
    standing = standing_at(scene, k, t)
    cut, ways = _links_down(scene, k)
    pieces = states_at(Moment(scene, k, t, down, cut, flights, asked, standing, selection))
    speaking = pieces["baskets"].speaking if "baskets" in pieces else np.zeros(0, dtype=bool)
    return BasicFrame(
        scene=scene,
        t=t,
        k=k,
        title=title_of(scene, k, flights, asked),
        slots=_speakers(_spread(scene, slots, animation_slot(scene)), speaking),
        crashed=down,
        crashed_since=_spread(scene, asked.kept("crashed", lambda: _since(scene, k, crashed)), np.nan),
        busy=_spread(scene, _busy(scene, t, crashed), np.nan),
        started=k > 0,
        links_down=cut,
        ways_down=ways,
        flights=flights,
        losses=losses,
        watch=asked.kept("watch", lambda: asked.texts("watch")),
        badges=asked.kept("badge", lambda: asked.texts("badge")),
        legend=legend_of(scene, k, states, crashed, flights, pieces),
        before=_spread(scene, before, animation_slot(scene)),
        changed=_spread(scene, changed, 1.0),
        standing=standing or walking_at(scene, t),
        discs=scene.opened(*unfolded),
        pieces=pieces,
        selection=selection,
        hover=hover,
    )


def _since(scene: Scene, k: int, crashed: Bools) -> Floats:
    """Return when each crashed process of the trace crashed."""
    since = np.full(scene.run.n, np.nan)
    for process in np.flatnonzero(crashed).tolist():
        since[process] = scene.run.time[scene.run.last_of_kind(process, k, (Kind.CRASH,))]
    return since


def _speakers(slots: NDArray[np.int16], speaking: Bools) -> NDArray[np.int16]:
    """Return the slots, with processes that may speak in the slot of a process with a token."""
    return np.where(speaking, np.int16(SPEAKING), slots) if len(speaking) else slots


def animation_slot(scene: Scene) -> int:
    """Return the slot of a process at the start."""
    if scene.timeline is None or not scene.timeline.states:
        return 0
    return int(scene.slots[scene.timeline.start_state])


def _at_rest(
    scene: Scene, t: float, selection: Selection, hover: Hit | None, unfolded: tuple[int, float]
) -> BasicFrame:
    n, m = scene.network.n, scene.network.m
    return BasicFrame(
        scene=scene,
        t=t,
        k=0,
        title=size_of(scene),
        slots=np.zeros(n, dtype=np.int16),
        crashed=np.zeros(n, dtype=bool),
        crashed_since=np.full(n, np.nan),
        busy=np.full(n, np.nan),
        started=False,
        links_down=np.zeros(m, dtype=bool),
        ways_down=np.zeros(m, dtype=np.int8),
        flights=no_flights(),
        losses=no_losses(),
        watch=(),
        badges=(),
        legend=(),
        before=np.zeros(n, dtype=np.int16),
        changed=np.ones(n),
        discs=scene.opened(*unfolded),
        selection=selection,
        hover=hover,
    )


def _spread(scene: Scene, values: NDArray[T], rest: float | bool) -> NDArray[T]:
    """Return values per process of the trace as values per process of the network."""
    if scene.renumber is None:
        return values
    spread = np.full(scene.network.n, rest, dtype=values.dtype)
    known = scene.renumber >= 0
    spread[scene.renumber[known]] = values[known]
    return spread


def _busy(scene: Scene, t: float, crashed: Bools) -> Floats:
    """Return the share of its step that each process has completed."""
    busy = np.full(scene.run.n, np.nan)
    if scene.run.n > BUSY_SHOWN:
        return busy
    start, end, process, longest = scene.steps
    first, stop = np.searchsorted(start, (t - longest, t), side="right")
    doing = np.arange(first, stop)[end[first:stop] > t]
    busy[process[doing]] = (t - start[doing]) / (end[doing] - start[doing])
    busy[crashed] = np.nan
    return busy


def _links_down(scene: Scene, k: int) -> tuple[Bools, NDArray[np.int8]]:
    """Return the links that carry no messages, and the direction that is cut of links that still carry some."""
    forth, back = np.zeros((2, scene.network.m), dtype=bool)
    renumber, ends = scene.renumber, scene.ends
    for a, b in scene.run.ways_down_at(k):
        if renumber is not None:
            a, b = int(renumber[a]), int(renumber[b])
        number = scene.link_index.get((min(a, b), max(a, b)))
        if number is not None:
            (forth if ends[number, 0] == a else back)[number] = True
    down = (forth & (back | scene.directed)) if len(forth) else forth
    return down, np.where(down, 0, forth.astype(np.int8) - back).astype(np.int8)


VIEW = View(
    name="basic",
    entry=tr("&Network"),
    icon="network",
    frame=frame,
    painter="lydian.app.painters.network.basic.BasicPainter",
    mouse="map",
    about=tr("Processes by state, links, and messages at their exact positions."),
    empty=tr("Open an experiment to see its network"),
    shows=tr("the network"),
    another=tr("Another network view, with its own zoom"),
    keys="Ctrl+1",
    usual=True,
    beside="experiment",
    how="right",
    layouts=("watch", "watch-wide", "study", "study-narrow", "debug", "debug-wide", "projector"),
)
