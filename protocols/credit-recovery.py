"""Credit recovery: work carries credit, which returns to the initiator when the work is done.

A process gives work to others, which may give work to others again; it learns when all of the work is done.

The initiator begins with the credit 1.  A process that gives work away adds half of its credit; a process that finishes
its work returns its credit to the initiator.  The credits of working processes, of work in transit and of what has been
returned always add up to 1.  When the initiator has recovered all of it, all work is done.  Credits are powers of two,
so a process keeps and sends only the exponent: k stands for the credit 1/2^k.  The work is that of dijkstra-scholten.

Pseudo-code (Mattern; Tel, algorithm 8.9)::

    initiator, INIT:              credit := 1; become active
    active, give work:            credit := credit / 2; send Work(credit)
    active, done:                 become idle; return credit
    idle, Work(c):                credit := c; become active
    active, Work(c):              return c
    return c:                     send Return(c) to the initiator; the initiator itself adds c to what it has recovered
    initiator, Return(c):         recovered := recovered + c; if recovered = 1 announce termination

Needs a complete network with names, links that neither lose nor duplicate messages, and one initiator, whose name work
carries; order does not matter.
Complexity: at most one Return for each Work, here 2m(hops + 1); none for work that is given to the initiator.

Reference: F. Mattern, Global quiescence detection based on credit distribution and recovery, Information Processing
Letters 30 (1989); G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 8.3.3, algorithm 8.9.
"""

from fractions import Fraction

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    complete,
    eventually,
    named,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
)

IDLE, ACTIVE, ANNOUNCED = states(
    "idle", "active", "announced", reads={"active": "is working", "announced": "has announced termination"}
)  # fmt: skip


class Work(Message):
    """A piece of work with the credit 1/2^credit; says how often it is still to be passed on."""

    hops: int
    credit: int
    root: str


class Return(Message):
    """The credit 1/2^credit on its way back to the initiator."""

    credit: int


class Done(Timer):
    """The end of the work that a process is doing."""


class CreditRecovery(Process):
    title = "Credit recovery"
    needs = complete, named, one_initiator, reliable, no_crashes
    messages = "<= 4*m*(hops + 1)"

    state = IDLE
    root: str | None = None  # the initiator
    credit: int | None = None  # the credit of my work is 1/2^credit
    recovered: set[int] = set()  # at the initiator: the digits of the sum of all returned credits, as exponents
    spread: bool = False  # whether I have given work to all others, or am about to
    todo: list[tuple[str, int]] = []  # work that I give away when I am done: receiver, hops

    hops = parameter(2, minimum=0, maximum=50, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(IDLE, INIT)
    def start(self):
        """It starts to work with the credit 1.

        always:
        """
        self.root = self.me
        self.credit = 0
        self.work()

    @on(ANY, INIT)
    def too_late(self):
        """The work has already begun."""

    @on(IDLE, Work)
    def engage(self, m):
        """It starts to work with the credit that the work carries."""
        self.root = m.root
        self.credit = m.credit
        self.work(m)

    @on(ACTIVE, Work)
    def more(self, m):
        """It is already working: it accepts the work and returns its credit immediately.

        changes recovered: It is already working, and adds the credit of the new work to what it has recovered.
        otherwise: It is already working: it accepts the work and returns its credit immediately.
        """
        self.give_back(m.credit)
        self.work(m)

    @on(ACTIVE, Done)
    def done(self):
        """It finishes its work, gives away the work that follows, and returns the rest of its credit.

        decides: It finishes its work and has recovered all credit: all work is done.
        sends Work: It finishes its work, gives away the work that follows with credit, and returns the rest.
        otherwise: It finishes its work; no work follows, and it returns its credit.
        """
        for r, hops in self.todo:
            self.credit += 1
            self.send(Work(hops, self.credit, self.root), to=r)
        self.todo = []
        self.state = IDLE
        credit, self.credit = self.credit, None
        self.give_back(credit)

    @on((IDLE, ACTIVE), Return)
    def returned(self, m):
        """It adds the credit to what it has recovered.

        decides: It has recovered all credit: all work is done.
        otherwise: It adds the credit to what it has recovered.
        """
        self.recover(m.credit)

    @on(ANNOUNCED, (Work, Return))
    def wrong(self, m, q):
        """It receives this although it has announced termination, which happens only after a fault."""
        self.note(f"{type(m).__name__} from {q} after termination was announced")

    @on((IDLE, ANNOUNCED), Done)
    def nothing_done(self):
        """It was not working, which happens only after a fault."""

    def give_back(self, credit):
        if self.root == self.me:
            self.recover(credit)
        else:
            self.send(Return(credit), to=self.root)

    def recover(self, credit):
        while credit in self.recovered:  # two equal credits are one of twice the size
            self.recovered.discard(credit)
            credit -= 1
        self.recovered.add(credit)
        if 0 in self.recovered and self.state == IDLE:
            self.state = ANNOUNCED
            self.decide("terminated")

    def work(self, m=None):
        if not self.spread:
            self.spread = True
            self.todo += [(r, self.hops) for r in self.neighbours]
        if m is not None and m.hops > 0:
            self.todo.append((self.random.choice(self.neighbours), m.hops - 1))
        if self.state != ACTIVE:
            self.state = ACTIVE
            self.set_timer(Done(), after=self.duration)


@always("termination is announced only when no process is working and no work is in transit")
def safe(c):
    return all(p.state != ANNOUNCED for p in c.processes) or not (
        any(p.state == ACTIVE for p in c.processes) or any(type(t.message) is Work for t in c.in_transit)
    )


@always("all credits add up to 1")
def conserved(c):
    exponents = [p.credit for p in c.processes if p.credit is not None]
    exponents += [each for p in c.processes for each in p.recovered]
    exponents += [t.message.credit for t in c.in_transit]
    return not exponents or sum(Fraction(1, 2**k) if k >= 0 else 2**-k for k in exponents) == 1


@eventually("the initiator learns that all work is done")
def announced(c):
    return sorted(p.state for p in c.processes if p.state != IDLE) == [ANNOUNCED]
