"""The states, messages, timers and commands."""

from lydian import Command, Message, Timer, states

OUTSIDE, UNLABELLED, DOUBTFUL, PLACED, SETTLED, LEAVING, SUPERVISOR = states(
    "outside", "unlabelled", "doubtful", "placed", "settled", "leaving", "supervisor",
    reads={
        "outside": "is not subscribed",
        "unlabelled": "wants a label",
        "doubtful": "has a label of its own",
        "placed": "lacks neighbours",
        "settled": "knows its neighbours",
        "leaving": "wants to leave",
        "supervisor": "is the supervisor",
    },
)
NOWHERE = (OUTSIDE, UNLABELLED)
INSIDE = (DOUBTFUL, PLACED, SETTLED, LEAVING)
SUBSCRIBERS = (*NOWHERE, *INSIDE)
READERS = (UNLABELLED, *INSIDE)
LIN, CYC = "LIN", "CYC"


class Subscribe(Message):
    """Request a label for the process ``who``."""

    who: str


class Unsubscribe(Message):
    """Request that the process ``who`` be removed."""

    who: str


class GetConf(Message):
    """Request label and neighbours on behalf of the process ``who``."""

    who: str


class SetData(Message):
    """Assign a label and neighbours; without a label, tell the receiver to forget everything."""

    label: str = ""
    pred_label: str = ""
    pred: str = ""
    succ_label: str = ""
    succ: str = ""


class Check(Message):
    """Report the sender's label, and the label that it assumes the receiver has."""

    label: str
    believed: str
    flag: str = LIN


class Introduce(Message):
    """Introduce the process ``who``, which has this label, as a possible neighbour."""

    label: str
    who: str
    flag: str = LIN


class Linearize(Message):
    """Pass on the process ``who``, which has this label and is nearer to the receiver than to the sender."""

    label: str
    who: str


class Remove(Message):
    """Tell the receiver to forget the sender, which has no label."""


class IntroSc(Message):
    """Introduce the process ``who``, which has this label, as a possible shortcut."""

    label: str
    who: str


class PublishNew(Message):
    """Flood a new publication."""

    key: str
    text: str
    hops: int = 1  # length of its path so far; for the measure only


class Publish(Message):
    """Send publications that the receiver lacks."""

    publications: tuple[tuple[str, str], ...] = ()


class CheckTrie(Message):
    """Report nodes of the sender's trie, with their hashes."""

    nodes: tuple[tuple[str, str], ...] = ()


class CheckAndPublish(Message):
    """Report nodes of the sender's trie, and request all publications whose keys begin with the prefix."""

    nodes: tuple[tuple[str, str], ...] = ()
    prefix: str = ""


class Timeout(Timer):
    """The maintenance of the ring is due."""


class Crashed(Timer):
    """The failure detector reports a crash."""

    who: str


class PublishTimeout(Timer):
    """The comparison of tries is due."""


class Join(Command):
    """Its user subscribes."""


class Leave(Command):
    """Its user unsubscribes."""


class Say(Command):
    """Its user publishes a text."""

    content: str = "news"
