"""NTP: clocks are set by four timestamps, and of several measurements the one with the least error counts.

The clock of the primary server is right by definition; all others were set wrongly.  Each process regularly asks its
neighbours for the time, and notes when it asked (t1) and when the answer came (t4).  The answer says when the question
arrived (t2) and when the answer left (t3), by the clock of the neighbour.  So the time for which the neighbour was busy
does no harm: offset = ((t2 - t1) + (t3 - t4)) / 2, delay = (t4 - t1) - (t3 - t2), and the error of the offset is at
most half of the delay, however much the delays there and back differ.

A process keeps its latest ``window`` measurements and follows the one with the least distance: half of its delay, and
the distance of the neighbour itself.  The primary server has the distance 0, so the right time spreads through the
network, and no process needs to know who the primary server is.

Pseudo-code (clock: the local clock; time: the clock with its correction; D: the share by which clocks drift apart)::

    every period:                   send Ask(clock) to all neighbours
    Ask(t1) from q:                 note t2 := time; after a while send Answer(t1, t2, time, my distance) to q
    Answer(t1, t2, t3, d) from q:   t4 := clock
                                    keep (d + delay/2, offset, t4), and the latest ``window`` of these
                                    correction := the offset of the one with the least distance now
    distance now of (l, offset, t): l + D (clock - t)

Needs a connected network with two-way reliable links and names, processes that all start, one of them the primary
server, and no crashes.  A clock gains or loses at most the share ``rho`` of the time, so D = 2 rho / (1 - rho).  The
protocol of the Internet also compares servers to find liars, asks less often as its clock becomes better, and turns
the clock gradually.
Complexity: at most 4 m messages in each period; ``polls`` periods from the moment at which a process has set its clock.

Reference: D. L. Mills, Internet time synchronization: the Network Time Protocol, IEEE Transactions on Communications 39
(1991); D. Mills, J. Martin, J. Burbank and W. Kasch, Network Time Protocol version 4, RFC 5905 (2010), sections 8, 10.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    at_end,
    connected,
    everybody_starts,
    measure,
    named,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    two_way,
    variable,
)

PRIMARY, UNSET, SET = states(
    "primary", "unset", "set",
    reads={"primary": "is the primary server", "unset": "has a clock that may be wrong", "set": "has set its clock"},
)  # fmt: skip


class Ask(Message):
    """The question for the time; contains the local clock of the process that asks."""

    t1: float


class Answer(Message):
    """The answer, with the time at which the question came and the time at which this leaves; -1: not known yet."""

    t1: float
    t2: float
    t3: float
    distance: float


class Poll(Timer):
    """The time at which a process asks again."""


class Busy(Timer):
    """The end of the time for which the question of q has to wait; since: the local clock when it came."""

    q: str
    t1: float
    since: float


class Clock(Process):
    """What a server and a client have in common."""

    rho = parameter(0.0, minimum=0.0, maximum=0.5, help="the largest share of the time that a clock gains or loses")
    busy = parameter(3.0, minimum=0.0, maximum=1000.0, help="the longest time that a question waits for its answer")

    correction: float = 0.0  # what I add to my local clock

    @on(ANY, Ask)
    def asked(self, m, q):
        """It notes when the question came, and will answer soon."""
        self.set_timer(Busy(q, m.t1, self.clock), after=self.random.uniform(0, self.busy))

    @on(ANY, Busy)
    def answer(self, m):
        """It answers with both times.

        always:
        """
        came, now = m.since + self.correction, self.clock + self.correction
        self.send(Answer(m.t1, came, now, self.distance()), to=m.q)

    def apart(self):
        """The share by which two clocks drift apart."""
        return 2 * self.rho / (1 - self.rho)


class Server(Clock, processes=1):
    title = "Network Time Protocol"
    needs = connected, two_way, named, everybody_starts, reliable, no_crashes

    state = PRIMARY

    @on(PRIMARY, INIT)
    def begin(self):
        """Its clock is the right one."""

    @on(PRIMARY, Answer)
    def unasked(self, m):
        """It has not asked, so this happens only after a fault."""

    def distance(self):
        return 0.0


class Client(Clock):
    needs = connected, two_way, named, everybody_starts, reliable, no_crashes

    messages = "<= 4*m*(polls + tries)"

    state = UNSET
    correction: float = variable(lambda p: p.random.uniform(-p.skew, p.skew))  # what I add to my local clock
    kept: list[tuple[float, float, float]] = []  # measurements: distance, offset, and the local clock at that moment
    used: float | None = None  # the local clock at the measurement that I follow
    bound: float | None = None  # its distance at that moment
    asks: int = 0  # how often I have asked since I set my clock
    vain: int = 0  # how often I have asked before

    polls = parameter(4, minimum=1, maximum=100, help="how often a process asks its neighbours once its clock is set")
    tries = parameter(50, minimum=1, maximum=1000, help="how often it may ask while its clock is not set")
    period = parameter(8.0, minimum=0.1, maximum=1000.0, help="the local time from one question to the next")
    window = parameter(8, minimum=1, maximum=64, help="how many measurements a process keeps")
    skew = parameter(5.0, minimum=0.0, maximum=1000.0, help="the largest error of a clock at the beginning")
    choice = parameter(
        "least", choices=("least", "latest"), help="measurement that it follows: of the least distance, or the latest"
    )

    @on(UNSET, INIT)
    def start(self):
        """It will soon ask its neighbours."""
        self.set_timer(Poll(), after=self.random.uniform(0, self.period / 2))

    @on((UNSET, SET), Poll)
    def poll(self):
        """It asks its neighbours for the time, and notes when it did so.

        always:
        """
        self.asks += self.state == SET
        self.vain += self.state == UNSET
        self.send(Ask(self.clock), to=self.neighbours)
        if self.asks < self.polls and self.vain < self.tries:
            self.set_timer(Poll(), after=self.period)

    @on((UNSET, SET), Answer)
    def measured(self, m, q):
        """It computes the offset and the delay, and follows the best of its measurements.

        becomes set: It can set its clock for the first time, with an error of at most {bound}.
        otherwise: It computes the offset and the delay, and follows the best of its measurements.
        """
        if m.distance < 0:
            return
        t4 = self.clock
        offset = ((m.t2 - m.t1) + (m.t3 - t4)) / 2
        delay = (t4 - m.t1) - (m.t3 - m.t2)
        self.kept.append((m.distance + delay / 2 + 2 * self.apart() * (t4 - m.t1), offset, t4))
        del self.kept[: -self.window]
        best = self.kept[-1] if self.choice == "latest" else min(self.kept, key=self.now)
        self.bound, self.correction, self.used = best
        self.state = SET

    def now(self, measurement):
        """The distance of a measurement by now."""
        distance, _, since = measurement
        return distance + self.apart() * (self.clock - since)

    def distance(self):
        if self.used is None:
            return -1.0
        return self.now((self.bound, self.correction, self.used))


def wrong(c, p):
    """Return by how much the clock of a process differs from that of the primary server."""
    (server,) = c.role("server")
    return abs((p.clock + p.correction) - server.clock)


@always("a clock that was set differs from that of the primary server by at most its distance")
def accurate(c):
    return all(p.used is None or wrong(c, p) <= p.distance() + 1e-9 for p in c.role("client"))


@at_end("each clock has been set, unless its process has asked in vain as often as it may")
def all_set(c):
    return all(p.state == SET or p.vain == p.tries for p in c.role("client"))


@measure("largest error of a clock")
def largest(c):
    return max((wrong(c, p) for p in c.role("client")), default=0.0)
