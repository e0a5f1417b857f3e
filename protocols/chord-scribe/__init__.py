"""Publish/subscribe in layers: trees on a Chord ring, or flooding over small random neighbourhoods.

Every process is a stack: a client on publish/subscribe, on Scribe on Chord, or on broadcast on HyParView.

Chord places processes on a circle of 2**bits identifiers and routes a key to its owner, the first process at or behind
it, in O(log n) hops.  Scribe combines the routes of subscriptions to the owner of a topic's key into a tree, along
which publications travel.  HyParView keeps a few random neighbours and some more in reserve; broadcast floods along
them, and a process that does not read the topic discards the publication.

Pseudo-code::

    Chord     FIND(k):  if k in (self, succ]: FOUND(k, succ) to the requester; else on to closest_preceding(k), or succ
              every stabilize:  ask succ for its pred x and its succ_list; if x in (self, succ): succ := x; NOTIFY succ
              NOTIFY(q):  if no pred, or q in (pred, self): pred := q; if alone: succ := q
              every fix_fingers:  finger[i] := owner of self + 2**(i - 1), i going round
              q crashed:  pred := none if it was q;  succ := first of succ_list, fingers, self if it was q
    Scribe    SUB(t) passes:  children += sender; not in the tree: enter it; root if owner, else on, parent := next hop
              PUB(t) passes a member, or is made by one:  to parent and children but the sender; deliver if subscribed
              neither children nor subscribed:  leave; UNSUB to the parent
              parent crashed, or periodically:  SUB again on the way to the owner
    HyParView JOIN(x):  take x; FORWARDJOIN(x, arwl) to the others;  it goes at random: passive at prwl, active at 0
              active not full:  NEIGHBOUR to some process in passive;  one too many: DISCONNECT, and keep it in passive
              every shuffle:  exchange some of both views at the end of a random walk; PING the active ones
    broadcast FLOOD the first time:  inform the layer above; to all active ones but the sender

Needs an overlay with FIFO channels, a failure detector by broken connections, and every process as initiator: they join
one after another, through the first of them.  Maintenance continues until ``maintain``, so that a run ends.
Choices made where the report is open: publications go to the children (not twice to the root); the reply to a join
names the successor; publishing from outside routes a PUB; a process adds each process that subscribes through it as a
child, at the root as well; after a crash pred and succ are tested independently.  A SUB is repeated every ``refresh``,
so that parents follow the ring; the old parent is left when the new branch is complete.  A process without pred takes
the sender of a route as pred.
``way``: "structured", "unstructured", "both" (each topic as its users choose, with Choose) and "popular": members of a
tree report to their parents how many readers are below them, and the root floods the topic while there are many.
Complexity: routes take about log2(n) / 2 + 1 hops; a publication crosses every link of its tree once, or takes about
(active - 1) * n messages by flooding.

Reference: V. Vivoli, P. Costa, D. Silva, ASD project, phase 2; I. Stoica et al., Chord, SIGCOMM 2001; M. Castro,
P. Druschel, A.-M. Kermarrec, A. Rowstron, Scribe, IEEE JSAC 20 (2002); J. Leitão, J. Pereira, L. Rodrigues, HyParView,
DSN 2007.
"""

from lydian import ANY, INIT, Process, detector, everybody_starts, fifo, on, overlay, parameter

from . import measures
from .chord import Chord, place
from .mesh import Flooding, HyParView
from .messages import (
    IDLE,
    OUTSIDE,
    READER,
    Begin,
    Choice,
    Choose,
    Drop,
    Enter,
    Lookup,
    Publish,
    Reached,
    Say,
    Speak,
    Subscribe,
    Unsubscribe,
    Want,
)
from .pubsub import PubSub
from .scribe import Scribe


