"""Lamport's mutual exclusion: everybody keeps the same queue.

Processes compete for a resource that only one of them may have; requests stand in a queue of which everybody has a
copy, ordered by logical clocks.

Who wants the resource puts its request into all queues.  It enters when its request is the first in its own queue and
it has heard something later from everybody: then no older request can still be on its way.

Pseudo-code (every message carries the clock of its sender, and moves that of its receiver: clock := max + 1)::

    released, Think:              clock := clock + 1; put (clock, me) into the queue;
                                  send Request to all others; become wanted; enter
    any, Request from q:          put (its clock, q) into the queue; send Reply to q; enter
    any, Reply from q:            enter
    any, Release from q:          take the request of q out of the queue; enter
    held, Use:                    take my request out of the queue; send Release to all others; become released
    enter:                        if wanted, my request is the first in the queue, and from everybody a message with a
                                  later stamp than my request's has come: become held

Needs a complete network with links that keep the order and lose nothing, distinct names, and no crashes.  Every
initiator wants the resource, again and again, and whoever is told Want; nobody more than ``entries`` times.  The
book's clock is called ``time`` here.  A later Request of q counts as having heard from q, as in the paper; the Reply
is sent all the same.
Complexity: 3(n - 1) messages for an entry, whatever the load; one time unit from one holder to the next.

Reference: L. Lamport, Time, clocks, and the ordering of events in a distributed system, Communications of the ACM 21
(1978); M. Raynal, Distributed Algorithms for Message-Passing Systems, chapter 10.
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
    """'Put me into your queue.'"""

    time: int


class Reply(Message):
    """'You stand in my queue.'"""

    time: int


class Release(Message):
    """'Take me out of your queue.'"""

    time: int


class Think(Timer):
    """It wants the resource (again)."""


class Use(Timer):
    """It has used the resource long enough."""


class Want(Command):
    """Its user wants the resource now."""


class Leave(Command):
    """Its user gives the resource back early."""


class LamportMutex(Process):
    title = "Lamport's mutual exclusion"
    needs = complete, two_way, named, fifo, reliable, no_crashes
    messages = "<= 3*(n - 1)*n*entries"

    state = RELEASED
    time: int = 0  # the logical clock
    queue: dict[str, int] = {}  # who wants the resource, and since when
    pending: set[str] = set()  # from whom nothing later than my request has come
    entered: int = 0
    sent: int = 0

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
        """It puts its request into all queues.

        notes: It has been in the critical section as often as it may, so it does not ask again.
        always: It puts its request into all queues.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
            return
        self.state = WANTED
        self.time += 1
        self.queue[self.me] = self.time
        self.pending = set(self.neighbours)
        self.tell(Request(self.time), self.neighbours)
        self.try_to_enter()

    @on(ANY, Request)
    def asked(self, m, q):
        """It puts the request into its queue and says so."""
        self.queue[q] = m.time
        self.heard(m, q)
        self.tell(Reply(self.time), [q])

    @on(ANY, Reply)
    def heard(self, m, q):
        """It moves its clock; if the message is later than its own request, no older one of q is under way.

        becomes held: The last answer that it waited for is here, and its own request is the oldest: it enters.
        changes pending: The message is later than its own request: no older one of {peer} is under way;
            {pending:answer is|answers are} missing.
        otherwise: Its clock moves past that of the message.
        """
        self.time = max(self.time, m.time) + 1
        if self.state == WANTED and older((self.queue[self.me], self.me), (m.time, q)):
            self.pending.discard(q)
        self.try_to_enter()

    @on(ANY, Release)
    def released(self, m, q):
        """It takes the request out of its queue; perhaps its own is the first now.

        becomes held: The request of {peer} leaves its queue; its own is the first now, and it enters.
        while wanted: The request of {peer} leaves its queue.
        otherwise: It takes the request out of its queue.
        """
        self.queue.pop(q, None)
        self.heard(m, q)

    @on(HELD, (Use, Leave))
    def leave(self):
        """It gives the resource back and takes its request out of all queues.

        always: It gives the resource back and takes its request out of all queues.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.time += 1
        del self.queue[self.me]
        self.tell(Release(self.time), self.neighbours)
        if self.initiator:
            self.start_thinking()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It wants the resource or has it already."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def tell(self, m, to):
        for q in to:
            self.send(m, to=q)
        self.sent += len(to)

    def try_to_enter(self):
        if self.state == WANTED and not self.pending:
            mine = (self.queue[self.me], self.me)
            if not any(older((time, q), mine) for q, time in self.queue.items()):
                self.enter()

    def start_thinking(self):
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)


def older(a, b):
    """Whether the request stamped a goes before that stamped b: of equal clocks the lower name."""
    return (a[0], natural(a[1])) < (b[0], natural(b[1]))


@always("at most one process is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@always("who is in the critical section asked before all who want to")
def oldest(c):
    stamps = {p: (p.queue[p.me], p.me) for p in c.processes if p.state != RELEASED and p.me in p.queue}
    return all(older(stamps[p], stamps[q]) for p in stamps for q in stamps if p.state == HELD and q.state == WANTED)


@eventually("everybody who asks gets it")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, nobody is left in the critical section")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("all queues are empty")
def empty(c):
    return not any(p.queue for p in c.processes)


@at_end("an entry takes 3(n - 1) messages")
def count(c):
    return sum(p.sent for p in c.processes) == 3 * (c.n - 1) * sum(p.entered for p in c.processes)
