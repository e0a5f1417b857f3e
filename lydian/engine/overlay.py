"""Sending in an overlay: a process can send to any process whose name it has, even without a link.

Along a link, messages are sent as usual. Elsewhere, a message takes the network's own delay, drawn from a stream of
the sender (``overlay:P``), arrives in the network's order, and is lost with the network's loss rate; it is affected by
crashes but not by links that are down.

A thousand processes may form a million pairs, so nothing is kept for a pair: the path of a message is created when it
is sent and dropped when it has arrived. Only if messages must stay in order are the paths that carry messages kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from lydian.engine.channel import Channel
from lydian.engine.setup import chances, steady
from lydian.model.errors import did_you_mean
from lydian.model.names import natural
from lydian.model.network import RATES, Network
from lydian.model.protocol.process import Process
from lydian.model.streams import stream_key

__all__ = ["Overlay", "Way", "Ways"]

#: The number of ways that a process keeps before it removes those that are empty.
_KEPT = 64
#: The maximum number of draws made at once for one process.
_BLOCK = 256


class _Ends(NamedTuple):
    source: Process
    source_i: int
    target: Process
    name: str
    draw: Callable[[], float]


class Way(_Ends):
    """The path of one message that needs no special handling; to the kernel it is a :class:`Channel`."""

    __slots__ = ()

    fifo = special = down = away = False
    last = loss = 0.0
    lose = None
    planned = ()


class Ways(dict[Any, Any]):
    """The channels of a process by the names of its neighbours; :attr:`get` also finds ways to all other processes.

    Attributes:
        everybody: the names of all processes, in natural order.
    """

    __slots__ = ("everybody", "get")

    everybody: tuple[str, ...]
    get: Callable[[Any], Any]  # type: ignore[assignment]  # a closure in place of dict's own

    def __missing__(self, name: Any) -> Any:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found


class Overlay:
    """The overlay of a run, which gives its processes ways to each other.

    Args:
        processes: the processes with their channels.
        network: the network with its timing applied.
        seed: the seed of the experiment.
        clock: returns the time, from which it follows which ways are empty.

    Attributes:
        everybody: the names of all processes, in natural order.
        named: the processes by name.
        planned: faults for the next message that is sent, like :attr:`Channel.planned`.
        wait: returns the delay of every message in place of the network's delay; ``None`` for the network's delay.
        noise: returns the source of duplication and corruption for the messages of a sender.
        walls: the current partitions, each as the group number of every process.
        pairs: like ``planned``, but for the next message from one process to another, by their indices.
        away: the indices of the processes that another simulator simulates.
    """

    def __init__(self, processes: Sequence[Process], network: Network, seed: int, clock: Callable[[], float]) -> None:
        self.everybody: tuple[str, ...] = tuple(sorted(network.processes, key=natural))
        self.planned: list[Any] = []
        self.wait: Callable[[], float] | None = None
        self.pairs: dict[tuple[int, int], list[Any]] = {}
        self.walls: list[tuple[int, ...]] = []
        self.away: set[int] = set()
        self._network = network
        self._careful = network.order == "fifo" or any(getattr(network, rate) > 0 for rate in RATES)
        self.noise: Callable[[str], Any] = lambda _sender: None
        self._seed = seed
        self._clock = clock
        self.named = {p._name: p for p in processes}
        for p in processes:
            ways = Ways(p._links)
            ways.get = self._finder(p, ways)
            ways.everybody = self.everybody
            p._links = ways

    @property
    def plain(self) -> bool:
        """Whether messages that are sent without a link need no special handling."""
        return not (self.planned or self.pairs or self.walls or self.away or self._careful)

    def _finder(self, p: Process, ways: Ways) -> Callable[[Any], Any]:
        """Return a function that finds the channel to a neighbour or the way to another process.

        It returns ``None`` for the process itself and for unknown names.
        """
        near = super(Ways, ways).get
        named, planned, pairs, key = self.named.get, self.planned, self.pairs, stream_key
        network, seed, clock = self._network, self._seed, self._clock
        name, number = p._name, p._i
        careful, walls, away = self._careful, self.walls, self.away
        make = tuple.__new__
        draw: Callable[[], float] | None = None
        closely: Callable[[Process, Callable[[], float]], Channel] | None = None

        def get(to: Any) -> Any:
            nonlocal draw, closely
            found = near(to)
            if found is not None:
                return found
            target = named(to)
            if target is None or target is p:
                return None
            if draw is None:
                draw = self.wait or steady(network, key(seed, "overlay", name), _BLOCK, clock)
            if careful or planned or pairs or walls or away:
                if closely is None:
                    closely = self._closely(p)
                return closely(target, draw)
            return make(Way, (p, number, target, name, draw))

        return get

    def _closely(self, p: Process) -> Callable[[Process, Callable[[], float]], Channel]:
        """Return a function that makes ways that are FIFO, lose messages or have a fault planned."""
        network, clock = self._network, self._clock
        fifo = network.order == "fifo"
        lose = chances(stream_key(self._seed, "overlay loss", p._name)) if network.loss > 0 else None
        kept: dict[int, Channel] = {}
        noise = self.noise(p._name)
        room = _KEPT

        def closely(target: Process, draw: Callable[[], float]) -> Channel:
            nonlocal room
            channel = kept.get(target._i)
            if channel is None:
                channel = Channel(p, target, p._name, draw)
                channel.fifo, channel.loss, channel.lose = fifo, network.loss, lose
                channel.special, channel.noise = True, noise
                if fifo:
                    if len(kept) >= room:
                        now = clock()
                        for i in [i for i, each in kept.items() if each.last < now]:
                            del kept[i]
                        room = max(_KEPT, 2 * len(kept))
                    kept[target._i] = channel
            channel.down = any(side[p._i] != side[target._i] for side in self.walls)
            channel.planned = self.pairs.get((p._i, target._i)) or self.planned
            channel.away = target._i in self.away
            return channel

        return closely

    def plan(self, item: Any, link: tuple[str, str] | None) -> None:
        """Plan a fault for the next message, or for the next message from one process to another."""
        if link is None:
            self.planned.append(item)
        else:
            a, b = (self.named[name]._i for name in link)
            self.pairs.setdefault((a, b), []).append(item)

    def unknown(self, p: Process, to: Any) -> str:
        """Return why a process cannot send to a name, as a continuation of "it sends Ack to 9, which"."""
        text = f"is not a process of this network{did_you_mean(to, self.named)}"
        known, rest = self.everybody[:8], len(self.everybody) - 8
        return f"{text}; there are {', '.join(known)}" + (f" and {rest} more" if rest > 0 else "")
