"""What comes too early, or where it means nothing."""

from lydian import INIT, on

from .member import Member
from .messages import (
    ASLEEP,
    AWAKE,
    JOINING,
    MEMBER,
    Hold,
    LinkDown,
    LinkDownOk,
    LinkFree,
    LinkKo,
    LinkOk,
    LinkReq,
    LinkUp,
    News,
    Publish,
    Retry,
)


class OutOfPlace(Member):
    """What comes too early, or where it means nothing."""

    @on(ASLEEP, LinkReq)
    def refuse(self, m, q):
        """It is not yet in any layer."""
        self.send(LinkKo(m.topic, False), to=q)

    @on(AWAKE, INIT)
    @on((ASLEEP, MEMBER, JOINING), Hold)
    @on(ASLEEP, (News, LinkOk, LinkKo, LinkUp, LinkFree, LinkDown, LinkDownOk, Retry, Publish))
    def nothing(self):
        """It is awake already, or not yet in any layer."""
