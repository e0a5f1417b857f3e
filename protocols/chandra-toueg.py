"""Chandra-Toueg: consensus with a failure detector that may be wrong for a long time.

All correct processes decide on the same value although fewer than half crash; delays are bounded only from some unknown
time on.

In each round a different process is the coordinator.  It collects estimates from a majority, takes the one that was
adopted in the latest round, and proposes it.  A process that receives the proposal adopts and acknowledges it; a
process that suspects the coordinator refuses.  With acknowledgements from a majority, the coordinator decides, and
every later coordinator hears from at least one process of this majority.

Pseudo-code (x: the estimate, initially the input; ts: the round in which it was adopted)::

    for r := 1, 2, 3 ...; c: the process number r modulo n
        phase 1:    send Estimate(r, x, ts) to c
        phase 2, c: wait for estimates of round r from a majority; x := one with the largest ts; send Propose(r, x)
        phase 3:    wait for Propose(r, y) from c, or until c is suspected
                    if it came: x := y; ts := r; send Ack(r) to c    else: send Nack(r) to c
        phase 4, c: wait for answers from a majority; if a majority has sent Ack(r): send Decide(x) to all
    Decide(y), the first one:   send Decide(y) to all; decide y

The failure detector is built in: a process suspects the coordinator when its proposal has not arrived after a timeout,
and each suspicion makes the timeout longer.  Once the delays are bounded, it exceeds the bound, and the coordinator of
some round is suspected by no process.  A process takes part in at most ``most`` rounds, so that each run ends.

Needs a complete network with reliable links and names, and all processes as initiators; fewer than half of the
processes crash, and from some time on delays are bounded.
Complexity: three steps and at most 3 (n - 1) messages in a round, and n (n - 1) for the decision; the first round is
enough if no process crashes and none is suspected.

Reference: T. D. Chandra and S. Toueg, Unreliable failure detectors for reliable distributed systems, Journal of the ACM
43 (1996), section 6.2, figure 6.
"""

from lydian import (
    ANY,
    CRASHES,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    at_most,
    bounded_delay,
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    states,
)

IDLE, WAITING, COLLECTING, PROPOSING, STOPPED, DECIDED = states(
    "idle", "waiting", "collecting", "proposing", "stopped", "decided",
    reads={
        "idle": "is idle",
        "waiting": "is waiting for a proposal",
        "collecting": "is collecting estimates",
        "proposing": "is waiting for answers to its proposal",
        "stopped": "has taken part in all its rounds",
        "decided": "has decided",
    },
)


class Estimate(Message):
    """The value that the sender would decide, and the round in which the sender adopted this."""

    r: int
    x: bool
    ts: int


class Propose(Message):
    """The value that the coordinator of the round proposes."""

    r: int
    x: bool


class Ack(Message):
    """'I have adopted the value that you propose.'"""

    r: int


class Nack(Message):
    """'I suspect you, and have gone on.'"""

    r: int


class Decide(Message):
    """The decision, which each process passes on once."""

    x: bool


class Silence(Timer):
    """The end of the time for which the coordinator may be silent."""


