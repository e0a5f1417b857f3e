"""Push-sum: all processes learn the average of their numbers, by passing on half of what they have.

Each process has a number, and all want to know the average of all numbers or their sum; no process collects them.

Each process has a sum s, at first its number, and a weight w, at first 1.  In each round it keeps half of both, sends
the other half to a random process, and adds what it receives.  Its estimate is s/w.  Sums and weights are never
created or lost: they only move, and the random partners mix them, so the share of each number in s becomes proportional
to w.  If only one process begins with the weight 1 and all others with 0, the estimates approach the sum instead of the
average.

Pseudo-code::

    INIT:    s := my number; w := 1 (for the sum: 1 at one process, 0 at the others)
    round:   for each Share(a, b) that has arrived: s := s + a; w := w + b
             if not all ``turns`` rounds are over: choose a random process q; send Share(s/2, w/2) to q
                                                   s := s/2; w := w/2
             else decide s/w

The numbers are those in ``inputs`` in the order of names, or random ones if it is empty.

Needs names, reliable links, processes that all start and do not crash, and that may send to any other process.
Complexity: n messages in each round; after O(log n + log(1/e) + log(1/d)) rounds, the relative error of each estimate
is at most e, with probability 1 - d.

Reference: D. Kempe, A. Dobra and J. Gehrke, Gossip-based computation of aggregate information, FOCS 2003, protocol
Push-Sum.
"""

from lydian import (
    ANY,
    INIT,
    ROUND,
    Message,
    Process,
    always,
    at_end,
    everybody_starts,
    measure,
    named,
    natural,
    no_crashes,
    on,
    overlay,
    parameter,
    reliable,
    rounds,
    states,
)

IDLE, MIXING, DECIDED = states("idle", "mixing", "decided", reads={"mixing": "is mixing", "decided": "has decided"})


class Share(Message):
    """Half of the sum and of the weight of the sender."""

    s: float
    w: float


class PushSum(Process):
    title = "Push-sum"
    needs = overlay, rounds, named, everybody_starts, reliable, no_crashes
    messages = "<= turns*n"

    state = IDLE
    number: float = 0.0  # my number
    s: float = 0.0  # my sum
    w: float = 0.0  # my weight
    begun: float = 0.0  # the weight with which I began
    estimate: float | None = None  # s/w
    passed: int = 0  # how many shares I have sent

    turns = parameter(30, minimum=1, maximum=200, help="in how many rounds a process sends")
    aggregate = parameter("average", choices=("average", "sum"), help="what the processes compute")
    inputs = parameter(
        "", help="the numbers in the order of names, separated by spaces; 0 for the rest. Empty: random ones"
    )

    @on(ANY, INIT)
    def start(self):
        """It begins with its number.

        always:
        """
        place = sorted(self.everybody, key=natural).index(self.me)
        given = self.inputs.split()
        if given:
            self.number = float(given[place]) if place < len(given) else 0.0
        else:
            self.number = float(self.random.randint(0, 99))
        self.s = self.number
        self.w = self.begun = 1.0 if self.aggregate == "average" or place == 0 else 0.0
        self.estimate = self.s / self.w if self.w else None
        self.state = MIXING
        self.want_round()

    @on(ANY, ROUND)
    def mix(self, received):
        """It adds the shares that it has received, and passes on half of all.

        decides: It adds what it has received, and decides on its estimate: {estimate}.
        sends Share: It adds what it has received, and sends half of all: its estimate is {estimate}.
        otherwise: It adds what it has received.
        """
        for m, _ in received:
            self.s += m.s
            self.w += m.w
        self.estimate = self.s / self.w if self.w else None
        others = [q for q in self.everybody if q != self.me]
        if self.passed < self.turns and others:
            self.passed += 1
            self.send(Share(self.s / 2, self.w / 2), to=self.random.choice(others))
            self.s, self.w = self.s / 2, self.w / 2
            self.want_round()
        else:
            self.state = DECIDED
            self.decide(self.estimate)


def wanted(c):
    """Return what all processes together should compute."""
    total = sum(p.number for p in c.processes)
    return total / c.n if c.processes[0].aggregate == "average" else total


@always("conservation of mass: the sums of all processes and messages add up to the sum of the numbers")
def sums(c):
    mass = sum(p.s for p in c.processes) + sum(t.message.s for t in c.in_transit if type(t.message) is Share)
    return abs(mass - sum(p.number for p in c.processes)) < 1e-6


@always("conservation of mass: the weights of all processes and messages add up to those of the beginning")
def weights(c):
    mass = sum(p.w for p in c.processes) + sum(t.message.w for t in c.in_transit if type(t.message) is Share)
    return abs(mass - sum(p.begun for p in c.processes)) < 1e-6


@at_end("all estimates are within one per cent of the right value (with high probability, if there are enough rounds)")
def close(c):
    return all(p.estimate is not None and abs(p.estimate - wanted(c)) <= 0.01 * abs(wanted(c)) for p in c.processes)


@measure("largest error of an estimate")
def error(c):
    return max((abs(p.estimate - wanted(c)) for p in c.processes if p.estimate is not None), default=0.0)
