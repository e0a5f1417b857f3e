"""Publish/subscribe in layers: trees on a Chord ring, or flooding over small random neighbourhoods.

Every process is a stack: a client on publish/subscribe, on Scribe on Chord, or on broadcast on HyParView.

Chord puts processes on a circle of 2**bits identifiers and routes a key to its owner, the first process at or behind
it, in O(log n) hops.  Scribe lets the ways of subscriptions to the owner of a topic's key grow into a tree, along which
publications travel.  HyParView keeps a few random neighbours and some more in reserve; broadcast floods along them, and
whoever does not read the topic throws away what it gets.

Pseudo-code::

    Chord     FIND(k):  if k in (self, succ]: FOUND(k, succ) to the asker; else on to closest_preceding(k), or succ
              every stabilize:  ask succ for its pred x and its succ_list; if x in (self, succ): succ := x; NOTIFY succ
              NOTIFY(q):  if no pred, or q in (pred, self): pred := q; if alone: succ := q
              every fix_fingers:  finger[i] := owner of self + 2**(i - 1), i going round
              q crashed:  pred := none if it was q;  succ := first of succ_list, fingers, self if it was q
    Scribe    SUB(t) passes:  children += sender; not in the tree: enter it; root if owner, else on, parent := next hop
              PUB(t) passes a member, or is made by one:  to parent and children but the sender; deliver if subscribed
              neither children nor subscribed:  leave; UNSUB to the parent
              parent crashed, or from time to time:  SUB again on the way to the owner
    HyParView JOIN(x):  take x; FORWARDJOIN(x, arwl) to the others;  it goes at random: passive at prwl, active at 0
              active not full:  NEIGHBOUR to somebody in passive;  one too many: DISCONNECT, and keep it in passive
              every shuffle:  exchange some of both views at the end of a random walk; PING the active ones
    broadcast FLOOD the first time:  tell the layer above; to all active ones but the sender

Needs an overlay with FIFO channels, a failure detector by broken connections, and that all start: they join one after
another, through the first of them.  Maintenance goes on until ``maintain``, so that a run ends.
The readings taken of the report: publications go to the children (not twice to the root); the reply to a join names
the successor; publishing from outside routes a PUB; a process adds who subscribes through it as a child, at the root as
well; after a crash pred and succ are tested independently.  A SUB is repeated every ``refresh``, for parents to follow
the ring; the old parent is left when the new branch stands.  Whoever has no pred takes the sender of a route for it.
``way``: "structured", "unstructured", "both" (each topic as its users choose, with Choose) and "popular": members of a
tree tell their parents how many readers they have below, and the root floods the topic as soon as they are many.
Complexity: routes take about log2(n) / 2 + 1 hops; a publication crosses every edge of its tree once, or takes about
(active - 1) * n messages by flooding.

Reference: V. Vivoli, P. Costa, D. Silva, ASD project, phase 2; I. Stoica et al., Chord, SIGCOMM 2001; M. Castro,
P. Druschel, A.-M. Kermarrec, A. Rowstron, Scribe, IEEE JSAC 20 (2002); J. Leitão, J. Pereira, L. Rodrigues, HyParView,
DSN 2007.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Indication,
    Layer,
    Message,
    Process,
    Request,
    Timer,
    always,
    at_end,
    detector,
    eventually,
    everybody_starts,
    fifo,
    measure,
    on,
    overlay,
    parameter,
    states,
)

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


# ------------------------------------------------------------------------- the circle


def place(name, bits, named, salt=0):
    """Where a name is on the circle: its hash (FNV-1a, well stirred, for SHA-256), or the number it is."""
    if named and name.isdigit():
        return int(name) % 2**bits
    h = 0xCBF29CE484222325 ^ salt
    for byte in name.encode():
        h = (h ^ byte) * 0x100000001B3 % 2**64
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD % 2**64
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 % 2**64
    return h >> 64 - bits


def inside(x, a, b):
    """Whether x lies in (a, b) on the circle; (a, a) is all of it but a."""
    return a < x < b if a < b else x > a or x < b


def upto(x, a, b):
    """Whether x lies in (a, b]; (a, a] is the whole circle."""
    return x == b or inside(x, a, b)


class Kept(Layer):
    """What layers have in common that keep something in order."""

    latency = parameter(1.0, minimum=0.0, help="how long it takes until a broken connection is noticed")
    maintain = parameter(
        80.0, minimum=0.0, help="until when the ring, the trees and the views are looked after",
        reached=lambda p: p.clock + 10 >= p.maintain > 0,  # no period is longer
    )

    def again(self, timer, period):
        """Not quite after ``period``, so that processes do not stay in step."""
        if self.clock + period <= self.maintain:
            self.set_timer(timer, after=period * self.random.uniform(0.9, 1.1))


class Chord(Kept):
    id: int = 0
    joined: bool = False
    contact: str | None = None
    pred: str | None = None
    succ: str | None = None
    finger: dict[int, str] = {}  # i -> owner of id + 2**(i - 1), where it is neither itself nor succ
    next: int = 0  # the finger that was looked after last
    succ_list: list[str] = []  # who comes behind succ
    answers: int = 0  # how many lookups were answered
    hops: int = 0  # how many hops to the owner these took
    longest: int = 0  # how many the longest took
    keys: dict[str, float] = {}  # names on their way to their owners -> where on the circle, 0 to 1, for the animation
    took: dict[int, int] = {}  # hops -> how many messages to the owner of a name came here after so many

    bits = parameter(24, minimum=3, maximum=64, help="B: the circle has 2**B places")
    named = parameter(False, help="whether names that are numbers are their own places, for drawings")
    salt = parameter(0, minimum=0, help="for another hash, with which everybody stands elsewhere")
    stabilize = parameter(2.0, minimum=0.01, help="time from one stabilisation to the next")
    fix_fingers = parameter(1.0, minimum=0.01, help="time from one finger to the next")
    spare = parameter(3, minimum=1, help="r: how many successors are known beside succ")
    picture = parameter(True, help="whether it keeps where keys are and how many hops they took, for the animation")

    def at(self, name):
        return place(name, self.bits, self.named, self.salt)

    @on(ANY, EnterRing)
    def enter(self, r):
        """It asks its contact who its successor is, or is a ring of its own."""
        self.id, self.succ, self.contact = self.at(self.me), self.me, r.contact
        if r.contact is None:
            self.ready()
        else:
            self.ask_contact()

    @on(ANY, JoinAgain)
    def ask_contact(self):
        """It asks, and will ask again."""
        self.send(Find(self.id, self.me, 0), to=self.contact)
        self.set_timer(JoinAgain(), after=8.0)

    def ready(self):
        self.joined = True
        self.cancel_timer(JoinAgain)
        self.again(FixFingers(), self.fix_fingers)
        self.look()

    @on(ANY, Find)
    def find(self, m):
        """The owner is told if it is the successor; otherwise the question goes on, at most half round the circle.

        sends Found: The key lies no farther than its successor, which therefore owns it: it answers the asker.
        sends Find: The key lies beyond its successor, so it passes the question on to a process nearer to the key.
        while outside: It is not on the ring yet, so it does not answer.
        changes: Its own question has come back, and now it can tell: its successor owns the key.
        otherwise: It is not on the ring yet, or the question is its own and the answer is not new to it.
        """
        if not self.joined:
            return  # the asker will ask again
        if upto(m.key, self.id, self.at(self.succ)):
            self.answer(m.asker, Found(m.finger, self.succ, m.hops + 1))
        else:
            self.send(Find(m.key, m.asker, m.finger, m.hops + 1), to=self.hop(m.key))

    def answer(self, asker, found):
        if asker == self.me:
            self.found(found)
        else:
            self.send(found, to=asker)

    @on(ANY, Found)
    def found(self, m):
        """It learns its successor, the owner of the place of a finger, or that of a name.

        sends StabReq: It knows its successor now, so it is on the ring, and asks the successor for its predecessor.
        says finger=0: It has no use for this answer: it is on the ring already, or is itself named as the owner.
        changes: It learns which process owns the place of a finger, or a name that its client looks up.
        otherwise: No finger changes: it has this owner already, or the owner is its successor or itself.
        """
        if m.finger < 0:
            self.answers, self.hops, self.longest = self.answers + 1, self.hops + m.hops, max(self.longest, m.hops)
        elif m.finger == 0:
            if not self.joined and m.owner != self.me:
                self.follow(m.owner)
                self.ready()
        else:
            self.point(m.finger, m.owner)

    @on(ANY, Stabilize)
    def look(self):
        """It asks its successor which process is before it.

        changes and sends StabReq: It has only itself as successor, so it takes its predecessor instead, and asks that.
        sends StabReq: It asks its successor which process is before it, in case one has come between.
        otherwise: It has no successor but itself and no predecessor, so there is no process to ask.
        """
        if self.succ == self.me and self.pred is not None:
            self.follow(self.pred)
        if self.succ != self.me:
            self.send(StabReq(), to=self.succ)
        self.again(Stabilize(), self.stabilize)

    @on(ANY, StabReq)
    def tell_it(self, m, q):
        """It tells who is before and behind it."""
        self.send(StabRep(self.pred, tuple([self.succ, *self.succ_list][: self.spare])), to=q)

    @on(ANY, StabRep)
    def compare(self, m, q):
        """A process that has come between is the new successor; the successor hears of this process.

        says pred=none and sends Notify: {peer}, its successor, has no predecessor, so it offers itself.
        sends Notify and changes: What {peer} says corrects its successor or its list of processes behind that.
        sends Notify: {peer} knows no process between the two, so {peer} stays its successor and hears of it.
        otherwise: {peer} is not its successor any more, so this answer does not count.
        """
        if q != self.succ:
            return
        self.succ_list = [r for r in m.succ_list if r != self.me]
        if m.pred is not None and m.pred != self.me and inside(self.at(m.pred), self.id, self.at(self.succ)):
            self.succ_list = [self.succ, *self.succ_list][: self.spare]
            self.follow(m.pred)
        self.send(Notify(), to=self.succ)

    @on(ANY, Notify)
    def hear(self, m, q):
        """The sender may be the predecessor.

        sends Carry: {peer} is its predecessor now; it no longer owns a topic's key, so it subscribes towards the owner.
        changes: It knew of no process as near as {peer} on one side or on both: {peer} becomes its neighbour there.
        otherwise: {peer} is its predecessor already, or not as near as the predecessor that it has.
        """
        if self.pred is None or inside(self.at(q), self.at(self.pred), self.id):
            self.pred = q
            self.watch(q, Lost(q), after=self.latency)
            self.tell(Moved())
        if self.succ == self.me:
            self.follow(q)

    @on(ANY, FixFingers)
    def fix(self):
        """It looks who owns the place that the next finger points to.

        sends Find: The place of the next finger lies beyond its successor, so it asks which process owns it.
        otherwise: The place of the next finger lies no farther than its successor, which therefore owns it.
        """
        self.next = self.next % self.bits + 1
        key = (self.id + 2 ** (self.next - 1)) % 2**self.bits
        if upto(key, self.id, self.at(self.succ)):
            self.point(self.next, self.succ)
        else:
            self.send(Find(key, self.me, self.next), to=self.hop(key))
        self.again(FixFingers(), self.fix_fingers)

    @on(ANY, Route)
    def route(self, r):
        """The owner keeps it; anybody else sends it on, and says to whom."""
        if self.owns(r.name, self.pred):
            self.deliver_it(r, True, None, None)
        else:
            hop = self.hop(self.at(r.name))
            self.send(Carry(r.name, r.m, r.hops + 1), to=hop)
            self.deliver_it(r, False, hop, None)

    @on(ANY, Lookup)
    def lookup(self, r):
        """Somebody asks who owns a name; it may be this process itself."""
        if self.owns(r.name, self.pred):
            self.found(Found(-1, self.me, 0))
        else:
            self.find(Find(self.at(r.name), self.me, -1))

    @on(ANY, Carry)
    def carry(self, m, q):
        """It came here; the layer above says whether it goes on.

        always:
        """
        self.deliver_it(m, self.owns(m.name, self.pred or q), None, q)

    def deliver_it(self, m, owner, sent_to, came_from):
        if self.picture and m.name not in self.keys:
            self.keys[m.name] = self.at(m.name) / 2**self.bits
        if owner and self.picture:
            self.took[m.hops] = self.took.get(m.hops, 0) + 1
        self.tell(Routed(m.name, m.m, owner, sent_to, came_from, m.hops))

    def owns(self, name, pred):
        return self.succ == self.me or (pred is not None and upto(self.at(name), self.at(pred), self.id))

    @on(ANY, Lost)
    def lose(self, m):
        """Predecessor and successor are tested independently: they may be the same.

        changes: A process has crashed that was among its pointers on the ring, so it takes that one out.
        otherwise: A process has crashed that was not among its pointers on the ring any more.
        """
        q = m.q
        self.finger = {i: r for i, r in self.finger.items() if r != q}
        self.succ_list = [r for r in self.succ_list if r != q]
        if self.pred == q:
            self.pred = None
        if self.succ == q:
            self.follow(next(iter([*self.succ_list, *self.finger.values(), self.me])))
            self.succ_list = [r for r in self.succ_list if r != self.succ]

    def hop(self, key):
        """closest_preceding, or the successor."""
        if upto(key, self.id, self.at(self.succ)):
            return self.succ
        before = [q for q in self.finger.values() if inside(self.at(q), self.id, key)]
        return max(before, key=lambda q: (self.at(q) - self.id) % 2**self.bits, default=self.succ)

    def follow(self, q):
        self.succ = q
        if q != self.me:
            self.watch(q, Lost(q), after=self.latency)

    def point(self, i, q):
        self.finger.pop(i, None)
        if q not in (self.me, self.succ):
            self.finger[i] = q
            self.watch(q, Lost(q), after=self.latency)


class Scribe(Kept):
    parent: dict[str, str | None] = {}  # of each topic in whose tree it is; none at the root, or while it is asked for
    children: dict[str, list[str]] = {}
    subscribed: set[str] = set()
    roots: set[str] = set()  # topics of which it is the root
    seen: dict[str, int] = {}  # publisher -> its numbers that came, a bit each
    readers: dict[str, dict[str, int]] = {}  # topic -> child -> how many read it there and below
    told: dict[str, int] = {}  # topic -> what the parent was told last
    up: list[str] = []  # its parents, for the animation

    refresh = parameter(10.0, minimum=0.0, help="time from one SUB to the next; 0: never again")
    counting = parameter(False, help="whether the root learns how many read its topic")

    @on(ANY, Disseminate)
    def disseminate(self, r):
        """The layer above subscribes, unsubscribes or publishes."""
        if r.do == "sub":
            self.subscribed.add(r.topic)
            self.enter(r.topic)
        elif r.do == "unsub":
            self.subscribed.discard(r.topic)
            self.prune(r.topic)
        elif r.topic in self.children:
            self.spread(r.topic, r.id, r.m, None)
        else:
            self.ask(Route(r.topic, Pub(r.id, r.m)))

    def enter(self, topic, hops=0):
        """Into the tree, unless it is there; its parent is the next on the way to the owner."""
        if topic not in self.children:
            self.children[topic], self.parent[topic] = [], None
            if self.refresh and len(self.children) == 1:
                self.again(Refresh(), self.refresh)
            self.ask(Route(topic, Sub(), hops))
        self.report(topic)

    @on(ANY, Routed)
    def routed(self, r):
        """A SUB makes a branch of the tree where it passes; a PUB goes on until it meets the tree."""
        if isinstance(r.m, Pub):
            if r.name in self.children:
                self.spread(r.name, r.m.id, r.m.m, None)
            elif r.came_from is not None and not r.owner:
                self.ask(Route(r.name, r.m, r.hops))
        elif r.came_from is not None:
            self.take(r)
        elif r.name in self.children:
            self.hang(r.name, r.owner, r.sent_to)

    def take(self, r):
        """Who subscribes through this process is a child of it."""
        topic, q = r.name, r.came_from
        around = self.parent.get(topic) == q
        self.enter(topic, r.hops)
        if q not in self.children[topic]:
            self.children[topic].append(q)
            self.watch(q, Cut(q), after=self.latency)
        if around:  # its parent has become its child
            self.parent[topic] = None
            self.ask(Route(topic, Sub()))

    def hang(self, topic, owner, parent):
        """The way to the owner begins with this parent; the owner is the root."""
        old = self.parent[topic]
        self.roots.discard(topic)
        if owner:
            self.roots.add(topic)
        else:
            self.without(topic, parent)
            self.watch(parent, Cut(parent), after=self.latency)
        if old not in (None, parent):
            self.set_timer(Leave(topic, old), after=10.0)  # the new branch has to stand before the old one goes
        if old != parent:
            self.parent[topic] = parent
            self.told.pop(topic, None)
        self.report(topic)

    def without(self, topic, q):
        if q in self.children.get(topic, ()):
            self.children[topic].remove(q)
            self.readers.get(topic, {}).pop(q, None)

    @on(ANY, Leave)
    def leave_old(self, m):
        """The new branch stands: the old one is not needed any more.

        sends Unsub: The old parent has not become its parent again, so it tells that one that it leaves.
        otherwise: The old parent has become its parent again, so it does not leave.
        """
        if self.parent.get(m.topic) != m.q:
            self.send(Unsub(m.topic), to=m.q)

    @on(ANY, (Refresh, Moved))
    def renew(self, m):
        """The way to the owner may be another one, or the owner.

        sends Carry: It subscribes again on the way to the owner of a topic's key: this way may be another one now.
        sets Refresh: It owns the keys of all topics in whose trees it is, so it is the root and looks for no way.
        otherwise: It is in no tree, or the root of each tree that it is in, so it looks for no way.
        """
        if isinstance(m, Refresh) and self.children:
            self.again(Refresh(), self.refresh)
        for topic in self.children:
            if isinstance(m, Refresh) or topic in self.roots:
                self.ask(Route(topic, Sub()))

    @on(ANY, Unsub)
    def unsubscribed(self, m, q):
        """A child leaves.

        always:
        """
        self.without(m.topic, q)
        self.prune(m.topic)

    def prune(self, topic):
        """Who has no children and does not read it leaves the tree."""
        if topic in self.children and not self.children[topic] and topic not in self.subscribed:
            del self.children[topic]
            parent = self.parent.pop(topic)
            self.readers.pop(topic, None)
            self.told.pop(topic, None)
            if topic in self.roots:
                self.roots.remove(topic)
                self.tell(Readers(topic, 0))
            elif parent is not None:
                self.send(Unsub(topic), to=parent)
        else:
            self.report(topic)
        self.show()

    @on(ANY, Spread)
    def spread_on(self, m, q):
        """A publication goes once along every edge of the tree.

        delivers and sends Spread: It reads the topic and takes the publication; it also passes it on in the tree.
        delivers: It reads the topic and takes the publication; it has no other process in the tree to send it to.
        while idle and sends Spread: It reads nothing itself, but it is in the tree, so it passes this on.
        sends Spread: It is in the tree, so it passes this on; its client gets nothing of it.
        changes: It has no other process in the tree to pass this on to, and its client gets nothing of it.
        otherwise: It has had this before, or is not in the tree, so it does not pass it on.
        """
        if m.topic in self.children:
            self.spread(m.topic, m.id, m.m, q)

    def spread(self, topic, id, m, q):
        who, number = id.rsplit("/", 1)
        if self.seen.get(who, 0) >> int(number) & 1:
            return
        self.seen[who] = self.seen.get(who, 0) | 1 << int(number)
        for r in [*self.children[topic], self.parent[topic]]:
            if r is not None and r != q:
                self.send(Spread(topic, id, m), to=r)
        if topic in self.subscribed or isinstance(m, Chosen):
            self.tell(Arrived(topic, id, m))

    @on(ANY, Cut)
    def cut(self, m):
        """A process that has crashed is dropped as child and as parent; a parent that is lost is looked for anew.

        always:
        """
        for topic in list(self.children):
            if self.parent[topic] == m.q:
                self.parent[topic] = None
                if self.clock <= self.maintain:
                    self.ask(Route(topic, Sub()))
            self.without(topic, m.q)
            self.prune(topic)

    @on(ANY, Count)
    def counted(self, m, q):
        """A child tells how many read it below.

        sends Count: The number of readers at and below it is not the one it told its parent, so it tells the new one.
        sends Spread: It is the root: by the number of readers it changes how the topic is spread, and announces that.
        changes: It notes how many processes read the topic at {peer} and below.
        otherwise: {peer} is not its child in this tree, or the number is not new.
        """
        if q in self.children.get(m.topic, ()):
            self.readers.setdefault(m.topic, {})[q] = m.readers
            self.report(m.topic)

    def report(self, topic):
        """The parent learns how many read it here and below; the root tells the layer above."""
        self.show()
        if self.counting and topic in self.children:
            many = (topic in self.subscribed) + sum(self.readers.get(topic, {}).values())
            if topic in self.roots:
                self.tell(Readers(topic, many))
            elif self.parent[topic] is not None and self.told.get(topic) != many:
                self.told[topic] = many
                self.send(Count(topic, many), to=self.parent[topic])

    def show(self):
        self.up = sorted({q for q in self.parent.values() if q is not None})


class Flooding(Layer):
    seen: dict[str, int] = {}  # publisher -> its numbers that came, a bit each

    @on(ANY, Broadcast)
    def broadcast(self, r):
        """It begins here.

        always:
        """
        self.once(r.id, r.topic, r.m, None)

    @on(ANY, Flood)
    def flood(self, m, q):
        """The first time it goes to all neighbours but the sender."""
        self.once(m.id, m.topic, m.m, q)

    def once(self, id, topic, m, q):
        who, number = id.rsplit("/", 1)
        if not self.seen.get(who, 0) >> int(number) & 1:
            self.seen[who] = self.seen.get(who, 0) | 1 << int(number)
            self.ask(ToPeers(Flood(id, topic, m), q))
            self.tell(Heard(id, topic, m))


class HyParView(Kept):
    active: list[str] = []
    passive: list[str] = []
    asked: str | None = None  # who was asked to be a neighbour
    refused: list[str] = []  # who cannot, for now
    sent: list[str] = []  # what went out with the last shuffle

    most_active = parameter(4, minimum=1, help="A: how many neighbours at most")
    most_passive = parameter(8, minimum=0, help="P: how many in reserve")
    arwl = parameter(6, minimum=1, help="length of the random walk of a JOIN")
    prwl = parameter(3, minimum=0, help="where on this walk it is remembered in passive views")
    shuffle = parameter(10.0, minimum=0.01, help="time from one exchange of views to the next")
    ka = parameter(3, minimum=0, help="how many of the active view are sent in a shuffle")
    kp = parameter(4, minimum=0, help="how many of the passive view")

    @on(ANY, EnterMesh)
    def enter(self, r):
        """It says that it is new."""
        if r.contact is not None:
            self.send(Join(), to=r.contact)
            self.add_active(r.contact)
        self.again(ShuffleTime(), self.shuffle)

    @on(ANY, ToPeers)
    def to_peers(self, r):
        """To all neighbours but one."""
        for q in self.active:
            if q != r.besides:
                self.send(r.m, to=q)

    @on(ANY, Join)
    def join(self, m, q):
        """Somebody is new: the neighbours hear of it.

        always:
        """
        self.add_active(q)
        for r in self.active:
            if r != q:
                self.send(ForwardJoin(q, self.arwl), to=r)

    @on(ANY, ForwardJoin)
    def forward_join(self, m, q):
        """The word of a new process goes on; at the end of its walk it is taken as a neighbour.

        sends ForwardJoin and changes: The word of a new process goes on; it keeps that one in reserve.
        sends ForwardJoin: The walk is not at its end, so the word of a new process goes on to another neighbour.
        sends Disconnect: The walk ends here: it takes the new process as a neighbour and gives up another for it.
        sends Connect: The walk ends here, so it takes the new process as a neighbour and tells it.
        otherwise: The walk ends here, but the new process is its neighbour already, or is this process itself.
        """
        others = [r for r in self.active if r not in (q, m.new)]
        if m.ttl > 0 and len(self.active) > 1 and m.ttl == self.prwl:
            self.add_passive(m.new)
        if m.ttl > 0 and len(self.active) > 1 and others:
            self.send(ForwardJoin(m.new, m.ttl - 1), to=self.random.choice(others))
        elif m.new != self.me and m.new not in self.active:
            self.add_active(m.new)
            self.send(Connect(), to=m.new)

    @on(ANY, Connect)
    def connected(self, m, q):
        """Somebody has taken this process as a neighbour.

        always:
        """
        self.add_active(q)

    @on(ANY, Disconnect)
    def disconnected(self, m, q):
        """The sender is not its neighbour any more.

        sends Neighbour: It loses {peer} as a neighbour, so it asks a process in reserve to be one.
        changes: It loses {peer} as a neighbour; it has no process in reserve to ask, or waits for an answer already.
        otherwise: {peer} was not its neighbour anyway.
        """
        if q in self.active:
            self.drop(q)
            self.add_passive(q)
            self.repair()

    @on(ANY, Broken)
    def broken(self, m):
        """A crashed process is forgotten; one in reserve may take its place.

        sends Neighbour: It notices a crash and has room for a neighbour, so it asks a process in reserve to be one.
        changes: It forgets a crashed process; its places are full, it waits for an answer, or it has no other to ask.
        otherwise: A process has crashed that was neither its neighbour nor in reserve any more.
        """
        if m.q in self.active:
            self.drop(m.q)
        if m.q in self.passive:
            self.passive.remove(m.q)
        if self.asked == m.q:
            self.asked = None
        self.repair()

    def repair(self):
        """Somebody out of the passive view is asked, one at a time."""
        free = [q for q in self.passive if q not in self.refused]
        if self.asked is None and len(self.active) < self.most_active and free:
            self.asked = self.random.choice(free)
            self.watch(self.asked, Broken(self.asked), after=self.latency)
            self.send(Neighbour(not self.active), to=self.asked)

    @on(ANY, Neighbour)
    def asked_for(self, m, q):
        """It agrees if the request is urgent, or if there is room.

        sends Disconnect: The request is urgent, so it takes {peer} and gives up another neighbour for it.
        sends NeighbourReply(accepted=no): It has no room for {peer}, and the request is not urgent, so it refuses.
        changes: It has room for another neighbour, so it takes {peer}.
        otherwise: {peer} is its neighbour already, so it agrees.
        """
        yes = m.high or q in self.active or len(self.active) < self.most_active
        if yes:
            self.add_active(q)
        self.send(NeighbourReply(yes), to=q)

    @on(ANY, NeighbourReply)
    def replied(self, m, q):
        """It has a new neighbour, or asks another process.

        says accepted=yes and sends Disconnect: {peer} agrees; all places are taken by now, so another has to go.
        says accepted=yes and sends Neighbour: {peer} agrees to be its neighbour; it has room and asks one more.
        says accepted=yes: {peer} agrees to be its neighbour.
        sends Neighbour: {peer} refuses, so it asks another process in reserve.
        otherwise: {peer} refuses; it has no other to ask, no room any more, or waits for another answer.
        """
        if self.asked == q:
            self.asked = None
        if m.accepted:
            self.add_active(q)
        else:
            self.refused.append(q)
        self.repair()

    @on(ANY, ShuffleTime)
    def exchange(self):
        """Some of both views go on a random walk; neighbours are asked whether they are neighbours.

        sends Shuffle and sends Neighbour: It sends names on a random walk; having room, it asks one in reserve.
        sends Shuffle: It sends names on a random walk, to learn others, and makes sure of its neighbours with a Ping.
        sends Neighbour: It has no neighbour, so it asks a process in reserve to be one.
        otherwise: It has no neighbour; it waits for an answer, or has no process in reserve to ask.
        """
        self.refused = []
        if self.active:
            self.sent = [*self.some(self.active, self.ka), *self.some(self.passive, self.kp)]
            self.send(Shuffle(self.me, (self.me, *self.sent), self.arwl), to=self.random.choice(self.active))
            for q in self.active:
                self.send(Ping(), to=q)
        self.repair()
        self.again(ShuffleTime(), self.shuffle)

    @on(ANY, Shuffle)
    def shuffled(self, m, q):
        """It goes on, or is answered.

        sends Shuffle: The walk is not at its end, so the names go on to another neighbour.
        sends ShuffleReply(known=empty): The walk ends here; its own reserve is empty, so it answers with no names.
        sends ShuffleReply and changes: The walk ends here: it answers with names in reserve and takes new ones in.
        sends ShuffleReply: The walk ends here: it answers with names in reserve; the reserve stays as it is.
        otherwise: Its own names have come back to it, so it has nothing to learn.
        """
        others = [r for r in self.active if r not in (q, m.origin)]
        if m.ttl > 1 and others:
            self.send(Shuffle(m.origin, m.known, m.ttl - 1), to=self.random.choice(others))
        elif m.origin != self.me:
            mine = self.some(self.passive, len(m.known))
            self.send(ShuffleReply(tuple(mine)), to=m.origin)
            self.merge(m.known, mine)

    @on(ANY, ShuffleReply)
    def merge_reply(self, m):
        """New names come into the passive view."""
        self.merge(m.known, self.sent)

    @on(ANY, Ping)
    def pinged(self, m, q):
        """A neighbour on one side only becomes one on both, or on none.

        sends Disconnect: It has no room for {peer} as a neighbour, so it tells {peer} that they are not neighbours.
        changes: {peer} has it as a neighbour, and it has room, so it takes {peer} as well.
        otherwise: It has {peer} as a neighbour too, so all is well.
        """
        if q not in self.active:
            if len(self.active) < self.most_active:
                self.add_active(q)
            else:
                self.send(Disconnect(), to=q)

    def add_active(self, q):
        if q == self.me or q in self.active:
            return
        if len(self.active) >= self.most_active:
            old = self.random.choice(self.active)
            self.drop(old)
            self.add_passive(old)
            self.send(Disconnect(), to=old)
        if q in self.passive:
            self.passive.remove(q)
        self.active.append(q)
        self.watch(q, Broken(q), after=self.latency)

    def drop(self, q):
        self.active.remove(q)
        self.cancel_timer(Broken(q))

    def add_passive(self, q, out=()):
        if q == self.me or q in self.active or q in self.passive or not self.most_passive:
            return
        if len(self.passive) >= self.most_passive:
            gone = [r for r in out if r in self.passive] or self.passive
            self.passive.remove(self.random.choice(gone))
        self.passive.append(q)

    def merge(self, names, out):
        for q in names:
            self.add_passive(q, out)

    def some(self, names, count):
        return self.random.sample(names, min(count, len(names)))


class PubSub(Layer):
    topics: list[str] = []  # what the client reads
    flooded: dict[str, bool] = {}  # how a topic is spread, where that has been chosen
    version: dict[str, int] = {}  # by the how-manieth choice
    choices: int = 0  # how often it has chosen itself
    got: dict[str, int] = {}  # publisher -> its numbers that came, a bit each
    twice: int = 0  # how often something came again

    way = parameter("structured", choices=("structured", "unstructured", "both", "popular"),
                    help="how publications are spread")  # fmt: skip
    popular = parameter(8, minimum=1, help="from how many readers on a topic is flooded, with way = popular")

    @on(ANY, Enter)
    def enter(self, r):
        """The layers below begin."""
        if self.way != "unstructured":
            self.ask(EnterRing(r.contact))
        if self.way != "structured":
            self.ask(EnterMesh(r.contact))

    @on(ANY, Want)
    def want(self, r):
        """A topic more."""
        if r.topic not in self.topics:
            self.topics.append(r.topic)
            if self.way != "unstructured":
                self.ask(Disseminate("sub", r.topic))

    @on(ANY, Drop)
    def drop(self, r):
        """A topic less."""
        if r.topic in self.topics:
            self.topics.remove(r.topic)
            if self.way != "unstructured":
                self.ask(Disseminate("unsub", r.topic))

    @on(ANY, Say)
    def say(self, r):
        """A publication goes its topic's way; a choice goes both ways."""
        if not r.text:
            self.choose(r.topic, r.id, r.flooded)
        elif self.way == "unstructured" or self.flooded.get(r.topic):
            self.ask(Broadcast(r.id, r.topic, News(r.text)))
        else:
            self.ask(Disseminate("pub", r.topic, r.id, News(r.text)))

    @on(ANY, Readers)
    def counted(self, r):
        """The root floods a topic as soon as many read it, and ends that when they are less than half as many."""
        flooded = self.flooded.get(r.topic, False)
        if self.way == "popular" and (r.readers >= self.popular if not flooded else 2 * r.readers < self.popular):
            self.choices += 1
            self.choose(r.topic, f"{self.me} chooses/{self.choices}", not flooded)

    def choose(self, topic, id, flooded):
        if self.way in ("both", "popular"):
            m = Chosen(flooded, self.version.get(topic, 0) + 1)
            self.ask(Disseminate("pub", topic, id, m))
            self.ask(Broadcast(id, topic, m))

    @on(ANY, (Arrived, Heard))
    def arrived(self, r):
        """What the client reads is handed to it, once."""
        if isinstance(r.m, Chosen):
            if r.m.version > self.version.get(r.topic, 0):
                self.version[r.topic], self.flooded[r.topic] = r.m.version, r.m.flooded
            return
        if r.topic in self.topics:
            who, number = r.id.rsplit("/", 1)
            if self.got.get(who, 0) >> int(number) & 1:
                self.twice += 1
            else:
                self.got[who] = self.got.get(who, 0) | 1 << int(number)
                self.tell(Reached(r.topic, r.id, r.m.text))


