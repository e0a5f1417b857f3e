"""Merlin-Segall: cheapest paths to the initiator, found in rounds during which the paths never form a loop.

Each process learns the cost of a cheapest path to the initiator and the next process on such a path, its father.

The initiator starts n - 1 rounds.  In each of them, the distances run down the tree of fathers and then up again, as in
Echo.  A process that has heard of a cheaper path does not change its father at once: it first hears from all neighbours
and reports its distance to the old father.  Therefore the fathers form a tree at every moment, and packets that are
forwarded to them never go in circles.  After round i the distance of each process is that of its cheapest path of at
most i links, or less.

Pseudo-code (w(q): the weight of the link to q; in the first round the sender of the first Dist becomes father)::

    the initiator, n - 1 times:   send Dist(0) to all neighbours; wait for Dist from all of them
    all others, Dist(d) from q:   if d + w(q) < dist then dist := d + w(q); best := q
                                  if q = father: send Dist(dist) to all neighbours except father
                                  if this round has a Dist from each neighbour:
                                      send Dist(dist) to father; father := best

It needs a connected network with two-way links that lose nothing, no negative weights, and one initiator that knows the
number of processes (``size``); order does not matter.  The original protocol also repairs the tree when links fail.
Complexity: 2m messages in each of n - 1 rounds.

Reference: P. M. Merlin and A. Segall, A failsafe distributed routing protocol, IEEE Transactions on Communications 27
(1979); W. Fokkink, Distributed Algorithms: An Intuitive Approach, 2nd edition, section 8.2.
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
    need,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
)

OUTSIDE, ASKING, CALM, LEADING, FINISHED = states(
    "outside", "asking", "calm", "leading", "finished",
    reads={
        "outside": "has no path",
        "asking": "is waiting for the distances of its neighbours",
        "calm": "has completed its part of the round",
        "leading": "is waiting for the end of the round",
    },
)


@need("no negative weight", "no link has a negative weight")
def not_negative(network):
    bad = next((link for link in network.links if (link.weight or 0) < 0), None)
    return None if bad is None else f"link {bad} has weight {bad.weight:g}; give it one of 0 or more"


class Dist(Message):
    """'I know a path to the initiator that costs ``dist``.'"""

    dist: float


class MerlinSegall(Process):
    title = "Merlin-Segall"
    needs = connected, two_way, not_negative, one_initiator, reliable, no_crashes
    messages = "2*m*(n - 1)"

    state = OUTSIDE
    dist: float | None = None  # cost of the cheapest path heard of
    father: str | None = None  # the next process on its path
    best: str | None = None  # the neighbour that offers the cheapest path: its father from the next round on
    heard: set[str] = set()  # neighbours from which a Dist has come in this round
    round: int = 0  # at the initiator: the number of the round

    size = parameter(9, minimum=1, help="the number of processes, which the initiator knows")

    @on(OUTSIDE, INIT)
    def start(self):
        """It is at distance 0 from itself and begins the first round.

        always:
        """
        self.state = LEADING
        self.dist = 0
        self.next_round()

    @on(OUTSIDE, Dist)
    def join(self, m, q):
        """It hears of a path for the first time: the sender becomes its father.

        always:
        """
        self.father = q
        self.hear(m, q)

    @on((ASKING, CALM), Dist)
    def hear(self, m, q):
        """It compares the path through {peer} with its own.

        becomes calm: It has heard from all neighbours: it reports to its father and then follows {father}.
        becomes asking: The round has reached it from its father: it tells all other neighbours its distance.
        changes dist: The path through {peer} is cheaper and costs {dist}; its father remains the same in this round.
        otherwise: The path through {peer} is not cheaper than its own.
        """
        if self.dist is None or m.dist + self.weight(q) < self.dist:
            self.dist = m.dist + self.weight(q)
            self.best = q
        self.heard.add(q)
        if q == self.father:
            self.state = ASKING
            for r in self.neighbours:
                if r != self.father:
                    self.send(Dist(self.dist), to=r)
        if len(self.heard) == len(self.neighbours):
            self.send(Dist(self.dist), to=self.father)
            self.father = self.best
            self.heard = set()
            self.state = CALM

    @on(LEADING, Dist)
    def returned(self, m, q):
        """It counts the neighbours that have completed the round.

        decides: The last round is complete.
        changes round: All neighbours have completed the round: it begins round {round}.
        otherwise: {heard:neighbour has|neighbours have} completed the round.
        """
        self.heard.add(q)
        if len(self.heard) == len(self.neighbours):
            self.next_round()

    @on(ANY, (INIT, Dist))
    def unexpected(self):
        """It does not expect this, which happens only after a fault."""
        self.note("it has finished, or has begun already")

    def next_round(self):
        if self.round == self.size - 1:
            self.decide("all distances are right")
            self.state = FINISHED
            return
        self.round += 1
        self.heard = set()
        for r in self.neighbours:
            self.send(Dist(0), to=r)


def father_of(c, p):
    """Return p's father; None if there is none or, after a corruption, it is not a neighbour."""
    return c.across(p, p.father) if p.father in p.neighbours else None


@always("the initiator knows the true number of processes")
def size_is_true(c):
    return all(p.size == c.n for p in c.processes)


@always("the fathers form no loop")
def loop_free(c):
    for p in c.processes:
        way = [p]
        while (p := father_of(c, p)) is not None:
            if p in way:
                return False
            way.append(p)
    return True


@always("no process believes in a path that is cheaper than its father's distance allows")
def downhill(c):
    return all(
        p.best not in p.neighbours or p.dist >= c.across(p, p.best).dist + p.weight(p.best) - 1e-9 for p in c.processes
    )


@eventually("the initiator has completed all rounds")
def finished(c):
    return any(p.state == FINISHED for p in c.processes)


@at_end("the distances are right, and each father is on a cheapest path")
def right(c):
    if any(p.dist is None for p in c.processes):
        return False
    cheapest = all(
        p.dist <= c.across(p, q).dist + p.weight(q) + 1e-9 for p in c.processes for q in p.neighbours
    )  # fmt: skip
    paths = (p for p in c.processes if father_of(c, p) is not None)
    return cheapest and all(abs(p.dist - father_of(c, p).dist - p.weight(p.father)) < 1e-9 for p in paths)
