"""Approximate agreement: the correct processes bring their numbers as close together as they like.

Each process begins with a number; the numbers of the correct processes stay within the range of their initial ones, and
the range shrinks to half or less in each round, although up to f processes are Byzantine.

In each round all processes exchange their numbers.  A process drops the f smallest and the f largest of those it has;
the rest lie between numbers of correct processes.  It takes every f-th of the rest, the smallest first, and their mean
is its new number.

Pseudo-code (a number that does not arrive counts as 0)::

    round 1 .. turns:    send my number to all; let V be all n numbers, my own included, in ascending order
                         remove the first f and the last f of V
                         my number := the mean of V[0], V[f], V[2f] ...      (of all of V if f = 0)
    after the last:      decide my number

Needs a complete network with reliable links and names, rounds, and all processes as initiators; n > 3f for up to f
Byzantine processes.
Complexity: ``turns`` rounds and turns n (n - 1) messages; each round divides the range by at least
floor((n - 2f - 1)/f) + 1, which is at least 2.

Reference: D. Dolev, N. Lynch, S. Pinter, E. Stark and W. Weihl, Reaching approximate agreement in the presence of
faults, Journal of the ACM 33 (1986); N. Lynch, Distributed Algorithms, section 7.2.
"""

from lydian import (
    ANY,
    INIT,
    LIARS,
    ROUND,
    Message,
    Process,
    always,
    at_end,
    at_most,
    complete,
    everybody_starts,
    measure,
    named,
    natural,
    need,
    on,
    parameter,
    reliable,
    rounds,
    states,
)

IDLE, APPROACHING, DECIDED = states(
    "idle", "approaching", "decided",
    reads={"idle": "is idle", "approaching": "exchanges numbers", "decided": "has decided"},
)


class Number(Message):
    """The present number of the sender."""

    x: float


@need("four processes", "there are at least four processes")
def four(network):
    return None if network.n >= 4 else "one liar needs at least four processes, for example complete:4"


class ApproximateAgreement(Process):
    title = "Approximate agreement"
    needs = complete, named, everybody_starts, four, reliable, rounds, at_most("f", LIARS, given="n > 3*f")
    messages = "turns*n*(n - 1)"

    state = IDLE
    value: float | None = None  # my initial number
    x: float | None = None  # my present number
    past: list[float] = []  # my number at the beginning and after each round
    decision: float | None = None

    f = parameter(1, minimum=0, help="how many processes may be Byzantine; fewer than a third")
    turns = parameter(5, minimum=1, help="how many rounds the processes exchange numbers")
    inputs = parameter("0 10 4 7 2 8", help="initial numbers in the order of names, with spaces; 0 for the rest")

    @on(ANY, INIT)
    def start(self):
        """It begins with its number, and sends it to all.

        always:
        """
        me = sorted((self.me, *self.neighbours), key=natural).index(self.me)
        given = self.inputs.split()
        self.value = self.x = float(given[me]) if me < len(given) else 0.0
        self.past.append(self.x)
        self.state = APPROACHING
        self.send_all()

    @on(ANY, ROUND)
    def approach(self, received):
        """It takes the mean of the numbers that remain without the extremes; after the last round it decides.

        decides: The last round is over: it decides on its number.
        sends Number: Its new number is the mean of those that remain without the extremes; it sends it to all.
        nothing: It has decided already.
        """
        if self.state == DECIDED:
            return
        said = {self.me: self.x}
        for m, q in received:
            said.setdefault(q, m.x)
        numbers = sorted([*said.values(), *[0.0] * (len(self.neighbours) + 1 - len(said))])
        rest = numbers[self.f : len(numbers) - self.f][:: max(self.f, 1)]
        self.x = sum(rest) / len(rest)
        self.past.append(self.x)
        if self.round < self.turns:
            self.send_all()
        else:
            self.state = DECIDED
            self.decision = self.x
            self.decide(self.x)

    def send_all(self):
        for q in self.neighbours:
            self.send(Number(self.x), to=q)
        self.want_round()


def spread(numbers):
    """Return the distance between the smallest and the largest number."""
    return max(numbers, default=0.0) - min(numbers, default=0.0)


@always("validity: the numbers of correct processes stay within the range of their initial ones")
def validity(c):
    begun = [p.value for p in c.correct if p.value is not None]
    return all(min(begun) - 1e-9 <= p.x <= max(begun) + 1e-9 for p in c.correct if p.x is not None)


@always("convergence: each round halves the range of the numbers of correct processes")
def convergence(c):
    done = min((len(p.past) for p in c.correct), default=0)
    ranges = [spread([p.past[k] for p in c.correct]) for k in range(done)]
    return all(ranges[k + 1] <= ranges[k] / 2 + 1e-9 for k in range(done - 1))


@at_end("termination: all correct processes have decided")
def termination(c):
    return all(p in c.decided for p in c.correct)


@measure("range of the decisions")
def remaining(c):
    return spread([c.decided[p] for p in c.correct if p in c.decided])
