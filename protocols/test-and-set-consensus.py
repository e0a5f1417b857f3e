"""Consensus of two processes by test-and-set: the first one wins, and the other one adopts its value.

Each process first writes its value to its own register, and then executes test-and-set once.  The process that finds
false is the first and decides its own value; the other one knows that the first has written its value before, and
decides this value.

Pseudo-code (i: the process, j: the other one)::

    value[i] := my value
    if test-and-set(first) = false: decide my value
    else: decide value[j]

It needs two processes with names.  Either process may crash at any moment: a process never waits for the other one.
Complexity: at most three accesses of each process.  Registers alone cannot do this, and test-and-set cannot do it for
three processes: its consensus number is 2.

Reference: M. Herlihy, Wait-free synchronization, TOPLAS 13 (1991).
"""

from lydian import CRASHES, Process, always, at_end, at_most, atomic, named, need, program, states, test_and_set

UNDECIDED, DECIDED = states("undecided", "decided", reads={"decided": "has decided"})


@need("two processes", "there are two processes")
def two_processes(network):
    return None if network.n == 2 else f"there are {network.n} processes; test-and-set is enough for two only"


class TestAndSetConsensus(Process):
    title = "Consensus by test-and-set"
    needs = two_processes, named, at_most("n - 1", CRASHES)
    messages = "0"

    value = atomic(None, each=True)  # value[i]: the value that process i proposes, its name
    first = test_and_set()  # whether a process has won

    state = UNDECIDED
    decision: str | None = None

    @program
    def run(self):
        other = next(j for j in self.value if j != self.me)
        yield self.value[self.me].write(self.me)
        if (yield self.first.test_and_set()):
            self.decision = yield self.value[other].read()
        else:
            self.decision = self.me
        self.state = DECIDED
        self.decide(self.decision)


@always("no two processes decide different values")
def agreement(c):
    return len({p.decision for p in c.processes if p.state == DECIDED}) <= 1


@always("every decision has been proposed")
def validity(c):
    return all(p.decision in c.network.processes for p in c.processes if p.state == DECIDED)


@at_end("every process that has not crashed has decided")
def termination(c):
    return all(p.state == DECIDED for p in c.correct)
