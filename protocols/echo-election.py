"""Election by Echo: the strongest wave extinguishes all others, and its initiator becomes the leader.

On any connected network, the initiators elect one of themselves, and every process learns the leader's identifier.

Each initiator launches an Echo wave with its identifier.  A wave dies where it meets a higher one, since no process
acknowledges an identifier lower than the highest it has received.  So only the highest wave is acknowledged
completely, and its initiator is the leader.

Pseudo-code (join(id, q): best := id; parent := q; pending := neighbours - {q}; send Broadcast(id) to them; close.
close: if pending is empty, then if best = me become leader and send Leader(me) to all neighbours, else send Ack(best)
to parent)::

    best = none, INIT:                     best := me; parent := me; pending := neighbours;
                                           send Broadcast(me) to them; close
    best set, INIT:                        ignore: it has been captured and is not a candidate
    best = none or id > best, Broadcast(id) from q:   join(id, q), the old wave is abandoned
    id = best, Broadcast(id) from q:       send Ack(id) to q
    id < best, Broadcast(id):              drop it: never acknowledge
    id = best, Ack(id) from q in pending:  remove q from pending; close
    any other Ack:                         drop it
    leader = none, Leader(id) from q:      leader := id; send Leader(id) to neighbours - {q}
    leader set, Leader:                    ignore

It needs a connected network, two-way links and distinct identifiers, which are the names in their natural order.  Any
processes may start at any time; a process that a wave has reached before it starts does not compete.  Links lose
nothing, but need not be FIFO.
Complexity: with k initiators, between 4m - 2n + 2 and k(4m - 2n + 2) messages in waves, and always 2m - n + 1 Leader
messages; with one initiator 6m - 3n + 3 in all.

Reference: G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 7.3.1 (extinction); E. J. H. Chang,
Echo algorithms, IEEE Transactions on Software Engineering 8 (1982).
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
    parameter,
    reliable,
    some_initiator,
    states,
    two_way,
)

SLEEPING, CANDIDATE, CAPTURED, ACKED, LEADER, INFORMED = states(
    "sleeping", "candidate", "captured", "acked", "leader", "informed",
    reads={
        "sleeping": "is asleep",
        "candidate": "is a candidate",
        "captured": "belongs to a wave",
        "acked": "has acknowledged",
        "leader": "is the leader",
        "informed": "knows the leader",
    },
)


class Broadcast(Message):
    """The wave of the candidate ``id``, which each process forwards."""

    id: str


class Ack(Message):
    """The acknowledgement that the wave of ``id`` has covered the sender's subtree."""

    id: str


class Leader(Message):
    """The announcement of the leader's identifier."""

    id: str


class EchoElection(Process):
    title = "Election by Echo"
    needs = connected, two_way, named, some_initiator, reliable, no_crashes
    messages = "<= n*(4*m - 2*n + 2) + 2*m - n + 1"

    state = SLEEPING
    best: str | None = None  # the candidate to whose wave this process belongs
    parent: str | None = None  # the neighbour that brought the wave
    pending: set[str] = set()  # neighbours that have not yet acknowledged it
    leader: str | None = None

    winner = parameter("highest", choices=("highest", "lowest"), help="which identifier wins")

    @on(SLEEPING, INIT)
    def start(self):
        """It launches its own wave.

        always:
        """
        self.state = CANDIDATE
        self.spread(self.me, self.me)

    @on(ANY, INIT)
    def too_late(self):
        """A wave has captured it already, so it is not a candidate."""

    @on(SLEEPING, Broadcast)
    def join(self, m, q):
        """It joins the wave and takes the sender as its parent.

        always:
        """
        self.state = CAPTURED
        self.spread(m.id, q)

    @on(ANY, Broadcast)
    def compare(self, m, q):
        """It joins a stronger wave, acknowledges its own, and stops a weaker one.

        changes best: This wave is stronger than any before: it captures the process, and {peer} becomes its
            parent.
        notes: This wave is weaker than the one to which it belongs, and dies here.
        sends Ack: It already belongs to this wave and acknowledges at once.
        """
        if self.best is None or self.beats(m.id, self.best):
            self.join(m, q)
        elif m.id == self.best:
            self.send(Ack(m.id), to=q)
        else:
            self.note(f"the wave of {m.id} dies here")

    @on((CANDIDATE, CAPTURED), Ack)
    def acknowledged(self, m, q):
        """It needs one acknowledgement fewer, if this one is for its current wave.

        changes pending: It waits for {pending:more acknowledgement|more acknowledgements} in the wave of {best}.
        otherwise: This acknowledgement is for a wave that it has left.
        """
        if m.id == self.best and q in self.pending:
            self.pending.remove(q)
            self.close()

    @on((SLEEPING, ACKED, LEADER, INFORMED), Ack)
    def drop(self, m, q):
        """It ignores an acknowledgement for a wave that it has left."""

    @on((SLEEPING, CANDIDATE, CAPTURED, ACKED), Leader)
    def hear(self, m, q):
        """It learns which process is the leader and forwards the announcement.

        sends Leader: It learns which process is the leader and forwards the announcement.
        otherwise: It learns which process is the leader.
        """
        self.leader = m.id
        self.state = INFORMED
        self.decide(m.id)
        for r in self.neighbours:
            if r != q:
                self.send(m, to=r)

    @on((LEADER, INFORMED), Leader)
    def ignore(self, m, q):
        """It already knows the leader."""

    def spread(self, id, parent):
        self.best = id
        self.parent = parent
        self.pending = {r for r in self.neighbours if r != parent}
        for r in sorted(self.pending, key=natural):
            self.send(Broadcast(id), to=r)
        self.close()

    def close(self):
        if not self.pending:
            if self.best == self.me:
                self.state = LEADER
                self.leader = self.me
                self.decide(self.me)
                for r in self.neighbours:
                    self.send(Leader(self.me), to=r)
            else:
                self.state = ACKED
                self.send(Ack(self.best), to=self.parent)

    def beats(self, a, b):
        return natural(a) > natural(b) if self.winner == "highest" else natural(a) < natural(b)


@always("at most one process has claimed to be the leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("no process belongs to a stronger wave than its parent")
def ordered(c):
    joined = [p for p in c.processes if p.parent in p.neighbours]
    return not any(p.best and p.beats(p.best, c.across(p, p.parent).best or p.best) for p in joined)


@always("the wave of a leader contains every process")
def covered(c):
    return all(q.best == p.me for p in c.processes if p.state == LEADER for q in c.processes)


@eventually("all processes know the same leader, which was a candidate")
def elected(c):
    leaders = [p.me for p in c.processes if p.state == LEADER]
    return len(leaders) == 1 and all(p.leader == leaders[0] for p in c.processes)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
