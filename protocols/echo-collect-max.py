"""Election by Echo, collecting the maximum: one wave finds the highest identifier, and a flood announces it.

On any connected network, one initiator finds the process with the highest identifier, which becomes the leader.

This is Echo with acknowledgements that carry the highest identifier of the sender's subtree.  When the initiator has
all acknowledgements, it knows the highest identifier of all and floods it.  Several initiators would need Election by
Echo with extinction (echo-election).

Pseudo-code (close: if pending is empty, the initiator sends Leader(best) to all neighbours; any other process sends
Ack(best) to its parent)::

    sleeping, INIT:                best := me; pending := neighbours; send Broadcast to them; become initiating; close
    sleeping, Broadcast from q:    best := me; parent := q; pending := neighbours - {q}; send Broadcast to them;
                                   become waiting; close
    any other, Broadcast from q:   send Ack(none) to q
    Ack(id) from q in pending:     best := max(best, id); remove q from pending; close
    leader = none, Leader(id) from q:   leader := id; send Leader(id) to neighbours - {q}
    leader set, Leader:            ignore

It needs a connected network, two-way links, one initiator and distinct identifiers, which are the names in their
natural order; links lose nothing, but need not be FIFO.
Complexity: 6m - 3n + 3 messages: 2m - n + 1 of each kind, whatever the delays.

Reference: G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 6.1.5 (waves compute infima) and
section 6.2.3; E. J. H. Chang, Echo algorithms, IEEE Transactions on Software Engineering 8 (1982).
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
    named,
    natural,
    no_crashes,
    on,
    one_initiator,
    reliable,
    states,
    two_way,
)

SLEEPING, INITIATING, WAITING, ACKED, LEADER, INFORMED = states(
    "sleeping", "initiating", "waiting", "acked", "leader", "informed",
    reads={
        "sleeping": "is asleep",
        "initiating": "is the initiator",
        "acked": "has answered",
        "leader": "is the leader",
        "informed": "knows the leader",
    },
)


class Broadcast(Message):
    """The request for identifiers, which each process forwards away from the initiator."""


class Ack(Message):
    """The highest identifier in the sender's subtree; none if another neighbour had asked the sender before."""

    id: str | None


class Leader(Message):
    """The announcement of the leader's identifier."""

    id: str


class EchoCollectMax(Process):
    title = "Election by Echo, collecting the maximum"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes
    messages = "6*m - 3*n + 3"

    state = SLEEPING
    best: str | None = None  # the highest identifier known so far in its own subtree
    parent: str | None = None  # the neighbour that asked first
    pending: set[str] = set()  # neighbours that have not yet acknowledged
    leader: str | None = None

    @on(SLEEPING, INIT)
    def start(self):
        """It asks each neighbour.

        always:
        """
        self.state = INITIATING
        self.spread()

    @on(SLEEPING, Broadcast)
    def adopt(self, m, q):
        """It is asked for the first time, and the sender becomes its parent.

        always:
        """
        self.parent = q
        self.state = WAITING
        self.spread()

    @on(ANY, Broadcast)
    def again(self, m, q):
        """It has been asked before and acknowledges without an identifier."""
        self.send(Ack(None), to=q)

    @on((INITIATING, WAITING), Ack)
    def collect(self, m, q):
        """It keeps the higher identifier and needs one acknowledgement fewer.

        always: The highest identifier it knows is {best}; {pending:answer is|answers are} missing.
        """
        if q in self.pending:
            if m.id is not None:
                self.best = max(self.best, m.id, key=natural)
            self.pending.remove(q)
            self.close()

    @on((SLEEPING, ACKED, LEADER, INFORMED), Ack)
    def unexpected(self, m, q):
        """It was not waiting for this acknowledgement, which is possible only after a fault."""
        self.note(f"unexpected acknowledgement from {q}")

    @on((SLEEPING, INITIATING, WAITING, ACKED), Leader)
    def hear(self, m, q):
        """It learns which process is the leader and forwards the announcement.

        becomes leader: It learns that it is the leader.
        sends Leader: It learns which process is the leader and forwards the announcement.
        otherwise: It learns which process is the leader.
        """
        self.learn(m.id, [r for r in self.neighbours if r != q])

    @on((LEADER, INFORMED), Leader)
    def ignore(self, m, q):
        """It already knows the leader."""

    def spread(self):
        self.best = self.me
        self.pending = {r for r in self.neighbours if r != self.parent}
        for r in sorted(self.pending, key=natural):
            self.send(Broadcast(), to=r)
        self.close()

    def close(self):
        if not self.pending:
            if self.state == INITIATING:
                self.learn(self.best, self.neighbours)
            else:
                self.state = ACKED
                self.send(Ack(self.best), to=self.parent)

    def learn(self, id, others):
        self.leader = id
        self.state = LEADER if id == self.me else INFORMED
        self.decide(id)
        for r in others:
            self.send(Leader(id), to=r)


@always("any known leader is the highest process")
def right(c):
    highest = max((p.me for p in c.processes), key=natural)
    return all(p.leader in (None, highest) for p in c.processes)


@eventually("every process knows the leader")
def elected(c):
    return all(p.leader is not None for p in c.processes) and sum(p.state == LEADER for p in c.processes) == 1


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
