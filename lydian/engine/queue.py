"""What is pending in an execution: deliveries, calls, and what waits at the door of a busy process.

The queue is the list in which SimPy keeps its events, a heap of tuples that begin with time, priority and a number that
is unique; comparisons stop there.  Making a tuple with names takes as long as a fifth of an event, so the kernel writes
and reads deliveries flat, in the order of the fields of :class:`Delivery`, and a delivery gets its names when somebody
looks at it.  The kernel and this file alone know that.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from heapq import heapify, heappush
from math import inf
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from lydian.engine.channel import Channel
from lydian.model.protocol.message import Timer
from lydian.model.protocol.process import Process

__all__ = ["AT_ONCE", "END", "EVENT", "INTERVENTION", "Alarm", "Call", "Delivery", "Loss", "Queue", "Waiting"]

#: Priorities of what happens at the same time: a choice, interventions, events of the execution, the end.
AT_ONCE, INTERVENTION, EVENT, END = -1, 0, 1, 9


class Delivery(NamedTuple):
    """A message on its way.

    Attributes:
        time: when it arrives; in the past if it waits at a door.
        priority, number: order of what happens at the same time.
        call: ``None``; a :class:`Call` has a function here.
        id: number of the message, as in the trace.
        lamport, chain: logical time of its sender when it was sent.
        sent: ``seq`` of the send.
        label, bits: code of its class in the trace, and its size.
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
    """``call(argument)`` at a time."""

    time: float
    priority: int
    number: int
    call: Callable[[Any], None]
    argument: Any


class Loss(NamedTuple):
    """What is called for a message that gets lost on its way."""

    delivery: Delivery
    reason: str


class Alarm:
    """A timer of a process that was set.

    Attributes:
        cause: ``seq`` of the event whose action set it.
        rings: when it rings.
        pending: whether it will ring; false once it is cancelled.
        overdue: whether it has rung while its process was down.
    """

    __slots__ = ("cause", "overdue", "pending", "process", "rings", "timer")

    def __init__(self, process: Process, timer: Timer, cause: int, rings: float) -> None:
        self.process, self.timer, self.cause, self.rings = process, timer, cause, rings
        self.pending, self.overdue = True, False


class Waiting(NamedTuple):
    """An event at the door of a process.

    Attributes:
        kind: of the event, as in the trace.
        event: the message, timer or command, or ``INIT``.
        since: when it came to the door.
        delivery: of a message.
        cause: ``seq`` of the event that set the timer.
    """

    kind: int
    event: Any
    since: float
    delivery: Delivery | None
    cause: int


_IN_ORDER = attrgetter("id")
_FLAT = len(Delivery._fields)


class Queue(list[Any]):
    """All that is pending, as a heap with the earliest first; what waits at the doors is beside it.

    Attributes:
        doors: index of a process that may be busy -> what waits until it has finished its step.
        void: number of alarms in the queue that were cancelled or set anew.
    """

    __slots__ = ("doors", "void")

    def __init__(self) -> None:
        super().__init__()
        self.doors: dict[int, deque[Waiting]] = {}
        self.void = 0

    @property
    def next(self) -> float:
        """The time of the earliest entry; infinity if there is none."""
        return float(self[0][0]) if self else inf

    @property
    def only_void(self) -> bool:
        """Whether nothing is left but alarms that will not ring."""
        return len(self) == self.void > 0

    def clear(self) -> None:
        """Forget everything but what waits at the doors."""
        super().clear()
        self.void = 0

    def push(self, delivery: Delivery) -> None:
        """Put a message on its way."""
        heappush(self, delivery)

    def push_all(self, deliveries: Sequence[Any]) -> None:
        """Put many messages on their way."""
        self += deliveries
        heapify(self)

    def entries(self) -> list[Delivery | Call]:
        """Everything in the queue, in no order; each entry has its names from now on."""
        for at, entry in enumerate(self):
            if type(entry) is tuple:
                self[at] = (Delivery if len(entry) == _FLAT else Call)._make(entry)
        return self

    def calls(self) -> list[Call]:
        """Everything in the queue but the messages that will arrive."""
        return [entry for entry in self.entries() if type(entry) is Call]

    def coming(self) -> list[Delivery]:
        """The messages that will arrive."""
        return [entry for entry in self.entries() if type(entry) is Delivery]

    def deliveries(self) -> list[Delivery]:
        """The messages that will arrive, or wait at a door."""
        waiting = (each.delivery for door in self.doors.values() for each in door if each.delivery is not None)
        return [*self.coming(), *waiting]

    def losses(self) -> list[Call]:
        """The calls by which messages get lost; their argument is a :class:`Loss`."""
        return [call for call in self.calls() if type(call.argument) is Loss]

    def in_transit(self) -> list[Delivery]:
        """The messages sent and neither received nor lost, in the order of sending."""
        return sorted([*self.deliveries(), *(call.argument.delivery for call in self.losses())], key=_IN_ORDER)

    def take(self, which: Callable[[Delivery], bool]) -> list[Delivery]:
        """Take messages that are not at a door out of the queue, in the order of sending."""
        taken = [each for each in self.coming() if which(each)]
        self._without(taken)
        return sorted(taken, key=_IN_ORDER)

    def arrived(self, end: float, place: Sequence[int]) -> dict[int, list[Any]]:
        """Take out the messages that arrive before a time or wait at a door, flat: index of the receiver -> its
        deliveries, by the ``place`` of the sender, and as sent."""
        mine = [entry for entry in self if len(entry) == _FLAT and entry[0] < end]
        if mine:
            self[:] = [entry for entry in self if len(entry) != _FLAT or entry[0] >= end]
            heapify(self)
        for door in self.doors.values():
            mine += [each.delivery for each in door]
            door.clear()
        mine.sort(key=itemgetter(2))
        mine.sort(key=lambda entry: place[entry[4].source_i])  # mostly in order already, which takes no time
        found: dict[int, list[Any]] = defaultdict(list)
        for entry in mine:
            found[entry[4].target._i].append(entry)
        return found

    def withdraw(self, entry: Delivery | Call) -> bool:
        """Take one entry out of the queue, or from the door where it waits; return whether it was there."""
        if self._without([entry]):
            return True
        for door in self.doors.values():
            for at, each in enumerate(door):
                if each.delivery is entry:
                    del door[at]
                    return True
        return False

    def _without(self, gone: Sequence[Delivery | Call]) -> bool:
        """Take entries out of the heap; return whether any was there."""
        size, ids = len(self), set(map(id, gone))
        if ids:
            self[:] = [entry for entry in self if id(entry) not in ids]
            heapify(self)
        return len(self) < size
