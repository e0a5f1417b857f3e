"""Lamport's mutual exclusion: all processes keep a copy of one queue of requests, ordered by logical clocks.

Processes compete for a resource that only one of them may have.

A process that wants the resource puts its request into all queues.  It enters when its request is the first in its own
queue and it has received a message with a later stamp from every other process: then no older request can still be in
transit.

Pseudo-code (each message carries the clock of its sender; at its receiver clock := max + 1)::

    released, Think:              clock := clock + 1; put (clock, me) into the queue;
                                  send Request to all others; become wanted; enter
    any, Request from q:          put (its clock, q) into the queue; send Reply to q; enter
    any, Reply from q:            enter
    any, Release from q:          remove the request of q from the queue; enter
    held, Use:                    remove its own request from the queue; send Release to all others; become released
    enter:                        if wanted, its own request is the first in the queue, and a message with a later stamp
                                  has arrived from every other process: become held

It needs a complete network with FIFO links that lose nothing, distinct names, and no crashes.  Each initiator wants the
resource again and again, and any other process when it receives the command Want; none enters more than ``entries``
times.  Lamport's clock is called ``time`` here.  As in the paper, a later Request from q counts as a later message; the
Reply is sent all the same.
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
    """The sender's request, which the receiver puts into its queue; carries the sender's Lamport time."""

    time: int


class Reply(Message):
    """The answer that the receiver's request is in the sender's queue; carries the sender's Lamport time."""

    time: int


class Release(Message):
    """The order to remove the sender's request from the queue; carries the sender's Lamport time."""

    time: int


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


class LamportMutex(Process):
    title = "Lamport's mutual exclusion"
    needs = complete, two_way, named, fifo, reliable, no_crashes
    messages = "<= 3*(n - 1)*n*entries"

    state = RELEASED
    time: int = 0  # the logical clock
    queue: dict[str, int] = {}  # the processes that want the resource, with their stamps
    pending: set[str] = set()  # processes that have sent nothing later than its request
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
        """It puts its request into all queues.

        notes: It has entered the critical section as often as it may, so it does not ask again.
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
        """It puts the request into its queue and confirms this."""
        self.queue[q] = m.time
        self.heard(m, q)
        self.tell(Reply(self.time), [q])

    @on(ANY, Reply)
    def heard(self, m, q):
        """It advances its clock; if the message is later than its own request, no older one from the sender can follow.

        becomes held: It has the last message that it waited for, and its own request is the oldest: it
            enters the critical section.
        changes pending: The message is later than its own request, so no older request of {peer} can follow;
            {pending:answer is|answers are} missing.
        otherwise: It advances its clock beyond the stamp of the message.
        """
        self.time = max(self.time, m.time) + 1
        if self.state == WANTED and older((self.queue[self.me], self.me), (m.time, q)):
            self.pending.discard(q)
        self.try_to_enter()

    @on(ANY, Release)
    def released(self, m, q):
        """It removes the request from its queue; its own may now be the first.

        becomes held: It removes the request of {peer} from its queue; its own is now the first, and it enters
            the critical section.
        while wanted: It removes the request of {peer} from its queue.
        otherwise: It removes the request from its queue.
        """
        self.queue.pop(q, None)
        self.heard(m, q)

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and removes its request from all queues.

        always: It leaves the critical section and removes its request from all queues.
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
        """It already wants the resource or has it."""

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
    """Return whether the request stamped a precedes the one stamped b; the lower name breaks ties."""
    return (a[0], natural(a[1])) < (b[0], natural(b[1]))


@always("at most one process is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@always("a process in the critical section asked before all that wait")
def oldest(c):
    stamps = {p: (p.queue[p.me], p.me) for p in c.processes if p.state != RELEASED and p.me in p.queue}
    return all(older(stamps[p], stamps[q]) for p in stamps for q in stamps if p.state == HELD and q.state == WANTED)


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))


@at_end("all queues are empty")
def empty(c):
    return not any(p.queue for p in c.processes)


@at_end("an entry takes 3(n - 1) messages")
def count(c):
    return sum(p.sent for p in c.processes) == 3 * (c.n - 1) * sum(p.entered for p in c.processes)
