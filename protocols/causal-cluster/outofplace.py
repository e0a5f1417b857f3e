"""Messages, timers and commands that have no effect on a process that does not own an entry."""

from lydian import on

from .member import Member
from .messages import (
    COORDINATOR,
    EXCLUDING,
    JOINING,
    LEAVING,
    MEMBER,
    OWNERS,
    TEMPORARY,
    Ack,
    AckCoord,
    AckExclude,
    Again,
    Alive,
    Change,
    Count,
    Exclude,
    Free,
    Join,
    Leave,
    NoAck,
    NoAnswer,
    Reject,
    ReqCoord,
    Round,
    SuccChanged,
    Update,
)


class OutOfPlace(Member):
    """Events that have no effect."""

    @on((JOINING, *OWNERS), Join)
    @on(JOINING, Leave)
    def as_you_like(self):
        """It is already doing so."""

    @on((MEMBER, JOINING), (Alive, Update, SuccChanged, Ack, Exclude, ReqCoord))
    @on((MEMBER, JOINING, COORDINATOR, TEMPORARY, LEAVING), (AckExclude, AckCoord))
    @on((MEMBER, JOINING, EXCLUDING, TEMPORARY), Reject)
    def too_late(self, m, q):
        """That was addressed to a coordinator, or belongs to an exclusion that is over."""

    @on((MEMBER, JOINING), (Change, Round))
    @on(LEAVING, (Change, Leave))
    @on(MEMBER, Leave)
    @on((MEMBER, JOINING, EXCLUDING, TEMPORARY, LEAVING), NoAck)
    @on((MEMBER, JOINING, COORDINATOR, TEMPORARY, LEAVING), (NoAnswer, Count))
    @on((MEMBER, JOINING, COORDINATOR, EXCLUDING, LEAVING), Free)
    @on((MEMBER, EXCLUDING, TEMPORARY, LEAVING), Again)
    def nothing(self):
        """It has nothing to do."""
