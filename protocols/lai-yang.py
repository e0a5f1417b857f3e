"""Lai-Yang snapshot: colours replace FIFO order.

Processes pay each other money; a snapshot determines the total amount, on links that may reorder messages.

Each message carries the colour of its sender.  A white process becomes red when it records its state, and a white
process that receives a red message records first.  White money that reaches a red process was in the channel: it is
found by comparing what one end sent while white with what the other end received before it became red.
The initiator starts the snapshot ``begin`` time units after its first payment; the payments are those of
chandy-lamport.  Here each process sends its history to the neighbour at the other end (Turned), so that each process
becomes red; in the paper, all histories are sent to one collector.

Pseudo-code::

    record:                               record my own state; send Turned(what I paid q while white) to each q
    white, begin:                         record; become red
    white, anything red:                  record; become red; then as below
    any, Payment from q:                  if it is white and I am white: add it to what I received from q
    red, Turned(history) from q:          the channel from q held history minus what I received from q while white
    red, all channels known:              become complete

Needs a connected network with two-way reliable links, names, and one initiator; order does not matter.
Complexity: 2m messages for the histories, one extra bit in each payment.  The payments take 2m(hops + 1) messages.

Reference: T. H. Lai and T. H. Yang, On distributed snapshots, Information Processing Letters 25 (1987); G. Tel,
Introduction to Distributed Algorithms, 2nd edition, section 10.3.2; Kshemkalyani and Singhal, Distributed Computing
(2008), section 4.4.1.
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
    named,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

WHITE, RED, COMPLETE = states(
    "white", "red", "complete",
    reads={"white": "has not recorded its state", "red": "has recorded its state"},
)
SAVINGS = 100  # the money that each process has at the start


class Payment(Message):
    """A sum of money with the colour of its sender; says how often it is still to be passed on."""

    amount: int
    hops: int
    red: bool


class Turned(Message):
    """'I have recorded my state'; carries what the sender had paid the receiver by then, and counts as red."""

    history: list[int]


class Begin(Timer):
    """The time at which the initiator starts the snapshot."""


class LaiYang(Process):
    title = "Lai-Yang snapshot"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes
    messages = "2*m*(hops + 2)"

    state = WHITE
    money: int = SAVINGS
    paying: bool = False  # whether I have begun to pay
    paid: dict[str, list[int]] = {}  # neighbour -> the sums I paid it while I was white
    got: dict[str, list[int]] = {}  # neighbour -> the sums it paid me while both of us were white
    recorded: int | None = None  # the snapshot: my money,
    channels: dict[str, list[int]] = {}  # and the payments that were in transit to me

    hops = parameter(3, minimum=0, maximum=50, help="how often a payment is passed on")
    begin = parameter(2.0, minimum=0.0, maximum=1000.0, help="when the initiator starts the snapshot")

    @on(WHITE, INIT)
    def start(self):
        """It pays its neighbours and sets the timer for the snapshot.

        always:
        """
        self.pay_all()
        self.set_timer(Begin(), after=self.begin)

    @on(ANY, INIT)
    def started(self):
        """The snapshot has already begun here."""

    @on(WHITE, Begin)
    def record(self):
        """It records its state and becomes red."""
        self.recorded = self.money
        self.state = RED
        for r in self.neighbours:
            self.send(Turned(self.paid.get(r, [])), to=r)

    @on(ANY, Begin)
    def begun(self):
        """The snapshot has already begun."""

    @on(ANY, Payment)
    def receive(self, m, q):
        """It receives money, after recording if the money is red, and passes it on if any hops are left.

        becomes red: The money is red: it records its own state before it accepts the money.
        sends Payment: It receives money and makes payments.
        otherwise: It receives money and keeps it.
        """
        if m.red and self.state == WHITE:
            self.record()
        if not m.red and self.state == WHITE:
            self.got.setdefault(q, []).append(m.amount)
        self.money += m.amount
        if not self.paying:
            self.pay_all()
        if m.hops > 0:
            self.pay(m.amount, m.hops - 1, self.random.choice(self.neighbours))

    @on((WHITE, RED), Turned)
    def compare(self, m, q):
        """It learns what was sent to it before the cut; what it had not received by then was in the channel.

        becomes complete: The last history has arrived: its part of the snapshot is complete.
        becomes red: Process {peer} has recorded: it records its own state, and learns what {peer} sent before the cut.
        otherwise: It learns what {peer} sent before the cut; what it had not received by then was in the
            channel.
        """
        if self.state == WHITE:
            self.record()
        self.channels[q] = list(m.history)
        for amount in self.got.get(q, []):
            if amount in self.channels[q]:
                self.channels[q].remove(amount)
        if len(self.channels) == len(self.neighbours):
            self.state = COMPLETE
            self.decide(self.recorded + sum(sum(sums) for sums in self.channels.values()))

    @on(COMPLETE, Turned)
    def surplus(self, m, q):
        """It receives a second history, which happens only after a fault."""
        self.note(f"unexpected history from {q}")

    def pay_all(self):
        self.paying = True
        for amount, r in enumerate(self.neighbours, 1):
            self.pay(amount, self.hops, r)

    def pay(self, amount, hops, r):
        self.money -= amount
        if self.state == WHITE:
            self.paid.setdefault(r, []).append(amount)
        self.send(Payment(amount, hops, self.state != WHITE), to=r)


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
    return all(
        q.got.get(p.me, []).count(amount) <= p.paid.get(q.me, []).count(amount)
        for p, q in links(c)
        for amount in q.got.get(p.me, [])
    )


@always("a known channel contains each payment that was sent before the cut and not received before it")
def channel(c):
    return all(
        sum(q.channels[p.me]) == sum(p.paid.get(q.me, [])) - sum(q.got.get(p.me, []))
        for p, q in links(c)
        if p.me in q.channels
    )


@eventually("the snapshot is complete and contains all money")
def complete(c):
    return all(p.state == COMPLETE for p in c.processes) and SAVINGS * c.n == sum(
        p.recorded + sum(sum(sums) for sums in p.channels.values()) for p in c.processes
    )
