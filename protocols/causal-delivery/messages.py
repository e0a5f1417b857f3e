"""The states, and what processes, their timers and their users say."""

from lydian import Command, Message, Timer, states

CALM, WAITING, RECOVERING = states(
    "calm", "waiting", "recovering",
    reads={
        "calm": "has delivered what it heard",
        "waiting": "holds an event back",
        "recovering": "asks for what is missing",
    },
)


class Gossip(Message):
    """What I heard in the last round: events, each with the hops that it has made."""

    events: tuple[tuple[tuple[int, tuple[int, ...], float], int], ...] = ()


class Recover(Message):
    """'I miss your event number s of entry j.'"""

    j: int
    s: int


class AckRecover(Message):
    """'Here is the event that you miss.'"""

    event: tuple[int, tuple[int, ...], float]


class Round(Timer):
    """The next round of PrCast."""


class Sent(Timer):
    """The messages of this round are on the line."""


class Terminate(Timer):
    """PrCast brings no more of what this event waits for."""

    j: int
    s: int


class GiveUp(Timer):
    """Nor does recovery."""

    j: int
    s: int


class Update(Command):
    """Change an object, if this process is an updater."""

    payload: str = ""


class Work(Command):
    """Begin the rounds in which updaters create events by chance."""
