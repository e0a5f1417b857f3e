"""Hirschberg-Sinclair: the highest candidate of a ring becomes the leader, in phases of doubled distance.

The processes of a two-way ring elect the one with the highest identifier among those that compete.

In phase k a candidate sends its identifier to all processes within distance 2^k in both directions.  A higher
candidate on the way stops it; at distance 2^k it turns back.  A candidate that receives both replies is the highest of
its neighbourhood and enters the next phase; one whose own identifier has gone round the ring is the leader.  Any two
candidates that enter phase k + 1 are more than 2^k apart, so the further the probes travel, the fewer there are.

Pseudo-code (Attiya and Welch, algorithm 5; other(q): the neighbour that is not q)::

    sleeping, INIT:           send Probe(me, 0, 1) to both neighbours; become candidate
    sleeping, Probe from q:   become passive; as passive
    passive, Probe(id, k, d) from q:     if d < 2^k send Probe(id, k, d + 1) to other(q), else Reply(id, k) to q
    candidate or lost, Probe(id, k, d) from q:
                              if id > me become lost and as passive; if id < me drop it
    candidate, Probe(me):     become leader
    Reply(id, k), id /= me, from q:      send Reply(id, k) to other(q)
    candidate, Reply(me, k):  if it is the second one of phase k send Probe(me, k + 1, 1) to both neighbours

It needs a two-way ring and distinct identifiers, which are the names in their natural order, but no sense of left and
right; order and delays do not matter; any processes may start.  (In Attiya and Welch a sleeping process starts when a
probe reaches it; here it becomes passive.)
Complexity: at most 8n(1 + ceil(log2 n)) messages, since at most n/(2^(k-1) + 1) candidates enter phase k and each
sends at most 4 * 2^k there.

Reference: D. S. Hirschberg and J. B. Sinclair, Decentralized extrema-finding in circular configurations of
processors, Communications of the ACM 23 (1980); H. Attiya and J. Welch, Distributed Computing, 2nd edition, section
3.3.2, algorithm 5; N. Lynch, Distributed Algorithms, section 3.4.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    reliable,
    ring,
    some_initiator,
    states,
    two_way,
)

SLEEPING, CANDIDATE, PASSIVE, LOST, LEADER = states(
    "sleeping", "candidate", "passive", "lost", "leader",
    reads={"sleeping": "is asleep", "candidate": "is a candidate", "lost": "has lost", "leader": "is the leader"},
)


class Probe(Message):
    """The question to the hops-th process whether any candidate within distance 2^phase is higher than ``id``."""

    id: str
    phase: int
    hops: int


class Reply(Message):
    """The answer that there is none, on its way back to candidate ``id``."""

    id: str
    phase: int


class HirschbergSinclair(Process):
    title = "Hirschberg-Sinclair"
    needs = ring, two_way, named, some_initiator, reliable, no_crashes
    messages = "<= 8*n*(1 + ceil(log2(n)))"

    state = SLEEPING
    phase: int = 0
    replied: set[str] = set()  # neighbours from which its probe of this phase has returned
    best: str | None = None  # the highest identifier that was here, including its own if it competes

    @on(SLEEPING, INIT)
    def start(self):
        """It competes and asks its two neighbours."""
        self.state = CANDIDATE
        self.best = self.me
        self.explore()

    @on(ANY, INIT)
    def too_late(self):
        """A probe has passed here already, so it no longer competes."""

    @on(SLEEPING, Probe)
    def stay_out(self, m, q):
        """It has not started when the first probe arrives, and only forwards probes from now on.

        always:
        """
        self.state = PASSIVE
        self.pass_on(m, q)

    @on((CANDIDATE, LOST), Probe)
    def compare(self, m, q):
        """It forwards a higher identifier and stops a lower one; if its own has gone round the ring, it has won.

        becomes leader: Its own probe has gone all the way round the ring, so it has won.
        sends: The identifier is higher than its own, so the probe goes on.
        otherwise: The identifier is lower than its own, and the probe ends here.
        """
        if natural(m.id) > natural(self.me):
            self.state = LOST
            self.pass_on(m, q)
        elif m.id == self.me and self.state == CANDIDATE:
            self.state = LEADER
            self.decide("leader")

    @on(PASSIVE, Probe)
    def pass_on(self, m, q):
        """It does not compete: the probe goes on, or turns back at the end of its path.

        sends Reply: It does not compete; the probe has reached the end of its path and turns back.
        otherwise: It does not compete, and the probe goes on.
        """
        if self.best is None or natural(m.id) > natural(self.best):
            self.best = m.id
        if m.hops < 2**m.phase:
            self.send(Probe(m.id, m.phase, m.hops + 1), to=self.other(q))
        else:
            self.send(Reply(m.id, m.phase), to=q)

    @on(LEADER, Probe)
    def drop(self, m):
        """It is the leader; its second probe and all lower ones end here."""

    @on(CANDIDATE, Reply)
    def back(self, m, q):
        """It forwards a reply for another process; with both of its own it enters the next phase.

        sends Reply: This reply is for another process and goes on.
        changes phase: It has both its replies and enters phase {phase}.
        changes replied: It has one of its two replies.
        otherwise: This reply belongs to an earlier phase.
        """
        if m.id != self.me:
            self.send(m, to=self.other(q))
        elif m.phase == self.phase:
            self.replied.add(q)
            if len(self.replied) == 2:
                self.phase += 1
                self.replied = set()
                self.explore()

    @on((SLEEPING, PASSIVE, LOST, LEADER), Reply)
    def carry_back(self, m, q):
        """It forwards a reply for another process; one of its own no longer matters.

        sends Reply: This reply is for another process and goes on.
        otherwise: This is its own reply, which no longer matters.
        """
        if m.id != self.me:
            self.send(m, to=self.other(q))

    def explore(self):
        for r in self.neighbours:
            self.send(Probe(self.me, self.phase, 1), to=r)

    def other(self, q):
        return next(r for r in self.neighbours if r != q)


@always("there is at most one leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("no process has seen a higher identifier than the leader's")
def highest(c):
    seen = [natural(p.best) for p in c.processes if p.best is not None]
    return all(best <= natural(p.me) for p in c.processes if p.state == LEADER for best in seen)


@always("at most n/(2^(k-1) + 1) processes have entered phase k")
def sparse(c):
    phases = [p.phase for p in c.processes]
    return all(sum(p >= k for p in phases) <= c.n / (2 ** (k - 1) + 1) for k in range(1, max(phases) + 1))


@always("at least one process is not beaten")
def hope(c):
    return any(p.state not in (LOST, PASSIVE) for p in c.processes)


@eventually("there is a leader, and all other processes know that they are not")
def elected(c):
    return sorted(p.state for p in c.processes if p.state not in (LOST, PASSIVE)) == [LEADER]


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
