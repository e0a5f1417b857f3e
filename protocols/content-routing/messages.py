"""The states, and what processes, their timers and their users say."""

from lydian import Command, Message, Timer, states

EMPTY, FRESH, STALE = states(
    "empty", "fresh", "stale",
    reads={"empty": "knows no entries", "fresh": "has renewed entries", "stale": "waits for renewals"},
)


class Notify(Message):
    """'This has happened.'"""

    value: int
    id: str


class Sub(Message):
    """'I want what is from low to high', for the first time or again."""

    id: str
    low: int
    high: int


class Unsub(Message):
    """'I do not want it any more.'"""

    id: str
    low: int
    high: int


class Overrun(Timer):
    """The clock of the broker starts anew."""


class Renew(Timer):
    """A client wants what it wants; nothing can change that."""

    id: str
    low: int
    high: int


class Expire(Timer):
    """A client has had enough."""

    id: str


class Subscribe(Command):
    """A new client wants what is from ``low`` to ``high`` (``low`` alone without it); an aged one came long ago."""

    low: int
    high: int = -1
    aged: bool = False


class Unsubscribe(Command):
    """The client of this name leaves; without a name, the newest."""

    id: str = ""


class Publish(Command):
    """A client has news."""

    value: int


class Spoil(Command):
    """A fault: table, flags and clock become anything; every neighbour gets so many messages that nobody meant."""

    forged: int = 0
