"""Synchroniser beta: the root of a tree learns that all processes are safe, and starts the next pulse.

A synchronous algorithm runs on a network with arbitrary delays; each process begins a pulse only when all processes
have finished the one before.

Each message of the algorithm is acknowledged.  When a process has all acknowledgements and reports from all its
children, its whole subtree is safe, and it reports to its parent.  The root then starts the next pulse with a message
that travels down the tree.  The tree is built first: a process joins the first sender it hears from and announces its
parent to all neighbours.  The synchronous algorithm is FloodMax, as in synchroniser alpha: each process sends the
highest name it knows to all neighbours, and after k pulses it knows the highest name within distance k.

Pseudo-code (Awerbuch)::

    sleeping, INIT or Join from q:  parent := q; send Join(parent) to all neighbours; become joining
    any, Join(p) from q, p = me:    add q to children
    joining, all neighbours joined: begin pulse 0
    begin pulse i:                  send Value(best, i) to all neighbours; become unsafe
    any, Value(b, i) from q:        send Ack to q; keep b for the end of pulse i
    unsafe, all Acks have arrived, all children have sent Safe:
                                    become safe; send Safe to the parent; the root begins the next pulse
    safe, Pulse:                    begin the next pulse
    begin the next pulse:           best := highest of best and all b of pulse i; i := i + 1; send Pulse to the
                                    children; if i < pulses begin pulse i, else become done

Needs a connected network with two-way reliable links, names, and one initiator; order and delays do not matter.
In this version the tree is that of the first messages (any tree would do), and the algorithm stops after ``pulses``.
Complexity: 4m + 2(n - 1) messages in each pulse, 2m of them the algorithm's own, and 2m for the tree; a pulse takes at
most 2h + 2 maximum delays, where h is the height of the tree.

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
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

SLEEPING, JOINING, UNSAFE, SAFE, DONE = states(
    "sleeping", "joining", "unsafe", "safe", "done",
    reads={
        "sleeping": "is asleep",
        "joining": "is joining the tree",
        "unsafe": "is waiting for acknowledgements or children",
        "safe": "is safe and is waiting for the root",
    },
)


class Join(Message):
    """'I am in the tree, as a child of parent.'"""

    parent: str | None


class Value(Message):
    """The algorithm's own message: 'this is the highest name that I know'."""

    best: str
    pulse: int


class Ack(Message):
    """'I have received your value.'"""


class Safe(Message):
    """'All the values that my subtree sent in this pulse have arrived'; sent up the tree."""


class Pulse(Message):
    """'All processes are safe: the next pulse begins'; sent down the tree."""


class SynchroniserBeta(Process):
    title = "Synchroniser beta"
    needs = connected, two_way, named, one_initiator, reliable, no_crashes
    messages = "2*m + pulses*(4*m + 2*(n - 1))"

    state = SLEEPING
    parent: str | None = None
    children: set[str] = set()
    joined: set[str] = set()  # neighbours known to be in the tree
    pulse: int = 0
    best: str | None = None  # the highest name I know
    heard: list[str] = []  # the values of this pulse,
    early: list[str] = []  # and those of neighbours that are one pulse ahead
    unacked: set[str] = set()  # neighbours whose acknowledgements are missing
    safe: set[str] = set()  # children that are safe in this pulse

    pulses = parameter(6, minimum=1, maximum=1000, help="number of pulses of the synchronous algorithm")

    @on(SLEEPING, INIT)
    def start(self):
        """It is the root, and announces the tree to its neighbours.

        always:
        """
        self.join(None)

    @on(SLEEPING, Join)
    def adopt(self, m, q):
        """It hears of the tree for the first time and joins the sender."""
        self.join(q)
        self.learn(m, q)

    @on(JOINING, Join)
    def learn(self, m, q):
        """It learns that a neighbour is in the tree, perhaps as its child; after the last, pulse 0 begins.

        becomes unsafe: The last neighbour is in the tree: the first pulse begins.
        changes children: Process {peer} is in the tree, as its child.
        otherwise: Process {peer} is in the tree.
        """
        self.joined.add(q)
        if m.parent == self.me:
            self.children.add(q)
        if len(self.joined) == len(self.neighbours):
            self.begin()

    @on((JOINING, UNSAFE, SAFE, DONE), Value)
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

    @on((JOINING, UNSAFE), Safe)
    def child_safe(self, m, q):
        """It learns that the subtree of this child is safe.

        while joining: It learns that the subtree of this child is safe.
        """
        self.safe.add(q)
        self.close()

    @on(SAFE, Pulse)
    def go_on(self, m, q):
        """It learns that all processes are safe, and begins the next pulse."""
        self.next_pulse()

    @on(ANY, (Join, Value, Ack, Safe, Pulse))
    def unexpected(self, m, q):
        """It does not wait for this message, which arrives only after a fault."""
        self.note(f"unexpected message from {q}")

    def join(self, parent):
        self.state = JOINING
        self.best = self.me
        self.parent = parent
        for r in self.neighbours:
            self.send(Join(parent), to=r)
        if not self.neighbours:
            self.begin()

    def begin(self):
        self.state = UNSAFE
        self.unacked = set(self.neighbours)
        for r in self.neighbours:
            self.send(Value(self.best, self.pulse), to=r)
        self.close()

    def close(self):
        if self.state == UNSAFE and not self.unacked and self.children <= self.safe:
            self.state = SAFE
            if self.parent is None:
                self.next_pulse()
            else:
                self.send(Safe(), to=self.parent)

    def next_pulse(self):
        self.best = max([self.best, *self.heard], key=natural)
        self.heard, self.early = self.early, []
        self.safe = set()
        self.pulse += 1
        for r in self.neighbours:
            if r in self.children:
                self.send(Pulse(), to=r)
        if self.pulse < self.pulses:
            self.begin()
        else:
            self.state = DONE
            self.decide(self.best)


def neighbours_of(c, p):
    return [c.across(p, q) for q in p.neighbours]


@always("all processes are at most one pulse apart")
def together(c):
    return max(p.pulse for p in c.processes) - min(p.pulse for p in c.processes) <= 1


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
