"""Fault-tolerant averaging: all processes set their clocks to a mean that ignores the most extreme clocks.

Each process has a clock of its own, and none is better than the others.  They are to be close together at all times,
although clocks drift, delays are uncertain, and some processes are Byzantine.

Every ``period`` of its clock, each process sends its time to all.  A receiver estimates the difference between the two
clocks, as if the message had taken exactly ``delta``; the error is at most ``epsilon``.  It drops the f largest and
the f smallest differences, because they may be those of Byzantine processes, and changes its clock by the mean of the
smallest and the largest that remain.  Then the clocks are at most half as far apart as before, plus 2 epsilon.

Pseudo-code (clock: the local clock with its correction; the difference to my own clock is 0)::

    clock = i * period:                  send Time(i, clock) to all; set timer for beta + delta + epsilon
    Time(i, t) from q:                   difference[q] := t + delta - clock
    timer:                               let V be all differences in ascending order, infinite for those missing
                                         remove the first f and the last f of V
                                         correction := correction + (the smallest + the largest of V) / 2

At first the clocks differ by at most ``beta``, and from then on each gains or loses at most the share ``rho`` of the
time.  The algorithm ends after ``turns`` periods.

Needs a complete network with reliable links and names; processes that all start; n > 3f for up to f Byzantine
processes; messages that take between delta - epsilon and delta + epsilon.
Complexity: n (n - 1) messages in each period.  Without faults and drift, no algorithm can bring n clocks closer
together than epsilon (1 - 1/n) times 2; this one reaches 4 epsilon with f Byzantine processes.

Reference: J. Lundelius Welch and N. Lynch, A new fault-tolerant algorithm for clock synchronization, Information and
Computation 77 (1988); the lower bound: J. Lundelius and N. Lynch, An upper and lower bound for clock synchronization,
Information and Control 62 (1984).
"""

from lydian import (
    ANY,
    INIT,
    LIARS,
    Message,
    Process,
    Timer,
    always,
    at_end,
    at_most,
    complete,
    everybody_starts,
    measure,
    named,
    on,
    parameter,
    reliable,
    states,
    synchronous,
    variable,
)

RUNNING, COLLECTING, DONE = states(
    "running", "collecting", "done",
    reads={"running": "lets its clock run", "collecting": "is collecting times", "done": "has finished"},
)  # fmt: skip


class Time(Message):
    """The clock of the sender at the beginning of a period."""

    turn: int
    time: float


class Begin(Timer):
    """The beginning of a period."""


class Change(Timer):
    """The moment at which all times of correct processes have arrived."""


class Averaging(Process):
    title = "Fault-tolerant averaging"
    needs = (
        complete,
        named,
        everybody_starts,
        reliable,
        at_most("f", LIARS, given="n > 3*f"),
        synchronous("delta + epsilon"),
    )
    messages = "turns*n*(n - 1)"

    state = RUNNING
    correction: float = variable(lambda p: p.random.uniform(-p.beta / 2, p.beta / 2))  # what I add to my local clock
    turn: int = 0  # the number of the period
    difference: dict[str, float] = {}  # by how much the clock of each process is ahead of mine
    change: float = 0.0  # how I last changed my clock
    settled: int = 0  # how often I have set my clock

    f = parameter(0, minimum=0, help="how many processes may be Byzantine; fewer than a third")
    turns = parameter(5, minimum=1, maximum=50, help="how often each process sets its clock")
    period = parameter(20.0, minimum=1.0, maximum=1000.0, help="the time between two settings; longer than two timers")
    delta = parameter(1.0, minimum=0.0, maximum=100.0, help="the delay that a process assumes")
    epsilon = parameter(0.6, minimum=0.0, maximum=100.0, help="by how much a delay may differ from delta")
    beta = parameter(6.0, minimum=0.0, maximum=100.0, help="the largest difference between two clocks at the beginning")
    rho = parameter(0.0, minimum=0.0, maximum=0.1, help="the largest share of the time that a clock gains or loses")

    @on(ANY, INIT)
    def start(self):
        """It waits until its clock shows the beginning of the first period.

        always:
        """
        self.wait()

    @on(RUNNING, Begin)
    def begin(self):
        """Its clock shows the beginning of a period: it sends its time to all.

        always:
        """
        self.turn += 1
        self.state = COLLECTING
        self.send(Time(self.turn, self.clock + self.correction), to=self.neighbours)
        self.set_timer(Change(), after=(1 + self.rho) * (self.beta + self.delta + self.epsilon))

    @on((RUNNING, COLLECTING), Time)
    def hear(self, m, q):
        """It estimates the difference between the clock of process {peer} and its own."""
        if m.turn == self.settled + 1:
            self.difference[q] = m.time + self.delta - (self.clock + self.correction)

    @on(DONE, Time)
    def over(self, m, q):
        """It has set its clock for the last time."""

    @on(COLLECTING, Change)
    def set_clock(self):
        """It changes its clock by the mean of the extremes that remain.

        becomes done: It changes its clock for the last time, by {change}.
        otherwise: It changes its clock by {change}.
        """
        known = sorted([0.0, *self.difference.values()])
        missing = len(self.neighbours) + 1 - len(known)
        low, high = self.f, len(known) - 1 - max(self.f - missing, 0)
        self.change = (known[low] + known[high]) / 2 if low <= high else 0.0
        self.correction += self.change
        self.difference = {}
        self.settled += 1
        if self.turn < self.turns:
            self.state = RUNNING
            self.wait()
        else:
            self.state = DONE

    @on(ANY, (Begin, Change))
    def not_now(self):
        """This happens only after a fault."""

    def wait(self):
        due = (self.turn + 1) * self.period
        self.set_timer(Begin(), after=max(due - (self.clock + self.correction), 0.0))


def spread(c):
    """Return the largest difference between the clocks of correct processes."""
    now = [p.clock + p.correction for p in c.correct]
    return max(now) - min(now) if now else 0.0


@always("agreement: the clocks of correct processes never differ by more than the bound")
def agreement(c):
    p = c.processes[0]
    drift = 2 * p.rho * (p.period + 4 * (p.beta + p.delta + p.epsilon))
    return spread(c) <= p.beta + p.epsilon + drift + 1e-9


@always(
    "convergence: when all have set their clocks, these differ by half as much as before, plus 2 epsilon, plus drift"
)
def convergence(c):
    done = {p.settled for p in c.correct}
    if len(done) != 1:
        return True
    p, k = c.correct[0], done.pop()
    drift = 2 * p.rho * (c.time + 1) if p.rho else 0.0
    return spread(c) <= p.beta / 2**k + 4 * p.epsilon * (1 - 0.5**k) + drift + 1e-9


@always("validity: clocks of correct processes are as right as at first, but for epsilon at each setting, and drift")
def validity(c):
    return all(
        abs(p.clock + p.correction - c.time) <= p.beta / 2 + p.settled * p.epsilon + p.rho * c.time + 1e-9
        for p in c.correct
    )


@at_end("each correct process has set its clock in each period")
def finished(c):
    return all(p.settled == p.turns for p in c.correct)


@measure("largest difference between two clocks")
def largest(c):
    return spread(c)
