"""The bakery algorithm: mutual exclusion of any number of processes, by numbers as in a shop.

A process takes a number greater than all that it sees, and waits until no process with a smaller number is left.  Two
processes may take the same number; then the one with the lower name enters first.  While a process chooses its number,
the others wait for it.

Pseudo-code (i: the process; pairs of number and name are compared in this order)::

    choosing[i] := true
    number[i] := 1 + max {number[j] : all j}
    choosing[i] := false
    for all j other than i:
        wait until not choosing[j]
        wait until number[j] = 0 or (number[i], i) < (number[j], j)
    critical section
    number[i] := 0

It needs processes with names, and no crashes.  Each register has one writer, and the algorithm is correct even if the
registers are only safe; here they are atomic.  Each process enters ``entries`` times.
Complexity: n + 3 accesses to choose a number, 2(n - 1) to wait without competition, and one to leave.  Processes enter
in the order of their numbers, so no process that begins to choose later overtakes one that has chosen.

Reference: L. Lamport, A new solution of Dijkstra's concurrent programming problem, CACM 17 (1974); H. Attiya and
J. Welch, Distributed Computing, section 4.4.1.
"""

from lydian import (
    Observer,
    Process,
    always,
    at_end,
    atomic,
    named,
    natural,
    no_crashes,
    parameter,
    program,
    states,
)

IDLE, CHOOSING, WAITING, CRITICAL = states(
    "idle", "choosing", "waiting", "critical",
    reads={"choosing": "is choosing a number", "waiting": "waits its turn", "critical": "is in the critical section"},
)  # fmt: skip


class Bakery(Process):
    title = "Lamport's bakery"
    needs = named, no_crashes
    messages = "0"

    choosing = atomic(False, each=True)
    number = atomic(0, each=True)  # number[i]: the number of process i; 0 if it has none
    entries: int = parameter(
        1, minimum=1, help="how often each process enters", reached=lambda p: p.entered == p.entries
    )

    state = IDLE
    entered: int = 0
    mine: int = 0  # my number

    @program
    def run(self):
        while self.entered < self.entries:
            self.state = CHOOSING
            yield self.choosing[self.me].write(True)
            self.mine = 0
            for j in self.number:
                self.mine = max(self.mine, (yield self.number[j].read()))
            self.mine += 1
            yield self.number[self.me].write(self.mine)
            yield self.choosing[self.me].write(False)
            self.state = WAITING
            for j in self.number:
                if j != self.me:
                    while (yield self.choosing[j].read()):
                        pass
                    while self.precedes((yield self.number[j].read()), j):
                        pass
            self.state = CRITICAL
            self.entered += 1
            yield "leave"
            self.state = IDLE
            yield self.number[self.me].write(0)

    def precedes(self, number, j):
        return number > 0 and (number, natural(j)) < (self.mine, natural(self.me))


@always("at most one process is in the critical section")
def exclusive(c):
    return sum(p.state == CRITICAL for p in c.processes) <= 1


class Queue(Observer):
    """Which processes had chosen their numbers when others began to choose."""

    choosing: set[str] = set()
    waiting: set[str] = set()  # the processes that have chosen and not entered
    ahead: set[tuple[str, str]] = set()  # (q, p): q waits, and did so already when p began to choose
    overtaken: bool = False  # whether some p has entered before such a q

    def observe(self, event):
        p = event.process
        if event.state == CHOOSING and p not in self.choosing:
            self.choosing.add(p)
            self.ahead |= {(q, p) for q in self.waiting}
        elif event.state == WAITING:
            self.choosing.discard(p)
            self.waiting.add(p)
        elif event.state == CRITICAL and p in self.waiting:
            self.waiting.remove(p)
            self.overtaken = self.overtaken or any(later == p for _, later in self.ahead)
            self.ahead = {pair for pair in self.ahead if p not in pair}


@always("first come, first served: no process enters before one that had its number when it began to choose")
def first_served(c):
    return not c.observer(Queue).overtaken


@at_end("each process has entered as often as it wanted")
def all_entered(c):
    return all(p.entered == p.entries for p in c.processes)
