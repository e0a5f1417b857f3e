"""Echo: broadcast with acknowledgements.

One process tells all the others, and learns when everybody has heard.

Whoever hears the news first from q takes q as its parent, passes the news on to all its other neighbours and waits
until each of them has acknowledged; only then it acknowledges to its parent.  A copy that arrives at a process that
already has the news is acknowledged at once.  The parents form a spanning tree whose root is the initiator.

Pseudo-code (close: if pending is empty, an initiator has finished, anybody else sends Ack to its parent)::

    sleeping, INIT:                 pending := all neighbours; send Broadcast to them; become initiating; close
    sleeping, Broadcast from q:     deliver; parent := q; pending := neighbours - {q}; send Broadcast to them;
                                    become waiting; close
    any other, Broadcast from q:    send Ack to q
    waiting or initiating,
      Ack from q in pending:        remove q from pending; close

Needs a connected network, two-way links and one initiator; links lose and duplicate nothing, their order does not
matter.  Complexity: 4m - 2n + 2 messages (2m - n + 1 of either kind), whatever the delays.
In ``echo-crossing`` a copy that arrives at a waiting process is itself the acknowledgement, and 2m messages suffice.

Reference: E. J. H. Chang, Echo algorithms: depth parallel operations on general graphs, IEEE Transactions on Software
Engineering 8 (1982); G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 6.2.3.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    no_crashes,
    on,
    one_initiator,
    reliable,
    states,
    two_way,
)

SLEEPING, WAITING, ACKED, INITIATING, FINISHED = states(
    "sleeping", "waiting", "acked", "initiating", "finished",
    reads={"sleeping": "is asleep", "acked": "has acknowledged"},
)


class Broadcast(Message):
    """The news, on their way out."""

    payload: str = "news"


class Ack(Message):
    """'All whom I told have heard', on its way back."""


class Echo(Process):
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "4*m - 2*n + 2"

    state = SLEEPING
    parent: str | None = None  # who told me first
    pending: set[str] = set()  # whose acknowledgement is still missing

    @on(SLEEPING, INIT)
    def start(self):
        """It has the news and tells every neighbour.

        always:
        """
        self.state = INITIATING
        self.spread(Broadcast(), self.neighbours)

    @on(SLEEPING, Broadcast)
    def adopt(self, m, q):
        """It hears the news for the first time: the sender becomes its parent.

        always:
        """
        self.deliver(m.payload)
        self.parent = q
        self.state = WAITING
        self.spread(m, [r for r in self.neighbours if r != q])

    @on((WAITING, ACKED, INITIATING, FINISHED), Broadcast)
    def again(self, m, q):
        """It has heard the news before and only answers.

        sends Ack: It has heard the news before and only answers.
        """
        self.send(Ack(), to=q)

    @on((WAITING, INITIATING), Ack)
    def acknowledged(self, m, q):
        """One acknowledgement less to wait for.

        changes pending: One acknowledgement less to wait for: {pending:len} still missing.
        notes: It did not wait for this acknowledgement.
        """
        if q in self.pending:
            self.pending.remove(q)
            self.close()
        else:
            self.unexpected(m, q)

    @on(ANY, Ack)
    def unexpected(self, m, q):
        """Nobody waits for this acknowledgement; it happens only when something was broken."""
        self.note(f"unexpected acknowledgement from {q}")

    def spread(self, m, to):
        self.pending = set(to)
        for r in to:
            self.send(m, to=r)
        self.close()

    def close(self):
        if not self.pending:
            if self.state == INITIATING:
                self.decide("everybody has heard")
                self.state = FINISHED
            elif self.state == WAITING:
                self.send(Ack(), to=self.parent)
                self.state = ACKED


def parent_of(c, p):
    """The parent of p; nobody if it has none, or, after a corruption, none of its neighbours."""
    return c.across(p, p.parent) if p.parent in p.neighbours else None


@always("parents form a forest")
def forest(c):
    safe = set()  # processes from which following parents comes to an end
    for p in c.processes:
        if p.parent is None and p.state in (WAITING, ACKED):
            return False  # only the initiator and those who have not heard are roots
        way = []
        while p is not None and p not in safe:
            if p in way:
                return False
            way.append(p)
            p = parent_of(c, p)
        safe.update(way)
    return True


@always("who has acknowledged has only children who have")
def bottom_up(c):
    return all(p.state == ACKED or parent_of(c, p) is None or parent_of(c, p).state != ACKED for p in c.processes)


@always("the initiator finishes last")
def last(c):
    return all(p.state != FINISHED for p in c.processes) or all(p.state in (FINISHED, ACKED) for p in c.processes)


@always("an Ack is awaited where it goes")
def awaited(c):
    return all(t.name in t.receiver.pending for t in c.in_transit if type(t.message) is Ack)


@eventually("the initiator learns that everybody has heard")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, ACKED) for p in c.processes)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