class Client(Process):
    title = "Publish/subscribe on Chord and Scribe, or HyParView"
    needs = overlay, fifo, detector, everybody_starts
    messages = (
        "<= n*(maintain + 20)*(n + 8)*(1 + 1/fix_fingers + 4/stabilize + 1/shuffle*(arwl + 4))"
        " + n*n*(2*n + 2*bits)*(publications + topics + lookups + commands + 1)"
    )
    layers = PubSub, Scribe, Chord, Flooding, HyParView

    state = OUTSIDE
    since: dict[str, float] = {}  # own topics -> time of subscription
    published: list[tuple] = []  # topic, id, time, text
    read: dict[str, int] = {}  # text -> number of publications received with this text
    received: list[str] = []  # publications received
    count: int = 0  # number of its publications and choices
    first: str = ""  # process through which all join
    last: float = 0.0  # time of the last publication received

    gap = parameter(1.0, minimum=0.0, help="time from one process joining to the next")
    begin = parameter(40.0, minimum=0.0, help="when clients choose their topics")
    speak = parameter(60.0, minimum=0.0, help="when clients begin to publish")
    span = parameter(10.0, minimum=0.0, help="for how long clients publish")
    topics = parameter(4, minimum=0, help="number of topics T0, T1 ...")
    share = parameter(0.4, minimum=0.0, maximum=1.0, help="share of topics that a client reads")
    publications = parameter(1, minimum=0, help="number of publications of each client, on random topics")
    lookups = parameter(0, minimum=0, help="number of names that each client looks up, with a ring")
    outsiders = parameter(True, help="whether clients publish in topics that they do not read themselves")
    commands = parameter(20, minimum=0, help="maximum number of commands, for the bound on messages")
    settled = parameter(12.0, minimum=0.0, help="time after a subscription from which no publication may be missed")

    @on(OUTSIDE, INIT)
    def start(self):
        """It schedules its join.

        sets Speak: It sets the times at which it joins, chooses topics or looks up names, and publishes.
        sets Choice: It sets the times at which it joins, and chooses topics or looks up names.
        otherwise: It schedules its join; everything else is left to commands.
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
        """It joins through the first process."""
        self.state = IDLE
        self.ask(Enter(None if self.first == self.me else self.first))

    @on((IDLE, READER), Choice)
    def choose_topics(self):
        """It subscribes to some topics, and looks up some names."""
        for i in range(self.lookups):
            self.ask(Lookup(f"{self.me} asks {i}"))
        for i in range(self.topics):
            if self.random.random() < self.share:
                self.want(f"T{i}")

    @on((IDLE, READER), Speak)
    def speak_up(self):
        """It publishes in a random topic.

        sends Flood: It publishes in a random topic, by flooding to its neighbours in the mesh.
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
        """Its user no longer wants to read a topic.

        sends Unsub: Its user no longer wants the topic, and it has no children, so it leaves the tree.
        sends Count: Its user no longer wants the topic; it stays in the tree for its children.
        changes since: Its user no longer wants the topic, so it stops reading it.
        otherwise: It does not read this topic, so nothing changes.
        """
        if m.topic in self.since:
            del self.since[m.topic]
            self.state = READER if self.since else IDLE
            self.ask(Drop(m.topic))

    @on((IDLE, READER), Publish)
    def publish(self, m):
        """Its user publishes a text."""
        self.say(m.topic, m.text)

    @on((IDLE, READER), Choose)
    def choose(self, m):
        """Its user chooses how publications on a topic are spread."""
        self.count += 1
        self.ask(Say(m.topic, f"{self.me}/{self.count}", flooded=m.flooded))

    @on(ANY, Reached)
    def reached(self, r):
        """A publication on a topic of its own arrives."""
        self.last = self.clock
        self.received.append(r.id)
        self.read[r.text] = self.read.get(r.text, 0) + 1
        self.deliver(r.id)

    @on(OUTSIDE, (Choice, Speak, Subscribe, Unsubscribe, Publish, Choose))
    def too_early(self):
        """It has not joined yet."""

    @on((IDLE, READER), (INIT, Begin))
    def again(self):
        """It has already joined."""

    def want(self, topic):
        self.since.setdefault(topic, self.clock)
        self.state = READER
        self.ask(Want(topic))

    def say(self, topic, text):
        self.count += 1
        id = f"{self.me}/{self.count}"
        self.published.append((topic, id, self.clock, text))
        self.ask(Say(topic, id, text))
