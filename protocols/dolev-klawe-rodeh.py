"""Dolev-Klawe-Rodeh: in each round at least every second identifier drops out.

The processes of a one-way ring elect the one with the highest identifier among those that compete.

Identifiers compete, not processes.  In a round every active process learns the identifiers of the two active ones
behind it.  If the one in the middle is higher than both sides, it goes on to the next round, and the process that
found out carries it from now; otherwise the process only passes messages on.  One that meets the identifier it
carries is alone, and tells everybody the winner.

Pseudo-code (Tel, section 7.2.2, where the lowest wins; ci: the identifier carried, acn: that of the active
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

Needs a ring in which messages go one way (the only neighbour is the next one), FIFO links and distinct identifiers,
which are the names in their natural order; any processes start, but none that a message has passed.
Complexity: at most 2n messages in each of at most floor(log2 n) rounds, n in the last one and n to tell the winner:
2n floor(log2 n) + 2n.

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
        "active": "is active and waits for a One",
        "comparing": "is active and waits for a Two",
        "lost": "knows the winner",
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
    """The identifier that is left, told to everybody."""

    id: str


class DolevKlaweRodeh(Process):
    title = "Dolev-Klawe-Rodeh"
    needs = one_way_ring, named, fifo, some_initiator, reliable, no_crashes
    messages = "<= 2*n*floor(log2(n)) + 2*n"

    state = SLEEPING
    ci: str | None = None  # the identifier I carry
    acn: str | None = None  # the one that the active process behind me carries
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
        """It has not started when the first message comes, and only passes on from now."""
        self.state = PASSIVE
        self.pass_on(m)

    @on(ACTIVE, One)
    def learn_first(self, m):
        """It learns the identifier behind it; its own tells that no other is left.

        decides: Its own identifier comes back: no other is left.
        otherwise: It learns the identifier behind it.
        """
        self.acn = m.id
        if self.acn == self.ci:
            self.finish(self.acn)
        else:
            self.send(Two(self.acn), to=self.neighbours[0])
            self.state = COMPARING

    @on(COMPARING, Two)
    def compare(self, m):
        """The identifier in the middle stays if it is higher than both sides; else this process drops out.

        becomes passive: The identifier between the two is not the highest of the three: this process drops out.
        otherwise: The identifier behind it is higher than those on both sides: it carries that one in the next
            round.
        """
        if natural(self.acn) > natural(self.ci) and natural(self.acn) > natural(m.id):
            self.ci = self.acn
            self.next_round()
        else:
            self.state = PASSIVE
            self.ci = None

    @on(PASSIVE, (One, Two))
    def pass_on(self, m):
        """It no longer carries an identifier and passes the message on."""
        self.send(m, to=self.neighbours[0])

    @on(PASSIVE, Elected)
    def hear(self, m):
        """It learns who has won and tells the next one."""
        self.finish(m.id)

    @on((LEADER, LOST), Elected)
    def round_done(self, m):
        """Everybody has heard."""

    @on(ANY, (One, Two, Elected))
    def unexpected(self, m):
        """With FIFO links that lose nothing this message cannot come now."""
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


@always("there is at most one leader, and all who know a winner mean the same")
def one(c):
    return sum(p.state == LEADER for p in c.processes) <= 1 and len({p.win for p in c.processes} - {None}) <= 1


@always("at most n/2^(r-1) processes have entered round r")
def halved(c):
    rounds = [p.round for p in c.processes]
    return all(sum(p >= r for p in rounds) <= c.n / 2 ** (r - 1) for r in range(1, max(rounds) + 1))


@eventually("everybody knows the winner, the highest of those who started, and it is the leader")
def elected(c):
    leaders = [p.me for p in c.processes if p.state == LEADER]
    started = [p.me for p in c.processes if p.round > 0]
    return all(p.win is not None for p in c.processes) and leaders == [max(started, key=natural)]


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
