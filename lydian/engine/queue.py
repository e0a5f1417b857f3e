"""The pending entries of an execution: deliveries, calls, and events that wait at the door of a busy process.

The queue is the list in which SimPy keeps its events: a heap of tuples that begin with a time, a priority and a unique
number, so that comparisons stop there. Creating a named tuple takes as long as a fifth of an event, so the kernel
writes and reads deliveries as plain tuples, in the order of the fields of :class:`Delivery`; a delivery becomes a named
tuple when it is first inspected. Only the kernel and this file depend on that.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappush
from math import inf
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from lydian.engine.channel import Channel
from lydian.model.protocol.message import Timer
from lydian.model.protocol.process import Process

__all__ = ["AT_ONCE", "END", "EVENT", "INTERVENTION", "Alarm", "Call", "Delivery", "Loss", "Queue", "Waiting"]

#: The priorities of entries with the same time: a choice, interventions, events of the execution, the end.
AT_ONCE, INTERVENTION, EVENT, END = -1, 0, 1, 9


class Delivery(NamedTuple):
    """The delivery of a message in transit.

    Attributes:
        time: when it arrives; in the past if it waits at a door.
        priority, number: the order among entries with the same time.
        call: ``None``; a :class:`Call` has a function here.
        id: the number of the message, as in the trace.
        lamport, chain: the logical time of its sender when it was sent.
        sent: the ``seq`` of the send event.
        label, bits: the code of its class in the trace, and its size.
    """

    time: float
    priority: int
    number: int
    call: None
    channel: Channel
    message: Any
    id: int
    lamport: int
    chain: int
    sent: int
    label: int
    bits: int


class Call(NamedTuple):
    """An entry that calls ``call(argument)`` at a time."""

    time: float
    priority: int
    number: int
    call: Callable[[Any], None]
    argument: Any


class Loss(NamedTuple):
    """The argument of the call that loses a message in transit."""

    delivery: Delivery
    reason: str


class Alarm:
    """A timer that a process has set.

    Attributes:
        cause: the ``seq`` of the event whose action set it.
        rings: the time at which it expires.
        pending: whether it will expire; False once it is cancelled.
        overdue: whether it expired while its process was down.
    """

    __slots__ = ("cause", "overdue", "pending", "process", "rings", "timer")

    def __init__(self, process: Process, timer: Timer, cause: int, rings: float) -> None:
        self.process, self.timer, self.cause, self.rings = process, timer, cause, rings
        self.pending, self.overdue = True, False


class Waiting(NamedTuple):
    """An event that waits at the door of a process.

    Attributes:
        kind: the kind of the event, as in the trace.
        event: the message, timer or command, or ``INIT``.
        since: when it began to wait.
        delivery: the delivery, if the event is a message.
        cause: the ``seq`` of the event that set the timer.
    """

    kind: int
    event: Any
    since: float
    delivery: Delivery | None
    cause: int


class Deferred(NamedTuple):
    """A message that its receiver has deferred, and the state of the receiver at that moment."""

    waiting: Waiting
    state: str


_IN_ORDER = attrgetter("id")
_FLAT = len(Delivery._fields)


class Queue(list[Any]):
    """All pending entries, as a heap with the earliest first; the events that wait at doors are kept separately.

    Attributes:
        doors: index of a process that may be busy -> the events that wait until it has finished its step.
        deferred: index of a process -> the messages that it has deferred, in the order of their arrival.
        void: the number of alarms in the queue that were cancelled or set again.
        away: the messages to processes that another simulator simulates, which leave between two rounds.
    """

    __slots__ = ("away", "deferred", "doors", "void")

    def __init__(self) -> None:
        super().__init__()
        self.doors: dict[int, deque[Waiting]] = {}
        self.deferred: dict[int, list[Deferred]] = {}
        self.void = 0
        self.away: list[Delivery] = []

    @property
    def next(self) -> float:
        """The time of the earliest entry; infinity if there is none."""
        return float(self[0][0]) if self else inf

    @property
    def only_void(self) -> bool:
        """Whether the queue contains only cancelled alarms."""
        return len(self) == self.void > 0

    def clear(self) -> None:
        """Remove all entries except the events that wait at doors."""
        super().clear()
        self.void = 0

    def push(self, delivery: Delivery) -> None:
        """Add the delivery of a message."""
        if delivery.channel.away:
            self.away.append(delivery)
        else:
            heappush(self, delivery)

    def push_all(self, deliveries: Sequence[Any]) -> None:
        """Add the deliveries of many messages."""
        self += deliveries
        heapify(self)

    def entries(self) -> list[Delivery | Call]:
        """Return all entries of the queue, in no particular order, and make each a named tuple."""
        for at, entry in enumerate(self):
            if type(entry) is tuple:
                self[at] = (Delivery if len(entry) == _FLAT else Call)._make(entry)
        return self

    def calls(self) -> list[Call]:
        """Return all entries of the queue except deliveries."""
        return [entry for entry in self.entries() if type(entry) is Call]

    def coming(self) -> list[Delivery]:
        """Return the deliveries in the queue."""
        return [entry for entry in self.entries() if type(entry) is Delivery]

    def deliveries(self) -> list[Delivery]:
        """Return the deliveries in the queue, those that wait at doors, and those that are deferred."""
        waiting = (each.delivery for each in self.waiting() if each.delivery is not None)
        return [*self.coming(), *self.away, *waiting]

    def waiting(self) -> Iterator[Waiting]:
        """Yield the events that wait at doors, and the deferred messages."""
        for door in self.doors.values():
            yield from door
        for some in self.deferred.values():
            yield from (each.waiting for each in some)

    def losses(self) -> list[Call]:
        """Return the calls that lose messages; their argument is a :class:`Loss`."""
        return [call for call in self.calls() if type(call.argument) is Loss]

    def in_transit(self) -> list[Delivery]:
        """Return the messages that have been sent and neither received nor lost, in the order of sending."""
        return sorted([*self.deliveries(), *(call.argument.delivery for call in self.losses())], key=_IN_ORDER)

    def take(self, which: Callable[[Delivery], bool]) -> list[Delivery]:
        """Remove deliveries that are not at a door from the queue, and return them in the order of sending."""
        taken = [each for each in (*self.coming(), *self.away) if which(each)]
        self._without(taken)
        return sorted(taken, key=_IN_ORDER)

    def arrived(self, end: float, place: Sequence[int]) -> dict[int, list[Any]]:
        """Remove the messages that arrive before a time or wait at a door, and return them by index of the receiver.

        The deliveries are plain tuples, sorted by the ``place`` of the sender and then by the order of sending.
        """
        mine = [entry for entry in self if len(entry) == _FLAT and entry[0] < end]
        if mine:
            self[:] = [entry for entry in self if len(entry) != _FLAT or entry[0] >= end]
            heapify(self)
        for door in self.doors.values():
            mine += [each.delivery for each in door]
            door.clear()
        mine.sort(key=itemgetter(2))
        mine.sort(key=lambda entry: place[entry[4].source_i])  # usually already in order, which takes no time
        found: dict[int, list[Any]] = defaultdict(list)
        for entry in mine:
            found[entry[4].target._i].append(entry)
        return found

    def withdraw(self, entry: Delivery | Call) -> bool:
        """Remove an entry from the queue, from the door where it waits, or from the deferred messages.

        Return True if it was there.
        """
        if self._without([entry]):
            return True
        for door in self.doors.values():
            for at, each in enumerate(door):
                if each.delivery is entry:
                    del door[at]
                    return True
        for some in self.deferred.values():
            for at, deferred in enumerate(some):
                if deferred.waiting.delivery is entry:
                    del some[at]
                    return True
        return False

    def _without(self, gone: Sequence[Delivery | Call]) -> bool:
        """Remove entries from the heap; return True if any was there."""
        size, ids = len(self) + len(self.away), set(map(id, gone))
        if ids:
            self[:] = [entry for entry in self if id(entry) not in ids]
            heapify(self)
            self.away[:] = [entry for entry in self.away if id(entry) not in ids]
        return len(self) + len(self.away) < size
