"""One direction of a link, as the engine uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lydian.model.protocol.process import Process

__all__ = ["Channel"]


class Channel:
    """One direction of a link.

    Attributes:
        source, target: the processes at its ends; ``source_i`` the index of the sender.
        name: what the receiver calls the sender (its name, or the port number).
        draw: gives the next delay.
        special: whether sending needs a closer look (:meth:`Execution.look`): loss, down, a planned fault, noise.
        noise: says which messages come twice or are changed; ``None`` if none ever is.
    """

    __slots__ = (
        "down", "draw", "fifo", "last", "lose", "loss", "name", "noise", "planned", "source", "source_i", "special",
        "target",
    )  # fmt: skip

    def __init__(self, source: Process, target: Process, name: Any, draw: Callable[[], float]) -> None:
        self.source = source
        self.source_i = source._i
        self.target = target
        self.name = name
        self.draw = draw
        self.fifo = False
        self.last = 0.0
        self.loss = 0.0
        self.lose: Callable[[], float] | None = None
        self.down = False
        self.planned: list[Any] = []
        self.noise: Any = None
        self.special = False

    def in_order(self, time: float) -> float:
        """When a message arrives on a FIFO channel that would arrive at ``time`` by itself."""
        self.last = max(time, self.last)
        return self.last

    def look_closer(self) -> None:
        self.special = self.loss > 0 or self.down or bool(self.planned) or self.noise is not None
