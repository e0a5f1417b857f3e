"""Rana: each process that becomes quiet starts a wave with its time; only processes that were quiet earlier let it
pass.

Processes give each other work in any pattern; some process detects when all of it is done.  No process is special, and
any number of processes may start with work.

Work is acknowledged on arrival.  A process is quiet when it is not working and all the work that it gave away has been
acknowledged.  A process that becomes quiet sends a wave round all processes, with the logical time at which it became
quiet.  A process that is not quiet, or became quiet later, stops the wave; one that became quiet earlier passes it
on.  A wave that returns has visited only processes that were quiet from its time on: all work is done.  A process that
stops a wave moves its clock past the time of the wave; so it starts a later wave when it becomes quiet itself.  The
work is that of dijkstra-scholten; waves follow the order of the names.

Pseudo-code (time: the logical clock; since: the time and name with which I became quiet, compared in this order)::

    send Work, Ack, Wave:        with the present time
    receive anything:            time := max(time, time of the message) + 1
    Work from q:                 send Ack to q; become active
    not working, all acknowledged, and not quiet yet:
                                 time := time + 1; since := (time, me); become quiet; send Wave(since) to next
    quiet, Wave(s):              if s = since: announce termination
                                 else if since < s: send Wave(s) to next
    not quiet, Wave(s):          stop it

Needs a complete network with names, links that neither lose nor duplicate messages, and at least one initiator; order
does not matter.  With ``stamps = False`` a process that is quiet passes on every wave, whatever its time.
Complexity: one acknowledgement for each piece of work, here n (n - 1)(hops + 1), and at most n messages for the wave
of each time that a process becomes quiet.

Reference: S. P. Rana, A distributed solution of the distributed termination problem, Information Processing Letters 17
(1983); W. Fokkink, Distributed Algorithms: An Intuitive Approach, chapter 6 (termination detection).
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    complete,
    eventually,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
)

IDLE, ACTIVE, WAITING, QUIET, ANNOUNCED = states(
    "idle", "active", "waiting", "quiet", "announced",
    reads={"idle": "has had no work", "active": "is working", "waiting": "is waiting for acknowledgements",
           "quiet": "is quiet", "announced": "has announced termination"},
)  # fmt: skip


class Work(Message):
    """A piece of work; says how often it is still to be passed on."""

    time: int
    hops: int


class Ack(Message):
    """The acknowledgement that work has arrived."""

    time: int


class Wave(Message):
    """'Have you been quiet since this time?'; carries the time and the name of the process that asks."""

    time: int
    since: tuple[int, str]


class Done(Timer):
    """The end of the work that a process is doing."""


class Rana(Process):
    title = "Rana's termination detection"
    needs = complete, named, some_initiator, reliable, no_crashes
    messages = "<= 4*m*(hops + 1) + n*(2*m*(hops + 1) + n)"

    state = IDLE
    time: int = 0  # the logical clock
    since: tuple[int, str] = (0, "")  # when I became quiet, with my name; at first earlier than all others
    missing: int = 0  # how many of my messages have not been acknowledged
    spread: bool = False  # whether I have given work to all others, or am about to
    todo: list[tuple[str, int]] = []  # work that I give away when I am done: receiver, hops
    waves: int = 0  # how many waves I have started

    hops = parameter(1, minimum=0, maximum=50, help="how often a piece of work is passed on")
    duration = parameter(1.0, minimum=0.0, maximum=1000.0, help="how long a process works")
    stamps = parameter(True, help="whether a process stops waves that are older than its own quietness")

    @on(IDLE, INIT)
    def start(self):
        """It starts to work.

        always:
        """
        self.work()

    @on((ACTIVE, WAITING, QUIET, ANNOUNCED), INIT)
    def begun_already(self):
        """It has received work already."""

    @on((IDLE, ACTIVE, WAITING, QUIET), Work)
    def receive(self, m, q):
        """It acknowledges the work, and works.

        while active: It acknowledges the work, and does it together with its own.
        while quiet: It acknowledges the work; it is no longer quiet.
        otherwise: It acknowledges the work, and works.
        """
        self.tick(m.time)
        self.send(Ack(self.time), to=q)
        self.work(m)

    @on(ACTIVE, Done)
    def done(self):
        """It finishes its work and gives away the work that follows.

        becomes quiet: It finishes its work and is quiet: it starts a wave with its time {time}.
        sends Work: It finishes its work, gives away the work that follows, and waits for acknowledgements.
        otherwise: It finishes its work, and waits for acknowledgements.
        """
        self.tick()
        for r, hops in self.todo:
            self.send(Work(self.time, hops), to=r)
        self.missing += len(self.todo)
        self.todo = []
        self.state = WAITING
        self.look()

    @on(ANY, Ack)
    def acknowledged(self, m):
        """Its work has arrived.

        becomes quiet: All its work has arrived, and it is quiet: it starts a wave with its time {time}.
        otherwise: Its work has arrived; it waits for {missing:acknowledgement|acknowledgements}.
        """
        self.tick(m.time)
        self.missing -= 1
        self.look()

    @on((IDLE, QUIET), Wave)
    def take_part(self, m):
        """It passes the wave on if it has been quiet for long enough.

        decides: Its own wave has returned: all work is done.
        sends Wave: It became quiet earlier, so it passes the wave on.
        otherwise: It became quiet later, so it stops the wave.
        """
        self.tick(m.time)
        if self.state == QUIET and m.since == self.since:
            self.state = ANNOUNCED
            self.decide("terminated")
        elif age(self.since) < age(m.since) or (not self.stamps and m.since[1] != self.me):
            self.send(Wave(self.time, m.since), to=self.following())

    @on((ACTIVE, WAITING), Wave)
    def stop(self, m):
        """It is not quiet, so it stops the wave."""
        self.tick(m.time)

    @on(ANNOUNCED, Wave)
    def enough(self, m):
        """It has announced termination, so it stops the wave."""

    @on(ANNOUNCED, Work)
    def wrong(self, m, q):
        """It receives work although it has announced termination, which happens only after a fault."""
        self.note(f"work from {q} after termination was announced")

    @on(ANY, Done)
    def nothing_done(self):
        """It was not working, which happens only after a fault."""

    def tick(self, other=0):
        self.time = max(self.time, other) + 1

    def look(self):
        if self.state == WAITING and self.missing == 0:
            self.state = QUIET
            self.tick()
            self.since = (self.time, self.me)
            self.waves += 1
            self.send(Wave(self.time, self.since), to=self.following())

    def following(self):
        ring = sorted((self.me, *self.neighbours), key=natural)
        return ring[(ring.index(self.me) + 1) % len(ring)]

    def work(self, m=None):
        if not self.spread:
            self.spread = True
            self.todo += [(r, self.hops) for r in self.neighbours]
        if m is not None and m.hops > 0:
            self.todo.append((self.random.choice(self.neighbours), m.hops - 1))
        if self.state != ACTIVE:
            self.state = ACTIVE
            self.set_timer(Done(), after=self.duration)


def age(since):
    """Return the sort key of a time with a name."""
    return since[0], natural(since[1])


@always("termination is announced only when no process is working and no work is in transit")
def safe(c):
    return all(p.state != ANNOUNCED for p in c.processes) or not (
        any(p.state == ACTIVE for p in c.processes) or any(type(t.message) is Work for t in c.in_transit)
    )


@always("work in transit has not been acknowledged")
def counted(c):
    moving = sum(type(t.message) is Work for t in c.in_transit)
    return sum(p.missing for p in c.processes) >= moving


@eventually("exactly one process learns that all work is done")
def announced(c):
    return sorted(p.state for p in c.processes if p.state not in (IDLE, QUIET)) == [ANNOUNCED]
