"""Awerbuch's depth-first search: the token never goes to a visited process, since each visit is announced first.

A process that receives the token for the first time informs its neighbours that it has been visited, and keeps the
token until they have acknowledged.  Then it sends the token to a neighbour that has not been visited, or back to its
father.  The token therefore uses only the links of the tree, and the time does not grow with the number of links.

Pseudo-code (used[q]: the token need not go to q)::

    token from q0, for the first time:   father := q0
                                         send Visited to all neighbours except the father
                                         receive Ack from all of them
    then, and on every other token:      if some q other than the father is not used:
                                             used[q] := true; send the token to q
                                         else if this is the initiator: decide
                                         else send the token to the father
    Visited from q0:                     used[q0] := true; send Ack to q0

The initiator begins as if it had received the token, but has no father.  Tel leaves the choice of q open; here it is
the first neighbour by name, so that the tree is that of the classical search.

It needs a connected network, one initiator and two-way links that lose and duplicate nothing; order does not matter.
Complexity: 4m messages: on each link of the tree the token twice, one Visited and one Ack; on every other link a
Visited and an Ack in each direction.  At most 4n - 2 time units if no message takes longer than one: 2n - 2 for the
token, and 2 at each process.

Reference: B. Awerbuch, A new distributed depth-first-search algorithm, Information Processing Letters 20 (1985);
G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 6.4.2.
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
    """The token, of which there is only one."""


class Visited(Message):
    """The announcement that the sender has received the token."""


class Ack(Message):
    """The acknowledgement of a Visited."""


class Awerbuch(Process):
    title = "Awerbuch's depth-first search"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "4*m"

    state = SLEEPING
    father: str | None = None  # the neighbour from which the token first arrived
    used: set[str] = set()  # neighbours that were sent the token, or have reported that they had it
    pending: set[str] = set()  # neighbours that have not yet acknowledged: until they have, the token stays

    @on(SLEEPING, INIT)
    def start(self):
        """It begins the traversal and first informs its neighbours.

        always:
        """
        self.state = INITIATING
        self.tell(self.neighbours)

    @on(SLEEPING, Token)
    def visit(self, m, q):
        """It takes the sender as its father and first informs its other neighbours.

        sends Visited: It takes the sender as its father and first informs its other neighbours.
        becomes done: It takes the sender, its only neighbour, as its father and returns the token.
        """
        self.state = VISITED
        self.father = q
        self.tell([r for r in self.neighbours if r != q])

    @on((VISITED, INITIATING), Ack)
    def acknowledged(self, m, q):
        """It needs one acknowledgement fewer.

        sends Token: The last neighbour knows that it has been visited, so the token may leave.
        notes: It was not waiting for this acknowledgement.
        decides: The last neighbour knows that it has been visited, and the traversal is complete.
        otherwise: It waits for {pending:more acknowledgement|more acknowledgements}.
        """
        if q in self.pending:
            self.pending.remove(q)
            if not self.pending:
                self.move_on()
        else:
            self.unexpected(m, q)

    @on((VISITED, INITIATING), Token)
    def back(self, m, q):
        """A child has returned the token."""
        self.move_on()

    @on(ANY, Visited)
    def told(self, m, q):
        """It learns that the sender has been visited and acknowledges."""
        self.used.add(q)
        self.send(Ack(), to=q)

    @on(ANY, Ack)
    @on((DONE, FINISHED), Token)
    def unexpected(self, m, q):
        """It was not waiting for this message, which is possible only after a fault."""
        self.note(f"unexpected message from {q}")

    def tell(self, others):
        self.pending = set(others)
        for r in others:
            self.send(Visited(), to=r)
        if not self.pending:
            self.move_on()

    def move_on(self):
        unused = [r for r in self.neighbours if r != self.father and r not in self.used]
        if unused:
            self.used.add(unused[0])
            self.send(Token(), to=unused[0])
        elif self.state == INITIATING:
            self.decide("everybody has been visited")
            self.state = FINISHED
        else:
            self.send(Token(), to=self.father)
            self.state = DONE


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
    kept = sum(bool(p.pending) for p in c.processes)
    return kept + sum(type(t.message) is Token for t in c.in_transit) <= walking


@always("the token goes to an unvisited process or back to the father")
def along_the_tree(c):
    tokens = [t for t in c.in_transit if type(t.message) is Token]
    return all(t.receiver.state == SLEEPING or father_of(c, t.sender) is t.receiver for t in tokens)


@eventually("the initiator learns that every process has been visited")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("every link connects a process with an ancestor in the tree")
def depth_first(c):
    up = {p: above(c, p) for p in c.processes}
    links = [(p, c.across(p, q)) for p in c.processes for q in p.neighbours]
    return all(p in up[q] or q in up[p] for p, q in links)