class Client(Process):
    title = "Publish/subscribe on Chord and Scribe, or HyParView"
    needs = overlay, fifo, detector, everybody_starts
    messages = (
        "<= n*(maintain + 20)*(n + 8)*(1 + 1/fix_fingers + 4/stabilize + 1/shuffle*(arwl + 4))"
        " + n*n*(2*n + 2*bits)*(publications + topics + lookups + commands + 1)"
    )
    layers = PubSub, Scribe, Chord, Flooding, HyParView

    state = OUTSIDE
    since: dict[str, float] = {}  # own topics, and when they were subscribed
    published: list[tuple] = []  # topic, id, time, text
    read: dict[str, int] = {}  # text -> how many news with this text came
    received: list[str] = []  # which news came
    count: int = 0  # how often it has published or chosen
    first: str = ""  # through whom all join
    last: float = 0.0  # when news came last

    gap = parameter(1.0, minimum=0.0, help="time from one process joining to the next")
    begin = parameter(40.0, minimum=0.0, help="when clients choose their topics")
    speak = parameter(60.0, minimum=0.0, help="when clients begin to publish")
    span = parameter(10.0, minimum=0.0, help="for how long")
    topics = parameter(4, minimum=0, help="how many topics there are, T0, T1 ...")
    share = parameter(0.4, minimum=0.0, maximum=1.0, help="the share of topics that a client reads")
    publications = parameter(1, minimum=0, help="how many news each client publishes, of topics at random")
    lookups = parameter(0, minimum=0, help="how many names each client looks up, with a ring")
    outsiders = parameter(True, help="whether clients publish in topics that they do not read themselves")
    commands = parameter(20, minimum=0, help="how many commands there are at most, for the bound of the messages")
    settled = parameter(12.0, minimum=0.0, help="how long after a subscription nothing may be missed any more")

    @on(OUTSIDE, INIT)
    def start(self):
        """It joins when it is its turn.

        sets Speak: It sets the times at which it joins, chooses topics or looks up names, and publishes.
        sets Choice: It sets the times at which it joins, and chooses topics or looks up names.
        otherwise: It joins when it is its turn; the rest is left to commands.
        """
        turns = sorted(self.everybody, key=lambda q: place(q, 32, False)) if self.named else self.everybody
        self.first = turns[0]
        self.set_timer(Begin(), after=self.gap * turns.index(self.me))
        if self.topics or self.lookups:
            self.set_timer(Choice(), after=self.begin + self.random.uniform(0, 5))
            for i in range(self.publications):
                self.set_timer(Speak(i), after=self.speak + self.random.uniform(0, self.span))

    @on(OUTSIDE, Begin)
    def enter(self):
        """It joins through the first of all."""
        self.state = IDLE
        self.ask(Enter(None if self.first == self.me else self.first))

    @on((IDLE, READER), Choice)
    def choose_topics(self):
        """It reads some topics, and looks up some names."""
        for i in range(self.lookups):
            self.ask(Lookup(f"{self.me} asks {i}"))
        for i in range(self.topics):
            if self.random.random() < self.share:
                self.want(f"T{i}")

    @on((IDLE, READER), Speak)
    def speak_up(self):
        """It has something to say.

        sends Flood: It publishes in a random topic, by flooding: it tells its neighbours in the mesh.
        sends Spread: It publishes in a random topic; it is in the topic's tree, so the publication goes along the tree.
        sends Carry: It publishes in a random topic; it is not in the tree, so it sends this towards the key's owner.
        changes published: It publishes in a random topic, but has no process to send this to.
        otherwise: It has no topic in which it may publish.
        """
        some = [f"T{i}" for i in range(self.topics) if self.outsiders or f"T{i}" in self.since]
        if some:
            self.say(self.random.choice(some), "news")

    @on((IDLE, READER), Subscribe)
    def subscribe(self, m):
        """Its user wants to read a topic."""
        self.want(m.topic)

    @on((IDLE, READER), Unsubscribe)
    def unsubscribe(self, m):
        """Its user does not want it any more.

        sends Unsub: Its user does not want the topic any more, and it has no children, so it leaves the tree.
        sends Count: Its user does not want the topic any more; it stays in the tree for its children.
        changes since: Its user does not want the topic any more, so it stops reading it.
        otherwise: It does not read this topic, so there is nothing to end.
        """
        if m.topic in self.since:
            del self.since[m.topic]
            self.state = READER if self.since else IDLE
            self.ask(Drop(m.topic))

    @on((IDLE, READER), Publish)
    def publish(self, m):
        """Its user says something."""
        self.say(m.topic, m.text)

    @on((IDLE, READER), Choose)
    def choose(self, m):
        """Its user chooses how a topic is spread."""
        self.count += 1
        self.ask(Say(m.topic, f"{self.me}/{self.count}", flooded=m.flooded))

    @on(ANY, Reached)
    def reached(self, r):
        """News."""
        self.last = self.clock
        self.received.append(r.id)
        self.read[r.text] = self.read.get(r.text, 0) + 1
        self.deliver(r.id)

    @on(OUTSIDE, (Choice, Speak, Subscribe, Unsubscribe, Publish, Choose))
    def too_early(self):
        """It does not take part yet."""

    @on((IDLE, READER), (INIT, Begin))
    def again(self):
        """It takes part already."""

    def want(self, topic):
        self.since.setdefault(topic, self.clock)
        self.state = READER
        self.ask(Want(topic))

    def say(self, topic, text):
        self.count += 1
        id = f"{self.me}/{self.count}"
        self.published.append((topic, id, self.clock, text))
        self.ask(Say(topic, id, text))


