"""Maekawa: the permission of a few is enough, if any two ask somebody in common.

Processes compete for a resource that only one of them may have; who wants it asks its quorum, one row and one column
of a square on which all stand.

Everybody gives its one permission to the oldest request it knows.  If an older one comes when the permission is gone,
it asks for it back; who has failed to get another permission yields.

Pseudo-code (with Sanders' correction; stamps ts, t: pairs of clock and name, compared in this order)::

    released, Think:            stamp the request; send Request(ts) to my quorum; become wanted
    Request(t) from q:          if my permission is here: give it to t
                                else put t among the waiting; if an older one has it or waits: send Failed(t) to q
                                else if I have asked for it back: send Failed to the one I did it for
                                else send Inquire to the one that has it
    Grant from q:               q has granted; if all of the quorum have: become held
    Failed from q:              q has failed me; send Yield to all whose Inquire I have put off
    Inquire from q:             if I was failed: send Yield to q, which has failed me, else put it off
    Yield from q:               put its request among the waiting; give my permission to the oldest
    Release from q:             give my permission to the oldest of the waiting, if there is one
    held, Use:                  become released; send Release to my quorum

Needs a complete network with two-way links that lose nothing and keep the order, distinct names, and no crashes.
Every initiator wants the resource, again and again, and whoever is told Want; nobody more than ``entries`` times.  The
paper's projective planes are replaced by its simpler square, whose quorums have up to 2 sqrt(n) - 1 members; in the
paper's text requests can wait for ever, so Sanders' rule for Failed is taken.  The messages of a process to itself are
not sent.  The book's clock is called ``time`` here.
Complexity: 3(K - 1) messages for an entry without competition (K: size of the quorum, at most 2 sqrt(n) rounded up,
less one), at most 7(K - 1) with; two time units from one holder to the next.

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
    """'May I?'"""

    ts: tuple[int, str]


class Grant(Message):
    """'You may.'"""

    ts: tuple[int, str]


class Failed(Message):
    """'Somebody is before you.'"""

    ts: tuple[int, str]


class Inquire(Message):
    """'May I have my permission back? Somebody is before you.'"""

    ts: tuple[int, str]


class Yield(Message):
    """'Take your permission back for now.'"""

    ts: tuple[int, str]


class Release(Message):
    """'I am through; give your permission to the next.'"""

    ts: tuple[int, str]


class Think(Timer):
    """It wants the resource (again)."""


class Use(Timer):
    """It has used the resource long enough."""


class Want(Command):
    """Its user wants the resource now."""


class Leave(Command):
    """Its user gives the resource back early."""


class Maekawa(Process):
    needs = complete, two_way, named, fifo, reliable, no_crashes
    messages = "<= 14*(ceil(sqrt(n)) - 1)*n*entries"

    state = RELEASED
    time: int = 0  # the logical clock
    ts: tuple[int, str] | None = None  # the stamp of my request
    grants: set[str] = set()  # who has granted it
    failed: set[str] = set()  # who has failed me, or got its permission back
    put_off: set[str] = set()  # who wants its permission back
    given: tuple[int, str] | None = None  # the request that has my own permission
    waiting: list[tuple[int, str]] = []  # the others, the oldest first
    inquired: bool = False  # whether I have asked for it back, for the first of these
    entered: int = 0

    entries = parameter(
        3, minimum=0, help="how often a process enters the critical section at most",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process wants the resource (again)")
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

        notes: It has been in the critical section as often as it may, so it does not ask again.
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
        """It gives its permission, or lets the request wait; an older one makes it ask for the permission back.

        sends Grant: Its permission is free: {peer} gets it.
        sends Inquire: It has given its permission to a younger request, and asks for it back.
        sends Failed: An older request has its permission or waits for it.
        otherwise: The request waits for its permission.
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
        """One permission more; with all of the quorum's it enters.

        becomes held: It has the permissions of its whole quorum and enters.
        changes grants: One permission more, of {peer}: {grants:len} of its quorum, itself included.
        otherwise: This permission belongs to a request that is over, or it has it already.
        """
        if self.state == WANTED and m.ts == self.ts:
            self.grants.add(q)
            self.failed.discard(q)
            if self.grants == set(self.quorum()):
                self.enter()

    @on(ANY, Failed)
    def fail(self, m, q):
        """It is not its turn yet, so it gives back the permissions that are wanted back.

        sends Yield: It is not its turn yet, so it gives back the permissions that others want back.
        sends Grant: It is not its turn yet, so it gives its own permission back to an older request.
        changes failed: It is not its turn yet: an older request has the permission of {peer}.
        otherwise: This belongs to a request that is over.
        """
        if self.state == WANTED and m.ts == self.ts:
            self.failed.add(q)
            for r in sorted(self.put_off, key=natural):
                self.give_back(r)

    @on(ANY, Inquire)
    def inquired_of(self, m, q):
        """It gives the permission back, unless it may still get all; who has entered lets its Release answer.

        sends Yield: It cannot get all permissions now, so it gives this one back.
        changes put_off: It may still get all permissions, so it keeps this one for now.
        otherwise: It has entered or left already: its Release is the answer.
        """
        if self.state == WANTED and m.ts == self.ts:
            self.put_off.add(q)
            if self.failed:
                self.give_back(q)

    @on(ANY, Yield)
    def yielded(self, m, q):
        """Its permission is back; it goes to the oldest request.

        sends Grant: Its permission is back; it goes to the oldest request.
        always: Its permission is back.
        """
        if m.ts == self.given:
            self.waiting = sorted([*self.waiting, m.ts], key=age)
            self.give(self.waiting.pop(0))

    @on(ANY, Release)
    def released(self, m, q):
        """Its permission is free for the next.

        sends Grant: Its permission is free, and goes to the oldest request that waits.
        otherwise: Its permission has come back.
        """
        if m.ts == self.given:
            self.give(self.waiting.pop(0) if self.waiting else None)

    @on(HELD, (Use, Leave))
    def leave(self):
        """It gives the resource and all permissions back.

        always: It gives the resource and all permissions back.
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
        """It wants the resource or has it already."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def quorum(self):
        """My row and my column in a square of all names."""
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
        """Send m to q; what it tells itself, it does at once."""
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
    """The order of requests: the smaller clock first, of equal ones the lower name."""
    return ts[0], natural(ts[1])


@always("at most one process is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@always("nobody is in the critical section without the permission of its whole quorum")
def permitted(c):
    return all(c.process(q).given == p.ts for p in c.processes if p.state == HELD for q in p.quorum())


@eventually("everybody who asks gets it")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, nobody is left in the critical section")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("all permissions are back")
def back(c):
    return not any(p.given or p.waiting for p in c.processes)
