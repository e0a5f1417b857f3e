"""Maekawa: mutual exclusion by the permissions of a quorum; any two quorums have a member in common.

Processes compete for a resource that only one of them may have.  A process that wants it asks its quorum: its row and
its column in a square that contains all processes.

Each process has one permission, and grants it to the oldest request that it knows.  If an older request arrives after
the permission has been granted, the process asks for it back; the holder yields if it has failed to get another one.

Pseudo-code (with Sanders' correction; stamps ts, t: pairs of clock and name, compared in this order)::

    released, Think:            stamp the request; send Request(ts) to the quorum; become wanted
    Request(t) from q:          if the permission is free: grant it to t
                                else add t to the waiting requests; if an older one has it or waits: send Failed(t) to q
                                else if it has been asked back: send Failed to the process for which this was done
                                else send Inquire to the process that has it
    Grant from q:               q has granted; if the whole quorum has: become held
    Failed from q:              q has failed this request; send Yield to all whose Inquire was deferred
    Inquire from q:             if any has failed this request: send Yield to q, which has failed it, else defer it
    Yield from q:               add its request to the waiting ones; grant the permission to the oldest
    Release from q:             grant the permission to the oldest waiting request, if there is one
    held, Use:                  become released; send Release to the quorum

It needs a complete network with two-way FIFO links that lose nothing, distinct names, and no crashes.  Each initiator
wants the resource again and again, and any other process when it receives the command Want; none enters more than
``entries`` times.  The projective planes of the paper are replaced by its simpler square, whose quorums have up to
2 sqrt(n) - 1 members; with the text of the paper requests can wait for ever, so Sanders' rule for Failed is used.  A
process sends no messages to itself.  The clock of the paper is called ``time`` here.
Complexity: without competition 3(K - 1) messages for an entry (K: size of the quorum, at most 2 sqrt(n) rounded up,
less one), with competition at most 7(K - 1); two time units from one holder to the next.

Reference: M. Maekawa, A sqrt(N) algorithm for mutual exclusion in decentralized systems, ACM Transactions on Computer
Systems 3 (1985); B. A. Sanders, The information structure of distributed mutual exclusion algorithms, same journal 5
(1987).
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
    complete,
    eventually,
    fifo,
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
    """The request for the receiver's permission; ``ts`` is the sender's Lamport time with its name."""

    ts: tuple[int, str]


class Grant(Message):
    """The sender's permission for request ``ts``."""

    ts: tuple[int, str]


class Failed(Message):
    """The answer that an older request comes before ``ts``."""

    ts: tuple[int, str]


class Inquire(Message):
    """The question whether the receiver returns the permission for ``ts``, as an older request has arrived."""

    ts: tuple[int, str]


class Yield(Message):
    """The return of the permission for ``ts``, which still waits for it."""

    ts: tuple[int, str]


class Release(Message):
    """The return of the permission for ``ts`` by a process that has left the critical section."""

    ts: tuple[int, str]


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


