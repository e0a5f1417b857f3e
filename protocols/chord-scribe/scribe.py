"""Scribe: a tree for each topic, grown along the ways of Chord."""

from lydian import ANY, on, parameter

from .messages import (
    Arrived,
    Chosen,
    Count,
    Cut,
    Disseminate,
    Leave,
    Moved,
    Pub,
    Readers,
    Refresh,
    Route,
    Routed,
    Spread,
    Sub,
    Unsub,
)
from .upkeep import Kept


class Scribe(Kept):
    parent: dict[str, str | None] = {}  # of each topic in whose tree it is; none at the root, or while it is asked for
    children: dict[str, list[str]] = {}
    subscribed: set[str] = set()
    roots: set[str] = set()  # topics of which it is the root
    seen: dict[str, int] = {}  # publisher -> its numbers that came, a bit each
    readers: dict[str, dict[str, int]] = {}  # topic -> child -> how many read it there and below
    told: dict[str, int] = {}  # topic -> what the parent was told last

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
        if self.counting and topic in self.children:
            many = (topic in self.subscribed) + sum(self.readers.get(topic, {}).values())
            if topic in self.roots:
                self.tell(Readers(topic, many))
            elif self.parent[topic] is not None and self.told.get(topic) != many:
                self.told[topic] = many
                self.send(Count(topic, many), to=self.parent[topic])
