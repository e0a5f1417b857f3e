"""Dijkstra-Scholten: the tree of those who work shrinks to nothing.

One process gives work to others, who give work to others; it learns when all of it is done.

Every piece of work is signalled back.  A process that had nothing to do becomes the child of whoever engages it, and
signals to its parent last: when it has nothing to do itself and all work that it gave away is signalled.  The engaged
processes are a tree whose root is the initiator; when the root could signal, everything is done.
The work: a process works for ``duration`` time units on what has come.  The initiator, and everybody else the first
time, then gives work to all neighbours, and each piece goes on to a neighbour chosen by chance until it has been passed
on ``hops`` times.

Pseudo-code (Tel, algorithm 8.4)::

    idle, Work from q:               parent := q; become active
    active or passive, Work from q:  send Signal to q; become active
    active, give work:               send Work; deficit := deficit + 1
    active, done:                    become passive; close
    Signal:                          deficit := deficit - 1; close
    close:                           if passive and deficit = 0:  the root announces termination;
                                     anybody else sends Signal to parent and becomes idle

Needs a connected network, two-way links that lose nothing, names, and one initiator; order does not matter.
Complexity: one Signal for each Work, and no algorithm can do with fewer at worst; here 2m(hops + 1) of either kind.

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
    reads={"active": "is working", "passive": "is waiting for signals", "announced": "is sure of the end"},
)


class Work(Message):
    """Something to do."""

    hops: int


class Signal(Message):
    """'What you gave me is done, or somebody else answers for it.'"""


class Done(Timer):
    """It has done what it had to do."""


class DijkstraScholten(Process):
    title = "Dijkstra-Scholten"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes
    messages = "4*m*(hops + 1)"

    state = IDLE
    parent: str | None = None  # who engaged me
    deficit: int = 0  # how much of the work that I gave away is not yet signalled
    spread: bool = False  # whether I have given work to all neighbours, or am about to
    todo: list[tuple[str, int]] = []  # work that I give away when I am done: to whom, hops

    hops = parameter(2, minimum=0, maximum=50, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(IDLE, INIT)
    def start(self):
        """It is the root and begins to work.

        always:
        """
        self.work()

    @on(ANY, INIT)
    def too_late(self):
        """It works for somebody else already."""

    @on(IDLE, Work)
    def engage(self, m, q):
        """It is engaged: the sender becomes its parent."""
        self.parent = q
        self.work(m)

    @on((ACTIVE, PASSIVE), Work)
    def more(self, m, q):
        """It is engaged already: it takes the work and signals at once.

        while passive: It is engaged already: it takes the work and signals at once.
        """
        self.send(Signal(), to=q)
        self.work(m)

    @on(ACTIVE, Done)
    def done(self):
        """It gives away what follows from its work, and has nothing to do.

        sends Work: It gives away what follows from its work, and has nothing to do.
        becomes passive: Nothing follows from its work, and it has nothing to do.
        becomes idle: Nothing follows from its work, and it waits for no signal: its parent gets one, and it is free.
        becomes announced: Nothing follows from its work, and it waits for no signal: the computation has ended.
        """
        for r, hops in self.todo:
            self.send(Work(hops), to=r)
        self.deficit += len(self.todo)
        self.todo = []
        self.state = PASSIVE
        self.close()

    @on((ACTIVE, PASSIVE), Signal)
    def signalled(self):
        """One piece of work less to wait for.

        while active: One piece of work less to wait for.
        """
        self.deficit -= 1
        self.close()

    @on((IDLE, ANNOUNCED), Signal)
    def unexpected(self, m, q):
        """Nobody waits for this signal; it happens only when something was broken."""
        self.note(f"unexpected signal from {q}")

    @on(ANNOUNCED, Work)
    def wrong(self, m, q):
        """Work, although termination was announced; it happens only when something was broken."""
        self.note(f"work from {q} after termination was announced")

    @on((IDLE, PASSIVE, ANNOUNCED), Done)
    def nothing_done(self):
        """It was not working; it happens only when something was broken."""

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


@always("termination is announced only when nobody works and no work is under way")
def safe(c):
    return all(p.state != ANNOUNCED for p in c.processes) or not (
        any(p.state == ACTIVE for p in c.processes) or any(type(t.message) is Work for t in c.in_transit)
    )


@always("who has a child, or work or a signal for it under way, waits for it")
def counted(c):
    count = dict.fromkeys((p.me for p in c.processes), 0)
    for t in c.in_transit:
        count[t.sender.me if type(t.message) is Work else t.receiver.me] += 1
    for p in c.processes:
        if p.parent is not None:
            count[p.parent] += 1
    return all(p.deficit >= count[p.me] for p in c.processes)


@eventually("the initiator learns that everything is done")
def announced(c):
    return sorted(p.state for p in c.processes if p.state != IDLE) == [ANNOUNCED]
