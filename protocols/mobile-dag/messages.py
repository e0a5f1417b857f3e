"""The states, and what processes, their timers and their users say."""

from lydian import Command, Message, Timer, states

OUTSIDE, JOINING, MEMBER, SINK, LEAVING = states(
    "outside", "joining", "member", "sink", "leaving",
    reads={
        "outside": "is not in the layer",
        "joining": "asks its points",
        "member": "is in the layer",
        "sink": "is a privileged sink",
        "leaving": "takes its links down",
    },
)
EVERYWHERE = (OUTSIDE, JOINING, MEMBER, SINK, LEAVING)
INSIDE = (MEMBER, SINK)


class LinkReq(Message):
    """'May I have a link to you?'"""


class LinkOk(Message):
    """'Yes; this is my val, which I keep until you have decided, and my lid.'"""

    val: int
    lid: int
    near: tuple = ()  # its neighbours, for safe mode


class LinkKo(Message):
    """'No, I am not in the layer.'"""


class LinkUp(Message):
    """'The link is up, and this is my end of it.'"""

    val: int
    lid: int


class LinkFree(Message):
    """'There will be no link for now; your val is yours again.'"""


class LinkDown(Message):
    """'Our link is down.'"""


class LinkDownOk(Message):
    """'I know that our link is down.'"""


class News(Message):
    """'I give way; this is my new val, and what I have heard and published.'"""

    val: int
    batch: tuple[tuple[int, str], ...] = ()  # items: (random identifier, content)


class Hold(Timer):
    """The time for which a sink keeps its privilege is over."""


class Retry(Timer):
    """It is time to ask again for links that are forming."""


class Publish(Command):
    """News for everybody in the layer."""

    content: str = "news"


class Join(Command):
    """Join the layer through these points; through all neighbours if none is named."""

    points: tuple = ()


class Leave(Command):
    """Leave the layer, when all news are passed on."""


class Meet(Command):
    """The neighbour came into reach; a random one to which there is no link if none is named."""

    neighbour: str = ""


class Lost(Command):
    """The neighbour is out of reach; a random one if none is named."""

    neighbour: str = ""
