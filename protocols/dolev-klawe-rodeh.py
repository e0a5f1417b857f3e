"""Dolev-Klawe-Rodeh: the highest candidate of a ring wins; each round at least halves the number of identifiers.

The processes of a one-way ring elect the one with the highest identifier among those that compete.

Identifiers compete, not processes.  In each round, every active process learns the identifiers that the two active
processes behind it carry.  If the nearer one is the highest of the three, the process carries it into the next round;
otherwise the process becomes passive and only forwards messages.  A process that receives the identifier that it
carries is the only one left, and announces the winner to all processes.

Pseudo-code (Tel, section 7.2.2, where the lowest wins; ci: the identifier carried, acn: the one carried by the active
process behind)::

    sleeping, INIT:        ci := me; send One(ci); become active
    sleeping, One:         become passive; as passive
    active, One(id):       acn := id; if acn = ci then send Elected(ci) and finish,
                           else send Two(acn); become comparing
    comparing, Two(id):    if acn > ci and acn > id then ci := acn; send One(ci); become active
                           else become passive
    passive, One or Two:   send it on
    passive, Elected(id):  send it on and finish
    finish:                become leader if the identifier is me, else lost

It needs a one-way ring (the only neighbour is the next process), FIFO links and distinct identifiers, which are the
names in their natural order.  Any processes may start, except those that a message has already passed.
Complexity: at most 2n messages in each of at most floor(log2 n) rounds, n in the last one and n to announce the
winner: 2n floor(log2 n) + 2n.

Reference: D. Dolev, M. Klawe and M. Rodeh, An O(n log n) unidirectional distributed algorithm for extrema finding in a
circle, Journal of Algorithms 3 (1982); G. L. Peterson, An O(n log n) unidirectional algorithm for the circular
extrema problem, ACM TOPLAS 4 (1982); G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 7.2.2.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
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

SLEEPING, ACTIVE, COMPARING, PASSIVE, LOST, LEADER = states(
    "sleeping", "active", "comparing", "passive", "lost", "leader",
    reads={
        "sleeping": "is asleep",
        "active": "is active and waits for the first identifier",
        "comparing": "is active and waits for the second identifier",
        "lost": "knows the leader",
        "leader": "is the leader",
    },
)


class One(Message):
    """The identifier that the sender carries in this round."""

    id: str


class Two(Message):
    """The identifier that the active process behind the sender carries."""

    id: str


class Elected(Message):
    """The only identifier that is left, announced to all processes."""

    id: str


class DolevKlaweRodeh(Process):
    title = "Dolev-Klawe-Rodeh"
    needs = one_way_ring, named, fifo, some_initiator, reliable, no_crashes
    messages = "<= 2*n*floor(log2(n)) + 2*n"

    state = SLEEPING
    ci: str | None = None  # the identifier that this process carries
    acn: str | None = None  # the one that the active process behind it carries
    round: int = 0
    win: str | None = None

    @on(SLEEPING, INIT)
    def start(self):
        """It competes with its own identifier."""
        self.ci = self.me
        self.next_round()

    @on(ANY, INIT)
    def too_late(self):
        """A message has passed here already, so it no longer competes."""

    @on(SLEEPING, One)
    def stay_out(self, m):
        """It has not started when the first message arrives, and only forwards messages from now on."""
        self.state = PASSIVE
        self.pass_on(m)

    @on(ACTIVE, One)
    def learn_first(self, m):
        """It learns which identifier the active process behind it carries; if it is its own, no other is left.

        decides: Its own identifier has returned, so no other is left.
        otherwise: It learns which identifier the active process behind it carries.
        """
        self.acn = m.id
        if self.acn == self.ci:
            self.finish(self.acn)
        else:
            self.send(Two(self.acn), to=self.neighbours[0])
            self.state = COMPARING

    @on(COMPARING, Two)
    def compare(self, m):
        """It carries the middle identifier on if that is the highest of the three; otherwise it drops out.

        becomes passive: The middle identifier is not the highest of the three, so this process drops out.
        otherwise: The middle identifier is the highest of the three, so this process carries it into the next round.
        """
        if natural(self.acn) > natural(self.ci) and natural(self.acn) > natural(m.id):
            self.ci = self.acn
            self.next_round()
        else:
            self.state = PASSIVE
            self.ci = None

    @on(PASSIVE, (One, Two))
    def pass_on(self, m):
        """It no longer carries an identifier and forwards the message."""
        self.send(m, to=self.neighbours[0])

    @on(PASSIVE, Elected)
    def hear(self, m):
        """It learns which process has won and informs the next process."""
        self.finish(m.id)

    @on((LEADER, LOST), Elected)
    def round_done(self, m):
        """The announcement has gone round the ring and goes no further."""

    @on(ANY, (One, Two, Elected))
    def unexpected(self, m):
        """This message cannot arrive now if links are FIFO and lose nothing."""
        self.note(f"unexpected {m}")

    def next_round(self):
        self.round += 1
        self.state = ACTIVE
        self.send(One(self.ci), to=self.neighbours[0])

    def finish(self, winner):
        self.win = winner
        self.send(Elected(winner), to=self.neighbours[0])
        if winner == self.me:
            self.state = LEADER
            self.decide("leader")
        else:
            self.state = LOST


@always("there is at most one leader, and no two processes know different winners")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1 and len({p.win for p in c.processes} - {None}) <= 1


@always("at most n/2^(r-1) processes have entered round r")
def halved(c):
    rounds = [p.round for p in c.processes]
    return all(sum(p >= r for p in rounds) <= c.n / 2 ** (r - 1) for r in range(1, max(rounds) + 1))


@eventually("every process knows the winner, the highest that started, and it is the leader")
def elected(c):
    leaders = [p.me for p in c.processes if p.state == LEADER]
    started = [p.me for p in c.processes if p.round > 0]
    return all(p.win is not None for p in c.processes) and leaders == [max(started, key=natural)]


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
