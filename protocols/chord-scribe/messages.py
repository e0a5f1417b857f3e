"""The states, and what the layers send, set and ask of each other."""

from lydian import Command, Indication, Message, Request, Timer, states

OUTSIDE, IDLE, READER = states(
    "outside", "idle", "reader",
    reads={"outside": "has not joined", "idle": "reads nothing", "reader": "reads a topic"},
)


# ------------------------------------------------------------------------- Chord: what it sends, and offers upwards


class Find(Message):
    """'Who owns this key?  Tell the asker, who wants to know it for a finger (0: to join; -1: for its client).'"""

    key: int
    asker: str
    finger: int
    hops: int = 0


class Found(Message):
    """'This is its owner.'"""

    finger: int
    owner: str
    hops: int = 0


class StabReq(Message):
    """'Who is before you, and who comes behind you?'"""


class StabRep(Message):
    """'These.'"""

    pred: str | None
    succ_list: tuple[str, ...]


class Notify(Message):
    """'I may be your predecessor.'"""


class Carry(Message):
    """A message on its way to the owner of a name."""

    name: str
    m: Message
    hops: int


class JoinAgain(Timer):
    """Nobody has answered yet."""


class Stabilize(Timer):
    """It is time to look whether somebody has come between."""


class FixFingers(Timer):
    """It is time to look after the next finger."""


class Lost(Timer):
    """Somebody on the ring has crashed."""

    q: str


class EnterRing(Request):
    """Join the ring of this process; without one, make a ring."""

    contact: str | None


class Route(Request):
    """Bring a message nearer to the owner of a name."""

    name: str
    m: Message
    hops: int = 0


class Lookup(Request):
    """Who owns this name?"""

    name: str


class Routed(Indication):
    """A message for the owner of a name came here (from whom), or was sent on (to whom)."""

    name: str
    m: Message
    owner: bool
    sent_to: str | None
    came_from: str | None
    hops: int


class Moved(Indication):
    """Somebody has come before this process, who owns some of its keys now."""


# ------------------------------------------------------------------------- Scribe


class News(Message):
    """What readers of a topic want."""

    text: str


class Chosen(Message):
    """'From now on this topic is flooded', or not."""

    flooded: bool
    version: int


class Sub(Message):
    """'I belong to the tree of this topic', to whoever is next on the way to its owner."""


class Pub(Message):
    """A publication on its way to the tree."""

    id: str
    m: Message


class Spread(Message):
    """A publication within the tree."""

    topic: str
    id: str
    m: Message


class Unsub(Message):
    """'I leave the tree.'"""

    topic: str


class Count(Message):
    """'So many read it here and below.'"""

    topic: str
    readers: int


class Refresh(Timer):
    """It is time to subscribe again."""


class Leave(Timer):
    """The old parent is not needed any more."""

    topic: str
    q: str


class Cut(Timer):
    """Somebody in a tree has crashed."""

    q: str


class Disseminate(Request):
    """``do`` is "sub", "unsub" or "pub"."""

    do: str
    topic: str
    id: str = ""
    m: Message | None = None


class Arrived(Indication):
    """Something of a topic came along its tree."""

    topic: str
    id: str
    m: Message


class Readers(Indication):
    """The root knows how many read it."""

    topic: str
    readers: int


# ------------------------------------------------------------------------- HyParView and broadcast


class Join(Message):
    """'I am new.'"""


class ForwardJoin(Message):
    """'Somebody is new'; a random walk."""

    new: str
    ttl: int


class Connect(Message):
    """'You are one of my neighbours.'"""


class Disconnect(Message):
    """'You are not any more.'"""


class Neighbour(Message):
    """'May I be your neighbour?  It is urgent', or not."""

    high: bool


class NeighbourReply(Message):
    """'Yes', or no."""

    accepted: bool


class Shuffle(Message):
    """'I know these; whom do you know?'; a random walk."""

    origin: str
    known: tuple[str, ...]
    ttl: int


class ShuffleReply(Message):
    """'These.'"""

    known: tuple[str, ...]


class Ping(Message):
    """'We are neighbours, are we not?'"""


class Flood(Message):
    """A publication for everybody."""

    id: str
    topic: str
    m: Message


class ShuffleTime(Timer):
    """It is time to exchange views."""


class Broken(Timer):
    """A neighbour has crashed, or somebody cannot be reached."""

    q: str


class EnterMesh(Request):
    """Join through this process; without one, wait for others."""

    contact: str | None


class ToPeers(Request):
    """Send a message to all neighbours but one."""

    m: Message
    besides: str | None


class Broadcast(Request):
    """Bring this to everybody."""

    id: str
    topic: str
    m: Message


class Heard(Indication):
    """A broadcast came here for the first time."""

    id: str
    topic: str
    m: Message


# ------------------------------------------------------------------------- publish/subscribe and the client


class Enter(Request):
    """Take part, through this process."""

    contact: str | None


class Want(Request):
    """Read a topic."""

    topic: str


class Drop(Request):
    """Read it no longer."""

    topic: str


class Say(Request):
    """Publish something, or (without a text) choose how a topic is spread."""

    topic: str
    id: str
    text: str = ""
    flooded: bool = False


class Reached(Indication):
    """News of an own topic."""

    topic: str
    id: str
    text: str


class Begin(Timer):
    """It is this process's turn to join."""


class Choice(Timer):
    """The client chooses its topics."""


class Speak(Timer):
    """The client has something to say."""

    number: int


class Subscribe(Command):
    """Read a topic from now on."""

    topic: str


class Unsubscribe(Command):
    """Read it no longer."""

    topic: str


class Publish(Command):
    """Say something to the readers of a topic."""

    topic: str
    text: str = "news"


class Choose(Command):
    """From now on a topic is flooded, or spread along its tree; with way = "both"."""

    topic: str
    flooded: bool = True
