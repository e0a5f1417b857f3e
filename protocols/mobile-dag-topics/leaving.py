"""Leaving a layer, and links that go down."""

from lydian import on

from .member import Member
from .messages import ASLEEP, AWAKE, LinkDown, LinkDownOk, Retry, Unsubscribe


class Leaving(Member):
    """Leaving a layer, and links that go down."""

    @on(ASLEEP, Unsubscribe)
    def begin_and_unsubscribe(self, m):
        """It wakes, and wants to leave the layer.

        always:
        """
        self.begin()
        self.unsubscribe(m)

    @on(AWAKE, Unsubscribe)
    def unsubscribe(self, m):
        """It wants to leave the layer, and does so once it has passed on all its items there.

        sends LinkDown: It has no items to pass on in this layer, so it leaves at once, and takes down its links there.
        changes topics_of: It has no items to pass on and no links in this layer, so it leaves at once.
        changes going: It wants to leave the layer, but must first pass on items, end its turn, or wait for others.
        otherwise: It is not in this layer, or already wants to leave it.
        """
        t = m.topic
        if t in self.topics_of | self.joining:
            self.going.add(t)
            self.look(t)

    def part(self, t):
        for q in self.N[t]:
            self.send(LinkDown(t), to=q)
            self.forget(t, q)
        self.closing[t] = set(self.N[t])
        if self.N[t]:
            self.leaving.add(t)
        self.changes[t] += len(self.N[t])
        self.cancel_timer(Retry(t))
        self.N[t], self.forming[t] = [], set()
        self.topics_of.discard(t)
        self.stayed.discard(t)
        self.going.discard(t)

    def forget(self, t, q):
        del self.cv[t, q], self.cl[t, q]
        self.old.pop((t, q), None)

    @on(AWAKE, LinkDown)
    def lose(self, m, q):
        """A neighbour left the layer.

        sets Hold: Process {peer} has taken their link down; all its others in this layer lead to it, so it is
            privileged.
        changes holding: Process {peer} has taken their link down, so it is no longer privileged in this layer.
        changes N: Process {peer} has taken their link in this layer down.
        otherwise: It had no link to {peer} in this layer, and confirms that there is none.
        """
        t = m.topic
        self.send(LinkDownOk(t), to=q)
        self.forming[t].discard(q)
        if q in self.N[t]:
            self.N[t].remove(q)
            self.forget(t, q)
            self.changes[t] += 1
        self.look(t)

    @on(AWAKE, LinkDownOk)
    def closed(self, m, q):
        """A neighbour has learned that the link is down; after the last confirmation it is out of the layer.

        sends LinkReq: All its old links in this layer are confirmed down, so it requests new ones, to join again.
        changes leaving: Process {peer} was the last to confirm: all its old links in this layer are confirmed down.
        changes closing: Process {peer} knows that their link is down; others have yet to confirm.
        otherwise: It was not waiting for this confirmation.
        """
        t = m.topic
        self.closing[t].discard(q)
        if t in self.leaving and not self.closing[t]:
            self.leaving.discard(t)
            if t in self.joining:
                self.ask_neighbours(t)
        self.look(t)
