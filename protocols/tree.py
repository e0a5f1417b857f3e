"""Tree: a wave from the leaves of a tree to two neighbouring processes, which decide.

The leaves begin.  A process that has received a token from all neighbours but one sends a token to that neighbour, and
decides when it receives one from there as well.

In a tree exactly two processes decide.  They are neighbours, and their tokens cross on the link between them; the
delays determine which two.  A decision means that every process has taken part.

Pseudo-code (for each process; the leaves need not wait)::

    while a token is missing from more than one neighbour:
        receive a token from q; rec[q] := true
    send a token to q0, the only neighbour with rec[q0] = false
    receive a token from q0; rec[q0] := true
    decide
    (* inform: *) send a token to all neighbours except q0

It needs a tree whose leaves all start, and two-way links that lose nothing; order and delays do not matter.
Complexity: n messages, one by each process; with ``inform`` every process decides, and 2n - 2 messages are sent, one in
each direction on every link.  If no message takes longer than one time unit and the longest path of the tree has d
links, the decision is made after at most (d + 1)/2 units, rounded up.

Reference: G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 6.2.2.
"""

from lydian import (
    INIT,
    Message,
    Process,
    always,
    at_end,
    leaves_start,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    tree,
    two_way,
)

COLLECTING, WAITING, DECIDED = states(
    "collecting", "waiting", "decided",
    reads={"waiting": "has sent its token", "decided": "has decided"},
)


class Token(Message):
    """The announcement that every process on the sender's side of the link takes part."""


class Tree(Process):
    needs = tree, two_way, leaves_start, reliable, no_crashes
    messages = "0 if n == 1 else 2*n - 2 if inform else n"

    state = COLLECTING
    rec: set[str] = set()  # neighbours from which a token has arrived
    last: str | None = None  # the only neighbour that had sent no token: Tel's q0

    inform = parameter(False, help="whether the two processes that decide inform the others, so that all decide")

    @on(COLLECTING, INIT)
    def start(self):
        """It sends its token at once if it is a leaf; otherwise it waits for the tokens of all neighbours but one.

        sends: It is a leaf, so it sends its token to its only neighbour at once.
        otherwise: It waits for the tokens of all neighbours but one.
        """
        self.send_to_the_last()

    @on(COLLECTING, Token)
    def collect(self, m, q):
        """It needs one token fewer."""
        self.rec.add(q)
        self.send_to_the_last()

    @on(WAITING, Token)
    def decided(self, m, q):
        """It now has the tokens of all its neighbours: every process has taken part.

        notes: It was not waiting for this token.
        otherwise: It now has the tokens of all its neighbours: every process has taken part.
        """
        if q != self.last:
            self.unexpected(m, q)
            return
        self.rec.add(q)
        self.finish()

    @on(DECIDED, Token)
    def unexpected(self, m, q):
        """It has received a second token from this neighbour, which is possible only after a fault."""
        self.note(f"unexpected token from {q}")

    def send_to_the_last(self):
        missing = [q for q in self.neighbours if q not in self.rec]
        if len(missing) == 1:
            self.last = missing[0]
            self.send(Token(), to=self.last)
            self.state = WAITING
        elif not self.neighbours:  # it is alone
            self.finish()

    def finish(self):
        self.decide("everybody has taken part")
        self.state = DECIDED
        if self.inform:
            for r in self.neighbours:
                if r != self.last:
                    self.send(Token(), to=r)


def last_of(c, p):
    """Return the process to which p has sent its only token, or None."""
    return c.across(p, p.last) if p.last in p.neighbours else None


def middle(c):
    """Return the processes whose tokens cross."""
    return [p for p in c.processes if last_of(c, p) is not None and last_of(c, last_of(c, p)) is p]


@always("the tokens of at most two processes cross, and these are neighbours")
def one_middle(c):
    return len(middle(c)) in (0, 2)


@always("without inform, only processes in the middle decide")
def deciders(c):
    if any(p.inform for p in c.processes) or len(c.processes) == 1:
        return True
    return all(p in middle(c) for p in c.processes if p.state == DECIDED)


@always("no process decides before every process has sent its token")
def wave(c):
    return all(p.state != DECIDED for p in c.processes) or all(p.state != COLLECTING for p in c.processes)


@at_end("two processes decide; with inform, all do")
def decision(c):
    count = sum(p.state == DECIDED for p in c.processes)
    return count == (c.n if c.processes[0].inform else min(c.n, 2))
