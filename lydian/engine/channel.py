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
        name: the receiver's name for the sender (the sender's name, or a port number).
        draw: returns the next delay.
        special: whether sending requires :meth:`Execution.look`, because of loss, an outage, a planned fault, noise or
            a receiver elsewhere.
        noise: chooses the messages that are duplicated or corrupted; ``None`` if none ever is.
        away: whether another simulator simulates the receiver, so that messages leave this one when they are sent.
    """

    __slots__ = (
        "away", "down", "draw", "fifo", "last", "lose", "loss", "name", "noise", "planned", "source", "source_i",
        "special", "target",
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
        self.away = False
        self.special = False

    def in_order(self, time: float) -> float:
        """Return the arrival time on a FIFO channel of a message that would otherwise arrive at ``time``."""
        self.last = max(time, self.last)
        return self.last

    def look_closer(self) -> None:
        self.special = self.away or self.loss > 0 or self.down or bool(self.planned) or self.noise is not None
