"""Tarry's traversal: one token traverses every link of any network once in each direction.

A token starts at the initiator, visits every process, and returns.  Two rules suffice, and leave open which link the
token takes; the links through which it first reaches the processes form a spanning tree.

Pseudo-code (Tarry's two rules for walking through a labyrinth)::

    R1  a process never sends the token twice through the same link
    R2  a process sends the token to its father only if rule R1 allows no other link

    the initiator:             choose q; used[q] := true; send the token to q
    token from q0:             if father = undefined then father := q0
                               if used[q] for all q: decide (at the initiator)
                               else if some q other than the father is unused: choose one;
                                   used[q] := true; send the token to q
                               else used[father] := true; send the token to the father

Here the process chooses at random, so that all traversals that the rules allow occur with some seed.  Depth-first
search (dfs) adds a third rule: a process that receives the token sends it straight back if these two rules allow it.

It needs a connected network, one initiator and two-way links that lose and duplicate nothing; order does not matter.
Complexity: 2m messages, one after the other, and therefore up to 2m time units if none takes longer than one.

Reference: G. Tarry, Le problème des labyrinthes, Nouvelles annales de mathématiques 14 (1895); G. Tel, Introduction to
Distributed Algorithms, 2nd edition, section 6.3.4, algorithm 6.14; W. Fokkink, Distributed Algorithms: An Intuitive
Approach, 2nd edition, section 4.1.
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


class Tarry(Process):
    title = "Tarry's traversal"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "2*m"

    state = SLEEPING
    father: str | None = None  # the neighbour from which the token first arrived
    used: set[str] = set()  # neighbours to which the token has been sent
    sent: int = 0  # how often it has sent the token

    @on(SLEEPING, INIT)
    def start(self):
        """It begins the traversal.

        always:
        """
        self.state = INITIATING
        self.move_on()

    @on(SLEEPING, Token)
    def visit(self, m, q):
        """It takes the sender as its father and sends the token on.

        becomes done: It takes the sender, its only neighbour, as its father and returns the token.
        otherwise: It takes the sender as its father and sends the token on.
        """
        self.state = VISITED
        self.father = q
        self.move_on()

    @on((VISITED, INITIATING), Token)
    def again(self, m):
        """It sends the token through another link.

        becomes done: All other links are used, so it returns the token to its father.
        becomes finished: The token has returned, and all links are used: the traversal is complete.
        otherwise: It has had the token before and sends it through a link that it has not used yet.
        """
        self.move_on()

    @on((DONE, FINISHED), Token)
    def unexpected(self, m, q):
        """It has received a second token, which is possible only after a fault."""
        self.note(f"unexpected token from {q}")

    def move_on(self):
        unused = [r for r in self.neighbours if r != self.father and r not in self.used]
        if unused:
            q = self.random.choice(unused)
        elif self.state == VISITED:
            q = self.father
            self.state = DONE
        else:
            self.decide("everybody has been visited")
            self.state = FINISHED
            return
        self.used.add(q)
        self.sent += 1
        self.send(Token(), to=q)


@always("there is at most one token, and none after the traversal")
def one_token(c):
    walking = any(p.state == INITIATING for p in c.processes)
    return len(c.in_transit) <= walking


@always("no process sends the token more often than it has links (by rule R1)")
def once(c):
    return all(p.sent <= len(p.neighbours) for p in c.processes)


@always("a process that has returned the token has used all its links (by rule R2)")
def father_last(c):
    return all(p.used == set(p.neighbours) for p in c.processes if p.state in (DONE, FINISHED))


@eventually("the initiator learns that every process has been visited")
def finished(c):
    return any(p.state == FINISHED for p in c.processes) and all(p.state in (FINISHED, DONE) for p in c.processes)


@at_end("the links to the fathers form a tree, and the initiator is its root")
def tree(c):
    reached = [p for p in c.processes if p.father is None and p.state == FINISHED]
    for p in reached:
        reached += [q for q in c.processes if q.father in q.neighbours and c.across(q, q.father) is p]
    return len(reached) == len(set(reached)) == c.n
