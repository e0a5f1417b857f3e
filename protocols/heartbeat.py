"""Heartbeat: a failure detector that eventually makes no more mistakes.

Each process periodically informs its neighbours that it is alive; a process that is silent for too long is suspected.

A suspicion may be wrong, for a message may be slow.  A suspected process that is heard again is trusted again, and gets
a longer timeout; as some bound on its silence exists, although it is not known, there are finitely many mistakes.

Pseudo-code (D: the set of suspected processes)::

    asleep, INIT or the first Heartbeat:     timeout[q] := first, and expect q, for all neighbours q; beat
    every period:                            beat: send Heartbeat to all neighbours
    q is expected, timeout[q] is over:       put q into D
    Heartbeat from q:                        if q is in D:  remove q from D; timeout[q] := timeout[q] + increase
                                             expect q again

Needs a connected network with two-way links and names, and at least one initiator.  Processes may crash and recover;
from some time on the delays are bounded, though no process knows this time or the bound, and links lose no messages.
In the paper processes send to all others; here a process watches its neighbours, which in a complete network are all
others.  Each process sends ``beats`` heartbeats and announces with the last one that it stops, so that a run ends and
no process is suspected because of it.
Complexity: 2 m beats messages if no process crashes; a crash is detected within one delay and one timeout.

Reference: T. D. Chandra and S. Toueg, Unreliable failure detectors for reliable distributed systems, Journal of the ACM
43 (1996), section 9.1, figure 10 (an eventually perfect detector under partial synchrony).
"""

from lydian import (
    INIT,
    Message,
    Process,
    Timer,
    always,
    bounded_delay,
    connected,
    eventually,
    named,
    on,
    parameter,
    some_initiator,
    states,
    two_way,
)

ASLEEP, TRUSTING, SUSPECTING = states(
    "asleep", "trusting", "suspecting",
    reads={"trusting": "trusts all its neighbours", "suspecting": "suspects a neighbour"},
)


class Heartbeat(Message):
    """'I am alive'; ``last`` if the sender will send no more heartbeats."""

    last: bool = False


class Period(Timer):
    """The time at which the next heartbeat is due."""


class Silence(Timer):
    """The end of the time for which neighbour q may be silent."""

    q: str


class HeartbeatDetector(Process):
    title = "Heartbeat failure detector"
    needs = connected, two_way, named, some_initiator, bounded_delay
    messages = "2*m*beats"

    state = ASLEEP
    suspected: set[str] = set()  # D: the neighbours that I suspect
    timeout: dict[str, float] = {}  # neighbour -> how long it may be silent
    mistakes: dict[str, int] = {}  # neighbour -> how often I suspected it wrongly
    left: int = 0  # how many heartbeats I have still to send
    off_duty: set[str] = set()  # neighbours that send no more heartbeats

    period = parameter(2.0, minimum=0.0, help="time from one heartbeat to the next")
    first = parameter(4.0, minimum=0.0, help="how long a neighbour may be silent initially")
    increase = parameter(2.0, minimum=0.0, help="how much longer after each false suspicion; 0: never longer")
    beats = parameter(
        20, minimum=1, help="how many heartbeats a process sends before it stops",
        reached=lambda p: p.state != ASLEEP and p.left == 0,
    )
    forgiven = parameter(4, minimum=0, help="how many mistakes about one neighbour the property allows")

    @on(ASLEEP, INIT)
    def start(self):
        """It sends its first heartbeat and expects one from each neighbour.

        always:
        """
        self.state = TRUSTING
        self.left = self.beats
        for q in self.neighbours:
            self.timeout[q] = self.first
            self.set_timer(Silence(q), after=self.timeout[q])
        self.beat()

    @on(ASLEEP, Heartbeat)
    def wake(self, m, q):
        """It is woken by the first heartbeat that it receives."""
        self.start()
        self.hear(m, q)

    @on((TRUSTING, SUSPECTING), Period)
    def beat(self):
        """It informs its neighbours that it is alive.

        sends: It informs its neighbours that it is alive.
        nothing: It has sent all its heartbeats, and stops.
        """
        if self.left:
            self.left -= 1
            for q in self.neighbours:
                self.send(Heartbeat(self.left == 0), to=q)
            if self.left:
                self.set_timer(Period(), after=self.period)

    @on((TRUSTING, SUSPECTING), Silence)
    def suspect(self, m):
        """It suspects a neighbour that has been silent for too long."""
        self.suspected.add(m.q)
        self.state = SUSPECTING
        self.note(f"suspects {m.q}")

    @on((TRUSTING, SUSPECTING), Heartbeat)
    def hear(self, m, q):
        """It learns that a neighbour is alive; if it suspected this neighbour, it was mistaken and extends the timeout.

        notes: Process {peer} is alive: the suspicion was a mistake, and the timeout for {peer} becomes longer.
        otherwise: Process {peer} is alive.
        """
        if q in self.suspected:
            self.suspected.remove(q)
            self.mistakes[q] = self.mistakes.get(q, 0) + 1
            self.timeout[q] += self.increase
            self.note(f"trusts {q} again, and waits {self.timeout[q]:g} from now on")
        if m.last:
            self.off_duty.add(q)
        if q in self.off_duty:
            self.cancel_timer(Silence(q))
        else:
            self.set_timer(Silence(q), after=self.timeout[q])
        self.state = SUSPECTING if self.suspected else TRUSTING

    @on((TRUSTING, SUSPECTING), INIT)
    @on(ASLEEP, (Period, Silence))
    def nothing(self):
        """It is already awake, or has lost its state in a crash."""


@always("no process suspects the same neighbour wrongly again and again")
def few_mistakes(c):
    return all(count <= p.forgiven for p in c.processes for count in p.mistakes.values())


@eventually("each crashed process is suspected by all its neighbours")
def completeness(c):
    awake = [p for p in c.processes if p.state != ASLEEP and not c.crashed(p)]
    return all(q in p.suspected for p in awake for q in p.neighbours if c.crashed(c.across(p, q)))


@eventually("no live process is suspected")
def accuracy(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    return all(c.crashed(c.across(p, q)) for p in alive for q in p.suspected)
