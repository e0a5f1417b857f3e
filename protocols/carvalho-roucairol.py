"""Carvalho-Roucairol: mutual exclusion by permissions that a process keeps until another one asks for them.

Processes compete for a resource that only one of them may have.  As in ricart-agrawala, a process needs the permission
of all neighbours, and an older request wins.

Each pair of neighbours shares one permission, which at any moment one of them has, or which is on its way.  A process
that has used the resource keeps its permissions; if it wants the resource again before a neighbour asks, it asks only
those whose permission it lacks.  A process that gives a permission away while it wants the resource itself, because
the other request is older, asks for it again at once.

Pseudo-code (t, ts: pairs of clock and name, compared in this order; mine first: held, or wanted and ts < t)::

    released, Think:             clock := clock + 1; ts := (clock, me); become wanted;
                                 send Request(ts) to all neighbours whose permission is missing; enter
    any, Request(t) from q:      clock := max(clock, clock of t) + 1;
                                 if mine first then defer q
                                 else send Reply to q, whose permission is now missing; if wanted: send Request(ts) to q
    wanted, Reply from q:        I have the permission of q; enter
    held, Use:                   become released; send Reply to all deferred processes, whose permission is now missing
    enter:                       if wanted and no permission is missing: become held

It needs two-way links that lose nothing, distinct names, and no crashes; delays and order do not matter.  On networks
that are not complete, neighbours exclude each other.  At the beginning the process with the lower name has the
permission of each pair.  Each initiator wants the resource again and again, and any other process when it receives the
command Want; none enters more than ``entries`` times.  The clock of the paper is called ``time`` here.
Complexity: between 0 and 2 deg(p) messages for an entry of p, at most 2(n - 1); a process that wants the resource
alone sends nothing after its first entry.

Reference: O. S. F. Carvalho and G. Roucairol, On mutual exclusion in computer networks, Communications of the ACM 26
(1983); M. Raynal, Distributed Algorithms for Message-Passing Systems, chapter 10.
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
    variable,
)

RELEASED, WANTED, HELD = states(
    "released",
    "wanted",
    "held",
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


class CarvalhoRoucairol(Process):
    title = "Carvalho-Roucairol"
    needs = two_way, named, reliable, no_crashes
    messages = "<= 4*m*entries"

    state = RELEASED
    time: int = 0  # the logical clock
    ts: tuple[int, str] | None = None  # the stamp of its own request
    pending: set[str] = variable(
        lambda p: {q for q in p.neighbours if natural(q) < natural(p.me)}
    )  # permissions I lack
    deferred: list[str] = []  # neighbours whose requests it has not yet answered
    entered: int = 0
    sent: int = 0

    entries = parameter(
        3,
        minimum=0,
        help="the most times that a process enters the critical section",
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
        """It stamps its request and asks those neighbours whose permission it lacks.

        notes: It has entered the critical section as often as it may.
        becomes held: It still has all permissions, and enters the critical section.
        always: It stamps its request and asks the {pending:neighbour|neighbours} whose permission it lacks.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
            return
        self.state = WANTED
        self.time += 1
        self.ts = (self.time, self.me)
        self.tell(Request(self.ts), sorted(self.pending, key=natural))
        self.try_to_enter()

    @on(ANY, Request)
    def asked(self, m, q):
        """It gives the permission away, or defers this if its own turn is first.

        sends Request: The request of {peer} is older, so it gives the permission away and asks for it again at once.
        sends Reply: It does not want the resource, so it gives the permission away.
        while held: It has the resource and defers its answer: {deferred:process waits|processes wait} for it.
        otherwise: Its own request is older, so it defers its answer: {deferred:process waits|processes wait} for it.
        """
        self.time = max(self.time, m.ts[0]) + 1
        if self.mine_first(m.ts):
            self.deferred.append(q)
        else:
            self.pending.add(q)
            self.tell(Reply(), [q])
            if self.state == WANTED:
                self.tell(Request(self.ts), [q])

    @on(WANTED, Reply)
    def permitted(self, m, q):
        """It has one more permission.

        becomes held: It has the last permission that it lacked, and enters the critical section.
        otherwise: It has the permission of {peer}, and still lacks {pending:permission|permissions}.
        """
        self.pending.discard(q)
        self.try_to_enter()

    @on((RELEASED, HELD), Reply)
    def unexpected(self, m, q):
        """It has not asked for permission, so this is possible only after a fault."""
        self.note(f"unexpected permission from {q}")

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and gives permissions to all processes that wait.

        sends Reply: It leaves the critical section and gives its permission to the processes that wait.
        otherwise: It leaves the critical section and keeps all permissions, as no process waits.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.ts = None
        self.pending |= set(self.deferred)
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


@always("two neighbours share one permission: at most one of them has it, or it is on its way")
def one_permission(c):
    moving = [(t.sender.me, t.receiver.me) for t in c.in_transit if type(t.message) is Reply]
    for p in c.processes:
        for q in p.neighbours:
            has = (q not in p.pending) + (p.me not in c.process(q).pending)
            if has + moving.count((p.me, q)) + moving.count((q, p.me)) > 1:
                return False
    return True


@always("no clock is behind its own request")
def clocks(c):
    return all(p.ts is None or p.time >= p.ts[0] for p in c.processes)


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("an entry takes at most a request and an answer for each neighbour")
def count(c):
    return sum(p.sent for p in c.processes) <= sum(2 * len(p.neighbours) * p.entered for p in c.processes)
