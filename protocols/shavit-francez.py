"""Shavit-Francez: each initiator has a tree of working processes; a token of an empty tree looks for another tree.

Several processes start to work and give work to others; one of them learns when all of the work is done.

Every initiator is the root of a tree as in dijkstra-scholten: an idle process that receives work joins the tree of the
sender, and leaves it when it is passive and all the work that it gave away has been signalled.  A tree that has become
empty stays empty.  Its root then sends a token to all processes in turn.  A process that is in some tree stops the
token; the root of that tree will send its own later.  A token that returns has met no tree, so all work is done.  The
work is that of dijkstra-scholten; the token follows the order of the names.

Pseudo-code (after Tel, algorithm 8.5, with one wave for each root as in Fokkink)::

    idle, INIT:                      become active, as the root of a tree
    idle, Work from q:               parent := q; become active
    active or passive, Work from q:  send Signal to q; become active
    active, give work:               send Work; deficit := deficit + 1
    active, done:                    become passive; close
    Signal:                          deficit := deficit - 1; close
    close:                           if passive and deficit = 0: become idle;
                                     a root sends Token(me) to the next process, any other Signal to parent
    idle, Token(r):                  if r = me announce termination, else send Token(r) to the next process
    active or passive, Token(r):     drop it

Needs a complete network with names, reliable links and at least one initiator; order does not matter.  All initiators
start before a token reaches them.
Complexity: one Signal for each Work, here 2m(hops + 1) of either kind, and at most n tokens for each initiator.

Reference: N. Shavit and N. Francez, A new approach to the detection of locally indicative stability, ICALP 1986;
G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 8.2.2, algorithm 8.5; W. Fokkink, Distributed
Algorithms: An Intuitive Approach, 2nd edition, section 6.1.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    complete,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
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


class Token(Message):
    """The search of a root for a tree that is not empty."""

    root: str


class Done(Timer):
    """The end of the work that a process is doing."""


class ShavitFrancez(Process):
    title = "Shavit-Francez"
    needs = complete, named, some_initiator, reliable, no_crashes
    messages = "<= 4*m*(hops + 1) + n*n"

    state = IDLE
    parent: str | None = None  # the process that engaged me; a root has none
    deficit: int = 0  # number of pieces of work that I gave away and that are not yet signalled
    root: bool = False  # whether I am the root of a tree that is not empty
    met: bool = False  # whether a token has passed here
    spread: bool = False  # whether I have given work to all neighbours, or am about to
    todo: list[tuple[str, int]] = []  # work that I give away when I am done: receiver, hops

    hops = parameter(2, minimum=0, maximum=50, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(IDLE, INIT)
    def start(self):
        """It becomes the root of a tree and starts to work.

        nothing: A token has passed here already, so it may not begin work any more.
        otherwise: It becomes the root of a tree and starts to work.
        """
        if not self.met:
            self.root = True
            self.work()

    @on(ANY, INIT)
    def too_late(self):
        """It is already working for another process."""

    @on(IDLE, Work)
    def engage(self, m, q):
        """It joins a tree: the sender becomes its parent."""
        self.parent = q
        self.work(m)

    @on((ACTIVE, PASSIVE), Work)
    def more(self, m, q):
        """It is already in a tree: it accepts the work and signals immediately.

        while passive: It is already in a tree: it accepts the work and signals immediately.
        """
        self.send(Signal(), to=q)
        self.work(m)

    @on(ACTIVE, Done)
    def done(self):
        """It finishes its work, gives away the work that follows, and becomes passive.

        sends Work: It finishes its work and gives away the work that follows.
        becomes passive: It finishes its work; no work follows, but it still waits for signals.
        sends Token: It finishes its work, and its tree is empty: its token looks for other trees.
        becomes idle: It finishes its work; no work follows and no signal is missing: it signals its parent.
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
        sends Token: This was the last signal: its tree is empty, and its token looks for other trees.
        """
        self.deficit -= 1
        self.close()

    @on(IDLE, Token)
    def take(self, m):
        """It is in no tree, so the token goes on.

        decides: Its token has met no tree: all work is done.
        otherwise: It is in no tree, so the token goes on.
        """
        self.met = True
        if m.root == self.me:
            self.state = ANNOUNCED
            self.decide("terminated")
        else:
            self.send(m, to=self.following())

    @on((ACTIVE, PASSIVE), Token)
    def stop(self):
        """It is in a tree, so the token stops here; the root of that tree will send its own."""

    @on(ANNOUNCED, Token)
    def agree(self, m):
        """It has announced termination already.

        sends Token: It has announced termination already; the token of another root goes on.
        otherwise: Its token returns a second time, which happens only after a fault.
        """
        if m.root != self.me:
            self.send(m, to=self.following())

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
            self.state = IDLE
            if self.root:
                self.root = False
                self.send(Token(self.me), to=self.following())
            else:
                self.send(Signal(), to=self.parent)
                self.parent = None

    def following(self):
        ring = sorted((self.me, *self.neighbours), key=natural)
        return ring[(ring.index(self.me) + 1) % len(ring)]


@always("termination is announced only when no process is working and no work is in transit")
def safe(c):
    return all(p.state != ANNOUNCED for p in c.processes) or not (
        any(p.state == ACTIVE for p in c.processes) or any(type(t.message) is Work for t in c.in_transit)
    )


@always("each process that is working is in the tree of a root")
def rooted(c):
    for p in c.processes:
        above, way = p, set()
        while above.state in (ACTIVE, PASSIVE) and above.parent is not None and above not in way:
            way.add(above)
            above = c.process(above.parent)
        if p.state in (ACTIVE, PASSIVE) and not above.root:
            return False
    return True


@eventually("some initiator learns that all work is done")
def announced(c):
    return any(p.state == ANNOUNCED for p in c.processes)


@at_end("no process is in a tree, and nothing is in transit")
def silent(c):
    return all(p.state in (IDLE, ANNOUNCED) for p in c.processes) and not c.in_transit
