"""Cidon's depth-first search: the token does not wait for acknowledgements, and misdirected tokens are replaced.

A process that receives the token for the first time sends it on at once and informs its other neighbours in the same
step.  So the token may reach a process that has already been visited, if the message about that visit is still in
transit.  That process drops the token; the sender detects the mistake when the message arrives, and proceeds as if the
token had returned.

Pseudo-code (last: the neighbour to which the token was last sent; Tel's mrs, "most recently sent")::

    token from q0, for the first time:   father := q0; move on
                                         send Visited to all neighbours except the father and last
    token from q0 = last:                move on
    token from another q0:               used[q0] := true    (drop the token; q0 detects this with its variable last)
    Visited from q0:                     used[q0] := true; if q0 = last, move on    (q0 drops the token: a new one)
    move on:                             if some q other than the father is not used:
                                             used[q] := true; last := q; send the token to q
                                         else if this is the initiator: decide
                                         else last := father; send the token to the father

The initiator begins as if it had received the token, but has no father.  This version is stricter than Tel's in one
point: a process that has returned the token to its father sends nothing more.  Otherwise, it would respond with a
second token to a Visited that its father's token has overtaken; the father would drop that token, but it would cost a
message.

It needs a connected network, one initiator and two-way links that lose and duplicate nothing; order does not matter.
Complexity: at most 4m - n + 1 messages: three on a link of the tree (the token in both directions, Visited away from
the root), four on any other (Visited and a misdirected token in each direction); Tel's bound is 4m.  At most 2n - 2
time units if no message takes longer than one, and no traversal with a single token can be faster.

Reference: I. Cidon, Yet another distributed depth-first-search algorithm, Information Processing Letters 26 (1988);
G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 6.4.2; Y. H. Tsin, Some remarks on distributed
depth-first search, Information Processing Letters 82 (2002), on mistakes in earlier versions.
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

SLEEPING, VISITED, DONE, INITIATING, FINISHED = states(
    "sleeping", "visited", "done", "initiating", "finished",
    reads={
        "sleeping": "is asleep",
        "visited": "has been visited",
        "done": "has returned the token",
        "initiating": "is the initiator",
    },
)


class Token(Message):
    """The token; one that reaches a visited process by mistake is dropped there."""


class Visited(Message):
    """The announcement that the sender has received the token."""


class Cidon(Process):
    title = "Cidon's depth-first search"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "<= 4*m - n + 1"

    state = SLEEPING
    father: str | None = None  # the neighbour from which the token first arrived
    used: set[str] = set()  # neighbours that are known to have had the token
    last: str | None = None  # the neighbour to which the token was last sent

    @on(SLEEPING, INIT)
    def start(self):
        """It begins the traversal and informs its other neighbours in the same step.

        always:
        """
        self.state = INITIATING
        self.move_on()
        self.tell_others()

    @on(SLEEPING, Token)
    def visit(self, m, q):
        """It sends the token on at once and informs its other neighbours in the same step.

        becomes done and sends Visited: It returns the token at once, as it knows of no unvisited neighbour, and informs
            its other neighbours in the same step.
        becomes done: It returns the token at once: it has no other neighbour to visit.
        sends Visited: It sends the token on at once and informs its other neighbours in the same step.
        otherwise: It sends the token on at once and has no other neighbour to inform.
        """
        self.state = VISITED
        self.father = q
        self.move_on()
        self.tell_others()

    @on((VISITED, INITIATING), Token)
    def back(self, m, q):
        """It sends on a token that returns, and drops one that reached it by mistake.

        sends Token: It has the token back and sends it on.
        decides: It has the token back, and every process has been visited.
        otherwise: It drops this token, which reached it by mistake.
        """
        if q == self.last:
            self.move_on()
        else:
            self.used.add(q)

    @on((VISITED, INITIATING), Visited)
    def told(self, m, q):
        """It learns that the sender has been visited, and sends a new token if its last one went there by mistake.

        sends Token: It had sent the token to {peer}, which was visited already: that token will be dropped, and it
            sends a new one.
        otherwise: It learns that {peer} has been visited.
        """
        self.used.add(q)
        if q == self.last:
            self.move_on()

    @on(SLEEPING, Visited)
    def told_early(self, m, q):
        """It learns that the sender has been visited, before it is visited itself."""
        self.used.add(q)

    @on((DONE, FINISHED), (Token, Visited))
    def late(self, m, q):
        """It has completed its part and ignores this late message."""

    def move_on(self):
        unused = [r for r in self.neighbours if r != self.father and r not in self.used]
        if unused:
            self.used.add(unused[0])
            self.last = unused[0]
            self.send(Token(), to=self.last)
        elif self.state == INITIATING:
            self.decide("everybody has been visited")
            self.state = FINISHED
        else:
            self.last = self.father
            self.send(Token(), to=self.last)
            self.state = DONE

    def tell_others(self):
        for r in self.neighbours:
            if r not in (self.father, self.last):
                self.send(Visited(), to=r)


def father_of(c, p):
    """Return the father of p, or None if p has none or, after a corruption, one that is not its neighbour."""
    return c.across(p, p.father) if p.father in p.neighbours else None


def above(c, p):
    """Return p and all its ancestors: its father, its father's father, and so on."""
    way = []
    while p is not None and p not in way:
        way.append(p)
        p = father_of(c, p)
    return way


@always("at most one token is not misdirected")
def one_token(c):
    tokens = [t for t in c.in_transit if type(t.message) is Token]
    return sum(t.receiver.state == SLEEPING or father_of(c, t.sender) is t.receiver for t in tokens) <= 1


@always("the visited processes that are not done form a path from the initiator")
def one_path(c):
    on_it = [p for p in c.processes if p.state == VISITED]
    deepest = max((above(c, p) for p in on_it), key=len, default=[])
    return set(on_it) == set(deepest[:-1])


@eventually("the initiator learns that every process has been visited")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("every link connects a process with an ancestor in the tree")
def depth_first(c):
    up = {p: above(c, p) for p in c.processes}
    links = [(p, c.across(p, q)) for p in c.processes for q in p.neighbours]
    return all(p in up[q] or q in up[p] for p, q in links)
