"""Asynchronous Bellman-Ford: find the cheapest paths from one process, which learns when they are right.

Links have weights.  Each process stores the cost of the cheapest path to the initiator heard of so far, and informs its
neighbours whenever it hears of a cheaper one.  Each message is acknowledged: immediately if it brought no improvement,
otherwise only when all messages that were sent because of it have been acknowledged.  The acknowledgements thus shrink
a tree of activity back to the initiator, which then knows that all distances are right.

Pseudo-code (num: number of its own messages that are unacknowledged)::

    the initiator:      dist := 0; send Length(weight of the link) to all neighbours; num := their number
    Length(s) from q:   if s < dist: if num > 0, send Ack to pred; pred := q; dist := s;
                                     send Length(dist + weight of the link) to all neighbours except q;
                                     num += their number;
                                     if num = 0, send Ack to pred
                        else: send Ack to q
    Ack:                num -= 1; if num = 0: the initiator has finished, any other process sends Ack to pred

Needs a connected network with two-way links of non-negative weight, and one initiator; links are reliable, and their
order does not matter.  This is the first phase of Chandy and Misra's algorithm, which suffices when no weight is
negative; without acknowledgements it is AsynchBellmanFord of Lynch.
Complexity: each Length is acknowledged; the number of corrections depends on the delays.  In the worst case, a process
hears of all paths before the cheapest, and their number is exponential: at most 4m * n^n messages (Lynch; the formula
stops at n^40, a number that no run reaches).  If the delay of each message equals the weight of its link, or if all
delays are equal and all weights are equal, no process makes a correction, and 2(2m - n + 1) messages are sent.

Reference: K. M. Chandy, J. Misra, Distributed computation on graphs: shortest path algorithms, CACM 25 (1982);
N. Lynch, Distributed Algorithms, section 15.4.
"""

from lydian import (
    INIT,
    Message,
    Process,
    always,
    at_end,
    connected,
    eventually,
    need,
    no_crashes,
    on,
    one_initiator,
    reliable,
    states,
    two_way,
)

OUTSIDE, ACTIVE, CALM, LEADING, FINISHED = states(
    "outside", "active", "calm", "leading", "finished",
    reads={
        "outside": "has no path",
        "active": "is waiting for acknowledgements",
        "calm": "has acknowledged its predecessor",
        "leading": "is waiting to finish",
    },
)


@need("no negative weight", "no link has a negative weight")
def not_negative(network):
    bad = next((link for link in network.links if (link.weight or 0) < 0), None)
    return None if bad is None else f"link {bad} has weight {bad.weight:g}; give it one of 0 or more"


class Length(Message):
    """'There is a path to the initiator through me that costs you ``length``.'"""

    length: float


class Ack(Message):
    """'Your Length will have no further effect.'"""


class BellmanFord(Process):
    title = "Asynchronous Bellman-Ford"
    needs = connected, two_way, not_negative, one_initiator, reliable, no_crashes
    messages = "<= 4*m * n**min(n, 40)"

    state = OUTSIDE
    dist: float | None = None  # cost of the cheapest path heard of
    pred: str | None = None  # the next process on that path
    num: int = 0  # number of its own messages that are unacknowledged
    corrections: int = 0  # how often it has reduced dist

    @on(OUTSIDE, INIT)
    def start(self):
        """It is at distance 0 from itself and informs its neighbours.

        always:
        """
        self.state = LEADING
        self.dist = 0
        self.tell(self.neighbours)

    @on(OUTSIDE, Length)
    def join(self, m, q):
        """It hears of a path for the first time."""
        self.believe(m.length, q)

    @on((ACTIVE, CALM), Length)
    def compare(self, m, q):
        """It adopts a cheaper path; a path that is not cheaper is acknowledged immediately.

        changes dist: This path is cheaper than its previous one: it adopts it and informs its neighbours.
        otherwise: This path is not cheaper than the one it has: it acknowledges the message immediately.
        """
        if m.length < self.dist:
            if self.num > 0:
                self.send(Ack(), to=self.pred)  # the previous path is given up
            self.corrections += 1
            self.believe(m.length, q)
        else:
            self.send(Ack(), to=q)

    @on((LEADING, FINISHED), Length)
    def refuse(self, m, q):
        """No path is cheaper than its own, which costs 0."""
        self.send(Ack(), to=q)

    @on((ACTIVE, LEADING), Ack)
    def acknowledged(self):
        """It waits for one acknowledgement fewer."""
        self.num -= 1
        self.close()

    @on((OUTSIDE, CALM, FINISHED), Ack)
    def unexpected(self, m, q):
        """It does not wait for this acknowledgement, which arrives only after a fault."""
        self.note(f"unexpected acknowledgement from {q}")

    def believe(self, length, q):
        self.state = ACTIVE
        self.dist = length
        self.pred = q
        self.tell([r for r in self.neighbours if r != q])

    def tell(self, others):
        for r in others:
            self.send(Length(length=self.dist + self.weight(r)), to=r)
        self.num += len(others)
        self.close()

    def close(self):
        if self.num == 0:
            if self.state == LEADING:
                self.decide("all distances are right")
                self.state = FINISHED
            else:
                self.send(Ack(), to=self.pred)
                self.state = CALM


def pred_of(c, p):
    """Return the next process on p's path; None if there is none or, after corruption, it is not a neighbour."""
    return c.across(p, p.pred) if p.pred in p.neighbours else None


def right(c):
    """Return True if no link offers a cheaper path and each process's path costs what the process believes."""
    for p in c.processes:
        for q in p.neighbours:
            other = c.across(p, q).dist
            if p.dist is None or other is None or p.dist > other + p.weight(q) + 1e-9:
                return False
        before = pred_of(c, p)
        if before is not None and abs(p.dist - before.dist - p.weight(p.pred)) > 1e-9:
            return False
    return True


@always("no process believes that it is nearer than its predecessor")
def downhill(c):
    return all(pred_of(c, p) is None or pred_of(c, p).dist <= p.dist for p in c.processes)


@always("when the initiator has finished, all distances are right")
def safe(c):
    return all(p.state != FINISHED for p in c.processes) or right(c)


@eventually("the initiator learns that all distances are right")
def finished(c):
    return any(p.state == FINISHED for p in c.processes)


@at_end("the distances are right: no link offers a cheaper path")
def cheapest(c):
    return right(c)
