"""The filter lock: Peterson's algorithm for n processes, which pass n - 1 levels one after the other.

At each level a process announces itself as the last to arrive.  It goes on when another process arrives after it, or
when no other process is at this level or a higher one.  So at least one process stays behind at each level, and at most
one passes the last.

Pseudo-code (i: the process)::

    for k = 1 .. n - 1:
        level[i] := k
        last[k] := i
        wait until last[k] <> i, or level[j] < k for all j other than i
    critical section
    level[i] := 0

It needs at least two processes with names, atomic registers, and no crashes.  Each process enters ``entries`` times.
Complexity: n - 1 levels of n + 2 accesses at most without competition; no process waits for ever, but others may
overtake it any number of times.

Reference: G. L. Peterson, Myths about the mutual exclusion problem, Information Processing Letters 12 (1981);
M. Herlihy and N. Shavit, The Art of Multiprocessor Programming, section 2.4.
"""

from lydian import Process, always, at_end, atomic, named, need, no_crashes, parameter, program, states

IDLE, TRYING, CRITICAL = states(
    "idle", "trying", "critical", reads={"trying": "wants to enter", "critical": "is in the critical section"}
)


@need("two or more processes", "there are at least two processes")
def several(network):
    return None if network.n > 1 else "there is one process; the algorithm is for two or more"


class FilterLock(Process):
    title = "The filter lock"
    needs = several, named, no_crashes
    messages = "0"

    level = atomic(0, each=True)  # level[i]: the level at which process i is
    last = atomic("", size="n")  # last[k]: the process that was the last to arrive at level k
    entries: int = parameter(
        1, minimum=1, help="how often each process enters", reached=lambda p: p.entered == p.entries
    )

    state = IDLE
    entered: int = 0

    @program
    def run(self):
        others = tuple(j for j in self.level if j != self.me)
        while self.entered < self.entries:
            self.state = TRYING
            for k in range(1, len(self.level)):
                yield self.level[self.me].write(k)
                yield self.last[k].write(self.me)
                alone = False
                while not alone and (yield self.last[k].read()) == self.me:
                    alone = True
                    for j in others:
                        if (yield self.level[j].read()) >= k:
                            alone = False
                            break
            self.state = CRITICAL
            self.entered += 1
            yield "leave"
            self.state = IDLE
            yield self.level[self.me].write(0)


@always("at most one process is in the critical section")
def exclusive(c):
    return sum(p.state == CRITICAL for p in c.processes) <= 1


@at_end("each process has entered as often as it wanted")
def all_entered(c):
    return all(p.entered == p.entries for p in c.processes)
