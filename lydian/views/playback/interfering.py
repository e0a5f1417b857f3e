"""Interventions that are possible at a moment: the tools, their effect on a target, and why they are disabled.

An :class:`Offer` is a tool at a target in words, with its interventions. Menus, the toolbar, keys and the pointer all
show offers and pass their interventions to the live run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.network import Link, Network
from lydian.nodes.recording import PAUSED, STATES
from lydian.nodes.services import SERVICES
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.timeline import Timeline
from lydian.views.network.liars import liars_at
from lydian.views.network.scene import Scene, scene_for
from lydian.views.selection import Hit
from lydian.views.words.faultwords import message_name
from lydian.views.words.words import number

if TYPE_CHECKING:
    from lydian.model.source.outline import Outline

__all__ = ["Offer", "Situation", "number_of", "outline_from", "pair_of", "pairs"]


@dataclass(frozen=True)
class Offer:
    """A tool at a target.

    Attributes:
        tool: its name.
        short: what a menu about the target says.
        words: what happens, with the target: "Crash process 9".
        what: the interventions, without their time; none if a form or a reason is given.
        form: the form that has to be filled in first.
        reason: why it cannot be done now; "" if it can.
        hit: the target.
        forward: for a link, whether messages from its first to its second end are meant.
        names: of all processes that are meant, if they are several and a form asks for them together.
    """

    tool: str
    short: str
    words: str
    what: tuple[Mapping[str, Any], ...] = ()
    form: str = ""
    reason: str = ""
    hit: Hit | None = None
    forward: bool | None = None
    names: tuple[str, ...] = ()

    @property
    def refusal(self) -> str:
        """The reason as the beginning of a sentence."""
        return f"{self.reason[:1].upper()}{self.reason[1:]}"


@lru_cache(maxsize=4)
def outline_from(source: str) -> Outline | None:
    """Return the declarations in the text of a protocol, without running it; ``None`` without a text."""
    from lydian.model.source.outline import outline

    return outline(source) if source.strip() else None


@dataclass(frozen=True, eq=False)
class Situation:
    """An execution at a moment, with what interventions need to know.

    Args:
        timeline: the execution.
        t: the moment; every event up to and at it has happened.
        source: text of the protocol.
        taken: processes that the user has taken over.
        done: how often processes were scrambled so far, so that the next time differs.
    """

    timeline: Timeline
    t: float
    source: str = ""
    taken: frozenset[str] = frozenset()
    done: int = 0
    animation: Animation | None = field(default=None)

    @cached_property
    def k(self) -> int:
        return self.timeline.count(self.t)

    @cached_property
    def crashed(self) -> NDArray[np.bool_]:
        return self.timeline.crashed_at(self.k)

    @cached_property
    def programs(self) -> frozenset[int] | None:
        """The processes that are programs, in a run of programs; otherwise ``None``."""
        told = self.timeline.trace.summary.get("programs")
        if not isinstance(told, Mapping):
            return None
        others = {*told.get("clients", ()), *SERVICES}
        return frozenset(p for p, name in enumerate(self.names) if name not in others)

    @cached_property
    def paused(self) -> frozenset[int]:
        """The programs that are paused."""
        states = self.timeline.states
        code = states.index(STATES[PAUSED]) if STATES[PAUSED] in states else -1
        return frozenset(np.flatnonzero(self.timeline.states_at(self.k) == code).tolist())

    @cached_property
    def liars(self) -> Mapping[int, str]:
        """The Byzantine processes and their behaviour."""
        return liars_at(self.timeline, self.k)

    @cached_property
    def down(self) -> frozenset[tuple[int, int]]:
        """The links that are down in at least one direction, as their ends (i, j), i < j."""
        return self.timeline.links_down_at(self.k)

    @cached_property
    def ways_down(self) -> frozenset[tuple[int, int]]:
        """The directions in which links carry no messages, from the first end to the second."""
        return self.timeline.ways_down_at(self.k)

    @cached_property
    def overlay(self) -> bool:
        """True if processes send without links, to any process whose name they have."""
        return self.outline is not None and any(each.name == "overlay" for each in self.outline.needs)

    @cached_property
    def flying(self) -> NDArray[np.signedinteger[Any]]:
        """The numbers of the messages in transit."""
        return self.timeline.in_flight(self.k, self.t)

    @cached_property
    def outline(self) -> Outline | None:
        return outline_from(self.source or self.timeline.trace.source)

    @cached_property
    def scene(self) -> Scene:
        return scene_for(self.timeline, None, self.animation or animation_for(self.timeline.trace))

    @property
    def network(self) -> Network:
        return self.scene.network

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.timeline.processes

    def link(self, a: int, b: int) -> Link | None:
        """Return the link between two processes."""
        return self.network.link_between(self.names[a], self.names[b]) if self._known(a, b) else None

    def _known(self, *processes: int) -> bool:
        return all(0 <= p < len(self.names) and self.names[p] in self.network.index for p in processes)

    def ends(self, a: int, b: int, forward: bool | None) -> tuple[int, int]:
        """Return sender and receiver on a link: as requested, else as its messages travel, else as it is declared."""
        link = self.link(a, b)
        if link is not None and link.directed:
            return (a, b) if link.a == self.names[a] else (b, a)
        if forward is None:
            flying = self.between(a, b)
            if len(flying):
                first = int(flying.min())
                return int(self.timeline.message_source[first]), int(self.timeline.message_target[first])
            forward = True
        return (a, b) if forward else (b, a)

    def between(self, a: int, b: int) -> NDArray[np.signedinteger[Any]]:
        """Return the messages in transit between two processes, in both directions."""
        ids = self.flying
        source, target = self.timeline.message_source[ids], self.timeline.message_target[ids]
        found: NDArray[np.signedinteger[Any]] = ids[((source == a) & (target == b)) | ((source == b) & (target == a))]
        return found

    def along(self, a: int, b: int) -> int | None:
        """Return the oldest message in transit from one process to another."""
        ids = self.between(a, b)
        ids = ids[self.timeline.message_source[ids] == a]
        return int(ids.min()) if len(ids) else None

    def next_to(self, process: int) -> int | None:
        """Return the message in transit that reaches a process first."""
        ids = self.flying[self.timeline.message_target[self.flying] == process]
        if not len(ids):
            return None
        arrives = np.asarray(self.timeline.message_arrived[ids], dtype=np.float64)
        return int(ids[np.lexsort((ids, arrives))[0]])

    def links_of(self, process: int) -> list[tuple[int, int]]:
        """Return the links at a process, as their ends (i, j), i < j."""
        if not self._known(process):
            return []
        numbers = {name: number for number, name in enumerate(self.names)}
        found = (numbers[name] for name in self.network.neighbours(self.names[process]) if name in numbers)
        outs = {(min(process, other), max(process, other)) for other in found}
        name = self.names[process]
        outs |= {
            (min(process, numbers[link.a]), max(process, numbers[link.a]))
            for link in self.network.links
            if link.directed and link.b == name and link.a in numbers
        }
        return sorted(outs)

    def busy(self, process: int) -> bool:
        """Return True if a process is executing a step."""
        if not self.timeline.steps_take_time:
            return False
        start, end = self.timeline.busy(process)
        return bool(((start <= self.t) & (end > self.t)).any())

    def fifo(self, a: int, b: int) -> bool:
        """Return True if messages from one process to another keep the order in which they were sent."""
        link = self.link(a, b)
        return ((None if link is None else link.order) or self.network.order) == "fifo"

    def message(self, message: int) -> str:
        """Return the name of a message."""
        return message_name(self.timeline, message, self.animation)

    def mean(self, a: int, b: int) -> float:
        """Return the mean delay of a link."""
        link = self.link(a, b)
        return float((self.network.delay if link is None else self.network.delay_of(link)).mean)

    def later(self, a: int, b: int) -> float:
        """Return the default extra delay of a message on a link: its mean, with two digits."""
        mean = self.mean(a, b)
        return float(f"{mean:.2g}") if np.isfinite(mean) and mean > 0 else 1.0

    def gone(self, message: int) -> str:
        """Return why a message is not in transit at the moment, or ""."""
        timeline = self.timeline
        if not 0 <= message < timeline.m_messages:
            return tr("this run has no such message")
        if message in self.flying:
            return ""
        sent, ended = float(timeline.message_sent[message]), float(timeline.message_arrived[message])
        if sent > self.t:
            return tr("it is not sent until {time}", time=number(sent))
        if timeline.lost[message]:
            return tr("it was lost at {time}", time=number(ended))
        return tr("it arrived at {time}", time=number(ended))


def number_of(hit: Hit) -> int:
    """Return the number of a process, message or event."""
    assert isinstance(hit.id, int)
    return hit.id


def pair_of(hit: Hit) -> tuple[int, int]:
    """Return the two ends of a link."""
    assert isinstance(hit.id, tuple)
    return hit.id


def pairs(ends: Sequence[tuple[int, int]], names: Sequence[str], do: str) -> tuple[Mapping[str, Any], ...]:
    """Return the same intervention for several links."""
    return tuple({"do": do, "link": [names[a], names[b]]} for a, b in ends)
