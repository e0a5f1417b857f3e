"""The lower layer: PrCast, balls-and-bins gossip."""

from lydian import ANY, INIT, on

from .member import Member, name
from .messages import Gossip, Round, Sent, Work


class PrCast(Member):
    """The lower layer: PrCast, balls-and-bins gossip."""

    @on(ANY, (INIT, Work))
    def work(self):
        """It begins its rounds, in which updaters create events.

        always:
        """
        self.left = self.rounds
        self.show()
        self.wind(0.0)

    def wind(self, after=None):
        """Begin the next round at the next full step of the clock, unless ``after`` says otherwise."""
        if not self.running:
            self.running = True
            self.set_timer(Round(), after=self.step - self.clock % self.step if after is None else after)

    def prcast(self, e, hops):
        """Schedule an event for the next round; among several copies the one with the fewest hops counts."""
        id = name(e[0], e[1][e[0]])
        if hops < self.hops and (id not in self.pool or hops < self.pool[id][1]):
            self.pool[id] = e, hops
            self.wind()

    @on(ANY, Gossip)
    def hear(self, m, q):
        """Events arrive; it passes new ones to the upper layer and will forward those with hops left."""
        for e, hops in m.events:
            self.prcast(e, hops)
            self.bring(e)
        self.show()

    def bring(self, e):
        """Pass an event that PrCast brought to the upper layer, unless it is in the history."""
        id = name(e[0], e[1][e[0]])
        if id not in self.history:
            self.history[id] = True
            if self.remember and len(self.history) > self.remember:
                del self.history[next(iter(self.history))]
            self.again += id in self.heard
            self.receive(e)

    @on(ANY, Round)
    def send_on(self):
        """It may create events, and sends those of the last round to random members.

        delivers and sends Gossip: It changes an object, and sends the event with those of the last round.
        delivers and sets Sent: It changes an object, and begins to send the event with those of the last round.
        delivers: It changes an object, but has no other member to inform.
        sends Gossip: It sends the events of the last round to random members.
        sets Sent: It begins to send the events of the last round.
        sets Round: It has no event to forward, so it waits for the next round.
        otherwise: It has no event to forward, so its rounds are over for now.
        """
        if self.left > 0:
            self.left -= 1
            chance = self.events / self.entries() if self.own() is not None else 0.0
            for _ in range(int(chance) + (self.random.random() < chance % 1)):
                self.create()
        first = sorted(self.pool.values(), key=lambda copy: copy[1])[: self.most]
        self.out, self.pool = tuple((e, hops + 1) for e, hops in first), {}
        bits = Gossip(self.out).bits if self.rate and self.out else 0
        busy = self.fanout * bits / self.rate if bits else 0.0
        self.length = self.step + busy
        self.size += bits
        self.parcels += bits > 0
        if self.left:
            self.worked = self.clock + self.length
        if busy:
            self.set_timer(Sent(), after=busy)
        else:
            self.spread()

    @on(ANY, Sent)
    def spread(self):
        """It sends the message of this round to random members.

        sends Gossip: The time of sending is over, and the messages of this round go to random members.
        otherwise: It has no message to send, or no other member to send it to.
        """
        if self.out:
            m = Gossip(self.out)
            for _ in range(self.fanout if len(self.everybody) > 1 else 0):
                self.send(m, to=self.member())
        self.running = False
        if self.left or self.out or self.pool:
            self.wind(self.step)
        self.out = ()
        for id in [id for id, (_, until) in self.sent.items() if until < self.clock]:
            del self.sent[id]
        self.show()

    def member(self):
        """Return a random other member of the group."""
        q = self.everybody[self.random.randrange(len(self.everybody) - 1)]
        return q if q != self.me else self.everybody[-1]
