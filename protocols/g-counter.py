"""Grow-only counter: each process counts its own increments, and a merge takes the maximum of each entry.

A counter is replicated at all processes.  Each may increment its own copy at any time, without asking the others; the
copies are to become equal although messages are lost, duplicated and late.

The state is a table with the number of increments of each process.  Only process q adds to the entry of q.  To merge
two tables, take the larger number of each entry: the order of merging makes no difference, and neither does a merge
that is repeated.  The value of the counter is the sum of the entries.  Processes gossip: after each change, a process
sends its table to each of its neighbours in turn, ``repeats`` times, until nothing has changed since.

Pseudo-code (counts: the table, at first all 0; left: how many messages are still to be sent)::

    increment:                 counts[me] := counts[me] + 1; left := repeats * number of neighbours
    left > 0, each time unit:  send Counts(counts) to the next neighbour; left := left - 1
    Counts(other):             for each q: counts[q] := max(counts[q], other[q])
                               if the table has changed: left := repeats * number of neighbours
    value:                     the sum of all counts

Each initiator increments again and again, and any other process when it receives the command Increment; none increments
more than ``adds`` times.  With ``merge = "sum"`` the entries are added instead.

Needs a connected network with names; links may reorder and duplicate messages.  Because a
process stops gossiping, links must be reliable; with unlimited gossip, it would be enough that they lose only finitely
many messages in a row.
Complexity: at most ``repeats`` messages on each direction of each link for each increment, each with n numbers.

Reference: M. Shapiro, N. Preguica, C. Baquero and M. Zawirski, A comprehensive study of convergent and commutative
replicated data types, INRIA RR-7506, 2011, specification 6 (state-based increment-only counter).
"""

from lydian import (
    ANY,
    INIT,
    Command,
    Message,
    Process,
    Timer,
    always,
    at_end,
    connected,
    named,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
)

QUIET, GOSSIPING = states("quiet", "gossiping", reads={"quiet": "has nothing new to send", "gossiping": "is gossiping"})


class Counts(Message):
    """The table of the sender: how many increments of each process it knows."""

    counts: dict[str, int]


class Next(Timer):
    """The time of its next increment."""


class Gossip(Timer):
    """The time of its next message."""


class Increment(Command):
    """The user's wish to increment the counter."""


class GCounter(Process):
    title = "Grow-only counter"
    needs = connected, named, reliable, no_crashes
    messages = "<= 2*m*repeats*n*adds"

    state = QUIET
    counts: dict[str, int] = {}  # process -> how many of its increments I know
    value: int = 0  # the value of the counter here
    made: int = 0  # how many increments I have made
    left: int = 0  # how many messages I am still going to send
    turn: int = 0  # the position of the neighbour whose turn it is

    adds = parameter(3, minimum=1, maximum=50, help="the most times that a process increments",
                     reached=lambda p: p.made >= p.adds)  # fmt: skip
    pause = parameter(4.0, minimum=0.0, maximum=1000.0, help="mean time between two increments of a process")
    repeats = parameter(2, minimum=1, maximum=50, help="how often a process sends its table to each neighbour")
    merge = parameter(
        "maximum",
        choices=("maximum", "sum"),
        help="whether a merge takes the larger of two entries, or their sum",
    )

    @on(ANY, INIT)
    def start(self):
        """It will increment the counter after a while.

        always:
        """
        self.wait()

    @on(ANY, (Next, Increment))
    def increment(self, m=None):
        """It increments its own entry.

        notes: It has made as many increments as it may.
        otherwise: It adds 1 to its own entry, and to the value that it shows: {value}.
        """
        if self.made >= self.adds:
            self.note("it has made as many increments as it may")
            return
        self.made += 1
        self.counts[self.me] = self.counts.get(self.me, 0) + 1
        self.changed()
        if type(m) is Next:
            self.wait()

    @on(ANY, Counts)
    def receive(self, m, q):
        """It merges the table of process {peer} into its own.

        changes counts: It merges the table of process {peer} into its own, and shows {value}.
        otherwise: The table of process {peer} contains nothing new.
        """
        before = dict(self.counts)
        for r, count in m.counts.items():
            here = self.counts.get(r, 0)
            self.counts[r] = max(here, count) if self.merge == "maximum" else here + count
        if self.counts != before:
            self.changed()

    @on(GOSSIPING, Gossip)
    def gossip(self):
        """It sends its table to the next neighbour.

        becomes quiet: It sends its table for the last time, as nothing has changed for a while.
        otherwise: It sends its table to the next neighbour.
        """
        self.send(Counts(dict(self.counts)), to=self.neighbours[self.turn % len(self.neighbours)])
        self.turn += 1
        self.left -= 1
        if self.left > 0:
            self.set_timer(Gossip(), after=1)
        else:
            self.state = QUIET

    @on(QUIET, Gossip)
    def nothing_new(self):
        """It has nothing new to send, so this happens only after a fault."""

    def changed(self):
        self.value = sum(self.counts.values())
        self.deliver(self.value)
        self.left = self.repeats * len(self.neighbours)
        if self.state == QUIET and self.left:
            self.state = GOSSIPING
            self.set_timer(Gossip(), after=1)

    def wait(self):
        if self.made < self.adds:
            self.set_timer(Next(), after=self.random.expovariate(1 / self.pause) if self.pause else 0)


@always("no process counts an increment that was not made")
def counted_once(c):
    made = {p.me: p.made for p in c.processes}
    return all(count <= made[q] for p in c.processes for q, count in p.counts.items())


@always("monotone: the value at a process only grows")
def monotone(c):
    return all(list(shown) == sorted(set(shown)) for shown in c.delivered.values())


@at_end("convergence: all processes show the number of increments that were made")
def convergence(c):
    return {p.value for p in c.processes} == {sum(p.made for p in c.processes)}
