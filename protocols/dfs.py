"""Depth-first search: one token traverses every link once in each direction and builds a depth-first tree.

A process that receives the token for the first time takes its sender as father.  It sends the token once through each
of its other links, and to its father when no other link is left.  The third rule makes the traversal depth-first: a
process that receives the token again sends it straight back.

Pseudo-code (Tarry's two rules for traversing a labyrinth, and the third rule)::

    R1  a process never sends the token twice through the same link
    R2  a process sends the token to its father only if rule R1 allows no other link
    R3  a process that receives the token sends it back through the same link if rules R1 and R2 allow it

    the initiator:             choose q; used[q] := true; send the token to q
    token from q0:             if father = undefined then father := q0
                               if used[q] for all q: decide (at the initiator)
                               else if some q other than the father is unused: choose one, q0 if it is among them;
                                   used[q] := true; send the token to q
                               else used[father] := true; send the token to the father

Tel leaves the choice open; here the process chooses the first neighbour by name, so that the tree does not depend on
the delays.  Without rule R3 this is Tarry's traversal, whose tree need not be depth-first: see tarry.

It needs a connected network, one initiator and two-way links that lose and duplicate nothing; order does not matter.
Complexity: 2m messages, one after the other, and therefore up to 2m time units if none takes longer than one.

Reference: T.-Y. Cheung, Graph traversal techniques and the maximum flow problem in distributed computation, IEEE
Transactions on Software Engineering 9 (1983); G. Tarry, Le problème des labyrinthes (1895); G. Tel, Introduction to
Distributed Algorithms, 2nd edition, sections 6.3.4 and 6.4.1.
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
        "initiating": "is waiting for the token to return",
    },
)


class Token(Message):
    """The token, of which there is only one."""


class DepthFirstSearch(Process):
    title = "Depth-first search"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "2*m"

    state = SLEEPING
    father: str | None = None  # the neighbour from which the token first arrived
    used: set[str] = set()  # neighbours to which the token has been sent

    @on(SLEEPING, INIT)
    def start(self):
        """It begins the traversal.

        always:
        """
        self.state = INITIATING
        self.move_on(None)

    @on(SLEEPING, Token)
    def visit(self, m, q):
        """It takes the sender as its father and sends the token on.

        becomes done: It takes the sender, its only neighbour, as its father and returns the token.
        otherwise: It takes the sender as its father and sends the token on.
        """
        self.state = VISITED
        self.father = q
        self.move_on(q)

    @on((VISITED, INITIATING), Token)
    def again(self, m, q):
        """It has had the token before and sends it straight back, or elsewhere if it has already used this link."""
        self.move_on(q)

    @on((DONE, FINISHED), Token)
    def unexpected(self, m, q):
        """It has received a second token, which is possible only after a fault."""
        self.note(f"unexpected token from {q}")

    def move_on(self, q0):
        unused = [r for r in self.neighbours if r != self.father and r not in self.used]
        if unused:
            q = q0 if q0 in unused else unused[0]
        elif self.state == VISITED:
            q = self.father
            self.state = DONE
        else:
            self.decide("everybody has been visited")
            self.state = FINISHED
            return
        self.used.add(q)
        self.send(Token(), to=q)


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


@always("there is at most one token, and none after the traversal")
def one_token(c):
    walking = any(p.state == INITIATING for p in c.processes)
    return len(c.in_transit) <= walking


@always("the visited processes that are not done form a path from the initiator (by rule R3)")
def one_path(c):
    on_it = [p for p in c.processes if p.state == VISITED]
    deepest = max((above(c, p) for p in on_it), key=len, default=[])
    return set(on_it) == set(deepest[:-1])


@eventually("the initiator learns that every process has been visited")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("every link connects a process with an ancestor in the tree (by rule R3)")
def depth_first(c):
    up = {p: above(c, p) for p in c.processes}
    links = [(p, c.across(p, q)) for p in c.processes for q in p.neighbours]
    return all(p in up[q] or q in up[p] for p, q in links)
