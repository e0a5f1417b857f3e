"""Heartbeat: a failure detector that is right in the end.

Every process tells its neighbours from time to time that it is alive; who is silent for too long is suspected.

A suspicion may be wrong, for a message may be slow.  When the suspected one is heard again it is trusted again, and
given more time from then on; as there is some longest silence, even though nobody knows it, mistakes come to an end.

Pseudo-code (D: who is suspected)::

    asleep, INIT or the first Heartbeat:     timeout[q] := first, and expect q, for all neighbours q; beat
    every period:                            beat: send Heartbeat to all neighbours
    q is expected, timeout[q] is over:       put q into D
    Heartbeat from q:                        if q is in D:  take q out of D; timeout[q] := timeout[q] + increase
                                             expect q anew

Needs a connected network with two-way links and names, and somebody who starts.  Processes may crash and recover; links
may be slow for a while, but lose messages never, or not for ever.  The book sends to everybody; here a process watches
its neighbours, which in a complete network are all.  Each process beats ``beats`` times and says with its last one that
it goes off duty, so that a run ends and nobody is suspected for that.
Complexity: 2 m beats messages if nobody crashes; a crash is noticed within one delay and one timeout.

Reference: T. D. Chandra and S. Toueg, Unreliable failure detectors for reliable distributed systems, Journal of the ACM
43 (1996), section 9.1, figure 10 (an eventually perfect detector under partial synchrony).
"""

from lydian import (
    INIT,
    Message,
    Process,
    Timer,
    always,
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
    reads={"trusting": "trusts all it watches", "suspecting": "suspects a process"},
)


class Heartbeat(Message):
    """'I am alive.'  With the last one: 'and go off duty'."""

    last: bool = False


class Period(Timer):
    """It is time to beat again."""


class Silence(Timer):
    """A neighbour has been silent for too long."""

    q: str


class HeartbeatDetector(Process):
    title = "Heartbeat failure detector"
    needs = connected, two_way, named, some_initiator
    messages = "2*m*beats"

    state = ASLEEP
    suspected: set[str] = set()  # D: who is suspected
    timeout: dict[str, float] = {}  # how long I wait for whom
    mistakes: dict[str, int] = {}  # how often I suspected whom wrongly
    left: int = 0  # how often I have still to beat
    off_duty: set[str] = set()  # who will not beat any more

    period = parameter(2.0, minimum=0.0, help="time from one heartbeat to the next")
    first = parameter(4.0, minimum=0.0, help="how long a neighbour may be silent at first")
    increase = parameter(2.0, minimum=0.0, help="how much longer after each false suspicion; 0: always the same")
    beats = parameter(
        20, minimum=1, help="how often a process beats before it goes off duty",
        reached=lambda p: p.state != ASLEEP and p.left == 0,
    )
    forgiven = parameter(4, minimum=0, help="how many mistakes about one neighbour the property allows")

    @on(ASLEEP, INIT)
    def start(self):
        """It begins to beat, and to expect its neighbours.

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
        """The first heartbeat that it hears wakes it up."""
        self.start()
        self.hear(m, q)

    @on((TRUSTING, SUSPECTING), Period)
    def beat(self):
        """It tells its neighbours that it is alive.

        sends: It tells its neighbours that it is alive.
        nothing: It has sent as many heartbeats as it may, and falls silent.
        """
        if self.left:
            self.left -= 1
            for q in self.neighbours:
                self.send(Heartbeat(self.left == 0), to=q)
            if self.left:
                self.set_timer(Period(), after=self.period)

    @on((TRUSTING, SUSPECTING), Silence)
    def suspect(self, m):
        """A neighbour was silent for too long: it is suspected."""
        self.suspected.add(m.q)
        self.state = SUSPECTING
        self.note(f"suspects {m.q}")

    @on((TRUSTING, SUSPECTING), Heartbeat)
    def hear(self, m, q):
        """A neighbour is alive; if it was suspected, that was a mistake, and it gets more time from now on.

        notes: {peer} is alive: the suspicion was a mistake, and it gets more time from now on.
        otherwise: {peer} is alive.
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
        """It is awake already, or has forgotten everything in a crash."""


@always("nobody is wrong about the same neighbour again and again")
def few_mistakes(c):
    return all(count <= p.forgiven for p in c.processes for count in p.mistakes.values())


@eventually("who has crashed is suspected by all its neighbours")
def completeness(c):
    awake = [p for p in c.processes if p.state != ASLEEP and not c.crashed(p)]
    return all(q in p.suspected for p in awake for q in p.neighbours if c.crashed(c.across(p, q)))


@eventually("nobody alive is suspected")
def accuracy(c):
    alive = [p for p in c.processes if not c.crashed(p)]
    return all(c.crashed(c.across(p, q)) for p in alive for q in p.suspected)
