"""Chang-Roberts: the highest candidate of a ring becomes the leader; a higher one stops every other identifier.

The processes of a ring elect the one with the highest identifier among those that compete.

This is LeLann, except that a candidate forwards only identifiers that are higher than its own.  Only the highest goes
all the way round to its sender.

Pseudo-code (Chang and Roberts; Tel, algorithm 7.3, where the lowest wins)::

    sleeping, INIT:                  send Token(me) to next; become candidate
    sleeping, Token(id):             send Token(id) to next; become passive
    candidate, Token(id), id > me:   send Token(id) to next; become lost
    lost, Token(id), id > me:        send Token(id) to next
    candidate or lost, Token(id), id < me:   drop it
    candidate, Token(me):            become leader
    passive, Token(id):              send Token(id) to next

It needs a one-way ring (the only neighbour is the next process) and distinct identifiers, which are the names in their
natural order; order and delays do not matter.  Any processes may start, except those that a token has already passed.
Complexity: each identifier goes as far as the next higher candidate.  If all start, this takes n(n+1)/2 messages at
worst (each identifier is followed by the next lower one), 2n - 1 at best (by the next higher one), and on average over
all arrangements n * (1 + 1/2 + ... + 1/n), about 0.69 n log2 n.  The other processes learn that they have lost, but
not which process has won.

Reference: E. Chang and R. Roberts, An improved algorithm for decentralized extrema-finding in circular
configurations of processes, Communications of the ACM 22 (1979); G. Tel, Introduction to Distributed Algorithms,
2nd edition, section 7.2.1, algorithm 7.3.
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
    one_way_ring,
    reliable,
    some_initiator,
    states,
)

SLEEPING, CANDIDATE, PASSIVE, LOST, LEADER = states(
    "sleeping", "candidate", "passive", "lost", "leader",
    reads={"sleeping": "is asleep", "candidate": "is a candidate", "lost": "has lost", "leader": "is the leader"},
)


class Token(Message):
    """The identifier of a candidate, on its way round the ring."""

    id: str


class ChangRoberts(Process):
    title = "Chang-Roberts"
    needs = one_way_ring, named, some_initiator, reliable, no_crashes
    messages = "<= n*(n + 1)/2"

    state = SLEEPING
    best: str | None = None  # the highest identifier that was here, including its own if it competes

    @on(SLEEPING, INIT)
    def start(self):
        """It competes and sends its identifier to the next process."""
        self.state = CANDIDATE
        self.best = self.me
        self.send(Token(self.me), to=self.neighbours[0])

    @on(ANY, INIT)
    def too_late(self):
        """A token has passed here already, so it no longer competes."""

    @on(SLEEPING, Token)
    def stay_out(self, m):
        """It has not started when the first token arrives, and only forwards tokens from now on.

        always:
        """
        self.state = PASSIVE
        self.pass_on(m)

    @on((CANDIDATE, LOST), Token)
    def compare(self, m):
        """It forwards a higher identifier and stops a lower one; if its own returns, it has won.

        becomes leader: Its own identifier has gone all the way round the ring, so it has won.
        sends Token: The identifier is higher than its own, so this process forwards it.
        otherwise: The identifier is not higher than its own and goes no further.
        """
        if natural(m.id) > natural(self.me):
            self.state = LOST
            self.pass_on(m)
        elif m.id == self.me and self.state == CANDIDATE:
            self.state = LEADER
            self.decide("leader")

    @on(PASSIVE, Token)
    def pass_on(self, m):
        """It does not compete and forwards the token.

        always: It does not compete and forwards the identifier.
        """
        if self.best is None or natural(m.id) > natural(self.best):
            self.best = m.id
        self.send(m, to=self.neighbours[0])

    @on(LEADER, Token)
    def drop(self, m):
        """It is the leader and stops a token that is slower than its own."""


@always("there is at most one leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("no process has seen a higher identifier than the leader's")
def highest(c):
    seen = [natural(p.best) for p in c.processes if p.best is not None]
    return all(best <= natural(p.me) for p in c.processes if p.state == LEADER for best in seen)


@always("at least one process is not beaten")
def hope(c):
    return any(p.state not in (LOST, PASSIVE) for p in c.processes)


@eventually("there is a leader, and all other processes know that they are not")
def elected(c):
    return sorted(p.state for p in c.processes if p.state not in (LOST, PASSIVE)) == [LEADER]


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
