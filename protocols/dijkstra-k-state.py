"""Dijkstra's token ring with K states: from any counters, eventually exactly one token circulates.

The token is not an object but a relation between two counters: a process has it if its own counter and that of its left
neighbour are equal (the leader), or if they differ (all others).  A fault may change any counter at any time; the ring
recovers, because the leader's new value replaces all other values before it returns to the leader.

Pseudo-code (X_i is the counter of P_i; additions are modulo K)::

    P_1, the leader:     when X_1 = X_n        then  X_1 := X_1 + 1
    P_i, i > 1:          when X_i <> X_(i-1)   then  X_i := X_(i-1)

Needs a ring and one initiator, the leader; its role and the directions left and right cannot be corrupted.  A step
reads the left counter and writes the process's own atomically.  K >= n - 1 for n >= 3 if one process moves at a time
(``central``), K >= n if several may (``synchronous``, ``distributed``); K = 0 means unbounded counters.
Complexity: no messages, only reads; O(n^2) moves until there is one token; then each process has it once in n moves.

Reference: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17 (1974), first solution; S.
Dolev, Self-Stabilization (2000), section 2.6; A. Arora et al. and W. Fokkink et al. on the bounds for K.
"""

from lydian import Process, always, eventually, no_crashes, one_initiator, parameter, ring, variable, when


class KStateRing(Process):
    title = "Dijkstra's token ring with K states"
    needs = ring, one_initiator, no_crashes
    messages = "0"

    x: int = variable(0, minimum=0, maximum="k - 1 if k > 0 else n")  # after a fault: one of K values, or of n + 1

    k = parameter(10, minimum=0, help="number of values of a counter, for example n + 1; 0: unbounded")

    def leads(self):
        return self.initiator and self.x == self.see(self.left).x

    def follows(self):
        return not self.initiator and self.x != self.see(self.left).x

    @when(leads)
    def add_one(self):
        """The leader passes the token to its right neighbour, with a new value.

        always:
        """
        self.x = (self.x + 1) % self.k if self.k else self.x + 1

    @when(follows)
    def copy(self):
        """It copies the value of its left neighbour, and so passes the token to the right."""
        self.x = self.see(self.left).x


def holders(c):
    """Return the processes that have a token."""
    return [p for p in c.processes if not c.crashed(p) and (p.leads() or p.follows())]


def counters(c):
    """Return the counters in the order of the ring, the leader's first."""
    p = next(p for p in c.processes if p.initiator)
    found = []
    for _ in c.processes:
        found.append(p.x)
        p = c.across(p, p.right)
    return found


@always("some process has a token")
def some_token(c):
    return len(holders(c)) >= 1


@always("if there is one token, the counters change value at most once along the ring")
def one_step(c):
    x = counters(c)
    return len(holders(c)) != 1 or sum(x[i] != x[i - 1] for i in range(1, c.n)) <= 1


@eventually("exactly one process has a token")
def one_token(c):
    return len(holders(c)) == 1