def members(c):
    """Those who are on the ring, in its order, by name."""
    live = [p for p in c.processes if p.chord.joined and not c.crashed(p)]
    return {p.me: p for p in sorted(live, key=lambda p: p.chord.id)}


def owner(ring, key):
    """The first process at or behind a place; ``ring`` in the order of the circle."""
    low, high = 0, len(ring)
    while low < high:
        middle = (low + high) // 2
        if ring[middle].chord.id < key:
            low = middle + 1
        else:
            high = middle
    return ring[low % len(ring)]


@eventually("everybody's succ and pred are its true neighbours on the circle")
def ring_is_right(c):
    ring = list(members(c).values())
    pairs = zip(ring, [*ring[1:], *ring[:1]], strict=True)
    if len(ring) == 1:
        return ring[0].chord.succ == ring[0].me
    return all(p.chord.succ == q.me and q.chord.pred == p.me for p, q in pairs)


@at_end("every finger points to the owner of its place")
def fingers_are_right(c):
    ring = list(members(c).values())
    for chord in [p.chord for p in ring]:
        for i in range(1, chord.bits + 1):
            right = owner(ring, (chord.id + 2 ** (i - 1)) % 2**chord.bits).me
            if right != chord.me and chord.finger.get(i, chord.succ) != right:
                return False
    return True


