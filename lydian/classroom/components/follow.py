"""An interface that follows some components of a system and shows their events in causal order.

Each component numbers its events, and every event carries a vector clock of components: how many events of each
component it may depend on. An event that has arrived is *held back* until all events of the followed components on
which it depends have been shown. What arrives in which order depends on the connections; what is shown never contains
an effect without its cause.

The rule is that of causal broadcast with vector clocks (Birman, Schiper, Stephenson, 1991), where the processes are the
components and a follower only listens. Clocks have one entry for each component, as in the archive's
``causal-delivery`` one for each updater, whatever the number of processes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lydian.classroom.components.frames import Publish
from lydian.classroom.components.merge import merged
from lydian.classroom.components.system import System
from lydian.model.errors import BadInput
from lydian.trace.events import Trace

__all__ = ["Follower", "Held"]


@dataclass(frozen=True)
class Held:
    """An event that is here and waits for another.

    Attributes:
        component, number: the event; the first of a component has the number 1.
        waits_for, until: the event for which it waits.
    """

    component: str
    number: int
    waits_for: str
    until: int

    def __str__(self) -> str:
        return f"{self.component} {self.number} waits for {self.waits_for} {self.until}"


class Follower:
    """What one interface has heard and shows.

    Args:
        system: the system.
        follows: the components that it follows; ``None`` for all.

    Attributes:
        shown: component -> the number of its events that are shown.
        order: the events in the order in which they were shown, as component and number from 0.
        logs: component -> the ``publish`` frames that have arrived, without gaps.
    """

    def __init__(self, system: System, follows: Collection[str] | None = None) -> None:
        unknown = [name for name in follows or () if name not in system.number]
        if unknown:
            raise BadInput(f"there is no component {unknown[0]}; choose from {', '.join(system.names)}")
        self.system = system
        self.follows = tuple(name for name in system.names if not follows or name in follows)
        self.shown = dict.fromkeys(self.follows, 0)
        self.order: list[tuple[str, int]] = []
        self.logs: dict[str, list[Publish]] = {name: [] for name in self.follows}
        self._here = dict.fromkeys(self.follows, 0)
        self._early: dict[str, dict[int, Publish]] = {name: {} for name in self.follows}
        self._joins: dict[str, dict[int, list[int]]] = {name: {} for name in self.follows}
        self._knows: dict[str, list[int]] = {name: [0] * len(system.names) for name in self.follows}

    def heard(self, frame: Publish) -> list[tuple[str, int]]:
        """Take a frame, and return the events that are shown now, as component and number from 0.

        A frame that came before is ignored, and one that overtook another waits for it.
        """
        name = frame.component
        if name not in self.shown or frame.index < len(self.logs[name]):
            return []
        early = self._early[name]
        early[frame.index] = frame
        while (found := early.pop(len(self.logs[name]), None)) is not None:
            self.logs[name].append(found)
            self._here[name] += found.count
            self._joins[name].update((int(number), list(vector)) for number, vector in found.joins)
        return self._show()

    def _show(self) -> list[tuple[str, int]]:
        new: list[tuple[str, int]] = []
        moved = True
        while moved:
            moved = False
            for name in self.follows:
                while self.shown[name] < self._here[name] and self._missing(name) is None:
                    vector = self._joins[name].get(self.shown[name])
                    if vector is not None:
                        self._knows[name] = vector
                    new.append((name, self.shown[name]))
                    self.shown[name] += 1
                    moved = True
        self.order += new
        return new

    def _missing(self, name: str) -> tuple[str, int] | None:
        """Return the event for which the next one of a component waits; ``None`` if it can be shown."""
        vector = self._joins[name].get(self.shown[name])
        if vector is not None:
            for other in self.follows:
                wanted = vector[self.system.number[other]]
                if other != name and self.shown[other] < wanted:
                    return other, wanted
        return None

    @property
    def held(self) -> tuple[Held, ...]:
        """The first event of each component that is here and held back."""
        found = []
        for name in self.follows:
            missing = self._missing(name) if self.shown[name] < self._here[name] else None
            if missing is not None:
                found.append(Held(name, self.shown[name] + 1, *missing))
        return tuple(found)

    @property
    def waiting(self) -> int:
        """How many events are here and held back."""
        return sum(self._here[name] - self.shown[name] for name in self.follows)

    def knows(self, name: str) -> Mapping[str, int]:
        """Return how many events of each component the last shown event of a component may depend on."""
        vector = dict(zip(self.system.names, self._knows[name], strict=True))
        return {**vector, name: self.shown[name]}

    def trace(self) -> Trace:
        """Return what is shown as one trace, numbered in the order of time."""
        return merged(self.system, self.logs, self.shown)
