"""The states, messages, timers and commands."""

from lydian import Command, Message, Timer, states

CALM, WAITING, RECOVERING = states(
    "calm", "waiting", "recovering",
    reads={
        "calm": "has no event waiting",
        "waiting": "holds an event back",
        "recovering": "asks for missing events",
    },
)


class Gossip(Message):
    """Forward the events received in the last round, each with the number of hops that it has made."""

    events: tuple[tuple[tuple[int, tuple[int, ...], float], int], ...] = ()


class Recover(Message):
    """Request a missing event: number s of entry j."""

    j: int
    s: int


class AckRecover(Message):
    """Answer Recover with the event that was missing."""

    event: tuple[int, tuple[int, ...], float]


class Round(Timer):
    """The next round of PrCast begins."""


class Sent(Timer):
    """The messages of this round have been sent."""


class Terminate(Timer):
    """PrCast will bring no more of the events for which this one waits."""

    j: int
    s: int


class GiveUp(Timer):
    """Recovery will bring no more of them either."""

    j: int
    s: int


class Update(Command):
    """Change an object, if this process is an updater."""

    payload: str = ""


class Work(Command):
    """Begin the rounds in which updaters create events at random."""