@always("there is one ring: whoever follows succ comes to the first process")
def one_ring(c):
    ring = members(c)
    first = c.processes[0].first
    if any(map(c.crashed, c.processes)) or first not in ring:
        return True
    good = {first}
    for name in ring:
        way = []
        while name not in good:
            if name in way or name not in ring:
                return False
            way.append(name)
            name = ring[name].chord.succ
        good.update(way)
    return True


@always("no route is longer than the identifiers have bits")
def routes_are_short(c):
    return all(p.chord.longest <= p.bits for p in c.processes)


@eventually("trees lead to the owners of their topics, hold all readers, and end with readers")
def trees_are_right(c):
    ring = members(c)
    some, scribes, roots = list(ring.values()), {me: p.scribe for me, p in ring.items()}, {}
    for me, scribe in scribes.items():
        if not scribe.subscribed <= scribe.children.keys():
            return False
        for topic, children in scribe.children.items():
            up = scribe.parent[topic]
            if not children and topic not in scribe.subscribed:
                return False
            if topic not in roots:
                roots[topic] = owner(some, some[0].chord.at(topic)).me
            if (roots[topic] == me) is not (up is None):
                return False
            if up is not None and (up not in ring or me not in scribes[up].children.get(topic, ())):
                return False
            if any(q not in ring or scribes[q].parent.get(topic) != me for q in children):
                return False
    return True


