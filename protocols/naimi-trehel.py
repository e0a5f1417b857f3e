"""Naimi-Trehel: mutual exclusion by a token, which requests find along pointers that they turn round.

Processes of a complete network compete for a resource that only the holder of the one token may use.

Each process remembers in ``last`` the process that, as far as it knows, asked last; requests follow these pointers.
The process that asked last is the root: it has no pointer.  A process that receives a request turns its pointer to the
process that asks, which is now the last to have asked.  The root remembers it in ``next``, and sends it the token after
its own use.  So the pointers are a tree, which changes its shape with each request, and the next pointers are a queue.

Pseudo-code (last = me at the root; token: whether I have it)::

    at the beginning:              last := the process with the lowest name, which has the token
    released, Think:               if last = me: become held
                                   else send Request(me) to last; last := me; become wanted
    any, Request(i):               if last /= me: send Request(i) to last
                                   else if released: send Token to i
                                   else next := i
                                   last := i
    wanted, Token:                 become held
    held, Use:                     become released; if there is a next: send Token to next; next := none

It needs a complete network with two-way links that lose nothing, distinct names, and no crashes; order does not matter.
Each initiator wants the resource again and again, and any other process when it receives the command Want; none enters
more than ``entries`` times.
Complexity: at most n messages for an entry, on average about log n: n - 1 steps of a request occur only if the
pointers form a line, and the request itself makes them short.

Reference: M. Naimi, M. Trehel and A. Arnold, A log(N) distributed mutual exclusion algorithm based on path reversal,
Journal of Parallel and Distributed Computing 34 (1996); M. Trehel and M. Naimi, 1987; M. Raynal, Distributed
Algorithms for Message-Passing Systems, chapter 5.
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
    reads={"released": "is idle", "wanted": "wants the token", "held": "is in the critical section"},
)


class Request(Message):
    """The request of process i for the token."""

    i: str


class Token(Message):
    """The token: the receiver may enter."""


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


def first(me, others):
    """Return the lowest of these names."""
    return min((me, *others), key=natural)


class NaimiTrehel(Process):
    title = "Naimi-Trehel"
    needs = complete, two_way, named, reliable, no_crashes
    messages = "<= n*n*entries"

    state = RELEASED
    last: str = variable(
        lambda p: first(p.me, p.neighbours)
    )  # the process that asked last, as far as I know; me if I am the root
    next: str | None = None  # the process that receives the token after me
    token: bool = variable(lambda p: first(p.me, p.neighbours) == p.me)  # whether I have the token
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
        """It enters if it is the root; otherwise it asks along its pointer, and becomes the root.

        notes: It has entered the critical section as often as it may.
        becomes held: It is the root and has the token: it enters the critical section.
        otherwise: It sends its request along its pointer, and is the root from now on.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
        elif self.last == self.me:
            self.enter()
        else:
            self.state = WANTED
            self.tell(Request(self.me), self.last)
            self.last = self.me

    @on(ANY, Request)
    def asked(self, m):
        """It passes the request on, or is the root; its pointer now leads to the process that asks.

        sends Request: It passes the request on along its pointer, and then turns its pointer to the process that asks.
        sends Token: It is the root and does not use the token: it sends it to the process that asks.
        otherwise: It is the root: the process that asks receives the token after it.
        """
        if self.last != self.me:
            self.tell(Request(m.i), self.last)
        elif self.state == RELEASED:
            self.token = False
            self.tell(Token(), m.i)
        else:
            self.next = m.i
        self.last = m.i

    @on(WANTED, Token)
    def get(self, m, q):
        """It has the token and enters the critical section."""
        self.token = True
        self.enter()

    @on((RELEASED, HELD), Token)
    def unexpected(self, m, q):
        """It has not asked for the token, so this is possible only after a fault."""
        self.note(f"unexpected token from {q}")

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and sends the token to the next process, if there is one.

        sends Token: It leaves the critical section and sends the token to the next process.
        otherwise: It leaves the critical section and keeps the token, as no process has asked for it.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        if self.next is not None:
            self.token = False
            self.tell(Token(), self.next)
            self.next = None
        if self.initiator:
            self.start_thinking()

    @on((WANTED, HELD), (INIT, Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def tell(self, m, q):
        self.send(m, to=q)
        self.sent += 1

    def start_thinking(self):
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.expovariate(1 / self.think) if self.think else 0)

    def enter(self):
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(2 / 3, 4 / 3) * self.use if self.use else 0)


@always("at most one process is in the critical section")
def mutual_exclusion(c):
    return sum(p.state == HELD for p in c.processes) <= 1


@always("there is at most one token, and a process in the critical section has it")
def one_token(c):
    tokens = sum(p.token for p in c.processes) + sum(type(t.message) is Token for t in c.in_transit)
    return tokens <= 1 and all(p.token for p in c.processes if p.state == HELD)


@always("the pointers lead to a root, without a cycle")
def forest(c):
    for p in c.processes:
        for _ in range(c.n):
            if p.last == p.me:
                break
            p = c.process(p.last)
        else:
            return False
    return True


@always("each request in transit has a root of its own, the process that asks, and there is one more")
def roots(c):
    moving = sum(type(t.message) is Request for t in c.in_transit)
    return sum(p.last == p.me for p in c.processes) >= 1 + moving


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))
