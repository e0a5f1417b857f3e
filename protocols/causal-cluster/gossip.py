"""PrCast: items reach all processes by gossip."""

from lydian import ANY, on

from .member import Member, name
from .messages import Gossip, Step


class PrCast(Member):
    """PrCast: balls-and-bins gossip."""

    def prcast(self, item, hops=0):
        """Schedule an item for the next step; among several copies the one with the fewest hops counts."""
        id = self.identity(item)
        if hops < self.hops and (id not in self.pool or hops < self.pool[id][1]):
            self.pool[id] = item, hops
        if hops == 0:
            self.history.add(id)
        if self.pool and not self.running:
            self.running = True
            self.set_timer(Step(), after=self.step - self.clock % self.step)

    def identity(self, item):
        return name(item[0], item[1][item[0]]) if isinstance(item[0], int) else " ".join(map(str, item))

    @on(ANY, Step)
    def send_on(self):
        """A step of PrCast: the items of the last step go to random members.

        sends: A step of PrCast: it sends the items received in the last step to random members.
        """
        self.running = False
        m, self.pool = Gossip(tuple((item, hops + 1) for item, hops in self.pool.values())), {}
        for _ in range(self.fanout if len(self.everybody) > 1 else 0):
            q = self.everybody[self.random.randrange(len(self.everybody) - 1)]
            self.send(m, to=q if q != self.me else self.everybody[-1])
        self.sent = {id: kept for id, kept in self.sent.items() if kept[1] >= self.clock}

    @on(ANY, Gossip)
    def hear(self, m, q):
        """Items arrive; it handles the new ones and will forward those with hops left.

        always:
        """
        for item, hops in m.items:
            id = self.identity(item)
            self.prcast(item, hops)
            if id not in self.history:
                self.history.add(id)
                if isinstance(item[0], int):
                    self.receive(item)
                else:
                    self.learn(*item)
