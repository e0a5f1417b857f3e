"""The view that properties have of a configuration in a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.checks import Judges
from lydian.engine.explorer.local import Contents, Histories, Situations
from lydian.engine.explorer.numbers import Numbers
from lydian.engine.explorer.watched import Watched
from lydian.engine.state.configuration import Configuration, Observed, Said
from lydian.model.errors import PropertyError
from lydian.model.history.consistency import Violated
from lydian.model.history.operations import History
from lydian.model.limits import pressed
from lydian.model.memory.memory import Memory
from lydian.model.network import Network
from lydian.model.protocol.message import Message
from lydian.model.protocol.observer import Timeless, unknown_observer
from lydian.model.protocol.process import LOOKING, Process
from lydian.model.protocol.properties import Property
from lydian.model.protocol.protocol import Protocol

__all__ = ["Flight", "Judge", "Seen"]


class Flight:
    """A message in transit, like :class:`lydian.engine.state.configuration.Transit` but without an arrival time."""

    __slots__ = ("id", "message", "name", "receiver", "sender")

    def __init__(self, message: Message, sender: Process, receiver: Process, name: Any, id: int) -> None:
        self.message = message
        self.sender = sender
        self.receiver = receiver
        self.name = name
        self.id = id

    @property
    def arrives(self) -> float:
        raise Timeless


class Seen(Configuration):
    """The configuration that properties read; :meth:`show` replaces it with the next one.

    Attributes:
        flown, heard: whether messages in transit, and decisions or deliveries, have been read.
    """

    def __init__(
        self,
        situations: Sequence[Situations],
        channels: Sequence[Channel],
        contents: Sequence[Contents],
        messages: Numbers,
        network: Network,
        shown: Sequence[Process] = (),
        histories: Histories | None = None,
    ) -> None:
        self._histories = histories
        self._situations = situations
        self._shown = list(shown)  # processes that read one another's registers, for guarded actions
        for each, p in zip(situations, self._shown, strict=False):
            p._links, p._effects = each.p._links, []
        self._loaded = [-1] * len(self._shown)
        self._views = [each.views for each in situations]
        self._channels = [(c.source_i, c.target._i, c.name) for c in channels]
        self._contents = contents
        self._messages = messages.things
        super().__init__([], network)
        self._key: tuple[int, ...] = ()
        self._watched: Watched | None = None
        self.flown = self.heard = False

    def remembers(self, memory: Memory, put: Callable[[int], None], place: int) -> None:
        """Let properties read shared objects.

        Args:
            memory: the objects.
            put: gives them the contents of a number.
            place: the place of this number in a configuration.
        """
        self._memory, self._put, self._place = memory, put, place

    def watches(self, watched: Watched, place: int) -> None:
        """Let properties read observers, whose variables have a number at this place of a configuration."""
        self._watched, self._watched_place = watched, place

    def observer(self, cls: type[Observed]) -> Observed:
        if self._watched is None:
            raise ValueError(unknown_observer(cls, ()))
        found: Observed = self._watched.shown(self._key[self._watched_place], cls)  # type: ignore[assignment]
        return found

    @property
    def shared(self) -> Mapping[str, Any]:
        if self._memory is not None:
            self._put(self._key[self._place])
        return super().shared

    def show(self, key: tuple[int, ...]) -> None:
        """Show a configuration until the next call."""
        self._key = key
        if not self._shown:
            self.processes = [views[number] for views, number in zip(self._views, key, strict=False)]
            return
        self.processes = self._shown
        for i, (each, p) in enumerate(zip(self._situations, self._shown, strict=True)):
            if self._loaded[i] != key[i]:
                each.copy(each.views[key[i]], p)
                self._loaded[i] = key[i]

    @property
    def time(self) -> float:
        raise Timeless

    @property
    def in_transit(self) -> list[Any]:
        """The messages in transit, channel by channel, then the deferred ones; renumbered in each configuration."""
        self.flown = True
        processes, n = self.processes, len(self._views)
        found: list[Any] = []
        for number, (source, target, name) in enumerate(self._channels):
            content = self._key[n + number]
            if content:
                for m in self._contents[number].words[content]:
                    found.append(Flight(self._messages[m], processes[source], processes[target], name, len(found)))
        for each, number in zip(self._situations, self._key, strict=False):
            for channel, m, _ in each.pending[number].deferred:
                source, target, name = self._channels[channel]
                found.append(Flight(self._messages[m], processes[source], processes[target], name, len(found)))
        return found

    @property
    def decided(self) -> Said:
        last = {p._name: said[0] for p, said in self._said() if said[0]}
        return Said([p for p in self.processes if p._name in last], lambda name: last[name][0])

    @property
    def delivered(self) -> Said:
        all_ = {p._name: said[1] for p, said in self._said()}
        return Said(self.processes, all_.__getitem__)

    @property
    def history(self) -> History:
        if self._histories is None:
            return History()
        return self._histories.history(self._key[len(self._views) + len(self._channels)])

    def _said(self) -> list[tuple[Process, Any]]:
        self.heard = True
        numbers = zip(self._situations, self._key, strict=False)
        return [(p, each.said(number)) for p, (each, number) in zip(self.processes, numbers, strict=True)]

    def across(self, process: Process, neighbour: Any) -> Process:
        target: Process = self.processes[process._links[neighbour].target._i]
        return target


class Judge:
    """A judge of properties in configurations.

    Attributes:
        open: the properties that refer to time, which a search cannot judge.
        whys: property -> what a check of the history found at the first violation.
        broken: property -> a sentence about why it cannot be judged.
        places: property -> the first configuration judged in which it cannot be judged.
        calls: the number of judgements so far.
        busy: whether a judgement is in progress.
    """

    def __init__(self, seen: Seen, protocol: Protocol) -> None:
        self._seen = seen
        self._judges = Judges((), seen, protocol.file, protocol.source)
        self.open: set[Property] = set()
        self.whys: dict[Property, str] = {}
        self.broken: dict[Property, str] = {}
        self.places: dict[Property, tuple[int, ...]] = {}
        self.calls, self.busy = 0, False

    def failing(self, properties: list[Property], key: tuple[int, ...]) -> list[Property]:
        """Return the properties that do not hold, or cannot be judged, in a configuration."""
        self._seen.show(key)
        self.calls += 1
        self.busy = LOOKING.now = True
        try:
            return self._failing(properties, key)
        finally:
            self.busy = LOOKING.now = False

    def _failing(self, properties: list[Property], key: tuple[int, ...]) -> list[Property]:
        found = []
        for prop in properties:
            LOOKING.now = True
            try:
                holds = prop.holds(self._seen)
                if holds:
                    continue
                if isinstance(holds, Violated):
                    self.whys.setdefault(prop, holds.why)
            except Timeless:
                self.open.add(prop)
            except BaseException as error:
                if pressed(error):
                    raise
                self.calls += 1
                try:
                    self._judges._holds(prop)
                except PropertyError as error:
                    self.broken[prop] = str(error)
                    self.places.setdefault(prop, key)
            found.append(prop)
        return found
