"""Hirschberg-Sinclair: candidates conquer neighbourhoods that double.

The processes of a two-way ring elect the one with the highest identifier among those that compete.

In phase k a candidate sends its identifier 2^k processes far in both directions.  A higher candidate on the way
swallows it; at the end of the way it turns round.  Who gets both back is the highest of its neighbourhood and enters
the next phase; who meets its own identifier coming round the ring is the leader.  Any two candidates that enter phase
k + 1 are more than 2^k apart, so there are fewer of them the further their probes go.

Pseudo-code (Attiya and Welch, algorithm 5; other(q): the neighbour that is not q)::

    sleeping, INIT:           send Probe(me, 0, 1) to both neighbours; become candidate
    sleeping, Probe from q:   become passive; as passive
    passive, Probe(id, k, d) from q:     if d < 2^k send Probe(id, k, d + 1) to other(q), else Reply(id, k) to q
    candidate or lost, Probe(id, k, d) from q:
                              if id > me become lost and as passive; if id < me drop it
    candidate, Probe(me):     become leader
    Reply(id, k), id /= me, from q:      send Reply(id, k) to other(q)
    candidate, Reply(me, k):  if it is the second one of phase k send Probe(me, k + 1, 1) to both neighbours

Needs a two-way ring and distinct identifiers, which are the names in their natural order; no sense of left and right,
order and delays do not matter; any processes start.  (Attiya and Welch let a sleeping process start when a probe
reaches it; here it stays passive.)
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
    """'Is there a higher one within 2^phase?', the hops-th process on its way outwards."""

    id: str
    phase: int
    hops: int


class Reply(Message):
    """'There is none', on its way back."""

    id: str
    phase: int


class HirschbergSinclair(Process):
    title = "Hirschberg-Sinclair"
    needs = ring, two_way, named, some_initiator, reliable, no_crashes
    messages = "<= 8*n*(1 + ceil(log2(n)))"

    state = SLEEPING
    phase: int = 0
    replied: set[str] = set()  # from which sides my probe of this phase is back
    best: str | None = None  # the highest identifier that was here, my own with them if I compete

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
        """It has not started when the first probe comes, and only passes on from now.

        always:
        """
        self.state = PASSIVE
        self.pass_on(m, q)

    @on((CANDIDATE, LOST), Probe)
    def compare(self, m, q):
        """A higher identifier beats it and goes on, a lower one ends here; its own has come all the way round.

        becomes leader: Its own probe has come all the way round: it has beaten all others.
        sends: The identifier is higher than its own: it has lost, and the probe goes on.
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
        """It does not compete: the probe goes on, or turns round at the end of its way.

        sends Reply: It does not compete: the probe is at the end of its way and turns round.
        otherwise: It does not compete: the probe goes on.
        """
        if self.best is None or natural(m.id) > natural(self.best):
            self.best = m.id
        if m.hops < 2**m.phase:
            self.send(Probe(m.id, m.phase, m.hops + 1), to=self.other(q))
        else:
            self.send(Reply(m.id, m.phase), to=q)

    @on(LEADER, Probe)
    def drop(self, m):
        """It is the leader: its second probe is round as well, and lower ones end here."""

    @on(CANDIDATE, Reply)
    def back(self, m, q):
        """A reply for another is passed on; with both of its own it enters the next phase.

        sends Reply: This reply is for another process and goes on.
        changes phase: Both its replies are back: it enters phase {phase}.
        changes replied: One of its two replies is back.
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
        """A reply for another is passed on; one of its own no longer matters.

        sends Reply: This reply is for another process and goes on.
        otherwise: This reply is for itself, and no longer matters.
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


@always("nobody has seen a higher identifier than the leader's")
def highest(c):
    seen = [natural(p.best) for p in c.processes if p.best is not None]
    return all(best <= natural(p.me) for p in c.processes if p.state == LEADER for best in seen)


@always("at most n/(2^(k-1) + 1) processes have entered phase k")
def sparse(c):
    phases = [p.phase for p in c.processes]
    return all(sum(p >= k for p in phases) <= c.n / (2 ** (k - 1) + 1) for k in range(1, max(phases) + 1))


@always("somebody is not beaten")
def hope(c):
    return any(p.state not in (LOST, PASSIVE) for p in c.processes)


@eventually("there is a leader, and everybody else knows that it is not it")
def elected(c):
    return sorted(p.state for p in c.processes if p.state not in (LOST, PASSIVE)) == [LEADER]


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
