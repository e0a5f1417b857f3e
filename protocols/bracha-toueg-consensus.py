"""Bracha-Toueg consensus: agreement in an asynchronous system without coins, if the schedule is fair.

Processes agree on one of two values although up to f crash; they rely on chance in the delays instead of tossing coins.

A vote has a weight: the number of votes for its value that its sender has counted in the round before.  A vote with a
weight of more than n/2 is a witness for its value.  Two witnesses of a round never vote for different values, because
two majorities have a process in common.  A process that counts more than f witnesses decides: every other process then
counts at least one.

Pseudo-code (x: the value, initially the input; weight: initially 1; counts include the process's own vote)::

    for r := 0, 1, 2 ...
        send Vote(r, x, weight) to all; wait for n - f votes of round r
        x := the value of a witness; if there is none, the value of most of these votes, 1 if there is a tie
        weight := the number of these votes for x
        if more than f of them are witnesses for x:
            decide x; send Vote(r + 1, x, n - f) and Vote(r + 2, x, n - f) to all; stop

This is the version for crashes.  No deterministic algorithm decides in every schedule; this one decides with
probability 1: if in each round each set of n - f votes is equally likely to come first, some round gives all processes
the same votes.

Needs a complete network with reliable links and names, and all processes as initiators; n > 2f, and no process is
Byzantine; delays are random.
Complexity: n (n - 1) messages in each round.  The bound allows for 20 * 2^n rounds; far fewer are usual.

Reference: G. Bracha and S. Toueg, Asynchronous consensus and broadcast protocols, Journal of the ACM 32 (1985);
G. Tel, Introduction to Distributed Algorithms, 2nd edition, chapter 14.
"""

from lydian import (
    ANY,
    CRASHES,
    INIT,
    Message,
    Process,
    always,
    at_end,
    at_most,
    complete,
    everybody_starts,
    named,
    natural,
    need,
    on,
    parameter,
    reliable,
    states,
)

IDLE, VOTING, DECIDED = states(
    "idle", "voting", "decided",
    reads={"idle": "is idle", "voting": "is waiting for votes", "decided": "has decided"},
)


class Vote(Message):
    """A vote for x in round r, and the number of votes for x that the sender has counted in the round before."""

    r: int
    x: bool
    weight: int


@need("three processes", "there are at least three processes")
def three(network):
    return None if network.n >= 3 else "half of two processes is one; take at least three, for example complete:3"


class BrachaToueg(Process):
    title = "Bracha-Toueg consensus"
    needs = complete, named, everybody_starts, three, reliable, at_most("f", CRASHES, given="n > 2*f")
    messages = "<= 20*2**n*n*(n - 1)"

    state = IDLE
    value: bool | None = None  # my initial value
    r: int = 0
    x: bool | None = None  # my present value
    weight: int = 1
    votes: dict[int, dict[str, tuple[bool, int]]] = {}  # round -> process -> its value and its weight
    decision: bool | None = None

    f = parameter(1, minimum=0, help="how many processes may crash; fewer than half")
    inputs = parameter("0110", help="initial values: 0 or 1 for each process, in the order of names; 0 for the rest")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value, and votes for it.

        always:
        """
        me = sorted((self.me, *self.neighbours), key=natural).index(self.me)
        self.value = self.x = self.inputs[me : me + 1] == "1"
        self.state = VOTING
        self.vote(0)
        self.go_on()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on((IDLE, VOTING), Vote)
    def hear(self, m, q):
        """It stores a vote for its round; n - f votes of the present round are enough to go on.

        decides: It has n - f votes, and more than f of them are witnesses for the same value: it decides.
        sends Vote: It has n - f votes of its round: it chooses its value, and votes in round {r}.
        otherwise: It stores a vote for its round; n - f votes of the present round are enough to go on.
        """
        self.votes.setdefault(m.r, {})[q] = (m.x, m.weight)
        if self.state == VOTING:
            self.go_on()

    @on(DECIDED, Vote)
    def done(self, m, q):
        """It has decided, and has already sent all that the others need."""

    def go_on(self):
        n = len(self.neighbours) + 1
        while self.state == VOTING and len(self.votes.get(self.r, {})) >= n - self.f:
            votes = list(self.votes[self.r].values())
            values = [x for x, _ in votes]
            witnesses = [x for x, weight in votes if 2 * weight > n]
            self.x = witnesses[0] if witnesses else 2 * values.count(True) >= len(values)
            self.weight = values.count(self.x)
            self.r += 1
            if witnesses.count(self.x) > self.f:
                self.state = DECIDED
                self.decision = self.x
                self.decide(self.x)
                self.weight = n - self.f
                self.vote(self.r)
                self.vote(self.r + 1)
            else:
                self.vote(self.r)

    def vote(self, r):
        self.votes.setdefault(r, {})[self.me] = (self.x, self.weight)
        for q in self.neighbours:
            self.send(Vote(r, self.x, self.weight), to=q)


@always("fewer than half of the processes may crash")
def enough(c):
    return all(2 * p.f < c.n for p in c.processes)


@always("agreement: no two honest processes decide differently, even if they crash later")
def agreement(c):
    return len({c.decided[p] for p in c.honest if p in c.decided}) <= 1


@always("validity: if all processes begin with one value, they decide no other")
def validity(c):
    begun = {p.value for p in c.honest}
    return all(c.decided[p] in begun for p in c.honest if p in c.decided)


@always("no two witnesses of a round vote for different values")
def one_witness(c):
    said = {(r, by[p.me][0]) for p in c.honest for r, by in p.votes.items() if p.me in by and 2 * by[p.me][1] > c.n}
    return len({r for r, _ in said}) == len(said)


@always("a process decides only a value for which more than f of its votes are witnesses")
def supported(c):
    votes = [(p, list(p.votes[p.r - 1].values())) for p in c.honest if p in c.decided]
    return all(sum(x == c.decided[p] and 2 * w > c.n for x, w in some) > p.f for p, some in votes)


@at_end("termination: all correct processes have decided")
def termination(c):
    return all(p in c.decided for p in c.correct)
