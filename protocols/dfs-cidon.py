"""Cidon's depth-first search: the token does not wait for acknowledgements, and what goes wrong is put right.

Whoever gets the token for the first time sends it on at once and tells its other neighbours, all at the same moment.
So the token may run into somebody who had it before, if the news of that visit are still on their way.  The one who
finds the token there just drops it; the one who sent it notices when the news arrive, and moves on as if the token
had come back.

Pseudo-code (last: the neighbour to whom the token was last sent; the book's mrs, "most recently sent")::

    token from q0, for the first time:   father := q0; move on
                                         send Visited to all neighbours except the father and last
    token from q0 = last:                move on
    token from another q0:               used[q0] := true    (the token ran into me: the correction follows from last)
    Visited from q0:                     used[q0] := true; if q0 = last, move on    (the token was lost: a new one)
    move on:                             if some q other than the father is not used:
                                             used[q] := true; last := q; send the token to q
                                         else if this is the initiator: decide
                                         else last := father; send the token to the father

The initiator begins as if the token had come to it, without a father.  One thing is read more strictly than in the
book: who has given the token back to its father starts nothing any more.  Else a Visited of the father that is
overtaken by its token would be answered by a second token; the father would drop it, but it costs a message.

Needs a connected network, two-way links and one initiator; links lose and duplicate nothing, order does not matter.
Complexity: at most 4m - n + 1 messages: three on a link of the tree (the token both ways, Visited down it), four on
any other (Visited and a mistaken token each way); the book says 4m.  At most 2n - 2 time units if no message takes
longer than one, and no traversal one link at a time can be faster.

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
    reads={"sleeping": "is asleep", "visited": "has been visited", "done": "has returned the token"},
)


class Token(Message):
    """The walker, or what is left of one that went the wrong way."""


class Visited(Message):
    """'I have had the token.'"""


class Cidon(Process):
    title = "Cidon's depth-first search"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "<= 4*m - n + 1"

    state = SLEEPING
    father: str | None = None  # from whom the token first came
    used: set[str] = set()  # who had the token, as far as I know
    last: str | None = None  # to whom I sent the token last

    @on(SLEEPING, INIT)
    def start(self):
        """It begins the walk, and tells its other neighbours at the same moment.

        always:
        """
        self.state = INITIATING
        self.move_on()
        self.tell_others()

    @on(SLEEPING, Token)
    def visit(self, m, q):
        """The token comes: it goes on at once, and the others are told at the same moment.

        becomes done and sends Visited: The token comes and goes straight back, as nobody else is without it; the others
            are told at the same moment.
        becomes done: The token comes and goes straight back: there is nobody else to visit.
        sends Visited: The token comes: it goes on at once, and the others are told at the same moment.
        otherwise: The token comes and goes on at once; there is nobody else to tell.
        """
        self.state = VISITED
        self.father = q
        self.move_on()
        self.tell_others()

    @on((VISITED, INITIATING), Token)
    def back(self, m, q):
        """The token comes back and moves on; one that nobody was asked for has run into it and is dropped.

        sends Token: The token comes back and moves on.
        decides: The token comes back, and every process has been visited.
        otherwise: A token that it did not ask for has run into it: it is dropped.
        """
        if q == self.last:
            self.move_on()
        else:
            self.used.add(q)

    @on((VISITED, INITIATING), Visited)
    def told(self, m, q):
        """It learns who has been visited; if it is the one to whom it sent the token, that one was lost: a new one.

        sends Token: It had sent its token to {peer}, which was visited already: that token is lost, and it
            sends a new one.
        otherwise: It learns that {peer} has been visited.
        """
        self.used.add(q)
        if q == self.last:
            self.move_on()

    @on(SLEEPING, Visited)
    def told_early(self, m, q):
        """It learns who has been visited, before it is visited itself."""
        self.used.add(q)

    @on((DONE, FINISHED), (Token, Visited))
    def late(self, m, q):
        """It has done its part; this comes late and changes nothing."""

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
    """The father of p; nobody if it has none, or, after a corruption, none of its neighbours."""
    return c.across(p, p.father) if p.father in p.neighbours else None


def above(c, p):
    """p, its father, the father of that, and so on."""
    way = []
    while p is not None and p not in way:
        way.append(p)
        p = father_of(c, p)
    return way


@always("at most one token is more than a mistake")
def one_token(c):
    tokens = [t for t in c.in_transit if type(t.message) is Token]
    return sum(t.receiver.state == SLEEPING or father_of(c, t.sender) is t.receiver for t in tokens) <= 1


@always("the visited processes that are not done are one path down from the initiator")
def one_path(c):
    on_it = [p for p in c.processes if p.state == VISITED]
    deepest = max((above(c, p) for p in on_it), key=len, default=[])
    return set(on_it) == set(deepest[:-1])


@eventually("the initiator learns that everybody has been visited")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("every link joins a process with one above it in the tree")
def depth_first(c):
    up = {p: above(c, p) for p in c.processes}
    links = [(p, c.across(p, q)) for p in c.processes for q in p.neighbours]
    return all(p in up[q] or q in up[p] for p, q in links)
