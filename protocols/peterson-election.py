"""Peterson's election: on a one-way ring, each identifier is compared with the ones behind and ahead in turn.

The processes of a one-way ring elect the one with the highest identifier among those that compete.

Every active process carries an identifier.  In each phase it sends this identifier to the next active process.  In an
odd phase an identifier survives if it is higher than the one behind it; in an even phase if it is higher than the one
ahead, and then the process ahead carries it on.  An identifier that survives a phase has beaten one on each side
within two phases, which is why the numbers of survivors fall at least like the Fibonacci numbers.

This is Peterson's second algorithm.  His first one compares both neighbours in each phase, as dolev-klawe-rodeh does,
and needs 2n log2 n messages.

Pseudo-code (ci: the identifier carried; r: the phase)::

    sleeping, INIT:       ci := me; r := 1; send Candidate(ci); become active
    sleeping, Candidate:  become passive; as passive
    active, Candidate(id):
        id = ci:                      send Elected(ci) and finish
        r odd and ci > id:            r := r + 1; send Candidate(ci)
        r even and id > ci:           ci := id; r := r + 1; send Candidate(ci)
        else:                         become passive
    passive, Candidate:   send it on
    passive, Elected(id): send it on and finish
    finish:               become leader if the identifier is me, else lost

It needs a one-way ring (the only neighbour is the next process), FIFO links and distinct identifiers, which are the
names in their natural order.  Any processes may start, except those that a message has already passed.
Complexity: n messages in each of at most log_phi n + 1 phases, where phi is the golden ratio, and n to announce the
winner: 1.44 n log2 n + 2n.

Reference: G. L. Peterson, An O(n log n) unidirectional algorithm for the circular extrema problem, ACM Transactions on
Programming Languages and Systems 4 (1982), section 3.
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

SLEEPING, ACTIVE, PASSIVE, LOST, LEADER = states(
    "sleeping", "active", "passive", "lost", "leader",
    reads={
        "sleeping": "is asleep",
        "active": "carries an identifier",
        "lost": "knows the leader",
        "leader": "is the leader",
    },
)


class Candidate(Message):
    """The identifier that the sender carries in this phase."""

    id: str


class Elected(Message):
    """The only identifier that is left, announced to all processes."""

    id: str


class PetersonElection(Process):
    title = "Peterson's election"
    needs = one_way_ring, named, fifo, some_initiator, reliable, no_crashes
    messages = "<= n*(floor(1.4405*log2(n)) + 2)"

    state = SLEEPING
    ci: str | None = None  # the identifier that this process carries
    phase: int = 0
    win: str | None = None

    @on(SLEEPING, INIT)
    def start(self):
        """It competes with its own identifier."""
        self.state = ACTIVE
        self.ci = self.me
        self.next_phase()

    @on(ANY, INIT)
    def too_late(self):
        """A message has passed here already, so it no longer competes."""

    @on(SLEEPING, Candidate)
    def stay_out(self, m):
        """It has not started when the first message arrives, and only forwards messages from now on."""
        self.state = PASSIVE
        self.pass_on(m)

    @on(ACTIVE, Candidate)
    def compare(self, m):
        """It compares the identifier with its own: its own may survive in an odd phase, this one in an even phase.

        decides: Its own identifier has returned, so no other is left.
        sends Elected: The identifier that it carries has returned, so no other is left.
        changes ci: In this even phase the identifier behind is higher: this process carries it into phase {phase}.
        changes phase: In this odd phase its identifier is higher than the one behind, and enters phase {phase}.
        becomes passive: The comparison of this phase is lost, so this process drops out.
        """
        if m.id == self.ci:
            self.finish(m.id)
        elif self.phase % 2 == 1 and natural(self.ci) > natural(m.id):
            self.next_phase()
        elif self.phase % 2 == 0 and natural(m.id) > natural(self.ci):
            self.ci = m.id
            self.next_phase()
        else:
            self.state = PASSIVE
            self.ci = None

    @on(PASSIVE, Candidate)
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

    @on(ANY, (Candidate, Elected))
    def unexpected(self, m):
        """This message cannot arrive now if links are FIFO and lose nothing."""
        self.note(f"unexpected {m}")

    def next_phase(self):
        self.phase += 1
        self.send(Candidate(self.ci), to=self.neighbours[0])

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


@always("no two processes carry the same identifier in the same phase")
def distinct(c):
    carried = [(p.ci, p.phase) for p in c.processes if p.state == ACTIVE]
    return len(set(carried)) == len(carried)


@always("as many processes have entered a phase as the next two together, or more")
def fibonacci(c):
    phases = [p.phase for p in c.processes]
    entered = [sum(p >= r for p in phases) for r in range(1, max(phases) + 3)]
    return all(a >= b + d for a, b, d in zip(entered, entered[1:], entered[2:], strict=False))


@eventually("every process knows the winner, the highest that started, and it is the leader")
def elected(c):
    leaders = [p.me for p in c.processes if p.state == LEADER]
    started = [p.me for p in c.processes if p.phase > 0]
    return all(p.win is not None for p in c.processes) and leaders == [max(started, key=natural)]


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
