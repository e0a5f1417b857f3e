"""The beginning: the processes that are in the layer at first."""

from lydian import INIT, on

from .member import Member
from .messages import MEMBER, OUTSIDE, LinkDown, LinkUp, Publish


class Beginning(Member):
    """The beginning."""

    @on(OUTSIDE, INIT)
    def begin(self):
        """It is in the layer from the beginning, with the value 0, and informs its neighbours.

        delivers and sends LinkUp: It enters the layer with the val 0, informs its neighbours, and publishes an item.
        sends LinkUp: It enters the layer with the val 0, and informs its neighbours.
        otherwise: It enters the layer with the val 0; it has no neighbour in reach.
        """
        number = int(self.me) if self.me.isdigit() else int.from_bytes(self.me.encode(), "big")
        if self.lids == "random":
            number += 1000 * self.random.randrange(10)
        elif self.lids == "alternating":
            number += 1000 * (number % 2)
        self.enter(0, number)
        self.unknown = set(self.neighbours) - self.away
        for q in self.among(self.unknown):
            self.send(LinkUp(self.val, self.lid), to=q)
        if self.initiator:
            self.publish(Publish("hello"))

    def enter(self, val, lid):
        self.state, self.val, self.lid, self.since = MEMBER, val, lid, self.clock

    @on(OUTSIDE, LinkUp)
    def wake(self, m, q):
        """It hears of the layer for the first time; it enters the layer, or replies that it does not belong to it.

        becomes and sends LinkDown: It enters the layer, but {peer} is out of reach, so it takes this link down.
        becomes: It hears of the layer and enters it; it now has a link to {peer}, and informs its neighbours.
        otherwise: It does not belong to the layer, or has left it, so it takes the link to {peer} down.
        """
        if self.members == "all" and self.since < 0:
            self.begin()
            self.gain(m, q)
        else:
            self.send(LinkDown(), to=q)
