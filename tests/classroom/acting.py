"""A class in a test: a host with a clock that the test sets, and people without sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from lydian.classroom import frames
from lydian.classroom.games.game import Game
from lydian.classroom.host import HostOfClass, Listener
from lydian.engine import wire
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment

__all__ = ["Clock", "Someone", "a_class", "played"]


class Clock:
    """Seconds that pass only when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Someone:
    """A connection to a host in this process, and all that has been heard on it."""

    def __init__(self, host: HostOfClass, listener: Listener) -> None:
        self.host, self.listener = host, listener
        self.heard: list[dict[str, Any]] = []
        self._ids = iter(range(1, 10**6))

    @property
    def process(self) -> str | None:
        return self.listener.person.process

    def listen(self) -> list[dict[str, Any]]:
        """Take in what the host has sent; return the new frames."""
        data = b""
        while self.listener.wake.is_set():
            data += self.listener.take(self.host.log, 1 << 20)
        new = [json.loads(line) for line in data.splitlines()]
        self.heard += new
        return new

    def last(self, kind: str) -> dict[str, Any]:
        """Return the last frame of a kind."""
        self.listen()
        return next(each for each in reversed(self.heard) if each["kind"] == kind)

    def all(self, kind: str) -> list[dict[str, Any]]:
        self.listen()
        return [each for each in self.heard if each["kind"] == kind]

    async def say(self, frame: wire.Frame) -> dict[str, Any]:
        """Send a frame, and return the last answer or error."""
        await self.host.hear(self.listener, frame)
        self.listen()
        return next((each for each in reversed(self.heard) if each["kind"] in ("answer", "error")), {})

    async def choose(self, offer: str, value: Any = None, round_: int | None = None) -> dict[str, Any]:
        at = self.host.round if round_ is None else round_
        return await self.say(frames.Choose(next(self._ids), at, offer, value))

    async def lead(self, do: str, **what: Any) -> dict[str, Any]:
        return await self.say(frames.Lead(next(self._ids), do, what))


@asynccontextmanager
async def a_class(
    what: str | Experiment, game: Game | str = "", players: int = 0, **more: Any
) -> AsyncIterator[tuple[HostOfClass, Someone, list[Someone]]]:
    """Open a class, with its host and some players; their names are ``P1``, ``P2`` ..."""
    clock = Clock()
    experiment = archive().experiment(what) if isinstance(what, str) else what
    host = HostOfClass(experiment, game, "ring-4127", clock=clock, **more)
    try:
        await host.start()
        lead = Someone(host, host.join(frames.Join(), trusted="host"))
        yield host, lead, [await joined(host, f"P{k + 1}") for k in range(players)]
    finally:
        await host.close()


async def joined(host: HostOfClass, name: str, wish: str = "seat", **more: Any) -> Someone:
    """Let somebody join, and wait until they have a process if they want one and there is one."""
    someone = Someone(host, host.join(frames.Join("ring-4127", name, wish, **more)))
    while host._tasks:
        await asyncio.gather(*host._tasks)
    return someone


def played(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test."""
    asyncio.run(asyncio.wait_for(work(), 60))
