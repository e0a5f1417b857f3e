"""Lai-Yang snapshot: colours instead of order.

Processes pay each other money; a snapshot finds out how much there is in all, on links that may reorder messages.

Every message carries the colour of its sender.  White processes become red when they record their state, and whoever
gets something red records first.  White money that reaches a red process was in the channel: it is found by comparing
what one end has sent white with what the other end has received before it became red.
The initiator begins with the snapshot ``begin`` time units after its first payment; the payments are those of
chandy-lamport.  Here the histories go to the neighbour at the other end (Turned), which also makes sure that everybody
becomes red; in the paper, everything goes to one collector.

Pseudo-code::

    record:                               record the own state; send Turned(what I paid q while white) to each q
    white, begin:                         record; become red
    white, anything red:                  record; become red; then as below
    any, Payment from q:                  if it is white and I am white: add it to what I got from q
    red, Turned(history) from q:          the channel from q held history minus what I got from q while white
    red, all channels known:              become complete

Needs a connected network, two-way links that lose nothing, names, and one initiator; order does not matter.
Complexity: 2m messages for the histories; each payment carries one bit more.  The payments are 2m(hops + 1).

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
    reads={"white": "is not yet recorded", "red": "is recorded"},
)
SAVINGS = 100  # what everybody has in the beginning


class Payment(Message):
    """Money on its way, with the colour of its sender."""

    amount: int
    hops: int
    red: bool


class Turned(Message):
    """'I have recorded my state'; what the sender had paid the receiver by then.  It is red itself."""

    history: list[int]


class Begin(Timer):
    """It is time for a snapshot."""


class LaiYang(Process):
    title = "Lai-Yang snapshot"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes
    messages = "2*m*(hops + 2)"

    state = WHITE
    money: int = SAVINGS
    paying: bool = False  # whether I have begun to pay
    paid: dict[str, list[int]] = {}  # neighbour -> what I paid it while I was white
    got: dict[str, list[int]] = {}  # neighbour -> what it paid me while both of us were white
    recorded: int | None = None  # the snapshot: my money,
    channels: dict[str, list[int]] = {}  # and the payments that were on their way to me

    hops = parameter(3, minimum=0, maximum=50, help="how often a payment is passed on")
    begin = parameter(2.0, minimum=0.0, maximum=1000.0, help="when the initiator begins with the snapshot")

    @on(WHITE, INIT)
    def start(self):
        """It pays its neighbours, and will take a snapshot.

        always:
        """
        self.pay_all()
        self.set_timer(Begin(), after=self.begin)

    @on(ANY, INIT)
    def started(self):
        """The snapshot is being taken already."""

    @on(WHITE, Begin)
    def record(self):
        """It records its state and is red from now."""
        self.recorded = self.money
        self.state = RED
        for r in self.neighbours:
            self.send(Turned(self.paid.get(r, [])), to=r)

    @on(ANY, Begin)
    def begun(self):
        """The snapshot has begun already."""

    @on(ANY, Payment)
    def receive(self, m, q):
        """Money comes, after the recording if it is red; it goes on if it is to.

        becomes red: The money is red: it records its own state first, then takes the money.
        sends Payment: Money comes, and some goes on.
        otherwise: Money comes and stays here.
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

        becomes complete: The last list of messages is here: its part of the snapshot is complete.
        becomes red: {peer} has recorded: it records its own state, and learns what {peer} sent before the cut.
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
        """A second history; it happens only when something was broken."""
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
    """The directed links between processes that have recorded their state."""
    return [(p, c.process(q)) for p in c.processes if p.recorded is not None for q in p.neighbours
            if c.process(q).recorded is not None]  # fmt: skip


@always("no money is made")
def none_made(c):
    way = sum(t.message.amount for t in c.in_transit if type(t.message) is Payment)
    return sum(p.money for p in c.processes) + way <= SAVINGS * c.n


@at_end("no money is lost")
def none_lost(c):
    return sum(p.money for p in c.processes) == SAVINGS * c.n


@always("the cut is consistent: what was received before it was sent before it")
def consistent(c):
    return all(
        q.got.get(p.me, []).count(amount) <= p.paid.get(q.me, []).count(amount)
        for p, q in links(c)
        for amount in q.got.get(p.me, [])
    )


@always("a known channel holds what was sent before the cut and not received before it")
def channel(c):
    return all(
        sum(q.channels[p.me]) == sum(p.paid.get(q.me, [])) - sum(q.got.get(p.me, []))
        for p, q in links(c)
        if p.me in q.channels
    )


@eventually("the snapshot is complete, and all money is in it")
def complete(c):
    return all(p.state == COMPLETE for p in c.processes) and SAVINGS * c.n == sum(
        p.recorded + sum(sum(sums) for sums in p.channels.values()) for p in c.processes
    )
