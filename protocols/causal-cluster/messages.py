"""The states, and what processes, their timers and their users say."""

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
    """What I heard in the last round, events and news of entries, each with the hops that it has made."""

    items: tuple[tuple[tuple[int, tuple[int, ...], str] | tuple[str, int, str, float], int], ...] = ()


class Recover(Message):
    """'I miss the event number s of entry j.'"""

    j: int
    s: int


class AckRecover(Message):
    """'Here is the event that you miss.'"""

    event: tuple[int, tuple[int, ...], str]


class Cjoin(Message):
    """'This process wants to coordinate', with a certain entry once somebody has chosen one."""

    who: str
    entry: int = -1


class AckCjoin(Message):
    """'This entry is yours; these are your predecessors and your successor, and all that I know of entries.'"""

    L: tuple
    entry: int
    next: int
    succ: str
    view: dict
    since: dict
    last: tuple


class Reject(Message):
    """'That cannot be', of Cjoin, Cleave or AckCjoin."""

    of: str


class SuccChanged(Message):
    """'I am your predecessor now, with this entry; these are I and mine.'"""

    entry: int
    R: tuple


class Cleave(Message):
    """'I want to leave; this is my successor, and the last number of my entry.'"""

    entry: int
    seq: int
    next: int
    succ: str


class Ack(Message):
    """'It is so', of Update, SuccChanged or Cleave."""

    of: str


class Alive(Message):
    """'I am here.'"""


class Update(Message):
    """'Your predecessors are I and these.'"""

    R: tuple


class Exclude(Message):
    """'Those between us seem to be dead; who are your predecessors?'"""


class AckExclude(Message):
    """'These are my predecessors.'"""

    L: tuple


class ReqCoord(Message):
    """'May the entries between these two be excluded?'"""

    after: int
    before: int


class AckCoord(Message):
    """'They may; they hear nothing from me any more.'"""


class Step(Timer):
    """The next round of PrCast."""


class Round(Timer):
    """The next round of the coordinators."""


class NoAck(Timer):
    """The successor should have sent its ACK to UPDATE."""


class NoAnswer(Timer):
    """Whoever was asked for its predecessors should have answered."""


class Count(Timer):
    """Whoever agrees to the exclusion has said so."""


class Free(Timer):
    """Whoever was excluded and lives has found out in this round."""


class Again(Timer):
    """It is time to ask again."""


class Terminate(Timer):
    """PrCast brings no more of what this event waits for."""

    j: int
    s: int


class GiveUp(Timer):
    """Nor does recovery."""

    j: int
    s: int


class Change(Command):
    """Change an object, if this process is a coordinator."""


class Join(Command):
    """Become a coordinator."""


class Leave(Command):
    """Stop being one."""
