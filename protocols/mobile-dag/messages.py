"""The states, messages, timers and commands."""

from lydian import Command, Message, Timer, states

OUTSIDE, JOINING, MEMBER, SINK, LEAVING = states(
    "outside", "joining", "member", "sink", "leaving",
    reads={
        "outside": "is not in the layer",
        "joining": "asks its points for links",
        "member": "is in the layer",
        "sink": "is a privileged sink",
        "leaving": "takes its links down",
    },
)
EVERYWHERE = (OUTSIDE, JOINING, MEMBER, SINK, LEAVING)
INSIDE = (MEMBER, SINK)


class LinkReq(Message):
    """Request a link."""


class LinkOk(Message):
    """Agree to a link; carries the sender's val, which it keeps until the link is settled, and its lid."""

    val: int
    lid: int
    near: tuple = ()  # its neighbours, for safe mode


class LinkKo(Message):
    """Refuse a link: the sender is not in the layer."""


class LinkUp(Message):
    """Report that the link is up; carries the sender's end of it."""

    val: int
    lid: int


class LinkFree(Message):
    """Report that there will be no link for now; the receiver need not keep its val any longer."""


class LinkDown(Message):
    """Take the link down."""


class LinkDownOk(Message):
    """Confirm that the link is down."""


class News(Message):
    """Give way; carries the sender's new val, and the items that it has received and published."""

    val: int
    batch: tuple[tuple[int, str], ...] = ()  # items: (random identifier, content)


class Hold(Timer):
    """The time for which a sink keeps its privilege is over."""


class Retry(Timer):
    """Requests for forming links are due to be repeated."""


class Publish(Command):
    """Publish an item for all processes in the layer."""

    content: str = "news"


class Join(Command):
    """Join the layer through these points; through all neighbours if none is named."""

    points: tuple = ()


class Leave(Command):
    """Leave the layer, when all items are passed on."""


class Meet(Command):
    """The neighbour came into reach; a random one to which there is no link if none is named."""

    neighbour: str = ""


class Lost(Command):
    """The neighbour is out of reach; a random one if none is named."""

    neighbour: str = ""
