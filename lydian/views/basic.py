"""The basic view: the network with the states of its processes and every message where it is.

A frame is a function of the execution, a time and what is selected.  Positions are those of the network; how large
things are drawn is the painter's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lydian.model.network import Network
from lydian.trace.timeline import Timeline
from lydian.views.animation import Animation, animation_for
from lydian.views.flights import FADE, Flights, Losses, flights_at, losses_at, no_flights, no_losses
from lydian.views.frame import NOTHING, Hit, Selection
from lydian.views.overlays import Band, Overlays, height, no_overlays, overlays_at
from lydian.views.scene import BUSY_SHOWN, Bools, Floats, Ints, Scene, scene_for
from lydian.views.words import plural

__all__ = ["FADE", "BasicFrame", "Flights", "LegendItem", "Losses", "frame"]

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True)
class LegendItem:
    """One entry of the legend.

    Args:
        sort: ``"state"``, ``"message"``, ``"crashed"``, ``"lost"``, ``"pointer"`` or ``"mark"``.
        number: slot of a state or mark, kind of a message, index of a pointer in the animation's.
        word: what it is called.
        count: how many there are now; None for what is not counted.
        most: the largest count there can be, so that the legend need not change its size.
        widest: the longest word that can stand here.
    """

    sort: str
    number: int
    word: str
    count: int | None = None
    most: int = 0
    widest: str = ""


@dataclass(frozen=True, eq=False)
class BasicFrame:
    """The network at a time; arrays over processes have length n, those over links length m.

    ``scene`` holds what does not change with time: names, positions, ends of links, delay factors, initiators.
    ``busy`` is the share of its step that a process has done, NaN if it does nothing.  ``crashed_since`` is NaN for
    a process that is up.  ``watch`` has a text per process, or is empty if there are none or the network is large.
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
    flights: Flights
    losses: Losses
    bands: tuple[Band, ...]
    marks: tuple[Band, ...]
    watch: tuple[str, ...]
    badges: tuple[str, ...]
    legend: tuple[LegendItem, ...]
    selection: Selection = field(default=NOTHING)
    hover: Hit | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return self.scene.names

    @property
    def positions(self) -> Floats:
        return self.scene.positions

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
) -> BasicFrame:
    """The network at time ``t``.

    Args:
        timeline: the execution; None, or an empty one, shows the network at rest.
        t: simulated time; every event up to and at ``t`` has happened.
        selection: what is selected.
        network: where the processes stand; by default the network that the trace carries.
        animation: slots, kinds and pointers; the protocol's own by default.
        hover: what the pointer is over.
    """
    if animation is None:
        animation = animation_for(None if timeline is None else timeline.trace)
    scene = scene_for(timeline, network, animation)
    if timeline is None:
        return _at_rest(scene, t, selection, hover)
    k = timeline.count(t)
    states = timeline.states_at(k)
    slots = scene.slots[states]
    crashed = timeline.crashed_at(k)
    overlays = overlays_at(scene, k, states, crashed)
    flights, losses = flights_at(scene, k, t), losses_at(scene, k, t)
    return BasicFrame(
        scene=scene,
        t=t,
        k=k,
        title=_title(scene, k, flights, overlays.bands),
        slots=_spread(scene, slots, animation_slot(scene)),
        crashed=_spread(scene, crashed, False),
        crashed_since=_spread(scene, overlays.crashed_since, np.nan),
        busy=_spread(scene, _busy(scene, t, crashed), np.nan),
        started=k > 0,
        links_down=_links_down(scene, k),
        flights=flights,
        losses=losses,
        bands=overlays.bands,
        marks=overlays.marks,
        watch=overlays.watch,
        badges=overlays.badges,
        legend=_legend(scene, states, crashed, flights, overlays),
        selection=selection,
        hover=hover,
    )


def animation_slot(scene: Scene) -> int:
    """The slot in which a process begins."""
    if scene.timeline is None or not scene.timeline.states:
        return 0
    return int(scene.slots[scene.timeline.start_state])


def _at_rest(scene: Scene, t: float, selection: Selection, hover: Hit | None) -> BasicFrame:
    n, m = scene.network.n, scene.network.m
    nothing = no_overlays(n)
    return BasicFrame(
        scene=scene,
        t=t,
        k=0,
        title=_size(scene),
        slots=np.zeros(n, dtype=np.int16),
        crashed=np.zeros(n, dtype=bool),
        crashed_since=nothing.crashed_since,
        busy=np.full(n, np.nan),
        started=False,
        links_down=np.zeros(m, dtype=bool),
        flights=no_flights(),
        losses=no_losses(),
        bands=(),
        marks=(),
        watch=(),
        badges=(),
        legend=(),
        selection=selection,
        hover=hover,
    )


