"""Ben-Or: agreement in an asynchronous system, where coin tosses break the tie between values.

Processes agree on one of two values without any bound on the delays, although up to f crash.

No deterministic algorithm achieves this: some execution would never decide.  In each round, all processes report their
values; a process that sees that more than half of all have the same value proposes it, and otherwise proposes nothing.
Two different values are never proposed in one round.  A process that receives more than f proposals decides, for then
each process receives at least one; a process that receives at least one adopts its value; a process that receives none
tosses a coin.

Pseudo-code (x: the value, initially the input; all counts include the process's own messages)::

    r := 1, 2, 3 ...
        step 1:   send (1, r, x) to all; wait for n - f messages (1, r, *)
                  if more than n/2 of them hold the same value v: send (2, r, v) to all, else send (2, r, ?) to all
        step 2:   wait for n - f messages (2, r, *)
                  if more than f of them hold v: decide v
                  else if one of them holds v: x := v
                  else x := 0 or 1, by a coin toss

This is the version for crashes (protocol A of the paper), in which processes continue for ever.  Here a process that
decides also sends both messages of the next round, which can only contain v, and stops: all others then have v, and
decide in the next round at the latest.

Needs a complete network with reliable links and names, and all processes as initiators; n > 2f, and no process is
Byzantine; the order of messages and their delays do not matter.
Complexity: 2n(n - 1) messages in each round.  It terminates with probability 1, after about 2^n rounds on average in
the worst case, and usually after very few.  The bound allows for 20 * 2^n rounds; the probability of more is less than
one in a hundred million.

Reference: M. Ben-Or, Another advantage of free choice: completely asynchronous agreement protocols, PODC 1983;
N. Lynch, Distributed Algorithms, section 21.4; M. Fischer, N. Lynch and M. Paterson, Impossibility of distributed
consensus with one faulty process, Journal of the ACM 32 (1985).
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

IDLE, REPORTING, PROPOSING, DECIDED = states(
    "idle", "reporting", "proposing", "decided",
    reads={
        "idle": "is idle",
        "reporting": "is waiting for reports",
        "proposing": "is waiting for proposals",
        "decided": "has decided",
    },
)


class Report(Message):
    """(1, r, x): the value of the sender in this round."""

    r: int
    x: bool


class Proposal(Message):
    """(2, r, v): more than half of the processes have this value; or (2, r, ?): no value has this majority."""

    r: int
    v: bool | None


@need("three processes", "there are at least three processes")
def three(network):
    return None if network.n >= 3 else "half of two processes is one; take at least three, for example complete:3"


class BenOr(Process):
    title = "Ben-Or"
    needs = complete, named, everybody_starts, three, reliable, at_most("f", CRASHES, given="n > 2*f")
    messages = "<= 40*2**n*n*(n - 1)"

    state = IDLE
    value: bool | None = None  # my initial value
    r: int = 0
    x: bool | None = None  # my current value
    reports: dict[int, dict[str, bool]] = {}  # round -> process -> the value it reports
    proposals: dict[int, dict[str, bool | None]] = {}  # round -> process -> its proposal
    coins: int = 0  # how often I have tossed a coin
    decision: bool | None = None

    f = parameter(1, minimum=0, help="how many processes may crash; fewer than half")
    inputs = parameter("0110", help="initial values: 0 or 1 for each process, in the order of names; 0 for the rest")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value and reports it."""
        me = sorted((self.me, *self.neighbours), key=natural).index(self.me)
        self.value = self.x = self.inputs[me : me + 1] == "1"
        self.next_round()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on((IDLE, REPORTING, PROPOSING), Report)
    def hear_report(self, m, q):
        """It stores a report for its round; n - f reports of the current round are enough to continue.

        while idle or proposing: It stores a report for its round; n - f of the current round are enough to continue.
        """
        self.reports.setdefault(m.r, {})[q] = m.x
        self.go_on()

    @on((IDLE, REPORTING, PROPOSING), Proposal)
    def hear_proposal(self, m, q):
        """It stores a proposal for its round; n - f proposals of the current round are enough to continue.

        while idle or reporting: It stores a proposal for its round; n - f of the current round are enough to continue.
        """
        self.proposals.setdefault(m.r, {})[q] = m.v
        self.go_on()

    @on(DECIDED, (Report, Proposal))
    def done(self, m, q):
        """It has decided and has already sent all that the others need."""

    def next_round(self):
        self.r += 1
        self.state = REPORTING
        self.report()
        self.go_on()

    def go_on(self):
        n = len(self.neighbours) + 1
        if self.state == REPORTING and len(self.reports[self.r]) >= n - self.f:
            said = list(self.reports[self.r].values())
            self.state = PROPOSING
            self.propose(next((v for v in (False, True) if 2 * said.count(v) > n), None))
            self.go_on()
        elif self.state == PROPOSING and len(self.proposals[self.r]) >= n - self.f:
            said = [v for v in self.proposals[self.r].values() if v is not None]
            if said:
                self.x = said[0]
            else:
                self.x = self.random.choice((False, True))
                self.coins += 1
            if len(said) > self.f:
                self.settle()
            else:
                self.next_round()

    def settle(self):
        self.state = DECIDED
        self.decision = self.x
        self.decide(self.x)
        self.r += 1
        self.report()
        self.propose(self.x)

    def report(self):
        self.reports.setdefault(self.r, {})[self.me] = self.x
        for q in self.neighbours:
            self.send(Report(self.r, self.x), to=q)

    def propose(self, v):
        self.proposals.setdefault(self.r, {})[self.me] = v
        for q in self.neighbours:
            self.send(Proposal(self.r, v), to=q)


@always("fewer than half of the processes may crash")
def enough(c):
    return all(2 * p.f < c.n for p in c.processes)


@always("no two honest processes decide differently, even if they crash later")
def agreement(c):
    return len({c.decided[p] for p in c.honest if p in c.decided}) <= 1


@always("an honest process decides only a value with which some honest process began")
def validity(c):
    begun = {p.value for p in c.honest}  # a process that crashed later may have convinced the others
    return all(c.decided[p] in begun for p in c.honest if p in c.decided)


@always("no two honest processes propose different values in a round")
def one_proposal(c):
    said = [(r, by[p.me]) for p in c.honest for r, by in p.proposals.items() if by.get(p.me) is not None]
    return len({r for r, _ in said}) == len(set(said))


@always("a process decides only a value that more than f processes have proposed in its last round")
def supported(c):
    votes = [(p, list(p.proposals.get(p.r - 1, {}).values())) for p in c.honest if p in c.decided]
    return all(said.count(c.decided[p]) > p.f for p, said in votes)


@at_end("all correct processes have decided")
def termination(c):
    return all(p.decision is not None for p in c.correct)
