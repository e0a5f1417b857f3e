"""Synchroniser alpha: whoever is safe tells all its neighbours.

An algorithm for synchronous networks runs where messages take any time; a process never gets more than one pulse
ahead of a neighbour.

What is sent is acknowledged; a process with all acknowledgements of a pulse is safe: nothing that it sent is still
under way.  When it and all its neighbours are safe, nothing of this pulse can come any more, and the next begins.
The synchronous algorithm on top is FloodMax: in each pulse everybody tells all neighbours the highest name that it
knows, and after k pulses it knows the highest within k steps.  Stopping by counting needs synchrony.

Pseudo-code (Awerbuch; in pulse 0 a process begins by itself or with the first message)::

    begin pulse i:                  send Value(best, i) to all neighbours; become unsafe
    any, Value(b, i) from q:        send Ack to q; keep b for the end of pulse i
    unsafe, all Acks are here:      send Safe(i) to all neighbours; become safe
    safe, all neighbours are safe in pulse i:
                                    best := highest of best and all b of pulse i; i := i + 1
                                    if i < pulses begin pulse i, else become done

Needs a connected network, two-way links that lose nothing, names, and any initiators; order and delays do not matter.
The values carry their pulse, for a neighbour may be one ahead.  Reading: neighbours that are safe are counted by
pulses, and the algorithm stops after ``pulses``; for a leader they must be as many as the longest distance.
Complexity: 6m messages a pulse, 2m of them the algorithm's own; a pulse takes at most three times the longest delay.

Reference: B. Awerbuch, Complexity of network synchronization, Journal of the ACM 32 (1985); G. Tel, Introduction to
Distributed Algorithms, 2nd edition, section 12.3.2; FloodMax: N. Lynch, Distributed Algorithms, section 4.1.2.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
    two_way,
)

SLEEPING, UNSAFE, SAFE, DONE = states(
    "sleeping", "unsafe", "safe", "done",
    reads={
        "sleeping": "is asleep",
        "unsafe": "waits for acknowledgements",
        "safe": "is safe and waits for its neighbours",
    },
)


class Value(Message):
    """The algorithm's own message: 'this is the highest name that I know'."""

    best: str
    pulse: int


class Ack(Message):
    """'Your value is here.'"""


class Safe(Message):
    """'All that I sent in this pulse has arrived.'"""

    pulse: int


class SynchroniserAlpha(Process):
    title = "Synchroniser alpha"
    needs = connected, two_way, named, some_initiator, reliable, no_crashes
    messages = "6*m*pulses"

    state = SLEEPING
    pulse: int = 0
    best: str | None = None  # the highest name I know
    heard: list[str] = []  # what came in this pulse,
    early: list[str] = []  # and what came from neighbours that are in the next
    unacked: set[str] = set()  # whose acknowledgement is missing
    safe: dict[str, int] = {}  # neighbour -> the last pulse in which it was safe

    pulses = parameter(6, minimum=1, maximum=1000, help="how many pulses the synchronous algorithm takes")

    @on(SLEEPING, INIT)
    def start(self):
        """It wakes up, knows its own name, and begins with pulse 0.

        always:
        """
        self.best = self.me
        self.begin()

    @on(ANY, INIT)
    def awake(self):
        """A value has woken it already."""

    @on(SLEEPING, Value)
    def wake(self, m, q):
        """The first value wakes it: it is in pulse 0, too."""
        self.start()
        self.hear(m, q)

    @on(ANY, Value)
    def hear(self, m, q):
        """It acknowledges the value and keeps it until the pulse ends.

        notes: It acknowledges the value, which comes too late for its pulse.
        otherwise: It acknowledges the value and keeps it until the pulse ends.
        """
        self.send(Ack(), to=q)
        if m.pulse < self.pulse:
            self.note(f"the value of {q} comes too late for pulse {m.pulse}")
        elif m.pulse == self.pulse:
            self.heard.append(m.best)
        else:
            self.early.append(m.best)

    @on(UNSAFE, Ack)
    def acknowledged(self, m, q):
        """One of its values less is under way."""
        self.unacked.discard(q)
        self.close()

    @on((UNSAFE, SAFE), Safe)
    def neighbour_safe(self, m, q):
        """Nothing that this neighbour sent in its pulse is under way any more.

        while unsafe: Nothing that this neighbour sent in its pulse is under way any more.
        """
        self.safe[q] = max(m.pulse, self.safe.get(q, 0))
        self.close()

    @on(DONE, Safe)
    def overtaken(self, m):
        """A later one has overtaken it; it is done already."""

    @on(ANY, (Ack, Safe))
    def unexpected(self, m, q):
        """Nobody waits for this; it happens only when something was broken."""
        self.note(f"unexpected message from {q}")

    def begin(self):
        self.state = UNSAFE
        self.unacked = set(self.neighbours)
        for r in self.neighbours:
            self.send(Value(self.best, self.pulse), to=r)
        self.close()

    def close(self):
        if self.state == UNSAFE and not self.unacked:
            self.state = SAFE
            for r in self.neighbours:
                self.send(Safe(self.pulse), to=r)
        if self.state == SAFE and all(self.safe.get(r, -1) >= self.pulse for r in self.neighbours):
            self.next_pulse()

    def next_pulse(self):
        self.best = max([self.best, *self.heard], key=natural)
        self.heard, self.early = self.early, []
        self.pulse += 1
        if self.pulse < self.pulses:
            self.begin()
        else:
            self.state = DONE
            self.decide(self.best)


def neighbours_of(c, p):
    return [c.across(p, q) for q in p.neighbours]


@always("neighbours are at most one pulse apart")
def together(c):
    return all(abs(p.pulse - q.pulse) <= 1 for p in c.processes for q in neighbours_of(c, p))


@always("no value is under way to a process that has left its pulse")
def in_time(c):
    return all(t.message.pulse >= t.receiver.pulse for t in c.in_transit if type(t.message) is Value)


@eventually("everybody gets through all pulses")
def done(c):
    return all(p.state == DONE for p in c.processes)


@at_end("everybody knows what it would know after as many pulses in a synchronous network")
def as_synchronous(c):
    known = {p: p.me for p in c.processes}
    for pulse in range(1 + max(p.pulse for p in c.processes)):
        if any(p.best != known[p] for p in c.processes if p.pulse == pulse and p.state != SLEEPING):
            return False
        known = {p: max([known[p], *(known[q] for q in neighbours_of(c, p))], key=natural) for p in c.processes}
    return True
