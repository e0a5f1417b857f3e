"""Scribe: a tree for each topic, grown along the routes of Chord."""

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
    parent: dict[str, str | None] = {}  # of each topic in whose tree it is; none at the root or during a search
    children: dict[str, list[str]] = {}
    subscribed: set[str] = set()
    roots: set[str] = set()  # topics of which it is the root
    seen: dict[str, int] = {}  # publisher -> the numbers that have arrived from it, one bit each
    readers: dict[str, dict[str, int]] = {}  # topic -> child -> number of readers there and below
    told: dict[str, int] = {}  # topic -> the number last reported to the parent

    refresh = parameter(10.0, minimum=0.0, help="time from one SUB to the next; 0: never")
    counting = parameter(False, help="whether the root learns the number of readers of its topic")

    @on(ANY, Disseminate)
    def disseminate(self, r):
        """Handle a request of the layer above to subscribe, unsubscribe or publish."""
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
        """Enter the tree if it is not in it; its parent is the next process on the route to the owner."""
        if topic not in self.children:
            self.children[topic], self.parent[topic] = [], None
            if self.refresh and len(self.children) == 1:
                self.again(Refresh(), self.refresh)
            self.ask(Route(topic, Sub(), hops))
        self.report(topic)

    @on(ANY, Routed)
    def routed(self, r):
        """A passing SUB adds a branch to the tree; a PUB continues until it meets the tree."""
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
        """Take a process that subscribes through this one as a child."""
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
        """Take this parent as the first process on the route to the owner; the owner is the root."""
        old = self.parent[topic]
        self.roots.discard(topic)
        if owner:
            self.roots.add(topic)
        else:
            self.without(topic, parent)
            self.watch(parent, Cut(parent), after=self.latency)
        if old not in (None, parent):
            self.set_timer(Leave(topic, old), after=10.0)  # the new branch must be complete first
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
        """The new branch is complete, so the old one is no longer needed.

        sends Unsub: The old parent has not become its parent again, so it leaves that branch.
        otherwise: The old parent has become its parent again, so it does not leave.
        """
        if self.parent.get(m.topic) != m.q:
            self.send(Unsub(m.topic), to=m.q)

    @on(ANY, (Refresh, Moved))
    def renew(self, m):
        """It renews its subscriptions, because the route to the owner, or the owner, may have changed.

        sends Carry: It subscribes again on the route to the owner of a topic's key, which may have changed.
        sets Refresh: It owns the keys of all topics in whose trees it is, so it is the root and needs no route.
        otherwise: It is in no tree, or the root of each tree that it is in, so it needs no route.
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
        """Leave the tree if it has no children and does not read the topic."""
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
        """It passes a publication once along each link of the tree.

        delivers and sends Spread: It reads the topic and delivers the publication; it also passes it on in the tree.
        delivers: It reads the topic and delivers the publication; it has no other process in the tree to send it to.
        while idle and sends Spread: It reads no topic itself, but it is in the tree, so it passes this on.
        sends Spread: It is in the tree, so it passes this on; its client does not read the topic.
        changes: It has no other process in the tree to pass this on to, and its client does not read the topic.
        otherwise: It has received this before, or is not in the tree, so it does not pass it on.
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
        """A crashed process is dropped as child and as parent; a lost parent is replaced.

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
        """A child reports the number of readers below it.

        sends Count: The number of readers at and below it has changed, so it reports the new one to its parent.
        sends Spread: It is the root: the number of readers changes how the topic is spread, and it announces this.
        changes: It records the number of readers at {peer} and below.
        otherwise: Process {peer} is not its child in this tree, or the number is not new.
        """
        if q in self.children.get(m.topic, ()):
            self.readers.setdefault(m.topic, {})[q] = m.readers
            self.report(m.topic)

    def report(self, topic):
        """Report the number of readers here and below to the parent, or from the root to the layer above."""
        if self.counting and topic in self.children:
            many = (topic in self.subscribed) + sum(self.readers.get(topic, {}).values())
            if topic in self.roots:
                self.tell(Readers(topic, many))
            elif self.parent[topic] is not None and self.told.get(topic) != many:
                self.told[topic] = many
                self.send(Count(topic, many), to=self.parent[topic])