class ChandraToueg(Process):
    title = "Chandra-Toueg consensus"
    needs = (
        complete, named, everybody_starts, reliable, at_most("(n - 1) // 2", CRASHES), bounded_delay,
    )  # fmt: skip
    messages = "<= (n - 1)*(3*most + n)"

    state = IDLE
    value: bool | None = None  # my initial value
    x: bool | None = None  # my estimate
    ts: int = 0  # the round in which I have adopted it
    r: int = 0  # my round
    coordinator: str | None = None  # of my round
    patience: float = 0.0  # how long a coordinator may be silent
    estimates: dict[int, dict[str, tuple[int, bool]]] = {}  # round -> process -> its timestamp and estimate
    proposals: dict[int, bool] = {}  # round -> the value proposed in it
    acks: dict[int, set[str]] = {}  # round of mine -> the processes that have adopted my value
    nacks: dict[int, set[str]] = {}  # round of mine -> the processes that suspect me
    decision: bool | None = None

    first = parameter(8.0, minimum=0.0, help="how long a coordinator may be silent initially")
    increase = parameter(4.0, minimum=0.0, help="how much longer after each suspicion; 0: never longer")
    most = parameter(
        20, minimum=1, help="the largest number of rounds in which a process takes part",
        reached=lambda p: p.state == STOPPED,
    )
    inputs = parameter("0110", help="initial values: 0 or 1 for each process, in the order of names; 0 for the rest")

    @on(IDLE, INIT)
    def start(self):
        """It begins with its value, and enters the first round.

        sends Estimate: It begins with its value, and sends it to the first coordinator.
        otherwise: It is the first coordinator, and collects estimates.
        """
        me = self.everybody().index(self.me)
        self.value = self.x = self.inputs[me : me + 1] == "1"
        self.patience = self.first
        self.next_round()

    @on(ANY, INIT)
    def started(self):
        """It has already begun."""

    @on(ANY, Estimate)
    def collect(self, m, q):
        """It stores an estimate for its round; the coordinator proposes when it has those of a majority.

        sends Propose: It has the estimates of a majority: it proposes the one that was adopted last.
        otherwise: It stores the estimate for its round.
        """
        self.estimates.setdefault(m.r, {})[q] = (m.ts, m.x)
        self.propose()

    @on(ANY, Propose)
    def consider(self, m, q):
        """It adopts the proposal of the coordinator for which it waits, and acknowledges it.

        sends Ack: It adopts the proposal, acknowledges it and enters the next round.
        otherwise: It is not in this round; it notes the proposal.
        """
        self.proposals[m.r] = m.x
        self.adopt()

    @on(ANY, (Ack, Nack))
    def count(self, m, q):
        """It counts an answer to its proposal; it decides with acknowledgements from a majority.

        decides: A majority has adopted its proposal: it decides, and tells all others.
        changes r: A majority has answered, but some have refused: it enters the next round.
        otherwise: It counts the answer.
        """
        (self.acks if type(m) is Ack else self.nacks).setdefault(m.r, set()).add(q)
        self.weigh(m.r)

    @on(ANY, Silence)
    def suspect(self):
        """It suspects the coordinator, refuses and enters the next round; from now on it is more patient.

        sends Nack: It suspects the coordinator and refuses; from now on it is more patient.
        otherwise: It is no longer waiting.
        """
        if self.state == WAITING:
            self.patience += self.increase
            self.send(Nack(self.r), to=self.coordinator)
            self.next_round()

    @on(ANY, Decide)
    def learn(self, m, q):
        """It learns the decision, passes it on and decides.

        decides: It learns the decision, passes it on and decides.
        otherwise: It has already decided.
        """
        self.settle(m.x)

    def next_round(self):
        if self.r == self.most:
            self.state = STOPPED
            self.coordinator = None
            self.cancel_timer(Silence)
            return
        self.r += 1
        everybody = self.everybody()
        self.coordinator = everybody[(self.r - 1) % len(everybody)]
        if self.coordinator == self.me:
            self.state = COLLECTING
            self.cancel_timer(Silence)
            self.estimates.setdefault(self.r, {})[self.me] = (self.ts, self.x)
            self.propose()
        else:
            self.state = WAITING
            self.set_timer(Silence(), after=self.patience)
            self.send(Estimate(self.r, self.x, self.ts), to=self.coordinator)
            self.adopt()

    def propose(self):
        if self.state == COLLECTING and self.majority(self.estimates.get(self.r, {})):
            self.state = PROPOSING
            self.x = max(self.estimates[self.r].values())[1]
            self.ts = self.r
            self.acks[self.r] = {self.me}
            for q in self.neighbours:
                self.send(Propose(self.r, self.x), to=q)
            self.weigh(self.r)

    def adopt(self):
        if self.state == WAITING and self.r in self.proposals:
            self.x = self.proposals[self.r]
            self.ts = self.r
            self.send(Ack(self.r), to=self.coordinator)
            self.next_round()

    def weigh(self, r):
        acks, nacks = self.acks.get(r, set()), self.nacks.get(r, set())
        if self.state == PROPOSING and r == self.r:
            if self.majority(acks):
                self.settle(self.x)
            elif nacks and self.majority(acks | nacks):
                self.next_round()

    def settle(self, x):
        if self.state != DECIDED:
            self.state = DECIDED
            self.coordinator = None
            self.cancel_timer(Silence)
            self.decision = x
            self.decide(x)
            for q in self.neighbours:
                self.send(Decide(x), to=q)

    def majority(self, some):
        return 2 * len(some) > len(self.neighbours) + 1

    def everybody(self):
        return sorted((self.me, *self.neighbours), key=natural)


@always("agreement: no two processes decide differently, even if they crash later")
def agreement(c):
    return len({c.decided[p] for p in c.honest if p in c.decided}) <= 1


@always("validity: a process decides only a value with which some process began")
def validity(c):
    begun = {p.value for p in c.honest}
    return all(c.decided[p] in begun for p in c.honest if p in c.decided)


@always("locking: once a majority has adopted the proposal of a round, later rounds propose the same value")
def locking(c):
    proposed = {r: x for p in c.honest for r, x in p.proposals.items()}
    locked = [r for p in c.honest for r, by in p.acks.items() if 2 * len(by) > c.n and r in proposed]
    return all(proposed[s] == proposed[r] for r in locked for s in proposed if s > r)


@at_end("termination: all correct processes have decided")
def termination(c):
    return all(p in c.decided for p in c.correct)
