"""Distance vector routing: everybody tells its neighbours how far everything is, and believes the best it is told.

A process keeps, for every destination, how far it is and over which neighbour.  It sends this table to its neighbours
whenever it changes, and computes it anew from the tables that it got last.  Good news travel fast; bad news travel
slowly: after a link has gone down, processes believe each other's old ways through each other, and count up until
what they count is called infinite.

Pseudo-code (D[d]: distance to d; hop[d]: the neighbour on the way; V[q]: the last table that came from q)::

    awake:               D := {me: 0}; send D to all neighbours
    D' from q:           V[q] := D'; for every d other than me:
                         D[d] := the least of weight of the link to r + V[r][d], over neighbours r, at most infinity;
                         hop[d] := an r that gives it (the old one if it does); if D or hop changed: send D to all
    link to q is down:   forget V[q]; the same          link to q is up: send D to q
    with poisoned reverse, q is told the distance infinity for all d with hop[d] = q.

Needs a connected network with names, two-way FIFO links that cost more than 0, and an initiator (whoever hears of it
wakes up); that a link is down or up is told to both its ends, by the commands LinkDown and LinkUp.
The reading taken: the newest table of each neighbour is kept (Kurose and Ross, Bertsekas and Gallager), and sent when
it changes, without periodic messages; RIP keeps its best way only, sends every 30 seconds, and calls 16 infinite.  As
tables are sent whole, split horizon (saying nothing about such d) would be the same as poisoned reverse.
Complexity: in a network that stays as it is, distances only shrink, so at most 2m (1 + (n - 1) infinity) messages;
after a failure it takes up to infinity messages to and fro to forget a destination that is gone.

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
    reads={"routing": "has a table"},
)


@need("positive weights", "every link costs more than nothing")
def positive(network):
    bad = next((link for link in network.links if link.weight is not None and link.weight <= 0), None)
    return None if bad is None else f"link {bad} has weight {bad.weight:g}; give it one above 0"


class Vector(Message):
    """'So far is everything from me.'"""

    dist: dict[str, float]


class LinkDown(Command):
    """The link to ``neighbour`` is down, as its two ends notice."""

    neighbour: str


class LinkUp(Command):
    """The link to ``neighbour`` is up again."""

    neighbour: str


class DistanceVector(Process):
    title = "Distance vector routing"
    needs = connected, named, two_way, fifo, positive, some_initiator
    messages = "<= 2*m * (1 + (n - 1) * infinity)"

    state = ASLEEP
    dist: dict[str, float] = {}  # destination -> how far it is
    hop: dict[str, str] = {}  # destination -> the neighbour on the way
    heard: dict[str, dict] = {}  # neighbour -> the last table that came from it
    down: set[str] = set()  # neighbours to which the link is down

    infinity = parameter(16, minimum=2, maximum=1000, help="the distance that means: there is no way")
    poisoned_reverse = parameter(False, help="whether a neighbour is told infinity about what leads through it")
    shown = parameter("0", help="the destination whose distances and ways the animation shows")

    @on(ASLEEP, INIT)
    def wake(self):
        """It is at distance 0 from itself, and says so.

        always:
        """
        self.state = ROUTING
        self.dist[self.me] = 0
        self.tell(self.neighbours)

    @on(ROUTING, INIT)
    def awake(self):
        """It was woken by a neighbour before."""

    @on(ASLEEP, Vector)
    def hear_first(self, m, q):
        """A neighbour wakes it."""
        self.wake()
        self.hear(m, q)

    @on(ROUTING, Vector)
    def hear(self, m, q):
        """It takes over what its neighbour says, and computes its table anew.

        sends: Its table changes with what {peer} says, so it tells its neighbours.
        changes dist or hop: Its table changes with what {peer} says.
        otherwise: What {peer} says does not change its table.
        """
        if q not in self.down:
            self.heard[q] = dict(m.dist)
            self.update()

    @on((ASLEEP, ROUTING), LinkDown)
    def lose(self, m):
        """What the neighbour said counts no longer.

        while asleep: What the neighbour said counts no longer.
        """
        self.down.add(m.neighbour)
        self.heard.pop(m.neighbour, None)
        self.update()

    @on((ASLEEP, ROUTING), LinkUp)
    def gain(self, m):
        """The neighbour is told everything, as if it were new.

        always: The neighbour is told everything, as if it were new.
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
    """Process -> (neighbour, weight) for the links that neither end believes to be down."""
    return {
        p.me: [(q, p.weight(q)) for q in p.neighbours if q not in p.down and p.me not in c.across(p, q).down]
        for p in c.processes
    }


def distances(links, start):
    """The true distances from one process."""
    found, todo = {start: 0}, [start]
    while todo:
        p = min(todo, key=found.get)
        todo.remove(p)
        for q, weight in links[p]:
            if found[p] + weight < found.get(q, float("inf")):
                found[q] = found[p] + weight
                todo.append(q)
    return found


def right(c):
    """Whether all tables tell the true distances, as far as they are less than infinity."""
    links = links_up(c)
    for p in c.processes:
        true = distances(links, p.me)
        for d in sorted({*true, *p.dist}):
            if abs(p.dist.get(d, p.infinity) - min(true.get(d, p.infinity), p.infinity)) > 1e-9:
                return False
    return True


@always("whoever follows the tables never comes back to where it was")
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


@at_end("when nothing is under way, all tables are right")
def correct(c):
    return right(c)