def _spread(scene: Scene, values: NDArray[T], rest: float | bool) -> NDArray[T]:
    """Values per process of the trace as values per process of the network."""
    if scene.renumber is None:
        return values
    spread = np.full(scene.network.n, rest, dtype=values.dtype)
    known = scene.renumber >= 0
    spread[scene.renumber[known]] = values[known]
    return spread


def _busy(scene: Scene, t: float, crashed: Bools) -> Floats:
    """The share of its step each process has done."""
    busy = np.full(scene.run.n, np.nan)
    if scene.run.n > BUSY_SHOWN:
        return busy
    start, end, process, longest = scene.steps
    first, stop = np.searchsorted(start, (t - longest, t), side="right")
    doing = np.arange(first, stop)[end[first:stop] > t]
    busy[process[doing]] = (t - start[doing]) / (end[doing] - start[doing])
    busy[crashed] = np.nan
    return busy


def _links_down(scene: Scene, k: int) -> Bools:
    down = np.zeros(scene.network.m, dtype=bool)
    renumber = scene.renumber
    for a, b in scene.run.links_down_at(k):
        if renumber is not None:
            a, b = int(renumber[a]), int(renumber[b])
        number = scene.link_index.get((min(a, b), max(a, b)))
        if number is not None:
            down[number] = True
    return down


# ---------------------------------------------------------------------- words


def _size(scene: Scene) -> str:
    size = f"{plural(scene.network.n, 'process')}, {plural(scene.network.m, 'link')}"
    return f"{scene.network.name}, {size}" if scene.network.name else size


def _title(scene: Scene, k: int, flights: Flights, bands: tuple[Band, ...]) -> str:
    """The view in one line; at the end of the execution what it took."""
    run = scene.run
    protocol = run.trace.summary.get("protocol_title") or ""
    about = f"{protocol} on {_size(scene)}" if protocol else _size(scene)
    if k == 0 or not run.length:
        return about
    if k < run.length:
        return f"{about} · {plural(len(flights), 'message')} under way"
    sent = run.sent_at(k).sum(axis=0)
    kinds = ", ".join(f"{int(sent[code]):,} {scene.animation.label(run.labels[code])}" for code in scene.seen_labels)
    parts = [f"{plural(int(sent.sum()), 'message')}" + (f" ({kinds})" if kinds else "")]
    tree = [band for band in bands if band.style in ("tree", "waited") and len(band.source)]
    if tree:
        parts.append(f"tree {height(tree, scene.network.n)} deep")
    return " · ".join([about, *parts, f"time {run.end:.2f}"])


def _legend(
    scene: Scene, states: NDArray[np.int16], crashed: Bools, flights: Flights, overlays: Overlays
) -> tuple[LegendItem, ...]:
    """What occurs in this run, with how much of it there is now."""
    run, animation = scene.run, scene.animation
    counts = np.bincount(states[~crashed], minlength=NO_STATES)
    by_slot: dict[int, list[int]] = {}
    for code in scene.seen_states:
        by_slot.setdefault(animation.slot(run.states[code]), []).append(code)
    items = []
    for slot, codes in sorted(by_slot.items()):
        words = [animation.word(run.states[code]) for code in codes]
        now = [word for word, code in zip(words, codes, strict=True) if counts[code]]
        word = ", ".join(now) or words[0]
        total = int(sum(counts[code] for code in codes))
        items.append(LegendItem("state", slot, word, total, run.n, max(words, key=len)))
    if scene.ever_crashed:
        items.append(LegendItem("crashed", 0, "crashed", int(crashed.sum()), run.n, "crashed"))
    flying = np.bincount(run.message_label[flights.id], minlength=len(run.labels) + 1)
    for code in scene.seen_labels:
        word = animation.label(run.labels[code])
        most = max(99, run.m_messages)
        items.append(LegendItem("message", int(scene.kinds[code]), word, int(flying[code]), most, word))
    if len(scene.drops):
        lost = int(np.searchsorted(scene.drops, overlays.k))
        items.append(LegendItem("lost", 0, "lost", lost, len(scene.drops), "lost"))
    known = run.variable_names if scene.animation_needs_variables else ()
    for number, pointer in enumerate(animation.pointers):
        if pointer.variable in known:
            word = pointer.word or pointer.variable
            items.append(LegendItem("pointer", number, word, None, 0, word))
    for mark in animation.marks:
        if mark.variable in known:
            word = mark.word or mark.variable
            items.append(LegendItem("mark", mark.slot, word, None, 0, word))
    return tuple(items)


NO_STATES = 256
