"""It does not empty its list when it leaves, and later replies to the same processes again."""

from lydian import (
    INIT,
    Message,
    Process,
    Timer,
    complete,
    everybody_starts,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
)

RELEASED, WANTED, HELD = states(
    "released", "wanted", "held",
    reads={"released": "is idle", "wanted": "wants to enter", "held": "is in the critical section"},
)  # fmt: skip


class Request(Message):
    """The request for permission to enter; ``stamp`` is the sender's time and name."""

    stamp: tuple[int, str]


class Reply(Message):
    """The sender's permission to enter the critical section."""


class Think(Timer):
    """The time at which the user next wants to enter."""


class Use(Timer):
    """The time at which the user has finished with the resource."""


class Mutex(Process):
    title = "Mutual exclusion"
    needs = complete, named, everybody_starts, reliable, no_crashes

    state = RELEASED
    request: tuple[int, str] | None = None  # the stamp of its own request
    entered: int = 0  # how often it has entered
    time: int = 0  # its logical clock
    missing: set[str] = set()  # processes whose permission is missing
    deferred: list[str] = []  # processes that wait for its reply

    entries = parameter(3, minimum=0, help="how often each process enters the critical section")
    think = parameter(2.0, minimum=0.0, help="mean time until a process next wants to enter")
    use = parameter(2.0, minimum=0.0, help="mean time in the critical section")

    @on(RELEASED, INIT)
    def begin(self):
        """The user begins."""
        self.think_again()

    @on(RELEASED, Think)
    def want(self):
        """It stamps its request, and asks all others."""
        self.state = WANTED
        self.time += 1
        self.request = (self.time, self.me)
        self.missing = set(self.neighbours)
        for q in self.neighbours:
            self.send(Request(self.request), to=q)
        if not self.missing:
            self.enter()

    @on((RELEASED, WANTED, HELD), Request)
    def asked(self, m, q):
        """It replies at once, or defers its reply if its own request is older."""
        self.time = max(self.time, m.stamp[0]) + 1
        if self.state == HELD or (self.state == WANTED and older(self.request, m.stamp)):
            self.deferred.append(q)
        else:
            self.send(Reply(), to=q)

    @on((RELEASED, WANTED, HELD), Reply)
    def permitted(self, m, q):
        """It needs one permission fewer."""
        self.missing.discard(q)
        if self.state == WANTED and not self.missing:
            self.enter()

    @on(HELD, Use)
    def leave(self):
        """It leaves the critical section, and replies to all processes that wait."""
        self.state = RELEASED
        self.request = None
        for q in self.deferred:
            self.send(Reply(), to=q)
        self.think_again()

    def enter(self):
        """Enter the critical section."""
        self.state = HELD
        self.entered += 1
        self.set_timer(Use(), after=self.random.uniform(0.5, 1.5) * self.use)

    def think_again(self):
        """Let the user think, if it has not entered often enough."""
        if self.entered < self.entries:
            self.set_timer(Think(), after=self.random.uniform(0, 2) * self.think)


def older(a, b):
    """Return whether the request with stamp a is older than the one with stamp b."""
    return (a[0], natural(a[1])) < (b[0], natural(b[1]))
