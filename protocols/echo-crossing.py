"""Echo with crossing messages: a broadcast with feedback in which a returning copy counts as an acknowledgement.

The initiator learns when every process has received the news, with two messages on each link.

A process that first receives the news from q takes q as its parent, forwards the news to all its other neighbours and
waits until each of them has answered; only then does it acknowledge to its parent.  Two neighbours that send each
other the news need no other answer.  The parents form a spanning tree whose root is the initiator.

Pseudo-code (close: if pending is empty, the initiator has finished; any other process sends Ack to its parent)::

    sleeping, INIT:                 pending := all neighbours; send Broadcast to them; become initiating; close
    sleeping, Broadcast from q:     deliver; parent := q; pending := neighbours - {q}; send Broadcast to them;
                                    become waiting; close
    waiting or initiating,
      Broadcast or Ack from q
      in pending:                   remove q from pending; close

It needs a connected network, two-way links and one initiator; links lose and duplicate nothing, but need not be FIFO.
Complexity: 2m messages (2m - n + 1 with the news), whatever the delays.  This is the Echo algorithm of the textbooks;
in ``echo`` every copy is acknowledged.

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
    """The news that each process forwards away from the initiator."""

    payload: str = "news"


class Ack(Message):
    """The acknowledgement to the parent that the sender and every process it has informed have the news."""


class Echo(Process):
    title = "Echo with crossing messages"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "2*m"

    state = SLEEPING
    parent: str | None = None  # the neighbour that sent the first copy
    pending: set[str] = set()  # neighbours that have not yet answered

    @on(SLEEPING, INIT)
    def start(self):
        """It sends the news to each neighbour.

        always:
        """
        self.state = INITIATING
        self.spread(Broadcast(), self.neighbours)

    @on(SLEEPING, Broadcast)
    def adopt(self, m, q):
        """It learns the news, and the sender becomes its parent.

        always:
        """
        self.deliver(m.payload)
        self.parent = q
        self.state = WAITING
        self.spread(m, [r for r in self.neighbours if r != q])

    @on((WAITING, ACKED, INITIATING, FINISHED), Broadcast)
    def again(self, m, q):
        """This copy has crossed its own and counts as an answer.

        changes pending: This copy has crossed its own and counts as an answer; it waits for
            {pending:more answer|more answers}.
        notes: It was not waiting for this copy.
        """
        self.acknowledged(m, q)

    @on((WAITING, INITIATING), Ack)
    def acknowledged(self, m, q):
        """It needs one answer fewer.

        changes pending: It waits for {pending:more answer|more answers}.
        notes: It was not waiting for this acknowledgement.
        """
        if q in self.pending:
            self.pending.remove(q)
            self.close()
        else:
            self.unexpected(m, q)

    @on(ANY, Ack)
    def unexpected(self, m, q):
        """It was not waiting for this acknowledgement, which is possible only after a fault."""
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
    """Return the parent of p, or None if p has none or, after a corruption, one that is not its neighbour."""
    return c.across(p, p.parent) if p.parent in p.neighbours else None


@always("parents form a forest")
def forest(c):
    safe = set()  # processes whose chain of parents ends
    for p in c.processes:
        if p.parent is None and p.state in (WAITING, ACKED):
            return False  # only the initiator and processes without the news are roots
        way = []
        while p is not None and p not in safe:
            if p in way:
                return False
            way.append(p)
            p = parent_of(c, p)
        safe.update(way)
    return True


@always("a process acknowledges after all its children")
def bottom_up(c):
    return all(p.state == ACKED or parent_of(c, p) is None or parent_of(c, p).state != ACKED for p in c.processes)


@always("the initiator finishes last")
def last(c):
    return all(p.state != FINISHED for p in c.processes) or all(p.state in (FINISHED, ACKED) for p in c.processes)


@always("an Ack in transit is awaited by its receiver")
def awaited(c):
    return all(t.name in t.receiver.pending for t in c.in_transit if type(t.message) is Ack)


@eventually("the initiator learns that every process has the news")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, ACKED) for p in c.processes)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
