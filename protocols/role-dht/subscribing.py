"""Coming into a topic: as a forwarder, or as the child of one."""

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
    """Subscribing: look up all, then decide."""

    @on(ANY, INIT)
    def invite(self):
        """It invites everybody.

        always:
        """
        self.host = self.me
        for q in self.everybody:
            self.tell(q, Invite())

    @on(ANY, Invite)
    def start(self, m, q):
        """It comes some time later.

        sets Heartbeat: {peer} invites it, so it will come at a random time; it will also look after circle and views.
        always: {peer} invites it, so it will come at a random time.
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
        """It comes, chooses its topics, and subscribes.

        while child or forwarder: It comes, chooses its topics, and subscribes.
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
        changes T and changes lookups: It wants the topic; of the roles that it knows one of its own is the closest.
        changes T and changes early: It wants the topic, but knows no process yet that it could ask for the way.
        changes T and changes asked: It wants the topic, and begins to look for its place.
        changes T: It wants the topic again, and still forwards it or has an operation there under way.
        otherwise: It wants this topic already.
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
        """Who is closest to it in each topic where it has no place?"""
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
                    break  # it knows nobody; one answer will show it somebody

    @on(ANY, Found)
    def answer(self, m, q):
        """A lookup has found the closest forwarder; with the last answer it decides.

        while forwarder and says owner=none and changes asked: It is on a circle by now, so it need not begin one.
        says owner=none and becomes forwarder: {peer} knows no circle, so it begins one as the topic's first forwarder.
        says owner=none and changes asked: It begins a circle, but does not want the topic any more and ends it at once.
        sends Split(first=yes): This was the last answer; a topic has no forwarder, so it asks to be the first there.
        sends Split: This was the last answer; it asks for a place on the circle, to forward a topic itself.
        sends Join: This was the last answer; it asks the closest forwarder of a topic to take it as a child.
        changes doing or plan: This was the last answer: it knows where it has to forward, and where to be a child.
        changes found: {peer} has answered; {asked:lookup is|lookups are} still open, and the last answer decides.
        changes asked: It has its place there by now, or does not want the topic any more, so the answer is not needed.
        otherwise: It does not wait for this answer any more.
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
            if t not in self.T:  # it has lost interest meanwhile, but others rely on it
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
        """Where to be a forwarder, and where a child."""
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
        """The next operation of its own, one after the other."""
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
        """It is not so any more; it looks up again a little later.

        changes aborts and changes delayed: {peer} says no, so it goes on forwarding, and tries to leave again later.
        changes aborts and changes wish: {peer} refuses what it asked for, so it looks up again a little later.
        changes aborts: {peer} refuses what it asked for, so it gives that up for now.
        changes parent: It cannot rely on its parent there any more, so it looks for its place in the topic again.
        otherwise: It has nothing under way to which this belongs, so it goes on as before.
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
        elif self.parent.get(t) == q or (t in self.parent and not self.rec_ok[t]):  # nobody forwards it: it must
            del self.parent[t]
            self.again(t)
            self.look_up()
        self.show()

    def again(self, t):
        if t in self.T and t not in self.L:
            self.wish.add(t)

    @on(ANY, Again)
    def retry(self):
        """It tries again.

        always:
        """
        self.plan, self.delayed = self.plan + self.delayed, []
        self.look_up()
        self.go_on()
        self.catch_up()
        self.show()

    @on(ANY, Patience)
    def too_long(self, m):
        """It takes too long, so somebody may have crashed; it tries again.

        sends Done: The next on the circle has not confirmed its place in time; it regards that as done, and says so.
        changes doing and changes delayed: Its patience is at an end, so it gives up; it tries to leave a little later.
        changes doing and sets Again: Its patience is at an end: a process may have crashed, so it gives up for now.
        changes doing: The next on the circle has not confirmed its place in time; it regards that as done.
        changes asked: A lookup has had no answer in time; a little later it asks again where it still has no place.
        otherwise: It does not wait for this any more; a little later it looks whether there is something to do.
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
