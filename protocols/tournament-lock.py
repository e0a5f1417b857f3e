"""The tournament lock: a tree of two-process locks, which each process climbs from its leaf to the root.

At each match the winners of the two matches below it compete by Peterson's algorithm.  The winner at the root enters;
then it gives up its matches, from the root down.

Pseudo-code (v: a match or a leaf; those below v are 2v and 2v + 1, the other one beside v is s(v), the root is 1)::

    v := my leaf
    while v is not the root:
        flag[v] := true
        turn[match above v] := s(v)
        wait until not flag[s(v)] or turn[match above v] = v
        v := match above v
    critical section
    for all v below the root on the way from the root to my leaf:
        flag[v] := false

It needs a complete network of at least two processes, so that each knows the names of all and has a leaf of its own;
atomic registers, and no crashes.  Each process enters ``entries`` times.
Complexity: without competition 3 accesses for each of the log2(n) levels, rounded up, and one more for each to leave.

Reference: G. L. Peterson and M. J. Fischer, Economical solutions for the critical section problem in a distributed
system, STOC 1977; N. Lynch, Distributed Algorithms, section 10.5.3.
"""

from lydian import (
    Process,
    always,
    at_end,
    atomic,
    complete,
    named,
    natural,
    need,
    no_crashes,
    parameter,
    program,
    states,
)

IDLE, TRYING, CRITICAL = states(
    "idle", "trying", "critical", reads={"trying": "wants to enter", "critical": "is in the critical section"}
)


@need("two or more processes", "there are at least two processes")
def several(network):
    return None if network.n > 1 else "there is one process; the algorithm is for two or more"


class TournamentLock(Process):
    title = "The tournament lock"
    needs = several, complete, named, no_crashes
    messages = "0"

    flag = atomic(False, size="2*2**ceil(log2(n))")  # flag[v]: the winner below v competes at the match above v
    turn = atomic(0, size="2**ceil(log2(n))")  # turn[v]: which of 2v and 2v + 1 has precedence
    entries: int = parameter(
        1, minimum=1, help="how often each process enters", reached=lambda p: p.entered == p.entries
    )

    state = IDLE
    entered: int = 0
    v: int = 0  # where I come from to the next match

    @program
    def run(self):
        leaf = len(self.flag) // 2 + sorted((self.me, *self.neighbours), key=natural).index(self.me)
        while self.entered < self.entries:
            self.state = TRYING
            self.v = leaf
            while self.v > 1:
                yield self.flag[self.v].write(True)
                yield self.turn[self.v // 2].write(self.v ^ 1)
                while (yield self.flag[self.v ^ 1].read()) and (yield self.turn[self.v // 2].read()) != self.v:
                    pass
                self.v //= 2
            self.state = CRITICAL
            self.entered += 1
            yield "leave"
            self.state = IDLE
            for height in range(leaf.bit_length() - 2, -1, -1):
                yield self.flag[leaf >> height].write(False)


@always("at most one process is in the critical section")
def exclusive(c):
    return sum(p.state == CRITICAL for p in c.processes) <= 1


@at_end("each process has entered as often as it wanted")
def all_entered(c):
    return all(p.entered == p.entries for p in c.processes)
