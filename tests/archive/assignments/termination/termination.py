"""Termination detection with signals in bundles, as a student may write it."""

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

FREE, BUSY, WAITING, OVER = states("free", "busy", "waiting", "over")


class Work(Message):
    """A piece of work; says how often it is still to be passed on."""

    hops: int


class Finished(Message):
    count: int


class Done(Timer):
    """The end of the work that a process is doing."""


class Termination(Process):
    title = "Termination detection"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes

    state = FREE
    working: bool = False
    pieces: int = 0  # how many pieces of work it has begun
    spread: bool = False  # whether it has given work to all its neighbours, or is about to
    following: list[tuple[str, int]] = []  # the work that follows: neighbour, hops
    boss: str | None = None
    owed: dict[str, int] = {}  # neighbour -> how much of its work is not yet answered, except the boss's first
    given: int = 0
    back: int = 0

    hops = parameter(2, minimum=0, maximum=20, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(FREE, INIT)
    def start(self):
        self.state = BUSY
        self.begin_work()

    @on((FREE, BUSY, WAITING), Work)
    def receive(self, m, q):
        if self.state == FREE:
            self.boss = q
        else:
            self.owed[q] = self.owed.get(q, 0) + 1
        self.state = BUSY
        self.begin_work(m)

    @on(BUSY, Done)
    def done(self):
        for r, work in self.finish_work():
            self.given += 1
            self.send(work, to=r)
        for q, count in self.owed.items():
            self.send(Finished(count), to=q)
        self.owed = {}
        self.state = WAITING
        self.test()

    @on((BUSY, WAITING), Finished)
    def finished(self, m, q):
        self.back += m.count
        self.test()

    def test(self):
        if self.state == WAITING and self.given == self.back:
            if self.initiator:
                self.state = OVER
                self.decide("terminated")
            else:
                self.state = FREE
                self.send(Finished(1), to=self.boss)

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
