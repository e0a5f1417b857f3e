"""Total order from consensus: the processes agree, batch after batch, on what is delivered next.

All correct processes deliver the same messages in the same order, although some crash.

Messages are spread by reliable broadcast.  A process proposes all messages that are not yet ordered to the next
instance of consensus; the batch on which the processes agree is delivered in a fixed order.

Pseudo-code (three parts of one process, from top to bottom)::

    total order:     broadcast(text): broadcast text reliably
                     text arrives: add it to unordered
                     no instance is in progress and unordered is not empty: propose unordered to instance k
                     instance k decides a batch: deliver its new messages in the order of their names; k := k + 1

    consensus k:     hierarchical: the processes have their turns in the order of names.  The process number i imposes
                     its proposal on the others, or the value imposed last by a process before it, when for each
                     process before it either its value has come or its crash was reported; then it decides this value.

    reliable broadcast: forward each message once (eager)

In this consensus a process decides the value that it imposes, and each correct process after it gets this value.  It is
not uniform: a process that crashes may have decided something else, and so the order is that of the correct processes.

Needs a complete network with reliable links and names, at least one initiator, and a perfect failure detector, which
reports a crash ``delay`` units after it.  Any number of processes may crash.
Complexity: n (n - 1) messages for each broadcast and n (n - 1) for each instance of consensus; there are at most as
many instances as messages, and one instance orders all that arrive while the one before it is in progress.

Reference: T. D. Chandra and S. Toueg, Unreliable failure detectors for reliable distributed systems, Journal of the ACM
43 (1996), section 7; C. Cachin, R. Guerraoui and L. Rodrigues, Introduction to Reliable and Secure Distributed
Programming, 2nd edition, 2011, algorithm 6.1 (Consensus-Based Total-Order Broadcast), over algorithms 3.3 and 5.2.
"""

from lydian import (
    ANY,
    INIT,
    Indication,
    Layer,
    Message,
    Process,
    Request,
    Timer,
    always,
    complete,
    detector,
    eventually,
    named,
    natural,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
)

CLEAR, ORDERING = states(
    "clear", "ordering",
    reads={"clear": "has delivered all that it knows", "ordering": "takes part in consensus"},
)


class Data(Message):
    """A message that is broadcast."""

    text: str


class Impose(Message):
    """The value that the sender decides in instance k, and imposes on the processes after it."""

    k: int
    batch: tuple[str, ...]


class Crash(Timer):
    """The report of the failure detector that process q has crashed."""

    q: str


class Send(Request):
    """Broadcast the text reliably."""

    text: str


class Arrived(Indication):
    """The text has arrived for the first time."""

    text: str


class Propose(Request):
    """Propose a batch to instance k of consensus."""

    k: int
    batch: tuple[str, ...]


class Decided(Indication):
    """Instance k of consensus has decided a batch."""

    k: int
    batch: tuple[str, ...]


class Wanted(Indication):
    """Another process has begun instance k of consensus, and waits for this one."""

    k: int


class Hierarchical(Layer):
    """Hierarchical consensus, many instances, one after the other."""

    k: int = 0  # the instance in progress; 0: none
    proposal: tuple[str, ...] = ()
    heard: dict[int, dict[str, tuple[str, ...]]] = {}  # instance -> process -> the value that it imposes
    crashed: set[str] = set()  # processes that the detector has reported

    delay = parameter(3.0, minimum=0.0, help="time after which the detector reports a crash")

    @on(ANY, Propose)
    def begin(self, r):
        """It takes part in an instance of consensus with its proposal."""
        self.k = r.k
        self.proposal = r.batch
        self.go_on()

    @on(ANY, Impose)
    def hear(self, m, q):
        """It notes the value that a process imposes.

        delivers: Its turn has come: it imposes the value of {peer} on all, and delivers the batch.
        otherwise: It notes the value; its turn in this instance has not come, or is over.
        """
        self.heard.setdefault(m.k, {})[q] = m.batch
        if m.k == self.k:
            self.go_on()
        elif self.k == 0:
            self.tell(Wanted(m.k))

    @on(ANY, Crash)
    def notice(self, m):
        """It learns that a process has crashed, and no longer waits for it.

        delivers: It was waiting for this process: its turn has come, and it delivers the batch.
        otherwise: It learns that a process has crashed.
        """
        self.crashed.add(m.q)
        if self.k:
            self.go_on()

    def go_on(self):
        everybody = sorted((self.me, *self.neighbours), key=natural)
        before = everybody[: everybody.index(self.me)]
        said = self.heard.get(self.k, {})
        for q in before:
            if q not in said and q not in self.crashed:
                self.watch(q, Crash(q), after=self.delay)
                return
        batch = next((said[q] for q in reversed(before) if q in said), self.proposal)
        for q in self.neighbours:
            self.send(Impose(self.k, batch), to=q)
        k, self.k = self.k, 0
        self.tell(Decided(k, batch))
        if k + 1 in self.heard:
            self.tell(Wanted(k + 1))


