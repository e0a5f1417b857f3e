"""Distance vector routing: each process computes its table of distances from those of its neighbours.

A process stores, for each destination, its distance and the next neighbour on the path.  It sends this table to its
neighbours whenever it changes, and recomputes it from the tables it has last received.  Improvements spread fast,
deteriorations slowly: after a link has gone down, processes may use each other's obsolete paths, so that their
distances grow step by step until they reach the value that means infinity.

Pseudo-code (D[d]: distance to d; hop[d]: the next neighbour; V[q]: the last table received from q)::

    awake:               D := {me: 0}; send D to all neighbours
    D' from q:           V[q] := D'; for every d other than me:
                         D[d] := the least of weight of the link to r + V[r][d], over neighbours r, at most infinity;
                         hop[d] := an r that attains it (the old one if it does); if D or hop changed: send D to all
    link to q is down:   forget V[q]; recompute as above         link to q is up: send D to q
    with poisoned reverse, the table sent to q has infinity for all d with hop[d] = q.

Needs a connected network with names, two-way FIFO links of positive weight, and an initiator (a process that receives a
table wakes up).  Both ends of a link learn by the commands LinkDown and LinkUp that it is down or up.
This version keeps the latest table of each neighbour (Kurose and Ross, Bertsekas and Gallager) and sends tables on
changes, without periodic messages; RIP keeps only the best path, sends every 30 seconds, and uses 16 as infinity.  As
whole tables are sent, split horizon (omitting each such d) would have the same effect as poisoned reverse.
Complexity: in a network that does not change, distances only decrease, so at most 2m (1 + (n - 1) infinity) messages;
after a failure messages are exchanged up to ``infinity`` times before a destination that is gone is forgotten.

Reference: J. F. Kurose, K. W. Ross, Computer Networking, section 5.2.2; C. Hedrick, Routing Information Protocol,
RFC 1058 (1988), section 2.2; D. Bertsekas, R. Gallager, Data Networks, section 5.2.4.
"""

from lydian import (
    INIT,
    Command,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    fifo,
    named,
    need,
    on,
    parameter,
    some_initiator,
    states,
    two_way,
)

ASLEEP, ROUTING = states(
    "asleep", "routing",
    reads={"routing": "has a routing table"},
)


@need("positive weights", "every link has a positive weight")
def positive(network):
    bad = next((link for link in network.links if link.weight is not None and link.weight <= 0), None)
    return None if bad is None else f"link {bad} has weight {bad.weight:g}; give it one above 0"


class Vector(Message):
    """'These are my distances to all destinations.'"""

    dist: dict[str, float]


class LinkDown(Command):
    """The link to ``neighbour`` is down; given to both ends of the link."""

    neighbour: str


class LinkUp(Command):
    """The link to ``neighbour`` is up again; given to both ends of the link."""

    neighbour: str


class DistanceVector(Process):
    title = "Distance vector routing"
    needs = connected, named, two_way, fifo, positive, some_initiator
    messages = "<= 2*m * (1 + (n - 1) * infinity)"

    state = ASLEEP
    dist: dict[str, float] = {}  # destination -> distance
    hop: dict[str, str] = {}  # destination -> the next neighbour on the path
    heard: dict[str, dict] = {}  # neighbour -> the last table received from it
    down: set[str] = set()  # neighbours to which the link is down

    infinity = parameter(16, minimum=2, maximum=1000, help="the distance that means: there is no path")
    poisoned_reverse = parameter(False, help="whether a neighbour is sent infinity for paths that lead through it")
    shown = parameter("0", help="the destination whose distances and paths the animation shows")

    @on(ASLEEP, INIT)
    def wake(self):
        """It is at distance 0 from itself and sends its table to its neighbours.

        always:
        """
        self.state = ROUTING
        self.dist[self.me] = 0
        self.tell(self.neighbours)

    @on(ROUTING, INIT)
    def awake(self):
        """It has already been woken by a neighbour."""

    @on(ASLEEP, Vector)
    def hear_first(self, m, q):
        """It is woken by the first table of a neighbour."""
        self.wake()
        self.hear(m, q)

    @on(ROUTING, Vector)
    def hear(self, m, q):
        """It stores the table of its neighbour and recomputes its own.

        sends: It updates its own table from that of {peer}, and informs its neighbours.
        changes dist or hop: It updates its own table from that of {peer}.
        otherwise: The table of {peer} leaves its own table unchanged.
        """
        if q not in self.down:
            self.heard[q] = dict(m.dist)
            self.update()

    @on((ASLEEP, ROUTING), LinkDown)
    def lose(self, m):
        """It discards the table of the neighbour.

        while asleep: It discards the table of the neighbour.
        """
        self.down.add(m.neighbour)
        self.heard.pop(m.neighbour, None)
        self.update()

    @on((ASLEEP, ROUTING), LinkUp)
    def gain(self, m):
        """It sends its table to the neighbour.

        always: It sends its table to the neighbour.
        """
        self.down.discard(m.neighbour)
        if self.state == ROUTING:
            self.tell([m.neighbour])

    def update(self):
        before = dict(self.dist), dict(self.hop)
        for d in sorted({*self.dist, *(d for table in self.heard.values() for d in table)} - {self.me}):
            ways = {q: self.weight(q) + table[d] for q, table in sorted(self.heard.items()) if d in table}
            best = min(ways.values(), default=self.infinity)
            self.dist[d] = min(best, self.infinity)
            if best >= self.infinity:
                self.hop.pop(d, None)
            elif ways.get(self.hop.get(d)) != best:
                self.hop[d] = min(ways, key=ways.get)
        if (self.dist, self.hop) != before:
            self.tell(self.neighbours)

    def tell(self, others):
        for q in others:
            if q not in self.down:
                self.send(Vector(dist={d: self.said(d, q) for d in self.dist}), to=q)

    def said(self, d, q):
        through = self.poisoned_reverse and self.hop.get(d) == q
        return self.infinity if through else self.dist[d]


def links_up(c):
    """Return for each process (neighbour, weight) for the links that neither end believes to be down."""
    return {
        p.me: [(q, p.weight(q)) for q in p.neighbours if q not in p.down and p.me not in c.across(p, q).down]
        for p in c.processes
    }


def distances(links, start):
    """Return the true distances from one process; with negative weights, which have none, it ends as well."""
    found = {start: 0}
    for _ in links:
        for p in list(found):
            for q, weight in links[p]:
                found[q] = min(found.get(q, float("inf")), found[p] + weight)
    return found


def right(c):
    """Return True if all tables contain the true distances, as far as these are less than infinity."""
    links = links_up(c)
    for p in c.processes:
        true = distances(links, p.me)
        for d in sorted({*true, *p.dist}):
            if abs(p.dist.get(d, p.infinity) - min(true.get(d, p.infinity), p.infinity)) > 1e-9:
                return False
    return True


@always("following the tables never leads back to the same process")
def no_circle(c):
    for d in c.processes:
        for p in c.processes:
            way = set()
            while p is not None and d.me in p.hop:
                if p.me in way:
                    return False
                way.add(p.me)
                p = c.across(p, p.hop[d.me]) if p.hop[d.me] in p.neighbours else None
    return True


@eventually("all tables are right")
def settled(c):
    return right(c)


@at_end("when no message is in transit, all tables are right")
def correct(c):
    return right(c)
