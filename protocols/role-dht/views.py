"""Views for gossip, and lookups that end at random places."""

from lydian import ANY, on

from .member import Member
from .messages import MyAddress, Request, ViewRefresh
from .places import M


class Views(Member):
    """Views."""

    def fill_view(self, t):
        full, member = self.variant == "FullGossip", t in self.L or t in self.parent
        if member and (full or (self.variant == "ForwardGossip" and t in self.L)):
            for _ in range(self.l - len(self.V.get(t, ()))):
                self.request(t)

    def request(self, t):
        x = self.location(t)
        self.pass_on(Request(self.me, (x[0], t, self.random.randrange(M), ""), t))

    @on(ANY, ViewRefresh)
    def refresh(self):
        """It occasionally requests new addresses.

        sends Request: It gossips, so it requests new addresses at random points of its topics.
        changes lookups or inbox: It gossips and wants new addresses, but is itself closest to the random points.
        otherwise: It requests no address this time: it does not gossip, or the random choice is against it.
        """
        if self.clock + self.repair <= self.upkeep:
            self.set_timer(ViewRefresh(), after=self.repair)
        for t in sorted(self.T):
            member = t in self.L or (self.variant == "FullGossip" and t in self.parent)
            if "Gossip" in self.variant and member and self.random.random() < self.f:
                for _ in range(self.fan_out):
                    self.request(t)

    @on(ANY, MyAddress)
    def address(self, m, q):
        """It receives an address for its view; if the view is full, it drops the oldest.

        changes V: It appends the address to its view of the topic; if there are too many, it drops the oldest.
        otherwise: The address is its own or the latest in its view, or it no longer wants the topic.
        """
        if m.topic in self.T and m.who != self.me:
            old = [each for each in self.V.get(m.topic, []) if each != m.who]
            self.V[m.topic] = [*old, m.who][-self.l :]
        self.show()
