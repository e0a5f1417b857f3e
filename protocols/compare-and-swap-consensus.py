"""Consensus of any number of processes by compare-and-swap: one access decides.

The object is empty at first.  Each process tries to swap it from empty to its own value.  The first one succeeds, and
every other one gets the value of the first.

Pseudo-code::

    old := compare-and-swap(decision, empty, my value)
    if old = empty: decide my value, else decide old

It needs processes with names.  Any number of them may crash at any moment: a process never waits for another one.
Complexity: one access of each process.  Its consensus number is infinite.  With ``access = "read and write"`` the
same is tried with a read and a write, which are two accesses: two processes may read "empty", and decide differently.

Reference: M. Herlihy, Wait-free synchronization, TOPLAS 13 (1991).
"""

from lydian import (
    CRASHES,
    Process,
    always,
    at_end,
    at_most,
    compare_and_swap,
    named,
    parameter,
    program,
    states,
)  # fmt: skip

UNDECIDED, DECIDED = states("undecided", "decided", reads={"decided": "has decided"})


class CompareAndSwapConsensus(Process):
    title = "Consensus by compare-and-swap"
    needs = named, at_most("n - 1", CRASHES)
    messages = "0"

    decision = compare_and_swap(None)
    access: str = parameter(
        "compare and swap", choices=("compare and swap", "read and write"), help="how a process accesses the object"
    )

    state = UNDECIDED
    value: str | None = None  # what I have decided

    @program
    def run(self):
        if self.access == "compare and swap":
            old = yield self.decision.compare_and_swap(None, self.me)
        else:
            old = yield self.decision.read()
            if old is None:
                yield self.decision.write(self.me)
        self.value = self.me if old is None else old
        self.state = DECIDED
        self.decide(self.value)


@always("no two processes decide different values")
def agreement(c):
    return len({p.value for p in c.processes if p.state == DECIDED}) <= 1


@always("every decision has been proposed")
def validity(c):
    return all(p.value in c.network.processes for p in c.processes if p.state == DECIDED)


@at_end("every process that has not crashed has decided")
def termination(c):
    return all(p.state == DECIDED for p in c.correct)
