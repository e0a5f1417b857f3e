"""Synchroniser alpha: each process that is safe informs all its neighbours.

A synchronous algorithm runs on a network with arbitrary delays; a process never gets more than one pulse ahead of a
neighbour.

Each message of the algorithm is acknowledged; a process that has all acknowledgements of a pulse is safe: none of its
messages is in transit.  When it and all its neighbours are safe, no message of this pulse can arrive any more, and the
next pulse begins.  The synchronous algorithm is FloodMax: in each pulse each process sends the highest name it knows to
all neighbours, and after k pulses it knows the highest name within distance k.  To stop by counting pulses requires
synchrony.

Pseudo-code (Awerbuch; in pulse 0 a process begins spontaneously or with the first message)::

    begin pulse i:                  send Value(best, i) to all neighbours; become unsafe
    any, Value(b, i) from q:        send Ack to q; keep b for the end of pulse i
    unsafe, all Acks have arrived:  send Safe(i) to all neighbours; become safe
    safe, all neighbours are safe in pulse i:
                                    best := highest of best and all b of pulse i; i := i + 1
                                    if i < pulses begin pulse i, else become done

Needs a connected network with two-way reliable links, names, and any number of initiators; order and delays do not
matter.  Values carry their pulse, since a neighbour may be one pulse ahead.  In this version, safe neighbours are
recorded by pulse, and the algorithm stops after ``pulses``; to elect a leader, these must be at least as many as the
diameter.
Complexity: 6m messages in each pulse, 2m of them the algorithm's own; a pulse takes at most three maximum delays.

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
        "unsafe": "is waiting for acknowledgements",
        "safe": "is safe and is waiting for its neighbours",
    },
)


class Value(Message):
    """The algorithm's own message: 'this is the highest name that I know'."""

    best: str
    pulse: int


class Ack(Message):
    """'I have received your value.'"""


class Safe(Message):
    """'All the values that I sent in this pulse have arrived.'"""

    pulse: int


class SynchroniserAlpha(Process):
    title = "Synchroniser alpha"
    needs = connected, two_way, named, some_initiator, reliable, no_crashes
    messages = "6*m*pulses"

    state = SLEEPING
    pulse: int = 0
    best: str | None = None  # the highest name I know
    heard: list[str] = []  # the values of this pulse,
    early: list[str] = []  # and those of neighbours that are one pulse ahead
    unacked: set[str] = set()  # neighbours whose acknowledgements are missing
    safe: dict[str, int] = {}  # neighbour -> the last pulse in which it was safe

    pulses = parameter(6, minimum=1, maximum=1000, help="number of pulses of the synchronous algorithm")

    @on(SLEEPING, INIT)
    def start(self):
        """It wakes up, knows its own name, and begins pulse 0.

        always:
        """
        self.best = self.me
        self.begin()

    @on(ANY, INIT)
    def awake(self):
        """It has already been woken by a value."""

    @on(SLEEPING, Value)
    def wake(self, m, q):
        """It is woken by the first value, and also begins pulse 0."""
        self.start()
        self.hear(m, q)

    @on(ANY, Value)
    def hear(self, m, q):
        """It acknowledges the value and stores it until the pulse ends.

        notes: It acknowledges the value, which arrives too late for its pulse.
        otherwise: It acknowledges the value and stores it until the pulse ends.
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
        """It learns that one of its values has arrived."""
        self.unacked.discard(q)
        self.close()

    @on((UNSAFE, SAFE), Safe)
    def neighbour_safe(self, m, q):
        """It learns that all the values that this neighbour sent in its pulse have arrived.

        while unsafe: It learns that all the values that this neighbour sent in its pulse have arrived.
        """
        self.safe[q] = max(m.pulse, self.safe.get(q, 0))
        self.close()

    @on(DONE, Safe)
    def overtaken(self, m):
        """It is already done, so it ignores a message that a later one has overtaken."""

    @on(ANY, (Ack, Safe))
    def unexpected(self, m, q):
        """It does not wait for this message, which arrives only after a fault."""
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


@always("no value is in transit to a process that has left its pulse")
def in_time(c):
    return all(t.message.pulse >= t.receiver.pulse for t in c.in_transit if type(t.message) is Value)


@eventually("each process completes all pulses")
def done(c):
    return all(p.state == DONE for p in c.processes)


@at_end("each process knows what it would know after the same number of pulses in a synchronous network")
def as_synchronous(c):
    known = {p: p.me for p in c.processes}
    for pulse in range(1 + max(p.pulse for p in c.processes)):
        if any(p.best != known[p] for p in c.processes if p.pulse == pulse and p.state != SLEEPING):
            return False
        known = {p: max([known[p], *(known[q] for q in neighbours_of(c, p))], key=natural) for p in c.processes}
    return True