class Reliable(Layer):
    """Eager reliable broadcast: forward each message once."""

    known: set[str] = set()

    @on(ANY, Send)
    def begin(self, r):
        """It sends the message to all others, and hands it up.

        always:
        """
        self.take(r.text)

    @on(ANY, Data)
    def receive(self, m, q):
        """It forwards a message that is new to it, and hands it up; it ignores a copy.

        sends Data: The message is new: it forwards it, and will propose it for the next place in the order.
        nothing: It has received this message before and ignores the copy.
        """
        if m.text not in self.known:
            self.take(m.text)

    def take(self, text):
        self.known.add(text)
        for q in self.neighbours:
            self.send(Data(text), to=q)
        self.tell(Arrived(text))


class TotalOrder(Process):
    title = "Total order from consensus"
    needs = complete, named, some_initiator, reliable, detector
    layers = Hierarchical, Reliable
    messages = "<= 2*posts*n*n*(n - 1)"

    state = CLEAR
    sent: int = 0  # how many messages I have broadcast
    k: int = 0  # the number of instances that have decided
    unordered: set[str] = set()  # messages that have arrived and are not yet delivered
    log: list[str] = []  # what I have delivered, in this order

    posts = parameter(1, minimum=1, maximum=10, help="how many messages an initiator broadcasts")

    @on(ANY, INIT)
    def start(self):
        """It broadcasts its messages.

        always:
        """
        for _ in range(self.posts):
            self.sent += 1
            self.ask(Send(f"{self.me}.{self.sent}"))

    @on(ANY, Arrived)
    def arrived(self, r):
        """It will propose the message."""
        if r.text not in self.log:
            self.unordered.add(r.text)
        self.propose()

    @on(ANY, Wanted)
    def join(self, r):
        """It takes part in the next instance, even if it has nothing to propose."""
        if self.state == CLEAR and r.k == self.k + 1:
            self.begin()

    @on(ANY, Decided)
    def decided(self, r):
        """It delivers the batch in the order of names, and goes on with the next instance."""
        self.k = r.k
        self.state = CLEAR
        for text in sorted(r.batch, key=natural):
            if text not in self.log:
                self.log.append(text)
                self.deliver(text)
        self.unordered -= set(self.log)
        self.propose()

    def propose(self):
        if self.state == CLEAR and self.unordered:
            self.begin()

    def begin(self):
        self.state = ORDERING
        self.ask(Propose(self.k + 1, tuple(sorted(self.unordered, key=natural))))


@always("total order: of what two correct processes have delivered, one is a prefix of the other")
def total_order(c):
    longest = max((c.delivered[p] for p in c.correct), key=len, default=())
    return all(c.delivered[p] == longest[: len(c.delivered[p])] for p in c.correct)


@eventually("agreement: all correct processes have delivered the same messages")
def agreement(c):
    return len({c.delivered[p] for p in c.correct}) <= 1


@eventually("validity: a correct process delivers each message that it broadcasts")
def validity(c):
    return all(f"{p.me}.{k + 1}" in c.delivered[p] for p in c.correct for k in range(p.sent))


@always("integrity: a message is delivered at most once, and only if it was broadcast")
def integrity(c):
    posts = {f"{p.me}.{k + 1}" for p in c.processes for k in range(p.sent)}
    return all(posts.issuperset(said) and len(set(said)) == len(said) for said in c.delivered.values())
