"""Chandy-Misra-Haas: a probe that returns to the process that sent it has detected a deadlock.

Blocked processes detect whether they wait for each other in a cycle, although each knows only for which processes it
waits itself.

A process that has been blocked for some time sends a probe to each process for which it waits.  A process that is
itself blocked passes the probe on to each process for which it waits, but each probe only once.  A probe that returns
to its origin has travelled along a cycle of waiting.  This is the AND model: a process waits until all the processes
it has asked have granted.  The waiting: each initiator asks ``asks`` neighbours chosen at random and is blocked; a
process that is not blocked grants immediately.

Pseudo-code (p is the process itself)::

    blocked for some time:            send Probe(p) to all for whom I wait
    blocked, Probe(i) from j:         if j waits for me and dependent[i] is false:
                                          dependent[i] := true
                                          if i = p:  declare a deadlock, else send Probe(i) to all for whom I wait
    not blocked, Probe:               drop it
    all have granted:                 dependent := false; grant to all who wait for me

Needs two-way FIFO links that are reliable, names, and at least one initiator.
Complexity: each probe uses each waiting relation at most once: at most n * asks messages for each suspicion, besides at
most n * asks requests and as many grants.

Reference: K. M. Chandy, J. Misra and L. M. Haas, Distributed deadlock detection, ACM Transactions on Computer Systems
1 (1983), the AND model; Kshemkalyani and Singhal, Distributed Computing (2008), section 10.8.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    Timer,
    always,
    eventually,
    fifo,
    named,
    natural,
    no_crashes,
    on,
    parameter,
    reliable,
    some_initiator,
    states,
    two_way,
)

RUNNING, BLOCKED, DEADLOCKED = states("running", "blocked", "deadlocked")


class Request(Message):
    """'I am blocked until you grant this request.'"""


class Grant(Message):
    """'You no longer need to wait for me.'"""


class Probe(Message):
    """'Process i waits for you, directly or not'; carries i, which asks whether it waits for itself."""

    i: str


class Suspect(Timer):
    """The end of the time after which a blocked process suspects a deadlock."""


class ChandyMisraHaas(Process):
    title = "Chandy-Misra-Haas"
    needs = two_way, fifo, named, some_initiator, reliable, no_crashes
    messages = "<= 2*n*asks + n*n*asks"

    state = RUNNING
    waits_for: set[str] = set()  # processes that have not granted my request
    asked_by: set[str] = set()  # processes whose requests I have not granted
    dependent: set[str] = set()  # processes that wait for me, directly or not: I have passed on their probes

    asks = parameter(1, minimum=1, maximum=50, help="how many neighbours a process asks")
    patience = parameter(3.0, minimum=0.0, maximum=1000.0, help="time blocked before it suspects a deadlock")

    @on(RUNNING, INIT)
    def start(self):
        """It sends requests to some neighbours and is blocked.

        always:
        """
        count = min(self.asks, len(self.neighbours))
        self.waits_for = set(self.random.sample(self.neighbours, count))
        self.state = BLOCKED
        for r in sorted(self.waits_for, key=natural):
            self.send(Request(), to=r)
        self.set_timer(Suspect(), after=self.patience)

    @on(ANY, INIT)
    def waits_already(self):
        """It is already blocked."""

    @on(RUNNING, Request)
    def grant(self, m, q):
        """It is not blocked, so it grants the request."""
        self.send(Grant(), to=q)

    @on((BLOCKED, DEADLOCKED), Request)
    def keep(self, m, q):
        """It is blocked itself, so the process that asks must wait."""
        self.asked_by.add(q)

    @on(ANY, Grant)
    def granted(self, m, q):
        """It waits for one process fewer; if none is left, it runs and grants the requests it has received.

        becomes running: It no longer waits for any process: it runs and grants the requests it has received.
        while blocked or deadlocked: It waits for one process fewer: {waits_for:process is|processes are} left.
        otherwise: It was not waiting for any process.
        """
        self.waits_for.discard(q)
        if not self.waits_for:
            self.state = RUNNING
            self.dependent = set()
            for r in sorted(self.asked_by, key=natural):
                self.send(Grant(), to=r)
            self.asked_by = set()

    @on(BLOCKED, Suspect)
    def suspect(self):
        """It has been blocked for so long that it asks whether it waits for itself."""
        self.probe(self.me)

    @on((RUNNING, DEADLOCKED), Suspect)
    def calm(self):
        """It does nothing: it is running, or has already detected the deadlock."""

    @on((BLOCKED, DEADLOCKED), Probe)
    def forward(self, m, q):
        """It learns that a process waits for it; if that is the process itself, there is a deadlock.

        becomes deadlocked: Its own probe has returned: it waits for itself, which is a deadlock.
        sends Probe: A process waits for it, directly or not; it passes the probe on to those it waits for.
        otherwise: It has already passed this probe on, or the sender no longer waits for it.
        """
        if q in self.asked_by and m.i not in self.dependent:
            self.dependent.add(m.i)
            if m.i == self.me:
                self.state = DEADLOCKED
                self.decide("deadlock")
            else:
                self.probe(m.i)

    @on(RUNNING, Probe)
    def drop(self):
        """It is not blocked, so it discards the probe."""

    def probe(self, i):
        for r in sorted(self.waits_for, key=natural):
            self.send(Probe(i), to=r)


def waiting(c):
    """Return for each process those it waits for, except those whose grant is in transit."""
    granted = {(t.receiver.me, t.sender.me) for t in c.in_transit if type(t.message) is Grant}
    return {p.me: [q for q in sorted(p.waits_for) if (p.me, q) not in granted] for p in c.processes}


def reaches(graph, start, end, without=()):
    """Return True if waiting leads from start to end without passing a process in ``without``."""
    seen, todo = set(), [start]
    while todo:
        for q in graph[todo.pop()]:
            if q == end:
                return True
            if q not in seen and q not in without:
                seen.add(q)
                todo.append(q)
    return False


@always("a process that declares a deadlock waits for itself")
def no_phantom(c):
    graph = waiting(c)
    return all(reaches(graph, p.me, p.me) for p in c.processes if p.state == DEADLOCKED)


@eventually("in each cycle of waiting some process knows of the deadlock")
def detected(c):
    graph = waiting(c)
    knows = {p.me for p in c.processes if p.state == DEADLOCKED}
    return not any(reaches(graph, p.me, p.me, without=knows) for p in c.processes if p.me not in knows)
