"""Cristian's clock synchronisation: a client asks a server for the time, and adds half of the round trip.

Each process has a clock that was set wrongly.  Clients want to set theirs to that of a time server, although they do
not know how long the messages take.

The answer was sent at some moment between the question and its arrival.  If neither message takes less than ``least``,
the server's clock at the moment of arrival is at most the stamp plus the round trip D minus ``least``, and at least
the stamp plus ``least``.  The client takes the middle, the stamp plus D/2, so its error is at most D/2 - ``least``.
 Short round trips give good bounds: a client that wants a better bound than it has got asks again.

Pseudo-code (clock: the local clock with its correction)::

    client, every ``period``:    sent := clock; send Ask to the server
    server, Ask from q:          send Time(clock) to q
    client, Time(t):             D := clock - sent
                                 if D/2 - least <= accuracy: correction := correction + t + D/2 - clock
                                 else if it has asked fewer than ``tries`` times: sent := clock; send Ask to the server
                                 else give up until the next period

The server is the first process in the order of names.  At first a clock is wrong by at most ``skew``, and from then on
it gains or loses at most the share ``rho`` of the time.

Needs a complete network with two-way reliable links and names, of which only the links of the server are used;
processes that all start and do not crash; and no message that takes less than ``least``.
Complexity: 2 messages for each try; with ``tries`` attempts in each of ``syncs`` periods at most 2 (n - 1) syncs
tries.

Reference: F. Cristian, Probabilistic clock synchronization, Distributed Computing 3 (1989).
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
    everybody_starts,
    measure,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    states,
    two_way,
    variable,
)

UNSET, SERVER, ASKING, SET, GAVE_UP = states(
    "unset", "server", "asking", "set", "gave up",
    reads={"unset": "has a clock that may be wrong", "server": "is the time server", "asking": "is asking for the time",
           "set": "has set its clock", "gave up": "has given up for now"},
)  # fmt: skip


class Ask(Message):
    """The question for the time."""


class Time(Message):
    """The clock of the server when it sent this."""

    time: float


class Sync(Timer):
    """The time at which a client next sets its clock."""


class Cristian(Process):
    title = "Cristian's clock synchronisation"
    needs = complete, two_way, named, everybody_starts, reliable, no_crashes
    messages = "<= 2*(n - 1)*syncs*tries"

    state = UNSET
    correction: float = variable(lambda p: p.random.uniform(-p.skew, p.skew))  # what I add to my local clock
    server: str | None = None
    sent: float = 0.0  # the local clock when I asked
    tried: int = 0  # how often I have asked in this period
    trip: float = 0.0  # the round trip with which I last set my clock
    bound: float | None = None  # the largest possible error at that moment, without drift
    since: float = 0.0  # the local clock at that moment
    done: int = 0  # in how many periods I have asked

    least = parameter(0.0, minimum=0.0, maximum=1000.0, help="the shortest time that a message takes")
    accuracy = parameter(10.0, minimum=0.0, maximum=1000.0, help="the largest error that a client accepts")
    tries = parameter(5, minimum=1, maximum=50, help="the largest number of times that a client asks in a period")
    syncs = parameter(2, minimum=1, maximum=50, help="how often a client sets its clock")
    period = parameter(10.0, minimum=0.1, maximum=1000.0, help="the local time between two periods")
    skew = parameter(5.0, minimum=0.0, maximum=1000.0, help="the largest error of a clock at the beginning")
    rho = parameter(0.0, minimum=0.0, maximum=0.5, help="the largest share of the time that a clock gains or loses")

    @on(ANY, INIT)
    def start(self):
        """It is the server, or will ask the server.

        becomes server: It is the first process, and the time server.
        otherwise: It will soon ask the server for the time.
        """
        self.server = min((self.me, *self.neighbours), key=natural)
        if self.server == self.me:
            self.state = SERVER
        else:
            self.set_timer(Sync(), after=self.random.uniform(0, self.period / 2))

    @on((UNSET, SET, GAVE_UP), Sync)
    def sync(self):
        """It asks the server for the time, and notes when it did so.

        always:
        """
        self.done += 1
        self.tried = 0
        self.state = ASKING
        self.ask()

    @on(ANY, Ask)
    def answer(self, m, q):
        """It answers with its clock."""
        self.send(Time(self.clock + self.correction), to=q)

    @on(ASKING, Time)
    def receive(self, m):
        """It sets its clock to the middle of what is possible, if the round trip was short enough.

        becomes set: The round trip was short enough: it sets its clock, with an error of at most {bound}.
        becomes gave up: The round trip was too long again, so it gives up for now.
        sends Ask: The round trip was too long, so it asks again.
        """
        trip = self.clock - self.sent
        if trip / 2 - self.least <= self.accuracy:
            self.correction = m.time + trip / 2 - self.clock
            self.trip, self.bound, self.since = trip, trip / 2 - self.least, self.clock
            self.state = SET
        elif self.tried < self.tries:
            self.ask()
            return
        else:
            self.state = GAVE_UP
        if self.done < self.syncs:
            self.set_timer(Sync(), after=self.period)

    @on((UNSET, SERVER, SET, GAVE_UP), Time)
    def unasked(self, m, q):
        """It has not asked, so this happens only after a fault."""

    @on((SERVER, ASKING), Sync)
    def busy(self):
        """It is the server, or is asking already."""

    def ask(self):
        self.tried += 1
        self.sent = self.clock
        self.send(Ask(), to=self.server)


def apart(c, p):
    """Return by how much the clock of a client differs from that of its server."""
    s = c.process(p.server)
    return abs((p.clock + p.correction) - (s.clock + s.correction))


@always("a clock that was set differs from that of the server by at most half the round trip, less the shortest delay")
def accurate(c):
    for p in c.processes:
        if p.bound is not None:
            drift = 2 * p.rho / (1 - p.rho) * (p.trip + p.clock - p.since)
            if apart(c, p) > p.bound + drift + 1e-9:
                return False
    return True


@at_end("each client has set its clock, or has given up after the last try")
def finished(c):
    return all(p.state in (SERVER, SET) or (p.state == GAVE_UP and p.tried == p.tries) for p in c.processes)


@measure("largest difference from the server's clock")
def largest(c):
    return max((apart(c, p) for p in c.processes if p.server is not None), default=0.0)