@eventually("neighbours in the mesh are neighbours of each other")
def symmetric(c):
    live = {p.me: p.hyparview for p in c.processes if not c.crashed(p)}
    return all(q in live and me in live[q].active for me, p in live.items() for q in p.active)


@always("nobody is its own neighbour, nor neighbour and in reserve")
def disjoint(c):
    views = ((p.me, p.hyparview.active, p.hyparview.passive) for p in c.processes)
    return all(me not in a and me not in b and not set(a) & set(b) for me, a, b in views)


@eventually("the mesh is in one piece")
def in_one_piece(c):
    live = {p.me: p.hyparview for p in c.processes if not c.crashed(p) and p.state != OUTSIDE}
    if all(p.way == "structured" for p in c.processes) or not live:
        return True
    todo = [next(iter(live))]
    seen = set(todo)
    while todo:
        for q in live[todo.pop()].active:
            if q in live and q not in seen:
                seen.add(q)
                todo.append(q)
    return len(seen) == len(live)


@at_end("every reader of a topic gets all that is published in it")
def nothing_missed(c):
    news = [each for p in c.processes for each in p.published]
    for p in c.processes:
        got = set(p.received)
        for topic, id, time, _ in news if not c.crashed(p) else ():
            if topic in p.since and p.since[topic] + p.settled <= time and id not in got:
                return False
    return True


