"""It signals its parent when its own work is done, and does not wait for the work that it gave away."""

from lydian import (
    INIT,
    Message,
    Process,
    Timer,
    connected,
    named,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

IDLE, ENGAGED, ANNOUNCED = states(
    "idle", "engaged", "announced",
    reads={"idle": "is idle", "engaged": "is engaged", "announced": "has announced termination"},
)  # fmt: skip


class Work(Message):
    """A piece of work, and how often it is still to be passed on."""

    hops: int


class Signal(Message):
    """'The work that you gave me is done, or another process is responsible for it.'"""


class Done(Timer):
    """The end of the work that a process is doing."""


class Termination(Process):
    title = "Termination detection"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes

    state = IDLE
    working: bool = False
    pieces: int = 0  # how many pieces of work it has begun
    spread: bool = False  # whether it has given work to all its neighbours, or is about to
    following: list[tuple[str, int]] = []  # the work that follows: neighbour, hops
    parent: str | None = None  # the process that engaged it
    missing: int = 0  # how many pieces of work that it gave away have not been signalled

    hops = parameter(2, minimum=0, maximum=20, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(IDLE, INIT)
    def start(self):
        """The initiator begins the computation."""
        self.state = ENGAGED
        self.begin_work()

    @on(IDLE, Work)
    def receive(self, m, q):
        """It receives work; the sender becomes its parent."""
        self.state = ENGAGED
        self.parent = q
        self.begin_work(m)

    @on(ENGAGED, Work)
    def receive_more(self, m, q):
        """It receives more work, and signals it at once."""
        self.send(Signal(), to=q)
        self.begin_work(m)

    @on(ENGAGED, Done)
    def done(self):
        """It has finished its work, and gives away the work that follows."""
        for r, work in self.finish_work():
            self.missing += 1
            self.send(work, to=r)
        self.close()

    @on((IDLE, ENGAGED), Signal)
    def signalled(self, m, q):
        """It waits for one signal fewer."""
        self.missing -= 1
        if self.state == ENGAGED:
            self.close()

    def close(self):
        """Leave the tree if nothing is left to do."""
        if self.working or (self.missing > 0 and self.parent is None):
            return
        if self.parent is None:
            self.state = ANNOUNCED
            self.decide("terminated")
        else:
            self.state = IDLE
            self.send(Signal(), to=self.parent)
            self.parent = None

    def begin_work(self, m=None):
        """Begin to work on a piece of work; without one, begin the computation."""
        self.pieces += 1
        if not self.spread:
            self.spread = True
            self.following += [(r, self.hops) for r in self.neighbours]
        if m is not None and m.hops > 0:
            self.following.append((self.random.choice(self.neighbours), m.hops - 1))
        if not self.working:
            self.working = True
            self.set_timer(Done(), after=self.random.uniform(0.5, 1.5) * self.duration)

    def finish_work(self):
        """End the work, and return the pieces of work that follow: pairs of a neighbour and a piece of work."""
        self.working = False
        found = [(r, Work(hops)) for r, hops in self.following]
        self.following = []
        return found
