"""Partial link reversal: each sink reverses its links except those that were just reversed towards it.

As in full reversal each link has a direction, and a sink, a process without an outgoing link, reverses links.  But it
does not reverse the links that have been reversed towards it since its own last reversal: the neighbours that reversed
them had no better path either.

Pseudo-code (the height of i is the triple (alpha, beta, i); a link leads from the higher end to the lower)::

    the guard of i:     i is not the destination, and all its neighbours are higher
    the action of i:    alpha := 1 + the least alpha of its neighbours;
                        if neighbours have this alpha as well: beta := the least beta among these - 1

Afterwards i is higher than its neighbours of the old least alpha, and lower than all others.

Needs a connected network with names and two-way links, and one initiator, which is the destination.  The guarded
actions work under any daemon.  Both ends of a link learn by the commands LinkDown and LinkUp that it is down or up.
Initially the height of each process is (0, 0, its name).
Complexity: no messages, only reads; after a change no process reverses more often than the number of processes without
a path to the destination plus the range of their alphas; often less than with full reversal, in the worst case more.  A
part of the network that is disconnected from the destination never comes to rest.

Reference: E. M. Gafni, D. P. Bertsekas, Distributed algorithms for generating loop-free routes in networks with
frequently changing topology, IEEE Transactions on Communications 29 (1981); J. L. Welch, J. E. Walter, Link Reversal
Algorithms (2011), chapter 2; C. Busch, S. Tirthapura, Analysis of link reversal routing algorithms (2005).
"""

from lydian import (
    Command,
    Process,
    always,
    at_end,
    connected,
    eventually,
    named,
    on,
    one_initiator,
    states,
    two_way,
    when,
)

NEW, ROUTER, DESTINATION = states(
    "new", "router", "destination",
    reads={"new": "has no height", "router": "is a router", "destination": "is the destination"},
)


class LinkDown(Command):
    """The link to ``neighbour`` is down; given to both ends of the link."""

    neighbour: str


class LinkUp(Command):
    """The link to ``neighbour`` is up again; given to both ends of the link."""

    neighbour: str


class LinkReversalPartial(Process):
    title = "Partial link reversal"
    needs = connected, named, two_way, one_initiator
    messages = "0"

    state = NEW
    alpha: int = 0
    beta: int = 0
    height: tuple = ()  # (alpha, beta, its name); a link leads from the higher end to the lower
    down: set[str] = set()  # neighbours to which the link is down
    told: int = 0  # how often it was informed that a link is down or up
    reversals: int = 0

    def up(self):
        return [q for q in self.neighbours if q not in self.down]

    @when(lambda self: True, state=NEW)
    def begin(self):
        """It takes its initial height.

        always:
        """
        self.height = (self.alpha, self.beta, self.me)
        self.state = DESTINATION if self.initiator else ROUTER

    def sink(self):
        return bool(self.up()) and all(self.see(q).height > self.height for q in self.up())

    @when(sink, state=ROUTER)
    def reverse(self):
        """It is a sink: it rises above its lowest neighbours.

        always:
        """
        self.alpha = 1 + min(self.see(q).alpha for q in self.up())
        same = [self.see(q).beta for q in self.up() if self.see(q).alpha == self.alpha]
        self.beta = min(same) - 1 if same else self.beta
        self.height = (self.alpha, self.beta, self.me)
        self.reversals += 1

    @on((NEW, ROUTER, DESTINATION), LinkDown)
    def lose(self, m):
        """It loses a link."""
        self.down.add(m.neighbour)
        self.told += 1

    @on((NEW, ROUTER, DESTINATION), LinkUp)
    def gain(self, m):
        """It gains a link, directed by the heights of its ends."""
        self.down.discard(m.neighbour)
        self.told += 1


def ways(c):
    """Return for each process the neighbours to which its links lead, if they are up and both ends have a height."""
    found = {}
    for p in c.processes:
        up = [c.across(p, q) for q in p.neighbours if q not in p.down and p.me not in c.across(p, q).down]
        found[p.me] = [q.me for q in up if p.height > q.height > ()]
    return found


def oriented(c):
    """Return True if from each process every directed path leads to the destination."""
    out = ways(c)
    return all(out[p.me] or p.state == DESTINATION for p in c.processes)


@always("the links never form a directed cycle")
def acyclic(c):
    out = ways(c)
    while out:
        last = [p for p in out if not any(q in out for q in out[p])]
        if not last:
            return False
        for p in last:
            del out[p]
    return True


@always("no process reverses more than 2n times for each change of the network")
def settles(c):
    changes = 1 + (1 + sum(p.told for p in c.processes)) // 2  # both ends are informed of each
    return all(p.reversals <= 2 * c.n * changes for p in c.processes)


@eventually("each process has a path to the destination")
def routed(c):
    return oriented(c)


@at_end("when no process is enabled, each process has a path to the destination")
def at_rest(c):
    return oriented(c)