@always("nobody gets anything twice")
def nothing_twice(c):
    return all(len(set(p.received)) == len(p.received) for p in c.processes)


@measure("hops")
def hops(c):
    """The mean way to an owner."""
    answers = sum(p.chord.answers for p in c.processes)
    return sum(p.chord.hops for p in c.processes) / answers if answers else None


@measure("longest")
def longest(c):
    return max(p.chord.longest for p in c.processes)


@measure("converged")
def converged(c):
    """The time from the first publication to the last delivery."""
    first = min((time for p in c.processes for _, _, time, _ in p.published), default=None)
    return max(p.last for p in c.processes) - first if first is not None else None


def keys(c):
    """How many topics each process owns."""
    ring = list(members(c).values())
    owned = dict.fromkeys(ring, 0)
    for i in range(ring[0].topics if ring else 0):
        owned[owner(ring, ring[0].chord.at(f"T{i}"))] += 1
    return list(owned.values())


@measure("keys_most")
def keys_most(c):
    return max(keys(c), default=None)


@measure("keys_least")
def keys_least(c):
    return min(keys(c), default=None)


@measure("keys_most_by_mean")
def keys_most_by_mean(c):
    owned = keys(c)
    return max(owned) * len(owned) / sum(owned) if sum(owned) else None


@measure("owners_of_nothing")
def owners_of_nothing(c):
    owned = keys(c)
    return owned.count(0) / len(owned) if owned else None


def reliability(c, text):
    """The share of live readers that got a publication with this text, on average."""
    live = [p for p in c.processes if not c.crashed(p)]
    expected = got = 0
    for topic, id, _, said in [each for p in c.processes for each in p.published]:
        if said == text:
            readers = [p for p in live if topic in p.since]
            expected += len(readers)
            got += sum(id in p.received for p in readers)
    return got / expected if expected else None


@measure("reliable")
def reliable_news(c):
    return reliability(c, "news")


@measure("reliable_at_once")
def reliable_at_once(c):
    return reliability(c, "at once")


@measure("reliable_later")
def reliable_later(c):
    return reliability(c, "later")
