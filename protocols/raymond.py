"""Raymond: everybody knows in which direction the token lies.

Processes of a tree compete for a resource that only the holder of the one token may use; requests go along the tree
towards the token, the token comes back the same way.

Each process keeps a queue of the neighbours that asked it, itself among them, and asks for itself and all of them
together only once.

Pseudo-code (holder: the neighbour in whose direction the token lies, or me; next step, after every event:
if holder = me, I am not held and the queue is not empty: take its first off; if it is me: become held, else
holder := it, send Token to it.  Then, if holder is not me, the queue is not empty, and I have not asked:
send Request to holder)::

    asleep, INIT:                 holder := me; send Begin to all neighbours; become released
    asleep, Begin from q:         holder := q; send Begin to all other neighbours; become released
    released, Think:              append me to the queue; become wanted; next step
    any, Request from q:          append q to the queue; next step
    any, Token:                   holder := me; next step
    held, Use:                    become released; next step

Needs a tree (initiator: who makes the token) with two-way links that lose nothing and keep the order, and no
crashes.  Once awake, who is ``keen`` wants the resource again and again, others when told Want; nobody more than
``entries`` times.
Complexity: n - 1 messages to begin; then a token and a request for every link on the way from one holder to the next:
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
    """'The token lies on my side.'"""


class Request(Message):
    """'Somebody on my side wants the token.'"""


class Token(Message):
    """The right to enter, or to pass it on."""


class Think(Timer):
    """It wants the resource (again)."""


class Use(Timer):
    """It has used the resource long enough."""


class Want(Command):
    """Its user wants the resource now."""


class Leave(Command):
    """Its user gives the resource back early."""


class Raymond(Process):
    needs = tree, two_way, named, one_initiator, fifo, reliable, no_crashes
    messages = "<= n - 1 + 2*(n - 1)*n*entries"

    state = ASLEEP
    holder: str | None = None  # in whose direction the token lies
    queue: list[str] = []  # who has asked me, I among them
    asked: bool = False  # whether I have asked the holder
    entered: int = 0

    entries = parameter(
        3, minimum=0, help="how often a process enters the critical section at most",
        reached=lambda p: p.entered >= p.entries,
    )
    think = parameter(10.0, minimum=0.0, help="mean time until a process wants the resource (again)")
    use = parameter(3.0, minimum=0.0, help="mean time in the critical section")
    keen = parameter(True, help="whether processes want the resource by themselves, or only for their users")

    @on(ASLEEP, INIT)
    def begin(self):
        """It makes the token and tells its neighbours on which side it lies.

        always:
        """
        self.awake(self.me)

    @on(ASLEEP, Begin)
    def hear(self, m, q):
        """The token lies in the direction of q; it tells those on the other sides."""
        self.awake(q)

    @on((RELEASED, WANTED, HELD), Begin)
    def knows(self, m, q):
        """It knows already; this happens only when something was broken."""

    @on(RELEASED, (Think, Want))
    def want(self):
        """It joins its own queue.

        notes: It has been in the critical section as often as it may.
        becomes held: The token is here and unused: it enters.
        sends Request: It joins its own queue and asks for the token.
        otherwise: It joins its own queue; the token has been asked for already.
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

        sends Token: {peer} wants the token, which is here and unused: it goes there.
        while released and sends Request: {peer} joins the queue, and this process asks for the token in its place.
        while held: {peer} joins the queue and has to wait until it leaves.
        otherwise: A neighbour joins the queue.
        """
        self.queue.append(q)
        self.next_step()

    @on(ANY, Token)
    def get(self, m, q):
        """The token comes; it is for the first in the queue.

        becomes held: The token comes, and it is the first in its own queue: it enters.
        sends Token and sends Request: The token comes and goes on to the first in the queue; it is asked for again at
            once.
        sends Token: The token comes and goes on to the first in the queue.
        """
        self.holder = self.me
        self.next_step()

    @on(HELD, (Use, Leave))
    def leave(self):
        """It gives the resource back; the token goes to the first in the queue.

        sends Token and sends Request: It gives the resource back; the token goes to the first in the queue, and is
            asked for again at once.
        sends Token: It gives the resource back; the token goes to the first in the queue.
        otherwise: It gives the resource back and keeps the token: nobody has asked for it.
        """
        self.cancel_timer(Use)
        self.state = RELEASED
        self.next_step()
        self.start_thinking()

    @on((RELEASED, WANTED, HELD), INIT)
    def too_late(self):
        """The token has been made already."""

    @on(ASLEEP, (Think, Want, Use, Leave))
    def still_asleep(self):
        """It has not heard of the token yet; its user has to ask again."""

    @on((WANTED, HELD), (Think, Want))
    def already(self):
        """It wants the resource or has it already."""

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


@always("there is never more than one token, and who is in the critical section has it")
def one_token(c):
    tokens = sum(p.holder == p.me for p in c.processes) + sum(type(t.message) is Token for t in c.in_transit)
    return tokens <= 1 and all(p.holder == p.me for p in c.processes if p.state == HELD)


@always("whoever follows the pointers comes to the token")
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


@always("nobody stands twice in a queue")
def once(c):
    return all(len(set(p.queue)) == len(p.queue) for p in c.processes)


@eventually("everybody who asks gets it")
def served(c):
    return all(p.state != WANTED for p in c.processes if not c.crashed(p))


@at_end("nothing is in transit, nobody is left in the critical section")
def silent(c):
    return not c.in_transit and all(p.state != HELD for p in c.processes if not c.crashed(p))
