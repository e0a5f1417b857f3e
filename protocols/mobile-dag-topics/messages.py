"""The states, messages, timers and commands."""

from lydian import Command, Message, Timer, states

ASLEEP, MEMBER, JOINING, SINK = states(
    "asleep", "member", "joining", "sink",
    reads={
        "asleep": "has received no messages",
        "member": "is in its layers",
        "joining": "joins a layer",
        "sink": "is privileged in some layer",
    },
)
AWAKE = (MEMBER, JOINING, SINK)


class Hello(Message):
    """Report whether the sender is interested in this topic, and its identifier in the layer."""

    topic: int
    interested: bool
    lid: int


class News(Message):
    """Give way in a layer; carries the sender's new val there, and the items that it has received and published."""

    topic: int
    val: int
    batch: tuple[tuple[int, str], ...] = ()


class LinkReq(Message):
    """Request a link in this layer."""

    topic: int


class LinkOk(Message):
    """Agree to a link; carries the sender's val there, which it keeps until the link is settled, and its lid."""

    topic: int
    val: int
    lid: int
    near: tuple = ()  # its neighbours in the layer, for mode safe


class LinkKo(Message):
    """Refuse a link: the sender is not in this layer, or cannot agree now."""

    topic: int
    again: bool  # whether a repeated request is useful


class LinkUp(Message):
    """Report that the link in this layer is up; carries the sender's end of it."""

    topic: int
    val: int
    lid: int


class LinkFree(Message):
    """Report that there will be no link in this layer for now; the receiver need not keep its val any longer."""

    topic: int


class LinkDown(Message):
    """Leave this layer, and take the link there down."""

    topic: int


class LinkDownOk(Message):
    """Confirm that the link in this layer is down."""

    topic: int


class Hold(Timer):
    """The time for which a sink keeps its privilege in a layer is over."""

    topic: int


class Retry(Timer):
    """Requests for forming links of a layer are due to be repeated."""

    topic: int


class Publish(Command):
    """Publish an item on a topic."""

    topic: int = 1
    content: str = "news"


class Subscribe(Command):
    """Join the layer of a topic through all neighbours that are in it."""

    topic: int = 1


class Unsubscribe(Command):
    """Leave the layer of a topic, when all items are passed on."""

    topic: int = 1
