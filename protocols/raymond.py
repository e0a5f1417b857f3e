"""Raymond: mutual exclusion on a tree in which each process knows the direction of the only token.

Processes of a tree compete for a resource that only the holder of the one token may use; requests travel along the tree
towards the token, and the token comes back the same way.

Each process keeps a queue of the neighbours that have asked it, including itself, and sends only one request for itself
and all of them.

Pseudo-code (holder: the neighbour in the direction of the token, or me; next step, after every event: if holder = me,
not held and the queue is not empty: remove its first element; if that is me: become held, else holder := that
neighbour, send Token to it.  Then, if holder /= me, the queue is not empty and no request is pending: send Request to
holder)::

    asleep, INIT:                 holder := me; send Begin to all neighbours; become released
    asleep, Begin from q:         holder := q; send Begin to all other neighbours; become released
    released, Think:              append me to the queue; become wanted; next step
    any, Request from q:          append q to the queue; next step
    any, Token:                   holder := me; next step
    held, Use:                    become released; next step

It needs a tree (whose initiator creates the token) with two-way FIFO links that lose nothing, and no crashes.  Once
awake, a ``keen`` process wants the resource again and again, and any other when it receives the command Want; none
enters more than ``entries`` times.
Complexity: n - 1 messages to begin; then a token and a request for every link on the path from one holder to the next:
at most 2D for an entry (D: links on the longest path), about 4 under heavy load.

Reference: K. Raymond, A tree-based algorithm for distributed mutual exclusion, ACM Transactions on Computer Systems 7
(1989).
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
    fifo,
    named,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    tree,
    two_way,
)

ASLEEP, RELEASED, WANTED, HELD = states(
    "asleep", "released", "wanted", "held",
    reads={"released": "is idle", "wanted": "wants the token", "held": "is in the critical section"},
)


class Begin(Message):
    """The announcement that the token is in the direction of the sender."""


class Request(Message):
    """The request for the token, for the sender or a process behind it."""


class Token(Message):
    """The token: the receiver may enter or pass it on."""


class Think(Timer):
    """The time at which the process next wants the resource."""


class Use(Timer):
    """The time at which the process leaves the critical section."""


class Want(Command):
    """The user's request for the resource now."""


class Leave(Command):
    """The user's request to release the resource early."""


class Raymond(Process):
    needs = tree, two_way, named, one_initiator, fifo, reliable, no_crashes
    messages = "<= n - 1 + 2*(n - 1)*n*entries"

    state = ASLEEP
    holder: str | None = None  # the neighbour in the direction of the token, or the process itself
    queue: list[str] = []  # neighbours that have asked, including the process itself
    asked: bool = False  # whether it has sent a request to the holder
    entered: int = 0

    entries = parameter(
        3, minimum=0, help="the most times that a process enters the critical section",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process next wants the resource")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    keen = parameter(True, help="whether processes want the resource on their own, or only when a user asks")

    @on(ASLEEP, INIT)
    def begin(self):
        """It creates the token and informs its neighbours of the token's direction.

        always:
        """
        self.awake(self.me)

    @on(ASLEEP, Begin)
    def hear(self, m, q):
        """It learns the direction of the token and informs its other neighbours."""
        self.awake(q)

    @on((RELEASED, WANTED, HELD), Begin)
    def knows(self, m, q):
        """It already knows the direction of the token, so this is possible only after a fault."""

    @on(RELEASED, (Think, Want))
    def want(self):
        """It joins its own queue.

        notes: It has entered the critical section as often as it may.
        becomes held: It has the unused token and enters the critical section.
        sends Request: It joins its own queue and asks for the token.
        otherwise: It joins its own queue; it has already asked for the token.
        """
        self.cancel_timer(Think)
        if self.entered >= self.entries:
            self.note("it has been in the critical section as often as it may")
            return
        self.state = WANTED
        self.queue.append(self.me)
        self.next_step()

    @on(ANY, Request)
    def asks(self, m, q):
        """A neighbour joins the queue.

        sends Token: It has the unused token and sends it to {peer}.
        while released and sends Request: Process {peer} joins the queue, and this process asks for the token on its
            behalf.
        while held: Process {peer} joins the queue and must wait until this process leaves.
        otherwise: A neighbour joins the queue.
        """
        self.queue.append(q)
        self.next_step()

    @on(ANY, Token)
    def get(self, m, q):
        """It has the token, which is for the first process in its queue.

        becomes held: It has the token and is the first in its own queue, so it enters the critical section.
        sends Token and sends Request: It sends the token on to the first in its queue and asks for it again at once.
        sends Token: It sends the token on to the first in its queue.
        """
        self.holder = self.me
        self.next_step()

    @on(HELD, (Use, Leave))
    def leave(self):
        """It leaves the critical section and sends the token to the first in its queue.

        sends Token and sends Request: It leaves the critical section, sends the token to the first in its queue and
            asks for it again at once.
        sends Token: It leaves the critical section and sends the token to the first in its queue.
        otherwise: It leaves the critical section and keeps the token, as no process has asked for it.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.next_step()
        self.start_thinking()

    @on((RELEASED, WANTED, HELD), INIT)
    def too_late(self):
        """It ignores this, as the token has already been created."""

    @on(ASLEEP, (Think, Want, Use, Leave))
    def still_asleep(self):
        """It does not know the direction of the token yet; its user must ask again."""

    @on((WANTED, HELD), (Think, Want))
    def already(self):
        """It already wants the resource or has it."""

    @on((RELEASED, WANTED), (Use, Leave))
    def nothing_to_leave(self):
        """It does not have the resource."""

    def awake(self, holder):
        self.holder = holder
        self.state = RELEASED
        for r in self.neighbours:
            if r != holder:
                self.send(Begin(), to=r)
        self.start_thinking()

    def next_step(self):
        if self.holder == self.me and self.state != HELD and self.queue:
            self.asked = False
            first = self.queue.pop(0)
            if first == self.me:
                self.enter()
            else:
                self.holder = first
                self.send(Token(), to=first)
        if self.holder != self.me and self.queue and not self.asked:
            self.asked = True
            self.send(Request(), to=self.holder)

    def start_thinking(self):
        if self.keen and self.entered < self.entries:
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
    tokens = sum(p.holder == p.me for p in c.processes) + sum(type(t.message) is Token for t in c.in_transit)
    return tokens <= 1 and all(p.holder == p.me for p in c.processes if p.state == HELD)


@always("the pointers lead to the token")
def towards(c):
    moving = {frozenset((t.sender.me, t.receiver.me)) for t in c.in_transit if type(t.message) is Token}
    for p in c.processes:
        for _ in range(c.n):
            if p.holder is None or p.holder == p.me or {p.me, p.holder} in moving:
                break
            p = c.process(p.holder)
        else:
            return False
    return True


@always("no process is in a queue twice")
def once(c):
    return all(len(set(p.queue)) == len(p.queue) for p in c.processes)


@eventually("every request is served")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, and the critical section is empty")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))
