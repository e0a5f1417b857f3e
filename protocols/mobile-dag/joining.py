"""Joining, and links that come up."""

from lydian import on

from .member import Member
from .messages import (
    INSIDE,
    JOINING,
    LEAVING,
    MEMBER,
    OUTSIDE,
    SINK,
    Join,
    LinkDown,
    LinkFree,
    LinkKo,
    LinkOk,
    LinkReq,
    LinkUp,
    Lost,
    Meet,
    Retry,
)
from .properties import difference


class Joining(Member):
    """Joining, and links that come up."""

    @on(OUTSIDE, Join)
    def join(self, m):
        """It wants to join the layer, and asks its points for links.

        sends LinkReq: It wants to join the layer, so it asks {forming:neighbour|neighbours} for a link.
        otherwise: It wants to join the layer, but no neighbour is in reach.
        """
        self.forming = set(self.among(m.points)) or set(self.neighbours) - self.away
        if self.forming:
            self.state = JOINING
            self.ask()

    def ask(self):
        self.answers = {}
        self.asked = self.forming | (self.N if self.mode == "safe" else set())
        for q in self.among(self.asked):
            self.send(LinkReq(), to=q)

    @on(MEMBER, LinkReq)
    def agree(self, m, q):
        """Another process requests a link: it replies with its val, and keeps it until the link is settled.

        sends LinkOk: It agrees, and keeps its val until {peer} has decided whether the link comes up.
        sends LinkKo: It refuses: it wants to leave, is still taking down a link to {peer}, or requests links itself.
        """
        if self.going or q in self.closing or (self.asked and not self.N):
            self.send(LinkKo(), to=q)
            return
        self.frozen.add(q)
        self.send(LinkOk(self.val, self.lid, tuple(self.among(self.N))), to=q)
        self.look()

    @on(SINK, LinkReq)
    def defer(self, m, q):
        """It is privileged at present, so it will answer after its turn."""
        self.deferred.add(q)

    def answer_deferred(self):
        for q in self.among(self.deferred):
            self.agree(LinkReq(), q)
        self.deferred = set()

    @on((OUTSIDE, JOINING, LEAVING), LinkReq)
    def refuse(self, m, q):
        """It is not a member, so it refuses the link."""
        self.send(LinkKo(), to=q)

    @on((JOINING, MEMBER), LinkOk)
    def accepted(self, m, q):
        """A neighbour agrees and waits; after the last answer it decides which links come up.

        changes asked and sends nothing: Process {peer} agrees and waits; {asked:answer is|answers are} still missing.
        changes asked and while joining: With the last answer it chooses its val, {val}, and enters with {N:link|links}.
        becomes leaving or outside: It waited only for this answer, so it can leave now, as it wanted to.
        changes asked and sends LinkUp: With the last answer it gains at least one link: {N:link|links} in all.
        changes asked and sets Retry: With the last answer no new link can come up, so it will ask again later.
        changes asked: That was the last answer, and no new link comes up.
        otherwise: It was not waiting for this answer, so it informs {peer} that no link comes up.
        """
        if q not in self.asked:
            self.send(LinkFree(), to=q)
            return
        self.asked.discard(q)
        self.answers[q] = (m.val, m.lid, m.near)
        self.settle()

    @on((JOINING, MEMBER), LinkKo)
    def refused(self, m, q):
        """A neighbour refuses a link for now; after the last answer it decides which links come up.

        always:
        """
        self.asked.discard(q)
        self.settle()

    def settle(self):
        if self.asked:
            return
        free = self.state == JOINING or not (self.N or self.frozen)  # whether it can choose its val
        yes = self.forming & set(self.answers)
        via = [x for x in self.among(self.N) if x in self.answers]
        if yes:
            self.forming = yes
            if free:
                via = self.choose()
                self.enter(self.val, self.lid)
        up = [q for q in self.among(yes) if self.fits(q, via)]
        for q in self.among(self.answers):
            if q in up:
                self.send(LinkUp(self.val, self.lid), to=q)
                self.tie(q, *self.answers[q][:2])
            else:
                self.send(LinkFree(), to=q)
        self.answers = {}
        self.later()
        self.look()

    def choose(self):
        """Return val and lid of a newcomer, and the point that makes its other links safe."""
        points = self.among(self.forming)
        values = {self.answers[q][0] for q in points}
        lids = {self.answers[q][1] for q in points}
        between = [lid for lid in range(min(lids) + 1, max(lids)) if lid not in lids]
        three = self.mode == "paper" and len(values) == 3
        self.lid = between[0] if between and not three else max(lids) + 1
        if self.mode == "heights":
            self.val = max(values) + 1
        elif self.mode == "safe":
            best = points[0]
            for x in points:
                self.val = (self.answers[x][0] + 1) % self.counters
                if sum(self.fits(q, [x]) for q in points) > sum(self.fits(q, [best]) for q in points):
                    best = x
            self.val = (self.answers[best][0] + 1) % self.counters
            return [best]
        elif len(values) == 1:
            self.val = (min(values) + 1) % self.counters
        else:
            self.val = min(values) if len(values) == 2 else 0
        return []

    def fits(self, q, via):
        """Return whether the link to q may come up; in safe mode a common neighbour must show that it is safe."""
        val, lid, near = self.answers[q]
        if lid == self.lid:
            return False
        if self.mode != "safe":
            return True
        d = {x: difference(self.val, self.answers[x][0]) + difference(self.answers[x][0], val) for x in via}
        return q in via or any(x in near and abs(d[x]) <= 1 for x in via)

    def tie(self, q, val, lid):
        self.N.add(q)
        self.cv[q], self.cl[q] = val, lid
        self.forming.discard(q)
        self.changes += 1

    def later(self):
        if self.forming and not (self.duty and self.turns >= self.duty):
            self.set_timer(Retry(), after=self.retry * (0.5 + self.random.random()))

    @on((JOINING, MEMBER), Retry)
    def again(self):
        """It repeats its requests for the links that are still forming.

        sends LinkReq: It lacks {forming:link, so it asks for it|links, so it asks for them}.
        sets Retry: It still waits for other processes, so it will ask later.
        otherwise: No link is forming, or it is off duty, so it sends no request.
        """
        if self.forming and not self.asked and not self.unknown:
            self.ask()
            self.look()
        else:
            self.later()

    @on(SINK, Retry)
    def not_now(self):
        """It is privileged at present, and will ask later.

        always:
        """
        self.later()

    @on(INSIDE, LinkUp)
    def gain(self, m, q):
        """A link is up.

        becomes leaving: It waited only for {peer}, so it can leave now, as it wanted to.
        changes unknown and becomes sink: It knows its neighbours now, and all its links lead to it, so it is a sink.
        changes unknown: Process {peer} is a member too: there is a link; {unknown:neighbour is|neighbours are} still
            unknown.
        sends LinkDown: It has not agreed to this link, or no longer agrees, so it takes the link down.
        becomes sink: The link to {peer} is up, and all its links lead to it, so it is a sink.
        changes frozen: The link to {peer} is up, as it agreed.
        """
        if q in self.unknown:
            self.unknown.discard(q)
            self.tie(q, self.cv.get(q, m.val), m.lid)
            self.changes -= 1
        elif q not in self.frozen:
            self.send(LinkDown(), to=q)
        else:
            self.frozen.discard(q)
            if q not in self.N:
                self.tie(q, m.val, m.lid)
        self.look()

    @on(INSIDE, LinkFree)
    def thaw(self, m, q):
        """The link to this neighbour does not come up for now, so val need not be kept for it.

        always:
        """
        self.frozen.discard(q)
        self.look()

    @on((MEMBER, SINK), Meet)
    def meet(self, m):
        """A neighbour came into reach; it will request a link.

        sets Retry: A neighbour to which it has no link is in reach, so it will request one.
        says neighbour=none: There is no other neighbour to ask for a link.
        otherwise: It has a link to this neighbour already, or there is none to ask.
        """
        if m.neighbour in self.neighbours:
            found = m.neighbour
            self.closing.discard(found)
            self.away.discard(found)
        else:
            others = [q for q in self.neighbours if q not in self.N | self.closing | self.forming | self.unknown]
            found = self.random.choice(others) if others else None
        if found is not None and found not in self.N:
            self.forming.add(found)
            self.set_timer(Retry(), after=0.0)

    @on((OUTSIDE, JOINING, LEAVING), Meet)
    def in_reach(self, m):
        """A neighbour came into reach; it will be asked when this process joins again."""
        self.away.discard(m.neighbour)

    @on(OUTSIDE, Lost)
    def out_of_reach(self, m):
        """A neighbour is out of reach; it will not be asked when this process joins."""
        self.away |= {*self.among((m.neighbour,))}
