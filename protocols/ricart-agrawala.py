"""Ricart-Agrawala: mutual exclusion by permissions, which a process with an older request defers.

Processes compete for a resource that only one of them may have; a process that wants it asks all its neighbours for
permission.

A request carries the logical clock of its sender.  A process that does not want the resource, or has a younger request,
answers at once; one that has the resource, or has an older request, defers its answer until it has used the resource.
Older requests win and names break ties, so processes never wait for each other in a cycle.

Pseudo-code (t, ts: pairs of clock and name, compared in this order; mine first: held, or wanted and ts < t)::

    released, Think:             clock := clock + 1; ts := (clock, me); pending := all neighbours;
                                 send Request(ts) to them; become wanted; enter
    any, Request(t) from q:      clock := max(clock, clock of t) + 1;
                                 if mine first then defer q else send Reply to q
    wanted, Reply from q:        remove q from pending; enter
    held, Use:                   become released; send Reply to all deferred processes
    enter:                       if wanted and nothing is pending: become held

It needs two-way links that lose nothing, distinct names, and no crashes; delays and order do not matter.  On a complete
network at most one process is in the critical section; on other networks neighbours exclude each other (the network is
the conflict graph: neighbours share a resource), which needs no routing.  Each initiator wants the resource again and
again, and any other process when it receives the command Want; none enters more than ``entries`` times.  The clock of
the paper is called ``time`` here.
Complexity: 2 deg(p) messages for an entry of p, 2(n - 1) on a complete network, whatever the load; one time unit from
one holder to the next, one round trip without competition.

Reference: G. Ricart and A. K. Agrawala, An optimal algorithm for mutual exclusion in computer networks, Communications
of the ACM 24 (1981); M. Raynal, Distributed Algorithms for Message-Passing Systems, chapter 10.
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    two_way,
)

RELEASED, WANTED, HELD = states(
    "released", "wanted", "held",
    reads={"released": "is idle", "wanted": "wants the resource", "held": "is in the critical section"},
)


class Request(Message):
    """The request for permission to enter; ``ts`` is the sender's Lamport time with its name."""

    ts: tuple[int, str]


class Reply(Message):
    """The sender's permission to enter the critical section."""


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


class RicartAgrawala(Process):
    title = "Ricart-Agrawala"
    needs = two_way, named, reliable, no_crashes
    messages = "<= 4*m*entries"

    state = RELEASED
    time: int = 0  # the logical clock
    ts: tuple[int, str] | None = None  # the stamp of its own request
    pending: set[str] = set()  # neighbours whose permission is missing
    deferred: list[str] = []  # neighbours whose requests it has not yet answered
    entered: int = 0
    sent: int = 0

    entries = parameter(
        3, minimum=0, help="the most times that a process enters the critical section",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process next wants the resource")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")

    @on(RELEASED, INIT)
    def begin(self):
        """It will want the resource after a while.

        sets Think: It will want the resource after a while.
        """
        self.start_thinking()

    @on(RELEASED, (Think, Want))
    def want(self):
        """It stamps its request and asks all its neighbours.

        notes: It has entered the critical section as often as it may.
        always: It stamps its request and asks all its neighbours.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
            return
        self.state = WANTED
        self.time += 1
        self.ts = (self.time, self.me)
        self.pending = set(self.neighbours)
        self.tell(Request(self.ts), self.neighbours)
        self.try_to_enter()

    @on(ANY, Request)
    def asked(self, m, q):
        """It answers at once, or defers its answer if its own turn is first.

        sends Reply and while released: It does not want the resource, so it answers at once.
        sends Reply: The request of {peer} is older than its own, so it answers at once.
        while held: It has the resource and defers its answer: {deferred:process waits|processes wait} for it.
        otherwise: Its own request is older, so it defers its answer: {deferred:process waits|processes wait} for it.
        """
        self.time = max(self.time, m.ts[0]) + 1
        if self.mine_first(m.ts):
            self.deferred.append(q)
        else:
            self.tell(Reply(), [q])

    @on(WANTED, Reply)
    def permitted(self, m, q):
        """It needs one permission fewer."""
        self.pending.discard(q)
        self.try_to_enter()

    @on((RELEASED, HELD), Reply)
    def unexpected(self, m, q):
        """It has not asked for permission, so this is possible only after a fault."""
        self.note(f"unexpected permission from {q}")

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and answers all processes that wait.

        sends Reply: It leaves the critical section and answers the processes that wait.
        otherwise: It leaves the critical section; no process waits for its answer.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.ts = None
        self.tell(Reply(), self.deferred)
        self.deferred = []
        if self.initiator:
            self.start_thinking()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def mine_first(self, ts):
        return self.state == HELD or (self.state == WANTED and older(self.ts, ts))

    def tell(self, m, to):
        for q in to:
            self.send(m, to=q)
        self.sent += len(to)

    def try_to_enter(self):
        if self.state == WANTED and not self.pending:
            self.enter()

    def start_thinking(self):
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)


def older(a, b):
    """Return whether the request stamped a precedes the one stamped b; the lower name breaks ties."""
    return (a[0], natural(a[1])) < (b[0], natural(b[1]))


@always("no two neighbours are in the critical section")
def mutual_exclusion(c):
    return not any(p.state == HELD and c.process(q).state == HELD for p in c.processes for q in p.neighbours)


@always("a process waits only for a holder or for an older request")
def older_first(c):
    waits = [(c.process(p), q) for q in c.processes for p in q.deferred]
    return all(q.state == HELD or (p.ts and q.ts and older(q.ts, p.ts)) for p, q in waits)


@always("no processes wait for each other in a cycle")
def acyclic(c):
    waiting = {}
    for q in c.processes:
        for p in q.deferred:
            waiting.setdefault(p, set()).add(q.me)
    while free := [p for p in waiting if not waiting[p] & waiting.keys()]:
        for p in free:
            del waiting[p]
    return not waiting


@always("a process in the critical section asked before all neighbours that wait")
def oldest(c):
    pairs = [(p, c.process(q)) for p in c.processes if p.state == HELD for q in p.neighbours]
    return all(q.state != WANTED or older(p.ts, q.ts) for p, q in pairs)


@always("no clock is behind its own request")
def clocks(c):
    return all(p.ts is None or p.time >= p.ts[0] for p in c.processes)


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("an entry takes a request and an answer for each neighbour")
def count(c):
    return sum(p.sent for p in c.processes) == sum(2 * len(p.neighbours) * p.entered for p in c.processes)
