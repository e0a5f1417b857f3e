"""Messages, timers and commands that arrive too early, or where they have no effect."""

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
    """Events that arrive too early, or where they have no effect."""

    @on(ASLEEP, LinkReq)
    def refuse(self, m, q):
        """It is not yet in any layer, so it refuses."""
        self.send(LinkKo(m.topic, False), to=q)

    @on(AWAKE, INIT)
    @on((ASLEEP, MEMBER, JOINING), Hold)
    @on(ASLEEP, (News, LinkOk, LinkKo, LinkUp, LinkFree, LinkDown, LinkDownOk, Retry, Publish))
    def nothing(self):
        """It is already awake, or not yet in any layer."""
