"""A tree that mends itself: everybody takes the neighbour that is nearest to the root.

Whatever distances and parents stand in the processes, in the end they form a breadth-first tree.  Nothing has to be
started, and nobody has to notice that anything was wrong.

Pseudo-code (of Dolev, Israeli and Moran; dist and parent of each process)::

    the root:      when (dist, parent) <> (0, none)                 then  (dist, parent) := (0, none)
    the others:    d := the least dist of a neighbour;  q := the first neighbour that has it
                   when (dist, parent) <> (d + 1, q)                then  (dist, parent) := (d + 1, q)

Needs a connected network with names and two-way links, and one initiator, the root.  In the book a process reads one
register at a time and writes afterwards; here a step reads all neighbours and writes at once.  Any daemon.
Complexity: no messages but looks; wrong distances that are too small rise by at least one a round, so that everything
is right after O(diameter) rounds, and then nobody moves any more.

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
        """The distance and the parent that suit what the neighbours say."""
        if self.initiator or not self.neighbours:
            return 0, None
        q = min(self.neighbours, key=lambda q: self.see(q).dist)
        return self.see(q).dist + 1, q

    @when(lambda self: (self.dist, self.parent) != self.right_one())
    def mend(self):
        """It takes the neighbour with the least distance as its parent, and one more as its own distance."""
        self.dist, self.parent = self.right_one()


def distances(c):
    """Process -> its true distance from the root, found by looking at the links."""
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
    """Whether all distances are true, and every parent is one nearer to the root."""
    true = distances(c)
    right = all(p.dist == true[p.me] for p in c.processes)
    return right and all(p.initiator or (p.parent in true and true[p.parent] == p.dist - 1) for p in c.processes)


@always("nobody stands below 0")
def not_below(c):
    return all(p.dist >= 0 for p in c.processes)


@eventually("the parents form a breadth-first tree")
def tree_in_the_end(c):
    return is_tree(c)


@at_end("when nobody moves any more, the parents form a breadth-first tree")
def tree_at_rest(c):
    return is_tree(c)
