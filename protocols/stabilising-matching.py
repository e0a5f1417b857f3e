"""Self-stabilising matching: free processes find partners, and rejected processes become free again.

Two neighbours that point at each other are a pair.  Whatever the pointers are initially, eventually no free process has
a free neighbour: the matching is maximal, and no pair could be added.

Pseudo-code (of Hsu and Huang; i points at one neighbour or at none)::

    accept:      when i points at none, and a neighbour j points at i              then  i points at j
    propose:     when i points at none, no process points at i, and a neighbour
                 j points at none                                                  then  i points at j
    withdraw:    when i points at j, and j points at another process               then  i points at none

Needs a network with names and two-way links; there are no initiators and no leader.  One process moves at a time: a
``synchronous`` daemon may let all propose and withdraw together for ever.  Where the paper chooses any neighbour, here
it is the next one after the process's own name, and after the last name the first.
Complexity: no messages, only reads; O(m) moves (Hsu and Huang proved O(n^3); the bound is from Hedetniemi et al.).

Reference: S.-C. Hsu, S.-T. Huang, A self-stabilizing algorithm for maximal matching, Information Processing Letters 43
(1992); S. T. Hedetniemi, D. P. Jacobs, P. K. Srimani, Maximal matching stabilizes in time O(m), IPL 80 (2001).
"""

from lydian import Process, at_end, eventually, named, natural, two_way, when


class StabilisingMatching(Process):
    title = "Self-stabilising matching"
    needs = named, two_way
    messages = "0"

    partner: str | None = None

    def suitors(self):
        return [q for q in self.neighbours if self.see(q).partner == self.me]

    def free(self):
        return [q for q in self.neighbours if self.see(q).partner is None]

    @when(lambda self: self.partner is None and bool(self.suitors()))
    def accept(self):
        """It accepts a neighbour that points at it: they are a pair."""
        self.partner = self.suitors()[0]

    @when(lambda self: self.partner is None and not self.suitors() and bool(self.free()))
    def propose(self):
        """It proposes to a free neighbour, since no process points at it."""
        self.partner = min(self.free(), key=lambda q: (natural(q) < natural(self.me), natural(q)))

    @when(lambda self: self.partner is not None and self.see(self.partner).partner not in (None, self.me))
    def withdraw(self):
        """It withdraws: the neighbour it points at has chosen another process."""
        self.partner = None


def paired(c):
    """Return the processes that belong to a pair."""
    return {p.me for p in c.processes if p.partner is not None and c.across(p, p.partner).partner == p.me}


def is_maximal(c):
    """Return True if all pointers are mutual and no pair could be added."""
    pairs = paired(c)
    mutual = all(p.partner is None or p.me in pairs for p in c.processes)
    return mutual and all(p.me in pairs or all(q in pairs for q in p.neighbours) for p in c.processes)


@eventually("the pairs form a maximal matching")
def maximal_in_the_end(c):
    return is_maximal(c)


@at_end("when no process is enabled, the pairs form a maximal matching")
def maximal_at_rest(c):
    return is_maximal(c)
