"""A system of components in this process, whose connections have delays that are drawn: for tests, and to try things.

Time is handed in, so nothing waits: a run of minutes takes as long as its events.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from lydian.classroom.components.follow import Follower
from lydian.classroom.components.frames import Bye, Enter, Handover, Publish
from lydian.classroom.components.hub import Hub
from lydian.classroom.components.replicas import Replica
from lydian.classroom.components.system import System
from lydian.engine.wire import Frame

__all__ = ["Lab"]

_TICK = 0.02


class Lab:
    """A hub, replicas and followers, connected by lines that delay each frame.

    Args:
        system: the system.
        replicas: component -> the names of its replicas; ``None`` for one each.
        seed: of the delays.
        delay: draws the seconds that a frame takes on a line; frames on one line stay in order.

    Attributes:
        now: the seconds since the beginning.
        dead: the replicas that have been killed; ``frozen`` those that have been stopped and may go on.
    """

    def __init__(
        self,
        system: System,
        replicas: dict[str, tuple[str, ...]] | None = None,
        *,
        seed: int = 0,
        delay: Callable[[random.Random], float] = lambda chance: chance.uniform(0.0, 0.08),
        steer: dict[str, Any] | None = None,
    ) -> None:
        self.system = system
        self.now = 0.0
        self.dead: set[str] = set()
        self.frozen: set[str] = set()
        self.cut: set[str] = set()  # replicas whose lines carry nothing at present
        self._chance, self._delay = random.Random(seed), delay
        self._lines: list[tuple[float, int, Callable[[], None]]] = []
        self._last: dict[tuple[str, str], float] = {}
        self._count = 0
        names = replicas or {name: (f"computer-{name}",) for name in system.names}
        most = min(len(each) for each in names.values())
        self.hub = Hub(system, "secret", lambda connection, frame: self._down(str(connection), frame), replicas=most)
        self.replicas: dict[str, Replica] = {}
        self.followers: dict[str, Follower] = {}
        self.handovers: list[Handover] = []
        self._waiting: dict[str, list[Callable[[], None]]] = {}
        for component, members in names.items():
            for name in members:
                self._add(component, name, (steer or {}).get(component))

    def _add(self, component: str, name: str, steer: Any) -> None:
        replica = self.replicas[name] = Replica(name, lambda frame: self._up(name, frame), steer)
        enter = Enter("part", "secret", name, component)
        replica.enter_again(lambda: self._up(name, enter))
        self._up(name, enter)

    def follow(self, name: str, follows: tuple[str, ...] = ()) -> Follower:
        """Let an interface follow some components, or all."""
        follower = self.followers[name] = Follower(self.system, follows)
        self._up(name, Enter("follow", "secret", name, follows=list(follows)))
        return follower

    def _send(self, line: tuple[str, str], work: Callable[[], None]) -> None:
        at = max(self.now + self._delay(self._chance), self._last.get(line, 0.0))
        self._last[line] = at
        self._count += 1
        heappush(self._lines, (at, self._count, work))

    def _up(self, name: str, frame: Frame) -> None:
        if name not in self.dead and name not in self.cut:
            self._send((name, "hub"), lambda: self.hub.heard(name, frame, self.now))

    def _down(self, name: str, frame: Frame) -> None:
        if name not in self.dead and name not in self.cut:
            self._send(("hub", name), lambda: self._arrive(name, frame))

    def _arrive(self, name: str, frame: Frame) -> None:
        if name in self.frozen:
            self._waiting.setdefault(name, []).append(lambda: self._arrive(name, frame))
        elif name in self.followers:
            if isinstance(frame, Publish):
                self.followers[name].heard(frame)
            elif isinstance(frame, Handover):
                self.handovers.append(frame)
        elif name not in self.dead:
            if isinstance(frame, Bye):
                self.replicas[name].over = True
            self.replicas[name].heard(frame, self.now)

    def kill(self, name: str) -> None:
        """End a replica at once; frames that it has sent already still arrive."""
        self.dead.add(name)
        self._send((name, "hub"), lambda: self.hub.left(name, self.now))

    def freeze(self, name: str) -> None:
        """Stop a replica; it does not know that time passes."""
        self.frozen.add(name)

    def thaw(self, name: str) -> None:
        """Let a stopped replica go on; what came in the meantime reaches it after its next step."""
        self.frozen.discard(name)
        self.replicas[name].tick(self.now)
        for work in self._waiting.pop(name, []):
            work()

    def step(self) -> None:
        """Let a fiftieth of a second pass."""
        until = self.now + _TICK
        while self._lines and self._lines[0][0] <= until:
            self.now, _, work = heappop(self._lines)
            work()
        self.now = until
        for name, replica in self.replicas.items():
            if name not in self.dead and name not in self.frozen:
                replica.tick(self.now)

    def run(self, until: Callable[[], bool] | None = None, most: float = 600.0) -> None:
        """Run until a condition holds, by default until the system is at rest and all frames have arrived.

        Raises:
            TimeoutError: it does not hold within ``most`` seconds of the lab's time.
        """
        end = self.now + most

        def done() -> bool:
            return self.hub.over and not self._lines if until is None else until()

        while not done():
            if self.now > end:
                raise TimeoutError(f"nothing came of it within {most:g} s")
            self.step()
