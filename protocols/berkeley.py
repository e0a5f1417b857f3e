"""The Berkeley algorithm: a master asks all for their clocks, averages those that agree, and tells each what to add.

Each process has a clock that was set wrongly, and no clock is better than the others.  They want to agree on a common
time near the average of the clocks, and a clock that is very wrong must not influence it.

The master asks all others for their time, and estimates by how much their clocks differ from its own: an answer that
took the round trip D is as old as D/2.  It takes the largest group of clocks that differ by at most ``gamma`` from
each other, computes their mean, and sends each process the difference between this mean and its clock.  Processes
receive a difference rather than a time, because a difference does not age on its way.

Pseudo-code (clock: the local clock with its correction; difference of the master: 0)::

    master, every ``period``:       sent := clock; send Ask to all others
    other, Ask:                     send Time(clock) to the master
    master, Time(t) from q:         D := clock - sent; difference[q] := t + D/2 - clock
                                    if all have answered: set the clocks
    master, after ``patience``:     set the clocks
    set the clocks:                 mean := the mean of the largest group of differences within gamma
                                    for each q that has answered: send Adjust(mean - difference[q]) to q
                                    correction := correction + mean
    other, Adjust(a):               correction := correction + a

At first a clock is wrong by at most ``good``; with ``outlier`` greater than 0, the clock of the last process in the
order of names is wrong by that amount instead.

Needs a complete network with two-way reliable links and names, of which only the links of the master are used; one
initiator, which is the master; no crashes; and local clocks that run at the same rate.
Complexity: 3 (n - 1) messages in each of ``polls`` periods.

Reference: R. Gusella and S. Zatti, The accuracy of the clock synchronization achieved by TEMPO in Berkeley UNIX
4.3BSD, IEEE Transactions on Software Engineering 15 (1989).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    complete,
    measure,
    named,
    natural,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    states,
    two_way,
    variable,
)

UNSET, POLLING, MASTER, SET = states(
    "unset", "polling", "master", "set",
    reads={"unset": "has a clock that may be wrong", "polling": "is asking all others", "master": "is the master",
           "set": "has set its clock"},
)  # fmt: skip


class Ask(Message):
    """The master's question for the time."""

    poll: int


class Time(Message):
    """The clock of the sender when it sent this."""

    poll: int
    time: float


class Adjust(Message):
    """The amount that the receiver must add to its clock, and the largest error of the master's estimate."""

    poll: int
    change: float
    error: float


class Poll(Timer):
    """The time at which the master asks again."""


class Patience(Timer):
    """The end of the time for which the master waits for answers."""


def wrong_by(p, outlier):
    """Return by how much the clock of a process is wrong at the beginning."""
    last = max((p.me, *p.neighbours), key=natural) == p.me
    return outlier if outlier and last else p.random.uniform(-p.good, p.good)


