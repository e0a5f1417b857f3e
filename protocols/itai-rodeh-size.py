"""Itai-Rodeh for the size: processes without names find out how many of them there are, probably correctly.

Every process of an anonymous one-way ring computes the number of processes.

No algorithm can do this with certainty and come to an end: a ring of six looks to each process like one of three as
long as random choices repeat after three processes.  Each process has an estimate, which is never too high.  It chooses
an identifier at random and sends a token that makes as many steps as the estimate.  If the token ends at a process with
a different identifier, the ring is larger than the estimate.  If it ends at an equal identifier, that may be its own
process; if all tokens do, all processes keep this estimate.

Pseudo-code (after Fokkink, chapter 10)::

    sleeping, INIT or first message:  est := 2; id := random 1..range; send Token(est, id, 1); become counting
    counting, Token(e, i, hops):
        e < est:                      drop it
        e > est and hops < e:         send Token(e, i, hops + 1); est := e; choose id; send Token(est, id, 1)
        e >= est and hops = e, but e > est or i /= id:
                                      est := e + 1; choose id; send Token(est, id, 1)
        e = est and hops < e:         send Token(e, i, hops + 1)
        e = est, hops = e, i = id:    drop it

It needs a one-way ring (the only neighbour is the next process); names and n are not used, and order and delays do not
matter.  No process learns that the algorithm has ended.
Complexity: at most n(n(n + 1)/2 - 1) messages, because a process sends one token for each estimate from 2 to n.  It
ends with the wrong estimate e if all identifiers repeat after e processes, with probability range^-(n - gcd(e, n)).

Reference: A. Itai and M. Rodeh, Symmetry breaking in distributed networks, Information and Computation 88 (1990), first
FOCS 1981; G. Tel, Introduction to Distributed Algorithms, 2nd edition, section 9.4; W. Fokkink, Distributed Algorithms:
An Intuitive Approach, 2nd edition, chapter 10.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    at_end,
    eventually,
    no_crashes,
    on,
    one_way_ring,
    parameter,
    reliable,
    some_initiator,
    states,
)

SLEEPING, COUNTING = states(
    "sleeping", "counting", reads={"sleeping": "is asleep", "counting": "has an estimate"}
)  # fmt: skip


class Token(Message):
    """A random identifier that makes ``est`` steps: the estimate of its sender, and its steps so far."""

    est: int
    id: int
    hops: int


class ItaiRodehSize(Process):
    title = "Itai-Rodeh for the size"
    needs = one_way_ring, some_initiator, reliable, no_crashes
    messages = "<= n*(n*(n + 1)//2 - 1)"

    state = SLEEPING
    est: int = 0  # its estimate of the number of processes
    id: int = 0  # its identifier for this estimate

    range = parameter(1000, minimum=2, help="identifiers are chosen from 1 to this number")

    @on(SLEEPING, INIT)
    def start(self):
        """It wakes up and tries the estimate 2."""
        self.state = COUNTING
        self.try_next(2)

    @on(ANY, INIT)
    def awake(self):
        """It ignores this, as a token has already woken it."""

    @on(SLEEPING, Token)
    def wake(self, m):
        """It is woken by its first token, tries the estimate 2 and compares the two.

        always:
        """
        self.start()
        self.compare(m)

    @on(COUNTING, Token)
    def compare(self, m):
        """It compares the token with its own estimate and identifier.

        changes est: The ring is larger than it assumed: its estimate is now {est}, and it sends a new token.
        sends Token: The token has its estimate and has not yet made all its steps, so it is forwarded.
        otherwise: The token has a lower estimate, or it has made all its steps and has its own identifier; it ends.
        """
        if m.est < self.est:
            return
        if m.hops < m.est:
            self.send(Token(m.est, m.id, m.hops + 1), to=self.neighbours[0])
            if m.est > self.est:
                self.try_next(m.est)
        elif m.est > self.est or m.id != self.id:
            self.try_next(m.est + 1)

    def try_next(self, est):
        self.est = est
        self.id = self.random.randint(1, self.range)
        self.send(Token(self.est, self.id, 1), to=self.neighbours[0])


@always("no estimate is too high")
def never_too_high(c):
    return all(p.est <= c.n for p in c.processes)


@eventually("all processes have the same estimate")
def agreed(c):
    return len({p.est for p in c.processes}) == 1


@at_end("every process knows the number of processes")
def right(c):
    return all(p.est == c.n for p in c.processes)


@at_end("nothing is in transit")
def silent(c):
    return not c.in_transit
