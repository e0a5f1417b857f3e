"""The states, and what subscribers, the supervisor and their users say."""

from lydian import Command, Message, Timer, states

OUTSIDE, UNLABELLED, DOUBTFUL, PLACED, SETTLED, LEAVING, SUPERVISOR = states(
    "outside", "unlabelled", "doubtful", "placed", "settled", "leaving", "supervisor",
    reads={
        "outside": "wants no news",
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
    """'who wants a label.'"""

    who: str


class Unsubscribe(Message):
    """'who wants to go.'"""

    who: str


class GetConf(Message):
    """'Tell who its label and its neighbours.'"""

    who: str


class SetData(Message):
    """'This is your label, and these are your neighbours'; without a label: 'Forget all you know.'"""

    label: str = ""
    pred_label: str = ""
    pred: str = ""
    succ_label: str = ""
    succ: str = ""


class Check(Message):
    """'I have this label, and believe that you have that one.'"""

    label: str
    believed: str
    flag: str = LIN


class Introduce(Message):
    """'who has this label, and may be your neighbour.'"""

    label: str
    who: str
    flag: str = LIN


class Linearize(Message):
    """'who has this label, and is nearer to you than to me.'"""

    label: str
    who: str


class Remove(Message):
    """'I have no label; forget me.'"""


class IntroSc(Message):
    """'who has this label, and may be your shortcut.'"""

    label: str
    who: str


class PublishNew(Message):
    """'This is new.'"""

    key: str
    text: str
    hops: int = 1  # the way it has come; for the measure only


class Publish(Message):
    """'You do not have these.'"""

    publications: tuple[tuple[str, str], ...] = ()


class CheckTrie(Message):
    """'My trie has these nodes, with these hashes.'"""

    nodes: tuple[tuple[str, str], ...] = ()


class CheckAndPublish(Message):
    """'My trie has these nodes; and send me what begins with the prefix.'"""

    nodes: tuple[tuple[str, str], ...] = ()
    prefix: str = ""


class Timeout(Timer):
    """It is time to look after the ring."""


class Crashed(Timer):
    """The failure detector says that somebody has crashed."""

    who: str


class PublishTimeout(Timer):
    """It is time to compare tries."""


class Join(Command):
    """Its user wants what is published."""


class Leave(Command):
    """Its user does not want it any more."""


class Say(Command):
    """Its user publishes something."""

    content: str = "news"
