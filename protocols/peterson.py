"""Peterson's algorithm: mutual exclusion of two processes with three registers, without any message.

Each process announces that it wants to enter, and then gives the other one precedence.  It enters when the other does
not want to, or has given precedence back.

Pseudo-code (i: the process, j: the other one)::

    flag[i] := true
    turn := j
    wait until not flag[j] or turn = i
    critical section
    flag[i] := false

It needs two processes with names, atomic registers, and no crashes.  Each process enters ``entries`` times.
Complexity: without competition four accesses for an entry and its end; the other process enters at most once before a
process that has written both registers.

Reference: G. L. Peterson, Myths about the mutual exclusion problem, Information Processing Letters 12 (1981); N. Lynch,
Distributed Algorithms, section 10.5.1.
"""

from lydian import Process, always, at_end, atomic, named, need, no_crashes, parameter, program, states

IDLE, TRYING, CRITICAL = states(
    "idle", "trying", "critical", reads={"trying": "wants to enter", "critical": "is in the critical section"}
)


@need("two processes", "there are two processes")
def two_processes(network):
    return None if network.n == 2 else f"there are {network.n} processes; the algorithm is for two"


class Peterson(Process):
    title = "Peterson's mutual exclusion"
    needs = two_processes, named, no_crashes
    messages = "0"

    flag = atomic(False, each=True)  # flag[i]: process i wants to enter, or is in the critical section
    turn = atomic("")  # the process that has precedence
    entries: int = parameter(
        2, minimum=1, help="how often each process enters", reached=lambda p: p.entered == p.entries
    )

    state = IDLE
    entered: int = 0

    @program
    def run(self):
        other = next(j for j in self.flag if j != self.me)
        while self.entered < self.entries:
            self.state = TRYING
            yield self.flag[self.me].write(True)
            yield self.turn.write(other)
            while (yield self.flag[other].read()) and (yield self.turn.read()) == other:
                pass
            self.state = CRITICAL
            self.entered += 1
            yield "leave"
            self.state = IDLE
            yield self.flag[self.me].write(False)


@always("at most one process is in the critical section")
def exclusive(c):
    return sum(p.state == CRITICAL for p in c.processes) <= 1


@at_end("each process has entered as often as it wanted")
def all_entered(c):
    return all(p.entered == p.entries for p in c.processes)
