"""Breadth-first search without order: everybody believes the shortest way heard of so far, and corrects itself.

The initiator tells its neighbours that it is at distance 0.  Whoever hears of a way that is shorter than what it
believed takes the sender as its parent, and tells all others how far away it is now.  When no message is left, the
parents are a breadth-first tree; but nobody knows when that is.

Pseudo-code::

    the initiator:     dist := 0; send 0 to all neighbours
    m from q:          if m + 1 < dist: dist := m + 1; parent := q; send dist to all neighbours except q

Needs a connected network, two-way links and one initiator; links lose nothing, order does not matter.
Complexity: at most (n - 1)(2m - n + 1) messages: a process can improve n - 1 times, from n - 1 down to 1, and tells
all neighbours but one each time.  If all messages take the same time there is nothing to correct, and 2m - n + 1
are sent.  At most as many time units as the initiator is far from the farthest process, and one more, if no message
takes longer than one.

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
    reads={"outside": "has heard nothing", "inside": "believes a distance", "leading": "is at distance 0"},
)


class Distance(Message):
    """'I am ``dist`` away from the initiator, by a way that I know.'"""

    dist: int


class BreadthFirstAsync(Process):
    title = "Breadth-first search without order"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "<= (n - 1) * (2*m - n + 1)"

    state = OUTSIDE
    dist: int | None = None  # how far the initiator is, by the shortest way heard of
    parent: str | None = None  # the next on that way
    corrections: int = 0  # how often it had believed too much

    @on(OUTSIDE, INIT)
    def start(self):
        """It is at distance 0 from itself, and says so.

        always:
        """
        self.state = LEADING
        self.dist = 0
        self.tell(self.neighbours)

    @on(OUTSIDE, Distance)
    def join(self, m, q):
        """It hears of a way for the first time."""
        self.state = INSIDE
        self.believe(m, q)

    @on(INSIDE, Distance)
    def compare(self, m, q):
        """It believes the shorter way.

        changes dist: This way is shorter than the one it knew: it believes it and tells its neighbours.
        otherwise: It knows a way that is as short or shorter, so nothing changes.
        """
        if m.dist + 1 < self.dist:
            self.corrections += 1
            self.believe(m, q)

    @on(LEADING, Distance)
    def ignore(self, m, q):
        """No way is shorter than its own."""

    def believe(self, m, q):
        self.dist = m.dist + 1
        self.parent = q
        self.tell([r for r in self.neighbours if r != q])

    def tell(self, others):
        for r in others:
            self.send(Distance(dist=self.dist), to=r)


def parent_of(c, p):
    """The parent of p; nobody if it has none, or, after a corruption, none of its neighbours."""
    return c.across(p, p.parent) if p.parent in p.neighbours else None


@always("a parent is nearer to the initiator")
def nearer(c):
    return all(parent_of(c, p) is None or parent_of(c, p).dist < p.dist for p in c.processes)


@at_end("the distances are right: neighbours differ by at most one, a child from its parent by one")
def right(c):
    links = [(p.dist, c.across(p, q).dist) for p in c.processes for q in p.neighbours]
    near = all(a is not None and b is not None and abs(a - b) <= 1 for a, b in links)
    return near and all(parent_of(c, p) is None or parent_of(c, p).dist == p.dist - 1 for p in c.processes)
