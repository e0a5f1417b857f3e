"""Asynchronous Bellman-Ford: cheapest ways from one process to all, and it learns when they are right.

Links have weights.  Everybody believes the cheapest way to the initiator heard of so far, and tells its neighbours
whenever it hears of a cheaper one.  Every message is acknowledged: at once if it brought nothing new, else only when
all that was sent because of it has been acknowledged.  So acknowledgements shrink a tree of activity back to the
initiator, which then knows that all distances are right.

Pseudo-code (num: how many of its own messages are unacknowledged)::

    the initiator:      dist := 0; send Length(weight of the link) to all neighbours; num := how many
    Length(s) from q:   if s < dist: if num > 0, send Ack to pred; pred := q; dist := s;
                                     send Length(dist + weight of the link) to all neighbours except q; num += how many;
                                     if num = 0, send Ack to pred
                        else: send Ack to q
    Ack:                num -= 1; if num = 0: the initiator has finished, anybody else sends Ack to pred

Needs a connected network, two-way links, no link that costs less than 0, and one initiator; links lose nothing, their
order does not matter.  The reading taken: the first phase of Chandy and Misra's algorithm, all that is needed when no
weight is negative; without acknowledgements it is AsynchBellmanFord of Lynch.
Complexity: every Length is acknowledged, and how often a process changes its mind depends on the delays.  At worst it
hears of all ways before the cheapest, and there are exponentially many: at most 4m * n^n messages (Lynch; the
formula stops at n^40, a number no run reaches).  If every message takes as long as its link costs, or all take the
same time and all links cost the same, nobody ever changes its mind, and 2(2m - n + 1) are sent.

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
        "outside": "knows no way yet",
        "active": "waits for acknowledgements",
        "calm": "has acknowledged",
        "leading": "waits to finish",
    },
)


@need("no negative weight", "no link costs less than nothing")
def not_negative(network):
    bad = next((link for link in network.links if (link.weight or 0) < 0), None)
    return None if bad is None else f"link {bad} has weight {bad.weight:g}; give it one of 0 or more"


class Length(Message):
    """'There is a way to the initiator over me that costs you ``length``.'"""

    length: float


class Ack(Message):
    """'Your Length has had all the effect that it will have.'"""


class BellmanFord(Process):
    title = "Asynchronous Bellman-Ford"
    needs = connected, two_way, not_negative, one_initiator, reliable, no_crashes
    messages = "<= 4*m * n**min(n, 40)"

    state = OUTSIDE
    dist: float | None = None  # what the cheapest way heard of costs
    pred: str | None = None  # the next on that way
    num: int = 0  # how many of its own messages are unacknowledged
    corrections: int = 0  # how often it had believed too much

    @on(OUTSIDE, INIT)
    def start(self):
        """Its own way costs nothing, and it tells every neighbour.

        always:
        """
        self.state = LEADING
        self.dist = 0
        self.tell(self.neighbours)

    @on(OUTSIDE, Length)
    def join(self, m, q):
        """It hears of a way for the first time."""
        self.believe(m.length, q)

    @on((ACTIVE, CALM), Length)
    def compare(self, m, q):
        """It believes the cheaper way; what is not cheaper is acknowledged at once.

        changes dist: This way is cheaper than the one it knew: it believes it and tells its neighbours.
        otherwise: This way is not cheaper than the one it knows: it is acknowledged at once.
        """
        if m.length < self.dist:
            if self.num > 0:
                self.send(Ack(), to=self.pred)  # the way before this one is given up
            self.corrections += 1
            self.believe(m.length, q)
        else:
            self.send(Ack(), to=q)

    @on((LEADING, FINISHED), Length)
    def refuse(self, m, q):
        """No way is cheaper than its own."""
        self.send(Ack(), to=q)

    @on((ACTIVE, LEADING), Ack)
    def acknowledged(self):
        """One acknowledgement less to wait for."""
        self.num -= 1
        self.close()

    @on((OUTSIDE, CALM, FINISHED), Ack)
    def unexpected(self, m, q):
        """Nobody waits for this acknowledgement; it happens only when something was broken."""
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
    """The next on p's way; nobody if it has none, or, after a corruption, none of its neighbours."""
    return c.across(p, p.pred) if p.pred in p.neighbours else None


def right(c):
    """Whether no link offers anybody a cheaper way, and everybody's way costs what it believes."""
    for p in c.processes:
        for q in p.neighbours:
            other = c.across(p, q).dist
            if p.dist is None or other is None or p.dist > other + p.weight(q) + 1e-9:
                return False
        before = pred_of(c, p)
        if before is not None and abs(p.dist - before.dist - p.weight(p.pred)) > 1e-9:
            return False
    return True


@always("nobody believes in a way that is cheaper than that of the next on it")
def downhill(c):
    return all(pred_of(c, p) is None or pred_of(c, p).dist <= p.dist for p in c.processes)


@always("when the initiator has finished, all distances are right")
def safe(c):
    return all(p.state != FINISHED for p in c.processes) or right(c)


@eventually("the initiator learns that all distances are right")
def finished(c):
    return any(p.state == FINISHED for p in c.processes)


@at_end("the distances are right: no link offers a cheaper way")
def cheapest(c):
    return right(c)
