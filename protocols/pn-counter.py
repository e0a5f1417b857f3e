"""PN-counter: a replicated counter that may also be decremented, made of two counters that only grow.

Each process may increment or decrement its copy of the counter at any time, without asking the others; the copies are
to become equal although messages are lost, duplicated and late.

A decrement cannot simply lower an entry of the table of g-counter: a merge takes the larger number, so the decrement
would be lost.  There are therefore two tables, one for increments and one for decrements (P and N), and both only
grow.  The value is the sum of the first minus the sum of the second.

Pseudo-code (ups, downs: the tables, at first all 0; left: how many messages are still to be sent)::

    increment:                 ups[me] := ups[me] + 1; left := repeats * number of neighbours
    decrement:                 downs[me] := downs[me] + 1; left := repeats * number of neighbours
    left > 0, each time unit:  send Counts(ups, downs) to the next neighbour; left := left - 1
    Counts(u, d):              for each q: ups[q] := max(ups[q], u[q]); downs[q] := max(downs[q], d[q])
                               if a table has changed: left := repeats * number of neighbours
    value:                     sum of all ups - sum of all downs

Each initiator increments or decrements again and again, by the toss of a coin; any other process does so when it
receives the command Increment or Decrement.  No process does so more than ``changes`` times.  With ``tables = "one"`` a
decrement subtracts 1 in the only table.

Needs a connected network with names; links may reorder and duplicate messages.  Because a
process stops gossiping, links must be reliable.
Complexity: at most ``repeats`` messages on each direction of each link for each change, each with 2n numbers.

Reference: M. Shapiro, N. Preguica, C. Baquero and M. Zawirski, A comprehensive study of convergent and commutative
replicated data types, INRIA RR-7506, 2011, specification 7 (state-based PN-counter).
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
    """The tables of the sender: how many increments and decrements of each process it knows."""

    ups: dict[str, int]
    downs: dict[str, int]


class Next(Timer):
    """The time of its next increment or decrement."""


class Gossip(Timer):
    """The time of its next message."""


class Increment(Command):
    """The user's wish to increment the counter."""


class Decrement(Command):
    """The user's wish to decrement the counter."""


class PNCounter(Process):
    title = "PN-counter"
    needs = connected, named, reliable, no_crashes
    messages = "<= 2*m*repeats*n*changes"

    state = QUIET
    ups: dict[str, int] = {}  # process -> how many of its increments I know
    downs: dict[str, int] = {}  # process -> how many of its decrements I know
    value: int = 0  # the value of the counter here
    added: int = 0  # how many increments I have made
    taken: int = 0  # how many decrements I have made
    left: int = 0  # how many messages I am still going to send
    turn: int = 0  # the position of the neighbour whose turn it is

    changes = parameter(3, minimum=1, maximum=50, help="the most times that a process changes the counter",
                        reached=lambda p: p.added + p.taken >= p.changes)  # fmt: skip
    pause = parameter(4.0, minimum=0.0, maximum=1000.0, help="mean time between two changes by a process")
    repeats = parameter(2, minimum=1, maximum=50, help="how often a process sends its tables to each neighbour")
    tables = parameter("two", choices=("two", "one"), help="whether decrements have a table of their own")

    @on(ANY, INIT)
    def start(self):
        """It will change the counter after a while.

        always:
        """
        self.wait()

    @on(ANY, Next)
    def change(self):
        """It tosses a coin, and increments or decrements the counter.

        changes added: It tosses a coin and increments the counter: it shows {value}.
        changes taken: It tosses a coin and decrements the counter: it shows {value}.
        otherwise: It has changed the counter as often as it may.
        """
        if self.random.random() < 0.5:
            self.increment()
        else:
            self.decrement()
        self.wait()

    @on(ANY, Increment)
    def increment(self):
        """It adds 1 to its number of increments.

        notes: It has changed the counter as often as it may.
        otherwise: It adds 1 to its number of increments, and shows {value}.
        """
        if self.may():
            self.added += 1
            self.ups[self.me] = self.ups.get(self.me, 0) + 1
            self.changed()

    @on(ANY, Decrement)
    def decrement(self):
        """It adds 1 to its number of decrements.

        notes: It has changed the counter as often as it may.
        otherwise: It adds 1 to its number of decrements, and shows {value}.
        """
        if self.may():
            self.taken += 1
            if self.tables == "two":
                self.downs[self.me] = self.downs.get(self.me, 0) + 1
            else:
                self.ups[self.me] = self.ups.get(self.me, 0) - 1
            self.changed()

    @on(ANY, Counts)
    def receive(self, m, q):
        """It merges the tables of process {peer} into its own.

        changes ups: It merges the tables of process {peer} into its own, and shows {value}.
        changes downs: It merges the tables of process {peer} into its own, and shows {value}.
        otherwise: The tables of process {peer} contain nothing new.
        """
        before = dict(self.ups), dict(self.downs)
        merge(self.ups, m.ups)
        merge(self.downs, m.downs)
        if (self.ups, self.downs) != before:
            self.changed()

    @on(GOSSIPING, Gossip)
    def gossip(self):
        """It sends its tables to the next neighbour.

        becomes quiet: It sends its tables for the last time, as nothing has changed for a while.
        otherwise: It sends its tables to the next neighbour.
        """
        self.send(Counts(dict(self.ups), dict(self.downs)), to=self.neighbours[self.turn % len(self.neighbours)])
        self.turn += 1
        self.left -= 1
        if self.left > 0:
            self.set_timer(Gossip(), after=1)
        else:
            self.state = QUIET

    @on(QUIET, Gossip)
    def nothing_new(self):
        """It has nothing new to send, so this happens only after a fault."""

    def may(self):
        if self.added + self.taken < self.changes:
            return True
        self.note("it has changed the counter as often as it may")
        return False

    def changed(self):
        self.value = sum(self.ups.values()) - sum(self.downs.values())
        self.left = self.repeats * len(self.neighbours)
        if self.state == QUIET and self.left:
            self.state = GOSSIPING
            self.set_timer(Gossip(), after=1)

    def wait(self):
        if self.added + self.taken < self.changes:
            self.set_timer(Next(), after=self.random.expovariate(1 / self.pause) if self.pause else 0)


def merge(mine, other):
    """Raise each entry of a table to that of the other table, if that is larger."""
    for q, count in other.items():
        mine[q] = max(mine.get(q, 0), count)


@always("no process counts an increment or a decrement that was not made")
def counted_once(c):
    added, taken = {p.me: p.added for p in c.processes}, {p.me: p.taken for p in c.processes}
    return all(
        all(count <= added[q] for q, count in p.ups.items()) and all(count <= taken[q] for q, count in p.downs.items())
        for p in c.processes
    )


@always("a process counts all of its own increments and decrements")
def own(c):
    return all(p.ups.get(p.me, 0) - p.downs.get(p.me, 0) == p.added - p.taken for p in c.processes)


@at_end("convergence: all processes show the increments minus the decrements that were made")
def convergence(c):
    return {p.value for p in c.processes} == {sum(p.added - p.taken for p in c.processes)}
