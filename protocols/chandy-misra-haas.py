"""Chandy-Misra-Haas: a question that comes back to who asked has found a deadlock.

Blocked processes find out whether they wait for each other in a circle, each knowing only whom it waits for itself.

A process that has been blocked for a while sends a probe to all for whom it waits.  Whoever is blocked itself passes
the probe on to all for whom it waits; each probe only once.  A probe that reaches the process where it began has come
round a circle of waiting.  This is the AND model: a process waits until all whom it has asked have granted.
The waiting: who starts asks ``asks`` neighbours chosen by chance and is blocked; whoever is not blocked grants at once.

Pseudo-code (p is the process itself)::

    blocked for a while:              send Probe(p) to all for whom I wait
    blocked, Probe(i) from j:         if j waits for me and dependent[i] is false:
                                          dependent[i] := true
                                          if i = p:  declare a deadlock, else send Probe(i) to all for whom I wait
    not blocked, Probe:               drop it
    all have granted:                 dependent := false; grant to all who wait for me

Needs two-way FIFO links that lose nothing, names, and somebody who starts.
Complexity: a probe crosses each relation of waiting once: at most n * asks messages for each who suspects; at most
n * asks requests and as many grants.

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
    """'I cannot go on without you.'"""


class Grant(Message):
    """'You need not wait for me any more.'"""


class Probe(Message):
    """'Somebody waits for you, directly or not': the one who wants to know whether it waits for itself."""

    i: str


class Suspect(Timer):
    """It has been blocked for a while."""


class ChandyMisraHaas(Process):
    title = "Chandy-Misra-Haas"
    needs = two_way, fifo, named, some_initiator, reliable, no_crashes
    messages = "<= 2*n*asks + n*n*asks"

    state = RUNNING
    waits_for: set[str] = set()  # who has not granted yet
    asked_by: set[str] = set()  # whom I have not granted yet
    dependent: set[str] = set()  # whose probe I have passed on: they wait for me, directly or not

    asks = parameter(1, minimum=1, maximum=50, help="how many neighbours a process asks")
    patience = parameter(3.0, minimum=0.0, maximum=1000.0, help="how long it is blocked before it suspects a deadlock")

    @on(RUNNING, INIT)
    def start(self):
        """It needs something of some neighbours, and is blocked.

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
        """It is blocked already."""

    @on(RUNNING, Request)
    def grant(self, m, q):
        """It is not blocked and grants."""
        self.send(Grant(), to=q)

    @on((BLOCKED, DEADLOCKED), Request)
    def keep(self, m, q):
        """It is blocked itself: who asks has to wait."""
        self.asked_by.add(q)

    @on(ANY, Grant)
    def granted(self, m, q):
        """One less to wait for; who waits for nobody goes on, and grants what it was asked.

        becomes running: It waits for no process any more: it goes on, and grants what it was asked for.
        while blocked or deadlocked: One less to wait for: it still waits for {waits_for:process|processes}.
        otherwise: It waits for no process.
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
        """It goes on, or knows already."""

    @on((BLOCKED, DEADLOCKED), Probe)
    def forward(self, m, q):
        """Somebody waits for it, directly or not; if that is itself, this is a deadlock.

        becomes deadlocked: Its own probe has come back: it waits for itself, which is a deadlock.
        sends Probe: A process waits for it, directly or not; it tells those for which it waits itself.
        otherwise: It knows this already, or the process does not wait for it any more.
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
        """It is not blocked: nobody waits for long."""

    def probe(self, i):
        for r in sorted(self.waits_for, key=natural):
            self.send(Probe(i), to=r)


def waiting(c):
    """Process -> for whom it waits, but for those whose grant is under way."""
    granted = {(t.receiver.me, t.sender.me) for t in c.in_transit if type(t.message) is Grant}
    return {p.me: [q for q in sorted(p.waits_for) if (p.me, q) not in granted] for p in c.processes}


def reaches(graph, start, end, without=()):
    """Whether waiting leads from start to end, past nobody in ``without``."""
    seen, todo = set(), [start]
    while todo:
        for q in graph[todo.pop()]:
            if q == end:
                return True
            if q not in seen and q not in without:
                seen.add(q)
                todo.append(q)
    return False


@always("who declares a deadlock waits for itself")
def no_phantom(c):
    graph = waiting(c)
    return all(reaches(graph, p.me, p.me) for p in c.processes if p.state == DEADLOCKED)


@eventually("in every circle of waiting somebody knows of it")
def detected(c):
    graph = waiting(c)
    knows = {p.me for p in c.processes if p.state == DEADLOCKED}
    return not any(reaches(graph, p.me, p.me, without=knows) for p in c.processes if p.me not in knows)
