"""The states, messages, timers and commands."""

from lydian import Command, Message, Timer, states

EMPTY, FRESH, STALE = states(
    "empty", "fresh", "stale",
    reads={"empty": "has no entries", "fresh": "holds renewed entries", "stale": "waits for renewals"},
)


class Notify(Message):
    """Carry a notification."""

    value: int
    id: str


class Sub(Message):
    """Subscribe to the numbers from low to high, for the first time or again."""

    id: str
    low: int
    high: int


class Unsub(Message):
    """Withdraw a subscription."""

    id: str
    low: int
    high: int


class Overrun(Timer):
    """The clock of the broker overruns."""


class Renew(Timer):
    """The renewal of a client's subscription is due."""

    id: str
    low: int
    high: int


class Expire(Timer):
    """The lifetime of a client is over."""

    id: str


class Subscribe(Command):
    """A new client wants the numbers from ``low`` to ``high`` (or only ``low``); an aged one arrived long ago."""

    low: int
    high: int = -1
    aged: bool = False


class Unsubscribe(Command):
    """The client of this name leaves; without a name, the newest."""

    id: str = ""


class Publish(Command):
    """A client publishes a notification."""

    value: int


class Spoil(Command):
    """A fault: table, flags and clock become arbitrary; each neighbour receives ``forged`` meaningless messages."""

    forged: int = 0
