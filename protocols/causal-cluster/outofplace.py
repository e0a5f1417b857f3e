"""What means nothing to a process that owns no entry any more, or not yet."""

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
    """What means nothing here."""

    @on((JOINING, *OWNERS), Join)
    @on(JOINING, Leave)
    def as_you_like(self):
        """It does so already."""

    @on((MEMBER, JOINING), (Alive, Update, SuccChanged, Ack, Exclude, ReqCoord))
    @on((MEMBER, JOINING, COORDINATOR, TEMPORARY, LEAVING), (AckExclude, AckCoord))
    @on((MEMBER, JOINING, EXCLUDING, TEMPORARY), Reject)
    def too_late(self, m, q):
        """That was for a coordinator, or for an exclusion that is over."""

    @on((MEMBER, JOINING), (Change, Round))
    @on(LEAVING, (Change, Leave))
    @on(MEMBER, Leave)
    @on((MEMBER, JOINING, EXCLUDING, TEMPORARY, LEAVING), NoAck)
    @on((MEMBER, JOINING, COORDINATOR, TEMPORARY, LEAVING), (NoAnswer, Count))
    @on((MEMBER, JOINING, COORDINATOR, EXCLUDING, LEAVING), Free)
    @on((MEMBER, EXCLUDING, TEMPORARY, LEAVING), Again)
    def nothing(self):
        """There is nothing to do for it."""
