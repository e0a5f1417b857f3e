"""Publications on their way to all members of a topic."""

from lydian import ANY, on

from .member import Member
from .messages import Event, Lookup, Post, Probe, Publish
from .places import M, after, hashed, nearness


class News(Member):
    """News."""

    @on(ANY, Publish)
    def publish(self, m):
        """It publishes on one of its topics.

        changes chosen and sends Event: It is itself closest to a point for its publication, and spreads it from there.
        changes chosen: It is itself closest to a point for its publication, so it need not send it there.
        sends Event: It gossips, and sends its publication to known processes of the topic.
        sends Post: It sends its publication towards a point of a topic; the closest forwarder will spread it.
        changes early: It has a publication, but does not yet know a process that may know the way, so it defers it.
        changes mine: It has a publication, but sends it to no other process.
        otherwise: It wants no topic, so it publishes nothing.
        """
        t = m.topic or (self.random.choice(sorted(self.T)) if self.T else 0)
        if not t:
            return
        id = f"{self.me}/{len(self.mine) + 1}"
        self.mine[id] = (t, self.clock)
        if t in self.T:
            self.take(id, t, 0)
        if "Gossip" in self.variant and (t in self.L or (self.variant == "FullGossip" and t in self.parent)):
            self.spread_out(id, t, 0, 0)
        else:
            for tag in range(self.roots if "Tree" in self.variant else 1):
                self.post(id, t, tag)
        self.show()

    def post(self, id, t, tag, role=True):
        value = hashed(f"root {tag}", self.salt) if self.fixed_root else self.random.randrange(M)
        x = (*self.location(t)[:3], "")
        within = t if role and (t in self.L or t in self.parent) else 0
        cargo = (id, tag, 0, "fixed") if self.fixed_root else (id, tag, 0)
        self.pass_on(Post(self.me, (x[0], t, value, ""), within, cargo=cargo))

    @on(ANY, Probe)
    def probe(self, m):
        """It looks up a random point, within its role if it has it.

        sends Lookup: It looks up a random point of a topic, and sends the lookup on its way.
        changes chosen: It is itself closest to the random point, so the lookup ends at once.
        changes early: It does not yet know a process that may know the way, so it defers the lookup.
        nothing: It wants no topic, so it looks up nothing.
        """
        t = m.topic or (self.random.choice(sorted(self.T)) if self.T else 0)
        if t:
            x = (*self.location(t)[:2], self.random.randrange(M), "")
            self.pass_on(Lookup(self.me, x, t if t in self.L or t in self.parent else 0, cargo=(0,)))

    def spread_out(self, id, t, tag, level):
        """Spread a publication as the root, or start to gossip it."""
        if "Tree" in self.variant:
            self.get(Event(id, t, tag, level, (), ()), None)
            self.pass_up(id, t)
        else:
            self.get(Event(id, t, 0, level), None)
            if self.fan_out == 1:
                self.pass_up(id, t)

    def supertopics(self, t):
        up = {"chain": (t - 1,), "tree": (t // 2,), "diamond": {4: (2, 3), 3: (1,), 2: (1,)}.get(t, (t - 1,))}
        if self.direction == "up":
            return [s for s in up.get(self.hierarchy, ()) if s > 0]
        sinks = {1: (2, 3), 2: (4,), 3: (4,)}.get(t, (t + 1,))
        down = {"chain": (t + 1,), "tree": (2 * t, 2 * t + 1), "diamond": sinks}
        return [s for s in down.get(self.hierarchy, ()) if s <= self.topics]

    def subtopics(self):
        """Return a map from each topic to those of which it is a closest supertopic, for the animation."""
        below = {str(t): [] for t in range(1, self.topics + 1)}
        for t in range(1, self.topics + 1):
            for s in self.supertopics(t):
                below[str(s)].append(str(t))
        return below

    def pass_up(self, id, t):
        """Send the publication to a process in each closest supertopic."""
        for s in self.supertopics(t):
            self.post(id, s, 0)

    @on(ANY, Event)
    def get(self, m, q):
        """It receives a publication, and passes it on.

        delivers and sends Event or Post: It receives this publication for the first time, delivers it and passes it on.
        delivers: It delivers this publication, which is new to it, but passes it to no other process.
        sends Event or Post: It has this publication already, or does not want the topic, but passes it on.
        changes repeats: It has this publication already, so it does not pass it on.
        otherwise: It has this publication already, or does not want the topic, and passes it to no other process.
        """
        id, t = m.id, m.topic
        new = (id, t) not in self.seen
        self.repeats += not new
        self.seen.add((id, t))
        self.take(id, t, max(m.level, 0))
        if "Gossip" in self.variant:
            if new:
                self.gossip(m)
        elif m.level >= 0 and t in self.L and (id, t, m.tag) not in self.seen:
            self.seen.add((id, t, m.tag))
            self.cast(m, q is None)
        if new and t in self.L and self.variant != "FullGossip":
            for c in self.C[t]:
                self.send_event(c, Event(id, t, m.tag, -1))
        self.show()

    def take(self, id, t, level):
        if id not in self.got and t in self.T:
            self.got[id] = level
            self.notified += 1
            self.deliver(id)

    def send_event(self, q, m):
        if q != self.me:
            self.forwarded += 1
            self.tell(q, m)

    def gossip(self, m):
        t = m.topic
        if m.level == 1 and self.fan_out > 1 and t in self.T:
            self.pass_up(m.id, t)
        if m.level < self.r and (t in self.L or self.variant == "FullGossip"):
            some = [q for q in self.V.get(t, ()) if q != self.me]
            for q in self.random.sample(some, min(self.fan_out, len(some))):
                self.send_event(q, Event(m.id, t, 0, m.level + 1))

    def cast(self, m, root):
        """Send the publication to the forwarder in the middle of each half of its part."""
        t, some, own = m.topic, self.table[m.topic], self.L[m.topic]
        if self.links != "interval":
            self.by_links(m)
            return
        right = [some[f"R{i}"] for i in range(len(some)) if some.get(f"R{i}")]
        left = [some[f"L{i}"] for i in range(len(some)) if some.get(f"L{i}")]
        if not right or not left:
            return
        low, high = (right[-1], right[-1]) if root else (m.low, m.high)
        sent = 0
        right = [q for q in right if after(own, q) < after(own, high)]
        if right and high != right[0]:
            self.send_event(right[-1][3], Event(m.id, t, m.tag, m.level + 1, some["R0"], high))
            sent += 1
        left = [q for q in left if after(own, q) >= after(own, low)]
        if left and low != own:
            self.send_event(left[-1][3], Event(m.id, t, m.tag, m.level + 1, low, own))
            sent += 1
        self.most = max(self.most, sent)

    def by_links(self, m):
        """As printed, level i leads to hash +- m/2^i; shifted, to hash +- m/2^(i + 2)."""
        far = M >> (m.level + (2 if self.links == "shifted" else 0))
        own = self.L[m.topic]
        for sign in (1, -1):
            x = (own[0], own[1], (own[2] + sign * far) % M, "")
            if far and self.closer_than(own, x):
                self.forwarded += 1
                self.pass_on(Post(self.me, x, m.topic, cargo=(m.id, m.tag, m.level + 1, "fixed")))

    def closer_than(self, own, x):
        t = own[1]
        some = [q for q in (*self.table[t].values(), self.left[t], self.right[t]) if q and q[1] == t]
        return any(nearness(q, x) < nearness(own, x) for q in some)
