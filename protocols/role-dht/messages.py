"""The states, messages, timers and commands."""

from lydian import Command, Message, Timer, states

OUTSIDE, CHILD, FORWARDER = states(
    "outside", "child", "forwarder",
    reads={"outside": "is in no topic", "child": "is a child everywhere", "forwarder": "is a forwarder of some topic"},
)


class Invite(Message):
    """Invite the receiver to join; it may ask the sender for the way."""


class Lookup(Message):
    """Look for the process closest to a point."""

    asker: str
    target: tuple
    role: int = 0  # the topic in which all processes on the path must be interested; 0: none
    to: int = 0  # the role in which it is addressed
    cargo: tuple = ()
    hops: int = 0
    strangers: int = 0


class Request(Lookup):
    """Request the address of the process closest to a random point, for the sender's view."""


class IsParent(Lookup):
    """Ask the process closest to the sender whether it is its parent."""


class Post(Lookup):
    """Ask the process closest to a random point to spread a publication."""


class Found(Message):
    """Answer a lookup: the sender is the closest forwarder; without an owner, there is no circle yet."""

    op: int
    topic: int
    owner: tuple = ()
    children: int = 0
    roles: int = 0
    interests: int = 1


class Join(Message):
    """Request to become a child of the receiver."""

    topic: int
    roles: int


class Split(Message):
    """Request a place between the receiver and the next forwarder."""

    who: tuple
    to: int
    first: bool = False
    back: bool = False  # whether it came one step from the right


class Leave(Message):
    """Stop forwarding; the sender's right neighbour becomes the receiver's right neighbour."""

    who: tuple
    right: tuple
    to: int


class Ok(Message):
    """Grant a Split or a Leave."""

    topic: int
    left: tuple = ()
    right: tuple = ()


class Abort(Message):
    """Refuse a request that no longer fits; the receiver looks up again."""

    topic: int


class LeftIs(Message):
    """Report a new left neighbour."""

    who: tuple
    instead: tuple
    to: int
    topic: int  # the topic in which the sender comes or goes


class Known(Message):
    """Confirm the new left neighbour."""

    topic: int


class Done(Message):
    """Report that a change is complete."""

    to: int


class Replace(Message):
    """Replace the receiver as forwarder."""

    topic: int


class Promote(Message):
    """Ask a child to become a forwarder, because the sender has too many children."""

    topic: int


class Reassign(Message):
    """Assign children to a closer forwarder."""

    topic: int
    children: tuple
    instead: str = ""


class IsChild(Message):
    """Offer to be the parent; carries other forwarders."""

    topic: int
    others: tuple
    stamp: int
    instead: str = ""


class LeaveChild(Message):
    """Report that the sender is no longer a child of the receiver."""

    topic: int
    stamp: int


class RouteParent(Message):
    """Ask a forwarder to find the sender's parent within the role."""

    topic: int


class Claim(Message):
    """Report an entry of the sender's table, from which the receiver updates its own."""

    topic: int
    slot: str
    value: tuple
    number: int
    ask: bool = False


class MyAddress(Message):
    """Answer a Request with an address for the receiver's view."""

    topic: int
    who: str


class Event(Message):
    """Carry a publication on a topic, with the part of the circle for which the receiver is responsible."""

    id: str
    topic: int
    tag: int = 0
    level: int = 0
    low: tuple = ()
    high: tuple = ()


class Ping(Message):
    """Ask whether the receiver is alive."""

    who: tuple
    to: int


class Pong(Message):
    """Answer a Ping with the sender's left and right neighbours."""

    topic: int
    left: tuple
    later: tuple


class Gone(Message):
    """Report that the sender is no longer there."""

    who: tuple


class Begin(Timer):
    """It is time to join, and to subscribe to topics."""


class Itself(Timer):
    """A message from one of its roles to another is due."""


class Again(Timer):
    """The operation is due to be repeated."""


class Patience(Timer):
    """An operation takes too long."""

    number: int


class ChildRepair(Timer):
    """The request for the parent is due."""

    topic: int


class ViewRefresh(Timer):
    """The views are due to be refreshed."""


class Heartbeat(Timer):
    """The ping to the next process on the circle is due."""


class Subscribe(Command):
    """Subscribe to a topic."""

    topic: int = 1


class Unsubscribe(Command):
    """Unsubscribe from a topic; 0: from the topic joined last."""

    topic: int = 0


class Publish(Command):
    """Publish on a topic; 0: on a random one of its topics."""

    topic: int = 0


class MakeChild(Command):
    """Become a child in a topic that it forwards."""

    topic: int = 1


class TakeOver(Command):
    """Forward a topic in place of its closest forwarder (reassign)."""

    topic: int = 1


class Probe(Command):
    """Look up a random point of a topic; 0: of one of its own."""

    topic: int = 0
