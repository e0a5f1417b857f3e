"""Leaving, and links that go down."""

from lydian import on

from .member import Member
from .messages import (
    EVERYWHERE,
    INSIDE,
    JOINING,
    LEAVING,
    MEMBER,
    OUTSIDE,
    SINK,
    Hold,
    Leave,
    LinkDown,
    LinkDownOk,
    LinkKo,
    Lost,
    Retry,
)


class Leaving(Member):
    """Leaving, and links that go down."""

    @on(INSIDE, Leave)
    def leave(self, m):
        """It wants to leave, and does so as soon as it has passed on all its items.

        always:
        """
        self.going = True
        self.forming = set()
        self.look()

    def part(self):
        for q in self.among(self.deferred):
            self.send(LinkKo(), to=q)
        for q in self.among(self.N):
            self.send(LinkDown(), to=q)
        self.closing = self.closing | self.N
        self.cancel_timer(Hold())
        self.cancel_timer(Retry())
        self.N, self.out, self.deferred, self.forming, self.cv, self.cl = set(), set(), set(), set(), {}, {}
        self.state, self.going = LEAVING, False
        self.gone()

    def gone(self):
        if self.state == LEAVING and not self.closing:
            self.state = OUTSIDE

    @on(EVERYWHERE, LinkDown)
    def lose(self, m, q):
        """A neighbour took the link down.

        always:
        """
        self.send(LinkDownOk(), to=q)
        self.drop(q)

    def drop(self, q):
        waited = q in self.asked
        self.changes += q in self.N
        self.cuts += q in self.N
        for some in (self.N, self.unknown, self.asked, self.frozen, self.deferred, self.forming):
            some.discard(q)
        for table in (self.cv, self.cl, self.answers):
            table.pop(q, None)
        if self.state == JOINING and not self.forming:  # no neighbour is left to ask: it may be commanded to join again
            self.cancel_timer(Retry())
            self.state, self.answers = OUTSIDE, {}
        elif waited:
            self.settle()
        elif self.state in INSIDE:
            self.look()

    @on(EVERYWHERE, LinkDownOk)
    def closed(self, m, q):
        """A neighbour has learned that the link is down.

        always:
        """
        self.closing.discard(q)
        self.gone()

    @on((JOINING, MEMBER, SINK, LEAVING), Lost)
    def lost(self, m):
        """A neighbour is out of reach; it informs the neighbour in case a message can still arrive.

        while joining and becomes outside: It had asked this neighbour only, so it cannot join now.
        while joining and becomes: It no longer waits for this neighbour, so it enters the layer with {N:link|links}.
        while leaving and becomes outside: It waited only for this neighbour to confirm, so it is out of the layer now.
        while leaving and changes closing: One neighbour fewer: {closing:neighbour has|neighbours have} yet to confirm.
        while leaving: It has already taken down all its links, so it loses none.
        becomes leaving or outside: It waited only for this neighbour, so it can leave now, as it wanted to.
        sends LinkUp: It decides without the answer of this neighbour, and brings up at least one other link.
        sends LinkDown and becomes sink: It takes this link down, and all its others lead to it, so it is a sink.
        sends LinkDown: The neighbour is out of reach, so it takes their link down; {N:link is|links are} left.
        becomes sink: It no longer waits for this neighbour, and all its links lead to it, so it is a sink.
        changes unknown or asked or frozen: The neighbour is out of reach, so it does not wait for it any longer.
        changes forming or deferred: The neighbour is out of reach, so no link to it comes up for now.
        otherwise: It has no link to this neighbour.
        """
        some = self.among(self.N)
        self.away |= {*self.among((m.neighbour,))}
        found = m.neighbour if m.neighbour in self.neighbours else self.random.choice(some) if some else None
        if found is not None and self.state == LEAVING:
            self.closing.discard(found)
            self.gone()
        elif found is not None:
            if found in self.N:
                self.closing.add(found)
                self.send(LinkDown(), to=found)
            self.drop(found)
