"""What comes too late, or where it means nothing."""

from lydian import INIT, on

from .member import Member
from .messages import (
    JOINING,
    LEAVING,
    MEMBER,
    OUTSIDE,
    SINK,
    Hold,
    Join,
    Leave,
    LinkDown,
    LinkFree,
    LinkKo,
    LinkOk,
    LinkUp,
    News,
    Publish,
    Retry,
)


class OutOfPlace(Member):
    """What comes too late, or where it means nothing."""

    @on((OUTSIDE, SINK, LEAVING), LinkOk)
    def too_late(self, m, q):
        """It does not want this link any more."""
        self.send(LinkFree(), to=q)

    @on((JOINING, LEAVING), LinkUp)
    def not_here(self, m, q):
        """It is no member, and takes the link down again."""
        self.send(LinkDown(), to=q)

    @on((JOINING, MEMBER, SINK, LEAVING), (INIT, Join))
    @on((OUTSIDE, JOINING, LEAVING), (News, LinkFree, Publish, Leave))
    @on((OUTSIDE, SINK, LEAVING), LinkKo)
    @on((OUTSIDE, JOINING, MEMBER, LEAVING), Hold)
    @on((OUTSIDE, LEAVING), Retry)
    def nothing(self):
        """It is already where it wants to be, or no member to whom this means anything."""
