"""The states, and what processes, their timers and their users say."""

from lydian import Command, Message, Timer, states

OUTSIDE, CHILD, FORWARDER = states(
    "outside", "child", "forwarder",
    reads={"outside": "is in no topic", "child": "is a child everywhere", "forwarder": "forwards some topic"},
)


class Invite(Message):
    """'Come, and ask me for the way.'"""


class Lookup(Message):
    """'Who is closest to this point?'"""

    asker: str
    target: tuple
    role: int = 0  # the topic that all on the way must be interested in; 0: none
    to: int = 0  # the role in which it is addressed
    cargo: tuple = ()
    hops: int = 0
    strangers: int = 0


class Request(Lookup):
    """'Whoever is closest to this random point, tell me your address for my view.'"""


class IsParent(Lookup):
    """'Whoever is closest to me, are you my parent?'"""


class Post(Lookup):
    """'Whoever is closest to this random point, spread this.'"""


class Found(Message):
    """'I am the closest forwarder'; no owner: 'there is no circle yet, begin it'."""

    op: int
    topic: int
    owner: tuple = ()
    children: int = 0
    roles: int = 0
    interests: int = 1


class Join(Message):
    """'I want to be your child.'"""

    topic: int
    roles: int


class Split(Message):
    """'Put me between you and the next forwarder.'"""

    who: tuple
    to: int
    first: bool = False
    back: bool = False  # whether it came one step from the right


class Leave(Message):
    """'I do not forward this any more; the one to the right of me is now to the right of you.'"""

    who: tuple
    right: tuple
    to: int


class Ok(Message):
    """'It is done here.'"""

    topic: int
    left: tuple = ()
    right: tuple = ()


class Abort(Message):
    """'It is not so any more; look up again.'"""

    topic: int


class LeftIs(Message):
    """'To the left of you is now somebody else.'"""

    who: tuple
    instead: tuple
    to: int
    topic: int  # in which the sender comes or goes


class Known(Message):
    """'I know who is to my left.'"""

    topic: int


class Done(Message):
    """'All know; go on.'"""

    to: int


class Replace(Message):
    """'I forward this now; you can stop.'"""

    topic: int


class Promote(Message):
    """'I have too many children; be a forwarder yourself.'"""

    topic: int


class Reassign(Message):
    """'These children are closer to you.'"""

    topic: int
    children: tuple
    instead: str = ""


class IsChild(Message):
    """'I am your parent, and these are other forwarders.'"""

    topic: int
    others: tuple
    stamp: int
    instead: str = ""


class LeaveChild(Message):
    """'I am not your child any more.'"""

    topic: int
    stamp: int


class RouteParent(Message):
    """'Ask for me, in the role, who my parent is.'"""

    topic: int


class Claim(Message):
    """'This is an entry of my table', for who makes its own of it."""

    topic: int
    slot: str
    value: tuple
    number: int
    ask: bool = False


class MyAddress(Message):
    """'This is an address for your view.'"""

    topic: int
    who: str


class Event(Message):
    """News on a topic, with the part of the circle for which the receiver answers."""

    id: str
    topic: int
    tag: int = 0
    level: int = 0
    low: tuple = ()
    high: tuple = ()


class Ping(Message):
    """'Are you there?'"""

    who: tuple
    to: int


class Pong(Message):
    """'Yes; this is to the left of me, and these to the right.'"""

    topic: int
    left: tuple
    later: tuple


class Gone(Message):
    """'I am not there any more.'"""

    who: tuple


class Begin(Timer):
    """It comes, and subscribes to its topics."""


class Itself(Timer):
    """What one of its roles has to tell another."""


class Again(Timer):
    """Time to try again."""


class Patience(Timer):
    """What it asked for takes too long."""

    number: int


class ChildRepair(Timer):
    """Time to ask who the parent is."""

    topic: int


class ViewRefresh(Timer):
    """Time for new addresses in the views."""


class Heartbeat(Timer):
    """Time to ask whether the next on the circle is there."""


class Subscribe(Command):
    """It wants news on a topic."""

    topic: int = 1


class Unsubscribe(Command):
    """It does not want news on a topic any more; 0: on the topic it came to last."""

    topic: int = 0


class Publish(Command):
    """It has news; 0: on one of its topics at random."""

    topic: int = 0


class MakeChild(Command):
    """It is tired of forwarding a topic, and wants to be a child there."""

    topic: int = 1


class TakeOver(Command):
    """It wants to forward a topic in place of its closest forwarder (reassign)."""

    topic: int = 1


class Probe(Command):
    """It looks up a random point of a topic; 0: of one of its own."""

    topic: int = 0