class Berkeley(Process):
    title = "Berkeley clock synchronisation"
    needs = complete, two_way, named, one_initiator, reliable, no_crashes
    messages = "3*(n - 1)*polls"

    state = UNSET
    correction: float = variable(lambda p: wrong_by(p, p.outlier))  # what I add to my local clock
    poll: int = 0  # the number of the last poll in which I set my clock; at the master also of the present one
    error: float = 0.0  # the largest possible error of the master's estimate of my clock
    sent: float = 0.0  # at the master: the local clock when it asked
    difference: dict[str, float] = {}  # at the master: by how much the clock of each process is ahead of its own
    trips: dict[str, float] = {}  # at the master: the round trip to each process
    group: list[str] = []  # at the master: the processes whose clocks were averaged
    slack: float = 0.0  # at the master: the largest possible errors of its estimates, added up over all polls

    polls = parameter(3, minimum=1, maximum=50, help="how often the master sets the clocks")
    period = parameter(10.0, minimum=0.1, maximum=1000.0, help="the time between two polls")
    patience = parameter(6.0, minimum=0.1, maximum=1000.0, help="how long the master waits for answers")
    gamma = parameter(15.0, minimum=0.0, maximum=10000.0, help="by how much clocks that are averaged may differ")
    good = parameter(5.0, minimum=0.0, maximum=1000.0, help="the largest error of a clock at the beginning")
    outlier = parameter(
        0.0, minimum=0.0, maximum=10000.0, help="by how much the clock of the last process is wrong, or 0"
    )

    @on(UNSET, INIT)
    def start(self):
        """It is the master, and asks all others for their time.

        always:
        """
        self.ask()

    @on((POLLING, MASTER, SET), INIT)
    def too_late(self):
        """It ignores this, as it is the master already, or has one."""

    @on(MASTER, Poll)
    def again(self):
        """It asks all others for their time again.

        always:
        """
        self.ask()

    @on(ANY, Ask)
    def answer(self, m, q):
        """It answers with its clock."""
        self.send(Time(m.poll, self.clock + self.correction), to=q)

    @on(POLLING, Time)
    def collect(self, m, q):
        """It estimates by how much the clock of process {peer} differs from its own.

        becomes master: It has all answers: it computes the mean of the clocks that agree, and sends all their changes.
        otherwise: It estimates by how much the clock of process {peer} differs from its own.
        """
        if m.poll != self.poll or q in self.difference:
            return
        self.trips[q] = self.clock - self.sent
        self.difference[q] = m.time + self.trips[q] / 2 - (self.clock + self.correction)
        if len(self.difference) == len(self.neighbours):
            self.set_clocks()

    @on(POLLING, Patience)
    def stop_waiting(self):
        """It waits for no more answers, and sets the clocks of those that have answered.

        always:
        """
        self.set_clocks()

    @on((UNSET, SET), Adjust)
    def adjust(self, m, q):
        """It changes its clock as the master says."""
        self.correction += m.change
        self.poll, self.error = m.poll, m.error
        self.state = SET

    @on((POLLING, MASTER), Adjust)
    def not_me(self, m, q):
        """It is the master itself, so this happens only after a fault."""

    @on((UNSET, MASTER, SET), (Time, Patience))
    def too_late_to_count(self):
        """The clocks of this poll have been set already."""

    @on((UNSET, POLLING, SET), Poll)
    def not_now(self):
        """It is still waiting for answers, or not the master."""

    def ask(self):
        self.state = POLLING
        self.poll += 1
        self.difference, self.trips = {}, {}
        self.sent = self.clock
        self.send(Ask(self.poll), to=self.neighbours)
        if self.neighbours:
            self.set_timer(Patience(), after=self.patience)
        else:
            self.set_clocks()

    def set_clocks(self):
        self.cancel_timer(Patience)
        known = {self.me: 0.0, **self.difference}
        self.group = largest_group(known, self.gamma)
        mean = sum(known[q] for q in self.group) / len(self.group)
        for q, difference in self.difference.items():
            self.send(Adjust(self.poll, mean - difference, self.trips[q] / 2), to=q)
        self.slack += max(self.trips.values(), default=0.0) / 2
        self.correction += mean
        self.state = MASTER
        if self.poll < self.polls:
            self.set_timer(Poll(), after=self.period)


def largest_group(known, gamma):
    """Return the processes of the largest group of numbers that differ by at most gamma, the smallest numbers first."""
    order = sorted(known, key=lambda q: (known[q], natural(q)))
    groups = [[q for q in order[i:] if known[q] - known[first] <= gamma] for i, first in enumerate(order)]
    return max(groups, key=len)


@always("a clock that was set in the last poll differs from that of the master by at most half the round trip")
def together(c):
    for s in c.processes:
        if s.state == MASTER:
            for p in c.processes:
                off = abs((p.clock + p.correction) - (s.clock + s.correction))
                if p.state == SET and p.poll == s.poll and off > p.error + 1e-9:
                    return False
    return True


@always("a clock that was set is as right as the good ones were, but for the errors of the estimates")
def valid(c):
    slack = max((p.slack for p in c.processes), default=0.0)
    return all(
        abs(p.clock + p.correction - c.time) <= p.good + slack + p.error + 1e-9
        for p in c.processes
        if p.state == SET or (p.state == MASTER and p.group)
    )


@at_end("each clock was set in each poll")
def all_set(c):
    return {p.poll for p in c.processes} == {c.processes[0].polls}


@measure("largest difference between two clocks")
def largest(c):
    now = [p.clock + p.correction for p in c.processes]
    return max(now) - min(now)
