"""Joining a topic as a forwarder, or as the child of one."""

from lydian import ANY, INIT, on

from .member import Member
from .messages import (
    Abort,
    Again,
    Begin,
    Found,
    Heartbeat,
    Invite,
    Join,
    Lookup,
    Patience,
    Split,
    Subscribe,
    ViewRefresh,
)
from .places import M, hashed


class Subscribing(Member):
    """Subscribing: look up all topics, then decide."""

    @on(ANY, INIT)
    def invite(self):
        """It invites all other processes.

        always:
        """
        self.host = self.me
        for q in self.everybody:
            self.tell(q, Invite())

    @on(ANY, Invite)
    def start(self, m, q):
        """It is invited, and will join at a random time.

        sets Heartbeat: Process {peer} invites it, so it will join at a random time, and maintain circle and views.
        always: Process {peer} invites it, so it will join at a random time.
        """
        self.host = q
        self.catch_up()
        self.place = hashed(self.me, self.salt) / M
        if self.hierarchy != "none":
            self.hierarchy_of = self.subtopics()
        self.set_timer(Begin(), after=self.random.uniform(0, self.spread))
        if self.upkeep:
            self.set_timer(Heartbeat(), after=self.spread * self.random.random() + self.heartbeat)
            self.set_timer(ViewRefresh(), after=self.spread * self.random.random() + self.repair)

    @on(ANY, Begin)
    def begin(self):
        """It joins, chooses its topics, and subscribes to them.

        while child or forwarder: It joins, chooses its topics, and subscribes to them.
        """
        left = [t for t in range(1, self.topics + 1) if t not in self.T]
        for _ in range(min(self.interest, len(left))):
            t = self.random.choices(left, [rank**-self.zipf for rank in left])[0]
            left.remove(t)
            self.T.add(t)
            self.wish.add(t)
        self.once |= self.T
        self.look_up()
        self.show()

    @on(ANY, Subscribe)
    def subscribe(self, m):
        """It subscribes to a topic.

        changes T and sends Lookup: It wants the topic, so it looks up the closest forwarder where it has no place yet.
        changes T and changes lookups: It wants the topic; one of its own roles is the closest that it knows.
        changes T and changes early: It wants the topic, but does not yet know a process to ask for the way.
        changes T and changes asked: It wants the topic, and begins to look for its place.
        changes T: It wants the topic again, and still forwards it or has an operation in progress there.
        otherwise: It already wants this topic.
        """
        if m.topic not in self.T:
            self.T.add(m.topic)
            self.once.add(m.topic)
            self.wish.add(m.topic)
            self.look_up()
        self.show()

    def location(self, t, name=None):
        return hashed(f"topic {t}", self.salt), t, hashed(name or self.me, self.salt), name or self.me

    def look_up(self):
        """Look up the process that is closest to it in each topic where it has no place."""
        self.wish -= {*self.L, *self.parent}
        for t in sorted(self.wish):
            known = t in self.asked or t in self.found
            if not known and not any(each[1] == t for each in (*self.plan, *self.delayed, self.doing or ("", 0))):
                self.numbers += 1
                self.asked[t] = self.numbers
                if self.upkeep:
                    self.set_timer(Patience(self.numbers), after=self.patience)
                self.pass_on(Lookup(self.me, self.location(t), cargo=(self.numbers,)))
                if not (self.L or self.parent or self.door):
                    break  # it knows no other process; one answer will show it one

    @on(ANY, Found)
    def answer(self, m, q):
        """A lookup has found the closest forwarder; after the last answer it decides.

        while forwarder and says owner=none and changes asked: It is now on a circle, so it need not begin one.
        says owner=none and becomes forwarder: Process {peer} knows no circle, so it begins one as the topic's first
            forwarder.
        says owner=none and changes asked: It begins a circle, but no longer wants the topic and ends it at once.
        sends Split(first=yes): This was the last answer; a topic has no forwarder, so it asks to be the first there.
        sends Split: This was the last answer; it asks for a place on the circle, to forward a topic itself.
        sends Join: This was the last answer; it asks the closest forwarder of a topic to take it as a child.
        changes doing or plan: This was the last answer: it knows which topics to forward, and in which to be a child.
        changes found: Process {peer} has answered; {asked:lookup is|lookups are} still open, and it decides after the
            last answer.
        changes asked: It already has its place there, or no longer wants the topic, so the answer is not needed.
        otherwise: It no longer waits for this answer.
        """
        t = m.topic
        if self.asked.get(t) != m.op:
            return
        del self.asked[t]
        self.cancel_timer(Patience(m.op))
        if not m.owner and self.L:
            self.look_up()
        elif not m.owner:
            self.wish.discard(t)
            own = self.location(t)
            self.forward(own, own, own)
            if t not in self.T:  # it is no longer interested, but others rely on it
                self.plan.append(("leave", t, ()))
                self.go_on()
            self.look_up()
        else:
            self.door = q if q != self.me else self.door
            self.learn(m.owner)
            self.found[t] = (m.owner, m.children, m.roles, m.interests)
            self.look_up()
            if not self.asked:
                self.decide()
        self.show()

    def decide(self):
        """Decide which topics to forward, and in which to be a child."""
        found, self.found = self.found, {}
        here = {t: each for t, each in found.items() if t in self.T and t in self.wish and t not in self.L}
        roles = len(self.L)
        self.wish -= {*here}
        for t, (owner, _, _, _) in here.items():
            if owner[1] != t:
                self.plan.append(("first", t, owner))
                roles += 1
        rest = {t: each for t, each in here.items() if each[0][1] == t}
        hot = max(rest, key=lambda t: (rest[t][1], t)) if rest and not roles else 0
        for t, (owner, _, theirs, interests) in rest.items():
            if t == hot or t in self.urge or self.variant == "FullTreeCast":
                self.plan.append(("split", t, owner))
                roles += 1
            elif (theirs - 1) / interests > (roles + 1) / len(self.T):
                self.plan.append(("replace", t, owner))
                roles += 1
            else:
                self.plan.append(("join", t, owner))
        self.go_on()

    def go_on(self):
        """Start the next operation of its own; operations run one after the other."""
        while self.plan and not self.doing:
            what, t, q = self.plan.pop(0)
            if (what == "leave") == (t in self.L) and (what == "leave" or t in self.T):
                self.doing = (what, t, q)
                self.numbers += 1
                if self.upkeep:
                    self.set_timer(Patience(self.numbers), after=self.patience)
                if what == "join":
                    self.tell(q[3], Join(t, len(self.L)))
                elif what == "leave":
                    self.leave(t)
                else:
                    self.tell(q[3], Split(self.location(t), q[1], what == "first"))

    def finish(self):
        self.doing = ()
        self.cancel_timer(Patience)
        for t, op in self.asked.items():
            if self.upkeep and t:
                self.set_timer(Patience(op), after=self.patience)
        self.go_on()
        self.look_up()
        self.catch_up()
        self.show()

    @on(ANY, Abort)
    def abort(self, m, q):
        """A request of its own is refused; it will look up again a little later.

        changes aborts and changes delayed: Process {peer} refuses, so it continues to forward, and will try again
            later.
        changes aborts and changes wish: Process {peer} refuses its request, so it will look up again a little later.
        changes aborts: Process {peer} refuses its request, so it gives up for now.
        changes parent: It cannot rely on its parent there any more, so it searches for its place in the topic again.
        otherwise: It has no operation in progress to which this belongs, so it ignores this.
        """
        t = m.topic
        if self.doing and self.doing[1] == t:
            self.aborts += 1
            what = self.doing[0]
            if what == "leave":
                self.free(t)
                self.delayed.append(("leave", t, ()))
            elif t not in self.L:
                self.again(t)
                if what in ("split", "replace"):
                    self.urge.add(t)
            self.doing = ()
            self.set_timer(Again(), after=self.random.uniform(0.5, 3))
        elif self.parent.get(t) == q or (t in self.parent and not self.rec_ok[t]):  # no other does: it must
            del self.parent[t]
            self.again(t)
            self.look_up()
        self.show()

    def again(self, t):
        if t in self.T and t not in self.L:
            self.wish.add(t)

    @on(ANY, Again)
    def retry(self):
        """It repeats the operation.

        always:
        """
        self.plan, self.delayed = self.plan + self.delayed, []
        self.look_up()
        self.go_on()
        self.catch_up()
        self.show()

    @on(ANY, Patience)
    def too_long(self, m):
        """An operation takes too long, perhaps because of a crash; it will try again.

        sends Done: Its place has not been confirmed in time; it regards the change as complete, and reports it.
        changes doing and changes delayed: The time limit has passed, so it gives up; it will try to leave later.
        changes doing and sets Again: The time limit has passed: a process may have crashed, so it gives up for now.
        changes doing: The next process has not confirmed its place in time; it regards the change as complete.
        changes asked: A lookup has had no answer in time; a little later it will repeat those still needed.
        otherwise: It no longer waits for this; a little later it will check whether any operation is left.
        """
        lost = [t for t, op in self.asked.items() if op == m.number]
        for t in lost:
            del self.asked[t]
        if not lost and self.doing and self.doing[0] == "leave":
            self.free(self.doing[1])
            self.delayed.append(("leave", self.doing[1], ()))
            self.doing = ()
        elif not lost and self.doing:
            if self.doing[1] in self.L:
                self.settled()
                return
            self.again(self.doing[1])
            self.doing = ()
        if lost:
            self.far = {}
        if self.door and lost:
            self.door = self.random.choice([q for q in self.everybody if q != self.me] or [self.me])
        self.set_timer(Again(), after=self.random.uniform(0.5, 3))
