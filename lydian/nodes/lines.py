"""The lines between programs: delays, losses, cuts and partitions of each direction between two processes.

A line exists between any two processes. If the network has a link there, the line is one of its directions; otherwise
it has the network's delay, order and loss. What is drawn comes from the same named streams as in a simulated run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lydian.engine.setup import chances, steady, stream
from lydian.model.delays import Distribution
from lydian.model.network import Network
from lydian.model.streams import name_hashes, stream_key, stream_keys

__all__ = ["Line", "Lines", "Wall"]

#: A partition: process -> the number of its group.
Wall = Mapping[str, int]
#: The most draws of a stream that are made at once.
_BLOCK = 256


@dataclass(eq=False, slots=True)
class Line:
    """One direction between two processes.

    Attributes:
        draw: returns the next delay.
        lose: whether the next message is lost; ``None`` if none ever is.
        last: the arrival of the latest message, for a FIFO line.
        cut, parted: whether it is cut by itself, and whether a partition cuts it.
    """

    draw: Callable[[], float]
    fifo: bool = False
    lose: Callable[[], bool] | None = None
    last: float = 0.0
    cut: bool = False
    parted: bool = False

    @property
    def down(self) -> bool:
        return self.cut or self.parted

    def arrival(self, now: float) -> float:
        """Return when a message that is sent now arrives."""
        found = now + self.draw()
        if self.fifo:
            self.last = found = max(found, self.last)
        return found


class Lines:
    """All lines of a run, made when they are first used.

    Attributes:
        walls: the partitions in force.

    Args:
        now: returns the moment, on which delays may depend.
    """

    def __init__(self, network: Network, seed: int, now: Callable[[], float]) -> None:
        self._network, self._seed, self._now = network, seed, now
        self._lines: dict[tuple[str, str], Line] = {}
        self.walls: list[Wall] = []

    def between(self, source: str, target: str) -> Line:
        """Return the line from one process to another."""
        line = self._lines.get((source, target))
        if line is None:
            line = self._lines[source, target] = self._made(source, target)
            line.parted = self._separated(source, target)
        return line

    def _made(self, source: str, target: str) -> Line:
        network = self._network
        key = int(stream_keys(self._seed, "delay", name_hashes([source]), name_hashes([target]))[0])
        link = network.link_between(source, target)
        if link is None:
            line, loss = Line(steady(network, key, _BLOCK, self._now), network.order == "fifo"), network.loss
        else:
            law, order = network.delay_of(link), network.order if link.order is None else link.order
            if network.gst is None:
                draw = stream(law, key, _BLOCK)
            else:
                draw = steady(network.replace(delay=law), key, _BLOCK, self._now)
            line, loss = Line(draw, order == "fifo"), network.rate_of(link, "loss")
        if loss > 0 and source != target:
            chance = chances(stream_key(self._seed, "loss", source, target))
            line.lose = lambda: chance() < loss
        return line

    def of(self, link: Sequence[str], *, one_way: bool = False) -> list[Line]:
        """Return the lines of a link, that from its first end to its second first."""
        a, b = link
        return [self.between(a, b)] if one_way else [self.between(a, b), self.between(b, a)]

    def retime(self, link: Sequence[str], law: Distribution) -> None:
        """Change the delay of a link in both directions."""
        a, b = link
        for source, target in ((a, b), (b, a)):
            key = stream_key(self._seed, "delay", source, target, str(law))
            self.between(source, target).draw = stream(law, key, _BLOCK)

    # ------------------------------------------------------------------ partitions

    def wall(self, groups: Sequence[Sequence[str]]) -> Wall:
        """Return the partition into groups; processes that are in none of them form one more."""
        group = {name: number for number, names in enumerate(groups) for name in names}
        return {name: group.get(name, len(groups)) for name in self._network.processes}

    def separate(self, walls: Sequence[Wall]) -> list[tuple[tuple[str, str], bool]]:
        """Put partitions into force instead of those so far; return each link that is now down, or up again."""
        links = [(link.a, link.b) for link in self._network.links]
        before = [self.down(link) for link in links]
        self.walls = list(walls)
        for (source, target), line in self._lines.items():
            line.parted = self._separated(source, target)
        after = [self.down(link) for link in links]
        return [(link, now) for link, was, now in zip(links, before, after, strict=True) if now != was]

    def down(self, link: Sequence[str]) -> bool:
        """Return True if a link carries no messages in either direction."""
        return all(line.down for line in self.of(link))

    def _separated(self, a: str, b: str) -> bool:
        """Return True if a partition separates two processes; services are never cut off."""
        return any(a in wall and b in wall and wall[a] != wall[b] for wall in self.walls)
