"""The states, messages, timers, requests and indications of all layers."""

from lydian import Command, Indication, Message, Request, Timer, states

OUTSIDE, IDLE, READER = states(
    "outside", "idle", "reader",
    reads={"outside": "has not joined", "idle": "reads no topic", "reader": "reads a topic"},
)


# ------------------------------------------------------------------------- Chord: what it sends, and offers upwards


class Find(Message):
    """Look for the owner of a key; for a finger (0: to join; -1: for the client of the requester)."""

    key: int
    asker: str
    finger: int
    hops: int = 0


class Found(Message):
    """Answer Find with the owner of the key."""

    finger: int
    owner: str
    hops: int = 0


class StabReq(Message):
    """Ask for the receiver's predecessor and successors."""


class StabRep(Message):
    """Answer StabReq with the sender's predecessor and successors."""

    pred: str | None
    succ_list: tuple[str, ...]


class Notify(Message):
    """Report that the sender may be the receiver's predecessor."""


class Carry(Message):
    """A message on its way to the owner of a name."""

    name: str
    m: Message
    hops: int


class JoinAgain(Timer):
    """No answer has arrived yet."""


class Stabilize(Timer):
    """It is time to check whether a process has joined in between."""


class FixFingers(Timer):
    """The update of the next finger is due."""


class Lost(Timer):
    """A process on the ring has crashed."""

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
    """Look up the owner of a name."""

    name: str


class Routed(Indication):
    """A message for the owner of a name arrived here, or was forwarded."""

    name: str
    m: Message
    owner: bool
    sent_to: str | None
    came_from: str | None
    hops: int


class Moved(Indication):
    """A new predecessor now owns some of this process's keys."""


# ------------------------------------------------------------------------- Scribe


class News(Message):
    """Request for the publications of a topic."""

    text: str


class Chosen(Message):
    """Announce that a topic is flooded from now on, or no longer."""

    flooded: bool
    version: int


class Sub(Message):
    """Join the tree of a topic, at the next process on the route to its owner."""


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
    """Leave the tree."""

    topic: str


class Count(Message):
    """Report the number of readers at the sender and below."""

    topic: str
    readers: int


class Refresh(Timer):
    """The repeated subscription is due."""


class Leave(Timer):
    """The old parent is no longer needed."""

    topic: str
    q: str


class Cut(Timer):
    """A process in a tree has crashed."""

    q: str


class Disseminate(Request):
    """Subscribe, unsubscribe or publish: ``do`` is "sub", "unsub" or "pub"."""

    do: str
    topic: str
    id: str = ""
    m: Message | None = None


class Arrived(Indication):
    """A message on a topic arrived along its tree."""

    topic: str
    id: str
    m: Message


class Readers(Indication):
    """The root knows the number of readers."""

    topic: str
    readers: int


# ------------------------------------------------------------------------- HyParView and broadcast


class Join(Message):
    """Announce that the sender joins."""


class ForwardJoin(Message):
    """Forward the announcement of a new process on a random walk."""

    new: str
    ttl: int


class Connect(Message):
    """Report that the sender has taken the receiver as a neighbour."""


class Disconnect(Message):
    """Report that the receiver is no longer a neighbour."""


class Neighbour(Message):
    """Request to become a neighbour, urgently or not."""

    high: bool


class NeighbourReply(Message):
    """Accept or refuse a Neighbour request."""

    accepted: bool


class Shuffle(Message):
    """Send known names on a random walk, and request others in return."""

    origin: str
    known: tuple[str, ...]
    ttl: int


class ShuffleReply(Message):
    """Answer Shuffle with names that the sender knows."""

    known: tuple[str, ...]


class Ping(Message):
    """Check that sender and receiver are neighbours of each other."""


class Flood(Message):
    """Flood a publication to all processes."""

    id: str
    topic: str
    m: Message


class ShuffleTime(Timer):
    """The exchange of views is due."""


class Broken(Timer):
    """A neighbour has crashed, or a process cannot be reached."""

    q: str


class EnterMesh(Request):
    """Join through this process; without one, wait for others."""

    contact: str | None


class ToPeers(Request):
    """Send a message to all neighbours but one."""

    m: Message
    besides: str | None


class Broadcast(Request):
    """Broadcast this to all processes."""

    id: str
    topic: str
    m: Message


class Heard(Indication):
    """A broadcast arrived here for the first time."""

    id: str
    topic: str
    m: Message


# ------------------------------------------------------------------------- publish/subscribe and the client


class Enter(Request):
    """Join through this process."""

    contact: str | None


class Want(Request):
    """Read a topic."""

    topic: str


class Drop(Request):
    """Stop reading a topic."""

    topic: str


class Say(Request):
    """Publish something, or (without a text) choose how a topic is spread."""

    topic: str
    id: str
    text: str = ""
    flooded: bool = False


class Reached(Indication):
    """A publication on a topic of its own arrived."""

    topic: str
    id: str
    text: str


class Begin(Timer):
    """It is this process's turn to join."""


class Choice(Timer):
    """The client chooses its topics."""


class Speak(Timer):
    """The client publishes."""

    number: int


class Subscribe(Command):
    """Subscribe to a topic."""

    topic: str


class Unsubscribe(Command):
    """Unsubscribe from a topic."""

    topic: str


class Publish(Command):
    """Publish a text to the readers of a topic."""

    topic: str
    text: str = "news"


class Choose(Command):
    """Choose that a topic is flooded from now on, or spread along its tree; with way = "both"."""

    topic: str
    flooded: bool = True
