"""One connection of a person with the class: what waits to be sent to them."""

from __future__ import annotations

import asyncio

from lydian.classroom import frames
from lydian.classroom.log import Log
from lydian.classroom.people import Person
from lydian.engine import wire
from lydian.engine.wire import Refused

__all__ = ["Listener", "Removed"]


class Removed(Refused):
    """Somebody would like to come back, but the host has ended their participation."""


class Listener:
    """What the host needs of a connection: a place for the latest of each kind of frame, and a queue for others.

    Attributes:
        person: who is connected.
        position: how many frames of the run have been handed over.
        whole: whether the connection gets the run.
        world: whether the person is in the world on this connection, and sees the others there.
    """

    def __init__(self, person: Person, position: int = 0) -> None:
        self.person = person
        self.position = position
        self.whole = self.world = False
        self.latest: dict[str, bytes] = {}
        self._shown: dict[str, bytes] = {}
        self.queue: list[bytes] = []
        self.wake = asyncio.Event()
        self.closed = ""

    def put(self, frame: wire.Frame) -> None:
        """Send a frame after those that wait."""
        self.put_line(wire.encode(frame))

    def put_line(self, line: bytes) -> None:
        """Send an encoded frame after those that wait."""
        self.queue.append(line)
        self.wake.set()

    def show(self, kind: str, line: bytes) -> None:
        """Send a frame that makes earlier ones of its kind needless, unless it is the same as the last one."""
        if self._shown.get(kind) != line:
            self._shown[kind] = self.latest[kind] = line
            self.wake.set()

    def close(self, reason: str, removed: bool = False) -> None:
        """End the connection after what waits."""
        if not self.closed:
            self.closed = reason
            self.put(frames.Parting(reason, removed))

    def take(self, log: Log, most: int) -> bytes:
        """Return what is to be sent now, at least one frame if there is any."""
        queued, found = [*self.queue], [*self.latest.values()]
        self.queue.clear()
        self.latest.clear()
        if self.whole and self.position < len(log):
            lines, self.position = log.read(self.position, most)
            found.append(lines)
        if not (self.whole and self.position < len(log)):
            self.wake.clear()
        return b"".join([*found, *queued] if self.closed else [*queued, *found])  # the good-bye comes last
