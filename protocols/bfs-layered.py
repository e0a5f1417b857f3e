"""Breadth-first search by layers: one layer is explored after another, and nothing is ever corrected.

In round f the initiator's Forward travels down the tree to the processes of layer f.  These explore: a neighbour that
is in no layer yet joins layer f+1 as their child.  The answers are collected on the way back.  A subtree that has not
grown is not asked again; when no subtree grows any more, the initiator has finished.

Pseudo-code (p is in layer l)::

    the initiator:             l := 0; explore as in round 0; then rounds 1, 2 ... while the last one found a process
    Forward f from the father: if f = l, send Explore l+1 to all neighbours that are not in the layer above
                               else send Forward f to the children whose subtrees still grow
    Explore f from q:          in no layer:  father := q; l := f; send Reverse true to q
                               f = l:        send Reverse false to q; q is in the layer above
                               f = l+1:      q is in the same layer as p and explores as well: counts as Reverse false
    Reverse b from q:          the subtree of q grows if and only if b = true
    when all have answered:    send Reverse "does any subtree grow" to the father

It needs a connected network, one initiator and two-way links that lose and duplicate nothing; order does not matter.
Complexity: 2m messages to explore, two on each link, and two for each process and each round in which it is asked.  A
process with h layers below it is asked h+1 times, which adds at most n(n-1): 2m + n(n-1) in all, reached on a line that
is explored from its end.  The time is at most quadratic in the number of layers; a level is exact once it is set.

Reference: G. N. Frederickson, A single source shortest path algorithm for a planar distributed network, STACS (1985),
with one layer at a time; G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 12.4; N. Lynch,
Distributed Algorithms, section 15.4 (LayeredBFS).
"""

from lydian import (
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    no_crashes,
    on,
    one_initiator,
    reliable,
    states,
    two_way,
)

OUTSIDE, INSIDE, ASKING, DONE, LEADING, FINISHED = states(
    "outside", "inside", "asking", "done", "leading", "finished",
    reads={
        "outside": "is in no layer",
        "inside": "is in a layer",
        "asking": "waits for answers",
        "done": "has completed its subtree",
    },
)


class Forward(Message):
    """The order, from father to child, that layer ``layer`` is to explore now."""

    layer: int


class Explore(Message):
    """The request to join layer ``layer``, unless the receiver is in a layer already."""

    layer: int


class Reverse(Message):
    """The answer, which says whether the sender's subtree has grown."""

    grown: bool


class BreadthFirstLayered(Process):
    title = "Breadth-first search by layers"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "<= 2*m + n*(n - 1)"

    state = OUTSIDE
    father: str | None = None
    level: int | None = None  # its layer: the distance from the initiator
    round: int = 0  # the layer that explores
    growing: set[str] = set()  # children whose subtrees grew in the last round
    above: set[str] = set()  # neighbours in the layer above
    beside: set[str] = set()  # neighbours in the same layer that have explored earlier
    pending: set[str] = set()  # neighbours that have not yet answered

    @on(OUTSIDE, INIT)
    def start(self):
        """It is layer 0 and explores.

        always:
        """
        self.state = LEADING
        self.level = 0
        self.explore()

    @on(OUTSIDE, Explore)
    def join(self, m, q):
        """It joins the layer as a child of the first process that has asked."""
        self.state = INSIDE
        self.father = q
        self.level = m.layer
        self.above.add(q)
        self.send(Reverse(grown=True), to=q)

    @on((INSIDE, ASKING), Explore)
    def explored(self, m, q):
        """It is in a layer already: it refuses a process of the layer above, and expects no answer from its own layer.

        sends Reverse: It is in this layer already, so it answers no.
        otherwise: A neighbour in its own layer explores too, so it expects no answer from there.
        """
        if m.layer == self.level:
            self.above.add(q)
            self.send(Reverse(grown=False), to=q)
        elif self.state == INSIDE:
            self.beside.add(q)
        else:
            self.pending.discard(q)
            self.close()

    @on(INSIDE, Forward)
    def forward(self, m, q):
        """Its own layer explores, or it forwards the order to the subtrees that still grow.

        sends Explore: Its own layer explores now.
        sends Forward: It forwards the order to the subtrees that still grow.
        always: It receives the order to explore.
        """
        self.state = ASKING
        self.round = m.layer
        if m.layer == self.level:
            self.explore()
        else:
            self.ask()

    @on((ASKING, LEADING), Reverse)
    def answered(self, m, q):
        """It needs one answer fewer.

        always: It waits for {pending:more answer|more answers}.
        """
        self.pending.discard(q)
        if m.grown:
            self.growing.add(q)
        else:
            self.growing.discard(q)
        self.close()

    @on((LEADING, DONE, FINISHED), Explore)
    @on((OUTSIDE, ASKING, DONE, LEADING, FINISHED), Forward)
    @on((OUTSIDE, INSIDE, DONE, FINISHED), Reverse)
    def unexpected(self, m, q):
        """It was not waiting for this message, which is possible only after a fault."""
        self.note(f"unexpected message from {q}")

    def explore(self):
        others = [q for q in self.neighbours if q not in self.above]
        for q in others:
            self.send(Explore(layer=self.level + 1), to=q)
        self.pending = set(others) - self.beside
        self.close()

    def ask(self):
        for q in self.neighbours:
            if q in self.growing:
                self.send(Forward(layer=self.round), to=q)
        self.pending = set(self.growing)

    def close(self):
        if self.pending:
            return
        if self.state == ASKING:
            self.send(Reverse(grown=bool(self.growing)), to=self.father)
            self.state = INSIDE if self.growing else DONE
        elif self.growing:
            self.round += 1
            self.ask()
        else:
            self.decide(f"the last layer is {self.round}")
            self.state = FINISHED


def father_of(c, p):
    """Return the father of p, or None if p has none or, after a corruption, one that is not its neighbour."""
    return c.across(p, p.father) if p.father in p.neighbours else None


@always("a child is one layer below its father")
def one_below(c):
    return all(father_of(c, p) is None or p.level == father_of(c, p).level + 1 for p in c.processes)


@always("a layer is complete before the next one is begun")
def complete(c):
    deepest = max((p.level for p in c.processes if p.level is not None), default=0)
    inner = [p for p in c.processes if p.level is not None and p.level < deepest - 1]
    return all(c.across(p, q).level is not None for p in inner for q in p.neighbours)


@eventually("the initiator learns that every process is in a layer")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("the layers are the distances: neighbours are at most one apart")
def distances(c):
    links = [(p.level, c.across(p, q).level) for p in c.processes for q in p.neighbours]
    return all(a is not None and b is not None and abs(a - b) <= 1 for a, b in links)
