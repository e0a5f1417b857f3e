"""LeLann: the highest candidate of a ring becomes the leader, after each identifier has gone round once.

The processes of a ring elect the one with the highest identifier among those that compete.

Each candidate sends its identifier round the ring, and each process forwards the identifiers that it receives.  When
its own identifier returns, a candidate has seen those of all other candidates, since links are FIFO, and compares.

Pseudo-code (Tel, algorithm 7.2, where the lowest wins)::

    sleeping, INIT:                  seen := {me}; send Token(me) to next; become candidate
    sleeping, Token(id):             send Token(id) to next; become passive
    candidate, Token(id), id /= me:  add id to seen; send Token(id) to next
    candidate, Token(me):            become leader if me is the highest in seen, else lost
    passive, Token(id):              send Token(id) to next

It needs a one-way ring (the only neighbour is the next process), FIFO links and distinct identifiers, which are the
names in their natural order.  Any processes may start, except those that a token has already passed.
Complexity: k*n messages if k processes start, so at most n*n; n time units if no message takes longer than one.

Reference: G. Le Lann, Distributed systems: towards a formal approach, IFIP Congress 1977; G. Tel, Introduction to
Distributed Algorithms, 2nd edition, section 7.2.1, algorithm 7.2.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    eventually,
    fifo,
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
    """The identifier of a candidate, which goes round the ring."""

    id: str


class LeLann(Process):
    needs = one_way_ring, named, fifo, some_initiator, reliable, no_crashes
    messages = "<= n*n"

    state = SLEEPING
    seen: set[str] = set()  # identifiers of candidates, including its own

    @on(SLEEPING, INIT)
    def start(self):
        """It competes and sends its identifier round the ring."""
        self.state = CANDIDATE
        self.seen = {self.me}
        self.send(Token(self.me), to=self.neighbours[0])

    @on(ANY, INIT)
    def too_late(self):
        """A token has passed here already, so it no longer competes."""

    @on(SLEEPING, Token)
    def stay_out(self, m):
        """It has not started when the first token arrives, and only forwards tokens from now on."""
        self.state = PASSIVE
        self.send(m, to=self.neighbours[0])

    @on(CANDIDATE, Token)
    def collect(self, m):
        """It records a competitor; when its own token returns, it has seen all of them.

        becomes leader: Its own token has returned, and its identifier is the highest that it has seen.
        becomes lost: Its own token has returned, and it has seen a higher identifier.
        otherwise: It records a competitor and forwards the token; it has seen {seen:identifier|identifiers}, including
            its own.
        """
        if m.id != self.me:
            self.seen.add(m.id)
            self.send(m, to=self.neighbours[0])
        elif self.me == max(sorted(self.seen), key=natural):
            self.state = LEADER
            self.decide("leader")
        else:
            self.state = LOST

    @on(PASSIVE, Token)
    def pass_on(self, m):
        """It does not compete and forwards the token."""
        self.send(m, to=self.neighbours[0])

    @on((LOST, LEADER), Token)
    def late(self, m):
        """Its own token has overtaken this one, which is possible only after a fault."""
        self.note(f"the token of {m.id} comes after my own")


@always("there is at most one leader")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1


@always("no candidate is higher than the leader")
def highest(c):
    candidates = [p for p in c.processes if p.state in (CANDIDATE, LOST, LEADER)]
    return all(natural(p.me) <= natural(q.me) for q in candidates if q.state == LEADER for p in candidates)


@eventually("there is a leader, and all other processes know that they are not")
def elected(c):
    return sorted(p.state for p in c.processes if p.state not in (LOST, PASSIVE)) == [LEADER]
