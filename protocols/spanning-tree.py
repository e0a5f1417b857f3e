"""Spanning tree by flooding: each process takes the first sender as its parent and informs it.

The root sends a message to all neighbours.  A process that receives it for the first time answers "you are my parent"
and forwards it to all others; a process that already has a parent answers "already".  A process that has all answers
knows its children and terminates; the root does not know when the others have terminated.

Pseudo-code (code for process p; the root begins)::

    the root:                        send M to all neighbours; parent := itself
    M from q:                        if parent is undefined: parent := q; send Parent to q; send M to all others
                                     else send Already to q
    Parent from q:                   add q to children
    Already from q:                  add q to other
    after each of these:             if children and other hold all neighbours except the parent: terminate

Attiya and Welch test for termination only after Parent and Already, so that a process with no neighbour but its parent
would never terminate; here the test is made after the first M as well.  The root's parent stays undefined.

It needs a connected network, one initiator and two-way links that lose and duplicate nothing; order does not matter.
Complexity: 4m - 2n + 2 messages: 2m - n + 1 times M, each answered once.  If no message takes longer than one time
unit, all processes terminate within the distance from the root to the farthest process, plus two.
With equal delays the tree is a breadth-first tree; otherwise it may be any spanning tree.

Reference: H. Attiya and J. Welch, Distributed Computing, 2nd edition, section 2.3, algorithm 2 (modified flooding).
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

SLEEPING, EXPLORING, TERMINATED, ROOTING, COMPLETE = states(
    "sleeping", "exploring", "terminated", "rooting", "complete",
    reads={
        "sleeping": "is asleep",
        "exploring": "waits for answers",
        "terminated": "has terminated",
        "rooting": "is the root",
        "complete": "is the root and has terminated",
    },
)


class M(Message):
    """The message that is flooded; its first sender becomes the receiver's parent."""


class Parent(Message):
    """The answer that the receiver is the sender's parent."""


class Already(Message):
    """The answer that the sender already has a parent or is the root."""


class SpanningTree(Process):
    title = "Spanning tree"
    needs = connected, two_way, one_initiator, reliable, no_crashes
    messages = "4*m - 2*n + 2"

    state = SLEEPING
    parent: str | None = None
    children: set[str] = set()  # neighbours that have chosen this process as their parent
    other: set[str] = set()  # neighbours that have not

    @on(SLEEPING, INIT)
    def start(self):
        """It floods the network.

        always:
        """
        self.state = ROOTING
        self.flood(self.neighbours)

    @on(SLEEPING, M)
    def adopt(self, m, q):
        """It has no parent yet: the sender becomes its parent and is informed.

        always:
        """
        self.state = EXPLORING
        self.parent = q
        self.send(Parent(), to=q)
        self.flood([r for r in self.neighbours if r != q])

    @on((EXPLORING, TERMINATED, ROOTING, COMPLETE), M)
    def refuse(self, m, q):
        """It already has its place in the tree and says so."""
        self.send(Already(), to=q)

    @on((EXPLORING, ROOTING), Parent)
    def child(self, m, q):
        """It has a new child."""
        self.children.add(q)
        self.close()

    @on((EXPLORING, ROOTING), Already)
    def no_child(self, m, q):
        """This neighbour is the root or the child of another process.

        always:
        """
        self.other.add(q)
        self.close()

    @on(ANY, (Parent, Already))
    def unexpected(self, m, q):
        """It was not waiting for this answer, which is possible only after a fault."""
        self.note(f"unexpected answer from {q}")

    def flood(self, others):
        for r in others:
            self.send(M(), to=r)
        self.close()

    def close(self):
        if all(r in self.children or r in self.other or r == self.parent for r in self.neighbours):
            self.decide(len(self.children))
            self.state = COMPLETE if self.state == ROOTING else TERMINATED


def parent_of(c, p):
    """Return the parent of p, or None if p has none or, after a corruption, one that is not its neighbour."""
    return c.across(p, p.parent) if p.parent in p.neighbours else None


@always("there is one root")
def one_root(c):
    return sum(p.state in (ROOTING, COMPLETE) for p in c.processes) <= 1


@always("following parents leads to the root")
def rooted(c):
    safe = {p for p in c.processes if p.state in (ROOTING, COMPLETE)}
    for p in c.processes:
        way = []
        while p is not None and p not in safe and p not in way and p.state != SLEEPING:
            way.append(p)
            p = parent_of(c, p)
        if way and p not in safe:
            return False
        safe.update(way)
    return True


@always("a child has chosen its parent")
def children(c):
    return all(parent_of(c, c.across(p, q)) is p for p in c.processes for q in p.children)


@eventually("every process terminates")
def terminated(c):
    return all(p.state in (TERMINATED, COMPLETE) for p in c.processes)


@at_end("parents and children agree, and the tree has n - 1 links")
def spanning(c):
    pairs = [(p, c.across(p, q)) for p in c.processes for q in p.children]
    return len(pairs) == c.n - 1 and all(parent_of(c, q) is p for p, q in pairs)
