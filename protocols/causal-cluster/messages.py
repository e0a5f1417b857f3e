"""The states, messages, timers and commands."""

from lydian import Command, Message, Timer, states

MEMBER, JOINING, COORDINATOR, EXCLUDING, TEMPORARY, LEAVING = states(
    "member", "joining", "coordinator", "excluding", "temporary", "leaving",
    reads={
        "member": "is a member",
        "joining": "wants an entry",
        "coordinator": "is a coordinator",
        "excluding": "excludes a coordinator",
        "temporary": "is a temporary coordinator",
    },
)
OWNERS = (COORDINATOR, EXCLUDING, TEMPORARY, LEAVING)


class Gossip(Message):
    """Forward the items of the last round, events and news about entries, each with its number of hops."""

    items: tuple[tuple[tuple[int, tuple[int, ...], str] | tuple[str, int, str, float], int], ...] = ()


class Recover(Message):
    """Request a missing event: number s of entry j."""

    j: int
    s: int


class AckRecover(Message):
    """Answer Recover with the event that was missing."""

    event: tuple[int, tuple[int, ...], str]


class Cjoin(Message):
    """Request an entry for this process; ``entry`` is set once a coordinator has chosen one."""

    who: str
    entry: int = -1


class AckCjoin(Message):
    """Grant an entry; carries the predecessors, the successor, and all that the sender knows about entries."""

    L: tuple
    entry: int
    next: int
    succ: str
    view: dict
    since: dict
    last: tuple


class Reject(Message):
    """Refuse a Cjoin, Cleave or AckCjoin."""

    of: str


class SuccChanged(Message):
    """Announce the sender as the new predecessor, with its entry and its own predecessors."""

    entry: int
    R: tuple


class Cleave(Message):
    """Request to leave; carries the sender's successor and the last number of its entry."""

    entry: int
    seq: int
    next: int
    succ: str


class Ack(Message):
    """Acknowledge an Update, SuccChanged or Cleave."""

    of: str


class Alive(Message):
    """Report that the sender is alive."""


class Update(Message):
    """Report the receiver's predecessors: the sender and these."""

    R: tuple


class Exclude(Message):
    """Ask for the receiver's predecessors, because the processes in between seem to have crashed."""


class AckExclude(Message):
    """Answer Exclude with the sender's predecessors."""

    L: tuple


class ReqCoord(Message):
    """Ask whether the entries between these two may be excluded."""

    after: int
    before: int


class AckCoord(Message):
    """Agree to the exclusion; the sender sends no more Alive to the processes concerned."""


class Step(Timer):
    """The next round of PrCast begins."""


class Round(Timer):
    """The next round of the coordinators begins."""


class NoAck(Timer):
    """The successor should have sent its ACK to UPDATE."""


class NoAnswer(Timer):
    """The process that was asked for its predecessors should have answered."""


class Count(Timer):
    """All processes that agree to the exclusion should have answered."""


class Free(Timer):
    """Any excluded process that is still alive has left by now."""


class Again(Timer):
    """The request is due to be repeated."""


class Terminate(Timer):
    """PrCast will bring no more of the events for which this one waits."""

    j: int
    s: int


class GiveUp(Timer):
    """Recovery will bring no more of them either."""

    j: int
    s: int


class Change(Command):
    """Change an object, if this process is a coordinator."""


class Join(Command):
    """Become a coordinator."""


class Leave(Command):
    """Stop being a coordinator."""
