"""k-set agreement (FloodMin): the processes decide on at most k different values, in fewer rounds than consensus.

All processes that do not crash decide, on at most k values in all, although up to f crash.

In each round a process sends the least value that it has seen to all others, and keeps the least that it receives.
Among floor(f/k) + 1 rounds there is one in which fewer than k processes crash; after it, at most k different values are
left.  With k = 1 this is consensus in f + 1 rounds.

Pseudo-code::

    INIT:                                 least := my value; send least to all
    round r = 1 .. floor(f/k) + 1:        least := the minimum of least and all values received
                                          if r <= floor(f/k): send least to all
    after round floor(f/k) + 1:           decide least

A process that crashes while it sends reaches some processes only: in an experiment, drop the other messages and
crash it before the next round.

Needs a complete network with reliable links and names, rounds, and all processes as initiators; at most f processes
crash, and none is Byzantine.
Complexity: floor(f/k) + 1 rounds, which is optimal, and (floor(f/k) + 1) n (n - 1) messages if no process crashes.

Reference: S. Chaudhuri, More choices allow more faults: set consensus problems in totally asynchronous systems,
Information and Computation 105 (1993); N. Lynch, Distributed Algorithms, section 7.1 (FloodMin).
"""

from lydian import (
    ANY,
    CRASHES,
    INIT,
    ROUND,
    Message,
    Process,
    always,
    at_end,
    at_most,
    complete,
    everybody_starts,
    named,
    natural,
    on,
    parameter,
    reliable,
    rounds,
    states,
)

IDLE, FLOODING, DECIDED = states(
    "idle", "flooding", "decided",
    reads={"idle": "is idle", "flooding": "looks for the least value", "decided": "has decided"},
)


class Least(Message):
    """The least value that the sender has seen."""

    x: int


class KSetAgreement(Process):
    title = "k-set agreement (FloodMin)"
    needs = complete, named, everybody_starts, reliable, rounds, at_most("f", CRASHES)
    messages = "(f // k + 1)*n*(n - 1)"

    state = IDLE
    value: int | None = None  # my initial value
    least: int | None = None  # the least value that I have seen
    decision: int | None = None

    f = parameter(1, minimum=0, help="how many processes may crash")
    k = parameter(2, minimum=1, help="how many different decisions are allowed")
    inputs = parameter("012345", help="initial values: a digit for each process, in the order of names; 9 for the rest")

    @on(ANY, INIT)
    def start(self):
        """It begins with its value, and sends it to all.

        always:
        """
        me = sorted((self.me, *self.neighbours), key=natural).index(self.me)
        digit = self.inputs[me : me + 1]
        self.value = self.least = int(digit) if digit.isdecimal() else 9
        self.state = FLOODING
        self.send_all()

    @on(ANY, ROUND)
    def flood(self, received):
        """It keeps the least value that it has seen, and sends it on; after the last round it decides.

        decides: The last round is over: it decides on the least value that it has seen.
        sends Least: It keeps the least value that it has seen, {least}, and sends it to all.
        nothing: It has decided already.
        """
        if self.state == DECIDED:
            return
        self.least = min([self.least, *(m.x for m, _ in received)])
        if self.round <= self.f // self.k:
            self.send_all()
        else:
            self.state = DECIDED
            self.decision = self.least
            self.decide(self.least)

    def send_all(self):
        for q in self.neighbours:
            self.send(Least(self.least), to=q)
        self.want_round()


@always("agreement: honest processes decide on at most k different values")
def agreement(c):
    decided = {c.decided[p] for p in c.honest if p in c.decided}
    return all(len(decided) <= p.k for p in c.processes)


@always("validity: each decision is the initial value of some process")
def validity(c):
    return {c.decided[p] for p in c.honest if p in c.decided} <= {p.value for p in c.honest}


@at_end("termination: all correct processes have decided")
def termination(c):
    return all(p in c.decided for p in c.correct)
