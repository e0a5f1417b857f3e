"""The states, and what processes, their timers and their users say."""

from lydian import Command, Message, Timer, states

ASLEEP, MEMBER, JOINING, SINK = states(
    "asleep", "member", "joining", "sink",
    reads={
        "asleep": "has heard nothing yet",
        "member": "is in its layers",
        "joining": "joins a layer",
        "sink": "is privileged in some layer",
    },
)
AWAKE = (MEMBER, JOINING, SINK)


class Hello(Message):
    """'I am (not) interested in this topic; this is my identifier in its layer.'"""

    topic: int
    interested: bool
    lid: int


class News(Message):
    """'In the layer of this topic I give way; this is my new val there, and what I have heard and published.'"""

    topic: int
    val: int
    batch: tuple[tuple[int, str], ...] = ()


class LinkReq(Message):
    """'May I have a link to you in this layer?'"""

    topic: int


class LinkOk(Message):
    """'Yes; this is my val there, which I keep until you have decided, and my lid.'"""

    topic: int
    val: int
    lid: int
    near: tuple = ()  # its neighbours in the layer, for mode safe


class LinkKo(Message):
    """'No; I am not in this layer, or cannot say yes now.'"""

    topic: int
    again: bool  # whether to ask again makes sense


class LinkUp(Message):
    """'Our link in this layer is up, and this is my end of it.'"""

    topic: int
    val: int
    lid: int


class LinkFree(Message):
    """'There will be no link in this layer for now; your val is yours again.'"""

    topic: int


class LinkDown(Message):
    """'I leave this layer, and our link there is down.'"""

    topic: int


class LinkDownOk(Message):
    """'I know that our link in this layer is down.'"""

    topic: int


class Hold(Timer):
    """The time for which a sink keeps its privilege in a layer is over."""

    topic: int


class Retry(Timer):
    """It is time to ask again for links of a layer that are forming."""

    topic: int


class Publish(Command):
    """News on a topic."""

    topic: int = 1
    content: str = "news"


class Subscribe(Command):
    """Join the layer of a topic through all neighbours that are in it."""

    topic: int = 1


class Unsubscribe(Command):
    """Leave the layer of a topic, when all news are passed on."""

    topic: int = 1
