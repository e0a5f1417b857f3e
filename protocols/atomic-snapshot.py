"""Atomic snapshot: read the registers of all processes as if at one moment, although they change meanwhile.

A scan collects all registers twice.  If nothing has changed between the two collects, their values existed together.
Otherwise it tries again.  A process that has changed its register twice during the scan has made a whole update
meanwhile, and each update contains a scan whose result it stores beside its value; so this result is returned.

Pseudo-code (i: the process; register r[i] contains a value, a number and a view)::

    Update(v):  view := scan;  r[i] := (v, number + 1, view)

    Scan:       a := collect
                repeat
                    b := collect
                    if a = b: return the values in b
                    for all j whose number differs in a and b:
                        if j has moved before: return the view in b[j]
                        note that j has moved
                    a := b

    collect:    read r[j] for all j, one after the other

It needs processes with names and atomic registers.  Any number of processes may crash: a scan never waits.  A user
gives a process its next command only after the response to the last one.
Complexity: a scan makes at most n + 2 collects, so O(n^2) reads; an update makes one write more.  With
``collects = "one"`` a scan returns what a single collect finds, which need not be a snapshot.

Reference: Y. Afek, H. Attiya, D. Dolev, E. Gafni, M. Merritt and N. Shavit, Atomic snapshots of shared memory, JACM 40
(1993); H. Attiya and J. Welch, Distributed Computing, section 10.3.
"""

from lydian import (
    ANY,
    CRASHES,
    Command,
    Process,
    at_end,
    at_most,
    atomic,
    linearizable,
    named,
    on,
    parameter,
    program,
    snapshot,
    states,
    wait,
)  # fmt: skip

IDLE, SCANNING, UPDATING = states("idle", "scanning", "updating")


class Update(Command):
    """Write the value to the process's own register."""

    value: int


class Scan(Command):
    """Return the values of all registers."""


class AtomicSnapshot(Process):
    title = "Atomic snapshot"
    needs = named, at_most("n - 1", CRASHES)
    messages = "0"

    r = atomic((0, 0, ()), each=True)  # r[i]: value, number and view of process i
    collects: str = parameter("two", choices=("two", "one"), help="whether a scan compares two collects")

    state = IDLE
    wanted: list[int | None] = []  # the operations that the user wants: a value, or None for a scan
    number: int = 0  # of my last update

    @on(ANY, Update)
    def ask_to_update(self, m):
        """The user wants to update the register."""
        self.wanted.append(m.value)

    @on(ANY, Scan)
    def ask_to_scan(self):
        """The user wants a snapshot."""
        self.wanted.append(None)

    def command(self):
        """Return True if the user has given a command."""
        return len(self.wanted) > 0

    @program
    def run(self):
        while True:
            yield wait(self.command)
            value = self.wanted.pop(0)
            self.state = SCANNING if value is None else UPDATING
            moved, a, view = set(), None, None
            while view is None:
                b = {}
                for j in self.r:
                    b[j] = yield self.r[j].read()
                if a == b or self.collects == "one":
                    view = {j: content[0] for j, content in b.items()}
                elif a is not None:
                    changed = {j for j in b if a[j][1] != b[j][1]}
                    twice = sorted(changed & moved)
                    if twice:
                        view = dict(b[twice[0]][2])
                    moved |= changed
                a = b
            if value is None:
                self.respond(view)
            else:
                self.number += 1
                yield self.r[self.me].write((value, self.number, tuple(view.items())))
                self.respond()
            self.state = IDLE


snapshots = linearizable(snapshot(0))


@at_end("every operation of a process that has not crashed has its response")
def all_responded(c):
    alive = {c.name(p) for p in c.correct}
    return all(each.outcome == "ok" for each in c.history if each.process in alive)
