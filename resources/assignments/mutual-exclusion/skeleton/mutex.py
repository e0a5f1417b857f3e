"""Mutual exclusion: a process enters the critical section when all others permit it (Ricart and Agrawala).

Complete the four actions that raise NotImplementedError. Keep the states, the parameters, and the variables ``request``
and ``entered``.
"""

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
    # Declare further variables here, with their types and initial values.

    entries = parameter(3, minimum=0, help="how often each process enters the critical section")
    think = parameter(2.0, minimum=0.0, help="mean time until a process next wants to enter")
    use = parameter(2.0, minimum=0.0, help="mean time in the critical section")

    @on(RELEASED, INIT)
    def begin(self):
        """The user begins."""
        self.think_again()

    @on(RELEASED, Think)
    def want(self):
        """It wants to enter: it stamps its request, and asks all others (self.neighbours)."""
        raise NotImplementedError("want: what is in the stamp, and when may a process enter?")

    @on((RELEASED, WANTED, HELD), Request)
    def asked(self, m, q):
        """Process q asks for permission; its stamp is m.stamp."""
        raise NotImplementedError("asked: reply at once, or later?")

    @on(WANTED, Reply)
    def permitted(self, m, q):
        """Process q gives its permission."""
        raise NotImplementedError("permitted: when has a process all permissions?")

    @on(HELD, Use)
    def leave(self):
        """It leaves the critical section. Finally the user thinks again: self.think_again()."""
        raise NotImplementedError("leave: which processes are waiting for a reply?")

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
