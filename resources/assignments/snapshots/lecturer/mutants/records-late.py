"""It records only when the markers of all its neighbours have arrived."""

from lydian import (
    INIT,
    Message,
    Process,
    Timer,
    connected,
    fifo,
    named,
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
    two_way,
)

RUNNING, RECORDING, RECORDED = states(
    "running", "recording", "recorded",
    reads={
        "running": "has not recorded its state", "recording": "is recording channels",
        "recorded": "has completed its part",
    },
)  # fmt: skip


class Payment(Message):
    """A sum of money, and how often it is still to be passed on."""

    amount: int
    hops: int


class Marker(Message):
    """'I sent every message before this one before I recorded my state, and every message after it afterwards.'"""


class Begin(Timer):
    """The time at which an initiator begins the snapshot."""


class Snapshot(Process):
    title = "Snapshots"
    needs = connected, two_way, fifo, named, some_initiator, reliable, no_crashes

    state = RUNNING
    money: int = 100
    paying: bool = False  # whether it has begun to pay
    paid: dict[str, int] = {}  # neighbour -> how much it has paid this neighbour
    got: dict[str, int] = {}  # neighbour -> how much it has received from this neighbour
    recorded: int | None = None  # the snapshot: its money,
    paid_then: dict[str, int] = {}  # what it had paid
    got_then: dict[str, int] = {}  # and received when it recorded,
    channels: dict[str, list[int]] = {}  # and the payments that were in transit to it
    early: set[str] = set()  # neighbours whose markers arrived before it recorded
    open: set[str] = set()  # neighbours whose markers have not arrived

    hops = parameter(2, minimum=0, maximum=20, help="how often a payment is passed on")
    begin = parameter(2.0, minimum=0.0, maximum=1000.0, help="when an initiator begins the snapshot")

    @on(RUNNING, INIT)
    def start(self):
        """It makes its first payments, and sets the timer for the snapshot."""
        self.pay_all()
        self.set_timer(Begin(), after=self.begin)

    @on((RUNNING, RECORDED), Payment)
    def paid_by(self, m, q):
        """It receives a payment from its neighbour q."""
        self.receive(m, q)

    @on(RECORDING, Payment)
    def paid_meanwhile(self, m, q):
        """It receives a payment, which was in transit if the channel is still open."""
        if q in self.open:
            self.channels[q].append(m.amount)
        self.receive(m, q)

    @on(RUNNING, Begin)
    def take(self):
        """It begins the snapshot."""
        self.record()

    @on((RECORDING, RECORDED), Begin)
    def begun(self):
        """The snapshot has already begun."""

    @on(RUNNING, Marker)
    def first_marker(self, m, q):
        """It records when the last marker arrives."""
        self.early.add(q)
        if self.early == set(self.neighbours):
            self.record()
            for r in self.neighbours:
                self.close(m, r)

    @on(RECORDING, Marker)
    def close(self, m, q):
        """The channel from q is closed."""
        self.open.discard(q)
        if not self.open:
            self.state = RECORDED
            self.decide(self.recorded + sum(sum(amounts) for amounts in self.channels.values()))

    def record(self):
        self.save()
        self.state = RECORDING
        self.channels = {r: [] for r in self.neighbours}
        self.open = set(self.neighbours)
        for r in self.neighbours:
            self.send(Marker(), to=r)

    def save(self):
        """Save the state of the process."""
        self.recorded, self.paid_then, self.got_then = self.money, dict(self.paid), dict(self.got)

    def receive(self, m, q):
        """Book a payment, and pass it on if any hops are left."""
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
