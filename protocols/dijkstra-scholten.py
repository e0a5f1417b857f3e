"""Dijkstra-Scholten: the tree of working processes shrinks until only the root remains.

A process gives work to others, which may give work to others again; it learns when all of the work is done.

A signal is returned for each piece of work.  An idle process that receives work becomes a child of the sender, and
signals its parent last: when it is passive and all the work that it gave away has been signalled.  The engaged
processes form a tree whose root is the initiator; when the root could signal, all work is done.
The work: a process works for ``duration`` time units on what it receives.  The initiator, and every other process after
its first piece of work, gives work to all its neighbours; each piece is passed on to a neighbour chosen at random until
it has been passed on ``hops`` times.

Pseudo-code (Tel, algorithm 8.4)::

    idle, Work from q:               parent := q; become active
    active or passive, Work from q:  send Signal to q; become active
    active, give work:               send Work; deficit := deficit + 1
    active, done:                    become passive; close
    Signal:                          deficit := deficit - 1; close
    close:                           if passive and deficit = 0:  the root announces termination;
                                     any other process sends Signal to parent and becomes idle

Needs a connected network with two-way reliable links, names, and one initiator; order does not matter.
Complexity: one Signal for each Work, which is optimal in the worst case; here 2m(hops + 1) messages of either kind.

Reference: E. W. Dijkstra and C. S. Scholten, Termination detection for diffusing computations, Information Processing
Letters 11 (1980); G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 8.2.1, algorithm 8.4.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    connected,
    eventually,
    named,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

IDLE, ACTIVE, PASSIVE, ANNOUNCED = states(
    "idle", "active", "passive", "announced",
    reads={"active": "is working", "passive": "is waiting for signals", "announced": "has announced termination"},
)


class Work(Message):
    """A piece of work; says how often it is still to be passed on."""

    hops: int


class Signal(Message):
    """'The work that you gave me is done, or another process is responsible for it.'"""


class Done(Timer):
    """The end of the work that a process is doing."""


class DijkstraScholten(Process):
    title = "Dijkstra-Scholten"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes
    messages = "4*m*(hops + 1)"

    state = IDLE
    parent: str | None = None  # the process that engaged me
    deficit: int = 0  # number of pieces of work that I gave away and that are not yet signalled
    spread: bool = False  # whether I have given work to all neighbours, or am about to
    todo: list[tuple[str, int]] = []  # work that I give away when I am done: receiver, hops

    hops = parameter(2, minimum=0, maximum=50, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(IDLE, INIT)
    def start(self):
        """It is the root and starts to work.

        always:
        """
        self.work()

    @on(ANY, INIT)
    def too_late(self):
        """It is already working for another process."""

    @on(IDLE, Work)
    def engage(self, m, q):
        """It is engaged: the sender becomes its parent."""
        self.parent = q
        self.work(m)

    @on((ACTIVE, PASSIVE), Work)
    def more(self, m, q):
        """It is already engaged: it accepts the work and signals immediately.

        while passive: It is already engaged: it accepts the work and signals immediately.
        """
        self.send(Signal(), to=q)
        self.work(m)

    @on(ACTIVE, Done)
    def done(self):
        """It finishes its work, gives away the work that follows, and becomes passive.

        sends Work: It finishes its work and gives away the work that follows.
        becomes passive: It finishes its work; no work follows, but it still waits for signals.
        becomes idle: It finishes its work; no work follows and no signal is missing: it signals its parent.
        becomes announced: It finishes its work; no work follows and no signal is missing: the computation has ended.
        """
        for r, hops in self.todo:
            self.send(Work(hops), to=r)
        self.deficit += len(self.todo)
        self.todo = []
        self.state = PASSIVE
        self.close()

    @on((ACTIVE, PASSIVE), Signal)
    def signalled(self):
        """It waits for one signal fewer.

        while active: It waits for one signal fewer.
        """
        self.deficit -= 1
        self.close()

    @on((IDLE, ANNOUNCED), Signal)
    def unexpected(self, m, q):
        """It does not wait for this signal, which arrives only after a fault."""
        self.note(f"unexpected signal from {q}")

    @on(ANNOUNCED, Work)
    def wrong(self, m, q):
        """It receives work although it has announced termination, which happens only after a fault."""
        self.note(f"work from {q} after termination was announced")

    @on((IDLE, PASSIVE, ANNOUNCED), Done)
    def nothing_done(self):
        """It was not working, which happens only after a fault."""

    def work(self, m=None):
        if not self.spread:
            self.spread = True
            self.todo += [(r, self.hops) for r in self.neighbours]
        if m is not None and m.hops > 0:
            self.todo.append((self.random.choice(self.neighbours), m.hops - 1))
        if self.state != ACTIVE:
            self.state = ACTIVE
            self.set_timer(Done(), after=self.duration)

    def close(self):
        if self.state == PASSIVE and self.deficit == 0:
            if self.parent is None:
                self.state = ANNOUNCED
                self.decide("terminated")
            else:
                self.send(Signal(), to=self.parent)
                self.parent = None
                self.state = IDLE


@always("termination is announced only when no process is working and no work is in transit")
def safe(c):
    return all(p.state != ANNOUNCED for p in c.processes) or not (
        any(p.state == ACTIVE for p in c.processes) or any(type(t.message) is Work for t in c.in_transit)
    )


@always("a deficit is at least the number of children plus the work and signals in transit")
def counted(c):
    count = dict.fromkeys((p.me for p in c.processes), 0)
    for t in c.in_transit:
        count[t.sender.me if type(t.message) is Work else t.receiver.me] += 1
    for p in c.processes:
        if p.parent is not None:
            count[p.parent] += 1
    return all(p.deficit >= count[p.me] for p in c.processes)


@eventually("the initiator learns that all work is done")
def announced(c):
    return sorted(p.state for p in c.processes if p.state != IDLE) == [ANNOUNCED]
