"""Franklin: in each round a candidate of a two-way ring survives if it is higher than those next to it on both sides.

The processes of a two-way ring elect the one with the highest identifier among those that compete.

In each round every candidate sends its identifier in both directions, and thus to the nearest candidate on each side,
because all other processes only forward it.  A candidate that receives a higher identifier drops out.  Of two adjacent
candidates at most one survives, so each round at least halves their number.  A candidate that receives its own
identifier is the only one left: it has won, and its name is sent once round the ring.

Pseudo-code (other(q): the neighbour that is not q)::

    sleeping, INIT:               round := 1; send Candidate(me, round) to both neighbours; become candidate
    sleeping, Candidate from q:   become passive; as passive
    passive, Candidate from q:    send it to other(q)
    candidate, Candidate(id, r) from q:  keep it; as soon as one of this round has come from each side:
                                  if one is higher than me become passive; send all that are kept for later rounds on
                                  if both are me become leader; send Elected(me) to one neighbour
                                  else round := round + 1; send Candidate(me, round) to both neighbours
    passive, Elected(id) from q:  send it to other(q); become lost

It needs a two-way ring and distinct identifiers, which are the names in their natural order.  Since messages carry the
number of the round, order and delays do not matter (with FIFO links the last bit of the number is enough).  Any
processes may start, except those that a message has already passed.
Complexity: 2n messages in each of at most floor(log2 n) + 1 rounds, and n to announce the winner.

Reference: W. R. Franklin, On an improved algorithm for decentralized extrema finding in circular configurations of
processors, Communications of the ACM 25 (1982); W. Fokkink, Distributed Algorithms: An Intuitive Approach, 2nd edition,
section 9.1.
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
    reads={
        "sleeping": "is asleep", "candidate": "is a candidate", "lost": "knows the leader", "leader": "is the leader",
    },
)


class Candidate(Message):
    """The identifier of a candidate, on its way to the next candidate."""

    id: str
    round: int


class Elected(Message):
    """The identifier of the leader, announced to all processes."""

    id: str


class Franklin(Process):
    needs = ring, two_way, named, some_initiator, reliable, no_crashes
    messages = "<= 2*n*(floor(log2(n)) + 1) + n"

    state = SLEEPING
    round: int = 0
    kept: dict[tuple[int, str], str] = {}  # (round, neighbour) -> the identifier from this side, this round or later
    win: str | None = None

    @on(SLEEPING, INIT)
    def start(self):
        """It competes and sends its identifier in both directions."""
        self.state = CANDIDATE
        self.next_round()

    @on(ANY, INIT)
    def too_late(self):
        """A message has passed here already, so it no longer competes."""

    @on(SLEEPING, Candidate)
    def stay_out(self, m, q):
        """It has not started when the first message arrives, and only forwards messages from now on."""
        self.state = PASSIVE
        self.pass_on(m, q)

    @on(CANDIDATE, Candidate)
    def compare(self, m, q):
        """It keeps the identifier, and compares as soon as it has one of this round from each side.

        becomes leader: Both identifiers are its own, so no other candidate is left.
        becomes passive: One of its two neighbouring candidates is higher, so this process drops out.
        changes round: It is higher than both neighbouring candidates and enters round {round}.
        otherwise: It keeps the identifier; that of the other side, or of an earlier round, is still missing.
        """
        self.kept[m.round, q] = m.id
        while self.state == CANDIDATE and all((self.round, r) in self.kept for r in self.neighbours):
            highest = max((self.kept.pop((self.round, r)) for r in self.neighbours), key=natural)
            if highest == self.me:
                self.win = self.me
                self.state = LEADER
                self.decide("leader")
                self.send(Elected(self.me), to=self.neighbours[0])
            elif natural(highest) < natural(self.me):
                self.next_round()
            else:
                self.state = PASSIVE
                for (later, r), id in self.kept.items():
                    self.send(Candidate(id, later), to=self.other(r))
                self.kept = {}

    @on((PASSIVE, LOST), Candidate)
    def pass_on(self, m, q):
        """It does not compete and forwards the identifier."""
        self.send(m, to=self.other(q))

    @on(PASSIVE, Elected)
    def hear(self, m, q):
        """It learns which process has won and informs the next process."""
        self.win = m.id
        self.state = LOST
        self.send(m, to=self.other(q))

    @on(LEADER, Elected)
    def round_done(self, m):
        """The announcement has gone round the ring and goes no further."""

    @on(ANY, (Candidate, Elected))
    def unexpected(self, m):
        """This message cannot arrive now if links lose nothing and processes do not lie."""
        self.note(f"unexpected {m}")

    def next_round(self):
        self.round += 1
        for r in self.neighbours:
            self.send(Candidate(self.me, self.round), to=r)

    def other(self, q):
        return next(r for r in self.neighbours if r != q)


@always("there is at most one leader, and no two processes know different winners")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1 and len({p.win for p in c.processes} - {None}) <= 1


@always("at most n/2^(r-1) processes have entered round r")
def halved(c):
    rounds = [p.round for p in c.processes]
    return all(sum(p >= r for p in rounds) <= c.n / 2 ** (r - 1) for r in range(1, max(rounds) + 1))


@always("the highest process that has started is not beaten")
def highest(c):
    started = [p for p in c.processes if p.round > 0]
    return not started or max(started, key=lambda p: natural(p.me)).state in (CANDIDATE, LEADER)


@eventually("every process knows the winner, the highest that started, and it is the leader")
def elected(c):
    leaders = [p.me for p in c.processes if p.state == LEADER]
    started = [p.me for p in c.processes if p.round > 0]
    return all(p.win is not None for p in c.processes) and leaders == [max(started, key=natural)]


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
