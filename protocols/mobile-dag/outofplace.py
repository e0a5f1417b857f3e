"""Messages, timers and commands that arrive too late, or where they have no effect."""

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
    """Events that arrive too late, or where they have no effect."""

    @on((OUTSIDE, SINK, LEAVING), LinkOk)
    def too_late(self, m, q):
        """It no longer wants this link."""
        self.send(LinkFree(), to=q)

    @on((JOINING, LEAVING), LinkUp)
    def not_here(self, m, q):
        """It is not a member, so it takes the link down again."""
        self.send(LinkDown(), to=q)

    @on((JOINING, MEMBER, SINK, LEAVING), (INIT, Join))
    @on((OUTSIDE, JOINING, LEAVING), (News, LinkFree, Publish, Leave))
    @on((OUTSIDE, SINK, LEAVING), LinkKo)
    @on((OUTSIDE, JOINING, MEMBER, LEAVING), Hold)
    @on((OUTSIDE, LEAVING), Retry)
    def nothing(self):
        """It is already in the requested state, or is not a member, so this has no effect."""
