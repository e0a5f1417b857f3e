"""Self-stabilising spanning tree: each process chooses the neighbour that is nearest to the root as its parent.

Whatever the distances and parents are initially, eventually they form a breadth-first tree.  No process has to start
the protocol, and none has to detect that a value was wrong.

Pseudo-code (of Dolev, Israeli and Moran; dist and parent of each process)::

    the root:      when (dist, parent) <> (0, none)                 then  (dist, parent) := (0, none)
    the others:    d := the least dist of a neighbour;  q := the first neighbour that has it
                   when (dist, parent) <> (d + 1, q)                then  (dist, parent) := (d + 1, q)

Needs a connected network with names and two-way links, and one initiator, the root.  In the book, a process reads one
register at a time and writes afterwards; here a step reads all neighbours and writes atomically.  Any daemon will do.
Complexity: no messages, only reads; distances that are too small grow by at least one in each round, so all values are
right after O(diameter) rounds, and then no process is enabled.

Reference: S. Dolev, A. Israeli, S. Moran, Self-stabilization of dynamic systems assuming only read/write atomicity,
Distributed Computing 7 (1993); S. Dolev, Self-Stabilization (2000), section 2.5, figure 2.1.
"""

from lydian import Process, always, at_end, connected, eventually, named, one_initiator, two_way, variable, when


class StabilisingTree(Process):
    title = "Self-stabilising spanning tree"
    needs = connected, named, two_way, one_initiator
    messages = "0"

    dist: int = variable(0, minimum=0, maximum="n")
    parent: str | None = None

    def right_one(self):
        """Return the distance and the parent that agree with the neighbours' distances."""
        if self.initiator or not self.neighbours:
            return 0, None
        q = min(self.neighbours, key=lambda q: self.see(q).dist)
        return self.see(q).dist + 1, q

    @when(lambda self: (self.dist, self.parent) != self.right_one())
    def mend(self):
        """It chooses the neighbour with the least distance as its parent, and one more as its own distance."""
        self.dist, self.parent = self.right_one()


def distances(c):
    """Return for each process its true distance from the root, computed from the links."""
    root = next(p for p in c.processes if p.initiator)
    found, edge = {root.me: 0}, [root]
    while edge:
        p = edge.pop(0)
        for q in p.neighbours:
            if q not in found:
                found[q] = found[p.me] + 1
                edge.append(c.across(p, q))
    return found


def is_tree(c):
    """Return True if all distances are true and each parent is one nearer to the root."""
    true = distances(c)
    right = all(p.dist == true[p.me] for p in c.processes)
    return right and all(p.initiator or (p.parent in true and true[p.parent] == p.dist - 1) for p in c.processes)


@always("no distance is negative")
def not_below(c):
    return all(p.dist >= 0 for p in c.processes)


@eventually("the parents form a breadth-first tree")
def tree_in_the_end(c):
    return is_tree(c)


@at_end("when no process is enabled, the parents form a breadth-first tree")
def tree_at_rest(c):
    return is_tree(c)