class Maekawa(Process):
    needs = complete, two_way, named, fifo, reliable, no_crashes
    messages = "<= 14*(ceil(sqrt(n)) - 1)*n*entries"

    state = RELEASED
    time: int = 0  # the logical clock
    ts: tuple[int, str] | None = None  # the stamp of its own request
    grants: set[str] = set()  # processes that have granted it
    failed: set[str] = set()  # processes that have sent Failed or have their permission back
    put_off: set[str] = set()  # processes that ask for their permission back
    given: tuple[int, str] | None = None  # the request that has its own permission
    waiting: list[tuple[int, str]] = []  # all other requests, the oldest first
    inquired: bool = False  # whether it has asked for its permission back, for the first of these
    entered: int = 0

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
        """It stamps its request and asks its quorum.

        notes: It has entered the critical section as often as it may, so it does not ask again.
        always: It stamps its request and asks its quorum.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
            return
        self.state = WANTED
        self.time += 1
        self.ts = (self.time, self.me)
        for q in self.quorum():
            self.tell(Request(self.ts), q)

    @on(ANY, Request)
    def asked(self, m, q):
        """It grants its permission or makes the request wait; for an older request it asks for its permission back.

        sends Grant: Its permission is free, and it grants it to {peer}.
        sends Inquire: It has granted its permission to a younger request and asks for it back.
        sends Failed: An older request has its permission or waits for it.
        otherwise: The request must wait for its permission.
        """
        self.time = max(self.time, m.ts[0]) + 1
        if self.given is None:
            self.give(m.ts)
            return
        before = [self.given, *self.waiting]
        self.waiting = sorted([*self.waiting, m.ts], key=age)
        if any(age(t) < age(m.ts) for t in before):
            self.tell(Failed(m.ts), q)
        elif self.inquired:
            self.tell(Failed(before[1]), before[1][1])
        else:
            self.inquired = True
            self.tell(Inquire(self.given), self.given[1])

    @on(ANY, Grant)
    def granted(self, m, q):
        """It has one more permission; with those of its whole quorum it enters the critical section.

        becomes held: It has the permissions of its whole quorum and enters the critical section.
        changes grants: It now has {grants:permission|permissions} from its quorum.
        otherwise: It already has this permission, or its request is over.
        """
        if self.state == WANTED and m.ts == self.ts:
            self.grants.add(q)
            self.failed.discard(q)
            if self.grants == set(self.quorum()):
                self.enter()

    @on(ANY, Failed)
    def fail(self, m, q):
        """It cannot enter yet, so it returns all permissions that it has been asked for.

        sends Yield: It cannot enter yet, so it returns the permissions that it has been asked for.
        sends Grant: It cannot enter yet, so it grants its own permission to an older request.
        changes failed: It cannot enter yet: an older request has the permission of {peer}.
        otherwise: This message is for a request that is over.
        """
        if self.state == WANTED and m.ts == self.ts:
            self.failed.add(q)
            for r in sorted(self.put_off, key=natural):
                self.give_back(r)

    @on(ANY, Inquire)
    def inquired_of(self, m, q):
        """It returns the permission unless it may still obtain all, or has entered.

        sends Yield: It cannot obtain all permissions now, so it returns this one.
        changes put_off: It may still obtain all permissions, so it keeps this one for now.
        otherwise: It has already entered or left, so its Release is the answer.
        """
        if self.state == WANTED and m.ts == self.ts:
            self.put_off.add(q)
            if self.failed:
                self.give_back(q)

    @on(ANY, Yield)
    def yielded(self, m, q):
        """It has its permission back and grants it to the oldest request.

        sends Grant: It has its permission back and grants it to the oldest request.
        always: It has its permission back.
        """
        if m.ts == self.given:
            self.waiting = sorted([*self.waiting, m.ts], key=age)
            self.give(self.waiting.pop(0))

    @on(ANY, Release)
    def released(self, m, q):
        """It has its permission back and grants it to the oldest waiting request, if there is one.

        sends Grant: It has its permission back and grants it to the oldest waiting request.
        otherwise: It has its permission back.
        """
        if m.ts == self.given:
            self.give(self.waiting.pop(0) if self.waiting else None)

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and returns all permissions.

        always: It leaves the critical section and returns all permissions.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        ts, self.ts = self.ts, None
        self.grants, self.failed, self.put_off = set(), set(), set()
        for q in self.quorum():
            self.tell(Release(ts), q)
        if self.initiator:
            self.start_thinking()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def quorum(self):
        """Return its row and its column in a square of all names."""
        names = sorted([*self.neighbours, self.me], key=natural)
        side = next(k for k in range(1, len(names) + 1) if k * k >= len(names))
        mine = names.index(self.me)
        return [q for i, q in enumerate(names) if i // side == mine // side or i % side == mine % side]

    def give(self, ts):
        self.given, self.inquired = ts, False
        if ts is not None:
            self.tell(Grant(ts), ts[1])

    def give_back(self, q):
        self.put_off.discard(q)
        self.grants.discard(q)
        self.failed.add(q)
        self.tell(Yield(self.ts), q)

    def tell(self, m, q):
        """Send m to q; a message to itself is handled at once."""
        if q != self.me:
            self.send(m, to=q)
        else:
            own = {Request: self.asked, Grant: self.granted, Failed: self.fail, Inquire: self.inquired_of}
            own |= {Yield: self.yielded, Release: self.released}
            own[type(m)](m, q)

    def start_thinking(self):
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)


def age(ts):
    """Return the sort key of a request: the smaller clock first; the lower name breaks ties."""
    return ts[0], natural(ts[1])


@always("at most one process is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@always("a process in the critical section has the permissions of its whole quorum")
def permitted(c):
    return all(c.process(q).given == p.ts for p in c.processes if p.state == HELD for q in p.quorum())


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("all permissions are back")
def back(c):
    return not any(p.given or p.waiting for p in c.processes)
