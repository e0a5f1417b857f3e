"""Breadth-first search without order: each process keeps the shortest path known so far and corrects itself.

The initiator tells its neighbours that its distance is 0.  A process that learns of a shorter path than it knew takes
the sender as its parent and sends its new distance to all other neighbours.  When no message is left, the parents form
a breadth-first tree; but no process can detect this.

Pseudo-code::

    the initiator:     dist := 0; send 0 to all neighbours
    m from q:          if m + 1 < dist: dist := m + 1; parent := q; send dist to all neighbours except q

It needs a connected network, one initiator and two-way links that lose nothing; order does not matter.
Complexity: at most (n - 1)(2m - n + 1) messages: a process can improve its distance n - 1 times, from n - 1 down to 1,
and informs all neighbours but one each time.  If all messages take equally long, there is nothing to correct, and
2m - n + 1 messages are sent.  If no message takes longer than one time unit, the time is at most the distance from the
initiator to the farthest process, plus one.

Reference: N. Lynch, Distributed Algorithms, section 15.4 (AsynchBFS); G. Tel, Introduction to Distributed Algorithms,
2nd edition, section 12.4.
"""

from lydian import (
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    no_crashes,
    on,
    one_initiator,
    reliable,
    states,
    two_way,
)

OUTSIDE, INSIDE, LEADING = states(
    "outside", "inside", "leading",
    reads={"outside": "knows no path", "inside": "knows a path", "leading": "is at distance 0"},
)


class Distance(Message):
    """The sender's distance ``dist`` from the initiator, along the shortest path that it knows."""

    dist: int


class BreadthFirstAsync(Process):
    title = "Breadth-first search without order"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "<= (n - 1) * (2*m - n + 1)"

    state = OUTSIDE
    dist: int | None = None  # the length of the shortest known path to the initiator
    parent: str | None = None  # the next process on that path
    corrections: int = 0  # how often the distance has been corrected

    @on(OUTSIDE, INIT)
    def start(self):
        """It sends its distance 0 to each neighbour.

        always:
        """
        self.state = LEADING
        self.dist = 0
        self.tell(self.neighbours)

    @on(OUTSIDE, Distance)
    def join(self, m, q):
        """It learns of a path for the first time and informs its other neighbours."""
        self.state = INSIDE
        self.believe(m, q)

    @on(INSIDE, Distance)
    def compare(self, m, q):
        """It keeps the shorter of the two paths.

        changes dist: This path is shorter than the one it knew, so it corrects its distance and informs its neighbours.
        otherwise: It knows a path that is as short or shorter, so it ignores this one.
        """
        if m.dist + 1 < self.dist:
            self.corrections += 1
            self.believe(m, q)

    @on(LEADING, Distance)
    def ignore(self, m, q):
        """It is the initiator and ignores all distances."""

    def believe(self, m, q):
        self.dist = m.dist + 1
        self.parent = q
        self.tell([r for r in self.neighbours if r != q])

    def tell(self, others):
        for r in others:
            self.send(Distance(dist=self.dist), to=r)


def parent_of(c, p):
    """Return the parent of p, or None if p has none or, after a corruption, one that is not its neighbour."""
    return c.across(p, p.parent) if p.parent in p.neighbours else None


@always("a parent is nearer to the initiator")
def nearer(c):
    return all(parent_of(c, p) is None or parent_of(c, p).dist < p.dist for p in c.processes)


@at_end("the distances are right: neighbours differ by at most one, a child from its parent by one")
def right(c):
    links = [(p.dist, c.across(p, q).dist) for p in c.processes for q in p.neighbours]
    near = all(a is not None and b is not None and abs(a - b) <= 1 for a, b in links)
    return near and all(parent_of(c, p) is None or parent_of(c, p).dist == p.dist - 1 for p in c.processes)
