"""Chandy-Lamport snapshot: record a consistent configuration of a system that keeps running.

Processes pay each other money; a snapshot determines the total amount while payments are in transit.

A process that records its own state then sends a marker on every link.  A process that receives its first marker
records as well.  Payments that q receives on a link after it has recorded and before the marker of this link arrives
were in transit: they are recorded as the state of the channel.  The initiator starts the snapshot ``begin`` time units
after its first payment.
The payments: the initiator, and every other process when it first receives money, pays its neighbours 1, 2, 3 ...; each
sum is passed on to a neighbour chosen at random until it has been passed on ``hops`` times.

Pseudo-code (Tel, algorithm 10.2)::

    record:                            record my own state; send Marker to all neighbours
    white, begin:                      record; become recording
    white, Marker from q:              record; the channel from q is empty and closed; become recording
    recording, Marker from q:          the channel from q is closed
    recording, message from q:         add it to the channel from q, if that is open
    recording, all channels closed:    become recorded

Needs a connected network with two-way links that are FIFO and reliable, names, and one initiator.
Complexity: 2m markers; the payments that are made here take 2m(hops + 1) messages.

Reference: K. M. Chandy and L. Lamport, Distributed snapshots, ACM Transactions on Computer Systems 3 (1985); G. Tel,
Introduction to Distributed Algorithms, 2nd edition, section 10.3.1, algorithm 10.2.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    connected,
    eventually,
    fifo,
    named,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

WHITE, RECORDING, RECORDED = states(
    "white", "recording", "recorded",
    reads={
        "white": "has not recorded its state",
        "recording": "is recording channels",
        "recorded": "has finished recording",
    },
)
SAVINGS = 100  # the money that each process has at the start


class Payment(Message):
    """A sum of money; says how often it is still to be passed on."""

    amount: int
    hops: int


class Marker(Message):
    """'All that I sent on this link before the marker precedes the snapshot.'"""


class Begin(Timer):
    """The time at which the initiator starts the snapshot."""


class ChandyLamport(Process):
    title = "Chandy-Lamport snapshot"
    needs = connected, two_way, fifo, named, one_initiator, reliable, no_crashes
    messages = "2*m*(hops + 2)"

    state = WHITE
    money: int = SAVINGS
    paying: bool = False  # whether I have begun to pay
    paid: dict[str, int] = {}  # neighbour -> how much I have paid it
    got: dict[str, int] = {}  # neighbour -> how much it has paid me
    recorded: int | None = None  # the snapshot: my money,
    paid_then: dict[str, int] = {}  # what I had paid
    got_then: dict[str, int] = {}  # and received by then,
    channels: dict[str, list[int]] = {}  # and the payments that were in transit to me
    pending: set[str] = set()  # neighbours whose markers have not arrived

    hops = parameter(3, minimum=0, maximum=50, help="how often a payment is passed on")
    begin = parameter(2.0, minimum=0.0, maximum=1000.0, help="when the initiator starts the snapshot")

    @on(WHITE, INIT)
    def start(self):
        """It pays its neighbours and sets the timer for the snapshot."""
        self.pay_all()
        self.set_timer(Begin(), after=self.begin)

    @on(ANY, INIT)
    def started(self):
        """The snapshot has already begun here."""

    @on(WHITE, Begin)
    def take(self):
        """It starts the snapshot."""
        self.record()

    @on(ANY, Begin)
    def begun(self):
        """The snapshot has already begun."""

    @on(WHITE, Marker)
    def first_marker(self, m, q):
        """It receives its first marker and records; the channel from the sender is empty."""
        self.record()
        self.close(m, q)

    @on(RECORDING, Marker)
    def close(self, m, q):
        """It closes the channel: the payments that were in it are known.

        becomes recorded: The channel from {peer} is closed, the last one: its part of the snapshot is complete.
        otherwise: The channel from {peer} is closed; {pending:channel is|channels are} still open.
        """
        self.pending.discard(q)
        if not self.pending:
            self.state = RECORDED
            self.decide(self.recorded + sum(sum(sums) for sums in self.channels.values()))

    @on(RECORDED, Marker)
    def surplus(self, m, q):
        """It receives a second marker, which happens only after a fault."""
        self.note(f"unexpected marker from {q}")

    @on(RECORDING, Payment)
    def record_channel(self, m, q):
        """It receives money, which was in the channel if the sender's marker has not arrived.

        changes channels: The marker from {peer} has not arrived: this money was in the channel.
        otherwise: The channel from {peer} is already closed: this money was sent after the snapshot.
        """
        if q in self.pending:
            self.channels[q].append(m.amount)
        self.receive(m, q)

    @on(ANY, Payment)
    def receive(self, m, q):
        """It receives money and passes it on if any hops are left.

        sends Payment: It receives money and makes payments.
        otherwise: It receives money and keeps it.
        """
        self.money += m.amount
        self.got[q] = self.got.get(q, 0) + m.amount
        if not self.paying:
            self.pay_all()
        if m.hops > 0:
            self.pay(m.amount, m.hops - 1, self.random.choice(self.neighbours))

    def pay_all(self):
        self.paying = True
        for amount, r in enumerate(self.neighbours, 1):
            self.pay(amount, self.hops, r)

    def pay(self, amount, hops, r):
        self.money -= amount
        self.paid[r] = self.paid.get(r, 0) + amount
        self.send(Payment(amount, hops), to=r)

    def record(self):
        self.recorded, self.paid_then, self.got_then = self.money, dict(self.paid), dict(self.got)
        self.channels = {r: [] for r in self.neighbours}
        self.pending = set(self.neighbours)
        self.state = RECORDING
        for r in self.neighbours:
            self.send(Marker(), to=r)


def links(c):
    """Return the directed links between processes that have recorded their states."""
    return [(p, c.process(q)) for p in c.processes if p.recorded is not None for q in p.neighbours
            if c.process(q).recorded is not None]  # fmt: skip


@always("no money is created")
def none_made(c):
    way = sum(t.message.amount for t in c.in_transit if type(t.message) is Payment)
    return sum(p.money for p in c.processes) + way <= SAVINGS * c.n


@at_end("no money is lost")
def none_lost(c):
    return sum(p.money for p in c.processes) == SAVINGS * c.n


@always("the cut is consistent: each payment received before it was sent before it")
def consistent(c):
    return all(q.got_then.get(p.me, 0) <= p.paid_then.get(q.me, 0) for p, q in links(c))


@always("a closed channel contains each payment that was sent before the cut and not received before it")
def channel(c):
    return all(
        sum(q.channels[p.me]) == p.paid_then.get(q.me, 0) - q.got_then.get(p.me, 0)
        for p, q in links(c)
        if p.me not in q.pending
    )


@eventually("the snapshot is complete and contains all money")
def complete(c):
    return all(p.state == RECORDED for p in c.processes) and SAVINGS * c.n == sum(
        p.recorded + sum(sum(sums) for sums in p.channels.values()) for p in c.processes
    )
