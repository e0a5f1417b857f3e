"""Awerbuch's depth-first search: the token never goes to somebody who had it before, because all have been told.

Whoever gets the token for the first time first tells its neighbours that it has been visited, and keeps the token
until they have acknowledged.  Then the token goes to a neighbour that is not visited, or back to the father.  So it
walks along the links of the tree only, and time no longer grows with the number of links.

Pseudo-code (used[q]: the token need not go to q)::

    token from q0, for the first time:   father := q0
                                         send Visited to all neighbours except the father
                                         receive Ack from all of them
    then, and on every other token:      if some q other than the father is not used:
                                             used[q] := true; send the token to q
                                         else if this is the initiator: decide
                                         else send the token to the father
    Visited from q0:                     used[q0] := true; send Ack to q0

The initiator begins as if the token had come to it, without a father.  The book leaves the choice of q open; here it
is the first by name, so the tree is the one of the classical search.

Needs a connected network, two-way links and one initiator; links lose and duplicate nothing, order does not matter.
Complexity: 4m messages: on every link of the tree the token twice, Visited and Ack, on every other link Visited and
Ack each way.  At most 4n - 2 time units if no message takes longer than one: 2n - 2 for the token, 2 at each process.

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
    reads={"sleeping": "is asleep", "visited": "has been visited", "done": "has returned the token"},
)


class Token(Message):
    """The walker: there is only one."""


class Visited(Message):
    """'I have had the token.'"""


class Ack(Message):
    """'I know that you have.'"""


class Awerbuch(Process):
    title = "Awerbuch's depth-first search"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "4*m"

    state = SLEEPING
    father: str | None = None  # from whom the token came
    used: set[str] = set()  # who had the token, from me or, as they told me, from others
    pending: set[str] = set()  # whose acknowledgement is still missing: as long as some is, the token stays

    @on(SLEEPING, INIT)
    def start(self):
        """It begins the walk and tells its neighbours first.

        always:
        """
        self.state = INITIATING
        self.tell(self.neighbours)

    @on(SLEEPING, Token)
    def visit(self, m, q):
        """The token comes: the sender becomes its father, and the other neighbours are told first.

        sends Visited: The token comes: the sender becomes its father, and the other neighbours are told first.
        becomes done: The token comes: the sender becomes its father and only neighbour, so it goes straight back.
        """
        self.state = VISITED
        self.father = q
        self.tell([r for r in self.neighbours if r != q])

    @on((VISITED, INITIATING), Ack)
    def acknowledged(self, m, q):
        """One neighbour more knows that it has been visited.

        sends Token: The last neighbour knows that it has been visited, so the token may leave.
        notes: It did not wait for this.
        decides: The last neighbour knows that it has been visited, and the traversal is complete.
        otherwise: One neighbour more knows that it has been visited: {pending:len} still missing.
        """
        if q in self.pending:
            self.pending.remove(q)
            if not self.pending:
                self.move_on()
        else:
            self.unexpected(m, q)

    @on((VISITED, INITIATING), Token)
    def back(self, m, q):
        """A child gives the token back."""
        self.move_on()

    @on(ANY, Visited)
    def told(self, m, q):
        """It learns who has been visited, and says so."""
        self.used.add(q)
        self.send(Ack(), to=q)

    @on(ANY, Ack)
    @on((DONE, FINISHED), Token)
    def unexpected(self, m, q):
        """Nobody waits for this; it happens only when something was broken."""
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
    """The father of p; nobody if it has none, or, after a corruption, none of its neighbours."""
    return c.across(p, p.father) if p.father in p.neighbours else None


def above(c, p):
    """p, its father, the father of that, and so on."""
    way = []
    while p is not None and p not in way:
        way.append(p)
        p = father_of(c, p)
    return way


@always("there is never a second token, and none when the walk is over")
def one_token(c):
    walking = any(p.state == INITIATING for p in c.processes)
    kept = sum(bool(p.pending) for p in c.processes)
    return kept + sum(type(t.message) is Token for t in c.in_transit) <= walking


@always("the token goes to somebody who has not been visited, or back to the father")
def along_the_tree(c):
    tokens = [t for t in c.in_transit if type(t.message) is Token]
    return all(t.receiver.state == SLEEPING or father_of(c, t.sender) is t.receiver for t in tokens)


@eventually("the initiator learns that everybody has been visited")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("every link joins a process with one above it in the tree")
def depth_first(c):
    up = {p: above(c, p) for p in c.processes}
    links = [(p, c.across(p, q)) for p in c.processes for q in p.neighbours]
    return all(p in up[q] or q in up[p] for p, q in links)
