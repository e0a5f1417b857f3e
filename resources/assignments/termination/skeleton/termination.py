"""Termination detection: the initiator learns that no process is working and no work is in transit.

Add whatever is necessary to detect termination. The computation itself must not change.
"""

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

IDLE, ENGAGED = states("idle", "engaged", reads={"idle": "is idle", "engaged": "is engaged"})  # choose your own states


class Work(Message):
    """A piece of work, and how often it is still to be passed on."""

    hops: int


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
    # Declare your variables below this line, with their types and initial values.

    hops = parameter(2, minimum=0, maximum=20, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")

    @on(IDLE, INIT)
    def start(self):
        """The initiator begins the computation."""
        self.begin_work()
        raise NotImplementedError("start: what does the initiator remember?")

    @on(IDLE, Work)
    def receive(self, m, q):
        """It receives work from its neighbour q."""
        self.begin_work(m)
        raise NotImplementedError("receive: when does a process tell the sender that this work is done?")

    @on(ENGAGED, Done)
    def done(self):
        """It has finished its work, and gives away the work that follows."""
        for r, work in self.finish_work():
            self.send(work, to=r)
        raise NotImplementedError("done: what does the process wait for now?")

    # What happens when work arrives in other states, and when your own messages arrive?

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
