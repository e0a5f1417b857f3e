"""The state that all views share: the selection, and the thing below the pointer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["NOTHING", "Hit", "HitKind", "Selection"]

HitKind = Literal["process", "link", "message", "event"]


@dataclass(frozen=True)
class Hit:
    """One thing in a picture.

    Args:
        kind: what it is.
        id: number of the process or message, ``seq`` of the event, or the two ends (i, j), i < j, of a link.
    """

    kind: HitKind
    id: int | tuple[int, int]


@dataclass(frozen=True)
class Selection:
    """The selection, which all views share.

    Args:
        processes: numbers of processes.
        links: links as the numbers of their ends (i, j), i < j.
        messages: numbers of messages.
        event: ``seq`` of the selected event, if one is.
        cut: the last event of each process inside a cut that is drawn, -1 for none; empty if no cut is drawn.
    """

    processes: frozenset[int] = field(default_factory=frozenset)
    links: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    messages: frozenset[int] = field(default_factory=frozenset)
    event: int | None = None
    cut: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.processes or self.links or self.messages) or self.event is not None

    def has(self, hit: Hit) -> bool:
        """Return whether a thing is selected."""
        if hit.kind == "event":
            return self.event == hit.id
        if hit.kind == "link":
            return hit.id in self.links
        return hit.id in (self.processes if hit.kind == "process" else self.messages)


NOTHING = Selection()
