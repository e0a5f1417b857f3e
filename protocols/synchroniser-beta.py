"""Synchroniser beta: the root of a tree learns that all are safe, and says when the next pulse begins.

An algorithm for synchronous networks runs where messages take any time; all processes begin a pulse only when all
have finished the one before.

What is sent is acknowledged.  A process with all acknowledgements whose children have reported is safe with all its
part of the tree, and reports to its parent.  The root then starts the next pulse, and the word goes down the tree.
The tree is built first: whoever hears of it joins the first sender and tells all neighbours whose child it is.
The synchronous algorithm on top is FloodMax, as in synchroniser alpha: everybody tells all neighbours the highest
name that it knows, and after k pulses knows the highest within k steps.

Pseudo-code (Awerbuch)::

    sleeping, INIT or Join from q:  parent := q; send Join(parent) to all neighbours; become joining
    any, Join(p) from q, p = me:    add q to children
    joining, all neighbours joined: begin pulse 0
    begin pulse i:                  send Value(best, i) to all neighbours; become unsafe
    any, Value(b, i) from q:        send Ack to q; keep b for the end of pulse i
    unsafe, all Acks are here, all children have sent Safe:
                                    become safe; send Safe to the parent; the root begins the next pulse
    safe, Pulse:                    begin the next pulse
    begin the next pulse:           best := highest of best and all b of pulse i; i := i + 1; send Pulse to the
                                    children; if i < pulses begin pulse i, else become done

Needs a connected network, two-way links that lose nothing, names, and one initiator; order and delays do not matter.
Reading: the tree is that of the first messages (any would do), and the algorithm stops after ``pulses``.
Complexity: 4m + 2(n - 1) messages a pulse, 2m of them the algorithm's own, and 2m for the tree; a pulse takes
2h + 2 times the longest delay at most, where h is the height of the tree.

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
        "joining": "joins the tree",
        "unsafe": "waits for acknowledgements or children",
        "safe": "is safe and waits for the root",
    },
)


class Join(Message):
    """'I am in the tree, as a child of this one.'"""

    parent: str | None


class Value(Message):
    """The algorithm's own message: 'this is the highest name that I know'."""

    best: str
    pulse: int


class Ack(Message):
    """'Your value is here.'"""


class Safe(Message):
    """'All that my part of the tree sent in this pulse has arrived', on its way up."""


class Pulse(Message):
    """'Everybody is safe: the next pulse begins', on its way down."""


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
    heard: list[str] = []  # what came in this pulse,
    early: list[str] = []  # and what came from neighbours that are in the next
    unacked: set[str] = set()  # whose acknowledgement is missing
    safe: set[str] = set()  # children that are safe in this pulse

    pulses = parameter(6, minimum=1, maximum=1000, help="how many pulses the synchronous algorithm takes")

    @on(SLEEPING, INIT)
    def start(self):
        """It is the root, and tells its neighbours that there is a tree.

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
        """A neighbour is in the tree, perhaps as its child; with the last of them the first pulse begins.

        becomes unsafe: The last neighbour is in the tree: the first pulse begins.
        changes children: {peer} is in the tree, as its child.
        otherwise: {peer} is in the tree.
        """
        self.joined.add(q)
        if m.parent == self.me:
            self.children.add(q)
        if len(self.joined) == len(self.neighbours):
            self.begin()

    @on((JOINING, UNSAFE, SAFE, DONE), Value)
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

    @on((JOINING, UNSAFE), Safe)
    def child_safe(self, m, q):
        """The part of the tree below this child is safe.

        while joining: The part of the tree below this child is safe.
        """
        self.safe.add(q)
        self.close()

    @on(SAFE, Pulse)
    def go_on(self, m, q):
        """Everybody is safe, and it begins the next pulse."""
        self.next_pulse()

    @on(ANY, (Join, Value, Ack, Safe, Pulse))
    def unexpected(self, m, q):
        """Nobody waits for this; it happens only when something was broken."""
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
