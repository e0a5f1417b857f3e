"""Breadth-first search by layers: the initiator has one layer after the other explored, and nothing is ever corrected.

In round f the initiator's Forward goes down the tree to the processes of layer f.  They explore: a neighbour that is
in no layer yet joins layer f+1, as their child.  The answers are gathered on the way back.  A part of the tree that
has not grown is not asked again, and when nothing grows any more the initiator has finished.

Pseudo-code (p is in layer l)::

    the initiator:             l := 0; explore as in round 0; then round 1, 2 ... as long as the last one found somebody
    Forward f from the father: if f = l, send Explore l+1 to all neighbours that are not in the layer above
                               else send Forward f to the children whose parts still grow
    Explore f from q:          in no layer:  father := q; l := f; send Reverse true to q
                               f = l:        send Reverse false to q; q is in the layer above
                               f = l+1:      q is in my own layer and explores as well: this counts as Reverse false
    Reverse b from q:          if b, the part of q grows, else it does not
    when all have answered:    send Reverse "does any part grow" to the father

Needs a connected network, two-way links and one initiator; links lose and duplicate nothing, order does not matter.
Complexity: 2m messages to explore, two on each link, and two for every process and round in which it is asked; a
process with h layers below it is asked h+1 times, so at most n(n-1) more: 2m + n(n-1), as many as that on a line
from its end.  At most quadratic in the number of layers in time; the levels are exact from the first moment.

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
        "done": "has completed its part",
    },
)


class Forward(Message):
    """'Layer ``layer`` explores now', from father to child."""

    layer: int


class Explore(Message):
    """'You are in layer ``layer``, unless you are in one already.'"""

    layer: int


class Reverse(Message):
    """The answer: whether this part of the tree has grown."""

    grown: bool


class BreadthFirstLayered(Process):
    title = "Breadth-first search by layers"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "<= 2*m + n*(n - 1)"

    state = OUTSIDE
    father: str | None = None
    level: int | None = None  # my layer: the distance from the initiator
    round: int = 0  # the layer that explores
    growing: set[str] = set()  # children whose parts of the tree have grown in the last round
    above: set[str] = set()  # neighbours in the layer above
    beside: set[str] = set()  # neighbours in my own layer that have explored before me
    pending: set[str] = set()  # whose answer is still missing

    @on(OUTSIDE, INIT)
    def start(self):
        """It is layer 0, and explores.

        always:
        """
        self.state = LEADING
        self.level = 0
        self.explore()

    @on(OUTSIDE, Explore)
    def join(self, m, q):
        """It joins the layer, as a child of the first that asked."""
        self.state = INSIDE
        self.father = q
        self.level = m.layer
        self.above.add(q)
        self.send(Reverse(grown=True), to=q)

    @on((INSIDE, ASKING), Explore)
    def explored(self, m, q):
        """It is in a layer already: it says no to the layer above, and needs no answer from its own.

        sends Reverse: It is in this layer already, so it says no.
        otherwise: A neighbour of its own layer explores too: there is no answer to wait for.
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
        """Its own layer explores, or it hands the word down to the parts that still grow.

        sends Explore: Its own layer explores now.
        sends Forward: It hands the word down to the parts that still grow.
        always: The word to explore reaches it.
        """
        self.state = ASKING
        self.round = m.layer
        if m.layer == self.level:
            self.explore()
        else:
            self.ask()

    @on((ASKING, LEADING), Reverse)
    def answered(self, m, q):
        """One answer less to wait for.

        always: One answer less to wait for: {pending:len} still missing.
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
        """Nobody waits for this; it happens only when something was broken."""
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
    """The father of p; nobody if it has none, or, after a corruption, none of its neighbours."""
    return c.across(p, p.father) if p.father in p.neighbours else None


@always("a child is one layer below its father")
def one_below(c):
    return all(father_of(c, p) is None or p.level == father_of(c, p).level + 1 for p in c.processes)


@always("a layer is complete before the next one is begun")
def complete(c):
    deepest = max((p.level for p in c.processes if p.level is not None), default=0)
    inner = [p for p in c.processes if p.level is not None and p.level < deepest - 1]
    return all(c.across(p, q).level is not None for p in inner for q in p.neighbours)


@eventually("the initiator learns that everybody is in a layer")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("the layers are the distances: neighbours are at most one apart")
def distances(c):
    links = [(p.level, c.across(p, q).level) for p in c.processes for q in p.neighbours]
    return all(a is not None and b is not None and abs(a - b) <= 1 for a, b in links)
